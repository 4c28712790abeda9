/* SPDX-License-Identifier: MIT */
/* Inline markup of a paragraph: *emphasis*, **strong words**, `names`, $letters$ of formulas, and
 * {formulas} whose present value is shown. A backslash escapes the next character. */
#pragma once

#include <glib.h>

/* The value of a formula as a text, owned by the caller; NULL: not known. */
typedef char *(*HlLessonValueOf) (gpointer data, const char *formula);

typedef enum {
  HL_LESSON_PLAIN, /* without marks */
  HL_LESSON_PANGO, /* as labels of the window take it */
  HL_LESSON_HTML
} HlLessonForm;

/* Returns whether every mark is closed; HL_ERROR_USAGE says which is not. */
gboolean hl_lesson_inline_check (const char *text, GError **error);
/* Returns the text in a form. `value_of` may be NULL: nothing is known. Owned by the caller. */
char *hl_lesson_inline (const char *text, HlLessonForm form, HlLessonValueOf value_of, gpointer data);
/* Calls for each formula in braces. */
void hl_lesson_inline_visit (const char *text, void (*visit) (const char *formula, gpointer data),
                             gpointer data);
