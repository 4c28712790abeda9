/* SPDX-License-Identifier: MIT */
/* A lesson written by doing it: what is recorded is a lesson that holds, checked by the program that
 * goes through lessons without a person. */
#include "core/lesson/hl-lesson-draft.h"

#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-linear-values.h"
#include "core/lesson/hl-lesson-static-check.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test-lesson.h"
#include "tests/support/hl-test.h"

/* Returns the model with one number changed, and gives the draft this model and its eigenvalues. */
static HlDocument *set (HlLessonDraft *draft, HlDocument *document, const char *path, double value) {
  g_autoptr (GError) error = NULL;
  HlDocument *after = hl_document_with_number (document, path, value, &error);

  g_assert_no_error (error);
  hl_document_unref (document);
  g_assert_true (hl_lesson_draft_follow (draft, after, &error));
  g_autoptr (HlLessonValues) bench = hl_lesson_values_new (after);
  hl_lesson_draft_note_spectrum (draft, (int)hl_test_lesson_value (bench, "pair.count"),
                                 (int)hl_test_lesson_value (bench, "eig.unstable"));
  return after;
}

/* Its file is read, verified and gone through; all steps with tasks hold. */
static HlLesson *check (const HlLessonDraft *draft, const HlDocument *model) {
  g_autofree char *text = hl_lesson_draft_text (draft, "Recorded", "model.hydrolink");
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  HlLesson *lesson = hl_lesson_parse (text, strlen (text), problems);

  if (lesson != NULL)
    hl_lesson_verify (lesson, model, &traces, problems);
  for (guint k = 0; k < problems->len; k++)
    g_error ("%d: %s\n%s", ((HlLessonProblem *)problems->pdata[k])->line,
             ((HlLessonProblem *)problems->pdata[k])->text, text);
  g_autoptr (GPtrArray) verdicts =
      hl_lesson_check (hl_lesson_parse (text, strlen (text), problems), model, traces);
  for (guint k = 0; k < verdicts->len; k++) {
    const HlLessonVerdict *verdict = verdicts->pdata[k];
    if (!verdict->holds)
      g_error ("%d: %s\n%s", verdict->line, verdict->text, text);
  }
  return lesson;
}

/* Friction from hardly any to the usual one, through the point where two eigenvalues meet. */
static void test_friction (void) {
  g_autoptr (HlDocument) model = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLessonDraft) draft = hl_lesson_draft_new (model);
  HlDocument *document = hl_document_ref (model);

  hl_lesson_draft_note_spectrum (draft, 0, 0); /* overdamped, seed 000 */
  document = set (draft, document, "cyl.friction.scale", 0.01);
  document = set (draft, document, "cyl.friction.scale", 0.02);
  hl_lesson_draft_note_run (draft);
  hl_lesson_draft_note_run (draft);
  document = set (draft, document, "cyl.friction.scale", 0.1);
  document = set (draft, document, "link2.mass", 3.5);
  document = set (draft, document, "cyl.friction.scale", 0.9);
  g_autoptr (HlLesson) lesson = check (draft, model);
  g_assert_cmpuint (lesson->steps->len, ==, 6);
  g_assert_cmpint (hl_lesson_step (lesson, 0)->task, ==, HL_LESSON_READ);
  g_assert_cmpstr (hl_lesson_step (lesson, 1)->until, ==, "pair.count = 1");
  g_assert_cmpint (hl_lesson_step (lesson, 2)->task, ==, HL_LESSON_WATCH);
  g_assert_cmpstr (hl_lesson_step (lesson, 3)->until, ==, "cyl.friction.scale = 0.1 ± 5 %");
  g_assert_cmpstr (hl_lesson_step (lesson, 5)->until, ==, "pair.count = 0");
  hl_document_unref (document);
}

