/* SPDX-License-Identifier: MIT */
/* Verbs on the drawing of a circuit: wires stay attached and orthogonal, and the document says what
 * the drawing shows. */
#include <math.h>
#include <string.h>

#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test-document.h"
#include "tests/support/hl-test.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/paint/circuit/hl-circuit-wires.h"

/* Checks that all places are in the file, every drawing fits its document, and every wire is orthogonal. */
static void assert_sound (const HlDocument *document) {
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);

  for (int c = 0; c < sheet->n_components; c++)
    g_assert_true (sheet->is_placed[c]);
  for (int line = 0; line < sheet->n_lines; line++) {
    const HlLayoutRoute *route = &sheet->layout->routes[line];
    g_test_message ("line %s", hl_document_element_id (document, HL_SECTION_LINES, line));
    g_assert_true (sheet->is_drawn[line]);
    for (int w = 0; w < route->n_wires; w++)
      g_assert_true (hl_wire_is_orthogonal (route->wires[w].points, route->wires[w].n));
  }
}

static HlDocument *finish (HlCircuitDraft *draft) {
  HlDocument *document = hl_circuit_draft_finish (draft);
  assert_sound (document);
  return document;
}

static const char *line_of (const HlDocument *document, const char *port) {
  int line = hl_document_line_of_port (document, port);
  return line >= 0 ? hl_document_element_id (document, HL_SECTION_LINES, line) : NULL;
}

static int n_ports (const HlDocument *document, const char *line) {
  return (int)hl_value_length (hl_value_member (hl_document_find (document, line, NULL, NULL), "ports"));
}

/* Returns an empty circuit with components in a row. */
static HlCircuitDraft *draft_of (const char *const kinds[], const HlPlacement places[], int n) {
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  HlCircuitDraft *draft = hl_circuit_draft_new (empty);

  for (int i = 0; i < n; i++)
    g_assert_true (hl_circuit_draft_place (draft, kinds[i], &places[i], NULL, NULL));
  return draft;
}

static void test_freeze (void) {
  static const char *const names[] = {"four-bar.hydrolink", "two-arms-1.hydrolink",
                                      "regeneration-arm-ua05.hydrolink", "metering-arm.hydrolink"};

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (HlDocument) document = hl_test_example (names[i]);
    g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
    g_autoptr (HlDocument) frozen = finish (draft);
    g_autoptr (HlCircuitDraft) again = hl_circuit_draft_new (frozen);
    g_autoptr (HlDocument) same = finish (again);
    g_assert_true (hl_document_equal (frozen, same));
    /* only the layout has changed */
    g_autoptr (HlDocument) bare = hl_edit_set_layout (frozen, "circuit", NULL, NULL, NULL);
    g_autoptr (HlDocument) bare_before = hl_edit_set_layout (document, "circuit", NULL, NULL, NULL);
    g_assert_true (hl_document_equal (bare, bare_before));
  }
}

/* Moves symbols of a real circuit one by one and together, by seed. */
static void test_move_random (void) {
  g_autoptr (HlDocument) start = hl_test_example ("two-arms-1.hydrolink");
  g_autoptr (HlDocument) document = hl_document_ref (start);
  int n = hl_document_n_elements (document, HL_SECTION_COMPONENTS);

  for (int step = 0; step < 40; step++) {
    g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
    HlDraftItem items[3];
    int n_items = g_test_rand_int_range (1, 4);
    for (int i = 0; i < n_items; i++)
      items[i] =
          (HlDraftItem){hl_document_element_id (document, HL_SECTION_COMPONENTS, (i * 7 + step) % n), -1};
    HlPlaneMove move = {.centre = {10, 10},
                        .mirror = step % 5 == 3,
                        .quarters = step % 4 == 2 ? 1 : 0,
                        .dx = 2 * g_test_rand_int_range (-6, 7),
                        .dy = 2 * g_test_rand_int_range (-6, 7)};
    hl_circuit_draft_move (draft, items, n_items, &move);
    HlDocument *next = finish (draft);
    /* nothing but the drawing changes */
    g_assert_true (hl_value_equal (hl_value_member (hl_document_root (document), "lines"),
                                   hl_value_member (hl_document_root (next), "lines")));
    hl_document_unref (document);
    document = next;
  }
}

