/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-linkage-terms.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-passages.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-feedback-signals.h"

/* Computes the rates of the irregular signals of pumps, along the motion of the work at time t, into
 * c->signal_rates; u_dot[n_component_states] as eval_feedback () left it. Leaves the work unchanged. */
static HlStatus find_irregular_rates (HlHybridCoupling *c, double t, const double u_dot[]);

/* Measures the machine at the poses and velocities of the work, with the pressures of the latest
 * answer, and evaluates what listens. u_dot[n_component_states] takes the rates of its states; NULL:
 * not requested. */
static void eval_feedback (HlHybridCoupling *c, double u_dot[]);

/* Finds the signals of pumps whose rates hl_signal_rate () does not return. */
static void find_irregular (HlHybridCoupling *c) {
  for (int k = 0; k < c->sys->n_components; k++) {
    const HlComponent *pump = &c->sys->components[k];
    for (int at = 0; pump->klass->delivers > 0 && at < pump->klass->n_signals; at++) {
      int signal = pump->signal[at];
      bool is_new = signal >= 0 && hl_hybrid_is_irregular (c->sys, signal);
      for (int known = 0; known < c->n_irregular; known++)
        is_new = is_new && c->irregular[known] != signal;
      if (is_new)
        c->irregular[c->n_irregular++] = signal;
    }
  }
}

HlHybridCoupling *hl_hybrid_coupling_new (const HlSystem *sys, HlWork *work, HlFault *fault) {
  HlHybridMachine *machine = hl_hybrid_machine_new (sys, work->f, fault);

  if (machine == NULL)
    return NULL;
  HlArena own = hl_arena_beside (&sys->arena);
  HlHybridCoupling *coupling = hl_arena_take (&own, 1, sizeof *coupling);
  HlArena *arena = &coupling->arena;
  *arena = own;
  coupling->sys = sys;
  coupling->work = work;
  coupling->machine = machine;
  coupling->shifted_signal = coupling->shifted_source = -1;
  coupling->mech = hl_arena_take (arena, 2 * work->f + work->l, sizeof (double));
  coupling->base = hl_arena_take (arena, 2 * work->f + work->l, sizeof (double));
  coupling->reach = hl_arena_take (arena, work->f, sizeof (double));
  coupling->gamma = hl_arena_take (arena, work->n, sizeof (double));
  coupling->signal_rates = hl_arena_take (arena, sys->n_signals, sizeof (double));
  coupling->commanded = hl_arena_take (arena, 2 * sys->n_signals, sizeof (double));
  coupling->listens = hl_hybrid_has_feedback (sys);
  coupling->irregular = hl_arena_take (arena, sys->n_signals, sizeof (int));
  coupling->irregular_rates = hl_arena_take (arena, sys->n_signals, sizeof (double));
  coupling->u_dot = hl_arena_take (arena, work->u, sizeof (double));
  coupling->u_base = hl_arena_take (arena, work->u, sizeof (double));
  coupling->ad_rates = hl_arena_take (arena, work->n, sizeof (double));
  coupling->back_rates = hl_arena_take (arena, work->u, sizeof (double));
  coupling->back_lift = hl_arena_take (arena, machine->net->tables.most_edges, sizeof (double));
  find_irregular (coupling);
  coupling->node_p = hl_arena_take (arena, machine->n_nodes, sizeof (double));
  coupling->ways = hl_hybrid_passages_new (sys, machine, arena);
  if (work->line_p == NULL)
    work->line_p = hl_arena_take (&work->arena, sys->n_lines, sizeof (double));
  return coupling;
}

void hl_hybrid_coupling_free (HlHybridCoupling *coupling) {
  if (coupling == NULL)
    return;
  hl_hybrid_machine_free (coupling->machine);
  HlArena arena = coupling->arena;
  hl_arena_clear (&arena);
}

/* Below this fraction of the sum of its terms an entry of s_x T counts as zero: the cylinder is at its dead
 * point, as exactly as positions can represent it. The rest of the entry is rounding and must not count as a
 * constraint on the linkage. */
#define NO_ARM 1.0e-12
/* Below this fraction the cylinder is near its dead point, but its length, which differs by the square of the
 * distance, cannot resolve on which side. Its lever arm does not hold the linkage either: rounding moves the
 * piston as far as the trapped oil allows, and the linkage passes the dead point. */
#define LITTLE_ARM 1.0e-7

/* Computes the row of s' over the independent velocities of all islands, s_x T, and the part of driven
 * joints. */
