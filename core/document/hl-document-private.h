/* SPDX-License-Identifier: MIT */
/* HlDocument between hl-document.c and hl-path.c. */
#pragma once

#include "core/document/hl-document.h"

/* Document with another root (taken) in which every id, port and line stands where it stood: shares
 * the index. */
HlDocument *hl_document_new_same_ids (const HlDocument *document, HlValue *root);
