/* SPDX-License-Identifier: MIT */
/* From a document and an instant of a run to the pictures. */
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/support/hl-test-document.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/paint/chart/hl-scene-plot.h"

#include <math.h>
#include <string.h>

/* Makes a run in which link2 turns from 60 to 90 degrees about O1 and V1 rises from 2 to 3 MPa, in one
 * second. */
static HlResults *make_run (void) {
  static const HlColumnInfo columns[] = {{"link2.x", NULL, "m"},       {"link2.y", NULL, "m"},
                                         {"link2.angle", NULL, "rad"}, {"V1.pressure", NULL, "Pa"},
                                         {"cyl.s", NULL, "m"},         {"phi2", "φ₂", "rad"},
                                         {"phi2.linear", "φ₂", "rad"}};
  HlResults *results = hl_results_new (columns, G_N_ELEMENTS (columns));

  for (int row = 0; row <= 10; row++) {
    double t = row / 10.0, angle = G_PI / 3 + t * G_PI / 6;
    const double values[] = {cos (angle),
                             sin (angle),
                             angle,
                             2e6 + 1e6 * t,
                             1.5 + t,
                             angle - G_PI / 3,
                             t > 0.5 ? angle - G_PI / 3 : NAN};
    hl_results_append (results, t, values);
  }
  return results;
}

static const HlMechBody *find_body (const HlMechanismPicture *picture, const char *id) {
  for (int i = 0; i < picture->n_bodies; i++)
    if (strcmp (picture->bodies[i].id, id) == 0)
      return &picture->bodies[i];
  g_assert_not_reached ();
}

static void test_linkage_stated (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  HlInstant instant = {NULL, 0};
  const HlMechanismPicture *picture = hl_linkage_scene_update (scene, document, &instant, NULL);
  const HlMechBody *link = find_body (picture, "link2");

  g_assert_cmpint (picture->n_bodies, ==, 3);
  g_assert_cmpint (picture->n_cylinders, ==, 1);
  g_assert_cmpint (picture->n_loads, ==, 1);
  /* Four joints, and the cylinder's base, which carries none. */
  g_assert_cmpint (picture->n_joints, ==, 5);
  hl_assert_near (link->points[0].x, 0, 0, 1e-9);
  hl_assert_near (link->points[2].x, 1, 1e-9, 0);
  hl_assert_near (link->points[2].y, sqrt (3), 1e-9, 0);
  hl_assert_near (picture->cylinders[0].base.x, -1, 1e-12, 0);
  hl_assert_near (picture->cylinders[0].rod.x, 0.5, 1e-9, 0);
  hl_assert_near (picture->gravity.y, -9.81, 1e-12, 0);
}

static void test_linkage_moving (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  g_autoptr (HlResults) results = make_run ();
  const char *selected[] = {"cyl", NULL};
  HlMarks marks = {selected, "link2", NULL};
  HlInstant instant = {results, 1};
  const HlMechanismPicture *picture = hl_linkage_scene_update (scene, document, &instant, &marks);
  const HlMechBody *link = find_body (picture, "link2");

  /* Upright: C stands 2 m over O1, the rod's end half way. */
  hl_assert_near (link->points[2].x, 0, 0, 1e-9);
  hl_assert_near (link->points[2].y, 2, 1e-9, 0);
  hl_assert_near (picture->cylinders[0].rod.y, 1, 1e-9, 0);
  g_assert_true (picture->cylinders[0].selected);
  g_assert_true (link->hovered);
  g_assert_cmpint (picture->n_angles, ==, 1);
  g_assert_nonnull (strstr (picture->angles[0].label, "90.000°"));
  g_assert_cmpstr (hl_linkage_scene_id (scene, HL_MECH_IS_CYLINDER, 0), ==, "cyl");

  /* Half way the pose is the one between the rows. */
  instant.t = 0.55;
  picture = hl_linkage_scene_update (scene, document, &instant, NULL);
  g_assert_nonnull (strstr (picture->angles[0].label, "76.500°"));
}

