/* SPDX-License-Identifier: MIT */
/* Seal friction of a cylinder: force against the motion as a smooth function of the rod velocity.
 */
#pragma once

typedef enum
{
  HL_FRICTION_NONE,
  HL_FRICTION_VISCOUS,     /* sigma2 v */
  HL_FRICTION_BROWN_MCPHEE /* theory/hydraulics.md (22) */
} HlFrictionModel;

typedef struct
{
  HlFrictionModel model;
  double Fc;     /* Coulomb force [N] */
  double Fs;     /* static (breakaway) force [N] */
  double vs;     /* Stribeck velocity [m/s], > 0 */
  double sigma2; /* viscous coefficient [N s/m] */
  double scale;  /* multiplies Fc, Fs and sigma2, not vs [1] */
} HlFriction;

/* Force opposing the motion [N], positive for v > 0; *slope receives dF/dv [N s/m]. */
double hl_friction_force (const HlFriction *friction, double v, double *slope);
