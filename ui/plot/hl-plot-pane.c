/* SPDX-License-Identifier: MIT */
/* The widgets follow the panels of the document. A view that shows the same panel as before stays,
 * with its zoom; it only moves to its new place. */
#include "ui/plot/hl-plot-pane.h"

#include "core/base/hl-translation-macros.h"
#include "core/run/hl-trace-interpolation.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/plot/hl-measured-list.h"
#include "ui/plot/hl-plot-edit.h"
#include "ui/plot/hl-plot-view-private.h"
#include "ui/plot/hl-run-list.h"
#include "ui/plot/hl-input-recording-track.h"
#include "ui/widget/hl-list-widgets.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-question-dialog.h"
#include "ui/widget/hl-widget-template.h"
#include "ui/widget/hl-popover.h"

#include <math.h>
#include <string.h>

/* Labels are kept from one filling to the next: while a cursor is dragged only texts change. */

#define DIGITS 5
#define N_COLUMNS 8

struct _HlPlotMeasure {
  GtkGrid parent_instance;
  HlWorkbench *workbench;
  GPtrArray *cells; /* GtkLabel, borrowed; row by row, the heading first */
  int n_rows;       /* without the heading */
};

G_DEFINE_FINAL_TYPE (HlPlotMeasure, hl_plot_measure, GTK_TYPE_GRID)

static void set_cell (HlPlotMeasure *self, int row, int column, const char *text) {
  guint index = (guint)((row + 1) * N_COLUMNS + column);

  while (self->cells->len <= index) {
    int at = (int)self->cells->len;
    GtkWidget *label = gtk_label_new (NULL);
    gtk_label_set_xalign (GTK_LABEL (label), at % N_COLUMNS == 0 ? 0 : 1);
    gtk_label_set_selectable (GTK_LABEL (label), at >= N_COLUMNS);
    gtk_widget_add_css_class (label, at < N_COLUMNS ? "dim-label" : "numeric");
    gtk_grid_attach (GTK_GRID (self), label, at % N_COLUMNS, at / N_COLUMNS, 1, 1);
    g_ptr_array_add (self->cells, label);
  }
  if (strcmp (gtk_label_get_text (self->cells->pdata[index]), text) != 0)
    gtk_label_set_text (self->cells->pdata[index], text);
}

static void set_number (HlPlotMeasure *self, int row, int column, double value) {
  char text[48];
  hl_axis_format (value, DIGITS, text, sizeof text);
  set_cell (self, row, column, text);
}

void hl_plot_measure_begin (HlPlotMeasure *self) {
  const char *const headings[N_COLUMNS] = {NULL,      NULL,      NULL,       _ ("B − A"),
                                           _ ("min"), _ ("max"), _ ("mean"), _ ("RMS")};
  double a, b;
  char from[48], to[48], length[48], rate[48];

  hl_runs_span (hl_workbench_runs (self->workbench), &a, &b);
  hl_axis_format (a, DIGITS, from, sizeof from);
  hl_axis_format (b, DIGITS, to, sizeof to);
  hl_axis_format (b - a, DIGITS, length, sizeof length);
  hl_axis_format (1 / fabs (b - a), DIGITS, rate, sizeof rate);
  g_autofree char *corner =
      a != b ? g_strdup_printf ("Δ %s s (%s Hz)", length, rate) : g_strdup_printf ("Δ %s s", length);
  g_autofree char *at_a = g_strdup_printf (_ ("at A, %s s"), from);
  g_autofree char *at_b = g_strdup_printf (_ ("at B, %s s"), to);
  set_cell (self, -1, 0, corner);
  set_cell (self, -1, 1, at_a);
  set_cell (self, -1, 2, at_b);
  for (int column = 3; column < N_COLUMNS; column++)
    set_cell (self, -1, column, headings[column]);
  self->n_rows = 0;
}

/* Returns "φ₂ [°]"; for other runs and linear responses with their kind: "φ₂, linear [°]". A series that is
 * not the first one of its trace is called by its trace's name. */
