/* SPDX-License-Identifier: MIT */
/* Double-acting cylinder: areas, chambers, force (seed 000, eqs. (7), (72)-(75)). Side A is the
 * piston side. */
#pragma once

#include <stdbool.h>

#include "core/hyd/hl-friction.h"

typedef struct
{
  int body_i, body_j;                   /* base and rod; -1 = ground */
  double u_i[2], u_j[2];                /* their points in the bodies' frames [m] */
  int node_a, node_b;                   /* hydraulic nodes of the ports */
  int component;                        /* file order */
  bool by_diameter;                     /* areas follow from the diameters */
  double piston_diameter, rod_diameter; /* [m] */
  double area_a;                        /* piston area [m2] */
  double area_b;                        /* rod-side area [m2] */
  double stroke;                        /* l [m] */
  double c1, c2;                        /* dead lengths: chamber A is s - c1 - c2 long [m] */
  double wall_modulus;                  /* of the barrel [Pa]; 0 = rigid */
  double leakage;                       /* between the chambers [m3/(s Pa)] */
  HlFriction friction;
  double virtual_stiffness; /* quasistatic model [N/m] */
  double virtual_damping;   /* [N s/m] */
} HlCylinder;

static inline double
hl_cylinder_length_a (const HlCylinder *cyl, double s)
{
  return s - cyl->c1 - cyl->c2;
}

static inline double
hl_cylinder_length_b (const HlCylinder *cyl, double s)
{
  return cyl->stroke - hl_cylinder_length_a (cyl, s);
}
