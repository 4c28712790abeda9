/* SPDX-License-Identifier: MIT */
/* The state of a cylinder at one velocity of its quasistatic map, in words. */
#pragma once

#include "core/quasistatic/hl-force-map.h"
#include "ui/paint/base/hl-scene.h"

/* "v = 0.1 m/s, f = 790 kN: segment +2a; open: pump relief valve; pump 360 bar, ..."; owned by the
 * caller, NULL when the circuit does not fit. v in m/s; other cylinders of the pump stand still. */
char *hl_force_state_text (const HlSystem *sys, int component, double t, const HlForceMapOpenings *by_hand,
                           double v, HlUnits units);
