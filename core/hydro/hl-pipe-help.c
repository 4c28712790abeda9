/* SPDX-License-Identifier: MIT */
/* The pipe in words: plain, with the inertia of its oil, and in segments. */
#include "core/hydro/hl-pipe.h"

#include <math.h>

#include "core/base/hl-status.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-gas.h"

static bool is_plain (const HlComponent *c) {
  const HlPipe *pipe = c->self;
  return !pipe->has_inertia && pipe->cut.n == 0;
}

static bool has_one_flow (const HlComponent *c) {
  const HlPipe *pipe = c->self;
  return pipe->has_inertia && pipe->cut.n == 0;
}

static bool is_cut (const HlComponent *c) {
  return ((const HlPipe *)c->self)->cut.n > 1;
}

static bool rubs_by_churchill (const HlComponent *c) {
  return !is_plain (c) && ((const HlPipe *)c->self)->friction == HL_PIPE_CHURCHILL;
}

static bool rubs_linearly (const HlComponent *c) {
  return !is_plain (c) && ((const HlPipe *)c->self)->friction == HL_PIPE_LINEAR;
}

static bool is_laminar (const HlComponent *c) {
  return !HL_STATES (c, HlPipe, resistance);
}

static bool is_round (const HlComponent *c) {
  return HL_STATES (c, HlPipe, diameter);
}

/* Pieces that it is cut into, at least 1. */
static double pieces (const HlComponent *c, int index) {
  (void)index;
  return fmax (1.0, ((const HlPipe *)c->self)->cut.n);
}

static double softness_of_wall (const HlComponent *c, int index) {
  double wall = ((const HlPipe *)c->self)->wall_modulus;

  (void)index;
  return wall > 0.0 ? 1.0 / wall : 0.0;
}

/* What friction takes from the first flow. */
static double taken (const HlComponent *c, const HlLaw *law, double *slope) {
  const HlPipe *pipe = c->self;
  double q = law->state[0];

  if (pipe->friction == HL_PIPE_CHURCHILL)
    return hl_churchill_loss (&pipe->churchill, q, slope);
  *slope = pipe->cut.n > 0 ? pipe->cut.resistance : pipe->resistance;
  return *slope * q;
}

/* Until the flow is well turbulent, or as fast as oil goes. */
static void range_of_flow (const HlComponent *c, double *low, double *high) {
  *high = 6.0 * ((const HlPipe *)c->self)->area;
  *low = -*high;
}

