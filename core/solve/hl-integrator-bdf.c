/* SPDX-License-Identifier: MIT */
/* CVODE's BDF as a stepper, with the matrices and vectors that it computes on. Only this file uses SUNDIALS.
 * Newton's matrix is the exact Jacobian at the state, renewed with every factorization because it costs less
 * than a right-hand side. */
#include "core/solve/hl-integrator-private.h"

#include "core/math/hl-sparse-lu.h"

#include <cvode/cvode.h>
#include <glib.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct HlNewtonMatrix HlNewtonMatrix;

#if SUNDIALS_VERSION_MAJOR < 7
#define SUN_SUCCESS SUNLS_SUCCESS
#endif

struct HlNewtonMatrix {
  HlIntegrator *integrator;
  HlArena arena;
  int n_entries; /* of J: n^2, or its nonzeros */
  double *J;     /* n_entries: the last one */
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

static int solve_newton_system (SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                                sunrealtype tolerance) {
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
  self->solver->ops->solve = solve_newton_system;
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

/* Makes the matrix that CVODE requires, though it never reads its entries. */
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

/* Returns a sparse or dense Newton matrix, as the integrator requires. Owned by the caller. */
static HlNewtonMatrix *newton_matrix_new (HlIntegrator *integrator, N_Vector vector, SUNContext context) {
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

static void newton_matrix_free (HlNewtonMatrix *self) {
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

/* Handles of CVODE: borrowed. */
static SUNMatrix newton_matrix_matrix (HlNewtonMatrix *self) {
  return self->matrix;
}

static SUNLinearSolver newton_matrix_solver (HlNewtonMatrix *self) {
  return self->solver;
}

/* Writes I - gamma J (t, z[n]); again: with the last J, at a shorter step from the same point. */
static HlStatus newton_matrix_assemble (HlNewtonMatrix *self, double t, const double z[], bool again,
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

/* Pivots are chosen anew with the next factors: those of long steps can be hopeless for short ones,
 * where the matrix is nearly one. */
static void newton_matrix_forget_pivots (HlNewtonMatrix *self) {
  const HlOde *ode = &self->integrator->ode;

  if (self->lu != NULL)
    hl_sparse_lu_forget (self->lu);
  else if (ode->shifted != NULL)
    ode->shifted->forget_pivots (ode->data);
}

/* Two consecutive numbers without alignment. */
typedef double Pair __attribute__ ((vector_size (16), aligned (8), may_alias));

static inline Pair pair_at (const double x[], sunindextype k) {
  return *(const Pair *)(x + k);
}

static inline void store_pair (double z[], sunindextype k, Pair pair) {
  *(Pair *)(z + k) = pair;
}

/* Computes z = c (x + b y) for equal factors, multiplied last. */
static void scale_sum (sunindextype n, double c, const double x[], double b, const double y[], double z[]) {
  sunindextype k = 0;

  for (; k + 1 < n; k += 2)
    store_pair (z, k, c * (pair_at (x, k) + b * pair_at (y, k)));
  for (; k < n; k++)
    z[k] = c * (x[k] + b * y[k]);
}

/* Computes z = a x + y, the most frequent sum. */
static void add_multiple (sunindextype n, double a, const double x[], const double y[], double z[]) {
  sunindextype k = 0;

  for (; k + 1 < n; k += 2)
    store_pair (z, k, a * pair_at (x, k) + pair_at (y, k));
  for (; k < n; k++)
    z[k] = a * x[k] + y[k];
}

/* Computes z = a x + b y; z may be one of them. */
static void linear_sum (sunrealtype a, N_Vector xs, sunrealtype b, N_Vector ys, N_Vector zs) {
  const double *x = NV_DATA_S (xs), *y = NV_DATA_S (ys);
  double *z = NV_DATA_S (zs);
  sunindextype n = NV_LENGTH_S (zs), k = 0;

  if (b == 1.0) {
    add_multiple (n, a, x, y, z);
    return;
  }
  if (a == 1.0) {
    add_multiple (n, b, y, x, z);
    return;
  }
  if (a == b || a == -b) {
    scale_sum (n, a, x, a == b ? 1.0 : -1.0, y, z);
    return;
  }
  for (; k + 1 < n; k += 2)
    store_pair (z, k, a * pair_at (x, k) + b * pair_at (y, k));
  for (; k < n; k++)
    z[k] = a * x[k] + b * y[k];
}

static void scale_vector (sunrealtype c, N_Vector xs, N_Vector zs) {
  const double *x = NV_DATA_S (xs);
  double *z = NV_DATA_S (zs);
  sunindextype n = NV_LENGTH_S (zs), k = 0;

  for (; k + 1 < n; k += 2)
    store_pair (z, k, c * pair_at (x, k));
  for (; k < n; k++)
    z[k] = c * x[k];
}

/* Returns sqrt (sum (x w)^2/n), in eight independent sums. */
static sunrealtype weighted_norm (N_Vector xs, N_Vector ws) {
  const double *x = NV_DATA_S (xs), *w = NV_DATA_S (ws);
  sunindextype n = NV_LENGTH_S (xs), k = 0;
  Pair sums[4] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};

  for (; k + 7 < n; k += 8)
    for (int j = 0; j < 4; j++) {
      Pair part = pair_at (x, k + 2 * j) * pair_at (w, k + 2 * j);
      sums[j] += part * part;
    }
  Pair sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double rest = 0.0;
  for (; k < n; k++)
    rest += (x[k] * w[k]) * (x[k] * w[k]);
  return sqrt ((sum[0] + sum[1] + rest) / (double)n);
}

/* Gives a serial vector, and every clone that is made of it from now on, these operations. */
static void vector_hasten (N_Vector vector) {
  vector->ops->nvlinearsum = linear_sum;
  vector->ops->nvscale = scale_vector;
  vector->ops->nvwrmsnorm = weighted_norm;
}

/* CVODE cannot remove a stop time that was set once [s]. */
#define NEVER 1e300

/* CVODE takes a share of the way to the end for its first step, and rounding of that end for the least
 * one: an end further away than this is given to it as this far [s]. */
#define FAR 1e4

/* Shorter and shorter tries of one step: of the way into a pocket of vapour, or behind a jump of a flow into a
 * small volume, where the length that fits is a millionth of the one before and less. */
#define MOST_REFUSALS 30

/* Shortest step whose length is not lost in the rounding of t, in units of that rounding. */
#define ROUNDED_STEP 4.0

#define HIGHEST_ORDER 5

/* CVODE multiplies its correction of a step by a constant to estimate the error. Where steps have become shorter
 * quickly, that constant passes through zero (at order 5 after two steps of a quarter), and the error test misses a
 * kink. Below this fraction of the constant of equal steps the error is estimated separately. */
#define BLIND_PART 0.25

/* First step after such a rejection, as a fraction of the rejected step. */
#define STEP_AFTER_BLIND 0.1

typedef struct {
  HlStepper stepper; /* first */
  SUNContext context;
  void *cvode;     /* memory of CVODE */
  N_Vector z;      /* n: deviation, over the memory of the integrator */
  N_Vector errors; /* n: allowed ones for CVODE, rtol times scale; then those of a step */
  HlNewtonMatrix *newton;
  bool has_stop;                 /* a stop time is set in CVODE */
  bool is_first;                 /* no step yet since the start: CVODE has not said how long it will be */
  HlOdeStats before;             /* counters of earlier starts */
  long n_failures;               /* of Newton's method when the pivots were chosen last */
  double tau[HIGHEST_ORDER + 1]; /* lengths of the last steps, tau[1] the latest */
  long n_steps;                  /* since the start */
  bool has_weights;              /* those of the integrator are of the end of the last step */
} Bdf;

static int cvode_answer (HlStatus status) {
  return status == HL_OK ? 0 : hl_integrator_is_recoverable (status) ? 1 : -1;
}

static int rhs_cb (sunrealtype t, N_Vector z, N_Vector z_dot, void *data) {
  Bdf *self = data;

  /* a problem without states still has a vector of one, at rest */
  if (self->stepper.integrator->ode.n == 0)
    N_VConst (0.0, z_dot);

  return cvode_answer (hl_integrator_eval_rhs (self->stepper.integrator, t, N_VGetArrayPointer (z),
                                               N_VGetArrayPointer (z_dot)));
}

/* Chooses new pivots after a failure of Newton's method; otherwise KLU keeps its pivots. */
static void renew_pivots (Bdf *self) {
  long failures = 0, steps = 0;

  CVodeGetNumNonlinSolvConvFails (self->cvode, &failures);
  CVodeGetNumStepSolveFails (self->cvode, &steps);
  if (failures + steps == self->n_failures)
    return;
  self->n_failures = failures + steps;
  newton_matrix_forget_pivots (self->newton);
}

static int matrix_cb (sunrealtype t, N_Vector z, N_Vector f, SUNMatrix matrix, sunbooleantype again,
                      sunbooleantype *is_new, sunrealtype gamma, void *data, N_Vector a, N_Vector b,
                      N_Vector c) {
  Bdf *self = data;

  renew_pivots (self);
  *is_new = !again;
  return cvode_answer (newton_matrix_assemble (self->newton, t, N_VGetArrayPointer (z), again, gamma));
}

/* Computes the weights from tolerances as CVODE does, to the last bit. */
static int weights_cb (N_Vector z, N_Vector weights, void *data) {
  Bdf *self = data;
  HlIntegrator *integrator = self->stepper.integrator;
  double *to = N_VGetArrayPointer (weights);

  to[0] = 1.0;
  if (!self->has_weights)
    hl_integrator_weigh (integrator, N_VGetArrayPointer (z), false);
  self->has_weights = false;
  for (int i = 0; i < integrator->ode.n; i++)
    to[i] = 1.0 / (1.0 / integrator->weight[i]);
  return 0;
}

/* Without an error handler CVODE prints its messages; the returned status is sufficient. */
#if SUNDIALS_VERSION_MAJOR >= 7
#define NO_COMMUNICATOR SUN_COMM_NULL

static void message_cb (int line, const char *function, const char *file, const char *text, SUNErrCode code,
                        void *data, SUNContext context) {
}

static void keep_quiet (Bdf *self) {
  SUNContext_ClearErrHandlers (self->context);
  SUNContext_PushErrHandler (self->context, message_cb, NULL);
}
#else
#define NO_COMMUNICATOR NULL

static void message_cb (int code, const char *module, const char *function, char *text, void *data) {
}

static void keep_quiet (Bdf *self) {
  CVodeSetErrHandlerFn (self->cvode, message_cb, NULL);
}
#endif

static void read_counters (const Bdf *self, HlOdeStats *stats) {
  long value = 0;

  CVodeGetNumNonlinSolvIters (self->cvode, &value);
  stats->newton += value;
  CVodeGetNumErrTestFails (self->cvode, &value);
  stats->error_failures += value;
  CVodeGetNumStepSolveFails (self->cvode, &value);
  stats->newton_failures += value;
  CVodeGetNumLinSolvSetups (self->cvode, &value);
  stats->factorizations += value;
}

static void bdf_add_stats (const HlStepper *stepper, HlOdeStats *stats) {
  const Bdf *self = (const Bdf *)stepper;

  stats->newton += self->before.newton;
  stats->error_failures += self->before.error_failures;
  stats->newton_failures += self->before.newton_failures;
  stats->factorizations += self->before.factorizations;
  read_counters (self, stats);
}

static void bdf_free (HlStepper *stepper) {
  Bdf *self = (Bdf *)stepper;

  CVodeFree (&self->cvode);
  newton_matrix_free (self->newton);
  N_VDestroy (self->z);
  N_VDestroy (self->errors);
  SUNContext_Free (&self->context);
  g_free (self);
}

static HlStatus bdf_start (HlStepper *stepper, double t, double h, double span) {
  Bdf *self = (Bdf *)stepper;
  HlIntegrator *integrator = stepper->integrator;

  read_counters (self, &self->before);
  N_VConst (0.0, self->z);
  self->is_first = true;
  self->has_weights = false;
  self->n_steps = 0;
  if (CVodeReInit (self->cvode, t, self->z) != CV_SUCCESS)
    return HL_TOO_MUCH_WORK;
  CVodeSetInitStep (self->cvode,
                    h > 0.0 ? hl_integrator_fit_step (t, integrator->sign * fmin (h, span)) : 0.0);
  return HL_OK;
}

/* Translates CVODE's flag: the last error of a callback is the reason when there was one. */
static HlStatus translate (const Bdf *self, int flag) {
  HlStatus status = self->stepper.integrator->callback_status;

  if (flag == CV_RHSFUNC_FAIL || flag == CV_LSETUP_FAIL || flag == CV_REPTD_RHSFUNC_ERR ||
      flag == CV_FIRST_RHSFUNC_ERR || flag == CV_UNREC_RHSFUNC_ERR || flag == CV_CONV_FAILURE ||
      flag == CV_ERR_FAILURE)
    if (status != HL_OK)
      return status;
  return HL_TOO_MUCH_WORK;
}

/* Returns the end of the next step: at the stop, or before it on the grid of times. While CVODE keeps its
 * step it stays on the grid by itself; a step that CVODE shortened leaves the grid. */
static double end_of_step (const Bdf *self, double t_stop) {
  const HlIntegrator *integrator = self->stepper.integrator;
  double h = 0.0;

  if (self->is_first)
    return t_stop;
  CVodeGetCurrentStep (self->cvode, &h);
  double fitting = hl_integrator_fit_step (integrator->step_end, h);
  if (fitting == h)
    return t_stop;
  double end = integrator->step_end + fitting;
  return integrator->sign * (t_stop - end) > 0.0 ? end : t_stop;
}

/* Returns the error constant of a step of length h at order q, relative to that of equal steps. alpha_0 and alpha^_0 are
 * those of CVODE's fixed leading coefficients:
 *
 *   A = 1 + alpha_0 - alpha^_0,   constant = |A/(alpha_0 (1 + q A))|,   A = 1 for equal steps */
static double part_of_error_constant (const Bdf *self, int q, double h) {
  double alpha_0 = -1.0, alpha_0_hat = -1.0, sum = h;

  for (int j = 2; j <= q; j++) {
    sum += self->tau[j - 1];
    alpha_0 -= 1.0 / j;
    alpha_0_hat -= h / sum;
  }
  double A = 1.0 + alpha_0 - alpha_0_hat;
  return fabs (A / (1.0 + q * A)) * (1.0 + q);
}

/* Returns the error of the last step, of length h, where CVODE's error test underestimates it, else 0. It underestimates
 * after quickly shortened steps, and where the weights at the end of the step are stricter than at its beginning, as in a
 * vapour pocket that opened within the step. */
static double find_unseen_error (Bdf *self, double h) {
  HlIntegrator *integrator = self->stepper.integrator;
  int q = 0;

  CVodeGetLastOrder (self->cvode, &q);
  double part = self->n_steps > 0 && q > 1 ? part_of_error_constant (self, q, h) : 1.0;
  /* as CVODE moves its own ones on */
  for (int i = q; i >= 2; i--)
    self->tau[i] = self->tau[i - 1];
  if (q == 1 && self->n_steps > 0)
    self->tau[2] = self->tau[1];
  self->tau[1] = h;
  self->n_steps++;
  bool is_blind = part < BLIND_PART;
  if (integrator->ode.tighten != NULL)
    hl_integrator_weigh (integrator, N_VGetArrayPointer (self->z), true);
  self->has_weights = integrator->ode.tighten != NULL;
  if (!is_blind && !integrator->is_tight)
    return 0.0;
  CVodeGetEstLocalErrors (self->cvode, self->errors);
  double error = hl_integrator_norm (integrator, N_VGetArrayPointer (self->errors));
  return is_blind ? error / part : error;
}

/* Rejects a step of signed length h and restarts at its beginning. Returns the status of CVODE. */
static int start_again (Bdf *self, double begin, double h) {
  const HlIntegrator *integrator = self->stepper.integrator;

  read_counters (self, &self->before);
  self->has_weights = false;
  memcpy (N_VGetArrayPointer (self->z), integrator->z, sizeof (double) * (gsize)integrator->ode.n);
  self->n_steps = 0;
  int flag = CVodeReInit (self->cvode, begin, self->z);
  CVodeSetInitStep (self->cvode, STEP_AFTER_BLIND * h);
  return flag;
}

static HlStatus bdf_step (HlStepper *stepper, double t_stop) {
  Bdf *self = (Bdf *)stepper;
  HlIntegrator *integrator = stepper->integrator;
  double begin = integrator->step_end, t = begin;
  double end = end_of_step (self, t_stop);

  if (isfinite (end) || self->has_stop)
    CVodeSetStopTime (self->cvode, isfinite (end) ? end : integrator->sign * NEVER);
  self->has_stop = isfinite (end);
  double toward = isfinite (end) ? end : begin + integrator->sign;
  if (self->is_first && integrator->sign * (toward - begin) > FAR)
    toward = begin + integrator->sign * FAR;
  self->is_first = false;
  int flag = CVode (self->cvode, toward, self->z, &t, CV_ONE_STEP);
  for (int k = 0; flag >= 0 && k < MOST_REFUSALS; k++) {
    if (find_unseen_error (self, fabs (t - begin)) <= 1.0)
      break;
    flag = start_again (self, begin, t - begin);
    if (flag >= 0)
      flag = CVode (self->cvode, toward, self->z, &t, CV_ONE_STEP);
  }
  if (flag < 0)
    return translate (self, flag);
  integrator->step_begin = begin;
  integrator->step_end = t;
  memcpy (integrator->z, N_VGetArrayPointer (self->z), sizeof (double) * (gsize)integrator->ode.n);
  return HL_OK;
}

/* Interpolates. CVODE takes steps below the rounding of t, as behind a jump, and would extrapolate to its
 * rounded beginning: in such a step the state at the end is used for all times. */
static void bdf_interpolate (HlStepper *stepper, double t, int m, double z[]) {
  Bdf *self = (Bdf *)stepper;
  const HlIntegrator *integrator = stepper->integrator;
  double end = integrator->step_end, length = fabs (end - integrator->step_begin);

  if (length < ROUNDED_STEP * DBL_EPSILON * fabs (end)) {
    memcpy (z, integrator->z, sizeof (double) * (gsize)m);
    return;
  }

  CVodeGetDky (self->cvode, t, 0, self->z);
  memcpy (z, N_VGetArrayPointer (self->z), sizeof (double) * (gsize)m);
}

static void bdf_slope (HlStepper *stepper, double t, double z_dot[]) {
  Bdf *self = (Bdf *)stepper;

  CVodeGetDky (self->cvode, t, 1, self->z);
  memcpy (z_dot, N_VGetArrayPointer (self->z), sizeof (double) * (gsize)stepper->integrator->ode.n);
}

static double bdf_next_step (HlStepper *stepper) {
  double h = 0.0;

  CVodeGetCurrentStep (((Bdf *)stepper)->cvode, &h);
  return fabs (h);
}

static int bdf_last_order (const HlStepper *stepper) {
  int order = 0;

  CVodeGetLastOrder (((const Bdf *)stepper)->cvode, &order);
  return order;
}

HlStepper *hl_stepper_new_bdf (HlIntegrator *integrator) {
  static const HlStepperClass class = {bdf_free,  bdf_start,     bdf_step,       bdf_interpolate,
                                       bdf_slope, bdf_next_step, bdf_last_order, bdf_add_stats};
  Bdf *self = g_new0 (Bdf, 1);
  const HlOde *ode = &integrator->ode;
  const HlOdeOptions *options = &integrator->options;
  sunindextype n = MAX (ode->n, 1);

  self->stepper = (HlStepper){&class, integrator};
  if (SUNContext_Create (NO_COMMUNICATOR, &self->context) != 0)
    g_error ("out of memory");
  self->z = N_VNew_Serial (n, self->context);
  vector_hasten (self->z);
  self->errors = N_VNew_Serial (n, self->context);
  N_VConst (0.0, self->z);
  N_VConst (1.0, self->errors);
  for (int i = 0; i < ode->n; i++)
    N_VGetArrayPointer (self->errors)[i] = 1.0 / integrator->weight[i];

  self->cvode = CVodeCreate (CV_BDF, self->context);
  keep_quiet (self);
  CVodeInit (self->cvode, rhs_cb, 0.0, self->z);
  if (ode->tighten != NULL)
    CVodeWFtolerances (self->cvode, weights_cb);
  else
    CVodeSVtolerances (self->cvode, 0.0, self->errors);
  CVodeSetUserData (self->cvode, self);
  CVodeSetMaxNumSteps (self->cvode, -1);
  CVodeSetMaxConvFails (self->cvode, MOST_REFUSALS);
  CVodeSetMaxErrTestFails (self->cvode, MOST_REFUSALS);
  if (options->max_order > 0)
    CVodeSetMaxOrd (self->cvode, options->max_order);
  if (options->max_step > 0.0)
    CVodeSetMaxStep (self->cvode, options->max_step);

  self->newton = newton_matrix_new (integrator, self->z, self->context);
  CVodeSetLinearSolver (self->cvode, newton_matrix_solver (self->newton),
                        newton_matrix_matrix (self->newton));
  CVodeSetLinSysFn (self->cvode, matrix_cb);
  CVodeSetJacEvalFrequency (self->cvode, 1);
  return &self->stepper;
}
