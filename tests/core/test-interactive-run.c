/* SPDX-License-Identifier: MIT */
/* Driving: what a hand did is a table signal, and a run of the file with that signal is the same
 * run; the clock on the wall plays no part; it ends on request and keeps its rows. */
#include "core/run/hl-interactive-run.h"
#include "core/run/hl-state-snapshot.h"
#include "core/edit/hl-edit.h"
#include "tests/support/hl-allocations.h"
#include "tests/support/hl-example-run.h"

#include <math.h>
#include <string.h>

#define MOST_LEVERS 16

/* A hand that follows a script, and stops. */
typedef struct {
  double begin;
  double swing[MOST_LEVERS];
  double start[MOST_LEVERS];
  int n;
  double t_stop;
  bool dawdles;
  int n_asked;
} Script;

/* At rest, a jump, slow and fast ways, rest again. */
static double scripted (const Script *script, int lever, double t) {
  double rel = t - script->begin - 0.07 * lever;

  if (rel < 0.0)
    return script->start[lever];
  if (rel < 0.1)
    return script->start[lever] + 0.5 * script->swing[lever];
  if (rel < 0.5)
    return script->start[lever] + script->swing[lever] * (1.0 - rel);
  return script->start[lever] + (rel < 0.8 ? script->swing[lever] * 0.3 : 0.0);
}

static bool hand (double t, double out[], void *data) {
  Script *script = data;

  script->n_asked++;
  for (int lever = 0; lever < script->n; lever++)
    out[lever] =
        script->start[lever] > 0.0 ? fmax (scripted (script, lever, t), 0.0) : scripted (script, lever, t);
  if (script->dawdles && script->n_asked % 17 == 0)
    g_usleep (2000);
  return t < script->t_stop;
}

typedef struct {
  const char *name, *model;
  const char *inputs[3];
  const char *outputs[5]; /* until NULL */
  double swing[3];
  double share; /* of what each output does, that it may be off by */
} Case;

static const Case cases[] = {
    {"valve-and-torque",
     "four-bar.hydrolink",
     {"dcv.command"},
     {"link2.angle", "dcv.spool", "dcv.command", "V1.pressure"},
     {0.4},
     1e-6},
    {"two-valves",
     "excavator-arm.hydrolink",
     {"boom_valve.command", "stick_valve.command"},
     {"boom.angle", "stick.angle", "boom_valve.spool"},
     {0.5, 0.5},
     1e-6},
    {"torque", "crank-rocker.hydrolink", {"drive.signal"}, {"crank.omega", "A.pressure"}, {40.0}, 1e-6},
    {"hybrid",
     "hybrid-two-cylinders.hydrolink",
     {"load1.signal", "dump.opening"},
     {"cyl1.s", "cyl2.s"},
     {-3000.0, -1.3},
     1e-6},
    {"relaxed",
     "metering-arm.hydrolink",
     {"bleed.opening", "ph.opening"},
     {"cyl.s", "ph.opening"},
     {0.3, 0.3},
     1e-6},
    {"discrete", "two-arms-1.hydrolink", {"bleed.opening"}, {"cyl1.s", "bleed.opening"}, {0.4}, 1e-9},
};

static void find_levers (const HlTestModel *model, const Case *one, int inputs[], Script *script) {
  for (; script->n < 3 && one->inputs[script->n] != NULL; script->n++) {
    int input = 0;
    while (strcmp (hl_drive_input_path (model->sys, input), one->inputs[script->n]) != 0)
      g_assert_cmpint (++input, <, hl_drive_n_inputs (model->sys));
    inputs[script->n] = input;
    script->swing[script->n] = one->swing[script->n];
    script->start[script->n] = hl_drive_input_start (model->sys, input);
  }
}

/* Rows of a run by the script. */
typedef struct {
  GArray *t, *values;
  int width;
} Rows;

static bool keep_row (double t, const double values[], void *data) {
  Rows *rows = data;

  g_array_append_val (rows->t, t);
  g_array_append_vals (rows->values, values, (guint)rows->width);
  return true;
}

static Rows new_rows (void) {
  return (Rows){g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)), 0};
}

static void clear_rows (Rows *rows) {
  g_array_unref (rows->t);
  g_array_unref (rows->values);
}

