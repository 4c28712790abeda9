/* SPDX-License-Identifier: MIT */
/* The joints: one class a kind, and the table that makes them known. */
#include "core/mech/hl-joint.h"

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"

#include <math.h>
#include <string.h>

/* Friction of pins and guides, theory/elements.md (24): a load between the bodies of the joint, on
 * the relative coordinate s with gradient g = ds/dx and rate g v,
 *
 *   q = -F g          F = Fc tanh (s'/v0) + c s'
 *   dq/dv = -F' g g^T         dq/dx = -F' g (H v)^T - F H          H = dg/dx
 *
 * Turning: s = psi_j - psi_i, and H = 0. Sliding: s = e D with e the axis in body i, n across it and
 * D = P_j - r_i, whose H has
 *
 *   psi_i psi_i: -e D     psi_i r_i: -n     psi_i r_j: n     psi_i psi_j: n t_j     psi_j psi_j: -e a_j
 *
 * a_j is the arm of P_j in body j, t_j its change with psi_j. Fc does not depend on what the joint
 * carries, by choice: else the force would need itself. */

/* Stops of pins and guides, theory/elements.md (25): the depth d in the lower stop is s_min - s, in the upper one
 * s - s_max, and with j = 1 or -1
 *
 *   q = F g          F = j k d max (0, 1 + c d')          d' = -j s'
 *
 * after Hunt and Crossley 1975: force and its energy k d^2/2 begin at zero, and nothing pulls back. */

/* clang-format off */
static const HlField turning_fields[] = { HL_TURNING_FRICTION_FIELDS };
static const HlField sliding_fields[] = { HL_SLIDING_FRICTION_FIELDS };
static const HlField turning_stop_fields[] = { HL_TURNING_STOP_FIELDS };
static const HlField sliding_stop_fields[] = { HL_SLIDING_STOP_FIELDS };
/* clang-format on */

/* Coordinate of the joint: itself, gradient, Hessian (row-major), rate. */
typedef struct {
  double place, g[6], H[36], rate;
} Way;

/* Force along the coordinate, and its slopes. */
typedef struct {
  double F, by_place, by_rate;
} Push;

static void find_rate (Way *way, const HlFrame *fi, const HlFrame *fj) {
  const double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  way->rate = hl_dot6 (way->g, v);
}

static void find_turn (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  (void)load;
  memset (way, 0, sizeof *way);
  way->place = fj->psi - fi->psi;
  way->g[2] = -1.0;
  way->g[5] = 1.0;
  find_rate (way, fi, fj);
}

static void set_entry (Way *way, int row, int column, double value) {
  way->H[6 * row + column] = way->H[6 * column + row] = value;
}

static void find_slide (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  double e[2], n[2], a_j[2], t_j[2], D[2];

  memset (way, 0, sizeof *way);
  hl_frame_arm (fi, load->dir, e, n);
  hl_frame_arm (fj, load->u_j, a_j, t_j);
  for (int k = 0; k < 2; k++) {
    D[k] = fj->r[k] + a_j[k] - fi->r[k];
    way->g[k] = -e[k];
    way->g[3 + k] = e[k];
    set_entry (way, 2, k, -n[k]);
    set_entry (way, 2, 3 + k, n[k]);
  }
  way->place = hl_dot2 (e, D) - hl_dot2 (load->dir, load->u_i);
  way->g[2] = hl_dot2 (n, D);
  way->g[5] = hl_dot2 (e, t_j);
  set_entry (way, 2, 2, -hl_dot2 (e, D));
  set_entry (way, 2, 5, hl_dot2 (n, t_j));
  set_entry (way, 5, 5, -hl_dot2 (e, a_j));
  find_rate (way, fi, fj);
}

static void find_way (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  if (load->klass == &hl_sliding_friction_class || load->klass == &hl_sliding_stop_class)
    find_slide (load, fi, fj, way);
  else
    find_turn (load, fi, fj, way);
}

static double friction (const HlLoad *load, double rate, double *slope) {
  double part = tanh (rate / load->speed);

  *slope = load->coulomb / load->speed * (1.0 - part * part) + load->damping;
  return load->coulomb * part + load->damping * rate;
}

/* Returns the depth in a stop, 0: in none. *side: 1 in the lower, -1 in the upper one. */
static double stop_depth (const HlLoad *load, double place, double *side) {
  double lower = load->low - place, upper = place - load->high;

  *side = lower > 0.0 ? 1.0 : -1.0;
  return lower > 0.0 ? lower : upper > 0.0 ? upper : 0.0;
}

