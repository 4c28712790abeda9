/* SPDX-License-Identifier: MIT */
/* Signals that listen: values, rates of their states, and the exact closed loop.
 *
 *   s    = s (t, m, x, s_inner)        a signal: hl-signal-block.h
 *   m    = m (q, v, p, u)              what is measured: an output that no signal decides
 *   J    = df/dy + (df/ds)(ds/dy)      by the chain rule, column by column
 *
 * u[n_component_states], rates u_dot[n_component_states]: those of signals are among them. A column
 * of J or B is column[n_states]. */
#pragma once

#include "core/system/hl-observable-values.h"
#include "core/system/hl-system-private.h"

/* Measures the machine and evaluates what listens, and the rates of the states of signals, into
 * u_dot. Poses, velocities, pressures, component states and chambers of the work are known, and the
 * signals over time are evaluated. NULL: no rates. */
void hl_feedback_eval (const HlSystem *sys, HlWork *work, double u_dot[]);

/* Computes the start values of the states of signals: after hl_feedback_eval () of the inner blocks, u of the
 * work and of the point are set, outer blocks behind inner ones. The work is as above. */
void hl_feedback_start (const HlSystem *sys, HlWork *work, double u[]);

/* Computes the effect of a change of the machine on feedback signals. dsignal, n_signals, holds the changes
 * of inputs and receives the others; du_dot, n_component_states, receives the rates of the states of signals
 * and is 0 elsewhere. motion->dsignal is not read. Call after hl_jacobian_prepare (). Returns true if a
 * result is nonzero. */
bool hl_feedback_tangent (const HlSystem *sys, HlWork *work, const HlMotion *motion, double dsignal[],
                          double du_dot[]);

/* Adds (df/ds)(ds/dy) to J; after the columns of all states. */
void hl_feedback_add (const HlSystem *sys, HlWork *work, double J[], int ld);

/* Adds to the column the effect of a unit of a signal on the rates, by the loads and laws that the signal
 * commands. */
void hl_jacobian_signal_column (const HlSystem *sys, HlWork *work, int signal, double column[]);

/* Returns whether an output may be measured: it follows from positions, velocities, pressures and states
 * alone. */
bool hl_feedback_can_measure (const HlSystem *sys, HlObservable of);

/* Nodes whose pressure an output that may be measured reads, apart from states of elements, into
 * nodes[HL_MOST_MEASURED]; returns their number. A pressure that is given is none of them. */
#define HL_MOST_MEASURED HL_MOST_PORTS
int hl_feedback_measured_nodes (const HlSystem *sys, HlObservable of, int nodes[]);
/* Returns whether a block follows what it measures at once: without any lag between. */
bool hl_feedback_is_at_once (const HlSignal *signal);

/* Finds the element (*kind, *entity) with the first block that only the lumped model supports: the other
 * models have signals over time, and sums and multiples of them. Returns false when there is none. */
bool hl_feedback_find_block (const HlSystem *sys, HlEntityKind *kind, int *entity);

/* Marks in feels[n_signals] which of the measured signals depend on a state of the reduced form, for patterns
 * of J. */
void hl_feedback_feels (const HlSystem *sys, const HlWork *work, int state, bool feels[]);
