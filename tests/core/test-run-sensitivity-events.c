/* SPDX-License-Identifier: MIT */
/* Sensitivities of runs past every kind of event, by every number of every class of components, against differences
 * of whole runs with several steps: in the small machine of each class, with numbers drawn at random, where oil that
 * comes and goes carries pressures and pistons over their edges. Where runs of neighbors pass other events, or in
 * another order, there is nothing to be compared.
 *
 * HL_TANGENT_MACHINES: so many draws of each class (1), HL_TANGENT_SEED: the first of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "core/compile/hl-compile.h"
#include "core/hydro/hl-component.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-observable-values.h"
#include "tests/support/hl-component-test-machine.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-case-subset.h"
#include "tests/support/hl-test.h"

#define MOST_OUTPUTS 24
#define MOST_ROWS 70
#define MOST_EVENTS 1000
#define RTOL 1e-9
#define TOLERANCE 5e-3 /* of the largest slope; what a jump that is left out costs is its own size */

typedef struct {
  double t;
  int what; /* edge, and whether it rises */
} Event;

typedef struct {
  double t[MOST_ROWS], values[MOST_ROWS][MOST_OUTPUTS], slopes[MOST_ROWS][MOST_OUTPUTS];
  int n, n_slopes, n_outputs;
  Event events[MOST_EVENTS];
  int n_events;
  bool has_number; /* whose slopes there are */
  bool has_jumps;  /* some event is one of a store */
  bool is_lost;    /* no derivative, and it says so */
  const HlSystem *sys;
} Run;

static bool keep_row (double t, const double values[], void *data) {
  Run *run = data;

  if (run->n < MOST_ROWS) {
    run->t[run->n] = t;
    memcpy (run->values[run->n++], values, sizeof (double) * (gsize)run->n_outputs);
  }
  return true;
}

static void keep_slopes (double t, const double slopes[], void *data) {
  Run *run = data;

  (void)t;
  if (run->n_slopes < MOST_ROWS && run->has_number)
    memcpy (run->slopes[run->n_slopes++], slopes, sizeof (double) * (gsize)run->n_outputs);
}

static void keep_event (const HlTangentEvent *event, void *data) {
  Run *run = data;

  if (event->passage != HL_TANGENT_PASSES) {
    run->is_lost = true;
    return;
  }
  if (run->n_events < MOST_EVENTS)
    run->events[run->n_events++] = (Event){event->t, 2 * event->edge + event->rises};
  run->has_jumps |= hl_edges_get (run->sys, event->edge).kind == HL_EDGE_STORE;
}

typedef struct {
  HlObservable outputs[MOST_OUTPUTS];
  char *names[MOST_OUTPUTS];
  int n;
  const HlSystem *sys;
} Outputs;

static void take_output (const char *path, const char *unit, void *data) {
  Outputs *outputs = data;
  HlObservable found;
  gboolean is_own = g_str_has_prefix (path, HL_TEST_CLASS_ID ".") || strcmp (path, "a.pressure") == 0 ||
                    strcmp (path, "b.pressure") == 0 || strcmp (path, "cart.x") == 0 ||
                    strcmp (path, "rocker.angle") == 0;

  (void)unit;
  if (is_own && outputs->n < MOST_OUTPUTS && hl_observable_find (outputs->sys, path, &found) &&
      !hl_observable_needs_energy (found)) {
    outputs->names[outputs->n] = g_strdup (path);
    outputs->outputs[outputs->n++] = found;
  }
}

static HlStatus simulate (const HlSystem *sys, const Outputs *outputs, const HlTangentNumber *number,
                          HlMethod method, Run *run) {
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlTangent tangent = {number, number != NULL ? 1 : 0, keep_slopes, keep_event, run};

  run->n = run->n_slopes = run->n_events = 0;
  run->has_jumps = run->is_lost = false;
  run->sys = sys;
  run->n_outputs = outputs->n;
  run->has_number = number != NULL;
  options.outputs = outputs->outputs;
  options.n_outputs = outputs->n;
  options.rtol = RTOL;
  options.max_steps = 10000;
  options.method = method;
  options.row = keep_row;
  options.row_data = run;
  options.tangent = &tangent;
  return hl_simulate (sys, &options, NULL, NULL);
}

/* Returns whether two runs pass the same events in the same order. */
static bool is_alike (const Run *a, const Run *b) {
  if (a->n_events != b->n_events || a->n != b->n)
    return false;
  for (int k = 0; k < a->n_events; k++)
    if (a->events[k].what != b->events[k].what)
      return false;
  return true;
}

