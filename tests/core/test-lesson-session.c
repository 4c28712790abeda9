/* SPDX-License-Identifier: MIT */
/* Lessons as files and as a machine: what is broken is named with its line, and a lesson that is gone
 * through waits, answers, keeps what is locked, hides faults, and goes on from what was kept. */
#include <math.h>
#include <string.h>

#include "core/document/hl-document.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-markup.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-report.h"
#include "core/lesson/hl-lesson-static-check.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"

#define HEAD "---\ntitle: T\nmodel: four-bar.hydrolink\n---\n"

static HlLesson *read_lesson (const char *text) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  HlLesson *lesson = hl_lesson_parse (text, strlen (text), problems);

  for (guint k = 0; k < problems->len; k++)
    g_error ("%d: %s", ((HlLessonProblem *)problems->pdata[k])->line,
             ((HlLessonProblem *)problems->pdata[k])->text);
  return lesson;
}

/* --- files --- */

/* The problems of a text, with the four-bar as its model where it can be read. */
static GPtrArray *problems_of (const char *text) {
  GPtrArray *problems = hl_lesson_problems_new ();
  g_autoptr (HlLesson) lesson = hl_lesson_parse (text, strlen (text), problems);
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");

  if (lesson != NULL)
    hl_lesson_verify (lesson, document, NULL, problems);
  return problems;
}

#define DO(until, solution) HEAD "# S\n```do\nuntil: " until "\nsolution: " solution "\n```\n"
#define SETUP(line) HEAD "# S\n```setup\n" line "\n```\n"
#define ASK(lines) HEAD "# S\n```predict\n" lines "\n```\n"
#define FINE "set cyl.friction.scale 0.5"

