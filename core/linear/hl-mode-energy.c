/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-mode-energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-system-private.h"

/* Energies of a mode, averaged over a period, but for a common factor (theory/observables.md (13)):
 *   body    |lambda|^2 (m |dr_c|^2 + I |dpsi|^2),   dr_c = dr + b dpsi of the centre of mass
 *   spring  k |ds|^2,   ds = e.(dP_j - dP_i);       torsion  k |dpsi_j - dpsi_i|^2
 *   oil     C |dp|^2 */

/* Mode shape: real and imaginary parts. */
typedef struct {
  const double *x[2], *p[2]; /* n_coordinates [m or rad]; n_pressures [Pa] */
} Shape;

static double body_energy (const HlSystem *sys, const HlWork *work, int body, const Shape *shape) {
  const HlBody *b = &sys->mech.bodies[body];
  double arm[2], turn[2], sum = 0.0;

  hl_frame_arm (hl_work_frame (work, body), b->com, arm, turn);
  for (int part = 0; part < 2; part++) {
    const double *dx = shape->x[part] + 3 * body;
    double com[2] = {dx[0] + turn[0] * dx[2], dx[1] + turn[1] * dx[2]};
    sum += b->mass * (com[0] * com[0] + com[1] * com[1]) + b->inertia * dx[2] * dx[2];
  }
  return sum;
}

static double spring_energy (const HlWork *work, const HlLoad *load, const Shape *shape) {
  double sum = 0.0, dx6[6];

  for (int part = 0; part < 2 && load->klass->stretch_along != NULL; part++) {
    hl_gather6 (shape->x[part], load->body_i, load->body_j, dx6);
    double change = load->klass->stretch_along (load, hl_work_frame (work, load->body_i),
                                                hl_work_frame (work, load->body_j), dx6);
    sum += load->stiffness * change * change;
  }
  return sum;
}

static int compare_shares (const void *a, const void *b) {
  double x = ((const HlModeEnergy *)a)->share, y = ((const HlModeEnergy *)b)->share;
  return (x < y) - (x > y);
}

static int collect (const HlSystem *sys, const HlWork *work, const Shape *shape, double lambda_squared,
                    HlModeEnergy all[]) {
  int n = 0;

  for (int k = 0; k < sys->mech.n_bodies; k++)
    all[n++] = (HlModeEnergy){HL_MODE_KINETIC, HL_ENTITY_BODY, k,
                              lambda_squared * body_energy (sys, work, k, shape)};
  for (int k = 0; k < sys->mech.n_loads; k++)
    all[n++] =
        (HlModeEnergy){HL_MODE_ELASTIC, HL_ENTITY_LOAD, k, spring_energy (work, &sys->mech.loads[k], shape)};
  for (int node = 0; node < sys->n_nodes; node++) {
    int state = sys->nodes[node].state;
    if (state < 0)
      continue;
    double re = shape->p[0][state], im = shape->p[1][state];
    all[n++] = (HlModeEnergy){HL_MODE_OIL, HL_ENTITY_LINE, sys->nodes[node].line,
                              work->compliance[node] * (re * re + im * im)};
  }
  return n;
}

int hl_mode_energy (const HlSystem *sys, const HlPoint *point, const HlLinearization *lin, int k,
                    HlModeEnergy out[], int most) {
  HlWork *work = hl_work_new (sys);
  size_t n_x = (size_t)work->n, n_p = (size_t)work->r;
  double *room = calloc (2 * (n_x + n_p) + 1, sizeof *room);
  Shape shape = {{room, room + n_x}, {room + 2 * n_x, room + 2 * n_x + n_p}};
  const HlEigenvalue *value = &lin->eigenvalues[k];
  size_t most_parts = (size_t)(sys->mech.n_bodies + sys->mech.n_loads + sys->n_nodes) + 1;
  HlModeEnergy *all = calloc (most_parts, sizeof *all);
  double sum = 0.0;
  int written = 0;

  hl_linearization_mode_shape (sys, work, point, lin, k, room, room + n_x, room + 2 * n_x,
                               room + 2 * n_x + n_p);
  int n = collect (sys, work, &shape, value->re * value->re + value->im * value->im, all);
  for (int i = 0; i < n; i++)
    sum += all[i].share;
  qsort (all, (size_t)n, sizeof *all, compare_shares);
  for (; sum > 0.0 && isfinite (sum) && written < n && written < most && all[written].share > 0.0;
       written++) {
    out[written] = all[written];
    out[written].share /= sum;
  }
  free (all);
  free (room);
  hl_work_free (work);
  return written;
}
