/* SPDX-License-Identifier: MIT */
/* Checks a lesson against its model without computing: missing paths and traces, units that do not fit,
 * conditions that can never hold. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson-values.h"
#include "core/lesson/hl-lesson.h"

/* Reads the model of a lesson; NULL and a problem when it cannot be read. Owned by the caller. */
HlDocument *hl_lesson_open_model (const HlLesson *lesson, GPtrArray *problems);

/* Adds what is wrong; TRUE when nothing is. *traces (may be NULL) is what runs must record besides
 * probes, of char *, owned by the caller. */
gboolean hl_lesson_verify (const HlLesson *lesson, const HlDocument *document, GPtrArray **traces,
                           GPtrArray *problems);

/* Finds the unit that a step answers in: *factor to SI, and its dimension. FALSE: no such unit. */
gboolean hl_lesson_unit (const char *unit, double *factor, HlDimension *dimension);
/* Splits "{FORMULA | UNIT}" of a text; *unit NULL: none. Owned by the caller. */
char *hl_lesson_split_unit (const char *text, char **unit);