static void test_broken (void) {
  static const struct {
    const char *text;
    int line;
    const char *because;
  } cases[] = {
      {"", 1, "head of the lesson is missing"},
      {"---\ntitle: T\n", 1, "not closed"},
      {"---\nmodel: m\n---\n# S\n", 1, "no title"},
      {"---\ntitle: T\n---\n# S\n", 1, "no model"},
      {HEAD, 1, "no step"},
      {"---\ntitle: T\ncolor: red\nmodel: m\n---\n# S\n", 3, "color"},
      {SETUP ("locus: cyl.friction.scale 1 to 0.1"), 7, "not a range"},
      {SETUP ("locus: nobody.there 1 to 2"), 7, "nobody"},
      {SETUP ("time: 0 mm to 60 mm"), 7, "range of time"},
      {SETUP ("time: 60 ms"), 7, "range of time"},
      {SETUP ("traces: phi2, nobody"), 7, "nobody"},
      {SETUP ("overlay: never"), 7, "never"},
      {SETUP ("response: maybe"), 7, "on or off"},
      {ASK ("answer: eig.count\nwhy: so"), 8, "after a choice"},
      {ASK ("choice: a\nif: eig.count > 0\nchoice: b\nif: eig.count < 0\nlow: x"), 11, "number is asked"},
      {ASK ("answer: eig.count\nlow: {nobody}"), 8, "nobody"},
      {HEAD "Text\n# S\n", 5, "start a step"},
      {HEAD "# S\na **b\n", 6, "not closed"},
      {HEAD "# S\n$ k = (B\n", 6, ""},
      {HEAD "# S\n![a](photo)\n", 6, "picture"},
      {HEAD "# S\n```do\nuntil: 1 < 2\n", 6, "not closed"},
      {HEAD "# S\n```dance\n```\n", 6, "dance"},
      {HEAD "# S\n```do\n```\n", 6, "until"},
      {HEAD "# S\n```do\nuntil: link2.mass > 3 kg\n```\n", 6, "solution"},
      {HEAD "# S\n```run\n```\n", 6, "run"},
      {HEAD "# S\n```run\nrun: syrup\n```\n", 7, "syrup"},
      {HEAD "# S\n```run\nrun:\n```\n```run\nrun:\n```\n", 9, "one task"},
      {DO ("link2.weight > 3 kg", FINE), 7, "weight"},
      {DO ("link2.mass > 3 bar", FINE), 7, "cannot be compared"},
      {DO ("1 < 2", FINE), 7, "does not depend on the model"},
      {DO ("eig.damping(1) > 1.5", FINE), 7, "never be true"},
      {DO ("cyl.friction.scale < -1", FINE), 7, "never be true"},
      {DO ("pair.count < 0", FINE), 7, "never be true"},
      {DO ("link2.mass > 3 kg and link2.mass < 2 kg", FINE), 7, "never be true"},
      {DO ("range(phi2) < 0 deg", FINE), 7, "never be true"},
      {DO ("max(phi2, one) > 1 deg", FINE), 7, "no earlier step"},
      {DO ("link2.mass > 3 kg", "set link2.weight 4"), 8, "weight"},
      {DO ("link2.mass > 3 kg", "set link2.mass heavy"), 8, "heavy"},
      {DO ("link2.mass > 3 kg", "set link2.mass -4"), 8, ""},
      {DO ("link2.mass > 3 kg", "lock link2.mass"), 8, "solution can"},
      {SETUP ("set: nobody.mass 3"), 7, "nobody"},
      {SETUP ("set: link2.mass"), 7, "write"},
      {SETUP ("lock: cyl.force"), 7, "not a number that can be set"},
      {SETUP ("oil: syrup"), 7, "syrup"},
      {SETUP ("show: moon"), 7, "moon"},
      {SETUP ("large: properties"), 7, "be large"},
      {SETUP ("target: damping 3 Hz"), 7, "target"},
      {SETUP ("target: weight 3 kg"), 7, "target"},
      {SETUP ("paint: red"), 7, "paint"},
      {SETUP ("just words"), 7, "KEY: VALUE"},
      {ASK ("unit: Hz"), 6, "an answer, choices"},
      {ASK ("answer: eig.count\nsketch: phi2\nrun:"), 6, "an answer, choices"},
      {ASK ("answer: eig.count\nunit: bar"), 7, "cannot be given in bar"},
      {ASK ("answer: eig.count\nunit: furlong"), 7, "furlong"},
      {ASK ("answer: eig.cunt"), 7, "cunt"},
      {ASK ("answer: eig.count\ntolerance: much"), 8, "tolerance"},
      {ASK ("choice: a\nif: eig.count > 2"), 6, "only one"},
      {ASK ("choice: a\nchoice: b\nif: eig.count > 2"), 7, "if"},
      {ASK ("if: eig.count > 2"), 7, "after a choice"},
      {ASK ("sketch: phi9\nfrom: 0\nto: 1\nrun:"), 6, "phi9"},
      {ASK ("sketch: phi2\nfrom: 0 bar\nto: 1 bar\nrun:"), 6, "cannot add"},
      {ASK ("sketch: phi2\nfrom: 1 deg\nto: 0 deg\nrun:"), 6, "from"},
      {ASK ("sketch: phi2\nrun:"), 6, "from"},
      {ASK ("sketch: phi2\nfrom: 0 deg\nto: 1 deg"), 6, "needs a run"},
      {HEAD "# S\n{link2.weight}\n", 6, "weight"},
      {HEAD "# S\n{link2.mass | bar}\n", 6, "cannot be given in bar"},
      {HEAD "# S\n{fault(leak)}\n", 6, "leak"},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autoptr (GPtrArray) problems = problems_of (cases[k].text);
    gboolean is_named = FALSE;
    for (guint j = 0; j < problems->len; j++) {
      const HlLessonProblem *problem = problems->pdata[j];
      is_named =
          is_named || (problem->line == cases[k].line && strstr (problem->text, cases[k].because) != NULL);
    }
    if (is_named)
      continue;
    for (guint j = 0; j < problems->len; j++)
      g_printerr ("%d: %s\n", ((HlLessonProblem *)problems->pdata[j])->line,
                  ((HlLessonProblem *)problems->pdata[j])->text);
    g_error ("‘%s’ of case %u is not named at line %d", cases[k].because, k, cases[k].line);
  }
}

static void test_missing_model (void) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (HlLesson) lesson = read_lesson ("---\ntitle: T\nmodel: no-such.hydrolink\n---\n# S\n");
  g_autoptr (HlDocument) document = hl_lesson_open_model (lesson, problems);

  g_assert_null (document);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_cmpint (((HlLessonProblem *)problems->pdata[0])->line, ==, 3);
  g_assert_nonnull (strstr (((HlLessonProblem *)problems->pdata[0])->text, "no-such"));
}

static char *value_of (gpointer data, const char *formula) {
  return strcmp (formula, "a | m") == 0 ? g_strdup ("3 <m>") : NULL;
}

