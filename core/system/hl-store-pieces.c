/* SPDX-License-Identifier: MIT */
#include "core/system/hl-store-pieces.h"

#include <math.h>
#include <stdlib.h>

#include "core/math/hl-larger.h"
#include "core/system/hl-state-scale.h"

/* Slack behind an edge, as part of the tolerance of a pressure, and of the volume of a piston accumulator times
 * rtol; not below some roundings of the edge. */
#define SLACK 0.1
#define SLACK_OF_VOLUME 1.0e-3
#define LEAST_SLACK 1.0e-14
/* A pressure moves by this part of the edge at most where a piece follows. */
#define FARTHEST_MOVE 1.0e-2

/* A store whose pressure is given stays where it is. */
static const HlComponent *get_store (const HlSystem *sys, int store) {
  const HlComponent *c = &sys->components[sys->topology->stores[store]];

  return c->node[0] >= 0 && sys->nodes[c->node[0]].state >= 0 ? c : NULL;
}

static double edge_value (const HlSystem *sys, const HlComponent *c, const double p[], const double u[],
                          int edge) {
  HlLaw law = {.p = &p[sys->nodes[c->node[0]].state], .state = u + c->first_state};

  return c->klass->store_edge (c, &law, edge);
}

/* Pressures are counted in those of the edge, and states in the volume of the store. */
static double slack_of (const HlSystem *sys, const HlComponent *c, const double p[], double value,
                        double rtol) {
  double slack = SLACK_OF_VOLUME * rtol;

  if (c->n_states == 0)
    slack = SLACK * rtol * HL_SCALE_PRESSURE * (1.0 + value) / p[sys->nodes[c->node[0]].state];
  return hl_larger (slack, LEAST_SLACK);
}

static bool is_behind (const HlWork *work, int store, int edge) {
  return work->pieces[store] > edge + 1;
}

int hl_store_edges_count (const HlSystem *sys) {
  int n = 0;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    n += c != NULL ? c->klass->n_store_edges : 0;
  }
  return n;
}

void hl_store_edges_eval (const HlSystem *sys, const HlWork *work, const double p[], const double u[],
                          double rtol, double out[]) {
  int n = 0;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    for (int edge = 0; c != NULL && edge < c->klass->n_store_edges; edge++) {
      double value = edge_value (sys, c, p, u, edge);
      double slack = slack_of (sys, c, p, value, rtol);
      out[n++] = isnan (value) ? 1.0 : value + (is_behind (work, k, edge) ? slack : -slack);
    }
  }
}

void hl_store_pieces_choose (const HlSystem *sys, HlWork *work, const double p[], const double u[]) {
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    work->pieces[k] = HL_PIECE_BY_STATE + (c != NULL ? 1 : 0);
    for (int edge = 0; c != NULL && edge < c->klass->n_store_edges; edge++)
      work->pieces[k] += edge_value (sys, c, p, u, edge) > 0.0 ? 1 : 0;
  }
}

/* The piece that follows the present one of store k. */
static int find_piece (const HlSystem *sys, const HlWork *work, int k, const HlComponent *c, const double p[],
                       const double u[], double rtol) {
  int piece = 1;

  for (int edge = 0; edge < c->klass->n_store_edges; edge++) {
    double value = edge_value (sys, c, p, u, edge), slack = slack_of (sys, c, p, value, rtol);
    bool is_above = is_behind (work, k, edge) ? value + slack > 0.0 : value - slack >= 0.0;
    piece += is_above ? 1 : 0;
  }
  return piece;
}

/* The pressure that the oil in the line of the store has by the law of the next piece, where it has p by that of the
 * present one:
 *
 *   p_edge + (p - p_edge) C/C_next */
static double find_pressure (const HlComponent *c, int present, int next, double p, double *compliance) {
  int edge = (present < next ? present : next) - 1;
  HlStored before, after;

  c->klass->store (c, p, present, &before);
  c->klass->store (c, p, next, &after);
  HlLaw law = {.p = &p};
  double p_edge = p / (1.0 + c->klass->store_edge (c, &law, edge));
  double compliance_next = *compliance - before.compliance + after.compliance;
  double most = FARTHEST_MOVE * p_edge, move = (p - p_edge) * (*compliance / compliance_next);
  *compliance = compliance_next;
  return compliance_next > 0.0 && isfinite (move) ? p_edge + hl_larger (hl_smaller (move, most), -most) : p;
}

bool hl_store_pieces_pass (const HlSystem *sys, HlWork *work, double p[], const double u[], double rtol,
                           double compliance[]) {
  bool any = false;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    int piece = c != NULL ? find_piece (sys, work, k, c, p, u, rtol) : work->pieces[k];
    if (piece == work->pieces[k])
      continue;
    if (c->n_states == 0 && abs (piece - work->pieces[k]) == 1) {
      double *at = &p[sys->nodes[c->node[0]].state];
      *at = find_pressure (c, work->pieces[k], piece, *at, &compliance[c->node[0]]);
    }
    work->pieces[k] = piece;
    any = true;
  }
  return any;
}
