/* SPDX-License-Identifier: MIT */
/* A lesson recorded in the real window by pointer and keys: numbers changed, a run, a title and a text
 * typed, one step taken back; what is saved is gone through without a person and holds. And one that is made,
 * saved, opened, played to its end and reported on with nothing but pointer and keys, in a small window. In
 * German, whose words are the longest, or with HL_TEST_LANGUAGE=en in English. HL_PICTURES_DIR keeps pictures,
 * HL_WINDOW_SIZE=1280x800 and HL_WINDOW_DARK say of which window. */
#include "core/base/hl-translation-macros.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-static-check.h"
#include "tests/support/hl-german-locale.h"
#include "tests/ui/file-chooser-fixture.h"
#include "tests/ui/lesson-player.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/lesson/hl-lesson-author.h"

#include <glib/gstdio.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

/* The lesson that is recorded in the window; NULL: none is. */
static gpointer recorded (void) {
  return fixture_find (window_part (window, "lessons"), HL_TYPE_LESSON_AUTHOR);
}

static HlLessonDraft *draft (void) {
  return hl_lesson_author_draft (recorded ());
}

static gboolean has_steps (gconstpointer n) {
  return hl_lesson_draft_n_steps (draft ()) == GPOINTER_TO_INT (n) && hl_window_is_settled (window);
}

static gboolean is_unchanged (gconstpointer none) {
  return !hl_editing_is_modified (hl_workbench_editing (hl_window_workbench (window)));
}

static gboolean is_checked (gconstpointer none) {
  const char *said = gtk_label_get_text (GTK_LABEL (fixture_child (recorded (), "message")));
  return *said != '\0' && strstr (said, "…") == NULL;
}

/* Types a number into the k-th slider's field. */
static void set_slider (int k, const char *text) {
  GtkWidget *field = fixture_nth (window_part (window, "slider_panel"), HL_TYPE_NUMBER_FIELD, k);

  pointer_click_on (fixture_entry_of (field));
  pointer_key ("ctrl+a");
  pointer_enter (text);
}

static void picture (const char *name) {
  if (g_getenv ("HL_PICTURES_DIR") != NULL)
    pointer_wait (300000);
  pointer_picture (name);
}

static GtkWidget *add_button (void) {
  return gtk_widget_get_first_child (fixture_child (recorded (), "add"));
}

static gboolean is_mapped (gconstpointer widget) {
  return gtk_widget_get_mapped ((GtkWidget *)widget);
}

/* Through the menu of what may be added. */
static void add (const char *label) {
  pointer_click_on (add_button ());
  GtkWidget *entry = fixture_find_button (fixture_child (recorded (), "add"), label);
  pointer_until (is_mapped, entry);
  gtk_widget_grab_focus (entry);
  pointer_key ("Return");
}

static void check_file (const char *path, guint n_steps) {
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  g_autoptr (HlLesson) lesson = hl_lesson_load (path, problems);

  g_assert_cmpuint (problems->len, ==, 0);
  g_autoptr (HlDocument) model = hl_lesson_open_model (lesson, problems);
  g_assert_true (hl_lesson_verify (lesson, model, &traces, problems));
  g_assert_cmpuint (lesson->steps->len, ==, n_steps);
  g_assert_cmpstr (hl_lesson_step (lesson, 1)->title, ==, "Less friction");
  g_autoptr (GPtrArray) verdicts = hl_lesson_check (g_steal_pointer (&lesson), model, traces);
  g_assert_cmpuint (verdicts->len, >=, 2);
  g_assert_true (hl_lesson_verdicts_hold (verdicts));
}

