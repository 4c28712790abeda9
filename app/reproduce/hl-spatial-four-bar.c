/* SPDX-License-Identifier: MIT */
/* Equations (76) of seed 000. Inertia of point masses m at P (x):
 *
 *   M y = sum m P_x^T P_x y
 *   Q   = sum m P_x^T (g - P_xx [v, v]) + cylinder + torque
 *
 * Hydraulics as in sections 4.2 and 4.3 there: V1 = Vh1, V2 = Vh2 + A2 l2, V3 = Vh3 + A3 l3. */
#include "app/reproduce/hl-spatial-four-bar.h"

#include "core/hydro/hl-flow-law.h"
#include "core/math/hl-hyperdual.h"
#include "core/math/hl-linalg.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Returns the numbers of the spatial four-bar: lengths, masses and friction as in seed 000; its Table 2 is
 * not legible in the text, the hydraulic numbers are those its research group published for the same circuit
 * (tests/golden/fourbar.json says where each one comes from). */

HlSpatialParameters hl_spatial_parameters_default (void) {
  HlSpatialParameters par = {
      .geometry =
          {.ground = 10.0, .input = 2.0, .coupler = 8.0, .output = 5.0, .base = 1.0, .mass = {2.0, 8.0, 5.0}},
      .gravity = 9.81,
      .cylinder = {.piston_diameter = 0.080,
                   .rod_diameter = 0.035,
                   .stroke = 1.0,
                   .c1 = 0.85,
                   .c2 = 0.15,
                   .wall_modulus = 3.15e10,
                   .friction = {.model = HL_FRICTION_BROWN_MCPHEE,
                                .Fc = 210.0,
                                .Fs = 830.0,
                                .vs = 0.0125,
                                .sigma2 = 330.0,
                                .scale = 1.0}},
      .valve = {.Cv = 1.0690449676496976e-08, .dp_lim = 2.0e5, .time_constant = 0.004547284088339867},
      .throttle = {.Cd = 0.8, .diameter = 0.006, .dp_lim = 2.0e5},
      .hose_volume = {4.71e-5, 3.14e-5, 7.85e-5},
      .oil_modulus = 1.5e9,
      .hose_modulus = 1.5e8,
      .pump_pressure = 7.6e6,
      .tank_pressure = 1.0e5,
  };
  double d = par.cylinder.piston_diameter, rod = par.cylinder.rod_diameter, density = 850.0;
  double bore = par.throttle.diameter;

  par.cylinder.area_a = M_PI * d * d / 4.0;
  par.cylinder.area_b = M_PI * (d * d - rod * rod) / 4.0;
  par.throttle.area = 0.25 * M_PI * bore * bore;
  par.throttle.conductance = hl_orifice_conductance (par.throttle.Cd, par.throttle.area, density);
  return par;
}

/* Position of the spatial four-bar: its loop in closed form, and the pressure that holds it, eqs. (77)-(83)
 * of seed 000. */

#define N HL_SPATIAL_N
#define ROWS HL_SPATIAL_ROWS

/* Corrections of the pressure after the first linear solve: it is linear, so one takes up what
 * rounding left. */
#define REFINEMENTS 2

static double positive_angle (double angle) {
  return angle < 0.0 ? angle + 2.0 * M_PI : angle;
}

