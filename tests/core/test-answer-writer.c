/* SPDX-License-Identifier: MIT */
/* The writer of answers: the bytes of each form, and that pieces and rows make the same whole. */
#include "core/base/hl-json-value.h"
#include "core/io/hl-answer-writer.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-csv-table.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static const double grid[] = {1, 2, 3, 4, 5, 6}; /* column-major 2 x 3 */

static HlAnswer *small (void) {
  HlAnswer *answer = hl_answer_new ();
  static const double column[] = {0.1, NAN, -0.0};
  static const char *const notes[] = {"plain", "with, \"quotes\"", ""};

  hl_answer_string (answer, "name", "a \"b\" \\ \n \x7f ü");
  hl_answer_number (answer, "tenth", 0.1);
  hl_answer_number (answer, "none", INFINITY);
  hl_answer_integer (answer, "count", -3);
  hl_answer_bool (answer, "good", TRUE);
  hl_answer_string (answer, "nothing", NULL);
  hl_answer_strings (answer, "words", (const char *const[]){"a", "b", NULL}, -1);
  hl_answer_matrix (answer, "M", grid, 2, 3);
  hl_answer_open_list (answer, "parts");
  hl_answer_open_object (answer, NULL);
  hl_answer_column (answer, "x", "x", "m/s", column, 3, 1);
  hl_answer_column (answer, "hidden", NULL, "m", grid, 2, 3);
  hl_answer_close (answer);
  hl_answer_close (answer);
  hl_answer_column (answer, NULL, "y, \"z\"", NULL, grid, 2, 2);
  hl_answer_text_column (answer, "note", notes, 3);
  hl_answer_open_object (answer, "empty");
  hl_answer_close (answer);
  g_string_append (hl_answer_page (answer), "Page\n");
  return answer;
}

static const char json[] = "{\n"
                           "  \"name\": \"a \\\"b\\\" \\\\ \\u000a \\u007f ü\",\n"
                           "  \"tenth\": 0.10000000000000001,\n"
                           "  \"none\": null,\n"
                           "  \"count\": -3,\n"
                           "  \"good\": true,\n"
                           "  \"nothing\": null,\n"
                           "  \"words\": [\"a\", \"b\"],\n"
                           "  \"M\": [\n    [1, 3, 5],\n    [2, 4, 6]],\n"
                           "  \"parts\": [\n    {\"x\": [0.10000000000000001, null, 0], "
                           "\"hidden\": [1, 4]}],\n"
                           "  \"empty\": {}\n"
                           "}\n";
static const char csv[] = "x [m/s],\"y, \"\"z\"\"\",note\n"
                          "0.1,1,plain\n"
                          ",3,\"with, \"\"quotes\"\"\"\n"
                          "0,,\n";

static void test_forms (void) {
  g_autoptr (HlAnswer) answer = small ();
  g_autofree char *as_json = hl_answer_to_text (answer, HL_ANSWER_JSON);
  g_autofree char *as_csv = hl_answer_to_text (answer, HL_ANSWER_CSV);
  g_autofree char *as_text = hl_answer_to_text (answer, HL_ANSWER_TEXT);

  g_assert_cmpstr (as_json, ==, json);
  g_assert_cmpstr (as_csv, ==, csv);
  g_assert_cmpstr (as_text, ==, "Page\n");
}

/* Numbers are the answer's own: an array of a loop may be used again for the next item. */
static void test_own_numbers (void) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  double again[4];

  hl_answer_open_list (answer, "items");
  for (int item = 0; item < 3; item++) {
    for (int k = 0; k < 4; k++)
      again[k] = 10 * item + k;
    hl_answer_open_object (answer, NULL);
    hl_answer_numbers (answer, "list", again, 2, 2);
    hl_answer_matrix (answer, "square", again, 2, 2);
    hl_answer_column (answer, "column", "x", NULL, again, 1, 1);
    hl_answer_close (answer);
  }
  hl_answer_close (answer);
  memset (again, 0, sizeof again);
  g_autofree char *as_csv = hl_answer_to_text (answer, HL_ANSWER_CSV);
  g_autofree char *as_json = hl_answer_to_text (answer, HL_ANSWER_JSON);
  g_assert_cmpstr (as_csv, ==, "x,x,x\n0,10,20\n");
  g_assert_nonnull (strstr (as_json, "\"list\": [0, 2]"));
  g_assert_nonnull (strstr (as_json, "\"list\": [10, 12]"));
  g_assert_nonnull (strstr (as_json, "\"list\": [20, 22]"));
  g_assert_nonnull (strstr (as_json, "[11, 13]"));
  g_assert_nonnull (strstr (as_json, "\"column\": [10]"));
}

