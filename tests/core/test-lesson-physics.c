/* SPDX-License-Identifier: MIT */
/* The physics that the lessons claim, each against something else than what the lesson asks: published
 * numbers, closed forms, balances, limits. And every lesson, in each language, goes through. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/document/hl-named.h"
#include "core/io/hl-json.h"
#include "core/lesson/hl-lesson-play.h"
#include "core/lesson/hl-lesson-verify.h"
#include "tests/support/hl-test-lesson.h"
#include "tests/support/hl-test.h"

#define N_LESSONS 8

static char *lesson_path (const char *name) {
  return g_build_filename (g_getenv ("HL_LESSONS_DIR"), name, NULL);
}

/* The model of a lesson, with pairs of path and text set first, ended by NULL. */
static HlLessonBench *bench_of (const char *name, ...) G_GNUC_NULL_TERMINATED;

static HlLessonBench *bench_of (const char *name, ...) {
  g_autofree char *path = lesson_path (name);
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (HlLesson) lesson = hl_lesson_load (path, problems);
  HlDocument *document = lesson != NULL ? hl_lesson_open_model (lesson, problems) : NULL;
  va_list list;
  const char *at;

  g_assert_cmpuint (problems->len, ==, 0);
  va_start (list, name);
  while ((at = va_arg (list, const char *)) != NULL) {
    g_autoptr (GError) error = NULL;
    HlDocument *next = hl_document_with_text (document, at, va_arg (list, const char *), &error);
    g_assert_no_error (error);
    hl_document_unref (document);
    document = next;
  }
  va_end (list);
  HlLessonBench *bench = hl_lesson_bench_new (document);
  hl_document_unref (document);
  return bench;
}

static void run (HlLessonBench *bench, const char *oil, const char *name) {
  g_autoptr (GError) error = NULL;

  hl_lesson_bench_run (bench, oil, name, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* --- all of them --- */

static void check_file (const char *path) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  HlLesson *lesson = hl_lesson_load (path, problems);
  g_autoptr (HlDocument) document = lesson != NULL ? hl_lesson_open_model (lesson, problems) : NULL;

  if (document != NULL)
    hl_lesson_verify (lesson, document, &traces, problems);
  for (guint k = 0; k < problems->len; k++) {
    const HlLessonProblem *problem = problems->pdata[k];
    g_error ("%s:%d: %s", path, problem->line, problem->text);
  }
  g_autoptr (GPtrArray) verdicts = hl_lesson_check (lesson, document, traces);
  g_assert_cmpuint (verdicts->len, >, 2);
  for (guint k = 0; k < verdicts->len; k++) {
    const HlLessonVerdict *verdict = verdicts->pdata[k];
    if (!verdict->holds)
      g_error ("%s:%d: %s", path, verdict->line, verdict->text);
  }
}

static void test_all (void) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (g_getenv ("HL_LESSONS_DIR"), 0, &error);
  const char *name;
  int n = 0, n_translated = 0;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, HL_LESSON_SUFFIX))
      continue;
    g_autofree char *path = lesson_path (name);
    check_file (path);
    n += !g_str_has_suffix (name, ".de" HL_LESSON_SUFFIX);
    n_translated += g_str_has_suffix (name, ".de" HL_LESSON_SUFFIX);
  }
  g_assert_cmpint (n, ==, N_LESSONS);
  g_test_message ("%d lessons, %d translated", n, n_translated);
}

/* A translation says the same as its original in other words. */
static void test_translations (void) {
  g_autoptr (GDir) dir = g_dir_open (g_getenv ("HL_LESSONS_DIR"), 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, ".de" HL_LESSON_SUFFIX))
      continue;
    g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
    g_autofree char *path = lesson_path (name);
    g_autofree char *stem = g_strndup (path, strlen (path) - strlen (".de" HL_LESSON_SUFFIX));
    g_autofree char *original = g_strconcat (stem, HL_LESSON_SUFFIX, NULL);
    g_autoptr (HlLesson) theirs = hl_lesson_load (original, problems);
    g_autoptr (HlLesson) ours = hl_lesson_load (path, problems);
    g_assert_true (hl_lesson_agrees (theirs, ours, problems));
    g_assert_cmpstr (ours->language, ==, "de");
    g_assert_cmpstr (ours->title, !=, theirs->title);
  }
}

