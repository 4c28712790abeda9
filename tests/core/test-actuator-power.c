/* SPDX-License-Identifier: MIT */
/* Power of one actuator alone, and of a slot with friction: between free bodies, where nothing else
 * does work, at random moving states. What its lines give is what the bodies gain, what becomes heat and
 * what it stores, less what the outside brings. Heat, stores and the work of the outside are written
 * here anew, from the page of laws; what the bodies gain is m a v + J alpha omega. */
#include <math.h>

#include "core/io/hl-json-text.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-power-balance-parts.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define N_MACHINES 400
#define MOST_STATES 32
#define DENSITY 850.0
#define MODULUS 1.4e9
#define FREE_BODIES                                                                                          \
  "'bodies': [{'id': 'one', 'points': {'P': [0.1, 0.05]}, 'mass': 7, 'inertia': 0.9, 'com': "                \
  "[0.02, -0.1], 'pose': [0, 0, 0.2]}, {'id': 'two', 'points': {'P': [-0.1, 0.15]}, 'mass': 4, "             \
  "'inertia': 0.4, 'com': [0.05, 0.1], 'pose': [1.1, 0.3, -0.4]}]"

/* Powers by a second formulation [W]. */
typedef struct {
  double heat, stored, supplied;
  double stops; /* stored in end stops and springs, which count to the motion */
} Fate;

/* Numbers of one drawn actuator. */
typedef struct {
  const char *kind;
  int law; /* of friction, 0 none ... 6 */
  double area[2], stroke, c1, leak, outer, vent, ambient, stiffness, preload;
  double Fc, Fs, vs, v0, xi, sigma0, sigma1, sigma2, ve, vd, scale;
  gboolean on_line[2], cushion[2];
  double dead, wall;
} Draw;

static const char *const laws[] = {"none",         "viscous", "brown-mcphee",  "stribeck-tanh",
                                   "bengisu-akay", "lugre",   "modified-lugre"};

static gboolean is_rotary (const Draw *d) {
  return strcmp (d->kind, "cylinder") != 0;
}

static gboolean has_chambers (const Draw *d) {
  return strcmp (d->kind, "motor") != 0;
}

static Draw draw_actuator (const char *kind, int n) {
  double area = hl_test_log_uniform (5e-4, 3e-3);
  Draw d = {.kind = kind, .law = n % 7, .area = {area, area * hl_test_uniform (0.0, 0.9)}};
  gboolean is_vented = n % 3 == 1;

  d.stroke = hl_test_uniform (0.65, 0.9);
  d.leak = n % 2 == 0 ? 0.0 : hl_test_log_uniform (1e-13, 1e-10);
  d.outer = n % 4 < 2 ? 0.0 : hl_test_log_uniform (1e-13, 1e-10);
  d.vent = is_vented ? hl_test_uniform (1e5, 1e6) : NAN;
  d.ambient = n % 5 == 0 ? 1.2e5 : NAN;
  d.stiffness = n % 3 == 0 ? 2e4 : 0.0;
  d.preload = n % 3 == 0 ? 300.0 : 0.0;
  d.Fc = hl_test_uniform (50.0, 300.0);
  d.Fs = d.Fc * hl_test_uniform (1.0, 2.0);
  d.vs = hl_test_uniform (0.01, 0.5);
  d.v0 = hl_test_uniform (0.01, 0.2);
  d.xi = hl_test_uniform (0.0, 20.0);
  d.sigma0 = hl_test_log_uniform (1e4, 1e6);
  d.sigma1 = hl_test_uniform (0.0, 300.0);
  d.sigma2 = hl_test_uniform (0.0, 400.0);
  d.ve = hl_test_uniform (0.01, 0.2);
  d.vd = hl_test_uniform (0.1, 1.0);
  d.scale = hl_test_uniform (0.2, 2.0);
  d.on_line[0] = n % 6 != 5;
  d.on_line[1] = n % 6 != 4;
  d.cushion[0] = d.on_line[0] && n % 8 >= 6;
  d.cushion[1] = d.on_line[1] && n % 8 == 7;
  d.dead = hl_test_log_uniform (1e-5, 1e-4);
  d.wall = n % 2 == 0 ? 3e9 : 0.0;
  if (is_rotary (&d)) {
    d.area[0] = d.area[1] = hl_test_log_uniform (1e-5, 1e-4);
    d.cushion[0] = d.cushion[1] = FALSE;
    d.stiffness = d.preload = 0.0;
    d.vent = d.ambient = NAN;
  }
  return d;
}

