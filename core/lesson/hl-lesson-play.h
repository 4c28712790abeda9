/* SPDX-License-Identifier: MIT */
/* HlLessonPlay: a lesson that is being gone through: at which step it stands, what has been done and
 * predicted, what came. It computes nothing: what a step asks of the model is a job, which any thread
 * may work on, and whose answer it takes. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson-bench.h"
#include "core/lesson/hl-lesson.h"

typedef struct _HlLessonPlay HlLessonPlay;
typedef struct _HlLessonJob HlLessonJob;

/* What became of a step. */
typedef struct {
  gboolean is_entered; /* its setup has been done */
  gboolean is_done;    /* nothing is waited for any more */
  gboolean is_predicted;
  double number;             /* predicted, SI */
  int choice;                /* predicted, from 0; -1: none */
  GArray *sketch_t, *sketch; /* double: predicted curve, times [s] and values (SI) */
  double answer;             /* what came: SI; of a sketch the rms distance over its range */
  int right;                 /* the choice that came true; -1: not known */
  gboolean is_hit;           /* the prediction came true */
  char *why;                 /* what is not known yet, or went wrong, as a sentence; NULL */
} HlLessonRecord;

/* At the first step, whose setup is done. Lesson and document are taken; traces (of char *, may be
 * NULL) are what runs must record besides probes, a reference is taken. Owned by the caller. */
HlLessonPlay *hl_lesson_play_new (HlLesson *lesson, HlDocument *document, GPtrArray *traces);
void hl_lesson_play_free (HlLessonPlay *play);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonPlay, hl_lesson_play_free)

const HlLesson *hl_lesson_play_lesson (const HlLessonPlay *play);
int hl_lesson_play_at (const HlLessonPlay *play); /* number of the present step */
/* The present step; borrowed. */
const HlLessonStep *hl_lesson_play_step (const HlLessonPlay *play);
/* What became of a step; borrowed. */
const HlLessonRecord *hl_lesson_play_record (const HlLessonPlay *play, int step);
/* Whether all steps are done. */
gboolean hl_lesson_play_is_over (const HlLessonPlay *play);

/* On to the next step, which needs this one done, or back to one that was there. FALSE: there is none.
 * A step that is entered for the first time does its setup; what cannot be set stands in why. */
gboolean hl_lesson_play_next (HlLessonPlay *play);
gboolean hl_lesson_play_back (HlLessonPlay *play);

/* --- the model --- */

/* As the lesson and the student have made it; borrowed. */
const HlDocument *hl_lesson_play_document (const HlLessonPlay *play);
/* The student has changed the model. What returns is the document with locked numbers as they were: the
 * same where none was touched; *touched (may be NULL) is then the path of one, borrowed. A new reference. */
HlDocument *hl_lesson_play_take_document (HlLessonPlay *play, const HlDocument *document,
                                          const char **touched);
/* The student has run the model; a reference is taken. */
void hl_lesson_play_take_run (HlLessonPlay *play, HlLessonRun *run);
/* The last run, or that of a name; borrowed, NULL: none. */
HlLessonRun *hl_lesson_play_run (const HlLessonPlay *play, const char *name);
/* The paths whose numbers the student must not see; NULL-terminated, free with g_strfreev (). */
char **hl_lesson_play_hidden (const HlLessonPlay *play);
/* What of the window the step asks to be shown; NULL: nothing. Borrowed. */
const char *hl_lesson_play_shown (const HlLessonPlay *play);

/* --- predictions --- */

/* "72 Hz", "72": in the unit of the step. FALSE and what is wrong. */
gboolean hl_lesson_play_predict_number (HlLessonPlay *play, const char *text, GError **error);
gboolean hl_lesson_play_predict_choice (HlLessonPlay *play, int choice);
/* A curve through n points: t[n], rising [s], and values[n] in SI. FALSE: it is none. */
gboolean hl_lesson_play_predict_sketch (HlLessonPlay *play, const double t[], const double values[], int n);
/* A step that runs and asks nothing is to run. */
void hl_lesson_play_watch (HlLessonPlay *play);

/* --- what the model says --- */

/* What the present step asks of the model now: the condition, the answer of a prediction that stands
 * with its runs, and the numbers in its text. Owned by the caller. */
HlLessonJob *hl_lesson_play_ask (HlLessonPlay *play);
void hl_lesson_job_free (HlLessonJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLessonJob, hl_lesson_job_free)
/* Works it out, in any thread. cancel: or NULL. */
void hl_lesson_job_work (HlLessonJob *job, bool (*cancel) (void *data), void *cancel_data);
/* Takes the answer; TRUE when the step is done now and was not before. An answer to what has changed
 * meanwhile is dropped. The job stays the caller's. */
gboolean hl_lesson_play_take (HlLessonPlay *play, HlLessonJob *job);
/* What stands for "{FORMULA | UNIT}" in the text of the step, NULL: not known. An HlLessonValueOf,
 * whose data is the play. Owned by the caller. */
char *hl_lesson_play_value (gpointer play, const char *formula);

/* What was predicted, and what came, in words; owned by the caller, NULL where there is none. */
char *hl_lesson_predicted_text (const HlLessonStep *step, const HlLessonRecord *record);
char *hl_lesson_answer_text (const HlLessonStep *step, const HlLessonRecord *record);

/* Progress of a lesson as a text: what was done and predicted, and the model as the student left it.
 * JSON, by numbers of steps; a lesson that has other steps by now begins anew. */

/* Owned by the caller. */
char *hl_lesson_progress_text (const HlLessonPlay *play);
/* Goes on from a text, for a play that is new. FALSE, and it stays new, when the text is none or is of
 * another lesson. */
gboolean hl_lesson_progress_restore (HlLessonPlay *play, const char *text, GError **error);

/* Goes through a lesson without a person: each thing to be done by its own solution, which must make a
 * condition true that was not; each prediction to the answer that comes, against what its author
 * expects. */

typedef struct {
  int step; /* from 0 */
  int line;
  gboolean holds;
  char *text; /* what was found: numbers of the condition, the answer, or what is wrong */
} HlLessonVerdict;

/* Verdicts on every step with a task, and on texts whose numbers cannot be had; HlLessonVerdict, owned
 * by the caller. lesson: taken, verified. document: its model. */
GPtrArray *hl_lesson_check (HlLesson *lesson, const HlDocument *document, GPtrArray *traces);
/* Whether all hold. */
gboolean hl_lesson_verdicts_hold (const GPtrArray *verdicts);
