/* SPDX-License-Identifier: MIT */
/* States of components that the file does not state begin where they rest at the pressures and
 * signals of the start: a relief valve at its pressure is open as far as that asks for. */
#include "core/solve/hl-equilibrium-private.h"

void hl_rest_states (const HlSystem *sys, HlWork *work, HlPoint *point) {
  bool is_known = false;

  for (int k = 0; k < sys->topology->n_states_u; k++) {
    const HlComponent *c = hl_state_component (sys, k);
    HlLawInputs in;

    if (c == NULL || !hl_state_rests (sys, k))
      continue;
    if (!is_known) {
      hl_signal_eval (sys->signals, sys->n_signals, work->segments, 0.0, work->signal_values);
      for (int node = 0; node < sys->n_nodes; node++)
        work->node_p[node] =
            sys->nodes[node].state >= 0 ? point->p[sys->nodes[node].state] : sys->nodes[node].given;
    }
    is_known = true;
    HlLaw law = hl_work_law (work, c, &in);
    law.state = point->u + c->first_state;
    point->u[k] = c->klass->rest (c, &law, sys->topology->part_of_state[k]);
  }
}
