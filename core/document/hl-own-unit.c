/* SPDX-License-Identifier: MIT */
#include "core/document/hl-own-unit.h"

#include "core/document/hl-named.h"
#include "core/document/hl-path.h"

#include <math.h>

#define MOST_DIGITS 17 /* tell any two doubles apart */

static const HlUnit *base_unit (HlQuantity quantity) {
  int n;

  return hl_quantity_units (quantity, &n);
}

const HlUnit *hl_document_own_unit (const HlDocument *document, const char *path) {
  const char *typed = hl_document_typed (document, path);
  const HlUnit *unit = NULL;
  HlPathInfo info;
  double si;

  if (typed == NULL || !hl_path_find (document, path, &info, NULL) || info.quantity == HL_QUANTITY_NONE)
    return NULL;
  return hl_unit_parse (typed, info.quantity, base_unit (info.quantity), &si, &unit, NULL) ? unit : NULL;
}

char *hl_own_unit_text (const char *typed, HlQuantity quantity, const HlUnit *assumed, const HlUnit *shown) {
  const HlUnit *unit = assumed, *again = NULL;
  double si, read;

  if (quantity == HL_QUANTITY_NONE || !hl_unit_parse_typed (typed, quantity, assumed, &si, &unit, NULL) ||
      unit == shown)
    return NULL;
  /* as it was typed where that has a point and a unit; a second unit is none */
  g_autofree char *plain = hl_formula_from_typed (typed);
  g_strstrip (plain);
  g_autofree char *with_unit = g_strdup_printf ("%s %s", plain, unit->name);
  const char *const texts[] = {with_unit, plain};
  for (gsize k = 0; k < G_N_ELEMENTS (texts); k++)
    if (hl_unit_parse (texts[k], quantity, base_unit (quantity), &read, &again, NULL) && again == unit &&
        read == si)
      return g_strdup (texts[k]);
  return hl_own_unit_format (unit, si);
}

char *hl_own_unit_format (const HlUnit *unit, double si) {
  char *text = NULL;
  double read = NAN;

  for (int digits = 1; digits <= MOST_DIGITS && read != si; digits++) {
    g_autofree char *number = hl_unit_format_plain (unit, si, digits);
    g_free (text);
    text = g_strdup_printf ("%s %s", number, unit->name);
    if (!hl_unit_parse (text, unit->quantity, unit, &read, NULL, NULL))
      read = NAN;
  }
  return text;
}
