/* SPDX-License-Identifier: MIT */
#include "ui/hl-mode-graph-window.h"

#include "core/analysis/hl-hybrid-mode-report.h"
#include "core/document/hl-i18n.h"
#include "ui/hl-look.h"
#include "ui/paint/hl-axis.h"
#include "ui/paint/hl-paint-mode-graph.h"
#include "ui/paint/hl-paint-mode-matrix.h"

#include <math.h>
#include <string.h>

#define WIDTH 980
#define HEIGHT 520
#define GRAPH_WIDTH 440
#define DIGITS 3
#define TIME_DIGITS 7

enum
{
  MODE_NUMBER,
  MODE_TEXT,
  MODE_VISITS,
  MODE_DWELL,
  MODE_N_COLUMNS
};

enum
{
  EVENT_TIME,
  EVENT_TEXT,
  EVENT_IMPULSE,
  EVENT_INDEX, /* not shown */
  EVENT_N_COLUMNS
};

struct _HlModeGraphWindow
{
  GtkWindow parent_instance;
  HlWorkbench *workbench;
  GtkWidget *stack; /* "empty" or "modes" */
  GtkWidget *graph, *matrix, *mode_list, *event_list;
  GtkLabel *status;
  GtkListStore *modes, *events;

  HlModeHistory *history; /* NULL: the run that is shown has none */
  double t_end;
  int chosen;
  gboolean is_filling;
  HlHybridModeReport *report; /* of the chosen mode */
  GPtrArray *multipliers;     /* texts of the report */
  gboolean *independent;
};

G_DEFINE_FINAL_TYPE (HlModeGraphWindow, hl_mode_graph_window, GTK_TYPE_WINDOW)

static const HlVisitedMode *
mode_at (HlModeGraphWindow *self, int mode)
{
  return &g_array_index (hl_mode_history_modes (self->history), HlVisitedMode, (guint)mode);
}

/* --- the graph --- */

static void
draw_graph_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HlModeGraphWindow *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (self->history == NULL)
    return;
  const GArray *modes = hl_mode_history_modes (self->history);
  const GArray *transitions = hl_mode_history_transitions (self->history);
  g_autofree HlModeNode *nodes = g_new0 (HlModeNode, modes->len + 1);
  g_autofree HlModeEdge *edges = g_new0 (HlModeEdge, transitions->len + 1);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  int present = hl_mode_history_mode_at (self->history, hl_workbench_time (self->workbench));

  for (guint k = 0; k < modes->len; k++) {
    const HlVisitedMode *mode = mode_at (self, (int)k);
    char time[48];
    hl_axis_format (mode->dwell, 2, time, sizeof time);
    g_ptr_array_add (texts, g_strdup_printf ("%u", k + 1));
    g_ptr_array_add (texts, g_strdup_printf ("%s s", time));
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

static void
pressed_cb (GtkGestureClick *click, int n_press, double x, double y, HlModeGraphWindow *self)
{
  HlStyle style = hl_look_style (self->graph);

  if (self->history == NULL)
    return;
  int node = hl_mode_graph_pick ((int)hl_mode_history_modes (self->history)->len,
                                 gtk_widget_get_width (self->graph),
                                 gtk_widget_get_height (self->graph), &style, x, y);
  if (node >= 0)
    hl_mode_graph_window_choose (self, node);
}

/* --- the constraints of the chosen mode --- */

static HlModeMatrix
matrix_of (HlModeGraphWindow *self)
{
  const HlHybridModeReport *r = self->report;

  return (HlModeMatrix){.n_states = r->n_states,
                        .n_constraints = r->n_constraints,
                        .states = r->states,
                        .constraints = r->constraints,
                        .w = r->W,
                        .independent = self->independent,
                        .multipliers = (char *const *)self->multipliers->pdata};
}

static void
draw_matrix_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  HlModeGraphWindow *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (area));

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (self->report == NULL)
    return;
  HlModeMatrix matrix = matrix_of (self);
  hl_paint_mode_matrix (cr, &matrix, &style);
}

static void
forget_report (HlModeGraphWindow *self)
{
  hl_hybrid_mode_report_free (self->report);
  self->report = NULL;
  g_ptr_array_set_size (self->multipliers, 0);
  g_clear_pointer (&self->independent, g_free);
}

