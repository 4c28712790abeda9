/* SPDX-License-Identifier: MIT */
/* Figures with their sizes, the clipboard, the printer, data and animations: what the export menu
 * offers, in the real window. */
#include "core/io/hl-json-text.h"
#include "app/export/hl-figure-export-window.h"
#include "app/export/hl-animation-export-window.h"
#include "app/export/hl-exportable-figure.h"
#include "core/base/hl-error.h"
#include "tests/ui/window-fixture.h"
#include "core/io/hl-csv-table.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/chart/hl-chart.h"
#include "ui/study/hl-force-map-window.h"
#include "ui/study/hl-stability-map-window.h"
#include "ui/study/hl-linear-response-window.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;
static char *folder;

static char *place (const char *name) {
  return g_build_filename (folder, name, NULL);
}

static void check_begins (const char *path, const char *magic) {
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpuint (length, >, 200);
  g_assert_cmpmem (content, strlen (magic), magic, strlen (magic));
}

/* --- figures --- */

static void test_sizes (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlExportWindow *figure = hl_exporter_show_figure (window->exporter, "linkage");
  HlFigureOptions options = {
      .width_mm = 80, .height_mm = 60, .font_size_pt = 7, .dpi = 100, .style = HL_STYLE_DARK};
  g_autofree char *png = place ("figure.png"), *svg = place ("figure.svg");
  g_autoptr (GError) error = NULL;

  fixture_draw (figure); /* the preview too */
  hl_export_window_set_options (figure, &options);
  fixture_draw (figure);
  g_assert_cmpint (hl_export_window_options (figure).style, ==, HL_STYLE_DARK);
  hl_export_window_save_to (figure, png, &error);
  g_assert_no_error (error);
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (png, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 315); /* 80 / 25.4 * 100 */
  g_assert_cmpint (gdk_texture_get_height (texture), ==, 236);

  /* as another program reads it: resolution, and the model's name and revision */
  g_autoptr (GdkPixbuf) read = gdk_pixbuf_new_from_file (png, &error);
  g_assert_no_error (error);
  g_autofree char *revision = hl_document_revision (fixture_document (window));
  g_assert_cmpstr (gdk_pixbuf_get_option (read, "x-dpi"), ==, "100");
  g_assert_cmpstr (gdk_pixbuf_get_option (read, "y-dpi"), ==, "100");
  g_assert_cmpstr (gdk_pixbuf_get_option (read, "tEXt::Title"), ==, "Hydraulically actuated four-bar");
  g_assert_cmpstr (gdk_pixbuf_get_option (read, "tEXt::Revision"), ==, revision);

  hl_export_window_save_to (figure, svg, &error);
  g_assert_no_error (error);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "width=\"226.77")); /* 80 mm in points */
  g_assert_nonnull (strstr (text, "<title>Hydraulically actuated four-bar</title>"));
  g_assert_nonnull (strstr (text, revision));
  /* texts are texts: a search finds them, and there are no outlines of letters */
  g_assert_nonnull (strstr (text, ">cyl</text>"));
  g_assert_null (strstr (text, "<symbol"));
  g_assert_false (hl_export_window_save_to (figure, "/tmp/figure.bmp", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  gtk_window_destroy (GTK_WINDOW (figure));
  g_unlink (png);
  g_unlink (svg);
  fixture_close (window);
}

/* Darkness of a pixel, 0 to 1; where nothing is painted it is paper. */
static double darkness (const GdkPixbuf *picture, int x, int y) {
  const guchar *pixel = gdk_pixbuf_read_pixels (picture) +
                        (gsize)y * (gsize)gdk_pixbuf_get_rowstride (picture) +
                        (gsize)x * (gsize)gdk_pixbuf_get_n_channels (picture);
  double alpha = gdk_pixbuf_get_has_alpha (picture) ? pixel[3] / 255.0 : 1.0;
  return alpha * (1.0 - (pixel[0] + pixel[1] + pixel[2]) / 765.0);
}

/* Tests that the SVG of every figure, rendered by another program, equals the PNG except for the smoothing of
 * edges and letters. */
static void test_svg_rendered_again (void) {
  static const char *const names[] = {"plots", "circuit", "linkage", "locus"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  /* so fine that letters are more of ink than of smoothed edges, which differ */
  HlFigureOptions options = {
      .width_mm = 120, .height_mm = 90, .font_size_pt = 8, .dpi = 200, .style = HL_STYLE_PRINT};

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    HlExportWindow *figure = hl_exporter_show_figure (window->exporter, names[i]);
    g_autofree char *png = place ("again.png"), *svg = place ("again.svg");
    g_autoptr (GError) error = NULL;
    hl_export_window_set_options (figure, &options);
    hl_export_window_save_to (figure, png, &error);
    g_assert_no_error (error);
    hl_export_window_save_to (figure, svg, &error);
    g_assert_no_error (error);
    g_autoptr (GdkPixbuf) one = gdk_pixbuf_new_from_file (png, &error);
    g_assert_no_error (error);
    int width = gdk_pixbuf_get_width (one), height = gdk_pixbuf_get_height (one);
    g_autoptr (GdkPixbuf) two = gdk_pixbuf_new_from_file_at_scale (svg, width, height, FALSE, &error);
    if (two == NULL) {
      g_test_skip ("no loader of SVG pictures here");
      g_clear_error (&error);
    }
    double ink[2] = {0, 0}, apart = 0;
    for (int y = 0; two != NULL && y < height; y++)
      for (int x = 0; x < width; x++) {
        double a = darkness (one, x, y), b = darkness (two, x, y);
        ink[0] += a;
        ink[1] += b;
        apart += fabs (a - b);
      }
    g_test_message ("%s: ink %.4f and %.4f of the page, apart by %.4f", names[i], ink[0] / width / height,
                    ink[1] / width / height, apart / width / height);
    if (two != NULL) {
      g_assert_cmpfloat (ink[0], >, 0.002 * width * height);
      g_assert_cmpfloat (fabs (ink[1] / ink[0] - 1.0), <, 0.05);
      /* letters are smoothed otherwise, and in a circuit, whose texts have the requested size, they are half of the ink */
      g_assert_cmpfloat (apart, <, 0.33 * ink[0]);
    }
    gtk_window_destroy (GTK_WINDOW (figure));
    g_unlink (png);
    g_unlink (svg);
  }
  fixture_close (window);
}

/* Tests that a zoomed plot is exported in its visible range or, on request, whole; a drawing has no range. */
static void test_visible_or_whole (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autoptr (GError) error = NULL;

  hl_plot_view_set_x_range (hl_plot_pane_view (window_part (window, "plot_pane"), 0), 0.5, 1.25);
  fixture_draw (window);
  HlPictureSource source = fixture_pictures (window);
  g_autoptr (HlPicture) seen = hl_picture_new (&source, "plot:0", HL_STYLE_PRINT, &error);
  g_assert_no_error (error);
  const HlPlot *plot = ((const HlPlotStack *)seen->data)->plots;
  g_assert_cmpfloat (plot->x.axis.min, ==, 0.5);
  g_assert_cmpfloat (plot->x.axis.max, ==, 1.25);
  g_assert_true (hl_picture_show_all (seen, &source, HL_STYLE_PRINT));
  plot = ((const HlPlotStack *)seen->data)->plots;
  g_assert_cmpfloat (plot->x.axis.min, <=, 0.0);
  g_assert_cmpfloat (plot->x.axis.max, >=, 4.0);
  g_assert_false (hl_picture_show_seen (seen, &source));
  /* drawings are whole, or, on request, the visible part */
  g_autoptr (HlPicture) drawing = hl_picture_new (&source, "circuit", HL_STYLE_PRINT, &error);
  g_assert_false (hl_picture_show_all (drawing, &source, HL_STYLE_PRINT));
  HlFigureOptions options = hl_figure_options_default ();
  g_autoptr (GBytes) whole =
      hl_figure_render (drawing->painter, drawing->data, HL_FIGURE_SVG, &options, &error);
  g_assert_true (hl_picture_show_seen (drawing, &source));
  hl_canvas_zoom (HL_CANVAS (window_part (window, "circuit_view")), 8);
  g_autoptr (HlPicture) near = hl_picture_new (&source, "circuit", HL_STYLE_PRINT, &error);
  g_assert_true (hl_picture_show_seen (near, &source));
  g_autoptr (GBytes) part = hl_figure_render (near->painter, near->data, HL_FIGURE_SVG, &options, &error);
  g_assert_no_error (error);
  g_assert_false (g_bytes_equal (whole, part));
  fixture_close (window);
}

/* Tests that all entries of the menu open and are drawn in every style. */
static void test_all_figures (void) {
  static const char *const names[] = {"plots", "plot:0", "circuit", "linkage", "locus"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    HlExportWindow *figure = hl_exporter_show_figure (window->exporter, names[i]);
    HlFigureOptions options = hl_export_window_options (figure);
    for (int style = 0; style < 3; style++) {
      options.style = (HlStyleKind)style;
      hl_export_window_set_options (figure, &options);
      fixture_draw (figure);
    }
    gtk_window_destroy (GTK_WINDOW (figure));
  }
  g_assert_null (hl_exporter_show_figure (window->exporter, "plot:99"));
  g_assert_nonnull (hl_window_banner (window));
  fixture_close (window);
}

static void test_copy (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlExportWindow *figure = hl_exporter_show_figure (window->exporter, "circuit");
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (window));
  g_autoptr (GError) error = NULL;

  hl_export_window_copy (figure, &error);
  g_assert_no_error (error);
  GdkContentFormats *formats = gdk_clipboard_get_formats (clipboard);
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/png"));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  gtk_window_destroy (GTK_WINDOW (figure));
  fixture_close (window);
}

