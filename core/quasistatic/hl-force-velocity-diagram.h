/* SPDX-License-Identifier: MIT */
/* The set-valued force-velocity map of a cylinder of a drawing, or torque and speed of a motor or
 * vane actuator, with the valves as they stand at one moment; several on one pump together. For the command line, plots and the window.
 *
 * Members are the cylinders on the same pump, in a network all actuators, the requested one first, the others in file
 * order. Pressures inside are relative to the tank: add hl_force_map_tank (). Forces are those of absolute pressures,
 * as in the other models of the oil: with a tank at p_tank every map lies (Ah - Ar) p_tank above the one of the pure
 * functions. What turns has radians for metres and torques for forces. */
#pragma once

#include "core/base/hl-arena.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "core/system/hl-system.h"

typedef struct _HlForceMap HlForceMap;

/* Openings set by hand, for every cylinder on the pump; NAN: as the drawing has them. */
typedef struct {
  double command;      /* -1 ... 1: u > 0 opens ph and tr by u, u < 0 opens pr and th by -u; a
                          directional      valve stands at u. Seed 002, eq. (67) with one command */
  double bleed;        /* 0 ... 1 */
  double regeneration; /* 0 ... 1 */
} HlForceMapOpenings;

/* Returns the map of the cylinder with this component index (file order), with the openings at time t:
 * signals as they are, spools with dynamics at their start for t = 0 and settled later; or as set by hand
 * (NULL: none are). NULL and *fault when the circuit does not fit the model, or the openings are outside of
 * it. Owned by the caller. */
HlForceMap *hl_force_map_new (const HlSystem *sys, int component, double t, const HlForceMapOpenings *by_hand,
                              HlFault *fault);
/* Returns which of the three valves the cylinder has: *has_command, *has_bleed, *has_regeneration. */
void hl_force_map_has (const HlForceMap *map, bool *has_command, bool *has_bleed, bool *has_regeneration);
void hl_force_map_free (HlForceMap *map);

/* Returns data of the diagram; actuators and pump are borrowed from it. */
double hl_force_map_tank (const HlForceMap *map); /* [Pa], absolute */
int hl_force_map_n_members (const HlForceMap *map);
int hl_force_map_component (const HlForceMap *map, int member); /* file order */
/* Returns the names and units of the numbers of a member. */
const HlCylinderTerms *hl_force_map_terms (const HlForceMap *map, int member);
const HlActuator *hl_force_map_actuator (const HlForceMap *map, int member);
const HlPump *hl_force_map_pump (const HlForceMap *map);
/* Returns whether the circuit is no pattern of closed form: actuators and pump then have nothing but areas, pressures
 * are absolute (the tank's is 0), and of gamma only v, the forces and pressures count. */
bool hl_force_map_is_network (const HlForceMap *map);

/* Computes states out[n_members] at given velocities v[n_members] [m/s]. HL_BAD_MODEL with the cylinder and
 * the reason outside the model. */
HlStatus hl_force_map_at (HlForceMap *map, const double v[], HlQuasiGamma out[], HlFault *fault);

/* Computes the intersections of load lines f = fbar + beta v, fbar[n_members] [N] and beta[n_members] [N
 * s/m], with the maps; *P is the pressure of the pump's line. Statuses as hl_quasi_lambda_eval. */
HlStatus hl_force_map_meet (HlForceMap *map, const double beta[], const double fbar[], HlQuasiLambda out[],
                            double *P, HlFault *fault);

/* Samples the map of the first member as a polyline, the others moving at v[1] to v[n_members - 1] (their map
 * depends on it), *n_points of it: as hl_quasi_map_sample (), with the same array size. With several members
 * the break points are only as exact as the samples are dense, and vertical pieces other than at v = 0 are
 * sampled. Statuses as hl_force_map_at. */
HlStatus hl_force_map_sample (HlForceMap *map, const double v[], HlQuasiMapRange range, HlQuasiMapPoint out[],
                              int *n_points, HlFault *fault);

/* The force-velocity map of a cylinder as a picture needs it: the map at the present openings, and
 * a family of maps over one opening or over the speed of another cylinder (seed 002, Figs 3, 8 and
 * 12). Pressures are absolute. Of a motor or vane actuator: torques [N m] and [rad/s]. */

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

/* Returns a family of maps; NULL and *fault as hl_force_map_new (). Owned by the caller. */
HlForceFamily *hl_force_family_new (const HlSystem *sys, const HlForceFamilyOptions *options, HlFault *fault);
void hl_force_family_free (HlForceFamily *family);
