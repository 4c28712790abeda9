/* SPDX-License-Identifier: MIT */
/* Newton's method for the balance, twice (theory/equilibrium.md (2), (5)). The first one may go
 * uphill a little and is quick; with trapped oil the equilibrium depends on the way there, so where
 * it arrives is what an equilibrium is. But it can go round in circles: an orifice far from its
 * laminar range passes sqrt |dp|, whose Newton step leads from dp to -dp. The second one demands a
 * decrease, which at sqrt |dp| halves the step and is there. */
#include <math.h>
#include <string.h>

#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-dynamics.h"

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

HlStatus hl_balance_judge (const HlSystem *sys, HlWork *work, HlBalance *b, HlEquilibriumInfo *info,
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

HlStatus hl_balance_iterate (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
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
    status = hl_balance_judge (sys, work, b, info, fault);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, fault) : status;
}

HlStatus hl_balance_descend (const HlSystem *sys, HlWork *work, HlBalance *b, HlPoint *at,
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
    status = hl_balance_judge (sys, work, b, info, fault);
  return status == HL_OK ? hl_state_unpack (sys, work, 0.0, b->y, at, fault) : status;
}
