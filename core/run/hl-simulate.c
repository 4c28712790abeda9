/* SPDX-License-Identifier: MIT */
/* A run: internal steps of the integrator, rows by dense output, restarts at corners of signals and
 * where the partition has worn. A row at a corner holds the values after it. */
#include "core/run/hl-simulate.h"

#include "core/linear/hl-linear-model.h"
#include "core/linear/hl-linear-response.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-power-balance-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Runs the simulation, and repeats it with the other integrator when the first one fails and its rows may be
 * dropped: BDF and Radau fail on different problems. Nothing of the first run is kept then. The same applies
 * where BDF finds early that its errors would add up: a machine that amplifies errors amplifies those of the
 * first steps most. */

typedef enum {
  ENDED,
  FAILED, /* repeat with the other method */
  ERRORS  /* likewise, BDF's errors would add up */
} Outcome;

static HlStatus sim_run_once (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats,
                              Outcome *outcome, HlFault *fault);

HlStatus hl_simulate (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats, HlFault *fault) {
  HlSimStats own;
  HlSimOptions now = *options;
  HlTakeover takeover = {.why = HL_TAKEOVER_NONE};
  double seconds = 0.0, t_gave_up = NAN;
  bool has_failed = false;

  if (stats == NULL)
    stats = &own;
  for (;;) {
    HlFault why = {.status = HL_OK, .time = NAN, .entity = -1};
    Outcome outcome = ENDED;
    HlStatus status = sim_run_once (sys, &now, stats, &outcome, &why);
    seconds += stats->seconds;
    if (outcome == ENDED) {
      stats->seconds = seconds;
      stats->again = has_failed;
      if (has_failed)
        stats->t_gave_up = t_gave_up;
      if (takeover.why != HL_TAKEOVER_NONE)
        stats->takeover = takeover;
      if (status != HL_OK && fault != NULL)
        *fault = why;
      return status;
    }
    now.method = now.method == HL_METHOD_BDF ? HL_METHOD_RADAU : HL_METHOD_BDF;
    if (options->cavitations != NULL)
      hl_cavitations_clear (options->cavitations);
    if (outcome == ERRORS) {
      takeover = stats->takeover;
      continue;
    }
    now.again = NULL;
    has_failed = true;
    t_gave_up = why.time;
  }
}

/* The linear response of the outputs: the exact linear model about the reference, started from the
 * nonlinear state at linear_from. Signals continue in the linear model; between rows and corners they
 * count as straight lines. */

struct HlLinearRun {
  const HlSystem *sys; /* borrowed */
  HlWork *work;
  HlLinearModel *model;       /* about the reference */
  HlLinearResponse *response; /* of it, exact between the requested instants */
  double from, t;             /* where it begins; where z and u stand [s] */
  bool begun;                 /* linear_run_begin () was called */
  double *z;                  /* n: states minus the reference */
  double *u;                  /* n_inputs: inputs minus the reference */
};

/* Computes the inputs at t minus those of the reference, with the segments of the work. */
static void read_inputs (HlLinearRun *linear, double t) {
  HlWork *work = linear->work;

  hl_signal_eval (linear->sys->signals, linear->sys->n_signals, work->segments, t, work->signal_values);
  hl_system_read_inputs (linear->sys, work, t, linear->u);
  for (int k = 0; k < linear->model->n_signals; k++)
    linear->u[k] -= linear->model->u0[k];
}

static double last_corner (const HlSystem *sys, double t_end) {
  double last = 0.0;

  for (double corner = hl_signal_next_corner (sys->signals, sys->n_signals, last); corner < t_end;
       corner = hl_signal_next_corner (sys->signals, sys->n_signals, last))
    last = corner;
  return last;
}

/* Frees the linear response of a run. */
static void linear_run_free (HlLinearRun *linear);

static HlLinearRun *linear_run_new (const HlSystem *sys, const HlSimOptions *options,
                                    const HlPoint *reference, HlFault *fault) {
  HlLinearRun *linear = calloc (1, sizeof *linear);

  linear->sys = sys;
  linear->work = hl_work_new (sys);
  linear->from = isnan (options->linear_from) ? last_corner (sys, options->t_end) : options->linear_from;
  linear->model = hl_linear_model_new (sys, linear->work, reference, options->outputs,
                                       options->n_linear > 0 ? options->n_linear : options->n_outputs, fault);
  if (linear->model == NULL) {
    linear_run_free (linear);
    return NULL;
  }
  const HlLinearModel *model = linear->model;
  linear->z = calloc ((size_t)model->n + 1, sizeof (double));
  linear->u = calloc ((size_t)model->n_inputs + 1, sizeof (double));
  linear->response = hl_linear_response_new (model->n, model->n_inputs, model->A, model->B, model->scale);
  return linear;
}

