/* SPDX-License-Identifier: MIT */
#include "app/window/hl-lesson-side-pane.h"

#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/lesson/hl-lesson-session.h"
#include "core/lesson/hl-lesson-report.h"
#include "core/lesson/hl-lesson-static-check.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/lesson/hl-lesson-author.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/paint/page/hl-page-export.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-question-dialog.h"

#include <glib/gstdio.h>
#include <string.h>

#define KEY_LETTERS 10     /* of a hash that distinguishes files of the same name */
#define MOST_BYTES 8000000 /* of a file of progress */

struct _HlLessonFiles {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  HlBanner *banner;       /* of the window */
  GActionMap *actions;    /* of the window */
  HlLessonPane *pane;     /* NULL: none is gone through */
  HlLessonAuthor *author; /* NULL: none is recorded */
  GFile *file;            /* where the lesson came from last */
  char *key;              /* key under which its progress is stored */
  HlFileChooser *chooser; /* kept until it answers */
  gboolean remembers;     /* progress, from window to window */
  gboolean is_asking;     /* about what was recorded */
  gboolean may_close;     /* the recording was saved or discarded */
};

G_DEFINE_FINAL_TYPE (HlLessonFiles, hl_lesson_files, GTK_TYPE_BOX)

enum { ROOM, LOOK_AT, CURTAIN, STAYS, N_SIGNALS };

static guint signals[N_SIGNALS];

static GtkWindow *window_of (HlLessonFiles *self) {
  return GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));
}

static void add_pane (HlLessonFiles *self, GtkWidget *pane) {
  g_signal_emit (self, signals[ROOM], 0, TRUE); /* makes room first, or the window would grow */
  gtk_box_append (GTK_BOX (self), pane);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void remove_pane (HlLessonFiles *self, gpointer pane) {
  gtk_box_remove (GTK_BOX (self), pane);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_emit (self, signals[ROOM], 0, FALSE);
}

/* --- recording --- */

static void show_states (HlLessonFiles *self) {
  GSimpleAction *author = G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, "author-lesson"));
  GSimpleAction *save = G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, "save-lesson"));

  g_simple_action_set_state (author, g_variant_new_boolean (self->author != NULL));
  g_simple_action_set_enabled (save, self->author != NULL);
}

/* Returns the lesson as a file of that name has it; owned by the caller. */
static char *text_for (HlLessonFiles *self, const char *path) {
  const char *model = hl_editing_path (hl_workbench_editing (self->workbench));
  g_autofree char *from = g_canonicalize_filename (path, NULL);
  g_autofree char *to = g_canonicalize_filename (model, NULL);
  g_autofree char *way = hl_lesson_draft_way (from, to);

  return hl_lesson_draft_text (hl_lesson_author_draft (self->author), hl_lesson_author_title (self->author),
                               way);
}

/* Returns a name that no file of the folder has; owned by the caller. */
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

/* Keeps an unsaved recording: it is stored in the folder with the progress of the lessons. */
static void keep_unsaved (HlLessonFiles *self, gboolean tells) {
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
  g_autofree char *notice = is_kept ? g_strdup_printf (_ ("The lesson was not saved. It is kept as %s"), path)
                                    : g_strdup (error->message);
  hl_banner_show (self->banner, notice, !is_kept);
}

static void close_author (HlLessonFiles *self) {
  HlLessonAuthor *author = self->author;

  if (author == NULL)
    return;
  keep_unsaved (self, TRUE);
  self->author = NULL;
  hl_lesson_author_stop (author);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  remove_pane (self, author);
  show_states (self);
}

static void drop_author (HlLessonFiles *self) {
  if (self->author == NULL)
    return;
  keep_unsaved (self, FALSE);
  hl_lesson_author_stop (self->author);
  self->author = NULL;
}

/* --- progress --- */

static char *key_of (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, uri, -1);

  return g_strdup_printf ("%s-%.*s", name, KEY_LETTERS, hash);
}

/* Returns the path of the progress file. Owned by the caller. */
static char *path_of_progress (const char *key) {
  g_autofree char *name = g_strconcat (key, ".json", NULL);

  return g_build_filename (g_get_user_state_dir (), "hydrolink", "lessons", name, NULL);
}

/* Returns the path of the stored progress; NULL: the window stores none. Owned by the caller. */
static char *progress_path (HlLessonFiles *self) {
  return self->remembers ? path_of_progress (self->key) : NULL;
}

static void keep_progress (HlLessonFiles *self) {
  g_autofree char *path = progress_path (self);

  if (path == NULL || self->pane == NULL)
    return;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = hl_lesson_progress_text (hl_lesson_pane_play (self->pane));
  g_autoptr (GError) error = NULL;
  g_mkdir_with_parents (folder, 0700);
  if (!hl_file_save_text (path, text, -1, &error))
    hl_banner_show (self->banner, error->message, TRUE);
}

