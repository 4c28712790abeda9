/* SPDX-License-Identifier: MIT */
/* The linearization on whole matrices, with the letters of theory/linearization.md:
 *
 *   T, T^h      motion of the velocities and of the positions (X there)    (5), (7)
 *   Vbb         dv when positions change                                   (24)
 *   Um, Vm      da when velocities and positions change                    (25), (26)
 *   R0, S0      reduced damping and stiffness                              (28), (29)
 *   H0          rates of pressures and components                          (30)
 *   E, Bbar     the nonholonomic rows in terms of positions                (32), (6)
 *
 * Index sets: ai independent, ad admissible, d dependent, dd = (ad, d), a = (ai, ad). */
#include "app/reproduce/hl-constrained-system-linearization.h"

#include "core/math/hl-linalg.h"

#include <stdlib.h>
#include <string.h>

/* A constrained system in all its coordinates and velocities: the augmented system
 * (theory/linearization.md (34)), and its linearization without reduction, by central differences
 * (36) and exactly. The spectrum of that has two spurious null eigenvalues for each constraint
 * (seed 000, section 4.5). */

/* Factors the matrix at the start of scratch. HL_SINGULAR when the constraints are dependent or
 * some motion has no mass. */
static HlStatus augmented_factor (const HlConstrained *system, double scratch[], int pivots[]) {
  int n = system->n, c = system->m + system->l, size = n + c;
  double *matrix = scratch, *D = scratch + size * size, *unit = D + c * n;

  memset (matrix, 0, (size_t)(size * size) * sizeof (double));
  memset (unit, 0, (size_t)n * sizeof (double));
  system->gradients (system->data, D);
  for (int k = 0; k < n; k++) {
    unit[k] = 1.0;
    system->mass_times (system->data, unit, matrix + k * size);
    unit[k] = 0.0;
    for (int row = 0; row < c; row++)
      matrix[k * size + n + row] = matrix[(n + row) * size + k] = D[k * c + row];
  }
  return hl_lu_factor (size, matrix, pivots);
}

/* Solves for accelerations and multipliers; lambda may be NULL. The factors of the matrix stay at the start
 * of scratch. HL_SINGULAR when the constraints are dependent or a motion has no mass. */
static HlStatus augmented_solve (const HlConstrained *system, double a[], double lambda[], double scratch[],
                                 int pivots[]) {
  int n = system->n, c = system->m + system->l, size = n + c;
  double *rhs = scratch + size * size + c * n;
  HlStatus status = augmented_factor (system, scratch, pivots);

  if (status != HL_OK)
    return status;
  system->forces (system->data, rhs);
  system->bias (system->data, rhs + n);
  for (int row = 0; row < c; row++)
    rhs[n + row] = -rhs[n + row];
  hl_lu_solve (size, scratch, pivots, 1, rhs);
  memcpy (a, rhs, (size_t)n * sizeof (double));
  if (lambda != NULL)
    memcpy (lambda, rhs + n, (size_t)c * sizeof (double));
  return HL_OK;
}

int hl_constrained_full_size (const HlConstrained *system) {
  return 2 * system->n + system->r + system->u;
}

/* Computes F (X), and the multipliers when lambda is not NULL, from the augmented system (97), on or beside
 * the constraint manifold. scratch: hl_augmented_scratch (), pivots: n + m + l. */
static HlStatus full_rates (const HlConstrained *system, double t, const double X[], double F[],
                            double lambda[], double scratch[], int pivots[], HlFault *fault) {
  int n = system->n;
  HlConstrainedState state = {.x = X, .v = X + n, .z = X + 2 * n};
  HlStatus status = system->set_state (system->data, t, &state, fault);

  if (status != HL_OK)
    return status;
  memcpy (F, state.v, (size_t)n * sizeof (double));
  status = augmented_solve (system, F + n, lambda, scratch, pivots);
  system->rates (system->data, F + 2 * n);
  return status;
}