static double row_time (const Rows *rows, int row) {
  return g_array_index (rows->t, double, row);
}

static double row_value (const Rows *rows, int row, int column) {
  return g_array_index (rows->values, double, row * rows->width + column);
}

static HlLeverRecord *drive (const HlTestModel *model, const Case *one, Script *script, Rows *rows) {
  HlDriveOptions options = hl_drive_options_from_model (model->sys);
  int inputs[MOST_LEVERS];
  HlObservable outputs[4];
  HlLeverRecord *record = NULL;
  HlFault fault = {0};

  find_levers (model, one, inputs, script);
  for (rows->width = 0; one->outputs[rows->width] != NULL; rows->width++)
    g_assert_true (hl_observable_find (model->sys, one->outputs[rows->width], &outputs[rows->width]));
  options.inputs = inputs;
  options.n_levers = script->n;
  options.hand = hand;
  options.hand_data = script;
  options.sim.every = 0.01;
  options.sim.outputs = outputs;
  options.sim.n_outputs = rows->width;
  options.sim.row = keep_row;
  options.sim.row_data = rows;
  HlStatus status = hl_drive (model->sys, &options, &record, NULL, &fault);
  if (status != HL_CANCELLED) {
    g_autofree char *message = hl_fault_message (model->sys, &fault);
    g_error ("%s", message);
  }
  g_assert_nonnull (record);
  return record;
}

/* The file with the levers' ways as its signals. */
static HlTestModel with_signals (const Case *one, const HlLeverRecord *record) {
  HlTestModel model = hl_test_model_load (one->model);
  HlDocument *doc = hl_document_ref (model.doc);

  hl_test_model_clear (&model);
  for (int lever = 0; lever < MOST_LEVERS && one->inputs[lever] != NULL; lever++) {
    g_auto (GStrv) parts = g_strsplit (one->inputs[lever], ".", 2);
    g_autoptr (GError) error = NULL;
    HlDocument *next = hl_edit_set (doc, parts[0], parts[1], hl_lever_record_signal (record, lever), &error);
    g_assert_no_error (error);
    hl_document_unref (doc);
    doc = next;
  }
  return hl_test_model_from_document (doc);
}

static void test_same_as_file (gconstpointer data) {
  const Case *one = data;
  HlTestModel model = hl_test_model_load (one->model);
  Script script = {.begin = 0.1, .t_stop = 1.2};
  Rows rows = new_rows ();
  g_autoptr (HlLeverRecord) record = drive (&model, one, &script, &rows);
  HlTestModel again = with_signals (one, record);
  HlSimOptions options = hl_sim_options_from_model (again.sys);

  /* another method and a tighter error control than while driving: the reference */
  options.t_end = 1.2;
  options.every = 0.01;
  options.rtol = fmin (options.rtol, 1e-8);
  HlTestRun run = hl_test_run (&again, options, one->outputs);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (rows.t->len, >=, 120);
  for (int column = 0; column < rows.width; column++) {
    double worst = 0.0, low = INFINITY, high = -INFINITY;
    for (int row = 0; row < 120; row++) {
      double value = hl_test_run_value (&run, row, column);
      g_assert_cmpfloat (row_time (&rows, row), ==, run.t[row]);
      worst = fmax (worst, fabs (row_value (&rows, row, column) - value));
      low = fmin (low, value);
      high = fmax (high, value);
    }
    g_test_message ("%s: off by %.2g of a way of %.3g", one->outputs[column], worst, high - low);
    g_assert_cmpfloat (high, >, low);
    hl_assert_near (worst, 0.0, 0.0, one->share * (high - low));
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&again);
  hl_test_model_clear (&model);
  clear_rows (&rows);
}

/* A signal that the hand takes late went as the file says until then: a table with a jump, a sine.
 */
typedef struct {
  const char *model, *input, *output;
  double t_take, share;
} Late;

