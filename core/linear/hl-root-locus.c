/* SPDX-License-Identifier: MIT */
/* Root locus: the same exact J at every value, eigenvalues alone on the fast path, vectors only
 * where branches are ambiguous.
 *
 * Before a point is taken, it is examined from the last one. Where a pair falls apart or two real
 * branches meet, the branches run like square roots, and where two come near each other the next
 * point may be a step too far: then points in between come first, by halving, and continuity is
 * plain again. Null eigenvalues are left out of all this.
 *
 * Of a large machine only the branches may be requested that come near the origin. Then those are followed that begin
 * there, wherever they go; one that comes there from elsewhere makes it all begin again with more of them. */
#include "core/linear/hl-root-locus.h"

#include "core/base/hl-arena.h"
#include "core/linear/hl-eigenvalue-branches.h"
#include "core/linear/hl-locus-sweep.h"
#include "core/linear/hl-parallel-loop.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define SLOWEST 24  /* so many are followed at least */
#define MARGIN 1.5  /* over the farthest of these */
#define MOST_PART 6 /* for more than a sixth of all eigenvalues, a full computation is not more expensive */

static int compare_numbers (const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;

  return (left > right) - (left < right);
}

double hl_locus_reach (int n, const HlEigenvalue values[]) {
  double reach = 0.0, *moduli;
  int n_moduli = 0, n_within = 0;

  if (n < HL_LOCUS_LARGE)
    return 0.0;
  moduli = calloc ((size_t)n, sizeof *moduli);
  for (int k = 0; k < n; k++) {
    double modulus = hypot (values[k].re, values[k].im);
    if (values[k].null)
      continue;
    moduli[n_moduli++] = modulus;
    if (!(-values[k].re >= HL_LOCUS_RINGS * modulus))
      reach = fmax (reach, modulus);
  }
  qsort (moduli, (size_t)n_moduli, sizeof *moduli, compare_numbers);
  reach = MARGIN * fmax (reach, n_moduli >= SLOWEST ? moduli[SLOWEST - 1] : INFINITY);
  while (n_within < n_moduli && moduli[n_within] <= reach)
    n_within++;
  free (moduli);
  return n_within <= n / MOST_PART ? reach : 0.0;
}

bool hl_locus_target_is_set (const HlLocusTarget *target) {
  return !isnan (target->zeta) || !isnan (target->omega);
}

/* Returns how far an eigenvalue is inside of the target: the least of zeta - target and of
 * omega / target - 1, negative outside. INFINITY: no place. */
static double margin_of (const HlLocusTarget *target, double re, double im) {
  double size = hypot (re, im), margin = INFINITY;

  if (!isnan (target->zeta))
    margin = fmin (margin, (size > 0.0 ? -re / size : 0.0) - target->zeta);
  if (!isnan (target->omega))
    margin = fmin (margin, size / target->omega - 1.0);
  return margin;
}

/* Returns the margin of the eigenvalue that is farthest from the target; NAN if one is unknown. */
static double margin_of_row (const HlLocus *locus, const HlLocusTarget *target, int row) {
  double least = INFINITY;

  for (int branch = 0; branch < locus->n_states; branch++) {
    int at = row * locus->n_states + branch;
    if (locus->null != NULL && locus->null[branch])
      continue;
    double margin = margin_of (target, locus->re[at], locus->im[at]);
    if (isnan (margin))
      return NAN;
    least = fmin (least, margin);
  }
  return least;
}

int hl_locus_target_ranges (const HlLocus *locus, const HlLocusTarget *target, double ranges[][2], int most) {
  double last = NAN;
  int n = 0;
  bool is_open = false;

  for (int row = 0; row < locus->n_values && n < most; row++) {
    double margin = margin_of_row (locus, target, row);
    double value = locus->values[row];
    double before = row > 0 ? locus->values[row - 1] : value;
    double between = isfinite (last) && isfinite (margin) && margin != last
                         ? before + (value - before) * last / (last - margin)
                         : value;
    if (!is_open && margin >= 0.0) {
      ranges[n][0] = row > 0 && last < 0.0 ? between : value;
      is_open = true;
    } else if (is_open && !(margin >= 0.0)) {
      ranges[n++][1] = isnan (margin) ? before : between;
      is_open = false;
    }
    last = margin;
  }
  if (is_open && n < most)
    ranges[n++][1] = locus->values[locus->n_values - 1];
  return n;
}

typedef enum {
  HL_CHOICE_CLEAR,   /* each branch continues at one that is much nearer than any other */
  HL_CHOICE_UNCLEAR, /* it may be another one; the nearest are taken */
  HL_CHOICE_UNKNOWN, /* it may be one that is not known */
  HL_CHOICE_NONE     /* there are no such ones: pairs and real ones do not fit */
} HlChoice;

typedef struct HlLocusAhead HlLocusAhead;

/* By distance from the forecasts, the nearest first. A pair takes a pair or two real ones, two real ones take a pair
 * together, so that as many are chosen as are followed. */

