/* SPDX-License-Identifier: MIT */
/* Path of the dragged point to the pointer: steps are limited and F never grows, so the pose stays on its
 * branch. Lengths at a limit are rows of C while their multiplier pushes against the limit (active set). */
#include "core/mech/hl-mechanism-drag.h"

#include "core/base/hl-arena.h"
#include "core/base/hl-connected-groups.h"
#include "core/math/hl-sparse-elimination.h"
#include "core/math/hl-linalg.h"
#include "core/mech/hl-linkage-assembly.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HL_DRAG_MANY_COLUMNS 120 /* more: a large linkage */
#define HL_DRAG_CLOSED 4.0e-15   /* residual over arm that counts as closed */

/* A local row or column is one of the dragged island; n is the number of its columns, 3 a body. */
struct HlMechanismDrag {
  HlArena arena; /* holds every array */

  /* the model, by hl_mechanism_drag_new () */
  HlMechanism mech;   /* rows: joints, then one length row a limit */
  HlIsland island;    /* the dragged bodies */
  int *island_bodies; /* island.n_bodies: bodies of the model, rising */
  int *island_rows;   /* island.n_rows: rows in force or not, joints first */
  int *local_of_body; /* n_bodies of the model: place among the dragged ones, -1 = it rests */
  HlRow *rows;        /* n_rows of the model, then n_limits; constants of these by each step */
  HlFrame *frames;    /* n_bodies + 1, the ground first: wherever C was examined last */
  HlMechanismDragLimit *limits;
  int n_limits;
  int *limit_row; /* n_limits: local row of each, -1: not among the dragged bodies */
  int *side;      /* n_limits: -1 at its shortest, 1 at its longest, 0 between; by each step */
  int body;       /* body of the dragged point, of the model */
  double u[2];    /* the point in its frame [m] */

  /* where it is: x are poses, 3 a body of the model [m, m, rad] */
  int n, n_joint_rows; /* local columns; local rows of joints */
  double epsilon;      /* pull to the start over pull to the pointer */
  double pointer[2];   /* where it was last; the point itself at first [m] */
  double *x;           /* 3 n_bodies: now; by hl_mechanism_drag_to () */
  double *x_before;    /* 3 n_bodies: at the last pointer */
  int *side_before;    /* n_limits: likewise */
  double *x_regular;   /* 3 n_bodies: the last pose that was no dead point of the linkage itself */
  int *side_regular;   /* n_limits: likewise */
  double pivot_start;  /* `pivot` at the start of the drag; -1: not known yet */
  int rank_start;      /* `rank` there */
  bool is_regular;     /* x is no dead point of the linkage itself */
  double *x_start;     /* 3 n_bodies: at the start of the drag */

  /* one step, in columns scaled by column_scale () and rows by row_scale (): by
   * linearize () unless said otherwise; matrices are column-major */
  int n_active;          /* rows in force: joints, and limits that are reached */
  int rank, n_free;      /* of these rows; n - rank */
  double pivot;          /* the smallest over the largest: 0 where links in line lose a constraint */
  bool is_saddle;        /* F curves down somewhere */
  int *active;           /* n_active: local rows in force */
  HlElimination lu;      /* n_active x n: gradients, eliminated */
  double *g;             /* n: gradient of F */
  double *diagonal;      /* n: of the pull's Hessian */
  double *lambda;        /* n_active: multipliers */
  double *X;             /* n x n_free: tangents */
  double *HX, *B;        /* n x n_free, n_free x n_free: H X and X^T H X, of the Lagrangian's Hessian H;
                      * B by newton_step () */
  double *factor, *y;    /* n_free x n_free, n: of B, and the step in the tangents; newton_step () */
  double *step;          /* n: X y */
  double *x_try;         /* 3 n_bodies: poses tried; move_coordinates () */
  double *c;             /* island.n_rows: residuals [m]; move_coordinates () */
  double *eigen, *slope; /* n_free x n_free, 2 n: of a saddle; saddle_step () */
  double *pull;          /* n: the part of g that pulls to the start */

  bool (*cancel) (void *data); /* NULL: never cancelled */
  void *cancel_data;
};

/* Returns the change of the coordinate for a unit step in a scaled column: 1 for a length, 1/arm for an
 * angle. */
static inline double column_scale (const HlMechanismDrag *drag, int column) {
  return column % 3 == 2 ? 1.0 / drag->island.length : 1.0;
}

/* Returns the factor that converts a row to a length: the arm for rows of angles. */
static inline double row_scale (const HlMechanismDrag *drag, int local_row) {
  return drag->rows[drag->island_rows[local_row]].kind == HL_ROW_ANGLE ? drag->island.length : 1.0;
}

/* Returns the place of a local column in the global x[3 n_bodies]. */
static inline double *coordinate (const HlMechanismDrag *drag, double x[], int column) {
  return &x[3 * drag->island_bodies[column / 3] + column % 3];
}

/* Returns C of a local row at the poses in the frames [m or rad]. */
static inline double row_value (const HlMechanismDrag *drag, int local_row) {
  const HlRow *row = &drag->rows[drag->island_rows[local_row]];
  return hl_row_value (row, hl_frame_of (drag->frames, row->body_i), hl_frame_of (drag->frames, row->body_j));
}

