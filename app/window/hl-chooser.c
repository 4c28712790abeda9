/* SPDX-License-Identifier: MIT */
#include "app/window/hl-chooser.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"

#include <string.h>

void
hl_chooser_add_filter (GtkFileChooser *chooser, const char *name, const char *pattern)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  gtk_file_filter_add_pattern (filter, pattern);
  g_object_set_data_full (G_OBJECT (filter), "hydrolink-ending", g_strdup (pattern + 1), g_free);
  gtk_file_chooser_add_filter (chooser, filter);
}

static const char *
ending_of (GtkFileFilter *filter)
{
  return filter != NULL ? g_object_get_data (G_OBJECT (filter), "hydrolink-ending") : NULL;
}

char *
hl_chooser_path (GtkFileChooser *chooser, GError **error)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);
  g_autoptr (GListModel) filters = gtk_file_chooser_get_filters (chooser);
  g_autoptr (GtkFileFilter) usual = g_list_model_get_item (filters, 0);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  const char *wanted = ending_of (gtk_file_chooser_get_filter (chooser));
  gboolean has_none = name != NULL && strchr (name, '.') == NULL;
  gboolean is_usual = name != NULL && g_str_has_suffix (name, ending_of (usual));

  if (path == NULL || wanted == NULL || (!has_none && !is_usual) || g_str_has_suffix (name, wanted))
    return g_steal_pointer (&path);
  if (is_usual)
    path[strlen (path) - strlen (ending_of (usual))] = '\0';
  g_autofree char *named = g_strconcat (path, wanted, NULL);
  if (!g_file_test (named, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&named);
  /* the chooser has asked about the other name only */
  g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
               _ ("“%s” is there already: type this name to replace it"), named);
  return NULL;
}