/* Tests printing, into a file. */
static void test_print (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlExportWindow *figure = hl_exporter_show_figure (window->exporter, "plots");
  g_autoptr (GtkPrintOperation) operation = hl_export_window_print_operation (figure);
  g_autofree char *path = place ("print.pdf");
  g_autoptr (GError) error = NULL;

  gtk_print_operation_set_export_filename (operation, path);
  g_assert_cmpint (gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, &error), ==,
                   GTK_PRINT_OPERATION_RESULT_APPLY);
  g_assert_no_error (error);
  check_begins (path, "%PDF");
  g_unlink (path);
  gtk_window_destroy (GTK_WINDOW (figure));
  fixture_close (window);
}

/* --- charts of studies --- */

static gboolean has_numbers (gpointer chart) {
  g_autofree char *table = hl_chart_table (chart);

  return table != NULL;
}

/* Opens the export window of a study by the study's own button; its figure has ink in every format. Returns
 * the table that it saves. */
static HlTable *take_chart_away (GtkWidget *study) {
  static const char *const magics[][2] = {{"chart.svg", "<?xml"}, {"chart.pdf", "%PDF"}};
  g_autofree char *png = place ("chart.png"), *csv = place ("chart.csv");
  g_autoptr (GError) error = NULL;

  fixture_until (has_numbers, fixture_child (study, "chart"));
  fixture_draw (study);
  fixture_press (study, "_Export…");
  HlExportWindow *figure = HL_EXPORT_WINDOW (fixture_find_window ("Export a chart"));
  fixture_draw (figure);
  for (guint i = 0; i < G_N_ELEMENTS (magics); i++) {
    g_autofree char *path = place (magics[i][0]);
    hl_export_window_save_to (figure, path, &error);
    g_assert_no_error (error);
    check_begins (path, magics[i][1]);
    g_unlink (path);
  }
  hl_export_window_save_to (figure, png, &error);
  g_assert_no_error (error);
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new_from_file (png, &error);
  g_assert_no_error (error);
  double ink = 0;
  for (int y = 0; y < gdk_pixbuf_get_height (picture); y++)
    for (int x = 0; x < gdk_pixbuf_get_width (picture); x++)
      ink += darkness (picture, x, y);
  g_assert_cmpfloat (ink, >, 0.002 * gdk_pixbuf_get_height (picture) * gdk_pixbuf_get_width (picture));
  hl_export_window_save_to (figure, csv, &error);
  g_assert_no_error (error);
  HlTable *table = hl_table_load (csv, &(HlTableFormat){',', '.'}, &error);
  g_assert_no_error (error);
  g_unlink (png);
  g_unlink (csv);
  gtk_window_destroy (GTK_WINDOW (figure));
  return table;
}

