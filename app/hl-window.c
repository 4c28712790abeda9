/* SPDX-License-Identifier: MIT */
/* The workbench is woken by edits and workers; from then on it gets one call a frame until nothing
 * is left to do. */
#include "app/hl-window.h"

#include "app/hl-window-private.h"

#include "app/hl-application.h"
#include "core/document/hl-i18n.h"
#include "ui/hl-focus-scroll.h"
#include "ui/hl-inspector-editor.h"
#include "ui/hl-number-field.h"
#include "ui/hl-workbench-drive.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (HlWindow, hl_window, GTK_TYPE_APPLICATION_WINDOW)

/* --- frames --- */

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  HlWindow *self = HL_WINDOW (widget);

  if (hl_workbench_frame (self->workbench)) {
    self->answer_due = TRUE;
    gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
    return G_SOURCE_CONTINUE;
  }
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

/* Between the update of a frame and its painting the workers went on: a short run of a drag is over
 * by now, or will be in a moment. What it changes is laid out by another round of this phase. */
static void
layout_cb (GdkFrameClock *clock, HlWindow *self)
{
  if (!self->answer_due)
    return;
  self->answer_due = FALSE;
  hl_workbench_finish_frame (self->workbench, hl_frame_meter_paint_due (self->meter));
}

static void
wake_cb (gpointer data)
{
  HlWindow *self = data;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
realize_cb (HlWindow *self)
{
  hl_frame_meter_watch (self->meter, GTK_WIDGET (self));
  self->clock = g_object_ref (gtk_widget_get_frame_clock (GTK_WIDGET (self)));
  g_signal_connect (self->clock, "layout", G_CALLBACK (layout_cb), self);
  if (!self->has_places) {
    int width, height;
    gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
    hl_window_place_panes (self, width, height);
  }
  self->has_places = TRUE;
  hl_window_watch_size (self);
}

static void
unrealize_cb (HlWindow *self)
{
  hl_frame_meter_watch (self->meter, NULL);
  if (self->clock != NULL)
    g_signal_handlers_disconnect_by_func (self->clock, layout_cb, self);
  g_clear_object (&self->clock);
}

/* --- what stands in the frame of the window --- */

/* Texts that stay as they are cost nothing while a slider is dragged. */
static void
set_text (GtkLabel *label, const char *text)
{
  if (strcmp (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

static void
show_title (HlWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  gboolean modified = hl_workbench_is_modified (self->workbench);
  const char *name = hl_document_name (document);
  g_autofree char *title =
      g_strconcat (modified ? "• " : "", hl_workbench_title (self->workbench), NULL);
  g_autofree char *window_title = g_strdup_printf ("%s — Hydrolink", title);
  g_autofree char *subtitle = modified && *name != '\0' ? g_strdup_printf (_ ("%s — edited"), name)
                              : modified                ? g_strdup (_ ("edited"))
                                                        : g_strdup (name);

  set_text (self->title_label, hl_workbench_title (self->workbench));
  set_text (self->subtitle_label, subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_label), *subtitle != '\0');
  if (g_strcmp0 (gtk_window_get_title (GTK_WINDOW (self)), window_title) != 0)
    gtk_window_set_title (GTK_WINDOW (self), window_title);
}

GMenuItem *
hl_window_menu_item (const char *text, const char *ending)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  g_autofree char *escaped = g_strjoinv ("__", parts);
  g_autofree char *label = g_strconcat (escaped, ending, NULL);

  return g_menu_item_new (label, NULL);
}

static void
show_sets (HlWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  int n = hl_document_n_sets (document);

  g_menu_remove_all (self->set_section);
  for (int set = 0; set < n; set++) {
    const char *name = hl_document_set_name (document, set);
    g_autoptr (GMenuItem) item = hl_window_menu_item (name, NULL);
    g_menu_item_set_action_and_target (item, "win.apply-set", "s", name);
    g_menu_append_item (self->set_section, item);
  }
}

static void
show_present_set (HlWindow *self)
{
  const HlDocument *document = hl_workbench_document (self->workbench);
  const char *present = hl_workbench_current_set (self->workbench);
  int n = hl_document_n_sets (document);

  set_text (self->set_label, present != NULL ? present
                             : n > 0         ? _ ("Own parameters")
                                             : _ ("Parameters"));
  hl_window_show_oil_model (self);
}

static void
show_plot_menu (HlWindow *self)
{
  g_menu_remove_all (self->plot_section);
  for (int plot = 0; plot < hl_plot_pane_n_views (self->plot_pane); plot++) {
    g_autofree char *target = g_strdup_printf ("plot:%d", plot);
    g_autofree char *title = hl_plot_view_title (hl_plot_pane_view (self->plot_pane, plot));
    g_autoptr (GMenuItem) item = hl_window_menu_item (title, "…");
    g_menu_item_set_action_and_target (item, "win.export", "s", target);
    g_menu_append_item (self->plot_section, item);
  }
}

static void
show_captions (HlWindow *self)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
  /* of the drawing, whether it can be computed yet or not */
  g_autoptr (HlLinkagePlan) plan = hl_linkage_plan_new (hl_workbench_document (self->workbench));
  g_autofree char *text = plan->n_bodies > 0 ? hl_linkage_plan_freedom_text (plan) : g_strdup ("");

  set_text (self->linkage_caption, text);
  set_text (self->circuit_caption, run != NULL && hl_results_n_rows (run->results) > 0
                                       ? _ ("lines coloured by pressure")
                                       : "");
}

static void append_part (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
append_part (GString *text, const char *format, ...)
{
  va_list args;

  if (text->len > 0)
    g_string_append (text, " · ");
  va_start (args, format);
  g_string_append_vprintf (text, format, args);
  va_end (args);
}

static void
show_status (HlWindow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  HlRun *run = hl_workbench_shown_run (self->workbench);
  HlFrameTimes latency = hl_frame_meter_latencies (self->meter);

  g_autofree char *drive = hl_workbench_drive_text (self->workbench);
  gboolean is_over = run != NULL && hl_run_is_over (run);

  if (drive != NULL)
    append_part (text, "%s", drive);
  else if (hl_workbench_is_running (self->workbench) && run != NULL && !is_over)
    append_part (text, _ ("running"));
  if (is_over && run->is_driven)
    append_part (text, _ ("driven %.3g s"), run->t_end);
  else if (run != NULL && run->state == HL_RUN_STOPPED)
    append_part (text, _ ("stopped by user at %.3g s"), run->stats.t_reached);
  if (run != NULL && run->state == HL_RUN_FAILED)
    append_part (text, _ ("run failed"));
  if (is_over && run->state != HL_RUN_FAILED && !run->is_driven) {
    append_part (text, _ ("%.3g s run %.1f ms"), run->t_end, 1e3 * run->stats.seconds);
    append_part (text, _ ("%ld steps"), run->stats.steps);
  }
  if (hl_workbench_runs_news (self->workbench) != NULL)
    append_part (text, "%s", hl_workbench_runs_news (self->workbench));
  else if (hl_workbench_runs (self->workbench)->len > 1) {
    g_autofree char *bytes = g_format_size (hl_workbench_runs_bytes (self->workbench));
    append_part (text, _ ("runs %s"), bytes);
  }
  if (hl_workbench_locus (self->workbench) != NULL)
    append_part (text, _ ("locus %.1f ms"), 1e3 * hl_workbench_locus_seconds (self->workbench));
  if (latency.n > 1) {
    append_part (text, _ ("slider to trace %.0f ms"), latency.median_ms);
    append_part (text, _ ("frame %.0f ms"), hl_frame_meter_frames (self->meter).median_ms);
  }
  set_text (self->status_label, text->str);
}

/* --- the knob of the root locus --- */

static void
fill_locus_knobs (HlWindow *self)
{
  GPtrArray *knobs = hl_workbench_knobs (self->workbench);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int chosen = hl_workbench_locus_knob (self->workbench);

  for (guint i = 0; i < knobs->len; i++)
    gtk_string_list_append (names, ((const HlKnob *)knobs->pdata[i])->label);
  self->locus_picking = TRUE;
  gtk_drop_down_set_model (self->locus_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->locus_drop_down,
                              chosen >= 0 ? (guint)chosen : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (GTK_WIDGET (self->locus_drop_down), knobs->len > 0);
  self->locus_picking = FALSE;
}

static void
locus_knob_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlWindow *self)
{
  guint position = gtk_drop_down_get_selected (drop_down);
  if (!self->locus_picking && position != GTK_INVALID_LIST_POSITION)
    hl_workbench_set_locus_knob (self->workbench, (int)position);
}

/* --- changes --- */

static void
note_latency (HlWindow *self)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);

  if (run == NULL || !run->preview || run->refines || !hl_run_is_over (run) ||
      run->serial == self->shown_serial)
    return;
  self->shown_serial = run->serial;
  hl_frame_meter_result_due (self->meter, run->edited_us);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlWindow *self)
{
  if (changes & (HL_CHANGED_FILE | HL_CHANGED_DOCUMENT))
    show_title (self);
  if (changes & HL_CHANGED_FILE)
    hl_window_follow_file (self);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS))
    show_present_set (self);
  if (changes & HL_CHANGED_DOCUMENT) {
    show_sets (self);
    show_plot_menu (self);
    gtk_widget_set_visible (self->start_box, hl_window_is_empty (self));
  }
  if (changes & HL_CHANGED_KNOBS)
    fill_locus_knobs (self);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_RUN | HL_CHANGED_DOCUMENT))
    show_captions (self);
  if (changes & HL_CHANGED_RUN)
    note_latency (self);
  if (changes & (HL_CHANGED_RUN | HL_CHANGED_LOCUS | HL_CHANGED_ACTIVITY))
    show_status (self);
  hl_window_update_actions (self);
}

