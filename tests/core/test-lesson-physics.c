/* SPDX-License-Identifier: MIT */
/* The physics that the lessons claim, each by another method than that of the lesson: published numbers, closed forms,
 * balances, limits. And every lesson, in each language, goes through. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/document/hl-named-parameters.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-markup.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-static-check.h"
#include "tests/support/hl-test-lesson.h"
#include "tests/support/hl-test.h"

#define N_LESSONS 11

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

/* --- every number in the texts --- */

/* Words that say a number, and what they say. A German word may have an ending ("halbe", "zehnfach"). "one" and "two" are left
 * out: they are the German article and the pairs of things that a sentence is about. */
static const struct {
  const char *english, *german, *number;
} number_words[] = {
    {"three", "drei", "3"},
    {"four", "vier(?:fach\\w*)?", "4"},
    {"eight", "acht", "8"},
    {"nine", "neun", "9"},
    {"ten", "zehn(?:mal|fach\\w*)?", "10"},
    {"sixteen", "sechzehn", "16"},
    {"hundred", "hundert\\w*", "100"},
    {"half", "halb\\w*|hälfte", "1/2"},
    {"thirds", "zwei drittel\\w*", "2/3"},
    {"third", "drittel", "1/3"},
    {"quarter", "viertel\\w*", "1/4"},
    {"eighth", "achtel", "1/8"},
    {"tenth", "zehntel", "1/10"},
    {"thousandth|thousandths", "tausendstel\\w*", "1/1000"},
    {"twice|double", "doppelt(?:e[nrs]?)?|verdoppeln", "2"},
};

/* Units as texts write them, and as formulas do. */
static const struct {
  const char *shown, *unit;
} text_units[] = {{"°", "deg"},   {"cm²", "cm2"}, {"cm³", "cm3"}, {"N·m", "N m"}, {"mm/s", "mm/s"},
                  {"m/s", "m/s"}, {"L/s", "L/s"}, {"MPa", "MPa"}, {"bar", "bar"}, {"kN", "kN"},
                  {"kg", "kg"},   {"ms", "ms"},   {"mm", "mm"},   {"Hz", "Hz"},   {"J", "J"},
                  {"L", "L"},     {"m", "m"},     {"s", "s"},     {"%", "%"},     {"L/min", "L/min"},
                  {"N", "N"}};

/* How a number is checked. */
typedef struct {
  const char *lesson;
  int step; /* from 1; 0: title and line of the gallery */
  const char *number;
  /* Condition at the end of the step, before the student changes the model, # stands for the number. TASK: the lesson's own
   * condition, answer or setup has this number, so that `lesson check` computes it. */
  const char *condition;
  const char *change; /* "PATH=FORMULA": made before, and the model run; NULL: nothing */
} NumberCheck;

#define TASK "in the block of the step"
#define DEFINITION "no claim about the model: " /* and why */

#define SERVO "closing-the-loop"
#define EXACT "exact-or-by-differences"
#define TANGENT "how-far-does-the-tangent-carry"
#define HOLDING "load-holding"
#define MAP "the-force-velocity-map"
#define SPRING "trapped-oil-is-a-spring"
#define STIFF "when-is-oil-stiff-enough"
#define POWER "where-does-the-power-go"
#define RINGS "why-it-rings"
#define SHUT "a-valve-that-is-shut"
#define TRAILER "first-drawing"
#define PISTON "(pi / 4 * cyl1.piston_diameter^2)"
#define WORKABLE(kp)                                                                                         \
  "with(dcv.command.kp, " kp ", loop.phase_margin(dcv.command)) > 60 deg and with(dcv.command.kp, " kp       \
  ", loop.gain_margin(dcv.command)) > 2 and with(dcv.command.kp, " kp                                        \
  ", loop.crossover(dcv.command)) > 2.5 Hz"
