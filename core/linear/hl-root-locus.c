/* SPDX-License-Identifier: MIT */
/* Root locus: the same exact J at every value, eigenvalues alone on the fast path, vectors only
 * where branches are ambiguous.
 *
 * Before a point is taken, it is looked at from the last one. Where a pair falls apart or two real
 * branches meet, the branches run like square roots, and where two come near each other the next
 * point may be a step too far: then points in between come first, by halving, and continuity is
 * plain again. Null eigenvalues are left out of all this. */
#include "core/linear/hl-root-locus.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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
} Trace;

static HlStatus
branch_vectors (int point, double complex right[], double complex left[], void *data)
{
  Trace *trace = data;

  /* asked for the point before and then the one under way; `last` is the latter meanwhile */
  return hl_locus_sweep_vectors (
      trace->sweep, point + 1 == trace->n_points ? trace->last : trace->before, right, left);
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
  if (!hl_branches_is_plain (trace->branches, next->value, next->re, next->im)) {
    if (trace->hopeless >= MOST_HOPELESS)
      return false;
    if (depth < NEAR_DEPTH)
      return true;
    trace->hopeless++;
    return false;
  }
  return trace->options->refine && depth < COARSE_DEPTH && is_coarse (trace, next);
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

  while (status == HL_OK && !*fewer && depth >= 0) {
    const HlLocusPoint *next = trace->waiting[depth];
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
    if (!*fewer)
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

  for (int row = 0; row < n_values && !*fewer; row++) {
    bool by_rank = row <= 1 || row == n_values - 1 || row % quarter == 0;
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
  trace->n_followed = locus->n_states - hl_locus_sweep_n_null (trace->sweep);
  trace->branches = hl_branches_new (trace->n_followed, branch_vectors, trace);
  hl_branches_set_length (trace->branches, locus->n_states);
  trace->extra = most_extra (trace->options);
  trace->hopeless = 0;
  trace->n_points = locus->n_values = 0;
}

/* Columns of the null eigenvalues, all 0, go where they belong among the branches, which stand in
 * order of falling real part at the first value. */
static void
insert_null_columns (Trace *trace)
{
  HlLocus *locus = trace->locus;
  int n = locus->n_states, n_null = n - trace->n_followed, at = 0;

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
  trace.ahead = hl_locus_ahead_new (trace.sweep, options);
  /* the first point that can be made tells how many are null */
  HlStatus status = HL_BAD_MODEL;
  for (int row = 0; row < options->n_values && status != HL_OK; row++)
    status = hl_locus_sweep_eval (trace.sweep, options->values[row], true, trace.waiting[0], &fewer,
                                  NULL);
  do {
    fewer = false;
    begin_pass (&trace);
    trace_all (&trace, &fewer, fault);
  } while (fewer);
  insert_null_columns (&trace);
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