/* Tests that the chosen format sets the ending of the file; only a figure with numbers offers formats of
 * numbers. */
static void test_format (void) {
  static const char *const endings[] = {".svg", ".pdf", ".png", ".csv"};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlExportWindow *figure = hl_exporter_show_figure (window->exporter, "circuit");

  g_assert_nonnull (figure);
  for (int with_table = 0; with_table < 2; with_table++) {
    if (with_table) {
      gtk_window_destroy (GTK_WINDOW (figure));
      GtkWidget *study = hl_response_window_new (hl_window_workbench (window), GTK_WINDOW (window));
      gtk_window_present (GTK_WINDOW (study));
      fixture_until (has_numbers, fixture_child (study, "chart"));
      fixture_press (study, "_Export…");
      figure = HL_EXPORT_WINDOW (fixture_find_window ("Export a chart"));
    }
    GtkDropDown *format = GTK_DROP_DOWN (fixture_child (GTK_WIDGET (figure), "format"));
    guint n = g_list_model_get_n_items (gtk_drop_down_get_model (format));
    g_assert_cmpuint (n, ==, with_table ? 4 : 3);
    for (guint i = 0; i < n; i++) {
      gtk_drop_down_set_selected (format, i);
      g_autofree char *name = hl_export_window_file_name (figure);
      g_assert_true (g_str_has_suffix (name, endings[i]));
      g_assert_true (g_str_has_prefix (name, with_table ? "chart" : "circuit"));
    }
  }
  gtk_window_destroy (GTK_WINDOW (figure));
  fixture_close (window);
}

