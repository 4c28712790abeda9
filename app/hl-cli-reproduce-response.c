/* SPDX-License-Identifier: MIT */
/* Figures 6 to 12: the torque, and what follows from it in the three scenarios, nonlinear (NL) and
 * linear (L); how far both are apart. */
#include "app/hl-cli-reproduce.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <string.h>

#define DEGREES (180.0 / G_PI)
#define TABLE_EVERY 0.001   /* of a row of a table [s] */
#define COMPARE_EVERY 0.01  /* of the samples that NL and L are compared at [s] */
#define ZOOM_BEFORE 0.01    /* [s] */
#define ZOOM_DECAYS 5.0     /* time constants of the slowest motion */
#define ZOOM_LONGEST 0.25   /* [s] */
#define LINEAR_DARKER 0.6   /* share of ink in the colour of a linear response */
#define NONLINEAR_WIDTH 1.5 /* [px] */
#define LINEAR_WIDTH 0.9    /* [px] */
#define HEIGHT_MM 58        /* of one plot */
#define GRID_WIDTH_MM 200   /* of two beside each other */
#define MOST_SERIES 4

/* Every k-th row is a multiple of the time asked for. */
static int
stride_of (const HlReproduction *all, double every)
{
  return (int)lround (every / all->report.options.every);
}

/* A curve before it has samples: those depend on the part that is shown. */
typedef struct
{
  const char *id, *label;
  HlColor color;
  double factor, width;
  gboolean linear;
} Curve;

/* One plot with its samples, thinned for this range of time. */
typedef struct
{
  HlPlot plot;
  HlPlotSeries series[MOST_SERIES];
  double *samples[MOST_SERIES]; /* times, then values */
} Panel;