static void linear_run_free (HlLinearRun *linear) {
  if (linear == NULL)
    return;
  free (linear->z);
  free (linear->u);
  if (linear->response != NULL)
    hl_linear_response_free (linear->response);
  hl_linear_model_free (linear->model);
  hl_work_free (linear->work);
  free (linear);
}

static double linear_run_from (const HlLinearRun *linear) {
  return linear->from;
}

/* Begins at the nonlinear state at linear_from. */
static void linear_run_begin (HlLinearRun *linear, const HlPoint *point) {
  hl_state_pack (linear->sys, linear->work, point, linear->z);
  for (int k = 0; k < linear->model->n; k++)
    linear->z[k] -= linear->model->x0[k];
  linear->t = point->t;
  linear->begun = true;
  hl_work_enter_segment (linear->sys, linear->work, point->t); /* driven joints continue from here */
  read_inputs (linear, point->t);
  hl_linear_response_start (linear->response, point->t, linear->z, linear->u);
}

/* Advances to t, entering the next segment at every corner on the way. */
static void advance (HlLinearRun *linear, double t) {
  const HlSystem *sys = linear->sys;

  for (double corner = hl_signal_next_corner (sys->signals, sys->n_signals, linear->t); corner <= t;
       corner = hl_signal_next_corner (sys->signals, sys->n_signals, linear->t)) {
    read_inputs (linear, corner);
    hl_linear_response_advance (linear->response, corner, linear->u, linear->z);
    hl_work_enter_segment (linear->sys, linear->work, corner);
    read_inputs (linear, corner);
    hl_linear_response_set_input (linear->response, linear->u);
    linear->t = corner;
  }
  if (t > linear->t) {
    read_inputs (linear, t);
    hl_linear_response_advance (linear->response, t, linear->u, linear->z);
    linear->t = t;
  }
}

void hl_linear_run_row (HlLinearRun *linear, double t, double out[]) {
  const HlLinearModel *model = linear->model;
  int n_outputs = model->n_outputs;

  if (!linear->begun) {
    for (int k = 0; k < n_outputs; k++)
      out[k] = NAN;
    return;
  }
  advance (linear, t);
  for (int k = 0; k < n_outputs; k++) {
    out[k] = model->y0[k];
    for (int state = 0; state < model->n; state++)
      out[k] += model->C[state * n_outputs + k] * linear->z[state];
    for (int input = 0; input < model->n_inputs; input++)
      out[k] += model->D[input * n_outputs + k] * linear->u[input];
  }
}

#define GUARD_DIFFERENCE 1.0e-4 /* of a step, for the rates of blocks */

HlSimOptions hl_sim_options_from_model (const HlSystem *sys) {
  return (HlSimOptions){
      .t_end = sys->t_end,
      .every = sys->every,
      .rtol = sys->rtol,
      .step = sys->step,
      .max_steps = sys->max_steps,
      .model = (HlModelKind)sys->model,
      .formulation = (HlFormulation)sys->formulation,
      .beta = sys->beta,
      .gamma = sys->gamma,
      .method = (HlMethod)sys->integrator,
      .start = (HlStart)sys->start,
      .linear_from = NAN,
  };
}

int hl_signal_corners (const HlSystem *sys, double t_end, double out[], int max) {
  return hl_signal_find_corners (sys->signals, sys->n_signals, 0.0, t_end, out, max);
}

static HlStatus ode_rhs (double t, const double y[], double y_dot[], void *data) {
  HlSimRun *run = data;
  HlStatus status = run->form->rhs (run, t, y, y_dot, &run->fault);

  run->evaluated_at = status == HL_OK ? t : NAN;
  return status;
}

/* Brings the work to the state y at t, with cylinders and, where blocks are guarded, measured signals. */
static HlStatus stand_at (HlSimRun *run, double t, const double y[]) {
  HlStatus status = run->form->look != NULL ? run->form->look (run, t, y, HL_OBSERVES_MOTION, &run->fault)
                                            : run->form->rhs (run, t, y, run->y_dot, &run->fault);

  if (status == HL_OK)
    status = hl_stage_lengths (run->sys, run->work, &run->fault);
  if (status == HL_OK && run->n_guarded_blocks > 0)
    hl_feedback_eval (run->sys, run->work, NULL);
  return status;
}

