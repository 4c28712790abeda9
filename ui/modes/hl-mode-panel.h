/* SPDX-License-Identifier: MIT */
/* HlModePanel: what there is to a mode that is looked at: how far the drawings exaggerate it, which
 * states take part, and whether the nonlinear machine agrees. Hidden while there is none. */
#pragma once

#include "core/linear/hl-mode-check.h"
#include "ui/bench/hl-workbench.h"
#include "ui/paint/base/hl-scene.h"

#include <glib.h>
#include <gtk/gtk.h>

#define HL_TYPE_MODE_PANEL (hl_mode_panel_get_type ())
G_DECLARE_FINAL_TYPE (HlModePanel, hl_mode_panel, HL, MODE_PANEL, GtkBox)

void hl_mode_panel_set_workbench (HlModePanel *self, HlWorkbench *workbench);
/* Kicks the nonlinear model along the mode, in a thread, and shows what comes out. */
void hl_mode_panel_check (HlModePanel *self);

/* HlModeVerdict: "Check it" of one mode: kicked runs of the nonlinear machine, and what they say in
 * words. Made and read on the main thread, computed on another. */

typedef struct HlModeVerdict HlModeVerdict;

/* Keeps what it needs of the machine and the point. Owned by the caller. */
HlModeVerdict *hl_mode_verdict_new (HlSystem *system, const HlPoint *point, int mode);
void hl_mode_verdict_free (HlModeVerdict *verdict);

/* Runs; polls cancel. */
void hl_mode_verdict_compute (HlModeVerdict *verdict, bool (*cancel) (void *data), void *data);

/* A few sentences, owned by the caller. */
char *hl_mode_verdict_text (const HlModeVerdict *verdict, HlUnits units);
