/* SPDX-License-Identifier: MIT */
/* libhydrolink as another program sees it: this one reads hydrolink.h alone. */
#include "core/api/hydrolink.h"

#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

#define N_THREADS 8

static HydrolinkModel *open_example (const char *name) {
  g_autofree char *path = hl_test_example_path (name);
  char *error = NULL;
  HydrolinkModel *model = hydrolink_open (path, &error);

  g_assert_null (error);
  g_assert_nonnull (model);
  return model;
}

/* The error goes back to the library. */
static void assert_says (char *error, const char *part) {
  g_assert_nonnull (error);
  if (strstr (error, part) == NULL)
    g_error ("“%s” does not say “%s”", error, part);
  hydrolink_free (error);
}

/* Seed 000's eigenvalues at three frictions, each set on the compiled machine. */
static void test_golden_eigenvalues (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  json_t *cases = hl_test_json_at (golden, "cases");
  HydrolinkModel *model = open_example ("four-bar.hydrolink");

  for (size_t c = 0; c < json_array_size (cases); c++) {
    json_t *one = json_array_get (cases, c);
    json_t *nonzero = hl_test_json_at (one, "eigenvalues.nonzero");
    double re[6], im[6];
    int is_null[6], at = 0, n_null = 0;
    g_assert_true (
        hydrolink_set (model, "cyl.friction.scale", hl_test_json_number (one, "friction_scale"), NULL));
    HydrolinkLinear *linear = hydrolink_linearize (model, HYDROLINK_AT_EQUILIBRIUM, 0.0, NULL);
    g_assert_nonnull (linear);
    g_assert_cmpint (hydrolink_linear_n (linear, HYDROLINK_STATES), ==, 6);
    hydrolink_linear_eigenvalues (linear, re, im, is_null);
    for (int k = 0; k < 6; k++)
      n_null += is_null[k];
    g_assert_cmpint (n_null, ==, (int)hl_test_json_number (one, "eigenvalues.null.algebraic"));
    for (size_t k = 0; k < json_array_size (nonzero); k++, at++) {
      json_t *value = json_array_get (nonzero, k);
      double want_re = hl_test_json_number (value, "re"), want_im = hl_test_json_number (value, "im");
      while (is_null[at])
        at++;
      hl_assert_near (re[at], want_re, 0.0, 1e-11 * hypot (want_re, want_im));
      hl_assert_near (im[at], want_im, 0.0, 1e-11 * hypot (want_re, want_im));
    }
    hydrolink_linear_free (linear);
  }
  hydrolink_close (model);
  json_decref (golden);
}

/* Objects made from a model keep their numbers when the model changes. */
static void test_numbers (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  double before, after, value;

  HydrolinkState *state = hydrolink_state (model, HYDROLINK_AT_EQUILIBRIUM, 0.0, NULL);
  g_assert_true (hydrolink_state_get (state, "energy.potential", &before, NULL));
  g_assert_true (hydrolink_get (model, "link2.mass", &value, NULL));
  g_assert_cmpstr (hydrolink_unit (model, "link2.mass"), ==, "kg");
  g_assert_true (hydrolink_set (model, "link2.mass", 2.0 * value, NULL));
  g_assert_true (hydrolink_state_get (state, "energy.potential", &after, NULL));
  g_assert_cmpfloat (after, ==, before);
  HydrolinkState *heavier = hydrolink_state (model, HYDROLINK_AT_EQUILIBRIUM, 0.0, NULL);
  g_assert_true (hydrolink_state_get (heavier, "energy.potential", &after, NULL));
  g_assert_cmpfloat (after, !=, before);
  g_assert_true (hydrolink_set_text (model, "cyl.piston_diameter", "80 mm", NULL));
  g_assert_true (hydrolink_get (model, "cyl.piston_diameter", &value, NULL));
  hl_assert_near (value, 0.08, 1e-15, 0.0);
  hydrolink_close (model); /* in any order */
  g_assert_true (hydrolink_state_get (state, "link2.angle", &value, NULL));
  hydrolink_state_free (state);
  hydrolink_state_free (heavier);
}

