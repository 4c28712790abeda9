/* SPDX-License-Identifier: MIT */
/* Some branches of the root locus of a large machine, and the eigenvalues near a place that it is made of: of machines
 * and matrices whose eigenvalues are known in closed form. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/linear/hl-near-eigenvalues.h"
#include "core/linear/hl-root-locus.h"
#include "tests/support/hl-test-arms.h"
#include "tests/support/hl-test.h"

#define MOST 160
#define N_VALUES 13
#define INERTIA 0.5
#define WITHIN 6.0
/* Of an eigenvalue: LAPACK's iteration for 300 states leaves 1e-12 of the largest, which is 3e4 times as large as those
 * looked at; measured is 2e-13 to 6e-11. */
#define ACCURATE 1e-9

/* Arms of natural frequencies omega[n]; their dampings all follow the same value, a damping ratio, times factor[n]. */
typedef struct
{
  int n;
  double omega[MOST], ratio[MOST]; /* ratio: of the damping to the value of the sweep */
  double inertia[MOST], damping[MOST], stiffness[MOST], factors[MOST], values[N_VALUES];
  HlParameter parameters[MOST];
  HlTestModel model;
  HlLocusOptions options;
} Arms;

static void
arms_start (Arms *arms, double from, double to)
{
  for (int k = 0; k < arms->n; k++) {
    arms->inertia[k] = INERTIA;
    arms->stiffness[k] = INERTIA * arms->omega[k] * arms->omega[k];
    arms->factors[k] = 2.0 * arms->ratio[k] * INERTIA * arms->omega[k];
    arms->damping[k] = from * arms->factors[k];
  }
  arms->model = hl_test_arms (arms->n, arms->inertia, arms->damping, arms->stiffness);
  for (int k = 0; k < arms->n; k++) {
    g_autofree char *path = g_strdup_printf ("s%d.damping", k);
    g_assert_true (hl_system_find_parameter (arms->model.sys, path, &arms->parameters[k]));
  }
  hl_sweep_values (from, to, N_VALUES, false, arms->values);
  arms->options = (HlLocusOptions){.parameters = arms->parameters,
                                   .n_parameters = arms->n,
                                   .factors = arms->factors,
                                   .values = arms->values,
                                   .n_values = N_VALUES,
                                   .within = WITHIN,
                                   .start = HL_START_FROM_MODEL};
}

/* Of arm k at a value of the sweep; `sign` of the root. */
static double complex
exact (const Arms *arms, int k, double value, int sign)
{
  double zeta = arms->ratio[k] * value;

  return arms->omega[k] * (-zeta + sign * csqrt (zeta * zeta - 1.0));
}

static double complex
at (const HlLocus *locus, int row, int branch)
{
  return locus->re[row * locus->n_states + branch] + I * locus->im[row * locus->n_states + branch];
}

/* Each branch is one root of one arm at every value, and no other branch is that one. */
static void
assert_exact (const Arms *arms, const HlLocus *locus)
{
  g_autofree bool *used = g_new0 (bool, 2 * arms->n);

  g_assert_cmpint (locus->n_values, ==, N_VALUES);
  for (int branch = 0; branch < locus->n_states; branch++) {
    double least = INFINITY;
    int best = 0;
    for (int root = 0; root < 2 * arms->n; root++) {
      double worst = 0.0;
      for (int row = 0; row < N_VALUES && worst < least; row++) {
        double complex value = exact (arms, root / 2, locus->values[row], root % 2 == 0 ? 1 : -1);
        worst = fmax (worst, cabs (at (locus, row, branch) - value) / cabs (value));
      }
      if (!used[root] && worst < least) {
        least = worst;
        best = root;
      }
    }
    g_assert_cmpfloat (least, <=, ACCURATE);
    used[best] = true;
  }
  /* and none that comes near is missing */
  for (int root = 0; root < 2 * arms->n; root++) {
    double nearest = INFINITY;
    for (int row = 0; row < N_VALUES; row++)
      nearest =
          fmin (nearest, cabs (exact (arms, root / 2, locus->values[row], root % 2 == 0 ? 1 : -1)));
    g_assert_cmpint (used[root], ==, nearest <= WITHIN);
  }
}

static HlLocus *
trace (Arms *arms)
{
  HlFault fault = {.time = NAN, .entity = -1};
  HlLocus *locus = hl_root_locus (arms->model.sys, &arms->options, &fault);

  g_assert_nonnull (locus);
  return locus;
}

