/* SPDX-License-Identifier: MIT */
#include "core/study/hl-study-refuse.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

gboolean hl_study_refuse (GError **error, const char *format, ...) {
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_SYNTAX, text);
  return FALSE;
}

gboolean hl_study_check_members (const HlValue *object, const char *what, const char *const known[],
                                 GError **error) {
  for (gsize k = 0; k < hl_value_length (object); k++)
    if (!g_strv_contains (known, hl_value_key (object, k))) {
      g_autofree char *all = g_strjoinv (", ", (char **)known);
      return hl_study_refuse (error, _ ("%s has no member “%s”; it has %s"), what, hl_value_key (object, k),
                              all);
    }
  return TRUE;
}
