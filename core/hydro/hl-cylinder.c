/* SPDX-License-Identifier: MIT */
/* The cylinder as a component: its numbers, what can be recorded of it, and the oil that passes the
 * piston and the rod. What chambers and piston do with the linkage is in hl-cylinder.h.
 *
 *   leak    = kl (p_A - p_B)              external = ke (p_B - p0)
 *
 * Branches: past the piston from line to line, out of line A into the cylinder, out of line B. */
#include "core/hydro/hl-cylinder.h"

#include "core/base/hl-kind-words.h"
#include "core/base/hl-status.h"
#include "core/hydro/hl-bristle.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-cylinder-help.h"
#include "core/hydro/hl-gas.h"
#include "core/hydro/hl-orifice.h"
#include "core/hydro/hl-pocket.h"
#include "core/hydro/hl-ramp.h"

#include <math.h>
#include <string.h>

/* A chamber with a cushion parts from its line: its pressure pc is a state, theory/hydraulics.md
 * (32), l its length, k its softness; the leaks begin at pc and the line loses the flow q of the
 * cushion.
 *
 *   pc'     = net/C                       C  = V (k + c_air) + c_pocket      V = dead volume + A l
 *   net_A   = q_A - A s' - leak           net_B = q_B + A s' + leak - external
 *   dpc'    = (dnet - pc' dC)/C           dC/ds = +-A (k + c_air)
 *
 * c_pocket is that of theory/fluid.md (3), of the reference volume dead volume + A stroke. */

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

