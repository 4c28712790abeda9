/* SPDX-License-Identifier: MIT */
/* The table of loads, in the order of the palette: one row makes a kind known. */
#include "core/mech/hl-load.h"

/* clang-format off */
extern const HlLoadClass
  hl_torque_class,
  hl_force_class,
  hl_spring_class,
  hl_torsion_spring_class,
  hl_tyre_class;

const HlLoadClass *const hl_loads[] = {
  &hl_torque_class,
  &hl_force_class,
  &hl_spring_class,
  &hl_torsion_spring_class,
  &hl_tyre_class,
};
/* clang-format on */
const int hl_n_loads = (int)(sizeof hl_loads / sizeof hl_loads[0]);
