/* SPDX-License-Identifier: MIT */
/* The workbench is woken by edits and workers; from then on it gets one call a frame until nothing
 * is left to do. */
#include "app/window/hl-window.h"

#include "app/window/hl-window-private.h"

#include "core/base/hl-translation-macros.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/workbench/hl-measured-tables.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/help/hl-help-window.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/lesson/hl-lesson-pane.h"
#include "ui/plot/hl-measured-list.h"
#include "ui/study/hl-force-map-window.h"
#include "ui/study/hl-hybrid-mode-graph-window.h"
#include "ui/study/hl-model-comparison-window.h"
#include "ui/study/hl-power-balance-window.h"
#include "ui/widget/hl-window-placement.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-tooltip.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (HlWindow, hl_window, GTK_TYPE_APPLICATION_WINDOW)

static guint stays_signal;

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

/* Finishes the update of a frame. The workers continued during the update, and a short run of a drag is
 * complete or nearly so. This must not happen in the layout phase, which GTK 4.8 begins with a dozen requests
 * to the display for its monitors. */
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

/* Reports a formula that a drag replaced, while undo can restore it. */
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
  if (changes & HL_CHANGED_DOCUMENT)
    hl_window_show_panes (self);
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
  HlLessonPane *lesson = hl_lesson_files_pane (self->lessons);

  if (has_rows_due (self) || !hl_drawing_pane_is_settled (self->drawings) ||
      (lesson != NULL && !hl_lesson_pane_is_settled (lesson)))
    return FALSE;
  return self->tick == 0 && !hl_runs_is_running (runs) &&
         !hl_measured_tables_is_reading (hl_workbench_measured (self->workbench)) &&
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

gboolean hl_window_keep_changes (HlWindow *self) {
  return hl_file_session_keep (self->session);
}

/* --- files --- */

/* Examples of the program show their linear response from the start, lessons where a step asks for it; a person's own model
 * shows it when it is chosen in the menu. */
static void show_linear_of (HlWindow *self, GFile *file) {
  gboolean is_bundled = g_file_has_uri_scheme (file, "resource") && !hl_lesson_file_is (file);

  g_action_group_change_action_state (G_ACTION_GROUP (self), "show-linear",
                                      g_variant_new_boolean (is_bundled));
}

gboolean hl_window_open_file (HlWindow *self, GFile *file) {
  show_linear_of (self, file);
  if (hl_lesson_file_is (file))
    return hl_lesson_files_open (self->lessons, file);
  if (hl_experiment_deck_takes (file))
    return hl_experiment_deck_open (self->deck, file);
  hl_lesson_files_close (self->lessons);
  return hl_file_session_open (self->session, file);
}

gboolean hl_window_is_blank (HlWindow *self) {
  HlEditing *editing = hl_workbench_editing (self->workbench);

  return hl_lesson_files_pane (self->lessons) == NULL && hl_editing_path (editing) == NULL &&
         !hl_editing_is_modified (editing) && hl_editing_undo_name (editing) == NULL &&
         hl_editing_redo_name (editing) == NULL;
}

GtkWindow *hl_window_find (GtkApplication *application, GFile *file) {
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  for (GList *at = windows; at != NULL; at = at->next) {
    const char *path = HL_IS_WINDOW (at->data)
                           ? hl_editing_path (hl_workbench_editing (HL_WINDOW (at->data)->workbench))
                           : NULL;
    g_autoptr (GFile) open_file = path != NULL ? g_file_new_for_path (path) : NULL;
    if (open_file != NULL && g_file_equal (open_file, file))
      return at->data;
  }
  return NULL;
}

/* Opens a file in this window if its document is untouched, otherwise in a new one. A file that is open
 * already is shown in its window. */
static void open_here_or_beside (HlWindow *self, GFile *file) {
  GtkWindow *has_it = hl_window_find (gtk_window_get_application (GTK_WINDOW (self)), file);

  if (has_it != NULL) {
    gtk_window_present (has_it);
    return;
  }
  if (!hl_editing_is_modified (hl_workbench_editing (self->workbench))) {
    hl_window_open_file (self, file);
    return;
  }
  g_application_open (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))), &file, 1, "");
}

/* --- dropped files --- */

static gboolean is_photograph (GFile *file) {
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *type = g_content_type_guess (name, NULL, 0, NULL);

  return g_content_type_is_a (type, "image/png") || g_content_type_is_a (type, "image/jpeg") ||
         g_content_type_is_a (type, "image/tiff");
}

static gboolean is_table (GFile *file) {
  static const char *const endings[] = {".csv", ".tsv", ".txt", ".dat", ".asc"};
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *folded = g_ascii_strdown (name, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (folded, endings[i]))
      return TRUE;
  return FALSE;
}

