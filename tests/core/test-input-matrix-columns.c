/* SPDX-License-Identifier: MIT */
/* Columns B and D of every input of every class, against central differences of the right-hand side and
 * of the outputs with the signal moved: numbers, blocks of every class around them, and driven joints
 * with the rate and the acceleration of their signals. Every class that has a signal must be there. */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-linear-model.h"
#include "core/mech/hl-joint.h"
#include "core/mech/hl-load.h"
#include "core/schema/hl-element-schema.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-all-kinds-models.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define LIMIT 1.0e-7
#define SHARP 1.0e-6 /* of an entry that the differences determine */
#define MOST_OUTPUTS 1000

/* ---- machines ---- */

static json_t *parse (const char *text) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  json_t *value = json_loads (json, 0, NULL);

  g_assert_nonnull (value);
  return value;
}

static void append (json_t *model, const char *section, const char *element) {
  g_assert_cmpint (json_array_append_new (json_object_get (model, section), parse (element)), ==, 0);
}

/* Driven joints on the machine of all other kinds: a crank driven against the rocker, with a pendulum; a beam
 * lifted by a driven length; a steered sled, whose coordinates are admissible ones; a bob on an arm that is
 * moved through a gain. */
static json_t *all_kinds (void) {
  static const char *const parts[][2] = {
      {"bodies", "{'id': 'crank', 'points': {'axle': [0, 0], 'end': [0.4, 0.1]}, 'mass': 3,"
                 " 'inertia': 0.2, 'com': [0.2, 0.03], 'pose': [3, 0, 1]}"},
      {"bodies", "{'id': 'pendulum', 'points': {'top': [0, 0]}, 'mass': 2, 'inertia': 0.1,"
                 " 'com': [0.05, -0.3], 'pose': [3.1, 0.4, 0.2], 'velocity': [0, 0, 0.5]}"},
      {"joints", "{'id': 'axle', 'kind': 'revolute', 'a': 'ground.pivot', 'b': 'crank.axle'}"},
      {"joints", "{'id': 'knee', 'kind': 'revolute', 'a': 'crank.end', 'b': 'pendulum.top',"
                 " 'friction': {'torque': 0.4, 'speed': 0.3, 'viscous': 0.1}}"},
      {"joints", "{'id': 'turner1', 'kind': 'drive-angle', 'a': 'rocker', 'b': 'crank', 'signal':"
                 " {'kind': 'sine', 'amplitude': 0.3, 'frequency_hz': 0.8, 'phase': 0.4,"
                 "  'offset': 0.6}}"},
      {"bodies", "{'id': 'beam', 'points': {'foot': [0, 0], 'tip': [1, 0.1]}, 'mass': 5,"
                 " 'inertia': 0.6, 'com': [0.5, 0.02], 'pose': [7, 0, 0.5]}"},
      {"joints", "{'id': 'hinge', 'kind': 'revolute', 'a': 'ground.slot', 'b': 'beam.foot'}"},
      {"joints", "{'id': 'lifter', 'kind': 'drive-length', 'a': 'ground.rail', 'b': 'beam.tip',"
                 " 'signal': {'kind': 'gain', 'gain': 1.7, 'offset': 0.1, 'of': {'kind': 'sum',"
                 "  'weights': [0.5, 3], 'of': [{'kind': 'sine', 'amplitude': 0.2,"
                 "  'frequency_hz': 0.7, 'phase': 1, 'offset': 2.5}, 0.08]}}}"},
      {"loads", "{'id': 'tie', 'kind': 'spring', 'a': 'beam.tip', 'b': 'tip.out', 'stiffness': 400,"
                " 'damping': 12, 'free_length': 2}"},
      {"bodies", "{'id': 'tug', 'points': {'pin': [0.3, 0], 'blade': [-0.2, 0.1]}, 'mass': 20,"
                 " 'inertia': 2, 'com': [0.05, 0.02], 'pose': [15, 3, 0.3],"
                 " 'velocity': [0.8, 0.3, 0.1]}"},
      {"bodies", "{'id': 'tow', 'points': {'pin': [-0.4, 0.1], 'blade': [0.5, 0]}, 'mass': 15,"
                 " 'inertia': 1.5, 'com': [0.1, 0.1], 'pose': [15.7, 3.1, 0.5],"
                 " 'velocity': [0.7, 0.4, 0.2]}"},
      {"joints", "{'id': 'hitch', 'kind': 'revolute', 'a': 'tug.pin', 'b': 'tow.pin'}"},
      {"joints", "{'id': 'runner', 'kind': 'knife-edge', 'point': 'tug.blade', 'axis': 0.1}"},
      {"joints", "{'id': 'runner2', 'kind': 'knife-edge', 'point': 'tow.blade', 'axis': -0.2}"},
      {"joints", "{'id': 'steer', 'kind': 'drive-angle', 'a': 'tug', 'b': 'tow', 'signal':"
                 " {'kind': 'sine', 'amplitude': 0.4, 'frequency_hz': 0.5, 'phase': 0.2}}"},
  };
  g_autofree char *text = hl_test_every_kind (HL_MODEL_LUMPED, FALSE);
  json_t *model = json_loads (text, 0, NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    append (model, parts[k][0], parts[k][1]);
  return model;
}

static const char *const signal_fields[] = {"signal", "command", "opening", "speed", "flow"};

/* Puts a block around every number that is a signal. %.17g: that number. */
static void wrap_signals (json_t *model, const char *around) {
  static const char *const sections[] = {"loads", "components"};

  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++) {
    json_t *element;
    gsize index;
    json_array_foreach (json_object_get (model, sections[s]), index, element) {
      const HlKind *kind = hl_schema_find_kind (s == 0 ? HL_SECTION_LOADS : HL_SECTION_COMPONENTS,
                                                json_string_value (json_object_get (element, "kind")));
      for (gsize f = 0; f < G_N_ELEMENTS (signal_fields); f++) {
        json_t *number = json_object_get (element, signal_fields[f]);
        const HlField *field = hl_kind_find_field (kind, signal_fields[f]);
        if (!json_is_number (number) || field == NULL || field->type != HL_FIELD_SIGNAL)
          continue;
        char text[64];
        g_snprintf (text, sizeof text, "%.17g", json_number_value (number));
        g_auto (GStrv) pieces = g_strsplit (around, "%", 0);
        g_autofree char *block = g_strjoinv (text, pieces);
        json_object_set_new (element, signal_fields[f], parse (block));
      }
    }
  }
}

