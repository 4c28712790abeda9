/* SPDX-License-Identifier: MIT */
/* The reduction by independent states against singular values and the augmented matrix, on random
 * networks, geometries and modes; rank, redundancy and contradiction against ranks of the whole
 * matrix. Also what a change of units may not change. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-hybrid-reduction-reference.h"
#include "core/hybrid/hl-hybrid-solver-private.h"
#include "core/math/hl-linalg.h"
#include "tests/support/hl-test-piston-circuits.h"
#include "tests/support/hl-test.h"

#define MAX_NODES 8
#define MAX_LINES 10
#define MAX_CYLINDERS 4
#define MAX_MECH 4
#define MAX_N (MAX_LINES + MAX_MECH)
#define MAX_M (MAX_NODES + 1 + 2 * MAX_CYLINDERS + MAX_LINES)

/* Random network with a full mass block and stroke rows that depend on "position" (random numbers
 * and their rates). */
typedef struct {
  HlHybridTables tables;
  bool fixed[MAX_NODES];
  HlHybridLine lines[MAX_LINES];
  HlHybridCylinder cylinders[MAX_CYLINDERS];
  HlHybridChamber chambers[2 * MAX_CYLINDERS];
  double mass[MAX_MECH * MAX_MECH];
  double stroke_row[MAX_CYLINDERS * MAX_MECH];
  double stroke_row_dot[MAX_CYLINDERS * MAX_MECH];
  double link_row[MAX_MECH];
  double link_row_dot[MAX_MECH];
  double inflow[MAX_NODES];
  double inflow_rate[MAX_NODES];
  double force[MAX_MECH];
  HlHybridNetwork *net;
  HlHybridSolver *solver;
} Random;

static HlStatus place (void *data, double t, HlHybridInputs *in) {
  const Random *r = data;
  size_t n_mech = (size_t)r->tables.n_mech;
  size_t n_cylinders = (size_t)r->tables.n_cylinders;

  memcpy (in->mass, r->mass, n_mech * n_mech * sizeof (double));
  memcpy (in->stroke_row, r->stroke_row, n_cylinders * n_mech * sizeof (double));
  memcpy (in->link_row, r->link_row, (size_t)r->tables.n_links * n_mech * sizeof (double));
  for (int node = 0; node < r->tables.n_nodes; node++) {
    in->inflow[node] = r->inflow[node];
    in->inflow_rate[node] = r->inflow_rate[node];
    in->node_pressure[node] = 1e6 * (node + 1);
  }
  return HL_OK;
}

static HlStatus move (void *data, double t, const double v[], HlHybridInputs *in) {
  const Random *r = data;
  int n_mech = r->tables.n_mech;
  int n_cylinders = r->tables.n_cylinders;
  const double *w = v + r->tables.n_lines;

  memset (in->stroke_bias, 0, (size_t)n_cylinders * sizeof (double));
  if (r->tables.n_links > 0)
    in->link_bias[0] = 0.0;
  for (int j = 0; j < n_mech; j++) {
    in->force[j] = r->force[j];
    for (int i = 0; i < n_cylinders; i++)
      in->stroke_bias[i] += r->stroke_row_dot[i + n_cylinders * j] * w[j];
    if (r->tables.n_links > 0)
      in->link_bias[0] += r->link_row_dot[j] * w[j];
  }
  return HL_OK;
}

static void random_mass (Random *r) {
  int n = r->tables.n_mech;
  double root[MAX_MECH * MAX_MECH];

  for (int i = 0; i < n * n; i++)
    root[i] = hl_test_uniform (-1.0, 1.0);
  hl_mat_tmul (n, n, n, root, root, r->mass);
  for (int i = 0; i < n; i++) {
    r->mass[i + n * i] += 0.3;
    for (int j = 0; j < n; j++)
      r->mass[i + n * j] *= 200.0;
  }
}

