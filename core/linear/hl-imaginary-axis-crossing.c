/* SPDX-License-Identifier: MIT */
/* A change of sign between two rows brackets a crossing, which a secant that keeps its bracket
 * (Illinois) solves. Where a branch comes near the axis and goes back, the parabola through three rows shows whether it
 * may have touched the axis: the minimum of the distance is searched by golden sections, and is a touch, or the middle
 * of two brackets. */
#include "core/linear/hl-imaginary-axis-crossing.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ITERATIONS 80
#define GOLDEN 0.3819660112501051
/* A vertex of the parabola below this part of the nearest row is worth a search. */
#define WORTH_A_SEARCH 0.5
/* A real part below this part of the largest modulus is on the axis. */
#define ROUNDING_PART 1e-11
/* A branch that lies on the axis in most of its rows leaves it by this many roundings at most, where
 * the state of rest is known less well than the arithmetic allows. */
#define REST_ROUNDINGS 1e4
/* Rows in succession on the axis that are still one touch and not a branch that lies there. */
#define MOST_TOUCHING 2

typedef struct {
  double value;
  double complex lambda;
} Place;

typedef struct {
  const HlCrossingBranch *branch; /* borrowed */
  HlCrossingFollow follow;
  void *data;
  HlCrossing *out; /* max of them */
  int max, count;  /* room; found, also those beyond it */
  double band;     /* of the axis, in roundings */
} Search;

static Place place_of_row (const Search *search, int row) {
  const HlCrossingBranch *branch = search->branch;
  int at = row * branch->stride;

  return (Place){branch->values[row], branch->re[at] + I * branch->im[at]};
}

static int side_of_row (const Search *search, int row) {
  double re = creal (place_of_row (search, row).lambda);
  double rounding = search->band * search->branch->rounding[row];

  return re > rounding ? 1 : re < -rounding ? -1 : 0;
}

static bool find_between (const Search *search, Place a, Place b, double value, Place *found) {
  double share = (value - a.value) / (b.value - a.value);

  found->value = value;
  return search->follow (value, a.lambda + share * (b.lambda - a.lambda), &found->lambda, search->data);
}

static void keep_crossing (Search *search, Place at, HlCrossing crossing) {
  crossing.value = at.value;
  crossing.frequency_hz = fabs (cimag (at.lambda)) / (2.0 * M_PI);
  if (search->count < search->max)
    search->out[search->count] = crossing;
  search->count++;
}

/* Solves Re = 0 between two places on different sides. */
static void solve_crossing (Search *search, Place a, Place b) {
  HlCrossing crossing = {.into_right = creal (b.lambda) > creal (a.lambda)};
  double fa = creal (a.lambda), fb = creal (b.lambda), width = fabs (b.value - a.value);
  Place at = b;

  for (int step = 0; step < MOST_ITERATIONS; step++) {
    double middle = b.value - fb * (b.value - a.value) / (fb - fa);
    if (!(middle > fmin (a.value, b.value) && middle < fmax (a.value, b.value)))
      middle = 0.5 * (a.value + b.value);
    if (!find_between (search, a, b, middle, &at))
      return;
    double f = creal (at.lambda), moved = fabs (middle - b.value);
    if (f == 0.0)
      break;
    if ((f < 0.0) == (fb < 0.0))
      fa *= 0.5;
    else {
      a = b;
      fa = fb;
    }
    b = at;
    fb = f;
    if (moved <= 1e-14 * fabs (middle) || fabs (b.value - a.value) <= 1e-14 * fabs (middle) + 1e-16 * width)
      break;
  }
  keep_crossing (search, at, crossing);
}

/* Returns the distance from the axis, negative beyond it, on the side of `side`. */
static double distance (Place at, int side) {
  return side * creal (at.lambda);
}

/* Returns the place between a and c, by way of b nearer to the axis than both, that is nearest to it or the
 * first found beyond it. */
static Place nearest_between (const Search *search, Place a, Place b, Place c, int side) {
  for (int step = 0; step < MOST_ITERATIONS && distance (b, side) >= 0.0; step++) {
    bool before = fabs (b.value - a.value) > fabs (c.value - b.value);
    Place far_end = before ? a : c, tried;
    double way = GOLDEN * (far_end.value - b.value);
    if (fabs (way) <= 1e-9 * fabs (c.value - a.value) + 1e-15 * fabs (b.value) ||
        !find_between (search, b, far_end, b.value + way, &tried))
      break;
    if (distance (tried, side) < distance (b, side)) {
      *(before ? &c : &a) = b;
      b = tried;
    } else {
      *(before ? &a : &c) = tried;
    }
  }
  return b;
}

