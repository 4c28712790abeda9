/* SPDX-License-Identifier: MIT */
/* Equilibria: where the program finds one, the second formulation finds nothing that moves. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-random-checks.h"

#define REST_LIMIT 1.0e-6
#define LEAST_PRESSURE 1.0 /* [Pa] a thousandth of the lowest onset of vapour */
#define SMALL_FLOW 1.0e-6  /* [m3/s] a leak that counts as none in 1e-6 of it */

static double real (HlZ z) {
  return (double)creall (z);
}

static void worse (double *worst, char what[64], double value, const char *id, const char *part) {
  if (!(value <= *worst)) {
    *worst = value;
    g_snprintf (what, 64, "%s.%s", id, part);
  }
}

/* Largest acceleration in m/s2 or rad/s2, flow into a line of SMALL_FLOW, rate of a spool. */
static double unrest (const HlRandomMachine *m, char what[64]) {
  const HlOracle *o = m->oracle;
  double worst = 0.0, flow = SMALL_FLOW, force = 1.0;

  for (int k = 0; k < 4 * o->n_components; k++)
    flow = fmax (flow, fabs (real (m->rate.flow[k])));
  for (int k = 0; k < o->n_components; k++)
    force = fmax (force, 1e-3 * fabs (real (m->rate.force[k])));
  for (int k = 0; k < o->n; k++)
    worse (&worst, what, fabs (real (m->rate.a[k])) / force, o->bodies[k / 3].id, "acceleration");
  for (int k = 0; k < o->n_nets; k++)
    if (o->nets[k].state >= 0)
      worse (&worst, what, fabs (real (m->rate.net[k])) / flow, o->nets[k].id, "inflow");
  for (int k = 0; k < o->n_components; k++)
    if (o->components[k].state >= 0)
      worse (&worst, what, 1e-3 * fabs (real (m->rate.u_dot[o->components[k].state])), o->components[k].id,
             "rate");
  return worst;
}

void hl_random_check_rest (HlRandomMachine *m) {
  HlEquilibriumInfo info = {0};
  HlFault fault = {0};

  for (int k = 0; k < m->oracle->n_loads; k++)
    if (strcmp (m->oracle->loads[k].kind, "tyre") == 0)
      return;
  HlStatus status = hl_start_point (m->sys, m->work, HL_START_EQUILIBRIUM, NULL, m->point, &info, &fault);
  if (status != HL_OK) {
    g_autofree char *message = hl_fault_message (m->sys, &fault);
    hl_random_say (m->report, "no equilibrium", message);
    m->report->n_no_rest++;
    if (strstr (message, "‘") == NULL)
      hl_random_fail (m->report, "no equilibrium, without naming an element: %s", message);
    return;
  }
  m->report->n_rest++;
  hl_random_take_point (m);
  for (int k = 0; k < m->oracle->n; k++)
    if (m->point->v[k] != 0.0)
      hl_random_fail (m->report, "an equilibrium that moves");
  char what[64] = "equilibrium";
  if (hl_oracle_eval (m->oracle, &m->state, &m->rate)) {
    double worst = unrest (m, what);
    hl_random_note (m->report, HL_RANDOM_REST, worst, REST_LIMIT, what);
  }
  for (int k = 0; k < m->oracle->n_p; k++)
    if (!(m->point->p[k] > LEAST_PRESSURE)) {
      hl_random_fail (m->report, "an equilibrium at %.4g Pa: a rest on nothing", m->point->p[k]);
      break;
    }
  hl_random_check_jacobian (m, "equilibrium");
}
