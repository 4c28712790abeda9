/* SPDX-License-Identifier: MIT */
/* Pipe; ports A B in this order. */
#pragma once

#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"

/* A pipe cut into n segments: their flows q_1 ... q_n are states, and so are the pressures
 * p_1 ... p_(n-1) between them, with p_0 = p_A and p_n = p_B:
 *
 *   I q_k' = p_(k-1) - p_k - loss (q_k)                I = rho (L/n)/A
 *   C p_k' = q_k - q_(k+1)                             C = V (1/B + 1/B_wall + c_air) + c_pocket
 *
 * V = A L/n; half of it belongs to the line at each end. An end on no line is a wall. */

typedef struct {
  int n;
  double inertia;               /* of a segment [Pa s2/m3] */
  double resistance;            /* of a segment [Pa s/m3] */
  const HlChurchill *churchill; /* of a segment; NULL: the resistance */
  double volume;                /* between two segments [m3] */
  double softness;              /* 1/B + 1/B_wall [1/Pa] */
  double air_fraction, onset;   /* of the oil [1], [Pa] */
} HlPipeSegments;

/* Returns the number of flows, then pressures. */
static inline int hl_pipe_segments_n_states (const HlPipeSegments *pipe) {
  return 2 * pipe->n - 1;
}

enum { HL_PIPE_A, HL_PIPE_B };

/* Its friction. */
enum { HL_PIPE_LINEAR, HL_PIPE_CHURCHILL };

/* Words of its states. */
enum { HL_PIPE_ONE_FLOW, HL_PIPE_FLOWS, HL_PIPE_PRESSURES };

typedef struct {
  double length, diameter; /* [m] */
  double area;             /* [m2] */
  double resistance;       /* [Pa s/m3]; derived when none is stated */
  bool has_inertia;
  int friction;          /* HL_PIPE_LINEAR, HL_PIPE_CHURCHILL */
  double flow;           /* at t = 0 [m3/s] */
  double inertia;        /* derived: rho L/A [Pa s2/m3] */
  HlChurchill churchill; /* derived but for its roughness */
  double segments;       /* 0: none */
  double wall_modulus;   /* of a pipe in segments; 0: rigid [Pa] */
  HlPipeSegments cut;    /* derived; n = 0: it is not */
} HlPipe;

extern const HlComponentHelp hl_pipe_help;
