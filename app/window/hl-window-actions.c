/* SPDX-License-Identifier: MIT */
/* Every win. action, and in one function when each is enabled. */
#include "app/window/hl-photograph-window.h"

#include "app/window/hl-application.h"
#include "app/window/hl-window-private.h"
#include "core/base/hl-i18n.h"
#include "core/edit/hl-edit.h"
#include "core/system/hl-oil-model.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/bench/hl-runs.h"
#include "ui/help/hl-help-window.h"
#include "ui/study/hl-force-window.h"
#include "ui/study/hl-mode-graph-window.h"
#include "ui/study/hl-model-advice-window.h"
#include "ui/study/hl-oils-window.h"
#include "ui/study/hl-power-window.h"
#include "ui/widget/hl-beside.h"

#include <stdlib.h>
#include <string.h>

/* F1: help on what the pointer is over, on what has the keyboard, or on what is selected, the first of these
 * that says something. */

/* The innermost widget under the pointer; NULL: the pointer is not over the window. */
static GtkWidget *under_pointer (HlWindow *self) {
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self));
  GdkSeat *seat = gdk_display_get_default_seat (display);
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self));
  double x, y, shift_x, shift_y;

  if (pointer == NULL || surface == NULL ||
      gdk_device_get_surface_at_position (pointer, NULL, NULL) != surface ||
      !gdk_surface_get_device_position (surface, pointer, &x, &y, NULL))
    return NULL;
  gtk_native_get_surface_transform (GTK_NATIVE (self), &shift_x, &shift_y);
  return gtk_widget_pick (GTK_WIDGET (self), x - shift_x, y - shift_y, GTK_PICK_DEFAULT);
}

static gboolean is_in (GtkWidget *widget, gpointer pane) {
  return widget != NULL && pane != NULL && (widget == pane || gtk_widget_is_ancestor (widget, pane));
}

/* The page on the pane that a widget is in; NULL: on none, or on a drawing, where elements are asked
 * about. */
static const char *topic_at (HlWindow *self, GtkWidget *widget) {
  const struct {
    gpointer pane;
    const char *topic;
  } panes[] = {
      {self->plot_pane, "plots"},    {self->locus_view, "locus"},  {self->eigen_table, "eigenvalues"},
      {self->knob_panel, "sliders"}, {self->locus_box, "locus"},   {self->lever_panel, "levers"},
      {self->time_bar, "time"},      {self->problems, "problems"}, {self->lesson, "lesson"},
      {self->author, "lesson"},
  };

  for (gsize k = 0; k < G_N_ELEMENTS (panes); k++)
    if (is_in (widget, panes[k].pane))
      return panes[k].topic;
  return NULL;
}

static void present (GtkWidget *help) {
  gtk_window_present (GTK_WINDOW (help));
}

static void help_on_topic (HlWindow *self, const char *topic) {
  present (hl_help_window_new_topic (self->workbench, GTK_WINDOW (self), topic));
}

/* A row of the properties: the page of its element, there. FALSE: the widget is in none of an element's
 * rows. */
static gboolean help_on_property (HlWindow *self, GtkWidget *widget) {
  const char *id = hl_workbench_selected (self->workbench);
  const char *field =
      is_in (widget, self->inspector) && id != NULL ? hl_inspector_field_at (self->inspector, widget) : NULL;

  if (field == NULL)
    return FALSE;
  GtkWidget *help = hl_help_window_new (self->workbench, GTK_WINDOW (self), NULL, id);
  hl_help_window_point_at (HL_HELP_WINDOW (help), field);
  present (help);
  return TRUE;
}

static void help_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  GtkWidget *pointed = under_pointer (self), *focus = gtk_window_get_focus (GTK_WINDOW (self));
  const char *tool = hl_palette_asked (self->circuit_palette);
  const char *selected = hl_workbench_selected (self->workbench);
  const char *topic = topic_at (self, pointed);

  (void)action;
  (void)parameter;
  if (tool == NULL)
    tool = hl_palette_asked (self->linkage_palette);
  gboolean is_over_drawing = is_in (pointed, self->circuit_view) || is_in (pointed, self->linkage_view);
  if (topic == NULL && (selected == NULL || !is_over_drawing))
    topic = topic_at (self, focus);
  if (tool == NULL && topic != NULL) {
    help_on_topic (self, topic);
    return;
  }
  if (tool == NULL && (help_on_property (self, pointed) || help_on_property (self, focus)))
    return;
  if (tool == NULL && selected == NULL) {
    gpointer at = pointed != NULL ? pointed : focus;
    help_on_topic (self, is_in (at, self->linkage_view) ? "linkage"
                         : is_in (at, self->inspector)  ? "properties"
                         : is_in (at, self->outline)    ? "outline"
                                                        : "circuit");
    return;
  }
  present (hl_help_window_new (self->workbench, GTK_WINDOW (self), tool, selected));
}

