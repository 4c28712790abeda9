/* SPDX-License-Identifier: MIT */
/* hydrolink reproduce: the figures and tables of seed 000 from the built-in example, and its own
 * spatial model beside it. */
#include "app/reproduce/hl-cli-reproduce.h"
#include "core/run/hl-snapshot.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MODEL "four-bar.hydrolink"
#define EVERY 0.00025 /* of a plotted row: ringing at 73 Hz is round [s] */
#define TOLERANCE 1e-9

const char *const hl_reproduce_probes[HL_REPRODUCE_QUANTITIES] = {"phi2", "p1", "p2", "p3"};

static const struct {
  const char *set, *stem;
  double friction_scale;
} scenarios[HL_REPRODUCE_SCENARIOS] = {
    {"Overdamped", "overdamped", 1.0},
    {"Underdamped, high friction", "underdamped-high-friction", 0.1},
    {"Underdamped, low friction", "underdamped-low-friction", 0.01},
};

/* --- what is computed --- */

static gboolean linearize (HlReproduction *all, HlScenario *one, GError **error) {
  HlWork *work = hl_work_new (one->system);
  HlPoint *start = hl_point_new (one->system);
  HlLinearizeOptions how = hl_linearize_options_default ();
  HlFault fault = {.time = NAN, .entity = -1};

  if (hl_start_point (one->system, work, HL_START_EQUILIBRIUM, NULL, start, NULL, &fault) == HL_OK)
    one->lin = hl_linearize (one->system, work, start, &how, &fault);
  hl_work_free (work);
  if (one->lin == NULL)
    hl_cli_set_fault (error, one->system, &fault);
  if (all->report.start == NULL)
    all->report.start = start;
  else
    hl_point_free (start);
  return one->lin != NULL;
}

static gboolean simulate (HlReproduction *all, HlScenario *one, const HlDocument *document, GError **error) {
  static const char *const extra[] = {"M2.signal", "cyl.speed", NULL};

  all->report.options = hl_sim_options_from_model (one->system);
  all->report.options.every = EVERY;
  all->report.options.rtol = TOLERANCE;
  one->recorder = hl_cli_recorder_new (document, one->system, HL_RECORD_LINEAR, extra, error);
  return one->recorder != NULL &&
         hl_cli_recorder_run (one->recorder, one->system, &all->report.options, &one->stats, error);
}

/* The same linearization in the ten coordinates of the source. */
static HlConstrainedLinearization *spatial_linearization (double friction_scale, gboolean force_on_s,
                                                          GError **error) {
  static const int ai[] = {HL_SPATIAL_PHI2};
  HlSpatialParameters par = hl_spatial_parameters_default ();
  double x[HL_SPATIAL_N], v[HL_SPATIAL_N], z[HL_SPATIAL_N_Z];

  par.cylinder.friction.scale = friction_scale;
  par.force_on_s = force_on_s;
  HlSpatialFourBar *bar = hl_spatial_four_bar_new (&par);
  const HlConstrained *system = hl_spatial_four_bar_system (bar);
  HlConstrainedLinearization *lin = hl_constrained_linearization_new (system);
  HlConstrainedState state = {.x = x, .v = v, .z = z};
  HlStatus status = hl_spatial_four_bar_pose (bar, HL_REPRODUCE_ANGLE, 0.0, x, v);
  if (status == HL_OK)
    status = hl_spatial_four_bar_balance (bar, x, HL_REPRODUCE_ROD_PRESSURE, z);
  if (status == HL_OK)
    status = hl_constrained_linearize (system, 0.0, &state, ai, NULL, lin, NULL);
  hl_spatial_four_bar_free (bar);
  if (status == HL_OK)
    return lin;
  hl_constrained_linearization_free (lin);
  g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the spatial model: %s", hl_status_text (status));
  return NULL;
}

static gboolean compute (HlReproduction *all, GError **error) {
  const HlCli *cli = all->report.cli;

  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    HlScenario *one = &all->scenarios[k];
    g_autoptr (HlDocument) document = hl_document_apply_set (cli->document, scenarios[k].set, error);
    one->name = scenarios[k].set;
    one->stem = scenarios[k].stem;
    one->friction_scale = scenarios[k].friction_scale;
    if (document == NULL || (one->system = hl_cli_compile_quietly (document, error)) == NULL ||
        !linearize (all, one, error) || !simulate (all, one, document, error) ||
        (one->spatial = spatial_linearization (one->friction_scale, FALSE, error)) == NULL)
      return FALSE;
  }
  for (int on_s = 0; on_s < 2; on_s++)
    if ((all->multipliers[on_s] = spatial_linearization (1.0, on_s, error)) == NULL)
      return FALSE;
  double corners[HL_REPORT_MOST_CORNERS];
  int n = hl_signal_corners (all->scenarios[0].system, all->report.options.t_end, corners,
                             HL_REPORT_MOST_CORNERS);
  all->pulse_end = n > 0 ? corners[n - 1] : 0.0;
  return TRUE;
}