static void test_record (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-author-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (folder, "mine.hydrolink", NULL);
  g_autofree char *path = g_build_filename (folder, "mine.hllesson", NULL);
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink"), *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (example, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (model, text, -1, NULL));
  window = fixture_open (application, NULL);
  pointer_use (window);
  fixture_activate (window, "author-lesson"); /* there is no file to begin with */
  g_assert_null (recorded ());
  g_assert_nonnull (hl_window_banner (window));
  g_autoptr (GFile) file = g_file_new_for_path (model);
  g_assert_true (hl_window_open_file (window, file));
  fixture_draw (window);
  fixture_until_settled (window);
  fixture_activate (window, "author-lesson");
  g_assert_nonnull (recorded ());
  fixture_draw (window);
  picture ("author-1-begin.png");
  g_action_group_activate_action (G_ACTION_GROUP (window), "side-tab", g_variant_new_string ("locus"));
  fixture_draw (window);
  set_slider (0, "0.1");
  pointer_until (has_steps, GINT_TO_POINTER (2));
  pointer_key ("F5");
  pointer_until (has_steps, GINT_TO_POINTER (3));
  set_slider (0, "0.9");
  pointer_until (has_steps, GINT_TO_POINTER (4));
  pointer_click_on (fixture_nth (recorded (), GTK_TYPE_ENTRY, 2)); /* title of the second step */
  pointer_key ("ctrl+a");
  pointer_type ("Less friction");
  pointer_click_on (fixture_nth (recorded (), GTK_TYPE_TEXT_VIEW, 1));
  pointer_type ("Drag the slider to 0.1.");
  g_assert_cmpstr (hl_lesson_draft_step (draft (), 1)->text, ==, "Drag the slider to 0.1.");
  picture ("author-2-steps.png");
  /* one too many, and back: by the recording's own button, which leaves the model */
  add (_ ("Text"));
  pointer_until (has_steps, GINT_TO_POINTER (5));
  pointer_click_on (fixture_child (recorded (), "undo"));
  pointer_until (has_steps, GINT_TO_POINTER (4));
  add (_ ("Question with a number"));
  pointer_until (has_steps, GINT_TO_POINTER (5));
  add (_ ("Question with a sketch"));
  pointer_until (has_steps, GINT_TO_POINTER (6));
  g_assert_nonnull (strstr (hl_lesson_draft_step (draft (), 5)->ask, "sketch: "));
  /* by the keys of the list: locked from then on */
  GtkWidget *roles = fixture_nth (recorded (), GTK_TYPE_DROP_DOWN, 0);
  gtk_widget_grab_focus (roles);
  fixture_draw (window);
  picture ("author-2-questions.png");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (roles), HL_DRAFT_LOCK);
  g_assert_cmpint (hl_lesson_draft_step (draft (), 1)->role, ==, HL_DRAFT_LOCK);
  g_assert_true (hl_lesson_files_save (window_part (window, "lessons"), path, &error));
  g_assert_no_error (error);
  pointer_until (is_checked, NULL);
  picture ("author-3-saved.png");
  check_file (path, 6);
  g_assert_false (hl_lesson_author_is_modified (recorded ()));
  /* the questions go, then undo of the window takes the change back, and its step with it */
  for (int n = 0; n < 3; n++)
    pointer_click_on (fixture_child (recorded (), "undo"));
  pointer_until (has_steps, GINT_TO_POINTER (4));
  fixture_activate (window, "undo");
  pointer_until (has_steps, GINT_TO_POINTER (3));
  fixture_activate (window, "author-lesson");
  g_assert_null (recorded ());
  /* and as a student sees it */
  g_autoptr (GFile) lesson = g_file_new_for_path (path);
  fixture_activate (window, "undo");
  g_assert_true (hl_lesson_files_open (window_part (window, "lessons"), lesson));
  fixture_draw (window);
  picture ("author-4-lesson.png");
  fixture_activate (window, "close-lesson");
  pointer_use (NULL);
  fixture_close (window);
  g_remove (path);
  g_remove (model);
  g_rmdir (folder);
}

/* --- one's own, from an empty recording to the report --- */

/* Chooses the entry with these words of an open menu by the keyboard. */
static void choose_entry (GtkWidget *menu_button, const char *words) {
  g_autofree char *plain = g_strdup (words);
  g_auto (GStrv) parts = g_strsplit (plain, "_", 2);
  g_autofree char *text = g_strjoinv ("", parts);
  GtkWidget *entry = fixture_find_label (menu_button, text);

  if (entry == NULL)
    g_error ("no entry %s", text);
  while (!gtk_widget_get_focusable (entry))
    entry = gtk_widget_get_parent (entry);
  pointer_until (is_mapped, entry);
  gtk_widget_grab_focus (entry);
  pointer_key ("Return");
  fixture_draw (window);
}

