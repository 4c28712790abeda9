/* SPDX-License-Identifier: MIT */
/* HlRuns: the runs of a workbench: the one that is under way, the one that is shown with the time
 * cursor in it, those that are kept, and what plots can show of them. */
#pragma once

#include "core/document/hl-document.h"
#include "ui/bench/hl-run.h"

#include <glib.h>

typedef struct _HlRuns HlRuns;

/* --- the run that is shown --- */

void hl_runs_start (HlRuns *self);
void hl_runs_stop (HlRuns *self);
gboolean hl_runs_is_running (HlRuns *self);
HlRun *hl_runs_shown (HlRuns *self); /* borrowed; NULL before the first */
/* "A cavitates at 0.012 s, down to -1.7 MPa": lines of a run (or NULL) whose oil would have to
 * pull; NULL: none. Owned by the caller. */
char *hl_runs_doubt_text (HlRuns *self, const HlRun *run);

/* --- time --- */

double hl_runs_time (HlRuns *self); /* the time cursor [s] */
void hl_runs_set_time (HlRuns *self, double t);
/* Of the model's runs, or of the driven run that is shown. */
double hl_runs_t_end (HlRuns *self);
/* Two measuring cursors [s]; FALSE when they are put away. */
gboolean hl_runs_span (HlRuns *self, double *a, double *b);
void hl_runs_set_span (HlRuns *self, double a, double b);
void hl_runs_clear_span (HlRuns *self);

/* --- runs that are kept, with the document each was made from --- */

#define HL_RUNS_MOST 32
/* One run keeps no more rows than this, and no more memory: of a longer one every so many rows. */
#define HL_RUN_MOST_ROWS 10000000
#define HL_RUN_MOST_BYTES ((gsize)1024 * 1024 * 1024)
#define HL_RUNS_MOST_BYTES ((gsize)256 * 1024 * 1024)

/* HlRun, oldest first, borrowed. Beyond the limits above the oldest ones that are neither pinned
 * nor shown go. */
GPtrArray *hl_runs_kept (HlRuns *self);
gsize hl_runs_bytes (HlRuns *self);
gsize hl_runs_limit (HlRuns *self);
void hl_runs_set_limit (HlRuns *self, gsize bytes);
/* What went when the last run was kept, or that nothing could go; NULL: there was room. Borrowed.
 */
const char *hl_runs_news (HlRuns *self);
void hl_runs_show (HlRuns *self, HlRun *run);
void hl_runs_remove (HlRuns *self, HlRun *run);
/* Puts a removed run back where it was made. */
void hl_runs_restore (HlRuns *self, HlRun *run);
/* Plots that are made against the run follow its name. */
void hl_runs_rename (HlRuns *self, HlRun *run, const char *name);
void hl_runs_set_pinned (HlRuns *self, HlRun *run, gboolean pinned);
/* The run pinned last that is not the one shown; NULL = none. */
HlRun *hl_runs_pinned (HlRuns *self);
/* The kept run of that name, the last one of several; NULL = none. */
HlRun *hl_runs_find (HlRuns *self, const char *title);
/* Pins the run that is shown; FALSE: lets go of all. */
void hl_runs_pin_shown (HlRuns *self, gboolean pin);
/* Runs the model with the other two models of the oil, one after the other, and pins each. */
void hl_runs_compare_models (HlRuns *self);

/* --- what plots show --- */

/* Everything that a plot of the present model can show: HlTraceEntry, probes first. Owned by the
 * caller. */
GPtrArray *hl_runs_trace_entries (HlRuns *self);
/* One undo step: the panels of the model. */
void hl_runs_set_panels (HlRuns *self, GPtrArray *panels, const char *step);
