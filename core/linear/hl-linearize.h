/* SPDX-License-Identifier: MIT */
/* Exact linearization of the reduced form about a point (seed 000, steps 1-7), its eigenvalues, their meaning and their
 * accuracy. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/base/hl-status-codes.h"
#include "core/math/hl-linalg.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-system.h"

/* Kinds of states, by which the eigenvalues of J do or do not decide stability (theory/spectra.md (8)).
 *
 * With other coordinates z = phi (y) the linear model becomes
 *
 *   J_z = T J T^-1 + T' T^-1,    T = d phi / d y,   T' = d T / d t along the motion
 *
 * At rest T' = 0 and eigenvalues belong to the machine. On the way of a moving machine T' is not
 * zero: the eigenvalues of a frozen instant depend on the choice of coordinates, and even in one set of coordinates
 * they do not show whether a neighbouring motion stays near. In between lies steady motion, a vehicle running straight:
 * rates and J stay the same while it continues, so that the equations of the deviations have constant coefficients and
 * J judges again. */

typedef enum {
  HL_AT_REST,
  HL_IN_STEADY_MOTION,
  HL_ON_THE_WAY /* no verdict on stability */
} HlSteadiness;

/* Rates of the states at y [per s], and J there (n x n, column-major); J may be NULL. */
typedef HlStatus (*HlSteadinessEval) (const double y[], double y_dot[], double J[], void *data);

typedef struct {
  int n;
  const double *y;     /* n: the state */
  const double *J;     /* n x n, there */
  const double *scale; /* n: natural sizes of the states (hl-state-rank-scale.h) */
  double accuracy;     /* of J, as a part of the largest entry of a row in scaled states */
  HlSteadinessEval eval;
  void *data;
} HlSteadinessProblem;

/* Judges a state. At rest: no state is further than 1e-7 natural sizes from the place where its own rate
 * would vanish, nor changes by more than that in a second. Steady: a small distance forward and back along
 * the present rates both the rates and J are unchanged. Evaluates at most five times, J twice; the last
 * evaluation is near y. A failing evaluation counts as on the way. */
HlSteadiness hl_steadiness_judge (const HlSteadinessProblem *problem);

/* Accuracy of the entries of J for a model whose parameters are known to rounding. A row in which large terms
 * cancel, as for a balanced lever, holds only their rounding; this depends on the origin of the entries, not
 * on their values. */

#define HL_JACOBIAN_SAMPLES 3

typedef struct {
  double *J;         /* n x n: as of hl_jacobian_eval () */
  double *row_error; /* n: what the largest entry of each row is off by, every state in units of its scale */
  /* HL_JACOBIAN_SAMPLES n n, or NULL: what whole matrices were off by, columns first, in the states' own units:
   * entries that come from the same numbers are off together */
  double *samples;
} HlJacobianError;

/* Computes J at y[n] as hl_jacobian_eval (), with its statuses, and its error: J on copies of the system
 * whose masses, points, stiffnesses, areas and gravity are perturbed by some roundings, at states, of sizes
 * scale[n], that are perturbed likewise. A row that jumps, as at an end stop or at a valve about to open, has
 * no error by that. The partition is that of the work. Allocates. */
HlStatus hl_jacobian_with_error (const HlSystem *sys, HlWork *work, double t, const double y[],
                                 const double scale[], const HlJacobianError *out, HlFault *fault);
/* Computes row_error[n] alone, with y[n] and scale[n] as above; the evaluation in the work is that of y. */
void hl_jacobian_row_error (const HlSystem *sys, HlWork *work, double t, const double y[],
                            const double scale[], double row_error[]);

typedef enum {
  HL_LINEARIZE_EXACT,
  HL_LINEARIZE_DIFFERENCE /* the counterpart: central differences of all x, v, p, U */
} HlLinearizeMethod;

typedef struct {
  HlLinearizeMethod method;
  double step;                    /* difference only: h for x and v, 1e6 h Pa for p; 0 = one step per state */
  const char *const *coordinates; /* forced independent coordinates (paths), n_coordinates of them;
                                     NULL = the rule */
  int n_coordinates;
  bool vectors; /* also eigenvectors and participation */
} HlLinearizeOptions;

typedef struct {
  double re, im;
  double frequency_hz;  /* |im| / 2 pi */
  double damping_ratio; /* -re / |lambda|; NAN at 0 */
  bool null;            /* classified as a null eigenvalue; never counted as unstable */
} HlEigenvalue;

typedef struct {
  int state, input;        /* the one that has it; the other -1 */
  double *toward_positive; /* n: column of J, or B, for the state or input moving up */
  double *toward_negative; /* n */
} HlKink;

