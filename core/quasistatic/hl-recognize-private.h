/* SPDX-License-Identifier: MIT */
/* The circuit as a graph, for the recognition of the quasistatic pattern: core/system only. */
#pragma once

#include "core/quasistatic/hl-recognize.h"

typedef enum {
  HL_EDGE_ORIFICE,
  HL_EDGE_ONE_WAY, /* from a to b only */
  HL_EDGE_LIMIT    /* from a to b above a pressure difference */
} HlEdgeKind;

typedef struct {
  HlEdgeKind kind;
  int a, b;
  int term;    /* -1 for limits */
  double sign; /* +1 if the term's direction is a to b */
  int passage; /* of the lowest component in it */
  bool is_gone;
} HlEdge;

/* What a node is before anything is known of its neighbours. */
typedef enum {
  HL_END_NONE, /* to be eliminated */
  HL_END_TANK,
  HL_END_SOURCE, /* of a pressure */
  HL_END_PUMP,
  HL_END_HEAD,
  HL_END_ROD
} HlEndKind;

typedef struct {
  HlEndKind kind;
  int index;
} HlEnd;

typedef struct {
  HlArena arena;           /* holds every array but terms and pairs */
  HlArena *kept;           /* holds those: they outlive the graph; borrowed */
  const HlSystem *sys;     /* borrowed */
  int without;             /* component left out, -1 = none */
  int *root;               /* n_nodes: nodes that pipes join have one */
  HlEnd *ends;             /* n_nodes, by root */
  bool *is_reached;        /* n_nodes: scratch of searches */
  int *fed_from, *feeds;   /* n_nodes: a node behind a check valve: from where, which cylinder; -1 */
  int n_edges, room_edges; /* ways between nodes, those gone included */
  HlEdge *edges;
  int n_terms, room_terms; /* conductances, composed ones behind their parts */
  HlTerm *terms;
  int n_pairs, room_pairs; /* valves that are never both open */
  HlCircuitPair *pairs;
  int *pump_passage; /* n_pumps: flow sources that are the pumps of the graph */
  int n_pumps;
} HlGraph;

/* The recognition without one component (-1: with all); the first misfit, not the culprit. */
HlStatus hl_recognize_without (const HlSystem *sys, int without, HlCircuit *circuit, HlMisfit *misfit);

/* Whether a way ends in a chamber of a cylinder. */
static inline bool hl_end_is_chamber (HlEnd end) {
  return end.kind == HL_END_HEAD || end.kind == HL_END_ROD;
}

/* Says what does not fit, and where (-1: nowhere in particular); returns HL_BAD_MODEL. */
static inline HlStatus hl_misfit_set (HlMisfit *misfit, HlMisfitKind kind, int component, int line) {
  *misfit = (HlMisfit){kind, component, line};
  return HL_BAD_MODEL;
}
