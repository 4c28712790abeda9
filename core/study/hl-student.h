/* SPDX-License-Identifier: MIT */
/* Student's distribution: intervals of what is estimated with its own noise. */
#pragma once

/* Probability that |T| <= t with n = `freedom` degrees of freedom, n > 0,
 *
 *   1 - I_x (n / 2, 1 / 2),   x = n / (n + t^2)
 *
 * by the continued fraction of the incomplete beta function I (Abramowitz and Stegun 26.5.8, 26.7.1). */
double hl_student_probability (double t, int freedom);
/* The t that |T| does not exceed with this probability, 0 < probability < 1. */
double hl_student_quantile (double probability, int freedom);