static void test_move_all (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  HlDraftItem items[] = {{"pump", -1}, {"tank", -1}, {"dcv", -1}, {"throttle", -1}, {"cyl", -1}};
  HlPlaneMove there = {.dx = 10, .dy = -6}, back = {.dx = -10, .dy = 6};
  g_autoptr (HlDocument) before = finish (draft);

  hl_circuit_draft_move (draft, items, G_N_ELEMENTS (items), &there);
  g_autoptr (HlDocument) moved = finish (draft);
  g_assert_false (hl_document_equal (before, moved));
  hl_circuit_draft_move (draft, items, G_N_ELEMENTS (items), &back);
  g_autoptr (HlDocument) again = finish (draft);
  g_assert_true (hl_document_equal (before, again));
}

static void test_connect (void) {
  static const char *const kinds[] = {"throttle", "throttle", "throttle"};
  HlPlacement places[] = {{.x = 0}, {.x = 10}, {.x = 20}};
  g_autoptr (HlCircuitDraft) draft = draft_of (kinds, places, 3);
  g_autofree char *line = NULL;
  HlSpot up[] = {{0, -2}, {0, -6}, {10, -6}, {10, -2}};
  HlSpot tee[] = {{20, -2}, {20, -10}, {4, -10}, {4, -6}};
  HlSpot open[] = {{0, 2}, {0, 8}};

  g_assert_true (hl_circuit_draft_connect (draft, "throttle1.B", "throttle2.B", up, 4, &line, NULL));
  g_assert_cmpstr (line, ==, "line1");
  g_assert_true (hl_circuit_draft_connect (draft, "throttle3.B", "line1", tee, 4, NULL, NULL));
  g_assert_true (hl_circuit_draft_connect (draft, "throttle1.A", NULL, open, 2, NULL, NULL));
  g_autoptr (HlDocument) document = finish (draft);
  g_assert_cmpint (n_ports (document, "line1"), ==, 3);
  g_assert_cmpint (n_ports (document, "line2"), ==, 1);
  const HlLayoutRoute *route = hl_circuit_draft_route (draft, "line1");
  g_assert_cmpint (route->n_dots, ==, 1);
  g_assert_cmpfloat (route->dots[0].x, ==, 4);
  g_assert_cmpfloat (route->dots[0].y, ==, -6);
  g_assert_cmpint (route->n_wires, ==, 3);

  /* a component that comes to stand on the open end is connected */
  g_assert_true (hl_circuit_draft_place (draft, "pipe", &(HlPlacement){.x = 0, .y = 10}, NULL, NULL));
  g_autoptr (HlDocument) with_pipe = finish (draft);
  g_assert_cmpstr (line_of (with_pipe, "pipe1.B"), ==, "line2");
  g_assert_cmpstr (line_of (with_pipe, "pipe1.A"), ==, NULL);
}

