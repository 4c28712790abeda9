/* SPDX-License-Identifier: MIT */
#include "core/system/hl-edges.h"

#include <math.h>

/* A lift that ends at 1, like a spool's, must not come near. */
#define FULL (1.0 + 4.0 * HL_LEAST_OPENING)

/* Factor by which the value of a store's edge is scaled, so that the edge is located that much more closely than the
 * edges of other laws: oil that flows in before the edge is found is lost. */
#define STORE_SHARPNESS 1.0e3

/* Goes through all edges in their order. */
typedef struct {
  const HlWork *work; /* NULL: only counted */
  double *out;        /* hl_edges_count (), or NULL: not wanted */
  int n;              /* so far */
  int wanted;         /* the one that is to be found, -1 = none */
  HlBend found;
} Visit;

static void pass (Visit *visit, HlBendKind kind, int component, int number, double value) {
  if (visit->out != NULL)
    visit->out[visit->n] = isfinite (value) ? value : 1.0;
  if (visit->n == visit->wanted)
    visit->found = (HlBend){kind, component, number};
  visit->n++;
}

static void visit_cylinder (const HlSystem *sys, int component, Visit *visit) {
  int k = sys->components[component].cylinder;
  const HlCylinder *cyl = &sys->cylinders[k];
  double a = NAN, b = NAN, rate = NAN;

  if (visit->work != NULL) {
    double s = visit->work->cylinders[k].length.s;
    a = hl_cylinder_length_a (cyl, s) / cyl->stroke;
    b = hl_cylinder_length_b (cyl, s) / cyl->stroke;
    rate = visit->work->cylinders[k].length.rate / cyl->friction.vs;
  }
  if (!cyl->no_chambers) { /* a motor turns without end */
    pass (visit, HL_EDGE_LOWER_STOP, component, 0, a);
    pass (visit, HL_EDGE_UPPER_STOP, component, 0, b);
  }
  if (cyl->bristle >= 0)
    pass (visit, HL_EDGE_TURNS, component, 0, rate);
}

static void visit_law (const HlSystem *sys, int component, Visit *visit) {
  const HlComponent *c = &sys->components[component];
  const HlComponentClass *klass = c->klass;
  HlLawInputs in;
  HlLaw law = {0};

  if (visit->work != NULL && (klass->lift != NULL || klass->store_edge != NULL))
    law = hl_work_law (visit->work, c, &in);
  for (int branch = 0; branch < c->n_branches && klass->lift != NULL; branch++) {
    double lift = visit->work != NULL ? klass->lift (c, &law, branch) : NAN;
    pass (visit, HL_EDGE_SHUTS, component, branch, lift);
    pass (visit, HL_EDGE_OPENS_FULL, component, branch, lift - FULL);
  }
  for (int edge = 0; edge < klass->n_store_edges; edge++)
    pass (visit, HL_EDGE_STORE, component, edge,
          visit->work != NULL ? STORE_SHARPNESS * klass->store_edge (c, &law, edge) : NAN);
}

static void visit_all (const HlSystem *sys, Visit *visit) {
  for (int k = 0; k < sys->n_components; k++) {
    if (sys->components[k].cylinder >= 0)
      visit_cylinder (sys, k, visit);
    visit_law (sys, k, visit);
  }
}

int hl_edges_count (const HlSystem *sys) {
  Visit visit = {.wanted = -1};

  visit_all (sys, &visit);
  return visit.n;
}

HlBend hl_edges_get (const HlSystem *sys, int edge) {
  Visit visit = {.wanted = edge};

  visit_all (sys, &visit);
  return visit.found;
}

void hl_edges_eval (const HlSystem *sys, const HlWork *work, double out[]) {
  Visit visit = {.work = work, .out = out, .wanted = -1};

  visit_all (sys, &visit);
}