static double cylinder_softening (const HlComponent *c, const HlLaw *law, int state) {
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

/* HlComponentClass.gathers of chambers with a cushion: their net inflow but for the piston's;
 * d[ports + states]. */
static double cylinder_gathers (const HlComponent *c, const HlLaw *law, int state, double d[]) {
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

/* Flows of all branches and rates of the cushions' pressures, with their derivatives. */
static void extras (const HlComponent *c, HlLaw *law) {
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
static void extras_power (const HlComponent *c, const HlLaw *law, double powers[3]) {
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

/* Flow through a cushion and its slope by the length; smooth, for the ramp S is.
 *
 *   q     = Cd sqrt (2/rho) [a (l) q1 (dp) + a_check q1+ (dp)]     theory/hydraulics.md (31)
 *   dq/dl = Cd sqrt (2/rho) (area - a_end) (S'/L) q1 (dp) */

double hl_cushion_flow (const HlCushion *cushion, double l, double dp, double *by_length, double *by_dp) {
  double limit = fmax (cushion->dp_lim, HL_DP_LIM_SMALLEST), unit = cushion->Cd * cushion->unit;
  double closing, slope, check_slope, fall = cushion->area - cushion->end_area;
  double area = cushion->end_area + fall * hl_ramp (l / cushion->length, &closing);
  double q1 = hl_orifice_flow (dp, limit, &slope);
  double check = hl_orifice_one_way (dp, limit, &check_slope);

  *by_length = unit * fall * (closing / cushion->length) * q1;
  *by_dp = unit * (area * slope + cushion->check_area * check_slope);
  return unit * (area * q1 + cushion->check_area * check);
}

#define CUSHION_SCALE 1.0e6 /* [Pa] */
#define CUSHION_TOLERANCE 1.0e5

#define CURVED "friction.model=brown-mcphee|stribeck-tanh|bengisu-akay|lugre|modified-lugre"
#define RUBS "friction.model=viscous|brown-mcphee|stribeck-tanh|bengisu-akay|lugre|modified-lugre"
#define BRISTLES "friction.model=lugre|modified-lugre"

/* clang-format off */
#define CUSHION(side_, number_, length_, area_, end_, check_, dead_, Cd_, limit_) \
  HL_NUMBER ("cushion_" side_ ".length", LENGTH, HL_ABSENT, HL_POSITIVE HL_AT (HlCylinder, cushion[number_].length), length_, HL_TEXT ("Last part of the way, over which the cushion closes; no cushion when absent")), \
  HL_NUMBER ("cushion_" side_ ".area", AREA, HL_ABSENT, HL_POSITIVE HL_AT (HlCylinder, cushion[number_].area), area_, HL_TEXT ("Of the open orifice between line and chamber")), \
  HL_NUMBER ("cushion_" side_ ".end_area", AREA, HL_ABSENT, HL_NOT_NEGATIVE HL_AT (HlCylinder, cushion[number_].end_area), end_, HL_TEXT ("What the cushion leaves open on the stop")), \
  HL_NUMBER ("cushion_" side_ ".check_area", AREA, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, cushion[number_].check_area), check_, HL_TEXT ("Area of the check valve that lets oil into the chamber; 0: none")), \
  HL_NUMBER ("cushion_" side_ ".dead_volume", VOLUME, HL_ABSENT, HL_POSITIVE HL_NOT_HYBRID HL_AT (HlCylinder, cushion[number_].dead_volume), dead_, HL_TEXT ("Oil in the chamber when the piston is on the stop")), \
  HL_NUMBER ("cushion_" side_ ".Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_AT (HlCylinder, cushion[number_].Cd), Cd_, HL_TEXT ("Discharge coefficient of the cushion")), \
  HL_NUMBER ("cushion_" side_ ".dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_AT (HlCylinder, cushion[number_].dp_lim), limit_, HL_TEXT ("Below this pressure difference the flow is laminar"))

static const HlField fields[] = {
  HL_FIELD ("base", POINT, NONE, HL_REQUIRED, HL_TEXT ("Base"), HL_TEXT ("Point the barrel hangs on")),
  HL_FIELD ("rod", POINT, NONE, HL_REQUIRED, HL_TEXT ("Rod"), HL_TEXT ("Point the rod hangs on")),
  HL_NUMBER ("piston_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.08), HL_POSITIVE HL_AT (HlCylinder, piston_diameter), HL_TEXT ("Piston diameter"), HL_TEXT ("Inside diameter of the barrel")),
  HL_NUMBER ("rod_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.04), HL_NOT_NEGATIVE HL_AT (HlCylinder, rod_diameter), HL_TEXT ("Rod diameter"), HL_TEXT ("Less than the piston's")),
  HL_NUMBER ("piston_area", AREA, HL_ONE_OF ("bore", 1, 0.005), HL_POSITIVE HL_AT (HlCylinder, area_a), HL_TEXT ("Piston area"), HL_TEXT ("Area on side A")),
  HL_NUMBER ("rod_side_area", AREA, HL_ONE_OF ("bore", 1, 0.00375), HL_NOT_NEGATIVE HL_AT (HlCylinder, area_b), HL_TEXT ("Rod-side area"), HL_TEXT ("Area on side B; 0: a plunger")),
  HL_NUMBER ("stroke", LENGTH, HL_NEW (0.5), HL_POSITIVE HL_AT (HlCylinder, stroke), HL_TEXT ("Stroke"), HL_TEXT ("Way of the piston from end to end")),
  HL_NUMBER ("c1", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, c1), HL_TEXT ("Dead length c1"), HL_TEXT ("Length between the points that is not chamber, base side")),
  HL_NUMBER ("c2", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, c2), HL_TEXT ("Dead length c2"), HL_TEXT ("Length between the points that is not chamber, rod side")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (HlCylinder, wall_modulus), HL_TEXT ("Wall modulus"), HL_TEXT ("Stiffness of the barrel; rigid when absent")),
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, leakage), HL_TEXT ("Leakage"), HL_TEXT ("Flow past the piston per pressure difference")),
  HL_NUMBER ("external_leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, external_leakage), HL_TEXT ("Leakage at the rod"), HL_TEXT ("Flow out of chamber B per pressure above the outside")),
  HL_NUMBER ("vent_pressure", PRESSURE, HL_ABSENT, HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlCylinder, vent_pressure), HL_TEXT ("Vent pressure"), HL_TEXT ("In a chamber whose port is on no line; when absent that of the outside, if the fluid states it, else it pushes with nothing")),
  HL_NUMBER ("spring_stiffness", STIFFNESS, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, spring_stiffness), HL_TEXT ("Spring stiffness"), HL_TEXT ("Of a spring that retracts the rod")),
  HL_NUMBER ("spring_preload", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, spring_preload), HL_TEXT ("Spring preload"), HL_TEXT ("Its force where chamber A is empty")),
  CUSHION ("A", 0, HL_TEXT ("Cushion A: length"), HL_TEXT ("Cushion A: area"), HL_TEXT ("Cushion A: area at the end"), HL_TEXT ("Cushion A: check valve"), HL_TEXT ("Cushion A: dead volume"), HL_TEXT ("Cushion A: flow number"), HL_TEXT ("Cushion A: laminar limit")),
  CUSHION ("B", 1, HL_TEXT ("Cushion B: length"), HL_TEXT ("Cushion B: area"), HL_TEXT ("Cushion B: area at the end"), HL_TEXT ("Cushion B: check valve"), HL_TEXT ("Cushion B: dead volume"), HL_TEXT ("Cushion B: flow number"), HL_TEXT ("Cushion B: laminar limit")),
  HL_CHOICE_AT (HL_AT (HlCylinder, friction.model), "friction.model", "none|viscous|brown-mcphee|stribeck-tanh|bengisu-akay|lugre|modified-lugre", HL_TEXT ("Friction law"), HL_TEXT ("Law of the seals' friction")),
  HL_NUMBER_WHEN (CURVED, "friction.Fc", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fc), HL_TEXT ("Coulomb force F_c"), HL_TEXT ("Friction while sliding fast, without the viscous part")),
  HL_NUMBER_WHEN (CURVED, "friction.Fs", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fs), HL_TEXT ("Static force F_s"), HL_TEXT ("Largest friction near standstill")),
  HL_NUMBER_WHEN (CURVED, "friction.vs", SPEED, HL_NEW (0.0125), HL_POSITIVE HL_AT (HlCylinder, friction.vs), HL_TEXT ("Stribeck speed v_s"), HL_TEXT ("Speed at which friction is largest")),
  HL_NUMBER_WHEN (RUBS, "friction.sigma2", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.sigma2), HL_TEXT ("Viscous coefficient σ₂"), HL_TEXT ("Force per speed")),
  HL_NUMBER_WHEN (RUBS, "friction.scale", NONE, HL_DEFAULT (1), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.scale), HL_TEXT ("Friction scale"), HL_TEXT ("Multiplies F_c, F_s and every σ")),
  HL_NUMBER_WHEN ("friction.model=stribeck-tanh", "friction.v0", SPEED, HL_NEW (0.001), HL_POSITIVE HL_AT (HlCylinder, friction.v0), HL_TEXT ("Speed of transition v_0"), HL_TEXT ("Speed at which friction has nearly turned round; about a tenth of v_s")),
  HL_NUMBER_WHEN ("friction.model=bengisu-akay", "friction.xi", INVERSE_SPEED, HL_NEW (80), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.xi), HL_TEXT ("Fall of the force ξ"), HL_TEXT ("How fast friction falls beyond v_s; about 1/v_s")),
  HL_NUMBER_WHEN (BRISTLES, "friction.sigma0", STIFFNESS, HL_NEW (1e7), HL_POSITIVE HL_AT (HlCylinder, friction.sigma0), HL_TEXT ("Bristle stiffness σ₀"), HL_TEXT ("Of the seals before they slide")),
  HL_NUMBER_WHEN (BRISTLES, "friction.sigma1", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.sigma1), HL_TEXT ("Bristle damping σ₁"), HL_TEXT ("Force per speed of the bending")),
  HL_NUMBER_WHEN ("friction.model=modified-lugre", "friction.ve", SPEED, HL_NEW (0.001), HL_POSITIVE HL_AT (HlCylinder, friction.ve), HL_TEXT ("Speed of transition v_e"), HL_TEXT ("Below it the bristles bend without slipping")),
  HL_NUMBER_WHEN ("friction.model=modified-lugre", "friction.vd", SPEED, HL_NEW (0.1), HL_POSITIVE HL_AT (HlCylinder, friction.vd), HL_TEXT ("Speed of fading v_d"), HL_TEXT ("Above it the damping of the bristles fades")),
  HL_NUMBER_WHEN (BRISTLES, "friction.bristle", LENGTH, HL_DEFAULT (0), HL_ANY HL_AT (HlCylinder, friction.bristle), HL_TEXT ("Bend of the bristles"), HL_TEXT ("At t = 0")),
  HL_NUMBER ("virtual_stiffness", STIFFNESS, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_stiffness), HL_TEXT ("Virtual stiffness"), HL_TEXT ("Quasistatic model: spring of the virtual element")),
  HL_NUMBER ("virtual_damping", DAMPING, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_damping), HL_TEXT ("Virtual damping"), HL_TEXT ("Quasistatic model: damper of the virtual element")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (CYLINDER, HL_CYL_S, "s", LENGTH, HL_TEXT ("Length between the points")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_SPEED, "speed", SPEED, HL_TEXT ("Speed of extension")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FORCE, "force", FORCE, HL_TEXT ("Force, positive in extension, after friction")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FRICTION, "friction_force", FORCE, HL_TEXT ("Friction force")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_ROD, "rod_position", LENGTH, HL_TEXT ("Length up to the piston")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_ROD_SPEED, "rod_speed", SPEED, HL_TEXT ("Speed of the piston")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW_A, "flow_A", FLOW, HL_TEXT ("Flow into A")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW_B, "flow_B", FLOW, HL_TEXT ("Flow into B")),
  HL_OUTPUT_OF (LAW, HL_CYLINDER_CUSHION_A, "cushion_A", PRESSURE, HL_TEXT ("Pressure in cushion A")),
  HL_OUTPUT_OF (LAW, HL_CYLINDER_CUSHION_B, "cushion_B", PRESSURE, HL_TEXT ("Pressure in cushion B")),
  HL_OUTPUT_OF (LAW, HL_CYLINDER_BRISTLE, "bristle", LENGTH, HL_TEXT ("Bend of the bristles")),
};
/* clang-format on */

