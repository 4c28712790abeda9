/* SPDX-License-Identifier: MIT */
/* Where incompressible oil has no solution, a line becomes compressible and the run continues; where it has one, no
 * line does: machines that random drawing found (`./dev random`), each of which once ended the hybrid run. What comes
 * out is held against the lumped oil, whose equations share nothing with it but the laws of the components. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-linearization.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

typedef struct {
  const char *name, *text, *way;
  double close;            /* what the place may differ by from that of the lumped oil, in parts of its way
                 (measured: 0.0038 and 0.0006); INFINITY: `way` is a part of the whole, 0 to 1 */
  bool compressible_lines; /* a line does */
} Machine;

/* Oil a hundred times as stiff as is usual: what the lines hold at the start is then little beside the way
 * (of ordinary oil, 1.5e9 Pa, the drum's line holds 3 cm3, a third of what it turns through). */
#define ENDING                                                                                               \
  " 'fluid': {'vapour_pressure': 4000, 'bulk_modulus': 1.5e11}, 'simulation': {'t_end': 0.2, "               \
  "'every': 0.01,"                                                                                           \
  " 'rtol': 1e-8, 'start': 'as-given'}}"

static const Machine machines[] = {
    /* a sequence valve opens at the pressure that its own flow makes */
    {"valve-at-its-own-pilot",
     "{'format': 'hydrolink', 'version': 1, 'name': 'm', 'gravity': [0, -9.81],"
     " 'ground': {'points': {'P1': [30, 0], 'P7': [32.179, 0.303253]}},"
     " 'bodies': [{'id': 'slide', 'points': {'P2': [0, 0]}, 'mass': 150.618, 'inertia': 15.0618,"
     "   'pose': [31.1885, 0.165411, 0]}],"
     " 'joints': [{'id': 'guide', 'kind': 'prismatic', 'a': 'ground.P1', 'b': 'slide.P2',"
     "   'axis': 0.138283, 'friction': {'force': 41.3461, 'speed': 0.01}}],"
     " 'loads': [{'id': 'push', 'kind': 'force', 'point': 'slide.P2',"
     "   'direction': [0.990454, 0.137842], 'signal': -3360.86},"
     "  {'id': 'spring', 'kind': 'spring', 'a': 'ground.P7', 'b': 'slide.P2',"
     "   'stiffness': 1075.02, 'damping': 1075.02, 'free_length': 1}],"
     " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 655004},"
     "  {'id': 'pump', 'kind': 'flow-source', 'flow': 0.000192345},"
     "  {'id': 'relief', 'kind': 'relief-valve', 'pressure': 5259170, 'Cd': 0.6,"
     "   'area': 4.44145e-05},"
     "  {'id': 'cyl', 'kind': 'cylinder', 'base': 'ground.P1', 'rod': 'slide.P2',"
     "   'piston_area': 0.00213016, 'rod_side_area': 0.00130848, 'stroke': 0.54, 'c1': 0.93},"
     "  {'id': 'seq', 'kind': 'sequence-valve', 'pressure': 1586290, 'opening_range': 987316,"
     "   'area': 1.65211e-05, 'check_area': 1.41951e-05},"
     "  {'id': 'thr', 'kind': 'throttle', 'area': 2.90829e-05},"
     "  {'id': 'vol', 'kind': 'volume', 'volume': 0.000125134},"
     "  {'id': 'check', 'kind': 'check-valve', 'Cd': 0.6, 'area': 6.94207e-05}],"
     " 'lines': [{'id': 'P', 'ports': ['pump.P', 'relief.A', 'seq.A', 'seq.X'],"
     "   'pressure': 3646200, 'volume': 0.00039691},"
     "  {'id': 'T', 'ports': ['tank.T', 'relief.T', 'seq.Y', 'thr.B', 'check.A'],"
     "   'pressure': 1e5, 'volume': 0.000201171},"
     "  {'id': 'A', 'ports': ['cyl.A', 'thr.A', 'vol.A'], 'pressure': 2849730,"
     "   'volume': 0.000358467},"
     "  {'id': 'B', 'ports': ['cyl.B', 'seq.B', 'check.B'], 'pressure': 2763510,"
     "   'volume': 0.000566131}]," ENDING,
     "cyl.s", 0.005, false},
    /* a sequence valve behind a motor shuts as soon as the motor stands */
    {"chatter",
     "{'format': 'hydrolink', 'version': 1, 'name': 'm', 'gravity': [0, -9.81],"
     " 'ground': {'points': {'P1': [20, 0], 'P4': [20.5, 1]}},"
     " 'bodies': [{'id': 'drum', 'points': {'P2': [0, 0], 'P3': [0.5, 0]}, 'mass': 107.509,"
     "   'inertia': 10.7509, 'pose': [20, 0, 0]}],"
     " 'joints': [{'id': 'axle', 'kind': 'revolute', 'a': 'ground.P1', 'b': 'drum.P2',"
     "   'friction': {'torque': 42.0455, 'speed': 0.05}}],"
     " 'loads': [{'id': 'spring', 'kind': 'spring', 'a': 'ground.P4', 'b': 'drum.P3',"
     "   'stiffness': 24.8612, 'damping': 24.8612, 'free_length': 1}],"
     " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
     "  {'id': 'src', 'kind': 'pressure-source', 'pressure': 9052440},"
     "  {'id': 'motor', 'kind': 'motor', 'a': 'ground', 'b': 'drum',"
     "   'displacement': 6.44836e-06, 'viscous_friction': 1.08384},"
     "  {'id': 'fcv', 'kind': 'flow-control-valve', 'flow': 5.47387e-05,"
     "   'minimum_drop': 786538, 'check_area': 3.03587e-05},"
     "  {'id': 'seq', 'kind': 'sequence-valve', 'pressure': 819160, 'opening_range': 875891,"
     "   'area': 5.43592e-05, 'check_area': 5.70942e-05}],"
     " 'lines': [{'id': 'P', 'ports': ['src.P', 'fcv.A'], 'pressure': 1288000,"
     "   'volume': 0.000182714},"
     "  {'id': 'T', 'ports': ['tank.T', 'seq.B', 'seq.Y'], 'pressure': 1e5,"
     "   'volume': 0.00015724},"
     "  {'id': 'A', 'ports': ['motor.A', 'fcv.B'], 'pressure': 2603320, 'volume': 0.000238987},"
     "  {'id': 'B', 'ports': ['motor.B', 'seq.A', 'seq.X'], 'pressure': 6499000,"
     "   'volume': 0.000778814}]," ENDING,
     "drum.angle", 0.005, false},
    /* a shuttle and a relief valve: lines become compressible one after the other, the second one after an event that
     * had started a mode with other states; the swash then stands where it stood, within 0 and 1. The place is not
     * compared: the lumped drum starts through the relief valve, the hybrid one has the pump's speed at once
     * (theory/hybrid.md, "Start") */
    {"one-line-after-the-other",
     "{'format': 'hydrolink', 'version': 1, 'name': 'm', 'gravity': [0, 0],"
     " 'ground': {'points': {'P1': [30, 0], 'P4': [30.5, 1]}},"
     " 'bodies': [{'id': 'drum', 'points': {'P2': [0, 0], 'P3': [0.5, 0]}, 'mass': 114.168,"
     "   'inertia': 11.4168, 'pose': [30, 0, 0]}],"
     " 'joints': [{'id': 'axle', 'kind': 'revolute', 'a': 'ground.P1', 'b': 'drum.P2'}],"
     " 'loads': [{'id': 'spring', 'kind': 'spring', 'a': 'ground.P4', 'b': 'drum.P3',"
     "   'stiffness': 28.343, 'damping': 28.343, 'free_length': 1}],"
     " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
     "  {'id': 'pump', 'kind': 'variable-pump', 'displacement': 2.89616e-06, 'speed': 150,"
     "   'time_constant': 0.020317, 'cut_off_pressure': 15649300},"
     "  {'id': 'relief', 'kind': 'relief-valve', 'pressure': 19561700, 'Cd': 0.6,"
     "   'area': 4.27137e-05, 'opening_range': 407631},"
     "  {'id': 'motor', 'kind': 'motor', 'a': 'ground', 'b': 'drum',"
     "   'displacement': 1.2552e-05, 'viscous_friction': 1.07828},"
     "  {'id': 'dcv', 'kind': 'directional-valve', 'Cv': 4.8262e-08, 'command': 0.662715,"
     "   'centre': 'regenerative'},"
     "  {'id': 'shuttle', 'kind': 'shuttle-valve', 'area': 2.09738e-06,"
     "   'switching_range': 77433.5},"
     "  {'id': 'thr', 'kind': 'throttle', 'area': 4.0401e-07}],"
     " 'lines': [{'id': 'P', 'ports': ['pump.P', 'relief.A', 'dcv.P'], 'pressure': 7588770,"
     "   'volume': 0.000245299},"
     "  {'id': 'T', 'ports': ['tank.T', 'pump.S', 'relief.T', 'dcv.T', 'thr.B'],"
     "   'pressure': 1e5, 'volume': 0.000424464},"
     "  {'id': 'A', 'ports': ['motor.A', 'dcv.A', 'shuttle.A'], 'pressure': 7731910,"
     "   'volume': 0.000105414},"
     "  {'id': 'B', 'ports': ['motor.B', 'dcv.B', 'shuttle.B'], 'pressure': 11153300,"
     "   'volume': 0.000187249},"
     "  {'id': 'C', 'ports': ['shuttle.C', 'thr.A'], 'pressure': 13607300,"
     "   'volume': 0.000134312}]," ENDING,
     "pump.swash", INFINITY, true}};