/* Undo and redo say what they would undo, in the menu and on their buttons. */

/* `format` has one %s, the step; without a step its plain word is shown. */
static char *step_text (const char *plain, const char *format, const char *step) {
  g_autoptr (GString) text = g_string_new (step != NULL ? format : plain);

  if (step != NULL)
    g_string_replace (text, "%s", step, 1);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void show_step (GtkWidget *button, const char *text, const char *keys) {
  g_autofree char *tooltip = g_strdup_printf ("%s (%s)", text, keys);

  if (g_strcmp0 (gtk_widget_get_tooltip_text (button), tooltip) == 0)
    return;
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void append (GMenu *menu, const char *text, const char *action) {
  g_autoptr (GMenuItem) item = hl_window_menu_item (text, NULL);

  g_menu_item_set_action_and_target (item, action, NULL);
  g_menu_append_item (menu, item);
}

static gboolean says (GMenuModel *menu, int index, const char *text) {
  g_autoptr (GMenuItem) item = hl_window_menu_item (text, NULL);
  g_autoptr (GVariant) wanted =
      g_menu_item_get_attribute_value (item, G_MENU_ATTRIBUTE_LABEL, G_VARIANT_TYPE_STRING);
  g_autofree char *label = NULL;

  return index < g_menu_model_get_n_items (menu) &&
         g_menu_model_get_item_attribute (menu, index, G_MENU_ATTRIBUTE_LABEL, "s", &label) &&
         g_strcmp0 (label, g_variant_get_string (wanted, NULL)) == 0;
}

/* Undo and redo with the names of their steps. */
static void show_steps (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);
  g_autofree char *undo = step_text (_ ("Undo"), _ ("Undo %s"), hl_editing_undo_name (editing));
  g_autofree char *redo = step_text (_ ("Redo"), _ ("Redo %s"), hl_editing_redo_name (editing));
  GMenuModel *menu = G_MENU_MODEL (self->edit_section);

  show_step (self->undo_button, undo, "Ctrl+Z");
  show_step (self->redo_button, redo, "Shift+Ctrl+Z");
  if (says (menu, 0, undo) && says (menu, 1, redo))
    return;
  g_menu_remove_all (self->edit_section);
  append (self->edit_section, undo, "win.undo");
  append (self->edit_section, redo, "win.redo");
  append (self->edit_section, _ ("All steps…"), "win.history");
  append (self->edit_section, _ ("Find…"), "win.find");
}

static void open_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_choose_and_open (data);
}

static void open_uri_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  hl_window_open_here_or_beside (data, file);
}

static void save_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_flush_typing (data);
  hl_window_save (data, FALSE, NULL);
}

static void save_as_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_flush_typing (data);
  hl_window_save (data, TRUE, NULL);
}

static void photograph_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_show_photograph (data);
}

static void reload_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_reload (data);
}

static void close_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  gtk_window_close (GTK_WINDOW (data));
}

static void undo_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  if (!hl_window_undo_typing (data))
    hl_editing_undo (hl_workbench_editing (HL_WINDOW (data)->workbench));
}

static void redo_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  if (!hl_window_redo_typing (data))
    hl_editing_redo (hl_workbench_editing (HL_WINDOW (data)->workbench));
}

static void hold_start_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_hold_start (data);
}

static void start_as_given_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_start_as_given (data);
}

static void history_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_history_list_open (HL_WINDOW (data)->history_list);
}

static void run_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  hl_window_flush_typing (self);
  hl_runs_start (hl_workbench_runs (self->workbench));
  if (self->author != NULL)
    hl_lesson_author_note_run (self->author);
}

static void stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_runs_stop (hl_workbench_runs (HL_WINDOW (data)->workbench));
}

static void play_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlTimeBar *bar = HL_WINDOW (data)->time_bar;

  if (hl_window_pause_drive (data))
    return;
  hl_time_bar_set_playing (bar, !hl_time_bar_is_playing (bar));
}

