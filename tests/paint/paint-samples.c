/* SPDX-License-Identifier: MIT */
/* Sample data. Circuits are read with jansson straight from the example files, not through the
 * document, so that the painters are tested on their own. */
#include "tests/paint/paint-samples.h"
#include "ui/paint/circuit/hl-symbol.h"
#include "core/io/hl-json-text.h"

#include "tests/support/hl-test.h"

#include <math.h>
#include <string.h>

SampleCircuit *sample_circuit_load (const char *example) {
  g_autofree char *path = hl_test_example_path (example);
  json_error_t error;
  json_t *root = json_load_file (path, 0, &error);
  SampleCircuit *circuit = g_new0 (SampleCircuit, 1);

  g_assert_nonnull (root);
  g_autoptr (GError) problem = NULL;
  g_autoptr (HlDocument) document = hl_document_load (path, &problem);
  g_assert_no_error (problem);
  json_t *components = json_object_get (root, "components");
  json_t *lines = json_object_get (root, "lines");
  circuit->owned = g_ptr_array_new_with_free_func (g_free);
  circuit->n_components = (int)json_array_size (components);
  circuit->components = g_new0 (HlLayoutComponent, json_array_size (components) + 1);
  for (int c = 0; c < circuit->n_components; c++) {
    json_t *component = json_array_get (components, (size_t)c);
    char *id = g_strdup (json_string_value (json_object_get (component, "id")));
    g_ptr_array_add (circuit->owned, id);
    circuit->components[c].id = id;
    circuit->components[c].kind = hl_shape_kind_of (document, c);
    g_assert_true (circuit->components[c].kind != &hl_symbol_unknown);
  }
  circuit->n_nets = (int)json_array_size (lines);
  circuit->nets = g_new0 (HlLayoutNet, json_array_size (lines) + 1);
  circuit->pressures = g_new0 (double, json_array_size (lines) + 1);
  circuit->net_ids = g_new0 (char *, json_array_size (lines) + 1);
  for (int n = 0; n < circuit->n_nets; n++) {
    json_t *line = json_array_get (lines, (size_t)n);
    json_t *ports = json_object_get (line, "ports");
    HlLayoutPin *pins = g_new0 (HlLayoutPin, json_array_size (ports) + 1);
    json_t *pressure = json_object_get (line, "pressure");
    circuit->pressures[n] = pressure != NULL ? json_number_value (pressure) : NAN;
    circuit->net_ids[n] = g_strdup (json_string_value (json_object_get (line, "id")));
    for (size_t i = 0; i < json_array_size (ports); i++) {
      g_auto (GStrv) parts = g_strsplit (json_string_value (json_array_get (ports, i)), ".", 2);
      int c = 0;
      while (strcmp (circuit->components[c].id, parts[0]) != 0)
        c++;
      pins[i].component = c;
      pins[i].port = hl_shape_find_port (circuit->components[c].kind, parts[1]);
      g_assert_cmpint (pins[i].port, >=, 0);
    }
    circuit->nets[n] = (HlLayoutNet){pins, (int)json_array_size (ports)};
    g_ptr_array_add (circuit->owned, pins);
  }
  json_decref (root);
  return circuit;
}

void sample_circuit_free (SampleCircuit *circuit) {
  g_ptr_array_unref (circuit->owned);
  g_strfreev (circuit->net_ids);
  g_free (circuit->components);
  g_free (circuit->nets);
  g_free (circuit->pressures);
  g_free (circuit);
}

/* Adds an arrow on the first segment of the first line. */
static void add_arrow (SampleCircuitPicture *sample, const HlCircuitLayout *layout) {
  if (layout->n_nets == 0 || layout->routes[0].n_wires == 0)
    return;
  const HlSpot *p = layout->routes[0].wires[0].points;
  double length = hypot (p[1].x - p[0].x, p[1].y - p[0].y);

  sample->arrow = (HlCircuitArrow){{0.5 * (p[0].x + p[1].x), 0.5 * (p[0].y + p[1].y)},
                                   {(p[1].x - p[0].x) / length, (p[1].y - p[0].y) / length},
                                   length,
                                   1.0};
  sample->nets[0].arrows = &sample->arrow;
  sample->nets[0].n_arrows = 1;
}

