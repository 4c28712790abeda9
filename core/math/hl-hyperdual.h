/* SPDX-License-Identifier: MIT */
/* Numbers with three nilpotent units e1, e2, e3 (each e_i^2 = 0): they carry exact mixed
 * derivatives. Evaluated at x + e1 a + e2 b + e3 c, a function f gives in one pass
 *   coefficient of e1          Df [a]
 *   coefficient of e1 e2       D^2 f [a, b]
 *   coefficient of e1 e2 e3    D^3 f [a, b, c]
 * to rounding: no step, no truncation. Nothing is truncated silently either: the nilpotent part d
 * of a number has d^4 = 0, so the Taylor series below are complete. */
#pragma once

#include <math.h>

/* Coefficient k belongs to the product of the units whose bits are set in k. */
#define HL_HYPERDUAL_SIZE 8
enum {
  HL_HYPERDUAL_E1 = 1 << 0,
  HL_HYPERDUAL_E2 = 1 << 1,
  HL_HYPERDUAL_E3 = 1 << 2,
  HL_HYPERDUAL_E12 = HL_HYPERDUAL_E1 | HL_HYPERDUAL_E2,
  HL_HYPERDUAL_E13 = HL_HYPERDUAL_E1 | HL_HYPERDUAL_E3,
  HL_HYPERDUAL_E23 = HL_HYPERDUAL_E2 | HL_HYPERDUAL_E3,
  HL_HYPERDUAL_E123 = HL_HYPERDUAL_E1 | HL_HYPERDUAL_E2 | HL_HYPERDUAL_E3
};

typedef struct {
  double c[HL_HYPERDUAL_SIZE];
} HlHyperdual;

/* Returns a constant: no part in e1, e2, e3. */
static inline HlHyperdual hl_hyperdual (double value) {
  return (HlHyperdual){.c = {value}};
}

/* Returns value + e1 a + e2 b + e3 c. */
static inline HlHyperdual hl_hyperdual_seed (double value, double a, double b, double c) {
  HlHyperdual x = hl_hyperdual (value);

  x.c[HL_HYPERDUAL_E1] = a;
  x.c[HL_HYPERDUAL_E2] = b;
  x.c[HL_HYPERDUAL_E3] = c;
  return x;
}

/* Compute sum, difference and multiple of a number, coefficient by coefficient. */
static inline HlHyperdual hl_hyperdual_add (HlHyperdual x, HlHyperdual y) {
  for (int k = 0; k < HL_HYPERDUAL_SIZE; k++)
    x.c[k] += y.c[k];
  return x;
}

/* Returns x - y. */
static inline HlHyperdual hl_hyperdual_sub (HlHyperdual x, HlHyperdual y) {
  for (int k = 0; k < HL_HYPERDUAL_SIZE; k++)
    x.c[k] -= y.c[k];
  return x;
}

/* Returns factor x. */
static inline HlHyperdual hl_hyperdual_scale (double factor, HlHyperdual x) {
  for (int k = 0; k < HL_HYPERDUAL_SIZE; k++)
    x.c[k] *= factor;
  return x;
}

/* Returns the product: the coefficient of a set of units is the sum over its divisions into two parts. */
static inline HlHyperdual hl_hyperdual_mul (HlHyperdual x, HlHyperdual y) {
  HlHyperdual out = {{0.0}};

  for (int set = 0; set < HL_HYPERDUAL_SIZE; set++) {
    int part = set;
    for (;;) {
      out.c[set] += x.c[part] * y.c[set ^ part];
      if (part == 0)
        break;
      part = (part - 1) & set;
    }
  }
  return out;
}

/* Returns f (x) from f and its first three derivatives at the value of x. */
static inline HlHyperdual hl_hyperdual_compose (HlHyperdual x, double f, double df, double ddf, double dddf) {
  HlHyperdual d = x, out;

  d.c[0] = 0.0;
  HlHyperdual d2 = hl_hyperdual_mul (d, d), d3 = hl_hyperdual_mul (d2, d);
  for (int k = 0; k < HL_HYPERDUAL_SIZE; k++)
    out.c[k] = df * d.c[k] + ddf / 2.0 * d2.c[k] + dddf / 6.0 * d3.c[k];
  out.c[0] = f;
  return out;
}

/* Returns sin x, x in radians. */
static inline HlHyperdual hl_hyperdual_sin (HlHyperdual x) {
  double s = sin (x.c[0]), c = cos (x.c[0]);

  return hl_hyperdual_compose (x, s, c, -s, -c);
}

/* Returns cos x, x in radians. */
static inline HlHyperdual hl_hyperdual_cos (HlHyperdual x) {
  double s = sin (x.c[0]), c = cos (x.c[0]);

  return hl_hyperdual_compose (x, c, -s, -c, s);
}
