/* SPDX-License-Identifier: MIT */
/* Whose state it is, for messages. */
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

void
hl_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind, int *entity)
{
  const HlTopology *top = sys->topology;

  if (state >= hl_off_u (work)) {
    *kind = HL_ENTITY_COMPONENT;
    *entity = top->component_of_state[state - hl_off_u (work)];
    return;
  }
  if (state >= hl_off_p (work)) {
    *kind = HL_ENTITY_LINE;
    *entity = top->line_of_pressure[state - hl_off_p (work)];
    return;
  }
  int column = state >= hl_off_ad (work)  ? work->ad_column[state - hl_off_ad (work)]
               : state >= hl_off_v (work) ? work->ai_column[state - hl_off_v (work)]
                                          : work->ai_column[state];
  *kind = HL_ENTITY_BODY;
  *entity = column / 3;
}
