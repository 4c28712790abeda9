/* SPDX-License-Identifier: MIT */
/* Runs of the four-bar against the golden responses; energy; cancel; restarts; the stabilized
 * formulation. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MOST_OUTPUTS 16

typedef struct {
  int n_outputs, n_rows, capacity;
  double *t, *values; /* rows of 2 n_outputs when linear, else n_outputs */
  int width;
  int stop_after; /* rows; 0 = never */
} Rows;

static bool keep_row (double t, const double values[], void *data) {
  Rows *rows = data;

  if (rows->n_rows == rows->capacity) {
    rows->capacity = rows->capacity > 0 ? 2 * rows->capacity : 256;
    rows->t = g_renew (double, rows->t, rows->capacity);
    rows->values = g_renew (double, rows->values, rows->capacity * rows->width);
  }
  rows->t[rows->n_rows] = t;
  memcpy (rows->values + rows->n_rows * rows->width, values, (size_t)rows->width * sizeof (double));
  rows->n_rows++;
  return rows->stop_after == 0 || rows->n_rows < rows->stop_after;
}

static void rows_clear (Rows *rows) {
  g_free (rows->t);
  g_free (rows->values);
}

/* Runs the model with the options and the outputs by path. */
static HlStatus run (HlTestModel *model, HlSimOptions options, const char *const paths[], Rows *rows,
                     HlSimStats *stats) {
  HlObservable outputs[MOST_OUTPUTS];
  HlFault fault = {0};
  int n = 0;

  for (; paths[n] != NULL; n++)
    g_assert_true (hl_observable_find (model->sys, paths[n], &outputs[n]));
  options.outputs = outputs;
  options.n_outputs = n;
  options.row = keep_row;
  options.row_data = rows;
  rows->n_outputs = n;
  rows->width = options.linear ? 2 * n : n;
  HlStatus status = hl_simulate (model->sys, &options, stats, &fault);
  if (status != HL_OK && status != HL_CANCELLED) {
    g_autofree char *message = hl_fault_message (model->sys, &fault);
    g_test_message ("%s", message);
  }
  return status;
}

static const struct {
  double scale;
  const char *file;
} responses[] = {
    {1.0, "response_scale_1.csv"}, {0.1, "response_scale_0p1.csv"}, {0.01, "response_scale_0p01.csv"}};

/* Largest deviation of one output from a golden column, over the column's peak deviation from its
 * first value. */
static double deviation (const Rows *rows, int column, const HlTestTable *golden, const char *name,
                         bool relative) {
  int golden_column = hl_test_table_column (golden, name);
  double first = NAN, worst = 0.0, peak = 0.0;

  for (int row = 0; row < golden->n_rows; row++) {
    double want = golden->values[row * golden->n_columns + golden_column];
    double got =
        rows->values[row * rows->width + column] - (relative ? rows->values[column % rows->n_outputs] : 0.0);
    if (isnan (want))
      continue;
    if (isnan (first))
      first = relative ? 0.0 : rows->values[column % rows->n_outputs];
    peak = fmax (peak, fabs (want - first));
    worst = fmax (worst, isnan (got) ? INFINITY : fabs (got - want));
  }
  return worst / peak;
}

