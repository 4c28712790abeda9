/* SPDX-License-Identifier: MIT */
/* The hub's inside, split over eight files: hl-workbench.c (document, selection, time),
 * hl-workbench-solve.c (what follows from the document: system, start state), hl-workbench-ask.c
 * (runs asked for and taken), hl-workbench-runs.c (the runs that are kept), hl-workbench-measured.c
 * (measured data beside them), hl-workbench-locus.c (the root locus and what comes with it),
 * hl-workbench-mode.c (the mode that is looked at) and hl-workbench-drive.c (runs that are driven
 * by hand). */
#pragma once

#include "core/document/hl-history.h"
#include "ui/hl-runner.h"
#include "ui/hl-workbench.h"

typedef enum
{
  STALE_NOTHING,
  STALE_FINDINGS, /* nothing that a run depends on changed */
  STALE_NUMBERS,  /* the system was re-parameterised: start state, run and locus follow */
  STALE_SYSTEM    /* compile anew */
} HlStale;

struct _HlWorkbench
{
  GObject parent_instance;

  HlHistory *history;
  char *path;
  char *title;
  GPtrArray *selection; /* ids, NULL-terminated */
  char *hover;
  double time;
  const HlUnit *units[HL_N_QUANTITIES];

  /* what follows from the document */
  HlStale stale;
  gint64 edited_us;    /* first change since the last request, 0 = none */
  gboolean in_gesture; /* numbers changed by a drag that has not ended */
  HlFindings *findings;
  HlSystem *system;       /* NULL: the findings say why */
  HlRecording *recording; /* of runs of the system, re-parameterised or not; NULL: none yet */
  HlWorkingPoint *point;
  GPtrArray *knobs;
  int locus_knob;
  gboolean locus_stale;
  gboolean branches_due; /* something else than the knob of the locus was moved */
  guint branches_from;   /* answers from this serial on have them; 0: not asked for yet */
  HlLocus *locus;
  guint locus_serial;        /* the first request over the present knob; 0: none of them */
  const char *locus_message; /* why there are no branches; NULL = there are, or none is wished */
  HlCrossing crossings[HL_LOCUS_MOST_CROSSINGS];
  int n_crossings;
  HlSensitivity *sensitivity;
  GArray *others;    /* HlOtherPole */
  double locus_time; /* of the hybrid mode whose poles are among them; 0: where a run starts [s] */
  guint rest_source; /* waits for the time cursor to rest */
  double locus_seconds;

  int mode; /* eigenvalue, -1 = none */
  double mode_amplitude, mode_phase;
  HlModeMovie *movie; /* made when it is asked for */

  HlRunner *runner;
  GQueue asked; /* HlRun, oldest first: requested, not over, or over but not shown */
  HlRun *shown;
  GPtrArray *runs; /* HlRun that are kept */
  guint n_runs_made;
  gsize runs_limit;
  char *runs_news;      /* what the limit did when the last run was kept; NULL: nothing */
  GQueue models;        /* names of oil models to run aside, static */
  GPtrArray *measured;  /* HlMeasuredData */
  char *measured_print; /* what they were read for */
  /* driving */
  GPtrArray *levers; /* HlLever, of the present system */
  HlDriveDesk *desk; /* of the drive under way, else NULL */
  HlRun *driven;     /* its run, else NULL */
  double drive_speed;
  gboolean
      tuned; /* numbers changed that the drive followed: the working point and the locus are due */
  guint n_drives;
  char *drive_news;

  gboolean has_span;
  double span[2];
  gboolean was_running;
  double preview_seconds; /* what a run of a drag takes, by the last one */
  double coarse_seconds;  /* and what a coarse one takes */
  gboolean refine_due;    /* the hand rests on a coarse one */

  guint pending; /* HlChange flags to be announced in the next frame */
  guint fallback_source;
  void (*wake) (gpointer data);
  gpointer wake_data;
};