static void stroke_row (const HlHybridCoupling *c, int k, HlHybridInputs *in) {
  const HlMechanism *mech = &c->sys->mech;
  const HlCylinder *cyl = &c->sys->cylinders[k];
  const HlWork *work = c->work;
  int n_cylinders = c->sys->n_cylinders;

  for (int j = 0; j < work->f; j++)
    in->stroke_row[j * n_cylinders + k] = c->reach[j] = 0.0;
  in->stroke_drift[k] = 0.0;
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? cyl->body_i : cyl->body_j;
    if (body < 0)
      continue;
    int island = mech->island_of_body[body], local = 3 * mech->local_of_body[body];
    const HlIslandWork *iw = work->islands[island];
    const double *grad = work->cylinders[k].length.grad + 3 * side;
    for (int j = 0; j < iw->f; j++) {
      const double *rates = hl_island_velocity_column (iw, j) + local;
      int state = work->ai_state[island][j];
      for (int col = 0; col < 3; col++)
        in->stroke_row[state * n_cylinders + k] += grad[col] * rates[col];
      c->reach[state] += hypot (grad[0], grad[1]) * hypot (rates[0], rates[1]) + fabs (grad[2] * rates[2]);
    }
    for (int col = 0; iw->is_driven && col < 3; col++)
      in->stroke_drift[k] += grad[col] * iw->carried[local + col];
  }
  in->has_arm[k] = false;
  for (int j = 0; j < work->f; j++) {
    double arm = fabs (in->stroke_row[j * n_cylinders + k]);
    in->has_arm[k] = in->has_arm[k] || arm > LITTLE_ARM * c->reach[j];
    if (arm <= NO_ARM * c->reach[j])
      in->stroke_row[j * n_cylinders + k] = 0.0;
  }
}

static void reduced_mass (const HlHybridCoupling *c, HlHybridInputs *in) {
  const HlWork *work = c->work;
  int f = work->f;

  memset (in->mass, 0, (size_t)(f * f) * sizeof (double));
  for (int island = 0; island < c->sys->mech.n_islands; island++) {
    const HlIslandWork *iw = work->islands[island];
    for (int j = 0; j < iw->f; j++) {
      const double *MT = hl_island_momentum_column (iw, j);
      for (int k = 0; k < iw->f; k++) {
        const double *T = hl_island_velocity_column (iw, k);
        double sum = 0.0;
        for (int row = 0; row < iw->n; row++)
          sum += T[row] * MT[row];
        in->mass[work->ai_state[island][j] * f + work->ai_state[island][k]] = sum;
      }
      double sum = 0.0;
      for (int row = 0; iw->is_driven && row < iw->n; row++)
        sum += MT[row] * iw->carried[row];
      in->momentum[work->ai_state[island][j]] = sum;
    }
  }
}

static void place_oil (const HlHybridCoupling *c, HlHybridInputs *in) {
  const HlSystem *sys = c->sys;
  const HlHybridMachine *machine = c->machine;

  for (int node = 0; node < machine->n_nodes; node++)
    in->inflow[node] = in->inflow_rate[node] = in->node_pressure[node] = 0.0;
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    if (at->kind != HL_PASSAGE_PUMP || at->line_b < 0 || machine->has_law[at->component])
      continue;
    double Q = hl_work_pump_flow (c->work, at);
    double Q_rate = at->per_signal * c->signal_rates[at->signal];
    in->inflow[machine->node_of_line[at->line_b]] += Q;
    in->inflow_rate[machine->node_of_line[at->line_b]] += Q_rate;
    if (at->line_a < 0)
      continue;
    in->inflow[machine->node_of_line[at->line_a]] -= Q; /* a tank gives it */
    in->inflow_rate[machine->node_of_line[at->line_a]] -= Q_rate;
  }
  for (int k = 0; k < sys->n_sources; k++) {
    int line = sys->sources[k].line;
    if (line >= 0)
      in->node_pressure[machine->node_of_line[line]] =
          sys->sources[k].pressure + (k == c->shifted_source ? c->shift : 0.0);
  }
  if (c->ways != NULL)
    hl_hybrid_passages_place (c->ways, c->work, c->signal_rates, in);
  for (int k = 0; k < machine->n_paths; k++) {
    const HlHybridPath *path = &machine->paths[k];
    in->opening[k] = 1.0;
    in->extra_loss[k] = 0.0;
    for (int part = 0; part < path->n_parts; part++) {
      const HlPassage *at = &sys->passages[path->parts[part].passage];
      if (at->signal < 0)
        continue;
      double opening = fmin (fmax (hl_work_signal (c->work, at->signal), 0.0), 1.0);
      if (path->parts[part].passage == path->valve) {
        in->opening[k] = opening;
        continue;
      }
      double least = at->min_opening > 0.0 ? at->min_opening : HL_HYBRID_LEAST_OPENING;
      in->extra_loss[k] += 1.0 / pow (at->conductance * fmax (opening, least), 2.0);
    }
  }
}

