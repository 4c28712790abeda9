/* SPDX-License-Identifier: MIT */
/* Data for other programs: MAT files read back by the library, CSV and JSON by this program's
 * readers, and all forms of the linear model against the golden matrices. */
#include "core/base/hl-error.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-linear-model-file.h"
#include "core/io/hl-mat-file.h"
#include "core/io/hl-results-file.h"
#include "core/io/hl-csv-table.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <glib/gstdio.h>
#include <math.h>
#include <matio.h>
#include <string.h>
#include <sys/wait.h>

static char *folder;

static char *place (const char *name) {
  return g_build_filename (folder, name, NULL);
}

/* --- MAT --- */

static matvar_t *read_variable (mat_t *file, const char *name, size_t rows, size_t columns) {
  matvar_t *variable = Mat_VarRead (file, name);

  g_assert_nonnull (variable);
  g_assert_cmpint (variable->rank, ==, 2);
  g_assert_cmpuint (variable->dims[0], ==, rows);
  g_assert_cmpuint (variable->dims[1], ==, columns);
  return variable;
}

static void check_matrix (mat_t *file, const char *name, const double expected[], size_t rows,
                          size_t columns) {
  matvar_t *variable = read_variable (file, name, rows, columns);
  const double *got = variable->data;

  for (size_t k = 0; k < rows * columns; k++)
    if (isnan (expected[k]))
      g_assert_true (isnan (got[k]));
    else
      g_assert_cmpfloat (got[k], ==, expected[k]);
  Mat_VarFree (variable);
}

static char *text_of (const matvar_t *variable) {
  if (variable->dims[0] == 0)
    return g_strdup ("");
  g_assert_cmpint (variable->data_type, ==, MAT_T_UTF16);
  return g_utf16_to_utf8 (variable->data, (glong)variable->dims[1], NULL, NULL, NULL);
}

static void check_cell (mat_t *file, const char *name, int cell, int n, const char *expected) {
  matvar_t *variable = read_variable (file, name, (size_t)n, 1);
  g_autofree char *text = text_of (Mat_VarGetCell (variable, cell));

  g_assert_cmpstr (text, ==, expected);
  Mat_VarFree (variable);
}

static void results_as_mat (void) {
  const HlColumnInfo info[] = {{"phi2", "φ₂", "rad"}, {"V1.pressure", NULL, "Pa"}};
  g_autoptr (HlResults) results = hl_results_new (info, 2);
  g_autofree char *path = place ("run.mat");
  g_autoptr (GError) error = NULL;
  enum {
    N = 2 * HL_RESULTS_BLOCK + 17 /* several blocks */
  };
  static double t[N], y[2 * N];

  for (int row = 0; row < N; row++) {
    t[row] = 0.001 * row;
    y[row] = row == 5 ? NAN : hl_test_uniform (-1, 1);
    y[N + row] = hl_test_log_uniform (1e-12, 1e12);
    hl_results_append (results, t[row], (double[]){y[row], y[N + row]});
  }
  g_assert_true (hl_results_save (results, path, &error));
  g_assert_no_error (error);

  mat_t *file = Mat_Open (path, MAT_ACC_RDONLY);
  g_assert_nonnull (file);
  check_matrix (file, "t", t, N, 1);
  check_matrix (file, "y", y, N, 2);
  check_cell (file, "names", 1, 2, "V1.pressure");
  check_cell (file, "labels", 0, 2, "φ₂");
  check_cell (file, "labels", 1, 2, "V1.pressure");
  check_cell (file, "units", 1, 2, "Pa");
  Mat_Close (file);
  g_unlink (path);
}

static void empty_and_unwritable (void) {
  g_autoptr (HlResults) results = hl_results_new (NULL, 0);
  g_autofree char *path = place ("empty.mat");
  g_autofree char *nowhere = place ("no/such/folder.mat");
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_results_save (results, path, &error));
  g_assert_no_error (error);
  mat_t *file = Mat_Open (path, MAT_ACC_RDONLY);
  check_matrix (file, "t", NULL, 0, 1);
  check_matrix (file, "y", NULL, 0, 0);
  Mat_Close (file);
  g_unlink (path);
  g_assert_false (hl_results_save (results, nowhere, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, nowhere));
}

/* --- the linear model --- */

typedef struct {
  HlTestModel model;
  HlLinearSheet *sheet;
} Fixture;

