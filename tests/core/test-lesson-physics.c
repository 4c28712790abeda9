/* SPDX-License-Identifier: MIT */
/* The physics that the lessons claim, each by another method than that of the lesson: published numbers, closed forms,
 * balances, limits. And every lesson, in each language, goes through. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/document/hl-named-parameters.h"
#include "core/io/hl-json.h"
#include "core/lesson/hl-lesson-inline.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-verify.h"
#include "tests/support/hl-test-lesson.h"
#include "tests/support/hl-test.h"

#define N_LESSONS 10

static char *lesson_path (const char *name) {
  return g_build_filename (g_getenv ("HL_LESSONS_DIR"), name, NULL);
}

/* The model of a lesson, with pairs of path and text set first, ended by NULL. */
static HlLessonValues *bench_of (const char *name, ...) G_GNUC_NULL_TERMINATED;

static HlLessonValues *bench_of (const char *name, ...) {
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
  HlLessonValues *bench = hl_lesson_values_new (document);
  hl_document_unref (document);
  return bench;
}

static void run (HlLessonValues *bench, const char *oil, const char *name) {
  g_autoptr (GError) error = NULL;

  hl_lesson_values_run (bench, oil, name, NULL, NULL, NULL, &error);
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

/* --- left and resumed --- */

typedef struct {
  HlLessonSession *play;
  GPtrArray *texts; /* char *: "FORMULA = TEXT" */
} Seen;

static void see (const char *text, gpointer data) {
  Seen *seen = data;
  g_autofree char *value = hl_lesson_session_value (seen->play, text);

  g_ptr_array_add (seen->texts, g_strdup_printf ("%s = %s", text, value != NULL ? value : "unknown"));
}

/* Lets the step be worked on, and says what its numbers are then; g_free (). */
static char *look (HlLessonSession *play) {
  const HlLessonStep *step = hl_lesson_session_step (play);
  const GPtrArray *parts[] = {step->before, step->after};
  Seen seen = {play, g_ptr_array_new_with_free_func (g_free)};

  for (int twice = 0; twice < 2; twice++) {
    g_autoptr (HlLessonJob) job = hl_lesson_session_new_job (play);
    hl_lesson_job_work (job, NULL, NULL);
    hl_lesson_session_take (play, job);
  }
  for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
    for (guint k = 0; k < parts[part]->len; k++) {
      const HlLessonBlock *block = parts[part]->pdata[k];
      if (block->kind != HL_LESSON_FORMULA)
        hl_lesson_inline_visit (block->text, see, &seen);
    }
  g_ptr_array_add (seen.texts, NULL);
  char *all = g_strjoinv ("; ", (char **)seen.texts->pdata);
  g_ptr_array_unref (seen.texts);
  return all;
}

/* Follows the solution as a person does. */
static void do_step (HlLessonSession *play) {
  static const double t[] = {0, 1}, zeros[] = {0, 0};
  const HlLessonStep *step = hl_lesson_session_step (play);

  hl_lesson_session_predict_number (play, "1", NULL);
  hl_lesson_session_predict_choice (play, 0);
  hl_lesson_session_predict_sketch (play, t, zeros, G_N_ELEMENTS (t));
  hl_lesson_session_watch (play);
  for (guint k = 0; step->task == HL_LESSON_DO && k < step->solution->len; k++) {
    const HlLessonAct *act = step->solution->pdata[k];
    g_autoptr (GError) error = NULL;
    if (act->kind == HL_LESSON_RUN) {
      g_autoptr (HlLessonValues) bench = hl_lesson_values_new (hl_lesson_session_document (play));
      hl_lesson_session_take_run (play,
                                  hl_lesson_values_run (bench, act->value, NULL, NULL, NULL, NULL, &error));
    } else {
      g_autoptr (HlDocument) next = hl_lesson_act_apply (act, hl_lesson_session_document (play), &error);
      g_assert_no_error (error);
      hl_document_unref (hl_lesson_session_take_document (play, next, NULL));
    }
    g_assert_no_error (error);
  }
}

static HlLessonSession *open_play (const char *path) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  HlLesson *lesson = hl_lesson_load (path, problems);
  HlDocument *document = hl_lesson_open_model (lesson, problems);

  g_assert_true (hl_lesson_verify (lesson, document, &traces, problems));
  return hl_lesson_session_new (lesson, document, traces);
}

