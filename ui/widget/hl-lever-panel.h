/* SPDX-License-Identifier: MIT */
/* HlLeverPanel: the controls of an interactive run: one lever for each signal that can be commanded, pause
 * and stop, and the visible length of the strip chart. While a recorded run is shown, its levers move as
 * recorded. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"

#include <gtk/gtk.h>

#define HL_TYPE_LEVER_PANEL (hl_lever_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlLeverPanel, hl_lever_panel, HL, LEVER_PANEL, GtkBox)

/* Emits "strip-changed" when another length of the strip chart is chosen. */
void hl_lever_panel_set_workbench (HlLeverPanel *self, HlWorkbench *workbench);
/* Returns whether there is anything to show: an interactive run, or a recorded one. */
gboolean hl_lever_panel_is_needed (HlLeverPanel *self);
double hl_lever_panel_strip (HlLeverPanel *self); /* [s]; 0: all */
/* Gives the keys to a lever, counted from 0; does nothing when there is none. */
void hl_lever_panel_choose (HlLeverPanel *self, guint lever);
int hl_lever_panel_chosen (HlLeverPanel *self); /* -1: none */
/* Handles a key pressed during an interactive run: a digit chooses a lever, from anywhere in the window; the
 * other keys move the chosen lever. Returns TRUE if the key was used. */
gboolean hl_lever_panel_key (HlLeverPanel *self, guint keyval);
/* Returns whether rows are still to be made or refreshed. The panel makes a few rows at a time, those beyond
 * the first ones not before it is on the screen, and refreshes out-of-date rows in the same way. */
gboolean hl_lever_panel_is_filling (HlLeverPanel *self);
/* Returns a row; NULL beyond the last. For tests. */
GtkWidget *hl_lever_panel_row (HlLeverPanel *self, guint lever);

/* HlPressureMeters: the pressures of the run that is shown, as bars, at the time cursor. */

#define HL_TYPE_PRESSURE_METERS (hl_pressure_meters_get_type ())
G_DECLARE_FINAL_TYPE (HlPressureMeters, hl_pressure_meters, HL, PRESSURE_METERS, GtkWidget)

/* Returns the shown values as text: "V1 12.3 MPa, V2 0.1 MPa". Owned by the caller. */
char *hl_pressure_meters_text (HlPressureMeters *self);

/* HlLeverRow: one lever: its number, name, way, exact value, spring, range. The mouse drags it and,
 * if it has a spring, lets it go back; keys leave it where they put it. */

#define HL_TYPE_LEVER_ROW (hl_lever_row_get_type ())
G_DECLARE_FINAL_TYPE (HlLeverRow, hl_lever_row, HL, LEVER_ROW, GtkBox)
