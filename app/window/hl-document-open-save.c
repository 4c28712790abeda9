/* SPDX-License-Identifier: MIT */
#include "app/window/hl-document-open-save.h"

#include "app/window/hl-user-preferences.h"
#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "core/io/hl-file-access.h"
#include "core/io/hl-json-text.h"
#include "core/io/hl-crash-recovery.h"
#include "core/lesson/hl-experiment-slides.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/workbench/hl-worker-thread.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-question-dialog.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum { HL_FILE_SAME, HL_FILE_CHANGED, HL_FILE_GONE } HlFileState;

typedef struct _HlFileWatch HlFileWatch;

typedef struct _HlAutosave HlAutosave;

/* Programs save in several steps (a temporary file, a rename, permissions): the file is examined
 * when it has been quiet for a moment. */

#define QUIET_MS 250

struct _HlFileWatch {
  char *path;
  char *known; /* checksum of what was read or written; NULL: there was no file */
  HlFileState told;
  GFileMonitor *monitor;
  guint timeout;
  void (*changed) (HlFileState state, gpointer data);
  gpointer data;
};

/* Returns a new watch. `changed` is called in the main loop, once for each new state of the file. */
static HlFileWatch *watch_new (void (*changed) (HlFileState state, gpointer data), gpointer data) {
  HlFileWatch *watch = g_new0 (HlFileWatch, 1);

  watch->changed = changed;
  watch->data = data;
  return watch;
}

static void stop_watching (HlFileWatch *watch) {
  g_clear_handle_id (&watch->timeout, g_source_remove);
  if (watch->monitor != NULL)
    g_signal_handlers_disconnect_by_data (watch->monitor, watch);
  g_clear_object (&watch->monitor);
  g_clear_pointer (&watch->path, g_free);
  g_clear_pointer (&watch->known, g_free);
}

static void watch_free (HlFileWatch *watch) {
  if (watch == NULL)
    return;
  stop_watching (watch);
  g_free (watch);
}

static char *checksum_of (const char *path) {
  gsize length;
  g_autofree char *content = hl_file_read (path, HL_JSON_MAX_BYTES, NULL, NULL, &length, NULL);

  if (content == NULL)
    return NULL;
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)content, length);
}

/* Looks now. Without a file: HL_FILE_SAME. */
static HlFileState watch_look (HlFileWatch *watch) {
  if (watch->path == NULL || watch->known == NULL)
    return HL_FILE_SAME;
  g_autofree char *now = checksum_of (watch->path);
  return now == NULL ? HL_FILE_GONE : g_strcmp0 (now, watch->known) == 0 ? HL_FILE_SAME : HL_FILE_CHANGED;
}

static const char *watch_path (HlFileWatch *watch) {
  return watch->path;
}

static gboolean quiet_cb (gpointer data) {
  HlFileWatch *watch = data;
  HlFileState state = watch_look (watch);

  watch->timeout = 0;
  if (state != watch->told) {
    watch->told = state;
    watch->changed (state, watch->data);
  }
  return G_SOURCE_REMOVE;
}

static void event_cb (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                      HlFileWatch *watch) {
  g_clear_handle_id (&watch->timeout, g_source_remove);
  watch->timeout = g_timeout_add (QUIET_MS, quiet_cb, watch);
}

/* Accepts the present state of the file, NULL = none: it was just read or written. */
static void watch_accept (HlFileWatch *watch, const char *path) {
  g_autofree char *kept = g_strdup (path);

  stop_watching (watch);
  watch->told = HL_FILE_SAME;
  if (kept == NULL)
    return;
  g_autoptr (GFile) file = g_file_new_for_path (kept);
  watch->known = checksum_of (kept);
  watch->path = g_steal_pointer (&kept);
  watch->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (watch->monitor != NULL)
    g_signal_connect (watch->monitor, "changed", G_CALLBACK (event_cb), watch);
}

/* The first change is written immediately: a crash within seconds leaves it. A later one starts the timer unless it is
 * running, so that changes without a pause are saved too. While a write is under way the next one waits for it. */

