/* SPDX-License-Identifier: MIT */
/* The loads in words. Each law places two bodies so that its symbols are the arguments of the load, and evaluates the
 * class of the load, as the solver does. */
#include "core/help/hl-help-element-laws.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-status-codes.h"
#include "core/mech/hl-mechanism-tables.h"

#define TYRE_STANDING 2e-6 /* as in hl-load-tyre.c; the tests compare [m/s] */

/* Result of a load's class: force, derivatives, and heat. */
typedef struct {
  double q[6], loss;
  HlLoadTangent d;
} Loaded;

static Loaded eval_load (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value) {
  Loaded out = {{0.0}, NAN, {{0.0}, {0.0}}};

  if (hl_load_force (load, fi, fj, value, out.q) != HL_OK)
    for (int k = 0; k < 6; k++)
      out.q[k] = NAN;
  hl_load_tangent (load, fi, fj, value, &out.d);
  if (load->klass->loss != NULL)
    out.loss = load->klass->loss (load, fi, fj);
  return out;
}

/* Returns the energy that a load between two bodies stores. */
static double stored (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  HlLoad joined = *load;
  HlMechanism mech = {.n_loads = 1, .loads = &joined};
  const HlFrame frames[] = {hl_help_frame (0.0, 0.0, 0.0), *fi, *fj};

  joined.body_i = 0;
  joined.body_j = 1;
  return hl_mechanism_potential_energy (&mech, frames);
}

/* ---- torque ---- */

enum { T_TORQUE, T_SPEED };

static void torque_look (const HlHelpSight *sight, double x[]) {
  HlFrame frame;
  double u[2];

  hl_sight_end (sight, "body", &frame, u);
  x[T_SPEED] = frame.w;
}

static double torque_law (const double x[], int gives, double d[]) {
  HlLoad load = {.klass = hl_load_class ("torque"), .body_j = -1};
  HlFrame body = hl_help_frame (0.0, 0.0, 0.0), ground = body;
  double powers[3] = {0.0}, by_value[6];

  body.w = x[T_SPEED];
  Loaded at = eval_load (&load, &body, &ground, x[T_TORQUE]);
  hl_load_power (&load, &body, &ground, x[T_TORQUE], powers);
  hl_load_input (&load, &body, &ground, by_value);
  d[T_TORQUE] = gives == 0 ? by_value[2] : by_value[2] * body.w;
  d[T_SPEED] = gives == 0 ? 0.0 : at.q[2];
  return gives == 0 ? at.q[2] : powers[2];
}

/* ---- force ---- */

enum { F_FORCE, F_DX, F_DY, F_PSI, F_UX, F_UY, F_FRAME };

static void force_look (const HlHelpSight *sight, double x[]) {
  const HlValue *direction = hl_value_member (sight->element, "direction");
  HlFrame frame;

  hl_sight_end (sight, "point", &frame, &x[F_UX]);
  x[F_PSI] = frame.psi;
  x[F_DX] = hl_value_number (hl_value_item (direction, 0));
  x[F_DY] = hl_value_number (hl_value_item (direction, 1));
}

static unsigned force_form (const double x[]) {
  return 1u << (x[F_FRAME] > 0.5);
}

static double force_law (const double x[], int gives, double d[]) {
  double length = hypot (x[F_DX], x[F_DY]), by_value[6];
  HlLoad load = {.klass = hl_load_class ("force"),
                 .body_j = -1,
                 .u_i = {x[F_UX], x[F_UY]},
                 .dir = {x[F_DX] / length, x[F_DY] / length},
                 .body_frame = x[F_FRAME] > 0.5};
  HlFrame body = hl_help_frame (0.0, 0.0, x[F_PSI]), ground = hl_help_frame (0.0, 0.0, 0.0);
  Loaded at = eval_load (&load, &body, &ground, x[F_FORCE]);

  hl_load_input (&load, &body, &ground, by_value);
  d[F_FORCE] = by_value[gives];
  d[F_PSI] = at.d.Qx[6 * gives + 2];
  return at.q[gives];
}

/* ---- spring ---- */

enum { S_LENGTH, S_SPEED, S_STIFFNESS, S_DAMPING, S_FREE };
enum { GIVES_FORCE, GIVES_LOSS, GIVES_ENERGY };

