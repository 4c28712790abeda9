/* SPDX-License-Identifier: MIT */
/* A run that BDF gives up is made again with Radau: all its rows, and only its. Where rows have to stand, where BDF
 * would let a swing grow or its errors add up, and where its steps stay too short, Radau goes on from there. */
#include <math.h>

#include "core/system/hl-state-rank-scale.h"
#include "tests/support/hl-example-run.h"

typedef struct {
  GArray *t, *x;
  int n_again;
  HlMethod method;
  double t_gave_up;
} Rows;

static bool keep (double t, const double values[], void *data) {
  Rows *rows = data;

  g_array_append_val (rows->t, t);
  g_array_append_val (rows->x, values[0]);
  return true;
}

static bool begin_again (HlMethod method, const HlFault *why, void *data) {
  Rows *rows = data;

  g_assert_cmpint (why->status, ==, HL_TOO_MUCH_WORK);
  rows->n_again++;
  rows->method = method;
  rows->t_gave_up = why->time;
  g_array_set_size (rows->t, 0);
  g_array_set_size (rows->x, 0);
  return true;
}

static HlStatus run (HlTestModel *model, HlMethod method, gboolean may_again, Rows *rows, HlSimStats *stats) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable out;
  HlFault fault = {.time = NAN, .entity = -1};

  *rows = (Rows){.t = g_array_new (FALSE, FALSE, sizeof (double)),
                 .x = g_array_new (FALSE, FALSE, sizeof (double))};
  g_assert_true (hl_observable_find (model->sys, "crank.angle", &out));
  options.outputs = &out;
  options.n_outputs = 1;
  options.t_end = 0.02;
  options.every = 0.001;
  options.rtol = 1e-13;
  options.formulation = HL_FORMULATION_BAUMGARTE; /* where Radau does not take over for the number of steps */
  options.method = method;
  options.row = keep;
  options.row_data = rows;
  options.again = may_again ? begin_again : NULL;
  options.again_data = rows;
  return hl_simulate (model->sys, &options, stats, &fault);
}

static void clear (Rows *rows) {
  g_array_unref (rows->t);
  g_array_unref (rows->x);
}

static void test_again (void) {
  HlTestModel model = hl_test_model_load ("slider-crank.hydrolink");
  HlSimStats stats;
  Rows alone, again, radau;

  g_assert_cmpint (run (&model, HL_METHOD_BDF, FALSE, &alone, &stats), ==, HL_TOO_MUCH_WORK);
  g_assert_false (stats.again);
  g_assert_cmpint (run (&model, HL_METHOD_RADAU, TRUE, &radau, &stats), ==, HL_OK);
  g_assert_false (stats.again);
  g_assert_cmpint (stats.method, ==, HL_METHOD_RADAU);
  g_assert_cmpint (radau.n_again, ==, 0);
  g_assert_cmpint (run (&model, HL_METHOD_BDF, TRUE, &again, &stats), ==, HL_OK);
  g_assert_cmpint (again.n_again, ==, 1);
  g_assert_true (stats.again);
  g_assert_cmpint (stats.method, ==, HL_METHOD_RADAU);
  g_assert_cmpint (again.method, ==, HL_METHOD_RADAU);
  g_assert_cmpfloat (stats.t_gave_up, ==, again.t_gave_up);
  g_assert_true (stats.t_gave_up > 0.0 && stats.t_gave_up < 0.02);
  /* to the bit, from the first row on */
  g_assert_cmpmem (again.t->data, again.t->len * sizeof (double), radau.t->data,
                   radau.t->len * sizeof (double));
  g_assert_cmpmem (again.x->data, again.x->len * sizeof (double), radau.x->data,
                   radau.x->len * sizeof (double));
  g_assert_cmpuint (again.t->len, ==, 21);
  clear (&alone);
  clear (&again);
  clear (&radau);
  hl_test_model_clear (&model);
}

/* ---- the other method goes on ---- */

typedef struct {
  double last_t, first, last; /* of a row; largest |value| in the first and the last twentieth */
  double t_end;
  int n_rows, n_asked;
} Course;

