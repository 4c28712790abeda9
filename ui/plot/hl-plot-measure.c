/* SPDX-License-Identifier: MIT */
/* Labels are kept from one filling to the next: while a cursor is dragged only texts change. */
#include "ui/plot/hl-plot-measure.h"

#include "core/base/hl-i18n.h"
#include "core/run/hl-span.h"
#include "ui/widget/hl-look.h"
#include "ui/bench/hl-runs.h"

#include <math.h>
#include <string.h>

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

/* "φ₂ [°]"; of other runs and linear responses with what they are: "φ₂, linear [°]". A series that
 * is not the first one of its trace goes by its trace's name. */
static char *name_of (const HlPlotSeries *series, const char *unit, const char *lonely, gboolean is_run) {
  gboolean plain = unit == NULL || *unit == '\0' || strcmp (unit, "1") == 0;
  const char *own = series->label != NULL ? series->label : "";
  g_autofree char *name = lonely == NULL ? g_strdup (own)
                          : is_run       ? g_strdup (lonely)
                                         : g_strdup_printf ("%s, %s", lonely, own);
  return plain ? g_strdup (name) : g_strdup_printf ("%s [%s]", name, unit);
}

void hl_plot_measure_add (HlPlotMeasure *self, HlPlotView *view) {
  HlStyle style = hl_look_style (GTK_WIDGET (self));
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
