/* SPDX-License-Identifier: MIT */
/* Pieces of work on all processors. What a piece gives must depend on the piece alone, not on which
 * thread does it or after which other: then the bits are the same for any number of threads. */
#pragma once

typedef struct {
  int n;         /* pieces */
  int n_threads; /* the caller's among them; 0: one for each processor */
  /* A piece, 0 <= index < n; place, 0 <= place < threads, is the number of the thread; 0 is the caller's. */
  void (*work) (int index, int place, void *data);
  /* Called by the caller's thread now and then while it waits for the others, or NULL. */
  void (*tick) (void *data);
  void *data;
} HlParallel;

/* Processors that this process may use, >= 1: those of the machine, or fewer where taskset, a batch system or a
   container has given it some of them; the environment variable HL_THREADS says another number. */
int hl_parallel_n_processors (void);
/* Threads that hl_parallel_run () would use. */
int hl_parallel_n_threads (const HlParallel *parallel);
/* Does all pieces, in ascending order as threads become free. */
void hl_parallel_run (const HlParallel *parallel);
