/* SPDX-License-Identifier: MIT */
/* Equations shared by pumps of fixed and of variable displacement. S is port 0, P port 1; a is the swash, 1 where there
 * is none:
 *
 *   q = a D omega phi (p_s) - kl (p_P - p_S)             from S to P
 *   M = a D (p_P - p_S) + Tf (w)                     at the shaft
 *   Tf = Tc tanh (w/w0) + c w
 *   phi = 1 for p_s >= p_c, else x (2 - x), x = p_s/p_c:  it starves.   phi' = 2 (1 - x)/p_c
 *
 * p_s is the pressure where it sucks, p_S or, turned backwards, p_P; p_c the vapour pressure of the
 * oil, at least 1 kPa. Ports on no line are open to the outside. */
#pragma once

#include "core/hydro/hl-component.h"

enum { HL_PUMP_S, HL_PUMP_P };

typedef struct {
  double displacement;     /* D [m3/rad] */
  double leakage;          /* kl [m3/(s Pa)] */
  double friction_torque;  /* Tc [N m] */
  double friction_speed;   /* w0 [rad/s] */
  double viscous_friction; /* c [N m s] */
  double onset;            /* derived: p_c [Pa] */
} HlShaftPump;

/* Outputs of both, HL_READS_LAW: the parts. */
enum { HL_PUMP_TORQUE, HL_PUMP_POWER };

/* clang-format off */
/* HL_PUMP_USE, of the file that has the fields: nothing where the other oils read displacement and
 * speed as well, or HL_NOT_QUASISTATIC. */
#define HL_PUMP_FIELDS(type, member)                                                               \
  HL_NUMBER ("displacement", DISPLACEMENT, HL_NEW (4e-06), HL_POSITIVE HL_PUMP_USE HL_AT (type, member displacement), HL_TEXT ("Displacement"), HL_TEXT ("Volume per radian of the shaft")), \
  HL_SIGNAL ("speed", SHAFT_SPEED, HL_NEW (157.07963267948966), HL_ANY HL_PUMP_USE, HL_TEXT ("Shaft speed"), HL_TEXT ("Shaft speed over time")), \
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (type, member leakage), HL_TEXT ("Leakage"), HL_TEXT ("Leakage flow per pressure difference")), \
  HL_NUMBER ("friction_torque", TORQUE, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (type, member friction_torque), HL_TEXT ("Friction torque"), HL_TEXT ("Friction of the turning shaft")), \
  HL_NUMBER ("friction_speed", SHAFT_SPEED, HL_DEFAULT (1), HL_POSITIVE HL_NOT_QUASISTATIC HL_AT (type, member friction_speed), HL_TEXT ("Friction speed"), HL_TEXT ("Speed below which the friction torque decreases to 0")), \
  HL_NUMBER ("viscous_friction", TORSION_DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE HL_NOT_QUASISTATIC HL_AT (type, member viscous_friction), HL_TEXT ("Viscous friction"), HL_TEXT ("Torque per speed"))
/* In words (hl-component-help.h). */
#define HL_PUMP_LETTERS(type, member)                                                              \
  HL_LET ("D", type, member displacement), HL_LET_SIGNAL ("omega", 0),                                 \
  HL_LET ("k_L", type, member leakage), HL_LET ("T_c", type, member friction_torque),              \
  HL_LET ("omega_0", type, member friction_speed), HL_LET ("c", type, member viscous_friction),        \
  HL_LET_DERIVED ("p_c", type, member onset, PRESSURE, HL_TEXT ("Inlet pressure below which the flow decreases")), \
  HL_LET_PORT ("p_S", HL_PUMP_S), HL_LET_PORT ("p_P", HL_PUMP_P)
#define HL_PUMP_SUCTION_FORMULA                                                                    \
  {.text = "p_s = cases(p_P, omega < 0, p_S)"},                                                        \
  {.text = "phi = cases(1, p_s >= p_c, (p_s / p_c) (2 - p_s / p_c))"}
#define HL_PUMP_CURVES                                                                             \
  {HL_TEXT ("Flow over pressure difference"), HL_LET_PORT ("p_P - p_S", HL_PUMP_P), "q", HL_QUANTITY_FLOW, HL_IS (FLOW, 0), .over = 1 + HL_PUMP_S, .low = -1e6, .high = 2.5e7}, \
  {HL_TEXT ("Torque over speed"), HL_LET_SIGNAL ("omega", 0), "M", HL_QUANTITY_TORQUE, HL_IS (OUTPUT, HL_PUMP_TORQUE), .low = -30, .high = 300}
#define HL_PUMP_OUTPUTS                                                                            \
  HL_OUTPUT_FLOWS ("flow", HL_TEXT ("Flow out of P"), 1.0),                                        \
  HL_OUTPUT_OF (LAW, HL_PUMP_TORQUE, "torque", TORQUE, HL_TEXT ("Torque at the shaft")),           \
  HL_OUTPUT_OF (LAW, HL_PUMP_POWER, "power", POWER, HL_TEXT ("Power at the shaft"))
/* clang-format on */

void hl_pump_derive (HlShaftPump *pump, const HlFluid *fluid);
/* Computes the flow at a swash, into law->q[0], and its slopes by the ports, the speed (column `speed`), and
 * the swash (column `swash`, -1: none). */
void hl_pump_flow (const HlShaftPump *pump, double a, HlLaw *law, double w, int speed, int swash);
/* Returns the torque at the shaft [N m] or its power [W] (part), with its slopes, d[ports + states +
 * signals], where d is not NULL. */
double hl_pump_shaft (const HlShaftPump *pump, double a, const HlLaw *law, double w, int part, int speed,
                      int swash, double d[]);
/* Adds the power supplied by the shaft, lost, and exchanged with the outside (hl-component.h). */
void hl_pump_power (const HlComponent *c, const HlShaftPump *pump, double a, const HlLaw *law, double w,
                    double powers[3]);
