/* SPDX-License-Identifier: MIT */
/* The cylinder in words: force, friction, end stops and spring, leaks and cushions. */
#include "core/hydro/hl-cylinder-help.h"

#include <math.h>

#include "core/base/hl-status.h"
#include "core/hydro/hl-bristle.h"
#include "core/hydro/hl-cylinder.h"
#include "core/hydro/hl-gas.h"
#include "core/hydro/hl-orifice.h"

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

/* Friction of a law without bristles. */
static double rubbing (const HlComponent *c, const HlLaw *law, double *slope) {
  return hl_friction_force (&cylinder_of (c)->friction, law->speed, slope);
}

/* Of bristles, bent as they are. */
static double bristling (const HlComponent *c, const HlLaw *law, double *slope) {
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

static double stops (const HlComponent *c, const HlLaw *law, double *slope) {
  HlStopForce at;

  hl_cylinder_stops (cylinder_of (c), law->length, law->speed, &at);
  *slope = -at.stiffness;
  return at.force;
}

/* Room of a chamber, of which an empty one has none. */
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

/* From stop to stop, and as far into them as the reference pressure presses. */
static void range_of_length (const HlComponent *c, double *low, double *high) {
  const HlCylinder *cyl = cylinder_of (c);
  double into = HL_STOP_DEPTH * cyl->stroke;

  *low = cyl->c1 + cyl->c2 - into;
  *high = cyl->c1 + cyl->c2 + cyl->stroke + into;
}

/* clang-format off */
#define CUSHION(side_, number_) \
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
  HL_LET_MOTION ("s", LENGTH, LENGTH, HL_TEXT ("Length between the points")),
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
  HL_LET_CONSTANT ("p_h", HL_STOP_PRESSURE, PRESSURE_DIFFERENCE, HL_TEXT ("Pressure that presses the piston into the stop by the depth below")),
  HL_LET_CONSTANT ("k_h", HL_STOP_DEPTH, NONE, HL_TEXT ("That depth over the stroke")),
  HL_LET_CONSTANT ("k_v", HL_STOP_LOSS, INVERSE_SPEED, HL_TEXT ("Loss of the stop")),
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
  CUSHION ("A", 0),
  CUSHION ("B", 1),
  HL_LET_CONSTANT ("dp_1", HL_DP_LIM_SMALLEST, PRESSURE_DIFFERENCE, HL_TEXT ("Smallest laminar limit of the lumped model")),
  HL_LET_STATE ("p_1", HL_CYLINDER_CUSHION_A, 0),
  HL_LET_STATE ("p_2", HL_CYLINDER_CUSHION_B, 0),
  HL_LET_DENSITY,
  HL_LET_WORKED ("k_s", softness_shown, 0, NONE, HL_TEXT ("1 over the moduli of oil and wall")),
  HL_LET_OIL ("alpha", air_fraction, NONE, HL_TEXT ("Air in the oil")),
  HL_LET_CONSTANT ("p_u", HL_AIR_PRESSURE, PRESSURE, HL_TEXT ("Pressure at which the air is stated")),
  HL_LET_CONSTANT ("n_u", HL_AIR_EXPONENT, NONE, HL_TEXT ("Exponent of the air")),
  HL_LET_OIL ("p_v", vapour_pressure, PRESSURE, HL_TEXT ("Vapour pressure of the oil")),
  HL_LET_CONSTANT ("p_e", HL_LEAST_ONSET, PRESSURE, HL_TEXT ("Least pressure of vapour")),
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
  {"F_f = 0", HL_IS_OWN (rubbing), rubs_not, HL_TEXT ("without friction")},
  {"F_f = m sigma_2 v", HL_IS_OWN (rubbing), rubs_by_viscous, HL_TEXT ("viscous friction")},
  {"z = v / v_s", HL_STEP, rubs_by_brown_mcphee, HL_TEXT ("Brown and McPhee")},
  {"w = z^2 / 4 + 3 / 4", HL_STEP, rubs_by_brown_mcphee, HL_TEXT ("Brown and McPhee")},
  {"F_f = m (F_C tanh(4 z) + (F_S - F_C) z / w^2 + sigma_2 v)", HL_IS_OWN (rubbing), rubs_by_brown_mcphee, HL_TEXT ("Brown and McPhee")},
  {"F_f = m ((F_C + (F_S - F_C) exp(-(v / v_s)^2)) tanh(v / v_0) + sigma_2 v)", HL_IS_OWN (rubbing), rubs_by_stribeck_tanh, HL_TEXT ("Stribeck curve through rest by tanh")},
  {"F_g = cases(F_S v (2 v_s - abs(v)) / v_s^2, abs(v) < v_s, sign(v) (F_C + (F_S - F_C) exp(-xi (abs(v) - v_s))))", HL_STEP, rubs_by_bengisu_akay, HL_TEXT ("Bengisu and Akay")},
  {"F_f = m (F_g + sigma_2 v)", HL_IS_OWN (rubbing), rubs_by_bengisu_akay, HL_TEXT ("Bengisu and Akay")},
  {"g = F_C + (F_S - F_C) exp(-(v / v_s)^2)", HL_STEP, WHEN_BRISTLES},
  {"a = abs(v)", HL_STEP, rubs_by_lugre, HL_TEXT ("LuGre")},
  {"a = v tanh(v / v_e)", HL_STEP, rubs_by_modified_lugre, HL_TEXT ("modified LuGre")},
  {"s_1 = sigma_1", HL_STEP, rubs_by_lugre, HL_TEXT ("LuGre")},
  {"s_1 = sigma_1 exp(-(v / v_d)^2)", HL_STEP, rubs_by_modified_lugre, HL_TEXT ("modified LuGre")},
  {"b' = v - sigma_0 a b / g", HL_IS_RATE_OF (HL_CYLINDER_BRISTLE, 0), WHEN_BRISTLES},
  {"F_f = m (sigma_0 b + s_1 b' + sigma_2 v)", HL_IS_OWN (bristling), WHEN_BRISTLES},
  {"F_g = m (sign(v) g + sigma_2 v)", HL_IS_OWN (sliding), WHEN_BRISTLES},
  /* spring and stops */
  {"F_k = -(F_0 + k l_A)", HL_IS_OWN (spring)},
  {"K = p_h max(A_A, A_B) / (k_h h)^2", HL_STEP},
  {"d = max(-l_A, -l_B)", HL_STEP},
  {"j = cases(1, l_A < 0, -1)", HL_STEP},
  {"F_h = cases(j K d^2 pos(1 - k_v j v), d > 0, 0)", HL_STEP},
  {"F_e = F_h + F_k", HL_IS_OWN (stops)},
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
  {HL_TEXT ("Force of end stops and spring over length"), HL_LET_MOTION ("s", LENGTH, LENGTH, NULL), "F_e", HL_QUANTITY_FORCE, HL_IS_OWN (stops), .range = range_of_length},
  {HL_TEXT ("Room of chamber A over length"), HL_LET_MOTION ("s", LENGTH, LENGTH, NULL), "V_A", HL_QUANTITY_VOLUME, HL_IS_OWN (room_of_A), .range = range_of_length},
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
