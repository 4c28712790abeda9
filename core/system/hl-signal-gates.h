/* SPDX-License-Identifier: MIT */
/* Gates behind signals over time: levels at which what a signal does begins, ends or bends. What such a signal will do
 * is known in advance, so a run stops at each crossing, as at a corner. */
#pragma once

#include "core/system/hl-system-private.h"

/* The first time in (from, until) at which a signal that does not listen passes the level of a gate, along the present
 * segments[n_signals]; `until` if none does. */
double hl_signal_next_gate (const HlSystem *sys, const int segments[], double from, double until);
