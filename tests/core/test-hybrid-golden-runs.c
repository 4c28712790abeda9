/* SPDX-License-Identifier: MIT */
/* The hybrid model from its file to the run: events and trajectories against the golden ones. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

typedef struct {
  HlTestModel *model;
  GArray *rows; /* width doubles a row, time first */
  int width;
  GArray *events; /* HlSimEvent */
  GArray *times;
} Record;

static bool keep_row (double t, const double values[], void *data) {
  Record *record = data;

  g_array_append_val (record->rows, t);
  g_array_append_vals (record->rows, values, (guint)record->width - 1);
  return true;
}

static void keep_event (const HlSimEvent *event, void *data) {
  Record *record = data;

  g_array_append_val (record->times, event->t);
  g_array_append_val (record->events, *event);
}

static Record run (HlTestModel *model, const char *const paths[], HlMethod method) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable outputs[16];
  Record record = {.model = model,
                   .rows = g_array_new (FALSE, FALSE, sizeof (double)),
                   .events = g_array_new (FALSE, FALSE, sizeof (HlSimEvent)),
                   .times = g_array_new (FALSE, FALSE, sizeof (double))};
  HlFault fault = {0};
  int n = 0;

  for (; paths[n] != NULL; n++)
    g_assert_true (hl_observable_find (model->sys, paths[n], &outputs[n]));
  record.width = n + 1;
  options.rtol = 1e-10;
  options.method = method;
  options.outputs = outputs;
  options.n_outputs = n;
  options.row = keep_row;
  options.row_data = &record;
  options.event = keep_event;
  options.event_data = &record;
  HlStatus status = hl_simulate (model->sys, &options, NULL, &fault);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (model->sys, &fault);
    g_test_message ("%s", message);
  }
  g_assert_cmpint (status, ==, HL_OK);
  return record;
}

static void record_clear (Record *record) {
  g_array_unref (record->rows);
  g_array_unref (record->times);
  g_array_unref (record->events);
}

/* Returns whether an event occurred exactly at this time: only commands occur at output times. */
static gboolean is_command (const Record *record, double t) {
  for (guint k = 0; k < record->times->len; k++)
    if (fabs (g_array_index (record->times, double, k) - t) < 1e-9)
      return TRUE;
  return FALSE;
}

/* Largest difference of one column from a golden one at equal times. */
static double difference (const Record *record, int column, const HlTestTable *golden, const char *name) {
  int t_column = hl_test_table_column (golden, "t"), value = hl_test_table_column (golden, name), row = 0;
  double worst = 0.0;
  int met = 0;

  for (guint k = 0; k < record->rows->len / (guint)record->width; k++) {
    const double *mine = &g_array_index (record->rows, double, k *(guint)record->width);
    while (row < golden->n_rows && golden->values[row * golden->n_columns + t_column] < mine[0] - 1e-9)
      row++;
    /* two rows at one time: the later one is behind the jump */
    while (row + 1 < golden->n_rows &&
           golden->values[(row + 1) * golden->n_columns + t_column] <= mine[0] + 1e-9)
      row++;
    if (row >= golden->n_rows || fabs (golden->values[row * golden->n_columns + t_column] - mine[0]) > 1e-9)
      continue;
    if (is_command (record, mine[0]))
      continue; /* a valve shuts here: the golden row stands before the impact, ours behind it */
    met++;
    worst = fmax (worst, fabs (mine[1 + column] - golden->values[row * golden->n_columns + value]));
  }
  g_assert_cmpint (met, >, 50);
  return worst;
}

static void check (const char *file, const char *golden_file, const char *trajectory,
                   const char *const paths[], const char *const names[]) {
  HlTestTable *golden = hl_test_golden_csv (golden_file);
  json_t *json = hl_test_golden_json ("hybrid.json");
  static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};

  for (int m = 0; m < 2; m++) {
    HlTestModel model = hl_test_model_load (file);
    Record record = run (&model, paths, methods[m]);
    g_autofree char *key = g_strdup_printf ("trajectories.%s.events", trajectory);
    json_t *events = hl_test_json_at (json, key);
    guint at = 0;

    for (size_t k = 0; k < json_array_size (events); k++) {
      json_t *one = json_array_get (events, k);
      if (strcmp (json_string_value (json_object_get (one, "kind")), "event") != 0)
        continue;
      double t = json_number_value (json_object_get (one, "t"));
      while (at < record.times->len && g_array_index (record.times, double, at) < t - 1e-6)
        at++;
      g_assert_cmpuint (at, <, record.times->len);
      hl_assert_near (g_array_index (record.times, double, at), t, 0.0, 1e-6);
    }
    for (int k = 0; names[k] != NULL; k++) {
      double worst = difference (&record, k, golden, names[k]);
      g_test_message ("%s: %.1e", names[k], worst);
      hl_assert_near (worst, 0.0, 0.0, g_str_has_prefix (names[k], "pos") ? 1e-7 : 1e-6);
    }
    record_clear (&record);
    hl_test_model_clear (&model);
  }
  hl_test_table_free (golden);
  json_decref (json);
}

static void test_two_cylinders (void) {
  static const char *const paths[] = {"mass1.x", "mass2.x", "mass1.vx", "mass2.vx", NULL};
  static const char *const names[] = {"pos_x1", "pos_x2", "v_x1", "v_x2", NULL};

  check ("hybrid-two-cylinders.hydrolink", "hybrid_two_cylinders.csv", "two_cylinders", paths, names);
}

