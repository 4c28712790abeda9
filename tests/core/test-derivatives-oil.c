/* SPDX-License-Identifier: MIT */
/* Derivatives of every flow element and of the friction law against central differences of fourth
 * order, and the two sides of their kinks. */
#include <math.h>
#include <string.h>

#include "core/hyd/hl-flow.h"
#include "core/hyd/hl-friction.h"
#include "tests/support/hl-test.h"

#define N_STATES 200

/* Flows of all branches with the pressure of one node, or with node < 0 the command, moved. */
static void
moved_flow (const HlFlow *flow,
            const HlBranch branches[],
            const double p[4],
            double u,
            int node,
            double by,
            HlBranchFlow out[])
{
  double moved[4];

  memcpy (moved, p, sizeof moved);
  if (node >= 0)
    moved[node] += by;
  hl_flow_eval (flow, branches, node < 0 ? u + by : u, moved, out);
}

static double
slope_at (const HlBranchFlow *flow, const HlBranch *branch, int node)
{
  if (node < 0)
    return flow->du;
  return (branch->a == node ? flow->dpa : 0.0) + (branch->b == node ? flow->dpb : 0.0);
}

/* Fourth-order differences of the branches in every pressure and in u. The laws bend at a few
 * places (the slope halves or vanishes there); a state within two steps of a bend is passed over.
 */
static void
check_flow (HlFlow flow, const HlBranch branches[], int n_branches, double u_low, double u_high)
{
  int n_checked = 0;

  hl_flow_derive (&flow, 850.0);
  for (int n = 0; n < N_STATES; n++) {
    double p[4], u = hl_test_uniform (u_low, u_high);
    HlBranchFlow at[4], far[4][4];

    for (int k = 0; k < 4; k++)
      p[k] = hl_test_log_uniform (1e5, 1e7);
    hl_flow_eval (&flow, branches, u, p, at);
    for (int node = -1; node < 4; node++) {
      static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
      double h = node < 0 ? 1e-5 * (u_high - u_low) : 10.0; /* [Pa] */

      for (int k = 0; k < 4; k++)
        moved_flow (&flow, branches, p, u, node, offset[k] * h, far[k]);
      for (int b = 0; b < n_branches; b++) {
        double got = slope_at (&at[b], &branches[b], node), want = 0.0;
        double bend =
            slope_at (&far[3][b], &branches[b], node) - slope_at (&far[0][b], &branches[b], node);
        for (int k = 0; k < 4; k++)
          want += weight[k] * far[k][b].q / (12.0 * h);
        if (fabs (bend) > 0.1 * fabs (got))
          continue;
        n_checked += got != 0.0;
        /* rounding: a pressure of 1e7 Pa moves by 10 Pa with 2e-10 of that */
        hl_assert_near (got, want, 1e-7, 1e-15 * fabs (at[b].q) / h);
      }
    }
  }
  g_assert_cmpint (n_checked, >, flow.kind == HL_FLOW_PUMP ? -1 : N_STATES / 4);
}

static void
test_flow_orifice (void)
{
  HlBranch branch = {0, 1};
  HlFlow flow = {.kind = HL_FLOW_ORIFICE,
                 .signal = -1,
                 .state = -1,
                 .Cd = 0.7,
                 .diameter = 0.004,
                 .by_diameter = true,
                 .dp_lim = 2e5};

  check_flow (flow, &branch, 1, 0.0, 1.0);
  flow.signal = 0; /* a metering valve */
  check_flow (flow, &branch, 1, 0.01, 0.99);
  flow.one_way = true;
  check_flow (flow, &branch, 1, 0.01, 0.99);
  flow.dp_lim = 0.0;
  check_flow (flow, &branch, 1, 0.01, 0.99);
}

static void
test_flow_seats (void)
{
  HlBranch branch = {2, 1};
  HlFlow check = {.kind = HL_FLOW_CHECK,
                  .signal = -1,
                  .state = -1,
                  .Cd = 0.6,
                  .area = 2e-5,
                  .dp_lim = 2e5,
                  .opening_pressure = 5e4};
  HlFlow relief = {.kind = HL_FLOW_RELIEF,
                   .signal = -1,
                   .state = -1,
                   .Cd = 0.6,
                   .area = 2e-5,
                   .dp_lim = 2e5,
                   .opening_pressure = 3e6};

  check_flow (check, &branch, 1, 0.0, 1.0);
  check_flow (relief, &branch, 1, 0.0, 1.0);
}

static void
test_flow_valve (void)
{
  HlBranch branches[HL_VALVE_BRANCHES] = {
      [HL_VALVE_P_A] = {0, 2},
      [HL_VALVE_B_T] = {3, 1},
      [HL_VALVE_P_B] = {0, 3},
      [HL_VALVE_A_T] = {2, 1},
  };
  HlFlow flow = {.kind = HL_FLOW_DIRECTIONAL,
                 .signal = 0,
                 .state = 0,
                 .Cv = 1e-8,
                 .dp_lim = 2e5,
                 .dead_zone = 0.05,
                 .time_constant = 0.01};

  check_flow (flow, branches, HL_VALVE_BRANCHES, 0.06, 1.0);
  check_flow (flow, branches, HL_VALVE_BRANCHES, -1.0, -0.06);
  branches[HL_VALVE_B_T].b = -1; /* a plugged port */
  check_flow (flow, branches, HL_VALVE_BRANCHES, -1.0, 1.0);
}