/* A copy of numbers that were set one by one is what the same text read anew is. */
static void test_sets_as_the_file (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  double a[6], b[6], im[6];

  hydrolink_linear_free (hydrolink_linearize (model, HYDROLINK_AT_START, 0.0, NULL));
  g_assert_true (hydrolink_set (model, "link2.mass", 150.0, NULL));
  g_assert_true (hydrolink_set (model, "fluid.bulk_modulus", 1.1e9, NULL));
  g_assert_true (hydrolink_set (model, "cyl.piston_diameter", 0.07, NULL));
  char *text = hydrolink_to_text (model);
  HydrolinkModel *anew = hydrolink_parse (text, NULL);
  HydrolinkLinear *of_set = hydrolink_linearize (model, HYDROLINK_AT_START, 0.0, NULL);
  HydrolinkLinear *of_text = hydrolink_linearize (anew, HYDROLINK_AT_START, 0.0, NULL);
  hydrolink_linear_eigenvalues (of_set, a, im, NULL);
  hydrolink_linear_eigenvalues (of_text, b, im, NULL);
  for (int k = 0; k < 6; k++)
    g_assert_cmpfloat (a[k], ==, b[k]);
  hydrolink_linear_free (of_set);
  hydrolink_linear_free (of_text);
  hydrolink_close (model);
  hydrolink_close (anew);
  hydrolink_free (text);
}

static void test_errors (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  char *error = NULL;
  double value;

  g_assert_null (hydrolink_open ("no-such-file.hydrolink", &error));
  assert_says (error, "no-such-file");
  g_assert_null (hydrolink_parse ("{", &error));
  assert_says (error, "text");
  g_assert_false (hydrolink_get (model, "cyl.friction.F", &value, &error));
  assert_says (error, "cyl.friction.F");
  g_assert_false (hydrolink_set (model, "link2.mass", -1.0, &error));
  assert_says (error, "link2");
  g_assert_false (hydrolink_set (model, "link2.mass", NAN, &error));
  assert_says (error, "link2");
  g_assert_false (hydrolink_apply_set (model, "no such set", &error));
  assert_says (error, "no such set");
  g_assert_null (hydrolink_state (model, HYDROLINK_AT_TIME, NAN, &error));
  assert_says (error, "not negative");
  g_assert_null (hydrolink_simulate (model, &(HydrolinkRunOptions){.oil = "olive"}, &error));
  assert_says (error, "olive");
  g_assert_null (hydrolink_simulate (model, &(HydrolinkRunOptions){.every = 1e-12}, &error));
  assert_says (error, "rows");
  g_assert_null (hydrolink_state (model, HYDROLINK_AT_TIME, INFINITY, &error));
  assert_says (error, "must be finite");
  g_assert_null (hydrolink_linearize (model, HYDROLINK_AT_TIME, INFINITY, &error));
  assert_says (error, "must be finite");
  for (int k = 0; k < 3; k++) { /* as the file, and the command line, may not */
    static const double beyond[] = {1e-15, 0.2, 1e300};
    g_assert_null (hydrolink_simulate (model, &(HydrolinkRunOptions){.rtol = beyond[k]}, &error));
    assert_says (error, "rtol");
  }
  g_autofree char *path = hl_test_golden_path ("cushion-without-line.hydrolink");
  HydrolinkModel *lineless = hydrolink_open (path, NULL);
  g_assert_null (hydrolink_simulate (lineless, &(HydrolinkRunOptions){.oil = "hybrid"}, &error));
  assert_says (error, "no line");
  hydrolink_close (lineless);
  g_assert_null (hydrolink_path (model, -1));
  g_assert_null (hydrolink_path (model, hydrolink_n_paths (model)));
  g_assert_null (hydrolink_unit (model, "nothing"));
  hydrolink_close (model);
  hydrolink_close (NULL);
}

/* Computations report errors of the drawing, too. */
static void test_unsound_model (void) {
  HydrolinkModel *model = hydrolink_parse (
      "{\"format\": \"hydrolink\", \"version\": 1, \"bodies\": [{\"id\": \"bar\", \"mass\": 1}], "
      "\"joints\": [{\"id\": \"pin\", \"kind\": \"revolute\", \"a\": \"ground.O\", \"b\": "
      "\"bar.P\"}]}",
      NULL);
  int n_errors = 0;
  char *error = NULL;

  g_assert_nonnull (model);
  char *findings = hydrolink_check (model, &n_errors);
  g_assert_cmpint (n_errors, >, 0);
  assert_says (findings, "pin");
  g_assert_null (hydrolink_simulate (model, NULL, &error));
  g_assert_nonnull (error);
  hydrolink_free (error);
  hydrolink_close (model);
}

static int stop_at_half (const double *values, int n, void *data) {
  *(int *)data += n;
  return values[0] < 0.5;
}

