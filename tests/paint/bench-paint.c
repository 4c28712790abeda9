/* SPDX-License-Identifier: MIT */
/* Time of a plot with a million stored points on an image surface (budget: a frame, 16 ms), of the
 * layout of the largest example circuit and of the pictures of the window. Best of N, in
 * milliseconds. */
#include "tests/paint/paint-samples.h"

#include <math.h>
#include <stdio.h>

#define RUNS 30
#define MILLION 1000000

typedef void (*Job) (cairo_t *cr, gpointer data);

static double best_ms (Job job, gpointer data) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1000, 400);
  double best = INFINITY;

  for (int run = 0; run < RUNS; run++) {
    gint64 before = g_get_monotonic_time ();
    cairo_t *cr = cairo_create (surface);
    job (cr, data);
    cairo_destroy (cr);
    best = fmin (best, (double)(g_get_monotonic_time () - before) / 1000.0);
  }
  cairo_surface_destroy (surface);
  return best;
}

static void paint_plot_job (cairo_t *cr, gpointer data) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  hl_paint_background (cr, 0.0, 0.0, 1000.0, 400.0, &style);
  hl_paint_plot (cr, data, (HlRect){0.0, 0.0, 1000.0, 300.0}, &style);
}

static void paint_locus_job (cairo_t *cr, gpointer data) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  hl_paint_background (cr, 0.0, 0.0, 400.0, 300.0, &style);
  hl_paint_locus (cr, data, (HlRect){0.0, 0.0, 400.0, 300.0}, &style);
}

static void paint_mechanism_job (cairo_t *cr, gpointer data) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  hl_paint_background (cr, 0.0, 0.0, 500.0, 400.0, &style);
  hl_figure_paint_mechanism (cr, (HlRect){0.0, 0.0, 500.0, 400.0}, &style, data);
}

static void paint_circuit_job (cairo_t *cr, gpointer data) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  hl_paint_background (cr, 0.0, 0.0, 500.0, 400.0, &style);
  hl_figure_paint_circuit (cr, (HlRect){0.0, 0.0, 500.0, 400.0}, &style, data);
}

static void layout_job (cairo_t *cr, gpointer data) {
  SampleCircuit *circuit = data;

  (void)cr;
  hl_circuit_layout_free (
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets));
}

static void bench_million (void) {
  static const char *names[] = {"smooth", "noisy", "noisy, two million in two curves"};
  double *x = g_new (double, MILLION);
  double *y = g_new (double, MILLION);
  GRand *rand = g_rand_new_with_seed (1);

  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < MILLION; i++) {
      x[i] = i * 1e-6;
      y[i] = sin (20.0 * x[i]) + (kind > 0 ? g_rand_double_range (rand, -0.3, 0.3) : 0.0);
    }
    HlPlotSeries series[2] = {{.samples = {.x = x, .y = y, .n = MILLION}, .color = {0.0, 0.3, 0.7, 1.0}}};
    HlPlot plot = hl_plot_make ();
    series[1] = series[0];
    series[1].y_offset = 0.5;
    plot.series = series;
    plot.n_series = kind == 2 ? 2 : 1;
    hl_plot_fit_x (&plot);
    hl_plot_fit_y (&plot);
    printf ("plot of a million points, %-34s %7.2f ms\n", names[kind], best_ms (paint_plot_job, &plot));
  }
  g_rand_free (rand);
  g_free (x);
  g_free (y);
}

int main (void) {
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  SampleResponse response;
  SampleLocus locus;
  SampleFourBar four_bar;
  SampleCircuit *circuit = sample_circuit_load ("two-arms-1.hydrolink");
  HlCircuitLayout *layout =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
  SampleCircuitPicture *picture = sample_circuit_picture_new (circuit, layout);

  bench_million ();
  sample_response_fill (&response, &style);
  sample_locus_fill (&locus, TRUE);
  sample_four_bar_fill (&four_bar);
  printf ("%-60s %7.2f ms\n", "plot of the four-bar's response", best_ms (paint_plot_job, &response.angle));
  printf ("%-60s %7.2f ms\n", "eigenvalue plane", best_ms (paint_locus_job, &locus.locus));
  printf ("%-60s %7.2f ms\n", "linkage", best_ms (paint_mechanism_job, &four_bar.picture));
  printf ("%-60s %7.2f ms\n", "circuit of two arms", best_ms (paint_circuit_job, &picture->picture));
  printf ("%-60s %7.2f ms\n", "layout of that circuit", best_ms (layout_job, circuit));
  sample_response_clear (&response);
  sample_circuit_picture_free (picture);
  hl_circuit_layout_free (layout);
  sample_circuit_free (circuit);
  return 0;
}