static void test_circuit (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  g_autoptr (HlResults) results = make_run ();
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlMarks marks = {NULL, NULL, findings};
  HlInstant instant = {results, 0.5};

  hl_findings_add (findings, HL_SEVERITY_ERROR, "V3", "V3.volume", NULL, "too small");
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, &marks, NULL);
  g_assert_cmpint (picture->n_symbols, >=, 5);
  g_assert_cmpint (picture->n_nets, ==, 5);
  for (int net = 0; net < picture->n_nets; net++) {
    const char *id = hl_circuit_scene_net_id (scene, net);
    g_assert_cmpint (picture->nets[net].is_problem, ==, strcmp (id, "V3") == 0);
    if (strcmp (id, "V1") == 0)
      hl_assert_near (picture->nets[net].pressure, 2.5e6, 1e-12, 0);
    if (strcmp (id, "Pline") == 0) /* no column: the source's */
      hl_assert_near (picture->nets[net].pressure, 7.6e6, 1e-12, 0);
    if (strcmp (id, "Tline") == 0)
      hl_assert_near (picture->nets[net].pressure, 1e5, 1e-12, 0);
  }
  hl_assert_near (picture->pressure_high, 8e6, 1e-12, 0);
  for (int symbol = 0; symbol < picture->n_symbols; symbol++)
    if (strcmp (hl_circuit_scene_symbol_id (scene, symbol), "cyl") == 0)
      hl_assert_near (picture->symbols[symbol].state.stroke, 1.0, 1e-12, 0);
}

/* Tests that the colour map has the range of the file, whatever range it had before. */
static void test_pressure_range (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) higher = hl_document_with_number (document, "pump.pressure", 25e6, NULL);
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlInstant instant = {NULL, 0};

  hl_assert_near (hl_circuit_scene_update (scene, document, &instant, NULL, NULL)->pressure_high, 8e6, 1e-12,
                  0);
  hl_assert_near (hl_circuit_scene_update (scene, higher, &instant, NULL, NULL)->pressure_high, 30e6, 1e-12,
                  0);
}

/* Tests that a place in the file is kept and the rest is laid out around it. */
static void test_stated_place (void) {
  g_autoptr (HlDocument) four_bar = hl_test_example ("four-bar.hydrolink");
  const double at[] = {40, 20};
  const char *keys[] = {"at", "rotate"};
  HlValue *members[] = {hl_value_new_numbers (at, 2), hl_value_new_number (90)};
  HlValue *place = hl_value_new_object_take (keys, members, 2);
  g_autoptr (HlDocument) document =
      hl_document_new (hl_value_with_at (hl_document_root (four_bar), "layout.circuit.tank", place));
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlInstant instant = {NULL, 0};
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);
  gboolean found = FALSE;

  for (int symbol = 0; symbol < picture->n_symbols && !found; symbol++)
    if (strcmp (hl_circuit_scene_symbol_id (scene, symbol), "tank") == 0) {
      found = TRUE;
      g_assert_cmpfloat (picture->symbols[symbol].place.x, ==, 40);
      g_assert_cmpfloat (picture->symbols[symbol].place.y, ==, 20);
      g_assert_cmpint (picture->symbols[symbol].place.rotation, ==, 90);
    }
  g_assert_true (found);
}

/* Tests that a pilot line is dashed and others are not, and that a label precedes the value of the probe. */
static void test_line_look (void) {
  g_autoptr (HlDocument) four_bar = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlDocument) pilot = hl_edit_set (four_bar, "V1", "role", hl_value_new_string ("pilot"), NULL);
  g_autoptr (HlDocument) document =
      hl_edit_set (pilot, "V1", "label", hl_value_new_string ("to the piston"), NULL);
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlInstant instant = {NULL, 0};
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);

  for (int net = 0; net < picture->n_nets; net++) {
    gboolean is_it = strcmp (hl_circuit_scene_net_id (scene, net), "V1") == 0;
    g_assert_cmpint (picture->nets[net].dashed, ==, is_it);
    if (is_it)
      g_assert_true (g_str_has_prefix (picture->nets[net].label, "to the piston"));
  }
}

/* Tests that an end of a wire on a port of its line is connected, and any other end is loose, also on the
 * port of another line. */