#define SMOOTH "max(v) < 1 mm/s and min(v) > -80 mm/s"
/* of a flow through an opening of C_d a = 0.6 * 0.5 cm2 */
#define LOSS(area) "fluid.density / 2 * (cyl." area " * 0.1 m/s / (ph.Cd * 0.5 cm2))^2 = # ± 1 %"

static const NumberCheck number_checks[] = {
    {TRAILER, 2, "2", "count(ground) = #", NULL},
    {TRAILER, 3, "3 m", "link1.points.A.x - link1.points.O1.x = #", NULL},
    {TRAILER, 3, "0 deg", "link1.angle = # ± 0.001 deg", NULL},
    {TRAILER, 4, "1.8 m", "link1.points.B.x - link1.points.O1.x = # ± 1 %", NULL},
    {TRAILER, 5, "200 N", "force1.signal = #", NULL},
    {TRAILER, 6, "0.1 s", "valve1.command.t.1 = # and valve1.command.t.2 = #", NULL},
    {TRAILER, 6, "0", "valve1.command.y.1 = #", NULL},
    {TRAILER, 6, "1", "valve1.command.y.2 = # and valve1.command.y.3 = #", NULL},
    {TRAILER, 7, "1",
     "count(flow-source) = # and count(check-valve) = # and count(relief-valve) = # and count(tank) = #",
     NULL},
    {TRAILER, 9, "20 MPa", "relief1.pressure = #", NULL},
    {TRAILER, 11, "30 L/min", "pump1.flow = # ± 0.01 %", NULL},
    {TRAILER, 11, "50 cm2", PISTON " = # ± 1 %", NULL},
    {TRAILER, 11, "100 mm/s", "pump1.flow / " PISTON " = # ± 1 %", NULL},
    /* The cylinder from (1, -0.5) m to (1.8, 0) m acts at 0.9 / 0.943 m from the hinge. */
    {TRAILER, 11, "5 deg",
     "range(link1.angle) = # ± 10 % and pump1.flow / " PISTON " * 0.9 s / (0.9 / 0.943 * 1 m/rad) = # ± 10 %",
     NULL},
    {TRAILER, 11, "1 s", "simulation.t_end = #", NULL},
    {SHUT, 2, "0.2 s", "dump.opening.t.1 = # and dump.opening.y.1 = 1 and dump.opening.y.2 = 0", NULL},
    {SHUT, 2, "10 kN", "load1.signal = #", NULL},
    {SHUT, 4, "0.45 m", TASK, NULL},
    {SHUT, 4, "2/3", "max(x1) < 0.45 m", "pump.flow=pump.flow * #"},
    {SERVO, 1, "200 kg", "load.mass = #", NULL},
    {SERVO, 1, "30 mm", "dcv.command.target.y.2 - dcv.command.target.y.1 = # ± 0.001 mm", NULL},
    {SERVO, 2, "1", DEFINITION "a loop oscillates by itself where its gain is 1", NULL},
    {SERVO, 3, "180",
     "with(dcv.command.kp, # * 0.95, eig.unstable) = 0 and with(dcv.command.kp, #, eig.unstable) = 2", NULL},
    {SERVO, 4, "1/2", "A.volume * # = 5e-5 m3 and B.volume * # = 5e-5 m3", NULL},
    {SERVO, 4, "2", "A.volume * # = 2e-4 m3 and B.volume * # = 2e-4 m3", NULL},
    {SERVO, 5, "60 deg", TASK, NULL},
    {SERVO, 5, "2", TASK, NULL},
    {SERVO, 5, "2.5 Hz", TASK, NULL},
    {SERVO, 5, "40", WORKABLE ("#"), NULL},
    {SERVO, 5, "55", WORKABLE ("#"), NULL},
    {SERVO, 6, "0.5 m", "first(x, final) = # ± 0.1 mm", NULL},
    {SERVO, 6, "0.1 s", "dcv.command.target.t.2 = #", NULL},
    {SERVO, 6, "0.53 m", "dcv.command.target.y.2 = #", NULL},
    {SERVO, 6, "1/8", "overshoot(x, 0.1 s, final) = # ± 10 %", NULL},
    {EXACT, 1, "3", "count(bodies) = # and count(lines) - count(pressure-source) - count(tank) = #", NULL},
    {EXACT, 2, "3", "count(bodies) = # and count(lines) - count(pressure-source) - count(tank) = #", NULL},
    {EXACT, 2, "9", "3 * count(bodies) = #", NULL},
    {EXACT, 2, "4", "count(revolute) = #", NULL},
    {EXACT, 2, "8", "2 * count(revolute) = #", NULL},
    {EXACT, 3, "9", "3 * count(bodies) = #", NULL},
    {EXACT, 3, "3", "count(lines) - count(pressure-source) - count(tank) = #", NULL},
    {EXACT, 3, "16", "difference.null - eig.null = # and 2 * 2 * count(revolute) = #", NULL},
    {EXACT, 3, "8", "2 * count(revolute) = #", NULL},
    {EXACT, 4, "1e-2", TASK, NULL},
    {EXACT, 4, "0.01", TASK, NULL},
    {EXACT, 4, "1e-5", TASK, NULL},
    {EXACT, 4, "1e-15", TASK, NULL},
    {EXACT, 4, "16", "2^53 < 10^# and 2^53 > 10^(# - 1)", NULL}, /* digits of the significand of a double */
    {EXACT, 5, "0.01", "pair.count = 1", "cyl.friction.scale=#"},
    {TANGENT, 1, "1.5 s", "M2.signal.t.2 = # and M2.signal.t.3 = # and M2.signal.y.3 = 0", NULL},
    {TANGENT, 3, "100", "M2.signal.y.1 = # * 25 N m", NULL},
    {TANGENT, 3, "2500 N m", "M2.signal.y.1 = #", NULL},
    {TANGENT, 3, "1/10", TASK, NULL},
    /* The arm is sin(phi / 2) * 1 m, which at 60 degrees changes by half a cotangent of 30 degrees for each radian. */
    {TANGENT, 4, "1/1000", "range(phi2, 1.5 s, large) * 0.5 * sqrt(3) < # rad", NULL},
    {TANGENT, 5, "2 %", TASK, NULL},
    {TANGENT, 5, "1 m/s", "linear.distance(phi2) < 0.02 * range(phi2, 1.5 s)", "cyl.friction.vs=#"},
    {HOLDING, 2, "3", "cbv.pilot_ratio = #", NULL},
    {HOLDING, 2, "0.3 s", "dcv.command.t.1 = # and dcv.command.y.1 = 0 and dcv.command.y.2 < 0", NULL},
    {HOLDING, 4, "80 mm/s", TASK, NULL},
    {HOLDING, 4, "1", TASK, NULL},
    {HOLDING, 4, "1.5", SMOOTH, "cbv.pilot_ratio=#"},
    {HOLDING, 5, "1.5", "cbv.pilot_ratio = # and " SMOOTH, NULL},
    {HOLDING, 5, "1", SMOOTH, "cbv.pilot_ratio=#"},
    {HOLDING, 6, "1", "cbv.pilot_ratio = #", NULL},
    /* without the bleed valve and the regeneration valve, which is closed */
    {MAP, 1, "4", "count(metering-valve) - 2 = # and regen.opening = 0", NULL},
    {MAP, 3, "100 kN", TASK, NULL},
    {MAP, 3, "500 kN", TASK, NULL},
    {MAP, 4, "1/2", "ph.opening.y.2 = # and ph.opening.y.3 = # and tr.opening.y.2 = # and tr.opening.y.3 = #",
     NULL},
    {MAP, 4, "1 s", "ph.opening.t.2 < # and ph.opening.t.3 > #", NULL},
    {MAP, 4, "0.5 cm2", "ph.area * ph.opening.y.2 = # and tr.area * tr.opening.y.2 = #", NULL},
    {MAP, 4, "0.6", "ph.Cd = # and tr.Cd = #", NULL},
    {MAP, 4, "36.1 MPa", "pump_relief.pressure + tank.pressure = # ± 0.01 %", NULL},
    {MAP, 4, "0.1 m/s", TASK, NULL},
    {MAP, 4, "2.4 L/s", "cyl.piston_area * 0.1 m/s = # ± 0.01 %", NULL},
    {MAP, 4, "1.2 L/s", "cyl.rod_side_area * 0.1 m/s = # ± 0.01 %", NULL},
    {MAP, 4, "2.7 MPa", LOSS ("piston_area"), NULL},
    {MAP, 4, "0.68 MPa", LOSS ("rod_side_area"), NULL},
    {MAP, 5, "0.1 m/s", TASK, NULL},
    {MAP, 5, "0.2 m/s", TASK, NULL},
    {MAP, 5, "0", "map.force(cyl, # m/s, 1 s) > map.force(cyl, 0.1 m/s, 1 s)", NULL},
    {MAP, 5, "1/2", TASK, NULL},
    {MAP, 7, "830 kN", TASK, NULL},
    {MAP, 7, "0.1 m/s", TASK, NULL},
    {MAP, 7, "2", "map.force(cyl, 0.1 m/s, 1 s) > 830 kN", "ph.area=ph.area * #"},
    {MAP, 7, "1/4", "1 / 2^2 = #", NULL}, /* of Bernoulli, at twice the area */
    {SPRING, 1, "2 kN", "push.signal.y.2 = # and push.signal.y.1 = 0 and push.signal.y.4 = 0", NULL},
    {SPRING, 1, "50 ms", "push.signal.t.4 - push.signal.t.2 = # ± 0.01 %", NULL},
    {SPRING, 1, "475 cm3",
     "cyl.piston_area * cyl.stroke / 2 + A.volume = # ± 0.01 % and cyl.rod_side_area * cyl.stroke / 2 + "
     "B.volume = # ± 0.01 %",
     NULL},
    {SPRING, 2, "475 cm3", "cyl.piston_area * cyl.stroke / 2 + A.volume = # ± 0.01 %", NULL},
    {SPRING, 3, "1/2", "pair.frequency(1) * # = 21.2 Hz ± 1 %", NULL},
    {SPRING, 3, "5 %", TASK, NULL},
    {SPRING, 3, "4", "pair.frequency(1) = 21.2 Hz ± 5 %", "load.mass=load.mass * #"},
    {SPRING, 3, "1/4", "pair.frequency(1) = 21.2 Hz ± 5 %", "fluid.bulk_modulus=fluid.bulk_modulus * #"},
    {SPRING, 4, "200 kg", "load.mass = #", NULL},
    {SPRING, 4, "5 L", "A.volume = #", NULL},
    {SPRING, 4, "0.1 L", "B.volume = #", NULL},
    {SPRING, 4, "1/2", "(pair.frequency(1) / 42.4 Hz)^2 = # ± 10 %", NULL},
    {SPRING, 4, "0.475 L", "cyl.piston_area * cyl.stroke / 2 + B.volume = # ± 0.01 %", NULL},
    {SPRING, 5, "42.4 Hz", "with(fluid.air_fraction, 0, pair.frequency(1)) = # ± 0.2 %", NULL},
    {SPRING, 5, "0.014", "with(fluid.air_fraction, 0, pair.damping(1)) = # ± 4 %", NULL},
    {STIFF, 0, "3", "oil(lumped) + oil(hybrid) + oil(quasistatic) = # - 2",
     NULL}, /* one of them is the model's own */
    {STIFF, 1, "3", "oil(lumped) + oil(hybrid) + oil(quasistatic) = # - 2", NULL},
    {STIFF, 1, "4", "count(metering-valve) - 2 = # and regen.opening = 0", NULL},
    {STIFF, 3, "10", "fluid.bulk_modulus / 150 MPa = #", NULL},
    {STIFF, 3, "1/10", "150 MPa / fluid.bulk_modulus = #", NULL},
    {STIFF, 3, "150 MPa", "fluid.bulk_modulus < 160 MPa", "fluid.bulk_modulus=#"},
    {STIFF, 4, "10", "1500 MPa / fluid.bulk_modulus = #", NULL},
    /* what an oscillator keeps of a command that rises evenly for that long: at most 1 / (pi f T) */
    {STIFF, 5, "0.5 s", "1 / (pi * 10 Hz * #) < 0.1", NULL},
    {STIFF, 5, "10 Hz", "1 / (pi * # * 0.5 s) < 0.1", NULL},
    {POWER, 1, "20 bar", "pump.margin = #", NULL},
    {POWER, 2, "20 bar", "pump.margin = #", NULL},
    {POWER, 4, "20 bar", "pump.margin = #", NULL},
    {POWER, 4, "600 J", "energy.lost() - # = 2.57 kJ ± 1 %", NULL},
    {POWER, 4, "12 bar", "energy.lost() < 2.57 kJ and energy.out() > 2.3 kJ", "pump.margin=#"},
    {RINGS, 0, "73 Hz", "with(cyl.friction.scale, 0.01, pair.frequency(1)) = # ± 0.5 Hz", NULL},
    /* rods that hang from their ends: sqrt (3 g / (2 l)), of the longest and of the shortest */
    {RINGS, 2, "0.2",
     "sqrt(3 * 9.81 m/s2 / (2 * (link3.points.D.x - link3.points.C.x))) / (2 * pi) = # Hz ± 10 %", NULL},
    {RINGS, 2, "0.4 Hz",
     "sqrt(3 * 9.81 m/s2 / (2 * (link2.points.C.x - link2.points.O1.x))) / (2 * pi) = # ± 10 %", NULL},
    /* A church bell of 1000 kg sounds at about 330 Hz, and the frequency of similar bells goes with the cube root. */
    {RINGS, 2, "1000 Hz", "330 Hz * (1000 kg / (link2.mass + link3.mass + link4.mass))^(1/3) = # ± 50 %",
     NULL},
    {RINGS, 3, "10", "cyl.friction.scale * # = 0.1", NULL},
    {RINGS, 4, "10", "pair.damping(1) > 0.15 and pair.frequency(1) > 60 Hz",
     "cyl.friction.scale=cyl.friction.scale * #"},
    {RINGS, 4, "0.1", "pair.damping(1) > 0.15 and pair.frequency(1) > 60 Hz", "cyl.friction.scale=#"},
    {RINGS, 5, "1.5 s", "M2.signal.t.3 = # and M2.signal.y.3 = 0", NULL},
    {RINGS, 5, "60 ms", "settling(phi2, 1.5 s, ringing) < # and 1.56 s - 1.5 s = # ± 0.01 %", NULL},
    {RINGS, 5, "14 ms", "1 / pair.frequency(1) = # ± 5 %", NULL},
    {RINGS, 5, "1/3", "exp(-2 * pi * pair.damping(1) / sqrt(1 - pair.damping(1)^2)) = # ± 10 %", NULL},
    {RINGS, 6, "0.9", TASK, NULL},
    {RINGS, 6, "0.5", "with(cyl.friction.scale, #, pair.damping(1)) < 0.9", NULL},
    {RINGS, 6, "0.6", "with(cyl.friction.scale, #, pair.count) = 0", NULL},
    {RINGS, 7, "0.57",
     "with(cyl.friction.scale, # * 1.01, pair.count) = 0 and with(cyl.friction.scale, # * 0.98, pair.count) "
     "= 1",
     NULL},
    {RINGS, 8, "1/1000", "resting(link2.angle) > 2 * # deg and resting(link2.angle) < 9 * # deg", NULL},
};