static HlStatus place_bodies (const HlSpatialGeometry *g, double phi2, double x[N]) {
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

/* Computes the column of T for phi2: D v = 0 with v[phi2] given. */
static HlStatus find_velocities (const HlConstrained *system, double omega2, double v[N]) {
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

static const HlSpatialGeometry *spatial_four_bar_geometry (const HlSpatialFourBar *bar);

HlStatus hl_spatial_four_bar_pose (HlSpatialFourBar *bar, double phi2, double omega2, double x[N],
                                   double v[N]) {
  static const double empty[HL_SPATIAL_N_Z] = {0.0};
  const HlConstrained *system = hl_spatial_four_bar_system (bar);
  HlStatus status = place_bodies (spatial_four_bar_geometry (bar), phi2, x);

  if (status == HL_OK)
    status = set_at_rest (system, x, empty);
  return status == HL_OK ? find_velocities (system, omega2, v) : status;
}

/* Computes T^T Q at rest at x with the pressures z. */
static HlStatus compute_torque (const HlConstrained *system, const double x[N], const double z[],
                                double *out) {
  double T[N], Q[N];
  HlStatus status = set_at_rest (system, x, z);

  if (status == HL_OK)
    status = find_velocities (system, 1.0, T);
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
  HlStatus status = compute_torque (system, x, none, &unloaded);

  if (status == HL_OK)
    status = compute_torque (system, x, one, &loaded);
  if (status != HL_OK)
    return status;
  double slope = (loaded - unloaded) / p3;
  if (slope == 0.0)
    return HL_DEAD_POINT;
  memcpy (z, none, sizeof none);
  z[HL_SPATIAL_P2] = -unloaded / slope;
  for (int k = 0; k < REFINEMENTS; k++) {
    status = compute_torque (system, x, z, &left);
    z[HL_SPATIAL_P2] -= left / slope;
  }
  z[HL_SPATIAL_P1] = z[HL_SPATIAL_P2];
  return status;
}

/* Constraints (67)-(71) and the points of the rods in numbers that carry their derivatives. */

typedef struct {
  HlHyperdual c[3];
} Vector;

/* Returns p + factor q. */
static Vector offset (Vector p, double factor, Vector q) {
  for (int k = 0; k < 3; k++)
    p.c[k] = hl_hyperdual_add (p.c[k], hl_hyperdual_scale (factor, q.c[k]));
  return p;
}

typedef struct {
  HlHyperdual sin_psi, cos_psi, sin_theta, cos_theta;
} Tilt;

/* Returns the y axis of Rz (psi) Ry (theta) Rx (angle). */
static Vector axis (const Tilt *tilt, HlHyperdual angle) {
  HlHyperdual s = hl_hyperdual_sin (angle), c = hl_hyperdual_cos (angle);
  HlHyperdual x = hl_hyperdual_mul (tilt->sin_theta, s);

  return (Vector){
      {hl_hyperdual_sub (hl_hyperdual_mul (tilt->cos_psi, x), hl_hyperdual_mul (tilt->sin_psi, c)),
       hl_hyperdual_add (hl_hyperdual_mul (tilt->sin_psi, x), hl_hyperdual_mul (tilt->cos_psi, c)),
       hl_hyperdual_mul (tilt->cos_theta, s)}};
}

/* Evaluates the constraints. The cylinder's loop closes from the joint at -d1: the sign in front of d1 is
 * that of eqs. (71) and (78), not the printed one of (67). */
static void evaluate (const HlSpatialGeometry *g, const HlHyperdual x[HL_SPATIAL_N],
                      HlHyperdual C[HL_SPATIAL_ROWS], Vector P[HL_SPATIAL_POINTS], Vector *e) {
  Tilt tilt = {hl_hyperdual_sin (x[HL_SPATIAL_PSI]), hl_hyperdual_cos (x[HL_SPATIAL_PSI]),
               hl_hyperdual_sin (x[HL_SPATIAL_THETA]), hl_hyperdual_cos (x[HL_SPATIAL_THETA])};
  HlHyperdual phi3 = hl_hyperdual_add (x[HL_SPATIAL_PHI2], x[HL_SPATIAL_PHI32]);
  Vector input = axis (&tilt, x[HL_SPATIAL_PHI2]), coupler = axis (&tilt, phi3),
         output = axis (&tilt, hl_hyperdual_add (phi3, x[HL_SPATIAL_PHI43])),
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
  C[3] = hl_hyperdual_mul (tilt.sin_psi, tilt.cos_theta);
  C[4] = hl_hyperdual_scale (-1.0, tilt.sin_theta);
  C[5] = hl_hyperdual_sub (P[6].c[1], hl_hyperdual (g->ground));
  C[6] = P[6].c[2];
  for (int k = 0; k < 2; k++)
    C[7 + k] = hl_hyperdual_sub (hl_hyperdual_mul (x[HL_SPATIAL_S], e->c[1 + k]),
                                 hl_hyperdual_scale (0.5 * g->input, input.c[1 + k]));
  C[7] = hl_hyperdual_sub (C[7], hl_hyperdual (g->base));
}

/* Computes one mixed derivative of all quantities: D^k f [a], [a, b] or [a, b, c] for the given directions
 * (NULL ends them); the value itself with a NULL. */
static void derivative (const HlSpatialGeometry *geometry, const double x[HL_SPATIAL_N],
                        const double a[HL_SPATIAL_N], const double b[HL_SPATIAL_N],
                        const double c[HL_SPATIAL_N], HlSpatialValue *out) {
  HlHyperdual seeds[HL_SPATIAL_N], C[HL_SPATIAL_ROWS];
  Vector P[HL_SPATIAL_POINTS], e;
  int set = (a != NULL ? HL_HYPERDUAL_E1 : 0) | (b != NULL ? HL_HYPERDUAL_E2 : 0) |
            (c != NULL ? HL_HYPERDUAL_E3 : 0);

  for (int k = 0; k < HL_SPATIAL_N; k++)
    seeds[k] =
        hl_hyperdual_seed (x[k], a != NULL ? a[k] : 0.0, b != NULL ? b[k] : 0.0, c != NULL ? c[k] : 0.0);
  evaluate (geometry, seeds, C, P, &e);
  for (int row = 0; row < HL_SPATIAL_ROWS; row++)
    out->C[row] = C[row].c[set];
  for (int k = 0; k < 3; k++) {
    for (int point = 0; point < HL_SPATIAL_POINTS; point++)
      out->P[point][k] = P[point].c[k].c[set];
    out->e[k] = e.c[k].c[set];
  }
}

/* Computes the mass at each point. */
static void spatial_masses (const HlSpatialGeometry *geometry, double masses[HL_SPATIAL_POINTS]) {
  const double *m = geometry->mass;

  masses[0] = m[0] / 6.0;
  masses[1] = 2.0 * m[0] / 3.0;
  masses[2] = (m[0] + m[1]) / 6.0;
  masses[3] = 2.0 * m[1] / 3.0;
  masses[4] = (m[1] + m[2]) / 6.0;
  masses[5] = 2.0 * m[2] / 3.0;
  masses[6] = m[2] / 6.0;
}

#define POINTS HL_SPATIAL_POINTS

enum {
  NODE_P = 3, /* after the three pressures */
  NODE_T,
  N_NODES
};

/* The two components and the nodes at their ports. */
enum { VALVE, THROTTLE, N_COMPONENTS };

enum {
  MOST_ROWS = HL_VALVE_BRANCHES + 1,       /* flows and rates of one of them */
  MOST_D = MOST_ROWS * (HL_MOST_PORTS + 2) /* derivatives by ports, one state, one signal */
};

static const HlComponent components[N_COMPONENTS] = {
    [VALVE] = {.klass = &hl_directional_valve_class,
               .node = {NODE_P, NODE_T, HL_SPATIAL_P1, HL_SPATIAL_P3},
               .n_branches = HL_VALVE_BRANCHES,
               .n_states = 1},
    [THROTTLE] = {.klass = &hl_throttle_class, .node = {HL_SPATIAL_P1, HL_SPATIAL_P2}, .n_branches = 1},
};

struct HlSpatialFourBar {
  HlConstrained base;
  HlSpatialParameters par;
  double mass[POINTS];
  /* written by set_state */
  double x[N], v[N], z[HL_SPATIAL_N_Z];
  HlSpatialValue slope[N]; /* first derivatives in every coordinate */
  HlSpatialValue bend;     /* second derivative along v, v */
  double e[3];             /* direction of the cylinder */
  double flow[N_COMPONENTS][MOST_ROWS], law_d[N_COMPONENTS][MOST_D];
  double net[3], compliance[3]; /* inflow less growth [m3/s], sum of V/B [m3/Pa] */
  double force, friction_slope; /* of the cylinder, in extension */
  /* written by set_motion */
  double a[N], lambda[ROWS];
  double inertia[POINTS][3]; /* g - acceleration of each point */
};

static double softness (const HlSpatialParameters *par) {
  return 1.0 / par->oil_modulus + 1.0 / par->cylinder.wall_modulus;
}

/* ---- values ---- */

static void kinematics (HlSpatialFourBar *bar) {
  const HlSpatialGeometry *geometry = &bar->par.geometry;
  HlSpatialValue value;
  double unit[N] = {0.0};

  derivative (geometry, bar->x, NULL, NULL, NULL, &value);
  memcpy (bar->e, value.e, sizeof bar->e);
  for (int k = 0; k < N; k++) {
    unit[k] = 1.0;
    derivative (geometry, bar->x, unit, NULL, NULL, &bar->slope[k]);
    unit[k] = 0.0;
  }
  derivative (geometry, bar->x, bar->v, bar->v, NULL, &bar->bend);
}

/* Computes the flows of the valve and the throttle with their derivatives, and the net flows into the nodes. */
static void flows (HlSpatialFourBar *bar, const double nodes[]) {
  void *selves[N_COMPONENTS] = {&bar->par.valve, &bar->par.throttle};

  memset (bar->law_d, 0, sizeof bar->law_d);
  for (int k = 0; k < N_COMPONENTS; k++) {
    HlComponent c = components[k];
    double p[HL_MOST_PORTS];
    HlLaw law = {.state = &bar->z[HL_SPATIAL_U], .signal = &bar->par.command};

    c.self = selves[k];
    for (int port = 0; port < c.klass->kind.n_ports; port++)
      p[port] = nodes[c.node[port]];
    law.q = bar->flow[k];
    law.rate = bar->flow[k] + c.n_branches;
    law.d = bar->law_d[k];
    hl_component_eval (&c, p, &law);
    for (int branch = 0; branch < c.n_branches; branch++) {
      int a = c.node[c.klass->ways[branch].from], b = c.node[c.klass->ways[branch].to];
      if (a < 3)
        bar->net[a] -= bar->flow[k][branch];
      if (b < 3)
        bar->net[b] += bar->flow[k][branch];
    }
  }
}

static HlStatus hydraulics (HlSpatialFourBar *bar, HlFault *fault) {
  const HlSpatialParameters *par = &bar->par;
  const HlCylinder *cyl = &par->cylinder;
  double s = bar->x[HL_SPATIAL_S], rate = bar->v[HL_SPATIAL_S];
  double nodes[N_NODES] = {bar->z[HL_SPATIAL_P1], bar->z[HL_SPATIAL_P2], bar->z[HL_SPATIAL_P3],
                           par->pump_pressure, par->tank_pressure};
  double length[3] = {0.0, hl_cylinder_length_a (cyl, s), hl_cylinder_length_b (cyl, s)};
  double area[3] = {0.0, cyl->area_a, cyl->area_b};

  if (fmin (length[1], length[2]) < 0.0)
    return hl_fault_set (fault, HL_OUT_OF_STROKE, HL_ENTITY_NONE, -1, fmin (length[1], length[2]));
  for (int k = 0; k < 3; k++)
    bar->compliance[k] = par->hose_volume[k] * (1.0 / par->oil_modulus + 1.0 / par->hose_modulus) +
                         area[k] * length[k] * softness (par);
  bar->net[HL_SPATIAL_P1] = 0.0;
  bar->net[HL_SPATIAL_P2] = -cyl->area_a * rate;
  bar->net[HL_SPATIAL_P3] = cyl->area_b * rate;
  flows (bar, nodes);
  bar->force = cyl->area_a * nodes[HL_SPATIAL_P2] - cyl->area_b * nodes[HL_SPATIAL_P3] -
               hl_friction_force (&cyl->friction, rate, &bar->friction_slope);
  return HL_OK;
}

static HlStatus set_state (void *data, double t, const HlConstrainedState *state, HlFault *fault) {
  HlSpatialFourBar *bar = data;

  memcpy (bar->x, state->x, sizeof bar->x);
  memcpy (bar->v, state->v, sizeof bar->v);
  memcpy (bar->z, state->z, sizeof bar->z);
  kinematics (bar);
  return hydraulics (bar, fault);
}

static double dot3 (const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes out_k = sum of m P_x[k] . w over the points: a force field as a generalized force. */
static void pull_back (const HlSpatialFourBar *bar, double w[POINTS][3], double out[N]) {
  for (int k = 0; k < N; k++) {
    out[k] = 0.0;
    for (int point = 0; point < POINTS; point++)
      out[k] += bar->mass[point] * dot3 (bar->slope[k].P[point], w[point]);
  }
}

/* Computes w = P_x y at every point. */
static void push_forward (const HlSpatialFourBar *bar, const double y[N], double w[POINTS][3]) {
  memset (w, 0, POINTS * 3 * sizeof (double));
  for (int k = 0; k < N; k++)
    for (int point = 0; point < POINTS && y[k] != 0.0; point++)
      for (int i = 0; i < 3; i++)
        w[point][i] += bar->slope[k].P[point][i] * y[k];
}

static void mass_times (void *data, const double y[], double out[]) {
  const HlSpatialFourBar *bar = data;
  double w[POINTS][3];

  push_forward (bar, y, w);
  pull_back (bar, w, out);
}

static void gradients (void *data, double D[]) {
  const HlSpatialFourBar *bar = data;

  for (int k = 0; k < N; k++)
    memcpy (D + k * ROWS, bar->slope[k].C, ROWS * sizeof (double));
}

static void bias (void *data, double d[]) {
  const HlSpatialFourBar *bar = data;

  memcpy (d, bar->bend.C, ROWS * sizeof (double));
}

/* Adds a force of the cylinder: F e at the mass centre of link 2, or F on s. */
static void add_cylinder (const HlSpatialFourBar *bar, double force, const double e[3], double Q[]) {
  if (bar->par.force_on_s) {
    Q[HL_SPATIAL_S] += force;
    return;
  }
  for (int k = 0; k < 3; k++)
    Q[HL_SPATIAL_X + k] += force * e[k];
}

static void forces (void *data, double Q[]) {
  const HlSpatialFourBar *bar = data;
  double w[POINTS][3];

  for (int point = 0; point < POINTS; point++)
    for (int k = 0; k < 3; k++)
      w[point][k] = (k == 2 ? -bar->par.gravity : 0.0) - bar->bend.P[point][k];
  pull_back (bar, w, Q);
  add_cylinder (bar, bar->force, bar->e, Q);
  Q[HL_SPATIAL_PHI2] += bar->par.torque;
}

static void rates (void *data, double h[]) {
  const HlSpatialFourBar *bar = data;

  for (int k = 0; k < 3; k++)
    h[k] = bar->net[k] / bar->compliance[k];
  h[HL_SPATIAL_U] = (bar->par.command - bar->z[HL_SPATIAL_U]) / bar->par.valve.time_constant;
}

/* ---- derivatives at the motion ---- */

static void set_motion (void *data, const double a[], const double lambda[]) {
  HlSpatialFourBar *bar = data;

  memcpy (bar->a, a, sizeof bar->a);
  memcpy (bar->lambda, lambda, sizeof bar->lambda);
  push_forward (bar, a, bar->inertia);
  for (int point = 0; point < POINTS; point++)
    for (int k = 0; k < 3; k++)
      bar->inertia[point][k] =
          (k == 2 ? -bar->par.gravity : 0.0) - bar->inertia[point][k] - bar->bend.P[point][k];
}

/* Computes the changes by positions: all quantities that the geometry rotates. */
static void geometry_tangent (const HlSpatialFourBar *bar, const double dx[], HlConstrainedTangent *out) {
  const HlSpatialGeometry *geometry = &bar->par.geometry;
  HlSpatialValue along_v, along_a, cubic, turned, direction;
  double w[POINTS][3], unit[N] = {0.0};

  derivative (geometry, bar->x, bar->v, dx, NULL, &along_v);
  derivative (geometry, bar->x, bar->a, dx, NULL, &along_a);
  derivative (geometry, bar->x, bar->v, bar->v, dx, &cubic);
  derivative (geometry, bar->x, dx, NULL, NULL, &direction);
  for (int row = 0; row < ROWS; row++) {
    out->velocity[row] = along_v.C[row];
    out->acceleration[row] += along_a.C[row] + cubic.C[row];
  }
  for (int point = 0; point < POINTS; point++)
    for (int k = 0; k < 3; k++)
      w[point][k] = -along_a.P[point][k] - cubic.P[point][k];
  double moved[N];
  pull_back (bar, w, moved);
  for (int k = 0; k < N; k++) {
    unit[k] = 1.0;
    derivative (geometry, bar->x, unit, dx, NULL, &turned);
    unit[k] = 0.0;
    for (int point = 0; point < POINTS; point++)
      moved[k] += bar->mass[point] * dot3 (turned.P[point], bar->inertia[point]);
    for (int row = 0; row < ROWS; row++)
      moved[k] -= bar->lambda[row] * turned.C[row];
    out->force[k] += moved[k];
  }
  if (!bar->par.force_on_s)
    add_cylinder (bar, bar->force, direction.e, out->force);
}

/* Computes the changes by velocities: d_v, and the inertia that depends on them. */
static void velocity_tangent (const HlSpatialFourBar *bar, const double dv[], HlConstrainedTangent *out) {
  HlSpatialValue along;
  double w[POINTS][3], moved[N];

  derivative (&bar->par.geometry, bar->x, bar->v, dv, NULL, &along);
  for (int row = 0; row < ROWS; row++)
    out->acceleration[row] += 2.0 * along.C[row];
  for (int point = 0; point < POINTS; point++)
    for (int k = 0; k < 3; k++)
      w[point][k] = -2.0 * along.P[point][k];
  pull_back (bar, w, moved);
  for (int k = 0; k < N; k++)
    out->force[k] += moved[k];
}

static void hydraulic_tangent (const HlSpatialFourBar *bar, double ds, double d_rate, const double dz[],
                               HlConstrainedTangent *out) {
  const HlCylinder *cyl = &bar->par.cylinder;
  double d_net[3] = {0.0, -cyl->area_a * d_rate, cyl->area_b * d_rate};
  double d_compliance[3] = {0.0, cyl->area_a * softness (&bar->par) * ds,
                            -cyl->area_b * softness (&bar->par) * ds};
  double dp[N_NODES] = {dz[HL_SPATIAL_P1], dz[HL_SPATIAL_P2], dz[HL_SPATIAL_P3]};

  for (int k = 0; k < N_COMPONENTS; k++) {
    const HlComponent *c = &components[k];
    int n_rows = hl_component_n_rows (c), n_ports = c->klass->kind.n_ports;
    for (int branch = 0; branch < c->n_branches; branch++) {
      const double *d = bar->law_d[k] + branch;
      double dq = 0.0;
      for (int port = 0; port < n_ports; port++)
        dq += d[port * n_rows] * dp[c->node[port]];
      if (c->n_states > 0)
        dq += d[n_ports * n_rows] * dz[HL_SPATIAL_U];
      int a = c->node[c->klass->ways[branch].from], b = c->node[c->klass->ways[branch].to];
      if (a < 3)
        d_net[a] -= dq;
      if (b < 3)
        d_net[b] += dq;
    }
  }
  for (int k = 0; k < 3; k++)
    out->rates[k] = (d_net[k] - bar->net[k] / bar->compliance[k] * d_compliance[k]) / bar->compliance[k];
  out->rates[HL_SPATIAL_U] = -dz[HL_SPATIAL_U] / bar->par.valve.time_constant;
  add_cylinder (
      bar, cyl->area_a * dp[HL_SPATIAL_P2] - cyl->area_b * dp[HL_SPATIAL_P3] - bar->friction_slope * d_rate,
      bar->e, out->force);
}

static void tangent (void *data, const HlConstrainedSeed *seed, HlConstrainedTangent *out) {
  static const double none[HL_SPATIAL_N_Z] = {0.0};
  const HlSpatialFourBar *bar = data;

  memset (out->velocity, 0, ROWS * sizeof (double));
  memset (out->acceleration, 0, ROWS * sizeof (double));
  memset (out->force, 0, N * sizeof (double));
  if (seed->dx != NULL)
    geometry_tangent (bar, seed->dx, out);
  if (seed->dv != NULL)
    velocity_tangent (bar, seed->dv, out);
  hydraulic_tangent (bar, seed->dx != NULL ? seed->dx[HL_SPATIAL_S] : 0.0,
                     seed->dv != NULL ? seed->dv[HL_SPATIAL_S] : 0.0, seed->dz != NULL ? seed->dz : none,
                     out);
}

/* ---- the object ---- */

HlSpatialFourBar *hl_spatial_four_bar_new (const HlSpatialParameters *parameters) {
  HlSpatialFourBar *bar = calloc (1, sizeof *bar);

  bar->par = *parameters;
  spatial_masses (&bar->par.geometry, bar->mass);
  bar->base = (HlConstrained){.n = N,
                              .m = ROWS,
                              .r = 3,
                              .u = 1,
                              .data = bar,
                              .set_state = set_state,
                              .mass_times = mass_times,
                              .gradients = gradients,
                              .forces = forces,
                              .bias = bias,
                              .rates = rates,
                              .set_motion = set_motion,
                              .tangent = tangent};
  return bar;
}

void hl_spatial_four_bar_free (HlSpatialFourBar *bar) {
  free (bar);
}

const HlConstrained *hl_spatial_four_bar_system (const HlSpatialFourBar *bar) {
  return &bar->base;
}

static const HlSpatialGeometry *spatial_four_bar_geometry (const HlSpatialFourBar *bar) {
  return &bar->par.geometry;
}
