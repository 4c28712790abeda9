/* SPDX-License-Identifier: MIT */
/* Volume: a block or a hose beside a line. Adds V (1/B_oil + 1/B_wall) to the compliance of its line
 * and V to its geometric volume. Models with incompressible oil pass over it. */
#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/hl-component-help.h"
#include "core/hydro/hl-component.h"

typedef struct {
  double volume;       /* [m3] */
  double wall_modulus; /* [Pa]; 0 = rigid */
  double compliance;   /* derived [m3/Pa] */
} Volume;

/* clang-format off */
static const HlField fields[] = {
  HL_NUMBER ("volume", VOLUME, HL_NEW (0.001), HL_POSITIVE HL_ONLY_LUMPED HL_AT (Volume, volume), HL_TEXT ("Volume"), HL_TEXT ("Volume of the oil")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (Volume, wall_modulus), HL_TEXT ("Wall modulus"), HL_TEXT ("Stiffness of the walls; rigid when absent")),
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  Volume *volume = c->self;
  double wall = volume->wall_modulus > 0.0 ? 1.0 / volume->wall_modulus : 0.0;

  volume->compliance = volume->volume * (1.0 / fluid->bulk_modulus + wall);
}

static void hose (const HlComponent *c, int port, double *volume, double *compliance) {
  const Volume *self = c->self;

  (void)port;
  *volume = self->volume;
  *compliance = self->compliance;
}

static bool is_rigid (const HlComponent *c) {
  return !(((const Volume *)c->self)->wall_modulus > 0.0);
}

static bool compressible_lines (const HlComponent *c) {
  return !is_rigid (c);
}

/* Returns the volume taken up by the compliance above the pressure outside. */
static double volume_taken_up (const HlComponent *c, const HlLaw *law, double *slope) {
  double volume;

  hose (c, 0, &volume, slope);
  return *slope * (law->p[0] - c->outside);
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_LET ("V", Volume, volume),
  HL_LET ("B_w", Volume, wall_modulus),
  HL_LET_OIL ("B", bulk_modulus, MODULUS, HL_TEXT ("Bulk modulus of the oil")),
  HL_LET_PORT ("p", 0),
  HL_LET_OUTSIDE ("p_0"),
};
static const HlFormulaText formulas[] = {
  {"C = V / B", HL_IS (HOSE, 0), is_rigid, HL_TEXT ("with rigid walls")},
  {"C = V (1 / B + 1 / B_w)", HL_IS (HOSE, 0), compressible_lines, HL_TEXT ("with elastic walls")},
  {"V_t = C (p - p_0)", HL_IS_OWN (volume_taken_up)},
};
static const HlCurve curves[] = {
  {HL_TEXT ("Oil volume taken up over pressure"), HL_LET_PORT ("p", 0), "V_t", HL_QUANTITY_VOLUME, HL_IS_OWN (volume_taken_up), .low = 1e5, .high = 2e7},
};
/* clang-format on */
static const HlComponentHelp help = {
    HL_HELP_TABLES (letters, formulas, curves),
    .p = {5e6},
    .sources = "theory/hydraulics.md (1)-(3)",
};

const HlComponentClass hl_volume_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "volume",
             HL_TEXT ("Volume"),
             HL_TEXT ("Additional oil volume on a line: a block, a hose"),
             "volume",
             1,
             {"A"},
             HL_WITH_FIELDS (fields)},
    .kind.also = HL_TEXT ("hose, manifold, dead volume, capacity"),
    .size = sizeof (Volume),
    .derive = derive,
    .hose = hose,
    .help = &help,
};
