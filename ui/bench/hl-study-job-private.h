/* SPDX-License-Identifier: MIT */
/* What the threads of a study's job work on, split over two files: rows of a design (hl-study-job.c), and
 * runs of a search for an optimum, each of which becomes a row (hl-study-job-optimum.c). */
#pragma once

#include "core/study/hl-optimize.h"
#include "ui/bench/hl-study-job.h"

#include <stdatomic.h>

typedef struct
{
  int n_holders; /* job and errand, both on the window's thread */
  HlStudy *study;
  int n_rows, n_columns, n_threads;
  double *values;       /* n_columns x n_rows, a row together */
  char **errors;        /* n_rows */
  atomic_uchar *states; /* HlStudyRowState */
  atomic_bool is_stopped;
  HlOptimizeAnswer *found; /* of a search that ended; NULL: none */
} HlStudyShared;

/* HlSimOptions.cancel. */
bool hl_study_job_is_stopped (void *shared);

/* HlErrand.work of a search; the job is an HlStudyShared. */
gpointer hl_study_job_search (gpointer job, GCancellable *life, GError **error);
/* Rows that a search may need. FALSE: what its member says is wrong. */
gboolean hl_study_job_search_rows (const HlStudy *study, int *n_rows, GError **error);
