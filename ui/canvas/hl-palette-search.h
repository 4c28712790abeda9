/* SPDX-License-Identifier: MIT */
/* The search of a palette: a popover with all tools of a canvas, name and sentence, of which typing
 * leaves those that match. Enter takes up the first one. */
#pragma once

#include "ui/canvas/hl-tool-bridge.h"

#include <gtk/gtk.h>

#define HL_TYPE_PALETTE_SEARCH (hl_palette_search_get_type ())
G_DECLARE_FINAL_TYPE (HlPaletteSearch, hl_palette_search, HL, PALETTE_SEARCH, GtkPopover)

/* A floating popover. */
GtkWidget *hl_palette_search_new (HlToolBridge *bridge);
