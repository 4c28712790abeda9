/* SPDX-License-Identifier: MIT */
/* HlLocusStudy's inside: hl-locus-study.c has knobs and locus, hl-locus-study-ask.c what the
 * worker is asked for, hl-locus-study-mode.c the mode that is looked at. */
#pragma once

#include "ui/bench/hl-editing-peer.h"
#include "ui/bench/hl-locus-study-peer.h"
#include "ui/bench/hl-workbench-peer.h"

struct _HlLocusStudy
{
  HlWorkbench *hub;

  GPtrArray *knobs;
  int knob; /* of the locus; -1: none */
  gboolean is_stale;
  gboolean branches_due; /* something else than the knob of the locus was moved */
  guint branches_from;   /* answers from this serial on have them; 0: not asked for yet */
  HlLocus *locus;
  guint serial;        /* the first request over the present knob; 0: none of them */
  const char *message; /* why there are no branches; NULL = there are, or none is wished */
  int n_states;        /* of the machine whose branches were asked for last */
  char *some;          /* tells that only some of them are followed; NULL: all are */
  HlCrossing crossings[HL_LOCUS_MOST_CROSSINGS];
  int n_crossings;
  HlSensitivity *sensitivity;
  GArray *others;    /* HlOtherPole */
  GArray *fates;     /* HlPoleFate; NULL: none yet */
  double mode_time;  /* of the hybrid mode whose poles are among them; 0: where a run starts [s] */
  guint rest_source; /* waits for the time cursor to rest */
  double seconds;

  HlLocusTarget target;

  int mode; /* eigenvalue, -1 = none */
  double mode_amplitude, mode_phase;
  HlModeMovie *movie; /* made when it is asked for */
};

void hl_locus_study_drop_movie (HlLocusStudy *self);
void hl_locus_study_forget_locus (HlLocusStudy *self);