static void test_merge (void) {
  static const char *const kinds[] = {"throttle", "throttle", "throttle", "throttle"};
  HlPlacement places[] = {{.x = 0}, {.x = 10}, {.x = 20}, {.x = 30}};
  g_autoptr (HlCircuitDraft) draft = draft_of (kinds, places, 4);
  HlSpot left[] = {{0, -2}, {0, -6}, {10, -6}, {10, -2}};
  HlSpot right[] = {{20, -2}, {20, -6}, {30, -6}, {30, -2}};
  HlSpot bridge[] = {{10, -6}, {20, -6}};

  hl_circuit_draft_connect (draft, "throttle1.B", "throttle2.B", left, 4, NULL, NULL);
  hl_circuit_draft_connect (draft, "throttle3.B", "throttle4.B", right, 4, NULL, NULL);
  hl_circuit_draft_set_document (
      draft, hl_edit_set (draft->document, "line2", "volume", hl_value_new_number (2e-4), NULL));
  g_assert_true (hl_circuit_draft_connect (draft, "line1", "line2", bridge, 2, NULL, NULL));
  g_autoptr (HlDocument) document = finish (draft);
  g_assert_cmpint (hl_document_n_elements (document, HL_SECTION_LINES), ==, 1);
  g_assert_cmpstr (line_of (document, "throttle1.B"), ==, "line2"); /* it has the hose */
  g_assert_cmpint (n_ports (document, "line2"), ==, 4);

  /* rubbed out again, the net falls apart; at two ports each the hose stays with the first part */
  const HlLayoutRoute *route = hl_circuit_draft_route (draft, "line2");
  int wire = -1;
  for (int w = 0; w < route->n_wires; w++)
    if (route->wires[w].n == 2 && route->wires[w].points[0].y == -6 && route->wires[w].points[1].y == -6)
      wire = w;
  g_assert_cmpint (wire, >=, 0);
  g_assert_true (hl_circuit_draft_cut (draft, "line2", wire, NULL));
  g_autoptr (HlDocument) parted = finish (draft);
  g_assert_cmpint (hl_document_n_elements (parted, HL_SECTION_LINES), ==, 2);
  g_assert_cmpstr (line_of (parted, "throttle1.B"), ==, line_of (parted, "throttle2.B"));
  g_assert_cmpstr (line_of (parted, "throttle3.B"), ==, line_of (parted, "throttle4.B"));
  g_assert_cmpstr (line_of (parted, "throttle1.B"), !=, line_of (parted, "throttle3.B"));
}

static void test_cut_keeps_hose (void) {
  static const char *const kinds[] = {"throttle", "throttle", "throttle"};
  HlPlacement places[] = {{.x = 0}, {.x = 10}, {.x = 20}};
  g_autoptr (HlCircuitDraft) draft = draft_of (kinds, places, 3);
  HlSpot up[] = {{0, -2}, {0, -6}, {10, -6}, {10, -2}};
  HlSpot tee[] = {{20, -2}, {20, -10}, {4, -10}, {4, -6}};

  hl_circuit_draft_connect (draft, "throttle1.B", "throttle2.B", up, 4, NULL, NULL);
  hl_circuit_draft_connect (draft, "throttle3.B", "line1", tee, 4, NULL, NULL);
  hl_circuit_draft_set_document (
      draft, hl_edit_set (draft->document, "line1", "volume", hl_value_new_number (1e-4), NULL));
  const HlLayoutRoute *route = hl_circuit_draft_route (draft, "line1");
  int wire = -1;
  for (int w = 0; w < route->n_wires; w++)
    for (int i = 0; i < route->wires[w].n; i++)
      if (route->wires[w].points[i].y == -10)
        wire = w;
  g_assert_true (hl_circuit_draft_cut (draft, "line1", wire, NULL));
  g_autoptr (HlDocument) document = finish (draft);
  g_assert_cmpstr (line_of (document, "throttle2.B"), ==, "line1");
  g_assert_cmpstr (line_of (document, "throttle3.B"), ==, NULL);
  g_assert_cmpint (n_ports (document, "line1"), ==, 2);
  g_assert_cmpint (hl_circuit_draft_route (draft, "line1")->n_dots, ==, 0);
  g_assert_cmpint (hl_circuit_draft_route (draft, "line1")->n_wires, ==, 1);
}

/* Tests that the wires of a removed component stay with their hose data; a tank with several symbols leaves
 * separate lines. */
