/* SPDX-License-Identifier: MIT */
#include "app/export/hl-chooser.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-file-chooser.h"

#include <string.h>

/* What the answer needs; goes with the chooser. */
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

/* NULL without an error: nothing chosen. */
static char *path_of (HlFileChooser *chooser, const HlSaveQuestion *question, GError **error) {
  g_autoptr (GFile) file = hl_file_chooser_get_file (chooser);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  GtkFileFilter *filter = hl_file_chooser_get_filter (chooser);
  const char *first = question->formats[MAX (question->only, 0)].ending;
  const char *wanted = filter != NULL ? g_object_get_data (G_OBJECT (filter), ENDING) : first;
  const char *has = path != NULL ? known_ending (question, path) : NULL;
  gboolean is_left_over = has != NULL && strcmp (has, first) == 0;

  if (path == NULL || wanted == NULL || (has != NULL && !is_left_over) || g_str_has_suffix (path, wanted))
    return g_steal_pointer (&path);
  if (is_left_over)
    path[strlen (path) - strlen (has)] = '\0';
  g_autofree char *named = g_strconcat (path, wanted, NULL);
  if (!g_file_test (named, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&named);
  /* the chooser has asked about the other name only */
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE, _ ("“%s” is there already: type this name to replace it"),
               named);
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
    hl_file_chooser_tell_filter (native);
  hl_file_chooser_set_name (native, question->name);
  g_clear_pointer (place, hl_file_chooser_end);
  *place = native;
  g_signal_connect_object (native, "response", G_CALLBACK (response_cb), owner, 0);
  hl_file_chooser_show (native);
}
