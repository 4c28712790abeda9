/* SPDX-License-Identifier: MIT */
/* HlSidePane: the levers, the properties and the root locus. In a tall window properties and root locus stand one below the
 * other, in a lower window behind two tabs. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/widget/hl-lever-panel.h"

#include <gtk/gtk.h>

#define HL_TYPE_SIDE_PANE (hl_side_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlSidePane, hl_side_pane, HL, SIDE_PANE, GtkBox)

/* Call once. */
void hl_side_pane_set_workbench (HlSidePane *self, HlWorkbench *workbench);
/* Adds the actions for tabs, locus and studies to `map`, the window. */
void hl_side_pane_add_actions (HlSidePane *self, GActionMap *map);

/* Borrowed. */
HlInspector *hl_side_pane_inspector (HlSidePane *self);
HlLocusView *hl_side_pane_locus (HlSidePane *self);
HlLeverPanel *hl_side_pane_levers (HlSidePane *self);
/* Returns the border between properties and root locus. */
GtkPaned *hl_side_pane_border (HlSidePane *self);

/* Lays the pane out for a window of that height [px]. Returns TRUE if the layout changed. */
gboolean hl_side_pane_fit (HlSidePane *self, int height);
/* Shows the tab "properties" or "locus". */
void hl_side_pane_show_tab (HlSidePane *self, const char *tab);
/* Shows the levers of the drive that begins and moves the keyboard focus to the first lever. */
void hl_side_pane_begin_drive (HlSidePane *self);
/* Hides properties and study buttons in the lecture hall, or shows them again. */
void hl_side_pane_set_hall (HlSidePane *self, gboolean in_hall);
/* Shows or hides the root locus in the lecture hall. */
void hl_side_pane_show_hall_locus (HlSidePane *self, gboolean shows);
/* Shows the levers if there is a drive or a driven run, and the pane if it has something to show. */
void hl_side_pane_show_levers (HlSidePane *self);
/* Hides root locus and eigenvalues while a lesson asks for them, or shows them again. */
void hl_side_pane_cover (HlSidePane *self, gboolean covers);
/* Returns the help page for the part of the pane that contains the widget, NULL if there is none. */
const char *hl_side_pane_topic (HlSidePane *self, GtkWidget *widget);
/* Returns whether all rows exist and show the present state. */
gboolean hl_side_pane_is_settled (HlSidePane *self);
