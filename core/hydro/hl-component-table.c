/* SPDX-License-Identifier: MIT */
/* The table of components, in the order of the palette: one row makes a kind known. */
#include "core/hydro/hl-component.h"

/* clang-format off */
extern const HlComponentClass
  hl_pressure_source_class,
  hl_flow_source_class,
  hl_pump_class,
  hl_variable_pump_class,
  hl_tank_class,
  hl_directional_valve_class,
  hl_throttle_class,
  hl_laminar_restrictor_class,
  hl_metering_valve_class,
  hl_check_valve_class,
  hl_pilot_check_valve_class,
  hl_relief_valve_class,
  hl_sequence_valve_class,
  hl_pressure_compensator_class,
  hl_counterbalance_valve_class,
  hl_reducing_valve_class,
  hl_flow_control_valve_class,
  hl_shuttle_valve_class,
  hl_gear_flow_divider_class,
  hl_accumulator_class,
  hl_volume_class,
  hl_plug_class,
  hl_pipe_class,
  hl_cylinder_class,
  hl_motor_class,
  hl_rotary_actuator_class;

const HlComponentClass *const hl_components[] = {
  &hl_pressure_source_class,
  &hl_flow_source_class,
  &hl_pump_class,
  &hl_variable_pump_class,
  &hl_tank_class,
  &hl_directional_valve_class,
  &hl_throttle_class,
  &hl_laminar_restrictor_class,
  &hl_metering_valve_class,
  &hl_check_valve_class,
  &hl_pilot_check_valve_class,
  &hl_relief_valve_class,
  &hl_sequence_valve_class,
  &hl_pressure_compensator_class,
  &hl_counterbalance_valve_class,
  &hl_reducing_valve_class,
  &hl_flow_control_valve_class,
  &hl_shuttle_valve_class,
  &hl_gear_flow_divider_class,
  &hl_accumulator_class,
  &hl_volume_class,
  &hl_plug_class,
  &hl_pipe_class,
  &hl_cylinder_class,
  &hl_motor_class,
  &hl_rotary_actuator_class,
};
/* clang-format on */
const int hl_n_components = (int)(sizeof hl_components / sizeof hl_components[0]);
