/* SPDX-License-Identifier: MIT */
/* The linkage: bodies, joints, loads. Kinds of one section stand together, in palette order. */
#include "core/document/hl-schema-private.h"

#include "core/document/hl-i18n.h"

/* clang-format off */
static const HlField body_fields[] = {
  HL_FIELD ("points", POINTS, LENGTH, HL_ABSENT, N_ ("Points"), N_ ("Named places in the body's own frame")),
  HL_NUMBER ("mass", MASS, HL_NEW (10), HL_POSITIVE, N_ ("Mass"), N_ ("Mass of the body")),
  HL_NUMBER ("inertia", INERTIA, HL_NEW (1), HL_POSITIVE, N_ ("Moment of inertia"), N_ ("About the centre of mass")),
  HL_FIELD ("com", VEC2, LENGTH, HL_ABSENT, N_ ("Centre of mass"), N_ ("In the body's own frame; its origin when absent")),
  HL_FIELD ("pose", POSE, NONE, HL_REQUIRED, N_ ("Pose"), N_ ("Starting place and angle of the body's frame; corrected to the nearest consistent one")),
  HL_FIELD ("velocity", VELOCITY, NONE, HL_ABSENT, N_ ("Velocity"), N_ ("Starting velocity; zero when absent")),
};

static const HlField two_point_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, N_ ("Point a"), N_ ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, N_ ("Point b"), N_ ("Point of the second body")),
};
static const HlField prismatic_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, N_ ("Point a"), N_ ("Point of the guiding body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, N_ ("Point b"), N_ ("Point of the sliding body")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, N_ ("Axis"), N_ ("Direction of sliding in the frame of a's body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, N_ ("Angle"), N_ ("Constant angle of b's body minus a's; from the given poses when absent")),
};
static const HlField slot_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, N_ ("Point a"), N_ ("Point of the body with the slot")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, N_ ("Point b"), N_ ("Point that stays on the slot's line")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, N_ ("Axis"), N_ ("Direction of the slot in the frame of a's body")),
};
static const HlField weld_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, N_ ("Point a"), N_ ("Point of the first body")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, N_ ("Point b"), N_ ("Point of the second body")),
  HL_NUMBER ("angle", ANGLE, HL_ABSENT, HL_ANY, N_ ("Angle"), N_ ("Constant angle of b's body minus a's; from the given poses when absent")),
};
static const HlField distance_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, N_ ("Point a"), N_ ("One end of the massless rod")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, N_ ("Point b"), N_ ("The other end")),
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE, N_ ("Length"), N_ ("Constant distance of the two points")),
};
static const HlField knife_edge_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, N_ ("Point"), N_ ("Where the edge touches the ground")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, N_ ("Axis"), N_ ("Direction in the body in which the point may move")),
};
static const HlOutput joint_outputs[] = {
  HL_OUTPUT ("fx", FORCE, N_ ("Force on b's body, x")),
  HL_OUTPUT ("fy", FORCE, N_ ("Force on b's body, y")),
  HL_OUTPUT ("moment", TORQUE, N_ ("Moment on b's body")),
  HL_OUTPUT ("angle", ANGLE, N_ ("Angle of b's body minus a's")),
};
static const HlOutput sliding_outputs[] = {
  HL_OUTPUT ("fx", FORCE, N_ ("Force on b's body, x")),
  HL_OUTPUT ("fy", FORCE, N_ ("Force on b's body, y")),
  HL_OUTPUT ("moment", TORQUE, N_ ("Moment on b's body")),
  HL_OUTPUT ("angle", ANGLE, N_ ("Angle of b's body minus a's")),
  HL_OUTPUT ("travel", LENGTH, N_ ("Place of b along the axis")),
};