static void test_loose_ends (void) {
  static const char text[] =
      "{'format': 'hydrolink', 'version': 1, 'components': [{'id': 'a', 'kind': 'throttle'},"
      "{'id': 'b', 'kind': 'throttle'}], 'lines': [{'id': 'L', 'ports': ['a.A'], 'volume': 1e-3}],"
      "'layout': {'circuit': {'a': {'at': [0, 0]}, 'b': {'at': [10, 0]},"
      "'L': {'wires': [[[0, 2], [0, 8], [10, 8], [10, 2]]]}}}}";
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');
  g_autoptr (HlDocument) document = hl_document_parse (json, strlen (json), "loose", NULL);
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlInstant instant = {NULL, 0};
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &instant, NULL, NULL);

  g_assert_cmpint (picture->nets[0].n_loose, ==, 1);
  g_assert_cmpfloat (picture->nets[0].loose[0].x, ==, 10);
  g_assert_cmpfloat (picture->nets[0].loose[0].y, ==, 2);
  g_assert_cmpint (picture->symbols[0].linked, ==, 1);
  g_assert_cmpint (picture->symbols[1].linked, ==, 0);
  g_autoptr (HlDocument) joined = hl_edit_connect (document, "b.A", "L", NULL);
  picture = hl_circuit_scene_update (scene, joined, &instant, NULL, NULL);
  g_assert_cmpint (picture->nets[0].n_loose, ==, 0);
  g_assert_cmpint (picture->symbols[1].linked, ==, 1);
}

static void test_plots (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_autoptr (HlResults) results = make_run ();
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlPlotSource source = {.document = document, .results = results, .show_linear = TRUE, .t_end = 2};

  g_assert_cmpint ((int)panels->len, ==, 2);
  g_assert_cmpint ((int)g_strv_length (((HlPlotPanel *)panels->pdata[1])->traces), ==, 3);
  g_autoptr (HlPlotScene) scene = hl_plot_scene_new (panels->pdata[0]);
  HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_series, ==, 2);
  g_assert_cmpstr (plot->left.unit, ==, "°");
  /* Degrees: 30 of them at the end; the linear response begins in the middle. */
  hl_assert_near (hl_plot_series_value (&plot->series[0], 1), 30, 1e-9, 0);
  g_assert_true (isnan (hl_plot_series_value (&plot->series[1], 0.2)));
  const char *linear = plot->series[1].legend != NULL ? plot->series[1].legend : plot->series[1].label;
  g_assert_cmpstr (linear, ==, "linear from 0.6 s");
  hl_assert_near (hl_plot_series_value (&plot->series[1], 1), 30, 1e-9, 0);
  g_assert_cmpfloat (plot->x.axis.max, ==, 2);

  hl_plot_scene_toggle (scene, 1);
  plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_false (plot->series[0].hidden);
  g_assert_true (plot->series[1].hidden);
  source.show_linear = FALSE;
  plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_series, ==, 1);
}

/* Tests that a linear response never widens the axis of the run, and that the legend reports it. A hidden run
 * hides its linear response as well. */
