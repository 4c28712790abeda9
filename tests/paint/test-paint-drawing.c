/* SPDX-License-Identifier: MIT */
/* Circuits and linkages on image surfaces, picking, label placement, and figures as files. */
#include "tests/paint/paint-canvas.h"
#include "tests/paint/paint-samples.h"
#include "tests/support/hl-test.h"
#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/circuit/hl-symbol.h"

#include "core/base/hl-error.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Returns one of all symbols, or that of an unknown kind. */
static HlShapeKind symbol_of (int k) {
  return k < hl_n_symbols ? hl_symbols[k] : &hl_symbol_unknown;
}

static const char *examples[] = {"four-bar.hydrolink", "metering-arm.hydrolink",
                                 "hybrid-two-cylinders.hydrolink", "two-arms-2.hydrolink"};

static void test_circuit_whole (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++)
    for (gsize i = 0; i < G_N_ELEMENTS (examples); i++) {
      SampleCircuit *circuit = sample_circuit_load (examples[i]);
      g_autoptr (HlCircuitLayout) layout =
          hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
      SampleCircuitPicture *sample = sample_circuit_picture_new (circuit, layout);
      Canvas canvas = canvas_new (560, 460, kind);
      HlView view = {.scale = 1.0};
      sample->picture.show_grid = FALSE;
      hl_view_fit (&view, hl_circuit_box (&sample->picture), canvas.area, 20.0, 16.0);
      hl_paint_circuit (canvas.cr, &sample->picture, &view, canvas.area, &canvas.style);
      canvas_assert_whole (&canvas, examples[i], 2500);
      canvas_clear (&canvas);
      sample_circuit_picture_free (sample);
      sample_circuit_free (circuit);
    }
}

/* Tests that a line at low pressure is visible on a dark canvas: its colour is there along its whole length.
 */
static void test_low_pressure_visible (void) {
  HlSpot points[2] = {{2.0, 5.0}, {18.0, 5.0}};
  HlLayoutWire wire = {points, 2};
  HlCircuitNet net = {.wires = &wire, .n_wires = 1, .pressure = 1e5};
  HlCircuitPicture picture = hl_circuit_picture_make ();
  Canvas canvas = canvas_new (200, 100, HL_STYLE_DARK);
  HlView view = {.scale = 10.0};

  picture.nets = &net;
  picture.n_nets = 1;
  picture.pressure_high = 8e6;
  hl_paint_circuit (canvas.cr, &picture, &view, canvas.area, &canvas.style);
  HlColor color = hl_style_pressure_color (&canvas.style, 1e5 / 8e6);
  g_assert_cmpint (canvas_count_color (&canvas, (HlRect){20.0, 46.0, 160.0, 8.0}, color), >=, 320);
  g_assert_cmpfloat (canvas_contrast (color, canvas.style.background), >=, 3.0);
  canvas_clear (&canvas);
}

static void test_circuit_pick (void) {
  SampleCircuit *circuit = sample_circuit_load ("four-bar.hydrolink");
  g_autoptr (HlCircuitLayout) layout =
      hl_circuit_layout_new (circuit->components, circuit->n_components, circuit->nets, circuit->n_nets);
  SampleCircuitPicture *sample = sample_circuit_picture_new (circuit, layout);

  for (int i = 0; i < layout->n_symbols; i++) {
    /* on the first port's lead every symbol is hit */
    HlShapePort p = hl_shape_placed_port (sample->symbols[i].kind, 0, &sample->symbols[i].place);
    HlSpot inside = {p.x - 0.2 * p.dir_x, p.y - 0.2 * p.dir_y};
    g_assert_cmpint (hl_circuit_symbol_at (&sample->picture, inside, 0.3), ==, i);
  }
  for (int n = 0; n < layout->n_nets; n++) {
    const HlLayoutWire *wire = &layout->routes[n].wires[0];
    HlSpot middle = {0.5 * (wire->points[0].x + wire->points[1].x),
                     0.5 * (wire->points[0].y + wire->points[1].y)};
    g_assert_cmpint (hl_circuit_net_at (&sample->picture, middle, 0.5), ==, n);
  }
  g_assert_cmpint (hl_circuit_symbol_at (&sample->picture, (HlSpot){-500.0, 0.0}, 0.5), ==, -1);
  sample_circuit_picture_free (sample);
  sample_circuit_free (circuit);
}

static void test_icons (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++)
    for (int shape = 0; shape <= hl_n_symbols; shape++) {
      Canvas canvas = canvas_new (32, 32, kind);
      hl_paint_symbol_icon (canvas.cr, symbol_of (shape), canvas.area, 4.0, &canvas.style);
      canvas_assert_whole (&canvas, hl_shape_kind_name (symbol_of (shape)), 25);
      canvas_clear (&canvas);
    }
}

