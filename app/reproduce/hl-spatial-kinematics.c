/* SPDX-License-Identifier: MIT */
/* Constraints (67)-(71) and the points of the rods in numbers that carry their derivatives. */
#include "app/reproduce/hl-spatial-kinematics.h"

#include <stddef.h>

#include "core/math/hl-jet.h"

typedef struct {
  HlJet c[3];
} Vector;

/* p + factor q. */
static Vector offset (Vector p, double factor, Vector q) {
  for (int k = 0; k < 3; k++)
    p.c[k] = hl_jet_add (p.c[k], hl_jet_scale (factor, q.c[k]));
  return p;
}

typedef struct {
  HlJet sin_psi, cos_psi, sin_theta, cos_theta;
} Tilt;

/* y axis of Rz (psi) Ry (theta) Rx (angle). */
static Vector axis (const Tilt *tilt, HlJet angle) {
  HlJet s = hl_jet_sin (angle), c = hl_jet_cos (angle);
  HlJet x = hl_jet_mul (tilt->sin_theta, s);

  return (Vector){{hl_jet_sub (hl_jet_mul (tilt->cos_psi, x), hl_jet_mul (tilt->sin_psi, c)),
                   hl_jet_add (hl_jet_mul (tilt->sin_psi, x), hl_jet_mul (tilt->cos_psi, c)),
                   hl_jet_mul (tilt->cos_theta, s)}};
}

/* The cylinder's loop closes from the joint at -d1: the sign in front of d1 is that of eqs. (71)
 * and (78), not the printed one of (67). */
static void evaluate (const HlSpatialGeometry *g, const HlJet x[HL_SPATIAL_N], HlJet C[HL_SPATIAL_ROWS],
                      Vector P[HL_SPATIAL_POINTS], Vector *e) {
  Tilt tilt = {hl_jet_sin (x[HL_SPATIAL_PSI]), hl_jet_cos (x[HL_SPATIAL_PSI]),
               hl_jet_sin (x[HL_SPATIAL_THETA]), hl_jet_cos (x[HL_SPATIAL_THETA])};
  HlJet phi3 = hl_jet_add (x[HL_SPATIAL_PHI2], x[HL_SPATIAL_PHI32]);
  Vector input = axis (&tilt, x[HL_SPATIAL_PHI2]), coupler = axis (&tilt, phi3),
         output = axis (&tilt, hl_jet_add (phi3, x[HL_SPATIAL_PHI43])),
         G = {{x[HL_SPATIAL_X], x[HL_SPATIAL_Y], x[HL_SPATIAL_Z]}};

  *e = axis (&tilt, x[HL_SPATIAL_ALPHA]);
  P[0] = offset (G, -0.5 * g->input, input);
  P[1] = G;
  P[2] = offset (G, 0.5 * g->input, input);
  P[3] = offset (P[2], 0.5 * g->coupler, coupler);
  P[4] = offset (P[2], g->coupler, coupler);
  P[5] = offset (P[4], 0.5 * g->output, output);
  P[6] = offset (P[4], g->output, output);
  for (int k = 0; k < 3; k++)
    C[k] = P[0].c[k];
  C[3] = hl_jet_mul (tilt.sin_psi, tilt.cos_theta);
  C[4] = hl_jet_scale (-1.0, tilt.sin_theta);
  C[5] = hl_jet_sub (P[6].c[1], hl_jet (g->ground));
  C[6] = P[6].c[2];
  for (int k = 0; k < 2; k++)
    C[7 + k] =
        hl_jet_sub (hl_jet_mul (x[HL_SPATIAL_S], e->c[1 + k]), hl_jet_scale (0.5 * g->input, input.c[1 + k]));
  C[7] = hl_jet_sub (C[7], hl_jet (g->base));
}

void hl_spatial_derivative (const HlSpatialGeometry *geometry, const double x[HL_SPATIAL_N],
                            const double a[HL_SPATIAL_N], const double b[HL_SPATIAL_N],
                            const double c[HL_SPATIAL_N], HlSpatialValue *out) {
  HlJet seeds[HL_SPATIAL_N], C[HL_SPATIAL_ROWS];
  Vector P[HL_SPATIAL_POINTS], e;
  int set = (a != NULL ? HL_JET_E1 : 0) | (b != NULL ? HL_JET_E2 : 0) | (c != NULL ? HL_JET_E3 : 0);

  for (int k = 0; k < HL_SPATIAL_N; k++)
    seeds[k] = hl_jet_seed (x[k], a != NULL ? a[k] : 0.0, b != NULL ? b[k] : 0.0, c != NULL ? c[k] : 0.0);
  evaluate (geometry, seeds, C, P, &e);
  for (int row = 0; row < HL_SPATIAL_ROWS; row++)
    out->C[row] = C[row].c[set];
  for (int k = 0; k < 3; k++) {
    for (int point = 0; point < HL_SPATIAL_POINTS; point++)
      out->P[point][k] = P[point].c[k].c[set];
    out->e[k] = e.c[k].c[set];
  }
}

void hl_spatial_masses (const HlSpatialGeometry *geometry, double masses[HL_SPATIAL_POINTS]) {
  const double *m = geometry->mass;

  masses[0] = m[0] / 6.0;
  masses[1] = 2.0 * m[0] / 3.0;
  masses[2] = (m[0] + m[1]) / 6.0;
  masses[3] = 2.0 * m[1] / 3.0;
  masses[4] = (m[1] + m[2]) / 6.0;
  masses[5] = 2.0 * m[2] / 3.0;
  masses[6] = m[2] / 6.0;
}
