/* SPDX-License-Identifier: MIT */
/* Vane actuator: a motor of limited angle th. Its chambers belong to the lines, as a cylinder's do,
 * and its ends are those of a cylinder with angles for lengths.
 *
 *   V_A = D (th - th_min)+        V_B = D (th_max - th)+
 *   q   = kl (p_A - p_B)          past the vane, from A to B */
#include "core/hydro/actuators/hl-rotary-actuator-equations.h"
#include "core/hydro/hl-component-help.h"

/* clang-format off */
static const HlField fields[] = {
  HL_SHAFT_FIELDS,
  HL_NUMBER ("angle_min", ANGLE, HL_NEW (-1.5), HL_ANY HL_AT (HlCylinder, c1), HL_TEXT ("Minimum angle"), HL_TEXT ("Angle of b minus a when chamber A is empty")),
  HL_NUMBER ("angle_max", ANGLE, HL_NEW (1.5), HL_ANY HL_AT (HlCylinder, angle_max), HL_TEXT ("Maximum angle"), HL_TEXT ("Angle of b minus a when chamber B is empty")),
  HL_NUMBER ("stop_stiffness", TORSION_STIFFNESS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (HlCylinder, stop_stiffness), HL_TEXT ("Stop stiffness"), HL_TEXT ("Stiffness of both end stops; when absent 20 MPa presses the vane in by 1/500 of its range")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_AT (HlCylinder, wall_modulus), HL_TEXT ("Wall modulus"), HL_TEXT ("Stiffness of the housing; rigid when absent")),
};
static const HlOutput outputs[] = {
  HL_SHAFT_OUTPUTS,
};
/* clang-format on */

static void derive (HlComponent *c, const HlFluid *fluid) {
  HlCylinder *cyl = c->self;

  hl_shaft_derive (c);
  /* in a chamber on no line, as of a cylinder */
  cyl->vent_pressure = hl_fluid_presses (fluid) ? c->outside : 0.0;
  cyl->stroke = cyl->angle_max - cyl->c1;
}

static void eval (const HlComponent *c, HlLaw *law) {
  double leakage = ((const HlCylinder *)c->self)->leakage;

  hl_law_pass (law, &c->klass->ways[0], 0, leakage * (law->p[0] - law->p[1]), leakage);
}

static const char *is_wrong (const HlComponent *c, HlWrong *wrong) {
  const HlCylinder *cyl = c->self;

  wrong->field = "angle_max";
  wrong->to = cyl->c1 + 0.5 * M_PI;
  wrong->mend = HL_TEXT ("set the maximum angle above the minimum angle");
  return cyl->angle_max > cyl->c1 ? NULL : HL_TEXT ("the range of the vane is empty");
}

/* Returns the volume of a chamber at the angle. */
static double room_of_A (const HlComponent *c, const HlLaw *law, double *slope) {
  const HlCylinder *cyl = c->self;

  *slope = cyl->area_a;
  return cyl->area_a * hl_cylinder_length_a (cyl, law->length);
}

static double room_of_B (const HlComponent *c, const HlLaw *law, double *slope) {
  const HlCylinder *cyl = c->self;

  *slope = -cyl->area_b;
  return cyl->area_b * hl_cylinder_length_b (cyl, law->length);
}

/* clang-format off */
static const HlLetter letters[] = {
  HL_SHAFT_LETTERS,
  HL_LET ("theta_0", HlCylinder, c1),
  HL_LET ("theta_1", HlCylinder, angle_max),
  HL_LET_MOTION ("theta", LENGTH, ANGLE, HL_TEXT ("Angle of b against a")),
};
static const HlFormulaText formulas[] = {
  {"q_L = k_L (p_A - p_B)", HL_IS (FLOW, 0)},
  {"V_A = D (theta - theta_0)", HL_IS_OWN (room_of_A)},
  {"V_B = D (theta_1 - theta)", HL_IS_OWN (room_of_B)},
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

const HlComponentClass hl_rotary_actuator_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "rotary-actuator",
             HL_TEXT ("Vane actuator"),
             HL_TEXT ("Rotary actuator of limited angle between two bodies"),
             "vane",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (HlCylinder),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .derive = derive,
    .eval = eval,
    .is_wrong = is_wrong,
    .passages = hl_shaft_passages,
    .is_cylinder = true,
    .is_rotary = true,
    .help = &help,
};
