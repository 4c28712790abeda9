/* SPDX-License-Identifier: MIT */
/* The two linear systems of a Radau step, (r - J) x = b and (c - J) z = d with a real and a complex
 * shift: dense, or sparse when the problem brings a sparse Jacobian and is large. */
#pragma once

#include <complex.h>

#include "core/analysis/hl-integrator-private.h"

typedef struct HlRadauLinear HlRadauLinear;

HlRadauLinear *hl_radau_linear_new (HlIntegrator *integrator);
void hl_radau_linear_free (HlRadauLinear *linear);

HlStatus hl_radau_linear_eval_jacobian (HlRadauLinear *linear, double t, const double z[]);
HlStatus
hl_radau_linear_factor (HlRadauLinear *linear, double real_shift, double complex complex_shift);
/* In place. */
void hl_radau_linear_solve_real (HlRadauLinear *linear, double x[]);
void hl_radau_linear_solve_complex (HlRadauLinear *linear, double complex x[]);
