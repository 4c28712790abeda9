/* SPDX-License-Identifier: MIT */
/* Observables: every path is known to the document too, tangents are the derivatives of the values,
 * and points of bodies are where the joints say. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/document/hl-quantity-path.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "tests/support/hl-test-random-machine.h"
#include "tests/support/hl-test.h"

typedef struct {
  HlTestModel *model;
  int n;
} Walk;

static void check_path (const char *path, const char *unit, void *data) {
  Walk *walk = data;
  HlObservable of;
  HlPathInfo info;

  walk->n++;
  g_assert_cmpstr (unit, !=, "");
  g_assert_true (hl_observable_find (walk->model->sys, path, &of));
  g_assert_cmpstr (hl_observable_unit (of), ==, unit);
  if (!hl_path_find (walk->model->doc, path, &info, NULL))
    g_error ("‘%s’ is unknown to the document", path);
}

static void test_paths (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  Walk walk = {.model = &model};
  HlObservable of;

  hl_observable_visit (model.sys, check_path, &walk);
  g_assert_cmpint (walk.n, >, 50);
  g_assert_true (hl_observable_find (model.sys, "link2.C.x", &of));
  g_assert_cmpstr (hl_observable_unit (of), ==, "m");
  g_assert_true (hl_observable_find (model.sys, "link4.O2.vy", &of));
  g_assert_cmpstr (hl_observable_unit (of), ==, "m/s");
  g_assert_false (hl_observable_find (model.sys, "link2.C.angle", &of));
  g_assert_false (hl_observable_find (model.sys, "link2.nowhere.x", &of));
  hl_test_model_clear (&model);
}

static double value (HlTestModel *model, const char *path) {
  HlObservable of;
  g_assert_true (hl_observable_find (model->sys, path, &of));
  return hl_observable_value (model->sys, model->work, of, NULL);
}

/* The pressure at a port is another name for that of its line, for every port on a line; a port without a line has
 * none. */
static void test_ports (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  int n = 0;

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  for (int line = 0; line < hl_document_n_elements (model.doc, HL_SECTION_LINES); line++) {
    const HlValue *ports = hl_value_member (hl_document_element (model.doc, HL_SECTION_LINES, line), "ports");
    g_autofree char *of_line =
        g_strconcat (hl_document_element_id (model.doc, HL_SECTION_LINES, line), ".pressure", NULL);
    for (gsize k = 0; k < hl_value_length (ports); k++, n++) {
      g_auto (GStrv) port = g_strsplit (hl_value_string (hl_value_item (ports, k)), ".", 2);
      g_autofree char *path = g_strdup_printf ("%s.p%s", port[0], port[1]);
      HlPathInfo info;
      g_assert_cmpfloat (value (&model, path), ==, value (&model, of_line));
      g_assert_true (hl_path_find (model.doc, path, &info, NULL));
      g_assert_cmpint (info.quantity, ==, HL_QUANTITY_PRESSURE);
      g_assert_cmpstr (info.port, ==, port[1]);
    }
  }
  g_assert_cmpint (n, >=, 9);
  HlObservable of;
  g_assert_false (hl_observable_find (model.sys, "cyl.pC", &of));
  g_assert_false (hl_path_find (model.doc, "cyl.pC", &(HlPathInfo){0}, NULL));
  hl_test_model_clear (&model);
}

/* Two bodies agree on the joint they share; the velocity of a point is the rate of its place. */
static void test_points (void) {
  static const char *const parts[] = {"x", "y", "vx", "vy"};
  HlTestModel model = hl_test_model_load_with ("four-bar.hydrolink", "link2.omega", 1.7, NULL);
  double y[6], y_dot[6], moved[6], h = 1e-6, x[2], v[2];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  hl_state_pack (model.sys, model.work, model.point, y);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL), ==, HL_OK);
  for (int k = 0; k < 4; k++) {
    g_autofree char *one = g_strconcat ("link2.C.", parts[k], NULL),
                    *other = g_strconcat ("link3.C.", parts[k], NULL);
    hl_assert_near (value (&model, one), value (&model, other), 1e-13, 1e-13);
  }
  v[0] = value (&model, "link3.D.vx");
  v[1] = value (&model, "link3.D.vy");
  g_assert_cmpfloat (hypot (v[0], v[1]), >, 0.01);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 6; k++)
      moved[k] = y[k] + (side ? h : -h) * y_dot[k];
    hl_dynamics_eval (model.sys, 0.0, moved, y_dot, model.work, NULL);
    x[side] = value (&model, "link3.D.x");
    hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL);
  }
  hl_assert_near (v[0], (x[1] - x[0]) / (2.0 * h), 1e-6, 1e-8);
  hl_test_model_clear (&model);
}

