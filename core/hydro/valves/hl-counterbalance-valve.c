/* SPDX-License-Identifier: MIT */
/* Counterbalance valve: holds a load at A until its own pressure or the pilot X opens it, and lets oil
 * to the load through its check.
 *
 *   Y = S (e),     e = [(p_A - p0) + R (p_X - p0) - b (p_B - p0) - setting]/range
 *
 * with flow, by-pass and lag of hl-spring-valve.h; p0 is the pressure outside. With b = 1 + R, the
 * spring chamber open to B, p0 drops out; b = 0 is a vented one, which is blind to back pressure. X on
 * no line is open to the outside. Large R with little damping makes the well-known oscillation. */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-flow-law.h"
#include "core/hydro/valves/hl-spring-valve.h"

enum { A, B, X, N_PORTS };

typedef struct {
  HlSpringValve valve;       /* first: it is one */
  double pilot_ratio;        /* R [1] */
  double back_pressure_gain; /* b [1]; derived when none is stated */
} Counterbalance;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (2e+07), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.opening_pressure), HL_TEXT ("Set pressure"), HL_TEXT ("Load pressure that opens it without a pilot")),
  HL_NUMBER ("pilot_ratio", NONE, HL_NEW (3), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (Counterbalance, pilot_ratio), HL_TEXT ("Pilot ratio"), HL_TEXT ("Effect of the pilot pressure relative to the load pressure")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_NEW (4e+06), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference to full opening")),
  HL_NUMBER ("back_pressure_gain", NONE, HL_ABSENT, HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (Counterbalance, back_pressure_gain), HL_TEXT ("Back-pressure gain"), HL_TEXT ("Closing effect of the pressure at B; default 1 + pilot ratio, 0: vented")),
  HL_SPRING_VALVE_ORIFICE,
  HL_SPRING_VALVE_STATE,
  HL_NUMBER ("check_area", AREA, HL_ABSENT, HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, check_area), HL_TEXT ("Bypass area"), HL_TEXT ("Area of the check valve from B to A; default: that of the valve")),
  HL_SPRING_VALVE_CHECK,
};
static const HlOutput outputs[] = {
  HL_SPRING_VALVE_OUTPUTS,
};
/* clang-format on */

/* Returns the excess pressure e. */
static double excess (const HlComponent *c, const double p[], double slopes[]) {
  const Counterbalance *cbv = c->self;
  double range = cbv->valve.opening_range, p0 = c->outside;

  slopes[A] = 1.0 / range;
  slopes[B] = -cbv->back_pressure_gain / range;
  slopes[X] = cbv->pilot_ratio / range;
  return ((p[A] - p0) + cbv->pilot_ratio * (p[X] - p0) - cbv->back_pressure_gain * (p[B] - p0) -
          cbv->valve.seat.opening_pressure) /
         range;
}

static double opening (const HlComponent *c, const double p[], double slopes[]) {
  const Counterbalance *cbv = c->self;
  double range = cbv->valve.opening_range, p0 = c->outside, slope;
  double e = (p[A] - p0) + cbv->pilot_ratio * (p[X] - p0) - cbv->back_pressure_gain * (p[B] - p0) -
             cbv->valve.seat.opening_pressure;
  double S = hl_ramp (e / range, &slope);

  slopes[A] = slope / range;
  slopes[B] = -cbv->back_pressure_gain * slopes[A];
  slopes[X] = cbv->pilot_ratio * slopes[A];
  return S;
}

static void derive (HlComponent *c, const HlFluid *fluid) {
  Counterbalance *cbv = c->self;

  if (!HL_STATES (c, Counterbalance, back_pressure_gain))
    cbv->back_pressure_gain = 1.0 + cbv->pilot_ratio;
  if (!HL_STATES (c, HlSpringValve, check_area))
    cbv->valve.check_area = cbv->valve.seat.area;
  hl_spring_valve_derive (c, fluid, opening, excess);
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (HlSpringValve, seat.),
  HL_LET ("p_s", HlSpringValve, seat.opening_pressure),
  HL_LET ("r", HlSpringValve, opening_range),
  HL_SPRING_VALVE_LETTERS,
  HL_LET ("A_r", HlSpringValve, check_area),
  HL_LET ("p_r", HlSpringValve, check_cracking_pressure),
  HL_LET ("R", Counterbalance, pilot_ratio),
  HL_LET ("b", Counterbalance, back_pressure_gain),
  HL_LET_OUTSIDE ("p_0"),
  HL_LET_PORT ("p_A", A),
  HL_LET_PORT ("p_B", B),
  HL_LET_PORT ("p_X", X),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (HlSpringValve, seat.conductance),
  {"K_r = c_d A_r sqrt(2 / rho)", HL_IS_NUMBER (HlSpringValve, check_conductance)},
  HL_FORMULAS_OF_LIMIT,
  HL_FORMULA_OF_RAMP,
  {"e = (p_A - p_0 + R (p_X - p_0) - b (p_B - p_0) - p_s) / r", HL_STEP},
  {"Y = S(e)", HL_IS (REST, 0)},
  HL_SPRING_VALVE_FORMULAS,
  {"q = K y q_1(p_A - p_B) - K_r q_1(pos(p_B - p_A - p_r))", HL_IS (FLOW, 0)},
};
/* clang-format on */
/* Returns a range about the load pressure at which the valve opens with the pilot at rest. */
static void range_of_load (const HlComponent *c, double *low, double *high) {
  const Counterbalance *cbv = c->self;

  *low = 0.0;
  *high = cbv->valve.seat.opening_pressure + 2.0 * cbv->valve.opening_range;
}

/* clang-format off */
static const HlCurve curves[] = {
  {HL_TEXT ("Commanded opening over pressure"), HL_LET_PORT ("p_A", A), "Y", HL_QUANTITY_NONE, HL_IS (REST, 0), .over = 0, .range = range_of_load},
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", A), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 1 + B, .range = hl_spring_valve_range},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1.5e7, 1e5, 2.2e6},
    .state = {0.5},
    .sources = "theory/hydraulics.md (14)",
};

const HlComponentClass hl_counterbalance_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "counterbalance-valve",
             HL_TEXT ("Counterbalance valve"),
             HL_TEXT ("Holds the load at A; the pilot pressure X lowers it to B"),
             "cbv",
             N_PORTS,
             {"A", "B", "X"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("overcentre valve, lowering brake valve, load holding"),
    .size = sizeof (Counterbalance),
    .n_branches = 1,
    .ways = {{A, B, 1U << X}},
    .absent = {[X] = {HL_ABSENT_OUTSIDE, -1}},
    HL_SPRING_VALVE_MEMBERS,
    .derive = derive,
    .help = &help,
};