static HlLessonSession *resume (const char *path, const HlLessonSession *left) {
  g_autofree char *kept = hl_lesson_progress_text (left);
  g_autoptr (GError) error = NULL;
  HlLessonSession *play = open_play (path);

  g_assert_true (hl_lesson_progress_restore (play, kept, &error));
  g_assert_no_error (error);
  g_assert_cmpint (hl_lesson_session_at (play), ==, hl_lesson_session_at (left));
  g_autofree char *again = hl_lesson_progress_text (play);
  g_assert_true (strcmp (again, kept) == 0);
  return play;
}

/* Left before each step and after it, and taken up each time: it goes on as one that was not left. Then back to its
 * beginning and on again: every text has the numbers that it had. */
static void leave_and_resume (const char *path) {
  g_autoptr (HlLessonSession) whole = open_play (path);
  g_autoptr (HlLessonSession) play = open_play (path);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean goes_on = TRUE;

  while (goes_on) {
    HlLessonSession *again = resume (path, play);
    hl_lesson_session_free (play);
    play = again;
    g_autofree char *before = look (whole), *before_again = look (play);
    g_assert_cmpstr (before_again, ==, before);
    do_step (whole);
    do_step (play);
    g_ptr_array_add (texts, look (whole));
    g_autofree char *after = look (play);
    g_assert_cmpstr (after, ==, texts->pdata[texts->len - 1]);
    g_assert_null (strstr (after, "unknown"));
    g_assert_true (hl_lesson_session_record (play, hl_lesson_session_at (play))->is_done);
    again = resume (path, play);
    hl_lesson_session_free (play);
    play = again;
    goes_on = hl_lesson_session_next (play);
    g_assert_true (hl_lesson_session_next (whole) == goes_on);
  }
  g_assert_true (hl_lesson_session_is_over (play));
  for (int at = (int)texts->len - 1; at >= 0; at--) {
    g_autofree char *text = look (play);
    g_assert_cmpstr (text, ==, texts->pdata[at]);
    g_assert_true (hl_lesson_session_back (play) == (at > 0));
  }
  for (int at = 0; at < (int)texts->len; at++) {
    g_autofree char *text = look (play);
    g_assert_cmpstr (text, ==, texts->pdata[at]);
    g_assert_true (hl_lesson_session_next (play) == (at + 1 < (int)texts->len));
  }
}

static void test_resumed (void) {
  g_autoptr (GDir) dir = g_dir_open (g_getenv ("HL_LESSONS_DIR"), 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, HL_LESSON_SUFFIX))
      continue;
    g_autofree char *path = lesson_path (name);
    g_test_message ("%s", name);
    leave_and_resume (path);
  }
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
    g_autoptr (HlLessonValues) bench =
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
    g_autoptr (HlLessonValues) bench = bench_of ("trapped-oil-is-a-spring.hllesson", "A.volume", hose, NULL);
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
  g_autoptr (HlLessonValues) sound = bench_of ("trapped-oil-is-a-spring.hllesson", NULL);
  g_autoptr (HlLessonValues) air =
      bench_of ("trapped-oil-is-a-spring.hllesson", "fluid.air_fraction", "0.05", NULL);
  g_autoptr (HlLessonValues) leak =
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
  g_autoptr (HlLessonValues) bench = bench_of ("exact-or-by-differences.hllesson", NULL);

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
  g_autoptr (HlLessonValues) bench = bench_of ("a-valve-that-is-shut.hllesson", NULL);

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
    g_autoptr (HlLessonValues) bench =
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
    g_autoptr (HlLessonValues) bench = bench_of ("load-holding.hllesson", "cbv.pilot_ratio", ratios[k], NULL);
    hl_lesson_values_run (bench, NULL, NULL, wanted, NULL, NULL, &error);
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
  g_autoptr (HlLessonValues) high = bench_of ("load-holding.hllesson", "cbv.pilot_ratio", "3", NULL);
  run (high, NULL, NULL);
  g_assert_cmpfloat (hl_test_lesson_value (high, "max(v)"), >, 0.02);
}