static void rewind_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_time_bar_rewind (HL_WINDOW (data)->time_bar);
}

static void apply_set_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!hl_editing_apply_set (hl_workbench_editing (self->workbench), g_variant_get_string (parameter, NULL),
                             &error))
    hl_window_show_banner (self, error->message, TRUE);
}

static void save_set_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_ask_set_name (data);
}

static void oil_model_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  HlEditing *editing = hl_workbench_editing (self->workbench);
  const char *model = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_edit_set_oil (hl_editing_document (editing), model, &error);

  if (document == NULL) {
    hl_window_show_banner (self, error->message, TRUE);
    return;
  }
  g_autofree char *step = g_strdup_printf (_ ("Model the oil as %s"), model);
  hl_editing_commit (editing, document, step, NULL);
}

/* "16:bar": quantity and unit, as the unit menus of number fields say it. */
static void show_unit_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  char *end;
  const char *text = g_variant_get_string (parameter, NULL);
  long quantity = strtol (text, &end, 10);

  if (quantity < 0 || quantity >= HL_N_QUANTITIES || *end != ':')
    return;
  const HlUnit *unit = hl_unit_find ((HlQuantity)quantity, end + 1);
  if (unit != NULL)
    hl_workbench_set_unit (HL_WINDOW (data)->workbench, unit);
}

static void export_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_export (data, g_variant_get_string (parameter, NULL));
}

static void show_linear_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_plot_pane_set_show_linear (HL_WINDOW (data)->plot_pane, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void pin_run_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_runs_pin_shown (hl_workbench_runs (HL_WINDOW (data)->workbench), g_variant_get_boolean (state));
}

static void palettes_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  HlWindow *self = data;

  gtk_widget_set_visible (GTK_WIDGET (self->circuit_palette), g_variant_get_boolean (state));
  gtk_widget_set_visible (GTK_WIDGET (self->linkage_palette), g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void fullscreen_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  if (g_variant_get_boolean (state))
    gtk_window_fullscreen (GTK_WINDOW (data));
  else
    gtk_window_unfullscreen (GTK_WINDOW (data));
  /* the header is gone then, and with it the menu */
  gtk_widget_set_visible (HL_WINDOW (data)->unfullscreen_button, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void problems_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_problems_open (HL_WINDOW (data)->problems);
}

static void dismiss_banner_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_window_dismiss_banner (HL_WINDOW (data));
}

/* Zoom goes to the view with the focus, without one to both drawings. */
static void zoom (HlWindow *self, const char *action) {
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && gtk_widget_activate_action (focus, action, NULL))
    return;
  gtk_widget_activate_action (GTK_WIDGET (self->circuit_view), action, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self->linkage_view), action, NULL);
}

static void zoom_in_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  zoom (data, "view.zoom-in");
}

static void zoom_out_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  zoom (data, "view.zoom-out");
}

static void fit_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  hl_canvas_fit (HL_CANVAS (self->circuit_view));
  hl_canvas_fit (HL_CANVAS (self->linkage_view));
  hl_plot_pane_fit (self->plot_pane);
  hl_chart_fit (HL_CHART (self->locus_view));
}

static void locus_log_cb (GSimpleAction *action, GVariant *value, gpointer data) {
  hl_locus_view_set_log (HL_WINDOW (data)->locus_view, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

static void force_map_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_force_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (self->circuit_view));
}

static void power_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_power_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (self->circuit_view));
}

static void mode_graph_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_mode_graph_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (self->circuit_view));
}

static void model_advice_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  gtk_window_present (GTK_WINDOW (hl_model_advice_window_new (self->workbench, GTK_WINDOW (self))));
}

static void compare_oils_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_beside_present (GTK_WINDOW (hl_oils_window_new (self->workbench, GTK_WINDOW (self))),
                     GTK_WIDGET (self->plot_pane));
}

/* Built when it is asked for: it has more widgets than a panel, and GTK would build it with the
 * window. */
static void help_overlay_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  GtkApplicationWindow *self = data;

  if (gtk_application_window_get_help_overlay (self) == NULL) {
    g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (HL_RESOURCE_BASE "/ui/help-overlay.ui");
    gtk_application_window_set_help_overlay (
        self, GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
  }
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (self)));
}

