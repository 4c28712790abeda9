/* SPDX-License-Identifier: MIT */
/* Valves that open and close in incompressible oil, and the pressure of trapped oil: machines built after textbooks and
 * public reports (tests/golden/found) whose values follow from a closed form or from both other oils, and cylinders
 * between valves whose pressures can be computed by hand. */
#include <math.h>
#include <stdlib.h>

#include "core/oil/hl-run-failure.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/run/hl-simulate.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

static HlTestRun run_found (const char *name, double t_end, const char *const paths[]) {
  g_autofree char *part = g_strdup_printf ("found/%s.hydrolink", name);
  g_autofree char *path = hl_test_golden_path (part);
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_load (path, &error);
  g_assert_no_error (error);
  HlTestModel model = hl_test_model_from_document (doc);
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_HYBRID;
  options.t_end = fmax (options.t_end, t_end);
  HlTestRun run = hl_test_run (&model, options, paths);
  if (run.status != HL_OK) {
    g_autofree char *message = hl_fault_message (model.sys, &run.fault);
    g_test_message ("%s", message);
  }
  g_assert_cmpint (run.status, ==, HL_OK);
  hl_test_model_clear (&model);
  return run;
}

static double last (const HlTestRun *run, int column) {
  return hl_test_run_value (run, run->n_rows - 1, column);
}

/* The loads of 10 and 20 kN require 51 and 101 bar with the friction of 0.3 kN (3000 Ns/m at 0.1 m/s), 1 bar of ambient
 * pressure behind the pistons; then all oil goes over the valve of 150 bar and 5 bar of range. */
static void test_parallel_cylinders (void) {
  static const char *const paths[] = {"l1.y", "l2.y", "P.pressure", "rv.flow", NULL};
  HlTestRun run = run_found ("parallel-cylinders", 0.0, paths);

  hl_assert_near (hl_test_run_value (&run, 200, 2), 1e5 + (1e4 + 300.0) / 0.002, 1e-3, 0.0);
  hl_assert_near (hl_test_run_value (&run, 500, 2), 1e5 + (2e4 + 300.0) / 0.002, 1e-3, 0.0);
  hl_assert_near (last (&run, 0), 0.6, 0.0, 1e-9);
  hl_assert_near (last (&run, 1), 0.6, 0.0, 1e-9);
  hl_assert_near (last (&run, 2), 1.516e7, 1e-3, 0.0);
  hl_assert_near (last (&run, 3), 2e-4, 1e-9, 0.0);
  hl_test_run_clear (&run);
}

/* It ends at its stop of 24 in, at the relief pressure of 2500 psi with 3 gpm over 50 psi of range (the
 * quasistatic model: 1.7374741e7 Pa). */
static void test_log_splitter (void) {
  static const char *const paths[] = {"ram.x", "hi.pressure", NULL};
  HlTestRun run = run_found ("log-splitter", 40.0, paths);

  hl_assert_near (last (&run, 0), 0.5 + 24.0 * 0.0254, 0.0, 1e-9);
  hl_assert_near (last (&run, 1), 17374741.328172582, 1e-6, 0.0);
  hl_test_run_clear (&run);
}

/* The lumped oil, 1e11 Pa and lines raised by 9 bar so that nothing cavitates: 0.26273 m. At rest before the valve
 * opens it stands where it was. */
static void test_locked_cylinder (void) {
  static const char *const paths[] = {"l.x", "A.pressure", "B.pressure", NULL};
  HlTestRun run = run_found ("locked-relief-suction", 0.0, paths);

  /* 10 kN at 0.2 s: 5e6 Pa apart, and B at the tank's pressure, for oil comes in */
  hl_assert_near (hl_test_run_value (&run, 20, 0), 0.5, 0.0, 1e-12);
  hl_assert_near (hl_test_run_value (&run, 20, 1), 5.1e6, 0.0, 1.0);
  hl_assert_near (hl_test_run_value (&run, 20, 2), 1e5, 0.0, 1.0);
  hl_assert_near (last (&run, 0), 0.26273, 0.0, 1e-4);
  hl_test_run_clear (&run);
}

