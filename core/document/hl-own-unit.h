/* SPDX-License-Identifier: MIT */
/* The unit that a person chose for one property: it lives in the file, in the number that is kept as typed ("20 bar"),
 * whatever unit the window shows the quantity in elsewhere. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/document/hl-document.h"

/* The unit that the number at a path is written with in the file; NULL: it is a plain number, or a
 * formula. Static. */
const HlUnit *hl_document_own_unit (const HlDocument *document, const char *path);

/* What a file keeps of a number that a person typed into a field: "20 bar" where it is in another unit than `shown`,
 * which the quantity has elsewhere; NULL: it is in that one, and kept as a number, or it is no number with or
 * without a unit. A number without a unit is in `assumed`. Owned by the caller. */
char *hl_own_unit_text (const char *typed, HlQuantity quantity, const HlUnit *assumed, const HlUnit *shown);

/* A number in a unit, "20 bar", with the fewest digits that come to the same bits; 17 where none do. Owned by the caller. */
char *hl_own_unit_format (const HlUnit *unit, double si);
