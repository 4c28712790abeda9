/* SPDX-License-Identifier: MIT */
/* Evaluation of one mode: assembles the active columns of W, reduces, recovers the multipliers. */
#include "core/hybrid/hl-hybrid-solver.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-lcp.h"
#include "core/hybrid/hl-hybrid-solver-private.h"

/* A dropped column that present velocities violate by this part of their size, or would within the
 * time below, has a hold again that the analysis has not seen. */
#define HOLD_TOLERANCE 1e-7
#define HOLD_TIME 1e-3 /* [s] */
#define AT_ONCE 1e-9   /* [s] */
/* A dropped column may be violated by this part of its size before the mode counts as
 * contradictory. */
#define CONSISTENCY_TOLERANCE 1e-9

static double *reals (HlHybridSolver *solver, int n) {
  return hl_arena_take (&solver->arena, n, sizeof (double));
}

static void frame_init (HlHybridSolver *solver, HlHybridFrame *frame) {
  const HlHybridNetwork *net = solver->net;

  frame->red = hl_hybrid_reduction_new (&net->arena, net->n_states, net->n_columns);
  frame->w = reals (solver, net->n_states * net->n_columns);
  frame->b = reals (solver, net->n_columns);
  frame->rate = reals (solver, net->n_columns);
  frame->lam = reals (solver, net->n_columns);
}

static void contacts_init (HlHybridSolver *solver, int n_slots, int n_states) {
  HlArena *arena = &solver->arena;

  solver->contacts = hl_arena_take (arena, n_slots, sizeof (HlHybridContact));
  solver->normal = reals (solver, n_states * n_slots);
  solver->response = reals (solver, 2 * n_states * n_slots);
  solver->lcp_a = reals (solver, n_slots * n_slots);
  solver->lcp_q = reals (solver, 4 * n_slots);
  solver->lcp_y = reals (solver, n_slots);
  solver->lcp_scratch = reals (solver, hl_hybrid_lcp_scratch_size (n_slots));
  solver->lcp_index = hl_arena_take (arena, hl_hybrid_lcp_index_size (n_slots), sizeof (int));
  solver->lcp_basic = hl_arena_take (arena, n_slots, sizeof (bool));
  solver->lcp_member = hl_arena_take (arena, n_slots, sizeof (int));
  solver->held = hl_arena_take (arena, n_slots, sizeof (bool));
}

/* Cache of modes. In an FMU its size is fixed at start. */
#ifndef HL_HYBRID_KEPT_MODES
#define HL_HYBRID_KEPT_MODES 0
#endif

static void init_cache (HlHybridSolver *solver) {
  solver->cache = hl_hybrid_mode_cache_new (solver->net, HL_HYBRID_KEPT_MODES);
  hl_hybrid_mode_cache_use (solver->cache, &solver->mode);
  hl_hybrid_mode_cache_use (solver->cache, &solver->frame.mode);
  hl_hybrid_mode_cache_use (solver->cache, &solver->base.mode);
}

HlHybridSolver *hl_hybrid_solver_new (const HlHybridNetwork *net, HlHybridPlant plant) {
  HlArena own = hl_arena_beside (&net->arena), *arena;
  HlHybridSolver *solver = hl_arena_take (&own, 1, sizeof *solver);
  int n = net->n_states;

  solver->arena = own;
  arena = &solver->arena;
  solver->net = net;
  solver->plant = plant;
  solver->in = hl_hybrid_inputs_new (net);
  init_cache (solver);
  solver->inertia = reals (solver, net->tables.n_lines);
  for (int line = 0; line < net->tables.n_lines; line++)
    solver->inertia[line] = net->tables.lines[line].inertia;
  solver->mass = (HlHybridMass){.n_lines = net->tables.n_lines,
                                .n_mech = net->tables.n_mech,
                                .inertia = solver->inertia,
                                .mass = solver->in->mass};
  solver->scale = reals (solver, n);
  frame_init (solver, &solver->frame);
  frame_init (solver, &solver->base);
  solver->v = reals (solver, n);
  solver->force = reals (solver, n);
  solver->vbar_dot = reals (solver, n);
  solver->v_dot = reals (solver, n);
  solver->multiplier = reals (solver, net->n_columns);
  contacts_init (solver, net->most_slots, n);
  solver->push = reals (solver, n);
  solver->state_a = reals (solver, n);
  solver->state_b = reals (solver, n);
  solver->column_a = reals (solver, net->n_columns);
  solver->rank_scratch = reals (solver, hl_hybrid_mode_scratch_size (net));
  solver->contradiction = hl_arena_take (arena, net->n_columns, sizeof (int));
  solver->first_contradiction = hl_arena_take (arena, net->n_columns, sizeof (int));
  solver->released = hl_arena_take (arena, net->n_columns, sizeof (int));
  solver->v_file = reals (solver, n);
  solver->v_before = reals (solver, n);
  solver->last_time = NAN;
  solver->lift = reals (solver, net->tables.most_edges);
  hl_hybrid_preload_init (solver);
  return solver;
}

