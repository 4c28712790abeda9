/* SPDX-License-Identifier: MIT */
/* HlSidePane: the levers, and below them properties and root locus: one below the other where the window is tall,
 * else one at a time behind two tabs. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/widget/hl-lever-panel.h"

#include <gtk/gtk.h>

#define HL_TYPE_SIDE_PANE (hl_side_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlSidePane, hl_side_pane, HL, SIDE_PANE, GtkBox)

/* Once. */
void hl_side_pane_set_workbench (HlSidePane *self, HlWorkbench *workbench);
/* Adds the actions of tabs, locus and studies to those of the window, `map`. */
void hl_side_pane_add_actions (HlSidePane *self, GActionMap *map);

/* Borrowed. */
HlInspector *hl_side_pane_inspector (HlSidePane *self);
HlLocusView *hl_side_pane_locus (HlSidePane *self);
HlLeverPanel *hl_side_pane_levers (HlSidePane *self);
/* The border between properties and root locus. */
GtkPaned *hl_side_pane_border (HlSidePane *self);

/* Lays the pane out for a window of that height [px]. TRUE: it is otherwise than before. */
gboolean hl_side_pane_fit (HlSidePane *self, int height);
/* "properties" or "locus". */
void hl_side_pane_show_tab (HlSidePane *self, const char *tab);
/* Shows the levers of the drive that begins, and moves the keyboard to the first. */
void hl_side_pane_begin_drive (HlSidePane *self);
/* In the lecture hall there are no properties, and no buttons for studies. */
void hl_side_pane_set_hall (HlSidePane *self, gboolean in_hall);
/* In the lecture hall: shows the root locus, or nothing. */
void hl_side_pane_show_hall_locus (HlSidePane *self, gboolean shows);
/* Shows the pane again as the action side-pane has it. */
void hl_side_pane_show_levers (HlSidePane *self);
/* A lesson hides what would tell an answer: root locus and eigenvalues. */
void hl_side_pane_cover (HlSidePane *self, gboolean covers);
/* The page of help on the part of the pane that a widget is in; NULL: none. */
const char *hl_side_pane_topic (HlSidePane *self, GtkWidget *widget);
/* All rows are there and show the present state. */
gboolean hl_side_pane_is_settled (HlSidePane *self);
