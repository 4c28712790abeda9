/* SPDX-License-Identifier: MIT */
/* Driving in the window: its actions, where the levers stand, the strip chart that follows, and
 * the keys that choose a lever from anywhere. */
#include "app/window/hl-window-private.h"

#include "core/base/hl-i18n.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/bench/hl-driving.h"
#include "ui/bench/hl-runs.h"

/* --- gamepads --- */

static void take_pad (HlWindow *self) {
  self->pad = hl_pad_new (hl_workbench_driving (self->workbench));
  self->pad_device = hl_pad_device_new (self->pad);
}

void hl_window_put_pad_away (HlWindow *self) {
  g_clear_pointer (&self->pad_device, hl_pad_device_free);
  g_clear_pointer (&self->pad, hl_pad_free);
}

/* --- actions --- */

static void set_driving (HlWindow *self, gboolean driving) {
  hl_window_flush_typing (self);
  if (!driving) {
    hl_runs_stop (hl_workbench_runs (self->workbench));
    return;
  }
  hl_time_bar_set_playing (self->time_bar, FALSE);
  hl_driving_begin (hl_workbench_driving (self->workbench));
  if (!hl_driving_is_under_way (hl_workbench_driving (self->workbench))) {
    hl_window_show_banner (self,
                           _ ("There is nothing to drive yet: the problems below say what the "
                              "model needs first"),
                           TRUE);
    return;
  }
  hl_plot_pane_set_strip (self->plot_pane, hl_lever_panel_strip (self->lever_panel) > 0,
                          hl_lever_panel_strip (self->lever_panel));
  hl_window_show_drive (self);
  hl_rebuild_now (GTK_WIDGET (self->lever_panel));
  hl_lever_panel_choose (self->lever_panel, 0);
}

static void drive_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  set_driving (data, g_variant_get_boolean (state));
  hl_window_update_actions (data);
}

static void pause_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWorkbench *workbench = HL_WINDOW (data)->workbench;
  HlDriving *driving = hl_workbench_driving (workbench);

  hl_driving_set_paused (driving, !hl_driving_is_paused (driving));
}

static void keep_levers_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  const HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  g_autoptr (GError) error = NULL;

  if (run == NULL || run->levers == NULL)
    return;
  int n_tuned = run->n_tuned; /* the run may go when the model changes */
  if (!hl_driving_keep_levers (hl_workbench_driving (self->workbench), run, &error))
    hl_window_show_banner (self, error->message, TRUE);
  else
    hl_window_show_banner (self,
                           n_tuned > 0
                               ? _ ("What the levers did is in the file now. Numbers were changed while "
                                    "driving; a run "
                                    "has them as they are now from its start on")
                               : _ ("What the levers did is in the file now: Run does the same again"),
                           FALSE);
}

static const GActionEntry actions[] = {
    {"drive", NULL, NULL, "false", drive_cb},
    {"drive-pause", pause_cb, NULL, NULL, NULL},
    {"keep-levers", keep_levers_cb, NULL, NULL, NULL},
};

void hl_window_update_drive_actions (HlWindow *self) {
  HlWorkbench *workbench = self->workbench;
  GActionMap *map = G_ACTION_MAP (self);
  gboolean driving = hl_driving_is_under_way (hl_workbench_driving (workbench));
  const HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  GSimpleAction *drive = G_SIMPLE_ACTION (g_action_map_lookup_action (map, "drive"));

  g_simple_action_set_enabled (drive, driving || hl_driving_is_possible (hl_workbench_driving (workbench)));
  g_simple_action_set_state (drive, g_variant_new_boolean (driving));
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "drive-pause")), driving);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, "keep-levers")),
                               !driving && run != NULL && run->levers != NULL);
}

gboolean hl_window_pause_drive (HlWindow *self) {
  if (!hl_driving_is_under_way (hl_workbench_driving (self->workbench)))
    return FALSE;
  pause_cb (NULL, NULL, self);
  return TRUE;
}

void hl_window_show_drive (HlWindow *self) {
  gboolean needed = hl_lever_panel_is_needed (self->lever_panel);

  gtk_widget_set_visible (GTK_WIDGET (self->lever_panel), needed);
  gtk_widget_set_visible (self->side_box, needed || gtk_widget_get_visible (GTK_WIDGET (self->side_paned)));
}

static void strip_changed_cb (HlLeverPanel *panel, HlWindow *self) {
  double seconds = hl_lever_panel_strip (panel);
  hl_plot_pane_set_strip (self->plot_pane, seconds > 0, seconds);
}

/* A digit chooses a lever wherever the keys went, unless somebody there reads digits. */
static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlWindow *self) {
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  return hl_lever_panel_key (self->lever_panel, keyval);
}

static void notice_cb (HlPlotPane *pane, const char *text, HlWindow *self) {
  hl_window_show_banner (self, text, TRUE);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlWindow *self) {
  gboolean driving = hl_driving_is_under_way (hl_workbench_driving (workbench));

  if (changes & (HL_CHANGED_RUN | HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY))
    hl_window_show_drive (self);
  if (driving && self->pad == NULL)
    take_pad (self);
  if (self->was_driving && !driving) {
    hl_window_put_pad_away (self);
    g_autofree char *news = hl_driving_take_news (hl_workbench_driving (workbench));
    hl_plot_pane_set_strip (self->plot_pane, FALSE, 0);
    if (news != NULL)
      hl_window_show_banner (self, news, FALSE);
  } else if (!driving && (changes & HL_CHANGED_ACTIVITY)) {
    g_autofree char *news = hl_driving_take_news (hl_workbench_driving (workbench));
    if (news != NULL) /* of a tape that does not fit */
      hl_window_show_banner (self, news, TRUE);
  }
  gboolean has_changed = self->was_driving != driving;
  self->was_driving = driving;
  if (has_changed)
    hl_window_say_tools (self);
}

void hl_window_bind_drive (HlWindow *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  hl_lever_panel_set_workbench (self->lever_panel, self->workbench);
  g_signal_connect (self->lever_panel, "strip-changed", G_CALLBACK (strip_changed_cb), self);
  g_signal_connect (self->plot_pane, "notice", G_CALLBACK (notice_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
  hl_window_show_drive (self);
}