SampleCircuitPicture *sample_circuit_picture_new (const SampleCircuit *circuit,
                                                  const HlCircuitLayout *layout) {
  SampleCircuitPicture *sample = g_new0 (SampleCircuitPicture, 1);

  sample->owned = g_ptr_array_new_with_free_func (g_free);
  sample->symbols = g_new0 (HlCircuitSymbol, (gsize)layout->n_symbols + 1);
  sample->nets = g_new0 (HlCircuitNet, (gsize)layout->n_nets + 1);
  for (int i = 0; i < layout->n_symbols; i++) {
    const HlLayoutComponent *component = &circuit->components[layout->symbols[i].component];
    char *label = component->kind == hl_shape_kind_from_name ("pressure-source")
                      ? g_strdup_printf ("%s\n7.6 MPa", component->id)
                  : component->kind == hl_shape_kind_from_name ("throttle")
                      ? g_strdup_printf ("%s\nø 6 mm", component->id)
                  : component->kind == hl_shape_kind_from_name ("directional-valve")
                      ? g_strdup_printf ("%s  U = 0.00", component->id)
                      : g_strdup (component->id);
    g_ptr_array_add (sample->owned, label);
    sample->symbols[i] = (HlCircuitSymbol){.kind = component->kind,
                                           .place = layout->symbols[i].place,
                                           .state = {.stroke = 0.73, .opening = 0.4},
                                           .id = component->id,
                                           .label = layout->symbols[i].is_repeat ? NULL : label};
  }
  for (int n = 0; n < layout->n_nets; n++) {
    double pressure = circuit->pressures[n];
    if (isnan (pressure))
      pressure = g_ascii_tolower (circuit->net_ids[n][0]) == 't' ? 1e5 : 7.6e6;
    char *label = g_strdup_printf ("%s  %.2f MPa", circuit->net_ids[n], pressure * 1e-6);
    g_ptr_array_add (sample->owned, label);
    sample->nets[n] = (HlCircuitNet){.wires = layout->routes[n].wires,
                                     .n_wires = layout->routes[n].n_wires,
                                     .dots = layout->routes[n].dots,
                                     .n_dots = layout->routes[n].n_dots,
                                     .pressure = pressure,
                                     .label = isnan (circuit->pressures[n]) ? NULL : label};
  }
  add_arrow (sample, layout);
  sample->picture = hl_circuit_picture_make ();
  sample->picture.symbols = sample->symbols;
  sample->picture.n_symbols = layout->n_symbols;
  sample->picture.nets = sample->nets;
  sample->picture.n_nets = layout->n_nets;
  sample->picture.pressure_high = 8e6;
  sample->picture.pressure_low_label = "0";
  sample->picture.pressure_high_label = "8 MPa";
  sample->picture.show_grid = TRUE;
  return sample;
}

void sample_circuit_picture_free (SampleCircuitPicture *sample) {
  g_ptr_array_unref (sample->owned);
  g_free (sample->symbols);
  g_free (sample->nets);
  g_free (sample);
}

static HlSpot along (double x, double y, double angle, double length) {
  return (HlSpot){x + length * cos (angle), y + length * sin (angle)};
}

/* Computes the four-bar in closed form: the output link from the two circles about C and O2. */
static void pose_four_bar (double phi, HlSpot points[3][3]) {
  HlSpot c = along (0.0, 0.0, phi, 2.0);
  HlSpot o2 = {10.0, 0.0};
  double dx = o2.x - c.x;
  double dy = o2.y - c.y;
  double d = hypot (dx, dy);
  double a = (8.0 * 8.0 - 5.0 * 5.0 + d * d) / (2.0 * d);
  double h = sqrt (8.0 * 8.0 - a * a);
  HlSpot top = {c.x + (a * dx - h * dy) / d, c.y + (a * dy + h * dx) / d};

  points[0][0] = (HlSpot){0.0, 0.0};
  points[0][1] = along (0.0, 0.0, phi, 1.0);
  points[0][2] = c;
  points[1][0] = c;
  points[1][1] = top;
  points[2][0] = top;
  points[2][1] = o2;
}

