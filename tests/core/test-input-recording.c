/* SPDX-License-Identifier: MIT */
/* Tapes of drives: what one says, read again from its text, is the same run to the last bit, in every oil;
 * moves are shifted and taken out; what is wrong with one is named. */
#include "core/base/hl-error.h"
#include "core/io/hl-input-recording-file.h"
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

  for (int lever = 0; lever < script->n; lever++)
    out[lever] =
        script->start[lever] > 0.0 ? fmax (scripted (script, lever, t), 0.0) : scripted (script, lever, t);
  return t < script->t_stop;
}

typedef struct {
  const char *name, *model;
  const char *inputs[3];
  const char *outputs[5]; /* until NULL */
  double swing[3];
} Case;

static const Case cases[] = {
    {"valve-and-torque",
     "four-bar.hydrolink",
     {"dcv.command"},
     {"link2.angle", "dcv.spool", "dcv.command", "V1.pressure"},
     {0.4}},
    {"two-valves",
     "excavator-arm.hydrolink",
     {"boom_valve.command", "stick_valve.command"},
     {"boom.angle", "stick.angle", "boom_valve.spool"},
     {0.5, 0.5}},
    {"torque", "crank-rocker.hydrolink", {"drive.signal"}, {"crank.omega", "A.pressure"}, {40.0}},
    {"hybrid",
     "hybrid-two-cylinders.hydrolink",
     {"load1.signal", "dump.opening"},
     {"cyl1.s", "cyl2.s"},
     {-3000.0, -1.3}},
    {"relaxed",
     "metering-arm.hydrolink",
     {"bleed.opening", "ph.opening"},
     {"cyl.s", "ph.opening"},
     {0.3, 0.3}},
    {"discrete", "two-arms-1.hydrolink", {"bleed.opening"}, {"cyl1.s", "bleed.opening"}, {0.4}},
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

static HlLeverRecord *drive (const HlTestModel *model, const Case *one, Script *script, Rows *rows,
                             HlTape *tape) {
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
  options.tape = tape;
  HlStatus status = hl_drive (model->sys, &options, &record, NULL, &fault);
  if (status != HL_CANCELLED) {
    g_autofree char *message = hl_fault_message (model->sys, &fault);
    g_error ("%s", message);
  }
  g_assert_nonnull (record);
  return record;
}

/* Rows of a drive by a tape. */
static void play (const HlTestModel *model, const Case *one, const HlTape *tape, Rows *rows) {
  HlDriveOptions options = hl_drive_options_from_model (model->sys);
  HlObservable outputs[4];
  HlFault fault = {0};
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTapePlayer) player = hl_tape_player_new (tape, model->sys, &error);

  g_assert_no_error (error);
  for (rows->width = 0; one->outputs[rows->width] != NULL; rows->width++)
    g_assert_true (hl_observable_find (model->sys, one->outputs[rows->width], &outputs[rows->width]));
  options.sim.every = 0.01;
  options.sim.outputs = outputs;
  options.sim.n_outputs = rows->width;
  options.sim.row = keep_row;
  options.sim.row_data = rows;
  hl_tape_player_attach (player, &options);
  g_assert_cmpint (hl_drive (model->sys, &options, NULL, NULL, &fault), ==, HL_CANCELLED);
}

/* A recording gives, through its text, the same run to the last bit; a shifted move gives another run, and
 * shifted back the first one again. */
static void test_tape (gconstpointer data) {
  const Case *one = data;
  HlTestModel model = hl_test_model_load (one->model);
  Rows driven = new_rows (), again = new_rows (), other = new_rows (), back = new_rows ();
  Script script = {.begin = 0.1, .t_stop = 1.0};
  g_autoptr (HlTape) tape = hl_tape_new (hl_drive_options_from_model (model.sys).tick);
  g_autoptr (GError) error = NULL;

  g_autoptr (HlLeverRecord) record = drive (&model, one, &script, &driven, tape);
  g_assert_cmpint (hl_tape_n_moves (tape), >, 5);
  hl_assert_near (hl_tape_end (tape), 1.0, 1e-9, 0);
  g_autofree char *text = hl_tape_text (tape);
  g_autoptr (HlTape) read = hl_tape_parse (text, strlen (text), NULL, &error);
  g_assert_no_error (error);
  play (&model, one, read, &again);
  g_assert_cmpint (again.t->len, ==, driven.t->len);
  g_assert_true (memcmp (again.t->data, driven.t->data, driven.t->len * sizeof (double)) == 0);
  g_assert_true (memcmp (again.values->data, driven.values->data, driven.values->len * sizeof (double)) == 0);

  int middle = hl_tape_n_moves (read) / 2;
  double t = hl_tape_move (read, middle)->t;
  int shifted = hl_tape_shift (read, middle, 0.9);
  play (&model, one, read, &other);
  g_assert_true (memcmp (other.values->data, driven.values->data, driven.values->len * sizeof (double)) != 0);
  /* to its place among those of its tick, for which the order of levers does not matter */
  hl_tape_shift (read, shifted, t);
  play (&model, one, read, &back);
  g_assert_true (memcmp (back.values->data, driven.values->data, driven.values->len * sizeof (double)) == 0);
  clear_rows (&driven);
  clear_rows (&again);
  clear_rows (&other);
  clear_rows (&back);
  hl_test_model_clear (&model);
}

