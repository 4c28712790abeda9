/* SPDX-License-Identifier: MIT */
/* What a document of XML 1.0 may hold is its production 2, Char. g_markup_escape_text () writes control characters
 * as references, which no reader takes. */
#include "core/base/hl-xml.h"

#include <string.h>

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