void
hl_window_flush_typing (HlWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *field = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_NUMBER_FIELD) : NULL;
  if (field != NULL)
    hl_number_field_flush (HL_NUMBER_FIELD (field));
  else
    hl_inspector_text_flush (focus);
}

gboolean
hl_window_is_settled (HlWindow *self)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
  return self->tick == 0 && !hl_workbench_is_running (self->workbench) &&
         (!hl_workbench_has_system (self->workbench) || (run != NULL && hl_run_is_over (run)) ||
          hl_findings_first_error (hl_workbench_findings (self->workbench)) != NULL);
}

/* --- the banner --- */

void
hl_window_show_banner (HlWindow *self, const char *message, gboolean is_problem)
{
  gtk_label_set_text (self->banner_label, message);
  if (is_problem)
    gtk_widget_remove_css_class (GTK_WIDGET (self->banner_box), "notice");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->banner_box), "notice");
  gtk_widget_set_visible (GTK_WIDGET (self->banner_button), FALSE);
  gtk_revealer_set_reveal_child (self->banner, TRUE);
}

void
hl_window_ask_banner (HlWindow *self, const char *message, const char *button, const char *action)
{
  hl_window_show_banner (self, message, FALSE);
  gtk_button_set_label (self->banner_button, button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_button), action);
  gtk_widget_set_visible (GTK_WIDGET (self->banner_button), TRUE);
}

