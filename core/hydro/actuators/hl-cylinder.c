/* SPDX-License-Identifier: MIT */
/* The cylinder as a component: its parameters, its outputs, and the leakage past the piston and the rod. The
 * interaction of chambers and piston with the linkage is in hl-cylinder.h.
 *
 *   leak    = kl (p_A - p_B)              external = ke (p_B - p0)
 *
 * Branches: past the piston from line to line, out of line A into the cylinder, out of line B. */
#include "core/hydro/actuators/hl-cylinder.h"

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"
#include "core/hydro/hl-flow-law.h"
#include "core/hydro/hl-fluid.h"
#include "core/hydro/hl-friction.h"

#include <math.h>
#include <string.h>

/* End stops and spring. At the lower end the depth is d = -(length of chamber A), d' = -sdot and the force
 * extends; at the upper end d = -(length of chamber B), d' = sdot and it retracts. */

/* Adds the spring force F = -preload - stiffness l_A. */
static void add_spring (const HlCylinder *cyl, double s, HlStopForce *out) {
  double length = hl_cylinder_length_a (cyl, s);

  if (cyl->spring_preload == 0.0 && cyl->spring_stiffness == 0.0)
    return;
  out->force += hl_cylinder_spring (cyl, s);
  out->stiffness += cyl->spring_stiffness;
  out->energy += (cyl->spring_preload + 0.5 * cyl->spring_stiffness * length) * length;
}

void hl_cylinder_stops (const HlCylinder *cyl, double s, double rate, HlStopForce *out) {
  double lower = -hl_cylinder_length_a (cyl, s), upper = -hl_cylinder_length_b (cyl, s);
  double side = lower > 0.0 ? 1.0 : -1.0;
  double depth = lower > 0.0 ? lower : upper;

  *out = (HlStopForce){0};
  add_spring (cyl, s, out);
  if (!(depth > 0.0) || cyl->no_chambers)
    return;
  double reference = HL_STOP_DEPTH * cyl->stroke;
  double K = HL_STOP_PRESSURE * fmax (cyl->area_a, cyl->area_b) / (reference * reference);
  bool is_linear = cyl->stop_stiffness > 0.0;
  double push = is_linear ? cyl->stop_stiffness * depth : K * depth * depth; /* of a piston at rest */
  double loss = cyl->is_rotary ? HL_STOP_LOSS : cyl->stop_loss;
  double depth_rate = -side * rate;
  double gain = 1.0 + loss * depth_rate;
  bool touches = gain > 0.0;

  gain = touches ? gain : 0.0;
  out->force += side * push * gain;
  out->stiffness += (is_linear ? cyl->stop_stiffness : 2.0 * K * depth) * gain;
  out->damping = touches ? push * loss : 0.0;
  out->energy += push * depth / (is_linear ? 2.0 : 3.0);
  out->loss = push * (gain - 1.0) * depth_rate;
}

const HlCylinderTerms *hl_cylinder_terms (bool is_rotary) {
  static const HlCylinderTerms pushes = {.place = HL_QUANTITY_LENGTH,
                                         .speed = HL_QUANTITY_SPEED,
                                         .force = HL_QUANTITY_FORCE,
                                         .stiffness = HL_QUANTITY_STIFFNESS,
                                         .damping = HL_QUANTITY_DAMPING,
                                         .place_output = "s",
                                         .speed_output = "rod_speed",
                                         .force_output = "force",
                                         .speed_title = "velocity",
                                         .speed_unit = "m/s",
                                         .force_unit = "N"};
  static const HlCylinderTerms turns = {.is_rotary = true,
                                        .place = HL_QUANTITY_ANGLE,
                                        .speed = HL_QUANTITY_ANGULAR_SPEED,
                                        .force = HL_QUANTITY_TORQUE,
                                        .stiffness = HL_QUANTITY_TORSION_STIFFNESS,
                                        .damping = HL_QUANTITY_TORSION_DAMPING,
                                        .place_output = "angle",
                                        .speed_output = "speed",
                                        .force_output = "torque",
                                        .speed_title = "speed",
                                        .speed_unit = "rad/s",
                                        .force_unit = "N m"};

  return is_rotary ? &turns : &pushes;
}

extern const HlComponentHelp hl_cylinder_help;

/* The cylinder in words: force, friction, end stops and spring, leaks and cushions. */

#define LEAST_RANGE 0.05 /* of a curve over the speed [m/s] */

static const HlCylinder *cylinder_of (const HlComponent *c) {
  return c->self;
}

static bool has_law (const HlComponent *c, HlFrictionModel model) {
  return cylinder_of (c)->friction.model == model;
}

static bool rubs_not (const HlComponent *c) {
  return has_law (c, HL_FRICTION_NONE);
}

static bool rubs_by_viscous (const HlComponent *c) {
  return has_law (c, HL_FRICTION_VISCOUS);
}

