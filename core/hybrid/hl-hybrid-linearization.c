/* SPDX-License-Identifier: MIT */
/* A, B, C and D of the reduced equations.
 *
 * Central differences at steps h, h/2 and h/4, extrapolated to sixth order (theory/hybrid.md (22)).
 * Two reasons: alpha, Mr and g come from a factorization whose derivative would need the second
 * derivatives of every stroke and joint, which the floor does not have; and the equations are
 * smooth inside a mode, so that the extrapolation agrees with itself to about 1e-10, which is
 * measured for every entry and reported. Loads and given pressures go in linearly: there the
 * differences are exact.
 *
 * The loss of a line, K v |v|, is not smooth at v = 0, where most lines of a machine at rest are.
 * So the differences see its tangent, K (2 |v0| v - v0 |v0|), which has the same derivative. */
#include "core/hybrid/hl-hybrid-linearization.h"

#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages.h"
#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

#define HL_HYBRID_FLOW_STEP 1e-6 /* [m^3/s] */

#define LOAD_STEP 1e3     /* [N or N m] */
#define OPENING_STEP 1e-3 /* of 0 ... 1 */
#define COMMAND_STEP 1e-3 /* of the value of a command, or of 1 */
#define AT_BOUND 1e-12

static double step_of_passages (const HlSystem *sys, const HlWork *work, const double share[], double step) {
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    double by = at->signal >= 0 ? fabs (share[at->signal]) : 0.0;
    if (at->is_spool || by == 0.0)
      continue;
    if (at->kind == HL_PASSAGE_PUMP) {
      step = fmin (step, HL_HYBRID_FLOW_STEP / (at->per_signal * by));
      continue;
    }
    double value = hl_work_signal (work, at->signal);
    step = fmin (step, OPENING_STEP / by);
    for (int end = 0; end < 2; end++) {
      double room = end == 0 ? value - at->min_opening : 1.0 - value;
      if (room > 0.0)
        step = fmin (step, (end == 0 ? 0.1 * room : room) / by);
    }
  }
  return step;
}

/* Returns the field of command `at` of a component. */
static const HlField *field_of (const HlComponent *c, int at) {
  for (int k = 0; k < c->klass->kind.n_fields; k++)
    if (c->klass->kind.fields[k].type == HL_FIELD_SIGNAL && at-- == 0)
      return &c->klass->kind.fields[k];
  return NULL;
}

/* Returns the step of one command, which the input moves by `share` of its change; *side: +1 or -1 if it is
 * held at the lower or the upper bound. */
static double step_of_command (const HlField *field, double value, double share, double step, double *side) {
  double natural =
      field->quantity == HL_QUANTITY_FLOW ? HL_HYBRID_FLOW_STEP : COMMAND_STEP * fmax (1.0, fabs (value));
  double towards = share < 0.0 ? -1.0 : 1.0;

  if (field->min_bound == HL_BOUND_CLOSED && field->max_bound == HL_BOUND_CLOSED) {
    if (fabs (value - field->min) <= AT_BOUND)
      *side = towards;
    else if (fabs (value - field->max) <= AT_BOUND)
      *side = -towards;
  }
  return fmin (step, natural / fabs (share));
}

/* Returns the step in the unit of the input: for pump flows a step of a flow, openings are smooth between the
 * minimum and the full one, and commands of components have the size of their values, or of 1. A command at a
 * bound is changed to the inside only: *is_inward, and the step has the sign of that side, of a size that
 * goes there twice. */
static double step_of_input (const HlSystem *sys, const HlWork *work, int input, bool *is_inward) {
  HlArena scratch = hl_arena_beside (&work->arena);
  double *share = hl_arena_take (&scratch, sys->n_signals, sizeof *share), side = 0.0;

  hl_system_spread_input (sys, work, input, share);
  double step = step_of_passages (sys, work, share, LOAD_STEP);
  for (int k = 0; k < sys->n_components; k++)
    for (int at = 0; at < HL_MOST_COMMANDS; at++) {
      const HlComponent *c = &sys->components[k];
      const HlField *field = c->signal[at] >= 0 ? field_of (c, at) : NULL;
      if (field != NULL && share[c->signal[at]] != 0.0)
        step =
            step_of_command (field, hl_work_signal (work, c->signal[at]), share[c->signal[at]], step, &side);
    }
  hl_arena_clear (&scratch);
  *is_inward = side != 0.0;
  return side != 0.0 ? side * step : step;
}

