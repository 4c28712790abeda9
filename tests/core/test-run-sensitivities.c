/* SPDX-License-Identifier: MIT */
/* Forward sensitivities of runs against differences of whole runs, which do not use J: of friction, masses, geometry,
 * starts, instants of signals, and past kinks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/compile/hl-compile.h"
#include "core/run/hl-simulate.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MOST_ROWS 400
#define MOST_OUTPUTS 8

typedef struct {
  double t[MOST_ROWS], values[MOST_ROWS][MOST_OUTPUTS], slopes[MOST_ROWS][MOST_OUTPUTS];
  int n, n_slopes, n_outputs, n_kinks;
  HlTangentPassage passage; /* the worst */
} Run;

static bool keep_row (double t, const double values[], void *data) {
  Run *run = data;

  g_assert_cmpint (run->n, <, MOST_ROWS);
  run->t[run->n] = t;
  memcpy (run->values[run->n++], values, sizeof (double) * (gsize)run->n_outputs);
  return true;
}

static void keep_slopes (double t, const double slopes[], void *data) {
  Run *run = data;

  memcpy (run->slopes[run->n_slopes++], slopes, sizeof (double) * (gsize)run->n_outputs);
}

static void count_kink (const HlTangentEvent *event, void *data) {
  Run *run = data;

  run->n_kinks++;
}

typedef struct {
  const char *model, *path;
  double step; /* of the number */
  const char *outputs[MOST_OUTPUTS];
  double t_end, every, rtol;
  HlMethod method;
  double tolerance; /* of the slopes, relative to the largest of the output */
} Case;

static void simulate (const Case *of, const HlSystem *sys, const HlTangent *tangent, Run *run) {
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlObservable outputs[MOST_OUTPUTS];
  HlFault fault = {.entity = -1};

  run->n = run->n_slopes = run->n_outputs = run->n_kinks = 0;
  for (int k = 0; k < MOST_OUTPUTS && of->outputs[k] != NULL; k++)
    g_assert_true (hl_observable_find (sys, of->outputs[k], &outputs[run->n_outputs++]));
  options.outputs = outputs;
  options.n_outputs = run->n_outputs;
  options.t_end = of->t_end;
  options.every = of->every;
  options.rtol = of->rtol;
  options.method = of->method;
  options.row = keep_row;
  options.row_data = run;
  options.tangent = tangent;
  HlStatus status = hl_simulate (sys, &options, NULL, &fault);
  if (status != HL_OK) {
    g_autofree char *text = hl_fault_message (sys, &fault);
    g_error ("%s", text);
  }
}

/* The machine with p + step of the number. */
static HlSystem *moved (const HlTestModel *model, const char *path, double step) {
  double value;
  g_auto (GStrv) paths = g_strsplit (path, ",", -1);

  g_assert_true (hl_document_get_number (model->doc, paths[0], &value, NULL, NULL));
  HlDocument *document = hl_reshape_document (model->doc, (const char *const *)paths, NULL, value + step);
  g_assert_nonnull (document);
  HlSystem *sys = hl_reshape_system (document, model->sys, NULL);
  g_assert_nonnull (sys);
  hl_document_unref (document);
  return sys;
}

/* Returns kinks passed. */
static int check (const Case *of, HlTestModel *model) {
  static const double at[HL_TANGENT_NODES] = {-1.0, -0.5, 0.5, 1.0};
  g_autofree Run *own = g_new0 (Run, 1), *other = g_new0 (Run, 1);
  g_autofree double *expected = g_new0 (double, MOST_ROWS *MOST_OUTPUTS);
  HlSystem *systems[HL_TANGENT_NODES];
  HlTangentNumber number;

  for (int j = 0; j < HL_TANGENT_NODES; j++) {
    number.steps[j] = at[j] * of->step;
    number.systems[j] = systems[j] = moved (model, of->path, number.steps[j]);
  }
  hl_tangent_weights (number.steps, number.weights);
  HlTangent tangent = {&number, 1, keep_slopes, count_kink, own};
  g_assert_true (hl_tangent_is_known (model->sys));
  simulate (of, model->sys, &tangent, own);
  g_assert_cmpint (own->n, ==, own->n_slopes);
  for (int j = 0; j < HL_TANGENT_NODES; j++) {
    simulate (of, systems[j], NULL, other);
    g_assert_cmpint (own->n, ==, other->n);
    for (int row = 0; row < own->n; row++)
      for (int k = 0; k < own->n_outputs; k++)
        expected[row * MOST_OUTPUTS + k] += number.weights[j] * other->values[row][k];
    hl_system_unref (systems[j]);
  }
  for (int k = 0; k < own->n_outputs; k++) {
    double largest = 0.0, worst = 0.0, where = 0.0;
    for (int row = 0; row < own->n; row++)
      largest = fmax (largest, fabs (expected[row * MOST_OUTPUTS + k]));
    for (int row = 0; row < own->n; row++) {
      double error = fabs (own->slopes[row][k] - expected[row * MOST_OUTPUTS + k]) / largest;
      if (!(error <= worst)) {
        worst = error;
        where = own->t[row];
      }
    }
    g_test_message ("%s by %s: largest %g, error %.2g at %g s, %d kinks", of->outputs[k], of->path, largest,
                    worst, where, own->n_kinks);
    g_assert_cmpfloat (largest, >, 0.0);
    g_assert_cmpfloat (worst, <=, of->tolerance);
  }
  return own->n_kinks;
}

