/* SPDX-License-Identifier: MIT */
/* One instance of the compiled system: its numbers, its state, and which results are up to date. */
#pragma once

/* This function returns whether all allocations succeeded. */
#undef calloc

#include "core/run/hl-sim-run.h"
#include "core/solve/hl-integrator-private.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-lumped-event-functions.h"
#include "core/system/hl-observable-values.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

/* As HlFmuRole of the program. */
enum {
  ROLE_TIME,
  ROLE_STATE,
  ROLE_DERIVATIVE,
  ROLE_INPUT,
  ROLE_PARAMETER,
  ROLE_OUTPUT,
  ROLE_LOCAL,
  ROLE_INDICATOR,
  ROLE_CALCULATED
};

/* One variable of the table, in the order of the references. */
typedef struct {
  uint32_t reference;
  int role, index;
  const char *name;
  HlObservable of;       /* output, local */
  bool relative;         /* output: less its value at the start */
  HlParameter parameter; /* input, parameter, calculated */
  int input;             /* input: column of B */
  bool tunable;
  double least, most; /* parameter: what its law takes */
} HlSlot;

/* Newton's matrix of a large machine. */
typedef struct HlShifted HlShifted;

typedef struct {
  HlArena arena; /* of itself */
  HlSystem *sys;
  HlWork *work;
  int n, n_z;      /* states, event indicators */
  double t, start; /* time; where it began */
  double *x, *dx;  /* n */
  double *A, *B;   /* n x n; n x n_inputs of the topology */
  double *column;  /* of a derivative: scratch, 1 a slot */
  /* scratch of a tangent: 2 n, n_coordinates twice, n_signals, n_component_states, 4 n_rows */
  double *motion;
  double *z;          /* n_z */
  int *sides;         /* n_z: on which side of an edge the machine is */
  double *base;       /* n_slots: value at the start, of relative outputs */
  double *values;     /* n_slots: of inputs and parameters */
  HlPoint *point;     /* scratch of a change of the partition; NULL with a form, which has its own */
  double next_corner; /* or gate */
  double *trial_x;    /* n: in Model Exchange, the point with its pressures above 0; else NULL */
  double *guard_x, *guard_rates; /* n: in Co-Simulation, the state where guards are examined, its rates */
  double *guard_raw;             /* n_guarded_blocks: raw values there */
  int n_guards, n_guarded_blocks;
  /* results valid at t, x: rates, constraint forces, A and B */
  bool has_rates, has_forces, has_matrices;
  char *accepted; /* islands at the last accepted point: Newton starts there, whatever was evaluated since */
  size_t accepted_size;
  HlFault fault;
  HlIntegrator *ode;  /* Co-Simulation, else NULL; with modes of its own made when one begins */
  bool integrates;    /* there is or will be one */
  HlShifted *shifted; /* of this one; NULL: it is dense */
  double rtol;
  bool is_changed; /* since the integrator's last step, by the importer */
  void *owner;     /* callback for events; may be NULL */

  /* an oil whose equations are a formulation of a run, of Co-Simulation alone; else NULL */
  const HlSimForm *form;
  HlSimRun run;
  HlSimOptions options;
  bool is_set;      /* a number, since the formulation began */
  bool runs;        /* initialized: it does not begin anew */
  bool has_entered; /* its mode is chosen, */
  double mode_end;  /* until here */
  bool has_started; /* with modes of its own: in its first one */
} HlModel;

/* Sees every number that the future depends on, in one order: to measure, to save, to restore. */
typedef struct {
  char *at;    /* NULL: only measures */
  size_t size; /* so far */
  bool restores;
} HlVisit;

/* Passes one piece of memory. */
static void hl_visit (HlVisit *visit, void *memory, size_t size);
/* Fills up what was passed since `begin` to `room` bytes, so that a state has one size whatever is in use. */
static void hl_visit_room (HlVisit *visit, size_t begin, size_t room);
/* Passes all of the instance. */
static void hl_model_visit (HlModel *m, HlVisit *visit);
/* Passes its integrator. */
static void hl_model_visit_ode (HlModel *m, HlVisit *visit);

