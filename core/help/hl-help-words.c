/* SPDX-License-Identifier: MIT */
#include "core/help/hl-help-words.h"

#include <string.h>

gboolean hl_help_has_words (const char *text, const char *words) {
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *sought = g_utf8_casefold (words, -1);
  g_auto (GStrv) each = g_strsplit_set (sought, " ", -1);
  gboolean all = TRUE;

  for (int k = 0; each[k] != NULL; k++)
    all = all && strstr (folded, each[k]) != NULL;
  return all;
}
