/* SPDX-License-Identifier: MIT */
/* Events of the integrator: located to rounding of the dense output, in order, each once, and none
 * lost at a restart on a zero. */
#include "core/solve/hl-integrator.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};

/* A pendulum without gravity: harmonic, y = cos (omega t); events at its zeros (falling only), and
 * at every y' = 0. */
#define OMEGA 37.0

static HlStatus harmonic_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = OMEGA * y[1];
  y_dot[1] = -OMEGA * y[0];
  return HL_OK;
}

static HlStatus harmonic_events (double t, const double y[], double g[], void *data) {
  g[0] = y[0];
  g[1] = 1e3 * y[1];
  g[2] = t - 0.123456;
  return HL_OK;
}

static void test_events (gconstpointer data) {
  const double y0[2] = {1.0, 0.0};
  const int directions[3] = {-1, 0, 0};
  HlOde ode = {
      .n = 2, .rhs = harmonic_rhs, .n_events = 3, .events = harmonic_events, .directions = directions};
  HlOdeOptions options = hl_ode_options_default ();
  double y[2], t = 0.0, last;
  int n_found[3] = {0};
  HlArrival why;

  options.method = *(const HlMethod *)data;
  options.rtol = 1e-10;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y0), ==, HL_OK);
  hl_integrator_set_stop (integrator, 1.0);
  do {
    last = t;
    g_assert_cmpint (hl_integrator_advance (integrator, 2.0, &t, y, &why), ==, HL_OK);
    g_assert_cmpfloat (t, >, last);
    hl_assert_near (y[0], cos (OMEGA * t), 0.0, 1e-7);
    if (why != HL_ARRIVED_AT_EVENT)
      break;
    const int *hits = hl_integrator_get_hits (integrator);
    g_assert_cmpint (abs (hits[0]) + abs (hits[1]) + abs (hits[2]), ==, 1);
    if (hits[0] != 0) {
      g_assert_cmpint (hits[0], ==, -1);
      hl_assert_near (t, (2.0 * n_found[0] + 0.5) * G_PI / OMEGA, 0.0, 2e-9);
    }
    if (hits[1] != 0) {
      g_assert_cmpint (hits[1], ==, n_found[1] % 2 == 0 ? 1 : -1);
      hl_assert_near (t, (n_found[1] + 1) * G_PI / OMEGA, 0.0, 2e-9);
    }
    if (hits[2] != 0)
      hl_assert_near (t, 0.123456, 0.0, 1e-15);
    for (int i = 0; i < 3; i++)
      n_found[i] += hits[i] != 0;
  } while (TRUE);
  g_assert_cmpint (why, ==, HL_ARRIVED_AT_STOP);
  g_assert_cmpfloat (t, ==, 1.0);
  /* 37 rad hold 11 half turns; falling zeros at 0.5, 2.5 ... 10.5 of them */
  g_assert_cmpint (n_found[0], ==, 6);
  g_assert_cmpint (n_found[1], ==, 11);
  g_assert_cmpint (n_found[2], ==, 1);
  hl_integrator_free (integrator);
}

/* A ball that bounces: starts again behind every event, whose function is then at zero. */
static HlStatus ball_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = y[1];
  y_dot[1] = -9.81;
  return HL_OK;
}

static HlStatus ball_events (double t, const double y[], double g[], void *data) {
  g[0] = y[0];
  return HL_OK;
}

static void test_bounces (gconstpointer data) {
  const int directions[1] = {-1};
  HlOde ode = {.n = 2, .rhs = ball_rhs, .n_events = 1, .events = ball_events, .directions = directions};
  HlOdeOptions options = hl_ode_options_default ();
  double y[2] = {1.0, 0.0}, t = 0.0, want = sqrt (2.0 / 9.81), speed = sqrt (2.0 * 9.81);
  HlArrival why;

  options.method = *(const HlMethod *)data;
  options.rtol = 1e-9;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, t, y), ==, HL_OK);
  for (int bounce = 0; bounce < 12; bounce++) {
    g_assert_cmpint (hl_integrator_advance (integrator, 100.0, &t, y, &why), ==, HL_OK);
    g_assert_cmpint (why, ==, HL_ARRIVED_AT_EVENT);
    hl_assert_near (t, want, 0.0, 1e-7);
    hl_assert_near (y[1], -speed, 0.0, 1e-6);
    speed *= 0.8;
    want += 2.0 * speed / 9.81;
    y[1] = -0.8 * y[1];
    g_assert_cmpint (hl_integrator_start (integrator, t, y), ==, HL_OK);
  }
  hl_integrator_free (integrator);
}

