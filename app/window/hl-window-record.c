/* SPDX-License-Identifier: MIT */
/* The window as a film: a run that plays, a slider that sweeps, a lesson that is gone through, as it is
 * done. */
#include "app/window/hl-window-private.h"

#include "app/window/hl-chooser.h"
#include "app/window/hl-encoder.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-chooser-end.h"

static void
set_state (HlWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "record");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_boolean (self->camera != NULL));
}

static void
ended (gpointer data, const char *path, const GError *error)
{
  HlWindow *self = data;
  g_autofree char *text =
      error == NULL ? g_strdup_printf (_ ("The film is %s"), path) : g_strdup (error->message);

  self->camera = NULL; /* which frees itself */
  set_state (self);
  hl_window_show_banner (self, text, error != NULL);
}

gboolean
hl_window_record (HlWindow *self, const char *path, GError **error)
{
  g_return_val_if_fail (self->camera == NULL, FALSE);
  hl_window_hide_banner (self);
  self->camera = hl_camera_new (GTK_WINDOW (self), path, ended, self, error);
  set_state (self);
  return self->camera != NULL;
}

static void
chosen (gpointer owner, const char *path, const GError *refused)
{
  HlWindow *self = owner;
  g_autoptr (GError) error = NULL;

  if (self->camera != NULL)
    return;
  if (path == NULL)
    hl_window_show_banner (self, refused->message, TRUE);
  else if (!hl_window_record (self, path, &error))
    hl_window_show_banner (self, error->message, TRUE);
}

static void
record_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  static const HlFileFormat formats[] = {{".webm", N_ ("Films (*.webm)")}};
  HlWindow *self = data;

  if (self->camera != NULL) {
    hl_camera_stop (self->camera);
    return;
  }
  if (!hl_encoder_exists ()) {
    hl_window_show_banner (self, _ ("Recording needs the program ffmpeg, which is not installed"),
                           TRUE);
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

void
hl_window_drop_camera (HlWindow *self)
{
  g_clear_pointer (&self->camera, hl_camera_drop);
}

static const GActionEntry actions[] = {
    {"record", NULL, NULL, "false", record_cb},
};

void
hl_window_add_record_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
