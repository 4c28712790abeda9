/* SPDX-License-Identifier: MIT */
/* HlPalette: the tools of one canvas as buttons with their symbols, in groups, optionally with their names. A
 * click activates a tool; components can be dragged onto the canvas. It is a card over the canvas with as
 * many columns as its height needs, and scrolls if that is not enough; a search finds a tool by its name. */
#pragma once

#include "ui/canvas/hl-tool-bridge.h"
#include "ui/edit/tool/hl-tool.h"

#include <gtk/gtk.h>

/* Tools of a canvas, group by group: the palette, its search and the keys of the canvas all read this one list. */

typedef struct {
  const char *id, *argument; /* of the tool, for hl_tool_choose () */
  const char *label, *help;  /* untranslated; help is one line and may be NULL */
  const char *group;         /* untranslated heading */
  const char *key;           /* letter on the canvas, lower case; NULL: none */
} HlPaletteEntry;

/* Returns all of a canvas, those of a group side by side; owned by the caller. */
GArray *hl_palette_entries (HlToolCanvas canvas);

/* Finds the entry that a letter selects on the canvas; FALSE: none. */
gboolean hl_palette_entry_of_key (HlToolCanvas canvas, const char *letter, HlPaletteEntry *entry);

#define HL_TYPE_PALETTE (hl_palette_get_type ())
G_DECLARE_FINAL_TYPE (HlPalette, hl_palette, HL, PALETTE, GtkWidget)

void hl_palette_set_bridge (HlPalette *self, HlToolBridge *bridge);
/* Makes the search find the tools of another canvas too. */
void hl_palette_set_other (HlPalette *self, HlToolBridge *other);

/* Shows names beside the symbols, one tool per row, or symbols in columns. */
void hl_palette_set_names (HlPalette *self, gboolean names);

/* Arranges the tools for a canvas of this size. Returns whether the palette has another width then. */
gboolean hl_palette_set_room (HlPalette *self, int width, int height);

/* Returns the width that the card takes of the canvas with its margins, whether it is seen or not [px]. */
int hl_palette_width (HlPalette *self);

/* Opens the search with the keyboard in it. */
void hl_palette_search (HlPalette *self);

/* Returns the argument of the tool under the pointer, else of the focused one: the topic of the help page; NULL: none.
 * Borrowed. */
const char *hl_palette_help_topic (HlPalette *self);

/* Returns the button of a tool by its id and argument; NULL: none. Borrowed. */
GtkWidget *hl_palette_button (HlPalette *self, const char *id, const char *argument);
