/* SPDX-License-Identifier: MIT */
/* Columns that several results share, and finding them again and again. */
#include "core/base/hl-error.h"
#include "core/compile/hl-compile.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-run-results.h"
#include "tests/support/hl-allocations.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

/* An id that begins as another, one with a point, and one that comes twice. */
static const HlColumnInfo infos[] = {{"a.x", "ax", "m"},       {"ab.x", NULL, NULL},   {"a", NULL, "Pa"},
                                     {"a.linear", NULL, "Pa"}, {"a.x.y", NULL, "rad"}, {"a.x", "again", "m"}};

static void test_shared (void) {
  g_autoptr (HlColumns) columns = hl_columns_new (infos, G_N_ELEMENTS (infos));
  g_autoptr (HlResults) first = hl_results_new_of (columns);
  const double row[] = {1, 2, 3, 4, 5, 6};

  hl_results_append (first, 0.5, row);
  g_autoptr (HlResults) tail = hl_results_tail (first, 0);
  g_assert_true (hl_results_columns (first) == columns);
  g_assert_true (hl_results_columns (tail) == columns);
  g_assert_cmpint (hl_results_n_columns (tail), ==, 7);
  g_assert_cmpstr (hl_results_column (tail, 0)->id, ==, "t");
  g_assert_cmpstr (hl_results_column (tail, 2)->label, ==, "ab.x");
  g_assert_cmpstr (hl_results_column (tail, 2)->unit, ==, "1");
  g_assert_cmpint (hl_results_find_column (tail, "a.x"), ==, 1); /* the first of two */
  g_assert_cmpint (hl_results_find_column (tail, "b"), ==, -1);
  g_assert_cmpfloat (hl_results_get (tail, 5, 0), ==, 5);
}

#define PEN_ROWS 30000 /* seven blocks and a part */

typedef struct {
  HlResultsWriter *pen;
  GAsyncQueue *told; /* how many rows were announced, as pointers; never 0 */
} Writer;

static double number_of (int column, int row) {
  return column == 0 ? 0.25 * row : row * 10.0 + column;
}

/* Announces 1, 2, 3 ... rows at a time. */
static gpointer write_rows (gpointer data) {
  Writer *writer = data;
  double row[3];

  for (int k = 0, next = 0, every = 1; k < PEN_ROWS; k++) {
    for (int column = 0; column < 3; column++)
      row[column] = number_of (column, k);
    hl_results_pen_write (writer->pen, row);
    if (k == next || k == PEN_ROWS - 1) {
      g_async_queue_push (writer->told, GINT_TO_POINTER (hl_results_pen_count_new_rows (writer->pen)));
      next += ++every;
    }
  }
  return NULL;
}

/* Every row behind the first one that is still there. */
static void check_rows (const HlResults *results, int first) {
  int n_rows = hl_results_n_rows (results);

  for (int column = 0; column < 3; column++)
    for (int row = 0, n; row < n_rows; row += n) {
      const double *values = hl_results_span (results, column, row, &n);
      g_assert_cmpint (n, >, 0);
      for (int k = 0; k < n; k++)
        g_assert_cmpfloat (values[k], ==, number_of (column, first + row + k));
    }
}

/* One thread writes and another one reads what was announced; results that would grow too long give
 * their first half away in between, and what comes goes on behind the other half. */
static void test_pen (void) {
  g_autoptr (HlColumns) columns = hl_columns_new (infos, 2);
  HlResults *results = hl_results_new_of (columns);
  g_autoptr (GAsyncQueue) told = g_async_queue_new ();
  Writer writer = {.pen = hl_results_pen_new (results), .told = told};
  int first = 0, n_tails = 0;

  g_assert_cmpint (hl_results_n_rows (results), ==, 0);
  GThread *thread = g_thread_new ("pen", write_rows, &writer);
  while (first + hl_results_n_rows (results) < PEN_ROWS) {
    hl_results_show (results, GPOINTER_TO_INT (g_async_queue_pop (told)));
    int n = hl_results_n_rows (results);
    g_assert_cmpfloat (hl_results_get (results, 2, n - 1), ==, number_of (2, first + n - 1));
    if (n > 10000) {
      HlResults *tail = hl_results_tail (results, n / 2);
      check_rows (results, first);
      first += n / 2;
      hl_results_unref (results);
      results = tail;
      n_tails++;
      g_assert_cmpint (hl_results_bytes (results), <=, 3 * HL_RESULTS_BLOCK * 3 * (int)sizeof (double));
    }
    check_rows (results, first);
  }
  g_thread_join (thread);
  g_assert_cmpint (first + hl_results_n_rows (results), ==, PEN_ROWS);
  g_assert_cmpint (n_tails, >=, 3);
  hl_results_pen_free (writer.pen);
  hl_results_unref (results);
}

