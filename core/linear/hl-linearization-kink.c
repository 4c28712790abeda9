/* SPDX-License-Identifier: MIT */
/* Every law and signal is smooth on both sides of a kink, so J and B are compared at two neighbouring points: over a
 * smooth place they differ by an amount that shrinks with the distance of the points, over a kink by one that does not.
 * f is continuous, so the column of a state differs only where its own motion crosses the kink: first looks move all
 * states and inputs at once, and those whose columns differ are moved one by one. The columns on a side are
 * extrapolated from two distances h and FARTHER h:
 *
 *   column(0) = (FARTHER column(h) - column(FARTHER h)) / (FARTHER - 1) + O(h^2) */
#include "core/linear/hl-linearize.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#define BESIDE 1.0e-10 /* distance h, in natural sizes: far above rounding, far below every width of a law */
#define FARTHER 8.0
/* States of components (spools) and inputs are stated to the last digit: with them a kink farther away than this, in
 * natural sizes, or than some roundings, lies beside the place. Poses and pressures come from a balance, which is not as
 * exact: there h decides. */
#define AT_PLACE 5.0e-13
#define ROUNDINGS 16.0
#define N_LOOKS 5
#define LEAST_GROWTH 4.0 /* a difference that grows by more than this from h to FARTHER h is curvature */
#define VISIBLE 1.0e-6   /* a kink's part of the larger slope, at least */
/* Part of the largest entry of a row in natural sizes below which a difference may be rounding. */
#define NOISE 1.0e-9

typedef struct {
  const HlSystem *sys;
  HlSystem *moved; /* its signals are moved */
  HlWork *work;
  double t;
  HlLinearization *lin;
  int n, n_inputs;
  double *size;      /* n + n_inputs: natural, of states and inputs */
  double *direction; /* n + n_inputs: how each of them moves */
  double *y;         /* n */
  double *largest;   /* n: entry of every row in natural sizes */
  double *at[4];     /* n x (n + n_inputs): J and B at h, -h, FARTHER h, -FARTHER h */
} Search;

static void init_search (Search *self, HlArena *arena) {
  int n = self->lin->n, all = n + self->lin->n_signals;

  self->n = n;
  self->n_inputs = self->lin->n_signals;
  self->size = hl_arena_take (arena, all, sizeof (double));
  self->direction = hl_arena_take (arena, all, sizeof (double));
  self->y = hl_arena_take (arena, n, sizeof (double));
  self->largest = hl_arena_take (arena, n, sizeof (double));
  for (int k = 0; k < 4; k++)
    self->at[k] = hl_arena_take (arena, n * all, sizeof (double));
  memcpy (self->size, self->lin->scale, (size_t)n * sizeof (double));
  for (int k = 0; k < self->n_inputs; k++) {
    int signal = self->sys->topology->input_signal[k];
    self->size[n + k] = fmax (fabs (self->work->signal_values[signal]), 1.0);
  }
  for (int column = 0; column < all; column++)
    for (int row = 0; row < n; row++) {
      const double *of = column < n ? self->lin->J + column * n : self->lin->B + (column - n) * n;
      self->largest[row] =
          fmax (self->largest[row], fabs (of[row]) * self->size[column] / self->lin->scale[row]);
    }
}

/* Evaluates J and B at `distance` along the direction. */
static bool eval_beside (Search *self, double distance, double out[]) {
  size_t square = (size_t)self->n * (size_t)self->n;

  for (int k = 0; k < self->n; k++)
    self->y[k] = self->lin->reference[k] + distance * self->direction[k] * self->size[k];
  for (int k = 0; k < self->n_inputs; k++) {
    const HlTopology *top = self->sys->topology;
    self->moved->signals[top->input_signal[k]].nudge[top->input_order[k]] =
        distance * self->direction[self->n + k] * self->size[self->n + k];
  }
  if (hl_jacobian_eval (self->moved, self->t, self->y, out, self->work, NULL) != HL_OK)
    return false;
  hl_jacobian_inputs (self->moved, self->work, out + square);
  return true;
}

/* Evaluates at h and -h, and also at FARTHER times that distance. False if the machine cannot be evaluated on
 * one side. */
static bool eval_sides (Search *self, bool farther) {
  double distance = farther ? FARTHER * BESIDE : BESIDE;
  double **at = self->at + (farther ? 2 : 0);

  return eval_beside (self, distance, at[0]) && eval_beside (self, -distance, at[1]);
}

/* Returns whether a column at h and -h differs by more than rounding makes of it. */
static bool row_differs (const Search *self, int column, int row) {
  size_t at = (size_t)column * (size_t)self->n + (size_t)row;
  double up = self->at[0][at], down = self->at[1][at], gap = fabs (up - down);

  return gap > VISIBLE * fmax (fabs (up), fabs (down)) &&
         gap * self->size[column] / self->lin->scale[row] > NOISE * self->largest[row];
}