void hl_hybrid_solver_free (HlHybridSolver *solver) {
  if (solver == NULL)
    return;
  HlArena arena = solver->arena;
  hl_hybrid_reduction_free (solver->frame.red);
  hl_hybrid_reduction_free (solver->base.red);
  hl_hybrid_mode_cache_free (solver->cache);
  hl_hybrid_inputs_free (solver->in);
  hl_arena_clear (&arena);
}

void hl_hybrid_solver_renew (HlHybridSolver *solver) {
  HlHybridKey key = {{0}};

  if (solver->mode != NULL)
    key = solver->mode->key;
  hl_hybrid_mode_cache_clear (solver->cache);
  if (solver->mode != NULL)
    solver->mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &key);
  solver->in->group = solver->mode != NULL ? solver->mode->group : NULL;
  solver->in->key = solver->mode != NULL ? &solver->mode->key : NULL;
  solver->frame.mode = solver->base.mode = solver->mode;
  solver->last_time = NAN;
  solver->n_at_last_time = 0;
}

/* ---- frames ---- */

int hl_hybrid_frame_find_column (const HlHybridFrame *frame, int column) {
  for (int k = 0; k < frame->mode->n_active; k++)
    if (frame->mode->columns[k] == column)
      return k;
  return -1;
}

HlStatus hl_hybrid_solver_place (HlHybridSolver *solver, double t) {
  HlStatus status = solver->plant.place (solver->plant.data, t, solver->in);

  if (status != HL_OK)
    return status;
  for (int state = 0; state < solver->net->n_states; state++) {
    double inertia = hl_hybrid_mass_diagonal (&solver->mass, state);
    if (!(inertia > 0.0))
      return isnan (inertia) ? HL_NOT_FINITE : HL_BAD_MODEL;
    solver->scale[state] = 1.0 / sqrt (inertia);
  }
  return HL_OK;
}

bool hl_hybrid_frame_violates (const HlHybridSolver *solver, const HlHybridFrame *frame, int k,
                               const double v[], double part, double speed) {
  const double *w = frame->w + solver->net->n_states * k;

  return fabs (frame->b[k] + hl_hybrid_dot (solver, w, v)) >
         part * (fabs (frame->b[k]) + hl_hybrid_force_norm (solver, w) * speed);
}

/* Returns whether the dropped columns hold for the particular velocities too. */
static bool frame_is_consistent (HlHybridSolver *solver, HlHybridFrame *frame) {
  const HlHybridRank *rank = frame->mode->rank;
  int n = solver->net->n_states;
  double *v = solver->state_a;

  if (rank->n_null == 0)
    return true;
  memset (solver->state_b, 0, (size_t)n * sizeof (double));
  hl_hybrid_reduce_velocity (frame->red, frame->b, solver->state_b, v);
  double speed = hl_hybrid_velocity_norm (solver, v);
  for (int k = 0; k < rank->n_columns; k++)
    if (hl_hybrid_frame_violates (solver, frame, k, v, CONSISTENCY_TOLERANCE, speed))
      return false;
  return true;
}

void hl_hybrid_record_contradiction (HlHybridSolver *solver, const HlHybridFrame *frame, const double b[]) {
  const HlHybridRank *rank = frame->mode->rank;
  int null_idx = hl_hybrid_rank_find_contradiction (rank, b);

  solver->n_contradiction = 0;
  for (int k = 0; k < rank->n_columns && null_idx >= 0; k++)
    if (hl_hybrid_rank_is_in_support (rank, null_idx, k))
      solver->contradiction[solver->n_contradiction++] = frame->mode->columns[k];
}

