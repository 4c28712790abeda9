/* SPDX-License-Identifier: MIT */
/* Renders every painter with sample data, light and dark and as figures, into the directory named
 * on the command line, and prints the time of a plot with a million points. Run through meson's
 * environment: HL_GOLDEN_DIR and HL_EXAMPLES_DIR. */
#include "tests/paint/paint-samples.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <stdio.h>

/* Returns one of all symbols, or that of an unknown kind. */
static HlShapeKind symbol_of (int k) {
  return k < hl_n_symbols ? hl_symbols[k] : &hl_symbol_unknown;
}

static const char *examples[] = {"four-bar",
                                 "metering-arm",
                                 "hybrid-regeneration",
                                 "hybrid-two-cylinders",
                                 "regeneration-arm-ua05",
                                 "two-arms-1",
                                 "articulated-vehicle-tyre"};

typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  HlRect area;
  HlStyle style;
} Page;

static Page page_begin (int width, int height, HlStyleKind kind) {
  Page page = {.area = {0.0, 0.0, width, height}, .style = hl_style_make (kind)};

  page.surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 2 * width, 2 * height);
  cairo_surface_set_device_scale (page.surface, 2.0, 2.0);
  page.cr = cairo_create (page.surface);
  hl_paint_background (page.cr, 0.0, 0.0, width, height, &page.style);
  return page;
}

static void page_end (Page *page, const char *dir, const char *name) {
  static const char *suffix[] = {"light", "dark", "print"};
  g_autofree char *path = g_strdup_printf ("%s/%s-%s.png", dir, name, suffix[page->style.kind]);

  cairo_destroy (page->cr);
  cairo_surface_write_to_png (page->surface, path);
  cairo_surface_destroy (page->surface);
}

static void demo_circuits (const char *dir, HlStyleKind kind) {
  for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
    g_autofree char *file = g_strconcat (examples[i], ".hydrolink", NULL);
    g_autofree char *name = g_strconcat ("circuit-", examples[i], NULL);
    SampleCircuit *circuit = sample_circuit_load (file);
    gint64 before = g_get_monotonic_time ();
    HlCircuitLayout *layout =
        hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
    gint64 after = g_get_monotonic_time ();
    SampleCircuitPicture *sample = sample_circuit_picture_new (circuit, layout);
    Page page = page_begin (i == 0 ? 520 : 760, i == 0 ? 440 : 560, kind);
    HlView view = {.scale = 1.0};
    if (i == 0)
      sample->symbols[3].hovered = TRUE;
    hl_view_fit (&view, hl_circuit_box (&sample->picture), page.area, 24.0, 16.0);
    hl_paint_circuit (page.cr, &sample->picture, &view, page.area, &page.style);
    page_end (&page, dir, name);
    if (kind == HL_STYLE_LIGHT)
      printf ("%-28s layout %6.1f ms, %d failed\n", examples[i], (double)(after - before) / 1000.0,
              layout->n_failed);
    sample_circuit_picture_free (sample);
    hl_circuit_layout_free (layout);
    sample_circuit_free (circuit);
  }
}

static void demo_symbols (const char *dir, HlStyleKind kind) {
  Page page = page_begin (760, 140 * ((hl_n_symbols + 4) / 4), kind);

  for (int shape = 0; shape <= hl_n_symbols; shape++) {
    HlRect cell = {(shape % 4) * 190.0, (shape / 4) * 140.0, 190.0, 110.0};
    HlShapeState state = {.spool = 0.6,
                          .stroke = 0.3,
                          .opening = 0.6,
                          .open = shape % 2 == 0,
                          .has_relief = TRUE,
                          .one_way = TRUE,
                          .spring = TRUE};
    HlCircuitSymbol symbol = {
        .kind = symbol_of (shape), .state = state, .selected = shape == 4, .is_problem = shape == 7};
    HlCircuitPicture picture = hl_circuit_picture_make ();
    HlView view = {.scale = 1.0};
    picture.symbols = &symbol;
    picture.n_symbols = 1;
    picture.show_ports = shape < 4;
    hl_view_fit (&view, hl_shape_box (symbol_of (shape)), cell, 14.0, 11.0);
    hl_paint_circuit (page.cr, &picture, &view, cell, &page.style);
    hl_text_paint (page.cr, &page.style, HL_TEXT_SMALL, page.style.ink_soft,
                   hl_shape_kind_name (symbol_of (shape)), (HlSpot){cell.x + 95.0, cell.y + 118.0}, 0.5, 0.5);
    hl_paint_symbol_icon (page.cr, symbol_of (shape), (HlRect){cell.x + 4.0, cell.y + 104.0, 28.0, 28.0}, 2.0,
                          &page.style);
  }
  page_end (&page, dir, "symbols");
}

