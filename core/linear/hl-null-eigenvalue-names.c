/* SPDX-License-Identifier: MIT */
/* Names of null eigenvalues. Every vector of a Jordan chain is expanded to the motion of the whole
 * machine and named by it: a null vector that changes pressures is trapped oil; a linkage without a
 * joint to the ground that turns as a whole has a heading, that bends has an articulation, that is
 * shifted has a position, along or across its velocity; a linkage on the ground just has a
 * position; the same without a change of place is a speed. */
#include "core/linear/hl-linearize.h"

#include "core/base/hl-arena.h"
#include "core/base/hl-translation-macros.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chains from nested null spaces (theory/spectra.md)
 *
 *   N_j = {x: A x in N_(j-1)},   N_0 = {0}
 *
 * whose dimensions follow from the block sizes. The generators of the blocks of size s are what N_s
 * has beyond N_(s-1) and A N_(s+1). */

typedef struct {
  HlArena arena; /* holds every array */
  int n, longest;
  const double *a;                    /* n x n; borrowed */
  int *dim;                           /* of N_0 ... N_longest */
  double **nul;                       /* longest + 1 of n x dim[j]: their orthonormal bases */
  double *m, *u, *v, *sigma, *column; /* scratch: n x 2 n; n x n, twice; n; 2 n */
  HlLinalgWork *lw;
} Chains;

static void times (const Chains *c, const double x[], double y[]) {
  memset (y, 0, (size_t)c->n * sizeof (double));
  for (int col = 0; col < c->n; col++)
    for (int row = 0; row < c->n; row++)
      y[row] += c->a[col * c->n + row] * x[col];
}

/* Subtracts from x its part in the span of the orthonormal columns of q. */
static void project_out (int n, int count, const double q[], double x[]) {
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < count; k++) {
      double along = 0.0;
      for (int row = 0; row < n; row++)
        along += q[k * n + row] * x[row];
      for (int row = 0; row < n; row++)
        x[row] -= along * q[k * n + row];
    }
}

/* Scales the rows of A to one size: R A. A x lies in N when R A x lies in R N. */
static void scale_rows (const Chains *c, double columns[], int count) {
  for (int row = 0; row < c->n; row++) {
    double largest = 0.0;
    for (int col = 0; col < c->n; col++)
      largest = fmax (largest, fabs (c->a[col * c->n + row]));
    for (int col = 0; col < count && largest > 0.0; col++)
      columns[col * c->n + row] /= largest;
  }
}

/* Computes N_j: the right singular vectors of (R A less its part in R N_(j-1)) that belong to the smallest
 * singular values. */
static HlStatus null_space (Chains *c, int j) {
  int n = c->n, below = c->dim[j - 1];
  double *q = c->u;

  memcpy (q, c->nul[j - 1], (size_t)(n * below) * sizeof (double));
  scale_rows (c, q, below);
  for (int k = 0; k < below; k++) {
    double size = 0.0;
    project_out (n, k, q, q + k * n);
    for (int row = 0; row < n; row++)
      size += q[k * n + row] * q[k * n + row];
    for (int row = 0; row < n && size > 0.0; row++)
      q[k * n + row] /= sqrt (size);
  }
  memcpy (c->m, c->a, (size_t)(n * n) * sizeof (double));
  scale_rows (c, c->m, n);
  for (int col = 0; col < n; col++)
    project_out (n, below, q, c->m + col * n);
  HlStatus status = hl_right_singular (n, n, c->m, c->sigma, c->v, c->lw);
  memcpy (c->nul[j], c->v + (n - c->dim[j]) * n, (size_t)(n * c->dim[j]) * sizeof (double));
  return status;
}

/* Computes the `rank` strongest directions among count columns of c->m, orthonormal, into out. */
static HlStatus strongest_chain (Chains *c, int count, int rank, double out[]) {
  for (int col = 0; col < count; col++) {
    double size = 0.0;
    for (int row = 0; row < c->n; row++)
      size = fmax (size, fabs (c->m[col * c->n + row]));
    for (int row = 0; row < c->n && size > 1.0e-9; row++)
      c->m[col * c->n + row] /= size;
  }
  HlStatus status = hl_svd (c->n, count, c->m, c->sigma, c->u, c->v, c->lw);
  memcpy (out, c->u, (size_t)(c->n * rank) * sizeof (double));
  return status;
}