/* Oil flows into an accumulator while its pressure rises: none where a source keeps the pressure,
 * whatever else the source feeds. */
static void test_accumulator_at_a_source (void) {
  HlTestModel model = hl_test_model_from_text (
      "{\"format\": \"hydrolink\", \"version\": 1, \"components\": ["
      "{\"id\": \"supply\", \"kind\": \"pressure-source\", \"pressure\": 8e6},"
      "{\"id\": \"tank\", \"kind\": \"tank\"},"
      "{\"id\": \"leak\", \"kind\": \"throttle\", \"area\": 1e-6},"
      "{\"id\": \"acc\", \"kind\": \"accumulator\", \"volume\": 1e-3, \"precharge\": 2e6}],"
      "\"lines\": [{\"id\": \"P\", \"ports\": [\"supply.P\", \"leak.A\", \"acc.A\"], \"volume\": "
      "1e-4},"
      "{\"id\": \"T\", \"ports\": [\"leak.B\", \"tank.T\"]}]}");
  double y_dot[1];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (hl_dynamics_eval (model.sys, 0.0, y_dot, y_dot, model.work, NULL), ==, HL_OK);
  g_assert_cmpfloat (value (&model, "leak.flow"), >, 1e-6);
  g_assert_cmpfloat (value (&model, "acc.flow"), ==, 0.0);
  hl_assert_near (value (&model, "acc.gas_volume"), 1e-3 * pow (0.25, 1.0 / 1.2), 1e-14, 0.0);
  hl_test_model_clear (&model);
}

/* ---- tangents of all observables of random machines ---- */

typedef struct {
  HlTestModel *model;
  const double *y;
  int column;
  double scale;
  HlMotion motion;
  int n_checked;
} Tangents;

static double value_at (Tangents *t, HlObservable of, double offset) {
  int n = t->model->work->n_states;
  g_autofree double *y = g_memdup2 (t->y, (gsize)n * sizeof (double)), *y_dot = g_new0 (double, n);

  y[t->column] += offset;
  if (hl_dynamics_eval (t->model->sys, 0.0, y, y_dot, t->model->work, NULL) != HL_OK)
    return NAN;
  hl_dynamics_accelerations (t->model->sys, t->model->work);
  return hl_observable_value (t->model->sys, t->model->work, of, NULL);
}

static void check_tangent (const char *path, const char *unit, void *data) {
  Tangents *t = data;
  HlObservable of;
  int n = t->model->work->n_states;
  double best = INFINITY;

  g_assert_true (hl_observable_find (t->model->sys, path, &of));
  g_autofree double *J = g_new (double, n *n), *dlambda = g_new (double, t->model->sys->mech.n_rows + 1),
                    *da = g_new (double, t->model->work->n + 1);
  g_assert_cmpint (hl_jacobian_eval (t->model->sys, 0.0, t->y, J, t->model->work, NULL), ==, HL_OK);
  hl_reaction_tangent (t->model->sys, t->model->work, &t->motion,
                       J + n * t->column + hl_off_v (t->model->work), dlambda, da);
  t->motion.dlambda = dlambda;
  t->motion.da = da;
  double got = hl_observable_tangent (t->model->sys, t->model->work, of, &t->motion);
  double at = hl_observable_value (t->model->sys, t->model->work, of, NULL);
  t->motion.dlambda = t->motion.da = NULL;
  if (g_str_has_prefix (path, "energy.")) {
    g_assert_true (isnan (got));
    return;
  }
  for (double h = 1e-2 * t->scale; h > 1e-7 * t->scale; h *= 0.1) {
    double want = (8.0 * (value_at (t, of, h) - value_at (t, of, -h)) - value_at (t, of, 2.0 * h) +
                   value_at (t, of, -2.0 * h)) /
                  (12.0 * h);
    double error = fabs (got - want) / (1e-6 * fabs (got) + 1e-14 * fabs (at) / h + 1e-9 / t->scale);
    best = fmin (best, error);
  }
  t->n_checked++;
  if (!(best < 1.0))
    g_error ("%s [%s] by state %d: tangent %.10g, %g of the limit", path, unit, t->column, got, best);
}

