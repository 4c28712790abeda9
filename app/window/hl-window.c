/* SPDX-License-Identifier: MIT */
/* The workbench is woken by edits and workers; from then on it gets one call a frame until nothing
 * is left to do. */
#include "app/window/hl-window.h"

#include "app/window/hl-window-private.h"

#include "app/window/hl-application.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-focus-scroll.h"
#include "ui/inspector/hl-inspector-editor.h"
#include "ui/widget/hl-late-menu.h"
#include "ui/widget/hl-number-field.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-rebuild.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-runs.h"
#include "ui/bench/hl-measured-shelf.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/widget/hl-file-chooser.h"
#include "ui/widget/hl-tooltip.h"

#include <string.h>

#define SAYS_KEY "hl-says"

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
    hl_locus_view_prepare (self->locus_view);
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

/* --- what stands in the frame of the window --- */

GMenuItem *hl_window_menu_item (const char *text, const char *ending) {
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);
  g_autofree char *escaped = g_strjoinv ("__", parts);
  g_autofree char *label = g_strconcat (escaped, ending, NULL);

  return g_menu_item_new (label, NULL);
}

/* Items of a menu that say the same already stay: one of them may be what is activated just now.
 * Takes the words. */
static gboolean says_already (GMenu *menu, GString *words) {
  g_autofree char *text = g_string_free (words, FALSE);

  if (g_strcmp0 (g_object_get_data (G_OBJECT (menu), SAYS_KEY), text) == 0)
    return TRUE;
  g_object_set_data_full (G_OBJECT (menu), SAYS_KEY, g_steal_pointer (&text), g_free);
  return FALSE;
}

static void show_sets (HlWindow *self) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  int n = hl_document_n_sets (document);
  GString *words = g_string_new (NULL);

  for (int set = 0; set < n; set++)
    g_string_append_printf (words, "%s\n", hl_document_set_name (document, set));
  if (says_already (self->set_section, words))
    return;
  g_menu_remove_all (self->set_section);
  for (int set = 0; set < n; set++) {
    const char *name = hl_document_set_name (document, set);
    g_autoptr (GMenuItem) item = hl_window_menu_item (name, NULL);
    g_menu_item_set_action_and_target (item, "win.apply-set", "s", name);
    g_menu_append_item (self->set_section, item);
  }
}

static void show_plot_menu (HlWindow *self) {
  int n = hl_plot_pane_n_views (self->plot_pane);
  GString *words = g_string_new (NULL);

  for (int plot = 0; plot < n; plot++) {
    g_autofree char *title = hl_plot_view_title (hl_plot_pane_view (self->plot_pane, plot));
    g_string_append_printf (words, "%s\n", title);
  }
  if (says_already (self->plot_section, words))
    return;
  g_menu_remove_all (self->plot_section);
  for (int plot = 0; plot < n; plot++) {
    g_autofree char *target = g_strdup_printf ("plot:%d", plot);
    g_autofree char *title = hl_plot_view_title (hl_plot_pane_view (self->plot_pane, plot));
    g_autoptr (GMenuItem) item = hl_window_menu_item (title, "…");
    g_menu_item_set_action_and_target (item, "win.export", "s", target);
    g_menu_append_item (self->plot_section, item);
  }
}

/* --- the knob of the root locus --- */

static void fill_locus_knobs (HlWindow *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);
  GPtrArray *knobs = hl_locus_study_knobs (study);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int chosen = hl_locus_study_knob (study);

  for (guint i = 0; i < knobs->len; i++)
    gtk_string_list_append (names, ((const HlKnob *)knobs->pdata[i])->label);
  self->locus_picking = TRUE;
  gtk_drop_down_set_model (self->locus_drop_down, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->locus_drop_down, chosen >= 0 ? (guint)chosen : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (GTK_WIDGET (self->locus_drop_down), knobs->len > 0);
  self->locus_picking = FALSE;
}