void sample_four_bar_fill (SampleFourBar *s) {
  static const char *ids[3] = {"link2", "link3", "link4"};
  static const char *labels[3] = {"link2", "link3  8 m · 8 kg", "link4"};
  static const int n_points[3] = {3, 2, 2};
  const double pose[3] = {G_PI / 3.0, G_PI / 3.0 + 0.12, G_PI / 3.0 - 0.12};

  memset (s, 0, sizeof *s);
  for (int p = 0; p < 3; p++) {
    pose_four_bar (pose[p], s->points[p]);
    for (int b = 0; b < 3; b++)
      s->bodies[p][b] =
          (HlMechBody){.id = ids[b], .label = labels[b], .points = s->points[p][b], .n_points = n_points[b]};
  }
  for (int b = 0; b < 3; b++) {
    HlSpot first = s->points[0][b][0];
    HlSpot last = s->points[0][b][n_points[b] - 1];
    s->bodies[0][b].com = (HlSpot){0.5 * (first.x + last.x), 0.5 * (first.y + last.y)};
    s->bodies[0][b].show_com = b > 0;
  }
  HlSpot g = s->points[0][0][1];
  s->joints[0] = (HlMechJoint){.id = "jO1", .kind = HL_MECH_PIN_GROUND, .at = {0.0, 0.0}, .label = "O₁"};
  s->joints[1] = (HlMechJoint){.id = "jC", .kind = HL_MECH_PIN, .at = s->points[0][1][0]};
  s->joints[2] = (HlMechJoint){.id = "jD", .kind = HL_MECH_PIN, .at = s->points[0][1][1]};
  s->joints[3] = (HlMechJoint){.id = "jO2", .kind = HL_MECH_PIN_GROUND, .at = {10.0, 0.0}, .label = "O₂"};
  s->joints[4] = (HlMechJoint){.id = "Oc", .kind = HL_MECH_GROUND_POINT, .at = {-1.0, 0.0}, .label = "Oc"};
  s->cylinder = (HlMechCylinder){.id = "cyl",
                                 .base = {-1.0, 0.0},
                                 .rod = g,
                                 .stroke = 1.0,
                                 .closed = 0.85,
                                 .open_rest = 0.15,
                                 .diameter = 0.08,
                                 .label = "cyl"};
  s->load = (HlMechLoad){
      .id = "M2", .kind = HL_MECH_TORQUE, .at = s->points[0][0][2], .value = 250.0, .label = "M₂ = 250 N·m"};
  s->angle = (HlMechAngle){.at = {0.0, 0.0}, .from = 0.0, .to = G_PI / 3.0, .label = "φ₂ = 60.000°"};
  s->ghosts[0] = (HlMechGhost){.bodies = s->bodies[1], .n_bodies = 3};
  s->ghosts[1] = (HlMechGhost){.bodies = s->bodies[2], .n_bodies = 3};
  s->picture = hl_mechanism_picture_make ();
  s->picture.bodies = s->bodies[0];
  s->picture.n_bodies = 3;
  s->picture.joints = s->joints;
  s->picture.n_joints = 5;
  s->picture.cylinders = &s->cylinder;
  s->picture.n_cylinders = 1;
  s->picture.loads = &s->load;
  s->picture.n_loads = 1;
  s->picture.angles = &s->angle;
  s->picture.n_angles = 1;
  s->picture.ghosts = s->ghosts;
  s->picture.n_ghosts = 2;
  s->picture.gravity = (HlSpot){0.0, -9.81};
  s->picture.show_grid = TRUE;
  s->picture.caption = "Mode λ₃,₄   71.8 Hz   ζ = 0.176";
}

