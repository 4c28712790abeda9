/* SPDX-License-Identifier: MIT */
/* Pipes as a network of resistors, small beside everything else: with weights w = 1/R and
 * potentials phi of the lines (theory/quasistatic.md (32)),
 *
 *   sum over the pipes at a line of w (phi - phi_other) = inflow
 *   q = w (phi_A - phi_B)
 *
 * A line of a tank or source takes whatever comes: its potential is 0, and so is that of one line
 * in every group that has none (a line without a pipe is a group). Without loops of pipes the
 * weights drop out. */
#include "core/quasistatic/hl-quasi-pipes.h"

#include <math.h>
#include <stdbool.h>

#include "core/math/hl-linalg.h"
#include "core/system/hl-system-private.h"

/* Resistances this much smaller than the largest are taken to be so large, for the sake of
 * rounding. */
#define LEAST_PART 1e-6

/* A pipe of the lumped model with a line at either end. */
static bool is_pipe (const HlPassage *at) {
  return at->kind == HL_PASSAGE_PIPE && at->flow >= 0 && at->node_a >= 0 && at->node_b >= 0;
}

/* Fills branch and the weights; returns the number of pipes. */
static int gather (HlQuasiPipes *pipes, const HlSystem *sys, double weight[]) {
  double largest = 0.0;
  int n = 0;

  for (int k = 0; k < sys->n_passages; k++)
    if (is_pipe (&sys->passages[k]))
      largest = fmax (largest, sys->passages[k].resistance);
  for (int k = 0; k < sys->n_passages; k++)
    if (is_pipe (&sys->passages[k])) {
      double resistance = fmax (sys->passages[k].resistance, LEAST_PART * largest);
      pipes->branch[n] = sys->passages[k].flow;
      weight[n++] = resistance > 0.0 ? largest / resistance : 1.0;
    }
  return n;
}

/* Lines whose potential is 0. */
static void choose_ground (const HlQuasiPipes *pipes, const HlSystem *sys, bool is_ground[]) {
  const HlBranch *branches = sys->topology->branches;
  HlArena scratch = hl_arena_beside (&sys->arena);
  int *group = hl_arena_take (&scratch, sys->n_nodes, sizeof *group);
  bool *has_ground = hl_arena_take (&scratch, sys->n_nodes, sizeof *has_ground);

  for (int node = 0; node < sys->n_nodes; node++)
    group[node] = node;
  for (int k = 0; k < pipes->n; k++) {
    int a = group[branches[pipes->branch[k]].a], b = group[branches[pipes->branch[k]].b];
    for (int node = 0; node < sys->n_nodes; node++)
      if (group[node] == b)
        group[node] = a;
  }
  for (int node = 0; node < sys->n_nodes; node++) {
    is_ground[node] = sys->nodes[node].state < 0;
    has_ground[group[node]] = has_ground[group[node]] || is_ground[node];
  }
  for (int node = 0; node < sys->n_nodes; node++)
    if (!has_ground[group[node]])
      is_ground[node] = has_ground[group[node]] = true;
  hl_arena_clear (&scratch);
}

/* share = W A^T L^-1, with the incidence A of the pipes and L = A W A^T, grounded. */
static void solve (HlQuasiPipes *pipes, const HlSystem *sys, const double weight[], const bool is_ground[]) {
  const HlBranch *branches = sys->topology->branches;
  size_t n = (size_t)sys->n_nodes;
  HlArena scratch = hl_arena_beside (&sys->arena);
  double *L = hl_arena_take (&scratch, sys->n_nodes, n * sizeof *L);
  double *phi = hl_arena_take (&scratch, sys->n_nodes, sizeof *phi);
  int *pivots = hl_arena_take (&scratch, sys->n_nodes, sizeof *pivots);

  for (size_t node = 0; node < n; node++)
    L[node * n + node] = is_ground[node] ? 1.0 : 0.0;
  for (int k = 0; k < pipes->n; k++)
    for (int side = 0; side < 2; side++) {
      const HlBranch *branch = &branches[pipes->branch[k]];
      size_t here = (size_t)(side == 0 ? branch->a : branch->b);
      size_t there = (size_t)(side == 0 ? branch->b : branch->a);
      if (is_ground[here])
        continue;
      L[here * n + here] += weight[k];
      if (!is_ground[there])
        L[there * n + here] -= weight[k];
    }
  bool good = hl_lu_factor ((int)n, L, pivots) == HL_OK;
  for (size_t node = 0; node < n && good; node++) {
    for (size_t k = 0; k < n; k++)
      phi[k] = k == node && !is_ground[node] ? 1.0 : 0.0;
    hl_lu_solve ((int)n, L, pivots, 1, phi);
    for (int k = 0; k < pipes->n; k++) {
      const HlBranch *branch = &branches[pipes->branch[k]];
      pipes->share[(size_t)k * n + node] = weight[k] * (phi[branch->a] - phi[branch->b]);
    }
  }
  hl_arena_clear (&scratch);
}

void hl_quasi_pipes_init (HlQuasiPipes *pipes, const HlSystem *sys) {
  HlArena scratch = hl_arena_beside (&sys->arena), *arena = &pipes->arena;
  double *weight = hl_arena_take (&scratch, sys->n_passages, sizeof *weight);
  bool *is_ground = hl_arena_take (&scratch, sys->n_nodes, sizeof *is_ground);

  *pipes = (HlQuasiPipes){.arena = hl_arena_beside (&sys->arena), .n_nodes = sys->n_nodes};
  pipes->branch = hl_arena_take (arena, sys->n_passages, sizeof *pipes->branch);
  pipes->inflow = hl_arena_take (arena, sys->n_nodes, sizeof *pipes->inflow);
  pipes->n = gather (pipes, sys, weight);
  pipes->share = hl_arena_take (arena, pipes->n * sys->n_nodes, sizeof *pipes->share);
  if (pipes->n > 0) {
    choose_ground (pipes, sys, is_ground);
    solve (pipes, sys, weight, is_ground);
  }
  hl_arena_clear (&scratch);
}

void hl_quasi_pipes_clear (HlQuasiPipes *pipes) {
  hl_arena_clear (&pipes->arena);
  *pipes = (HlQuasiPipes){0};
}

double hl_quasi_pipes_flow (const HlQuasiPipes *pipes, int pipe) {
  const double *share = pipes->share + (size_t)pipe * (size_t)pipes->n_nodes;
  double q = 0.0;

  for (int node = 0; node < pipes->n_nodes; node++)
    if (share[node] != 0.0) /* an unknown inflow elsewhere is no concern */
      q += share[node] * pipes->inflow[node];
  return q;
}
