/* SPDX-License-Identifier: MIT */
/* The circuit: components and lines. Flow is positive from the first port to the second. */
#include "core/document/hl-schema-private.h"

#include "core/document/hl-i18n.h"

/* clang-format off */
#define DP_LIM HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE, N_ ("Laminar limit"), N_ ("Below this pressure difference the flow is laminar; 0: turbulent throughout where the model allows it"))
#define CD_DEFAULT HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE, N_ ("Discharge coefficient"), N_ ("Of the orifice"))
#define CD_REQUIRED HL_NUMBER ("Cd", NONE, HL_NEW (0.6), HL_POSITIVE, N_ ("Discharge coefficient"), N_ ("Of the open valve"))

static const HlField pressure_source_fields[] = {
  HL_NUMBER ("pressure", PRESSURE, HL_NEW (1e+07), HL_NOT_NEGATIVE, N_ ("Pressure"), N_ ("Absolute pressure that is kept")),
};
static const HlField flow_source_fields[] = {
  HL_NUMBER ("flow", FLOW, HL_NEW (0.0005), HL_ANY, N_ ("Flow"), N_ ("Flow delivered into its line")),
  HL_NUMBER ("relief_pressure", PRESSURE, HL_ABSENT, HL_POSITIVE, N_ ("Relief pressure"), N_ ("Built-in relief; none when absent")),
};
static const HlField tank_fields[] = {
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE, N_ ("Pressure"), N_ ("Absolute pressure of the tank")),
};
static const HlField directional_valve_fields[] = {
  HL_NUMBER ("Cv", VALVE_FLOW, HL_NEW (1e-08), HL_POSITIVE, N_ ("Flow coefficient"), N_ ("Flow at full opening over the root of the pressure difference")),
  HL_NUMBER ("time_constant", TIME, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Time constant"), N_ ("First-order lag of the spool; 0: no spool state")),
  DP_LIM,
  HL_NUMBER ("dead_zone", NONE, HL_DEFAULT (0), HL_FROM_BELOW (0, 1), N_ ("Dead zone"), N_ ("Flow follows sign(U) max(|U| - dead zone, 0)")),
  HL_SIGNAL ("command", NONE, HL_DEFAULT (0), HL_WITHIN (-1, 1), N_ ("Command"), N_ ("Wished spool position over time; above 0: P to A and B to T")),
  HL_NUMBER ("spool", NONE, HL_DEFAULT (0), HL_WITHIN (-1, 1), N_ ("Spool"), N_ ("Spool position at t = 0")),
};
static const HlField throttle_fields[] = {
  CD_DEFAULT,
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.004), HL_POSITIVE, N_ ("Diameter"), N_ ("Of the orifice")),
  HL_NUMBER ("area", AREA, HL_ONE_OF ("bore", 1, 1.3e-05), HL_POSITIVE, N_ ("Area"), N_ ("Of the orifice")),
  DP_LIM,
};
static const HlField metering_valve_fields[] = {
  CD_DEFAULT,
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE, N_ ("Area"), N_ ("At full opening")),
  HL_SIGNAL ("opening", NONE, HL_NEW (0), HL_WITHIN (0, 1), N_ ("Opening"), N_ ("Opening over time, 0 to 1")),
  DP_LIM,
  HL_FLAG ("one_way", N_ ("One way"), N_ ("Flow from A to B only")),
  HL_NUMBER ("min_opening", NONE, HL_DEFAULT (0.02), HL_WITHIN (0, 1), N_ ("Smallest opening"), N_ ("Hybrid model: opening used while it is between 0 and this")),
};
static const HlField check_valve_fields[] = {
  CD_REQUIRED,
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE, N_ ("Area"), N_ ("When open")),
  HL_NUMBER ("cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Cracking pressure"), N_ ("Difference A - B above which it opens")),
  DP_LIM,
};
static const HlField relief_valve_fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (2e+07), HL_NOT_NEGATIVE, N_ ("Set pressure"), N_ ("Difference A - T above which it opens")),
  CD_REQUIRED,
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE, N_ ("Area"), N_ ("When open")),
  DP_LIM,
};
static const HlField accumulator_fields[] = {
  HL_NUMBER ("volume", VOLUME, HL_NEW (0.001), HL_POSITIVE, N_ ("Volume"), N_ ("Of the empty accumulator")),
  HL_NUMBER ("precharge", PRESSURE, HL_NEW (5e+06), HL_POSITIVE, N_ ("Precharge"), N_ ("Absolute gas pressure without oil")),
  HL_NUMBER ("polytropic_index", NONE, HL_DEFAULT (1.2), HL_POSITIVE, N_ ("Polytropic index"), N_ ("1: isothermal, 1.4: adiabatic")),
};
static const HlField pipe_fields[] = {
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE, N_ ("Length"), N_ ("Of the pipe")),
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.01), HL_POSITIVE, N_ ("Diameter"), N_ ("Inside")),
  HL_NUMBER ("area", AREA, HL_ONE_OF ("bore", 1, 8e-05), HL_POSITIVE, N_ ("Area"), N_ ("Inside")),
  HL_NUMBER ("resistance", RESISTANCE, HL_ABSENT, HL_NOT_NEGATIVE, N_ ("Resistance"), N_ ("Linear; from the oil's viscosity when absent")),
  HL_FLAG ("inertia", N_ ("Oil inertia"), N_ ("Lumped model: the flow is a state")),
};
static const HlField cylinder_fields[] = {
  HL_FIELD ("base", POINT, NONE, HL_REQUIRED, N_ ("Base"), N_ ("Point the barrel hangs on")),
  HL_FIELD ("rod", POINT, NONE, HL_REQUIRED, N_ ("Rod"), N_ ("Point the rod hangs on")),
  HL_NUMBER ("piston_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.08), HL_POSITIVE, N_ ("Piston diameter"), N_ ("Inside diameter of the barrel")),
  HL_NUMBER ("rod_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.04), HL_NOT_NEGATIVE, N_ ("Rod diameter"), N_ ("Less than the piston's")),
  HL_NUMBER ("piston_area", AREA, HL_ONE_OF ("bore", 1, 0.005), HL_POSITIVE, N_ ("Piston area"), N_ ("Area on side A")),
  HL_NUMBER ("rod_side_area", AREA, HL_ONE_OF ("bore", 1, 0.00375), HL_POSITIVE, N_ ("Rod-side area"), N_ ("Area on side B")),
  HL_NUMBER ("stroke", LENGTH, HL_NEW (0.5), HL_POSITIVE, N_ ("Stroke"), N_ ("Way of the piston from end to end")),
  HL_NUMBER ("c1", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Dead length c1"), N_ ("Length between the points that is not chamber, base side")),
  HL_NUMBER ("c2", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Dead length c2"), N_ ("Length between the points that is not chamber, rod side")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE, N_ ("Wall modulus"), N_ ("Stiffness of the barrel; rigid when absent")),
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Leakage"), N_ ("Flow past the piston per pressure difference")),
  HL_CHOICE ("friction.model", "none|viscous|brown-mcphee", N_ ("Friction law"), N_ ("Law of the seals' friction")),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fc", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Coulomb force F_c"), N_ ("Friction while sliding fast, without the viscous part")),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fs", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Static force F_s"), N_ ("Largest friction near standstill")),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.vs", SPEED, HL_NEW (0.0125), HL_POSITIVE, N_ ("Stribeck speed v_s"), N_ ("Speed at which friction is largest")),
  HL_NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.sigma2", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Viscous coefficient σ₂"), N_ ("Force per speed")),
  HL_NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.scale", NONE, HL_DEFAULT (1), HL_NOT_NEGATIVE, N_ ("Friction scale"), N_ ("Multiplies F_c, F_s and the viscous coefficient")),
  HL_NUMBER ("virtual_stiffness", STIFFNESS, HL_ABSENT, HL_POSITIVE, N_ ("Virtual stiffness"), N_ ("Quasistatic model: spring of the virtual element")),
  HL_NUMBER ("virtual_damping", DAMPING, HL_ABSENT, HL_POSITIVE, N_ ("Virtual damping"), N_ ("Quasistatic model: damper of the virtual element")),
};
static const HlField line_fields[] = {
  HL_FIELD ("ports", PORTS, NONE, HL_REQUIRED, N_ ("Ports"), N_ ("Ports that share this pressure")),
  HL_NUMBER ("volume", VOLUME, HL_DEFAULT (0), HL_NOT_NEGATIVE, N_ ("Hose volume"), N_ ("Oil in the hoses of the net")),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE, N_ ("Wall modulus"), N_ ("Stiffness of the hose; rigid when absent")),
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE, N_ ("Pressure"), N_ ("At t = 0; that of the source or tank when it touches one")),
  HL_CHOICE ("role", "working|pilot|drain", N_ ("Kind of line"), N_ ("How it is drawn: working lines solid, pilot and drain lines dashed (ISO 1219-1)")),
  HL_FIELD ("label", TEXT, NONE, HL_ABSENT, N_ ("Label"), N_ ("Written beside the line")),
};