static void test_remove (void) {
  g_autoptr (HlDocument) document = hl_test_example ("four-bar.hydrolink");
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document);
  const char *throttle[] = {"throttle", NULL};

  g_assert_true (hl_circuit_draft_remove (draft, throttle, NULL));
  g_autoptr (HlDocument) without = finish (draft);
  g_assert_cmpint (n_ports (without, "V1"), ==, 1);
  g_assert_cmpint (n_ports (without, "V2"), ==, 1);
  double volume;
  g_assert_true (hl_document_get_number (without, "V1.volume", &volume, NULL, NULL));
  g_assert_cmpfloat (volume, ==, 4.71e-5);

  g_autoptr (HlDocument) arms = hl_test_example ("two-arms-1.hydrolink");
  g_autoptr (HlCircuitDraft) arms_draft = hl_circuit_draft_new (arms);
  const char *tank = NULL;
  for (int c = 0; c < hl_document_n_elements (arms, HL_SECTION_COMPONENTS); c++) {
    const char *id = hl_document_element_id (arms, HL_SECTION_COMPONENTS, c);
    if (hl_circuit_draft_symbol (arms_draft, id)->repeats->len > 0)
      tank = id;
  }
  g_assert_nonnull (tank);
  guint n_places = hl_circuit_draft_symbol (arms_draft, tank)->repeats->len + 1;
  int n_lines = hl_document_n_elements (arms, HL_SECTION_LINES);
  const char *ids[] = {tank, NULL};
  g_assert_true (hl_circuit_draft_remove (arms_draft, ids, NULL));
  g_autoptr (HlDocument) parted = finish (arms_draft);
  g_assert_cmpint (hl_document_n_elements (parted, HL_SECTION_LINES), ==, n_lines + (int)n_places - 1);
}

static void test_segment (void) {
  static const char *const kinds[] = {"throttle", "throttle", "throttle"};
  HlPlacement places[] = {{.x = 0}, {.x = 10}, {.x = 20}};
  g_autoptr (HlCircuitDraft) draft = draft_of (kinds, places, 3);
  HlSpot up[] = {{0, -2}, {0, -6}, {10, -6}, {10, -2}};
  HlSpot tee[] = {{20, -2}, {20, -6}, {10, -6}};

  hl_circuit_draft_connect (draft, "throttle1.B", "throttle2.B", up, 4, NULL, NULL);
  hl_circuit_draft_shift_segment (draft, "line1", 0, 1, -4);
  g_autoptr (HlDocument) document = finish (draft);
  const HlLayoutRoute *route = hl_circuit_draft_route (draft, "line1");
  g_assert_cmpint (route->n_wires, ==, 1);
  g_assert_cmpint (route->wires[0].n, ==, 4);
  g_assert_cmpfloat (route->wires[0].points[1].y, ==, -10);
  /* the upright one at the port: it goes straight out first */
  hl_circuit_draft_shift_segment (draft, "line1", 0, 0, 4);
  g_autoptr (HlDocument) stepped = finish (draft);
  route = hl_circuit_draft_route (draft, "line1");
  g_assert_cmpint (route->wires[0].n, ==, 6);
  g_assert_cmpfloat (route->wires[0].points[1].y, ==, -4);
  g_assert_cmpfloat (route->wires[0].points[2].x, ==, 4);
  /* a junction slides along the wire it stands on */
  g_autoptr (HlCircuitDraft) other = draft_of (kinds, places, 3);
  hl_circuit_draft_connect (other, "throttle1.B", "throttle2.B", up, 4, NULL, NULL);
  hl_circuit_draft_connect (other, "throttle3.B", "line1", tee, 3, NULL, NULL);
  route = hl_circuit_draft_route (other, "line1");
  for (int w = 0; w < route->n_wires; w++)
    if (route->wires[w].points[0].x == 20 || route->wires[w].points[route->wires[w].n - 1].x == 20) {
      int level = route->wires[w].points[0].y == route->wires[w].points[1].y ? 0 : 1;
      hl_circuit_draft_shift_segment (other, "line1", w, level, 2);
      break;
    }
  g_autoptr (HlDocument) slid = finish (other);
  route = hl_circuit_draft_route (other, "line1");
  g_assert_cmpint (route->n_dots, ==, 1);
  g_assert_cmpfloat (route->dots[0].x, ==, 10);
  g_assert_cmpfloat (route->dots[0].y, ==, -4);
}

/* Tests that a symbol on an open end is connected, when it or the wire is moved or turned, unless its port is
 * on another line. */