static void test_mechanism_whole (void) {
  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_PRINT; kind++)
    for (int which = 0; which < 2; which++) {
      SampleFourBar four_bar;
      SampleMachine machine;
      Canvas canvas = canvas_new (520, 400, kind);
      HlView view = {.scale = 1.0, .y_up = TRUE};
      sample_four_bar_fill (&four_bar);
      sample_machine_fill (&machine);
      HlMechanismPicture picture = which == 0 ? four_bar.picture : machine.picture;
      picture.show_grid = FALSE;
      hl_view_fit (&view, hl_mechanism_box (&picture), canvas.area, 60.0, 1e6);
      hl_paint_mechanism (canvas.cr, &picture, &view, canvas.area, &canvas.style);
      canvas_assert_whole (&canvas, which == 0 ? "four-bar" : "machine", 6000);
      canvas_clear (&canvas);
    }
}

/* Tests names and labels longer than the drawing is wide, on both canvases: nothing leaves the drawing, and
 * each keeps its first and last letters. */
static void test_long_labels (void) {
  const char *label = "pressure in front of the second throttle of the boom behind the check 2.81 MPa";
  HlSpot points[2] = {{2.0, 9.0}, {28.0, 9.0}};
  HlLayoutWire wire = {points, 2};
  HlCircuitNet net = {.wires = &wire, .n_wires = 1, .pressure = 1e5, .label = label};
  HlCircuitSymbol symbol = {.kind = hl_symbols[0], .place = {.x = 12.0, .y = 3.0}, .label = label};

  for (int width = 240; width <= 480; width *= 2) {
    Canvas canvas = canvas_new (width, 160, HL_STYLE_LIGHT);
    HlCircuitPicture circuit = hl_circuit_picture_make ();
    HlView view = {.scale = 1.0};
    circuit.nets = &net;
    circuit.n_nets = 1;
    circuit.symbols = &symbol;
    circuit.n_symbols = 1;
    circuit.show_grid = FALSE;
    hl_view_fit (&view, hl_circuit_box (&circuit), canvas.area, 4.0, 16.0);
    hl_paint_circuit (canvas.cr, &circuit, &view, canvas.area, &canvas.style);
    canvas_assert_whole (&canvas, "long-labels-circuit", 500);
    canvas_clear (&canvas);

    SampleFourBar sample;
    view = (HlView){.scale = 1.0, .y_up = TRUE};
    canvas = canvas_new (width, 160, HL_STYLE_LIGHT);
    sample_four_bar_fill (&sample);
    for (int k = 0; k < 5; k++)
      sample.joints[k].label = label;
    sample.cylinder.label = sample.angle.label = label;
    sample.picture.show_grid = FALSE;
    hl_view_fit (&view, hl_mechanism_box (&sample.picture), canvas.area, 30.0, 1e6);
    hl_paint_mechanism (canvas.cr, &sample.picture, &view, canvas.area, &canvas.style);
    canvas_assert_whole (&canvas, "long-labels-linkage", 500);
    canvas_clear (&canvas);
  }

  Canvas canvas = canvas_new (40, 40, HL_STYLE_LIGHT);
  g_autofree char *cut = NULL, *none = NULL;
  double own, height;
  const char *shown =
      hl_text_fit (canvas.cr, &canvas.style, HL_TEXT_SMALL, label, 120.0, &cut, &own, &height);
  g_assert_true (shown == cut && own <= 120.0);
  g_assert_true (g_str_has_prefix (shown, "press") && g_str_has_suffix (shown, "MPa"));
  shown = hl_text_fit (canvas.cr, &canvas.style, HL_TEXT_SMALL, "p₂", 120.0, &none, &own, &height);
  g_assert_cmpstr (shown, ==, "p₂");
  g_assert_null (none);
  /* an angle with its value stays whole on a narrow canvas */
  g_assert_cmpfloat (hl_text_most (&canvas.style, 180.0), >, 160.0);
  g_assert_cmpfloat (hl_text_most (&canvas.style, 100.0), <=, 100.0);
  hl_assert_near (hl_text_most (&canvas.style, 1000.0), 500.0, 0.0, 1e-9);
  canvas_clear (&canvas);
}