/* "P:LINE" and "D:PIPE" are pressures, "F:CYL:lower" is a force. */
static char *
multiplier_text (HlModeGraphWindow *self, const char *name, double value)
{
  HlQuantity quantity = name[0] == 'F'   ? HL_QUANTITY_FORCE
                        : name[0] == 'P' ? HL_QUANTITY_PRESSURE
                                         : HL_QUANTITY_PRESSURE_DIFFERENCE;

  return isnan (value)
             ? g_strdup (_ ("undetermined"))
             : hl_unit_format_full (hl_workbench_unit (self->workbench, quantity), value, DIGITS);
}

static void
make_report (HlModeGraphWindow *self)
{
  const HlVisitedMode *mode = mode_at (self, self->chosen);
  HlHybridPlace place = hl_visited_mode_place (mode);
  HlHybridChoice choice = hl_visited_mode_choice (mode);

  self->report =
      hl_hybrid_mode_report_new (hl_mode_history_system (self->history), &place, &choice, NULL);
  if (self->report == NULL)
    return;
  self->independent = g_new0 (gboolean, self->report->n_states + 1);
  for (int k = 0; k < self->report->n_free; k++)
    self->independent[self->report->independent[k]] = TRUE;
  for (int k = 0; k < self->report->n_constraints; k++)
    g_ptr_array_add (self->multipliers, multiplier_text (self, self->report->constraints[k],
                                                         self->report->multipliers[k]));
  HlStyle style = hl_look_style (self->matrix);
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

static void
show_status (HlModeGraphWindow *self)
{
  char dwell[48], first[48];

  if (self->history == NULL || self->chosen < 0) {
    gtk_label_set_text (self->status, _ ("Choose a mode to see what is shut and touched in it."));
    return;
  }
  const HlVisitedMode *mode = mode_at (self, self->chosen);
  g_autofree char *what = hl_visited_mode_text (mode);
  hl_axis_format (mode->dwell, DIGITS, dwell, sizeof dwell);
  hl_axis_format (mode->point->t, TIME_DIGITS, first, sizeof first);
  g_autofree char *text = g_strdup_printf (
      ngettext ("Mode %d: %s. %d visit, %s s in all, first at %s s.",
                "Mode %d: %s. %d visits, %s s in all, first at %s s.", (gulong)mode->n_visits),
      self->chosen + 1, what, mode->n_visits, dwell, first);
  gtk_label_set_text (self->status, text);
}

static void
select_elements (HlModeGraphWindow *self, const HlVisitedMode *mode)
{
  g_autoptr (GStrvBuilder) ids = g_strv_builder_new ();

  g_strv_builder_addv (ids, (const char **)mode->closed);
  for (char **stop = mode->stops; *stop != NULL; stop++) {
    g_autofree char *id = g_strndup (*stop, strcspn (*stop, ":"));
    g_strv_builder_add (ids, id);
  }
  g_auto (GStrv) all = g_strv_builder_end (ids);
  hl_workbench_select_ids (self->workbench, (const char *const *)all);
}

void
hl_mode_graph_window_choose (HlModeGraphWindow *self, int mode)
{
  if (self->history == NULL || mode < 0 || mode >= hl_mode_graph_window_n_modes (self) ||
      mode == self->chosen)
    return;
  self->chosen = mode;
  forget_report (self);
  make_report (self);
  select_elements (self, mode_at (self, mode));
  hl_workbench_set_time (self->workbench, mode_at (self, mode)->point->t);
  show_status (self);
  GtkTreePath *path = gtk_tree_path_new_from_indices (mode, -1);
  gtk_tree_selection_select_path (gtk_tree_view_get_selection (GTK_TREE_VIEW (self->mode_list)),
                                  path);
  gtk_tree_path_free (path);
  gtk_widget_queue_draw (self->graph);
  gtk_widget_queue_draw (self->matrix);
}

int
hl_mode_graph_window_chosen (HlModeGraphWindow *self)
{
  return self->chosen;
}

int
hl_mode_graph_window_n_modes (HlModeGraphWindow *self)
{
  return self->history != NULL ? (int)hl_mode_history_modes (self->history)->len : 0;
}

static int
selected_row (GtkTreeSelection *selection)
{
  GtkTreeModel *model;
  GtkTreeIter iter;

  if (!gtk_tree_selection_get_selected (selection, &model, &iter))
    return -1;
  GtkTreePath *path = gtk_tree_model_get_path (model, &iter);
  int row = gtk_tree_path_get_indices (path)[0];
  gtk_tree_path_free (path);
  return row;
}

static void
mode_selected_cb (GtkTreeSelection *selection, HlModeGraphWindow *self)
{
  if (!self->is_filling)
    hl_mode_graph_window_choose (self, selected_row (selection));
}

static void
event_selected_cb (GtkTreeSelection *selection, HlModeGraphWindow *self)
{
  int row = selected_row (selection);

  if (self->is_filling || self->history == NULL || row < 0)
    return;
  const HlLedgerEntry *entry =
      &g_array_index (hl_mode_history_ledger (self->history), HlLedgerEntry, (guint)row);
  hl_workbench_select (self->workbench, entry->id);
  hl_workbench_set_time (self->workbench, entry->t);
}

/* --- filling --- */

static void
fill_lists (HlModeGraphWindow *self)
{
  self->is_filling = TRUE;
  gtk_list_store_clear (self->modes);
  gtk_list_store_clear (self->events);
  for (int k = 0; k < hl_mode_graph_window_n_modes (self); k++) {
    const HlVisitedMode *mode = mode_at (self, k);
    g_autofree char *text = hl_visited_mode_text (mode);
    char dwell[48];
    hl_axis_format (mode->dwell, DIGITS, dwell, sizeof dwell);
    gtk_list_store_insert_with_values (self->modes, NULL, -1, MODE_NUMBER, k + 1, MODE_TEXT, text,
                                       MODE_VISITS, mode->n_visits, MODE_DWELL, dwell, -1);
  }
  const GArray *ledger = self->history != NULL ? hl_mode_history_ledger (self->history) : NULL;
  for (guint k = 0; ledger != NULL && k < ledger->len; k++) {
    const HlLedgerEntry *entry = &g_array_index (ledger, HlLedgerEntry, k);
    g_autofree char *what = hl_ledger_entry_text (entry);
    g_autofree char *text =
        entry->follows ? g_strdup_printf (_ ("    and with it %s"), what) : g_strdup (what);
    char time[48], number[48];
    hl_axis_format (entry->t, TIME_DIGITS, time, sizeof time);
    hl_axis_format (entry->impulse, DIGITS, number, sizeof number);
    g_autofree char *impulse =
        isnan (entry->impulse) ? g_strdup ("")
                               : g_strdup_printf ("%s %s", number, hl_ledger_entry_unit (entry));
    gtk_list_store_insert_with_values (self->events, NULL, -1, EVENT_TIME, time, EVENT_TEXT, text,
                                       EVENT_IMPULSE, impulse, EVENT_INDEX, (int)k, -1);
  }
  self->is_filling = FALSE;
}

static void
refresh (HlModeGraphWindow *self)
{
  HlRun *run = hl_workbench_shown_run (self->workbench);
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
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack),
                                    self->history != NULL ? "modes" : "empty");
  gtk_widget_queue_draw (self->graph);
  gtk_widget_queue_draw (self->matrix);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, HlModeGraphWindow *self)
{
  if (changes & HL_CHANGED_RUN)
    refresh (self);
  else if (changes & HL_CHANGED_TIME)
    gtk_widget_queue_draw (self->graph);
}

