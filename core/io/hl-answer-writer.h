/* SPDX-License-Identifier: MIT */
/* HlAnswer: what a study found, said once: named values in an order, some of them also the columns
 * of a table, and a page for people. Written as JSON, CSV or text by one writer, numbers in the C
 * locale whatever the program's.
 *
 * Texts and numbers are copied. */
#pragma once

#include <glib.h>

typedef enum {
  HL_ANSWER_TEXT, /* the page */
  HL_ANSWER_JSON, /* one object; numbers with 17 significant digits, NAN as null */
  HL_ANSWER_CSV   /* the columns; fewest digits that read back to the same bits, NAN as nothing */
} HlAnswerFormat;

typedef struct _HlAnswer HlAnswer;

/* Returns an empty answer. Owned by the caller. */
HlAnswer *hl_answer_new (void);
/* Frees an answer; NULL is allowed. */
void hl_answer_free (HlAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAnswer, hl_answer_free)

/* --- named values --- */

/* Opens an object; key NULL: an item of a list. Everything that follows belongs to it until it is closed. */
void hl_answer_open_object (HlAnswer *answer, const char *key);
/* Opens a list likewise; the next function closes either. */
void hl_answer_open_list (HlAnswer *answer, const char *key);
/* Ends the innermost object or list. */
void hl_answer_close (HlAnswer *answer);

/* Adds one value in SI units; NAN is written as null. */
void hl_answer_number (HlAnswer *answer, const char *key, double value);
/* Adds an integer. */
void hl_answer_integer (HlAnswer *answer, const char *key, long value);
/* Adds a boolean. */
void hl_answer_bool (HlAnswer *answer, const char *key, gboolean value);
void hl_answer_string (HlAnswer *answer, const char *key, const char *value); /* NULL: null */
/* Adds n texts; NULL-terminated when n < 0. */
void hl_answer_strings (HlAnswer *answer, const char *key, const char *const values[], int n);
/* Adds values[0], values[stride] ... values[(n - 1) stride]. */
void hl_answer_numbers (HlAnswer *answer, const char *key, const double values[], int n, int stride);
/* Adds values[rows x columns], column-major, as a list of rows. */
void hl_answer_matrix (HlAnswer *answer, const char *key, const double values[], int rows, int columns);

/* --- the table --- */

/* Adds a column of the table, "TITLE [UNIT]" (unit NULL: none), which is a list of numbers named key too; key
 * NULL: only of the table, title NULL: only a list. A column shorter than the longest ends in unknown cells.
 * values[] as in hl_answer_numbers (). */
void hl_answer_column (HlAnswer *answer, const char *key, const char *title, const char *unit,
                       const double values[], int n, int stride);
/* Adds a column of n texts, of the table alone. */
void hl_answer_text_column (HlAnswer *answer, const char *title, const char *const values[], int n);
/* Adds a column whose cells are written during the study, see below. */
void hl_answer_row_column (HlAnswer *answer, const char *title, const char *unit);
/* Writes titles without their units in CSV. */
void hl_answer_hide_units (HlAnswer *answer);

/* --- the page --- */

/* Returns the buffer to which the lines of the page are appended. */
GString *hl_answer_page (HlAnswer *answer);

/* --- writing --- */

/* Takes a piece of what is written, some 64 kB; FALSE ends the writing. */
typedef gboolean (*HlAnswerSink) (const char *piece, gpointer data);

/* Writes the whole answer, piece by piece; FALSE when the sink cancelled. */
gboolean hl_answer_write (const HlAnswer *answer, HlAnswerFormat format, HlAnswerSink sink, gpointer data);
/* Returns all of it at once; owned by the caller. */
char *hl_answer_to_text (const HlAnswer *answer, HlAnswerFormat format);

/* Output of rows one by one: the text before the first row, each row, and the text after the last. In JSON
 * the answer's values come first, then "columns", "rows", and whether all requested rows are there, "complete". Each
 * appends whole lines but for the last line end of a row in JSON. */
typedef struct {
  double number;
  const char *text; /* NULL: the number */
} HlAnswerCell;

/* Appends the lines before the first row. */
void hl_answer_append_head (const HlAnswer *answer, HlAnswerFormat format, GString *out);
/* Appends one row; cells: one per row column. */
void hl_answer_append_row (const HlAnswer *answer, HlAnswerFormat format, GString *out,
                           const HlAnswerCell cells[], gboolean is_first);
/* Writes the end after the last row; `more`: further named values, in JSON, or NULL. */
void hl_answer_append_foot (const HlAnswer *answer, HlAnswerFormat format, GString *out, gboolean is_complete,
                            const HlAnswer *more);
