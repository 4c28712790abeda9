/* SPDX-License-Identifier: MIT */
/* Numbers as people type them where a comma stands before the decimals. The program itself reads
 * and writes numbers of the C locale, whatever the person's locale is; so that is asked here. */
#include "core/base/hl-unit.h"

#include "core/base/hl-number.h"

#include <locale.h>
#include <string.h>

gboolean hl_unit_has_decimal_comma (void) {
  if (hl_number_has_comma ())
    return TRUE;
  /* of the environment, not of the program */
  locale_t own = newlocale (LC_NUMERIC_MASK, "", (locale_t)0);

  if (own == (locale_t)0)
    return FALSE;
  locale_t before = uselocale (own);
  gboolean has = strcmp (localeconv ()->decimal_point, ",") == 0;
  uselocale (before);
  freelocale (own);
  return has;
}

gboolean hl_unit_parse_typed (const char *text, HlQuantity quantity, const HlUnit *assumed, double *si,
                              const HlUnit **unit, GError **error) {
  const char *comma = strchr (text, ',');

  if (comma == NULL || strchr (comma + 1, ',') != NULL || strchr (text, '.') != NULL ||
      !hl_unit_has_decimal_comma ())
    return hl_unit_parse (text, quantity, assumed, si, unit, error);
  g_autofree char *point = g_strdelimit (g_strdup (text), ",", '.');
  return hl_unit_parse (point, quantity, assumed, si, unit, error);
}