#define POSITION_STEP 1e-3 /* [m or rad] */
#define VELOCITY_STEP 1e-3 /* [m/s or rad/s] */
#define FLOW_STEP HL_HYBRID_FLOW_STEP
#define PRESSURE_STEP 1e6 /* [Pa] */
#define DRIVE_STEP 1e-3   /* [m or rad], and by the second */
#define J_ACCURACY 1e-6   /* of the differences, far above what they are off by */
#define POSITION_SCALE 1.0
#define VELOCITY_SCALE 1.0
#define FLOW_SCALE 1e-3
/* Maximum number of times that a step is divided by ten when the machine cannot be solved at its end. */
#define SHORTER_STEPS 3
/* Steps of pressures, openings and states of signals, in their natural size; and an error estimate for which
 * no shorter step is tried. */
#define STATE_STEP 1.0e-2
#define SMALL_DOUBT 1.0e-7

/* Work space of one linearization. */
typedef struct {
  HlArena arena; /* holds every array */
  HlHybridModeCheck *e;
  int f, l, n_free, n_z, n; /* coordinates, dependent ones, velocities, states of the oil, all */
  int n_outputs, n_rows;
  const HlObservable *outputs;
  bool needs_multipliers;
  int *flows, n_flows;                                 /* n_flows: inputs that are flows of pumps */
  double *y;                                           /* n: the state */
  double *flow;                                        /* n_paths: at the state */
  double *plus, *minus, *quotient[3], *column, *error; /* n_rows */
  double *middle;                                      /* n_rows */
  bool is_inward;                   /* the step, with its sign, leads to the side where the law continues */
  double *best_column, *best_error; /* n_rows */
  const double *row_scale;          /* n: natural sizes of the states */
} Differences;

/* Evaluates the rates of the states, then the outputs. */
static HlStatus eval (Differences *d, double rows[]) {
  static const double no_energies[3] = {NAN, NAN, NAN};
  HlHybridModeCheck *e = d->e;
  HlHybridInstant now;
  int n_paths = e->coupling->machine->n_paths;

  memcpy (e->coupling->mech, d->y, (size_t)d->f * sizeof (double));
  memcpy (e->coupling->mech + 2 * d->f, d->y + d->f, (size_t)d->l * sizeof (double));
  if (d->n_z > 0)
    hl_hybrid_passages_set (e->coupling->ways, e->work, d->y + d->n - d->n_z);
  HlStatus status = hl_hybrid_solver_eval (e->solver, e->t, d->y + d->f + d->l, &now, NULL);
  if (status != HL_OK) {
    /* the result of the search is no start to continue from */
    if (e->coupling->ways != NULL)
      hl_hybrid_passages_recall (e->coupling->ways);
    return status;
  }
  memcpy (rows, now.v + n_paths, (size_t)d->f * sizeof (double));
  for (int k = 0; k < d->l; k++)
    rows[d->f + k] = e->work->v[e->work->ad_column[k]];
  memcpy (rows + d->f + d->l, now.vbar_dot, (size_t)d->n_free * sizeof (double));
  if (d->n_z > 0)
    hl_hybrid_passages_rates (e->coupling->ways, e->work, hl_hybrid_solver_get_inputs (e->solver), now.v,
                              e->coupling->u_dot, rows + d->n - d->n_z);
  if (d->n_outputs > 0)
    hl_hybrid_coupling_observe (e->coupling, e->solver, &now);
  if (d->needs_multipliers)
    hl_dynamics_joint_forces (e->sys, e->work);
  for (int k = 0; k < d->n_outputs; k++)
    rows[d->n + k] = hl_observable_value (e->sys, e->work, d->outputs[k], no_energies);
  return HL_OK;
}

/* Computes the column of one number that can be changed to one side only, by the parabola through its value,
 * h and 2 h, at steps h, h/2 and h/4. */