/* An instant of the last step. */
typedef struct {
  HlSimRun *run;
  double t;
  bool has_slope; /* of the states, in run->y_dot */
} GuardInstant;

static const double *find_rates (void *data) {
  GuardInstant *at = data;
  HlSimRun *run = at->run;

  if (!at->has_slope)
    hl_integrator_find_slope (run->integrator, at->t, run->y_dot);
  at->has_slope = true;
  return run->y_dot + run->form->off_p (run);
}

/* Implements HlOde.guards of the lumped oil (hl-lumped-event-functions.h). At the end of a step the work is mostly in the
 * state of the last evaluation of the equations, which is near enough. */
static HlStatus ode_guards (double t, double h, bool at_end, HlGuard out[], void *data) {
  HlSimRun *run = data;
  GuardInstant at = {run, t, false};
  HlGuardRates rates = {.h = h, .rtol = run->options->rtol, .find = find_rates, .data = &at};
  int n_blocks = run->n_guarded_blocks;
  double dt = GUARD_DIFFERENCE * h;
  HlStatus status = HL_OK;

  if (n_blocks > 0) {
    hl_integrator_interpolate (run->integrator, t, run->y_row);
    hl_integrator_find_slope (run->integrator, t, run->y_dot);
    for (int k = 0; k < run->n; k++)
      run->y_row[k] -= dt * run->y_dot[k];
    status = stand_at (run, t - dt, run->y_row);
    if (status == HL_OK)
      hl_guards_blocks (run->sys, run->work, rates.rtol, run->block_raw, NULL);
    hl_work_look_back (run->work);
  }
  if (status == HL_OK && (n_blocks > 0 || t != run->evaluated_at)) {
    hl_integrator_interpolate (run->integrator, t, run->y_row);
    status = stand_at (run, t, run->y_row);
  }
  if (status == HL_OK) {
    HlGuard *blocks = out + run->n_guards - n_blocks;
    hl_guards_eval (run->sys, run->work, &rates, at_end ? &run->guards : NULL, out);
    if (n_blocks > 0)
      hl_guards_blocks (run->sys, run->work, rates.rtol, run->block_raw, blocks);
    for (int k = 0; k < n_blocks; k++)
      blocks[k].rate /= dt;
  }
  hl_work_look_back (run->work);
  return status;
}

static int ode_guard_pieces (double h, void *data) {
  const HlSimRun *run = data;
  return hl_guards_pieces (run->sys, run->work, h);
}

static HlStatus ode_jacobian (double t, const double y[], double J[], void *data) {
  HlSimRun *run = data;
  run->evaluated_at = NAN;
  return run->form->jacobian (run, t, y, J, &run->fault);
}

static HlStatus ode_events (double t, const double y[], double g[], void *data) {
  HlSimRun *run = data;
  return run->form->events (run, t, y, g, &run->fault);
}

static void ode_tighten (const double y[], bool is_near, double weight[], void *data) {
  const HlSimRun *run = data;
  run->form->tighten (run, y, is_near, weight);
}

/* Builds the columns in a dense matrix that stays zero outside the pattern; only the pattern is read and
 * cleared. */
static HlStatus ode_jacobian_sparse (double t, const double y[], double values[], void *data) {
  HlSimRun *run = data;
  const HlPattern *pattern = run->pattern;
  run->evaluated_at = NAN;
  HlStatus status = run->form->jacobian (run, t, y, run->J, &run->fault);

  for (int column = 0; column < pattern->n; column++) {
    double *dense = run->J + (size_t)column * (size_t)pattern->n;
    for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++) {
      values[k] = dense[pattern->row_index[k]];
      dense[pattern->row_index[k]] = 0.0;
    }
  }
  return status;
}

static HlStatus shifted_eval (double t, const double y[], void *data) {
  HlSimRun *run = data;
  run->evaluated_at = NAN;
  return hl_unreduced_eval (run->unreduced, t, y, &run->fault);
}

static HlStatus shifted_factor (double s, void *data) {
  const HlSimRun *run = data;
  return hl_unreduced_factor (run->unreduced, s);
}

static HlStatus shifted_factor_complex (int pair, double re, double im, void *data) {
  const HlSimRun *run = data;
  return hl_unreduced_factor_complex (run->unreduced, pair, re, im);
}

static void shifted_solve (double x[], void *data) {
  const HlSimRun *run = data;
  hl_unreduced_solve (run->unreduced, x);
}