static void test_inline (void) {
  static const char text[] = "an *old* **iron** `a<b` $k_p$ of {a | m}, {b} \\*5 * 3\\*";
  g_autofree char *plain = hl_lesson_inline (text, HL_LESSON_PLAIN, value_of, NULL);
  g_autofree char *html = hl_lesson_inline (text, HL_LESSON_HTML, value_of, NULL);

  g_assert_cmpstr (plain, ==, "an old iron a<b k_p of 3 <m>, … *5 * 3*");
  g_assert_cmpstr (html, ==,
                   "an <em>old</em> <strong>iron</strong> <code>a&lt;b</code> "
                   "<i>k</i><sub>p</sub><i></i> of <output>3 &lt;m&gt;</output>, "
                   "<output>…</output> *5 * 3*");
}

/* --- the machine --- */

static const char lesson_text[] =
    HEAD "# Read\nIt has {eig.count}.\n```setup\nset: cyl.friction.scale 0.01\nlock: link2.mass\n```\n"
         "# Do\n```do\nuntil: pair.damping(1) > 0.15\nsolution: set cyl.friction.scale 0.1\n```\n"
         "It rings at {pair.frequency(1) | Hz}.\n"
         "# Number\n```predict\nanswer: pair.frequency(1)\nunit: Hz\ntolerance: 10 %\n```\n"
         "# Choice\n```setup\nfault: leak cyl.leakage 1e-11\n```\n"
         "```predict\nchoice: a leak\nif: fault(leak) = 1\nchoice: none\nif: fault(leak) = 0\n```\n"
         "# Sketch\n```setup\nmend: leak\n```\n```predict\nsketch: phi2\nfrom: -1 deg\nto: 1 "
         "deg\ntolerance: 20 %\nrun: as one\n```\n"
         "{max(phi2, one) | mrad}\n"
         "# Watch\n```run\nrun:\n```\n";

static HlLessonSession *play_new (void) {
  return hl_lesson_session_new (read_lesson (lesson_text), hl_test_example ("four-bar.hydrolink"), NULL);
}

static gboolean answer (HlLessonSession *play) {
  g_autoptr (HlLessonJob) job = hl_lesson_session_new_job (play);

  hl_lesson_job_work (job, NULL, NULL);
  return hl_lesson_session_take (play, job);
}

static double number_at (const HlDocument *document, const char *path) {
  double number = NAN;

  g_assert_true (hl_document_get_number (document, path, &number, NULL, NULL));
  return number;
}

static void set (HlLessonSession *play, const char *path, double number, const char *touched) {
  const char *was;
  g_autoptr (HlDocument) changed =
      hl_document_with_number (hl_lesson_session_document (play), path, number, NULL);
  g_autoptr (HlDocument) kept = hl_lesson_session_take_document (play, changed, &was);

  g_assert_cmpstr (was, ==, touched);
}

/* That path alone is hidden; NULL: nothing is. */
static void assert_hidden (const HlLessonSession *play, const char *path) {
  g_auto (GStrv) hidden = hl_lesson_session_hidden (play);

  g_assert_cmpstr (hidden[0], ==, path);
  g_assert_true (hidden[0] == NULL || hidden[1] == NULL);
}

static void do_two (HlLessonSession *play) {
  g_assert_true (hl_lesson_session_next (play));
  g_assert_false (answer (play));
  g_assert_false (hl_lesson_session_next (play));
  set (play, "link2.mass", 77.0, "link2.mass"); /* is put back */
  hl_assert_near (number_at (hl_lesson_session_document (play), "link2.mass"), 2.0, 0, 0);
  set (play, "cyl.friction.scale", 0.1, NULL);
  g_assert_true (answer (play));
  g_assert_true (hl_lesson_session_next (play));
}

