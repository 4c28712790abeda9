/* SPDX-License-Identifier: MIT */
/* Text as XML, HTML and Pango markup have it. */
#pragma once

#include <glib.h>

typedef enum {
  HL_XML_CONTENT,  /* of an element: line ends and tabs stay */
  HL_XML_ATTRIBUTE /* a value in quotation marks: readers would take them for blanks, so they are references */
} HlXmlPlace;

/* Appends the text. Characters that no XML can hold (U+0001 to U+001F but tab and line ends, U+FFFE, U+FFFF) are
 * left out: a reference to one is as little XML as the character itself. NULL is no text. */
void hl_xml_append (GString *xml, HlXmlPlace place, const char *text);
/* Whether nothing of the text would be left out. */
gboolean hl_xml_holds (const char *text);