static const HlField torque_fields[] = {
  HL_FIELD ("body", BODY, NONE, HL_REQUIRED, N_ ("Body"), N_ ("Body the torque acts on")),
  HL_SIGNAL ("signal", TORQUE, HL_NEW (0), HL_ANY, N_ ("Torque"), N_ ("Counter-clockwise torque over time")),
};
static const HlField force_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, N_ ("Point"), N_ ("Point the force acts on")),
  HL_FIELD ("direction", VEC2, NONE, HL_REQUIRED, N_ ("Direction"), N_ ("Direction, made a unit vector")),
  HL_CHOICE ("frame", "ground|body", N_ ("Frame of direction"), N_ ("Whether the direction is fixed to the ground or turns with the body")),
  HL_SIGNAL ("signal", FORCE, HL_NEW (0), HL_ANY, N_ ("Force"), N_ ("Force over time")),
};
static const HlField spring_fields[] = {
  HL_FIELD ("a", POINT, NONE, HL_REQUIRED, N_ ("Point a"), N_ ("One end")),
  HL_FIELD ("b", POINT, NONE, HL_REQUIRED, N_ ("Point b"), N_ ("The other end")),
  HL_NUMBER ("stiffness", STIFFNESS, HL_NEW (10000), HL_NOT_NEGATIVE, N_ ("Stiffness"), N_ ("Force per length of stretch")),
  HL_NUMBER ("damping", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Damping"), N_ ("Force per speed of stretch")),
  HL_NUMBER ("free_length", LENGTH, HL_NEW (1), HL_NOT_NEGATIVE, N_ ("Free length"), N_ ("Length without force")),
};
static const HlField torsion_spring_fields[] = {
  HL_FIELD ("a", BODY, NONE, HL_REQUIRED, N_ ("Body a"), N_ ("First body, or ground")),
  HL_FIELD ("b", BODY, NONE, HL_REQUIRED, N_ ("Body b"), N_ ("Second body, or ground")),
  HL_NUMBER ("stiffness", TORSION_STIFFNESS, HL_NEW (1000), HL_NOT_NEGATIVE, N_ ("Stiffness"), N_ ("Torque per angle of b minus a")),
  HL_NUMBER ("damping", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Damping"), N_ ("Torque per angular speed")),
  HL_NUMBER ("free_angle", ANGLE, HL_DEFAULT (0), HL_ANY, N_ ("Free angle"), N_ ("Angle of b minus a without torque")),
};
static const HlField tyre_fields[] = {
  HL_FIELD ("point", POINT, NONE, HL_REQUIRED, N_ ("Point"), N_ ("Where the tyre touches the ground")),
  HL_NUMBER ("axis", ANGLE, HL_NEW (0), HL_ANY, N_ ("Axis"), N_ ("Rolling direction in the body")),
  HL_NUMBER ("stiffness", TYRE_STIFFNESS, HL_NEW (100000), HL_NOT_NEGATIVE, N_ ("Cornering stiffness"), N_ ("Lateral force is -stiffness times atan of lateral over longitudinal speed")),
};
static const HlOutput spring_outputs[] = {
  HL_OUTPUT ("length", LENGTH, N_ ("Length")),
  HL_OUTPUT ("force", FORCE, N_ ("Pull between the ends")),
};
static const HlOutput torsion_spring_outputs[] = {
  HL_OUTPUT ("torque", TORQUE, N_ ("Torque on b")),
};
static const HlOutput tyre_outputs[] = {
  HL_OUTPUT ("force", FORCE, N_ ("Lateral force")),
  HL_OUTPUT ("slip", ANGLE, N_ ("Slip angle")),
};

const HlKind hl_schema_linkage_kinds[] = {
  { HL_SECTION_BODIES, NULL, N_ ("Body"), N_ ("Planar rigid body"), "link", HL_WITH_FIELDS (body_fields) },

  { HL_SECTION_JOINTS, "revolute", N_ ("Revolute joint"), N_ ("The two points coincide, the bodies turn freely"), "joint", HL_WITH_FIELDS (two_point_fields), HL_WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "prismatic", N_ ("Prismatic joint"), N_ ("b slides along an axis of a's body and does not turn against it"), "slider", HL_WITH_FIELDS (prismatic_fields), HL_WITH_OUTPUTS (sliding_outputs) },
  { HL_SECTION_JOINTS, "slot", N_ ("Slot"), N_ ("b stays on a line of a's body and turns freely"), "slot", HL_WITH_FIELDS (slot_fields), HL_WITH_OUTPUTS (sliding_outputs) },
  { HL_SECTION_JOINTS, "weld", N_ ("Weld"), N_ ("The points coincide and the bodies do not turn against each other"), "weld", HL_WITH_FIELDS (weld_fields), HL_WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "distance", N_ ("Distance"), N_ ("Massless rod between two points"), "rod", HL_WITH_FIELDS (distance_fields), HL_WITH_OUTPUTS (joint_outputs) },
  { HL_SECTION_JOINTS, "knife-edge", N_ ("Knife edge"), N_ ("The point cannot move across its axis (nonholonomic)"), "edge", HL_WITH_FIELDS (knife_edge_fields), HL_WITH_OUTPUTS (joint_outputs) },

  { HL_SECTION_LOADS, "torque", N_ ("Torque"), N_ ("Torque on a body"), "torque", HL_WITH_FIELDS (torque_fields) },
  { HL_SECTION_LOADS, "force", N_ ("Force"), N_ ("Force on a point"), "force", HL_WITH_FIELDS (force_fields) },
  { HL_SECTION_LOADS, "spring", N_ ("Spring"), N_ ("Spring and damper between two points"), "spring", HL_WITH_FIELDS (spring_fields), HL_WITH_OUTPUTS (spring_outputs) },
  { HL_SECTION_LOADS, "torsion-spring", N_ ("Torsion spring"), N_ ("Torsion spring and damper between two bodies"), "torsion", HL_WITH_FIELDS (torsion_spring_fields), HL_WITH_OUTPUTS (torsion_spring_outputs) },
  { HL_SECTION_LOADS, "tyre", N_ ("Tyre"), N_ ("Lateral tyre force on a vehicle in plan view"), "tyre", HL_WITH_FIELDS (tyre_fields), HL_WITH_OUTPUTS (tyre_outputs) },
};
/* clang-format on */
const int hl_schema_n_linkage_kinds = (int)G_N_ELEMENTS (hl_schema_linkage_kinds);
