/* SPDX-License-Identifier: MIT */
/* A search for the balance over several sets of coordinates. The first set is the one that the file
 * wishes for, in which the equilibrium of trapped oil is defined. But the x of a swinging bar has a
 * dead point of its own where the bar lies level: no torque accelerates it there, so the equations
 * are met although the bar falls, and farther out it cannot go. So a candidate is judged in the
 * coordinates that move the linkage best, and a search that ended beside such a place goes on from
 * there in other coordinates. */
#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-state-scale.h"

#include <stdlib.h>
#include <string.h>

/* Newton's method for the balance, twice (theory/equilibrium.md (2), (5)). The first one may go
 * uphill a little and is quick; with trapped oil the equilibrium depends on the way there, so where
 * it arrives is what an equilibrium is. But it can go round in circles: an orifice far from its
 * laminar range passes sqrt |dp|, whose Newton step leads from dp to -dp. The second one demands a
 * decrease, which at sqrt |dp| halves the step and is there. */

#define MOST_ITERATIONS 60
/* So near is a search that has used them all up about to arrive: it may go on a little, or what it
 * had come to would pass for the place although the next step moved it. */
#define NEARLY_THERE 1.0e-4
#define LAST_ITERATIONS 20
/* Least decrease of the norm, as a part of what a linear problem would give (Armijo). */
#define LEAST_DECREASE 1.0e-4
#define MOST_HALVINGS 30
/* Trials of one search that reach no place, before its coordinates count as exhausted: to find that
 * a linkage does not reach so far takes a thousand times as long as to evaluate a place. */
#define MOST_BLOCKED 12
/* Below this norm of the weighted rates rounding decides, not the search. */
#define FLOOR_OF_NORM 1.0e-10

/* Moves from b->trial along the step in b->b. */
static void move (HlBalance *b, double share) {
  memcpy (b->y, b->trial, (size_t)b->n * sizeof (double));
  for (int k = 0; k < b->n_free; k++)
    b->y[b->free_state[k]] += share * b->b[k] * b->free_scale[k];
}

/* Whether a search that has come to `norm` may go on. */
static bool has_steps (int n_done, double norm) {
  return n_done < MOST_ITERATIONS + (norm < NEARLY_THERE ? LAST_ITERATIONS : 0);
}

/* Whether a trial shows once too often that the linkage does not come so far. */
static bool is_blocked (HlStatus status, int *n_blocked) {
  *n_blocked += status == HL_DEAD_POINT;
  return *n_blocked > MOST_BLOCKED;
}

static double first_share (const HlWork *work, const HlBalance *b) {
  double longest = hl_balance_farthest (work, b);
  double share = longest > HL_BALANCE_LONGEST_STEP ? HL_BALANCE_LONGEST_STEP / longest : 1.0;

  return fmin (share, hl_balance_positive_share (work, b));
}

/* Accepts the balance at b->y, with J there in b->J, or says what is in the way. */
static HlStatus balance_judge (const HlSystem *sys, HlWork *work, HlBalance *b, HlEquilibriumInfo *info,
                               HlFault *fault) {
  int worst = -1;
  HlStatus status = hl_balance_rates (sys, work, b, fault);

  if (status != HL_OK)
    return status;
  info->residual = hl_balance_residual (b, &worst);
  return info->residual <= HL_BALANCE_ACCEPTED && hl_balance_find_empty (sys, work, b) < 0
             ? HL_OK
             : hl_equilibrium_blame (sys, work, b, worst, info->residual, fault);
}

/* Newton's iteration, which may also go uphill a little: what it finds defines the equilibrium.
 * Begins at b->y; `at` goes along to what it finds, or to the last place that it came to (from the
 * end of a branch the way back may lead elsewhere). The fault names what is in the way. */
static HlStatus balance_iterate (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
                                 HlEquilibriumInfo *info, HlFault *fault) {
  double last = INFINITY;
  int quiet = 0, n_blocked = 0;
  HlStatus status = hl_balance_eval (sys, work, b, fault);

  for (info->iterations = 0; status == HL_OK && has_steps (info->iterations, last); info->iterations++) {
    if ((status = hl_state_unpack (sys, work, 0.0, b->y, at, fault)) != HL_OK)
      break;
    hl_balance_weigh (b);
    double norm = hl_balance_norm (b);
    /* converged: rounding no longer lets the rates fall */
    if (norm == 0.0 || (norm < 1.0e-12 && norm >= 0.5 * last && ++quiet > 1) || b->n_free == 0)
      break;
    last = norm;
    if ((status = hl_balance_step (b)) != HL_OK)
      break;
    double share = first_share (work, b);
    memcpy (b->trial, b->y, (size_t)b->n * sizeof (double));
    for (int halving = 0; halving < 8; halving++, share *= 0.5) {
      move (b, share);
      status = hl_balance_eval (sys, work, b, fault);
      if (status == HL_OK && (hl_balance_norm (b) < 2.0 * norm || norm < FLOOR_OF_NORM))
        break;
      if (is_blocked (status, &n_blocked))
        break;
    }
  }
  if (status == HL_OK)
    status = balance_judge (sys, work, b, info, fault);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, fault) : status;
}