/* As in hl-eigenvalue-branches.c: the nearest must be nearer than this part of the distance of the next one. */
#define CLEAR_RATIO 0.25
/* Eigenvalues closer than this part of the larger one are the same. */
#define SAME_PART 1e-9

typedef struct {
  HlBranchAhead *items; /* n_items */
  int n_items;
  bool *item_done;       /* n_items */
  double *apart;         /* n_items: distance of what was chosen */
  int *best;             /* n_items: nearest candidate that is left */
  const double *re, *im; /* n_found */
  int n_found;
  bool *chosen; /* n_found */
} Choice;

static double distance (const Choice *c, int item, int candidate) {
  return hypot (c->re[candidate] - c->items[item].re, fabs (c->im[candidate]) - c->items[item].im);
}

static void choose_candidate (Choice *c, int candidate) {
  c->chosen[candidate] = true;
  if (c->im[candidate] > 0.0)
    c->chosen[candidate + 1] = true;
}

/* Returns the nearest candidate of the upper half-plane that is left, -1 = none; among real ones alone, or
 * all. */
static int nearest_candidate (const Choice *c, int item, bool real_only) {
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < c->n_found; k++)
    if (!c->chosen[k] && c->im[k] >= 0.0 && !(real_only && c->im[k] > 0.0) && distance (c, item, k) < least) {
      least = distance (c, item, k);
      best = k;
    }
  return best;
}

/* Returns the real item, besides `item`, that is left and nearest to a candidate. */
static int nearest_real_item (const Choice *c, int item, int candidate) {
  double least = INFINITY;
  int best = -1;

  for (int k = 0; k < c->n_items; k++)
    if (k != item && !c->item_done[k] && !c->items[k].is_pair && distance (c, k, candidate) < least) {
      least = distance (c, k, candidate);
      best = k;
    }
  return best;
}

static void mark_item_done (Choice *c, int item, int candidate) {
  c->item_done[item] = true;
  c->apart[item] = distance (c, item, candidate);
}

/* Returns whether there is one. */
static bool assign_item (Choice *c, int item, int candidate) {
  bool is_pair = c->im[candidate] > 0.0;

  mark_item_done (c, item, candidate);
  choose_candidate (c, candidate);
  if (c->items[item].is_pair && !is_pair) {
    int second = nearest_candidate (c, item, true);
    if (second < 0)
      return false;
    choose_candidate (c, second);
  } else if (!c->items[item].is_pair && is_pair) {
    int second = nearest_real_item (c, item, candidate);
    if (second < 0)
      return false;
    mark_item_done (c, second, candidate);
  }
  return true;
}

static bool assign_all (Choice *c) {
  for (int i = 0; i < c->n_items; i++)
    c->best[i] = nearest_candidate (c, i, false);
  for (;;) {
    int item = -1;
    for (int i = 0; i < c->n_items; i++) {
      if (c->item_done[i])
        continue;
      if (c->best[i] >= 0 && c->chosen[c->best[i]])
        c->best[i] = nearest_candidate (c, i, false);
      if (c->best[i] < 0)
        return false;
      if (item < 0 || distance (c, i, c->best[i]) < distance (c, item, c->best[item]))
        item = i;
    }
    if (item < 0)
      return true;
    if (!assign_item (c, item, c->best[item]))
      return false;
  }
}

/* Judges whether a remaining candidate is about as near to an item as the chosen one, and not the same
 * number. */
static HlChoice judge_choice (const Choice *c, double centre, double reach, double within) {
  HlChoice found = HL_CHOICE_CLEAR;

  for (int i = 0; i < c->n_items; i++) {
    const HlBranchAhead *item = &c->items[i];
    double from_centre = hypot (item->re - centre, item->im);
    if (from_centre + c->apart[i] / CLEAR_RATIO > reach)
      return HL_CHOICE_UNKNOWN;
    bool matters = hypot (item->re, item->im) - c->apart[i] <= within;
    for (int k = 0; k < c->n_found && matters; k++)
      if (!c->chosen[k] && c->im[k] >= 0.0 && c->apart[i] > CLEAR_RATIO * distance (c, i, k) &&
          c->apart[i] > SAME_PART * hypot (item->re, item->im))
        found = HL_CHOICE_UNCLEAR;
  }
  return found;
}

/* Moves the chosen ones to the front, each part in its order. */
static void put_first (const Choice *c, HlArena *scratch, double re[], double im[]) {
  double *copy_re = hl_arena_copy (scratch, re, c->n_found, sizeof *copy_re),
         *copy_im = hl_arena_copy (scratch, im, c->n_found, sizeof *copy_im);
  int at = 0;

  for (int part = 0; part < 2; part++)
    for (int k = 0; k < c->n_found; k++)
      if (c->chosen[k] == (part == 0)) {
        re[at] = copy_re[k];
        im[at++] = copy_im[k];
      }
}

