/* SPDX-License-Identifier: MIT */
/* HlStudyJob: the rows of a study, computed by all processors but one while whoever asked for them
 * looks at what is there already. For the thread that began it; nothing here waits. */
#pragma once

#include "core/study/hl-optimize.h"

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
/* What is under way is given up; its threads end by themselves and nobody is told. */
void hl_study_job_free (HlStudyJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStudyJob, hl_study_job_free)
/* The rows that are there stay. */
void hl_study_job_stop (HlStudyJob *job);

gboolean hl_study_job_is_busy (const HlStudyJob *job);
/* Why it could not begin, after all; NULL: it did. Borrowed. */
const char *hl_study_job_problem (const HlStudyJob *job);
/* What was proposed for numbers that the file does not state, in lines; "": nothing. Borrowed. */
const char *hl_study_job_notes (const HlStudyJob *job);

gboolean hl_study_job_is_search (const HlStudyJob *job);
/* What a search found, once it ended: its runs are the rows. NULL: nothing, or not yet. Borrowed. */
const HlOptimizeAnswer *hl_study_job_found (const HlStudyJob *job);

/* Of a search: as many as it may need. */
int hl_study_job_n_rows (const HlStudyJob *job);
int hl_study_job_n_numbers (const HlStudyJob *job);
/* 0 until it is ready to work. */
int hl_study_job_n_columns (const HlStudyJob *job);
const HlStudyJobColumn *hl_study_job_column (const HlStudyJob *job, int column);
/* Paths that column `number` sets; NULL-terminated, borrowed. */
const char *const *hl_study_job_paths (const HlStudyJob *job, int number);

/* Brings values up to date with what the threads have done; returns whether anything came. */
gboolean hl_study_job_collect (HlStudyJob *job);
/* Of the last collection. Seconds since it began to work; those left at this rate, NAN: not known. */
int hl_study_job_n_done (const HlStudyJob *job);
int hl_study_job_n_failed (const HlStudyJob *job);
double hl_study_job_seconds (const HlStudyJob *job);
double hl_study_job_left (const HlStudyJob *job);

HlStudyRowState hl_study_job_state (const HlStudyJob *job, int row);
/* values[n_rows] of a column in SI, NAN where there is none (yet); borrowed. */
const double *hl_study_job_values (const HlStudyJob *job, int column);
/* What went wrong in a row; NULL: nothing. Borrowed. */
const char *hl_study_job_error (const HlStudyJob *job, int row);
/* Whether every measure of the row keeps its limits. */
gboolean hl_study_job_keeps_limits (const HlStudyJob *job, int row);
/* The rows that are there as CSV, in SI units, as results.csv has them but without what was not
 * computed. Owned by the caller. */
char *hl_study_job_table (const HlStudyJob *job);
