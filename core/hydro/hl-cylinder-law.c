/* SPDX-License-Identifier: MIT */
/* A chamber with a cushion parts from its line: its pressure pc is a state, theory/hydraulics.md
 * (32), l its length, k its softness; the leaks begin at pc and the line loses the flow q of the
 * cushion.
 *
 *   pc'     = net/C                       C  = V (k + c_air) + c_pocket      V = dead volume + A l
 *   net_A   = q_A - A s' - leak           net_B = q_B + A s' + leak - external
 *   dpc'    = (dnet - pc' dC)/C           dC/ds = +-A (k + c_air)
 *
 * c_pocket is that of theory/fluid.md (3), of the reference volume dead volume + A stroke. */
#include "core/hydro/hl-cylinder-law.h"

#include <math.h>

#include "core/hydro/hl-gas.h"
#include "core/hydro/hl-pocket.h"

/* A flow that depends on the pressures of both chambers and on the length. */
typedef struct {
  double q, by[2], by_line, by_length; /* by_line: of its own side */
} Flow;

/* What leaks and what passes the cushions. Zero is what passes to or from a chamber without oil. */
typedef struct {
  double p[2];   /* of the chambers [Pa] */
  int column[2]; /* of the law: port or state */
  Flow leak, external, cushion[2];
} Flows;

static double length_of (const HlCylinder *cyl, int side, double s) {
  return side == 0 ? hl_cylinder_length_a (cyl, s) : hl_cylinder_length_b (cyl, s);
}

static void find_flows (const HlComponent *c, const HlLaw *law, Flows *out) {
  const HlCylinder *cyl = c->self;
  bool has_oil[2];

  *out = (Flows){0};
  for (int side = 0; side < 2; side++) {
    int state = cyl->cushion_state[side];
    has_oil[side] = state >= 0 || c->node[side] >= 0;
    out->p[side] = state >= 0 ? law->state[state] : law->p[side];
    out->column[side] = state >= 0 ? c->klass->kind.n_ports + state : side;
    if (state < 0 || c->node[side] < 0)
      continue;
    Flow *flow = &out->cushion[side];
    flow->q = hl_cushion_flow (&cyl->cushion[side], length_of (cyl, side, law->length),
                               law->p[side] - out->p[side], &flow->by_length, &flow->by_line);
    flow->by[side] = -flow->by_line;
    flow->by_length *= side == 0 ? 1.0 : -1.0;
  }
  if (has_oil[0] && has_oil[1] && (hl_cylinder_has_cushion (cyl) || c->node[0] != c->node[1])) {
    out->leak.q = cyl->leakage * (out->p[0] - out->p[1]);
    out->leak.by[0] = cyl->leakage;
    out->leak.by[1] = -cyl->leakage;
  }
  if (has_oil[1]) {
    out->external.q = cyl->external_leakage * (out->p[1] - c->outside);
    out->external.by[1] = cyl->external_leakage;
  }
}

/* Adds a flow, times `by`, to a row of the law; `side`: whose line it begins at. */
static void add_flow (const HlComponent *c, HlLaw *law, int row, const Flows *all, const Flow *flow, int side,
                      double by) {
  if (law->d == NULL)
    return;
  for (int k = 0; k < 2; k++)
    law->d[all->column[k] * law->n_rows + row] += by * flow->by[k];
  law->d[side * law->n_rows + row] += by * flow->by_line;
  law->d[hl_component_motion_column (c) * law->n_rows + row] += by * flow->by_length;
}

static void add_branch (const HlComponent *c, HlLaw *law, int branch, const Flows *all, const Flow *flow,
                        int side, double by) {
  law->q[branch] += by * flow->q;
  add_flow (c, law, branch, all, flow, side, by);
}

/* Net inflow of a chamber with a cushion [m3/s]. */
static double net_of (const HlCylinder *cyl, int side, const Flows *flows, double speed) {
  if (side == 0)
    return flows->cushion[0].q - cyl->area_a * speed - flows->leak.q;
  return flows->cushion[1].q + cyl->area_b * speed + flows->leak.q - flows->external.q;
}

/* What gives way in a chamber with a cushion at pressure p and length l. */
typedef struct {
  double V, soft;  /* [m3]; a unit of it, without the pocket [1/Pa] */
  double C, slope; /* of the chamber, and by p */
} Give;

static double area_of (const HlCylinder *cyl, int side) {
  return side == 0 ? cyl->area_a : cyl->area_b;
}

static Give give_of (const HlCylinder *cyl, int side, double l, double p) {
  double area = area_of (cyl, side), by_air = 0.0, by_pocket = 0.0, pocket = 0.0;
  Give give = {.V = cyl->cushion[side].dead_volume + area * fmax (l, 0.0), .soft = cyl->softness};

  if (cyl->air_fraction > 0.0)
    give.soft += hl_gas_compliance (cyl->air_fraction, HL_AIR_PRESSURE, HL_AIR_EXPONENT, p, &by_air);
  if (p < cyl->onset)
    pocket =
        hl_pocket_compliance (cyl->cushion[side].dead_volume + area * cyl->stroke, cyl->onset, p, &by_pocket);
  give.slope = give.V * by_air + by_pocket;
  give.C = give.V * give.soft + pocket;
  return give;
}