static void
test_flow_linear (void)
{
  HlBranch branch = {0, 3}, pump_branch = {-1, 0};
  HlFlow pipe = {.kind = HL_FLOW_PIPE,
                 .signal = -1,
                 .state = -1,
                 .resistance = 3e9,
                 .length = 2.0,
                 .area = 1e-4};
  HlFlow leak = {.kind = HL_FLOW_LEAK, .signal = -1, .state = -1, .leakage = 1e-12};
  HlFlow inertia = pipe;
  HlFlow pump = {
      .kind = HL_FLOW_PUMP, .signal = -1, .state = -1, .flow = 1e-3, .relief_pressure = INFINITY};

  check_flow (pipe, &branch, 1, 0.0, 1.0);
  check_flow (leak, &branch, 1, 0.0, 1.0);
  inertia.kind = HL_FLOW_PIPE_INERTIA;
  inertia.state = 0;
  check_flow (inertia, &branch, 1, -1e-3, 1e-3);
  check_flow (pump, &pump_branch, 1, 0.0, 1.0);
  pump.relief_pressure = 1e6;
  check_flow (pump, &pump_branch, 1, 0.0, 1.0);
}

/* At a kink the columns are the slopes of the two sides and J's is their mean. */
static void
test_flow_kinks (void)
{
  HlBranch branches[HL_VALVE_BRANCHES] = {{0, 2}, {3, 1}, {0, 3}, {2, 1}};
  double p[] = {7e6, 1e5, 2e6, 3e6};

  for (int wide = 0; wide < 2; wide++) {
    HlFlow flow = {.kind = HL_FLOW_DIRECTIONAL,
                   .signal = 0,
                   .state = 0,
                   .Cv = 1e-8,
                   .dp_lim = 2e5,
                   .dead_zone = wide ? 0.1 : 0.0,
                   .time_constant = 0.01};
    double h = 1e-6, at_u = flow.dead_zone;
    HlBranchFlow at[4], up[4], down[4];

    hl_flow_derive (&flow, 850.0);
    g_assert_true (hl_flow_is_kinked (&flow, at_u));
    g_assert_false (hl_flow_is_kinked (&flow, at_u + h));
    hl_flow_eval (&flow, branches, at_u, p, at);
    hl_flow_eval (&flow, branches, at_u + h, p, up);
    hl_flow_eval (&flow, branches, at_u - h, p, down);
    for (int b = 0; b < 4; b++) {
      hl_assert_near (at[b].du_up, (up[b].q - at[b].q) / h, 1e-9, 1e-16);
      hl_assert_near (at[b].du_down, (at[b].q - down[b].q) / h, 1e-9, 1e-16);
      hl_assert_near (at[b].du, 0.5 * (at[b].du_up + at[b].du_down), 1e-14, 0.0);
    }
  }
}

static void
test_friction (void)
{
  for (int n = 0; n < N_STATES; n++) {
    HlFriction friction = {.model = (HlFrictionModel)(n % 3),
                           .Fc = hl_test_uniform (10.0, 300.0),
                           .Fs = hl_test_uniform (300.0, 900.0),
                           .vs = hl_test_log_uniform (0.005, 0.1),
                           .sigma2 = hl_test_uniform (0.0, 400.0),
                           .scale = hl_test_log_uniform (0.01, 1.0)};
    double v = n % 7 == 0 ? 0.0 : hl_test_uniform (-4.0, 4.0) * friction.vs;
    double h = 1e-3 * friction.vs, slope, unused;

    hl_friction_force (&friction, v, &slope);
    double want = (8.0 * (hl_friction_force (&friction, v + h, &unused) -
                          hl_friction_force (&friction, v - h, &unused)) -
                   hl_friction_force (&friction, v + 2.0 * h, &unused) +
                   hl_friction_force (&friction, v - 2.0 * h, &unused)) /
                  (12.0 * h);
    hl_assert_near (slope, want, 1e-8, 1e-8 * friction.scale * friction.Fs / friction.vs);
    if (v == 0.0 && friction.model == HL_FRICTION_BROWN_MCPHEE)
      hl_assert_near (
          slope,
          friction.scale *
              ((4.0 * friction.Fc + 16.0 / 9.0 * (friction.Fs - friction.Fc)) / friction.vs +
               friction.sigma2),
          1e-13, 0.0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/derivatives-oil/flow/orifice", test_flow_orifice);
  g_test_add_func ("/derivatives-oil/flow/check-and-relief", test_flow_seats);
  g_test_add_func ("/derivatives-oil/flow/directional-valve", test_flow_valve);
  g_test_add_func ("/derivatives-oil/flow/pipe-leak-pump", test_flow_linear);
  g_test_add_func ("/derivatives-oil/flow/kinks-have-two-sides", test_flow_kinks);
  g_test_add_func ("/derivatives-oil/friction", test_friction);
  return g_test_run ();
}
