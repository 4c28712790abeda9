/* SPDX-License-Identifier: MIT */
/* Where the spatial four-bar stands: its loop in closed form, and the pressure that holds it, eqs.
 * (77)-(83) of seed 000. */
#include <math.h>
#include <string.h>

#include "app/reproduce/hl-spatial-four-bar.h"
#include "core/math/hl-linalg.h"

#define N HL_SPATIAL_N
#define ROWS HL_SPATIAL_ROWS

/* Corrections of the pressure after the first linear solve: it is linear, so one takes up what
 * rounding left. */
#define REFINEMENTS 2

static double positive_angle (double angle) {
  return angle < 0.0 ? angle + 2.0 * M_PI : angle;
}

static HlStatus place (const HlSpatialGeometry *g, double phi2, double x[N]) {
  double joint[2] = {g->input * cos (phi2), g->input * sin (phi2)};
  double across[2] = {g->ground - joint[0], -joint[1]};
  double d = hypot (across[0], across[1]);
  double along = (g->coupler * g->coupler - g->output * g->output + d * d) / (2.0 * d);
  double height_2 = g->coupler * g->coupler - along * along;

  if (!(height_2 > 0.0))
    return HL_INFEASIBLE;
  double height = sqrt (height_2);
  double coupler[2] = {(along * across[0] - height * across[1]) / d,
                       (along * across[1] + height * across[0]) / d};
  double phi3 = atan2 (coupler[1], coupler[0]);
  double phi4 = atan2 (across[1] - coupler[1], across[0] - coupler[0]);
  double centre[2] = {0.5 * joint[0], 0.5 * joint[1]};

  memset (x, 0, N * sizeof (double));
  x[HL_SPATIAL_Y] = centre[0];
  x[HL_SPATIAL_Z] = centre[1];
  x[HL_SPATIAL_PHI2] = phi2;
  x[HL_SPATIAL_PHI32] = positive_angle (phi3 - phi2);
  x[HL_SPATIAL_PHI43] = positive_angle (phi4 - phi3);
  x[HL_SPATIAL_S] = hypot (centre[0] + g->base, centre[1]);
  x[HL_SPATIAL_ALPHA] = atan2 (centre[1], centre[0] + g->base);
  return HL_OK;
}

/* Column of T for phi2: D v = 0 with v[phi2] given. */
static HlStatus follow (const HlConstrained *system, double omega2, double v[N]) {
  double D[ROWS * N], D_d[ROWS * ROWS], rhs[ROWS];
  int pivots[ROWS], column = 0;

  system->gradients (system->data, D);
  for (int k = 0; k < N; k++)
    if (k != HL_SPATIAL_PHI2)
      memcpy (D_d + ROWS * column++, D + ROWS * k, ROWS * sizeof (double));
  for (int row = 0; row < ROWS; row++)
    rhs[row] = -D[HL_SPATIAL_PHI2 * ROWS + row] * omega2;
  HlStatus status = hl_lu_factor (ROWS, D_d, pivots);
  if (status != HL_OK)
    return status;
  hl_lu_solve (ROWS, D_d, pivots, 1, rhs);
  column = 0;
  for (int k = 0; k < N; k++)
    v[k] = k == HL_SPATIAL_PHI2 ? omega2 : rhs[column++];
  return HL_OK;
}

static HlStatus set_at_rest (const HlConstrained *system, const double x[N], const double z[]) {
  static const double rest[N] = {0.0};
  HlConstrainedState state = {.x = x, .v = rest, .z = z};

  return system->set_state (system->data, 0.0, &state, NULL);
}

HlStatus hl_spatial_four_bar_pose (HlSpatialFourBar *bar, double phi2, double omega2, double x[N],
                                   double v[N]) {
  static const double empty[HL_SPATIAL_N_Z] = {0.0};
  const HlConstrained *system = hl_spatial_four_bar_system (bar);
  HlStatus status = place (hl_spatial_four_bar_geometry (bar), phi2, x);

  if (status == HL_OK)
    status = set_at_rest (system, x, empty);
  return status == HL_OK ? follow (system, omega2, v) : status;
}

/* T^T Q at rest at x with the pressures z. */
static HlStatus push (const HlConstrained *system, const double x[N], const double z[], double *out) {
  double T[N], Q[N];
  HlStatus status = set_at_rest (system, x, z);

  if (status == HL_OK)
    status = follow (system, 1.0, T);
  system->forces (system->data, Q);
  *out = 0.0;
  for (int k = 0; k < N; k++)
    *out += T[k] * Q[k];
  return status;
}

HlStatus hl_spatial_four_bar_balance (HlSpatialFourBar *bar, const double x[N], double p3,
                                      double z[HL_SPATIAL_N_Z]) {
  const HlConstrained *system = hl_spatial_four_bar_system (bar);
  double unloaded, loaded, left;
  double one[HL_SPATIAL_N_Z] = {[HL_SPATIAL_P2] = p3, [HL_SPATIAL_P3] = p3},
         none[HL_SPATIAL_N_Z] = {[HL_SPATIAL_P3] = p3};
  HlStatus status = push (system, x, none, &unloaded);

  if (status == HL_OK)
    status = push (system, x, one, &loaded);
  if (status != HL_OK)
    return status;
  double slope = (loaded - unloaded) / p3;
  if (slope == 0.0)
    return HL_DEAD_POINT;
  memcpy (z, none, sizeof none);
  z[HL_SPATIAL_P2] = -unloaded / slope;
  for (int k = 0; k < REFINEMENTS; k++) {
    status = push (system, x, z, &left);
    z[HL_SPATIAL_P2] -= left / slope;
  }
  z[HL_SPATIAL_P1] = z[HL_SPATIAL_P2];
  return status;
}
