/* SPDX-License-Identifier: MIT */
/* Islands above a size are solved by sparse matrices. Right-hand sides, the exact Jacobian, multipliers and
 * their tangents have to be what the dense matrices give: on random machines, whatever their size, on chains,
 * on scissor lifts, and along the steps of a run. */
#include <math.h>
#include <string.h>

#include "core/mech/hl-island-sparse.h"
#include "core/solve/hl-integrator.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "core/system/hl-unreduced-newton-matrix.h"
#include "tests/support/hl-large-models.h"
#include "tests/support/hl-test-random-machine.h"
#include "tests/support/hl-test.h"

#define N_MACHINES 1000
/* Of the largest entry of a row; of machines whose coordinates make dependent ones move more than so many
 * times as far, their own rounding is more. */
#define SAME 1.0e-11
#define WELL_CHOSEN 30.0
/* Once in several thousand machines 1.4e-11 was met; differences grow as the spread does (200: 4e-11, 3000: 2e-10), so
 * that the limit of a machine is SAME times its spread, at least five times SAME.
 * Mass matrices of so many bodies make more of the rounding of positions: of a chain 1.5e-11 measured beside its
 * closed form, 5.5e-11 by dense matrices; of a lift of 12 stages 1.2e-11 between the two, as the sixth power
 * of its height. */
#define SAME_OF_LARGE 1.0e-10

typedef struct {
  int n;
  double *y, *y_dot, *J, *lambda; /* n, n, n x n, n_rows or, of take_forces (), 3 n_bodies */
} Answer;

static void set_route (HlTestModel *model, bool sparse) {
  for (int k = 0; k < model->work->n_islands; k++) {
    HlIslandWork *iw = model->work->islands[k];
    if (!sparse)
      hl_island_be_small (iw);
    else if (iw->large == NULL)
      iw->large = hl_island_sparse_new (NULL, &model->sys->mech.islands[k]);
  }
}

static Answer answer_in (HlTestModel *model, HlPartitionRule rule, bool sparse, const int columns[],
                         int n_columns) {
  HlWork *work = model->work;

  set_route (model, sparse);
  g_assert_cmpint (hl_partition_choose (model->sys, work, model->point->x, rule, columns, n_columns, NULL),
                   ==, HL_OK);
  size_t n = (size_t)work->n_states;
  Answer a = {work->n_states, g_new0 (double, n), g_new0 (double, n), g_new0 (double, n *n),
              g_new0 (double, model->sys->mech.n_rows + 1)};
  hl_state_pack (model->sys, work, model->point, a.y);
  g_assert_cmpint (hl_dynamics_eval (model->sys, 0.0, a.y, a.y_dot, work, NULL), ==, HL_OK);
  hl_dynamics_accelerations (model->sys, work);
  memcpy (a.lambda, work->lambda, sizeof (double) * (size_t)model->sys->mech.n_rows);
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.0, a.y, a.J, work, NULL), ==, HL_OK);
  return a;
}

static Answer answer (HlTestModel *model, HlPartitionRule rule, bool sparse) {
  return answer_in (model, rule, sparse, NULL, 0);
}

static void answer_clear (Answer *a) {
  g_free (a->y);
  g_free (a->y_dot);
  g_free (a->J);
  g_free (a->lambda);
}

static double largest_of (int n, const double a[], int stride) {
  double largest = 0.0;

  for (int k = 0; k < n; k++)
    largest = fmax (largest, fabs (a[k * stride]));
  return largest;
}

/* Returns the rounding of a row of J by cancellation, which differs between two evaluations: the pressure
 * rates of a cylinder that a coordinate hardly lengthens are differences of the displacements of its ends.
 * For unit displacements. */
