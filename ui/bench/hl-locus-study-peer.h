/* SPDX-License-Identifier: MIT */
/* What the other objects on the bench ask of HlLocusStudy. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-locus-study.h"
#include "ui/bench/hl-runner.h"
#include "ui/bench/hl-hub.h"

HlLocusStudy *hl_locus_study_new (HlHub *hub);
void hl_locus_study_free (HlLocusStudy *self);
void hl_locus_study_forget (HlLocusStudy *self); /* the document is another one */

gboolean hl_locus_study_is_due (HlLocusStudy *self);
void hl_locus_study_ask (HlLocusStudy *self); /* the worker */
void hl_locus_study_take (HlLocusStudy *self, HlLocusPost *post);
