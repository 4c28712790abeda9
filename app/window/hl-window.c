/* SPDX-License-Identifier: MIT */
/* The workbench is woken by edits and workers; from then on it gets one call a frame until nothing
 * is left to do. */
#include "app/window/hl-window.h"

#include "app/window/hl-window-private.h"

#include "app/window/hl-application.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-focus-scroll.h"
#include "ui/inspector/hl-inspector-editor.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/bench/hl-measured-shelf.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/widget/hl-tooltip.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (HlWindow, hl_window, GTK_TYPE_APPLICATION_WINDOW)

/* --- frames --- */

static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  HlWindow *self = HL_WINDOW (widget);
  double since = hl_pixels_clock ();
  gboolean goes_on = hl_workbench_frame (self->workbench);

  hl_pixels_count (widget, since);
  if (goes_on) {
    self->answer_due = TRUE;
    return G_SOURCE_CONTINUE;
  }
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

/* At the end of the update: while the window followed the change the workers went on, and a short run
 * of a drag is over by now, or will be in a moment. Not in the phase of the layout, which GTK 4.8
 * begins by asking the display a dozen times for its monitors. */
static void updated_cb (GdkFrameClock *clock, HlWindow *self) {
  if (!self->answer_due)
    return;
  self->answer_due = FALSE;
  gint64 paint_due = hl_frame_meter_paint_due (self->meter);
  if (hl_workbench_awaits_run (self->workbench, paint_due))
    hl_locus_view_prepare (hl_side_pane_locus (self->side));
  hl_workbench_finish_frame (self->workbench, paint_due);
  hl_frame_meter_updated (self->meter);
}

static void wake_cb (gpointer data) {
  HlWindow *self = data;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void realize_cb (HlWindow *self) {
  hl_frame_meter_watch (self->meter, GTK_WIDGET (self));
  self->clock = g_object_ref (gtk_widget_get_frame_clock (GTK_WIDGET (self)));
  g_signal_connect_after (self->clock, "update", G_CALLBACK (updated_cb), self);
  if (!self->has_places) {
    int width, height;
    gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
    hl_window_place_panes (self, width, height);
  }
  self->has_places = TRUE;
  hl_window_watch_size (self);
}

static void unrealize_cb (HlWindow *self) {
  hl_frame_meter_watch (self->meter, NULL);
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_func (self->clock, updated_cb, self);
  g_clear_object (&self->clock);
}

/* --- changes --- */

static void note_latency (HlWindow *self) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));

  if (run == NULL || !run->preview || run->refines || !hl_run_is_over (run) ||
      run->serial == self->shown_serial)
    return;
  self->shown_serial = run->serial;
  hl_frame_meter_result_due (self->meter, run->edited_us);
}

/* Tells of a formula that a drag replaced, as long as undo would bring it back. */
static void show_lost_formula (HlWindow *self) {
  const char *lost = hl_editing_lost_formula (hl_workbench_editing (self->workbench));

  if (g_strcmp0 (lost, self->lost_formula) == 0)
    return;
  if (lost != NULL)
    hl_banner_show (self->banner, lost, FALSE);
  else if (g_strcmp0 (hl_banner_text (self->banner), self->lost_formula) == 0)
    hl_banner_hide (self->banner);
  g_free (self->lost_formula);
  self->lost_formula = g_strdup (lost);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlWindow *self) {
  if (changes & HL_CHANGED_HISTORY)
    show_lost_formula (self);
  if (changes & HL_CHANGED_RUN)
    note_latency (self);
}

static gboolean has_rows_due (HlWindow *self) {
  gpointer lists[] = {self->outline, self->plot_pane};

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (hl_rebuild_is_due (lists[i]))
      return TRUE;
  return !hl_transport_bar_is_settled (self->transport) || !hl_side_pane_is_settled (self->side) ||
         !hl_header_bar_is_settled (self->header);
}

