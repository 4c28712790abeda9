/* SPDX-License-Identifier: MIT */
/* HlPressureMeters: the pressures of the run that is shown, as bars, at the time cursor. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_PRESSURE_METERS (hl_pressure_meters_get_type ())
G_DECLARE_FINAL_TYPE (HlPressureMeters, hl_pressure_meters, HL, PRESSURE_METERS, GtkWidget)

/* Hidden while the run has no pressures. */
void hl_pressure_meters_refresh (HlPressureMeters *self, HlWorkbench *workbench);
/* What it shows, in words: "V1 12.3 MPa, V2 0.1 MPa". Owned by the caller. */
char *hl_pressure_meters_text (HlPressureMeters *self);
