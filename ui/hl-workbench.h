/* SPDX-License-Identifier: MIT */
/* HlWorkbench: the hub of one window. It holds the document with its history, what was compiled
 * from it, the start state with its eigenvalues, the runs, the selection and the time cursor, and
 * announces every change by one signal, "changed", whose argument says what. Edits are cheap: the
 * work they cause is done once, in the next frame. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-finding.h"
#include "core/document/hl-measurement.h"
#include "ui/hl-knob.h"
#include "ui/hl-mode-movie.h"
#include "ui/hl-run.h"
#include "ui/hl-working-point.h"

#include "core/analysis/hl-crossing.h"
#include "core/analysis/hl-root-locus.h"
#include "core/analysis/hl-sensitivity.h"

#include <gio/gio.h>

typedef enum
{
  HL_CHANGED_DOCUMENT = 1 << 0, /* structure: elements came, went or were renamed */
  HL_CHANGED_NUMBERS = 1 << 1,  /* numbers of the document */
  HL_CHANGED_FINDINGS = 1 << 2,
  HL_CHANGED_POINT = 1 << 3, /* start state, eigenvalues */
  HL_CHANGED_RUN = 1 << 4,   /* the run that is shown grew, ended or is another one */
  HL_CHANGED_LOCUS = 1 << 5, /* branches, or which knob they are for */
  HL_CHANGED_SELECTION = 1 << 6,
  HL_CHANGED_HOVER = 1 << 7,
  HL_CHANGED_TIME = 1 << 8, /* the time cursor */
  HL_CHANGED_UNITS = 1 << 9,
  HL_CHANGED_FILE = 1 << 10,     /* name, saved or not */
  HL_CHANGED_HISTORY = 1 << 11,  /* what can be undone */
  HL_CHANGED_ACTIVITY = 1 << 12, /* a run began or ended */
  HL_CHANGED_KNOBS = 1 << 13,    /* which there are, not their values */
  HL_CHANGED_MODE = 1 << 14,     /* which one is looked at, or how it moves */
  HL_CHANGED_PHASE = 1 << 15,    /* where in the mode's period the drawings stand */
  HL_CHANGED_LEVERS = 1 << 16,   /* which there are; a drive began or ended */
  HL_CHANGED_EVERYTHING = (1 << 17) - 1
} HlChange;

#define HL_TYPE_WORKBENCH (hl_workbench_get_type ())
G_DECLARE_FINAL_TYPE (HlWorkbench, hl_workbench, HL, WORKBENCH, GObject)

HlWorkbench *hl_workbench_new (void);

/* --- the file --- */

/* Opens a file in place of the document; on failure nothing changes. */
gboolean hl_workbench_load (HlWorkbench *self, const char *path, GError **error);
/* What the file holds now, as one undo step; on failure nothing changes. */
gboolean hl_workbench_reload (HlWorkbench *self, GError **error);
gboolean hl_workbench_save (HlWorkbench *self, const char *path, GError **error);
const char *hl_workbench_path (HlWorkbench *self);  /* NULL: not saved yet */
const char *hl_workbench_title (HlWorkbench *self); /* file name, or "Untitled" */
gboolean hl_workbench_is_modified (HlWorkbench *self);
/* Recovered changes of a file (NULL: of none) as one step on what the file holds now; taken. */
void hl_workbench_restore (HlWorkbench *self, HlDocument *document, const char *path);
/* A fresh document that belongs to no file; taken. */
void hl_workbench_set_document (HlWorkbench *self, HlDocument *document);

/* --- the document --- */

const HlDocument *hl_workbench_document (HlWorkbench *self);
/* One undo step. Takes the document. Steps with the same key that follow each other are one. key
 * may be NULL. */
void
hl_workbench_commit (HlWorkbench *self, HlDocument *document, const char *step, const char *key);
/* Sets every path to the value: the fast way through a re-parameterised system when there is one.
 */
gboolean hl_workbench_set_numbers (
    HlWorkbench *self, const char *const *paths, double value, const char *key, GError **error);
/* A drag ended: the next step is a new one, and the whole model is checked again. */
void hl_workbench_end_gesture (HlWorkbench *self);
gboolean hl_workbench_apply_set (HlWorkbench *self, const char *name, GError **error);
gboolean hl_workbench_save_set (HlWorkbench *self, const char *name, GError **error);
/* Name of the parameter set whose values the document has now, or NULL. */
const char *hl_workbench_current_set (HlWorkbench *self);