/* Puts first, of the eigenvalues re[n_found] + i im[n_found] [1/s] at a value of the parameter, conjugates side by
 * side and the upper one first, those that continue the branches; the others follow. All that are nearer to the real
 * `centre` than `reach` are among them (INFINITY: all there are). Which of two a branch continues at matters only
 * within so much of the origin. */
static HlChoice branch_choose (HlBranches *branches, double parameter, int n_found, double re[], double im[],
                               double centre, double reach, double within) {
  HlArena scratch = {0};
  int n = hl_branches_n (branches);
  Choice c = {.items = hl_arena_take (&scratch, n, sizeof (HlBranchAhead)),
              .item_done = hl_arena_take (&scratch, n, sizeof (bool)),
              .apart = hl_arena_take (&scratch, n, sizeof (double)),
              .best = hl_arena_take (&scratch, n, sizeof (int)),
              .re = re,
              .im = im,
              .n_found = n_found,
              .chosen = hl_arena_take (&scratch, n_found, sizeof (bool))};
  HlChoice choice = HL_CHOICE_NONE;

  c.n_items = hl_branches_ahead (branches, parameter, c.items);
  if (assign_all (&c)) {
    choice = judge_choice (&c, centre, reach, within);
    put_first (&c, &scratch, re, im);
  }
  hl_arena_clear (&scratch);
  return choice;
}

/* Values of a piece: a part of all of them, so that a few processors share a short locus too. */
#define LEAST_PIECE 8
#define MOST_PIECE 64
#define PIECES 16
/* Maximum memory of the matrices of the present points [B], though never fewer than LEAST_POINTS points. */
#define ROOM 3.2e7
#define LEAST_POINTS 16
/* Values at which all eigenvalues are computed, where of the others those near a place are. */
#define CHECKED_EVERY 32

typedef struct {
  HlLocusPoint *point;
  HlStatus status;
  HlFault fault;
  bool is_done;
} Row;

struct HlLocusAhead {
  HlArena arena; /* of itself and its arrays */
  const HlLocusSweep *sweep;
  const HlLocusOptions *options;
  int n_threads;
  HlLocusSweep **sweeps; /* n_threads; NULL until the thread has a piece */
  int n_piece;           /* values of a piece */
  int most;              /* rows at hand, whole pieces of them */
  Row *rows;             /* most */
  Row *beyond;           /* most / n_piece: the value after each piece */
  Row last;              /* beyond the pieces that were at hand before */
  int from, n;           /* of the values, those at hand */
  atomic_int n_found;    /* values, all along */
  atomic_bool is_stopped;
  int n_reported; /* number of calls of the caller's function; its own */
};

/* Returns the prefetch of points for the values of the options. Borrows both. Owned by the caller. */
static HlLocusAhead *locus_ahead_new (const HlLocusSweep *sweep, const HlLocusOptions *options) {
  HlArena own = {0};
  HlLocusAhead *ahead = hl_arena_take (&own, 1, sizeof *ahead);
  HlArena *arena = &ahead->arena;
  double n = hl_locus_sweep_n_states (sweep), fit = ROOM / (sizeof (double) * n * n + 1.0);
  int n_values = options->n_values;

  *arena = own;
  ahead->sweep = sweep;
  ahead->options = options;
  int most = (int)fmin (fmax (fit, LEAST_POINTS), n_values);
  ahead->n_piece = n_values / PIECES;
  ahead->n_piece = ahead->n_piece < LEAST_PIECE  ? LEAST_PIECE
                   : ahead->n_piece > MOST_PIECE ? MOST_PIECE
                                                 : ahead->n_piece;
  if (ahead->n_piece > most / 4 && most < n_values)
    ahead->n_piece = most / 4; /* LEAST_POINTS / 4 at least */
  int n_pieces = (most + ahead->n_piece - 1) / ahead->n_piece;
  ahead->most = n_pieces * ahead->n_piece;
  ahead->rows = hl_arena_take (arena, ahead->most, sizeof (Row));
  ahead->beyond = hl_arena_take (arena, n_pieces, sizeof (Row));
  for (int k = 0; k < ahead->most; k++)
    ahead->rows[k].point = hl_locus_point_new (sweep);
  for (int k = 0; k < n_pieces; k++)
    ahead->beyond[k].point = hl_locus_point_new (sweep);
  ahead->last.point = hl_locus_point_new (sweep);
  ahead->n_threads = hl_parallel_n_threads (&(HlParallel){.n = n_pieces, .n_threads = options->n_threads});
  ahead->sweeps = hl_arena_take (arena, ahead->n_threads, sizeof *ahead->sweeps);
  return ahead;
}

