/* SPDX-License-Identifier: MIT */
/* Tests of eigenvectors that are stored in arrays of the caller. */
#include "core/math/hl-eigen-analysis.h"
#include "tests/support/hl-test.h"

/* Vectors requested in parts have the same values, and do not change the result. */
static void test_parts (void) {
  enum { ORDER = 4, SQUARE = ORDER * ORDER };
  const double J[SQUARE] = {0, -2, 0.5, 0, 1, -0.3, 0, 0, 0.2, 0, -1, 4, 0, 0.1, -4, -1};
  double squares[5][SQUARE];
  HlEigen *whole = hl_eigen_new (ORDER), *parts = hl_eigen_new (ORDER);

  hl_eigen_set_parts (parts, &(HlEigenParts){squares[0], squares[1], squares[2], squares[3], squares[4]});
  for (int round = 0; round < 2; round++) {
    hl_eigen_eval (whole, ORDER, J, NULL, 0.0, HL_EIGEN_VECTORS);
    hl_eigen_eval (parts, ORDER, J, NULL, 0.0, HL_EIGEN_VECTORS);
    for (int k = 0; k < SQUARE; k++) {
      double complex right = round == 0 ? squares[0][k] + I * squares[1][k] : parts->right[k],
                     left = round == 0 ? squares[2][k] + I * squares[3][k] : parts->left[k];
      g_assert_true (right == whole->right[k] && left == whole->left[k]);
      g_assert_cmpfloat (round == 0 ? squares[4][k] : parts->participation[k], ==, whole->participation[k]);
    }
    g_assert_cmpmem (parts->condition, ORDER * sizeof (double), whole->condition, ORDER * sizeof (double));
    hl_eigen_set_parts (parts, NULL);
  }
  hl_eigen_free (whole);
  hl_eigen_free (parts);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/eigenvector-storage/the-same-numbers", test_parts);
  return g_test_run ();
}
