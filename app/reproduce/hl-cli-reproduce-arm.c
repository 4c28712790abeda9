/* SPDX-License-Identifier: MIT */
/* Figs 6, 10 and 13 of seed 002: arms driven by the quasistatic cylinder, held against a growing
 * load, with regeneration, and two of them on one pump. Loads, commands and the place of the base
 * are those of the examples; the source does not print them. */
#include "app/reproduce/hl-cli-reproduce.h"
#include "core/io/hl-json.h"
#include "core/io/hl-table.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "hl-resources.h"

#define EXAMPLES "/io/github/hydrolink/Hydrolink/examples/"
#define EVERY 0.002      /* of a plotted row [s] */
#define TABLE_EVERY 0.01 /* of a row of a table [s] */
#define TOLERANCE 1e-9
#define DEGREES (180.0 / G_PI)
#define MILLIMETRES 1000.0
#define SHUT_FROM 6.0 /* Fig. 6: the valves are shut again [s] */
/* Area times limit of the rod chamber: the pulling force at which its relief valve opens [N]. */
#define LIMIT_ROD 480.0e3
#define WIDTH_MM 200
#define HEIGHT_MM 52

HlDocument *hl_reproduce_example (const char *name, GError **error) {
  g_autofree char *path = g_strconcat (EXAMPLES, name, NULL);
  g_autoptr (GBytes) bytes =
      g_resource_lookup_data (hl_resources_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, error);

  if (bytes == NULL)
    return NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  return hl_document_parse (text, size, name, error);
}

/* A run of an example with columns beside its probes. */
static HlCliRecorder *run_example (const char *name, HlFormulation formulation, const char *const extra[],
                                   GError **error) {
  g_autoptr (HlDocument) document = hl_reproduce_example (name, error);
  HlSystem *sys = document != NULL ? hl_cli_compile_quietly (document, error) : NULL;

  if (sys == NULL)
    return NULL;
  HlSimOptions options = hl_sim_options_from_model (sys);
  HlSimStats stats = {0};
  options.model = HL_MODEL_QUASISTATIC;
  options.formulation = formulation;
  options.every = EVERY;
  options.rtol = TOLERANCE;
  g_autoptr (HlCliRecorder) recorder = hl_cli_recorder_new (document, sys, HL_RECORD_PROBES, extra, error);
  gboolean good = recorder != NULL && hl_cli_recorder_run (recorder, sys, &options, &stats, error);
  hl_system_unref (sys);
  return good ? g_steal_pointer (&recorder) : NULL;
}

static double value (const HlResults *results, const char *id, int row) {
  return hl_results_get (results, hl_results_find_column (results, id), row);
}

/* Difference of two columns over time, as a curve. */
static HlPlotSeries *add_difference (HlPanel *panel, const HlResults *results, const char *plus,
                                     const char *minus, const char *label, HlColor color) {
  int n = hl_results_n_rows (results);
  g_autofree double *t = g_new (double, n + 1), *y = g_new (double, n + 1);

  for (int row = 0; row < n; row++) {
    t[row] = hl_results_get (results, 0, row);
    y[row] = value (results, plus, row) - value (results, minus, row);
  }
  return hl_panel_add (panel, t, y, n, label, color);
}

static HlPlotSeries *add_second (HlPanel *panel, const HlResults *results, const char *id,
                                 const char *label) {
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlPlotSeries *series = hl_panel_add_column (panel, results, id, label, hl_style_trace_color (&style, 1));

  series->dash = HL_DASH_DASHED;
  return series;
}

static void clear_panels (HlPanel panels[], int n) {
  for (int k = 0; k < n; k++)
    hl_panel_clear (&panels[k]);
}

/* Appends columns of several results at the same rows, every TABLE_EVERY. */
typedef struct {
  const HlResults *results;
  const char *id, *minus; /* minus: taken off, or NULL */
} Cell;

static char *table_of (const char *header, const Cell cells[], int n_cells) {
  GString *text = g_string_new (header);
  int stride = (int)lround (TABLE_EVERY / EVERY), n = hl_results_n_rows (cells[0].results);
  g_autofree double *row_values = g_new (double, n_cells + 1);

  for (int row = 0; row < n; row += stride) {
    row_values[0] = hl_results_get (cells[0].results, 0, row);
    for (int k = 0; k < n_cells; k++)
      row_values[1 + k] = value (cells[k].results, cells[k].id, row) -
                          (cells[k].minus != NULL ? value (cells[k].results, cells[k].minus, row) : 0.0);
    hl_table_append_numbers (text, row_values, n_cells + 1);
  }
  return g_string_free (text, FALSE);
}

/* --- Fig. 6 --- */

static double relief_opens (const HlResults *results) {
  for (int row = 0; row < hl_results_n_rows (results); row++)
    if (hl_results_get (results, 0, row) > SHUT_FROM &&
        value (results, "force", row) <= -LIMIT_ROD * (1.0 - 1e-9))
      return hl_results_get (results, 0, row);
  return NAN;
}