/* A torque that takes the cylinder past three times the velocity of Stribeck; on the small response of the
 * example differences of runs are rounding where they should show sigma2. */
static HlTestModel lively (void) {
  return hl_test_model_load_with ("four-bar.hydrolink", "M2.signal.y.1", 3000.0, "M2.signal.y.2", 3000.0,
                                  NULL);
}

static void check_lively (const Case *of) {
  HlTestModel model = lively ();

  check (of, &model);
  hl_test_model_clear (&model);
}

/* Steps of BDF differ from run to run, and so does the slope by steps of the number: for steps of 4 to 12 the error was
 * 4.5e-8 to 2.3e-7 with the constraints solved in the rows and 1.1e-7 to 2.9e-7 with them solved in the angles. */
#define BDF_TOLERANCE 4e-7

#define FOUR_BAR(number, size, by)                                                                           \
  {                                                                                                          \
    "four-bar.hydrolink", number, size, {"link2.angle", "V1.pressure", "cyl.force", NULL}, 1.7, 0.02, 1e-11, \
        by, (by) == HL_METHOD_BDF ? BDF_TOLERANCE : 1e-7                                                     \
  }

static void test_friction (void) {
  static const Case cases[] = {
      FOUR_BAR ("cyl.friction.Fc", 0.4, HL_METHOD_RADAU),
      FOUR_BAR ("cyl.friction.Fs", 1.0, HL_METHOD_RADAU),
      FOUR_BAR ("cyl.friction.vs", 1e-5, HL_METHOD_RADAU),
      FOUR_BAR ("cyl.friction.sigma2", 1.0, HL_METHOD_RADAU),
      FOUR_BAR ("cyl.friction.sigma2", 6.0, HL_METHOD_BDF),
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    check_lively (&cases[k]);
}

/* The start is another balance, and the coordinates that depend on others do so in another way. */
static void test_start_and_geometry (void) {
  static const Case cases[] = {
      FOUR_BAR ("link2.mass", 0.01, HL_METHOD_RADAU),
      FOUR_BAR ("link3.points.D.x", 1e-4, HL_METHOD_RADAU),
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++)
    check_lively (&cases[k]);
}

/* A torque that goes at the corners of a table whose times are the number; the model is the example's. */
static void test_corner (void) {
  Case of = FOUR_BAR ("M2.signal.t.2,M2.signal.t.3", 3e-5, HL_METHOD_RADAU);

  of.every = 0.021; /* no row at the corner, where the machines stand before and behind it */
  check_lively (&of);
}

/* Valves that open and shut, and a piston that comes to its end: the step is divided there. */
static void test_kinks (void) {
  static const Case cases[] = {
      {"regenerative-extension.hydrolink",
       "fluid.bulk_modulus",
       2e5,
       {"slide.x", "P.pressure", NULL},
       1.2,
       0.01,
       1e-11,
       HL_METHOD_RADAU,
       1e-7},
      {"crane-counterbalance.hydrolink",
       "boom.mass",
       0.01,
       {"boom.angle", "head.pressure", NULL},
       2.0,
       0.02,
       1e-12,
       HL_METHOD_RADAU,
       1e-7},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = hl_test_model_load (cases[k].model);
    g_assert_cmpint (check (&cases[k], &model), >, 0);
    hl_test_model_clear (&model);
  }
}

/* An accumulator that begins to take oil, and ceases to, at times that depend on its precharge; a line behind a neck
 * becomes 10^5 times as soft there. */
static HlTestModel accumulator (void) {
  g_autofree char *path = hl_test_golden_path ("found/accumulator-fit.hydrolink"), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return hl_test_model_from_text (text);
}

/* Without the jump the slopes are off by their own size. Steps of the run are divided for them where they are 1e-3
 * off; those of Radau are shorter than that requires. */
#define ACCUMULATOR(number, size, by)                                                                        \
  {                                                                                                          \
    NULL, number, size, {"L.pressure", "N.pressure", "acc.gas_volume", NULL}, 9.9, 0.07, 1e-10, by,          \
        (by) == HL_METHOD_BDF ? 1e-3 : 1e-4                                                                  \
  }

static void test_stores (void) {
  static const Case cases[] = {
      ACCUMULATOR ("acc.precharge", 300.0, HL_METHOD_RADAU),
      ACCUMULATOR ("acc.precharge", 300.0, HL_METHOD_BDF),
      ACCUMULATOR ("src.flow.amplitude", 3e-9, HL_METHOD_RADAU),
      ACCUMULATOR ("acc.polytropic_index", 1e-3, HL_METHOD_BDF),
  };

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = accumulator ();
    g_assert_cmpint (check (&cases[k], &model), >=, 1);
    hl_test_model_clear (&model);
  }
}