static void random_fill (Random *r) {
  HlHybridTables *tables = &r->tables;

  memset (r, 0, sizeof *r);
  tables->n_nodes = g_test_rand_int_range (2, MAX_NODES + 1);
  tables->n_lines = g_test_rand_int_range (1, MAX_LINES + 1);
  tables->n_cylinders = g_test_rand_int_range (0, MAX_CYLINDERS + 1);
  tables->n_mech = tables->n_cylinders > 0 ? g_test_rand_int_range (1, MAX_MECH + 1) : 0;
  tables->n_links = tables->n_mech > 1 && g_test_rand_int_range (0, 4) == 0 ? 1 : 0;
  r->fixed[0] = true;
  for (int line = 0; line < tables->n_lines; line++)
    r->lines[line] = (HlHybridLine){.kind = HL_HYBRID_VALVE,
                                    .from_node = g_test_rand_int_range (0, tables->n_nodes),
                                    .to_node = g_test_rand_int_range (0, tables->n_nodes),
                                    .inertia = hl_test_log_uniform (1e5, 1e7),
                                    .loss_quadratic = 1e12,
                                    .crack_pressure = 0.0};
  for (int i = 0; i < tables->n_cylinders; i++) {
    r->cylinders[i] = (HlHybridCylinder){0.0, 1.0};
    r->chambers[tables->n_chambers++] =
        (HlHybridChamber){i, g_test_rand_int_range (0, tables->n_nodes), hl_test_log_uniform (1e-3, 1e-2)};
    if (g_test_rand_int_range (0, 2) == 0)
      r->chambers[tables->n_chambers++] =
          (HlHybridChamber){i, g_test_rand_int_range (0, tables->n_nodes), -hl_test_log_uniform (1e-3, 1e-2)};
    for (int j = 0; j < tables->n_mech; j++) {
      bool is_zero = g_test_rand_int_range (0, 3) == 0 && j != i;
      r->stroke_row[i + tables->n_cylinders * j] = is_zero ? 0.0 : hl_test_uniform (-1.0, 1.0);
      r->stroke_row_dot[i + tables->n_cylinders * j] = is_zero ? 0.0 : hl_test_uniform (-1.0, 1.0);
    }
  }
  for (int j = 0; j < tables->n_mech; j++) {
    r->link_row[j] = hl_test_uniform (-1.0, 1.0);
    r->link_row_dot[j] = hl_test_uniform (-1.0, 1.0);
    r->force[j] = hl_test_uniform (-1e4, 1e4);
  }
  random_mass (r);
  if (g_test_rand_int_range (0, 2) == 0) {
    r->inflow[tables->n_nodes - 1] = 1e-3;
    r->inflow_rate[tables->n_nodes - 1] = hl_test_uniform (-1e-2, 1e-2);
  }
  tables->node_is_fixed = r->fixed;
  tables->lines = r->lines;
  tables->cylinders = r->cylinders;
  tables->chambers = r->chambers;
  r->net = hl_hybrid_network_new (tables, NULL);
  r->solver = hl_hybrid_solver_new (r->net, (HlHybridPlant){.data = r, .place = place, .move = move});
}

static void random_clear (Random *r) {
  hl_hybrid_solver_free (r->solver);
  hl_hybrid_network_free (r->net);
}

static HlHybridKey random_key (const Random *r) {
  HlHybridKey key = {{0}};

  for (int line = 0; line < r->tables.n_lines; line++)
    if (g_test_rand_int_range (0, 3) == 0)
      hl_hybrid_key_set_line (r->net, &key, line, HL_HYBRID_LINE_SHUT);
  for (int i = 0; i < r->tables.n_cylinders; i++)
    if (g_test_rand_int_range (0, 4) == 0)
      hl_hybrid_key_set_stop (r->net, &key, i, g_test_rand_int_range (0, 2) == 0, true);
  return key;
}

/* Singular values between these parts of the largest belong to nearly dependent columns, about
 * which two routes may differ. */
#define SURELY_ZERO 1e-12
#define SURELY_NOT_ZERO 1e-4