static double cancelled (const HlTestModel *model, int row) {
  const HlSystem *sys = model->sys;
  const HlWork *work = model->work;
  double largest = 0.0;

  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    const HlComponent *c = &sys->components[cyl->component];
    for (int side = 0; side < 2; side++) {
      int node = side == 0 ? cyl->node_a : cyl->node_b;
      if (node >= 0 && sys->nodes[node].state >= 0 && row == hl_off_p (work) + sys->nodes[node].state)
        largest = fmax (largest, fmax (cyl->area_a, cyl->area_b) / work->compliance[node]);
    }
    int state = row - hl_off_u (work) - c->first_state;
    if (state >= 0 && state < c->n_states)
      largest = fmax (largest, largest_of (hl_component_n_rows (c) * hl_component_n_columns (c),
                                           work->law_d + c->first_d, 1));
  }
  return largest;
}

/* The largest difference of a row of J over what is largest in it, and of the others over the largest of all. */
static double difference (const HlTestModel *model, const Answer *a, const Answer *b) {
  int n = a->n, n_forces = 3 * model->sys->mech.n_bodies;
  double worst = 0.0, rates = largest_of (n, a->y_dot, 1), forces = largest_of (n_forces, a->lambda, 1);

  g_assert_cmpint (b->n, ==, n);
  for (int k = 0; k < n; k++) {
    double size = fmax (largest_of (n, a->J + k, n), cancelled (model, k));
    for (int column = 0; column < n; column++)
      if (size > 0.0)
        worst = fmax (worst, fabs (a->J[column * n + k] - b->J[column * n + k]) / size);
    worst = fmax (worst, fabs (a->y_dot[k] - b->y_dot[k]) / (rates + 1.0));
  }
  for (int k = 0; k < n_forces; k++)
    worst = fmax (worst, fabs (a->lambda[k] - b->lambda[k]) / (forces + 1.0));
  return worst;
}

/* The forces of the constraints on the bodies, D^T lambda: which of rows that say the same are in force, and have a
 * multiplier, is free. In place of the multipliers. */
static void take_forces (const HlTestModel *model, Answer *a) {
  const HlMechanism *mech = &model->sys->mech;
  g_autofree double *force = g_new0 (double, 3 * mech->n_bodies + 1);

  for (int k = 0; k < mech->n_rows; k++) {
    const HlRow *row = &mech->rows[k];
    double grad[6], q6[6];
    hl_row_gradient (row, hl_work_frame (model->work, row->body_i), hl_work_frame (model->work, row->body_j),
                     grad);
    for (int c = 0; c < 6; c++)
      q6[c] = a->lambda[k] * grad[c];
    hl_scatter6 (q6, row->body_i, row->body_j, force);
  }
  g_free (a->lambda);
  a->lambda = g_steal_pointer (&force);
}

/* The sparse matrices choose the coordinates. */
static double compare_routes (HlTestModel *model, HlPartitionRule rule) {
  Answer sparse = answer (model, rule, true);
  int n_columns = model->work->f + model->work->l;
  g_autofree int *columns = g_new (int, n_columns + 1);

  memcpy (columns, model->work->ai_column, sizeof (int) * (size_t)model->work->f);
  memcpy (columns + model->work->f, model->work->ad_column, sizeof (int) * (size_t)model->work->l);
  take_forces (model, &sparse);
  Answer dense = answer_in (model, HL_PARTITION_PREFERRED, false, columns, n_columns);
  take_forces (model, &dense);
  g_assert_cmpmem (model->work->ai_column, sizeof (int) * (size_t)model->work->f, columns,
                   sizeof (int) * (size_t)model->work->f);
  double worst = difference (model, &dense, &sparse);

  answer_clear (&dense);
  answer_clear (&sparse);
  return worst;
}

typedef struct {
  double re, im;
  int width; /* 1: real, 2: pairs */
} Shift;

