/* SPDX-License-Identifier: MIT */
/* Size, panes and colours of the last window, in a key file of the user's configuration. A missing
 * or damaged file is no error: the window opens as it does for the first time. */
#include "app/hl-window-private.h"

#define GROUP "window"
#define FRAME_HEIGHT 78 /* header and status bar, px */

static char *
state_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "hydrolink", "window.ini", NULL);
}

static void
restore_paned (GKeyFile *file, const char *key, GtkPaned *paned)
{
  int position = g_key_file_get_integer (file, GROUP, key, NULL);
  if (position > 0)
    gtk_paned_set_position (paned, position);
}

/* A first window: both drawings beside each other over the plots, the side pane as wide as its rows
 * want. */
void
hl_window_place_panes (HlWindow *self, int width, int height)
{
  int side = CLAMP (width * 27 / 100, 330, 460);
  int body = height - FRAME_HEIGHT;
  gtk_paned_set_position (self->main_paned, width - side);
  gtk_paned_set_position (self->drawings_paned, (width - side) / 2);
  gtk_paned_set_position (self->left_paned, body / 2);
  gtk_paned_set_position (self->side_paned, body * 29 / 100);
}

void
hl_window_restore_state (HlWindow *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = state_path ();

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return;
  self->has_places = TRUE;
  int width = g_key_file_get_integer (file, GROUP, "width", NULL);
  int height = g_key_file_get_integer (file, GROUP, "height", NULL);
  if (width >= 640 && height >= 480)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  restore_paned (file, "main", self->main_paned);
  restore_paned (file, "left", self->left_paned);
  restore_paned (file, "drawings", self->drawings_paned);
  restore_paned (file, "side", self->side_paned);
  if (g_key_file_get_boolean (file, GROUP, "maximized", NULL))
    gtk_window_maximize (GTK_WINDOW (self));
}

void
hl_window_remember_state (HlWindow *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = state_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_key_file_set_integer (file, GROUP, "width", width);
  g_key_file_set_integer (file, GROUP, "height", height);
  g_key_file_set_boolean (file, GROUP, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  g_key_file_set_integer (file, GROUP, "main", gtk_paned_get_position (self->main_paned));
  g_key_file_set_integer (file, GROUP, "left", gtk_paned_get_position (self->left_paned));
  g_key_file_set_integer (file, GROUP, "drawings", gtk_paned_get_position (self->drawings_paned));
  g_key_file_set_integer (file, GROUP, "side", gtk_paned_get_position (self->side_paned));
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_key_file_save_to_file (file, path, NULL);
}
