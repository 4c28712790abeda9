/* SPDX-License-Identifier: MIT */
/* hl-jacobian-wide.c inside an FMU, where no island is a large one. */
#include "core/system/hl-jacobian-private.h"

bool
hl_jacobian_motion_wide (
    const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, double J[], int ld)
{
  (void)sys;
  (void)work;
  (void)oil;
  (void)k;
  (void)J;
  (void)ld;
  return false;
}