/* rest := b - (s I - J) x; the largest of it over the largest of what it is the sum of. */
static double residual (const Answer *a, const Shift *s, const double x[], const double b[], double rest[]) {
  double worst = 0.0;

  for (int row = 0; row < a->n; row++) {
    long double sum[2] = {0.0L}, size = 0.0L;
    for (int part = 0; part < s->width; part++) {
      const double *of = x + part;
      sum[part] = (long double)b[s->width * row + part] - (long double)s->re * of[s->width * row];
      if (s->width == 2)
        sum[part] += (part == 0 ? 1.0L : -1.0L) * (long double)s->im * x[2 * row + 1 - part];
      size = fmaxl (size, fabsl ((long double)b[s->width * row + part]));
      for (int column = 0; column < a->n; column++) {
        long double term = (long double)a->J[column * a->n + row] * of[s->width * column];
        sum[part] += term;
        size = fmaxl (size, fabsl (term));
      }
      rest[s->width * row + part] = (double)sum[part];
    }
    worst = fmax (worst, (double)(hypotl (sum[0], sum[1]) / size));
  }
  return worst;
}

static void solve_unreduced (HlUnreduced *unreduced, const Shift *s, double x[]) {
  if (s->width == 1) {
    g_assert_cmpint (hl_unreduced_factor (unreduced, s->re), ==, HL_OK);
    hl_unreduced_solve (unreduced, x);
  } else {
    g_assert_cmpint (hl_unreduced_factor_complex (unreduced, 0, s->re, s->im), ==, HL_OK);
    hl_unreduced_solve_complex (unreduced, 0, x);
  }
}

/* After one correction of the solution by what is left of it, which is rounding in pressures that stand beside
 * accelerations: only a matrix that is wrong leaves more then (3.4e-16 measured in 1477 machines). */
static double worst_residual (const HlTestModel *model, const Answer *a) {
  static const Shift shifts[] = {{3.0, 0.0, 1}, {1e3, 0.0, 1}, {1e6, 0.0, 1}, {1e3, 700.0, 2}};
  HlUnreduced *unreduced = hl_unreduced_new (model->sys, model->work);
  g_autofree double *b = g_new (double, 2 * a->n), *x = g_new (double, 2 * a->n),
                    *rest = g_new (double, 2 * a->n);
  double worst = 0.0;

  g_assert_cmpint (hl_unreduced_eval (unreduced, 0.0, a->y, NULL), ==, HL_OK);
  for (guint k = 0; k < G_N_ELEMENTS (shifts); k++) {
    const Shift *s = &shifts[k];
    for (int at = 0; at < s->width * a->n; at++)
      b[at] = x[at] = hl_test_uniform (-1.0, 1.0) * (at / s->width < hl_off_p (model->work) ? 1.0 : 1e5);
    solve_unreduced (unreduced, s, x);
    residual (a, s, x, b, rest);
    solve_unreduced (unreduced, s, rest);
    for (int at = 0; at < s->width * a->n; at++)
      x[at] += rest[at];
    worst = fmax (worst, residual (a, s, x, b, rest));
  }
  hl_unreduced_free (unreduced);
  return worst;
}

/* Solutions without J are solutions with J. */
static void test_unreduced (void) {
  int n_solved = 0;

  for (int k = 0; k < N_MACHINES / 4; k++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    HlTestModel model = hl_test_machine_compile (machine);

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    Answer a = answer (&model, HL_PARTITION_PIVOT, k % 2 == 0);
    if (hl_unreduced_can (model.sys, model.work)) {
      g_assert_cmpfloat (worst_residual (&model, &a), <=, SAME * hl_test_tolerance_scale ());
      n_solved++;
    }
    answer_clear (&a);
    hl_test_model_clear (&model);
    json_decref (machine);
  }
  g_assert_cmpint (n_solved, >, N_MACHINES / 20);
}

