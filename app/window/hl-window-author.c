/* SPDX-License-Identifier: MIT */
/* A lesson that is recorded in the window: beginning it with a model that its file has as it is, saving
 * it, and going through what was saved without a person, in a thread of its own. */
#include "app/window/hl-window-private.h"

#include "app/window/hl-application.h"
#include "app/window/hl-chooser.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-file-save.h"
#include "core/lesson/hl-lesson-check.h"
#include "core/lesson/hl-lesson-verify.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-question.h"

#include <string.h>

static void set_state (HlWindow *self) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "author-lesson");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (self->author != NULL));
  action = g_action_map_lookup_action (G_ACTION_MAP (self), "save-lesson");
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), self->author != NULL);
}

/* The lesson as a file of that name has it; owned by the caller. */
static char *text_for (HlWindow *self, const char *path) {
  const char *model = hl_editing_path (hl_workbench_editing (self->workbench));
  g_autofree char *from = g_canonicalize_filename (path, NULL);
  g_autofree char *to = g_canonicalize_filename (model, NULL);
  g_autofree char *way = hl_lesson_draft_way (from, to);

  return hl_lesson_draft_text (hl_lesson_author_draft (self->author), hl_lesson_author_title (self->author),
                               way);
}

/* A name that no file of the folder has; owned by the caller. */
static char *free_path (const char *folder) {
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *when = g_date_time_format (now, "%Y-%m-%d-%H%M%S");

  for (int k = 1;; k++) {
    g_autofree char *name = k == 1 ? g_strdup_printf ("unsaved-%s" HL_LESSON_SUFFIX, when)
                                   : g_strdup_printf ("unsaved-%s-%d" HL_LESSON_SUFFIX, when, k);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
  }
}

/* What was recorded and not saved is not lost: it goes beside the progress of lessons, to what was kept
 * before. */
static void keep_unsaved (HlWindow *self, gboolean tells) {
  const char *model = hl_editing_path (hl_workbench_editing (self->workbench));

  if (!hl_lesson_author_is_modified (self->author) || model == NULL || !self->remembers)
    return;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "hydrolink", "lessons", NULL);
  g_autofree char *path = free_path (folder);
  g_autofree char *text = text_for (self, path);
  g_mkdir_with_parents (folder, 0700);
  gboolean is_kept = hl_file_save_text (path, text, -1, &error);
  if (!tells)
    return;
  g_autofree char *notice = is_kept ? g_strdup_printf (_ ("The lesson was not saved; it is kept as %s"), path)
                                    : g_strdup (error->message);
  hl_window_show_banner (self, notice, !is_kept);
}

void hl_window_close_author (HlWindow *self) {
  HlLessonAuthor *author = self->author;

  if (author == NULL)
    return;
  keep_unsaved (self, TRUE);
  self->author = NULL;
  hl_lesson_author_stop (author);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  gtk_box_remove (self->lesson_box, GTK_WIDGET (author));
  hl_window_fold_for_lesson (self, FALSE);
  set_state (self);
}

void hl_window_drop_author (HlWindow *self) {
  if (self->author == NULL)
    return;
  keep_unsaved (self, FALSE);
  hl_lesson_author_stop (self->author);
  self->author = NULL;
}

/* A lesson names the file of its model, and begins with what that has. */
static void begin (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  if (hl_editing_path (editing) == NULL || hl_editing_is_modified (editing)) {
    hl_window_show_banner (self, _ ("A lesson begins with a model as its file has it: save the model first"),
                           TRUE);
    return;
  }
  hl_window_close_lesson (self);
  hl_window_hide_banner (self);
  self->leaves_lesson = FALSE;
  self->author = HL_LESSON_AUTHOR (hl_lesson_author_new (self->workbench));
  hl_window_fold_for_lesson (self, TRUE); /* makes room first, or the window would grow */
  gtk_box_prepend (self->lesson_box, GTK_WIDGET (self->author));
  set_state (self);
}

/* --- closing the window --- */

static void close_response_cb (HlQuestion *question, int response, HlWindow *self) {
  gtk_window_set_transient_for (GTK_WINDOW (question), NULL); /* which may end with the window */
  gtk_window_destroy (GTK_WINDOW (question));
  self->is_asking = FALSE;
  if (response == GTK_RESPONSE_REJECT) {
    self->leaves_lesson = TRUE;
    gtk_window_close (GTK_WINDOW (self));
    return;
  }
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  if (application != NULL && HL_IS_APPLICATION (application))
    hl_application_stop_quitting (HL_APPLICATION (application));
  if (response == GTK_RESPONSE_ACCEPT)
    g_action_group_activate_action (G_ACTION_GROUP (self), "save-lesson", NULL);
}