gboolean hl_window_is_settled (HlWindow *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlRun *run = hl_runs_shown (runs);

  if (has_rows_due (self) || !hl_drawing_pane_is_settled (self->drawings))
    return FALSE;
  return self->tick == 0 && !hl_runs_is_running (runs) &&
         !hl_measured_shelf_is_reading (hl_runs_measured (runs)) &&
         (!hl_editing_has_system (editing) || (run != NULL && hl_run_is_over (run)) ||
          hl_findings_first_error (hl_editing_findings (editing)) != NULL);
}

/* --- the banner --- */

void hl_window_show_banner (HlWindow *self, const char *message, gboolean is_problem) {
  hl_banner_show (self->banner, message, is_problem);
}

const char *hl_window_banner (HlWindow *self) {
  return hl_banner_text (self->banner);
}

/* --- driving --- */

static void strip_changed_cb (HlLeverPanel *panel, HlWindow *self) {
  double seconds = hl_lever_panel_strip (panel);

  hl_plot_pane_set_strip (self->plot_pane, seconds > 0, seconds);
}

static void drive_began_cb (HlWindow *self) {
  strip_changed_cb (hl_side_pane_levers (self->side), self);
  hl_side_pane_begin_drive (self->side);
}

static void drive_ended_cb (HlWindow *self) {
  hl_plot_pane_set_strip (self->plot_pane, FALSE, 0);
}

/* A digit chooses a lever wherever the keys went, unless somebody there reads digits. */
static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlWindow *self) {
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  return hl_lever_panel_key (hl_side_pane_levers (self->side), keyval);
}

