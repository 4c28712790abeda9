/* SPDX-License-Identifier: MIT */
/* Interface of a component to the models without compressibility (hybrid, quasistatic): passages between two
 * of its ports, each of a kind for which these models have equations. A component whose law they cannot
 * represent says so in its passage, with the reason. */
#pragma once

#include <stdbool.h>

#include "core/hydro/hl-flow-law.h"

typedef enum {
  HL_PASSAGE_ORIFICE, /* conductance times opening; both ways, or one way only */
  HL_PASSAGE_CHECK,   /* from a to b above opening_pressure */
  HL_PASSAGE_RELIEF,  /* the same, and it is there to limit a pressure */
  HL_PASSAGE_PIPE,    /* a resistance, inertia of its oil */
  HL_PASSAGE_PUMP,    /* a given flow into b, out of the outside or a tank at a, up to its own
                         relief pressure */
  HL_PASSAGE_OTHER    /* none of these */
} HlPassageKind;

typedef struct {
  /* filled by the class; ports, branch, signal and state are numbers within the component */
  HlPassageKind kind;
  int port_a, port_b;      /* -1: the outside */
  int branch;              /* branch of the flow; -1 = none */
  bool one_way;            /* from a to b only */
  bool is_free;            /* the quasistatic model takes it to have no resistance */
  double conductance;      /* [m3/s per sqrt(Pa)] */
  double opening_pressure; /* difference above which it opens [Pa] */
  int signal;              /* that commands the opening, or gives the flow of a pump; -1 = always open */
  double per_signal;       /* pump: flow for one unit of that signal [m3/s] */
  int state;               /* the opening follows this state of it; -1 = none */
  bool is_spool;           /* opening = sense U - dead_zone; else it is the signal, at most 1 */
  double sense, dead_zone;
  double min_opening;         /* hybrid model */
  double inertia, resistance; /* pipe [Pa s2/m3], [Pa s/m3] */
  int n_cells;            /* pipe: its first states are so many flows, then come the pressures between them */
  bool is_churchill;      /* pipe: this takes the place of the linear resistance where the flow */
  HlChurchill churchill;  /* has inertia; of its whole length */
  double relief_pressure; /* pump; INFINITY = none [Pa] */
  const char *hybrid_why; /* not NULL: the hybrid model cannot represent it, and what would */
  const char *hybrid_mend; /* mend it; HL_TEXT */
  bool quasi_refuses;      /* no closed form of the quasistatic model has it; its networks do */

  /* filled by the system */
  int component;      /* file order */
  int flow;           /* into work->flow; -1 = none */
  int node_a, node_b; /* -1 = plugged, or the outside */
  int line_a, line_b; /* of the drawing; likewise */
} HlPassage;

/* Returns one that is always open, between the first two ports, with the first branch as its flow. */
static inline HlPassage hl_passage_of (HlPassageKind kind) {
  return (HlPassage){
      .kind = kind, .port_b = 1, .signal = -1, .per_signal = 1.0, .state = -1, .sense = 1.0, .flow = -1};
}

/* Fills the states of a pipe whose oil is stiff, state[2 n_cells - 1], all of its component's: one flow q
 * from a to b, and pressures on the straight line between those at its ends, since friction and inertia are
 * spread evenly:
 *
 *   q_k = q,   p_k = p_a + (p_b - p_a) k / n
 */
static inline void hl_passage_fill_cells (const HlPassage *at, double q, double p_a, double p_b,
                                          double state[]) {
  for (int k = 0; k < at->n_cells; k++)
    state[k] = q;
  for (int k = 1; k < at->n_cells; k++)
    state[at->n_cells - 1 + k] = p_a + (p_b - p_a) * k / at->n_cells;
}
