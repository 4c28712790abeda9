/* SPDX-License-Identifier: MIT */
/* hl-sim-run.h inside an FMU: as much of a run as the formulations of the quasistatic oil ask of it. The
 * contracts are those of the program's header. */
#pragma once

#include "core/system/hl-error-scale.h"
#include "core/system/hl-system-private.h"

typedef struct HlSimRun HlSimRun;

typedef enum
{
  HL_START_EQUILIBRIUM,
  HL_START_AS_GIVEN,
  HL_START_FROM_MODEL
} HlStart;

typedef struct
{
  HlStart start;
  const HlPoint *from; /* NULL: from the model's start */
} HlSimOptions;

typedef struct HlSimForm
{
  HlStatus (*arrange) (HlSimRun *run, const HlPoint *point, HlFault *fault);
  int (*n_states) (const HlSimRun *run);
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
  HlStatus (*enter) (HlSimRun *run, double t, const double y[], double *t_stop, HlFault *fault);
  int (*n_events) (const HlSimRun *run);
  HlStatus (*events) (HlSimRun *run, double t, const double y[], double g[], HlFault *fault);
  int looks;
  void (*observe) (HlSimRun *run, double t, const double y[]);
  HlStatus (*watch) (HlSimRun *run, double t, const double y[], bool jumped);
  void (*powers) (HlSimRun *run, double t, const double y[], double powers[3]);
  /* Steps of its own, to `until`, instead of the integrator; NULL: it has none. `model`: HlModel. */
  HlStatus (*run_until) (HlSimRun *run, double until, void *model);
} HlSimForm;

struct HlSimRun
{
  const HlSystem *sys;
  const HlSimOptions *options;
  void *own;
  HlWork *work;
  HlPoint *point; /* where it begins, and where its partition changes */
  int n;
  double *y, *y_dot, *y_row; /* n: its state; scratch; the state that is shown between two steps */
  HlFault fault;
  double start;    /* with steps of its own: where they are counted from [s] */
  long step;       /* so many of them lie behind */
  bool is_kept;    /* what the present one starts from is taken */
  bool is_worn;    /* the partition was, there */
  bool is_between; /* y_row counts */
};

/* Nobody keeps a ledger of pockets here. */
static inline void
hl_sim_watch_lines (HlSimRun *run, double t, bool jumped)
{
  (void)run;
  (void)t;
  (void)jumped;
}
