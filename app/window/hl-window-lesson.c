/* SPDX-License-Identifier: MIT */
/* A lesson beside the model of the window: opening, its progress in the state folder, its report. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-file-read.h"
#include "core/io/hl-file-save.h"
#include "core/lesson/hl-lesson-progress.h"
#include "core/lesson/hl-lesson-report.h"
#include "core/lesson/hl-lesson-verify.h"
#include "ui/lesson/hl-lesson-file.h"
#include "ui/paint/page/hl-lesson-sheet.h"
#include "ui/widget/hl-file-chooser.h"

#include <glib/gstdio.h>
#include <string.h>

#define KEY_LETTERS 10     /* of a hash that tells files of one name apart */
#define MOST_BYTES 8000000 /* of a file of progress */
#define ROOM_FROM_PX 1500  /* width of a window that has room for palettes beside a lesson */

/* --- progress --- */

/* File of what is kept; NULL: nothing is, of windows that remember nothing. Owned by the caller. */
static char *progress_path (HlWindow *self) {
  g_autofree char *name = g_strconcat (self->lesson_key, ".json", NULL);

  return self->remembers ? g_build_filename (g_get_user_state_dir (), "hydrolink", "lessons", name, NULL)
                         : NULL;
}

static void keep_progress (HlWindow *self) {
  g_autofree char *path = progress_path (self);

  if (path == NULL || self->lesson == NULL)
    return;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = hl_lesson_progress_text (hl_lesson_pane_play (self->lesson));
  g_autoptr (GError) error = NULL;
  g_mkdir_with_parents (folder, 0700);
  if (!hl_file_save_text (path, text, -1, &error))
    hl_window_show_banner (self, error->message, TRUE);
}

/* What cannot be gone on with is begun anew. */
static void restore_progress (HlWindow *self, HlLessonPlay *play) {
  g_autofree char *path = progress_path (self);
  gsize length;
  g_autofree char *text = path != NULL ? hl_file_read (path, MOST_BYTES, NULL, NULL, &length, NULL) : NULL;

  if (text != NULL)
    hl_lesson_progress_restore (play, text, NULL);
}

static char *key_of (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, uri, -1);

  return g_strdup_printf ("%s-%.*s", name, KEY_LETTERS, hash);
}

/* --- the pane --- */

static void show_cb (HlLessonPane *pane, const char *what, HlWindow *self) {
  if (strcmp (what, "locus") == 0 || strcmp (what, "properties") == 0)
    g_action_group_activate_action (G_ACTION_GROUP (self), "side-tab", g_variant_new_string (what));
  else if (strcmp (what, "plots") == 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->plot_pane));
  else
    gtk_widget_grab_focus (strcmp (what, "circuit") == 0 ? GTK_WIDGET (self->circuit_view)
                                                         : GTK_WIDGET (self->linkage_view));
}

static void curtain_cb (HlLessonPane *pane, gboolean covers, HlWindow *self) {
  gtk_widget_set_visible (GTK_WIDGET (self->plot_pane), !covers && hl_window_may_show_plots (self));
  gtk_widget_set_visible (GTK_WIDGET (self->locus_view), !covers);
  gtk_widget_set_visible (GTK_WIDGET (self->eigen_table), !covers);
}

static void notice_cb (HlLessonPane *pane, const char *text, HlWindow *self) {
  hl_window_show_banner (self, text, FALSE);
}

static void progress_cb (HlLessonPane *pane, HlWindow *self) {
  keep_progress (self);
}

/* Palettes and outline step back where there is no room for them and the lesson. */
static void fold (HlWindow *self, gboolean folds) {
  if (self->lesson_folded == folds || (folds && gtk_widget_get_width (GTK_WIDGET (self)) >= ROOM_FROM_PX))
    return;
  self->lesson_folded = folds;
  self->has_outline_choice = TRUE;
  g_action_group_change_action_state (G_ACTION_GROUP (self), "palettes", g_variant_new_boolean (!folds));
  if (folds)
    hl_window_show_outline (self, FALSE);
}

int hl_window_lesson_width (HlWindow *self) {
  gpointer beside = self->lesson != NULL ? (gpointer)self->lesson : (gpointer)self->author;

  return beside != NULL ? gtk_widget_get_width (beside) : 0;
}

/* The panes share what the lesson leaves of the window, once that is known. */
static gboolean place_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  int lesson = hl_window_lesson_width (self);

  if (lesson == 0 && (self->lesson != NULL || self->author != NULL))
    return G_SOURCE_CONTINUE;
  hl_window_place_panes (self, gtk_widget_get_width (widget) - lesson, gtk_widget_get_height (widget));
  return G_SOURCE_REMOVE;
}

void hl_window_fold_for_lesson (HlWindow *self, gboolean folds) {
  fold (self, folds);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), place_cb, NULL, NULL);
}