void hl_workbench_undo (HlWorkbench *self);
void hl_workbench_redo (HlWorkbench *self);
const char *hl_workbench_undo_name (HlWorkbench *self); /* NULL: nothing to undo */
const char *hl_workbench_redo_name (HlWorkbench *self);
/* All steps done and undone; step 0 is the start, with the name "". */
int hl_workbench_n_steps (HlWorkbench *self);
int hl_workbench_step (HlWorkbench *self); /* the present one */
const char *hl_workbench_step_name (HlWorkbench *self, int step);
void hl_workbench_go_to_step (HlWorkbench *self, int step);

/* --- what follows from it --- */

const HlFindings *hl_workbench_findings (HlWorkbench *self);
/* Applies the mend of one of the findings, as one step with the mend's name. FALSE: it has none. */
gboolean hl_workbench_mend (HlWorkbench *self, const HlFinding *finding);
gboolean hl_workbench_has_system (HlWorkbench *self);
/* Whether a run can record the path; FALSE without a system. */
gboolean hl_workbench_can_record (HlWorkbench *self, const char *path);
int hl_workbench_degrees_of_freedom (HlWorkbench *self);      /* -1: no system */
const HlWorkingPoint *hl_workbench_point (HlWorkbench *self); /* NULL: none */

/* --- runs --- */

void hl_workbench_run (HlWorkbench *self);
void hl_workbench_stop (HlWorkbench *self);
gboolean hl_workbench_is_running (HlWorkbench *self);
HlRun *hl_workbench_shown_run (HlWorkbench *self); /* borrowed; NULL before the first */
double hl_workbench_time (HlWorkbench *self);      /* the time cursor [s] */
void hl_workbench_set_time (HlWorkbench *self, double t);
/* Of the model's runs, or of the driven run that is shown. */
double hl_workbench_t_end (HlWorkbench *self);
/* Two measuring cursors [s]; FALSE when they are put away. */
gboolean hl_workbench_span (HlWorkbench *self, double *a, double *b);
void hl_workbench_set_span (HlWorkbench *self, double a, double b);
void hl_workbench_clear_span (HlWorkbench *self);

/* --- runs that are kept, with the document each was made from --- */

#define HL_RUNS_MOST 32
#define HL_RUNS_MOST_BYTES ((gsize)256 * 1024 * 1024)

/* HlRun, oldest first, borrowed. Beyond the limits above the oldest ones that are neither pinned
 * nor shown go. */
GPtrArray *hl_workbench_runs (HlWorkbench *self);
gsize hl_workbench_runs_bytes (HlWorkbench *self);
gsize hl_workbench_runs_limit (HlWorkbench *self);
void hl_workbench_set_runs_limit (HlWorkbench *self, gsize bytes);
/* What went when the last run was kept, or that nothing could go; NULL: there was room. Borrowed.
 */
const char *hl_workbench_runs_news (HlWorkbench *self);
void hl_workbench_show_run (HlWorkbench *self, HlRun *run);
void hl_workbench_remove_run (HlWorkbench *self, HlRun *run);
/* Puts a removed run back where it was made. */
void hl_workbench_restore_run (HlWorkbench *self, HlRun *run);
/* Plots that are made against the run follow its name. */
void hl_workbench_rename_run (HlWorkbench *self, HlRun *run, const char *name);
void hl_workbench_set_run_pinned (HlWorkbench *self, HlRun *run, gboolean pinned);
/* The run pinned last that is not the one shown; NULL = none. */
HlRun *hl_workbench_pinned_run (HlWorkbench *self);
/* The kept run of that name, the last one of several; NULL = none. */
HlRun *hl_workbench_find_run (HlWorkbench *self, const char *title);
/* Pins the run that is shown; FALSE: lets go of all. */
void hl_workbench_pin_run (HlWorkbench *self, gboolean pin);
/* Runs the model with the other two models of the oil, one after the other, and pins each. */
void hl_workbench_compare_models (HlWorkbench *self);

/* --- measured data: what the document names, read anew when it, or the file, changed --- */

typedef struct
{
  HlMeasurement *measurement;
  char *name;         /* of the file, without its folder */
  char *path;         /* absolute, or as written while the model has no place */
  HlResults *results; /* columns named as traces are, SI; NULL: `problem` says why */
  char *problem;
  gboolean is_missing; /* the file is not there */
  gint64 written_s, size;
} HlMeasuredData;