static const GActionEntry actions[] = {
    {"help", help_cb, NULL, NULL, NULL},
    {"show-help-overlay", help_overlay_cb, NULL, NULL, NULL},
    {"open", open_cb, NULL, NULL, NULL},
    {"open-uri", open_uri_cb, "s", NULL, NULL},
    {"save", save_cb, NULL, NULL, NULL},
    {"save-as", save_as_cb, NULL, NULL, NULL},
    {"photograph", photograph_cb, NULL, NULL, NULL},
    {"reload", reload_cb, NULL, NULL, NULL},
    {"close", close_cb, NULL, NULL, NULL},
    {"undo", undo_cb, NULL, NULL, NULL},
    {"redo", redo_cb, NULL, NULL, NULL},
    {"hold-start", hold_start_cb, NULL, NULL, NULL},
    {"start-as-given", start_as_given_cb, NULL, NULL, NULL},
    {"history", history_cb, NULL, NULL, NULL},
    {"run", run_cb, NULL, NULL, NULL},
    {"stop", stop_cb, NULL, NULL, NULL},
    {"play", play_cb, NULL, NULL, NULL},
    {"rewind", rewind_cb, NULL, NULL, NULL},
    {"apply-set", apply_set_cb, "s", NULL, NULL},
    {"save-set", save_set_cb, NULL, NULL, NULL},
    {"oil-model", oil_model_cb, "s", "'lumped'", NULL},
    {"force-map", force_map_cb, NULL, NULL, NULL},
    {"power", power_cb, NULL, NULL, NULL},
    {"mode-graph", mode_graph_cb, NULL, NULL, NULL},
    {"model-advice", model_advice_cb, NULL, NULL, NULL},
    {"compare-oils", compare_oils_cb, NULL, NULL, NULL},
    {"show-unit", show_unit_cb, "s", NULL, NULL},
    {"export", export_cb, "s", NULL, NULL},
    {"show-linear", NULL, NULL, "true", show_linear_cb},
    {"pin-run", NULL, NULL, "false", pin_run_cb},
    {"locus-log", NULL, NULL, "true", locus_log_cb},
    {"palettes", NULL, NULL, "true", palettes_cb},
    {"fullscreen", NULL, NULL, "false", fullscreen_cb},
    {"problems", problems_cb, NULL, NULL, NULL},
    {"dismiss-banner", dismiss_banner_cb, NULL, NULL, NULL},
    {"zoom-in", zoom_in_cb, NULL, NULL, NULL},
    {"zoom-out", zoom_out_cb, NULL, NULL, NULL},
    {"fit-all", fit_all_cb, NULL, NULL, NULL},
};

void hl_window_add_actions (HlWindow *self) {
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

static GSimpleAction *find (HlWindow *self, const char *name) {
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name));
}

static void enable (HlWindow *self, const char *name, gboolean enabled) {
  g_simple_action_set_enabled (find (self, name), enabled);
}

void hl_window_update_actions (HlWindow *self) {
  HlWorkbench *workbench = self->workbench;
  HlRuns *runs = hl_workbench_runs (workbench);
  HlEditing *editing = hl_workbench_editing (workbench);
  gboolean has_system = hl_editing_has_system (editing);
  HlRun *run = hl_runs_shown (runs);
  gboolean has_rows = run != NULL && hl_results_n_rows (run->results) > 0;
  const char *undo = hl_editing_undo_name (editing), *redo = hl_editing_redo_name (editing);
  const char *model = hl_document_object_text (hl_editing_document (editing), HL_SECTION_SIMULATION, "model");

  enable (self, "save", hl_editing_is_modified (editing) || hl_editing_path (editing) == NULL);
  enable (self, "reload", hl_editing_path (editing) != NULL);
  enable (self, "undo", undo != NULL);
  enable (self, "redo", redo != NULL);
  enable (self, "history", undo != NULL || redo != NULL);
  enable (self, "run", has_system || hl_runs_shown (runs) == NULL);
  enable (self, "stop", hl_runs_is_running (runs));
  enable (self, "play", has_rows);
  enable (self, "rewind", has_rows);
  enable (self, "pin-run", has_rows);
  enable (self, "save-set", hl_locus_study_knobs (hl_workbench_locus (workbench))->len > 0);
  g_simple_action_set_state (find (self, "pin-run"), g_variant_new_boolean (hl_runs_pinned (runs) != NULL));
  g_simple_action_set_state (find (self, "oil-model"),
                             g_variant_new_string (model != NULL ? model : hl_oil_models[0]->name));
  hl_window_update_drive_actions (self);
  show_steps (self);
}
