/* SPDX-License-Identifier: MIT */
/* Data of a fit, shared by its reader, its runs and its solver. */
#pragma once

#include "core/run/hl-run-recorder.h"
#include "core/study/hl-parameter-fit.h"
#include "core/study/hl-study-row-computation.h"

/* The solver's coordinate x is the number, or the logarithm of one whose range is logarithmic. */
typedef struct {
  char *name;
  const char *unit;        /* SI, interned */
  double start, low, high; /* of the number itself */
  double size;             /* of x: a step that matters */
  gboolean is_log;
  int run; /* run of the time offset; -1: a number of the model */
} HlFitNumber;

typedef struct {
  char *trace;
  const char *unit; /* interned */
  int column;       /* of the recording, without time */
  int first, n;     /* points among all of the fit */
  double weight;
  gboolean is_free; /* of a relative trace: a constant between model and measurement is found as well */
} HlFitColumn;

typedef struct {
  char *file;
  HlStudy *study;    /* with what this run sets */
  HlStudyWork *work; /* of it */
  HlRecording *recording;
  double offset;     /* added to the time of the table [s] */
  int offset_number; /* the number that is added to it; -1: none */
  double *times;     /* n_times, rising: of the table */
  int n_times;
  gboolean has_zero; /* the first of them is the start of the run, which is a row anyway */
  GArray *columns;   /* HlFitColumn */
  int first, n;      /* points among all */
} HlFitRun;

struct _HlFit {
  const HlStudy *study;
  GArray *numbers; /* HlFitNumber */
  GPtrArray *runs; /* HlFitRun */
  int n_varied;    /* numbers of the model */
  int n_points;
  double *t, *measured, *weight; /* n_points */
  int *time_of;                  /* n_points: which of the times of its run */
  HlFitOptions options;
  gboolean is_exact; /* every run has sensitivities by variational equations */
};

/* Cancel callback of a run, and the records of its kinks. */
typedef struct {
  bool (*cancel) (void *data);
  void *cancel_data;
  GHashTable *kinks; /* sets of texts, or NULL: what it passes, */
  GHashTable *lost;  /* and where it has no derivative */
} HlFitWatch;

/* Runs the model of all measurements at numbers[n_numbers]: model[n_points], and slopes[n_points x
 * n_numbers] by the numbers unless NULL. NULL or what went wrong; owned by the caller. watch may be
 * NULL. */
char *hl_fit_run_all (const HlFit *fit, const double numbers[], double model[], double slopes[],
                      const HlFitWatch *watch);

/* Returns the numbers and coordinates. */
static inline const HlFitNumber *hl_fit_number (const HlFit *fit, int k) {
  return &g_array_index (fit->numbers, HlFitNumber, k);
}
