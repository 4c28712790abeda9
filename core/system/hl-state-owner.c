/* SPDX-License-Identifier: MIT */
/* Whose state it is, for messages, and in which unit. */
#include <string.h>

#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

void hl_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind, int *entity) {
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

bool hl_blame_late_relief (const HlSystem *sys, int line, HlFault *fault) {
  for (int k = 0; k < sys->n_components; k++) {
    const HlComponent *c = &sys->components[k];
    if (!c->klass->relieves || c->n_states == 0 || line < 0 || c->node[0] != sys->lines[line].node)
      continue;
    if (fault == NULL)
      return true;
    fault->entity_kind = HL_ENTITY_COMPONENT;
    fault->entity = k;
    fault->why = HL_TEXT ("oil is pressed into the line of this relief valve and has no other way out, but "
                          "the valve needs time to open, and without oil that gives way there is none");
    fault->mend = HL_TEXT ("set its time constant to 0, or use the lumped model");
    fault->change = HL_CHANGE_NO_LAG;
    return true;
  }
  return false;
}

const char *hl_state_unit (const HlSystem *sys, int state) {
  const HlSignal *signal = hl_state_signal (sys, state);

  if (signal == NULL)
    return hl_quantity_si (hl_state_word (sys, state)->quantity);
  bool is_measured = signal->measure >= 0 && signal->block.ki == 0.0 && signal->block.gain == 1.0;
  if (strcmp (signal->klass->words[0], "integral") == 0)
    is_measured = hl_block_word (signal->klass, &signal->block, sys->topology->part_of_state[state]) == 1;
  return is_measured ? hl_observable_unit (sys->topology->measures[signal->measure]) : "1";
}