static bool rubs_by_brown_mcphee (const HlComponent *c) {
  return has_law (c, HL_FRICTION_BROWN_MCPHEE);
}

static bool rubs_by_stribeck_tanh (const HlComponent *c) {
  return has_law (c, HL_FRICTION_STRIBECK_TANH);
}

static bool rubs_by_bengisu_akay (const HlComponent *c) {
  return has_law (c, HL_FRICTION_BENGISU_AKAY);
}

static bool states_stop (const HlComponent *c) {
  return ((const HlCylinder *)c->self)->stop_stiffness > 0.0;
}

static bool states_no_stop (const HlComponent *c) {
  return !states_stop (c);
}

static bool rubs_by_lugre (const HlComponent *c) {
  return has_law (c, HL_FRICTION_LUGRE);
}

static bool rubs_by_modified_lugre (const HlComponent *c) {
  return has_law (c, HL_FRICTION_MODIFIED_LUGRE);
}

static bool has_bristle (const HlComponent *c) {
  return cylinder_of (c)->bristle >= 0;
}

static bool has_cushion_A (const HlComponent *c) {
  return cylinder_of (c)->cushion_state[0] >= 0;
}

static bool has_cushion_B (const HlComponent *c) {
  return cylinder_of (c)->cushion_state[1] >= 0;
}

static bool has_some_cushion (const HlComponent *c) {
  return has_cushion_A (c) || has_cushion_B (c);
}

static bool has_no_cushion (const HlComponent *c) {
  return !has_some_cushion (c);
}

static bool has_cushion_A_only (const HlComponent *c) {
  return has_cushion_A (c) && !has_cushion_B (c);
}

static bool has_cushion_B_only (const HlComponent *c) {
  return has_cushion_B (c) && !has_cushion_A (c);
}

static bool has_bore (const HlComponent *c) {
  return HL_STATES (c, HlCylinder, piston_diameter);
}

static double softness_shown (const HlComponent *c, int index) {
  (void)index;
  return cylinder_of (c)->softness;
}

/* Returns the friction of a law without bristles. */
static double steady_friction (const HlComponent *c, const HlLaw *law, double *slope) {
  return hl_friction_force (&cylinder_of (c)->friction, law->speed, slope);
}

/* Returns the friction force of the bristles at their present deflection. */
static double bristle_friction (const HlComponent *c, const HlLaw *law, double *slope) {
  HlBristle at;

  hl_bristle_eval (&cylinder_of (c)->friction, law->speed, law->state[cylinder_of (c)->bristle], HL_SIDE_MEAN,
                   &at);
  *slope = at.force_by_v;
  return at.force;
}

static double sliding (const HlComponent *c, const HlLaw *law, double *slope) {
  return hl_friction_steady (&cylinder_of (c)->friction, law->speed, slope);
}

static double spring (const HlComponent *c, const HlLaw *law, double *slope) {
  *slope = -cylinder_of (c)->spring_stiffness;
  return hl_cylinder_spring (cylinder_of (c), law->length);
}

static double stop_force (const HlComponent *c, const HlLaw *law, double *slope) {
  HlStopForce at;

  hl_cylinder_stops (cylinder_of (c), law->length, law->speed, &at);
  *slope = -at.stiffness;
  return at.force;
}

/* Returns the volume of a chamber; 0 for one without oil. */
static double room_of_A (const HlComponent *c, const HlLaw *law, double *slope) {
  *slope = cylinder_of (c)->area_a;
  return *slope * hl_cylinder_length_a (cylinder_of (c), law->length);
}

static double room_of_B (const HlComponent *c, const HlLaw *law, double *slope) {
  *slope = -cylinder_of (c)->area_b;
  return -*slope * hl_cylinder_length_b (cylinder_of (c), law->length);
}

static void range_of_speed (const HlComponent *c, double *low, double *high) {
  const HlFriction *friction = &cylinder_of (c)->friction;

  *high = fmax (LEAST_RANGE, 8.0 * friction->vs);
  *low = -*high;
}

/* Returns the range of lengths, including the penetration of the stops at the reference pressure. */
static void range_of_length (const HlComponent *c, double *low, double *high) {
  const HlCylinder *cyl = cylinder_of (c);
  double into = HL_STOP_DEPTH * cyl->stroke;

  *low = cyl->c1 + cyl->c2 - into;
  *high = cyl->c1 + cyl->c2 + cyl->stroke + into;
}

/* clang-format off */
#define HELP_CUSHION(side_, number_) \
  HL_LET ("L_" side_, HlCylinder, cushion[number_].length), \
  HL_LET ("A_o" side_, HlCylinder, cushion[number_].area), \
  HL_LET ("A_e" side_, HlCylinder, cushion[number_].end_area), \
  HL_LET ("A_k" side_, HlCylinder, cushion[number_].check_area), \
  HL_LET ("V_d" side_, HlCylinder, cushion[number_].dead_volume), \
  HL_LET ("c_d" side_, HlCylinder, cushion[number_].Cd), \
  HL_LET ("dp_" side_, HlCylinder, cushion[number_].dp_lim)
