/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-hybrid-mode-graph-window.h"

#include "core/base/hl-translation-macros.h"
#include "core/base/hl-unit.h"
#include "core/hybrid/hl-hybrid-mode-state.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/chart/hl-paint-hybrid-mode-graph.h"
#include "ui/widget/hl-data-table.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"
#include "ui/widget/hl-widget-template.h"

#include <math.h>
#include <string.h>

#define DIGITS 3
#define TIME_DIGITS 7
#define NODE_DIGITS 2

struct _HlModeGraphWindow {
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *stack; /* "empty" or "modes" */
  GtkWidget *graph, *matrix;
  GtkLabel *status;
  HlDataTable *modes, *events;

  HlModeHistory *history; /* NULL: the run that is shown has none */
  double t_end;
  int chosen;
  gboolean is_filling;
  HlHybridModeReport *report; /* of the chosen mode */
  GPtrArray *multipliers;     /* texts of the report */
  gboolean *independent;
};

G_DEFINE_FINAL_TYPE (HlModeGraphWindow, hl_mode_graph_window, GTK_TYPE_WINDOW)

static const HlVisitedMode *mode_at (HlModeGraphWindow *self, int mode) {
  return &g_array_index (hl_mode_history_modes (self->history), HlVisitedMode, (guint)mode);
}

/* --- the graph --- */

/* Formats a time short enough for a node: "3.1 µs" where "3.1·10⁻⁶ s" would be too long. */
static char *time_text (double seconds) {
  return hl_unit_format_full (hl_unit_fitting (HL_QUANTITY_TIME, seconds), seconds, NODE_DIGITS);
}

static void draw_graph_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlModeGraphWindow *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (self->history == NULL)
    return;
  const GArray *modes = hl_mode_history_modes (self->history);
  const GArray *transitions = hl_mode_history_transitions (self->history);
  g_autofree HlModeNode *nodes = g_new0 (HlModeNode, modes->len + 1);
  g_autofree HlModeEdge *edges = g_new0 (HlModeEdge, transitions->len + 1);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  int present = hl_mode_history_mode_at (self->history, hl_runs_time (hl_workbench_runs (self->workbench)));

  for (guint k = 0; k < modes->len; k++) {
    const HlVisitedMode *mode = mode_at (self, (int)k);
    g_ptr_array_add (texts, g_strdup_printf ("%u", k + 1));
    g_ptr_array_add (texts, time_text (mode->dwell));
    nodes[k] = (HlModeNode){.label = texts->pdata[2 * k],
                            .time = texts->pdata[2 * k + 1],
                            .share = self->t_end > 0 ? mode->dwell / self->t_end : 0,
                            .selected = (int)k == self->chosen,
                            .present = (int)k == present};
  }
  for (guint k = 0; k < transitions->len; k++) {
    const HlTransition *t = &g_array_index (transitions, HlTransition, k);
    edges[k] = (HlModeEdge){t->from, t->to, t->count};
  }
  HlModeGraph graph = {nodes, (int)modes->len, edges, (int)transitions->len};
  hl_paint_mode_graph (cr, &graph, width, height, &style);
}

static void pressed_cb (GtkGestureClick *click, int n_press, double x, double y, HlModeGraphWindow *self) {
  HlStyle style = hl_widget_style (self->graph);

  if (self->history == NULL)
    return;
  int node =
      hl_mode_graph_pick ((int)hl_mode_history_modes (self->history)->len, gtk_widget_get_width (self->graph),
                          gtk_widget_get_height (self->graph), &style, x, y);
  if (node >= 0)
    hl_mode_graph_window_choose (self, node);
}

/* --- the constraints of the chosen mode --- */

static HlModeMatrix matrix_of (HlModeGraphWindow *self) {
  const HlHybridModeReport *r = self->report;

  return (HlModeMatrix){.n_states = r->n_states,
                        .n_constraints = r->n_constraints,
                        .states = r->states,
                        .constraints = r->constraints,
                        .w = r->W,
                        .independent = self->independent,
                        .multipliers = (char *const *)self->multipliers->pdata};
}

static void draw_matrix_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlModeGraphWindow *self = data;
  HlStyle style = hl_widget_style (GTK_WIDGET (area));

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (self->report == NULL)
    return;
  HlModeMatrix matrix = matrix_of (self);
  hl_paint_mode_matrix (cr, &matrix, &style);
}

static void forget_report (HlModeGraphWindow *self) {
  hl_hybrid_mode_report_free (self->report);
  self->report = NULL;
  g_ptr_array_set_size (self->multipliers, 0);
  g_clear_pointer (&self->independent, g_free);
}

