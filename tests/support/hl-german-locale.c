/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-german-locale.h"

#include "core/base/hl-translation-macros.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

/* Compiles the locale into a new folder. */
static gboolean make_locale (char **folder) {
  *folder = g_dir_make_tmp ("hl-locale-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (*folder, "de_DE.UTF-8", NULL);
  g_autofree char *made = g_build_filename (target, "LC_NUMERIC", NULL);
  const char *const words[] = {"localedef", "-i", "de_DE", "-f", "UTF-8", target, NULL};

  return g_spawn_sync (NULL, (char **)words, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                       NULL, NULL, NULL, NULL, NULL) &&
         g_file_test (made, G_FILE_TEST_EXISTS);
}

gboolean hl_comma_begin (char **folder) {
  if (!make_locale (folder))
    return FALSE;
  g_setenv ("LOCPATH", *folder, TRUE);
  return setlocale (LC_ALL, "de_DE.UTF-8") != NULL && strcmp (localeconv ()->decimal_point, ",") == 0;
}

gboolean hl_language_begin (char **folder) {
  const char *catalogues = g_getenv ("HL_CATALOGUES");

  if (!make_locale (folder) || catalogues == NULL)
    return FALSE;
  g_setenv ("LOCPATH", *folder, TRUE);
  g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
  g_setenv ("LANGUAGE", "de", TRUE);
  bindtextdomain (GETTEXT_PACKAGE, catalogues);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  return setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
}

void hl_language_end (char *folder) {
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      hl_language_end (path);
    else {
      g_unlink (path);
      g_free (path);
    }
  }
  if (folder != NULL)
    g_rmdir (folder);
  g_free (folder);
}