static void test_regeneration (void) {
  static const char *const paths[] = {"mass.x", "mass.vx", NULL};
  static const char *const names[] = {"pos_x", "v_x", NULL};

  check ("hybrid-regeneration.hydrolink", "hybrid_regen.csv", "regen", paths, names);
}

/* Lines inside a path: their pressure is carried on from the upstream end by the inertia and the
 * losses, so what falls off at the last element of the path, on the way to the other end, is a
 * check: the law of the orifice, or nothing flows. */
static void test_inside_pressures (void) {
  static const char *const paths[] = {
      "J0.pressure", "c.pressure",    "H1.pressure", "check1.flow",    "e.pressure",
      "H2.pressure", "orifice2.flow", "b.pressure",  "Tline.pressure", "dump.flow",
      "a.pressure",  "relief.flow",   NULL};
  HlTestModel model = hl_test_model_load ("hybrid-two-cylinders.hydrolink");
  Record record = run (&model, paths, HL_METHOD_BDF);
  int n_flowing = 0, n_shut = 0, n_relieved = 0;

  for (guint row = 0; row < record.rows->len / (guint)record.width; row++) {
    const double *v = &g_array_index (record.rows, double, row *(guint)record.width + 1);
    double time = v[-1];
    double opening = time < 0.2    ? 1.0
                     : time < 0.4  ? (0.4 - time) / 0.2
                     : time < 1.2  ? 0.0
                     : time < 1.3  ? (time - 1.2) / 0.1
                     : time < 1.32 ? 1.0
                                   : fmax (0.0, (1.45 - time) / 0.13);
    double scale = 1e-9 * fabs (v[0]) + 1e-3;
    double check = 850.0 / 2.0 / pow (0.6 * 5e-5, 2.0);
    double throttle = 850.0 / 2.0 / pow (0.6 * 4e-5, 2.0);
    double dump = 850.0 / 2.0 / pow (0.6 * 8e-5 * fmax (opening, 0.02), 2.0);
    double relief = 850.0 / 2.0 / pow (0.6 * 3e-5, 2.0);
    hl_assert_near (v[4] - v[5], throttle * v[6] * fabs (v[6]), 0.0, scale);
    if (v[3] > 0.0)
      hl_assert_near (v[1] - v[2], check * v[3] * v[3], 0.0, scale);
    else
      hl_assert_near (v[1], v[0], 0.0, scale);
    if (opening > 0.0 || fabs (v[0] - v[7]) > 1.0) /* open, or about to open */
      hl_assert_near (v[7] - v[8], dump * v[9] * fabs (v[9]), 0.0, scale);
    else
      hl_assert_near (v[7], v[0], 0.0, scale);
    if (v[11] > 0.0)
      hl_assert_near (v[10] - v[8], 12e6 + relief * v[11] * v[11], 0.0, scale);
    n_flowing += v[3] > 0.0;
    n_shut += opening <= 0.0;
    n_relieved += v[11] > 0.0;
  }
  g_test_message ("%d rows with the check open, %d with the dump shut, %d with the relief open", n_flowing,
                  n_shut, n_relieved);
  g_assert_cmpint (n_flowing, >, 20);
  g_assert_cmpint (n_shut, >, 20);
  g_assert_cmpint (n_relieved, >, 5);
  record_clear (&record);
  hl_test_model_clear (&model);
}

/* Kinetic energy of bodies and oil, and what is dissipated, follow what pumps and loads supply,
 * through modes and impacts; nothing dissipates less than nothing. */
static void test_energy (gconstpointer data) {
  static const char *const paths[] = {"energy.kinetic",    "energy.potential", "energy.oil",
                                      "energy.dissipated", "energy.supplied",  NULL};
  HlTestModel model = hl_test_model_load (data);
  Record record = run (&model, paths, HL_METHOD_BDF);
  const double *first = &g_array_index (record.rows, double, 1);
  double largest = 0.0, before = 0.0;

  for (guint k = 0; k < record.rows->len; k += (guint)record.width) {
    const double *row = &g_array_index (record.rows, double, k + 1);
    double stored = row[0] + row[1] + row[2] - first[0] - first[1] - first[2];
    largest = fmax (largest, fabs (row[4]) + row[3]);
    hl_assert_near (stored + row[3], row[4], 0.0, 1e-8 * largest + 1e-9);
    g_assert_cmpfloat (row[3], >=, before - 1e-9 * largest);
    before = row[3];
  }
  g_assert_cmpfloat (before, >, 10.0);
  record_clear (&record);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-golden-runs/two-cylinders/golden-events-and-positions", test_two_cylinders);
  g_test_add_func ("/hybrid-golden-runs/regeneration/golden-events-and-positions", test_regeneration);
  g_test_add_data_func ("/hybrid-golden-runs/two-cylinders/energy", "hybrid-two-cylinders.hydrolink",
                        test_energy);
  g_test_add_data_func ("/hybrid-golden-runs/regeneration/energy", "hybrid-regeneration.hydrolink",
                        test_energy);
  g_test_add_func ("/hybrid-golden-runs/pressures-inside-a-path", test_inside_pressures);
  return g_test_run ();
}