/* Lumped oil a hundred and a thousand times as stiff: 2.0030361 and 2.0030840 rad at 10 s, before the cylinder meets
 * its stop; the rest by 1/B. */
static void test_wave_flap (void) {
  static const char *const paths[] = {"flap.angle", NULL};
  HlTestRun run = run_found ("wec-flap", 0.0, paths);

  hl_assert_near (run.t[200], 10.0, 1e-12, 0.0);
  hl_assert_near (hl_test_run_value (&run, 200, 0), 2.0030893, 0.0, 3e-5);
  hl_test_run_clear (&run);
}

/* Two equal motors on one shaft share 4e-4 m3/s: 200 rad/s at 1e-6 m3/rad; one pumps against 140 bar, so that the inlet
 * has half of that and what the shaft's friction takes. Quasistatic: 141.2 and 71.3 bar. */
static void test_flow_divider (void) {
  static const char *const paths[] = {"shaft.omega", "o2.pressure", "P.pressure", NULL};
  HlTestRun run = run_found ("flow-divider", 0.0, paths);

  hl_assert_near (last (&run, 0), 200.0, 1e-9, 0.0);
  hl_assert_near (last (&run, 1), 1.412e7, 1e-3, 0.0);
  hl_assert_near (last (&run, 2), 7.13e6, 1e-3, 0.0);
  hl_test_run_clear (&run);
}

/* The load sinks by the pump's flow over the rod side. */
static void test_counterbalance (gconstpointer name) {
  static const char *const paths[] = {"cyl.speed", "cbv.opening", "rod.pressure", "head.pressure", NULL};
  HlTestRun run = run_found (name, 0.0, paths);

  /* the pressures of the start are those of the slow motion that follows, with hardly any flow (once -20.3 MPa stood there) */
  for (int k = 2; k < 4; k++)
    hl_assert_near (hl_test_run_value (&run, 0, k), hl_test_run_value (&run, 1, k), 0.01, 0.0);

  hl_assert_near (last (&run, 0), -1e-5 / 0.005390972993560086, 1e-6, 0.0);
  g_assert_cmpfloat (last (&run, 1), <, 0.02);
  hl_test_run_clear (&run);
}

/* Load and pump flow rise slowly, and the valve opens where its law is flat. The lumped oil, 1.5e11 and 1.5e12 Pa and begun at
 * these pressures, ends at 1.19986447 and 1.19986086 m: the rest goes with 1/B. No line keeps its compliance. */
static void test_slow_opening (void) {
  static const char *const paths[] = {"l.x", NULL};
  HlTestRun run = run_found ("cbv-opens-slowly", 0.0, paths);

  g_assert_cmpint (run.stats.compressible_lines.n, ==, 0);
  hl_assert_near (last (&run, 0), 1.19986046, 0.0, 2e-8);
  hl_test_run_clear (&run);
}

/* Its line becomes compressible at the stop, and ends at 101.3 bar. */
static void test_late_relief (void) {
  static const char *const paths[] = {"cyl.s", "P.pressure", NULL};
  HlTestRun run = run_found ("late-relief-at-stop", 0.0, paths);

  g_assert_cmpint (run.stats.compressible_lines.n, ==, 1);
  hl_assert_near (run.stats.compressible_lines.t, 0.370, 1e-3, 0.0);
  hl_assert_near (last (&run, 1), 1.013e7, 1e-3, 0.0);
  hl_test_run_clear (&run);
}

/* Behind the check valve the pressure of line S stays, 1.016e7 Pa when the pump stops. */
static void test_held_pressure (void) {
  static const char *const paths[] = {"LA.pressure", "S.pressure", "c.force", NULL};
  HlTestRun run = run_found ("hybrid-held-pressure", 0.0, paths);

  hl_assert_near (last (&run, 0), 1.016e7, 1e-3, 0.0);
  hl_assert_near (last (&run, 1), 1e5, 1e-6, 0.0);
  hl_assert_near (last (&run, 2), (last (&run, 0) * 0.001 - 1e5 * 0.0008), 1e-9, 0.0);
  hl_test_run_clear (&run);
}

/* ---- a cylinder between valves ---- */

