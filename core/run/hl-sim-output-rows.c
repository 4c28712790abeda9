/* SPDX-License-Identifier: MIT */
/* Rows of a run: instants of the dense output, evaluated in the work and passed to the receiver.
 *
 * Where the options let rows be interpolated, the outputs of a long step are evaluated at a few nodes
 * only and its rows lie on cubics through them: a step of the Radau method spans hundreds of rows of
 * a plot, and to evaluate the machine at each of them takes several times as long as the steps
 * themselves. The linear response is exact in every row all the same: it may swing where the machine
 * has come to rest. */
#include <math.h>
#include <string.h>

#include "core/run/hl-sim-run.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-power-balance-parts.h"

#define CUBIC 4                            /* nodes of a cubic */
#define FEWEST_ROWS (2 * HL_SIM_ROW_NODES) /* of a step, to be worth it */

double hl_sim_rows_per_second (const HlSimOptions *options) {
  double per_second = round (1.0 / options->every);
  bool divides = per_second >= 1.0 && fabs (per_second * options->every - 1.0) < HL_ROW_SNAP;

  return divides ? per_second : 0.0;
}

/* Returns the index-th multiple of the output step; a step such as 0.1 counts in tenths, so that the third
 * row stands at 0.3 and not at the next number above. */
static double row_time (const HlSimRun *run, long index) {
  const HlSimOptions *options = run->options;

  if (options->times != NULL)
    return index == 0 ? 0.0 : index <= options->n_times ? options->times[index - 1] : options->t_end;
  return run->rows_per_second > 0.0 ? (double)index / run->rows_per_second : (double)index * options->every;
}

/* Emits the powers of the parts. The energy of the motion is its present value, not a sum of powers: the
 * balance is a check. */
