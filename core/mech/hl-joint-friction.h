/* SPDX-License-Identifier: MIT */
/* The numbers of a joint's friction, with their places in the load that it becomes. */
#pragma once

#include "core/base/hl-kind-words.h"
#include "core/base/hl-status.h"
#include "core/mech/hl-load.h"

/* clang-format off */
#define HL_TURNING_FRICTION_FIELDS                                                                 \
  HL_NUMBER ("friction.torque", TORQUE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, coulomb), HL_TEXT ("Friction torque"), HL_TEXT ("Of the pin while it turns: about friction number times radius times load")), \
  HL_NUMBER ("friction.speed", ANGULAR_SPEED, HL_DEFAULT (0.01), HL_POSITIVE HL_AT (HlLoad, speed), HL_TEXT ("Friction speed"), HL_TEXT ("Speed below which the friction torque falls to 0")), \
  HL_NUMBER ("friction.viscous", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, damping), HL_TEXT ("Viscous friction"), HL_TEXT ("Torque per speed"))
#define HL_SLIDING_FRICTION_FIELDS                                                                 \
  HL_NUMBER ("friction.force", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, coulomb), HL_TEXT ("Friction force"), HL_TEXT ("Of the guide while it slides")), \
  HL_NUMBER ("friction.speed", SPEED, HL_DEFAULT (0.01), HL_POSITIVE HL_AT (HlLoad, speed), HL_TEXT ("Friction speed"), HL_TEXT ("Speed below which the friction force falls to 0")), \
  HL_NUMBER ("friction.viscous", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlLoad, damping), HL_TEXT ("Viscous friction"), HL_TEXT ("Force per speed"))
/* clang-format on */

/* Name of the class of a joint's friction, "turning-friction"; NULL: the class is an element's. */
const char *hl_joint_friction_name (const HlLoadClass *klass);