static void test_tangents (void) {
  int n_checked = 0;

  for (int k = 0; k < 6; k++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    if (k % 2 == 1)
      json_object_set_new (json_object_get (machine, "fluid"), "air_fraction", json_real (0.1));
    HlTestModel model = hl_test_machine_compile (machine);

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PIVOT, NULL, 0, NULL);
    int n = model.work->n_states, coordinates = model.work->n;
    g_autofree double *y = g_new0 (double, n), *dy = g_new0 (double, n), *J = g_new0 (double, n *n),
                      *dx = g_new0 (double, coordinates), *dv = g_new0 (double, coordinates),
                      *ds = g_new0 (double, model.sys->n_signals + 1);
    hl_state_pack (model.sys, model.work, model.point, y);
    for (int column = 0; column < n; column++) {
      bool is_pressure = column >= hl_off_p (model.work) && column < hl_off_u (model.work);
      Tangents t = {.model = &model,
                    .y = y,
                    .column = column,
                    .scale = is_pressure                       ? 1e5
                             : column >= hl_off_u (model.work) ? 1e-3
                                                               : 1.0};
      memset (dy, 0, (size_t)n * sizeof (double));
      dy[column] = 1.0;
      hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL);
      hl_tangent_expand (model.sys, model.work, dy, dx, dv);
      t.motion = (HlMotion){dx, dv, dy + hl_off_p (model.work), dy + hl_off_u (model.work), ds};
      hl_observable_visit (model.sys, check_tangent, &t);
      n_checked += t.n_checked;
    }
    hl_test_model_clear (&model);
    json_decref (machine);
  }
  g_assert_cmpint (n_checked, >, 800);
}

/* ---- what a value is computed from ---- */

typedef struct {
  HlTestModel *model;
  HlSystem *other; /* the same with other signals */
  HlWork *look;    /* in the same partition */
  double *y, *elsewhere, *y_dot;
  int n_values, n_independent;
} Observed;

static double value_by (const HlSystem *sys, HlWork *work, const double y[], double y_dot[], HlObserved what,
                        HlObservable of) {
  hl_work_forget_poses (work);
  if (hl_dynamics_look (sys, 0.0, y, what, y_dot, work, NULL) != HL_OK)
    return NAN; /* the linkage cannot be assembled there */
  if (hl_observable_needs_multipliers (of))
    hl_dynamics_accelerations (sys, work);
  return hl_observable_value (sys, work, of, NULL);
}

/* The parts named give the value, and nothing else changes it. */
static void check_observed (const char *path, const char *unit, void *data) {
  Observed *o = data;
  HlWork *work = o->model->work;
  int v = hl_off_v (work), ad = hl_off_ad (work), p = hl_off_p (work);
  HlObservable of;

  g_assert_true (hl_observable_find (o->model->sys, path, &of));
  HlObserved what = hl_observable_observed (o->model->sys, work, of);
  double want = value_by (o->model->sys, work, o->y, o->y_dot, HL_OBSERVES_ALL, of);
  double before = value_by (o->model->sys, o->look, o->elsewhere, o->y_dot, HL_OBSERVES_ALL, of);
  if (isnan (want) || isnan (before))
    return;
  /* Poses are found by iteration, to the last bits alone. A speed of 1e-16 m/s is then a force of 1e-9 N of a seal whose
   * friction turns within 1e-4 m/s. */
  double rounding = 1e-8 * (fabs (want) + fabs (before)) + 1e-8;
  o->n_values++;
  double got = value_by (o->model->sys, o->look, o->y, o->y_dot, what, of);
  if (!(fabs (got - want) <= rounding))
    g_error ("%s is %.17g, from its parts (%d) %.17g", path, want, (int)what, got);
  if ((what & HL_OBSERVES_SIGNALS) != 0)
    return;
  g_autofree double *y = g_memdup2 (o->y, (gsize)work->n_states * sizeof (double));
  if ((what & HL_OBSERVES_MOTION) != HL_OBSERVES_MOTION)
    memcpy (y + v, o->elsewhere + v, (gsize)(ad - v) * sizeof (double));
  if ((what & HL_OBSERVES_STATES) == 0)
    memcpy (y + p, o->elsewhere + p, (gsize)(work->n_states - p) * sizeof (double));
  o->n_independent++;
  got = value_by (o->other, o->look, y, o->y_dot, HL_OBSERVES_ALL, of);
  if (!(fabs (got - want) <= rounding))
    g_error ("%s is %.17g and depends on more than its parts (%d): %.17g", path, want, (int)what, got);
}

