/* SPDX-License-Identifier: MIT */
/* Long runs with thousands of switches: no event repeats at one time, flows add up to nothing at
 * every node after every step, an impact without a pump never adds energy, and the power balance
 * closes at every instant. */
#include <math.h>
#include <string.h>

#include "tests/support/hl-test-piston-circuits.h"
#include "tests/support/hl-test.h"

typedef struct {
  double residual;
  double unbalance;
  double backflow;
  double outside;
  int n_steps;
} Watch;

/* v^T (M v') = v^T F + b^T lam: what the forces and the pump do is what the masses gain. */
static double power_unbalance (const HlTestHybrid *sys, const HlHybridInstant *now) {
  double force[HL_TEST_HYBRID_MAX * 2];
  double sum = 0.0;
  double magnitude = 0.0;

  hl_hybrid_force_eval (sys->net, hl_hybrid_solver_get_inputs (sys->solver), now->v, force);
  for (int i = 0; i < sys->net->n_states; i++) {
    double inertia = i < sys->tables.n_lines ? sys->lines[i].inertia : sys->mass[i - sys->tables.n_lines];
    sum += now->v[i] * (inertia * now->v_dot[i] - force[i]);
    magnitude += fabs (now->v[i]) * (inertia * fabs (now->v_dot[i]) + fabs (force[i]));
  }
  for (int node = 0; node < sys->tables.n_nodes; node++)
    if (sys->inflow[node] != 0.0) {
      sum -= sys->inflow[node] * now->multiplier[node];
      magnitude += fabs (sys->inflow[node] * now->multiplier[node]);
    }
  /* below a milliwatt the balance is rounding of pressures times rounding of flows */
  return fabs (sum) / (magnitude + 1e-3);
}

static void watch_step (HlTestHybrid *sys, double t, const HlHybridInstant *now, void *data) {
  Watch *watch = data;

  watch->n_steps++;
  watch->residual =
      fmax (watch->residual,
            hl_test_hybrid_node_residual (sys->net, hl_hybrid_solver_get_inputs (sys->solver), now->v));
  watch->unbalance = fmax (watch->unbalance, power_unbalance (sys, now));
  for (int line = 0; line < sys->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (sys->net, line))
      watch->backflow = fmax (watch->backflow, -now->v[line]);
  for (int i = 0; i < sys->tables.n_mech; i++) {
    watch->outside = fmax (watch->outside, sys->cylinders[i].stroke_min - sys->position[i]);
    watch->outside = fmax (watch->outside, sys->position[i] - sys->cylinders[i].stroke_max);
  }
}

static void check_ledger (const HlTestHybrid *sys, bool has_pump, int n_least) {
  int n_events = 0;
  int n_impacts = 0;

  for (guint i = 0; i < sys->ledger->len; i++) {
    const HlTestHybridRecord *one = &g_array_index (sys->ledger, HlTestHybridRecord, i);
    if (g_str_has_prefix (one->what, "mode"))
      continue;
    n_events++;
    for (guint j = i; j-- > 0;) {
      const HlTestHybridRecord *other = &g_array_index (sys->ledger, HlTestHybridRecord, j);
      if (other->t < one->t)
        break;
      g_assert_cmpstr (other->what, !=, one->what);
    }
    if (!one->had_impact)
      continue;
    n_impacts++;
    if (!has_pump)
      g_assert_cmpfloat (one->energy_after, <=, one->energy_before * (1.0 + 1e-12));
  }
  g_test_message ("%d events, %d with an impact, %ld steps, %ld evaluations", n_events, n_impacts,
                  sys->n_steps, sys->n_evals);
  g_assert_cmpint (n_events, >=, n_least);
  g_assert_cmpint (n_impacts, >, n_least / 20);
}

static void run (HlTestHybrid *sys, double end, bool has_pump, int n_least) {
  Watch watch = {0};
  bool shut[HL_TEST_HYBRID_MAX] = {false};
  double v[2 * HL_TEST_HYBRID_MAX] = {0};

  sys->tolerance = 1e-8;
  sys->max_step = 2e-3; /* where nothing moves no error limits the step, and a swing of the load
                           would be passed over */
  sys->watch = watch_step;
  sys->data = &watch;
  g_assert_cmpint (hl_hybrid_solver_start (sys->solver, 0.0, shut, v, NULL), ==, HL_OK);
  hl_test_hybrid_run (sys, 0.0, end, v);
  check_ledger (sys, has_pump, n_least);
  hl_assert_near (watch.residual, 0.0, 0.0, 1e-15);
  hl_assert_near (watch.unbalance, 0.0, 0.0, 1e-9);
  hl_assert_near (watch.backflow, 0.0, 0.0, 1e-11);
  hl_assert_near (watch.outside, 0.0, 0.0, 1e-9);
  g_assert_cmpint (watch.n_steps, >, n_least);
  hl_test_hybrid_free (sys);
}

