/* SPDX-License-Identifier: MIT */
/* The joints: one class a kind, and the table that makes them known. */
#include "core/mech/hl-joint.h"

#include "core/base/hl-kind-words.h"
#include "core/base/hl-status.h"

#include <string.h>

/* clang-format off */
static const HlField revolute_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the second body")),
  HL_TURNING_FRICTION_FIELDS,
};
static const HlField prismatic_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the guiding body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the sliding body")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Direction of sliding in the frame of a's body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, HL_TEXT ("Angle"), HL_TEXT ("Constant angle of b's body minus a's; from the given poses when absent")),
  HL_SLIDING_FRICTION_FIELDS,
};
static const HlField slot_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the body with the slot")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point that stays on the slot's line")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Direction of the slot in the frame of a's body")),
  HL_SLIDING_FRICTION_FIELDS,
};
static const HlField weld_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("Point of the second body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, HL_TEXT ("Angle"), HL_TEXT ("Constant angle of b's body minus a's; from the given poses when absent")),
};
static const HlField distance_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("One end of the massless rod")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("The other end")),
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE, HL_TEXT ("Length"), HL_TEXT ("Constant distance of the two points")),
};
static const HlField knife_edge_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point"), HL_TEXT ("Where the edge touches the ground")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, HL_TEXT ("Axis"), HL_TEXT ("Direction in the body in which the point may move")),
};
static const HlField drive_angle_fields[] = {
  HL_FIELD ("a", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body a"), HL_TEXT ("First body, or ground")),
  HL_FIELD ("b", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body b"), HL_TEXT ("Second body, or ground")),
  HL_SIGNAL ("signal", ANGLE, HL_NEW (0), HL_ANY HL_SMOOTH, HL_TEXT ("Angle"), HL_TEXT ("Of b minus a over time: a number, a sine, a smooth table or a sum of such")),
};
static const HlField drive_length_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point a"), HL_TEXT ("One end")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, HL_TEXT ("Point b"), HL_TEXT ("The other end")),
  HL_SIGNAL ("signal", LENGTH, HL_NEW (1), HL_POSITIVE HL_SMOOTH, HL_TEXT ("Length"), HL_TEXT ("Distance of the two points over time: a number, a sine, a smooth table or a sum of such")),
};
static const HlOutput drive_angle_outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_DRIVE, "torque", TORQUE, HL_TEXT ("Torque on b")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_POWER, "power", POWER, HL_TEXT ("Power of the drive")),
};
static const HlOutput drive_length_outputs[] = {
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_DRIVE, "force", FORCE, HL_TEXT ("Force, pushes the points apart")),
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
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_TRAVEL, "travel", LENGTH, HL_TEXT ("Place of b along the axis")),
  HL_OUTPUT_OF (NOTHING, HL_JOINT_READS_FRICTION, "friction_force", FORCE, HL_TEXT ("Friction force")),
};

static const HlJointClass
  revolute = {
    .kind = { HL_SECTION_JOINTS, "revolute", HL_TEXT ("Revolute joint"), HL_TEXT ("The two points coincide, the bodies turn freely"), "joint", HL_WITH_FIELDS (revolute_fields), HL_WITH_OUTPUTS (revolute_outputs) },
    .ends = { "a", "b" }, .n_rows = 2, .rows = { HL_ROW_X, HL_ROW_Y }, .joins_points = true, .friction = &hl_turning_friction_class },
  prismatic = {
    .kind = { HL_SECTION_JOINTS, "prismatic", HL_TEXT ("Prismatic joint"), HL_TEXT ("b slides along an axis of a's body and does not turn against it"), "slider", HL_WITH_FIELDS (prismatic_fields), HL_WITH_OUTPUTS (sliding_outputs) },
    .ends = { "a", "b" }, .n_rows = 2, .rows = { HL_ROW_LINE, HL_ROW_ANGLE }, .has_axis = true, .has_angle = true, .friction = &hl_sliding_friction_class },
  slot = {
    .kind = { HL_SECTION_JOINTS, "slot", HL_TEXT ("Slot"), HL_TEXT ("b stays on a line of a's body and turns freely"), "slot", HL_WITH_FIELDS (slot_fields), HL_WITH_OUTPUTS (sliding_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_LINE }, .has_axis = true, .friction = &hl_sliding_friction_class },
  weld = {
    .kind = { HL_SECTION_JOINTS, "weld", HL_TEXT ("Weld"), HL_TEXT ("The points coincide and the bodies do not turn against each other"), "weld", HL_WITH_FIELDS (weld_fields), HL_WITH_OUTPUTS (joint_outputs) },
    .ends = { "a", "b" }, .n_rows = 3, .rows = { HL_ROW_X, HL_ROW_Y, HL_ROW_ANGLE }, .joins_points = true, .has_angle = true },
  distance = {
    .kind = { HL_SECTION_JOINTS, "distance", HL_TEXT ("Distance"), HL_TEXT ("Massless rod between two points"), "rod", HL_WITH_FIELDS (distance_fields), HL_WITH_OUTPUTS (joint_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_LENGTH }, .has_length = true },
  knife_edge = {
    .kind = { HL_SECTION_JOINTS, "knife-edge", HL_TEXT ("Knife edge"), HL_TEXT ("The point cannot move across its axis (nonholonomic)"), "edge", HL_WITH_FIELDS (knife_edge_fields), HL_WITH_OUTPUTS (joint_outputs) },
    .ends = { "point" }, .n_rows = 1, .rows = { HL_ROW_KNIFE }, .has_axis = true },
  drive_angle = {
    .kind = { HL_SECTION_JOINTS, "drive-angle", HL_TEXT ("Driven angle"), HL_TEXT ("A signal says how far b is turned against a"), "drive", HL_WITH_FIELDS (drive_angle_fields), HL_WITH_OUTPUTS (drive_angle_outputs) },
    .ends = { "a", "b" }, .n_rows = 1, .rows = { HL_ROW_ANGLE }, .on_bodies = true, .is_driven = true },
  drive_length = {
    .kind = { HL_SECTION_JOINTS, "drive-length", HL_TEXT ("Driven length"), HL_TEXT ("A signal says how far the two points are apart"), "drive", HL_WITH_FIELDS (drive_length_fields), HL_WITH_OUTPUTS (drive_length_outputs) },
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