static void set_up (Fixture *self, gconstpointer example) {
  HlFault fault = {0};

  self->model = hl_test_model_load (example);
  hl_test_model_start (&self->model, HL_START_FROM_MODEL);
  self->sheet =
      hl_linear_sheet_new (self->model.doc, self->model.sys, self->model.work, self->model.point, &fault);
  g_assert_nonnull (self->sheet);
}

static void tear_down (Fixture *self, gconstpointer data) {
  hl_linear_sheet_free (self->sheet);
  hl_test_model_clear (&self->model);
}

#define MATRICES "ABECDF"

static const double *matrix_of (const HlLinearModel *m, const char *name, int *rows, int *columns) {
  /* E stands behind the inputs' columns of B, F behind those of D */
  const double *const values[] = {m->A, m->B, m->B + m->n * m->n_signals,
                                  m->C, m->D, m->D + m->n_outputs * m->n_signals};
  const int widths[] = {m->n, m->n_signals, m->n_inputs - m->n_signals};
  int k = (int)(strchr (MATRICES, *name) - MATRICES);

  *rows = k < 3 ? m->n : m->n_outputs;
  *columns = widths[k % 3];
  return values[k];
}

/* Every entry of JSON and of CSV is the model's, to the bit. */
static void model_as_json (Fixture *self, gconstpointer data) {
  const HlLinearModel *m = self->sheet->model;
  g_autofree char *text = hl_linear_sheet_json (self->sheet);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlValue) root = hl_json_parse (text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  for (const char *name = MATRICES; *name != '\0'; name++) {
    char key[2] = {*name, '\0'};
    int rows, columns;
    const double *expected = matrix_of (m, name, &rows, &columns);
    const HlValue *matrix = hl_value_member (root, key);
    g_assert_cmpuint (hl_value_length (matrix), ==, (gsize)rows);
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) {
        double got = hl_value_number (hl_value_item (hl_value_item (matrix, (gsize)i), (gsize)j));
        double wanted = expected[j * rows + i];
        g_assert_true (isnan (wanted) ? isnan (got) : got == wanted);
      }
  }
  const HlValue *state = hl_value_item (hl_value_member (root, "states"), 0);
  g_assert_cmpstr (hl_value_string (hl_value_member (state, "name")), ==, self->sheet->states[0].name);
  g_assert_cmpuint (hl_value_length (hl_value_member (root, "inputs")), ==, (gsize)m->n_signals);
  g_assert_cmpuint (hl_value_length (hl_value_member (root, "disturbances")), ==,
                    (gsize)(m->n_inputs - m->n_signals));
  g_assert_cmpfloat (hl_value_number (hl_value_member (state, "at")), ==, m->x0[0]);
}

static void model_as_csv (Fixture *self, gconstpointer data) {
  const HlLinearModel *m = self->sheet->model;
  const HlTableFormat format = {',', '.'};
  g_autofree char *text = hl_linear_sheet_csv (self->sheet);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTable) table = hl_table_parse (text, strlen (text), format, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (table->n_columns, ==, 1 + m->n + m->n_inputs);
  g_assert_cmpint (table->n_rows, ==, 1 + m->n + m->n_outputs);
  g_assert_cmpstr (table->units[1], ==, self->sheet->states[0].unit);
  for (int column = 0; column < m->n; column++) {
    const double *got = hl_table_column (table, 1 + column);
    g_assert_cmpfloat (got[0], ==, m->x0[column]);
    for (int row = 0; row < m->n; row++)
      g_assert_cmpfloat (got[1 + row], ==, m->A[column * m->n + row]);
  }
}

static void model_as_mat (Fixture *self, gconstpointer data) {
  const HlLinearModel *m = self->sheet->model;
  g_autofree char *path = place ("model.mat");
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_linear_sheet_save (self->sheet, path, &error));
  g_assert_no_error (error);
  mat_t *file = Mat_Open (path, MAT_ACC_RDONLY);
  g_assert_nonnull (file);
  for (const char *name = MATRICES; *name != '\0'; name++) {
    char key[2] = {*name, '\0'};
    int rows, columns;
    const double *expected = matrix_of (m, name, &rows, &columns);
    check_matrix (file, key, expected, (size_t)rows, (size_t)columns);
  }
  check_matrix (file, "x0", m->x0, (size_t)m->n, 1);
  check_matrix (file, "u0", m->u0, (size_t)m->n_signals, 1);
  check_matrix (file, "d0", m->u0 + m->n_signals, (size_t)(m->n_inputs - m->n_signals), 1);
  check_matrix (file, "y0", m->y0, (size_t)m->n_outputs, 1);
  check_cell (file, "state_names", 0, m->n, self->sheet->states[0].name);
  check_cell (file, "output_units", 0, m->n_outputs, self->sheet->outputs[0].unit);
  Mat_Close (file);
  g_unlink (path);
}

