/* SPDX-License-Identifier: MIT */
/* Branch tracking. A conjugate pair is one item of two slots, seen in the upper half-plane; a real
 * eigenvalue an item of one. An item is predicted by the straight line through its last two places.
 * Fast path: every item has one candidate much nearer than any other. Otherwise all slots are
 * assigned at least total cost, which counts distances in units of the distance that made the case
 * ambiguous, and the lack of overlap of vectors (theory/spectra.md (10)). */
#include "core/linear/hl-eigenvalue-branches.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-optimal-assignment.h"
#include "core/math/hl-eigen-analysis.h"

/* The nearest candidate must be nearer than this part of the distance of the next one. */
#define CLEAR_RATIO 0.25

/* Eigenvalues closer than this part of the largest modulus are the same: which is which cannot be
 * seen nor said. */
#define SAME_PART 1e-9

/* A pair this close to the real axis (as a part of the largest modulus) is taken as two equal real
 * ones: where real branches cross, rounding alone decides whether a pair is seen. */
#define FLAT_PART 1e-9

/* Weight of a missing overlap against a distance as large as the ambiguity, and the distance beyond
 * which farther is as bad. */
#define OVERLAP_WEIGHT 4.0
#define FAR 100.0

typedef struct {
  double re, im;   /* im >= 0 */
  int slot[2];     /* the second, of the conjugate, -1 for a real eigenvalue */
  double ahead_re; /* predicted */
  double ahead_im;
} Item;

struct HlBranches {
  HlArena arena;           /* of itself and its arrays */
  int n;                   /* slots */
  int length;              /* of a vector */
  HlBranchVectors vectors; /* or NULL */
  void *data;
  int n_points;                     /* taken in so far */
  double parameter, last_parameter; /* of the last point and the one before */
  double *re, *im;                  /* n by slot: last point          */
  double *last_re, *last_im;        /* n by slot: the one before      */
  double *flat_im;                  /* n: imaginary parts of the input, tiny ones cleared */
  int *index, *new_index;           /* n by slot: place in the caller's order */
  int *side;      /* n by slot: sign of the imaginary part, kept while a pair touches the real axis */
  Item *items;    /* n_items of the last point      */
  int n_items;    /* pairs count once */
  int *candidate; /* n: place in the caller's order given to an item; first of its pair */
  bool *taken;    /* n                              */
  double *cost;   /* n x n                          */
  int *column_of; /* n                              */
  void *scratch;  /* of the assignment, made at the first need */
  double complex *right[2], *left[2]; /* n x n: last and current point, made at the first need */
};

HlBranches *hl_branches_new (int n, HlBranchVectors vectors, void *data) {
  HlArena own = {0};
  HlBranches *self = hl_arena_take (&own, 1, sizeof *self);
  HlArena *arena = &self->arena;

  *arena = own;
  self->n = self->length = n;
  self->vectors = vectors;
  self->data = data;
  double **slots[] = {&self->re, &self->im, &self->last_re, &self->last_im, &self->flat_im};
  for (size_t k = 0; k < sizeof slots / sizeof slots[0]; k++)
    *slots[k] = hl_arena_take (arena, n, sizeof (double));
  int **lists[] = {&self->index, &self->new_index, &self->candidate, &self->column_of, &self->side};
  for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
    *lists[k] = hl_arena_take (arena, n, sizeof (int));
  self->items = hl_arena_take (arena, n, sizeof (Item));
  self->taken = hl_arena_take (arena, n, sizeof (bool));
  return self;
}

void hl_branches_free (HlBranches *self) {
  if (self == NULL)
    return;
  HlArena arena = self->arena;
  hl_arena_clear (&arena);
}

void hl_branches_set_length (HlBranches *self, int length) {
  self->length = length;
}

/* ---- items ---- */

/* Slots are paired by their indices in the caller's order: members of a pair stand side by side
 * there. */
static void make_items (HlBranches *self, double parameter) {
  double step = self->parameter - self->last_parameter;
  double ratio = self->n_points > 1 && step != 0.0 ? (parameter - self->parameter) / step : 0.0;

  self->n_items = 0;
  for (int slot = 0; slot < self->n; slot++) {
    Item *item = &self->items[self->n_items];
    int mate = -1;

    if (self->im[slot] < 0.0)
      continue;
    if (self->im[slot] > 0.0)
      for (int other = 0; other < self->n && mate < 0; other++)
        if (self->index[other] == self->index[slot] + 1)
          mate = other;
    *item = (Item){self->re[slot], self->im[slot], {slot, mate}, self->re[slot], self->im[slot]};
    item->ahead_re += ratio * (self->re[slot] - self->last_re[slot]);
    /* a pair keeps off the real axis in the forecast, and a real one on it */
    if (mate >= 0)
      item->ahead_im = fabs (item->im + ratio * (item->im - fabs (self->last_im[slot])));
    self->n_items++;
  }
}

static double distance (double re_a, double im_a, double re_b, double im_b) {
  double x = re_a - re_b, y = im_a - fabs (im_b);

  return sqrt (x * x + y * y);
}

