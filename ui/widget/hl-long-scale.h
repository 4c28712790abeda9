/* SPDX-License-Identifier: MIT */
/* HlLongScale: a scale that is long where there is room, and shortens before anything else of the
 * window is cut off. */
#pragma once

#include <gtk/gtk.h>

#define HL_TYPE_LONG_SCALE (hl_long_scale_get_type ())
G_DECLARE_FINAL_TYPE (HlLongScale, hl_long_scale, HL, LONG_SCALE, GtkScale)
