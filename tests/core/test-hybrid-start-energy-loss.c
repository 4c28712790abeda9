/* SPDX-License-Identifier: MIT */
/* Tests of the energy lost at the start of the hybrid model, against closed forms: a mass m at speed v on a
 * piston, areas A and B, pipes of inertia I = rho L/a at both sides. Oil at rest and the mass reach a common
 * speed by an impact:
 *
 *   v+ = m v/(m + I_A A^2 + I_B B^2),     lost: m v (v - v+)/2 */
#include <math.h>
#include <string.h>

#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MASS 40.0
#define AREA_A 2e-3
#define AREA_B 1.2e-3
#define INERTIA_A (850.0 * 3.0 / 2e-4)
#define INERTIA_B (850.0 * 1.5 / 2e-4)
#define ENERGY(v) (0.5 * MASS * (v) * (v))

typedef struct {
  double place, speed; /* of the mass; the stroke ends at 0.65 and 1.35 */
  double flow;         /* of a pump at the piston side instead of the tank; 0: none */
  int shut;            /* the piston side's way ends in a valve that is shut */
} Piston;

static HlTestModel make (const Piston *piston) {
  char place[G_ASCII_DTOSTR_BUF_SIZE], speed[G_ASCII_DTOSTR_BUF_SIZE], flow[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (place, sizeof place, piston->place);
  g_ascii_dtostr (speed, sizeof speed, piston->speed);
  g_ascii_dtostr (flow, sizeof flow, piston->flow);
  g_autofree char *pump =
      piston->flow != 0.0
          ? g_strdup_printf (", {'id': 'pump', 'kind': 'flow-source', 'flow': %s}", flow)
          : g_strdup_printf (", {'id': 'v', 'kind': 'metering-valve', 'area': 1e-3, 'opening': %d}",
                             !piston->shut);
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'density': 850},"
      " 'ground': {'points': {'O': [0, 0]}},"
      " 'bodies': [{'id': 'mass', 'points': {'pin': [0, 0]}, 'mass': 40, 'inertia': 6,"
      "   'pose': [%s, 0, 0], 'velocity': [%s, 0, 0]}],"
      " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'mass.pin',"
      "   'axis': 0}],"
      " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
      "  {'id': 'pa', 'kind': 'pipe', 'length': 3, 'area': 2e-4, 'resistance': 1e6},"
      "  {'id': 'pb', 'kind': 'pipe', 'length': 1.5, 'area': 2e-4, 'resistance': 1e6},"
      "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 1.2e-3,"
      "   'base': 'ground.O', 'rod': 'mass.pin', 'stroke': 0.7, 'c1': 0.65} %s],"
      " 'lines': [{'id': 'A', 'ports': ['cyl.A', 'pa.A'], 'volume': 1e-4},"
      "  {'id': 'B', 'ports': ['cyl.B', 'pb.A'], 'volume': 1e-4},"
      "  {'id': 'P', 'ports': ['pa.B', '%s'], 'volume': 1e-4},"
      "  {'id': 'T', 'ports': ['tank.T', 'pb.B' %s]}],"
      " 'simulation': {'t_end': 0.01, 'every': 0.01, 'model': 'hybrid', 'start': 'as-given'}}",
      place, speed, pump, piston->flow != 0.0 ? "pump.P" : "v.A", piston->flow != 0.0 ? "" : ", 'v.B'");

  return hl_test_model_from_text (g_strdelimit (text, "'", '"'));
}

static HlTestRun run_piston (const HlTestModel *model) {
  static const char *const paths[] = {"energy.kinetic", "mass.vx", NULL};
  HlTestRun run = hl_test_run (model, hl_sim_options_from_model (model->sys), paths);

  g_assert_cmpint (run.status, ==, HL_OK);
  return run;
}