/* --- one by one --- */

/* The pair against the published spectra of the three friction scenarios. */
static void test_why_it_rings (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  static const char *const scales[] = {"1", "0.1", "0.01"};

  for (int k = 0; k < 3; k++) {
    g_autoptr (HlLessonBench) bench =
        bench_of ("why-it-rings.hllesson", "cyl.friction.scale", scales[k], NULL);
    g_autofree char *where = g_strdup_printf ("cases.%d.friction_scale", k);
    hl_assert_near (hl_test_json_number (golden, where), g_ascii_strtod (scales[k], NULL), 0, 0);
    g_autofree char *re = g_strdup_printf ("cases.%d.eigenvalues.nonzero.0.re", k);
    g_autofree char *im = g_strdup_printf ("cases.%d.eigenvalues.nonzero.0.im", k);
    double first[2] = {hl_test_json_number (golden, re), hl_test_json_number (golden, im)};
    hl_assert_near (hl_test_lesson_value (bench, "eig.re(1)"), first[0], 1e-6, 0);
    hl_assert_near (hl_test_lesson_value (bench, "eig.im(1)"), first[1], 1e-6, 1e-6);
    if (k > 0)
      hl_assert_near (hl_test_lesson_value (bench, "pair.frequency(1)"), first[1] / (2.0 * G_PI), 1e-6, 0);
    if (k > 0)
      hl_assert_near (hl_test_lesson_value (bench, "pair.damping(1)"), -first[0] / hypot (first[0], first[1]),
                      1e-6, 0);
  }
  json_decref (golden);
}

/* Two springs of oil and a mass by hand; a quarter of the stiffness, a long hose, a leak. */
static void test_trapped_oil (void) {
  const double area = 0.0015, stroke = 0.25, mass = 200.0, bulk = 1.5e9, sigma = 1500.0;
  static const double hoses[] = {1e-4, 5e-3};

  for (int k = 0; k < 2; k++) {
    g_autofree char *hose = g_strdup_printf ("%g", hoses[k]);
    g_autoptr (HlLessonBench) bench = bench_of ("trapped-oil-is-a-spring.hllesson", "A.volume", hose, NULL);
    double stiffness = bulk * area * area * (1.0 / (area * stroke + hoses[k]) + 1.0 / (area * stroke + 1e-4));
    double omega = sqrt (stiffness / mass), decay = 0.5 * sigma / mass;
    hl_assert_near (hl_test_lesson_value (bench, "pair.decay(1)"), decay, 1e-9, 0);
    hl_assert_near (hl_test_lesson_value (bench, "pair.frequency(1)"),
                    sqrt (omega * omega - decay * decay) / (2.0 * G_PI), 1e-9, 0);
    run (bench, NULL, NULL);
    /* a push that begins at once swings out to twice where it would stand */
    if (k == 0)
      hl_assert_near (hl_test_lesson_value (bench, "max(x)"), 2.0 * 2000.0 / stiffness, 0.06, 0);
  }
  g_autoptr (HlLessonBench) sound = bench_of ("trapped-oil-is-a-spring.hllesson", NULL);
  g_autoptr (HlLessonBench) air =
      bench_of ("trapped-oil-is-a-spring.hllesson", "fluid.air_fraction", "0.05", NULL);
  g_autoptr (HlLessonBench) leak =
      bench_of ("trapped-oil-is-a-spring.hllesson", "cyl.leakage", "1e-11", NULL);
  /* air softens, and does not damp; a leak damps, and hardly softens */
  g_assert_cmpfloat (hl_test_lesson_value (air, "pair.frequency(1)"), <,
                     0.85 * hl_test_lesson_value (sound, "pair.frequency(1)"));
  hl_assert_near (hl_test_lesson_value (air, "pair.decay(1)"), hl_test_lesson_value (sound, "pair.decay(1)"),
                  1e-6, 0);
  hl_assert_near (hl_test_lesson_value (leak, "pair.frequency(1)"),
                  hl_test_lesson_value (sound, "pair.frequency(1)"), 0.02, 0);
  g_assert_cmpfloat (hl_test_lesson_value (leak, "pair.decay(1)"), >,
                     5.0 * hl_test_lesson_value (sound, "pair.decay(1)"));
}