/* Reduces the columns of basis (n x count) so that each has its own pivot row with 0 in the others.
 */
static void echelon_columns (int n, int count, double basis[]) {
  for (int col = 0; col < count; col++) {
    int pivot_row = -1, pivot_col = col;
    double best = 0.0;
    for (int c = col; c < count; c++)
      for (int row = 0; row < n; row++)
        if (fabs (basis[c * n + row]) > best) {
          best = fabs (basis[c * n + row]);
          pivot_row = row;
          pivot_col = c;
        }
    if (pivot_row < 0)
      return;
    for (int row = 0; row < n; row++) {
      double swap = basis[col * n + row];
      basis[col * n + row] = basis[pivot_col * n + row];
      basis[pivot_col * n + row] = swap;
    }
    double pivot = basis[col * n + pivot_row];
    for (int row = 0; row < n; row++)
      basis[col * n + row] /= pivot;
    for (int c = 0; c < count; c++) {
      double share = c == col ? 0.0 : basis[c * n + pivot_row];
      for (int row = 0; row < n && share != 0.0; row++)
        basis[c * n + row] -= share * basis[col * n + row];
    }
  }
}

/* Generators of the `count` blocks of size s: N_s beyond N_(s-1) and A N_(s+1), which together have
 * `shorter` dimensions. */
static HlStatus generators (Chains *c, int s, int count, double out[]) {
  int n = c->n, columns = 0, shorter = c->dim[s] - count;
  double *span = calloc ((size_t)(n * (shorter + 1)), sizeof *span);
  HlStatus status = HL_OK;

  memcpy (c->m, c->nul[s - 1], (size_t)(n * c->dim[s - 1]) * sizeof (double));
  columns = c->dim[s - 1];
  if (s < c->longest)
    for (int k = 0; k < c->dim[s + 1] && columns < n; k++) {
      times (c, c->nul[s + 1] + k * n, c->m + columns * n);
      project_out (n, c->dim[s - 1], c->nul[s - 1], c->m + columns * n);
      columns++;
    }
  if (columns > 0)
    status = strongest_chain (c, columns, shorter, span);
  for (int k = 0; k < c->dim[s]; k++) {
    memcpy (c->m + k * n, c->nul[s] + k * n, (size_t)n * sizeof (double));
    project_out (n, shorter, span, c->m + k * n);
  }
  if (status == HL_OK)
    status = hl_svd (n, c->dim[s], c->m, c->sigma, c->u, c->v, c->lw);
  memcpy (out, c->u, (size_t)(n * count) * sizeof (double));
  echelon_columns (n, count, out);
  free (span);
  return status;
}

/* Writes a chain from the generator down, each vector without its parts in the null spaces below its own. */
static void write_chain (Chains *c, int s, const double generator[], double out[]) {
  int n = c->n;
  double *x = c->column, *y = c->column + n;

  memcpy (x, generator, (size_t)n * sizeof (double));
  for (int j = s; j >= 1; j--) {
    double *to = out + (j - 1) * n;
    memcpy (to, x, (size_t)n * sizeof (double));
    project_out (n, c->dim[j - 1], c->nul[j - 1], to);
    times (c, to, y);
    memcpy (x, y, (size_t)n * sizeof (double));
  }
}

