/* SPDX-License-Identifier: MIT */
/* Private parts of HlDocument, shared by hl-document.c, hl-quantity-path.c and hl-named-parameters.c. */
#pragma once

#include "core/document/hl-document.h"

/* The evaluated parameters of a root. Immutable, counted between threads. */
typedef struct HlNamed HlNamed;
/* Returns the parameters of a root, which must outlive them; NULL when it has none. */
HlNamed *hl_named_new (const HlValue *root);
/* Returns a new holder; NULL gives NULL. */
HlNamed *hl_named_ref (HlNamed *named);
/* Releases a reference; the last one frees the parameters. */
void hl_named_unref (HlNamed *named);
/* Returns the document's root with all texts evaluated; *has_texts: there are some. A new reference. */
HlValue *hl_named_renew (HlNamed *named, const HlDocument *document, gboolean *has_texts);
/* Returns the parameters of a document. Borrowed. */
HlNamed *hl_document_named (const HlDocument *document);

/* Returns a document with another root (taken) in which every id, port and line is at the same place: shares
 * the index. Parameters and values that depend on them stay. */
HlDocument *hl_document_new_same_ids (const HlDocument *document, HlValue *root);
/* Returns the same where a parameter or a text has changed: everything is evaluated anew. */
HlDocument *hl_document_new_renewed (const HlDocument *document, HlValue *root);