/* Rows that go to a callback need no memory, and the callback may stop the run. */
static void test_streamed_rows (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  int n = 0;
  HydrolinkRunOptions options = {
      .t_end = 1.0, .every = 0.1, .row = stop_at_half, .data = &n, .is_streamed = 1};

  HydrolinkRun *run = hydrolink_simulate (model, &options, NULL);
  g_assert_null (hydrolink_run_error (run));
  g_assert_cmpint (hydrolink_run_n_rows (run), ==, 0);
  g_assert_cmpint (n, ==, 6 * hydrolink_run_n_columns (run)); /* 0, 0.1 ... 0.5 */
  g_assert_cmpstr (hydrolink_run_column_name (run, 0), ==, "t");
  hydrolink_run_free (run);
  hydrolink_close (model);
}

static int stop_model (const double *values, int n, void *model) {
  if (values[0] >= 0.3)
    hydrolink_stop (model);
  return 1;
}

/* Stopped from outside: rows up to then, and a word. What is begun later is whole. */
static void test_stopped (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  HydrolinkRunOptions options = {.t_end = 1.0, .every = 0.1, .row = stop_model, .data = model};

  hydrolink_stop (model); /* nothing goes on: nothing is stopped */
  HydrolinkRun *run = hydrolink_simulate (model, &options, NULL);
  int n = hydrolink_run_n_rows (run);
  g_assert_cmpint (n, >=, 4);
  g_assert_cmpint (n, <, 11);
  g_assert_nonnull (strstr (hydrolink_run_error (run), "stopped at t = "));
  hydrolink_run_free (run);
  options.row = NULL;
  run = hydrolink_simulate (model, &options, NULL);
  g_assert_null (hydrolink_run_error (run));
  g_assert_cmpint (hydrolink_run_n_rows (run), ==, 11);
  hydrolink_run_free (run);
  hydrolink_close (model);
}

/* A row callback that stops the run and then requests a state of the same model has stopped the run. */
static int stop_and_ask (const double *values, int n, void *model) {
  if (values[0] >= 0.3) {
    hydrolink_stop (model);
    hydrolink_state_free (hydrolink_state (model, HYDROLINK_AT_GIVEN, 0.0, NULL));
  }
  return 1;
}

static void test_stop_is_not_erased (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  HydrolinkRunOptions options = {.t_end = 1.0, .every = 0.1, .row = stop_and_ask, .data = model};

  HydrolinkRun *run = hydrolink_simulate (model, &options, NULL);
  g_assert_cmpint (hydrolink_run_n_rows (run), <, 11);
  g_assert_nonnull (strstr (hydrolink_run_error (run), "stopped at t = "));
  hydrolink_run_free (run);
  hydrolink_close (model);
}

/* A prepared run has its columns; made, it is what one call makes; it is made once. */
static void test_run_in_steps (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  const char *const options[] = {"t_end", "200 ms", "every", "0.1", NULL};
  const char *const wrong[] = {"t_end", "4 bar", NULL}, *const unknown[] = {"hurry", "1", NULL},
                    *const odd[] = {"every", "0.1", "t_end", NULL};
  char *error = NULL;

  HydrolinkRun *whole = hydrolink_simulate (model, &(HydrolinkRunOptions){.t_end = 0.2, .every = 0.1}, NULL);
  HydrolinkRun *run = hydrolink_run_new (model, options, NULL);
  g_assert_cmpint (hydrolink_run_n_rows (run), ==, 0);
  g_assert_cmpint (hydrolink_run_n_columns (run), ==, hydrolink_run_n_columns (whole));
  g_assert_true (hydrolink_run_go (run, NULL));
  g_assert_cmpint (hydrolink_run_n_rows (run), ==, 3);
  for (int column = 0; column < hydrolink_run_n_columns (run); column++)
    g_assert_cmpmem (hydrolink_run_column (run, column), 3 * sizeof (double),
                     hydrolink_run_column (whole, column), 3 * sizeof (double));
  g_assert_false (hydrolink_run_go (run, &error));
  assert_says (error, "another");
  g_assert_null (hydrolink_run_new (model, wrong, &error));
  assert_says (error, "t_end");
  g_assert_null (hydrolink_run_new (model, unknown, &error));
  assert_says (error, "hurry");
  g_assert_null (hydrolink_run_new (model, odd, &error));
  assert_says (error, "t_end");
  hydrolink_run_free (run);
  hydrolink_run_free (whole);
  hydrolink_close (model);
}

/* Swings for ever: a run of it has no end that anybody waits for. */
static const char pendulum[] =
    "{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81], 'ground': {'points': {'O': [0, "
    "0]}},"
    " 'bodies': [{'id': 'bob', 'mass': 1, 'inertia': 0.01, 'pose': [1, 0, 0], 'points': {'pin': "
    "[-1, 0]}}],"
    " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'bob.pin'}],"
    " 'simulation': {'start': 'as-given', 'max_steps': 1e15}}";

