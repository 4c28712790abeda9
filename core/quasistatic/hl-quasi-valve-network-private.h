/* SPDX-License-Identifier: MIT */
/* Inside of the network: its unknown pressures, and what the laws of its valves read. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-quasi-valve-network.h"

/* A pipe with inertia: in a steady flow its resistance alone counts. */
typedef struct {
  int node_a, node_b; /* of the system */
  int flow;           /* into the branches; -1 = none */
  double conductance; /* 1/R [m3/s/Pa] */
} HlQuasiResistance;

struct HlQuasiNet {
  HlArena arena;
  const HlSystem *sys;
  int n;             /* unknown pressures */
  int *at;           /* n_nodes: place among them, -1 = given */
  double *given;     /* n_nodes: pressure where it is given [Pa] */
  int *node_of;      /* n: lowest node of each */
  int n_laws, *laws; /* components whose laws count */
  bool *counts;      /* n_components: its law does */
  int n_pipes;
  HlQuasiResistance *pipes;
  HlQuasiPiston *pistons; /* n_cylinders */
  bool leaves_cushions;   /* of a map */
  bool is_monotone;       /* no pilots: every flow depends on its own pressure drop alone */
  double lowest;          /* p_c, at which a pocket opens [Pa] */

  /* lines that stay compressible (46): their pressures are states of the machine */
  bool is_steady; /* pumps stand as they are, and only stores make lines soft */
  int n_soft;
  int *soft_node;       /* n_soft: lowest node */
  int *soft_of;         /* n_nodes: which of them it is, -1 = none */
  double *soft_p;       /* n_soft: by the caller [Pa] */
  const int *pieces;    /* n_stores: of the stores' laws, borrowed; NULL: by pressure and state */
  double *gather;       /* n_soft: flow into it less what its chambers grow by [m3/s] */
  double *gather_slope; /* n_soft: -d gather/d soft_p, the other lines held still [m3/s/Pa] */

  /* inputs, by hl_quasi_net_open () */
  double *signal;         /* n_components x HL_MOST_COMMANDS */
  double *state;          /* n_states_u */
  double *length, *speed; /* n_cylinders */

  /* at the last evaluation */
  double *x;           /* n [Pa] */
  double *saved_x;     /* n: by hl_quasi_net_save_pressures () [Pa] */
  double *node_p;      /* n_nodes */
  double *flow, *rate; /* n_branches, n_states_u */
  double *law_d;       /* n_d */
  double *excess;      /* n: flow into the node less what its chambers grow by [m3/s] */
  double *size;        /* n: sum of the absolute values in it */
  double *matrix;      /* n x n: -d excess/d x */

  /* of the solution */
  bool *is_pocket;                            /* n: held at p_c */
  bool *is_free;                              /* n: undetermined */
  double *answer;                             /* n_cylinders x n: dx/dfbar */
  double *lu;                                 /* n x n */
  int *pivots;                                /* n */
  double *eliminated;                         /* n x n: scratch of find_free */
  double *d, *start, *column, *kept, *origin; /* n: scratch */
  int *rows, *columns;                        /* n: scratch */
};

/* Sets the start pressures for the drawing. */
void hl_quasi_net_begin (HlQuasiNet *net);

/* Returns the unknown of a node, -1 = it has none. */
static inline int hl_quasi_net_at (const HlQuasiNet *net, int node) {
  return node >= 0 ? net->at[node] : -1;
}

/* Returns the soft line of a node, -1 = it is none. */
static inline int hl_quasi_net_soft (const HlQuasiNet *net, int node) {
  return node >= 0 ? net->soft_of[node] : -1;
}
