/* SPDX-License-Identifier: MIT */
/* Places symbols in rows: cylinders on top, then everything by its distance from them, sources at
 * the bottom. */
#pragma once

#include "ui/paint/circuit/hl-circuit-layout.h"

/* Fills place[n_components] for all but tanks and fixed components (those keep their own place). */
void hl_circuit_place (const HlLayoutComponent *components,
                       int n_components,
                       const HlLayoutNet *nets,
                       int n_nets,
                       const gboolean is_tank_net[],
                       HlPlacement place[]);
