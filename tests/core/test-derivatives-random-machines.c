/* SPDX-License-Identifier: MIT */
/* The exact Jacobian of whole random machines in motion against fourth-order central differences of
 * the right-hand side in the reduced state: every partition, every coupling of elements. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-test-random-machine.h"

#define N_MACHINES 150
#define LIMIT 1.0e-7

/* Nonzero entries compared, and those that the differences have to LIMIT. */
typedef struct {
  long entries, sharp;
} Count;

/* Sizes of states of one kind: 0 positions, 1 velocities, 2 pressures, 3 spools and pipe flows. */
static int kind_of (const HlWork *work, int state) {
  if (state >= hl_off_u (work))
    return 3;
  if (state >= hl_off_p (work))
    return 2;
  return state >= hl_off_v (work) && state < hl_off_ad (work) ? 1 : 0;
}

static double state_scale (const HlTestModel *model, int state) {
  if (kind_of (model->work, state) == 2)
    return 1e5;
  if (kind_of (model->work, state) < 3)
    return 1.0;
  const HlStateWord *word = hl_state_word (model->sys, state - hl_off_u (model->work));
  return word->quantity == HL_QUANTITY_FLOW ? 1e-4 : 1.0;
}

/* df/dy_column with step h. False when the machine cannot be evaluated so far away. The partition
 * is chosen anew, so that nothing remains of an earlier step that ended on another branch. */
static bool difference (HlTestModel *model, HlPartitionRule rule, const double y[], int column, double h,
                        double out[]) {
  static const double weight[] = {1.0, -8.0, 8.0, -1.0}, offset[] = {-2.0, -1.0, 1.0, 2.0};
  int n = model->work->n_states;
  g_autofree double *moved = g_memdup2 (y, (gsize)n * sizeof (double));
  g_autofree double *f = g_new0 (double, n);

  memset (out, 0, (size_t)n * sizeof (double));
  hl_partition_choose (model->sys, model->work, model->point->x, rule, NULL, 0, NULL);
  for (int k = 0; k < 4; k++) {
    moved[column] = y[column] + offset[k] * h;
    if (hl_dynamics_eval (model->sys, 0.0, moved, f, model->work, NULL) != HL_OK)
      return false;
    for (int row = 0; row < n; row++)
      out[row] += weight[k] * f[row] / (12.0 * h);
  }
  return true;
}

/* Size of a rate, every state moved by its own size. */
static double row_size (HlTestModel *model, const double J[], int row) {
  int n = model->work->n_states;
  double largest = 0.0;

  for (int c = 0; c < n; c++)
    largest = fmax (largest, fabs (J[c * n + row]) * state_scale (model, c));
  return largest;
}

/* Differences of a column: the best value of three neighbouring steps, and their spread. Friction needs small steps,
 * pressures large ones, and a step may cross a kink. */
static void best_differences (HlTestModel *model, HlPartitionRule rule, const double y[], int column,
                              const double size[], double value[], double doubt[]) {
  static const double steps[] = {1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6};
  int n = model->work->n_states;
  g_autofree double *d = g_new0 (double, n), *last = g_new0 (double, n), *change = g_new0 (double, n);
  int n_before = 0;

  for (int row = 0; row < n; row++)
    doubt[row] = INFINITY;
  for (gsize k = 0; k < G_N_ELEMENTS (steps); k++) {
    double h = steps[k] * state_scale (model, column);
    if (!difference (model, rule, y, column, h, d))
      continue;
    for (int row = 0; row < n; row++) {
      double now = fabs (d[row] - last[row]);
      double open = fmax (now, change[row]) + 8.0 * DBL_EPSILON * size[row] / h;
      if (n_before > 1 && open < doubt[row]) {
        doubt[row] = open;
        value[row] = last[row];
      }
      change[row] = now;
      last[row] = d[row];
    }
    n_before++;
  }
}

/* Largest error of J's entries over their limit: LIMIT of the largest entry of the column among
 * rows of the same kind, and what the differences themselves leave open. */
