/* SPDX-License-Identifier: MIT */
/* Complex arithmetic is written out in real and imaginary parts: the C operators must care for
 * infinities and are slow. */
#include <complex.h>
#include <math.h>
#include <string.h>

#define NUMBER double complex

static inline double
size_of (double complex a)
{
  return fabs (creal (a)) + fabs (cimag (a));
}

/* CMPLX () of C11, which not every compiler has. */
static inline double complex
complex_of (double re, double im)
{
  double parts[] = {re, im};
  double complex z;

  memcpy (&z, parts, sizeof z);
  return z;
}

static inline double complex
product (double complex a, double complex b)
{
  return complex_of (creal (a) * creal (b) - cimag (a) * cimag (b),
                     creal (a) * cimag (b) + cimag (a) * creal (b));
}

static inline double complex
inverse_of (double complex a)
{
  double less = 1.0 / size_of (a), re = less * creal (a), im = less * cimag (a);
  double of_square = less / (re * re + im * im);

  return complex_of (re * of_square, -im * of_square);
}

#include "core/math/hl-sparse-arithmetic.h"

const HlSparseArithmetic hl_sparse_complex = {hl_sparse_choose, hl_sparse_renew, hl_sparse_solve,
                                              hl_sparse_solve_transposed};
