/* SPDX-License-Identifier: MIT */
/* The two linear systems of a Radau step, (r - J) x = b and (c - J) z = d with a real and a complex
 * shift: dense, or sparse when the problem brings a sparse Jacobian and is large. */
#pragma once

#include "core/solve/hl-integrator-private.h"

typedef struct HlRadauLinear HlRadauLinear;

/* For the order of the integrator's problem, dense or sparse as it asks for. Borrows the
 * integrator; owned by the caller. */
HlRadauLinear *hl_radau_linear_new (HlIntegrator *integrator);
void hl_radau_linear_free (HlRadauLinear *linear);

/* J at t and at the deviation z[n] from the start, kept until the next call. The status is that of
 * the problem. */
HlStatus hl_radau_linear_eval_jacobian (HlRadauLinear *linear, double t, const double z[]);
/* Factors of r - J, the shift r in 1/s, and of c - J, c = re + i im that of one of the pairs; HL_SINGULAR when there are
 * none. */
HlStatus hl_radau_linear_factor (HlRadauLinear *linear, double r);
HlStatus hl_radau_linear_factor_complex (HlRadauLinear *linear, int pair, double re, double im);
/* x[n] in place; of the complex one 2 n, real and imaginary parts side by side. */
void hl_radau_linear_solve_real (HlRadauLinear *linear, double x[]);
void hl_radau_linear_solve_complex (HlRadauLinear *linear, int pair, double x[]);