static void test_mechanism_pick (void) {
  SampleFourBar s;
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlView view = {.scale = 1.0, .y_up = TRUE};
  int index = -1;

  sample_four_bar_fill (&s);
  hl_view_fit (&view, hl_mechanism_box (&s.picture), (HlRect){0.0, 0.0, 520.0, 400.0}, 60.0, 1e6);
  for (int j = 0; j < s.picture.n_joints; j++) {
    g_assert_cmpint (
        hl_mechanism_at (&s.picture, &view, &style, hl_view_to_device (&view, s.joints[j].at), 4.0, &index),
        ==, HL_MECH_IS_JOINT);
    g_assert_cmpint (index, ==, j);
  }
  for (int b = 1; b < 3; b++) {
    HlSpot middle = hl_view_to_device (&view, s.bodies[0][b].com);
    g_assert_cmpint (
        hl_mechanism_at (&s.picture, &view, &style, (HlSpot){middle.x + 4.0, middle.y}, 4.0, &index), ==,
        HL_MECH_IS_BODY);
    g_assert_cmpint (index, ==, b);
  }
  HlSpot cylinder = hl_view_to_device (&view, (HlSpot){-0.6, 0.24});
  g_assert_cmpint (hl_mechanism_at (&s.picture, &view, &style, cylinder, 4.0, &index), ==,
                   HL_MECH_IS_CYLINDER);
  g_assert_cmpint (hl_mechanism_at (&s.picture, &view, &style, (HlSpot){5.0, 5.0}, 4.0, &index), ==,
                   HL_MECH_NOTHING);
}

/* Tests that the first free place is taken, or else the least covered one, inside the bounds. */
static void test_label_space (void) {
  HlLabelSpace space;
  HlRect ring[16];

  hl_label_space_init (&space, (HlRect){0.0, 0.0, 100.0, 100.0});
  int n = hl_label_ring ((HlSpot){50.0, 50.0}, 20.0, 10.0, 8.0, 2, ring);
  g_assert_cmpint (n, ==, 16);
  g_assert_cmpint (hl_label_space_choose (&space, ring, n), ==, 0);
  hl_label_space_take_rect (&space, (HlRect){58.0, 44.0, 30.0, 12.0});
  g_assert_cmpint (hl_label_space_choose (&space, ring, n), ==, 1);
  hl_label_space_take_segment (&space, (HlSpot){0.0, 38.0}, (HlSpot){100.0, 38.0}, 2.0);
  g_assert_cmpint (hl_label_space_choose (&space, ring, n), ==, 2);
  HlRect outside[2] = {{95.0, 5.0, 20.0, 10.0}, {79.0, 5.0, 20.0, 10.0}};
  g_assert_cmpint (hl_label_space_choose (&space, outside, 2), ==, 1);
  hl_label_space_clear (&space);
}

/* Tests that the line from a label to its element is the shortest one, compared with all pairs of points of a
 * fine grid. */
static void test_leader (void) {
  for (int round = 0; round < 200; round++) {
    HlRect label = {g_test_rand_double_range (0, 100), g_test_rand_double_range (0, 100), 40, 12};
    HlSpot a = {g_test_rand_double_range (-50, 200), g_test_rand_double_range (-50, 200)};
    HlSpot b = {g_test_rand_double_range (-50, 200), g_test_rand_double_range (-50, 200)}, ends[2];
    double least = INFINITY, distance = hl_label_leader (label, a, b, ends);
    for (int k = 0; k <= 1000; k++) {
      HlSpot p = {a.x + 1e-3 * k * (b.x - a.x), a.y + 1e-3 * k * (b.y - a.y)};
      double dx = fmax (fmax (label.x - p.x, p.x - label.x - label.width), 0);
      double dy = fmax (fmax (label.y - p.y, p.y - label.y - label.height), 0);
      least = fmin (least, hypot (dx, dy));
    }
    hl_assert_near (distance, least, 0.0, 1e-3 * hypot (b.x - a.x, b.y - a.y));
    if (distance > 0.0)
      hl_assert_near (hypot (ends[1].x - ends[0].x, ends[1].y - ends[0].y), distance, 1e-9, 1e-9);
  }
}

