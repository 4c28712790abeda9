/* SPDX-License-Identifier: MIT */
/* The table of a study: rows from many files in the order of the design, with their origin, without any trace
 * of the way they were computed. */
#pragma once

#include "core/study/hl-study.h"

typedef struct {
  const HlStudy *study;
  const char *heading;
  GPtrArray *parts; /* paths of files with rows */
  int n_rows, n_failed;
} HlStudyTable;

/* Writes the rows that are there to a file, in one step: beside it, then in its place. HL_ERROR_FAILED
 * when there is no room, or when two files differ about a row. */
gboolean hl_study_table_write (const HlStudyTable *table, const char *path, GError **error);

/* Returns "row,PATH [unit],...,MEASURE [unit],...,error"; units of numbers and measures. Owned by the caller. */
char *hl_study_table_heading (const HlStudy *study, const char *const units_of_numbers[],
                              const char *const units_of_measures[]);
/* Appends the cells of a row: 0 <= row; values[n_numbers + n_measures]; the error, or NULL. */
void hl_study_table_append_cells (GString *text, const HlStudy *study, int row, const double values[],
                                  const char *wrong);
/* Returns a value as JSON text with a line end. Owned by the caller. */
char *hl_study_value_text (const HlValue *value);
