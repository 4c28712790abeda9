/* SPDX-License-Identifier: MIT */
/* What the other objects on the bench ask of HlRuns. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-runner.h"
#include "ui/bench/hl-runs.h"
#include "ui/bench/hl-hub.h"

typedef enum {
  HL_RUN_AS_STATED, /* by the file */
  HL_RUN_PREVIEW,   /* of a drag */
  HL_RUN_COARSE,    /* of a drag whose runs are long */
  HL_RUN_BETTER     /* a preview that follows a coarse one */
} HlRunQuality;

HlRuns *hl_runs_new (HlHub *hub);
void hl_runs_free (HlRuns *self);
void hl_runs_forget (HlRuns *self); /* the document is another one */
/* Whether the run that is shown has a column for every trace of the plots. */
gboolean hl_runs_is_recorded (HlRuns *self);
/* Puts the doubts of the run that is shown among the findings. FALSE: it has none, is not over, or is of another
 * document. */
gboolean hl_runs_tell_doubts (HlRuns *self);
/* Puts the reason why the run that is shown failed among the findings, if it did and is of this document. */
void hl_runs_tell_failure (HlRuns *self);

/* --- asked for and taken --- */

HlRunQuality hl_runs_quality_of_drag (HlRuns *self);
void hl_runs_ask (HlRuns *self, HlRunQuality quality);
/* Takes a run that another object requested of the worker. */
void hl_runs_expect (HlRuns *self, HlRun *run);
void hl_runs_refine (HlRuns *self); /* requests a precise run after a coarse one */
void hl_runs_drop_asked (HlRuns *self);
/* Drops requests that nothing computes any more: one that was stopped before it began sends nothing back, and what waits for
 * the run of a drag would wait for good. */
void hl_runs_drop_unanswered (HlRuns *self);
/* Whether the run of a drag can be expected by then (monotonic time). */
gboolean hl_runs_is_expected (HlRuns *self, gint64 until_us);
void hl_runs_take (HlRuns *self, HlRunPost *post);
gboolean hl_runs_is_due (HlRuns *self); /* a better run, or one of another model */

/* --- models that are compared --- */

/* Asks for the next run; nothing while another one is under way. */
void hl_runs_run_next_model (HlRuns *self);
void hl_runs_drop_models (HlRuns *self);
void hl_runs_take_aside (HlRuns *self, const char *name, HlSolvePost *post);

/* --- driving --- */

/* The time cursor goes where a drive is; told at the end of the frame. */
void hl_runs_put_time (HlRuns *self, double t);