static void test_machines (gconstpointer data) {
  HlPartitionRule rule = (HlPartitionRule)GPOINTER_TO_INT (data);
  int n_compared = 0;

  for (int k = 0; k < N_MACHINES; k++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    HlTestModel model = hl_test_machine_compile (machine);
    double spread = 1.0;

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    double worst = compare_routes (&model, rule);
    for (int i = 0; i < model.work->n_islands; i++)
      spread = fmax (spread, model.work->islands[i]->spread);
    if (worst > SAME)
      g_test_message ("machine %d: %g, spread %g", k, worst, spread);
    if (spread < WELL_CHOSEN) {
      g_assert_cmpfloat (worst, <=, SAME * fmax (5.0, spread) * hl_test_tolerance_scale ());
      n_compared++;
    }
    hl_test_model_clear (&model);
    json_decref (machine);
  }
  g_assert_cmpint (n_compared, >, N_MACHINES / 2);
}

static HlTestModel chain (int n_rods) {
  return hl_test_model_from_document (hl_test_chain (n_rods));
}

/* The chain in the angles of its rods, in long double: accelerations M^-1 f and their derivatives.
 *
 *   M_ij = L^2 s_ij cos (a_i - a_j) + I (i = j)      s_ij = m (n - 1 - max (i, j) + 1/2, or 1/4 where i = j)
 *   f_i  = -sum_j L^2 s_ij sin (a_i - a_j) w_j^2 - m g L (n - 1 - i + 1/2) cos a_i */
typedef struct {
  int n;
  const double *a, *w; /* n: angles, velocities */
} Rods;

static long double share (const Rods *rods, int i, int j) {
  return 0.5L * 0.1L * 0.1L * ((long double)(rods->n - 1 - MAX (i, j)) + (i == j ? 0.25L : 0.5L));
}

/* M^-1 b in place, without pivots: M is positive definite. */
static void solve_rods (const Rods *rods, long double b[]) {
  int n = rods->n;
  g_autofree long double *M = g_new (long double, n *n);

  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      M[i * n + j] = share (rods, i, j) * cosl ((long double)rods->a[i] - (long double)rods->a[j]) +
                     (i == j ? 0.0005L : 0.0L);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      long double factor = M[i * n + k] / M[k * n + k];
      for (int j = k; j < n; j++)
        M[i * n + j] -= factor * M[k * n + j];
      b[i] -= factor * b[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= M[k * n + j] * b[j];
    b[k] /= M[k * n + k];
  }
}

/* d(f - M acc)/d(angle k), or by the velocity. */
static void rods_column (const Rods *rods, const long double acc[], int k, bool by_velocity,
                         long double out[]) {
  int n = rods->n;
  long double w = rods->w[k];

  out[k] = 0.0L;
  for (int i = 0; i < n; i++) {
    long double by = (long double)rods->a[i] - (long double)rods->a[k], s = share (rods, i, k);
    long double wi = rods->w[i];
    if (by_velocity)
      out[i] = -2.0L * s * sinl (by) * w;
    else if (i != k) {
      out[i] = s * cosl (by) * w * w - s * sinl (by) * acc[k];
      out[k] += -s * cosl (by) * wi * wi - s * sinl (by) * acc[i];
    }
  }
  if (!by_velocity)
    out[k] += 0.5L * 9.81L * 0.1L * ((long double)(n - 1 - k) + 0.5L) * sinl (rods->a[k]);
}

static double error_of_chain (const Answer *a, int n) {
  Rods rods = {n, a->y, a->y + n};
  g_autofree long double *acc = g_new0 (long double, n), *column = g_new0 (long double, n),
                         *exact = g_new0 (long double, 2 * n * n);
  double worst = 0.0;

  for (int i = 0; i < n; i++) {
    acc[i] = -0.5L * 9.81L * 0.1L * ((long double)(n - 1 - i) + 0.5L) * cosl (rods.a[i]);
    for (int j = 0; j < n; j++)
      acc[i] -= share (&rods, i, j) * sinl ((long double)rods.a[i] - (long double)rods.a[j]) * rods.w[j] *
                rods.w[j];
  }
  solve_rods (&rods, acc);
  for (int k = 0; k < 2 * n; k++) {
    rods_column (&rods, acc, k % n, k >= n, column);
    solve_rods (&rods, column);
    memcpy (exact + k * n, column, sizeof (long double) * (size_t)n);
  }
  for (int row = 0; row < n; row++) {
    double size = largest_of (2 * n, a->J + n + row, 2 * n);
    for (int k = 0; k < 2 * n; k++)
      worst = fmax (worst, (double)fabsl (a->J[k * 2 * n + n + row] - exact[k * n + row]) / size);
  }
  return worst;
}

