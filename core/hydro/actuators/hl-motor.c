/* SPDX-License-Identifier: MIT */
/* Motor between two bodies; driven by its body it is a pump. Its leaks:
 *
 *   q_1 = kl (p_A - p_B)       from A to B
 *   q_2 = kc (p_A - p0)        q_3 = kc (p_B - p0)      out of the housing
 *
 * A port on no line is open to the outside. */
#include "core/hydro/actuators/hl-rotary-actuator-equations.h"
#include "core/hydro/hl-component-help.h"

enum { BETWEEN, OUT_OF_A, OUT_OF_B, N_BRANCHES };

/* clang-format off */
static const HlField fields[] = {
  HL_SHAFT_FIELDS,
  HL_NUMBER ("case_leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, case_leakage), HL_TEXT ("Leakage of the housing"), HL_TEXT ("Flow out of each port per pressure above ambient")),
};
static const HlOutput outputs[] = {
  HL_SHAFT_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  (void)fluid;
  hl_shaft_derive (c);
  ((HlCylinder *)c->self)->vent_pressure = c->outside;
}

static void eval (const HlComponent *c, HlLaw *law) {
  const HlCylinder *cyl = c->self;

  hl_law_pass (law, &c->klass->ways[BETWEEN], BETWEEN, cyl->leakage * (law->p[0] - law->p[1]), cyl->leakage);
  for (int port = 0; port < 2; port++) {
    law->q[OUT_OF_A + port] = cyl->case_leakage * (law->p[port] - c->outside);
    if (law->d != NULL)
      hl_law_set (law, OUT_OF_A + port, port, cyl->case_leakage);
  }
}

/* Adds the powers of the motor. Leakage out of the housing is counted at the pressure outside, and so is
 * leakage from or to a port that is open to the outside. */
static void power (const HlComponent *c, const HlLaw *law, double powers[3]) {
  powers[1] += law->q[BETWEEN] * (law->p[0] - law->p[1]);
  for (int port = 0; port < 2; port++) {
    double sign = port == 0 ? 1.0 : -1.0;
    powers[1] += law->q[OUT_OF_A + port] * (law->p[port] - c->outside);
    powers[2] -= law->q[OUT_OF_A + port] * c->outside;
    if (c->node[port] < 0)
      powers[2] += (sign * law->q[BETWEEN] + law->q[OUT_OF_A + port]) * c->outside;
  }
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_SHAFT_LETTERS,
  HL_LET ("k_c", HlCylinder, case_leakage),
  HL_LET_OUTSIDE ("p_0"),
};
static const HlFormulaText formulas[] = {
  {"q_L = k_L (p_A - p_B)", HL_IS (FLOW, BETWEEN)},
  {"q_A = k_c (p_A - p_0)", HL_IS (FLOW, OUT_OF_A)},
  {"q_B = k_c (p_B - p_0)", HL_IS (FLOW, OUT_OF_B)},
  HL_SHAFT_FORMULAS,
};
static const HlCurve curves[] = {
  HL_SHAFT_CURVES,
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1e7, 1e5},
    .speed = 10.0,
    .sources = "core/hydro/actuators/hl-rotary-actuator-equations.h; theory/hydraulics.md (20)",
};

const HlComponentClass hl_motor_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "motor",
             HL_TEXT ("Motor"),
             HL_TEXT ("Motor or pump that turns one body against another"),
             "motor",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("hydraulic motor, displacement, wheel drive"),
    .size = sizeof (HlCylinder),
    .n_branches = N_BRANCHES,
    .ways = {[BETWEEN] = {0, 1, 0}, [OUT_OF_A] = {0, -1, 0}, [OUT_OF_B] = {1, -1, 0}},
    .carries = true,
    .absent = {{.reading = HL_ABSENT_OPEN}, {.reading = HL_ABSENT_OPEN}},
    .derive = derive,
    .eval = eval,
    .power = power,
    .passages = hl_shaft_passages,
    .is_cylinder = true,
    .is_rotary = true,
    .no_chambers = true,
    .help = &help,
};
