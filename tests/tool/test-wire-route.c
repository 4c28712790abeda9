/* SPDX-License-Identifier: MIT */
/* Routes of wires: clear of every symbol, without detours, along existing wires, and around a symbol that is placed on
 * them. */
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/edit/tool/hl-selection-commands.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"

#include <math.h>
#include <string.h>

#define N_RANDOM 40
#define WITHIN 0.5 /* [M] so far within its edge is within a symbol */

static const struct {
  const char *kind, *stem, *ports;
} kinds[] = {{"directional-valve", "valve", "PTAB"},
             {"throttle", "throttle", "AB"},
             {"counterbalance-valve", "cbv", "ABX"},
             {"relief-valve", "relief", "AT"},
             {"pressure-source", "pump", "P"},
             {"check-valve", "check", "AB"},
             {"tank", "tank", "T"},
             {"cylinder", "cyl", "AB"}};

static void place (HlScript *script, const char *kind, double x, double y) {
  hl_script_choose (script, "place", kind);
  hl_script_click (script, x, y);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
}

static HlShapePort port_of (const HlScript *script, const char *name) {
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (script));
  int component, index;

  g_assert_true (hl_document_resolve_port (hl_script_document (script), name, &component, &index, NULL));
  return hl_circuit_sheet_port (sheet, component, index);
}

static void wire (HlScript *script, const char *from, const char *to) {
  HlShapePort a = port_of (script, from), b = port_of (script, to);

  hl_script_drag (script, a.x, a.y, b.x, b.y);
  g_assert_cmpint (hl_document_line_of_port (hl_script_document (script), from), ==,
                   hl_document_line_of_port (hl_script_document (script), to));
}

/* Checks that no wire passes through a symbol. */
static void assert_clear (const HlScript *script) {
  const HlDocument *document = hl_script_document (script);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);

  for (int line = 0; line < sheet->n_lines; line++)
    for (int w = 0; w < sheet->layout->routes[line].n_wires; w++)
      for (int i = 1; i < sheet->layout->routes[line].wires[w].n; i++)
        for (int c = 0; c < sheet->n_components; c++) {
          const HlSpot *p = &sheet->layout->routes[line].wires[w].points[i];
          HlPlacement at = hl_circuit_sheet_place_of (sheet, c);
          HlRect body = hl_rect_grow (hl_shape_placed_body (sheet->kinds[c], &at), -WITHIN);
          if (hl_rect_meets_segment (body, p[-1], p[0]))
            g_error ("%s runs through %s from (%g, %g) to (%g, %g)",
                     hl_document_element_id (document, HL_SECTION_LINES, line),
                     hl_document_element_id (document, HL_SECTION_COMPONENTS, c), p[-1].x, p[-1].y, p[0].x,
                     p[0].y);
        }
}

/* Returns a port of one of the kinds: "valve1.P". */
static char *any_port (void) {
  int k = g_test_rand_int_range (0, G_N_ELEMENTS (kinds));
  int port = g_test_rand_int_range (0, (int)strlen (kinds[k].ports));

  return g_strdup_printf ("%s1.%c", kinds[k].stem, kinds[k].ports[port]);
}

static double length_of (const HlScript *script, const char *port) {
  const HlDocument *document = hl_script_document (script);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);
  const HlLayoutRoute *route = &sheet->layout->routes[hl_document_line_of_port (document, port)];
  double length = 0;

  for (int w = 0; w < route->n_wires; w++)
    for (int i = 1; i < route->wires[w].n; i++)
      length += fabs (route->wires[w].points[i].x - route->wires[w].points[i - 1].x) +
                fabs (route->wires[w].points[i].y - route->wires[w].points[i - 1].y);
  return length;
}

/* Tests the return lines of a press with two valves: each joins an existing line to the tank. No net is
 * longer than twice the half of the box around its ports, which the shortest tree can need. */
static void test_returns (void) {
  HlScript script;

  hl_script_init (&script, NULL);
  place (&script, "directional-valve", -8, 20);
  place (&script, "directional-valve", 14, 16);
  place (&script, "flow-source", -2, 32);
  place (&script, "relief-valve", 10, 30);
  place (&script, "tank", -8, 40);
  wire (&script, "pump1.P", "valve1.P");
  wire (&script, "pump1.P", "valve2.P");
  wire (&script, "relief1.A", "pump1.P");
  wire (&script, "valve1.T", "tank1.T");
  wire (&script, "valve2.T", "tank1.T");
  wire (&script, "relief1.T", "tank1.T");
  assert_clear (&script);

  const char *const nets[2][5] = {{"pump1.P", "valve1.P", "valve2.P", "relief1.A"},
                                  {"tank1.T", "valve1.T", "valve2.T", "relief1.T"}};
  for (int net = 0; net < 2; net++) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; nets[net][k] != NULL; k++) {
      HlShapePort at = port_of (&script, nets[net][k]);
      low[0] = fmin (low[0], at.x), high[0] = fmax (high[0], at.x);
      low[1] = fmin (low[1], at.y), high[1] = fmax (high[1], at.y);
    }
    double length = length_of (&script, nets[net][0]);
    g_test_message ("%s: %g of %g", nets[net][0], length, high[0] - low[0] + high[1] - low[1]);
    g_assert_cmpfloat (length, <, 2 * (high[0] - low[0] + high[1] - low[1]));
  }
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Returns whether a point lies on a segment of the grid. */
static gboolean lies_on (HlSpot at, HlSpot a, HlSpot b) {
  return at.x >= fmin (a.x, b.x) && at.x <= fmax (a.x, b.x) && at.y >= fmin (a.y, b.y) &&
         at.y <= fmax (a.y, b.y);
}