static void show_lesson (HlWindow *self, HlLessonPlay *play) {
  self->lesson = HL_LESSON_PANE (hl_lesson_pane_new (self->workbench, play));
  g_signal_connect (self->lesson, "look-at", G_CALLBACK (show_cb), self);
  g_signal_connect (self->lesson, "curtain", G_CALLBACK (curtain_cb), self);
  g_signal_connect (self->lesson, "notice", G_CALLBACK (notice_cb), self);
  g_signal_connect (self->lesson, "progress", G_CALLBACK (progress_cb), self);
  hl_window_fold_for_lesson (self, TRUE); /* makes room first, or the window would grow */
  gtk_box_prepend (self->lesson_box, GTK_WIDGET (self->lesson));
  curtain_cb (self->lesson, hl_lesson_pane_is_covered (self->lesson), self);
  hl_window_update_actions (self);
}

void hl_window_close_lesson (HlWindow *self) {
  HlLessonPane *lesson = self->lesson;

  hl_window_close_author (self);
  if (lesson == NULL)
    return;
  keep_progress (self);
  self->lesson = NULL;
  g_signal_handlers_disconnect_by_data (lesson, self);
  hl_lesson_pane_stop (lesson);
  curtain_cb (lesson, FALSE, self);
  gtk_box_remove (self->lesson_box, GTK_WIDGET (lesson));
  gtk_widget_add_tick_callback (GTK_WIDGET (self), place_cb, NULL, NULL);
  g_clear_pointer (&self->lesson_key, g_free);
  fold (self, FALSE);
  hl_window_update_actions (self);
}

void hl_window_drop_lesson (HlWindow *self) {
  hl_window_drop_author (self);
  if (self->lesson != NULL) {
    keep_progress (self);
    g_signal_handlers_disconnect_by_data (self->lesson, self);
    hl_lesson_pane_stop (self->lesson);
    self->lesson = NULL;
  }
  g_clear_pointer (&self->lesson_key, g_free);
  g_clear_object (&self->lesson_file);
}

/* The first of what is wrong with a lesson, with its line. */
static void show_problem (HlWindow *self, GFile *file, const GPtrArray *problems) {
  const HlLessonProblem *first = problems->pdata[0];
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = first->line > 0 ? g_strdup_printf ("%s:%d: %s", name, first->line, first->text)
                                          : g_strdup_printf ("%s: %s", name, first->text);

  hl_window_show_banner (self, text, TRUE);
}

gboolean hl_window_open_lesson (HlWindow *self, GFile *asked) {
  g_autoptr (GFile) file = hl_lesson_file_translated (asked, g_get_language_names ());
  g_autoptr (GPtrArray) problems = hl_lesson_problems_new ();
  g_autoptr (GPtrArray) traces = NULL;
  g_autoptr (HlDocument) document = NULL;
  g_autoptr (HlLesson) lesson = hl_lesson_file_read (file, &document, problems);

  if (lesson == NULL || !hl_lesson_verify (lesson, document, &traces, problems)) {
    show_problem (self, file, problems);
    return FALSE;
  }
  hl_window_close_lesson (self);
  hl_window_hide_banner (self);
  self->lesson_key = key_of (file);
  HlLessonPlay *play = hl_lesson_play_new (g_steal_pointer (&lesson), g_steal_pointer (&document), traces);
  restore_progress (self, play);
  show_lesson (self, play);
  g_set_object (&self->lesson_file, file);
  return TRUE;
}

/* --- the report --- */

/* PDF where the name ends so, else HTML. */
static gboolean save_report (HlWindow *self, const char *path, GError **error) {
  HlLessonPlay *play = hl_lesson_pane_play (self->lesson);
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".pdf")) {
    g_autofree char *text = hl_lesson_report_text (play);
    return hl_lesson_sheet_save (text, path, error);
  }
  g_autofree char *html = hl_lesson_report_html (play);
  return hl_file_save_text (path, html, -1, error);
}

static void report_chosen_cb (HlFileChooser *dialog, int response, HlWindow *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL && self->lesson != NULL &&
      !save_report (self, path, &error))
    hl_window_show_banner (self, error->message, TRUE);
}

static void report_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  if (self->lesson == NULL)
    return;
  HlFileChooser *chooser = hl_file_chooser_new (_ ("Save a report"), GTK_WINDOW (self), TRUE, _ ("_Save"));
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  hl_file_chooser_set_name (chooser, _ ("lesson.pdf"));
  g_signal_connect_object (chooser, "response", G_CALLBACK (report_chosen_cb), self, 0);
  hl_file_chooser_show (chooser);
}

static void close_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_close_lesson (data);
}

static void restart_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  if (self->lesson == NULL)
    return;
  g_autoptr (GFile) file = g_object_ref (self->lesson_file);
  g_autofree char *path = progress_path (self);
  gboolean remembers = self->remembers;
  self->remembers = FALSE; /* what is there is to go */
  if (path != NULL)
    g_remove (path);
  hl_window_open_lesson (self, file);
  self->remembers = remembers;
}

static const GActionEntry actions[] = {
    {"close-lesson", close_cb, NULL, NULL, NULL},
    {"restart-lesson", restart_cb, NULL, NULL, NULL},
    {"lesson-report", report_cb, NULL, NULL, NULL},
};

void hl_window_add_lesson_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  hl_window_add_author_actions (self);
  hl_window_add_record_actions (self);
}