static void search_near (Search *search, int row, int side) {
  Place a = place_of_row (search, row - 1), b = place_of_row (search, row),
        c = place_of_row (search, row + 1);
  Place nearest = nearest_between (search, a, b, c, side);
  double rounding = search->band * search->branch->rounding[row];

  if (distance (nearest, side) < -rounding) {
    solve_crossing (search, a, nearest);
    solve_crossing (search, nearest, c);
  } else if (distance (nearest, side) <= rounding) {
    keep_crossing (search, nearest, (HlCrossing){.into_right = side < 0, .touches = true});
  }
}

/* Returns the smallest value of the parabola through three places, as distances on `side`. */
static double vertex (Place a, Place b, Place c, int side) {
  double fa = distance (a, side), fb = distance (b, side), fc = distance (c, side);
  double slope_ab = (fb - fa) / (b.value - a.value), slope_bc = (fc - fb) / (c.value - b.value);
  double bend = (slope_bc - slope_ab) / (c.value - a.value);
  double slope_b = slope_ab + bend * (b.value - a.value);

  return bend != 0.0 ? fb - slope_b * slope_b / (4.0 * bend) : fb;
}

static bool comes_near (const Search *search, int row, int side) {
  if (row < 1 || row + 1 >= search->branch->n_rows || side_of_row (search, row - 1) != side ||
      side_of_row (search, row + 1) != side)
    return false;
  Place a = place_of_row (search, row - 1), b = place_of_row (search, row),
        c = place_of_row (search, row + 1);
  double here = distance (b, side);
  return here <= distance (a, side) && here <= distance (c, side) &&
         vertex (a, b, c, side) < WORTH_A_SEARCH * here;
}

/* Judges rows after `last` (on `side`, or -1 at the start) up to `row` that lie on the axis. */
static void judge_rows_on_axis (Search *search, int last, int row, int side) {
  int n_rows = search->branch->n_rows, n_on = row - last - 1;

  if (n_on > MOST_TOUCHING || (last < 0 && row >= n_rows))
    return;
  if (last < 0 || row >= n_rows) {
    int end = last < 0 ? 0 : n_rows - 1, next = last < 0 ? row : last;
    if (n_on != 1)
      return;
    bool next_is_right = side_of_row (search, next) > 0;
    keep_crossing (search, place_of_row (search, end),
                   (HlCrossing){.into_right = (last < 0) == next_is_right, .at_end = true});
  } else if (side_of_row (search, row) == side) {
    Place on = place_of_row (search, last + 1);
    on.lambda = I * cimag (on.lambda);
    keep_crossing (search, on, (HlCrossing){.into_right = side < 0, .touches = true});
  } else {
    solve_crossing (search, place_of_row (search, last), place_of_row (search, row));
  }
}

/* Returns whether the branch lies on the axis in more than half of its rows. */
static bool lies_on_axis (const Search *search) {
  int n_on = 0;

  for (int row = 0; row < search->branch->n_rows; row++)
    n_on += side_of_row (search, row) == 0;
  return 2 * n_on > search->branch->n_rows;
}

int hl_crossings_of_branch (const HlCrossingBranch *branch, HlCrossingFollow follow, void *data,
                            HlCrossing out[], int max) {
  Search search = {branch, follow, data, out, max, 0, 1.0};
  int last = -1, side = 0; /* the last row off the axis */

  search.band = lies_on_axis (&search) ? REST_ROUNDINGS : 1.0;

  for (int row = 0; row < branch->n_rows; row++) {
    int here = side_of_row (&search, row);
    Place at = place_of_row (&search, row);
    bool is_lower = cimag (at.lambda) < 0.0;
    if (is_lower) { /* its conjugate is examined in another column */
      last = row;
      side = here;
      continue;
    }
    if (here == 0)
      continue;
    if (last >= 0 && cimag (place_of_row (&search, last).lambda) >= 0.0 && row == last + 1 && here == -side)
      solve_crossing (&search, place_of_row (&search, last), at);
    else if (row > last + 1)
      judge_rows_on_axis (&search, last, row, side);
    if (comes_near (&search, row, here))
      search_near (&search, row, here);
    last = row;
    side = here;
  }
  if (last >= 0 && last < branch->n_rows - 1)
    judge_rows_on_axis (&search, last, branch->n_rows, side);
  return search.count;
}

