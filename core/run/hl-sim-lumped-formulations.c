/* SPDX-License-Identifier: MIT */
/* The two formulations of the lumped model: reduced (minimal order, exact Jacobian, no drift) and
 * the stabilized index-1 form in all coordinates (theory/stabilization.md (4)-(7)), which is there
 * to be compared with. Both keep the ledger of their oil: pockets of vapour, and lines above the limit. */
#include "core/math/hl-minmax.h"
#include "core/run/hl-sim-run.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-run-frame.h"

#include <float.h>
#include <string.h>

/* The ledger of a run of the lumped oil: pockets of vapour that open and collapse, and lines above
 * the limit. At p_c the law has no kink (theory/fluid.md), so nothing restarts there: the crossing is
 * found on the dense output of the step that has passed it, and the run is the same as without a
 * ledger. */

#define NEAR 8.0 /* times the onset, or the limit over it */
#define MOST_HALVINGS 60
#define WIDTH 4.0 /* of the last bracket, in roundings of the time */

typedef struct {
  HlSimRun *run;
  int state; /* of the pressure in y */
  int line;
} Track;

static double pressure_at (const Track *track, double t) {
  HlSimRun *run = track->run;

  run->row_is_elsewhere = true;
  hl_integrator_interpolate (run->integrator, t, run->y_row);
  return run->y_row[track->state];
}

static double time_of_look (double from, double to, int look) {
  return look == HL_SIM_LOOKS ? to : from + (to - from) * look / HL_SIM_LOOKS;
}

/* Returns the pressure at a look inside the step, 1 to HL_SIM_LOOKS - 1. The states of the looks are the same
 * for all lines. */
static double pressure_at_look (const Track *track, double from, double to, int look) {
  HlSimRun *run = track->run;

  if (run->looked_from != from || run->looked_to != to)
    run->n_looked = 0;
  run->looked_from = from;
  run->looked_to = to;
  for (; run->n_looked < look; run->n_looked++)
    hl_integrator_interpolate (run->integrator, time_of_look (from, to, run->n_looked + 1),
                               run->y_looks[run->n_looked]);
  return run->y_looks[look - 1][track->state];
}

/* Returns the first time in (from, to] at which the pressure stands on the side of `level` that it has at
 * `to`. */
static double locate (const Track *track, double level, double from, double to, bool rises) {
  for (int k = 0; k < MOST_HALVINGS && to - from > WIDTH * DBL_EPSILON * fabs (to); k++) {
    double middle = 0.5 * (from + to);
    if ((pressure_at (track, middle) >= level) == rises)
      to = middle;
    else
      from = middle;
  }
  return to;
}

/* Components through which oil comes into the node of a line, -1 behind the last one. */
static void find_feeds (const HlSystem *sys, const HlWork *work, int node, int feeds[HL_MOST_FEEDS + 1]) {
  int n = 0;

  for (int k = 0; k < sys->n_components && n < HL_MOST_FEEDS; k++) {
    const HlComponent *c = &sys->components[k];
    double inflow = 0.0;
    for (int branch = c->first_branch; branch < c->first_branch + c->n_branches; branch++) {
      const HlBranch *ends = &sys->topology->branches[branch];
      inflow += (ends->b == node ? work->flow[branch] : 0.0) - (ends->a == node ? work->flow[branch] : 0.0);
    }
    if (c->cylinder >= 0) {
      const HlCylinder *cyl = &sys->cylinders[c->cylinder];
      double rate = work->cylinders[c->cylinder].length.rate;
      inflow +=
          (cyl->node_b == node ? cyl->area_b * rate : 0.0) - (cyl->node_a == node ? cyl->area_a * rate : 0.0);
    }
    if (inflow > 0.0)
      feeds[n++] = k;
  }
  feeds[n] = -1;
}