static void locus_ahead_free (HlLocusAhead *ahead) {
  if (ahead == NULL)
    return;
  for (int k = 0; k < ahead->most; k++)
    hl_locus_point_free (ahead->rows[k].point);
  for (int k = 0; k < ahead->most / ahead->n_piece; k++)
    hl_locus_point_free (ahead->beyond[k].point);
  hl_locus_point_free (ahead->last.point);
  for (int place = 0; place < ahead->n_threads; place++)
    hl_locus_sweep_free (ahead->sweeps[place]);
  HlArena arena = ahead->arena;
  hl_arena_clear (&arena);
}

/* ---- pieces ---- */

/* Asks the caller for cancellation, in the caller's thread only: once before the first value, and once after
 * each. */
static void ask_caller (void *data) {
  HlLocusAhead *ahead = data;
  const HlLocusOptions *options = ahead->options;

  while (options->cancel != NULL && !atomic_load (&ahead->is_stopped) &&
         ahead->n_reported <= atomic_load (&ahead->n_found)) {
    ahead->n_reported++;
    if (options->cancel (options->cancel_data))
      atomic_store (&ahead->is_stopped, true);
  }
}

/* Returns whether all eigenvalues are found at values[row], whatever is examined elsewhere. */
static bool is_checked (const HlLocusOptions *options, int row) {
  return row == 0 || row == options->n_values - 1 || row % CHECKED_EVERY == 0;
}

static bool is_stopped (HlLocusAhead *ahead, int place) {
  if (place == 0)
    ask_caller (ahead);
  return atomic_load (&ahead->is_stopped);
}

/* Computes rows [first, last) of those at hand and, where there is one, the value beyond them. */
static void do_piece (HlLocusAhead *ahead, HlLocusSweep *sweep, int place, int first, int last) {
  const double *values = ahead->options->values + ahead->from;

  for (int k = first; k < last && !is_stopped (ahead, place); k++) {
    Row *row = &ahead->rows[k];
    row->fault = (HlFault){.entity = -1, .time = NAN};
    row->status = hl_locus_sweep_find (sweep, values[k], is_checked (ahead->options, ahead->from + k),
                                       row->point, &row->fault);
    row->is_done = true;
    atomic_fetch_add (&ahead->n_found, 1);
  }
  if (ahead->from + last < ahead->options->n_values && hl_locus_sweep_continues (sweep) &&
      !is_stopped (ahead, place)) {
    Row *beyond = &ahead->beyond[first / ahead->n_piece];
    beyond->fault = (HlFault){.entity = -1, .time = NAN};
    beyond->status = hl_locus_sweep_balance (sweep, values[last], beyond->point, &beyond->fault);
    beyond->is_done = true;
  }
}

static int end_of (const HlLocusAhead *ahead, int first) {
  return first + ahead->n_piece < ahead->n ? first + ahead->n_piece : ahead->n;
}

static void do_one (int index, int place, void *data) {
  HlLocusAhead *ahead = data;
  int first = index * ahead->n_piece;

  if (ahead->sweeps[place] == NULL)
    ahead->sweeps[place] = hl_locus_sweep_copy (ahead->sweep);
  else
    hl_locus_sweep_rewind (ahead->sweeps[place]);
  do_piece (ahead, ahead->sweeps[place], place, first, end_of (ahead, first));
}

/* Computes a piece again from the end of the piece before. */
static void do_again (HlLocusAhead *ahead, int first, const Row *beyond) {
  HlLocusSweep *sweep = ahead->sweeps[0];
  Row *row = &ahead->rows[first];
  int last = end_of (ahead, first);

  if (ahead->sweeps[0] == NULL)
    sweep = ahead->sweeps[0] = hl_locus_sweep_copy (ahead->sweep);
  hl_locus_sweep_rewind (sweep); /* whichever pieces this thread has done */
  hl_locus_sweep_continue (sweep, beyond->status == HL_OK ? beyond->point : NULL);
  if (beyond->status != HL_OK) {
    row->status = beyond->status;
    row->fault = beyond->fault;
    first++;
  }
  for (int k = first; k < last; k++)
    ahead->rows[k].is_done = false;
  ahead->beyond[(last - 1) / ahead->n_piece].is_done = false;
  do_piece (ahead, sweep, 0, first, last);
}

static void join_pieces (HlLocusAhead *ahead) {
  const Row *beyond = &ahead->last; /* the piece before */

  for (int first = 0; first < ahead->n; first += ahead->n_piece) {
    const Row *row = &ahead->rows[first];
    if (ahead->from + first > 0) {
      if (!beyond->is_done || !row->is_done)
        return;
      if ((beyond->status == HL_OK) != (row->status == HL_OK) ||
          (row->status == HL_OK && !hl_locus_sweep_agree (ahead->sweep, beyond->point, row->point)))
        do_again (ahead, first, beyond);
    }
    beyond = &ahead->beyond[first / ahead->n_piece];
  }
}