static bool column_differs (const Search *self, int column) {
  for (int row = 0; row < self->n; row++)
    if (row_differs (self, column, row))
      return true;
  return false;
}

/* Returns whether the kink of a column lies at the place, not beside it. Only the column's own state or
 * input moves. */
static bool is_at_place (Search *self, int column) {
  if (column < hl_off_p (self->work) + self->work->r)
    return true;
  double value = column < self->n ? fabs (self->lin->reference[column]) : self->size[column];
  double distance = fmax (AT_PLACE, ROUNDINGS * DBL_EPSILON * value / self->size[column]);

  return eval_beside (self, distance, self->at[0]) && eval_beside (self, -distance, self->at[1]) &&
         column_differs (self, column);
}

/* Returns whether it still does when the distance is no longer in it. */
static bool is_kinked (const Search *self, int column) {
  for (int row = 0; row < self->n; row++) {
    size_t at = (size_t)column * (size_t)self->n + (size_t)row;
    double near = fabs (self->at[0][at] - self->at[1][at]), far = fabs (self->at[2][at] - self->at[3][at]);
    if (row_differs (self, column, row) && far < LEAST_GROWTH * near && near < LEAST_GROWTH * far)
      return true;
  }
  return false;
}

/* Returns the column on one side, 0 = positive; of its own. */
static double *extrapolate (Search *self, int column, int side) {
  const double *near = self->at[side] + (size_t)column * (size_t)self->n,
               *far = self->at[2 + side] + (size_t)column * (size_t)self->n;
  double *out = hl_arena_take (&self->lin->arena, self->n, sizeof *out);

  for (int row = 0; row < self->n; row++)
    out[row] = near[row] == far[row] ? near[row] : (FARTHER * near[row] - far[row]) / (FARTHER - 1.0);
  return out;
}

/* Finds columns that may have a kink: those that differ while everything moves, or all if that is impossible.
 * On two kinks at once one direction may lead to the same side of one of them on both its ends: so states and
 * inputs are moved one at a time as well, and together in several ways. */
static void look_at_all (Search *self, bool wanted[]) {
  int all = self->n + self->n_inputs;

  for (int look = 0; look < N_LOOKS; look++) {
    if (look == 1 && self->n_inputs == 0)
      break;
    for (int k = 0; k < all; k++) { /* numbers without a pattern, none near 0 */
      double wave = sin (1.0 + 2.7 * k + 4.1 * look * (k + 1));
      bool stays = look == (k < self->n ? 1 : 0);
      self->direction[k] = stays ? 0.0 : copysign (0.5 + 0.5 * fabs (wave), wave);
    }
    bool is_seen = eval_sides (self, false);
    for (int k = 0; k < all; k++)
      wanted[k] = wanted[k] || !is_seen || column_differs (self, k);
  }
}

void hl_linearization_find_kinks (const HlSystem *sys, HlWork *work, double t, HlLinearization *lin) {
  int all = lin->n + lin->n_signals;
  HlArena scratch = {0};
  Search search = {.sys = sys, .moved = hl_system_copy (sys), .work = work, .t = t, .lin = lin};
  bool *wanted = hl_arena_take (&scratch, all, sizeof *wanted);

  init_search (&search, &scratch);
  lin->kinks = hl_arena_take (&lin->arena, all, sizeof (HlKink));
  look_at_all (&search, wanted);
  for (int k = 0; k < all; k++) {
    if (!wanted[k])
      continue;
    memset (search.direction, 0, (size_t)all * sizeof (double));
    search.direction[k] = 1.0;
    if (!is_at_place (&search, k) || !eval_sides (&search, false) || !column_differs (&search, k) ||
        !eval_sides (&search, true) || !is_kinked (&search, k))
      continue;
    lin->kinks[lin->n_kinks++] = (HlKink){.state = k < lin->n ? k : -1,
                                          .input = k < lin->n ? -1 : k - lin->n,
                                          .toward_positive = extrapolate (&search, k, 0),
                                          .toward_negative = extrapolate (&search, k, 1)};
  }
  hl_system_unref (search.moved);
  hl_arena_clear (&scratch);
  hl_jacobian_stand (sys, t, lin->reference, work, NULL);
}

bool hl_kink_is_mean (const HlLinearization *lin, const HlKink *kink) {
  const double *held = kink->state >= 0 ? lin->J + kink->state * lin->n : lin->B + kink->input * lin->n;

  for (int row = 0; row < lin->n; row++) {
    double up = kink->toward_positive[row], down = kink->toward_negative[row];
    if (fabs (held[row] - 0.5 * (up + down)) > VISIBLE * fabs (up - down) + NOISE * fabs (held[row]))
      return false;
  }
  return true;
}

const char *hl_kink_name (const HlLinearization *lin, const HlKink *kink) {
  return kink->state >= 0 ? lin->state_names[kink->state] : lin->input_names[kink->input];
}
