/* SPDX-License-Identifier: MIT */
/* The force-velocity map of a cylinder as a picture needs it: the map at the present openings, and
 * a family of maps over one opening or over the speed of another cylinder (seed 002, Figs 3, 8 and
 * 12). Pressures are absolute. Of a motor or vane actuator: torques [N m] and [rad/s]. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/quasistatic/hl-force-map.h"

/* One map as points over the velocity; vertical pieces are two points of equal v. */
typedef struct {
  int n;
  double *v;          /* n [m/s] */
  double *f;          /* n [N], may be infinite */
  double *P;          /* n: pressure of the pump line [Pa] */
  double *relief;     /* n: flow through the pump's relief valve [m^3/s] */
  double *recycled;   /* n: regenerated flow, rod to head [m^3/s] */
  HlSegment *segment; /* n: of the line from this point to the next */
  double value;       /* of what the family is over; NAN for the present map */
} HlForceCurve;

typedef enum {
  HL_FORCE_OVER_NOTHING,
  HL_FORCE_OVER_COMMAND,
  HL_FORCE_OVER_BLEED,
  HL_FORCE_OVER_REGENERATION,
  HL_FORCE_OVER_OTHER_SPEED, /* of the cylinder `member` on the same pump */
  HL_FORCE_N_OVER
} HlForceOver;

typedef struct {
  int component; /* the cylinder, motor or vane actuator, file order */
  double t;      /* openings at this time, where not set by hand [s] */
  HlForceMapOpenings openings;
  HlForceOver over;
  int member;           /* HL_FORCE_OVER_OTHER_SPEED: 1 ... n_members - 1 */
  double v_from, v_to;  /* range [m/s]; NAN both: chosen by the speeds that the pump can give */
  const double *speeds; /* of the members, the first one does not count [m/s]; NULL: at rest */
} HlForceFamilyOptions;

#define HL_FORCE_FAMILY_MAX 9

typedef struct {
  HlArena arena; /* of itself and its arrays, those of the curves included */
  HlForceCurve now;
  HlForceCurve family[HL_FORCE_FAMILY_MAX];
  int n_family; /* members outside of the model are left out */
  double v_from, v_to;
  bool has_command, has_bleed, has_regeneration;
  int n_members;
  int *components;               /* n_members, file order */
  const HlCylinderTerms **terms; /* n_members */
} HlForceFamily;

/* NULL and *fault as hl_force_map_new (). Owned by the caller. */
HlForceFamily *hl_force_family_new (const HlSystem *sys, const HlForceFamilyOptions *options, HlFault *fault);
void hl_force_family_free (HlForceFamily *family);