/* Computes the points of the values from row on. */
static void go_to (HlLocusAhead *ahead, int row) {
  int n_pieces = (ahead->n + ahead->n_piece - 1) / ahead->n_piece;

  if (row > 0) {
    Row last = ahead->last;
    ahead->last = ahead->beyond[n_pieces - 1];
    ahead->beyond[n_pieces - 1] = last;
  }
  ahead->from = row;
  ahead->n = ahead->options->n_values - row < ahead->most ? ahead->options->n_values - row : ahead->most;
  n_pieces = (ahead->n + ahead->n_piece - 1) / ahead->n_piece;
  for (int k = 0; k < ahead->n; k++)
    ahead->rows[k].is_done = false;
  for (int k = 0; k < n_pieces; k++)
    ahead->beyond[k].is_done = false;
  hl_parallel_run (&(HlParallel){
      .n = n_pieces, .n_threads = ahead->n_threads, .work = do_one, .tick = ask_caller, .data = ahead});
  if (hl_locus_sweep_continues (ahead->sweep))
    join_pieces (ahead);
}

/* Returns whether the cancel () of the options has stopped it: what was found before is still there to be
 * taken. */
static bool locus_ahead_is_stopped (const HlLocusAhead *ahead) {
  return atomic_load (&ahead->is_stopped);
}

/* Exchanges the point found at values[row] for the one in *point; rows are read in ascending order, from 0
 * any number of times. Fails as hl_locus_sweep_find () does, or with HL_CANCELLED. */
static HlStatus locus_ahead_take (HlLocusAhead *ahead, int row, HlLocusPoint **point, HlFault *fault) {
  if (row == 0 || row == ahead->from + ahead->n)
    go_to (ahead, row);
  Row *taken = &ahead->rows[row - ahead->from];
  if (!taken->is_done)
    return HL_CANCELLED;
  if (taken->status != HL_OK && fault != NULL)
    *fault = taken->fault;
  HlLocusPoint *given = *point;
  *point = taken->point;
  taken->point = given;
  return taken->status;
}

/* Halvings of one step: at a break point, where they bring the branches to the axis, and where
 * branches are merely near each other. */
#define BREAK_DEPTH 12
#define NEAR_DEPTH 5
/* A branch that moves by more than this part of itself is drawn with a point in between. */
#define COARSE_PART 0.25
#define COARSE_DEPTH 3
/* Number of points that halving does not resolve, after which halving is given up: equal eigenvalues of equal
 * parts scatter by rounding alone. */
#define MOST_HOPELESS 4
/* Imaginary parts below this part of the largest modulus are rounding. */
#define FLAT_PART 1e-9
#define DEPTH (BREAK_DEPTH + 1)
/* Branches are cut off where the next one lies farther out by as much as can be had, up to this part farther than
 * requested; a pass that needs more looks so many times as far. */
#define GAP_REACH 1.5
#define WIDER 2.0
/* Eigenvalues that are computed beside those that are followed: a part of them, and at least so many. */
#define BESIDE_PART 0.25
#define LEAST_BESIDE 8
/* The place that they are near to, to the right of the origin, where no eigenvalue stands. */
#define PLACE_PART 0.05

typedef struct {
  const HlLocusOptions *options;
  HlLocusSweep *sweep;
  HlLocusAhead *ahead;
  HlBranches *branches;
  HlLocus *locus;
  HlLocusPoint *last, *before;      /* taken */
  HlLocusPoint *waiting[DEPTH + 1]; /* nearer ones above */
  int n_followed;
  int n_points; /* taken, with or without a row */
  int most_rows;
  int extra; /* points in between that may still be made */
  int hopeless;
  /* where only some branches are followed */
  bool is_near;
  double looks;            /* as far from the origin at the first value [1/s] */
  double place;            /* see HlLocusSweep */
  bool is_clear;           /* the present point continues the points before without doubt */
  bool is_wider, is_wrong; /* it begins again: with more branches; with all of them */
  int n_first;             /* eigenvalues of the first point, not null */
  double *first;           /* n_first: moduli, rising */
} Trace;

static HlStatus branch_vectors (int point, double complex right[], double complex left[], void *data) {
  Trace *trace = data;

  /* requested at the point before and then at the present one; `last` is the latter meanwhile */
  return hl_locus_sweep_vectors (trace->sweep, point + 1 == trace->n_points ? trace->last : trace->before,
                                 trace->n_followed, right, left);
}

/* Returns the number of points in between that a pass may make. */
static int most_extra (const HlLocusOptions *options) {
  return options->n_values + 2 * DEPTH;
}

/* ---- is the step short enough? ---- */

/* Counts the real eigenvalues; equal real ones of equal parts may appear as a flat pair: rounding decides. */
static int count_real (const HlLocusPoint *point, int n) {
  int count = 0;

  for (int k = 0; k < n; k++)
    count += fabs (point->im[k]) <= FLAT_PART * point->largest;
  return count;
}

/* Returns whether some eigenvalue has gone far beside its own size; the nearest one there is taken for it,
 * which is enough to judge a step. */
