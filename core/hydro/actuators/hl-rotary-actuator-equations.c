/* SPDX-License-Identifier: MIT */
#include "core/hydro/actuators/hl-rotary-actuator-equations.h"

void hl_shaft_derive (HlComponent *c) {
  HlCylinder *cyl = c->self;

  cyl->area_b = cyl->area_a;
  cyl->is_rotary = true;
  cyl->no_chambers = c->klass->no_chambers;
  cyl->cushion_state[0] = cyl->cushion_state[1] = cyl->bristle = -1;
  /* Tc tanh (w/w0) + c w: a Stribeck curve that does not fall */
  cyl->friction.model = HL_FRICTION_STRIBECK_TANH;
  cyl->friction.Fs = cyl->friction.Fc;
  cyl->friction.vs = cyl->friction.scale = 1.0;
}

double hl_shaft_friction (const HlComponent *c, const HlLaw *law, double *slope) {
  return hl_friction_force (&((const HlCylinder *)c->self)->friction, law->speed, slope);
}

int hl_shaft_passages (const HlComponent *c, HlPassage out[]) {
  (void)c;
  out[0] = hl_passage_of (HL_PASSAGE_OTHER);
  out[0].quasi_refuses = true;
  return 1;
}