static void locus_knob_picked_cb (GtkDropDown *drop_down, GParamSpec *pspec, HlWindow *self) {
  guint position = gtk_drop_down_get_selected (drop_down);
  if (!self->locus_picking && position != GTK_INVALID_LIST_POSITION)
    hl_locus_study_set_knob (hl_workbench_locus (self->workbench), (int)position);
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

static void changed_cb (HlWorkbench *workbench, guint changes, HlWindow *self) {
  if (changes & (HL_CHANGED_FILE | HL_CHANGED_DOCUMENT))
    hl_window_show_title (self);
  if (changes & HL_CHANGED_FILE)
    hl_window_follow_file (self);
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS))
    hl_window_show_present_set (self);
  if (changes & HL_CHANGED_DOCUMENT) {
    show_sets (self);
    if (!hl_rebuild_is_due (GTK_WIDGET (self->plot_pane))) /* else it tells when it is done */
      show_plot_menu (self);
    hl_window_show_start_box (self);
  }
  if (changes & HL_CHANGED_HISTORY)
    hl_window_show_lost_formula (self);
  if (changes & HL_CHANGED_KNOBS)
    fill_locus_knobs (self);
  if (changes &
      (HL_CHANGED_FINDINGS | HL_CHANGED_POINT | HL_CHANGED_RUN | HL_CHANGED_DOCUMENT | HL_CHANGED_UNITS))
    hl_window_show_captions (self);
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_DOCUMENT | HL_CHANGED_UNITS))
    hl_window_show_start (self);
  if (changes & HL_CHANGED_RUN)
    note_latency (self);
  if (changes &
      (HL_CHANGED_RUN | HL_CHANGED_LOCUS | HL_CHANGED_ACTIVITY | HL_CHANGED_POINT | HL_CHANGED_FINDINGS))
    hl_window_show_status (self);
  hl_window_update_actions (self);
}

void hl_window_flush_typing (HlWindow *self) {
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *field = focus != NULL ? gtk_widget_get_ancestor (focus, HL_TYPE_NUMBER_FIELD) : NULL;
  if (field != NULL)
    hl_number_field_flush (HL_NUMBER_FIELD (field));
  else
    hl_inspector_text_flush (focus);
}

static gboolean has_rows_due (HlWindow *self) {
  gpointer lists[] = {self->inspector,    self->outline,   self->knob_panel, self->lever_panel,
                      self->history_list, self->plot_pane, self->problems,   self->eigen_table};

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (hl_rebuild_is_due (lists[i]))
      return TRUE;
  return hl_lever_panel_is_filling (self->lever_panel) || hl_inspector_is_filling (self->inspector);
}

gboolean hl_window_is_settled (HlWindow *self) {
  HlRuns *runs = hl_workbench_runs (self->workbench);
  HlEditing *editing = hl_workbench_editing (self->workbench);
  HlRun *run = hl_runs_shown (runs);

  if (has_rows_due (self) || hl_canvas_is_painting (HL_CANVAS (self->circuit_view)) ||
      hl_canvas_is_painting (HL_CANVAS (self->linkage_view)) ||
      hl_tool_bridge_is_waiting (hl_circuit_view_bridge (self->circuit_view)) ||
      hl_tool_bridge_is_waiting (hl_linkage_view_bridge (self->linkage_view)))
    return FALSE;
  return self->tick == 0 && !hl_runs_is_running (runs) &&
         !hl_measured_shelf_is_reading (hl_runs_measured (runs)) &&
         !hl_photograph_layer_is_reading (hl_linkage_view_photograph (self->linkage_view)) &&
         (!hl_editing_has_system (editing) || (run != NULL && hl_run_is_over (run)) ||
          hl_findings_first_error (hl_editing_findings (editing)) != NULL);
}

/* --- the banner --- */

void hl_window_show_banner (HlWindow *self, const char *message, gboolean is_problem) {
  gtk_label_set_text (self->banner_label, message);
  if (is_problem)
    gtk_widget_remove_css_class (GTK_WIDGET (self->banner_box), "notice");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->banner_box), "notice");
  gtk_widget_set_visible (GTK_WIDGET (self->banner_button), FALSE);
  gtk_revealer_set_reveal_child (self->banner, TRUE);
}

void hl_window_ask_banner (HlWindow *self, const char *message, const char *button, const char *action) {
  hl_window_show_banner (self, message, FALSE);
  gtk_button_set_label (self->banner_button, button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_button), action);
  gtk_widget_set_visible (GTK_WIDGET (self->banner_button), TRUE);
}

const char *hl_window_banner (HlWindow *self) {
  return gtk_revealer_get_reveal_child (self->banner) ? gtk_label_get_text (self->banner_label) : NULL;
}

/* --- life --- */

static gboolean hl_window_close_request (GtkWindow *window) {
  HlWindow *self = HL_WINDOW (window);

  hl_window_flush_typing (self);
  if (self->remembers)
    hl_window_remember_state (self);
  if (!self->close_anyway && (!hl_window_confirm_author (self) || !hl_window_confirm_close (self)))
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
  }
  hl_window_drop_camera (self);
  hl_window_drop_presentation (self);
  hl_window_drop_experiments (self);
  hl_window_drop_lesson (self);
  hl_window_put_pad_away (self);
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_pointer (&self->chooser, hl_file_chooser_end);
  g_clear_pointer (&self->autosave, hl_autosave_free);
  g_clear_pointer (&self->watch, hl_file_watch_free);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_window_parent_class)->dispose (object);
}

