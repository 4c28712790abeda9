/* SPDX-License-Identifier: MIT */
/* Example mechanisms against closed-form kinematics, symmetry and the stabilized formulation. */
#include <math.h>
#include <string.h>

#include "core/run/hl-simulate.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#define MOST 8

typedef struct {
  GArray *rows;
  int width;
} Rows;

static bool keep (double t, const double values[], void *data) {
  Rows *rows = data;

  g_array_append_val (rows->rows, t);
  g_array_append_vals (rows->rows, values, (guint)rows->width - 1);
  return true;
}

static Rows run (HlTestModel *model, const char *const paths[], HlFormulation formulation,
                 HlSimStats *stats) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable outputs[MOST];
  Rows rows = {.rows = g_array_new (FALSE, FALSE, sizeof (double))};
  int n = 0;

  for (; paths[n] != NULL; n++)
    g_assert_true (hl_observable_find (model->sys, paths[n], &outputs[n]));
  rows.width = n + 1;
  options.outputs = outputs;
  options.n_outputs = n;
  options.row = keep;
  options.row_data = &rows;
  options.formulation = formulation;
  options.method = HL_METHOD_RADAU;
  g_assert_cmpint (hl_simulate (model->sys, &options, stats, NULL), ==, HL_OK);
  return rows;
}

static int n_rows (const Rows *rows) {
  return (int)rows->rows->len / rows->width;
}

/* Row k: t, then the outputs. */
static const double *row_at (const Rows *rows, int k) {
  return &g_array_index (rows->rows, double, k * rows->width);
}

/* x = r cos + sqrt (L^2 - r^2 sin^2) over full turns. */
static void test_slider_crank (void) {
  static const char *const paths[] = {"crank.angle", "slider.x", "slider.y", "slider.angle", NULL};
  HlTestModel model = hl_test_model_load ("slider-crank.hydrolink");
  HlSimStats stats;
  Rows rows = run (&model, paths, HL_FORMULATION_REDUCED, &stats);
  double turned = 0.0;

  for (int k = 0; k < n_rows (&rows); k++) {
    const double *v = row_at (&rows, k);
    double sine = 0.15 * sin (v[1]);
    hl_assert_near (v[2], 0.15 * cos (v[1]) + sqrt (0.25 - sine * sine), 0.0, 1e-13);
    hl_assert_near (v[3], 0.0, 0.0, 1e-13);
    hl_assert_near (v[4], 0.0, 0.0, 1e-13);
    turned = fmax (turned, v[1]);
  }
  g_test_message ("%.1f turns, %ld restarts", turned / (2.0 * G_PI), stats.restarts);
  g_assert_cmpfloat (turned, >, 3.0 * 2.0 * G_PI);
  g_array_unref (rows.rows);
  hl_test_model_clear (&model);
}

/* The slot points at the pin; the stabilized form in all coordinates agrees over full turns of the
 * crank. */
static void test_inverted_slider_crank (void) {
  static const char *const paths[] = {"crank.angle", "rocker.angle", "slot.travel", NULL};
  HlTestModel model = hl_test_model_load ("inverted-slider-crank.hydrolink");
  Rows rows = run (&model, paths, HL_FORMULATION_REDUCED, NULL);
  Rows other = run (&model, paths, HL_FORMULATION_BAUMGARTE, NULL);

  g_assert_cmpint (n_rows (&rows), ==, n_rows (&other));
  for (int k = 0; k < n_rows (&rows); k++) {
    const double *v = row_at (&rows, k), *w = row_at (&other, k);
    double dx = 0.2 * cos (v[1]) - 0.6, dy = 0.2 * sin (v[1]);
    hl_assert_near (remainder (v[2] - atan2 (dy, dx), 2.0 * G_PI), 0.0, 0.0, 1e-12);
    hl_assert_near (v[3], hypot (dx, dy), 0.0, 1e-12);
    /* the stabilized run carries its own error: rtol 1e-9 and 3 turns */
    hl_assert_near (w[1], v[1], 0.0, 1e-6);
    hl_assert_near (w[2], v[2], 0.0, 1e-6);
  }
  g_assert_cmpfloat (row_at (&rows, n_rows (&rows) - 1)[1], >, 2.0 * 2.0 * G_PI);
  g_array_unref (rows.rows);
  g_array_unref (other.rows);
  hl_test_model_clear (&model);
}

/* The guided point keeps x = (R^2 - l^2)/(2 q). */
static void test_peaucellier (void) {
  static const char *const paths[] = {"PA.P.x", "PA.P.y", "crank.angle", NULL};
  HlTestModel model = hl_test_model_load ("peaucellier.hydrolink");
  Rows rows = run (&model, paths, HL_FORMULATION_REDUCED, NULL);
  double low = INFINITY, high = -INFINITY;

  g_assert_cmpint (model.sys->f, ==, 1);
  for (int k = 0; k < n_rows (&rows); k++) {
    const double *v = row_at (&rows, k);
    hl_assert_near (v[1], (0.5 * 0.5 - 0.2 * 0.2) / (2.0 * 0.2), 0.0, 1e-12);
    low = fmin (low, v[2]);
    high = fmax (high, v[2]);
  }
  g_test_message ("the point moves by %.3f m along its line", high - low);
  g_assert_cmpfloat (high - low, >, 0.02);
  g_array_unref (rows.rows);
  hl_test_model_clear (&model);
}

/* The platform stays level at L sin; the redundant mast changes nothing. */
static void test_scissor_lift (void) {
  static const char *const paths[] = {"rising.angle", "platform.y", "platform.angle", "A.pressure", NULL};
  HlTestModel model = hl_test_model_load ("scissor-lift.hydrolink");
  g_autoptr (GError) error = NULL;
  const HlValue *root = hl_document_root (model.doc);
  const HlValue *joints = hl_value_member (root, "joints");
  HlDocument *free_doc = hl_document_new (hl_value_with_member (
      (HlValue *)root, "joints", hl_value_without_item ((HlValue *)joints, hl_value_length (joints) - 1)));
  HlTestModel without = hl_test_model_from_document (free_doc);
  Rows rows = run (&model, paths, HL_FORMULATION_REDUCED, NULL);
  Rows other = run (&without, paths, HL_FORMULATION_REDUCED, NULL);

  g_assert_cmpint (model.sys->f, ==, 1);
  g_assert_cmpint (without.sys->mech.n_rows, ==, model.sys->mech.n_rows - 1);
  for (int k = 0; k < n_rows (&rows); k++) {
    const double *v = row_at (&rows, k), *w = row_at (&other, k);
    hl_assert_near (v[2], 2.0 * sin (v[1]), 0.0, 1e-13);
    hl_assert_near (v[3], 0.0, 0.0, 1e-13);
    hl_assert_near (w[1], v[1], 0.0, 1e-9);
    hl_assert_near (w[4], v[4], 1e-6, 0.0);
  }
  g_array_unref (rows.rows);
  g_array_unref (other.rows);
  hl_test_model_clear (&model);
  hl_test_model_clear (&without);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mechanisms/slider-crank/closed-form-over-full-turns", test_slider_crank);
  g_test_add_func ("/mechanisms/inverted-slider-crank/closed-form-and-stabilized-form",
                   test_inverted_slider_crank);
  g_test_add_func ("/mechanisms/peaucellier/exact-straight-line", test_peaucellier);
  g_test_add_func ("/mechanisms/scissor-lift/level-and-redundant-guide-harmless", test_scissor_lift);
  return g_test_run ();
}