static void shifted_solve_complex (int pair, double x[], void *data) {
  const HlSimRun *run = data;
  hl_unreduced_solve_complex (run->unreduced, pair, x);
}

static void shifted_forget_pivots (void *data) {
  const HlSimRun *run = data;
  hl_unreduced_forget_pivots (run->unreduced);
}

static const HlOdeShifted by_unreduced = {shifted_eval,  shifted_factor,        shifted_factor_complex,
                                          shifted_solve, shifted_solve_complex, shifted_forget_pivots};

void hl_sim_watch_lines (HlSimRun *run, double t, bool jumped) {
  const HlSystem *sys = run->sys;

  for (int line = 0; line < sys->n_lines; line++) {
    int node = sys->lines[line].node;
    if (node < 0 || sys->nodes[node].state < 0)
      continue;
    double p = run->work->line_p != NULL ? run->work->line_p[line] : run->work->node_p[node];
    hl_cavitations_look (run->options->cavitations, sys, line, -1, t, p, jumped, NULL);
  }
}

/* Watches the state y at t, or with NULL the integrator's. */
static HlStatus watch_cavitation (HlSimRun *run, double t, const double y[]) {
  if (run->options->cavitations == NULL || run->form->watch == NULL)
    return HL_OK;
  if (y == NULL)
    hl_integrator_interpolate (run->integrator, t, run->y_row);
  return run->form->watch (run, t, y != NULL ? y : run->y_row, y != NULL);
}

/* Returns the quantities that the rows record, in the present partition. Positions of linkages are computed
 * in a separate work if possible. */
static HlObserved observed_by_rows (HlSimRun *run) {
  bool reads_all = run->form->look == NULL || run->part_powers != NULL || run->needs_energy ||
                   run->needs_multipliers || run->work->along != NULL;
  HlObserved what = reads_all ? HL_OBSERVES_ALL : HL_OBSERVES_COORDINATES;

  for (int k = 0; k < run->options->n_outputs; k++)
    what |= hl_observable_observed (run->sys, run->work, run->options->outputs[k]);
  bool places = (what & (HL_OBSERVES_MOTION | HL_OBSERVES_RATES)) != 0;
  if (run->form->look == NULL || places || run->options->cavitations != NULL || run->n_guards > 0 ||
      run->linear != NULL)
    hl_work_make_aside (run->sys, run->work);
  return places && !hl_work_has_aside (run->work) ? HL_OBSERVES_ALL : what;
}

static void resize_run (HlSimRun *run) {
  HlArena *arena = &run->arrangement;

  hl_arena_clear (arena);
  run->J = NULL;
  run->n = run->form->n_states (run);
  run->observed = observed_by_rows (run);
  run->y = hl_arena_take (arena, run->n, sizeof (double));
  run->y_dot = hl_arena_take (arena, run->n, sizeof (double));
  run->y_row = hl_arena_take (arena, run->n, sizeof (double));
  for (int k = 0; k < HL_SIM_LOOKS - 1; k++)
    run->y_looks[k] = hl_arena_take (arena, run->n, sizeof (double));
  run->looked_from = run->looked_to = NAN;
}

/* At a loose tolerance BDF stays at the order that is stable on every swing: higher orders would hardly
 * save a step, and lightly damped waves in hoses make them take many. */
#define LOOSE_TOLERANCE 1e-3
#define LOOSE_ORDER 2

/* Part of a run that may be computed twice: where errors add up, and where an oscillation grows that should not. */
#define EARLY 0.125
#define EARLY_SWING 0.5

