/* SPDX-License-Identifier: MIT */
/* Random machines as model files. */
#pragma once

#include <stdbool.h>

#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

typedef enum {
  HL_TEST_MACHINE_MOVING, /* open valves, tyres, velocities: everything at work */
  HL_TEST_MACHINE_CLOSED  /* at rest, no flows but balanced ones, no tyres */
} HlTestMachineKind;

/* Returns one to three pieces out of chains, loops, sliders, slots, telescopes, vehicles, welded and
 * distance-held bodies, coupled by springs, each moved by a cylinder with its own circuit. Owned by the
 * caller. */
json_t *hl_test_machine_new (HlTestMachineKind kind);
HlTestModel hl_test_machine_compile (json_t *machine);

/* Loads that keep the machine where it is stated: minus M a at rest, so that the joints stay
 * loaded. The machine is changed; its velocities become zero. */
void hl_test_machine_balance (json_t *machine);