struct _HlAutosave {
  HlWorkbench *workbench;
  HlRecoverySlot *slot;
  GSettings *settings;
  guint timeout;
  gboolean is_writing;
  gboolean is_begun; /* since the document was clean a write was begun */
  gboolean has_failed;
  GCancellable *life; /* cancelled with the autosave: a late answer has no receiver */
  void (*report) (const char *message, gpointer data);
  gpointer report_data;
};

typedef struct {
  HlRecoverySlot *slot;
  guint ticket;
  HlDocument *document;
  char *path;
} Job;

static void job_free (gpointer data) {
  Job *job = data;
  hl_recovery_slot_unref (job->slot);
  hl_document_unref (job->document);
  g_free (job->path);
  g_free (job);
}

static gpointer work (gpointer data, GCancellable *life, GError **error) {
  const Job *job = data;

  return hl_recovery_slot_write (job->slot, job->ticket, job->document, job->path, error) ? data : NULL;
}

static void start_write (HlAutosave *self);

static void report_failure (HlAutosave *self, const char *message) {
  if (self->report != NULL)
    self->report (message, self->report_data);
}

static void written_cb (gpointer sender, gpointer job, gpointer written, const GError *error) {
  HlAutosave *self = sender;
  gboolean ok = written != NULL;

  self->is_writing = FALSE;
  if (ok == self->has_failed)
    report_failure (self, ok ? NULL : error->message);
  self->has_failed = !ok;
  /* saved and changed again meanwhile */
  if (!self->is_begun && hl_editing_is_modified (hl_workbench_editing (self->workbench)))
    start_write (self);
}

static void start_write (HlAutosave *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  Job *job = g_new0 (Job, 1);

  job->slot = hl_recovery_slot_ref (self->slot);
  job->ticket = hl_recovery_slot_ticket (self->slot);
  job->document = hl_document_ref (hl_editing_document (editing));
  job->path = g_strdup (hl_editing_path (editing));
  self->is_writing = TRUE;
  self->is_begun = TRUE;
  hl_task_start (
      &(HlTask){.work = work, .done = written_cb, .free_job = job_free, .sender = self, .life = self->life},
      job);
}

static void start_clock (HlAutosave *self);

static gboolean timeout_cb (gpointer data) {
  HlAutosave *self = data;

  self->timeout = 0;
  if (self->is_writing)
    start_clock (self);
  else if (hl_editing_is_modified (hl_workbench_editing (self->workbench)))
    start_write (self);
  return G_SOURCE_REMOVE;
}

static void start_clock (HlAutosave *self) {
  if (self->timeout == 0)
    self->timeout = g_timeout_add_seconds (hl_settings_autosave_seconds (self->settings), timeout_cb, self);
}

static void keep_later_cb (HlWorkbench *workbench, guint changes, HlAutosave *self) {
  if (!(changes & (HL_CHANGED_FILE | HL_CHANGED_HISTORY | HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS)))
    return;
  if (hl_editing_is_modified (hl_workbench_editing (workbench))) {
    if (self->is_begun)
      start_clock (self);
    else if (!self->is_writing)
      start_write (self);
    return;
  }
  self->is_begun = FALSE;
  g_clear_handle_id (&self->timeout, g_source_remove);
  hl_recovery_slot_clear (self->slot);
}

/* Returns a new autosave. settings may be NULL; `recovery` must outlive it. */
static HlAutosave *autosave_new (HlWorkbench *workbench, HlRecovery *recovery, GSettings *settings) {
  HlAutosave *self = g_new0 (HlAutosave, 1);

  self->workbench = g_object_ref (workbench);
  self->slot = hl_recovery_slot_new (recovery);
  self->settings = settings != NULL ? g_object_ref (settings) : NULL;
  self->life = g_cancellable_new ();
  g_signal_connect (workbench, "changed", G_CALLBACK (keep_later_cb), self);
  return self;
}

/* Frees the autosave and empties its slot, at a regular end. */
static void autosave_free (HlAutosave *self) {
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_cancellable_cancel (self->life);
  hl_recovery_slot_clear (self->slot);
  hl_recovery_slot_unref (self->slot);
  g_clear_object (&self->settings);
  g_clear_object (&self->life);
  g_clear_object (&self->workbench);
  g_free (self);
}