static bool is_coarse (const Trace *trace, const HlLocusPoint *next) {
  const HlLocusPoint *last = trace->last;

  for (int k = 0; k < trace->n_followed; k++) {
    double nearest = INFINITY, size = hypot (last->re[k], last->im[k]);
    for (int other = 0; other < trace->n_followed; other++)
      nearest = fmin (nearest, hypot (next->re[other] - last->re[k], next->im[other] - last->im[k]));
    if (nearest > COARSE_PART * size && size > 1e-6 * last->largest)
      return true;
  }
  return false;
}

static bool wants_halving (Trace *trace, const HlLocusPoint *next, int depth) {
  if (trace->n_points == 0 || trace->extra <= 0)
    return false;
  if (count_real (trace->last, trace->n_followed) != count_real (next, trace->n_followed))
    return depth < BREAK_DEPTH;
  if (!trace->is_clear || !hl_branches_is_plain (trace->branches, next->value, next->re, next->im)) {
    if (trace->hopeless >= MOST_HOPELESS)
      return false;
    if (depth < NEAR_DEPTH)
      return true;
    trace->hopeless++;
    return false;
  }
  return trace->options->refine && depth < COARSE_DEPTH && is_coarse (trace, next);
}

/* ---- some branches of many ---- */

static void note_first (Trace *trace, const HlLocusPoint *point) {
  trace->n_first = point->n_others;
  trace->first = hl_arena_take (&trace->locus->arena, point->n_others, sizeof (double));
  for (int k = 0; k < point->n_others; k++)
    trace->first[k] = hypot (point->re[k], point->im[k]);
  qsort (trace->first, (size_t)trace->n_first, sizeof (double), compare_numbers);
}

/* Returns how many begin within `looks` of the origin, or a little farther out, up to the widest gap. */
static int count_first (const Trace *trace) {
  double widest = 0.0;
  int n = 0, best;

  while (n < trace->n_first && trace->first[n] <= trace->looks)
    n++;
  best = n;
  for (int k = n; k > 0 && k < trace->n_first && trace->first[k - 1] <= GAP_REACH * trace->looks; k++) {
    double gap = trace->first[k] / trace->first[k - 1];
    if (gap > widest) {
      widest = gap;
      best = k;
    }
  }
  return best;
}

/* Chooses the followed branches and the number of eigenvalues to compute for them; all, if these are most. */
static void choose_followed (Trace *trace) {
  int n = trace->locus->n_states, n_null = hl_locus_sweep_n_null (trace->sweep), count = 0;

  trace->n_followed = n - n_null;
  if (trace->is_near) {
    int followed = count_first (trace), beside = (int)(BESIDE_PART * followed);
    count = followed + n_null + (beside > LEAST_BESIDE ? beside : LEAST_BESIDE);
    trace->is_near = count <= n / 4;
    if (trace->is_near)
      trace->n_followed = followed;
  }
  trace->place = PLACE_PART * trace->looks;
  hl_locus_sweep_set_near (trace->sweep, trace->is_near ? count : 0, trace->place);
}

/* Moves the eigenvalues nearest to the origin to the front. */
static void put_nearest_first (const Trace *trace, HlLocusPoint *point) {
  double limit = trace->n_followed > 0 ? trace->first[trace->n_followed - 1] : -1.0;
  int at = 0;

  for (int k = 0; k < point->n_others; k++)
    if (hypot (point->re[k], point->im[k]) <= limit && at < trace->n_followed) {
      double re = point->re[k], im = point->im[k];
      /* pairs stay side by side: what is between moves up */
      memmove (point->re + at + 1, point->re + at, sizeof (double) * (size_t)(k - at));
      memmove (point->im + at + 1, point->im + at, sizeof (double) * (size_t)(k - at));
      point->re[at] = re;
      point->im[at++] = im;
    }
}

static HlChoice choose_branches (Trace *trace, HlLocusPoint *point) {
  return branch_choose (trace->branches, point->value, point->n_others, point->re, point->im, trace->place,
                        point->reach, trace->options->within);
}

/* Puts the eigenvalues first that continue the branches. */
static HlStatus order_eigenvalues (Trace *trace, HlLocusPoint *point, bool *fewer) {
  double within = trace->options->within;
  HlStatus status = HL_OK;

  trace->is_clear = true;
  if (!trace->is_near)
    return HL_OK;
  if (trace->n_points == 0) {
    put_nearest_first (trace, point);
    return HL_OK;
  }
  HlChoice choice = choose_branches (trace, point);
  if (isfinite (point->reach) &&
      (choice == HL_CHOICE_UNKNOWN || choice == HL_CHOICE_NONE || within + trace->place >= point->reach)) {
    status = hl_locus_sweep_complete (trace->sweep, point);
    if (status == HL_OK)
      status = hl_locus_sweep_sort (trace->sweep, false, point, fewer);
    if (status == HL_OK)
      choice = choose_branches (trace, point);
  }
  trace->is_clear = choice == HL_CHOICE_CLEAR;
  trace->is_wrong = trace->is_wrong || point->disagrees || choice == HL_CHOICE_NONE;
  for (int k = trace->n_followed; k < point->n_others; k++)
    trace->is_wider = trace->is_wider || hypot (point->re[k], point->im[k]) <= within;
  return status;
}

