/* SPDX-License-Identifier: MIT */
/* Conditions of lessons: their grammar, what their words say of a model, and what they refuse. */
#include <math.h>
#include <string.h>

#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-condition.h"
#include "core/lesson/hl-lesson-values.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test-lesson.h"

static HlLessonValues *bench_of (const char *example) {
  g_autofree char *path = hl_test_example_path (example);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (path, &error);

  g_assert_no_error (error);
  return hl_lesson_values_new (document);
}

static gboolean holds (const HlLessonValues *bench, const char *text) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlCondition) condition = hl_condition_parse (text, &error);
  gboolean is_true = FALSE;

  g_assert_no_error (error);
  hl_condition_evaluate (condition, hl_lesson_values_words (bench), &is_true, &error);
  if (error != NULL)
    g_error ("%s: %s", text, error->message);
  return is_true;
}

static void assert_refused (const HlLessonValues *bench, const char *text, const char *because) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlCondition) condition = hl_condition_parse (text, &error);
  gboolean is_true;

  if (condition != NULL)
    g_assert_false (hl_condition_evaluate (condition, hl_lesson_values_words (bench), &is_true, &error));
  g_assert_nonnull (error);
  if (strstr (error->message, because) == NULL)
    g_error ("‘%s’ is refused because: %s", text, error->message);
}

/* Truth tables, brackets, bands, and signs in their ways to be written; no model stands in them. */
static void test_grammar (void) {
  static const struct {
    const char *text;
    gboolean is_true;
  } cases[] = {
      {"1 < 2", TRUE},
      {"2 < 1", FALSE},
      {"2 <= 2 and 2 ≥ 2", TRUE},
      {"1 > 2 or 3 > 2", TRUE},
      {"1 > 2 or 3 > 2 and 1 > 2", FALSE},
      {"(1 > 2 or 3 > 2) and 1 < 2", TRUE},
      {"not 1 > 2", TRUE},
      {"not (1 < 2 and 2 < 3)", FALSE},
      {"not 1 < 2 or 1 = 1", TRUE},
      {"(1 + 2) * 3 = 9", TRUE},
      {"((1 + 2) * 3 = 9)", TRUE},
      {"10 mm = 1 cm", TRUE},
      {"10 = 10.4 ± 0.5", TRUE},
      {"10 = 10.6 ± 0.5", FALSE},
      {"95 mm = 10 cm ± 6 %", TRUE},
      {"93 mm = 10 cm ± 6 %", FALSE},
      {"93 mm != 10 cm ± 6 %", TRUE},
      {"10 bar = 1 MPa ± 1 kPa", TRUE},
      {"1 ≠ 2", TRUE},
      {"max(2, 3) = 3 and min(2; 3) = 2", TRUE},
      {"sqrt(16) = 4", TRUE},
      {"5 mm > 0", TRUE},
  };
  g_autoptr (HlLessonValues) bench = bench_of ("four-bar.hydrolink");

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    if (holds (bench, cases[k].text) != cases[k].is_true)
      g_error ("%s", cases[k].text);
}

static void test_refused (void) {
  static const char *const cases[][2] = {
      {"1 <", "missing"},
      {"1", "comparison is missing"},
      {"1 < 2 and", "missing"},
      {"1 < 2 3 < 4", "end is expected"},
      {"(1 < 2", "missing"},
      {"1 < 2)", "not opened"},
      {"1 < 2 ± 3", "± is allowed"},
      {"link2.mass > 3", "dimensionless number"},
      {"link2.mass > 3 bar", "cannot be compared"},
      {"link2.mass = 3 kg ± 2 mm", "another unit"},
      {"link2.weight > 3 kg", "weight"},
      {"nobody.mass > 3 kg", "nobody"},
      {"cyl.force > 3 N", "changes in a run"},
      {"eig.damping(99) > 0.1", "no value"},
      {"eig.damping(0) > 0.1", "start at 1"},
      {"eig.damping(x) > 0.1", "start at 1"},
      {"eig.damping > 0.1", "argument"},
      {"eig.wobble(1) > 0.1", "wobble"},
      {"max(phi2) > 1 deg", "there is no run yet"},
      {"max(phi2, one) > 1 deg", "no run ‘one’"},
      {"max(phi9) > 1 deg", "phi9"},
      {"oil(syrup) = 1", "syrup"},
      {"difference.error(0) > 1", "step"},
      {"loop.gain_margin(dcv.command) > 1", "no controller"},
      {"energy.lost(nobody) > 1 J", "nobody"},
      {"rest(nobody.force) > 1 N", "nobody"},
      {"with(cyl.friction.scale, 0.01) > 1", "FORMULA"},
      {"with(nobody.mass, 1, pair.count) > 1", "nobody"},
      {"count(boats) > 1", "boats"},
      {"connected(cylinder.A, dcv.A) = 1", "dcv.A"},
      {"connected(cylinder.Z, throttle.A) = 1", "cylinder.Z"},
  };
  g_autoptr (HlLessonValues) bench = bench_of ("four-bar.hydrolink");

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    assert_refused (bench, cases[k][0], cases[k][1]);
}

