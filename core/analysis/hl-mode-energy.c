/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-mode-energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/system/hl-system-private.h"

/* Mode shape: real and imaginary parts. */
typedef struct
{
  const double *x[2], *p[2];
} Shape;

static double
body_energy (const HlSystem *sys, const HlWork *work, int body, const Shape *shape)
{
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

/* Change of a point along the shape; ground points stay. */
static void
point_shift (const HlWork *work, int body, const double u[2], const double dx[], double out[2])
{
  double arm[2], turn[2];

  out[0] = out[1] = 0.0;
  if (body < 0)
    return;
  hl_frame_arm (hl_work_frame (work, body), u, arm, turn);
  for (int k = 0; k < 2; k++)
    out[k] = dx[3 * body + k] + turn[k] * dx[3 * body + 2];
}

static double
angle_shift (int body, const double dx[])
{
  return body >= 0 ? dx[3 * body + 2] : 0.0;
}

static double
spring_energy (const HlWork *work, const HlLoad *load, const Shape *shape)
{
  double sum = 0.0, from[2], to[2];

  if (load->kind != HL_LOAD_SPRING && load->kind != HL_LOAD_TORSION_SPRING)
    return 0.0;
  hl_frame_point (hl_work_frame (work, load->body_i), load->u_i, from, NULL);
  hl_frame_point (hl_work_frame (work, load->body_j), load->u_j, to, NULL);
  double length = hypot (to[0] - from[0], to[1] - from[1]);
  for (int part = 0; part < 2; part++) {
    const double *dx = shape->x[part];
    double change = angle_shift (load->body_j, dx) - angle_shift (load->body_i, dx);
    if (load->kind == HL_LOAD_SPRING) {
      double a[2], b[2];
      point_shift (work, load->body_i, load->u_i, dx, a);
      point_shift (work, load->body_j, load->u_j, dx, b);
      change = ((to[0] - from[0]) * (b[0] - a[0]) + (to[1] - from[1]) * (b[1] - a[1])) /
               fmax (length, 1e-300);
    }
    sum += load->stiffness * change * change;
  }
  return sum;
}

static int
compare_shares (const void *a, const void *b)
{
  double x = ((const HlModeEnergy *)a)->share, y = ((const HlModeEnergy *)b)->share;
  return (x < y) - (x > y);
}

static int
collect (const HlSystem *sys,
         const HlWork *work,
         const Shape *shape,
         double lambda_squared,
         HlModeEnergy all[])
{
  int n = 0;

  for (int k = 0; k < sys->mech.n_bodies; k++)
    all[n++] = (HlModeEnergy){HL_MODE_KINETIC, HL_ENTITY_BODY, k,
                              lambda_squared * body_energy (sys, work, k, shape)};
  for (int k = 0; k < sys->mech.n_loads; k++)
    all[n++] = (HlModeEnergy){HL_MODE_ELASTIC, HL_ENTITY_LOAD, k,
                              spring_energy (work, &sys->mech.loads[k], shape)};
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

int
hl_mode_energy (const HlSystem *sys,
                const HlPoint *point,
                const HlLinearization *lin,
                int k,
                HlModeEnergy out[],
                int most)
{
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
