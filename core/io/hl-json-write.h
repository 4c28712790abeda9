/* SPDX-License-Identifier: MIT */
/* HlValue to JSON text: same value, same bytes, whatever the locale. */
#pragma once

#include "core/document/hl-document.h"
#include "core/base/hl-value.h"
#include "core/io/hl-file-save.h"

#define HL_NUMBER_TEXT 32 /* bytes that hold any number */

/* Number with the fewest digits that read back to the same bits, C locale: "0.1", "1.5e9", "-0".
 * Not finite: "null". */
char *hl_number_text (char buffer[HL_NUMBER_TEXT], double number);

/* Appends a value, two spaces an indentation step, short lists on one line; no newline at the end.
 */
void hl_json_write (GString *out, const HlValue *value);

/* Text of a model file, with a newline at the end. Owned by the caller. */
char *hl_document_to_text (const HlDocument *document);

/* As hl_file_save_text. */
gboolean hl_document_save (const HlDocument *document, const char *path, GError **error);