/* A tail may begin anywhere, behind the last row as well, and grows. */
static void test_tail (void) {
  const int lengths[] = {0, 1, HL_RESULTS_BLOCK - 1, HL_RESULTS_BLOCK, HL_RESULTS_BLOCK + 1, 9000};

  for (guint k = 0; k < G_N_ELEMENTS (lengths); k++)
    for (guint m = 0; m < G_N_ELEMENTS (lengths); m++) {
      g_autoptr (HlResults) results = hl_results_new (infos, 2);
      for (int row = 0; row < lengths[k]; row++)
        hl_results_append (results, number_of (0, row), (double[]){number_of (1, row), number_of (2, row)});
      g_autoptr (HlResults) tail = hl_results_tail (results, lengths[m]);
      int first = MIN (lengths[k], lengths[m]);
      g_assert_cmpint (hl_results_n_rows (tail), ==, lengths[k] - first);
      for (int row = lengths[k]; row < 10000; row++)
        hl_results_append (tail, number_of (0, row), (double[]){number_of (1, row), number_of (2, row)});
      g_assert_cmpint (hl_results_n_rows (tail), ==, 10000 - first);
      check_rows (tail, first);
      check_rows (results, 0);
      g_assert_cmpint (hl_results_row_at (tail, number_of (0, 9999)), ==, 9999 - first);
    }
}

typedef struct {
  const char *id, *name;
  int column;
} Question;

static const Question questions[] = {{"a", "x", 1},   {"ab", "x", 2}, {"a", NULL, 3},   {"a", "linear", 4},
                                     {"a.x", "y", 5}, {"a", "y", -1}, {"ab", NULL, -1}, {"", "x", -1}};

static void ask (HlColumnCursor *cursor, const HlResults *results, guint from, guint step) {
  hl_column_cursor_begin (cursor);
  for (guint k = 0; k < G_N_ELEMENTS (questions); k++) {
    const Question *one = &questions[(from + k * step) % G_N_ELEMENTS (questions)];
    g_assert_cmpint (hl_column_cursor_find (cursor, results, one->id, one->name), ==, one->column);
  }
}

/* The same questions in the same order: a column that is looked up takes memory for its path, one
 * that is known takes none. */
static void assert_asks_for_memory (HlColumnCursor *cursor, const HlResults *results, guint from, bool asks) {
  hl_allocations_take ();
  hl_allocations_watch (true);
  ask (cursor, results, from, 1);
  hl_allocations_watch (false);
  int n = hl_allocations_take ();
  if (hl_allocations_can_count ())
    g_assert_cmpint (n > 0, ==, asks);
}

/* Whatever the order, the answers are right; of one order they are looked up once. */
static void test_cursor (void) {
  g_autoptr (HlResults) results = hl_results_new (infos, G_N_ELEMENTS (infos));
  g_autoptr (HlColumnCursor) cursor = hl_column_cursor_new ();

  assert_asks_for_memory (cursor, results, 0, true);
  for (int round = 0; round < 5; round++)
    assert_asks_for_memory (cursor, results, 0, false);
  assert_asks_for_memory (cursor, results, 1, true);
  assert_asks_for_memory (cursor, results, 1, false);
  ask (cursor, results, 1, 3);
  ask (cursor, results, 0, 5);
  g_assert_cmpint (hl_column_cursor_find (cursor, NULL, "a", "x"), ==, -1);
  /* more questions than before, and fewer */
  hl_column_cursor_begin (cursor);
  g_assert_cmpint (hl_column_cursor_find (cursor, results, "a", "x"), ==, 1);
  hl_column_cursor_begin (cursor);
  g_assert_cmpint (hl_column_cursor_find (cursor, results, "a", "x"), ==, 1);
  g_assert_cmpint (hl_column_cursor_find (cursor, results, "ab", "x"), ==, 2);
}