static void spring_look (const HlHelpSight *sight, double x[]) {
  HlFrame a, b;
  double u_a[2], u_b[2], from[2], to[2], v_from[2], v_to[2];

  hl_sight_end (sight, "a", &a, u_a);
  hl_sight_end (sight, "b", &b, u_b);
  hl_frame_point (&a, u_a, from, v_from);
  hl_frame_point (&b, u_b, to, v_to);
  x[S_LENGTH] = hypot (to[0] - from[0], to[1] - from[1]);
  x[S_SPEED] =
      ((to[0] - from[0]) * (v_to[0] - v_from[0]) + (to[1] - from[1]) * (v_to[1] - v_from[1])) / x[S_LENGTH];
}

static double spring_law (const double x[], int gives, double d[]) {
  HlLoad load = {.klass = hl_load_class ("spring"),
                 .stiffness = x[S_STIFFNESS],
                 .damping = x[S_DAMPING],
                 .free = x[S_FREE]};
  HlFrame fi = hl_help_frame (0.0, 0.0, 0.0), fj = hl_help_frame (x[S_LENGTH], 0.0, 0.0);

  fj.v[0] = x[S_SPEED];
  Loaded at = eval_load (&load, &fi, &fj, 0.0);
  double stretch = load.klass->stretch (&load, &fi, &fj);
  if (gives == GIVES_LOSS)
    return at.loss;
  if (gives == GIVES_ENERGY) {
    d[S_LENGTH] = load.stiffness * stretch;
    return stored (&load, &fi, &fj);
  }
  d[S_LENGTH] = -at.d.Qx[6 * 3 + 3];
  d[S_SPEED] = -at.d.Qv[6 * 3 + 3];
  return load.klass->read (&load, &fi, &fj, HL_LOAD_READS_FORCE);
}

static void spring_range (const double x[], int curve, double *low, double *high) {
  double reach = fmax (0.5 * x[S_FREE], 1.2 * fabs (x[S_LENGTH] - x[S_FREE]));

  if (curve == 1) {
    *high = fmax (*high, 1.2 * fabs (x[S_SPEED]));
    *low = -*high;
    return;
  }
  /* a spring of no length has no direction */
  *low = fmax (x[S_FREE] - reach, 0.02 * (x[S_FREE] + reach));
  *high = fmax (x[S_FREE] + reach, *low + 1e-3);
}

/* ---- torsion spring ---- */

static void torsion_look (const HlHelpSight *sight, double x[]) {
  HlFrame a, b;
  double u[2];

  hl_sight_end (sight, "a", &a, u);
  hl_sight_end (sight, "b", &b, u);
  x[S_LENGTH] = b.psi - a.psi;
  x[S_SPEED] = b.w - a.w;
}

static double torsion_law (const double x[], int gives, double d[]) {
  HlLoad load = {.klass = hl_load_class ("torsion-spring"),
                 .stiffness = x[S_STIFFNESS],
                 .damping = x[S_DAMPING],
                 .free = x[S_FREE]};
  HlFrame fi = hl_help_frame (0.0, 0.0, 0.0), fj = hl_help_frame (0.0, 0.0, x[S_LENGTH]);

  fj.w = x[S_SPEED];
  Loaded at = eval_load (&load, &fi, &fj, 0.0);
  double stretch = load.klass->stretch (&load, &fi, &fj);
  if (gives == GIVES_LOSS)
    return at.loss;
  if (gives == GIVES_ENERGY) {
    d[S_LENGTH] = load.stiffness * stretch;
    return stored (&load, &fi, &fj);
  }
  d[S_LENGTH] = at.d.Qx[6 * 5 + 5];
  d[S_SPEED] = at.d.Qv[6 * 5 + 5];
  return at.q[5];
}

static void torsion_range (const double x[], int curve, double *low, double *high) {
  if (curve == 1) {
    *high = fmax (*high, 1.2 * fabs (x[S_SPEED]));
    *low = -*high;
    return;
  }
  double reach = fmax (1.0, 1.2 * fabs (x[S_LENGTH] - x[S_FREE]));
  *low = x[S_FREE] - reach;
  *high = x[S_FREE] + reach;
}

