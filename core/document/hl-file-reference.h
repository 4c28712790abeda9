/* SPDX-License-Identifier: MIT */
/* Files that a model names: a photograph, measured data, studies. They are written relative to the model's
 * folder where they lie in or below it, so that all of them can be moved together, else absolute.
 */
#pragma once

#include "core/document/hl-document.h"

/* Where the file is; `model_path` (NULL: not saved yet) is the model's. Owned by the caller. */
char *hl_file_reference_path (const char *reference, const char *model_path);
/* How the file at `path` is written down: "bench.csv", "data/bench.csv", or `path` itself where the
 * model has no place yet or lies elsewhere. Owned by the caller. */
char *hl_file_reference_name (const char *path, const char *model_path);

/* The document as it is written to `to` when it was at `from` (NULL: nowhere): what it named
 * relative to the one is named relative to the other. NULL when nothing changes. */
HlDocument *hl_file_references_moved (const HlDocument *document, const char *from, const char *to);

/* Studies that belong to a model: "studies" of a model file, a list of objects with a "file"
 * (hl-file-reference.h). What is studied stands in that file (data/docs/studies.md). */

/* Files as they are written, in file order; entries that name none are passed over. NULL-terminated,
 * free with g_strfreev. */
char **hl_studies_of_document (const HlDocument *document);

/* An edit verb: the document with the study behind the others; the same one (a new reference) when it
 * is named already. Unknown members are kept. */
HlDocument *hl_edit_put_study (const HlDocument *document, const char *file);
/* Without what names this file; with the last one the list goes. */
HlDocument *hl_edit_remove_study (const HlDocument *document, const char *file);
