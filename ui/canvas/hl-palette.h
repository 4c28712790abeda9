/* SPDX-License-Identifier: MIT */
/* HlPalette: the tools of one canvas as buttons with their symbols. A click takes a tool up;
 * components can be dragged onto the canvas. */
#pragma once

#include "ui/canvas/hl-tool-bridge.h"

#include <gtk/gtk.h>

#define HL_TYPE_PALETTE (hl_palette_get_type ())
G_DECLARE_FINAL_TYPE (HlPalette, hl_palette, HL, PALETTE, GtkWidget)

void hl_palette_set_bridge (HlPalette *self, HlToolBridge *bridge);