/* Against the published eigenvalues and the model's own numbers. */
static void test_words (void) {
  g_autoptr (HlLessonValues) bench = bench_of ("four-bar.hydrolink");

  hl_assert_near (hl_test_lesson_value (bench, "cyl.friction.Fc"), 210.0, 0.0, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "\"cyl.friction.Fc\" + 1 N"), 211.0, 0.0, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "eig.count"), 6.0, 0.0, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "eig.null"), 2.0, 0.0, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "pair.count"), 0.0, 0.0, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "rest(link2.angle)"), G_PI / 3.0, 1e-9, 0.0);
  g_assert_true (holds (bench, "oil(lumped) = 1 and oil(hybrid) = 0"));
  g_assert_true (holds (bench, "eig.re(1) > eig.re(2) and eig.re(4) < -7000/s"));
  g_assert_true (holds (bench, "count(bodies) = 3 and count(revolute) = 4 and count(lines) = 5 and "
                               "count(throttle) = 1 and count(relief-valve) = 0"));
  g_assert_true (
      holds (bench, "connected(throttle.B, cylinder.A) = 1 and connected(throttle.A, cylinder.A) = 0"));
  hl_assert_near (hl_test_lesson_value (bench, "with(cyl.friction.scale, 0.1, with(cyl.friction.Fc, 1 kN, "
                                               "cyl.friction.scale * cyl.friction.Fc))"),
                  100.0, 1e-12, 0.0);
  g_assert_true (holds (bench, "with(cyl.friction.scale, 0.01, pair.count) = 1 and pair.count = 0"));
  g_assert_true (holds (bench, "eig.meeting > 0.3 and eig.meeting < 0.4")); /* 143.7 and 219.9 */
}

/* Measures of a curve that is known: a decaying cosine about 1, and a saw of uneven rows. */
static void test_measures (void) {
  HlColumnInfo columns[] = {{"phi2", NULL, "rad"}};
  g_autoptr (HlLessonValues) bench = bench_of ("four-bar.hydrolink");
  g_autoptr (HlResults) results = hl_results_new (columns, 1);

  for (int k = 0; k <= 10000; k++) {
    double t = 1e-3 * k, swing = 1.0 - exp (-t) * cos (2.0 * G_PI * t);
    hl_results_append (results, t, &swing);
  }
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLessonRun) run = hl_lesson_run_new (document, results, -1, -1);
  hl_lesson_values_take_run (bench, "one", run);
  hl_assert_near (hl_test_lesson_value (bench, "first(phi2)"), 0.0, 0.0, 1e-12);
  hl_assert_near (hl_test_lesson_value (bench, "last(phi2, one)"), 1.0, 0.0, 1e-4);
  /* the first top stands where tan (2 pi t) = -1/(2 pi) */
  double top = 0.5 - atan (1.0 / (2.0 * G_PI)) / (2.0 * G_PI);
  double height = exp (-top) * -cos (2.0 * G_PI * top);
  hl_assert_near (hl_test_lesson_value (bench, "max(phi2) - 1 rad"), height, 1e-5, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "overshoot(phi2)"), height, 1e-3, 0.0);
  /* inside of 2 % from exp (-t) = 0.02 on, at 3.91 s; its last swing before reaches out to 3.5 */
  g_assert_cmpfloat (hl_test_lesson_value (bench, "settling(phi2)"), >, 3.4);
  g_assert_cmpfloat (hl_test_lesson_value (bench, "settling(phi2)"), <, 3.92);
  /* turns every half second while they are larger than 2 % of the range */
  g_assert_cmpfloat (hl_test_lesson_value (bench, "swings(phi2)"), >=, 7.0);
  g_assert_cmpfloat (hl_test_lesson_value (bench, "swings(phi2)"), <=, 10.0);
  hl_assert_near (hl_test_lesson_value (bench, "at(phi2, 500 ms)"), 1.0 + exp (-0.5), 1e-9, 0.0);
  /* the mean of exp (-t) cos (w t) over 10 s is 1/(1 + w^2)/10 */
  hl_assert_near (hl_test_lesson_value (bench, "mean(phi2)"), 1.0 - 0.1 / (1.0 + 4.0 * G_PI * G_PI), 1e-5,
                  0.0);
  hl_assert_near (hl_test_lesson_value (bench, "run.time"), 10.0, 1e-12, 0.0);
  hl_assert_near (hl_test_lesson_value (bench, "distance(phi2, one, one)"), 0.0, 0.0, 0.0);
  assert_refused (bench, "run.impacts > 1", "hybrid");
  assert_refused (bench, "max(p1) > 1 bar", "did not record");
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/conditions/grammar", test_grammar);
  g_test_add_func ("/lesson/conditions/refused", test_refused);
  g_test_add_func ("/lesson/conditions/words", test_words);
  g_test_add_func ("/lesson/conditions/measures", test_measures);
  return g_test_run ();
}