/* ---- tyre ---- */

enum { Y_STIFFNESS, Y_LATERAL, Y_ROLLING, Y_STANDING };
enum { GIVES_LATERAL, GIVES_SLIP };

static void tyre_look (const HlHelpSight *sight, double x[]) {
  double u[2], at[2], v[2], t[2], n[2];
  double axis =
      hl_kind_number (hl_schema_kind_of (HL_SECTION_LOADS, sight->element), sight->element, "axis", NULL);
  const double t0[2] = {cos (axis), sin (axis)};
  HlFrame frame;

  hl_sight_end (sight, "point", &frame, u);
  hl_frame_point (&frame, u, at, v);
  hl_frame_arm (&frame, t0, t, n);
  x[Y_LATERAL] = hl_dot2 (n, v);
  x[Y_ROLLING] = hl_dot2 (t, v);
}

static double tyre_law (const double x[], int gives, double d[]) {
  HlLoad load = {.klass = hl_load_class ("tyre"), .stiffness = x[Y_STIFFNESS], .dir = {1.0, 0.0}};
  HlFrame body = hl_help_frame (0.0, 0.0, 0.0), ground = body;

  body.v[0] = x[Y_ROLLING];
  body.v[1] = x[Y_LATERAL];
  Loaded at = eval_load (&load, &body, &ground, 0.0);
  if (gives == GIVES_SLIP)
    return load.klass->read (&load, &body, &ground, HL_LOAD_READS_SLIP);
  if (gives == GIVES_LOSS + 1)
    return at.loss;
  d[Y_LATERAL] = at.d.Qv[6 * 1 + 1];
  d[Y_ROLLING] = at.d.Qv[6 * 1 + 0];
  return at.q[1];
}

static void tyre_range (const double x[], int curve, double *low, double *high) {
  double reach = 2.0 * fmax (fabs (x[Y_ROLLING]), fabs (x[Y_LATERAL]));

  (void)curve;
  *high = fmax (reach, 0.1);
  *low = -*high;
}

/* ---- words ---- */

/* clang-format off */
#define GROUND (1u << 0)
#define BODY (1u << 1)

static const HlLetter torque_letters[] = {
  HL_LET_FIELD ("T", T_TORQUE, "signal"),
  HL_LET_VALUE ("omega", T_SPEED, ANGULAR_SPEED, HL_TEXT ("Angular speed of the body")),
};
static const HlFormulaText torque_formulas[] = {
  {"M = T", {HL_GIVES_VALUE, 0}},
  {"P = M omega", {HL_GIVES_VALUE, 1}},
};
static const HlCurve torque_curves[] = {
  {HL_TEXT ("Power over angular speed"), HL_LET_VALUE ("omega", T_SPEED, ANGULAR_SPEED, NULL), "P", HL_QUANTITY_POWER, {HL_GIVES_VALUE, 1}, .low = -10.0, .high = 10.0},
};

static const HlLetter force_letters[] = {
  HL_LET_FIELD ("F", F_FORCE, "signal"),
  HL_LET_VALUE ("d_x", F_DX, NONE, HL_TEXT ("Direction, along x")),
  HL_LET_VALUE ("d_y", F_DY, NONE, HL_TEXT ("Direction, along y")),
  HL_LET_VALUE ("psi", F_PSI, ANGLE, HL_TEXT ("Angle of the body")),
  HL_LET_VALUE ("u_x", F_UX, LENGTH, HL_TEXT ("Point in the body's frame, x")),
  HL_LET_VALUE ("u_y", F_UY, LENGTH, HL_TEXT ("Point in the body's frame, y")),
  HL_LET_FIELD ("frame", F_FRAME, "frame"),
};
static const HlFormulaText force_formulas[] = {
  {"d = sqrt(d_x^2 + d_y^2)"},
  {"F_x = F d_x / d", {HL_GIVES_VALUE, 0}, .forms = GROUND, .when = HL_TEXT ("direction fixed to the ground")},
  {"F_y = F d_y / d", {HL_GIVES_VALUE, 1}, .forms = GROUND, .when = HL_TEXT ("direction fixed to the ground")},
  {"F_x = F (d_x cos(psi) - d_y sin(psi)) / d", {HL_GIVES_VALUE, 0}, .forms = BODY, .when = HL_TEXT ("direction turns with the body")},
  {"F_y = F (d_x sin(psi) + d_y cos(psi)) / d", {HL_GIVES_VALUE, 1}, .forms = BODY, .when = HL_TEXT ("direction turns with the body")},
  {"a_x = u_x cos(psi) - u_y sin(psi)"},
  {"a_y = u_x sin(psi) + u_y cos(psi)"},
  {"M = a_x F_y - a_y F_x", {HL_GIVES_VALUE, 2}},
};
static const HlCurve force_curves[] = {
  {HL_TEXT ("Moment about the origin of the body over its angle"), HL_LET_VALUE ("psi", F_PSI, ANGLE, NULL), "M", HL_QUANTITY_TORQUE, {HL_GIVES_VALUE, 2}, .low = -3.14159265, .high = 3.14159265},
};

