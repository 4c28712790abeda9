/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/solve/hl-equilibrium.h"

/* Whether two searches have found one equilibrium: as far as a search finds it, or bit by bit. */
bool hl_point_is_same (const HlSystem *sys, const HlPoint *a, const HlPoint *b, bool exactly);
