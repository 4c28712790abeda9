/* SPDX-License-Identifier: MIT */
/* What can be taken up on a canvas, group by group: the palette, its search and the keys of the
 * canvas all read this one list. */
#pragma once

#include "ui/edit/tool/hl-tool.h"

typedef struct {
  const char *id, *argument; /* of the tool, for hl_tool_choose () */
  const char *label, *help;  /* untranslated; help is one line and may be NULL */
  const char *group;         /* untranslated heading */
  const char *key;           /* letter on the canvas, lower case; NULL: none */
} HlPaletteEntry;

/* All of a canvas, those of a group side by side; owned by the caller. */
GArray *hl_palette_entries (HlToolCanvas canvas);

/* The one that the letter takes up on the canvas; FALSE: none. */
gboolean hl_palette_entry_of_key (HlToolCanvas canvas, const char *letter, HlPaletteEntry *entry);

/* Whether every word typed is somewhere in its name, its sentence or its heading, in the language
 * of the program or in English. */
gboolean hl_palette_entry_matches (const HlPaletteEntry *entry, const char *typed);
/* Whether its name itself begins with what was typed. */
gboolean hl_palette_entry_is_named (const HlPaletteEntry *entry, const char *typed);

/* Name, key and sentence as one text of lines; owned by the caller. */
char *hl_palette_entry_tooltip (const HlPaletteEntry *entry);