static const HlLetter spring_letters[] = {
  HL_LET_FIELD ("k", S_STIFFNESS, "stiffness"),
  HL_LET_FIELD ("c", S_DAMPING, "damping"),
  HL_LET_FIELD ("s_0", S_FREE, "free_length"),
  HL_LET_VALUE ("s", S_LENGTH, LENGTH, HL_TEXT ("Distance of the two points")),
  HL_LET_VALUE ("v", S_SPEED, SPEED, HL_TEXT ("Speed of elongation")),
};
static const HlFormulaText spring_formulas[] = {
  {"F = k (s - s_0) + c v", {HL_GIVES_VALUE, GIVES_FORCE}},
  {"E = k (s - s_0)^2 / 2", {HL_GIVES_VALUE, GIVES_ENERGY}},
  {"P = c v^2", {HL_GIVES_VALUE, GIVES_LOSS}},
};
static const HlCurve spring_curves[] = {
  {HL_TEXT ("Tension over length"), HL_LET_VALUE ("s", S_LENGTH, LENGTH, NULL), "F", HL_QUANTITY_FORCE, {HL_GIVES_VALUE, GIVES_FORCE}, .low = 0.5, .high = 1.5},
  {HL_TEXT ("Tension over speed"), HL_LET_VALUE ("v", S_SPEED, SPEED, NULL), "F", HL_QUANTITY_FORCE, {HL_GIVES_VALUE, GIVES_FORCE}, .low = -1.0, .high = 1.0},
};

static const HlLetter torsion_letters[] = {
  HL_LET_FIELD ("k", S_STIFFNESS, "stiffness"),
  HL_LET_FIELD ("c", S_DAMPING, "damping"),
  HL_LET_FIELD ("theta_0", S_FREE, "free_angle"),
  HL_LET_VALUE ("theta", S_LENGTH, ANGLE, HL_TEXT ("Angle of b minus a")),
  HL_LET_VALUE ("omega", S_SPEED, ANGULAR_SPEED, HL_TEXT ("Angular speed of b minus that of a")),
};
static const HlFormulaText torsion_formulas[] = {
  {"M = -k (theta - theta_0) - c omega", {HL_GIVES_VALUE, GIVES_FORCE}},
  {"E = k (theta - theta_0)^2 / 2", {HL_GIVES_VALUE, GIVES_ENERGY}},
  {"P = c omega^2", {HL_GIVES_VALUE, GIVES_LOSS}},
};
static const HlCurve torsion_curves[] = {
  {HL_TEXT ("Torque on b over angle"), HL_LET_VALUE ("theta", S_LENGTH, ANGLE, NULL), "M", HL_QUANTITY_TORQUE, {HL_GIVES_VALUE, GIVES_FORCE}, .low = -1.0, .high = 1.0},
  {HL_TEXT ("Torque on b over angular speed"), HL_LET_VALUE ("omega", S_SPEED, ANGULAR_SPEED, NULL), "M", HL_QUANTITY_TORQUE, {HL_GIVES_VALUE, GIVES_FORCE}, .low = -10.0, .high = 10.0},
};