/* A pump, a relief valve that has to work, and a loaded piston that hammers both of its stops. */
static void test_relief (void) {
  HlTestHybrid *sys = hl_test_hybrid_new ();
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int j = hl_test_hybrid_add_node (sys, "J", false);
  int h = hl_test_hybrid_add_node (sys, "H", false);

  int relief = hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, j, tank, 1e6, 3e-5);
  sys->lines[relief].crack_pressure = 5e6;
  hl_test_hybrid_add_line (sys, "q", HL_HYBRID_PIPE, j, h, 2e6, 5e-5);
  hl_test_hybrid_add_line (sys, "suction", HL_HYBRID_CHECK, tank, h, 1e6, 1e-4);
  hl_test_hybrid_add_piston (sys, "x", 80.0, 6000.0, 200.0, 0.0, 0.01);
  hl_test_hybrid_add_chamber (sys, 0, h, 2e-3);
  sys->swing[0] = 15000.0;
  sys->frequency[0] = 100.0;
  sys->position[0] = 0.005;
  sys->inflow[j] = 1e-3;
  hl_test_hybrid_compile (sys);
  run (sys, 100.0, true, 4000);
}

/* No pump: two driven pistons work against each other through a bridge of four checks and a relief.
 */
static void test_bridge (void) {
  HlTestHybrid *sys = hl_test_hybrid_new ();
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int a = hl_test_hybrid_add_node (sys, "A", false);
  int b = hl_test_hybrid_add_node (sys, "B", false);
  int high = hl_test_hybrid_add_node (sys, "P", false);

  hl_test_hybrid_add_line (sys, "ta", HL_HYBRID_CHECK, tank, a, 1e6, 5e-5);
  hl_test_hybrid_add_line (sys, "tb", HL_HYBRID_CHECK, tank, b, 1.3e6, 5e-5);
  hl_test_hybrid_add_line (sys, "ap", HL_HYBRID_CHECK, a, high, 1.7e6, 5e-5);
  hl_test_hybrid_add_line (sys, "bp", HL_HYBRID_CHECK, b, high, 2.1e6, 5e-5);
  int relief = hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, high, tank, 1e6, 5e-5);
  sys->lines[relief].crack_pressure = 1e6;
  hl_test_hybrid_add_piston (sys, "x", 80.0, 0.0, 50.0, 0.0, 0.02);
  hl_test_hybrid_add_piston (sys, "y", 50.0, 100.0, 50.0, 0.0, 0.03);
  hl_test_hybrid_add_chamber (sys, 0, a, 2e-3);
  hl_test_hybrid_add_chamber (sys, 0, b, -1.5e-3);
  hl_test_hybrid_add_chamber (sys, 1, high, 1e-3);
  sys->swing[0] = 12000.0;
  sys->frequency[0] = 60.0;
  sys->swing[1] = 3000.0;
  sys->frequency[1] = 97.0;
  sys->position[0] = 0.01;
  sys->position[1] = 0.01;
  hl_test_hybrid_compile (sys);
  run (sys, 40.0, false, 2000);
}

/* Mass on a stop under a swinging load without oil: leaves and hits once per period. */
static void test_hammer (void) {
  HlTestHybrid *sys = hl_test_hybrid_new ();

  hl_test_hybrid_add_node (sys, "T", true);
  hl_test_hybrid_add_piston (sys, "x", 10.0, 100.0, 0.0, 0.0, 1.0);
  sys->swing[0] = 300.0;
  sys->frequency[0] = 50.0;
  hl_test_hybrid_compile (sys);
  run (sys, 200.0, false, 2000);
}

/* Suction valves of different inertia side by side, and two in a row beside them: where the second one of those that begin to
 * open at one instant had the lower push, it stayed shut beside an open one and began to open again at the same time. */
static void test_parallel (void) {
  HlTestHybrid *sys = hl_test_hybrid_new ();
  int tank = hl_test_hybrid_add_node (sys, "T", true);
  int a = hl_test_hybrid_add_node (sys, "A", false);
  int b = hl_test_hybrid_add_node (sys, "B", false);

  hl_test_hybrid_add_line (sys, "ab", HL_HYBRID_CHECK, a, b, 1.5e6, 2.9e-5);
  hl_test_hybrid_add_line (sys, "tb", HL_HYBRID_CHECK, tank, b, 3e6, 3e-5);
  hl_test_hybrid_add_line (sys, "ta", HL_HYBRID_CHECK, tank, a, 7e6, 8e-5);
  hl_test_hybrid_add_line (sys, "tb2", HL_HYBRID_CHECK, tank, b, 2.2e6, 7e-5);
  hl_test_hybrid_add_line (sys, "ba", HL_HYBRID_PIPE, b, a, 2e6, 8.7e-5);
  int relief = hl_test_hybrid_add_line (sys, "relief", HL_HYBRID_RELIEF, b, a, 6e6, 3.7e-5);
  sys->lines[relief].crack_pressure = 1e6;
  int out = hl_test_hybrid_add_line (sys, "out", HL_HYBRID_RELIEF, a, tank, 1e6, 5e-5);
  sys->lines[out].crack_pressure = 2e7;
  hl_test_hybrid_add_piston (sys, "x", 465.0, -2270.0, 200.0, 0.0, 0.02);
  hl_test_hybrid_add_chamber (sys, 0, a, 1.7e-3);
  hl_test_hybrid_add_chamber (sys, 0, b, -3.4e-3);
  sys->swing[0] = 3060.0;
  sys->frequency[0] = 29.2;
  sys->position[0] = 0.01;
  sys->inflow[a] = 5e-4;
  hl_test_hybrid_compile (sys);
  run (sys, 1.0, true, 5);
}

