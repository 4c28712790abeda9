/* SPDX-License-Identifier: MIT */
/* HlRun: one simulation as the window knows it: what was asked, how far it got, its results. Only
 * the window's thread touches it. A stopped run keeps its data. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-finding.h"
#include "core/hybrid/hl-mode-history.h"
#include "core/run/hl-run-doubts.h"
#include "core/run/hl-drive.h"
#include "core/run/hl-results.h"
#include "core/run/hl-tape.h"

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
  HlLeverRecord *levers; /* what the hand did in a driven run that is over, else NULL */
  HlTape *tape;          /* likewise, with the numbers that were changed */
  char **lever_paths;    /* of them; NULL-terminated, NULL: not driven */
  HlRunState state;
  HlDocument *document; /* as it was when the run was asked for */
  HlResults *results;
  HlModeHistory *history; /* events and modes of a hybrid run that is over, else NULL */
  HlSimStats stats;
  double t_end;     /* [s]; of a driven run its last row's */
  double every;     /* output step that is kept [s]; 0: not known beforehand */
  double stated;    /* output step that the file asks for, where that is finer; else 0 [s] */
  gint64 asked_us;  /* monotonic time of the request */
  gint64 edited_us; /* of the first change that it answers */
  gint64 done_us;
  gboolean preview;           /* of a drag: coarser, and not kept */
  gboolean coarse;            /* of a drag whose runs are long: fewer rows, and a better one follows */
  gboolean refines;           /* that better one */
  HlSystem *system;           /* that `cavitations` is about, or NULL */
  HlCavitations *cavitations; /* lines whose oil would have to pull; NULL: none yet */
  char *message;              /* NULL unless failed */
  char *entity_id;            /* element the message points at, or NULL */
  HlFindings *failure;        /* the same with the change after which it would run, or NULL; owned */
} HlRun;

HlRun *hl_run_new (const HlDocument *document, HlResults *results, double t_end); /* takes results */
HlRun *hl_run_ref (HlRun *run);
void hl_run_unref (HlRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlRun, hl_run_unref)

gboolean hl_run_is_over (const HlRun *run);
/* "Run 3", or its own name. Owned by the caller. */
char *hl_run_title (const HlRun *run);
/* "1,000,001 rows, 480 MB", and what became of a finer output step; NULL when it needs no mention.
 * Owned by the caller. */
char *hl_run_size_text (const HlRun *run);
/* Value of a column by id at a time, NAN when there is none; run may be NULL. */
double hl_run_value (const HlRun *run, const char *id, double t);
