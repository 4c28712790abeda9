/* SPDX-License-Identifier: MIT */
/* One mode at a time against the rational-arithmetic cases of hybrid.json: status, rank, W,
 * independent states, alpha, Mr, v', multipliers, re-initialisation, all to 1e-9 scaled by the
 * largest number of a row. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-constraint-reduction.h"
#include "tests/support/hl-test-piston-circuits.h"
#include "tests/support/hl-test.h"

#define MAX_N 24

static json_t *root;

/* Largest magnitude of a row, for row-scaled comparison. */
static double row_scale (const double row[], int n) {
  double largest = 0.0;

  for (int i = 0; i < n; i++)
    largest = fmax (largest, fabs (row[i]));
  return largest;
}

static int state_of_name (json_t *states, const char *name) {
  for (size_t i = 0; i < json_array_size (states); i++)
    if (strcmp (json_string_value (json_array_get (states, i)), name) == 0)
      return (int)i;
  g_error ("no state %s", name);
}

/* Row-scaled comparison of column-major `got` (n x m) with the nested array `want`. */
static void check_matrix (json_t *want, int n, int m, const double got[]) {
  g_assert_cmpint ((int)json_array_size (want), ==, n);
  for (int i = 0; i < n; i++) {
    double row[MAX_N];
    hl_test_json_numbers (json_array_get (want, (size_t)i), "", row, m);
    for (int j = 0; j < m; j++)
      hl_assert_near (got[i + n * j], row[j], 1e-9, 1e-12 * row_scale (row, m) + 1e-300);
  }
}

static void check_vector (json_t *want, int n, const double got[], double rel) {
  double numbers[MAX_N];

  hl_test_json_numbers (want, "", numbers, n);
  for (int i = 0; i < n; i++)
    hl_assert_near (got[i], numbers[i], rel, 1e-3 * rel * row_scale (numbers, n) + 1e-300);
}

static bool list_has (json_t *list, const char *name) {
  for (size_t i = 0; i < json_array_size (list); i++)
    if (strcmp (json_string_value (json_array_get (list, i)), name) == 0)
      return true;
  return false;
}

static void check_structure (const HlTestHybrid *sys, json_t *one, const HlHybridMode *mode) {
  json_t *constraints = json_object_get (one, "constraints");
  json_t *states = json_object_get (one, "states");
  json_t *independent = json_object_get (one, "independent");
  double w[MAX_N * MAX_N];

  g_assert_cmpint (mode->n_active, ==, (int)json_array_size (constraints));
  for (int k = 0; k < mode->n_active; k++) {
    char name[48];
    hl_test_hybrid_column_name (sys, mode->columns[k], name);
    g_assert_cmpstr (name, ==, json_string_value (json_array_get (constraints, (size_t)k)));
    hl_hybrid_column_assemble (sys->net, hl_hybrid_solver_get_inputs (sys->solver), mode->columns[k],
                               w + sys->net->n_states * k);
  }
  check_matrix (json_object_get (one, "W"), sys->net->n_states, mode->n_active, w);
  g_assert_cmpint (mode->rank->rank, ==, json_integer_value (json_object_get (one, "rank")));
  g_assert_cmpint (sys->net->n_states - mode->rank->rank, ==, (int)json_array_size (independent));
  for (size_t j = 0; j < json_array_size (independent); j++)
    g_assert_cmpint (mode->rank->independent[j], ==,
                     state_of_name (states, json_string_value (json_array_get (independent, j))));
}

/* The columns named by an infeasible mode contain the pump's node, and really contradict each
 * other. */
static void check_infeasible (const HlTestHybrid *sys, const HlHybridMode *mode) {
  const int *columns;
  int n = hl_hybrid_solver_get_contradiction (sys->solver, &columns);
  bool has_pump = false;

  g_assert_cmpint (n, >=, 2);
  for (int i = 0; i < n; i++) {
    has_pump = has_pump || hl_hybrid_column_inflow (sys->net, hl_hybrid_solver_get_inputs (sys->solver),
                                                    columns[i]) != 0.0;
    g_assert_true (hl_hybrid_key_has_column (sys->net, &mode->key, columns[i]));
  }
  g_assert_true (has_pump);
}