static void open_menu (GtkWidget *menu_button) {
  pointer_click_on (gtk_widget_get_first_child (menu_button));
  fixture_draw (window);
}

static void type_over (GtkWidget *entry, const char *text) {
  pointer_click_on (entry);
  pointer_key ("ctrl+a");
  pointer_type (text);
}

/* All that is recorded; the last text is that of the last step. */
static void make_own (void) {
  GtkWidget *menu = GTK_WIDGET (window_part (window, "menu_button"));

  open_menu (menu);
  choose_entry (menu, _ ("_Teach"));
  choose_entry (menu, _ ("Record a le_sson"));
  g_assert_nonnull (recorded ());
  type_over (fixture_child (recorded (), "title"), "Mine");
  pointer_click_on (fixture_nth (recorded (), GTK_TYPE_TEXT_VIEW, 0));
  pointer_type ("A four-bar that rests on oil.");
  add (_ ("Question with a number"));
  pointer_until (has_steps, GINT_TO_POINTER (2));
  pointer_key ("ctrl+2");
  fixture_draw (window);
  set_slider (0, "0.1");
  pointer_until (has_steps, GINT_TO_POINTER (3));
  GtkWidget *roles = fixture_nth (recorded (), GTK_TYPE_DROP_DOWN, 0);
  pointer_choose (roles, "v");
  g_assert_cmpint (hl_lesson_draft_step (draft (), 2)->role, ==, HL_DRAFT_LOCK);
  add (_ ("Question with a sketch"));
  pointer_until (has_steps, GINT_TO_POINTER (4));
  pointer_key ("F5");
  pointer_until (has_steps, GINT_TO_POINTER (5));
  add (_ ("Question with choices"));
  pointer_until (has_steps, GINT_TO_POINTER (6));
  picture ("own-1-made.png");
}

static GtkWidget *leave_button (void) {
  GtkWidget *undo = fixture_child (recorded (), "undo");
  return gtk_widget_get_next_sibling (undo);
}

static void check_report (const char *path) {
  g_autofree char *html = NULL;

  g_assert_true (g_file_get_contents (path, &html, NULL, NULL));
  g_assert_nonnull (strstr (html, "Mine"));
  g_assert_nonnull (strstr (html, "<td>50 ")); /* what the player predicts */
}

static void save_report (const char *path) {
  GtkWidget *menu =
      fixture_nth (hl_lesson_files_pane (window_part (window, "lessons")), GTK_TYPE_MENU_BUTTON, 0);

  open_menu (menu);
  choose_entry (menu, _ ("Save a _report…"));
  chooser_answer (path, "own-4-report.png");
  chooser_take (window);
}