/* A cushion is there where the file states some of what it is made of. */
static bool is_cushioned (const HlComponent *c, int side) {
  static const size_t parts[] = {offsetof (HlCushion, length), offsetof (HlCushion, area),
                                 offsetof (HlCushion, end_area), offsetof (HlCushion, dead_volume)};
  bool is = false;

  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    is = is || hl_component_states (c, 1 + offsetof (HlCylinder, cushion) +
                                           (size_t)side * sizeof (HlCushion) + parts[k]);
  return is;
}

static void derive (HlComponent *c, const HlFluid *fluid) {
  HlCylinder *cyl = c->self;
  double D = cyl->piston_diameter, d = cyl->rod_diameter;

  int n = 0;
  for (int side = 0; side < 2; side++) {
    cyl->cushion[side].unit = sqrt (2.0 / fluid->density);
    cyl->cushion_state[side] = is_cushioned (c, side) ? n++ : -1;
  }
  cyl->bristle = hl_friction_has_bristle (&cyl->friction) ? n : -1;
  cyl->softness = 1.0 / fluid->bulk_modulus + (cyl->wall_modulus > 0.0 ? 1.0 / cyl->wall_modulus : 0.0);
  cyl->air_fraction = fluid->air_fraction;
  cyl->onset = hl_fluid_onset (fluid);
  /* where the outside is given it is also in a chamber that nothing is plugged into */
  if (!HL_STATES (c, HlCylinder, vent_pressure))
    cyl->vent_pressure = hl_fluid_presses (fluid) ? c->outside : 0.0;
  if (!HL_STATES (c, HlCylinder, piston_diameter))
    return;
  cyl->area_a = 0.25 * M_PI * D * D;
  cyl->area_b = 0.25 * M_PI * (D * D - d * d);
}

