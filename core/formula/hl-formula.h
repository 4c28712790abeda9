/* SPDX-License-Identifier: MIT */
/* Formulas: arithmetic with units, in files, on the command line and in the fields of the window:
 *
 *   sum     = product { (+|-) product }
 *   product = signed { (*|/) signed }
 *   signed  = [+|-] signed | power
 *   power   = atom [ ^ signed ]
 *   atom    = NUMBER [UNIT...] | FRACTION UNIT | NAME | pi | FUNCTION ( sum {, sum} ) | ( sum ) [UNIT...]
 *
 * A unit behind a number binds closer than anything else (2 N/4 mm are 0.5 N/mm), its power as well (80
 * mm^2 are square millimetres). A name is that of a parameter, else a unit, which multiplies or divides a
 * number (d/mm) and is not a number itself. Numbers have a decimal point here; hl_formula_from_typed ()
 * reads those of the person's locale. */
#pragma once

#include "core/base/hl-element-kind.h"
#include "core/base/hl-unit.h"

#include <glib.h>

/* Dimensions: what a quantity is made of. A radian counts, though the SI lets it drop, because a
 * volume typed for a displacement a radian would be wrong by 2 pi without a word. */

/* Powers of metre, kilogram, second and radian. */
typedef struct {
  double metre, kilogram, second, radian;
} HlDimension;

/* Returns the dimension of a quantity of the unit table. */
HlDimension hl_dimension_of (HlQuantity quantity);
/* Returns a^p b^q. */
HlDimension hl_dimension_product (HlDimension a, double p, HlDimension b, double q);
/* Returns whether it is a pure number, not even an angle. */
gboolean hl_dimension_is_none (HlDimension dimension);
/* Returns whether both are equal; radians may differ beside other units (N·m per radian is N·m). */
gboolean hl_dimension_agrees (HlDimension a, HlDimension b);
/* Finds the first quantity of the table with exactly that dimension; FALSE when there is none. */
gboolean hl_dimension_quantity (HlDimension dimension, HlQuantity *quantity);
/* Returns the name of a dimension for messages, "length", or its units, "m^2·s^-1". Owned by the caller. */
char *hl_dimension_text (HlDimension dimension);

/* Value of a formula. */
typedef struct {
  double value; /* SI */
  HlDimension dimension;
  gboolean is_open; /* depends on a parameter stated without unit: in the SI unit of the place that uses it */
  gboolean is_unit; /* consists of units only and is not a number; used while a formula is read */
} HlFormulaValue;

/* The value of a named parameter; FALSE and HL_ERROR_USAGE when there is none of that name, which may
 * be a unit then, HL_ERROR_MODEL when there is one without a value. */
typedef gboolean (*HlFormulaLookup) (gpointer data, const char *name, HlFormulaValue *value, GError **error);

/* Names of a formula other than parameters: lessons use values of a model and of its runs. */
typedef struct {
  /* A word, which may have dots ("cyl.friction.scale") or stand in quotes ("V-3.pressure"). */
  HlFormulaLookup lookup;
  /* A function of what stands between its brackets as text. FALSE without an error: it is none of
   * these, but may be one of the formula's own. */
  gboolean (*call) (gpointer data, const char *name, const char *arguments, HlFormulaValue *value,
                    GError **error);
  gpointer data;
} HlFormulaWords;

/* Evaluates a formula with these words, as hl_formula_evaluate () below, also *at. Errors of the words are
 * returned unchanged. */
gboolean hl_formula_evaluate_words (const char *text, const HlFormulaWords *words, HlFormulaValue *value,
                                    int *at, GError **error);

/* Evaluates. `lookup` may be NULL (no parameters). An error of HL_ERROR_USAGE says what is wrong and
 * at which letter; *at (optional) is that letter, counted from 0. */
gboolean hl_formula_evaluate (const char *text, HlFormulaLookup lookup, gpointer data, HlFormulaValue *value,
                              int *at, GError **error);

/* Reads a number of a quantity into *si: what hl_unit_parse () reads, to the same bits, else a formula. A
 * pure number is in the unit `assumed`; everything else is converted. Error: also when it is
 * something else than the quantity. */
gboolean hl_formula_read (const char *text, HlQuantity quantity, const HlUnit *assumed,
                          HlFormulaLookup lookup, gpointer data, double *si, GError **error);

/* Returns whether it is more than a number with or without a unit, so worth keeping as typed. */
gboolean hl_formula_is_one (const char *text, HlQuantity quantity);

/* Returns the names in a formula by which a parameter may be meant, or a unit that stands alone, each once.
 * NULL-terminated, free with g_strfreev (). */
char **hl_formula_names (const char *text);
/* Returns the formula with every name `from` replaced by `to`; units and functions of that name stay. Owned
 * by the caller. */
char *hl_formula_rename (const char *text, const char *from, const char *to);
/* Letters, digits and _, not beginning with a digit, and no function or constant. */
gboolean hl_formula_is_name (const char *name);

/* Converts a typed formula of a locale with a decimal comma: "2,5" becomes 2.5 and ; separates arguments;
 * otherwise returns a copy. The second function converts for display: with a decimal point, as all numbers of
 * the window, but ; between arguments. Owned by the caller. */
char *hl_formula_from_typed (const char *typed);
char *hl_formula_to_typed (const char *text);