static void test_own (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-own-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (folder, "own.hydrolink", NULL);
  g_autofree char *path = g_build_filename (folder, "own.hllesson", NULL);
  g_autofree char *report = g_build_filename (folder, "own.html", NULL);
  g_autofree char *sheet = g_build_filename (folder, "own.pdf", NULL);
  g_autofree char *example = fixture_example_path ("four-bar.hydrolink"), *text = NULL;

  g_assert_true (g_file_get_contents (example, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (model, text, -1, NULL));
  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  window = fixture_open (application, NULL);
  g_unsetenv ("HL_WINDOW_SIZE");
  chooser_take (window);
  pointer_key ("ctrl+o");
  chooser_answer (model, NULL);
  chooser_take (window);
  fixture_until_settled (window);
  make_own ();
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1024);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window)), <=, 700);
  pointer_click_on (fixture_find_button (recorded (), _ ("Save…")));
  chooser_answer (path, "own-2-chooser.png");
  chooser_take (window);
  pointer_until (is_checked, NULL);
  picture ("own-3-saved.png");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (fixture_child (recorded (), "message"))), ==,
                   _ ("Saved. All tasks of the lesson can be solved."));
  pointer_click_on (leave_button ());
  g_assert_null (recorded ());
  pointer_key ("ctrl+z");
  pointer_until (is_unchanged, NULL);
  pointer_key ("ctrl+o");
  chooser_answer (path, NULL);
  chooser_take (window);
  fixture_draw (window);
  g_assert_nonnull (hl_lesson_files_pane (window_part (window, "lessons")));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, 1024);
  lesson_player_play (window, "own", NULL);
  save_report (report);
  check_report (report);
  save_report (sheet);
  picture ("own-5-over.png");
  g_assert_true (g_file_test (sheet, G_FILE_TEST_EXISTS));
  if (g_getenv ("HL_PICTURES_DIR") != NULL) {
    g_autofree char *kept = g_build_filename (g_getenv ("HL_PICTURES_DIR"), "own.pdf", NULL);
    g_autofree char *kept_html = g_build_filename (g_getenv ("HL_PICTURES_DIR"), "own.html", NULL);
    g_rename (sheet, kept);
    g_rename (report, kept_html);
  }
  fixture_activate (window, "close-lesson");
  pointer_use (NULL);
  fixture_close (window);
  for (int k = 0; k < 4; k++)
    g_remove ((const char *[]){path, model, report, sheet}[k]);
  g_rmdir (folder);
}

/* --- what is not saved --- */

static guint count_kept (void) {
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "hydrolink", "lessons", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, "unsaved-") && g_str_has_suffix (name, HL_LESSON_SUFFIX);
  return n;
}

static gboolean is_asked (gconstpointer none) {
  return fixture_find_question () != NULL;
}

/* A window with a recording that was typed to. */
static void open_recorded (void) {
  window = fixture_open (application, "four-bar.hydrolink");
  pointer_use (window);
  hl_lesson_files_set_remembers (window_part (window, "lessons"), TRUE);
  fixture_activate (window, "author-lesson");
  g_assert_nonnull (recorded ());
  fixture_draw (window);
  pointer_click_on (fixture_nth (recorded (), GTK_TYPE_TEXT_VIEW, 0));
  pointer_type ("Not to be lost");
}

/* Closing leads to a question; Cancel stays, without saving it is kept, and so is the one before it. */
static void test_unsaved (void) {
  open_recorded ();
  gtk_window_close (GTK_WINDOW (window));
  pointer_until (is_asked, NULL);
  picture ("author-5-asks.png");
  hl_question_answer (fixture_find_question (), GTK_RESPONSE_CANCEL);
  g_assert_nonnull (recorded ());
  g_assert_cmpuint (count_kept (), ==, 0);
  fixture_activate (window, "author-lesson"); /* left without saving */
  g_assert_null (recorded ());
  g_assert_cmpuint (count_kept (), ==, 1);
  g_assert_nonnull (hl_window_banner (window));
  pointer_use (NULL);
  hl_lesson_files_set_remembers (window_part (window, "lessons"), FALSE);
  fixture_close (window);

  open_recorded ();
  gpointer gone = window;
  g_object_add_weak_pointer (G_OBJECT (window), &gone);
  gtk_window_close (GTK_WINDOW (window));
  pointer_until (is_asked, NULL);
  pointer_use (NULL);
  hl_question_answer (fixture_find_question (), GTK_RESPONSE_REJECT);
  fixture_until_gone (&gone);
  g_assert_cmpuint (count_kept (), ==, 2);
}

int main (int argc, char **argv) {
  char *folder = NULL;
  g_autofree char *state = g_dir_make_tmp ("hl-author-state-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  if (g_strcmp0 (g_getenv ("HL_TEST_LANGUAGE"), "en") != 0 && !hl_language_begin (&folder))
    return FIXTURE_SKIPPED;
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/lesson-author-pointer/records-a-lesson-that-holds", test_record);
  g_test_add_func ("/lesson-author-pointer/ones-own-to-its-report", test_own);
  g_test_add_func ("/lesson-author-pointer/what-was-not-saved-is-not-lost", test_unsaved);
  int status = g_test_run ();
  g_object_unref (application);
  if (folder != NULL)
    hl_language_end (folder);
  return status;
}
