/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-golden-comparison.h"

#include <math.h>

#include "core/linear/hl-linearize.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"

#define MOST_STATES 16
#define NULL_SIZE 1e-9 /* golden null eigenvalues are smaller */

void hl_test_golden_start (json_t *machine, HlTestModel *model, const HlTestNearness *near) {
  int n = (int)json_array_size (json_object_get (machine, "states"));
  double y[MOST_STATES], rate[MOST_STATES], want[MOST_STATES], start[MOST_STATES];
  double J[MOST_STATES * MOST_STATES], want_J[MOST_STATES * MOST_STATES];

  g_assert_cmpint (n, <=, MOST_STATES);
  g_assert_cmpint (model->work->n_states, ==, n);
  hl_state_pack (model->sys, model->work, model->point, y);
  hl_test_json_numbers (machine, "start", start, n);
  hl_test_json_numbers (machine, "rates", want, n);
  hl_test_json_numbers (machine, "J", want_J, n * n);
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.0, y, J, model->work, NULL), ==, HL_OK);
  g_assert_cmpint (hl_dynamics_eval (model->sys, 0.0, y, rate, model->work, NULL), ==, HL_OK);
  for (int row = 0; row < n; row++) {
    double largest = 0.0;
    hl_assert_near (y[row], start[row], 1e-12, 1e-15);
    for (int column = 0; column < n; column++)
      largest = fmax (largest, fabs (want_J[n * row + column]));
    hl_assert_near (rate[row], want[row], near->rate, near->rate_rounding * largest);
    for (int column = 0; column < n; column++)
      hl_assert_near (J[n * column + row], want_J[n * row + column], near->J, near->J_rounding * largest);
  }
}

/* Returns the nearest eigenvalue that no other golden value has taken; -1: none is left. */
static int nearest_of (const HlLinearization *lin, const bool used[], double re, double im,
                       double *distance) {
  int found = -1;

  *distance = INFINITY;
  for (int at = 0; at < lin->n; at++) {
    double far = hypot (lin->eigenvalues[at].re - re, lin->eigenvalues[at].im - im);
    if (used[at] || far >= *distance)
      continue;
    *distance = far;
    found = at;
  }
  return found;
}

void hl_test_golden_eigenvalues (json_t *machine, HlTestModel *model, double rounding, bool counts_nulls) {
  json_t *list = json_object_get (machine, "eigenvalues");
  HlLinearizeOptions options = hl_linearize_options_default ();
  HlLinearization *lin = hl_linearize (model->sys, model->work, model->point, &options, NULL);
  double largest = 0.0;
  bool used[MOST_STATES] = {false};
  int n_null = 0;

  g_assert_nonnull (lin);
  g_assert_cmpint (lin->n, <=, MOST_STATES);
  for (int k = 0; k < lin->n; k++)
    largest = fmax (largest, hypot (lin->eigenvalues[k].re, lin->eigenvalues[k].im));
  for (gsize k = 0; k < json_array_size (list); k++) {
    json_t *want = json_array_get (list, k);
    double re = hl_test_json_number (want, "re"), im = hl_test_json_number (want, "im"), off;
    int at;

    if (counts_nulls && hypot (re, im) < NULL_SIZE) {
      n_null++;
      continue;
    }
    at = nearest_of (lin, used, re, im, &off);
    g_assert_cmpint (at, >=, 0);
    used[at] = true;
    g_test_message ("%g %+g i: off by %.2g", re, im, off);
    hl_assert_near (off, 0.0, 0.0, 1e-9 * hypot (re, im) + rounding * largest);
  }
  if (counts_nulls)
    g_assert_cmpint (lin->n_null, ==, n_null);
  hl_linearization_free (lin);
}
