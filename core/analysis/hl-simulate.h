/* SPDX-License-Identifier: MIT */
/* One run from t0 to t1: sampling, restarts at corners, events, progress, cancel, and the linear
 * response beside it. */
#pragma once

#include "core/analysis/hl-equilibrium.h"
#include "core/analysis/hl-integrator.h"
#include "core/analysis/hl-sim-event.h"
#include "core/system/hl-observable.h"
#include "core/system/hl-system.h"

typedef enum
{
  HL_FORMULATION_REDUCED,
  HL_FORMULATION_BAUMGARTE,
  HL_FORMULATION_RELAXED,
  HL_FORMULATION_DISCRETE
} HlFormulation;

typedef struct
{
  double t_end; /* [s]; INFINITY: until somebody stops it */
  double every; /* output step [s] */
  double rtol;  /* relative to the scale of each state */
  double step;  /* fixed step of the discrete formulation [s] */
  HlModelKind model;
  HlFormulation formulation;
  double beta, gamma; /* decay of constraint errors in the stabilized formulation [1/s] */
  HlMethod method;
  HlStart start;
  const HlPoint *from;         /* start here instead, or NULL */
  const HlObservable *outputs; /* what a row holds */
  int n_outputs;
  bool linear;  /* also the linear response of every output: n_outputs more values a row, NAN before
                   linear_from */
  int n_linear; /* of the first so many outputs alone; 0: of all */
  double linear_from; /* [s]; NAN = the last corner of the signals */
  /* Signals that become known while the run goes on (ramps), or NULL: called at 0 and at every time
   * that it returned, fixes them up to the later time that it returns. *turns: here is a corner;
   * else each goes on as before. NAN stops the run. */
  double (*ahead) (double t, bool *turns, void *data);
  void *ahead_data;
  bool (*cancel) (void *data); /* or NULL; polled at every integration step */
  void *cancel_data;
  /* One row: the value after a jump. Returns false to stop. */
  bool (*row) (double t, const double values[], void *data);
  void *row_data;
  /* Hybrid model, each may be NULL: an event; a mode that begins (the first one included), and
   * the end of the run. */
  void (*event) (const HlSimEvent *event, void *data);
  void (*mode) (const HlSimMode *mode, void *data);
  void *event_data; /* of both */
} HlSimOptions;

typedef struct
{
  long steps;
  long rhs;
  long jacobians;
  long restarts;  /* at corners, events and changes of the partition */
  double seconds; /* wall time of the run */
  double t_reached;
} HlSimStats;

/* Options as the model file states them (simulation.*). */
HlSimOptions hl_sim_options_from_model (const HlSystem *sys);
HlStatus
hl_simulate (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats, HlFault *fault);

/* The times at which the signals have corners, in (0, t_end); returns the count, at most max. */
int hl_signal_corners (const HlSystem *sys, double t_end, double out[], int max);
