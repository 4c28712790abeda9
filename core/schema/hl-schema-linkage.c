/* SPDX-License-Identifier: MIT */
/* The bodies of the linkage. Its joints and loads tell their fields themselves (core/mech). */
#include "core/schema/hl-schema-private.h"

#include "core/base/hl-i18n.h"

/* clang-format off */
static const HlField body_fields[] = {
  HL_FIELD ("points", POINTS, LENGTH, HL_ABSENT, N_ ("Points"), N_ ("Named places in the body's own frame")),
  HL_NUMBER ("mass", MASS, HL_NEW (10), HL_POSITIVE, N_ ("Mass"), N_ ("Mass of the body")),
  HL_NUMBER ("inertia", INERTIA, HL_NEW (1), HL_POSITIVE, N_ ("Moment of inertia"), N_ ("About the centre of mass")),
  HL_FIELD ("com", VEC2, LENGTH, HL_ABSENT, N_ ("Centre of mass"), N_ ("In the body's own frame; its origin when absent")),
  HL_FIELD ("pose", POSE, NONE, HL_REQUIRED, N_ ("Pose"), N_ ("Starting place and angle of the body's frame; corrected to the nearest consistent one")),
  HL_FIELD ("velocity", VELOCITY, NONE, HL_ABSENT, N_ ("Velocity"), N_ ("Starting velocity; zero when absent")),
};

const HlKind hl_schema_linkage_kinds[] = {
  { HL_SECTION_BODIES, NULL, N_ ("Body"), N_ ("Planar rigid body"), "link", HL_WITH_FIELDS (body_fields) },
};
/* clang-format on */
const int hl_schema_n_linkage_kinds = (int)G_N_ELEMENTS (hl_schema_linkage_kinds);