static void demo_mechanism (const char *dir, HlStyleKind kind) {
  SampleFourBar four_bar;
  SampleMachine machine;
  HlView view = {.scale = 1.0, .y_up = TRUE};

  sample_four_bar_fill (&four_bar);
  Page page = page_begin (520, 420, kind);
  hl_view_fit (&view, hl_mechanism_box (&four_bar.picture), page.area, 60.0, 1e6);
  hl_paint_mechanism (page.cr, &four_bar.picture, &view, page.area, &page.style);
  page_end (&page, dir, "four-bar");

  sample_machine_fill (&machine);
  page = page_begin (620, 420, kind);
  hl_view_fit (&view, hl_mechanism_box (&machine.picture), page.area, 60.0, 1e6);
  hl_paint_mechanism (page.cr, &machine.picture, &view, page.area, &page.style);
  page_end (&page, dir, "machine");
}

static void demo_plots (const char *dir, HlStyleKind kind) {
  Page page = page_begin (990, 380, kind);
  SampleResponse response;

  sample_response_fill (&response, &page.style);
  response.angle.hide_x_labels = TRUE;
  HlPlot plots[2] = {response.angle, response.pressure};
  HlPlotStack stack = {plots, 2};
  hl_figure_paint_stack (page.cr, hl_rect_grow (page.area, -12.0), &page.style, &stack);
  page_end (&page, dir, "plots");

  /* two axes, measuring cursors, a rubber band, a constant with noise */
  page = page_begin (620, 300, kind);
  HlPlotSeries series[3] = {response.pressure_series[0], response.pressure_series[2],
                            response.angle_series[0]};
  series[2].right_axis = TRUE;
  series[2].color = page.style.trace[3];
  series[1].hidden = TRUE;
  HlPlotCursor cursors[3] = {{1.62, TRUE}, {0.4, FALSE}, {1.1, FALSE}};
  HlPlot plot = response.pressure;
  plot.title = "Pressure and angle";
  plot.series = series;
  plot.cursors = cursors;
  plot.n_cursors = 3;
  plot.right = response.angle.left;
  plot.rubber_band = (HlRect){380.0, 90.0, 80.0, 90.0};
  hl_paint_plot (page.cr, &plot, hl_rect_grow (page.area, -10.0), &page.style);
  page_end (&page, dir, "plot-two-axes");
  sample_response_clear (&response);
}

static void demo_locus (const char *dir, HlStyleKind kind) {
  SampleLocus sample;

  for (int log_axes = 0; log_axes < 2; log_axes++) {
    Page page = page_begin (340, 250, kind);
    sample_locus_fill (&sample, log_axes == 1);
    if (log_axes == 0) {
      sample.poles[3].re = -620.0;
      sample.locus.branches = sample.branches;
      sample.locus.n_branches = 1;
      sample.locus.n_ghosts = 2;
      hl_locus_fit (&sample.locus, FALSE);
    }
    hl_paint_locus (page.cr, &sample.locus, hl_rect_grow (page.area, -6.0), &page.style);
    page_end (&page, dir, log_axes ? "locus-log" : "locus-linear");
  }
  Page page = page_begin (620, 420, kind);
  HlLocusCrossing crossing = {80.0, "5.97 m/s, 12.7 Hz"};
  sample.locus.hovered = 0;
  sample.locus.title = "Root locus";
  sample.locus.crossings = &crossing;
  sample.locus.n_crossings = 1;
  hl_paint_locus (page.cr, &sample.locus, hl_rect_grow (page.area, -8.0), &page.style);
  page_end (&page, dir, "locus-large");
}

/* Paints eigenvalues far apart: a slow pair with hardly any damping beside a fast real one. */
static void demo_locus_far_apart (const char *dir, HlStyleKind kind) {
  HlLocusPole damped[] = {
      {.re = -25052.0}, {.re = -4e-4, .im = 45.8, .branch = 1}, {.re = -4e-4, .im = -45.8, .branch = 1}};
  HlLocusPole undamped[] = {{.re = -489736.0},
                            {.re = -1631.6, .branch = 2},
                            {.re = -1.3e-15, .im = 30.568, .branch = 1},
                            {.re = -1.3e-15, .im = -30.568, .branch = 1}};

  for (int which = 0; which < 2; which++) {
    Page page = page_begin (320, 240, kind);
    HlLocusPlot locus = hl_locus_make ();
    locus.poles = which == 0 ? damped : undamped;
    locus.n_poles = which == 0 ? G_N_ELEMENTS (damped) : G_N_ELEMENTS (undamped);
    hl_locus_fit (&locus, TRUE);
    hl_paint_locus (page.cr, &locus, hl_rect_grow (page.area, -6.0), &page.style);
    page_end (&page, dir, which == 0 ? "locus-damped-pair" : "locus-undamped-pair");
  }
}