static double saddle_step (HlMechanismDrag *drag);

/* Newton's method along the constraints (theory/stabilization.md (8), (9)). With e = P(x) - target,
 * the pose minimizes, subject to C(x) = 0,
 *
 *   F(x) = e.e/2 + epsilon sum over bodies (|r - r0|^2/2 + L^2 (1 - cos (psi - psi0)))
 *
 * where (r0, psi0) is the start of the drag. The second part decides what the pointer leaves open;
 * it is periodic, so a full turn of a crank comes back too. In a long chain the path of each body grows with its
 * distance from the pointer: the sum of the squares grows as the cube of the number of bodies. A smaller epsilon keeps
 * the chain from lagging behind. Each step: eliminate C_x with complete pivoting (which finds redundant rows and the
 * free columns), reduce the Hessian of the Lagrangian to the free columns, move them, and close the dependent ones by
 * chord steps. Steps are limited and F never grows, so the pose follows its branch. Lengths at a limit are rows of C
 * while their multiplier pushes against the limit (active set). Angles are scaled by the typical arm L. */

#define EPSILON 1.0e-6   /* pull to the start over pull to the pointer */
#define CHAIN 40         /* bodies, from which on it is less */
#define ACCEPTED 1.0e-11 /* residual over arm that is good enough when rounding stops the chord */

static void error_at (const HlMechanismDrag *drag, const double target[2], double e[2]) {
  hl_frame_point (hl_frame_of (drag->frames, drag->body), drag->u, e, NULL);
  e[0] -= target[0];
  e[1] -= target[1];
}

/* Returns the pull to the start over pull to the pointer, where so many bodies are dragged. */
static double drag_pull (int n_bodies) {
  double share = fmin (1.0, (double)CHAIN / n_bodies);
  return EPSILON * share * share * share;
}

/* Returns F at the poses x[3 n_bodies]; sets the frames to them. */
static double objective (const HlMechanismDrag *drag, double x[], const double target[2]) {
  double e[2], pull = 0.0, length = drag->island.length;

  hl_mechanism_set_poses (&drag->mech, x, drag->frames);
  error_at (drag, target, e);
  for (int body = 0; body < drag->island.n_bodies; body++) {
    const double *now = &x[3 * drag->island_bodies[body]];
    const double *start = &drag->x_start[3 * drag->island_bodies[body]];
    double dx = now[0] - start[0], dy = now[1] - start[1];
    double half = length * sin (0.5 * (now[2] - start[2])); /* 1 - cos = 2 sin^2 of half the angle */
    pull += 0.5 * (dx * dx + dy * dy) + 2.0 * half * half;
  }
  return 0.5 * hl_dot2 (e, e) + drag->epsilon * pull;
}

static void set_limit_constants (HlMechanismDrag *drag) {
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->limit_row[k] >= 0)
      drag->rows[drag->island_rows[drag->limit_row[k]]].constant = drag->side[k] > 0 ? drag->limits[k].longest
                                                                   : drag->side[k] < 0
                                                                       ? drag->limits[k].shortest
                                                                       : 0.0;
}

/* Adds the gradients of the rows in force to the elimination, scaled. */
static void add_gradients (HlMechanismDrag *drag) {
  for (int k = 0; k < drag->n_active; k++) {
    const HlRow *row = &drag->rows[drag->island_rows[drag->active[k]]];
    double gradient[6], scale = row_scale (drag, drag->active[k]);

    hl_row_gradient (row, hl_frame_of (drag->frames, row->body_i), hl_frame_of (drag->frames, row->body_j),
                     gradient);
    for (int i = 0; i < 6; i++) {
      int body = i < 3 ? row->body_i : row->body_j;
      if (body < 0)
        continue;
      int column = 3 * drag->local_of_body[body] + i % 3;
      hl_elimination_add (&drag->lu, k, column, gradient[i] * column_scale (drag, column) * scale);
    }
  }
}

/* Eliminates the gradients of the rows in force and finds the tangents X. */
static HlStatus eliminate (HlMechanismDrag *drag, HlPivoting pivoting) {
  int n = drag->n;

  drag->n_active = drag->n_joint_rows;
  for (int row = 0; row < drag->n_joint_rows; row++)
    drag->active[row] = row;
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->side[k] != 0)
      drag->active[drag->n_active++] = drag->limit_row[k];
  set_limit_constants (drag);
  hl_elimination_begin (&drag->lu, drag->n_active);
  add_gradients (drag);
  drag->rank = hl_elimination_run (&drag->lu, pivoting, HL_RANK_TOLERANCE);
  if (drag->rank < 0)
    return HL_NOT_FINITE;
  drag->n_free = n - drag->rank;
  drag->pivot = hl_elimination_worst (&drag->lu);
  for (int k = 0; k < drag->n_free; k++)
    hl_elimination_tangent (&drag->lu, k, &drag->X[n * k]);
  return HL_OK;
}