/* Brings the work to the event, to compute the flows. */
static HlStatus enter_event (const Track *track, const double y[], double t, HlOilEventKind kind) {
  HlSimRun *run = track->run;
  int node = run->sys->lines[track->line].node, feeds[HL_MOST_FEEDS + 1];
  hl_work_look_aside (run->work);
  HlStatus status = run->form->rhs (run, t, y, run->y_dot, &run->fault);
  if (status != HL_OK) {
    hl_work_look_back (run->work);
    return status;
  }
  HlOilEvent event = {.t = t, .kind = kind, .line = track->line};
  event.rate = run->work->net[node] / run->work->liquid[node];
  find_feeds (run->sys, run->work, node, feeds);
  hl_cavitations_add_event (run->options->cavitations, run->sys, &event,
                            kind == HL_LEDGER_OVER_LIMIT ? feeds : NULL);
  hl_work_look_back (run->work);
  return HL_OK;
}

/* Crossings between two looks. */
static HlStatus record_crossings (const Track *track, double from, double p_from, double to, double p_to) {
  const HlSystem *sys = track->run->sys;
  double levels[] = {hl_fluid_onset (&sys->fluid), sys->pressure_limit};
  HlStatus status = HL_OK;

  for (int k = 0; k < 2 && status == HL_OK; k++) {
    bool was_above = p_from >= levels[k], is_above = p_to >= levels[k];
    if (was_above == is_above || (k == 1 && !is_above))
      continue;
    double t = locate (track, levels[k], from, to, is_above);
    pressure_at (track, t);
    status = enter_event (track, track->run->y_row, t,
                          k == 1     ? HL_LEDGER_OVER_LIMIT
                          : is_above ? HL_LEDGER_POCKET_COLLAPSES
                                     : HL_LEDGER_POCKET_OPENS);
  }
  return status;
}

/* Returns whether the way from the last look to p may lead over one of the marks. */
static bool is_near (const Track *track, double p) {
  const HlSystem *sys = track->run->sys;
  double from, p_from = hl_cavitations_last_pressure (track->run->options->cavitations, track->line, &from);

  return hl_min (p, p_from) < NEAR * hl_fluid_onset (&sys->fluid) ||
         hl_max (p, p_from) > sys->pressure_limit / NEAR;
}

/* Follows the pressure from the last look to p at t. */
static HlStatus follow_pressure (const Track *track, double t, double p) {
  double from, p_from = hl_cavitations_last_pressure (track->run->options->cavitations, track->line, &from);
  double begin = from;
  bool looks = is_near (track, p);
  HlStatus status = HL_OK;

  for (int look = 1; looks && look <= HL_SIM_LOOKS && status == HL_OK; look++) {
    double to = time_of_look (begin, t, look);
    double p_to = look == HL_SIM_LOOKS ? p : pressure_at_look (track, begin, t, look);
    status = record_crossings (track, from, p_from, to, p_to);
    from = to;
    p_from = p_to;
  }
  return status;
}

/* Begins a track. At the start of a run there is no earlier value: what is open or above its limit is noted
 * as such. */
static HlStatus begin_track (const Track *track, double t, const double y[]) {
  const HlSystem *sys = track->run->sys;
  double p = y[track->state];

  if (p < hl_fluid_onset (&sys->fluid))
    return enter_event (track, y, t, HL_LEDGER_POCKET_OPENS);
  return p >= sys->pressure_limit ? enter_event (track, y, t, HL_LEDGER_OVER_LIMIT) : HL_OK;
}

/* Watches the event log of the lumped oil, at the end of a step or, with `jumped`, at the start of a run:
 * pockets that open and collapse, lines above the limit, each located on the dense output. y: n_states at t,
 * pressures from off_p on. */
static HlStatus watch_ledger (HlSimRun *run, double t, const double y[], int off_p, bool jumped) {
  HlCavitations *cavitations = run->options->cavitations;
  HlStatus status = HL_OK;

  for (int k = 0; k < run->work->r && status == HL_OK; k++) {
    Track track = {run, off_p + k, run->sys->topology->line_of_pressure[k]};
    double p = y[track.state], unused;
    bool is_first = isnan (hl_cavitations_last_pressure (cavitations, track.line, &unused));

    if (jumped || is_first)
      status = begin_track (&track, t, y);
    else {
      status = follow_pressure (&track, t, p);
      if (y == run->y_row && run->row_is_elsewhere)
        hl_integrator_interpolate (run->integrator, t, run->y_row);
      run->row_is_elsewhere = false;
    }
    hl_cavitations_note_pressure (cavitations, run->sys, track.line, t, p);
  }
  return status;
}

