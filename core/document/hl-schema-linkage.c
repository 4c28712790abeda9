/* SPDX-License-Identifier: MIT */
/* The linkage: bodies, joints, loads. Kinds of one section stand together, in palette order. */
#include "core/document/hl-schema-private.h"

/* clang-format off */
static const HlField body_fields[] = {
  HL_FIELD ("points", POINTS, LENGTH, HL_ABSENT, "Points", "Named places in the body's own frame"),
  HL_NUMBER ("mass", MASS, HL_NEW (10), HL_POSITIVE, "Mass", "Mass of the body"),
  HL_NUMBER ("inertia", INERTIA, HL_NEW (1), HL_POSITIVE, "Moment of inertia", "About the centre of mass"),
  HL_FIELD ("com", VEC2, LENGTH, HL_ABSENT, "Centre of mass", "In the body's own frame; its origin when absent"),
  HL_FIELD ("pose", POSE, NONE, HL_REQUIRED, "Pose", "Starting place and angle of the body's frame; corrected to the nearest consistent one"),
  HL_FIELD ("velocity", VELOCITY, NONE, HL_ABSENT, "Velocity", "Starting velocity; zero when absent"),
};

static const HlField two_point_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, "Point a", "Point of the first body"),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, "Point b", "Point of the second body"),
};
static const HlField prismatic_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, "Point a", "Point of the guiding body"),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, "Point b", "Point of the sliding body"),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, "Axis", "Direction of sliding in the frame of a's body"),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, "Angle", "Constant angle of b's body minus a's; from the given poses when absent"),
};
static const HlField slot_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, "Point a", "Point of the body with the slot"),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, "Point b", "Point that stays on the slot's line"),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, "Axis", "Direction of the slot in the frame of a's body"),
};
static const HlField weld_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, "Point a", "Point of the first body"),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, "Point b", "Point of the second body"),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, "Angle", "Constant angle of b's body minus a's; from the given poses when absent"),
};
static const HlField distance_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, "Point a", "One end of the massless rod"),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, "Point b", "The other end"),
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE, "Length", "Constant distance of the two points"),
};
static const HlField knife_edge_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, "Point", "Where the edge touches the ground"),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, "Axis", "Direction in the body in which the point may move"),
};
static const HlOutput joint_outputs[] = {
  HL_OUTPUT ("fx", FORCE, "Force on b's body, x"),
  HL_OUTPUT ("fy", FORCE, "Force on b's body, y"),
  HL_OUTPUT ("moment", TORQUE, "Moment on b's body"),
  HL_OUTPUT ("angle", ANGLE, "Angle of b's body minus a's"),
};
static const HlOutput sliding_outputs[] = {
  HL_OUTPUT ("fx", FORCE, "Force on b's body, x"),
  HL_OUTPUT ("fy", FORCE, "Force on b's body, y"),
  HL_OUTPUT ("moment", TORQUE, "Moment on b's body"),
  HL_OUTPUT ("angle", ANGLE, "Angle of b's body minus a's"),
  HL_OUTPUT ("travel", LENGTH, "Place of b along the axis"),
};

