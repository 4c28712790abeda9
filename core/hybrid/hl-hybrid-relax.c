/* SPDX-License-Identifier: MIT */
/* Pressures that Newton's method does not find from where they were. Two things do that: a valve that
 * just begins to open, whose law is flat there, and one that takes the pressure from its own pilot, so
 * that the solution it followed ends and the pressures jump to another one. What oil that gives way a
 * little does then is
 *
 *   C p' = R (p)                                                       theory/hybrid.md (26a)
 *
 * until R is 0, and where that ends does not depend on how little C is, if it is the same share of
 * every node. It is followed by linearly implicit Euler steps,
 *
 *   (mu - dR/dp) d = R (p),   p <- p + d,   R (p + d) = mu d but for what is not linear in it,
 *
 * with mu, one over the time of a step, falling while that promise is kept, so that the last steps are
 * those of Newton's method; where it is broken the step is taken back and a shorter one tried. At most
 * MOST_RELAXED of them. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways-private.h"
#include "core/math/hl-linalg.h"

#define MOST_RELAXED 400
/* The first step moves no pressure by more than this [Pa]. */
#define FIRST_MOVE 1.0e3
/* What a step may leave beside its promise, in parts of the flows before it: much longer ones follow
 * below the first, longer ones below the second, and above the third it is taken back. */
#define KEPT_WELL 0.05
#define KEPT 0.25
#define BROKEN 0.6
#define MUCH_LONGER 16.0
#define LONGER 3.0
#define SHORTER 4.0
/* A pressure beyond it has no end [Pa]. */
#define NO_BOUND 1.0e10
/* How often in a row one is made shorter, for either reason. */
#define MOST_SHORTER 40

static double
largest (const double x[], int n)
{
  double most = 0.0;

  for (int k = 0; k < n; k++)
    most = fmax (most, fabs (x[k]));
  return most;
}

/* The step at mu; false: singular, or against R, which no time is short enough for. */
static bool
find_step (HlHybridWays *ways, int n, double mu)
{
  double along = 0.0;

  for (int row = 0; row < n; row++) {
    ways->step[row] = ways->residual[row];
    for (int column = 0; column < n; column++)
      ways->relaxed[row + n * column] =
          (row == column ? mu : 0.0) - ways->jacobian[row + n * column];
  }
  if (hl_lu_factor (n, ways->relaxed, ways->pivots) != HL_OK)
    return false;
  hl_lu_solve (n, ways->relaxed, ways->pivots, 1, ways->step);
  for (int row = 0; row < n; row++)
    along += ways->step[row] * ways->residual[row];
  return along > 0.0;
}

/* The step from ways->base at mu is taken; what it leaves beside its promise. */
static double
take_step (HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n, double mu)
{
  double unused, beside = 0.0;

  hl_hybrid_ways_move_by (ways, 1.0);
  hl_hybrid_ways_balance (ways, work, in, n, false, &unused);
  for (int row = 0; row < n; row++) {
    double off = fabs (ways->residual[row] - mu * ways->step[row]);
    beside = off <= beside ? beside : off; /* NaN is kept */
  }
  return beside;
}

void
hl_hybrid_ways_relax (HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n)
{
  double excess, mu = 0.0;

  for (int k = 0; k < MOST_RELAXED; k++) {
    hl_hybrid_ways_balance (ways, work, in, n, true, &excess);
    double now = largest (ways->residual, n), beside;
    if (!isfinite (now) || excess <= 1.0 || largest (ways->p, ways->machine->n_nodes) > NO_BOUND)
      return;
    mu = k > 0 ? mu : now / FIRST_MOVE;
    memcpy (ways->base, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
    for (int shorter = 0;; shorter++, mu *= SHORTER) {
      if (shorter == MOST_SHORTER) {
        hl_hybrid_ways_move_by (ways, 0.0);
        return;
      }
      if (!find_step (ways, n, mu))
        continue;
      beside = take_step (ways, work, in, n, mu);
      if (beside <= BROKEN * now)
        break;
      /* the slopes are kept, the flows are those of the base again */
      hl_hybrid_ways_move_by (ways, 0.0);
      hl_hybrid_ways_balance (ways, work, in, n, false, &excess);
    }
    mu /= beside <= KEPT_WELL * now ? MUCH_LONGER : beside <= KEPT * now ? LONGER : 1.0;
  }
}
