/* SPDX-License-Identifier: MIT */
/* The joints in words: what each of their rows holds at zero, and their friction. Each law places two bodies, makes the
 * rows of the class and evaluates them, as the solver does. */
#include "core/help/hl-help-element-laws.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-status-codes.h"
#include "core/mech/hl-joint.h"

/* The letters of a joint of two points; not every kind has all of them. */
enum {
  X_A,
  Y_A,
  PSI_A,
  X_B,
  Y_B,
  PSI_B,
  AXIS,
  HELD, /* angle or length that it holds */
  RATE, /* of turning or sliding */
  COULOMB,
  FADE, /* speed of friction */
  VISCOUS,
  LOW, /* its range, and its stops */
  HIGH,
  STOP,
  STOP_LOSS
};
/* The results: the rows, in the order of the class; and what follows. */
enum { GIVES_ROW, GIVES_FRICTION = HL_JOINT_MOST_ROWS, GIVES_LOSS, GIVES_TRAVEL, GIVES_STOP };

static void place_frames (const double x[], HlFrame *fi, HlFrame *fj) {
  *fi = hl_help_frame (x[X_A], x[Y_A], x[PSI_A]);
  *fj = hl_help_frame (x[X_B], x[Y_B], x[PSI_B]);
}

/* Returns a row of the class between bodies whose origins are the two points. */
static double row_law (const HlJointClass *klass, int row_k, const double x[], double d[]) {
  static const int columns[] = {X_A, Y_A, PSI_A, X_B, Y_B, PSI_B};
  HlRow row = {.kind = klass->rows[row_k], .n0 = {-sin (x[AXIS]), cos (x[AXIS])}};
  HlFrame fi, fj;
  double gradient[6];

  if (hl_row_has_constant (&row))
    row.constant = x[HELD];
  place_frames (x, &fi, &fj);
  hl_row_gradient (&row, &fi, &fj, gradient);
  for (int k = 0; k < 6; k++)
    d[columns[k]] = gradient[k];
  return hl_row_value (&row, &fi, &fj);
}

static double friction_law (const HlJointClass *klass, int gives, const double x[], double d[]) {
  HlLoad load = {.klass = klass->friction,
                 .dir = {1.0, 0.0},
                 .coulomb = x[COULOMB],
                 .speed = x[FADE],
                 .damping = x[VISCOUS]};
  HlFrame fi = hl_help_frame (0.0, 0.0, 0.0), fj = fi;
  bool turns = hl_joint_is_hinge (klass);
  int column = turns ? 5 : 3;
  HlLoadTangent at;

  *(turns ? &fj.w : &fj.v[0]) = x[RATE];
  if (gives == GIVES_LOSS)
    return klass->friction->loss (&load, &fi, &fj);
  hl_load_tangent (&load, &fi, &fj, 0.0, &at);
  d[RATE] = -at.Qv[6 * column + column];
  return klass->friction->read (&load, &fi, &fj, HL_JOINT_READS_FRICTION);
}

/* Returns the place of b along the axis: the other direction of the line that its row is across. */
static double travel_law (const double x[], double d[]) {
  HlRow along = {.kind = HL_ROW_LINE, .n0 = {cos (x[AXIS]), sin (x[AXIS])}};
  HlFrame fi, fj;
  double gradient[6];

  place_frames (x, &fi, &fj);
  hl_row_gradient (&along, &fi, &fj, gradient);
  d[X_B] = gradient[3];
  d[Y_B] = gradient[4];
  return hl_row_value (&along, &fi, &fj);
}

