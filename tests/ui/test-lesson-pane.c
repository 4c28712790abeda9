/* SPDX-License-Identifier: MIT */
/* Lessons in the real window: from the gallery, by its widgets, with the model beside it; results are covered until the
 * prediction, locked numbers stay, a fault is not shown, and finished steps are restored. */
#include "app/window/hl-template-gallery.h"
#include "core/edit/hl-edit.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/plot/hl-plot-pane.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;

static HlLessonSession *play_of (HlWindow *window) {
  g_assert_nonnull (hl_lesson_files_pane (window_part (window, "lessons")));
  return hl_lesson_pane_play (hl_lesson_files_pane (window_part (window, "lessons")));
}

static const HlLessonRecord *record_of (HlWindow *window) {
  return hl_lesson_session_record (play_of (window), hl_lesson_session_at (play_of (window)));
}

static gboolean is_done (gpointer window) {
  return record_of (window)->is_done;
}

static void open_lesson (HlWindow *window, const char *name) {
  g_autofree char *path = g_build_filename (g_getenv ("HL_LESSONS_DIR"), name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (hl_window_open_file (window, file));
  fixture_draw (window);
}

static void next (HlWindow *window) {
  int at = hl_lesson_session_at (play_of (window));

  fixture_until (is_done, window);
  fixture_draw (window);
  fixture_press (hl_lesson_files_pane (window_part (window, "lessons")), "Next");
  fixture_draw (window);
  g_assert_cmpint (hl_lesson_session_at (play_of (window)), ==, at + 1);
}

static void set_number (HlWindow *window, const char *path, double number) {
  g_autoptr (GError) error = NULL;

  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)),
                          (const char *const[]){path, NULL}, number, NULL, &error);
  g_assert_no_error (error);
  fixture_draw (window);
}

static void choose (HlWindow *window, int choice) {
  GtkWidget *button =
      fixture_nth (hl_lesson_files_pane (window_part (window, "lessons")), GTK_TYPE_CHECK_BUTTON, choice);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), TRUE);
  fixture_press (hl_lesson_files_pane (window_part (window, "lessons")), "Predict");
}

static void predict_number (HlWindow *window, const char *text) {
  GtkWidget *entry = fixture_named (hl_lesson_files_pane (window_part (window, "lessons")), GTK_TYPE_ENTRY,
                                    "Your prediction");

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "activate");
}

/* With the arrow keys, as without a pointer. */
static void sketch (HlWindow *window) {
  GtkWidget *area = fixture_find (GTK_WIDGET (hl_lesson_files_pane (window_part (window, "lessons"))),
                                  HL_TYPE_LESSON_SKETCH);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (area);
  static const guint keys[] = {GDK_KEY_Up, GDK_KEY_Right, GDK_KEY_Right, GDK_KEY_Down};

  for (guint k = 0; k < g_list_model_get_n_items (controllers); k++) {
    g_autoptr (GtkEventController) one = g_list_model_get_item (controllers, k);
    gboolean handled = FALSE;
    for (guint j = 0; GTK_IS_EVENT_CONTROLLER_KEY (one) && j < G_N_ELEMENTS (keys); j++)
      g_signal_emit_by_name (one, "key-pressed", keys[j], 0, 0, &handled);
  }
  fixture_press (hl_lesson_files_pane (window_part (window, "lessons")), "Predict");
}

static GtkWidget *card_of (HlGallery *gallery, const char *file) {
  g_autoptr (GPtrArray) cards = g_ptr_array_new ();
  int at = 0;

  while (g_strcmp0 (hl_template_get (at).file, file) != 0)
    at++;
  fixture_collect (GTK_WIDGET (gallery), GTK_TYPE_FLOW_BOX_CHILD, cards);
  return cards->pdata[at];
}