static void add (GString *out, const char *name, double value) {
  if (isfinite (value))
    g_string_append_printf (out, ", '%s': %.17g", name, value);
}

static void write_cylinder (GString *out, const Draw *d) {
  g_string_append (out, ", 'base': 'one.P', 'rod': 'two.P'");
  add (out, "piston_area", d->area[0]);
  add (out, "rod_side_area", d->area[1]);
  add (out, "stroke", d->stroke);
  add (out, "c1", 0.5);
  add (out, "external_leakage", d->outer);
  add (out, "vent_pressure", d->vent);
  add (out, "spring_stiffness", d->stiffness);
  add (out, "spring_preload", d->preload);
  for (int side = 0; side < 2; side++)
    if (d->cushion[side])
      g_string_append_printf (out,
                              ", 'cushion_%c': {'length': 0.2, 'area': 5e-5, 'end_area': 1e-6, "
                              "'check_area': 2e-5, 'dead_volume': %.17g}",
                              'A' + side, d->dead);
  g_string_append_printf (out, ", 'friction': {'model': '%s'", laws[d->law]);
  if (d->law >= 1) {
    add (out, "sigma2", d->sigma2);
    add (out, "scale", d->scale);
  }
  if (d->law >= 2) {
    add (out, "Fc", d->Fc);
    add (out, "Fs", d->Fs);
    add (out, "vs", d->vs);
  }
  add (out, "v0", d->law == 3 ? d->v0 : NAN);
  add (out, "xi", d->law == 4 ? d->xi : NAN);
  if (d->law >= 5) {
    add (out, "sigma0", d->sigma0);
    add (out, "sigma1", d->sigma1);
  }
  if (d->law == 6) {
    add (out, "ve", d->ve);
    add (out, "vd", d->vd);
  }
  g_string_append (out, "}");
}

static void write_shaft (GString *out, const Draw *d) {
  g_string_append (out, ", 'a': 'one', 'b': 'two'");
  add (out, "displacement", d->area[0]);
  add (out, "friction_torque", d->Fc);
  add (out, "friction_speed", d->v0);
  add (out, "viscous_friction", d->sigma2);
  add (out, "case_leakage", has_chambers (d) ? NAN : d->outer);
  if (has_chambers (d)) {
    add (out, "angle_min", -1.0);
    add (out, "angle_max", 1.0);
  }
}

static HlTestModel load (const Draw *d) {
  g_autoptr (GString) out = g_string_new ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], "
                                          "'ground': {'points': {'O': [0, 0]}}, " FREE_BODIES);

  g_string_append_printf (out, ", 'fluid': {'bulk_modulus': %g, 'density': %g", MODULUS, DENSITY);
  add (out, "ambient_pressure", d->ambient);
  g_string_append_printf (out, "}, 'components': [{'id': 'it', 'kind': '%s'", d->kind);
  add (out, "leakage", d->leak);
  if (has_chambers (d) && d->wall > 0.0)
    add (out, "wall_modulus", d->wall);
  if (is_rotary (d))
    write_shaft (out, d);
  else
    write_cylinder (out, d);
  g_string_append (out, "}], 'lines': [");
  for (int side = 0; side < 2; side++)
    if (d->on_line[side])
      g_string_append_printf (out,
                              "%s{'id': '%c', 'ports': ['it.%c'], 'volume': 2e-4, "
                              "'pressure': 1e6}",
                              side == 1 && d->on_line[0] ? ", " : "", 'A' + side, 'A' + side);
  g_string_append (out, "], 'simulation': {'start': 'as-given'}}");
  g_strdelimit (out->str, "'", '"');
  return hl_test_model_from_text (out->str);
}

/* ---- the second formulation ---- */

static double stribeck (const Draw *d, double v) {
  return d->Fc + (d->Fs - d->Fc) * exp (-(v / d->vs) * (v / d->vs));
}