static void new_integrator (HlSimRun *run) {
  HlOde ode = {.rhs = ode_rhs, .data = run};
  HlOdeOptions options = hl_ode_options_default ();

  resize_run (run);
  hl_integrator_free (run->integrator);
  double *scale = calloc ((size_t)run->n + 1, sizeof *scale);
  run->form->scales (run, scale);
  ode.n = run->n;
  ode.n_places = run->form->n_places != NULL ? run->form->n_places (run) : 0;
  ode.jacobian = run->form->jacobian != NULL ? ode_jacobian : NULL;
  if (run->form->n_events != NULL) {
    ode.n_events = run->form->n_events (run);
    ode.events = ode_events;
    ode.looks = run->form->looks;
  }
  run->evaluated_at = NAN;
  if (run->n_guards > 0) {
    ode.n_guards = run->n_guards;
    ode.guards = ode_guards;
    ode.guard_pieces = ode_guard_pieces;
  }
  ode.shortest_period = hl_signal_find_shortest_period (run->sys->signals, run->sys->n_signals);
  ode.tighten = run->form->tighten != NULL ? ode_tighten : NULL;
  hl_pattern_free (run->pattern);
  run->pattern = NULL;
  hl_unreduced_free (run->unreduced);
  run->unreduced = run->form->unreduced != NULL ? run->form->unreduced (run) : NULL;
  if (run->unreduced != NULL)
    ode.shifted = &by_unreduced;
  else if (run->form->pattern != NULL && run->n >= HL_SPARSE_STATES) {
    run->pattern = run->form->pattern (run);
    run->J = hl_arena_take (&run->arrangement, run->n, (size_t)run->n * sizeof (double));
    ode.jacobian = NULL;
    ode.jacobian_sparse = ode_jacobian_sparse;
    ode.column_start = run->pattern->column_start;
    ode.row_index = run->pattern->row_index;
  }
  options.method = run->method;
  options.rtol = run->options->rtol;
  options.max_step = run->options->longest_step;
  options.max_order = options.rtol >= LOOSE_TOLERANCE ? LOOSE_ORDER : 0;
  options.radau_order = run->options->tangent != NULL ? 5 : 0; /* the derivatives are those of its steps */
  options.scale = scale;
  options.cancel = run->options->cancel;
  options.cancel_data = run->options->cancel_data;
  hl_sim_method_arrange (run->suits, run);
  run->integrator = hl_integrator_new (&ode, &options);
  free (scale);
}

/* Adds the statistics of an integrator before it is freed. */
static void add_stats (HlSimRun *run) {
  HlOdeStats stats = hl_integrator_get_stats (run->integrator);

  run->before.steps += stats.steps;
  run->before.rhs += stats.rhs;
  run->before.jacobians += stats.jacobians;
}

/* Changes the coordinates of the same motion when the partition has become ill-conditioned. */
static HlStatus rearrange (HlSimRun *run, double t) {
  HlStatus status = run->form->unpack (run, t, run->y, run->point, &run->fault);

  if (status == HL_OK)
    status = hl_sim_tangent_leave (run->tangent, run, t);
  if (status == HL_OK)
    status = run->form->arrange (run, run->point, &run->fault);
  if (status == HL_OK)
    status = hl_sim_tangent_arrange (run->tangent, run);
  if (status != HL_OK)
    return status;
  add_stats (run);
  new_integrator (run);
  run->form->pack (run, run->point, run->y);
  run->restarts++;
  return hl_integrator_start (run->integrator, t, run->y);
}

/* Continues with the other method from the state run->y at t. */
static HlStatus change_method (HlSimRun *run, double t, HlSimStats *stats) {
  size_t size = (size_t)run->n * sizeof (double);
  double *y = malloc (size + 1);

  memcpy (y, run->y, size);
  run->method = run->method == HL_METHOD_BDF ? HL_METHOD_RADAU : HL_METHOD_BDF;
  run->takeover.method = run->method;
  if (stats->takeover.why == HL_TAKEOVER_NONE)
    stats->takeover = run->takeover;
  stats->method = run->method;
  add_stats (run);
  new_integrator (run);
  memcpy (run->y, y, size);
  free (y);
  run->restarts++;
  return hl_integrator_start (run->integrator, t, run->y);
}

/* Returns whether the run is to begin again with the other method: the errors of BDF would add up, little of the
 * run is lost, and its rows may be void. */
static bool is_early_error (const HlSimRun *run, const HlSimStats *stats, double t) {
  const HlSimOptions *options = run->options;
  HlTakeoverReason why = run->takeover.why;
  double part = why == HL_TAKEOVER_SWINGS                               ? EARLY_SWING
                : why == HL_TAKEOVER_ERRORS || why == HL_TAKEOVER_STEPS ? EARLY
                                                                        : -1.0;

  return options->method == HL_METHOD_BDF && stats->takeover.why == HL_TAKEOVER_NONE &&
         t <= part * options->t_end && options->again (HL_METHOD_RADAU, NULL, options->again_data);
}

/* Integrates from *t to t_stop, where a corner or the end is, or to an event before it. is_fresh: the last
 * step is no guide to the next one. A stop where levers are at rest is passed without a restart. */