static char *name_of (const HlPlotSeries *series, const char *unit, const char *lonely, gboolean is_run) {
  gboolean plain = unit == NULL || *unit == '\0' || strcmp (unit, "1") == 0;
  const char *own = series->label != NULL ? series->label : "";
  g_autofree char *name = lonely == NULL ? g_strdup (own)
                          : is_run       ? g_strdup (lonely)
                                         : g_strdup_printf ("%s, %s", lonely, own);
  return plain ? g_strdup (name) : g_strdup_printf ("%s [%s]", name, unit);
}

void hl_plot_measure_add (HlPlotMeasure *self, HlPlotView *view) {
  HlStyle style = hl_widget_style (GTK_WIDGET (self));
  HlPlot *plot = hl_plot_view_picture (view, &style);
  const HlPlotPanel *panel = hl_plot_view_panel (view);
  double a, b;

  if (!hl_plot_view_is_over_time (view))
    return;
  hl_runs_span (hl_workbench_runs (self->workbench), &a, &b);
  for (int i = 0; i < plot->n_series; i++) {
    const HlPlotSeries *series = &plot->series[i];
    if (series->hidden || series->quiet)
      continue;
    HlSpanMeasure raw = hl_samples_measure (&series->samples, a, b);
    if (!hl_plot_view_is_run_series (view, i) && isnan (raw.at_from) && isnan (raw.mean))
      continue; /* a linear response that begins later */
    HlSpanMeasure shown = hl_span_measure_scaled (&raw, series->y_factor, series->y_offset);
    double at_a = a <= b ? shown.at_from : shown.at_to;
    double at_b = a <= b ? shown.at_to : shown.at_from;
    gboolean lonely = panel->traces[0] != NULL && panel->traces[1] == NULL;
    g_autofree char *name = name_of (series, series->right_axis ? plot->right.unit : plot->left.unit,
                                     lonely ? plot->left.label : NULL, hl_plot_view_is_run_series (view, i));
    const double numbers[] = {at_a, at_b, at_b - at_a, shown.min, shown.max, shown.mean, shown.rms};
    set_cell (self, self->n_rows, 0, name);
    for (int column = 1; column < N_COLUMNS; column++)
      set_number (self, self->n_rows, column, numbers[column - 1]);
    self->n_rows++;
  }
}

void hl_plot_measure_end (HlPlotMeasure *self) {
  for (guint i = 0; i < self->cells->len; i++)
    gtk_widget_set_visible (self->cells->pdata[i], (int)i < (self->n_rows + 1) * N_COLUMNS);
}

static void hl_plot_measure_dispose (GObject *object) {
  HlPlotMeasure *self = HL_PLOT_MEASURE (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_plot_measure_parent_class)->dispose (object);
}

static void hl_plot_measure_class_init (HlPlotMeasureClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_plot_measure_dispose;
}

static void hl_plot_measure_init (HlPlotMeasure *self) {
  self->cells = g_ptr_array_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self), 14);
  gtk_widget_add_css_class (GTK_WIDGET (self), "plot-measure");
}

void hl_plot_measure_set_workbench (HlPlotMeasure *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
}

#define STRIP_SECONDS 10.0 /* of the strip chart; half of a shorter run */

#define LEAST_TABLE_PX 48
#define MOST_WHOLE_ROWS 3 /* rows of plots that are whole in the lowest pane; the drawings need the rest */
#define MOST_EQUAL_ROWS 2 /* more rows leave their time axis to the last one, which is higher by it */
#define MOST_TABLE_PX 120

