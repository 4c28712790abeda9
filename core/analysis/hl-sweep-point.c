/* SPDX-License-Identifier: MIT */
#include "core/analysis/hl-sweep-point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-jacobian-error.h"
#include "core/analysis/hl-state-scale.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

struct HlSweepPoint
{
  HlSystem *sys;
  HlWork *work;
  HlPoint *point;
  HlStart start;
  HlEigen *eigen;
  int n;
  double *y, *J, *scale;
};

HlSweepPoint *
hl_sweep_point_new (const HlSystem *sys, HlStart start, HlFault *fault)
{
  HlSweepPoint *sweep = calloc (1, sizeof *sweep);

  sweep->sys = hl_system_copy (sys);
  sweep->work = hl_work_new (sweep->sys);
  sweep->point = hl_point_new (sweep->sys);
  sweep->start = start == HL_START_FROM_MODEL ? (HlStart)sys->start : start;
  if (hl_start_point (sweep->sys, sweep->work, sweep->start, NULL, sweep->point, NULL, fault) !=
      HL_OK) {
    hl_sweep_point_free (sweep);
    return NULL;
  }
  size_t n = (size_t)(sweep->n = sweep->work->n_states);
  sweep->eigen = hl_eigen_new (sweep->n);
  sweep->y = calloc (n + 1, sizeof (double));
  sweep->J = calloc (n * n + 1, sizeof (double));
  sweep->scale = calloc (n + 1, sizeof (double));
  hl_state_scales (sweep->sys, sweep->work, sweep->scale);
  hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  hl_jacobian_row_error (sweep->sys, sweep->work, 0.0, sweep->y, sweep->scale, sweep->J);
  hl_eigen_set_row_error (sweep->eigen, sweep->n, sweep->J);
  return sweep;
}

void
hl_sweep_point_free (HlSweepPoint *sweep)
{
  if (sweep == NULL)
    return;
  if (sweep->eigen != NULL)
    hl_eigen_free (sweep->eigen);
  hl_point_free (sweep->point);
  hl_work_free (sweep->work);
  hl_system_unref (sweep->sys);
  free (sweep->y);
  free (sweep->J);
  free (sweep->scale);
  free (sweep);
}

void
hl_sweep_point_set (HlSweepPoint *sweep, const HlSweepParameter *parameter, double value)
{
  for (int k = 0; k < parameter->n; k++)
    hl_system_set_parameter (sweep->sys, parameter->parameters[k],
                             value * (parameter->factors != NULL ? parameter->factors[k] : 1.0));
}

HlStatus
hl_sweep_point_eval (HlSweepPoint *sweep, unsigned flags, HlFault *fault)
{
  /* as-given starts are stated by the file alone; an equilibrium goes on from the last one */
  const HlPoint *from = sweep->start == HL_START_EQUILIBRIUM ? sweep->point : NULL;
  HlStatus status =
      hl_start_point (sweep->sys, sweep->work, sweep->start, from, sweep->point, NULL, fault);

  if (status != HL_OK)
    return status;
  if (sweep->work->n_states != sweep->n)
    return hl_fault_set (fault, HL_SINGULAR, HL_ENTITY_NONE, -1, 0.0);
  hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  status = hl_jacobian_eval (sweep->sys, 0.0, sweep->y, sweep->J, sweep->work, fault);
  if (status == HL_OK)
    status = hl_eigen_eval (sweep->eigen, sweep->n, sweep->J, sweep->scale, 0.0, flags);
  return status;
}

int
hl_sweep_point_n_states (const HlSweepPoint *sweep)
{
  return sweep->n;
}

const double *
hl_sweep_point_J (const HlSweepPoint *sweep)
{
  return sweep->J;
}

const HlEigen *
hl_sweep_point_eigen (const HlSweepPoint *sweep)
{
  return sweep->eigen;
}

int
hl_sweep_point_nearest (const HlSweepPoint *sweep, double re, double im, bool among_null)
{
  int best = -1;
  double smallest = INFINITY;

  for (int k = 0; k < sweep->n; k++) {
    if (!among_null && sweep->eigen->is_null[k])
      continue;
    double distance =
        hypot (creal (sweep->eigen->value[k]) - re, cimag (sweep->eigen->value[k]) - im);
    if (distance < smallest) {
      smallest = distance;
      best = k;
    }
  }
  return best;
}