/* Other oil, a pressure, a path with a hyphen, a number that becomes 0. */
static void test_kinds (void) {
  g_autoptr (HlDocument) model = hl_test_example ("crane-counterbalance.hydrolink");
  g_autoptr (HlLessonDraft) draft = hl_lesson_draft_new (model);
  g_auto (GStrv) paths = hl_document_list_paths (model, TRUE);
  HlDocument *document = hl_document_ref (model);
  int n = 0;

  for (int k = 0; paths[k] != NULL; k++) {
    double value;
    if (!hl_document_get_number (document, paths[k], &value, NULL, NULL) || value == 0)
      continue;
    g_autoptr (HlDocument) next = hl_document_with_number (document, paths[k], 1.01 * value, NULL);
    if (next == NULL || !hl_lesson_draft_follow (draft, next, NULL))
      continue;
    hl_document_unref (document);
    document = hl_document_ref (next);
    n++;
  }
  g_assert_cmpint (n, >, 20);
  g_autoptr (HlDocument) other = hl_edit_set_oil (document, "hybrid", NULL);
  g_assert_true (hl_lesson_draft_follow (draft, other, NULL));
  g_autofree char *text = hl_lesson_draft_text (draft, "Recorded", "model.hydrolink");
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (HlLesson) lesson = hl_lesson_parse (text, strlen (text), problems);
  if (lesson == NULL || !hl_lesson_verify (lesson, model, NULL, problems))
    g_error ("%d: %s\n%s", ((HlLessonProblem *)problems->pdata[0])->line,
             ((HlLessonProblem *)problems->pdata[0])->text, text);
  n = hl_lesson_draft_n_steps (draft); /* not every number is of the model */
  g_assert_cmpuint (lesson->steps->len, ==, (guint)n);
  g_assert_cmpstr (hl_lesson_step (lesson, n - 1)->until, ==, "oil(hybrid) = 1");
  hl_document_unref (document);
}

static void test_taken_back (void) {
  g_autoptr (HlDocument) model = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLessonDraft) draft = hl_lesson_draft_new (model);
  HlDocument *document = hl_document_ref (model);

  document = set (draft, document, "link2.mass", 5.0);
  document = set (draft, document, "cyl.friction.scale", 0.3);
  hl_lesson_draft_set_title (draft, 2, "Less fr");
  hl_lesson_draft_set_title (draft, 2, "Less friction");
  hl_lesson_draft_set_text (draft, 2, "# no step\n```\nWhat {pair.count} says");
  g_assert_cmpint (hl_lesson_draft_n_steps (draft), ==, 3);
  hl_lesson_draft_undo (draft); /* the text */
  g_assert_cmpstr (hl_lesson_draft_step (draft, 2)->title, ==, "Less friction");
  g_assert_cmpstr (hl_lesson_draft_step (draft, 2)->text, ==, "");
  hl_lesson_draft_undo (draft); /* the title, typed in one go */
  g_assert_cmpstr (hl_lesson_draft_step (draft, 2)->title, !=, "Less friction");
  hl_lesson_draft_set_text (draft, 2, "# no step\n```\nWhat {pair.count} says");
  /* a step that is taken out is set by the lesson */
  hl_lesson_draft_remove (draft, 1);
  {
    g_autoptr (HlLesson) lesson = check (draft, model);
    g_assert_cmpuint (lesson->steps->len, ==, 2);
    const HlLessonStep *step = hl_lesson_step (lesson, 1);
    g_assert_cmpuint (step->setup->len, ==, 1);
    g_assert_cmpstr (((HlLessonAct *)step->setup->pdata[0])->path, ==, "link2.mass");
  }
  hl_lesson_draft_undo (draft);
  g_assert_cmpint (hl_lesson_draft_n_steps (draft), ==, 3);
  /* what is put back in the model was nothing to record */
  double before;
  g_assert_true (hl_document_get_number (model, "cyl.friction.scale", &before, NULL, NULL));
  document = set (draft, document, "cyl.friction.scale", before);
  g_assert_cmpint (hl_lesson_draft_n_steps (draft), ==, 2);
  while (hl_lesson_draft_can_undo (draft))
    hl_lesson_draft_undo (draft);
  g_assert_cmpint (hl_lesson_draft_n_steps (draft), ==, 1);
  hl_document_unref (document);
}

