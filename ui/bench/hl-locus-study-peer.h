/* SPDX-License-Identifier: MIT */
/* What the other objects on the bench ask of HlLocusStudy. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-locus-study.h"
#include "ui/bench/hl-runner.h"
#include "ui/bench/hl-workbench.h"

HlLocusStudy *hl_locus_study_new (HlWorkbench *hub);
void hl_locus_study_free (HlLocusStudy *self);
void hl_locus_study_forget (HlLocusStudy *self); /* the document is another one */

/* The compiled document is another one, or gone: its knobs may be others. */
void hl_locus_study_follow_system (HlLocusStudy *self);
/* The branches are others now; moving the knob that they are over leaves them as they are. */
void hl_locus_study_branches_changed (HlLocusStudy *self);
gboolean hl_locus_study_is_knob (HlLocusStudy *self, const char *const *paths);
/* The working point is another one: the mode is its eigenvalue nearest to the one before. */
void hl_locus_study_follow_point (HlLocusStudy *self, const HlLinearization *before,
                                  const HlLinearization *now);
/* The time cursor, or the run that it stands in, is another one: once it rests, poles of the mode
 * that a hybrid run is in follow it. */
void hl_locus_study_follow_time (HlLocusStudy *self);

void hl_locus_study_set_due (HlLocusStudy *self);
gboolean hl_locus_study_is_due (HlLocusStudy *self);
void hl_locus_study_ask (HlLocusStudy *self); /* the worker */
void hl_locus_study_take (HlLocusStudy *self, HlLocusPost *post);