static void test_linear_keeps_range (void) {
  static const HlColumnInfo columns[] = {{"phi2", NULL, "rad"}, {"phi2.linear", NULL, "rad"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  for (int far = 0; far < 2; far++) {
    g_autoptr (HlResults) results = hl_results_new (columns, G_N_ELEMENTS (columns));
    for (int row = 0; row <= 300; row++) {
      double t = 0.01 * row, phi = 0.1 * sin (4 * t);
      hl_results_append (results, t, (double[]){phi, far ? 1e-3 * exp (100 * t) : 2 * phi});
    }
    HlPlotSource source = {.document = document, .results = results, .show_linear = TRUE, .t_end = 3};
    g_autoptr (HlPlotScene) scene = hl_plot_scene_new (panels->pdata[0]);
    HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
    double run = 0.1 * 180 / G_PI, most = fmax (fabs (plot->left.axis.min), plot->left.axis.max);
    g_assert_cmpint (plot->n_series, ==, 2);
    g_assert_cmpfloat (most, >=, run);
    g_assert_cmpfloat (most, <, 1.5 * run);
    g_assert_true (hl_plot_leaves (plot, 1));
    g_assert_nonnull (plot->series[1].legend);
    g_assert_nonnull (strstr (plot->series[1].legend, "outside the picture"));
    hl_plot_scene_toggle (scene, 0);
    plot = hl_plot_scene_update (scene, &source, &style);
    g_assert_true (plot->series[0].hidden);
    g_assert_true (plot->series[1].hidden);
  }
}

/* Tests that of two equal curves the upper one is dashed, unless the other one is hidden; a curve that only
 * crosses it stays solid. */
static void test_covered_curve (void) {
  static const HlColumnInfo columns[] = {{"p1", NULL, "Pa"}, {"p2", NULL, "Pa"}, {"p3", NULL, "Pa"}};
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_autoptr (HlResults) results = hl_results_new (columns, G_N_ELEMENTS (columns));
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);

  for (int row = 0; row <= 300; row++) {
    double t = 0.01 * row;
    hl_results_append (results, t, (double[]){1e6 + 1e5 * sin (t), 1e6 + 1e5 * sin (t), 8e5 + 1e5 * t});
  }
  HlPlotSource source = {.document = document, .results = results, .t_end = 3};
  g_autoptr (HlPlotScene) scene = hl_plot_scene_new (panels->pdata[1]);
  HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_series, ==, 3);
  g_assert_cmpint (plot->series[0].dash, ==, HL_DASH_SOLID);
  g_assert_cmpint (plot->series[1].dash, ==, HL_DASH_DASHED);
  g_assert_cmpint (plot->series[2].dash, ==, HL_DASH_SOLID);
  hl_plot_scene_toggle (scene, 0);
  plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->series[1].dash, ==, HL_DASH_SOLID);
}

/* Tests that the number beside a linkage that is very near its start is that of the start. */
static void test_start_number (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlLinkageScene) scene = hl_linkage_scene_new ();
  double start[9] = {0};
  int body;

  g_assert_true (hl_document_resolve_body (document, "link2", &body, NULL));
  start[3 * body + 2] = 60.125 * G_PI / 180;
  HlInstant instant = {.t = 0, .start = start};
  const HlMechanismPicture *picture = hl_linkage_scene_update (scene, document, &instant, NULL);
  g_assert_nonnull (strstr (picture->angles[0].label, "60.125°"));
  hl_assert_near (picture->angles[0].to, G_PI / 3, 1e-9, 0); /* the drawing stays */
}

/* --- kinds of panels, on traces with closed forms --- */

#define RATE 1000.0 /* rows a second */

/* Makes a run with phi2 = sin (2 pi 50 t) rad, p1 = 1 MPa + 0.1 MPa cos (2 pi 50 t), and rising energies. */
static HlResults *make_vibration (double offset) {
  static const HlColumnInfo columns[] = {{"phi2", NULL, "rad"},          {"p1", NULL, "Pa"},
                                         {"energy.kinetic", NULL, "J"},  {"energy.potential", NULL, "J"},
                                         {"energy.supplied", NULL, "J"}, {"phi2.linear", NULL, "rad"}};
  HlResults *results = hl_results_new (columns, G_N_ELEMENTS (columns));

  for (int i = 0; i <= 2000; i++) {
    double t = i / RATE, angle = 2 * G_PI * 50 * t;
    double row[] = {sin (angle) + offset, 1e6 + 1e5 * cos (angle), 2 * t, 10 - t, t, sin (angle) + 0.5};
    hl_results_append (results, t, row);
  }
  return results;
}

static HlPlotPanel *panel_of (HlPlotKind kind, const char *first, const char *second) {
  HlPlotPanel *panel = hl_plot_panel_new ();
  panel->kind = kind;
  if (first != NULL)
    hl_plot_panel_add (panel, first);
  if (second != NULL)
    hl_plot_panel_add (panel, second);
  return panel;
}