static HlStatus run_segment (HlSimRun *run, double *t, double t_stop, bool is_fresh, HlSimStats *stats) {
  HlStatus status;
  HlArrival why = HL_ARRIVED;

  status = is_fresh ? hl_integrator_start (run->integrator, *t, run->y)
                    : hl_integrator_continue (run->integrator, *t, run->y, 0.1);
  hl_integrator_set_stop (run->integrator, t_stop);
  while (status == HL_OK && why == HL_ARRIVED && !run->stopped) {
    double begin = *t;
    status = hl_sim_count_step (run);
    if (status == HL_OK)
      status = hl_integrator_step (run->integrator, t, run->y, &why);
    if (status == HL_OK && run->form->check != NULL)
      status = run->form->check (run, *t, run->y);
    if (status != HL_OK)
      break;
    if (*t > begin) /* not back to where the step began */
      status = hl_sim_tangent_step (run->tangent, run, begin, *t);
    if (status != HL_OK)
      break;
    if (run->waves != NULL)
      hl_sim_waves_look (run->waves, *t, run->y + run->form->off_p (run));
    status = hl_sim_rows_before (run, begin, *t, why == HL_ARRIVED_AT_EVENT ? *t : t_stop);
    if (run->form->look == NULL) /* a row may have moved the work elsewhere */
      run->evaluated_at = NAN;
    if (status == HL_OK)
      status = watch_cavitation (run, *t, NULL);
    if (status == HL_OK && why == HL_ARRIVED_AT_STOP && hl_sim_goes_on (run, &t_stop)) {
      hl_integrator_set_stop (run->integrator, t_stop);
      why = HL_ARRIVED;
    }
    /* the work still holds the last evaluation of the step: near enough to judge the partition by;
     * at a corner as well, since between the corners of a moving lever there may be one step only
     */
    if (status == HL_OK && !run->stopped && why != HL_ARRIVED_AT_EVENT && run->form->is_worn != NULL &&
        run->form->is_worn (run)) {
      status = rearrange (run, *t);
      hl_integrator_set_stop (run->integrator, t_stop);
    }
    if (status == HL_OK && why == HL_ARRIVED && !run->stopped && hl_sim_method_watch (run->suits, run, *t)) {
      run->begins_again = is_early_error (run, stats, *t);
      run->stopped = run->begins_again;
      if (!run->stopped) {
        status = change_method (run, *t, stats);
        hl_integrator_set_stop (run->integrator, t_stop);
      }
    }
  }
  if (status == HL_OK && why == HL_ARRIVED_AT_STOP)
    *t = t_stop;
  return status;
}

double hl_sim_next_stop (const HlSimRun *run, double t) {
  double stop = fmin (run->options->t_end, run->known_until);
  double from = run->linear != NULL ? linear_run_from (run->linear) : NAN;

  stop = fmin (stop, hl_signal_next_corner (run->sys->signals, run->sys->n_signals, t));
  stop = from > t && from < stop ? from : stop;
  return hl_signal_next_gate (run->sys, run->work->segments, t, stop);
}

bool hl_sim_extend_signals (HlSimRun *run, double t) {
  const HlSimOptions *options = run->options;
  bool turns = false;

  if (options->ahead == NULL)
    return false;
  double until = options->ahead (t, &turns, options->ahead_data);
  if (until > t)
    run->known_until = until;
  else
    run->stopped = true;
  return turns || run->stopped;
}

bool hl_sim_goes_on (HlSimRun *run, double *t_stop) {
  double t = *t_stop;
  double just_before = nextafter (t, -INFINITY);

  /* a formulation with modes looks anew for where they end */
  if (t < run->known_until || t >= run->options->t_end || hl_sim_extend_signals (run, t) ||
      hl_signal_next_corner (run->sys->signals, run->sys->n_signals, just_before) <= t ||
      run->form->enter != NULL)
    return false;
  *t_stop = hl_sim_next_stop (run, t);
  return true;
}

/* Sets the pieces of the stores' laws for a stretch from the state run->y; returns whether it is another law than
 * that of the last step. */
static bool set_pieces (HlSimRun *run, bool is_first) {
  if (run->form->off_p == NULL)
    return is_first;
  double *p = run->y + run->form->off_p (run), *u = p + run->work->r;
  if (!is_first)
    return hl_store_pieces_pass (run->sys, run->work, p, u, run->options->rtol, run->work->compliance);
  hl_store_pieces_choose (run->sys, run->work, p, u);
  return true;
}