/* Pressure swings up to 1.1e5 Pa + flow/(pi f) B/V = 6.1e6 Pa. The accumulator's precharge is just below, just above
 * and far above; or that of the start, as oil flows in at once. */
static const char swing[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 's', 'gravity': [0, 0], 'fluid': "
    "{'bulk_modulus': 1.2e9},"
    " 'components': [{'id': 'src', 'kind': 'flow-source', 'flow': {'kind': 'sine', 'amplitude': "
    "1.5707963267948966e-5,"
    " 'frequency_hz': 1}}, {'id': 'acc', 'kind': 'accumulator', 'volume': 1e-4, 'precharge': "
    "PRECHARGE}],"
    " 'lines': [{'id': 'L', 'ports': ['src.P', 'acc.A'], 'volume': 1e-3, 'pressure': 1e5}],"
    " 'simulation': {'t_end': 0.9, 'every': 0.05, 'start': 'as-given'}}";

static void keep_passage (const HlTangentEvent *event, void *data) {
  Run *run = data;

  run->passage = MAX (run->passage, event->passage);
}

static HlTangentPassage passage_at (const char *precharge) {
  static const Case of = {NULL, "acc.precharge", 0.0, {"L.pressure", NULL}, 0.9, 0.05,
                          1e-9, HL_METHOD_RADAU, 0.0};
  static const double at[HL_TANGENT_NODES] = {-1.0, -0.5, 0.5, 1.0};
  g_autofree Run *own = g_new0 (Run, 1);
  HlTestModel model = hl_test_model_filled (swing, "PRECHARGE", precharge, NULL);
  HlTangentNumber number;

  for (int j = 0; j < HL_TANGENT_NODES; j++) {
    number.steps[j] = at[j] * 1e-3 * atof (precharge);
    number.systems[j] = moved (&model, of.path, number.steps[j]);
  }
  hl_tangent_weights (number.steps, number.weights);
  HlTangent tangent = {&number, 1, keep_slopes, keep_passage, own};
  simulate (&of, model.sys, &tangent, own);
  for (int j = 0; j < HL_TANGENT_NODES; j++)
    hl_system_unref ((HlSystem *)number.systems[j]);
  hl_test_model_clear (&model);
  return own->passage;
}

/* Where a change of the number changes which events happen there is no derivative, and the run says so. */
static void test_no_derivative (void) {
  g_assert_cmpint (passage_at ("4e6"), ==, HL_TANGENT_PASSES);
  g_assert_cmpint (passage_at ("6.0985e6"), ==, HL_TANGENT_TOUCHES);
  g_assert_cmpint (passage_at ("6.1015e6"), ==, HL_TANGENT_TOUCHES);
  g_assert_cmpint (passage_at ("7e6"), ==, HL_TANGENT_PASSES);
  g_assert_cmpint (passage_at ("1e5"), ==, HL_TANGENT_STARTS);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-sensitivities/friction-equals-differences-of-runs", test_friction);
  g_test_add_func ("/run-sensitivities/start-and-geometry", test_start_and_geometry);
  g_test_add_func ("/run-sensitivities/corners-that-move", test_corner);
  g_test_add_func ("/run-sensitivities/kinks-are-passed", test_kinks);
  g_test_add_func ("/run-sensitivities/stores-begin-to-take-oil", test_stores);
  g_test_add_func ("/run-sensitivities/no-derivative-is-said", test_no_derivative);
  return g_test_run ();
}