/* Evaluates signals and their rates; of one input with the shift of a linearization. */
static void eval_signals (HlHybridCoupling *c, double t) {
  const HlSystem *sys = c->sys;
  HlWork *work = c->work;

  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t, work->signal_values);
  hl_signal_rate (sys->signals, sys->n_signals, work->segments, t, c->signal_rates);
  memset (work->spread, 0, (size_t)sys->n_signals * sizeof (double));
  if (c->shifted_signal < 0)
    return;
  work->spread[c->shifted_signal] = c->shift;
  hl_signal_spread (sys->signals, sys->n_signals, work->signal_values, work->spread);
  for (int k = 0; k < sys->n_signals; k++)
    (c->shifts_rate ? c->signal_rates : work->signal_values)[k] += work->spread[k];
  if (c->shifts_rate)
    memset (work->spread, 0, (size_t)sys->n_signals * sizeof (double));
}

/* Adds the change of driven joints by the shift of a linearization. */
static void add_shifted_drive (HlHybridCoupling *c) {
  const HlMechanism *mech = &c->sys->mech;

  for (int k = 0; k < mech->n_islands && c->shifted_drive != NULL; k++)
    for (int local = 0; local < mech->islands[k].n_rows; local++)
      for (int order = 0; order < 3; order++)
        c->work->islands[k]->drive[3 * local + order] +=
            c->shift * c->shifted_drive[3 * mech->islands[k].rows[local] + order];
}

/* Poses, and what driven joints make of velocities. */
static HlStatus place_bodies (HlHybridCoupling *c, double t) {
  HlWork *work = c->work;

  hl_stage_drives (c->sys, work, t);
  add_shifted_drive (c);
  HlStatus status = hl_stage_positions (c->sys, c->mech, work, &c->fault);
  for (int island = 0; island < work->n_islands && status == HL_OK; island++)
    if (work->islands[island]->is_driven)
      hl_island_carry (work->islands[island]);
  return status;
}

static HlStatus update_pose (void *data, double t, HlHybridInputs *in) {
  HlHybridCoupling *c = data;
  HlWork *work = c->work;

  eval_signals (c, t);
  in->straight_at = c->straight_at;
  HlStatus status = place_bodies (c, t);
  if (status != HL_OK)
    return status;
  for (int k = 0; k < c->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &c->sys->cylinders[k];
    hl_stage_line_of_action (cyl, work, &work->cylinders[k].length);
    in->stroke[k] = work->cylinders[k].length.s;
    stroke_row (c, k, in);
  }
  reduced_mass (c, in);
  if (c->listens)
    eval_feedback (c, NULL);
  place_oil (c, in);
  return HL_OK;
}

/* Evaluates the signals for the present motion and the latest pressures: openings, and rates of pump
 * flows. Pump flows do not change, because no pump depends on a speed or a pressure without delay. */
static HlStatus eval_signals_in_motion (HlHybridCoupling *c, double t, HlHybridInputs *in) {
  HlStatus status = HL_OK;

  for (int k = 0; k < c->sys->n_cylinders; k++)
    hl_stage_line_of_action (&c->sys->cylinders[k], c->work, &c->work->cylinders[k].length);
  if (c->listens)
    eval_feedback (c, c->u_dot);
  if (c->n_irregular > 0)
    status = find_irregular_rates (c, t, c->u_dot);
  place_oil (c, in);
  return status;
}

