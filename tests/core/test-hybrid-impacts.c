/* SPDX-License-Identifier: MIT */
/* Starts, impacts and choices of the mode on random piston circuits, against trying every set of
 * held elements:
 *
 *   impact        v+ is the admissible velocity nearest to v in the norm of M
 *   acceleration  v' is the admissible acceleration nearest to M^-1 F in the norm of M (Gauss)
 *
 * Every candidate is computed by the augmented matrix, and none of the signs of multipliers enters:
 * whatever is admissible and nearest wins. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-hybrid-reduction-reference.h"
#include "tests/support/hl-test-piston-circuits.h"
#include "tests/support/hl-test.h"

#define MAX_N 16
#define MAX_M 32
#define MAX_SIDES 12

typedef struct {
  int n_starts;
  int n_no_start;
  int n_impacts;
  int n_no_way;
  int n_choices;
  int n_quiet;
  double worst_growth;
} Tally;

/* ---- random circuits ---- */

static HlTestHybrid *random_circuit (bool with_pump) {
  static const HlHybridLineKind kinds[] = {HL_HYBRID_PIPE, HL_HYBRID_VALVE, HL_HYBRID_CHECK,
                                           HL_HYBRID_RELIEF};
  HlTestHybrid *sys = hl_test_hybrid_new ();
  int n_nodes = g_test_rand_int_range (2, 6);
  int n_lines = g_test_rand_int_range (1, 7);
  int n_pistons = g_test_rand_int_range (1, 4);
  char name[16];

  hl_test_hybrid_add_node (sys, "T", true);
  for (int node = 1; node < n_nodes; node++) {
    g_snprintf (name, sizeof name, "N%d", node);
    hl_test_hybrid_add_node (sys, name, false);
  }
  for (int line = 0; line < n_lines; line++) {
    int from = g_test_rand_int_range (0, n_nodes);
    int to = (from + g_test_rand_int_range (1, n_nodes)) % n_nodes;
    HlHybridLineKind kind = kinds[g_test_rand_int_range (0, 4)];
    g_snprintf (name, sizeof name, "l%d", line);
    hl_test_hybrid_add_line (sys, name, kind, from, to, hl_test_log_uniform (1e6, 1e7),
                             hl_test_log_uniform (2e-5, 1e-4));
    if (kind == HL_HYBRID_RELIEF)
      sys->lines[line].crack_pressure = hl_test_log_uniform (1e5, 1e7);
  }
  for (int piston = 0; piston < n_pistons; piston++) {
    g_snprintf (name, sizeof name, "x%d", piston);
    hl_test_hybrid_add_piston (sys, name, hl_test_log_uniform (50.0, 500.0), hl_test_uniform (-1e4, 1e4),
                               100.0, 0.0, 1.0);
    double area = hl_test_log_uniform (1e-3, 4e-3);
    hl_test_hybrid_add_chamber (sys, piston, g_test_rand_int_range (0, n_nodes), area);
    /* smaller by a rod: with areas that agree to five digits the reference, which inverts W, is accurate to five digits
     * less than the tolerances require */
    if (g_test_rand_int_range (0, 2) == 0)
      hl_test_hybrid_add_chamber (sys, piston, g_test_rand_int_range (0, n_nodes),
                                  -area * hl_test_uniform (0.3, 0.98));
    int place = g_test_rand_int_range (0, 4);
    sys->position[piston] = place == 0 ? 0.0 : place == 1 ? 1.0 : 0.5;
  }
  if (n_pistons > 1 && g_test_rand_int_range (0, 4) == 0) {
    sys->tables.n_links = 1;
    sys->link_a = 0;
    sys->link_b = 1;
  }
  if (with_pump)
    sys->inflow[n_nodes - 1] = 1e-3;
  hl_test_hybrid_compile (sys);
  return sys;
}

/* ---- every set of held elements ---- */

