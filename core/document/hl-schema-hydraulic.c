/* SPDX-License-Identifier: MIT */
/* The circuit: components and lines. Flow is positive from the first port to the second. */
#include "core/document/hl-schema-private.h"

/* clang-format off */
#define DP_LIM HL_NUMBER ("dp_lim", PRESSURE_DIFFERENCE, HL_DEFAULT (2e5), HL_NOT_NEGATIVE, "Laminar limit", "Below this pressure difference the flow is laminar; 0: turbulent throughout where the model allows it")
#define CD_DEFAULT HL_NUMBER ("Cd", NONE, HL_DEFAULT (0.6), HL_POSITIVE, "Discharge coefficient", "Of the orifice")
#define CD_REQUIRED HL_NUMBER ("Cd", NONE, HL_NEW (0.6), HL_POSITIVE, "Discharge coefficient", "Of the open valve")

static const HlField pressure_source_fields[] = {
  HL_NUMBER ("pressure", PRESSURE, HL_NEW (1e+07), HL_NOT_NEGATIVE, "Pressure", "Absolute pressure that is kept"),
};
static const HlField flow_source_fields[] = {
  HL_NUMBER ("flow", FLOW, HL_NEW (0.0005), HL_ANY, "Flow", "Flow delivered into its line"),
  HL_NUMBER ("relief_pressure", PRESSURE, HL_ABSENT, HL_POSITIVE, "Relief pressure", "Built-in relief; none when absent"),
};
static const HlField tank_fields[] = {
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE, "Pressure", "Absolute pressure of the tank"),
};
static const HlField directional_valve_fields[] = {
  HL_NUMBER ("Cv", VALVE_FLOW, HL_NEW (1e-08), HL_POSITIVE, "Flow coefficient", "Flow at full opening over the root of the pressure difference"),
  HL_NUMBER ("time_constant", TIME, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Time constant", "First-order lag of the spool; 0: no spool state"),
  DP_LIM,
  HL_NUMBER ("dead_zone", NONE, HL_DEFAULT (0), HL_FROM_BELOW (0, 1), "Dead zone", "Flow follows sign(U) max(|U| - dead zone, 0)"),
  HL_SIGNAL ("command", NONE, HL_DEFAULT (0), HL_WITHIN (-1, 1), "Command", "Wished spool position over time; above 0: P to A and B to T"),
  HL_NUMBER ("spool", NONE, HL_DEFAULT (0), HL_WITHIN (-1, 1), "Spool", "Spool position at t = 0"),
};
static const HlField throttle_fields[] = {
  CD_DEFAULT,
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.004), HL_POSITIVE, "Diameter", "Of the orifice"),
  HL_NUMBER ("area", AREA, HL_ONE_OF ("bore", 1, 1.3e-05), HL_POSITIVE, "Area", "Of the orifice"),
  DP_LIM,
};
static const HlField metering_valve_fields[] = {
  CD_DEFAULT,
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE, "Area", "At full opening"),
  HL_SIGNAL ("opening", NONE, HL_NEW (0), HL_WITHIN (0, 1), "Opening", "Opening over time, 0 to 1"),
  DP_LIM,
  HL_FLAG ("one_way", "One way", "Flow from A to B only"),
  HL_NUMBER ("min_opening", NONE, HL_DEFAULT (0.02), HL_WITHIN (0, 1), "Smallest opening", "Hybrid model: opening used while it is between 0 and this"),
};
static const HlField check_valve_fields[] = {
  CD_REQUIRED,
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE, "Area", "When open"),
  HL_NUMBER ("cracking_pressure", PRESSURE_DIFFERENCE, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Cracking pressure", "Difference A - B above which it opens"),
  DP_LIM,
};
static const HlField relief_valve_fields[] = {
  HL_NUMBER ("pressure", PRESSURE_DIFFERENCE, HL_NEW (2e+07), HL_NOT_NEGATIVE, "Set pressure", "Difference A - T above which it opens"),
  CD_REQUIRED,
  HL_NUMBER ("area", AREA, HL_NEW (3e-05), HL_POSITIVE, "Area", "When open"),
  DP_LIM,
};
static const HlField accumulator_fields[] = {
  HL_NUMBER ("volume", VOLUME, HL_NEW (0.001), HL_POSITIVE, "Volume", "Of the empty accumulator"),
  HL_NUMBER ("precharge", PRESSURE, HL_NEW (5e+06), HL_POSITIVE, "Precharge", "Absolute gas pressure without oil"),
  HL_NUMBER ("polytropic_index", NONE, HL_DEFAULT (1.2), HL_POSITIVE, "Polytropic index", "1: isothermal, 1.4: adiabatic"),
};
static const HlField pipe_fields[] = {
  HL_NUMBER ("length", LENGTH, HL_NEW (1), HL_POSITIVE, "Length", "Of the pipe"),
  HL_NUMBER ("diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.01), HL_POSITIVE, "Diameter", "Inside"),
  HL_NUMBER ("area", AREA, HL_ONE_OF ("bore", 1, 8e-05), HL_POSITIVE, "Area", "Inside"),
  HL_NUMBER ("resistance", RESISTANCE, HL_ABSENT, HL_NOT_NEGATIVE, "Resistance", "Linear; from the oil's viscosity when absent"),
  HL_FLAG ("inertia", "Oil inertia", "Lumped model: the flow is a state"),
};
static const HlField cylinder_fields[] = {
  HL_FIELD ("base", POINT, NONE, HL_REQUIRED, "Base", "Point the barrel hangs on"),
  HL_FIELD ("rod", POINT, NONE, HL_REQUIRED, "Rod", "Point the rod hangs on"),
  HL_NUMBER ("piston_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.08), HL_POSITIVE, "Piston diameter", "Inside diameter of the barrel"),
  HL_NUMBER ("rod_diameter", LENGTH, HL_ONE_OF ("bore", 0, 0.04), HL_NOT_NEGATIVE, "Rod diameter", "Less than the piston's"),
  HL_NUMBER ("piston_area", AREA, HL_ONE_OF ("bore", 1, 0.005), HL_POSITIVE, "Piston area", "Area on side A"),
  HL_NUMBER ("rod_side_area", AREA, HL_ONE_OF ("bore", 1, 0.00375), HL_POSITIVE, "Rod-side area", "Area on side B"),
  HL_NUMBER ("stroke", LENGTH, HL_NEW (0.5), HL_POSITIVE, "Stroke", "Way of the piston from end to end"),
  HL_NUMBER ("c1", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Dead length c1", "Length between the points that is not chamber, base side"),
  HL_NUMBER ("c2", LENGTH, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Dead length c2", "Length between the points that is not chamber, rod side"),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE, "Wall modulus", "Stiffness of the barrel; rigid when absent"),
  HL_NUMBER ("leakage", LEAKAGE, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Leakage", "Flow past the piston per pressure difference"),
  HL_CHOICE ("friction.model", "none|viscous|brown-mcphee", "Friction law", "Law of the seals' friction"),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fc", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Coulomb force F_c", "Friction while sliding fast, without the viscous part"),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.Fs", FORCE, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Static force F_s", "Largest friction near standstill"),
  HL_NUMBER_WHEN ("friction.model=brown-mcphee", "friction.vs", SPEED, HL_NEW (0.0125), HL_POSITIVE, "Stribeck speed v_s", "Speed at which friction is largest"),
  HL_NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.sigma2", DAMPING, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Viscous coefficient \317\203\342\202\202", "Force per speed"),
  HL_NUMBER_WHEN ("friction.model=viscous|brown-mcphee", "friction.scale", NONE, HL_DEFAULT (1), HL_NOT_NEGATIVE, "Friction scale", "Multiplies F_c, F_s and the viscous coefficient"),
  HL_NUMBER ("virtual_stiffness", STIFFNESS, HL_ABSENT, HL_POSITIVE, "Virtual stiffness", "Quasistatic model: spring of the virtual element"),
  HL_NUMBER ("virtual_damping", DAMPING, HL_ABSENT, HL_POSITIVE, "Virtual damping", "Quasistatic model: damper of the virtual element"),
};
static const HlField line_fields[] = {
  HL_FIELD ("ports", PORTS, NONE, HL_REQUIRED, "Ports", "Ports that share this pressure"),
  HL_NUMBER ("volume", VOLUME, HL_DEFAULT (0), HL_NOT_NEGATIVE, "Hose volume", "Oil in the hoses of the net"),
  HL_NUMBER ("wall_modulus", MODULUS, HL_ABSENT, HL_POSITIVE, "Wall modulus", "Stiffness of the hose; rigid when absent"),
  HL_NUMBER ("pressure", PRESSURE, HL_DEFAULT (1e5), HL_NOT_NEGATIVE, "Pressure", "At t = 0; that of the source or tank when it touches one"),
  HL_CHOICE ("role", "working|pilot|drain", "Kind of line", "How it is drawn: working lines solid, pilot and drain lines dashed (ISO 1219-1)"),
  HL_FIELD ("label", TEXT, NONE, HL_ABSENT, "Label", "Written beside the line"),
};

static const HlOutput flow_outputs[] = {
  HL_OUTPUT ("flow", FLOW, "Flow"),
};
static const HlOutput directional_valve_outputs[] = {
  HL_OUTPUT ("flow_P", FLOW, "Flow into P"),
  HL_OUTPUT ("flow_T", FLOW, "Flow into T"),
  HL_OUTPUT ("flow_A", FLOW, "Flow into A"),
  HL_OUTPUT ("flow_B", FLOW, "Flow into B"),
};
static const HlOutput accumulator_outputs[] = {
  HL_OUTPUT ("flow", FLOW, "Flow in"),
  HL_OUTPUT ("gas_volume", VOLUME, "Gas volume"),
};
static const HlOutput cylinder_outputs[] = {
  HL_OUTPUT ("s", LENGTH, "Length between the points"),
  HL_OUTPUT ("speed", SPEED, "Speed of extension"),
  HL_OUTPUT ("force", FORCE, "Force, positive in extension, after friction"),
  HL_OUTPUT ("friction_force", FORCE, "Friction force"),
  HL_OUTPUT ("rod_position", LENGTH, "Length up to the piston"),
  HL_OUTPUT ("rod_speed", SPEED, "Speed of the piston"),
  HL_OUTPUT ("flow_A", FLOW, "Flow into A"),
  HL_OUTPUT ("flow_B", FLOW, "Flow into B"),
};

const HlKind hl_schema_hydraulic_kinds[] = {
  { HL_SECTION_COMPONENTS, "pressure-source", "Pressure source", "Keeps its line at a pressure", "pump", 1, { "P" }, HL_WITH_FIELDS (pressure_source_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "flow-source", "Flow source", "Pump with constant flow", "pump", 1, { "P" }, HL_WITH_FIELDS (flow_source_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "tank", "Tank", "Keeps its line at the tank's pressure", "tank", 1, { "T" }, HL_WITH_FIELDS (tank_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "directional-valve", "4/3 directional valve", "Proportional valve with spool dynamics", "valve", 4, { "P", "T", "A", "B" }, HL_WITH_FIELDS (directional_valve_fields), HL_WITH_OUTPUTS (directional_valve_outputs) },
  { HL_SECTION_COMPONENTS, "throttle", "Throttle", "Orifice", "throttle", 2, { "A", "B" }, HL_WITH_FIELDS (throttle_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "metering-valve", "Metering valve", "Orifice with a commanded opening", "metering", 2, { "A", "B" }, HL_WITH_FIELDS (metering_valve_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "check-valve", "Check valve", "Flow from A to B only", "check", 2, { "A", "B" }, HL_WITH_FIELDS (check_valve_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "relief-valve", "Relief valve", "Opens above a pressure difference", "relief", 2, { "A", "T" }, HL_WITH_FIELDS (relief_valve_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "accumulator", "Accumulator", "Gas-loaded oil store", "accumulator", 1, { "A" }, HL_WITH_FIELDS (accumulator_fields), HL_WITH_OUTPUTS (accumulator_outputs) },
  { HL_SECTION_COMPONENTS, "pipe", "Pipe", "Linear resistance and oil inertia", "pipe", 2, { "A", "B" }, HL_WITH_FIELDS (pipe_fields), HL_WITH_OUTPUTS (flow_outputs) },
  { HL_SECTION_COMPONENTS, "cylinder", "Cylinder", "Double-acting cylinder between two points of the linkage", "cyl", 2, { "A", "B" }, HL_WITH_FIELDS (cylinder_fields), HL_WITH_OUTPUTS (cylinder_outputs) },

  { HL_SECTION_LINES, NULL, "Line", "Hose net: all its ports share one pressure", "line", HL_WITH_FIELDS (line_fields) },
};
/* clang-format on */
const int hl_schema_n_hydraulic_kinds = (int)G_N_ELEMENTS (hl_schema_hydraulic_kinds);
