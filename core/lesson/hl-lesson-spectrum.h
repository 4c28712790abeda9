/* SPDX-License-Identifier: MIT */
/* What lessons ask of linear models: eigenvalues, pairs, the counterpart by differences, opened
 * loops. */
#pragma once

#include "core/lesson/hl-lesson-bench.h"
#include "core/linear/hl-linearize.h"

typedef enum {
  HL_SPECTRUM_NOTHING,
  HL_SPECTRUM_INDEX, /* from 1 */
  HL_SPECTRUM_STEP,  /* of differences */
  HL_SPECTRUM_LOOP   /* path of a signal that a controller gives */
} HlSpectrumArgument;

typedef struct {
  const char *name;
  HlSpectrumArgument argument;
  HlQuantity quantity;
  double low, high; /* what it can be at all, SI */
  int which;        /* private */
} HlLessonSpectrumWord;

/* Which word that is, into *word; FALSE: none of these. */
gboolean hl_lesson_spectrum_find (const char *name, HlLessonSpectrumWord *word);
/* Whether the argument is one of those, without computing anything but what is compiled; FALSE and an
 * error that says why not. */
gboolean hl_lesson_spectrum_check (HlLessonBench *bench, const HlLessonSpectrumWord *word,
                                   const char *argument, GError **error);
/* Its value into *number [SI]; NAN: there is none now (no such pair). FALSE and an error where the model
 * cannot be linearized. */
gboolean hl_lesson_spectrum_value (HlLessonBench *bench, const HlLessonSpectrumWord *word,
                                   const char *argument, double *number, GError **error);

/* How many pairs swing, and how many eigenvalues grow: what pair.count and eig.unstable say. */
int hl_lesson_spectrum_pairs (const HlLinearization *lin);
int hl_lesson_spectrum_unstable (const HlLinearization *lin);