/* ---- the check ---- */

typedef struct {
  HlTestModel model;
  HlLinearModel *linear;
  HlObservable outputs[MOST_OUTPUTS];
  char *paths[MOST_OUTPUTS];
  int n_outputs;
  double *row[3]; /* rates and outputs */
} Bench;

static void collect (const char *path, const char *unit, void *data) {
  Bench *b = data;

  if (g_str_has_prefix (path, "energy."))
    return;
  g_assert_cmpint (b->n_outputs, <, MOST_OUTPUTS);
  g_assert_true (hl_observable_find (b->model.sys, path, &b->outputs[b->n_outputs]));
  b->paths[b->n_outputs++] = g_strdup (path);
}

/* Rates and outputs at the point, the states where they are. */
static bool evaluate (Bench *b, double out[]) {
  HlSystem *sys = b->model.sys;
  HlWork *work = b->model.work;
  int n = b->linear->n;

  if (hl_dynamics_eval (sys, 0.0, b->linear->x0, out, work, NULL) != HL_OK)
    return false;
  hl_dynamics_accelerations (sys, work);
  for (int k = 0; k < b->n_outputs; k++)
    out[n + k] = hl_observable_value (sys, work, b->outputs[k], NULL);
  return true;
}

/* Gives a signal these three numbers at t = 0: any of them is met by a sine of 1 rad/s. */
static void set_jet (HlSignal *signal, const double jet[3]) {
  signal->kind = HL_SIGNAL_SINE;
  signal->frequency_hz = 0.5 / G_PI;
  signal->amplitude = hypot (jet[1], jet[2]);
  signal->phase = atan2 (-jet[2], jet[1]);
  signal->offset = jet[0] + jet[2];
}

