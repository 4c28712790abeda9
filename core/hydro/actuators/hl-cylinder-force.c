/* SPDX-License-Identifier: MIT */
/* End stops and spring. At the lower end the depth is d = -(length of chamber A), d' = -sdot and the force
 * extends; at the upper end d = -(length of chamber B), d' = sdot and it retracts. */
#include "core/hydro/actuators/hl-cylinder.h"

#include <math.h>

/* F = -preload - stiffness l_A */
static void add_spring (const HlCylinder *cyl, double s, HlStopForce *out) {
  double length = hl_cylinder_length_a (cyl, s);

  if (cyl->spring_preload == 0.0 && cyl->spring_stiffness == 0.0)
    return;
  out->force += hl_cylinder_spring (cyl, s);
  out->stiffness += cyl->spring_stiffness;
  out->energy += (cyl->spring_preload + 0.5 * cyl->spring_stiffness * length) * length;
}

void hl_cylinder_stops (const HlCylinder *cyl, double s, double rate, HlStopForce *out) {
  double lower = -hl_cylinder_length_a (cyl, s), upper = -hl_cylinder_length_b (cyl, s);
  double side = lower > 0.0 ? 1.0 : -1.0;
  double depth = lower > 0.0 ? lower : upper;

  *out = (HlStopForce){0};
  add_spring (cyl, s, out);
  if (!(depth > 0.0) || cyl->no_chambers)
    return;
  double reference = HL_STOP_DEPTH * cyl->stroke;
  double K = HL_STOP_PRESSURE * fmax (cyl->area_a, cyl->area_b) / (reference * reference);
  double depth_rate = -side * rate;
  double gain = 1.0 + HL_STOP_LOSS * depth_rate;
  bool touches = gain > 0.0;

  gain = touches ? gain : 0.0;
  out->force += side * K * depth * depth * gain;
  out->stiffness += 2.0 * K * depth * gain;
  out->damping = touches ? K * depth * depth * HL_STOP_LOSS : 0.0;
  out->energy += K * depth * depth * depth / 3.0;
  out->loss = K * depth * depth * (gain - 1.0) * depth_rate;
}