static const HlLetter tyre_letters[] = {
  HL_LET_FIELD ("C", Y_STIFFNESS, "stiffness"),
  HL_LET_VALUE ("v_t", Y_ROLLING, SPEED, HL_TEXT ("Speed of rolling")),
  HL_LET_VALUE ("v_n", Y_LATERAL, SPEED, HL_TEXT ("Lateral speed")),
  HL_LET_VALUE ("v_0", Y_STANDING, SPEED, HL_TEXT ("Speed below which the tyre counts as standing still")),
};
static const HlFormulaText tyre_formulas[] = {
  {"v_r = cases((v_t^2 + v_0^2) / (2 v_0), abs(v_t) < v_0, abs(v_t))"},
  {"alpha = cases(atan(v_n / v_r), C > 0, 0)", {HL_GIVES_VALUE, GIVES_SLIP}},
  {"F = -C alpha", {HL_GIVES_VALUE, GIVES_LATERAL}},
  {"P = -F v_n", {HL_GIVES_VALUE, GIVES_LOSS + 1}},
};
static const HlCurve tyre_curves[] = {
  {HL_TEXT ("Lateral force over the lateral speed"), HL_LET_VALUE ("v_n", Y_LATERAL, SPEED, NULL), "F", HL_QUANTITY_FORCE, {HL_GIVES_VALUE, GIVES_LATERAL}, .low = -1.0, .high = 1.0},
};

const HlElementHelp hl_load_helps[] = {
  { HL_SECTION_LOADS, "torque",
    {HL_HELP_TABLES (torque_letters, torque_formulas, torque_curves), .sources = "theory/elements.md"},
    .usual = {[T_TORQUE] = 100.0, [T_SPEED] = 2.0},
    .results = {HL_QUANTITY_TORQUE, HL_QUANTITY_POWER},
    .look = torque_look, .law = torque_law },
  { HL_SECTION_LOADS, "force",
    {HL_HELP_TABLES (force_letters, force_formulas, force_curves), .sources = "theory/elements.md (19)"},
    .usual = {[F_FORCE] = 1000.0, [F_DX] = 0.0, [F_DY] = -1.0, [F_PSI] = 0.5, [F_UX] = 1.0, [F_UY] = 0.2},
    .results = {HL_QUANTITY_FORCE, HL_QUANTITY_FORCE, HL_QUANTITY_TORQUE},
    .look = force_look, .form = force_form, .law = force_law },
  { HL_SECTION_LOADS, "spring",
    {HL_HELP_TABLES (spring_letters, spring_formulas, spring_curves), .sources = "theory/elements.md (20)"},
    .usual = {[S_LENGTH] = 1.2, [S_SPEED] = 0.3, [S_STIFFNESS] = 1e4, [S_DAMPING] = 500.0, [S_FREE] = 1.0},
    .results = {HL_QUANTITY_FORCE, HL_QUANTITY_POWER, HL_QUANTITY_ENERGY},
    .look = spring_look, .law = spring_law, .range = spring_range },
  { HL_SECTION_LOADS, "torsion-spring",
    {HL_HELP_TABLES (torsion_letters, torsion_formulas, torsion_curves), .sources = "theory/elements.md (21)"},
    .usual = {[S_LENGTH] = 0.4, [S_SPEED] = 2.0, [S_STIFFNESS] = 1e3, [S_DAMPING] = 20.0, [S_FREE] = 0.1},
    .results = {HL_QUANTITY_TORQUE, HL_QUANTITY_POWER, HL_QUANTITY_ENERGY},
    .look = torsion_look, .law = torsion_law, .range = torsion_range },
  { HL_SECTION_LOADS, "tyre",
    {HL_HELP_TABLES (tyre_letters, tyre_formulas, tyre_curves), .sources = "theory/elements.md (22), (23)"},
    .usual = {[Y_STIFFNESS] = 1e5, [Y_LATERAL] = 0.2, [Y_ROLLING] = 3.0, [Y_STANDING] = TYRE_STANDING},
    .results = {HL_QUANTITY_FORCE, HL_QUANTITY_ANGLE, HL_QUANTITY_POWER},
    .look = tyre_look, .law = tyre_law, .range = tyre_range },
  { 0 },
};
/* clang-format on */
