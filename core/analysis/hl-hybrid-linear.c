/* SPDX-License-Identifier: MIT */
/* J of the reduced equations.
 *
 * Central differences at steps h, h/2 and h/4, extrapolated to sixth order, stand for the terms
 * that are smooth: geometry, loads, friction. Two reasons: alpha, Mr and g come from a
 * factorization whose derivative would need the second derivatives of every stroke and joint, which
 * the floor does not have; and the equations are smooth inside a mode, so that the extrapolation
 * agrees with itself to about 1e-10, which is measured for every entry and reported.
 *
 * The loss of a line, R v + K v |v|, is not smooth at v = 0, where most lines of a machine at rest
 * are. Its derivative R + 2 K |v| is exact: at fixed positions accelerations are linear in the
 * forces, so the difference quotient of the loss is taken out of the column and the derivative put
 * in. */
#include "core/analysis/hl-hybrid-linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-counterpart.h"
#include "core/analysis/hl-null-name.h"

#define POSITION_STEP 1e-3 /* [m or rad] */
#define VELOCITY_STEP 1e-3 /* [m/s or rad/s] */
#define FLOW_STEP 1e-6     /* [m^3/s] */
#define POSITION_SCALE 1.0
#define VELOCITY_SCALE 1.0
#define FLOW_SCALE 1e-3
/* What the extrapolation of the smooth part is worth, where it cannot be measured. */
#define SMOOTH_ERROR 1e-9
/* How often a step is made ten times smaller when the machine cannot follow it. */
#define SHORTER_STEPS 3

/* What one linearization works on. */
typedef struct
{
  HlHybridExamination *e;
  int f, l, n_free, n; /* coordinates, dependent ones, velocities, all */
  double *y;           /* n: the state */
  double *mech;        /* positions of the coupling at y */
  double *plus, *minus, *quotient[3];
  double *force, *rate; /* n_states, n_active */
} Differences;

static HlStatus
eval (Differences *d, const double y[], double y_dot[])
{
  HlHybridExamination *e = d->e;
  HlHybridInstant now;
  int n_paths = e->coupling->machine->n_paths;

  memcpy (e->coupling->mech, y, (size_t)d->f * sizeof (double));
  memcpy (e->coupling->mech + 2 * d->f, y + d->f, (size_t)d->l * sizeof (double));
  HlStatus status = hl_hybrid_solver_eval (e->solver, e->t, y + d->f + d->l, &now, NULL);
  if (status != HL_OK)
    return status;
  memcpy (y_dot, now.v + n_paths, (size_t)d->f * sizeof (double));
  for (int k = 0; k < d->l; k++)
    y_dot[d->f + k] = e->work->v[e->work->ad_column[k]];
  memcpy (y_dot + d->f + d->l, now.vbar_dot, (size_t)d->n_free * sizeof (double));
  return HL_OK;
}

static void
get_losses (const HlHybridExamination *e, double linear[], double quadratic[])
{
  const HlHybridNetwork *net = e->coupling->machine->net;
  const HlHybridInputs *in = hl_hybrid_solver_get_inputs (e->solver);

  for (int line = 0; line < net->tables.n_lines; line++) {
    const HlHybridLine *data = &net->tables.lines[line];
    linear[line] = data->loss_linear;
    quadratic[line] = data->loss_quadratic + in->extra_loss[line];
    if (data->valve_loss > 0.0)
      quadratic[line] += data->valve_loss / pow (fmax (in->opening[line], data->min_opening), 2.0);
  }
}

/* Takes the quotient of the losses out of a velocity's column and puts their derivative in. The
 * solver stands at the state. Whether a flow turned round within the step. */