/* Start, gallery, lesson, to its end: 3 actions and Next of each step in addition to the tasks. */
static void test_newcomer (void) {
  HlWindow *window = fixture_open (application, NULL);
  int actions = 2;

  g_action_group_activate_action (G_ACTION_GROUP (application), "new", NULL);
  HlGallery *gallery = HL_GALLERY (fixture_find_window ("New model"));
  fixture_draw (gallery);
  gtk_widget_activate (card_of (gallery, "why-it-rings.hllesson"));
  fixture_until_settled (window);
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.scale"), ==, 0.01);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "plot_pane"))));
  next (window), actions++;
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "plot_pane"))));
  /* what is covered stays so in the lecture hall and on the way out of it */
  for (int n = 0; n < 2; n++) {
    fixture_activate (window, "present");
    fixture_draw (window);
    g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "plot_pane"))));
  }
  predict_number (window, "many");
  g_assert_false (record_of (window)->is_predicted);
  predict_number (window, "70");
  next (window), actions++;
  choose (window, 1);
  next (window), actions++;
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "plot_pane"))));
  g_assert_false (is_done (window));
  set_number (window, "cyl.friction.scale", 0.1);
  next (window), actions++;
  sketch (window);
  g_assert_true (record_of (window)->is_predicted);
  next (window), actions++;
  set_number (window, "cyl.friction.scale", 0.54);
  next (window), actions++;
  set_number (window, "cyl.friction.scale", 1.0);
  next (window), actions++;
  choose (window, 1);
  next (window), actions++;
  fixture_until (is_done, window);
  g_assert_true (hl_lesson_session_is_over (play_of (window)));
  g_assert_cmpint (actions, <=, 12);
  fixture_activate (window, "close-lesson");
  g_assert_null (hl_lesson_files_pane (window_part (window, "lessons")));
  fixture_draw (window);
  fixture_close (window);
}

/* Returns whether a visible label below a widget has that text. */
static gboolean shows_text (GtkWidget *top, const char *text) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (top, GTK_TYPE_LABEL, labels);
  for (guint k = 0; k < labels->len; k++)
    if (gtk_widget_get_mapped (labels->pdata[k]) && strcmp (gtk_label_get_text (labels->pdata[k]), text) == 0)
      return TRUE;
  return FALSE;
}

static gboolean has_text (HlWindow *window, const char *text) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_LABEL, labels);
  for (guint k = 0; k < labels->len; k++)
    if (strcmp (gtk_label_get_text (labels->pdata[k]), text) == 0)
      return TRUE;
  return FALSE;
}

/* A fault is not shown beside the drawing, locked numbers are restored, and the correction ends both. */
static void test_fault (void) {
  HlWindow *window = fixture_open (application, NULL);

  open_lesson (window, "trapped-oil-is-a-spring.hllesson");
  fixture_until_settled (window);
  g_assert_true (has_text (window, "Air fraction"));
  next (window);
  predict_number (window, "42");
  next (window);
  set_number (window, "load.mass", 800.0);
  next (window);
  choose (window, 1);
  next (window);
  fixture_until_settled (window);
  fixture_rebuild ();
  g_assert_cmpfloat (fixture_number (window, "fluid.air_fraction"), ==, 0.05);
  g_assert_false (has_text (window, "Air fraction"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window_part (window, "plot_pane"))));
  set_number (window, "load.mass", 50.0);
  g_assert_cmpfloat (fixture_number (window, "load.mass"), ==, 200.0);
  g_assert_nonnull (strstr (hl_window_banner (window), "load.mass"));
  choose (window, 0);
  fixture_until (is_done, window);
  g_assert_false (record_of (window)->is_hit);
  next (window);
  fixture_rebuild ();
  double own;
  hl_document_get_number (hl_lesson_session_document (play_of (window)), "fluid.air_fraction", &own, NULL,
                          NULL);
  g_assert_cmpfloat (own, ==, 0.0);
  g_assert_cmpfloat (fixture_number (window, "fluid.air_fraction"), ==, 0.0);
  g_assert_true (has_text (window, "Air fraction"));
  fixture_close (window);
}

static gboolean run_is_over (gpointer window) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (((HlWindow *)window)->workbench));

  return run != NULL && hl_run_is_over (run);
}

/* A step that waits for a run accepts a run of the window. */
static void test_run (void) {
  HlWindow *window = fixture_open (application, NULL);

  open_lesson (window, "load-holding.hllesson");
  next (window);
  choose (window, 1);
  next (window);
  next (window);
  g_assert_false (is_done (window));
  set_number (window, "cbv.pilot_ratio", 1.5);
  fixture_activate (window, "run");
  fixture_until (run_is_over, window);
  fixture_until (is_done, window);
  fixture_close (window);
}

