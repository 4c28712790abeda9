/* SPDX-License-Identifier: MIT */
/* Data shared by the equilibrium search and the diagnosis of its failure. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-system-private.h"

/* A balance is accepted when accelerations and rates, over what single forces and flows would
 * cause, are below this. */
#define HL_BALANCE_ACCEPTED 1.0e-8
#define HL_BALANCE_LONGEST_STEP 0.2 /* of one step: rad, or m over the island's length */

/* The balance as a least-squares problem: which states move, which rates must vanish, and their
 * scales. */
typedef struct {
  HlArena arena;         /* holds every array */
  int n, n_free, n_rows; /* states; those that move; rates that must vanish */
  int *free_state, *row; /* n_free, n_rows: which states they are */
  double *free_scale;    /* n_free: unit of a step, 1 or 1e6 Pa */
  double *column_scale;  /* n: typical deviation of a state */
  bool *is_motion;       /* n_rows: an acceleration */
  /* n, n, n x n: state, rates, J; n_rows x n_free: its scaled part; step; y before it */
  double *y, *y_dot, *J, *a, *b, *trial;
  double *begin, *found; /* n: y where the search begins, and where it ends */
  bool wandered;         /* a step was a compromise between equations that contradict each other */
  double *weight;        /* n_rows */
  HlLinalgWork *lw;      /* for the least-squares problem */
} HlBalance;

/* Returns whether equilibrium.hold keeps a state, or the coordinate that a velocity belongs to. */
bool hl_balance_is_held (const HlSystem *sys, const HlWork *work, int state);

/* Returns whether the caller has cancelled the balance. */
bool hl_balance_is_cancelled (const HlWork *work);
/* Returns the minimum pressure of a search; below it the oil would be under tension [Pa]. */
double hl_balance_least_pressure (const HlSystem *sys);
/* The message of that case. */
extern const char hl_balance_pulls[];

/* Chooses the coordinates for a search near x[n_coordinates]: those that equilibrium.hold names, and the best
 * ones beside them. */
HlStatus hl_balance_arrange (const HlSystem *sys, HlWork *work, const double x[]);

/* Checks the positions in y[n_states], in units of scale[n_states]: HL_NO_CONVERGENCE if beyond every bound
 * of the linkage, with the body. */
HlStatus hl_balance_check_places (const HlWork *work, const double y[], const double scale[], HlFault *fault);

/* Search in the order in which they are tried. Each begins at the point, which it changes only when it finds
 * an equilibrium of the whole system.
 *
 * One of the two above, in the coordinates of the file, in which the work stands at the point unless it descends, then
 * from where these have come to an end in others. */
HlStatus hl_balance_search (const HlSystem *sys, HlWork *work, bool descends, HlPoint *point,
                            HlEquilibriumInfo *info, HlFault *fault);

/* Returns the largest change of a cylinder's length per independent velocity, angles counted by the island's
 * length; after hl_dynamics_eval (). 0 at a dead point. */
double hl_cylinder_arm (const HlSystem *sys, const HlWork *work, int cylinder);
#define HL_NO_ARM 1.0e-9 /* below this a cylinder stands at its dead point */
