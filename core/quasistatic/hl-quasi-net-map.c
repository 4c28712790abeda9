/* SPDX-License-Identifier: MIT */
/* Force-velocity maps of the pistons of a network: at given velocities, and where load lines meet
 * them. Where a piston rests its force is an interval, from the limit of slow retraction, f (0-), to
 * that of slow extension, f (0+): the map falls. */
#include <math.h>

#include "core/quasistatic/hl-quasi-net-private.h"

#define SLOW 1.0e-8 /* [m/s]: as good as at rest, on either side */

static void give (HlQuasiNet *net, int n, const int cylinders[], const double v[]) {
  for (int member = 0; member < n; member++) {
    net->pistons[cylinders[member]].beta = INFINITY;
    net->pistons[cylinders[member]].fbar = v[member];
  }
}

/* Force of one piston where it creeps. */
static HlStatus creep (HlQuasiNet *net, int cylinder, double v, double *f, HlFault *fault) {
  double kept = net->pistons[cylinder].fbar;
  int infinite;

  net->pistons[cylinder].fbar = v;
  HlStatus status = hl_quasi_net_solve_given (net, cylinder, &infinite, fault);
  net->pistons[cylinder].fbar = kept;
  *f = infinite != 0 ? infinite * INFINITY : net->pistons[cylinder].f;
  return status;
}

static double chamber (const HlQuasiNet *net, const HlQuasiPiston *piston, int side) {
  return piston->node[side] >= 0 ? hl_quasi_net_pressure (net, piston->node[side]) : NAN;
}

double hl_quasi_net_supply (const HlQuasiNet *net) {
  const HlSystem *sys = net->sys;

  for (int k = 0; k < sys->n_passages; k++)
    if (sys->passages[k].kind == HL_PASSAGE_PUMP && sys->passages[k].node_b >= 0)
      return hl_quasi_net_pressure (net, sys->passages[k].node_b);
  for (int k = 0; k < sys->n_sources; k++)
    if (!sys->sources[k].is_tank)
      return sys->sources[k].pressure;
  return NAN;
}

/* Of a piston at rest whose force nothing determines: between what it takes to make it creep. */
static HlStatus find_interval (HlQuasiNet *net, int cylinder, HlQuasiGamma *gamma, HlFault *fault) {
  HlStatus status = creep (net, cylinder, -SLOW, &gamma->f_hi, fault);

  if (status == HL_OK)
    status = creep (net, cylinder, SLOW, &gamma->f_lo, fault);
  gamma->f = fmin (fmax (0.0, gamma->f_lo), gamma->f_hi);
  return status;
}

HlStatus hl_quasi_net_gamma (HlQuasiNet *net, int n, const int cylinders[], const double v[],
                             HlQuasiGamma out[], HlFault *fault) {
  int infinite;

  give (net, n, cylinders, v);
  HlStatus status = hl_quasi_net_solve_given (net, cylinders[0], &infinite, fault);
  for (int member = 0; member < n && status == HL_OK; member++) {
    const HlQuasiPiston *piston = &net->pistons[cylinders[member]];
    bool is_known = infinite == 0;
    HlQuasiGamma *gamma = &out[member];

    *gamma = (HlQuasiGamma){.v = v[member],
                            .df_dv = NAN,
                            .segment = HL_SEGMENT_NETWORK,
                            .Ph = is_known ? chamber (net, piston, 0) : NAN,
                            .Pr = is_known ? chamber (net, piston, 1) : NAN,
                            .P = is_known ? hl_quasi_net_supply (net) : NAN,
                            .f = is_known ? piston->f : NAN};
    if (!is_known && member == 0)
      gamma->f = infinite * INFINITY;
    gamma->f_lo = gamma->f_hi = gamma->f;
  }
  for (int member = 0; member < n && status == HL_OK; member++)
    if (v[member] == 0.0 && isnan (out[member].f))
      status = find_interval (net, cylinders[member], &out[member], fault);
  return status;
}

HlStatus hl_quasi_net_lambda (HlQuasiNet *net, int n, const int cylinders[], const double beta[],
                              const double fbar[], HlQuasiLambda out[], HlFault *fault) {
  for (int member = 0; member < n; member++) {
    net->pistons[cylinders[member]].beta = beta[member];
    net->pistons[cylinders[member]].fbar = fbar[member];
  }
  HlStatus status = hl_quasi_net_solve (net, fault);
  for (int member = 0; member < n && status == HL_OK; member++) {
    double v = net->pistons[cylinders[member]].v;
    out[member] =
        (HlQuasiLambda){.v = v,
                        .f = fbar[member] + beta[member] * v,
                        .dv_dfbar = hl_quasi_net_dv_dfbar (net, cylinders[member], cylinders[member])};
  }
  if (status == HL_OK)
    hl_quasi_net_find_free (net);
  return status;
}
