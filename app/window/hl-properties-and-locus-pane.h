/* SPDX-License-Identifier: MIT */
/* HlSidePane: the levers, the properties and the root locus. In the arrangement Draw, properties and root
 * locus are behind two tabs; in Analyse the root locus and its sliders stand beside eigenvalues and properties; Drive has the levers. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/modes/hl-locus-view.h"
#include "ui/widget/hl-lever-panel.h"

#include <gtk/gtk.h>

#define HL_TYPE_SIDE_PANE (hl_side_pane_get_type ())
G_DECLARE_FINAL_TYPE (HlSidePane, hl_side_pane, HL, SIDE_PANE, GtkBox)

/* Arrangements of the window's panes. */
typedef enum {
  HL_ARRANGEMENT_DRAW,
  HL_ARRANGEMENT_ANALYSE,
  HL_ARRANGEMENT_DRIVE,
  HL_N_ARRANGEMENTS
} HlArrangement;

/* Sets the workbench. Call once. */
void hl_side_pane_set_workbench (HlSidePane *self, HlWorkbench *workbench);
/* Adds the actions for tabs, locus and studies to `map`, the window. */
void hl_side_pane_add_actions (HlSidePane *self, GActionMap *map);

/* Returns the inspector. Borrowed. */
HlInspector *hl_side_pane_inspector (HlSidePane *self);
HlLocusView *hl_side_pane_locus (HlSidePane *self);
HlLeverPanel *hl_side_pane_levers (HlSidePane *self);
/* Returns the border between root locus and eigenvalues. */
GtkPaned *hl_side_pane_border (HlSidePane *self);

/* Arranges the pane. In a wide window eigenvalues and properties stand beside each other when the root locus does. */
void hl_side_pane_arrange (HlSidePane *self, HlArrangement arrangement, gboolean is_wide);
/* Hides the root locus that stands beside the eigenvalues, or shows it again; a large one takes the height that sliders and
 * eigenvalues leave. */
void hl_side_pane_show_locus (HlSidePane *self, gboolean shows, gboolean is_large);
/* Returns the width that properties, eigenvalues and levers take [px], without the root locus beside them. */
int hl_side_pane_detail_width (HlSidePane *self, int window_width);
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
/* Hides root locus and eigenvalues while a lesson has a question about them, or shows them again. */
void hl_side_pane_cover (HlSidePane *self, gboolean covers);
/* Returns the help page for the part of the pane that contains the widget, NULL if there is none. */
const char *hl_side_pane_topic (HlSidePane *self, GtkWidget *widget);
/* Returns whether all rows exist and show the present state. */
gboolean hl_side_pane_is_settled (HlSidePane *self);
