/* SPDX-License-Identifier: MIT */
/* Eigenvalues over a parameter: at every value the equilibrium (continued from the last), exact J,
 * eigenvalues; branches kept in order by continuity. Null eigenvalues, which are the same all
 * along, are branches of zeros. */
#pragma once

#include "core/linear/hl-linearize.h"
#include "core/document/hl-document.h"

/* States from which on the eigenvalues near a place are found faster than all of them. */
#define HL_LOCUS_LARGE 200

typedef struct {
  const HlParameter *parameters; /* all get the same value */
  int n_parameters;
  const double *factors; /* or NULL: parameter k gets value * factors[k] */
  /* Or, when a number shapes the model: what the system was compiled of, and the paths that get the
   * value; every point is compiled anew then, and `parameters` is not used. */
  const HlDocument *document;
  const char *const *paths; /* NULL-terminated */
  const double *values;     /* n_values of the sweep */
  int n_values;
  HlStart start;
  int n_threads; /* 0: one for each processor; the bits are the same for any number */
  bool refine;   /* rows between the values where branches bend: at break points, in long steps */
  /* 0, or only branches that come so near to the origin [1/s] are in the locus. Of a large machine the eigenvalues near
   * there are then the only ones computed at most values, and all of them now and then; where those do not say the
   * same, all are computed everywhere. */
  double within;
  bool thorough; /* all are computed everywhere, whatever is in the locus */
  bool skips;    /* leave out values at which there is no machine (a mass of 0), rather than end */
  /* Or NULL; called twice a value: when its point is found, and when it is added to the branches. What was found is
   * kept. */
  bool (*cancel) (void *data);
  void *cancel_data;
} HlLocusOptions;

/* Methods by which the eigenvalues of a locus were computed. */
typedef enum {
  HL_LOCUS_BY_ALL,   /* all of them at every value                                        */
  HL_LOCUS_BY_NEAR,  /* those near the origin at most values                              */
  HL_LOCUS_DISAGREED /* all eigenvalues, because a search near the origin missed some */
} HlLocusWay;

typedef struct {
  HlArena arena; /* of itself and its arrays */
  int n_values;  /* points done (fewer than requested when cancelled or impossible, more when refined) */
  int n_states;  /* columns: all states of the machine, or fewer where only some branches are requested */
  HlLocusWay way;
  double *values;  /* n_values */
  double *re, *im; /* row-major n_values x n_states, column = branch */
  double *largest; /* n_values: modulus of the largest eigenvalue of all [1/s], 0: not noted */
  bool *null;      /* n_states: branch classified null over the whole sweep */
} HlLocus;

/* Returns an empty locus with room for the given number of rows. */
HlLocus *hl_locus_alloc (int n_states, int n_rows);
/* Linearizes at every value of the parameter and follows the branches. NULL and a fault when it
 * was cancelled, or when a value has no start point and options->skips is not set. Owned by the
 * caller. */
HlLocus *hl_root_locus (const HlSystem *sys, const HlLocusOptions *options, HlFault *fault);
void hl_locus_free (HlLocus *locus);

/* Fills out[n] with values from a to b, linear or logarithmic. */
void hl_sweep_values (double a, double b, int n, bool logarithmic, double out[]);

/* Radius of the region in which the branches of a large machine are followed: oscillatory, unstable and
 * slowly decaying ones. Fast decaying ones would take nearly all of the time. */

/* The radius [1/s] about the origin that holds every eigenvalue of the working point that is unstable or damped by less
 * than HL_LOCUS_RINGS, and the slowest ones; by half as much again, since branches move. 0: follow all, for there are
 * few, or most of them would be within. For HlLocusOptions.within. */
#define HL_LOCUS_RINGS 0.9
double hl_locus_reach (int n, const HlEigenvalue values[]);

/* A target for eigenvalues: at least so well damped, at least so fast; and where a parameter meets
 * it. */

typedef struct {
  double zeta;  /* least damping ratio; NAN: none is requested */
  double omega; /* least natural frequency [rad/s]; NAN: none is requested */
} HlLocusTarget;

/* Returns whether a place is requested. */
bool hl_locus_target_is_set (const HlLocusTarget *target);
/* Returns the ranges of the parameter, in their order, within which every eigenvalue that is not null meets
 * the target; ends between two values along the line through their margins. At most `most`; their
 * number. */
int hl_locus_target_ranges (const HlLocus *locus, const HlLocusTarget *target, double ranges[][2], int most);
