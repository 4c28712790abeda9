/* SPDX-License-Identifier: MIT */
/* Which model of the oil a document asks for, and which of its numbers that model does not read: a
 * root locus or a sweep over such a number shows nothing, and has to say so. */
#pragma once

#include "core/document/hl-document.h"

/* simulation.model. */
HlOil hl_document_oil (const HlDocument *document);

/* "Not used by the lumped model", when the path names such a number; NULL otherwise. */
const char *hl_path_idle_text (const HlDocument *document, const char *path, HlOil oil);
/* The same with what else there is to know, for a tooltip; NULL when the oil reads the field.
 * Owned by the caller. */
char *hl_field_idle_help (const HlField *field, HlOil oil);
