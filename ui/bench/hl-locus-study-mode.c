/* SPDX-License-Identifier: MIT */
/* The mode that is looked at: which eigenvalue, how far it is exaggerated, where in its period the
 * drawings stand. */
#include "ui/bench/hl-locus-study-private.h"

#include <math.h>

void
hl_locus_study_drop_movie (HlLocusStudy *self)
{
  g_clear_pointer (&self->movie, hl_mode_movie_free);
}

int
hl_locus_study_mode (HlLocusStudy *self)
{
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->hub));
  return at != NULL && at->linearization != NULL && self->mode < at->linearization->n ? self->mode
                                                                                      : -1;
}

void
hl_locus_study_set_mode (HlLocusStudy *self, int mode)
{
  if (mode == self->mode)
    return;
  self->mode = mode;
  self->mode_phase = 0;
  hl_locus_study_drop_movie (self);
  hl_workbench_announce (self->hub, HL_CHANGED_MODE);
}

void
hl_locus_study_follow_point (HlLocusStudy *self,
                             const HlLinearization *before,
                             const HlLinearization *now)
{
  int nearest = -1;
  double best = INFINITY;

  hl_locus_study_drop_movie (self);
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
  hl_workbench_note (self->hub, HL_CHANGED_MODE);
}

double
hl_locus_study_mode_amplitude (HlLocusStudy *self)
{
  return self->mode_amplitude;
}

void
hl_locus_study_set_mode_amplitude (HlLocusStudy *self, double amplitude)
{
  self->mode_amplitude = amplitude;
  hl_locus_study_drop_movie (self);
  hl_workbench_announce (self->hub, HL_CHANGED_MODE);
}

double
hl_locus_study_mode_phase (HlLocusStudy *self)
{
  return self->mode_phase;
}

void
hl_locus_study_set_mode_phase (HlLocusStudy *self, double phase)
{
  self->mode_phase = phase - floor (phase);
  hl_workbench_announce (self->hub, HL_CHANGED_PHASE);
}

const HlModeMovie *
hl_locus_study_mode_movie (HlLocusStudy *self)
{
  HlEditing *editing = hl_workbench_editing (self->hub);
  int mode = hl_locus_study_mode (self);

  if (mode >= 0 && self->movie == NULL)
    self->movie = hl_mode_movie_new (hl_editing_document (editing), hl_editing_point (editing),
                                     mode, self->mode_amplitude);
  return mode >= 0 ? self->movie : NULL;
}