static const HlLetter letters[] = {
  HL_LET_PORT ("p_A", 0),
  HL_LET_PORT ("p_B", 1),
  HL_LET_OUTSIDE ("p_0"),
  HL_LET_MOTION ("s", LENGTH, LENGTH, HL_TEXT ("Pin-to-pin length")),
  HL_LET_MOTION ("v", SPEED, SPEED, HL_TEXT ("Speed of extension")),
  HL_LET ("D", HlCylinder, piston_diameter),
  HL_LET ("d_r", HlCylinder, rod_diameter),
  HL_LET ("A_A", HlCylinder, area_a),
  HL_LET ("A_B", HlCylinder, area_b),
  HL_LET ("h", HlCylinder, stroke),
  HL_LET ("c_1", HlCylinder, c1),
  HL_LET ("c_2", HlCylinder, c2),
  HL_LET ("k_L", HlCylinder, leakage),
  HL_LET ("k_e", HlCylinder, external_leakage),
  HL_LET ("k", HlCylinder, spring_stiffness),
  HL_LET ("F_0", HlCylinder, spring_preload),
  HL_LET_CONSTANT ("p_h", HL_STOP_PRESSURE, PRESSURE_DIFFERENCE, HL_TEXT ("Pressure that compresses the stop by the depth below")),
  HL_LET_CONSTANT ("k_h", HL_STOP_DEPTH, NONE, HL_TEXT ("Depth over stroke")),
  HL_LET ("c_h", HlCylinder, stop_stiffness),
  HL_LET ("k_v", HlCylinder, stop_loss),
  HL_LET ("F_C", HlCylinder, friction.Fc),
  HL_LET ("F_S", HlCylinder, friction.Fs),
  HL_LET ("v_s", HlCylinder, friction.vs),
  HL_LET ("v_0", HlCylinder, friction.v0),
  HL_LET ("xi", HlCylinder, friction.xi),
  HL_LET ("sigma_0", HlCylinder, friction.sigma0),
  HL_LET ("sigma_1", HlCylinder, friction.sigma1),
  HL_LET ("sigma_2", HlCylinder, friction.sigma2),
  HL_LET ("v_e", HlCylinder, friction.ve),
  HL_LET ("v_d", HlCylinder, friction.vd),
  HL_LET ("m", HlCylinder, friction.scale),
  HL_LET_STATE ("b", HL_CYLINDER_BRISTLE, 0),
  HELP_CUSHION ("A", 0),
  HELP_CUSHION ("B", 1),
  HL_LET_CONSTANT ("dp_1", HL_DP_LIM_SMALLEST, PRESSURE_DIFFERENCE, HL_TEXT ("Smallest laminar limit of the lumped model")),
  HL_LET_STATE ("p_1", HL_CYLINDER_CUSHION_A, 0),
  HL_LET_STATE ("p_2", HL_CYLINDER_CUSHION_B, 0),
  HL_LET_DENSITY,
  HL_LET_WORKED ("k_s", softness_shown, 0, NONE, HL_TEXT ("Sum of the inverse moduli of oil and wall")),
  HL_LET_OIL ("alpha", air_fraction, NONE, HL_TEXT ("Air in the oil")),
  HL_LET_CONSTANT ("p_u", HL_AIR_PRESSURE, PRESSURE, HL_TEXT ("Pressure at which the air fraction is stated")),
  HL_LET_CONSTANT ("n_u", HL_AIR_EXPONENT, NONE, HL_TEXT ("Exponent of the air")),
  HL_LET_OIL ("p_v", vapour_pressure, PRESSURE, HL_TEXT ("Vapour pressure of the oil")),
  HL_LET_CONSTANT ("p_e", HL_LEAST_ONSET, PRESSURE, HL_TEXT ("Minimum vapour pressure")),
};