/* Tests that the pilot line of a counterbalance valve passes beside its other ports, not over one of them or
 * along the edge of its by-pass, wherever the valve is below the cylinder. */
static void test_pilot (void) {
  const double clear = 0.9; /* [M] */

  for (int shift = -2; shift <= 4; shift += 2) {
    HlScript script;
    hl_script_init (&script, NULL);
    place (&script, "cylinder", -10, 2);
    place (&script, "counterbalance-valve", -12 + shift, 10);
    place (&script, "directional-valve", -8, 20);
    wire (&script, "valve1.A", "cbv1.B");
    wire (&script, "cbv1.A", "cyl1.A");
    wire (&script, "valve1.B", "cyl1.B");
    wire (&script, "cbv1.X", "cyl1.B");
    assert_clear (&script);

    g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (&script));
    int line = hl_document_line_of_port (hl_script_document (&script), "cbv1.X"), valve, port;
    g_assert_true (hl_document_resolve_port (hl_script_document (&script), "cbv1.A", &valve, &port, NULL));
    HlPlacement at = hl_circuit_sheet_place_of (sheet, valve);
    HlRect body = hl_shape_placed_body (sheet->kinds[valve], &at);
    const HlLayoutRoute *route = &sheet->layout->routes[line];
    for (int w = 0; w < route->n_wires; w++)
      for (int i = 1; i < route->wires[w].n; i++) {
        HlSpot a = route->wires[w].points[i - 1], b = route->wires[w].points[i];
        for (int p = 0; p < 2; p++) {
          HlShapePort other = port_of (&script, p == 0 ? "cbv1.A" : "cbv1.B");
          g_assert_false (lies_on ((HlSpot){other.x, other.y}, a, b));
        }
        if (a.y == b.y && fmin (a.x, b.x) < body.x + body.width && fmax (a.x, b.x) > body.x)
          g_assert_true (a.y <= body.y - clear || a.y >= body.y + body.height + clear);
      }
    hl_script_assert_sound (&script);
    hl_script_clear (&script);
  }
}

/* Tests that a wire is rerouted around a symbol placed on it and unchanged elsewhere. */
static void test_gives_way (void) {
  HlScript script;

  hl_script_init (&script, NULL);
  place (&script, "pressure-source", 0, 20);
  place (&script, "throttle", 0, 0);
  place (&script, "tank", 20, 10);
  wire (&script, "pump1.P", "throttle1.A");
  double straight = length_of (&script, "pump1.P");
  g_assert_cmpfloat (straight, ==, 14);    /* upright from the source to the throttle */
  hl_script_drag (&script, 20, 12, 0, 10); /* the tank, by its bottom */
  g_assert_cmpfloat (port_of (&script, "tank1.T").x, ==, 0);
  assert_clear (&script);
  g_assert_cmpfloat (length_of (&script, "pump1.P"), >, straight);
  hl_script_assert_sound (&script);
  hl_script_undo (&script);
  hl_assert_near (length_of (&script, "pump1.P"), straight, 1e-12, 0);
  hl_script_clear (&script);
}

/* Places and connects symbols in any order. */
static void test_random (void) {
  for (int round = 0; round < N_RANDOM; round++) {
    HlScript script;
    hl_script_init (&script, NULL);
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) /* on a chessboard, a little beside */
      place (&script, kinds[k].kind, 24 * (k % 3) + 2 * g_test_rand_int_range (-2, 3),
             16 * (int)(k / 3) + 2 * g_test_rand_int_range (-1, 2));
    for (int n = 0; n < 10; n++) {
      g_autofree char *from = any_port ();
      g_autofree char *to = any_port ();
      int line = hl_document_line_of_port (hl_script_document (&script), from);
      if (g_strcmp0 (from, to) == 0 ||
          (line >= 0 && line == hl_document_line_of_port (hl_script_document (&script), to)))
        continue;
      wire (&script, from, to);
      assert_clear (&script);
    }
    hl_script_clear (&script);
  }
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wire-route/returns-join-what-is-there", test_returns);
  g_test_add_func ("/wire-route/a-pilot-keeps-off-other-ports", test_pilot);
  g_test_add_func ("/wire-route/gives-way-to-a-symbol", test_gives_way);
  g_test_add_func ("/wire-route/never-through-a-symbol", test_random);
  return g_test_run ();
}
