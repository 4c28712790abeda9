/* SPDX-License-Identifier: MIT */
/* The two formulations of the quasistatic model: relaxed (the ODE form (70) under the integrator)
 * and discrete (the form (72) with a fixed step).
 *
 * relaxed: which valves are open is fixed from restart to restart, because with regeneration the
 * force jumps when a valve opens. The run restarts where an opening leaves or reaches 0 (or 1,
 * where its slope breaks): known beforehand for signals, an event for spools with dynamics.
 *
 * discrete: omega += h a (theta, f), theta += h omega in the reduced coordinates; a row shows the
 * state before the update. Rows between two steps show a shorter step that is then forgotten. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-sim-run.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-quasi-machine.h"

/* Which valves are open is looked up this part of the segment behind its beginning. */
#define LOOK_AHEAD 1.0e-9

typedef struct
{
  HlQuasiMachine machine;
  double *rods;   /* n_cylinders: of run->point; of the present step */
  double *rate;   /* discrete: run->n, rates at the beginning of the step */
  double entered; /* relaxed: when the present segment began */
  double h;       /* discrete: step that led to the state that is evaluated */
  int *spools;    /* leaves that a spool with dynamics opens */
  int n_spools;
} Quasi;

/* ---- what both share ---- */

static bool
is_leaf (const HlTerm *term)
{
  return term->kind == HL_TERM_ORIFICE;
}

static void
list_spools (Quasi *quasi, const HlSystem *sys)
{
  const HlCircuit *circuit = &quasi->machine.circuit;

  quasi->spools = calloc ((size_t)circuit->n_terms + 1, sizeof *quasi->spools);
  for (int k = 0; k < circuit->n_terms; k++)
    if (is_leaf (&circuit->terms[k]) && sys->flows[circuit->terms[k].flow].state >= 0)
      quasi->spools[quasi->n_spools++] = k;
}

static HlStatus
quasi_begin (HlSimRun *run, HlPoint *point, HlFault *fault)
{
  const HlSimOptions *options = run->options;
  HlStart start = options->start == HL_START_FROM_MODEL ? (HlStart)run->sys->start : options->start;
  bool is_balanced = start == HL_START_EQUILIBRIUM && options->from == NULL;
  Quasi *quasi = calloc (1, sizeof *quasi);

  run->own = quasi;
  HlStatus status = hl_quasi_machine_init (&quasi->machine, run->sys, fault);
  if (status == HL_OK)
    status = hl_quasi_machine_check_couplings (&quasi->machine, run->sys, fault);
  if (status != HL_OK)
    return status;
  quasi->rods = calloc ((size_t)run->sys->n_cylinders + 1, sizeof (double));
  list_spools (quasi, run->sys);
  if (is_balanced)
    memset (point->v, 0, (size_t)run->work->n * sizeof (double));
  status =
      hl_quasi_start (&quasi->machine, run->sys, run->work, point, is_balanced, quasi->rods, fault);
  for (int k = 0; k < run->sys->n_cylinders; k++)
    quasi->machine.l_prev[k] = run->work->cylinders[k].length.s;
  return status;
}

static void
quasi_end (HlSimRun *run)
{
  Quasi *quasi = run->own;

  if (quasi == NULL)
    return;
  hl_quasi_machine_clear (&quasi->machine);
  free (quasi->rods);
  free (quasi->rate);
  free (quasi->spools);
  free (quasi);
  run->own = NULL;
}

static int
quasi_n_states (const HlSimRun *run)
{
  return hl_quasi_n_states (run->sys, run->work);
}

static void
quasi_pack (const HlSimRun *run, const HlPoint *point, double y[])
{
  const HlWork *work = run->work;
  const Quasi *quasi = run->own;

  for (int k = 0; k < work->f; k++) {
    y[k] = point->x[work->ai_column[k]];
    y[hl_off_v (work) + k] = point->v[work->ai_column[k]];
  }
  for (int k = 0; k < work->l; k++)
    y[hl_off_ad (work) + k] = point->x[work->ad_column[k]];
  memcpy (y + hl_off_rod (work), quasi->rods, (size_t)run->sys->n_cylinders * sizeof (double));
  memcpy (y + hl_off_spool (run->sys, work), point->u, (size_t)work->u * sizeof (double));
}

/* The pressures of the point keep their stated values: they are no states here. */
static HlStatus
quasi_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault)
{
  const HlWork *work = run->work;
  Quasi *quasi = run->own;
  size_t n_motion = (size_t)hl_off_rod (work);
  double *reduced = calloc ((size_t)work->n_states + 1, sizeof *reduced);

  memcpy (reduced, y, n_motion * sizeof (double));
  memcpy (reduced + hl_off_p (work), point->p, (size_t)work->r * sizeof (double));
  memcpy (reduced + hl_off_u (work), y + hl_off_spool (run->sys, work),
          (size_t)work->u * sizeof (double));
  HlStatus status = hl_state_unpack (run->sys, run->work, t, reduced, point, fault);
  memcpy (quasi->rods, y + hl_off_rod (work), (size_t)run->sys->n_cylinders * sizeof (double));
  free (reduced);
  return status;
}

