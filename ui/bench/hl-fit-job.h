/* SPDX-License-Identifier: MIT */
/* HlFitJob: a fit to measured tables, by all processors but one, while the window goes on. For the
 * thread that began it; nothing here waits. */
#pragma once

#include "core/study/hl-fit.h"

typedef struct _HlFitJob HlFitJob;

/* One number that was fitted. */
typedef struct {
  const char *name; /* path, or "FILE offset"; borrowed */
  const char *unit; /* SI; borrowed */
  HlQuantity quantity;
  const char *const *paths;    /* that it sets; NULL: an offset */
  double start, value;         /* SI */
  double deviation, low, high; /* NAN: not told */
  HlFitPlace place;
} HlFitJobNumber;

/* Reads and checks the study with this model, then begins; its tables are sought from `folder` (NULL: they
 * are named in full). `changed` is called on this thread when it ended. NULL and an error that names what
 * is wrong. */
HlFitJob *hl_fit_job_new (const HlValue *draft, const HlDocument *model, const char *folder,
                          void (*changed) (gpointer data), gpointer data, GError **error);
/* What is under way is given up, and nobody is told. */
void hl_fit_job_free (HlFitJob *job);
/* The best so far is kept. */
void hl_fit_job_stop (HlFitJob *job);
gboolean hl_fit_job_is_busy (const HlFitJob *job);
/* Why there is no answer; NULL: there is one, or not yet. Borrowed. */
const char *hl_fit_job_problem (const HlFitJob *job);
/* What was proposed or left out, in lines; "": nothing. Borrowed. */
const char *hl_fit_job_notes (const HlFitJob *job);
/* Steps so far, and the best cost, NAN: none. */
int hl_fit_job_steps (const HlFitJob *job, double *cost);

/* NULL until it ended well. Borrowed. */
const HlFit *hl_fit_job_fit (const HlFitJob *job);
/* See there. */
const HlFitAnswer *hl_fit_job_answer (const HlFitJob *job);
/* The model where the fit began, before[n_points]; NULL: it does not run there. */
const double *hl_fit_job_before (const HlFitJob *job);
/* 0 <= number < answer->n_numbers. */
HlFitJobNumber hl_fit_job_number (const HlFitJob *job, int number);
/* The points as CSV, in SI units. Owned by the caller. */
char *hl_fit_job_table (const HlFitJob *job);