/* A number that changes on the way: until then the run of the file, from then on that of a model with the
 * new number; taken out, the run of the file to its end. */
static void test_tape_number (void) {
  static const Case one = {.outputs = {"crank.omega", "A.pressure"}};
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  Rows plain = new_rows (), heavy = new_rows (), out = new_rows ();
  g_autoptr (HlTape) tape = hl_tape_new (0.01);

  hl_tape_set_end (tape, 0.5);
  play (&model, &one, tape, &plain);
  hl_tape_add (tape, 0.25, "rocker.mass", TRUE, 9.0);
  play (&model, &one, tape, &heavy);
  g_assert_cmpint (heavy.t->len, ==, plain.t->len);
  for (int row = 0; row < (int)plain.t->len; row++) {
    double t = row_time (&plain, row);
    double apart = fabs (row_value (&plain, row, 0) - row_value (&heavy, row, 0));
    if (t < 0.25 - 1e-9)
      g_assert_cmpfloat (apart, <, 1e-9);
    if (t > 0.3)
      g_assert_cmpfloat (apart, >, 1e-6);
  }
  hl_tape_remove (tape, 0);
  play (&model, &one, tape, &out);
  g_assert_true (memcmp (out.values->data, plain.values->data, plain.values->len * sizeof (double)) == 0);
  clear_rows (&plain);
  clear_rows (&heavy);
  clear_rows (&out);
  hl_test_model_clear (&model);
}

/* Faults in a recording are reported by name. */
static void test_tape_broken (void) {
  static const struct {
    const char *text, *why;
  } broken[] = {
      {"{}", "not a recording of inputs"},
      {"{\"format\": \"hydrolink-tape\", \"version\": 9}", "newer"},
      {"{\"format\": \"hydrolink-tape\", \"version\": 1, \"tick\": 0, \"end\": 1, \"moves\": []}", "tick"},
      {"{\"format\": \"hydrolink-tape\", \"version\": 1, \"tick\": 0.01, \"end\": 1, \"moves\": "
       "[3]}",
       "movement 1"},
      {"{\"format\": \"hydrolink-tape\", \"version\": 1, \"tick\": 0.01, \"end\": 1, \"moves\": "
       "[{\"t\": 2, \"lever\": \"a\", \"value\": 1}]}",
       "time"},
      {"{\"format\": \"hydrolink-tape\", \"version\": 1, \"tick\": 0.01, \"end\": 1, \"moves\": "
       "[{\"t\": 0, \"lever\": \"a\"}]}",
       "value"},
      {"{\"format\": \"hydrolink-tape\", \"version\": 1, \"tick\": 0.01, \"end\": 1, \"moves\": "
       "[{\"t\": 0, \"lever\": \"a\", \"number\": \"b\", \"value\": 1}]}",
       "either"},
  };
  HlTestModel model = hl_test_model_load ("crank-rocker.hydrolink");
  g_autoptr (HlTape) tape = hl_tape_new (0.01);

  for (guint k = 0; k < G_N_ELEMENTS (broken); k++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (hl_tape_parse (broken[k].text, strlen (broken[k].text), "x.hltape", &error));
    g_assert_nonnull (error);
    g_assert_nonnull (strstr (error->message, broken[k].why));
    g_assert_nonnull (strstr (error->message, "x.hltape"));
  }
  for (int is_number = 0; is_number < 2; is_number++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (HlTape) other = hl_tape_new (0.01);
    hl_tape_add (other, 0, "gone.mass", is_number, 1.0);
    g_assert_null (hl_tape_player_new (other, model.sys, &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_MODEL);
    g_assert_nonnull (strstr (error->message, "gone.mass"));
  }
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *path = g_strdup_printf ("/input-recording/same-bits/%s", cases[k].name);
    g_test_add_data_func (path, &cases[k], test_tape);
  }
  g_test_add_func ("/input-recording/number", test_tape_number);
  g_test_add_func ("/input-recording/broken", test_tape_broken);
  return g_test_run ();
}
