/* SPDX-License-Identifier: MIT */
#include "core/lesson/hl-lesson-markup.h"

#include <string.h>

#include "core/base/hl-text-escape.h"
#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/help/hl-formula-tree.h"

#define UNKNOWN "…"

static const struct {
  const char *open, *close;
  const char *pango[2], *html[2];
} marks[] = {
    {"**", "**", {"<b>", "</b>"}, {"<strong>", "</strong>"}}, {"*", "*", {"<i>", "</i>"}, {"<em>", "</em>"}},
    {"`", "`", {"<tt>", "</tt>"}, {"<code>", "</code>"}},     {"$", "$", {"<i>", "</i>"}, {"<i>", "</i>"}},
    {"{", "}", {"<b>", "</b>"}, {"<output>", "</output>"}},
};

/* Returns the index of the markup that begins here; -1: none. A star before a blank is none. */
static int mark_here (const char *c) {
  for (int k = 0; k < (int)G_N_ELEMENTS (marks); k++)
    if (g_str_has_prefix (c, marks[k].open) && !(*c == '*' && c[strlen (marks[k].open)] == ' '))
      return k;
  return -1;
}

/* Finds the next piece: *mark as in the table, -1 for plain text; [*start, *end) its content. Returns the
 * position after it; NULL at the end, and for an unclosed markup, where *start is not NULL. */
static const char *next_piece (const char *c, int *mark, const char **start, const char **end) {
  *start = NULL;
  if (*c == '\0')
    return NULL;
  *mark = mark_here (c);
  if (*mark >= 0) {
    *start = c + strlen (marks[*mark].open);
    *end = strstr (*start, marks[*mark].close);
    return *end != NULL && *end > *start ? *end + strlen (marks[*mark].close) : NULL;
  }
  *start = c;
  if (*c == '\\' && c[1] != '\0') {
    *start = c + 1;
    *end = g_utf8_next_char (c + 1);
    return *end;
  }
  for (c++; *c != '\0' && *c != '\\' && mark_here (c) < 0;)
    c++;
  *end = c;
  return c;
}

gboolean hl_lesson_inline_check (const char *text, GError **error) {
  const char *start, *end;
  int mark;

  while ((text = next_piece (text, &mark, &start, &end)) != NULL)
    ;
  if (start == NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("%s is not closed, or is empty; write \\%s for the character itself"), marks[mark].open,
               marks[mark].open);
  return FALSE;
}

static void append_text (GString *out, HlLessonForm form, const char *text) {
  if (form == HL_LESSON_PLAIN)
    g_string_append (out, text);
  else
    hl_xml_append (out, HL_XML_CONTENT, text);
}

/* Appends a letter with its index below, or another text between dollar signs. */
static void append_letter (GString *out, HlLessonForm form, const char *text) {
  g_autofree char *index = NULL;
  g_autofree char *shown = hl_term_letter_shown (text, &index, NULL);

  append_text (out, form, shown);
  if (index == NULL)
    return;
  g_string_append (out, form == HL_LESSON_PLAIN ? "_" : "</i><sub>");
  append_text (out, form, index);
  g_string_append (out, form == HL_LESSON_PLAIN ? "" : "</sub><i>");
}

static void append_piece (GString *out, HlLessonForm form, int mark, const char *text,
                          HlLessonValueOf value_of, gpointer data) {
  const char *const *tags = form == HL_LESSON_PANGO ? marks[mark].pango : marks[mark].html;

  if (form != HL_LESSON_PLAIN)
    g_string_append (out, tags[0]);
  if (marks[mark].open[0] == '$')
    append_letter (out, form, text);
  else if (marks[mark].open[0] == '{') {
    g_autofree char *value = value_of != NULL ? value_of (data, text) : NULL;
    append_text (out, form, value != NULL ? value : UNKNOWN);
  } else
    append_text (out, form, text);
  if (form != HL_LESSON_PLAIN)
    g_string_append (out, tags[1]);
}

char *hl_lesson_inline (const char *text, HlLessonForm form, HlLessonValueOf value_of, gpointer data) {
  GString *out = g_string_new (NULL);
  const char *start, *end;
  int mark;

  while ((text = next_piece (text, &mark, &start, &end)) != NULL) {
    g_autofree char *piece = g_strndup (start, (gsize)(end - start));
    if (mark >= 0)
      append_piece (out, form, mark, piece, value_of, data);
    else
      append_text (out, form, piece);
  }
  return g_string_free (out, FALSE);
}

void hl_lesson_inline_visit (const char *text, void (*visit) (const char *formula, gpointer data),
                             gpointer data) {
  const char *start, *end;
  int mark;

  while ((text = next_piece (text, &mark, &start, &end)) != NULL)
    if (mark >= 0 && marks[mark].open[0] == '{') {
      g_autofree char *piece = g_strndup (start, (gsize)(end - start));
      visit (piece, data);
    }
}
