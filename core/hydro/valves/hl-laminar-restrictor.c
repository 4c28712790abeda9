/* SPDX-License-Identifier: MIT */
/* Laminar restrictor: a capillary, or a long gap, whose flow is proportional to the pressure difference. Its oil has
 * no inertia in any oil model.
 *
 *   q = (p_A - p_B)/R,     R = 128 mu L/(pi d^4)     of a bore of length L and diameter d (Hagen, Poiseuille) */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-fluid.h"

typedef struct {
  double length, diameter; /* [m]; NAN where the resistance is stated */
  double resistance;       /* R [Pa s/m3]; follows from the bore where that is stated */
} Restrictor;

extern const HlComponentClass hl_laminar_restrictor_class;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("length", LENGTH, HL_ONE_OF ("bore", 0, 0.1), HL_POSITIVE HL_AT (Restrictor, length), HL_TEXT ("Length"), HL_TEXT ("Length of the bore")),
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.001), HL_POSITIVE HL_AT (Restrictor, diameter), HL_TEXT ("Diameter"), HL_TEXT ("Diameter of the bore")),
  HL_NUMBER ("resistance", RESISTANCE, HL_ONE_OF ("bore", 1, 1.6e11), HL_POSITIVE HL_AT (Restrictor, resistance), HL_TEXT ("Resistance"), HL_TEXT ("Pressure difference per flow")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
};
/* clang-format on */

static bool has_bore (const HlComponent *c) {
  return HL_STATES (c, Restrictor, diameter);
}

static void derive (HlComponent *c, const HlFluid *fluid) {
  Restrictor *restrictor = c->self;
  double d2 = restrictor->diameter * restrictor->diameter;

  if (has_bore (c))
    restrictor->resistance = 128.0 * fluid->viscosity * restrictor->length / (M_PI * d2 * d2);
}

static void eval (const HlComponent *c, HlLaw *law) {
  double conductance = 1.0 / ((const Restrictor *)c->self)->resistance;

  hl_law_pass (law, &c->klass->ways[0], 0, conductance * (law->p[0] - law->p[1]), conductance);
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET ("l", Restrictor, length),
  HL_LET ("d", Restrictor, diameter),
  HL_LET ("R", Restrictor, resistance),
  HL_LET_OIL ("mu", viscosity, VISCOSITY, HL_TEXT ("Viscosity of the oil")),
  HL_LET_PORT ("p_A", 0),
  HL_LET_PORT ("p_B", 1),
};
static const HlFormulaText formulas[] = {
  {"R = 128 mu l / (pi d^4)", HL_IS_NUMBER (Restrictor, resistance), has_bore, HL_TEXT ("with a stated diameter")},
  {"q = (p_A - p_B) / R", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .low = -2e6, .high = 10e6},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {2.1e6, 1e5},
    .sources = "theory/hydraulics.md (17)",
};

const HlComponentClass hl_laminar_restrictor_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "laminar-restrictor",
             HL_TEXT ("Laminar restrictor"),
             HL_TEXT ("Bore with a flow proportional to the pressure difference"),
             "restrictor",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("capillary, linear resistance, damping bore"),
    .size = sizeof (Restrictor),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .derive = derive,
    .eval = eval,
    .passages = hl_component_passages_by_law,
    .help = &help,
};