/* Oil that must be set moving takes its share, and the rest of what the mass loses is gone. */
static void test_open_way (void) {
  static const double speeds[] = {0.3, -0.3, 7.0};

  for (gsize k = 0; k < G_N_ELEMENTS (speeds); k++) {
    Piston piston = {.place = 1.0, .speed = speeds[k]};
    HlTestModel model = make (&piston);
    HlTestRun run = run_piston (&model);
    double v = speeds[k],
           after = MASS * v / (MASS + INERTIA_A * AREA_A * AREA_A + INERTIA_B * AREA_B * AREA_B);
    const HlStartLoss *loss = &run.stats.start_loss;

    hl_assert_near (hl_test_run_value (&run, 0, 1), after, 1e-12, 0.0);
    hl_assert_near (loss->before, ENERGY (v), 1e-12, 0.0);
    hl_assert_near (loss->energy, 0.5 * MASS * v * (v - after), 1e-12, 0.0);
    /* what is missing in the first row: the oil has I q^2/2 */
    double oil = 0.5 * after * after * (INERTIA_A * AREA_A * AREA_A + INERTIA_B * AREA_B * AREA_B);
    hl_assert_near (hl_test_run_value (&run, 0, 0) + oil, ENERGY (v) - loss->energy, 1e-12, 0.0);
    g_assert_cmpstr (hl_system_entity_id (model.sys, HL_ENTITY_COMPONENT, loss->component), ==, "cyl");
    g_assert_false (loss->is_stop);
    g_autofree char *text = hl_start_loss_text (model.sys, loss);
    g_assert_true (g_str_has_prefix (text, "the start: "));
    g_assert_nonnull (strstr (text, " J lost, because the bodies move"));
    g_assert_nonnull (strstr (text, "the oil at ‘cyl’ is at rest"));
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* Against trapped oil, and against a stop, everything is lost; the message names the reason. */
static void test_all_of_it (void) {
  static const struct {
    Piston piston;
    gboolean is_stop;
    const char *words;
  } cases[] = {{{1.0, 0.5, 0.0, TRUE}, FALSE, "the oil at ‘cyl’ is at rest"},
               {{1.35, 0.5, 0.0, FALSE}, TRUE, "‘cyl’ is at its stop"},
               {{0.65, -0.5, 0.0, FALSE}, TRUE, "‘cyl’ is at its stop"}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = make (&cases[k].piston);
    HlTestRun run = run_piston (&model);

    hl_assert_near (run.stats.start_loss.energy, ENERGY (0.5), 1e-12, 0.0);
    hl_assert_near (hl_test_run_value (&run, 0, 0), 0.0, 0.0, 1e-20);
    g_assert_cmpint (run.stats.start_loss.is_stop, ==, cases[k].is_stop);
    g_autofree char *text = hl_start_loss_text (model.sys, &run.stats.start_loss);
    g_assert_true (g_str_has_prefix (text, "the start: 5 of 5 J lost, "));
    g_assert_nonnull (strstr (text, cases[k].words));
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* At rest, and where a pump gives the piston the speed that it has, nothing is lost and nothing is reported; nor in the
 * other oils. */
static void test_nothing (void) {
  static const Piston cases[] = {{.place = 1.0},
                                 {.place = 1.0, .flow = 1e-3},
                                 {.place = 1.35},
                                 {.place = 1.0, .speed = 0.5, .shut = TRUE}};

  for (gsize k = 0; k < G_N_ELEMENTS (cases); k++) {
    HlTestModel model = make (&cases[k]);
    static const char *const none[] = {NULL};
    HlSimOptions options = hl_sim_options_from_model (model.sys);
    if (cases[k].speed != 0.0)
      options.model = HL_MODEL_LUMPED;
    HlTestRun run = hl_test_run (&model, options, none);

    g_assert_cmpint (run.status, ==, HL_OK);
    g_assert_cmpfloat (run.stats.start_loss.energy, ==, 0.0);
    g_assert_null (hl_start_loss_text (model.sys, &run.stats.start_loss));
    hl_test_run_clear (&run);
    hl_test_model_clear (&model);
  }
}

/* A pump whose flow the piston has no other way for decides its speed Q/A; of the file's, the part that
 * the impact takes is what the piston gives to it on the way, m v (v - Q/A)/2. */
static void test_pump (void) {
  double v = 0.8, given = 1e-3 / AREA_A;
  Piston piston = {.place = 1.0, .speed = v, .flow = 1e-3};
  HlTestModel model = make (&piston);
  HlTestRun run = run_piston (&model);

  hl_assert_near (hl_test_run_value (&run, 0, 1), given, 1e-12, 0.0);
  hl_assert_near (run.stats.start_loss.energy, 0.5 * MASS * v * (v - given), 1e-12, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
  piston.speed = given;
  model = make (&piston);
  run = run_piston (&model);
  g_assert_cmpfloat (run.stats.start_loss.energy, ==, 0.0);
  hl_test_run_clear (&run);
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hybrid-start-energy-loss/oil-is-set-moving", test_open_way);
  g_test_add_func ("/hybrid-start-energy-loss/shut-in-oil-and-stops-take-all", test_all_of_it);
  g_test_add_func ("/hybrid-start-energy-loss/nothing-lost-nothing-said", test_nothing);
  g_test_add_func ("/hybrid-start-energy-loss/pump-decides-the-speed", test_pump);
  return g_test_run ();
}