/* Gives every item the candidate nearest to its forecast; false as soon as one is not clearly the
 * nearest. */
static bool match_plainly (HlBranches *self, const double re[], const double im[], double same) {
  for (int k = 0; k < self->n; k++)
    self->taken[k] = false;
  for (int i = 0; i < self->n_items; i++) {
    const Item *item = &self->items[i];
    double nearest = INFINITY;
    int best = -1;

    for (int k = 0; k < self->n; k++) {
      double d = distance (item->ahead_re, item->ahead_im, re[k], im[k]);

      if (im[k] >= 0.0 && !self->taken[k] && d < nearest) {
        nearest = d;
        best = k;
      }
    }
    if (best < 0 || (im[best] > 0.0) != (item->slot[1] >= 0))
      return false;
    for (int k = 0; k < self->n; k++)
      if (im[k] >= 0.0 && distance (re[best], im[best], re[k], im[k]) > same &&
          nearest > CLEAR_RATIO * distance (item->ahead_re, item->ahead_im, re[k], im[k]))
        return false;
    self->taken[best] = true;
    self->candidate[i] = best;
  }
  for (int i = 0; i < self->n_items; i++) {
    const Item *item = &self->items[i];

    self->new_index[item->slot[0]] = self->candidate[i];
    if (item->slot[1] >= 0)
      self->new_index[item->slot[1]] = self->candidate[i] + 1;
  }
  return true;
}

/* ---- ambiguous points ---- */

static bool load_vectors (HlBranches *self) {
  size_t column = (size_t)self->length * sizeof (double complex);

  if (self->vectors == NULL)
    return false;
  for (int which = 0; which < 2; which++) {
    if (self->right[which] == NULL) {
      self->right[which] = hl_arena_take (&self->arena, self->n, column);
      self->left[which] = hl_arena_take (&self->arena, self->n, column);
    }
    int point = self->n_points - 1 + which;
    if (self->vectors (point, self->right[which], self->left[which], self->data) != HL_OK)
      return false;
  }
  return true;
}

static double complex dot (int n, const double complex a[], const double complex b[]) {
  double complex sum = 0.0;

  for (int i = 0; i < n; i++)
    sum += conj (a[i]) * b[i];
  return sum;
}

/* Returns the overlap of two vectors, theory/spectra.md (10):
 *   |w_a^H v_b| |w_b^H v_a| / (|w_a^H v_a| |w_b^H v_b|)
 * 1 for the same mode, 0 for another, whatever the scale of the vectors; without meaning, and taken
 * as 1, near a defective eigenvalue. */
static double overlap (const HlBranches *self, int a, int b) {
  int n = self->length;
  const double complex *v_a = self->right[0] + n * a, *w_a = self->left[0] + n * a;
  const double complex *v_b = self->right[1] + n * b, *w_b = self->left[1] + n * b;
  double own = cabs (dot (n, w_a, v_a)) * cabs (dot (n, w_b, v_b));
  double mutual = cabs (dot (n, w_a, v_b)) * cabs (dot (n, w_b, v_a));

  return mutual < own ? mutual / own : 1.0;
}

/* Returns the distance from slot to candidate, both in the upper half-plane. Forecasts are for cases without
 * vectors: near a collision on the real axis the branches run like square roots, and straight lines mislead. */
static double slot_distance (const HlBranches *self, int slot, double re, double im, bool has_vectors) {
  if (has_vectors)
    return distance (self->re[slot], fabs (self->im[slot]), re, im);
  for (int i = 0; i < self->n_items; i++)
    if (self->items[i].slot[0] == slot || self->items[i].slot[1] == slot)
      return distance (self->items[i].ahead_re, self->items[i].ahead_im, re, im);
  return 0.0;
}

/* Returns the place of the positive imaginary part's vector: overlaps are those of upper members. */
static int upper (const double im[], int k) {
  return im[k] < 0.0 ? k - 1 : k;
}

static void match_by_cost (HlBranches *self, const double re[], const double im[], double same) {
  int n = self->n;
  bool has_vectors = load_vectors (self);

  if (self->cost == NULL) {
    self->cost = hl_arena_take (&self->arena, n, (size_t)n * sizeof (double));
    self->scratch = hl_arena_take (&self->arena, 1, hl_assignment_scratch (n));
  }
  for (int slot = 0; slot < n; slot++) {
    double *row = self->cost + (size_t)slot * (size_t)n;
    double nearest = INFINITY, unit = INFINITY;
    int best = -1;

    for (int k = 0; k < n; k++) {
      row[k] = slot_distance (self, slot, re[k], im[k], has_vectors);
      if (row[k] < nearest) {
        nearest = row[k];
        best = k;
      }
    }
    /* the unit is the distance of the nearest candidate that is a different number than the best */
    for (int k = 0; k < n; k++)
      if (distance (re[best], fabs (im[best]), re[k], im[k]) > same)
        unit = fmin (unit, row[k]);
    unit = fmax (unit, same);
    int own = self->im[slot] < 0.0 ? self->index[slot] - 1 : self->index[slot];
    for (int k = 0; k < n; k++) {
      row[k] = isfinite (unit) && unit > 0.0 ? row[k] / unit : 0.0;
      if (has_vectors && row[k] < FAR)
        row[k] += OVERLAP_WEIGHT * (1.0 - overlap (self, own, upper (im, k)));
    }
  }
  hl_assignment_solve (n, self->cost, self->column_of, self->scratch);
}

