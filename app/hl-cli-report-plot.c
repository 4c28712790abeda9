/* SPDX-License-Identifier: MIT */
/* The plots of a report: those of the document, or one for each quantity among the probes; the
 * linear response dashed beside the run. Angles are shown in degrees, all else in SI units, to
 * which the axis finds a prefix. */
#include "app/hl-cli-report.h"
#include "core/document/hl-unit.h"

#include <math.h>
#include <string.h>

#define PLOT_HEIGHT_MM 70
#define LINEAR_DARKER 0.5 /* share of ink in the colour of a linear response */
#define LINEAR_WIDTH 0.8   /* [px] */
#define DEGREES (180.0 / G_PI)

/* Columns of the results that share a plot. */
typedef struct
{
  GArray *columns; /* int */
} Panel;

static gboolean
is_relative (const HlReport *report, const char *id)
{
  for (int k = 0; k < hl_document_n_probes (report->cli->document); k++) {
    HlProbe probe;
    if (hl_document_probe (report->cli->document, k, &probe) && g_strcmp0 (probe.id, id) == 0)
      return probe.relative;
  }
  return FALSE;
}

/* Whether two columns can share an axis. */
static gboolean
fit_together (const HlReport *report, const HlColumnInfo *a, const HlColumnInfo *b)
{
  return strcmp (a->unit, b->unit) == 0 &&
         is_relative (report, a->id) == is_relative (report, b->id);
}

static int
n_probe_columns (const HlReport *report)
{
  int n = hl_results_n_columns (hl_recorder_results (report->recorder)) - 1;

  return report->lin != NULL && report->options.model == HL_MODEL_LUMPED ? n / 2 : n;
}

static void
panel_clear (void *data)
{
  g_array_unref (((Panel *)data)->columns);
}

static Panel *
add_panel (GArray *panels)
{
  Panel panel = {g_array_new (FALSE, FALSE, sizeof (int))};

  g_array_append_val (panels, panel);
  return &g_array_index (panels, Panel, panels->len - 1);
}

static GArray *
panels_of_document (const HlReport *report)
{
  const HlDocument *document = report->cli->document;
  const HlResults *results = hl_recorder_results (report->recorder);
  GArray *panels = g_array_new (FALSE, FALSE, sizeof (Panel));

  g_array_set_clear_func (panels, panel_clear);
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_PLOTS); k++) {
    const HlValue *traces =
        hl_value_member (hl_document_element (document, HL_SECTION_PLOTS, k), "traces");
    Panel *panel = add_panel (panels);
    for (gsize i = 0; i < hl_value_length (traces); i++) {
      const char *id = hl_value_string (hl_value_item (traces, i));
      int column = id != NULL ? hl_results_find_column (results, id) : -1;
      if (column > 0)
        g_array_append_val (panel->columns, column);
    }
  }
  return panels;
}

static GArray *
panels_by_quantity (const HlReport *report)
{
  const HlResults *results = hl_recorder_results (report->recorder);
  GArray *panels = g_array_new (FALSE, FALSE, sizeof (Panel));

  g_array_set_clear_func (panels, panel_clear);
  for (int column = 1; column <= n_probe_columns (report); column++) {
    const HlColumnInfo *info = hl_results_column (results, column);
    Panel *home = NULL;
    for (guint k = 0; home == NULL && k < panels->len; k++) {
      Panel *panel = &g_array_index (panels, Panel, k);
      int first = g_array_index (panel->columns, int, 0);
      if (fit_together (report, info, hl_results_column (results, first)))
        home = panel;
    }
    if (home == NULL)
      home = add_panel (panels);
    g_array_append_val (home->columns, column);
  }
  return panels;
}

/* Unit on the axis, and what a value in SI is multiplied with. */
static const char *
shown_unit (const char *si, double *factor)
{
  *factor = 1;
  if (strcmp (si, "rad") == 0) {
    *factor = DEGREES;
    return "°";
  }
  int n;
  const HlUnit *units = hl_quantity_units (hl_quantity_of_si (si), &n);
  return strcmp (si, "1") == 0 || n == 0 ? "" : units[0].symbol;
}

static HlPlotSeries
make_series (const HlResults *results, int column, const char *label, double factor)
{
  return (HlPlotSeries){.samples = {.results = (HlResults *)results,
                                    .x_column = 0,
                                    .y_column = column,
                                    .n = hl_results_n_rows (results)},
                        .y_factor = factor,
                        .label = label};
}

/* Traces of one panel; those that do not share the first one's unit go to the right axis. */
static gboolean
write_panel (HlReport *report, const Panel *panel, int number, GError **error)
{
  const HlResults *results = hl_recorder_results (report->recorder);
  int n = (int)panel->columns->len, n_probes = n_probe_columns (report);
  gboolean linear = hl_results_n_columns (results) - 1 > n_probes;
  g_autofree HlPlotSeries *series = g_new0 (HlPlotSeries, 2 * n + 1);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlPlot plot = hl_plot_make ();
  double factor;

  plot.x.label = "t";
  plot.x.unit = "s";
  plot.series = series;
  plot.events = report->corners;
  plot.n_events = report->n_corners;
  for (int k = 0; k < n; k++) {
    int column = g_array_index (panel->columns, int, k);
    const HlColumnInfo *info = hl_results_column (results, column);
    const HlColumnInfo *first = hl_results_column (results, g_array_index (panel->columns, int, 0));
    HlPlotAxis *axis = strcmp (info->unit, first->unit) == 0 ? &plot.left : &plot.right;
    axis->unit = shown_unit (info->unit, &factor);
    char *label = axis->label == NULL ? g_strdup (info->label)
                                      : g_strdup_printf ("%s, %s", axis->label, info->label);
    g_ptr_array_add (labels, label);
    axis->label = label;
    for (int twin = 0; twin < (linear ? 2 : 1); twin++) {
      HlPlotSeries *one = &series[plot.n_series++];
      char *name = g_strdup_printf ("%s%s", info->label, twin == 1 ? " linear" : "");
      g_ptr_array_add (labels, name);
      *one = make_series (results, column + twin * n_probes, name, factor);
      one->color = hl_style_trace_color (&style, k);
      one->dash = hl_style_trace_dash (&style, k);
      if (twin == 1) { /* darker and thinner, to be seen on its twin */
        one->color = hl_color_mix (one->color, style.ink, LINEAR_DARKER);
        one->dash = HL_DASH_DASHED;
        one->width = LINEAR_WIDTH;
      }
      one->right_axis = axis == &plot.right;
    }
  }
  hl_plot_fit_x (&plot);
  hl_plot_fit_y (&plot);
  g_autofree char *stem = g_strdup_printf ("plot-%d", number);
  if (!hl_report_save_figure (report, stem, hl_figure_paint_plot, &plot, PLOT_HEIGHT_MM, error))
    return FALSE;
  g_ptr_array_add (report->plots, g_steal_pointer (&stem));
  return TRUE;
}

gboolean
hl_report_write_plots (HlReport *report, GError **error)
{
  gboolean own = hl_document_n_elements (report->cli->document, HL_SECTION_PLOTS) > 0;
  g_autoptr (GArray) panels = own ? panels_of_document (report) : panels_by_quantity (report);
  gboolean ok = TRUE;

  if (hl_results_n_rows (hl_recorder_results (report->recorder)) == 0)
    return TRUE;
  for (guint k = 0; ok && k < panels->len; k++)
    if (g_array_index (panels, Panel, k).columns->len > 0)
      ok = write_panel (report, &g_array_index (panels, Panel, k), (int)k + 1, error);
  return ok;
}
