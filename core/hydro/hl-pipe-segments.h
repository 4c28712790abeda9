/* SPDX-License-Identifier: MIT */
/* A pipe cut into n segments: their flows q_1 ... q_n are states, and so are the pressures
 * p_1 ... p_(n-1) between them, with p_0 = p_A and p_n = p_B:
 *
 *   I q_k' = p_(k-1) - p_k - loss (q_k)                I = rho (L/n)/A
 *   C p_k' = q_k - q_(k+1)                             C = V (1/B + 1/B_wall + c_air) + c_pocket
 *
 * V = A L/n; half of it belongs to the line at each end. An end on no line is a wall. */
#pragma once

#include "core/hydro/hl-churchill.h"
#include "core/hydro/hl-component.h"

typedef struct {
  int n;
  double inertia;               /* of a segment [Pa s2/m3] */
  double resistance;            /* of a segment [Pa s/m3] */
  const HlChurchill *churchill; /* of a segment; NULL: the resistance */
  double volume;                /* between two segments [m3] */
  double softness;              /* 1/B + 1/B_wall [1/Pa] */
  double air_fraction, onset;   /* of the oil [1], [Pa] */
} HlPipeSegments;

/* Flows, then pressures. */
static inline int hl_pipe_segments_n_states (const HlPipeSegments *pipe) {
  return 2 * pipe->n - 1;
}

/* Of HlComponentClass.softening, between two segments at the pressure p. */
double hl_pipe_segments_softening (const HlPipeSegments *pipe, double p);

/* Of HlComponentClass.eval, with the branches past, in at A and out at B. The rate of a pressure that
 * is not above 0 is no number: the step was too long. */
void hl_pipe_segments_eval (const HlPipeSegments *pipe, HlLaw *law, const bool on_line[2]);

/* Of HlComponentClass.power: oil that gains speed and pressure keeps what friction does not take. */
void hl_pipe_segments_power (const HlPipeSegments *pipe, const HlLaw *law, const bool on_line[2],
                             double powers[3]);
