/* SPDX-License-Identifier: MIT */
#include "core/quasistatic/hl-quasi-feedback.h"

#include <math.h>

#include "core/system/hl-feedback.h"
#include "core/system/hl-observable-private.h"

/* Whether what is measured is a pressure that the balance of flows gives. */
static bool
is_sought (const HlSystem *sys, HlObservable of)
{
  int node = -1;

  if (of.kind == OF_LINE)
    node = sys->lines[of.index].node;
  else if (of.kind == OF_COMPONENT) {
    const HlComponent *c = &sys->components[of.index];
    HlReading reads = c->klass->kind.outputs[of.part].reads;
    if (reads == HL_READS_STORED)
      return false; /* its line is a state */
    if (reads != HL_READS_LAW)
      return false;
    for (int port = 0; port < c->klass->kind.n_ports && node < 0; port++)
      node = c->node[port];
  }
  if (node < 0 || sys->nodes[node].state < 0)
    return false;
  for (int k = hl_quasi_n_soft (sys) - 1; k >= 0; k--)
    if (hl_quasi_soft_node (sys, k) == node)
      return false;
  return true;
}

bool
hl_quasi_feedback_has_meaning (const HlSystem *sys, int signal)
{
  const HlSignal *s = &sys->signals[signal];
  const double x[HL_BLOCK_STATES] = {0.0};
  HlBlockPoint at = {.x = x};
  double slope;

  if (s->kind != HL_SIGNAL_BLOCK || s->measure < 0 ||
      !is_sought (sys, sys->topology->measures[s->measure]))
    return true;
  hl_block_eval (s->klass, &s->block, &at, HL_SIDE_MEAN, &slope);
  return at.d_raw.m == 0.0;
}

bool
hl_quasi_feedback_is_there (const HlWork *work)
{
  return work->along != NULL;
}

void
hl_quasi_feedback_values (const HlSystem *sys, HlWork *work)
{
  if (work->along != NULL)
    hl_feedback_eval (sys, work, NULL);
}

void
hl_quasi_feedback_rates (HlQuasiMachine *machine, const HlSystem *sys, HlWork *work, double u_dot[])
{
  if (work->along == NULL || machine->net == NULL)
    return;
  for (int node = 0; node < sys->n_nodes; node++)
    work->node_p[node] = hl_quasi_net_pressure_held (machine->net, node);
  hl_feedback_eval (sys, work, u_dot);
}
