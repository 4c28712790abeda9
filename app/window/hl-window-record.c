/* SPDX-License-Identifier: MIT */
/* The window as a film: a run that plays, a slider that sweeps, a lesson that is gone through, as it is
 * done. */
#include "app/window/hl-window-private.h"

#include "app/window/hl-chooser.h"
#include "app/window/hl-encoder.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-file-chooser.h"

#define SECOND_MS 1000

/* "● Recording 0:12 · Stop" beside the time bar, in every look of the window. */
static void show_seconds (HlWindow *self) {
  int s = (int)hl_camera_seconds (self->camera);
  g_autofree char *text = g_strdup_printf (_ ("● Recording %d:%02d · Stop"), s / 60, s % 60);

  gtk_button_set_label (GTK_BUTTON (self->recording_button), text);
}

static gboolean second_cb (gpointer data) {
  show_seconds (data);
  return G_SOURCE_CONTINUE;
}

static void set_state (HlWindow *self) {
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "record");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (self->camera != NULL));
  g_clear_handle_id (&self->recording_id, g_source_remove);
  gtk_widget_set_visible (self->recording_button, self->camera != NULL);
  if (self->camera == NULL)
    return;
  show_seconds (self);
  self->recording_id = g_timeout_add (SECOND_MS, second_cb, self);
}

static void ended (gpointer data, const char *path, const GError *error) {
  HlWindow *self = data;
  g_autofree char *text =
      error == NULL ? g_strdup_printf (_ ("The film is %s"), path) : g_strdup (error->message);

  self->camera = NULL; /* which frees itself */
  set_state (self);
  hl_window_show_banner (self, text, error != NULL);
}

gboolean hl_window_record (HlWindow *self, const char *path, GError **error) {
  g_return_val_if_fail (self->camera == NULL, FALSE);
  hl_window_hide_banner (self);
  self->camera = hl_camera_new (GTK_WINDOW (self), path, ended, self, error);
  set_state (self);
  return self->camera != NULL;
}

static void chosen (gpointer owner, const char *path, const GError *refused) {
  HlWindow *self = owner;
  g_autoptr (GError) error = NULL;

  if (self->camera != NULL)
    return;
  if (path == NULL)
    hl_window_show_banner (self, refused->message, TRUE);
  else if (!hl_window_record (self, path, &error))
    hl_window_show_banner (self, error->message, TRUE);
}

static void record_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  static const HlFileFormat formats[] = {{".webm", N_ ("Films (*.webm)")}};
  HlWindow *self = data;

  if (self->camera != NULL) {
    hl_camera_stop (self->camera);
    return;
  }
  if (!hl_encoder_exists ()) {
    hl_window_show_banner (self, _ ("Recording needs the program ffmpeg, which is not installed"), TRUE);
    return;
  }
  hl_chooser_ask (&(HlSaveQuestion){.title = _ ("Record the window as"),
                                    .accept = _ ("_Record"),
                                    .name = "hydrolink.webm",
                                    .formats = formats,
                                    .n_formats = G_N_ELEMENTS (formats),
                                    .only = -1,
                                    .chosen = chosen},
                  &self->chooser, GTK_WINDOW (self), G_OBJECT (self));
}

void hl_window_drop_camera (HlWindow *self) {
  g_clear_handle_id (&self->recording_id, g_source_remove);
  g_clear_pointer (&self->camera, hl_camera_drop);
}

static const GActionEntry actions[] = {
    {"record", NULL, NULL, "false", record_cb},
};

void hl_window_add_record_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
