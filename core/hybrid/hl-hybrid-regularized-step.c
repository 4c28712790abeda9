/* SPDX-License-Identifier: MIT */
/* Finds which valve edges are open after an event by one implicit step of a short time h. In this step velocities may
 * change, the oil is slightly compressible, and every law is open or shut by its own pressures (theory/hybrid.md,
 * "The regularized step"):
 *
 *   v+ = v + h M^-1 (F - W p - W_H lam),    W_H^T v+ = -b_H
 *   eps C (p - p_before) = W^T v+ + b + h (b' + W'^T v) + phi (p)         (26b)
 *
 * with H the stops and shut lines of the mode. W^T v+ falls with p as h W^T M^-1 W does, symmetric and
 * positive semidefinite, so oil without a way out has a finite pressure. The valve lifts at p decide which edges
 * are open, and Newton's method for the pressures of the mode starts at p. */
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-mode.h"
#include "core/hybrid/hl-hybrid-ways-private.h"
#include "core/math/hl-linalg.h"

/* Length h of the step [s]; poses do not change in it. */
#define MOMENT 1.0e-7
/* Diagonal term of held columns, as a fraction of their own, so that linearly dependent columns can be eliminated. */
#define SLACK 1.0e-12
/* eps C of (26b) is at most this fraction of the diagonal of h W^T M^-1 W, and at least LEAST_SOFTNESS [m3/(s Pa)]. */
#define SOFTNESS 1.0e-6
#define LEAST_SOFTNESS 1.0e-24

void
hl_hybrid_regularized_step_init (HlHybridRegularizedStep *of,
                                 const HlHybridNetwork *net,
                                 HlArena *arena)
{
  int n = net->n_states, m = net->n_columns;

  of->mass = hl_arena_take (arena, n * n, sizeof (double));
  of->w = hl_arena_take (arena, n * m, sizeof (double));
  of->answer = hl_arena_take (arena, n * m, sizeof (double));
  of->force = hl_arena_take (arena, 2 * n, sizeof (double));
  of->gain = hl_arena_take (arena, m * m, sizeof (double));
  of->hold = hl_arena_take (arena, m * m, sizeof (double));
  of->free = hl_arena_take (arena, m, sizeof (double));
  of->stiff = hl_arena_take (arena, m * m, sizeof (double));
  of->columns = hl_arena_take (arena, m, sizeof (int));
  of->pivots = hl_arena_take (arena, n + m, sizeof (int));
}

