/* SPDX-License-Identifier: MIT */
/* Symbols: ports on the grid in every rotation, outlines inside their boxes, picking; views. */
#include "core/hydro/hl-component.h"
#include "tests/support/hl-test.h"
#include "ui/paint/circuit/hl-symbol-shape.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <string.h>

/* All symbols, and that of an unknown kind. */
static HlShapeKind symbol_of (int k) {
  return k < hl_n_symbols ? hl_symbols[k] : &hl_symbol_unknown;
}

static void test_names (void) {
  /* the ports of the model file's table, in its order */
  static const struct {
    const char *kind;
    const char *ports;
  } table[] = {{"pressure-source", "P"},
               {"flow-source", "P"},
               {"tank", "T"},
               {"directional-valve", "PTAB"},
               {"throttle", "AB"},
               {"metering-valve", "AB"},
               {"check-valve", "AB"},
               {"relief-valve", "AT"},
               {"accumulator", "A"},
               {"pipe", "AB"},
               {"cylinder", "AB"}};

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++) {
    HlShapeKind kind = hl_shape_kind_from_name (table[i].kind);
    g_assert_true (kind != &hl_symbol_unknown);
    g_assert_cmpstr (hl_shape_kind_name (kind), ==, table[i].kind);
    for (int port = 0; table[i].ports[port] != '\0'; port++) {
      char name[2] = {table[i].ports[port], '\0'};
      g_assert_cmpint (hl_shape_find_port (kind, name), ==, port);
    }
    g_assert_cmpint (hl_shape_n_ports (kind), ==, (int)strlen (table[i].ports));
  }
  /* no class without a symbol that has all of its ports; that every symbol paints is looked at in
   * test-paint-drawing.c. Ports that a form has or has not are those of the form */
  for (int k = 0; k < hl_n_components; k++) {
    const HlKind *class = &hl_components[k]->kind;
    HlShapeKind kind = hl_shape_kind_from_name (class->name);
    if (kind == &hl_symbol_unknown)
      g_error ("%s has no symbol", class->name);
    for (int port = 0; port < class->n_ports; port++)
      if (class->port_when[port] == NULL && hl_shape_find_port (kind, class->ports[port]) < 0)
        g_error ("the symbol of %s has no port %s", class->name, class->ports[port]);
  }
  g_assert_true (hl_shape_kind_from_name ("turbine") == &hl_symbol_unknown);
  g_assert_cmpint (hl_shape_find_port (hl_shape_kind_from_name ("tank"), "X"), ==, -1);
}

static void test_ports_on_grid (void) {
  for (int kind = 0; kind <= hl_n_symbols; kind++)
    for (int rotation = 0; rotation < 360; rotation += 90)
      for (int mirror = 0; mirror < 2; mirror++) {
        HlPlacement place = {14.0, -6.0, rotation, mirror};
        HlRect box = hl_shape_placed_box (symbol_of (kind), &place);
        for (int port = 0; port < hl_shape_n_ports (symbol_of (kind)); port++) {
          HlShapePort p = hl_shape_placed_port (symbol_of (kind), port, &place);
          g_assert_cmpfloat (fmod (fabs (p.x), 2.0), ==, 0.0);
          g_assert_cmpfloat (fmod (fabs (p.y), 2.0), ==, 0.0);
          hl_assert_near (fabs (p.dir_x) + fabs (p.dir_y), 1.0, 0.0, 1e-12);
          /* on the edge of the box, with the way out leading outside */
          g_assert_true (hl_rect_contains (hl_rect_grow (box, 1e-9), (HlSpot){p.x, p.y}));
          g_assert_false (hl_rect_contains (box, (HlSpot){p.x + 0.5 * p.dir_x, p.y + 0.5 * p.dir_y}));
        }
      }
}

static void test_outline_in_box (void) {
  static HlShapePath path;

  for (int kind = 0; kind <= hl_n_symbols; kind++)
    for (int step = 0; step <= 4; step++) {
      HlShapeState state = {.spool = step * 0.5 - 1.0,
                            .stroke = step * 0.25,
                            .opening = step * 0.25,
                            .open = step % 2 == 0,
                            .has_relief = TRUE,
                            .one_way = TRUE,
                            .spring = TRUE};
      /* lines have a width, and the valve's two long lines lie a little outside its squares */
      HlRect box = hl_rect_grow (hl_shape_box (symbol_of (kind)), 0.5);
      hl_shape_build (symbol_of (kind), &state, &path);
      g_assert_cmpint (path.n_strokes, >, 0);
      for (int i = 0; i < path.n_segments; i++)
        if (path.segment[i].op != HL_PATH_CLOSE)
          for (int k = 0; k < (path.segment[i].op == HL_PATH_CURVE ? 3 : 1); k++)
            g_assert_true (hl_rect_contains (box, path.segment[i].p[k]));
    }
}

static void test_placement (void) {
  for (int round = 0; round < 200; round++) {
    HlPlacement place = {hl_test_uniform (-50.0, 50.0), hl_test_uniform (-50.0, 50.0),
                         90 * g_test_rand_int_range (0, 4), g_test_rand_int_range (0, 2)};
    HlSpot own = {hl_test_uniform (-9.0, 9.0), hl_test_uniform (-9.0, 9.0)};
    HlSpot back = hl_placement_undo (&place, hl_placement_apply (&place, own));
    hl_assert_near (back.x, own.x, 0.0, 1e-12);
    hl_assert_near (back.y, own.y, 0.0, 1e-12);
  }
  /* a quarter turn clockwise on the screen: what pointed up points right */
  HlPlacement quarter = {.rotation = 90};
  HlShapePort p = hl_shape_placed_port (hl_shape_kind_from_name ("pressure-source"), 0, &quarter);
  hl_assert_near (p.x, 4.0, 0.0, 1e-12);
  hl_assert_near (p.dir_x, 1.0, 0.0, 1e-12);
}

