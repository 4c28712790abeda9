/* SPDX-License-Identifier: MIT */
/* Least squares of small matrices of full rank by Householder's reflections, in plain loops. */
#pragma once

#include <stdbool.h>

/* The least-squares solution of least norm of A x = b, when the rank of A is beyond doubt.
 *   a          m x n, kept
 *   b          max (m, n): m right-hand sides in, x[n] out; kept unless it succeeds
 *   condition  least reciprocal condition (norm 1) of the triangle
 *   scratch    HL_REFLECTIONS_SCRATCH (max (m, n))
 * False, also of numbers that are not finite, when the condition is not reached. */
#define HL_REFLECTIONS_SCRATCH(k) ((k) * (k) + 3 * (k))
bool hl_reflections_solve (int m, int n, const double a[], double b[], double condition, double scratch[]);
