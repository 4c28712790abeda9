/* SPDX-License-Identifier: MIT */
/* Geometry of the spatial four-bar of seed 000 (section 4.1) in its ten coordinates, and every
 * derivative of it that a linearization asks for, by jets: nothing is differentiated by hand.
 * Orientations are Rz (psi) Ry (theta) Rx (angle); a link lies along the y axis of its body. */
#pragma once

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

/* What the geometry gives: rows of C, the points that carry mass, the cylinder's direction. */
typedef struct {
  double C[HL_SPATIAL_ROWS];
  double P[HL_SPATIAL_POINTS][3];
  double e[3];
} HlSpatialValue;

/* One mixed derivative of all of it: D^k f [a], [a, b] or [a, b, c] for the directions given (NULL
 * ends them); the value itself with a NULL. */
void hl_spatial_derivative (const HlSpatialGeometry *geometry, const double x[HL_SPATIAL_N],
                            const double a[HL_SPATIAL_N], const double b[HL_SPATIAL_N],
                            const double c[HL_SPATIAL_N], HlSpatialValue *out);

/* Mass at each point. */
void hl_spatial_masses (const HlSpatialGeometry *geometry, double masses[HL_SPATIAL_POINTS]);
