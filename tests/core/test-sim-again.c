/* SPDX-License-Identifier: MIT */
/* A run that BDF gives up is made again with Radau: all its rows, and only its. */
#include <math.h>

#include "tests/support/hl-run.h"

typedef struct
{
  GArray *t, *x;
  int n_again;
  HlMethod method;
  double t_gave_up;
} Rows;

static bool
keep (double t, const double values[], void *data)
{
  Rows *rows = data;

  g_array_append_val (rows->t, t);
  g_array_append_val (rows->x, values[0]);
  return true;
}

static bool
begin_again (HlMethod method, const HlFault *why, void *data)
{
  Rows *rows = data;

  g_assert_cmpint (why->status, ==, HL_TOO_MUCH_WORK);
  rows->n_again++;
  rows->method = method;
  rows->t_gave_up = why->time;
  g_array_set_size (rows->t, 0);
  g_array_set_size (rows->x, 0);
  return true;
}

static HlStatus
run (HlTestModel *model, HlMethod method, gboolean may_again, Rows *rows, HlSimStats *stats)
{
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable out;
  HlFault fault = {.time = NAN, .entity = -1};

  *rows = (Rows){.t = g_array_new (FALSE, FALSE, sizeof (double)),
                 .x = g_array_new (FALSE, FALSE, sizeof (double))};
  g_assert_true (hl_observable_find (model->sys, "crank.angle", &out));
  options.outputs = &out;
  options.n_outputs = 1;
  options.t_end = 0.02;
  options.every = 0.001;
  options.rtol = 1e-13;
  options.method = method;
  options.row = keep;
  options.row_data = rows;
  options.again = may_again ? begin_again : NULL;
  options.again_data = rows;
  return hl_simulate (model->sys, &options, stats, &fault);
}

static void
clear (Rows *rows)
{
  g_array_unref (rows->t);
  g_array_unref (rows->x);
}

static void
test_again (void)
{
  HlTestModel model = hl_test_model_load ("slider-crank.hydrolink");
  HlSimStats stats;
  Rows alone, again, radau;

  g_assert_cmpint (run (&model, HL_METHOD_BDF, FALSE, &alone, &stats), ==, HL_TOO_MUCH_WORK);
  g_assert_false (stats.again);
  g_assert_cmpint (run (&model, HL_METHOD_RADAU, TRUE, &radau, &stats), ==, HL_OK);
  g_assert_false (stats.again);
  g_assert_cmpint (stats.method, ==, HL_METHOD_RADAU);
  g_assert_cmpint (radau.n_again, ==, 0);
  g_assert_cmpint (run (&model, HL_METHOD_BDF, TRUE, &again, &stats), ==, HL_OK);
  g_assert_cmpint (again.n_again, ==, 1);
  g_assert_true (stats.again);
  g_assert_cmpint (stats.method, ==, HL_METHOD_RADAU);
  g_assert_cmpint (again.method, ==, HL_METHOD_RADAU);
  g_assert_cmpfloat (stats.t_gave_up, ==, again.t_gave_up);
  g_assert_true (stats.t_gave_up > 0.0 && stats.t_gave_up < 0.02);
  /* to the bit, from the first row on */
  g_assert_cmpmem (again.t->data, again.t->len * sizeof (double), radau.t->data,
                   radau.t->len * sizeof (double));
  g_assert_cmpmem (again.x->data, again.x->len * sizeof (double), radau.x->data,
                   radau.x->len * sizeof (double));
  g_assert_cmpuint (again.t->len, ==, 21);
  clear (&alone);
  clear (&again);
  clear (&radau);
  hl_test_model_clear (&model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim-again/radau-where-bdf-gives-up", test_again);
  return g_test_run ();
}
