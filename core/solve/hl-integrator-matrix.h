/* SPDX-License-Identifier: MIT */
/* Newton's matrix I - gamma J of CVODE, and its factors. CVODE clears, copies and scales a matrix of
 * its own before it hands it to KLU, and chooses the order of the elimination again with every choice
 * of pivots; here J is written where the matrix stands, and the order stays. */
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "core/solve/hl-integrator-private.h"

typedef struct HlNewtonMatrix HlNewtonMatrix;

/* Sparse or dense, as the integrator is. Owned by the caller. */
HlNewtonMatrix *hl_newton_matrix_new (HlIntegrator *integrator, N_Vector vector, SUNContext context);
void hl_newton_matrix_free (HlNewtonMatrix *self);
/* What CVODE knows of it: borrowed. */
SUNMatrix hl_newton_matrix_matrix (HlNewtonMatrix *self);
SUNLinearSolver hl_newton_matrix_solver (HlNewtonMatrix *self);

/* Writes I - gamma J (t, z[n]); again: with J as it was last, at a shorter step from the same place. */
HlStatus hl_newton_matrix_assemble (HlNewtonMatrix *self, double t, const double z[], bool again,
                                    double gamma);
/* Pivots are chosen anew with the next factors: those of long steps can be hopeless for short ones,
 * where the matrix is nearly one. */
void hl_newton_matrix_forget_pivots (HlNewtonMatrix *self);