/* Returns the text of a multiplier: "P:LINE" and "D:PIPE" are pressures, "F:CYL:lower" is a force. */
static char *multiplier_text (HlModeGraphWindow *self, const char *name, double value) {
  HlQuantity quantity = name[0] == 'F'   ? HL_QUANTITY_FORCE
                        : name[0] == 'P' ? HL_QUANTITY_PRESSURE
                                         : HL_QUANTITY_PRESSURE_DIFFERENCE;

  return isnan (value) ? g_strdup (_ ("undetermined"))
                       : hl_unit_format_full (hl_workbench_units (self->workbench)[quantity], value, DIGITS);
}

static void make_report (HlModeGraphWindow *self) {
  const HlVisitedMode *mode = mode_at (self, self->chosen);
  HlHybridPlace place = hl_visited_mode_place (mode);
  HlHybridChoice choice = hl_visited_mode_choice (mode);

  self->report = hl_hybrid_mode_report_new (hl_mode_history_system (self->history), &place, &choice, NULL);
  if (self->report == NULL)
    return;
  self->independent = g_new0 (gboolean, self->report->n_states + 1);
  for (int k = 0; k < self->report->n_free; k++)
    self->independent[self->report->independent[k]] = TRUE;
  for (int k = 0; k < self->report->n_constraints; k++)
    g_ptr_array_add (self->multipliers,
                     multiplier_text (self, self->report->constraints[k], self->report->multipliers[k]));
  HlStyle style = hl_widget_style (self->matrix);
  HlModeMatrix matrix = matrix_of (self);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  double width, height;
  hl_mode_matrix_size (cr, &matrix, &style, &width, &height);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self->matrix), (int)ceil (width));
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->matrix), (int)ceil (height));
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* --- choosing --- */

static void show_status (HlModeGraphWindow *self) {
  char dwell[48], first[48];

  if (self->history == NULL || self->chosen < 0) {
    gtk_label_set_text (self->status, _ ("Choose a mode to see its closed valves and touched stops."));
    return;
  }
  const HlVisitedMode *mode = mode_at (self, self->chosen);
  g_autofree char *what = hl_visited_mode_text (mode);
  hl_axis_format (mode->dwell, DIGITS, dwell, sizeof dwell);
  hl_axis_format (mode->point->t, TIME_DIGITS, first, sizeof first);
  g_autofree char *text = g_strdup_printf (ngettext ("Mode %d: %s. %d visit, %s s in all, first at %s s.",
                                                     "Mode %d: %s. %d visits, %s s in all, first at %s s.",
                                                     (gulong)mode->n_visits),
                                           self->chosen + 1, what, mode->n_visits, dwell, first);
  gtk_label_set_text (self->status, text);
}

static void select_elements (HlModeGraphWindow *self, const HlVisitedMode *mode) {
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  g_strv_builder_addv (ids, (const char **)mode->closed);
  for (char **stop = mode->stops; *stop != NULL; stop++) {
    g_autofree char *id = g_strndup (*stop, strcspn (*stop, ":"));
    g_strv_builder_add (ids, id);
  }
  g_auto (GStrv) all = g_strv_builder_end (ids);
  hl_workbench_select_ids (self->workbench, (const char *const *)all);
}

void hl_mode_graph_window_choose (HlModeGraphWindow *self, int mode) {
  if (self->history == NULL || mode < 0 || mode >= hl_mode_graph_window_n_modes (self) ||
      mode == self->chosen)
    return;
  self->chosen = mode;
  forget_report (self);
  make_report (self);
  select_elements (self, mode_at (self, mode));
  hl_runs_set_time (hl_workbench_runs (self->workbench), mode_at (self, mode)->point->t);
  show_status (self);
  hl_data_table_choose (self->modes, mode);
  hl_pixels_queue_draw (self->graph);
  hl_pixels_queue_draw (self->matrix);
}

int hl_mode_graph_window_chosen (HlModeGraphWindow *self) {
  return self->chosen;
}

int hl_mode_graph_window_n_modes (HlModeGraphWindow *self) {
  return self->history != NULL ? (int)hl_mode_history_modes (self->history)->len : 0;
}

static void mode_chosen_cb (HlDataTable *table, HlModeGraphWindow *self) {
  if (!self->is_filling)
    hl_mode_graph_window_choose (self, hl_data_table_chosen (table));
}

static void event_chosen_cb (HlDataTable *table, HlModeGraphWindow *self) {
  int row = hl_data_table_chosen (table);

  if (self->is_filling || self->history == NULL || row < 0)
    return;
  const HlLedgerEntry *entry =
      &g_array_index (hl_mode_history_ledger (self->history), HlLedgerEntry, (guint)row);
  hl_workbench_select (self->workbench, entry->id);
  hl_runs_set_time (hl_workbench_runs (self->workbench), entry->t);
}

/* --- filling --- */

