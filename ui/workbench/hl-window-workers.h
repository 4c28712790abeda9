/* SPDX-License-Identifier: MIT */
/* HlRunner: the window's three workers, one for runs, one for root loci, and one that compiles large models
 * (HlSolver). The newest request of a kind replaces the waiting one. The window's thread reads their results,
 * at most once per frame. HlWorkerShutdown lets the workers of a closed window finish. */
#pragma once

#include "core/document/hl-model-findings.h"
#include "core/linear/hl-imaginary-axis-crossing.h"
#include "core/hybrid/hl-hybrid-mode-history.h"
#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-sensitivity.h"
#include "core/run/hl-simulate.h"
#include "core/run/hl-interactive-run.h"
#include "core/run/hl-run-recorder.h"
#include "ui/workbench/hl-lever-input.h"
#include "ui/workbench/hl-model-worker.h"
#include "ui/workbench/hl-worker-thread.h"

#include <glib.h>

typedef struct _HlRunner HlRunner;

typedef struct {
  HlSystem *system;       /* a reference is taken */
  HlRecording *recording; /* a reference is taken */
  HlResults *results;     /* of it, empty: where the rows go; shown as the posts say */
  const HlPoint *from;    /* copied; NULL = as the options say */
  HlSimOptions options;   /* outputs, row and cancel are filled in by the runner */
  /* A run that is driven by hand, until it is stopped: */
  HlDriveInput *desk; /* NULL: it is not; a reference is taken */
  double tick;        /* [s] */
  const int *inputs;  /* n_levers, copied: of the system */
  int n_levers;
  const HlTape *play; /* copied: driven by that, without a desk and a clock; NULL: it is not */
} HlRunRequest;

typedef struct {
  HlSystem *system; /* a reference is taken */
  const HlParameter *parameters;
  int n_parameters;
  const char *const *paths; /* or, when a number shapes the model: copied; NULL otherwise */
  double from, to;
  int n_values; /* 0: the branches stay, only what depends on the present values is requested */
  gboolean log;
  double within;                         /* see HlLocusOptions; 0: all branches are requested */
  const HlDocument *document;            /* a reference is taken: what the system was compiled of */
  const HlSweepParameter *model_sliders; /* n_knobs, copied: sensitivities to these are requested as well */
  const double *model_slider_values;
  int n_model_sliders;
  HlSystem *const *others; /* n_others, references are taken: whose poles are requested as well */
  int n_others;            /* -1: as they were */
  double mode_time;        /* hybrid: of the mode whose poles are requested; 0: where a run starts [s] */
} HlLocusRequest;

/* An eigenvalue of another parameter set, or, in the hybrid oil model, of the present mode of a run
 * and of the modes next to it; null ones are left out. */
typedef struct {
  double re, im;
  int other;     /* index into the request's; -1: of a mode */
  char mode[64]; /* which one */
} HlOtherPole;

/* Limit of an eigenvalue of the lumped model for stiff oil (hl-hydraulic-model-eigenvalues.h). */
typedef struct {
  double re, im;
  char text[96]; /* in a line */
} HlPoleFate;

/* Post of a run: new rows, and with the last one the result. */
typedef struct {
  HlPost base;
  int n_rows;         /* more of them to show */
  HlResults *instead; /* owned: the rows so far are void, the run begins again with the other method
                         and writes these; else NULL */
  HlStatus status;
  HlSimStats stats;
  HlModeHistory *history;     /* with the last post of a hybrid run, else NULL; owned */
  HlLeverRecord *levers;      /* with the last post of a driven run, else NULL; owned */
  HlTape *tape;               /* likewise */
  HlCavitations *cavitations; /* so far, when there are more than before; owned, else NULL */
  HlSystem *system;           /* that they, and compressible lines, are about; a reference, NULL without */
  char *message;              /* owned; NULL when status is HL_OK or HL_CANCELLED */
  char *entity_id;            /* owned */
  HlFindings *failure;        /* the same as a finding, with the change that would do; owned, else NULL */
} HlRunPost;

#define HL_LOCUS_MOST_CROSSINGS 16

typedef struct {
  HlPost base;
  gboolean has_branches; /* they were requested */
  HlLocus *locus;        /* owned; NULL when it could not be computed or was cancelled */
  HlCrossing crossings[HL_LOCUS_MOST_CROSSINGS];
  int n_crossings;
  HlSensitivity *sensitivity; /* owned; NULL when it could not be computed */
  GArray *others;             /* HlOtherPole, owned; NULL: as they were */
  GArray *fates;              /* HlPoleFate, owned; NULL: likewise */
  double seconds;
} HlLocusPost;

HlRunner *hl_runner_new (void);
/* Cancels what is under way and waits until it stops. */
void hl_runner_free (HlRunner *runner);

/* Returns the request's serial number, as the next function. `interrupt` stops the present run; otherwise it
 * ends first. */
guint hl_runner_simulate (HlRunner *runner, const HlRunRequest *request, gboolean interrupt);
guint hl_runner_trace_locus (HlRunner *runner, const HlLocusRequest *request);
/* Requests a solution, see hl_solver_request. */
guint hl_runner_solve (HlRunner *runner, const HlSolveRequest *request, gboolean interrupt);

void hl_runner_stop (HlRunner *runner); /* the run */
/* Returns the serial of the run that began last; 0: none yet. */
guint hl_runner_begun_run (HlRunner *runner);
void hl_runner_forget_locus (HlRunner *runner);
void hl_runner_forget_solving (HlRunner *runner);
gboolean hl_runner_is_simulating (HlRunner *runner);
gboolean hl_runner_is_busy (HlRunner *runner);

/* Sleeps until the newest run is over, or until then (monotonic time). */
void hl_runner_wait_for_run (HlRunner *runner, gint64 until_us);
/* Receivers of the posts; they may steal the contents of a post by setting them to NULL. */
typedef struct {
  void (*on_run) (HlRunPost *post, gpointer data);
  void (*on_locus) (HlLocusPost *post, gpointer data);
  void (*on_solved) (HlSolvePost *post, gpointer data);
} HlRunnerTakers;

/* Hands every post over, oldest first. */
void hl_runner_drain (HlRunner *runner, const HlRunnerTakers *takers, gpointer data);

/* HlWorkerShutdown: workers of closed windows that are still computing something long and cannot be
 * cancelled before it ends. They finish here, so that closing a window does not wait for them. The
 * application, which holds the last reference, waits for the rest when it ends. For the window's
 * thread only. */

typedef struct _HlWorkerShutdown HlWorkerShutdown;

HlWorkerShutdown *hl_worker_shutdown_new (void);
HlWorkerShutdown *hl_worker_shutdown_ref (HlWorkerShutdown *worker_shutdown);
void hl_worker_shutdown_unref (HlWorkerShutdown *worker_shutdown);

/* Takes the runner, cancels what it does, and frees it as soon as that has stopped. */
void hl_worker_shutdown_take (HlWorkerShutdown *worker_shutdown, HlRunner *runner);
/* Returns whether some worker has not ended yet. */
gboolean hl_worker_shutdown_is_busy (const HlWorkerShutdown *worker_shutdown);