static Push find_push (const HlLoad *load, const Way *way) {
  Push push = {0};
  double side, slope;

  if (!hl_load_is_stop (load)) {
    push.F = -friction (load, way->rate, &slope);
    push.by_rate = -slope;
    return push;
  }
  double depth = stop_depth (load, way->place, &side), gain = 1.0 - load->loss * side * way->rate;
  if (depth == 0.0 || gain <= 0.0)
    return push;
  push.F = side * load->stiffness * depth * gain;
  push.by_place = -load->stiffness * gain;
  push.by_rate = -load->stiffness * depth * load->loss;
  return push;
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  Way way;

  (void)value;
  find_way (load, fi, fj, &way);
  double F = find_push (load, &way).F;
  for (int k = 0; k < 6; k++)
    q[k] = F * way.g[k];
  return HL_OK;
}

/* Computes H v: the change of the rate with the position. */
static void rate_by_place (const Way *way, const HlFrame *fi, const HlFrame *fj, double out[6]) {
  const double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  for (int k = 0; k < 6; k++)
    out[k] = hl_dot6 (way->H + 6 * k, v);
}

static void tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                     HlLoadTangent *out) {
  Way way;
  double by_place[6];

  (void)value;
  find_way (load, fi, fj, &way);
  rate_by_place (&way, fi, fj, by_place);
  Push push = find_push (load, &way);
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++) {
      out->Qx[row * 6 + col] = way.g[row] * (push.by_rate * by_place[col] + push.by_place * way.g[col]) +
                               push.F * way.H[row * 6 + col];
      out->Qv[row * 6 + col] = push.by_rate * way.g[row] * way.g[col];
    }
}

/* Returns the power that friction takes, or a stop besides what it stores. */
static double loss (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  double side;
  Way way;

  find_way (load, fi, fj, &way);
  double stored = hl_load_is_stop (load) ? load->stiffness * stop_depth (load, way.place, &side) : 0.0;
  return -way.rate * (find_push (load, &way).F - (stored > 0.0 ? side * stored : 0.0));
}

static double stretch (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  double side;
  Way way;

  find_way (load, fi, fj, &way);
  return stop_depth (load, way.place, &side);
}

static double stretch_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const double dx[6]) {
  double side;
  Way way;

  find_way (load, fi, fj, &way);
  return stop_depth (load, way.place, &side) > 0.0 ? -side * hl_dot6 (way.g, dx) : 0.0;
}

void hl_joint_stop_gaps (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double gaps[2],
                         double rates[2]) {
  Way way;

  find_way (load, fi, fj, &way);
  gaps[0] = way.place - load->low;
  gaps[1] = load->high - way.place;
  rates[0] = way.rate;
  rates[1] = -way.rate;
}

/* Returns friction against the motion, the push of a stop along it. */
static double sign_of_output (const HlLoad *load) {
  return hl_load_is_stop (load) ? 1.0 : -1.0;
}

static double read (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part) {
  Way way;

  (void)part;
  find_way (load, fi, fj, &way);
  return sign_of_output (load) * find_push (load, &way).F;
}

static double read_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const HlLoadTangent *at,
                          const double dx[6], const double dv[6], int part) {
  Way way;
  double by_place[6];

  (void)at;
  (void)part;
  find_way (load, fi, fj, &way);
  rate_by_place (&way, fi, fj, by_place);
  Push push = find_push (load, &way);
  return sign_of_output (load) * (push.by_rate * (hl_dot6 (by_place, dx) + hl_dot6 (way.g, dv)) +
                                  push.by_place * hl_dot6 (way.g, dx));
}

const HlLoadClass hl_turning_friction_class = {
    .kind = {HL_SECTION_JOINTS, NULL, NULL, NULL, NULL, HL_WITH_FIELDS (turning_fields)},
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .read = read,
    .read_along = read_along,
};
const HlLoadClass hl_sliding_friction_class = {
    .kind = {HL_SECTION_JOINTS, NULL, NULL, NULL, NULL, HL_WITH_FIELDS (sliding_fields)},
    .force = force,
    .tangent = tangent,
    .loss = loss,
    .read = read,
    .read_along = read_along,
};

#define STOP_CLASS(name_, fields_)                                                                           \
  const HlLoadClass name_ = {                                                                                \
      .kind = {HL_SECTION_JOINTS, NULL, NULL, NULL, NULL, HL_WITH_FIELDS (fields_)},                         \
      .force = force,                                                                                        \
      .tangent = tangent,                                                                                    \
      .loss = loss,                                                                                          \
      .stretch = stretch,                                                                                    \
      .stretch_along = stretch_along,                                                                        \
      .read = read,                                                                                          \
      .read_along = read_along,                                                                              \
  }