#define WHEN_A has_cushion_A, HL_TEXT ("with a cushion at A")
#define WHEN_B has_cushion_B, HL_TEXT ("with a cushion at B")
#define WHEN_CUSHIONED has_some_cushion, HL_TEXT ("with a cushion")
#define WHEN_BRISTLES has_bristle, HL_TEXT ("with bristles")
static const HlFormulaText formulas[] = {
  {"A_A = pi D^2 / 4", HL_IS_NUMBER (HlCylinder, area_a), has_bore, HL_TEXT ("of stated diameters")},
  {"A_B = pi (D^2 - d_r^2) / 4", HL_IS_NUMBER (HlCylinder, area_b), has_bore, HL_TEXT ("of stated diameters")},
  {"l_A = s - c_1 - c_2", HL_STEP},
  {"l_B = h - l_A", HL_STEP},
  {"V_A = A_A l_A", HL_IS_OWN (room_of_A)},
  {"V_B = A_B l_B", HL_IS_OWN (room_of_B)},
  /* friction */
  {"F_f = 0", HL_IS_OWN (steady_friction), rubs_not, HL_TEXT ("without friction")},
  {"F_f = m sigma_2 v", HL_IS_OWN (steady_friction), rubs_by_viscous, HL_TEXT ("viscous friction")},
  {"z = v / v_s", HL_STEP, rubs_by_brown_mcphee, HL_TEXT ("Brown and McPhee")},
  {"w = z^2 / 4 + 3 / 4", HL_STEP, rubs_by_brown_mcphee, HL_TEXT ("Brown and McPhee")},
  {"F_f = m (F_C tanh(4 z) + (F_S - F_C) z / w^2 + sigma_2 v)", HL_IS_OWN (steady_friction), rubs_by_brown_mcphee, HL_TEXT ("Brown and McPhee")},
  {"F_f = m ((F_C + (F_S - F_C) exp(-(v / v_s)^2)) tanh(v / v_0) + sigma_2 v)", HL_IS_OWN (steady_friction), rubs_by_stribeck_tanh, HL_TEXT ("Stribeck curve through rest by tanh")},
  {"F_g = cases(F_S v (2 v_s - abs(v)) / v_s^2, abs(v) < v_s, sign(v) (F_C + (F_S - F_C) exp(-xi (abs(v) - v_s))))", HL_STEP, rubs_by_bengisu_akay, HL_TEXT ("Bengisu and Akay")},
  {"F_f = m (F_g + sigma_2 v)", HL_IS_OWN (steady_friction), rubs_by_bengisu_akay, HL_TEXT ("Bengisu and Akay")},
  {"g = F_C + (F_S - F_C) exp(-(v / v_s)^2)", HL_STEP, WHEN_BRISTLES},
  {"a = abs(v)", HL_STEP, rubs_by_lugre, HL_TEXT ("LuGre")},
  {"a = v tanh(v / v_e)", HL_STEP, rubs_by_modified_lugre, HL_TEXT ("modified LuGre")},
  {"s_1 = sigma_1", HL_STEP, rubs_by_lugre, HL_TEXT ("LuGre")},
  {"s_1 = sigma_1 exp(-(v / v_d)^2)", HL_STEP, rubs_by_modified_lugre, HL_TEXT ("modified LuGre")},
  {"b' = v - sigma_0 a b / g", HL_IS_RATE_OF (HL_CYLINDER_BRISTLE, 0), WHEN_BRISTLES},
  {"F_f = m (sigma_0 b + s_1 b' + sigma_2 v)", HL_IS_OWN (bristle_friction), WHEN_BRISTLES},
  {"F_g = m (sign(v) g + sigma_2 v)", HL_IS_OWN (sliding), WHEN_BRISTLES},
  /* spring and stops */
  {"F_k = -(F_0 + k l_A)", HL_IS_OWN (spring)},
  {"K = p_h max(A_A, A_B) / (k_h h)^2", HL_STEP, states_no_stop, HL_TEXT ("without a stated stiffness of the stops")},
  {"d = max(-l_A, -l_B)", HL_STEP},
  {"j = cases(1, l_A < 0, -1)", HL_STEP},
  {"F_h = cases(j K d^2 pos(1 - k_v j v), d > 0, 0)", HL_STEP, states_no_stop, HL_TEXT ("without a stated stiffness of the stops")},
  {"F_h = cases(j c_h d pos(1 - k_v j v), d > 0, 0)", HL_STEP, states_stop, HL_TEXT ("with a stated stiffness of the stops")},
  {"F_e = F_h + F_k", HL_IS_OWN (stop_force)},
  {"F = p_A A_A - p_B A_B + F_e - F_f", HL_IS (FORCE, 0), has_no_cushion, HL_TEXT ("without cushions")},
  /* leaks */
  {"q_L = k_L (p_A - p_B)", HL_IS (FLOW, HL_CYLINDER_PAST_THE_PISTON), has_no_cushion, HL_TEXT ("without cushions")},
  {"q_e = k_e (p_B - p_0)", HL_IS (FLOW, HL_CYLINDER_OUT_OF_B), has_no_cushion, HL_TEXT ("without cushions")},
  /* cushions */
  {"p_1 = p_A", HL_STEP, has_cushion_B_only, HL_TEXT ("no cushion at A")},
  {"p_2 = p_B", HL_STEP, has_cushion_A_only, HL_TEXT ("no cushion at B")},
  {"q_L = k_L (p_1 - p_2)", HL_STEP, WHEN_CUSHIONED},
  {"q_e = k_e (p_2 - p_0)", HL_STEP, WHEN_CUSHIONED},
  {"S(x) = cases(0, x <= 0, x^2 (3 - 2 x), x < 1, 1)", HL_STEP, WHEN_CUSHIONED},
  {"q_1(x, L) = cases(x / sqrt(L), abs(x) <= L, sign(x) sqrt(abs(x)))", HL_STEP, WHEN_CUSHIONED},
  {"c_u(p) = (alpha / (n_u p)) (p_u / p)^(1 / n_u)", HL_STEP, WHEN_CUSHIONED},
  {"p_c = max(p_v, p_e)", HL_STEP, WHEN_CUSHIONED},
  {"c_v(p) = cases(((p_c - p) / p)^2 / p_c, p < p_c, 0)", HL_STEP, WHEN_CUSHIONED},
  {"a_A = A_eA + (A_oA - A_eA) S(l_A / L_A)", HL_STEP, WHEN_A},
  {"dp_lA = max(dp_A, dp_1)", HL_STEP, WHEN_A},
  {"q_A = c_dA sqrt(2 / rho) (a_A q_1(p_A - p_1, dp_lA) + A_kA q_1(pos(p_A - p_1), dp_lA))", HL_IS (FLOW, HL_CYLINDER_OUT_OF_A), WHEN_A},
  {"C_A = (V_dA + A_A pos(l_A)) (k_s + c_u(p_1)) + (V_dA + A_A h) c_v(p_1)", HL_STEP, WHEN_A},
  {"a_B = A_eB + (A_oB - A_eB) S(l_B / L_B)", HL_STEP, WHEN_B},
  {"dp_lB = max(dp_B, dp_1)", HL_STEP, WHEN_B},
  {"q_B = c_dB sqrt(2 / rho) (a_B q_1(p_B - p_2, dp_lB) + A_kB q_1(pos(p_B - p_2), dp_lB))", HL_IS (FLOW, HL_CYLINDER_OUT_OF_B), WHEN_B},
  {"C_B = (V_dB + A_B pos(l_B)) (k_s + c_u(p_2)) + (V_dB + A_B h) c_v(p_2)", HL_STEP, WHEN_B},
  {"p_1' = (q_A - A_A v - q_L) / C_A", HL_IS_RATE_OF (HL_CYLINDER_CUSHION_A, 0), WHEN_A},
  {"p_2' = (q_B + A_B v + q_L - q_e) / C_B", HL_IS_RATE_OF (HL_CYLINDER_CUSHION_B, 0), WHEN_B},
  {"q_A = q_L", HL_IS (FLOW, HL_CYLINDER_OUT_OF_A), has_cushion_B_only, HL_TEXT ("no cushion at A")},
  {"q_B = q_e - q_L", HL_IS (FLOW, HL_CYLINDER_OUT_OF_B), has_cushion_A_only, HL_TEXT ("no cushion at B")},
  {"F = p_1 A_A - p_2 A_B + F_e - F_f", HL_IS (FORCE, 0), WHEN_CUSHIONED},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Friction force over speed"), HL_LET_MOTION ("v", SPEED, SPEED, NULL), "F_f", HL_QUANTITY_FORCE, HL_IS_OWN (sliding), .range = range_of_speed},
  {HL_TEXT ("Force of end stops and spring over length"), HL_LET_MOTION ("s", LENGTH, LENGTH, NULL), "F_e", HL_QUANTITY_FORCE, HL_IS_OWN (stop_force), .range = range_of_length},
  {HL_TEXT ("Volume of chamber A vs. length"), HL_LET_MOTION ("s", LENGTH, LENGTH, NULL), "V_A", HL_QUANTITY_VOLUME, HL_IS_OWN (room_of_A), .range = range_of_length},
  {HL_TEXT ("Flow through cushion A over length"), HL_LET_MOTION ("s", LENGTH, LENGTH, NULL), "q_A", HL_QUANTITY_FLOW, HL_IS (FLOW, HL_CYLINDER_OUT_OF_A), .range = range_of_length, .holds = has_cushion_A},
  {HL_TEXT ("Flow through cushion B over length"), HL_LET_MOTION ("s", LENGTH, LENGTH, NULL), "q_B", HL_QUANTITY_FLOW, HL_IS (FLOW, HL_CYLINDER_OUT_OF_B), .range = range_of_length, .holds = has_cushion_B},
};
/* clang-format on */
const HlComponentHelp hl_cylinder_help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {5e6, 2e6},
    .state = {4.9e6, 2.1e6, 1e-5},
    .length = 0.25,
    .speed = 0.02,
    .sources = "theory/hydraulics.md (4)-(5), (20)-(26), (31)-(34); theory/friction.md (1)-(7)",
};

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