/* Friction of the seal, its heat and what its bristle stores. */
static double seal (const Draw *d, double v, double z, Fate *fate) {
  double size = fabs (v), sign = (v > 0.0) - (v < 0.0), u = size / d->vs, F = 0.0;

  if (is_rotary (d)) {
    F = d->Fc * tanh (v / d->v0) + d->sigma2 * v;
    fate->heat += F * v;
    return F;
  }
  if (d->law == 1)
    F = 0.0;
  else if (d->law == 2)
    F = (d->Fc * tanh (4.0 * u) + (d->Fs - d->Fc) * u / pow (0.25 * u * u + 0.75, 2)) * sign;
  else if (d->law == 3)
    F = stribeck (d, v) * tanh (v / d->v0);
  else if (d->law == 4)
    F = size < d->vs ? d->Fs * v * (2.0 * d->vs - size) / (d->vs * d->vs)
                     : sign * (d->Fc + (d->Fs - d->Fc) * exp (-d->xi * (size - d->vs)));
  if (d->law >= 5) {
    double a = d->law == 5 ? size : v * tanh (v / d->ve);
    double s1 = d->law == 5 ? d->sigma1 : d->sigma1 * exp (-(v / d->vd) * (v / d->vd));
    double rate = v - d->sigma0 * a * z / stribeck (d, v);
    double spring = d->scale * d->sigma0 * z * rate;
    F = d->scale * (d->sigma0 * z + s1 * rate + d->sigma2 * v);
    fate->stored += spring;
    fate->heat += F * v - spring;
    return F;
  }
  F = d->law == 0 ? 0.0 : d->scale * (F + d->sigma2 * v);
  fate->heat += F * v;
  return F;
}

/* End stop in the depth beyond an end: force against it, heat, store. */
static double stop (double K, double depth, double depth_rate, Fate *fate) {
  if (depth <= 0.0)
    return 0.0;
  double force = K * depth * depth * fmax (0.0, 1.0 + 2.0 * depth_rate);
  fate->stops += K * depth * depth * depth_rate;
  fate->heat += (force - K * depth * depth) * depth_rate;
  return force;
}

static double orifice (double area, double dp, double limit) {
  double root = fabs (dp) <= limit ? dp / sqrt (limit) : copysign (sqrt (fabs (dp)), dp);

  return 0.6 * sqrt (2.0 / DENSITY) * area * root;
}

static double cushion_flow (double length, double dp) {
  double e = fmin (fmax (length / 0.2, 0.0), 1.0);
  double area = 1e-6 + (5e-5 - 1e-6) * e * e * (3.0 - 2.0 * e);

  return orifice (area, dp, 2e5) + (dp > 0.0 ? orifice (2e-5, dp, 2e5) : 0.0);
}

/* All of it: s from where chamber A is empty, its rate v, pressures of the lines and of cushions, bend z.
 * The pull of both bodies, in extension, is the result. */
static double second_formulation (const Draw *d, double s, double v, const double line[2],
                                  const double inner[2], double z, Fate *fate) {
  double p[2], p0 = isfinite (d->ambient) ? d->ambient : 1e5, force = 0.0;
  double vent = isfinite (d->vent) ? d->vent : isfinite (d->ambient) ? d->ambient : 0.0;
  double length[] = {s, (is_rotary (d) ? 2.0 : d->stroke) - s};

  *fate = (Fate){0};
  for (int side = 0; side < 2; side++) {
    double sense = side == 0 ? 1.0 : -1.0;
    p[side] = d->cushion[side] ? inner[side] : d->on_line[side] ? line[side] : NAN;
    double push = isfinite (p[side]) ? p[side] : is_rotary (d) ? 0.0 : vent;
    if (!has_chambers (d) && !isfinite (p[side]))
      push = p0; /* an open port */
    force += sense * push * d->area[side];
    if (!isfinite (p[side]))
      fate->supplied += sense * push * d->area[side] * v;
  }
  if (!is_rotary (d) && isfinite (d->ambient)) {
    force -= d->ambient * (d->area[0] - d->area[1]);
    fate->supplied -= d->ambient * (d->area[0] - d->area[1]) * v;
  }
  double leak = 0.0;
  if (isfinite (p[0]) && isfinite (p[1]))
    leak = d->leak * (p[0] - p[1]);
  else if (!has_chambers (d) && (isfinite (p[0]) || isfinite (p[1])))
    leak = d->leak * (isfinite (p[0]) ? p[0] - p0 : p0 - p[1]);
  double across = (isfinite (p[0]) ? p[0] : p0) - (isfinite (p[1]) ? p[1] : p0);
  fate->heat += leak * across;
  if (!has_chambers (d)) {
    for (int side = 0; side < 2; side++) {
      if (!isfinite (p[side])) { /* what comes and goes at the open port */
        fate->supplied += (side == 0 ? 1.0 : -1.0) * leak * p0;
        continue;
      }
      double outer = d->outer * (p[side] - p0);
      fate->heat += outer * (p[side] - p0);
      fate->supplied -= outer * p0;
    }
  } else if (!is_rotary (d) && isfinite (p[1])) {
    double outer = d->outer * (p[1] - p0);
    fate->heat += outer * (p[1] - p0);
    fate->supplied -= outer * p0;
  }
  for (int side = 0; side < 2; side++) {
    if (!d->cushion[side])
      continue;
    /* the cushion's own oil: p times what it takes in beyond its growth */
    double sense = side == 0 ? 1.0 : -1.0;
    double q = cushion_flow (length[side], line[side] - inner[side]);
    double outer = side == 1 ? d->outer * (p[1] - p0) : 0.0;
    fate->heat += q * (line[side] - inner[side]);
    fate->stored += inner[side] * (q - sense * d->area[side] * v - sense * leak - outer);
  }
  force -= d->preload + d->stiffness * s;
  fate->stops += (d->preload + d->stiffness * s) * v;
  if (has_chambers (d)) {
    double whole = is_rotary (d) ? 2.0 : d->stroke;
    double K = 20e6 * fmax (d->area[0], d->area[1]) / pow (0.002 * whole, 2);
    force += stop (K, -length[0], -v, fate) - stop (K, -length[1], v, fate);
  }
  return force - seal (d, v, z, fate);
}

