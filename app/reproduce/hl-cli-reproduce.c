/* SPDX-License-Identifier: MIT */
/* hydrolink reproduce: the figures and tables of seed 000, computed from the built-in example and from the
 * paper's own spatial model. */
#include "app/reproduce/hl-cli-reproduce.h"

#include "core/hydro/hl-friction.h"
#include "core/io/hl-csv-table.h"
#include "core/run/hl-state-snapshot.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <math.h>
#include <string.h>

/* Fig. 13, the friction and its tangent at rest; Table 3, and the matrix (88) it comes from, by
 * both models. */

#define FRICTION_RANGE 0.03 /* [m/s] */
#define FRICTION_POINTS 601
#define FRICTION_TOP 1000.0 /* of the force axis [N] */
#define FRICTION_HEIGHT_MM 90

/* Reproduces figure 13. */
static gboolean reproduce_friction (HlReproduction *all, GError **error) {
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

/* Writes J of the planar and of the spatial model, entry by entry. */
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

/* Orders the eigenvalues as the source numbers them: the null ones, those of the motion, that of the spool. */
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

/* Returns the largest relative difference of a nonzero entry of J between the planar and the spatial model. */
static double reproduce_disagreement (const HlScenario *one) {
  double worst = 0.0;

  for (int k = 0; k < one->lin->n * one->lin->n; k++)
    if (one->lin->J[k] != 0.0 && fabs (one->spatial->J[k]) > 1e-20)
      worst = fmax (worst, fabs (one->spatial->J[k] / one->lin->J[k] - 1.0));
  return worst;
}

/* Reproduces table 3 and the matrices behind it. */
static gboolean reproduce_eigenvalues (HlReproduction *all, GError **error) {
  return write_table_3 (all, error) && write_matrices (all, error);
}

/* report.md of `reproduce`: every figure and table with a sentence that says what it shows. */

#define DIGITS 4

/* Appends a number with fourteen significant digits. */
static void append_fourteen (GString *text, double value) {
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (value == 0.0)
    g_string_append (text, "0");
  else
    g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%#.14g", value));
}

static void append_pretty (GString *text, const char *before, double value, int digits, const char *after) {
  g_autofree char *number = hl_cli_pretty (value, digits);

  g_string_append_printf (text, "%s%s%s", before, number, after);
}

static void append_figure (GString *text, const char *stem, const char *caption) {
  g_string_append_printf (text, "![%s](%s.svg)\n\n%s\n\n", stem, stem, caption);
}

static void append_model (GString *text, const HlReproduction *all) {
  static const char *const names[] = {"in the source: force at the mass centre of link 2",
                                      "force on the coordinate s"};
  const HlPoint *start = all->report.start;

  g_string_append (
      text, "# The hydraulically actuated four-bar, reproduced\n\n"
            "A cylinder drives the input link of a four-bar through a throttle and a directional valve "
            "that stands shut. The equations of motion are linearized exactly at the equilibrium and "
            "compared with the nonlinear motion and with central differences, as in section 4 of the "
            "source "
            "([doi:10.1007/s11071-023-08345-6](https://doi.org/10.1007/s11071-023-08345-6)). Numbers of "
            "figures, tables and equations are those of the source. All numbers "
            "come from one run of this program. Lengths and masses are the whole numbers that meet every "
            "figure "
            "printed in the source, the hydraulic ones those published for the same circuit by its "
            "research "
            "group. The source's model of ten spatial coordinates and nine "
            "constraints is solved beside the planar one of the drawing.\n\n"
            "## The model and its equilibrium\n\n");
  append_figure (text, "linkage", "Figs 3 and 4. The linkage at its equilibrium, 60° at the input link.");
  append_figure (text, "circuit",
                 "Fig. 5. The circuit: three volumes of oil, V1 to V3, with one pressure each.");
  append_pretty (text, "At rest p₁ = p₂ = ", start->p[1] / 1e6, 14, " MPa and p₃ = ");
  append_pretty (text, "", start->p[2] / 1e6, DIGITS,
                 " MPa balance the weight (eq. (91)). Constraint forces of eqs. (84) to (86), in "
                 "N:\n\n| | Λ₁ | Λ₂ | Λ₃ | Λ₄ | Λ₅ | Λ₆ | Λ₇ | Λ₈ | Λ₉ "
                 "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (int on_s = 0; on_s < 2; on_s++) {
    g_string_append_printf (text, "| %s |", names[on_s]);
    for (int row = 0; row < HL_SPATIAL_ROWS; row++) {
      double force = all->multipliers[on_s]->lambda[row];
      append_pretty (text, " ", fabs (force) < 1e-9 ? 0.0 : force, 8, " |");
    }
    g_string_append (text, "\n");
  }
  g_string_append (text, "\n");
}

static void append_table_3 (GString *text, const HlReproduction *all) {
  double worst = 0.0;

  g_string_append (text, "## Table 3: eigenvalues, fourteen digits\n\n| | ");
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    append_pretty (text, "friction × ", all->scenarios[k].friction_scale, DIGITS, " | ");
    worst = fmax (worst, reproduce_disagreement (&all->scenarios[k]));
  }
  g_string_append (text, "\n|---|---:|---:|---:|\n");
  for (int i = 0; i < HL_REPRODUCE_STATES; i++) {
    g_string_append_printf (text, "| λ%d |", i + 1);
    for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
      int order[HL_REPRODUCE_STATES];
      hl_reproduce_order (all->scenarios[k].lin, order);
      const HlEigenvalue *value = &all->scenarios[k].lin->eigenvalues[order[i]];
      g_string_append (text, " ");
      append_fourteen (text, value->re);
      if (value->im != 0.0) {
        g_string_append (text, value->im > 0.0 ? " + " : " − ");
        append_fourteen (text, fabs (value->im));
        g_string_append (text, " i");
      }
      g_string_append (text, " |");
    }
    g_string_append (text, "\n");
  }
  append_pretty (
      text,
      "\nIn 1/s. Friction at full strength makes the motion overdamped; a tenth and a hundredth of "
      "it leave an oscillation. λ₁ and λ₂ are zero because a shut valve traps two volumes of oil; "
      "λ₆ "
      "= −1/τ is the spool's. The matrix (88) behind them is in `matrix88.csv`; its entries from "
      "the planar and from the spatial model differ by at most ",
      worst, 2, " of themselves.\n\n");
}