static void check_multipliers (const HlTestHybrid *sys, json_t *one, const HlHybridInstant *now) {
  json_t *undetermined = json_object_get (one, "undetermined_multipliers");
  json_t *want = json_object_get (one, "multipliers");
  const HlHybridMode *mode = hl_hybrid_solver_get_mode (sys->solver);
  double scale = 0.0;
  const char *key;
  json_t *value;

  json_object_foreach (want, key, value) if (key[0] != 'F') scale =
      fmax (scale, fabs (json_number_value (value)));
  json_object_foreach (want, key, value) {
    int column = hl_test_hybrid_column (sys, key);
    double got = hl_hybrid_column_value (sys->net, column, now->multiplier[column]);
    double size = key[0] == 'F' ? fmax (fabs (json_number_value (value)), 1e-3 * scale) : scale;
    hl_assert_near (got, json_number_value (value), 0.0, 1e-9 * size);
  }
  for (int k = 0; k < mode->n_active; k++) {
    char name[48];
    hl_test_hybrid_column_name (sys, mode->columns[k], name);
    g_assert_true (mode->rank->undetermined[k] == list_has (undetermined, name));
    g_assert_true ((bool)isnan (now->multiplier[mode->columns[k]]) == list_has (undetermined, name));
  }
}

static void check_dropped (const HlTestHybrid *sys, json_t *one, const HlHybridMode *mode) {
  json_t *dropped = json_object_get (one, "dropped_columns");
  int n_dropped = 0;

  for (int k = 0; k < mode->n_active; k++) {
    char name[48];
    bool is_kept = false;
    for (int i = 0; i < mode->rank->rank; i++)
      is_kept = is_kept || mode->rank->kept[i] == k;
    if (is_kept)
      continue;
    n_dropped++;
    hl_test_hybrid_column_name (sys, mode->columns[k], name);
    g_assert_true (list_has (dropped, name));
  }
  g_assert_cmpint (n_dropped, ==, (int)json_array_size (dropped));
}

static void check_numbers (HlTestHybrid *sys, json_t *one, const HlHybridMode *mode) {
  const HlHybridReduction *red = hl_hybrid_solver_get_reduction (sys->solver);
  double t = hl_test_json_number (one, "t");
  int n = sys->net->n_states;
  double v[MAX_N];
  double vbar[MAX_N];
  double f[MAX_N];
  double v_before[MAX_N];
  HlHybridInstant now;

  hl_test_json_numbers (one, "v", v, n);
  g_assert_cmpint (hl_hybrid_solver_eval_full (sys->solver, t, v, &now, NULL), ==, HL_OK);
  hl_hybrid_force_eval (sys->net, hl_hybrid_solver_get_inputs (sys->solver), v, f);
  check_vector (json_object_get (one, "F"), n, f, 1e-9);
  check_matrix (json_object_get (one, "alpha"), n, red->n_free, red->alpha);
  check_matrix (json_object_get (one, "Mr"), red->n_free, red->n_free, red->reduced_mass);
  check_vector (json_object_get (one, "vbar_dot"), red->n_free, now.vbar_dot, 1e-9);
  check_vector (json_object_get (one, "vdot"), n, now.v_dot, 1e-9);
  check_multipliers (sys, one, &now);
  check_dropped (sys, one, mode);

  /* from the independent velocities alone */
  hl_hybrid_solver_select (sys->solver, v, vbar);
  g_assert_cmpint (hl_hybrid_solver_eval (sys->solver, t, vbar, &now, NULL), ==, HL_OK);
  check_vector (json_object_get (one, "v"), n, now.v, 1e-9);
  check_vector (json_object_get (one, "vdot"), n, now.v_dot, 1e-9);

  /* re-initialisation; v_after of a column that stands still is rounding of the reference, hence
   * the common scale */
  double b[MAX_N];
  HlHybridMass mass = {.n_lines = sys->tables.n_lines, .n_mech = sys->tables.n_mech};
  double inertia[MAX_N];
  for (int line = 0; line < sys->tables.n_lines; line++)
    inertia[line] = sys->lines[line].inertia;
  mass.inertia = inertia;
  mass.mass = hl_hybrid_solver_get_inputs (sys->solver)->mass;
  for (int k = 0; k < mode->n_active; k++)
    b[k] = hl_hybrid_column_inflow (sys->net, hl_hybrid_solver_get_inputs (sys->solver), mode->columns[k]);
  hl_test_json_numbers (one, "reinit.v_before", v_before, n);
  hl_hybrid_reduce_project ((HlHybridReduction *)red, &mass, b, v_before, v, NULL);
  check_vector (hl_test_json_at (one, "reinit.v_after"), n, v, 1e-9);
}