static bool follow (double t, const double values[], void *data) {
  Course *course = data;

  g_assert_cmpfloat (t, >, course->last_t);
  course->last_t = t;
  course->n_rows++;
  if (t < 0.05 * course->t_end)
    course->first = fmax (course->first, fabs (values[0]));
  if (t > 0.95 * course->t_end)
    course->last = fmax (course->last, fabs (values[0]));
  return true;
}

static bool keep_rows (HlMethod method, const HlFault *why, void *data) {
  (void)method;
  (void)why;
  ((Course *)data)->n_asked++;
  return false;
}

static HlSimStats run_course (HlTestModel *model, const char *path, HlSimOptions options, Course *course) {
  HlObservable out;
  HlSimStats stats;
  HlFault fault = {.time = NAN, .entity = -1};

  *course = (Course){.last_t = -1.0, .t_end = options.t_end};
  g_assert_true (hl_observable_find (model->sys, path, &out));
  options.outputs = &out;
  options.n_outputs = 1;
  options.row = follow;
  options.row_data = options.again_data = course;
  options.again = keep_rows;
  g_assert_cmpint (hl_simulate (model->sys, &options, &stats, &fault), ==, HL_OK);
  return stats;
}

/* Rows that have left stand: each time once, and from where BDF gave up those of Radau. */
static void test_goes_on (void) {
  HlTestModel model = hl_test_model_load ("slider-crank.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Course course;

  options.t_end = 0.02;
  options.every = 0.001;
  options.rtol = 1e-13;
  options.formulation = HL_FORMULATION_BAUMGARTE;
  HlSimStats stats = run_course (&model, "crank.angle", options, &course);
  g_assert_cmpint (course.n_rows, ==, 21);
  g_assert_cmpint (course.n_asked, ==, 1);
  g_assert_cmpint (stats.takeover.why, ==, HL_TAKEOVER_GAVE_UP);
  g_assert_cmpint (stats.method, ==, HL_METHOD_RADAU);
  g_assert_false (stats.again);
  g_assert_true (stats.takeover.t > 0.0 && stats.takeover.t < 0.02);
  hl_test_model_clear (&model);
}

/* A mass of 100 kg between two columns of trapped oil, one of which pushes. */
static HlTestModel load_on_oil (double push, double viscous) {
  g_autofree char *pressure = g_strdup_printf ("%.17g", 1e7 + push);
  g_autofree char *friction = g_strdup_printf ("%.17g", viscous);

  return hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0],"
      "'ground': {'points': {'O': [0, 0], 'X': [1, 0]}},"
      "'bodies': [{'id': 'm', 'mass': 100, 'inertia': 1, 'pose': [1, 0, 0], 'points': {'P': [0, "
      "0]}}],"
      "'joints': [{'id': 'g', 'kind': 'prismatic', 'a': 'ground.X', 'b': 'm.P', 'axis': 0, "
      "'angle': 0}],"
      "'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'm.P', "
      "'piston_area': 1e-3, 'rod_side_area': 1e-3, 'stroke': 0.5, 'c1': 0.75, 'c2': 0,"
      "'friction': {'model': 'viscous', 'sigma2': FRICTION}},"
      "{'id': 'pa', 'kind': 'plug'}, {'id': 'pb', 'kind': 'plug'}],"
      "'lines': [{'id': 'A', 'ports': ['cyl.A', 'pa.A'], 'volume': 1e-3, 'pressure': PUSH},"
      "{'id': 'B', 'ports': ['cyl.B', 'pb.A'], 'volume': 1e-3, 'pressure': 1e7}],"
      "'simulation': {'start': 'as-given'}}",
      "PUSH", pressure, "FRICTION", friction, NULL);
}

