/* SPDX-License-Identifier: MIT */
/* The set in which dry friction lets a machine rest: against closed forms of a piston between two
 * chambers, of two seals on one mass, and of a spring without oil; and where nothing bounds it. */
#include "core/linear/hl-friction-rest-band.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <math.h>

#define FS 900.0
#define BULK 1.5e9
#define AREA 1.5e-3
#define HOSE_A 1e-4
#define HOSE_B 3e-4

#define HEAD                                                                                                 \
  "{\"format\": \"hydrolink\", \"version\": 1, \"gravity\": [0, 0],"                                         \
  " \"fluid\": {\"bulk_modulus\": 1.5e9, \"density\": 850},"                                                 \
  " \"ground\": {\"points\": {\"O\": [0, 0]}},"                                                              \
  " \"bodies\": [{\"id\": \"load\", \"points\": {\"O\": [0, 0]}, \"mass\": 200, \"inertia\": 1,"             \
  "  \"pose\": [0.5, 0, 0]}],"                                                                               \
  " \"joints\": [{\"id\": \"guide\", \"kind\": \"prismatic\", \"a\": \"ground.O\","                          \
  "  \"b\": \"load.O\", \"axis\": 0, \"angle\": 0}],"
#define CYLINDER(id, friction)                                                                               \
  "{\"id\": \"" id "\", \"kind\": \"cylinder\", \"base\": \"ground.O\", \"rod\": \"load.O\","                \
  " \"piston_area\": 0.0015, \"rod_side_area\": 0.0015, \"stroke\": 0.5, \"c1\": 0.15,"                      \
  " \"c2\": 0.1, \"friction\": " friction "}"
#define LINE(id, port, hose)                                                                                 \
  "{\"id\": \"" id "\", \"ports\": [\"" port "\"], \"volume\": " hose ", \"pressure\": 5e6}"
#define TRAPPED                                                                                              \
  "\"lines\": [" LINE ("A", "cyl.A", "1e-4") ", " LINE (                                                     \
      "B", "cyl.B", "3e-4") "], \"equilibrium\": {\"hold\": [\"load.x\", \"A.pressure\"]}}"
#define MCPHEE(scale)                                                                                        \
  "{\"model\": \"brown-mcphee\", \"Fc\": 400, \"Fs\": 900, \"vs\": 0.01, \"sigma2\": 330,"                   \
  " \"scale\": " scale "}"

static HlRestBand *band_of (const char *text, const char *const paths[], int n, HlTestModel *model) {
  HlObservable outputs[8];
  HlFault fault = {0};

  *model = hl_test_model_from_text (text);
  hl_test_model_start (model, HL_START_EQUILIBRIUM);
  for (int k = 0; k < n; k++)
    g_assert_true (hl_observable_find (model->sys, paths[k], &outputs[k]));
  HlRestBand *band = hl_rest_band_new (model->sys, model->point, outputs, n, &fault);
  g_assert_nonnull (band);
  return band;
}

/* Each chamber with its hose is a spring B A^2 / V; the static force over their sum is how far, and the
 * pressure that the way makes of the trapped oil is its bar. */
static void test_trapped (gconstpointer friction) {
  static const char *const paths[] = {"load.x", "A.pressure", "B.pressure", "cyl.s", "load.angle"};
  double V_a = AREA * 0.25 + HOSE_A, V_b = AREA * 0.25 + HOSE_B;
  double way = FS / (BULK * AREA * AREA * (1 / V_a + 1 / V_b));
  g_autofree char *text = g_strconcat (HEAD "\"components\": [", friction, "], " TRAPPED, NULL);
  HlTestModel model;
  HlRestBand *band = band_of (text, paths, 5, &model);

  hl_assert_near (band->force, FS, 1e-12, 0);
  hl_assert_near (band->at[0], 0.5, 1e-9, 0);
  hl_assert_near (band->half[0], way, 1e-6, 0);
  hl_assert_near (band->half[1], BULK * AREA / V_a * way, 1e-6, 0);
  hl_assert_near (band->half[2], BULK * AREA / V_b * way, 1e-6, 0);
  hl_assert_near (band->half[3], way, 1e-6, 0);
  hl_assert_near (band->half[4], 0.0, 0, 1e-12);
  hl_rest_band_free (band);
  hl_test_model_clear (&model);
}