static void compare_with_golden (HlMethod method) {
  static const char *const paths[] = {"link2.angle", "V1.pressure", "V2.pressure", "V3.pressure", NULL};

  for (gsize k = 0; k < G_N_ELEMENTS (responses); k++) {
    HlTestTable *golden = hl_test_golden_csv (responses[k].file);
    HlTestModel model =
        hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", responses[k].scale, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Rows rows = {0};
    HlSimStats stats;

    options.every = 0.01;
    options.rtol = 1e-9;
    options.method = method;
    options.linear = true;
    g_assert_cmpint (run (&model, options, paths, &rows, &stats), ==, HL_OK);
    g_assert_cmpint (rows.n_rows, ==, golden->n_rows);
    double errors[] = {
        deviation (&rows, 0, golden, "phi2_minus_phi20_rad", true),
        deviation (&rows, 1, golden, "p1", false),
        deviation (&rows, 2, golden, "p2", false),
        deviation (&rows, 3, golden, "p3", false),
        deviation (&rows, 4, golden, "phi2_lin", true),
        deviation (&rows, 5, golden, "p1_lin", false),
        deviation (&rows, 6, golden, "p2_lin", false),
        deviation (&rows, 7, golden, "p3_lin", false),
    };
    g_test_message ("scale %g: %ld steps, %ld rhs, %ld J, %.1f ms; errors %.1e %.1e %.1e %.1e, "
                    "linear %.1e %.1e %.1e %.1e",
                    responses[k].scale, stats.steps, stats.rhs, stats.jacobians, 1e3 * stats.seconds,
                    errors[0], errors[1], errors[2], errors[3], errors[4], errors[5], errors[6], errors[7]);
    for (gsize e = 0; e < G_N_ELEMENTS (errors); e++)
      g_assert_cmpfloat (errors[e], <, 1e-6 * hl_test_tolerance_scale ());
    rows_clear (&rows);
    hl_test_table_free (golden);
    hl_test_model_clear (&model);
  }
}

static void test_golden_bdf (void) {
  compare_with_golden (HL_METHOD_BDF);
}

static void test_golden_radau (void) {
  compare_with_golden (HL_METHOD_RADAU);
}

/* Every stride-th row. */
static Rows thinned (const Rows *rows, int stride) {
  Rows thin = {.n_outputs = rows->n_outputs, .width = rows->width};

  for (int row = 0; row < rows->n_rows; row += stride)
    keep_row (rows->t[row], rows->values + row * rows->width, &thin);
  return thin;
}

/* As a drag requests runs: rows of a millisecond, most of them on cubics between a few. They are still the golden
 * response, the linear one included, and stand at the same times. */
static void test_interpolated_rows (void) {
  static const char *const paths[] = {"link2.angle", "V1.pressure", "V2.pressure", "V3.pressure", NULL};

  for (gsize k = 0; k < G_N_ELEMENTS (responses); k++) {
    HlTestTable *golden = hl_test_golden_csv (responses[k].file);
    HlTestModel model =
        hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", responses[k].scale, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Rows every_one = {0}, rows = {0};

    options.every = 0.001;
    options.rtol = 1e-7;
    options.method = HL_METHOD_RADAU;
    options.linear = true;
    g_assert_cmpint (run (&model, options, paths, &every_one, NULL), ==, HL_OK);
    options.interpolated = true;
    g_assert_cmpint (run (&model, options, paths, &rows, NULL), ==, HL_OK);
    g_assert_cmpint (rows.n_rows, ==, every_one.n_rows);
    int n_other = 0;
    for (int row = 0; row < rows.n_rows; row++) {
      g_assert_cmpfloat (rows.t[row], ==, every_one.t[row]);
      n_other += rows.values[row * rows.width] != every_one.values[row * rows.width];
    }
    g_assert_cmpint (n_other, >, 100); /* or nothing was tried here */
    Rows thin = thinned (&rows, 10);
    double errors[] = {
        deviation (&thin, 0, golden, "phi2_minus_phi20_rad", true),
        deviation (&thin, 1, golden, "p1", false),
        deviation (&thin, 2, golden, "p2", false),
        deviation (&thin, 3, golden, "p3", false),
        deviation (&thin, 4, golden, "phi2_lin", true),
        deviation (&thin, 5, golden, "p1_lin", false),
    };
    g_test_message ("scale %g: %d of %d rows interpolated; errors %.1e %.1e %.1e %.1e, linear %.1e "
                    "%.1e",
                    responses[k].scale, n_other, rows.n_rows, errors[0], errors[1], errors[2], errors[3],
                    errors[4], errors[5]);
    for (gsize e = 0; e < G_N_ELEMENTS (errors); e++)
      g_assert_cmpfloat (errors[e], <, 1e-6 * hl_test_tolerance_scale ());
    rows_clear (&thin);
    rows_clear (&rows);
    rows_clear (&every_one);
    hl_test_table_free (golden);
    hl_test_model_clear (&model);
  }
}