gboolean hl_lesson_files_progress (GFile *lesson, int *at, int *n_steps) {
  g_autofree char *key = key_of (lesson);
  g_autofree char *path = path_of_progress (key);
  gsize length;
  g_autofree char *text = hl_file_read (path, MOST_BYTES, NULL, NULL, &length, NULL);
  g_autoptr (HlValue) whole = text != NULL ? hl_json_parse (text, length, path, NULL) : NULL;
  const HlValue *step = whole != NULL ? hl_value_member (whole, "at") : NULL;
  const HlValue *steps = whole != NULL ? hl_value_member (whole, "steps") : NULL;

  if (step == NULL || hl_value_type (step) != HL_VALUE_NUMBER || steps == NULL ||
      hl_value_type (steps) != HL_VALUE_ARRAY)
    return FALSE;
  *n_steps = (int)hl_value_length (steps);
  *at = (int)CLAMP (hl_value_number (step), 0, *n_steps - 1);
  return *n_steps > 0;
}

/* Restores the saved progress of the lesson; a file that cannot be read starts the lesson from the beginning. */
static void restore_progress (HlLessonFiles *self, HlLessonSession *play) {
  g_autofree char *path = progress_path (self);
  gsize length;
  g_autofree char *text = path != NULL ? hl_file_read (path, MOST_BYTES, NULL, NULL, &length, NULL) : NULL;

  if (text != NULL)
    hl_lesson_progress_restore (play, text, NULL);
}

/* --- the pane --- */

static void look_at_cb (HlLessonPane *pane, HlLessonFiles *self) {
  g_signal_emit (self, signals[LOOK_AT], 0);
}

static void curtain_cb (HlLessonPane *pane, gboolean covers, HlLessonFiles *self) {
  g_signal_emit (self, signals[CURTAIN], 0, covers);
}

static void notice_cb (HlLessonPane *pane, const char *text, HlLessonFiles *self) {
  hl_banner_show (self->banner, text, FALSE);
}

static void progress_cb (HlLessonPane *pane, HlLessonFiles *self) {
  keep_progress (self);
}

static void show_pane (HlLessonFiles *self, HlLessonSession *play) {
  self->pane = HL_LESSON_PANE (hl_lesson_pane_new (self->workbench, play));
  g_signal_connect (self->pane, "look-at", G_CALLBACK (look_at_cb), self);
  g_signal_connect (self->pane, "curtain", G_CALLBACK (curtain_cb), self);
  g_signal_connect (self->pane, "notice", G_CALLBACK (notice_cb), self);
  g_signal_connect (self->pane, "progress", G_CALLBACK (progress_cb), self);
  add_pane (self, GTK_WIDGET (self->pane));
  curtain_cb (self->pane, hl_lesson_pane_is_covered (self->pane), self);
  look_at_cb (self->pane, self);
}

void hl_lesson_files_close (HlLessonFiles *self) {
  HlLessonPane *lesson = self->pane;

  close_author (self);
  if (lesson == NULL)
    return;
  keep_progress (self);
  self->pane = NULL;
  g_signal_handlers_disconnect_by_data (lesson, self);
  hl_lesson_pane_stop (lesson);
  curtain_cb (lesson, FALSE, self);
  look_at_cb (lesson, self);
  g_clear_pointer (&self->key, g_free);
  remove_pane (self, lesson);
}

void hl_lesson_files_drop (HlLessonFiles *self) {
  drop_author (self);
  if (self->pane != NULL) {
    keep_progress (self);
    g_signal_handlers_disconnect_by_data (self->pane, self);
    hl_lesson_pane_stop (self->pane);
    self->pane = NULL;
  }
  g_clear_pointer (&self->key, g_free);
  g_clear_object (&self->file);
}

/* Shows the first problem of a lesson, with its line. */
static void show_problem (HlLessonFiles *self, GFile *file, const GPtrArray *problems) {
  const HlLessonProblem *first = problems->pdata[0];
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = first->line > 0 ? g_strdup_printf ("%s:%d: %s", name, first->line, first->text)
                                          : g_strdup_printf ("%s: %s", name, first->text);

  hl_banner_show (self->banner, text, TRUE);
}

gboolean hl_lesson_files_open (HlLessonFiles *self, GFile *asked) {
  g_autoptr (GFile) file = hl_lesson_file_translated (asked, g_get_language_names ());
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  g_autoptr (HlDocument) document = NULL;
  g_autoptr (HlLesson) lesson = hl_lesson_file_read (file, &document, problems);

  if (lesson == NULL || !hl_lesson_verify (lesson, document, &traces, problems)) {
    show_problem (self, file, problems);
    return FALSE;
  }
  hl_lesson_files_close (self);
  hl_banner_hide (self->banner);
  self->key = key_of (file);
  HlLessonSession *play =
      hl_lesson_session_new (g_steal_pointer (&lesson), g_steal_pointer (&document), traces);
  restore_progress (self, play);
  show_pane (self, play);
  g_set_object (&self->file, file);
  return TRUE;
}

