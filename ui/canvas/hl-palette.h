/* SPDX-License-Identifier: MIT */
/* HlPalette: the tools of one canvas as buttons with their symbols, in groups, with their names
 * where these are wanted. A click takes a tool up; components can be dragged onto the canvas. It is
 * as high as there is room and scrolls; a search finds a tool by its name. */
#pragma once

#include "ui/canvas/hl-palette-entry.h"
#include "ui/canvas/hl-tool-bridge.h"

#include <gtk/gtk.h>

#define HL_TYPE_PALETTE (hl_palette_get_type ())
G_DECLARE_FINAL_TYPE (HlPalette, hl_palette, HL, PALETTE, GtkWidget)

void hl_palette_set_bridge (HlPalette *self, HlToolBridge *bridge);

/* Names beside the symbols, one tool a row; else symbols in two columns. */
void hl_palette_set_names (HlPalette *self, gboolean names);

/* Opens the search with the keyboard in it. */
void hl_palette_search (HlPalette *self);

/* The argument of the tool under the pointer, else of the one that the keyboard is on: what help is
 * asked for; NULL: none. Borrowed. */
const char *hl_palette_asked (HlPalette *self);

/* The button of a tool by its id and argument; NULL: none. Borrowed. */
GtkWidget *hl_palette_button (HlPalette *self, const char *id, const char *argument);
