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

/* clang-format off */
static const HlField turning_fields[] = { HL_TURNING_FRICTION_FIELDS };
static const HlField sliding_fields[] = { HL_SLIDING_FRICTION_FIELDS };
/* clang-format on */

/* Coordinate of the joint: gradient, Hessian (row-major), rate. */
typedef struct {
  double g[6], H[36], rate;
} Way;

static void find_rate (Way *way, const HlFrame *fi, const HlFrame *fj) {
  const double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};

  way->rate = hl_dot6 (way->g, v);
}

static void find_turn (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  (void)load;
  memset (way, 0, sizeof *way);
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
  way->g[2] = hl_dot2 (n, D);
  way->g[5] = hl_dot2 (e, t_j);
  set_entry (way, 2, 2, -hl_dot2 (e, D));
  set_entry (way, 2, 5, hl_dot2 (n, t_j));
  set_entry (way, 5, 5, -hl_dot2 (e, a_j));
  find_rate (way, fi, fj);
}

static void find_way (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, Way *way) {
  if (load->klass == &hl_sliding_friction_class)
    find_slide (load, fi, fj, way);
  else
    find_turn (load, fi, fj, way);
}

static double friction (const HlLoad *load, double rate, double *slope) {
  double part = tanh (rate / load->speed);

  *slope = load->coulomb / load->speed * (1.0 - part * part) + load->damping;
  return load->coulomb * part + load->damping * rate;
}

static HlStatus force (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value, double q[6]) {
  Way way;
  double slope;

  (void)value;
  find_way (load, fi, fj, &way);
  double F = friction (load, way.rate, &slope);
  for (int k = 0; k < 6; k++)
    q[k] = -F * way.g[k];
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
  double by_place[6], slope;

  (void)value;
  find_way (load, fi, fj, &way);
  rate_by_place (&way, fi, fj, by_place);
  double F = friction (load, way.rate, &slope);
  for (int row = 0; row < 6; row++)
    for (int col = 0; col < 6; col++) {
      out->Qx[row * 6 + col] = -slope * way.g[row] * by_place[col] - F * way.H[row * 6 + col];
      out->Qv[row * 6 + col] = -slope * way.g[row] * way.g[col];
    }
}

static double loss (const HlLoad *load, const HlFrame *fi, const HlFrame *fj) {
  Way way;
  double slope;

  find_way (load, fi, fj, &way);
  return way.rate * friction (load, way.rate, &slope);
}

static double read (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, int part) {
  Way way;
  double slope;

  (void)part;
  find_way (load, fi, fj, &way);
  return friction (load, way.rate, &slope);
}

static double read_along (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, const HlLoadTangent *at,
                          const double dx[6], const double dv[6], int part) {
  Way way;
  double by_place[6], slope;

  (void)at;
  (void)part;
  find_way (load, fi, fj, &way);
  rate_by_place (&way, fi, fj, by_place);
  friction (load, way.rate, &slope);
  return slope * (hl_dot6 (by_place, dx) + hl_dot6 (way.g, dv));
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

const char *hl_joint_friction_name (const HlLoadClass *klass) {
  return klass == &hl_turning_friction_class   ? "turning-friction"
         : klass == &hl_sliding_friction_class ? "sliding-friction"
                                               : NULL;
}

/* clang-format off */
static const HlField revolute_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the second body")),
  HL_TURNING_FRICTION_FIELDS,
};
static const HlField prismatic_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the guiding body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the sliding body")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Sliding direction in the frame of a's body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, HL_TEXT ("Angle"), HL_TEXT ("Constant angle of b's body minus a's; default: from the given poses")),
  HL_SLIDING_FRICTION_FIELDS,
};
static const HlField slot_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the body with the slot")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point that stays on the line of the slot")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Direction of the slot in the frame of a's body")),
  HL_SLIDING_FRICTION_FIELDS,
};
static const HlField weld_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the second body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, HL_TEXT ("Angle"), HL_TEXT ("Constant angle of b's body minus a's; default: from the given poses")),
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
};
static const HlOutput sliding_outputs[] = {
  OUTPUTS,
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_TRAVEL, "travel", LENGTH, HL_TEXT ("Position of b along the axis")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_FRICTION, "friction_force", FORCE, HL_TEXT ("Friction force")),
};

static const HlJointClass
  revolute = {
    .kind = { HL_SECTION_JOINTS, "revolute", HL_TEXT ("Revolute joint"), HL_TEXT ("The two points coincide; the bodies can turn"), "joint", HL_WITH_FIELDS (revolute_fields), HL_WITH_OUTPUTS (revolute_outputs) },
    .kind.also = HL_TEXT ("pin, hinge, pivot"),
    .ends = { "a", "b" }, .n_rows = 2, .rows = { HL_ROW_X, HL_ROW_Y }, .joins_points = true, .friction = &hl_turning_friction_class },
  prismatic = {
    .kind = { HL_SECTION_JOINTS, "prismatic", HL_TEXT ("Prismatic joint"), HL_TEXT ("b slides along an axis of a's body and does not turn relative to it"), "slider", HL_WITH_FIELDS (prismatic_fields), HL_WITH_OUTPUTS (sliding_outputs) },
    .kind.also = HL_TEXT ("slider, guide, rail"),
    .ends = { "a", "b" }, .n_rows = 2, .rows = { HL_ROW_LINE, HL_ROW_ANGLE }, .has_axis = true, .has_angle = true, .friction = &hl_sliding_friction_class },
  slot = {
    .kind = { HL_SECTION_JOINTS, "slot", HL_TEXT ("Slot"), HL_TEXT ("b stays on a line of a's body and can turn"), "slot", HL_WITH_FIELDS (slot_fields), HL_WITH_OUTPUTS (sliding_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_LINE }, .has_axis = true, .friction = &hl_sliding_friction_class },
  weld = {
    .kind = { HL_SECTION_JOINTS, "weld", HL_TEXT ("Weld"), HL_TEXT ("The points coincide, and the bodies do not turn relative to each other"), "weld", HL_WITH_FIELDS (weld_fields), HL_WITH_OUTPUTS (joint_outputs) },
    .ends = { "a", "b" }, .n_rows = 3, .rows = { HL_ROW_X, HL_ROW_Y, HL_ROW_ANGLE }, .joins_points = true, .has_angle = true },
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