static void test_stabilized (void) {
  static const char *const paths[] = {"link2.angle", "V2.pressure", "link4.angle", NULL};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Rows reduced = {0}, stabilized = {0};

  options.every = 0.01;
  options.rtol = 1e-8;
  options.method = HL_METHOD_RADAU;
  g_assert_cmpint (run (&model, options, paths, &reduced, NULL), ==, HL_OK);
  options.formulation = HL_FORMULATION_BAUMGARTE;
  g_assert_cmpint (run (&model, options, paths, &stabilized, NULL), ==, HL_OK);
  for (int row = 0; row < reduced.n_rows; row++) {
    /* peak motion 5e-5 rad and 4e4 Pa */
    hl_assert_near (stabilized.values[3 * row], reduced.values[3 * row], 0.0, 1e-6 * 5e-5);
    hl_assert_near (stabilized.values[3 * row + 1], reduced.values[3 * row + 1], 0.0, 1e-6 * 4e4);
    hl_assert_near (stabilized.values[3 * row + 2], reduced.values[3 * row + 2], 0.0, 1e-6 * 5e-5);
  }
  rows_clear (&reduced);
  rows_clear (&stabilized);
  hl_test_model_clear (&model);
}

/* The throttle stays laminar: what lies between p1 and p2 is largest just after the torque has
 * ended, and far below dp_lim (theory/hydraulics.md (10)). */
static void test_laminar_throughout (void) {
  static const char *const paths[] = {"V1.pressure", "V2.pressure", NULL};
  static const char *const scales[] = {"1", "0.1", "0.01"};
  json_t *golden = hl_test_golden_json ("response_summary.json");

  for (int k = 0; k < 3; k++) {
    HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale",
                                                 g_ascii_strtod (scales[k], NULL), NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Rows rows = {0};
    double largest = 0.0;

    options.t_end = 1.6;
    options.every = 2e-5;
    options.rtol = 1e-9;
    options.method = HL_METHOD_RADAU;
    g_assert_cmpint (run (&model, options, paths, &rows, NULL), ==, HL_OK);
    for (int row = 0; row < rows.n_rows; row++)
      largest = fmax (largest, fabs (rows.values[2 * row] - rows.values[2 * row + 1]));
    double want =
        json_number_value (json_object_get (json_object_get (golden, scales[k]), "max_abs_p1_minus_p2"));
    g_test_message ("%.2f Pa, golden %.2f Pa", largest, want);
    /* the golden one is the largest at steps of its integrator: a little lower */
    g_assert_cmpfloat (largest, >, want * (1.0 - 1e-6));
    g_assert_cmpfloat (largest, <, want * (1.0 + 5e-3));
    g_assert_cmpfloat (largest, <, 0.02 * 2e5);
    rows_clear (&rows);
    hl_test_model_clear (&model);
  }
  json_decref (golden);
}

/* From t = 0 the linear model sees the torque itself. For a pulse of a thousandth part the two
 * responses must agree to a thousandth part of their difference at full torque, which is quadratic.
 */
static void test_linear_with_input (void) {
  static const char *const paths[] = {"link2.angle", NULL};
  double difference[2];

  for (int k = 0; k < 2; k++) {
    double factor = k == 0 ? 1.0 : 1e-3, peak = 0.0, worst = 0.0;
    HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "M2.signal.y.1", 250.0 * factor,
                                                 "M2.signal.y.2", 250.0 * factor, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Rows rows = {0};

    options.every = 0.01;
    options.rtol = k == 0 ? 1e-9 : 1e-12;
    options.method = HL_METHOD_RADAU;
    options.linear = true;
    options.linear_from = 0.0;
    g_assert_cmpint (run (&model, options, paths, &rows, NULL), ==, HL_OK);
    for (int row = 0; row < rows.n_rows; row++) {
      const double *both = rows.values + row * rows.width;
      peak = fmax (peak, fabs (both[0] - rows.values[0]));
      worst = fmax (worst, fabs (both[0] - both[1]));
    }
    difference[k] = worst / peak;
    rows_clear (&rows);
    hl_test_model_clear (&model);
  }
  g_test_message ("difference over peak %.2e at full torque, %.2e at a thousandth", difference[0],
                  difference[1]);
  g_assert_cmpfloat (difference[0], <, 0.1);
  g_assert_cmpfloat (difference[1], <, 3e-3 * difference[0]);
}

