/* SPDX-License-Identifier: MIT */
/* What the reader of formulas shares with its functions and units. */
#pragma once

#include "core/formula/hl-formula.h"

/* A name within a text. */
typedef struct
{
  int start, length; /* bytes */
} HlFormulaSpan;

/* The names in a formula, each time that one stands there; HlFormulaSpan, owned by the caller. What
 * does not read ends them. */
GArray *hl_formula_spans (const char *text);
/* Bytes of the decimal number here, without sign; 0 for none. Likewise of a name. */
gsize hl_formula_number_length (const char *c);
gsize hl_formula_name_length (const char *c);
/* Likewise of a word: with words of one's own, which may be NULL, also dots between its names, or
 * anything in quotes. */
gsize hl_formula_word_length (const HlFormulaWords *words, const char *c);
/* The end of what began behind an open bracket: its closing one, or the end of the text. */
const char *hl_formula_closing_bracket (const char *c);

/* Applies a function to its arguments; FALSE and a sentence (owned) when it cannot be. `name` is one
 * for which hl_formula_has_function () holds. */
gboolean hl_formula_has_function (const char *name);
gboolean hl_formula_apply (
    const char *name, const HlFormulaValue *arguments, int n, HlFormulaValue *value, char **why);

/* The longest unit that stands at the start of a text: bytes it takes, 0 for none. Quantity and unit
 * are of the table; a revolution, which it does not have, gives *turns and a NULL unit. */
gsize hl_formula_unit (const char *text, const HlUnit **unit);
/* One of the unit in SI, and its dimension; `power` as in mm^2. NULL is a revolution. */
HlFormulaValue hl_formula_unit_value (const HlUnit *unit, int power);