/* The gain margin of the opened loop is where eigenvalues of the closed one cross. */
static void test_closing_the_loop (void) {
  g_autoptr (HlLessonValues) bench = bench_of ("closing-the-loop.hllesson", NULL);
  double margin = hl_test_lesson_value (bench, "loop.gain_margin(dcv.command)");

  for (int k = 0; k < 2; k++) {
    double factor = margin * (k == 0 ? 0.99 : 1.01);
    char kp[G_ASCII_DTOSTR_BUF_SIZE], ki[G_ASCII_DTOSTR_BUF_SIZE], kd[G_ASCII_DTOSTR_BUF_SIZE];
    g_autoptr (HlLessonValues) other = bench_of (
        "closing-the-loop.hllesson", "dcv.command.kp", g_ascii_dtostr (kp, sizeof kp, 30.0 * factor),
        "dcv.command.ki", g_ascii_dtostr (ki, sizeof ki, 90.0 * factor), "dcv.command.kd",
        g_ascii_dtostr (kd, sizeof kd, 0.1 * factor), NULL);
    hl_assert_near (hl_test_lesson_value (other, "eig.unstable"), k == 0 ? 0 : 2, 0, 0);
  }
}

/* Everything that comes in goes out or becomes heat, and what goes out is the weight that was lifted, as
 * a run records it. */