static void append_responses (GString *text, const HlReproduction *all) {
  static const char *const angle_says[] = {
      "the link follows the torque and creeps back without swinging",
      "the link swings back, and a few oscillations die away",
      "with a hundredth of the friction it rings for a long time; only the throttle and what is "
      "left "
      "of the friction take energy away"};

  g_string_append (text, "## Nonlinear (NL) and linear (L) response\n\n");
  append_figure (text, "fig06-torque",
                 "Fig. 6. The torque on the input link grows for one second, stays for half a "
                 "second and vanishes at t₂ = 1.5 s. From there on the linear model answers alone, "
                 "started from the nonlinear state.");
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    const HlScenario *one = &all->scenarios[k];
    g_autofree char *angle = g_strdup_printf ("fig%02d-%s-angle", 7 + 2 * k, one->stem);
    g_autofree char *pressures = g_strdup_printf ("fig%02d-%s-pressures", 8 + 2 * k, one->stem);
    g_autofree char *angle_caption =
        g_strdup_printf ("Fig. %d. %s: %s. (b) shows what follows the end of the torque.", 7 + 2 * k,
                         one->name, angle_says[k]);
    g_autofree char *pressure_caption = g_strdup_printf (
        "Fig. %d. The pressures on the piston side, p₁ and p₂, lie on each other because the "
        "throttle stays laminar; p₃ on the rod side answers the other way. Values over time: "
        "`response-%s.csv`.",
        8 + 2 * k, one->stem);
    append_figure (text, angle, angle_caption);
    append_figure (text, pressures, pressure_caption);
  }
  g_string_append (text, "How far NL and L are apart after t₂ (sampled every 0.01 s):\n\n| | RMS φ₂ "
                         "[rad] | largest [rad] | RMS p₁ [Pa] | RMS p₂ [Pa] | RMS p₃ [Pa] | largest "
                         "cylinder speed [m/s] |\n|---|---:|---:|---:|---:|---:|---:|\n");
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    const HlScenario *one = &all->scenarios[k];
    g_string_append_printf (text, "| %s |", one->name);
    append_pretty (text, " ", one->rms[0], DIGITS, " |");
    append_pretty (text, " ", one->most[0], DIGITS, " |");
    for (int q = 1; q < HL_REPRODUCE_QUANTITIES; q++)
      append_pretty (text, " ", one->rms[q], DIGITS, " |");
    append_pretty (text, " ", one->largest_speed, DIGITS, " |\n");
  }
  g_string_append (text, "\n");
  append_figure (text, "fig13-friction",
                 "Fig. 13. Why: the tangent of the friction at rest is good as long as the cylinder "
                 "moves slowly. The dotted lines mark the largest speed after t₂ in each scenario: "
                 "in the overdamped one it stays on the tangent, in the others it does not.");
}