/* Multipliers of the rows in force: C_dep^T lambda = -g_dep; redundant rows get none. */
static void solve_multipliers (HlMechanismDrag *drag) {
  hl_elimination_solve_turned (&drag->lu, drag->g, drag->lambda);
  for (int k = 0; k < drag->n_active; k++)
    drag->lambda[k] = -drag->lambda[k];
}

/* Computes the gradient of F (theory/stabilization.md (8)) and the diagonal entries of its Hessian; of the
 * dragged point P = r + a, e = P - target, and of the pull to the start:
 *   F_r = e,   F_psi = e.b,
 *   epsilon (r - r0),   epsilon L^2 sin (psi - psi0),   and their derivatives */
static void fill_gradient (HlMechanismDrag *drag, const double target[2]) {
  int n = drag->n, at = 3 * drag->local_of_body[drag->body];
  double e[2], a[2], b[2], length = drag->island.length;

  for (int column = 0; column < n; column++) {
    double away = *coordinate (drag, drag->x, column) - *coordinate (drag, drag->x_start, column);
    double scale = column_scale (drag, column);
    bool turns = column % 3 == 2;
    drag->g[column] = drag->epsilon * (turns ? length * length * sin (away) : away);
    drag->pull[column] = drag->g[column] * scale;
    drag->diagonal[column] = drag->epsilon * (turns ? length * length * cos (away) : 1.0) * scale * scale;
  }
  error_at (drag, target, e);
  hl_frame_arm (hl_frame_of (drag->frames, drag->body), drag->u, a, b);
  drag->g[at] += e[0];
  drag->g[at + 1] += e[1];
  drag->g[at + 2] += hl_dot2 (e, b);
  for (int column = 0; column < n; column++)
    drag->g[column] *= column_scale (drag, column);
}

/* Adds to HX a block of the Hessian in six columns, or three, times X. local: the first column of each three;
 * -1: none. block: by rows, unscaled. */
static void add_block (HlMechanismDrag *drag, int size, const int local[2], const double block[]) {
  int n = drag->n;

  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      if (local[i / 3] < 0 || local[j / 3] < 0 || block[size * i + j] == 0.0)
        continue;
      int r = local[i / 3] + i % 3, c = local[j / 3] + j % 3;
      double entry = block[size * i + j] * column_scale (drag, r) * column_scale (drag, c);
      for (int k = 0; k < drag->n_free; k++)
        drag->HX[r + n * k] += entry * drag->X[c + n * k];
    }
}

/* Computes H X with the Hessian H of the Lagrangian, whose few entries are those of F,
 *   F_rr = I,   F_rpsi = b,   F_psipsi = b.b - e.a   of the dragged point and the pull's diagonal,
 * and of the rows times their multipliers. */
static void multiply_hessian (HlMechanismDrag *drag, const double target[2]) {
  int n = drag->n, at[2] = {3 * drag->local_of_body[drag->body], -1};
  double e[2], a[2], b[2];

  error_at (drag, target, e);
  hl_frame_arm (hl_frame_of (drag->frames, drag->body), drag->u, a, b);
  const double point[9] = {1.0,  0.0,  b[0], /* */
                           0.0,  1.0,  b[1], /* */
                           b[0], b[1], hl_dot2 (b, b) - hl_dot2 (e, a)};
  for (int k = 0; k < drag->n_free; k++)
    for (int column = 0; column < n; column++)
      drag->HX[column + n * k] = drag->diagonal[column] * drag->X[column + n * k];
  add_block (drag, 3, at, point);
  for (int k = 0; k < drag->n_active; k++) {
    const HlRow *row = &drag->rows[drag->island_rows[drag->active[k]]];
    const int local[2] = {row->body_i >= 0 ? 3 * drag->local_of_body[row->body_i] : -1,
                          row->body_j >= 0 ? 3 * drag->local_of_body[row->body_j] : -1};
    HlRowTangent tangent = {0}; /* not all of it is written */
    hl_row_tangent (row, hl_frame_of (drag->frames, row->body_i), hl_frame_of (drag->frames, row->body_j),
                    drag->lambda[k] * row_scale (drag, drag->active[k]), &tangent);
    add_block (drag, 6, local, tangent.force);
  }
}

/* Computes the Newton step in the free columns; where F has negative curvature, saddle_step. Returns the
 * step's size, the largest of all scaled columns. */
static double newton_step (HlMechanismDrag *drag) {
  int n = drag->n, f = drag->n_free;
  double size = 0.0;

  hl_mat_tmul (f, n, f, drag->X, drag->HX, drag->B);
  memcpy (drag->factor, drag->B, (size_t)(f * f) * sizeof (double));
  drag->is_saddle = hl_cholesky_factor (f, drag->factor) != HL_OK;
  if (drag->is_saddle)
    return saddle_step (drag);
  hl_mat_tvec (n, f, drag->X, drag->g, drag->y);
  for (int k = 0; k < f; k++)
    drag->y[k] = -drag->y[k];
  hl_cholesky_solve (f, drag->factor, 1, drag->y);
  hl_mat_vec (n, f, drag->X, drag->y, drag->step);
  for (int column = 0; column < n; column++)
    size = fmax (size, fabs (drag->step[column]));
  return size;
}

