/* SPDX-License-Identifier: MIT */
/* The circuit: components and lines. Flow is positive from the first port to the second. */
#include "core/document/hl-schema-private.h"

/* clang-format off */
#define DP_LIM NUMBER ("dp_lim", PRESSURE_DIFFERENCE, DEFAULT (2e5), NOT_NEGATIVE, "Laminar limit", "Below this pressure difference the flow is laminar; 0: turbulent throughout where the model allows it")
#define CD_DEFAULT NUMBER ("Cd", NONE, DEFAULT (0.6), POSITIVE, "Discharge coefficient", "Of the orifice")
#define CD_REQUIRED NUMBER ("Cd", NONE, REQUIRED, POSITIVE, "Discharge coefficient", "Of the open valve")

static const HlField pressure_source_fields[] = {
  NUMBER ("pressure", PRESSURE, REQUIRED, NOT_NEGATIVE, "Pressure", "Absolute pressure that is kept"),
};
static const HlField flow_source_fields[] = {
  NUMBER ("flow", FLOW, REQUIRED, ANY, "Flow", "Flow delivered into its line"),
  NUMBER ("relief_pressure", PRESSURE, ABSENT, POSITIVE, "Relief pressure", "Built-in relief; none when absent"),
};
static const HlField tank_fields[] = {
  NUMBER ("pressure", PRESSURE, DEFAULT (1e5), NOT_NEGATIVE, "Pressure", "Absolute pressure of the tank"),
};
static const HlField directional_valve_fields[] = {
  NUMBER ("Cv", VALVE_FLOW, REQUIRED, POSITIVE, "Flow coefficient", "Flow at full opening over the root of the pressure difference"),
  NUMBER ("time_constant", TIME, DEFAULT (0), NOT_NEGATIVE, "Time constant", "First-order lag of the spool; 0: no spool state"),
  DP_LIM,
  NUMBER ("dead_zone", NONE, DEFAULT (0), FROM_BELOW (0, 1), "Dead zone", "Flow follows sign(U) max(|U| - dead zone, 0)"),
  SIGNAL ("command", NONE, DEFAULT (0), WITHIN (-1, 1), "Command", "Wished spool position over time; above 0: P to A and B to T"),
  NUMBER ("spool", NONE, DEFAULT (0), WITHIN (-1, 1), "Spool", "Spool position at t = 0"),
};
static const HlField throttle_fields[] = {
  CD_DEFAULT,
  NUMBER ("diameter", LENGTH, ONE_OF ("bore", 0), POSITIVE, "Diameter", "Of the orifice"),
  NUMBER ("area", AREA, ONE_OF ("bore", 1), POSITIVE, "Area", "Of the orifice"),
  DP_LIM,
};
static const HlField metering_valve_fields[] = {
  CD_DEFAULT,
  NUMBER ("area", AREA, REQUIRED, POSITIVE, "Area", "At full opening"),
  SIGNAL ("opening", NONE, REQUIRED, WITHIN (0, 1), "Opening", "Opening over time, 0 to 1"),
  DP_LIM,
  FLAG ("one_way", "One way", "Flow from A to B only"),
  NUMBER ("min_opening", NONE, DEFAULT (0.02), WITHIN (0, 1), "Smallest opening", "Hybrid model: opening used while it is between 0 and this"),
};
static const HlField check_valve_fields[] = {
  CD_REQUIRED,
  NUMBER ("area", AREA, REQUIRED, POSITIVE, "Area", "When open"),
  NUMBER ("cracking_pressure", PRESSURE_DIFFERENCE, DEFAULT (0), NOT_NEGATIVE, "Cracking pressure", "Difference A - B above which it opens"),
  DP_LIM,
};
static const HlField relief_valve_fields[] = {
  NUMBER ("pressure", PRESSURE_DIFFERENCE, REQUIRED, NOT_NEGATIVE, "Set pressure", "Difference A - T above which it opens"),
  CD_REQUIRED,
  NUMBER ("area", AREA, REQUIRED, POSITIVE, "Area", "When open"),
  DP_LIM,
};
static const HlField accumulator_fields[] = {
  NUMBER ("volume", VOLUME, REQUIRED, POSITIVE, "Volume", "Of the empty accumulator"),
  NUMBER ("precharge", PRESSURE, REQUIRED, POSITIVE, "Precharge", "Absolute gas pressure without oil"),
  NUMBER ("polytropic_index", NONE, DEFAULT (1.2), POSITIVE, "Polytropic index", "1: isothermal, 1.4: adiabatic"),
};
static const HlField pipe_fields[] = {
  NUMBER ("length", LENGTH, REQUIRED, POSITIVE, "Length", "Of the pipe"),
  NUMBER ("diameter", LENGTH, ONE_OF ("bore", 0), POSITIVE, "Diameter", "Inside"),
  NUMBER ("area", AREA, ONE_OF ("bore", 1), POSITIVE, "Area", "Inside"),
  NUMBER ("resistance", RESISTANCE, ABSENT, NOT_NEGATIVE, "Resistance", "Linear; from the oil's viscosity when absent"),
  FLAG ("inertia", "Oil inertia", "Lumped model: the flow is a state"),
};
static const HlField cylinder_fields[] = {
  FIELD ("base", POINT, NONE, REQUIRED, "Base", "Point the barrel hangs on"),
  FIELD ("rod", POINT, NONE, REQUIRED, "Rod", "Point the rod hangs on"),
  NUMBER ("piston_diameter", LENGTH, ONE_OF ("bore", 0), POSITIVE, "Piston diameter", "Inside diameter of the barrel"),
  NUMBER ("rod_diameter", LENGTH, ONE_OF ("bore", 0), NOT_NEGATIVE, "Rod diameter", "Less than the piston's"),
  NUMBER ("piston_area", AREA, ONE_OF ("bore", 1), POSITIVE, "Piston area", "Area on side A"),
  NUMBER ("rod_side_area", AREA, ONE_OF ("bore", 1), POSITIVE, "Rod-side area", "Area on side B"),
  NUMBER ("stroke", LENGTH, REQUIRED, POSITIVE, "Stroke", "Way of the piston from end to end"),
  NUMBER ("c1", LENGTH, DEFAULT (0), NOT_NEGATIVE, "Dead length c1", "Length between the points that is not chamber, base side"),
  NUMBER ("c2", LENGTH, DEFAULT (0), NOT_NEGATIVE, "Dead length c2", "Length between the points that is not chamber, rod side"),
  NUMBER ("wall_modulus", MODULUS, ABSENT, POSITIVE, "Wall modulus", "Stiffness of the barrel; rigid when absent"),
  NUMBER ("leakage", LEAKAGE, DEFAULT (0), NOT_NEGATIVE, "Leakage", "Flow past the piston per pressure difference"),
  CHOICE ("friction.model", "none|viscous|brown-mcphee", "Friction law", "Law of the seals' friction"),
  NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fc", FORCE, DEFAULT (0), NOT_NEGATIVE, "Coulomb force F_c", "Friction while sliding fast, without the viscous part"),
  NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fs", FORCE, DEFAULT (0), NOT_NEGATIVE, "Static force F_s", "Largest friction near standstill"),
  NUMBER_WHEN ("friction.model=brown-mcphee", "friction.vs", SPEED, REQUIRED, POSITIVE, "Stribeck speed v_s", "Speed at which friction is largest"),
  NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.sigma2", DAMPING, DEFAULT (0), NOT_NEGATIVE, "Viscous coefficient \317\203\342\202\202", "Force per speed"),
  NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.scale", NONE, DEFAULT (1), NOT_NEGATIVE, "Friction scale", "Multiplies F_c, F_s and the viscous coefficient"),
  NUMBER ("virtual_stiffness", STIFFNESS, ABSENT, POSITIVE, "Virtual stiffness", "Quasistatic model: spring of the virtual element"),
  NUMBER ("virtual_damping", DAMPING, ABSENT, POSITIVE, "Virtual damping", "Quasistatic model: damper of the virtual element"),
};
static const HlField line_fields[] = {
  FIELD ("ports", PORTS, NONE, REQUIRED, "Ports", "Ports that share this pressure"),
  NUMBER ("volume", VOLUME, DEFAULT (0), NOT_NEGATIVE, "Hose volume", "Oil in the hoses of the net"),
  NUMBER ("wall_modulus", MODULUS, ABSENT, POSITIVE, "Wall modulus", "Stiffness of the hose; rigid when absent"),
  NUMBER ("pressure", PRESSURE, DEFAULT (1e5), NOT_NEGATIVE, "Pressure", "At t = 0; that of the source or tank when it touches one"),
};