static const char *const energy_paths[] = {"energy.kinetic",    "energy.potential", "energy.oil",
                                           "energy.dissipated", "energy.supplied",  NULL};

/* kinetic + potential + oil = supplied - dissipated + start, over the largest of the energies that
 * moved. */
static double energy_error (const Rows *rows) {
  const double *first = rows->values;
  double worst = 0.0, size = 0.0;

  for (int row = 0; row < rows->n_rows; row++) {
    const double *e = rows->values + row * rows->width;
    double balance = (e[0] - first[0]) + (e[1] - first[1]) + e[2] + e[3] - e[4];
    worst = fmax (worst, fabs (balance));
    for (int k = 0; k < 5; k++)
      size = fmax (size, fabs (e[k] - first[k]));
  }
  return worst / size;
}

static void test_energy_kept (void) {
  /* no friction, no leakage, valves closed, the hose before the throttle as good as gone: nothing
   * dissipates but the throttle */
  HlTestModel model =
      hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.Fc", 0.0, "cyl.friction.Fs", 0.0,
                               "cyl.friction.sigma2", 0.0, "throttle.diameter", 1e-9, NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Rows rows = {0};

  options.every = 0.01;
  options.rtol = 1e-9;
  options.method = HL_METHOD_RADAU;
  g_assert_cmpint (run (&model, options, energy_paths, &rows, NULL), ==, HL_OK);
  const double *last = rows.values + (rows.n_rows - 1) * rows.width;
  double dissipated = last[3];
  g_test_message ("balance %.2e, dissipated %.2e J, supplied %.2e J", energy_error (&rows), dissipated,
                  last[4]);
  g_assert_cmpfloat (energy_error (&rows), <, 1e-6);
  g_assert_cmpfloat (fabs (dissipated), <, 1e-9 * fabs (last[4]) + 1e-12);
  rows_clear (&rows);
  hl_test_model_clear (&model);
}