/* A mass of 100 kg between two columns of trapped oil, pushed by 1e3 ... 1e5 Pa: a spring of 2 A^2 B/V without damping. */
static void test_swing (void) {
  static const double pushes[] = {1e3, 1e4, 1e5};
  double k = 2.0 * 1e-6 * 1.5e9 / 1.25e-3, period = 2.0 * G_PI * sqrt (100.0 / k);

  for (int at = 0; at < 9; at++) {
    HlTestModel model = load_on_oil (pushes[at / 3], 0.0);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    double amplitude = pushes[at / 3] * 1e-3 / k * 2.0 * G_PI / period;
    Course course;

    options.rtol = at % 3 == 0 ? 1e-4 : at % 3 == 1 ? 1e-5 : 1e-6;
    options.t_end = 1000.0 * period;
    options.every = period / 20.0;
    HlSimStats stats = run_course (&model, "m.vx", options, &course);
    g_test_message ("%.0e Pa, rtol %.0e: amplitude %.4f and %.4f of the right one, %ld steps, takeover %d",
                    pushes[at / 3], options.rtol, course.first / amplitude, course.last / amplitude,
                    stats.steps, stats.takeover.why);
    /* the right one to what the weight of a stroke of the oil columns makes of it; 10 tolerances are 1e-2 10 rtol */
    g_assert_cmpfloat (course.last, <, 1.02 * amplitude + 0.1 * options.rtol);
    g_assert_cmpfloat (course.last, >, 0.6 * amplitude - 0.5 * options.rtol);
    if (stats.takeover.why != HL_TAKEOVER_NONE) {
      g_assert_true (stats.takeover.why == HL_TAKEOVER_SWINGS || stats.takeover.why == HL_TAKEOVER_ERRORS);
      hl_assert_near (stats.takeover.frequency, 1.0 / period, 0.01, 0.0);
    }
    hl_test_model_clear (&model);
  }
}

typedef struct {
  int n;
  double v[2000];
} Velocities;

static bool keep_velocity (double t, const double values[], void *data) {
  Velocities *kept = data;

  (void)t;
  kept->v[kept->n++] = values[0];
  return true;
}

static HlSimStats run_velocities (HlTestModel *model, HlSimOptions options, Velocities *kept) {
  HlObservable out;
  HlSimStats stats;
  HlFault fault = {.time = NAN, .entity = -1};

  kept->n = 0;
  g_assert_true (hl_observable_find (model->sys, "m.vx", &out));
  options.outputs = &out;
  options.n_outputs = 1;
  options.row = keep_velocity;
  options.row_data = kept;
  options.again = keep_rows;
  options.again_data = &(Course){0};
  g_assert_cmpint (hl_simulate (model->sys, &options, &stats, &fault), ==, HL_OK);
  g_assert_cmpint (kept->n, <=, 2000);
  return stats;
}

/* A swing over 80 periods, undamped and with a little friction: amplitude and phase are right to 1000 rtol of the range, or to
 * 100 tolerances where it is small. */
static void test_errors_of_swing (void) {
  static const double pushes[] = {1e3, 1e4, 1e5}, frictions[] = {0.0, 10.0}, rtols[] = {1e-5, 1e-6, 1e-7};
  double k = 2.0 * 1e-6 * 1.5e9 / 1.25e-3, period = 2.0 * G_PI * sqrt (100.0 / k);
  static Velocities right, kept;

  for (int at = 0; at < 18; at++) {
    HlTestModel model = load_on_oil (pushes[at / 6], frictions[at / 3 % 2]);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    double worst = 0.0, most = 0.0;

    options.t_end = 80.0 * period;
    options.every = period / 20.0;
    options.rtol = 1e-10;
    options.method = HL_METHOD_RADAU;
    run_velocities (&model, options, &right);
    options.rtol = rtols[at % 3];
    options.method = HL_METHOD_BDF;
    HlSimStats stats = run_velocities (&model, options, &kept);
    for (int row = 0; row < right.n; row++) {
      worst = fmax (worst, fabs (kept.v[row] - right.v[row]));
      most = fmax (most, fabs (right.v[row]));
    }
    double tolerance = options.rtol * HL_SCALE_VELOCITY;
    g_test_message ("%.0e Pa, friction %g, rtol %.0e: off by %.3g tolerances, %.3g rtol of the range, %ld "
                    "steps, takeover %d",
                    pushes[at / 6], frictions[at / 3 % 2], options.rtol, worst / tolerance,
                    worst / (2.0 * most * options.rtol), stats.steps, stats.takeover.why);
    g_assert_cmpfloat (worst, <, fmax (1000.0 * options.rtol * 2.0 * most, 100.0 * tolerance));
    hl_test_model_clear (&model);
  }
}