/* W and b with rows and columns scaled to one size; returns the rank of [W ; -b^T] (n + 1 rows) or
 * of W alone,
 * and -1 when it is undetermined. */
static int full_rank (const Random *r, const HlHybridMode *mode, const int columns[], int n_columns,
                      bool with_b) {
  int n = r->net->n_states;
  int n_rows = n + (with_b ? 1 : 0);
  double a[(MAX_N + 1) * MAX_M];
  double sigma[MAX_M + MAX_N];
  double w[MAX_N];
  HlLinalgWork *work = hl_linalg_work_new (MAX_N + 1, MAX_M);

  for (int k = 0; k < n_columns; k++) {
    double sum = 0.0;
    hl_hybrid_column_assemble (r->net, hl_hybrid_solver_get_inputs (r->solver), columns[k], w);
    for (int i = 0; i < n; i++) {
      double inertia = i < r->tables.n_lines ? r->lines[i].inertia
                                             : r->mass[(i - r->tables.n_lines) * (r->tables.n_mech + 1)];
      a[i + n_rows * k] = w[i] / sqrt (inertia);
      sum += a[i + n_rows * k] * a[i + n_rows * k];
    }
    if (with_b)
      a[n + n_rows * k] =
          hl_hybrid_column_inflow (r->net, hl_hybrid_solver_get_inputs (r->solver), columns[k]);
    for (int i = 0; i < n; i++)
      a[i + n_rows * k] /= sum > 0.0 ? sqrt (sum) : 1.0;
    if (with_b)
      a[n + n_rows * k] *= 1e3 * (sum > 0.0 ? 1.0 / sqrt (sum) / 1e3 : 1.0);
  }
  int rank = 0;
  if (n_columns > 0 && n_rows > 0) {
    g_assert_cmpint (hl_singular_values (n_rows, n_columns, a, sigma, work), ==, HL_OK);
    for (int i = 0; i < MIN (n_rows, n_columns); i++) {
      if (sigma[i] > SURELY_NOT_ZERO * sigma[0])
        rank++;
      else if (sigma[i] > SURELY_ZERO * sigma[0] && !with_b) {
        hl_linalg_work_free (work);
        return -1;
      } else if (sigma[i] > 1e-9 * sigma[0])
        rank++; /* b has a size of its own */
    }
  }
  hl_linalg_work_free (work);
  return rank;
}

static void check_contradiction (const Random *r, const HlHybridMode *mode) {
  const int *columns;
  int n = hl_hybrid_solver_get_contradiction (r->solver, &columns);

  g_assert_cmpint (n, >, 0);
  g_assert_cmpint (full_rank (r, mode, columns, n, true), >, full_rank (r, mode, columns, n, false));
}

typedef struct {
  int n_ok;
  int n_redundant;
  int n_infeasible;
  int n_skipped; /* nearly dependent columns */
  double worst;
} Tally;

static void compare_route (Random *r, const HlHybridProblem *problem, const HlHybridInstant *now,
                           HlHybridRoute *route, bool svd, Tally *tally) {
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (r->solver);
  double v_dot[MAX_N];
  double lam[MAX_M];
  double norm = 0.0;
  int rank;
  HlStatus status = svd ? hl_hybrid_route_svd (route, problem, v_dot, lam, &rank)
                        : hl_hybrid_route_augmented (route, problem, v_dot, lam, &rank);

  g_assert_cmpint (status, ==, HL_OK);
  g_assert_cmpint (rank, ==, mode->rank->rank);
  for (int i = 0; i < r->net->n_states; i++) {
    double inertia = hl_hybrid_mass_diagonal (problem->mass, i);
    norm += problem->force[i] * problem->force[i] / inertia + now->v_dot[i] * now->v_dot[i] * inertia;
  }
  norm = sqrt (norm);
  for (int i = 0; i < r->net->n_states; i++) {
    double size = norm / sqrt (hl_hybrid_mass_diagonal (problem->mass, i));
    /* conditions of 1e4 are let through, whose square times rounding is 1e-8 */
    hl_assert_near (v_dot[i], now->v_dot[i], 0.0, 1e-8 * size);
    tally->worst = fmax (tally->worst, fabs (v_dot[i] - now->v_dot[i]) / size);
  }
  for (int k = 0; k < mode->n_active; k++) {
    double got = now->multiplier[mode->columns[k]];
    double length = 0.0;
    for (int i = 0; i < r->net->n_states; i++) {
      double entry = problem->w[i + r->net->n_states * k];
      length += entry * entry / hl_hybrid_mass_diagonal (problem->mass, i);
    }
    if (svd)
      g_assert_true (isnan (lam[k]) == isnan (got));
    if (!isnan (got))
      hl_assert_near (lam[k], got, 1e-8, 1e-8 * norm / sqrt (length));
  }
}