static void open_dropped_file (HlWindow *self, GFile *file) {
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL && is_photograph (file))
    hl_photograph_window_load (hl_drawing_pane_show_photograph (self->drawings), path);
  else if (path != NULL && is_table (file))
    hl_measured_open (self->workbench, path, GTK_WINDOW (self));
  else
    open_here_or_beside (self, file);
}

/* Opens dropped files: file managers provide a list, other programs one file. */
static gboolean drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, HlWindow *self) {
  GSList *files = NULL;
  GSList one = {NULL, NULL};

  if (G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    files = g_value_get_boxed (value);
  else if (G_VALUE_HOLDS (value, G_TYPE_FILE) && g_value_get_object (value) != NULL) {
    one.data = g_value_get_object (value);
    files = &one;
  }
  for (GSList *at = files; at != NULL; at = at->next)
    open_dropped_file (self, at->data);
  return files != NULL;
}

static void accept_drops (HlWindow *self) {
  GtkDropTarget *target = gtk_drop_target_new (G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = {GDK_TYPE_FILE_LIST, G_TYPE_FILE};

  gtk_drop_target_set_gtypes (target, types, G_N_ELEMENTS (types));
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

static void chosen_cb (HlFileSession *session, GFile *file, HlWindow *self) {
  open_here_or_beside (self, file);
}

static void stays_cb (HlWindow *self) {
  g_signal_emit (self, stays_signal, 0);
}

/* --- lessons and experiments --- */

static void look_at (HlWindow *self, const char *pane) {
  if (strcmp (pane, "locus") == 0 || strcmp (pane, "properties") == 0)
    g_action_group_activate_action (G_ACTION_GROUP (self), "side-tab", g_variant_new_string (pane));
  else if (strcmp (pane, "plots") == 0) {
    g_action_group_change_action_state (G_ACTION_GROUP (self), "plots", g_variant_new_boolean (TRUE));
    gtk_widget_grab_focus (GTK_WIDGET (self->plot_pane));
  } else
    gtk_widget_grab_focus (strcmp (pane, "circuit") == 0
                               ? GTK_WIDGET (hl_drawing_pane_circuit (self->drawings))
                               : GTK_WIDGET (hl_drawing_pane_linkage (self->drawings)));
}

static void show_view (HlWindow *self, const HlLessonView *view) {
  hl_plot_pane_set_time_range (self->plot_pane, view->from, view->to);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "show-linear",
                                      g_variant_new_boolean (view->response));
  hl_locus_study_set_target (hl_workbench_locus (self->workbench), &view->target);
  if (view->shown != NULL)
    look_at (self, view->shown);
  hl_window_show_lesson_pane (self, view->large);
}

static void look_at_cb (HlLessonFiles *box, HlWindow *self) {
  HlLessonPane *pane = hl_lesson_files_pane (box);
  /* behind the last step: without a lesson */
  HlLessonView view = {.from = NAN, .to = NAN, .target = {NAN, NAN}};

  if (pane != NULL)
    view = hl_lesson_session_view (hl_lesson_pane_play (pane));
  show_view (self, &view);
}

static void curtain_cb (HlLessonFiles *box, gboolean covers, HlWindow *self) {
  hl_window_show_panes (self);
  hl_side_pane_cover (self->side, covers);
}

static void room_cb (HlLessonFiles *box, gboolean comes, HlWindow *self) {
  hl_window_make_room (self, comes);
}

/* Experiments are shown in the lecture hall. */
static void experiments_begin_cb (HlExperimentDeck *deck, HlWindow *self) {
  hl_lesson_files_close (self->lessons);
  if (self->presentation == NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), "present", NULL);
}

/* Shows, in presentation mode, the part of the window that the experiment states, otherwise a notice. */
static void experiment_cb (HlExperimentDeck *deck, const char *const *panes, const char *text,
                           HlWindow *self) {
  hl_drawing_pane_fit (self->drawings);
  hl_banner_hide (self->banner); /* message about another machine */
  if (self->presentation != NULL)
    hl_window_present_panes (self, panes, text);
  else
    hl_banner_show (self->banner, text, FALSE);
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

/* Chooses a lever by a digit for any focus, unless the focused widget reads digits. */
static gboolean key_pressed_cb (GtkEventControllerKey *controller, guint keyval, guint keycode,
                                GdkModifierType state, HlWindow *self) {
  HlLocusStudy *study = hl_workbench_locus (self->workbench);

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  if (keyval == GDK_KEY_Escape && hl_locus_study_mode (study) >= 0) {
    hl_locus_study_set_mode (study, -1); /* the motion of a mode ends */
    return TRUE;
  }
  if (keyval == GDK_KEY_Escape && hl_window_put_large_back (self))
    return TRUE;
  return hl_lever_panel_key (hl_side_pane_levers (self->side), keyval);
}

static void notice_cb (HlPlotPane *pane, const char *text, HlWindow *self) {
  hl_banner_show (self->banner, text, TRUE);
}

/* --- actions --- */

/* F1: shows help on the element under the pointer, else on the focused widget, else on the selection. */

/* Returns the innermost widget under the pointer; NULL: the pointer is not over the window. */
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

/* Returns the page on the pane that a widget is in; NULL: on none, or on a drawing, where help is about elements. */
static const char *topic_at (HlWindow *self, GtkWidget *widget) {
  const struct {
    gpointer pane;
    const char *topic;
  } panes[] = {{self->plot_pane, "plots"}, {self->lessons, "lesson"}};

  for (gsize k = 0; k < G_N_ELEMENTS (panes); k++)
    if (is_in (widget, panes[k].pane))
      return panes[k].topic;
  const char *topic = hl_side_pane_topic (self->side, widget);
  return topic != NULL ? topic : hl_transport_bar_topic (self->transport, widget);
}

static void present (GtkWidget *help) {
  gtk_window_present (GTK_WINDOW (help));
}

static void help_on_topic (HlWindow *self, const char *topic) {
  present (hl_help_window_new_topic (self->workbench, GTK_WINDOW (self), topic));
}

/* Shows the help of a property's row; FALSE: the widget is in none of an element's rows. */
static gboolean help_on_property (HlWindow *self, GtkWidget *widget) {
  HlInspector *inspector = hl_side_pane_inspector (self->side);
  const char *id = hl_workbench_selected (self->workbench);
  const char *field =
      is_in (widget, inspector) && id != NULL ? hl_inspector_field_at (inspector, widget) : NULL;

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
  const char *tool = hl_drawing_pane_help_topic (self->drawings);
  const char *selected = hl_workbench_selected (self->workbench);
  const char *topic = topic_at (self, pointed);

  (void)action;
  (void)parameter;
  gboolean is_over_drawing = is_in (pointed, hl_drawing_pane_circuit (self->drawings)) ||
                             is_in (pointed, hl_drawing_pane_linkage (self->drawings));
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
    help_on_topic (self, is_in (at, hl_drawing_pane_linkage (self->drawings)) ? "linkage"
                         : is_in (at, hl_side_pane_inspector (self->side))    ? "properties"
                         : is_in (at, self->outline)                          ? "outline"
                                                                              : "circuit");
    return;
  }
  present (hl_help_window_new (self->workbench, GTK_WINDOW (self), tool, selected));
}

static void close_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  gtk_window_close (GTK_WINDOW (data));
}