static void fill_scales (double scale[], int from, int n, double value) {
  for (int k = 0; k < n; k++)
    scale[from + k] = value;
}

/* ---- reduced ---- */

static HlStatus reduced_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  hl_run_frame_settle (run->sys, run->work, point->x);
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
}

static int reduced_n_states (const HlSimRun *run) {
  return run->work->n_states;
}

static void reduced_pack (const HlSimRun *run, const HlPoint *point, double y[]) {
  hl_state_pack (run->sys, run->work, point, y);
}

static HlStatus reduced_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault) {
  return hl_state_unpack (run->sys, run->work, t, y, point, fault);
}

static void reduced_scales (const HlSimRun *run, double scale[]) {
  hl_error_scales (run->sys, run->work, scale);
}

static HlStatus reduced_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault) {
  return hl_dynamics_eval (run->sys, t, y, y_dot, run->work, fault);
}

static HlStatus reduced_look (HlSimRun *run, double t, const double y[], HlObserved what, HlFault *fault) {
  if ((what & (HL_OBSERVES_MOTION | HL_OBSERVES_RATES)) != 0)
    hl_work_look_aside (run->work);
  return hl_dynamics_look (run->sys, t, y, what, run->y_dot, run->work, fault);
}

static HlStatus reduced_jacobian (HlSimRun *run, double t, const double y[], double J[], HlFault *fault) {
  return run->pattern != NULL ? hl_jacobian_add (run->sys, t, y, J, run->work, fault)
                              : hl_jacobian_eval (run->sys, t, y, J, run->work, fault);
}

static HlPattern *reduced_pattern (const HlSimRun *run) {
  return hl_pattern_new (run->sys, run->work);
}

static HlUnreduced *reduced_unreduced (const HlSimRun *run) {
  return hl_unreduced_pays (run->sys, run->work) ? hl_unreduced_new (run->sys, run->work) : NULL;
}

static bool reduced_is_worn (const HlSimRun *run) {
  return hl_partition_is_worn (run->sys, run->work);
}

static void reduced_tighten (const HlSimRun *run, const double y[], bool is_near, double weight[]) {
  int first = hl_off_p (run->work);

  hl_error_tighten (run->sys, run->work, y + first, is_near, weight + first);
}

static HlStatus reduced_watch (HlSimRun *run, double t, const double y[], bool jumped) {
  return watch_ledger (run, t, y, hl_off_p (run->work), jumped);
}

static int reduced_off_p (const HlSimRun *run) {
  return hl_off_p (run->work);
}

/* Edges of stores: their laws follow one piece between two events. */
static int n_store_events (const HlSimRun *run) {
  return hl_store_edges_count (run->sys);
}

static HlStatus store_events (HlSimRun *run, double t, const double y[], double g[], HlFault *fault) {
  const double *p = y + run->form->off_p (run);

  (void)t;
  (void)fault;
  hl_store_edges_eval (run->sys, run->work, p, p + run->work->r, run->options->rtol, g);
  return HL_OK;
}

static int reduced_n_places (const HlSimRun *run) {
  return run->work->f;
}

const HlSimForm hl_sim_form_reduced = {
    .arrange = reduced_arrange,
    .n_states = reduced_n_states,
    .n_places = reduced_n_places,
    .pack = reduced_pack,
    .unpack = reduced_unpack,
    .scales = reduced_scales,
    .tighten = reduced_tighten,
    .rhs = reduced_rhs,
    .look = reduced_look,
    .jacobian = reduced_jacobian,
    .is_worn = reduced_is_worn,
    .pattern = reduced_pattern,
    .unreduced = reduced_unreduced,
    .watch = reduced_watch,
    .off_p = reduced_off_p,
    .n_events = n_store_events,
    .events = store_events,
};

/* ---- stabilized index-1 form: y = (x, v, p, U) ---- */