/* Returns the push of the stops: b is where its travel or angle is that of the letters. */
static double stop_law (const HlJointClass *klass, const double x[], double d[]) {
  HlLoad load = {.klass = klass->stop,
                 .dir = {1.0, 0.0},
                 .low = x[LOW],
                 .high = x[HIGH],
                 .stiffness = x[STOP],
                 .loss = x[STOP_LOSS]};
  HlFrame fi = hl_help_frame (0.0, 0.0, 0.0), fj = fi;
  bool turns = hl_joint_is_hinge (klass);
  int column = turns ? 5 : 3;
  double dx[6] = {0.0}, none[6] = {0.0}, by_place[6] = {0.0};
  HlLoadTangent at;

  if (turns)
    fj = hl_help_frame (0.0, 0.0, x[PSI_B] - x[PSI_A]);
  else
    fj.r[0] = travel_law (x, by_place);
  *(turns ? &fj.w : &fj.v[0]) = x[RATE];
  hl_load_tangent (&load, &fi, &fj, 0.0, &at);
  dx[column] = 1.0;
  d[RATE] = at.Qv[6 * column + column];
  double slope = klass->stop->read_along (&load, &fi, &fj, &at, dx, none, HL_JOINT_READS_STOP);
  if (turns) {
    d[PSI_B] = slope;
    d[PSI_A] = -slope;
  } else {
    d[X_B] = slope * by_place[X_B];
    d[Y_B] = slope * by_place[Y_B];
  }
  return klass->stop->read (&load, &fi, &fj, HL_JOINT_READS_STOP);
}

static double law_of (const char *kind, const double x[], int gives, double d[]) {
  const HlJointClass *klass = hl_joint_class (kind);

  if (gives == GIVES_FRICTION || gives == GIVES_LOSS)
    return friction_law (klass, gives, x, d);
  if (gives == GIVES_STOP)
    return stop_law (klass, x, d);
  return gives == GIVES_TRAVEL ? travel_law (x, d) : row_law (klass, gives, x, d);
}

#define LAW(name, kind)                                                                                      \
  static double name##_law (const double x[], int gives, double d[]) {                                       \
    return law_of (kind, x, gives, d);                                                                       \
  }
LAW (revolute, "revolute")
LAW (prismatic, "prismatic")
LAW (slot, "slot")
LAW (weld, "weld")
LAW (distance, "distance")
LAW (drive_angle, "drive-angle")
LAW (drive_length, "drive-length")

/* Fills points, angles and the motion between the two ends. The value that a joint holds is in a field, or
 * that of the stated poses. */
static void fill_inputs (const HlHelpSight *sight, double x[]) {
  HlHelpSight as_posed = *sight;
  HlFrame a, b, a_0, b_0;
  double u_a[2], u_b[2], v_a[2], v_b[2];

  hl_sight_end (sight, "a", &a, u_a);
  hl_sight_end (sight, "b", &b, u_b);
  hl_frame_point (&a, u_a, &x[X_A], v_a);
  x[PSI_A] = a.psi;
  hl_frame_point (&b, u_b, &x[X_B], v_b);
  x[PSI_B] = b.psi;
  as_posed.read = NULL;
  hl_sight_end (&as_posed, "a", &a_0, u_a);
  hl_sight_end (&as_posed, "b", &b_0, u_b);
  if (isnan (x[HELD]))
    x[HELD] = b_0.psi - a_0.psi;
}

static void look_turning (const HlHelpSight *sight, double x[]) {
  HlFrame a, b;
  double u[2];

  fill_inputs (sight, x);
  hl_sight_end (sight, "a", &a, u);
  hl_sight_end (sight, "b", &b, u);
  x[RATE] = b.w - a.w;
}

/* Computes the motion of b along the axis that turns with a. */
static void look_sliding (const HlHelpSight *sight, double x[]) {
  double u_a[2], u_b[2], at_a[2], at_b[2], v_b[2];
  const double axis[2] = {cos (x[AXIS]), sin (x[AXIS])};
  double e[2], across[2];
  HlFrame a, b;

  fill_inputs (sight, x);
  hl_sight_end (sight, "a", &a, u_a);
  hl_sight_end (sight, "b", &b, u_b);
  hl_frame_point (&a, u_a, at_a, NULL);
  hl_frame_point (&b, u_b, at_b, v_b);
  hl_frame_arm (&a, axis, e, across);
  x[RATE] = 0.0;
  for (int k = 0; k < 2; k++)
    x[RATE] += e[k] * (v_b[k] - a.v[k]) + a.w * across[k] * (at_b[k] - a.r[k]);
}

