/* SPDX-License-Identifier: MIT */
#include "core/base/hl-element-kind.h"

static const char *const si_units[HL_N_QUANTITIES] = {
    [HL_QUANTITY_NONE] = "1",
    [HL_QUANTITY_LENGTH] = "m",
    [HL_QUANTITY_AREA] = "m2",
    [HL_QUANTITY_VOLUME] = "m3",
    [HL_QUANTITY_ANGLE] = "rad",
    [HL_QUANTITY_TIME] = "s",
    [HL_QUANTITY_RATE] = "1/s",
    [HL_QUANTITY_FREQUENCY] = "Hz",
    [HL_QUANTITY_SPEED] = "m/s",
    [HL_QUANTITY_INVERSE_SPEED] = "s/m",
    [HL_QUANTITY_INVERSE_ANGULAR_SPEED] = "s/rad",
    [HL_QUANTITY_ANGULAR_SPEED] = "rad/s",
    [HL_QUANTITY_ANGULAR_FREQUENCY] = "rad/s",
    [HL_QUANTITY_SHAFT_SPEED] = "rad/s",
    [HL_QUANTITY_ACCELERATION] = "m/s2",
    [HL_QUANTITY_ANGULAR_ACCELERATION] = "rad/s2",
    [HL_QUANTITY_MASS] = "kg",
    [HL_QUANTITY_INERTIA] = "kg m2",
    [HL_QUANTITY_DENSITY] = "kg/m3",
    [HL_QUANTITY_LINE_DENSITY] = "kg/m",
    [HL_QUANTITY_DISPLACEMENT] = "m3/rad",
    [HL_QUANTITY_COMPLIANCE] = "m3/Pa",
    [HL_QUANTITY_FORCE] = "N",
    [HL_QUANTITY_TORQUE] = "N m",
    [HL_QUANTITY_STIFFNESS] = "N/m",
    [HL_QUANTITY_DAMPING] = "N s/m",
    [HL_QUANTITY_TORSION_STIFFNESS] = "N m/rad",
    [HL_QUANTITY_TORSION_DAMPING] = "N m s/rad",
    [HL_QUANTITY_TYRE_STIFFNESS] = "N/rad",
    [HL_QUANTITY_PRESSURE] = "Pa",
    [HL_QUANTITY_PRESSURE_DIFFERENCE] = "Pa",
    [HL_QUANTITY_MODULUS] = "Pa",
    [HL_QUANTITY_FLOW] = "m3/s",
    [HL_QUANTITY_VISCOSITY] = "Pa s",
    [HL_QUANTITY_RESISTANCE] = "Pa s/m3",
    [HL_QUANTITY_LEAKAGE] = "m3/(s Pa)",
    [HL_QUANTITY_VALVE_FLOW] = "m3/(s sqrt(Pa))",
    [HL_QUANTITY_POWER] = "W",
    [HL_QUANTITY_ENERGY] = "J",
};

const char *hl_quantity_si (HlQuantity quantity) {
  return si_units[quantity];
}
