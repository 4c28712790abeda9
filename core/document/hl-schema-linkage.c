/* SPDX-License-Identifier: MIT */
/* The linkage: bodies, joints, loads. Kinds of one section stand together, in palette order. */
#include "core/document/hl-schema-private.h"

/* clang-format off */
static const HlField body_fields[] = {
  FIELD ("points", POINTS, LENGTH, ABSENT, "Points", "Named places in the body's own frame"),
  NUMBER ("mass", MASS, REQUIRED, POSITIVE, "Mass", "Mass of the body"),
  NUMBER ("inertia", INERTIA, REQUIRED, POSITIVE, "Moment of inertia", "About the centre of mass"),
  FIELD ("com", VEC2, LENGTH, ABSENT, "Centre of mass", "In the body's own frame; its origin when absent"),
  FIELD ("pose", POSE, NONE, REQUIRED, "Pose", "Starting place and angle of the body's frame; corrected to the nearest consistent one"),
  FIELD ("velocity", VELOCITY, NONE, ABSENT, "Velocity", "Starting velocity; zero when absent"),
};

static const HlField two_point_fields[] = {
  FIELD ("a", POINT, NONE, REQUIRED, "Point a", "Point of the first body"),
  FIELD ("b", POINT, NONE, REQUIRED, "Point b", "Point of the second body"),
};
static const HlField prismatic_fields[] = {
  FIELD ("a", POINT, NONE, REQUIRED, "Point a", "Point of the guiding body"),
  FIELD ("b", POINT, NONE, REQUIRED, "Point b", "Point of the sliding body"),
  NUMBER ("axis", ANGLE, REQUIRED, ANY, "Axis", "Direction of sliding in the frame of a's body"),
  NUMBER ("angle", ANGLE, ABSENT, ANY, "Angle", "Constant angle of b's body minus a's; from the given poses when absent"),
};
static const HlField slot_fields[] = {
  FIELD ("a", POINT, NONE, REQUIRED, "Point a", "Point of the body with the slot"),
  FIELD ("b", POINT, NONE, REQUIRED, "Point b", "Point that stays on the slot's line"),
  NUMBER ("axis", ANGLE, REQUIRED, ANY, "Axis", "Direction of the slot in the frame of a's body"),
};
static const HlField weld_fields[] = {
  FIELD ("a", POINT, NONE, REQUIRED, "Point a", "Point of the first body"),
  FIELD ("b", POINT, NONE, REQUIRED, "Point b", "Point of the second body"),
  NUMBER ("angle", ANGLE, ABSENT, ANY, "Angle", "Constant angle of b's body minus a's; from the given poses when absent"),
};
static const HlField distance_fields[] = {
  FIELD ("a", POINT, NONE, REQUIRED, "Point a", "One end of the massless rod"),
  FIELD ("b", POINT, NONE, REQUIRED, "Point b", "The other end"),
  NUMBER ("length", LENGTH, REQUIRED, POSITIVE, "Length", "Constant distance of the two points"),
};
static const HlField knife_edge_fields[] = {
  FIELD ("point", POINT, NONE, REQUIRED, "Point", "Where the edge touches the ground"),
  NUMBER ("axis", ANGLE, REQUIRED, ANY, "Axis", "Direction in the body in which the point may move"),
};
static const HlOutput joint_outputs[] = {
  OUTPUT ("fx", FORCE, "Force on b's body, x"),
  OUTPUT ("fy", FORCE, "Force on b's body, y"),
  OUTPUT ("moment", TORQUE, "Moment on b's body"),
  OUTPUT ("angle", ANGLE, "Angle of b's body minus a's"),
};
static const HlOutput sliding_outputs[] = {
  OUTPUT ("fx", FORCE, "Force on b's body, x"),
  OUTPUT ("fy", FORCE, "Force on b's body, y"),
  OUTPUT ("moment", TORQUE, "Moment on b's body"),
  OUTPUT ("angle", ANGLE, "Angle of b's body minus a's"),
  OUTPUT ("travel", LENGTH, "Place of b along the axis"),
};