static void chains_init (Chains *c, int n, const double a[], int n_blocks, const int sizes[]) {
  HlArena *arena = &c->arena;
  int square = n * n;

  *c = (Chains){.n = n, .longest = sizes[0], .a = a};
  c->dim = hl_arena_take (arena, c->longest + 1, sizeof (int));
  c->nul = hl_arena_take (arena, c->longest + 1, sizeof (double *));
  for (int j = 0; j <= c->longest; j++) {
    for (int b = 0; b < n_blocks; b++)
      c->dim[j] += sizes[b] < j ? sizes[b] : j;
    c->nul[j] = hl_arena_take (arena, n * c->dim[j], sizeof (double));
  }
  c->m = hl_arena_take (arena, 2 * square, sizeof (double));
  c->u = hl_arena_take (arena, square, sizeof (double));
  c->v = hl_arena_take (arena, square, sizeof (double));
  c->sigma = hl_arena_take (arena, n, sizeof (double));
  c->column = hl_arena_take (arena, 2 * n, sizeof (double));
  c->lw = hl_linalg_work_new (n, n);
}

static void chains_clear (Chains *c) {
  hl_arena_clear (&c->arena);
  hl_linalg_work_free (c->lw);
}

HlStatus hl_null_chains (int n, const double a[], int n_blocks, const int sizes[], double chains[]) {
  Chains c;
  HlStatus status = HL_OK;

  if (n_blocks == 0)
    return HL_OK;
  chains_init (&c, n, a, n_blocks, sizes);
  for (int j = 1; j <= c.longest && status == HL_OK; j++)
    status = null_space (&c, j);
  double *top = calloc ((size_t)(n * n_blocks) + 1, sizeof *top);
  for (int b = 0, done = 0; b < n_blocks && status == HL_OK;) {
    int s = sizes[b], count = 0;
    while (b + count < n_blocks && sizes[b + count] == s)
      count++;
    status = generators (&c, s, count, top);
    for (int k = 0; k < count; k++, done += s)
      write_chain (&c, s, top + k * n, chains + done * n);
    b += count;
  }
  free (top);
  chains_clear (&c);
  return status;
}

/* Parts of a vector below this part of its largest are rounding. */
#define NEGLIGIBLE 1.0e-6
/* Cosine of the angle between shift and velocity that counts as along or across. */
#define ALIGNED 1.0e-3

typedef struct {
  const HlSystem *sys; /* NULL = unknown */
  HlWork *work;
  double *dy; /* scratch, n_states */
} Expansion;

static bool ends_with (const char *text, const char *tail) {
  size_t n = strlen (text), m = strlen (tail);
  return n >= m && strcmp (text + n - m, tail) == 0;
}

/* Returns a description of a vector's motion by the names of the states, without the machine. */
static const char *name_by_states (const HlLinearization *lin, const double v[]) {
  double largest = 0.0;
  bool pressure = false, angle = false, place = false;

  for (int k = 0; k < lin->n; k++)
    largest = fmax (largest, fabs (v[k]));
  for (int k = 0; k < lin->n; k++) {
    if (fabs (v[k]) <= NEGLIGIBLE * largest)
      continue;
    pressure = pressure || ends_with (lin->state_names[k], ".pressure");
    angle = angle || ends_with (lin->state_names[k], ".angle");
    place = place || ends_with (lin->state_names[k], ".x") || ends_with (lin->state_names[k], ".y");
  }
  return pressure ? _ ("trapped oil")
         : angle  ? _ ("heading angle")
         : place  ? _ ("position")
                  : _ ("free state");
}

static bool is_grounded (const HlMechanism *mech, const HlIsland *island) {
  for (int k = 0; k < island->n_holonomic; k++) {
    const HlRow *row = &mech->rows[island->rows[k]];
    if (row->body_i < 0 || row->body_j < 0)
      return true;
  }
  return false;
}

/* Returns whether a shift goes along the velocity of the body (1), across it (-1), or neither. */
static int direction (const double shift[2], const HlFrame *frame) {
  double speed = hypot (frame->v[0], frame->v[1]), size = hypot (shift[0], shift[1]);
  double along = fabs (shift[0] * frame->v[0] + shift[1] * frame->v[1]);

  if (!(speed > 0.0) || !(size > 0.0))
    return 0;
  return along <= ALIGNED * size * speed ? -1 : along >= (1.0 - ALIGNED) * size * speed ? 1 : 0;
}