/* Returns the number of events that a run has passed before t. */
static int events_before (const Run *run, double t) {
  int n = 0;

  while (n < run->n_events && run->events[n].t < t)
    n++;
  return n;
}

typedef struct {
  int n_compared, n_unlike, n_refused, n_lost, n_jumps, n_blunt;
  double worst;
} Count;

#define STEPS 3

/* The machine with p + step of the number. */
static HlSystem *moved (const HlTestModel *model, const char *path, double value) {
  const char *const paths[] = {path, NULL};
  HlDocument *document = hl_reshape_document (model->doc, paths, NULL, value);
  HlSystem *sys = document != NULL ? hl_reshape_system (document, model->sys, NULL) : NULL;

  if (document != NULL)
    hl_document_unref (document);
  return sys;
}

/* Slopes of whole runs: central differences with falling steps, two of them made one of fourth order; the best pair
 * is the one that agrees best with the next. `spread`: by how much, at each place. False: runs differ in kind. */
static bool differences (const HlTestModel *model, const Outputs *outputs, const char *path, double value,
                         HlMethod method, const Run *own, double slope[][MOST_OUTPUTS],
                         double spread[][MOST_OUTPUTS], bool near_event[]) {
  g_autofree Run *ends = g_new (Run, 2);
  double (*tables)[MOST_ROWS][MOST_OUTPUTS] = g_malloc0 (STEPS * sizeof *tables);
  bool good = true;
  int n_good = 0;

  memset (near_event, 0, MOST_ROWS * sizeof (bool));
  for (int level = 0; level < STEPS; level++) {
    double step = 2e-3 * fabs (value) * pow (0.25, level);
    bool alike = true;
    for (int side = 0; side < 2 && alike; side++) {
      HlSystem *sys = moved (model, path, value + (side == 0 ? -step : step));
      alike = sys != NULL && simulate (sys, outputs, NULL, method, &ends[side]) == HL_OK &&
              is_alike (own, &ends[side]);
      if (sys != NULL)
        hl_system_unref (sys);
    }
    if (!alike) {
      n_good = 0; /* larger steps do not count */
      continue;
    }
    for (int row = 0; row < own->n; row++) {
      if (events_before (&ends[0], own->t[row]) != events_before (&ends[1], own->t[row]))
        near_event[row] = true;
      for (int k = 0; k < own->n_outputs; k++)
        tables[n_good][row][k] = (ends[1].values[row][k] - ends[0].values[row][k]) / (2.0 * step);
    }
    n_good++;
  }
  good = n_good >= 3;
  for (int row = 0; row < own->n && good; row++)
    for (int k = 0; k < own->n_outputs; k++) {
      double best = INFINITY;
      for (int level = 0; level + 2 < n_good; level++) {
        double one = (16.0 * tables[level + 1][row][k] - tables[level][row][k]) / 15.0;
        double next = (16.0 * tables[level + 2][row][k] - tables[level + 1][row][k]) / 15.0;
        if (fabs (next - one) < best) {
          best = fabs (next - one);
          slope[row][k] = 0.5 * (one + next);
          spread[row][k] = best;
        }
      }
    }
  g_free (tables);
  return good;
}