static void fill_lists (HlModeGraphWindow *self) {
  self->is_filling = TRUE;
  for (int k = 0; k < hl_mode_graph_window_n_modes (self); k++) {
    const HlVisitedMode *mode = mode_at (self, k);
    g_autofree char *text = hl_visited_mode_text (mode);
    char number[24], visits[24], dwell[48];
    g_snprintf (number, sizeof number, "%d", k + 1);
    g_snprintf (visits, sizeof visits, "%d", mode->n_visits);
    hl_axis_format (mode->dwell, DIGITS, dwell, sizeof dwell);
    hl_data_table_add (self->modes, (const char *[]){number, text, visits, dwell}, NULL);
  }
  const GArray *ledger = self->history != NULL ? hl_mode_history_ledger (self->history) : NULL;
  for (guint k = 0; ledger != NULL && k < ledger->len; k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *what = hl_ledger_entry_text (entry);
    g_autofree char *text = entry->follows ? g_strdup_printf (_ ("    then %s"), what) : g_strdup (what);
    char time[48], number[48];
    hl_axis_format (entry->t, TIME_DIGITS, time, sizeof time);
    hl_axis_format (entry->impulse, DIGITS, number, sizeof number);
    g_autofree char *impulse = isnan (entry->impulse)
                                   ? g_strdup ("")
                                   : g_strdup_printf ("%s %s", number, hl_ledger_entry_unit (entry));
    hl_data_table_add (self->events, (const char *[]){time, text, impulse}, NULL);
  }
  hl_data_table_show (self->modes);
  hl_data_table_show (self->events);
  self->is_filling = FALSE;
}

static void refresh (HlModeGraphWindow *self) {
  HlRun *run = hl_runs_shown (hl_workbench_runs (self->workbench));
  HlModeHistory *history = run != NULL ? run->history : NULL;

  if (history != self->history) {
    g_clear_pointer (&self->history, hl_mode_history_unref);
    self->history = history != NULL ? hl_mode_history_ref (history) : NULL;
    self->t_end = run != NULL ? run->stats.t_reached : 0;
    self->chosen = -1;
    forget_report (self);
    fill_lists (self);
    show_status (self);
  }
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), self->history != NULL ? "modes" : "empty");
  hl_pixels_queue_draw (self->graph);
  hl_pixels_queue_draw (self->matrix);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlModeGraphWindow *self) {
  if (changes & HL_CHANGED_RUN)
    refresh (self);
  else if (changes & HL_CHANGED_TIME)
    hl_pixels_queue_draw (self->graph);
}

/* --- life --- */

static void hl_mode_graph_window_dispose (GObject *object) {
  HlModeGraphWindow *self = HL_MODE_GRAPH_WINDOW (object);

  if (self->multipliers != NULL)
    forget_report (self);
  g_clear_pointer (&self->multipliers, g_ptr_array_unref);
  g_clear_pointer (&self->history, hl_mode_history_unref);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_mode_graph_window_parent_class)->dispose (object);
}

static void hl_mode_graph_window_class_init (HlModeGraphWindowClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_mode_graph_window_dispose;
  g_type_ensure (HL_TYPE_DATA_TABLE);
  hl_widget_tree_load (klass, "hl-hybrid-mode-graph-window");
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
  HL_TREE_CHILD (klass, HlModeGraphWindow, stack);
  HL_TREE_CHILD (klass, HlModeGraphWindow, graph);
  HL_TREE_CHILD (klass, HlModeGraphWindow, matrix);
  HL_TREE_CHILD (klass, HlModeGraphWindow, modes);
  HL_TREE_CHILD (klass, HlModeGraphWindow, events);
  HL_TREE_CHILD (klass, HlModeGraphWindow, status);
  HL_TREE_CALLBACK (klass, pressed_cb);
  HL_TREE_CALLBACK (klass, mode_chosen_cb);
  HL_TREE_CALLBACK (klass, event_chosen_cb);
}

static void hl_mode_graph_window_init (HlModeGraphWindow *self) {
  const HlDataTableColumn of_modes[] = {{_ ("Mode"), .is_number = TRUE},
                                        {_ ("Closed valves, touched stops"), .is_wide = TRUE, .wraps = TRUE},
                                        {_ ("Visits"), .is_number = TRUE},
                                        {_ ("Time [s]"), .is_number = TRUE}};
  const HlDataTableColumn of_events[] = {{_ ("Time [s]"), .is_number = TRUE},
                                         {_ ("Event"), .is_wide = TRUE, .wraps = TRUE},
                                         {_ ("Impulse"), .is_number = TRUE}};

  self->chosen = -1;
  self->multipliers = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_data_table_set_columns (self->modes, _ ("Modes"), of_modes, G_N_ELEMENTS (of_modes));
  hl_data_table_set_columns (self->events, _ ("Events"), of_events, G_N_ELEMENTS (of_events));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->graph), draw_graph_cb, self, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->matrix), draw_matrix_cb, self, NULL);
}

GtkWidget *hl_mode_graph_window_new (HlWorkbench *workbench, GtkWindow *parent) {
  HlModeGraphWindow *self = g_object_new (HL_TYPE_MODE_GRAPH_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  show_status (self);
  refresh (self);
  return GTK_WIDGET (self);
}