static const HlField torque_fields[] = {
  FIELD ("body", BODY, NONE, REQUIRED, "Body", "Body the torque acts on"),
  SIGNAL ("signal", TORQUE, REQUIRED, ANY, "Torque", "Counter-clockwise torque over time"),
};
static const HlField force_fields[] = {
  FIELD ("point", POINT, NONE, REQUIRED, "Point", "Point the force acts on"),
  FIELD ("direction", VEC2, NONE, REQUIRED, "Direction", "Direction, made a unit vector"),
  CHOICE ("frame", "ground|body", "Frame of direction", "Whether the direction is fixed to the ground or turns with the body"),
  SIGNAL ("signal", FORCE, REQUIRED, ANY, "Force", "Force over time"),
};
static const HlField spring_fields[] = {
  FIELD ("a", POINT, NONE, REQUIRED, "Point a", "One end"),
  FIELD ("b", POINT, NONE, REQUIRED, "Point b", "The other end"),
  NUMBER ("stiffness", STIFFNESS, REQUIRED, NOT_NEGATIVE, "Stiffness", "Force per length of stretch"),
  NUMBER ("damping", DAMPING, DEFAULT (0), NOT_NEGATIVE, "Damping", "Force per speed of stretch"),
  NUMBER ("free_length", LENGTH, REQUIRED, NOT_NEGATIVE, "Free length", "Length without force"),
};
static const HlField torsion_spring_fields[] = {
  FIELD ("a", BODY, NONE, REQUIRED, "Body a", "First body, or ground"),
  FIELD ("b", BODY, NONE, REQUIRED, "Body b", "Second body, or ground"),
  NUMBER ("stiffness", TORSION_STIFFNESS, REQUIRED, NOT_NEGATIVE, "Stiffness", "Torque per angle of b minus a"),
  NUMBER ("damping", TORSION_DAMPING, DEFAULT (0), NOT_NEGATIVE, "Damping", "Torque per angular speed"),
  NUMBER ("free_angle", ANGLE, DEFAULT (0), ANY, "Free angle", "Angle of b minus a without torque"),
};
static const HlField tyre_fields[] = {
  FIELD ("point", POINT, NONE, REQUIRED, "Point", "Where the tyre touches the ground"),
  NUMBER ("axis", ANGLE, REQUIRED, ANY, "Axis", "Rolling direction in the body"),
  NUMBER ("stiffness", TYRE_STIFFNESS, REQUIRED, NOT_NEGATIVE, "Cornering stiffness", "Lateral force is -stiffness times atan of lateral over longitudinal speed"),
};
static const HlOutput spring_outputs[] = {
  OUTPUT ("length", LENGTH, "Length"),
  OUTPUT ("force", FORCE, "Pull between the ends"),
};
static const HlOutput torsion_spring_outputs[] = {
  OUTPUT ("torque", TORQUE, "Torque on b"),
};
static const HlOutput tyre_outputs[] = {
  OUTPUT ("force", FORCE, "Lateral force"),
  OUTPUT ("slip", ANGLE, "Slip angle"),
};

const HlKind hl_schema_linkage_kinds[] = {
  { HL_SECTION_BODIES, NULL, "Body", "Planar rigid body", "link", WITH_FIELDS (body_fields) },

  { HL_SECTION_JOINTS, "revolute", "Revolute joint", "The two points coincide, the bodies turn freely", "joint", WITH_FIELDS (two_point_fields), WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "prismatic", "Prismatic joint", "b slides along an axis of a's body and does not turn against it", "slider", WITH_FIELDS (prismatic_fields), WITH_OUTPUTS (sliding_outputs) },
  { HL_SECTION_JOINTS, "slot", "Slot", "b stays on a line of a's body and turns freely", "slot", WITH_FIELDS (slot_fields), WITH_OUTPUTS (sliding_outputs) },
  { HL_SECTION_JOINTS, "weld", "Weld", "The points coincide and the bodies do not turn against each other", "weld", WITH_FIELDS (weld_fields), WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "distance", "Distance", "Massless rod between two points", "rod", WITH_FIELDS (distance_fields), WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "knife-edge", "Knife edge", "The point cannot move across its axis (nonholonomic)", "edge", WITH_FIELDS (knife_edge_fields), WITH_OUTPUTS (joint_outputs) },

  { HL_SECTION_LOADS, "torque", "Torque", "Torque on a body", "torque", WITH_FIELDS (torque_fields) },
  { HL_SECTION_LOADS, "force", "Force", "Force on a point", "force", WITH_FIELDS (force_fields) },
  { HL_SECTION_LOADS, "spring", "Spring", "Spring and damper between two points", "spring", WITH_FIELDS (spring_fields), WITH_OUTPUTS (spring_outputs) },
  { HL_SECTION_LOADS, "torsion-spring", "Torsion spring", "Torsion spring and damper between two bodies", "torsion", WITH_FIELDS (torsion_spring_fields), WITH_OUTPUTS (torsion_spring_outputs) },
  { HL_SECTION_LOADS, "tyre", "Tyre", "Lateral tyre force on a vehicle in plan view", "tyre", WITH_FIELDS (tyre_fields), WITH_OUTPUTS (tyre_outputs) },
};
/* clang-format on */
const int hl_schema_n_linkage_kinds = (int)G_N_ELEMENTS (hl_schema_linkage_kinds);
