/* SPDX-License-Identifier: MIT */
/* The closed loop in the exact Jacobian: what a state does to the signals that listen, times what
 * these do to the rates. */
#include "core/system/hl-feedback.h"

#include <string.h>

#include "core/system/hl-jacobian-private.h"

/* Scratch of a tangent behind the changes of what is measured: see HlWork.along. */
typedef struct {
  double *dp, *du, *dsignal, *du_dot; /* n_pressures; n_component_states; n_signals; n_component_states */
} Along;

static Along along_of (const HlSystem *sys, const HlWork *work) {
  Along a;

  a.dp = work->along + sys->topology->n_measures;
  a.du = a.dp + work->r;
  a.dsignal = a.du + work->u;
  a.du_dot = a.dsignal + sys->n_signals;
  return a;
}

static void clear (const HlSystem *sys, const HlWork *work, const Along *a) {
  memset (a->dsignal, 0, (size_t)(sys->n_signals + work->u) * sizeof (double));
}

/* Adds to a column what a motion does by way of signals, times `by`. */
static bool add_along (const HlSystem *sys, HlWork *work, const HlMotion *motion, double by,
                       double column[]) {
  const HlTopology *top = sys->topology;
  Along a = along_of (sys, work);

  if (!hl_feedback_tangent (sys, work, motion, a.dsignal, a.du_dot))
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

typedef struct {
  double *J; /* ld x n_states, column-major */
  int ld;
} Columns;

static void motion_column (const HlSystem *sys, HlWork *work, int state, void *data) {
  const Columns *to = data;
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  clear (sys, work, &a);
  add_along (sys, work, &motion, 1.0, to->J + (size_t)state * (size_t)to->ld);
}

void hl_feedback_effects (const HlSystem *sys, HlWork *work) {
  for (int k = 0; k < sys->topology->n_heard; k++) {
    double *effect = work->effect + (size_t)k * (size_t)work->n_states;
    memset (effect, 0, (size_t)work->n_states * sizeof (double));
    hl_jacobian_signal_column (sys, work, sys->topology->heard[k], effect);
  }
}

void hl_feedback_add (const HlSystem *sys, HlWork *work, double J[], int ld) {
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
    add_along (sys, work, &motion, 1.0, J + (size_t)(hl_off_p (work) + k) * (size_t)ld);
    a.dp[k] = 0.0;
  }
}

void hl_feedback_input (const HlSystem *sys, HlWork *work, const double changes[], double column[]) {
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  clear (sys, work, &a);
  memcpy (a.dsignal, changes, (size_t)sys->n_signals * sizeof (double));
  add_along (sys, work, &motion, 1.0, column);
}

void hl_feedback_motion (const HlSystem *sys, HlWork *work, double column[]) {
  Along a = along_of (sys, work);
  HlMotion motion = {work->dx, work->dv, a.dp, a.du, NULL, .given = -1};

  memset (a.dp, 0, (size_t)(work->r + work->u) * sizeof (double));
  clear (sys, work, &a);
  add_along (sys, work, &motion, 1.0, column);
}
