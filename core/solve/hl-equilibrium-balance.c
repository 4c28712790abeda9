/* SPDX-License-Identifier: MIT */
/* The balance as a least-squares problem (theory/equilibrium.md (1)-(4), (8)). The unknowns are the
 * independent and admissible coordinates, pressures and component states that equilibrium.hold does
 * not name; the equations are accelerations, pressure rates and component rates. Its matrix is a
 * part of the exact Jacobian. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-state-scale.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-feedback.h"

#define PRESSURE_SCALE 1.0e6
#define ROUNDING 1.0e-12
#define DEVIATION 1.0e-3
#define WAY_TO_ZERO 0.7 /* a step takes a pressure so far on its way to 0, at most */

static bool is_held (const int list[], int n, int what) {
  for (int k = 0; k < n; k++)
    if (list[k] == what)
      return true;
  return false;
}

bool hl_balance_is_held (const HlSystem *sys, const HlWork *work, int state) {
  const HlTopology *top = sys->topology;

  if (state >= hl_off_u (work))
    return hl_state_keeps (sys, state - hl_off_u (work)) ||
           is_held (top->hold_states, top->n_hold_states, state - hl_off_u (work));
  if (state >= hl_off_p (work))
    return is_held (top->hold_pressures, top->n_hold_pressures, state - hl_off_p (work));
  int column = state >= hl_off_ad (work)  ? work->ad_column[state - hl_off_ad (work)]
               : state >= hl_off_v (work) ? work->ai_column[state - hl_off_v (work)]
                                          : work->ai_column[state];
  return is_held (top->hold_coordinates, top->n_hold_coordinates, column);
}

void hl_balance_init (const HlSystem *sys, const HlWork *work, HlBalance *b) {
  int n = work->n_states;
  HlArena *arena = &b->arena;

  *b = (HlBalance){.n = n};
  b->free_state = hl_arena_take (arena, n, sizeof (int));
  b->row = hl_arena_take (arena, n, sizeof (int));
  b->free_scale = hl_arena_take (arena, n, sizeof (double));
  b->is_motion = hl_arena_take (arena, n, sizeof (bool));
  b->column_scale = hl_arena_take (arena, n, sizeof (double));
  b->y = hl_arena_take (arena, n, sizeof (double));
  b->y_dot = hl_arena_take (arena, n, sizeof (double));
  b->trial = hl_arena_take (arena, n, sizeof (double));
  b->J = hl_arena_take (arena, n * n, sizeof (double));
  b->a = hl_arena_take (arena, n * n, sizeof (double));
  b->b = hl_arena_take (arena, n, sizeof (double));
  b->weight = hl_arena_take (arena, n, sizeof (double));
  b->lw = hl_linalg_work_new (n + 1, n + 1);
  for (int state = 0; state < n; state++) {
    bool is_speed = state >= hl_off_v (work) && state < hl_off_ad (work);
    bool is_pressure = state >= hl_off_p (work) && state < hl_off_u (work);
    double scale = is_pressure ? PRESSURE_SCALE : 1.0;
    if (state >= hl_off_u (work) && hl_state_signal (sys, state - hl_off_u (work)) != NULL)
      scale = hl_scale_of_component (sys, state - hl_off_u (work));

    if (!is_speed && !hl_balance_is_held (sys, work, state)) {
      b->free_scale[b->n_free] = scale;
      b->free_state[b->n_free++] = state;
    }
    b->column_scale[state] =
        state < hl_off_u (work) ? scale : hl_scale_of_component (sys, state - hl_off_u (work));
    if (is_speed || state >= hl_off_p (work)) {
      b->is_motion[b->n_rows] = is_speed;
      b->row[b->n_rows++] = state;
    }
  }
}

void hl_balance_clear (HlBalance *b) {
  hl_arena_clear (&b->arena);
  hl_linalg_work_free (b->lw);
}

/* A deviation of one state, a thousandth of its scale, causes so much of a rate: that is the size
 * that the rate is measured by. The flow of a pipe counts by the pipe, or a cubic metre a second
 * would make any filling line look at rest. */
double hl_balance_residual (const HlBalance *b, int *worst) {
  double largest = 0.0;

  *worst = -1;
  for (int r = 0; r < b->n_rows; r++) {
    double size = b->is_motion[r] ? 9.81 : 0.0;
    for (int c = 0; c < b->n; c++)
      size = fmax (size, fabs (b->J[c * b->n + b->row[r]]) * b->column_scale[c] * DEVIATION);
    double rate = fabs (b->y_dot[b->row[r]]) / (size > 0.0 ? size : 1.0);
    if (rate > largest) {
      largest = rate;
      *worst = b->row[r];
    }
  }
  return largest;
}

