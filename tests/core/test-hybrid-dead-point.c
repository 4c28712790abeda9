/* SPDX-License-Identifier: MIT */
/* A crank, radius r = 0.5 m, whose cylinder stands in line with it: s' = J_s w with J_s = 0 there.
 * Shut-in oil holds it everywhere but there, where the rank of the constraints is that of one point
 * alone: such a run is refused by name, and its neighbours are not. At the angle phi
 *
 *   s^2 = d^2 + r^2 - 2 d r cos (phi),    s'' = d r/(d - r) w^2 at phi = 0,    d = 2 m */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-mode-state.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define AREA_B 1.2e-3
#define RHO 850.0
#define PIPE_AREA 2e-4

typedef struct {
  double phi, omega; /* at the start */
  double gravity;
  double open_a, open_b; /* of the valves to the chambers */
  bool has_relief;       /* a relief valve at the rod side, suction at the piston side */
  const char *opening;   /* of both valves instead, or NULL */
  const char *torque;    /* on the crank, or NULL */
} Crank;

static HlTestModel make (const Crank *crank) {
  const char *relief =
      crank->has_relief ? "{'id': 'rv', 'kind': 'relief-valve', 'Cd': 0.6, 'pressure': 2e6, 'area': 1e-5,"
                          " 'dp_lim': 0}, {'id': 'pr', 'kind': 'pipe', 'length': 1, 'area': 2e-4,"
                          " 'resistance': 1e6}, {'id': 'cv', 'kind': 'check-valve', 'Cd': 0.6, 'area': 1e-4,"
                          " 'dp_lim': 0}, {'id': 'pc', 'kind': 'pipe', 'length': 1, 'area': 2e-4,"
                          " 'resistance': 1e6},"
                        : "";
  const char *relief_lines = crank->has_relief ? "{'id': 'RV', 'ports': ['rv.T', 'pr.A'], 'volume': 1e-5},"
                                                 "{'id': 'CV', 'ports': ['cv.A', 'pc.A'], 'volume': 1e-5},"
                                               : "";
  g_autofree char *loads = crank->torque == NULL
                               ? g_strdup ("")
                               : g_strdup_printf (" 'loads': [{'id': 'm', 'kind': 'torque', 'body': "
                                                  "'crank', 'signal': %s}],",
                                                  crank->torque);
  char number[8][G_ASCII_DTOSTR_BUF_SIZE];
  double values[8] = {-crank->gravity,
                      0.5 * cos (crank->phi),
                      0.5 * sin (crank->phi),
                      crank->phi,
                      -0.5 * crank->omega * sin (crank->phi),
                      0.5 * crank->omega * cos (crank->phi),
                      crank->open_a,
                      crank->open_b};
  for (int k = 0; k < 8; k++)
    g_ascii_dtostr (number[k], sizeof number[k], values[k]);
  char omega[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (omega, sizeof omega, crank->omega);
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, %s],"
      " 'ground': {'points': {'O': [0, 0], 'Q': [2, 0]}},"
      " 'bodies': [{'id': 'crank', 'points': {'o': [-0.5, 0], 'e': [0, 0]}, 'mass': 5,"
      "   'inertia': 1, 'pose': [%s, %s, %s], 'velocity': [%s, %s, %s]}],"
      " 'joints': [{'id': 'j', 'kind': 'revolute', 'a': 'ground.O', 'b': 'crank.o'}], %s"
      " 'components': [{'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3,"
      "   'rod_side_area': 1.2e-3, 'base': 'ground.Q', 'rod': 'crank.e', 'stroke': 1.2,"
      "   'c1': 0.9}, {'id': 'tank', 'kind': 'tank', 'pressure': 1e5}, %s"
      "  {'id': 'va', 'kind': 'metering-valve', 'area': 1e-3, 'opening': %s},"
      "  {'id': 'vb', 'kind': 'metering-valve', 'area': 1e-3, 'opening': %s},"
      "  {'id': 'pa', 'kind': 'pipe', 'length': 1, 'area': 2e-4, 'resistance': 1e6},"
      "  {'id': 'pb', 'kind': 'pipe', 'length': 1, 'area': 2e-4, 'resistance': 1e6}],"
      " 'lines': [{'id': 'A', 'ports': ['cyl.A', 'va.A'%s], 'volume': 1e-4},"
      "  {'id': 'B', 'ports': ['cyl.B', 'vb.A'%s], 'volume': 1e-4},"
      "  {'id': 'VA', 'ports': ['va.B', 'pa.A'], 'volume': 1e-5},"
      "  {'id': 'VB', 'ports': ['vb.B', 'pb.A'], 'volume': 1e-5}, %s"
      "  {'id': 'T', 'ports': ['tank.T', 'pa.B', 'pb.B'%s]}],"
      " 'simulation': {'t_end': 0.2, 'every': 0.02, 'model': 'hybrid', 'start': 'as-given'}}",
      number[0], number[1], number[2], number[3], number[4], number[5], omega, loads, relief,
      crank->opening ? crank->opening : number[6], crank->opening ? crank->opening : number[7],
      crank->has_relief ? ", 'cv.B'" : "", crank->has_relief ? ", 'rv.A'" : "", relief_lines,
      crank->has_relief ? ", 'pr.B', 'pc.B'" : "");
  return hl_test_model_from_text (g_strdelimit (text, "'", '"'));
}

