/* SPDX-License-Identifier: MIT */
/* What stands on the bench of a lesson, for its words. */
#pragma once

#include "core/lesson/hl-lesson-bench.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-power-study.h"

struct _HlLessonRun {
  gatomicrefcount ref_count;
  HlResults *results;
  int n_impacts, n_modes; /* -1: none such */
};

struct _HlLessonBench {
  HlDocument *document;
  GHashTable *faults; /* char *: those that are there */
  GHashTable *runs;   /* char * to HlLessonRun; "" is the last one */
  HlFormulaWords words;
  /* worked out when asked for */
  HlSystem *system;
  HlWork *work;
  HlPoint *point;
  HlLinearization *exact, *difference;
  HlPowerStudy *power;
  GArray *bars; /* HlPowerBar of the whole run */
  /* looking only */
  gboolean is_looking;
  GHashTable *expected; /* char *: runs and faults ("!NAME") to come */
  GPtrArray *traces;
  int n_words;
  double low, high; /* of the last word */
  double stand_in;
};

/* Each NULL, or FALSE, with an error when it cannot be had. */
const HlSystem *hl_lesson_bench_system (HlLessonBench *bench, GError **error);
const HlPoint *hl_lesson_bench_point (HlLessonBench *bench, GError **error);
const HlLinearization *hl_lesson_bench_linear (HlLessonBench *bench, GError **error);
const HlLinearization *hl_lesson_bench_counterpart (HlLessonBench *bench, GError **error);
/* The scratch of the system, which must be there. */
HlWork *hl_lesson_bench_work (HlLessonBench *bench);

/* Of values[n] at times t[n] of a trace. */
typedef double (*HlLessonMeasure) (const double t[], const double values[], int n);