/* Shows a quantity in another unit, "16:bar": quantity and unit, as the unit menus of number fields state it. */
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

static void show_linear_cb (GSimpleAction *action, GVariant *state, gpointer data) {
  hl_plot_pane_set_show_linear (HL_WINDOW (data)->plot_pane, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void dismiss_banner_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  hl_banner_dismiss (HL_WINDOW (data)->banner);
}

static void fit_all_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;

  hl_drawing_pane_fit (self->drawings);
  hl_plot_pane_fit (self->plot_pane);
  hl_chart_fit (HL_CHART (hl_side_pane_locus (self->side)));
}

static void force_map_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_window_placement_present (GTK_WINDOW (hl_force_window_new (self->workbench, GTK_WINDOW (self))),
                               GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

static void power_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_window_placement_present (GTK_WINDOW (hl_power_window_new (self->workbench, GTK_WINDOW (self))),
                               GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

static void mode_graph_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_window_placement_present (GTK_WINDOW (hl_mode_graph_window_new (self->workbench, GTK_WINDOW (self))),
                               GTK_WIDGET (hl_drawing_pane_circuit (self->drawings)));
}

static void model_advice_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  gtk_window_present (GTK_WINDOW (hl_model_advice_window_new (self->workbench, GTK_WINDOW (self))));
}

static void compare_oils_cb (GSimpleAction *action, GVariant *parameter, gpointer data) {
  HlWindow *self = data;
  hl_window_placement_present (GTK_WINDOW (hl_oils_window_new (self->workbench, GTK_WINDOW (self))),
                               GTK_WIDGET (self->plot_pane));
}