static bool
mend_losses (Differences *d, int free_state, double step, double column[])
{
  const HlHybridExamination *e = d->e;
  HlHybridReduction *red = (HlHybridReduction *)hl_hybrid_solver_get_reduction (e->solver);
  int n_lines = e->coupling->machine->n_paths, n = red->n_states;
  double *linear = d->force, *quadratic = d->force + n;
  double *vbar_dot = d->plus, *v_dot = d->force + 2 * n;
  HlHybridMass mass = {.n_lines = n_lines,
                       .n_mech = e->work->f,
                       .inertia = d->force + 3 * n,
                       .mass = hl_hybrid_solver_get_inputs (e->solver)->mass};
  bool has_turned = false;

  get_losses (e, linear, quadratic);
  for (int line = 0; line < n_lines; line++) {
    double slope = red->alpha[line + n * free_state];
    double v = e->v[line], q[3];
    has_turned = has_turned || fabs (v) < fabs (step * slope);
    d->force[3 * n + line] = e->coupling->machine->net->tables.lines[line].inertia;
    for (int k = 0; k < 3; k++) {
      double h = ldexp (step, -k) * slope;
      q[k] = ((v + h) * fabs (v + h) - (v - h) * fabs (v - h)) / (2.0 * ldexp (step, -k));
    }
    double first = (4.0 * q[1] - q[0]) / 3.0, second = (4.0 * q[2] - q[1]) / 3.0;
    linear[line] = quadratic[line] * ((16.0 * second - first) / 15.0 - 2.0 * fabs (v) * slope);
  }
  for (int k = n_lines; k < n; k++)
    linear[k] = 0.0;
  memset (d->rate, 0, (size_t)(e->coupling->machine->net->n_columns) * sizeof (double));
  hl_hybrid_reduce_acceleration (red, &mass, d->rate, linear, vbar_dot, v_dot,
                                 d->rate + e->coupling->machine->net->n_columns);
  for (int k = 0; k < d->n_free; k++)
    column[d->f + d->l + k] += vbar_dot[k];
  return has_turned;
}

/* Column of one state with the step given; the largest doubt of each row goes to error. */
static HlStatus
difference (Differences *d, int state, double step, double column[], double error[])
{
  double kept = d->y[state];
  HlStatus status = HL_OK;

  for (int k = 0; k < 3 && status == HL_OK; k++) {
    double h = ldexp (step, -k);
    d->y[state] = kept + h;
    status = eval (d, d->y, d->plus);
    d->y[state] = kept - h;
    if (status == HL_OK)
      status = eval (d, d->y, d->minus);
    for (int row = 0; row < d->n; row++)
      d->quotient[k][row] = (d->plus[row] - d->minus[row]) / (2.0 * h);
  }
  d->y[state] = kept;
  for (int row = 0; row < d->n && status == HL_OK; row++) {
    double first = (4.0 * d->quotient[1][row] - d->quotient[0][row]) / 3.0;
    double second = (4.0 * d->quotient[2][row] - d->quotient[1][row]) / 3.0;
    column[row] = (16.0 * second - first) / 15.0;
    error[row] = fabs (column[row] - second);
  }
  return status;
}

static HlStatus
fill_column (Differences *d, const double scale[], int state, double column[], double doubt[])
{
  bool is_position = state < d->f + d->l;
  double step = is_position ? POSITION_STEP : scale[state] < 0.5 ? FLOW_STEP : VELOCITY_STEP;
  double *error = d->quotient[2] + d->n;
  HlStatus status = HL_SINGULAR;

  for (int k = 0; k <= SHORTER_STEPS && status != HL_OK; k++)
    status = difference (d, state, step *= k == 0 ? 1.0 : 0.1, column, error);
  if (status == HL_OK)
    status = eval (d, d->y, d->minus); /* back to the state */
  /* where a loss turned round, the three levels differ by what was taken out again */
  if (status == HL_OK && !is_position && mend_losses (d, state - d->f - d->l, step, column))
    for (int row = d->f + d->l; row < d->n; row++)
      error[row] = fmin (error[row], SMOOTH_ERROR * fabs (column[row]));
  for (int row = 0; row < d->n; row++)
    doubt[row] = fmax (doubt[row], error[row] * scale[state] / scale[row]);
  return status;
}