static void test_energy_balance (void) {
  for (gsize k = 0; k < G_N_ELEMENTS (responses); k++) {
    HlTestModel model =
        hl_test_model_load_with ("four-bar.hydrolink", "cyl.friction.scale", responses[k].scale,
                                 "dcv.command", 0.3, "cyl.leakage", 1e-12, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Rows rows = {0};

    options.t_end = 0.5;
    options.every = 0.01;
    options.rtol = 1e-8;
    options.start = HL_START_AS_GIVEN;
    g_assert_cmpint (run (&model, options, energy_paths, &rows, NULL), ==, HL_OK);
    g_test_message ("balance %.2e", energy_error (&rows));
    g_assert_cmpfloat (energy_error (&rows), <, 1e-5);
    rows_clear (&rows);
    hl_test_model_clear (&model);
  }
}

/* A mass on a slide shuts oil into chamber A; B is open to the tank. With C0 the compliance at the
 * start, k the softness of the chamber and w = 1 + A k (l - l0)/C0:  p = p0 - ln (w)/k,  -int p A
 * ds = -A p0 (l - l0) + (C0/k^2) (w ln w - w + 1). */
static const char trapped[] =
    "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, 0], \"fluid\": "
    "{\"bulk_modulus\": 1.5e9},"
    "\"ground\": {\"points\": {\"base\": [0, 0], \"guide\": [1, 0]}},"
    "\"bodies\": [{\"id\": \"slide\", \"points\": {\"pin\": [0, 0]}, \"mass\": 300, \"inertia\": "
    "1, \"pose\": [1.5, 0, 0]}],"
    "\"joints\": [{\"id\": \"guide\", \"kind\": \"prismatic\", \"a\": \"ground.guide\", \"b\": "
    "\"slide.pin\", \"axis\": 0}],"
    "\"loads\": [{\"id\": \"push\", \"kind\": \"force\", \"point\": \"slide.pin\", \"direction\": "
    "[-1, 0], \"signal\": 60000}],"
    "\"components\": [{\"id\": \"tank\", \"kind\": \"tank\", \"pressure\": 0},"
    "{\"id\": \"cyl\", \"kind\": \"cylinder\", \"base\": \"ground.base\", \"rod\": \"slide.pin\", "
    "\"piston_area\": 0.002,"
    "\"rod_side_area\": 0.001, \"stroke\": 1, \"c1\": 1, \"c2\": 0, \"wall_modulus\": 3.15e10,"
    "\"friction\": {\"model\": \"none\"}}],"
    "\"lines\": [{\"id\": \"A\", \"ports\": [\"cyl.A\"], \"volume\": 1e-4, \"wall_modulus\": "
    "1.5e8, \"pressure\": 2e6},"
    "{\"id\": \"T\", \"ports\": [\"cyl.B\", \"tank.T\"]}],"
    "\"simulation\": {\"t_end\": 0.2, \"every\": 0.001, \"rtol\": 1e-10, \"start\": \"as-given\"}}";

static void test_trapped_chamber (void) {
  static const char *const paths[] = {"cyl.s", "A.pressure", "energy.oil", "energy.kinetic", NULL};
  HlTestModel model = hl_test_model_from_text (trapped);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Rows rows = {0};
  double area = 0.002, softness = 1.0 / 1.5e9 + 1.0 / 3.15e10, p0 = 2e6;
  double C0 = 1e-4 * (1.0 / 1.5e9 + 1.0 / 1.5e8) + area * softness * 0.5, largest = 0.0;

  g_assert_cmpint (run (&model, options, paths, &rows, NULL), ==, HL_OK);
  double peak = 0.0; /* of the work done: what the error of the run is measured by */
  for (int row = 0; row < rows.n_rows; row++)
    peak = fmax (peak, 60000.0 * fabs (rows.values[row * rows.width] - 1.5));
  for (int row = 0; row < rows.n_rows; row++) {
    const double *v = rows.values + row * rows.width;
    double dl = v[0] - 1.5, w = 1.0 + area * softness * dl / C0;
    double energy = -area * p0 * dl + C0 / (softness * softness) * (w * log1p (w - 1.0) - (w - 1.0));
    hl_assert_near (v[1], p0 - log1p (w - 1.0) / softness, 1e-8, 0.0);
    hl_assert_near (v[2], energy, 0.0, 1e-8 * peak);
    /* the push works 60 kN along the way; nothing is lost */
    hl_assert_near (v[3] + v[2], -60000.0 * dl, 0.0, 1e-8 * peak);
    largest = fmax (largest, fabs (dl));
  }
  g_test_message ("compressed by %.2f mm", 1e3 * largest);
  g_assert_cmpfloat (largest, >, 1e-3);
  rows_clear (&rows);
  hl_test_model_clear (&model);
}

/* Rows bring the machine no further than their outputs read it, and leave no trace in the run: each output alone is to
 * the last bit what it is beside a force and an energy, which read all of it. */
static void check_rows_alone (double air) {
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "fluid.air_fraction", air, NULL);
  static const char *const all[] = {
      "cyl.force", "link2.angle", "link3.x",   "link3.angle", "link4.omega",       "link3.D.y", "link3.D.vx",
      "jC.angle",  "V2.pressure", "dcv.spool", "V1.pressure", "energy.dissipated", NULL};
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  options.t_end = 1.2;
  HlTestRun together = hl_test_run (&model, options, all);

  for (int k = 1; all[k] != NULL; k++) {
    const char *const alone[] = {all[k], NULL};
    HlTestRun run = hl_test_run (&model, options, alone);
    g_assert_cmpint (run.n_rows, ==, together.n_rows);
    for (int row = 0; row < run.n_rows; row++) {
      double alone_value = hl_test_run_value (&run, row, 0);
      g_assert_cmpfloat (alone_value, ==, hl_test_run_value (&together, row, k));
    }
    hl_test_run_clear (&run);
  }
  hl_test_run_clear (&together);
  hl_test_model_clear (&model);
}

