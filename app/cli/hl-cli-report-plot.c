/* SPDX-License-Identifier: MIT */
/* The plots of a report, as the window draws them: those of the document, or one for each quantity
 * among the probes; the linear response dashed beside the run. */
#include "app/cli/hl-cli-report.h"
#include "ui/paint/chart/hl-scene-plot.h"

#define PLOT_HEIGHT_MM 70

static gboolean write_panel (HlReport *report, const HlPlotPanel *panel, int number, GError **error) {
  g_autoptr (HlPlotScene) scene = hl_plot_scene_new (panel);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlPlotSource source = {.document = report->cli->document,
                         .results = hl_cli_recorder_results (report->recorder),
                         .show_linear = TRUE,
                         .t_end = report->options.t_end,
                         .time = report->options.t_end,
                         .units = report->units};
  HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
  g_autofree char *stem = g_strdup_printf ("plot-%d", number);

  plot->events = report->corners;
  plot->n_events = report->n_corners;
  if (!hl_report_save_figure (report, stem, hl_figure_paint_plot, plot, HL_REPORT_WIDTH_MM, PLOT_HEIGHT_MM,
                              error))
    return FALSE;
  g_ptr_array_add (report->plots, g_steal_pointer (&stem));
  return TRUE;
}

gboolean hl_report_write_plots (HlReport *report, GError **error) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (report->cli->document);
  gboolean ok = TRUE;

  if (hl_results_n_rows (hl_cli_recorder_results (report->recorder)) == 0)
    return TRUE;
  for (guint k = 0; ok && k < panels->len; k++) {
    const HlPlotPanel *panel = g_ptr_array_index (panels, k);
    if (panel->traces[0] != NULL || panel->kind == HL_PLOT_ENERGY)
      ok = write_panel (report, panel, (int)k + 1, error);
  }
  return ok;
}