static gboolean write_arm (HlReproduction *all, GError **error) {
  static const char *const extra[] = {
      "ph.opening", "pr.opening", "tip_load.signal", "cyl.rod_position", "cyl.rod_speed", "cyl.speed", NULL};
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlColor color = hl_style_trace_color (&style, 0);
  g_autoptr (HlCliRecorder) relaxed =
      run_example ("metering-arm.hydrolink", HL_FORMULATION_RELAXED, extra, error);
  g_autoptr (HlCliRecorder) discrete =
      relaxed != NULL ? run_example ("metering-arm.hydrolink", HL_FORMULATION_DISCRETE, extra, error) : NULL;
  if (discrete == NULL)
    return FALSE;
  HlResults *ode = hl_cli_recorder_results (relaxed), *step = hl_cli_recorder_results (discrete);
  Cell cells[] = {{ode, "ph.opening", "pr.opening"},
                  {ode, "tip_load.signal", NULL},
                  {ode, "theta", NULL},
                  {ode, "omega", NULL},
                  {ode, "length", NULL},
                  {ode, "cyl.rod_position", NULL},
                  {ode, "cyl.rod_speed", NULL},
                  {ode, "force", NULL},
                  {step, "theta", NULL},
                  {step, "force", NULL}};
  g_autofree char *table =
      table_of ("t [s],uc,fey [N],theta [rad],omega [rad/s],length [m],p [m],v [m/s],f [N],discrete theta "
                "[rad],discrete f [N]\n",
                cells, G_N_ELEMENTS (cells));
  HlPanel panels[6];

  all->relief_opens = relief_opens (ode);
  hl_panel_init (&panels[0], "(a) command and tip load", NULL, "");
  hl_panel_init (&panels[1], "(b) angle of the arm", NULL, "°");
  hl_panel_init (&panels[2], "(c) its angular velocity", NULL, "°/s");
  hl_panel_init (&panels[3], "(d) rod velocity", NULL, "m/s");
  hl_panel_init (&panels[4], "(e) virtual element p − ℓ", NULL, "mm");
  hl_panel_init (&panels[5], "(f) force of the cylinder", NULL, "N");
  add_difference (&panels[0], ode, "ph.opening", "pr.opening", "command", color);
  panels[0].plot.right.unit = "N";
  add_second (&panels[0], ode, "tip_load.signal", "tip load")->right_axis = TRUE;
  hl_panel_add_column (&panels[1], ode, "theta", "ODE form", color)->y_factor = DEGREES;
  add_second (&panels[1], step, "theta", "discrete form")->y_factor = DEGREES;
  hl_panel_add_column (&panels[2], ode, "omega", "ω", color)->y_factor = DEGREES;
  hl_panel_add_column (&panels[3], ode, "cyl.rod_speed", "v", color);
  add_difference (&panels[4], ode, "cyl.rod_position", "length", "p − ℓ", color)->y_factor = MILLIMETRES;
  hl_panel_add_column (&panels[5], ode, "force", "ODE form", color);
  add_second (&panels[5], step, "force", "discrete form");
  for (int k = 0; k < 6; k++) {
    panels[k].plot.events = &all->relief_opens;
    panels[k].plot.n_events = isnan (all->relief_opens) ? 0 : 1;
  }
  gboolean saved =
      hl_panels_save (all, "quasistatic-fig06-arm", panels, 3, 2, WIDTH_MM, 3.0 * HEIGHT_MM, error);
  clear_panels (panels, 6);
  return saved && hl_report_save (&all->report, "quasistatic-fig06-arm.csv", table, error);
}

/* --- Fig. 10 --- */

