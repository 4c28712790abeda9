/* SPDX-License-Identifier: MIT */
/* HlLessonDraft: a lesson that is written by performing it. Changes of the model and runs become steps, to
 * which titles and texts are added; the result is the text of a .hllesson file. A step stores the model
 * before and after it. The changes within a step are its solution; changes between two steps (of a removed
 * step) are made by the lesson itself. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-run-results.h"

typedef enum {
  HL_DRAFT_TEXT, /* is read */
  HL_DRAFT_DO,   /* waits for what was changed */
  HL_DRAFT_RUN,  /* runs */
  HL_DRAFT_ASK   /* question for a prediction */
} HlDraftKind;

/* Author of a step's change (the student or the lesson), and whether its numbers remain adjustable. */
typedef enum {
  HL_DRAFT_STUDENT, /* the student, and they can be changed again */
  HL_DRAFT_LOCK,    /* the student; from the next step on only the lesson */
  HL_DRAFT_HIDE,    /* likewise, and they are not shown either */
  HL_DRAFT_FAULT    /* the lesson: a fault, locked and hidden, until they are changed once more */
} HlDraftRole;

typedef struct {
  HlDraftKind kind;
  guint serial; /* of this step */
  char *title, *text;
  char *until;                /* typed; NULL: what the draft proposes */
  char *ask;                  /* lines of the question's block; NULL without a question */
  HlDraftRole role;           /* of DO */
  HlDocument *before, *after; /* the same but of DO */
  int pairs[2], unstable[2];  /* eigenvalues before and after it; -1: not known */
} HlDraftStep;

typedef struct _HlLessonDraft HlLessonDraft;

/* Returns a draft with one step, the introduction. `document`: the model as saved in its file. */
HlLessonDraft *hl_lesson_draft_new (const HlDocument *document);
/* Frees a draft; accepts NULL. */
void hl_lesson_draft_free (HlLessonDraft *draft);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonDraft, hl_lesson_draft_free)

/* --- what is done --- */

/* Follows a change of the model. Consecutive changes of the numbers of the last step, as in a drag, are one
 * step; a change back removes the step. FALSE and HL_ERROR_USAGE, naming it, for changes that a lesson cannot
 * make: an added or removed part, a choice. */
gboolean hl_lesson_draft_follow (HlLessonDraft *draft, const HlDocument *document, GError **error);
/* Stores the number of oscillatory pairs and of unstable eigenvalues of the present model. */
void hl_lesson_draft_note_spectrum (HlLessonDraft *draft, int n_pairs, int n_unstable);
/* Records that the model was run. */
void hl_lesson_draft_note_run (HlLessonDraft *draft);
/* Adds a step that is only read, behind the others. */
void hl_lesson_draft_add_text (HlLessonDraft *draft);
/* Appends a step with a prediction; `ask`: the lines of its block, in the syntax of lesson files. */
void hl_lesson_draft_add_question (HlLessonDraft *draft, const char *ask);

/* --- what is typed --- */

/* Returns how many there are. */
int hl_lesson_draft_n_steps (const HlLessonDraft *draft);
const HlDraftStep *hl_lesson_draft_step (const HlLessonDraft *draft, int step); /* borrowed */
/* Set the title of a step, one line, and its text, in the notation of a lesson file. */
void hl_lesson_draft_set_title (HlLessonDraft *draft, int step, const char *title);
void hl_lesson_draft_set_text (HlLessonDraft *draft, int step, const char *text);
/* Sets the condition of a step that waits; "" or NULL: the proposed one again. */
void hl_lesson_draft_set_until (HlLessonDraft *draft, int step, const char *until);
/* Sets the lines of a question's block; the next function sets the role of a step. */
void hl_lesson_draft_set_question (HlLessonDraft *draft, int step, const char *ask);
void hl_lesson_draft_set_role (HlLessonDraft *draft, int step, HlDraftRole role);
/* Removes a step. The lesson then makes the changes of this step itself, at the start of the next one. */
void hl_lesson_draft_remove (HlLessonDraft *draft, int step);

/* Returns whether anything can be taken back. */
gboolean hl_lesson_draft_can_undo (const HlLessonDraft *draft);
/* Takes back the last change of the draft; the model stays as it is. */
void hl_lesson_draft_undo (HlLessonDraft *draft);

/* --- what comes of it --- */

/* Returns a line "cyl.friction.scale 0.54" for each number that the step changes; "" for none. Owned by the
 * caller. */
char *hl_lesson_draft_done (const HlLessonDraft *draft, int step);
/* Returns the condition that completes the step: eigenvalues that met, separated or crossed the axis,
 * otherwise the numbers that were set, within 5 % (less if they started nearer). NULL: none. Owned by the
 * caller. */
char *hl_lesson_draft_until (const HlLessonDraft *draft, int step);
/* Returns the lesson file; `model` as seen from its folder. Owned by the caller. */
char *hl_lesson_draft_text (const HlLessonDraft *draft, const char *title, const char *model);
/* Returns the path of a file relative to the folder of another file; both absolute. Owned by the caller. */
char *hl_lesson_draft_way (const char *from_file, const char *to_file);

/* Questions that an author may begin with: the lines of a block `predict`, of the model as it is. Owned by the
 * caller. */

/* Returns the frequency of the slowest pair, else the real part of the first eigenvalue, with what comes
 * now. */
char *hl_lesson_propose_number (const HlDocument *document);
/* Returns a question whether the system oscillates. */
char *hl_lesson_propose_choice (void);
/* Returns the first trace of the plots, in a frame around what the run had; NULL: the run has no such
 * trace, or there is none. `results` may be NULL. */
char *hl_lesson_propose_curve (const HlDocument *document, HlResults *results);