typedef struct {
  const HlTestHybrid *sys;
  HlHybridMass mass;
  double inertia[HL_TEST_HYBRID_MAX];
  double block[HL_TEST_HYBRID_MAX * HL_TEST_HYBRID_MAX];
  HlHybridKey equalities; /* shut valves */
  int n_sides;
  int side[MAX_SIDES]; /* columns of the one-sided elements */
  HlHybridRoute *route;
} Sides;

static void sides_init (Sides *sides, const HlTestHybrid *sys, const HlHybridKey *key) {
  int n = sys->tables.n_mech;

  memset (sides, 0, sizeof *sides);
  sides->sys = sys;
  for (int line = 0; line < sys->tables.n_lines; line++)
    sides->inertia[line] = sys->lines[line].inertia;
  for (int i = 0; i < n; i++)
    sides->block[i + n * i] = sys->mass[i];
  sides->mass = (HlHybridMass){sys->tables.n_lines, n, sides->inertia, sides->block};
  sides->equalities = hl_hybrid_key_base (sys->net, key);
  sides->route = hl_hybrid_route_new (sys->net->n_states, sys->net->n_columns);
}

/* n^T x for a one-sided column: flow of a line, speed away from a stop. */
static double gap (const Sides *sides, int column, const double x[]) {
  int entity;
  int n_lines = sides->sys->tables.n_lines;

  switch (hl_hybrid_column_kind (sides->sys->net, column, &entity)) {
  case HL_HYBRID_LINE_DROP:
    return x[entity];
  case HL_HYBRID_STOP_LOWER:
    return x[n_lines + entity];
  default:
    return -x[n_lines + entity];
  }
}

static double gap_size (const Sides *sides, int column) {
  int entity;
  bool is_line = hl_hybrid_column_kind (sides->sys->net, column, &entity) == HL_HYBRID_LINE_DROP;

  return 1.0 / sqrt (is_line ? sides->inertia[entity] : sides->sys->mass[entity]);
}

/* Nearest admissible x: minimises (x - M^-1 f)^T M (x - M^-1 f) with W^T x = -rate for junctions,
 * links and shut valves, and n^T x >= 0 for the sides. Returns false when no set works. */
static bool nearest (const Sides *sides, const double rate_of_column[], const double f[], double best_x[]) {
  const HlHybridNetwork *net = sides->sys->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (sides->sys->solver);
  int n = net->n_states;
  double best = INFINITY;
  double free_norm = 0.0;

  for (int i = 0; i < n; i++)
    free_norm = hypot (free_norm, f[i] / sqrt (hl_hybrid_mass_diagonal (&sides->mass, i)));
  for (unsigned set = 0; set < 1u << sides->n_sides; set++) {
    double w[MAX_N * MAX_M], rate[MAX_M], lam[MAX_M], x[MAX_N], difference[MAX_N];
    int m = 0;
    bool is_right = true;
    for (int column = 0; column < net->n_columns; column++) {
      bool is_active = hl_hybrid_key_has_column (net, &sides->equalities, column);
      for (int s = 0; s < sides->n_sides; s++)
        is_active = is_active || (sides->side[s] == column && (set >> s & 1u));
      if (!is_active)
        continue;
      hl_hybrid_column_assemble (net, in, column, w + n * m);
      rate[m++] = rate_of_column[column];
    }
    HlHybridProblem problem = {n, m, &sides->mass, w, rate, f};
    if (hl_hybrid_route_augmented (sides->route, &problem, x, lam, NULL) != HL_OK)
      continue;
    double norm = sqrt (2.0 * hl_hybrid_mass_energy (&sides->mass, x)) + free_norm;
    for (int k = 0; k < m; k++) {
      double sum = rate[k];
      double size = 0.0;
      for (int i = 0; i < n; i++) {
        sum += w[i + n * k] * x[i];
        size += w[i + n * k] * w[i + n * k] / hl_hybrid_mass_diagonal (&sides->mass, i);
      }
      is_right = is_right && fabs (sum) <= 1e-9 * (fabs (rate[k]) + sqrt (size) * norm);
    }
    for (int s = 0; s < sides->n_sides; s++)
      is_right =
          is_right && gap (sides, sides->side[s], x) >= -1e-9 * gap_size (sides, sides->side[s]) * norm;
    if (!is_right)
      continue;
    for (int i = 0; i < n; i++)
      difference[i] = x[i] - f[i] / hl_hybrid_mass_diagonal (&sides->mass, i);
    double distance = hl_hybrid_mass_energy (&sides->mass, difference);
    if (distance < best) {
      best = distance;
      memcpy (best_x, x, (size_t)n * sizeof (double));
    }
  }
  return best < INFINITY;
}