/* The same steps, each shortened until the rates really fall. */
static HlStatus balance_descend (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
                                 HlEquilibriumInfo *info, HlFault *fault) {
  double last = INFINITY;
  int quiet = 0, n_blocked = 0;
  bool falls = true;
  HlStatus status = hl_balance_eval (sys, work, b, fault);

  for (int k = 0; status == HL_OK && falls && b->n_free > 0 && has_steps (k, last); k++) {
    if ((status = hl_state_unpack (sys, work, 0.0, b->y, at, fault)) != HL_OK)
      break;
    hl_balance_weigh (b);
    double norm = hl_balance_norm (b);
    if (norm == 0.0 || (norm < 1.0e-12 && norm >= 0.5 * last && ++quiet > 1))
      break;
    last = norm;
    if ((status = hl_balance_step (b)) != HL_OK)
      break;
    info->iterations++;
    double share = first_share (work, b);
    memcpy (b->trial, b->y, (size_t)b->n * sizeof (double));
    falls = false;
    for (int halving = 0; halving < MOST_HALVINGS && !falls; halving++, share *= 0.5) {
      move (b, share);
      /* outside of a law: nearer */
      status = hl_balance_rates (sys, work, b, fault);
      falls = status == HL_OK &&
              (hl_balance_norm (b) <= (1.0 - LEAST_DECREASE * share) * norm || norm < FLOOR_OF_NORM);
      if (is_blocked (status, &n_blocked))
        break;
    }
    if (!falls)
      memcpy (b->y, b->trial, (size_t)b->n * sizeof (double));
    if (n_blocked <= MOST_BLOCKED)
      status = hl_balance_eval (sys, work, b, fault);
  }
  if (status == HL_OK)
    status = balance_judge (sys, work, b, info, fault);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, fault) : status;
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
  /* what is held has to be independent; the best ones fill up */
  int *columns = calloc ((size_t)(n_held + work->f) + 1, sizeof *columns);
  memcpy (columns, top->hold_coordinates, (size_t)n_held * sizeof *columns);
  for (int k = 0; k < work->f; k++)
    columns[n++] = work->ai_column[k];
  status = hl_partition_choose (sys, work, x, HL_PARTITION_WISHED, columns, n, NULL);
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
  hl_balance_init (sys, work, &b);
  hl_state_pack (sys, work, point, b.y);
  status = hl_balance_eval (sys, work, &b, fault);
  if (status == HL_OK)
    status = balance_judge (sys, work, &b, info, fault);
  hl_balance_clear (&b);
  return status;
}

/* Newton's steps from an accepted balance in the coordinates that move the linkage best, as long as they still
 * help. A search that ended beside a dead point of its coordinates knows the place no better than to
 * the root of a rounding, though its own rates are zero there: x = cos phi is 1 to rounding for any
 * |phi| < 1e-8. What rounding has left elsewhere is left alone, and with all that could move held nothing has. */
static void polish (const HlSystem *sys, HlWork *work, HlPoint *at, HlEquilibriumInfo *info) {
  HlEquilibriumInfo polished = *info;
  HlFault unsaid = {0};
  HlBalance b;

  if (sys->topology->n_hold_coordinates >= work->f || hl_balance_arrange (sys, work, at->x) != HL_OK)
    return;
  hl_balance_init (sys, work, &b);
  hl_state_pack (sys, work, at, b.y);
  bool helps = b.n_free > 0 && hl_balance_eval (sys, work, &b, NULL) == HL_OK;
  for (int k = 0; helps && k < MOST_POLISHING; k++) {
    hl_balance_weigh (&b);
    double norm = hl_balance_norm (&b);
    if (norm < ROUNDED || hl_balance_step (&b) != HL_OK)
      break;
    for (int c = 0; c < b.n_free; c++)
      b.y[b.free_state[c]] += b.b[c] * b.free_scale[c];
    helps = hl_balance_farthest (work, &b) < POLISHING_STEP &&
            hl_balance_eval (sys, work, &b, NULL) == HL_OK && hl_balance_norm (&b) < HELPS * norm &&
            balance_judge (sys, work, &b, &polished, &unsaid) == HL_OK &&
            polished.residual < info->residual && hl_state_unpack (sys, work, 0.0, b.y, at, NULL) == HL_OK;
    if (helps)
      info->residual = polished.residual;
  }
  hl_balance_clear (&b);
}

/* A coordinate at its own dead point cannot be held by keeping it: the rest moves it. */
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

/* The coordinates of the file, in which the work stands or not, unless one that is held would not be among them. */
static HlStatus arrange_first (const HlSystem *sys, HlWork *work, bool stands, const double x[],
                               HlFault *fault) {
  const HlTopology *top = sys->topology;
  HlStatus status = stands ? HL_OK : hl_partition_choose (sys, work, x, HL_PARTITION_WISHED, NULL, 0, fault);

  for (int k = 0; status == HL_OK && k < top->n_hold_coordinates; k++)
    if (!is_independent (work, top->hold_coordinates[k]))
      return hl_balance_arrange (sys, work, x);
  return status;
}

/* One search in the present coordinates; `at` goes along as far as it comes. */
static HlStatus search_once (const HlSystem *sys, HlWork *work, bool descends, HlPoint *at,
                             HlEquilibriumInfo *info, HlFault *fault) {
  HlEquilibriumInfo round = {0};
  HlBalance b;

  hl_balance_init (sys, work, &b);
  hl_state_pack (sys, work, at, b.y);
  HlStatus status = descends ? balance_descend (sys, work, &b, at, &round, fault)
                             : balance_iterate (sys, work, &b, at, &round, fault);
  info->iterations += round.iterations;
  info->residual = round.residual;
  hl_balance_clear (&b);
  return status;
}

/* What slides without end comes to rest where rounding says so, a thousand kilometres away. */
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
      polish (sys, work, at, info);
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
