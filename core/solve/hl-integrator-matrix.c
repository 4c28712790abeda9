/* SPDX-License-Identifier: MIT */
#include "core/solve/hl-integrator-matrix.h"

#include <string.h>

#include <glib.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "core/math/hl-sparse-lu.h"

#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_SUCCESS SUNLS_SUCCESS
#endif

struct HlNewtonMatrix {
  HlIntegrator *integrator;
  HlArena arena;
  int n_entries; /* of J: n^2, or its nonzeros */
  double *J;     /* n_entries: as it was last */
  int *diagonal; /* n: place of the diagonal among the entries */
  SUNMatrix matrix;
  double *values; /* n_entries: the matrix's own */
  SUNLinearSolver solver;
  HlSparseLu *lu; /* NULL: dense, or the problem's own */
  double gamma;   /* of the problem's own: the matrix is gamma (I / gamma - J) */
};

static SUNLinearSolver_Type is_direct (SUNLinearSolver solver) {
  (void)solver;
  return SUNLINEARSOLVER_DIRECT;
}

static int factor (SUNLinearSolver solver, SUNMatrix matrix) {
  HlNewtonMatrix *self = solver->content;

  (void)matrix;
  return hl_sparse_lu_factor (self->lu, self->values) == HL_OK ? SUN_SUCCESS : SUNLS_LUFACT_FAIL;
}

static int solve (SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b, sunrealtype tolerance) {
  HlNewtonMatrix *self = solver->content;
  double *to = N_VGetArrayPointer (x);

  (void)matrix;
  (void)tolerance;
  if (x != b)
    memcpy (to, N_VGetArrayPointer (b), sizeof (double) * (gsize)self->integrator->ode.n);
  hl_sparse_lu_solve (self->lu, to);
  return SUN_SUCCESS;
}

static void make_sparse (HlNewtonMatrix *self, SUNContext context) {
  const HlOde *ode = &self->integrator->ode;

  self->n_entries = ode->column_start[ode->n];
  self->matrix = SUNSparseMatrix (ode->n, ode->n, self->n_entries, CSC_MAT, context);
  self->values = SUNSparseMatrix_Data (self->matrix);
  for (int j = 0; j < ode->n; j++)
    for (int k = ode->column_start[j]; k < ode->column_start[j + 1]; k++)
      if (ode->row_index[k] == j)
        self->diagonal[j] = k;
  self->lu = hl_sparse_lu_new (ode->n, ode->column_start, ode->row_index, false);
  self->solver = SUNLinSolNewEmpty (context);
  self->solver->content = self;
  self->solver->ops->gettype = is_direct;
  self->solver->ops->setup = factor;
  self->solver->ops->solve = solve;
}

/* ---- the problem's own ---- */

static int factor_own (SUNLinearSolver solver, SUNMatrix matrix) {
  HlNewtonMatrix *self = solver->content;
  const HlOde *ode = &self->integrator->ode;

  (void)matrix;
  return ode->shifted->factor (1.0 / self->gamma, ode->data) == HL_OK ? SUN_SUCCESS : SUNLS_LUFACT_FAIL;
}

static int solve_own (SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                      sunrealtype tolerance) {
  HlNewtonMatrix *self = solver->content;
  const HlOde *ode = &self->integrator->ode;
  double *to = N_VGetArrayPointer (x);

  (void)matrix;
  (void)tolerance;
  if (x != b)
    memcpy (to, N_VGetArrayPointer (b), sizeof (double) * (gsize)ode->n);
  ode->shifted->solve (to, ode->data);
  for (int k = 0; k < ode->n; k++)
    to[k] /= self->gamma;
  return SUN_SUCCESS;
}

/* CVODE wants to see a matrix, though it never looks into it. */
static void make_own (HlNewtonMatrix *self, SUNContext context) {
  int n = self->integrator->ode.n;

  self->matrix = SUNSparseMatrix (n, n, 1, CSC_MAT, context);
  self->solver = SUNLinSolNewEmpty (context);
  self->solver->content = self;
  self->solver->ops->gettype = is_direct;
  self->solver->ops->setup = factor_own;
  self->solver->ops->solve = solve_own;
}

static void make_dense (HlNewtonMatrix *self, N_Vector vector, SUNContext context) {
  int n = MAX (self->integrator->ode.n, 1); /* a problem without states has one, at rest */

  self->n_entries = n * n;
  self->matrix = SUNDenseMatrix (n, n, context);
  self->values = SUNDenseMatrix_Data (self->matrix);
  self->solver = SUNLinSol_Dense (vector, self->matrix, context);
  for (int j = 0; j < n; j++)
    self->diagonal[j] = j + n * j;
}

HlNewtonMatrix *hl_newton_matrix_new (HlIntegrator *integrator, N_Vector vector, SUNContext context) {
  HlNewtonMatrix *self = g_new0 (HlNewtonMatrix, 1);

  self->integrator = integrator;
  self->diagonal = hl_arena_take (&self->arena, integrator->ode.n + 1, sizeof (int));
  if (integrator->ode.shifted != NULL)
    make_own (self, context);
  else if (hl_integrator_is_sparse (integrator))
    make_sparse (self, context);
  else
    make_dense (self, vector, context);
  self->J = hl_arena_take (&self->arena, self->n_entries, sizeof (double));
  return self;
}

void hl_newton_matrix_free (HlNewtonMatrix *self) {
  if (self->lu != NULL || self->integrator->ode.shifted != NULL) {
    self->solver->content = NULL;
    SUNLinSolFreeEmpty (self->solver);
    hl_sparse_lu_free (self->lu);
  } else
    SUNLinSolFree (self->solver);
  SUNMatDestroy (self->matrix);
  hl_arena_clear (&self->arena);
  g_free (self);
}

SUNMatrix hl_newton_matrix_matrix (HlNewtonMatrix *self) {
  return self->matrix;
}

SUNLinearSolver hl_newton_matrix_solver (HlNewtonMatrix *self) {
  return self->solver;
}

HlStatus hl_newton_matrix_assemble (HlNewtonMatrix *self, double t, const double z[], bool again,
                                    double gamma) {
  HlStatus status = HL_OK;
  int n = self->integrator->ode.n;

  self->gamma = gamma;
  if (self->integrator->ode.shifted != NULL)
    return again ? HL_OK : hl_integrator_eval_shifted (self->integrator, t, z);
  if (!again && n > 0)
    status = self->lu != NULL ? hl_integrator_eval_jacobian_sparse (self->integrator, t, z, self->J)
                              : hl_integrator_eval_jacobian (self->integrator, t, z, self->J);
  if (status != HL_OK)
    return status;
  for (int k = 0; k < self->n_entries; k++)
    self->values[k] = -gamma * self->J[k];
  for (int j = 0; j < MAX (n, 1); j++)
    self->values[self->diagonal[j]] += 1.0;
  return HL_OK;
}

void hl_newton_matrix_forget_pivots (HlNewtonMatrix *self) {
  const HlOde *ode = &self->integrator->ode;

  if (self->lu != NULL)
    hl_sparse_lu_forget (self->lu);
  else if (ode->shifted != NULL)
    ode->shifted->forget_pivots (ode->data);
}