const char *
hl_window_banner (HlWindow *self)
{
  return gtk_revealer_get_reveal_child (self->banner) ? gtk_label_get_text (self->banner_label)
                                                      : NULL;
}

/* --- life --- */

static gboolean
hl_window_close_request (GtkWindow *window)
{
  HlWindow *self = HL_WINDOW (window);

  hl_window_flush_typing (self);
  if (self->remembers)
    hl_window_remember_state (self);
  if (!self->close_anyway && !hl_window_confirm_close (self))
    return TRUE;
  return GTK_WINDOW_CLASS (hl_window_parent_class)->close_request (window);
}

static void
hl_window_dispose (GObject *object)
{
  HlWindow *self = HL_WINDOW (object);

  if (self->workbench != NULL) {
    hl_workbench_set_wake (self->workbench, NULL, NULL);
    g_signal_handlers_disconnect_by_data (self->workbench, self);
  }
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->autosave, hl_autosave_free);
  g_clear_pointer (&self->watch, hl_file_watch_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_WINDOW);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_window_parent_class)->dispose (object);
}

static void
hl_window_finalize (GObject *object)
{
  hl_frame_meter_free (HL_WINDOW (object)->meter);
  G_OBJECT_CLASS (hl_window_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, HlWindow, child)
  BIND (title_label);
  BIND (subtitle_label);
  BIND (set_label);
  BIND (circuit_caption);
  BIND (linkage_caption);
  BIND (banner_label);
  BIND (status_label);
  BIND (banner);
  BIND (banner_box);
  BIND (banner_button);
  BIND (set_button);
  BIND (model_button);
  BIND (export_button);
  BIND (menu_button);
  BIND (undo_button);
  BIND (redo_button);
  BIND (open_button);
  BIND (save_button);
  BIND (main_paned);
  BIND (outline_paned);
  BIND (left_paned);
  BIND (drawings_paned);
  BIND (side_paned);
  BIND (start_box);
  BIND (recent_menu);
  BIND (set_section);
  BIND (plot_section);
  BIND (circuit_view);
  BIND (circuit_palette);
  BIND (linkage_palette);
  BIND (circuit_status);
  BIND (linkage_status);
  BIND (linkage_view);
  BIND (plot_pane);
  BIND (outline);
  BIND (edit_section);
  BIND (history_list);
  BIND (inspector);
  BIND (locus_view);
  BIND (knob_panel);
  BIND (lever_panel);
  BIND (side_box);
  BIND (drive_label);
  BIND (eigen_table);
  BIND (time_bar);
  BIND (problems);
  BIND (locus_drop_down);
#undef BIND
}