static void test_mode_cases (void) {
  json_t *cases = json_object_get (root, "mode_cases");
  size_t index;
  json_t *one;
  int n_checked = 0;

  json_array_foreach (cases, index, one) {
    HlTestHybrid *sys = hl_test_hybrid_golden (root, json_string_value (json_object_get (one, "system")));
    json_t *elements = json_object_get (one, "mode");
    const char *status = json_string_value (json_object_get (one, "status"));
    double t = json_is_number (json_object_get (one, "t")) ? hl_test_json_number (one, "t") : 0.25;
    HlHybridKey key = {{0}};

    for (size_t i = 0; i < json_array_size (elements); i++)
      hl_test_hybrid_key_add (sys, &key, json_string_value (json_array_get (elements, i)));
    HlStatus got = hl_hybrid_solver_set_mode (sys->solver, t, &key, NULL);
    const HlHybridMode *mode = hl_hybrid_solver_get_mode (sys->solver);
    g_test_message ("case %d: %s", (int)index, status);
    check_structure (sys, one, mode);
    g_assert_true ((strcmp (status, "infeasible") == 0) == (got == HL_INFEASIBLE));
    g_assert_true ((strcmp (status, "redundant") == 0) == (got == HL_OK && mode->rank->n_null > 0));
    if (got == HL_INFEASIBLE)
      check_infeasible (sys, mode);
    else {
      g_assert_cmpint (got, ==, HL_OK);
      check_numbers (sys, one, mode);
    }
    n_checked++;
    hl_test_hybrid_free (sys);
  }
  g_assert_cmpint (n_checked, ==, 26);
}

/* Plain algebra with W' != 0. */
static void check_algebra (json_t *one, int n_exact, const int *independent, int n_independent,
                           const double rate[]) {
  int n = (int)json_array_size (json_object_get (one, "M"));
  int m = (int)json_array_size (hl_test_json_at (one, "W.0"));
  double inertia[MAX_N];
  double scale[MAX_N];
  double w[MAX_N * MAX_N];
  double rows[MAX_N * MAX_N];
  double f[MAX_N];
  double v_dot[MAX_N];
  double vbar_dot[MAX_N];
  double lam[MAX_N];
  double *scratch = g_new0 (double, (gsize)hl_hybrid_rank_scratch_size (n, m));
  HlHybridRank *rank = hl_hybrid_rank_new (NULL, n, m);
  HlHybridReduction *red = hl_hybrid_reduction_new (NULL, n, m);
  HlHybridMass mass = {.n_lines = n, .inertia = inertia};

  hl_test_json_numbers (one, "M", inertia, n);
  hl_test_json_numbers (one, "W", rows, n * m);
  hl_test_json_numbers (one, "F", f, n);
  for (int i = 0; i < n; i++) {
    scale[i] = 1.0 / sqrt (inertia[i]);
    for (int k = 0; k < m; k++)
      w[i + n * k] = rows[m * i + k];
  }
  hl_hybrid_rank_analyze (rank, n, n_exact, m, w, scale, scratch);
  g_assert_cmpint (rank->rank, ==, m);
  g_assert_cmpint (n - m, ==, n_independent);
  for (int j = 0; j < n_independent; j++)
    g_assert_cmpint (rank->independent[j], ==, independent[j]);
  g_assert_cmpint (hl_hybrid_reduce_factor (red, rank, w), ==, HL_OK);
  g_assert_cmpint (hl_hybrid_reduce_mass (red, &mass), ==, HL_OK);
  hl_hybrid_reduce_acceleration (red, &mass, rate, f, vbar_dot, v_dot, lam);
  check_matrix (json_object_get (one, "alpha"), n, n - m, red->alpha);
  check_matrix (json_object_get (one, "Mr"), n - m, n - m, red->reduced_mass);
  check_vector (json_object_get (one, "vbar_dot"), n - m, vbar_dot, 1e-9);
  check_vector (json_object_get (one, "vdot"), n, v_dot, 1e-9);
  check_vector (json_object_get (one, "multipliers"), m, lam, 1e-9);
  hl_hybrid_reduction_free (red);
  hl_hybrid_rank_free (rank);
  g_free (scratch);
}

