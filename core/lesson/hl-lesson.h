/* SPDX-License-Identifier: MIT */
/* A lesson: text in steps beside a model. Some steps wait for an action of the student or require a prediction
 * (data/docs/lessons.md). Plain data, as the file has it; immutable once read. */
#pragma once

#include "core/document/hl-document.h"
#include "core/lesson/hl-lesson-condition.h"
#include "core/linear/hl-root-locus.h"

#define HL_LESSON_SUFFIX ".hllesson"
#define HL_LESSON_MAX_BYTES (1024 * 1024)
#define HL_LESSON_ENERGIES "energies" /* among traces: the plot of the energies */

/* A problem in a lesson file, with its line. */
typedef struct {
  int line; /* from 1; 0: the file as a whole */
  char *text;
} HlLessonProblem;

/* Returns a list of HlLessonProblem, owned by the caller, and one more in it. */
GPtrArray *hl_lesson_problems_new (void);
void hl_lesson_problem_add (GPtrArray *problems, int line, const char *format, ...) G_GNUC_PRINTF (3, 4);

typedef enum {
  HL_LESSON_PARAGRAPH,
  HL_LESSON_BULLET,
  HL_LESSON_FORMULA, /* text: as core/help/hl-formula-tree.h reads it */
  HL_LESSON_PICTURE  /* of the model: what = "circuit" or "linkage"; text: its caption */
} HlLessonBlockKind;

typedef struct {
  HlLessonBlockKind kind;
  int line;
  char *text;
  char *what;
} HlLessonBlock;

/* Kinds of changes to the model, made by the lesson at the start of a step or by a solution. */
typedef enum {
  HL_LESSON_SET,      /* path, value */
  HL_LESSON_OIL,      /* name: of the model of the oil */
  HL_LESSON_LOCK,     /* path: the student cannot change it */
  HL_LESSON_UNLOCK,   /* path */
  HL_LESSON_HIDE,     /* path: its number is not shown */
  HL_LESSON_UNHIDE,   /* path */
  HL_LESSON_FAULT,    /* name, path, value: set, and kept from being seen */
  HL_LESSON_MEND,     /* name: of a fault, which ends */
  HL_LESSON_SHOW,     /* name: what of the window is to be seen */
  HL_LESSON_LOCUS,    /* path: of the slider of the root locus; value: its range, NULL: that of the model */
  HL_LESSON_TRACES,   /* value: of the plots, one plot for each part between commas */
  HL_LESSON_TIME,     /* value: the range of the time axes */
  HL_LESSON_OVERLAY,  /* name: of a run that is laid over in the plots; value: its title, NULL: the name */
  HL_LESSON_RESPONSE, /* name: "on" or "off", the linear response in the plots */
  HL_LESSON_LARGE,    /* name: of the pane that has the window to itself */
  HL_LESSON_DRAW, /* name: a file with a drawing; value: ids of it that are drawn, NULL: only the points of its ground */
  HL_LESSON_MOMENT, /* value: the time of the run that is shown */
  HL_LESSON_TARGET, /* name: "damping" or "frequency"; value: the least one, marked in the root locus */
  HL_LESSON_RUN     /* name: it is kept by that, NULL: none; value: the oil, NULL: the model's */
} HlLessonActKind;

typedef struct {
  HlLessonActKind kind;
  int line;
  char *path, *value, *name; /* NULL where the kind has none */
  char *file;                /* of a drawing, where the lesson is a file itself; otherwise NULL */
} HlLessonAct;

typedef enum {
  HL_LESSON_READ,   /* no question */
  HL_LESSON_DO,     /* waits for a condition */
  HL_LESSON_NUMBER, /* question for a number */
  HL_LESSON_CHOICE, /* question with a choice of sentences */
  HL_LESSON_CURVE,  /* question for a curve */
  HL_LESSON_WATCH   /* runs, no question */
} HlLessonTask;

typedef struct {
  char *text;
  char *when; /* condition under which this is right, as written */
  HlCondition *condition;
  char *why; /* the reason, shown to a person who chose it; NULL: none */
  int line, why_line;
} HlLessonChoice;