static double cell (const HlTable *table, const char *name, int row) {
  int column = hl_table_find_column (table, name);

  g_assert_cmpint (column, >=, 0);
  return hl_table_column (table, column)[row];
}

/* Tests that the numbers of a study's chart follow the laws: polar and rectangular form agree. */
static void test_response_chart (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  GtkWidget *study = hl_response_window_new (hl_window_workbench (window), GTK_WINDOW (window));

  gtk_window_present (GTK_WINDOW (study));
  HlTable *table = take_chart_away (study);
  g_assert_cmpint (table->n_rows, >=, 400);
  for (int row = 0; row < table->n_rows; row++) {
    double re = cell (table, "re", row), im = cell (table, "im", row);
    double phase = cell (table, "phase", row);
    g_assert_cmpfloat (cell (table, "magnitude", row), ==, hypot (re, im));
    g_assert_cmpfloat (fabs (sin (phase) * re - cos (phase) * im), <=, 1e-9 * hypot (re, im));
  }
  hl_table_free (table);
  gtk_drop_down_set_selected (fixture_child (study, "pick_view"), 2); /* the step */
  fixture_draw (study);
  table = take_chart_away (study);
  g_assert_cmpfloat (cell (table, "time", 0), ==, 0.0);
  g_assert_cmpint (hl_table_find_column (table, "response"), ==, 1);
  hl_table_free (table);
  gtk_window_destroy (GTK_WINDOW (study));
  fixture_close (window);
}

/* Tests that the force falls with the speed, as the flow of a pump requires. */
static void test_force_chart (void) {
  HlWindow *window = fixture_open (application, "metering-arm.hydrolink");
  GtkWidget *study = hl_force_window_new (hl_window_workbench (window), GTK_WINDOW (window));

  gtk_window_present (GTK_WINDOW (study));
  HlTable *table = take_chart_away (study);
  g_assert_cmpint (table->n_rows, >, 4);
  for (int row = 1; row < table->n_rows; row++) { /* more speed, less force */
    g_assert_cmpfloat (cell (table, "velocity", row), >=, cell (table, "velocity", row - 1));
    g_assert_cmpfloat (cell (table, "force", row), <=, cell (table, "force", row - 1));
  }
  hl_table_free (table);
  gtk_window_destroy (GTK_WINDOW (study));
  fixture_close (window);
}

