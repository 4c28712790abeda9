/* SPDX-License-Identifier: MIT */
/* Linearization of the hybrid oil model in one mode: the reduced equations (theory/hybrid.md (11),
 * (21))
 *
 *   x'    = v
 *   vbar' = Mr^-1 alpha^T (F - M g)
 *
 * about any state, also one in motion, with time and commands held. States: independent
 * coordinates, dependent coordinates of nonholonomic machines, independent velocities and flows.
 * Inputs: signals and the pressures of pumps, as in hl-linear-model.h. */
#pragma once

#include "core/hybrid/hl-hybrid-mode-state.h"
#include "core/linear/hl-linear-model.h"

typedef struct {
  HlLinearization *lin;
  HlLinearModel *model; /* the same with the requested outputs */
  int *soft;            /* n_soft: compressible lines, each with its pressure as a state */
  int n_soft;
  double error; /* of J, estimated, as a part of the largest entry of the row in scaled states */
} HlHybridLinear;

/* Linearizes a hybrid model; place and choice as in hl_hybrid_mode_check_new. NULL and a fault when the mode
 * is infeasible or the model is unsuitable. Owned by the caller. */
HlHybridLinear *hl_hybrid_linearize (const HlSystem *sys, const HlHybridPlace *place,
                                     const HlHybridChoice *choice, HlFault *fault);
HlHybridLinear *hl_hybrid_linearize_with_outputs (const HlSystem *sys, const HlHybridPlace *place,
                                                  const HlHybridChoice *choice, const HlObservable outputs[],
                                                  int n_outputs, HlFault *fault);
void hl_hybrid_linear_free (HlHybridLinear *linear);

/* A mode that differs from another one by one element. */
typedef struct {
  int component; /* switching component: one that closes a path, or a cylinder */
  bool is_stop, upper;
  bool on; /* shut or touched there, open or free here */
  HlHybridLinear *linear;
} HlHybridNeighbour;

/* Finds the feasible neighbours of the mode of an examination, each linearized at the same positions and as
 * nearly the same velocities as it permits: check and relief valves that open or close, stops that are
 * touched (within `reach` of the stroke [m]) or left. Returns their number; *neighbours (free with
 * hl_hybrid_neighbours_free) may be NULL when it is 0. */
int hl_hybrid_find_neighbours (const HlSystem *sys, const HlHybridPlace *place, const HlHybridChoice *choice,
                               double reach, HlHybridNeighbour **neighbours);
void hl_hybrid_neighbours_free (HlHybridNeighbour *neighbours, int n);
