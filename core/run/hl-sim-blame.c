/* SPDX-License-Identifier: MIT */
/* Who is to blame when the steps of a run become too small or too many: the element whose state
 * limits the step (theory/integration.md (8), (9)). A body is moved by others, so a cylinder whose
 * seal friction turns within such a step is named instead:
 *
 *   dF/dv a^2/m > FAST/h
 *
 * with a its lever arm, m the mass of the linkage, h the step, and the slope dF/dv at rest wherever
 * the motion comes near it. */
#include <math.h>
#include <stddef.h>

#include "core/base/hl-i18n.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/run/hl-sim-run.h"
#include "core/mech/hl-dead-point.h"
#include "core/system/hl-dynamics.h"

/* Part of a step within which a friction force turns that the step cannot follow. */
#define FAST 0.1
/* Nearer to rest than so many Stribeck velocities, or the tolerance, a cylinder may come to it. */
#define NEAR_REST 10.0
#define NEAR_DEAD_POINT 1.0e-3 /* margin of an island, about an angle in rad */
#define BEYOND_REACH 30.0 /* motion of the links over that of the drive, which is of their order elsewhere */

static double mass_of_island (const HlMechanism *mech, int island) {
  double mass = 0.0;

  for (int k = 0; k < mech->islands[island].n_bodies; k++)
    mass += mech->bodies[mech->islands[island].bodies[k]].mass;
  return mass;
}

/* Rate at which the seal friction of a cylinder slows its linkage down [1/s]. */
static double friction_rate (const HlSimRun *run, int index) {
  const HlSystem *sys = run->sys;
  const HlCylinder *cyl = &sys->cylinders[index];
  const HlCylinderState *state = &run->work->cylinders[index];
  double reach = fmax (NEAR_REST * cyl->friction.vs, run->options->rtol * HL_SCALE_VELOCITY);
  double slope = fabs (state->friction_slope), at_rest;
  int body = cyl->body_i >= 0 ? cyl->body_i : cyl->body_j;

  if (body < 0)
    return 0.0;
  hl_friction_force (&cyl->friction, 0.0, &at_rest);
  if (fabs (state->rod_rate) <= reach)
    slope = fmax (slope, at_rest);
  double arm = fmin (hl_cylinder_arm (sys, run->work, index), 1.0);
  return slope * arm * arm / mass_of_island (&sys->mech, sys->mech.island_of_body[body]);
}

/* The cylinder whose friction turns fastest, if no step can follow it; -1 = none. */
static int find_sticking_cylinder (const HlSimRun *run, double step) {
  double fastest = FAST / step;
  int found = -1;

  for (int k = 0; k < run->sys->n_cylinders; k++) {
    double rate = friction_rate (run, k);
    if (rate > fastest) {
      fastest = rate;
      found = k;
    }
  }
  return found;
}

static void name_state (const HlSimRun *run, int state, HlFault *fault) {
  if (run->form->owner != NULL)
    run->form->owner (run, state, &fault->entity_kind, &fault->entity);
  else
    hl_state_owner (run->sys, run->work, state, &fault->entity_kind, &fault->entity);
  switch (fault->entity_kind) {
  case HL_ENTITY_LINE:
    fault->mend = HL_TEXT ("give the line more volume, or the valves at it a larger dp_lim; or "
                           "loosen rtol");
    break;
  case HL_ENTITY_COMPONENT:
    fault->mend = HL_TEXT ("give it a longer time constant, more volume or more loss; or loosen "
                           "rtol");
    break;
  default:
    fault->mend = HL_TEXT ("look for a very stiff spring, end stop or friction that acts on it, or "
                           "give it more mass; or loosen rtol");
    break;
  }
}

/* The body that a dead point would stop first, where no element is known. */
static void name_dead_body (const HlSimRun *run, HlFault *fault) {
  const HlMechanism *mech = &run->sys->mech;
  double least = INFINITY;

  for (int k = 0; k < mech->n_islands; k++) {
    double margin = hl_island_margin (mech, &mech->islands[k], run->work->islands[k]);
    if (margin >= least)
      continue;
    least = margin;
    fault->entity_kind = HL_ENTITY_BODY;
    fault->entity = hl_island_fastest_body (&mech->islands[k], run->work->islands[k]);
  }
}

/* Gives a run that ends with this status for want of steps, or for steps that became too small, an element to
 * name and what would mend it, unless the fault has one. */
