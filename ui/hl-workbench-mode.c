/* SPDX-License-Identifier: MIT */
/* The mode that is looked at: which eigenvalue, how far it is exaggerated, where in its period the
 * drawings stand. */
#include "ui/hl-workbench-private.h"

#include <math.h>

void
hl_workbench_drop_movie (HlWorkbench *self)
{
  g_clear_pointer (&self->movie, hl_mode_movie_free);
}

int
hl_workbench_mode (HlWorkbench *self)
{
  const HlWorkingPoint *at = self->point;
  return at != NULL && at->linearization != NULL && self->mode < at->linearization->n ? self->mode
                                                                                      : -1;
}

void
hl_workbench_set_mode (HlWorkbench *self, int mode)
{
  if (mode == self->mode)
    return;
  self->mode = mode;
  self->mode_phase = 0;
  hl_workbench_drop_movie (self);
  hl_workbench_announce (self, HL_CHANGED_MODE);
}

void
hl_workbench_follow_mode (HlWorkbench *self,
                          const HlLinearization *before,
                          const HlLinearization *now)
{
  int nearest = -1;
  double best = INFINITY;

  hl_workbench_drop_movie (self);
  if (self->mode < 0)
    return;
  for (int k = 0; before != NULL && now != NULL && self->mode < before->n && k < now->n; k++) {
    const HlEigenvalue *old = &before->eigenvalues[self->mode], *new = &now->eigenvalues[k];
    double apart = hypot (new->re - old->re, new->im - old->im);
    if (!new->null && apart < best) {
      best = apart;
      nearest = k;
    }
  }
  self->mode = nearest;
  self->pending |= HL_CHANGED_MODE;
}

double
hl_workbench_mode_amplitude (HlWorkbench *self)
{
  return self->mode_amplitude;
}

void
hl_workbench_set_mode_amplitude (HlWorkbench *self, double amplitude)
{
  self->mode_amplitude = amplitude;
  hl_workbench_drop_movie (self);
  hl_workbench_announce (self, HL_CHANGED_MODE);
}

double
hl_workbench_mode_phase (HlWorkbench *self)
{
  return self->mode_phase;
}

void
hl_workbench_set_mode_phase (HlWorkbench *self, double phase)
{
  self->mode_phase = phase - floor (phase);
  hl_workbench_announce (self, HL_CHANGED_PHASE);
}

const HlModeMovie *
hl_workbench_mode_movie (HlWorkbench *self)
{
  int mode = hl_workbench_mode (self);

  if (mode >= 0 && self->movie == NULL)
    self->movie =
        hl_mode_movie_new (hl_workbench_document (self), self->point, mode, self->mode_amplitude);
  return mode >= 0 ? self->movie : NULL;
}
