/* SPDX-License-Identifier: MIT */
/* Power balance of hl_power_eval () by parts of the machine, for the lumped oil. The parts are components,
 * loads, the nodes of the circuit, joints and drives, and the motion, in this order. */
#pragma once

#include "core/system/hl-system-private.h"

/* Powers of a part: three numbers [W], or energies [J] when summed up. */
enum {
  HL_POWER_STORED,
  HL_POWER_LOST,
  HL_POWER_SUPPLIED, /* from outside; negative: delivered to there */
  HL_POWER_ROLES
};

/* Returns the place of the first load among the parts: behind the components. */
static inline int hl_power_first_load (const HlSystem *sys) {
  return sys->n_components;
}
/* Returns the index of the first node, after the loads. */
static inline int hl_power_first_node (const HlSystem *sys) {
  return sys->n_components + sys->mech.n_loads;
}
/* Returns the number of joints and drives; behind them the kinetic and the potential energy, which are
 * stored. */
static inline int hl_power_joints (const HlSystem *sys) {
  return hl_power_first_node (sys) + sys->n_nodes;
}
/* Returns how many there are. */
static inline int hl_power_n_parts (const HlSystem *sys) {
  return hl_power_joints (sys) + 3;
}

/* Fills parts[3 * hl_power_n_parts ()] after hl_dynamics_eval (), all but the last two. Their sums
 * are those of hl_power_eval (). */
void hl_power_parts_eval (const HlSystem *sys, HlWork *work, double parts[]);
/* Computes the rates of the kinetic and the potential energy [W], also after hl_dynamics_accelerations (). */
void hl_power_motion_eval (const HlSystem *sys, const HlWork *work, double rates[2]);
/* Computes these energies [J]. */
void hl_power_motion_energies (const HlSystem *sys, const HlWork *work, double energies[2]);
