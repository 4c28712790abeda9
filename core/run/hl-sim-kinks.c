/* SPDX-License-Identifier: MIT */
#include "core/run/hl-sim-kinks.h"

#include "core/system/hl-system-private.h"

int
hl_sim_kinks_count (const HlSystem *sys)
{
  const HlTopology *top = sys->topology;
  int n = 2 * sys->n_cylinders;

  for (int k = 0; k < top->n_laws; k++)
    if (sys->components[top->laws[k]].klass->lift != NULL)
      n += 2 * sys->components[top->laws[k]].n_branches;
  return n;
}

void
hl_sim_kinks_read (const HlSystem *sys, const HlWork *work, double out[])
{
  const HlTopology *top = sys->topology;
  int n = 0;

  for (int k = 0; k < sys->n_cylinders; k++) {
    out[n++] = hl_cylinder_length_a (&sys->cylinders[k], work->cylinders[k].length.s);
    out[n++] = hl_cylinder_length_b (&sys->cylinders[k], work->cylinders[k].length.s);
  }
  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    HlLawInputs in;
    if (c->klass->lift == NULL)
      continue;
    HlLaw law = hl_work_law (work, c, &in);
    for (int branch = 0; branch < c->n_branches; branch++) {
      double lift = c->klass->lift (c, &law, branch);
      out[n++] = lift;
      out[n++] = lift - 1.0;
    }
  }
}

int
hl_sim_kink_find (const HlSystem *sys, int kink, int *branch)
{
  const HlTopology *top = sys->topology;
  int n = 2 * sys->n_cylinders;

  *branch = -1;
  if (kink < n)
    return sys->cylinders[kink / 2].component;
  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    if (c->klass->lift == NULL)
      continue;
    if (kink < n + 2 * c->n_branches) {
      *branch = (kink - n) / 2;
      return top->laws[k];
    }
    n += 2 * c->n_branches;
  }
  return -1;
}