/* 104 arms up to 2.3e5 rad/s, ten of which are slow enough. */
static void
spread_arms (Arms *arms)
{
  memset (arms, 0, sizeof *arms);
  arms->n = 104;
  for (int k = 0; k < arms->n; k++) {
    arms->omega[k] = 2.0 * pow (1.12, k);
    arms->ratio[k] = 1.0 + 0.3 * sin (k);
  }
}

static void
test_closed_form (void)
{
  Arms arms;

  spread_arms (&arms);
  arms_start (&arms, 0.1, 0.6);
  HlLocus *locus = trace (&arms);
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_NEAR);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  arms.options.thorough = true;
  locus = trace (&arms);
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_ALL);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  hl_test_model_clear (&arms.model);
}

/* One arm's pair falls apart outside, and the slower one of the two comes in. */
static void
test_comes_in (void)
{
  Arms arms;

  spread_arms (&arms);
  arms.omega[13] = 10.0;
  arms.ratio[13] = 4.0;
  arms_start (&arms, 0.1, 0.6);
  HlLocus *locus = trace (&arms);
  g_assert_cmpint (locus->way, ==, HL_LOCUS_BY_NEAR);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  hl_test_model_clear (&arms.model);
}

/* Equal machines have equal eigenvalues, of which the method may leave some out: what there is then is right all the
 * same. */
static void
test_copies (void)
{
  Arms arms;

  memset (&arms, 0, sizeof arms);
  arms.n = 102;
  for (int k = 0; k < arms.n; k++) {
    arms.omega[k] = 4.0 * pow (5.0, k % 6);
    arms.ratio[k] = 1.0;
  }
  arms_start (&arms, 0.1, 0.6);
  HlLocus *locus = trace (&arms);
  g_test_message ("found by way %d", locus->way);
  assert_exact (&arms, locus);
  hl_locus_free (locus);
  hl_test_model_clear (&arms.model);
}

/* H D H, with a reflection H = 1 - 2 v v^T, has the eigenvalues of D and no zero entry: D of 2 x 2 blocks (-k, w; -w, -k)
 * and of -k alone. */
static void
test_full_matrix (void)
{
  enum
  {
    N = 121
  };
  g_autofree double *D = g_new0 (double, N *N), *J = g_new0 (double, N *N), *v = g_new (double, N),
                    *scale = g_new (double, N), *left = g_new0 (double, N),
                    *right = g_new0 (double, N);
  double re[32], im[32], size = 0.0, both = 0.0;
  int n_found;

  for (int k = 0; k < N; k++) {
    D[k * N + k] = -1.0 - k / 2;
    scale[k] = k % 3 == 0 ? 1e5 : 1.0;
    v[k] = 1.0 + 0.3 * sin (k);
    size += v[k] * v[k];
  }
  for (int k = 0; k + 1 < N; k += 2) {
    D[(k + 1) * N + k] = 2.0;
    D[k * N + k + 1] = -2.0;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      left[j] += v[i] * D[j * N + i];
      right[i] += D[j * N + i] * v[j];
      both += v[i] * D[j * N + i] * v[j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      J[j * N + i] = (D[j * N + i] - 2.0 * (v[i] * left[j] + right[i] * v[j]) / size +
                      4.0 * both * v[i] * v[j] / (size * size)) *
                     scale[i] / scale[j];
  HlNearEigenvalues *near = hl_near_eigenvalues_new (N, scale);
  g_assert_cmpint (hl_near_eigenvalues_eval (near, J, -10.2, 20, re, im, &n_found), ==, HL_OK);
  g_assert_cmpint (n_found, ==, 20);
  /* distances from -10.2: hypot (k - 10.2, 2) of the pairs -k +- 2 i: the ten nearest are 6 to 15 */
  for (int k = 6; k <= 15; k++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double nearest = INFINITY;
      for (int found = 0; found < n_found; found++)
        nearest = fmin (nearest, hypot (re[found] + k, im[found] - 2.0 * sign));
      g_assert_cmpfloat (nearest, <=, 1e-9);
    }
  hl_near_eigenvalues_free (near);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/near-locus/full-matrix", test_full_matrix);
  g_test_add_func ("/near-locus/branches-in-closed-form", test_closed_form);
  g_test_add_func ("/near-locus/one-that-comes-in", test_comes_in);
  g_test_add_func ("/near-locus/equal-machines", test_copies);
  return g_test_run ();
}
