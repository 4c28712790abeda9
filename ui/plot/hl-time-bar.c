/* SPDX-License-Identifier: MIT */
/* Playing moves the cursor with the frame clock, at a speed of choice, and starts over at the end
 * of the run. */
#include "ui/plot/hl-time-bar.h"

#include "core/base/hl-i18n.h"
#include "core/base/hl-number.h"
#include "ui/bench/hl-driving.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-widget-tree.h"

#include <math.h>

#define USUAL_SPEED 4 /* index of 1x */

static const double speeds[] = {0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10};

struct _HlTimeBar {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  GtkWidget *play, *scale, *label, *speed;
  GtkAdjustment *adjustment;
  guint tick;
  gint64 last_us;
  gboolean refreshing;
};

G_DEFINE_FINAL_TYPE (HlTimeBar, hl_time_bar, GTK_TYPE_BOX)

static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlTimeBar *self = HL_TIME_BAR (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double speed = speeds[gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed))];
  double t = hl_runs_time (hl_workbench_runs (self->workbench));

  if (self->last_us != 0)
    t += 1e-6 * (double)(now - self->last_us) * speed;
  self->last_us = now;
  if (t > hl_runs_t_end (hl_workbench_runs (self->workbench)))
    t = 0;
  hl_runs_set_time (hl_workbench_runs (self->workbench), t);
  return G_SOURCE_CONTINUE;
}

gboolean hl_time_bar_is_playing (HlTimeBar *self) {
  return self->tick != 0;
}

/* A drive that is under way is paused and goes on by the same button. */
static void show_play (HlTimeBar *self) {
  gboolean moves = self->tick != 0 || (hl_driving_is_under_way (hl_workbench_driving (self->workbench)) &&
                                       !hl_driving_is_paused (hl_workbench_driving (self->workbench)));
  const char *icon = moves ? "media-playback-pause-symbolic" : "media-playback-start-symbolic";

  if (g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (self->play)), icon) == 0)
    return;
  gtk_button_set_icon_name (GTK_BUTTON (self->play), icon);
  gtk_widget_set_tooltip_text (self->play, moves ? _ ("Pause (Ctrl+P)") : _ ("Play (Ctrl+P)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  moves ? _ ("Pause") : _ ("Play"), -1);
}

void hl_time_bar_set_playing (HlTimeBar *self, gboolean playing) {
  if (playing == (self->tick != 0))
    return;
  self->last_us = 0;
  if (playing) {
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  } else {
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
    self->tick = 0;
  }
  show_play (self);
}

void hl_time_bar_rewind (HlTimeBar *self) {
  hl_runs_set_time (hl_workbench_runs (self->workbench), 0);
}

static void scale_changed_cb (GtkAdjustment *adjustment, HlTimeBar *self) {
  if (!self->refreshing)
    hl_runs_set_time (hl_workbench_runs (self->workbench), gtk_adjustment_get_value (adjustment));
}

static void speed_chosen_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlTimeBar *self) {
  hl_driving_set_speed (hl_workbench_driving (self->workbench),
                        speeds[gtk_drop_down_get_selected (drop_down)]);
}

static void refresh (HlTimeBar *self) {
  double t = hl_runs_time (hl_workbench_runs (self->workbench)),
         t_end = hl_runs_t_end (hl_workbench_runs (self->workbench));
  g_autofree char *text = g_strdup_printf ("%.3f / %.3f s", t, t_end);

  self->refreshing = TRUE;
  gtk_adjustment_configure (self->adjustment, t, 0, t_end, t_end / 200, t_end / 20, 0);
  self->refreshing = FALSE;
  gtk_label_set_text (GTK_LABEL (self->label), text);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlTimeBar *self) {
  if (changes & (HL_CHANGED_TIME | HL_CHANGED_RUN | HL_CHANGED_NUMBERS | HL_CHANGED_DOCUMENT))
    refresh (self);
  if (changes & (HL_CHANGED_LEVERS | HL_CHANGED_ACTIVITY))
    show_play (self);
}

static void hl_time_bar_dispose (GObject *object) {
  HlTimeBar *self = HL_TIME_BAR (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_time_bar_parent_class)->dispose (object);
}

static void hl_time_bar_class_init (HlTimeBarClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_time_bar_dispose;
  hl_widget_tree_load (klass, "hl-time-bar");
  HL_TREE_CHILD (klass, HlTimeBar, play);
  HL_TREE_CHILD (klass, HlTimeBar, scale);
  HL_TREE_CHILD (klass, HlTimeBar, label);
  HL_TREE_CHILD (klass, HlTimeBar, speed);
  HL_TREE_CHILD (klass, HlTimeBar, adjustment);
  HL_TREE_CALLBACK (klass, scale_changed_cb);
}

static void hl_time_bar_init (HlTimeBar *self) {
  GtkStringList *names = gtk_string_list_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++) {
    g_autofree char *name = g_strdup_printf ("%s×", hl_shown (speeds[i], 6).text);
    gtk_string_list_append (names, name);
  }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->speed), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), USUAL_SPEED);
  g_object_unref (names);
}

void hl_time_bar_set_workbench (HlTimeBar *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  g_signal_connect (self->speed, "notify::selected", G_CALLBACK (speed_chosen_cb), self);
  refresh (self);
}
