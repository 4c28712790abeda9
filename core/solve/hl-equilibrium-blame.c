/* SPDX-License-Identifier: MIT */
/* Why there is no balance. A cylinder without lever arm explains a motion that no pressure stops.
 * Otherwise every state that equilibrium.hold keeps is asked how much of what is left of the rates
 * it could take away, and the best one is named when it could take most of it. */
#include <math.h>

#include "core/base/hl-arena.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-dynamics.h"

/* A held state explains the misfit when its column makes at most this angle with it (cosine). */
#define EXPLAINS 0.5
/* Rates below this part of their size are no misfit. */
#define NEGLIGIBLE 1.0e-9

const char hl_balance_pulls[] =
    HL_TEXT ("its oil would have to pull to balance what acts on it, and a line has no pressure at "
             "0 and below");

double hl_cylinder_arm (const HlSystem *sys, const HlWork *work, int cylinder) {
  const HlCylinder *cyl = &sys->cylinders[cylinder];
  double largest = 0.0;

  for (int k = 0; k < sys->mech.n_islands; k++) {
    const HlIsland *island = &sys->mech.islands[k];
    const HlIslandWork *iw = work->islands[k];

    for (int j = 0; j < iw->f; j++) {
      const double *T = hl_island_velocity_column (iw, j);
      double sum = 0.0;
      for (int side = 0; side < 2; side++) {
        int body = side == 0 ? cyl->body_i : cyl->body_j;
        if (body < 0 || sys->mech.island_of_body[body] != k)
          continue;
        for (int c = 0; c < 3; c++)
          sum +=
              work->cylinders[cylinder].length.grad[3 * side + c] * T[3 * sys->mech.local_of_body[body] + c];
      }
      largest = fmax (largest, fabs (sum) / (iw->ai[j] % 3 == 2 ? island->length : 1.0));
    }
  }
  return largest;
}

static bool acts_on (const HlSystem *sys, const HlCylinder *cyl, int island) {
  return (cyl->body_i >= 0 && sys->mech.island_of_body[cyl->body_i] == island) ||
         (cyl->body_j >= 0 && sys->mech.island_of_body[cyl->body_j] == island);
}

static bool is_free (const HlBalance *b, int state) {
  for (int k = 0; k < b->n_free; k++)
    if (b->free_state[k] == state)
      return true;
  return false;
}

/* The held state that could take away most of what the free ones leave of the rates; -1 = none.
 * Pressures come before positions, for holding a position is what most people want. */
static int find_overheld (const HlWork *work, const HlBalance *b) {
  size_t rows = (size_t)b->n_rows, n = (size_t)b->n, side = rows > n ? rows : n;
  HlArena scratch = {0};
  int *held = hl_arena_take (&scratch, b->n, sizeof *held), n_held = 0, best = -1;
  double *a = hl_arena_take (&scratch, b->n, side * sizeof *a),
         *x = hl_arena_take (&scratch, b->n + 1, side * sizeof *x),
         *left = hl_arena_take (&scratch, b->n + 1, rows * sizeof *left),
         *weight = hl_arena_take (&scratch, b->n_rows, sizeof *weight),
         *kept = hl_arena_take (&scratch, b->n, rows * sizeof *kept);
  size_t ld = rows > (size_t)b->n_free ? rows : (size_t)b->n_free;
  HlLinalgWork *lw = hl_linalg_work_new ((int)side, (int)side + 1);

  for (int state = (int)n - 1; state >= 0; state--) /* component states, pressures, positions */
    if (!is_free (b, state) && (state < hl_off_v (work) || state >= hl_off_ad (work)))
      held[n_held++] = state;
  for (size_t r = 0; r < rows; r++) {
    bool is_pressure = b->row[r] >= hl_off_p (work) && b->row[r] < hl_off_u (work);
    double largest = 0.0;
    for (size_t c = 0; c < n; c++)
      largest = fmax (largest, fabs (b->J[c * n + (size_t)b->row[r]]) *
                                   (is_pressure ? b->column_scale[b->row[r]] : 1.0));
    weight[r] = largest > 0.0 ? 1.0 / largest : 0.0;
    left[r] = b->y_dot[b->row[r]] * weight[r];
    for (int h = 0; h < n_held; h++)
      left[(size_t)(h + 1) * rows + r] = b->J[(size_t)held[h] * n + (size_t)b->row[r]] * weight[r];
    for (int k = 0; k < b->n_free; k++)
      a[(size_t)k * rows + r] =
          b->J[(size_t)b->free_state[k] * n + (size_t)b->row[r]] * b->free_scale[k] * weight[r];
  }
  /* what is left of the rates, and of each held column, beyond what the free states can do */
  for (size_t k = 0; k < rows * (size_t)b->n_free; k++)
    kept[k] = a[k];
  for (int column = 0; column <= n_held; column++)
    for (size_t r = 0; r < rows; r++)
      x[(size_t)column * ld + r] = left[(size_t)column * rows + r];
  if (b->n_free > 0 &&
      hl_least_squares (b->n_rows, b->n_free, a, n_held + 1, x, 1.0e-11, NULL, lw) == HL_OK) {
    for (int column = 0; column <= n_held; column++)
      for (size_t r = 0; r < rows; r++)
        for (int k = 0; k < b->n_free; k++)
          left[(size_t)column * rows + r] -= kept[(size_t)k * rows + r] * x[(size_t)column * ld + (size_t)k];
  }
  double best_share = EXPLAINS, size = 0.0;
  for (size_t r = 0; r < rows; r++)
    size += left[r] * left[r];
  for (int h = 0; h < n_held && size > NEGLIGIBLE * NEGLIGIBLE; h++) {
    double along = 0.0, own = 0.0;
    for (size_t r = 0; r < rows; r++) {
      double entry = left[(size_t)(h + 1) * rows + r];
      along += entry * left[r];
      own += entry * entry;
    }
    double share = own > 0.0 ? fabs (along) / sqrt (own * size) : 0.0;
    if (share > 1.01 * best_share) {
      best_share = share;
      best = held[h];
    }
  }
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
  return best;
}

