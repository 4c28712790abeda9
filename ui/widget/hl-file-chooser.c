/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-file-chooser.h"

#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"

#include <string.h>

/* Data of the response; freed with the chooser. */
typedef struct {
  HlSaveQuestion question;
  HlFileChooser **place;
} Asked;

static const char ASKED[] = "hydrolink-asked", ENDING[] = "hydrolink-ending";

static void add_filter (HlFileChooser *chooser, const HlFileFormat *format) {
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_autofree char *pattern = g_strconcat ("*", format->ending, NULL);

  gtk_file_filter_set_name (filter, _ (format->filter));
  gtk_file_filter_add_pattern (filter, pattern);
  g_object_set_data (G_OBJECT (filter), ENDING, (gpointer)format->ending);
  hl_file_chooser_add_filter (chooser, filter);
}

static const char *known_ending (const HlSaveQuestion *question, const char *path) {
  for (int i = 0; i < question->n_formats; i++)
    if (g_str_has_suffix (path, question->formats[i].ending))
      return question->formats[i].ending;
  return NULL;
}

/* Strips an ending that stands twice: the dialog selects the name without its ending, and a whole name that is typed
 * over the selection becomes "plots.svg.svg". Returns whether it did. */
static gboolean strip_doubled_ending (char *path, const char *ending) {
  gsize length = strlen (path), n = strlen (ending);
  gboolean is_doubled = FALSE;

  while (length > 2 * n && g_str_has_suffix (path, ending) &&
         strncmp (path + length - 2 * n, ending, n) == 0) {
    path[length -= n] = '\0';
    is_doubled = TRUE;
  }
  return is_doubled;
}

/* Returns the filter; NULL without an error: nothing chosen. */
static GtkFileFilter *get_filter (HlFileChooser *self);

/* Sets an error if the file exists: the dialog has confirmed another name only. */
static void refuse_existing (const char *path, GError **error) {
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("“%s” already exists. Type the same name again to replace it, or choose another name"),
               path);
}

static char *path_of (HlFileChooser *chooser, const HlSaveQuestion *question, GError **error) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (chooser);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  GtkFileFilter *filter = get_filter (chooser);
  const char *first = question->formats[MAX (question->only, 0)].ending;
  const char *wanted = filter != NULL ? g_object_get_data (G_OBJECT (filter), ENDING) : first;
  const char *has = path != NULL ? known_ending (question, path) : NULL;
  gboolean is_left_over = has != NULL && strcmp (has, first) == 0;
  gboolean was_doubled = has != NULL && strip_doubled_ending (path, has);

  if (was_doubled && wanted != NULL && strcmp (has, wanted) == 0) {
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      return g_steal_pointer (&path);
    refuse_existing (path, error);
    return NULL;
  }
  if (path == NULL || wanted == NULL || (has != NULL && !is_left_over) || g_str_has_suffix (path, wanted))
    return g_steal_pointer (&path);
  if (is_left_over)
    path[strlen (path) - strlen (has)] = '\0';
  g_autofree char *named = g_strconcat (path, wanted, NULL);
  if (!g_file_test (named, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&named);
  refuse_existing (named, error);
  return NULL;
}

static void response_cb (HlFileChooser *dialog, int response, GObject *owner) {
  const Asked *asked = g_object_get_data (G_OBJECT (dialog), ASKED);
  HlSaveQuestion question = asked->question;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = response == GTK_RESPONSE_ACCEPT ? path_of (dialog, &question, &error) : NULL;

  g_clear_pointer (asked->place, hl_file_chooser_end);
  if (path != NULL || error != NULL)
    question.chosen (owner, path, error);
}

static void report_filter (HlFileChooser *self);

void hl_chooser_ask (const HlSaveQuestion *question, HlFileChooser **place, GtkWindow *parent,
                     GObject *owner) {
  HlFileChooser *native = hl_file_chooser_new (question->title, parent, TRUE, question->accept);
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked){*question, place};
  g_object_set_data_full (G_OBJECT (native), ASKED, asked, g_free);
  for (int i = 0; i < question->n_formats; i++)
    if (question->only < 0 || question->only == i)
      add_filter (native, &question->formats[i]);
  if (question->only < 0 && question->n_formats > 1)
    report_filter (native);
  hl_file_chooser_set_name (native, question->name);
  g_clear_pointer (place, hl_file_chooser_end);
  *place = native;
  g_signal_connect_object (native, "response", G_CALLBACK (response_cb), owner, 0);
  hl_file_chooser_show (native);
}

struct _HlFileChooser {
  GObject parent_instance;
  char *title, *accept, *name;
  GtkWindow *parent; /* weak */
  gboolean saves, tells_filter;
  GFile *folder;
  GListStore *filters; /* GtkFileFilter */
  gboolean is_over;    /* answered or ended */
  GFile *file;
  GtkFileFilter *filter;
  GCancellable *cancellable; /* of GtkFileDialog */
  GtkNativeDialog *native;   /* of GtkFileChooserNative */
};

G_DEFINE_FINAL_TYPE (HlFileChooser, hl_file_chooser, G_TYPE_OBJECT)

static guint response_signal;

static void emit_response (HlFileChooser *self, int response) {
  if (self->is_over)
    return;
  self->is_over = TRUE;
  g_object_ref (self);
  g_signal_emit (self, response_signal, 0, response);
  g_object_unref (self);
}

