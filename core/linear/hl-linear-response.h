/* SPDX-License-Identifier: MIT */
/* Responses of a linear model
 *
 *   z' = J z + B u,   y = C z + D u
 *
 * in time by the matrix exponential, exact for inputs that are linear between the requested instants
 * (theory/integration.md (10), (11)), and in frequency (theory/observables.md (14)),
 *
 *   G (i w) = C (i w - J)^-1 B + D */
#pragma once

#include <complex.h>

#include "core/base/hl-status-codes.h"

/* ---- time ---- */

typedef struct HlLinearResponse HlLinearResponse;

/* Copies the model; matrices column-major.
 *   J       n x n
 *   B       n x n_inputs, NULL when there is no input
 *   scales  typical size of each state (1e6 for a pressure in Pa), NULL = 1. Owned by the caller.
 */
HlLinearResponse *hl_linear_response_new (int n, int n_inputs, const double J[], const double B[],
                                          const double scales[]);
void hl_linear_response_free (HlLinearResponse *response);

/* Begins at t with the state z[n] and the input u[n_inputs] there (just after a jump); u may be
 * NULL for zero. */
void hl_linear_response_start (HlLinearResponse *response, double t, const double z[], const double u[]);

/* Goes to t (later or earlier), where the input is u[n_inputs] (just before a jump), and writes
 * z[n]. The exponential is renewed only when the length of the step changes beyond rounding, so a
 * uniform grid costs one product a step. HL_NOT_FINITE when the response overflows. */
HlStatus hl_linear_response_advance (HlLinearResponse *response, double t, const double u[], double z[]);

/* Sets the input to u[n_inputs], a jump at the present time of the response. */
void hl_linear_response_set_input (HlLinearResponse *response, const double u[]);

/* ---- frequency ---- */

typedef struct HlFrequencyResponse HlFrequencyResponse;

/* Copies the model, scales and balances it and reduces it to Hessenberg form, so that a frequency
 * costs n^2 operations an input.
 *   J, B, scales   as above
 *   C              n_outputs x n
 *   D              n_outputs x n_inputs, NULL = 0
 * Owned by the caller. */
HlFrequencyResponse *hl_frequency_response_new (int n, int n_inputs, int n_outputs, const double J[],
                                                const double B[], const double C[], const double D[],
                                                const double scales[]);
void hl_frequency_response_free (HlFrequencyResponse *response);

/* Tells that J has null eigenvalues: near zero, G is then taken from its Laurent series, in which
 * those that the input does not reach, or the output does not see, leave no trace.
 *   least_other  least modulus of the eigenvalues that are not null [1/s], INFINITY = there is none
 */
void hl_frequency_response_set_null (HlFrequencyResponse *response, double least_other);

/* Computes G[n_outputs x n_inputs], column-major, at s = i omega [rad/s] or any other point of the plane.
 * HL_SINGULAR at an eigenvalue that an input reaches; G is then infinite in its column, at a null eigenvalue
 * (if one is set) in the entries that have it. */
HlStatus hl_frequency_response_eval (HlFrequencyResponse *response, double complex s, double complex G[]);
