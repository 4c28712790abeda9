/* SPDX-License-Identifier: MIT */
/* A draft of a lesson in two files: what is done and typed, and the text that comes of it. */
#pragma once

#include "core/edit/hl-compare.h"
#include "core/lesson/hl-lesson-draft.h"

struct _HlLessonDraft {
  GPtrArray *steps;    /* HlDraftStep */
  GPtrArray *past;     /* GPtrArray of HlDraftStep, oldest first */
  char *key;           /* of the change that the next one may go on with; NULL: none */
  HlDocument *start;   /* the model as its file has it */
  HlDocument *current; /* as it was followed last */
  int n_pairs, n_unstable;
  guint serial; /* of the last step */
};

/* With the unit that people see, where a file reads it back, else in SI. What was typed at the path
 * (NULL: none) stays so. Owned by the caller. */
char *hl_draft_value_text (const HlDocument *document, const char *path, HlQuantity quantity, double si);