static double
along (const double a[], const double b[], int n)
{
  double sum = 0.0;

  for (int k = 0; k < n; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Unknown pressures, then what the mode holds; the number of the former. */
static int
list_columns (HlHybridWays *ways, const HlHybridKey *key, int *n_all)
{
  const HlHybridNetwork *net = ways->machine->net;
  HlHybridRegularizedStep *of = &ways->regularized;
  int n = 0, m;

  for (int node = 0; node < net->tables.n_nodes; node++) {
    ways->index[node] = net->tables.node_is_fixed[node] ? -1 : n;
    if (ways->index[node] >= 0)
      of->columns[n++] = hl_hybrid_node_column (net, node);
  }
  m = n;
  for (int column = net->tables.n_nodes; column < net->n_columns; column++)
    if (hl_hybrid_key_has_column (net, key, column) ||
        hl_hybrid_column_kind (net, column, &(int){0}) == HL_HYBRID_LINK_FORCE)
      of->columns[m++] = column;
  *n_all = m;
  return n;
}

/* Flows into the unknown nodes at p = 0, and how they fall with p, both with what is held. */
static HlStatus
find_stiffness (HlHybridWays *ways, HlHybridInputs *in, const double v[], int n_unknown, int n_all)
{
  const HlHybridNetwork *net = ways->machine->net;
  HlHybridRegularizedStep *of = &ways->regularized;
  int n = net->n_states, lines = net->tables.n_lines, n_held = n_all - n_unknown;
  double *push = of->force + n;

  for (int node = 0; node < net->tables.n_nodes; node++)
    if (!net->tables.node_is_fixed[node])
      in->node_pressure[node] = 0.0;
  in->group = NULL; /* every node for itself */
  hl_hybrid_force_eval (net, in, v, of->force);
  memset (of->mass, 0, (size_t)n * (size_t)n * sizeof (double));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i >= lines && j >= lines)
        of->mass[i + n * j] = in->mass[i - lines + (n - lines) * (j - lines)];
      else if (i == j)
        of->mass[i + n * j] = net->tables.lines[i].inertia;
  for (int k = 0; k < n_all; k++)
    hl_hybrid_column_assemble (net, in, of->columns[k], of->w + n * k);
  memcpy (of->answer, of->w, (size_t)n * (size_t)n_all * sizeof (double));
  memcpy (push, of->force, (size_t)n * sizeof (double));
  if (hl_lu_factor (n, of->mass, of->pivots) != HL_OK)
    return HL_SINGULAR;
  hl_lu_solve (n, of->mass, of->pivots, n_all, of->answer);
  hl_lu_solve (n, of->mass, of->pivots, 1, push);
  for (int i = 0; i < n_all; i++) {
    const double *w = of->w + n * i;
    of->free[i] = along (w, v, n) + MOMENT * along (w, push, n) +
                  hl_hybrid_column_inflow (net, in, of->columns[i]) +
                  MOMENT * hl_hybrid_column_rate (net, in, of->columns[i]);
    for (int j = 0; j < n_all; j++)
      of->gain[i + n_all * j] = MOMENT * along (w, of->answer + n * j, n);
  }
  /* the reactions of what is held: lam = S_HH^-1 (free_H - S_HP p) */
  for (int j = 0; j <= n_unknown; j++)
    for (int i = 0; i < n_held; i++)
      of->stiff[i + n_held * j] =
          j < n_unknown ? of->gain[n_unknown + i + n_all * j] : of->free[n_unknown + i];
  for (int j = 0; j < n_held; j++)
    for (int i = 0; i < n_held; i++)
      of->hold[i + n_held * j] =
          of->gain[n_unknown + i + n_all * (n_unknown + j)] * (i == j ? 1.0 + SLACK : 1.0);
  if (n_held > 0 && hl_lu_factor (n_held, of->hold, of->pivots) != HL_OK)
    return HL_SINGULAR;
  hl_lu_solve (n_held, of->hold, of->pivots, n_unknown + 1, of->stiff);
  for (int i = 0; i < n_unknown; i++) {
    for (int k = 0; k < n_held; k++)
      of->free[i] -= of->gain[i + n_all * (n_unknown + k)] * of->stiff[k + n_held * n_unknown];
    for (int j = 0; j < n_unknown; j++)
      for (int k = 0; k < n_held; k++)
        of->gain[i + n_all * j] -=
            of->gain[i + n_all * (n_unknown + k)] * of->stiff[k + n_held * j];
  }
  for (int j = 0; j < n_unknown; j++) /* packed, column after column */
    memmove (of->gain + n_unknown * j, of->gain + n_all * j, (size_t)n_unknown * sizeof (double));
  return HL_OK;
}

/* Adds the compliance of the oil to the diagonal. It is so small that it matters for undetermined pressures alone, which
 * it keeps nearest to their values before the step. */
static void
add_compliances (HlHybridWays *ways, const HlWork *work, int n)
{
  HlHybridRegularizedStep *of = &ways->regularized;
  const HlHybridMachine *machine = ways->machine;
  double least = INFINITY;

  for (int pass = 0; pass < 2; pass++)
    for (int node = 0; node < machine->n_nodes; node++) {
      int k = ways->index[node];
      if (k < 0)
        continue;
      double c = node < machine->n_line_nodes
                     ? hl_hybrid_compliance (ways->sys, machine, work, node, ways->p[node])
                     : 0.0;
      double own = of->gain[k + n * k];
      if (pass == 0 && c > 0.0 && own > 0.0)
        least = fmin (least, own / c);
      if (pass == 0)
        continue;
      double soft = fmax (SOFTNESS * c * (isfinite (least) ? least : 1.0), LEAST_SOFTNESS);
      of->gain[k + n * k] += soft;
      of->free[k] += soft * ways->p[node];
    }
}

HlStatus
hl_hybrid_ways_take_regularized_step (HlHybridWays *ways,
                                      const HlWork *work,
                                      const HlHybridKey *key,
                                      const double v[],
                                      HlHybridInputs *in)
{
  HlHybridRegularizedStep *of = &ways->regularized;
  int n_all, n = list_columns (ways, key, &n_all);
  const int *group = in->group;
  HlStatus status = find_stiffness (ways, in, v, n, n_all);

  in->group = group;
  if (status != HL_OK)
    return status;
  add_compliances (ways, work, n);
  memcpy (ways->there, ways->p, (size_t)ways->machine->n_nodes * sizeof (double));
  for (int node = 0; node < ways->machine->n_nodes; node++)
    if (ways->index[node] >= 0)
      ways->given[node] = of->free[ways->index[node]];
    else
      ways->p[node] = in->node_pressure[node];
  of->n = n;
  bool is_found = hl_hybrid_ways_find (ways, work, in, n);
  of->n = 0;
  for (int node = 0; node < ways->machine->n_nodes; node++)
    ways->is_known[node] = true;
  if (!is_found)
    memcpy (ways->p, ways->there, (size_t)ways->machine->n_nodes * sizeof (double));
  return is_found ? HL_OK : HL_NO_CONVERGENCE;
}
