/* SPDX-License-Identifier: MIT */
/* Functions that the objects of a workbench call of each other. No other folder includes this header. */
#pragma once

#include "core/document/hl-model-findings.h"
#include "core/run/hl-run-recorder.h"
#include "core/run/hl-run-warnings.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-workbench-hub.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-window-workers.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-model-worker.h"

/* --- HlRuns --- */

typedef enum {
  HL_RUN_AS_STATED, /* by the file */
  HL_RUN_PREVIEW,   /* of a drag */
  HL_RUN_COARSE,    /* of a drag whose runs are long */
  HL_RUN_BETTER     /* a preview that follows a coarse one */
} HlRunQuality;

HlRuns *hl_runs_new (HlHub *hub);
void hl_runs_free (HlRuns *self);
void hl_runs_forget (HlRuns *self); /* the document is another one */
/* Returns whether the run that is shown has a column for every trace of the plots. */
gboolean hl_runs_is_recorded (HlRuns *self);
/* Puts the doubts of the run that is shown among the findings. FALSE: it has none, is not over, or is of another
 * document. */
gboolean hl_runs_report_doubts (HlRuns *self);
/* Puts the reason why the run that is shown failed among the findings, if it did and is of this document. */
void hl_runs_report_failure (HlRuns *self);

/* Returns the quality of a run during a drag. */

HlRunQuality hl_runs_quality_of_drag (HlRuns *self);
void hl_runs_request (HlRuns *self, HlRunQuality quality);
/* Takes a run that another object requested of the worker. */
void hl_runs_expect (HlRuns *self, HlRun *run);
void hl_runs_refine (HlRuns *self); /* requests a precise run after a coarse one */
void hl_runs_drop_requested (HlRuns *self);
/* Drops requests that nothing computes any more: one that was stopped before it began sends nothing back, and what waits for
 * the run of a drag would wait for good. */
void hl_runs_drop_unanswered (HlRuns *self);
/* Returns whether the run of a drag can be expected by then (monotonic time). */
gboolean hl_runs_is_expected (HlRuns *self, gint64 until_us);
void hl_runs_take (HlRuns *self, HlRunPost *post);
gboolean hl_runs_is_due (HlRuns *self); /* a better run, or one of another model */

/* Models that are compared. */

/* Asks for the next run; nothing while another one is under way. */
void hl_runs_run_next_model (HlRuns *self);
void hl_runs_drop_models (HlRuns *self);
void hl_runs_take_aside (HlRuns *self, const char *name, HlSolvePost *post);

/* Driving. */

/* Moves the time cursor with an interactive run; reported at the end of the frame. */
void hl_runs_put_time (HlRuns *self, double t);

/* --- HlEditing --- */

typedef enum {
  HL_STALE_NOTHING,
  HL_STALE_FINDINGS, /* nothing that a run depends on changed */
  HL_STALE_NUMBERS,  /* the system was re-parameterised: start state, run and locus follow */
  HL_STALE_SYSTEM    /* compile anew */
} HlStale;

HlEditing *hl_editing_new (HlHub *hub);
void hl_editing_free (HlEditing *self);

/* Returns which data are outdated. */

HlStale hl_editing_stale (HlEditing *self);         /* due in the next frame */
HlStale hl_editing_solving (HlEditing *self);       /* requested from the worker and not there yet */
gboolean hl_editing_is_compiling (HlEditing *self); /* the worker does */
/* Returns whether a run starts when the worker has answered. */
gboolean hl_editing_is_run_due (HlEditing *self);
/* Returns whether a drag is changing numbers. */
gboolean hl_editing_is_in_gesture (HlEditing *self);

/* Results computed from the document; all borrowed. */

HlSystem *hl_editing_system (HlEditing *self); /* NULL: the findings say why */
/* Returns the recording of the system's runs, with the present numbers of its probes. Requires a system and a
 * working point. */
HlRecording *hl_editing_recording (HlEditing *self);
const HlDocument *hl_editing_solved (HlEditing *self); /* document of the working point */
/* Returns the time of the first change without a run [us, monotonic]; 0: none. A run resets it.
 */
gint64 hl_editing_take_edited_us (HlEditing *self);

/* Functions that start computations. */

/* Computes everything again in the next frame, as without a drag. */
void hl_editing_solve_anew (HlEditing *self);
void hl_editing_give_up_run (HlEditing *self); /* that is due with the worker's answer */
void hl_editing_forget_results (HlEditing *self);
/* Sets a system with the numbers of the document (taken); an interactive run in progress gets these numbers. */
void hl_editing_tune (HlEditing *self, HlSystem *system);
/* Compiles the document and finds its start state in the next frame, without a run: for the end of a drive that
 * followed changed numbers, with which findings and start state of the document have to agree again. */
void hl_editing_settle (HlEditing *self);
/* Compiles another document and finds its start state, in the worker when that is long; HlRuns
 * takes the answer by the name, which is static. */
void hl_editing_solve_aside (HlEditing *self, const HlDocument *document, const char *name);
void hl_editing_frame (HlEditing *self); /* performs due work */
void hl_editing_take_solved (HlEditing *self, HlSolvePost *post);

/* Findings that a run or a start state gives. */

/* Adds the reason why a run failed, with the proposed change, unless the model's own findings report it. */
void hl_editing_add_failure (HlEditing *self, const HlFinding *failure);
/* Clears the run failure, because a later run of the document succeeded. */
void hl_editing_forget_run_failure (HlEditing *self);
/* Warnings of lines that cavitate, and of those that are compressible in hybrid oil (NULL: it is not known), in place of
 * those before. */
void hl_editing_report_doubts (HlEditing *self, const HlSystem *system, const HlCavitations *cavitations,
                               const HlCompressibleLines *compressible_lines);
guint hl_editing_n_doubts (HlEditing *self);

/* --- HlManualRun --- */

HlManualRun *hl_manual_run_new (HlHub *hub);
void hl_manual_run_free (HlManualRun *self);

/* Ends the interactive run that has no receiver any more: it is to be stopped or has stopped. Takes the text
 * `news`. */
void hl_manual_run_leave (HlManualRun *self, char *news);
void hl_manual_run_leave_for_edit (HlManualRun *self);
void hl_manual_run_give_up (HlManualRun *self); /* one that is still due as well */
/* Continues the interactive run with the present numbers of the document. Returns FALSE if the document
 * differs by more than numbers that a running system can take. */
gboolean hl_manual_run_tune (HlManualRun *self, const HlDocument *before);
void hl_manual_run_follow_run (HlManualRun *self, HlRun *run); /* rows came */
void hl_manual_run_end_run (HlManualRun *self, HlRun *run);    /* the last ones */
void hl_manual_run_follow_system (HlManualRun *self);          /* levers of another system */
void hl_manual_run_frame (HlManualRun *self);                  /* begins when that is due */

/* --- HlLocusStudy --- */

HlLocusStudy *hl_locus_study_new (HlHub *hub);
void hl_locus_study_free (HlLocusStudy *self);
void hl_locus_study_forget (HlLocusStudy *self); /* the document is another one */

gboolean hl_locus_study_is_due (HlLocusStudy *self);
void hl_locus_study_request (HlLocusStudy *self); /* the worker */
void hl_locus_study_take (HlLocusStudy *self, HlLocusPost *post);

/* --- HlMeasuredTables --- */

HlMeasuredTables *hl_measured_tables_new (HlHub *hub);
void hl_measured_tables_free (HlMeasuredTables *self);
void hl_measured_tables_forget (HlMeasuredTables *self);
