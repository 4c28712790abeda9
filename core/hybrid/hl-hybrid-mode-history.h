/* SPDX-License-Identifier: MIT */
/* HlModeHistory: what a run of the hybrid oil model went through: the ledger of its events and the
 * graph of its modes. Filled by one thread during the run, then immutable and shared. */
#pragma once

#include "core/hybrid/hl-hybrid-mode-state.h"
#include "core/run/hl-simulate.h"

#include <glib.h>

/* One line of the ledger. */
typedef struct {
  double t;
  HlSimEventKind kind;
  char *id; /* element or line */
  gboolean upper;
  gboolean follows;
  double impulse; /* Pa s, for stops N s; NAN: none */
} HlLedgerEntry;

/* A mode that the run was in, in the order of first visits. */
typedef struct {
  char **closed;          /* ids of what closes a path, NULL-terminated */
  char **stops;           /* "CYL:lower" or "CYL:upper", NULL-terminated */
  int *closed_components; /* n_closed: one a path */
  int n_closed;
  HlHybridStop *touched;
  int n_touched;
  HlPoint *point;  /* where it was first entered: t, x, v, p, u */
  double *flow;    /* one a path: and the flows, n_lines of the network [m3/s] */
  int *shut_edges; /* n_shut_edges: ways without inertia that were closed */
  int n_shut_edges;
  char **soft_ids; /* of the compressible lines, NULL-terminated */
  int *soft;       /* n_soft: the lines */
  int n_soft;
  int n_visits;
  double dwell; /* in all [s] */
} HlVisitedMode;

typedef struct {
  int mode;
  double from, to; /* [s]; to = NAN until it ends */
} HlVisit;

typedef struct {
  int from, to;
  int count;
  double first; /* [s] */
  char *cause;  /* event at the first time, as in the event log */
} HlTransition;

typedef struct _HlModeHistory HlModeHistory;

/* Keeps at most this many entries and visits; the graph counts on. */
#define HL_MODE_HISTORY_MOST 100000

/* Returns an empty history, reference count 1; keeps a reference to the system. */
HlModeHistory *hl_mode_history_new (const HlSystem *sys);
HlModeHistory *hl_mode_history_ref (HlModeHistory *history);
void hl_mode_history_unref (HlModeHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlModeHistory, hl_mode_history_unref)

/* Lets the history record the run that these options start. */
void hl_mode_history_attach (HlModeHistory *history, HlSimOptions *options);
/* Sets the end t of the recorded run. */
void hl_mode_history_end (HlModeHistory *history, double t);

/* Returns the history of a separate hybrid run that ends at t > 0: hl_mode_history_last () is the state
 * there. cancel may be NULL. NULL and a fault when the run ends earlier. */
HlModeHistory *hl_mode_history_until (const HlSystem *sys, double t, bool (*cancel) (void *data),
                                      void *cancel_data, HlFault *fault);

/* Returns the system whose names the entries have; borrowed. */
const HlSystem *hl_mode_history_system (const HlModeHistory *history);
/* Arrays are borrowed: HlLedgerEntry, HlVisitedMode, HlVisit, HlTransition. */
const GArray *hl_mode_history_ledger (const HlModeHistory *history);
const GArray *hl_mode_history_modes (const HlModeHistory *history);
const GArray *hl_mode_history_transitions (const HlModeHistory *history);
/* Returns the mode at a time, -1 = before the first. */
int hl_mode_history_mode_at (const HlModeHistory *history, double t);

/* Return the place where a mode was first entered, and the mode, for hl_hybrid_linearize () and
 * hl_hybrid_mode_report_new (); the memory belongs to the history. */
HlHybridPlace hl_visited_mode_place (const HlVisitedMode *mode);
HlHybridChoice hl_visited_mode_choice (const HlVisitedMode *mode);
/* Returns the state at the end of the run, as a mode of its own; NULL when it did not come there. */
const HlVisitedMode *hl_mode_history_last (const HlModeHistory *history);

/* Returns the text of an entry: "relief opens", "cyl1 hits its upper stop". Owned by the caller. */
char *hl_ledger_entry_text (const HlLedgerEntry *entry);
/* Returns the unit of an entry, "Pa s" or "N s". */
const char *hl_ledger_entry_unit (const HlLedgerEntry *entry);
/* Returns the text of a mode: "relief, check1 shut; cyl1 at its upper stop". Owned by the caller. */
char *hl_visited_mode_text (const HlVisitedMode *mode);