/* --- the report --- */

/* Saves the report as PDF if the name ends so, otherwise as HTML. */
static gboolean save_report (HlLessonFiles *self, const char *path, GError **error) {
  HlLessonSession *play = hl_lesson_pane_play (self->pane);
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".pdf")) {
    g_autofree char *text = hl_lesson_report_text (play);
    return hl_lesson_sheet_save (text, path, error);
  }
  g_autofree char *html = hl_lesson_report_html (play);
  return hl_file_save_text (path, html, -1, error);
}

static void report_chosen_cb (HlFileChooser *dialog, int response, HlLessonFiles *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL && self->pane != NULL &&
      !save_report (self, path, &error))
    hl_banner_show (self->banner, error->message, TRUE);
}

static void report_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlLessonFiles *self = data;

  if (self->pane == NULL)
    return;
  HlFileChooser *chooser = hl_file_chooser_new (_ ("Save a report"), window_of (self), TRUE, _ ("_Save"));
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  hl_file_chooser_set_name (chooser, _ ("lesson.pdf"));
  g_signal_connect_object (chooser, "response", G_CALLBACK (report_chosen_cb), self, 0);
  hl_file_chooser_show (chooser);
}

static void close_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_lesson_files_close (data);
}

static void restart_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlLessonFiles *self = data;

  if (self->pane == NULL)
    return;
  g_autoptr (GFile) file = g_object_ref (self->file);
  g_autofree char *path = progress_path (self);
  gboolean remembers = self->remembers;
  self->remembers = FALSE; /* the stored progress is to be removed */
  if (path != NULL)
    g_remove (path);
  hl_lesson_files_open (self, file);
  self->remembers = remembers;
}

/* --- recording, begun and ended by a person --- */

/* Begins a recording; a lesson names the file of its model and begins with that model. */
static void begin_author (HlLessonFiles *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  if (hl_editing_path (editing) == NULL || hl_editing_is_modified (editing)) {
    hl_banner_show (self->banner, _ ("A lesson starts from a saved model. Save the model first."), TRUE);
    return;
  }
  hl_lesson_files_close (self);
  hl_banner_hide (self->banner);
  self->may_close = FALSE;
  self->author = HL_LESSON_AUTHOR (hl_lesson_author_new (self->workbench));
  add_pane (self, GTK_WIDGET (self->author));
  show_states (self);
}

/* --- closing the window --- */

static void close_response_cb (HlQuestion *question, int response, HlLessonFiles *self) {
  gtk_window_set_transient_for (GTK_WINDOW (question), NULL); /* which may end with the window */
  gtk_window_destroy (GTK_WINDOW (question));
  self->is_asking = FALSE;
  if (response == GTK_RESPONSE_REJECT) {
    self->may_close = TRUE;
    gtk_window_close (window_of (self));
    return;
  }
  g_signal_emit (self, signals[STAYS], 0);
  if (response == GTK_RESPONSE_ACCEPT)
    g_action_group_activate_action (G_ACTION_GROUP (self->actions), "save-lesson", NULL);
}

gboolean hl_lesson_files_confirm (HlLessonFiles *self) {
  if (self->author == NULL || self->may_close || !hl_lesson_author_is_modified (self->author))
    return TRUE;
  if (self->is_asking)
    return FALSE;
  HlQuestion *question = hl_question_new (
      window_of (self), _ ("Save the recorded lesson before closing?"),
      self->remembers
          ? _ ("If you do not save the lesson, it stays in the folder with the progress of the lessons.")
          : _ ("If you do not save the lesson, it is lost."));
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
  char *said; /* result of the check, as a sentence */
} Check;

static void check_free (gpointer data) {
  Check *check = data;

  g_free (check->path);
  g_free (check->said);
  g_free (check);
}

static char *problem_text (const GPtrArray *problems) {
  const HlLessonProblem *first = problems->pdata[0];

  return first->line > 0 ? g_strdup_printf (_ ("Saved. Line %d is wrong: %s"), first->line, first->text)
                         : g_strdup_printf (_ ("Saved. The lesson is wrong: %s"), first->text);
}