static void test_chain (void) {
  HlTestModel model = chain (40);
  int angles[40];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  for (int k = 0; k < 40; k++)
    angles[k] = 3 * k + 2;
  Answer dense = answer_in (&model, HL_PARTITION_PREFERRED, false, angles, 40),
         sparse = answer_in (&model, HL_PARTITION_PREFERRED, true, angles, 40);
  double error = error_of_chain (&sparse, 40), by_dense = error_of_chain (&dense, 40);
  g_test_message ("errors in J: %g, by dense matrices %g", error, by_dense);
  g_assert_cmpfloat (error, <=, SAME_OF_LARGE);
  answer_clear (&dense);
  answer_clear (&sparse);
  hl_test_model_clear (&model);
}

/* Without preferred coordinates in the file a large island uses the coordinates of pivoting: bodies that hardly move by
 * themselves would lose seven digits of ten. */
static void test_wished_chain (void) {
  HlTestModel model = chain (80);

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  Answer sparse = answer (&model, HL_PARTITION_PREFERRED, true);
  g_assert_cmpfloat (model.work->islands[0]->spread, <, WELL_CHOSEN);
  answer_clear (&sparse);
  hl_test_model_clear (&model);
}

static void test_lift (void) {
  HlTestModel model = hl_test_model_from_document (hl_test_scissor_lift (12));

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpfloat (compare_routes (&model, HL_PARTITION_PIVOT), <=, SAME_OF_LARGE);
  g_assert_cmpfloat (compare_routes (&model, HL_PARTITION_PREFERRED), <=, SAME_OF_LARGE);
  hl_test_model_clear (&model);
}

/* A nonholonomic row for every body. */
static void test_train (void) {
  for (HlPartitionRule rule = HL_PARTITION_PIVOT; rule <= HL_PARTITION_PREFERRED; rule++) {
    HlTestModel model = hl_test_model_from_document (hl_test_train (20));
    hl_test_model_start (&model, HL_START_AS_GIVEN);
    g_assert_true (model.work->islands[0]->sparse != NULL && model.work->islands[0]->l == 20);
    g_assert_cmpfloat (compare_routes (&model, rule), <=, SAME_OF_LARGE);
    hl_test_model_clear (&model);
  }
}

typedef struct {
  HlTestModel *model;
  HlUnreduced *unreduced; /* NULL: by J */
} Stepping;

static HlStatus rate (double t, const double y[], double y_dot[], void *data) {
  const Stepping *by = data;

  return hl_dynamics_eval (by->model->sys, t, y, y_dot, by->model->work, NULL);
}

static HlStatus matrix (double t, const double y[], double J[], void *data) {
  const Stepping *by = data;

  return hl_jacobian_eval (by->model->sys, t, y, J, by->model->work, NULL);
}

static HlStatus own_eval (double t, const double y[], void *data) {
  return hl_unreduced_eval (((Stepping *)data)->unreduced, t, y, NULL);
}

static HlStatus own_factor (double s, void *data) {
  return hl_unreduced_factor (((Stepping *)data)->unreduced, s);
}

static HlStatus own_factor_complex (int pair, double re, double im, void *data) {
  return hl_unreduced_factor_complex (((Stepping *)data)->unreduced, pair, re, im);
}

