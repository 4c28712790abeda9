/* SPDX-License-Identifier: MIT */
/* HlLessonValues: values of a lesson's model and runs, shared by the files that compute them. */
#pragma once

#include "core/lesson/hl-lesson-values.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-power-balance-run.h"

struct _HlLessonRun {
  gatomicrefcount ref_count;
  HlDocument *document;   /* document of the run */
  char *oil;              /* with another oil than the document's, or NULL */
  HlResults *results;     /* NULL: is to be made again */
  int n_impacts, n_modes; /* -1: none such */
};

struct _HlLessonValues {
  HlDocument *document;
  GHashTable *faults; /* char *: those that are there */
  GHashTable *runs;   /* char * to HlLessonRun; "" is the last one */
  HlFormulaWords words;
  /* computed on first use */
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

/* Return objects of the model, or NULL or FALSE with an error. */
const HlSystem *hl_lesson_values_system (HlLessonValues *bench, GError **error);
const HlPoint *hl_lesson_values_point (HlLessonValues *bench, GError **error);
const HlLinearization *hl_lesson_values_linear (HlLessonValues *bench, GError **error);
const HlLinearization *hl_lesson_values_counterpart (HlLessonValues *bench, GError **error);
/* Returns the scratch of the system, which must be there. */
HlWork *hl_lesson_values_work (HlLessonValues *bench);

/* Measures values[n] at times t[n] of a trace. */
typedef double (*HlLessonMeasure) (const double t[], const double values[], int n);
/* Returns the measure of that name and the quantity of its result; *keeps: that of the trace. NULL: there is none. */
HlLessonMeasure hl_lesson_measure_find (const char *name, HlQuantity *quantity, gboolean *keeps);
/* Returns the value of a trace at a time, between its rows by a straight line. */
double hl_lesson_trace_at (const double t[], const double values[], int n, double time);