/* 20 and 20 cm2, 100 kg, 1 bar stated on both sides. */
static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'between', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e12}, 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'l', 'mass': 100, 'inertia': 1, 'pose': [0.5, 0, 0],"
    "   'points': {'O': [0, 0]}}],"
    " 'joints': [{'id': 'g', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'l.O', 'axis': 0}],"
    " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'l.O', 'direction': [-1, 0],"
    "   'signal': {'kind': 'table', 't': [0, 1, 2], 'y': LOAD}}],"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, COMPONENTS,"
    "  {'id': 'c', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'l.O', 'piston_area': 0.002,"
    "   'rod_side_area': 0.002, 'stroke': 0.6, 'c1': 0.2}],"
    " 'lines': [{'id': 'A', 'ports': ['c.A' PORTS_A], 'volume': 1e-4, 'pressure': AT_A},"
    "  {'id': 'B', 'ports': ['c.B' PORTS_B], 'volume': 1e-4, 'pressure': AT_B},"
    "  {'id': 'T', 'ports': ['tank.T' PORTS_T]}],"
    " 'simulation': {'t_end': 2, 'every': 0.1, 'start': 'as-given'}}";

#define RELIEF(id) "{'id': '" id "', 'kind': 'relief-valve', 'pressure': 1e7, 'Cd': 0.6, 'area': 2e-5}"
#define CROSS_PORTS                                                                                          \
  "COMPONENTS", RELIEF ("ab") "," RELIEF ("ba"), "PORTS_A", ", 'ab.A', 'ba.T'", "PORTS_B",                   \
      ", 'ab.T', 'ba.A'", "PORTS_T", ""
#define RELIEF_AND_SUCTION(cracking)                                                                         \
  "COMPONENTS",                                                                                              \
      RELIEF ("ra") ", {'id': 'sb', 'kind': 'check-valve', 'Cd': 0.6, 'area': 5e-5, "                        \
                    "'cracking_pressure': " cracking "}",                                                    \
      "PORTS_A", ", 'ra.A'", "PORTS_B", ", 'sb.B'", "PORTS_T", ", 'ra.T', 'sb.A'"

static HlTestRun run_between (HlTestModel model, double t_end) {
  static const char *const paths[] = {"A.pressure", "B.pressure", "l.x", NULL};
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_HYBRID;
  options.t_end = t_end;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  hl_test_model_clear (&model);
  return run;
}

static void assert_row (const HlTestRun *run, int row, double p_a, double p_b) {
  hl_assert_near (hl_test_run_value (run, row, 0), p_a, 0.0, 10.0);
  hl_assert_near (hl_test_run_value (run, row, 1), p_b, 0.0, 10.0);
}

/* The difference carries the load, the sum is kept: p = 1 bar +- F/2A. */
static void test_cross_ports_shut (void) {
  HlTestRun run = run_between (hl_test_model_filled (text, "AT_A", "1e5", "AT_B", "1e5", "LOAD",
                                                     "[15e3, 15e3, 15e3]", CROSS_PORTS, NULL),
                               2.0);

  assert_row (&run, 0, 38.5e5, -36.5e5);
  assert_row (&run, 20, 38.5e5, -36.5e5);
  hl_assert_near (hl_test_run_value (&run, 20, 2), 0.5, 0.0, 1e-12);
  hl_test_run_clear (&run);
}

/* At the first instant the valve holds the difference at 100 bar; then its orifice adds to it, and the load sinks. What
 * the sum of the pressures does meanwhile follows from the compliances of the chambers alone: the lumped oil, a
 * thousand times as stiff as is usual and stated high enough to have no pockets, has the same. */