/* ---- what no end of a step shows ---- */

/* A wheel that turns freely, y = t, and a spring that it meets for a moment in each turn:
 *
 *   y' = 1,   v' = (cos (OMEGA y) - EDGE)+
 *
 * Both ends of every long step are flat. */
#define EDGE 0.9999

static HlStatus wheel_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = 1.0;
  y_dot[1] = fmax (cos (OMEGA * y[0]) - EDGE, 0.0);
  return HL_OK;
}

static HlStatus wheel_guard (double t, double h, bool at_end, HlGuard out[], void *data) {
  double y[2];

  hl_integrator_interpolate (*(HlIntegrator **)data, t, y);
  out[0] = (HlGuard){cos (OMEGA * y[0]) - EDGE, -OMEGA * sin (OMEGA * y[0]), 1e-9};
  return HL_OK;
}

static int wheel_pieces (double h, void *data) {
  return (int)ceil (2.0 * OMEGA * h);
}

/* Its speed after some turns, and a half: each adds 2 (sin x - x cos x)/OMEGA, cos x = EDGE. */
static void test_hidden_by_a_guard (gconstpointer data) {
  HlIntegrator *integrator = NULL;
  const double y0[2] = {0.5 * G_PI / OMEGA, 0.0}, scale[2] = {1.0, 1e-8};
  HlOde ode = {.n = 2,
               .rhs = wheel_rhs,
               .n_guards = 1,
               .guards = wheel_guard,
               .guard_pieces = wheel_pieces,
               .data = &integrator};
  HlOdeOptions options = hl_ode_options_default ();
  double y[2], t = 0.0, x = acos (EDGE), end = 5.5 * 2.0 * G_PI / OMEGA;
  HlArrival why = HL_ARRIVED_AT_EVENT;
  int n_restarts = 0;

  options.method = *(const HlMethod *)data;
  options.rtol = 1e-6;
  options.scale = scale;
  integrator = hl_integrator_new (&ode, &options);
  memcpy (y, y0, sizeof y);
  for (; why == HL_ARRIVED_AT_EVENT; n_restarts++) {
    g_assert_cmpint (hl_integrator_start (integrator, t, y), ==, HL_OK);
    hl_integrator_set_stop (integrator, end);
    g_assert_cmpint (hl_integrator_advance (integrator, end, &t, y, &why), ==, HL_OK);
  }
  hl_assert_near (y[1], 5.0 * 2.0 * (sin (x) - x * cos (x)) / OMEGA, 1e-4, 0.0);
  g_assert_cmpint (n_restarts, <, 60);
  hl_integrator_free (integrator);
}

/* A stiff state that follows a bent law from rest, y = t and
 *
 *   p' = STIFF (max (y, 0) - p),   p = y - (1 - exp (-STIFF y))/STIFF behind the bend
 *
 * An error estimate by the stages of a step across the bend does not see it. */
#define STIFF 1e4

static HlStatus bend_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = 1.0;
  y_dot[1] = STIFF * (fmax (y[0], 0.0) - y[1]);
  return HL_OK;
}

static HlStatus bend_guard (double t, double h, bool at_end, HlGuard out[], void *data) {
  double y[2];

  hl_integrator_interpolate (*(HlIntegrator **)data, t, y);
  out[0] = (HlGuard){y[0], 1.0, 1e-9};
  return HL_OK;
}