/* Fault at the element that state belongs to. */
static HlStatus fault_at_state (const HlSystem *sys, const HlWork *work, HlStatus status, int state,
                                double value, HlFault *fault) {
  const HlTopology *top = sys->topology;

  if (state >= hl_off_u (work)) {
    HlEntityKind kind;
    int entity;
    hl_state_owner (sys, work, state, &kind, &entity);
    return hl_fault_set (fault, status, kind, entity, value);
  }
  if (state >= hl_off_p (work))
    return hl_fault_set (fault, status, HL_ENTITY_LINE, top->line_of_pressure[state - hl_off_p (work)],
                         value);
  int column = state >= hl_off_ad (work)  ? work->ad_column[state - hl_off_ad (work)]
               : state >= hl_off_v (work) ? work->ai_column[state - hl_off_v (work)]
                                          : work->ai_column[state];
  return hl_fault_set (fault, status, HL_ENTITY_BODY, column / 3, value);
}

int hl_balance_find_empty (const HlSystem *sys, const HlWork *work, const HlBalance *b) {
  for (int k = 0; k < b->n_free; k++) {
    int state = b->free_state[k];
    if (state >= hl_off_p (work) && state < hl_off_u (work) && b->y[state] <= hl_balance_least_pressure (sys))
      return state;
  }
  return -1;
}

HlStatus hl_equilibrium_blame (const HlSystem *sys, const HlWork *work, const HlBalance *b, int worst,
                               double residual, HlFault *fault) {
  int empty = hl_balance_find_empty (sys, work, b);

  if (empty >= 0) {
    fault_at_state (sys, work, HL_NO_CONVERGENCE, empty, b->y[empty], fault);
    if (fault != NULL) {
      fault->why = hl_balance_pulls;
      fault->mend = HL_TEXT ("load the cylinder the other way, raise the pressure on the other "
                             "side, or let the run start as given");
    }
    return HL_NO_CONVERGENCE;
  }
  bool is_motion = worst >= hl_off_v (work) && worst < hl_off_ad (work);

  if (is_motion) {
    int column = work->ai_column[worst - hl_off_v (work)];
    for (int k = 0; k < sys->n_cylinders; k++) {
      const HlCylinder *cyl = &sys->cylinders[k];
      if (acts_on (sys, cyl, sys->mech.island_of_body[column / 3]) &&
          hl_cylinder_arm (sys, work, k) < HL_NO_ARM)
        return hl_fault_set (fault, HL_DEAD_POINT, HL_ENTITY_COMPONENT, cyl->component, residual);
    }
  }
  int overheld = find_overheld (work, b);
  if (overheld >= 0)
    return fault_at_state (sys, work, HL_OVERHELD, overheld, residual, fault);
  return fault_at_state (sys, work, HL_NO_CONVERGENCE, worst, residual, fault);
}