typedef struct {
  GString *all;
  int n, most;
} Pieces;

static gboolean take_piece (const char *piece, gpointer data) {
  Pieces *pieces = data;
  g_assert_cmpuint (strlen (piece), <, 80000);
  g_string_append (pieces->all, piece);
  return ++pieces->n < pieces->most;
}

/* A long answer comes in pieces, which are the whole; after a cancel the callback is not called again. */
static void test_pieces (void) {
  static double numbers[50000];
  g_autoptr (HlAnswer) answer = hl_answer_new ();

  for (gsize k = 0; k < G_N_ELEMENTS (numbers); k++)
    numbers[k] = sin ((double)k);
  hl_answer_column (answer, "s", "s", "1", numbers, G_N_ELEMENTS (numbers), 1);
  for (int format = HL_ANSWER_JSON; format <= HL_ANSWER_CSV; format++) {
    g_autofree char *whole = hl_answer_to_text (answer, (HlAnswerFormat)format);
    Pieces pieces = {g_string_new (NULL), 0, 1000};
    g_assert_true (hl_answer_write (answer, (HlAnswerFormat)format, take_piece, &pieces));
    g_assert_cmpint (pieces.n, >, 10);
    g_assert_cmpstr (pieces.all->str, ==, whole);
    pieces.n = 0;
    pieces.most = 3;
    g_assert_false (hl_answer_write (answer, (HlAnswerFormat)format, take_piece, &pieces));
    g_assert_cmpint (pieces.n, ==, 3);
    g_string_free (pieces.all, TRUE);
  }
}

/* Rows that come one by one: the same table, and an object that can be read. */
static void test_rows (void) {
  static const HlAnswerCell rows[][2] = {{{0.5, NULL}, {NAN, "open"}}, {{NAN, NULL}, {NAN, "a\"b"}}};

  for (int n = 0; n <= 2; n++)
    for (int format = HL_ANSWER_JSON; format <= HL_ANSWER_CSV; format++) {
      g_autoptr (HlAnswer) answer = hl_answer_new ();
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      hl_answer_string (answer, "of", "valve");
      hl_answer_row_column (answer, "t", "s");
      hl_answer_row_column (answer, "state", NULL);
      hl_answer_append_head (answer, (HlAnswerFormat)format, out);
      for (int k = 0; k < n; k++)
        hl_answer_append_row (answer, (HlAnswerFormat)format, out, rows[k], k == 0);
      hl_answer_append_foot (answer, (HlAnswerFormat)format, out, n == 2, NULL);
      if (format == HL_ANSWER_CSV) {
        g_assert_cmpstr (out->str, ==,
                         n == 0   ? "t [s],state\n"
                         : n == 1 ? "t [s],state\n0.5,open\n"
                                  : "t [s],state\n0.5,open\n,\"a\"\"b\"\n");
        continue;
      }
      g_autoptr (HlValue) value = hl_json_parse (out->str, out->len, "rows", &error);
      g_assert_no_error (error);
      g_assert_cmpstr (hl_value_string (hl_value_member (value, "of")), ==, "valve");
      g_assert_cmpint (hl_value_length (hl_value_member (value, "rows")), ==, n);
      g_assert_cmpint (hl_value_length (hl_value_member (value, "columns")), ==, 2);
      g_assert_cmpint (hl_value_boolean (hl_value_member (value, "complete")), ==, n == 2);
      if (n == 2)
        g_assert_cmpstr (
            hl_value_string (hl_value_item (hl_value_item (hl_value_member (value, "rows"), 1), 1)), ==,
            "a\"b");
    }
}

/* A program in German writes numbers with a point all the same. */
static void test_locale (void) {
  char *folder = NULL;

  if (hl_comma_begin (&folder))
    test_forms ();
  else
    g_test_skip ("de_DE.UTF-8 cannot be made here (package locales)");
  setlocale (LC_ALL, "C");
  hl_language_end (folder);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answer-writer/forms", test_forms);
  g_test_add_func ("/answer-writer/numbers-are-its-own", test_own_numbers);
  g_test_add_func ("/answer-writer/pieces", test_pieces);
  g_test_add_func ("/answer-writer/rows", test_rows);
  g_test_add_func ("/answer-writer/locale", test_locale);
  return g_test_run ();
}
