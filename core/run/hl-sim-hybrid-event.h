/* SPDX-License-Identifier: MIT */
/* Reports of a run of the hybrid oil model besides its rows: events, and the modes they lead to. */
#pragma once

#include <stdbool.h>

#include "core/base/hl-status-codes.h"

typedef enum {
  HL_SIM_CLOSES, /* a check or relief valve, by itself */
  HL_SIM_OPENS,
  HL_SIM_HITS_STOP,
  HL_SIM_LEAVES_STOP,
  HL_SIM_IS_SHUT, /* by command */
  HL_SIM_IS_OPENED,
  HL_SIM_CAVITATES, /* a line: its pressure falls below the vapor pressure, the liquid pulls */
  HL_SIM_FILLS,     /* its pressure rises above it again */
  HL_SIM_TEARS,     /* a line: the impulse of an impact is negative */
  HL_SIM_GIVES_WAY  /* a line: incompressible oil has no answer here, its pressure is a state */
} HlSimEventKind;

typedef struct {
  double t;
  HlSimEventKind kind;
  HlEntityKind entity_kind; /* HL_ENTITY_COMPONENT or HL_ENTITY_LINE */
  int entity;               /* file order */
  bool upper;               /* which stop */
  bool follows;             /* comes with another event at the same time, which caused it */
  double impulse;           /* of the impact: Pa s (valves, lines) or N s (stops); NAN: none */
} HlSimEvent;

typedef struct {
  int component; /* a cylinder */
  bool upper;
} HlHybridStop;

/* A mode and where it begins, or, with `ends`, the end of the run in it; everything is borrowed for
 * the call. */
typedef struct {
  double t;
  bool ends;
  const int *closed; /* n_closed: components that closed their path, one a path */
  int n_closed;
  const HlHybridStop *stops;
  int n_stops;
  const double *x, *v; /* pose and velocity of the bodies: 3 n_bodies each */
  const double *flow;  /* n_flows: of the flow paths [m3/s] */
  int n_flows;
  const double *p, *u;   /* n_pressures of the start, of which those of compressible oil count;
                            n_component_states */
  const int *shut_edges; /* n_shut_edges: ways of oil without inertia that are closed */
  int n_shut_edges;
  const int *soft; /* n_soft: lines whose oil is compressible (hl-run-warnings.h), each a state of the mode */
  int n_soft;
} HlSimMode;
