/* SPDX-License-Identifier: MIT */
/* Escapes text for XML, HTML and Pango markup, and for terminals and comments. */
#pragma once

#include <glib.h>

typedef enum {
  HL_XML_CONTENT,  /* of an element: line ends and tabs stay */
  HL_XML_ATTRIBUTE /* a value in quotation marks: readers would take them for blanks, so they are references */
} HlXmlPlace;

/* Appends the text. Characters that no XML can hold (U+0001 to U+001F but tab and line ends, U+FFFE,
 * U+FFFF) are left out: XML does not permit references to them either. NULL stands for an empty text. */
void hl_xml_append (GString *xml, HlXmlPlace place, const char *text);
/* Returns whether nothing of the text would be left out. */
gboolean hl_xml_holds (const char *text);

/* Text that others wrote (names, identifiers, what a broken file says) made fit to be examined or
 * to stand in a comment: nothing in it moves a cursor, rings, colours, ends a line or turns the
 * direction of reading. */

/* Returns a text in which control characters (C0, DEL, C1), line and paragraph separators, marks that change
 * the direction of reading, and bytes that are not UTF-8 are escaped: "\n", "\x1b", "\u202e". Everything else
 * stays. `keep_lines`: line ends and tabs stay too. Owned by the caller; valid UTF-8. */
char *hl_shown_text (const char *text, gboolean keep_lines);
