/* SPDX-License-Identifier: MIT */
/* Where the power goes as a table. */
#pragma once

#include "core/run/hl-power-study.h"

/* CSV of bars (hl_power_study_bars ()): side "in", "lost" or "out", element, and energy [J] or power
 * [W]. Owned by the caller. */
char *hl_power_table (const GArray *bars, gboolean energies);
