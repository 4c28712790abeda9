/* SPDX-License-Identifier: MIT */
/* The search of a palette: a popover with all tools of a canvas, name and sentence, of which typing
 * leaves those that match. Enter takes up the first one. */
#pragma once

#include "ui/canvas/hl-tool-bridge.h"

#include <gtk/gtk.h>

/* A floating popover. */
GtkWidget *hl_palette_search_new (HlToolBridge *bridge);