static void test_observed (void) {
  Observed o = {0};

  for (int k = 0; k < 80; k++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    HlTestModel model = hl_test_machine_compile (machine);

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    o.model = &model;
    o.other = hl_system_copy (model.sys);
    for (int s = 0; s < o.other->n_signals; s++)
      o.other->signals[s].value += 0.1;
    o.look = hl_work_new (model.sys);
    hl_work_enter_segment (model.sys, o.look, 0.0);
    hl_partition_choose (model.sys, model.work, model.point->x, HL_PARTITION_PIVOT, NULL, 0, NULL);
    hl_partition_choose (model.sys, o.look, model.point->x, HL_PARTITION_PIVOT, NULL, 0, NULL);
    int n = model.work->n_states;
    o.y = g_new0 (double, n + 1), o.elsewhere = g_new0 (double, n + 1), o.y_dot = g_new0 (double, n + 1);
    hl_state_pack (model.sys, model.work, model.point, o.y);
    for (int state = 0; state < n; state++) {
      double size = state < hl_off_v (model.work) ? 1e-4 : 0.1 * (1.0 + fabs (o.y[state]));
      o.elsewhere[state] = o.y[state] + size * hl_test_uniform (-1.0, 1.0);
    }
    hl_observable_visit (model.sys, check_observed, &o);
    g_free (o.y), g_free (o.elsewhere), g_free (o.y_dot);
    hl_work_free (o.look);
    hl_system_unref (o.other);
    hl_test_model_clear (&model);
    json_decref (machine);
  }
  g_test_message ("%d values, %d of them independent of something", o.n_values, o.n_independent);
  g_assert_cmpint (o.n_values, >, 10000);
  g_assert_cmpint (o.n_independent, >, 1000);
}

/* ---- every output of every example ---- */

typedef struct {
  const HlSystem *sys;
  GArray *outputs;    /* HlObservable */
  GPtrArray *paths;   /* owned */
  int n_rows, energy; /* first of the five energies */
  double first[5], worst, size;
} Recording;

static void collect (const char *path, const char *unit, void *data) {
  Recording *r = data;
  HlObservable of;

  g_assert_true (hl_observable_find (r->sys, path, &of));
  if (strcmp (path, "energy.kinetic") == 0)
    r->energy = (int)r->outputs->len;
  g_array_append_val (r->outputs, of);
  g_ptr_array_add (r->paths, g_strdup (path));
}

static bool check_row (double t, const double values[], void *data) {
  static const double sign[] = {1.0, 1.0, 1.0, 1.0, -1.0};
  Recording *r = data;
  double balance = 0.0;

  for (guint k = 0; k < r->outputs->len; k++)
    if (!isfinite (values[k]))
      g_error ("%s is %g at %g s", (char *)g_ptr_array_index (r->paths, k), values[k], t);
  for (int k = 0; k < 5; k++) {
    double energy = values[r->energy + k];
    if (r->n_rows == 0)
      r->first[k] = energy;
    balance += sign[k] * (energy - r->first[k]);
    r->size = fmax (r->size, fabs (energy - r->first[k]));
  }
  r->worst = fmax (r->worst, fabs (balance));
  r->n_rows++;
  return true;
}

/* All are finite all along a run of the lumped model, and what the energies lack in balance is
 * nothing beside what moves. */
static void test_examples (gconstpointer name) {
  HlTestModel model = hl_test_model_load (name);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Recording r = {.sys = model.sys,
                 .outputs = g_array_new (FALSE, FALSE, sizeof (HlObservable)),
                 .paths = g_ptr_array_new_with_free_func (g_free)};

  hl_observable_visit (model.sys, collect, &r);
  options.model = HL_MODEL_LUMPED;
  options.formulation = HL_FORMULATION_REDUCED;
  options.t_end = fmin (options.t_end, 1.0);
  options.every = options.t_end / 50.0;
  options.rtol = 1e-9;
  options.outputs = (const HlObservable *)(void *)r.outputs->data;
  options.n_outputs = (int)r.outputs->len;
  options.row = check_row;
  options.row_data = &r;
  g_assert_cmpint (hl_simulate (model.sys, &options, NULL, NULL), ==, HL_OK);
  g_test_message ("%u outputs, energies balance to %.1e of %.3g J", r.outputs->len,
                  r.size > 0.0 ? r.worst / r.size : 0.0, r.size);
  g_assert_cmpint (r.n_rows, ==, 51);
  g_assert_cmpfloat (r.worst, <=, 1e-6 * r.size * hl_test_tolerance_scale ());
  g_array_unref (r.outputs);
  g_ptr_array_unref (r.paths);
  hl_test_model_clear (&model);
}

static void add_examples (void) {
  g_autofree char *folder = hl_test_example_path (".");
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_strconcat ("/observables/all-of/", name, NULL);
    if (g_str_has_suffix (name, ".hydrolink"))
      g_test_add_data_func_full (path, g_strdup (name), test_examples, g_free);
  }
  g_dir_close (dir);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/observables/paths", test_paths);
  g_test_add_func ("/observables/pressures-at-ports", test_ports);
  g_test_add_func ("/observables/points-of-bodies", test_points);
  g_test_add_func ("/observables/accumulator-at-a-source", test_accumulator_at_a_source);
  g_test_add_func ("/observables/tangents-are-derivatives", test_tangents);
  g_test_add_func ("/observables/are-computed-from-the-parts-they-name", test_observed);
  add_examples ();
  return g_test_run ();
}