struct _HlPlotPane {
  GtkBox parent_instance;
  HlWorkbench *workbench;
  gboolean is_narrow, in_hall;
  GPtrArray *panels; /* HlPlotPanel of the views */
  GPtrArray *views;  /* HlPlotView, held */
  GArray *tab_of;    /* int, one a view */
  double from, to;   /* time in view, of all panels; NAN: all of it */
  int tab, n_tabs;
  GtkWidget *bar, *tabs, *add_tab, *add_panel, *stack, *measure, *measure_button, *strip_button,
      *large_button, *runs_button;
  GtkWidget *measure_scroller, *plots_scroller, *tape;
  double strip; /* requested length of the strip chart; 0: as the run suggests [s] */
  gboolean show_linear, show_before;
  gboolean following; /* a range is being passed on, or buttons are being set */
};

enum {
  VIEWS_CHANGED, /* plots came, went or show something else */
  NOTICE,        /* text: why something did not happen */
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlPlotPane, hl_plot_pane, GTK_TYPE_BOX)

static void share_x_range (HlPlotPane *self) {
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_set_x_range (self->views->pdata[i], self->from, self->to);
  if (self->tape != NULL)
    hl_tape_track_axis_changed (HL_TAPE_TRACK (self->tape));
}

static void x_range_changed_cb (HlPlotView *source, HlPlotPane *self) {
  hl_plot_view_get_x_range (source, &self->from, &self->to);
  share_x_range (self);
}

/* --- the measuring table --- */

static void show_measures (HlPlotPane *self) {
  double a, b;
  gboolean measuring = hl_runs_span (hl_workbench_runs (self->workbench), &a, &b);

  gtk_widget_set_visible (self->measure_scroller, measuring);
  self->following = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->measure_button), measuring);
  self->following = FALSE;
  if (!measuring)
    return;
  /* the plots keep most of a small window */
  gtk_scrolled_window_set_max_content_height (
      GTK_SCROLLED_WINDOW (self->measure_scroller),
      CLAMP (gtk_widget_get_height (GTK_WIDGET (self)) / 3, LEAST_TABLE_PX, MOST_TABLE_PX));
  hl_plot_measure_begin (HL_PLOT_MEASURE (self->measure));
  for (guint i = 0; i < self->views->len; i++)
    if (g_array_index (self->tab_of, int, i) == self->tab)
      hl_plot_measure_add (HL_PLOT_MEASURE (self->measure), self->views->pdata[i]);
  hl_plot_measure_end (HL_PLOT_MEASURE (self->measure));
}

static void measure_toggled_cb (GtkToggleButton *button, HlPlotPane *self) {
  if (!self->following)
    hl_plot_pane_set_measuring (self, gtk_toggle_button_get_active (button));
}

void hl_plot_pane_set_measuring (HlPlotPane *self, gboolean measuring) {
  HlPlotView *view = NULL;
  double a, b;

  /* of the tab in view, preferably one that the cursors stand in */
  for (guint i = 0; i < self->views->len; i++)
    if (g_array_index (self->tab_of, int, i) == self->tab &&
        (view == NULL ||
         (!hl_plot_view_is_over_time (view) && hl_plot_view_is_over_time (self->views->pdata[i]))))
      view = self->views->pdata[i];
  if (view != NULL && hl_runs_span (hl_workbench_runs (self->workbench), &a, &b) != measuring)
    hl_plot_view_toggle_span (view);
}

static void strip_toggled_cb (GtkToggleButton *button, HlPlotPane *self) {
  double longest = MIN (STRIP_SECONDS, 0.5 * hl_runs_t_end (hl_workbench_runs (self->workbench)));
  double wished = self->strip > 0 ? self->strip : longest;
  double seconds = gtk_toggle_button_get_active (button) ? wished : 0;
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_set_strip (self->views->pdata[i], seconds);
}

static void show_buttons (HlPlotPane *self) {
  gboolean shows = !self->in_hall;

  gtk_widget_set_visible (self->add_tab, shows);
  gtk_widget_set_visible (self->add_panel, shows && !self->is_narrow);
  gtk_widget_set_visible (self->measure_button, shows && !self->is_narrow); /* the key M does the same */
  gtk_widget_set_visible (self->strip_button,
                          shows && !self->show_before); /* of a run that grows, which is not analysed */
  gtk_widget_set_visible (self->large_button, shows);
}