/* Builds the overlay on demand: it has more widgets than a panel, and GTK would build it with the window. */
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
    {"close", close_cb, NULL, NULL, NULL},
    {"force-map", force_map_cb, NULL, NULL, NULL},
    {"power", power_cb, NULL, NULL, NULL},
    {"mode-graph", mode_graph_cb, NULL, NULL, NULL},
    {"model-advice", model_advice_cb, NULL, NULL, NULL},
    {"compare-oils", compare_oils_cb, NULL, NULL, NULL},
    {"show-unit", show_unit_cb, "s", NULL, NULL},
    {"show-linear", NULL, NULL, "false", show_linear_cb},
    {"dismiss-banner", dismiss_banner_cb, NULL, NULL, NULL},
    {"fit-all", fit_all_cb, NULL, NULL, NULL},
};

/* --- what connects the parts --- */

static void bind_lessons (HlWindow *self) {
  g_signal_connect (self->lessons, "look-at", G_CALLBACK (look_at_cb), self);
  g_signal_connect (self->lessons, "curtain", G_CALLBACK (curtain_cb), self);
  g_signal_connect (self->lessons, "room", G_CALLBACK (room_cb), self);
  hl_lesson_files_set_workbench (self->lessons, self->workbench, self->banner, G_ACTION_MAP (self));
  self->deck = hl_experiment_deck_new (self->workbench, self->banner, GTK_APPLICATION_WINDOW (self));
  g_signal_connect (self->deck, "begins", G_CALLBACK (experiments_begin_cb), self);
  g_signal_connect (self->deck, "shown", G_CALLBACK (experiment_cb), self);
}

static void bind_files (HlWindow *self) {
  self->session = hl_file_session_new (self->workbench, self->banner, GTK_APPLICATION_WINDOW (self));
  g_signal_connect (self->session, "chosen", G_CALLBACK (chosen_cb), self);
  g_signal_connect_swapped (self->session, "stays", G_CALLBACK (stays_cb), self);
  g_signal_connect_swapped (self->lessons, "stays", G_CALLBACK (stays_cb), self);
  accept_drops (self);
}

static void bind_drive (HlWindow *self) {
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (hl_side_pane_levers (self->side), "strip-changed", G_CALLBACK (strip_changed_cb), self);
  g_signal_connect_swapped (self->transport, "run-pressed", G_CALLBACK (hl_lesson_files_note_run),
                            self->lessons);
  g_signal_connect_swapped (self->transport, "run-pressed", G_CALLBACK (hl_window_note_run), self);
  g_signal_connect_swapped (self->transport, "drive-began", G_CALLBACK (drive_began_cb), self);
  g_signal_connect_swapped (self->transport, "drive-ended", G_CALLBACK (drive_ended_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* --- life --- */

static gboolean hl_window_close_request (GtkWindow *window) {
  HlWindow *self = HL_WINDOW (window);

  hl_inspector_flush (GTK_ROOT (self));
  if (self->remembers)
    hl_window_remember_state (self);
  if (!hl_lesson_files_confirm (self->lessons) || !hl_file_session_confirm_close (self->session))
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
    hl_lesson_files_drop (self->lessons);
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
  stays_signal =
      g_signal_new ("stays", HL_TYPE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (HL_TYPE_BANNER);
  g_type_ensure (HL_TYPE_HEADER_BAR);
  g_type_ensure (HL_TYPE_LESSON_FILES);
  g_type_ensure (HL_TYPE_DRAWING_PANE);
  g_type_ensure (HL_TYPE_PLOT_PANE);
  g_type_ensure (HL_TYPE_OUTLINE);
  g_type_ensure (HL_TYPE_SIDE_PANE);
  g_type_ensure (HL_TYPE_TRANSPORT_BAR);
  hl_widget_tree_load (klass, "hl-window");
  bind_children (widget_class);
}

static void hl_window_init (HlWindow *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->workbench = hl_workbench_new ();
  self->meter = hl_frame_meter_new ();
  hl_wheel_scrolls_panes (GTK_WIDGET (self));
  hl_tooltip_watch_hand (GTK_WIDGET (self));
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
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  hl_window_add_layout_actions (self);
  hl_drawing_pane_add_actions (self->drawings, G_ACTION_MAP (self));
  hl_side_pane_add_actions (self->side, G_ACTION_MAP (self));
  bind_lessons (self);
  bind_files (self);
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
  return g_object_new (HL_TYPE_WINDOW, "application", application, "show-menubar", FALSE, NULL);
}

void hl_window_protect (HlWindow *self, HlRecovery *recovery, GSettings *settings) {
  hl_file_session_protect (self->session, recovery, settings);
}

void hl_window_show_unprotected (HlWindow *self, const char *why) {
  hl_file_session_show_unprotected (self->session, why);
}

void hl_window_remember (HlWindow *self) {
  self->remembers = TRUE;
  hl_lesson_files_set_remembers (self->lessons, TRUE);
  hl_window_restore_state (self);
}

HlWorkbench *hl_window_workbench (HlWindow *self) {
  return self->workbench;
}
