/* SPDX-License-Identifier: MIT */
/* Numbers with three nilpotent units against derivatives written out by hand. */
#include "core/math/hl-hyperdual.h"
#include "tests/support/hl-test.h"

static const double a[2] = {0.7, -1.3}, b[2] = {1.1, 0.4}, c[2] = {-0.6, 0.9};

static HlHyperdual seed (double value, int k) {
  return hl_hyperdual_seed (value, a[k], b[k], c[k]);
}

static HlHyperdual jet_sqrt (HlHyperdual x) {
  double value = x.c[0], root = sqrt (value);

  return hl_hyperdual_compose (x, root, 0.5 / root, -0.25 / (value * root), 0.375 / (value * value * root));
}

/* f (x) = x^5: every mixed derivative is a product of the directions. */
static void test_power (void) {
  for (int trial = 0; trial < 20; trial++) {
    double at = hl_test_uniform (-2.0, 2.0);
    HlHyperdual x = seed (at, 0), y = hl_hyperdual (1.0);

    for (int k = 0; k < 5; k++)
      y = hl_hyperdual_mul (y, x);
    hl_assert_near (y.c[0], pow (at, 5), 1e-14, 0.0);
    hl_assert_near (y.c[HL_HYPERDUAL_E1], 5 * pow (at, 4) * a[0], 1e-14, 0.0);
    hl_assert_near (y.c[HL_HYPERDUAL_E12], 20 * pow (at, 3) * a[0] * b[0], 1e-14, 0.0);
    hl_assert_near (y.c[HL_HYPERDUAL_E123], 60 * pow (at, 2) * a[0] * b[0] * c[0], 1e-14, 0.0);
  }
}

/* One variable through each function: f' a, f'' a b, f''' a b c. */
static void assert_function (HlHyperdual y, double f, double df, double ddf, double dddf) {
  double abc[HL_HYPERDUAL_SIZE] = {0.0,  a[0],        b[0],        a[0] * b[0],
                                   c[0], a[0] * c[0], b[0] * c[0], a[0] * b[0] * c[0]};

  for (int set = 0; set < HL_HYPERDUAL_SIZE; set++) {
    int order = __builtin_popcount ((unsigned)set);
    double want = order == 0 ? f : order == 1 ? df * abc[set] : order == 2 ? ddf * abc[set] : dddf * abc[set];
    hl_assert_near (y.c[set], want, 1e-13, 1e-14);
  }
}

static void test_functions (void) {
  for (int trial = 0; trial < 20; trial++) {
    double x = hl_test_uniform (0.3, 3.0);
    HlHyperdual jet = seed (x, 0);

    assert_function (hl_hyperdual_sin (jet), sin (x), cos (x), -sin (x), -cos (x));
    assert_function (hl_hyperdual_cos (jet), cos (x), -sin (x), -cos (x), sin (x));
  }
}

/* f (x, y) = sqrt (x^2 + y^2): Hessian and third derivative of a distance, in closed form. */
static void test_distance (void) {
  for (int trial = 0; trial < 20; trial++) {
    double x = hl_test_uniform (0.5, 2.0), y = hl_test_uniform (-2.0, 2.0), s = hypot (x, y);
    HlHyperdual jx = seed (x, 0), jy = seed (y, 1);
    HlHyperdual r = jet_sqrt (hl_hyperdual_add (hl_hyperdual_mul (jx, jx), hl_hyperdual_mul (jy, jy)));
    double along[3], across[3];
    const double *const directions[] = {a, b, c};

    for (int k = 0; k < 3; k++) {
      along[k] = (directions[k][0] * x + directions[k][1] * y) / s;
      across[k] = (directions[k][1] * x - directions[k][0] * y) / s;
    }
    hl_assert_near (r.c[0], s, 1e-15, 0.0);
    hl_assert_near (r.c[HL_HYPERDUAL_E2], along[1], 1e-14, 1e-14);
    hl_assert_near (r.c[HL_HYPERDUAL_E13], across[0] * across[2] / s, 1e-13, 1e-14);
    hl_assert_near (r.c[HL_HYPERDUAL_E123],
                    -(along[0] * across[1] * across[2] + along[1] * across[0] * across[2] +
                      along[2] * across[0] * across[1]) /
                        (s * s),
                    1e-13, 1e-13);
  }
}

static void test_algebra (void) {
  HlHyperdual x = seed (1.7, 0), y = seed (-0.8, 1);
  HlHyperdual left = hl_hyperdual_mul (hl_hyperdual_add (x, y), hl_hyperdual_sub (x, y));
  HlHyperdual right = hl_hyperdual_sub (hl_hyperdual_mul (x, x), hl_hyperdual_mul (y, y));
  HlHyperdual one = hl_hyperdual_add (hl_hyperdual_mul (hl_hyperdual_sin (x), hl_hyperdual_sin (x)),
                                      hl_hyperdual_mul (hl_hyperdual_cos (x), hl_hyperdual_cos (x)));

  for (int k = 0; k < HL_HYPERDUAL_SIZE; k++) {
    hl_assert_near (left.c[k], right.c[k], 1e-14, 1e-14);
    hl_assert_near (one.c[k], k == 0 ? 1.0 : 0.0, 0.0, 1e-14);
    hl_assert_near (hl_hyperdual_scale (2.0, x).c[k], hl_hyperdual_add (x, x).c[k], 0.0, 0.0);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hyperdual/power", test_power);
  g_test_add_func ("/hyperdual/functions-of-one-variable", test_functions);
  g_test_add_func ("/hyperdual/distance-to-third-order", test_distance);
  g_test_add_func ("/hyperdual/algebra", test_algebra);
  return g_test_run ();
}
