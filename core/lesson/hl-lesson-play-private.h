/* SPDX-License-Identifier: MIT */
/* A lesson that is being gone through, for the file of its progress and for its jobs. */
#pragma once

#include "core/lesson/hl-lesson-play.h"

struct _HlLessonPlay {
  HlLesson *lesson;
  HlDocument *document; /* as it is now */
  HlDocument *model;    /* as the lesson has set it: where locked numbers and ended faults come from */
  HlLessonBench *bench;
  GPtrArray *records; /* HlLessonRecord */
  GPtrArray *traces;  /* char * */
  int at;
  guint serial;       /* counts whatever makes an answer void */
  GHashTable *locked; /* char * paths */
  GHashTable *hidden; /* char * paths */
  GHashTable *faults; /* char * name to char * path */
  GHashTable *before; /* char * path of a fault to the text that stood there */
  GHashTable *values; /* char * formula to char * text, of the present step */
  char *shown;
};

struct _HlLessonJob {
  const HlLessonStep *step; /* of the lesson, which outlives it */
  HlLessonBench *bench;
  GPtrArray *traces;
  guint serial;
  gboolean answers; /* a prediction stands, or the step is done: what comes may be told */
  gboolean runs;    /* and its runs have not been made */
  /* written by hl_lesson_job_work */
  gboolean is_known, holds;
  double answer;
  int right;
  char *why;
  GHashTable *values;
};