/* p' = net/C. Neither a large C makes rest: that of oil with air grows like p^-(1 + 1/n) as its
 * pressure goes to 0, and at no pressure everything would be still, whatever flows. Nor does a
 * chamber: a piston must not move because that slows down the filling of its line. So the equation
 * is net = 0, with
 *
 *   d net/dz = C dp'/dz + p' dC/dz                             theory/equilibrium.md (4)
 *
 * which by a position is 0: no orifice knows where a piston stands, and nothing moves; but for what a
 * controller makes of the place. */
static void take_flows (const HlSystem *sys, HlWork *work, HlBalance *b, bool has_J) {
  bool has_loop = has_J && work->along != NULL;

  if (has_loop) {
    memset (b->a, 0, (size_t)b->n * (size_t)b->n * sizeof (double));
    hl_feedback_add (sys, work, b->a, b->n);
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    if (sys->nodes[node].state < 0)
      continue;
    int row = hl_off_p (work) + sys->nodes[node].state;
    for (int c = 0; has_J && c < b->n; c++) {
      bool is_place = c < hl_off_v (work) || (c >= hl_off_ad (work) && c < hl_off_p (work));
      double loop = has_loop && is_place ? b->a[c * b->n + row] : 0.0;
      b->J[c * b->n + row] = work->compliance[node] * (is_place ? loop : b->J[c * b->n + row]);
    }
    if (has_J)
      b->J[row * b->n + row] += b->y_dot[row] * work->compliance_dp[node];
    b->y_dot[row] *= work->compliance[node];
  }
}

bool hl_balance_is_cancelled (const HlWork *work) {
  return work->cancel != NULL && work->cancel (work->cancel_data);
}

HlStatus hl_balance_rates (const HlSystem *sys, HlWork *work, HlBalance *b, HlFault *fault) {
  if (hl_balance_is_cancelled (work))
    return HL_CANCELLED;
  HlStatus status = hl_dynamics_eval (sys, 0.0, b->y, b->y_dot, work, fault);

  if (status == HL_OK)
    take_flows (sys, work, b, false);
  return status;
}

HlStatus hl_balance_eval (const HlSystem *sys, HlWork *work, HlBalance *b, HlFault *fault) {
  if (hl_balance_is_cancelled (work))
    return HL_CANCELLED;
  HlStatus status = hl_jacobian_eval_with_rates (sys, 0.0, b->y, b->J, b->y_dot, work, fault);

  if (status == HL_OK)
    take_flows (sys, work, b, true);
  return status;
}

double hl_balance_norm (const HlBalance *b) {
  double sum = 0.0;

  for (int r = 0; r < b->n_rows; r++) {
    double rate = b->y_dot[b->row[r]] * b->weight[r];
    sum += rate * rate;
  }
  return sqrt (sum);
}

/* No unit is to dominate. A row that the free states reach by rounding only gets no weight: at a
 * dead point of a cylinder its pressures would go anywhere. */
void hl_balance_weigh (HlBalance *b) {
  for (int r = 0; r < b->n_rows; r++) {
    double largest = 0.0, whole = 0.0;
    for (int k = 0; k < b->n_free; k++)
      largest = fmax (largest, fabs (b->J[b->free_state[k] * b->n + b->row[r]]) * b->free_scale[k]);
    for (int c = 0; c < b->n; c++)
      whole = fmax (whole, fabs (b->J[c * b->n + b->row[r]]));
    b->weight[r] = largest > ROUNDING * whole ? 1.0 / largest : 0.0;
  }
}

HlStatus hl_balance_step (HlBalance *b) {
  for (int k = 0; k < b->n_free; k++)
    for (int r = 0; r < b->n_rows; r++)
      b->a[k * b->n_rows + r] = b->J[b->free_state[k] * b->n + b->row[r]] * b->free_scale[k] * b->weight[r];
  for (int r = 0; r < b->n_rows; r++)
    b->b[r] = -b->y_dot[b->row[r]] * b->weight[r];
  return hl_least_squares (b->n_rows, b->n_free, b->a, 1, b->b, 1.0e-11, NULL, b->lw);
}

double hl_balance_farthest (const HlWork *work, const HlBalance *b) {
  double longest = 0.0;

  for (int k = 0; k < b->n_free; k++)
    if (b->free_state[k] < hl_off_p (work))
      longest = fmax (longest, fabs (b->b[k]));
  return longest;
}

#define HARDLY_ANY 1.0e-3 /* of the onset of vapour */

double hl_balance_least_pressure (const HlSystem *sys) {
  return HARDLY_ANY * hl_fluid_onset (&sys->fluid);
}

double hl_balance_positive_share (const HlWork *work, const HlBalance *b) {
  double share = 1.0;

  for (int k = 0; k < b->n_free; k++) {
    int state = b->free_state[k];
    double by = b->b[k] * b->free_scale[k];
    if (state >= hl_off_p (work) && state < hl_off_u (work) && -by > WAY_TO_ZERO * b->y[state])
      share = fmin (share, WAY_TO_ZERO * b->y[state] / -by);
  }
  return share;
}
