/* SPDX-License-Identifier: MIT */
/* The quasistatic model under the integrator: the relaxed formulation, theory/quasistatic.md (28),
 * and what the discrete one shares with it.
 *
 * Which valves are open is fixed from restart to restart, because with regeneration the force jumps
 * when a valve opens. The run restarts where an opening leaves or reaches 0 (or 1, where its slope
 * breaks): known beforehand for signals, an event for spools with dynamics. */
#include "core/quasistatic/hl-sim-quasistatic.h"

#include <math.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-run-frame.h"

/* Part of a segment behind its beginning at which the open valves are determined. */
#define LOOK_AHEAD 1.0e-9

#define KINK_PATIENCE 2e-3 /* kinks that follow a restart sooner are not located [s] */

/* ---- what both share ---- */

static bool is_leaf (const HlTerm *term) {
  return term->kind == HL_TERM_ORIFICE;
}

static void list_spools (HlSimQuasi *quasi, const HlSystem *sys) {
  const HlCircuit *circuit = &quasi->machine.circuit;

  quasi->spools = hl_arena_take (&quasi->arena, circuit->n_terms, sizeof *quasi->spools);
  for (int k = 0; k < circuit->n_terms; k++)
    if (is_leaf (&circuit->terms[k]) && sys->passages[circuit->terms[k].passage].state >= 0)
      quasi->spools[quasi->n_spools++] = k;
}

HlStatus hl_sim_quasi_begin (HlSimRun *run, HlPoint *point, HlFault *fault) {
  const HlSimOptions *options = run->options;
  HlStart start = options->start == HL_START_FROM_MODEL ? (HlStart)run->sys->start : options->start;
  bool is_balanced = start == HL_START_EQUILIBRIUM && options->from == NULL;
  HlArena own = hl_arena_beside (&run->sys->arena);
  HlSimQuasi *quasi = hl_arena_take (&own, 1, sizeof *quasi);
  HlArena *arena = &quasi->arena;

  *arena = own;
  run->own = quasi;
  HlStatus status = hl_quasi_machine_init (&quasi->machine, run->sys, fault);
  if (status == HL_OK)
    status = hl_quasi_machine_check_couplings (&quasi->machine, run->sys, fault);
  if (status != HL_OK)
    return status;
  /* as many states as any partition can give */
  int most = 3 * run->work->n + run->sys->n_cylinders + run->work->u + hl_quasi_n_soft (run->sys);
  quasi->rods = hl_arena_take (arena, run->sys->n_cylinders, sizeof (double));
  quasi->rate = hl_arena_take (arena, most, sizeof (double));
  quasi->haste = hl_arena_take (arena, run->work->u + hl_quasi_n_soft (run->sys), sizeof (double));
  quasi->whole = hl_arena_take (arena, 3 * run->work->n + run->work->r + run->work->u, sizeof (double));
  quasi->compliance = hl_arena_take (arena, run->sys->n_nodes, sizeof (double));
  quasi->segments = hl_arena_take (arena, quasi->machine.n, sizeof *quasi->segments);
  quasi->segments_now = hl_arena_take (arena, quasi->machine.n, sizeof *quasi->segments_now);
  list_spools (quasi, run->sys);
  if (is_balanced)
    memset (point->v, 0, (size_t)run->work->n * sizeof (double));
  status = hl_quasi_start (&quasi->machine, run->sys, run->work, point, is_balanced, quasi->rods, fault);
  for (int k = 0; k < run->sys->n_cylinders; k++)
    quasi->machine.l_prev[k] = run->work->cylinders[k].length.s;
  return status;
}

void hl_sim_quasi_end (HlSimRun *run) {
  HlSimQuasi *quasi = run->own;

  if (quasi == NULL)
    return;
  hl_quasi_machine_clear (&quasi->machine);
  HlArena arena = quasi->arena;
  hl_arena_clear (&arena);
  run->own = NULL;
}

int hl_sim_quasi_n_states (const HlSimRun *run) {
  return hl_quasi_n_states (run->sys, run->work);
}