static void frame_assemble (HlHybridSolver *solver, HlHybridFrame *frame,
                            void (*assemble) (const HlHybridNetwork *net, const HlHybridInputs *in,
                                              int column, double w[])) {
  for (int k = 0; k < frame->mode->n_active; k++)
    assemble (solver->net, solver->in, frame->mode->columns[k], frame->w + solver->net->n_states * k);
}

static HlStatus frame_reduce (HlHybridSolver *solver, HlHybridFrame *frame) {
  HlStatus status = hl_hybrid_reduce_factor (frame->red, frame->mode->rank, frame->w);

  if (status == HL_OK)
    status = hl_hybrid_reduce_mass (frame->red, &solver->mass);
  if (status == HL_OK && !frame_is_consistent (solver, frame))
    status = HL_INFEASIBLE;
  return status;
}

static bool all_have_arms (const HlHybridSolver *solver) {
  for (int k = 0; k < solver->net->tables.n_cylinders; k++)
    if (!solver->in->has_arm[k])
      return false;
  return true;
}

/* Analyses a frame. Near a dead point the rank is that without the lever arms that are too short to hold
 * anything. If a column is redundant without them, these arms are set to zero: otherwise the dropped column
 * would be violated in proportion to them, and oil would flow through a closed valve. */
static void frame_analyze (HlHybridSolver *solver, HlHybridFrame *frame) {
  HlHybridMode *mode = frame->mode;
  bool is_whole = all_have_arms (solver);

  if (!is_whole)
    frame_assemble (solver, frame, hl_hybrid_column_assemble_hold);
  hl_hybrid_mode_analyze (solver->net, mode, frame->w, solver->in->has_arm, solver->scale,
                          solver->rank_scratch);
  if (!is_whole && mode->rank->n_null == 0)
    frame_assemble (solver, frame, hl_hybrid_column_assemble);
}

HlStatus hl_hybrid_frame_set (HlHybridSolver *solver, HlHybridFrame *frame, HlHybridMode *mode,
                              bool may_analyze) {
  HlStatus status = HL_SINGULAR;
  bool is_known = hl_hybrid_mode_is_known (solver->net, mode, solver->in->has_arm);
  bool is_without = is_known && mode->rank->n_null > 0 && !all_have_arms (solver);

  frame->mode = mode;
  solver->in->group = mode->group;
  solver->in->key = &mode->key;
  for (int edge = 0; edge < solver->net->tables.n_edges; edge++)
    solver->in->edge_is_open[edge] = hl_hybrid_key_is_open (solver->net, &mode->key, edge);
  frame_assemble (solver, frame, is_without ? hl_hybrid_column_assemble_hold : hl_hybrid_column_assemble);
  for (int k = 0; k < mode->n_active; k++)
    frame->b[k] = hl_hybrid_column_inflow (solver->net, solver->in, mode->columns[k]);
  if (may_analyze ? is_known : mode->is_analyzed)
    status = frame_reduce (solver, frame);
  if (may_analyze &&
      (status != HL_OK || hl_hybrid_reduce_quality (frame->red, &solver->mass) > HL_HYBRID_POOR_CHOICE)) {
    frame_analyze (solver, frame);
    status = frame_reduce (solver, frame);
  }
  if (status == HL_INFEASIBLE)
    hl_hybrid_record_contradiction (solver, frame, frame->b);
  return status;
}

void hl_hybrid_frame_accelerate (HlHybridSolver *solver, HlHybridFrame *frame, const double extra_force[]) {
  const HlHybridMode *mode = frame->mode;

  hl_hybrid_force_eval (solver->net, solver->in, solver->v, solver->force);
  for (int i = 0; i < solver->net->n_states && extra_force != NULL; i++)
    solver->force[i] += extra_force[i];
  for (int k = 0; k < mode->n_active; k++)
    frame->rate[k] = hl_hybrid_column_rate (solver->net, solver->in, mode->columns[k]);
  hl_hybrid_reduce_acceleration (frame->red, &solver->mass, frame->rate, solver->force, solver->vbar_dot,
                                 solver->v_dot, frame->lam);
}

/* ---- evaluation ---- */