/* Writes what is unsaved at once, before something else may be thrown away. */
static gboolean autosave_write_now (HlAutosave *self, GError **error) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  if (!hl_editing_is_modified (editing))
    return TRUE;
  self->is_begun = TRUE;
  return hl_recovery_slot_write (self->slot, hl_recovery_slot_ticket (self->slot),
                                 hl_editing_document (editing), hl_editing_path (editing), error);
}

/* Sets the callback for failed writes: it is called once with a message when a write fails, and with NULL when one succeeds
 * again. */
static void autosave_set_report (HlAutosave *self, void (*report) (const char *message, gpointer data),
                                 gpointer data) {
  self->report = report;
  self->report_data = data;
}

#define ENDING ".hydrolink"
#define MIME_TYPE "application/vnd.hydrolink+json"
#define RESPONSE_SAVE_AS 1

struct _HlFileSession {
  GObject parent_instance;
  HlWorkbench *workbench;
  HlBanner *banner;             /* of the window */
  GtkApplicationWindow *window; /* owner of these actions */
  HlFileWatch *watch;
  HlAutosave *autosave;   /* NULL: nothing is kept */
  HlFileChooser *chooser; /* kept until it answers */
  gboolean is_asking;     /* about unsaved changes */
  gboolean close_anyway;  /* unsaved changes were dealt with */
};

G_DEFINE_FINAL_TYPE (HlFileSession, hl_file_session, G_TYPE_OBJECT)

enum { CHOSEN, STAYS, N_SIGNALS };

static guint signals[N_SIGNALS];

static GtkWindow *window_of (HlFileSession *self) {
  return GTK_WINDOW (self->window);
}

/* Reports that the user cancelled: no further window is closed. */
static void emit_stays (HlFileSession *self) {
  g_signal_emit (self, signals[STAYS], 0);
}

/* --- opening --- */

static gboolean note_recent_cb (gpointer file) {
  g_autofree char *uri = g_file_get_uri (file);

  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  return G_SOURCE_REMOVE;
}

/* Adds the file to the list of recent files, after the first frame: GTK then reads the whole list, which may
 * take long. */
static void note_recent (GFile *file) {
  g_idle_add_full (G_PRIORITY_LOW, note_recent_cb, g_object_ref (file), g_object_unref);
}

static gboolean open_bundled (HlFileSession *self, GFile *file, GError **error) {
  gsize length;
  g_autofree char *text = hl_file_read_place (file, HL_JSON_MAX_BYTES, &length, error);
  g_autofree char *name = g_file_get_basename (file);
  HlDocument *document = text != NULL ? hl_document_parse (text, length, name, error) : NULL;

  if (document == NULL)
    return FALSE;
  hl_editing_set_document (hl_workbench_editing (self->workbench), document);
  return TRUE;
}

gboolean hl_file_session_open (HlFileSession *self, GFile *file) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file);
  gboolean opened = path != NULL && !g_file_has_uri_scheme (file, "resource")
                        ? hl_editing_load (editing, path, &error)
                        : open_bundled (self, file, &error);

  if (!opened) {
    hl_banner_show (self->banner, error->message, TRUE);
    return FALSE;
  }
  hl_banner_hide (self->banner);
  watch_accept (self->watch, hl_editing_path (editing));
  if (path != NULL)
    note_recent (file);
  return TRUE;
}

static void add_filters (HlFileChooser *chooser) {
  g_autoptr (GtkFileFilter) models = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (models, _ ("Hydrolink models"));
  gtk_file_filter_add_pattern (models, "*.hydrolink");
  gtk_file_filter_add_pattern (models, "*" HL_LESSON_SUFFIX);
  gtk_file_filter_add_pattern (models, "*" HL_EXPERIMENTS_SUFFIX);
  gtk_file_filter_add_mime_type (models, MIME_TYPE);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  hl_file_chooser_add_filter (chooser, models);
  hl_file_chooser_add_filter (chooser, all);
}