/* --- building --- */

static GtkWidget *
new_list (GtkListStore *store, const char *name)
{
  GtkWidget *view = gtk_tree_view_new_with_model (GTK_TREE_MODEL (store));

  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return view;
}

static void
add_column (GtkWidget *view, const char *title, int column, gboolean is_number)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *head =
      gtk_tree_view_column_new_with_attributes (title, cell, "text", column, NULL);

  g_object_set (cell, "xalign", is_number ? 1.0 : 0.0, NULL);
  if (!is_number)
    g_object_set (cell, "wrap-mode", PANGO_WRAP_WORD, "wrap-width", 220, NULL);
  gtk_tree_view_column_set_expand (head, !is_number);
  gtk_tree_view_column_set_alignment (head, is_number ? 1.0f : 0.0f);
  gtk_tree_view_append_column (GTK_TREE_VIEW (view), head);
}

static GtkWidget *
scrolled (GtkWidget *child)
{
  GtkWidget *window = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (window), child);
  gtk_widget_set_vexpand (window, TRUE);
  return window;
}

static GtkWidget *
new_area (const char *name, GtkDrawingAreaDrawFunc draw, HlModeGraphWindow *self)
{
  GtkWidget *area = gtk_drawing_area_new ();

  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return area;
}

static void
build_lists (HlModeGraphWindow *self, GtkWidget *notebook)
{
  self->modes =
      gtk_list_store_new (MODE_N_COLUMNS, G_TYPE_INT, G_TYPE_STRING, G_TYPE_INT, G_TYPE_STRING);
  self->events =
      gtk_list_store_new (EVENT_N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_INT);
  self->mode_list = new_list (self->modes, _ ("Modes"));
  add_column (self->mode_list, _ ("Mode"), MODE_NUMBER, TRUE);
  add_column (self->mode_list, _ ("Shut and touched"), MODE_TEXT, FALSE);
  add_column (self->mode_list, _ ("Visits"), MODE_VISITS, TRUE);
  add_column (self->mode_list, _ ("Time [s]"), MODE_DWELL, TRUE);
  self->event_list = new_list (self->events, _ ("Events"));
  add_column (self->event_list, _ ("Time [s]"), EVENT_TIME, TRUE);
  add_column (self->event_list, _ ("Event"), EVENT_TEXT, FALSE);
  add_column (self->event_list, _ ("Impulse"), EVENT_IMPULSE, TRUE);
  self->matrix = new_area (_ ("Constraints of the mode"), draw_matrix_cb, self);
  GtkWidget *pages[] = {self->mode_list, self->event_list, self->matrix};
  const char *const names[] = {_ ("Modes"), _ ("Events"), _ ("Constraints")};
  for (gsize k = 0; k < G_N_ELEMENTS (pages); k++)
    gtk_notebook_append_page (GTK_NOTEBOOK (notebook), scrolled (pages[k]),
                              gtk_label_new (names[k]));
  g_signal_connect (gtk_tree_view_get_selection (GTK_TREE_VIEW (self->mode_list)), "changed",
                    G_CALLBACK (mode_selected_cb), self);
  g_signal_connect (gtk_tree_view_get_selection (GTK_TREE_VIEW (self->event_list)), "changed",
                    G_CALLBACK (event_selected_cb), self);
}