/* The code between these marks works with GTK 4.8 and later; the later headers mark it as deprecated. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static void native_response_cb (GtkNativeDialog *native, int response, HlFileChooser *self) {
  self->file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (native));
  g_set_object (&self->filter, gtk_file_chooser_get_filter (GTK_FILE_CHOOSER (native)));
  emit_response (self, response);
}

static void show_native (HlFileChooser *self) {
  GtkFileChooserNative *native = gtk_file_chooser_native_new (
      self->title, self->parent, self->saves ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN,
      self->accept, NULL);

  self->native = GTK_NATIVE_DIALOG (native);
  for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (self->filters)); k++) {
    g_autoptr (GtkFileFilter) filter = g_list_model_get_item (G_LIST_MODEL (self->filters), k);
    gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (native), filter);
  }
  if (self->folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (native), self->folder, NULL);
  if (self->name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), self->name);
  g_signal_connect_object (native, "response", G_CALLBACK (native_response_cb), self, 0);
  gtk_native_dialog_show (self->native);
}

#if GTK_CHECK_VERSION(4, 10, 0)
static void dialog_cb (GObject *dialog, GAsyncResult *result, gpointer data) {
  g_autoptr (HlFileChooser) self = data;

  self->file = self->saves ? gtk_file_dialog_save_finish (GTK_FILE_DIALOG (dialog), result, NULL)
                           : gtk_file_dialog_open_finish (GTK_FILE_DIALOG (dialog), result, NULL);
  emit_response (self, self->file != NULL ? GTK_RESPONSE_ACCEPT : GTK_RESPONSE_CANCEL);
}

static void show_dialog (HlFileChooser *self) {
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();

  self->cancellable = g_cancellable_new ();
  gtk_file_dialog_set_title (dialog, self->title);
  gtk_file_dialog_set_accept_label (dialog, self->accept);
  gtk_file_dialog_set_modal (dialog, FALSE);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->filters)) > 0) {
    g_autoptr (GtkFileFilter) first = g_list_model_get_item (G_LIST_MODEL (self->filters), 0);
    gtk_file_dialog_set_filters (dialog, G_LIST_MODEL (self->filters));
    gtk_file_dialog_set_default_filter (dialog, first);
  }
  gtk_file_dialog_set_initial_folder (dialog, self->folder);
  if (self->name != NULL)
    gtk_file_dialog_set_initial_name (dialog, self->name);
  if (self->saves)
    gtk_file_dialog_save (dialog, self->parent, self->cancellable, dialog_cb, g_object_ref (self));
  else
    gtk_file_dialog_open (dialog, self->parent, self->cancellable, dialog_cb, g_object_ref (self));
}
#endif

void hl_file_chooser_show (HlFileChooser *self) {
#if GTK_CHECK_VERSION(4, 10, 0)
  /* GtkFileDialog does not return the chosen filter */
  if (!self->tells_filter) {
    show_dialog (self);
    return;
  }
#endif
  show_native (self);
}

G_GNUC_END_IGNORE_DEPRECATIONS

HlFileChooser *hl_file_chooser_new (const char *title, GtkWindow *parent, gboolean saves,
                                    const char *accept) {
  HlFileChooser *self = g_object_new (HL_TYPE_FILE_CHOOSER, NULL);

  self->title = g_strdup (title);
  self->accept = g_strdup (accept);
  self->saves = saves;
  g_set_weak_pointer (&self->parent, parent);
  return self;
}

void hl_file_chooser_add_filter (HlFileChooser *self, GtkFileFilter *filter) {
  g_list_store_append (self->filters, filter);
}

void hl_file_chooser_set_folder (HlFileChooser *self, GFile *folder) {
  g_set_object (&self->folder, folder);
}

void hl_file_chooser_set_name (HlFileChooser *self, const char *name) {
  g_free (self->name);
  self->name = g_strdup (name);
}

gboolean hl_file_chooser_saves (HlFileChooser *self) {
  return self->saves;
}

/* Makes the chooser report the chosen filter, which is the format to save in. GtkFileDialog does not report it, so
 * GtkFileChooserNative is used. */
static void report_filter (HlFileChooser *self) {
  self->tells_filter = TRUE;
}

GFile *hl_file_chooser_get_file (HlFileChooser *self) {
  return self->file != NULL ? g_object_ref (self->file) : NULL;
}

/* Returns the filter that was chosen with the file, owned by the chooser; may be NULL without report_filter (). */
static GtkFileFilter *get_filter (HlFileChooser *self) {
  return self->filter;
}

static gboolean let_go (gpointer self) {
  return G_SOURCE_REMOVE;
}

void hl_file_chooser_end (HlFileChooser *self) {
  self->is_over = TRUE;
  if (self->native != NULL)
    gtk_native_dialog_hide (self->native);
  g_cancellable_cancel (self->cancellable);
  g_idle_add_full (G_PRIORITY_LOW, let_go, self, g_object_unref);
}

static void file_chooser_finalize (GObject *object) {
  HlFileChooser *self = HL_FILE_CHOOSER (object);

  g_clear_object (&self->native);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->filters);
  g_clear_object (&self->filter);
  g_clear_object (&self->folder);
  g_clear_object (&self->file);
  g_clear_weak_pointer (&self->parent);
  g_free (self->title);
  g_free (self->accept);
  g_free (self->name);
  G_OBJECT_CLASS (hl_file_chooser_parent_class)->finalize (object);
}

static void hl_file_chooser_class_init (HlFileChooserClass *class) {
  G_OBJECT_CLASS (class)->finalize = file_chooser_finalize;
  response_signal = g_signal_new ("response", HL_TYPE_FILE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_INT);
}

static void hl_file_chooser_init (HlFileChooser *self) {
  self->filters = g_list_store_new (GTK_TYPE_FILE_FILTER);
}