static void fill_rate (json_t *one, double rate[]) {
  int n = (int)json_array_size (json_object_get (one, "M"));
  int m = (int)json_array_size (hl_test_json_at (one, "W.0"));
  double w_dot[MAX_N * MAX_N];
  double v[MAX_N];

  hl_test_json_numbers (one, "Wdot", w_dot, n * m);
  hl_test_json_numbers (one, "v", v, n);
  for (int k = 0; k < m; k++) {
    rate[k] = 0.0;
    for (int i = 0; i < n; i++)
      rate[k] += w_dot[m * i + k] * v[i];
  }
}

static void test_general_cases (void) {
  json_t *cases = json_object_get (root, "general_cases");
  size_t index;
  json_t *one;

  g_assert_cmpint ((int)json_array_size (cases), ==, 6);
  json_array_foreach (cases, index, one) {
    json_t *list = json_object_get (one, "independent");
    int independent[MAX_N];
    double rate[MAX_N];
    for (size_t j = 0; j < json_array_size (list); j++)
      independent[j] = (int)json_integer_value (json_array_get (list, j));
    fill_rate (one, rate);
    check_algebra (one, 0, independent, (int)json_array_size (list), rate);
  }
}

/* Arm with a pin constraint that depends on the angle: the algebra, then the same numbers through
 * network, plant and solver. */
typedef struct {
  double pin_column; /* entry of W for omega */
  double pin_rate;   /* its W' */
  double moment;
  double omega;
  double supply;
  double opening;
} Arm;

static HlStatus arm_place (void *data, double t, HlHybridInputs *in) {
  const Arm *arm = data;

  in->stroke[0] = 0.5;
  in->stroke_row[0] = 1.0;
  in->link_row[0] = 1.0;
  in->link_row[1] = arm->pin_column;
  in->mass[0] = 150.0;
  in->mass[3] = 9500.0;
  in->node_pressure[0] = arm->supply;
  in->opening[0] = in->opening[1] = arm->opening;
  return HL_OK;
}

static HlStatus arm_move (void *data, double t, const double v[], HlHybridInputs *in) {
  const Arm *arm = data;

  in->force[1] = arm->moment;
  in->link_bias[0] = arm->pin_rate * v[3];
  return HL_OK;
}