static void open_text (HlWindow *window, const char *text) {
  g_autofree char *folder = g_dir_make_tmp ("hl-lesson-text-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.hllesson", NULL);
  g_autofree char *model = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);
  g_autofree char *whole = g_strdup_printf ("---\ntitle: T\nmodel: %s\n---\n%s", model, text);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
  g_assert_true (hl_window_open_file (window, file));
  fixture_draw (window);
  g_unlink (path);
  g_rmdir (folder);
}

/* A step sets slider, range of time, linear response and runs laid over; without the lesson all of that is gone. */
static void test_view (void) {
  HlWindow *window = fixture_open (application, NULL);
  HlPlotPane *plots = window_part (window, "plot_pane");
  HlRuns *runs = hl_workbench_runs (hl_window_workbench (window));
  HlLocusStudy *locus = hl_workbench_locus (hl_window_workbench (window));
  double from, to;

  open_text (window, "# One\n```setup\nset: simulation.t_end 0.1\noverlay: first Before\nlocus: "
                     "cyl.friction.vs 0.001 to 0.1\n"
                     "time: 20 ms to 60 ms\nresponse: on\n```\n```run\nrun: as first\n```\n# Two\n");
  fixture_until_settled (window);
  hl_plot_view_get_x_range (hl_plot_pane_view (plots, 0), &from, &to);
  g_assert_cmpfloat (from, ==, 0.02);
  g_assert_cmpfloat (to, ==, 0.06);
  g_assert_true (hl_plot_pane_shows_linear (plots));
  const HlModelSlider *slider =
      g_ptr_array_index (hl_locus_study_model_sliders (locus), hl_locus_study_model_slider (locus));
  g_assert_cmpstr (slider->paths[0], ==, "cyl.friction.vs");
  g_assert_null (hl_runs_find (runs, "Before"));
  /* Run in the header counts as the run of the step */
  fixture_press (window, "Run");
  fixture_until (is_done, window);
  fixture_draw (window);
  g_assert_nonnull (hl_runs_find (runs, "Before"));
  g_assert_true (hl_runs_find (runs, "Before")->pinned);
  next (window);
  g_assert_null (hl_runs_find (runs, "Before"));
  g_assert_false (hl_plot_pane_shows_linear (plots));
  fixture_press (hl_lesson_files_pane (window_part (window, "lessons")), "Back");
  fixture_draw (window);
  g_assert_nonnull (hl_runs_find (runs, "Before"));
  g_assert_true (hl_plot_pane_shows_linear (plots));
  fixture_activate (window, "close-lesson");
  fixture_draw (window);
  g_assert_null (hl_runs_find (runs, "Before"));
  g_assert_false (hl_plot_pane_shows_linear (plots));
  hl_plot_view_get_x_range (hl_plot_pane_view (plots, 0), &from, &to);
  g_assert_true (isnan (from) && isnan (to));
  fixture_close (window);
}

/* Sign, word and reason of a wrong answer, and another try; at the end what was correct at once. */
static void test_verdict (void) {
  HlWindow *window = fixture_open (application, NULL);

  open_text (window,
             "# One\n```predict\nchoice: five\nif: eig.count = 5\nwhy: Not {eig.count - 1}\nchoice: six\n"
             "if: eig.count = 6\n```\nBehind\n");
  choose (window, 0);
  fixture_until (is_done, window);
  fixture_draw (window);
  HlLessonPane *pane = hl_lesson_files_pane (window_part (window, "lessons"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "✗ Not quite"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "five\nYour answer"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "✓"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "Not 5"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "Behind"));
  fixture_press (pane, "Try again");
  fixture_draw (window);
  g_assert_false (shows_text (GTK_WIDGET (pane), "Behind"));
  g_assert_false (shows_text (GTK_WIDGET (pane), "✗ Not quite"));
  choose (window, 1);
  fixture_until (is_done, window);
  fixture_draw (window);
  g_assert_true (shows_text (GTK_WIDGET (pane), "✓ Correct"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "six\nYour answer"));
  g_assert_true (shows_text (GTK_WIDGET (pane), "0 of 1 predictions were correct at the first try."));
  fixture_close (window);
}

