/* SPDX-License-Identifier: MIT */
/* Nominal flows of openings, as in catalogues. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-nominal-flow.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

static const char text[] =
    "{'format': 'hydrolink', 'version': 1, 'name': 'openings', 'fluid': {'density': 850},"
    " 'components': [{'id': 'tank', 'kind': 'tank', 'pressure': 1e5},"
    "  {'id': 'o', 'kind': 'throttle', 'diameter': 0.004, 'dp_lim': 2e5},"
    "  {'id': 'thick', 'kind': 'throttle', 'area': 1e-5, 'Cd': 0.7, 'dp_lim': 20e5},"
    "  {'id': 'valve', 'kind': 'metering-valve', 'area': 3e-5, 'opening': 0.2},"
    "  {'id': 'dcv', 'kind': 'directional-valve', 'Cv': 4e-8},"
    "  {'id': 'cbv', 'kind': 'counterbalance-valve', 'pressure': 2e7, 'pilot_ratio': 3, 'area': "
    "2e-5,"
    "   'opening_range': 2e6, 'check_area': 5e-5},"
    "  {'id': 'fcv', 'kind': 'flow-control-valve', 'flow': 1e-4, 'minimum_drop': 6e5},"
    "  {'id': 'cyl', 'kind': 'cylinder', 'cushion_A': {'length': 0.02, 'area': 2e-5,"
    "   'end_area': 1e-6, 'Cd': 0.7, 'dead_volume': 1e-5}},"
    "  {'id': 'line', 'kind': 'pipe', 'length': 1, 'diameter': 0.01}],"
    " 'lines': [{'id': 'T', 'ports': ['tank.T', 'o.A', 'thick.A', 'valve.A', 'dcv.T', 'line.A']}]}";

static HlDocument *document (void) {
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  g_autoptr (GError) error = NULL;
  HlDocument *doc = hl_document_parse (json, strlen (json), "test", &error);
  g_assert_no_error (error);
  return doc;
}

/* Q = Cd A sqrt (2 dp/rho); below dp_lim dp/sqrt (dp_lim) stands for sqrt (dp). */
static void test_flow (void) {
  g_autoptr (HlDocument) doc = document ();
  double d = 0.004, root = sqrt (2.0 * 10e5 / 850.0);

  g_assert_cmpfloat_with_epsilon (hl_rating_flow (doc, "o.diameter"), 0.6 * G_PI / 4.0 * d * d * root, 1e-15);
  g_assert_cmpfloat_with_epsilon (hl_rating_flow (doc, "thick.area"),
                                  0.7 * 1e-5 * sqrt (2.0 / 850.0) * 10e5 / sqrt (20e5), 1e-15);
  /* fully open, whatever its command is */
  g_assert_cmpfloat_with_epsilon (hl_rating_flow (doc, "valve.area"), 0.6 * 3e-5 * root, 1e-15);
  g_assert_cmpfloat_with_epsilon (hl_rating_flow (doc, "dcv.Cv"), 4e-8 * sqrt (35e5), 1e-15);
  g_assert_cmpfloat_with_epsilon (hl_rating_flow (doc, "cbv.check_area"), 0.6 * 5e-5 * root, 1e-15);
  g_assert_cmpfloat (hl_rating_flow (doc, "fcv.check_area"), ==, 0.0); /* it has none */
  g_assert_cmpfloat_with_epsilon (hl_rating_flow (doc, "cyl.cushion_A.end_area"), 0.7 * 1e-6 * root, 1e-15);
  g_assert_false (hl_rating_has (doc, "line.diameter"));
  g_assert_false (hl_rating_has (doc, "o.Cd"));
  g_assert_false (hl_rating_has (doc, "nobody.area"));
}

static void test_set (void) {
  static const char *const paths[] = {
      "o.diameter",     "thick.area",     "valve.area",         "dcv.Cv",
      "cbv.check_area", "fcv.check_area", "cyl.cushion_A.area", "cyl.cushion_A.end_area"};
  g_autoptr (HlDocument) doc = document ();
  g_autoptr (GError) error = NULL;

  for (gsize k = 0; k < G_N_ELEMENTS (paths); k++) {
    g_autoptr (HlDocument) set = hl_rating_with_flow (doc, paths[k], 1e-3, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat_with_epsilon (hl_rating_flow (set, paths[k]), 1e-3, 1e-15);
  }
  g_assert_null (hl_rating_with_flow (doc, "o.diameter", 0.0, &error));
  g_assert_nonnull (strstr (error->message, "o.diameter"));
}

/* 40 L/min at 5 bar through dcv: Cv = Q/sqrt (dp), whatever drop is shown. */
static void test_parse (void) {
  g_autoptr (HlDocument) doc = document ();
  g_autoptr (GError) error = NULL;
  double flow, Cv;

  g_assert_true (hl_rating_parse (doc, "dcv.Cv", "40 L/min at 5 bar", &flow, &error));
  g_autoptr (HlDocument) set = hl_rating_with_flow (doc, "dcv.Cv", flow, &error);
  g_assert_no_error (error);
  g_assert_true (hl_document_get_number (set, "dcv.Cv", &Cv, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (Cv, 40.0 / 60e3 / sqrt (5e5), 1e-20);
  g_assert_true (hl_rating_parse (doc, "dcv.Cv", "40@5", &flow, &error));
  g_assert_false (hl_rating_parse (doc, "dcv.Cv", "40 L/min", &flow, &error));
  g_assert_no_error (error);
  g_assert_false (hl_rating_parse (doc, "dcv.Cv", "40 L/min at nothing", &flow, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (hl_rating_parse (doc, "dcv.Cv", "40 L/min at 0 bar", &flow, &error));
  g_assert_nonnull (error);
}

/* ISO 3320 takes its sizes from the R10 and R20 series of preferred numbers: each is a few percent
 * from a power of 10^(1/20). */
static void test_sizes (void) {
  static const char *const paths[] = {"cyl.piston_diameter", "cyl.rod_diameter"};

  for (int which = 0; which < 2; which++) {
    int n;
    const double *sizes = hl_standard_sizes (paths[which], &n);
    g_assert_cmpint (n, >, 15);
    for (int k = 0; k < n; k++) {
      double place = 20.0 * log10 (sizes[k]);
      g_assert_cmpfloat (fabs (place - round (place)), <, 0.45);
      if (k > 0)
        g_assert_cmpfloat (sizes[k], >, sizes[k - 1]);
    }
  }
  int n;
  g_assert_null (hl_standard_sizes ("pipe.diameter", &n));
  g_assert_cmpint (n, ==, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nominal-flow/flow-at-a-drop-in-closed-form", test_flow);
  g_test_add_func ("/nominal-flow/flow-sets-the-opening", test_set);
  g_test_add_func ("/nominal-flow/flow-at-another-drop-is-read", test_parse);
  g_test_add_func ("/nominal-flow/standard-sizes-are-preferred-numbers", test_sizes);
  return g_test_run ();
}
