/* SPDX-License-Identifier: MIT */
/* One run from t0 to t1: sampling, restarts at corners, events, progress, cancel, and the linear
 * response beside it. */
#pragma once

#include "core/run/hl-run-warnings.h"
#include "core/run/hl-sim-hybrid-event.h"
#include "core/solve/hl-equilibrium.h"
#include "core/solve/hl-integrator.h"
#include "core/system/hl-observable.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-system.h"

/* Forward sensitivities of a run: how its outputs change with numbers of the model. Beside the reduced
 * equations y' = f (t, y, p) of the lumped oil
 *
 *   s_k' = J s_k + df/dp_k,   s_k (0) = dy(0)/dp_k
 *
 * are integrated along every step of the run, by the three-stage Radau IIA formula on the run's own dense
 * output with the exact J: for the method Radau that is the derivative of the discrete solution itself with
 * its steps held (H. G. Bock's internal differentiation). J is exact; derivatives by p at a fixed state, of
 * the start, and of the outputs are differences of fourth order between machines with neighbouring numbers.
 *
 * At an instant T where f jumps, s jumps as well (theory/fitting.md (4), (5)),
 *
 *   s_after = s_before + (f_before - f_after) dT/dp
 *
 * with dT/dp from the times of the signal that turns there, or from the edge (hl-lumped-event-functions.h) that the run
 * passes. Where f only bends, the instant is located and the step divided there. Where the derivative does
 * not exist, the event says so. */

#define HL_TANGENT_NODES 4

/* A number p: df/dp = sum_j weights[j] f (systems[j]), where the j-th machine has p + steps[j]. Borrowed;
 * all of the same bodies, lines and states as the one that runs. */
typedef struct {
  const HlSystem *systems[HL_TANGENT_NODES];
  double steps[HL_TANGENT_NODES], weights[HL_TANGENT_NODES];
} HlTangentNumber;

/* Computes weights[HL_TANGENT_NODES] of the derivative at 0 of the polynomial through the places
 * steps[HL_TANGENT_NODES], all different. */
void hl_tangent_weights (const double steps[], double weights[]);

/* Ways in which a run passes a guard's zero (hl-lumped-event-functions.h). After all but the first, the rows have no
 * derivative by `number`. */
typedef enum {
  HL_TANGENT_PASSES,
  HL_TANGENT_TOUCHES, /* so flat that a neighbor does not pass it, or that one does and the run does not */
  HL_TANGENT_TIES,    /* with another one at the same time, and the order of the two hangs on the number */
  HL_TANGENT_STARTS   /* the run starts on the edge: a mean of two slopes is given */
} HlTangentPassage;

typedef struct {
  double t; /* [s] */
  int edge; /* see hl_edges_get () */
  bool rises;
  HlTangentPassage passage;
  int number; /* which derivative does not exist */
} HlTangentEvent;

typedef struct {
  const HlTangentNumber *numbers;
  int n;
  /* Just before the row of the run at t: slopes[n_outputs x n], column-major */
  void (*row) (double t, const double slopes[], void *data);
  /* Called for each edge that the run passes or touches; may be NULL */
  void (*event) (const HlTangentEvent *event, void *data);
  void *data;
} HlTangent;

/* Returns whether runs of this machine have them, as its model chooses oil and formulation. */
bool hl_tangent_is_known (const HlSystem *sys);