STOP_CLASS (hl_turning_stop_class, turning_stop_fields);
STOP_CLASS (hl_sliding_stop_class, sliding_stop_fields);

const char *hl_joint_load_name (const HlLoadClass *klass) {
  return klass == &hl_turning_friction_class   ? "turning-friction"
         : klass == &hl_sliding_friction_class ? "sliding-friction"
         : klass == &hl_turning_stop_class     ? "turning-stop"
         : klass == &hl_sliding_stop_class     ? "sliding-stop"
                                               : NULL;
}

/* clang-format off */
static const HlField revolute_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the second body")),
  HL_TURNING_FRICTION_FIELDS,
  HL_TURNING_STOP_FIELDS,
};
static const HlField prismatic_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the guiding body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the sliding body")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Sliding direction in the frame of a's body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, HL_TEXT ("Angle"), HL_TEXT ("Constant angle of b's body minus a's; default: from the given poses")),
  HL_SLIDING_FRICTION_FIELDS,
  HL_SLIDING_STOP_FIELDS,
};
static const HlField slot_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the body with the slot")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point that stays on the line of the slot")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Direction of the slot in the frame of a's body")),
  HL_SLIDING_FRICTION_FIELDS,
  HL_SLIDING_STOP_FIELDS,
};
static const HlField weld_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the second body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, HL_TEXT ("Angle"), HL_TEXT ("Constant angle of b's body minus a's; default: from the given poses")),
  HL_NUMBER ("bar_axis", ANGLE, HL_DEFAULT (0), HL_ANY, HL_TEXT ("Axis of the bar"), HL_TEXT ("Direction from a's part to b's part of a bar that is cut here, in the frame of a's body: of the normal force")),
};
static const HlField distance_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("One end of the massless rod")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("The other end")),
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE, HL_TEXT ("Length"), HL_TEXT ("Constant distance of the two points")),
};
static const HlField knife_edge_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point"), HL_TEXT ("Contact point of the edge with the ground")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Direction, fixed to the body, in which the point can move")),
};
static const HlField drive_angle_fields[] = {
  HL_FIELD ("a", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body a"), HL_TEXT ("First body, or ground")),
  HL_FIELD ("b", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body b"), HL_TEXT ("Second body, or ground")),
  HL_SIGNAL ("signal", ANGLE, HL_NEW (0), HL_ANY HL_SMOOTH, HL_TEXT ("Angle"), HL_TEXT ("Angle of b minus a over time: a number, a sine, a smooth table, a motion or a sum of these")),
};
static const HlField drive_length_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("One end")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("The other end")),
  HL_SIGNAL ("signal", LENGTH, HL_NEW (1), HL_POSITIVE HL_SMOOTH, HL_TEXT ("Length"), HL_TEXT ("Distance of the two points over time: a number, a sine, a smooth table, a motion or a sum of these")),
};
static const HlOutput drive_angle_outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_DRIVE, "torque", TORQUE, HL_TEXT ("Torque on b")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_POWER, "power", POWER, HL_TEXT ("Power of the drive")),
};
static const HlOutput drive_length_outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_DRIVE, "force", FORCE, HL_TEXT ("Force that pushes the points apart")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_POWER, "power", POWER, HL_TEXT ("Power of the drive")),
};
#define OUTPUTS                                                                                     \
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_FX, "fx", FORCE, HL_TEXT ("Force on b's body, x")),         \
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_FY, "fy", FORCE, HL_TEXT ("Force on b's body, y")),         \
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_MOMENT, "moment", TORQUE, HL_TEXT ("Moment on b's body")),  \
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_ANGLE, "angle", ANGLE, HL_TEXT ("Angle of b's body minus a's"))
static const HlOutput joint_outputs[] = { OUTPUTS };
static const HlOutput revolute_outputs[] = {
  OUTPUTS,
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_FRICTION, "friction_torque", TORQUE, HL_TEXT ("Friction torque")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_STOP, "stop_torque", TORQUE, HL_TEXT ("Torque of the stop on b")),
};
static const HlOutput weld_outputs[] = {
  OUTPUTS,
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_NORMAL, "normal", FORCE, HL_TEXT ("Normal force of the bar, positive in tension")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_SHEAR, "shear", FORCE, HL_TEXT ("Shear force of the bar, on b's body")),
};
static const HlOutput sliding_outputs[] = {
  OUTPUTS,
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_TRAVEL, "travel", LENGTH, HL_TEXT ("Position of b along the axis")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_FRICTION, "friction_force", FORCE, HL_TEXT ("Friction force")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_STOP, "stop_force", FORCE, HL_TEXT ("Force of the stop on b")),
};

