/* SPDX-License-Identifier: MIT */
/* One machine at one set of parameter values: equilibrium (continued from the last), exact J, eigenvalues
 * with the null ones recognised. Used for sensitivities, crossings and stability maps.
 *
 * Most numbers can be changed in a compiled system. Others (points, axes, amplitudes of signals) cannot: for
 * them the point holds a document, and every change is compiled. */
#pragma once

#include "core/document/hl-document.h"
#include "core/linear/hl-linearize.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/solve/hl-equilibrium.h"

/* A parameter as a sweep sees it: several numbers of the model that follow one value, each times
 * its factor. */
typedef struct {
  const HlParameter *parameters;
  int n;
  const double *factors;    /* n, or NULL = 1 each */
  const char *const *paths; /* NULL-terminated, or NULL: of the same numbers, and of those that the
                                                              compiled system cannot change; not used by a point made of
                                                              a document, which has the limits of each number */
  double low, high;         /* range of the value; both 0: any */
} HlSweepParameter;

/* Returns whether the value lies inside what the parameter may be. */
bool hl_sweep_parameter_accepts (const HlSweepParameter *parameter, double value);

typedef struct HlSweepPoint HlSweepPoint;

/* Returns a sweep; NULL and a fault when there is no start point at the model's own values. Owned by the
 * caller. */
HlSweepPoint *hl_sweep_point_new (const HlSystem *sys, HlStart start, HlFault *fault);
/* Returns the same from a document, which is compiled anew for every value: for numbers that shape the model.
 * NULL and a fault when it does not compile. Owned by the caller. */
HlSweepPoint *hl_sweep_point_new_of_document (const HlDocument *document, HlStart start, HlFault *fault);
void hl_sweep_point_free (HlSweepPoint *sweep);

/* Sets a parameter; takes effect at the next eval. Fails (HL_BAD_MODEL) only for a point made of a
 * document, when a path cannot take the value. */
HlStatus hl_sweep_point_set (HlSweepPoint *sweep, const HlSweepParameter *parameter, double value,
                             HlFault *fault);

/* Finds the start point again and analyses it; flags as for hl_eigen_eval () (0: eigenvalues
 * alone). The states are those of the first point, all along. HL_SINGULAR where they
 * cannot be any more, HL_BAD_MODEL where a value is out of the law's range, or as hl_start_point ()
 * and hl_jacobian_eval () answer. With HL_EIGEN_NULL, an equilibrium in which nothing determines some state (trapped oil) is that
 * of a model with these values; else it continues from the last one. */
HlStatus hl_sweep_point_eval (HlSweepPoint *sweep, unsigned flags, HlFault *fault);

/* Sets the system, its numbers and its point back to the first ones: what follows does not depend on what was evaluated
 * before. */
void hl_sweep_point_rewind (HlSweepPoint *sweep);

/* Lets every equilibrium continue from the present one instead of the last one: where the equilibrium is
 * undetermined, as with trapped oil, it is then the one nearest to the present one, independent of the points
 * in between. */
void hl_sweep_point_stay (HlSweepPoint *sweep);

/* Return results of eval; borrowed until the next one. */
int hl_sweep_point_n_states (const HlSweepPoint *sweep);
const double *hl_sweep_point_J (const HlSweepPoint *sweep); /* [n x n], column-major */
const HlEigen *hl_sweep_point_eigen (const HlSweepPoint *sweep);
/* Returns whether the eigenvalues of this point decide stability. */
HlSteadiness hl_sweep_point_steadiness (HlSweepPoint *sweep);
/* Returns the index of the eigenvalue nearest to a given one among those not null (all, when `among_null`); -1 = none. */
int hl_sweep_point_nearest (const HlSweepPoint *sweep, double re, double im, bool among_null);
