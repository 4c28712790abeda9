/* SPDX-License-Identifier: MIT */
/* Data shared by the files of `reproduce`: the scenarios of seed 000, and their results. */
#pragma once

#include "app/cli/hl-cli-report.h"
#include "app/reproduce/hl-spatial-four-bar.h"

extern const HlCliCommand hl_reproduce_command;

#define HL_REPRODUCE_SCENARIOS 3
#define HL_REPRODUCE_STATES 6
#define HL_REPRODUCE_ANGLE (G_PI / 3)   /* of link 2 at the equilibrium [rad] */
#define HL_REPRODUCE_ROD_PRESSURE 3.5e6 /* p3 there [Pa] */
#define HL_REPRODUCE_QUANTITIES 4       /* columns compared: the angle and three pressures */

/* Results for one value of the friction. */
typedef struct {
  const char *name; /* of the parameter set; borrowed from the document */
  const char *stem; /* of its files */
  double friction_scale;
  HlSystem *system;
  HlLinearization *lin;
  HlConstrainedLinearization *spatial; /* the same by ten coordinates */
  HlCliRecorder *recorder;             /* probes and extras, then their linear response */
  HlSimStats stats;
  double largest_speed; /* of the cylinder, after the torque has ended [m/s] */
  double rms[HL_REPRODUCE_QUANTITIES], most[HL_REPRODUCE_QUANTITIES]; /* of NL - L, SI units */
} HlScenario;

/* Errors of the counterpart at one step, for both ways to step pressures. */
typedef struct {
  double h;
  double error[2][2]; /* [h Pa, 1e6 h Pa][lambda 3, lambda 4], relative; NAN = none */
} HlCounterpartError;

typedef struct {
  const char *what;
  int states;
  double seconds;
  double published; /* time measured by the source for its own program [s]; NAN = none */
} HlTiming;

#define HL_REPRODUCE_MOST_TIMINGS 6

typedef struct {
  HlReport report; /* folder, model, start */
  HlScenario scenarios[HL_REPRODUCE_SCENARIOS];
  double pulse_end;                           /* t2: the torque ends [s] */
  GArray *errors;                             /* HlCounterpartError */
  HlConstrainedLinearization *multipliers[2]; /* force at the mass centre, force on s */
  int n_full, n_full_null, n_full_blocks;     /* the matrix in all coordinates */
  double spurious_modulus, spurious_growth;   /* of its null cluster at the best step */
  double relief_opens;                        /* t*: the rod chamber's relief valve of the arm opens [s] */
  HlTiming timings[HL_REPRODUCE_MOST_TIMINGS];
  int n_timings;
} HlReproduction;

/* Traces of the results, in the order of the quantities compared. */
extern const char *const hl_reproduce_probes[HL_REPRODUCE_QUANTITIES];

/* --- plots for paper (hl-cli-reproduce-plot.c) --- */

#define HL_PANEL_MOST_SERIES 24
#define HL_PANEL_WIDTH 1.5 /* of a curve [px] */

/* One plot with samples of its own. Strings are borrowed. */
typedef struct {
  HlPlot plot;
  double from, to;     /* range of x; to <= from: that of the samples */
  gboolean keeps_axes; /* plot.x and plot.left stay as they are; no sample is dropped */
  HlPlotSeries series[HL_PANEL_MOST_SERIES];
  double *samples[HL_PANEL_MOST_SERIES]; /* x, then y */
} HlPanel;

/* Initializes a panel over time; other axes are set in plot.x. */
void hl_panel_init (HlPanel *panel, const char *title, const char *label, const char *unit);
void hl_panel_clear (HlPanel *panel);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPanel, hl_panel_clear)
/* Returns a curve through n points, copied; or the known rows of a column of results inside the range. What
 * is returned may still be changed. */
HlPlotSeries *hl_panel_add (HlPanel *panel, const double x[], const double y[], int n, const char *label,
                            HlColor color);
HlPlotSeries *hl_panel_add_column (HlPanel *panel, const HlResults *results, const char *id,
                                   const char *label, HlColor color);
/* Fits the axes and writes the panels, row by row, as one figure. */
gboolean hl_panels_save (HlReproduction *all, const char *stem, HlPanel panels[], int rows, int columns,
                         double width_mm, double height_mm, GError **error);

/* --- the parts --- */

/* Orders the eigenvalues as the source numbers them: lambda 1, 2 null, 3 to 5, 6 of the spool.
 */
void hl_reproduce_order (const HlLinearization *lin, int order[HL_REPRODUCE_STATES]);
/* Reproduces figure 14 and the timings (hl-cli-reproduce-central-differences.c). */
gboolean hl_reproduce_counterpart (HlReproduction *all, GError **error);
/* Figures 3, 8 and 12 of seed 002 (hl-cli-reproduce-force-map.c). */
gboolean hl_reproduce_maps (HlReproduction *all, GError **error);
/* Figures 6, 10 and 13 of seed 002 (hl-cli-reproduce-force-map.c). */
gboolean hl_reproduce_arms (HlReproduction *all, GError **error);
/* Returns a built-in example, by its file's name. */
HlDocument *hl_reproduce_example (const char *name, GError **error);
