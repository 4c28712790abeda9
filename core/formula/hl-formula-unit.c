/* SPDX-License-Identifier: MIT */
/* Units inside a formula, where the quantity is not known beforehand: the longest name of the table
 * that fits. Powers may be written 2, ^2 and ², products with a space or a dot. */
#include <math.h>
#include <string.h>

#include "core/formula/hl-formula-private.h"

#define REVOLUTION "rev"

static const char *
skip_blanks (const char *c)
{
  while (*c == ' ')
    c++;
  return c;
}

/* A letter of a unit's name, the many ways to write it made one; *next behind it. */
static gunichar
plain_letter (const char *c, const char **next)
{
  gunichar letter = g_utf8_get_char (c);

  *next = g_utf8_next_char (c);
  if (letter == '^' && g_ascii_isdigit (**next)) {
    letter = (gunichar) * *next;
    *next += 1;
  }
  switch (letter) {
  case 0x00B2:
    return '2';
  case 0x00B3:
    return '3';
  case 0x00B5:
  case 0x03BC:
    return 'u';
  case 0x00B7:
  case 0x22C5:
    return ' ';
  default:
    return letter;
  }
}

static gboolean
is_word (gunichar letter)
{
  return letter == '_' || g_unichar_isalnum (letter);
}

/* Bytes of the text that the name takes; 0 when it does not stand there. */
static gsize
match (const char *text, const char *name)
{
  const char *c = text, *after;
  gunichar last = 0;

  while (*name != '\0') {
    gunichar wanted = plain_letter (name, &name);
    if (wanted == ' ') { /* N m, N·m, Nm */
      c = skip_blanks (c);
      if (plain_letter (c, &after) == ' ' && *c != '\0')
        c = after;
      c = skip_blanks (c);
      continue;
    }
    if (*c == '\0')
      return 0;
    gunichar letter = plain_letter (c, &after);
    if (letter != wanted && !(wanted == 'L' && letter == 'l'))
      return 0;
    last = letter;
    c = after;
  }
  if (*c != '\0' && is_word (last) && is_word (plain_letter (c, &after)))
    return 0;
  return (gsize)(c - text);
}

/* Names that mean something else in a formula: numbers, g of an acceleration (grams are meant),
 * cm³ of a displacement. */
static gboolean
is_passed_over (const HlUnit *unit, const char *name)
{
  return *name == '\0' || g_ascii_isdigit (*name) ||
         (unit->quantity == HL_QUANTITY_ACCELERATION && strcmp (name, "g") == 0) ||
         (unit->quantity == HL_QUANTITY_DISPLACEMENT && name == unit->symbol &&
          strchr (name, '/') == NULL);
}

gsize
hl_formula_unit (const char *text, const HlUnit **unit)
{
  gsize longest = match (text, REVOLUTION);

  *unit = NULL;
  for (int quantity = 0; quantity < HL_N_QUANTITIES; quantity++) {
    int n;
    const HlUnit *list = hl_quantity_units ((HlQuantity)quantity, &n);
    for (int k = 0; k < 2 * n; k++) {
      const char *name = k % 2 == 0 ? list[k / 2].name : list[k / 2].symbol;
      gsize length = is_passed_over (&list[k / 2], name) ? 0 : match (text, name);
      if (length <= longest)
        continue;
      longest = length;
      *unit = &list[k / 2];
    }
  }
  return longest;
}

HlFormulaValue
hl_formula_unit_value (const HlUnit *unit, int power)
{
  HlDimension base = hl_dimension_of (unit != NULL ? unit->quantity : HL_QUANTITY_ANGLE);
  double one = unit != NULL ? unit->factor : 2 * G_PI;

  return (HlFormulaValue){.value = pow (one, power),
                          .dimension = hl_dimension_product (base, power, base, 0)};
}
