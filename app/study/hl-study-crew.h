/* SPDX-License-Identifier: MIT */
/* Processes that compute rows of a study, each one by itself: one that ends in the middle of a row (a
 * crash, memory that ran out) is replaced, the row tried once more, and then told as one that
 * failed. They end with their parent, however that ends. */
#pragma once

#include "core/study/hl-study-folder.h"
#include "core/study/hl-study-work.h"

typedef struct {
  const HlStudy *study;
  HlStudyWork *work;           /* made before; each process has its own copy of it */
  const HlStudyFolder *folder; /* knows which rows are done */
  HlRowFile *file;             /* where rows go */
  int from, to;                /* rows of this shard */
  int jobs;
  /* Now and then, and when something was done; FALSE stops the work. */
  gboolean (*progress) (int n_done, int n_failed, double seconds, void *data);
  void *data;
} HlStudyCrew;

typedef struct {
  int n_done, n_failed;
  double integration; /* seconds of all processes together that went into integration */
} HlStudyCrewTold;

/* Computes the rows that are not done; comes back when they are, or when `progress` said so
 * (HL_ERROR_CANCELLED), or the file cannot be written (HL_ERROR_FAILED); told: how far it came. */
gboolean hl_study_crew_run (const HlStudyCrew *crew, HlStudyCrewTold *told, GError **error);

/* Processors that this process may use. */
int hl_study_crew_processors (void);
