/* SPDX-License-Identifier: MIT */
/* Forward sensitivities of a run: how its outputs change with numbers of the model. Beside the
 * reduced equations y' = f (t, y, p) of the lumped oil
 *
 *   s_k' = J s_k + df/dp_k,   s_k (0) = dy(0)/dp_k
 *
 * are integrated along every step of the run, by the three-stage Radau IIA formula on the run's own dense
 * output with the exact J: for the method Radau that is the derivative of the discrete solution itself
 * with its steps held (H. G. Bock's internal differentiation). J is exact; derivatives by p at a fixed state,
 * of the start, and of the outputs are differences of fourth order between machines with neighbouring
 * numbers.
 *
 * At an instant T where f jumps, s jumps as well (theory/fitting.md (4), (5)),
 *
 *   s_after = s_before + (f_before - f_after) dT/dp
 *
 * with dT/dp from the times of the signal that turns there, or from the edge (hl-edges.h) that the run passes. Where
 * f only bends, the instant is located and the step divided there. Where the derivative does not exist, the
 * event says so. */
#pragma once

#include "core/system/hl-system.h"

#define HL_TANGENT_NODES 4

/* A number p: df/dp = sum_j weights[j] f (systems[j]), where the j-th machine has p + steps[j]. Borrowed;
 * all of the same bodies, lines and states as the one that runs. */
typedef struct {
  const HlSystem *systems[HL_TANGENT_NODES];
  double steps[HL_TANGENT_NODES], weights[HL_TANGENT_NODES];
} HlTangentNumber;

/* weights[HL_TANGENT_NODES] of the derivative at 0 of the polynomial through the places
 * steps[HL_TANGENT_NODES], all different. */
void hl_tangent_weights (const double steps[], double weights[]);

/* How a run passes an edge (hl-edges.h). All but the first: the rows behind have no derivative by `number`. */
typedef enum {
  HL_TANGENT_PASSES,
  HL_TANGENT_TOUCHES, /* so flat that a neighbor does not pass it, or that one does and the run does not */
  HL_TANGENT_TIES,    /* with another one at the same time, and the order of the two hangs on the number */
  HL_TANGENT_STARTS   /* the run starts on the edge: a mean of two slopes is given */
} HlTangentPassage;

typedef struct {
  double t; /* [s] */
  int edge; /* see hl_edges_get () */
  bool rises;
  HlTangentPassage passage;
  int number; /* which derivative does not exist */
} HlTangentEvent;

typedef struct {
  const HlTangentNumber *numbers;
  int n;
  /* Just before the row of the run at t: slopes[n_outputs x n], column-major */
  void (*row) (double t, const double slopes[], void *data);
  /* Called for each edge that the run passes or touches; may be NULL */
  void (*event) (const HlTangentEvent *event, void *data);
  void *data;
} HlTangent;

/* Whether runs of this machine have them, as its model chooses oil and formulation. */
bool hl_tangent_is_known (const HlSystem *sys);
