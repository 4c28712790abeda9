/* SPDX-License-Identifier: MIT */
/* Values of linear models for lessons: eigenvalues, pairs, the eigenvalues by finite differences, opened
 * loops. */
#pragma once

#include "core/lesson/hl-lesson-values.h"
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
  double low, high; /* possible range, SI */
  int which;        /* private */
} HlLessonSpectrumWord;

/* Finds a word of the spectrum; FALSE: the name is none of them. */
gboolean hl_lesson_spectrum_find (const char *name, HlLessonSpectrumWord *word);
/* Returns whether the argument is valid, using the compiled model only; otherwise FALSE and an error with
 * the reason. */
gboolean hl_lesson_spectrum_check (HlLessonValues *bench, const HlLessonSpectrumWord *word,
                                   const char *argument, GError **error);
/* Computes the value of a word into *number [SI]; NAN: there is none now (no such pair). FALSE and an error
 * if the model cannot be linearized. */
gboolean hl_lesson_spectrum_value (HlLessonValues *bench, const HlLessonSpectrumWord *word,
                                   const char *argument, double *number, GError **error);

/* Returns how many pairs swing, and how many eigenvalues grow: what pair.count and eig.unstable say. */
int hl_lesson_spectrum_pairs (const HlLinearization *lin);
int hl_lesson_spectrum_unstable (const HlLinearization *lin);