static void predict_two (HlLessonSession *play) {
  g_autoptr (GError) error = NULL;

  g_assert_false (answer (play)); /* no result is shown before the prediction */
  g_assert_false (hl_lesson_session_predict_number (play, "3 bar", &error));
  g_assert_nonnull (strstr (error->message, "Hz"));
  g_assert_true (hl_lesson_session_predict_number (play, "70", NULL));
  g_assert_false (hl_lesson_session_predict_number (play, "71", NULL)); /* it stands */
  g_assert_true (answer (play));
  g_assert_true (hl_lesson_session_record (play, 2)->is_hit);
  g_assert_true (hl_lesson_session_next (play));
  hl_assert_near (number_at (hl_lesson_session_document (play), "cyl.leakage"), 1e-11, 0, 0);
  assert_hidden (play, "cyl.leakage");
  set (play, "cyl.leakage", 3e-11, "cyl.leakage");
  g_assert_false (hl_lesson_session_predict_choice (play, 2));
  g_assert_true (hl_lesson_session_predict_choice (play, 1));
  g_assert_true (answer (play));
  g_assert_false (hl_lesson_session_record (play, 3)->is_hit);
  g_assert_cmpint (hl_lesson_session_record (play, 3)->right, ==, 0);
  g_assert_true (hl_lesson_session_next (play));
}

static void sketch_and_watch (HlLessonSession *play) {
  const double t[] = {0.0, 2.0, 4.0}, zeros[] = {0.0, 0.0, 0.0}, back[] = {0.0, 2.0, 1.0};

  hl_assert_near (number_at (hl_lesson_session_document (play), "cyl.leakage"), 0, 0, 0);
  assert_hidden (play, NULL);
  g_assert_false (hl_lesson_session_predict_sketch (play, back, zeros, 3));
  g_assert_true (hl_lesson_session_predict_sketch (play, t, zeros, 3));
  g_assert_true (answer (play));
  /* a constant sketch is off by the rms of three points of a curve, of its range: less than 1 */
  g_assert_cmpfloat (hl_lesson_session_record (play, 4)->answer, <, 1.0);
  g_assert_nonnull (hl_lesson_session_run (play, "one"));
  g_assert_true (hl_lesson_session_next (play));
  g_assert_false (answer (play));
  hl_lesson_session_watch (play);
  g_assert_true (answer (play));
  g_assert_true (hl_lesson_session_is_over (play));
  g_assert_false (hl_lesson_session_next (play));
}

static void test_play (void) {
  g_autoptr (HlLessonSession) play = play_new ();
  int n_done, n_predicted, n_hits;

  hl_assert_near (number_at (hl_lesson_session_document (play), "cyl.friction.scale"), 0.01, 0, 0);
  g_assert_false (answer (play));
  g_autofree char *six = hl_lesson_session_value (play, "eig.count");
  g_assert_cmpstr (six, ==, "6");
  do_two (play);
  predict_two (play);
  sketch_and_watch (play);
  hl_lesson_count (play, &n_done, &n_predicted, &n_hits);
  g_assert_cmpint (n_done, ==, 6);
  g_assert_cmpint (n_predicted, ==, 3);
  g_assert_cmpint (n_hits, ==, 1 + hl_lesson_session_record (play, 4)->is_hit);
  g_autofree char *text = hl_lesson_report_text (play);
  g_autofree char *html = hl_lesson_report_html (play);
  g_assert_nonnull (strstr (text, "70 Hz"));
  g_assert_nonnull (strstr (text, "71.84 Hz")); /* 451.36 rad/s, published */
  g_assert_nonnull (strstr (text, "a leak"));
  g_assert_nonnull (strstr (html, "class=\"sketch\""));
  g_assert_nonnull (strstr (html, "class=\"came\""));
}

