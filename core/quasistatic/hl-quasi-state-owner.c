/* SPDX-License-Identifier: MIT */
/* Whose state it is in the quasistatic model, for messages. */
#include "core/system/hl-dynamics.h"
#include "core/quasistatic/hl-quasi-machine.h"
#include "core/system/hl-system-private.h"

void hl_quasi_state_owner (const HlSystem *sys, const HlWork *work, int state, HlEntityKind *kind,
                           int *entity) {
  if (state >= hl_off_soft (sys, work)) {
    *kind = HL_ENTITY_LINE;
    *entity = sys->nodes[hl_quasi_soft_node (sys, state - hl_off_soft (sys, work))].line;
  } else if (state >= hl_off_spool (sys, work))
    hl_state_owner (sys, work, hl_off_u (work) + state - hl_off_spool (sys, work), kind, entity);
  else if (state >= hl_off_rod (work)) {
    *kind = HL_ENTITY_COMPONENT;
    *entity = sys->cylinders[state - hl_off_rod (work)].component;
  } else
    hl_state_owner (sys, work, state, kind, entity);
}
