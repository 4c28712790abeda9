/* SPDX-License-Identifier: MIT */
/* Fig. 13, the friction and its tangent at rest; Table 3, and the matrix (88) it comes from, by
 * both models. */
#include "app/reproduce/hl-cli-reproduce.h"
#include "core/hydro/hl-friction.h"
#include "core/io/hl-table.h"

#include <math.h>
#include <string.h>

#define FRICTION_RANGE 0.03 /* [m/s] */
#define FRICTION_POINTS 601
#define FRICTION_TOP 1000.0 /* of the force axis [N] */
#define FRICTION_HEIGHT_MM 90

gboolean hl_reproduce_friction (HlReproduction *all, GError **error) {
  static double v[FRICTION_POINTS], F[FRICTION_POINTS], tangent[FRICTION_POINTS];
  HlFriction friction = hl_spatial_parameters_default ().cylinder.friction;
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlPlotSeries series[2 + HL_REPRODUCE_SCENARIOS];
  double marks[HL_REPRODUCE_SCENARIOS][2], ends[2] = {-2 * FRICTION_TOP, 2 * FRICTION_TOP};
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new ("speed [m/s],F [N],tangent [N]\n");
  HlPlot plot = hl_plot_make ();
  double slope, unused;

  hl_friction_force (&friction, 0.0, &slope);
  for (int k = 0; k < FRICTION_POINTS; k++) {
    v[k] = FRICTION_RANGE * (2.0 * k / (FRICTION_POINTS - 1) - 1.0);
    F[k] = hl_friction_force (&friction, v[k], &unused);
    tangent[k] = slope * v[k];
    hl_table_append_numbers (text, (double[]){v[k], F[k], tangent[k]}, 3);
  }
  series[0] = (HlPlotSeries){.samples = {.x = v, .y = F, .n = FRICTION_POINTS},
                             .label = "Fμ",
                             .color = hl_style_trace_color (&style, 0),
                             .width = 1.5};
  series[1] = (HlPlotSeries){.samples = {.x = v, .y = tangent, .n = FRICTION_POINTS},
                             .label = "tangent Tμ¹",
                             .color = hl_style_trace_color (&style, 1),
                             .dash = HL_DASH_DASHED};
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    const HlScenario *one = &all->scenarios[k];
    marks[k][0] = marks[k][1] = one->largest_speed;
    g_ptr_array_add (labels, g_strdup_printf ("largest speed, friction × %g", one->friction_scale));
    series[2 + k] = (HlPlotSeries){.samples = {.x = marks[k], .y = ends, .n = 2},
                                   .label = g_ptr_array_index (labels, k),
                                   .color = hl_style_trace_color (&style, 2 + k),
                                   .dash = HL_DASH_DOTTED,
                                   .unsorted = TRUE};
  }
  plot.title = "Friction of the cylinder and its tangent at rest";
  plot.x.label = "ṡ";
  plot.x.unit = "m/s";
  plot.left.label = "F";
  plot.left.unit = "N";
  plot.series = series;
  plot.n_series = G_N_ELEMENTS (series);
  plot.x.axis.min = -FRICTION_RANGE;
  plot.x.axis.max = FRICTION_RANGE;
  plot.left.axis.min = -FRICTION_TOP;
  plot.left.axis.max = FRICTION_TOP;
  return hl_report_save_figure (&all->report, "fig13-friction", hl_figure_paint_plot, &plot,
                                HL_REPORT_WIDTH_MM, FRICTION_HEIGHT_MM, error) &&
         hl_report_save (&all->report, "fig13-friction.csv", text->str, error);
}

/* --- Table 3 --- */

static gboolean write_table_3 (HlReproduction *all, GError **error) {
  g_autoptr (GString) text = g_string_new ("scenario,eigenvalue,re [1/s],im [rad/s]\n");

  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    const HlScenario *one = &all->scenarios[k];
    int order[HL_REPRODUCE_STATES];
    hl_reproduce_order (one->lin, order);
    for (int i = 0; i < one->lin->n; i++) {
      const HlEigenvalue *value = &one->lin->eigenvalues[order[i]];
      g_string_append_printf (text, "%s,%d,", one->stem, i + 1);
      hl_table_append_numbers (text, (double[]){value->re, value->im}, 2);
    }
  }
  return hl_report_save (&all->report, "table3-eigenvalues.csv", text->str, error);
}

/* J of the planar and of the spatial model, entry by entry. */
static gboolean write_matrices (HlReproduction *all, GError **error) {
  g_autoptr (GString) text =
      g_string_new ("scenario,row,column,planar model,spatial model of ten coordinates\n");

  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    const HlScenario *one = &all->scenarios[k];
    int n = one->lin->n;
    for (int row = 0; row < n; row++)
      for (int column = 0; column < n; column++) {
        g_string_append_printf (text, "%s,%s,%s,", one->stem, one->lin->state_names[row],
                                one->lin->state_names[column]);
        hl_table_append_numbers (
            text, (double[]){one->lin->J[column * n + row], one->spatial->J[column * n + row]}, 2);
      }
  }
  return hl_report_save (&all->report, "matrix88.csv", text->str, error);
}

/* As the source numbers them: the null ones, those of the motion, that of the spool. */
void hl_reproduce_order (const HlLinearization *lin, int order[HL_REPRODUCE_STATES]) {
  int n = 0, spool = -1;

  for (int k = 0; k < lin->n; k++)
    if (lin->eigenvalues[k].null)
      order[n++] = k;
  for (int k = 0; k < lin->n; k++) {
    if (lin->eigenvalues[k].null)
      continue;
    if (g_str_has_suffix (lin->state_names[hl_cli_strongest_state (lin, k)], ".spool"))
      spool = k;
    else
      order[n++] = k;
  }
  if (spool >= 0)
    order[n] = spool;
}

double hl_reproduce_disagreement (const HlScenario *one) {
  double worst = 0.0;

  for (int k = 0; k < one->lin->n * one->lin->n; k++)
    if (one->lin->J[k] != 0.0 && fabs (one->spatial->J[k]) > 1e-20)
      worst = fmax (worst, fabs (one->spatial->J[k] / one->lin->J[k] - 1.0));
  return worst;
}

gboolean hl_reproduce_eigenvalues (HlReproduction *all, GError **error) {
  return write_table_3 (all, error) && write_matrices (all, error);
}
