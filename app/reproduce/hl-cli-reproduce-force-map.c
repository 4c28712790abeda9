/* SPDX-License-Identifier: MIT */
/* The figures of seed 002, of the quasistatic oil model: the force-velocity map of a cylinder, with its segments, with
 * regeneration, and of two cylinders on one pump (Figs 3, 8 and 12), and arms that it drives (Figs 6, 10 and 13). */
#include "app/reproduce/hl-cli-reproduce.h"

#include "core/io/hl-json-text.h"
#include "core/io/hl-csv-table.h"
#include "core/quasistatic/hl-quasi-force-velocity-map.h"
#include "core/quasistatic/hl-quasi-pump-group.h"
#include "hl-resources.h"

#include <gio/gio.h>

#include <math.h>
#include <string.h>

/* Figs 6, 10 and 13 of seed 002: arms driven by the quasistatic cylinder, held against a growing
 * load, with regeneration, and two of them on one pump. Loads, commands and the place of the base
 * are those of the examples; the source does not print them. */

#define EXAMPLES "/io/github/hydrolink/Hydrolink/examples/"
#define EVERY 0.002      /* of a plotted row [s] */
#define TABLE_EVERY 0.01 /* of a row of a table [s] */
#define TOLERANCE 1e-9
#define DEGREES (180.0 / G_PI)
#define MILLIMETRES 1000.0
#define SHUT_FROM 6.0 /* Fig. 6: the valves are closed again [s] */
/* Area times limit of the rod chamber: the pulling force at which its relief valve opens [N]. */
#define ARM_LIMIT_ROD 480.0e3
#define WIDTH_MM 200
#define ARM_HEIGHT_MM 52

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

/* Returns a run of an example with columns beside its probes. */
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

/* Returns the difference of two columns over time, as a curve. */
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
        value (results, "force", row) <= -ARM_LIMIT_ROD * (1.0 - 1e-9))
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
      hl_panels_save (all, "quasistatic-fig06-arm", panels, 3, 2, WIDTH_MM, 3.0 * ARM_HEIGHT_MM, error);
  clear_panels (panels, 6);
  return saved && hl_report_save (&all->report, "quasistatic-fig06-arm.csv", table, error);
}

/* --- Fig. 10 --- */

static gboolean write_arm_regeneration (HlReproduction *all, GError **error) {
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
  gboolean saved = hl_panels_save (all, "quasistatic-fig10-regeneration", panels, 2, 2, WIDTH_MM,
                                   2.0 * ARM_HEIGHT_MM, error);
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
      hl_panels_save (all, "quasistatic-fig13-two-arms", panels, 3, 2, WIDTH_MM, 3.0 * ARM_HEIGHT_MM, error);
  clear_panels (panels, 6);
  return saved && hl_report_save (&all->report, "quasistatic-fig13-two-arms.csv", table, error);
}

gboolean hl_reproduce_arms (HlReproduction *all, GError **error) {
  return write_arm (all, error) && write_arm_regeneration (all, error) && write_two_arms (all, error);
}

/* eq. (66); relative to the tank */
#define DISCHARGE 0.6
#define VALVE_AREA 1.0e-4 /* [m2] */
#define DENSITY 850.0
#define AREA_HEAD 0.024 /* [m2] */
#define AREA_ROD 0.012
#define LIMIT_HEAD 42.0e6 /* [Pa] */
#define LIMIT_ROD 40.0e6
#define LIMIT_PUMP 36.0e6
#define PUMP_FLOW (0.5 / 60.0) /* [m3/s] */
#define BLEED 0.2

#define SAMPLES 401
#define MOST_POINTS (SAMPLES + HL_QUASI_MAP_EXTRA)
#define HEIGHT_MM 62
#define LITRES_A_MINUTE 60000.0 /* from m3/s */

static double conductance (double opening) {
  return DISCHARGE * VALVE_AREA * opening * sqrt (2.0 / DENSITY);
}

