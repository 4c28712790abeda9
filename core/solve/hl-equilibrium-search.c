/* SPDX-License-Identifier: MIT */
/* A search for the balance, as a least-squares problem, over several sets of coordinates, and why there is
 * none. The first set is that of the file, in which the equilibrium of trapped oil is defined. But the x of a swinging
 * bar has a dead point of its own where the bar lies level: no torque accelerates it there, so the equations are met
 * although the bar falls, and farther out it cannot go. So a candidate is judged in the coordinates that move the
 * linkage best, and a search that ended beside such a place continues from there in other coordinates. */
#include "core/solve/hl-equilibrium-private.h"

#include "core/base/hl-arena.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-state-rank-scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The balance as a least-squares problem (theory/equilibrium.md (1)-(4), (8)). The unknowns are the
 * independent and admissible coordinates, pressures and component states that equilibrium.hold does
 * not name; the equations are accelerations, pressure rates and component rates. Its matrix is a
 * part of the exact Jacobian. */

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

/* Initializes the search for the present partition of the work. */
static void balance_init (const HlSystem *sys, const HlWork *work, HlBalance *b) {
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
  b->begin = hl_arena_take (arena, n, sizeof (double));
  b->found = hl_arena_take (arena, n, sizeof (double));
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

static void balance_clear (HlBalance *b) {
  hl_arena_clear (&b->arena);
  hl_linalg_work_free (b->lw);
}

/* Returns a deviation of one state, a thousandth of its scale, causes so much of a rate: that is the size
 * that the rate is measured by. The flow of a pipe counts by the pipe, or a cubic metre a second
 * would make any filling line look at rest. */
static double balance_residual (const HlBalance *b, int *worst) {
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

/* Computes p' = net/C. A large C is not an equilibrium: C of oil with air grows like p^-(1 + 1/n) as the
 * pressure goes to 0, so p' would vanish at p = 0 for any flow. Nor may a piston move only to enlarge its
 * chamber. So the equation is net = 0 instead of p' = 0, with
 *
 *   d net/dz = C dp'/dz + p' dC/dz                             theory/equilibrium.md (4)
 *
 * whose derivative by a position is 0, because the flow through an orifice does not depend on the piston
 * position and nothing moves; but for what a controller makes of the place. */
static void eval_pressure_rates (const HlSystem *sys, HlWork *work, HlBalance *b, bool has_J) {
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

/* Computes the rates at b->y, and J with them. A pressure's rate is multiplied by the compliance: that is the
 * flow into the line, which neither air that grows without bound nor a large chamber can hide. */
static HlStatus balance_rates (const HlSystem *sys, HlWork *work, HlBalance *b, HlFault *fault) {
  if (hl_balance_is_cancelled (work))
    return HL_CANCELLED;
  HlStatus status = hl_dynamics_eval (sys, 0.0, b->y, b->y_dot, work, fault);

  if (status == HL_OK)
    eval_pressure_rates (sys, work, b, false);
  return status;
}

/* Computes rates and J at b->y. The status is that of the right-hand side, or HL_CANCELLED. */
static HlStatus balance_eval (const HlSystem *sys, HlWork *work, HlBalance *b, HlFault *fault) {
  if (hl_balance_is_cancelled (work))
    return HL_CANCELLED;
  HlStatus status = hl_jacobian_eval_with_rates (sys, 0.0, b->y, b->J, b->y_dot, work, fault);

  if (status == HL_OK)
    eval_pressure_rates (sys, work, b, true);
  return status;
}

/* Returns the Euclidean norm of the weighted rates. */
static double balance_norm (const HlBalance *b) {
  double sum = 0.0;

  for (int r = 0; r < b->n_rows; r++) {
    double rate = b->y_dot[b->row[r]] * b->weight[r];
    sum += rate * rate;
  }
  return sqrt (sum);
}

/* Weighs rows and columns so that no unit dominates. A row that the free states affect by rounding only gets
 * no weight: at a dead point of a cylinder its pressures would otherwise be arbitrary. */
static void balance_weigh (HlBalance *b) {
  for (int r = 0; r < b->n_rows; r++) {
    double largest = 0.0, whole = 0.0;
    for (int k = 0; k < b->n_free; k++)
      largest = fmax (largest, fabs (b->J[b->free_state[k] * b->n + b->row[r]]) * b->free_scale[k]);
    for (int c = 0; c < b->n; c++)
      whole = fmax (whole, fabs (b->J[c * b->n + b->row[r]]));
    b->weight[r] = largest > ROUNDING * whole ? 1.0 / largest : 0.0;
  }
}

/* Solves (2) for a step that comes behind `way`, both in units of free_scale: the step is of least norm and
 * in b->b. */
static HlStatus solve_step (HlBalance *b, const double way[]) {
  for (int r = 0; r < b->n_rows; r++)
    b->b[r] = -b->y_dot[b->row[r]] * b->weight[r];
  for (int k = 0; k < b->n_free; k++)
    for (int r = 0; r < b->n_rows; r++) {
      double a = b->J[b->free_state[k] * b->n + b->row[r]] * b->free_scale[k] * b->weight[r];
      b->a[k * b->n_rows + r] = a;
      if (way != NULL)
        b->b[r] -= a * way[k];
    }
  return hl_least_squares (b->n_rows, b->n_free, b->a, 1, b->b, 1.0e-11, NULL, b->lw);
}

/* Returns the norm of the weighted rates that the step in b->b leaves, linearly. */
static double misfit (const HlBalance *b) {
  double sum = 0.0;

  for (int r = 0; r < b->n_rows; r++) {
    double rate = b->y_dot[b->row[r]];
    for (int k = 0; k < b->n_free; k++)
      rate += b->J[b->free_state[k] * b->n + b->row[r]] * b->free_scale[k] * b->b[k];
    sum += rate * rate * b->weight[r] * b->weight[r];
  }
  return sqrt (sum);
}

static double step_size (const HlBalance *b) {
  double most = 0.0;

  for (int k = 0; k < b->n_free; k++)
    most = fmax (most, fabs (b->b[k]));
  return most;
}

/* A step of this size, in scales, is a compromise when it leaves more than this part of the rates. */
#define VISIBLE 1.0e-6
#define COMPROMISE 1.0e-3

/* Gauss-Newton step of least norm in units of free_scale, in b->b. */
static HlStatus balance_step (HlBalance *b) {
  HlStatus status = solve_step (b, NULL);

  b->wandered = b->wandered ||
                (status == HL_OK && step_size (b) > VISIBLE && misfit (b) > COMPROMISE * balance_norm (b));
  return status;
}

/* Returns the largest part of a step in b->b by a coordinate. */
static double balance_farthest (const HlWork *work, const HlBalance *b) {
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

/* Returns how much of the step in b->b leaves every pressure above 0, below which there is no oil. */
static double balance_positive_share (const HlWork *work, const HlBalance *b) {
  double share = 1.0;

  for (int k = 0; k < b->n_free; k++) {
    int state = b->free_state[k];
    double by = b->b[k] * b->free_scale[k];
    if (state >= hl_off_p (work) && state < hl_off_u (work) && -by > WAY_TO_ZERO * b->y[state])
      share = fmin (share, WAY_TO_ZERO * b->y[state] / -by);
  }
  return share;
}

/* Finds the reason why there is no equilibrium. A cylinder without lever arm explains a motion that no
 * pressure can hold. Otherwise the reduction of the remaining rates is computed for every state that
 * equilibrium.hold keeps, and the best one is named when it could remove most of them. */

/* A held state explains the misfit when its column makes at most this angle with it (cosine). */
#define EXPLAINS 0.5
/* Rates below this part of their size are no misfit. */
#define NEGLIGIBLE 1.0e-9

const char hl_balance_pulls[] = HL_TEXT ("the oil of this line would be under tension in equilibrium, but "
                                         "the absolute pressure of a line must be above 0");

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

/* Returns the held state that could take away most of what the free ones leave of the rates; -1 = none.
 * Pressures come before positions, since holding a position is the usual intention. */
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
  /* rest of the rates, and of each held column, after projection on the free states */
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

/* Sets the fault at the element that state belongs to. */
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

/* Returns the state of a free pressure that a search has taken to nothing, or -1. Nothing may move there,
 * or next to nothing: where no force presses on the oil, it comes to rest at 0, which no line has.
 */
static int balance_find_empty (const HlSystem *sys, const HlWork *work, const HlBalance *b) {
  for (int k = 0; k < b->n_free; k++) {
    int state = b->free_state[k];
    if (state >= hl_off_p (work) && state < hl_off_u (work) && b->y[state] <= hl_balance_least_pressure (sys))
      return state;
  }
  return -1;
}

/* Sets a fault that names the reason for the missing equilibrium when the rate `worst` remains: a cylinder
 * without lever arm, a state that equilibrium.hold keeps, or else the element of that rate. */
static HlStatus set_fault (const HlSystem *sys, const HlWork *work, const HlBalance *b, int worst,
                           double residual, HlFault *fault) {
  int empty = balance_find_empty (sys, work, b);

  if (empty >= 0) {
    fault_at_state (sys, work, HL_NO_CONVERGENCE, empty, b->y[empty], fault);
    if (fault != NULL) {
      fault->why = hl_balance_pulls;
      fault->mend = HL_TEXT ("reverse the load on the cylinder, increase the pressure on the other side, or "
                             "start the run from the values of the file (simulation.start: as-given)");
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

/* Newton's method for the balance, twice (theory/equilibrium.md (2), (5)). The first pass allows a small
 * increase of the residual and is quick; with trapped oil the equilibrium depends on the path of the
 * iteration, so its result defines the equilibrium. But this pass can cycle: the flow of an orifice far from
 * its laminar range goes as sqrt |dp|, and the Newton step leads from dp to -dp. The second pass demands a
 * decrease, which halves the step at sqrt |dp| and converges. */

#define MOST_ITERATIONS 60
/* Norm at which a search that has made all its steps may continue a little: otherwise its last place would
 * pass for the result although the next step moved it. */
#define NEARLY_THERE 1.0e-4
#define LAST_ITERATIONS 20
/* Minimum decrease of the norm, relative to that of the linear problem (Armijo). */
#define LEAST_DECREASE 1.0e-4
#define MOST_HALVINGS 30
/* Trials of one search that reach no place, before its coordinates count as exhausted: to find that
 * a linkage does not reach so far takes a thousand times as long as to evaluate a place. */
#define MOST_BLOCKED 12
/* Below this norm of the weighted rates rounding decides, not the search. */
#define FLOOR_OF_NORM 1.0e-10

/* Moves from b->trial along the step in b->b. */
static void move_state (HlBalance *b, double share) {
  memcpy (b->y, b->trial, (size_t)b->n * sizeof (double));
  for (int k = 0; k < b->n_free; k++)
    b->y[b->free_state[k]] += share * b->b[k] * b->free_scale[k];
}

/* Returns whether a search that has come to `norm` may continue. */
static bool has_steps (int n_done, double norm) {
  return n_done < MOST_ITERATIONS + (norm < NEARLY_THERE ? LAST_ITERATIONS : 0);
}

/* Returns whether a trial shows once too often that the linkage does not come so far. */
static bool is_blocked (HlStatus status, int *n_blocked) {
  *n_blocked += status == HL_DEAD_POINT;
  return *n_blocked > MOST_BLOCKED;
}

static double first_share (const HlWork *work, const HlBalance *b) {
  double longest = balance_farthest (work, b);
  double share = longest > HL_BALANCE_LONGEST_STEP ? HL_BALANCE_LONGEST_STEP / longest : 1.0;

  return fmin (share, balance_positive_share (work, b));
}

/* Accepts the balance at b->y, with J there in b->J, or says what is in the way. */
static HlStatus balance_judge (const HlSystem *sys, HlWork *work, HlBalance *b, HlEquilibriumInfo *info,
                               HlFault *fault) {
  int worst = -1;
  HlStatus status = balance_rates (sys, work, b, fault);

  if (status != HL_OK)
    return status;
  info->residual = balance_residual (b, &worst);
  return info->residual <= HL_BALANCE_ACCEPTED && balance_find_empty (sys, work, b) < 0
             ? HL_OK
             : set_fault (sys, work, b, worst, info->residual, fault);
}

/* Performs Newton's iteration, which may also increase the residual a little: its result defines the
 * equilibrium. Begins at b->y; `at` follows to the result, or to the last place (from the end of a branch the
 * way back may lead elsewhere). The fault names the obstacle. */
static HlStatus balance_iterate (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
                                 HlEquilibriumInfo *info, HlFault *fault) {
  double last = INFINITY;
  int quiet = 0, n_blocked = 0;
  HlStatus status = balance_eval (sys, work, b, fault);

  for (info->iterations = 0; status == HL_OK && has_steps (info->iterations, last); info->iterations++) {
    if ((status = hl_state_unpack (sys, work, 0.0, b->y, at, fault)) != HL_OK)
      break;
    balance_weigh (b);
    double norm = balance_norm (b);
    /* converged: rounding no longer lets the rates fall */
    if (norm == 0.0 || (norm < 1.0e-12 && norm >= 0.5 * last && ++quiet > 1) || b->n_free == 0)
      break;
    last = norm;
    if ((status = balance_step (b)) != HL_OK)
      break;
    double share = first_share (work, b);
    memcpy (b->trial, b->y, (size_t)b->n * sizeof (double));
    for (int halving = 0; halving < 8; halving++, share *= 0.5) {
      move_state (b, share);
      status = balance_eval (sys, work, b, fault);
      if (status == HL_OK && (balance_norm (b) < 2.0 * norm || norm < FLOOR_OF_NORM))
        break;
      if (is_blocked (status, &n_blocked))
        break;
    }
  }
  if (status == HL_OK)
    status = balance_judge (sys, work, b, info, fault);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, fault) : status;
}

/* Makes the same steps, each shortened until the rates decrease. */
static HlStatus balance_descend (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
                                 HlEquilibriumInfo *info, HlFault *fault) {
  double last = INFINITY;
  int quiet = 0, n_blocked = 0;
  bool falls = true;
  HlStatus status = balance_eval (sys, work, b, fault);

  for (int k = 0; status == HL_OK && falls && b->n_free > 0 && has_steps (k, last); k++) {
    if ((status = hl_state_unpack (sys, work, 0.0, b->y, at, fault)) != HL_OK)
      break;
    balance_weigh (b);
    double norm = balance_norm (b);
    if (norm == 0.0 || (norm < 1.0e-12 && norm >= 0.5 * last && ++quiet > 1))
      break;
    last = norm;
    if ((status = balance_step (b)) != HL_OK)
      break;
    info->iterations++;
    double share = first_share (work, b);
    memcpy (b->trial, b->y, (size_t)b->n * sizeof (double));
    falls = false;
    for (int halving = 0; halving < MOST_HALVINGS && !falls; halving++, share *= 0.5) {
      move_state (b, share);
      /* outside of a law: nearer */
      status = balance_rates (sys, work, b, fault);
      falls = status == HL_OK &&
              (balance_norm (b) <= (1.0 - LEAST_DECREASE * share) * norm || norm < FLOOR_OF_NORM);
      if (is_blocked (status, &n_blocked))
        break;
    }
    if (!falls)
      memcpy (b->y, b->trial, (size_t)b->n * sizeof (double));
    if (n_blocked <= MOST_BLOCKED)
      status = balance_eval (sys, work, b, fault);
  }
  if (status == HL_OK)
    status = balance_judge (sys, work, b, info, fault);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, fault) : status;
}

#define MOST_RETURNS 60
#define RETURNED 1.0e-10 /* in scales: a step back that is shorter is the last one */

/* Returns the distance in scales over the free states. */
static double distance_from_begin (const HlBalance *b, const double y[]) {
  double sum = 0.0;

  for (int k = 0; k < b->n_free; k++) {
    double by = (y[b->free_state[k]] - b->begin[b->free_state[k]]) / b->free_scale[k];
    sum += by * by;
  }
  return sqrt (sum);
}

/* Moves a balance to the one nearest to where the search began: a compromise between equations that contradict each other,
 * such as a pump into a line whose relief valve is shut, has moved what nothing determines. With d = S^-1 (y_begin - y), the
 * part of d along which the equations stay met, and Newton's step across:
 *
 *   y := y + S (d + s),   s of least norm with   W (f + J S (d + s)) = 0
 *
 * The balance stays as it was where this does not converge, or not to a nearer one. */
static HlStatus balance_return (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
                                HlEquilibriumInfo *info) {
  HlEquilibriumInfo there = *info;
  HlArena scratch = {0};
  double *way = hl_arena_take (&scratch, b->n_free, sizeof (double));
  bool is_back = false;

  memcpy (b->found, b->y, (size_t)b->n * sizeof (double));
  HlStatus status = balance_eval (sys, work, b, NULL);
  for (int k = 0; status == HL_OK && !is_back && k < MOST_RETURNS; k++) {
    balance_weigh (b);
    for (int c = 0; c < b->n_free; c++)
      way[c] = (b->begin[b->free_state[c]] - b->y[b->free_state[c]]) / b->free_scale[c];
    if ((status = solve_step (b, way)) != HL_OK)
      break;
    for (int c = 0; c < b->n_free; c++)
      b->b[c] += way[c];
    is_back = step_size (b) < RETURNED;
    double share = first_share (work, b);
    memcpy (b->trial, b->y, (size_t)b->n * sizeof (double));
    move_state (b, share);
    status = balance_eval (sys, work, b, NULL);
    if (status == HL_OK)
      status = hl_state_unpack (sys, work, 0.0, b->y, at, NULL);
  }
  hl_arena_clear (&scratch);
  if (is_back && status == HL_OK && distance_from_begin (b, b->y) < distance_from_begin (b, b->found) &&
      balance_judge (sys, work, b, &there, NULL) == HL_OK) {
    info->residual = there.residual;
    return HL_OK;
  }
  if (status == HL_CANCELLED)
    return status;
  memcpy (b->y, b->found, (size_t)b->n * sizeof (double));
  status = balance_eval (sys, work, b, NULL);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, NULL) : status;
}

#define MOST_ROUNDS 12
#define MOST_POLISHING 4
#define ROUNDED 1.0e-15       /* a norm of the weighted rates that no step makes less */
#define HELPS 0.1             /* a step that leaves more of the norm is rounding's */
#define POLISHING_STEP 1.0e-4 /* [rad, or m over the length] what is balanced moves no farther */
#define KEPT 1.0e-9           /* [rad, or m over the island's length] what is held may be off by so much */

HlStatus hl_balance_arrange (const HlSystem *sys, HlWork *work, const double x[]) {
  const HlTopology *top = sys->topology;
  int n_held = top->n_hold_coordinates, n = n_held;
  HlStatus status = hl_partition_choose (sys, work, x, HL_PARTITION_PIVOT, NULL, 0, NULL);

  if (status != HL_OK || n_held == 0)
    return status;
  /* held coordinates have to be independent; the best ones complete them */
  int *columns = calloc ((size_t)(n_held + work->f) + 1, sizeof *columns);
  memcpy (columns, top->hold_coordinates, (size_t)n_held * sizeof *columns);
  for (int k = 0; k < work->f; k++)
    columns[n++] = work->ai_column[k];
  status = hl_partition_choose (sys, work, x, HL_PARTITION_PREFERRED, columns, n, NULL);
  free (columns);
  return status;
}

/* Accepts the balance at a point by its rates in the coordinates that move the linkage best: there
 * no acceleration hides. Leaves the work with them. */
static HlStatus judge_by_best (const HlSystem *sys, HlWork *work, const HlPoint *point,
                               HlEquilibriumInfo *info, HlFault *fault) {
  HlBalance b;
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);

  if (status != HL_OK)
    return status;
  balance_init (sys, work, &b);
  hl_state_pack (sys, work, point, b.y);
  status = balance_eval (sys, work, &b, fault);
  if (status == HL_OK)
    status = balance_judge (sys, work, &b, info, fault);
  balance_clear (&b);
  return status;
}

/* Polishes an accepted equilibrium by Newton's steps in the coordinates that move the linkage best, as long
 * as they improve it. A search that ended beside a dead point of its coordinates has the position only to the
 * square root of a rounding, though its own rates are zero there: x = cos phi is 1 to rounding for any |phi|
 * < 1e-8. Rounding elsewhere is left alone. */
static void polish_point (const HlSystem *sys, HlWork *work, HlPoint *at, HlEquilibriumInfo *info) {
  HlEquilibriumInfo polished = *info;
  HlFault unsaid = {0};
  HlBalance b;

  if (sys->topology->n_hold_coordinates >= work->f || hl_balance_arrange (sys, work, at->x) != HL_OK)
    return;
  balance_init (sys, work, &b);
  hl_state_pack (sys, work, at, b.y);
  bool helps = b.n_free > 0 && balance_eval (sys, work, &b, NULL) == HL_OK;
  for (int k = 0; helps && k < MOST_POLISHING; k++) {
    balance_weigh (&b);
    double norm = balance_norm (&b);
    if (norm < ROUNDED || balance_step (&b) != HL_OK)
      break;
    for (int c = 0; c < b.n_free; c++)
      b.y[b.free_state[c]] += b.b[c] * b.free_scale[c];
    helps = balance_farthest (work, &b) < POLISHING_STEP && balance_eval (sys, work, &b, NULL) == HL_OK &&
            balance_norm (&b) < HELPS * norm && balance_judge (sys, work, &b, &polished, &unsaid) == HL_OK &&
            polished.residual < info->residual && hl_state_unpack (sys, work, 0.0, b.y, at, NULL) == HL_OK;
    if (helps)
      info->residual = polished.residual;
  }
  balance_clear (&b);
}

/* Checks held coordinates: one at its own dead point cannot be held, since the rest moves it. */
static HlStatus check_held (const HlSystem *sys, const HlPoint *point, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_hold_coordinates; k++) {
    int column = top->hold_coordinates[k], body = column / 3;
    double unit = column % 3 == 2 ? 1.0 : mech->islands[mech->island_of_body[body]].length;
    double off = fabs (point->x[column] - mech->bodies[body].pose[column % 3]);
    if (off > KEPT * unit)
      return hl_fault_set (fault, HL_OVERHELD, HL_ENTITY_BODY, body, off);
  }
  return HL_OK;
}

static bool is_independent (const HlWork *work, int column) {
  for (int k = 0; k < work->f; k++)
    if (work->ai_column[k] == column)
      return true;
  for (int k = 0; k < work->l; k++)
    if (work->ad_column[k] == column)
      return true;
  return false;
}

/* Arranges the coordinates of the file, in which the work may be already, unless a held one would not be
 * among them. */
static HlStatus arrange_first (const HlSystem *sys, HlWork *work, bool stands, const double x[],
                               HlFault *fault) {
  const HlTopology *top = sys->topology;
  HlStatus status =
      stands ? HL_OK : hl_partition_choose (sys, work, x, HL_PARTITION_PREFERRED, NULL, 0, fault);

  for (int k = 0; status == HL_OK && k < top->n_hold_coordinates; k++)
    if (!is_independent (work, top->hold_coordinates[k]))
      return hl_balance_arrange (sys, work, x);
  return status;
}

/* Searches once in the present coordinates; `at` follows the search. */
static HlStatus search_once (const HlSystem *sys, HlWork *work, bool descends, HlPoint *at,
                             HlEquilibriumInfo *info, HlFault *fault) {
  HlEquilibriumInfo round = {0};
  HlBalance b;

  balance_init (sys, work, &b);
  hl_state_pack (sys, work, at, b.y);
  memcpy (b.begin, b.y, (size_t)b.n * sizeof (double));
  HlStatus status = descends ? balance_descend (sys, work, &b, at, &round, fault)
                             : balance_iterate (sys, work, &b, at, &round, fault);
  if (status == HL_OK && b.wandered)
    status = balance_return (sys, work, &b, at, &round);
  info->iterations += round.iterations;
  info->residual = round.residual;
  balance_clear (&b);
  return status;
}

/* Checks the places: a body that slides without end would come to rest through rounding, a thousand
 * kilometres away. */
static HlStatus check_places (const HlSystem *sys, const HlWork *work, const HlPoint *at, HlFault *fault) {
  size_t n = (size_t)work->n_states;
  double *y = calloc (2 * n + 1, sizeof *y);

  hl_state_pack (sys, work, at, y);
  hl_state_scales (sys, work, y + n);
  HlStatus status = hl_balance_check_places (work, y, y + n, fault);
  free (y);
  return status;
}

HlStatus hl_balance_search (const HlSystem *sys, HlWork *work, bool descends, HlPoint *point,
                            HlEquilibriumInfo *info, HlFault *fault) {
  HlPoint *at = hl_point_new (sys);
  HlStatus status = arrange_first (sys, work, !descends, point->x, fault);
  bool is_found = false, goes_on = status == HL_OK;

  hl_point_copy (sys, at, point);
  memset (at->v, 0, (size_t)work->n * sizeof (double));
  for (int round = 0; goes_on && round < MOST_ROUNDS; round++) {
    HlFault here = {.entity = -1, .time = NAN};
    status = search_once (sys, work, descends, at, info, &here);
    bool is_worn = hl_partition_is_worn (sys, work);
    /* at rest in these coordinates: at rest at all? */
    if (status == HL_OK)
      status = judge_by_best (sys, work, at, info, &here);
    if (status == HL_OK)
      status = check_held (sys, at, &here);
    if (status == HL_OK)
      status = check_places (sys, work, at, &here);
    is_found = status == HL_OK;
    if (is_found)
      polish_point (sys, work, at, info);
    /* the first set may have been a poor one from the start */
    goes_on = !is_found && (round == 0 || is_worn) && hl_balance_arrange (sys, work, at->x) == HL_OK;
    if (fault != NULL)
      *fault = here;
  }
  if (is_found)
    hl_point_copy (sys, point, at);
  hl_point_free (at);
  return status;
}