static void
name_states (const Differences *d, HlLinearization *lin)
{
  static const char *const parts[] = {"x", "y", "angle"};
  static const char *const units[2][3] = {{"m", "m", "rad"}, {"m/s", "m/s", "rad/s"}};
  const HlHybridExamination *e = d->e;
  const HlHybridRank *rank = hl_hybrid_solver_get_mode (e->solver)->rank;

  for (int k = 0; k < d->n; k++) {
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
      hl_hybrid_examination_state_name (e, state, text, sizeof text);
    if (is_flow)
      snprintf (text + strlen (text), sizeof text - strlen (text), ".flow");
    const char *unit = is_flow ? "m3/s" : units[velocity >= 0][column % 3];
    lin->state_names[k] = strcpy (malloc (strlen (text) + 1), text);
    lin->state_units[k] = strcpy (malloc (strlen (unit) + 1), unit);
    lin->scale[k] = velocity < 0 ? POSITION_SCALE : is_flow ? FLOW_SCALE : VELOCITY_SCALE;
    lin->reference[k] = d->y[k];
  }
}

static HlStatus
fill (Differences *d, HlLinearization *lin, double *error)
{
  double *doubt = calloc ((size_t)d->n + 1, sizeof *doubt);
  HlStatus status = HL_OK;

  name_states (d, lin);
  for (int state = 0; state < d->n && status == HL_OK; state++)
    status = fill_column (d, lin->scale, state, lin->J + (size_t)state * (size_t)d->n, doubt);
  *error = 0.0;
  for (int row = 0; row < d->n && status == HL_OK; row++) {
    double largest = 0.0;
    for (int k = 0; k < d->n; k++)
      largest = fmax (largest, fabs (lin->J[row + d->n * k]) * lin->scale[k] / lin->scale[row]);
    *error = fmax (*error, largest > 0.0 ? doubt[row] / largest : 0.0);
  }
  if (status == HL_OK)
    status = hl_linearization_analyse (lin, true, doubt);
  if (status == HL_OK)
    hl_linearization_name_nulls (lin, NULL, NULL);
  free (doubt);
  return status;
}

static void
differences_init (Differences *d, HlHybridExamination *e)
{
  const HlHybridNetwork *net = e->coupling->machine->net;

  *d = (Differences){.e = e, .f = e->work->f, .l = e->work->l};
  d->n_free = hl_hybrid_solver_get_reduction (e->solver)->n_free;
  d->n = d->f + d->l + d->n_free;
  size_t n = (size_t)d->n + 1, n_states = (size_t)net->n_states + 1;
  d->y = calloc (8 * n, sizeof (double));
  d->plus = d->y + n;
  d->minus = d->y + 2 * n;
  for (int k = 0; k < 3; k++)
    d->quotient[k] = d->y + (3 + (size_t)k) * n;
  d->force = calloc (4 * n_states, sizeof (double));
  d->rate = calloc (2 * (size_t)net->n_columns + 1, sizeof (double));
  memcpy (d->y, e->coupling->mech, (size_t)d->f * sizeof (double));
  memcpy (d->y + d->f, e->coupling->mech + 2 * d->f, (size_t)d->l * sizeof (double));
  memcpy (d->y + d->f + d->l, e->vbar, (size_t)d->n_free * sizeof (double));
}

HlHybridLinear *
hl_hybrid_linearize (const HlSystem *sys,
                     const HlHybridPlace *place,
                     const HlHybridChoice *choice,
                     HlFault *fault)
{
  HlHybridExamination *e = hl_hybrid_examination_new (sys, place, choice, fault);
  Differences d;

  if (e == NULL)
    return NULL;
  HlStatus status = e->status;
  HlHybridLinear *linear = NULL;
  if (status == HL_OK) {
    linear = calloc (1, sizeof *linear);
    differences_init (&d, e);
    linear->lin = hl_linearization_alloc (d.n, 0);
    status = fill (&d, linear->lin, &linear->error);
    free (d.y);
    free (d.force);
    free (d.rate);
  }
  if (status != HL_OK) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
    hl_hybrid_linear_free (linear);
    linear = NULL;
  }
  hl_hybrid_examination_free (e);
  return linear;
}

void
hl_hybrid_linear_free (HlHybridLinear *linear)
{
  if (linear == NULL)
    return;
  hl_linearization_free (linear->lin);
  free (linear);
}