static const HlJointClass
  revolute = {
    .kind = { HL_SECTION_JOINTS, "revolute", HL_TEXT ("Revolute joint"), HL_TEXT ("The two points coincide; the bodies can turn"), "joint", HL_WITH_FIELDS (revolute_fields), HL_WITH_OUTPUTS (revolute_outputs) },
    .kind.also = HL_TEXT ("pin, hinge, pivot"),
    .ends = { "a", "b" }, .n_rows = 2, .rows = { HL_ROW_X, HL_ROW_Y }, .joins_points = true, .friction = &hl_turning_friction_class, .stop = &hl_turning_stop_class },
  prismatic = {
    .kind = { HL_SECTION_JOINTS, "prismatic", HL_TEXT ("Prismatic joint"), HL_TEXT ("b slides along an axis of a's body and does not turn relative to it"), "slider", HL_WITH_FIELDS (prismatic_fields), HL_WITH_OUTPUTS (sliding_outputs) },
    .kind.also = HL_TEXT ("slider, guide, rail"),
    .ends = { "a", "b" }, .n_rows = 2, .rows = { HL_ROW_LINE, HL_ROW_ANGLE }, .has_axis = true, .has_angle = true, .friction = &hl_sliding_friction_class, .stop = &hl_sliding_stop_class },
  slot = {
    .kind = { HL_SECTION_JOINTS, "slot", HL_TEXT ("Slot"), HL_TEXT ("b stays on a line of a's body and can turn"), "slot", HL_WITH_FIELDS (slot_fields), HL_WITH_OUTPUTS (sliding_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_LINE }, .has_axis = true, .friction = &hl_sliding_friction_class, .stop = &hl_sliding_stop_class },
  weld = {
    .kind = { HL_SECTION_JOINTS, "weld", HL_TEXT ("Weld"), HL_TEXT ("The points coincide, and the bodies do not turn relative to each other"), "weld", HL_WITH_FIELDS (weld_fields), HL_WITH_OUTPUTS (weld_outputs) },
    .kind.also = HL_TEXT ("section forces, cut of a bar, bending moment, shear force, normal force"),
    .ends = { "a", "b" }, .n_rows = 3, .rows = { HL_ROW_X, HL_ROW_Y, HL_ROW_ANGLE }, .joins_points = true, .has_angle = true, .is_cut = true },
  distance = {
    .kind = { HL_SECTION_JOINTS, "distance", HL_TEXT ("Distance"), HL_TEXT ("Massless rod between two points"), "rod", HL_WITH_FIELDS (distance_fields), HL_WITH_OUTPUTS (joint_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_LENGTH }, .has_length = true },
  knife_edge = {
    .kind = { HL_SECTION_JOINTS, "knife-edge", HL_TEXT ("Knife edge"), HL_TEXT ("The point cannot move across its axis (nonholonomic)"), "edge", HL_WITH_FIELDS (knife_edge_fields), HL_WITH_OUTPUTS (joint_outputs) },
    .ends = { "point" }, .n_rows = 1, .rows = { HL_ROW_KNIFE }, .has_axis = true },
  drive_angle = {
    .kind = { HL_SECTION_JOINTS, "drive-angle", HL_TEXT ("Driven angle"), HL_TEXT ("A signal prescribes the angle of b relative to a"), "drive", HL_WITH_FIELDS (drive_angle_fields), HL_WITH_OUTPUTS (drive_angle_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_ANGLE }, .on_bodies = true, .is_driven = true },
  drive_length = {
    .kind = { HL_SECTION_JOINTS, "drive-length", HL_TEXT ("Driven length"), HL_TEXT ("A signal prescribes the distance of the two points"), "drive", HL_WITH_FIELDS (drive_length_fields), HL_WITH_OUTPUTS (drive_length_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_LENGTH }, .is_driven = true };

const HlJointClass *const hl_joints[] = {
  &revolute, &prismatic, &slot, &weld, &distance, &knife_edge, &drive_angle, &drive_length,
};
/* clang-format on */
const int hl_n_joints = (int)(sizeof hl_joints / sizeof hl_joints[0]);

const HlJointClass *hl_joint_class (const char *kind) {
  for (int k = 0; kind != NULL && k < hl_n_joints; k++)
    if (strcmp (hl_joints[k]->kind.name, kind) == 0)
      return hl_joints[k];
  return NULL;
}