/* An action that a lesson cannot repeat is named, and the record does not change until it is undone. */
static void test_refused (void) {
  g_autoptr (HlDocument) model = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLessonDraft) draft = hl_lesson_draft_new (model);
  static const char *const gone[] = {"cyl", NULL};
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) less = hl_edit_remove (model, gone, &error);

  if (less == NULL)
    g_error ("%s", error->message);
  g_assert_false (hl_lesson_draft_follow (draft, less, &error));
  g_assert_nonnull (strstr (error->message, "cyl"));
  g_assert_cmpint (hl_lesson_draft_n_steps (draft), ==, 1);
  g_assert_true (hl_lesson_draft_follow (draft, model, NULL));
  g_assert_cmpint (hl_lesson_draft_n_steps (draft), ==, 1);
}

static gboolean has_act (const HlLessonStep *step, HlLessonActKind kind, const char *path) {
  for (guint k = 0; k < step->setup->len; k++) {
    const HlLessonAct *act = step->setup->pdata[k];
    if (act->kind == kind && (path == NULL || g_strcmp0 (act->path, path) == 0))
      return TRUE;
  }
  return FALSE;
}

/* Proposed questions are true for the present model without changes. */
static void test_questions (void) {
  g_autoptr (HlDocument) model = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLessonDraft) draft = hl_lesson_draft_new (model);
  HlDocument *document = hl_document_ref (model);

  hl_lesson_draft_note_spectrum (draft, 0, 0);
  document = set (draft, document, "cyl.friction.scale", 0.01);
  g_assert_cmpstr (hl_lesson_draft_step (draft, 1)->title, ==, "Change friction scale of cyl");
  g_autofree char *number = hl_lesson_propose_number (document);
  g_autofree char *choice = hl_lesson_propose_choice ();
  g_assert_null (hl_lesson_propose_curve (document, NULL));
  g_autoptr (HlLessonValues) bench = hl_lesson_values_new (document);
  HlLessonRun *run = hl_lesson_values_run (bench, NULL, NULL, NULL, NULL, NULL, NULL);
  g_assert_nonnull (run);
  g_autofree char *curve = hl_lesson_propose_curve (document, hl_lesson_run_results (run));
  g_assert_nonnull (curve);
  hl_lesson_draft_add_question (draft, number);
  hl_lesson_draft_add_question (draft, choice);
  hl_lesson_draft_add_question (draft, curve);
  hl_lesson_draft_set_question (draft, 2, "answer: 1");
  hl_lesson_draft_undo (draft);
  g_assert_cmpstr (hl_lesson_draft_step (draft, 2)->ask, ==, number);
  g_autoptr (HlLesson) lesson = check (draft, model);
  g_assert_cmpuint (lesson->steps->len, ==, 5);
  /* the student sees a task and a question, although the author has typed none */
  g_autofree char *text = hl_lesson_draft_text (draft, "Recorded", "model.hydrolink");
  g_assert_nonnull (strstr (text, "\nSet friction scale of cyl to 0.01.\n"));
  g_assert_nonnull (strstr (text, "\n# At which frequency does it oscillate?\n"));
  g_assert_nonnull (strstr (text, "\n# Does it oscillate after a small disturbance?\n"));
  g_assert_nonnull (strstr (text, "\n# What will φ₂ do?\n\nSketch the curve from"));
  g_assert_cmpint (hl_lesson_step (lesson, 2)->task, ==, HL_LESSON_NUMBER);
  g_assert_cmpstr (hl_lesson_step (lesson, 2)->answer, ==, "pair.frequency(1)");
  g_assert_cmpint (hl_lesson_step (lesson, 3)->task, ==, HL_LESSON_CHOICE);
  g_assert_cmpint (hl_lesson_step (lesson, 4)->task, ==, HL_LESSON_CURVE);
  g_assert_cmpuint (hl_lesson_step (lesson, 4)->runs->len, ==, 1);
  /* the frame holds the trace with a quarter of its range to spare (seed 000: 3 thousandths of a degree) */
  double low, high;
  g_assert_true (hl_lesson_sketch_range (hl_lesson_step (lesson, 4), &low, &high));
  g_assert_cmpfloat (low, <, 0);
  g_assert_cmpfloat (high, >, 0);
  hl_document_unref (document);
}