static const Late lates[] = {
    {"four-bar.hydrolink", "M2.signal", "link2.angle", 0.8, 1e-6},
    {"four-bar.hydrolink", "M2.signal", "link2.angle", 1.5, 1e-6}, /* right at its jump */
    {"articulated-vehicle-tyre-throttle.hydrolink", "dcv.command", "dcv.spool", 0.3, 1e-6},
    /* between the ticks a curve counts as straight: (2 pi f tick)^2 / 8 of it */
    {"ackermann-steering.hydrolink", "orbitrol.command", "orbitrol.spool", 0.7, 1e-3},
};

static bool late_hand (double t, double out[], void *data) {
  const Late *late = data;

  out[0] = t < late->t_take - 1e-9 ? NAN : out[0] + (t < late->t_take + 0.2 ? 0.01 : -0.005);
  return t < 2.0;
}

static void test_late (gconstpointer data) {
  const Late *late = data;
  Case one = {.model = late->model, .inputs = {late->input}, .outputs = {late->output}};
  HlTestModel model = hl_test_model_load (late->model);
  HlDriveOptions options = hl_drive_options_from_model (model.sys);
  HlObservable output;
  HlLeverRecord *record = NULL;
  Rows rows = new_rows ();
  Script script = {0};
  int input;

  find_levers (&model, &one, &input, &script);
  rows.width = 1;
  g_assert_true (hl_observable_find (model.sys, late->output, &output));
  options.inputs = &input;
  options.n_levers = 1;
  options.hand = late_hand;
  options.hand_data = (void *)late;
  options.sim.every = 0.01;
  options.sim.outputs = &output;
  options.sim.n_outputs = 1;
  options.sim.row = keep_row;
  options.sim.row_data = &rows;
  g_assert_cmpint (hl_drive (model.sys, &options, &record, NULL, NULL), ==, HL_CANCELLED);

  HlTestModel again = with_signals (&one, record);
  HlSimOptions sim = hl_sim_options_from_model (again.sys);
  double worst = 0.0, low = INFINITY, high = -INFINITY;
  sim.t_end = 2.0;
  sim.every = 0.01;
  HlTestRun run = hl_test_run (&again, sim, one.outputs);
  for (int row = 0; row < (int)rows.t->len; row++) {
    double value = hl_test_run_value (&run, row, 0);
    worst = fmax (worst, fabs (row_value (&rows, row, 0) - value));
    low = fmin (low, value);
    high = fmax (high, value);
  }
  g_assert_cmpfloat (high, >, low);
  hl_assert_near (worst, 0.0, 0.0, late->share * (high - low));
  hl_lever_record_free (record);
  hl_test_run_clear (&run);
  hl_test_model_clear (&again);
  hl_test_model_clear (&model);
  clear_rows (&rows);
}

/* The hand may take its time: bit for bit the same. */
static void test_clock (void) {
  HlTestModel model = hl_test_model_load (cases[1].model);
  Rows rows[2] = {new_rows (), new_rows ()};

  for (int k = 0; k < 2; k++) {
    Script script = {.begin = 0.1, .t_stop = 0.6, .dawdles = k == 1};
    g_autoptr (HlLeverRecord) record = drive (&model, &cases[1], &script, &rows[k]);
    g_assert_true (hl_lever_record_is_held (record, 0));
  }
  g_assert_cmpmem (rows[0].values->data, rows[0].values->len * sizeof (double), rows[1].values->data,
                   rows[1].values->len * sizeof (double));
  for (int k = 0; k < 2; k++)
    clear_rows (&rows[k]);
  hl_test_model_clear (&model);
}

/* Ends at the tick, with the record up to there; the rows before stay. */
static void test_stop (void) {
  HlTestModel model = hl_test_model_load (cases[0].model);
  Script script = {.begin = 0.05, .t_stop = 0.2};
  Rows rows = new_rows ();
  g_autoptr (HlLeverRecord) record = drive (&model, &cases[0], &script, &rows);

  g_assert_cmpint (rows.t->len, ==, 20);
  hl_assert_near (row_time (&rows, 19), 0.19, 0.0, 1e-12);
  hl_assert_near (hl_lever_record_value (record, 0, 0.03), 0.0, 0.0, 0.0);
  hl_assert_near (hl_lever_record_value (record, 0, 0.1), 0.2, 0.0, 1e-15);
  hl_assert_near (hl_lever_record_value (record, 0, 9.0), 0.4 * (1.0 - (0.19 - 0.05)), 0.0, 1e-12);
  clear_rows (&rows);
  hl_test_model_clear (&model);
}