/* Functions for the sparse matrices of large islands (hl-runtime-large-islands.c), empty for small ones: the
 * maximum size in a saved state; the data from which an evaluation starts, after the partition of the island;
 * other data on which later results depend; data that is needed in some states only. */
static size_t hl_model_room_of_sparse (const HlIslandWork *iw);
static void hl_model_visit_sparse (const HlIsland *island, HlIslandWork *iw, HlVisit *visit);
static void hl_model_visit_looks (HlModel *m, HlVisit *visit);
static void hl_model_take_early_sparse (HlIslandWork *iw);
/* Returns the Newton's matrix, for the present partition; NULL: a dense one is as good. */
static const HlOdeShifted *hl_model_make_shifted (HlModel *m);
static void hl_model_free_shifted (HlModel *m);
/* Adapts the shifted system to a changed partition. */
static void hl_model_fit_shifted (HlModel *m);
static void hl_model_visit_shifted (HlModel *m, HlVisit *visit);

/* Recreates the integrator with the size of the present mode. */
static bool hl_model_has_modes (const HlModel *m);
static void hl_model_make_integrator (HlModel *m);
static void hl_model_fit_integrator (HlModel *m);
/* Returns whether its states can be saved and restored. */
static bool hl_model_has_states (void);
/* Returns whether there is memory for one more instance. */
static bool hl_model_has_room (void);
/* Takes what is needed only at positions near a change point of the linkage, and for joint forces that are not
 * determined. */
static void hl_model_take_early (HlModel *m);
/* Returns a model at the start values of the tables, with memory from the pool, or NULL if it cannot start. A
 * model that was created and freed before leaves enough memory in the pool for the next one. */
static HlModel *hl_model_new (HlPool *pool, bool has_integrator);
/* Frees a model; NULL is allowed. */
static void hl_model_free (HlModel *m);
/* Marks the computed results as outdated. */
static void hl_model_touch (HlModel *m);
/* Makes the present point the one that Newton starts from. */
static HlStatus hl_model_accept (HlModel *m);
/* Restores the islands of the linkage at the accepted point; the next function stores them. */
static void hl_model_go_back (HlModel *m);
static void hl_model_save (HlModel *m);
static HlStatus hl_model_eval (HlModel *m);
static HlStatus hl_model_rates (HlModel *m, double t, const double y[], double y_dot[]);
static HlStatus hl_model_matrices (HlModel *m);
static HlStatus hl_model_get (HlModel *m, int slot, double *value);
static void hl_model_set (HlModel *m, int slot, double value);
/* Stores the present values of relative outputs as those of the start. */
static HlStatus hl_model_take_base (HlModel *m);
static HlStatus hl_model_indicators (HlModel *m, double z[]);
/* Enters the pieces of the signals from t on. */
static void hl_model_enter (HlModel *m, double t);
/* Finds the next corner behind t for the present segments. */
static void hl_model_find_corner (HlModel *m, double t);
/* Handles whatever event is due at the present point. */
static HlStatus hl_model_event (HlModel *m, bool *values_changed, bool *nominals_changed);
static void hl_model_nominals (const HlModel *m, double nominals[]);
/* Computes into m->column the derivatives of n slots by one known, a state, an input, the time or a
 * parameter; those of indicators, and by parameters, are differences. */
static HlStatus hl_model_column (HlModel *m, int known, const int unknowns[], size_t n);
/* Tells the owner of an event here: whose (NULL: the machine's), and what it is. */
static void hl_model_log (const HlModel *m, const char *who, const char *what);
/* Begins a formulation at the start values of the tables, with the present parameters. */
static HlStatus hl_form_begin (HlModel *m);
static void hl_form_end (HlModel *m);
/* Prepares an evaluation: starts anew if a parameter was set before the run, and chooses the mode. */
static HlStatus hl_form_make_ready (HlModel *m);
/* Returns the index of a slot, -1 = none. */
static int hl_model_find (uint32_t reference);
