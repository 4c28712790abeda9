/* SPDX-License-Identifier: MIT */
/* Keeps its line at a pressure, whatever flows. */
#include "core/hydro/pumps/hl-pressure-source.h"

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE, HL_NEW (1e+07), HL_NOT_NEGATIVE HL_AT (HlGivenPressure, pressure), HL_TEXT ("Pressure"), HL_TEXT ("Prescribed absolute pressure")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (GIVEN, 0, "flow", FLOW, HL_TEXT ("Flow")),
};
/* clang-format on */

double hl_given_pressure (const HlComponent *c) {
  return ((const HlGivenPressure *)c->self)->pressure;
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET ("p_0", HlGivenPressure, pressure),
};
static const HlFormulaText formulas[] = {
  {"p = p_0", HL_IS (PRESSURE, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Pressure over flow"), HL_LET_FREE ("q", FLOW), "p", HL_QUANTITY_PRESSURE, HL_IS (PRESSURE, 0), .low = -1e-3, .high = 1e-3},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .sources = "theory/hydraulics.md (1)",
};

const HlComponentClass hl_pressure_source_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "pressure-source",
             HL_TEXT ("Pressure source"),
             HL_TEXT ("Prescribes the pressure of its line"),
             "pump",
             1,
             {"P"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .kind.also = HL_TEXT ("supply, ideal pump"),
    .size = sizeof (HlGivenPressure),
    .given_pressure = hl_given_pressure,
    .help = &help,
};
