/* SPDX-License-Identifier: MIT */
/* Sequence valve: opens when the pressure X stands above Y by its setting.
 *
 *   Y = S (d),  normally open: S (1 - d),     d = (p_X - p_Y - setting)/range
 *
 * with flow, by-pass and lag of hl-spring-valve.h. X on no line reads A, the inner pilot; Y on no line
 * is drained to the outside. With X on a remote line and B on the tank it is an unloading valve. */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/valves/hl-spring-valve.h"

enum { A, B, X, Y, N_PORTS };

enum { CLOSED, OPEN };

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (1e+07), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, seat.opening_pressure), HL_TEXT ("Set pressure"), HL_TEXT ("Difference X - Y at which it begins to move")),
  HL_NUMBER ("opening_range", PRESSURE_DIFFERENCE, HL_NEW (1e+06), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, opening_range), HL_TEXT ("Opening range"), HL_TEXT ("Further pressure difference to the end of its travel")),
  HL_CHOICE_AT (HL_AT (HlSpringValve, normally), "normally", "closed|open", HL_TEXT ("Rest position"), HL_TEXT ("Position without pressure")),
  HL_SPRING_VALVE_ORIFICE,
  HL_SPRING_VALVE_STATE,
  HL_NUMBER ("check_area", AREA, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlSpringValve, check_area), HL_TEXT ("Bypass area"), HL_TEXT ("Area of the check valve from B to A; 0: none")),
  HL_SPRING_VALVE_CHECK,
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
  HL_LET ("A_r", HlSpringValve, check_area),
  HL_LET ("p_r", HlSpringValve, check_cracking_pressure),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (HlSpringValve, seat.conductance),
  {"K_r = c_d A_r sqrt(2 / rho)", HL_IS_NUMBER (HlSpringValve, check_conductance)},
  HL_SPRING_VALVE_PILOT_FORMULAS,
  {"q = K y q_1(p_A - p_B) - K_r q_1(pos(p_B - p_A - p_r))", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  HL_SPRING_VALVE_PILOT_CURVES,
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1.06e7, 1e5, 1.06e7, 1e5},
    .state = {0.5},
    .sources = "theory/hydraulics.md (14)",
};

const HlComponentClass hl_sequence_valve_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "sequence-valve",
             HL_TEXT ("Sequence valve"),
             HL_TEXT ("Passes oil from A to B when X - Y exceeds its setting"),
             "sequence",
             N_PORTS,
             {"A", "B", "X", "Y"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (HlSpringValve),
    .n_branches = 1,
    .ways = {{A, B, 1U << X | 1U << Y}},
    .absent = {[X] = {HL_ABSENT_AS_PORT, A}, [Y] = {HL_ABSENT_OUTSIDE, -1}},
    HL_SPRING_VALVE_MEMBERS,
    .derive = derive,
    .help = &help,
};
