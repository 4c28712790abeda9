/* SPDX-License-Identifier: MIT */
/* One step of the discrete formulation (hl-sim-discrete.c). */
#include <math.h>
#include <string.h>

#include "core/quasistatic/hl-sim-quasistatic.h"
#include "core/system/hl-dynamics.h"

HlStatus
hl_sim_discrete_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_WISHED, NULL, 0, fault);
}

HlStatus
hl_sim_discrete_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  HlSimQuasi *quasi = run->own;

  hl_work_enter_segment (run->sys, run->work, t);
  return hl_quasi_step_forces (&quasi->machine, (HlQuasiState){run->sys, t, y}, quasi->h, y_dot,
                               run->work, fault);
}

/* States with a pull of their own that no step would bear: cushions, bristles, soft lines. A step of
 * implicit Euler with that slope alone. */
static void
keep_haste (HlSimRun *run)
{
  HlSimQuasi *quasi = run->own;
  const HlQuasiNet *net = quasi->machine.net;
  int n = run->work->u;

  for (int k = 0; k < n && net != NULL; k++) {
    int component = run->sys->topology->component_of_state[k];
    bool is_cylinder = component >= 0 && run->sys->components[component].cylinder >= 0;
    quasi->haste[k] = is_cylinder ? fmax (-hl_quasi_net_own_slope (net, k), 0.0) : 0.0;
  }
  for (int k = 0; net != NULL && k < hl_quasi_net_n_soft (net); k++)
    quasi->haste[n + k] = hl_quasi_net_soft_haste (net, k);
}

void
hl_sim_discrete_keep (HlSimRun *run)
{
  HlSimQuasi *quasi = run->own;

  memcpy (quasi->rate, run->y_dot, (size_t)run->n * sizeof (double));
  for (int k = 0; k < run->sys->n_cylinders; k++) {
    quasi->rods[k] = run->work->cylinders[k].rod;
    quasi->machine.l_prev[k] = run->work->cylinders[k].length.s;
  }
  keep_haste (run);
}

/* Of a cushion. */
static bool
is_pressure (const HlSystem *sys, int state)
{
  int component = sys->topology->component_of_state[state];
  int cylinder = component >= 0 ? sys->components[component].cylinder : -1;

  return cylinder >= 0 &&
         sys->cylinders[cylinder].bristle != state - sys->components[component].first_state;
}

/* Oil has a pressure above 0: what falls is divided by 1 - dp/p instead, the same in the limit. */
static void
fill (double *p, double dp)
{
  *p = dp < 0.0 ? *p * *p / (*p - dp) : *p + dp;
}

void
hl_sim_discrete_advance (const HlSimRun *run, double h, double y[])
{
  const HlSystem *sys = run->sys;
  const HlWork *work = run->work;
  const HlSimQuasi *quasi = run->own;
  const double *rate = quasi->rate;

  for (int k = 0; k < work->f; k++) {
    y[hl_off_v (work) + k] += h * rate[hl_off_v (work) + k];
    y[k] += h * y[hl_off_v (work) + k];
  }
  for (int k = 0; k < work->l; k++)
    y[hl_off_ad (work) + k] += h * rate[hl_off_ad (work) + k];
  for (int k = 0; k < sys->n_cylinders; k++)
    y[hl_off_rod (work) + k] = quasi->rods[k];
  for (int k = 0; k < work->u; k++) {
    double lag = hl_state_lag (sys, k);
    int at = hl_off_spool (sys, work) + k;
    if (lag > 0.0)
      y[at] -= expm1 (-h / lag) * lag * rate[at];
    else if (is_pressure (sys, k))
      fill (&y[at], h * rate[at] / (1.0 + h * quasi->haste[k]));
    else
      y[at] += h * rate[at] / (1.0 + h * quasi->haste[k]);
  }
  for (int k = hl_off_soft (sys, work); k < run->n; k++)
    fill (&y[k], h * rate[k] / (1.0 + h * quasi->haste[work->u + k - hl_off_soft (sys, work)]));
}

HlStatus
hl_sim_discrete_rearrange (HlSimRun *run, double t)
{
  HlStatus status = hl_sim_quasi_unpack (run, t, run->y, run->point, &run->fault);

  if (status == HL_OK)
    status = hl_sim_quasi_arrange (run, run->point, &run->fault);
  if (status == HL_OK)
    hl_sim_quasi_pack (run, run->point, run->y);
  return status;
}

double
hl_sim_discrete_time (double h, long k)
{
  double per_second = round (1.0 / h);
  bool divides = per_second >= 1.0 && fabs (per_second * h - 1.0) < 1.0e-12;

  return divides ? (double)k / per_second : (double)k * h;
}