/* Returns the step with the smallest error of lambda 3, of one way to step pressures. */
static HlCounterpartError best_step (const HlReproduction *all, int unit) {
  HlCounterpartError best = {.error = {{INFINITY, INFINITY}, {INFINITY, INFINITY}}};

  for (guint k = 0; k < all->errors->len; k++) {
    HlCounterpartError point = g_array_index (all->errors, HlCounterpartError, k);
    if (fmax (point.error[unit][0], point.error[unit][1]) < fmax (best.error[unit][0], best.error[unit][1]))
      best = point;
  }
  return best;
}

static void append_counterpart (GString *text, const HlReproduction *all) {
  HlCounterpartError si = best_step (all, 0), scaled = best_step (all, 1);

  g_string_append (text, "## The counterpart: central differences in all states\n\n");
  append_figure (text, "fig14-counterpart-error",
                 "Fig. 14. Relative error of λ₃ and λ₄ of the overdamped scenario over the step h. "
                 "Large steps leave the straight part of the friction, small ones drown in "
                 "rounding; errors near one mean that the nearest computed eigenvalue is another "
                 "one.");
  append_pretty (text, "With one h in SI units for every state the best step is near ", si.h, 2, ", ");
  append_pretty (text, "where the errors are ", si.error[0][0], 2, "");
  append_pretty (text, " and ", si.error[0][1], 2, "; ");
  append_pretty (text, "with 10⁶ h Pa for the pressures it is near ", scaled.h, 2, ", ");
  append_pretty (text, "with ", scaled.error[1][0], 2, "");
  append_pretty (text, " and ", scaled.error[1][1], 2, ". The exact matrix has no step to choose.\n\n");
  g_string_append_printf (
      text,
      "The matrix of the counterpart has %d states, %d null eigenvalues in %d blocks: %d more than "
      "the exact one, two for each of the %d constraints, none of which is physical. ",
      all->n_full, all->n_full_null, all->n_full_blocks, all->n_full_null - 2, HL_SPATIAL_ROWS);
  append_pretty (text, "Differences with a step for each state scatter them up to ", all->spurious_modulus, 2,
                 " 1/s from zero, ");
  append_pretty (text, "with real parts up to +", all->spurious_growth, 2,
                 " 1/s: a largest real part taken from the counterpart says nothing about "
                 "stability.\n\n");
  g_string_append (text, "## Time\n\n| | states | this program [ms] | source [ms] "
                         "|\n|---|---:|---:|---:|\n");
  for (int k = 0; k < all->n_timings; k++) {
    const HlTiming *timing = &all->timings[k];
    g_string_append_printf (text, "| %s | %d |", timing->what, timing->states);
    append_pretty (text, " ", 1e3 * timing->seconds, 3, " |");
    if (isnan (timing->published))
      g_string_append (text, " |\n");
    else
      append_pretty (text, " ", 1e3 * timing->published, 3, " |\n");
  }
  append_pretty (text, "\nThe exact matrix is the cheaper one as well: ",
                 all->timings[1].seconds / all->timings[0].seconds, 3, " times in the spatial model ");
  append_pretty (text, "and ", all->timings[3].seconds / all->timings[2].seconds, 3,
                 " times in the planar one; the source found 3.2 times.\n\n");
}

static void append_quasistatic (GString *text, const HlReproduction *all) {
  g_string_append (
      text, "## A second source: the quasistatic cylinder\n\n"
            "The quasistatic oil model of a cylinder is a set-valued map from its velocity to its force "
            "(seed 002 in the list of sources of the README). Its figures, with the numbers of its eqs. "
            "(66) "
            "and (67); loads, commands and the place of the cylinder's base are choices, the source does "
            "not "
            "print them:\n\n");
  append_figure (text, "quasistatic-fig03-map",
                 "Fig. 3. The map never rises, and at rest it is an interval: the force that the shut "
                 "check valves can hold. (a) and (b) name its segments by what limits the force, (c) "
                 "and (d) show how command and bleed opening move it.");
  append_figure (text, "quasistatic-fig06-arm",
                 "Fig. 6. An arm holds its angle while the valves are shut, rises when they open, and "
                 "is pushed down by the growing load once the relief valve of the rod chamber opens "
                 "(thin vertical). The ODE form of the cylinder with its virtual element and the "
                 "discrete form with steps of 1 ms lie on each other; the virtual element stays within "
                 "millimetres.");
  append_pretty (text, "The relief valve opens at t* = ", all->relief_opens, 6, " s.\n\n");
  append_figure (text, "quasistatic-fig08-regeneration",
                 "Fig. 8. Regeneration at command 0.5 and bleed 0.2: the more the valve between rod "
                 "and head opens, the faster the rod extends under a pulling load, and the more oil "
                 "passes it.");
  append_figure (text, "quasistatic-fig10-regeneration",
                 "Fig. 10. The arm lowered by the same command with the regeneration valve shut and "
                 "half open: it sinks faster when the rod's oil may go to the head.");
  append_figure (text, "quasistatic-fig12-shared-pump",
                 "Fig. 12. Two equal cylinders on one pump: the faster the second one moves, the less "
                 "force and speed is left for the first, the lower the pressure at their node and the "
                 "smaller the flow that the pump relief valve lets go.");
  append_figure (text, "quasistatic-fig13-two-arms",
                 "Fig. 13. Two arms on one pump with the same command to the first: in scenario II "
                 "the second one is moved as well, the pressure at the node falls, and the first arm "
                 "is slowed down.");
}

