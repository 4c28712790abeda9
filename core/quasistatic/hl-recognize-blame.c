/* SPDX-License-Identifier: MIT */
/* Who is to blame when a drawing does not fit: the whole is tried without each element in turn, and
 * the one without which the others fill most of the pattern is one too many. */
#include "core/quasistatic/hl-recognize-private.h"

/* Above this number of components the search would take too long for a drawing that is being
 * edited. */
#define MOST_TRIED 200

/* How much of the pattern is filled. */
static int count_parts (const HlCircuit *circuit) {
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
static int fit_without (const HlSystem *sys, int component) {
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
static int line_of_component (const HlSystem *sys, int component) {
  const HlComponent *c = &sys->components[component];

  for (int branch = 0; branch < 2 * c->n_branches; branch++) {
    const HlBranch *ends = &sys->topology->branches[c->first_branch + branch / 2];
    int node = branch % 2 == 0 ? ends->a : ends->b;
    if (node >= 0 && sys->nodes[node].source < 0)
      return sys->nodes[node].line;
  }
  bool has_own = c->klass->is_cylinder || c->klass->given_pressure != NULL;
  return has_own && c->node[0] >= 0 ? sys->nodes[c->node[0]].line : -1;
}

/* Without the only cylinder nothing is asked for and everything fits: that blames it only where the
 * fault is its own connection. And who has valves on the pump without a check valve is not to blame
 * for being there, nor is the only pump. */
static bool may_be_blamed (const HlSystem *sys, int component, HlMisfitKind kind) {
  int n_pumps = 0;
  bool is_pump = false;

  if (sys->components[component].cylinder >= 0)
    return kind == HL_MISFIT_SHARED_CHAMBER || kind == HL_MISFIT_CHAMBER_ON_TANK ||
           kind == HL_MISFIT_PUMP_AT_CHAMBER || kind == HL_MISFIT_PLUGGED_CHAMBER ||
           (sys->n_cylinders > 1 && kind != HL_MISFIT_NO_CHECK);
  for (int k = 0; k < sys->n_passages; k++) {
    if (sys->passages[k].kind != HL_PASSAGE_PUMP)
      continue;
    n_pumps++;
    is_pump = is_pump || sys->passages[k].component == component;
  }
  return kind != HL_MISFIT_NO_CHECK || n_pumps > 1 || !is_pump;
}

static void find_culprit (const HlSystem *sys, HlMisfit *misfit) {
  int n = sys->topology->n_names[HL_ENTITY_COMPONENT];
  int best = -1, most = -1;

  for (int component = 0; component < n && n <= MOST_TRIED; component++) {
    int fit = may_be_blamed (sys, component, misfit->kind) ? fit_without (sys, component) : -1;
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
static bool is_own_fault (HlMisfitKind kind) {
  switch (kind) {
  case HL_MISFIT_LEAKAGE:
  case HL_MISFIT_CYLINDER:
  case HL_MISFIT_ROTARY:
  case HL_MISFIT_FEEDBACK:
  case HL_MISFIT_CRACKING:
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

HlStatus hl_recognize (const HlSystem *sys, HlCircuit *circuit, HlMisfit *misfit) {
  HlStatus status = hl_recognize_without (sys, -1, circuit, misfit);

  if (status == HL_OK)
    *misfit = (HlMisfit){HL_MISFIT_NONE, -1, -1};
  else if (!is_own_fault (misfit->kind))
    find_culprit (sys, misfit);
  return status;
}
