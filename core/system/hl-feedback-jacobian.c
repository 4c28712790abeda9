/* SPDX-License-Identifier: MIT */
/* The closed loop in the exact Jacobian: what a state does to the signals that listen, times what
 * these do to the rates. */
#include "core/system/hl-feedback.h"

#include <string.h>

#include "core/system/hl-jacobian-private.h"

/* Scratch of a tangent behind the changes of what is measured: see HlWork.along. */
typedef struct
{
  double *dp, *du, *dsignal,
      *du_dot; /* n_pressures; n_component_states; n_signals; n_component_states */
} Along;

static Along
along_of (const HlSystem *sys, const HlWork *work)
{
  Along a;

  a.dp = work->along + sys->topology->n_measures;
  a.du = a.dp + work->r;
  a.dsignal = a.du + work->u;
  a.du_dot = a.dsignal + sys->n_signals;
  return a;
}

static void
clear (const HlSystem *sys, const HlWork *work, const Along *a)
{
  memset (a->dsignal, 0, (size_t)(sys->n_signals + work->u) * sizeof (double));
}

/* Adds to a column what a motion does by way of signals, times `by`. */
static bool
add_along (const HlSystem *sys,
           HlWork *work,
           const HlMotion *motion,
           HlCorner corner,
           double by,
           double column[],
           bool *bends)
{
  const HlTopology *top = sys->topology;
  Along a = along_of (sys, work);

  if (!hl_feedback_tangent (sys, work, motion, corner, a.dsignal, a.du_dot, bends))
    return false;
  for (int k = 0; k < top->n_heard; k++) {
    const double *effect = work->effect + (size_t)k * (size_t)work->n_states;
    double d = by * a.dsignal[top->heard[k]];
    for (int row = 0; row < work->n_states && d != 0.0; row++)
      column[row] += d * effect[row];
  }
  for (int k = 0; k < work->u; k++)
    column[hl_off_u (work) + k] += by * a.du_dot[k];
  return true;
}

typedef struct
{
  double *J; /* ld x n_states, column-major */
  int ld;
} Columns;

static void
motion_column (const HlSystem *sys, HlWork *work, int state, void *data)
{
  const Columns *to = data;
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  clear (sys, work, &a);
  add_along (sys, work, &motion, HL_CORNER_MEAN, 1.0, to->J + (size_t)state * (size_t)to->ld, NULL);
}

void
hl_feedback_effects (const HlSystem *sys, HlWork *work)
{
  for (int k = 0; k < sys->topology->n_heard; k++) {
    double *effect = work->effect + (size_t)k * (size_t)work->n_states;
    memset (effect, 0, (size_t)work->n_states * sizeof (double));
    hl_jacobian_signal_column (sys, work, sys->topology->heard[k], effect);
  }
}

void
hl_feedback_add (const HlSystem *sys, HlWork *work, double J[], int ld)
{
  const HlTopology *top = sys->topology;
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};
  Columns to = {J, ld};

  hl_feedback_effects (sys, work);
  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  if (top->measures_motion)
    hl_jacobian_each_motion (sys, work, motion_column, &to);
  for (int k = 0; k < work->r + work->u; k++) {
    a.dp[k] = 1.0; /* and du behind it */
    clear (sys, work, &a);
    add_along (sys, work, &motion, HL_CORNER_MEAN, 1.0,
               J + (size_t)(hl_off_p (work) + k) * (size_t)ld, NULL);
    a.dp[k] = 0.0;
  }
}

void
hl_feedback_input (const HlSystem *sys, HlWork *work, const double changes[], double column[])
{
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  clear (sys, work, &a);
  memcpy (a.dsignal, changes, (size_t)sys->n_signals * sizeof (double));
  add_along (sys, work, &motion, HL_CORNER_MEAN, 1.0, column, NULL);
}

void
hl_feedback_motion (const HlSystem *sys, HlWork *work, double column[])
{
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  clear (sys, work, &a);
  add_along (sys, work, &motion, HL_CORNER_MEAN, 1.0, column, NULL);
}

/* ---- kinks ---- */

typedef struct
{
  int state;
  double *up, *down; /* n_states: columns of J on both sides */
  bool is_kinked;
} Sides;

/* Laws at a kink of a signal that listens: what their other slope makes of the change of it. */
static bool
add_law_sides (
    const HlSystem *sys, HlWork *work, bool ahead, const double dsignal[], double column[])
{
  bool is_kinked = false;

  for (int k = 0; k < sys->topology->n_laws; k++) {
    const HlComponent *c = &sys->components[sys->topology->laws[k]];
    for (int at = 0; at < c->klass->n_signals && c->klass->is_kinked != NULL; at++) {
      int of_law = c->klass->kind.n_ports + c->n_states + at;
      double d = dsignal[c->signal[at]];
      HlLawInputs in;
      HlLaw law = hl_work_law (work, c, &in);
      if (d == 0.0 || !sys->signals[c->signal[at]].listens ||
          !c->klass->is_kinked (c, &law, of_law))
        continue;
      is_kinked = true;
      if (column != NULL)
        hl_jacobian_add_law_side (sys, work, c, of_law,
                                  ahead == (d > 0.0) ? HL_SIDE_UP : HL_SIDE_DOWN, d, column);
    }
  }
  return is_kinked;
}

/* The state's motion is in the work: its columns on both sides, where they differ. */
static void
both_sides (const HlSystem *sys, HlWork *work, int state, void *data)
{
  Sides *sides = data;
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};
  bool bends = false;

  if (state != sides->state)
    return;
  clear (sys, work, &a);
  hl_feedback_tangent (sys, work, &motion, HL_CORNER_MEAN, a.dsignal, a.du_dot, &bends);
  if (!bends && !add_law_sides (sys, work, true, a.dsignal, NULL))
    return;
  sides->is_kinked = true;
  for (int side = 0; side < 2; side++) {
    double *column = side == 0 ? sides->up : sides->down;
    clear (sys, work, &a);
    add_along (sys, work, &motion, HL_CORNER_MEAN, -1.0, column, NULL);
    clear (sys, work, &a);
    add_along (sys, work, &motion, side == 0 ? HL_CORNER_AHEAD : HL_CORNER_BEHIND, 1.0, column,
               NULL);
    add_law_sides (sys, work, side == 0, a.dsignal, column);
  }
}

bool
hl_feedback_kink (const HlSystem *sys, HlWork *work, int state, double up[], double down[])
{
  Along a = along_of (sys, work);
  Sides sides = {.state = state, .up = up, .down = down};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  if (state < hl_off_p (work)) {
    if (sys->topology->measures_motion)
      hl_jacobian_each_motion (sys, work, both_sides, &sides);
    return sides.is_kinked;
  }
  a.dp[state - hl_off_p (work)] = 1.0;
  both_sides (sys, work, state, &sides);
  a.dp[state - hl_off_p (work)] = 0.0;
  return sides.is_kinked;
}
