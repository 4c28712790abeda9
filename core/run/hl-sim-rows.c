/* SPDX-License-Identifier: MIT */
/* The rows of a run: their times, their values, and the energies between them by Gauss points on the
 * dense output. */
#include "core/run/hl-sim-run.h"

#include <math.h>

#include "core/system/hl-dynamics.h"
#include "core/system/hl-observable-eval.h"
#include "core/system/hl-power-parts.h"

/* The index-th multiple of the output step; a step such as 0.1 counts in tenths, so that the third
 * row stands at 0.3 and not at the next number above. */
static double
row_time (const HlSimOptions *options, long index)
{
  double per_second = round (1.0 / options->every);
  bool divides = per_second >= 1.0 && fabs (per_second * options->every - 1.0) < HL_ROW_SNAP;

  return divides ? (double)index / per_second : (double)index * options->every;
}

/* The energy of the motion is what it is now, not a sum of powers: the balance is a check. */
static void
emit_parts (HlSimRun *run, double t)
{
  const HlSystem *sys = run->sys;
  double energies[2], rates[2];

  hl_dynamics_accelerations (sys, run->work);
  hl_power_parts_eval (sys, run->work, run->part_powers);
  hl_power_motion_eval (sys, run->work, rates);
  hl_power_motion_energies (sys, run->work, energies);
  for (int k = 0; k < 2; k++) {
    int at = HL_POWER_ROLES * (hl_power_joints (sys) + 1 + k) + HL_POWER_STORED;
    if (run->row_index == 0)
      run->motion_before[k] = energies[k];
    run->part_powers[at] = rates[k];
    run->part_energies[at] = energies[k] - run->motion_before[k];
  }
  run->options->parts (t, run->part_powers, run->part_energies, run->options->parts_data);
}

HlStatus
hl_sim_emit_row (HlSimRun *run, double t, const double y[])
{
  const HlSimOptions *options = run->options;
  HlStatus status = run->form->rhs (run, t, y, run->y_dot, &run->fault);

  if (status != HL_OK)
    return status;
  if (run->form->observe != NULL)
    run->form->observe (run, t, y);
  if (run->part_powers != NULL)
    emit_parts (run, t);
  if (run->needs_multipliers)
    hl_dynamics_joint_forces (run->sys, run->work);
  for (int k = 0; k < options->n_outputs; k++)
    run->row[k] = hl_observable_value (run->sys, run->work, options->outputs[k], run->energies);
  if (run->linear != NULL)
    hl_linear_run_row (run->linear, t, run->row + options->n_outputs);
  if (options->row != NULL && !options->row (t, run->row, options->row_data))
    run->stopped = true;
  run->row_index++;
  run->next_row = fmin (row_time (options, run->row_index), options->t_end);
  if (t >= options->t_end)
    run->next_row = INFINITY;
  return HL_OK;
}

/* Adds the energies of one internal step, or a part of it, by Gauss points on the dense output. */
static HlStatus
integrate_energies (HlSimRun *run, double from, double to)
{
  static const double at[] = {0.1127016653792583, 0.5, 0.8872983346207417};
  static const double weight[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  HlStatus status = HL_OK;

  for (int k = 0; k < 3 && status == HL_OK; k++) {
    double t = from + at[k] * (to - from), powers[3];
    hl_integrator_interpolate (run->integrator, t, run->y_row);
    status = run->form->rhs (run, t, run->y_row, run->y_dot, &run->fault);
    if (run->form->powers != NULL)
      run->form->powers (run, t, run->y_row, powers);
    else
      hl_power_eval (run->sys, run->work, powers);
    for (int e = 0; e < 3; e++)
      run->energies[e] += weight[k] * (to - from) * powers[e];
    if (run->part_powers == NULL)
      continue;
    hl_power_parts_eval (run->sys, run->work, run->part_powers);
    for (int part = 0; part < HL_POWER_ROLES * (hl_power_joints (run->sys) + 1); part++)
      run->part_energies[part] += weight[k] * (to - from) * run->part_powers[part];
  }
  return status;
}

HlStatus
hl_sim_rows_before (HlSimRun *run, double begin, double t, double t_stop)
{
  double last = fmin (t, t_stop - HL_ROW_SNAP * run->options->every);
  HlStatus status = HL_OK;
  double done = begin;

  while (status == HL_OK && !run->stopped && run->next_row < last) {
    double at = run->next_row;
    if (run->needs_energy)
      status = integrate_energies (run, done, at);
    done = at;
    hl_integrator_interpolate (run->integrator, at, run->y_row);
    if (status == HL_OK)
      status = hl_sim_emit_row (run, at, run->y_row);
  }
  if (status == HL_OK && run->needs_energy)
    status = integrate_energies (run, done, t);
  return status;
}