static void check_arm_network (json_t *one) {
  double m[4];
  double w[12];
  double w_dot[12];
  double f[4];
  double v[4];
  hl_test_json_numbers (one, "M", m, 4);
  hl_test_json_numbers (one, "W", w, 12);
  hl_test_json_numbers (one, "Wdot", w_dot, 12);
  hl_test_json_numbers (one, "F", f, 4);
  hl_test_json_numbers (one, "v", v, 4);
  Arm arm = {.pin_column = w[11],
             .pin_rate = w_dot[11],
             .moment = f[3],
             .supply = hl_test_json_number (one, "supply_pressure"),
             .opening = hl_test_json_number (one, "valve_opening")};
  /* k u sqrt (dp) of arm.json, both lines: K = 1 / (k u)^2 */
  double loss = (arm.supply - f[0]) / (v[0] * fabs (v[0]));
  double loss_b = -f[1] / (v[1] * fabs (v[1]));
  hl_assert_near (loss, loss_b, 1e-9, 0.0);
  double k_valve = 1.0 / sqrt (loss) / arm.opening;
  hl_assert_near (k_valve, 2.9104275004359957e-06, 1e-6, 0.0);

  const bool fixed[4] = {true, true, false, false};
  double valve = loss * arm.opening * arm.opening;
  const HlHybridLine lines[2] = {
      {.kind = HL_HYBRID_VALVE,
       .from_node = 0,
       .to_node = 2,
       .inertia = m[0],
       .valve_loss = valve,
       .min_opening = 0.02},
      {.kind = HL_HYBRID_VALVE,
       .from_node = 3,
       .to_node = 1,
       .inertia = m[1],
       .valve_loss = valve,
       .min_opening = 0.02},
  };
  const HlHybridCylinder cylinder = {-INFINITY, INFINITY};
  const HlHybridChamber chambers[2] = {{0, 2, 0.024}, {0, 3, -0.012}};
  HlHybridTables tables = {.n_nodes = 4,
                           .n_lines = 2,
                           .n_cylinders = 1,
                           .n_chambers = 2,
                           .n_links = 1,
                           .n_mech = 2,
                           .node_is_fixed = fixed,
                           .lines = lines,
                           .cylinders = &cylinder,
                           .chambers = chambers};
  HlHybridNetwork *net = hl_hybrid_network_new (&tables, NULL);
  HlHybridSolver *solver =
      hl_hybrid_solver_new (net, (HlHybridPlant){.data = &arm, .place = arm_place, .move = arm_move});
  HlHybridKey key = {{0}};
  HlHybridInstant now;
  g_assert_cmpint (hl_hybrid_solver_set_mode (solver, 0.0, &key, NULL), ==, HL_OK);
  g_assert_cmpint (hl_hybrid_solver_eval (solver, 0.0, v + 3, &now, NULL), ==, HL_OK);
  g_assert_cmpint (now.n_free, ==, 1);
  g_assert_cmpint (hl_hybrid_solver_get_mode (solver)->rank->independent[0], ==, 3);
  for (int i = 0; i < 4; i++)
    hl_assert_near (now.v[i], v[i], 1e-9, 0.0);
  check_vector (json_object_get (one, "vbar_dot"), 1, now.vbar_dot, 1e-9);
  check_vector (json_object_get (one, "vdot"), 4, now.v_dot, 1e-9);
  double lam[3] = {now.multiplier[2], now.multiplier[3], now.multiplier[4]};
  check_vector (json_object_get (one, "multipliers"), 3, lam, 1e-9);
  hl_hybrid_solver_free (solver);
  hl_hybrid_network_free (net);
}

static void test_arm_cases (void) {
  json_t *cases = json_object_get (root, "arm_cases");
  const int independent[1] = {3};
  size_t index;
  json_t *one;

  g_assert_cmpint ((int)json_array_size (cases), ==, 5);
  json_array_foreach (cases, index, one) {
    double rate[MAX_N];
    fill_rate (one, rate);
    check_algebra (one, 2, independent, 1, rate);
    check_arm_network (one);
  }
}

/* Tables that cannot be compiled name the row. */
static void test_bad_tables (void) {
  const bool fixed[2] = {true, false};
  HlHybridLine lines[2] = {{.from_node = 0, .to_node = 1, .inertia = 1e6}, {.from_node = 0, .to_node = 1}};
  HlHybridTables tables = {.n_nodes = 2, .n_lines = 2, .node_is_fixed = fixed, .lines = lines};
  HlFault fault;

  g_assert_null (hl_hybrid_network_new (&tables, &fault));
  g_assert_cmpint (fault.status, ==, HL_BAD_MODEL);
  g_assert_cmpint (fault.entity_kind, ==, HL_ENTITY_LINE);
  g_assert_cmpint (fault.entity, ==, 1);
  lines[1].inertia = 1e6;
  lines[0].to_node = 2;
  g_assert_null (hl_hybrid_network_new (&tables, &fault));
  g_assert_cmpint (fault.entity, ==, 0);
  lines[0].to_node = 1;
  HlHybridNetwork *net = hl_hybrid_network_new (&tables, &fault);
  g_assert_nonnull (net);
  hl_hybrid_network_free (net);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  root = hl_test_golden_json ("hybrid.json");
  g_test_add_func ("/hybrid/modes/golden", test_mode_cases);
  g_test_add_func ("/hybrid/modes/general", test_general_cases);
  g_test_add_func ("/hybrid/modes/arm", test_arm_cases);
  g_test_add_func ("/hybrid/network/bad-tables", test_bad_tables);
  int result = g_test_run ();
  json_decref (root);
  return result;
}
