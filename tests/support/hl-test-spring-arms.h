/* SPDX-License-Identifier: MIT */
#pragma once

#include "tests/support/hl-example-model.h"

/* Returns n pinned arms side by side, each on its own torsion spring and damper, without gravity:
 *
 *   I th" + c th' + k th = 0
 *
 * They are "arm0", "arm1" ...; their springs, which have the dampings, "s0", "s1" ... Owned by the caller. */
HlTestModel hl_test_arms (int n, const double inertia[], const double damping[], const double stiffness[]);
