/* SPDX-License-Identifier: MIT */
/* A small machine for every class of component, in which it moves if it has anything that moves: oil
 * comes from a source of 8 MPa through a throttle into line "a", and leaves line "b" through a
 * throttle to the tank. A carriage on a rail and a rocker on a pin stand on springs. */
#pragma once

#include <glib.h>

/* The component of that class is called so. */
#define HL_TEST_CLASS_ID "it"

/* Returns the machine of a class as the text of a file, owned by the caller; fails the test if there is none. */
char *hl_test_class_machine (const char *kind);
/* Returns whether a part of its symbol moves on that machine. */
gboolean hl_test_class_moves (const char *kind);