static void test_picking (void) {
  HlShapeState state = {.stroke = 0.0};
  HlPlacement place = {10.0, 20.0, 0, FALSE};

  /* inside a filled body, on a line, beside it */
  g_assert_cmpfloat (
      hl_shape_distance (hl_shape_kind_from_name ("pressure-source"), &state, &place, (HlSpot){10.5, 20.5}),
      ==, 0.0);
  g_assert_true (
      hl_shape_contains (hl_shape_kind_from_name ("throttle"), &state, &place, (HlSpot){10.0, 21.0}, 0.2));
  hl_assert_near (
      hl_shape_distance (hl_shape_kind_from_name ("throttle"), &state, &place, (HlSpot){10.0, 23.0}), 1.0,
      1e-9, 0.0);
  g_assert_false (
      hl_shape_contains (hl_shape_kind_from_name ("throttle"), &state, &place, (HlSpot){13.0, 20.0}, 0.5));
  /* the open tank is no box: its inside is empty, its bottom is not */
  g_assert_false (
      hl_shape_contains (hl_shape_kind_from_name ("tank"), &state, &place, (HlSpot){11.2, 21.5}, 0.3));
  g_assert_true (
      hl_shape_contains (hl_shape_kind_from_name ("tank"), &state, &place, (HlSpot){11.2, 23.0}, 0.3));
  /* the circle's distance is exact to the flattening */
  hl_assert_near (
      hl_shape_distance (hl_shape_kind_from_name ("pressure-source"), &state, &place, (HlSpot){10.0, 25.0}),
      2.0, 0.0, 0.03);
  /* the rod moves out */
  HlSpot tip = {10.0 + 18.0, 20.0};
  g_assert_false (hl_shape_contains (hl_shape_kind_from_name ("cylinder"), &state, &place, tip, 0.3));
  state.stroke = 1.0;
  g_assert_true (hl_shape_contains (hl_shape_kind_from_name ("cylinder"), &state, &place, tip, 0.3));
  /* a mirrored and turned symbol is hit where it stands */
  HlPlacement turned = {0.0, 0.0, 270, TRUE};
  HlSpot own = {18.0, 0.0};
  g_assert_true (hl_shape_contains (hl_shape_kind_from_name ("cylinder"), &state, &turned,
                                    hl_placement_apply (&turned, own), 0.3));
}

static void test_view (void) {
  for (int round = 0; round < 200; round++) {
    HlView view = {hl_test_log_uniform (0.1, 100.0), hl_test_uniform (-500.0, 500.0),
                   hl_test_uniform (-500.0, 500.0), round % 2};
    HlSpot device = {hl_test_uniform (0.0, 800.0), hl_test_uniform (0.0, 600.0)};
    HlSpot world = hl_view_to_world (&view, device);
    HlSpot back = hl_view_to_device (&view, world);
    hl_assert_near (back.x, device.x, 1e-12, 1e-9);
    hl_assert_near (back.y, device.y, 1e-12, 1e-9);
    hl_view_zoom_at (&view, device, hl_test_log_uniform (0.5, 2.0), 0.01, 1000.0);
    back = hl_view_to_device (&view, world);
    hl_assert_near (back.x, device.x, 1e-12, 1e-9);
    hl_assert_near (back.y, device.y, 1e-12, 1e-9);
    HlRect box = {hl_test_uniform (-5.0, 5.0), hl_test_uniform (-5.0, 5.0), hl_test_uniform (0.1, 9.0),
                  hl_test_uniform (0.1, 9.0)};
    HlRect area = {10.0, 20.0, 640.0, 480.0};
    hl_view_fit (&view, box, area, 30.0, 1e6);
    HlRect seen = hl_view_visible (&view, hl_rect_grow (area, -29.99));
    g_assert_cmpfloat (seen.x, <=, box.x);
    g_assert_cmpfloat (seen.y, <=, box.y);
    g_assert_cmpfloat (seen.x + seen.width, >=, box.x + box.width);
    g_assert_cmpfloat (seen.y + seen.height, >=, box.y + box.height);
  }
  HlRect rect = {0.0, 0.0, 2.0, 1.0};
  g_assert_true (hl_rect_meets_segment (rect, (HlSpot){-1.0, 0.5}, (HlSpot){3.0, 0.6}));
  g_assert_false (hl_rect_meets_segment (rect, (HlSpot){-1.0, 0.5}, (HlSpot){0.9, 3.0}));
  g_assert_false (hl_rect_meets_segment (rect, (HlSpot){3.0, 0.5}, (HlSpot){4.0, 0.5}));
}

int main (int argc, char *argv[]) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbol-shape/names", test_names);
  g_test_add_func ("/symbol-shape/ports-on-grid", test_ports_on_grid);
  g_test_add_func ("/symbol-shape/outline-in-box", test_outline_in_box);
  g_test_add_func ("/symbol-shape/placement", test_placement);
  g_test_add_func ("/symbol-shape/picking", test_picking);
  g_test_add_func ("/view/inversion-zoom-fit", test_view);
  return g_test_run ();
}