void hl_sim_quasi_pack (const HlSimRun *run, const HlPoint *point, double y[]) {
  const HlWork *work = run->work;
  const HlSimQuasi *quasi = run->own;

  for (int k = 0; k < work->f; k++) {
    y[k] = hl_run_frame_position (work, point->x, work->ai_column[k]);
    y[hl_off_v (work) + k] = hl_run_frame_velocity (work, point->v, work->ai_column[k]);
  }
  for (int k = 0; k < work->l; k++)
    y[hl_off_ad (work) + k] = hl_run_frame_position (work, point->x, work->ad_column[k]);
  memcpy (y + hl_off_rod (work), quasi->rods, (size_t)run->sys->n_cylinders * sizeof (double));
  memcpy (y + hl_off_spool (run->sys, work), point->u, (size_t)work->u * sizeof (double));
  for (int k = hl_quasi_n_soft (run->sys) - 1; k >= 0; k--)
    y[hl_off_soft (run->sys, work) + k] = point->p[run->sys->nodes[hl_quasi_soft_node (run->sys, k)].state];
}

/* Unpacks the state; pressures of the point that are no states here keep their stated values. */
HlStatus hl_sim_quasi_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault) {
  const HlWork *work = run->work;
  HlSimQuasi *quasi = run->own;
  size_t n_motion = (size_t)hl_off_rod (work);
  double *whole = quasi->whole;

  memcpy (whole, y, n_motion * sizeof (double));
  memcpy (whole + hl_off_p (work), point->p, (size_t)work->r * sizeof (double));
  for (int k = hl_quasi_n_soft (run->sys) - 1; k >= 0; k--)
    whole[hl_off_p (work) + run->sys->nodes[hl_quasi_soft_node (run->sys, k)].state] =
        y[hl_off_soft (run->sys, work) + k];
  memcpy (whole + hl_off_u (work), y + hl_off_spool (run->sys, work), (size_t)work->u * sizeof (double));
  HlStatus status = hl_state_unpack (run->sys, run->work, t, whole, point, fault);
  memcpy (quasi->rods, y + hl_off_rod (work), (size_t)run->sys->n_cylinders * sizeof (double));
  return status;
}

void hl_sim_quasi_scales (const HlSimRun *run, double scale[]) {
  const HlWork *work = run->work;

  for (int k = 0; k < hl_off_spool (run->sys, work); k++)
    scale[k] = k >= hl_off_v (work) && k < hl_off_ad (work) ? HL_SCALE_VELOCITY : HL_SCALE_POSITION;
  for (int k = 0; k < work->u; k++)
    scale[hl_off_spool (run->sys, work) + k] = hl_error_scale_of_component (run->sys, k);
  for (int k = hl_off_soft (run->sys, work); k < hl_quasi_n_states (run->sys, work); k++)
    scale[k] = HL_SCALE_PRESSURE;
}

/* Evaluates the outputs. At the time of a restart the openings count as they are: a valve that begins to open
 * is still closed then. */
void hl_sim_quasi_observe (HlSimRun *run, double t, const double y[]) {
  HlSimQuasi *quasi = run->own;
  HlQuasiMachine *machine = &quasi->machine;

  if (machine->by_segment && t == quasi->entered) {
    machine->by_segment = false;
    hl_quasi_rates (machine, (HlQuasiState){run->sys, t, y}, run->y_dot, run->work, NULL);
    machine->by_segment = true;
  }
  hl_quasi_machine_observe (machine, run->sys, run->work);
}

void hl_sim_quasi_powers (HlSimRun *run, double t, const double y[], double powers[3]) {
  HlSimQuasi *quasi = run->own;

  hl_sim_quasi_observe (run, t, y);
  hl_quasi_machine_powers (&quasi->machine, run->sys, run->work, powers);
}

bool hl_sim_quasi_is_worn (const HlSimRun *run) {
  return hl_partition_is_worn (run->sys, run->work);
}

/* ---- relaxed ---- */

HlStatus hl_sim_quasi_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  hl_run_frame_settle (run->sys, run->work, point->x);
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
}