void sample_machine_fill (SampleMachine *s) {
  memset (s, 0, sizeof *s);
  s->points[0][0] = (HlSpot){0.0, 0.0};
  s->points[0][1] = (HlSpot){2.6, 1.5};
  s->points[0][2] = (HlSpot){0.4, 0.9};
  s->bodies[0] = (HlMechBody){.id = "arm",
                              .label = "arm\n2000 kg",
                              .points = s->points[0],
                              .n_points = 3,
                              .com = {1.2, 0.8},
                              .show_com = TRUE};
  s->points[1][0] = (HlSpot){2.6, 1.5};
  s->points[1][1] = (HlSpot){3.6, 0.2};
  s->bodies[1] =
      (HlMechBody){.id = "stick", .label = "stick", .points = s->points[1], .n_points = 2, .selected = TRUE};
  s->points[2][0] = (HlSpot){4.8, 0.2};
  s->bodies[2] = (HlMechBody){.id = "block", .label = "block", .points = s->points[2], .n_points = 1};
  s->joints[0] = (HlMechJoint){.kind = HL_MECH_PIN_GROUND, .at = {0.0, 0.0}, .label = "pivot"};
  s->joints[1] = (HlMechJoint){.kind = HL_MECH_PIN, .at = {2.6, 1.5}, .hovered = TRUE};
  s->joints[2] = (HlMechJoint){.kind = HL_MECH_GROUND_POINT, .at = {-0.9, -0.3}, .label = "base"};
  s->joints[3] =
      (HlMechJoint){.kind = HL_MECH_SLIDER_GROUND, .at = {4.8, 0.2}, .angle = 0.0, .label = "guide"};
  s->joints[4] = (HlMechJoint){.kind = HL_MECH_ROD, .at = {3.6, 0.2}, .to = {4.8, 0.2}};
  s->joints[5] = (HlMechJoint){.kind = HL_MECH_SLIDER, .at = {3.1, 0.85}, .angle = -0.91};
  s->joints[6] =
      (HlMechJoint){.kind = HL_MECH_KNIFE_EDGE, .at = {1.2, -0.9}, .angle = 0.4, .label = "knife edge"};
  s->joints[7] = (HlMechJoint){.kind = HL_MECH_WELD, .at = {0.4, 0.9}};
  s->cylinder = (HlMechCylinder){.id = "cyl",
                                 .base = {-0.9, -0.3},
                                 .rod = {0.4, 0.9},
                                 .stroke = 1.8,
                                 .closed = 0.4,
                                 .open_rest = 0.1,
                                 .label = "cyl",
                                 .hovered = TRUE};
  s->springs[0] = (HlMechSpring){.a = {4.8, 0.2}, .b = {6.2, 0.2}, .damper = TRUE, .label = "spring"};
  s->springs[1] = (HlMechSpring){.a = {2.6, 1.5}, .b = {4.4, 2.0}};
  s->loads[0] = (HlMechLoad){
      .kind = HL_MECH_FORCE, .at = {3.6, 0.2}, .angle = 0.5 * G_PI, .value = -4000.0, .label = "F = 4.0 kN"};
  s->loads[1] = (HlMechLoad){.kind = HL_MECH_TORQUE, .at = {0.0, 0.0}, .value = -1.0};
  s->loads[2] = (HlMechLoad){.kind = HL_MECH_TYRE, .at = {2.4, -0.9}, .angle = 0.3, .label = "tyre"};
  s->picture = hl_mechanism_picture_make ();
  s->picture.bodies = s->bodies;
  s->picture.n_bodies = 3;
  s->picture.joints = s->joints;
  s->picture.n_joints = 8;
  s->picture.cylinders = &s->cylinder;
  s->picture.n_cylinders = 1;
  s->picture.springs = s->springs;
  s->picture.n_springs = 2;
  s->picture.loads = s->loads;
  s->picture.n_loads = 3;
  s->picture.gravity = (HlSpot){0.0, -9.81};
  s->picture.show_grid = TRUE;
}

