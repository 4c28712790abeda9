/* SPDX-License-Identifier: MIT */
/* Seal friction of a cylinder or a shaft: force against the motion as a function of the velocity,
 * or, with a bristle, of the velocity and of how far the bristle is bent. */
#pragma once

#include "core/hydro/hl-component.h"

#include <stdbool.h>

typedef enum {
  HL_FRICTION_NONE,
  HL_FRICTION_VISCOUS,       /* sigma2 v */
  HL_FRICTION_BROWN_MCPHEE,  /* theory/hydraulics.md (22) */
  HL_FRICTION_STRIBECK_TANH, /* theory/friction.md (1) */
  HL_FRICTION_BENGISU_AKAY,  /* theory/friction.md (2) */
  HL_FRICTION_LUGRE,         /* theory/friction.md (3), with a bristle */
  HL_FRICTION_MODIFIED_LUGRE /* the same, smooth at rest */
} HlFrictionModel;

typedef struct {
  HlFrictionModel model;
  double Fc;      /* Coulomb force [N] */
  double Fs;      /* static (breakaway) force [N] */
  double vs;      /* Stribeck velocity [m/s], > 0 */
  double v0;      /* Stribeck-tanh: speed of the transition through rest [m/s], > 0 */
  double xi;      /* Bengisu-Akay: fall of the force beyond vs [s/m] */
  double sigma0;  /* bristle: stiffness [N/m], > 0 */
  double sigma1;  /* bristle: damping [N s/m] */
  double sigma2;  /* viscous coefficient [N s/m] */
  double ve;      /* modified LuGre: speed of the transition through rest [m/s], > 0 */
  double vd;      /* modified LuGre: speed above which sigma1 fades [m/s], > 0 */
  double bristle; /* bend of the bristle at t = 0 [m] */
  double scale;   /* multiplies Fc, Fs and the sigmas, no speed [1] */
} HlFriction;

/* Returns the force opposing the motion [N], positive for v > 0; *slope receives dF/dv [N s/m]. 0 for a model
 * with a bristle, whose force is that of hl_bristle_eval (). */
double hl_friction_force (const HlFriction *friction, double v, double *slope);

/* Returns the force of steady sliding at v [N], that of the curve, for every model; *slope receives its
 * slope. */
double hl_friction_steady (const HlFriction *friction, double v, double *slope);

/* Returns whether the model has a bristle, which is a state. */
static inline bool hl_friction_has_bristle (const HlFriction *friction) {
  return friction->model >= HL_FRICTION_LUGRE;
}

/* Friction with a bristle, LuGre's and the modified one: between the surfaces stands a spring that
 * bends as they begin to move and slips when it is bent as far as the Stribeck curve g allows.
 * Theory: theory/friction.md (3)-(7). */

typedef struct {
  double rate;         /* z' [m/s] */
  double force;        /* against the motion [N] */
  double rate_by_v;    /* [1] */
  double rate_by_z;    /* [1/s] */
  double force_by_v;   /* [N s/m] */
  double force_by_z;   /* [N/m] */
  double stored, loss; /* power into the bristle, and turned into heat [W] */
} HlBristle;

/* Evaluates the bristle at velocity v [m/s] and deflection z [m]; `side` selects the slope by v at v = 0,
 * where LuGre's law has two as soon as z is not 0. */
void hl_bristle_eval (const HlFriction *friction, double v, double z, HlSide side, HlBristle *out);

/* Returns how far the bristle bends at most without sliding: Fs/sigma0 [m]. */
double hl_bristle_scale (const HlFriction *friction);
