/* SPDX-License-Identifier: MIT */
/* Named parameters of a document, "parameters": {"bore": 0.08, "rod": "bore/2"}, and the numbers that depend
 * on them: wherever a property is a number, the file may have a formula or a number with a unit as a text.
 * Such a text is kept as typed; readers see its value, which follows the parameters. A parameter's name is
 * its path. The typed unit is kept too. */
#pragma once

#include "core/base/hl-unit.h"
#include "core/document/hl-document.h"
#include "core/formula/hl-formula.h"

/* Parameters in file order; a name is borrowed, NULL when there is none at that place. */
int hl_document_n_parameters (const HlDocument *document);
const char *hl_document_parameter_name (const HlDocument *document, int index);
/* Returns the value stored under a name: a number, a number in its typed form, or a text without a value.
 * NULL: no such name. */
const HlValue *hl_document_parameter (const HlDocument *document, const char *name);
/* Evaluates a parameter. Fails with HL_ERROR_USAGE for an unknown name (the message lists the nearest ones)
 * and HL_ERROR_MODEL for a parameter without a value: the reason, or the circular reference. */
gboolean hl_document_parameter_value (const HlDocument *document, const char *name, HlFormulaValue *value,
                                      GError **error);
/* Implements HlFormulaLookup; data is the document. */
gboolean hl_document_lookup (gpointer document, const char *name, HlFormulaValue *value, GError **error);
/* Returns the quantity of a parameter; NONE for pure numbers and for dimensions that are not in the table. */
HlQuantity hl_document_parameter_quantity (const HlDocument *document, const char *name);

/* Reads a number into *si, with a unit or as a formula with the document's parameters, in a quantity;
 * a pure number is in `assumed`. Errors as hl_formula_read (). */
gboolean hl_document_read_number (const HlDocument *document, const char *text, HlQuantity quantity,
                                  const HlUnit *assumed, double *si, GError **error);

/* Reads a number into *si as hl_document_read_number () does, from text typed into a field that shows the
 * unit `assumed`, in the user's locale (2,5 with a decimal comma). *kept (optional, owned by the caller)
 * receives the text to store in the file, where plain numbers are SI: a formula, with the unit of the field
 * added if the formula has none; NULL for a number with or without a unit, which is stored as a number.
 * `document` may be NULL. */
gboolean hl_document_read_typed (const HlDocument *document, const char *typed, HlQuantity quantity,
                                 const HlUnit *assumed, double *si, char **kept, GError **error);

/* Returns the text at a path where its number is kept as typed; NULL: a plain number, or no number.
 * Borrowed. */
const char *hl_document_typed (const HlDocument *document, const char *path);
/* Returns the copy with the number at a path given as a text, which is kept as typed where it is more than a
 * number. A pure number is in SI, as in files. Errors as hl_document_with_number () and
 * hl_document_read_number (). */
HlDocument *hl_document_with_text (const HlDocument *document, const char *path, const char *text,
                                   GError **error);

/* Calls a function for every text in place of a number below a root, and for every number that is stored as
 * typed. `place` is the dotted place in the file; HL_N_QUANTITIES stands for any quantity. A returned value
 * (a new reference) replaces the text; NULL leaves it unchanged. */
typedef HlValue *(*HlNumberVisit) (gpointer data, const HlValue *value, HlQuantity quantity,
                                   const char *place);
/* Returns the root with everything replaced: the same one, a new reference, when nothing was. */
HlValue *hl_document_map_texts (const HlDocument *document, HlNumberVisit visit, gpointer data);

/* The unit that a person chose for one property: the file stores it with the typed number ("20 bar"), independent of
 * the unit of the quantity elsewhere in the window. */

/* Returns the unit that the number at a path is written with in the file; NULL: it is a plain number, or a
 * formula. Static. */
const HlUnit *hl_document_own_unit (const HlDocument *document, const char *path);

/* Returns the text to store for a number typed into a field: "20 bar" if its unit differs from `shown`, the
 * unit of the quantity elsewhere. Returns NULL if the unit is the same (the number is stored as a number), or
 * if the text is not a number with or without a unit. A number without a unit is in `assumed`. Owned by the
 * caller. */
char *hl_own_unit_text (const char *typed, HlQuantity quantity, const HlUnit *assumed, const HlUnit *shown);

/* Returns a number in a unit, "20 bar", with the fewest digits that come to the same bits; 17 where none
 * do. Owned by the caller. */
char *hl_own_unit_format (const HlUnit *unit, double si);
