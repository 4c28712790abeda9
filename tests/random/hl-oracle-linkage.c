/* SPDX-License-Identifier: MIT */
/* The linkage in absolute coordinates. Point P of a body: P = r + arm, arm = rot (psi) u,
 * P' = r' + w arm^, P'' = r'' + psi'' arm^ - w^2 arm, where ^ turns by a right angle. A joint's row
 * is the derivative of its condition in the velocities, d what is left of the second derivative
 * when all accelerations are zero. */
#include <math.h>
#include <string.h>

#include "tests/random/hl-oracle-formulation.h"

/* A point in motion. */
typedef struct {
  int body;
  HlZ P[2], V[2]; /* place, velocity */
  HlZ arm[2], w, cent[2];
} Place;

static HlZ dot (const HlZ a[2], const HlZ b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

/* The direction `angle` of a body's own frame, in the ground's. */
static void direction (const HlOracleState *s, int body, double angle, HlZ out[2]) {
  HlZ psi = angle + (body >= 0 ? s->x[3 * body + 2] : 0.0L);

  out[0] = ccosl (psi);
  out[1] = csinl (psi);
}

static void turn (const HlZ a[2], HlZ out[2]) {
  HlZ x = a[0];

  out[0] = -a[1];
  out[1] = x;
}

static Place place_of (const HlOracleState *s, HlOraclePoint point) {
  int body = point.body;
  Place at = {.body = body};
  HlZ x = body >= 0 ? s->x[3 * body] : 0.0L, y = body >= 0 ? s->x[3 * body + 1] : 0.0L;
  HlZ psi = body >= 0 ? s->x[3 * body + 2] : 0.0L, c = ccosl (psi), sn = csinl (psi);

  at.w = body >= 0 ? s->v[3 * body + 2] : 0.0L;
  at.arm[0] = c * point.u[0] - sn * point.u[1];
  at.arm[1] = sn * point.u[0] + c * point.u[1];
  at.P[0] = x + at.arm[0];
  at.P[1] = y + at.arm[1];
  at.V[0] = (body >= 0 ? s->v[3 * body] : 0.0L) - at.w * at.arm[1];
  at.V[1] = (body >= 0 ? s->v[3 * body + 1] : 0.0L) + at.w * at.arm[0];
  at.cent[0] = -at.w * at.w * at.arm[0];
  at.cent[1] = -at.w * at.w * at.arm[1];
  return at;
}

/* Columns of a body in a row; the ground's stand last. */
static HlZ *columns (const HlOracle *o, HlZ row[], int body) {
  return row + (body >= 0 ? 3 * body : o->n);
}

/* row += sign times the row of n . (velocity of the place) */
static void add_velocity (const HlOracle *o, HlZ row[], const Place *at, const HlZ n[2], int sign) {
  HlZ across[2], *to = columns (o, row, at->body);

  turn (at->arm, across);
  to[0] += sign * n[0];
  to[1] += sign * n[1];
  to[2] += sign * dot (n, across);
}

/* C = n . (P_j - P_i), n fixed in body i */
static HlZ across_row (const HlOracle *o, const Place *i, const Place *j, const HlZ n[2], HlZ row[], HlZ *d) {
  HlZ t[2], delta[2] = {j->P[0] - i->P[0], j->P[1] - i->P[1]};
  HlZ speed[2] = {j->V[0] - i->V[0], j->V[1] - i->V[1]};
  HlZ cent[2] = {j->cent[0] - i->cent[0], j->cent[1] - i->cent[1]};

  turn (n, t);
  add_velocity (o, row, j, n, 1);
  add_velocity (o, row, i, n, -1);
  columns (o, row, i->body)[2] += dot (t, delta);
  *d = dot (n, cent) + 2.0L * i->w * dot (t, speed) - i->w * i->w * dot (n, delta);
  return dot (n, delta);
}

static HlZ distance_row (const HlOracle *o, const Place *i, const Place *j, HlZ row[], HlZ *d) {
  HlZ delta[2] = {j->P[0] - i->P[0], j->P[1] - i->P[1]};
  HlZ speed[2] = {j->V[0] - i->V[0], j->V[1] - i->V[1]};
  HlZ cent[2] = {j->cent[0] - i->cent[0], j->cent[1] - i->cent[1]};
  HlZ length = csqrtl (dot (delta, delta)), e[2] = {delta[0] / length, delta[1] / length};
  HlZ rate = dot (e, speed);

  add_velocity (o, row, j, e, 1);
  add_velocity (o, row, i, e, -1);
  *d = (dot (speed, speed) - rate * rate) / length + dot (e, cent);
  return length;
}

static HlZ angle_row (const HlOracle *o, const HlOracleState *s, const HlOracleJoint *joint, HlZ row[]) {
  columns (o, row, joint->b.body)[2] += 1.0L;
  columns (o, row, joint->a.body)[2] -= 1.0L;
  return (joint->b.body >= 0 ? s->x[3 * joint->b.body + 2] : 0.0L) -
         (joint->a.body >= 0 ? s->x[3 * joint->a.body + 2] : 0.0L) - joint->angle;
}

static void joint_rows (const HlOracle *o, const HlOracleState *s, const HlOracleJoint *joint, HlZ C[],
                        HlZ D[], HlZ d[]) {
  static const HlZ axes[2][2] = {{1.0L, 0.0L}, {0.0L, 1.0L}};
  int width = o->n + 3;
  Place i = place_of (s, joint->a), j = place_of (s, joint->b);
  HlZ n[2], t[2];

  direction (s, joint->a.body, joint->axis, t);
  turn (t, n);
  switch (joint->kind) {
  case HL_ORACLE_REVOLUTE:
  case HL_ORACLE_WELD:
    for (int k = 0; k < 2; k++) {
      add_velocity (o, D + k * width, &i, axes[k], 1);
      add_velocity (o, D + k * width, &j, axes[k], -1);
      C[k] = i.P[k] - j.P[k];
      d[k] = i.cent[k] - j.cent[k];
    }
    if (joint->kind == HL_ORACLE_WELD)
      C[2] = angle_row (o, s, joint, D + 2 * width);
    break;
  case HL_ORACLE_PRISMATIC:
    C[1] = angle_row (o, s, joint, D + width);
    C[0] = across_row (o, &i, &j, n, D, d);
    break;
  case HL_ORACLE_SLOT:
    C[0] = across_row (o, &i, &j, n, D, d);
    break;
  case HL_ORACLE_DISTANCE:
    C[0] = distance_row (o, &i, &j, D, d) - joint->length;
    break;
  case HL_ORACLE_KNIFE_EDGE:
    add_velocity (o, D, &i, n, 1);
    turn (n, t);
    d[0] = i.w * dot (t, i.V) + dot (n, i.cent);
    break;
  }
}

void hl_oracle_rows (const HlOracle *o, const HlOracleState *s, HlZ C[], HlZ D[], HlZ d[]) {
  int width = o->n + 3;

  memset (C, 0, (size_t)o->n_rows * sizeof (HlZ));
  memset (D, 0, (size_t)(o->n_rows * width) * sizeof (HlZ));
  memset (d, 0, (size_t)o->n_rows * sizeof (HlZ));
  for (int k = 0; k < o->n_joints; k++) {
    int row = o->joints[k].first_row;
    joint_rows (o, s, &o->joints[k], C + row, D + row * width, d + row);
  }
}

/* Centre of mass from the origin of the body's frame. */
static Place center (const HlOracle *o, const HlOracleState *s, int body) {
  HlOraclePoint com = {body, {o->bodies[body].com[0], o->bodies[body].com[1]}};
  return place_of (s, com);
}

void hl_oracle_mass (const HlOracle *o, const HlOracleState *s, HlZ M[]) {
  memset (M, 0, (size_t)(o->n * o->n) * sizeof (HlZ));
  for (int k = 0; k < o->n_bodies; k++) {
    Place c = center (o, s, k);
    long double m = o->bodies[k].mass;
    HlZ *x = M + (3 * k) * o->n + 3 * k, *y = x + o->n, *psi = y + o->n;
    x[0] = y[1] = m;
    x[2] = psi[0] = -m * c.arm[1];
    y[2] = psi[1] = m * c.arm[0];
    psi[2] = o->bodies[k].inertia + m * dot (c.arm, c.arm);
  }
}

static void add_force (const HlOracle *o, HlZ Q[], const Place *at, const HlZ F[2]) {
  if (at->body < 0)
    return;
  HlZ *to = columns (o, Q, at->body);
  to[0] += F[0];
  to[1] += F[1];
  to[2] += at->arm[0] * F[1] - at->arm[1] * F[0];
}

static double number (json_t *object, const char *key, double absent) {
  json_t *value = json_object_get (object, key);
  return json_is_number (value) ? json_number_value (value) : absent;
}

static HlZ body_angle (const HlZ of[], int body) {
  return body >= 0 ? of[3 * body + 2] : 0.0L;
}

static void add_point_force (const HlOracle *o, const HlOracleState *s, const HlOracleLoad *load,
                             double value, HlZ Q[]) {
  json_t *line = json_object_get (load->json, "direction");
  double x = json_number_value (json_array_get (line, 0)), y = json_number_value (json_array_get (line, 1));
  bool turns = g_strcmp0 (json_string_value (json_object_get (load->json, "frame")), "body") == 0;
  Place at = place_of (s, load->a);
  HlZ F[2];

  direction (s, turns ? load->a.body : -1, atan2 (y, x), F);
  F[0] *= value;
  F[1] *= value;
  add_force (o, Q, &at, F);
}

static void add_tyre (const HlOracle *o, const HlOracleState *s, const HlOracleLoad *load, HlZ Q[]) {
  Place at = place_of (s, load->a);
  HlZ heading[2], n[2];

  direction (s, load->a.body, number (load->json, "axis", 0.0), heading);
  turn (heading, n);
  HlZ along = dot (heading, at.V), side = dot (n, at.V);
  if (creall (along) < 0.0L)
    along = -along;
  HlZ force = -number (load->json, "stiffness", NAN) * catanl (side / along);
  HlZ F[2] = {force * n[0], force * n[1]};
  add_force (o, Q, &at, F);
}

static void add_load (const HlOracle *o, const HlOracleState *s, const HlOracleLoad *load, HlZ Q[]) {
  json_t *json = load->json;
  double value = hl_oracle_signal (json_object_get (json, "signal"), 0.0, s->t, s->segment);
  double stiffness = number (json, "stiffness", 0.0), damping = number (json, "damping", 0.0);

  if (strcmp (load->kind, "torque") == 0)
    Q[3 * load->a.body + 2] += value;
  else if (strcmp (load->kind, "force") == 0)
    add_point_force (o, s, load, value, Q);
  else if (strcmp (load->kind, "tyre") == 0)
    add_tyre (o, s, load, Q);
  else if (strcmp (load->kind, "spring") == 0) {
    HlZ length, rate;
    hl_oracle_between (o, s, load->a, load->b, &length, &rate);
    HlZ pull = stiffness * (length - number (json, "free_length", NAN)) + damping * rate;
    hl_oracle_push (o, s, load->a, load->b, -pull, Q);
  } else {
    HlZ angle = body_angle (s->x, load->b.body) - body_angle (s->x, load->a.body);
    HlZ rate = body_angle (s->v, load->b.body) - body_angle (s->v, load->a.body);
    HlZ moment = -stiffness * (angle - number (json, "free_angle", 0.0)) - damping * rate;
    if (load->b.body >= 0)
      Q[3 * load->b.body + 2] += moment;
    if (load->a.body >= 0)
      Q[3 * load->a.body + 2] -= moment;
  }
}

void hl_oracle_loads (const HlOracle *o, const HlOracleState *s, HlZ Q[]) {
  memset (Q, 0, (size_t)o->n * sizeof (HlZ));
  for (int k = 0; k < o->n_bodies; k++) {
    Place c = center (o, s, k);
    long double m = o->bodies[k].mass;
    HlZ weight[2] = {m * o->gravity[0], m * o->gravity[1]};
    add_force (o, Q, &c, weight);
    /* m P'' of the centre: what does not contain accelerations goes to the right */
    Q[3 * k] -= m * c.cent[0];
    Q[3 * k + 1] -= m * c.cent[1];
  }
  for (int k = 0; k < o->n_loads; k++)
    add_load (o, s, &o->loads[k], Q);
}

void hl_oracle_between (const HlOracle *o, const HlOracleState *s, HlOraclePoint a, HlOraclePoint b,
                        HlZ *length, HlZ *rate) {
  Place i = place_of (s, a), j = place_of (s, b);
  HlZ delta[2] = {j.P[0] - i.P[0], j.P[1] - i.P[1]}, speed[2] = {j.V[0] - i.V[0], j.V[1] - i.V[1]};

  (void)o;
  *length = csqrtl (dot (delta, delta));
  *rate = dot (delta, speed) / *length;
}

void hl_oracle_push (const HlOracle *o, const HlOracleState *s, HlOraclePoint a, HlOraclePoint b, HlZ force,
                     HlZ Q[]) {
  Place i = place_of (s, a), j = place_of (s, b);
  HlZ delta[2] = {j.P[0] - i.P[0], j.P[1] - i.P[1]}, length = csqrtl (dot (delta, delta));
  HlZ F[2] = {force * delta[0] / length, force * delta[1] / length}, back[2] = {-F[0], -F[1]};

  add_force (o, Q, &j, F);
  add_force (o, Q, &i, back);
}

/* Of the tyres, of all of their speed or of what rolls. */
static double slowest (const HlOracle *o, const HlOracleState *s, bool rolls) {
  double least = INFINITY;

  for (int k = 0; k < o->n_loads; k++)
    if (strcmp (o->loads[k].kind, "tyre") == 0) {
      Place at = place_of (s, o->loads[k].a);
      HlZ heading[2];
      direction (s, o->loads[k].a.body, number (o->loads[k].json, "axis", 0.0), heading);
      HlZ speed = rolls ? dot (heading, at.V) : csqrtl (dot (at.V, at.V));
      least = fmin (least, (double)cabsl (speed));
    }
  return least;
}

double hl_oracle_slowest_tyre (const HlOracle *o, const HlOracleState *s) {
  return slowest (o, s, false);
}

double hl_oracle_slowest_rolling (const HlOracle *o, const HlOracleState *s) {
  return slowest (o, s, true);
}

bool hl_oracle_tyre_turned (const HlOracle *o, const HlOracleState *before, const HlOracleState *now) {
  for (int k = 0; k < o->n_loads; k++)
    if (strcmp (o->loads[k].kind, "tyre") == 0) {
      Place was = place_of (before, o->loads[k].a), is = place_of (now, o->loads[k].a);
      if (creall (dot (was.V, is.V)) < 0.0L)
        return true;
    }
  return false;
}

void hl_oracle_joint_force (const HlOracle *o, const HlOracleState *s, const HlOracleRate *rate, int index,
                            double out[3]) {
  const HlOracleJoint *joint = &o->joints[index];
  HlOraclePoint point = joint->kind == HL_ORACLE_KNIFE_EDGE ? joint->a : joint->b;
  Place at = place_of (s, point);
  g_autofree HlZ *C = g_new (HlZ, o->n_rows), *d = g_new (HlZ, o->n_rows),
                 *D = g_new (HlZ, o->n_rows * (o->n + 3));
  HlZ f[3] = {0};

  hl_oracle_rows (o, s, C, D, d);
  for (int k = 0; k < joint->n_rows; k++) {
    int row = joint->first_row + k;
    const HlZ *of = columns (o, D + row * (o->n + 3), point.body);
    for (int c = 0; c < 3; c++)
      f[c] -= rate->lambda[row] * of[c];
  }
  out[0] = (double)creall (f[0]);
  out[1] = (double)creall (f[1]);
  out[2] = (double)creall (f[2] - (at.arm[0] * f[1] - at.arm[1] * f[0]));
}

double hl_oracle_kinetic (const HlOracle *o, const HlOracleState *s) {
  HlZ energy = 0.0L;

  for (int k = 0; k < o->n_bodies; k++) {
    Place c = center (o, s, k);
    energy += 0.5L * o->bodies[k].mass * dot (c.V, c.V) + 0.5L * o->bodies[k].inertia * c.w * c.w;
  }
  return (double)creall (energy);
}

double hl_oracle_potential (const HlOracle *o, const HlOracleState *s) {
  HlZ energy = hl_oracle_stop_energy (o, s);

  for (int k = 0; k < o->n_bodies; k++) {
    Place c = center (o, s, k);
    energy -= o->bodies[k].mass * (o->gravity[0] * c.P[0] + o->gravity[1] * c.P[1]);
  }
  for (int k = 0; k < o->n_loads; k++) {
    const HlOracleLoad *load = &o->loads[k];
    HlZ stretch = 0.0L, rate;
    if (strcmp (load->kind, "spring") == 0) {
      hl_oracle_between (o, s, load->a, load->b, &stretch, &rate);
      stretch -= number (load->json, "free_length", NAN);
    } else if (strcmp (load->kind, "torsion-spring") == 0)
      stretch = body_angle (s->x, load->b.body) - body_angle (s->x, load->a.body) -
                number (load->json, "free_angle", 0.0);
    else
      continue;
    energy += 0.5L * number (load->json, "stiffness", NAN) * stretch * stretch;
  }
  return (double)creall (energy);
}
