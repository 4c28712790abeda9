/* SPDX-License-Identifier: MIT */
/* HlTimeBar: play, pause, scrub. Moves the time cursor that plots and drawings share. */
#pragma once

#include "ui/bench/hl-workbench.h"

#include <gtk/gtk.h>

#define HL_TYPE_TIME_BAR (hl_time_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlTimeBar, hl_time_bar, HL, TIME_BAR, GtkBox)

void hl_time_bar_set_workbench (HlTimeBar *self, HlWorkbench *workbench);
gboolean hl_time_bar_is_playing (HlTimeBar *self);
void hl_time_bar_set_playing (HlTimeBar *self, gboolean playing);
void hl_time_bar_rewind (HlTimeBar *self);
