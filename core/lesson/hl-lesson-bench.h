/* SPDX-License-Identifier: MIT */
/* What conditions of lessons ask: a document with all that follows from it, worked out when first
 * asked for, and the runs that have been made. For one thread at a time. */
#pragma once

#include "core/document/hl-document.h"
#include "core/formula/hl-formula.h"
#include "core/run/hl-results.h"
#include "core/run/hl-simulate.h"

/* A run that is over. Immutable, reference-counted between threads. */
typedef struct _HlLessonRun HlLessonRun;

/* results is referenced; n_impacts, n_modes: of the hybrid oil, -1 where the run has none. */
HlLessonRun *hl_lesson_run_new (HlResults *results, int n_impacts, int n_modes);
void hl_lesson_run_unref (HlLessonRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonRun, hl_lesson_run_unref)
HlResults *hl_lesson_run_results (const HlLessonRun *run); /* borrowed */

typedef struct _HlLessonBench HlLessonBench;

/* Owned by the caller; a reference to the document is taken. */
HlLessonBench *hl_lesson_bench_new (const HlDocument *document);
void hl_lesson_bench_free (HlLessonBench *bench);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonBench, hl_lesson_bench_free)
/* With the same document, faults and runs, for another thread. */
HlLessonBench *hl_lesson_bench_copy (const HlLessonBench *bench);

/* Another document: what followed from the last one is forgotten, runs stay. */
void hl_lesson_bench_set_document (HlLessonBench *bench, const HlDocument *document);
/* Whether a fault of that name is in the document, for fault (NAME). */
void hl_lesson_bench_set_fault (HlLessonBench *bench, const char *name, gboolean is_there);

/* A run is over; a reference is taken. It is the last one, and the one of that name where it is not
 * NULL. */
void hl_lesson_bench_take_run (HlLessonBench *bench, const char *name, HlLessonRun *run);
/* Runs the document with an oil (NULL: its own) and takes the run. Every path of `wanted` (of const
 * char *, may be NULL) is recorded. NULL and HL_ERROR_FAILED or _MODEL when the run cannot be, or not
 * to its end; HL_ERROR_CANCELLED. Borrowed. */
HlLessonRun *hl_lesson_bench_run (HlLessonBench *bench, const char *oil, const char *name,
                                  const GPtrArray *wanted, bool (*cancel) (void *data), void *cancel_data,
                                  GError **error);
/* The last run, or that of a name; borrowed, NULL: there is none. */
HlLessonRun *hl_lesson_bench_find_run (const HlLessonBench *bench, const char *name);

/* The words that formulas and conditions of lessons may use on this bench;
 * borrowed. A number that is not there (no run yet, no such eigenvalue) is an error. */
const HlFormulaWords *hl_lesson_bench_words (const HlLessonBench *bench);

/* --- without numbers --- */

/* From now on words are looked at only: nothing is computed, every number is some one of its kind. */
void hl_lesson_bench_look (HlLessonBench *bench);
/* A run of that name will have been made. */
void hl_lesson_bench_expect_run (HlLessonBench *bench, const char *name);
/* Likewise a fault. */
void hl_lesson_bench_expect_fault (HlLessonBench *bench, const char *name);
/* What the words of a formula could come to: *n is how many there are; where it is one, it is
 * between *low and *high in SI. FALSE: the formula is wrong (error). */
gboolean hl_lesson_bench_range (HlLessonBench *bench, const char *formula, int *n, double *low, double *high,
                                GError **error);
/* The traces that have been looked at and are no probes, of char *; borrowed. */
const GPtrArray *hl_lesson_bench_traces (const HlLessonBench *bench);