static void inflow_of_columns (const HlTestHybrid *sys, double b[]) {
  for (int column = 0; column < sys->net->n_columns; column++)
    b[column] = column < sys->tables.n_nodes ? sys->inflow[column] : 0.0;
}

static bool touches (const HlTestHybrid *sys, int piston, bool upper) {
  return sys->position[piston] == (upper ? 1.0 : 0.0);
}

/* All one-sided lines that are not shut by command, and all touched stops. */
static void sides_collect_all (Sides *sides) {
  const HlTestHybrid *sys = sides->sys;

  for (int line = 0; line < sys->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (sys->net, line) &&
        hl_hybrid_key_get_line (sys->net, &sides->equalities, line) != HL_HYBRID_LINE_SHUT)
      sides->side[sides->n_sides++] = hl_hybrid_line_column (sys->net, line);
  for (int piston = 0; piston < sys->tables.n_cylinders; piston++)
    for (int upper = 0; upper <= 1; upper++)
      if (touches (sys, piston, upper != 0))
        sides->side[sides->n_sides++] = hl_hybrid_stop_column (sys->net, piston, upper != 0);
}

/* ---- checks ---- */

static void check_same (const Sides *sides, const double got[], const double want[], double floor_norm) {
  double norm = sqrt (2.0 * hl_hybrid_mass_energy (&sides->mass, want)) + floor_norm;

  for (int i = 0; i < sides->sys->net->n_states; i++)
    hl_assert_near (got[i], want[i], 0.0, 1e-7 * norm / sqrt (hl_hybrid_mass_diagonal (&sides->mass, i)));
}

/* Gauss: the accelerations of the chosen mode are the nearest admissible ones for the elements that
 * rest in contact. */
static void check_choice (HlTestHybrid *sys, const double v[], Tally *tally) {
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (sys->solver);
  double rate[MAX_M] = {0}, force[MAX_N], want[MAX_N], force_norm = 0.0;
  HlHybridInstant now;
  Sides sides;

  g_assert_cmpint (hl_hybrid_solver_eval_full (sys->solver, 0.0, v, &now, NULL), ==, HL_OK);
  sides_init (&sides, sys, &mode->key);
  sides_collect_all (&sides);
  double speed = sqrt (2.0 * hl_hybrid_mass_energy (&sides.mass, v));
  int n_resting = 0;
  for (int s = 0; s < sides.n_sides; s++)
    if (fabs (gap (&sides, sides.side[s], v)) <= 1e-9 * gap_size (&sides, sides.side[s]) * speed)
      sides.side[n_resting++] = sides.side[s];
  sides.n_sides = n_resting;
  hl_hybrid_force_eval (sys->net, hl_hybrid_solver_get_inputs (sys->solver), v, force);
  for (int i = 0; i < sys->net->n_states; i++)
    force_norm += force[i] * force[i] / hl_hybrid_mass_diagonal (&sides.mass, i);
  g_assert_true (nearest (&sides, rate, force, want));
  check_same (&sides, now.v_dot, want, sqrt (force_norm));
  for (int s = 0; s < sides.n_sides; s++)
    if (hl_hybrid_key_has_column (sys->net, &mode->key, sides.side[s])) {
      /* held: the multiplier is known and of the right sign */
      int entity;
      bool is_line = hl_hybrid_column_kind (sys->net, sides.side[s], &entity) == HL_HYBRID_LINE_DROP;
      double y = (is_line ? -1.0 : 1.0) * now.multiplier[sides.side[s]];
      g_assert_cmpfloat (y, >=, -1e-8 * sqrt (force_norm) / gap_size (&sides, sides.side[s]));
    }
  g_assert_cmpfloat (hl_test_hybrid_node_residual (sys->net, hl_hybrid_solver_get_inputs (sys->solver), v), <,
                     1e-12);
  tally->n_choices++;
  hl_hybrid_route_free (sides.route);
}