static void test_power (void) {
  g_autoptr (HlLessonValues) bench = bench_of ("where-does-the-power-go.hllesson", NULL);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  double in = hl_test_lesson_value (bench, "energy.in()");

  hl_assert_near (hl_test_lesson_value (bench, "energy.lost() + energy.out()"), in, 1e-5, 0);
  g_ptr_array_add (wanted, (gpointer) "energy.potential");
  hl_lesson_values_run (bench, NULL, NULL, wanted, NULL, NULL, &error);
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

/* --- the tangent, by one mass on one spring --- */

/* Brown and McPhee's law of the example's seals at a tenth [N], and its slope at rest. */
static double seal_force (double v) {
  double a = fabs (v) / 0.0125, bump = a / pow (0.25 * a * a + 0.75, 2);

  return copysign (0.1 * (210.0 * tanh (4.0 * a) + 620.0 * bump + 330.0 * fabs (v) * tanh (4.0)), v);
}

#define SEAL_SLOPE (0.1 * (4.0 * 210.0 / 0.0125 + 620.0 / 0.0125 * 16.0 / 9.0 + 330.0 * 0.99932929973906704))

/* x'' = -(k x + force (x')) / m by the classical Runge-Kutta method, `linear`: with the slope at rest. */
static void advance (double x[2], double k, double m, double h, gboolean linear) {
  double at[2] = {x[0], x[1]}, sum[2] = {0, 0};
  static const double weights[] = {1, 2, 2, 1}, on[] = {0.5, 0.5, 1, 0};

  for (int stage = 0; stage < 4; stage++) {
    double force = linear ? SEAL_SLOPE * at[1] : seal_force (at[1]);
    double slope[2] = {at[1], -(k * at[0] + force) / m};
    for (int i = 0; i < 2; i++) {
      sum[i] += weights[stage] * slope[i];
      at[i] = x[i] + on[stage] * h * slope[i];
    }
  }
  for (int i = 0; i < 2; i++)
    x[i] += h / 6.0 * sum[i];
}

/* What the linear response misses, over the motion, of a mass that is let go where the torque held it. Mass and spring at the
 * piston follow from the published pair (re, im) of this friction and the slope of its law; the lever arm at 60 degrees is 0.5 m. */
static double tangent_error (double torque, double re, double im) {
  double m = SEAL_SLOPE / (-2.0 * re), k = m * (re * re + im * im), x0 = torque / (0.5 * k);
  double curved[2] = {x0, 0}, straight[2] = {x0, 0}, most = 0, low = x0, high = x0;

  for (int n = 0; n < 250000; n++) {
    advance (curved, k, m, 4e-6, FALSE);
    advance (straight, k, m, 4e-6, TRUE);
    most = fmax (most, fabs (curved[0] - straight[0]));
    low = fmin (low, curved[0]);
    high = fmax (high, curved[0]);
  }
  return most / (high - low);
}

/* 5 %: the throttle, which one mass on one spring does not have, damps as well. */
static void test_tangent (void) {
  json_t *golden = hl_test_golden_json ("linearization.json");
  double re = hl_test_json_number (golden, "cases.1.eigenvalues.nonzero.0.re");
  double im = hl_test_json_number (golden, "cases.1.eigenvalues.nonzero.0.im");
  static const char *const torques[] = {"250", "2500"};

  for (int k = 0; k < 2; k++) {
    g_autoptr (HlLessonValues) bench =
        bench_of ("how-far-does-the-tangent-carry.hllesson", "cyl.friction.scale", "0.1", "simulation.every",
                  "0.0005", "M2.signal.y.1", torques[k], "M2.signal.y.2", torques[k], NULL);
    run (bench, NULL, NULL);
    hl_assert_near (hl_test_lesson_value (bench, "linear.distance(phi2) / range(phi2, 1.5 s)"),
                    tangent_error (g_ascii_strtod (torques[k], NULL), re, im), 0.05, 0);
  }
  json_decref (golden);
}

/* Relief pressures on areas, and Bernoulli through two openings, by hand. */
static void test_force_map (void) {
  const double head = 0.024, rod = 0.012, tank = 1e5, opening = 0.6 * 1e-4 * 0.5, density = 850.0;
  g_autoptr (HlLessonValues) bench = bench_of ("the-force-velocity-map.hllesson", NULL);

  hl_assert_near (hl_test_lesson_value (bench, "map.high(cyl, 0 m/s, 0 s)"),
                  head * (42e6 + tank) - rod * tank, 1e-12, 0);
  hl_assert_near (hl_test_lesson_value (bench, "map.low(cyl, 0 m/s, 0 s)"), head * tank - rod * (40e6 + tank),
                  1e-12, 0);
  for (double v = 0.02; v < 0.11; v += 0.04) {
    g_autofree char *force = g_strdup_printf ("map.force(cyl, %g m/s, 1 s)", v);
    double lost = 0.5 * density * pow (head * v / opening, 2),
           kept = 0.5 * density * pow (rod * v / opening, 2);
    hl_assert_near (hl_test_lesson_value (bench, force), head * (36e6 + tank - lost) - rod * (tank + kept),
                    1e-12, 0);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/all", test_all);
  g_test_add_func ("/lesson/left-and-resumed-at-each-step", test_resumed);
  g_test_add_func ("/lesson/translations", test_translations);
  g_test_add_func ("/lesson/why-it-rings", test_why_it_rings);
  g_test_add_func ("/lesson/trapped-oil", test_trapped_oil);
  g_test_add_func ("/lesson/differences", test_differences);
  g_test_add_func ("/lesson/shut-valve", test_shut_valve);
  g_test_add_func ("/lesson/stiff-enough", test_stiff_enough);
  g_test_add_func ("/lesson/load-holding", test_load_holding);
  g_test_add_func ("/lesson/closing-the-loop", test_closing_the_loop);
  g_test_add_func ("/lesson/power", test_power);
  g_test_add_func ("/lesson/tangent", test_tangent);
  g_test_add_func ("/lesson/force-map", test_force_map);
  return g_test_run ();
}
