/* SPDX-License-Identifier: MIT */
/* HlLeverRow: one lever: its number, name, way, exact value, spring, range. The mouse drags it and,
 * if it has a spring, lets it go back; keys leave it where they put it. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_LEVER_ROW (hl_lever_row_get_type ())
G_DECLARE_FINAL_TYPE (HlLeverRow, hl_lever_row, HL, LEVER_ROW, GtkBox)

GtkWidget *hl_lever_row_new (HlWorkbench *workbench, guint lever);
/* Where it is, and what can be done with it, may be other than it was. */
void hl_lever_row_refresh (HlLeverRow *self);
void hl_lever_row_choose (HlLeverRow *self); /* the keys go to it */
gboolean hl_lever_row_is_chosen (HlLeverRow *self);
void hl_lever_row_rest (HlLeverRow *self);               /* to neutral */
void hl_lever_row_step (HlLeverRow *self, double share); /* of its whole way */
