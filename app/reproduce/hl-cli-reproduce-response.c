/* SPDX-License-Identifier: MIT */
/* Figures 6 to 12: the torque, and what follows from it in the three scenarios, nonlinear (NL) and
 * linear (L); how far both are apart. */
#include "app/reproduce/hl-cli-reproduce.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <string.h>

#define DEGREES (180.0 / G_PI)
#define TABLE_EVERY 0.001  /* of a row of a table [s] */
#define COMPARE_EVERY 0.01 /* of the samples that NL and L are compared at [s] */
#define ZOOM_BEFORE 0.01   /* [s] */
#define ZOOM_DECAYS 5.0    /* time constants of the slowest motion */
#define ZOOM_LONGEST 0.25  /* [s] */
#define LINEAR_DARKER 0.6  /* share of ink in the colour of a linear response */
#define LINEAR_NARROWER 0.6
#define HEIGHT_MM 58      /* of one plot */
#define GRID_WIDTH_MM 200 /* of two beside each other */

/* Every k-th row is a multiple of the time asked for. */
static int stride_of (const HlReproduction *all, double every) {
  return (int)lround (every / all->report.options.every);
}

/* A trace of the run and, dashed and darker, of its linear response. */
typedef struct {
  const char *id, *label, *linear_label;
  HlColor color;
  double factor, width;
} Curve;

/* A plot of some curves over the whole run, or from t2 on until the slowest motion has died away.
 */
static void panel_init (HlPanel *panel, const HlReproduction *all, const HlScenario *one,
                        const Curve curves[], int n_curves, gboolean zoom) {
  const HlResults *results = hl_cli_recorder_results (one->recorder);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  double slowest = -INFINITY;

  for (int k = 0; k < one->lin->n; k++)
    if (!one->lin->eigenvalues[k].null)
      slowest = fmax (slowest, one->lin->eigenvalues[k].re);
  panel->from = zoom ? all->pulse_end - ZOOM_BEFORE : 0.0;
  panel->to = zoom ? all->pulse_end + fmin (ZOOM_DECAYS / -slowest, ZOOM_LONGEST) : all->report.options.t_end;
  for (int k = 0; k < n_curves; k++) {
    const Curve *curve = &curves[k];
    HlPlotSeries *plain = hl_panel_add_column (panel, results, curve->id, curve->label, curve->color);
    plain->y_factor = curve->factor;
    plain->width = curve->width;
  }
  for (int k = 0; k < n_curves; k++) {
    const Curve *curve = &curves[k];
    g_autofree char *id = g_strconcat (curve->id, ".linear", NULL);
    if (curve->linear_label == NULL)
      continue;
    HlPlotSeries *linear = hl_panel_add_column (panel, results, id, curve->linear_label,
                                                hl_color_mix (curve->color, style.ink, LINEAR_DARKER));
    linear->y_factor = curve->factor;
    linear->width = LINEAR_NARROWER * curve->width;
    linear->dash = HL_DASH_DASHED;
  }
}

/* --- Fig. 6 --- */

static gboolean write_torque (HlReproduction *all, GError **error) {
  const HlScenario *one = &all->scenarios[0];
  const HlResults *results = hl_cli_recorder_results (one->recorder);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  Curve curve = {"M2.signal", "M₂", NULL, hl_style_trace_color (&style, 0), 1.0, HL_PANEL_WIDTH};
  g_autoptr (GString) text = g_string_new ("t [s],M2 [N m]\n");
  int column = hl_results_find_column (results, curve.id);
  HlPanel panel;

  hl_panel_init (&panel, "External torque on the input link", "M₂", "N m");
  panel_init (&panel, all, one, &curve, 1, FALSE);
  for (int row = 0; row < hl_results_n_rows (results); row += stride_of (all, TABLE_EVERY))
    hl_table_append_numbers (
        text, (double[]){hl_results_get (results, 0, row), hl_results_get (results, column, row)}, 2);
  gboolean saved = hl_panels_save (all, "fig06-torque", &panel, 1, 1, HL_REPORT_WIDTH_MM, HEIGHT_MM, error);
  hl_panel_clear (&panel);
  return saved && hl_report_save (&all->report, "fig06-torque.csv", text->str, error);
}

/* --- Figs 7 to 12 --- */