typedef struct {
  char *title;
  int line;
  GPtrArray *before; /* HlLessonBlock: what is read first */
  GPtrArray *after;  /* HlLessonBlock: what is shown when the task is done */
  GPtrArray *setup;  /* HlLessonAct */
  HlLessonTask task;
  int task_line;
  char *hint; /* or NULL */
  /* do */
  gboolean goes_on; /* to the next step as soon as it is done */
  char *until;
  int until_line;
  HlCondition *condition;
  GPtrArray *solution; /* HlLessonAct */
  /* predictions */
  gboolean is_open; /* plots and eigenvalues are to be read before it is answered */
  GPtrArray *runs;  /* HlLessonAct of kind RUN: made when the prediction stands */
  char *answer;     /* number: formula of what comes */
  int answer_line;
  char *unit;           /* that the student answers in; NULL: a pure number */
  char *about;          /* answer that the author expects, or NULL */
  double tolerance;     /* of a number: relative or in `unit`; of a sketch: rms over its range */
  gboolean is_relative; /* tolerance is a part of the answer */
  GPtrArray *choices;   /* HlLessonChoice */
  char *sketch;         /* trace */
  char *from, *to;      /* between which values it is drawn; NULL where nothing is sketched */
  char *low, *high;     /* the reason where the predicted number is too low or too high; NULL: none */
  char *why;            /* the reason where the sketch differs; NULL: none */
  int reason_line;      /* of the last of these */
} HlLessonStep;

typedef struct {
  char *title, *model; /* model: as written, relative to the folder */
  char *language;      /* "en" when not stated */
  char *about;         /* one line for the gallery; NULL: none */
  char *time;          /* "15 min", free text; NULL: not stated */
  int model_line;
  char *folder;     /* of the file; NULL: of a text */
  char *path;       /* likewise */
  GPtrArray *steps; /* HlLessonStep */
} HlLesson;

/* Reads the text of a lesson. NULL when something is wrong, which is added to the problems. */
HlLesson *hl_lesson_parse (const char *text, gsize length, GPtrArray *problems);
/* Returns the same of a file; one that cannot be read is a problem of line 0. */
HlLesson *hl_lesson_load (const char *path, GPtrArray *problems);
void hl_lesson_free (HlLesson *lesson);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLesson, hl_lesson_free)

static inline const HlLessonStep *hl_lesson_step (const HlLesson *lesson, int k) {
  return g_ptr_array_index (lesson->steps, (guint)k);
}

/* Returns the file name of the model; owned by the caller. */
char *hl_lesson_model_path (const HlLesson *lesson);
/* Returns the range of values in which the curve of a step is drawn, *low and *high in SI; FALSE: nothing is
 * sketched. */
gboolean hl_lesson_sketch_range (const HlLessonStep *step, double *low, double *high);
/* Returns the range of the time axes that the setup of a step states, *from and *to [s]; FALSE: none. */
gboolean hl_lesson_time_range (const HlLessonStep *step, double *from, double *to);
/* Returns the time of the run that the setup of a step shows [s]; NAN: it states none. */
double hl_lesson_moment (const HlLessonStep *step);
/* Returns the target for eigenvalues that the setup of a step states; NANs: none. */
HlLocusTarget hl_lesson_target (const HlLessonStep *step);
/* Returns whether two files are one lesson in two languages: the same steps, tasks, conditions and numbers.
 * What differs is added to the problems, by the lines of the second. */
gboolean hl_lesson_agrees (const HlLesson *lesson, const HlLesson *other, GPtrArray *problems);
/* Returns the name of a task for files and reports: "read", "do", "number" ... Static. */
const char *hl_lesson_task_name (HlLessonTask task);

/* Applying a lesson's changes to its model. */

/* Returns the document after the act, a new reference; of one that does not change the document (a lock, a
 * run) the same. NULL with an error that says why it cannot be. A fault that ends is no act of the
 * document alone: hl-lesson-session.h. */
HlDocument *hl_lesson_act_apply (const HlLessonAct *act, const HlDocument *document, GError **error);
/* Returns the document with the number at a path as it is in another; FALSE in *differs: it was so already. A
 * new reference, NULL with an error. */
HlDocument *hl_lesson_put_back (const HlDocument *document, const HlDocument *model, const char *path,
                                gboolean *differs, GError **error);
