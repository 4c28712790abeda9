/* SPDX-License-Identifier: MIT */
/* Friction with a bristle, LuGre's and the modified one: between the surfaces stands a spring that
 * bends as they begin to move and slips when it is bent as far as the Stribeck curve g allows.
 * Theory: theory/friction.md (3)-(7). */
#pragma once

#include "core/hydro/hl-component.h"
#include "core/hydro/hl-friction.h"

typedef struct {
  double rate;         /* z' [m/s] */
  double force;        /* against the motion [N] */
  double rate_by_v;    /* [1] */
  double rate_by_z;    /* [1/s] */
  double force_by_v;   /* [N s/m] */
  double force_by_z;   /* [N/m] */
  double stored, loss; /* power into the bristle, and turned into heat [W] */
} HlBristle;

/* At velocity v [m/s] with the bristle bent by z [m]; `side` says which slope by v counts at v = 0,
 * where LuGre's has two as soon as z is not 0. */
void hl_bristle_eval (const HlFriction *friction, double v, double z, HlSide side, HlBristle *out);

/* How far the bristle bends at most without sliding: Fs/sigma0 [m]. */
double hl_bristle_scale (const HlFriction *friction);