void sample_response_fill (SampleResponse *s, const HlStyle *style) {
  static const HlColumnInfo columns[] = {{"phi2", "φ₂", "rad"},
                                         {"lin", "linear", "rad"},
                                         {"p1", "p₁", "Pa"},
                                         {"p2", "p₂", "Pa"},
                                         {"p3", "p₃", "Pa"}};
  static const char *names[] = {"phi2_minus_phi20_rad", "phi2_lin", "p1", "p2", "p3"};
  HlTestTable *table = hl_test_golden_csv ("response_scale_0p1.csv");

  memset (s, 0, sizeof *s);
  s->results = hl_results_new (columns, 5);
  for (int row = 0; row < table->n_rows; row++) {
    double values[5];
    for (int k = 0; k < 5; k++)
      values[k] = hl_test_table_value (table, row, names[k]);
    hl_results_append (s->results, hl_test_table_value (table, row, "t"), values);
  }
  hl_test_table_free (table);
  for (int k = 0; k < 5; k++) {
    HlPlotSeries *series = k < 2 ? &s->angle_series[k] : &s->pressure_series[k - 2];
    *series = (HlPlotSeries){.samples = {.results = s->results, .x_column = 0, .y_column = k + 1},
                             .y_factor = k < 2 ? 180.0 / G_PI : 1e-6,
                             .label = k == 0 ? "nonlinear" : columns[k].label,
                             .color = k == 1 ? style->ink : hl_style_trace_color (style, k < 2 ? 0 : k - 2),
                             .dash = k == 1 ? HL_DASH_DASHED : HL_DASH_SOLID};
  }
  s->cursor = (HlPlotCursor){1.62, TRUE};
  s->events[0] = 1.0;
  s->events[1] = 1.5;
  s->angle = hl_plot_make ();
  s->angle.x.label = "t";
  s->angle.x.unit = "s";
  s->angle.left.label = "φ₂ − φ₂⁰";
  s->angle.left.unit = "°";
  s->angle.series = s->angle_series;
  s->angle.n_series = 2;
  s->angle.cursors = &s->cursor;
  s->angle.n_cursors = 1;
  s->angle.events = s->events;
  s->angle.n_events = 2;
  s->pressure = s->angle;
  s->pressure.left.label = "p";
  s->pressure.left.unit = "MPa";
  s->pressure.series = s->pressure_series;
  s->pressure.n_series = 3;
  hl_plot_fit_x (&s->angle);
  hl_plot_fit_y (&s->angle);
  hl_plot_fit_x (&s->pressure);
  hl_plot_fit_y (&s->pressure);
}

void sample_response_clear (SampleResponse *s) {
  hl_results_unref (s->results);
}

void sample_locus_fill (SampleLocus *s, gboolean allow_log) {
  memset (s, 0, sizeof *s);
  for (int i = 0; i < SAMPLE_LOCUS_POINTS; i++) {
    double p = pow (10.0, -2.0 + 4.0 * i / (SAMPLE_LOCUS_POINTS - 1.0));
    double damping = 0.6 + 80.0 * p;
    double square = 458.0 * 458.0 - damping * damping;
    double root = sqrt (fabs (square));
    s->re[0][i] = square > 0.0 ? -damping : -damping + root;
    s->re[1][i] = square > 0.0 ? -damping : -damping - root;
    s->im[0][i] = square > 0.0 ? root : 0.0;
    s->im[1][i] = square > 0.0 ? -root : 0.0;
    s->re[2][i] = -220.0 / (1.0 + 0.2 * p);
    s->re[3][i] = -7978.0 - 3.0 * p;
  }
  for (int b = 0; b < 4; b++)
    s->branches[b] = (HlLocusBranch){s->re[b], s->im[b], SAMPLE_LOCUS_POINTS, b};
  s->poles[0] = (HlLocusPole){-80.91, 451.36, 0, FALSE, TRUE};
  s->poles[1] = (HlLocusPole){-80.91, -451.36, 1, FALSE, FALSE};
  s->poles[2] = (HlLocusPole){-219.91, 0.0, 2, FALSE, FALSE};
  s->poles[3] = (HlLocusPole){-7978.0, 0.0, 3, FALSE, FALSE};
  s->poles[4] = s->poles[5] = (HlLocusPole){0.0, 0.0, -1, TRUE, FALSE};
  s->ghosts[0] = (HlLocusPole){-8.7, 458.0, -1, FALSE, FALSE};
  s->ghosts[1] = (HlLocusPole){-8.7, -458.0, -1, FALSE, FALSE};
  s->ghosts[2] = (HlLocusPole){-5.2, 0.0, -1, FALSE, FALSE};
  s->ghosts[3] = (HlLocusPole){-5300.0, 0.0, -1, FALSE, FALSE};
  s->locus = hl_locus_make ();
  s->locus.branches = s->branches;
  s->locus.n_branches = 4;
  s->locus.poles = s->poles;
  s->locus.n_poles = 6;
  s->locus.ghosts = s->ghosts;
  s->locus.n_ghosts = 4;
  s->locus.null_captions[0] = "2× trapped oil";
  hl_locus_fit (&s->locus, allow_log);
}