static void
panel_clear (Panel *panel)
{
  for (int k = 0; k < MOST_SERIES; k++)
    g_free (panel->samples[k]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Panel, panel_clear)

/* Rows of a column within [from, to] that are known, as plain arrays; returns their number. */
static int
gather (const HlResults *results, int column, double from, double to, double x[], double y[])
{
  int n = 0;

  for (int row = 0; row < hl_results_n_rows (results); row++) {
    double t = hl_results_get (results, 0, row), value = hl_results_get (results, column, row);
    if (t < from || t > to || isnan (value))
      continue;
    x[n] = t;
    y[n++] = value;
  }
  return n;
}

/* The paper wants a line as wide on a steep part as on a flat one: every point that the eye can
 * tell apart, and no more. */
static void
add_curve (Panel *panel, const HlResults *results, const Curve *curve, double from, double to)
{
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  g_autofree char *id = g_strconcat (curve->id, curve->linear ? ".linear" : NULL, NULL);
  int column = hl_results_find_column (results, id), n_rows = hl_results_n_rows (results),
      k = panel->plot.n_series++;

  panel->samples[k] = g_new (double, 2 * n_rows + 2);
  double *x = panel->samples[k], *y = x + n_rows + 1;
  int n = gather (results, column, from, to, x, y);
  n = hl_reproduce_thin (x, y, n);
  panel->series[k] = (HlPlotSeries){.samples = {.x = x, .y = y, .n = n},
                                    .y_factor = curve->factor,
                                    .label = curve->label,
                                    .color = curve->color,
                                    .width = curve->width,
                                    .unsorted = TRUE};
  if (curve->linear) {
    panel->series[k].color = hl_color_mix (curve->color, style.ink, LINEAR_DARKER);
    panel->series[k].dash = HL_DASH_DASHED;
  }
}

/* A plot of some curves over the whole run, or from t2 on until the slowest motion has died away.
 */
static void
panel_init (Panel *panel,
            const HlReproduction *all,
            const HlScenario *one,
            const Curve curves[],
            int n_curves,
            const char *title,
            const char *label,
            const char *unit,
            gboolean zoom)
{
  double from = 0.0, to = all->report.options.t_end;

  if (zoom) {
    double slowest = -INFINITY;
    for (int k = 0; k < one->lin->n; k++)
      if (!one->lin->eigenvalues[k].null)
        slowest = fmax (slowest, one->lin->eigenvalues[k].re);
    from = all->pulse_end - ZOOM_BEFORE;
    to = all->pulse_end + fmin (ZOOM_DECAYS / -slowest, ZOOM_LONGEST);
  }
  panel->plot = hl_plot_make ();
  for (int k = 0; k < n_curves; k++)
    add_curve (panel, hl_recorder_results (one->recorder), &curves[k], from, to);
  panel->plot.series = panel->series;
  panel->plot.title = title;
  panel->plot.x.label = "t";
  panel->plot.x.unit = "s";
  panel->plot.left.label = label;
  panel->plot.left.unit = unit;
  panel->plot.hide_legend = n_curves == 1;
  panel->plot.x.axis.min = from;
  panel->plot.x.axis.max = to;
  hl_plot_fit_y (&panel->plot);
}

/* --- Fig. 6 --- */

static gboolean
write_torque (HlReproduction *all, GError **error)
{
  const HlScenario *one = &all->scenarios[0];
  const HlResults *results = hl_recorder_results (one->recorder);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  Curve curve = {"M2.signal", "M₂", hl_style_trace_color (&style, 0), 1.0, NONLINEAR_WIDTH, FALSE};
  g_auto (Panel) panel = {.plot.n_series = 0};
  g_autoptr (GString) text = g_string_new ("t [s],M2 [N m]\n");
  int column = hl_results_find_column (results, curve.id);

  panel_init (&panel, all, one, &curve, 1, "External torque on the input link", "M₂", "N m", FALSE);
  for (int row = 0; row < hl_results_n_rows (results); row += stride_of (all, TABLE_EVERY))
    hl_table_append_numbers (
        text, (double[]){hl_results_get (results, 0, row), hl_results_get (results, column, row)},
        2);
  return hl_report_save_figure (&all->report, "fig06-torque", hl_figure_paint_plot, &panel.plot,
                                HL_REPORT_WIDTH_MM, HEIGHT_MM, error) &&
         hl_report_save (&all->report, "fig06-torque.csv", text->str, error);
}

/* --- Figs 7 to 12 --- */

static gboolean
write_angle (HlReproduction *all, const HlScenario *one, int figure, GError **error)
{
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlColor color = hl_style_trace_color (&style, 0);
  Curve curves[] = {{"phi2", "NL", color, DEGREES, NONLINEAR_WIDTH, FALSE},
                    {"phi2", "L", color, DEGREES, LINEAR_WIDTH, TRUE}};
  g_autofree char *whole = g_strdup_printf ("(a) %s", one->name);
  g_auto (Panel) a = {.plot.n_series = 0};
  g_auto (Panel) b = {.plot.n_series = 0};

  panel_init (&a, all, one, curves, 2, whole, "φ₂ − φ₂⁰", "°", FALSE);
  panel_init (&b, all, one, curves, 2, "(b) After the torque has ended", "φ₂ − φ₂⁰", "°", TRUE);
  HlPlot plots[] = {a.plot, b.plot};
  HlPlotGrid grid = {plots, 2, 1};
  g_autofree char *stem = g_strdup_printf ("fig%02d-%s-angle", figure, one->stem);
  return hl_report_save_figure (&all->report, stem, hl_reproduce_paint_grid, &grid,
                                HL_REPORT_WIDTH_MM, 2.0 * HEIGHT_MM, error);
}

/* p1 and p2 lie on each other: the first is drawn wider, the second in the middle of it. */
static gboolean
write_pressures (HlReproduction *all, const HlScenario *one, int figure, GError **error)
{
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlColor first = hl_style_trace_color (&style, 0), second = hl_style_trace_color (&style, 1),
          third = hl_style_trace_color (&style, 2);
  Curve low[MOST_SERIES] = {{"p1", "p₁ NL", first, 1.0, 2.0 * NONLINEAR_WIDTH, FALSE},
                            {"p2", "p₂ NL", second, 1.0, NONLINEAR_WIDTH, FALSE},
                            {"p1", "p₁ L", first, 1.0, 2.0 * LINEAR_WIDTH, TRUE},
                            {"p2", "p₂ L", second, 1.0, LINEAR_WIDTH, TRUE}};
  Curve high[] = {{"p3", "p₃ NL", third, 1.0, NONLINEAR_WIDTH, FALSE},
                  {"p3", "p₃ L", third, 1.0, LINEAR_WIDTH, TRUE}};
  g_auto (Panel) a = {.plot.n_series = 0};
  g_auto (Panel) a_zoom = {.plot.n_series = 0};
  g_auto (Panel) b = {.plot.n_series = 0};
  g_auto (Panel) b_zoom = {.plot.n_series = 0};

  panel_init (&a, all, one, low, MOST_SERIES, "(a) p₁, p₂", NULL, "Pa", FALSE);
  panel_init (&a_zoom, all, one, low, MOST_SERIES, "after t₂", NULL, "Pa", TRUE);
  panel_init (&b, all, one, high, 2, "(b) p₃", NULL, "Pa", FALSE);
  panel_init (&b_zoom, all, one, high, 2, "after t₂", NULL, "Pa", TRUE);
  HlPlot plots[] = {a.plot, a_zoom.plot, b.plot, b_zoom.plot};
  HlPlotGrid grid = {plots, 2, 2};
  g_autofree char *stem = g_strdup_printf ("fig%02d-%s-pressures", figure, one->stem);
  return hl_report_save_figure (&all->report, stem, hl_reproduce_paint_grid, &grid, GRID_WIDTH_MM,
                                2.0 * HEIGHT_MM, error);
}

static gboolean
write_table (HlReproduction *all, const HlScenario *one, GError **error)
{
  const HlResults *results = hl_recorder_results (one->recorder);
  g_autoptr (GString) text = g_string_new (
      "t [s],phi2 [rad],p1 [Pa],p2 [Pa],p3 [Pa],phi2 L [rad],p1 L [Pa],p2 L [Pa],p3 L [Pa]\n");
  g_autofree char *name = g_strdup_printf ("response-%s.csv", one->stem);
  int columns[2 * HL_REPRODUCE_QUANTITIES + 1] = {0};

  for (int k = 0; k < HL_REPRODUCE_QUANTITIES; k++) {
    g_autofree char *linear = g_strconcat (hl_reproduce_probes[k], ".linear", NULL);
    columns[1 + k] = hl_results_find_column (results, hl_reproduce_probes[k]);
    columns[1 + HL_REPRODUCE_QUANTITIES + k] = hl_results_find_column (results, linear);
  }
  for (int row = 0; row < hl_results_n_rows (results); row += stride_of (all, TABLE_EVERY)) {
    double cells[G_N_ELEMENTS (columns)];
    for (gsize k = 0; k < G_N_ELEMENTS (columns); k++)
      cells[k] = hl_results_get (results, columns[k], row);
    hl_table_append_numbers (text, cells, (int)G_N_ELEMENTS (columns));
  }
  return hl_report_save (&all->report, name, text->str, error);
}

/* --- how far both are apart --- */

static void
compare (const HlReproduction *all, HlScenario *one)
{
  const HlResults *results = hl_recorder_results (one->recorder);
  int n_rows = hl_results_n_rows (results), stride = stride_of (all, COMPARE_EVERY);
  int speed = hl_results_find_column (results, "cyl.speed");

  for (int k = 0; k < HL_REPRODUCE_QUANTITIES; k++) {
    g_autofree char *id = g_strconcat (hl_reproduce_probes[k], ".linear", NULL);
    int plain = hl_results_find_column (results, hl_reproduce_probes[k]),
        linear = hl_results_find_column (results, id), n = 0;
    for (int row = 0; row < n_rows; row += stride) {
      double difference =
          hl_results_get (results, plain, row) - hl_results_get (results, linear, row);
      if (isnan (difference))
        continue;
      one->rms[k] += difference * difference;
      one->most[k] = fmax (one->most[k], fabs (difference));
      n++;
    }
    one->rms[k] = n > 0 ? sqrt (one->rms[k] / n) : NAN;
  }
  for (int row = 0; row < n_rows; row++)
    if (hl_results_get (results, 0, row) >= all->pulse_end)
      one->largest_speed = fmax (one->largest_speed, fabs (hl_results_get (results, speed, row)));
}

static gboolean
write_differences (HlReproduction *all, GError **error)
{
  g_autoptr (GString) text = g_string_new ("scenario,quantity,rms,max\n");

  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++)
    for (int q = 0; q < HL_REPRODUCE_QUANTITIES; q++) {
      HlScenario *one = &all->scenarios[k];
      g_string_append_printf (text, "%s,%s [%s],", one->stem, hl_reproduce_probes[q],
                              q == 0 ? "rad" : "Pa");
      hl_table_append_numbers (text, (double[]){one->rms[q], one->most[q]}, 2);
    }
  return hl_report_save (&all->report, "differences.csv", text->str, error);
}

gboolean
hl_reproduce_responses (HlReproduction *all, GError **error)
{
  if (!write_torque (all, error))
    return FALSE;
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    HlScenario *one = &all->scenarios[k];
    compare (all, one);
    if (!write_angle (all, one, 7 + 2 * k, error) ||
        !write_pressures (all, one, 8 + 2 * k, error) || !write_table (all, one, error))
      return FALSE;
  }
  return write_differences (all, error);
}
