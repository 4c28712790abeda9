/* SPDX-License-Identifier: MIT */
/* Machines in which every kind of element stands and every number of it can matter: one for each
 * model of the oil. They start as given, in motion. */
#pragma once

#include <glib.h>

#include "core/system/hl-system.h"

/* JSON text; owned by the caller. `rests`: the lumped one near its
 * equilibrium, where nothing falls or rolls. */
char *hl_test_every_kind (HlModelKind oil, gboolean rests);