static void bind_drive (HlWindow *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (hl_side_pane_levers (self->side), "strip-changed", G_CALLBACK (strip_changed_cb), self);
  g_signal_connect_swapped (self->transport, "run-pressed", G_CALLBACK (hl_lesson_box_note_run),
                            self->lessons);
  g_signal_connect_swapped (self->transport, "drive-began", G_CALLBACK (drive_began_cb), self);
  g_signal_connect_swapped (self->transport, "drive-ended", G_CALLBACK (drive_ended_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* --- life --- */

static void notice_cb (HlPlotPane *pane, const char *text, HlWindow *self) {
  hl_banner_show (self->banner, text, TRUE);
}

static gboolean hl_window_close_request (GtkWindow *window) {
  HlWindow *self = HL_WINDOW (window);

  hl_inspector_flush (GTK_ROOT (self));
  if (self->remembers)
    hl_window_remember_state (self);
  if (!hl_lesson_box_confirm (self->lessons) || !hl_file_session_confirm_close (self->session))
    return TRUE;
  return GTK_WINDOW_CLASS (hl_window_parent_class)->close_request (window);
}

static void hl_window_dispose (GObject *object) {
  HlWindow *self = HL_WINDOW (object);

  if (self->workbench != NULL) {
    /* GTK would take the keyboard away later: what is typed is committed while all is there yet. */
    gtk_window_set_focus (GTK_WINDOW (self), NULL);
    hl_workbench_set_wake (self->workbench, NULL, NULL);
    g_signal_handlers_disconnect_by_data (self->workbench, self);
    hl_transport_bar_stop (self->transport);
    hl_lesson_box_drop (self->lessons);
  }
  hl_window_drop_presentation (self);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  if (self->session != NULL)
    hl_file_session_end (self->session);
  g_clear_object (&self->session);
  g_clear_object (&self->deck);
  g_clear_object (&self->exporter);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_window_parent_class)->dispose (object);
}

static void hl_window_finalize (GObject *object) {
  hl_frame_meter_free (HL_WINDOW (object)->meter);
  g_free (HL_WINDOW (object)->lost_formula);
  G_OBJECT_CLASS (hl_window_parent_class)->finalize (object);
}

static void bind_children (GtkWidgetClass *widget_class) {
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, HlWindow, child)
  BIND (banner);
  BIND (main_paned);
  BIND (lessons);
  BIND (outline_paned);
  BIND (left_paned);
  BIND (header);
  BIND (drawings);
  BIND (side);
  BIND (transport);
  BIND (plot_pane);
  BIND (outline);
#undef BIND
}

static void hl_window_class_init (HlWindowClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = hl_window_close_request;
  g_type_ensure (HL_TYPE_BANNER);
  g_type_ensure (HL_TYPE_HEADER_BAR);
  g_type_ensure (HL_TYPE_LESSON_BOX);
  g_type_ensure (HL_TYPE_DRAWING_PANE);
  g_type_ensure (HL_TYPE_PLOT_PANE);
  g_type_ensure (HL_TYPE_OUTLINE);
  g_type_ensure (HL_TYPE_SIDE_PANE);
  g_type_ensure (HL_TYPE_TRANSPORT_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, HL_RESOURCE_BASE "/ui/hl-window.ui");
  bind_children (widget_class);
}

static void hl_window_init (HlWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->workbench = hl_workbench_new ();
  self->meter = hl_frame_meter_new ();
  hl_workbench_set_wake (self->workbench, wake_cb, self);

  hl_drawing_pane_set_workbench (self->drawings, self->workbench, self->banner);
  hl_plot_pane_set_workbench (self->plot_pane, self->workbench);
  hl_outline_set_workbench (self->outline, self->workbench,
                            hl_circuit_view_bridge (hl_drawing_pane_circuit (self->drawings)),
                            hl_linkage_view_bridge (hl_drawing_pane_linkage (self->drawings)));
  hl_header_bar_set_workbench (self->header, self->workbench, self->plot_pane, self->banner,
                               G_ACTION_MAP (self));
  hl_side_pane_set_workbench (self->side, self->workbench);
  hl_transport_bar_set_source (self->transport,
                               &(HlTransportSource){.workbench = self->workbench,
                                                    .plots = self->plot_pane,
                                                    .meter = self->meter,
                                                    .banner = self->banner},
                               G_ACTION_MAP (self));

  hl_tooltip_spare_popovers (GTK_WIDGET (self));
  hl_window_add_actions (self);
  hl_window_add_outline_actions (self);
  hl_drawing_pane_add_actions (self->drawings, G_ACTION_MAP (self));
  hl_side_pane_add_actions (self->side, G_ACTION_MAP (self));
  hl_window_bind_lessons (self);
  hl_window_bind_files (self);
  hl_window_add_present_actions (self);
  bind_drive (self);
  g_signal_connect (self->plot_pane, "notice", G_CALLBACK (notice_cb), self);
  g_signal_connect (self, "realize", G_CALLBACK (realize_cb), NULL);
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
  self->exporter = hl_exporter_new (&(HlPictureSource){.workbench = self->workbench,
                                                       .plots = self->plot_pane,
                                                       .circuit = hl_drawing_pane_circuit (self->drawings),
                                                       .linkage = hl_drawing_pane_linkage (self->drawings),
                                                       .locus = hl_side_pane_locus (self->side)},
                                    self->banner, GTK_APPLICATION_WINDOW (self));
  changed_cb (self->workbench, HL_CHANGED_EVERYTHING, self);
  hl_focus_scroll_watch (GTK_WINDOW (self));
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

HlWindow *hl_window_new (GtkApplication *application) {
  HlWindow *self = g_object_new (HL_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);

  if (application != NULL)
    hl_workbench_set_retired (self->workbench, hl_application_retired (HL_APPLICATION (application)));
  hl_window_apply_settings (self);
  /* Tests and pictures are alone in the world: they remember nothing. */
  if (application != NULL &&
      !(g_application_get_flags (G_APPLICATION (application)) & G_APPLICATION_NON_UNIQUE)) {
    self->remembers = TRUE;
    hl_lesson_box_set_remembers (self->lessons, TRUE);
    hl_window_restore_state (self);
  }
  return self;
}

HlWorkbench *hl_window_workbench (HlWindow *self) {
  return self->workbench;
}