static HlStatus relaxed_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault) {
  HlSimQuasi *quasi = run->own;
  return hl_quasi_rates (&quasi->machine, (HlQuasiState){run->sys, t, y}, y_dot, run->work, fault);
}

static HlStatus relaxed_jacobian (HlSimRun *run, double t, const double y[], double J[], HlFault *fault) {
  HlSimQuasi *quasi = run->own;
  return hl_quasi_jacobian (&quasi->machine, (HlQuasiState){run->sys, t, y}, J, run->work, fault);
}

/* Returns the first time before `stop` at which the signal of a leaf passes an edge of its opening. */
static double next_edge (const HlSimRun *run, const HlTerm *leaf, double from, double stop) {
  const HlSystem *sys = run->sys;
  const HlPassage *at = &sys->passages[leaf->passage];
  double edges[2] = {0.0, 1.0};

  if (at->signal < 0 || at->state >= 0)
    return stop;
  if (at->is_spool)
    edges[0] = edges[1] = at->sense * at->dead_zone;
  for (int k = 0; k < 2; k++)
    stop = fmin (
        stop, hl_signal_find_crossing (sys->signals, run->work->segments, at->signal, edges[k], from, stop));
  return stop;
}

/* Locates the kinks of the maps, where the run restarts, unless they follow each other so fast that the step
 * control is more efficient. */
static void watch_kinks (HlSimRun *run, double t, double ahead, const double y[]) {
  HlSimQuasi *quasi = run->own;

  quasi->watches = (quasi->entered == 0.0 || t - quasi->entered > KINK_PATIENCE) &&
                   hl_quasi_pieces (&quasi->machine, (HlQuasiState){run->sys, t + ahead, y}, quasi->segments,
                                    run->work, NULL) == HL_OK;
}

/* Returns the pressures of soft lines, by the states of the lumped oil: scratch. */
static double *soft_pressures (const HlSimRun *run, const double y[]) {
  const HlSimQuasi *quasi = run->own;
  double *p = quasi->whole + hl_off_p (run->work);

  memcpy (p, run->point->p, (size_t)run->work->r * sizeof (double));
  hl_quasi_net_spread_soft (quasi->machine.net, y + hl_off_soft (run->sys, run->work), p);
  return p;
}

/* Sets the piece of each accumulator's law. Its edges are events; between two events a law keeps its piece, and where one has
 * ended its line keeps the oil, as in the lumped model. */
static void set_store_pieces (HlSimRun *run, double y[]) {
  HlSimQuasi *quasi = run->own;
  HlQuasiNet *net = quasi->machine.net;
  const double *u = y + hl_off_spool (run->sys, run->work);

  if (net == NULL)
    return;
  double *p = soft_pressures (run, y), *soft = y + hl_off_soft (run->sys, run->work);
  if (!quasi->has_pieces)
    hl_store_pieces_choose (run->sys, run->work, p, u);
  else {
    hl_quasi_net_spread_compliances (net, quasi->compliance);
    if (hl_store_pieces_pass (run->sys, run->work, p, u, run->options->rtol, quasi->compliance))
      hl_quasi_net_gather_soft (net, p, soft);
  }
  hl_quasi_net_follow_pieces (quasi->machine.net, run->work->pieces);
  quasi->has_pieces = true;
}

static HlStatus relaxed_enter (HlSimRun *run, double t, double y[], double *t_stop, HlFault *fault) {
  const HlSystem *sys = run->sys;
  HlWork *work = run->work;
  HlSimQuasi *quasi = run->own;
  const HlCircuit *circuit = &quasi->machine.circuit;
  double ahead = fmax (LOOK_AHEAD * (*t_stop - t), 16.0 * 2.2e-16 * fabs (t));

  (void)fault;
  set_store_pieces (run, y);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, t + ahead, work->signal_values);
  for (int k = 0; k < work->u; k++) {
    double lag = hl_state_lag (sys, k), u = y[hl_off_spool (sys, work) + k];
    work->component_u[k] = u;
    if (lag > 0.0)
      work->component_u[k] += ahead * (hl_state_command (sys, work, k) - u) / lag;
  }
  double stop = *t_stop;
  for (int k = 0; k < circuit->n_terms; k++) {
    if (!is_leaf (&circuit->terms[k]))
      continue;
    quasi->machine.is_open[k] = hl_quasi_machine_leaf_opening (sys, work, &circuit->terms[k]) > 0.0;
    stop = next_edge (run, &circuit->terms[k], t + ahead, stop);
  }
  quasi->machine.by_segment = true;
  watch_kinks (run, t, ahead, y);
  quasi->entered = t;
  /* an edge beside a corner is that corner */
  if (stop < *t_stop - ahead)
    *t_stop = stop;
  return HL_OK;
}