static HlStatus difference_inward (Differences *d, double *number, double step) {
  double kept = *number;
  HlStatus status = eval (d, d->middle);

  for (int k = 0; k < 3 && status == HL_OK; k++) {
    double h = ldexp (step, -k);
    *number = kept + h;
    status = eval (d, d->minus);
    *number = kept + 2.0 * h;
    if (status == HL_OK)
      status = eval (d, d->plus);
    for (int row = 0; row < d->n_rows; row++)
      d->quotient[k][row] = (4.0 * d->minus[row] - d->plus[row] - 3.0 * d->middle[row]) / (2.0 * h);
  }
  *number = kept;
  for (int row = 0; row < d->n_rows && status == HL_OK; row++) {
    double first = (4.0 * d->quotient[1][row] - d->quotient[0][row]) / 3.0;
    double second = (4.0 * d->quotient[2][row] - d->quotient[1][row]) / 3.0;
    d->column[row] = (8.0 * second - first) / 7.0;
    d->error[row] = fabs (d->column[row] - second);
  }
  return status;
}

/* Computes the column of one number with the given step; the error estimate of each entry goes to d->error. */
static HlStatus difference (Differences *d, double *number, double step) {
  double kept = *number;
  HlStatus status = HL_OK;

  for (int k = 0; k < 3 && status == HL_OK; k++) {
    double h = ldexp (step, -k);
    *number = kept + h;
    status = eval (d, d->plus);
    *number = kept - h;
    if (status == HL_OK)
      status = eval (d, d->minus);
    for (int row = 0; row < d->n_rows; row++)
      d->quotient[k][row] = (d->plus[row] - d->minus[row]) / (2.0 * h);
  }
  *number = kept;
  for (int row = 0; row < d->n_rows && status == HL_OK; row++) {
    double first = (4.0 * d->quotient[1][row] - d->quotient[0][row]) / 3.0;
    double second = (4.0 * d->quotient[2][row] - d->quotient[1][row]) / 3.0;
    d->column[row] = (16.0 * second - first) / 15.0;
    d->error[row] = fabs (d->column[row] - second);
  }
  return status;
}

/* Returns the largest doubt of a column beside its largest entry. */
static double doubt_of (const Differences *d) {
  double doubt = 0.0, size = 0.0;

  for (int row = 0; row < d->n; row++) {
    doubt = fmax (doubt, d->error[row] / d->row_scale[row]);
    size = fmax (size, fabs (d->column[row]) / d->row_scale[row]);
  }
  return size > 0.0 ? doubt / size : 0.0;
}

/* Computes a difference quotient with the longest step that the machine can follow. Laws have corners: where
 * one lies within the step, shorter steps are tried, and the quotient with the smallest error estimate is
 * used. */
static HlStatus difference_with (Differences *d, double *number, double step) {
  HlStatus status = HL_SINGULAR;
  double best = INFINITY;
  size_t room = (size_t)d->n_rows * sizeof (double);
  bool has_laws = d->e->coupling->ways != NULL;

  for (int k = 0; k <= SHORTER_STEPS + (has_laws ? SHORTER_STEPS : 0); k++, step *= 0.1) {
    HlStatus now = d->is_inward ? difference_inward (d, number, step) : difference (d, number, step);
    if (now != HL_OK) {
      if (status != HL_OK && k == SHORTER_STEPS)
        return now;
      continue;
    }
    double doubt = has_laws ? doubt_of (d) : 0.0;
    if (doubt < best || status != HL_OK) {
      best = doubt;
      memcpy (d->best_column, d->column, room);
      memcpy (d->best_error, d->error, room);
    }
    status = HL_OK;
    if (best <= SMALL_DOUBT)
      break;
  }
  memcpy (d->column, d->best_column, room);
  memcpy (d->error, d->best_error, room);
  return status;
}

static HlStatus difference_of_state (Differences *d, int state, double scale) {
  bool is_position = state < d->f + d->l;
  double step = is_position ? POSITION_STEP : scale < 0.5 ? FLOW_STEP : VELOCITY_STEP;

  if (state >= d->n - d->n_z)
    step = STATE_STEP * scale;
  return difference_with (d, &d->y[state], step);
}