/* Tests the grid, then the boundary, at which nothing grows. */
static void test_map_chart (void) {
  HlWindow *window = fixture_open (application, "articulated-vehicle-tyre.hydrolink");
  GtkWidget *study = hl_map_window_new (hl_window_workbench (window), GTK_WINDOW (window));

  gtk_window_present (GTK_WINDOW (study));
  HlTable *table = take_chart_away (study);
  g_assert_cmpint (table->n_rows, >=, 61 * 61);
  g_assert_cmpstr (table->units[2], ==, "1/s");
  g_assert_cmpstr (table->names[3], ==, "damping_ratio");
  for (int row = 61 * 61; row < table->n_rows; row++) /* the boundary */
    g_assert_cmpfloat (cell (table, "growth", row), ==, 0.0);
  hl_table_free (table);
  gtk_window_destroy (GTK_WINDOW (study));
  fixture_close (window);
}

/* --- data --- */

static void test_data (void) {
  static const struct {
    const char *what, *name, *magic;
  } exports[] = {{"results", "run.csv", "t [s],"},      {"results", "run.mat", "MATLAB"},
                 {"linear-model", "m.mat", "MATLAB"},   {"linear-model", "m.m", "% Linear model"},
                 {"linear-model", "m.py", "#!/usr/"},   {"linear-model", "m.json", "{\n"},
                 {"linear-model", "m.csv", "row,link2"}};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  for (guint i = 0; i < G_N_ELEMENTS (exports); i++) {
    g_autofree char *path = place (exports[i].name);
    g_autoptr (GError) error = NULL;
    hl_exporter_save (window->exporter, exports[i].what, path, &error);
    g_assert_no_error (error);
    check_begins (path, exports[i].magic);
    g_unlink (path);
  }
  fixture_close (window);

  window = fixture_open (application, NULL);
  for (guint i = 0; i < 3; i += 2) {
    g_autoptr (GError) error = NULL;
    g_assert_false (hl_exporter_save (window->exporter, exports[i].what, "/tmp/no.mat", &error));
    g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  }
  fixture_close (window);
}

/* --- animations --- */

static HlFilm *short_film (HlWindow *window) {
  HlWorkbench *workbench = hl_window_workbench (window);
  HlRun *run = hl_runs_shown (hl_workbench_runs (workbench));
  HlFilm *film = hl_film_new (run->document, run->results, hl_workbench_units (workbench));

  film->t_to = 0.4;
  film->rate_hz = 20;
  film->width_px = 160;
  film->height_px = 90;
  g_assert_cmpint (hl_film_n_frames (film), ==, 9);
  return film;
}

static gboolean stop_at_four (int frame, int n_frames, gpointer last) {
  *(int *)last = frame;
  g_assert_cmpint (n_frames, ==, 9);
  return frame < 4;
}

static gboolean same_bytes (const char *a, const char *b) {
  g_autofree char *one = NULL, *other = NULL;
  gsize n_one, n_other;

  g_assert_true (g_file_get_contents (a, &one, &n_one, NULL));
  g_assert_true (g_file_get_contents (b, &other, &n_other, NULL));
  return n_one == n_other && memcmp (one, other, n_one) == 0;
}

static void remove_series (void) {
  for (int frame = 1; frame <= 9; frame++) {
    g_autofree char *name = g_strdup_printf ("film-%04d.png", frame);
    g_autofree char *picture = place (name);
    g_assert_cmpint (g_unlink (picture), ==, 0);
  }
}

/* Tests that a picture with the name of a frame is neither overwritten nor removed. */
static void test_series_beside_another (void) {
  HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
  g_autoptr (HlFilm) film = short_film (window);
  g_autofree char *path = place ("film.png"), *first = place ("film-0001.png");
  g_autofree char *third = place ("film-0003.png"), *kept = NULL;
  g_autoptr (GError) error = NULL;
  int reached = 0;

  g_assert_true (g_file_set_contents (third, "mine", -1, NULL));
  g_assert_false (hl_film_write (film, path, stop_at_four, &reached, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "film-0003.png"));
  g_assert_cmpint (reached, ==, 0);
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_get_contents (third, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "mine");
  g_unlink (third);
  fixture_close (window);
}