/* Computes x_try: the free columns moved by a share of the step, the dependent ones closed. false when they
 * do not close. */
static bool move_coordinates (HlMechanismDrag *drag, double share) {
  double last = INFINITY;

  memcpy (drag->x_try, drag->x, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  for (int column = 0; column < drag->n; column++)
    *coordinate (drag, drag->x_try, column) += share * drag->step[column] * column_scale (drag, column);
  for (int iteration = 0; iteration < 12; iteration++) {
    double residual = 0.0;
    hl_mechanism_set_poses (&drag->mech, drag->x_try, drag->frames);
    for (int k = 0; k < drag->n_active; k++) {
      drag->c[k] = row_value (drag, drag->active[k]) * row_scale (drag, drag->active[k]);
      residual = fmax (residual, fabs (drag->c[k]));
    }
    if (isnan (residual) || residual > 4.0 * last)
      return false;
    if (residual <= HL_DRAG_CLOSED * drag->island.length)
      return true;
    if (iteration > 3 && residual >= 0.5 * last)
      return residual <= ACCEPTED * drag->island.length;
    last = residual;
    hl_elimination_solve (&drag->lu, drag->c, drag->y);
    for (int i = 0; i < drag->rank; i++) {
      int column = drag->lu.column_order[i];
      *coordinate (drag, drag->x_try, column) -= drag->y[i] * column_scale (drag, column);
    }
  }
  return last <= ACCEPTED * drag->island.length;
}
/* Closes limits that have just come into force and are not satisfied to the last digit yet. */
static void close_limits (HlMechanismDrag *drag) {
  double largest = 0.0;

  for (int row = drag->n_joint_rows; row < drag->n_active; row++)
    largest = fmax (largest, fabs (row_value (drag, drag->active[row])));
  if (largest <= HL_DRAG_CLOSED * drag->island.length)
    return;
  memset (drag->step, 0, (size_t)drag->n * sizeof (double));
  if (move_coordinates (drag, 0.0))
    memcpy (drag->x, drag->x_try, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
}

/* Tangents, gradient, multipliers and H X at drag->x; closes limits that have just come into
 * force. */
static HlStatus linearize (HlMechanismDrag *drag, const double target[2], HlPivoting pivoting) {
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  HlStatus status = eliminate (drag, pivoting);
  if (status != HL_OK)
    return status;
  close_limits (drag);
  fill_gradient (drag, target);
  solve_multipliers (drag);
  multiply_hessian (drag, target);
  return HL_OK;
}

/* Near a dead point of the grabbed point, where a crank and its rod stand in line, the pointer can
 * be followed on either side: F has a saddle. The step then first goes down where F curves up, and
 * only when that is done where it curves down, towards the pose in which the drag began. So a drag
 * out of reach and back ends where it started. */

#define SWEEPS 30
#define FLAT 1.0e-9    /* curvature over the largest that counts as none */
#define RIDGE 0.03     /* over arm: nearer than this the side is chance */
#define FIRST 0.1      /* of that: the least step off the ridge */
#define SETTLED 1.0e-5 /* step uphill over arm, before it may go down the other way */

/* Turns rows and columns p and q of a symmetric A so that A[p, q] vanishes; V goes along. */
static void rotate (int n, double A[], double V[], int p, int q) {
  double apq = A[p + n * q];
  double theta = 0.5 * (A[q + n * q] - A[p + n * p]) / apq;
  double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs (theta) + hypot (1.0, theta));
  double c = 1.0 / hypot (1.0, t), s = t * c;

  for (int k = 0; k < n; k++) {
    double akp = A[k + n * p], akq = A[k + n * q];
    A[k + n * p] = c * akp - s * akq;
    A[k + n * q] = s * akp + c * akq;
  }
  for (int k = 0; k < n; k++) {
    double apk = A[p + n * k], aqk = A[q + n * k];
    A[p + n * k] = c * apk - s * aqk;
    A[q + n * k] = s * apk + c * aqk;
    double vkp = V[k + n * p], vkq = V[k + n * q];
    V[k + n * p] = c * vkp - s * vkq;
    V[k + n * q] = s * vkp + c * vkq;
  }
}

/* Diagonalizes A = V diag V^T by Jacobi's rotations; A's diagonal holds the eigenvalues afterwards. */
static void diagonalize (int n, double A[], double V[]) {
  memset (V, 0, (size_t)(n * n) * sizeof *V);
  for (int k = 0; k < n; k++)
    V[k + n * k] = 1.0;
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double off = 0.0, largest = 0.0;
    for (int q = 0; q < n; q++)
      for (int p = 0; p <= q; p++) {
        if (p < q)
          off = fmax (off, fabs (A[p + n * q]));
        largest = fmax (largest, fabs (A[p + n * q]));
      }
    if (off <= 1.0e-15 * largest)
      return;
    for (int q = 1; q < n; q++)
      for (int p = 0; p < q; p++)
        if (fabs (A[p + n * q]) > 1.0e-18 * largest)
          rotate (n, A, V, p, q);
  }
}

