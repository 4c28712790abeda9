/* SPDX-License-Identifier: MIT */
/* Signals that listen. Positions, velocities and states are at hand when signals are evaluated;
 * pressures are those of the latest answer, and the solver asks again until they agree with what
 * they do.
 *
 * The flow of a pump is part of b, theory/hybrid.md (3), and its rate of (9): with a signal s (t, x,
 * u) that listens it is
 *
 *   ds/dt = (s (t + h, x + h x', u + h u') - s (t - h, x - h x', u - h u'))/2h */
#include "core/hybrid/hl-hybrid-listen.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways.h"
#include "core/system/hl-dynamics-stages.h"
#include "core/system/hl-feedback.h"
#include "core/system/hl-observable-private.h"

#define RATE_STEP 1.0e-5 /* [s] */

bool
hl_hybrid_listens (const HlSystem *sys)
{
  for (int k = 0; k < sys->n_signals; k++)
    if (sys->signals[k].listens)
      return true;
  return false;
}

/* ---- what a signal hangs on ---- */

/* Whether what is measured stands still when only velocities and pressures change. */
static bool
is_place (const HlSystem *sys, HlObservable of)
{
  switch ((int)of.kind) {
  case OF_BODY:
    return of.part < 3;
  case OF_POINT:
    return of.part < POINT_VX;
  case OF_COMPONENT: {
    const HlOutput *output = &sys->components[of.index].klass->kind.outputs[of.part];
    return output->reads == HL_READS_CYLINDER &&
           (output->part == HL_CYL_S || output->part == HL_CYL_ROD);
  }
  case OF_COMPONENT_STATE:
    return sys->components[of.index].klass->softening == NULL;
  case OF_JOINT:
    return of.part == HL_JOINT_READS_ANGLE || of.part == HL_JOINT_READS_TRAVEL;
  case OF_LOAD:
    return of.part == HL_LOAD_READS_LENGTH;
  default:
    return false;
  }
}

bool
hl_hybrid_hears_at_once (const HlSystem *sys, int signal)
{
  const HlSignal *of = &sys->signals[signal];
  static const double at_rest[HL_BLOCK_STATES] = {0.0};
  HlBlockPoint at = {.x = at_rest};
  bool hears = false;
  double slope;

  if (of->kind != HL_SIGNAL_BLOCK) {
    for (int term = 0; term < of->n_of; term++)
      hears = hears || hl_hybrid_hears_at_once (sys, of->of[term]);
    return hears;
  }
  hl_block_eval (of->klass, &of->block, &at, HL_SIDE_MEAN, &slope);
  if (of->measure >= 0 && at.d_raw.m != 0.0 &&
      !is_place (sys, sys->topology->measures[of->measure]))
    return true;
  return of->n_of > 0 && at.d_raw.u != 0.0 && hl_hybrid_hears_at_once (sys, of->of[0]);
}

bool
hl_hybrid_is_irregular (const HlSystem *sys, int signal)
{
  const HlSignal *of = &sys->signals[signal];
  bool is = of->listens || (of->kind == HL_SIGNAL_BLOCK && !of->klass->is_linear);

  for (int term = 0; term < of->n_of; term++)
    is = is || hl_hybrid_is_irregular (sys, of->of[term]);
  return is;
}

/* ---- values ---- */

/* What sensors read besides poses and velocities. */
static void
show_machine (HlHybridCoupling *c)
{
  const HlSystem *sys = c->sys;
  HlWork *work = c->work;

  for (int k = 0; k < sys->n_cylinders; k++) {
    work->cylinders[k].rod = work->cylinders[k].length.s;
    work->cylinders[k].rod_rate = work->cylinders[k].length.rate;
  }
  for (int line = 0; line < sys->n_lines; line++) {
    int node = c->machine->node_of_line[line];
    if (node >= 0)
      work->node_p[sys->lines[line].node] = work->line_p[line] =
          hl_hybrid_ways_latest (c->ways, node);
  }
}

void
hl_hybrid_listen (HlHybridCoupling *c, double u_dot[])
{
  show_machine (c);
  hl_feedback_eval (c->sys, c->work, u_dot);
  /* a linearization shifts one of them */
  if (c->shifted_signal >= 0 && !c->shifts_rate && c->sys->signals[c->shifted_signal].listens)
    c->work->signal_values[c->shifted_signal] += c->shift;
}

/* ---- rates ---- */

/* Signals at t + h, with the machine carried on for h by its velocities at `base`. */
static HlStatus
signals_at (HlHybridCoupling *c, double t, double h, const double u_dot[])
{
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
  hl_hybrid_coupling_signals (c, t + h);
  hl_hybrid_listen (c, NULL);
  return HL_OK;
}

HlStatus
hl_hybrid_listen_rates (HlHybridCoupling *c, double t, const double u_dot[])
{
  HlWork *work = c->work;
  HlStatus status = HL_OK;

  memcpy (c->base, c->mech, (size_t)(2 * work->f + work->l) * sizeof (double));
  memcpy (c->u_base, work->component_u, (size_t)work->u * sizeof (double));
  for (int k = 0; k < work->l; k++)
    c->ad_rates[k] = work->v[work->ad_column[k]];
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