/* Returns the name of a motion d (places with rate = false, else velocities) of one island. */
static const char *name_motion (const HlSystem *sys, const HlWork *work, const HlIsland *island,
                                const double d[], bool rate) {
  double turn = 0.0, bend = 0.0, shift = 0.0;
  const double *first = d + 3 * island->bodies[0];

  for (int k = 0; k < island->n_bodies; k++) {
    const double *body = d + 3 * island->bodies[k];
    turn = fmax (turn, fabs (body[2]));
    bend = fmax (bend, fabs (body[2] - first[2]));
    shift = fmax (shift, hypot (body[0], body[1]));
  }
  double size = fmax (turn, shift);
  if (is_grounded (&sys->mech, island))
    return rate                                                ? _ ("speed")
           : island->n_bodies == 1 && turn > NEGLIGIBLE * size ? _ ("angle")
                                                               : _ ("position");
  if (bend > NEGLIGIBLE * size)
    return rate ? _ ("speed of articulation") : _ ("held articulation");
  if (turn > NEGLIGIBLE * size)
    return rate ? _ ("speed of turning") : _ ("heading angle");
  switch (direction (first, &work->frames[island->bodies[0] + 1])) {
  case 1:
    return rate ? _ ("forward speed") : _ ("forward position");
  case -1:
    return rate ? _ ("lateral speed") : _ ("lateral position");
  default:
    return rate ? _ ("speed") : _ ("position");
  }
}

/* Returns the island that d moves most; NULL when it moves none by more than `least`. */
static const HlIsland *moved_island (const HlMechanism *mech, const double d[], double least) {
  const HlIsland *moved = NULL;

  for (int k = 0; k < 3 * mech->n_bodies; k++)
    if (fabs (d[k]) > least) {
      least = fabs (d[k]);
      moved = &mech->islands[mech->island_of_body[k / 3]];
    }
  return moved;
}

static double largest_of (const double list[], int n) {
  double largest = 0.0;

  for (int k = 0; k < n; k++)
    largest = fmax (largest, fabs (list[k]));
  return largest;
}

/* Position in the list of chain vectors, its level in its chain (1 = null vector), and the length
 * of that chain. */
typedef struct {
  int level, length;
} Place;

/* Computes the motion of the whole machine for a chain vector v in scaled states: dx, scaled dp, then dv. */
static void expand_chain_vector (const HlLinearization *lin, Expansion *e, const double v[],
                                 double motion[]) {
  int n = e->work->n, first_p = hl_off_p (e->work);

  for (int k = 0; k < lin->n; k++)
    e->dy[k] = v[k] * lin->scale[k];
  hl_tangent_expand (e->sys, e->work, e->dy, motion, motion + n + e->work->r);
  memcpy (motion + n, v + first_p, (size_t)e->work->r * sizeof (double));
}

/* Cleans a chain vector, which is defined modulo those of lower level and those of its level in longer
 * chains. Subtracts the combination that minimizes the changes of position and pressure: a vector that moves
 * without a change of position is a speed. */
static void clean (Expansion *e, const Place places[], const double motions[], int count, int which,
                   double out[]) {
  int still = e->work->n + e->work->r, width = still + e->work->n, n_free = 0;
  int side = still > count ? still : count;
  HlArena scratch = {0};
  double *a = hl_arena_take (&scratch, side * (count + 1), sizeof *a);
  double *b = hl_arena_take (&scratch, side, sizeof *b);
  int *free_vectors = hl_arena_take (&scratch, count, sizeof *free_vectors);

  memcpy (out, motions + which * width, (size_t)width * sizeof (double));
  for (int k = 0; k < count; k++)
    if (places[k].level < places[which].level ||
        (places[k].level == places[which].level && places[k].length > places[which].length)) {
      memcpy (a + n_free * still, motions + k * width, (size_t)still * sizeof (double));
      free_vectors[n_free++] = k;
    }
  memcpy (b, out, (size_t)still * sizeof (double));
  HlLinalgWork *lw = hl_linalg_work_new (side, n_free + 1);
  if (n_free > 0 && hl_least_squares (still, n_free, a, 1, b, HL_RANK_TOLERANCE, NULL, lw) == HL_OK)
    for (int k = 0; k < n_free; k++)
      for (int row = 0; row < width; row++)
        out[row] -= b[k] * motions[free_vectors[k] * width + row];
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
}

