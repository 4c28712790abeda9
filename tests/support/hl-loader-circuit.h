/* SPDX-License-Identifier: MIT */
/* A backhoe loader after its makers' circuit diagram: some two hundred components on one load-sensing pump, for the
 * speed of large circuits. */
#pragma once

#include <glib.h>

/* It starts as given and has come to rest by then: the levers move later. [s] */
#define HL_TEST_LOADER_SETTLED 1.0

/* Returns ten sections on one linkage: two cylinders each at the loader's arm and bucket, one at its clam, at
 * boom, stick and bucket of the backhoe, and two stabilizers. A section is a valve with compensator, shock
 * and suction valves, hoses in four segments, a counterbalance valve, a pilot supply and a link of the chain
 * of shuttle valves. JSON text, owned by the caller. */
char *hl_test_loader_circuit (void);