/* Locked and hidden from the next step on, and free again where the student is to change it; a fault is the
 * lesson's own, and ends when its number is changed once more. */
static void test_roles (void) {
  g_autoptr (HlDocument) model = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLessonDraft) draft = hl_lesson_draft_new (model);
  HlDocument *document = hl_document_ref (model);
  const char *scale = "cyl.friction.scale";
  double before;

  g_assert_true (hl_document_get_number (model, "link3.mass", &before, NULL, NULL));
  document = set (draft, document, scale, 0.3);
  document = set (draft, document, "link2.mass", 5.0);
  document = set (draft, document, "link3.mass", 2 * before);
  hl_lesson_draft_add_text (draft);
  document = set (draft, document, "link3.mass", before);
  document = set (draft, document, scale, 0.5);
  hl_lesson_draft_set_role (draft, 1, HL_DRAFT_LOCK);
  hl_lesson_draft_set_role (draft, 2, HL_DRAFT_HIDE);
  hl_lesson_draft_set_role (draft, 3, HL_DRAFT_FAULT);
  g_autoptr (HlLesson) lesson = check (draft, model);
  g_assert_cmpuint (lesson->steps->len, ==, 7);
  g_assert_false (has_act (hl_lesson_step (lesson, 1), HL_LESSON_LOCK, NULL));
  g_assert_true (has_act (hl_lesson_step (lesson, 2), HL_LESSON_LOCK, scale));
  g_assert_false (has_act (hl_lesson_step (lesson, 2), HL_LESSON_HIDE, scale));
  g_assert_true (has_act (hl_lesson_step (lesson, 3), HL_LESSON_LOCK, "link2.mass"));
  g_assert_true (has_act (hl_lesson_step (lesson, 3), HL_LESSON_HIDE, "link2.mass"));
  g_assert_true (has_act (hl_lesson_step (lesson, 3), HL_LESSON_FAULT, "link3.mass"));
  g_assert_cmpint (hl_lesson_step (lesson, 3)->task, ==, HL_LESSON_READ);
  g_assert_true (has_act (hl_lesson_step (lesson, 5), HL_LESSON_MEND, NULL));
  g_assert_cmpint (hl_lesson_step (lesson, 5)->task, ==, HL_LESSON_READ);
  g_assert_true (has_act (hl_lesson_step (lesson, 6), HL_LESSON_UNLOCK, scale));
  g_assert_cmpint (hl_lesson_step (lesson, 6)->task, ==, HL_LESSON_DO);
  hl_lesson_draft_undo (draft); /* of the roles */
  g_assert_cmpint (hl_lesson_draft_step (draft, 3)->role, ==, HL_DRAFT_STUDENT);
  hl_document_unref (document);
}

static void test_way (void) {
  static const char *const cases[][3] = {
      {"/a/b/x.hllesson", "/a/b/m.hydrolink", "m.hydrolink"},
      {"/a/b/x.hllesson", "/a/c/d/m.hydrolink", "../c/d/m.hydrolink"},
      {"/a/x.hllesson", "/a/b/m.hydrolink", "b/m.hydrolink"},
      {"/x.hllesson", "/m.hydrolink", "m.hydrolink"},
      {"/a/b/x.hllesson", "/m.hydrolink", "../../m.hydrolink"},
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++) {
    g_autofree char *way = hl_lesson_draft_way (cases[k][0], cases[k][1]);
    g_assert_cmpstr (way, ==, cases[k][2]);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-draft/what-is-done-is-a-lesson-that-holds", test_friction);
  g_test_add_func ("/lesson-draft/every-number-and-the-oil-are-recorded", test_kinds);
  g_test_add_func ("/lesson-draft/all-of-it-can-be-taken-back", test_taken_back);
  g_test_add_func ("/lesson-draft/proposed-questions-hold", test_questions);
  g_test_add_func ("/lesson-draft/locks-hides-and-breaks", test_roles);
  g_test_add_func ("/lesson-draft/names-what-no-lesson-can-do", test_refused);
  g_test_add_func ("/lesson-draft/finds-the-way-to-its-model", test_way);
  return g_test_run ();
}