/* ---- inputs ---- */

static HlStatus difference_of_input (Differences *d, int input, double *value) {
  HlHybridCoupling *c = d->e->coupling;
  const HlSystem *sys = d->e->sys;
  int source = hl_linear_model_input_source (sys, input);
  double step = PRESSURE_STEP;

  if (source >= 0) {
    *value = sys->sources[source].pressure;
    c->shifted_source = source;
  } else {
    int signal = sys->topology->input_signal[input];
    *value = hl_work_signal (d->e->work, signal);
    step = step_of_input (sys, d->e->work, input, &d->is_inward);
    c->shifted_signal = signal;
  }
  double *drive = calloc (3 * (size_t)sys->mech.n_rows + 1, sizeof *drive);
  if (source < 0 && hl_drive_of_input (sys, input, drive)) {
    d->is_inward = false;
    c->shifted_drive = drive;
    if (sys->topology->input_order[input] > 0)
      c->shifted_signal = -1; /* a rate: the value stays */
    step = DRIVE_STEP;
  }
  HlStatus status = difference_with (d, &c->shift, step);
  c->shifted_source = c->shifted_signal = -1;
  c->shifted_drive = NULL;
  d->is_inward = false;
  free (drive);
  return status;
}

/* Computes the additional column by the rate of a flow, which incompressible oil transmits at once. */
static HlStatus difference_of_rate (Differences *d, int input, double *value) {
  HlHybridCoupling *c = d->e->coupling;

  *value = c->signal_rates[d->e->sys->topology->input_signal[input]];
  c->shifted_signal = d->e->sys->topology->input_signal[input];
  c->shifts_rate = true;
  HlStatus status = difference_with (d, &c->shift, 1.0);
  c->shifted_signal = -1;
  c->shifts_rate = false;
  return status;
}

/* Finds inputs that are flows of pumps, into list (n_inputs of the system); returns their number. */
static int find_flows (const HlSystem *sys, const HlWork *work, int list[]) {
  double *share = calloc ((size_t)sys->n_signals + 1, sizeof *share);
  int n = 0;

  for (int input = 0; input < hl_system_n_inputs (sys); input++) {
    bool is_flow = false;
    hl_system_spread_input (sys, work, input, share);
    for (int k = 0; k < sys->n_passages; k++)
      is_flow = is_flow || (sys->passages[k].kind == HL_PASSAGE_PUMP && sys->passages[k].line_b >= 0 &&
                            share[sys->passages[k].signal] != 0.0);
    if (is_flow)
      list[n++] = input;
  }
  free (share);
  return n;
}

/* ---- the whole ---- */

/* Returns the line that names the oil of a line, as in the lumped model. */
static const char *line_of (const HlSystem *sys, int line) {
  int state = sys->nodes[sys->lines[line].node].state;

  return sys->topology->names[HL_ENTITY_LINE][state >= 0 ? sys->topology->line_of_pressure[state] : line];
}

/* Names the pressures of compressible lines, and the states of components and signals. */
static void name_oil_states (const Differences *d, HlLinearization *lin) {
  const HlHybridMachine *machine = d->e->coupling->machine;
  const HlSystem *sys = d->e->sys;

  for (int k = 0; k < d->n_z; k++) {
    int at = d->n - d->n_z + k, state = k < machine->n_soft ? -1 : machine->extra[k - machine->n_soft];
    char text[256];
    if (state < 0)
      snprintf (text, sizeof text, "%s.pressure", line_of (sys, machine->line_of_node[machine->soft[k]]));
    else
      snprintf (text, sizeof text, "%s", hl_state_path (sys, state));
    lin->state_names[at] = strcpy (malloc (strlen (text) + 1), text);
    const char *unit = state < 0 ? "Pa" : hl_state_unit (sys, state);
    lin->state_units[at] = strcpy (malloc (strlen (unit) + 1), unit);
    lin->scale[at] = state < 0 ? hl_scale_of_pressure (sys) : hl_scale_of_component (sys, state);
    lin->reference[at] = d->y[at];
  }
}