static void check_number (const HlTestModel *model, const Outputs *outputs, const char *path, const char *of,
                          HlMethod method, Count *count) {
  static const double at[HL_TANGENT_NODES] = {-1.0, -0.5, 0.5, 1.0};
  g_autofree Run *own = g_new (Run, 1);
  double (*slope)[MOST_OUTPUTS] = g_malloc0 (MOST_ROWS * sizeof *slope);
  double (*spread)[MOST_OUTPUTS] = g_malloc0 (MOST_ROWS * sizeof *spread);
  bool near_event[MOST_ROWS];
  HlTangentNumber number = {0};
  double value = NAN;
  bool good =
      hl_document_get_number (model->doc, path, &value, NULL, NULL) && isfinite (value) && value != 0.0;

  for (int j = 0; j < HL_TANGENT_NODES && good; j++) {
    number.steps[j] = at[j] * 1e-3 * fabs (value);
    number.systems[j] = moved (model, path, value + number.steps[j]);
    good = number.systems[j] != NULL;
  }
  if (good)
    hl_tangent_weights (number.steps, number.weights);
  good = good && simulate (model->sys, outputs, &number, method, own) == HL_OK;
  if (!good)
    count->n_refused++;
  else if (own->is_lost)
    count->n_lost++;
  else if (!differences (model, outputs, path, value, method, own, slope, spread, near_event))
    count->n_unlike++;
  else {
    double worst = 0.0;
    int worst_row = 0, worst_output = 0;
    count->n_compared++;
    count->n_jumps += own->has_jumps;
    for (int k = 0; k < outputs->n; k++) {
      double largest = 0.0, blunt = 0.0;
      for (int row = 0; row < own->n; row++)
        if (!near_event[row]) {
          largest = fmax (largest, fabs (slope[row][k]));
          blunt = fmax (blunt, spread[row][k]);
        }
      if (largest == 0.0 || blunt > 1e-3 * largest) {
        count->n_blunt += largest > 0.0;
        continue;
      }
      for (int row = 0; row < own->n; row++) {
        double error = fabs (own->slopes[row][k] - slope[row][k]) - 3.0 * spread[row][k];
        if (!near_event[row] && error / largest > worst) {
          worst = error / largest;
          worst_row = row;
          worst_output = k;
        }
      }
    }
    count->worst = fmax (count->worst, worst);
    if (worst > 1e-4)
      g_test_message ("  %s by %s: %s at %g: %g, differences %g +- %g (%.2g), %d events%s", of, path,
                      outputs->names[worst_output], own->t[worst_row], own->slopes[worst_row][worst_output],
                      slope[worst_row][worst_output], spread[worst_row][worst_output], worst, own->n_events,
                      own->has_jumps ? ", of stores" : "");
  }
  for (int j = 0; j < HL_TANGENT_NODES; j++)
    if (number.systems[j] != NULL)
      hl_system_unref ((HlSystem *)number.systems[j]);
  g_free (slope);
  g_free (spread);
}

/* Scales every number below a value that is one. */
static void shake (json_t *value, GRand *chance) {
  const char *key;
  json_t *member;
  size_t k;

  json_object_foreach (value, key, member) {
    if (json_is_real (member) || (json_is_integer (member) && json_integer_value (member) > 8))
      json_object_set_new (
          value, key, json_real (json_number_value (member) * exp (g_rand_double_range (chance, -0.4, 0.4))));
    else
      shake (member, chance);
  }
  json_array_foreach (value, k, member) if (json_is_object (member)) shake (member, chance);
}

static json_t *find_id (json_t *list, const char *id) {
  size_t k;
  json_t *one;

  json_array_foreach (list, k,
                      one) if (strcmp (json_string_value (json_object_get (one, "id")), id) == 0) return one;
  return NULL;
}

/* The machine of a class with other numbers, whose oil comes and goes. */
static char *draw (const char *kind, GRand *chance) {
  g_autofree char *text = hl_test_class_machine (kind);
  json_t *root = json_loads (text, 0, NULL), *components = json_object_get (root, "components"),
         *lines = json_object_get (root, "lines");
  char *out, *own;

  shake (find_id (components, HL_TEST_CLASS_ID), chance);
  for (int side = 0; side < 2; side++) {
    json_array_append_new (components, json_pack ("{s:s, s:s, s:{s:s, s:f, s:f, s:f}}", "id",
                                                  side == 0 ? "beat" : "pulse", "kind", "flow-source", "flow",
                                                  "kind", "sine", "amplitude",
                                                  1.5e-4 * exp (g_rand_double_range (chance, -1.2, 0.7)),
                                                  "frequency_hz", g_rand_double_range (chance, 2.0, 11.0),
                                                  "phase", g_rand_double_range (chance, 0.0, 6.0)));
    json_array_append_new (json_object_get (find_id (lines, side == 0 ? "a" : "b"), "ports"),
                           json_string (side == 0 ? "beat.P" : "pulse.P"));
  }
  if (g_rand_boolean (chance) &&
      strcmp (kind, "accumulator") != 0) { /* and stores that begin and cease to take it */
    json_array_append_new (components,
                           json_pack ("{s:s, s:s, s:f, s:f}", "id", "bag", "kind", "accumulator", "volume",
                                      1e-4 * exp (g_rand_double_range (chance, -1.0, 1.0)), "precharge",
                                      1.5e6 * exp (g_rand_double_range (chance, -1.0, 1.0))));
    json_array_append_new (json_object_get (find_id (lines, g_rand_boolean (chance) ? "a" : "b"), "ports"),
                           json_string ("bag.A"));
  }
  json_t *it = find_id (components, HL_TEST_CLASS_ID);
  if (strcmp (kind, "accumulator") == 0) {
    static const char *const types[] = {"bladder", "piston", "spring"};
    int type = g_rand_int_range (chance, 0, 3);
    json_object_set_new (it, "type", json_string (types[type]));
    if (type == 1)
      json_object_set_new (it, "resistance", json_real (1e9 * exp (g_rand_double_range (chance, -1.0, 1.0))));
    if (type == 2)
      json_object_set_new (it, "full_pressure",
                           json_real (3e6 * exp (g_rand_double_range (chance, -0.5, 0.5))));
  }
  if (strcmp (kind, "cylinder") == 0) /* a stop not far away */
    json_object_set_new (it, "c1", json_real (0.92 + g_rand_double_range (chance, 0.0, 0.075)));
  json_object_set_new (json_object_get (root, "simulation"), "every", json_real (0.0043));
  json_object_set_new (json_object_get (root, "simulation"), "t_end", json_real (0.12));
  out = json_dumps (root, JSON_REAL_PRECISION (15));
  own = g_strdup (out);
  free (out);
  json_decref (root);
  return own;
}