/* Where the law bends at several places of the first long step. */
static void test_values_beside_a_bend (gconstpointer data) {
  for (int place = 1; place <= 20; place++) {
    HlIntegrator *integrator = NULL;
    HlOde ode = {.n = 2, .rhs = bend_rhs, .n_guards = 1, .guards = bend_guard, .data = &integrator};
    HlOdeOptions options = hl_ode_options_default ();
    double y[2] = {-0.05 * place, 0.0}, t = 0.0, worst = 0.0;
    HlArrival why = HL_ARRIVED_AT_EVENT;
    int n_restarts = 0;

    options.method = *(const HlMethod *)data;
    options.rtol = 1e-6;
    integrator = hl_integrator_new (&ode, &options);
    g_assert_cmpint (hl_integrator_start (integrator, t, y), ==, HL_OK);
    for (int row = 1; row <= 300; row++) {
      for (why = HL_ARRIVED_AT_EVENT; why == HL_ARRIVED_AT_EVENT;) {
        g_assert_cmpint (hl_integrator_advance (integrator, 0.01 * row, &t, y, &why), ==, HL_OK);
        if (why == HL_ARRIVED_AT_EVENT) {
          n_restarts++;
          g_assert_cmpint (hl_integrator_continue (integrator, t, y, 0.1), ==, HL_OK);
        }
      }
      double x = fmax (0.01 * row - 0.05 * place, 0.0);
      worst = fmax (worst, fabs (y[1] - (x + expm1 (-STIFF * x) / STIFF)));
    }
    g_test_message ("bend at %g: off by %.2g, %d restarts", 0.05 * place, worst, n_restarts);
    g_assert_cmpfloat (worst, <, 1e-5);
    g_assert_cmpint (n_restarts, <=, 2);
    hl_integrator_free (integrator);
  }
}

/* A function that passes zero and comes back between two looks: y = t, g = (t - a)^2 - depth. */
static HlStatus dip_rhs (double t, const double y[], double y_dot[], void *data) {
  y_dot[0] = 1.0;
  return HL_OK;
}

static HlStatus dip_events (double t, const double y[], double g[], void *data) {
  g[0] = (y[0] - 0.4) * (y[0] - 0.4) - 1e-10;
  return HL_OK;
}

static void test_hidden_between_looks (gconstpointer data) {
  const double y0[1] = {0.0};
  HlOde ode = {.n = 1, .rhs = dip_rhs, .n_events = 1, .events = dip_events};
  HlOdeOptions options = hl_ode_options_default ();
  double y[1], t;
  HlArrival why;

  options.method = *(const HlMethod *)data;
  HlIntegrator *integrator = hl_integrator_new (&ode, &options);
  g_assert_cmpint (hl_integrator_start (integrator, 0.0, y0), ==, HL_OK);
  hl_integrator_set_stop (integrator, 1.0);
  for (int side = -1; side <= 1; side += 2) {
    g_assert_cmpint (hl_integrator_advance (integrator, 1.0, &t, y, &why), ==, HL_OK);
    g_assert_cmpint (why, ==, HL_ARRIVED_AT_EVENT);
    hl_assert_near (t, 0.4 + side * 1e-5, 0.0, 1e-11);
  }
  g_assert_cmpint (hl_integrator_advance (integrator, 1.0, &t, y, &why), ==, HL_OK);
  g_assert_cmpint (why, ==, HL_ARRIVED_AT_STOP);
  hl_integrator_free (integrator);
}

int main (int argc, char **argv) {
  static const struct {
    const char *name;
    GTestDataFunc func;
  } tests[] = {{"events", test_events},
               {"bounces", test_bounces},
               {"hidden-by-a-guard", test_hidden_by_a_guard},
               {"values-beside-a-bend", test_values_beside_a_bend},
               {"hidden-between-looks", test_hidden_between_looks}};

  g_test_init (&argc, &argv, NULL);
  for (gsize m = 0; m < G_N_ELEMENTS (methods); m++)
    for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
      g_autofree char *path = g_strdup_printf ("/integrator-events/%s/%s",
                                               methods[m] == HL_METHOD_BDF ? "bdf" : "radau", tests[i].name);
      g_test_add_data_func (path, &methods[m], tests[i].func);
    }
  return g_test_run ();
}