/* Python itself runs the script; without numpy a stand-in that only keeps the lists. */
static const char stand_in[] = "import math, sys, types\n"
                               "try:\n"
                               "    import numpy\n"
                               "except ImportError:\n"
                               "    fake = types.ModuleType('numpy')\n"
                               "    fake.array = lambda rows, dtype: rows\n"
                               "    fake.zeros = lambda shape: [[0.0] * shape[1] for _ in range(shape[0])]\n"
                               "    sys.modules['numpy'] = fake\n"
                               "space = {'__name__': 'model'}\n"
                               "exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'), space)\n"
                               "for name in 'ABCD':\n"
                               "    for row in space[name]:\n"
                               "        print(name, *[repr(float(value)) for value in row])\n"
                               "print('states', *space['state_names'])\n"
                               "print('outputs', *space['output_names'])\n";

static void model_as_python (Fixture *self, gconstpointer data) {
  const HlLinearModel *m = self->sheet->model;
  g_autofree char *path = place ("model.py");
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;
  const char *const argv[] = {"python3", "-c", stand_in, path, NULL};
  int status;

  g_assert_true (hl_linear_sheet_save (self->sheet, path, &error));
  g_assert_no_error (error);
  if (!g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status, NULL)) {
    g_test_skip ("there is no python3");
    return;
  }
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (out, "\n", -1);
  for (int row = 0; row < m->n; row++) {
    g_auto (GStrv) words = g_strsplit (lines[row], " ", -1);
    g_assert_cmpstr (words[0], ==, "A");
    for (int column = 0; column < m->n; column++)
      g_assert_cmpfloat (g_ascii_strtod (words[1 + column], NULL), ==, m->A[column * m->n + row]);
  }
  g_assert_null (strstr (out, "nan"));
  g_unlink (path);
}

/* Checks the Octave script as far as that is possible without Octave. */
static void model_as_octave (Fixture *self, gconstpointer data) {
  g_autofree char *text = hl_linear_sheet_octave (self->sheet);
  const HlLinearModel *m = self->sheet->model;
  const char *open = strstr (text, "\nA = ["), *close = strstr (text, "];");
  int n_rows = 1;

  g_assert_nonnull (open);
  for (const char *c = open; c < close; c++)
    n_rows += *c == ';';
  g_assert_cmpint (n_rows, ==, m->n);
  g_assert_null (strstr (text, "NaN"));
  g_assert_null (strstr (text, "null"));
}

static void unknown_ending (Fixture *self, gconstpointer data) {
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_linear_sheet_save (self->sheet, "model.xyz", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, ".mat"));
}

int main (int argc, char **argv) {
  static const char *const examples[] = {"four-bar.hydrolink", "articulated-vehicle-tyre.hydrolink",
                                         "watt-six-bar.hydrolink", "excavator-arm.hydrolink"};
  static const struct {
    const char *name;
    void (*test) (Fixture *self, gconstpointer data);
  } tests[] = {{"json", model_as_json},     {"csv", model_as_csv},       {"mat", model_as_mat},
               {"python", model_as_python}, {"octave", model_as_octave}, {"unknown-ending", unknown_ending}};

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("hl-export-XXXXXX", NULL);
  g_test_add_func ("/data-export/results-as-mat", results_as_mat);
  g_test_add_func ("/data-export/empty-and-unwritable", empty_and_unwritable);
  for (gsize e = 0; e < G_N_ELEMENTS (examples); e++)
    for (gsize k = 0; k < G_N_ELEMENTS (tests); k++) {
      g_autofree char *path = g_strdup_printf ("/data-export/%s/%s", examples[e], tests[k].name);
      g_test_add (path, Fixture, examples[e], set_up, tests[k].test, tear_down);
    }
  int status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  return status;
}