static bool begins_again (const Trace *trace, bool fewer) {
  return fewer || trace->is_wider || trace->is_wrong;
}

/* ---- rows ---- */

/* Appends the point at `depth` to the locus, with its own row unless it is an intermediate point that the
 * caller has not requested. */
static void append_point (Trace *trace, int depth) {
  HlLocus *locus = trace->locus;
  HlLocusPoint *point = trace->waiting[depth], *old = trace->before;

  trace->before = trace->last;
  trace->last = point;
  trace->waiting[depth] = old;
  int n = locus->n_states, row = locus->n_values;
  assert (row < trace->most_rows);
  trace->n_points++;
  hl_branches_add (trace->branches, point->value, point->re, point->im, locus->re + row * n,
                   locus->im + row * n, NULL);
  locus->values[row] = point->value;
  locus->largest[row] = trace->options->within > 0.0 ? point->largest : 0.0;
  if (depth == 0 || trace->options->refine)
    locus->n_values++;
}

/* Steps from the last point to that of a row of values, by as many points in between as necessary. */
static HlStatus step_to (Trace *trace, int row, bool by_rank, bool *fewer, HlFault *fault) {
  int depth = 0;
  HlStatus status = locus_ahead_take (trace->ahead, row, &trace->waiting[0], fault);

  if (status == HL_OK)
    status = hl_locus_sweep_sort (trace->sweep, by_rank, trace->waiting[0], fewer);

  while (status == HL_OK && !begins_again (trace, *fewer) && depth >= 0) {
    HlLocusPoint *next = trace->waiting[depth];
    status = order_eigenvalues (trace, next, fewer);
    if (status != HL_OK || begins_again (trace, *fewer))
      break;
    if (depth < DEPTH && wants_halving (trace, next, depth)) {
      double middle = 0.5 * (trace->last->value + next->value);
      hl_locus_sweep_continue (trace->sweep, next);
      if (hl_locus_sweep_eval (trace->sweep, middle, false, trace->waiting[depth + 1], fewer, NULL) ==
          HL_OK) {
        trace->extra--;
        depth++;
        continue;
      }
    }
    /* which of two is followed remains open */
    trace->is_wrong = !trace->is_clear;
    if (!begins_again (trace, *fewer))
      append_point (trace, depth--);
  }
  return status;
}

/* Traces all values in one pass. */
static HlStatus trace_all (Trace *trace, bool *fewer, HlFault *fault) {
  const HlLocusOptions *options = trace->options;
  int n_values = options->n_values, quarter = n_values / 4 > 0 ? n_values / 4 : 1;
  HlStatus status = HL_OK;

  for (int row = 0; row < n_values && !begins_again (trace, *fewer); row++) {
    bool by_rank = row == 0 || row == n_values - 1 || (!trace->is_near && (row == 1 || row % quarter == 0));
    if (options->cancel != NULL && !locus_ahead_is_stopped (trace->ahead) &&
        options->cancel (options->cancel_data))
      return HL_CANCELLED;
    status = step_to (trace, row, by_rank, fewer, fault);
    if (status == HL_CANCELLED || (status != HL_OK && !options->skips))
      return status;
  }
  return HL_OK;
}

static void begin_pass (Trace *trace) {
  HlLocus *locus = trace->locus;

  hl_branches_free (trace->branches);
  locus_ahead_free (trace->ahead);
  choose_followed (trace);
  trace->ahead = locus_ahead_new (trace->sweep, trace->options);
  trace->branches = hl_branches_new (trace->n_followed, branch_vectors, trace);
  hl_branches_set_length (trace->branches, locus->n_states);
  trace->extra = most_extra (trace->options);
  trace->hopeless = 0;
  trace->n_points = locus->n_values = 0;
  trace->is_wider = trace->is_wrong = false;
}

/* Returns whether another pass is to be made, and of what. */
static bool goes_again (Trace *trace, bool fewer) {
  HlLocus *locus = trace->locus;

  if (!begins_again (trace, fewer))
    return false;
  if (trace->is_near && trace->is_wrong)
    locus->way = HL_LOCUS_DISAGREED;
  if (trace->is_near && (trace->is_wrong || fewer))
    trace->is_near = false;
  trace->looks *= WIDER;
  return true;
}

/* Inserts the columns of the null eigenvalues, all 0, among the branches, which are in order of descending
 * real part at the first value. */
