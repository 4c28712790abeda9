/* SPDX-License-Identifier: MIT */
/* Root locus: the same exact J at every value, eigenvalues alone on the fast path, vectors only
 * where branches are ambiguous.
 *
 * Before a point is taken, it is looked at from the last one. Where a pair falls apart or two real
 * branches meet, the branches run like square roots, and where two come near each other the next
 * point may be a step too far: then points in between come first, by halving, and continuity is
 * plain again. Null eigenvalues are left out of all this.
 *
 * Of a large machine only the branches may be wanted that come near the origin. Then those are followed that begin
 * there, wherever they go; one that comes there from elsewhere makes it all begin again with more of them. */
#include "core/linear/hl-root-locus.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/hl-branch-choice.h"
#include "core/linear/hl-branches.h"
#include "core/linear/hl-locus-ahead.h"

/* Halvings of one step: at a break point, where they bring the branches to the axis, and where
 * branches are merely near each other. */
#define BREAK_DEPTH 12
#define NEAR_DEPTH 5
/* A branch that moves by more than this part of itself is drawn with a point in between. */
#define COARSE_PART 0.25
#define COARSE_DEPTH 3
/* So many points that no halving makes plain, and halving is given up: equal eigenvalues of equal
 * parts scatter by rounding alone. */
#define MOST_HOPELESS 4
/* Imaginary parts below this part of the largest modulus are rounding. */
#define FLAT_PART 1e-9
#define DEPTH (BREAK_DEPTH + 1)
/* Branches are cut off where the next one lies farther out by as much as can be had, up to this part farther than asked
 * for; a pass that needs more looks so many times as far. */
#define GAP_REACH 1.5
#define WIDER 2.0
/* Eigenvalues that are computed beside those that are followed: a part of them, and at least so many. */
#define BESIDE_PART 0.25
#define LEAST_BESIDE 8
/* The place that they are near to, to the right of the origin, where no eigenvalue stands. */
#define PLACE_PART 0.05

typedef struct
{
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
  bool is_clear;           /* how the point under way goes on those before */
  bool is_wider, is_wrong; /* it begins again: with more branches; with all of them */
  int n_first;             /* eigenvalues of the first point, not null */
  double *first;           /* n_first: moduli, rising */
} Trace;

static HlStatus
branch_vectors (int point, double complex right[], double complex left[], void *data)
{
  Trace *trace = data;

  /* asked for the point before and then the one under way; `last` is the latter meanwhile */
  return hl_locus_sweep_vectors (trace->sweep,
                                 point + 1 == trace->n_points ? trace->last : trace->before,
                                 trace->n_followed, right, left);
}

/* Points in between that a pass may make. */
static int
most_extra (const HlLocusOptions *options)
{
  return options->n_values + 2 * DEPTH;
}

/* ---- is the step short enough? ---- */

/* Equal real ones of equal parts may be seen as a flat pair: rounding decides. */
static int
count_real (const HlLocusPoint *point, int n)
{
  int count = 0;

  for (int k = 0; k < n; k++)
    count += fabs (point->im[k]) <= FLAT_PART * point->largest;
  return count;
}

/* Whether some eigenvalue has gone far beside its own size; the nearest one there is taken for it,
 * which is enough to judge a step. */
static bool
is_coarse (const Trace *trace, const HlLocusPoint *next)
{
  const HlLocusPoint *last = trace->last;

  for (int k = 0; k < trace->n_followed; k++) {
    double nearest = INFINITY, size = hypot (last->re[k], last->im[k]);
    for (int other = 0; other < trace->n_followed; other++)
      nearest =
          fmin (nearest, hypot (next->re[other] - last->re[k], next->im[other] - last->im[k]));
    if (nearest > COARSE_PART * size && size > 1e-6 * last->largest)
      return true;
  }
  return false;
}