static void friction_range (const double x[], int curve, double *low, double *high) {
  if (curve > 0)
    return;
  *high = fmax (8.0 * x[FADE], 1.2 * fabs (x[RATE]));
  *low = -*high;
}

static void length_range (const double x[], int curve, double *low, double *high) {
  double reach = fmax (1.5 * x[HELD], 1.2 * fabs (x[X_B] - x[X_A]));

  (void)curve;
  *low = x[X_A] - reach;
  *high = x[X_A] + reach;
}

/* ---- knife edge: a speed, not a place, is held at zero ---- */

enum { K_VX, K_VY, K_OMEGA, K_PSI, K_AXIS, K_UX, K_UY };

static double knife_edge_law (const double x[], int gives, double d[]) {
  HlRow row = {.kind = hl_joint_class ("knife-edge")->rows[0],
               .u_i = {x[K_UX], x[K_UY]},
               .n0 = {-sin (x[K_AXIS]), cos (x[K_AXIS])}};
  HlFrame body = hl_help_frame (0.0, 0.0, x[K_PSI]), ground = hl_help_frame (0.0, 0.0, 0.0);
  double gradient[6];
  HlRowTangent at;

  (void)gives;
  body.v[0] = x[K_VX];
  body.v[1] = x[K_VY];
  body.w = x[K_OMEGA];
  hl_row_gradient (&row, &body, &ground, gradient);
  hl_row_tangent (&row, &body, &ground, 0.0, &at);
  d[K_VX] = gradient[0];
  d[K_VY] = gradient[1];
  d[K_OMEGA] = gradient[2];
  d[K_PSI] = at.dv_dx[2];
  return gradient[0] * body.v[0] + gradient[1] * body.v[1] + gradient[2] * body.w;
}

static void knife_edge_look (const HlHelpSight *sight, double x[]) {
  HlFrame frame;

  hl_sight_end (sight, "point", &frame, &x[K_UX]);
  x[K_VX] = frame.v[0];
  x[K_VY] = frame.v[1];
  x[K_OMEGA] = frame.w;
  x[K_PSI] = frame.psi;
}

/* ---- words ---- */

/* clang-format off */
#define POINTS                                                                                     \
  HL_LET_VALUE ("x_a", X_A, LENGTH, HL_TEXT ("Position of a, x")),                                    \
  HL_LET_VALUE ("y_a", Y_A, LENGTH, HL_TEXT ("Position of a, y")),                                    \
  HL_LET_VALUE ("x_b", X_B, LENGTH, HL_TEXT ("Position of b, x")),                                    \
  HL_LET_VALUE ("y_b", Y_B, LENGTH, HL_TEXT ("Position of b, y"))
#define ANGLES                                                                                     \
  HL_LET_VALUE ("psi_a", PSI_A, ANGLE, HL_TEXT ("Angle of a's body")),                             \
  HL_LET_VALUE ("psi_b", PSI_B, ANGLE, HL_TEXT ("Angle of b's body"))
#define TURNING_FRICTION                                                                           \
  HL_LET_FIELD ("T_c", COULOMB, "friction.torque"),                                                \
  HL_LET_FIELD ("omega_0", FADE, "friction.speed"),                                                \
  HL_LET_FIELD ("c", VISCOUS, "friction.viscous"),                                                 \
  HL_LET_VALUE ("omega", RATE, ANGULAR_SPEED, HL_TEXT ("Speed at which b turns against a"))
#define SLIDING_FRICTION                                                                           \
  HL_LET_FIELD ("F_c", COULOMB, "friction.force"),                                                 \
  HL_LET_FIELD ("v_0", FADE, "friction.speed"),                                                    \
  HL_LET_FIELD ("c", VISCOUS, "friction.viscous"),                                                 \
  HL_LET_VALUE ("v", RATE, SPEED, HL_TEXT ("Speed at which b slides along the axis"))