static void own_solve (double x[], void *data) {
  hl_unreduced_solve (((Stepping *)data)->unreduced, x);
}

static void own_solve_complex (int pair, double x[], void *data) {
  hl_unreduced_solve_complex (((Stepping *)data)->unreduced, pair, x);
}

static void own_forget (void *data) {
  hl_unreduced_forget_pivots (((Stepping *)data)->unreduced);
}

enum { BY_DENSE, BY_SPARSE, BY_UNREDUCED, N_ROUTES };

static HlOdeStats run (HlTestModel *model, int route, HlMethod method, double y[]) {
  static const HlOdeShifted own = {own_eval,  own_factor,        own_factor_complex,
                                   own_solve, own_solve_complex, own_forget};
  Stepping by = {.model = model};
  int angles[20];

  for (int k = 0; k < 20; k++)
    angles[k] = 3 * k + 2;
  set_route (model, route != BY_DENSE);
  g_assert_cmpint (hl_partition_choose (model->sys, model->work, model->point->x, HL_PARTITION_PREFERRED,
                                        angles, 20, NULL),
                   ==, HL_OK);
  HlOde ode = {.n = model->work->n_states, .rhs = rate, .jacobian = matrix, .data = &by};
  HlOdeOptions options = hl_ode_options_default ();
  HlArrival why;
  double t;

  if (route == BY_UNREDUCED) {
    by.unreduced = hl_unreduced_new (model->sys, model->work);
    ode.shifted = &own;
  }
  options.method = method;
  options.rtol = 1e-6;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  hl_state_pack (model->sys, model->work, model->point, y);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y), ==, HL_OK);
  g_assert_cmpint (hl_integrator_advance (integrator, 0.05, &t, y, &why), ==, HL_OK);
  HlOdeStats stats = hl_integrator_get_stats (integrator);
  hl_integrator_free (integrator);
  hl_unreduced_free (by.unreduced);
  return stats;
}

static void test_steps (gconstpointer data) {
  HlMethod method = (HlMethod)GPOINTER_TO_INT (data);
  HlTestModel model = chain (20);
  double y[N_ROUTES][64];
  HlOdeStats stats[N_ROUTES];

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  /* the dense matrices last: the island has no others from then on */
  for (int route = N_ROUTES - 1; route >= 0; route--)
    stats[route] = run (&model, route, method, y[route]);
  for (int route = BY_SPARSE; route < N_ROUTES; route++) {
    g_assert_cmpint (stats[route].steps, ==, stats[BY_DENSE].steps);
    g_assert_cmpint (stats[route].rhs, ==, stats[BY_DENSE].rhs);
    g_assert_cmpint (stats[route].factorizations, ==, stats[BY_DENSE].factorizations);
    for (int k = 0; k < model.work->n_states; k++)
      hl_assert_near (y[route][k], y[BY_DENSE][k], 1e-9, 1e-9);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/large-islands/random-machines-as-by-dense-matrices",
                        GINT_TO_POINTER (HL_PARTITION_PIVOT), test_machines);
  g_test_add_data_func ("/large-islands/random-machines-with-wishes",
                        GINT_TO_POINTER (HL_PARTITION_PREFERRED), test_machines);
  g_test_add_func ("/large-islands/solutions-without-j", test_unreduced);
  g_test_add_func ("/large-islands/chain-against-its-closed-form", test_chain);
  g_test_add_func ("/large-islands/coordinates-of-a-chain", test_wished_chain);
  g_test_add_func ("/large-islands/scissor-lift", test_lift);
  g_test_add_func ("/large-islands/train-on-knife-edges", test_train);
  g_test_add_data_func ("/large-islands/equal-steps-by-bdf", GINT_TO_POINTER (HL_METHOD_BDF), test_steps);
  g_test_add_data_func ("/large-islands/equal-steps-by-radau", GINT_TO_POINTER (HL_METHOD_RADAU), test_steps);
  return g_test_run ();
}
