/* SPDX-License-Identifier: MIT */
/* Mechanisms that share no joint: each moves as it would alone, with the sparse Newton matrix as
 * with the dense one. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-copies.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define N_COPIES 6 /* 36 states: beyond HL_SPARSE_STATES */

typedef struct {
  int n, width;
  double values[512 * N_COPIES];
} Rows;

static bool keep (double t, const double values[], void *data) {
  Rows *rows = data;

  (void)t;
  memcpy (rows->values + rows->n * rows->width, values, (size_t)rows->width * sizeof (double));
  rows->n++;
  return true;
}

static void run (HlTestModel *model, const char *const paths[], int n, HlMethod method, Rows *rows) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable outputs[N_COPIES];

  for (int k = 0; k < n; k++)
    g_assert_true (hl_observable_find (model->sys, paths[k], &outputs[k]));
  *rows = (Rows){.width = n};
  options.t_end = 2.0;
  options.every = 0.01;
  options.rtol = 1e-9;
  options.method = method;
  options.start = HL_START_AS_GIVEN;
  options.outputs = outputs;
  options.n_outputs = n;
  options.row = keep;
  options.row_data = rows;
  g_assert_cmpint (hl_simulate (model->sys, &options, NULL, NULL), ==, HL_OK);
}

static void test_copies_move_alike (void) {
  static const char *const paths[] = {"link2_0.angle", "link2_1.angle", "link2_2.angle",
                                      "link2_3.angle", "link2_4.angle", "link2_5.angle"};
  static const char *const alone[] = {"link2_0.angle"};
  static const HlMethod methods[] = {HL_METHOD_BDF, HL_METHOD_RADAU};

  for (int m = 0; m < 2; m++) {
    HlTestModel many = hl_test_model_from_document (hl_test_copies ("four-bar.hydrolink", N_COPIES));
    HlTestModel one = hl_test_model_from_document (hl_test_copies ("four-bar.hydrolink", 1));
    g_autofree Rows *all = g_new0 (Rows, 1);
    g_autofree Rows *single = g_new0 (Rows, 1);
    double peak = 0.0;

    run (&many, paths, N_COPIES, methods[m], all);
    run (&one, alone, 1, methods[m], single);
    g_assert_cmpint (all->n, ==, single->n);
    for (int row = 0; row < single->n; row++)
      peak = fmax (peak, fabs (single->values[row] - single->values[0]));
    for (int row = 0; row < single->n; row++)
      for (int k = 0; k < N_COPIES; k++)
        hl_assert_near (all->values[row * N_COPIES + k], single->values[row], 0.0, 1e-6 * peak);
    hl_test_model_clear (&many);
    hl_test_model_clear (&one);
  }
}

static void test_pattern_holds_all_entries (void) {
  static const char *const files[] = {"four-bar.hydrolink", "articulated-vehicle-tyre-throttle.hydrolink",
                                      "articulated-vehicle-rigid.hydrolink", "metering-arm.hydrolink"};

  for (gsize f = 0; f < G_N_ELEMENTS (files); f++) {
    HlTestModel model = hl_test_model_load (files[f]);
    hl_test_model_start (&model, HL_START_AS_GIVEN);
    int n = hl_work_n_states (model.work);
    g_autofree double *y = g_new0 (double, n);
    g_autofree double *J = g_new0 (double, n *n);
    HlPattern *pattern = hl_pattern_new (model.sys, model.work);
    int outside = 0;

    hl_state_pack (model.sys, model.work, model.point, y);
    for (int k = 0; k < n; k++) /* off the equilibrium, so that entries do not vanish by chance */
      y[k] *= 1.0 + 1e-3 * (k + 1);
    g_assert_cmpint (hl_jacobian_eval (model.sys, 0.0, y, J, model.work, NULL), ==, HL_OK);
    for (int column = 0; column < n; column++)
      for (int row = 0; row < n; row++) {
        gboolean listed = FALSE;
        for (int k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++)
          listed = listed || pattern->row_index[k] == row;
        outside += !listed && J[column * n + row] != 0.0;
      }
    g_assert_cmpint (outside, ==, 0);
    hl_pattern_free (pattern);
    hl_test_model_clear (&model);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/independent-islands/copies-move-as-one-alone", test_copies_move_alike);
  g_test_add_func ("/independent-islands/sparse-pattern-holds-all-entries", test_pattern_holds_all_entries);
  return g_test_run ();
}