/* At a change point two branches of a linkage meet, and the equations in all coordinates do not say which
 * one continues: the constraints have lost rank, and a step comes down on either. A second work therefore
 * follows the branch by the independent coordinates, as the reduced form does, and every step is compared with
 * it. */
typedef struct {
  HlWork *follower;
  double *drawn; /* n_coordinates: scratch */
} Baumgarte;

/* Distance of two poses from which on they belong to two branches [rad], or of the island's length [m]: closed
 * joints round to 1e-9 of it where it is about to lose rank. */
#define OTHER_BRANCH 1.0e-5

static HlStatus baumgarte_begin (HlSimRun *run, HlPoint *point, HlFault *fault) {
  Baumgarte *own = hl_arena_take (&run->arena, 1, sizeof *own);

  (void)point;
  (void)fault;
  own->follower = hl_work_new (run->sys);
  own->drawn = hl_arena_take (&run->arena, run->work->n, sizeof (double));
  run->own = own;
  return HL_OK;
}

static void baumgarte_end (HlSimRun *run) {
  Baumgarte *own = run->own;

  if (own != NULL)
    hl_work_free (own->follower);
}

/* Keeps the frame of the start and gives the follower a partition of its own: where branches meet, one that
 * is chosen anew at the poses of a step might belong to the wrong one. */
static HlStatus baumgarte_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault) {
  HlWork *follower = ((Baumgarte *)run->own)->follower;
  bool is_first = run->integrator == NULL;

  if (is_first) {
    hl_run_frame_settle (run->sys, run->work, point->x);
    hl_run_frame_settle (run->sys, follower, point->x);
  }
  HlStatus status = hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
  return status == HL_OK && is_first
             ? hl_partition_choose (run->sys, follower, point->x, HL_PARTITION_PIVOT, NULL, 0, fault)
             : status;
}

static HlStatus rearrange_follower (HlSimRun *run) {
  Baumgarte *own = run->own;

  for (int k = 0; k < run->work->n; k++)
    own->drawn[k] = hl_run_frame_drawn_position (own->follower, own->follower->x, k);
  return hl_partition_choose (run->sys, own->follower, own->drawn, HL_PARTITION_PIVOT, NULL, 0, &run->fault);
}

/* Checks the branch of every island after a step to y at t. */
static HlStatus baumgarte_check (HlSimRun *run, double t, const double y[]) {
  HlWork *follower = ((Baumgarte *)run->own)->follower;
  const HlMechanism *mech = &run->sys->mech;
  bool is_astray_somewhere = false;
  HlStatus status;

  memcpy (follower->segments, run->work->segments, (size_t)follower->n_signals * sizeof (int));
  follower->drives_rest = run->work->drives_rest;
  hl_stage_drives (run->sys, follower, t);
  for (int k = 0; k < follower->f; k++)
    run->y_row[k] = y[follower->ai_column[k]];
  for (int k = 0; k < follower->l; k++)
    run->y_row[hl_off_ad (follower) + k] = y[follower->ad_column[k]];
  status = hl_stage_positions (run->sys, run->y_row, follower, &run->fault);
  for (int k = 0; k < mech->n_islands && status == HL_OK && !is_astray_somewhere; k++)
    if (hl_island_distance (mech, &mech->islands[k], follower->x, y, follower->frames, follower->islands[k]) >
        OTHER_BRANCH) {
      is_astray_somewhere = true;
      hl_fault_set (&run->fault, HL_DEAD_POINT, HL_ENTITY_BODY,
                    hl_island_fastest_body (&mech->islands[k], follower->islands[k]), 0.0);
    }
  if (status == HL_OK && !is_astray_somewhere)
    return hl_partition_is_worn (run->sys, follower) ? rearrange_follower (run) : HL_OK;
  if (status != HL_OK && status != HL_DEAD_POINT)
    return status;
  run->fault.time = t;
  run->fault.why = HL_TEXT ("at a position where branches meet or end, the Baumgarte formulation "
                            "left the branch of the linkage");
  run->fault.mend = HL_TEXT ("use the reduced formulation, which follows the branch");
  run->fault.change = HL_CHANGE_REDUCED;
  return HL_DEAD_POINT;
}