typedef struct {
  int n, line;
  double t;
} Soft;

static void note (const HlSimEvent *event, void *data) {
  Soft *soft = data;

  if (event->kind != HL_SIM_GIVES_WAY)
    return;
  g_assert_cmpint (event->entity_kind, ==, HL_ENTITY_LINE);
  if (soft->n++ == 0) {
    soft->line = event->entity;
    soft->t = event->t;
  }
}

static HlTestModel model_of (const Machine *machine) {
  g_autofree char *json = g_strdelimit (g_strdup (machine->text), "'", '"');

  return hl_test_model_from_text (json);
}

static void test_goes_on (gconstpointer data) {
  const Machine *machine = data;
  const char *paths[] = {HL_TEST_ENERGIES, machine->way, NULL};
  HlTestModel model = model_of (machine);
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  Soft soft = {0};

  options.model = HL_MODEL_HYBRID;
  options.event = note;
  options.event_data = &soft;
  options.max_steps = 4e4;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_autofree char *message = hl_fault_message (model.sys, &run.fault);
  if (run.status != HL_OK)
    g_test_message ("%s", message);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.n_rows, ==, 21);

  /* compressible lines are reported during the run and after it */
  g_assert_cmpint (soft.n > 0, ==, machine->compressible_lines);
  g_assert_cmpint (run.stats.compressible_lines.n, ==, soft.n);
  if (machine->compressible_lines) {
    g_assert_cmpint (run.stats.compressible_lines.line, ==, soft.line);
    hl_assert_near (run.stats.compressible_lines.t, soft.t, 0.0, 0.0);
    g_autofree char *text = hl_compressible_lines_text (model.sys, &run.stats.compressible_lines);
    g_assert_nonnull (
        strstr (text, hl_system_entity_id (model.sys, HL_ENTITY_LINE, run.stats.compressible_lines.line)));
  }

  /* energy, and the other oil */
  double size = fmax (hl_test_run_largest (&run, 3), hl_test_run_largest (&run, 4));
  g_assert_cmpfloat (hl_test_run_energy_gap (&run), <=, 1e-5 * size);
  HlTestRun lumped = hl_test_run_oil (&model, HL_MODEL_LUMPED, paths);
  double way = 0.0, apart = 0.0;
  for (int row = 0; row < run.n_rows; row++) {
    double first = hl_test_run_value (&lumped, 0, 5), at = hl_test_run_value (&lumped, row, 5);
    way = fmax (way, fabs (at - first));
    apart = fmax (apart, fabs (hl_test_run_value (&run, row, 5) - at));
  }
  for (int row = 0; row < run.n_rows && isinf (machine->close); row++) {
    g_assert_cmpfloat (hl_test_run_value (&run, row, 5), >=, -1e-6);
    g_assert_cmpfloat (hl_test_run_value (&run, row, 5), <=, 1.0 + 1e-6);
  }
  g_test_message ("apart %.3g of %.3g, energy open by %.3g of %.3g, %d lines at %.3g s", apart, way,
                  hl_test_run_energy_gap (&run), size, soft.n, soft.t);
  g_assert_cmpfloat (apart, <=, machine->close * way);
  hl_test_run_clear (&lumped);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* A machine with a solution keeps all its oil incompressible, and nothing is reported. */