/* Returns the actuator of eq. (67), with one command for the four main valves. */
static HlActuator make_actuator (double uc, double ua) {
  double forward = conductance (fmax (uc, 0.0)), backward = conductance (fmax (-uc, 0.0));

  return (HlActuator){.Ah = AREA_HEAD,
                      .Ar = AREA_ROD,
                      .PhM = LIMIT_HEAD,
                      .PrM = LIMIT_ROD,
                      .ph = hl_actuator_normalize (forward, AREA_HEAD),
                      .th = hl_actuator_normalize (backward, AREA_HEAD),
                      .pr = hl_actuator_normalize (backward, AREA_ROD),
                      .tr = hl_actuator_normalize (forward, AREA_ROD),
                      .ua = hl_actuator_normalize (conductance (ua), AREA_ROD)};
}

static HlPump make_pump (double ub) {
  return (HlPump){.Q = PUMP_FLOW, .Ub = conductance (ub), .PM = LIMIT_PUMP};
}

/* The map as a polyline; its rows go to the table. */
typedef struct {
  double v[MOST_POINTS], f[MOST_POINTS];
  HlQuasiMapPoint point[MOST_POINTS];
  int n;
} Map;

static HlStatus sample (Map *map, double uc, double ub, double ua, double from, double to, GString *table) {
  HlActuator actuator = make_actuator (uc, ua);
  HlPump pump = make_pump (ub);
  HlQuasiMapRange range = {from, to, SAMPLES};
  HlStatus status = hl_quasi_map_sample (&actuator, &pump, range, map->point, &map->n, NULL);

  for (int k = 0; status == HL_OK && k < map->n; k++) {
    map->v[k] = map->point[k].v;
    map->f[k] = map->point[k].f;
    g_string_append_printf (table, "%s,", hl_segment_name (map->point[k].segment));
    hl_table_append_numbers (table, (double[]){uc, ub, ua, map->v[k], map->f[k]}, 5);
  }
  return status;
}

static void velocity_axis (HlPanel *panel, double from, double to) {
  panel->plot.x.label = "v";
  panel->plot.x.unit = "m/s";
  panel->from = from;
  panel->to = to;
}

/* Returns one colour for each member of a family, from the darkest to the lightest. */
static HlColor family_color (int k, int n) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  return hl_style_pressure_color (&style, n > 1 ? (double)k / (n - 1) : 0.0);
}

/* --- Fig. 3 --- */

/* Adds every segment in its own colour, with its name. */
static HlStatus add_segments (HlPanel *panel, double uc, double from, double to, GString *table) {
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  g_autofree Map *map = g_new0 (Map, 1);
  HlStatus status = sample (map, uc, BLEED, 0.0, from, to, table);

  for (int begin = 0; status == HL_OK && begin + 1 < map->n;) {
    HlSegment segment = map->point[begin].segment;
    int end = begin + 1;
    while (end + 1 < map->n && map->point[end].segment == segment)
      end++;
    hl_panel_add (panel, map->v + begin, map->f + begin, end - begin + 1,
                  segment == HL_SEGMENT_HOLD ? "v = 0" : hl_segment_name (segment),
                  hl_style_trace_color (&style, panel->plot.n_series))
        ->width = 1.5 * HL_PANEL_WIDTH;
    begin = end;
  }
  return status;
}

static HlStatus add_family (HlPanel *panel, const double values[], const char *const labels[], int n,
                            gboolean over_command, GString *table) {
  g_autofree Map *map = g_new0 (Map, 1);
  HlStatus status = HL_OK;

  for (int k = 0; k < n && status == HL_OK; k++) {
    double uc = over_command ? values[k] : 0.7, ub = over_command ? BLEED : values[k];
    status = sample (map, uc, ub, 0.0, panel->from, panel->to, table);
    if (status == HL_OK)
      hl_panel_add (panel, map->v, map->f, map->n, labels[k], family_color (k, n));
  }
  return status;
}

