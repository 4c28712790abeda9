/* SPDX-License-Identifier: MIT */
/* Who is to blame when a drawing does not fit: the whole is tried without each element in turn, and
 * the one without which the others fill most of the pattern is one too many. */
#include "core/system/hl-recognize-private.h"

/* Above this number of components the search would take too long for a drawing that is being
 * edited. */
#define MOST_TRIED 200

/* How much of the pattern is filled. */
static int
count_parts (const HlCircuit *circuit)
{
  int count = 0;

  for (int k = 0; k < circuit->n_cylinders; k++) {
    const HlCircuitCylinder *part = &circuit->cylinders[k];
    int filled[] = {part->pump,         part->ph.term,    part->th.term,     part->pr.term,
                    part->tr.term,      part->ua.term,    part->head_relief, part->rod_relief,
                    part->head_suction, part->rod_suction};
    for (size_t i = 0; i < sizeof filled / sizeof filled[0]; i++)
      count += filled[i] >= 0 ? 1 : 0;
  }
  for (int k = 0; k < circuit->n_pumps; k++)
    count += (circuit->pumps[k].ub.term >= 0 ? 1 : 0) + (circuit->pumps[k].relief >= 0 ? 1 : 0);
  return count;
}

/* How well the rest fits without a component: parts filled first, then components that have a part;
 * -1 = something else does not fit. */
static int
fit_without (const HlSystem *sys, int component)
{
  HlCircuit circuit;
  HlMisfit unused;

  if (hl_recognize_without (sys, component, &circuit, &unused) != HL_OK)
    return -1;
  int fit = MOST_TRIED * count_parts (&circuit);
  for (int k = 0; k < sys->topology->n_names[HL_ENTITY_COMPONENT]; k++)
    fit += circuit.is_used[k] ? 1 : 0;
  hl_circuit_clear (&circuit);
  return fit;
}

/* A line of the component that is no tank's. */
static int
line_of_component (const HlSystem *sys, int component)
{
  for (int k = 0; k < sys->n_flows; k++) {
    if (sys->flows[k].component != component)
      continue;
    for (int b = 0; b < 2 * sys->flows[k].n_branches; b++) {
      const HlBranch *branch = &sys->topology->branches[sys->flows[k].first_branch + b / 2];
      int node = b % 2 == 0 ? branch->a : branch->b;
      if (node >= 0 && sys->nodes[node].source < 0)
        return sys->nodes[node].line;
    }
  }
  for (int k = 0; k < sys->n_cylinders; k++)
    if (sys->cylinders[k].component == component && sys->cylinders[k].node_a >= 0)
      return sys->nodes[sys->cylinders[k].node_a].line;
  for (int k = 0; k < sys->n_sources; k++)
    if (sys->sources[k].component == component && sys->sources[k].node >= 0)
      return sys->nodes[sys->sources[k].node].line;
  return -1;
}

static void
find_culprit (const HlSystem *sys, HlMisfit *misfit)
{
  int n = sys->topology->n_names[HL_ENTITY_COMPONENT];
  int best = -1, most = -1;

  for (int component = 0; component < n && n <= MOST_TRIED; component++) {
    int fit = fit_without (sys, component);
    if (fit > most || (fit >= 0 && fit == most && component == misfit->component)) {
      best = component;
      most = fit;
    }
  }
  if (best < 0 || best == misfit->component)
    return;
  *misfit = (HlMisfit){HL_MISFIT_EXTRA, best, line_of_component (sys, best)};
}

/* Some faults lie in the element itself, and taking it away is no mend. */
static bool
is_own_fault (HlMisfitKind kind)
{
  switch (kind) {
  case HL_MISFIT_LEAKAGE:
  case HL_MISFIT_NO_TANK:
  case HL_MISFIT_NO_PUMP_LIMIT:
  case HL_MISFIT_BAD_LIMIT:
  case HL_MISFIT_BAD_FLOW:
  case HL_MISFIT_BAD_AREA:
  case HL_MISFIT_SMALL_HEAD:
  case HL_MISFIT_TWO_TANKS:
  case HL_MISFIT_PRESSURE_SOURCE:
  case HL_MISFIT_ACCUMULATOR:
  case HL_MISFIT_TWO_PUMPS:
    return true;
  default:
    return false;
  }
}

HlStatus
hl_recognize (const HlSystem *sys, HlCircuit *circuit, HlMisfit *misfit)
{
  HlStatus status = hl_recognize_without (sys, -1, circuit, misfit);

  if (status == HL_OK)
    *misfit = (HlMisfit){HL_MISFIT_NONE, -1, -1};
  else if (!is_own_fault (misfit->kind))
    find_culprit (sys, misfit);
  return status;
}