/* A piston without leakage, or with a chamber on no line, parts the chambers. */
static int count_branches (const HlComponent *c) {
  const HlCylinder *cyl = c->self;
  bool parts = c->node[0] >= 0 && c->node[1] >= 0 && c->node[0] != c->node[1];

  if (hl_cylinder_has_cushion (cyl) || cyl->external_leakage > 0.0)
    return HL_CYLINDER_BRANCHES;
  return parts && cyl->leakage > 0.0 ? 1 : 0;
}

static int list_states (const HlComponent *c, int words[HL_CYLINDER_N_WORDS]) {
  const HlCylinder *cyl = c->self;
  int n = 0;

  for (int side = 0; side < 2; side++)
    if (cyl->cushion_state[side] >= 0)
      words[n++] = HL_CYLINDER_CUSHION_A + side;
  if (cyl->bristle >= 0)
    words[n++] = HL_CYLINDER_BRISTLE;
  return n;
}

static int count_states (const HlComponent *c) {
  int words[HL_CYLINDER_N_WORDS];

  return list_states (c, words);
}

static int word_of (const HlComponent *c, int state, int *number) {
  int words[HL_CYLINDER_N_WORDS] = {0};

  (void)number;
  list_states (c, words);
  return words[state];
}

static bool is_shape (const HlComponent *c, const HlField *field) {
  const HlCylinder *cyl = c->self;
  size_t at = field->place - 1, first = offsetof (HlCylinder, cushion);

  if (at == offsetof (HlCylinder, leakage))
    return c->n_branches == 0;
  if (at == offsetof (HlCylinder, external_leakage))
    return c->n_branches < HL_CYLINDER_BRANCHES;
  return at >= first && at < first + sizeof cyl->cushion &&
         cyl->cushion_state[(at - first) / sizeof (HlCushion)] < 0;
}

