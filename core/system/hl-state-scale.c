/* SPDX-License-Identifier: MIT */
#include "core/system/hl-state-scale.h"

#define COMPRESSION 1.0e-3

double hl_scale_of_column (const HlSystem *sys, int column) {
  return column % 3 == 2 ? 1.0 : sys->mech.islands[sys->mech.island_of_body[column / 3]].length;
}

double hl_scale_of_pressure (const HlSystem *sys) {
  return COMPRESSION * sys->fluid.bulk_modulus;
}

double hl_scale_of_component (const HlSystem *sys, int state) {
  const HlSignal *signal = hl_state_signal (sys, state);

  if (signal != NULL)
    return signal->size[sys->topology->part_of_state[state]];
  const HlStateWord *word = hl_state_word (sys, state);
  return word->scale != NULL ? word->scale (hl_state_component (sys, state)) : 1.0;
}

void hl_state_scales (const HlSystem *sys, const HlWork *work, double scale[]) {
  for (int k = 0; k < work->f; k++)
    scale[k] = scale[hl_off_v (work) + k] = hl_scale_of_column (sys, work->ai_column[k]);
  for (int k = 0; k < work->l; k++)
    scale[hl_off_ad (work) + k] = hl_scale_of_column (sys, work->ad_column[k]);
  for (int k = 0; k < work->r; k++)
    scale[hl_off_p (work) + k] = hl_scale_of_pressure (sys);
  for (int k = 0; k < work->u; k++)
    scale[hl_off_u (work) + k] = hl_scale_of_component (sys, k);
}