static double column_error (HlTestModel *model, HlPartitionRule rule, const double y[], const double J[],
                            int column, const double size[], Count *count) {
  int n = model->work->n_states;
  double largest[4] = {0.0}, worst = 0.0;
  g_autofree double *value = g_new0 (double, n), *doubt = g_new0 (double, n);

  for (int row = 0; row < n; row++) {
    int kind = kind_of (model->work, row);
    largest[kind] = fmax (largest[kind], fabs (J[column * n + row]));
  }
  best_differences (model, rule, y, column, size, value, doubt);
  for (int row = 0; row < n; row++) {
    double limit = LIMIT * largest[kind_of (model->work, row)];
    double error = fabs (value[row] - J[column * n + row]);
    double open = 20.0 * doubt[row] + 1e-12 * size[row] / state_scale (model, column);
    count->entries += J[column * n + row] != 0.0;
    count->sharp += J[column * n + row] != 0.0 && doubt[row] <= limit;
    if (error > limit + open)
      g_test_message ("row %d (kind %d), column %d (kind %d) of %d: J %.10g, differences %.10g +- %.1g", row,
                      kind_of (model->work, row), column, kind_of (model->work, column), n,
                      J[column * n + row], value[row], doubt[row]);
    if (error > 0.0)
      worst = fmax (worst, error / (limit + open + DBL_MIN));
  }
  return worst;
}

/* The preference may select a coordinate that hardly moves; steps of it then move all others too far. */
static bool is_well_conditioned (const HlTestModel *model) {
  for (int k = 0; k < model->work->n_islands; k++)
    if (hl_island_spread (&model->sys->mech.islands[k], model->work->islands[k]) > 30.0)
      return false;
  return true;
}

static bool check_machine (HlTestModel *model, HlPartitionRule rule, Count *count) {
  int n;
  double worst = 0.0;

  hl_test_model_start (model, HL_START_AS_GIVEN);
  g_assert_cmpint (hl_partition_choose (model->sys, model->work, model->point->x, rule, NULL, 0, NULL), ==,
                   HL_OK);
  if (!is_well_conditioned (model))
    return false;
  n = model->work->n_states;
  g_autofree double *y = g_new0 (double, n), *J = g_new0 (double, n *n), *size = g_new0 (double, n);
  hl_state_pack (model->sys, model->work, model->point, y);
  g_assert_cmpint (hl_jacobian_eval (model->sys, 0.0, y, J, model->work, NULL), ==, HL_OK);
  for (int row = 0; row < n; row++)
    size[row] = row_size (model, J, row);
  for (int column = 0; column < n; column++) {
    double error = column_error (model, rule, y, J, column, size, count);
    worst = fmax (worst, error);
  }
  g_assert_cmpfloat (worst, <=, hl_test_tolerance_scale ());
  return true;
}

/* Much air at low pressures is softer than the oil; a little at high ones is hardly there. */
static void add_air (json_t *machine) {
  json_object_set_new (json_object_get (machine, "fluid"), "air_fraction",
                       json_real (hl_test_log_uniform (1e-3, 0.5)));
}

static void check_machines (HlPartitionRule rule, bool has_air) {
  int n_machines = has_air ? N_MACHINES / 2 : N_MACHINES, n_checked = 0;
  Count count = {0};

  for (int k = 0; k < n_machines; k++) {
    json_t *machine = hl_test_machine_new (HL_TEST_MACHINE_MOVING);
    if (has_air)
      add_air (machine);
    HlTestModel model = hl_test_machine_compile (machine);

    n_checked += check_machine (&model, rule, &count);
    hl_test_model_clear (&model);
    json_decref (machine);
  }
  g_assert_cmpint (n_checked, >, n_machines / 2);
  g_test_message ("%d machines, %ld nonzero entries, %ld of them known to %g of their column", n_checked,
                  count.entries, count.sharp, LIMIT);
  g_assert_cmpint (10 * count.sharp, >, 9 * count.entries); /* the differences decide */
}

static void test_machines (gconstpointer data) {
  check_machines ((HlPartitionRule)GPOINTER_TO_INT (data), false);
}

static void test_air (void) {
  check_machines (HL_PARTITION_PIVOT, true);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/derivatives-random-machines/partition-by-pivoting",
                        GINT_TO_POINTER (HL_PARTITION_PIVOT), test_machines);
  g_test_add_data_func ("/derivatives-random-machines/partition-by-wishes",
                        GINT_TO_POINTER (HL_PARTITION_PREFERRED), test_machines);
  g_test_add_func ("/derivatives-random-machines/with-air-in-the-oil", test_air);
  return g_test_run ();
}