/* --- the command --- */

static void reproduction_clear (HlReproduction *all) {
  GPtrArray *lists[] = {all->report.plots, all->report.drawings, all->report.tables, all->report.problems};

  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++)
    g_ptr_array_unref (lists[k]);
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    HlScenario *one = &all->scenarios[k];
    g_clear_pointer (&one->recorder, hl_cli_recorder_free);
    hl_linearization_free (one->lin);
    hl_constrained_linearization_free (one->spatial);
    g_clear_pointer (&one->system, hl_system_unref);
  }
  for (int on_s = 0; on_s < 2; on_s++)
    hl_constrained_linearization_free (all->multipliers[on_s]);
  if (all->report.start != NULL)
    hl_point_free (all->report.start);
  g_array_unref (all->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlReproduction, reproduction_clear)

static gboolean write_all (HlReproduction *all, GError **error) {
  HlReport *report = &all->report;

  static gboolean (*const parts[]) (HlReproduction * all, GError * *error) = {
      hl_reproduce_responses, hl_reproduce_friction, hl_reproduce_eigenvalues, hl_reproduce_counterpart,
      hl_reproduce_maps,      hl_reproduce_arms,     hl_reproduce_text};

  report->lin = all->scenarios[0].lin;
  if (!hl_report_write_drawings (report, error))
    return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++) {
    if (hl_cli_is_stopped ()) {
      g_set_error (error, HL_ERROR, HL_ERROR_CANCELLED, "stopped by %s", hl_cli_stopped_by ());
      return FALSE;
    }
    if (!parts[k](all, error))
      return FALSE;
  }
  return TRUE;
}

/* What was done until somebody stopped it is in the folder. */
static gboolean make (HlReproduction *all, GError **error) {
  HlCliWait wait;

  hl_cli_wait_begin (&wait, 1.0);
  hl_cli_hold_signals ();
  gboolean done = compute (all, error) && write_all (all, error);
  hl_cli_wait_end (&wait);
  if (!done && g_error_matches (*error, HL_ERROR, HL_ERROR_CANCELLED))
    g_prefix_error (error, "the figures that were done are in %s: ", all->report.folder);
  return done;
}

static gboolean run (HlCli *cli, GError **error) {
  g_auto (HlReproduction) all = {.report = {.cli = cli,
                                            .folder = hl_cli_text (cli, "out"),
                                            .plots = g_ptr_array_new_with_free_func (g_free),
                                            .drawings = g_ptr_array_new_with_free_func (g_free),
                                            .tables = g_ptr_array_new_with_free_func (g_free),
                                            .problems = g_ptr_array_new_with_free_func (g_free)},
                                 .errors = g_array_new (FALSE, FALSE, sizeof (HlCounterpartError))};

  if (!hl_cli_require (cli, "out", error))
    return FALSE;
  if (g_mkdir_with_parents (all.report.folder, 0777) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be made: %s", all.report.folder,
                 g_strerror (errno));
    return FALSE;
  }
  all.report.units[HL_QUANTITY_PRESSURE] = hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
  if ((cli->document = hl_reproduce_example (MODEL, error)) == NULL ||
      (cli->system = hl_cli_compile_quietly (cli->document, error)) == NULL || !make (&all, error))
    return FALSE;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_report_put_files (answer, &all.report);
  return hl_report_tell (&all.report, answer, error);
}

static const HlCliOption options[] = {
    {"out", "DIR", "the folder to write; it is made when it is not there", FALSE},
    {"json", NULL, "say as one JSON object what was written", FALSE},
    {NULL},
};

const HlCliCommand hl_reproduce_command = {
    .name = "reproduce",
    .usage = "--out DIR [--json]",
    .summary = "write the figures and tables of the published four-bar study",
    .text = "Writes into a folder what the study of the hydraulically actuated four-bar shows: the "
            "torque\npulse, the nonlinear and the linear response in three scenarios, the friction "
            "and its\ntangent, the eigenvalues, and the comparison with central differences in "
            "accuracy and\ntime; each as SVG, PNG and CSV, and report.md, which explains them. The "
            "source's own\nmodel with ten spatial coordinates is linearized beside the planar one.",
    .options = options,
    .no_file = TRUE,
    .run = run,
};