/* A wrong answer has its author's reason, may be given again, and counts as wrong at the first try. */
static void test_retry (void) {
  HlLesson *lesson = read_lesson (
      HEAD
      "# Number\n```predict\nanswer: eig.count\ntolerance: 0.5\nlow: One more than {eig.count - 1}\n```\n"
      "# Choice\n```predict\nchoice: five\nif: eig.count = 5\nwhy: Not *five*\nchoice: six\nif: eig.count = "
      "6\n```\n");
  g_autoptr (HlLessonSession) play =
      hl_lesson_session_new (lesson, hl_test_example ("four-bar.hydrolink"), NULL);
  int n_done, n_predicted, n_hits;

  g_assert_false (hl_lesson_session_retry (play));
  g_assert_true (hl_lesson_session_predict_number (play, "3", NULL));
  g_assert_true (answer (play));
  g_assert_cmpstr (hl_lesson_session_reason (play), ==, "One more than {eig.count - 1}");
  g_autofree char *five = hl_lesson_session_value (play, "eig.count - 1");
  g_assert_cmpstr (five, ==, "5");
  g_assert_true (hl_lesson_session_retry (play));
  g_assert_null (hl_lesson_session_reason (play));
  g_assert_false (hl_lesson_session_record (play, 0)->is_done);
  g_assert_true (hl_lesson_session_predict_number (play, "6", NULL));
  g_assert_true (answer (play));
  g_assert_true (hl_lesson_session_record (play, 0)->is_hit);
  g_assert_false (hl_lesson_session_record (play, 0)->was_hit);
  g_assert_false (hl_lesson_session_retry (play));
  g_assert_true (hl_lesson_session_next (play));
  g_assert_true (hl_lesson_session_predict_choice (play, 0));
  g_assert_true (answer (play));
  g_assert_cmpstr (hl_lesson_session_reason (play), ==, "Not *five*");
  g_assert_true (hl_lesson_session_retry (play));
  g_assert_true (hl_lesson_session_predict_choice (play, 1));
  g_assert_true (answer (play));
  hl_lesson_count (play, &n_done, &n_predicted, &n_hits);
  g_assert_cmpint (n_predicted, ==, 2);
  g_assert_cmpint (n_hits, ==, 0);
  /* as before after it was left */
  g_autofree char *text = hl_lesson_progress_text (play);
  HlLesson *again =
      read_lesson (HEAD "# Number\n```predict\nanswer: eig.count\ntolerance: 0.5\n```\n# Choice\n```predict\n"
                        "choice: five\nif: eig.count = 5\nchoice: six\nif: eig.count = 6\n```\n");
  g_autoptr (HlLessonSession) other =
      hl_lesson_session_new (again, hl_test_example ("four-bar.hydrolink"), NULL);
  g_assert_true (hl_lesson_progress_restore (other, text, NULL));
  g_assert_cmpint (hl_lesson_session_record (other, 1)->n_tries, ==, 2);
  hl_lesson_count (other, &n_done, &n_predicted, &n_hits);
  g_assert_cmpint (n_predicted, ==, 2);
  g_assert_cmpint (n_hits, ==, 0);
}

/* The view of a step: a slider, plots and a range of time, of which slider and plots are in the model. */
static void test_view (void) {
  HlLesson *lesson = read_lesson (
      HEAD
      "# S\n```setup\nlocus: cyl.friction.Fc 1 to 500\ntraces: phi2, p1 p2, "
      "energies\ntime: 1.5 s to 1560 ms\n"
      "response: on\nshow: plots\nlarge: plots\ntarget: damping 0.2\ntarget: frequency 10 Hz\n```\n# T\n");
  g_autoptr (HlLessonSession) play =
      hl_lesson_session_new (lesson, hl_test_example ("four-bar.hydrolink"), NULL);
  HlLessonView view = hl_lesson_session_view (play);
  const HlDocument *document = hl_lesson_session_document (play);
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  HlSlider slider;

  g_assert_cmpstr (view.locus, ==, "cyl.friction.Fc");
  g_assert_cmpstr (view.shown, ==, "plots");
  g_assert_true (view.response);
  g_assert_cmpstr (view.large, ==, "plots");
  hl_assert_near (view.target.zeta, 0.2, 0, 0);
  hl_assert_near (view.target.omega, 2.0 * G_PI * 10.0, 1e-12, 0);
  hl_assert_near (view.from, 1.5, 0, 0);
  hl_assert_near (view.to, 1.56, 0, 0);
  g_assert_cmpint (hl_document_n_sliders (document), ==, 4); /* as many as before */
  g_assert_true (hl_document_slider (document, 0, &slider));
  g_assert_cmpstr (slider.path, ==, "cyl.friction.Fc");
  hl_assert_near (slider.to, 500, 0, 0);
  g_assert_true (slider.log);
  g_assert_cmpint ((int)panels->len, ==, 3);
  g_assert_true (hl_plot_panel_has (panels->pdata[1], "p2"));
  g_assert_cmpint (((HlPlotPanel *)panels->pdata[2])->kind, ==, HL_PLOT_ENERGY);
  g_assert_true (hl_lesson_session_next (play));
  view = hl_lesson_session_view (play);
  g_assert_true (view.locus == NULL && view.shown == NULL && !view.response && isnan (view.from));
  g_assert_true (view.large == NULL && isnan (view.target.zeta) && isnan (view.target.omega));
}