typedef struct {
  double t_end; /* [s]; INFINITY: until it is stopped */
  double every; /* output step [s] */
  /* Rows at 0, at these times instead of those of the output step, and at the end: rising, above 0,
   * n_times; NULL: as said. Not of the discrete formulation */
  const double *times;
  int n_times;
  /* Rows inside of a long step may lie on cubics through a few of them, for a look while a number is
   * dragged. Not where energies are requested, which are sums over the steps. */
  bool interpolated;
  double rtol;         /* relative to the scale of each state */
  double step;         /* fixed step of the discrete formulation [s] */
  double longest_step; /* of the integrators of lumped and hybrid oil [s]; 0: that of the oil */
  double max_steps;    /* HL_OUT_OF_STEPS beyond; 0: none. A run that crawls ends by itself */
  HlModelKind model;
  HlFormulation formulation;
  double beta, gamma; /* decay of constraint errors in the stabilized formulation [1/s] */
  HlMethod method;
  HlStart start;
  const HlPoint *from;         /* start here instead, or NULL */
  const HlObservable *outputs; /* quantities of a row */
  int n_outputs;
  bool linear;        /* also the linear response of every output: n_outputs more values a row, NAN before
                   linear_from */
  int n_linear;       /* of the first so many outputs alone; 0: of all */
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
  /* Receives the powers of the parts (hl-power-balance-parts.h), at every row and before it, or NULL: powers [W] now
   * and energies [J] since the start, HL_POWER_ROLES for each part. For the lumped oil only. */
  void (*parts) (double t, const double powers[], const double energies[], void *data);
  void *parts_data;
  /* Called when the integrator fails and the other method may succeed, before the run restarts with that
   * method, and with `why` NULL when BDF's errors would add up, early in a run; if it
   * returns true, all rows so far are void. If it returns false, the rows are kept, and the other method
   * continues from there. NULL: the run fails instead. If set, the other method also takes over when this one
   * stalls or BDF lets an oscillation grow (HlTakeover). Not for runs with `ahead`, nor for forms without an
   * integrator. */
  bool (*again) (HlMethod method, const HlFault *why, void *data);
  void *again_data;
  /* Hybrid model, each may be NULL: an event; a mode that begins (the first one included), and
   * the end of the run. */
  void (*event) (const HlSimEvent *event, void *data);
  void (*mode) (const HlSimMode *mode, void *data);
  void *event_data; /* of both */
  /* Sensitivities beside the rows (HlTangent), of the lumped oil in the reduced form without `from`,
   * `ahead` and `again`; NULL: none. Those of energies are NAN. */
  const HlTangent *tangent;
  /* Receives the lines of this system whose oil would be under tension; may be NULL. */
  HlCavitations *cavitations;
} HlSimOptions;

/* Reasons for which the run changed to the other method. */
typedef enum {
  HL_TAKEOVER_NONE,
  HL_TAKEOVER_SWINGS, /* BDF would let a swing grow */
  HL_TAKEOVER_ERRORS, /* its errors add up over the periods of a swing */
  HL_TAKEOVER_STEPS,  /* its errors add up over many steps */
  HL_TAKEOVER_STALLS, /* its steps stay so short that the end is out of reach */
  HL_TAKEOVER_GAVE_UP /* it gave up, and the rows had to stand */
} HlTakeoverReason;

typedef struct {
  HlTakeoverReason why;
  double t;         /* [s]; 0: the run began again with it */
  HlMethod method;  /* that went on */
  double frequency; /* of the swing [Hz] */
  double
      factor; /* by which BDF alone would multiply its amplitude; of HL_TAKEOVER_ERRORS its error, as a part of that */
} HlTakeover;

/* A wave at an end of a pipe that its segments do not resolve: behind it they overshoot. */
typedef struct {
  int component, port; /* -1: there is none */
  int n_segments;
  double travel; /* through a segment [s] */
  double change; /* of the pressure within that time [Pa] */
  double t;      /* [s] */
} HlSteepWave;

typedef struct {
  long steps;
  long rhs;
  long jacobians;
  long restarts;  /* at corners, events and changes of the partition */
  double seconds; /* wall time of the run, of both tries */
  double t_reached;
  HlMethod method;    /* of the rows */
  bool method_failed; /* the integrator gave up: what no fault of the machine explains */
  bool again;         /* the other method gave up before, at t_gave_up [s] */
  double t_gave_up;
  HlTakeover takeover;                    /* the first one */
  HlSteepWave wave;                       /* of the lumped oil: the largest one */
  HlStartLoss start_loss;                 /* hybrid model */
  HlCompressibleLines compressible_lines; /* likewise */
  int rough_traps; /* likewise: spools that shut where (27a) found no pressure of the oil behind them */
} HlSimStats;

/* Returns the options as the model file states them (simulation.*). */
HlSimOptions hl_sim_options_from_model (const HlSystem *sys);
/* Runs from 0 to options->t_end; rows, events and modes are passed to the callbacks as they occur. HL_OK,
 * also if a callback stopped it; HL_CANCELLED; otherwise the reason why it stopped, with the element and the
 * time in `fault`. The rows until then are valid. stats, fault: may be NULL. */
HlStatus hl_simulate (const HlSystem *sys, const HlSimOptions *options, HlSimStats *stats, HlFault *fault);

/* Returns "Pipe ‘P’: ...": the waves that the segments of a pipe do not resolve, and the remedy; NULL when
 * there is no such wave. Owned by the caller. */
char *hl_steep_wave_text (const HlSystem *sys, const HlSteepWave *wave);

/* Returns the times at which the signals have corners, in (0, t_end), rising, in out[max] [s]; returns
 * their number, at most max. */
int hl_signal_corners (const HlSystem *sys, double t_end, double out[], int max);