/* A number that changes on the way: the same as a second run from where the first one was. */
typedef struct {
  HlParameter parameter;
  int n_asked;
} Tuning;

static bool tune (HlSystem *own, void *data) {
  Tuning *tuning = data;

  if (tuning->n_asked++ != 50)
    return false;
  hl_system_set_parameter (own, tuning->parameter, 9.0);
  return true;
}

static bool idle_hand (double t, double out[], void *data) {
  return t < 1.0;
}

static void test_tune (void) {
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink"); /* its torque is constant */
  HlDriveOptions options = hl_drive_options_from_model (model.sys);
  HlObservable output;
  Rows rows = new_rows ();
  Tuning tuning = {0};

  g_assert_true (hl_system_find_parameter (model.sys, "rocker.mass", &tuning.parameter));
  g_assert_cmpfloat (hl_system_get_parameter (model.sys, tuning.parameter), !=, 9.0);
  g_assert_true (hl_observable_find (model.sys, "crank.angle", &output));
  rows.width = options.sim.n_outputs = 1;
  options.sim.every = 0.01;
  options.sim.outputs = &output;
  options.sim.row = keep_row;
  options.sim.row_data = &rows;
  options.hand = idle_hand;
  options.tune = tune;
  options.tune_data = &tuning;
  g_assert_cmpint (hl_drive (model.sys, &options, NULL, NULL, NULL), ==, HL_CANCELLED);
  g_assert_cmpfloat (hl_system_get_parameter (model.sys, tuning.parameter), !=, 9.0);

  HlSimOptions sim = hl_sim_options_from_model (model.sys);
  HlTestModel heavy = hl_test_model_load_with ("crank-rocker.hydrolink", "rocker.mass", 9.0, NULL);
  static const char *const outputs[] = {"crank.angle", NULL};
  double worst = 0.0, apart = 0.0;
  g_assert_cmpint (hl_point_at_time (model.sys, &sim, 0.5, model.point, NULL), ==, HL_OK);
  sim.t_end = 0.5;
  sim.every = 0.01;
  HlTestRun light = hl_test_run (&model, sim, outputs);
  sim.from = model.point;
  HlTestRun second = hl_test_run (&heavy, sim, outputs);
  for (int row = 0; row < 50; row++) {
    worst = fmax (worst, fabs (row_value (&rows, row, 0) - hl_test_run_value (&light, row, 0)));
    worst = fmax (worst, fabs (row_value (&rows, 50 + row, 0) - hl_test_run_value (&second, row, 0)));
  }
  hl_assert_near (worst, 0.0, 0.0, 1e-6);
  hl_test_run_clear (&second);
  HlTestRun same = hl_test_run (&model, sim, outputs);
  for (int row = 0; row < 50; row++)
    apart = fmax (apart, fabs (row_value (&rows, 50 + row, 0) - hl_test_run_value (&same, row, 0)));
  g_assert_cmpfloat (apart, >, 1e-3);
  hl_test_run_clear (&same);
  hl_test_run_clear (&light);
  hl_test_model_clear (&heavy);
  hl_test_model_clear (&model);
  clear_rows (&rows);
}

/* Lever values that are not finite are ignored; a run without levers is an ordinary run. */
static bool mad_hand (double t, double out[], void *data) {
  int n = GPOINTER_TO_INT (data);

  for (int lever = 0; lever < n; lever++)
    out[lever] = t < 0.05 ? NAN : INFINITY;
  return t < 0.1;
}

static void test_mad_hand (void) {
  HlTestModel model = hl_test_model_load (cases[0].model);
  int inputs[] = {0};

  for (int n = 0; n < 2; n++) {
    HlDriveOptions options = hl_drive_options_from_model (model.sys);
    HlLeverRecord *record = NULL;
    HlSimStats stats;
    options.inputs = inputs;
    options.n_levers = n;
    options.hand = mad_hand;
    options.hand_data = GINT_TO_POINTER (n);
    g_assert_cmpint (hl_drive (model.sys, &options, &record, &stats, NULL), ==, HL_CANCELLED);
    hl_assert_near (stats.t_reached, 0.1, 0.0, 1e-12);
    g_assert_true (n == 0 || !hl_lever_record_is_held (record, 0));
    hl_lever_record_free (record);
  }
  hl_test_model_clear (&model);
}