static void
quasi_scales (const HlSimRun *run, double scale[])
{
  const HlWork *work = run->work;

  for (int k = 0; k < hl_off_spool (run->sys, work); k++)
    scale[k] = k >= hl_off_v (work) && k < hl_off_ad (work) ? HL_SCALE_VELOCITY : HL_SCALE_POSITION;
  for (int k = 0; k < work->u; k++)
    scale[hl_off_spool (run->sys, work) + k] = hl_sim_component_scale (run->sys, k);
}

/* At the moment of a restart the openings count as they are: one that begins to open is still shut
 * there. */
static void
quasi_observe (HlSimRun *run, double t, const double y[])
{
  Quasi *quasi = run->own;
  HlQuasiMachine *machine = &quasi->machine;

  if (machine->by_segment && t == quasi->entered) {
    machine->by_segment = false;
    hl_quasi_rates (machine, (HlQuasiState){run->sys, t, y}, run->y_dot, run->work, NULL);
    machine->by_segment = true;
  }
  hl_quasi_machine_observe (machine, run->sys, run->work);
}

static void
quasi_powers (HlSimRun *run, double t, const double y[], double powers[3])
{
  Quasi *quasi = run->own;

  quasi_observe (run, t, y);
  hl_quasi_machine_powers (&quasi->machine, run->sys, run->work, powers);
}

static bool
quasi_is_worn (const HlSimRun *run)
{
  return hl_partition_is_worn (run->sys, run->work);
}

/* ---- relaxed ---- */

static HlStatus
relaxed_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
}

static HlStatus
relaxed_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  Quasi *quasi = run->own;
  return hl_quasi_rates (&quasi->machine, (HlQuasiState){run->sys, t, y}, y_dot, run->work, fault);
}

static HlStatus
relaxed_jacobian (HlSimRun *run, double t, const double y[], double J[], HlFault *fault)
{
  Quasi *quasi = run->own;
  return hl_quasi_jacobian (&quasi->machine, (HlQuasiState){run->sys, t, y}, J, run->work, fault);
}

/* The first time before `stop` at which the signal of a leaf passes an edge of its opening. */
static double
next_edge (const HlSimRun *run, const HlTerm *leaf, double from, double stop)
{
  const HlSystem *sys = run->sys;
  const HlFlow *flow = &sys->flows[leaf->flow];
  double edges[2] = {0.0, 1.0};

  if (flow->signal < 0 || flow->state >= 0)
    return stop;
  if (flow->kind == HL_FLOW_DIRECTIONAL)
    edges[0] = edges[1] = leaf->branch < HL_VALVE_P_B ? flow->dead_zone : -flow->dead_zone;
  for (int k = 0; k < 2; k++)
    stop = fmin (stop, hl_signal_find_crossing (sys->signals, run->work->segments, flow->signal,
                                                edges[k], from, stop));
  return stop;
}

static HlStatus
relaxed_enter (HlSimRun *run, double t, const double y[], double *t_stop, HlFault *fault)
{
  const HlSystem *sys = run->sys;
  HlWork *work = run->work;
  Quasi *quasi = run->own;
  const HlCircuit *circuit = &quasi->machine.circuit;
  double ahead = fmax (LOOK_AHEAD * (*t_stop - t), 16.0 * 2.2e-16 * fabs (t));

  (void)fault;
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t + ahead, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    const HlFlow *flow = &sys->flows[sys->topology->flow_of_state[k]];
    double u = y[hl_off_spool (sys, work) + k];
    work->component_u[k] = u;
    if (flow->kind == HL_FLOW_DIRECTIONAL)
      work->component_u[k] +=
          ahead * (hl_work_signal (work, flow->signal) - u) / flow->time_constant;
  }
  double stop = *t_stop;
  for (int k = 0; k < circuit->n_terms; k++) {
    if (!is_leaf (&circuit->terms[k]))
      continue;
    quasi->machine.is_open[k] = hl_quasi_machine_leaf_opening (sys, work, &circuit->terms[k]) > 0.0;
    stop = next_edge (run, &circuit->terms[k], t + ahead, stop);
  }
  quasi->machine.by_segment = true;
  quasi->entered = t;
  /* an edge beside a corner is that corner */
  if (stop < *t_stop - ahead)
    *t_stop = stop;
  return HL_OK;
}

static int
relaxed_n_events (const HlSimRun *run)
{
  const Quasi *quasi = run->own;
  return quasi->n_spools;
}

static HlStatus
relaxed_events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault)
{
  Quasi *quasi = run->own;

  (void)t;
  (void)fault;
  memcpy (run->work->component_u, y + hl_off_spool (run->sys, run->work),
          (size_t)run->work->u * sizeof (double));
  for (int k = 0; k < quasi->n_spools; k++)
    g[k] = hl_quasi_machine_leaf_opening (run->sys, run->work,
                                          &quasi->machine.circuit.terms[quasi->spools[k]]);
  return HL_OK;
}