static char *verdict_text (const GPtrArray *verdicts) {
  for (guint k = 0; k < verdicts->len; k++) {
    const HlLessonVerdict *verdict = verdicts->pdata[k];
    if (!verdict->holds)
      return g_strdup_printf (_ ("Saved. Step %d does not work: %s"), verdict->step + 1,
                              verdict->text != NULL ? verdict->text : "");
  }
  return g_strdup (_ ("Saved. All tasks of the lesson can be solved."));
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
    hl_lesson_author_set_notice (author, check->said);
}

gboolean hl_lesson_files_save (HlLessonFiles *self, const char *path, GError **error) {
  g_return_val_if_fail (self->author != NULL, FALSE);
  g_autofree char *text = text_for (self, path);
  if (!hl_file_save_text (path, text, -1, error))
    return FALSE;
  hl_lesson_author_mark_saved (self->author);
  hl_lesson_author_set_notice (self->author, _ ("Saved. The lesson is being checked…"));
  Check *check = g_new0 (Check, 1);
  check->path = g_strdup (path);
  GTask *task = g_task_new (self->author, NULL, checked_cb, NULL);
  g_task_set_task_data (task, check, check_free);
  g_task_run_in_thread (task, check_work);
  g_object_unref (task);
  return TRUE;
}

static void author_chosen (gpointer owner, const char *path, const GError *refused) {
  HlLessonFiles *self = owner;
  g_autoptr (GError) error = NULL;

  if (self->author == NULL)
    return;
  if (path == NULL)
    hl_banner_show (self->banner, refused->message, TRUE);
  else if (!hl_lesson_files_save (self, path, &error))
    hl_banner_show (self->banner, error->message, TRUE);
}

static void save_lesson_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  static const HlFileFormat formats[] = {{HL_LESSON_SUFFIX, N_ ("Lessons (*.hllesson)")}};
  HlLessonFiles *self = data;

  if (self->author != NULL)
    hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Save the lesson"),
                                      .accept = _ ("_Save"),
                                      .name = "lesson" HL_LESSON_SUFFIX,
                                      .formats = formats,
                                      .n_formats = G_N_ELEMENTS (formats),
                                      .only = -1,
                                      .chosen = author_chosen},
                    &self->chooser, window_of (self), G_OBJECT (self));
}

static void author_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlLessonFiles *self = data;

  if (self->author == NULL)
    begin_author (self);
  else
    close_author (self);
}

static const GActionEntry actions[] = {
    {"close-lesson", close_cb, NULL, NULL, NULL},      {"restart-lesson", restart_cb, NULL, NULL, NULL},
    {"lesson-report", report_cb, NULL, NULL, NULL},    {"author-lesson", author_cb, NULL, "false", NULL},
    {"save-lesson", save_lesson_cb, NULL, NULL, NULL},
};

void hl_lesson_files_set_workbench (HlLessonFiles *self, HlWorkbench *workbench, HlBanner *banner,
                                    GActionMap *map) {
  self->workbench = g_object_ref (workbench);
  self->banner = banner;
  self->actions = map;
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
  show_states (self);
}

/* --- for the window --- */

void hl_lesson_files_set_remembers (HlLessonFiles *self, gboolean remembers) {
  self->remembers = remembers;
}

void hl_lesson_files_note_run (HlLessonFiles *self) {
  if (self->author != NULL)
    hl_lesson_author_note_run (self->author);
  if (self->pane != NULL)
    hl_lesson_pane_note_run (self->pane);
}

HlLessonPane *hl_lesson_files_pane (HlLessonFiles *self) {
  return self->pane;
}

int hl_lesson_files_width (HlLessonFiles *self) {
  return self->pane != NULL || self->author != NULL ? gtk_widget_get_width (GTK_WIDGET (self)) : 0;
}

/* --- life --- */

static void hl_lesson_files_dispose (GObject *object) {
  HlLessonFiles *self = HL_LESSON_FILES (object);

  if (self->workbench != NULL)
    hl_lesson_files_drop (self);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_lesson_files_parent_class)->dispose (object);
}

static void hl_lesson_files_class_init (HlLessonFilesClass *klass) {
  const struct {
    const char *name;
    GType argument; /* G_TYPE_NONE: none */
  } kinds[N_SIGNALS] = {{"room", G_TYPE_BOOLEAN},
                        {"look-at", G_TYPE_NONE},
                        {"curtain", G_TYPE_BOOLEAN},
                        {"stays", G_TYPE_NONE}};

  G_OBJECT_CLASS (klass)->dispose = hl_lesson_files_dispose;
  for (int k = 0; k < N_SIGNALS; k++)
    signals[k] = g_signal_new (kinds[k].name, HL_TYPE_LESSON_FILES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, kinds[k].argument != G_TYPE_NONE, kinds[k].argument);
}

static void hl_lesson_files_init (HlLessonFiles *self) {
  gtk_widget_set_hexpand (GTK_WIDGET (self), FALSE); /* the panes beside a hidden one take its room */
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
