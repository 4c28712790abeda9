/* SPDX-License-Identifier: MIT */
/* The part of a cylinder's law that has cushions and a leak at the rod: flows between its lines and
 * chambers, and the pressures of the chambers that are parted from their lines. */
#pragma once

#include "core/hydro/hl-component.h"
#include "core/hydro/hl-cylinder.h"

/* Branches of the component. One with neither cushions nor a leak at the rod has the first, or
 * none. */
enum {
  HL_CYLINDER_PAST_THE_PISTON, /* from line to line */
  HL_CYLINDER_OUT_OF_A,        /* out of line A into the cylinder */
  HL_CYLINDER_OUT_OF_B,
  HL_CYLINDER_BRANCHES
};

/* The words of its states, in their order; a cylinder has those that its numbers ask for. */
enum { HL_CYLINDER_CUSHION_A, HL_CYLINDER_CUSHION_B, HL_CYLINDER_BRISTLE, HL_CYLINDER_N_WORDS };

/* Whether some chamber of it has a pressure of its own. */
static inline bool hl_cylinder_has_cushion (const HlCylinder *cyl) {
  return cyl->cushion_state[0] >= 0 || cyl->cushion_state[1] >= 0;
}

/* Flows of all branches and rates of the cushions' pressures, with their derivatives. */
void hl_cylinder_extras (const HlComponent *c, HlLaw *law);
/* Of HlComponentClass.softening, for the pressures of cushions. */
/* HlComponentClass.gathers of chambers with a cushion: their net inflow but for the piston's;
 * d[ports + states]. */
double hl_cylinder_gathers (const HlComponent *c, const HlLaw *law, int state, double d[]);
double hl_cylinder_softening (const HlComponent *c, const HlLaw *law, int state);
/* Adds what they store, lose and take from outside, as HlComponentClass.power. */
void hl_cylinder_extras_power (const HlComponent *c, const HlLaw *law, double powers[3]);
