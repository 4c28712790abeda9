/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-locus-ahead.h"

#include <math.h>
#include <stdatomic.h>

#include "core/linear/hl-parallel.h"

/* Values of a piece: a part of all of them, so that a few processors share a short locus too. */
#define LEAST_PIECE 8
#define MOST_PIECE 64
#define PIECES 16
/* What the matrices of the points at hand may take [B], but for so many points in any case. */
#define ROOM 3.2e7
#define LEAST_POINTS 16
/* Values at which all eigenvalues are computed, where of the others those near a place are. */
#define CHECKED_EVERY 32

typedef struct
{
  HlLocusPoint *point;
  HlStatus status;
  HlFault fault;
  bool is_done;
} Row;

struct HlLocusAhead
{
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
  int n_told; /* times that the caller was asked; its own */
};

HlLocusAhead *
hl_locus_ahead_new (const HlLocusSweep *sweep, const HlLocusOptions *options)
{
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
  ahead->n_threads =
      hl_parallel_n_threads (&(HlParallel){.n = n_pieces, .n_threads = options->n_threads});
  ahead->sweeps = hl_arena_take (arena, ahead->n_threads, sizeof *ahead->sweeps);
  return ahead;
}

void
hl_locus_ahead_free (HlLocusAhead *ahead)
{
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

/* By the caller's thread alone: once before the first value, and once after each. */
static void
ask (void *data)
{
  HlLocusAhead *ahead = data;
  const HlLocusOptions *options = ahead->options;

  while (options->cancel != NULL && !atomic_load (&ahead->is_stopped) &&
         ahead->n_told <= atomic_load (&ahead->n_found)) {
    ahead->n_told++;
    if (options->cancel (options->cancel_data))
      atomic_store (&ahead->is_stopped, true);
  }
}

/* Whether all eigenvalues are found at values[row], whatever is looked at elsewhere. */
static bool
is_checked (const HlLocusOptions *options, int row)
{
  return row == 0 || row == options->n_values - 1 || row % CHECKED_EVERY == 0;
}

static bool
is_stopped (HlLocusAhead *ahead, int place)
{
  if (place == 0)
    ask (ahead);
  return atomic_load (&ahead->is_stopped);
}

/* Rows [first, last) of those at hand and, where there is one, the value beyond them. */
static void
do_piece (HlLocusAhead *ahead, HlLocusSweep *sweep, int place, int first, int last)
{
  const double *values = ahead->options->values + ahead->from;

  for (int k = first; k < last && !is_stopped (ahead, place); k++) {
    Row *row = &ahead->rows[k];
    row->fault = (HlFault){.entity = -1, .time = NAN};
    row->status = hl_locus_sweep_find (
        sweep, values[k], is_checked (ahead->options, ahead->from + k), row->point, &row->fault);
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

static int
end_of (const HlLocusAhead *ahead, int first)
{
  return first + ahead->n_piece < ahead->n ? first + ahead->n_piece : ahead->n;
}

static void
do_one (int index, int place, void *data)
{
  HlLocusAhead *ahead = data;
  int first = index * ahead->n_piece;

  if (ahead->sweeps[place] == NULL)
    ahead->sweeps[place] = hl_locus_sweep_copy (ahead->sweep);
  else
    hl_locus_sweep_rewind (ahead->sweeps[place]);
  do_piece (ahead, ahead->sweeps[place], place, first, end_of (ahead, first));
}

/* From where the piece before came to, to its end. */
static void
do_again (HlLocusAhead *ahead, int first, const Row *beyond)
{
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

static void
join_pieces (HlLocusAhead *ahead)
{
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

/* The points of the values from row on. */
static void
go_to (HlLocusAhead *ahead, int row)
{
  int n_pieces = (ahead->n + ahead->n_piece - 1) / ahead->n_piece;

  if (row > 0) {
    Row last = ahead->last;
    ahead->last = ahead->beyond[n_pieces - 1];
    ahead->beyond[n_pieces - 1] = last;
  }
  ahead->from = row;
  ahead->n =
      ahead->options->n_values - row < ahead->most ? ahead->options->n_values - row : ahead->most;
  n_pieces = (ahead->n + ahead->n_piece - 1) / ahead->n_piece;
  for (int k = 0; k < ahead->n; k++)
    ahead->rows[k].is_done = false;
  for (int k = 0; k < n_pieces; k++)
    ahead->beyond[k].is_done = false;
  hl_parallel_run (&(HlParallel){
      .n = n_pieces, .n_threads = ahead->n_threads, .work = do_one, .tick = ask, .data = ahead});
  if (hl_locus_sweep_continues (ahead->sweep))
    join_pieces (ahead);
}

bool
hl_locus_ahead_is_stopped (const HlLocusAhead *ahead)
{
  return atomic_load (&ahead->is_stopped);
}

HlStatus
hl_locus_ahead_take (HlLocusAhead *ahead, int row, HlLocusPoint **point, HlFault *fault)
{
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