static void name_states (const Differences *d, HlLinearization *lin) {
  static const char *const parts[] = {"x", "y", "angle"};
  static const char *const units[2][3] = {{"m", "m", "rad"}, {"m/s", "m/s", "rad/s"}};
  const HlHybridModeCheck *e = d->e;
  const HlHybridRank *rank = hl_hybrid_solver_get_mode (e->solver)->rank;

  name_oil_states (d, lin);
  for (int k = 0; k < d->n - d->n_z; k++) {
    int velocity = k - d->f - d->l;
    int state = velocity >= 0 ? rank->independent[velocity] : -1;
    bool is_flow = state >= 0 && state < e->coupling->machine->n_paths;
    int column = velocity < 0 ? (k < d->f ? e->work->ai_column[k] : e->work->ad_column[k - d->f])
                 : is_flow    ? 0
                              : e->work->ai_column[state - e->coupling->machine->n_paths];
    char text[256];
    if (velocity < 0)
      snprintf (text, sizeof text, "%s.%s", e->sys->topology->names[HL_ENTITY_BODY][column / 3],
                parts[column % 3]);
    else
      hl_hybrid_mode_check_state_name (e, state, text, sizeof text);
    if (is_flow)
      snprintf (text + strlen (text), sizeof text - strlen (text), ".flow");
    const char *unit = is_flow ? "m3/s" : units[velocity >= 0][column % 3];
    lin->state_names[k] = strcpy (malloc (strlen (text) + 1), text);
    lin->state_units[k] = strcpy (malloc (strlen (unit) + 1), unit);
    lin->scale[k] = velocity < 0 ? POSITION_SCALE : is_flow ? FLOW_SCALE : VELOCITY_SCALE;
    lin->reference[k] = d->y[k];
  }
}

static HlStatus fill_matrices (Differences *d, HlLinearization *lin, HlLinearModel *model, double *error) {
  size_t n = (size_t)d->n, n_outputs = (size_t)d->n_outputs;
  double *doubt = model->row_error, value;
  HlStatus status = HL_OK;

  for (int state = 0; state < d->n && status == HL_OK; state++) {
    status = difference_of_state (d, state, lin->scale[state]);
    memcpy (lin->J + (size_t)state * n, d->column, n * sizeof (double));
    memcpy (model->C + (size_t)state * n_outputs, d->column + n, n_outputs * sizeof (double));
    for (int row = 0; row < d->n; row++)
      doubt[row] = fmax (doubt[row], d->error[row] * lin->scale[state] / lin->scale[row]);
  }
  if (status == HL_OK)
    status = eval (d, d->plus); /* back to the state */
  int n_own = lin->n_inputs - d->n_flows;
  for (int input = 0; input < lin->n_inputs && status == HL_OK; input++) {
    status = input < n_own ? difference_of_input (d, input, &value)
                           : difference_of_rate (d, d->flows[input - n_own], &value);
    memcpy (lin->B + (size_t)input * n, d->column, n * sizeof (double));
    model->u0[input] = value;
    memcpy (model->D + (size_t)input * n_outputs, d->column + n, n_outputs * sizeof (double));
  }
  if (status == HL_OK)
    status = eval (d, d->plus);
  memcpy (model->y0, d->plus + n, n_outputs * sizeof (double));
  *error = 0.0;
  for (int row = 0; row < d->n && status == HL_OK; row++) {
    double largest = 0.0;
    for (int k = 0; k < d->n; k++)
      largest = fmax (largest, fabs (lin->J[row + d->n * k]) * lin->scale[k] / lin->scale[row]);
    *error = fmax (*error, largest > 0.0 ? doubt[row] / largest : 0.0);
  }
  if (status == HL_OK)
    status = hl_linearization_analyse (lin, true, doubt, NULL);
  if (status == HL_OK)
    hl_linearization_name_nulls (lin, NULL, NULL);
  return status;
}

/* ---- whether eigenvalues judge here ---- */

/* Reference values of the check, so that the differences can be computed again at another point. */
typedef struct {
  Differences *d;
  const double *scale; /* n_states */
} Elsewhere;