/* The answer of a job that is under way finds nothing to show it. */
static void test_closed_while_it_asks (void) {
  for (int turns = 0; turns < 4; turns++) {
    HlWindow *window = fixture_open (application, NULL);
    open_lesson (window, "why-it-rings.hllesson");
    next (window);
    for (int k = 0; k < turns; k++)
      g_main_context_iteration (NULL, FALSE);
    fixture_activate (window, "close-lesson");
    g_assert_null (hl_lesson_files_pane (window_part (window, "lessons")));
    for (int k = 0; k < 5; k++)
      fixture_draw (window);
    fixture_close (window);
  }
}

/* A broken one does not change the window and is reported with its line. */
static void test_broken (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-broken-XXXXXX.hllesson", NULL);
  static const char text[] = "---\ntitle: T\nmodel: gone.hydrolink\n---\n# S\n";
  int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (GFile) lesson = g_file_new_for_path (path);
  g_assert_false (hl_window_open_file (window, lesson));
  g_assert_null (hl_lesson_files_pane (window_part (window, "lessons")));
  g_assert_nonnull (strstr (hl_window_banner (window), ".hllesson:3:"));
  g_unlink (path);
  fixture_close (window);
}

/* A model that is a device or a pipe is refused at once, as is a lesson that is one. */
static void test_no_file (void) {
  static const char *const models[] = {"/dev/zero", "pipe"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *folder = g_dir_make_tmp ("hl-no-file-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *path = g_build_filename (folder, "x.hllesson", NULL);
  g_autoptr (GFile) lesson = g_file_new_for_path (path);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (guint k = 0; k < G_N_ELEMENTS (models); k++) {
    g_autofree char *text = g_strdup_printf ("---\ntitle: T\nmodel: %s\n---\n# S\n", models[k]);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_assert_false (hl_window_open_file (window, lesson));
    g_assert_nonnull (strstr (hl_window_banner (window), "x.hllesson:3:"));
  }
  g_unlink (path);
  g_assert_cmpint (g_rename (pipe, path), ==, 0);
  g_assert_false (hl_window_open_file (window, lesson));
  g_assert_nonnull (strstr (hl_window_banner (window), "pipe"));
  g_unlink (path);
  g_rmdir (folder);
  fixture_close (window);
}

/* Left at the third step, it is there again. */
static void test_progress (void) {
  HlWindow *window = fixture_open (application, NULL);

  hl_lesson_files_set_remembers (window_part (window, "lessons"), TRUE);
  open_lesson (window, "exact-or-by-differences.hllesson");
  next (window);
  predict_number (window, "6");
  next (window);
  fixture_activate (window, "close-lesson");
  open_lesson (window, "exact-or-by-differences.hllesson");
  g_assert_cmpint (hl_lesson_session_at (play_of (window)), ==, 2);
  g_assert_true (hl_lesson_session_record (play_of (window), 1)->is_hit);
  fixture_press (hl_lesson_files_pane (window_part (window, "lessons")), "Back");
  g_assert_cmpint (hl_lesson_session_at (play_of (window)), ==, 1);
  fixture_activate (window, "restart-lesson");
  fixture_draw (window);
  g_assert_cmpint (hl_lesson_session_at (play_of (window)), ==, 0);
  g_assert_false (hl_lesson_session_record (play_of (window), 1)->is_predicted);
  hl_lesson_files_set_remembers (window_part (window, "lessons"), FALSE);
  fixture_close (window);
}

int main (int argc, char **argv) {
  g_autofree char *state = g_dir_make_tmp ("hl-lesson-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/lesson-pane/newcomer", test_newcomer);
  g_test_add_func ("/lesson-pane/fault", test_fault);
  g_test_add_func ("/lesson-pane/run", test_run);
  g_test_add_func ("/lesson-pane/view", test_view);
  g_test_add_func ("/lesson-pane/verdict", test_verdict);
  g_test_add_func ("/lesson-pane/closed-while-it-asks", test_closed_while_it_asks);
  g_test_add_func ("/lesson-pane/broken", test_broken);
  g_test_add_func ("/lesson-pane/no-file", test_no_file);
  g_test_add_func ("/lesson-pane/progress", test_progress);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
