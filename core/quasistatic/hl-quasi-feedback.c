/* SPDX-License-Identifier: MIT */
#include "core/quasistatic/hl-quasi-feedback.h"

#include <math.h>

#include "core/system/hl-feedback.h"
#include "core/system/hl-observable-private.h"

static bool is_soft (const HlSystem *sys, int node) {
  for (int k = hl_quasi_n_soft (sys) - 1; k >= 0; k--)
    if (hl_quasi_soft_node (sys, k) == node)
      return true;
  return false;
}

bool hl_quasi_feedback_has_meaning (const HlSystem *sys, int signal) {
  const HlSignal *s = &sys->signals[signal];
  int nodes[HL_MOST_MEASURED];

  if (!hl_feedback_is_at_once (s))
    return true;
  int n = hl_feedback_measured_nodes (sys, sys->topology->measures[s->measure], nodes);
  for (int k = 0; k < n; k++)
    if (!is_soft (sys, nodes[k]))
      return false;
  return true;
}

bool hl_quasi_feedback_is_there (const HlWork *work) {
  return work->along != NULL;
}

void hl_quasi_feedback_values (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work) {
  if (work->along == NULL)
    return;
  /* of the other lines the pressures are those of the solution before, which nothing at once reads */
  if (machine->net != NULL)
    hl_quasi_net_tell_soft (machine->net, work->node_p);
  hl_feedback_eval (sys, work, NULL);
}

void hl_quasi_feedback_rates (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, double u_dot[]) {
  if (work->along == NULL || machine->net == NULL)
    return;
  for (int node = 0; node < sys->n_nodes; node++)
    work->node_p[node] = hl_quasi_net_pressure_held (machine->net, node);
  hl_feedback_eval (sys, work, u_dot);
}
