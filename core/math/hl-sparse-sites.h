/* SPDX-License-Identifier: MIT */
/* A sparse matrix that is the sum of what a walk over a model adds at its sites. The walk is the same every time:
 * the first one makes the pattern, the others go straight to the entries. */
#pragma once

#include "core/base/hl-arena.h"

#include <stdbool.h>

typedef struct {
  HlArena arena;
  int n;              /* rows and columns, by hl_sparse_sites_end () */
  int n_sites, room;  /* of the walk; room of the next two while it is the first one */
  int *row, *column;  /* n_sites: until the pattern is known */
  double *first;      /* n_sites: values of the first walk */
  int *entry;         /* n_sites: where it adds; NULL: the first walk is not over */
  int at;             /* next site of the walk */
  int n_entries;      /* start[n] */
  int *start, *index; /* n + 1, n_entries: compressed columns, rows of a column rising */
  double *value;      /* n_entries */
} HlSparseSites;

/* Begins a walk: all entries are zero. */
void hl_sparse_sites_begin (HlSparseSites *self);
/* The next site. */
void hl_sparse_sites_add (HlSparseSites *self, int row, int column, double value);
/* Ends a walk; after the first one the matrix is one of n rows and columns. */
void hl_sparse_sites_end (HlSparseSites *self, int n);
/* Which of the entries it is; -1: none. */
int hl_sparse_sites_find (const HlSparseSites *self, int row, int column);
void hl_sparse_sites_clear (HlSparseSites *self);
