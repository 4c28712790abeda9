/* SPDX-License-Identifier: MIT */
/* The rows of a study: the place of each in the space of the varied numbers. Each row is computed by itself,
 * so that any part of a design can be used without the rest. Immutable. */
#pragma once

#include <glib.h>

typedef enum {
  HL_DESIGN_GRID,          /* every combination of n values each, the first parameter slowest */
  HL_DESIGN_RANDOM,        /* n independent points                                          */
  HL_DESIGN_LHS,           /* n points, one in each of n equal parts of every parameter      */
  HL_DESIGN_SOBOL,         /* n points of Sobol's sequence, scrambled as Owen does           */
  HL_DESIGN_ONE_AT_A_TIME, /* the model's own values, then n values of each by itself       */
  HL_DESIGN_SALTELLI,      /* n (dimensions + 2) points for variance-based sensitivities     */
  HL_N_DESIGNS
} HlDesignKind;

/* "grid", "random", "lhs", "sobol", "oat", "saltelli"; NULL ends it. */
extern const char *const hl_design_names[];

#define HL_DESIGN_MOST_ROWS 100000000

/* Place of a row along one parameter. */
typedef struct {
  gboolean is_own;   /* at the model's own value */
  int level, levels; /* level of so many; levels 0: at `u` */
  double u;          /* probability, in (0, 1) */
} HlPlace;

typedef struct _HlDesign HlDesign;

/*   n             as above; for a grid and one at a time the values of each parameter
 *   n_levels      of each parameter that has values of its own, which count instead of n, or 0;
 *                 NULL: none has
 *   correlation   n_dimensions x n_dimensions, of the normal variables behind the quantiles
 *                 (Gaussian copula), column-major; NULL: none. For random, lhs and sobol only.
 * NULL with HL_ERROR_USAGE when there would be no or too many rows or dimensions, or the
 * correlations fit no variables. Owned by the caller. */
HlDesign *hl_design_new (HlDesignKind kind, int n, int n_dimensions, const int n_levels[],
                         const double correlation[], guint64 seed, GError **error);
void hl_design_free (HlDesign *design);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlDesign, hl_design_free)

int hl_design_n_rows (const HlDesign *design);
/* Computes places[n_dimensions] of a row, 0 <= row < n_rows. */
void hl_design_row (const HlDesign *design, int row, HlPlace places[]);

/* The numbers that designs are made of: Sobol's sequence, and random numbers by their place. Sobol's
 * sequence with the direction numbers of Joe and Kuo, and Owen's nested scrambling of it. Source: S. Joe,
 * F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30
 * (2008) 2635-2654, table new-joe-kuo-6; A. B. Owen, Randomly permuted (t,m,s)-nets and (t,s)-sequences
 * (1995). */

#define HL_SOBOL_BITS 32
#define HL_SOBOL_MOST_DIMENSIONS 68

/* Directions v[HL_SOBOL_BITS] of a dimension, 0 <= dimension < HL_SOBOL_MOST_DIMENSIONS. */
void hl_sobol_directions (int dimension, guint32 v[HL_SOBOL_BITS]);
/* Returns the point of that index in the order of Gray's code; times 2^-32 it lies in [0, 1). */
guint32 hl_sobol_point (const guint32 v[HL_SOBOL_BITS], guint32 index);
/* Returns the same scrambled: each binary digit is flipped or not by a coin that the digits before it choose
 * (nested uniform scrambling), and digits behind the 32nd are random. In (0, 1). */
double hl_sobol_scramble (guint32 point, guint64 seed, int dimension);

/* Random numbers by their place, not by their turn: the same seed, stream and index give the same
 * number on every machine and in any order of the calls. So any row of a design can be made by
 * itself. */

/* Returns a number in the open interval (0, 1), a multiple of 2^-53 less half of one. */
double hl_study_random_uniform (guint64 seed, guint64 stream, guint64 index);