#define TURNING_STOP                                                                               \
  HL_LET_FIELD ("phi_1", LOW, "stop.min"),                                                         \
  HL_LET_FIELD ("phi_2", HIGH, "stop.max"),                                                        \
  HL_LET_FIELD ("k_s", STOP, "stop.stiffness"),                                                    \
  HL_LET_FIELD ("c_s", STOP_LOSS, "stop.loss")
#define SLIDING_STOP                                                                               \
  HL_LET_FIELD ("s_1", LOW, "stop.min"),                                                           \
  HL_LET_FIELD ("s_2", HIGH, "stop.max"),                                                          \
  HL_LET_FIELD ("k_s", STOP, "stop.stiffness"),                                                    \
  HL_LET_FIELD ("c_s", STOP_LOSS, "stop.loss")
#define GIVES(what) {HL_GIVES_VALUE, GIVES_##what}
#define GIVES_ROW_OF(k) {HL_GIVES_VALUE, GIVES_ROW + (k)}
#define ACROSS {"gamma = psi_a + theta"},                                                          \
  {"C_n = (y_b - y_a) cos(gamma) - (x_b - x_a) sin(gamma)", GIVES (ROW)}
#define TRAVEL {"s = (x_b - x_a) cos(gamma) + (y_b - y_a) sin(gamma)", GIVES (TRAVEL)}
#define RUB_SLIDING {"F = F_c tanh(v / v_0) + c v", GIVES (FRICTION)}, {"P = F v", GIVES (LOSS)}
#define STOPS_SLIDING {"F_s = cases(k_s (s_1 - s) pos(1 - c_s v), s < s_1, cases(-k_s (s - s_2) pos(1 + c_s v), s > s_2, 0))", GIVES (STOP)}
#define CURVE_OF_SLIDING {HL_TEXT ("Friction over speed"), HL_LET_VALUE ("v", RATE, SPEED, NULL), "F", HL_QUANTITY_FORCE, GIVES (FRICTION), .low = -0.1, .high = 0.1}
#define CURVE_OF_ANGLE(row_k) {HL_TEXT ("Constraint residual of the angle, over the angle"), HL_LET_VALUE ("psi_b", PSI_B, ANGLE, NULL), "C_psi", HL_QUANTITY_ANGLE, GIVES_ROW_OF (row_k), .low = -3.0, .high = 3.0}

static const HlLetter revolute_letters[] = { POINTS, ANGLES, TURNING_FRICTION, TURNING_STOP };
static const HlFormulaText revolute_formulas[] = {
  {"C_x = x_a - x_b", GIVES_ROW_OF (0)},
  {"C_y = y_a - y_b", GIVES_ROW_OF (1)},
  {"T = T_c tanh(omega / omega_0) + c omega", GIVES (FRICTION)},
  {"P = T omega", GIVES (LOSS)},
  {"phi = psi_b - psi_a"},
  {"T_s = cases(k_s (phi_1 - phi) pos(1 - c_s omega), phi < phi_1, cases(-k_s (phi - phi_2) pos(1 + c_s omega), phi > phi_2, 0))", GIVES (STOP)},
};
static const HlCurve revolute_curves[] = {
  {HL_TEXT ("Friction torque over angular speed"), HL_LET_VALUE ("omega", RATE, ANGULAR_SPEED, NULL), "T", HL_QUANTITY_TORQUE, GIVES (FRICTION), .low = -0.1, .high = 0.1},
};
static const HlLetter prismatic_letters[] = {
  POINTS, ANGLES, HL_LET_FIELD ("theta", AXIS, "axis"), HL_LET_FIELD ("beta", HELD, "angle"), SLIDING_FRICTION, SLIDING_STOP,
};
static const HlFormulaText prismatic_formulas[] = {
  ACROSS,
  {"C_psi = turn(psi_b - psi_a - beta)", GIVES_ROW_OF (1)},
  TRAVEL,
  RUB_SLIDING,
  STOPS_SLIDING,
};
static const HlCurve prismatic_curves[] = { CURVE_OF_SLIDING };
static const HlLetter slot_letters[] = {
  POINTS, HL_LET_VALUE ("psi_a", PSI_A, ANGLE, HL_TEXT ("Angle of a's body")), HL_LET_FIELD ("theta", AXIS, "axis"), SLIDING_FRICTION, SLIDING_STOP,
};
static const HlFormulaText slot_formulas[] = { ACROSS, TRAVEL, RUB_SLIDING, STOPS_SLIDING };
static const HlCurve slot_curves[] = { CURVE_OF_SLIDING };

