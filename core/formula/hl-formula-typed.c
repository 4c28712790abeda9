/* SPDX-License-Identifier: MIT */
/* Formulas as people type them where a comma stands before the decimals. */
#include <string.h>

#include "core/base/hl-number.h"
#include "core/formula/hl-formula.h"

char *hl_formula_from_typed (const char *typed) {
  char *text = hl_number_plain (typed);

  if (!hl_unit_has_decimal_comma ())
    return text;
  for (char *c = text; *c != '\0'; c++)
    if (*c == ',' && g_ascii_isdigit (c[1]))
      *c = '.';
    else if (*c == ';')
      *c = ',';
  return text;
}

char *hl_formula_to_typed (const char *text) {
  char *typed = g_strdup (text);

  if (!hl_unit_has_decimal_comma ())
    return typed;
  g_strdelimit (typed, ",", ';');
  return hl_number_localize (typed);
}