/* Paints a million samples of noise with one spike on an ordinary image surface. */
static void demo_million (const char *dir, HlStyleKind kind, gboolean noisy) {
  const int n = 1000000;
  HlColumnInfo column = {"y", "y", "1"};
  g_autoptr (HlResults) results = hl_results_new (&column, 1);
  GRand *rand = g_rand_new_with_seed (1);
  HlStyle style = hl_style_make (kind);
  double best = INFINITY;

  for (int i = 0; i < n; i++) {
    double t = i * 1e-6;
    double y =
        sin (2.0 * G_PI * 3.0 * t) * exp (-t) + (noisy ? 0.2 * g_rand_double_range (rand, -1.0, 1.0) : 0.0);
    if (i == 700003)
      y += 1.1;
    hl_results_append (results, t, &y);
  }
  HlPlotSeries series = {.samples = {.results = results, .x_column = 0, .y_column = 1},
                         .label = "a million points",
                         .color = style.trace[0]};
  HlPlot plot = hl_plot_make ();
  plot.series = &series;
  plot.n_series = 1;
  plot.x.label = "t";
  plot.x.unit = "s";
  plot.left.label = "y";
  hl_plot_fit_x (&plot);
  hl_plot_fit_y (&plot);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 990, 300);
  for (int run = 0; run < 20; run++) {
    gint64 before = g_get_monotonic_time ();
    cairo_t *cr = cairo_create (surface);
    hl_paint_background (cr, 0.0, 0.0, 990.0, 300.0, &style);
    hl_paint_plot (cr, &plot, (HlRect){10.0, 10.0, 970.0, 280.0}, &style);
    cairo_destroy (cr);
    best = fmin (best, (double)(g_get_monotonic_time () - before) / 1000.0);
  }
  printf ("plot of a million %s points: %.2f ms (best of 20)\n", noisy ? "noisy" : "smooth", best);
  g_autofree char *path = g_strdup_printf ("%s/million-%s-%s.png", dir, noisy ? "noisy" : "smooth",
                                           kind == HL_STYLE_DARK ? "dark" : "light");
  cairo_surface_write_to_png (surface, path);
  cairo_surface_destroy (surface);
  g_rand_free (rand);
}

static void demo_figures (const char *dir) {
  HlFigureOptions options = hl_figure_options_default ();
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  SampleResponse response;
  SampleLocus locus;
  SampleFourBar four_bar;
  g_autoptr (GError) error = NULL;

  sample_response_fill (&response, &style);
  sample_locus_fill (&locus, TRUE);
  sample_four_bar_fill (&four_bar);
  for (int i = 0; i < 3; i++) {
    static const char *ending[] = {"svg", "pdf", "png"};
    g_autofree char *plot = g_strdup_printf ("%s/figure-plot.%s", dir, ending[i]);
    g_autofree char *poles = g_strdup_printf ("%s/figure-locus.%s", dir, ending[i]);
    g_autofree char *linkage = g_strdup_printf ("%s/figure-four-bar.%s", dir, ending[i]);
    if (!hl_figure_save (hl_figure_paint_plot, &response.angle, plot, &options, &error) ||
        !hl_figure_save (hl_figure_paint_locus, &locus.locus, poles, &options, &error) ||
        !hl_figure_save (hl_figure_paint_mechanism, &four_bar.picture, linkage, &options, &error))
      g_error ("%s", error->message);
  }
  sample_response_clear (&response);
}

int main (int argc, char *argv[]) {
  if (argc != 2) {
    fprintf (stderr, "usage: demo-paint DIRECTORY\n");
    return 2;
  }
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++) {
    demo_circuits (argv[1], kind);
    demo_symbols (argv[1], kind);
    demo_mechanism (argv[1], kind);
    demo_plots (argv[1], kind);
    demo_locus (argv[1], kind);
    demo_locus_far_apart (argv[1], kind);
  }
  demo_million (argv[1], HL_STYLE_LIGHT, FALSE);
  demo_million (argv[1], HL_STYLE_DARK, TRUE);
  demo_figures (argv[1]);
  return 0;
}