static HlStatus move_bodies (HlHybridCoupling *c, double t, const double v[], HlHybridInputs *in) {
  HlWork *work = c->work;
  const HlMechanism *mech = &c->sys->mech;

  memcpy (c->mech + work->f, v + c->machine->n_paths, (size_t)work->f * sizeof (double));
  hl_stage_velocities (c->sys, c->mech, work);
  HlStatus status = c->listens || c->n_irregular > 0 ? eval_signals_in_motion (c, t, in) : HL_OK;
  if (status == HL_OK)
    status = hl_stage_loads (c->sys, work, &c->fault);
  if (status != HL_OK)
    return status;
  for (int island = 0; island < mech->n_islands; island++)
    for (int row = 0; row < work->islands[island]->n; row++)
      c->gamma[3 * mech->islands[island].bodies[row / 3] + row % 3] = work->islands[island]->gamma[row];
  for (int k = 0; k < c->sys->n_cylinders; k++) {
    const HlCylinder *cyl = &c->sys->cylinders[k];
    HlLength *length = &work->cylinders[k].length;
    const HlFrame *fi = hl_work_frame (work, cyl->body_i), *fj = hl_work_frame (work, cyl->body_j);
    double gamma6[6];

    hl_stage_line_of_action (cyl, work, length);
    hl_stage_push (c->sys, work, k, hl_cylinder_vent (cyl));
    hl_gather6 (c->gamma, cyl->body_i, cyl->body_j, gamma6);
    /* an angle grows by the accelerations alone */
    in->stroke_bias[k] = cyl->is_rotary ? 0.0 : hl_length_bias (length, fi->w, fj->w);
    for (int col = 0; col < 6; col++)
      in->stroke_bias[k] += length->grad[col] * gamma6[col];
  }
  for (int island = 0; island < mech->n_islands; island++) {
    const HlIslandWork *iw = work->islands[island];
    for (int j = 0; j < iw->f; j++) {
      const double *T = hl_island_velocity_column (iw, j), *MT = hl_island_momentum_column (iw, j);
      double sum = 0.0;
      for (int row = 0; row < iw->n; row++)
        sum += T[row] * work->force[3 * mech->islands[island].bodies[row / 3] + row % 3] -
               MT[row] * iw->gamma[row];
      in->force[work->ai_state[island][j]] = sum;
    }
  }
  return HL_OK;
}

static HlStatus update_motion (void *data, double t, const double v[], HlHybridInputs *in) {
  HlHybridCoupling *c = data;
  HlStatus status = move_bodies (c, t, v, in);

  if (status == HL_OK && c->ways != NULL && hl_hybrid_passages_hear (c->ways))
    place_oil (c, in); /* the latest pressures give the rate at which pumps swing back */
  if (status == HL_OK && c->ways != NULL)
    status = hl_hybrid_passages_move (c->ways, c->work, v, in, &c->fault);
  return status;
}

/* Length of the regularized step [s]; poses do not change in it. */
#define MOMENT 1.0e-7

static HlStatus regularized_step (void *data, double t, const HlHybridKey *key, const double v[],
                                  HlHybridInputs *in) {
  HlHybridCoupling *c = data;
  HlStatus status = move_bodies (c, t, v, in);

  return status == HL_OK ? hl_hybrid_passages_take_regularized_step (c->ways, c->work, key, v, MOMENT, in)
                         : status;
}

static HlStatus step_back (void *data, double t, const HlHybridKey *key, const double v[], int edge,
                           HlHybridInputs *in, double p[]);

static bool answer (void *data, const double multiplier[], int round, HlHybridInputs *in) {
  HlHybridCoupling *c = data;
  int worst;
  bool is_new = hl_hybrid_passages_answer (c->ways, multiplier, round, in, &worst);

  if (is_new && round == HL_HYBRID_MOST_ANSWERS - 1 && worst >= 0) {
    hl_fault_set (&c->fault, HL_NO_CONVERGENCE, HL_ENTITY_LINE, c->machine->line_of_node[worst], 0.0);
    c->fault.why =
        HL_TEXT ("the pressure of this line opens a valve or is measured by a controller, and the valve or "
                 "the controller changes this pressure without delay: no pressure is a solution");
    c->fault.mend =
        HL_TEXT ("throttle the pilot line, give the sensor a time constant, or use the lumped oil model");
  }
  return is_new;
}

static void lift (void *data, const HlHybridInputs *in, double out[]) {
  HlHybridCoupling *c = data;
  hl_hybrid_passages_lift (c->ways, c->work, in, out);
}

static void compliance (void *data, double out[]) {
  const HlHybridCoupling *c = data;

  for (int node = 0; node < c->machine->n_nodes; node++)
    out[node] = node < c->machine->n_line_nodes && !c->machine->net->tables.node_is_fixed[node]
                    ? hl_hybrid_compliance (c->sys, c->machine, c->work, node, c->node_p[node])
                    : 0.0;
}

static void lift_at (void *data, const double p[], double out[]) {
  HlHybridCoupling *c = data;

  hl_hybrid_passages_lift_at (c->ways, c->work, p, out);
}