/* The same with friction: after the push of 1 Pa, a swing of 18 tolerances, 300 were left. */
static void test_damped_swing (void) {
  static const double pushes[] = {1.0, 1e3, 1e5};

  for (int at = 0; at < 3; at++) {
    HlTestModel model = load_on_oil (pushes[at], 300.0);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Course course;

    options.rtol = 1e-6;
    options.t_end = 12.0;
    options.every = 0.002;
    HlSimStats stats = run_course (&model, "m.vx", options, &course);
    g_test_message ("%g Pa: %.4g m/s in the first part, %.4g in the last one, %ld steps, takeover %d",
                    pushes[at], course.first, course.last, stats.steps, stats.takeover.why);
    /* the right one is e^-18 of that at first; a hundred tolerances of 1e-2 rtol are what steps of a swing may leave */
    g_assert_cmpfloat (course.last, <, 100.0 * 1e-2 * options.rtol);
    hl_test_model_clear (&model);
  }
}

/* A pump behind a dead zone of two sines: while its flow rests at 0, the level at which it begins, the next crossing is found
 * where the sines leave the zone. A search by the rate of a flow that may begin at any time stopped 384 times on the way, after 20 000 looks each. */
static void test_gate_at_rest (void) {
  HlTestModel model = hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1,"
      "'components': [{'id': 'tank', 'kind': 'tank'}, {'id': 'out', 'kind': 'throttle', 'diameter': 3e-3},"
      "{'id': 'v', 'kind': 'directional-valve', 'Cv': 1e-7, 'command': {'kind': 'limit', 'min': -0.1, 'max': "
      "0.2, 'of': "
      "{'kind': 'dead-zone', 'width': 0.135, 'of': {'kind': 'sum', 'of': ["
      "{'kind': 'sine', 'amplitude': 0.1375, 'frequency_hz': 0.5, 'offset': 0.0157},"
      "{'kind': 'sine', 'amplitude': 0.059, 'frequency_hz': 1.43, 'phase': 4.1}]}}}},"
      "{'id': 's', 'kind': 'pressure-source', 'pressure': 1e7}],"
      "'lines': [{'id': 'A', 'ports': ['v.A', 'out.A'], 'volume': 1e-3, 'pressure': 1e5},"
      "{'id': 'B', 'ports': ['v.B'], 'volume': 1e-3, 'pressure': 1e5},"
      "{'id': 'P', 'ports': ['s.P', 'v.P']}, {'id': 'T', 'ports': ['tank.T', 'v.T', 'out.B']}],"
      "'simulation': {'t_end': 6, 'every': 0.06, 'start': 'as-given'}}",
      NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Course course;
  HlSimStats stats = run_course (&model, "A.pressure", options, &course);

  g_test_message ("%ld restarts, %.3g s", stats.restarts, stats.seconds);
  g_assert_cmpint (stats.restarts, >, 4);
  g_assert_cmpint (stats.restarts, <, 60);
  hl_test_model_clear (&model);
}

/* A load that creeps down through a fine leak for 1e6 s; in all coordinates, where no spectrum is looked at. */
static void test_creep (void) {
  HlTestModel model = hl_test_model_filled (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81],"
      "'ground': {'points': {'O': [0, 0], 'X': [0, 0]}},"
      "'bodies': [{'id': 'm', 'mass': 1000, 'inertia': 1, 'pose': [0, 0.9, 0], 'points': {'P': [0, "
      "0]}}],"
      "'joints': [{'id': 'g', 'kind': 'prismatic', 'a': 'ground.X', 'b': 'm.P', 'axis': "
      "1.5707963267948966, 'angle': 0}],"
      "'components': [{'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'm.P', "
      "'piston_area': 0.002, 'rod_side_area': 0.001, 'stroke': 0.5, 'c1': 0.5, 'c2': 0, "
      "'friction': {'model': 'viscous', 'sigma2': 1e4}}, {'id': 'tank', 'kind': 'tank', "
      "'pressure': 1e5},"
      "{'id': 'leak', 'kind': 'throttle', 'diameter': 1e-5}],"
      "'lines': [{'id': 'A', 'ports': ['cyl.A', 'leak.A'], 'volume': 0.001, 'pressure': 5e6},"
      "{'id': 'T', 'ports': ['cyl.B', 'tank.T', 'leak.B']}],"
      "'simulation': {'t_end': 1e6, 'every': 1e4, 'start': 'as-given'}}",
      NULL);

  for (int form = 0; form < 2; form++) {
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    Course course;

    options.formulation = form == 0 ? HL_FORMULATION_REDUCED : HL_FORMULATION_BAUMGARTE;
    options.method = HL_METHOD_BDF;
    HlSimStats stats = run_course (&model, "m.y", options, &course);
    g_test_message ("%ld steps, takeover %d at %g s", stats.steps, stats.takeover.why, stats.takeover.t);
    g_assert_cmpint (stats.steps, <, 200000);
    g_assert_cmpint (course.n_rows, ==, 101);
    /* on the stop, which its weight presses in by a little */
    hl_assert_near (course.last, 0.5, 0.0, 1e-3);
  }
  hl_test_model_clear (&model);
}

