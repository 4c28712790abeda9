/* SPDX-License-Identifier: MIT */
/* Where the pieces of a formula end. */
#include <string.h>

#include "core/formula/hl-formula-private.h"

gsize
hl_formula_number_length (const char *c)
{
  char *stop;

  if (!g_ascii_isdigit (*c) && !(*c == '.' && g_ascii_isdigit (c[1])))
    return 0;
  if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) /* no hexadecimal numbers */
    return 1;
  g_ascii_strtod (c, &stop);
  return (gsize)(stop - c);
}

gsize
hl_formula_name_length (const char *c)
{
  gsize n = 0;

  if (!g_ascii_isalpha (*c) && *c != '_')
    return 0;
  while (g_ascii_isalnum (c[n]) || c[n] == '_')
    n++;
  return n;
}

gsize
hl_formula_word_length (const HlFormulaWords *words, const char *c)
{
  gsize n = hl_formula_name_length (c);

  if (words == NULL)
    return n;
  if (*c == '"') {
    const char *close = strchr (c + 1, '"');
    return close != NULL && close > c + 1 ? (gsize)(close + 1 - c) : 0;
  }
  while (n > 0 && c[n] == '.' && (g_ascii_isalnum (c[n + 1]) || c[n + 1] == '_'))
    for (n++; g_ascii_isalnum (c[n]) || c[n] == '_';)
      n++;
  return n;
}

const char *
hl_formula_closing_bracket (const char *c)
{
  gboolean is_quoted = FALSE;

  for (int depth = 0; *c != '\0'; c++) {
    if (*c == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted && *c == '(')
      depth++;
    else if (!is_quoted && *c == ')' && depth-- == 0)
      return c;
  }
  return c;
}