static void test_plot_kinds (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlResults) results = make_vibration (0), other = make_vibration (0.25);
  HlStyle style = hl_style_make (HL_STYLE_LIGHT);
  HlPlotGhost ghost = {other, "other", FALSE, 0};
  HlPlotSource source = {.document = document, .results = results, .t_end = 2, .time = 0.005};

  /* phase: pressure over the angle, an ellipse; the mark is at the top of it */
  g_autoptr (HlPlotPanel) phase = panel_of (HL_PLOT_PHASE, "phi2", "p1");
  g_autoptr (HlPlotScene) scene = hl_plot_scene_new (phase);
  HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_series, ==, 1);
  g_assert_cmpstr (plot->x.unit, ==, "°");
  g_assert_cmpint (plot->n_marks, ==, 1);
  hl_assert_near (plot->marks[0].x, 180 / G_PI, 1e-9, 0);
  g_assert_cmpfloat (plot->x.axis.min, <, -180 / G_PI);
  g_assert_false (hl_plot_scene_is_over_time (scene));

  /* spectrum: one line of 1 rad at 50 Hz; the span decides what it is made of */
  g_autoptr (HlPlotPanel) spectrum = panel_of (HL_PLOT_SPECTRUM, "phi2", NULL);
  hl_plot_scene_set_panel (scene, spectrum);
  plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_series, ==, 1);
  /* of 2001 rows bin 100 lies at 49.975 Hz, a twentieth of a bin away */
  const double *amplitudes = plot->series[0].samples.y; /* from bin 1 on */
  hl_assert_near (amplitudes[99], 1, 1e-2, 0);
  hl_assert_near (hl_plot_series_value (&plot->series[0], 80), 0, 0, 1e-2);
  g_assert_cmpfloat (plot->x.axis.max, <, 100);
  source.from = 0.5;
  source.to = 1.0;
  plot = hl_plot_scene_update (scene, &source, &style);
  const HlSamples *lines = &plot->series[0].samples;
  hl_assert_near (hl_samples_x (lines, 1) - hl_samples_x (lines, 0), 2, 1e-2, 0);

  /* difference: to the ghost, and to the linear response */
  g_autoptr (HlPlotPanel) difference = panel_of (HL_PLOT_DIFFERENCE, "phi2", NULL);
  hl_plot_scene_set_panel (scene, difference);
  g_assert_cmpint (hl_plot_scene_update (scene, &source, &style)->n_series, ==, 0);
  source.ghosts = &ghost;
  source.n_ghosts = 1;
  plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_series, ==, 1);
  hl_assert_near (hl_plot_series_value (&plot->series[0], 1.2345), -0.25 * 180 / G_PI, 1e-9, 0);
  difference->against = HL_AGAINST_LINEAR;
  hl_plot_scene_set_panel (scene, difference);
  plot = hl_plot_scene_update (scene, &source, &style);
  hl_assert_near (hl_plot_series_value (&plot->series[0], 0.2), -0.5 * 180 / G_PI, 1e-9, 0);

  /* bars: what was gained since the start */
  g_autoptr (HlPlotPanel) energy = panel_of (HL_PLOT_ENERGY, NULL, NULL);
  hl_plot_scene_set_panel (scene, energy);
  source.time = 1.5;
  plot = hl_plot_scene_update (scene, &source, &style);
  g_assert_cmpint (plot->n_bars, ==, 3);
  hl_assert_near (plot->bars[0].value, 3, 1e-12, 0);
  hl_assert_near (plot->bars[1].value, -1.5, 1e-12, 0);
  g_assert_cmpfloat (plot->left.axis.max, >, 4);
  g_assert_cmpfloat (plot->left.axis.min, <, -2);
}

/* Tests the series of a plot: three ghosts have the colour of their order in line and legend, whichever are
 * there. */
