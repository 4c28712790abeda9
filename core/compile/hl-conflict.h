/* SPDX-License-Identifier: MIT */
/* Which joints and held coordinates contradict each other when a linkage cannot be assembled. */
#pragma once

#include "core/system/hl-system-private.h"

typedef struct
{
  int n_joints;
  int *joints; /* n_joints, file order */
  int n_holds;
  int *holds; /* n_holds: global columns that equilibrium.hold names */
  double gap; /* what stays open when only these are asked for [m] */
} HlConflict;

/* Every contradiction of the drawing, in as many conflicts without a common member as there are:
 * what is left when all their members are taken away can be assembled. Each conflict cannot be met,
 * from the stated poses and from others, and could if any one of its members were left out; up to
 * 24 joints and held coordinates no smaller one is there, nor in larger islands between its bodies.
 * *n is 0 when all islands can be assembled, if not from the stated poses. Free with
 * hl_conflicts_free (). */
HlConflict *hl_conflicts_find (const HlSystem *sys, int *n);
void hl_conflicts_free (HlConflict *conflicts, int n);