/* The derivative of all rows by one number of an input, with a step. */
static bool difference (Bench *b, int input, double h, double out[]) {
  static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
  const HlTopology *top = b->model.sys->topology;
  HlSignal *signal = &b->model.sys->signals[top->input_signal[input]], kept = *signal;
  int n = b->linear->n + b->n_outputs, order = top->input_order[input];
  double jet[3];
  bool is_good = true;

  memset (out, 0, (size_t)n * sizeof (double));
  hl_signal_jet (b->model.sys->signals, NULL, top->input_signal[input], 0.0, jet);
  for (int k = 0; k < 4 && is_good; k++) {
    double moved[3] = {jet[0], jet[1], jet[2]};
    moved[order] += offset[k] * h;
    set_jet (signal, moved);
    is_good = evaluate (b, b->row[0]);
    for (int row = 0; row < n; row++)
      out[row] += weight[k] * b->row[0][row] / (12.0 * h);
  }
  *signal = kept;
  return is_good;
}

/* Every row: within what two neighbouring steps differ by, and LIMIT of the largest of its kind. */
static int check_input (Bench *b, int input) {
  const char *name = hl_system_input_name (b->model.sys, input);
  int n = b->linear->n, rows = n + b->n_outputs, n_checked = 0;
  g_autofree double *now = g_new0 (double, rows), *last = g_new0 (double, rows),
                    *best = g_new0 (double, rows), *doubt = g_new0 (double, rows);
  double jet[3];

  for (int row = 0; row < rows; row++)
    doubt[row] = INFINITY;
  hl_signal_jet (b->model.sys->signals, NULL, b->model.sys->topology->input_signal[input], 0.0, jet);
  double scale = b->model.sys->topology->input_order[input] > 0 ? 1.0 : fmax (fabs (jet[0]), 1e-6);
  bool has_last = false;
  for (double h = 0.03 * scale; h > 1e-6 * scale; h *= 0.3) {
    if (!difference (b, input, h, now))
      continue;
    for (int row = 0; row < rows && has_last; row++)
      if (fabs (now[row] - last[row]) < doubt[row]) {
        doubt[row] = fabs (now[row] - last[row]);
        best[row] = now[row];
      }
    memcpy (last, now, (size_t)rows * sizeof (double));
    has_last = true;
  }
  g_assert_true (has_last);
  g_assert_true (evaluate (b, b->row[1]));
  for (int row = 0; row < rows; row++) {
    double got = row < n ? b->linear->B[input * n + row] : b->linear->D[input * b->n_outputs + row - n];
    double rounding = (1e-10 * fabs (b->row[1][row]) + 1e-12) / scale;
    if (isnan (got) && row >= n)
      continue; /* a force that has no tangent */
    n_checked += got != 0.0 && doubt[row] < SHARP * fabs (got);
    if (!(fabs (got - best[row]) <= LIMIT * fabs (got) + 20.0 * doubt[row] + rounding))
      g_error ("%s in %s: %.12g, by differences %.12g +- %.2g", name, row < n ? "a rate" : b->paths[row - n],
               got, best[row], doubt[row]);
  }
  return n_checked;
}

/* Every input; each moves something. */
static void check_machine (json_t *json, const char *what) {
  g_autofree char *text = json_dumps (json, 0);
  Bench b = {.model = hl_test_model_from_text (text)};

  hl_test_model_start (&b.model, HL_START_AS_GIVEN);
  hl_observable_visit (b.model.sys, collect, &b);
  b.linear = hl_linear_model_new (b.model.sys, b.model.work, b.model.point, b.outputs, b.n_outputs, NULL);
  g_assert_nonnull (b.linear);
  for (int k = 0; k < 3; k++)
    b.row[k] = g_new0 (double, b.linear->n + b.n_outputs);
  for (int input = 0; input < hl_system_n_inputs (b.model.sys); input++)
    if (check_input (&b, input) == 0)
      g_error ("%s: %s moves nothing", what, hl_system_input_name (b.model.sys, input));
  for (int k = 0; k < 3; k++)
    g_free (b.row[k]);
  for (int k = 0; k < b.n_outputs; k++)
    g_free (b.paths[k]);
  hl_linear_model_free (b.linear);
  hl_test_model_clear (&b.model);
}