/* ---- against the product ---- */

/* Returns the power that a body gains: m a v + J alpha omega. */
static double gain_of (const HlBody *body, const HlFrame *frame) {
  double c = cos (frame->psi), s = sin (frame->psi), w = frame->w, aw = frame->aw;
  double rx = c * body->com[0] - s * body->com[1], ry = s * body->com[0] + c * body->com[1];
  double vx = frame->v[0] - ry * w, vy = frame->v[1] + rx * w;
  double ax = frame->a[0] - ry * aw - rx * w * w, ay = frame->a[1] + rx * aw - ry * w * w;

  return body->mass * (ax * vx + ay * vy) + body->inertia * aw * w;
}

static void random_state (const Draw *d, HlTestModel *model, double y[], double line[2], double inner[2],
                          double *z) {
  int n = model->work->n_states, u = hl_off_u (model->work);

  hl_state_pack (model->sys, model->work, model->point, y);
  for (int k = 0; k < hl_off_p (model->work); k++)
    y[k] += hl_test_uniform (-0.1, 0.1) * (k >= hl_off_v (model->work) ? 8.0 : 1.0);
  for (int k = hl_off_p (model->work); k < n; k++)
    y[k] = hl_test_log_uniform (2e5, 2e7);
  int at = hl_off_p (model->work);
  for (int side = 0; side < 2; side++)
    line[side] = d->on_line[side] ? y[at++] : NAN;
  at = u;
  for (int side = 0; side < 2; side++)
    inner[side] = d->cushion[side] ? y[at++] : NAN;
  *z = 0.0;
  if (!is_rotary (d) && d->law >= 5)
    *z = y[at] = hl_test_uniform (-1.0, 1.0) * d->Fs / d->sigma0;
}

