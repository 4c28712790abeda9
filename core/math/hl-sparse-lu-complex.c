/* SPDX-License-Identifier: MIT */
/* Complex numbers as pairs of their parts: the C operators must care for infinities and are slow, and not every
 * compiler of C99 has them (core/fmu). */
#include <math.h>

typedef struct {
  double re, im;
} Pair;

#define NUMBER Pair

static inline Pair pair_of (double re, double im) {
  Pair a = {re, im};

  return a;
}

static inline Pair zero_number (void) {
  return pair_of (0.0, 0.0);
}

static inline double size_of (Pair a) {
  return fabs (a.re) + fabs (a.im);
}

static inline Pair scaled (Pair a, double x) {
  return pair_of (a.re * x, a.im * x);
}

static inline Pair difference (Pair a, Pair b) {
  return pair_of (a.re - b.re, a.im - b.im);
}

static inline Pair product (Pair a, Pair b) {
  return pair_of (a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

static inline Pair inverse_of (Pair a) {
  double less = 1.0 / size_of (a), re = less * a.re, im = less * a.im;
  double of_square = less / (re * re + im * im);

  return pair_of (re * of_square, -im * of_square);
}

#include "core/math/hl-sparse-lu-template.h"

const HlSparseArithmetic hl_sparse_complex = {hl_sparse_choose, hl_sparse_renew, hl_sparse_solve,
                                              hl_sparse_solve_transposed};