gboolean hl_window_confirm_author (HlWindow *self) {
  if (self->author == NULL || self->leaves_lesson || !hl_lesson_author_is_modified (self->author))
    return TRUE;
  if (self->is_asking)
    return FALSE;
  HlQuestion *question = hl_question_new (
      GTK_WINDOW (self), _ ("Save the recorded lesson before closing?"),
      self->remembers ? _ ("Without saving it is kept in the folder of the lessons' progress.")
                      : _ ("Without saving, the lesson is lost."));
  hl_question_add_button (question, _ ("Close _without saving"), GTK_RESPONSE_REJECT, FALSE);
  hl_question_add_button (question, _ ("_Cancel"), GTK_RESPONSE_CANCEL, FALSE);
  hl_question_add_button (question, _ ("_Save…"), GTK_RESPONSE_ACCEPT, TRUE);
  g_signal_connect_object (question, "response", G_CALLBACK (close_response_cb), self, 0);
  self->is_asking = TRUE;
  gtk_window_present (GTK_WINDOW (question));
  return FALSE;
}

/* --- saving and checking --- */

typedef struct {
  char *path;
  char *said; /* what the check found, as a sentence */
} Check;

static void check_free (gpointer data) {
  Check *check = data;

  g_free (check->path);
  g_free (check->said);
  g_free (check);
}

static char *problem_text (const GPtrArray *problems) {
  const HlLessonProblem *first = problems->pdata[0];

  return first->line > 0 ? g_strdup_printf (_ ("Saved, but line %d: %s"), first->line, first->text)
                         : g_strdup_printf (_ ("Saved, but %s"), first->text);
}

static char *verdict_text (const GPtrArray *verdicts) {
  for (guint k = 0; k < verdicts->len; k++) {
    const HlLessonVerdict *verdict = verdicts->pdata[k];
    if (!verdict->holds)
      return g_strdup_printf (_ ("Saved, but step %d does not hold: %s"), verdict->step + 1,
                              verdict->text != NULL ? verdict->text : "");
  }
  return g_strdup (_ ("Saved; all that is to be done can be done."));
}

static void check_work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable) {
  Check *check = data;
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  g_autoptr (HlLesson) lesson = hl_lesson_load (check->path, problems);
  g_autoptr (HlDocument) model = lesson != NULL ? hl_lesson_open_model (lesson, problems) : NULL;

  if (model == NULL || !hl_lesson_verify (lesson, model, &traces, problems))
    check->said = problem_text (problems);
  else {
    g_autoptr (GPtrArray) verdicts = hl_lesson_check (g_steal_pointer (&lesson), model, traces);
    check->said = verdict_text (verdicts);
  }
  g_task_return_boolean (task, TRUE);
}

static void checked_cb (GObject *source, GAsyncResult *result, gpointer data) {
  HlLessonAuthor *author = HL_LESSON_AUTHOR (source);
  const Check *check = g_task_get_task_data (G_TASK (result));

  if (gtk_widget_get_root (GTK_WIDGET (author)) != NULL)
    hl_lesson_author_tell (author, check->said);
}

gboolean hl_window_save_lesson (HlWindow *self, const char *path, GError **error) {
  g_return_val_if_fail (self->author != NULL, FALSE);
  g_autofree char *text = text_for (self, path);
  if (!hl_file_save_text (path, text, -1, error))
    return FALSE;
  hl_lesson_author_mark_saved (self->author);
  hl_lesson_author_tell (self->author, _ ("Saved; it is being gone through…"));
  Check *check = g_new0 (Check, 1);
  check->path = g_strdup (path);
  GTask *task = g_task_new (self->author, NULL, checked_cb, NULL);
  g_task_set_task_data (task, check, check_free);
  g_task_run_in_thread (task, check_work);
  g_object_unref (task);
  return TRUE;
}

static void chosen (gpointer owner, const char *path, const GError *refused) {
  HlWindow *self = owner;
  g_autoptr (GError) error = NULL;

  if (self->author == NULL)
    return;
  if (path == NULL)
    hl_window_show_banner (self, refused->message, TRUE);
  else if (!hl_window_save_lesson (self, path, &error))
    hl_window_show_banner (self, error->message, TRUE);
}

static void save_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  static const HlFileFormat formats[] = {{HL_LESSON_SUFFIX, N_ ("Lessons (*.hllesson)")}};
  HlWindow *self = data;

  if (self->author != NULL)
    hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Save the lesson"),
                                      .accept = _ ("_Save"),
                                      .name = "lesson" HL_LESSON_SUFFIX,
                                      .formats = formats,
                                      .n_formats = G_N_ELEMENTS (formats),
                                      .only = -1,
                                      .chosen = chosen},
                    &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

static void author_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  if (self->author == NULL)
    begin (self);
  else
    hl_window_close_author (self);
}

static const GActionEntry actions[] = {
    {"author-lesson", author_cb, NULL, "false", NULL},
    {"save-lesson", save_cb, NULL, NULL, NULL},
};

void hl_window_add_author_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  set_state (self);
}