static HlStatus eval_elsewhere (const double y[], double y_dot[], double J[], void *data) {
  const Elsewhere *at = data;
  Differences *d = at->d;
  size_t n = (size_t)d->n;

  memcpy (d->y, y, n * sizeof (double));
  HlStatus status = eval (d, d->plus);
  memcpy (y_dot, d->plus, n * sizeof (double));
  for (int state = 0; J != NULL && state < d->n && status == HL_OK; state++) {
    status = difference_of_state (d, state, at->scale[state]);
    memcpy (J + (size_t)state * n, d->column, n * sizeof (double));
  }
  return status;
}

/* Returns the last of all: leaves the machine near the state, not at it. */
static HlSteadiness judge_steadiness (Differences *d, const HlLinearization *lin) {
  Elsewhere elsewhere = {d, lin->scale};
  const HlSteadinessProblem problem = {.n = d->n,
                                       .y = lin->reference,
                                       .J = lin->J,
                                       .scale = lin->scale,
                                       .accuracy = J_ACCURACY,
                                       .eval = eval_elsewhere,
                                       .data = &elsewhere};

  return hl_steadiness_judge (&problem);
}

static void differences_init (Differences *d, HlHybridModeCheck *e, const HlObservable outputs[],
                              int n_outputs) {
  int n_paths = e->coupling->machine->n_paths;

  *d = (Differences){.e = e, .f = e->work->f, .l = e->work->l, .n_outputs = n_outputs};
  d->outputs = outputs;
  for (int k = 0; k < n_outputs; k++)
    d->needs_multipliers = d->needs_multipliers || hl_observable_needs_multipliers (outputs[k]);
  d->n_free = hl_hybrid_solver_get_reduction (e->solver)->n_free;
  d->n_z = hl_hybrid_passages_n_states (e->coupling->ways);
  d->n = d->f + d->l + d->n_free + d->n_z;
  d->n_rows = d->n + n_outputs;
  double **rows[] = {&d->plus,        &d->minus,  &d->middle, &d->quotient[0], &d->quotient[1],
                     &d->quotient[2], &d->column, &d->error,  &d->best_column, &d->best_error};
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
    *rows[k] = hl_arena_take (&d->arena, d->n_rows, sizeof (double));
  d->y = hl_arena_take (&d->arena, d->n, sizeof (double));
  d->flow = hl_arena_take (&d->arena, n_paths, sizeof (double));
  memcpy (d->y, e->coupling->mech, (size_t)d->f * sizeof (double));
  memcpy (d->y + d->f, e->coupling->mech + 2 * d->f, (size_t)d->l * sizeof (double));
  memcpy (d->y + d->f + d->l, e->vbar, (size_t)d->n_free * sizeof (double));
  if (d->n_z > 0)
    hl_hybrid_passages_get (e->coupling->ways, e->work, d->y + d->n - d->n_z);
  memcpy (d->flow, e->v, (size_t)n_paths * sizeof (double));
  e->coupling->straight_at = d->flow;
  if (e->coupling->ways != NULL)
    hl_hybrid_passages_keep (e->coupling->ways);
}

/* Completes the linear model from the linearization. */
static void model_finish (HlLinearModel *model, const HlLinearization *lin, const HlSystem *sys) {
  size_t n = (size_t)lin->n;

  model->n_signals = hl_system_n_inputs (sys);
  memcpy (model->A, lin->J, n * n * sizeof (double));
  memcpy (model->B, lin->B, n * (size_t)lin->n_inputs * sizeof (double));
  memcpy (model->scale, lin->scale, n * sizeof (double));
  memcpy (model->x0, lin->reference, n * sizeof (double));
}

static void name_inputs (const Differences *d, HlLinearization *lin) {
  int n_own = lin->n_inputs - d->n_flows;

  lin->n_signals = hl_system_n_inputs (d->e->sys);
  lin->n_disturbances = n_own - lin->n_signals;
  for (int k = 0; k < n_own; k++)
    lin->input_names[k] = hl_linear_model_input_name (d->e->sys, k);
  for (int k = 0; k < d->n_flows; k++)
    lin->input_names[n_own + k] = g_strconcat (hl_system_input_name (d->e->sys, d->flows[k]), "'", NULL);
}