static gboolean write_regeneration (HlReproduction *all, GError **error) {
  static const char *const extra[] = {"ph.opening", "pr.opening", "cyl.rod_speed", NULL};
  static const char *const labels[] = {"valve shut", "half open"};
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  g_autoptr (HlCliRecorder) shut =
      run_example ("regeneration-arm-ua0.hydrolink", HL_FORMULATION_RELAXED, extra, error);
  g_autoptr (HlCliRecorder) open =
      shut != NULL ? run_example ("regeneration-arm-ua05.hydrolink", HL_FORMULATION_RELAXED, extra, error)
                   : NULL;
  if (open == NULL)
    return FALSE;
  HlResults *runs[] = {hl_cli_recorder_results (shut), hl_cli_recorder_results (open)};
  Cell cells[] = {{runs[0], "ph.opening", "pr.opening"},
                  {runs[0], "theta", NULL},
                  {runs[0], "force", NULL},
                  {runs[1], "theta", NULL},
                  {runs[1], "force", NULL}};
  g_autofree char *table = table_of ("t [s],uc,theta shut [rad],f shut [N],theta open [rad],f open [N]\n",
                                     cells, G_N_ELEMENTS (cells));
  HlPanel panels[4];

  hl_panel_init (&panels[0], "(a) command", NULL, "");
  hl_panel_init (&panels[1], "(b) angle of the arm", NULL, "°");
  hl_panel_init (&panels[2], "(c) rod velocity", NULL, "m/s");
  hl_panel_init (&panels[3], "(d) force of the cylinder", NULL, "N");
  add_difference (&panels[0], runs[0], "ph.opening", "pr.opening", "command",
                  hl_style_trace_color (&style, 2));
  for (int k = 0; k < 2; k++) {
    HlColor color = hl_style_trace_color (&style, k);
    hl_panel_add_column (&panels[1], runs[k], "theta", labels[k], color)->y_factor = DEGREES;
    hl_panel_add_column (&panels[2], runs[k], "cyl.rod_speed", labels[k], color);
    hl_panel_add_column (&panels[3], runs[k], "force", labels[k], color);
  }
  gboolean saved =
      hl_panels_save (all, "quasistatic-fig10-regeneration", panels, 2, 2, WIDTH_MM, 2.0 * HEIGHT_MM, error);
  clear_panels (panels, 4);
  return saved && hl_report_save (&all->report, "quasistatic-fig10-regeneration.csv", table, error);
}

/* --- Fig. 13 --- */

static gboolean write_two_arms (HlReproduction *all, GError **error) {
  static const char *const extra[] = {"ph1.opening", "pr1.opening", "ph2.opening", "pr2.opening", NULL};
  static const char *const labels[] = {"scenario I", "scenario II"};
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  g_autoptr (HlCliRecorder) first =
      run_example ("two-arms-1.hydrolink", HL_FORMULATION_DISCRETE, extra, error);
  g_autoptr (HlCliRecorder) second =
      first != NULL ? run_example ("two-arms-2.hydrolink", HL_FORMULATION_DISCRETE, extra, error) : NULL;
  if (second == NULL)
    return FALSE;
  HlResults *runs[] = {hl_cli_recorder_results (first), hl_cli_recorder_results (second)};
  Cell cells[] = {{runs[0], "theta1", NULL},        {runs[0], "theta2", NULL},
                  {runs[0], "pump_pressure", NULL}, {runs[0], "force1", NULL},
                  {runs[0], "force2", NULL},        {runs[1], "theta1", NULL},
                  {runs[1], "theta2", NULL},        {runs[1], "pump_pressure", NULL},
                  {runs[1], "force1", NULL},        {runs[1], "force2", NULL}};
  g_autofree char *table =
      table_of ("t [s],I theta1 [rad],I theta2 [rad],I P [Pa],I f1 [N],I f2 [N],II theta1 [rad],II theta2 "
                "[rad],II P [Pa],II f1 [N],II f2 [N]\n",
                cells, G_N_ELEMENTS (cells));
  HlPanel panels[6];

  hl_panel_init (&panels[0], "(a) commands", NULL, "");
  hl_panel_init (&panels[1], "(b) pressure at the node", NULL, "Pa");
  hl_panel_init (&panels[2], "(c) angle of arm 1", NULL, "°");
  hl_panel_init (&panels[3], "(d) angle of arm 2", NULL, "°");
  hl_panel_init (&panels[4], "(e) force of cylinder 1", NULL, "N");
  hl_panel_init (&panels[5], "(f) force of cylinder 2", NULL, "N");
  add_difference (&panels[0], runs[1], "ph1.opening", "pr1.opening", "arm 1",
                  hl_style_trace_color (&style, 2));
  add_difference (&panels[0], runs[1], "ph2.opening", "pr2.opening", "arm 2, scenario II",
                  hl_style_trace_color (&style, 3));
  for (int k = 0; k < 2; k++) {
    HlColor color = hl_style_trace_color (&style, k);
    hl_panel_add_column (&panels[1], runs[k], "pump_pressure", labels[k], color);
    hl_panel_add_column (&panels[2], runs[k], "theta1", labels[k], color)->y_factor = DEGREES;
    hl_panel_add_column (&panels[3], runs[k], "theta2", labels[k], color)->y_factor = DEGREES;
    hl_panel_add_column (&panels[4], runs[k], "force1", labels[k], color);
    hl_panel_add_column (&panels[5], runs[k], "force2", labels[k], color);
  }
  gboolean saved =
      hl_panels_save (all, "quasistatic-fig13-two-arms", panels, 3, 2, WIDTH_MM, 3.0 * HEIGHT_MM, error);
  clear_panels (panels, 6);
  return saved && hl_report_save (&all->report, "quasistatic-fig13-two-arms.csv", table, error);
}

gboolean hl_reproduce_arms (HlReproduction *all, GError **error) {
  return write_arm (all, error) && write_regeneration (all, error) && write_two_arms (all, error);
}