static bool has_kind (json_t *model, const char *section, const char *kind) {
  json_t *element;
  gsize index;

  json_array_foreach (json_object_get (model, section), index,
                      element) if (g_strcmp0 (json_string_value (json_object_get (element, "kind")), kind) ==
                                   0) return true;
  return false;
}

static void test_numbers (void) {
  json_t *model = all_kinds ();

  for (int k = 0; k < hl_n_components; k++)
    if (hl_components[k]->n_signals > 0 && !has_kind (model, "components", hl_components[k]->kind.name))
      g_error ("‘%s’ has a signal and is not here", hl_components[k]->kind.name);
  for (int k = 0; k < hl_n_joints; k++)
    if (hl_joints[k]->is_driven && !has_kind (model, "joints", hl_joints[k]->kind.name))
      g_error ("‘%s’ is driven and is not here", hl_joints[k]->kind.name);
  for (int k = 0; k < hl_n_loads; k++)
    if (hl_loads[k]->input != NULL && !has_kind (model, "loads", hl_loads[k]->kind.name))
      g_error ("‘%s’ has a signal and is not here", hl_loads[k]->kind.name);
  check_machine (model, "numbers");
  json_decref (model);
}

static void test_blocks (void) {
  static const char *const around[] = {
      "{'kind': 'gain', 'gain': 1.5, 'of': %}",
      "{'kind': 'sum', 'weights': [0.4, 0.5], 'of': [%, {'kind': 'gain', 'gain': 1.2, 'of': %}]}",
      "{'kind': 'limit', 'min': -1e9, 'max': 1e9, 'of': {'kind': 'gain', 'gain': 0.9, 'of': %}}",
      "{'kind': 'dead-zone', 'width': 1e-9, 'of': %}",
      "{'kind': 'filter', 'time_constant': 0.1, 'of': {'kind': 'gain', 'gain': 0.9, 'of': %}}",
      "{'kind': 'lead-lag', 'lead': 0.2, 'lag': 0.1, 'of': {'kind': 'limit', 'min': -1e9, 'max': "
      "1e9, 'of': %}}",
      "{'kind': 'sum', 'weights': [0.9, 0.1], 'of': [%, {'kind': 'sensor', 'of': 'pendulum.angle',"
      " 'gain': 1e-5}]}",
      "{'kind': 'sum', 'weights': [1, 1e-6], 'of': [%, {'kind': 'pid', 'of': 'beam.tip.vx',"
      " 'target': {'kind': 'gain', 'gain': 2, 'of': %}, 'kp': 3, 'ki': 2, 'kd': 0.1,"
      " 'filter': 0.05}]}",
  };

  for (int block = 0; block < hl_n_blocks; block++) {
    g_autofree char *word = g_strdup_printf ("'kind': '%s'", hl_blocks[block]->kind.name);
    bool is_here = false;
    for (gsize k = 0; k < G_N_ELEMENTS (around); k++)
      is_here = is_here || strstr (around[k], word) != NULL;
    if (!is_here)
      g_error ("the block ‘%s’ is not here", hl_blocks[block]->kind.name);
  }
  for (gsize k = 0; k < G_N_ELEMENTS (around); k++) {
    json_t *model = all_kinds ();
    wrap_signals (model, around[k]);
    check_machine (model, around[k]);
    json_decref (model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/input-matrix-columns/columns-of-every-class", test_numbers);
  g_test_add_func ("/input-matrix-columns/columns-through-every-block", test_blocks);
  return g_test_run ();
}
