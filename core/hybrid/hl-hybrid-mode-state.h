/* SPDX-License-Identifier: MIT */
/* The hybrid model held still in one mode at one state: what the mode report and the linearization
 * start from. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/run/hl-sim-hybrid-event.h"
#include "core/hybrid/hl-hybrid-linkage-terms.h"

/* Closed flow paths (any component of the path) and touched stops. */
typedef struct {
  const int *closed; /* n_closed: components */
  int n_closed;
  const HlHybridStop *stops;
  int n_stops;
  const int *shut_edges; /* n_shut_edges of the network: ways without inertia that are closed */
  int n_shut_edges;
  const int *soft; /* n_soft: compressible lines, each with its pressure as a state */
  int n_soft;
} HlHybridChoice;

/* A state of the machine: bodies (3 n_bodies numbers each) and flows of the paths. */
typedef struct {
  double t;
  const double *x, *v; /* n_coordinates [m or rad, m/s or rad/s] */
  const double *flow;  /* one a path, n_lines of the network [m3/s] */
  const double *p, *u; /* n_pressures, n_component_states; NULL: those of the given start */
} HlHybridPlace;

typedef struct {
  HlArena arena;              /* of itself and its arrays */
  const HlSystem *sys;        /* borrowed */
  HlWork *work;               /* with the partition of the point */
  HlHybridCoupling *coupling; /* the linkage as a plant */
  HlHybridSolver *solver;     /* in the mode that is examined */
  double t;                   /* of the point [s] */
  double *v;                  /* n_states: all velocities, consistent with the mode */
  double *vbar;               /* n_states: the independent ones first */
  HlStatus status;            /* whether the mode is possible */
} HlHybridModeCheck;

/* Returns a check. choice NULL: the mode in which a run starts, at the given start (place must be NULL).
 * place NULL: the given start, without flows where the choice leaves them free. In a mode that the velocities
 * of the place violate, the independent ones are kept. Where incompressible oil has no solution, lines become
 * compressible as in a run, besides those of the choice.
 *
 * Owned by the caller. status is HL_OK, or HL_INFEASIBLE for a mode whose constraints contradict
 * each other. NULL and a fault when the drawing does not suit the model. */
HlHybridModeCheck *hl_hybrid_mode_check_new (const HlSystem *sys, const HlHybridPlace *place,
                                             const HlHybridChoice *choice, HlFault *fault);
void hl_hybrid_mode_check_free (HlHybridModeCheck *examination);

/* Writes the compressible lines without an accumulator into lines[n_lines of the system] when not NULL;
 * returns their number. */
int hl_hybrid_mode_check_soft (const HlHybridModeCheck *examination, int lines[]);
/* Writes pressures and component states of the examination into p and u of a point. */
void hl_hybrid_mode_check_note (const HlHybridModeCheck *examination, HlPoint *point);

/* Writes the name of a state of the network, "PIPE" or "BODY.omega"; snprintf rules. */
void hl_hybrid_mode_check_state_name (const HlHybridModeCheck *examination, int state, char text[],
                                      size_t room);

/* The mode of the hybrid model that a state of the lumped one is in: what closes there is closed, what
 * passes oil is open. */

typedef struct {
  HlArena arena; /* of itself and its arrays */
  HlHybridPlace place;
  HlHybridChoice choice;
} HlHybridAtPoint;

/* Returns the mode at a point; work: as hl_dynamics_eval () left it at the point, borrowed. NULL and a fault
 * if the drawing does not suit the model. Owned by the caller. */
HlHybridAtPoint *hl_hybrid_at_point_new (const HlSystem *sys, const HlWork *work, const HlPoint *point,
                                         HlFault *fault);
void hl_hybrid_at_point_free (HlHybridAtPoint *at);

/* The hybrid oil model in one mode, with names: for the command line and for
 * teaching. */

typedef struct {
  HlArena arena;      /* of itself and its arrays; the texts are allocations of their own */
  const char *status; /* "ok", "redundant" or "infeasible"; static */
  int rank;
  int n_states, n_constraints, n_free;
  char **states, **constraints; /* owned */
  double *W;                    /* n_states x n_constraints, column-major */
  int *independent;             /* n_free, into states */
  double *alpha;                /* n_states x n_free */
  double *mass;                 /* n_free x n_free: reduced */
  double *multipliers;          /* n_constraints: pressures, forces, pressure drops; NAN undetermined */
} HlHybridModeReport;

/* Returns the report of a mode; place and choice as in hl_hybrid_mode_check_new. NULL and a fault if the
 * drawing does not suit the model. Owned by the caller. */
HlHybridModeReport *hl_hybrid_mode_report_new (const HlSystem *sys, const HlHybridPlace *place,
                                               const HlHybridChoice *choice, HlFault *fault);
void hl_hybrid_mode_report_free (HlHybridModeReport *report);