static HlStatus run_all (HlSimRun *run, HlSimStats *stats) {
  const HlSimOptions *options = run->options;
  double from = run->linear != NULL ? linear_run_from (run->linear) : NAN;
  double t = run->t_begin;
  HlStatus status = HL_OK;

  for (int k = 0; status == HL_OK && !run->stopped; k++) {
    hl_work_enter_segment (run->sys, run->work, t);
    bool is_fresh = set_pieces (run, k == 0);
    if (run->linear != NULL && !run->linear_begun && t >= from) {
      hl_work_look_aside (run->work);
      run->form->unpack (run, t, run->y, run->point, NULL);
      hl_work_look_back (run->work);
      linear_run_begin (run->linear, run->point);
      run->linear_begun = true;
    }
    double stop = hl_sim_next_stop (run, t);
    if (run->form->enter != NULL)
      status = run->form->enter (run, t, run->y, &stop, &run->fault);
    if (status == HL_OK)
      status = hl_sim_tangent_corner (run->tangent, run, t);
    if (status == HL_OK && run->next_row <= t + HL_ROW_SNAP * options->every)
      status = hl_sim_emit_row (run, t, run->y);
    if (status == HL_OK && k == 0 && t == 0.0)
      status = watch_cavitation (run, t, run->y);
    if (t >= options->t_end || status != HL_OK || run->stopped)
      break;
    status = run_segment (run, &t, stop, is_fresh, stats);
    run->restarts += k > 0;
  }
  HlOdeStats last = hl_integrator_get_stats (run->integrator);
  stats->steps = run->before.steps + last.steps;
  stats->rhs = run->before.rhs + last.rhs;
  stats->jacobians = run->before.jacobians + last.jacobians;
  stats->restarts = run->restarts;
  stats->t_reached = status == HL_OK && !run->stopped ? t : hl_integrator_step_end (run->integrator);
  return status;
}

/* Finds the start that the model states, into run->point. The search has a work of its own, so that a run
 * from the same point in options->from is bitwise the same. */
static HlStatus find_start (HlSimRun *run, HlFault *fault) {
  const HlSimOptions *options = run->options;
  HlWork *work = hl_work_new (run->sys);

  hl_work_set_cancel (work, options->cancel, options->cancel_data);
  HlStatus status =
      hl_start_point (run->sys, work, run->form->rests_in_place ? HL_START_AS_GIVEN : options->start, NULL,
                      run->point, NULL, fault);
  hl_work_free (work);
  return status;
}

static HlStatus prepare_run (HlSimRun *run, HlFault *fault) {
  const HlSimOptions *options = run->options;
  HlStatus status = HL_OK;

  if (options->from != NULL)
    hl_point_copy (run->sys, run->point, options->from);
  else
    status = find_start (run, fault);
  if (status != HL_OK)
    return status;
  hl_work_enter_segment (run->sys, run->work, 0.0);
  for (int k = 0; k < options->n_outputs; k++) {
    run->needs_energy = run->needs_energy || hl_observable_needs_energy (options->outputs[k]);
    run->needs_multipliers = run->needs_multipliers || hl_observable_needs_multipliers (options->outputs[k]);
  }
  if (options->parts != NULL && run->form->powers == NULL && run->form->run_all == NULL) {
    int room = HL_POWER_ROLES * hl_power_n_parts (run->sys);
    run->part_powers = hl_arena_take (&run->arena, room, sizeof (double));
    run->part_energies = hl_arena_take (&run->arena, room, sizeof (double));
    run->part_energies_before = hl_arena_take (&run->arena, room, sizeof (double));
    run->needs_energy = true;
  }
  if (options->interpolated && !run->needs_energy && options->tangent == NULL)
    run->row_nodes = hl_arena_take (&run->arena, HL_SIM_ROW_NODES * options->n_outputs, sizeof (double));
  if (run->form->begin != NULL)
    status = run->form->begin (run, run->point, fault);
  if (status != HL_OK)
    return status;
  if (options->linear && hl_oil_models[options->model]->has_points)
    run->linear = linear_run_new (run->sys, options, run->point, NULL);
  if (run->form->off_p != NULL) {
    run->n_guards = hl_guards_count (run->sys);
    run->n_guarded_blocks = hl_guards_blocks (run->sys, NULL, 0.0, NULL, NULL);
    run->guards = hl_guards_remember (run->sys, &run->arena);
    run->block_raw = hl_arena_take (&run->arena, run->n_guarded_blocks, sizeof (double));
  }
  run->row = hl_arena_take (&run->arena, 2 * options->n_outputs, sizeof (double));
  for (int k = 0; k < 2 * options->n_outputs; k++)
    run->row[k] = NAN;
  status = run->form->arrange (run, run->point, fault);
  if (status != HL_OK)
    return status;
  if (run->form->run_all != NULL)
    resize_run (run);
  else
    new_integrator (run);
  run->form->pack (run, run->point, run->y);
  if (options->tangent != NULL && run->form == &hl_sim_form_reduced) {
    run->tangent = hl_sim_tangent_new (run, fault);
    if (run->tangent == NULL)
      return fault != NULL && fault->status != HL_OK ? fault->status : HL_NO_CONVERGENCE;
  }
  return HL_OK;
}

