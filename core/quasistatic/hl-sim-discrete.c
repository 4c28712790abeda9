/* SPDX-License-Identifier: MIT */
/* The quasistatic model with a fixed step (theory/quasistatic.md (29), (30)),
 *
 *   omega += h a (theta, f)
 *   theta += h omega
 *
 * in the reduced coordinates; a row shows the state before the update. Rows between two steps show
 * a shorter step that is then forgotten. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/quasistatic/hl-sim-quasistatic.h"
#include "core/base/hl-i18n.h"
#include "core/system/hl-dynamics.h"

/* The coordinates that the model names first, as long as they serve. */
static HlStatus
discrete_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_WISHED, NULL, 0, fault);
}

static HlStatus
discrete_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
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

/* What a step starts from: taken at its beginning, because rows may use the work meanwhile. */
static void
keep_beginning (HlSimRun *run)
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

/* From the state y, of which keep_beginning () took the rates, over h. Spools follow their command
 * exactly, as if it were constant over the step. */
static void
advance (const HlSimRun *run, double h, double y[])
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

/* Rows strictly between two steps, each by a step of its own length that is then forgotten. */
static HlStatus
rows_between (HlSimRun *run, double t, double t_next)
{
  HlSimQuasi *quasi = run->own;
  double last = t_next - HL_ROW_SNAP * run->options->every;
  HlStatus status = HL_OK;

  while (status == HL_OK && !run->stopped && run->next_row < last) {
    memcpy (run->y_row, run->y, (size_t)run->n * sizeof (double));
    quasi->h = run->next_row - t;
    advance (run, quasi->h, run->y_row);
    status = hl_sim_emit_row (run, run->next_row, run->y_row);
  }
  return status;
}

/* The same motion in other coordinates. */
static HlStatus
change_coordinates (HlSimRun *run, double t)
{
  HlStatus status = hl_sim_quasi_unpack (run, t, run->y, run->point, &run->fault);

  if (status == HL_OK)
    status = hl_sim_quasi_arrange (run, run->point, &run->fault);
  if (status == HL_OK)
    hl_sim_quasi_pack (run, run->point, run->y);
  run->restarts++;
  return status;
}

/* From t to t_next. Rods in run->y are those of the step before. */
static HlStatus
step (HlSimRun *run, double t, double t_next)
{
  HlSimQuasi *quasi = run->own;
  bool has_row = run->next_row <= t + HL_ROW_SNAP * run->options->every;
  HlStatus status = has_row ? hl_sim_emit_row (run, t, run->y)
                            : discrete_rhs (run, t, run->y, run->y_dot, &run->fault);

  if (status == HL_OK && run->options->cavitations != NULL) {
    hl_sim_quasi_observe (run, t, run->y);
    hl_sim_watch_lines (run, t, t == 0.0);
  }
  if (status != HL_OK || run->stopped || t >= run->options->t_end)
    return status;
  if (run->needs_energy) {
    double powers[3];
    hl_sim_quasi_powers (run, t, run->y, powers);
    for (int e = 0; e < 3; e++)
      run->energies[e] += (t_next - t) * powers[e];
  }
  keep_beginning (run);
  bool is_worn = hl_sim_quasi_is_worn (run);
  status = rows_between (run, t, t_next);
  quasi->h = t_next - t;
  advance (run, quasi->h, run->y);
  return status == HL_OK && is_worn ? change_coordinates (run, t_next) : status;
}

/* The k-th multiple of h; a step such as 1e-3 counts in thousandths, so that no rounding puts a
 * step beside the corner of a signal. */
static double
step_time (double h, long k)
{
  double per_second = round (1.0 / h);
  bool divides = per_second >= 1.0 && fabs (per_second * h - 1.0) < 1.0e-12;

  return divides ? (double)k / per_second : (double)k * h;
}

static HlStatus
discrete_run (HlSimRun *run, HlSimStats *stats)
{
  const HlSimOptions *options = run->options;
  HlSimQuasi *quasi = run->own;
  double h = options->step, t = 0.0;
  HlStatus status = HL_OK;
  long k = 0;

  if (!(h > 0.0)) {
    run->fault = (HlFault){.status = HL_BAD_MODEL, .entity = -1, .time = NAN};
    run->fault.why = N_ ("the discrete formulation needs a step");
    run->fault.mend = N_ ("give simulation.step a positive value");
    return HL_BAD_MODEL;
  }
  quasi->machine.by_segment = false;
  quasi->h = h;
  while (status == HL_OK && !run->stopped && run->next_row <= options->t_end) {
    t = step_time (h, k);
    if (options->t_end - t < HL_ROW_SNAP * options->every)
      t = options->t_end;
    if (t >= run->known_until - HL_ROW_SNAP * h)
      hl_sim_ask_ahead (run, t);
    if (options->cancel != NULL && options->cancel (options->cancel_data))
      status = HL_CANCELLED;
    else if (hl_sim_count_step (run) != HL_OK)
      status = HL_OUT_OF_STEPS;
    else if (!run->stopped)
      status = step (run, t, step_time (h, k + 1));
    k++;
  }
  if (stats != NULL) {
    stats->steps = k;
    stats->rhs = run->work->n_rhs;
    stats->restarts = run->restarts;
    stats->t_reached = status == HL_OK && !run->stopped ? options->t_end : t;
  }
  return status;
}

const HlSimForm hl_sim_form_discrete = {
    .rests_in_place = true,
    .arrange = discrete_arrange,
    .n_states = hl_sim_quasi_n_states,
    .pack = hl_sim_quasi_pack,
    .unpack = hl_sim_quasi_unpack,
    .scales = hl_sim_quasi_scales,
    .rhs = discrete_rhs,
    .is_worn = hl_sim_quasi_is_worn,
    .begin = hl_sim_quasi_begin,
    .end = hl_sim_quasi_end,
    .observe = hl_sim_quasi_observe,
    .powers = hl_sim_quasi_powers,
    .run_all = discrete_run,
};