/* An answer to an earlier question is dropped. */
static void test_late_answer (void) {
  g_autoptr (HlLessonSession) play = play_new ();

  g_assert_true (hl_lesson_session_next (play));
  set (play, "cyl.friction.scale", 0.1, NULL);
  g_autoptr (HlLessonJob) job = hl_lesson_session_new_job (play);
  hl_lesson_job_work (job, NULL, NULL);
  set (play, "cyl.friction.scale", 0.01, NULL);
  g_assert_false (hl_lesson_session_take (play, job));
  g_assert_false (hl_lesson_session_record (play, 1)->is_done);
}

/* Half way: what was kept goes on where it stood, with the model, its locks and its fault. */
static void test_progress (void) {
  g_autoptr (HlLessonSession) play = play_new ();
  g_autoptr (GError) error = NULL;

  do_two (play);
  hl_lesson_session_predict_number (play, "70", NULL);
  answer (play);
  hl_lesson_session_next (play);
  set (play, "cyl.friction.scale", 0.125, NULL);
  g_autofree char *kept = hl_lesson_progress_text (play);
  g_autoptr (HlLessonSession) again = play_new ();
  g_assert_true (hl_lesson_progress_restore (again, kept, &error));
  g_assert_no_error (error);
  g_assert_cmpint (hl_lesson_session_at (again), ==, 3);
  hl_assert_near (number_at (hl_lesson_session_document (again), "cyl.friction.scale"), 0.125, 0, 0);
  hl_assert_near (number_at (hl_lesson_session_document (again), "cyl.leakage"), 1e-11, 0, 0);
  assert_hidden (again, "cyl.leakage");
  set (again, "link2.mass", 77.0, "link2.mass");
  g_autofree char *once_more = hl_lesson_progress_text (again);
  g_assert_true (strcmp (kept, once_more) == 0);
  hl_lesson_session_predict_choice (again, 0);
  g_assert_true (answer (again));
  g_assert_true (hl_lesson_session_record (again, 3)->is_hit);
  g_assert_true (hl_lesson_session_next (again)); /* mends it */
  hl_assert_near (number_at (hl_lesson_session_document (again), "cyl.leakage"), 0, 0, 0);
}

static void test_foreign_progress (void) {
  static const char *const texts[] = {"", "{}", "[]", "{\"format\": \"hydrolink-lesson-progress\"}",
                                      "{\"format\": \"hydrolink-lesson-progress\", \"at\": 99, "
                                      "\"steps\": [], \"model\": \"\"}"};

  for (guint k = 0; k < G_N_ELEMENTS (texts); k++) {
    g_autoptr (HlLessonSession) play = play_new ();
    g_autoptr (GError) error = NULL;
    g_assert_false (hl_lesson_progress_restore (play, texts[k], &error));
    g_assert_nonnull (error);
    g_assert_cmpint (hl_lesson_session_at (play), ==, 0);
  }
}

static void test_agrees (void) {
  g_autoptr (HlLesson) one = read_lesson (lesson_text);
  g_autofree char *other_text = g_strdup (lesson_text);
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();

  memcpy (strstr (other_text, "a leak"), "ein L.", 6);
  g_autoptr (HlLesson) other = read_lesson (other_text);
  g_assert_true (hl_lesson_agrees (one, other, problems));
  memcpy (strstr (other_text, "> 0.15"), "> 0.14", 6);
  g_autoptr (HlLesson) third = read_lesson (other_text);
  g_assert_false (hl_lesson_agrees (one, third, problems));
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_nonnull (strstr (((HlLessonProblem *)problems->pdata[0])->text, "step 2"));
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-session/broken", test_broken);
  g_test_add_func ("/lesson-session/missing-model", test_missing_model);
  g_test_add_func ("/lesson-session/inline", test_inline);
  g_test_add_func ("/lesson-session/play", test_play);
  g_test_add_func ("/lesson-session/retry", test_retry);
  g_test_add_func ("/lesson-session/view", test_view);
  g_test_add_func ("/lesson-session/late-answer", test_late_answer);
  g_test_add_func ("/lesson-session/progress", test_progress);
  g_test_add_func ("/lesson-session/foreign-progress", test_foreign_progress);
  g_test_add_func ("/lesson-session/agrees", test_agrees);
  return g_test_run ();
}