static const HlOutput flow_outputs[] = {
  HL_OUTPUT ("flow", FLOW, N_ ("Flow")),
};
static const HlOutput directional_valve_outputs[] = {
  HL_OUTPUT ("flow_P", FLOW, N_ ("Flow into P")),
  HL_OUTPUT ("flow_T", FLOW, N_ ("Flow into T")),
  HL_OUTPUT ("flow_A", FLOW, N_ ("Flow into A")),
  HL_OUTPUT ("flow_B", FLOW, N_ ("Flow into B")),
};
static const HlOutput accumulator_outputs[] = {
  HL_OUTPUT ("flow", FLOW, N_ ("Flow in")),
  HL_OUTPUT ("gas_volume", VOLUME, N_ ("Gas volume")),
};
static const HlOutput cylinder_outputs[] = {
  HL_OUTPUT ("s", LENGTH, N_ ("Length between the points")),
  HL_OUTPUT ("speed", SPEED, N_ ("Speed of extension")),
  HL_OUTPUT ("force", FORCE, N_ ("Force, positive in extension, after friction")),
  HL_OUTPUT ("friction_force", FORCE, N_ ("Friction force")),
  HL_OUTPUT ("rod_position", LENGTH, N_ ("Length up to the piston")),
  HL_OUTPUT ("rod_speed", SPEED, N_ ("Speed of the piston")),
  HL_OUTPUT ("flow_A", FLOW, N_ ("Flow into A")),
  HL_OUTPUT ("flow_B", FLOW, N_ ("Flow into B")),
};

