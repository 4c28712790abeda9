/* SPDX-License-Identifier: MIT */
/* Section 4.5 of seed 000: comparison of the matrix of central differences in all 24 states with the exact
 * one. Fig. 14, its error over the step; its spurious null eigenvalues; the computing times of both. */
#include "app/reproduce/hl-cli-reproduce.h"
#include "core/io/hl-csv-table.h"
#include "core/linear/hl-linearize.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/system/hl-lumped-dynamics.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define FULL (2 * HL_SPATIAL_N + HL_SPATIAL_N_Z)
#define STEP_FROM 1e-11
#define STEP_DECADES 9
#define STEPS_A_DECADE 8
#define PRESSURE_PER_LENGTH 1.0e6 /* [Pa/m] */
#define ROUNDING_ENTRY 1e-12      /* scaled entries below are rows of rounding */
#define HEIGHT_MM 80
#define TIMING_SECONDS 0.05 /* spent on each */
#define PUBLISHED_EXACT 0.005
#define PUBLISHED_COUNTERPART 0.016

/* The source's model at its equilibrium. */
typedef struct {
  HlSpatialFourBar *bar;
  const HlConstrained *system;
  HlConstrainedLinearization *lin;
  double X[FULL], J[FULL * FULL], re[FULL], im[FULL];
  HlLinalgWork *linalg;
} Model;

static HlStatus model_init (Model *model) {
  HlSpatialParameters par = hl_spatial_parameters_default ();

  model->bar = hl_spatial_four_bar_new (&par);
  model->system = hl_spatial_four_bar_system (model->bar);
  model->lin = hl_constrained_linearization_new (model->system);
  model->linalg = hl_linalg_work_new (FULL, FULL);
  HlStatus status =
      hl_spatial_four_bar_pose (model->bar, HL_REPRODUCE_ANGLE, 0.0, model->X, model->X + HL_SPATIAL_N);
  if (status == HL_OK)
    status = hl_spatial_four_bar_balance (model->bar, model->X, HL_REPRODUCE_ROD_PRESSURE,
                                          model->X + 2 * HL_SPATIAL_N);
  return status;
}

