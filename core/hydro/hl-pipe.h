/* SPDX-License-Identifier: MIT */
/* Pipe; ports A B in this order. */
#pragma once

#include "core/hydro/hl-churchill.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-pipe-segments.h"

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