static const HlLetter weld_letters[] = { POINTS, ANGLES, HL_LET_FIELD ("beta", HELD, "angle") };
static const HlFormulaText weld_formulas[] = {
  {"C_x = x_a - x_b", GIVES_ROW_OF (0)},
  {"C_y = y_a - y_b", GIVES_ROW_OF (1)},
  {"C_psi = turn(psi_b - psi_a - beta)", GIVES_ROW_OF (2)},
};
static const HlCurve weld_curves[] = { CURVE_OF_ANGLE (2) };

static const HlLetter distance_letters[] = { POINTS, HL_LET_FIELD ("l", HELD, "length") };
static const HlFormulaText distance_formulas[] = {
  {"C = sqrt((x_b - x_a)^2 + (y_b - y_a)^2) - l", GIVES (ROW)},
};
static const HlCurve distance_curves[] = {
  {HL_TEXT ("Constraint residual over the position of b"), HL_LET_VALUE ("x_b", X_B, LENGTH, NULL), "C", HL_QUANTITY_LENGTH, GIVES (ROW), .low = -1.0, .high = 1.0},
};

static const HlLetter knife_edge_letters[] = {
  HL_LET_VALUE ("v_x", K_VX, SPEED, HL_TEXT ("Speed of the body, x")),
  HL_LET_VALUE ("v_y", K_VY, SPEED, HL_TEXT ("Speed of the body, y")),
  HL_LET_VALUE ("omega", K_OMEGA, ANGULAR_SPEED, HL_TEXT ("Angular speed of the body")),
  HL_LET_VALUE ("psi", K_PSI, ANGLE, HL_TEXT ("Angle of the body")),
  HL_LET_FIELD ("theta", K_AXIS, "axis"),
  HL_LET_VALUE ("u_x", K_UX, LENGTH, HL_TEXT ("Point in the body's frame, x")),
  HL_LET_VALUE ("u_y", K_UY, LENGTH, HL_TEXT ("Point in the body's frame, y")),
};
static const HlFormulaText knife_edge_formulas[] = {
  {"gamma = psi + theta"},
  {"a = u_x cos(theta) + u_y sin(theta)"},
  {"v_n = v_y cos(gamma) - v_x sin(gamma) + a omega", GIVES (ROW)},
};
static const HlCurve knife_edge_curves[] = {
  {HL_TEXT ("Lateral speed, which the constraint keeps at zero, over the angle"), HL_LET_VALUE ("psi", K_PSI, ANGLE, NULL), "v_n", HL_QUANTITY_SPEED, GIVES (ROW), .low = -3.14159265, .high = 3.14159265},
};

static const HlLetter drive_angle_letters[] = { ANGLES, HL_LET_FIELD ("theta", HELD, "signal") };
static const HlFormulaText drive_angle_formulas[] = {
  {"C_psi = turn(psi_b - psi_a - theta)", GIVES (ROW)},
};
static const HlCurve drive_angle_curves[] = { CURVE_OF_ANGLE (0) };
static const HlLetter drive_length_letters[] = { POINTS, HL_LET_FIELD ("l", HELD, "signal") };

#define PLACED [X_A] = 0.1, [Y_A] = 0.2, [X_B] = 0.1, [Y_B] = 0.2
#define RUBS [COULOMB] = 20.0, [FADE] = 0.01, [VISCOUS] = 50.0, [RATE] = 0.02, [LOW] = -0.5, [HIGH] = 0.5, [STOP] = 1e5, [STOP_LOSS] = 2.0
#define FRICTION_QUANTITIES(force) [GIVES_FRICTION] = HL_QUANTITY_##force, [GIVES_LOSS] = HL_QUANTITY_POWER, [GIVES_TRAVEL] = HL_QUANTITY_LENGTH, [GIVES_STOP] = HL_QUANTITY_##force