static void model_clear (Model *model) {
  hl_linalg_work_free (model->linalg);
  hl_constrained_linearization_free (model->lin);
  hl_spatial_four_bar_free (model->bar);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static void fill_scales (double scales[FULL]) {
  for (int k = 0; k < FULL; k++)
    scales[k] = k >= 2 * HL_SPATIAL_N && k < FULL - 1 ? PRESSURE_PER_LENGTH : 1.0;
}

/* Computes the eigenvalues of J into re, im. */
static HlStatus eigenvalues (Model *model) {
  double scales[FULL], a[FULL * FULL];

  fill_scales (scales);
  return hl_eigen_values_only (FULL, model->J, scales, a, model->re, model->im, model->linalg);
}

static HlStatus differences (Model *model, double h, double pressure_step) {
  double steps[FULL];

  hl_constrained_uniform_steps (model->system, h, pressure_step, steps);
  return hl_constrained_counterpart (model->system, 0.0, model->X, steps, model->J, NULL);
}

/* --- Fig. 14 --- */

/* Returns the relative distance of the nearest computed eigenvalue. */
static double error_of (const Model *model, double exact) {
  double nearest = INFINITY;

  for (int k = 0; k < FULL; k++)
    nearest = fmin (nearest, hypot (model->re[k] - exact, model->im[k]));
  return nearest / fabs (exact);
}

static void compute_errors (HlReproduction *all, Model *model) {
  const HlLinearization *lin = all->scenarios[0].lin;
  int order[HL_REPRODUCE_STATES];

  hl_reproduce_order (lin, order);
  for (int k = 0; k <= STEP_DECADES * STEPS_A_DECADE; k++) {
    HlCounterpartError point = {.h = STEP_FROM * pow (10.0, (double)k / STEPS_A_DECADE),
                                .error = {{NAN, NAN}, {NAN, NAN}}};
    for (int unit = 0; unit < 2; unit++) {
      if (differences (model, point.h, unit == 0 ? point.h : PRESSURE_PER_LENGTH * point.h) != HL_OK ||
          eigenvalues (model) != HL_OK)
        continue;
      for (int which = 0; which < 2; which++)
        point.error[unit][which] = error_of (model, lin->eigenvalues[order[2 + which]].re);
    }
    g_array_append_val (all->errors, point);
  }
}

static gboolean write_errors (HlReproduction *all, GError **error) {
  static const char *const titles[] = {"(a) error of λ₃", "(b) error of λ₄"}, *const labels[] = {"ε₃", "ε₄"};
  int n = (int)all->errors->len;
  g_autofree double *h = g_new (double, n), *curve = g_new (double, n);
  g_autoptr (GString) text =
      g_string_new ("h,eps3 with h Pa,eps4 with h Pa,eps3 with 1e6 h Pa,eps4 with 1e6 h Pa\n");
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  HlPanel panels[2];

  for (int k = 0; k < n; k++) {
    const HlCounterpartError *point = &g_array_index (all->errors, HlCounterpartError, k);
    h[k] = point->h;
    hl_table_append_numbers (
        text,
        (double[]){point->h, point->error[0][0], point->error[0][1], point->error[1][0], point->error[1][1]},
        5);
  }
  for (int which = 0; which < 2; which++) {
    hl_panel_init (&panels[which], titles[which], labels[which], "");
    panels[which].keeps_axes = TRUE;
    for (int unit = 0; unit < 2; unit++) {
      for (int k = 0; k < n; k++)
        curve[k] = g_array_index (all->errors, HlCounterpartError, k).error[unit][which];
      HlPlotSeries *series =
          hl_panel_add (&panels[which], h, curve, n, unit == 0 ? "one h, SI units" : "10⁶ h Pa for pressures",
                        hl_style_trace_color (&style, unit));
      series->dash = unit == 0 ? HL_DASH_SOLID : HL_DASH_DASHED;
      series->width = 1.2;
    }
    panels[which].plot.x = (HlPlotAxis){"h", "", {.scale = HL_SCALE_LOG, .min = h[0], .max = h[n - 1]}};
    panels[which].plot.left.axis = (HlAxis){.scale = HL_SCALE_LOG, .min = 1e-12, .max = 2.0};
  }
  gboolean saved =
      hl_panels_save (all, "fig14-counterpart-error", panels, 1, 2, HL_REPORT_WIDTH_MM, HEIGHT_MM, error);
  for (int which = 0; which < 2; which++)
    hl_panel_clear (&panels[which]);
  return saved && hl_report_save (&all->report, "fig14-counterpart-error.csv", text->str, error);
}

/* --- its null eigenvalues --- */

/* Returns how many there are and in how many blocks, from the exact matrix in all coordinates; how far
 * differences with a step for each state scatter them. */
static HlStatus count_nulls (HlReproduction *all, Model *model) {
  HlEigen *eigen = hl_eigen_new (FULL);
  double scales[FULL], steps[FULL], root = cbrt (DBL_EPSILON);
  HlStatus status = hl_constrained_full_jacobian (model->system, 0.0, model->X, model->J, NULL);

  fill_scales (scales);
  for (int col = 0; col < FULL; col++)
    for (int row = 0; row < FULL; row++)
      if (fabs (model->J[col * FULL + row]) * scales[col] / scales[row] < ROUNDING_ENTRY)
        model->J[col * FULL + row] = 0.0;
  if (status == HL_OK)
    status = hl_eigen_eval (eigen, FULL, model->J, scales, 0.0, HL_EIGEN_NULL);
  all->n_full = FULL;
  all->n_full_null = eigen->n_null;
  all->n_full_blocks = eigen->n_null_blocks;
  hl_eigen_free (eigen);
  hl_constrained_uniform_steps (model->system, root, PRESSURE_PER_LENGTH * root, steps);
  for (int k = HL_SPATIAL_N; k < 2 * HL_SPATIAL_N; k++)
    steps[k] = 0.1 * hl_spatial_parameters_default ().cylinder.friction.vs * root;
  if (status == HL_OK)
    status = hl_constrained_counterpart (model->system, 0.0, model->X, steps, model->J, NULL);
  if (status == HL_OK)
    status = eigenvalues (model);
  all->spurious_modulus = all->spurious_growth = 0.0;
  for (int k = 0; k < FULL && status == HL_OK; k++) {
    double size = hypot (model->re[k], model->im[k]);
    if (size > 1.0) /* the slowest true one is above 100 */
      continue;
    all->spurious_modulus = fmax (all->spurious_modulus, size);
    all->spurious_growth = fmax (all->spurious_growth, model->re[k]);
  }
  return status;
}

/* --- time --- */

typedef struct {
  const HlReproduction *all;
  Model *model;
  HlWork *work;
  double y[HL_REPRODUCE_STATES], J[FULL * FULL];
} Race;

static void spatial_exact (Race *race) {
  static const int ai[] = {HL_SPATIAL_PHI2};
  HlConstrainedState state = {
      .x = race->model->X, .v = race->model->X + HL_SPATIAL_N, .z = race->model->X + 2 * HL_SPATIAL_N};

  hl_constrained_linearize (race->model->system, 0.0, &state, ai, NULL, race->model->lin, NULL);
}

static void spatial_differences (Race *race) {
  differences (race->model, 1e-6, 1.0);
}

static void planar_exact (Race *race) {
  hl_jacobian_eval (race->all->scenarios[0].system, 0.0, race->y, race->J, race->work, NULL);
}

static void planar_differences (Race *race) {
  hl_counterpart_jacobian (race->all->scenarios[0].system, race->work, race->all->report.start, 0.0, race->J,
                           NULL);
}

static void six_eigenvalues (Race *race) {
  const HlLinearization *lin = race->all->scenarios[0].lin;
  double a[HL_REPRODUCE_STATES * HL_REPRODUCE_STATES], re[HL_REPRODUCE_STATES], im[HL_REPRODUCE_STATES];

  hl_eigen_values_only (lin->n, lin->J, lin->scale, a, re, im, race->model->linalg);
}

/* Returns the best time of many runs, so that other load on the machine does not count. */
static double best_time (void (*runner) (Race *), Race *race) {
  gint64 begin = g_get_monotonic_time ();
  double best = INFINITY;

  do {
    int repeats = isfinite (best) ? (int)CLAMP (2e-4 / best, 1.0, 2000.0) : 1;
    gint64 from = g_get_monotonic_time ();
    for (int k = 0; k < repeats; k++)
      runner (race);
    double seconds = 1e-6 * (double)(g_get_monotonic_time () - from) / repeats;
    best = fmin (best, fmax (seconds, 1e-8));
  } while (1e-6 * (double)(g_get_monotonic_time () - begin) < TIMING_SECONDS);
  return best;
}

static void time_both (HlReproduction *all, Model *model) {
  static const struct {
    const char *what;
    int states;
    double published;
    void (*runner) (Race *);
  } races[] = {
      {"spatial model, ten coordinates: exact matrix", 6, PUBLISHED_EXACT, spatial_exact},
      {"spatial model: central differences", FULL, PUBLISHED_COUNTERPART, spatial_differences},
      {"planar model: exact matrix", 6, NAN, planar_exact},
      {"planar model: central differences", 22, NAN, planar_differences},
      {"eigenvalues of the exact matrix", 6, NAN, six_eigenvalues},
  };
  HlSystem *sys = all->scenarios[0].system;
  Race race = {.all = all, .model = model, .work = hl_work_new (sys)};

  hl_work_enter_segment (sys, race.work, 0.0);
  hl_partition_choose (sys, race.work, all->report.start->x, HL_PARTITION_PREFERRED, NULL, 0, NULL);
  hl_state_pack (sys, race.work, all->report.start, race.y);
  for (gsize k = 0; k < G_N_ELEMENTS (races); k++)
    all->timings[all->n_timings++] =
        (HlTiming){races[k].what, races[k].states, best_time (races[k].runner, &race), races[k].published};
  hl_work_free (race.work);
}

static gboolean write_timings (HlReproduction *all, GError **error) {
  g_autoptr (GString) text = g_string_new ("what,states,time [s],published time [s]\n");

  for (int k = 0; k < all->n_timings; k++) {
    const HlTiming *timing = &all->timings[k];
    hl_table_append_text (text, timing->what);
    g_string_append_printf (text, ",%d,", timing->states);
    hl_table_append_numbers (text, (double[]){timing->seconds, timing->published}, 2);
  }
  return hl_report_save (&all->report, "timing.csv", text->str, error);
}

gboolean hl_reproduce_counterpart (HlReproduction *all, GError **error) {
  g_auto (Model) model = {0};
  HlStatus status = model_init (&model);

  if (status == HL_OK) {
    compute_errors (all, &model);
    status = count_nulls (all, &model);
  }
  if (status != HL_OK) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "the counterpart: %s", hl_status_text (status));
    return FALSE;
  }
  time_both (all, &model);
  return write_errors (all, error) && write_timings (all, error);
}