/* M (v+ - v) + W s = 0, signs and complementarity of the impulses; skipped where redundant ones are
 * not known. */
static void check_impulses (const Sides *sides, const HlHybridReport *report, const double before[],
                            const double after[]) {
  const HlTestHybrid *sys = sides->sys;
  int n = sys->net->n_states;
  double jump[MAX_N], momentum[MAX_N], w[MAX_N];
  double norm = 0.0;

  for (int i = 0; i < n; i++) {
    jump[i] = after[i] - before[i];
    norm += hl_hybrid_mass_diagonal (&sides->mass, i) * (before[i] * before[i] + after[i] * after[i]);
  }
  norm = sqrt (norm);
  hl_hybrid_mass_multiply (&sides->mass, jump, momentum);
  bool is_known = true;
  for (int column = 0; column < sys->net->n_columns; column++) {
    bool is_equality = hl_hybrid_key_has_column (sys->net, &sides->equalities, column);
    is_known = is_known && !(is_equality && isnan (report->impulse[column]));
    if (isnan (report->impulse[column]))
      continue;
    hl_hybrid_column_assemble (sys->net, hl_hybrid_solver_get_inputs (sys->solver), column, w);
    for (int i = 0; i < n; i++)
      momentum[i] += w[i] * report->impulse[column];
  }
  for (int s = 0; s < sides->n_sides; s++) {
    int column = sides->side[s];
    int entity;
    bool is_line = hl_hybrid_column_kind (sys->net, column, &entity) == HL_HYBRID_LINE_DROP;
    double y = (is_line ? -1.0 : 1.0) * report->impulse[column];
    double size = gap_size (sides, column);
    if (isnan (y))
      continue;
    g_assert_cmpfloat (y, >=, -1e-8 * norm / size);
    g_assert_cmpfloat (fabs (y * gap (sides, column, after)), <=, 1e-7 * norm * norm);
  }
  for (int i = 0; i < n && is_known; i++)
    hl_assert_near (momentum[i], 0.0, 0.0, 1e-7 * norm * sqrt (hl_hybrid_mass_diagonal (&sides->mass, i)));
}

static int random_events (HlTestHybrid *sys, const double v[], HlHybridEvent events[]) {
  int n_events = 0;

  for (int line = 0; line < sys->tables.n_lines; line++)
    if (sys->lines[line].kind != HL_HYBRID_PIPE && g_test_rand_int_range (0, 3) == 0) {
      HlHybridLineState state =
          hl_hybrid_key_get_line (sys->net, &hl_hybrid_solver_get_mode (sys->solver)->key, line);
      events[n_events++] = (HlHybridEvent){
          .kind = state == HL_HYBRID_LINE_SHUT ? HL_HYBRID_OPEN_VALVE : HL_HYBRID_SHUT_VALVE, .entity = line};
    }
  for (int piston = 0; piston < sys->tables.n_cylinders; piston++)
    if (sys->position[piston] == 0.5 && g_test_rand_int_range (0, 2) == 0) {
      bool upper = v[sys->tables.n_lines + piston] > 0.0;
      sys->position[piston] = upper ? 1.0 : 0.0;
      events[n_events++] = (HlHybridEvent){.kind = HL_HYBRID_HIT_STOP, .entity = piston, .upper = upper};
    }
  return n_events;
}

