/* SPDX-License-Identifier: MIT */
/* Keeps its line at the tank's pressure and takes back what it is given. */
#include "core/base/hl-kind-words.h"
#include "core/hydro/hl-pressure-source.h"
#include "core/base/hl-status.h"

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE HL_AT (HlGivenPressure, pressure), HL_TEXT ("Pressure"), HL_TEXT ("Absolute pressure of the tank")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (GIVEN, 0, "flow", FLOW, HL_TEXT ("Flow")),
};
/* clang-format on */

const HlComponentClass hl_tank_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "tank",
             HL_TEXT ("Tank"),
             HL_TEXT ("Keeps its line at the tank's pressure"),
             "tank",
             1,
             {"T"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (HlGivenPressure),
    .given_pressure = hl_given_pressure,
    .is_tank = true,
};
