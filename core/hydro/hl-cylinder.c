/* SPDX-License-Identifier: MIT */
/* The cylinder as a component: its numbers, what can be recorded of it, and the oil that passes the
 * piston,  q = leakage (p_A - p_B).  What chambers and piston do with the linkage is in
 * hl-cylinder.h. */
#include "core/hydro/hl-cylinder.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-kind-words.h"
#include "core/hydro/hl-component.h"
#include "core/base/hl-status.h"

/* clang-format off */
static const HlField fields[] = {
  HL_FIELD ("base", POINT, NONE, HL_REQUIRED, HL_TEXT ("Base"), HL_TEXT ("Point the barrel hangs on")),
  HL_FIELD ("rod", POINT, NONE, HL_REQUIRED, HL_TEXT ("Rod"), HL_TEXT ("Point the rod hangs on")),
  HL_NUMBER ("piston_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.08), HL_POSITIVE HL_AT (HlCylinder, piston_diameter), HL_TEXT ("Piston diameter"), HL_TEXT ("Inside diameter of the barrel")),
  HL_NUMBER ("rod_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.04), HL_NOT_NEGATIVE HL_AT (HlCylinder, rod_diameter), HL_TEXT ("Rod diameter"), HL_TEXT ("Less than the piston's")),
  HL_NUMBER ("piston_area", AREA, HL_ONE_OF ("bore", 1, 0.005), HL_POSITIVE HL_AT (HlCylinder, area_a), HL_TEXT ("Piston area"), HL_TEXT ("Area on side A")),
  HL_NUMBER ("rod_side_area", AREA, HL_ONE_OF ("bore", 1, 0.00375), HL_POSITIVE HL_AT (HlCylinder, area_b), HL_TEXT ("Rod-side area"), HL_TEXT ("Area on side B")),
  HL_NUMBER ("stroke", LENGTH, HL_NEW (0.5), HL_POSITIVE HL_AT (HlCylinder, stroke), HL_TEXT ("Stroke"), HL_TEXT ("Way of the piston from end to end")),
  HL_NUMBER ("c1", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, c1), HL_TEXT ("Dead length c1"), HL_TEXT ("Length between the points that is not chamber, base side")),
  HL_NUMBER ("c2", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, c2), HL_TEXT ("Dead length c2"), HL_TEXT ("Length between the points that is not chamber, rod side")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE HL_ONLY_LUMPED HL_AT (HlCylinder, wall_modulus), HL_TEXT ("Wall modulus"), HL_TEXT ("Stiffness of the barrel; rigid when absent")),
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, leakage), HL_TEXT ("Leakage"), HL_TEXT ("Flow past the piston per pressure difference")),
  HL_CHOICE_AT (HL_AT (HlCylinder, friction.model), "friction.model", "none|viscous|brown-mcphee", HL_TEXT ("Friction law"), HL_TEXT ("Law of the seals' friction")),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fc", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fc), HL_TEXT ("Coulomb force F_c"), HL_TEXT ("Friction while sliding fast, without the viscous part")),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fs", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fs), HL_TEXT ("Static force F_s"), HL_TEXT ("Largest friction near standstill")),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.vs", SPEED, HL_NEW (0.0125), HL_POSITIVE HL_AT (HlCylinder, friction.vs), HL_TEXT ("Stribeck speed v_s"), HL_TEXT ("Speed at which friction is largest")),
  HL_NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.sigma2", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.sigma2), HL_TEXT ("Viscous coefficient σ₂"), HL_TEXT ("Force per speed")),
  HL_NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.scale", NONE, HL_DEFAULT (1), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.scale), HL_TEXT ("Friction scale"), HL_TEXT ("Multiplies F_c, F_s and the viscous coefficient")),
  HL_NUMBER ("virtual_stiffness", STIFFNESS, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_stiffness), HL_TEXT ("Virtual stiffness"), HL_TEXT ("Quasistatic model: spring of the virtual element")),
  HL_NUMBER ("virtual_damping", DAMPING, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_damping), HL_TEXT ("Virtual damping"), HL_TEXT ("Quasistatic model: damper of the virtual element")),
};
static const HlOutput outputs[] = {
  HL_OUTPUT_OF (CYLINDER, HL_CYL_S, "s", LENGTH, HL_TEXT ("Length between the points")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_SPEED, "speed", SPEED, HL_TEXT ("Speed of extension")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FORCE, "force", FORCE, HL_TEXT ("Force, positive in extension, after friction")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FRICTION, "friction_force", FORCE, HL_TEXT ("Friction force")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_ROD, "rod_position", LENGTH, HL_TEXT ("Length up to the piston")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_ROD_SPEED, "rod_speed", SPEED, HL_TEXT ("Speed of the piston")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW_A, "flow_A", FLOW, HL_TEXT ("Flow into A")),
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW_B, "flow_B", FLOW, HL_TEXT ("Flow into B")),
};
/* clang-format on */

static void
derive (HlComponent *c, const HlFluid *fluid)
{
  HlCylinder *cyl = c->self;
  double D = cyl->piston_diameter, d = cyl->rod_diameter;

  (void)fluid;
  if (!HL_STATES (c, HlCylinder, piston_diameter))
    return;
  cyl->area_a = 0.25 * M_PI * D * D;
  cyl->area_b = 0.25 * M_PI * (D * D - d * d);
}

/* A piston without leakage, or with a chamber on no line, parts the chambers. */
static int
count_branches (const HlComponent *c)
{
  bool parts = c->node[0] >= 0 && c->node[1] >= 0 && c->node[0] != c->node[1];

  return parts && ((const HlCylinder *)c->self)->leakage > 0.0 ? 1 : 0;
}

static bool
is_shape (const HlComponent *c, const HlField *field)
{
  return c->n_branches == 0 && field->place == 1 + offsetof (HlCylinder, leakage);
}

static void
eval (const HlComponent *c, HlLaw *law)
{
  double leakage = ((const HlCylinder *)c->self)->leakage;

  if (c->n_branches > 0)
    hl_law_pass (law, &c->klass->ways[0], 0, leakage * (law->p[0] - law->p[1]), leakage);
}

static int
passages (const HlComponent *c, HlPassage out[])
{
  if (c->n_branches == 0)
    return 0;
  out[0] = hl_passage_of (HL_PASSAGE_OTHER);
  if (((const HlCylinder *)c->self)->leakage != 0.0) {
    out[0].hybrid_why = HL_TEXT ("the hybrid oil model does not know leakage past a piston");
    out[0].hybrid_mend = HL_TEXT ("set the leakage to 0, or use the lumped oil model");
  }
  return 1;
}

const HlComponentClass hl_cylinder_class = {
    .kind = {HL_SECTION_COMPONENTS,
             "cylinder",
             HL_TEXT ("Cylinder"),
             HL_TEXT ("Double-acting cylinder between two points of the linkage"),
             "cyl",
             2,
             {"A", "B"},
             HL_WITH_FIELDS (fields),
             HL_WITH_OUTPUTS (outputs)},
    .size = sizeof (HlCylinder),
    .n_branches = 1,
    .ways = {{0, 1, 0}},
    .derive = derive,
    .count_branches = count_branches,
    .is_shape = is_shape,
    .eval = eval,
    .passages = passages,
    .is_cylinder = true,
};
