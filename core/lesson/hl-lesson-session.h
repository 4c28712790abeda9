/* SPDX-License-Identifier: MIT */
/* HlLessonSession: a lesson in progress: the present step, the finished tasks, the predictions and the
 * results. It computes nothing: the computation of a step is a job for any thread, whose result the
 * session receives. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson-values.h"
#include "core/lesson/hl-lesson.h"

typedef struct _HlLessonSession HlLessonSession;
typedef struct _HlLessonJob HlLessonJob;

/* Record of a step. */
typedef struct {
  gboolean is_entered; /* its setup has been done */
  gboolean is_done;    /* nothing is waited for any more */
  gboolean is_predicted;
  double number;             /* predicted, SI */
  int choice;                /* predicted, from 0; -1: none */
  GArray *sketch_t, *sketch; /* double: predicted curve, times [s] and values (SI) */
  double answer;             /* result: SI; of a sketch the rms distance over its range */
  int right;                 /* the correct choice; -1: unknown */
  gboolean is_hit;           /* the prediction is correct */
  int n_tries;               /* predictions so far; the first one counts in the summary */
  gboolean was_hit;          /* the first prediction was correct */
  HlDocument *left;          /* the model at the end of the step; NULL: not yet */
  char *why;                 /* missing value or error, as a sentence; NULL: none */
} HlLessonRecord;

/* Returns a session at the first step, whose setup is done. Lesson and document are taken; traces (of char *,
 * may be NULL) must be recorded by runs besides probes, a reference is taken. Owned by the caller. */
HlLessonSession *hl_lesson_session_new (HlLesson *lesson, HlDocument *document, GPtrArray *traces);
void hl_lesson_session_free (HlLessonSession *play);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonSession, hl_lesson_session_free)

const HlLesson *hl_lesson_session_lesson (const HlLessonSession *play);
int hl_lesson_session_at (const HlLessonSession *play); /* number of the present step */
/* Returns the present step; borrowed. */
const HlLessonStep *hl_lesson_session_step (const HlLessonSession *play);
/* Returns the record of a step. Borrowed. */
const HlLessonRecord *hl_lesson_session_record (const HlLessonSession *play, int step);
/* Returns whether all steps are done. */
gboolean hl_lesson_session_is_over (const HlLessonSession *play);

/* Moves to the next step, if the present one is done, or back to an earlier one. FALSE: there is none. A step
 * that is entered for the first time performs its setup; a failed setup is reported in `why`. */
gboolean hl_lesson_session_next (HlLessonSession *play);
gboolean hl_lesson_session_back (HlLessonSession *play);

/* --- the model --- */

/* Returns the document as changed by the lesson and the student. Borrowed. */
const HlDocument *hl_lesson_session_document (const HlLessonSession *play);
/* Takes the model as changed by the student. Returns the document with locked numbers restored: the same if
 * none was changed; *touched (may be NULL) is then the path of one, borrowed. A new reference. */
HlDocument *hl_lesson_session_take_document (HlLessonSession *play, const HlDocument *document,
                                             const char **touched);
/* Records a run of the model by the student; a reference is taken. */
void hl_lesson_session_take_run (HlLessonSession *play, HlLessonRun *run);
/* Returns the last run, or that of a name; borrowed, NULL: none. */
HlLessonRun *hl_lesson_session_run (const HlLessonSession *play, const char *name);
/* Returns the paths whose numbers the student must not see; NULL-terminated, free with g_strfreev (). */
char **hl_lesson_session_hidden (const HlLessonSession *play);
/* View of the window that a step asks for; NULL and NAN for settings that the step does not state. */
typedef struct {
  const char *shown;    /* a pane */
  const char *locus;    /* path of the slider of the root locus */
  double from, to;      /* of the time axes [s] */
  gboolean response;    /* the linear response is in the plots */
  const char *large;    /* the pane that has the window to itself */
  HlLocusTarget target; /* in the root locus */
} HlLessonView;

/* Returns the view of the present step; its texts are borrowed from the lesson. */
HlLessonView hl_lesson_session_view (const HlLessonSession *play);

/* --- predictions --- */

/* Predicts a number in the unit of the step, "72 Hz" or "72". FALSE with an error. */
gboolean hl_lesson_session_predict_number (HlLessonSession *play, const char *text, GError **error);
gboolean hl_lesson_session_predict_choice (HlLessonSession *play, int choice);
/* Predicts a curve through n points: t[n], ascending [s], and values[n] in SI. FALSE: it is no curve. */
gboolean hl_lesson_session_predict_sketch (HlLessonSession *play, const double t[], const double values[],
                                           int n);
/* Requests the run of a step that runs the model without a question. */
void hl_lesson_session_watch (HlLessonSession *play);
/* Asks the question of the present step again after a wrong answer. FALSE: it was not wrong. */
gboolean hl_lesson_session_retry (HlLessonSession *play);
/* Returns the author's reason for the wrong answer of the present step as inline text, NULL: none; borrowed. */
const char *hl_lesson_session_reason (const HlLessonSession *play);

/* --- what the model says --- */

/* Returns the job that computes the values of the present step: the condition, the answer of a prediction
 * with its runs, and the numbers in its text. Owned by the caller. */
HlLessonJob *hl_lesson_session_new_job (HlLessonSession *play);
void hl_lesson_job_free (HlLessonJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonJob, hl_lesson_job_free)
/* Computes the job, in any thread. cancel may be NULL. */
void hl_lesson_job_work (HlLessonJob *job, bool (*cancel) (void *data), void *cancel_data);
/* Takes the answer; TRUE when the step is done now and was not before. An answer to what has changed
 * meanwhile is dropped. The job stays the caller's. */
gboolean hl_lesson_session_take (HlLessonSession *play, HlLessonJob *job);
/* Returns the text for "{FORMULA | UNIT}" in a step, or NULL if its value is not known. An HlLessonValueOf
 * with the session as data. Owned by the caller. */
char *hl_lesson_session_value (gpointer play, const char *formula);

/* Returns the prediction and the result in words, or NULL without a prediction. Owned by the caller. */
/* Returns the sign of a unit that a lesson names: "°" of deg, "cm²" of cm2; the name itself where it has none. */
const char *hl_lesson_unit_symbol (const char *name);
char *hl_lesson_predicted_text (const HlLessonStep *step, const HlLessonRecord *record);
char *hl_lesson_answer_text (const HlLessonStep *step, const HlLessonRecord *record);

/* Progress of a lesson as a text: what was done and predicted, and the model as the student left it.
 * JSON, by numbers of steps; a lesson that has other steps by now begins anew. */

/* Returns the progress as text. Owned by the caller. */
char *hl_lesson_progress_text (const HlLessonSession *play);
/* Goes on from a text, for a play that is new. FALSE, and it stays new, when the text is none or is of
 * another lesson. */
gboolean hl_lesson_progress_restore (HlLessonSession *play, const char *text, GError **error);

/* Goes through a lesson without a person: each thing to be done by its own solution, which must make a
 * condition true that was not; each prediction to the answer that comes, against what its author
 * expects. */

typedef struct {
  int step; /* from 0 */
  int line;
  gboolean holds;
  char *text; /* the result: numbers of the condition, the answer, or the error */
} HlLessonVerdict;

/* Verdicts on every step with a task, and on texts whose numbers cannot be had; HlLessonVerdict, owned
 * by the caller. lesson: taken, verified. document: its model. */
GPtrArray *hl_lesson_check (HlLesson *lesson, const HlDocument *document, GPtrArray *traces);
/* Returns whether all hold. */
gboolean hl_lesson_verdicts_hold (const GPtrArray *verdicts);