static gboolean write_map (HlReproduction *all, GError **error) {
  static const double commands[] = {-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0};
  static const char *const command_labels[] = {"−1",   "−0.75", "−0.5", "−0.25", "0",
                                               "0.25", "0.5",   "0.75", "1"};
  static const double bleeds[] = {0.0, 0.2, 0.4, 0.6, 0.8, 1.0};
  static const char *const bleed_labels[] = {"0", "0.2", "0.4", "0.6", "0.8", "1"};
  static const char *const titles[] = {"(a) command 0.5, bleed 0.2", "(b) command −0.5, bleed 0.2",
                                       "(c) commands, bleed 0.2", "(d) command 0.7, bleeds"};
  g_autoptr (GString) table = g_string_new ("segment,uc,ub,ua,v [m/s],f [N]\n");
  HlPanel panels[4];
  HlStatus status = HL_OK;

  for (int k = 0; k < 4; k++) {
    hl_panel_init (&panels[k], titles[k], "f", "N");
    velocity_axis (&panels[k], k == 0 ? -0.4 : -1.6, k == 1 ? 0.4 : 1.6);
  }
  velocity_axis (&panels[0], -0.3, 1.0);
  velocity_axis (&panels[1], -1.0, 0.3);
  velocity_axis (&panels[3], -0.3, 1.3);
  status = add_segments (&panels[0], 0.5, panels[0].from, panels[0].to, table);
  if (status == HL_OK)
    status = add_segments (&panels[1], -0.5, panels[1].from, panels[1].to, table);
  if (status == HL_OK)
    status = add_family (&panels[2], commands, command_labels, G_N_ELEMENTS (commands), TRUE, table);
  if (status == HL_OK)
    status = add_family (&panels[3], bleeds, bleed_labels, G_N_ELEMENTS (bleeds), FALSE, table);
  if (status != HL_OK)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the map: %s", hl_status_text (status));
  gboolean saved = status == HL_OK && hl_panels_save (all, "quasistatic-fig03-map", panels, 2, 2, WIDTH_MM,
                                                      2.4 * HEIGHT_MM, error);
  for (int k = 0; k < 4; k++)
    hl_panel_clear (&panels[k]);
  return saved && hl_report_save (&all->report, "quasistatic-fig03-map.csv", table->str, error);
}

/* --- Fig. 8 --- */

static gboolean write_regeneration (HlReproduction *all, GError **error) {
  static const double openings[] = {0.0, 0.25, 0.5, 0.75, 1.0};
  static const char *const labels[] = {"0", "0.25", "0.5", "0.75", "1"};
  g_autoptr (GString) table = g_string_new ("segment,uc,ub,ua,v [m/s],f [N]\n");
  g_autofree Map *map = g_new0 (Map, 1);
  double flow[MOST_POINTS];
  HlPanel panels[2];
  HlStatus status = HL_OK;

  hl_panel_init (&panels[0], "(a) force over regeneration opening", "f", "N");
  hl_panel_init (&panels[1], "(b) regenerated flow", NULL, "L/min");
  for (int k = 0; k < 2; k++)
    velocity_axis (&panels[k], k == 0 ? -0.3 : 0.0, 1.6);
  for (guint k = 0; k < G_N_ELEMENTS (openings) && status == HL_OK; k++) {
    HlActuator actuator = make_actuator (0.5, openings[k]);
    HlPump pump = make_pump (BLEED);
    HlColor color = family_color ((int)k, G_N_ELEMENTS (openings));
    status = sample (map, 0.5, BLEED, openings[k], panels[0].from, panels[0].to, table);
    hl_panel_add (&panels[0], map->v, map->f, map->n, labels[k], color);
    for (int i = 0; i < map->n && status == HL_OK; i++) {
      HlQuasiGamma state;
      status = hl_quasi_gamma_eval (&actuator, &pump, map->v[i], &state, NULL);
      flow[i] = LITRES_A_MINUTE * state.Q_regeneration;
    }
    hl_panel_add (&panels[1], map->v, flow, map->n, labels[k], color);
  }
  if (status != HL_OK)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "regeneration: %s", hl_status_text (status));
  gboolean saved = status == HL_OK && hl_panels_save (all, "quasistatic-fig08-regeneration", panels, 1, 2,
                                                      WIDTH_MM, 1.2 * HEIGHT_MM, error);
  for (int k = 0; k < 2; k++)
    hl_panel_clear (&panels[k]);
  return saved && hl_report_save (&all->report, "quasistatic-fig08-regeneration.csv", table->str, error);
}

