/* SPDX-License-Identifier: MIT */
/* Machines with every kind of element, in which every number can have an effect: one for each model of the oil. They
 * start as given, in motion. */
#pragma once

#include <glib.h>

#include "core/system/hl-system.h"

/* JSON text; owned by the caller. `rests`: the lumped one near its
 * equilibrium, where nothing falls or rolls. */
char *hl_test_every_kind (HlModelKind oil, gboolean rests);
/* The same of the oils that take most circuits in a form of their own, with cushions, bristles and a
 * turbulent pipe in circuits that they read by the laws of the parts. */
char *hl_test_every_kind_by_law (HlModelKind oil);