/* Sets the fault of a linearization that has no neighbouring state satisfying the equations. */
static void set_fault (const Differences *d, HlStatus status, HlFault *fault) {
  const HlFault *of = &d->e->coupling->fault;

  hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
  if (fault == NULL)
    return;
  if (of->status == status)
    *fault = *of;
  fault->time = d->e->t;
  if (status != HL_NO_CONVERGENCE)
    return;
  fault->why = HL_TEXT ("the model cannot be linearized here: close to this state no pressure of this line "
                        "agrees with all valves");
  fault->mend = HL_TEXT ("linearize a little earlier or later, increase the opening range of the valves on "
                         "this line, or use the lumped model");
}

HlHybridLinear *hl_hybrid_linearize_with_outputs (const HlSystem *sys, const HlHybridPlace *place,
                                                  const HlHybridChoice *choice, const HlObservable outputs[],
                                                  int n_outputs, HlFault *fault) {
  HlHybridModeCheck *e = hl_hybrid_mode_check_new (sys, place, choice, fault);
  Differences d;

  if (e == NULL)
    return NULL;
  HlStatus status = e->status;
  HlHybridLinear *linear = NULL;
  if (status == HL_OK) {
    linear = calloc (1, sizeof *linear);
    linear->soft = calloc ((size_t)sys->n_lines + 1, sizeof *linear->soft);
    linear->n_soft = hl_hybrid_mode_check_soft (e, linear->soft);
    differences_init (&d, e, outputs, n_outputs);
    d.flows = hl_arena_take (&d.arena, hl_system_n_inputs (sys), sizeof *d.flows);
    d.n_flows = find_flows (sys, e->work, d.flows);
    linear->lin = hl_linearization_alloc (d.n, hl_linear_model_n_inputs (sys) + d.n_flows);
    linear->model = hl_linear_model_alloc (linear->lin->n, linear->lin->n_inputs, n_outputs);
    for (int k = 0; k < d.n_flows; k++)
      linear->model->rates[d.flows[k]] = (HlInputRates){linear->lin->n_inputs - d.n_flows + k, 1};
    name_states (&d, linear->lin);
    d.row_scale = linear->lin->scale;
    name_inputs (&d, linear->lin);
    status = fill_matrices (&d, linear->lin, linear->model, &linear->error);
    model_finish (linear->model, linear->lin, sys);
    if (status == HL_OK)
      linear->lin->steadiness = judge_steadiness (&d, linear->lin);
    hl_arena_clear (&d.arena);
  }
  if (status != HL_OK) {
    if (e->status == HL_OK) /* else the examination has named what stands in the way */
      set_fault (&d, status, fault);
    hl_hybrid_linear_free (linear);
    linear = NULL;
  }
  hl_hybrid_mode_check_free (e);
  return linear;
}

HlHybridLinear *hl_hybrid_linearize (const HlSystem *sys, const HlHybridPlace *place,
                                     const HlHybridChoice *choice, HlFault *fault) {
  return hl_hybrid_linearize_with_outputs (sys, place, choice, NULL, 0, fault);
}

void hl_hybrid_linear_free (HlHybridLinear *linear) {
  if (linear == NULL)
    return;
  hl_linearization_free (linear->lin);
  hl_linear_model_free (linear->model);
  free (linear->soft);
  free (linear);
}

/* Adds a mode next to a mode, linearized at the same place. */

static void add_neighbour (const HlSystem *sys, const HlHybridPlace *place, const HlHybridChoice *choice,
                           HlHybridNeighbour neighbour, HlHybridNeighbour list[], int *n) {
  neighbour.linear = hl_hybrid_linearize (sys, place, choice, NULL);
  if (neighbour.linear != NULL)
    list[(*n)++] = neighbour;
}

