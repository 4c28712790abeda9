/* SPDX-License-Identifier: MIT */
/* The ledger of a run of the lumped oil: pockets of vapour that open and collapse, and lines above
 * the limit. At p_c the law has no kink (theory/fluid.md), so nothing restarts there: the crossing is
 * found on the dense output of the step that has passed it, and the run is the same as without a
 * ledger. */
#include <float.h>
#include <math.h>

#include "core/run/hl-sim-run.h"
#include "core/math/hl-larger.h"

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

/* Pressure at a look inside the step, 1 to HL_SIM_LOOKS - 1. The states of the looks are the same for
 * all lines. */
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

/* The first time in (from, to] at which the pressure stands on the side of `level` that it has at
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

/* The work comes to the event for its flows. */
static HlStatus enter (const Track *track, const double y[], double t, HlOilEventKind kind) {
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
static HlStatus cross (const Track *track, double from, double p_from, double to, double p_to) {
  const HlSystem *sys = track->run->sys;
  double levels[] = {hl_fluid_onset (&sys->fluid), sys->pressure_limit};
  HlStatus status = HL_OK;

  for (int k = 0; k < 2 && status == HL_OK; k++) {
    bool was_above = p_from >= levels[k], is_above = p_to >= levels[k];
    if (was_above == is_above || (k == 1 && !is_above))
      continue;
    double t = locate (track, levels[k], from, to, is_above);
    pressure_at (track, t);
    status = enter (track, track->run->y_row, t,
                    k == 1     ? HL_LEDGER_OVER_LIMIT
                    : is_above ? HL_LEDGER_POCKET_COLLAPSES
                               : HL_LEDGER_POCKET_OPENS);
  }
  return status;
}

/* Whether the way from the last look to p may lead over one of the marks. */
static bool is_near (const Track *track, double p) {
  const HlSystem *sys = track->run->sys;
  double from, p_from = hl_cavitations_last_pressure (track->run->options->cavitations, track->line, &from);

  return hl_smaller (p, p_from) < NEAR * hl_fluid_onset (&sys->fluid) ||
         hl_larger (p, p_from) > sys->pressure_limit / NEAR;
}

/* From the last look to p at t. */
static HlStatus follow (const Track *track, double t, double p) {
  double from, p_from = hl_cavitations_last_pressure (track->run->options->cavitations, track->line, &from);
  double begin = from;
  bool looks = is_near (track, p);
  HlStatus status = HL_OK;

  for (int look = 1; looks && look <= HL_SIM_LOOKS && status == HL_OK; look++) {
    double to = time_of_look (begin, t, look);
    double p_to = look == HL_SIM_LOOKS ? p : pressure_at_look (track, begin, t, look);
    status = cross (track, from, p_from, to, p_to);
    from = to;
    p_from = p_to;
  }
  return status;
}

/* Where a run begins there is nothing to look back to: what is open or above stands in the ledger. */
static HlStatus begin (const Track *track, double t, const double y[]) {
  const HlSystem *sys = track->run->sys;
  double p = y[track->state];

  if (p < hl_fluid_onset (&sys->fluid))
    return enter (track, y, t, HL_LEDGER_POCKET_OPENS);
  return p >= sys->pressure_limit ? enter (track, y, t, HL_LEDGER_OVER_LIMIT) : HL_OK;
}

HlStatus hl_sim_watch_ledger (HlSimRun *run, double t, const double y[], int off_p, bool jumped) {
  HlCavitations *cavitations = run->options->cavitations;
  HlStatus status = HL_OK;

  for (int k = 0; k < run->work->r && status == HL_OK; k++) {
    Track track = {run, off_p + k, run->sys->topology->line_of_pressure[k]};
    double p = y[track.state], unused;
    bool is_first = isnan (hl_cavitations_last_pressure (cavitations, track.line, &unused));

    if (jumped || is_first)
      status = begin (&track, t, y);
    else {
      status = follow (&track, t, p);
      if (y == run->y_row && run->row_is_elsewhere)
        hl_integrator_interpolate (run->integrator, t, run->y_row);
      run->row_is_elsewhere = false;
    }
    hl_cavitations_note_pressure (cavitations, run->sys, track.line, t, p);
  }
  return status;
}