static void
hl_window_class_init (HlWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = hl_window_close_request;
  g_type_ensure (HL_TYPE_CIRCUIT_VIEW);
  g_type_ensure (HL_TYPE_LINKAGE_VIEW);
  g_type_ensure (HL_TYPE_PALETTE);
  g_type_ensure (HL_TYPE_PLOT_PANE);
  g_type_ensure (HL_TYPE_OUTLINE);
  g_type_ensure (HL_TYPE_HISTORY_LIST);
  g_type_ensure (HL_TYPE_INSPECTOR);
  g_type_ensure (HL_TYPE_LOCUS_VIEW);
  g_type_ensure (HL_TYPE_KNOB_PANEL);
  g_type_ensure (HL_TYPE_LEVER_PANEL);
  g_type_ensure (HL_TYPE_EIGEN_TABLE);
  g_type_ensure (HL_TYPE_TIME_BAR);
  g_type_ensure (HL_TYPE_PROBLEMS);
  gtk_widget_class_set_template_from_resource (widget_class, HL_RESOURCE_BASE "/ui/hl-window.ui");
  bind_children (widget_class);
}

static void
hl_window_init (HlWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->workbench = hl_workbench_new ();
  self->meter = hl_frame_meter_new ();
  hl_workbench_set_wake (self->workbench, wake_cb, self);

  hl_canvas_set_workbench (HL_CANVAS (self->circuit_view), self->workbench);
  hl_canvas_set_workbench (HL_CANVAS (self->linkage_view), self->workbench);
  hl_plot_pane_set_workbench (self->plot_pane, self->workbench);
  hl_outline_set_workbench (self->outline, self->workbench,
                            hl_circuit_view_bridge (self->circuit_view),
                            hl_linkage_view_bridge (self->linkage_view));
  hl_history_list_set_workbench (self->history_list, self->workbench);
  hl_inspector_set_workbench (self->inspector, self->workbench);
  hl_locus_view_set_workbench (self->locus_view, self->workbench);
  hl_knob_panel_set_workbench (self->knob_panel, self->workbench);
  hl_eigen_table_set_workbench (self->eigen_table, self->workbench);
  hl_time_bar_set_workbench (self->time_bar, self->workbench);
  hl_problems_set_workbench (self->problems, self->workbench);

  hl_window_bind_tools (self);
  hl_window_watch_recent (self);
  hl_window_watch_file (self);
  hl_window_add_actions (self);
  hl_window_add_outline_actions (self);
  hl_window_bind_drive (self);
  hl_window_accept_drops (self);
  g_signal_connect (self, "realize", G_CALLBACK (realize_cb), NULL);
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
  g_signal_connect (self->locus_drop_down, "notify::selected", G_CALLBACK (locus_knob_picked_cb),
                    self);
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
  changed_cb (self->workbench, HL_CHANGED_EVERYTHING, self);
  hl_focus_scroll_watch (GTK_WINDOW (self));
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->circuit_view));
}

HlWindow *
hl_window_new (GtkApplication *application)
{
  HlWindow *self =
      g_object_new (HL_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);

  hl_window_apply_settings (self);
  /* Tests and pictures are alone in the world: they remember nothing. */
  if (application != NULL &&
      !(g_application_get_flags (G_APPLICATION (application)) & G_APPLICATION_NON_UNIQUE)) {
    self->remembers = TRUE;
    hl_window_restore_state (self);
  }
  return self;
}

HlWorkbench *
hl_window_workbench (HlWindow *self)
{
  return self->workbench;
}

HlKnobPanel *
hl_window_knob_panel (HlWindow *self)
{
  return self->knob_panel;
}

HlFrameMeter *
hl_window_frame_meter (HlWindow *self)
{
  return self->meter;
}