static void test_open_ends (void) {
  static const char *const kinds[] = {"throttle", "throttle", "throttle"};
  HlPlacement places[] = {{.x = 0}, {.x = 10}, {.x = 20}};
  HlSpot open[] = {{0, 2}, {0, 8}, {16, 8}, {16, 2}};
  HlSpot up[] = {{20, -2}, {20, -6}, {10, -6}, {10, -2}};
  HlDraftItem second = {"throttle2", -1}, third = {"throttle3", -1};

  for (int how = 0; how < 4; how++) {
    g_autoptr (HlCircuitDraft) draft = draft_of (kinds, places, 3);
    g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (HlSpot));
    g_assert_true (hl_circuit_draft_connect (draft, "throttle1.A", NULL, open, 4, NULL, NULL));
    g_autoptr (GArray) pins = hl_circuit_draft_pins (draft, "line1");
    hl_route_open_ends (hl_circuit_draft_route (draft, "line1"), (const HlSpot *)(gpointer)pins->data,
                        (int)pins->len, ends);
    g_assert_cmpuint (ends->len, ==, 1);
    g_assert_cmpfloat (g_array_index (ends, HlSpot, 0).x, ==, 16);
    if (how == 0) /* throttle2.A is at (10, 2): to the end at (16, 2) */
      hl_circuit_draft_move (draft, &second, 1, &(HlPlaneMove){.dx = 6});
    else if (how == 1) /* throttle3.B, turned over */
      hl_circuit_draft_move (draft, &third, 1, &(HlPlaneMove){.centre = {20, 0}, .quarters = 2, .dx = -4});
    else if (how == 2) { /* the wire */
      const HlLayoutRoute *route = hl_circuit_draft_route (draft, "line1");
      gboolean is_first = route->wires[0].points[0].x == 16;
      hl_circuit_draft_shift_segment (draft, "line1", 0, is_first ? 0 : 2, -6);
    } else {
      g_assert_true (hl_circuit_draft_connect (draft, "throttle3.B", "throttle2.B", up, 4, NULL, NULL));
      hl_circuit_draft_move (draft, &second, 1, &(HlPlaneMove){.centre = {10, 0}, .quarters = 2, .dx = 6});
    }
    g_autoptr (HlDocument) document = finish (draft);
    g_assert_cmpint (n_ports (document, "line1"), ==, how < 3 ? 2 : 1);
    if (how < 3)
      g_assert_cmpstr (line_of (document, how == 1 ? "throttle3.B" : "throttle2.A"), ==, "line1");
  }
}

/* Tests that a drawing that does not fit the document is routed again. */
static void test_stale_drawing (void) {
  static const char *const kinds[] = {"throttle", "throttle"};
  HlPlacement places[] = {{.x = 0}, {.x = 10}};
  g_autoptr (HlCircuitDraft) draft = draft_of (kinds, places, 2);
  HlSpot up[] = {{0, -2}, {0, -6}, {10, -6}, {10, -2}};

  hl_circuit_draft_connect (draft, "throttle1.B", "throttle2.B", up, 4, NULL, NULL);
  g_autoptr (HlDocument) document = finish (draft);
  g_autoptr (HlDocument) more = hl_edit_connect (document, "throttle2.A", "line1", NULL);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (more);
  g_assert_false (sheet->is_drawn[0]);
  g_assert_cmpint (sheet->layout->routes[0].n_wires, >, 0);
  g_assert_false (hl_circuit_sheet_fits (sheet, document));
  g_assert_true (hl_circuit_sheet_fits (sheet, more));
  g_autoptr (HlValue) slanted =
      hl_value_with_at (hl_document_root (document), "layout.circuit.line1.wires.0.1",
                        hl_value_new_numbers ((double[]){3, -5}, 2));
  g_autoptr (HlDocument) bad = hl_document_new (g_steal_pointer (&slanted));
  g_autoptr (HlCircuitSheet) bad_sheet = hl_circuit_sheet_new (bad);
  g_assert_false (bad_sheet->is_drawn[0]);
}

