/* SPDX-License-Identifier: MIT */
#include <math.h>

#define NUMBER double

static inline double zero_number (void) {
  return 0.0;
}

static inline double size_of (double a) {
  return fabs (a);
}

static inline double scaled (double a, double x) {
  return a * x;
}

static inline double difference (double a, double b) {
  return a - b;
}

static inline double product (double a, double b) {
  return a * b;
}

static inline double inverse_of (double a) {
  return 1.0 / a;
}

#include "core/math/hl-sparse-lu-template.h"

const HlSparseArithmetic hl_sparse_real = {hl_sparse_choose, hl_sparse_renew, hl_sparse_solve,
                                           hl_sparse_solve_transposed};
