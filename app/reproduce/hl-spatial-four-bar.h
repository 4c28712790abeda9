/* SPDX-License-Identifier: MIT */
/* The hydraulically actuated spatial four-bar of seed 000, section 4: ten coordinates, nine holonomic constraints,
 * three pressures, one spool; a constrained system for hl-constrained-system-linearization.h. Length and angle of the cylinder are
 * coordinates without mass, so M is singular. */
#pragma once

#include "app/reproduce/hl-constrained-system-linearization.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/valves/hl-directional-valve.h"
#include "core/hydro/valves/hl-throttle.h"

/* Geometry of the spatial four-bar of seed 000 (section 4.1) in its ten coordinates, and every derivative of it that a
 * linearization needs, by jets: no derivative is coded by hand. Orientations are Rz (psi) Ry (theta) Rx (angle); a link
 * lies along the y axis of its body. */

enum {
  HL_SPATIAL_X, /* of the mass centre of link 2 */
  HL_SPATIAL_Y,
  HL_SPATIAL_Z,
  HL_SPATIAL_PSI,
  HL_SPATIAL_THETA,
  HL_SPATIAL_PHI2,
  HL_SPATIAL_PHI32, /* coupler, relative to link 2 */
  HL_SPATIAL_PHI43, /* output link, relative to the coupler */
  HL_SPATIAL_S,     /* length of the cylinder */
  HL_SPATIAL_ALPHA, /* its angle */
  HL_SPATIAL_N
};

/* Rows of C, eq. (67): three of the joint at the origin, two that keep its axis, two of the far
 * joint, two of the cylinder's loop. */
#define HL_SPATIAL_ROWS 9

/* Slender rods are exactly equal to point masses: a sixth of the mass at each end, the rest in the
 * middle. Ends that meet share a point. */
#define HL_SPATIAL_POINTS 7

typedef struct {
  double ground, input, coupler, output; /* L1 ... L4 [m] */
  double base;                           /* d1: cylinder joint to origin [m] */
  double mass[3];                        /* input, coupler, output [kg] */
} HlSpatialGeometry;

/* Results of the geometry: rows of C, the points that carry mass, the cylinder's direction. */
typedef struct {
  double C[HL_SPATIAL_ROWS];
  double P[HL_SPATIAL_POINTS][3];
  double e[3];
} HlSpatialValue;

/* z = (p1, p2, p3, U): valve to throttle, throttle to piston side, rod side, spool. */
enum { HL_SPATIAL_P1, HL_SPATIAL_P2, HL_SPATIAL_P3, HL_SPATIAL_U, HL_SPATIAL_N_Z };

typedef struct {
  HlSpatialGeometry geometry;
  double gravity;      /* along -z [m/s2] */
  HlCylinder cylinder; /* areas, lengths, wall, friction; bodies and nodes unused */
  HlDirectionalValve valve;
  HlThrottle throttle;                 /* its conductance derived */
  double hose_volume[3];               /* [m3] */
  double oil_modulus, hose_modulus;    /* [Pa] */
  double pump_pressure, tank_pressure; /* [Pa] */
  double command;                      /* of the spool */
  double torque;                       /* about the axis of link 2 [N m] */
  bool force_on_s; /* the cylinder's force acts on the coordinate s; otherwise at the mass centre of
                      link 2. Same motion, other multipliers. */
} HlSpatialParameters;

/* Returns the numbers of the source's Tables 1 and 2, friction scale 1, valve shut, no torque. */
HlSpatialParameters hl_spatial_parameters_default (void);

typedef struct HlSpatialFourBar HlSpatialFourBar;

/* Returns a new four-bar. Owned by the caller. */
HlSpatialFourBar *hl_spatial_four_bar_new (const HlSpatialParameters *parameters);
void hl_spatial_four_bar_free (HlSpatialFourBar *bar);
/* Returns its constrained system. Borrowed. */
const HlConstrained *hl_spatial_four_bar_system (const HlSpatialFourBar *bar);

/* Computes coordinates and velocities for an angle [rad] and angular velocity of link 2, on the branch of the
 * source (coupler bent outwards). HL_INFEASIBLE when the loop does not close. */
HlStatus hl_spatial_four_bar_pose (HlSpatialFourBar *bar, double phi2, double omega2, double x[HL_SPATIAL_N],
                                   double v[HL_SPATIAL_N]);

/* Computes the pressure p1 = p2 that balances the linkage at rest at x with p3 given and the valve closed:
 * fills z. HL_DEAD_POINT when the cylinder has no lever arm. */
HlStatus hl_spatial_four_bar_balance (HlSpatialFourBar *bar, const double x[HL_SPATIAL_N], double p3,
                                      double z[HL_SPATIAL_N_Z]);