static void preload (void *data, const double p[]) {
  HlHybridCoupling *c = data;

  memcpy (c->node_p, p, (size_t)c->machine->n_nodes * sizeof (double));
  if (c->ways != NULL)
    hl_hybrid_passages_set_pressures (c->ways, p);
}

void hl_hybrid_coupling_start (HlHybridCoupling *c, const HlPoint *point) {
  const HlSystem *sys = c->sys;

  for (int node = 0; node < c->machine->n_line_nodes; node++) {
    const HlNode *of = &sys->nodes[sys->lines[c->machine->line_of_node[node]].node];
    c->node_p[node] = of->state >= 0 ? point->p[of->state] : of->given;
  }
  for (int state = 0; state < c->work->u; state++)
    if (c->machine->node_of_state[state] >= 0)
      c->node_p[c->machine->node_of_state[state]] = point->u[state];
  if (c->ways != NULL)
    hl_hybrid_passages_start (c->ways, c->work, point);
}

HlHybridPlant hl_hybrid_coupling_plant (HlHybridCoupling *coupling) {
  return (HlHybridPlant){.data = coupling,
                         .place = update_pose,
                         .move = update_motion,
                         .answer = coupling->ways != NULL ? answer : NULL,
                         .lift = lift,
                         .compliance = compliance,
                         .lift_at = coupling->ways != NULL ? lift_at : NULL,
                         .preload = preload,
                         .step_back = coupling->ways != NULL ? step_back : NULL,
                         .regularized_step = coupling->ways != NULL ? regularized_step : NULL};
}

void hl_hybrid_coupling_find_shut (HlHybridCoupling *c, double t, bool shut[]) {
  const HlSystem *sys = c->sys;
  double *values = c->commanded, *rates = values + sys->n_signals;

  hl_signal_eval (sys->signals, sys->n_signals, c->work->segments, t, values);
  hl_signal_rate (sys->signals, sys->n_signals, c->work->segments, t, rates);
  for (int k = 0; k < c->machine->n_paths; k++) {
    shut[k] = false;
    for (int part = 0; part < c->machine->paths[k].n_parts; part++) {
      int signal = sys->passages[c->machine->paths[k].parts[part].passage].signal;
      if (signal >= 0 && values[signal] <= 0.0 && rates[signal] <= 0.0)
        shut[k] = true;
    }
  }
}

/* Signals that listen. Positions, velocities and states are at hand when signals are evaluated;
 * pressures are those of the latest answer, and the solver iterates until they agree with their effect.
 *
 * The flow of a pump is part of b, theory/hybrid.md (3), and its rate of (9): with a signal s (t, x,
 * u) that listens it is
 *
 *   ds/dt = (s (t + h, x + h x', u + h u') - s (t - h, x - h x', u - h u'))/2h */

#define RATE_STEP 1.0e-5 /* [s] */

/* ---- values ---- */

/* Sets the quantities of the work that sensors measure, except poses and velocities. */
static void show_machine (HlHybridCoupling *c) {
  const HlSystem *sys = c->sys;
  HlWork *work = c->work;

  for (int k = 0; k < sys->n_cylinders; k++) {
    work->cylinders[k].rod = work->cylinders[k].length.s;
    work->cylinders[k].rod_rate = work->cylinders[k].length.rate;
  }
  for (int line = 0; line < sys->n_lines; line++) {
    int node = c->machine->node_of_line[line];
    if (node >= 0)
      work->node_p[sys->lines[line].node] = work->line_p[line] = hl_hybrid_passages_latest (c->ways, node);
  }
}

static void eval_feedback (HlHybridCoupling *c, double u_dot[]) {
  show_machine (c);
  hl_feedback_eval (c->sys, c->work, u_dot);
  /* a linearization shifts one of them */
  if (c->shifted_signal >= 0 && !c->shifts_rate && c->sys->signals[c->shifted_signal].listens)
    c->work->signal_values[c->shifted_signal] += c->shift;
}

/* ---- rates ---- */