/* 2 n + r + u states of which 2 (m + l) are spurious; errors of central differences go with the square
 * of the step, until rounding over the step takes over. */
static void test_differences (void) {
  const int n = 9, m = 8, r = 3, u = 1;
  g_autoptr (HlLessonBench) bench = bench_of ("exact-or-by-differences.hllesson", NULL);

  hl_assert_near (hl_test_lesson_value (bench, "eig.count"), 2 * (n - m) + r + u, 0, 0);
  hl_assert_near (hl_test_lesson_value (bench, "difference.count"), 2 * n + r + u, 0, 0);
  hl_assert_near (hl_test_lesson_value (bench, "difference.null - eig.null"), 2 * m, 0, 0);
  hl_assert_near (hl_test_lesson_value (bench, "difference.error(2e-3) / difference.error(1e-3)"), 4.0, 0.1,
                  0);
  g_assert_cmpfloat (hl_test_lesson_value (bench, "difference.error(1e-12) / difference.error(1e-10)"), >,
                     10.0);
}

/* What the pump gives goes where the pressure is least: each piston moves at flow over area, alone. */
static void test_shut_valve (void) {
  g_autoptr (HlLessonBench) bench = bench_of ("a-valve-that-is-shut.hllesson", NULL);

  run (bench, NULL, NULL);
  hl_assert_near (hl_test_lesson_value (bench, "max(v2)"),
                  hl_test_lesson_value (bench, "pump.flow / cyl2.piston_area"), 1e-6, 0);
  hl_assert_near (hl_test_lesson_value (bench, "at(v1, 1 s)"),
                  hl_test_lesson_value (bench, "pump.flow / cyl1.piston_area"), 1e-6, 0);
  hl_assert_near (hl_test_lesson_value (bench, "at(v2, 0.64 s)"), 0, 0, 1e-9);
  g_assert_cmpfloat (hl_test_lesson_value (bench, "run.impacts"), >=, 2);
  g_assert_cmpfloat (hl_test_lesson_value (bench, "run.modes"), >, 2);
}

/* The distance between the models shrinks with the compliance of the oil: to 0 where it is rigid. */
static void test_stiff_enough (void) {
  static const char *const bulks[] = {"1.5e8", "1.5e9", "1.5e10"};
  double last = INFINITY;

  for (int k = 0; k < 3; k++) {
    g_autoptr (HlLessonBench) bench =
        bench_of ("when-is-oil-stiff-enough.hllesson", "fluid.bulk_modulus", bulks[k], NULL);
    run (bench, "lumped", "one");
    run (bench, "quasistatic", "other");
    double distance = hl_test_lesson_value (bench, "distance(theta, one, other)");
    g_test_message ("bulk modulus %s Pa: %g rad", bulks[k], distance);
    g_assert_cmpfloat (distance, <, 0.5 * last);
    last = distance;
  }
}

/* Steady lowering obeys the law of the valve by hand, whose spring chamber is open to its outlet and
 * which opens smoothly, a smaller
 * ratio takes more pressure, and with a ratio of 3 the boom goes up again while it should go down. */
