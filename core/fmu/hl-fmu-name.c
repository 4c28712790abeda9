/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-name.h"

#include <string.h>

static gboolean is_word (const char *part) {
  if (!g_ascii_isalpha (part[0]) && part[0] != '_')
    return FALSE;
  for (; *part != '\0'; part++)
    if (!g_ascii_isalnum (*part) && *part != '_')
      return FALSE;
  return TRUE;
}

static gboolean is_place (const char *part) {
  return part[0] != '\0' && part[strspn (part, "0123456789")] == '\0';
}

/* Only ASCII that is printed stands between apostrophes: all else is written as its code, #e4#. */
static void append_quoted (GString *name, const char *part) {
  g_string_append_c (name, '\'');
  for (const char *at = part; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (c == '\'' || c == '\\')
      g_string_append_printf (name, "\\%c", (char)c);
    else if (c >= 0x20 && c < 0x7f && c != '#')
      g_string_append_c (name, (char)c);
    else
      g_string_append_printf (name, "#%x#", c);
  }
  g_string_append_c (name, '\'');
}

char *hl_fmu_name_of_path (const char *path) {
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  GString *name = g_string_new (NULL);

  for (int k = 0; parts[k] != NULL; k++) {
    if (k > 0 && is_place (parts[k])) {
      g_string_append_printf (name, "[%s]", parts[k]);
      continue;
    }
    if (k > 0)
      g_string_append_c (name, '.');
    if (is_word (parts[k]))
      g_string_append (name, parts[k]);
    else
      append_quoted (name, parts[k]);
  }
  return g_string_free (name, FALSE);
}

/* "#e4#" as the letter; the end of what was read, NULL where it is none such. */
static const char *read_code (const char *at, GString *path) {
  char *end = NULL;
  guint64 code = g_ascii_strtoull (at + 1, &end, 16);

  if (end == at + 1 || *end != '#' || code > 0x10ffff || !g_unichar_validate ((gunichar)code))
    return NULL;
  g_string_append_unichar (path, (gunichar)code);
  return end;
}

char *hl_fmu_path_of_name (const char *name) {
  GString *path = g_string_new (NULL);
  gboolean quoted = FALSE;

  for (const char *at = name; *at != '\0'; at++) {
    const char *behind = quoted && *at == '#' ? read_code (at, path) : NULL;
    if (behind != NULL)
      at = behind;
    else if (*at == '\'')
      quoted = !quoted;
    else if (quoted && *at == '\\' && at[1] != '\0')
      g_string_append_c (path, *++at);
    else if (!quoted && *at == '[')
      g_string_append_c (path, '.');
    else if (quoted || *at != ']')
      g_string_append_c (path, *at);
  }
  return g_string_free (path, FALSE);
}

char *hl_fmu_flat_name (const char *path) {
  char *name = g_strdup (path);

  for (char *at = name; *at != '\0'; at++)
    if (!g_ascii_isalnum (*at))
      *at = '_';
  return name;
}

/* Keywords of C99, and names that no file of some systems may have. */
static gboolean is_reserved (const char *name) {
  static const char *const words[] = {
      "auto",   "break",  "case",     "char",   "const",    "continue", "default", "do",
      "double", "else",   "enum",     "extern", "float",    "for",      "goto",    "if",
      "inline", "int",    "long",     "main",   "register", "restrict", "return",  "short",
      "signed", "sizeof", "static",   "struct", "switch",   "typedef",  "union",   "unsigned",
      "void",   "while",  "volatile", "aux",    "con",      "nul",      "prn"};
  g_autofree char *lower = g_ascii_strdown (name, -1);
  gboolean is_one = (g_str_has_prefix (lower, "com") || g_str_has_prefix (lower, "lpt")) &&
                    g_ascii_isdigit (lower[3]) && lower[4] == '\0';

  for (gsize k = 0; k < G_N_ELEMENTS (words) && !is_one; k++)
    is_one = strcmp (lower, words[k]) == 0;
  return is_one;
}

/* Names of files end at 255 bytes, and paths to them on some systems too. */
enum { LONGEST = 100 };

char *hl_fmu_identifier (const char *title) {
  GString *name = g_string_new (NULL);

  for (const char *at = title; *at != '\0'; at++) {
    if (g_ascii_isalnum (*at))
      g_string_append_c (name, *at);
    else if (name->len > 0 && name->str[name->len - 1] != '_')
      g_string_append_c (name, '_');
  }
  if (name->len > LONGEST)
    g_string_truncate (name, LONGEST);
  if (name->len > 0 && name->str[name->len - 1] == '_')
    g_string_truncate (name, name->len - 1);
  if (name->len == 0)
    g_string_append (name, "model");
  if (g_ascii_isdigit (name->str[0]) || is_reserved (name->str))
    g_string_prepend (name, "model_");
  return g_string_free (name, FALSE);
}