/* Adds a multiple of an eigenvector to the step of the free columns. */
static void add_along (HlMechanismDrag *drag, const double v[], double by) {
  for (int i = 0; i < drag->n_free; i++)
    drag->y[i] += by * v[i];
}

static double largest_column (HlMechanismDrag *drag, const double y[]) {
  double size = 0.0;

  hl_mat_vec (drag->n, drag->n_free, drag->X, y, drag->step);
  for (int column = 0; column < drag->n; column++)
    size = fmax (size, fabs (drag->step[column]));
  return size;
}

static double slope_along (const HlMechanismDrag *drag, const double v[], const double g[]) {
  double slope = 0.0;

  for (int i = 0; i < drag->n_free; i++)
    slope += v[i] * g[i];
  return slope;
}

/* Returns how far to go along a direction that curves down. Near the ridge the way is towards the start of
 * the drag, over the ridge if need be: which side of it the last step has ended on is chance. */
static double way_down (HlMechanismDrag *drag, const double v[], double curvature, const double g[],
                        const double pull[]) {
  double slope = slope_along (drag, v, g), wanted = -slope_along (drag, v, pull);
  double to_ridge = fabs (slope) / curvature, unit = largest_column (drag, v);
  double near = RIDGE * drag->island.length;

  if (to_ridge * unit > near || wanted == 0.0)
    return -slope / curvature;
  if (wanted * slope <= 0.0) /* it is on that side already */
    return copysign (fmax (to_ridge, FIRST * near / unit), wanted);
  return copysign (3.0 * to_ridge + FIRST * near / unit, wanted);
}

/* Returns the same beside a saddle, from drag->B, X and g. */
static double saddle_step (HlMechanismDrag *drag) {
  int n = drag->n, f = drag->n_free;
  double *A = drag->factor, *V = drag->eigen, *g = drag->slope, *pull = drag->slope + n;
  double largest = 0.0;

  hl_mat_tvec (n, f, drag->X, drag->g, g);
  hl_mat_tvec (n, f, drag->X, drag->pull, pull);
  memcpy (A, drag->B, (size_t)(f * f) * sizeof (double));
  diagonalize (f, A, V);
  for (int k = 0; k < f; k++)
    largest = fmax (largest, fabs (A[k + f * k]));
  memset (drag->y, 0, (size_t)f * sizeof (double));
  for (int k = 0; k < f; k++)
    if (A[k + f * k] > FLAT * largest)
      add_along (drag, &V[f * k], -slope_along (drag, &V[f * k], g) / A[k + f * k]);
  if (largest_column (drag, drag->y) > SETTLED * drag->island.length)
    return largest_column (drag, drag->y);
  for (int k = 0; k < f; k++)
    if (A[k + f * k] <= FLAT * largest)
      add_along (drag, &V[f * k], way_down (drag, &V[f * k], fmax (-A[k + f * k], FLAT * largest), g, pull));
  return largest_column (drag, drag->y);
}

#define DEAD 1.0e-2      /* of the pivot at the start: less is a dead point of the linkage */
#define UNSEEN 1.0e-10   /* of the typical arm, by which joints may be open at first */
#define LONGEST_STEP 0.1 /* of the typical arm, and in rad */
#define MOST_STEPS 400
/* Length of the steps beside a saddle, as a part of the typical arm. */
#define LEG 0.005
#define MOST_LEGS 200 /* a pointer that is farther continues in the next call */

static bool is_dragged (const HlMechanismDrag *drag, int body_i, int body_j) {
  return (body_i >= 0 && drag->local_of_body[body_i] >= 0) ||
         (body_j >= 0 && drag->local_of_body[body_j] >= 0);
}

void hl_mechanism_drag_moved_bodies (const HlMechanismDragModel *model, int grabbed, bool moved[]) {
  HlArena scratch = {0};
  int *group = hl_arena_take (&scratch, model->n_bodies, sizeof *group);

  hl_groups_start (model->n_bodies, group);
  for (int k = 0; k < model->n_rows; k++)
    hl_groups_join (group, model->rows[k].body_i, model->rows[k].body_j);
  for (int k = 0; k < model->n_limits; k++)
    hl_groups_join (group, model->limits[k].body_i, model->limits[k].body_j);
  for (int body = 0; body < model->n_bodies; body++)
    moved[body] = hl_groups_root (group, body) == hl_groups_root (group, grabbed);
  hl_arena_clear (&scratch);
}

static void collect_bodies (HlMechanismDrag *drag, const HlMechanismDragModel *model, int grabbed) {
  bool *moved = calloc ((size_t)model->n_bodies + 1, sizeof *moved);

  hl_mechanism_drag_moved_bodies (model, grabbed, moved);
  for (int body = 0; body < model->n_bodies; body++) {
    drag->local_of_body[body] = -1;
    if (!moved[body])
      continue;
    drag->local_of_body[body] = drag->island.n_bodies;
    drag->island_bodies[drag->island.n_bodies++] = body;
  }
  free (moved);
}

