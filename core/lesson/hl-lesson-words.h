/* SPDX-License-Identifier: MIT */
/* The words of lessons (data/docs/lessons.md):
 *
 *   PATH                        a number of the model: cyl.friction.scale
 *   rest (PATH)                 what a path says in the start state
 *   eig.count .null .unstable .meeting     of the linear model
 *   eig.re (K) .im .frequency .damping     its eigenvalue K, falling real part, null ones left out
 *   pair.count, pair.frequency (K) .damping .decay     pairs that swing, by rising frequency
 *   difference.count .null, difference.error (H)       the counterpart by differences
 *   loop.gain_margin (SIGNAL) .phase_margin .crossover .growth    a controller's loop, opened
 *   max (TRACE) min first last mean range rms overshoot settling swings, at (TRACE, T)
 *   distance (TRACE, A, B)      of the runs A and B
 *   run.time, run.impacts, run.modes       of the last run, or of run A: run.impacts (A)
 *   energy.in () .lost () .out (), of an element: energy.lost (ID)
 *   oil (NAME), fault (NAME)    1 or 0
 *
 * Functions of traces take the name of a run last; without one it is the last run. */
#pragma once

#include "core/lesson/hl-lesson-bench.h"

/* Lends the bench. */
HlFormulaWords hl_lesson_words (HlLessonBench *bench);
