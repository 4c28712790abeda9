/* SPDX-License-Identifier: MIT */
/* What outlives the window: size and panes, in a key file of the user's configuration. A missing
 * or damaged file is no error: the window opens as it does for the first time. Unsaved changes, in
 * a recovery file. */
#include "app/window/hl-window-private.h"

#include "app/window/hl-application.h"
#include "app/window/hl-settings.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-file-read.h"
#include "ui/bench/hl-editing.h"

#define MOST_BYTES 65536 /* of the key file: a dozen short lines */
#define LARGEST 16384    /* px: beyond, no display server makes a window, nor memory a picture */
#define GROUP "window"
#define FRAME_HEIGHT 78   /* header and status bar, px */
#define LEAST_SIDE 280    /* px, width of the side pane */
#define OUTLINE_FROM 1500 /* px, width of a window that shows the outline from the first */
#define LOCUS_HEIGHT 680  /* px that plot, sliders and table of the root locus are content with */

static char *state_path (void) {
  return g_build_filename (g_get_user_config_dir (), "hydrolink", "window.ini", NULL);
}

static void restore_paned (GKeyFile *file, const char *key, GtkPaned *paned) {
  int position = g_key_file_get_integer (file, GROUP, key, NULL);
  if (position > 0 && position <= LARGEST)
    gtk_paned_set_position (paned, position);
}

/* A first window: both drawings beside each other over the plots, the side pane as wide as its rows
 * want. */
void hl_window_place_panes (HlWindow *self, int width, int height) {
  gboolean has_outline =
      self->has_outline_choice ? gtk_widget_get_visible (GTK_WIDGET (self->outline)) : width >= OUTLINE_FROM;
  self->has_outline_choice = TRUE;
  hl_window_show_outline (self, has_outline);
  int outline = has_outline ? CLAMP (width * 19 / 100, 172, 280) : 0;
  int side = CLAMP (width * 26 / 100, LEAST_SIDE, 460);
  int body = height - FRAME_HEIGHT;
  gtk_paned_set_position (self->main_paned, width - side);
  if (has_outline)
    gtk_paned_set_position (self->outline_paned, outline);
  gtk_paned_set_position (hl_drawing_pane_border (self->drawings), (width - side - outline) / 2);
  gtk_paned_set_position (self->left_paned, body / 2);
  gtk_paned_set_position (hl_side_pane_border (self->side),
                          CLAMP (body - LOCUS_HEIGHT, body * 29 / 100, body * 45 / 100));
  /* A position asks for a new allocation of its pane alone. Where the header asks for a new size in
   * the same frame, GTK 4.8 forgets what scrolled windows inside ask for meanwhile, and the whole
   * window stays empty; so all that is around the panes is laid out with them. */
  gtk_widget_queue_resize (GTK_WIDGET (self->main_paned));
}

void hl_window_restore_state (HlWindow *self) {
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = state_path ();
  gsize length;
  g_autofree char *text = hl_file_read (path, MOST_BYTES, NULL, NULL, &length, NULL);

  /* GLib's parser trips over bytes that are no text */
  if (text == NULL || !g_utf8_validate (text, (gssize)length, NULL) ||
      !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, NULL))
    return;
  self->has_places = TRUE;
  int width = g_key_file_get_integer (file, GROUP, "width", NULL);
  int height = g_key_file_get_integer (file, GROUP, "height", NULL);
  if (width >= 640 && width <= LARGEST && height >= 480 && height <= LARGEST)
    gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  restore_paned (file, "main", self->main_paned);
  restore_paned (file, "outline-width", self->outline_paned);
  restore_paned (file, "left", self->left_paned);
  restore_paned (file, "drawings", hl_drawing_pane_border (self->drawings));
  restore_paned (file, "side", hl_side_pane_border (self->side));
  if (g_key_file_has_key (file, GROUP, "outline", NULL)) {
    self->has_outline_choice = TRUE;
    hl_window_show_outline (self, g_key_file_get_boolean (file, GROUP, "outline", NULL));
  }
  g_autofree char *tab = g_key_file_get_string (file, GROUP, "side-tab", NULL);
  hl_side_pane_show_tab (self->side, g_strcmp0 (tab, "locus") == 0 ? tab : "properties");
  gboolean has_names = g_key_file_get_boolean (file, GROUP, "tool-names", NULL);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "tool-names", g_variant_new_boolean (has_names));
  if (g_key_file_get_boolean (file, GROUP, "maximized", NULL))
    gtk_window_maximize (GTK_WINDOW (self));
}

void hl_window_remember_state (HlWindow *self) {
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = state_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_key_file_set_integer (file, GROUP, "width", width);
  g_key_file_set_integer (file, GROUP, "height", height);
  g_key_file_set_boolean (file, GROUP, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  g_key_file_set_integer (file, GROUP, "main", gtk_paned_get_position (self->main_paned));
  g_key_file_set_boolean (file, GROUP, "outline", gtk_widget_get_visible (GTK_WIDGET (self->outline)));
  g_key_file_set_integer (file, GROUP, "outline-width", gtk_paned_get_position (self->outline_paned));
  g_key_file_set_integer (file, GROUP, "left", gtk_paned_get_position (self->left_paned));
  g_key_file_set_integer (file, GROUP, "drawings",
                          gtk_paned_get_position (hl_drawing_pane_border (self->drawings)));
  g_key_file_set_integer (file, GROUP, "side", gtk_paned_get_position (hl_side_pane_border (self->side)));
  g_autoptr (GVariant) tab = g_action_group_get_action_state (G_ACTION_GROUP (self), "side-tab");
  g_key_file_set_string (file, GROUP, "side-tab", g_variant_get_string (tab, NULL));
  g_autoptr (GVariant) names = g_action_group_get_action_state (G_ACTION_GROUP (self), "tool-names");
  g_key_file_set_boolean (file, GROUP, "tool-names", g_variant_get_boolean (names));
  if (g_mkdir_with_parents (folder, 0700) == 0)
    g_key_file_save_to_file (file, path, NULL);
}

/* --- unsaved changes --- */

void hl_window_apply_settings (HlWindow *self) {
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application == NULL || !HL_IS_APPLICATION (application))
    return;
  GSettings *settings = hl_application_settings (HL_APPLICATION (application));
  HlRecovery *recovery = hl_application_recovery (HL_APPLICATION (application));
  hl_settings_apply_units (settings, self->workbench);
  hl_editing_set_document (hl_workbench_editing (self->workbench), hl_settings_empty_document (settings));
  const char *problem = hl_application_recovery_problem (HL_APPLICATION (application));
  if (recovery != NULL)
    hl_file_session_protect (self->session, recovery, settings);
  else if (problem != NULL)
    hl_file_session_show_unprotected (self->session, problem);
}

gboolean hl_window_keep_changes (HlWindow *self) {
  return hl_file_session_keep (self->session);
}