static void start_where_the_file_is (HlFileSession *self, HlFileChooser *chooser) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));
  if (path == NULL)
    return;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  hl_file_chooser_set_folder (chooser, folder);
}

/* Filters, and the folder of the model's file. */
static void prepare_chooser (HlFileSession *self, HlFileChooser *chooser) {
  add_filters (chooser);
  start_where_the_file_is (self, chooser);
}

static void open_response_cb (HlFileChooser *dialog, int response, HlFileSession *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    g_signal_emit (self, signals[CHOSEN], 0, file);
}

static void open_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlFileSession *self = data;
  HlFileChooser *chooser = hl_file_chooser_new (_ ("Open a model"), window_of (self), FALSE, _ ("_Open"));
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  prepare_chooser (self, chooser);
  g_signal_connect_object (chooser, "response", G_CALLBACK (open_response_cb), self, 0);
  hl_file_chooser_show (chooser);
}

static void open_uri_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  g_signal_emit (data, signals[CHOSEN], 0, file);
}

/* --- saving --- */

static gboolean save_to (HlFileSession *self, const char *to) {
  g_autofree char *path = g_strdup (to); /* may be the workbench's own, which saving renews */
  g_autoptr (GError) error = NULL;

  if (!hl_editing_save (hl_workbench_editing (self->workbench), path, &error)) {
    hl_banner_show (self->banner, error->message, TRUE);
    emit_stays (self);
    return FALSE;
  }
  watch_accept (self->watch, path);
  hl_banner_hide (self->banner);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  note_recent (file);
  return TRUE;
}

/* --- another name --- */

static void ask_before_overwriting (HlFileSession *self, const char *path, const char *why,
                                    void (*then) (HlFileSession *self));

/* Saves under a path; "boom" means "boom.hydrolink", for which the chooser has not confirmed overwriting. */
static void save_under (HlFileSession *self, const char *path, void (*then) (HlFileSession *self)) {
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *full = strchr (name, '.') != NULL ? g_strdup (path) : g_strconcat (path, ENDING, NULL);

  if (strcmp (full, path) != 0 && g_file_test (full, G_FILE_TEST_EXISTS))
    ask_before_overwriting (self, full, _ ("A file with this name already exists."), then);
  else if (save_to (self, full) && then != NULL)
    then (self);
}

static void chooser_response_cb (HlFileChooser *dialog, int response, HlFileSession *self) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (dialog);
  void (*then) (HlFileSession *) = g_object_get_data (G_OBJECT (dialog), "then");
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  if (response == GTK_RESPONSE_ACCEPT && path != NULL)
    save_under (self, path, then);
  else
    emit_stays (self);
}

static void save_as (HlFileSession *self, const char *title, void (*then) (HlFileSession *self)) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));
  HlFileChooser *chooser = hl_file_chooser_new (title, window_of (self), TRUE, _ ("_Save"));
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : g_strdup (_ ("untitled.hydrolink"));

  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  self->chooser = chooser;
  prepare_chooser (self, chooser);
  hl_file_chooser_set_name (chooser, name);
  g_object_set_data (G_OBJECT (chooser), "then", (gpointer)then);
  g_signal_connect_object (chooser, "response", G_CALLBACK (chooser_response_cb), self, 0);
  hl_file_chooser_show (chooser);
}

/* --- questions --- */

/* Dismisses the question before its answer may close the parent window. */
static void dismiss (HlQuestion *question) {
  gtk_window_set_transient_for (GTK_WINDOW (question), NULL);
  gtk_window_destroy (GTK_WINDOW (question));
}

static void overwrite_response_cb (HlQuestion *question, int response, HlFileSession *self) {
  void (*then) (HlFileSession *) = g_object_get_data (G_OBJECT (question), "then");
  g_autofree char *path = g_strdup (g_object_get_data (G_OBJECT (question), "path"));

  dismiss (question);
  if (response == RESPONSE_SAVE_AS)
    save_as (self, _ ("Save the model"), then);
  else if (response != GTK_RESPONSE_ACCEPT)
    emit_stays (self);
  else if (save_to (self, path) && then != NULL)
    then (self);
}