static void test_plot_ghosts (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlResults) results = make_vibration (0), other = make_vibration (0.25);
  HlPlotGhost ghosts[] = {
      {other, "third", FALSE, 2}, {other, "second", FALSE, 1}, {other, "first", FALSE, 0}};
  HlPlotSource source = {
      .document = document, .results = results, .ghosts = ghosts, .n_ghosts = 3, .t_end = 2, .time = 0.005};
  g_autoptr (HlPlotPanel) panel = panel_of (HL_PLOT_TIME, "phi2", NULL);
  g_autoptr (HlPlotScene) scene = hl_plot_scene_new (panel);

  for (HlStyleKind kind = HL_STYLE_LIGHT; kind <= HL_STYLE_DARK; kind++) {
    HlStyle style = hl_style_make (kind);
    const HlPlot *plot = hl_plot_scene_update (scene, &source, &style);
    int n_ghosts = 0;
    g_assert_cmpint (plot->n_series, ==, 4);
    for (int i = 0; i < 4; i++) {
      const HlPlotSeries *series = &plot->series[i];
      for (int k = 0; k < 3; k++)
        if (g_strcmp0 (series->label, ghosts[k].label) == 0) {
          HlColor own = hl_style_ghost_color (&style, ghosts[k].turn, 1);
          HlColor seen = hl_color_with_alpha (series->color, 1.0);
          g_assert_cmpmem (&own, sizeof own, &series->legend_color, sizeof own);
          g_assert_cmpmem (&own, sizeof own, &seen, sizeof seen);
          n_ghosts++;
        }
    }
    g_assert_cmpint (n_ghosts, ==, 3);
  }
}

/* Tests that the controller of the servo is a block beside its valve, with a line from the measured cylinder;
 * a point on the block means the valve. */
static void test_controller (void) {
  g_autoptr (HlDocument) document = hl_test_example ("position-servo.hydrolink");
  g_autoptr (HlCircuitScene) scene = hl_circuit_scene_new ();
  HlInstant now = {0};
  const HlCircuitPicture *picture = hl_circuit_scene_update (scene, document, &now, NULL, NULL);

  g_assert_cmpint (picture->n_controls, ==, 1);
  const HlCircuitControl *control = &picture->controls[0];
  g_assert_cmpstr (control->label, ==, "PID");
  g_assert_cmpstr (control->measures, ==, "load.x");
  g_assert_cmpstr (hl_circuit_scene_symbol_id (scene, control->symbol), ==, "dcv");
  g_assert_cmpint (control->n_ways, ==, 2);
  HlSpot middle = {control->box.x + 0.5 * control->box.width, control->box.y + 0.5 * control->box.height};
  g_assert_cmpint (hl_circuit_symbol_at (picture, middle, 0.1), ==, control->symbol);
  for (int k = 0; k < picture->n_symbols; k++) {
    HlRect box = hl_shape_placed_box (picture->symbols[k].kind, &picture->symbols[k].place);
    g_assert_false (hl_rect_contains (box, middle));
    if (strcmp (picture->symbols[k].id, "cyl") == 0) {
      HlSpot from = control->ways[0].points[0];
      g_assert_true (hl_rect_contains (hl_rect_grow (box, 0.01), from));
    }
  }
  g_assert_cmpfloat (hl_circuit_box (picture).x, <=, control->box.x);
  /* without one there is none */
  g_autoptr (HlDocument) plain = hl_edit_signal_kind (document, "dcv", "command", "constant", NULL);
  picture = hl_circuit_scene_update (scene, plain, &now, NULL, NULL);
  g_assert_cmpint (picture->n_controls, ==, 0);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene-from-document/linkage/stated", test_linkage_stated);
  g_test_add_func ("/scene-from-document/linkage/moving", test_linkage_moving);
  g_test_add_func ("/scene-from-document/circuit", test_circuit);
  g_test_add_func ("/scene-from-document/pressure-range", test_pressure_range);
  g_test_add_func ("/scene-from-document/stated-place", test_stated_place);
  g_test_add_func ("/scene-from-document/line-look", test_line_look);
  g_test_add_func ("/scene-from-document/loose-ends", test_loose_ends);
  g_test_add_func ("/scene-from-document/controller", test_controller);
  g_test_add_func ("/scene-from-document/plots", test_plots);
  g_test_add_func ("/scene-from-document/linear-keeps-range", test_linear_keeps_range);
  g_test_add_func ("/scene-from-document/a-curve-over-another-is-dashed", test_covered_curve);
  g_test_add_func ("/scene-from-document/start-number", test_start_number);
  g_test_add_func ("/scene-from-document/plot-kinds", test_plot_kinds);
  g_test_add_func ("/scene-from-document/pinned-runs-keep-their-colours-in-lines-and-legend",
                   test_plot_ghosts);
  return g_test_run ();
}
