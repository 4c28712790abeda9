/* SPDX-License-Identifier: MIT */
/* A study during editing: the tree of an .hlstudy file, which may be incomplete. Every change is a new tree
 * that keeps all other content, including content that only a file can have (distributions, limits,
 * correlations). hl_study_new () reads the result. */
#pragma once

#include "core/study/hl-study.h"

typedef enum {
  HL_STUDY_VARY,
  HL_STUDY_MEASURES,
  HL_STUDY_OBJECTIVES, /* of "optimize" */
  HL_STUDY_FIT_RUNS    /* "runs" of "fit" */
} HlStudyList;

/* Returns a draft in which nothing varies and nothing is measured; `rows` points of Sobol's sequence. Owned
 * by the caller, as all that follow. */
HlValue *hl_study_draft_new (int rows);
/* Returns the file as it is, without looking for its model. NULL: HL_ERROR_FILE, _SYNTAX. */
HlValue *hl_study_draft_load (const char *path, GError **error);
/* Saves a draft in one step (hl-file-access.h), with the model named by `model` (NULL: unchanged). FALSE:
 * HL_ERROR_FILE. */
gboolean hl_study_draft_save (const HlValue *draft, const char *path, const char *model, GError **error);
/* Returns the purpose of a draft: a fit when it has measurements, an optimization when it has objectives. */
HlStudyPurpose hl_study_draft_purpose (const HlValue *draft);
/* Returns the same with another model inside: what is run. */
HlValue *hl_study_draft_with_model (const HlValue *draft, const HlDocument *model);

/* Returns how many items a list has; 0 when it is none. */
int hl_study_draft_n (const HlValue *draft, HlStudyList list);
const HlValue *hl_study_draft_item (const HlValue *draft, HlStudyList list, int index); /* borrowed */
/* Replaces an item by `item` (taken), or adds it at the end (-1). NULL removes the item, and the correlations
 * of a number with it. */
HlValue *hl_study_draft_put (const HlValue *draft, HlStudyList list, int index, HlValue *item);

/* Returns an item of "vary": these paths get one value between from and to [SI]. */
HlValue *hl_study_draft_number (const char *const *paths, double from, double to, gboolean is_log);
/* Returns the paths of an item of "vary"; NULL-terminated, free with g_strfreev. */
char **hl_study_draft_paths (const HlValue *number);
/* Returns the place of the item that varies the path; -1: none. */
int hl_study_draft_find_path (const HlValue *draft, const char *path);
/* Returns the measure of an item of "measures", such as "max:p1"; borrowed, NULL: none. */
const char *hl_study_draft_measure (const HlValue *measure);
/* Returns an item, or "design", with a member changed to a number; a new item. */
HlValue *hl_study_draft_with_number (const HlValue *item, const char *key, double value);
HlValue *hl_study_draft_with_text (const HlValue *item, const char *key, const char *text);
/* Returns the item with another text of what is measured, a plain text or a member of an object. */
HlValue *hl_study_draft_with_measure (const HlValue *measure, const char *text);
/* Returns a member of "optimize", which is made if it is not there. */
HlValue *hl_study_draft_with_search (const HlValue *draft, const char *key, double value);
/* Tables of "fit" that are named in full are named from the folder of the file `path` where they lie
 * beside it or below. */
HlValue *hl_study_draft_with_near_tables (const HlValue *draft, const char *path);
