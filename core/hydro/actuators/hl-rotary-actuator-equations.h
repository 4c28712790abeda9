/* SPDX-License-Identifier: MIT */
/* Rotary actuators, motor and vane actuator: their numbers are those of a cylinder that turns between two bodies
 * (hl-cylinder.h), with the displacement D in the place of both areas:
 *
 *   M = D (p_A - p_B) - Tf (w)       on b, -M on a       Tf = Tc tanh (w/w0) + c w
 *   q = D w + kl (p_A - p_B)         from A to B */
#pragma once

#include "core/base/hl-element-kind-macros.h"
#include "core/base/hl-status-codes.h"
#include "core/hydro/actuators/hl-cylinder.h"
#include "core/hydro/hl-component.h"

/* clang-format off */
#define HL_SHAFT_FIELDS                                                                            \
  HL_FIELD ("a", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body a"), HL_TEXT ("Body that carries the housing, or ground")), \
  HL_FIELD ("b", BODY, NONE, HL_REQUIRED, HL_TEXT ("Body b"), HL_TEXT ("Body that the shaft turns")), \
  HL_NUMBER ("displacement", DISPLACEMENT, HL_NEW (1e-05), HL_POSITIVE HL_AT (HlCylinder, area_a), HL_TEXT ("Displacement"), HL_TEXT ("Volume per radian of the shaft")), \
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, leakage), HL_TEXT ("Leakage"), HL_TEXT ("Flow from A to B per pressure difference")), \
  HL_NUMBER ("friction_torque", TORQUE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.Fc), HL_TEXT ("Friction torque"), HL_TEXT ("Friction of the turning shaft")), \
  HL_NUMBER ("friction_speed", ANGULAR_SPEED, HL_DEFAULT (1), HL_POSITIVE HL_AT (HlCylinder, friction.v0), HL_TEXT ("Friction speed"), HL_TEXT ("Speed below which the friction torque decreases to 0")), \
  HL_NUMBER ("viscous_friction", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_AT (HlCylinder, friction.sigma2), HL_TEXT ("Viscous friction"), HL_TEXT ("Torque per speed")), \
  HL_NUMBER ("virtual_stiffness", TORSION_STIFFNESS, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_stiffness), HL_TEXT ("Virtual stiffness"), HL_TEXT ("Quasistatic model: spring between actuator and linkage")), \
  HL_NUMBER ("virtual_damping", TORSION_DAMPING, HL_ABSENT, HL_POSITIVE HL_ONLY_QUASISTATIC HL_AT (HlCylinder, virtual_damping), HL_TEXT ("Virtual damping"), HL_TEXT ("Quasistatic model: damper between actuator and linkage"))
#define HL_SHAFT_OUTPUTS                                                                           \
  HL_OUTPUT_OF (CYLINDER, HL_CYL_S, "angle", ANGLE, HL_TEXT ("Angle of b against a")),             \
  HL_OUTPUT_OF (CYLINDER, HL_CYL_SPEED, "speed", ANGULAR_SPEED, HL_TEXT ("Speed of b against a")), \
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FORCE, "torque", TORQUE, HL_TEXT ("Torque on b, after friction")), \
  HL_OUTPUT_OF (CYLINDER, HL_CYL_FLOW, "flow", FLOW, HL_TEXT ("Flow from A to B"))
/* In words (hl-component-help.h). */
#define HL_SHAFT_LETTERS                                                                           \
  HL_LET ("D", HlCylinder, area_a), HL_LET ("k_L", HlCylinder, leakage),                           \
  HL_LET ("T_c", HlCylinder, friction.Fc), HL_LET ("omega_0", HlCylinder, friction.v0),                \
  HL_LET ("c", HlCylinder, friction.sigma2), HL_LET_PORT ("p_A", 0), HL_LET_PORT ("p_B", 1),       \
  HL_LET_MOTION ("omega", SPEED, ANGULAR_SPEED, HL_TEXT ("Speed of b against a"))
#define HL_SHAFT_FORMULAS                                                                          \
  {"T_f = T_c tanh(omega / omega_0) + c omega", HL_IS_OWN (hl_shaft_friction)},                                \
  {"M = D (p_A - p_B) - T_f", HL_IS (FORCE, 0)}
#define HL_SHAFT_CURVES                                                                            \
  {HL_TEXT ("Friction torque over speed"), HL_LET_MOTION ("omega", SPEED, ANGULAR_SPEED, NULL), "T_f", HL_QUANTITY_TORQUE, HL_IS_OWN (hl_shaft_friction), .low = -20, .high = 20}, \
  {HL_TEXT ("Leakage over pressure difference"), HL_LET_PORT ("p_A - p_B", 0), "q_L", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 2, .low = -2e7, .high = 2e7}
/* clang-format on */

/* Computes the derived parameters of motor and pump shafts. */
void hl_shaft_derive (HlComponent *c);
/* Returns the friction torque at the speed of the law [N m]; *slope: by that speed. */
double hl_shaft_friction (const HlComponent *c, const HlLaw *law, double *slope);
/* Implements HlComponentClass.passages: to the hybrid oil model they are rotary cylinders, and leak by their
 * law; the quasistatic model has them in networks only. */
int hl_shaft_passages (const HlComponent *c, HlPassage out[]);