/* With air the weights of pressures, and by them the steps, read what the last evaluation has left. */
static void test_rows_alone (void) {
  check_rows_alone (0.0);
  check_rows_alone (0.02);
}

static void append_without_energy (const char *path, const HlObservable *output, void *outputs) {
  (void)path;
  if (!hl_observable_needs_energy (*output))
    g_array_append_vals (outputs, output, 1);
}

static void append_any (const char *path, const HlObservable *output, void *outputs) {
  (void)path;
  g_array_append_vals (outputs, output, 1);
}

/* The last row of a run with all outputs; without energies, beside which no row is interpolated, unless they are
 * requested. */
static GArray *last_row (const HlTestModel *model, HlSimOptions options, gboolean with_energies) {
  g_autoptr (GArray) outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable));
  GArray *last = g_array_new (FALSE, FALSE, sizeof (double));
  HlFault fault = {0};

  hl_observable_visit_outputs (model->sys, with_energies ? append_any : append_without_energy, outputs);
  Rows rows = {.width = (int)outputs->len * (options.linear ? 2 : 1)};
  options.outputs = (const HlObservable *)(gpointer)outputs->data;
  options.n_outputs = (int)outputs->len;
  options.row = keep_row;
  options.row_data = &rows;
  g_assert_cmpint (hl_simulate (model->sys, &options, NULL, &fault), ==, HL_OK);
  g_assert_cmpfloat (rows.t[rows.n_rows - 1], ==, options.t_end);
  g_array_append_vals (last, rows.values + (rows.n_rows - 1) * rows.width, outputs->len);
  rows_clear (&rows);
  return last;
}

static void assert_same_row (const GArray *expected, GArray *got) {
  g_assert_cmpuint (got->len, ==, expected->len);
  for (guint k = 0; k < got->len; k++) {
    double a = g_array_index (expected, double, k), b = g_array_index (got, double, k);
    if (!isnan (a) || !isnan (b))
      g_assert_cmpfloat (b, ==, a);
  }
  g_array_unref (got);
}

static void pass_event (const HlSimEvent *event, void *data) {
  (void)event;
  (void)data;
}

static void pass_mode (const HlSimMode *mode, void *data) {
  (void)mode;
  (void)data;
}

/* The same machine runs with other rows in the window than on the command line: with more of them, from its settled start,
 * beside its linear response and the list of its modes. */
static void check_other_rows (const char *name, gboolean stabilized, gboolean with_energies) {
  HlTestModel model = hl_test_model_load (name);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  g_test_message ("%s%s", name, with_energies ? ", with energies" : "");
  options.t_end = fmin (options.t_end, 0.3);
  if (stabilized)
    options.formulation = HL_FORMULATION_BAUMGARTE;
  HlSimOptions few = options, many = options, settled = options;
  few.every = few.t_end;
  g_autoptr (GArray) expected = last_row (&model, options, with_energies);
  assert_same_row (expected, last_row (&model, few, with_energies));
  many.every /= 7.0;
  assert_same_row (expected, last_row (&model, many, with_energies));
  many.linear = options.model == HL_MODEL_LUMPED;
  many.cavitations = hl_cavitations_new (model.sys);
  many.event = pass_event;
  many.mode = pass_mode;
  assert_same_row (expected, last_row (&model, many, with_energies));
  hl_cavitations_free (many.cavitations);
  if (options.model != HL_MODEL_QUASISTATIC) {
    hl_test_model_start (&model, options.start);
    settled.from = model.point;
    assert_same_row (expected, last_row (&model, settled, with_energies));
  }
  hl_test_model_clear (&model);
}

