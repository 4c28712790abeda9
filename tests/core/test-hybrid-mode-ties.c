/* SPDX-License-Identifier: MIT */
/* Ties of the choice of a mode: elements whose forces fall to zero at one instant must let go together,
 * once, and what follows has a closed form. A mass m on a piston, the same area A at both sides, pipes
 * of inertia I = rho L/a without loss; one at the rod side, n equal ones side by side at the piston
 * side, each behind a valve. A force k (t - t0) moves what has let go:
 *
 *   M = m + I A^2 + I A^2/n,     v = k (t - t0)^2/(2 M),     q = A v/n in each */
#include <math.h>
#include <string.h>

#include "tests/support/hl-example-run.h"
#include "tests/support/hl-test.h"

#define MASS 40.0
#define AREA 2e-3
#define INERTIA (850.0 * 2.0 / 2e-4)
#define SLOPE 400.0 /* N/s */
#define MOST 4
#define CRACK 2e4

typedef struct {
  int n;               /* valves side by side */
  double sign;         /* +1: it is pulled off its lower stop and draws; -1: pushed, and gives oil up */
  gboolean has_relief; /* the valves are reliefs of one pressure; else checks that lead to the piston */
  const char *method;
} Ties;

typedef struct {
  int n_at, n_later; /* events at the instant, and behind it */
  double from, to;
} Events;

static char *draw (const Ties *ties) {
  g_autoptr (GString) components = g_string_new (NULL), lines = g_string_new (NULL),
                      tank = g_string_new (NULL), piston = g_string_new (NULL);

  for (int k = 0; k < ties->n; k++) {
    g_string_append_printf (
        components,
        ", {'id': 'v%d', 'kind': '%s', 'Cd': 0.6, 'area': 1, 'dp_lim': 0%s}, {'id': 'p%d', 'kind': "
        "'pipe', 'length': 2, 'area': 2e-4, 'resistance': 1}",
        k, ties->has_relief ? "relief-valve" : "check-valve", ties->has_relief ? ", 'pressure': 2e4" : "", k);
    g_string_append_printf (lines, ", {'id': 'L%d', 'ports': ['v%d.%s', 'p%d.%s'], 'volume': 1e-5}", k, k,
                            ties->has_relief ? "T" : "B", k, "A");
    g_string_append_printf (tank, ", '%s%d.%s'", ties->has_relief ? "p" : "v", k,
                            ties->has_relief ? "B" : "A");
    g_string_append_printf (piston, ", '%s%d.%s'", ties->has_relief ? "v" : "p", k,
                            ties->has_relief ? "A" : "B");
  }
  /* at its lower stop the piston is pressed down for a tenth of a second; in the middle of its stroke the
   * reliefs hold it for as long: CRACK A = SLOPE 0.1 s */
  return g_strdelimit (
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'fluid': {'density': 850},"
                       " 'ground': {'points': {'O': [0, 0]}},"
                       " 'bodies': [{'id': 'mass', 'points': {'pin': [0, 0]}, 'mass': 40, 'inertia': 6,"
                       "   'pose': [%s, 0, 0]}],"
                       " 'joints': [{'id': 'rail', 'kind': 'prismatic', 'a': 'ground.O', 'b': 'mass.pin',"
                       "   'axis': 0}],"
                       " 'loads': [{'id': 'f', 'kind': 'force', 'point': 'mass.pin', 'direction': [%s, 0],"
                       "   'signal': {'kind': 'table', 't': [0, 1], 'y': [%s], 'between': 'line'}}],"
                       " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e6},"
                       "  {'id': 'cyl', 'kind': 'cylinder', 'piston_area': 2e-3, 'rod_side_area': 2e-3,"
                       "   'base': 'ground.O', 'rod': 'mass.pin', 'stroke': 0.7, 'c1': 0.65},"
                       "  {'id': 'pr', 'kind': 'pipe', 'length': 2, 'area': 2e-4, 'resistance': 1} %s],"
                       " 'lines': [{'id': 'T', 'ports': ['tank.T', 'pr.B' %s]},"
                       "  {'id': 'R', 'ports': ['cyl.B', 'pr.A'], 'volume': 1e-4},"
                       "  {'id': 'H', 'ports': ['cyl.A' %s], 'volume': 1e-4} %s],"
                       " 'simulation': {'t_end': 0.5, 'every': 0.05, 'rtol': 1e-9, 'model': 'hybrid',"
                       "   'integrator': '%s', 'start': 'as-given'}}",
                       ties->has_relief ? "1.0" : "0.65", ties->sign > 0.0 ? "1" : "-1",
                       ties->has_relief ? "0, 400" : "-40, 360", components->str, tank->str, piston->str,
                       lines->str, ties->method),
      "'", '"');
}

