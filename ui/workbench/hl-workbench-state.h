/* SPDX-License-Identifier: MIT */
/* HlWorkbench: the central object of one window. It owns HlEditing (the document and what is compiled from
 * it), HlRuns, HlLocusStudy, HlManualRun and HlMeasuredTables, and the workers that they share. It also holds
 * the selection, the element under the pointer, and the units. It announces every change by one signal,
 * "changed", whose argument says what (HlChange). Edits are cheap: the work they cause is done once, in the
 * next frame. */
#pragma once

#include "core/base/hl-unit.h"

#include <gio/gio.h>

/* HlChange: what the workbench's signal "changed" says is another one now. Each object on the bench
 * announces what it holds; the hub sends it out, once a frame for everything that a frame brought.
 */

typedef enum {
  /* HlEditing */
  HL_CHANGED_DOCUMENT = 1 << 0, /* structure: elements came, went or were renamed */
  HL_CHANGED_NUMBERS = 1 << 1,  /* numbers of the document */
  HL_CHANGED_FINDINGS = 1 << 2,
  HL_CHANGED_POINT = 1 << 3,    /* start state, eigenvalues */
  HL_CHANGED_FILE = 1 << 10,    /* name, saved or not */
  HL_CHANGED_HISTORY = 1 << 11, /* undo history */
  /* HlRuns */
  HL_CHANGED_RUN = 1 << 4,       /* the run that is shown grew, ended or is another one */
  HL_CHANGED_TIME = 1 << 8,      /* the time cursor */
  HL_CHANGED_ACTIVITY = 1 << 12, /* a run began or ended */
  /* HlLocusStudy */
  HL_CHANGED_LOCUS = 1 << 5,  /* branches, or which slider they are for */
  HL_CHANGED_KNOBS = 1 << 13, /* which there are, not their values */
  HL_CHANGED_MODE = 1 << 14,  /* which one is examined, or how it moves */
  HL_CHANGED_PHASE = 1 << 15, /* where in the mode's period the drawings stand */
  /* HlManualRun */
  HL_CHANGED_LEVERS = 1 << 16, /* which there are; a drive began or ended */
  /* the hub itself */
  HL_CHANGED_SELECTION = 1 << 6,
  HL_CHANGED_HOVER = 1 << 7,
  HL_CHANGED_UNITS = 1 << 9,
  HL_CHANGED_EVERYTHING = (1 << 17) - 1
} HlChange;

typedef struct _HlEditing HlEditing;
typedef struct _HlRuns HlRuns;
typedef struct _HlLocusStudy HlLocusStudy;
typedef struct _HlManualRun HlManualRun;
typedef struct _HlMeasuredTables HlMeasuredTables;
typedef struct _HlWorkerShutdown HlWorkerShutdown;

#define HL_TYPE_WORKBENCH (hl_workbench_get_type ())
G_DECLARE_FINAL_TYPE (HlWorkbench, hl_workbench, HL, WORKBENCH, GObject)

HlWorkbench *hl_workbench_new (void);
/* Sets the object that takes the workers at the end, so that the window does not wait for them; a reference
 * is taken. Without it the last unref of the workbench waits until they stop. */
void hl_workbench_set_worker_shutdown (HlWorkbench *self, HlWorkerShutdown *worker_shutdown);

/* --- what stands on it; borrowed, there as long as the workbench is --- */

HlEditing *hl_workbench_editing (HlWorkbench *self);
HlRuns *hl_workbench_runs (HlWorkbench *self);
HlLocusStudy *hl_workbench_locus (HlWorkbench *self);
HlManualRun *hl_workbench_manual_run (HlWorkbench *self);
HlMeasuredTables *hl_workbench_measured (HlWorkbench *self);

/* --- selection, hover, units --- */

void hl_workbench_select (HlWorkbench *self, const char *id);             /* NULL: nothing */
void hl_workbench_select_ids (HlWorkbench *self, const char *const *ids); /* NULL-terminated */
void hl_workbench_toggle_selected (HlWorkbench *self, const char *id);
gboolean hl_workbench_is_selected (HlWorkbench *self, const char *id);
const char *hl_workbench_selected (HlWorkbench *self);         /* the first one, NULL = none */
const char *const *hl_workbench_selection (HlWorkbench *self); /* NULL-terminated, borrowed */
void hl_workbench_set_hover (HlWorkbench *self, const char *id);
const char *hl_workbench_hover (HlWorkbench *self);
/* Returns one unit a quantity, borrowed; what pictures and rows are shown in. */
const HlUnit *const *hl_workbench_units (HlWorkbench *self);
void hl_workbench_set_unit (HlWorkbench *self, const HlUnit *unit);

/* Sets the paths whose numbers are not shown beside the drawing (a lesson has hidden a fault there);
 * NULL-terminated, NULL: none. The returned array is borrowed and never NULL. */
void hl_workbench_set_veiled (HlWorkbench *self, const char *const *paths);
const char *const *hl_workbench_veiled (HlWorkbench *self);

/* --- frames --- */

/* Performs pending work and passes on the results of the workers; called by the window in its frames. TRUE
 * while more will come. */
gboolean hl_workbench_frame (HlWorkbench *self);
/* Passes on, later in the same frame, the results that have arrived since, so that a short run is shown in
 * the frame that requested it. Waits for the run of a drag until `until_us` (monotonic time) if it can be
 * expected by then. */
void hl_workbench_finish_frame (HlWorkbench *self, gint64 until_us);
/* Returns whether that would wait: there is time for what no run changes. */
gboolean hl_workbench_awaits_run (HlWorkbench *self, gint64 until_us);
/* Sets a callback that is called when hl_workbench_frame has work; the window starts its frames then. */
void hl_workbench_set_wake (HlWorkbench *self, void (*wake) (gpointer data), gpointer data);

/* Emits the signal "take-away" with the widget of a picture, which is to be exported as a figure or as data: its
 * handler opens the window. */
void hl_workbench_take_away (HlWorkbench *self, GObject *picture);