/* Random circuits under swinging loads, each for a few hundred switches. */
static void test_random (void) {
  static const HlHybridLineKind kinds[] = {HL_HYBRID_PIPE, HL_HYBRID_CHECK, HL_HYBRID_CHECK,
                                           HL_HYBRID_RELIEF};
  int n_events = 0;
  int n_runs = 0;

  for (int count = 0; count < 40; count++) {
    HlTestHybrid *sys = hl_test_hybrid_new ();
    Watch watch = {0};
    bool shut[HL_TEST_HYBRID_MAX] = {false};
    double v[2 * HL_TEST_HYBRID_MAX] = {0};
    int n_nodes = g_test_rand_int_range (2, 6);
    int n_lines = g_test_rand_int_range (2, 8);
    int n_pistons = g_test_rand_int_range (1, 4);
    char name[16];

    for (int node = 0; node < n_nodes; node++) {
      g_snprintf (name, sizeof name, "N%d", node);
      hl_test_hybrid_add_node (sys, name, node == 0);
    }
    for (int line = 0; line < n_lines; line++) {
      int from = g_test_rand_int_range (0, n_nodes);
      int to = (from + g_test_rand_int_range (1, n_nodes)) % n_nodes;
      g_snprintf (name, sizeof name, "l%d", line);
      hl_test_hybrid_add_line (sys, name, kinds[g_test_rand_int_range (0, 4)], from, to,
                               hl_test_log_uniform (1e6, 1e7), hl_test_log_uniform (2e-5, 1e-4));
      sys->lines[line].crack_pressure = sys->lines[line].kind == HL_HYBRID_RELIEF ? 1e6 : 0.0;
    }
    for (int i = 0; i < n_pistons; i++) {
      g_snprintf (name, sizeof name, "x%d", i);
      hl_test_hybrid_add_piston (sys, name, hl_test_log_uniform (50.0, 500.0), hl_test_uniform (-3e3, 3e3),
                                 200.0, 0.0, 0.02);
      hl_test_hybrid_add_chamber (sys, i, g_test_rand_int_range (0, n_nodes),
                                  hl_test_log_uniform (1e-3, 4e-3));
      if (g_test_rand_int_range (0, 2) == 0)
        hl_test_hybrid_add_chamber (sys, i, g_test_rand_int_range (0, n_nodes),
                                    -hl_test_log_uniform (1e-3, 4e-3));
      sys->position[i] = g_test_rand_int_range (0, 3) * 0.01;
      sys->swing[i] = hl_test_uniform (0.0, 2e4);
      sys->frequency[i] = hl_test_uniform (20.0, 100.0);
    }
    if (count % 2 == 0)
      sys->inflow[1] = 5e-4;
    hl_test_hybrid_compile (sys);
    if (hl_hybrid_solver_start (sys->solver, 0.0, shut, v, NULL) == HL_OK) {
      sys->tolerance = 1e-7;
      sys->max_step = 2e-3;
      sys->watch = watch_step;
      sys->data = &watch;
      sys->may_fail = true;
      hl_test_hybrid_run (sys, 0.0, 1.5, v);
      hl_assert_near (watch.residual, 0.0, 0.0, 1e-14);
      hl_assert_near (watch.unbalance, 0.0, 0.0, 1e-8);
      hl_assert_near (watch.backflow, 0.0, 0.0, 1e-10);
      n_events += (int)sys->ledger->len / 2;
      n_runs++;
    }
    hl_test_hybrid_free (sys);
  }
  g_test_message ("%d runs, %d events", n_runs, n_events);
  g_assert_cmpint (n_events, >, 1000);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid/long/relief", test_relief);
  g_test_add_func ("/hybrid/long/bridge", test_bridge);
  g_test_add_func ("/hybrid/long/hammer", test_hammer);
  g_test_add_func ("/hybrid/long/parallel", test_parallel);
  g_test_add_func ("/hybrid/long/random", test_random);
  return g_test_run ();
}