static void check_event (HlTestHybrid *sys, double v[], Tally *tally) {
  HlHybridEvent events[2 * HL_TEST_HYBRID_MAX];
  double before[MAX_N], want[MAX_N], b[MAX_M], f[MAX_N], impulse[MAX_M];
  HlHybridReport report = {.impulse = impulse};
  HlHybridKey key = hl_hybrid_solver_get_mode (sys->solver)->key;
  Sides sides;
  int n_events = random_events (sys, v, events);

  for (int e = 0; e < n_events; e++)
    if (events[e].kind == HL_HYBRID_SHUT_VALVE || events[e].kind == HL_HYBRID_OPEN_VALVE)
      hl_hybrid_key_set_line (sys->net, &key, events[e].entity,
                              events[e].kind == HL_HYBRID_SHUT_VALVE ? HL_HYBRID_LINE_SHUT
                                                                     : HL_HYBRID_LINE_OPEN);
  memcpy (before, v, (size_t)sys->net->n_states * sizeof (double));
  HlStatus status = hl_hybrid_solver_apply (sys->solver, 0.0, events, n_events, v, &report, NULL);

  sides_init (&sides, sys, &key);
  sides_collect_all (&sides);
  inflow_of_columns (sys, b);
  hl_hybrid_mass_multiply (&sides.mass, before, f);
  bool has_way = nearest (&sides, b, f, want);
  g_assert_cmpint (status, ==, has_way ? HL_OK : HL_INFEASIBLE);
  if (!has_way) {
    const int *columns;
    g_assert_cmpint (hl_hybrid_solver_get_contradiction (sys->solver, &columns), >, 0);
    tally->n_no_way++;
    hl_hybrid_route_free (sides.route);
    return;
  }
  check_same (&sides, v, want, sqrt (2.0 * hl_hybrid_mass_energy (&sides.mass, before)));
  if (report.had_impact) {
    tally->n_impacts++;
    check_impulses (&sides, &report, before, v);
    bool has_pump = false;
    for (int node = 0; node < sys->tables.n_nodes; node++)
      has_pump = has_pump || sys->inflow[node] != 0.0;
    if (!has_pump) {
      double growth = (report.energy_after - report.energy_before) / report.energy_before;
      tally->worst_growth = fmax (tally->worst_growth, growth);
      g_assert_cmpfloat (growth, <=, 1e-12);
    }
  } else
    tally->n_quiet++;
  hl_hybrid_route_free (sides.route);
  check_choice (sys, v, tally);
}

/* A start that was refused: no set of open lines and free stops gives every pump a path. */
static void check_no_start (const HlTestHybrid *sys, const bool shut[]) {
  HlHybridKey key = {{0}};
  double b[MAX_M], f[MAX_N] = {0}, x[MAX_N];
  const int *columns;
  Sides sides;

  for (int line = 0; line < sys->tables.n_lines; line++)
    if (shut[line])
      hl_hybrid_key_set_line (sys->net, &key, line, HL_HYBRID_LINE_SHUT);
  sides_init (&sides, sys, &key);
  sides_collect_all (&sides);
  inflow_of_columns (sys, b);
  g_assert_false (nearest (&sides, b, f, x));
  g_assert_cmpint (hl_hybrid_solver_get_contradiction (sys->solver, &columns), >, 0);
  hl_hybrid_route_free (sides.route);
}

static void run_random (int n_circuits, bool with_pump) {
  Tally tally = {.worst_growth = -INFINITY};

  for (int count = 0; count < n_circuits; count++) {
    HlTestHybrid *sys = random_circuit (with_pump && count % 2 == 0);
    bool shut[HL_TEST_HYBRID_MAX] = {false};
    double v[MAX_N] = {0};
    for (int line = 0; line < sys->tables.n_lines; line++)
      shut[line] = sys->lines[line].kind == HL_HYBRID_VALVE && g_test_rand_int_range (0, 2) == 0;
    for (int i = 0; i < sys->tables.n_mech; i++)
      v[sys->tables.n_lines + i] = hl_test_uniform (-1.0, 1.0);
    HlStatus status = hl_hybrid_solver_start (sys->solver, 0.0, shut, v, NULL);
    if (status == HL_OK) {
      tally.n_starts++;
      check_choice (sys, v, &tally);
      check_event (sys, v, &tally);
    } else {
      g_assert_cmpint (status, ==, HL_INFEASIBLE);
      check_no_start (sys, shut);
      tally.n_no_start++;
    }
    hl_test_hybrid_free (sys);
  }
  g_test_message (
      "%d starts (%d impossible), %d impacts, %d events without impact, %d impossible, %d choices, "
      "largest growth of energy %.2g",
      tally.n_starts, tally.n_no_start, tally.n_impacts, tally.n_quiet, tally.n_no_way, tally.n_choices,
      tally.worst_growth);
  g_assert_cmpint (tally.n_impacts, >, n_circuits / 10);
}