static void insert_null_columns (Trace *trace) {
  HlLocus *locus = trace->locus;
  int n = locus->n_states, n_null = hl_locus_sweep_n_null (trace->sweep), at = 0;

  while (locus->n_values > 0 && at < trace->n_followed && locus->re[at] > 0.0)
    at++;
  for (int row = 0; row < locus->n_values && n_null > 0; row++)
    for (int part = 0; part < 2; part++) {
      double *cells = (part == 0 ? locus->re : locus->im) + row * n;
      memmove (cells + at + n_null, cells + at, sizeof (double) * (size_t)(trace->n_followed - at));
      memset (cells + at, 0, sizeof (double) * (size_t)n_null);
    }
  for (int k = 0; k < n_null; k++)
    locus->null[at + k] = true;
}

/* Leaves, of the first n_used columns, only null eigenvalues and branches that come so near to the origin [1/s]. */
static void keep_within (HlLocus *locus, int n_used, double within) {
  int n = locus->n_states, n_kept = 0;

  for (int k = 0; k < n_used; k++) {
    bool is_kept = locus->null[k];
    for (int row = 0; row < locus->n_values && !is_kept; row++)
      is_kept = hypot (locus->re[row * n + k], locus->im[row * n + k]) <= within;
    if (!is_kept)
      continue;
    locus->null[n_kept] = locus->null[k];
    for (int row = 0; row < locus->n_values; row++) {
      locus->re[row * n + n_kept] = locus->re[row * n + k];
      locus->im[row * n + n_kept] = locus->im[row * n + k];
    }
    n_kept++;
  }
  for (int row = 0; row < locus->n_values; row++) {
    memmove (locus->re + row * n_kept, locus->re + row * n, sizeof (double) * (size_t)n_kept);
    memmove (locus->im + row * n_kept, locus->im + row * n, sizeof (double) * (size_t)n_kept);
  }
  locus->n_states = n_kept;
}

HlLocus *hl_locus_alloc (int n_states, int n_rows) {
  size_t row = (size_t)n_states * sizeof (double);
  HlArena own = {0};
  HlLocus *locus = hl_arena_take (&own, 1, sizeof *locus);
  HlArena *arena = &locus->arena;

  *arena = own;
  locus->n_states = n_states;
  locus->values = hl_arena_take (arena, n_rows, sizeof (double));
  locus->largest = hl_arena_take (arena, n_rows, sizeof (double));
  locus->re = hl_arena_take (arena, n_rows, row);
  locus->im = hl_arena_take (arena, n_rows, row);
  locus->null = hl_arena_take (arena, n_states, sizeof (bool));
  return locus;
}

HlLocus *hl_root_locus (const HlSystem *sys, const HlLocusOptions *options, HlFault *fault) {
  Trace trace = {.options = options, .sweep = hl_locus_sweep_new (sys, options, fault)};
  bool fewer = false;

  if (trace.sweep == NULL)
    return NULL;
  int n = hl_locus_sweep_n_states (trace.sweep);
  /* behind the last row there is room for one point that is no row */
  trace.most_rows = options->n_values + (options->refine ? most_extra (options) : 0) + 1;
  trace.locus = hl_locus_alloc (n, trace.most_rows);
  trace.last = hl_locus_point_new (trace.sweep);
  trace.before = hl_locus_point_new (trace.sweep);
  for (int k = 0; k <= DEPTH; k++)
    trace.waiting[k] = hl_locus_point_new (trace.sweep);
  /* the first point that can be computed has the number of null eigenvalues */
  HlStatus status = HL_BAD_MODEL;
  for (int row = 0; row < options->n_values && status != HL_OK; row++)
    status = hl_locus_sweep_eval (trace.sweep, options->values[row], true, trace.waiting[0], &fewer, NULL);
  trace.is_near = options->within > 0.0 && !options->thorough && n >= HL_LOCUS_LARGE && status == HL_OK;
  trace.looks = options->within;
  if (trace.is_near)
    note_first (&trace, trace.waiting[0]);
  do {
    fewer = false;
    begin_pass (&trace);
    trace_all (&trace, &fewer, fault);
  } while (goes_again (&trace, fewer));
  insert_null_columns (&trace);
  if (trace.is_near)
    trace.locus->way = HL_LOCUS_BY_NEAR;
  if (options->within > 0.0)
    keep_within (trace.locus, trace.n_followed + hl_locus_sweep_n_null (trace.sweep), options->within);
  hl_branches_free (trace.branches);
  hl_locus_point_free (trace.last);
  hl_locus_point_free (trace.before);
  for (int k = 0; k <= DEPTH; k++)
    hl_locus_point_free (trace.waiting[k]);
  locus_ahead_free (trace.ahead);
  hl_locus_sweep_free (trace.sweep);
  return trace.locus;
}

void hl_locus_free (HlLocus *locus) {
  if (locus == NULL)
    return;
  HlArena arena = locus->arena;
  hl_arena_clear (&arena);
}

void hl_sweep_values (double a, double b, int n, bool logarithmic, double out[]) {
  for (int k = 0; k < n; k++) {
    double share = n > 1 ? (double)k / (n - 1) : 0.0;
    out[k] = k == n - 1 && n > 1 ? b : logarithmic ? a * pow (b / a, share) : a + (b - a) * share;
  }
}
