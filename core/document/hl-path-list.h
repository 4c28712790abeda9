/* SPDX-License-Identifier: MIT */
/* All paths of a document, and those that look like a mistyped one. hl_document_list_paths is here
 * as well. */
#pragma once

#include "core/document/hl-document.h"

/* "‘cyl.friction.Fc’ or ‘cyl.friction.Fs’": up to three paths (or ids) that are nearly `path`; NULL
 * when nothing is near. Owned by the caller. */
char *hl_path_near_misses (const HlDocument *document, const char *path);