static void test_figures (void) {
  SampleFourBar four_bar;
  HlFigureOptions options = hl_figure_options_default ();
  g_autoptr (GError) error = NULL;
  g_autofree char *dir = g_dir_make_tmp ("hl-figure-XXXXXX", NULL);
  static const char *names[] = {"a.svg", "a.pdf", "a.PNG"};
  static const char *magic[] = {"<?xml", "%PDF-", "\211PNG"};

  g_assert_nonnull (dir);
  sample_four_bar_fill (&four_bar);
  for (int i = 0; i < 3; i++) {
    g_autofree char *path = g_build_filename (dir, names[i], NULL);
    g_autofree char *content = NULL;
    gsize size = 0;
    g_assert_true (hl_figure_save (hl_figure_paint_mechanism, &four_bar.picture, path, &options, &error));
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (path, &content, &size, NULL));
    g_assert_cmpint ((int)size, >, 1500);
    g_assert_true (strncmp (content, magic[i], strlen (magic[i])) == 0);
    if (i == 0)
      g_assert_nonnull (strstr (content, "width=\"453.54"));
    if (i == 2) {
      /* 160 x 90 mm at 192 dpi */
      cairo_surface_t *png = cairo_image_surface_create_from_png (path);
      g_assert_cmpint (cairo_image_surface_get_width (png), ==, 1209);
      g_assert_cmpint (cairo_image_surface_get_height (png), ==, 680);
      cairo_surface_destroy (png);
    }
    g_remove (path);
  }
  g_rmdir (dir);
}

