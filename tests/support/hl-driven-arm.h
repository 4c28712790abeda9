/* SPDX-License-Identifier: MIT */
/* An arm of 6 kg and 0.4 kg m2 about its centre, which is 0.5 m from the pin at the origin that it
 * turns about, drawn at 0.4 rad; its end E is 1 m out, and F is a point of the ground at (0.3, -0.8). What
 * drives it is the caller's. */
#pragma once

#include "tests/support/hl-example-model.h"

/* Compiles the arm; `joint` is a joint in JSON with ' for ", `bodies` more bodies, ", {...}" or "",
 * `simulation` the members of simulation besides a start as given, rows every 0.05 s and a tolerance of
 * 1e-10: "'t_end': 1". */
HlTestModel hl_test_driven_arm (const char *joint, const char *bodies, const char *simulation);
/* Checks that such an arm does not compile, with a finding about the joint, named "drive", that contains the
 * text and the advice (NULL: any advice). */
gboolean hl_test_driven_arm_is_told (const char *joint, const char *simulation, const char *says,
                                     const char *advice);
