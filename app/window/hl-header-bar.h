/* SPDX-License-Identifier: MIT */
/* HlHeaderBar: title, buttons and menus at the upper edge of the main window. Undo and redo have a list of
 * the steps; the bar shows the parameter set and the oil model; in a narrow window its buttons have icons in
 * place of words. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/plot/hl-plot-pane.h"
#include "ui/widget/hl-banner.h"

#include <gtk/gtk.h>

#define HL_TYPE_HEADER_BAR (hl_header_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlHeaderBar, hl_header_bar, HL, HEADER_BAR, GtkWidget)

/* Adds the actions for steps, parameter sets and oil models to `map`, the window. Call once. The export menu lists `plots`;
 * plots and banner must outlive the bar. */
void hl_header_bar_set_workbench (HlHeaderBar *self, HlWorkbench *workbench, HlPlotPane *plots,
                                  HlBanner *banner, GActionMap *map);
/* Measures the width that the bar needs with all its words, and lays it out for a window of that width [px]. Call
 * once, before the bar is shown. */
void hl_header_bar_measure (HlHeaderBar *self, int width);
/* Lays the bar out for a window of that width [px]. Returns TRUE if the layout changed. */
gboolean hl_header_bar_fit (HlHeaderBar *self, int width);
/* Returns whether the bar is laid out for a narrow window. */
gboolean hl_header_bar_is_narrow (HlHeaderBar *self);
/* Returns whether the list of steps shows the present history. */
gboolean hl_header_bar_is_settled (HlHeaderBar *self);