static int relaxed_n_events (const HlSimRun *run) {
  const HlSimQuasi *quasi = run->own;
  int n_edges = quasi->machine.net != NULL ? hl_store_edges_count (run->sys) : 0;

  return quasi->n_spools + quasi->machine.n + n_edges;
}

static HlStatus relaxed_events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault) {
  HlSimQuasi *quasi = run->own;

  memcpy (run->work->component_u, y + hl_off_spool (run->sys, run->work),
          (size_t)run->work->u * sizeof (double));
  for (int k = 0; k < quasi->n_spools; k++)
    g[k] =
        hl_quasi_machine_leaf_opening (run->sys, run->work, &quasi->machine.circuit.terms[quasi->spools[k]]);
  if (quasi->watches) {
    HlStatus status = hl_quasi_pieces (&quasi->machine, (HlQuasiState){run->sys, t, y}, quasi->segments_now,
                                       run->work, fault);
    if (status != HL_OK)
      return status;
  }
  for (int k = 0; k < quasi->machine.n; k++)
    g[quasi->n_spools + k] = quasi->watches && quasi->segments_now[k] != quasi->segments[k] ? -1.0 : 1.0;
  if (quasi->machine.net != NULL)
    hl_store_edges_eval (run->sys, run->work, soft_pressures (run, y), y + hl_off_spool (run->sys, run->work),
                         run->options->rtol, g + quasi->n_spools + quasi->machine.n);
  return HL_OK;
}

static HlStatus relaxed_watch (HlSimRun *run, double t, const double y[], bool jumped) {
  HlStatus status = hl_sim_look (run, t, y, HL_OBSERVES_ALL);

  if (status == HL_OK) {
    hl_sim_quasi_observe (run, t, y);
    hl_sim_watch_lines (run, t, jumped);
  }
  hl_sim_look_back (run);
  return status;
}

void hl_sim_quasi_save_stand (HlSimRun *run) {
  HlSimQuasi *quasi = run->own;

  if (quasi->machine.net != NULL)
    hl_quasi_net_save_pressures (quasi->machine.net);
}

void hl_sim_quasi_restore_stand (HlSimRun *run) {
  HlSimQuasi *quasi = run->own;

  if (quasi->machine.net != NULL)
    hl_quasi_net_restore_pressures (quasi->machine.net);
}

static void relaxed_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity) {
  hl_quasi_state_owner (run->sys, run->work, state, kind, entity);
}

const HlSimForm hl_sim_form_relaxed = {
    .owner = relaxed_owner,
    .rests_in_place = true,
    .arrange = hl_sim_quasi_arrange,
    .n_states = hl_sim_quasi_n_states,
    .pack = hl_sim_quasi_pack,
    .unpack = hl_sim_quasi_unpack,
    .scales = hl_sim_quasi_scales,
    .rhs = relaxed_rhs,
    .jacobian = relaxed_jacobian,
    .is_worn = hl_sim_quasi_is_worn,
    .begin = hl_sim_quasi_begin,
    .end = hl_sim_quasi_end,
    .enter = relaxed_enter,
    .n_events = relaxed_n_events,
    .events = relaxed_events,
    .looks = 1, /* a look costs half a right-hand side */
    .save_stand = hl_sim_quasi_save_stand,
    .restore_stand = hl_sim_quasi_restore_stand,
    .observe = hl_sim_quasi_observe,
    .watch = relaxed_watch,
    .powers = hl_sim_quasi_powers,
};