static void test_random (void) {
  run_random (1500, true);
}

static void test_energy (void) {
  run_random (500, false);
}

/* Pump into a node with n checks and n reliefs to the tank: all checks open, since they do so at one pressure, whatever the
 * number, and none of the reliefs. */
static void test_start_order (void) {
  for (int n = 1; n <= 9; n++) {
    HlTestHybrid *sys = hl_test_hybrid_new ();
    int tank = hl_test_hybrid_add_node (sys, "T", true);
    int node = hl_test_hybrid_add_node (sys, "J", false);
    bool shut[HL_TEST_HYBRID_MAX] = {false};
    double v[MAX_N + HL_TEST_HYBRID_MAX] = {0};
    int n_open = 0;
    for (int i = 0; i < 2 * n; i++) {
      char name[16];
      g_snprintf (name, sizeof name, "l%d", i);
      int line = hl_test_hybrid_add_line (sys, name, i < n ? HL_HYBRID_RELIEF : HL_HYBRID_CHECK, node, tank,
                                          1e6 * (1 + i), 5e-5);
      /* so high that no relief has a reason to open next to the check */
      sys->lines[line].crack_pressure = i < n ? 1e9 : 0.0;
    }
    sys->inflow[node] = 1e-3;
    hl_test_hybrid_compile (sys);
    g_assert_cmpint (hl_hybrid_solver_start (sys->solver, 0.0, shut, v, NULL), ==, HL_OK);
    for (int line = 0; line < 2 * n; line++) {
      n_open += v[line] > 1e-12;
      g_assert_cmpfloat (line < n ? fabs (v[line]) : 0.0, <, 1e-12);
    }
    g_assert_cmpint (n_open, ==, n);
    hl_test_hybrid_free (sys);
  }
}

/* A pump against a check that points at it: refused, and both are named. */
static void test_dead_headed (void) {
  HlTestHybrid *sys = hl_test_hybrid_new ();
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int node = hl_test_hybrid_add_node (sys, "J", false);
  bool shut[1] = {false};
  double v[1] = {0};
  const int *columns;
  HlFault fault;

  hl_test_hybrid_add_line (sys, "wrong", HL_HYBRID_CHECK, tank, node, 1e6, 5e-5);
  sys->inflow[node] = 1e-3;
  hl_test_hybrid_compile (sys);
  g_assert_cmpint (hl_hybrid_solver_start (sys->solver, 0.0, shut, v, &fault), ==, HL_INFEASIBLE);
  g_assert_cmpint (fault.status, ==, HL_INFEASIBLE);
  g_assert_cmpint (hl_hybrid_solver_get_contradiction (sys->solver, &columns), ==, 2);
  g_assert_cmpint (columns[0], ==, hl_hybrid_node_column (sys->net, node));
  g_assert_cmpint (columns[1], ==, hl_hybrid_line_column (sys->net, 0));
  hl_test_hybrid_free (sys);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid/impacts/random", test_random);
  g_test_add_func ("/hybrid/impacts/energy", test_energy);
  g_test_add_func ("/hybrid/start/order", test_start_order);
  g_test_add_func ("/hybrid/start/dead-headed", test_dead_headed);
  return g_test_run ();
}