void hl_constrained_uniform_steps (const HlConstrained *system, double h, double pressure_step,
                                   double steps[]) {
  for (int k = 0; k < hl_constrained_full_size (system); k++) {
    bool is_pressure = k >= 2 * system->n && k < 2 * system->n + system->r;
    steps[k] = is_pressure ? pressure_step : h;
  }
}

HlStatus hl_constrained_counterpart (const HlConstrained *system, double t, const double X[],
                                     const double steps[], double J[], HlFault *fault) {
  size_t size = (size_t)hl_constrained_full_size (system);
  double *memory = calloc (3 * size + (size_t)hl_augmented_scratch (system) + 1, sizeof *memory);
  double *at = memory, *high = at + size, *low = high + size, *scratch = low + size;
  int *pivots = calloc ((size_t)(system->n + system->m + system->l) + 1, sizeof *pivots);
  HlStatus status = HL_OK;

  memcpy (at, X, size * sizeof (double));
  for (size_t k = 0; k < size && status == HL_OK; k++) {
    double up = X[k] + steps[k], down = X[k] - steps[k];

    at[k] = up;
    status = full_rates (system, t, at, high, NULL, scratch, pivots, fault);
    at[k] = down;
    if (status == HL_OK)
      status = full_rates (system, t, at, low, NULL, scratch, pivots, fault);
    at[k] = X[k];
    for (size_t row = 0; row < size; row++)
      J[k * size + row] = up > down ? (high[row] - low[row]) / (up - down) : 0.0;
  }
  free (memory);
  free (pivots);
  return status;
}

/* Computes one column: [M D^T; D 0] [da; dLam] = [ dq; - d(D a0 + d) ]. */
static void exact_column (const HlConstrained *system, const HlConstrainedSeed *seed, double scratch[],
                          const int pivots[], double unused[], double column[]) {
  int n = system->n, c = system->m + system->l, size = n + c;
  double *rhs = scratch + size * size + c * n;
  HlConstrainedTangent tangent = {
      .velocity = unused, .acceleration = rhs + n, .force = rhs, .rates = column + 2 * n};

  system->tangent (system->data, seed, &tangent);
  for (int row = 0; row < c; row++)
    rhs[n + row] = -rhs[n + row];
  hl_lu_solve (size, scratch, pivots, 1, rhs);
  memcpy (column + n, rhs, (size_t)n * sizeof (double));
  if (seed->dv != NULL)
    memcpy (column, seed->dv, (size_t)n * sizeof (double));
}

HlStatus hl_constrained_full_jacobian (const HlConstrained *system, double t, const double X[], double J[],
                                       HlFault *fault) {
  int n = system->n, c = system->m + system->l, size = hl_constrained_full_size (system);
  double *memory = calloc ((size_t)(hl_augmented_scratch (system) + n + 2 * c + size + 1), sizeof *memory);
  double *scratch = memory, *a = scratch + hl_augmented_scratch (system), *lambda = a + n,
         *unused = lambda + c, *unit = unused + c;
  int *pivots = calloc ((size_t)(n + c) + 1, sizeof *pivots);
  HlConstrainedState state = {.x = X, .v = X + n, .z = X + 2 * n};
  HlStatus status = system->set_state (system->data, t, &state, fault);

  if (status == HL_OK)
    status = augmented_solve (system, a, lambda, scratch, pivots);
  if (status == HL_OK) {
    system->set_motion (system->data, a, lambda);
    memset (J, 0, (size_t)size * (size_t)size * sizeof (double));
  }
  for (int k = 0; k < size && status == HL_OK; k++) {
    HlConstrainedSeed seed = {.dx = k < n ? unit : NULL,
                              .dv = k >= n && k < 2 * n ? unit + n : NULL,
                              .dz = k >= 2 * n ? unit + 2 * n : NULL};
    unit[k] = 1.0;
    exact_column (system, &seed, scratch, pivots, unused, J + (size_t)k * (size_t)size);
    unit[k] = 0.0;
  }
  free (memory);
  free (pivots);
  return status;
}

/* A pivot of the partition smaller than this part of the largest is a singular position. */
#define PIVOT_TOLERANCE 1.0e-9

