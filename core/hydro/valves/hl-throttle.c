/* SPDX-License-Identifier: MIT */
/* Throttle:  q = K q1 (p_A - p_B),  K = Cd area sqrt (2/rho). */
#include "core/hydro/valves/hl-throttle.h"

#include <math.h>

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-flow-law.h"
#include "core/math/hl-minmax.h"

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE HL_AT (HlThrottle, Cd), HL_TEXT ("Discharge coefficient"), HL_TEXT ("Discharge coefficient of the orifice")),
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.004), HL_POSITIVE HL_AT (HlThrottle, diameter), HL_TEXT ("Diameter"), HL_TEXT ("Diameter of the orifice")),
  HL_NUMBER ("area", AREA, HL_ONE_OF ("bore", 1, 1.3e-05), HL_POSITIVE HL_AT (HlThrottle, area), HL_TEXT ("Area"), HL_TEXT ("Area of the orifice")),
  HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (HlThrottle, dp_lim), HL_TEXT ("Laminar limit"), HL_TEXT ("The flow is laminar below this pressure difference; 0: turbulent everywhere, if the model allows it")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow"), 1.0),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  HlThrottle *throttle = c->self;

  if (HL_STATES (c, HlThrottle, diameter))
    throttle->area = 0.25 * M_PI * throttle->diameter * throttle->diameter;
  throttle->conductance = hl_orifice_conductance (throttle->Cd, throttle->area, fluid->density);
}

static void eval (const HlComponent *c, HlLaw *law) {
  const HlThrottle *throttle = c->self;
  double slope, K = throttle->conductance;
  double q1 = hl_orifice_flow (law->p[0] - law->p[1], hl_max (throttle->dp_lim, HL_DP_LIM_SMALLEST), &slope);

  hl_law_pass (law, &hl_throttle_class.ways[0], 0, K * q1, K * slope);
}

static int passages (const HlComponent *c, HlPassage out[]) {
  out[0] = hl_passage_of (HL_PASSAGE_ORIFICE);
  out[0].conductance = ((const HlThrottle *)c->self)->conductance;
  return 1;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LETTERS_OF_ORIFICE (HlThrottle, ),
  HL_LET_PORT ("p_A", 0),
  HL_LET_PORT ("p_B", 1),
};
static const HlFormulaText formulas[] = {
  HL_FORMULA_OF_CONDUCTANCE (HlThrottle, conductance),
  HL_FORMULAS_OF_LIMIT,
  {"q = K q_1(p_A - p_B)", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .low = -2e6, .high = 10e6},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {2.1e6, 1e5},
    .sources = "theory/hydraulics.md (9)-(12)",
};

const HlComponentClass hl_throttle_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "throttle",
             HL_TEXT ("Throttle"),
             HL_TEXT ("Orifice"),
             "throttle",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("orifice, restrictor"),
    .size = sizeof (HlThrottle),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .derive = derive,
    .eval = eval,
    .passages = passages,
    .help = &help,
};