static void test_figure_errors (void) {
  HlFigureOptions options = hl_figure_options_default ();
  HlMechanismPicture picture = hl_mechanism_picture_make ();
  g_autoptr (GError) error = NULL;

  g_assert_false (hl_figure_save (hl_figure_paint_mechanism, &picture, "plot.jpeg", &options, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  g_clear_error (&error);
  options.width_mm = 1e6;
  g_assert_null (hl_figure_render (hl_figure_paint_mechanism, &picture, HL_FIGURE_PNG, &options, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_USAGE);
  g_clear_error (&error);
  options = hl_figure_options_default ();
  g_assert_false (
      hl_figure_save (hl_figure_paint_mechanism, &picture, "/nowhere-at-all/x.svg", &options, &error));
  g_assert_nonnull (error);
}

/* Tests that empty drawings are painted with a hint about the next action. */
static void test_empty (void) {
  Canvas canvas = canvas_new (400, 200, HL_STYLE_LIGHT);
  HlMechanismPicture mechanism = hl_mechanism_picture_make ();
  HlCircuitPicture circuit = hl_circuit_picture_make ();
  HlPlot plot = hl_plot_make ();
  HlLocusPlot locus = hl_locus_make ();
  HlView view = {.scale = 10.0};

  mechanism.empty_text = "Draw a link";
  circuit.empty_text = "Place a component";
  plot.empty_text = "Press Run";
  hl_locus_fit (&locus, TRUE);
  hl_plot_fit_x (&plot);
  hl_plot_fit_y (&plot);
  g_assert_cmpfloat (plot.x.axis.max, ==, 1.0);
  hl_paint_mechanism (canvas.cr, &mechanism, &view, (HlRect){0.0, 0.0, 200.0, 100.0}, &canvas.style);
  hl_paint_circuit (canvas.cr, &circuit, &view, (HlRect){200.0, 0.0, 200.0, 100.0}, &canvas.style);
  hl_paint_plot (canvas.cr, &plot, (HlRect){0.0, 100.0, 200.0, 100.0}, &canvas.style);
  hl_paint_locus (canvas.cr, &locus, (HlRect){200.0, 100.0, 200.0, 100.0}, &canvas.style);
  for (int quarter = 0; quarter < 4; quarter++)
    g_assert_cmpint (
        canvas_count_ink (&canvas, (HlRect){quarter % 2 * 200.0, quarter / 2 * 100.0, 200.0, 100.0}), >, 60);
  canvas_clear (&canvas);
}

/* Crowds of rectangles: the choice is the first of the cheapest by plain sums over all of them, or
 * none when those cost more than is allowed. */
static void test_label_crowd (void) {
  for (int round = 0; round < 200; round++) {
    HlLabelSpace space;
    HlRect taken[60], candidates[24];
    int n_taken = g_test_rand_int_range (0, G_N_ELEMENTS (taken)), best = -1;
    double most = g_test_rand_bit () ? INFINITY : g_test_rand_double_range (0, 300), least = most;

    hl_label_space_init (&space, (HlRect){0, 0, 500, 300});
    for (int i = 0; i < n_taken; i++) {
      taken[i] = (HlRect){g_test_rand_double_range (0, 400), g_test_rand_double_range (0, 200),
                          g_test_rand_double_range (5, 100), g_test_rand_double_range (5, 100)};
      hl_label_space_take_rect (&space, taken[i]);
    }
    for (guint i = 0; i < G_N_ELEMENTS (candidates); i++) {
      candidates[i] = (HlRect){g_test_rand_double_range (0, 440), g_test_rand_double_range (0, 280), 60, 20};
      double cost = 0;
      for (int other = 0; other < n_taken; other++) {
        const HlRect *a = &taken[other], *b = &candidates[i];
        cost += fmax (0, fmin (a->x + a->width, b->x + b->width) - fmax (a->x, b->x)) *
                fmax (0, fmin (a->y + a->height, b->y + b->height) - fmax (a->y, b->y));
      }
      if (best < 0 ? cost <= least : cost < least) {
        best = (int)i;
        least = cost;
      }
    }
    g_assert_cmpint (hl_label_space_choose_within (&space, candidates, G_N_ELEMENTS (candidates), most), ==,
                     best);
    if (best >= 0)
      /* 20 times what of it is outside of the bounds: rounding of coordinates up to 500 */
      hl_assert_near (hl_label_space_cost (&space, candidates[best]), least, 1e-12, 1e-10);
    hl_label_space_clear (&space);
  }
}

/* Paints two ground pivots side by side, whose names want the same place. */
static Canvas paint_pivots (const char *first, gboolean is_problem, gboolean is_selected) {
  HlMechJoint joints[] = {{.kind = HL_MECH_PIN_GROUND, .at = {-0.1, 0}, .label = first},
                          {.kind = HL_MECH_PIN_GROUND,
                           .at = {0.1, 0},
                           .label = "foundation",
                           .selected = is_selected,
                           .is_problem = is_problem}};
  HlMechanismPicture picture = hl_mechanism_picture_make ();
  Canvas canvas = canvas_new (240, 120, HL_STYLE_LIGHT);
  HlView view = {.scale = 60, .offset_x = 120, .offset_y = 60, .y_up = TRUE};

  picture.joints = joints;
  picture.n_joints = 2;
  picture.show_grid = FALSE;
  hl_paint_mechanism (canvas.cr, &picture, &view, canvas.area, &canvas.style);
  cairo_surface_flush (canvas.surface);
  return canvas;
}

/* Counts the pixels that differ in the strip under both pivots, where the name of the second one belongs. */
static int differing_pixels (const Canvas *a, const Canvas *b) {
  int n = 0, stride = cairo_image_surface_get_stride (a->surface);

  for (int y = 84; y < 98; y++)
    for (int x = 100; x < 156; x++)
      n += memcmp (cairo_image_surface_get_data (a->surface) + y * stride + 4 * x,
                   cairo_image_surface_get_data (b->surface) + y * stride + 4 * x, 4) != 0;
  return n;
}

/* Tests that the name of a part with a problem, or of a selected one, has its place as if there were no other
 * name; otherwise the first part of the file has it. */
static void test_label_priority (void) {
  for (int state = 0; state < 3; state++) {
    Canvas alone = paint_pivots (NULL, state == 1, state == 2);
    Canvas both = paint_pivots ("base plate", state == 1, state == 2);
    if (state == 0)
      g_assert_cmpint (differing_pixels (&alone, &both), >, 50);
    else
      g_assert_cmpint (differing_pixels (&alone, &both), ==, 0);
    canvas_clear (&alone);
    canvas_clear (&both);
  }
  g_assert_cmpint (hl_label_priority (TRUE, TRUE, HL_LABEL_NAME), <,
                   hl_label_priority (FALSE, TRUE, HL_LABEL_NAME));
  g_assert_cmpint (hl_label_priority (FALSE, TRUE, HL_LABEL_NAME), <,
                   hl_label_priority (FALSE, FALSE, HL_LABEL_VALUE));
  g_assert_cmpint (HL_LABEL_VALUE, <, HL_LABEL_NAME);
  g_assert_cmpint (HL_LABEL_NAME, <, HL_LABEL_MINOR);
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circuit/whole", test_circuit_whole);
  g_test_add_func ("/circuit/low-pressure-visible", test_low_pressure_visible);
  g_test_add_func ("/circuit/pick", test_circuit_pick);
  g_test_add_func ("/circuit/icons", test_icons);
  g_test_add_func ("/mechanism/whole", test_mechanism_whole);
  g_test_add_func ("/drawing/long-labels-stay-inside", test_long_labels);
  g_test_add_func ("/mechanism/pick", test_mechanism_pick);
  g_test_add_func ("/label/space", test_label_space);
  g_test_add_func ("/drawing/leader-is-the-shortest-line", test_leader);
  g_test_add_func ("/label/crowd", test_label_crowd);
  g_test_add_func ("/label/priority", test_label_priority);
  g_test_add_func ("/figure/formats", test_figures);
  g_test_add_func ("/figure/errors", test_figure_errors);
  g_test_add_func ("/drawing/empty", test_empty);
  return g_test_run ();
}