static void ask_before_overwriting (HlFileSession *self, const char *path, const char *why,
                                    void (*then) (HlFileSession *self)) {
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *text = g_strdup_printf (_ ("Replace “%s”?"), name);
  HlQuestion *question = hl_question_new (window_of (self), text, why);

  hl_question_add_button (question, _ ("_Cancel"), GTK_RESPONSE_CANCEL, FALSE);
  hl_question_add_button (question, _ ("_Replace"), GTK_RESPONSE_ACCEPT, FALSE);
  hl_question_add_button (question, _ ("Save _as…"), RESPONSE_SAVE_AS, TRUE);
  g_object_set_data_full (G_OBJECT (question), "path", g_strdup (path), g_free);
  g_object_set_data (G_OBJECT (question), "then", (gpointer)then);
  g_signal_connect_object (question, "response", G_CALLBACK (overwrite_response_cb), self, 0);
  gtk_window_present (GTK_WINDOW (question));
}

/* Returns whether a file is read-only; such a file is left unchanged, although its folder would permit a
 * replacement. */
static gboolean is_read_only (const char *path) {
  GStatBuf facts;

  if (g_stat (path, &facts) != 0)
    return FALSE;
  return (facts.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 || g_access (path, W_OK) != 0;
}

/* Saves the document; `then` (may be NULL) is called afterwards. */
static void save_document (HlFileSession *self, gboolean as, void (*then) (HlFileSession *self)) {
  const char *path = hl_editing_path (hl_workbench_editing (self->workbench));

  if (path == NULL || as)
    save_as (self, _ ("Save the model"), then);
  else if (is_read_only (path))
    save_as (self, _ ("The file is read-only. Save a copy."), then);
  else if (watch_look (self->watch) == HL_FILE_CHANGED)
    ask_before_overwriting (self, path, _ ("Another program has changed the file since it was opened here."),
                            then);
  else if (save_to (self, path) && then != NULL)
    then (self);
}

static void save_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_inspector_flush (GTK_ROOT (HL_FILE_SESSION (data)->window));
  save_document (data, FALSE, NULL);
}

static void save_as_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_inspector_flush (GTK_ROOT (HL_FILE_SESSION (data)->window));
  save_document (data, TRUE, NULL);
}

/* --- closing --- */

static void close_for_good (HlFileSession *self) {
  self->close_anyway = TRUE;
  gtk_window_close (window_of (self));
}

static void close_response_cb (HlQuestion *question, int response, HlFileSession *self) {
  dismiss (question);
  self->is_asking = FALSE;
  if (response == GTK_RESPONSE_REJECT)
    close_for_good (self);
  else if (response == GTK_RESPONSE_ACCEPT)
    save_document (self, FALSE, close_for_good);
  else
    emit_stays (self);
}

gboolean hl_file_session_confirm_close (HlFileSession *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  if (self->close_anyway || !hl_editing_is_modified (editing))
    return TRUE;
  if (self->is_asking)
    return FALSE;
  g_autofree char *text =
      g_strdup_printf (_ ("Save changes to “%s” before closing?"), hl_editing_title (editing));
  HlQuestion *question =
      hl_question_new (window_of (self), text, _ ("Without saving, the changes are lost."));
  hl_question_add_button (question, _ ("Close _without saving"), GTK_RESPONSE_REJECT, FALSE);
  hl_question_add_button (question, _ ("_Cancel"), GTK_RESPONSE_CANCEL, FALSE);
  hl_question_add_button (question, _ ("_Save"), GTK_RESPONSE_ACCEPT, TRUE);
  g_signal_connect_object (question, "response", G_CALLBACK (close_response_cb), self, 0);
  self->is_asking = TRUE;
  gtk_window_present (GTK_WINDOW (question));
  return FALSE;
}

/* --- changed by another program --- */