double hl_cylinder_softening (const HlComponent *c, const HlLaw *law, int state) {
  const HlCylinder *cyl = c->self;
  int side = state == cyl->cushion_state[0] ? 0 : state == cyl->cushion_state[1] ? 1 : -1;

  if (side < 0 || !(law->state[state] > 0.0))
    return 1.0;
  Give give = give_of (cyl, side, length_of (cyl, side, law->length), law->state[state]);
  return give.C / (give.V * cyl->softness);
}

/* Adds the slopes of a flow by ports and states, times `by`. */
static void gather_slopes (const Flows *all, const Flow *flow, int side, double by, double d[]) {
  for (int k = 0; k < 2; k++)
    d[all->column[k]] += by * flow->by[k];
  d[side] += by * flow->by_line;
}

double hl_cylinder_gathers (const HlComponent *c, const HlLaw *law, int state, double d[]) {
  const HlCylinder *cyl = c->self;
  int side = state == cyl->cushion_state[0] ? 0 : state == cyl->cushion_state[1] ? 1 : -1;
  Flows flows;

  if (side < 0)
    return NAN;
  find_flows (c, law, &flows);
  gather_slopes (&flows, &flows.cushion[side], side, 1.0, d);
  gather_slopes (&flows, &flows.leak, side, side == 0 ? -1.0 : 1.0, d);
  if (side == 1)
    gather_slopes (&flows, &flows.external, side, -1.0, d);
  return net_of (cyl, side, &flows, 0.0);
}

static void chamber (const HlComponent *c, HlLaw *law, int side, const Flows *flows) {
  const HlCylinder *cyl = c->self;
  int state = cyl->cushion_state[side], row = c->n_branches + state;
  double l = length_of (cyl, side, law->length), area = area_of (cyl, side);
  double p = flows->p[side], sign = side == 0 ? 1.0 : -1.0;

  if (!(p > 0.0)) { /* no state of the oil: the step was too long */
    law->rate[state] = NAN;
    return;
  }
  Give give = give_of (cyl, side, l, p);
  double soft = give.soft, slope = give.slope;
  double C = give.C, rate = net_of (cyl, side, flows, law->speed) / C;
  law->rate[state] = rate;
  if (law->d == NULL)
    return;
  int length = hl_component_motion_column (c);
  add_flow (c, law, row, flows, &flows->cushion[side], side, 1.0 / C);
  add_flow (c, law, row, flows, &flows->leak, side, -sign / C);
  if (side == 1)
    add_flow (c, law, row, flows, &flows->external, side, -1.0 / C);
  law->d[flows->column[side] * law->n_rows + row] -= rate * slope / C;
  law->d[length * law->n_rows + row] -= l >= 0.0 ? rate * sign * area * soft / C : 0.0;
  law->d[(length + 1) * law->n_rows + row] -= sign * area / C;
}

void hl_cylinder_extras (const HlComponent *c, HlLaw *law) {
  const HlCylinder *cyl = c->self;
  const bool cushioned[] = {cyl->cushion_state[0] >= 0, cyl->cushion_state[1] >= 0};
  Flows flows;

  find_flows (c, law, &flows);
  for (int branch = 0; branch < HL_CYLINDER_BRANCHES; branch++)
    law->q[branch] = 0.0;
  if (!hl_cylinder_has_cushion (cyl))
    add_branch (c, law, HL_CYLINDER_PAST_THE_PISTON, &flows, &flows.leak, 0, 1.0);
  for (int side = 0; side < 2; side++) {
    int branch = side == 0 ? HL_CYLINDER_OUT_OF_A : HL_CYLINDER_OUT_OF_B;
    if (cushioned[side]) {
      add_branch (c, law, branch, &flows, &flows.cushion[side], side, 1.0);
      chamber (c, law, side, &flows);
      continue;
    }
    if (cushioned[1 - side])
      add_branch (c, law, branch, &flows, &flows.leak, side, side == 0 ? 1.0 : -1.0);
    if (side == 1)
      add_branch (c, law, branch, &flows, &flows.external, side, 1.0);
  }
}

/* Oil that leaks out takes the pressure of the outside along. */
void hl_cylinder_extras_power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  const HlCylinder *cyl = c->self;
  Flows flows;
  find_flows (c, law, &flows);
  powers[1] += flows.leak.q * (flows.p[0] - flows.p[1]);
  powers[1] += flows.external.q * (flows.p[1] - c->outside);
  powers[2] -= flows.external.q * c->outside;
  for (int side = 0; side < 2; side++)
    if (cyl->cushion_state[side] >= 0) {
      powers[0] += flows.p[side] * net_of (cyl, side, &flows, law->speed);
      powers[1] += flows.cushion[side].q * (law->p[side] - flows.p[side]);
    }
}