static int baumgarte_n_states (const HlSimRun *run) {
  return 2 * run->work->n + run->work->r + run->work->u;
}

static void baumgarte_pack (const HlSimRun *run, const HlPoint *point, double y[]) {
  size_t n = (size_t)run->work->n, r = (size_t)run->work->r, u = (size_t)run->work->u;

  for (size_t k = 0; k < n; k++) {
    y[k] = hl_run_frame_position (run->work, point->x, (int)k);
    y[n + k] = hl_run_frame_velocity (run->work, point->v, (int)k);
  }
  memcpy (y + 2 * n, point->p, r * sizeof (double));
  memcpy (y + 2 * n + r, point->u, u * sizeof (double));
}

static HlStatus baumgarte_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault) {
  size_t n = (size_t)run->work->n, r = (size_t)run->work->r, u = (size_t)run->work->u;

  (void)fault;
  point->t = t;
  for (size_t k = 0; k < n; k++) {
    point->x[k] = hl_run_frame_drawn_position (run->work, y, (int)k);
    point->v[k] = hl_run_frame_drawn_velocity (run->work, y + n, (int)k);
  }
  memcpy (point->p, y + 2 * n, r * sizeof (double));
  memcpy (point->u, y + 2 * n + r, u * sizeof (double));
  return HL_OK;
}

static void baumgarte_scales (const HlSimRun *run, double scale[]) {
  const HlWork *work = run->work;

  fill_scales (scale, 0, work->n, HL_SCALE_POSITION);
  fill_scales (scale, work->n, work->n, HL_SCALE_VELOCITY);
  fill_scales (scale, 2 * work->n, work->r, HL_SCALE_PRESSURE);
  for (int k = 0; k < work->u; k++)
    scale[2 * work->n + work->r + k] = hl_error_scale_of_component (run->sys, k);
}

static HlStatus baumgarte_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault) {
  int n = run->work->n, r = run->work->r;
  HlFullState state = {.x = y,
                       .v = y + n,
                       .p = y + 2 * n,
                       .u = y + 2 * n + r,
                       .beta = run->options->beta,
                       .gamma = run->options->gamma};
  HlFullRate rate = {.a = y_dot + n, .p_dot = y_dot + 2 * n, .u_dot = y_dot + 2 * n + r};

  memcpy (y_dot, y + n, (size_t)n * sizeof (double));
  return hl_dynamics_eval_full (run->sys, t, &state, &rate, run->work, fault);
}

static void baumgarte_tighten (const HlSimRun *run, const double y[], bool is_near, double weight[]) {
  int first = 2 * run->work->n;

  hl_error_tighten (run->sys, run->work, y + first, is_near, weight + first);
}

static HlStatus baumgarte_watch (HlSimRun *run, double t, const double y[], bool jumped) {
  return watch_ledger (run, t, y, 2 * run->work->n, jumped);
}

static int baumgarte_off_p (const HlSimRun *run) {
  return 2 * run->work->n;
}

static void baumgarte_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity) {
  int n = run->work->n;

  if (state >= 2 * n) {
    hl_state_owner (run->sys, run->work, hl_off_p (run->work) + state - 2 * n, kind, entity);
    return;
  }
  *kind = HL_ENTITY_BODY;
  *entity = state % n / 3;
}

const HlSimForm hl_sim_form_baumgarte = {
    .owner = baumgarte_owner,
    .begin = baumgarte_begin,
    .end = baumgarte_end,
    .arrange = baumgarte_arrange,
    .check = baumgarte_check,
    .n_states = baumgarte_n_states,
    .pack = baumgarte_pack,
    .unpack = baumgarte_unpack,
    .scales = baumgarte_scales,
    .tighten = baumgarte_tighten,
    .rhs = baumgarte_rhs,
    .is_worn = reduced_is_worn,
    .watch = baumgarte_watch,
    .off_p = baumgarte_off_p,
    .n_events = n_store_events,
    .events = store_events,
};