static bool
wants_halving (Trace *trace, const HlLocusPoint *next, int depth)
{
  if (trace->n_points == 0 || trace->extra <= 0)
    return false;
  if (count_real (trace->last, trace->n_followed) != count_real (next, trace->n_followed))
    return depth < BREAK_DEPTH;
  if (!trace->is_clear ||
      !hl_branches_is_plain (trace->branches, next->value, next->re, next->im)) {
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

static int
compare_numbers (const void *a, const void *b)
{
  double left = *(const double *)a, right = *(const double *)b;

  return (left > right) - (left < right);
}

static void
note_first (Trace *trace, const HlLocusPoint *point)
{
  trace->n_first = point->n_others;
  trace->first = hl_arena_take (&trace->locus->arena, point->n_others, sizeof (double));
  for (int k = 0; k < point->n_others; k++)
    trace->first[k] = hypot (point->re[k], point->im[k]);
  qsort (trace->first, (size_t)trace->n_first, sizeof (double), compare_numbers);
}

/* How many begin within `looks` of the origin, or a little farther out, up to the widest gap. */
static int
count_first (const Trace *trace)
{
  double widest = 0.0;
  int n = 0, best;

  while (n < trace->n_first && trace->first[n] <= trace->looks)
    n++;
  best = n;
  for (int k = n; k > 0 && k < trace->n_first && trace->first[k - 1] <= GAP_REACH * trace->looks;
       k++) {
    double gap = trace->first[k] / trace->first[k - 1];
    if (gap > widest) {
      widest = gap;
      best = k;
    }
  }
  return best;
}

/* Which branches are followed, and how many eigenvalues are computed for them; all, where these are most. */
static void
choose_followed (Trace *trace)
{
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

/* The first ones are those nearest to the origin. */
static void
put_nearest_first (const Trace *trace, HlLocusPoint *point)
{
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

static HlChoice
choose (Trace *trace, HlLocusPoint *point)
{
  return hl_branch_choose (trace->branches, point->value, point->n_others, point->re, point->im,
                           trace->place, point->reach, trace->options->within);
}

/* Puts the eigenvalues first that go on the branches. */
static HlStatus
pick (Trace *trace, HlLocusPoint *point, bool *fewer)
{
  double within = trace->options->within;
  HlStatus status = HL_OK;

  trace->is_clear = true;
  if (!trace->is_near)
    return HL_OK;
  if (trace->n_points == 0) {
    put_nearest_first (trace, point);
    return HL_OK;
  }
  HlChoice choice = choose (trace, point);
  if (isfinite (point->reach) && (choice == HL_CHOICE_UNKNOWN || choice == HL_CHOICE_NONE ||
                                  within + trace->place >= point->reach)) {
    status = hl_locus_sweep_complete (trace->sweep, point);
    if (status == HL_OK)
      status = hl_locus_sweep_sort (trace->sweep, false, point, fewer);
    if (status == HL_OK)
      choice = choose (trace, point);
  }
  trace->is_clear = choice == HL_CHOICE_CLEAR;
  trace->is_wrong = trace->is_wrong || point->disagrees || choice == HL_CHOICE_NONE;
  for (int k = trace->n_followed; k < point->n_others; k++)
    trace->is_wider = trace->is_wider || hypot (point->re[k], point->im[k]) <= within;
  return status;
}

static bool
begins_again (const Trace *trace, bool fewer)
{
  return fewer || trace->is_wider || trace->is_wrong;
}

/* ---- rows ---- */

/* Takes the point at `depth` into the locus; a row of its own unless it is one in between that
 * nobody asked for. */
static void
take (Trace *trace, int depth)
{
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

/* From the last point to that of a row of values, by way of as many in between as it takes. */
static HlStatus
step_to (Trace *trace, int row, bool by_rank, bool *fewer, HlFault *fault)
{
  int depth = 0;
  HlStatus status = hl_locus_ahead_take (trace->ahead, row, &trace->waiting[0], fault);

  if (status == HL_OK)
    status = hl_locus_sweep_sort (trace->sweep, by_rank, trace->waiting[0], fewer);

  while (status == HL_OK && !begins_again (trace, *fewer) && depth >= 0) {
    HlLocusPoint *next = trace->waiting[depth];
    status = pick (trace, next, fewer);
    if (status != HL_OK || begins_again (trace, *fewer))
      break;
    if (depth < DEPTH && wants_halving (trace, next, depth)) {
      double middle = 0.5 * (trace->last->value + next->value);
      hl_locus_sweep_continue (trace->sweep, next);
      if (hl_locus_sweep_eval (trace->sweep, middle, false, trace->waiting[depth + 1], fewer,
                               NULL) == HL_OK) {
        trace->extra--;
        depth++;
        continue;
      }
    }
    /* which of two is followed remains open */
    trace->is_wrong = !trace->is_clear;
    if (!begins_again (trace, *fewer))
      take (trace, depth--);
  }
  return status;
}

/* One pass over all values. */
static HlStatus
trace_all (Trace *trace, bool *fewer, HlFault *fault)
{
  const HlLocusOptions *options = trace->options;
  int n_values = options->n_values, quarter = n_values / 4 > 0 ? n_values / 4 : 1;
  HlStatus status = HL_OK;

  for (int row = 0; row < n_values && !begins_again (trace, *fewer); row++) {
    bool by_rank =
        row == 0 || row == n_values - 1 || (!trace->is_near && (row == 1 || row % quarter == 0));
    if (options->cancel != NULL && !hl_locus_ahead_is_stopped (trace->ahead) &&
        options->cancel (options->cancel_data))
      return HL_CANCELLED;
    status = step_to (trace, row, by_rank, fewer, fault);
    if (status == HL_CANCELLED || (status != HL_OK && !options->skips))
      return status;
  }
  return HL_OK;
}

static void
begin_pass (Trace *trace)
{
  HlLocus *locus = trace->locus;

  hl_branches_free (trace->branches);
  hl_locus_ahead_free (trace->ahead);
  choose_followed (trace);
  trace->ahead = hl_locus_ahead_new (trace->sweep, trace->options);
  trace->branches = hl_branches_new (trace->n_followed, branch_vectors, trace);
  hl_branches_set_length (trace->branches, locus->n_states);
  trace->extra = most_extra (trace->options);
  trace->hopeless = 0;
  trace->n_points = locus->n_values = 0;
  trace->is_wider = trace->is_wrong = false;
}

/* Whether another pass is to be made, and of what. */
static bool
goes_again (Trace *trace, bool fewer)
{
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

/* Columns of the null eigenvalues, all 0, go where they belong among the branches, which stand in
 * order of falling real part at the first value. */
static void
insert_null_columns (Trace *trace)
{
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

/* The same of the first n_used columns. */
static void
keep_within (HlLocus *locus, int n_used, double within)
{
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

void
hl_locus_keep_within (HlLocus *locus, double within)
{
  keep_within (locus, locus->n_states, within);
}

HlLocus *
hl_locus_alloc (int n_states, int n_rows)
{
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

HlLocus *
hl_root_locus (const HlSystem *sys, const HlLocusOptions *options, HlFault *fault)
{
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
  /* the first point that can be made tells how many are null */
  HlStatus status = HL_BAD_MODEL;
  for (int row = 0; row < options->n_values && status != HL_OK; row++)
    status = hl_locus_sweep_eval (trace.sweep, options->values[row], true, trace.waiting[0], &fewer,
                                  NULL);
  trace.is_near =
      options->within > 0.0 && !options->thorough && n >= HL_LOCUS_LARGE && status == HL_OK;
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
    keep_within (trace.locus, trace.n_followed + hl_locus_sweep_n_null (trace.sweep),
                 options->within);
  hl_branches_free (trace.branches);
  hl_locus_point_free (trace.last);
  hl_locus_point_free (trace.before);
  for (int k = 0; k <= DEPTH; k++)
    hl_locus_point_free (trace.waiting[k]);
  hl_locus_ahead_free (trace.ahead);
  hl_locus_sweep_free (trace.sweep);
  return trace.locus;
}

void
hl_locus_free (HlLocus *locus)
{
  if (locus == NULL)
    return;
  HlArena arena = locus->arena;
  hl_arena_clear (&arena);
}

void
hl_sweep_values (double a, double b, int n, bool logarithmic, double out[])
{
  for (int k = 0; k < n; k++) {
    double share = n > 1 ? (double)k / (n - 1) : 0.0;
    out[k] = k == n - 1 && n > 1 ? b : logarithmic ? a * pow (b / a, share) : a + (b - a) * share;
  }
}