static void blame (HlSimRun *run, HlStatus status, HlFault *fault) {
  double step = 0.0;
  bool is_rounding = false;

  if (status == HL_DEAD_POINT || status == HL_SINGULAR)
    name_dead_body (run, fault);
  if (status != HL_TOO_MUCH_WORK && status != HL_OUT_OF_STEPS && status != HL_NO_CONVERGENCE)
    return;
  int state =
      run->integrator != NULL ? hl_integrator_find_limiting (run->integrator, &step, &is_rounding) : -1;
  int cylinder = step > 0.0 ? find_sticking_cylinder (run, step) : -1;
  fault->limit = run->options->max_steps;
  fault->value = step;
  if (state < 0)
    return;
  name_state (run, state, fault);
  if (is_rounding) {
    fault->mend = HL_TEXT ("loosen rtol: it asks for more digits than the values of the run have");
    fault->change = HL_CHANGE_LOOSEN;
  } else if (cylinder >= 0) {
    fault->entity_kind = HL_ENTITY_COMPONENT;
    fault->entity = run->sys->cylinders[cylinder].component;
    fault->why = status == HL_OUT_OF_STEPS
                     ? NULL
                     : HL_TEXT ("its seal friction turns faster than the integrator can follow");
    fault->mend = HL_TEXT ("give its friction a larger vs");
  }
}

/* Where links cannot follow a drive any further they move without bound for a little more of it. The local row of
 * that drive, or -1: none. */
static int find_limited_drive (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  double fastest = 0.0;
  int found = -1;

  for (int k = 0; k < iw->n_rows && iw->is_driven; k++)
    if (mech->rows[island->rows[k]].is_driven && iw->drive[3 * k + 1] != 0.0)
      found = k;
  if (found < 0)
    return -1;
  bool is_length = !hl_row_is_angle (&mech->rows[island->rows[found]]);
  hl_island_carry (iw);
  for (int k = 0; k < iw->n; k++)
    fastest = fmax (fastest, fabs (iw->carried[k]) / (k % 3 == 2 ? 1.0 : island->length));
  double rate = fabs (iw->drive[3 * found + 1]) / (is_length ? island->length : 1.0);
  return fastest > BEYOND_REACH * rate ? found : -1;
}

/* An integrator that is stuck next to a dead point cannot know why: looks for one where the run has
 * got to. */
static void blame_dead_point (HlSimRun *run, HlFault *fault) {
  const HlMechanism *mech = &run->sys->mech;

  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = run->work->islands[k];
    if (hl_island_margin (mech, island, iw) > NEAR_DEAD_POINT)
      continue;
    int drive = find_limited_drive (mech, island, iw);
    if (drive >= 0) {
      const HlRow *row = &mech->rows[island->rows[drive]];
      *fault = (HlFault){.status = HL_DEAD_POINT,
                         .entity_kind = HL_ENTITY_JOINT,
                         .entity = row->joint,
                         .time = fault->time,
                         .value = row->constant + iw->drive_last[drive]};
      return;
    }
    *fault = (HlFault){
        .status = HL_DEAD_POINT,
        .entity_kind = HL_ENTITY_BODY,
        .entity = hl_island_fastest_body (island, iw),
        .time = fault->time,
        .why = N_ ("the linkage comes to a dead point, where its joints do not say how it goes on"),
        .mend = N_ ("give it another link that carries it through, make its links a little unequal in "
                    "length, or end the run before")};
    return;
  }
}

bool hl_sim_name_failure (HlSimRun *run, HlStatus status, HlFault *fault) {
  /* what a callback complained of before, and the integrator found a way around, is no reason */
  bool is_tired = status == HL_TOO_MUCH_WORK || status == HL_OUT_OF_STEPS;
  bool told =
      run->fault.status != HL_OK && status != HL_CANCELLED && (!is_tired || run->fault.status == status);
  double t = run->integrator != NULL ? hl_integrator_step_end (run->integrator) : NAN;

  *fault = told ? run->fault : (HlFault){.status = status, .entity = -1, .time = NAN};
  if (run->integrator != NULL && run->form->run_all == NULL)
    fault->time = t;
  if ((status == HL_TOO_MUCH_WORK || status == HL_DEAD_POINT) && fault->change != HL_CHANGE_REDUCED)
    blame_dead_point (run, fault);
  bool method_failed =
      (status == HL_TOO_MUCH_WORK || status == HL_NO_CONVERGENCE || status == HL_NOT_FINITE) &&
      fault->status == status && fault->why == NULL && fault->entity < 0;
  if (fault->entity < 0)
    blame (run, status, fault);
  return method_failed;
}