static const HlField torque_fields[] = {
  HL_FIELD ("body", BODY, NONE, HL_REQUIRED, "Body", "Body the torque acts on"),
  HL_SIGNAL ("signal", TORQUE, HL_NEW (0), HL_ANY, "Torque", "Counter-clockwise torque over time"),
};
static const HlField force_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, "Point", "Point the force acts on"),
  HL_FIELD ("direction", VEC2, NONE, HL_REQUIRED, "Direction", "Direction, made a unit vector"),
  HL_CHOICE ("frame", "ground|body", "Frame of direction", "Whether the direction is fixed to the ground or turns with the body"),
  HL_SIGNAL ("signal", FORCE, HL_NEW (0), HL_ANY, "Force", "Force over time"),
};
static const HlField spring_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, "Point a", "One end"),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, "Point b", "The other end"),
  HL_NUMBER ("stiffness", STIFFNESS, HL_NEW (10000), HL_NOT_NEGATIVE, "Stiffness", "Force per length of stretch"),
  HL_NUMBER ("damping", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Damping", "Force per speed of stretch"),
  HL_NUMBER ("free_length", LENGTH, HL_NEW (1), HL_NOT_NEGATIVE, "Free length", "Length without force"),
};
static const HlField torsion_spring_fields[] = {
  HL_FIELD ("a", BODY, NONE, HL_REQUIRED, "Body a", "First body, or ground"),
  HL_FIELD ("b", BODY, NONE, HL_REQUIRED, "Body b", "Second body, or ground"),
  HL_NUMBER ("stiffness", TORSION_STIFFNESS, HL_NEW (1000), HL_NOT_NEGATIVE, "Stiffness", "Torque per angle of b minus a"),
  HL_NUMBER ("damping", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Damping", "Torque per angular speed"),
  HL_NUMBER ("free_angle", ANGLE, HL_DEFAULT (0), HL_ANY, "Free angle", "Angle of b minus a without torque"),
};
static const HlField tyre_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, "Point", "Where the tyre touches the ground"),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, "Axis", "Rolling direction in the body"),
  HL_NUMBER ("stiffness", TYRE_STIFFNESS, HL_NEW (100000), HL_NOT_NEGATIVE, "Cornering stiffness", "Lateral force is -stiffness times atan of lateral over longitudinal speed"),
};
static const HlOutput spring_outputs[] = {
  HL_OUTPUT ("length", LENGTH, "Length"),
  HL_OUTPUT ("force", FORCE, "Pull between the ends"),
};
static const HlOutput torsion_spring_outputs[] = {
  HL_OUTPUT ("torque", TORQUE, "Torque on b"),
};
static const HlOutput tyre_outputs[] = {
  HL_OUTPUT ("force", FORCE, "Lateral force"),
  HL_OUTPUT ("slip", ANGLE, "Slip angle"),
};

const HlKind hl_schema_linkage_kinds[] = {
  { HL_SECTION_BODIES, NULL, "Body", "Planar rigid body", "link", HL_WITH_FIELDS (body_fields) },

  { HL_SECTION_JOINTS, "revolute", "Revolute joint", "The two points coincide, the bodies turn freely", "joint", HL_WITH_FIELDS (two_point_fields), HL_WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "prismatic", "Prismatic joint", "b slides along an axis of a's body and does not turn against it", "slider", HL_WITH_FIELDS (prismatic_fields), HL_WITH_OUTPUTS (sliding_outputs) },
  { HL_SECTION_JOINTS, "slot", "Slot", "b stays on a line of a's body and turns freely", "slot", HL_WITH_FIELDS (slot_fields), HL_WITH_OUTPUTS (sliding_outputs) },
  { HL_SECTION_JOINTS, "weld", "Weld", "The points coincide and the bodies do not turn against each other", "weld", HL_WITH_FIELDS (weld_fields), HL_WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "distance", "Distance", "Massless rod between two points", "rod", HL_WITH_FIELDS (distance_fields), HL_WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "knife-edge", "Knife edge", "The point cannot move across its axis (nonholonomic)", "edge", HL_WITH_FIELDS (knife_edge_fields), HL_WITH_OUTPUTS (joint_outputs) },

  { HL_SECTION_LOADS, "torque", "Torque", "Torque on a body", "torque", HL_WITH_FIELDS (torque_fields) },
  { HL_SECTION_LOADS, "force", "Force", "Force on a point", "force", HL_WITH_FIELDS (force_fields) },
  { HL_SECTION_LOADS, "spring", "Spring", "Spring and damper between two points", "spring", HL_WITH_FIELDS (spring_fields), HL_WITH_OUTPUTS (spring_outputs) },
  { HL_SECTION_LOADS, "torsion-spring", "Torsion spring", "Torsion spring and damper between two bodies", "torsion", HL_WITH_FIELDS (torsion_spring_fields), HL_WITH_OUTPUTS (torsion_spring_outputs) },
  { HL_SECTION_LOADS, "tyre", "Tyre", "Lateral tyre force on a vehicle in plan view", "tyre", HL_WITH_FIELDS (tyre_fields), HL_WITH_OUTPUTS (tyre_outputs) },
};
/* clang-format on */
const int hl_schema_n_linkage_kinds = (int)G_N_ELEMENTS (hl_schema_linkage_kinds);