typedef struct {
  GRegex *number;
  gboolean is_german;
} Reader;

/* Goes on after it, so that one run shows all. */
static void report (const char *format, ...) G_GNUC_PRINTF (1, 2);

static void report (const char *format, ...) {
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_test_message ("%s", text);
  g_test_fail ();
}

static char *number_pattern (gboolean is_german) {
  g_autoptr (GString) words = g_string_new (NULL);
  g_autoptr (GString) units = g_string_new (NULL);

  for (guint k = 0; k < G_N_ELEMENTS (number_words); k++)
    g_string_append_printf (words, "%s(?:%s)", k > 0 ? "|" : "",
                            is_german ? number_words[k].german : number_words[k].english);
  for (guint k = 0; k < G_N_ELEMENTS (text_units); k++)
    g_string_append_printf (units, "%s%s|%s", k > 0 ? "|" : "", text_units[k].shown, text_units[k].unit);
  return g_strdup_printf (
      "(?<![\\w.,])(?:(\\d+(?:[.,]\\d+)?(?:e-?\\d+)?)(?:[  -]?(%s)(?![\\w/]))?|(%s)(?![\\w-]))", units->str,
      words->str);
}

/* "0,5 cm²" as "0.5 cm2", "zehnfach" as "10"; owned by the caller. */
static char *plain_number (const GMatchInfo *match, gboolean is_german) {
  g_autofree char *digits = g_match_info_fetch (match, 1);
  g_autofree char *unit = g_match_info_fetch (match, 2);
  g_autofree char *word = g_match_info_fetch (match, 3);

  for (guint k = 0; word != NULL && *word != '\0' && k < G_N_ELEMENTS (number_words); k++) {
    g_autofree char *whole =
        g_strdup_printf ("^(?:%s)$", is_german ? number_words[k].german : number_words[k].english);
    if (g_regex_match_simple (whole, word, G_REGEX_CASELESS, 0))
      return g_strdup (number_words[k].number);
  }
  g_strdelimit (digits, ",", '.');
  for (guint k = 0; unit != NULL && k < G_N_ELEMENTS (text_units); k++)
    if (strcmp (text_units[k].shown, unit) == 0 || strcmp (text_units[k].unit, unit) == 0)
      return g_strdup_printf ("%s %s", digits, text_units[k].unit);
  return g_strdup (digits);
}