void hl_plot_pane_set_hall (HlPlotPane *self, gboolean in_hall) {
  self->in_hall = in_hall;
  show_buttons (self);
}

void hl_plot_pane_set_narrow (HlPlotPane *self, gboolean is_narrow) {
  if (is_narrow == self->is_narrow)
    return;
  self->is_narrow = is_narrow;
  show_buttons (self);
}

void hl_plot_pane_set_strip (HlPlotPane *self, gboolean on, double seconds) {
  self->strip = seconds;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->strip_button), on);
  strip_toggled_cb (GTK_TOGGLE_BUTTON (self->strip_button), self);
}

/* --- tabs --- */

static void tab_toggled_cb (GtkToggleButton *button, HlPlotPane *self) {
  if (!self->following && gtk_toggle_button_get_active (button))
    hl_plot_pane_show_tab (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "hydrolink-tab")));
}

static int first_view_of_tab (HlPlotPane *self, int tab) {
  for (guint i = 0; i < self->views->len; i++)
    if (g_array_index (self->tab_of, int, i) == tab)
      return (int)i;
  return -1;
}

static void tab_named_cb (GtkPopover *ask, const char *text, HlPlotPane *self) {
  int view = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (ask), "hydrolink-view"));

  hl_plot_edit_set_tab (self->workbench, view, text);
}

/* Removes the popover after its signal, which GTK continues to emit while it closes. */
static void unparent_cb (GtkWidget *popover, gpointer data) {
  hl_rebuild_later (popover, gtk_widget_unparent);
}

/* Opens the field for the name of a tab at a double click. */
static void tab_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, HlPlotPane *self) {
  GtkWidget *button = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  int tab = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "hydrolink-tab"));
  int view = first_view_of_tab (self, tab);

  if (n_press != 2 || view < 0)
    return;
  GtkWidget *ask = hl_name_popover_new (_ ("Name of the tab"), gtk_button_get_label (GTK_BUTTON (button)));
  g_object_set_data (G_OBJECT (ask), "hydrolink-view", GINT_TO_POINTER (view));
  g_signal_connect (ask, "answered", G_CALLBACK (tab_named_cb), self);
  gtk_widget_set_parent (ask, self->tabs);
  g_signal_connect (ask, "closed", G_CALLBACK (unparent_cb), NULL);
  hl_popover_popup_inside (GTK_POPOVER (ask));
}

static void add_tab_button (HlPlotPane *self, int tab, const char *name) {
  g_autofree char *label = name != NULL ? g_strdup (name)
                           : tab == 0   ? g_strdup (_ ("Plots"))
                                        : g_strdup_printf (_ ("Plots %d"), tab + 1);
  GtkWidget *button = gtk_toggle_button_new_with_label (label);
  GtkWidget *first = gtk_widget_get_first_child (self->tabs);

  if (first != NULL)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
  g_object_set_data (G_OBJECT (button), "hydrolink-tab", GINT_TO_POINTER (tab));
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Double-click to rename"));
  g_signal_connect (button, "toggled", G_CALLBACK (tab_toggled_cb), self);
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (tab_pressed_cb), self);
  gtk_widget_add_controller (button, GTK_EVENT_CONTROLLER (click));
  gtk_box_append (GTK_BOX (self->tabs), button);
}