/* Into an end now and then: the rod's point is put where a chamber is empty by a part of the stroke. */
static void check (const Draw *d, int n, int *n_stops) {
  HlTestModel model = load (d);
  const HlSystem *sys = model.sys;
  double y[MOST_STATES], y_dot[MOST_STATES], line[2], inner[2], z;
  HlFault fault = {.entity = -1};
  g_autofree double *parts = g_new0 (double, HL_POWER_ROLES *hl_power_n_parts (sys));

  hl_test_model_start (&model, HL_START_AS_GIVEN);
  g_assert_cmpint (model.work->n_states, <=, MOST_STATES);
  random_state (d, &model, y, line, inner, &z);
  const HlCylinderState *state = &model.work->cylinders[0];
  if (has_chambers (d) && n % 4 == 3) { /* body two is pushed along until it is in a stop */
    double base = is_rotary (d) ? -1.0 : 0.5, whole = is_rotary (d) ? 2.0 : d->stroke;
    double want = n % 8 == 3 ? base - 0.004 * whole : base + 1.005 * whole;
    for (int round = 0; round < 30; round++) {
      hl_dynamics_eval (sys, 0.0, y, y_dot, model.work, &fault);
      double off = want - state->length.s, angle = atan2 (y[4] - y[1], y[3] - y[0]);
      y[is_rotary (d) ? 5 : 3] += is_rotary (d) ? off : off * cos (angle);
      y[4] += is_rotary (d) ? 0.0 : off * sin (angle);
    }
  }
  HlStatus status = hl_dynamics_eval (sys, 0.0, y, y_dot, model.work, &fault);
  if (status == HL_OUT_OF_STROKE) {
    hl_test_model_clear (&model);
    return;
  }
  g_assert_cmpint (status, ==, HL_OK);
  hl_dynamics_accelerations (sys, model.work);
  hl_power_parts_eval (sys, model.work, parts);

  double s = state->length.s - (!has_chambers (d) ? 0.0 : is_rotary (d) ? -1.0 : 0.5);
  double v = state->length.rate, given = 0.0, gained = 0.0;
  Fate fate;
  double force = second_formulation (d, s, v, line, inner, z, &fate);
  *n_stops += has_chambers (d) && (s < 0.0 || s > (is_rotary (d) ? 2.0 : d->stroke));
  for (int node = 0; node < sys->n_nodes; node++)
    given -= model.work->node_p[node] * model.work->net[node];
  for (int body = 0; body < 2; body++)
    gained += gain_of (&sys->mech.bodies[body], hl_work_frame (model.work, body));
  double size = fabs (given) + fabs (gained) + fabs (fate.heat) + fabs (fate.stored) + fabs (fate.stops) +
                fabs (fate.supplied) + 1e-3;
  hl_assert_near (gained, force * v, 0.0, 1e-11 * size);
  hl_assert_near (given + fate.supplied, gained + fate.heat + fate.stored + fate.stops, 0.0, 1e-11 * size);
  /* and so it follows from the product */
  hl_assert_near (parts[HL_POWER_LOST], fate.heat, 0.0, 1e-11 * size);
  hl_assert_near (parts[HL_POWER_STORED], fate.stored, 0.0, 1e-11 * size);
  hl_assert_near (parts[HL_POWER_SUPPLIED], fate.supplied, 0.0, 1e-11 * size);
  if (d->law != 5 && d->law != 6) /* constant damping of bristles may give (the page says when) */
    g_assert_cmpfloat (fate.heat, >=, -1e-12 * size);
  hl_test_model_clear (&model);
}

static void test_actuator (gconstpointer kind) {
  int n_stops = 0;

  for (int n = 0; n < N_MACHINES; n++) {
    Draw d = draw_actuator (kind, n);
    check (&d, n, &n_stops);
  }
  g_test_message ("%d in a stop", n_stops);
  g_assert_cmpint (n_stops, >=, strcmp (kind, "motor") == 0 ? 0 : 20);
}

/* A slot between two free bodies: friction takes what both lose, and neither turns nor pushes the
 * whole. The rate along the slot is that of the second body's point in axes that turn with the first. */
static HlTestModel load_slot (void) {
  double x = hl_test_uniform (-1.0, 1.0), y = hl_test_uniform (-1.0, 1.0);
  double one = hl_test_uniform (-3.0, 3.0), two = hl_test_uniform (-3.0, 3.0);
  double along = hl_test_uniform (0.2, 1.0); /* way of the point of two in the slot */
  double px = x + (0.1 + along) * cos (one) - 0.05 * sin (one);
  double py = y + (0.1 + along) * sin (one) + 0.05 * cos (one);
  g_autofree char *text = g_strdup_printf (
      "{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': {'points': {'O': [0, "
      "0]}},"
      "'bodies': [{'id': 'one', 'points': {'P': [0.1, 0.05]}, 'mass': 7, 'inertia': 0.9,"
      " 'com': [0.02, -0.1], 'pose': [%.17g, %.17g, %.17g], 'velocity': [%g, %g, %g]},"
      " {'id': 'two', 'points': {'P': [-0.1, 0.15]}, 'mass': 4, 'inertia': 0.4,"
      " 'com': [0.05, 0.1], 'pose': [%.17g, %.17g, %.17g], 'velocity': [%g, %g, %g]}],"
      "'joints': [{'id': 'slot', 'kind': 'slot', 'a': 'one.P', 'b': 'two.P', 'axis': 0,"
      " 'friction': {'force': 30, 'speed': 0.2, 'viscous': 11}}], 'simulation': {'start': "
      "'as-given'}}",
      x, y, one, hl_test_uniform (-1, 1), hl_test_uniform (-1, 1), hl_test_uniform (-1, 1),
      px + 0.1 * cos (two) + 0.15 * sin (two), py + 0.1 * sin (two) - 0.15 * cos (two), two,
      hl_test_uniform (-1, 1), hl_test_uniform (-1, 1), hl_test_uniform (-1, 1));

  return hl_test_model_from_text (g_strdelimit (text, "'", '"'));
}

