/* SPDX-License-Identifier: MIT */
/* Quantities and their units. Documents and cores hold SI numbers only; only this file knows bar, mm and
 * inches. Pressures are absolute. */
#pragma once

#include <glib.h>

#include "core/base/hl-element-kind.h"

/* One unit: SI value = value * factor + offset. */
typedef struct {
  HlQuantity quantity;
  const char *name;   /* plain text as typed: "mm3", "L/min" */
  const char *symbol; /* as shown: "mm³" */
  double factor;      /* SI per unit, > 0: up / down, rounded */
  double up, down;    /* exact, but where pi is one of them */
  double offset;      /* SI value of zero; not 0 only for gauge pressure */
} HlUnit;

const char *hl_quantity_name (HlQuantity quantity); /* "pressure", for messages */
HlQuantity hl_quantity_of_si (const char *si_unit); /* first quantity with that SI unit; NONE when unknown */

/* Returns the units of a quantity, the SI unit first; *n is their number. Borrowed, static. */
const HlUnit *hl_quantity_units (HlQuantity quantity, int *n);
/* Returns the unit of a fresh installation: bar, mm, deg, L/min, cm3 ... */
const HlUnit *hl_quantity_default_unit (HlQuantity quantity);
/* Returns the unit by plain name or symbol; NULL when the quantity has none of that name. */
const HlUnit *hl_unit_find (HlQuantity quantity, const char *name);

/* Returns a number in a unit as SI, and back. */
double hl_unit_to_si (const HlUnit *unit, double value);
double hl_unit_from_si (const HlUnit *unit, double si);

/* Reads what a person typed: "20 bar", "3/8 in", "1.5e-3", "1.5·10⁻³", "10^-3", "-2"; without a unit, `assumed` is
 * meant. A decimal comma is an error, whose message asks for the meaning. *unit (optional) is the unit that was typed,
 * or `assumed`. *si: the number in SI. */
gboolean hl_unit_parse (const char *text, HlQuantity quantity, const HlUnit *assumed, double *si,
                        const HlUnit **unit, GError **error);

/* Parses and fails likewise in the user's own locale: with a decimal comma, "2,5" is 2.5. For fields of the window
 * only; files and the command line have a point. *si and *unit as there. */
gboolean hl_unit_parse_typed (const char *text, HlQuantity quantity, const HlUnit *assumed, double *si,
                              const HlUnit **unit, GError **error);

/* Returns whether a typed comma may stand before the decimals: in the person's own locale, or in the
 * windows of the program. */
gboolean hl_unit_has_decimal_comma (void);

/* Returns the number in a unit with n significant digits (1 to 17), without the unit, as people see it
 * (hl_number_format), which hl_unit_parse () reads again. Owned by the caller. */
char *hl_unit_format (const HlUnit *unit, double si, int digits);
/* Returns the same for a field that is typed in (hl_number_format_entry). */
char *hl_unit_format_entry (const HlUnit *unit, double si, int digits);
/* Returns the same as files have it: "-1e-06". */
char *hl_unit_format_plain (const HlUnit *unit, double si, int digits);
/* Formats a value with the symbol of its unit: "20 bar". */
char *hl_unit_format_full (const HlUnit *unit, double si, int digits);

/* Returns the prefixed unit of the same quantity in which the largest of |values| reads between 0.1 and 1000
 * if there is one; for axes. */
const HlUnit *hl_unit_fitting (HlQuantity quantity, double largest);