void hl_plot_pane_show_tab (HlPlotPane *self, int tab) {
  GtkWidget *button = gtk_widget_get_first_child (self->tabs);
  g_autofree char *name = NULL;

  self->tab = CLAMP (tab, 0, MAX (self->n_tabs - 1, 0));
  name = g_strdup_printf ("%d", self->tab);
  if (gtk_stack_get_child_by_name (GTK_STACK (self->stack), name) != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
  self->following = TRUE;
  for (int i = 0; button != NULL && GTK_IS_TOGGLE_BUTTON (button); i++) {
    if (i == self->tab)
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
    button = gtk_widget_get_next_sibling (button);
  }
  self->following = FALSE;
  if (self->workbench != NULL)
    show_measures (self);
}

static void add_panel_cb (GtkButton *button, HlPlotPane *self) {
  int last = -1;

  for (guint i = 0; i < self->views->len; i++)
    if (g_array_index (self->tab_of, int, i) == self->tab)
      last = (int)i;
  int index = hl_plot_edit_add_panel (self->workbench, last, HL_PLACE_BELOW);
  hl_rebuild_now (GTK_WIDGET (self));
  if (index < (int)self->views->len)
    hl_plot_view_open_picker (self->views->pdata[index]);
}

static void add_tab_cb (GtkButton *button, HlPlotPane *self) {
  hl_plot_edit_add_panel (self->workbench, -1, HL_PLACE_TAB);
  hl_rebuild_now (GTK_WIDGET (self));
  hl_plot_pane_show_tab (self, self->n_tabs - 1);
}

/* --- views --- */

static HlPlotView *reuse_view (GPtrArray *views, guint index) {
  HlPlotView *view = views->pdata[index];
  views->pdata[index] = NULL;
  return view;
}

/* Returns the view at the same place, when none came or went; else a new one. Owned. */
static HlPlotView *find_view (HlPlotPane *self, GPtrArray *old, GPtrArray *panels, guint index) {
  if (old->len == panels->len && old->pdata[index] != NULL)
    return reuse_view (old, index);
  GtkWidget *view = g_object_ref_sink (hl_plot_view_new (self->workbench, panels->pdata[index], (int)index));
  hl_plot_view_set_show_linear (HL_PLOT_VIEW (view), self->show_linear);
  hl_plot_view_set_show_before (HL_PLOT_VIEW (view), self->show_before);
  g_signal_connect (view, "x-range-changed", G_CALLBACK (x_range_changed_cb), self);
  return HL_PLOT_VIEW (view);
}

static void clear_box (GtkWidget *box) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_widget_unparent (child);
}

static void clear_pages (HlPlotPane *self) {
  GtkWidget *page;

  for (guint i = 0; i < self->views->len; i++) {
    GtkWidget *row = gtk_widget_get_parent (self->views->pdata[i]);
    if (row != NULL)
      gtk_box_remove (GTK_BOX (row), self->views->pdata[i]);
  }
  while ((page = gtk_widget_get_first_child (self->stack)) != NULL)
    gtk_stack_remove (GTK_STACK (self->stack), page);
}

/* Returns whether the two panels differ only by added or removed traces. */
static gboolean leads_to (const HlPlotPanel *before, const HlPlotPanel *after) {
  return before->kind == after->kind && before->traces[0] != NULL && after->traces[0] != NULL &&
         g_strcmp0 (before->traces[0], after->traces[0]) == 0;
}

/* Matches old views with panels of the new list first, so that no view of a remaining panel is destroyed. */
static void match_views (HlPlotPane *self, GPtrArray *panels) {
  GPtrArray *old = self->views;
  GPtrArray *views = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < panels->len; i++)
    g_ptr_array_add (views, NULL);
  for (guint i = 0; i < panels->len; i++)
    for (guint k = 0; k < old->len && views->pdata[i] == NULL; k++)
      if (old->pdata[k] != NULL && hl_plot_panel_equal (self->panels->pdata[k], panels->pdata[i]))
        views->pdata[i] = reuse_view (old, k);
  /* then panels that were changed while others came or went */
  for (guint i = 0; i < panels->len; i++)
    for (guint k = 0; k < old->len && views->pdata[i] == NULL; k++)
      if (old->pdata[k] != NULL && leads_to (self->panels->pdata[k], panels->pdata[i]))
        views->pdata[i] = reuse_view (old, k);
  for (guint i = 0; i < panels->len; i++)
    if (views->pdata[i] == NULL)
      views->pdata[i] = find_view (self, old, panels, i);
  for (guint k = 0; k < old->len; k++)
    g_clear_object (&old->pdata[k]);
  g_ptr_array_set_free_func (old, NULL);
  g_ptr_array_unref (old);
  self->views = views;
}