GPtrArray *hl_workbench_measured (HlWorkbench *self); /* HlMeasuredData in file order, borrowed */
/* Each is one undo step. `measurement` with index -1 is a new one. */
void hl_workbench_put_measured (HlWorkbench *self, const HlMeasurement *measurement);
void hl_workbench_remove_measured (HlWorkbench *self, int index);
/* Another file in the place of one, read as that was. */
void hl_workbench_find_measured (HlWorkbench *self, int index, const char *path);
/* Looks whether a file was written anew. */
void hl_workbench_refresh_measured (HlWorkbench *self);

/* --- traces --- */

/* Everything that a plot of the present model can show: HlTraceEntry, probes first. Owned by the
 * caller. */
GPtrArray *hl_workbench_trace_entries (HlWorkbench *self);
/* One undo step: the panels of the model. */
void hl_workbench_set_panels (HlWorkbench *self, GPtrArray *panels, const char *step);

/* --- root locus --- */

GPtrArray *hl_workbench_knobs (HlWorkbench *self); /* HlKnob, borrowed */
int hl_workbench_locus_knob (HlWorkbench *self);   /* -1: none */
void hl_workbench_set_locus_knob (HlWorkbench *self, int knob);
const HlLocus *hl_workbench_locus (HlWorkbench *self); /* NULL: none yet */
/* Why the knob has no branches, in lines; NULL: it has, or they are on their way. Static. */
const char *hl_workbench_locus_message (HlWorkbench *self);
/* Where its branches cross the stability axis; borrowed until the next change of the locus. */
const HlCrossing *hl_workbench_crossings (HlWorkbench *self, int *n);
/* To every knob, in their order; NULL: none yet. Borrowed until the next change of the locus. */
const HlSensitivity *hl_workbench_sensitivity (HlWorkbench *self);
/* Eigenvalue `index` of the parameter sets of the file; FALSE beyond the last. *set: which one,
 * -1: a mode of the hybrid model. */
gboolean hl_workbench_set_pole (HlWorkbench *self, int index, double *re, double *im, int *set);
/* The mode of the hybrid model that the pole belongs to, NULL: to a parameter set. Borrowed. */
const char *hl_workbench_pole_mode (HlWorkbench *self, int index);
double hl_workbench_locus_seconds (HlWorkbench *self);

/* --- the mode that is looked at --- */

/* Eigenvalue of the working point whose motion the drawings show; -1 = none. It follows its
 * eigenvalue while numbers change. */
int hl_workbench_mode (HlWorkbench *self);
void hl_workbench_set_mode (HlWorkbench *self, int mode);
double hl_workbench_mode_amplitude (HlWorkbench *self); /* [m or rad] */
void hl_workbench_set_mode_amplitude (HlWorkbench *self, double amplitude);
double hl_workbench_mode_phase (HlWorkbench *self); /* of a period, 0 to 1 */
void hl_workbench_set_mode_phase (HlWorkbench *self, double phase);
/* NULL: no mode, or it has no picture. Borrowed until the next change. */
const HlModeMovie *hl_workbench_mode_movie (HlWorkbench *self);

/* --- selection, hover, units --- */

void hl_workbench_select (HlWorkbench *self, const char *id);             /* NULL: nothing */
void hl_workbench_select_ids (HlWorkbench *self, const char *const *ids); /* NULL-terminated */
void hl_workbench_toggle_selected (HlWorkbench *self, const char *id);
gboolean hl_workbench_is_selected (HlWorkbench *self, const char *id);
const char *hl_workbench_selected (HlWorkbench *self);         /* the first one, NULL = none */
const char *const *hl_workbench_selection (HlWorkbench *self); /* NULL-terminated, borrowed */
void hl_workbench_set_hover (HlWorkbench *self, const char *id);
const char *hl_workbench_hover (HlWorkbench *self);
/* One unit a quantity, borrowed; what pictures and rows are shown in. */
const HlUnit *const *hl_workbench_units (HlWorkbench *self);
const HlUnit *hl_workbench_unit (HlWorkbench *self, HlQuantity quantity);
void hl_workbench_set_unit (HlWorkbench *self, const HlUnit *unit);

/* --- frames --- */

/* Does what is due and hands over what the workers sent; called by the window in its frames. TRUE
 * while more will come. */
gboolean hl_workbench_frame (HlWorkbench *self);
/* Later in the same frame: hands over what came meanwhile, so that a short run is shown in the
 * frame that asked for it. Waits for the run of a drag until then (monotonic time) when it can be
 * expected by then. */
void hl_workbench_finish_frame (HlWorkbench *self, gint64 until_us);
/* Called when hl_workbench_frame has something to do; the window starts its frames then. */
void hl_workbench_set_wake (HlWorkbench *self, void (*wake) (gpointer data), gpointer data);
