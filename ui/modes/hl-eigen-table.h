/* SPDX-License-Identifier: MIT */
/* HlEigenTable: the eigenvalues as a table: λ, frequency, damping ratio, dominant states; conjugate pairs on
 * one row, null eigenvalues with their cause. Arrow keys move through the rows, Enter shows the mode of a
 * row, with details in HlModePanel. */
#pragma once

#include "core/linear/hl-eigenmode-check.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/base/hl-scene-input.h"

#include <glib.h>
#include <gtk/gtk.h>

#define HL_TYPE_EIGEN_TABLE (hl_eigen_table_get_type ())
G_DECLARE_FINAL_TYPE (HlEigenTable, hl_eigen_table, HL, EIGEN_TABLE, GtkBox)

void hl_eigen_table_set_workbench (HlEigenTable *self, HlWorkbench *workbench);

/* Shows the column of the dominant states, or leaves it to the tooltips of the rows where there is no room for it. */
void hl_eigen_table_show_states (HlEigenTable *self, gboolean shows);
/* Sorts by a column, the second time in reverse order, as a click on its header does. */
void hl_eigen_table_sort (HlEigenTable *self, int column);
/* Returns the text of Ctrl+C: tab-separated, with all digits. NULL = nothing; owned by the caller. */
char *hl_eigen_table_as_text (HlEigenTable *self);

/* HlModePanel: what there is to a mode that is examined: how far the drawings exaggerate it, which
 * states take part, and whether the nonlinear machine agrees. Hidden while there is none. */

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

/* Computes the verdict by runs; polls cancel. */
void hl_mode_verdict_compute (HlModeVerdict *verdict, bool (*cancel) (void *data), void *data);

/* Returns a few sentences, owned by the caller. */
char *hl_mode_verdict_text (const HlModeVerdict *verdict, HlUnits units);
