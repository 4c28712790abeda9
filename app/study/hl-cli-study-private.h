/* SPDX-License-Identifier: MIT */
/* Data shared by the subcommands of `hydrolink study`. */
#pragma once

#include "app/cli/hl-cli-private.h"
#include "core/study/hl-study-folder.h"
#include "core/study/hl-study-row-computation.h"

/* Returns the study that the words and options describe: FILE is a study or a model, or, with `from_folder`,
 * the folder of a study. NULL with an error; owned by the caller. */
HlStudy *hl_cli_study_read (const HlCli *cli, const char *file, GError **error);
/* Returns the same for another purpose. Takes the root, which may be NULL (an error is there then). */
HlStudy *hl_cli_study_read_for (const HlCli *cli, HlValue *root, const char *file, HlStudyPurpose purpose,
                                GError **error);
/* Returns the object with a member replaced; takes root and member, NULL when either is. */
HlValue *hl_cli_study_with (HlValue *root, const char *key, HlValue *member);
/* Prints a sentence on standard error. */
void hl_cli_study_say (const char *text, void *data);
/* Returns the n-th word behind the verb, or NULL. */
const char *hl_cli_study_word (const HlCli *cli, int n);
/* The study of the command line in the folder of --out, which is made, or found to hold the same one. What is
 * set is owned by the caller, also when it fails. */
typedef struct {
  HlStudy *study;
  HlStudyWork *work;
  HlStudyFolder *folder;
} HlCliStudy;
gboolean hl_cli_study_begin (const HlCli *cli, HlCliStudy *begun, GError **error);
void hl_cli_study_clear (HlCliStudy *begun);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlCliStudy, hl_cli_study_clear)
/* Reads "I/N" of --shard; 1/1 without. */
gboolean hl_cli_study_shard (const HlCli *cli, int *part, int *of, GError **error);

gboolean hl_cli_study_run (HlCli *cli, GError **error);

/* Functions shared by the searches, `hydrolink fit` and `hydrolink optimize`: reading the only positional
 * argument, and the progress line of a terminal. */

/* Returns the only word of the line, a study or a model; NULL with an error. */
const char *hl_cli_search_file (const HlCli *cli, GError **error);

typedef struct {
  gint64 shown_us;
  gboolean is_terminal, has_shown;
} HlCliSearchLine;

void hl_cli_search_begin (HlCliSearchLine *line);
/* Returns whether the terminal line is to be updated; the line is written over with the next one. */
gboolean hl_cli_search_is_due (HlCliSearchLine *line);
/* Wipes it. */
void hl_cli_search_end (const HlCliSearchLine *line);
