/* SPDX-License-Identifier: MIT */
#include "core/hydro/actuators/hl-cylinder-terms.h"

const HlCylinderTerms *hl_cylinder_terms (bool is_rotary) {
  static const HlCylinderTerms pushes = {.place = HL_QUANTITY_LENGTH,
                                         .speed = HL_QUANTITY_SPEED,
                                         .force = HL_QUANTITY_FORCE,
                                         .stiffness = HL_QUANTITY_STIFFNESS,
                                         .damping = HL_QUANTITY_DAMPING,
                                         .place_output = "s",
                                         .speed_output = "rod_speed",
                                         .force_output = "force",
                                         .speed_title = "velocity",
                                         .speed_unit = "m/s",
                                         .force_unit = "N"};
  static const HlCylinderTerms turns = {.is_rotary = true,
                                        .place = HL_QUANTITY_ANGLE,
                                        .speed = HL_QUANTITY_ANGULAR_SPEED,
                                        .force = HL_QUANTITY_TORQUE,
                                        .stiffness = HL_QUANTITY_TORSION_STIFFNESS,
                                        .damping = HL_QUANTITY_TORSION_DAMPING,
                                        .place_output = "angle",
                                        .speed_output = "speed",
                                        .force_output = "torque",
                                        .speed_title = "speed",
                                        .speed_unit = "rad/s",
                                        .force_unit = "N m"};

  return is_rotary ? &turns : &pushes;
}
