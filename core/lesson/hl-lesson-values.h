/* SPDX-License-Identifier: MIT */
/* Values for the conditions of lessons: a document with all results that follow from it, computed on first use, and the
 * runs made so far. For one thread at a time. */
#pragma once

#include "core/document/hl-document.h"
#include "core/formula/hl-formula.h"
#include "core/run/hl-run-results.h"
#include "core/run/hl-simulate.h"

/* A run that is over. Immutable, reference-counted between threads. */
typedef struct _HlLessonRun HlLessonRun;

/* Returns a run of a document; document and results are referenced; n_impacts, n_modes: of the hybrid oil, -1
 * if the run has none. */
HlLessonRun *hl_lesson_run_new (const HlDocument *document, HlResults *results, int n_impacts, int n_modes);
void hl_lesson_run_unref (HlLessonRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonRun, hl_lesson_run_unref)
HlResults *hl_lesson_run_results (const HlLessonRun *run);         /* borrowed */
const HlDocument *hl_lesson_run_document (const HlLessonRun *run); /* borrowed */

typedef struct _HlLessonValues HlLessonValues;

/* Returns the values of a document, to which a reference is taken. Owned by the caller. */
HlLessonValues *hl_lesson_values_new (const HlDocument *document);
void hl_lesson_values_free (HlLessonValues *bench);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonValues, hl_lesson_values_free)
/* Returns a copy with the same document, faults and runs, for another thread. */
HlLessonValues *hl_lesson_values_copy (const HlLessonValues *bench);

/* Sets another document; values computed from the last one are cleared, runs are kept. */
void hl_lesson_values_set_document (HlLessonValues *bench, const HlDocument *document);
/* Sets whether a fault of that name is in the document, for fault (NAME). */
void hl_lesson_values_set_fault (HlLessonValues *bench, const char *name, gboolean is_there);

/* Adds a finished run; a reference is taken. It is the last one, and the one of that name if the name is not
 * NULL. */
void hl_lesson_values_take_run (HlLessonValues *bench, const char *name, HlLessonRun *run);
/* Runs the document with an oil (NULL: its own) and takes the run. Every path of `wanted` (of const
 * char *, may be NULL) is recorded. NULL and HL_ERROR_FAILED or _MODEL when the run cannot be, or not
 * to its end; HL_ERROR_CANCELLED. Borrowed. */
HlLessonRun *hl_lesson_values_run (HlLessonValues *bench, const char *oil, const char *name,
                                   const GPtrArray *wanted, bool (*cancel) (void *data), void *cancel_data,
                                   GError **error);
/* Returns the last run, or that of a name; borrowed, NULL: there is none. */
HlLessonRun *hl_lesson_values_find_run (const HlLessonValues *bench, const char *name);

/* Stores the last run at the end of a step, and makes the run of a step the last one again, or none. */
void hl_lesson_values_keep_last_run (HlLessonValues *bench, int step);
void hl_lesson_values_return_last_run (HlLessonValues *bench, int step);

/* Returns the runs as JSON: of each its name, the document and the oil, so that they can be made again. Owned
 * by the caller. */
HlValue *hl_lesson_values_runs_value (const HlLessonValues *bench);
/* Takes runs from such a value; what is no run in it is left out. None can be found before
 * hl_lesson_values_remake_runs () has made them again; arguments and errors as hl_lesson_values_run () has them. A run that
 * cannot be made again is removed. */
void hl_lesson_values_read_runs (HlLessonValues *bench, const HlValue *value);
gboolean hl_lesson_values_remake_runs (HlLessonValues *bench, const GPtrArray *wanted,
                                       bool (*cancel) (void *data), void *cancel_data, GError **error);

/* Returns the words that formulas and conditions of lessons may use on this bench;
 * borrowed. A number that is not there (no run yet, no such eigenvalue) is an error. */
const HlFormulaWords *hl_lesson_values_words (const HlLessonValues *bench);

/* --- without numbers --- */

/* Sets the checking mode, in which words are checked only: nothing is computed, every number is an arbitrary
 * one of its kind. */
void hl_lesson_values_look (HlLessonValues *bench);
/* Declares a run of that name that will have been made. */
void hl_lesson_values_expect_run (HlLessonValues *bench, const char *name);
/* Declares a fault that will exist later. */
void hl_lesson_values_expect_fault (HlLessonValues *bench, const char *name);
/* Finds the number of values that a formula can have, *n; a single one is between *low and *high in SI.
 * FALSE: the formula is invalid (error). */
gboolean hl_lesson_values_range (HlLessonValues *bench, const char *formula, int *n, double *low,
                                 double *high, GError **error);
/* Returns the traces that have been examined and are no probes, of char *; borrowed. */
const GPtrArray *hl_lesson_values_traces (const HlLessonValues *bench);