static void hl_window_finalize (GObject *object) {
  hl_frame_meter_free (HL_WINDOW (object)->meter);
  g_free (HL_WINDOW (object)->lost_formula);
  g_free (HL_WINDOW (object)->unprotected);
  g_strfreev (HL_WINDOW (object)->fmu_hoses);
  g_clear_pointer (&HL_WINDOW (object)->typed_upon, hl_document_unref);
  G_OBJECT_CLASS (hl_window_parent_class)->finalize (object);
}

static void bind_children (GtkWidgetClass *widget_class) {
#define BIND(child) gtk_widget_class_bind_template_child (widget_class, HlWindow, child)
  BIND (title_label);
  BIND (subtitle_label);
  BIND (set_icon);
  BIND (set_label);
  BIND (circuit_caption);
  BIND (linkage_caption);
  BIND (banner_label);
  BIND (status_line);
  BIND (banner);
  BIND (banner_box);
  BIND (banner_button);
  BIND (set_button);
  BIND (model_button);
  BIND (export_button);
  BIND (menu_button);
  BIND (set_menu);
  BIND (model_menu);
  BIND (export_menu);
  BIND (primary_menu);
  BIND (undo_button);
  BIND (redo_button);
  BIND (open_button);
  BIND (save_button);
  BIND (main_paned);
  BIND (lesson_box);
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
  BIND (moved_box);
  BIND (moved_label);
  BIND (hold_button);
  BIND (as_given_button);
  BIND (unfullscreen_button);
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
  BIND (side_tabs);
  BIND (locus_box);
  BIND (locus_heading);
  BIND (study_box);
  BIND (recording_button);
  BIND (drive_label);
  BIND (run_label);
  BIND (eigen_table);
  BIND (time_bar);
  BIND (problems);
  BIND (locus_drop_down);
#undef BIND
}

static void hl_window_class_init (HlWindowClass *klass) {
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
  g_type_ensure (HL_TYPE_STATUS_LINE);
  gtk_widget_class_set_template_from_resource (widget_class, HL_RESOURCE_BASE "/ui/hl-window.ui");
  bind_children (widget_class);
}

static void hl_window_init (HlWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_late_menu_set (self->menu_button, self->primary_menu);
  hl_late_menu_set (self->export_button, self->export_menu);
  hl_late_menu_set (self->model_button, self->model_menu);
  hl_late_menu_set (self->set_button, self->set_menu);
  self->workbench = hl_workbench_new ();
  self->meter = hl_frame_meter_new ();
  hl_workbench_set_wake (self->workbench, wake_cb, self);

  hl_canvas_set_workbench (HL_CANVAS (self->circuit_view), self->workbench);
  hl_canvas_set_workbench (HL_CANVAS (self->linkage_view), self->workbench);
  hl_plot_pane_set_workbench (self->plot_pane, self->workbench);
  hl_outline_set_workbench (self->outline, self->workbench, hl_circuit_view_bridge (self->circuit_view),
                            hl_linkage_view_bridge (self->linkage_view));
  hl_history_list_set_workbench (self->history_list, self->workbench);
  hl_inspector_set_workbench (self->inspector, self->workbench);
  hl_locus_view_set_workbench (self->locus_view, self->workbench);
  hl_knob_panel_set_workbench (self->knob_panel, self->workbench);
  hl_eigen_table_set_workbench (self->eigen_table, self->workbench);
  hl_time_bar_set_workbench (self->time_bar, self->workbench);
  hl_problems_set_workbench (self->problems, self->workbench);

  hl_tooltip_spare_popovers (GTK_WIDGET (self));
  hl_window_bind_tools (self);
  hl_window_watch_recent (self);
  hl_window_watch_file (self);
  hl_window_add_actions (self);
  hl_window_add_outline_actions (self);
  hl_window_add_tool_actions (self);
  hl_window_add_side_actions (self);
  hl_window_add_lesson_actions (self);
  hl_window_add_present_actions (self);
  hl_window_add_experiment_actions (self);
  hl_window_bind_drive (self);
  hl_window_accept_drops (self);
  g_signal_connect (self, "realize", G_CALLBACK (realize_cb), NULL);
  g_signal_connect (self, "unrealize", G_CALLBACK (unrealize_cb), NULL);
  g_signal_connect (self->locus_drop_down, "notify::selected", G_CALLBACK (locus_knob_picked_cb), self);
  g_signal_connect (self->workbench, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_object (self->workbench, "take-away", G_CALLBACK (hl_window_take_away), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_pane, "views-changed", G_CALLBACK (show_plot_menu), self,
                           G_CONNECT_SWAPPED);
  changed_cb (self->workbench, HL_CHANGED_EVERYTHING, self);
  hl_focus_scroll_watch (GTK_WINDOW (self));
  hl_window_watch_typing (self);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->circuit_view));
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
    hl_window_restore_state (self);
  }
  return self;
}

HlWorkbench *hl_window_workbench (HlWindow *self) {
  return self->workbench;
}