typedef struct {
  HlArena arena; /* of itself and its arrays; the texts are allocations of their own */
  int n;         /* states */
  /* columns of B: n_signals, paths of signals, then n_disturbances, the pressures of pumps, then, of the hybrid oil,
   * rates of signals */
  int n_inputs, n_signals, n_disturbances;
  char **state_names;        /* n paths */
  char **state_units;        /* n */
  char **input_names;        /* n_inputs paths */
  double *J;                 /* n x n, column-major */
  double *B;                 /* n x n_inputs, column-major */
  double *scale;             /* n: natural size of each state (hl-state-rank-scale.h), for scaled vectors */
  double *reference;         /* n: the states at the point */
  HlEigenvalue *eigenvalues; /* n: falling re, then +im first */
  double *participation;     /* n states x n eigenvalues, columns sum to 1 (vectors only) */
  double *right_re, *right_im, *left_re, *left_im; /* n x n, columns (vectors only), unscaled states */
  int n_null;
  int n_null_blocks;
  int *null_blocks;  /* n_null_blocks: sizes of the Jordan blocks, falling */
  char **null_names; /* n_null_blocks: what it is ("trapped oil", "heading" ...) */
  int n_kinks;
  HlKink *kinks;           /* states first */
  bool unstable;           /* some eigenvalue not classified as null has a positive real part; on the way of a
                    moving machine that is no verdict */
  HlSteadiness steadiness; /* whether eigenvalues decide stability here */
} HlLinearization;

/* Returns the defaults: exact, without vectors, coordinates by the rule. */
HlLinearizeOptions hl_linearize_options_default (void);
/* Linearizes about the point; NULL and a fault when it cannot. Owned by the caller. */
HlLinearization *hl_linearize (const HlSystem *sys, HlWork *work, const HlPoint *point,
                               const HlLinearizeOptions *options, HlFault *fault);
void hl_linearization_free (HlLinearization *lin);

/* Fills lin->kinks and lin->n_kinks by comparing J and B a little to both sides of lin->reference at t, whichever
 * element has the kink. The work stays there (hl-linearization-kink.c). */
void hl_linearization_find_kinks (const HlSystem *sys, HlWork *work, double t, HlLinearization *lin);
/* Returns the path of the state or input that has the kink; borrowed. Whether J, or B, holds the mean of the
 * slopes on both sides, or that on one of them (hl-linearization-kink.c). */
const char *hl_kink_name (const HlLinearization *lin, const HlKink *kink);
bool hl_kink_is_mean (const HlLinearization *lin, const HlKink *kink);

/* Returns whether the eigenvalues of J[n_states x n_states] (column-major) at a state y[n_states] in the
 * present partition of the work decide stability; scale[n_states] as in HlLinearization. Leaves the work at
 * y. */
HlSteadiness hl_linearize_judge (const HlSystem *sys, HlWork *work, double t, const double y[],
                                 const double J[], const double scale[]);

/* Returns whether state k is a coordinate on which the eigenvalues of a moving machine depend: a position or
 * an angle of a body whose velocity is a state too. */
bool hl_linearization_is_coordinate (const HlLinearization *lin, int k);

/* Computes the motion of the whole machine in a mode, for eigenvector column k: real and imaginary parts of
 * the changes of coordinates [m or rad], dx_re[n_coordinates] and dx_im[n_coordinates], and of pressures
 * [Pa], dp_re[n_pressures] and dp_im[n_pressures]. */
void hl_linearization_mode_shape (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlLinearization *lin, int k, double dx_re[], double dx_im[],
                                  double dp_re[], double dp_im[]);

/* Names the null eigenvalues, such as trapped oil, a heading, or a free position: fills lin->null_names, one
 * text per block, with the motion of each member of its Jordan chain, from the generator down to the null
 * vector, "held articulation → heading → lateral position". sys and work (or NULL) give the motion of every
 * body; the work is at the point of the linearization. */
void hl_linearization_name_nulls (HlLinearization *lin, const HlSystem *sys, HlWork *work);

/* Computes Jordan chains of the null eigenvalue of a real matrix, once the sizes of its blocks are known
 * (hl-null-eigenvalue-names.c): of a[n x n] (kept) for blocks of the given sizes[n_blocks], descending:
 * columns of chains[n x (sum of sizes)], block by block, each from the null vector up:
 *
 *   A c_1 = 0
 *   A c_j = c_(j-1)      but for a factor and for what lower null spaces add
 *
 * c_j is free of the null space of A^(j-1). Vectors of blocks of one size are brought to echelon
 * form. The choice is unique for a block that has its size to itself, and is the one of least norm
 * in the states' scales otherwise. Allocates. HL_NOT_FINITE or HL_NO_CONVERGENCE of a decomposition.
 */
HlStatus hl_null_chains (int n, const double a[], int n_blocks, const int sizes[], double chains[]);

/* Computes the Jacobian by central differences of all x, v, p, U, for comparison: J[n_states x n_states],
 * column-major; step as in HlLinearizeOptions. The partition must have been chosen. Statuses as
 * hl_dynamics_eval (). */
HlStatus hl_counterpart_jacobian (const HlSystem *sys, HlWork *work, const HlPoint *point, double step,
                                  double J[], HlFault *fault);

/* Allocates a linearization for linear models of other oils; row_error[n] and samples[HL_JACOBIAN_SAMPLES n
 * n] as hl_jacobian_row_error () returns them, or NULL. */
HlLinearization *hl_linearization_alloc (int n, int n_inputs);
/* Computes the eigenvalues of lin->J, sorted and judged, their null blocks, and vectors when requested; fills
 * these fields of HlLinearization. HL_NO_CONVERGENCE and HL_NOT_FINITE as LAPACK reports them. */
HlStatus hl_linearization_analyse (HlLinearization *lin, bool vectors, const double row_error[],
                                   const double samples[]);