/* Force, moment about the drawing's origin, and power for a body's motion. */
static void add_need (const HlBody *body, const HlFrame *f, double force[2], double *turn, double *gained) {
  double c = cos (f->psi), s = sin (f->psi);
  double rx = c * body->com[0] - s * body->com[1], ry = s * body->com[0] + c * body->com[1];
  double fx = body->mass * (f->a[0] - ry * f->aw - rx * f->w * f->w);
  double fy = body->mass * (f->a[1] + rx * f->aw - ry * f->w * f->w);

  force[0] += fx;
  force[1] += fy;
  *turn += (f->r[0] + rx) * fy - (f->r[1] + ry) * fx + body->inertia * f->aw;
  *gained += gain_of (body, f);
}

/* Velocity of the point of two as body one sees it, along its slot and across. */
static void slide_of (const HlFrame *f1, const HlFrame *f2, double *along, double *across) {
  double c1 = cos (f1->psi), s1 = sin (f1->psi), c2 = cos (f2->psi), s2 = sin (f2->psi);
  double ax = -0.1 * c2 - 0.15 * s2, ay = -0.1 * s2 + 0.15 * c2; /* arm of the point */
  double bx = f2->r[0] + ax - f1->r[0], by = f2->r[1] + ay - f1->r[1];
  double ux = f2->v[0] - f2->w * ay - f1->v[0] + f1->w * by;
  double uy = f2->v[1] + f2->w * ax - f1->v[1] - f1->w * bx;

  *along = c1 * ux + s1 * uy;
  *across = -s1 * ux + c1 * uy;
}

static void test_slot (void) {
  double taken = 0.0;

  for (int n = 0; n < 200; n++) {
    HlTestModel model = load_slot ();
    const HlSystem *sys = model.sys;
    g_autofree double *parts = g_new0 (double, HL_POWER_ROLES *hl_power_n_parts (sys));
    double y[MOST_STATES], y_dot[MOST_STATES], rate, across;
    double force[2] = {0.0, 0.0}, turn = 0.0, gained = 0.0;
    HlFault fault = {.entity = -1};

    hl_test_model_start (&model, HL_START_AS_GIVEN);
    hl_state_pack (sys, model.work, model.point, y);
    g_assert_cmpint (hl_dynamics_eval (sys, 0.0, y, y_dot, model.work, &fault), ==, HL_OK);
    hl_dynamics_accelerations (sys, model.work);
    hl_power_parts_eval (sys, model.work, parts);
    for (int k = 0; k < 2; k++)
      add_need (&sys->mech.bodies[k], hl_work_frame (model.work, k), force, &turn, &gained);
    slide_of (hl_work_frame (model.work, 0), hl_work_frame (model.work, 1), &rate, &across);
    double F = 30.0 * tanh (rate / 0.2) + 11.0 * rate;
    hl_assert_near (gained, -F * rate, 1e-11, 1e-10);
    hl_assert_near (across, 0.0, 0.0, 1e-11);  /* it stays in the slot */
    hl_assert_near (force[0], 0.0, 0.0, 1e-8); /* of some hundred N */
    hl_assert_near (force[1], 0.0, 0.0, 1e-8);
    hl_assert_near (turn, 0.0, 0.0, 1e-8);
    hl_assert_near (parts[HL_POWER_ROLES * hl_power_first_load (sys) + HL_POWER_LOST], F * rate, 1e-11,
                    1e-10);
    taken += F * rate;
    hl_test_model_clear (&model);
  }
  g_assert_cmpfloat (taken, >, 100.0);
}

int main (int argc, char **argv) {
  static const char *const kinds[] = {"cylinder", "motor", "rotary-actuator"};

  g_test_init (&argc, &argv, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autofree char *path = g_strconcat ("/actuator-power/", kinds[k], NULL);
    g_test_add_data_func (path, kinds[k], test_actuator);
  }
  g_test_add_func ("/actuator-power/slot", test_slot);
  return g_test_run ();
}