static HlStatus finish_instant (HlHybridSolver *solver, double t, HlHybridInstant *now) {
  bool is_new = true;

  /* laws that depend on a pressure determined by the accelerations are evaluated again with it */
  for (int round = 0; round < HL_HYBRID_MOST_ANSWERS && is_new; round++) {
    HlStatus status = solver->plant.move (solver->plant.data, t, solver->v, solver->in);
    if (status != HL_OK)
      return status;
    hl_hybrid_frame_accelerate (solver, &solver->frame, NULL);
    for (int column = 0; column < solver->net->n_columns; column++)
      solver->multiplier[column] = NAN;
    for (int j = 0; j < solver->mode->n_active; j++)
      solver->multiplier[solver->mode->columns[j]] = solver->frame.lam[j];
    is_new = solver->plant.answer != NULL &&
             solver->plant.answer (solver->plant.data, solver->multiplier, round, solver->in);
  }
  if (is_new)
    return HL_NO_CONVERGENCE;
  for (int i = 0; i < solver->net->n_states; i++)
    if (!isfinite (solver->v_dot[i]))
      return HL_NOT_FINITE;
  if (now != NULL)
    *now = (HlHybridInstant){.n_free = solver->frame.red->n_free,
                             .v = solver->v,
                             .vbar_dot = solver->vbar_dot,
                             .v_dot = solver->v_dot,
                             .multiplier = solver->multiplier};
  return HL_OK;
}

HlStatus hl_hybrid_solver_evaluate (HlHybridSolver *solver, double t, const double v[]) {
  if (v != solver->v)
    memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
  return finish_instant (solver, t, NULL);
}

static HlStatus prepare_instant (HlHybridSolver *solver, double t) {
  assert (solver->mode != NULL);
  HlStatus status = hl_hybrid_solver_place (solver, t);
  if (status == HL_OK)
    status = hl_hybrid_frame_set (solver, &solver->frame, solver->mode, false);
  return status;
}

static HlStatus report_fault (HlStatus status, double t, HlFault *fault) {
  if (status != HL_OK && fault != NULL) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
    fault->time = t;
  }
  return status;
}

HlStatus hl_hybrid_solver_eval (HlHybridSolver *solver, double t, const double vbar[], HlHybridInstant *now,
                                HlFault *fault) {
  HlStatus status = prepare_instant (solver, t);

  if (status == HL_OK) {
    hl_hybrid_reduce_velocity (solver->frame.red, solver->frame.b, vbar, solver->v);
    status = finish_instant (solver, t, now);
  }
  return report_fault (status, t, fault);
}

/* Records the null vector that made a column redundant at the position where the rank was found. */
static void record_lost_hold (HlHybridSolver *solver, int column) {
  const HlHybridMode *mode = solver->frame.mode;
  const HlHybridRank *rank = mode->rank;
  int null_idx = 0;

  while (null_idx < rank->n_null - 1 && !hl_hybrid_rank_is_in_support (rank, null_idx, column))
    null_idx++;
  solver->has_lost_hold = true;
  solver->n_contradiction = 0;
  for (int k = 0; k < rank->n_columns; k++)
    if (hl_hybrid_rank_is_in_support (rank, null_idx, k))
      solver->contradiction[solver->n_contradiction++] = mode->columns[k];
}

HlStatus hl_hybrid_solver_check_hold (HlHybridSolver *solver) {
  const HlHybridFrame *frame = &solver->frame;
  const HlHybridRank *rank = frame->mode->rank;
  int n_kept = 0;

  if (rank->n_null == 0)
    return HL_OK;
  double speed = hl_hybrid_velocity_norm (solver, solver->v);
  double force = hl_hybrid_force_norm (solver, solver->force);
  double soon = speed + HOLD_TIME * force;
  for (int k = 0; k < rank->n_columns; k++) {
    const double *w = frame->w + solver->net->n_states * k;
    if (n_kept < rank->rank && rank->kept[n_kept] == k) {
      n_kept++;
      continue;
    }
    double change = frame->rate[k] + hl_hybrid_dot (solver, w, solver->v_dot);
    double later = fabs (frame->b[k]) + hl_hybrid_force_norm (solver, w) * soon;
    /* where a driven joint turns round all speeds pass through 0, and what is left is rounding */
    if (!hl_hybrid_frame_violates (solver, frame, k, solver->v, HOLD_TOLERANCE, speed + AT_ONCE * force) &&
        HOLD_TIME * fabs (change) <= HOLD_TOLERANCE * later)
      continue;
    record_lost_hold (solver, k);
    return HL_INFEASIBLE;
  }
  return HL_OK;
}