static void place_views (HlPlotPane *self) {
  GtkWidget *page = NULL, *row = NULL;

  clear_box (self->tabs);
  g_array_set_size (self->tab_of, 0);
  self->n_tabs = 0;
  for (guint i = 0; i < self->panels->len; i++) {
    const HlPlotPanel *panel = self->panels->pdata[i];
    if (page == NULL || panel->place == HL_PLACE_TAB) {
      g_autofree char *name = g_strdup_printf ("%d", self->n_tabs);
      page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      gtk_stack_add_named (GTK_STACK (self->stack), page, name);
      add_tab_button (self, self->n_tabs++, panel->tab);
      row = NULL;
    }
    if (row == NULL || panel->place != HL_PLACE_BESIDE) {
      row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      gtk_box_set_homogeneous (GTK_BOX (row), TRUE);
      gtk_widget_set_vexpand (row, TRUE);
      gtk_box_append (GTK_BOX (page), row);
    }
    gtk_box_append (GTK_BOX (row), self->views->pdata[i]);
    hl_plot_view_set_panel (self->views->pdata[i], panel, (int)i);
    int tab = self->n_tabs - 1;
    g_array_append_val (self->tab_of, tab);
  }
}

/* Plots of one tab keep their time axes below each other. */
static void line_up (HlPlotPane *self) {
  for (int tab = 0; tab < self->n_tabs; tab++) {
    gboolean room = FALSE;
    for (guint i = 0; i < self->views->len; i++)
      room = room || (g_array_index (self->tab_of, int, i) == tab &&
                      hl_plot_view_has_right_axis (self->views->pdata[i]));
    for (guint i = 0; i < self->views->len; i++)
      if (g_array_index (self->tab_of, int, i) == tab)
        hl_plot_view_set_right_room (self->views->pdata[i], room);
  }
}

/* Returns whether a plot stands above another one over time: in a tab without plots beside each other. */
static gboolean has_time_below (HlPlotPane *self, guint view) {
  gboolean has = FALSE;

  for (guint i = 0; i < self->views->len; i++) {
    const HlPlotPanel *panel = self->panels->pdata[i];
    if (g_array_index (self->tab_of, int, i) != g_array_index (self->tab_of, int, view))
      continue;
    if (panel->place == HL_PLACE_BESIDE)
      return FALSE;
    has = has || (i > view && hl_plot_view_is_over_time (self->views->pdata[i]));
  }
  return has && hl_plot_view_is_over_time (self->views->pdata[view]);
}

static void share_time_axis (HlPlotPane *self) {
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_set_time_below (self->views->pdata[i], has_time_below (self, i));
}

/* Gives the pane a minimum height at which the first rows of every tab are whole, with the time axis below the last
 * of them. Further rows are scrolled to. */
static void reserve_height (HlPlotPane *self) {
  int most = 0, height = 0, n_rows = 0;

  for (guint i = 0; i < self->views->len; i++) {
    const HlPlotPanel *panel = self->panels->pdata[i];
    gboolean is_new_tab =
        i == 0 || g_array_index (self->tab_of, int, i) != g_array_index (self->tab_of, int, i - 1);
    int least;
    n_rows = is_new_tab ? 0 : n_rows;
    height = is_new_tab ? 0 : height;
    if (panel->place == HL_PLACE_BESIDE && !is_new_tab)
      continue;
    gtk_widget_measure (self->views->pdata[i], GTK_ORIENTATION_VERTICAL, -1, &least, NULL, NULL, NULL);
    height += ++n_rows <= MOST_WHOLE_ROWS ? least : 0;
    GtkWidget *row = gtk_widget_get_parent (self->views->pdata[i]), *page = gtk_widget_get_parent (row);
    gtk_box_set_homogeneous (GTK_BOX (page), n_rows <= MOST_EQUAL_ROWS);
    most = MAX (most, height);
  }
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->plots_scroller), most);
}