static HlTestRun run_crank (HlTestModel *model) {
  static const char *const paths[] = {"crank.angle", "crank.omega", "cyl.s",          "cyl.speed",
                                      "B.pressure",  "pb.flow",     "energy.kinetic", NULL};

  return hl_test_run (model, hl_sim_options_from_model (model->sys), paths);
}

enum { ANGLE, OMEGA, STROKE, SPEED, PRESSURE_B, FLOW_B, KINETIC };

/* No motion satisfies the constraints beside the dead point: refused before one has shown. */
static void test_refused (gconstpointer data) {
  const Crank *crank = data;
  HlTestModel model = make (crank);
  HlTestRun run = run_crank (&model);

  g_autofree char *message = hl_fault_message (model.sys, &run.fault);
  g_test_message ("%s", message);
  g_assert_cmpint (run.status, ==, HL_INFEASIBLE);
  g_assert_nonnull (strstr (message, "‘cyl’"));
  g_assert_nonnull (strstr (message, "dead point with both ports closed"));
  g_assert_nonnull (strstr (message, "open a path for the oil"));
  /* at once where it moves; a load turns it by 10.9 rad/s2: 2.7e-6 rad in 0.7 ms */
  hl_assert_near (run.fault.time, 0.0, 0.0, crank->omega != 0.0 ? 1e-12 : 7e-4);
  g_assert_cmpint (run.n_rows, <=, 1);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Shut-in oil holds the crank where it has any lever arm, or where nothing moves it. */
static void test_stands (gconstpointer data) {
  const Crank *crank = data;
  HlTestModel model = make (crank);
  HlTestRun run = run_crank (&model);
  double s = sqrt (4.25 - 2.0 * cos (crank->phi));

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 11);
  for (int row = 0; row < run.n_rows; row++) {
    hl_assert_near (hl_test_run_value (&run, row, ANGLE), crank->phi, 0.0, 1e-14);
    hl_assert_near (hl_test_run_value (&run, row, STROKE), s, 1e-15, 0.0);
    hl_assert_near (hl_test_run_value (&run, row, KINETIC), 0.0, 0.0, 1e-20);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* With both lines open a dead point is no place of its own: the crank goes through, and the rod
 * side takes in what the piston leaves. */
static void test_passes (gconstpointer data) {
  HlTestModel model = make (data);
  HlTestRun run = run_crank (&model);

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpfloat (hl_test_run_value (&run, 0, ANGLE), <=, 0.0);
  g_assert_cmpfloat (hl_test_run_value (&run, run.n_rows - 1, ANGLE), >, 0.05);
  for (int row = 0; row < run.n_rows; row++) {
    double phi = hl_test_run_value (&run, row, ANGLE);
    double s = sqrt (4.25 - 2.0 * cos (phi));
    double speed = sin (phi) / s * hl_test_run_value (&run, row, OMEGA);
    hl_assert_near (hl_test_run_value (&run, row, STROKE), s, 1e-12, 0.0);
    hl_assert_near (hl_test_run_value (&run, row, SPEED), speed, 1e-9, 1e-12);
    hl_assert_near (hl_test_run_value (&run, row, FLOW_B), AREA_B * speed, 1e-9, 1e-15);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A relief valve opens without a jump and takes what the rod side gives up, I A s'' above its
 * pressure at first; later the crank stands. */
static void test_relief (void) {
  static const Crank crank = {.omega = 2.0, .has_relief = true};
  HlTestModel model = make (&crank);
  HlTestRun run = run_crank (&model);
  double before = 4.5;

  g_assert_cmpint (run.status, ==, HL_OK);
  hl_assert_near (hl_test_run_value (&run, 0, KINETIC), 4.5, 1e-12, 0.0);
  hl_assert_near (hl_test_run_value (&run, 0, PRESSURE_B),
                  1e5 + 2e6 + RHO / PIPE_AREA * AREA_B * (2.0 * 0.5 / 1.5) * 4.0, 1e-9, 0.0);
  for (int row = 0; row < run.n_rows; row++) {
    double kinetic = hl_test_run_value (&run, row, KINETIC);
    g_assert_cmpfloat (kinetic, <=, before);
    before = kinetic;
  }
  hl_assert_near (before, 0.0, 0.0, 1e-20);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* Relief and suction valves that point the other way are of no help: neither chamber of a crank that moves at its dead
 * point can change its pressure, and the check without a run names it. */
static void test_examination (void) {
  static const Crank crank = {.omega = 2.0, .has_relief = true};
  HlFault fault = {.entity = -1};
  HlTestModel model = make (&crank);
  HlSystem *sys = model.sys;

  for (int k = 0; k < sys->n_cylinders; k++) { /* the rod side takes the piston's place */
    HlCylinder *cyl = &sys->cylinders[k];
    double area = cyl->area_a;
    cyl->area_a = -cyl->area_b;
    cyl->area_b = -area;
  }
  HlHybridModeCheck *examination = hl_hybrid_mode_check_new (sys, NULL, NULL, &fault);
  g_assert_null (examination);
  g_assert_cmpint (fault.status, ==, HL_INFEASIBLE);
  g_autofree char *message = hl_fault_message (sys, &fault);
  g_test_message ("%s", message);
  g_assert_cmpint (fault.entity_kind, !=, HL_ENTITY_NONE);
  g_assert_cmpint (fault.entity, >=, 0);
  g_assert_nonnull (fault.why);
  g_assert_nonnull (fault.mend);
  hl_test_model_clear (&model);
}

/* ---- beside it ---- */

/* Returns whether a crank that starts at this offset from its dead point stays there; otherwise the run must
 * be refused by name. */
static bool stands (const Crank *crank) {
  HlTestModel model = make (crank);
  HlTestRun run = run_crank (&model);
  bool is_refused = run.status == HL_INFEASIBLE;

  g_assert_true (is_refused || run.status == HL_OK);
  if (is_refused) {
    g_autofree char *message = hl_fault_message (model.sys, &run.fault);
    g_assert_nonnull (strstr (message, "Component ‘cyl’"));
    g_assert_nonnull (strstr (message, "dead point with both ports closed"));
    g_assert_nonnull (strstr (message, "lumped oil model"));
    hl_assert_near (run.fault.time, 0.0, 0.0, 7e-4);
  }
  for (int row = 0; row < run.n_rows && !is_refused; row++) {
    /* joints are closed to some 1e-14 m */
    hl_assert_near (hl_test_run_value (&run, row, ANGLE), crank->phi, 0.0, 1e-13);
    hl_assert_near (hl_test_run_value (&run, row, KINETIC), 0.0, 0.0, 1e-20);
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  return !is_refused;
}

/* At an offset phi the length of the cylinder differs from that at the dead point by phi^2/3, which
 * it has no digits for below 1e-8: there the oil cannot hold what moves or is pushed, and one answer
 * holds from the dead point up to a limit, the other beyond it. Without motion and load it stands
 * anywhere. */
static void test_offsets (void) {
  static const double signs[] = {1.0, -1.0}, parts[] = {1.0, 2.0, 5.0};

  for (int kind = 0; kind < 3; kind++)
    for (int side = 0; side < 2; side++) {
      double first = INFINITY, last = 0.0;
      for (int decade = -16; decade <= -3; decade++)
        for (int part = 0; part < 3; part++) {
          double offset = parts[part] * pow (10.0, decade);
          Crank crank = {
              .phi = signs[side] * offset, .omega = kind == 0 ? 2.0 : 0.0, .gravity = kind == 1 ? 9.81 : 0.0};
          if (stands (&crank))
            first = fmin (first, offset);
          else
            last = fmax (last, offset);
        }
      g_test_message ("%s, side %d: refused up to %g, stands from %g on",
                      kind == 0   ? "moving"
                      : kind == 1 ? "loaded"
                                  : "at rest",
                      side, last, first);
      g_assert_cmpfloat (last, <, first);
      if (kind == 2)
        g_assert_cmpfloat (last, ==, 0.0);
      else {
        g_assert_cmpfloat (last, >, 1e-8);
        g_assert_cmpfloat (first, <, 1e-6);
      }
    }
}

/* Returns the amplitude of the crank of the lumped model from its offset. */
static double swing (double phi, double bulk) {
  Crank crank = {.omega = 2.0, .phi = phi};
  HlTestModel model = make (&crank);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  static const char *const paths[] = {"crank.angle", NULL};
  double most = 0.0;

  model.sys->fluid.bulk_modulus = bulk;
  hl_system_derive (model.sys);
  options.model = HL_MODEL_LUMPED;
  options.formulation = HL_FORMULATION_REDUCED;
  options.rtol = 1e-9;
  options.t_end = 0.03;
  options.every = 2e-5;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  for (int row = 0; row < run.n_rows; row++)
    most = fmax (most, fabs (hl_test_run_value (&run, row, 0) - phi));
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  return most;
}

/* The lumped model at every offset: continuous in it, through the dead point, and with stiffer oil it
 * swings by less, to where the hybrid crank stands. Off the dead point the cylinder grows by
 * x = c phi^2/2, c = s'' = 2/3 m; the piston side is left with vapour, the rod side takes the energy
 * T = 4.5 J as k x^2/2:
 *
 *   phi = (8 T/(k c^2))^(1/4),     k = K A_B^2/V_B */
static void test_lumped_neighbour (void) {
  double before = INFINITY, volume = AREA_B * (1.2 - 0.6) + 1e-4;

  for (double bulk = 1e11; bulk < 2e13; bulk *= 10.0) {
    double k = bulk * AREA_B * AREA_B / volume;
    double want = pow (8.0 * 4.5 / (k * 4.0 / 9.0), 0.25), at = swing (0.0, bulk);
    hl_assert_near (at, want, 5e-3, 0.0);
    g_assert_cmpfloat (at, <, before);
    before = at;
    for (int decade = -13; decade <= -6; decade++)
      hl_assert_near (swing (pow (10.0, decade), bulk), at, 1e-6, 2.0 * pow (10.0, decade));
  }
}

/* A mode whose rank was found at a dead point occurs again elsewhere, where the same oil does hold: the crank, moved by
 * a torque while its lines are open, stops as soon as they are shut. */
static void test_leaves_and_stands (void) {
  static const Crank crank = {
      .opening = "{'kind': 'table', 't': [0, 0.02, 0.14], 'y': [0, 1, 0], 'between': 'hold'}",
      .torque = "{'kind': 'table', 't': [0, 0.02], 'y': [0, 40], 'between': 'hold'}"};
  HlTestModel model = make (&crank);
  HlTestRun run = run_crank (&model);

  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 11);
  double stood = hl_test_run_value (&run, 7, ANGLE); /* t = 0.14 */
  g_assert_cmpfloat (stood, >, 1e-3);
  for (int row = 0; row < run.n_rows; row++) {
    if (row <= 1)
      hl_assert_near (hl_test_run_value (&run, row, ANGLE), 0.0, 0.0, 0.0);
    if (row >= 7) {
      hl_assert_near (hl_test_run_value (&run, row, ANGLE), stood, 0.0, 1e-14);
      hl_assert_near (hl_test_run_value (&run, row, KINETIC), 0.0, 0.0, 1e-20);
    }
  }
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  static const Crank moving = {.omega = 2.0};
  static const Crank rounding = {.omega = 2.0, .phi = 1e-16};
  static const Crank one_open = {.omega = 2.0, .open_b = 1.0};
  static const Crank loaded = {.gravity = 9.81};
  static const Crank rest = {0};
  static const Crank off = {.omega = 2.0, .phi = 0.05};
  static const Crank little_off = {.omega = -2.0, .phi = 1e-6, .gravity = 9.81};
  static const Crank one_open_off = {.omega = 2.0, .phi = 0.05, .open_b = 1.0};
  static const Crank through = {.omega = 2.0, .phi = -0.2, .open_a = 1.0, .open_b = 1.0};
  static const Crank from = {.omega = 2.0, .open_a = 1.0, .open_b = 1.0};

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hybrid-dead-point/refused-in-motion", &moving, test_refused);
  g_test_add_data_func ("/hybrid-dead-point/refused-within-rounding", &rounding, test_refused);
  g_test_add_data_func ("/hybrid-dead-point/refused-with-one-side-shut", &one_open, test_refused);
  g_test_add_data_func ("/hybrid-dead-point/refused-under-load", &loaded, test_refused);
  g_test_add_data_func ("/hybrid-dead-point/stands-without-load", &rest, test_stands);
  g_test_add_data_func ("/hybrid-dead-point/stands-beside-it", &off, test_stands);
  g_test_add_data_func ("/hybrid-dead-point/stands-close-beside-it", &little_off, test_stands);
  g_test_add_data_func ("/hybrid-dead-point/stands-with-one-side-shut", &one_open_off, test_stands);
  g_test_add_data_func ("/hybrid-dead-point/passes-with-open-lines", &through, test_passes);
  g_test_add_data_func ("/hybrid-dead-point/leaves-with-open-lines", &from, test_passes);
  g_test_add_func ("/hybrid-dead-point/gives-way-through-valves", test_relief);
  g_test_add_func ("/hybrid-dead-point/named-without-a-run", test_examination);
  g_test_add_func ("/hybrid-dead-point/one-answer-on-each-side-of-a-limit", test_offsets);
  g_test_add_func ("/hybrid-dead-point/lumped-model-passes-evenly", test_lumped_neighbour);
  g_test_add_func ("/hybrid-dead-point/stands-elsewhere-later", test_leaves_and_stands);
  return g_test_run ();
}
