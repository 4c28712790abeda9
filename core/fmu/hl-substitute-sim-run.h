/* SPDX-License-Identifier: MIT */
/* hl-sim-run.h inside an FMU: the part of a run that the formulations of the quasistatic and the hybrid oil use. The
 * contracts are those of the program's header. */
#pragma once

#include "core/solve/hl-integrator.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

typedef struct HlSimRun HlSimRun;

typedef enum { HL_START_EQUILIBRIUM, HL_START_AS_GIVEN, HL_START_FROM_MODEL } HlStart;

typedef struct {
  HlStart start;
  const HlPoint *from; /* NULL: from the model's start */
  double rtol, max_steps;
} HlSimOptions;

typedef struct HlSimForm {
  HlStatus (*arrange) (HlSimRun *run, const HlPoint *point, HlFault *fault);
  int (*n_states) (const HlSimRun *run);
  int (*n_places) (const HlSimRun *run);
  void (*pack) (const HlSimRun *run, const HlPoint *point, double y[]);
  HlStatus (*unpack) (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault);
  void (*scales) (const HlSimRun *run, double scale[]);
  HlStatus (*rhs) (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault);
  HlStatus (*jacobian) (HlSimRun *run, double t, const double y[], double J[], HlFault *fault);
  bool (*is_worn) (const HlSimRun *run);
  void (*owner) (const HlSimRun *run, int state, HlEntityKind *kind, int *entity);
  bool rests_in_place;
  HlStatus (*begin) (HlSimRun *run, HlPoint *point, HlFault *fault);
  void (*end) (HlSimRun *run);
  HlStatus (*enter) (HlSimRun *run, double t, double y[], double *t_stop, HlFault *fault);
  int (*n_events) (const HlSimRun *run);
  HlStatus (*events) (HlSimRun *run, double t, const double y[], double g[], HlFault *fault);
  int looks;
  void (*observe) (HlSimRun *run, double t, const double y[]);
  void (*save_stand) (HlSimRun *run);
  void (*restore_stand) (HlSimRun *run);
  HlStatus (*watch) (HlSimRun *run, double t, const double y[], bool jumped);
  void (*powers) (HlSimRun *run, double t, const double y[], double powers[3]);
  /* Steps of its own, to `until` or the first event, instead of the integrator; NULL: it has none.
   * `model`: HlModel, as below. */
  HlStatus (*run_until) (HlSimRun *run, double until, bool stops_at_event, bool *met_event, void *model);
  /* Functions of formulations with modes of their own: enter the first mode, at t; the mode after the
   * importer has set a number; the mode after the due events. */
  HlStatus (*start) (HlSimRun *run, double t, void *model);
  HlStatus (*command) (HlSimRun *run, void *model);
  HlStatus (*event) (HlSimRun *run, void *model, bool *any);
  /* Functions that save or restore FMU states, by HlVisit: the data that affect the future; NULL: there are
   * none. And the start of an evaluation, or NULL. */
  void (*visit) (HlSimRun *run, void *visit);
  void (*visit_search) (HlSimRun *run, void *visit);
} HlSimForm;

struct HlSimRun {
  const HlSystem *sys;
  const HlSimOptions *options;
  void *own;
  HlWork *work;
  HlPoint *point; /* where it begins, and where its partition changes */
  int n;
  double *y, *y_dot, *y_row; /* n: its state; scratch; the state that is shown between two steps */
  HlFault fault;
  HlIntegrator *integrator; /* of the instance, with modes of its own */
  double energies[3];       /* not kept here */
  double start;             /* with steps of its own: where they are counted from [s] */
  long step;                /* so many of them lie behind */
  bool is_kept;             /* the start of the present one is stored */
  bool is_worn;             /* the partition was, there */
  bool is_between;          /* y_row counts */
  /* with modes of its own: event functions that have just fallen, and are not answered yet */
  int *hits;
  bool has_hits;
  const int *directions; /* of its events; NULL: both */
  double longest;        /* step of the integrator [s]; 0: any */
};

/* Does nothing: an FMU has no observer between the steps. */
static inline HlStatus hl_sim_look (HlSimRun *run, double t, const double y[], HlObserved what) {
  (void)run;
  (void)t;
  (void)y;
  (void)what;
  return HL_OK;
}
static inline void hl_sim_look_back (HlSimRun *run) {
  (void)run;
}

/* Does nothing: an FMU writes no rows, and the instance counts the steps. */
static inline HlStatus hl_sim_rows_before (HlSimRun *run, double begin, double t, double t_stop) {
  (void)run;
  (void)begin;
  (void)t;
  (void)t_stop;
  return HL_OK;
}
static inline HlStatus hl_sim_count_step (HlSimRun *run) {
  (void)run;
  return HL_OK;
}

/* Does nothing: an FMU keeps no log of vapour pockets. */
static inline void hl_sim_watch_lines (HlSimRun *run, double t, bool jumped) {
  (void)run;
  (void)t;
  (void)jumped;
}