static void test_series (void) {
  HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
  g_autoptr (HlFilm) film = short_film (window);
  g_autofree char *path = place ("film.png");
  g_autofree char *first = place ("film-0001.png"), *last = place ("film-0009.png");
  g_autofree char *beyond = place ("film-0010.png");
  g_autoptr (GError) error = NULL;
  int reached = 0;

  g_assert_false (hl_film_write (film, path, stop_at_four, &reached, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CANCELLED);
  g_assert_cmpint (reached, ==, 4);
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  for (int circuit = 0; circuit < 2; circuit++) {
    film->circuit = circuit;
    hl_film_write (film, path, NULL, NULL, &error);
    g_assert_no_error (error);
    g_assert_false (g_file_test (beyond, G_FILE_TEST_EXISTS));
    g_assert_false (same_bytes (first, last)); /* it moves */
    remove_series ();
  }
  fixture_close (window);
}

/* Tests with a stand-in for the encoder, which keeps its raw frames. */
static void test_encoder (void) {
  HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
  g_autoptr (HlFilm) film = short_film (window);
  g_autofree char *encoder = place ("ffmpeg"), *path = place ("film.webm");
  g_autofree char *old = g_strdup (g_getenv ("PATH"));
  g_autofree char *with = g_strconcat (folder, ":", old, NULL);
  g_autoptr (GError) error = NULL;
  GStatBuf facts;
  int reached = 0;

  g_setenv ("PATH", folder, TRUE);
  g_assert_false (hl_film_write (film, path, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "ffmpeg"));
  g_clear_error (&error);

  g_assert_true (
      g_file_set_contents (encoder, "#!/bin/sh\nfor last; do :; done\nexec cat >\"$last\"\n", -1, NULL));
  g_chmod (encoder, 0755);
  g_setenv ("PATH", with, TRUE);
  hl_film_write (film, path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_stat (path, &facts), ==, 0);
  g_assert_cmpint (facts.st_size, ==, 9 * 160 * 90 * 4);
  g_unlink (path);

  g_assert_false (hl_film_write (film, path, stop_at_four, &reached, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_setenv ("PATH", old, TRUE);
  g_unlink (encoder);
  fixture_close (window);
}

static gboolean is_idle (gpointer film) {
  return !hl_film_window_is_working (film);
}

/* Tests that the window writes in the background, and leaves no file when it is closed meanwhile. */
static void test_film_window (void) {
  HlWindow *window = fixture_open (application, "slider-crank.hydrolink");
  HlFilmWindow *film = hl_exporter_show_film (window->exporter);
  g_autofree char *path = place ("window.png"), *first = place ("window-0001.png");
  g_autoptr (HlFilmWindow) kept = g_object_ref (film);

  fixture_draw (film);
  g_assert_nonnull (strstr (fixture_said (film, "message"), "51 frames of 960 × 540"));
  hl_film_window_start (film, path);
  g_assert_true (hl_film_window_is_working (film));
  fixture_press (film, "_Cancel");
  fixture_until (is_idle, film);
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));

  hl_film_window_start (film, path);
  gtk_window_destroy (GTK_WINDOW (film));
  fixture_until (is_idle, film);
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
  fixture_close (window);

  window = fixture_open (application, NULL);
  g_assert_null (hl_exporter_show_film (window->exporter));
  g_assert_nonnull (hl_window_banner (window));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-figures-XXXXXX", NULL);
  g_test_add_func ("/figure-export-window/sizes", test_sizes);
  g_test_add_func ("/figure-export-window/svg-rendered-again", test_svg_rendered_again);
  g_test_add_func ("/figure-export-window/visible-or-whole", test_visible_or_whole);
  g_test_add_func ("/figure-export-window/all-figures", test_all_figures);
  g_test_add_func ("/figure-export-window/chart-of-a-response", test_response_chart);
  g_test_add_func ("/figure-export-window/chart-of-forces", test_force_chart);
  g_test_add_func ("/figure-export-window/chart-of-stability", test_map_chart);
  g_test_add_func ("/figure-export-window/format", test_format);
  g_test_add_func ("/figure-export-window/copy", test_copy);
  g_test_add_func ("/figure-export-window/print", test_print);
  g_test_add_func ("/figure-export-window/data", test_data);
  g_test_add_func ("/figure-export-window/series", test_series);
  g_test_add_func ("/figure-export-window/series-beside-another", test_series_beside_another);
  g_test_add_func ("/figure-export-window/encoder", test_encoder);
  g_test_add_func ("/figure-export-window/film-window", test_film_window);
  int status = g_test_run ();
  g_object_unref (application);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
