/* SPDX-License-Identifier: MIT */
/* The table of symbols: one row makes a kind drawable. */
#include "ui/paint/circuit/hl-symbol.h"

/* clang-format off */
extern const HlSymbol
  hl_symbol_pressure_source,
  hl_symbol_flow_source,
  hl_symbol_pump,
  hl_symbol_variable_pump,
  hl_symbol_tank,
  hl_symbol_directional_valve,
  hl_symbol_throttle,
  hl_symbol_metering_valve,
  hl_symbol_check_valve,
  hl_symbol_pilot_check_valve,
  hl_symbol_relief_valve,
  hl_symbol_sequence_valve,
  hl_symbol_pressure_compensator,
  hl_symbol_counterbalance_valve,
  hl_symbol_reducing_valve,
  hl_symbol_flow_control_valve,
  hl_symbol_shuttle_valve,
  hl_symbol_accumulator,
  hl_symbol_volume,
  hl_symbol_plug,
  hl_symbol_pipe,
  hl_symbol_cylinder,
  hl_symbol_motor,
  hl_symbol_rotary_actuator;

const HlSymbol *const hl_symbols[] = {
  &hl_symbol_pressure_source,
  &hl_symbol_flow_source,
  &hl_symbol_pump,
  &hl_symbol_variable_pump,
  &hl_symbol_tank,
  &hl_symbol_directional_valve,
  &hl_symbol_throttle,
  &hl_symbol_metering_valve,
  &hl_symbol_check_valve,
  &hl_symbol_pilot_check_valve,
  &hl_symbol_relief_valve,
  &hl_symbol_sequence_valve,
  &hl_symbol_pressure_compensator,
  &hl_symbol_counterbalance_valve,
  &hl_symbol_reducing_valve,
  &hl_symbol_flow_control_valve,
  &hl_symbol_shuttle_valve,
  &hl_symbol_accumulator,
  &hl_symbol_volume,
  &hl_symbol_plug,
  &hl_symbol_pipe,
  &hl_symbol_cylinder,
  &hl_symbol_motor,
  &hl_symbol_rotary_actuator,
};
/* clang-format on */
const int hl_n_symbols = (int)G_N_ELEMENTS (hl_symbols);

int hl_symbol_sense (const HlSymbolSource *at, const char *name) {
  double value = hl_symbol_value (at, name);

  return (value > 0.0) - (value < 0.0);
}

HlSymbolGroup hl_symbol_group (const HlSymbol *symbol) {
  static const HlSymbolGroup of_role[] = {
      [HL_SYMBOL_BETWEEN] = HL_SYMBOL_PRESSURE,  [HL_SYMBOL_END] = HL_SYMBOL_STORES,
      [HL_SYMBOL_VALVE] = HL_SYMBOL_DIRECTIONAL, [HL_SYMBOL_ACTUATOR] = HL_SYMBOL_ACTUATORS,
      [HL_SYMBOL_SOURCE] = HL_SYMBOL_SUPPLY,     [HL_SYMBOL_TANK] = HL_SYMBOL_SUPPLY,
  };

  return symbol->group != HL_SYMBOL_BY_ROLE ? symbol->group : of_role[symbol->role];
}
