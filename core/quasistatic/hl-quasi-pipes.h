/* SPDX-License-Identifier: MIT */
/* Flows of pipes in the quasistatic model. It knows no pipes, their lines are one to it; but what
 * enters a line from everything else must leave it through its pipes, and that is their flow. Where
 * pipes lie beside each other they share it by their resistances. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/system/hl-system.h"

typedef struct {
  HlArena arena;  /* of the arrays */
  int n;          /* pipes with a line at either end */
  int n_nodes;    /* of the system */
  int *branch;    /* n */
  double *share;  /* n x n_nodes, a row a pipe: its flow per inflow into a node [1] */
  double *inflow; /* n_nodes: from everything but pipes; written by the caller of flow [m^3/s] */
} HlQuasiPipes;

/* Fills a struct that is empty so far from the resistances of the system; clear frees what it holds
 * and leaves it empty. */
void hl_quasi_pipes_init (HlQuasiPipes *pipes, const HlSystem *sys);
void hl_quasi_pipes_clear (HlQuasiPipes *pipes);

/* Flow of a pipe, by its place among the n, from the inflows. */
double hl_quasi_pipes_flow (const HlQuasiPipes *pipes, int pipe);
