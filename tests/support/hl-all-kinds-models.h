/* SPDX-License-Identifier: MIT */
/* Machines with every kind of element, in which every number can have an effect: one for each model of the oil. They
 * start as given, in motion. */
#pragma once

#include <glib.h>

#include "core/system/hl-system.h"

/* Returns the model as JSON text; owned by the caller. `rests`: the lumped one is near its equilibrium, where
 * nothing falls or rolls. */
char *hl_test_every_kind (HlModelKind oil, gboolean rests);
/* Returns the same for the hydraulic models that solve most circuits in a form of their own, with cushions,
 * bristles and a turbulent pipe in circuits that they solve by the laws of the components. */
char *hl_test_every_kind_by_law (HlModelKind oil);