/* The numbers of a text, without formulas that show a present number and without letters of equations. */
static void read_numbers (const Reader *reader, const char *text, int step, GHashTable *found) {
  g_autoptr (GRegex) marks = g_regex_new ("\\{[^}]*\\}|\\$[^$]*\\$|`[^`]*`", G_REGEX_DEFAULT, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (text == NULL)
    return;
  g_autofree char *plain = g_regex_replace_literal (marks, text, -1, 0, " ", 0, NULL);
  for (g_regex_match (reader->number, plain, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *number = plain_number (match, reader->is_german);
    g_hash_table_add (found, g_strdup_printf ("%d: %s", step, number));
  }
}

static void read_step (const Reader *reader, const HlLessonStep *step, int at, GHashTable *found) {
  const char *texts[] = {step->title, step->hint, step->low, step->high, step->why};
  const GPtrArray *parts[] = {step->before, step->after};

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
    read_numbers (reader, texts[k], at, found);
  for (guint part = 0; part < G_N_ELEMENTS (parts); part++)
    for (guint k = 0; k < parts[part]->len; k++) {
      const HlLessonBlock *block = parts[part]->pdata[k];
      if (block->kind != HL_LESSON_FORMULA)
        read_numbers (reader, block->text, at, found);
    }
  for (guint k = 0; k < step->choices->len; k++) {
    const HlLessonChoice *choice = step->choices->pdata[k];
    read_numbers (reader, choice->text, at, found);
    read_numbers (reader, choice->why, at, found);
  }
}

/* "STEP: NUMBER", each once. */
static GHashTable *numbers_of (const HlLesson *lesson) {
  Reader reader = {NULL, strcmp (lesson->language, "de") == 0};
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *pattern = number_pattern (reader.is_german);
  g_autoptr (GError) error = NULL;

  reader.number = g_regex_new (pattern, G_REGEX_CASELESS, 0, &error);
  g_assert_no_error (error);
  read_numbers (&reader, lesson->title, 0, found);
  read_numbers (&reader, lesson->about, 0, found);
  for (guint k = 0; k < lesson->steps->len; k++)
    read_step (&reader, lesson->steps->pdata[k], (int)k + 1, found);
  g_regex_unref (reader.number);
  return found;
}

static double pure_value (const char *number) {
  HlFormulaValue value;

  return hl_formula_evaluate (number, NULL, NULL, &value, NULL, NULL) ? value.value : NAN;
}

/* Whether a block of the step has the number. */
static gboolean stands_in_block (const HlLessonStep *step, const char *number) {
  g_autoptr (GString) block = g_string_new (NULL);
  g_autofree char *pattern = number_pattern (FALSE);
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_DEFAULT, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  const char *texts[] = {step->until, step->answer};
  gboolean is_there = FALSE;

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++)
    g_string_append_printf (block, "%s ", texts[k] != NULL ? texts[k] : "");
  for (guint k = 0; k < step->choices->len; k++)
    g_string_append_printf (block, "%s ", ((const HlLessonChoice *)step->choices->pdata[k])->when);
  for (guint k = 0; k < step->setup->len; k++)
    g_string_append_printf (block, "%s ", ((const HlLessonAct *)step->setup->pdata[k])->value);
  g_strdelimit (block->str, "(", ' ');
  for (g_regex_match (regex, block->str, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *there = plain_number (match, FALSE);
    is_there =
        is_there || fabs (pure_value (there) - pure_value (number)) <= 1e-12 * fabs (pure_value (number));
  }
  return is_there;
}

static char *with_number (const char *text, const char *number) {
  g_auto (GStrv) parts = g_strsplit (text, "#", -1);

  return g_strjoinv (number, parts);
}

/* The model of the step as its student finds it, with the lesson's runs. */
static HlLessonValues *values_at (const HlLessonSession *play, const HlDocument *document, int at) {
  HlLessonValues *bench = hl_lesson_values_new (document);

  HlLessonRun *last = hl_lesson_session_run (play, NULL);

  if (last != NULL)
    hl_lesson_values_take_run (bench, NULL, last);
  for (int step = 0; step <= at; step++) {
    const GPtrArray *runs = hl_lesson_step (hl_lesson_session_lesson (play), step)->runs;
    for (guint k = 0; k < runs->len; k++) {
      const HlLessonAct *act = runs->pdata[k];
      HlLessonRun *made = hl_lesson_session_run (play, act->name);
      if (made != NULL)
        hl_lesson_values_take_run (bench, act->name, made);
    }
  }
  return bench;
}

static void check_number (const NumberCheck *check, const HlLessonSession *play, const HlDocument *document) {
  const HlLessonStep *step = hl_lesson_session_step (play);
  g_autoptr (HlLessonValues) bench = values_at (play, document, hl_lesson_session_at (play));
  g_autoptr (GError) error = NULL;
  gboolean holds = FALSE;

  if (g_str_has_prefix (check->condition, DEFINITION))
    return;
  if (strcmp (check->condition, TASK) == 0) {
    if (!stands_in_block (step, check->number))
      report ("%s, step %d: no block has the number %s", check->lesson, check->step, check->number);
    return;
  }
  if (check->change != NULL) {
    g_autofree char *change = with_number (check->change, check->number);
    g_auto (GStrv) sides = g_strsplit (change, "=", 2);
    g_autofree char *value = g_strdup_printf ("%.17g", hl_test_lesson_value (bench, sides[1]));
    g_autoptr (HlDocument) changed = hl_document_with_text (document, sides[0], value, &error);
    g_assert_no_error (error);
    hl_lesson_values_set_document (bench, changed);
    run (bench, NULL, NULL);
  }
  g_autofree char *text = with_number (check->condition, check->number);
  g_autoptr (HlCondition) condition = hl_condition_parse (text, &error);
  g_assert_no_error (error);
  hl_condition_evaluate (condition, hl_lesson_values_words (bench), &holds, &error);
  g_autofree char *numbers =
      error == NULL ? hl_condition_numbers (condition, hl_lesson_values_words (bench)) : NULL;
  if (!holds)
    report ("%s, step %d: %s does not hold: %s", check->lesson, check->step, text,
            numbers != NULL ? numbers : error->message);
}

/* Plays a lesson, checks each number of each step where it stands, and takes it out of `found`. */
static void check_numbers (const char *stem, const char *path, GHashTable *found) {
  g_autoptr (HlLessonSession) play = open_play (path);

  do {
    int at = hl_lesson_session_at (play) + 1;
    g_autoptr (HlDocument) document = hl_document_ref (hl_lesson_session_document (play));
    gboolean draws = hl_lesson_session_step (play)->goes_on;
    do_step (play);
    g_free (look (play));
    if (draws) { /* what the text speaks of is there only then */
      hl_document_unref (document);
      document = hl_document_ref (hl_lesson_session_document (play));
    }
    for (guint k = 0; k < G_N_ELEMENTS (number_checks); k++) {
      const NumberCheck *check = &number_checks[k];
      g_autofree char *key = g_strdup_printf ("%d: %s", check->step, check->number);
      if (strcmp (check->lesson, stem) != 0 || MAX (check->step, 1) != at)
        continue;
      if (!g_hash_table_remove (found, key))
        report ("%s: no text has the number %s", stem, key);
      check_number (check, play, document);
    }
  } while (hl_lesson_session_next (play));
  GHashTableIter iter;
  gpointer number;
  g_hash_table_iter_init (&iter, found);
  if (g_hash_table_iter_next (&iter, &number, NULL))
    report ("%s: no check computes the number of step %s", stem, (char *)number);
}

static void test_numbers (void) {
  g_autoptr (GDir) dir = g_dir_open (g_getenv ("HL_LESSONS_DIR"), 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    if (!g_str_has_suffix (name, HL_LESSON_SUFFIX) || g_str_has_suffix (name, ".de" HL_LESSON_SUFFIX))
      continue;
    g_autofree char *path = lesson_path (name);
    g_autofree char *stem = g_strndup (name, strlen (name) - strlen (HL_LESSON_SUFFIX));
    g_autofree char *german_name = g_strconcat (stem, ".de" HL_LESSON_SUFFIX, NULL);
    g_autofree char *german_path = lesson_path (german_name);
    g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
    g_autoptr (HlLesson) lesson = hl_lesson_load (path, problems);
    g_autoptr (HlLesson) german = hl_lesson_load (german_path, problems);
    g_autoptr (GHashTable) found = numbers_of (lesson);
    g_autoptr (GHashTable) german_found = numbers_of (german);
    g_autoptr (GList) keys = g_hash_table_get_keys (found);
    g_test_message ("%s: %u numbers", stem, g_hash_table_size (found));
    for (GList *key = keys; key != NULL; key = key->next)
      if (!g_hash_table_remove (german_found, key->data))
        report ("%s: the German text does not have the number %s", stem, (char *)key->data);
    GHashTableIter iter;
    gpointer number;
    g_hash_table_iter_init (&iter, german_found);
    if (g_hash_table_iter_next (&iter, &number, NULL))
      report ("%s: only the German text has the number %s", stem, (char *)number);
    check_numbers (stem, path, found);
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

/* The pump's flow goes to the cylinder of lowest pressure: each piston moves at flow over area, one at a
 * time. */
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

/* Returns the error of the linear response, relative to the motion, for a mass released from the position at
 * which the torque held it. Mass and spring at the piston follow from the published pair (re, im) of this
 * friction and the slope of its law; the lever arm at 60 degrees is 0.5 m. */
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
  g_test_add_func ("/lesson/numbers", test_numbers);
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
