/* SPDX-License-Identifier: MIT */
/* report.md of `reproduce`: every figure and table with a sentence that says what it shows. */
#include "app/reproduce/hl-cli-reproduce.h"

#include <math.h>
#include <string.h>

#define DIGITS 4

/* Fourteen significant digits, all of them written. */
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
    worst = fmax (worst, hl_reproduce_disagreement (&all->scenarios[k]));
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

/* The step with the smallest error of lambda 3, of one way to step pressures. */
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
                 "then gives way to a growing load when the relief valve of the rod chamber opens "
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

gboolean hl_reproduce_text (HlReproduction *all, GError **error) {
  g_autoptr (GString) text = g_string_new (NULL);

  append_model (text, all);
  append_table_3 (text, all);
  append_responses (text, all);
  append_counterpart (text, all);
  append_quasistatic (text, all);
  append_files (text, all);
  return hl_report_save (&all->report, "report.md", text->str, error);
}