static void compare_all_routes (Random *r, Tally *tally) {
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (r->solver);
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (r->solver);
  int n = r->net->n_states;
  double vbar[MAX_N];
  double w[MAX_N * MAX_M];
  double rate[MAX_M];
  double force[MAX_N];
  double inertia[MAX_LINES];
  HlHybridInstant now;

  for (int j = 0; j < n; j++) {
    bool is_flow = j < n - mode->rank->rank && mode->rank->independent[j] < r->tables.n_lines;
    vbar[j] = hl_test_uniform (-1.0, 1.0) * (is_flow ? 1e-3 : 1.0);
  }
  g_assert_cmpint (hl_hybrid_solver_eval (r->solver, 0.0, vbar, &now, NULL), ==, HL_OK);
  g_assert_cmpfloat (hl_test_hybrid_node_residual (r->net, in, now.v), <, 1e-12);
  for (int line = 0; line < r->tables.n_lines; line++)
    inertia[line] = r->lines[line].inertia;
  for (int k = 0; k < mode->n_active; k++) {
    hl_hybrid_column_assemble (r->net, in, mode->columns[k], w + n * k);
    rate[k] = hl_hybrid_column_rate (r->net, in, mode->columns[k]);
  }
  /* dropped columns may contradict at the level of accelerations when their W' are independent
   * random numbers: such rates are not those of a motion, so the check is left to the modes without
   * redundancy and to fixed geometry */
  if (mode->rank->n_null > 0) {
    memset (r->stroke_row_dot, 0, sizeof r->stroke_row_dot);
    memset (r->link_row_dot, 0, sizeof r->link_row_dot);
    memset (r->inflow_rate, 0, sizeof r->inflow_rate);
    memset (rate, 0, sizeof rate);
    g_assert_cmpint (hl_hybrid_solver_eval (r->solver, 0.0, vbar, &now, NULL), ==, HL_OK);
  }
  hl_hybrid_force_eval (r->net, in, now.v, force);
  HlHybridMass mass = {r->tables.n_lines, r->tables.n_mech, inertia, r->mass};
  HlHybridProblem problem = {
      .n_states = n, .n_columns = mode->n_active, .mass = &mass, .w = w, .rate = rate, .force = force};
  HlHybridRoute *route = hl_hybrid_route_new (n, mode->n_active);
  compare_route (r, &problem, &now, route, true, tally);
  compare_route (r, &problem, &now, route, false, tally);
  hl_hybrid_route_free (route);
}