static void disk_changed_cb (HlFileState state, gpointer data) {
  HlFileSession *self = data;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const char *name = hl_editing_title (editing);
  gboolean modified = hl_editing_is_modified (editing);
  g_autofree char *text = NULL;

  if (state == HL_FILE_SAME) {
    hl_banner_hide (self->banner);
    return;
  }
  if (state == HL_FILE_GONE) {
    text = g_strdup_printf (_ ("“%s” was moved or deleted. Use Save As to keep the model."), name);
    hl_banner_show (self->banner, text, FALSE);
    return;
  }
  text = g_strdup_printf (
      modified ? _ ("Another program has changed “%s”. Reloading can be undone: your own changes "
                    "stay in the history.")
               : _ ("Another program has changed “%s”."),
      name);
  hl_banner_ask (self->banner, text, _ ("Reload"), "win.reload");
}

/* Reloads the file as one undo step. */
static void reload_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlFileSession *self = data;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autoptr (GError) error = NULL;

  if (hl_editing_path (editing) == NULL)
    return;
  if (!hl_editing_reload (editing, &error)) {
    hl_banner_show (self->banner, error->message, TRUE);
    return;
  }
  watch_accept (self->watch, hl_editing_path (editing));
  hl_banner_hide (self->banner);
}

/* --- unsaved changes --- */

void hl_file_session_show_unprotected (HlFileSession *self, const char *why) {
  g_autofree char *text =
      g_strdup_printf (_ ("Unsaved changes cannot be saved for recovery after a crash: %s"), why);

  hl_banner_set_standing (self->banner, text);
}

/* Shows a message of the autosave; NULL: autosaving works again. */
static void report_cb (const char *message, gpointer session) {
  if (message != NULL)
    hl_file_session_show_unprotected (session, message);
  else
    hl_banner_set_standing (HL_FILE_SESSION (session)->banner, NULL);
}

void hl_file_session_protect (HlFileSession *self, HlRecovery *recovery, GSettings *settings) {
  self->autosave = autosave_new (self->workbench, recovery, settings);
  autosave_set_report (self->autosave, report_cb, self);
}

gboolean hl_file_session_keep (HlFileSession *self) {
  return self->autosave != NULL && autosave_write_now (self->autosave, NULL);
}

/* --- life --- */

static const GActionEntry actions[] = {
    {"open", open_cb, NULL, NULL, NULL},     {"open-uri", open_uri_cb, "s", NULL, NULL},
    {"save", save_cb, NULL, NULL, NULL},     {"save-as", save_as_cb, NULL, NULL, NULL},
    {"reload", reload_cb, NULL, NULL, NULL},
};

static void enable (HlFileSession *self, const char *name, gboolean enabled) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->window), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlFileSession *self) {
  HlEditing *editing = hl_workbench_editing (workbench);
  const char *path = hl_editing_path (editing);

  if ((changes & HL_CHANGED_FILE) && g_strcmp0 (watch_path (self->watch), path) != 0)
    watch_accept (self->watch, path); /* it is another one */
  enable (self, "save", hl_editing_is_modified (editing) || path == NULL);
  enable (self, "reload", path != NULL);
}

HlFileSession *hl_file_session_new (HlWorkbench *workbench, HlBanner *banner, GtkApplicationWindow *window) {
  HlFileSession *self = g_object_new (HL_TYPE_FILE_SESSION, NULL);

  self->workbench = g_object_ref (workbench);
  self->banner = banner;
  self->window = window;
  self->watch = watch_new (disk_changed_cb, self);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect (workbench, "changed", G_CALLBACK (changed_cb), self);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
  return self;
}

void hl_file_session_end (HlFileSession *self) {
  if (self->workbench != NULL)
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_pointer (&self->autosave, autosave_free);
  g_clear_pointer (&self->watch, watch_free);
  g_clear_object (&self->workbench);
}

static void hl_file_session_dispose (GObject *object) {
  hl_file_session_end (HL_FILE_SESSION (object));
  G_OBJECT_CLASS (hl_file_session_parent_class)->dispose (object);
}

static void hl_file_session_class_init (HlFileSessionClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_file_session_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", HL_TYPE_FILE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_FILE);
  signals[STAYS] =
      g_signal_new ("stays", HL_TYPE_FILE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_file_session_init (HlFileSession *self) {
}
