/* SPDX-License-Identifier: MIT */
/* HlRuns: the runs of a workbench (HlRun): the one in progress, the visible one with the time cursor, those
 * that are kept, and the quantities that plots can show. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/run/hl-interactive-run.h"
#include "core/run/hl-run-results.h"
#include "core/run/hl-run-warnings.h"
#include "core/run/hl-input-recording.h"

#include <glib.h>

/* HlRun: one simulation: its request, its progress and its results. Only the window's thread touches it. A stopped run
 * keeps its data. */

typedef enum {
  HL_RUN_WAITING, /* no row yet */
  HL_RUN_GROWING,
  HL_RUN_DONE,
  HL_RUN_STOPPED, /* by the user */
  HL_RUN_FAILED   /* message says why */
} HlRunState;

typedef struct {
  guint ref_count;
  guint serial;
  guint number;          /* among the kept ones, from 1; 0: not kept */
  char *name;            /* given by a person or by what made it; NULL: "Run 3" */
  gboolean pinned;       /* laid under the traces of the run that is shown */
  gboolean aside;        /* made to be compared with: never shown by itself */
  gboolean is_driven;    /* by hand; its first rows may be gone */
  guint n_tuned;         /* edits that it followed while it was driven */
  HlLeverRecord *levers; /* lever movements of a driven run that is over, else NULL */
  HlTape *tape;          /* likewise, with the numbers that were changed */
  char **lever_paths;    /* of them; NULL-terminated, NULL: not driven */
  HlRunState state;
  HlDocument *document; /* the document at the request of the run */
  HlResults *results;
  HlModeHistory *history; /* events and modes of a hybrid run that is over, else NULL */
  HlSimStats stats;
  double t_end;        /* [s]; of a driven run its last row's */
  double every;        /* output step that is kept [s]; 0: not known beforehand */
  double stated;       /* output step of the file, where that is finer; else 0 [s] */
  gint64 requested_us; /* monotonic time of the request */
  gint64 edited_us;    /* of the first change that it answers */
  gint64 done_us;
  gboolean is_stopped_by_user; /* else another request or an edit ended it */
  gboolean preview;            /* of a drag: coarser, and not kept */
  gboolean coarse;             /* of a drag whose runs are long: fewer rows, and a better one follows */
  gboolean refines;            /* that better one */
  HlSystem *system;            /* that `cavitations` is about, or NULL */
  HlCavitations *cavitations;  /* lines whose oil would be under tension; NULL: none yet */
  char *message;               /* NULL unless failed */
  char *entity_id;             /* element the message points at, or NULL */
  HlFindings *failure;         /* the same with the change after which it would run, or NULL; owned */
} HlRun;

HlRun *hl_run_new (const HlDocument *document, HlResults *results, double t_end); /* takes results */
HlRun *hl_run_ref (HlRun *run);
void hl_run_unref (HlRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRun, hl_run_unref)

gboolean hl_run_is_over (const HlRun *run);
/* Returns "Run 3", or its own name. Owned by the caller. */
char *hl_run_title (const HlRun *run);
/* Returns "1,000,001 rows, 480 MB", with a remark on a coarser output step; NULL for small runs. Owned by the
 * caller. */
char *hl_run_size_text (const HlRun *run);
/* Returns the value of a column by id at a time, NAN when there is none; run may be NULL. */
double hl_run_value (const HlRun *run, const char *id, double t);

typedef struct _HlRuns HlRuns;

/* --- the run that is shown --- */

void hl_runs_start (HlRuns *self);
void hl_runs_stop (HlRuns *self);
gboolean hl_runs_is_running (HlRuns *self);
HlRun *hl_runs_shown (HlRuns *self); /* borrowed; NULL before the first */
/* Returns "A cavitates at 0.012 s, down to -1.7 MPa": lines of a run (or NULL) whose oil would be under
 * tension; NULL: none. Owned by the caller. */
char *hl_runs_doubt_text (HlRuns *self, const HlRun *run);

/* --- time --- */

double hl_runs_time (HlRuns *self); /* the time cursor [s] */
void hl_runs_set_time (HlRuns *self, double t);
/* Returns the end of the model's runs, or of the displayed interactive run. */
double hl_runs_t_end (HlRuns *self);
/* Returns the two measuring cursors [s]; FALSE when they are hidden. */
gboolean hl_runs_span (HlRuns *self, double *a, double *b);
void hl_runs_set_span (HlRuns *self, double a, double b);
void hl_runs_clear_span (HlRuns *self);

/* --- runs that are kept, with the document each was made from --- */

#define HL_RUNS_MOST 32
/* One run keeps no more rows than this, and no more memory: of a longer one every so many rows. */
#define HL_RUN_MOST_ROWS 10000000
#define HL_RUN_MOST_BYTES ((gsize)1024 * 1024 * 1024)
#define HL_RUNS_MOST_BYTES ((gsize)256 * 1024 * 1024)

/* Returns the HlRun, oldest first, borrowed. Beyond the limits above the oldest ones that are neither pinned
 * nor shown go. */
GPtrArray *hl_runs_kept (HlRuns *self);
gsize hl_runs_bytes (HlRuns *self);
gsize hl_runs_limit (HlRuns *self);
void hl_runs_set_limit (HlRuns *self, gsize bytes);
/* Returns a message about the runs that were removed for the last run, or that none could be removed; NULL: there was
 room. Borrowed. */
const char *hl_runs_news (HlRuns *self);
void hl_runs_show (HlRuns *self, HlRun *run);
void hl_runs_remove (HlRuns *self, HlRun *run);
/* Keeps a run that was made elsewhere under that name, laid under the one that is shown; borrowed. References to document
 * and results are taken. */
HlRun *hl_runs_keep_other (HlRuns *self, const HlDocument *document, HlResults *results, const char *name);
/* Puts a removed run back where it was made. */
void hl_runs_restore (HlRuns *self, HlRun *run);
/* Plots that are made against the run follow its name. */
void hl_runs_rename (HlRuns *self, HlRun *run, const char *name);
void hl_runs_set_pinned (HlRuns *self, HlRun *run, gboolean pinned);
/* Returns the run pinned last that is not the one shown; NULL = none. */
HlRun *hl_runs_pinned (HlRuns *self);
/* Returns the run before the one shown: the last kept one that is over, not pinned and older; NULL = none. Borrowed. */
HlRun *hl_runs_before (HlRuns *self);
/* Returns the kept run of that name, the last one of several; NULL = none. */
HlRun *hl_runs_find (HlRuns *self, const char *title);
/* Pins the visible run; FALSE removes all pins. */
void hl_runs_pin_shown (HlRuns *self, gboolean pin);
/* Runs the model with the other two hydraulic models, one after the other, and pins both runs. */
void hl_runs_compare_models (HlRuns *self);

/* --- what plots show --- */

/* Returns everything that a plot of the present model can show: HlTraceEntry, probes first. Owned by the
 * caller. */
GPtrArray *hl_runs_trace_entries (HlRuns *self);
/* Sets the panels of the model; one undo step. */
void hl_runs_set_panels (HlRuns *self, GPtrArray *panels, const char *step);