static GtkWidget *
build_modes (HlModeGraphWindow *self)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *notebook = gtk_notebook_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->graph = new_area (_ ("Graph of the modes"), draw_graph_cb, self);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (self->graph, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_size_request (self->graph, 240, 240);
  build_lists (self, notebook);
  self->status = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->status, TRUE);
  gtk_label_set_xalign (self->status, 0);
  gtk_label_set_selectable (self->status, TRUE);
  gtk_widget_set_can_focus (GTK_WIDGET (self->status), FALSE);
  GtkWidget *status = GTK_WIDGET (self->status);
  gtk_widget_set_margin_start (status, 10);
  gtk_widget_set_margin_end (status, 10);
  gtk_widget_set_margin_top (status, 8);
  gtk_widget_set_margin_bottom (status, 8);
  gtk_box_append (GTK_BOX (right), status);
  gtk_box_append (GTK_BOX (right), notebook);
  gtk_widget_set_vexpand (notebook, TRUE);
  gtk_paned_set_start_child (GTK_PANED (paned), self->graph);
  gtk_paned_set_end_child (GTK_PANED (paned), right);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), GRAPH_WIDTH);
  return paned;
}

static void
hl_mode_graph_window_dispose (GObject *object)
{
  HlModeGraphWindow *self = HL_MODE_GRAPH_WINDOW (object);

  if (self->multipliers != NULL)
    forget_report (self);
  g_clear_pointer (&self->multipliers, g_ptr_array_unref);
  g_clear_pointer (&self->history, hl_mode_history_unref);
  g_clear_object (&self->modes);
  g_clear_object (&self->events);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_mode_graph_window_parent_class)->dispose (object);
}

static void
hl_mode_graph_window_class_init (HlModeGraphWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_mode_graph_window_dispose;
}

static void
hl_mode_graph_window_init (HlModeGraphWindow *self)
{
  GtkWidget *empty = gtk_label_new (_ ("No modes yet.\nChoose the hybrid model of the oil and run: "
                                       "the modes it goes through stand here."));

  self->chosen = -1;
  self->multipliers = g_ptr_array_new_with_free_func (g_free);
  self->stack = gtk_stack_new ();
  gtk_label_set_justify (GTK_LABEL (empty), GTK_JUSTIFY_CENTER);
  gtk_label_set_wrap (GTK_LABEL (empty), TRUE);
  gtk_widget_add_css_class (empty, "dim-label");
  gtk_stack_add_named (GTK_STACK (self->stack), empty, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), build_modes (self), "modes");
  gtk_window_set_titlebar (GTK_WINDOW (self), gtk_header_bar_new ());
  gtk_window_set_child (GTK_WINDOW (self), self->stack);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Modes and events"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
}

GtkWidget *
hl_mode_graph_window_new (HlWorkbench *workbench, GtkWindow *parent)
{
  HlModeGraphWindow *self = g_object_new (HL_TYPE_MODE_GRAPH_WINDOW, NULL);

  self->workbench = g_object_ref (workbench);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  show_status (self);
  refresh (self);
  return GTK_WIDGET (self);
}
