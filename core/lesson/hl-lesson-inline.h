/* SPDX-License-Identifier: MIT */
/* What stands inside of a paragraph: *emphasis*, **strong words**, `names`, $letters$ of formulas, and
 * {formulas} whose value of the moment is shown. A backslash takes the next sign as it is. */
#pragma once

#include <glib.h>

/* The value of a formula as a text, owned by the caller; NULL: not known. */
typedef char *(*HlLessonValueOf) (gpointer data, const char *formula);

typedef enum {
  HL_LESSON_PLAIN, /* without marks */
  HL_LESSON_PANGO, /* as labels of the window take it */
  HL_LESSON_HTML
} HlLessonForm;

/* Whether every mark is closed; HL_ERROR_USAGE says which is not. */
gboolean hl_lesson_inline_check (const char *text, GError **error);
/* The text in a form. `value_of` may be NULL: nothing is known. Owned by the caller. */
char *hl_lesson_inline (const char *text, HlLessonForm form, HlLessonValueOf value_of, gpointer data);
/* Calls for each formula in braces. */
void hl_lesson_inline_visit (const char *text, void (*visit) (const char *formula, gpointer data),
                             gpointer data);