static void bristle (const HlComponent *c, HlLaw *law, int state) {
  int row = c->n_branches + state;
  HlBristle at;

  hl_bristle_eval (&((const HlCylinder *)c->self)->friction, law->speed, law->state[state], law->side, &at);
  law->rate[state] = at.rate;
  if (law->d == NULL)
    return;
  hl_law_set (law, row, c->klass->kind.n_ports + state, at.rate_by_z);
  hl_law_set (law, row, hl_component_motion_column (c) + 1, at.rate_by_v);
}

static void eval (const HlComponent *c, HlLaw *law) {
  const HlCylinder *cyl = c->self;

  if (c->n_branches == HL_CYLINDER_BRANCHES)
    extras (c, law);
  else if (c->n_branches > 0)
    hl_law_pass (law, &c->klass->ways[0], 0, cyl->leakage * (law->p[0] - law->p[1]), cyl->leakage);
  if (cyl->bristle >= 0)
    bristle (c, law, cyl->bristle);
}

/* The friction of the bristle is among
 * the losses of the motion: what it stores is not lost. */
static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  const HlCylinder *cyl = c->self;
  HlBristle at;

  if (c->n_branches == HL_CYLINDER_BRANCHES)
    extras_power (c, law, powers);
  else if (c->n_branches > 0)
    powers[1] += law->q[0] * (law->p[0] - law->p[1]);
  if (cyl->bristle < 0)
    return;
  hl_bristle_eval (&cyl->friction, law->speed, law->state[cyl->bristle], HL_SIDE_MEAN, &at);
  powers[0] += at.stored;
  powers[1] -= at.stored;
}

/* A cushioned chamber begins at the pressure of its line. */
static double rest (const HlComponent *c, const HlLaw *law, int state) {
  const HlCylinder *cyl = c->self;
  int side = state == cyl->cushion_state[0] ? 0 : 1;

  if (state == cyl->bristle)
    return cyl->friction.bristle;
  return c->node[side] >= 0 ? law->p[side] : c->outside;
}

static bool is_kinked (const HlComponent *c, const HlLaw *law, int column) {
  const HlCylinder *cyl = c->self;

  return cyl->bristle >= 0 && cyl->friction.model == HL_FRICTION_LUGRE && law->speed == 0.0 &&
         law->state[cyl->bristle] != 0.0 && column == hl_component_motion_column (c) + 1;
}

/* Which state a word is; -1 = the cylinder has none of it. */
static int find_state (const HlComponent *c, int word) {
  int words[HL_CYLINDER_N_WORDS], n = list_states (c, words);

  for (int k = 0; k < n; k++)
    if (words[k] == word)
      return k;
  return -1;
}

static bool has_output (const HlComponent *c, int output) {
  return outputs[output].reads != HL_READS_LAW || find_state (c, outputs[output].part) >= 0;
}

static double output (const HlComponent *c, const HlLaw *law, int word, double d[]) {
  int state = find_state (c, word);

  if (d != NULL)
    d[c->klass->kind.n_ports + state] = 1.0;
  return law->state[state];
}

static double cushion_scale (const HlComponent *c) {
  (void)c;
  return CUSHION_SCALE;
}

static double bristle_scale (const HlComponent *c) {
  return hl_bristle_scale (&((const HlCylinder *)c->self)->friction);
}

#define TYPICAL_FORCE 200.0 /* of seals [N] */
/* length, area, area at the end, dead volume */
static const double typical_cushion[] = {0.03, 3.0e-5, 1.0e-6, 2.0e-5};

