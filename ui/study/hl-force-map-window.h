/* SPDX-License-Identifier: MIT */
/* HlForceWindow: the force-velocity map of the selected cylinder in the quasistatic model. Its segments are
 * coloured and named, the working point moves on it with the visible run, families of maps are behind it;
 * openings can be set by hand. Below is HlCouplingBar: the virtual element and its cost. The window follows
 * the model, the time cursor and the selection. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/chart/hl-chart.h"
#include "ui/paint/chart/hl-paint-force-map.h"

#include <gtk/gtk.h>

#define HL_TYPE_FORCE_WINDOW (hl_force_window_get_type ())
G_DECLARE_FINAL_TYPE (HlForceWindow, hl_force_window, HL, FORCE_WINDOW, GtkWindow)

GtkWidget *hl_force_window_new (HlWorkbench *workbench, GtkWindow *parent);

/* HlForceChart: the force-velocity map of a cylinder, or of what turns, which can be zoomed in its speeds. Emits
 * "pointed" when the pointer comes to another speed, or leaves, and "range-changed" when a person
 * zooms: the map is then rebuilt for the speeds in view, which are the range of the x axis.
 */

#define HL_TYPE_FORCE_CHART (hl_force_chart_get_type ())
G_DECLARE_FINAL_TYPE (HlForceChart, hl_force_chart, HL, FORCE_CHART, HlChart)

const HlForceFamily *hl_force_chart_family (HlForceChart *self); /* NULL: none */

/* HlCouplingBar: the virtual element between a cylinder, motor or vane actuator and its quasistatic oil: what it is, what
 * it could be, and what it costs beside the lumped model. Either proposal is one undo step. */

#define HL_TYPE_COUPLING_BAR (hl_coupling_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlCouplingBar, hl_coupling_bar, HL, COUPLING_BAR, GtkBox)

void hl_coupling_bar_set_workbench (HlCouplingBar *self, HlWorkbench *workbench);
/* Shows the one with this id; nothing, if there is none in what was computed. */
void hl_coupling_bar_show (HlCouplingBar *self, const char *id);