static void rebuild (GtkWidget *widget) {
  HlPlotPane *self = HL_PLOT_PANE (widget);

  if (self->workbench == NULL)
    return;
  GPtrArray *panels = hl_plot_edit_panels (self->workbench);
  if (self->panels != NULL && hl_plot_panels_equal (self->panels, panels)) {
    g_ptr_array_unref (panels);
    return;
  }
  clear_pages (self);
  match_views (self, panels);
  g_clear_pointer (&self->panels, g_ptr_array_unref);
  self->panels = panels;
  place_views (self);
  line_up (self);
  share_time_axis (self);
  reserve_height (self);
  share_x_range (self); /* a panel more shows what the others do */
  strip_toggled_cb (GTK_TOGGLE_BUTTON (self->strip_button), self);
  hl_plot_pane_show_tab (self, self->tab);
  g_signal_emit (self, signals[VIEWS_CHANGED], 0);
}

static void show_runs (HlPlotPane *self) {
  guint n = hl_runs_kept (hl_workbench_runs (self->workbench))->len;
  g_autofree char *label = g_strdup_printf (_ ("Runs %u"), n);

  if (g_strcmp0 (gtk_menu_button_get_label (GTK_MENU_BUTTON (self->runs_button)), label) != 0)
    gtk_menu_button_set_label (GTK_MENU_BUTTON (self->runs_button), label);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlPlotPane *self) {
  if (changes & HL_CHANGED_DOCUMENT)
    hl_rebuild_later (GTK_WIDGET (self), rebuild);
  if (changes & HL_CHANGED_RUN)
    show_runs (self);
  if (changes & (HL_CHANGED_TIME | HL_CHANGED_RUN | HL_CHANGED_DOCUMENT | HL_CHANGED_UNITS))
    show_measures (self);
}

/* --- life --- */

static void hl_plot_pane_dispose (GObject *object) {
  HlPlotPane *self = HL_PLOT_PANE (object);

  g_clear_object (&self->workbench);
  g_clear_pointer (&self->panels, g_ptr_array_unref);
  g_clear_pointer (&self->views, g_ptr_array_unref);
  g_clear_pointer (&self->tab_of, g_array_unref);
  G_OBJECT_CLASS (hl_plot_pane_parent_class)->dispose (object);
}