static void append_files (GString *text, const HlReproduction *all) {
  g_string_append (text, "## Files\n\nEvery picture lies here as SVG and as PNG; the numbers are in ");
  for (guint k = 0; k < all->report.tables->len; k++)
    g_string_append_printf (text, "%s[%s](%s)", k == 0 ? "" : ", ",
                            (const char *)g_ptr_array_index (all->report.tables, k),
                            (const char *)g_ptr_array_index (all->report.tables, k));
  g_string_append (text, ", in SI units.\n");
}

/* Writes report.md. */
static gboolean reproduce_text (HlReproduction *all, GError **error) {
  g_autoptr (GString) text = g_string_new (NULL);

  append_model (text, all);
  append_table_3 (text, all);
  append_responses (text, all);
  append_counterpart (text, all);
  append_quasistatic (text, all);
  append_files (text, all);
  return hl_report_save (&all->report, "report.md", text->str, error);
}

/* Figures 6 to 12: the torque, and what follows from it in the three scenarios, nonlinear (NL) and
 * linear (L); how far both are apart. */

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

/* Returns the number of rows per multiple of the requested time. */
static int stride_of (const HlReproduction *all, double every) {
  return (int)lround (every / all->report.options.every);
}

/* A trace of the run and, dashed and darker, of its linear response. */
typedef struct {
  const char *id, *label, *linear_label;
  HlColor color;
  double factor, width;
} Curve;

/* Initializes a plot of some curves over the whole run, or from t2 until the slowest motion has decayed.
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

/* Writes the pressures. p1 and p2 coincide: the first is drawn wider, the second in the middle of it. */
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

static void compare_scenario (const HlReproduction *all, HlScenario *one) {
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

/* Figures 6 to 12 with their tables. */
static gboolean reproduce_responses (HlReproduction *all, GError **error) {
  if (!write_torque (all, error))
    return FALSE;
  for (int k = 0; k < HL_REPRODUCE_SCENARIOS; k++) {
    HlScenario *one = &all->scenarios[k];
    compare_scenario (all, one);
    if (!write_angle (all, one, 7 + 2 * k, error) || !write_pressures (all, one, 8 + 2 * k, error) ||
        !write_table (all, one, error))
      return FALSE;
  }
  return write_differences (all, error);
}

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

/* Returns the same linearization in the ten coordinates of the source. */
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

static gboolean compute_scenarios (HlReproduction *all, GError **error) {
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
      reproduce_responses, reproduce_friction, reproduce_eigenvalues, hl_reproduce_counterpart,
      hl_reproduce_maps,   hl_reproduce_arms,  reproduce_text};

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

/* Writes the folder; after a stop with the results so far. */
static gboolean write_folder (HlReproduction *all, GError **error) {
  HlCliWait wait;

  hl_cli_wait_begin (&wait, 1.0);
  hl_cli_hold_signals ();
  gboolean done = compute_scenarios (all, error) && write_all (all, error);
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
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be created: %s", all.report.folder,
                 g_strerror (errno));
    return FALSE;
  }
  all.report.units[HL_QUANTITY_PRESSURE] = hl_unit_find (HL_QUANTITY_PRESSURE, "MPa");
  if ((cli->document = hl_reproduce_example (MODEL, error)) == NULL ||
      (cli->system = hl_cli_compile_quietly (cli->document, error)) == NULL || !write_folder (&all, error))
    return FALSE;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_report_put_files (answer, &all.report);
  return hl_report_print_answer (&all.report, answer, error);
}

static const HlCliOption options[] = {
    {"out", "DIR", "output folder, created if it does not exist", FALSE},
    {"json", NULL, "list the written files as one JSON object", FALSE},
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
    .examples = {"hydrolink reproduce --out study", "hydrolink reproduce --out study --json"},
    .options = options,
    .no_file = TRUE,
    .run = run,
};