static void test_rows_leave_no_trace (void) {
  static const char *const names[] = {"crank-rocker.hydrolink",          "four-bar.hydrolink",
                                      "inverted-slider-crank.hydrolink", "peaucellier.hydrolink",
                                      "hybrid-regeneration.hydrolink",   "metering-arm.hydrolink",
                                      "hybrid-two-cylinders.hydrolink",  "two-arms-1.hydrolink"};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
    for (int with_energies = 0; with_energies < 2; with_energies++)
      check_other_rows (names[k], FALSE, with_energies);
  check_other_rows ("crank-rocker.hydrolink", TRUE, FALSE);
  check_other_rows ("crank-rocker.hydrolink", TRUE, TRUE);
}

/* The output step of the file defines the rows of a plot, as that of a command: the steps of hybrid oil were no longer
 * than the file's, for any requested rows. */
static void test_output_step_leaves_no_trace (void) {
  static const char *const names[] = {"hybrid-regeneration.hydrolink", "hybrid-two-cylinders.hydrolink"};

  for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
    HlTestModel model = hl_test_model_load (names[k]);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.t_end = fmin (options.t_end, 0.3);
    g_autoptr (GArray) expected = last_row (&model, options, FALSE);
    HlSystem *finer = hl_system_copy (model.sys), *drawn = model.sys;
    finer->every /= 50.0;
    model.sys = finer;
    assert_same_row (expected, last_row (&model, options, FALSE));
    model.sys = drawn;
    hl_system_unref (finer);
    hl_test_model_clear (&model);
  }
}

static void test_stop_keeps_rows (void) {
  static const char *const paths[] = {"link2.angle", NULL};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Rows rows = {.stop_after = 17};
  HlSimStats stats;

  options.every = 0.001;
  g_assert_cmpint (run (&model, options, paths, &rows, &stats), ==, HL_CANCELLED);
  g_assert_cmpint (rows.n_rows, ==, 17);
  g_assert_cmpfloat (stats.t_reached, <, 0.5);
  rows_clear (&rows);
  hl_test_model_clear (&model);
}

static bool cancel_now (void *data) {
  int *polls = data;
  return ++*polls > 20;
}

static void test_cancel (void) {
  static const char *const paths[] = {"link2.angle", NULL};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Rows rows = {0};
  int polls = 0;

  options.cancel = cancel_now;
  options.cancel_data = &polls;
  g_assert_cmpint (run (&model, options, paths, &rows, NULL), ==, HL_CANCELLED);
  g_assert_cmpint (polls, <, 30);
  rows_clear (&rows);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulate-four-bar/four-bar/golden-response-bdf", test_golden_bdf);
  g_test_add_func ("/simulate-four-bar/four-bar/golden-response-radau", test_golden_radau);
  g_test_add_func ("/simulate-four-bar/four-bar/interpolated-rows", test_interpolated_rows);
  g_test_add_func ("/simulate-four-bar/four-bar/stabilized-form-agrees", test_stabilized);
  g_test_add_func ("/simulate-four-bar/laminar-throughout", test_laminar_throughout);
  g_test_add_func ("/simulate-four-bar/four-bar/linear-response-with-its-input", test_linear_with_input);
  g_test_add_func ("/simulate-four-bar/four-bar/energy-is-kept-without-losses", test_energy_kept);
  g_test_add_func ("/simulate-four-bar/four-bar/work-in-is-stored-plus-dissipated", test_energy_balance);
  g_test_add_func ("/simulate-four-bar/trapped-chamber-stores-minus-integral-of-p-A-ds",
                   test_trapped_chamber);
  g_test_add_func ("/simulate-four-bar/rows-read-what-their-outputs-need", test_rows_alone);
  g_test_add_func ("/simulate-four-bar/rows-leave-no-trace", test_rows_leave_no_trace);
  g_test_add_func ("/simulate-four-bar/output-step-of-the-file-leaves-no-trace",
                   test_output_step_leaves_no_trace);
  g_test_add_func ("/simulate-four-bar/row-callback-may-stop", test_stop_keeps_rows);
  g_test_add_func ("/simulate-four-bar/cancel-is-prompt", test_cancel);
  return g_test_run ();
}