/* Returns the name of one cleaned motion. */
static const char *name_vector (const Expansion *e, const double motion[], double size, bool is_null_vector) {
  const double *dx = motion, *dp = dx + e->work->n, *dv = dp + e->work->r;
  double least = NEGLIGIBLE * size;
  const HlMechanism *mech = &e->sys->mech;

  if (is_null_vector && largest_of (dp, e->work->r) > least)
    return _ ("trapped oil");
  const HlIsland *island = moved_island (mech, dx, least);
  if (island != NULL)
    return name_motion (e->sys, e->work, island, dx, false);
  if ((island = moved_island (mech, dv, least)) != NULL)
    return name_motion (e->sys, e->work, island, dv, true);
  return largest_of (dp, e->work->r) > least ? _ ("trapped oil") : _ ("free state");
}

static void append_name (char *text, const char *name) {
  static const char arrow[] = " → ";
  size_t n = strlen (text), m = strlen (name);

  if (n >= m && strcmp (text + n - m, name) == 0)
    return; /* the same again */
  if (n > 0)
    strcat (text, arrow);
  strcat (text, name);
}

/* Names every chain from its head down to its null vector. */
static void name_chains (HlLinearization *lin, Expansion *e, const double chains[]) {
  int count = lin->n_null;
  HlArena scratch = {0};
  Place *places = hl_arena_take (&scratch, count, sizeof *places);
  int width = e->sys != NULL ? 2 * e->work->n + e->work->r : 0, at = 0;
  double *motions = hl_arena_take (&scratch, (count + 1) * width, sizeof *motions);
  double *cleaned = motions + count * width;

  for (int b = 0, k = 0; b < lin->n_null_blocks; b++)
    for (int level = 1; level <= lin->null_blocks[b]; level++, k++) {
      places[k] = (Place){level, lin->null_blocks[b]};
      if (e->sys != NULL)
        expand_chain_vector (lin, e, chains + k * lin->n, motions + k * width);
    }
  for (int b = 0; b < lin->n_null_blocks; at += lin->null_blocks[b], b++) {
    lin->null_names[b] = calloc ((size_t)lin->null_blocks[b] * 64 + 1, 1);
    for (int k = at + lin->null_blocks[b] - 1; k >= at; k--) {
      if (e->sys == NULL) {
        append_name (lin->null_names[b], name_by_states (lin, chains + k * lin->n));
        continue;
      }
      clean (e, places, motions, count, k, cleaned);
      append_name (lin->null_names[b],
                   name_vector (e, cleaned, largest_of (motions + k * width, width), k == at));
    }
  }
  hl_arena_clear (&scratch);
}

void hl_linearization_name_nulls (HlLinearization *lin, const HlSystem *sys, HlWork *work) {
  size_t n = (size_t)lin->n;
  Expansion e = {.sys = sys, .work = work};

  lin->null_names = hl_arena_take (&lin->arena, lin->n_null_blocks + 1, sizeof (char *));
  if (lin->n_null_blocks == 0)
    return;
  double *a = calloc (2 * n * n + n + 1, sizeof *a), *chains = a + n * n;
  e.dy = chains + n * n;
  for (size_t col = 0; col < n; col++)
    for (size_t row = 0; row < n; row++)
      a[col * n + row] = lin->J[col * n + row] * lin->scale[col] / lin->scale[row];
  if (hl_null_chains (lin->n, a, lin->n_null_blocks, lin->null_blocks, chains) == HL_OK)
    name_chains (lin, &e, chains);
  else
    for (int k = 0; k < lin->n_null_blocks; k++)
      lin->null_names[k] = strcpy (malloc (5), "null");
  free (a);
}
