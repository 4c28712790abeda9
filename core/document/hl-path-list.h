/* SPDX-License-Identifier: MIT */
/* All paths of a document, and those that look like a mistyped one. hl_document_list_paths is here
 * as well. */
#pragma once

#include "core/document/hl-document.h"

/* Whether the path would be one if its first part were the id of one element only. */
gboolean hl_path_is_shared (const HlDocument *document, const char *path);
/* "‘cyl.friction.Fc’ or ‘cyl.friction.Fs’": up to three paths (or ids) that are nearly `path`; NULL
 * when nothing is near. Owned by the caller. */
char *hl_path_near_misses (const HlDocument *document, const char *path);
/* The same among names that are given, NULL-terminated; of a name nearly alike. */
char *hl_path_nearest (const char *const *names, const char *name);
