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
 *   (mu - dR/dp) d = R (p),   p <- p + d,
 *
 * mu falling as R does, so that the last of them are those of Newton's method; at most MOST_RELAXED of
 * them. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-ways-private.h"
#include "core/math/hl-linalg.h"

#define MOST_RELAXED 400
/* The first step moves no pressure by more than this, and none by more than that [Pa]. */
#define FIRST_MOVE 1.0e3
#define LONGEST_MOVE 2.0e5
/* How often a step that leads the wrong way, as a long one does where the flow grows by itself, is
 * made shorter. */
#define MOST_SHORTER 40
/* Change of mu from step to step at most. */
#define FASTEST 4.0

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

void
hl_hybrid_ways_relax (HlHybridWays *ways, const HlWork *work, const HlHybridInputs *in, int n)
{
  double excess, rest = 0.0, mu = 0.0;

  for (int k = 0; k < MOST_RELAXED; k++) {
    hl_hybrid_ways_balance (ways, work, in, n, true, &excess);
    double now = largest (ways->residual, n);
    if (!isfinite (now) || excess <= 1.0)
      return;
    double change = k > 0 ? fmin (fmax (now / rest, 1.0 / FASTEST), FASTEST) : 1.0;
    mu = k > 0 ? mu * change : now / FIRST_MOVE;
    rest = now;
    for (int shorter = 0; !find_step (ways, n, mu); shorter++, mu *= FASTEST)
      if (shorter == MOST_SHORTER)
        return;
    double move = largest (ways->step, n);
    ways->n_vain++;
    memcpy (ways->base, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
    hl_hybrid_ways_move_by (ways, move > LONGEST_MOVE ? LONGEST_MOVE / move : 1.0);
    if (move > LONGEST_MOVE)
      mu *= 2.0 * FASTEST; /* a shorter time goes with it */
  }
}
