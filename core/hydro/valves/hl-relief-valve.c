/* SPDX-License-Identifier: MIT */
/* Relief valve: flow from A to T above the set pressure. Without a range the excess drives the flow;
 * with one its spring is felt:
 *
 *   q = K q1+ (p_A - p_T - setting)                                      no range
 *   q = K y q1 (p_A - p_T),     Y = S ((p_A - p_T - setting)/range)
 *
 * With a time constant the opening y follows Y (hl-spring-valve.h), without one it is Y. */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/valves/hl-spring-valve.h"

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (2e+07), HL_NOT_NEGATIVE HL_AT (HlSpringValve, seat.opening_pressure), HL_TEXT ("Set pressure"), HL_TEXT ("Difference A - T at which it opens")),
  HL_NUMBER ("Cd", NONE, HL_NEW (0.6), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the open valve")),
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.area), HL_TEXT ("Area"), HL_TEXT ("Area of the open valve")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_ABSENT, HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference to full opening; when absent the pressure excess drives the flow")),
  HL_SPRING_VALVE_STATE,
};
static const HlOutput outputs[] = {
  HL_SPRING_VALVE_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  hl_spring_valve_derive (c, fluid, hl_spring_valve_by_difference (c), hl_spring_valve_excess_of_difference);
}

#define TYPICAL_OVERRIDE 0.1 /* of the set pressure */
#define TYPICAL_RANGE 5.0e5  /* of one that is set to 0 [Pa] */

static const char *is_wrong (const HlComponent *c, HlWrong *wrong) {
  const HlSpringValve *valve = c->self;

  if (!(valve->time_constant > 0.0) || valve->opening_range > 0.0)
    return NULL;
  wrong->field = "opening_range";
  wrong->to =
      valve->seat.opening_pressure > 0.0 ? TYPICAL_OVERRIDE * valve->seat.opening_pressure : TYPICAL_RANGE;
  wrong->mend = HL_TEXT ("give the valve an opening range, or set its time constant to 0");
  return HL_TEXT ("a relief valve with a time constant needs an opening range");
}

static int passages (const HlComponent *c, HlPassage out[]) {
  out[0] = hl_seat_passage (c, HL_PASSAGE_RELIEF);
  return 1;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (HlSpringValve, seat.),
  HL_LET ("p_c", HlSpringValve, seat.opening_pressure),
  HL_LET ("r", HlSpringValve, opening_range),
  HL_SPRING_VALVE_LETTERS,
  HL_LET_PORT ("p_A", 0),
  HL_LET_PORT ("p_T", 1),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (HlSpringValve, seat.conductance),
  HL_FORMULAS_OF_LIMIT,
  {"q = K q_1(pos(p_A - p_T - p_c))", HL_IS (FLOW, 0), hl_spring_valve_is_seat, HL_TEXT ("without an opening range")},
  HL_FORMULA_OF_RAMP,
  {"Y = S((p_A - p_T - p_c) / r)", HL_IS (REST, 0), hl_spring_valve_is_sprung, HL_TEXT ("with an opening range")},
  HL_SPRING_VALVE_FORMULAS,
  {"q = K y q_1(p_A - p_T)", HL_IS (FLOW, 0), hl_spring_valve_is_sprung, HL_TEXT ("with an opening range")},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_T", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .range = hl_spring_valve_range},
  {HL_TEXT ("Commanded opening over pressure difference"), HL_LET_PORT ("p_A - p_T", 0), "Y", HL_QUANTITY_NONE, HL_IS (REST, 0), .over = 2, .range = hl_spring_valve_range, .holds = hl_spring_valve_is_sprung},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {2.05e7, 1e5},
    .state = {0.5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_relief_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "relief-valve",
             HL_TEXT ("Relief valve"),
             HL_TEXT ("Opens above a pressure difference"),
             "relief",
             2,
             {"A", "T"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("safety valve, pressure limiter, maximum pressure"),
    .size = sizeof (HlSpringValve),
    .relieves = true,
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .n_states = 1,
    .states = {HL_SPRING_VALVE_WORD},
    .derive = derive,
    .count_states = hl_spring_valve_count_states,
    .eval = hl_spring_valve_eval,
    .lift = hl_spring_valve_lift,
    .is_kinked = hl_spring_valve_is_kinked,
    .output = hl_spring_valve_output,
    .has_output = hl_spring_valve_has_output,
    .rest = hl_spring_valve_rest,
    .keeps_shape = hl_spring_valve_keeps_shape,
    .is_wrong = is_wrong,
    .passages = passages,
    .help = &help,
};