static void emit_parts (HlSimRun *run, double t) {
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

void hl_sim_save_stand (HlSimRun *run) {
  hl_work_save_stand (run->work);
  if (run->form->save_stand != NULL)
    run->form->save_stand (run);
}

void hl_sim_restore_stand (HlSimRun *run) {
  hl_work_restore_stand (run->work);
  if (run->form->restore_stand != NULL)
    run->form->restore_stand (run);
}

HlStatus hl_sim_look (HlSimRun *run, double t, const double y[], HlObserved what) {
  if (run->form->look != NULL)
    return run->form->look (run, t, y, what, &run->fault);
  if (!run->form->rows_are_steps)
    hl_sim_save_stand (run);
  return run->form->rhs (run, t, y, run->y_dot, &run->fault);
}

void hl_sim_look_back (HlSimRun *run) {
  if (run->form->look != NULL)
    hl_work_look_back (run->work);
  else if (!run->form->rows_are_steps)
    hl_sim_restore_stand (run);
}

/* Computes the outputs from the work. */
static void read_outputs (HlSimRun *run, double t, const double y[], double out[]) {
  const HlSimOptions *options = run->options;

  if (run->form->observe != NULL)
    run->form->observe (run, t, y);
  if (run->part_powers != NULL)
    emit_parts (run, t);
  if (run->needs_multipliers)
    hl_dynamics_joint_forces (run->sys, run->work);
  for (int k = 0; k < options->n_outputs; k++)
    out[k] = hl_observable_value (run->sys, run->work, options->outputs[k], run->energies);
}

/* Evaluates the outputs of the state y at t, out[n_outputs]. */
static HlStatus eval_outputs (HlSimRun *run, double t, const double y[], double out[]) {
  HlStatus status = hl_sim_look (run, t, y, run->observed);

  if (status == HL_OK)
    read_outputs (run, t, y, out);
  hl_sim_look_back (run);
  return status;
}

/* Passes on the row in `row`, with its linear response. */
static void hand_over (HlSimRun *run, double t) {
  const HlSimOptions *options = run->options;

  if (run->linear != NULL)
    hl_linear_run_row (run->linear, t, run->row + options->n_outputs);
  if (options->row != NULL && !options->row (t, run->row, options->row_data))
    run->stopped = true;
  run->row_index++;
  run->next_row = fmin (row_time (run, run->row_index), options->t_end);
  if (t >= options->t_end)
    run->next_row = INFINITY;
}

HlStatus hl_sim_emit_row (HlSimRun *run, double t, const double y[]) {
  HlStatus status = eval_outputs (run, t, y, run->row);

  if (status == HL_OK)
    status = hl_sim_tangent_row (run->tangent, run, t, y);
  if (status == HL_OK)
    hand_over (run, t);
  return status;
}

/* Gauss points and weights of a part of a step. */
typedef struct {
  int n;
  double at[5], weight[5];
} Rule;

static const Rule rule_of_3 = {
    3, {0.1127016653792583, 0.5, 0.8872983346207417}, {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0}};
static const Rule rule_of_5 = {
    5,
    {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200},
    {0.11846344252809454, 0.23931433524968324, 64.0 / 225.0, 0.23931433524968324, 0.11846344252809454}};

static size_t count_part_energies (const HlSimRun *run) {
  return run->part_powers != NULL ? HL_POWER_ROLES * ((size_t)hl_power_joints (run->sys) + 1) : 0;
}

static void keep_energies (HlSimRun *run) {
  memcpy (run->energies_before, run->energies, sizeof run->energies);
  if (run->part_powers != NULL)
    memcpy (run->part_energies_before, run->part_energies, count_part_energies (run) * sizeof (double));
}

/* Sets the energies at `to`, in or at the end of the part of an internal step that began at `from` with the kept ones, by Gauss
 * points on the dense output: powers are products of states, which within a step of order 9 are polynomials of degree 5. */
static HlStatus integrate_energies (HlSimRun *run, double from, double to) {
  const Rule *rule = run->method == HL_METHOD_RADAU ? &rule_of_5 : &rule_of_3;
  int n_parts = (int)count_part_energies (run);
  HlStatus status = HL_OK;

  memcpy (run->energies, run->energies_before, sizeof run->energies);
  if (run->part_powers != NULL)
    memcpy (run->part_energies, run->part_energies_before, (size_t)n_parts * sizeof (double));

  for (int k = 0; k < rule->n && status == HL_OK; k++) {
    double t = from + rule->at[k] * (to - from), powers[3];
    hl_integrator_interpolate (run->integrator, t, run->y_row);
    status = hl_sim_look (run, t, run->y_row, HL_OBSERVES_ALL);
    if (run->form->powers != NULL)
      run->form->powers (run, t, run->y_row, powers);
    else
      hl_power_eval (run->sys, run->work, powers);
    if (run->part_powers != NULL)
      hl_power_parts_eval (run->sys, run->work, run->part_powers);
    hl_sim_look_back (run);
    for (int e = 0; e < 3; e++)
      run->energies[e] += rule->weight[k] * (to - from) * powers[e];
    for (int part = 0; part < n_parts; part++)
      run->part_energies[part] += rule->weight[k] * (to - from) * run->part_powers[part];
  }
  return status;
}

#define MOST_PARTS 1000.0 /* of a step */

/* The parts of a step by which its energies are summed up: of one length, no longer than the output step that the model states, for
 * steps of a machine without states are as long as its run. The parts do not depend on the requested rows. */
typedef struct {
  double begin, length; /* of the step, of a part [s] */
  double from;          /* where the part begins that the kept energies stand at */
  long index;           /* of that part */
} Parts;

static Parts begin_parts (HlSimRun *run, double begin, double t) {
  double n = run->sys->every > 0.0 ? fmin (ceil ((t - begin) / run->sys->every), MOST_PARTS) : 1.0;

  keep_energies (run);
  return (Parts){.begin = begin, .length = n > 1.0 ? (t - begin) / n : t - begin, .from = begin};
}

/* Sets the energies at a time of the step; times ascend. */
static HlStatus sum_energies (HlSimRun *run, Parts *parts, double to) {
  HlStatus status = HL_OK;

  for (double end; status == HL_OK; parts->from = end, parts->index++) {
    end = parts->begin + (double)(parts->index + 1) * parts->length;
    if (!(end < to))
      break;
    status = integrate_energies (run, parts->from, end);
    keep_energies (run);
  }
  return status == HL_OK ? integrate_energies (run, parts->from, to) : status;
}

/* Returns the number of rows from next_row on that stand before `last`, and the time of the last one. */
static long count_rows (const HlSimRun *run, double last, double *end) {
  long n = 0;

  for (double at = run->next_row; at < last; n++) {
    *end = at;
    at = fmin (row_time (run, run->row_index + n + 1), run->options->t_end);
    if (at <= *end)
      return n + 1;
  }
  return n;
}

/* Interpolates the outputs at a place between the nodes, 0 ... HL_SIM_ROW_NODES - 1, on the cubic through the
 * four about it. */
static void interpolate_outputs (HlSimRun *run, double place) {
  int n = run->options->n_outputs;
  int first = (int)fmin (fmax (floor (place) - 1.0, 0.0), HL_SIM_ROW_NODES - CUBIC);
  double x = place - first;
  const double weight[CUBIC] = {-(x - 1.0) * (x - 2.0) * (x - 3.0) / 6.0, x * (x - 2.0) * (x - 3.0) / 2.0,
                                -x * (x - 1.0) * (x - 3.0) / 2.0, x * (x - 1.0) * (x - 2.0) / 6.0};
  const double *node = run->row_nodes + (size_t)first * (size_t)n;

  for (int k = 0; k < n; k++)
    run->row[k] = weight[0] * node[k] + weight[1] * node[n + k] + weight[2] * node[2 * n + k] +
                  weight[3] * node[3 * n + k];
}

/* Interpolates all rows of a step before `last`, from nodes between the first and the last one. */
static HlStatus interpolate_rows (HlSimRun *run, double last, double end) {
  double begin = run->next_row, pitch = (end - begin) / (HL_SIM_ROW_NODES - 1);
  HlStatus status = HL_OK;

  for (int node = 0; node < HL_SIM_ROW_NODES && status == HL_OK; node++) {
    double at = begin + node * pitch;
    hl_integrator_interpolate (run->integrator, at, run->y_row);
    status =
        eval_outputs (run, at, run->y_row, run->row_nodes + (size_t)node * (size_t)run->options->n_outputs);
  }
  while (status == HL_OK && !run->stopped && run->next_row < last) {
    interpolate_outputs (run, (run->next_row - begin) / pitch);
    hand_over (run, run->next_row);
  }
  return status;
}

/* Interpolates into y_row as many states as are read: a caller that reads coordinates only has them in front. */
static void interpolate_row (HlSimRun *run, double t) {
  bool all = run->observed != HL_OBSERVES_COORDINATES || run->tangent != NULL;

  hl_integrator_interpolate_first (run->integrator, t, all ? run->n : run->form->n_places (run), run->y_row);
}

HlStatus hl_sim_rows_before (HlSimRun *run, double begin, double t, double t_stop) {
  double last = fmin (t, t_stop - HL_ROW_SNAP * run->options->every);
  HlStatus status = HL_OK;
  double end = begin;

  if (run->row_nodes != NULL && count_rows (run, last, &end) >= FEWEST_ROWS)
    return interpolate_rows (run, last, end);
  Parts parts = run->needs_energy ? begin_parts (run, begin, t) : (Parts){0};
  while (status == HL_OK && !run->stopped && run->next_row < last) {
    double at = run->next_row;
    if (run->needs_energy)
      status = sum_energies (run, &parts, at);
    interpolate_row (run, at);
    if (status == HL_OK)
      status = hl_sim_emit_row (run, at, run->y_row);
  }
  if (status == HL_OK && run->needs_energy)
    status = sum_energies (run, &parts, t);
  return status;
}