/* The next run of the same recording shares the columns; other results are distinguished, even where one takes the
 * place of another in memory. */
static void test_cursor_results (void) {
  static const HlColumnInfo other[] = {{"ab.x", NULL, NULL}, {"a.x", NULL, NULL}};
  g_autoptr (HlColumns) columns = hl_columns_new (infos, G_N_ELEMENTS (infos));
  g_autoptr (HlColumnCursor) cursor = hl_column_cursor_new ();

  for (int run = 0; run < 4; run++) {
    g_autoptr (HlResults) results = hl_results_new_of (columns);
    assert_asks_for_memory (cursor, results, 0, run == 0);
  }
  for (int run = 0; run < 20; run++) {
    g_autoptr (HlResults) results =
        run % 2 == 0 ? hl_results_new (other, 2) : hl_results_new (infos, G_N_ELEMENTS (infos));
    hl_column_cursor_begin (cursor);
    g_assert_cmpint (hl_column_cursor_find (cursor, results, "a", "x"), ==, run % 2 == 0 ? 2 : 1);
    g_assert_cmpint (hl_column_cursor_find (cursor, results, "ab", "x"), ==, run % 2 == 0 ? 1 : 2);
  }
}

/* Numbers of a recording: the same object as long as none changed, the same columns for ever. */
static void test_numbers (void) {
  g_autoptr (HlDocument) plain = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GError) error = NULL;
  g_autofree char *id = NULL;
  g_autoptr (HlDocument) document = hl_edit_plot_path (plain, "cyl.friction.scale", &id, &error);
  g_assert_no_error (error);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *system = hl_compile (document, findings);
  /* a number of the model is a column like any other: worth a remark, not a warning */
  g_assert_cmpint (hl_findings_n (findings), ==, 1);
  g_assert_cmpint (hl_findings_count (findings, HL_SEVERITY_INFO), ==, 1);
  g_autoptr (HlRecording) recording = hl_recording_new (document, system, HL_RECORD_ALL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlDocument) other = hl_document_with_number (document, "cyl.c1", 0.01, &error);
  g_autoptr (HlDocument) moved = hl_document_with_number (document, "cyl.friction.scale", 0.25, &error);
  g_assert_no_error (error);
  g_autoptr (HlRecording) same = hl_recording_of_numbers (recording, other);
  g_autoptr (HlRecording) changed = hl_recording_of_numbers (recording, moved);
  g_assert_true (same == recording);
  g_assert_true (changed != recording);
  g_autoptr (HlResults) results = hl_recording_new_results (recording);
  g_autoptr (HlResults) changed_results = hl_recording_new_results (changed);
  HlColumns *columns = hl_results_columns (results);
  g_assert_true (hl_results_columns (changed_results) == columns);
  g_assert_null (hl_recording_new (document, system, HL_RECORD_PROBES,
                                   (const char *const[]){"cyl.nonsense", NULL}, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);

  int n, n_linear;
  hl_recording_outputs (changed, &n, &n_linear);
  g_assert_cmpint (n_linear, <, n);
  g_autofree double *values = g_new0 (double, 2 * n);
  g_autofree double *row = g_new0 (double, hl_recording_n_columns (changed) + 1);
  g_autofree char *linear = g_strconcat (id, ".linear", NULL);
  int column = hl_columns_find (columns, id) - 1;
  g_assert_cmpint (column, >=, 0);
  hl_recorder_make_row (changed, values, values, TRUE, row);
  g_assert_cmpfloat (row[column], ==, 0.25);
  g_assert_true (isnan (row[hl_columns_find (columns, linear) - 1]));
  hl_recorder_make_row (recording, values, values, FALSE, row);
  g_assert_cmpfloat (row[column], ==, 1);
  hl_system_unref (system);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-columns/shared", test_shared);
  g_test_add_func ("/result-columns/written-in-another-thread", test_pen);
  g_test_add_func ("/result-columns/tail", test_tail);
  g_test_add_func ("/result-columns/cursor", test_cursor);
  g_test_add_func ("/result-columns/cursor-results", test_cursor_results);
  g_test_add_func ("/result-columns/numbers", test_numbers);
  return g_test_run ();
}