/* --- neighbours --- */

static void
add_neighbour (const HlSystem *sys,
               const HlHybridPlace *place,
               const HlHybridChoice *choice,
               HlHybridNeighbour neighbour,
               HlHybridNeighbour list[],
               int *n)
{
  neighbour.linear = hl_hybrid_linearize (sys, place, choice, NULL);
  if (neighbour.linear != NULL)
    list[(*n)++] = neighbour;
}

int
hl_hybrid_find_neighbours (const HlSystem *sys,
                           const HlHybridPlace *place,
                           const HlHybridChoice *choice,
                           double reach,
                           HlHybridNeighbour **neighbours)
{
  HlHybridExamination *e = hl_hybrid_examination_new (sys, place, choice, NULL);
  int n = 0;

  *neighbours = NULL;
  if (e == NULL || e->status != HL_OK) {
    hl_hybrid_examination_free (e);
    return 0;
  }
  const HlHybridMachine *machine = e->coupling->machine;
  const HlHybridNetwork *net = machine->net;
  const HlHybridKey *key = &hl_hybrid_solver_get_mode (e->solver)->key;
  const double *stroke = hl_hybrid_solver_get_inputs (e->solver)->stroke;
  int n_cylinders = net->tables.n_cylinders;
  size_t most = (size_t)(net->tables.n_lines + 2 * n_cylinders) + 1;
  int *closed = calloc (most, sizeof *closed);
  HlHybridStop *stops = calloc (most, sizeof *stops);

  HlHybridPlace here = {.t = e->t, .x = e->work->x, .v = e->work->v, .flow = e->v};
  *neighbours = calloc (most, sizeof **neighbours);
  for (int slot = 0; slot < net->tables.n_lines + 2 * n_cylinders; slot++) {
    int stop = slot - net->tables.n_lines;
    HlHybridKey other = *key;
    HlHybridNeighbour neighbour = {.is_stop = stop >= 0, .upper = stop >= 0 && stop % 2 == 1};
    if (stop < 0) {
      HlHybridLineState state = hl_hybrid_key_get_line (net, key, slot);
      if (!hl_hybrid_line_is_one_sided (net, slot) || state == HL_HYBRID_LINE_SHUT)
        continue;
      neighbour.on = state == HL_HYBRID_LINE_OPEN;
      neighbour.component = hl_hybrid_machine_find_shutter (machine, sys, slot, false);
      hl_hybrid_key_set_line (net, &other, slot,
                              neighbour.on ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN);
    } else {
      const HlHybridCylinder *limits = &net->tables.cylinders[stop / 2];
      double gap = neighbour.upper ? limits->stroke_max - stroke[stop / 2]
                                   : stroke[stop / 2] - limits->stroke_min;
      neighbour.on = !hl_hybrid_key_has_stop (net, key, stop / 2, neighbour.upper);
      if (neighbour.on && !(gap <= reach))
        continue;
      neighbour.component = sys->cylinders[stop / 2].component;
      hl_hybrid_key_set_stop (net, &other, stop / 2, neighbour.upper, neighbour.on);
    }
    HlHybridChoice next = {.closed = closed, .stops = stops};
    for (int path = 0; path < net->tables.n_lines; path++)
      if (hl_hybrid_key_get_line (net, &other, path) != HL_HYBRID_LINE_OPEN)
        closed[next.n_closed++] = machine->paths[path].pipe;
    for (int k = 0; k < 2 * n_cylinders; k++)
      if (hl_hybrid_key_has_stop (net, &other, k / 2, k % 2 == 1))
        stops[next.n_stops++] = (HlHybridStop){sys->cylinders[k / 2].component, k % 2 == 1};
    add_neighbour (sys, &here, &next, neighbour, *neighbours, &n);
  }
  free (closed);
  free (stops);
  hl_hybrid_examination_free (e);
  return n;
}

void
hl_hybrid_neighbours_free (HlHybridNeighbour *neighbours, int n)
{
  for (int k = 0; k < n; k++)
    hl_hybrid_linear_free (neighbours[k].linear);
  free (neighbours);
}
