/* SPDX-License-Identifier: MIT */
/* Linearization of any constrained system in any coordinates, given as a table of functions
 * (theory/linearization.md): the smallest exact linear model, and the counterpart by central differences
 * (seed 000).
 *
 *   M (x) a + D (x)^T Lam = Q (x, v, z)
 *   C (x) = 0,   B (x) v = 0,   D = [C_x; B]
 *   D a + d (x, v) = 0
 *   z' = h (x, v, z),   z = (p, U),   h = (H, W)
 *
 * with r pressures p and then u component states U. Everything is dense and goes through whole
 * matrices, in the order and with the names of the page: made to be read and to check faster paths,
 * not to be fast itself. Rows of D must be independent; M may be singular as long as the reduced
 * mass is not. Matrices are column-major. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status-codes.h"

typedef struct {
  const double *x; /* n */
  const double *v; /* n */
  const double *z; /* r + u: pressures, then component states */
} HlConstrainedState;

/* A direction from the reference: any part may be NULL, which is zero. */
typedef struct {
  const double *dx; /* n */
  const double *dv; /* n */
  const double *dz; /* r + u */
} HlConstrainedSeed;

/* Derivatives along a seed, at the reference motion (x0, v0, a0, Lam0, z0). */
typedef struct {
  double *velocity;     /* m + l: d(D v0)/dx dx                              */
  double *acceleration; /* m + l: (d(D a0)/dx + d_x) dx + d_v dv             */
  double *force;        /* n: Q_x dx + Q_v dv + Q_z dz - d(M a0)/dx dx - d(D^T Lam0)/dx dx */
  double *rates;        /* r + u: h_x dx + h_v dv + h_z dz                          */
} HlConstrainedTangent;

/* The functions are called in this order: set_state, then mass_times, gradients, forces, bias, rates at that state;
 * set_motion, then tangent. */
typedef struct {
  int n, m, l, r, u; /* coordinates, rows of C, rows of B, pressures, component states */
  void *data;        /* handed to every function */
  HlStatus (*set_state) (void *data, double t, const HlConstrainedState *state, HlFault *fault);
  void (*mass_times) (void *data, const double y[], double out[]); /* out = M y */
  void (*gradients) (void *data, double D[]);                      /* (m + l) x n, the holonomic rows first */
  void (*forces) (void *data, double Q[]);                         /* n */
  void (*bias) (void *data, double d[]);                           /* m + l */
  void (*rates) (void *data, double h[]);                          /* r + u */
  void (*set_motion) (void *data, const double a[], const double lambda[]);
  void (*tangent) (void *data, const HlConstrainedSeed *seed, HlConstrainedTangent *out);
} HlConstrained;

/* Partition of the coordinates that describe the motion: x_ai (n - m - l), x_ad (l, admissible but with
 * dependent velocities), x_d (m). */
typedef struct {
  int *ai, *ad, *d;
} HlConstrainedPartition;

/* Written by hl_constrained_linearize (). */
typedef struct {
  int n_states;   /* 2 (n - m - l) + l + r + u */
  double *J;      /* n_states x n_states; states x_ai, v_ai, x_ad, p, U   */
  double *a;      /* n: a0                                                */
  double *lambda; /* m + l: Lam0                                         */
  double *rates;  /* r + u: (H, W) at the reference                      */
  HlConstrainedPartition partition;
} HlConstrainedLinearization;

/* Returns storage for the linear model of this system, all matrices zero. Owned by the caller. */
HlConstrainedLinearization *hl_constrained_linearization_new (const HlConstrained *system);
void hl_constrained_linearization_free (HlConstrainedLinearization *lin);

/* Performs steps 1 to 7 at a state that satisfies the constraints. ai (n - m - l columns) and ad (l columns)
 * prescribe the partition; with NULL both are chosen by complete pivoting and listed in ascending order.
 * HL_SINGULAR when the partition, or any, is impossible here. Allocates. */
HlStatus hl_constrained_linearize (const HlConstrained *system, double t, const HlConstrainedState *state,
                                   const int ai[], const int ad[], HlConstrainedLinearization *lin,
                                   HlFault *fault);

/* ---- the counterpart, theory/linearization.md (36): X = (x, v, p, U), X' = F (X) = (v, a, H, W)
 * ----
 */

int hl_constrained_full_size (const HlConstrained *system); /* 2 n + r + u */

/* Computes dF/dX by central differences, column by column with steps[k] for X[k]. A column whose step is lost
 * in rounding (X + h = X) is zero. Allocates. */
HlStatus hl_constrained_counterpart (const HlConstrained *system, double t, const double X[],
                                     const double steps[], double J[], HlFault *fault);

/* Computes dF/dX exactly, from the tangents: the limit of the counterpart. Allocates. */
HlStatus hl_constrained_full_jacobian (const HlConstrained *system, double t, const double X[], double J[],
                                       HlFault *fault);

/* Fills steps[2 n + r + u]: h for coordinates, velocities and component states, pressure_step for pressures. */
void hl_constrained_uniform_steps (const HlConstrained *system, double h, double pressure_step,
                                   double steps[]);

/* The augmented system of a constrained system at the state that is set
 * (theory/linearization.md (34)):
 *
 *   [ M  D^T ] [ a   ]   [  Q ]
 *   [ D   0  ] [ Lam ] = [ -d ]
 *
 * Shared by the linearizer and the counterpart. M may be singular. */

/* Doubles of scratch, and pivots, with N = n + m + l. */
static inline int hl_augmented_scratch (const HlConstrained *system) {
  int c = system->m + system->l, size = system->n + c;

  return size * size + c * system->n + size;
}
