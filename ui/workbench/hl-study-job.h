/* SPDX-License-Identifier: MIT */
/* Studies and fits in the background, computed by all processors but one while the window continues. For the
 * thread that began them; nothing here waits.
 *
 * HlStudyJob: the rows of a study. The caller looks at the rows that are there already. */
#pragma once

#include "core/study/hl-parameter-fit.h"
#include "core/study/hl-parameter-optimization.h"

#include <gio/gio.h>

/* Rows that are kept in memory: a larger study is one for the command line. */
#define HL_STUDY_JOB_MOST_ROWS 200000

typedef struct _HlStudyJob HlStudyJob;

typedef enum { HL_STUDY_ROW_MISSING, HL_STUDY_ROW_DONE, HL_STUDY_ROW_FAILED } HlStudyRowState;

/* One column of the table: numbers that vary first, then measures. */
typedef struct {
  char *name; /* path or heading of the measure */
  HlQuantity quantity;
  char *unit;       /* SI */
  gboolean is_log;  /* it varies evenly in its logarithm */
  double low, high; /* limits of a measure, SI; -INFINITY, INFINITY: none */
} HlStudyJobColumn;

/* Reads and checks the study with this model, then begins. `changed` is called on this thread when it is
 * ready to work, and when it ended. `purpose`: the rows of its design, or the runs of a search for an
 * optimum, one after the other. NULL and an error that names what is wrong; too many rows are one. */
HlStudyJob *hl_study_job_new (const HlValue *draft, const HlDocument *model, HlStudyPurpose purpose,
                              void (*changed) (gpointer data), gpointer data, GError **error);
/* Cancels what is under way; its threads end by themselves, without a notification. */
void hl_study_job_free (HlStudyJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStudyJob, hl_study_job_free)
/* Stops the job; the computed rows stay. */
void hl_study_job_stop (HlStudyJob *job);

gboolean hl_study_job_is_busy (const HlStudyJob *job);
/* Returns the reason why it could not begin, or NULL. Borrowed. */
const char *hl_study_job_problem (const HlStudyJob *job);
/* Returns the proposed values of numbers that are missing in the file, one a line; "": none. Borrowed. */
const char *hl_study_job_notes (const HlStudyJob *job);

gboolean hl_study_job_is_search (const HlStudyJob *job);
/* Returns the result of a finished search: its runs are the rows. NULL: nothing, or not yet. Borrowed. */
const HlOptimizeAnswer *hl_study_job_found (const HlStudyJob *job);

/* Returns the number of rows; of a search, its maximum. */
int hl_study_job_n_rows (const HlStudyJob *job);
int hl_study_job_n_numbers (const HlStudyJob *job);
/* Returns the number of columns, 0 until it is ready to work. */
int hl_study_job_n_columns (const HlStudyJob *job);
const HlStudyJobColumn *hl_study_job_column (const HlStudyJob *job, int column);
/* Returns the paths that column `number` sets; NULL-terminated, borrowed. */
const char *const *hl_study_job_paths (const HlStudyJob *job, int number);

/* Brings values up to date with what the threads have done; returns whether anything came. */
gboolean hl_study_job_collect (HlStudyJob *job);
/* Returns the Return, of the last collection: the number of completed rows; the seconds since the start; the
 * remaining ones at this rate, NAN: not known. */
int hl_study_job_n_done (const HlStudyJob *job);
int hl_study_job_n_failed (const HlStudyJob *job);
double hl_study_job_seconds (const HlStudyJob *job);
double hl_study_job_left (const HlStudyJob *job);

HlStudyRowState hl_study_job_state (const HlStudyJob *job, int row);
/* Returns values[n_rows] of a column in SI, NAN where there is none (yet). Borrowed. */
const double *hl_study_job_values (const HlStudyJob *job, int column);
/* Returns the error of a row; NULL: none. Borrowed. */
const char *hl_study_job_error (const HlStudyJob *job, int row);
/* Returns whether every measure of the row keeps its limits. */
gboolean hl_study_job_keeps_limits (const HlStudyJob *job, int row);
/* Returns the rows that are there as CSV, in SI units, as results.csv has them but without what was not
 * computed. Owned by the caller. */
char *hl_study_job_table (const HlStudyJob *job);

/* HlFitJob: a fit to measured tables, by all processors but one, while the window continues. For the
 * thread that began it; nothing here waits. */

typedef struct _HlFitJob HlFitJob;

/* One number that was fitted. */
typedef struct {
  const char *name; /* path, or "FILE offset"; borrowed */
  const char *unit; /* SI; borrowed */
  HlQuantity quantity;
  const char *const *paths;    /* that it sets; NULL: an offset */
  double start, value;         /* SI */
  double deviation, low, high; /* NAN: unknown */
  HlFitPlace place;
} HlFitJobNumber;

/* Reads and checks the study with this model, then begins; its tables are sought from `folder` (NULL: they
 * are named in full). `changed` is called on this thread when it ended. NULL and an error that names what
 * is wrong. */
HlFitJob *hl_fit_job_new (const HlValue *draft, const HlDocument *model, const char *folder,
                          void (*changed) (gpointer data), gpointer data, GError **error);
/* Cancels what is under way without a notification. */
void hl_fit_job_free (HlFitJob *job);
/* Stops the fit; its best result so far stays. */
void hl_fit_job_stop (HlFitJob *job);
gboolean hl_fit_job_is_busy (const HlFitJob *job);
/* Returns the reason why there is no result, or NULL if there is one or it is still being computed. Borrowed. */
const char *hl_fit_job_problem (const HlFitJob *job);
/* Returns notes about proposed and omitted values, one a line; "": none. Borrowed. */
const char *hl_fit_job_notes (const HlFitJob *job);
/* Returns the number of steps so far, and the best cost, NAN: none. */
int hl_fit_job_steps (const HlFitJob *job, double *cost);

/* Returns the fit; NULL until it ended successfully. Borrowed. */
const HlFit *hl_fit_job_fit (const HlFitJob *job);
/* Returns the answer of the fit, likewise. */
const HlFitAnswer *hl_fit_job_answer (const HlFitJob *job);
/* Returns the model where the fit began, before[n_points]; NULL: it does not run there. */
const double *hl_fit_job_before (const HlFitJob *job);
/* Returns a number of the fit, 0 <= number < answer->n_numbers. */
HlFitJobNumber hl_fit_job_number (const HlFitJob *job, int number);
/* Returns the points as CSV, in SI units. Owned by the caller. */
char *hl_fit_job_table (const HlFitJob *job);