static gboolean is_ours (const char *path) {
  static const char *const ours[] = {HL_TEST_CLASS_ID ".", "bag.", "beat.flow.", "fluid.", "way_in.area"};

  for (gsize k = 0; k < G_N_ELEMENTS (ours); k++)
    if (g_str_has_prefix (path, ours[k]))
      return TRUE;
  return FALSE;
}

static void check_class (gconstpointer data) {
  const char *kind = data, *machines = g_getenv ("HL_TANGENT_MACHINES"),
             *first = g_getenv ("HL_TANGENT_SEED");
  guint n = machines != NULL ? (guint)atoi (machines) : 1, seed = first != NULL ? (guint)atoi (first) : 1;
  Count count = {0};

  for (guint m = 0; m < n; m++) {
    GRand *chance = g_rand_new_with_seed (1000 * (seed + m) + g_str_hash (kind) % 1000);
    g_autofree char *text = draw (kind, chance);
    HlTestModel model = hl_test_model_from_text (text);
    g_auto (GStrv) paths = hl_document_list_paths (model.doc, TRUE);
    Outputs outputs = {.sys = model.sys};
    g_autofree char *of = g_strdup_printf ("%s %u", kind, seed + m);
    HlMethod method = g_rand_boolean (chance) ? HL_METHOD_RADAU : HL_METHOD_BDF;
    hl_observable_visit (model.sys, take_output, &outputs);
    /* one number of the class itself, all of an accumulator, and every third of all in a campaign */
    guint n_own = 0, own;
    for (char **p = paths; *p != NULL; p++)
      n_own += g_str_has_prefix (*p, HL_TEST_CLASS_ID ".");
    own = n_own > 0 ? g_rand_int (chance) % n_own : 0;
    for (char **p = paths; *p != NULL; p++) {
      gboolean is_own = g_str_has_prefix (*p, HL_TEST_CLASS_ID ".");
      gboolean is_taken = machines != NULL ? g_rand_int_range (chance, 0, 3) == 0
                                           : is_own && (own-- == 0 || strcmp (kind, "accumulator") == 0);
      if (is_ours (*p) && is_taken)
        check_number (&model, &outputs, *p, of, method, &count);
    }
    for (int k = 0; k < outputs.n; k++)
      g_free (outputs.names[k]);
    hl_test_model_clear (&model);
    g_rand_free (chance);
  }
  g_test_message ("%s: %d compared, %d past stores, %d pass other events, %d refused, %d lost, %d "
                  "outputs without differences; worst %.2g",
                  kind, count.n_compared, count.n_jumps, count.n_unlike, count.n_refused, count.n_lost,
                  count.n_blunt, count.worst);
  g_assert_cmpfloat (count.worst, <=, TOLERANCE);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (int k = 0; k < hl_n_components; k++) {
    const char *kind = hl_components[k]->kind.name;
    g_autofree char *path = g_strdup_printf ("/run-sensitivity-events/%s", kind);
    if (!hl_case_share_takes ((guint)k))
      continue;
    g_test_add_data_func (path, kind, check_class);
  }
  return g_test_run ();
}
