/* SPDX-License-Identifier: MIT */
/* Random circuits that move simple linkages, as model files. */
#pragma once

#include "tests/support/hl-example-model.h"

typedef struct {
  guint32 seed;
  gboolean is_slider; /* a sprung slider: one place of rest for every force. Else a lever */
  gboolean has_seats; /* valves that can shut: oil may be locked in at any pressure of a range */
  int n_lines;        /* with a pressure of their own, "l0", "l1" ... ("l0" at the piston side, "l1"
                         at the rod side) */
  char *text;         /* JSON; owned */
} HlTestCircuit;

/* Returns one cylinder against springs, and two to six lines with random starting pressures, joined to each
 * other, to sources and to the tank by throttles, check, relief, metering and directional valves, pipes,
 * accumulators and pumps with a relief. The same seed gives the same circuit. */
HlTestCircuit hl_test_circuit_new (guint32 seed);
void hl_test_circuit_clear (HlTestCircuit *circuit);
