/* SPDX-License-Identifier: MIT */
/* JSON text to HlValue and back: strict, and the only user of the JSON library. */
#pragma once

#include "core/base/hl-json-value.h"
#include "core/document/hl-document.h"
#include "core/io/hl-file-access.h"

#define HL_JSON_MAX_BYTES (64 * 1024 * 1024) /* a model of this size is a mistake */
#define HL_JSON_MAX_DEPTH 100

/* Parses strict JSON: UTF-8, no comments, no duplicate keys, no NaN or infinity, limited size and
 * depth. On failure NULL and HL_ERROR_SYNTAX with line and column. `name` (a file name; may be
 * NULL) starts the message. */
HlValue *hl_json_parse (const char *text, gsize length, const char *name, GError **error);

/* Returns the same of text that may have one level more: an object around what was parsed. */
HlValue *hl_json_parse_around (const char *text, gsize length, const char *name, GError **error);

/* Reads a model file: HL_ERROR_FILE, _SYNTAX, _VERSION (newer) or _MODEL (not a Hydrolink file).
 * What is wrong inside the model is not an error here: see hl-document-check. */
HlDocument *hl_document_load (const char *path, GError **error);
HlDocument *hl_document_parse (const char *text, gsize length, const char *name, GError **error);

/* HlValue to JSON text: same value, same bytes, whatever the locale. */

#define HL_NUMBER_TEXT 32 /* bytes that hold any number */

/* Returns the number with the fewest digits that read back to the same bits, C locale: "0.1", "1.5e9", "-0".
 * Not finite: "null". */
char *hl_number_text (char buffer[HL_NUMBER_TEXT], double number);

/* Appends a value, two spaces an indentation step, short lists on one line; no newline at the end.
 */
void hl_json_write (GString *out, const HlValue *value);

/* Returns the text of a model file, with a newline at the end. Owned by the caller. */
char *hl_document_to_text (const HlDocument *document);

/* Returns twelve hexadecimal digits that tell one state of a model from another: the beginning of the SHA-256 of its file.
 * Owned by the caller. */
char *hl_document_revision (const HlDocument *document);

/* Saves a document, as hl_file_save_text. */
gboolean hl_document_save (const HlDocument *document, const char *path, GError **error);