/* ---- the machine ---- */

typedef struct {
  HlSweepPoint *point;
  const HlSweepParameter *parameter;
  int n_null;
  bool (*cancel) (void *data); /* NULL: never */
  void *cancel_data;
} Machine;

static bool is_cancelled (const Machine *machine) {
  return machine->cancel != NULL && machine->cancel (machine->cancel_data);
}

static bool follow_machine (double value, double complex expected, double complex *found, void *data) {
  Machine *machine = data;

  if (is_cancelled (machine))
    return false;
  if (hl_sweep_point_set (machine->point, machine->parameter, value, NULL) != HL_OK ||
      hl_sweep_point_eval (machine->point, HL_EIGEN_NULL, NULL) != HL_OK)
    return false;
  const HlEigen *eigen = hl_sweep_point_eigen (machine->point);
  int k = hl_sweep_point_nearest (machine->point, creal (expected), cimag (expected), false);
  /* one null eigenvalue more than along the sweep: the branch is there, unless another of the same
   * kind is nearer to what is expected */
  if (eigen->n_null > machine->n_null && (k < 0 || cabs (expected) <= cabs (eigen->value[k] - expected)))
    *found = 0.0;
  else if (k < 0)
    return false;
  else
    *found = eigen->value[k];
  return true;
}

/* Returns whether the eigenvalues at a value of the parameter say anything about stability. */
static bool judges_at (Machine *machine, double value) {
  return !is_cancelled (machine) &&
         hl_sweep_point_set (machine->point, machine->parameter, value, NULL) == HL_OK &&
         hl_sweep_point_eval (machine->point, HL_EIGEN_NULL, NULL) == HL_OK &&
         hl_sweep_point_steadiness (machine->point) != HL_ON_THE_WAY;
}

int hl_crossings_find_at (HlSweepPoint *sweep, const HlSweepParameter *parameter, const HlLocus *locus,
                          HlCrossing out[], int max) {
  return hl_crossings_find_until (sweep, parameter, locus, NULL, NULL, out, max, NULL);
}

int hl_crossings_find_until (HlSweepPoint *sweep, const HlSweepParameter *parameter, const HlLocus *locus,
                             bool (*cancel) (void *data), void *data, HlCrossing out[], int max,
                             int *n_done) {
  Machine machine = {sweep, parameter, 0, cancel, data};
  int n = locus->n_states, count = 0, done = 0;

  double *rounding = calloc ((size_t)locus->n_values + 1, sizeof *rounding);
  for (int row = 0; row < locus->n_values; row++) {
    rounding[row] = ROUNDING_PART * locus->largest[row];
    for (int k = 0; k < n; k++)
      rounding[row] =
          fmax (rounding[row], ROUNDING_PART * hypot (locus->re[row * n + k], locus->im[row * n + k]));
  }
  for (int branch = 0; branch < n; branch++)
    machine.n_null += locus->null[branch];
  for (int branch = 0; branch < n && !is_cancelled (&machine); branch++) {
    HlCrossingBranch one = {locus->values, locus->re + branch, locus->im + branch,
                            rounding,      locus->n_values,    n};
    int stored = count < max ? count : max;
    if (locus->null[branch]) {
      done++;
      continue;
    }
    int found = hl_crossings_of_branch (&one, follow_machine, &machine, out + stored, max - stored);
    for (int k = stored; k < stored + found && k < max; k++) {
      out[k].branch = branch;
      if (judges_at (&machine, out[k].value))
        out[count++] = out[k];
    }
    count += stored + found > max ? stored + found - max : 0;
    done += !is_cancelled (&machine);
  }
  free (rounding);
  if (n_done != NULL)
    *n_done = done;
  return count;
}

int hl_crossings_find (const HlSystem *sys, const HlSweepParameter *parameter, HlStart start,
                       const HlLocus *locus, HlCrossing out[], int max) {
  HlSweepPoint *sweep = hl_sweep_point_new (sys, start, NULL);
  int count = sweep != NULL ? hl_crossings_find_at (sweep, parameter, locus, out, max) : 0;

  hl_sweep_point_free (sweep);
  return count;
}