static int mate_of (const double im[], int k) {
  return im[k] > 0.0 ? k + 1 : im[k] < 0.0 ? k - 1 : -1;
}

static void swap_values (int values[], int a, int b) {
  int swap = values[a];

  values[a] = values[b];
  values[b] = swap;
}

/* Settles the signs in pairs, which the assignment does not distinguish: gives the positive imaginary part to
 * the slot that had it, or among real slots to the larger one, and the larger of two real ones to the slot of
 * a former positive imaginary part. */
static void settle_conjugates (HlBranches *self, const double re[], const double im[], double same) {
  int *column_of = self->column_of;

  for (int slot = 0; slot < self->n; slot++) {
    int k = column_of[slot], mate = mate_of (im, k);

    if (mate >= 0) {
      int other = 0;

      while (column_of[other] != mate)
        other++;
      bool slot_first = self->im[slot] != self->im[other]   ? self->im[slot] > self->im[other]
                        : self->re[slot] != self->re[other] ? self->re[slot] > self->re[other]
                                                            : slot < other;
      if (slot_first != (im[k] > 0.0))
        swap_values (column_of, slot, other);
    }
  }
  for (int up = 0; up < self->n; up++)
    for (int down = 0; down < self->n && self->side[up] > 0; down++)
      if (self->side[down] < 0 && fabs (self->re[up] - self->re[down]) <= same && im[column_of[up]] == 0.0 &&
          im[column_of[down]] == 0.0 && re[column_of[up]] < re[column_of[down]])
        swap_values (column_of, up, down);
  memcpy (self->new_index, column_of, sizeof (int) * (size_t)self->n);
}

/* Notes the side of the real axis of each slot, which it keeps until it is alone on the axis. */
static void note_sides (HlBranches *self, double same) {
  for (int slot = 0; slot < self->n; slot++) {
    bool is_alone = true;

    for (int other = 0; other < self->n && self->im[slot] == 0.0; other++)
      is_alone = is_alone &&
                 (other == slot || self->im[other] != 0.0 || fabs (self->re[slot] - self->re[other]) > same);
    if (self->im[slot] != 0.0)
      self->side[slot] = self->im[slot] > 0.0 ? 1 : -1;
    else if (is_alone)
      self->side[slot] = 0;
  }
}

/* Fills flat_im; the largest modulus, roughly. */
static double flatten (HlBranches *self, const double re[], const double im[]) {
  double largest = 0.0;

  for (int k = 0; k < self->n; k++)
    largest = fmax (largest, fabs (re[k]) + fabs (im[k]));
  for (int k = 0; k < self->n; k++)
    self->flat_im[k] = fabs (im[k]) > FLAT_PART * largest ? im[k] : 0.0;
  return largest;
}

bool hl_branches_is_plain (HlBranches *self, double parameter, const double re[], const double im[]) {
  if (self->n_points == 0)
    return true;
  double largest = flatten (self, re, im);
  make_items (self, parameter);
  return match_plainly (self, re, self->flat_im, SAME_PART * largest);
}

int hl_branches_n (const HlBranches *self) {
  return self->n;
}

int hl_branches_ahead (HlBranches *self, double parameter, HlBranchAhead ahead[]) {
  make_items (self, parameter);
  for (int i = 0; i < self->n_items; i++) {
    const Item *item = &self->items[i];
    ahead[i] = (HlBranchAhead){item->ahead_re, item->ahead_im, item->slot[1] >= 0};
  }
  return self->n_items;
}

void hl_branches_add (HlBranches *self, double parameter, const double re[], const double im[],
                      double out_re[], double out_im[], int index_of[]) {
  int n = self->n;
  size_t size = sizeof (double) * (size_t)n;
  double largest = flatten (self, re, im);

  if (self->n_points == 0)
    hl_eigen_sort (n, re, im, self->new_index);
  else {
    make_items (self, parameter);
    if (!match_plainly (self, re, self->flat_im, SAME_PART * largest)) {
      match_by_cost (self, re, self->flat_im, SAME_PART * largest);
      settle_conjugates (self, re, self->flat_im, SAME_PART * largest);
    }
  }
  memcpy (self->last_re, self->re, size);
  memcpy (self->last_im, self->im, size);
  memcpy (self->index, self->new_index, sizeof (int) * (size_t)n);
  self->last_parameter = self->parameter;
  self->parameter = parameter;
  for (int slot = 0; slot < n; slot++) {
    out_re[slot] = self->re[slot] = re[self->index[slot]];
    self->im[slot] = self->flat_im[self->index[slot]];
    out_im[slot] = im[self->index[slot]];
  }
  note_sides (self, SAME_PART * largest);
  if (index_of != NULL)
    memcpy (index_of, self->index, sizeof (int) * (size_t)n);
  self->n_points++;
}