/* Evaluates the signals at t + h, with the machine extrapolated by h with its velocities at `base`. */
static HlStatus signals_at (HlHybridCoupling *c, double t, double h, const double u_dot[]) {
  const HlSystem *sys = c->sys;
  HlWork *work = c->work;
  const double *x_ad = c->base + 2 * work->f;

  for (int k = 0; k < work->f; k++)
    c->mech[k] = c->base[k] + h * c->base[work->f + k];
  for (int k = 0; k < work->l; k++)
    c->mech[2 * work->f + k] = x_ad[k] + h * c->ad_rates[k];
  for (int state = 0; state < work->u; state++)
    work->component_u[state] = c->u_base[state] + (h != 0.0 ? h * u_dot[state] : 0.0);
  hl_stage_drives (sys, work, t + h);
  HlStatus status = hl_stage_positions (sys, c->mech, work, &c->fault);
  if (status != HL_OK)
    return status;
  hl_stage_velocities (sys, c->mech, work);
  for (int k = 0; k < sys->n_cylinders; k++)
    hl_stage_line_of_action (&sys->cylinders[k], work, &work->cylinders[k].length);
  eval_signals (c, t + h);
  eval_feedback (c, NULL);
  return HL_OK;
}

/* Keeps the machine as it is, for signals_at (). */
static void keep_base (HlHybridCoupling *c) {
  const HlWork *work = c->work;

  memcpy (c->base, c->mech, (size_t)(2 * work->f + work->l) * sizeof (double));
  memcpy (c->u_base, work->component_u, (size_t)work->u * sizeof (double));
  for (int k = 0; k < work->l; k++)
    c->ad_rates[k] = work->v[work->ad_column[k]];
}

static HlStatus find_irregular_rates (HlHybridCoupling *c, double t, const double u_dot[]) {
  HlWork *work = c->work;
  HlStatus status = HL_OK;

  keep_base (c);
  for (int side = -1; side <= 1 && status == HL_OK; side += 2) {
    status = signals_at (c, t, side * RATE_STEP, u_dot);
    for (int k = 0; k < c->n_irregular; k++) {
      int signal = c->irregular[k];
      double part = side * work->signal_values[signal] / (2.0 * RATE_STEP);
      c->irregular_rates[k] = side < 0 ? part : c->irregular_rates[k] + part;
    }
  }
  HlStatus restored = signals_at (c, t, 0.0, u_dot);
  for (int k = 0; k < c->n_irregular; k++)
    c->signal_rates[c->irregular[k]] = c->irregular_rates[k];
  return status != HL_OK ? status : restored;
}

/* ---- what a spool traps ---- */

/* Times by which is stepped back from where an edge has shut: the first one from which on it is open so far, or the longest [s]. */
#define SHORTEST_BACK 1.0e-6
#define LONGEST_BACK 1.0e-3
#define TIMES_LONGER 10.0
#define OPEN_SO_FAR 1.0e-5

/* Computes the pressures at an event as a limit. As a spool closes a valve, the flow through it goes to 0
 * with the opening, and the pressures go to a limit. At the event the opening is of the order of the
 * tolerance, and any pressure fits the rest of the flow. The limit follows from accelerations: the opening at
 * t - h passes the flow that they remove within h, theory/hybrid.md (27a). */
static HlStatus step_back (void *data, double t, const HlHybridKey *key, const double v[], int edge,
                           HlHybridInputs *in, double p[]) {
  HlHybridCoupling *c = data;
  double *lift = c->back_lift, moment = SHORTEST_BACK;
  HlStatus status = move_bodies (c, t, v, in);

  if (status != HL_OK)
    return status;
  hl_hybrid_passages_state_rates (c->ways, c->work, in, c->u_dot, c->back_rates);
  hl_hybrid_passages_lift (c->ways, c->work, in, lift);
  double now = lift[edge];
  keep_base (c);
  status = signals_at (c, t, -moment, c->back_rates);
  hl_hybrid_passages_lift (c->ways, c->work, in, lift);
  while (status == HL_OK && lift[edge] < OPEN_SO_FAR && moment < LONGEST_BACK) {
    moment = fmin (TIMES_LONGER * moment, LONGEST_BACK);
    status = signals_at (c, t, -moment, c->back_rates);
    hl_hybrid_passages_lift (c->ways, c->work, in, lift);
  }
  /* the event is not where the opening is 0 */
  double back = moment * (lift[edge] + HL_LEAST_OPENING) / (lift[edge] - now);
  if (status == HL_OK)
    status = lift[edge] > now ? hl_hybrid_passages_take_regularized_step (c->ways, c->work, key, v, -back, in)
                              : HL_NO_CONVERGENCE;
  for (int node = 0; node < c->machine->n_nodes && status == HL_OK; node++)
    p[node] = hl_hybrid_passages_latest (c->ways, node);
  HlStatus restored = signals_at (c, t, 0.0, c->back_rates);
  return status != HL_OK ? status : restored;
}