static void count (const HlSimEvent *event, void *data) {
  Events *events = data;

  g_assert_cmpint (event->kind, !=, HL_SIM_CLOSES);
  g_assert_cmpint (event->kind, !=, HL_SIM_HITS_STOP);
  if (event->t > events->from && event->t < events->to)
    events->n_at++;
  else
    events->n_later++;
}

static void test_ties (gconstpointer data) {
  static const char *const paths[] = {"mass.vx", "mass.x",  "pr.flow", "p0.flow",
                                      "p1.flow", "p2.flow", "p3.flow", NULL};
  const char *some[8] = {NULL};
  Ties ties = *(const Ties *)data;

  for (ties.n = 1; ties.n <= MOST; ties.n++)
    for (int method = 0; method < 2; method++) {
      ties.method = method == 0 ? "bdf" : "radau";
      g_autofree char *json = draw (&ties);
      HlTestModel model = hl_test_model_from_text (json);
      HlSimOptions options = hl_sim_options_from_model (model.sys);
      Events events = {.from = 0.1 - 1e-7, .to = 0.1 + 1e-7};
      double start = ties.has_relief ? 1.0 : 0.65;
      double mass = MASS + INERTIA * AREA * AREA * (1.0 + 1.0 / ties.n);

      memcpy (some, paths, (gsize)(3 + ties.n) * sizeof *some);
      some[3 + ties.n] = NULL;
      options.event = count;
      options.event_data = &events;
      HlTestRun run = hl_test_run (&model, options, some);
      g_assert_cmpint (run.status, ==, HL_OK);
      g_assert_cmpint (run.n_rows, ==, 11);
      for (int row = 0; row < run.n_rows; row++) {
        double moved = fmax (0.0, 0.05 * row - 0.1), speed = SLOPE * moved * moved / (2.0 * mass);
        double way = SLOPE * pow (moved, 3.0) / (6.0 * mass);
        hl_assert_near (hl_test_run_value (&run, row, 0), ties.sign * speed, 1e-6, 1e-9);
        hl_assert_near (hl_test_run_value (&run, row, 1), start + ties.sign * way, 0.0, 1e-9);
        hl_assert_near (hl_test_run_value (&run, row, 2), ties.sign * AREA * speed, 1e-6, 1e-12);
        for (int k = 0; k < ties.n; k++) /* out of the tank, or into it */
          hl_assert_near (hl_test_run_value (&run, row, 3 + k), AREA * speed / ties.n, 1e-6, 1e-12);
      }
      g_test_message ("%d valves: %d events at once, %d others", ties.n, events.n_at, events.n_later);
      /* a check behind a piston that is held has no force, and may be reported or not */
      g_assert_cmpint (events.n_at, >=, ties.has_relief ? ties.n : 1);
      g_assert_cmpint (events.n_at, <=, ties.n + !ties.has_relief);
      g_assert_cmpint (events.n_later, ==, 0);
      hl_test_run_clear (&run);
      hl_test_model_clear (&model);
    }
}

int main (int argc, char **argv) {
  static const Ties checks = {.sign = 1.0}, reliefs = {.sign = -1.0, .has_relief = TRUE};

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hybrid-mode-ties/checks-behind-a-piston-that-leaves-its-stop", &checks, test_ties);
  g_test_add_data_func ("/hybrid-mode-ties/equal-reliefs-open-together", &reliefs, test_ties);
  return g_test_run ();
}