/* clang-format off */
#define WHEN_PLAIN is_plain, HL_TEXT ("without inertia")
#define WHEN_INERT has_one_flow, HL_TEXT ("with inertia")
#define WHEN_CUT is_cut, HL_TEXT ("in segments")
#define WHEN_CHURCHILL rubs_by_churchill, HL_TEXT ("Churchill's friction")
static const HlLetter letters[] = {
  HL_LET ("l", HlPipe, length),
  HL_LET ("d", HlPipe, diameter),
  HL_LET ("A", HlPipe, area),
  HL_LET ("R", HlPipe, resistance),
  HL_LET ("eps", HlPipe, churchill.roughness),
  HL_LET_WORKED ("n", pieces, 0, NONE, HL_TEXT ("Segments")),
  HL_LET_WORKED ("k_w", softness_of_wall, 0, NONE, HL_TEXT ("1 over the wall's modulus")),
  HL_LET_DENSITY,
  HL_LET_OIL ("mu", viscosity, VISCOSITY, HL_TEXT ("Viscosity of the oil")),
  HL_LET_OIL ("B", bulk_modulus, MODULUS, HL_TEXT ("Bulk modulus of the oil")),
  HL_LET_OIL ("alpha", air_fraction, NONE, HL_TEXT ("Air in the oil")),
  HL_LET_OIL ("p_v", vapour_pressure, PRESSURE, HL_TEXT ("Vapour pressure of the oil")),
  HL_LET_CONSTANT ("p_e", HL_LEAST_ONSET, PRESSURE, HL_TEXT ("Least pressure of vapour")),
  HL_LET_CONSTANT ("p_u", HL_AIR_PRESSURE, PRESSURE, HL_TEXT ("Pressure at which the air is stated")),
  HL_LET_CONSTANT ("n_u", HL_AIR_EXPONENT, NONE, HL_TEXT ("Exponent of the air")),
  HL_LET_PORT ("p_A", HL_PIPE_A),
  HL_LET_PORT ("p_B", HL_PIPE_B),
  HL_LET_STATE ("q", HL_PIPE_ONE_FLOW, 0),
  HL_LET_STATE ("q_1", HL_PIPE_FLOWS, 0),
  HL_LET_STATE ("q_2", HL_PIPE_FLOWS, 1),
  HL_LET_STATE ("p_1", HL_PIPE_PRESSURES, 0),
};
static const HlFormulaText formulas[] = {
  {"A = pi d^2 / 4", HL_IS_NUMBER (HlPipe, area), is_round, HL_TEXT ("of a stated diameter")},
  {"R = 8 pi mu l / A^2", HL_IS_NUMBER (HlPipe, resistance), is_laminar, HL_TEXT ("where none is stated")},
  {"I = rho l / A", HL_IS_NUMBER (HlPipe, inertia)},
  {"q = (p_A - p_B) / R", HL_IS (FLOW, 0), WHEN_PLAIN},
  {"q_f = q", HL_STEP, WHEN_INERT},
  {"q_f = q_1", HL_STEP, WHEN_CUT},
  {"dp_f = (R / n) q_f", HL_IS_OWN (taken), rubs_linearly, HL_TEXT ("linear friction")},
  {"d_h = sqrt(4 A / pi)", HL_STEP, WHEN_CHURCHILL},
  {"Re = abs(q_f) d_h rho / (A mu)", HL_STEP, WHEN_CHURCHILL},
  {"a = (2.457 ln(1 / ((7 / Re)^0.9 + 0.27 eps / d_h)))^16", HL_STEP, WHEN_CHURCHILL},
  {"b = (37530 / Re)^16", HL_STEP, WHEN_CHURCHILL},
  {"f = 8 ((8 / Re)^12 + 1 / (a + b)^1.5)^(1 / 12)", HL_STEP, WHEN_CHURCHILL},
  {"dp_f = cases(128 mu (l / n) q_f / (pi d_h^4), Re < 600, f (l / (n d_h)) rho q_f abs(q_f) / (2 A^2))", HL_IS_OWN (taken), WHEN_CHURCHILL},
  {"q' = (p_A - p_B - dp_f) / I", HL_IS_RATE_OF (HL_PIPE_ONE_FLOW, 0), WHEN_INERT},
  {"q_1' = (p_A - p_1 - dp_f) n / I", HL_IS_RATE_OF (HL_PIPE_FLOWS, 0), WHEN_CUT},
  {"c_u = (alpha / (n_u p_1)) (p_u / p_1)^(1 / n_u)", HL_STEP, WHEN_CUT},
  {"p_c = max(p_v, p_e)", HL_STEP, WHEN_CUT},
  {"c_v = cases(((p_c - p_1) / p_1)^2 / p_c, p_1 < p_c, 0)", HL_STEP, WHEN_CUT},
  {"C = (A l / n) (1 / B + k_w + c_u + c_v)", HL_STEP, WHEN_CUT},
  {"p_1' = (q_1 - q_2) / C", HL_IS_RATE_OF (HL_PIPE_PRESSURES, 0), WHEN_CUT},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", HL_PIPE_A), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 1 + HL_PIPE_B, .low = -2e6, .high = 2e6, .holds = is_plain},
  {HL_TEXT ("Pressure taken by friction over flow"), HL_LET_STATE ("q", HL_PIPE_ONE_FLOW, 0), "dp_f", HL_QUANTITY_PRESSURE_DIFFERENCE, HL_IS_OWN (taken), .range = range_of_flow, .holds = has_one_flow},
  {HL_TEXT ("Pressure taken by friction over flow"), HL_LET_STATE ("q_1", HL_PIPE_FLOWS, 0), "dp_f", HL_QUANTITY_PRESSURE_DIFFERENCE, HL_IS_OWN (taken), .range = range_of_flow, .holds = is_cut},
};
/* clang-format on */
const HlComponentHelp hl_pipe_help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1.1e6, 1e6},
    .state = {1e-4, 1e-4, 1e6},
    .sources = "theory/hydraulics.md (17)-(19); theory/fluid.md (3); Churchill (1977)",
};