static void test_nothing_gives_way (void) {
  static const char *const paths[] = {"energy.kinetic", NULL};
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_HYBRID;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.stats.compressible_lines.n, ==, 0);
  g_assert_null (hl_compressible_lines_text (model.sys, &run.stats.compressible_lines));
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

/* The loader's arm begins to move in steps of Radau that search long for their pressures, at all but the closest tolerances,
 * and go on lightly. An accepted step is no reason for compressible lines: with such lines the arm moved at ten times
 * its speed. BDF gets there without the search. */
static void test_one_hard_step (void) {
  static const char *const paths[] = {"arm_cyl.speed", NULL};
  static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};
  HlTestModel model = hl_test_model_load ("load-sensing-loader.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);
  double speed[2];

  options.model = HL_MODEL_HYBRID;
  options.t_end = 0.544;
  options.rtol = 1e-9;
  for (int k = 0; k < 2; k++) {
    options.method = methods[k];
    HlTestRun run = hl_test_run (&model, options, paths);
    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpint (run.stats.compressible_lines.n, ==, 0);
    speed[k] = hl_test_run_value (&run, run.n_rows - 1, 0);
    hl_test_run_clear (&run);
  }
  g_assert_cmpfloat (speed[0], >, 1e-4);
  hl_assert_near (speed[1], speed[0], 0.0, 1e-5 * speed[0]);
  hl_test_model_clear (&model);
}

