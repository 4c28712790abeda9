/* SPDX-License-Identifier: MIT */
/* One step of the discrete formulation (hl-sim-quasistatic-discrete.c). */
#include <math.h>
#include <string.h>

#include "core/quasistatic/hl-sim-quasistatic.h"
#include "core/system/hl-lumped-dynamics.h"

#define END_NEAR 1.0e-10  /* of a pressure: how well the end of an implicit step is found */
#define LEAST_LEFT 1.0e-3 /* of a pressure: what one step leaves of it */
#define MOST_TRIES 60

HlStatus hl_sim_discrete_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PREFERRED, NULL, 0, fault);
}

HlStatus hl_sim_discrete_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault) {
  HlSimQuasi *quasi = run->own;

  quasi->t = t;
  hl_work_enter_segment (run->sys, run->work, t);
  return hl_quasi_step_forces (&quasi->machine, (HlQuasiState){run->sys, t, y}, quasi->h, y_dot, run->work,
                               fault);
}

/* ---- lines that a controller measures without any lag ---- */

/* Returns the residual flow of such a line after an implicit Euler step to the pressure x with the other
 * pressures constant: its valve opens with x. */
static double off_by (HlSimRun *run, int k, double x) {
  HlSimQuasi *quasi = run->own;
  int at = hl_off_soft (run->sys, run->work) + k;
  double *y = quasi->machine.aside, *rates = y + run->n;

  memcpy (y, run->y, (size_t)run->n * sizeof (double));
  y[at] = x;
  if (hl_sim_discrete_rhs (run, quasi->t, y, rates, NULL) != HL_OK)
    return NAN;
  return x - run->y[at] - quasi->h * rates[at];
}

/* Returns the pressure at the end of an implicit step. p' falls with p in a loop that controls its pressure,
 * so a step to p + h p' goes too far, and the implicit one ends in between. Found by regula falsi (Illinois);
 * NAN: the loop is unstable. */
static double implicit_end (HlSimRun *run, int k, double p, double rate) {
  const HlSimQuasi *quasi = run->own;
  double low = p, high = fmax (p + quasi->h * rate, LEAST_LEFT * p);
  double f_low = -quasi->h * rate, f_high = off_by (run, k, high), x = p;

  if (!(f_low * f_high < 0.0))
    return NAN;
  for (int n = 0; n < MOST_TRIES && fabs (high - low) > END_NEAR * p; n++) {
    x = high - f_high * (high - low) / (f_high - f_low);
    double f = off_by (run, k, x);
    if (f == 0.0 || isnan (f))
      break;
    if (f * f_high < 0.0) {
      low = high;
      f_low = f_high;
    } else
      f_low *= 0.5;
    high = x;
    f_high = f;
  }
  return x;
}

/* Stores the rates with which a step of h, advanced as below, ends there. */
static void keep_measured (HlSimRun *run) {
  HlSimQuasi *quasi = run->own;
  int first = run->sys->topology->n_deaf, n = hl_quasi_n_soft (run->sys);
  bool any = false;

  for (int k = first; k < n && quasi->machine.net != NULL; k++) {
    int at = hl_off_soft (run->sys, run->work) + k;
    double p = run->y[at], rate = quasi->rate[at];
    if (!(fabs (quasi->h * rate) > END_NEAR * p))
      continue;
    double end = implicit_end (run, k, p, rate), dp = end < p ? p * (end - p) / end : end - p;
    any = true;
    if (isfinite (dp) && dp != 0.0)
      quasi->haste[run->work->u + k] = rate / dp - 1.0 / quasi->h;
  }
  if (any) /* the next reader of the work finds the state before */
    hl_sim_discrete_rhs (run, quasi->t, run->y, quasi->machine.aside, NULL);
}

/* ---- what the next step starts from ---- */

/* Advances the states whose own rate is too stiff for any explicit step (cushions, bristles, compressible
 * lines) by a step of implicit Euler with that slope alone. */
static void keep_haste (HlSimRun *run) {
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
  keep_measured (run);
}

void hl_sim_discrete_keep (HlSimRun *run) {
  HlSimQuasi *quasi = run->own;

  memcpy (quasi->rate, run->y_dot, (size_t)run->n * sizeof (double));
  for (int k = 0; k < run->sys->n_cylinders; k++) {
    quasi->rods[k] = run->work->cylinders[k].rod;
    quasi->machine.l_prev[k] = run->work->cylinders[k].length.s;
  }
  keep_haste (run);
}

/* Returns whether the state is a pressure of a cushion. */
static bool is_pressure (const HlSystem *sys, int state) {
  int component = sys->topology->component_of_state[state];
  int cylinder = component >= 0 ? sys->components[component].cylinder : -1;

  return cylinder >= 0 && sys->cylinders[cylinder].bristle != state - sys->components[component].first_state;
}

/* Changes a pressure by dp; a decrease is divided by 1 - dp/p, so that the pressure stays above 0, with the
 * same limit. */
static void change_pressure (double *p, double dp) {
  *p = dp < 0.0 ? *p * *p / (*p - dp) : *p + dp;
}

void hl_sim_discrete_advance (const HlSimRun *run, double h, double y[]) {
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
      change_pressure (&y[at], h * rate[at] / (1.0 + h * quasi->haste[k]));
    else
      y[at] += h * rate[at] / (1.0 + h * quasi->haste[k]);
  }
  for (int k = hl_off_soft (sys, work); k < run->n; k++)
    change_pressure (&y[k], h * rate[k] / (1.0 + h * quasi->haste[work->u + k - hl_off_soft (sys, work)]));
}

HlStatus hl_sim_discrete_rearrange (HlSimRun *run, double t) {
  HlStatus status = hl_sim_quasi_unpack (run, t, run->y, run->point, &run->fault);

  if (status == HL_OK)
    status = hl_sim_quasi_arrange (run, run->point, &run->fault);
  if (status == HL_OK)
    hl_sim_quasi_pack (run, run->point, run->y);
  return status;
}

double hl_sim_discrete_time (double h, long k) {
  double per_second = round (1.0 / h);
  bool divides = per_second >= 1.0 && fabs (per_second * h - 1.0) < 1.0e-12;

  return divides ? (double)k / per_second : (double)k * h;
}
