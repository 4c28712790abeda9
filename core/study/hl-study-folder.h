/* SPDX-License-Identifier: MIT */
/* The folder of a study that is being computed:
 *
 *   study.json        what is computed, with the model; written first, never changed
 *   rows-I-of-N.part  rows in the order of completion, one file a shard (hl-study-row-file.h)
 *   results.csv       the whole table in the order of the design, when all rows are there
 *
 * Which rows are done is read from the rows themselves, so that nothing can disagree with them, and a
 * study may continue with other shards than it began with. */
#pragma once

#include "core/study/hl-study-row-file.h"
#include "core/study/hl-study.h"

#define HL_STUDY_FILE "study.json"
#define HL_STUDY_RESULTS "results.csv"

typedef struct _HlStudyFolder HlStudyFolder;

/* Makes the folder, or finds the same study in it. HL_ERROR_USAGE when it holds another study, or was
 * begun by another version of the program, whose numbers need not be the same; HL_ERROR_FILE. Owned
 * by the caller; borrows the study. heading: the line of titles of the table, without its end; NULL: only
 * a folder that is there already. */
HlStudyFolder *hl_study_folder_open (const char *path, const HlStudy *study, const char *heading,
                                     GError **error);
void hl_study_folder_free (HlStudyFolder *folder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlStudyFolder, hl_study_folder_free)

/* Returns the study in a folder. NULL: HL_ERROR_FILE or _SYNTAX. Owned by the caller. */
HlStudy *hl_study_folder_load_study (const char *path, GError **error);

/* Looks for rows in all its files. FALSE: HL_ERROR_FILE. */
gboolean hl_study_folder_scan (HlStudyFolder *folder, GError **error);
int hl_study_folder_n_done (const HlStudyFolder *folder);
/* Return the number of completed rows with an error, and of damaged lines. */
int hl_study_folder_n_failed (const HlStudyFolder *folder);
int hl_study_folder_n_bad (const HlStudyFolder *folder);
gboolean hl_study_folder_has_row (const HlStudyFolder *folder, int row);

/* Returns the file of a shard, 1 <= part <= of; its rows are [*from, *to). NULL with an
 * error as hl_row_file_open () says. Owned by the caller. */
HlRowFile *hl_study_folder_open_shard (const HlStudyFolder *folder, int part, int of, int *from, int *to,
                                       GError **error);

/* Takes over the rows of another folder of the same study that this one has not, or has otherwise: HL_ERROR_USAGE
 * when it is another study. */
gboolean hl_study_folder_take (HlStudyFolder *folder, const char *other, GError **error);

/* Writes results.csv if all rows are there and it is not. *is_whole: whether it is there now. FALSE: HL_ERROR_FAILED, or two shards that differ about a row. */
gboolean hl_study_folder_finish (HlStudyFolder *folder, gboolean *is_whole, GError **error);
/* Returns the numbers and measures of all rows, column by column: [(n_numbers + n_measures) x n_rows], NAN
 * where there is none. NULL: HL_ERROR_FILE. Owned by the caller. */
double *hl_study_folder_load_values (const HlStudyFolder *folder, GError **error);
/* Returns the titles of the table; borrowed. */
const char *hl_study_folder_heading (const HlStudyFolder *folder);