/* The plunger sinks on the wall of its flow control valve, which is thinner than what a difference quotient steps
 * over. What leaves the chamber goes through the valve, none of it is stored: no line has to become compressible,
 * unlike at three times the tolerance and looser. */
static void test_wall_needs_none (void) {
  static const char *const paths[] = {"cyl.speed", "limit.flow", NULL};
  const double area = 0.00312; /* as drawn */
  HlTestModel model = hl_test_model_load ("scissor-lift-plunger.hydrolink");
  HlSimOptions options = hl_sim_options_from_model (model.sys);

  options.model = HL_MODEL_HYBRID;
  options.method = HL_METHOD_RADAU;
  options.rtol = 3e-6;
  HlTestRun run = hl_test_run (&model, options, paths);
  g_assert_cmpint (run.status, ==, HL_OK);
  g_assert_cmpint (run.stats.compressible_lines.n, ==, 0);
  int last = run.n_rows - 1;
  double out = hl_test_run_value (&run, last, 1);
  g_assert_cmpfloat (out, >, 0.0);
  hl_assert_near (-area * hl_test_run_value (&run, last, 0), out, 1e-9, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

static bool has_state (const HlLinearization *lin, const char *id) {
  g_autofree char *name = g_strconcat (id, ".pressure", NULL);

  for (int k = 0; k < lin->n; k++)
    if (strcmp (lin->state_names[k], name) == 0)
      return true;
  return false;
}

/* The mode that such a run ends in keeps the line's pressure as a state, and so do its eigenvalues. */
static void test_mode_knows_them (void) {
  HlTestModel model = model_of (&machines[2]);
  HlFault fault;
  g_autoptr (HlModeHistory) history = hl_mode_history_until (model.sys, 0.01, NULL, NULL, &fault);

  g_assert_nonnull (history);
  const HlVisitedMode *last = hl_mode_history_last (history);
  g_assert_cmpint (last->n_soft, ==, 1);
  g_assert_cmpstr (last->soft_ids[0], ==, "P");
  g_autofree char *text = hl_visited_mode_text (last);
  g_assert_nonnull (strstr (text, "the oil in P is compressible"));
  HlHybridPlace place = hl_visited_mode_place (last);
  HlHybridChoice choice = hl_visited_mode_choice (last);
  HlHybridLinear *linear = hl_hybrid_linearize (model.sys, &place, &choice, &fault);
  g_assert_nonnull (linear);
  g_assert_cmpint (linear->n_soft, ==, 1);
  g_assert_true (has_state (linear->lin, "P"));
  hl_hybrid_linear_free (linear);
  hl_test_model_clear (&model);
}

/* Where every line is compressible and no pipe has inertia, the model is the lumped one, whose J is exact and shares
 * nothing with the differences here: each eigenvalue of that is one of this. */
static void test_all_soft_is_lumped (void) {
  HlTestModel model = model_of (&machines[0]);
  HlWork *work = hl_work_new (model.sys);
  HlPoint *point = hl_point_new (model.sys);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlFault fault;
  g_autofree int *lines = g_new (int, model.sys->n_lines + 1);
  double no_flow[1] = {0.0};
  HlHybridChoice choice = {.soft = lines};

  g_assert_cmpint (hl_start_point (model.sys, work, HL_START_AS_GIVEN, NULL, point, NULL, &fault), ==, HL_OK);
  HlLinearization *lumped = hl_linearize (model.sys, work, point, &how, &fault);
  for (int line = 0; line < model.sys->n_lines; line++)
    if (model.sys->nodes[model.sys->lines[line].node].state >= 0)
      lines[choice.n_soft++] = line;
  HlHybridPlace place = {.x = point->x, .v = point->v, .flow = no_flow, .p = point->p, .u = point->u};
  HlHybridLinear *hybrid = hl_hybrid_linearize (model.sys, &place, &choice, &fault);
  g_assert_nonnull (lumped);
  g_assert_nonnull (hybrid);
  g_assert_cmpint (hybrid->n_soft, ==, choice.n_soft);
  g_assert_cmpint (hybrid->lin->n, ==, lumped->n);
  for (int k = 0; k < lumped->n; k++) {
    const HlEigenvalue *value = &lumped->eigenvalues[k];
    double apart = INFINITY;
    for (int j = 0; j < hybrid->lin->n; j++)
      apart = fmin (apart, hypot (hybrid->lin->eigenvalues[j].re - value->re,
                                  hybrid->lin->eigenvalues[j].im - value->im));
    g_test_message ("%.9g %+.9g i: apart %.3g", value->re, value->im, apart);
    hl_assert_near (apart, 0.0, 0.0, 1e-6 * hypot (value->re, value->im));
  }
  hl_hybrid_linear_free (hybrid);
  hl_linearization_free (lumped);
  hl_point_free (point);
  hl_work_free (work);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (machines); k++) {
    g_autofree char *path = g_strconcat ("/hybrid-compliance/", machines[k].name, NULL);
    g_test_add_data_func (path, &machines[k], test_goes_on);
  }
  g_test_add_func ("/hybrid-compliance/nothing-gives-way", test_nothing_gives_way);
  g_test_add_func ("/hybrid-compliance/one-hard-step-that-was-taken-is-no-wall", test_one_hard_step);
  g_test_add_func ("/hybrid-compliance/none-at-the-wall-of-a-flow-control-valve", test_wall_needs_none);
  g_test_add_func ("/hybrid-compliance/modes-and-eigenvalues-know-them", test_mode_knows_them);
  g_test_add_func ("/hybrid-compliance/all-of-them-is-the-lumped-oil", test_all_soft_is_lumped);
  return g_test_run ();
}
