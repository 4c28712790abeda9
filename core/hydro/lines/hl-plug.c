/* SPDX-License-Identifier: MIT */
/* Plug: closes a port on purpose. No oil passes, and the unconnected port is not reported. */
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET_PORT ("p_A", 0),
};
static const HlFormulaText formulas[] = {
  {"q = 0", HL_IS (FLOW, 0)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Flow over pressure"), HL_LET_PORT ("p_A", 0), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .low = 0.0, .high = 2e7},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {1e6},
    .sources = "theory/hydraulics.md (1)",
};

const HlComponentClass hl_plug_class = {
    .kind = {HL_SECTION_COMPONENTS, "plug", HL_TEXT ("Plug"), HL_TEXT ("Closes a port"), "plug", 1, {"A"}},
    .closes = true,
    .help = &help,
};
