/* SPDX-License-Identifier: MIT */
/* What the other objects on the bench ask of HlEditing. Nobody else includes this. */
#pragma once

#include "core/document/hl-finding.h"
#include "core/run/hl-run-doubts.h"
#include "core/run/hl-recorder.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-solver.h"
#include "ui/bench/hl-hub.h"

typedef enum {
  HL_STALE_NOTHING,
  HL_STALE_FINDINGS, /* nothing that a run depends on changed */
  HL_STALE_NUMBERS,  /* the system was re-parameterised: start state, run and locus follow */
  HL_STALE_SYSTEM    /* compile anew */
} HlStale;

HlEditing *hl_editing_new (HlHub *hub);
void hl_editing_free (HlEditing *self);

/* --- where it stands --- */

HlStale hl_editing_stale (HlEditing *self);         /* due in the next frame */
HlStale hl_editing_solving (HlEditing *self);       /* asked of the worker and not there yet */
gboolean hl_editing_is_compiling (HlEditing *self); /* the worker does */
/* A run is due with the worker's answer. */
gboolean hl_editing_is_run_due (HlEditing *self);
/* Numbers are changed by a drag that has not ended. */
gboolean hl_editing_is_in_gesture (HlEditing *self);

/* --- what was made of the document; all borrowed --- */

HlSystem *hl_editing_system (HlEditing *self); /* NULL: the findings say why */
/* What runs of the system record, with the present numbers of its probes. There is a system and a
 * working point. */
HlRecording *hl_editing_recording (HlEditing *self);
const HlDocument *hl_editing_solved (HlEditing *self); /* what the working point is of */
/* When the first change was made that no run answers yet [us, monotonic]; 0: none. A run takes it.
 */
gint64 hl_editing_take_edited_us (HlEditing *self);

/* --- what is to be done --- */

/* All is computed anew in the next frame, as if a drag had never been. */
void hl_editing_solve_anew (HlEditing *self);
void hl_editing_give_up_run (HlEditing *self); /* that is due with the worker's answer */
void hl_editing_forget_results (HlEditing *self);
/* The document's numbers are in this system now (taken); a drive that is under way has them. */
void hl_editing_tune (HlEditing *self, HlSystem *system);
/* Compiles the document and finds its start state in the next frame, without a run: for the end of a drive that
 * followed changed numbers, with which findings and start state of the document have to agree again. */
void hl_editing_settle (HlEditing *self);
/* Compiles another document and finds its start state, in the worker when that is long; HlRuns
 * takes the answer by the name, which is static. */
void hl_editing_solve_aside (HlEditing *self, const HlDocument *document, const char *name);
void hl_editing_frame (HlEditing *self); /* what is due */
void hl_editing_take_solved (HlEditing *self, HlSolvePost *post);

/* --- findings that a run or a start state gives --- */

/* Why a run failed, with the change that would do, unless the model's own findings say it. */
void hl_editing_add_failure (HlEditing *self, const HlFinding *failure);
/* A later run of the document did not fail. */
void hl_editing_forget_run_failure (HlEditing *self);
/* Warnings of lines that cavitate, and of those that give way in hybrid oil (NULL: it is not known), in place of
 * those before. */
void hl_editing_tell_doubts (HlEditing *self, const HlSystem *system, const HlCavitations *cavitations,
                             const HlGivesWay *gives_way);
guint hl_editing_n_doubts (HlEditing *self);
