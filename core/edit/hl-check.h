/* SPDX-License-Identifier: MIT */
/* Structural rules: what can be said about a model without mathematics. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-finding.h"

/* Adds every problem of the document's structure: ids, kinds, references, ports, types, ranges,
 * signals, paths, lines. */
void hl_check_document (const HlDocument *document, HlFindings *findings);