HlStatus hl_hybrid_solver_eval_full (HlHybridSolver *solver, double t, const double v[], HlHybridInstant *now,
                                     HlFault *fault) {
  HlStatus status = prepare_instant (solver, t);

  if (status == HL_OK) {
    if (v != solver->v)
      memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
    status = finish_instant (solver, t, now);
  }
  return report_fault (status, t, fault);
}

HlStatus hl_hybrid_solver_set_mode (HlHybridSolver *solver, double t, const HlHybridKey *key,
                                    HlFault *fault) {
  HlStatus status = hl_hybrid_solver_place (solver, t);

  if (status == HL_OK) {
    solver->mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
    status = hl_hybrid_frame_set (solver, &solver->frame, solver->mode, true);
  }
  return report_fault (status, t, fault);
}

HlStatus hl_hybrid_solver_reselect (HlHybridSolver *solver, double t, HlFault *fault) {
  HlStatus status = hl_hybrid_solver_place (solver, t);

  if (status == HL_OK) {
    solver->mode->is_analyzed = false;
    status = hl_hybrid_frame_set (solver, &solver->frame, solver->mode, true);
  }
  return report_fault (status, t, fault);
}

/* ---- questions ---- */

const HlHybridInputs *hl_hybrid_solver_get_inputs (const HlHybridSolver *solver) {
  return solver->in;
}

const HlHybridMode *hl_hybrid_solver_get_mode (const HlHybridSolver *solver) {
  return solver->mode;
}

int hl_hybrid_solver_get_contradiction (const HlHybridSolver *solver, const int **columns) {
  *columns = solver->contradiction;
  return solver->n_contradiction;
}

bool hl_hybrid_solver_has_lost_hold (const HlHybridSolver *solver) {
  return solver->has_lost_hold;
}

int hl_hybrid_solver_select (const HlHybridSolver *solver, const double v[], double vbar[]) {
  const HlHybridRank *rank = solver->mode->rank;
  int n_free = rank->n_states - rank->rank;

  for (int j = 0; j < n_free; j++)
    vbar[j] = v[rank->independent[j]];
  return n_free;
}

const HlHybridReduction *hl_hybrid_solver_get_reduction (const HlHybridSolver *solver) {
  return solver->frame.red;
}

/* ---- event functions ---- */

/* A gap whose speed every free motion changes by less than this part of what it could is held by
 * the constraints. */
#define HELD_TOLERANCE 1e-10
/* Flows and reactions below this part of what speed and forces could make of them (speeds: of what
 * the forces make in a nanosecond, too) are given as exact zeros, and distances below that of
 * positions. */
#define ROUNDING 1e-12
#define DISTANCE_ROUNDING 1e-16 /* [m] */
/* Data of one evaluation that all slots share. */
typedef struct {
  const double *particular; /* velocities at vbar = 0 */
  double speed;             /* kinetic norm below which a gap speed is rounding */
  double force;             /* the same for reactions */
} SlotScale;

/* Returns whether the present constraints leave n^T v + inflow no freedom and keep it at zero. `normal` has
 * the entries of a line or stop column, `inflow` its b, `size` is its norm in M^-1. */
static bool is_held_by_constraints (const HlHybridSolver *solver, const double normal[], double inflow,
                                    double size, const double particular[]) {
  const HlHybridReduction *red = solver->frame.red;
  double still = fabs (inflow) + size * hl_hybrid_velocity_norm (solver, particular);

  if (fabs (inflow + hl_hybrid_dot (solver, normal, particular)) > HELD_TOLERANCE * still)
    return false;
  for (int j = 0; j < red->n_free; j++) {
    double mobility = hl_hybrid_dot (solver, normal, red->alpha + red->n_states * j);
    if (fabs (mobility) > HELD_TOLERANCE * size * sqrt (red->reduced_mass[j + red->n_free * j]))
      return false;
  }
  return true;
}

static double zero_if_small (double value, double limit) {
  return fabs (value) <= limit ? 0.0 : value;
}

/* Returns the column of the network behind a slot, and whether the present mode holds it. */
static int slot_column (const HlHybridSolver *solver, int slot) {
  int stop = slot - solver->net->tables.n_lines;

  return stop < 0 ? hl_hybrid_line_column (solver->net, slot)
                  : hl_hybrid_stop_column (solver->net, stop / 2, stop % 2 == 1);
}

