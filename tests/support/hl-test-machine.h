/* SPDX-License-Identifier: MIT */
/* Random machines as model files, and what one can do to a drawing without changing its physics. */
#pragma once

#include <stdbool.h>

#include "tests/support/hl-model.h"
#include "tests/support/hl-test.h"

typedef enum
{
  HL_TEST_MACHINE_MOVING, /* open valves, tyres, velocities: everything at work */
  HL_TEST_MACHINE_CLOSED  /* at rest, no flows but balanced ones, no tyres */
} HlTestMachineKind;

/* One to three pieces out of chains, loops, sliders, slots, telescopes, vehicles, welded and
 * distance-held bodies, coupled by springs, each moved by a cylinder with a circuit of its own.
 * Owned by the caller. */
json_t *hl_test_machine_new (HlTestMachineKind kind);
HlTestModel hl_test_machine_compile (json_t *machine);

/* Loads that keep the machine where it is stated: minus M a at rest, so that the joints stay
 * loaded. The machine is changed; its velocities become zero. */
void hl_test_machine_balance (json_t *machine);

/* The same machine drawn otherwise; new references. */
json_t *hl_test_machine_rotated (json_t *machine, double angle);
json_t *hl_test_machine_moved (json_t *machine, double dx, double dy);
json_t *hl_test_machine_mirrored (json_t *machine); /* y becomes -y */
json_t *hl_test_machine_renamed (json_t *machine);
json_t *hl_test_machine_reordered (json_t *machine); /* elements of every kind in random order */
json_t *hl_test_machine_in_unit (json_t *machine, double units_per_metre);
