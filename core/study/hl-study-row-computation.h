/* SPDX-License-Identifier: MIT */
/* Computes the rows of a study, and keeps nothing from one row to the next. The numbers of a row depend on
 * the row alone. For one thread or process. */
#pragma once

#include "core/run/hl-run-recorder.h"
#include "core/study/hl-study.h"
#include "core/system/hl-system.h"

#include <stdbool.h>

typedef struct _HlStudyWork HlStudyWork;

/* Compiles the model and finds what is to be measured. `say` gets sentences about numbers that were
 * proposed; may be NULL. NULL: HL_ERROR_MODEL or HL_ERROR_USAGE. Borrows the study. Owned by the
 * caller. */
HlStudyWork *hl_study_work_new (const HlStudy *study, void (*say) (const char *text, void *data),
                                void *say_data, GError **error);
void hl_study_work_free (HlStudyWork *work);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStudyWork, hl_study_work_free)

/* Sets a callback that is called in every step of a run; TRUE ends the row, which is then recorded as failed. */
void hl_study_work_set_cancel (HlStudyWork *work, bool (*cancel) (void *data), void *data);

/* Sets the receiver of the rows of each run, see HlRecorder (copied), and a function that changes the options
 * of the model. Both may be NULL. */
void hl_study_work_set_run (HlStudyWork *work, const HlRowTaker *taker,
                            void (*change) (const HlSystem *system, HlSimOptions *options, void *data),
                            void *data);

/* Returns the number of columns of the results of a run, with time. */
int hl_study_work_n_columns (const HlStudyWork *work);
/* Returns the unit of a measure; borrowed. */
const char *hl_study_work_unit (const HlStudyWork *work, int measure);
/* Returns the SI unit of a number that varies; borrowed. */
const char *hl_study_work_unit_of_number (const HlStudyWork *work, int number);

/* Computes values[n_numbers + n_measures]: the numbers of the row and its measures, NAN = not available.
 * Returns NULL on success, otherwise the error, with element and time. Owned by the caller. */
char *hl_study_work_row (HlStudyWork *work, int row, double values[]);
/* Returns the same at numbers of one's own, values[n_numbers + n_measures], of which the first are given. */
char *hl_study_work_at (HlStudyWork *work, double values[]);
/* Returns the reason why the numbers of the last row are doubtful: cavitation. NULL: none. Borrowed. */
const char *hl_study_work_doubt (const HlStudyWork *work);
/* Returns the machine at numbers[n_numbers]; NULL: HL_ERROR_FAILED when one cannot be. Of any thread, several
 * at a time. A new reference. */
HlSystem *hl_study_work_system (const HlStudyWork *work, const double numbers[], GError **error);
/* Returns the model with what was proposed for it, and its machine at the model's own numbers; borrowed. */
HlDocument *hl_study_work_document (const HlStudyWork *work);
/* Returns the system at the model's own numbers. */
const HlSystem *hl_study_work_own_system (const HlStudyWork *work);
/* Returns the range of a number that the model permits, *low to *high, independent of the study; open ends
 * are infinite. */
void hl_study_work_limits (const HlStudyWork *work, int number, double *low, double *high);
/* Seconds that went into the integration of all rows so far. */
double hl_study_work_seconds (const HlStudyWork *work);