static const char *is_wrong (const HlComponent *c, HlWrong *wrong) {
  const HlCylinder *cyl = c->self;

  if (hl_friction_has_bristle (&cyl->friction) && !(cyl->friction.Fc > 0.0)) {
    wrong->field = "friction.Fc";
    wrong->to = cyl->friction.Fs > 0.0 ? 0.7 * cyl->friction.Fs : TYPICAL_FORCE;
    wrong->mend = HL_TEXT ("state a Coulomb force above 0");
    return HL_TEXT ("bristles that slip without a Coulomb force have no friction law");
  }
  if (hl_friction_has_bristle (&cyl->friction) && !(cyl->friction.Fs > 0.0)) {
    wrong->field = "friction.Fs";
    wrong->to = 1.5 * cyl->friction.Fc;
    wrong->mend = HL_TEXT ("state a static force above 0, usually above the Coulomb force");
    return HL_TEXT ("bristles that nothing holds at standstill have no friction law");
  }
  for (int side = 0; side < 2; side++) {
    const HlCushion *cushion = &cyl->cushion[side];
    const char *const names[] = {side == 0 ? "cushion_A.length" : "cushion_B.length",
                                 side == 0 ? "cushion_A.area" : "cushion_B.area",
                                 side == 0 ? "cushion_A.end_area" : "cushion_B.end_area",
                                 side == 0 ? "cushion_A.dead_volume" : "cushion_B.dead_volume"};
    for (int k = 0; k < 4 && cyl->cushion_state[side] >= 0; k++) {
      wrong->field = names[k];
      wrong->to = typical_cushion[k];
      wrong->mend = HL_TEXT ("state it, or take the cushion away");
      if ((c->stated >> hl_component_find_field (c, names[k]) & 1) == 0)
        return HL_TEXT ("a cushion needs a length, an area, an area at the end and a dead volume");
    }
    wrong->field = names[2];
    wrong->to = cushion->area;
    wrong->mend = HL_TEXT ("state at most the area of the open cushion");
    if (cyl->cushion_state[side] >= 0 && cushion->end_area > cushion->area)
      return HL_TEXT ("a cushion closes on its way to the end: it cannot be wider there");
  }
  return NULL;
}

static int passages (const HlComponent *c, HlPassage out[]) {
  const HlCylinder *cyl = c->self;

  if (c->n_branches == 0 && c->n_states == 0)
    return 0;
  out[0] = hl_passage_of (HL_PASSAGE_OTHER);
  for (int side = 0; side < 2; side++)
    if (cyl->cushion_state[side] >= 0 && c->node[side] < 0) {
      out[0].hybrid_why = HL_TEXT ("one of its chambers has a cushion and no line: its oil, which "
                                   "does not give way, holds the piston for ever");
      out[0].hybrid_mend = HL_TEXT ("draw a line to its port, or take the cushion away");
    }
  return 1;
}

const HlComponentClass hl_cylinder_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "cylinder",
             HL_TEXT ("Cylinder"),
             HL_TEXT ("Double-acting cylinder between two points of the linkage"),
             "cyl",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (HlCylinder),
    .n_branches = HL_CYLINDER_BRANCHES,
    .ways = {[HL_CYLINDER_PAST_THE_PISTON] = {0, 1, 0},
             [HL_CYLINDER_OUT_OF_A] = {0, -1, 3},
             [HL_CYLINDER_OUT_OF_B] = {1, -1, 3}},
    .n_states = HL_CYLINDER_N_WORDS,
    .states = {[HL_CYLINDER_CUSHION_A] = {.name = "cushion_A",
                                          .quantity = HL_QUANTITY_PRESSURE,
                                          .tolerance = CUSHION_TOLERANCE,
                                          .scale = cushion_scale},
               [HL_CYLINDER_CUSHION_B] = {.name = "cushion_B",
                                          .quantity = HL_QUANTITY_PRESSURE,
                                          .tolerance = CUSHION_TOLERANCE,
                                          .scale = cushion_scale},
               [HL_CYLINDER_BRISTLE] = {.name = "bristle",
                                        .quantity = HL_QUANTITY_LENGTH,
                                        .tolerance = 1.0e-6,
                                        .scale = bristle_scale,
                                        .start = 1 + offsetof (HlCylinder, friction.bristle),
                                        .keeps = true}},
    .derive = derive,
    .count_branches = count_branches,
    .count_states = count_states,
    .word_of = word_of,
    .is_shape = is_shape,
    .eval = eval,
    .power = power,
    .rest = rest,
    .softening = cylinder_softening,
    .gathers = cylinder_gathers,
    .has_output = has_output,
    .output = output,
    .is_kinked = is_kinked,
    .is_wrong = is_wrong,
    .passages = passages,
    .is_cylinder = true,
    .help = &hl_cylinder_help,
};
