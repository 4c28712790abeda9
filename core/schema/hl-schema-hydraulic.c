/* SPDX-License-Identifier: MIT */
/* The lines of the circuit. Its components tell their fields themselves (core/hydro). */
#include "core/schema/hl-schema-private.h"

#include "core/base/hl-i18n.h"

/* clang-format off */
static const HlField line_fields[] = {
  HL_FIELD ("ports", PORTS, NONE, HL_REQUIRED, N_ ("Ports"), N_ ("Ports that share this pressure")),
  HL_NUMBER ("volume", VOLUME, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC, N_ ("Hose volume"), N_ ("Oil in the hoses of the net")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED, N_ ("Wall modulus"), N_ ("Stiffness of the hose; rigid when absent")),
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC, N_ ("Pressure"), N_ ("At t = 0; that of the source or tank when it touches one")),
  HL_CHOICE ("role", "working|pilot|drain", N_ ("Kind of line"), N_ ("How it is drawn: working lines solid, pilot and drain lines dashed (ISO 1219-1)")),
  HL_FIELD ("label", TEXT, NONE, HL_ABSENT, N_ ("Label"), N_ ("Written beside the line")),
};
static const HlOutput line_outputs[] = {
  HL_OUTPUT ("pocket", VOLUME, N_ ("Vapour")),
  HL_OUTPUT ("air", VOLUME, N_ ("Free air")),
  HL_OUTPUT ("compliance", COMPLIANCE, N_ ("Compliance")),
};

const HlKind hl_schema_hydraulic_kinds[] = {
  { HL_SECTION_LINES, NULL, N_ ("Line"), N_ ("Hose net: all its ports share one pressure"), "line", HL_WITH_FIELDS (line_fields), HL_WITH_OUTPUTS (line_outputs) },
};
/* clang-format on */
const int hl_schema_n_hydraulic_kinds = (int)G_N_ELEMENTS (hl_schema_hydraulic_kinds);