const HlKind hl_schema_hydraulic_kinds[] = {
  { HL_SECTION_COMPONENTS, "pressure-source", N_ ("Pressure source"), N_ ("Keeps its line at a pressure"), "pump", 1, { "P" }, HL_WITH_FIELDS (pressure_source_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "flow-source", N_ ("Flow source"), N_ ("Pump with constant flow"), "pump", 1, { "P" }, HL_WITH_FIELDS (flow_source_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "tank", N_ ("Tank"), N_ ("Keeps its line at the tank's pressure"), "tank", 1, { "T" }, HL_WITH_FIELDS (tank_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "directional-valve", N_ ("4/3 directional valve"), N_ ("Proportional valve with spool dynamics"), "valve", 4, { "P", "T", "A", "B" }, HL_WITH_FIELDS (directional_valve_fields), HL_WITH_OUTPUTS (directional_valve_outputs) },
  { HL_SECTION_COMPONENTS, "throttle", N_ ("Throttle"), N_ ("Orifice"), "throttle", 2, { "A", "B" }, HL_WITH_FIELDS (throttle_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "metering-valve", N_ ("Metering valve"), N_ ("Orifice with a commanded opening"), "metering", 2, { "A", "B" }, HL_WITH_FIELDS (metering_valve_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "check-valve", N_ ("Check valve"), N_ ("Flow from A to B only"), "check", 2, { "A", "B" }, HL_WITH_FIELDS (check_valve_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "relief-valve", N_ ("Relief valve"), N_ ("Opens above a pressure difference"), "relief", 2, { "A", "T" }, HL_WITH_FIELDS (relief_valve_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "accumulator", N_ ("Accumulator"), N_ ("Gas-loaded oil store"), "accumulator", 1, { "A" }, HL_WITH_FIELDS (accumulator_fields), HL_WITH_OUTPUTS (accumulator_outputs) },
  { HL_SECTION_COMPONENTS, "pipe", N_ ("Pipe"), N_ ("Linear resistance and oil inertia"), "pipe", 2, { "A", "B" }, HL_WITH_FIELDS (pipe_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "cylinder", N_ ("Cylinder"), N_ ("Double-acting cylinder between two points of the linkage"), "cyl", 2, { "A", "B" }, HL_WITH_FIELDS (cylinder_fields), HL_WITH_OUTPUTS (cylinder_outputs) },

  { HL_SECTION_LINES, NULL, N_ ("Line"), N_ ("Hose net: all its ports share one pressure"), "line", HL_WITH_FIELDS (line_fields) },
};
/* clang-format on */
const int hl_schema_n_hydraulic_kinds = (int)G_N_ELEMENTS (hl_schema_hydraulic_kinds);