static void test_cross_port_opens (void) {
  static const char *const paths[] = {"A.pressure", "B.pressure", NULL};
  static const char *const stated[] = {"1e5", "1e7"};

  for (int k = 0; k < 2; k++) {
    HlTestModel model = hl_test_model_filled (text, "AT_A", stated[k], "AT_B", stated[k], "LOAD",
                                              "[25e3, 25e3, 25e3]", CROSS_PORTS, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.t_end = 0.1;
    options.model = HL_MODEL_LUMPED;
    HlTestRun lumped = hl_test_run (&model, options, paths);
    HlTestRun run = run_between (model, 0.1);
    double p = strtod (stated[k], NULL);
    assert_row (&run, 0, p + 5e6, p - 5e6);
    g_assert_cmpfloat (hl_test_run_value (&run, 1, 2), <, 0.499);
    for (int column = 0; column < 2 && k == 1; column++)
      hl_assert_near (hl_test_run_value (&run, 1, column), hl_test_run_value (&lumped, 1, column), 0.0,
                      200.0);
    hl_test_run_clear (&lumped);
    hl_test_run_clear (&run);
  }
}

static void test_both_open (void) {
  HlTestRun run = run_between (hl_test_model_filled (text, "AT_A", "1e5", "AT_B", "1e5", "LOAD",
                                                     "[25e3, 25e3, 25e3]", RELIEF_AND_SUCTION ("9e4"), NULL),
                               0.1);

  /* over the tank's 1 bar */
  assert_row (&run, 0, 101e5, 1e4);
  g_assert_cmpfloat (hl_test_run_value (&run, 1, 2), <, 0.499);
  hl_test_run_clear (&run);
}

/* Oil that came in through the suction valve does not go out again: 76 and 1 bar under 15 kN, 38.5 on both sides
 * behind it. */
static void test_suction_pumps_up (void) {
  HlTestRun run = run_between (hl_test_model_filled (text, "AT_A", "1e5", "AT_B", "1e5", "LOAD",
                                                     "[0, 15e3, 0]", RELIEF_AND_SUCTION ("0"), NULL),
                               2.0);

  assert_row (&run, 0, 1e5, 1e5);
  assert_row (&run, 10, 76e5, 1e5);
  assert_row (&run, 20, 38.5e5, 38.5e5);
  hl_assert_near (hl_test_run_value (&run, 20, 2), 0.5, 0.0, 1e-12);
  hl_test_run_clear (&run);
}

/* A pump whose flow begins from 0 finds no way out: its line is named, not the straight guide, and with the change that
 * is offered the model runs. */
static void test_no_way_out (void) {
  static const char *const paths[] = {"A.pressure", NULL};
  HlTestModel model =
      hl_test_model_filled (text, "AT_A", "1e5", "AT_B", "1e5", "LOAD", "[0, 0, 0]", "COMPONENTS",
                            "{'id': 'pump', 'kind': 'flow-source', 'flow': {'kind': 'table', 't': "
                            "[0, 1], 'y': [0, 1e-4]}}",
                            "PORTS_A", ", 'pump.P'", "PORTS_B", "", "PORTS_T", "", NULL);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  g_autoptr (GError) error = NULL;

  options.model = HL_MODEL_HYBRID;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_INFEASIBLE);
  g_assert_cmpint (run.fault.entity_kind, ==, HL_ENTITY_LINE);
  g_assert_cmpstr (hl_system_entity_id (model.sys, HL_ENTITY_LINE, run.fault.entity), ==, "A");
  g_autoptr (HlFindings) failure = hl_run_failure_new (model.sys, &options, &run.fault, FALSE);
  g_autoptr (HlDocument) mended = hl_edit_apply_fix (model.doc, &hl_findings_get (failure, 0)->fix, &error);
  g_assert_no_error (error);
  HlTestModel after = hl_test_model_from_document (hl_document_ref (mended));
  HlTestRun again = hl_test_run (&after, options, paths);
  g_assert_cmpint (again.status, ==, HL_OK);
  hl_test_run_clear (&again);
  hl_test_model_clear (&after);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

typedef struct {
  const char *example, *paths[3];
  int row;         /* behind the instant at which a spool has shut */
  double relative; /* what the oil's compressibility makes of the trapped pressures by then */
} Trap;

static const Trap traps[] = {
    {"press-cushions.hydrolink", {"A.pressure", "B.pressure", NULL}, 635, 1e-8},
    {"excavator-arm.hydrolink", {"boom_A.pressure", "boom_B.pressure", NULL}, 232, 0.1},
};

/* A closing spool traps the pressure at the time of closing, in the compressible oil as in this one; not the
 * pressure at the start of the run. */
static void test_trapped (gconstpointer data) {
  const Trap *trap = data;
  HlTestModel model = hl_test_model_load (trap->example);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  HlTestRun lumped = hl_test_run (&model, options, trap->paths);

  options.model = HL_MODEL_HYBRID;
  HlTestRun run = hl_test_run (&model, options, trap->paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int k = 0; k < 2; k++) {
    double right = hl_test_run_value (&lumped, trap->row, k);
    hl_assert_near (hl_test_run_value (&run, trap->row, k), right, trap->relative, 0.0);
  }
  hl_test_run_clear (&run);
  hl_test_run_clear (&lumped);
  hl_test_model_clear (&model);
}

/* A spool without inertia goes at 10/s to its centre, and traps a piston that it has let out. */
static const char shutting[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'shutting', 'gravity': [0, 0],"
    " 'fluid': {'bulk_modulus': 1.5e9}, 'ground': {'points': {'O': [0, 0]}},"
    " 'bodies': [{'id': 'l', 'mass': 500, 'inertia': 1, 'pose': [0.8, 0, 0], 'points': {'O': [0, 0]}}],"
    " 'joints': [{'id': 'g', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'l.O', 'axis': 0}],"
    " 'components': ["
    "  {'id': 'source', 'kind': 'pressure-source', 'pressure': 1e7},"
    "  {'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'c', 'kind': 'cylinder', 'base': 'ground.O', 'rod': 'l.O', 'piston_area': 2e-3,"
    "   'rod_side_area': 1e-3, 'stroke': 2, 'c1': 0.2},"
    "  {'id': 'v', 'kind': 'directional-valve', 'Cv': 2e-7, 'dp_lim': 0,"
    "   'command': {'kind': 'table', 't': [0, 0.5, 0.6], 'y': [1, 1, 0], 'between': 'line'}}],"
    " 'lines': [{'id': 'P', 'ports': ['source.P', 'v.P']}, {'id': 'T', 'ports': ['tank.T', 'v.T']},"
    "  {'id': 'A', 'ports': ['v.A', 'c.A'], 'volume': 1e-3, 'pressure': 1e6},"
    "  {'id': 'B', 'ports': ['v.B', 'c.B'], 'volume': 5e-4, 'pressure': 1e6}],"
    " 'simulation': {'t_end': 0.8, 'every': 0.1, 'start': 'as-given'}}";

/* As the opening u of the spool comes to 0, u' = -10/s, the piston of 20 and 10 cm2 loses speed with it, v = Cv u s/A with
 * s = sqrt (P - p_A), so that M v' = A p_A - B p_B is a quadratic equation for s. Then it stands, and what the oil is
 * compressed by more or less balances the areas. What was trapped came from the ends of the last steps, and their flow from
 * the tolerance. */
static void test_shutting_spool (void) {
  static const char *const paths[] = {"A.pressure", "B.pressure", "l.x", NULL};
  double A = 2e-3, B = 1e-3, P = 1e7, T = 1e5, mass = 500.0, per_second = -10.0 * 2e-7 / A;
  double square = A + B * B * B / (A * A), linear = mass * per_second;
  double s = (-linear + sqrt (linear * linear + 4.0 * square * (A * P - B * T))) / (2.0 * square);
  double p_A = P - s * s, p_B = T + B * B / (A * A) * s * s;

  for (int method = 0; method < 4; method++) {
    HlTestModel model = hl_test_model_filled (shutting, NULL);
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    options.model = HL_MODEL_HYBRID;
    options.method = method % 2 == 0 ? HL_METHOD_BDF : HL_METHOD_RADAU;
    options.rtol = method < 2 ? 1e-6 : 1e-9;
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    double x = last (&run, 2) - 0.2, V_A = 1e-3 + A * x, V_B = 5e-4 + B * (2.0 - x);
    double push = (A * p_A - B * p_B) / (A * A / V_A + B * B / V_B);
    hl_assert_near (last (&run, 0), p_A - A / V_A * push, 1e-7, 0.0);
    hl_assert_near (last (&run, 1), p_B + B / V_B * push, 1e-7, 0.0);
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

#define N_STIFF 2
#define LEG_AT_END 200 /* rows of 2 ms: the spool is still open */
#define LEG_AT_REST 250

/* An outrigger's leg between two pilot-operated check valves goes down as in compressible oil: the difference falls with the
 * bulk modulus. It stood still without a word: as the pilot rose, the check valve on the rod's side counted as one that just
 * opens, at ever higher pressure, where all oil lets that pressure go. At rest the rod's side has the pressure of the tank, and
 * the other carries the ground's 5 kN less the weight. */
static void test_pilot_checks (void) {
  static const char *const paths[] = {"leg.y", "head.pressure", "rod.pressure", NULL};
  static const double bulk[N_STIFF] = {1.5e10, 1.5e11};
  HlTestModel model = hl_test_model_load ("double-pilot-check.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double weight = 120.0 * 9.81, off[N_STIFF];

  options.t_end = 0.5;
  options.model = HL_MODEL_HYBRID;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  double y = hl_test_run_value (&run, LEG_AT_END, 0), way = hl_test_run_value (&run, 0, 0) - y;
  g_assert_cmpfloat (way, >, 0.01);
  hl_assert_near (hl_test_run_value (&run, LEG_AT_REST, 2), 1e5, 0.0, 1.0);
  hl_assert_near (hl_test_run_value (&run, LEG_AT_REST, 1), (5000.0 - weight + 0.0025 * 1e5) / 0.005, 0.0,
                  1.0);
  options.model = HL_MODEL_LUMPED;
  for (int k = 0; k < N_STIFF; k++) {
    HlTestModel stiff =
        hl_test_model_load_with ("double-pilot-check.hydrolink", "fluid.bulk_modulus", bulk[k], NULL);
    HlTestRun lumped = hl_test_run (&stiff, options, paths);
    g_assert_cmpint (lumped.status, ==, HL_OK);
    off[k] = fabs (hl_test_run_value (&lumped, LEG_AT_END, 0) - y);
    hl_test_run_clear (&lumped);
    hl_test_model_clear (&stiff);
  }
  g_test_message ("the leg goes %.4g m, and as far but for %.2g and %.2g m", way, off[0], off[1]);
  g_assert_cmpfloat (off[0], <, 1e-3 * way);
  g_assert_cmpfloat (off[1], <, 0.3 * off[0]);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-mode-decision/pilot-checks-let-the-leg-down", test_pilot_checks);
  g_test_add_func ("/hybrid-mode-decision/trapped/shutting-spool", test_shutting_spool);
  g_test_add_data_func ("/hybrid-mode-decision/trapped/press-cushions", &traps[0], test_trapped);
  g_test_add_data_func ("/hybrid-mode-decision/trapped/excavator-arm", &traps[1], test_trapped);
  g_test_add_func ("/hybrid-mode-decision/found/parallel-cylinders", test_parallel_cylinders);
  g_test_add_func ("/hybrid-mode-decision/found/log-splitter", test_log_splitter);
  g_test_add_func ("/hybrid-mode-decision/found/locked-cylinder", test_locked_cylinder);
  g_test_add_func ("/hybrid-mode-decision/found/wave-flap", test_wave_flap);
  g_test_add_func ("/hybrid-mode-decision/found/flow-divider", test_flow_divider);
  g_test_add_data_func ("/hybrid-mode-decision/found/cbv-builtin-relief", "cbv-builtin-relief",
                        test_counterbalance);
  g_test_add_data_func ("/hybrid-mode-decision/found/cbv-flow-from-0", "cbv-flow-from-0",
                        test_counterbalance);
  g_test_add_func ("/hybrid-mode-decision/found/slow-opening", test_slow_opening);
  g_test_add_func ("/hybrid-mode-decision/found/late-relief", test_late_relief);
  g_test_add_func ("/hybrid-mode-decision/found/held-pressure", test_held_pressure);
  g_test_add_func ("/hybrid-mode-decision/cross-ports-shut", test_cross_ports_shut);
  g_test_add_func ("/hybrid-mode-decision/cross-port-opens", test_cross_port_opens);
  g_test_add_func ("/hybrid-mode-decision/relief-and-suction-open", test_both_open);
  g_test_add_func ("/hybrid-mode-decision/suction-pumps-up", test_suction_pumps_up);
  g_test_add_func ("/hybrid-mode-decision/no-way-out-from-0", test_no_way_out);
  return g_test_run ();
}
