/* SPDX-License-Identifier: MIT */
/* A tape as a text, in JSON: {"format": "hydrolink-tape", "version": 1, "tick": S, "end": S, "moves":
 * [{"t": S, "lever": PATH, "value": X}, {"t": S, "number": PATH, "value": X}]}, all in SI. */
#pragma once

#include "core/run/hl-input-recording.h"

#define HL_TAPE_SUFFIX ".hltape"

/* Returns the text of a recording. Owned by the caller. */
char *hl_tape_text (const HlTape *tape);
/* Parses a recording; NULL: HL_ERROR_SYNTAX, _VERSION or _MODEL with the invalid move. `name` (may be NULL)
 * starts the message. */
HlTape *hl_tape_parse (const char *text, gsize length, const char *name, GError **error);
/* Returns the same of a file; HL_ERROR_FILE when it cannot be read. */
HlTape *hl_tape_load (const char *path, GError **error);