/* A drive that the model ends says why, and keeps the record. */
static void test_fault (void) {
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  HlDriveOptions options = hl_drive_options_from_model (model.sys);
  HlLeverRecord *record = NULL;
  HlFault fault = {0};

  options.sim.formulation = HL_FORMULATION_DISCRETE;
  options.sim.model = HL_MODEL_QUASISTATIC;
  options.sim.step = 0.0;
  g_assert_cmpint (hl_drive (model.sys, &options, &record, NULL, &fault), !=, HL_OK);
  g_assert_nonnull (record);
  hl_lever_record_free (record);
  hl_test_model_clear (&model);
}

/* Nothing is allocated from tick to tick, levers at rest or not but for the record's growth. */
typedef struct {
  int n_ticks;
  bool is_moved;
} Counted;

static bool counting_hand (double t, double out[], void *data) {
  Counted *counted = data;

  if (counted->n_ticks++ == 10)
    hl_allocations_watch (true);
  if (counted->is_moved)
    out[0] = 0.2 * sin (10.0 * t);
  if (counted->n_ticks < 300)
    return true;
  hl_allocations_watch (false);
  return false;
}

static void test_no_allocation (void) {
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre-throttle.hydrolink");

  for (int moved = 0; moved < 2; moved++) {
    HlDriveOptions options = hl_drive_options_from_model (model.sys);
    Counted counted = {.is_moved = moved == 1};
    int input = 0;
    options.inputs = &input;
    options.n_levers = 1;
    options.hand = counting_hand;
    options.hand_data = &counted;
    g_assert_cmpint (hl_drive (model.sys, &options, NULL, NULL, NULL), ==, HL_CANCELLED);
    g_assert_cmpint (counted.n_ticks, ==, 300);
    g_assert_cmpint (hl_allocations_take (), <=, moved == 1 ? 8 : 0);
  }
  hl_test_model_clear (&model);
}

/* A table of many corners is run to its end: none of them is lost. */
static void test_many_corners (void) {
  HlTestModel model = hl_test_model_load (cases[0].model);
  g_autoptr (HlLeverRecord) record = hl_lever_record_new (1);
  static const char *const outputs[] = {"dcv.command", NULL};

  hl_lever_record_put (record, 0, 0.0, 0.0);
  for (int k = 0; k < 6000; k++)
    hl_lever_record_add (record, 0, k / 6000.0, (k + 1) / 6000.0, k % 2 == 0 ? 0.01 : 0.0);
  hl_test_model_clear (&model);
  HlTestModel again = with_signals (&cases[0], record);
  HlSimOptions options = hl_sim_options_from_model (again.sys);
  options.t_end = 1.1;
  options.rtol = 1e-4;
  options.method = HL_METHOD_RADAU;
  HlTestRun run = hl_test_run (&again, options, outputs);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.stats.restarts, >=, 6000);
  hl_assert_near (hl_test_run_value (&run, run.n_rows - 1, 0), 0.0, 0.0, 1e-12);
  hl_test_run_clear (&run);
  hl_test_model_clear (&again);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *path = g_strdup_printf ("/interactive-run/same-as-file/%s", cases[k].name);
    g_test_add_data_func (path, &cases[k], test_same_as_file);
  }
  for (gsize k = 0; k < G_N_ELEMENTS (lates); k++) {
    g_autofree char *path = g_strdup_printf ("/interactive-run/late/%d", (int)k);
    g_test_add_data_func (path, &lates[k], test_late);
  }
  g_test_add_func ("/interactive-run/clock", test_clock);
  g_test_add_func ("/interactive-run/stop", test_stop);
  g_test_add_func ("/interactive-run/tune", test_tune);
  g_test_add_func ("/interactive-run/mad-hand", test_mad_hand);
  g_test_add_func ("/interactive-run/fault", test_fault);
  g_test_add_func ("/interactive-run/no-allocation", test_no_allocation);
  g_test_add_func ("/interactive-run/many-corners", test_many_corners);
  return g_test_run ();
}
