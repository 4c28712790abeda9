/* SPDX-License-Identifier: MIT */
/* Check valve: flow from A to B only, above the cracking pressure. Without a range the excess drives
 * the flow; with one its spring is felt:
 *
 *   q = K q1+ (p_A - p_B - cracking pressure)                            no range
 *   q = K S (e) q1 (p_A - p_B),  e = (p_A - p_B - cracking pressure)/range */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/valves/hl-spring-valve.h"

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cd", NONE, HL_NEW (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the open valve")),
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.area), HL_TEXT ("Area"), HL_TEXT ("Area of the open valve")),
  HL_NUMBER ("cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlSpringValve, seat.opening_pressure), HL_TEXT ("Cracking pressure"), HL_TEXT ("Difference A - B at which it opens")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_ABSENT, HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference to full opening; when absent the pressure excess drives the flow")),
};
static const HlOutput outputs[] = {
  HL_SPRING_VALVE_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  hl_spring_valve_derive (c, fluid, hl_spring_valve_by_difference (c), hl_spring_valve_excess_of_difference);
}

static int passages (const HlComponent *c, HlPassage out[]) {
  out[0] = hl_seat_passage (c, HL_PASSAGE_CHECK);
  out[0].is_free = !(out[0].opening_pressure > 0.0);
  return 1;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (HlSpringValve, seat.),
  HL_LET ("p_c", HlSpringValve, seat.opening_pressure),
  HL_LET ("r", HlSpringValve, opening_range),
  HL_LET_PORT ("p_A", 0),
  HL_LET_PORT ("p_B", 1),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (HlSpringValve, seat.conductance),
  HL_FORMULAS_OF_LIMIT,
  {"q = K q_1(pos(p_A - p_B - p_c))", HL_IS (FLOW, 0), hl_spring_valve_is_seat, HL_TEXT ("without an opening range")},
  HL_FORMULA_OF_RAMP,
  {"Y = S((p_A - p_B - p_c) / r)", HL_IS (OUTPUT, 0), hl_spring_valve_is_sprung, HL_TEXT ("with an opening range")},
  {"q = K Y q_1(p_A - p_B)", HL_IS (FLOW, 0), hl_spring_valve_is_sprung, HL_TEXT ("with an opening range")},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .range = hl_spring_valve_range},
  {HL_TEXT ("Opening over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "Y", HL_QUANTITY_NONE, HL_IS (OUTPUT, 0), .over = 2, .range = hl_spring_valve_range, .holds = hl_spring_valve_is_sprung},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {4e5, 1e5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_check_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "check-valve",
             HL_TEXT ("Check valve"),
             HL_TEXT ("Flow from A to B only"),
             "check",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("non-return valve, one-way valve, suction valve, make-up valve"),
    .size = sizeof (HlSpringValve),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .derive = derive,
    .eval = hl_spring_valve_eval,
    .lift = hl_spring_valve_lift,
    .is_kinked = hl_spring_valve_is_kinked,
    .output = hl_spring_valve_output,
    .has_output = hl_spring_valve_has_output,
    .passages = passages,
    .help = &help,
};
