/* SPDX-License-Identifier: MIT */
/* The drawing as an incompressible network (theory/hybrid.md (1)-(6); seed 001): elements in series
 * become flow paths with the inertia of their pipes, the lines between paths become junctions,
 * tanks and sources fixed pressures, cylinders couple junctions to the linkage. Pressures are
 * absolute throughout. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/hybrid/hl-hybrid-events.h"
#include "core/hybrid/hl-hybrid-solver.h"
#include "core/system/hl-system-private.h"

/* Opening of a commanded valve that states no min_opening and is not close, at least. */
#define HL_HYBRID_LEAST_OPENING 1.0e-6

/* An element of a path, seen along the path. */
typedef struct {
  int component;
  int passage;  /* of the system */
  bool forward; /* first port upstream */
} HlHybridPart;

typedef struct {
  int pipe; /* component that names the path: its first pipe in file order */
  int n_parts;
  HlHybridPart *parts; /* from upstream to downstream */
  int valve;           /* passage of the commanded valve, -1 = none */
} HlHybridPath;

/* A component outside of all paths: its own law says what flows (theory/hybrid.md, "Ways without
 * inertia"). */
typedef struct {
  int component;
  int edge[HL_MOST_BRANCHES]; /* of each branch; -1: it ends on no line, and carries nothing */
  bool has_inner;             /* some of its states are pressures of oil of its own */
} HlHybridLaw;

typedef struct {
  int law, branch; /* -1: a way inside of the component, none of its branches */
  bool has_lift;   /* pressures or a spool open and closed it */
  bool is_given;   /* its flow does not depend on its own two pressures: it is a pump's */
} HlHybridPassage;

typedef struct {
  HlArena arena; /* of itself and its arrays */
  HlHybridNetwork *net;
  int n_paths;
  HlHybridPath *paths;
  int n_nodes;
  int *line_of_node;  /* n_nodes of the network: drawing line that names the node */
  int *node_of_line;  /* n_lines; -1: inside a path */
  int *node_of_state; /* n_component_states: oil inside of a component, a node of its own behind those
                         of the lines, that has this state as its pressure; -1: there is none */
  int n_line_nodes;   /* nodes that are lines: the first ones */
  int n_laws;
  HlHybridLaw *laws;     /* n_laws, in file order */
  HlHybridPassage *ways; /* one an edge of the network */
  bool *has_law;         /* n_components: it is among the laws */
  int n_soft;
  int *soft;    /* n_soft: nodes whose pressure is a state, for something there stores oil by pressure */
  int n_stored; /* the first of them: those with an accumulator. The others became compressible where the
                   oil had no solution */
  int n_extra;
  int *extra; /* n_extra: component states of the laws */
} HlHybridMachine;

/* Returns the machine, or NULL and a fault that names the first element that the model cannot represent, and
 * the model that can. n_mech is the number of degrees of freedom. Owned by the caller. */
HlHybridMachine *hl_hybrid_machine_new (const HlSystem *sys, int n_mech, HlFault *fault);
void hl_hybrid_machine_free (HlHybridMachine *machine);

/* Returns the path that holds a component, -1 = none. */
int hl_hybrid_machine_path_of (const HlHybridMachine *machine, int component);

/* Returns the component that closes a path: by command its first valve with a command, by itself its first
 * one-way element; the pipe that names the path when it has none. */
int hl_hybrid_machine_find_shutter (const HlHybridMachine *machine, const HlSystem *sys, int path,
                                    bool by_command);

/* Writes the name of a column, "P:LINE", "D:PIPE", "F:CYL:lower"; snprintf rules. */
void hl_hybrid_machine_column_name (const HlHybridMachine *machine, const HlSystem *sys, int column,
                                    char text[], size_t room);

/* ---- signals (theory/hybrid.md, "Feedback") ---- */

/* Returns whether some signal of the system listens. */
bool hl_hybrid_has_feedback (const HlSystem *sys);

/* Returns whether the rate of a signal is more than what hl_signal_rate () gives: it listens, or has a
 * bend. */
bool hl_hybrid_is_irregular (const HlSystem *sys, int signal);
