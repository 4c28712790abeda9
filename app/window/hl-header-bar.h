/* SPDX-License-Identifier: MIT */
/* HlHeaderBar: the upper edge of the main window: its title, buttons and menus. They say what undo would take back, which
 * parameter set is in force and how the oil is modelled; in a narrow window the words of the buttons step back. */
#pragma once

#include "ui/bench/hl-workbench.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_HEADER_BAR (hl_header_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlHeaderBar, hl_header_bar, HL, HEADER_BAR, GtkWidget)

/* Adds the actions on steps, parameter sets and oil models to those of the window, `map`; once. `plots` are those that
 * the menu of exports names; they and the banner outlive the bar. */
void hl_header_bar_set_workbench (HlHeaderBar *self, HlWorkbench *workbench, HlPlotPane *plots,
                                  HlBanner *banner, GActionMap *map);
/* Measures what the bar with all its words needs, for a window of that width [px]; once, before it is shown. */
void hl_header_bar_measure (HlHeaderBar *self, int width);
/* Lays the bar out for a window of that width [px]. TRUE: it is otherwise than before. */
gboolean hl_header_bar_fit (HlHeaderBar *self, int width);
/* Laid out for a narrow window. */
gboolean hl_header_bar_is_narrow (HlHeaderBar *self);
/* The list of steps is not of the present history. */
gboolean hl_header_bar_is_settled (HlHeaderBar *self);