void hl_workbench_announce (HlWorkbench *self, guint changes);
/* Announces in the next frame, and sees to it that there is one. */
void hl_workbench_wake (HlWorkbench *self, guint changes);
/* The document is another one: everything is due again. */
void hl_workbench_invalidate (HlWorkbench *self, HlStale stale);
/* A re-parameterised system in place of the present one; FALSE when the paths need a new compile.
 */
gboolean hl_workbench_reparameterise (HlWorkbench *self, const char *const *paths, double value);
/* Another document: its predecessor's runs and locus are of no use. */
void hl_workbench_forget_results (HlWorkbench *self);
/* The working point is another one: the mode is its eigenvalue nearest to the one before. */
void hl_workbench_follow_mode (HlWorkbench *self,
                               const HlLinearization *before,
                               const HlLinearization *now);
void hl_workbench_forget_locus (HlWorkbench *self);
/* The branches are others now; moving the knob that they are over leaves them as they are. */
void hl_workbench_branches_changed (HlWorkbench *self);
gboolean hl_workbench_is_locus_knob (HlWorkbench *self, const char *const *paths);
void hl_workbench_ask_for_locus (HlWorkbench *self);
void hl_workbench_follow_visited_mode (HlWorkbench *self);
void hl_workbench_take_locus (HlLocusPost *post, gpointer workbench);
void hl_workbench_drop_movie (HlWorkbench *self);
/* The document before is another one: what is due follows from what they differ by. */
void hl_workbench_invalidate_after (HlWorkbench *self, const HlDocument *before);
/* hl-workbench-ask.c */
typedef enum
{
  HL_RUN_AS_STATED, /* by the file */
  HL_RUN_PREVIEW,   /* of a drag */
  HL_RUN_COARSE,    /* of a drag whose runs are long */
  HL_RUN_BETTER     /* a preview that follows a coarse one */
} HlRunQuality;
HlRunQuality hl_workbench_quality_of_drag (HlWorkbench *self);
void hl_workbench_ask_for_run (HlWorkbench *self, HlRunQuality quality);
/* Whether the run of a drag can be expected by then (monotonic time). */
gboolean hl_workbench_is_run_expected (HlWorkbench *self, gint64 until_us);
void hl_workbench_take_run (HlRunPost *post, gpointer workbench);
void hl_workbench_drop_asked (HlWorkbench *self);
/* hl-workbench-runs.c */
void hl_workbench_keep_run (HlWorkbench *self, HlRun *run);
void hl_workbench_forget_runs (HlWorkbench *self);
/* hl-workbench-measured.c: reads what the document names when that is another than before. */
void hl_workbench_follow_measured (HlWorkbench *self);
void hl_workbench_forget_measured (HlWorkbench *self);
/* Asks for the next run of models that are compared; nothing while another one is under way. */
void hl_workbench_run_next_model (HlWorkbench *self);
void hl_workbench_ask_aside (HlWorkbench *self, const HlDocument *document, const char *name);
/* hl-workbench-drive.c */
/* The drive goes on for nobody: it is to be stopped, or did stop. Takes the news. */
void hl_workbench_leave_drive (HlWorkbench *self, char *news);
void hl_workbench_leave_drive_for_edit (HlWorkbench *self);
/* The drive goes on with the numbers that the document has now; FALSE: it differs from the one
 * before by more than numbers that a running system can take. */
gboolean hl_workbench_tune_drive (HlWorkbench *self, const HlDocument *before);
void hl_workbench_follow_drive (HlWorkbench *self, HlRun *run); /* rows came */
void hl_workbench_end_drive (HlWorkbench *self, HlRun *run);    /* the last ones */
void hl_workbench_refresh_levers (HlWorkbench *self);           /* the system is another one */
void hl_workbench_solve_init (HlWorkbench *self);
void hl_workbench_solve_dispose (HlWorkbench *self);
