/* SPDX-License-Identifier: MIT */
/* Pressure compensator: keeps the difference of two pressures by throttling what comes to them.
 *
 *   Y = S (1 - d),  normally closed: S (d),     d = (p_X - p_Y - setting)/range
 *
 * with flow and lag of hl-spring-valve.h: fully open below the setting, closed one range above it. The
 * normally closed one lets the rest by (three ways). X on no line reads A, Y on no line B. */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/valves/hl-spring-valve.h"

enum { A, B, X, Y, N_PORTS };

enum { OPEN, CLOSED };

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (800000), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.opening_pressure), HL_TEXT ("Set pressure"), HL_TEXT ("Difference X - Y at which it begins to move")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_NEW (300000), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference to the end of its travel")),
  HL_CHOICE_AT (HL_AT (HlSpringValve, normally), "normally", "open|closed", HL_TEXT ("Rest position"), HL_TEXT ("Position without pressure")),
  HL_SPRING_VALVE_ORIFICE,
  HL_SPRING_VALVE_STATE,
};
static const HlOutput outputs[] = {
  HL_SPRING_VALVE_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  hl_spring_valve_derive_by_pilots (c, fluid, OPEN);
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_SPRING_VALVE_PILOT_LETTERS,
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (HlSpringValve, seat.conductance),
  HL_SPRING_VALVE_PILOT_FORMULAS,
  {"q = K y q_1(p_A - p_B)", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  HL_SPRING_VALVE_PILOT_CURVES,
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {4e6, 2e6, 2.9e6, 2e6},
    .state = {0.5},
    .sources = "theory/hydraulics.md (14)",
};

const HlComponentClass hl_pressure_compensator_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "pressure-compensator",
             HL_TEXT ("Pressure compensator"),
             HL_TEXT ("Throttles the flow from A to B to keep X - Y near its setting"),
             "compensator",
             N_PORTS,
             {"A", "B", "X", "Y"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("load sensing, pressure balance"),
    .size = sizeof (HlSpringValve),
    .n_branches = 1,
    .ways = {{A, B, 1U << X | 1U << Y}},
    .absent = {[X] = {HL_ABSENT_AS_PORT, A}, [Y] = {HL_ABSENT_AS_PORT, B}},
    HL_SPRING_VALVE_MEMBERS,
    .derive = derive,
    .help = &help,
};
