/* SPDX-License-Identifier: MIT */
/* Functions common to all loads. */
#include "core/mech/hl-load.h"

#include <string.h>

/* The table of loads, in the order of the palette: one row makes a kind known. */

/* clang-format off */
extern const HlLoadClass
  hl_torque_class,
  hl_force_class,
  hl_spring_class,
  hl_torsion_spring_class,
  hl_tyre_class;

const HlLoadClass *const hl_loads[] = {
  &hl_torque_class,
  &hl_force_class,
  &hl_spring_class,
  &hl_torsion_spring_class,
  &hl_tyre_class,
};
/* clang-format on */
const int hl_n_loads = (int)(sizeof hl_loads / sizeof hl_loads[0]);

const HlLoadClass *hl_load_class (const char *kind) {
  for (int k = 0; kind != NULL && k < hl_n_loads; k++)
    if (strcmp (hl_loads[k]->kind.name, kind) == 0)
      return hl_loads[k];
  return NULL;
}

void hl_load_tangent (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                      HlLoadTangent *out) {
  memset (out, 0, sizeof *out);
  if (load->klass->tangent != NULL)
    load->klass->tangent (load, fi, fj, value, out);
}

void hl_load_input (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double q[6]) {
  memset (q, 0, 6 * sizeof q[0]);
  if (load->klass->input != NULL)
    load->klass->input (load, fi, fj, q);
}

double hl_load_work_rate (const double q[6], const HlFrame *fi, const HlFrame *fj) {
  const double v[6] = {fi->v[0], fi->v[1], fi->w, fj->v[0], fj->v[1], fj->w};
  double power = 0.0;

  for (int k = 0; k < 6; k++)
    power += q[k] * v[k];
  return power;
}

void hl_load_power (const HlLoad *load, const HlFrame *fi, const HlFrame *fj, double value,
                    double powers[3]) {
  double q[6];

  if (load->klass->loss != NULL) {
    powers[1] += load->klass->loss (load, fi, fj);
    return;
  }
  hl_load_force (load, fi, fj, value, q);
  powers[2] += hl_load_work_rate (q, fi, fj);
}