static bool void_rows (HlMethod method, const HlFault *why, void *data) {
  Rows *rows = data;

  g_assert_null (why);
  rows->n_again++;
  rows->method = method;
  g_array_set_size (rows->t, 0);
  g_array_set_size (rows->x, 0);
  return true;
}

static bool keep_rows_of (HlMethod method, const HlFault *why, void *data) {
  ((Rows *)data)->n_again++;
  return false;
}

/* BDF finds within a hundredth of the run that its errors would add up: with rows that may be void the run is that
 * of Radau bit by bit, else Radau goes on from there. */
static void test_early_errors (void) {
  HlTestModel model = hl_test_model_load ("slider-crank.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  bool (*const agains[]) (HlMethod, const HlFault *, void *) = {void_rows, void_rows, keep_rows_of};
  HlObservable out;
  HlSimStats stats[3];
  Rows rows[3];

  g_assert_true (hl_observable_find (model.sys, "crank.angle", &out));
  options.outputs = &out;
  options.n_outputs = 1;
  options.row = keep;
  for (int k = 0; k < 3; k++) {
    rows[k] = (Rows){.t = g_array_new (FALSE, FALSE, sizeof (double)),
                     .x = g_array_new (FALSE, FALSE, sizeof (double))};
    options.method = k == 0 ? HL_METHOD_RADAU : HL_METHOD_BDF;
    options.row_data = options.again_data = &rows[k];
    options.again = agains[k];
    g_assert_cmpint (hl_simulate (model.sys, &options, &stats[k], NULL), ==, HL_OK);
    g_assert_cmpint (rows[k].n_again, ==, k > 0);
    g_assert_false (stats[k].again);
    g_assert_cmpint (stats[k].method, ==, HL_METHOD_RADAU);
    g_assert_cmpint (rows[k].t->len, ==, rows[0].t->len);
  }
  g_assert_cmpint (stats[0].takeover.why, ==, HL_TAKEOVER_NONE);
  g_assert_cmpint (stats[1].takeover.why, ==, HL_TAKEOVER_STEPS);
  g_assert_cmpfloat (stats[1].takeover.t, ==, 0.0);
  g_assert_cmpint (stats[1].takeover.method, ==, HL_METHOD_RADAU);
  g_assert_cmpint (stats[1].steps, ==, stats[0].steps);
  g_assert_cmpmem (rows[1].x->data, rows[1].x->len * sizeof (double), rows[0].x->data,
                   rows[0].x->len * sizeof (double));
  g_assert_cmpint (stats[2].takeover.why, ==, HL_TAKEOVER_STEPS);
  g_assert_true (stats[2].takeover.t > 0.0 && stats[2].takeover.t < 0.01 * options.t_end);
  for (int k = 0; k < 3; k++)
    clear (&rows[k]);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/integrator-fallback/swings-that-decay", test_damped_swing);
  g_test_add_func ("/integrator-fallback/radau-where-bdf-gives-up", test_again);
  g_test_add_func ("/integrator-fallback/early-errors-begin-the-run-again", test_early_errors);
  g_test_add_func ("/integrator-fallback/radau-goes-on-where-rows-stand", test_goes_on);
  g_test_add_func ("/integrator-fallback/no-swing-grows-or-is-lost", test_swing);
  g_test_add_func ("/integrator-fallback/errors-of-a-swing-do-not-add-up", test_errors_of_swing);
  g_test_add_func ("/integrator-fallback/gate-at-rest", test_gate_at_rest);
  g_test_add_func ("/integrator-fallback/creep-for-a-million-seconds", test_creep);
  return g_test_run ();
}