int hl_hybrid_find_neighbours (const HlSystem *sys, const HlHybridPlace *place, const HlHybridChoice *choice,
                               double reach, HlHybridNeighbour **neighbours) {
  HlHybridModeCheck *e = hl_hybrid_mode_check_new (sys, place, choice, NULL);
  int n = 0;

  *neighbours = NULL;
  if (e == NULL || e->status != HL_OK) {
    hl_hybrid_mode_check_free (e);
    return 0;
  }
  const HlHybridMachine *machine = e->coupling->machine;
  const HlHybridNetwork *net = machine->net;
  const HlHybridKey *key = &hl_hybrid_solver_get_mode (e->solver)->key;
  const double *stroke = hl_hybrid_solver_get_inputs (e->solver)->stroke;
  int n_cylinders = net->tables.n_cylinders;
  int most = net->tables.n_lines + 2 * n_cylinders, n_edges = 0;
  HlArena scratch = {0};
  int *closed = hl_arena_take (&scratch, most, sizeof *closed);
  int *edges = hl_arena_take (&scratch, net->tables.n_edges, sizeof *edges);
  HlHybridStop *stops = hl_arena_take (&scratch, most, sizeof *stops);
  int *soft = hl_arena_take (&scratch, sys->n_lines, sizeof *soft);
  int n_soft = hl_hybrid_mode_check_soft (e, soft);

  HlPoint *now = hl_point_new (sys);
  hl_hybrid_mode_check_note (e, now);
  HlHybridPlace here = {.t = e->t, .x = e->work->x, .v = e->work->v, .flow = e->v, .p = now->p, .u = now->u};
  for (int edge = 0; edge < net->tables.n_edges; edge++)
    if (!hl_hybrid_key_is_open (net, key, edge))
      edges[n_edges++] = edge;
  *neighbours = calloc ((size_t)most + 1, sizeof **neighbours);
  for (int slot = 0; slot < most; slot++) {
    int stop = slot - net->tables.n_lines;
    HlHybridKey other = *key;
    HlHybridNeighbour neighbour = {.is_stop = stop >= 0, .upper = stop >= 0 && stop % 2 == 1};
    if (stop < 0) {
      HlHybridLineState state = hl_hybrid_key_get_line (net, key, slot);
      if (!hl_hybrid_line_is_one_sided (net, slot) || state == HL_HYBRID_LINE_SHUT)
        continue;
      neighbour.on = state == HL_HYBRID_LINE_OPEN;
      neighbour.component = hl_hybrid_machine_find_shutter (machine, sys, slot, false);
      hl_hybrid_key_set_line (net, &other, slot, neighbour.on ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN);
    } else {
      const HlHybridCylinder *limits = &net->tables.cylinders[stop / 2];
      double gap =
          neighbour.upper ? limits->stroke_max - stroke[stop / 2] : stroke[stop / 2] - limits->stroke_min;
      neighbour.on = !hl_hybrid_key_has_stop (net, key, stop / 2, neighbour.upper);
      if (neighbour.on && !(gap <= reach))
        continue;
      neighbour.component = sys->cylinders[stop / 2].component;
      hl_hybrid_key_set_stop (net, &other, stop / 2, neighbour.upper, neighbour.on);
    }
    HlHybridChoice next = {.closed = closed,
                           .stops = stops,
                           .shut_edges = edges,
                           .n_shut_edges = n_edges,
                           .soft = soft,
                           .n_soft = n_soft};
    for (int path = 0; path < net->tables.n_lines; path++)
      if (hl_hybrid_key_get_line (net, &other, path) != HL_HYBRID_LINE_OPEN)
        closed[next.n_closed++] = machine->paths[path].pipe;
    for (int k = 0; k < 2 * n_cylinders; k++)
      if (hl_hybrid_key_has_stop (net, &other, k / 2, k % 2 == 1))
        stops[next.n_stops++] = (HlHybridStop){sys->cylinders[k / 2].component, k % 2 == 1};
    add_neighbour (sys, &here, &next, neighbour, *neighbours, &n);
  }
  hl_point_free (now);
  hl_arena_clear (&scratch);
  hl_hybrid_mode_check_free (e);
  return n;
}

void hl_hybrid_neighbours_free (HlHybridNeighbour *neighbours, int n) {
  for (int k = 0; k < n; k++)
    hl_hybrid_linear_free (neighbours[k].linear);
  free (neighbours);
}