static void test_crossing (void) {
  g_autoptr (HlWires) wires = hl_wires_new ();
  HlSpot level[] = {{0, 0}, {8, 0}}, upright[] = {{4, -4}, {4, 4}};

  hl_wires_add (wires, level, 2);
  hl_wires_add (wires, upright, 2);
  g_assert_cmpint (hl_wires_split (wires, NULL, 0), ==, 2);
  g_assert_cmpint (hl_wires_part_at (wires, level[0]), !=, hl_wires_part_at (wires, upright[0]));
  hl_wires_add_dot (wires, (HlSpot){4, 0});
  g_assert_cmpint (hl_wires_split (wires, NULL, 0), ==, 1);
  HlSpot ties[1][2] = {{{0, 0}, {20, 20}}};
  HlSpot apart[] = {{20, 20}, {22, 20}};
  hl_wires_add (wires, apart, 2);
  g_assert_cmpint (hl_wires_split (wires, NULL, 0), ==, 2);
  g_assert_cmpint (hl_wires_split (wires, (const HlSpot (*)[2])ties, 1), ==, 1);
}

/* Types another place and all eight attitudes for every symbol of an example: it is there, on the grid; lines
 * stay attached and drawn; only the layout changes. */
static void test_typed_place (void) {
  g_autofree char *path = hl_test_example_path ("metering-arm.hydrolink");
  g_autoptr (HlDocument) start = hl_document_load (path, NULL);
  g_autoptr (GError) error = NULL;
  HlPlacement place;

  for (int i = 0; i < hl_document_n_elements (start, HL_SECTION_COMPONENTS); i++) {
    const char *id = hl_document_element_id (start, HL_SECTION_COMPONENTS, i);
    for (int attitude = 0; attitude < 8; attitude++) {
      HlPlacement to = {.x = 40.0 + 2.0 * g_test_rand_int_range (0, 20),
                        .y = -30.7,
                        .rotation = 90 * (attitude % 4),
                        .mirror = attitude >= 4};
      g_autoptr (HlDocument) moved = hl_circuit_set_place (start, id, &to, &error);
      g_assert_no_error (error);
      g_assert_true (hl_circuit_symbol_place (moved, id, &place));
      g_assert_cmpfloat (place.x, ==, to.x);
      g_assert_cmpfloat (place.y, ==, -30.0);
      g_assert_cmpint (place.rotation, ==, to.rotation);
      g_assert_cmpint (place.mirror, ==, to.mirror);
      g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (moved);
      for (int line = 0; line < sheet->n_lines; line++)
        g_assert_true (sheet->is_drawn[line]);
      g_autoptr (HlValue) bare = hl_value_without_member (hl_document_root (moved), "layout");
      g_autoptr (HlValue) before = hl_value_without_member (hl_document_root (start), "layout");
      g_assert_true (hl_value_equal (bare, before));
    }
  }
  g_assert_false (hl_circuit_symbol_place (start, "ground", &place));
  g_assert_null (hl_circuit_set_place (start, "nobody", &place, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  place.x = NAN;
  g_assert_null (hl_circuit_set_place (start, "pump", &place, &error));
  g_assert_nonnull (error);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/circuit-draft/freeze", test_freeze);
  g_test_add_func ("/circuit-draft/move-random", test_move_random);
  g_test_add_func ("/circuit-draft/move-all", test_move_all);
  g_test_add_func ("/circuit-draft/connect", test_connect);
  g_test_add_func ("/circuit-draft/merge", test_merge);
  g_test_add_func ("/circuit-draft/cut-keeps-hose", test_cut_keeps_hose);
  g_test_add_func ("/circuit-draft/remove", test_remove);
  g_test_add_func ("/circuit-draft/segment", test_segment);
  g_test_add_func ("/circuit-draft/open-ends", test_open_ends);
  g_test_add_func ("/circuit-draft/stale-drawing", test_stale_drawing);
  g_test_add_func ("/circuit-draft/crossing", test_crossing);
  g_test_add_func ("/circuit-draft/typed-place", test_typed_place);
  return g_test_run ();
}
