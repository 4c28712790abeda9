/* SPDX-License-Identifier: MIT */
/* Whose state it is, for messages, and in which unit. */
#include <string.h>

#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

void
hl_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind, int *entity)
{
  const HlTopology *top = sys->topology;

  if (state >= hl_off_u (work)) {
    int u = state - hl_off_u (work);
    *kind = HL_ENTITY_COMPONENT;
    *entity = top->component_of_state[u];
    if (*entity < 0) {
      *kind = HL_ENTITY_LOAD;
      *entity = top->load_owner[top->signal_of_state[u]];
    }
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

const char *
hl_state_unit (const HlSystem *sys, int state)
{
  const HlSignal *signal = hl_state_signal (sys, state);

  if (signal == NULL)
    return hl_quantity_si (hl_state_word (sys, state)->quantity);
  bool is_measured = signal->measure >= 0 && signal->block.ki == 0.0 && signal->block.gain == 1.0;
  if (strcmp (signal->klass->words[0], "integral") == 0)
    is_measured =
        hl_block_word (signal->klass, &signal->block, sys->topology->part_of_state[state]) == 1;
  return is_measured ? hl_observable_unit (sys->topology->measures[signal->measure]) : "1";
}
