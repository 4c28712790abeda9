/* SPDX-License-Identifier: MIT */
/* Which joints and held coordinates contradict each other when a linkage cannot be assembled. */
#pragma once

#include "core/system/hl-system-private.h"

typedef struct
{
  int n_joints;
  int *joints; /* file order */
  int n_holds;
  int *holds; /* global columns that equilibrium.hold names */
  double gap; /* what stays open when only these are asked for [m] */
} HlConflict;

/* Searches the island of joint `worst` (the one that stayed open): a set of joints and held
 * coordinates that cannot be met together from the stated poses, of which every part is needed.
 * Several orders of leaving parts out are tried and the smallest set is kept. Free with
 * hl_conflict_clear (). */
void hl_conflict_find (const HlSystem *sys, int worst, HlConflict *conflict);
void hl_conflict_clear (HlConflict *conflict);