/* Collects the rows of the joints first; their number is what has to be assembled. */
static void collect_rows (HlMechanismDrag *drag, const HlMechanismDragModel *model) {
  double longest = 0.0;

  for (int k = 0; k < model->n_rows; k++) {
    const HlRow *row = &model->rows[k];
    drag->rows[k] = *row;
    if (!hl_row_is_holonomic (row) || !is_dragged (drag, row->body_i, row->body_j))
      continue;
    drag->island_rows[drag->island.n_rows++] = k;
    longest = fmax (longest, fmax (row->body_i >= 0 ? hypot (row->u_i[0], row->u_i[1]) : 0.0,
                                   row->body_j >= 0 ? hypot (row->u_j[0], row->u_j[1]) : 0.0));
  }
  longest = fmax (longest, hypot (drag->u[0], drag->u[1]));
  drag->n_joint_rows = drag->island.n_rows;
  drag->island.n_holonomic = drag->island.n_rows;
  for (int k = 0; k < model->n_limits; k++) {
    const HlMechanismDragLimit *limit = &model->limits[k];
    HlRow *row = &drag->rows[model->n_rows + k];
    drag->limits[k] = *limit;
    drag->limit_row[k] = -1;
    *row = (HlRow){.kind = HL_ROW_LENGTH, .body_i = limit->body_i, .body_j = limit->body_j, .joint = -1};
    memcpy (row->u_i, limit->u_i, sizeof row->u_i);
    memcpy (row->u_j, limit->u_j, sizeof row->u_j);
    if (!is_dragged (drag, limit->body_i, limit->body_j))
      continue;
    drag->limit_row[k] = drag->island.n_rows;
    drag->island_rows[drag->island.n_rows++] = model->n_rows + k;
    longest = fmax (longest, fmax (limit->body_i >= 0 ? hypot (limit->u_i[0], limit->u_i[1]) : 0.0,
                                   limit->body_j >= 0 ? hypot (limit->u_j[0], limit->u_j[1]) : 0.0));
  }
  drag->island.length = longest > 0.0 ? longest : 1.0;
}

static void share_out (HlMechanismDrag *drag) {
  HlArena *arena = &drag->arena;
  int n = drag->n, r = drag->island.n_rows;
  double **squares[] = {&drag->X, &drag->HX, &drag->B, &drag->factor, &drag->eigen};
  double **vectors[] = {&drag->g, &drag->y, &drag->pull, &drag->step, &drag->diagonal};

  hl_elimination_take (&drag->lu, arena, r, n);
  for (size_t k = 0; k < sizeof squares / sizeof squares[0]; k++)
    *squares[k] = hl_arena_take (arena, n * n, sizeof (double));
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = hl_arena_take (arena, n, sizeof (double));
  drag->slope = hl_arena_take (arena, 2 * n, sizeof (double));
  drag->lambda = hl_arena_take (arena, r, sizeof (double));
  drag->c = hl_arena_take (arena, r, sizeof (double));
  drag->active = hl_arena_take (arena, r, sizeof (int));
}

static int n_limits_reached (const HlMechanismDrag *drag) {
  int n = 0;

  for (int k = 0; k < drag->n_limits; k++)
    n += drag->side[k] != 0;
  return n;
}

/* --- dead points of the linkage itself --- */

/* Notes whether the pose is regular. With all links in line a constraint is lost and other branches begin; no
 * step leads away from there. A regular pose is kept; only the rows of the joints count. */