typedef struct {
  const HlConstrained *sys;
  int n, m, l, f, c, z; /* c = m + l rows, f = n - c, z = r + u */
  const HlConstrainedPartition *part;
  int *dd;                      /* c: columns ad, then d */
  double *D;                    /* c x n */
  double *Dv_x, *acc_x, *acc_v; /* c x n: d(D v0)/dx, d(D a0)/dx + d_x, d_v */
  double *F_x, *F_v, *F_z;      /* n x n, n x n, n x z */
  double *h_x, *h_v, *h_z;      /* z x n, z x n, z x z */
  double *T, *Th;               /* n x f, n x (f + l) */
  double *Vbb, *Um, *Vm;        /* n x n */
  double *m0;                   /* f x f */
  double *R0, *S0, *K;          /* f x n */
  double *Bbar, *E;             /* l x (f + l), l x n */
  double *work_a, *work_b;      /* scratch, (n + c)^2 each */
  int *pivots;
} Steps;

/* ---- step 1: the partition ---- */

static int compare_ints (const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static bool contains (const int list[], int n, int value) {
  for (int k = 0; k < n; k++)
    if (list[k] == value)
      return true;
  return false;
}

/* Pivots `n_rows` x `n_columns` completely; the pivot columns, rising, go to `chosen`. */
static HlStatus pivot_columns (int n_rows, int n_columns, double matrix[], int chosen[]) {
  int *row_order = calloc ((size_t)n_rows + 1, sizeof *row_order),
      *column_order = calloc ((size_t)n_columns + 1, sizeof *column_order);
  int rank =
      hl_eliminate_complete (n_rows, n_columns, matrix, PIVOT_TOLERANCE, row_order, column_order, NULL, NULL);

  memcpy (chosen, column_order, (size_t)n_rows * sizeof *chosen);
  qsort (chosen, (size_t)n_rows, sizeof *chosen, compare_ints);
  free (row_order);
  free (column_order);
  return rank == n_rows ? HL_OK : HL_SINGULAR;
}

/* Computes out = - A^-1 B for the columns `of_a` and `of_b` of the first n_rows rows of D; n_rows x n_b. */
static HlStatus dependent_block (const Steps *s, int n_rows, const int of_a[], const int of_b[], int n_b,
                                 double out[]) {
  size_t rows = (size_t)n_rows, c = (size_t)s->c;

  for (int k = 0; k < n_rows; k++)
    memcpy (s->work_a + (size_t)k * rows, s->D + (size_t)of_a[k] * c, rows * sizeof (double));
  for (int k = 0; k < n_b; k++)
    for (size_t row = 0; row < rows; row++)
      out[(size_t)k * rows + row] = -s->D[(size_t)of_b[k] * c + row];
  HlStatus status = hl_lu_factor (n_rows, s->work_a, s->pivots);
  if (status == HL_OK)
    hl_lu_solve (n_rows, s->work_a, s->pivots, n_b, out);
  return status;
}

/* Computes T^h from C for the present ai, ad, d. */
static HlStatus motion_of_positions (const Steps *s) {
  int q = s->f + s->l;
  int *a = calloc ((size_t)q + 1, sizeof *a);
  double *block = s->work_b;

  memcpy (a, s->part->ai, (size_t)s->f * sizeof *a);
  memcpy (a + s->f, s->part->ad, (size_t)s->l * sizeof *a);
  HlStatus status = dependent_block (s, s->m, s->part->d, a, q, block);
  memset (s->Th, 0, (size_t)(s->n * q) * sizeof (double));
  for (int k = 0; k < q; k++) {
    s->Th[k * s->n + a[k]] = 1.0;
    for (int row = 0; row < s->m; row++)
      s->Th[k * s->n + s->part->d[row]] = block[k * s->m + row];
  }
  free (a);
  return status;
}

/* Computes Bbar = B T^h. */
static void reduced_nonholonomic_rows (const Steps *s) {
  for (int k = 0; k < s->f + s->l; k++)
    for (int row = 0; row < s->l; row++) {
      double sum = 0.0;
      for (int j = 0; j < s->n; j++)
        sum += s->D[j * s->c + s->m + row] * s->Th[k * s->n + j];
      s->Bbar[k * s->l + row] = sum;
    }
}

static HlStatus choose_partition (const Steps *s, const int ai[], const int ad[]) {
  const HlConstrainedPartition *part = s->part;
  int n_rest = 0;

  if (ai != NULL) {
    memcpy (part->ai, ai, (size_t)s->f * sizeof *ai);
    if (s->l > 0)
      memcpy (part->ad, ad, (size_t)s->l * sizeof *ad);
    for (int column = 0; column < s->n; column++)
      if (!contains (part->ai, s->f, column) && !contains (part->ad, s->l, column))
        part->d[n_rest++] = column;
    return n_rest == s->m ? HL_OK : HL_BAD_MODEL;
  }
  for (int column = 0; column < s->n; column++)
    memcpy (s->work_a + column * s->m, s->D + column * s->c, (size_t)s->m * sizeof (double));
  HlStatus status = pivot_columns (s->m, s->n, s->work_a, part->d);
  if (status != HL_OK)
    return status;
  /* the rest in one list, first taken as (ai, ad) as it stands, then Bbar says which are ad */
  int q = s->f + s->l;
  int *rest = calloc ((size_t)q + 1, sizeof *rest), *chosen = calloc ((size_t)s->l + 1, sizeof *rest);
  for (int column = 0; column < s->n; column++)
    if (!contains (part->d, s->m, column))
      rest[n_rest++] = column;
  memcpy (part->ai, rest, (size_t)s->f * sizeof *rest);
  memcpy (part->ad, rest + s->f, (size_t)s->l * sizeof *rest);
  if (s->l > 0) {
    status = motion_of_positions (s);
    reduced_nonholonomic_rows (s);
    if (status == HL_OK)
      status = pivot_columns (s->l, q, s->Bbar, chosen);
    int n_ai = 0, n_ad = 0;
    for (int k = 0; k < q; k++)
      if (contains (chosen, s->l, k))
        part->ad[n_ad++] = rest[k];
      else if (n_ai < s->f)
        part->ai[n_ai++] = rest[k];
  }
  free (rest);
  free (chosen);
  return status;
}

/* ---- steps 2 to 6: the matrices ---- */

static void collect_derivatives (const Steps *s) {
  double *unit = calloc ((size_t)(s->n + s->z) + 1, sizeof *unit);
  double *unused = s->work_b; /* parts that do not depend on this kind of direction */

  for (int k = 0; k < s->n; k++) {
    unit[k] = 1.0;
    HlConstrainedTangent by_x = {.velocity = s->Dv_x + k * s->c,
                                 .acceleration = s->acc_x + k * s->c,
                                 .force = s->F_x + k * s->n,
                                 .rates = s->h_x + k * s->z};
    HlConstrainedTangent by_v = {.velocity = unused,
                                 .acceleration = s->acc_v + k * s->c,
                                 .force = s->F_v + k * s->n,
                                 .rates = s->h_v + k * s->z};
    s->sys->tangent (s->sys->data, &(HlConstrainedSeed){.dx = unit}, &by_x);
    s->sys->tangent (s->sys->data, &(HlConstrainedSeed){.dv = unit}, &by_v);
    unit[k] = 0.0;
  }
  for (int k = 0; k < s->z; k++) {
    unit[k] = 1.0;
    HlConstrainedTangent by_z = {.velocity = unused,
                                 .acceleration = unused + s->c,
                                 .force = s->F_z + k * s->n,
                                 .rates = s->h_z + k * s->z};
    s->sys->tangent (s->sys->data, &(HlConstrainedSeed){.dz = unit}, &by_z);
    unit[k] = 0.0;
  }
  free (unit);
}

/* Computes out (n x n): rows dd = - D_dd^-1 rhs, rows ai = 0; D_dd is factored in work_a. */
static void dependent_rows (const Steps *s, const double rhs[], double out[]) {
  double *block = s->work_b;

  memcpy (block, rhs, (size_t)(s->c * s->n) * sizeof (double));
  hl_lu_solve (s->c, s->work_a, s->pivots, s->n, block);
  memset (out, 0, (size_t)(s->n * s->n) * sizeof (double));
  for (int k = 0; k < s->n; k++)
    for (int row = 0; row < s->c; row++)
      out[k * s->n + s->dd[row]] = -block[k * s->c + row];
}

static HlStatus motion_of_velocities (const Steps *s) {
  HlStatus status = dependent_block (s, s->c, s->dd, s->part->ai, s->f, s->work_b);

  if (status != HL_OK)
    return status;
  memset (s->T, 0, (size_t)(s->n * s->f) * sizeof (double));
  for (int k = 0; k < s->f; k++) {
    s->T[k * s->n + s->part->ai[k]] = 1.0;
    for (int row = 0; row < s->c; row++)
      s->T[k * s->n + s->dd[row]] = s->work_b[k * s->c + row];
  }
  dependent_rows (s, s->Dv_x, s->Vbb);
  dependent_rows (s, s->acc_v, s->Um);
  dependent_rows (s, s->acc_x, s->Vm);
  return HL_OK;
}

/* Computes out (f x n) = T^T (F - M A), A n x n. */
static void project (const Steps *s, const double F[], const double A[], double out[]) {
  double *column = s->work_b;

  for (int k = 0; k < s->n; k++) {
    s->sys->mass_times (s->sys->data, A + k * s->n, column);
    for (int row = 0; row < s->n; row++)
      column[row] = F[k * s->n + row] - column[row];
    hl_mat_tvec (s->n, s->f, s->T, column, out + k * s->f);
  }
}

static HlStatus reduce_system (const Steps *s) {
  double *column = s->work_b;

  for (int k = 0; k < s->f; k++) {
    s->sys->mass_times (s->sys->data, s->T + k * s->n, column);
    hl_mat_tvec (s->n, s->f, s->T, column, s->m0 + k * s->f);
  }
  project (s, s->F_v, s->Um, s->R0);
  project (s, s->F_x, s->Vm, s->S0);
  hl_mat_mul (s->f, s->n, s->n, s->R0, s->Vbb, s->K);
  for (int k = 0; k < s->f * s->n; k++)
    s->K[k] += s->S0[k];
  /* h0 = h_x + h_v Vbb, in place of h_x */
  hl_mat_mul (s->z, s->n, s->n, s->h_v, s->Vbb, s->work_b);
  for (int k = 0; k < s->z * s->n; k++)
    s->h_x[k] += s->work_b[k];
  return hl_cholesky_factor (s->f, s->m0);
}

/* Computes E = B V^h + d(B v0)/dx, V^h: rows d = - C_xd^-1 d(C_x v0)/dx. */
static HlStatus nonholonomic_rows (const Steps *s) {
  double *C_d = s->work_a, *rhs = s->work_b;

  for (int k = 0; k < s->m; k++)
    memcpy (C_d + k * s->m, s->D + s->part->d[k] * s->c, (size_t)s->m * sizeof (double));
  HlStatus status = hl_lu_factor (s->m, C_d, s->pivots);
  if (status != HL_OK)
    return status;
  for (int k = 0; k < s->n; k++) {
    memcpy (rhs, s->Dv_x + k * s->c, (size_t)s->m * sizeof (double));
    hl_lu_solve (s->m, C_d, s->pivots, 1, rhs);
    for (int row = 0; row < s->l; row++) {
      double sum = s->Dv_x[k * s->c + s->m + row];
      for (int j = 0; j < s->m; j++)
        sum -= s->D[s->part->d[j] * s->c + s->m + row] * rhs[j];
      s->E[k * s->l + row] = sum;
    }
  }
  reduced_nonholonomic_rows (s);
  return HL_OK;
}

/* ---- step 7: J, block by block ---- */

static void put_block (int n, double J[], int row, int column, int n_rows, int n_columns,
                       const double block[]) {
  for (int k = 0; k < n_columns; k++)
    memcpy (J + (size_t)(column + k) * (size_t)n + row, block + k * n_rows, (size_t)n_rows * sizeof (double));
}

/* Writes the block of v_ai: m0^-1 A, A f x n_columns. */
static void put_acceleration (const Steps *s, int n, double J[], int column, int n_columns, double A[]) {
  hl_cholesky_solve (s->f, s->m0, n_columns, A);
  put_block (n, J, s->f, column, s->f, n_columns, A);
}

static HlStatus put_admissible (const Steps *s, int n, double J[]) {
  int f = s->f, l = s->l, q = f + l;
  double *Bbar_ad = s->work_a, *block = s->work_b;

  memcpy (Bbar_ad, s->Bbar + f * l, (size_t)(l * l) * sizeof (double));
  HlStatus status = hl_lu_factor (l, Bbar_ad, s->pivots);
  if (status != HL_OK)
    return status;
  hl_mat_mul (l, s->n, q, s->E, s->Th, block);
  memcpy (block + q * l, s->Bbar, (size_t)(l * f) * sizeof (double));
  for (int k = 0; k < l * (q + f); k++)
    block[k] = -block[k];
  hl_lu_solve (l, Bbar_ad, s->pivots, q + f, block);
  put_block (n, J, 2 * f, 0, l, f, block);
  put_block (n, J, 2 * f, 2 * f, l, l, block + f * l);
  put_block (n, J, 2 * f, f, l, f, block + q * l);
  return HL_OK;
}

static HlStatus assemble_system (const Steps *s, int n, double J[]) {
  int f = s->f, l = s->l, z = s->z, off_z = 2 * f + l;
  const double *Vh_ai = s->Th, *Vh_ad = s->Th + f * s->n;
  double *block = s->work_b;

  memset (J, 0, (size_t)(n * n) * sizeof (double));
  for (int k = 0; k < f; k++)
    J[(size_t)(f + k) * (size_t)n + (size_t)k] = 1.0;
  hl_mat_mul (f, s->n, f, s->K, Vh_ai, block);
  put_acceleration (s, n, J, 0, f, block);
  hl_mat_mul (f, s->n, f, s->R0, s->T, block);
  put_acceleration (s, n, J, f, f, block);
  hl_mat_mul (f, s->n, l, s->K, Vh_ad, block);
  put_acceleration (s, n, J, 2 * f, l, block);
  hl_mat_tmul (f, s->n, z, s->T, s->F_z, block);
  put_acceleration (s, n, J, off_z, z, block);

  hl_mat_mul (z, s->n, f, s->h_x, Vh_ai, block);
  put_block (n, J, off_z, 0, z, f, block);
  hl_mat_mul (z, s->n, f, s->h_v, s->T, block);
  put_block (n, J, off_z, f, z, f, block);
  hl_mat_mul (z, s->n, l, s->h_x, Vh_ad, block);
  put_block (n, J, off_z, 2 * f, z, l, block);
  put_block (n, J, off_z, off_z, z, z, s->h_z);
  return l > 0 ? put_admissible (s, n, J) : HL_OK;
}

/* ---- the whole ---- */

static double *next_array (double **memory, int size) {
  double *part = *memory;

  *memory += size;
  return part;
}

static double *lay_out (Steps *s) {
  int n = s->n, c = s->c, f = s->f, l = s->l, z = s->z, most = n + c + z;
  int total = 4 * c * n + 2 * n * n + n * z + 2 * z * n + z * z + n * f + n * (f + l) + 3 * n * n + f * f +
              3 * f * n + l * (f + l) + l * n + 2 * most * most;
  double *memory = calloc ((size_t)total + 1, sizeof *memory), *at = memory;

  s->D = next_array (&at, c * n);
  s->Dv_x = next_array (&at, c * n);
  s->acc_x = next_array (&at, c * n);
  s->acc_v = next_array (&at, c * n);
  s->F_x = next_array (&at, n * n);
  s->F_v = next_array (&at, n * n);
  s->F_z = next_array (&at, n * z);
  s->h_x = next_array (&at, z * n);
  s->h_v = next_array (&at, z * n);
  s->h_z = next_array (&at, z * z);
  s->T = next_array (&at, n * f);
  s->Th = next_array (&at, n * (f + l));
  s->Vbb = next_array (&at, n * n);
  s->Um = next_array (&at, n * n);
  s->Vm = next_array (&at, n * n);
  s->m0 = next_array (&at, f * f);
  s->R0 = next_array (&at, f * n);
  s->S0 = next_array (&at, f * n);
  s->K = next_array (&at, f * n);
  s->Bbar = next_array (&at, l * (f + l));
  s->E = next_array (&at, l * n);
  s->work_a = next_array (&at, most * most);
  s->work_b = next_array (&at, most * most);
  s->dd = calloc ((size_t)c + 1, sizeof *s->dd);
  s->pivots = calloc ((size_t)most + 1, sizeof *s->pivots);
  return memory;
}

/* Performs steps 1 to 7 at the state that is set and the motion in lin. */
static HlStatus seven_steps (const Steps *s, const int ai[], const int ad[],
                             HlConstrainedLinearization *lin) {
  s->sys->gradients (s->sys->data, s->D);
  HlStatus status = choose_partition (s, ai, ad);
  if (status != HL_OK)
    return status;
  memcpy (s->dd, s->part->ad, (size_t)s->l * sizeof *s->dd);
  memcpy (s->dd + s->l, s->part->d, (size_t)s->m * sizeof *s->dd);
  s->sys->set_motion (s->sys->data, lin->a, lin->lambda);
  collect_derivatives (s);
  status = motion_of_positions (s);
  if (status == HL_OK)
    status = motion_of_velocities (s);
  if (status == HL_OK)
    status = reduce_system (s);
  if (status == HL_OK && s->l > 0)
    status = nonholonomic_rows (s);
  return status == HL_OK ? assemble_system (s, lin->n_states, lin->J) : status;
}

HlStatus hl_constrained_linearize (const HlConstrained *system, double t, const HlConstrainedState *state,
                                   const int ai[], const int ad[], HlConstrainedLinearization *lin,
                                   HlFault *fault) {
  int c = system->m + system->l;
  Steps s = {.sys = system,
             .n = system->n,
             .m = system->m,
             .l = system->l,
             .f = system->n - c,
             .c = c,
             .z = system->r + system->u,
             .part = &lin->partition};
  HlStatus status = system->set_state (system->data, t, state, fault);

  if (status != HL_OK)
    return status;
  double *memory = lay_out (&s);
  status = augmented_solve (system, lin->a, lin->lambda, s.work_a, s.pivots);
  system->rates (system->data, lin->rates);
  if (status == HL_OK)
    status = seven_steps (&s, ai, ad, lin);
  free (memory);
  free (s.dd);
  free (s.pivots);
  return status == HL_OK ? HL_OK : hl_fault_set (fault, status, HL_ENTITY_NONE, -1, 0.0);
}

HlConstrainedLinearization *hl_constrained_linearization_new (const HlConstrained *system) {
  HlConstrainedLinearization *lin = calloc (1, sizeof *lin);
  int c = system->m + system->l, f = system->n - c, z = system->r + system->u;
  size_t n_states = (size_t)(2 * f + system->l + z);

  lin->n_states = (int)n_states;
  lin->J = calloc (n_states * n_states + 1, sizeof *lin->J);
  lin->a = calloc ((size_t)system->n + 1, sizeof *lin->a);
  lin->lambda = calloc ((size_t)c + 1, sizeof *lin->lambda);
  lin->rates = calloc ((size_t)z + 1, sizeof *lin->rates);
  lin->partition.ai = calloc ((size_t)f + 1, sizeof (int));
  lin->partition.ad = calloc ((size_t)system->l + 1, sizeof (int));
  lin->partition.d = calloc ((size_t)system->m + 1, sizeof (int));
  return lin;
}

void hl_constrained_linearization_free (HlConstrainedLinearization *lin) {
  if (lin == NULL)
    return;
  void *parts[] = {lin->J,           lin->a, lin->lambda, lin->rates, lin->partition.ai, lin->partition.ad,
                   lin->partition.d, lin};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
}