/* Returns the distance to a stop, or flow of a line; NAN where there is neither. */
static double slot_gap (const HlHybridSolver *solver, int slot, const SlotScale *scale, double size) {
  int stop = slot - solver->net->tables.n_lines;

  if (stop < 0)
    return zero_if_small (solver->v[slot], scale->speed * size);
  const HlHybridCylinder *limits = &solver->net->tables.cylinders[stop / 2];
  double stroke = solver->in->stroke[stop / 2];
  double gap = stop % 2 == 1 ? limits->stroke_max - stroke : stroke - limits->stroke_min;
  return isinf (gap) ? NAN : zero_if_small (gap, DISTANCE_ROUNDING);
}

/* Returns the value of a slot; NAN when it is not active. */
static double slot_value (const HlHybridSolver *solver, int slot, const SlotScale *scale) {
  const HlHybridNetwork *net = solver->net;
  int column = slot_column (solver, slot);
  bool is_line = slot < net->tables.n_lines;
  double *normal = solver->state_b;

  if (is_line && (!hl_hybrid_line_is_one_sided (net, slot) ||
                  hl_hybrid_key_get_line (net, &solver->mode->key, slot) == HL_HYBRID_LINE_SHUT))
    return NAN;
  hl_hybrid_column_assemble (net, solver->in, column, normal);
  double size = hl_hybrid_force_norm (solver, normal);
  if (hl_hybrid_key_has_column (net, &solver->mode->key, column)) {
    double reaction = is_line ? -solver->multiplier[column] : solver->multiplier[column];
    return zero_if_small (reaction, size > 0.0 ? scale->force / size : 0.0);
  }
  double inflow = hl_hybrid_column_inflow (net, solver->in, column);
  if (is_held_by_constraints (solver, normal, inflow, size, scale->particular))
    return NAN;
  return slot_gap (solver, slot, scale, size);
}

void hl_hybrid_events_eval (HlHybridSolver *solver, double value[], bool active[]) {
  double *particular = solver->state_a;
  double force = hl_hybrid_force_norm (solver, solver->force);
  SlotScale scale = {.particular = particular,
                     .speed = ROUNDING * (hl_hybrid_velocity_norm (solver, solver->v) + 1e-9 * force),
                     .force = ROUNDING * force};

  memset (solver->push, 0, (size_t)solver->net->n_states * sizeof (double));
  hl_hybrid_reduce_velocity (solver->frame.red, solver->frame.b, solver->push, particular);
  int n_edges = solver->net->tables.n_edges, first_edge = solver->net->n_slots - n_edges;
  hl_hybrid_solver_find_preload (solver);
  if (n_edges > 0)
    hl_hybrid_edges_look (solver);
  for (int slot = 0; slot < solver->net->n_slots; slot++) {
    double gap = hl_hybrid_preload_slack (solver, slot);
    if (isnan (gap))
      gap = slot < first_edge ? slot_value (solver, slot, &scale)
                              : hl_hybrid_edges_value (solver, slot - first_edge);
    active[slot] = !isnan (gap);
    value[slot] = active[slot] ? gap : 1.0;
  }
}

HlHybridEvent hl_hybrid_events_of_slot (const HlHybridSolver *solver, int slot) {
  const HlHybridNetwork *net = solver->net;
  const HlHybridKey *key = &solver->mode->key;

  assert (slot >= 0 && slot < net->n_slots);
  if (slot < net->tables.n_lines)
    return (HlHybridEvent){.kind = hl_hybrid_key_get_line (net, key, slot) == HL_HYBRID_LINE_OPEN
                                       ? HL_HYBRID_CLOSE_LINE
                                       : HL_HYBRID_OPEN_LINE,
                           .entity = slot};
  int edge = slot - (net->n_slots - net->tables.n_edges);
  if (edge >= 0)
    return (HlHybridEvent){.kind = hl_hybrid_key_is_open (net, key, edge) ? HL_HYBRID_SHUT_EDGE
                                                                          : HL_HYBRID_OPEN_EDGE,
                           .entity = edge};
  int cylinder = (slot - net->tables.n_lines) / 2;
  bool upper = (slot - net->tables.n_lines) % 2 == 1;
  return (HlHybridEvent){.kind = hl_hybrid_key_has_stop (net, key, cylinder, upper) ? HL_HYBRID_LEAVE_STOP
                                                                                    : HL_HYBRID_HIT_STOP,
                         .entity = cylinder,
                         .upper = upper};
}