static void note_regular (HlMechanismDrag *drag, const double target[2]) {
  if (n_limits_reached (drag) > 0 && drag->pivot_start < 0.0)
    return;
  /* the largest pivots measure the distance, independent of the size of the linkage */
  if (linearize (drag, target, HL_PIVOT_LARGEST) != HL_OK)
    return;
  if (drag->pivot_start < 0.0) {
    drag->pivot_start = drag->pivot;
    drag->rank_start = drag->rank;
  }
  drag->is_regular = drag->rank >= drag->rank_start && drag->pivot >= DEAD * drag->pivot_start;
  if (!drag->is_regular)
    return;
  memcpy (drag->x_regular, drag->x, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  memcpy (drag->side_regular, drag->side, (size_t)drag->n_limits * sizeof (int));
}

/* Returns to the last place before a dead point, where the next motion begins. */
static void leave_dead_point (HlMechanismDrag *drag) {
  if (drag->is_regular)
    return;
  memcpy (drag->x, drag->x_regular, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
  memcpy (drag->side, drag->side_regular, (size_t)drag->n_limits * sizeof (int));
}

/* Returns whether all joints are closed at the poses in the frames within visible accuracy; the first step
 * closes them to rounding. For a large linkage this suffices: the least correction, by singular values, would
 * take longer than the drag itself. */
static bool stands_closed (const HlMechanismDrag *drag) {
  for (int row = 0; row < drag->n_joint_rows; row++)
    if (!(fabs (row_value (drag, row)) * row_scale (drag, row) <= UNSEEN * drag->island.length))
      return false;
  return drag->n > HL_DRAG_MANY_COLUMNS;
}

HlMechanismDrag *hl_mechanism_drag_new (const HlMechanismDragModel *model, double x[], int body,
                                        const double u[2], HlStatus *status) {
  HlMechanismDrag *drag = calloc (1, sizeof *drag);
  HlArena *arena = &drag->arena;
  int n_bodies = model->n_bodies, n_all = model->n_rows + model->n_limits;
  HlAssembly assembly;

  assert (body >= 0 && body < model->n_bodies);
  drag->body = body;
  memcpy (drag->u, u, sizeof drag->u);
  drag->n_limits = model->n_limits;
  drag->rows = hl_arena_take (arena, n_all, sizeof *drag->rows);
  drag->limits = hl_arena_take (arena, model->n_limits, sizeof *drag->limits);
  drag->limit_row = hl_arena_take (arena, model->n_limits, sizeof (int));
  drag->side = hl_arena_take (arena, model->n_limits, sizeof (int));
  drag->island_bodies = hl_arena_take (arena, n_bodies, sizeof (int));
  drag->local_of_body = hl_arena_take (arena, n_bodies, sizeof (int));
  drag->island_rows = hl_arena_take (arena, n_all, sizeof (int));
  drag->frames = hl_arena_take (arena, n_bodies + 1, sizeof *drag->frames);
  drag->x = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->x_start = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->x_try = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->x_before = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->side_before = hl_arena_take (arena, model->n_limits, sizeof (int));
  drag->x_regular = hl_arena_take (arena, 3 * n_bodies, sizeof (double));
  drag->side_regular = hl_arena_take (arena, model->n_limits, sizeof (int));
  collect_bodies (drag, model, body);
  collect_rows (drag, model);
  drag->n = 3 * drag->island.n_bodies;
  drag->epsilon = drag_pull (drag->island.n_bodies);
  drag->island.bodies = drag->island_bodies;
  drag->island.rows = drag->island_rows;
  drag->mech = (HlMechanism){.n_bodies = model->n_bodies,
                             .n_rows = n_all,
                             .rows = drag->rows,
                             .n_islands = 1,
                             .islands = &drag->island,
                             .local_of_body = drag->local_of_body};
  share_out (drag);

  HlStatus result = HL_OK;
  hl_mechanism_set_poses (&drag->mech, x, drag->frames);
  if (!stands_closed (drag)) {
    bool *fixed = calloc ((size_t)drag->n + 1, sizeof *fixed);
    result = hl_island_assemble (&drag->mech, &drag->island, fixed, x, drag->frames, &assembly);
    free (fixed);
  }
  if (status != NULL)
    *status = result;
  if (result != HL_OK) {
    hl_mechanism_drag_free (drag);
    return NULL;
  }
  memcpy (drag->x, x, 3 * (size_t)n_bodies * sizeof (double));
  memcpy (drag->x_start, x, 3 * (size_t)n_bodies * sizeof (double));
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  hl_frame_point (hl_frame_of (drag->frames, body), u, drag->pointer, NULL);
  for (int k = 0; k < drag->n_limits; k++)
    if (drag->limit_row[k] >= 0) {
      double length = row_value (drag, drag->limit_row[k]); /* its constant is 0 */
      drag->limits[k].shortest = fmin (drag->limits[k].shortest, length);
      drag->limits[k].longest = fmax (drag->limits[k].longest, length);
    }
  drag->pivot_start = -1.0;
  drag->is_regular = true;
  note_regular (drag, drag->pointer);
  return drag;
}

void hl_mechanism_drag_set_cancel (HlMechanismDrag *drag, bool (*cancel) (void *data), void *data) {
  drag->cancel = cancel;
  drag->cancel_data = data;
}

void hl_mechanism_drag_free (HlMechanismDrag *drag) {
  if (drag == NULL)
    return;
  hl_arena_clear (&drag->arena);
  free (drag);
}

bool hl_mechanism_drag_holds (const HlMechanismDrag *drag, int body) {
  return drag->local_of_body[body] >= 0;
}

int hl_mechanism_drag_limit_side (const HlMechanismDrag *drag, int index) {
  return drag->side[index];
}
/* Returns the limit that x_try oversteps most, and the share of the way to it; -1 = none. */
static int overstepped (HlMechanismDrag *drag, double *share, int *side) {
  int worst = -1;

  *share = 1.0;
  for (int k = 0; k < drag->n_limits; k++) {
    if (drag->limit_row[k] < 0 || drag->side[k] != 0)
      continue;
    const HlMechanismDragLimit *limit = &drag->limits[k];
    hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
    double before = row_value (drag, drag->limit_row[k]);
    hl_mechanism_set_poses (&drag->mech, drag->x_try, drag->frames);
    double after = row_value (drag, drag->limit_row[k]);
    double bound = after > limit->longest ? limit->longest : limit->shortest;
    if (after <= limit->longest && after >= limit->shortest)
      continue;
    double part = fmax (0.0, (bound - before) / (after - before));
    if (worst >= 0 && part >= *share)
      continue;
    worst = k;
    *share = part;
    *side = after > limit->longest ? 1 : -1;
  }
  return worst;
}

/* Lets go the limit whose multiplier pulls instead of pushing; false when all hold. */
static bool release_limit (HlMechanismDrag *drag) {
  int worst = -1;
  double most = 1.0e-14 * drag->island.length;

  for (int k = 0; k < drag->n_limits; k++) {
    if (drag->side[k] == 0)
      continue;
    for (int row = drag->n_joint_rows; row < drag->n_active; row++)
      if (drag->active[row] == drag->limit_row[k] && -drag->side[k] * drag->lambda[row] > most) {
        most = -drag->side[k] * drag->lambda[row];
        worst = k;
      }
  }
  if (worst >= 0)
    drag->side[worst] = 0;
  return worst >= 0;
}

/* Takes the step as far as F falls and the limits allow; false when it leads nowhere. */
static bool try_step (HlMechanismDrag *drag, const double target[2], double size, double f_now) {
  double share = fmin (1.0, LONGEST_STEP * drag->island.length / size);
  bool is_small = size < 1.0e-6 * drag->island.length; /* F has the same value at such poses */

  for (int attempt = 0; attempt < 40; attempt++, share *= 0.5) {
    double part;
    int side;
    if (!move_coordinates (drag, share))
      continue;
    int limit = overstepped (drag, &part, &side);
    if (limit >= 0) {
      if (!(part > 1.0e-12)) {
        drag->side[limit] = side;
        return true;
      }
      /* on the limit itself, as far as a straight path can be followed there; the row in force does the rest */
      for (int k = 0; k < 8 && limit >= 0 && part < 1.0; k++) {
        share *= part;
        if (!move_coordinates (drag, share))
          return false;
        int again = overstepped (drag, &part, &side);
        if (again < 0)
          break;
        limit = again;
      }
      if (objective (drag, drag->x_try, target) > f_now * (1.0 + 1e-12))
        continue;
      memcpy (drag->x, drag->x_try, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
      drag->side[limit] = side;
      return true;
    }
    if (is_small || objective (drag, drag->x_try, target) <= f_now) {
      memcpy (drag->x, drag->x_try, 3 * (size_t)drag->mech.n_bodies * sizeof (double));
      return true;
    }
  }
  return false;
}
/* Moves to a target in one step. *saddle: F had negative curvature on the way. */
static HlStatus go_to (HlMechanismDrag *drag, const double target[2], bool *saddle) {
  HlStatus status = HL_NO_CONVERGENCE;
  double last_size = INFINITY, length = drag->island.length;
  int releases = 2 * drag->n_limits + 4;

  for (int step = 0; step < MOST_STEPS && status == HL_NO_CONVERGENCE; step++) {
    if (drag->cancel != NULL && drag->cancel (drag->cancel_data))
      return HL_CANCELLED;
    HlStatus found =
        linearize (drag, target, drag->n > HL_DRAG_MANY_COLUMNS ? HL_PIVOT_THRIFTY : HL_PIVOT_LARGEST);
    if (found != HL_OK) {
      status = found;
      break;
    }
    double size = drag->n_free > 0 ? newton_step (drag) : 0.0;
    *saddle = *saddle || drag->is_saddle;
    bool done = size <= 1.0e-14 * length || (size < 1.0e-9 * length && size > 0.25 * last_size);
    if (!done) {
      int reached = n_limits_reached (drag);
      done = !try_step (drag, target, size, objective (drag, drag->x, target));
      last_size = n_limits_reached (drag) == reached ? size : INFINITY;
    }
    if (!done)
      continue;
    if (releases-- > 0 && release_limit (drag))
      last_size = INFINITY;
    else
      status = HL_OK;
  }
  return status;
}

/* Moves beside a saddle in small steps: in each the pose converges before the next, so it leaves the saddle
 * on the side from which it came. */
static HlStatus walk_to (HlMechanismDrag *drag, const double from[2], const double target[2]) {
  double far = hypot (target[0] - from[0], target[1] - from[1]);
  int n_legs = 1 + (int)fmin (MOST_LEGS, far / (LEG * drag->island.length));
  HlStatus status = HL_OK;
  bool saddle = false;

  for (int leg = 1; leg <= n_legs && (status == HL_OK || status == HL_NO_CONVERGENCE); leg++) {
    double share = (double)leg / n_legs;
    double here[2] = {from[0] + share * (target[0] - from[0]), from[1] + share * (target[1] - from[1])};
    status = go_to (drag, here, &saddle);
  }
  return status;
}

HlStatus hl_mechanism_drag_to (HlMechanismDrag *drag, const double target[2], double x[]) {
  size_t size = 3 * (size_t)drag->mech.n_bodies * sizeof (double);
  bool saddle = false;

  leave_dead_point (drag);
  memcpy (drag->x_before, drag->x, size);
  memcpy (drag->side_before, drag->side, (size_t)drag->n_limits * sizeof (int));
  HlStatus status = go_to (drag, target, &saddle);
  if (saddle) {
    memcpy (drag->x, drag->x_before, size);
    memcpy (drag->side, drag->side_before, (size_t)drag->n_limits * sizeof (int));
    status = walk_to (drag, drag->pointer, target);
  }
  memcpy (drag->pointer, target, sizeof drag->pointer);
  note_regular (drag, target);
  for (int k = 0; k < drag->n; k++)
    *coordinate (drag, x, k) = *coordinate (drag, drag->x, k);
  hl_mechanism_set_poses (&drag->mech, drag->x, drag->frames);
  return status;
}