/* Leakage and flow through the cushions; zero to or from a chamber without oil. */
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

/* Returns the net inflow of a chamber with a cushion [m3/s]. */
static double net_of (const HlCylinder *cyl, int side, const Flows *flows, double speed) {
  if (side == 0)
    return flows->cushion[0].q - cyl->area_a * speed - flows->leak.q;
  return flows->cushion[1].q + cyl->area_b * speed + flows->leak.q - flows->external.q;
}

/* Compliance of a chamber with a cushion at pressure p and length l. */
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

/* Implements HlComponentClass.gathers of chambers with a cushion: their net inflow except the piston's;
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

/* Evaluates flows of all branches and rates of the cushions' pressures, with their derivatives. */
static void add_extra_forces (const HlComponent *c, HlLaw *law) {
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

/* Adds the powers of the leakage, which leaves at the pressure outside. */
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

/* Returns the flow through a cushion and its slope by the length; smooth, for the ramp S is.
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
  HL_NUMBER ("cushion_" side_ ".length", LENGTH, HL_ABSENT, HL_POSITIVE HL_AT (HlCylinder, cushion[number_].length), length_, HL_TEXT ("Last part of the stroke, over which the cushion closes; no cushion when absent")), \
  HL_NUMBER ("cushion_" side_ ".area", AREA, HL_ABSENT, HL_POSITIVE HL_AT (HlCylinder, cushion[number_].area), area_, HL_TEXT ("Area of the open orifice between line and chamber")), \
  HL_NUMBER ("cushion_" side_ ".end_area", AREA, HL_ABSENT, HL_NOT_NEGATIVE HL_AT (HlCylinder, cushion[number_].end_area), end_, HL_TEXT ("Area that stays open at the stop")), \
  HL_NUMBER ("cushion_" side_ ".check_area", AREA, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, cushion[number_].check_area), check_, HL_TEXT ("Area of the check valve that lets oil into the chamber; 0: none")), \
  HL_NUMBER ("cushion_" side_ ".dead_volume", VOLUME, HL_ABSENT, HL_POSITIVE HL_NOT_HYBRID HL_AT (HlCylinder, cushion[number_].dead_volume), dead_, HL_TEXT ("Oil in the chamber when the piston is at the stop")), \
  HL_NUMBER ("cushion_" side_ ".Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_AT (HlCylinder, cushion[number_].Cd), Cd_, HL_TEXT ("Discharge coefficient of the cushion")), \
  HL_NUMBER ("cushion_" side_ ".dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_AT (HlCylinder, cushion[number_].dp_lim), limit_, HL_TEXT ("Below this pressure difference the flow is laminar"))

static const HlField fields[] = {
  HL_FIELD ("base", POINT, NONE, HL_REQUIRED, HL_TEXT ("Base"), HL_TEXT ("Point of the cylinder barrel")),
  HL_FIELD ("rod", POINT, NONE, HL_REQUIRED, HL_TEXT ("Rod"), HL_TEXT ("Point of the rod end")),
  HL_NUMBER ("piston_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.08), HL_POSITIVE HL_AT (HlCylinder, piston_diameter), HL_TEXT ("Piston diameter"), HL_TEXT ("Inside diameter of the barrel")),
  HL_NUMBER ("rod_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.04), HL_NOT_NEGATIVE HL_AT (HlCylinder, rod_diameter), HL_TEXT ("Rod diameter"), HL_TEXT ("Smaller than the piston diameter")),
  HL_NUMBER ("piston_area", AREA, HL_ONE_OF ("bore", 1, 0.005), HL_POSITIVE HL_AT (HlCylinder, area_a), HL_TEXT ("Piston area"), HL_TEXT ("Area on side A")),
  HL_NUMBER ("rod_side_area", AREA, HL_ONE_OF ("bore", 1, 0.00375), HL_NOT_NEGATIVE HL_AT (HlCylinder, area_b), HL_TEXT ("Rod-side area"), HL_TEXT ("Area on side B; 0: a plunger")),
  HL_NUMBER ("stroke", LENGTH, HL_NEW (0.5), HL_POSITIVE HL_AT (HlCylinder, stroke), HL_TEXT ("Stroke"), HL_TEXT ("Travel of the piston from stop to stop")),
  HL_NUMBER ("c1", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, c1), HL_TEXT ("Base dead length c1"), HL_TEXT ("Part of the retracted length at the base, outside the chambers; retracted length = c1 + c2")),
  HL_NUMBER ("c2", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, c2), HL_TEXT ("Rod dead length c2"), HL_TEXT ("Part of the retracted length at the rod, outside the chambers; retracted length = c1 + c2")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (HlCylinder, wall_modulus), HL_TEXT ("Wall modulus"), HL_TEXT ("Stiffness of the barrel; rigid when absent")),
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, leakage), HL_TEXT ("Leakage"), HL_TEXT ("Flow past the piston per pressure difference")),
  HL_NUMBER ("external_leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, external_leakage), HL_TEXT ("Leakage at the rod"), HL_TEXT ("Flow out of chamber B per pressure above ambient")),
  HL_NUMBER ("vent_pressure", PRESSURE, HL_ABSENT, HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlCylinder, vent_pressure), HL_TEXT ("Vent pressure"), HL_TEXT ("Pressure in a chamber that is not connected; default: ambient pressure, if the fluid states it, else no force")),
  HL_NUMBER ("spring_stiffness", STIFFNESS, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, spring_stiffness), HL_TEXT ("Spring stiffness"), HL_TEXT ("Stiffness of a spring that retracts the rod")),
  HL_NUMBER ("spring_preload", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, spring_preload), HL_TEXT ("Spring preload"), HL_TEXT ("Force of the spring when chamber A is empty")),
  HL_NUMBER ("stop_stiffness", STIFFNESS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (HlCylinder, stop_stiffness), HL_TEXT ("Stop stiffness"), HL_TEXT ("Stiffness of both end stops; when absent 20 MPa presses the piston in by 1/500 of the stroke")),
  HL_NUMBER ("stop_loss", INVERSE_SPEED, HL_DEFAULT (2), HL_NOT_NEGATIVE HL_ONLY_LUMPED HL_AT (HlCylinder, stop_loss), HL_TEXT ("Stop loss factor"), HL_TEXT ("A piston that meets a stop at a low speed v leaves with about 1 − 2/3 of this factor times v of it; 0: without loss")),
  CUSHION ("A", 0, HL_TEXT ("Cushion A: length"), HL_TEXT ("Cushion A: area"), HL_TEXT ("Cushion A: area at the end"), HL_TEXT ("Cushion A: check valve"), HL_TEXT ("Cushion A: dead volume"), HL_TEXT ("Cushion A: flow number"), HL_TEXT ("Cushion A: laminar limit")),
  CUSHION ("B", 1, HL_TEXT ("Cushion B: length"), HL_TEXT ("Cushion B: area"), HL_TEXT ("Cushion B: area at the end"), HL_TEXT ("Cushion B: check valve"), HL_TEXT ("Cushion B: dead volume"), HL_TEXT ("Cushion B: flow number"), HL_TEXT ("Cushion B: laminar limit")),
  HL_CHOICE_AT (HL_AT (HlCylinder, friction.model), "friction.model", "none|viscous|brown-mcphee|stribeck-tanh|bengisu-akay|lugre|modified-lugre", HL_TEXT ("Friction law"), HL_TEXT ("Law of the seals' friction")),
  HL_NUMBER_WHEN (CURVED, "friction.Fc", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fc), HL_TEXT ("Coulomb force F_c"), HL_TEXT ("Friction force at high sliding speed, without the viscous part")),
  HL_NUMBER_WHEN (CURVED, "friction.Fs", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fs), HL_TEXT ("Static force F_s"), HL_TEXT ("Largest friction near standstill")),
  HL_NUMBER_WHEN (CURVED, "friction.vs", SPEED, HL_NEW (0.0125), HL_POSITIVE HL_AT (HlCylinder, friction.vs), HL_TEXT ("Stribeck speed v_s"), HL_TEXT ("Speed at which friction is largest")),
  HL_NUMBER_WHEN (RUBS, "friction.sigma2", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.sigma2), HL_TEXT ("Viscous coefficient σ₂"), HL_TEXT ("Force per speed")),
  HL_NUMBER_WHEN (RUBS, "friction.scale", NONE, HL_DEFAULT (1), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.scale), HL_TEXT ("Friction scale"), HL_TEXT ("Multiplies F_c, F_s and every σ")),
  HL_NUMBER_WHEN ("friction.model=stribeck-tanh", "friction.v0", SPEED, HL_NEW (0.001), HL_POSITIVE HL_AT (HlCylinder, friction.v0), HL_TEXT ("Transition speed v_0"), HL_TEXT ("Speed at which friction has nearly reversed; about a tenth of v_s")),
  HL_NUMBER_WHEN ("friction.model=bengisu-akay", "friction.xi", INVERSE_SPEED, HL_NEW (80), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.xi), HL_TEXT ("Decrease of the force ξ"), HL_TEXT ("Rate of decrease of friction above v_s; about 1/v_s")),
  HL_NUMBER_WHEN (BRISTLES, "friction.sigma0", STIFFNESS, HL_NEW (1e7), HL_POSITIVE HL_AT (HlCylinder, friction.sigma0), HL_TEXT ("Bristle stiffness σ₀"), HL_TEXT ("Stiffness of the seals before they slide")),
  HL_NUMBER_WHEN (BRISTLES, "friction.sigma1", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.sigma1), HL_TEXT ("Bristle damping σ₁"), HL_TEXT ("Force per rate of deflection")),
  HL_NUMBER_WHEN ("friction.model=modified-lugre", "friction.ve", SPEED, HL_NEW (0.001), HL_POSITIVE HL_AT (HlCylinder, friction.ve), HL_TEXT ("Transition speed v_e"), HL_TEXT ("Below this speed the bristles bend without slip")),
  HL_NUMBER_WHEN ("friction.model=modified-lugre", "friction.vd", SPEED, HL_NEW (0.1), HL_POSITIVE HL_AT (HlCylinder, friction.vd), HL_TEXT ("Decay speed v_d"), HL_TEXT ("Above this speed the damping of the bristles decays")),
  HL_NUMBER_WHEN (BRISTLES, "friction.bristle", LENGTH, HL_DEFAULT (0), HL_ANY HL_AT (HlCylinder, friction.bristle), HL_TEXT ("Deflection of the bristles"), HL_TEXT ("At t = 0")),
  HL_NUMBER ("virtual_stiffness", STIFFNESS, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_stiffness), HL_TEXT ("Virtual stiffness"), HL_TEXT ("Quasistatic model: spring between actuator and linkage")),
  HL_NUMBER ("virtual_damping", DAMPING, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_damping), HL_TEXT ("Virtual damping"), HL_TEXT ("Quasistatic model: damper between actuator and linkage")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (CYLINDER, HL_CYL_S, "s", LENGTH, HL_TEXT ("Pin-to-pin length")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_SPEED, "speed", SPEED, HL_TEXT ("Speed of extension")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FORCE, "force", FORCE, HL_TEXT ("Force, positive in extension, after friction")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FRICTION, "friction_force", FORCE, HL_TEXT ("Friction force")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_ROD, "rod_position", LENGTH, HL_TEXT ("Length up to the piston")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_ROD_SPEED, "rod_speed", SPEED, HL_TEXT ("Speed of the piston")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW_A, "flow_A", FLOW, HL_TEXT ("Flow into A")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW_B, "flow_B", FLOW, HL_TEXT ("Flow into B")),
  HL_OUTPUT_OF (LAW, HL_CYLINDER_CUSHION_A, "cushion_A", PRESSURE, HL_TEXT ("Pressure in cushion A")),
  HL_OUTPUT_OF (LAW, HL_CYLINDER_CUSHION_B, "cushion_B", PRESSURE, HL_TEXT ("Pressure in cushion B")),
  HL_OUTPUT_OF (LAW, HL_CYLINDER_BRISTLE, "bristle", LENGTH, HL_TEXT ("Deflection of the bristles")),
};
/* clang-format on */

/* Returns whether a cushion exists: the file states some of its parameters. */
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

/* Returns a piston without leakage, or with a chamber on no line, parts the chambers. */
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
    add_extra_forces (c, law);
  else if (c->n_branches > 0)
    hl_law_pass (law, &c->klass->ways[0], 0, cyl->leakage * (law->p[0] - law->p[1]), cyl->leakage);
  if (cyl->bristle >= 0)
    bristle (c, law, cyl->bristle);
}

