/* SPDX-License-Identifier: MIT */
/* Signals over time: constants, tables, sines, sums, and the blocks of hl-signal-block.h. The segment of a
 * table is part of the integrator's state: it is fixed by hl_signal_enter () at each restart, so
 * that no right-hand side ever sees both sides of a corner.
 *
 * A signal that listens depends on the state of the machine, or has a state of its own: what is
 * here leaves it alone, hl-feedback-signals.h evaluates it.
 *
 * Of n signals there are segments[n], values[n] (SI) and rates[n]. */
#pragma once

#include <stdbool.h>

#include "core/system/hl-signal-block.h"

typedef enum {
  HL_SIGNAL_CONSTANT, /* a number; also the lever, which is moved from outside */
  HL_SIGNAL_TABLE,
  HL_SIGNAL_SINE,
  HL_SIGNAL_SUM,
  HL_SIGNAL_BLOCK,
  HL_SIGNAL_RAMP /* a piece of a lever's way while it is driven: value + slope (t - from) */
} HlSignalKind;

typedef struct {
  HlSignalKind kind;
  double value;       /* constant; ramp: at `from` */
  double slope, from; /* ramp [1/s], [s]; slope of a smooth table behind its last point [1/s] */
  int n;              /* table: points */
  const double *t;    /* table: n, rising; two equal times make a jump [s] */
  const double *y;    /* table: n */
  bool hold;          /* table: hold the value between points */
  const double *way;  /* table: n slopes at the points of one that is smooth; NULL: it is not [1/s] */
  bool is_cycloid;    /* smooth table: cycloids between the points instead of cubics */
  double amplitude, frequency_hz, phase, offset;
  int n_of;                  /* sum; block: 0 or 1 */
  const int *of;             /* n_of: signals before it */
  const double *weights;     /* sum: n_of, NULL: all 1 */
  const HlBlockClass *klass; /* block */
  HlBlock block;
  int measure;                  /* block: into the measured outputs; -1 = none */
  int first_state, n_states;    /* block: among the component states */
  double size[HL_BLOCK_STATES]; /* typical, of its states */
  bool listens;
  bool is_input; /* an element's own signal, not a term of a sum */
  /* added to value, rate and acceleration, for slopes beside where it stands; 0 in every machine that runs. The rates
   * count where it drives a joint */
  double nudge[3];
} HlSignal;

/* Fixes the segment of every table for times from t on (right limit at a corner). segments has one
 * entry a signal. */
void hl_signal_enter (const HlSignal signals[], int n, double t, int segments[]);

/* Computes the values of all open-loop signals at t, tables continued along their present segment. Terms of a
 * signal come before the signal. */
void hl_signal_eval (const HlSignal signals[], int n, const int segments[], double t, double values[]);

/* Returns the factor of a term of a sum. */
double hl_signal_weight (const HlSignal *signal, int term);

/* Computes time derivatives within the present segments, for models without states of signals: neither bends
 * nor signals with feedback. */
void hl_signal_rate (const HlSignal signals[], int n, const int segments[], double t, double rates[]);

/* Computes value, rate and acceleration of a signal that may drive a joint: a constant, a sine, a smooth
 * table, or sums and gains of these. segments as hl_signal_enter () leaves them; NULL: those at t. */
void hl_signal_jet (const HlSignal signals[], const int segments[], int signal, double t, double jet[3]);

/* Computes the changes of composed open-loop signals from the changes of their terms: changes[n] holds the
 * terms and receives the others. values as of hl_signal_eval (); at a corner the mean of both slopes. */
void hl_signal_spread (const HlSignal signals[], int n, const double values[], double changes[]);

/* Computes slopes at the n points t[n], y[n] of a smooth table, 0 at both ends (theory/integration.md (13),
 * (14)); into way[n]. */
void hl_signal_find_way (int n, const double t[], const double y[], double way[]);

/* Laws of a motion from one value to another: theory/integration.md (21) to (23). */
typedef enum { HL_MOTION_CYCLOID, HL_MOTION_TRAPEZOID, HL_MOTION_SPEED } HlMotionLaw;

typedef struct {
  HlMotionLaw law;
  double from, to;          /* values at both ends */
  double start, duration;   /* [s] */
  double acceleration_time; /* of the trapezoid at each end, of the constant speed at its begin [s] */
} HlSignalMotion;

#define HL_MOTION_POINTS 4

/* Fills a table with the points of a motion: t, y and way have HL_MOTION_POINTS places, which the table borrows.
 * Without an acceleration time a trapezoid is a ramp, a table without slopes. */
void hl_signal_set_motion (HlSignal *table, const HlSignalMotion *motion, double t[], double y[],
                           double way[]);

/* Returns the first corner behind t; INFINITY = none. */
double hl_signal_next_corner (const HlSignal signals[], int n, double t);

/* Returns the shortest period of the sines among the signals [s]; 0: there is none. */
double hl_signal_find_shortest_period (const HlSignal signals[], int n);

/* Corners in (from, to] [s], rising and without repeats; returns how many there are, of which at
 * most max are stored in out[max]. */
int hl_signal_find_corners (const HlSignal signals[], int n, double from, double to, double out[], int max);

/* Returns the first time in (from, to) at which a signal passes `level`, along the present segments;
 * INFINITY if it does not. No crossing is stepped over, however short the signal stays beyond the level; a
 * level that is only touched is not passed. */
double hl_signal_find_crossing (const HlSignal signals[], const int segments[], int signal, double level,
                                double from, double to);
