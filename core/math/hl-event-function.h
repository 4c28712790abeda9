/* SPDX-License-Identifier: MIT */
#pragma once

/* A function of time and state whose zeros bend the equations: hl-lumped-event-functions.h has them, HlOde.guards uses them. */
typedef struct {
  double value, rate; /* rate: by time; NAN: far from zero, not examined */
  double least;       /* a pass through zero that goes no further than this does not count */
} HlGuard;