/* Adds the powers. The friction of the bristle is among the losses of the motion, except for the energy that
 * it stores. */
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

/* Returns the start pressure of a cushioned chamber: that of its line. */
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

/* Finds a state by its word; -1 = the cylinder does not have it. */
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

  if (!(cyl->area_b >= 0.0 && cyl->area_b <= cyl->area_a)) {
    wrong->field = "rod_side_area";
    wrong->to = 0.5 * cyl->area_a;
    wrong->mend = HL_TEXT ("make it smaller than the piston area");
    return HL_TEXT ("the rod is larger than the piston");
  }
  if (hl_friction_has_bristle (&cyl->friction) && !(cyl->friction.Fc > 0.0)) {
    wrong->field = "friction.Fc";
    wrong->to = cyl->friction.Fs > 0.0 ? 0.7 * cyl->friction.Fs : TYPICAL_FORCE;
    wrong->mend = HL_TEXT ("set the Coulomb force to a value above 0");
    return HL_TEXT ("LuGre friction without a Coulomb force is undefined");
  }
  if (hl_friction_has_bristle (&cyl->friction) && !(cyl->friction.Fs > 0.0)) {
    wrong->field = "friction.Fs";
    wrong->to = 1.5 * cyl->friction.Fc;
    wrong->mend = HL_TEXT ("set the static force to a value above 0, usually above the Coulomb force");
    return HL_TEXT ("LuGre friction without a static force is undefined");
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
      wrong->mend = HL_TEXT ("add the missing value, or remove the cushion");
      if ((c->stated >> hl_component_find_field (c, names[k]) & 1) == 0)
        return HL_TEXT ("a cushion needs a length, an area, an area at the end and a dead volume");
    }
    wrong->field = names[2];
    wrong->to = cushion->area;
    wrong->mend = HL_TEXT ("set the area at the end to at most the area of the open cushion");
    if (cyl->cushion_state[side] >= 0 && cushion->end_area > cushion->area)
      return HL_TEXT ("the area at the end is larger than the area of the open cushion");
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
      out[0].hybrid_why = HL_TEXT ("a chamber of the cylinder has a cushion and no line: the incompressible "
                                   "oil of this chamber holds the piston permanently");
      out[0].hybrid_mend = HL_TEXT ("connect the port of this chamber to a line, or remove the cushion");
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
    .kind.also = HL_TEXT ("ram, jack, actuator, piston, stroke, bore, seal friction, Stribeck, LuGre"),
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