static gboolean write_angle (HlReproduction *all, const HlScenario *one, int figure, GError **error) {
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  Curve curve = {"phi2", "NL", "L", hl_style_trace_color (&style, 0), DEGREES, HL_PANEL_WIDTH};
  g_autofree char *whole = g_strdup_printf ("(a) %s", one->name);
  g_autofree char *stem = g_strdup_printf ("fig%02d-%s-angle", figure, one->stem);
  HlPanel panels[2];

  for (int zoom = 0; zoom < 2; zoom++) {
    hl_panel_init (&panels[zoom], zoom ? "(b) After the torque has ended" : whole, "φ₂ − φ₂⁰", "°");
    panel_init (&panels[zoom], all, one, &curve, 1, zoom);
  }
  gboolean saved = hl_panels_save (all, stem, panels, 2, 1, HL_REPORT_WIDTH_MM, 2.0 * HEIGHT_MM, error);
  for (int zoom = 0; zoom < 2; zoom++)
    hl_panel_clear (&panels[zoom]);
  return saved;
}

/* p1 and p2 lie on each other: the first is drawn wider, the second in the middle of it. */
static gboolean write_pressures (HlReproduction *all, const HlScenario *one, int figure, GError **error) {
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  Curve low[] = {{"p1", "p₁ NL", "p₁ L", hl_style_trace_color (&style, 0), 1.0, 2.0 * HL_PANEL_WIDTH},
                 {"p2", "p₂ NL", "p₂ L", hl_style_trace_color (&style, 1), 1.0, HL_PANEL_WIDTH}};
  Curve high = {"p3", "p₃ NL", "p₃ L", hl_style_trace_color (&style, 2), 1.0, HL_PANEL_WIDTH};
  g_autofree char *stem = g_strdup_printf ("fig%02d-%s-pressures", figure, one->stem);
  HlPanel panels[4];

  for (int zoom = 0; zoom < 2; zoom++) {
    hl_panel_init (&panels[zoom], zoom ? "after t₂" : "(a) p₁, p₂", NULL, "Pa");
    panel_init (&panels[zoom], all, one, low, 2, zoom);
    hl_panel_init (&panels[2 + zoom], zoom ? "after t₂" : "(b) p₃", NULL, "Pa");
    panel_init (&panels[2 + zoom], all, one, &high, 1, zoom);
  }
  gboolean saved = hl_panels_save (all, stem, panels, 2, 2, GRID_WIDTH_MM, 2.0 * HEIGHT_MM, error);
  for (int k = 0; k < 4; k++)
    hl_panel_clear (&panels[k]);
  return saved;
}

static gboolean write_table (HlReproduction *all, const HlScenario *one, GError **error) {
  const HlResults *results = hl_cli_recorder_results (one->recorder);
  g_autoptr (GString) text =
      g_string_new ("t [s],phi2 [rad],p1 [Pa],p2 [Pa],p3 [Pa],phi2 L [rad],p1 L [Pa],p2 L [Pa],p3 L [Pa]\n");
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

static void compare (const HlReproduction *all, HlScenario *one) {
  const HlResults *results = hl_cli_recorder_results (one->recorder);
  int n_rows = hl_results_n_rows (results), stride = stride_of (all, COMPARE_EVERY);
  int speed = hl_results_find_column (results, "cyl.speed");

  for (int k = 0; k < HL_REPRODUCE_QUANTITIES; k++) {
    g_autofree char *id = g_strconcat (hl_reproduce_probes[k], ".linear", NULL);
    int plain = hl_results_find_column (results, hl_reproduce_probes[k]),
        linear = hl_results_find_column (results, id), n = 0;
    for (int row = 0; row < n_rows; row += stride) {
      double difference = hl_results_get (results, plain, row) - hl_results_get (results, linear, row);
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

static gboolean write_differences (HlReproduction *all, GError **error) {
  g_autoptr (GString) text = g_string_new ("scenario,quantity,rms,max\n");

  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++)
    for (int q = 0; q < HL_REPRODUCE_QUANTITIES; q++) {
      HlScenario *one = &all->scenarios[k];
      g_string_append_printf (text, "%s,%s [%s],", one->stem, hl_reproduce_probes[q], q == 0 ? "rad" : "Pa");
      hl_table_append_numbers (text, (double[]){one->rms[q], one->most[q]}, 2);
    }
  return hl_report_save (&all->report, "differences.csv", text->str, error);
}

gboolean hl_reproduce_responses (HlReproduction *all, GError **error) {
  if (!write_torque (all, error))
    return FALSE;
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    HlScenario *one = &all->scenarios[k];
    compare (all, one);
    if (!write_angle (all, one, 7 + 2 * k, error) || !write_pressures (all, one, 8 + 2 * k, error) ||
        !write_table (all, one, error))
      return FALSE;
  }
  return write_differences (all, error);
}
