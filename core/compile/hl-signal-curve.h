/* SPDX-License-Identifier: MIT */
/* The graph of a signal of a document, for a picture of it. */
#pragma once

#include "core/base/hl-value.h"

/* Its value at the start; NAN when it is no whole signal. */
double hl_signal_start (const HlValue *signal);

/* Points of the graph from 0 to `end` [s]; a jump is two points of one time. Their number; 0 when
 * it is no whole signal. *t and *y are owned by the caller. */
int hl_signal_curve (const HlValue *signal, double end, double **t, double **y);