/* --- Fig. 12 --- */

/* Adds the force of the first cylinder, node pressure and relief flow over v1 with v2 fixed. */
static HlStatus add_shared (HlPanel panels[3], double uc, double v2, const char *label, HlColor color,
                            GString *table) {
  HlActuator actuators[2] = {make_actuator (uc, 0.0), make_actuator (uc, 0.0)};
  HlPump pump = make_pump (BLEED);
  HlQuasiSlot slots[2];
  HlQuasiGroup group = {&pump, 2, actuators, slots};
  double v[SAMPLES + 1], f[SAMPLES + 1], P[SAMPLES + 1], relief[SAMPLES + 1];
  HlStatus status = HL_OK;
  int n = 0;

  for (int k = 0; k < SAMPLES && status == HL_OK; k++) {
    /* an odd number of samples over a symmetric range: the one in the middle is rest */
    double v1 = panels[0].from + (panels[0].to - panels[0].from) * k / (SAMPLES - 1);
    HlQuasiGamma state[2];
    HlQuasiBalance balance;
    if (fabs (v1) < 1e-9)
      v1 = 0.0;
    status = hl_quasi_group_gamma (&group, (double[]){v1, v2}, state, &balance);
    for (int end = 0; end < (v1 == 0.0 ? 2 : 1) && status == HL_OK; end++) {
      v[n] = v1;
      f[n] = v1 == 0.0 ? (end == 0 ? state[0].f_hi : state[0].f_lo) : state[0].f;
      P[n] = balance.P;
      relief[n] = LITRES_A_MINUTE * balance.Q_relief;
      hl_table_append_numbers (table, (double[]){uc, v2, v1, f[n], P[n], balance.Q_relief}, 6);
      n++;
    }
  }
  hl_panel_add (&panels[0], v, f, n, label, color);
  hl_panel_add (&panels[1], v, P, n, label, color);
  hl_panel_add (&panels[2], v, relief, n, label, color);
  return status;
}

static gboolean write_shared_pump (HlReproduction *all, GError **error) {
  static const char *const titles[2][3] = {
      {"(a) command 0.5: force", "(b) pressure at the node", "(c) pump relief flow"},
      {"(d) command −0.5: force", "(e) pressure at the node", "(f) pump relief flow"}};
  static const char *const names[] = {"f₁", "P", NULL}, *const units[] = {"N", "Pa", "L/min"};
  static const char *const labels[2][4] = {{"v₂ = 0", "0.1", "0.2", "0.3"},
                                           {"v₂ = 0", "−0.2", "−0.4", "−0.6"}};
  g_autoptr (GString) table = g_string_new ("uc,v2 [m/s],v1 [m/s],f1 [N],P [Pa],relief flow [m3/s]\n");
  HlPanel panels[6];
  HlStatus status = HL_OK;

  for (int row = 0; row < 2; row++) {
    for (int k = 0; k < 3; k++) {
      hl_panel_init (&panels[3 * row + k], titles[row][k], names[k], units[k]);
      velocity_axis (&panels[3 * row + k], -1.0, 1.0);
      panels[3 * row + k].plot.x.label = "v₁";
    }
    for (int k = 0; k < 4 && status == HL_OK; k++)
      status = add_shared (&panels[3 * row], row == 0 ? 0.5 : -0.5, row == 0 ? 0.1 * k : -0.2 * k,
                           labels[row][k], family_color (k, 4), table);
  }
  if (status != HL_OK)
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "two cylinders: %s", hl_status_text (status));
  gboolean saved = status == HL_OK && hl_panels_save (all, "quasistatic-fig12-shared-pump", panels, 2, 3,
                                                      1.5 * WIDTH_MM, 2.4 * HEIGHT_MM, error);
  for (int k = 0; k < 6; k++)
    hl_panel_clear (&panels[k]);
  return saved && hl_report_save (&all->report, "quasistatic-fig12-shared-pump.csv", table->str, error);
}

gboolean hl_reproduce_maps (HlReproduction *all, GError **error) {
  return write_map (all, error) && write_regeneration (all, error) && write_shared_pump (all, error);
}