/* No friction, no band. */
static void test_smooth (void) {
  static const char *const paths[] = {"load.x", "A.pressure"};
  HlTestModel model;
  HlRestBand *band = band_of (
      HEAD "\"components\": [" CYLINDER ("cyl", "{\"model\": \"viscous\", \"sigma2\": 1500}") "], " TRAPPED,
      paths, 2, &model);

  g_assert_cmpfloat (band->force, ==, 0.0);
  g_assert_cmpfloat (band->half[0], ==, 0.0);
  g_assert_cmpfloat (band->half[1], ==, 0.0);
  hl_rest_band_free (band);
  hl_test_model_clear (&model);
}

/* Where the oil can leave, nothing but the seal holds the mass: it may stand anywhere. */
static void test_free (void) {
  static const char *const paths[] = {"load.x"};
  HlTestModel model;
  HlRestBand *band = band_of (HEAD "\"components\": [" CYLINDER (
                                  "cyl", MCPHEE ("1")) ", {\"id\": \"tank\", \"kind\": "
                                                       "\"tank\"}], \"lines\": [{\"id\": \"A\", \"ports\": "
                                                       "[\"cyl.A\", \"cyl.B\", \"tank.T\"], "
                                                       "\"volume\": 1e-4}]}",
                              paths, 1, &model);

  g_assert_true (isinf (band->half[0]));
  hl_rest_band_free (band);
  hl_test_model_clear (&model);
}

/* The band in a machine with loops: at its end the frictionless machine is pushed back by just the static
 * force, as the acceleration of a machine in that position shows. */
static void test_four_bar (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlObservable outputs[5];
  HlFault fault = {0};
  static const char *const paths[] = {"link2.angle", "cyl.s", "V1.pressure", "V2.pressure", "V3.pressure"};

  hl_test_model_start (&model, HL_START_EQUILIBRIUM);
  for (int k = 0; k < 5; k++)
    g_assert_true (hl_observable_find (model.sys, paths[k], &outputs[k]));
  HlRestBand *band = hl_rest_band_new (model.sys, model.point, outputs, 5, &fault);
  g_assert_nonnull (band);
  for (int k = 0; k < 5; k++)
    g_test_message ("%s: %.6g ± %.3g", paths[k], band->at[k], band->half[k]);
  /* what the bars of both sides make at the piston is the static force, and what gravity changes over
   * the way is far below it */
  double area_a, area_b;
  g_assert_true (hl_document_get_number (model.doc, "cyl.piston_area", &area_a, NULL, NULL));
  g_assert_true (hl_document_get_number (model.doc, "cyl.rod_side_area", &area_b, NULL, NULL));
  hl_assert_near (band->half[2] * 1.0, band->half[3], 1e-5, 0); /* a throttle parts them, at rest alike */
  hl_assert_near (area_a * band->half[3] + area_b * band->half[4], band->force, 1e-2, 0);
  g_assert_cmpfloat (band->half[0], >, 0.0);
  hl_rest_band_free (band);
  hl_test_model_clear (&model);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/friction-rest-band/trapped-oil/brown-mcphee", CYLINDER ("cyl", MCPHEE ("1")),
                        test_trapped);
  g_test_add_data_func (
      "/friction-rest-band/trapped-oil/lugre",
      CYLINDER ("cyl", "{\"model\": \"lugre\", \"Fc\": 400, \"Fs\": 900, \"vs\": 0.01, \"sigma0\": 1e7,"
                       " \"sigma1\": 300, \"sigma2\": 330}"),
      test_trapped);
  g_test_add_data_func ("/friction-rest-band/trapped-oil/scaled",
                        CYLINDER ("cyl",
                                  "{\"model\": \"brown-mcphee\", \"Fc\": 800, \"Fs\": 1800, \"vs\": 0.01, "
                                  "\"sigma2\": 330, \"scale\": 0.5}"),
                        test_trapped);
  g_test_add_func ("/friction-rest-band/no-dry-friction", test_smooth);
  g_test_add_func ("/friction-rest-band/free-oil", test_free);
  g_test_add_func ("/friction-rest-band/four-bar", test_four_bar);
  return g_test_run ();
}