static const HlOutput flow_outputs[] = {
  OUTPUT ("flow", FLOW, "Flow"),
};
static const HlOutput directional_valve_outputs[] = {
  OUTPUT ("flow_P", FLOW, "Flow into P"),
  OUTPUT ("flow_T", FLOW, "Flow into T"),
  OUTPUT ("flow_A", FLOW, "Flow into A"),
  OUTPUT ("flow_B", FLOW, "Flow into B"),
};
static const HlOutput accumulator_outputs[] = {
  OUTPUT ("flow", FLOW, "Flow in"),
  OUTPUT ("gas_volume", VOLUME, "Gas volume"),
};
static const HlOutput cylinder_outputs[] = {
  OUTPUT ("s", LENGTH, "Length between the points"),
  OUTPUT ("speed", SPEED, "Speed of extension"),
  OUTPUT ("force", FORCE, "Force, positive in extension, after friction"),
  OUTPUT ("friction_force", FORCE, "Friction force"),
  OUTPUT ("flow_A", FLOW, "Flow into A"),
  OUTPUT ("flow_B", FLOW, "Flow into B"),
};

const HlKind hl_schema_hydraulic_kinds[] = {
  { HL_SECTION_COMPONENTS, "pressure-source", "Pressure source", "Keeps its line at a pressure", "pump", 1, { "P" }, WITH_FIELDS (pressure_source_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "flow-source", "Flow source", "Pump with constant flow", "pump", 1, { "P" }, WITH_FIELDS (flow_source_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "tank", "Tank", "Keeps its line at the tank's pressure", "tank", 1, { "T" }, WITH_FIELDS (tank_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "directional-valve", "4/3 directional valve", "Proportional valve with spool dynamics", "valve", 4, { "P", "T", "A", "B" }, WITH_FIELDS (directional_valve_fields), WITH_OUTPUTS (directional_valve_outputs) },
  { HL_SECTION_COMPONENTS, "throttle", "Throttle", "Orifice", "throttle", 2, { "A", "B" }, WITH_FIELDS (throttle_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "metering-valve", "Metering valve", "Orifice with a commanded opening", "metering", 2, { "A", "B" }, WITH_FIELDS (metering_valve_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "check-valve", "Check valve", "Flow from A to B only", "check", 2, { "A", "B" }, WITH_FIELDS (check_valve_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "relief-valve", "Relief valve", "Opens above a pressure difference", "relief", 2, { "A", "T" }, WITH_FIELDS (relief_valve_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "accumulator", "Accumulator", "Gas-loaded oil store", "accumulator", 1, { "A" }, WITH_FIELDS (accumulator_fields), WITH_OUTPUTS (accumulator_outputs) },
  { HL_SECTION_COMPONENTS, "pipe", "Pipe", "Linear resistance and oil inertia", "pipe", 2, { "A", "B" }, WITH_FIELDS (pipe_fields), WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "cylinder", "Cylinder", "Double-acting cylinder between two points of the linkage", "cyl", 2, { "A", "B" }, WITH_FIELDS (cylinder_fields), WITH_OUTPUTS (cylinder_outputs) },

  { HL_SECTION_LINES, NULL, "Line", "Hose net: all its ports share one pressure", "line", WITH_FIELDS (line_fields) },
};
/* clang-format on */
const int hl_schema_n_hydraulic_kinds = (int)G_N_ELEMENTS (hl_schema_hydraulic_kinds);
