/* SPDX-License-Identifier: MIT */
#include "core/math/hl-sparse-sites.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void hl_sparse_sites_begin (HlSparseSites *self) {
  self->at = 0;
  if (self->entry != NULL)
    memset (self->value, 0, sizeof (double) * (size_t)self->n_entries);
}

void hl_sparse_sites_add (HlSparseSites *self, int row, int column, double value) {
  if (self->entry != NULL) {
    assert (self->at < self->n_sites);
    self->value[self->entry[self->at++]] += value;
    return;
  }
  HlArena *arena = &self->arena;
  int n = self->n_sites, room_of_column = self->room, room_of_first = self->room;
  self->row = hl_arena_grow (arena, self->row, n, &self->room, sizeof (int));
  self->column = hl_arena_grow (arena, self->column, n, &room_of_column, sizeof (int));
  self->first = hl_arena_grow (arena, self->first, n, &room_of_first, sizeof (double));
  self->row[n] = row;
  self->column[n] = column;
  self->first[n] = value;
  self->n_sites++;
}

typedef struct {
  int column, row, site;
} Site;

static int compare_sites (const void *a, const void *b) {
  const Site *x = a, *y = b;

  return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                : (x->row > y->row) - (x->row < y->row);
}

static void make_pattern (HlSparseSites *self, int n) {
  HlArena own = hl_arena_beside (&self->arena), walk = self->arena;
  int count = self->n_sites;
  Site *sites = hl_arena_take (&walk, count, sizeof *sites);

  for (int k = 0; k < count; k++)
    sites[k] = (Site){self->column[k], self->row[k], k};
  qsort (sites, (size_t)count, sizeof *sites, compare_sites);
  self->n = n;
  self->entry = hl_arena_take (&own, count, sizeof (int));
  self->start = hl_arena_take (&own, n + 1, sizeof (int));
  for (int k = 0; k < count; k++) {
    bool is_new = k == 0 || compare_sites (&sites[k - 1], &sites[k]) != 0;
    self->n_entries += is_new;
    self->entry[sites[k].site] = self->n_entries - 1;
    self->start[sites[k].column + 1] += is_new;
  }
  for (int k = 0; k < n; k++)
    self->start[k + 1] += self->start[k];
  self->index = hl_arena_take (&own, self->n_entries, sizeof (int));
  self->value = hl_arena_take (&own, self->n_entries, sizeof (double));
  for (int k = 0; k < count; k++) {
    self->index[self->entry[sites[k].site]] = sites[k].row;
    self->value[self->entry[k]] += self->first[k];
  }
  self->row = self->column = NULL;
  self->first = NULL;
  hl_arena_clear (&walk);
  self->arena = own;
}

void hl_sparse_sites_end (HlSparseSites *self, int n) {
  if (self->entry == NULL)
    make_pattern (self, n);
  else
    assert (self->at == self->n_sites);
}

int hl_sparse_sites_find (const HlSparseSites *self, int row, int column) {
  for (int k = self->start[column]; k < self->start[column + 1]; k++)
    if (self->index[k] == row)
      return k;
  return -1;
}

void hl_sparse_sites_clear (HlSparseSites *self) {
  HlArena beside = hl_arena_beside (&self->arena);

  hl_arena_clear (&self->arena);
  *self = (HlSparseSites){.arena = beside};
}