static void test_load_holding (void) {
  static const char *const ratios[] = {"1", "1.5"};
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  double rod[2];

  g_ptr_array_add (wanted, (gpointer) "A.pressure");

  for (int k = 0; k < 2; k++) {
    g_autoptr (HlLessonBench) bench = bench_of ("load-holding.hllesson", "cbv.pilot_ratio", ratios[k], NULL);
    hl_lesson_bench_run (bench, NULL, NULL, wanted, NULL, NULL, &error);
    g_assert_no_error (error);
    rod[k] = hl_test_lesson_value (bench, "last(p_rod)");
    double ratio = hl_test_lesson_value (bench, "cbv.pilot_ratio");
    double e = (hl_test_lesson_value (bench, "last(p_head)") + ratio * rod[k] -
                (1.0 + ratio) * hl_test_lesson_value (bench, "last(A.pressure)") -
                hl_test_lesson_value (bench, "cbv.pressure")) /
               hl_test_lesson_value (bench, "cbv.opening_range");
    hl_assert_near (hl_test_lesson_value (bench, "last(y)"), e * e * (3.0 - 2.0 * e), 0.02, 0.0);
    g_assert_cmpfloat (hl_test_lesson_value (bench, "max(v)"), <, 1e-3);
  }
  g_assert_cmpfloat (rod[0], >, rod[1]);
  g_autoptr (HlLessonBench) high = bench_of ("load-holding.hllesson", "cbv.pilot_ratio", "3", NULL);
  run (high, NULL, NULL);
  g_assert_cmpfloat (hl_test_lesson_value (high, "max(v)"), >, 0.02);
}

/* The gain margin of the opened loop is where eigenvalues of the closed one cross. */
static void test_closing_the_loop (void) {
  g_autoptr (HlLessonBench) bench = bench_of ("closing-the-loop.hllesson", NULL);
  double margin = hl_test_lesson_value (bench, "loop.gain_margin(dcv.command)");

  for (int k = 0; k < 2; k++) {
    double factor = margin * (k == 0 ? 0.99 : 1.01);
    char kp[G_ASCII_DTOSTR_BUF_SIZE], ki[G_ASCII_DTOSTR_BUF_SIZE], kd[G_ASCII_DTOSTR_BUF_SIZE];
    g_autoptr (HlLessonBench) other = bench_of (
        "closing-the-loop.hllesson", "dcv.command.kp", g_ascii_dtostr (kp, sizeof kp, 30.0 * factor),
        "dcv.command.ki", g_ascii_dtostr (ki, sizeof ki, 90.0 * factor), "dcv.command.kd",
        g_ascii_dtostr (kd, sizeof kd, 0.1 * factor), NULL);
    hl_assert_near (hl_test_lesson_value (other, "eig.unstable"), k == 0 ? 0 : 2, 0, 0);
  }
}

/* Everything that comes in goes out or becomes heat, and what goes out is the weight that was lifted, as
 * a run records it. */
static void test_power (void) {
  g_autoptr (HlLessonBench) bench = bench_of ("where-does-the-power-go.hllesson", NULL);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  double in = hl_test_lesson_value (bench, "energy.in()");

  hl_assert_near (hl_test_lesson_value (bench, "energy.lost() + energy.out()"), in, 1e-5, 0);
  g_ptr_array_add (wanted, (gpointer) "energy.potential");
  hl_lesson_bench_run (bench, NULL, NULL, wanted, NULL, NULL, &error);
  g_assert_no_error (error);
  hl_assert_near (hl_test_lesson_value (bench, "last(energy.potential) - first(energy.potential)"),
                  hl_test_lesson_value (bench, "energy.out()"), 1e-3, 0);
  double sum = 0;
  static const char *const parts[] = {"comp_arm", "arm_valve",  "comp_bucket", "bucket_valve",
                                      "arm_cyl",  "bucket_cyl", "pump",        "shuttle"};
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++) {
    g_autofree char *lost = g_strdup_printf ("energy.lost(%s)", parts[k]);
    sum += hl_test_lesson_value (bench, lost);
  }
  hl_assert_near (sum, hl_test_lesson_value (bench, "energy.lost()"), 1e-6, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/all", test_all);
  g_test_add_func ("/lesson/translations", test_translations);
  g_test_add_func ("/lesson/why-it-rings", test_why_it_rings);
  g_test_add_func ("/lesson/trapped-oil", test_trapped_oil);
  g_test_add_func ("/lesson/differences", test_differences);
  g_test_add_func ("/lesson/shut-valve", test_shut_valve);
  g_test_add_func ("/lesson/stiff-enough", test_stiff_enough);
  g_test_add_func ("/lesson/load-holding", test_load_holding);
  g_test_add_func ("/lesson/closing-the-loop", test_closing_the_loop);
  g_test_add_func ("/lesson/power", test_power);
  return g_test_run ();
}
