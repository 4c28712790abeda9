/* SPDX-License-Identifier: MIT */
#include "core/system/hl-state-rank-scale.h"

#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"

#include <math.h>

/* Nominal value as a part of the scale. Measured under CVODE at 1e-9 on the reference circuits: with a
 * nominal of a thousandth of the bulk modulus the worst is 1e-2 of its peak from the exact run (a pocket),
 * with these 1e-4, and ten times smaller ones change no other circuit. */
#define NOMINAL_PART 0.1
#define NOMINAL_PART_OF_PRESSURE 0.01

double hl_error_scale_of_component (const HlSystem *sys, int state) {
  const HlSignal *signal = hl_state_signal (sys, state);

  return signal != NULL ? HL_SCALE_SIGNAL * signal->size[sys->topology->part_of_state[state]]
                        : hl_state_word (sys, state)->tolerance;
}

void hl_error_scales (const HlSystem *sys, const HlWork *work, double scale[]) {
  for (int k = 0; k < work->f; k++) {
    scale[k] = HL_SCALE_POSITION;
    scale[hl_off_v (work) + k] = HL_SCALE_VELOCITY;
  }
  for (int k = 0; k < work->l; k++)
    scale[hl_off_ad (work) + k] = HL_SCALE_POSITION;
  for (int k = 0; k < work->r; k++)
    scale[hl_off_p (work) + k] = HL_SCALE_PRESSURE;
  for (int k = 0; k < work->u; k++)
    scale[hl_off_u (work) + k] = hl_error_scale_of_component (sys, k);
}

void hl_error_tighten (const HlSystem *sys, const HlWork *work, const double p[], bool is_near,
                       double weight[]) {
  const HlTopology *top = sys->topology;
  int r = work->r; /* states of components follow the pressures of lines */

  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    HlLawInputs in;
    if (c->klass->softening == NULL || c->n_states == 0)
      continue;
    HlLaw law = hl_work_law (work, c, &in);
    law.state = p + r + c->first_state;
    for (int state = 0; state < c->n_states; state++)
      weight[r + c->first_state + state] *= c->klass->softening (c, &law, state);
  }

  for (int node = 0; node < sys->n_nodes; node++) {
    int state = sys->nodes[node].state;
    if (state >= 0)
      weight[state] *= is_near && work->liquid[node] > 0.0 ? work->compliance[node] / work->liquid[node]
                                                           : hl_compliance_ratio (sys, work, node, p[state]);
  }
}

void hl_error_nominals (const HlSystem *sys, const HlWork *work, double nominal[]) {
  hl_error_scales (sys, work, nominal);
  for (int k = 0; k < hl_off_p (work); k++)
    nominal[k] *= NOMINAL_PART;
  for (int k = 0; k < work->r; k++)
    nominal[hl_off_p (work) + k] *= NOMINAL_PART_OF_PRESSURE;
  for (int k = 0; k < work->u; k++) {
    bool is_pressure =
        hl_state_signal (sys, k) == NULL && hl_state_word (sys, k)->quantity == HL_QUANTITY_PRESSURE;
    double size = nominal[hl_off_u (work) + k];
    size *= is_pressure ? NOMINAL_PART_OF_PRESSURE : NOMINAL_PART;
    nominal[hl_off_u (work) + k] = size > 0.0 && size < INFINITY ? size : 1.0;
  }
}

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
