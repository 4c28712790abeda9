/* SPDX-License-Identifier: MIT */
/* HlWorkbench: the hub of one window. It owns what stands on the bench: HlEditing (the document and
 * what is compiled from it), HlRuns, HlLocusStudy, HlDriving and HlMeasuredShelf, and the workers that they share.
 * Itself it knows the selection, what the pointer is over, and the units. It announces every change
 * by one signal, "changed", whose argument says what (HlChange). Edits are cheap: the work they
 * cause is done once, in the next frame. */
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
  HL_CHANGED_HISTORY = 1 << 11, /* what can be undone */
  /* HlRuns */
  HL_CHANGED_RUN = 1 << 4,       /* the run that is shown grew, ended or is another one */
  HL_CHANGED_TIME = 1 << 8,      /* the time cursor */
  HL_CHANGED_ACTIVITY = 1 << 12, /* a run began or ended */
  /* HlLocusStudy */
  HL_CHANGED_LOCUS = 1 << 5,  /* branches, or which knob they are for */
  HL_CHANGED_KNOBS = 1 << 13, /* which there are, not their values */
  HL_CHANGED_MODE = 1 << 14,  /* which one is looked at, or how it moves */
  HL_CHANGED_PHASE = 1 << 15, /* where in the mode's period the drawings stand */
  /* HlDriving */
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
typedef struct _HlDriving HlDriving;
typedef struct _HlMeasuredShelf HlMeasuredShelf;
typedef struct _HlRetired HlRetired;

#define HL_TYPE_WORKBENCH (hl_workbench_get_type ())
G_DECLARE_FINAL_TYPE (HlWorkbench, hl_workbench, HL, WORKBENCH, GObject)

HlWorkbench *hl_workbench_new (void);
/* Who takes over the workers in the end, so that nobody waits for them; a reference is taken.
 * Without one the last reference to the workbench waits until they stop. */
void hl_workbench_set_retired (HlWorkbench *self, HlRetired *retired);

/* --- what stands on it; borrowed, there as long as the workbench is --- */

HlEditing *hl_workbench_editing (HlWorkbench *self);
HlRuns *hl_workbench_runs (HlWorkbench *self);
HlLocusStudy *hl_workbench_locus (HlWorkbench *self);
HlDriving *hl_workbench_driving (HlWorkbench *self);
HlMeasuredShelf *hl_workbench_measured (HlWorkbench *self);

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
void hl_workbench_set_unit (HlWorkbench *self, const HlUnit *unit);

/* Paths whose numbers are not to be seen beside the drawing (a lesson has hidden a fault there);
 * NULL-terminated, NULL: none. What is returned is borrowed, never NULL. */
void hl_workbench_set_veiled (HlWorkbench *self, const char *const *paths);
const char *const *hl_workbench_veiled (HlWorkbench *self);

/* --- frames --- */

/* Does what is due and hands over what the workers sent; called by the window in its frames. TRUE
 * while more will come. */
gboolean hl_workbench_frame (HlWorkbench *self);
/* Later in the same frame: hands over what came meanwhile, so that a short run is shown in the
 * frame that asked for it. Waits for the run of a drag until then (monotonic time) when it can be
 * expected by then. */
void hl_workbench_finish_frame (HlWorkbench *self, gint64 until_us);
/* Whether that would wait: there is time for what no run changes. */
gboolean hl_workbench_awaits_run (HlWorkbench *self, gint64 until_us);
/* Called when hl_workbench_frame has something to do; the window starts its frames then. */
void hl_workbench_set_wake (HlWorkbench *self, void (*wake) (gpointer data), gpointer data);

/* The widget of a picture is to be taken away as a figure or as data: the signal "take-away" with it
 * goes to who has a window for that. */
void hl_workbench_take_away (HlWorkbench *self, GObject *picture);
