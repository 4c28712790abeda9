/* SPDX-License-Identifier: MIT */
/* Studies that belong to a model: "studies" of a model file, a list of objects with a "file"
 * (hl-file-reference.h). What is studied stands in that file (data/docs/studies.md). */
#pragma once

#include "core/document/hl-document.h"

/* Files as they are written, in file order; entries that name none are passed over. NULL-terminated,
 * free with g_strfreev. */
char **hl_studies_of_document (const HlDocument *document);

/* An edit verb: the document with the study behind the others; the same one (a new reference) when it
 * is named already. Unknown members are kept. */
HlDocument *hl_edit_put_study (const HlDocument *document, const char *file);
/* Without what names this file; with the last one the list goes. */
HlDocument *hl_edit_remove_study (const HlDocument *document, const char *file);