typedef struct {
  HydrolinkModel *model;
  int place; /* -1: a run */
  char *error;
  int is_done;
} Long;

static gpointer compute_long (gpointer data) {
  Long *work = data;
  HydrolinkRunOptions options = {.t_end = 1e6, .every = 1e3};

  if (work->place >= 0) {
    g_assert_null (hydrolink_state (work->model, HYDROLINK_AT_TIME, 1e6, &work->error));
  } else {
    HydrolinkRun *run = hydrolink_simulate (work->model, &options, NULL);
    work->error = g_strdup (hydrolink_run_error (run));
    hydrolink_run_free (run);
  }
  g_atomic_int_set (&work->is_done, TRUE);
  return NULL;
}

/* From another thread, a run that would take hours, and the way to a state. */
static void test_stopped_by_another_thread (void) {
  for (int place = -1; place <= 0; place++) {
    g_autofree char *text = g_strdelimit (g_strdup (pendulum), "'", '"');
    Long work = {.model = hydrolink_parse (text, NULL), .place = place};
    GThread *thread = g_thread_new ("long", compute_long, &work);
    g_usleep (G_USEC_PER_SEC / 5);
    /* it may not have begun */
    for (int k = 0; k < 600 && !g_atomic_int_get (&work.is_done); k++) {
      hydrolink_stop (work.model);
      g_usleep (G_USEC_PER_SEC / 20);
    }
    g_thread_join (thread);
    assert_says (work.error, "stopped");
    hydrolink_close (work.model);
  }
}

static gpointer run_copy (gpointer model) {
  HydrolinkRun *run = hydrolink_simulate (model, NULL, NULL);

  hydrolink_close (model);
  return run;
}

static void assert_same_rows (const HydrolinkRun *run, const HydrolinkRun *want) {
  gsize bytes = (gsize)hydrolink_run_n_rows (want) * sizeof (double);

  g_assert_cmpint (hydrolink_run_n_rows (run), ==, hydrolink_run_n_rows (want));
  for (int column = 0; column < hydrolink_run_n_columns (want); column++)
    g_assert_cmpmem (hydrolink_run_column (run, column), bytes, hydrolink_run_column (want, column), bytes);
}

/* Each thread with a copy and numbers of its own, all at once: the same rows as alone, to the bit. */
static void test_threads (void) {
  HydrolinkModel *model = open_example ("four-bar.hydrolink");
  HydrolinkRun *alone[N_THREADS];
  GThread *threads[N_THREADS];

  g_assert_true (hydrolink_set_text (model, "simulation.t_end", "1 s", NULL));
  for (int i = 0; i < N_THREADS; i++) {
    g_assert_true (hydrolink_set (model, "cyl.friction.scale", 1.0 / (1.0 + i), NULL));
    alone[i] = run_copy (hydrolink_copy (model));
  }
  for (int i = 0; i < N_THREADS; i++) {
    g_assert_true (hydrolink_set (model, "cyl.friction.scale", 1.0 / (1.0 + i), NULL));
    threads[i] = g_thread_new ("run", run_copy, hydrolink_copy (model));
  }
  hydrolink_close (model);
  for (int i = 0; i < N_THREADS; i++) {
    HydrolinkRun *run = g_thread_join (threads[i]);
    assert_same_rows (run, alone[i]);
    if (i > 0)
      g_assert_cmpint (memcmp (hydrolink_run_column (run, 1), hydrolink_run_column (alone[0], 1),
                               (gsize)hydrolink_run_n_rows (run) * sizeof (double)),
                       !=, 0);
    hydrolink_run_free (run);
  }
  for (int i = 0; i < N_THREADS; i++)
    hydrolink_run_free (alone[i]);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/public-library/golden-eigenvalues", test_golden_eigenvalues);
  g_test_add_func ("/public-library/what-was-made-keeps-its-numbers", test_numbers);
  g_test_add_func ("/public-library/numbers-that-are-set-as-in-the-file", test_sets_as_the_file);
  g_test_add_func ("/public-library/errors-name-what-is-wrong", test_errors);
  g_test_add_func ("/public-library/an-unsound-model-says-so", test_unsound_model);
  g_test_add_func ("/public-library/rows-given-away", test_streamed_rows);
  g_test_add_func ("/public-library/threads-with-copies", test_threads);
  g_test_add_func ("/public-library/a-stop-is-not-erased", test_stop_is_not_erased);
  g_test_add_func ("/public-library/a-run-in-steps", test_run_in_steps);
  g_test_add_func ("/public-library/stopped", test_stopped);
  g_test_add_func ("/public-library/stopped-by-another-thread", test_stopped_by_another_thread);
  return g_test_run ();
}