const HlSimForm hl_sim_form_relaxed = {
    .rests_in_place = true,
    .arrange = relaxed_arrange,
    .n_states = quasi_n_states,
    .pack = quasi_pack,
    .unpack = quasi_unpack,
    .scales = quasi_scales,
    .rhs = relaxed_rhs,
    .jacobian = relaxed_jacobian,
    .is_worn = quasi_is_worn,
    .begin = quasi_begin,
    .end = quasi_end,
    .enter = relaxed_enter,
    .n_events = relaxed_n_events,
    .events = relaxed_events,
    .observe = quasi_observe,
    .powers = quasi_powers,
};

/* ---- discrete ---- */

/* The coordinates that the model names first, as long as they serve. */
static HlStatus
discrete_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_WISHED, NULL, 0, fault);
}

static HlStatus
discrete_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  Quasi *quasi = run->own;

  hl_work_enter_segment (run->sys, run->work, t);
  return hl_quasi_step_forces (&quasi->machine, (HlQuasiState){run->sys, t, y}, quasi->h, y_dot,
                               run->work, fault);
}

/* What a step starts from: taken at its beginning, because rows may use the work meanwhile. */
static void
keep_beginning (HlSimRun *run)
{
  Quasi *quasi = run->own;

  quasi->rate = realloc (quasi->rate, ((size_t)run->n + 1) * sizeof (double));
  memcpy (quasi->rate, run->y_dot, (size_t)run->n * sizeof (double));
  for (int k = 0; k < run->sys->n_cylinders; k++) {
    quasi->rods[k] = run->work->cylinders[k].rod;
    quasi->machine.l_prev[k] = run->work->cylinders[k].length.s;
  }
}

/* From the state y, of which keep_beginning () took the rates, over h. Spools follow their command
 * exactly, as if it were constant over the step. */
static void
advance (const HlSimRun *run, double h, double y[])
{
  const HlSystem *sys = run->sys;
  const HlWork *work = run->work;
  const Quasi *quasi = run->own;
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
    const HlFlow *flow = &sys->flows[sys->topology->flow_of_state[k]];
    int at = hl_off_spool (sys, work) + k;
    if (flow->kind == HL_FLOW_DIRECTIONAL)
      y[at] -= expm1 (-h / flow->time_constant) * flow->time_constant * rate[at];
  }
}

/* Rows strictly between two steps, each by a step of its own length that is then forgotten. */
static HlStatus
rows_between (HlSimRun *run, double t, double t_next)
{
  Quasi *quasi = run->own;
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
  HlStatus status = quasi_unpack (run, t, run->y, run->point, &run->fault);

  if (status == HL_OK)
    status = relaxed_arrange (run, run->point, &run->fault);
  if (status == HL_OK)
    quasi_pack (run, run->point, run->y);
  run->restarts++;
  return status;
}

/* From t to t_next. Rods in run->y are those of the step before. */
static HlStatus
step (HlSimRun *run, double t, double t_next)
{
  Quasi *quasi = run->own;
  bool has_row = run->next_row <= t + HL_ROW_SNAP * run->options->every;
  HlStatus status = has_row ? hl_sim_emit_row (run, t, run->y)
                            : discrete_rhs (run, t, run->y, run->y_dot, &run->fault);

  if (status != HL_OK || run->stopped || t >= run->options->t_end)
    return status;
  if (run->needs_energy) {
    double powers[3];
    quasi_powers (run, t, run->y, powers);
    for (int e = 0; e < 3; e++)
      run->energies[e] += (t_next - t) * powers[e];
  }
  keep_beginning (run);
  bool is_worn = quasi_is_worn (run);
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
  Quasi *quasi = run->own;
  double h = options->step, t = 0.0;
  HlStatus status = HL_OK;
  long k = 0;

  if (!(h > 0.0)) {
    run->fault = (HlFault){.status = HL_BAD_MODEL, .entity = -1, .time = NAN};
    run->fault.why = "the discrete formulation needs a step";
    run->fault.mend = "give simulation.step a positive value";
    return HL_BAD_MODEL;
  }
  quasi->machine.by_segment = false;
  quasi->h = h;
  while (status == HL_OK && !run->stopped && run->next_row <= options->t_end) {
    t = step_time (h, k);
    if (options->t_end - t < HL_ROW_SNAP * options->every)
      t = options->t_end;
    if (options->cancel != NULL && options->cancel (options->cancel_data))
      status = HL_CANCELLED;
    else
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
    .n_states = quasi_n_states,
    .pack = quasi_pack,
    .unpack = quasi_unpack,
    .scales = quasi_scales,
    .rhs = discrete_rhs,
    .is_worn = quasi_is_worn,
    .begin = quasi_begin,
    .end = quasi_end,
    .observe = quasi_observe,
    .powers = quasi_powers,
    .run_all = discrete_run,
};