const HlElementHelp hl_joint_helps[] = {
  { HL_SECTION_JOINTS, "revolute",
    {HL_HELP_TABLES (revolute_letters, revolute_formulas, revolute_curves), .sources = "theory/elements.md (4), (24), (25)"},
    .usual = {PLACED, RUBS},
    .results = {HL_QUANTITY_LENGTH, HL_QUANTITY_LENGTH, FRICTION_QUANTITIES (TORQUE)},
    .look = look_turning, .law = revolute_law, .range = friction_range },
  { HL_SECTION_JOINTS, "prismatic",
    {HL_HELP_TABLES (prismatic_letters, prismatic_formulas, prismatic_curves), .sources = "theory/elements.md (5), (6), (24), (25)"},
    .usual = {[X_A] = 0.1, [Y_A] = 0.2, [X_B] = 0.5, [Y_B] = 0.2, RUBS},
    .results = {HL_QUANTITY_LENGTH, HL_QUANTITY_ANGLE, FRICTION_QUANTITIES (FORCE)},
    .look = look_sliding, .law = prismatic_law, .range = friction_range },
  { HL_SECTION_JOINTS, "slot",
    {HL_HELP_TABLES (slot_letters, slot_formulas, slot_curves), .sources = "theory/elements.md (5), (24), (25)"},
    .usual = {[X_A] = 0.1, [Y_A] = 0.2, [X_B] = 0.5, [Y_B] = 0.2, RUBS},
    .results = {HL_QUANTITY_LENGTH, FRICTION_QUANTITIES (FORCE)},
    .look = look_sliding, .law = slot_law, .range = friction_range },
  { HL_SECTION_JOINTS, "weld",
    {HL_HELP_TABLES (weld_letters, weld_formulas, weld_curves), .sources = "theory/elements.md (4), (6)"},
    .usual = {PLACED, [PSI_B] = 0.5, [HELD] = 0.5},
    .results = {HL_QUANTITY_LENGTH, HL_QUANTITY_LENGTH, HL_QUANTITY_ANGLE},
    .look = fill_inputs, .law = weld_law },
  { HL_SECTION_JOINTS, "distance",
    {HL_HELP_TABLES (distance_letters, distance_formulas, distance_curves), .sources = "theory/elements.md (8)-(14)"},
    .usual = {[X_B] = 0.8, [Y_B] = 0.6, [HELD] = 1.0},
    .results = {HL_QUANTITY_LENGTH},
    .look = fill_inputs, .law = distance_law, .range = length_range },
  { HL_SECTION_JOINTS, "knife-edge",
    {HL_HELP_TABLES (knife_edge_letters, knife_edge_formulas, knife_edge_curves), .sources = "theory/elements.md (7)"},
    .usual = {[K_VX] = 1.0, [K_VY] = 0.5, [K_OMEGA] = 0.1, [K_PSI] = 0.4, [K_UX] = 0.2},
    .results = {HL_QUANTITY_SPEED},
    .look = knife_edge_look, .law = knife_edge_law },
  { HL_SECTION_JOINTS, "drive-angle",
    {HL_HELP_TABLES (drive_angle_letters, drive_angle_formulas, drive_angle_curves), .sources = "theory/elements.md (6)"},
    .usual = {[PSI_B] = 0.7, [HELD] = 0.7},
    .results = {HL_QUANTITY_ANGLE},
    .look = fill_inputs, .law = drive_angle_law },
  { HL_SECTION_JOINTS, "drive-length",
    {HL_HELP_TABLES (drive_length_letters, distance_formulas, distance_curves), .sources = "theory/elements.md (8)-(14)"},
    .usual = {[X_B] = 0.8, [Y_B] = 0.6, [HELD] = 1.0},
    .results = {HL_QUANTITY_LENGTH},
    .look = fill_inputs, .law = drive_length_law, .range = length_range },
  { 0 },
};
/* clang-format on */
