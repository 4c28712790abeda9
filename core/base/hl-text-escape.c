/* SPDX-License-Identifier: MIT */
/* Escapes text for XML 1.0 and for terminals. XML 1.0 permits the characters of its production 2, Char;
 * g_markup_escape_text () writes control characters as references, which XML parsers reject. */
#include "core/base/hl-text-escape.h"

#include <string.h>

/* Terminals interpret the text from ESC to a letter, and C1 characters, as commands (ECMA-48); direction
 * marks reorder the displayed text only (Unicode TR 36). */

typedef struct {
  gunichar first, last;
} Range;

static gboolean is_unfit (gunichar c) {
  static const Range ranges[] = {
      {0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},
      {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (ranges); k++)
    if (c >= ranges[k].first && c <= ranges[k].last)
      return TRUE;
  return FALSE;
}

static void append_escape (GString *out, gunichar c) {
  if (c == '\n' || c == '\r' || c == '\t')
    g_string_append_printf (out, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
  else if (c < 0x80)
    g_string_append_printf (out, "\\x%02x", (guint)c);
  else
    g_string_append_printf (out, "\\u%04x", (guint)c); /* none is larger; JSON reads it back */
}

/* Returns the number of bytes that are shown as they are, which most of any text is: ASCII without commands. */
static gsize plain_bytes (const char *text, gboolean keep_lines) {
  const char *at = text;

  while ((*at >= 0x20 && *at < 0x7f) || (keep_lines && (*at == '\n' || *at == '\t')))
    at++;
  return (gsize)(at - text);
}

char *hl_shown_text (const char *text, gboolean keep_lines) {
  GString *out = g_string_new (NULL);

  for (const char *at = text;;) {
    gsize n = plain_bytes (at, keep_lines);
    g_string_append_len (out, at, (gssize)n);
    at += n;
    if (*at == '\0')
      break;
    gunichar c = g_utf8_get_char_validated (at, -1);
    if (c == (gunichar)-1 || c == (gunichar)-2) {
      g_string_append_printf (out, "\\x%02x", (guint)(guchar)*at++);
      continue;
    }
    if (keep_lines ? is_unfit (c) && c != '\n' && c != '\t' : is_unfit (c))
      append_escape (out, c);
    else
      g_string_append_unichar (out, c);
    at = g_utf8_next_char (at);
  }
  return g_string_free (out, FALSE);
}

static gboolean is_character (gunichar c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

static const char *reference_of (gunichar c, HlXmlPlace place) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&apos;";
  case '\t':
    return place == HL_XML_ATTRIBUTE ? "&#9;" : NULL;
  case '\n':
    return place == HL_XML_ATTRIBUTE ? "&#10;" : NULL;
  case '\r':
    return "&#13;"; /* a reader makes a line end of a plain one */
  default:
    return NULL;
  }
}

void hl_xml_append (GString *xml, HlXmlPlace place, const char *text) {
  g_autofree char *valid =
      text != NULL && !g_utf8_validate (text, -1, NULL) ? g_utf8_make_valid (text, -1) : NULL;

  for (const char *at = valid != NULL ? valid : text; at != NULL && *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    const char *reference = reference_of (c, place);
    if (reference != NULL)
      g_string_append (xml, reference);
    else if (is_character (c))
      g_string_append_unichar (xml, c);
  }
}

gboolean hl_xml_holds (const char *text) {
  for (const char *at = text; at != NULL && *at != '\0'; at = g_utf8_next_char (at))
    if (!is_character (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}