static void hl_plot_pane_class_init (HlPlotPaneClass *klass) {
  G_OBJECT_CLASS (klass)->dispose = hl_plot_pane_dispose;
  signals[VIEWS_CHANGED] = g_signal_new ("views-changed", HL_TYPE_PLOT_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[NOTICE] = g_signal_new ("notice", HL_TYPE_PLOT_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (HL_TYPE_PLOT_MEASURE);
  hl_widget_tree_load (klass, "hl-plot-pane");
  HL_TREE_CHILD (klass, HlPlotPane, bar);
  HL_TREE_CHILD (klass, HlPlotPane, tabs);
  HL_TREE_CHILD (klass, HlPlotPane, add_tab);
  HL_TREE_CHILD (klass, HlPlotPane, add_panel);
  HL_TREE_CHILD (klass, HlPlotPane, stack);
  HL_TREE_CHILD (klass, HlPlotPane, measure);
  HL_TREE_CHILD (klass, HlPlotPane, measure_scroller);
  HL_TREE_CHILD (klass, HlPlotPane, plots_scroller);
  HL_TREE_CHILD (klass, HlPlotPane, measure_button);
  HL_TREE_CHILD (klass, HlPlotPane, strip_button);
  HL_TREE_CHILD (klass, HlPlotPane, large_button);
  HL_TREE_CHILD (klass, HlPlotPane, runs_button);
  HL_TREE_CALLBACK (klass, add_panel_cb);
  HL_TREE_CALLBACK (klass, add_tab_cb);
  HL_TREE_CALLBACK (klass, measure_toggled_cb);
  HL_TREE_CALLBACK (klass, strip_toggled_cb);
}

static void hl_plot_pane_init (HlPlotPane *self) {
  gtk_widget_init_template (GTK_WIDGET (self));
  self->from = self->to = NAN;
  self->views = g_ptr_array_new_with_free_func (g_object_unref);
  self->tab_of = g_array_new (FALSE, FALSE, sizeof (int));
}

/* Finds the axis of the first visible plot over time, for the recording track below. */
static gboolean find_axis (gpointer data, double *left, double *right, double *from, double *to) {
  HlPlotPane *self = data;
  graphene_point_t origin;

  for (guint i = 0; i < self->views->len; i++) {
    HlPlotView *view = self->views->pdata[i];
    HlPlotLayout layout;
    HlStyle style;
    if (!gtk_widget_get_mapped (GTK_WIDGET (view)) || !hl_plot_view_is_over_time (view) ||
        !gtk_widget_compute_point (GTK_WIDGET (view), hl_tape_track_area (HL_TAPE_TRACK (self->tape)),
                                   &GRAPHENE_POINT_INIT (0, 0), &origin))
      continue;
    const HlPlot *plot = hl_plot_view_lay_out (view, &style, &layout);
    *left = origin.x + layout.frame.x;
    *right = *left + layout.frame.width;
    *from = hl_plot_x_at (&layout, plot, layout.frame.x);
    *to = hl_plot_x_at (&layout, plot, layout.frame.x + layout.frame.width);
    return TRUE;
  }
  return FALSE;
}

static void tape_notice_cb (HlTapeTrack *track, const char *text, HlPlotPane *self) {
  g_signal_emit (self, signals[NOTICE], 0, text);
}

void hl_plot_pane_set_workbench (HlPlotPane *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  hl_plot_measure_set_workbench (HL_PLOT_MEASURE (self->measure), workbench);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->runs_button), hl_run_list_popover_new (workbench));
  gtk_box_insert_child_after (GTK_BOX (self), hl_measured_list_new (workbench, TRUE), self->bar);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  self->tape = hl_tape_track_new (workbench, find_axis, self);
  g_signal_connect (self->tape, "notice", G_CALLBACK (tape_notice_cb), self);
  gtk_box_append (GTK_BOX (self), self->tape);
  rebuild (GTK_WIDGET (self));
  show_runs (self);
}

int hl_plot_pane_n_views (HlPlotPane *self) {
  hl_rebuild_now (GTK_WIDGET (self));
  return (int)self->views->len;
}

HlPlotView *hl_plot_pane_view (HlPlotPane *self, int index) {
  hl_rebuild_now (GTK_WIDGET (self));
  return self->views->pdata[index];
}

int hl_plot_pane_tab (HlPlotPane *self) {
  return self->tab;
}

int hl_plot_pane_tab_of_view (HlPlotPane *self, int index) {
  return g_array_index (self->tab_of, int, index);
}

void hl_plot_pane_fit (HlPlotPane *self) {
  for (guint i = 0; i < self->views->len; i++)
    hl_chart_fit (HL_CHART (self->views->pdata[i]));
}

void hl_plot_pane_set_time_range (HlPlotPane *self, double from, double to) {
  self->from = from;
  self->to = to;
  share_x_range (self);
}

void hl_plot_pane_set_show_linear (HlPlotPane *self, gboolean show) {
  self->show_linear = show;
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_set_show_linear (self->views->pdata[i], show);
}

void hl_plot_pane_set_analysis (HlPlotPane *self, gboolean show) {
  if (self->show_before == show)
    return;
  self->show_before = show;
  show_buttons (self);
  for (guint i = 0; i < self->views->len; i++)
    hl_plot_view_set_show_before (self->views->pdata[i], show);
}

gboolean hl_plot_pane_shows_linear (HlPlotPane *self) {
  return self->show_linear;
}