static void test_random_routes (void) {
  Tally tally = {0};

  for (int count = 0; count < 1000; count++) {
    Random r;
    random_fill (&r);
    for (int attempt = 0; attempt < 3; attempt++) {
      HlHybridKey key = random_key (&r);
      HlStatus status = hl_hybrid_solver_set_mode (r.solver, 0.0, &key, NULL);
      const HlHybridMode *mode = hl_hybrid_solver_get_mode (r.solver);
      int rank = full_rank (&r, mode, mode->columns, mode->n_active, false);
      if (rank < 0) {
        tally.n_skipped++;
        continue;
      }
      bool contradicts = full_rank (&r, mode, mode->columns, mode->n_active, true) > rank;
      g_assert_cmpint (mode->rank->rank, ==, rank);
      g_assert_cmpint (status, ==, contradicts ? HL_INFEASIBLE : HL_OK);
      if (contradicts) {
        check_contradiction (&r, mode);
        tally.n_infeasible++;
        continue;
      }
      compare_all_routes (&r, &tally);
      tally.n_ok++;
      tally.n_redundant += mode->rank->n_null > 0;
    }
    random_clear (&r);
  }
  g_test_message ("%d modes agree (%d redundant), %d infeasible, %d left out, largest difference "
                  "%.2g of the kinetic norm",
                  tally.n_ok, tally.n_redundant, tally.n_infeasible, tally.n_skipped, tally.worst);
  g_assert_cmpint (tally.n_ok, >, 1000);
  g_assert_cmpint (tally.n_skipped, <, 600);
  g_assert_cmpint (tally.n_redundant, >, 100);
  g_assert_cmpint (tally.n_infeasible, >, 100);
}

/* A geometry that turns keeps its choice of states until it is poor; a new choice gives the same
 * accelerations. */
static void test_reselect (void) {
  /* crank and slider: states (angle, slide), link slide' = l cos (angle) angle' written on the
   * angle first */
  Random r = {.tables = {.n_nodes = 1, .n_lines = 0, .n_cylinders = 0, .n_links = 1, .n_mech = 2}};
  double v[2];
  double vbar[2];
  double energy = 0.0;
  HlHybridInstant now;
  HlHybridKey key = {{0}};
  int n_reselected = 0;

  r.fixed[0] = true;
  r.tables.node_is_fixed = r.fixed;
  r.tables.lines = r.lines;
  r.net = hl_hybrid_network_new (&r.tables, NULL);
  r.solver = hl_hybrid_solver_new (r.net, (HlHybridPlant){.data = &r, .place = place, .move = move});
  r.mass[0] = 3.0;
  r.mass[3] = 5.0;
  for (int step = 0; step <= 2000; step++) {
    double angle = 0.3 + 0.003 * step;
    double omega = 1.7;
    r.link_row[0] = -cos (angle);
    r.link_row[1] = 1.0;
    r.link_row_dot[0] = sin (angle) * omega;
    v[0] = omega;
    v[1] = cos (angle) * omega;
    if (step == 0)
      g_assert_cmpint (hl_hybrid_solver_set_mode (r.solver, 0.0, &key, NULL), ==, HL_OK);
    hl_hybrid_solver_select (r.solver, v, vbar);
    HlStatus status = hl_hybrid_solver_eval (r.solver, 0.0, vbar, &now, NULL);
    if (status != HL_OK || hl_hybrid_reduce_quality (r.solver->frame.red, &r.solver->mass) > 10.0) {
      g_assert_cmpint (hl_hybrid_solver_reselect (r.solver, 0.0, NULL), ==, HL_OK);
      hl_hybrid_solver_select (r.solver, v, vbar);
      g_assert_cmpint (hl_hybrid_solver_eval (r.solver, 0.0, vbar, &now, NULL), ==, HL_OK);
      n_reselected++;
    }
    /* closed form: (J + m l^2 cos^2) w' = m l^2 sin cos w^2 */
    double inertia = 3.0 + 5.0 * cos (angle) * cos (angle);
    double want = 5.0 * sin (angle) * cos (angle) * omega * omega / inertia;
    hl_assert_near (now.v_dot[0], want, 1e-9, 1e-9);
    hl_assert_near (now.v_dot[1], cos (angle) * want - sin (angle) * omega * omega, 1e-9, 1e-9);
    energy += now.v_dot[0];
  }
  g_assert_cmpint (n_reselected, >=, 1);
  random_clear (&r);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid/routes/random", test_random_routes);
  g_test_add_func ("/hybrid/routes/reselect", test_reselect);
  return g_test_run ();
}
