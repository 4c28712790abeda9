/* SPDX-License-Identifier: MIT */
/* The linear model of a machine about a point, with the requested outputs (theory/linearization.md (33),
 * (35), theory/observables.md (1)):
 *
 *   z' = A z + B w
 *   y  = y0 + C z + D w
 *
 * with z = states minus the point's, w = inputs minus the point's. States are those of
 * hl_linearize (); A, B, C, D are exact. An energy has NAN in its rows of C and D, and so has the
 * force of a joint that a linkage has too many of. */
#pragma once

#include "core/linear/hl-linearize.h"
#include "core/system/hl-observable.h"

/* Columns of B and D for the rate and the acceleration of an input (hl-input-response.h). */
typedef struct {
  int first, n; /* n: 0, 1 or 2 */
} HlInputRates;

typedef struct {
  HlArena arena; /* of itself and its arrays; empty: owned elsewhere */
  int n, n_inputs, n_outputs;
  int n_signals;         /* of the inputs; behind them stand the pressures of pumps, [Pa], and of the hybrid
                    oil rates of flows */
  double *A, *B, *C, *D; /* column-major: n x n, n x n_inputs, n_outputs x n, n_outputs x n_inputs */
  HlInputRates *rates;   /* n_inputs: columns of its rates; NULL: no input has any */
  double *scale;         /* n: natural sizes of the states */
  double *row_error;     /* n: what the largest entry of each row of A is off by, scaled states */
  double *x0, *u0, *y0;  /* the point: n states, n_inputs, n_outputs */
} HlLinearModel;

/* Returns the number of inputs of the model of a system and their paths, "dcv.command", "pump.pressure";
 * owned by the caller (g_free). */
int hl_linear_model_n_inputs (const HlSystem *sys);
/* Returns the pressure source that an input belongs to; -1: a signal. */
int hl_linear_model_input_source (const HlSystem *sys, int input);
/* Returns whether it is one of the pressures. */
bool hl_linear_model_is_pressure (const HlSystem *sys, int input);
/* Computes their columns of B[n_states x n_inputs], after those of the signals; after hl_jacobian_eval () at
 * the same state. */
void hl_linear_model_disturbances (const HlSystem *sys, HlWork *work, double B[]);
char *hl_linear_model_input_name (const HlSystem *sys, int input);

/* Returns one of that size with zeros everywhere, n_signals and rates, too. Owned by the caller. */
HlLinearModel *hl_linear_model_alloc (int n, int n_inputs, int n_outputs);

/* Chooses the partition by the rule of the file format. Owned by the caller; NULL and a fault when
 * it cannot. */
HlLinearModel *hl_linear_model_new (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                    const HlObservable outputs[], int n_outputs, HlFault *fault);
void hl_linear_model_free (HlLinearModel *model);