/* Runs by one integrator, or by both if one fails and the rows remain valid. */
static HlStatus run_by_integrator (HlSimRun *run, HlSimStats *stats, Outcome *outcome, HlFault *fault) {
  const HlSimOptions *options = run->options;

  for (;;) {
    HlMethod other = run->method == HL_METHOD_BDF ? HL_METHOD_RADAU : HL_METHOD_BDF;
    HlStatus status = run_all (run, stats);
    if (run->begins_again) {
      *outcome = ERRORS;
      stats->takeover = run->takeover;
      stats->takeover.t = 0.0;
      stats->takeover.method = other;
    }
    if (status == HL_OK)
      return status;
    stats->method_failed = hl_sim_name_failure (run, status, fault);
    if (!stats->method_failed || run->suits == NULL)
      return status;
    if (run->takeover.why == HL_TAKEOVER_NONE && options->again (other, fault, options->again_data)) {
      *outcome = FAILED;
      return status;
    }
    double t = hl_integrator_step_end (run->integrator);
    if (!hl_sim_method_gave_up (run->suits, run, t))
      return status;
    hl_integrator_interpolate (run->integrator, t, run->y);
    run->t_begin = t;
    run->fault = (HlFault){.status = HL_OK, .time = NAN, .entity = -1};
    *fault = run->fault;
    stats->method_failed = false;
    status = change_method (run, t, stats);
    if (status != HL_OK) {
      hl_sim_name_failure (run, status, fault);
      return status;
    }
  }
}

/* Makes one attempt that begins with the method of the options; *outcome: whether hl_simulate () is to
 * repeat it with the other one. Statuses as hl_simulate (). */
static HlStatus sim_run_once (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats,
                              Outcome *outcome, HlFault *fault) {
  struct timespec begin, end;
  HlSimRun run = {.sys = sys,
                  .options = options,
                  .method = options->method,
                  .rows_per_second = hl_sim_rows_per_second (options)};
  HlStatus status;

  *stats = (HlSimStats){.method = options->method, .wave = {.component = -1}};
  run.form = hl_oil_form (options->model, options->formulation)->form;
  clock_gettime (CLOCK_MONOTONIC, &begin);
  run.work = hl_work_new (sys);
  hl_work_set_cancel (run.work, options->cancel, options->cancel_data);
  run.point = hl_point_new (sys);
  run.fault = (HlFault){.status = HL_OK, .time = NAN, .entity = -1};
  run.known_until = options->ahead != NULL ? 0.0 : INFINITY;
  run.suits = run.form->run_all == NULL ? hl_sim_method_new (&run) : NULL;
  run.waves = run.form->off_p != NULL ? hl_sim_waves_new (sys) : NULL;
  status = prepare_run (&run, fault);
  if (status == HL_OK) {
    if (run.waves != NULL)
      hl_sim_waves_look (run.waves, 0.0, run.y + run.form->off_p (&run));
    hl_sim_extend_signals (&run, 0.0);
    if (run.form->run_all == NULL)
      status = run_by_integrator (&run, stats, outcome, fault);
    else {
      status = run.form->run_all (&run, stats);
      if (status != HL_OK)
        stats->method_failed = hl_sim_name_failure (&run, status, fault);
    }
    if (status == HL_OK && run.stopped)
      status = HL_CANCELLED;
  }
  clock_gettime (CLOCK_MONOTONIC, &end);
  stats->seconds = (double)(end.tv_sec - begin.tv_sec) + 1.0e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  if (run.form->end != NULL)
    run.form->end (&run);
  stats->wave = hl_sim_waves_steepest (run.waves);
  hl_sim_waves_free (run.waves);
  hl_sim_method_free (run.suits);
  hl_integrator_free (run.integrator);
  linear_run_free (run.linear);
  hl_sim_tangent_free (run.tangent);
  hl_point_free (run.point);
  hl_work_free (run.work);
  hl_arena_clear (&run.arrangement);
  hl_arena_clear (&run.arena);
  hl_pattern_free (run.pattern);
  hl_unreduced_free (run.unreduced);
  return status;
}
