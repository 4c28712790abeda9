/* SPDX-License-Identifier: MIT */
#include "core/system/hl-store-pieces.h"

#include <math.h>

#include "core/math/hl-larger.h"
#include "core/system/hl-error-scale.h"

/* Slack behind an edge, as part of the tolerance of a pressure, and of the volume of a piston accumulator times
 * rtol; not below some roundings of the edge. */
#define SLACK 0.1
#define SLACK_OF_VOLUME 1.0e-3
#define LEAST_SLACK 1.0e-14

/* A store whose pressure is given stays where it is. */
static const HlComponent *
get_store (const HlSystem *sys, int store)
{
  const HlComponent *c = &sys->components[sys->topology->stores[store]];

  return c->node[0] >= 0 && sys->nodes[c->node[0]].state >= 0 ? c : NULL;
}

static double
edge_value (const HlSystem *sys, const HlComponent *c, const double p[], const double u[], int edge)
{
  HlLaw law = {.p = &p[sys->nodes[c->node[0]].state], .state = u + c->first_state};

  return c->klass->store_edge (c, &law, edge);
}

/* Pressures are counted in those of the edge, and states in the volume of the store. */
static double
slack_of (const HlSystem *sys, const HlComponent *c, const double p[], double value, double rtol)
{
  double slack = SLACK_OF_VOLUME * rtol;

  if (c->n_states == 0)
    slack = SLACK * rtol * HL_SCALE_PRESSURE * (1.0 + value) / p[sys->nodes[c->node[0]].state];
  return hl_larger (slack, LEAST_SLACK);
}

static bool
is_behind (const HlWork *work, int store, int edge)
{
  return work->pieces[store] > edge + 1;
}

int
hl_store_edges_count (const HlSystem *sys)
{
  int n = 0;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    n += c != NULL ? c->klass->n_store_edges : 0;
  }
  return n;
}

void
hl_store_edges_eval (const HlSystem *sys,
                     const HlWork *work,
                     const double p[],
                     const double u[],
                     double rtol,
                     double out[])
{
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

void
hl_store_pieces_choose (const HlSystem *sys, HlWork *work, const double p[], const double u[])
{
  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    work->pieces[k] = HL_PIECE_BY_STATE + (c != NULL ? 1 : 0);
    for (int edge = 0; c != NULL && edge < c->klass->n_store_edges; edge++)
      work->pieces[k] += edge_value (sys, c, p, u, edge) > 0.0 ? 1 : 0;
  }
}

bool
hl_store_pieces_follow (
    const HlSystem *sys, HlWork *work, const double p[], const double u[], double rtol)
{
  bool any = false;

  for (int k = 0; k < sys->topology->n_stores; k++) {
    const HlComponent *c = get_store (sys, k);
    int piece = 1;
    for (int edge = 0; c != NULL && edge < c->klass->n_store_edges; edge++) {
      double value = edge_value (sys, c, p, u, edge), slack = slack_of (sys, c, p, value, rtol);
      bool is_above = is_behind (work, k, edge) ? value + slack > 0.0 : value - slack >= 0.0;
      piece += is_above ? 1 : 0;
    }
    if (c == NULL || piece == work->pieces[k])
      continue;
    work->pieces[k] = piece;
    any = true;
  }
  return any;
}
