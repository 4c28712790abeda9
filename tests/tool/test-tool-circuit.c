/* SPDX-License-Identifier: MIT */
/* The tools of the circuit by lists of events. */
#include <string.h>

#include "core/edit/hl-edit.h"
#include "tests/support/hl-test.h"
#include "tests/tool/hl-tool-fixture.h"
#include "ui/paint/circuit/hl-circuit-wires.h"
#include "ui/edit/tool/hl-selection-commands.h"

static const char *line_of (const HlScript *script, const char *port) {
  int line = hl_document_line_of_port (hl_script_document (script), port);
  return line >= 0 ? hl_document_element_id (hl_script_document (script), HL_SECTION_LINES, line) : NULL;
}

static HlPlacement place_of (const HlScript *script, const char *id) {
  HlPlacement place;
  g_assert_true (hl_circuit_place_parse (hl_script_document (script), id, &place));
  return place;
}

static void place (HlScript *script, const char *kind, double x, double y) {
  hl_script_choose (script, "place", kind);
  g_assert_cmpint (hl_script_click (script, x, y), ==, HL_TOOL_NEXT);
  hl_script_key (script, HL_TOOL_KEY_ESCAPE);
  g_assert_cmpstr (hl_tool_id (script->tool), ==, "select");
}

static int count_marks (const HlScript *script, HlToolMarkKind kind) {
  int n, count = 0;
  const HlToolMark *marks = hl_tool_marks (script->tool, &n);

  for (int i = 0; i < n; i++)
    count += marks[i].kind == kind;
  return count;
}

static void test_place (void) {
  HlScript script;

  hl_script_init (&script, NULL);
  hl_script_choose (&script, "place", "throttle");
  hl_script_move (&script, 3.2, 4.9);
  g_assert_cmpint (count_marks (&script, HL_MARK_SYMBOL), ==, 1);
  hl_script_type (&script, "r");
  g_assert_cmpint (hl_script_click (&script, 3.2, 4.9), ==, HL_TOOL_NEXT);
  g_assert_cmpint (place_of (&script, "throttle1").rotation, ==, 90);
  g_assert_cmpfloat (place_of (&script, "throttle1").x, ==, 4); /* on the grid of 2 M */
  g_assert_cmpfloat (place_of (&script, "throttle1").y, ==, 4);
  g_assert_cmpstr (hl_tool_id (script.tool), ==, "place"); /* goes on */
  script.modifiers = HL_TOOL_ALT;
  hl_script_click (&script, 20.9, 5.2);
  script.modifiers = 0;
  g_assert_cmpfloat (place_of (&script, "throttle2").x, ==, 21);
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Place throttle2");
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_assert_cmpint (script.n_commits, ==, 2);
  /* out of the palette: no press on the canvas */
  hl_script_choose (&script, "place", "tank");
  hl_script_move (&script, 8, 8);
  g_assert_cmpint (hl_script_release (&script, 10, 10), ==, HL_TOOL_COMMIT);
  g_assert_cmpfloat (place_of (&script, "tank1").x, ==, 10);
  g_assert_cmpstr (hl_tool_id (script.tool), ==, "select");
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_place_typed (void) {
  HlScript script;

  hl_script_init (&script, NULL);
  hl_script_double (&script, 12, 6);
  g_assert_cmpstr (hl_tool_id (script.tool), ==, "place");
  hl_script_type (&script, "chx");
  hl_script_key (&script, HL_TOOL_KEY_BACKSPACE);
  g_assert_cmpint (count_marks (&script, HL_MARK_SYMBOL), ==, 1);
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_ENTER), ==, HL_TOOL_COMMIT);
  g_assert_nonnull (hl_document_find (hl_script_document (&script), "check1", NULL, NULL));
  g_assert_cmpfloat (place_of (&script, "check1").x, ==, 12);
  /* a name that nothing has places nothing */
  hl_script_double (&script, 30, 30);
  g_assert_cmpint (hl_script_enter (&script, "zzz"), ==, HL_TOOL_NOTHING);
  hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
  g_assert_cmpint (script.n_commits, ==, 1);
  hl_script_clear (&script);
}

/* Places three throttles in a row with the origin on y = 0; ports at y = -2 and 2. */
static void three_throttles (HlScript *script) {
  hl_script_init (script, NULL);
  for (int i = 0; i < 3; i++)
    place (script, "throttle", 10 * i, 0);
}

static void test_connect_drag (void) {
  HlScript script;

  three_throttles (&script);
  /* hovering lights the port up */
  hl_script_move (&script, 0.2, -2.1);
  g_assert_cmpint (count_marks (&script, HL_MARK_PORT), ==, 1);
  hl_script_press (&script, 0.2, -2.1);
  hl_script_move (&script, 4, -8);
  g_assert_cmpstr (hl_tool_id (script.tool), ==, "connect");
  g_assert_cmpint (count_marks (&script, HL_MARK_LINE), >=, 2);
  hl_script_move (&script, 9.9, -2.2);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "throttle2.B"));
  g_assert_cmpint (hl_script_release (&script, 9.9, -2.2), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (hl_tool_id (script.tool), ==, "select");
  g_assert_cmpstr (line_of (&script, "throttle1.B"), ==, "line1");
  g_assert_cmpstr (line_of (&script, "throttle2.B"), ==, "line1");
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Connect throttle1.B to throttle2.B");
  /* to a place on that line: a junction */
  HlCircuitSheet *sheet = hl_circuit_sheet_new (hl_script_document (&script));
  const HlLayoutWire *wire = &sheet->layout->routes[0].wires[0];
  HlSpot on = {0.5 * (wire->points[1].x + wire->points[2].x), wire->points[1].y};
  hl_circuit_sheet_free (sheet);
  g_assert_cmpint (hl_script_drag (&script, 20, -2, on.x, on.y), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (&script, "throttle3.B"), ==, "line1");
  sheet = hl_circuit_sheet_new (hl_script_document (&script));
  g_assert_cmpint (sheet->layout->routes[0].n_dots, ==, 1);
  hl_circuit_sheet_free (sheet);
  /* into the open */
  g_assert_cmpint (hl_script_drag (&script, 0, 2, 4, 12), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (&script, "throttle1.A"), ==, "line2");
  /* and on from the open end */
  g_assert_cmpint (hl_script_drag (&script, 4, 12, 10, 2), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (&script, "throttle2.A"), ==, "line2");
  hl_script_assert_sound (&script);
  int steps = hl_history_n_steps (script.history);
  g_assert_cmpint (steps, ==, 3 + 4 + 1);
  hl_script_clear (&script);
}

static void test_connect_clicks (void) {
  HlScript script;

  three_throttles (&script);
  hl_script_choose (&script, "connect", NULL);
  hl_script_click (&script, 0, -2);
  hl_script_click (&script, 0, -12); /* a corner */
  hl_script_click (&script, 14, -12);
  g_assert_cmpint (hl_script_click (&script, 10, -2), ==, HL_TOOL_NEXT);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (&script));
  HlSpot corner = {14, -12};
  g_autoptr (HlWires) wires = hl_wires_new ();
  hl_wires_add_route (wires, &sheet->layout->routes[0]);
  g_assert_true (hl_wires_touch (wires, corner));
  g_assert_cmpstr (hl_tool_id (script.tool), ==, "connect");
  /* Enter ends in the open; Backspace takes a corner back */
  hl_script_click (&script, 20, -2);
  hl_script_click (&script, 20, -8);
  hl_script_click (&script, 26, -8);
  hl_script_key (&script, HL_TOOL_KEY_BACKSPACE);
  hl_script_move (&script, 24, -8);
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_ENTER), ==, HL_TOOL_NEXT);
  g_assert_cmpstr (line_of (&script, "throttle3.B"), ==, "line2");
  /* from nothing to nothing is nothing */
  int commits = script.n_commits;
  hl_script_drag (&script, 50, 50, 60, 60);
  g_assert_cmpint (script.n_commits, ==, commits);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

/* Tests that the warning comes before the button is released. */
static void test_merge_warning (void) {
  HlScript script;

  hl_script_init (&script, NULL);
  for (int i = 0; i < 4; i++)
    place (&script, "throttle", 10 * i, 0);
  hl_script_drag (&script, 0, -2, 10, -2);
  hl_script_drag (&script, 20, -2, 30, -2);
  const HlDocument *before = hl_script_document (&script);
  hl_script_press (&script, 10, -2);
  hl_script_move (&script, 15, -9);
  g_assert_cmpint (count_marks (&script, HL_MARK_WARNING), ==, 0);
  hl_script_move (&script, 20, -2);
  g_assert_cmpint (count_marks (&script, HL_MARK_WARNING), ==, 1);
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "line1"));
  g_assert_nonnull (strstr (hl_tool_status (script.tool), "line2"));
  g_assert_true (hl_script_document (&script) == before);
  g_assert_cmpint (hl_script_release (&script, 20, -2), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (&script, "throttle1.B"), ==, line_of (&script, "throttle4.B"));
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Merge lines line1 and line2");
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_move (void) {
  HlScript script;

  three_throttles (&script);
  hl_script_drag (&script, 0, -2, 10, -2);
  g_assert_cmpint (hl_script_drag (&script, 0.5, 0.3, 5.1, 11), ==, HL_TOOL_COMMIT);
  g_assert_cmpfloat (place_of (&script, "throttle1").x, ==, 4);
  g_assert_cmpfloat (place_of (&script, "throttle1").y, ==, 10);
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Move throttle1");
  hl_script_assert_sound (&script);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (&script));
  g_assert_true (sheet->is_drawn[0]); /* still attached */
  /* two together by the rubber band, with Shift one more, then by keys */
  hl_script_drag (&script, 7, -5, 24, 5);
  g_assert_true (hl_tool_is_selected (script.tool, "throttle2"));
  g_assert_true (hl_tool_is_selected (script.tool, "throttle3"));
  g_assert_false (hl_tool_is_selected (script.tool, "throttle1"));
  script.modifiers = HL_TOOL_SHIFT;
  hl_script_click (&script, 4, 10);
  g_assert_true (hl_tool_is_selected (script.tool, "throttle1"));
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_RIGHT), ==, HL_TOOL_COMMIT);
  script.modifiers = 0;
  g_assert_cmpfloat (place_of (&script, "throttle3").x, ==, 30); /* coarse: 10 */
  hl_script_key (&script, HL_TOOL_KEY_UP);
  g_assert_cmpfloat (place_of (&script, "throttle3").y, ==, -2);
  hl_script_undo (&script);
  hl_script_undo (&script);
  hl_script_undo (&script);
  g_assert_cmpfloat (place_of (&script, "throttle1").x, ==, 0);
  hl_script_clear (&script);
}

/* Guides join ports that come to stand level or above each other, and only those; they go with the
 * release. */
static void test_guides (void) {
  HlScript script;
  int n;

  three_throttles (&script); /* at 0, 10 and 20, all level */
  hl_script_press (&script, 0.5, 0.3);
  hl_script_move (&script, 0.5, 20.3);
  hl_tool_marks (script.tool, &n);
  g_assert_cmpint (n, ==, 0); /* beside nothing, above nothing */
  hl_script_move (&script, 10.5, 20.3);
  const HlToolMark *marks = hl_tool_marks (script.tool, &n);
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpint (marks[0].kind, ==, HL_MARK_GUIDE);
  g_assert_cmpfloat (marks[0].a.x, ==, 10);
  g_assert_cmpfloat (marks[0].b.x, ==, 10);
  hl_script_move (&script, 5.1, 0.3); /* level with both others */
  marks = hl_tool_marks (script.tool, &n);
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpfloat (marks[0].a.y, ==, marks[0].b.y);
  hl_script_release (&script, 5.1, 0.3);
  marks = hl_tool_marks (script.tool, &n);
  for (int i = 0; i < n; i++)
    g_assert_cmpint (marks[i].kind, !=, HL_MARK_GUIDE);
  hl_script_clear (&script);
}

static void test_rotate_mirror (void) {
  HlScript script;

  three_throttles (&script);
  hl_script_drag (&script, 0, -2, 10, -2);
  hl_script_click (&script, 0, 0);
  for (int turn = 1; turn <= 4; turn++) {
    g_assert_cmpint (hl_script_type (&script, "r"), ==, HL_TOOL_COMMIT);
    g_assert_cmpint (place_of (&script, "throttle1").rotation, ==, 90 * turn % 360);
    hl_script_assert_sound (&script);
    g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (&script));
    g_assert_true (sheet->is_drawn[0]);
  }
  g_assert_cmpint (hl_script_type (&script, "M"), ==, HL_TOOL_COMMIT);
  g_assert_true (place_of (&script, "throttle1").mirror);
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Mirror throttle1");
  hl_script_clear (&script);
}

static void test_align (void) {
  HlScript script;
  HlPlacement at[3];

  hl_script_init (&script, NULL);
  place (&script, "throttle", 0, 0);
  place (&script, "throttle", 14, 6);
  place (&script, "throttle", 40, 2);
  g_assert_false (hl_command_can (script.tool, "align-middle-y"));
  hl_command_select_all (script.tool);
  g_assert_true (hl_command_can (script.tool, "align-middle-y"));
  g_assert_true (hl_command_do (script.tool, "align-middle-y", NULL));
  for (int i = 0; i < 3; i++) {
    g_autofree char *id = g_strdup_printf ("throttle%d", i + 1);
    at[i] = place_of (&script, id);
    g_assert_cmpfloat (at[i].y, ==, 0);
  }
  g_assert_true (hl_command_do (script.tool, "distribute-x", NULL));
  g_assert_cmpfloat (place_of (&script, "throttle2").x, ==, 20);
  g_assert_true (hl_command_do (script.tool, "align-right", NULL));
  for (int i = 0; i < 3; i++) {
    g_autofree char *id = g_strdup_printf ("throttle%d", i + 1);
    g_assert_cmpfloat (place_of (&script, id).x, ==, 40);
  }
  g_assert_cmpint (script.n_commits, ==, 3 + 3);
  hl_script_clear (&script);
}

static void test_delete (void) {
  HlScript script;

  three_throttles (&script);
  hl_script_drag (&script, 0, -2, 10, -2);
  hl_script_drag (&script, 20, -2, 10, -2);
  hl_script_edit (
      &script,
      hl_edit_set (hl_script_document (&script), "line1", "volume", hl_value_new_number (2e-4), NULL),
      "Set volume");
  /* the piece that was clicked, not the whole line */
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (&script));
  const HlLayoutRoute *route = &sheet->layout->routes[0];
  HlSpot on = {0, 0};
  for (int w = 0; w < route->n_wires; w++)
    for (int i = 1; i < route->wires[w].n; i++) {
      HlSpot a = route->wires[w].points[i - 1], b = route->wires[w].points[i];
      if (a.y == b.y && MIN (a.x, b.x) >= 10)
        on = (HlSpot){0.5 * (a.x + b.x), a.y};
    }
  g_assert_cmpfloat (on.x, >, 10);
  hl_script_click (&script, on.x, on.y);
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_DELETE), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (&script, "throttle3.B"), ==, NULL);
  g_assert_cmpstr (line_of (&script, "throttle1.B"), ==, "line1");
  double volume;
  g_assert_true (hl_document_get_number (hl_script_document (&script), "line1.volume", &volume, NULL, NULL));
  g_assert_cmpfloat (volume, ==, 2e-4);
  hl_script_assert_sound (&script);
  /* a symbol; its line keeps the rest, with an open end that a new symbol takes up */
  hl_script_click (&script, 10, 0);
  g_assert_cmpint (hl_script_key (&script, HL_TOOL_KEY_DELETE), ==, HL_TOOL_COMMIT);
  g_assert_cmpstr (line_of (&script, "throttle1.B"), ==, "line1");
  place (&script, "pipe", 10, 0);
  g_assert_cmpstr (line_of (&script, "pipe1.B"), ==, "line1");
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

static void test_segment (void) {
  HlScript script;

  three_throttles (&script);
  hl_script_drag (&script, 0, -2, 10, -2);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (hl_script_document (&script));
  double y = sheet->layout->routes[0].wires[0].points[1].y;
  g_assert_cmpint (hl_script_drag (&script, 5, y, 5.7, y - 6.2), ==, HL_TOOL_COMMIT);
  g_autoptr (HlCircuitSheet) after = hl_circuit_sheet_new (hl_script_document (&script));
  g_assert_cmpfloat (after->layout->routes[0].wires[0].points[1].y, ==, y - 6);
  g_assert_true (after->is_drawn[0]);
  g_assert_cmpstr (hl_history_undo_name (script.history), ==, "Move line line1");
  hl_script_clear (&script);
}

static void test_copy_paste (void) {
  g_autoptr (HlDocument) document = hl_script_load ("four-bar.hydrolink");
  HlScript script, other;

  hl_script_init (&script, document);
  hl_tool_select (script.tool, (const char *const[]){"dcv", "throttle", NULL});
  g_autofree char *text = hl_command_copy (script.tool);
  g_assert_nonnull (text);
  HlSpot at = {60, 60};
  g_assert_true (hl_command_paste (script.tool, text, &(const HlPasteTarget){&at, NULL}, NULL));
  g_assert_nonnull (hl_document_find (hl_script_document (&script), "dcv2", NULL, NULL));
  g_assert_nonnull (hl_document_find (hl_script_document (&script), "throttle2", NULL, NULL));
  g_assert_cmpstr (line_of (&script, "dcv2.A"), ==, line_of (&script, "throttle2.A"));
  g_assert_cmpstr (line_of (&script, "dcv2.A"), !=, line_of (&script, "dcv.A"));
  g_assert_cmpstr (line_of (&script, "dcv2.B"), ==, NULL); /* the cylinder did not come along */
  g_assert_true (hl_tool_is_selected (script.tool, "dcv2"));
  g_assert_cmpfloat (place_of (&script, "dcv2").x, >, 40);
  hl_script_assert_sound (&script);
  hl_script_undo (&script);
  g_assert_true (hl_document_equal (document, hl_script_document (&script)));
  /* into another window */
  hl_script_init (&other, NULL);
  g_assert_true (hl_command_paste (other.tool, text, &(const HlPasteTarget){NULL, NULL}, NULL));
  g_assert_cmpint (hl_document_n_elements (hl_script_document (&other), HL_SECTION_COMPONENTS), ==, 2);
  hl_script_assert_sound (&other);
  g_assert_false (
      hl_command_paste (other.tool, "{\"bodies\": []}", &(const HlPasteTarget){NULL, NULL}, NULL));
  g_assert_false (hl_command_paste (other.tool, "hello", &(const HlPasteTarget){NULL, NULL}, NULL));
  g_assert_true (hl_command_do (other.tool, "duplicate", NULL));
  g_assert_cmpint (hl_document_n_elements (hl_script_document (&other), HL_SECTION_COMPONENTS), ==, 4);
  hl_script_assert_sound (&other);
  hl_script_clear (&other);
  hl_script_clear (&script);
}

static HlRect body_of (HlScript *script, const char *id) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (hl_script_document (script));
  const HlDraftSymbol *symbol = hl_circuit_draft_symbol (draft, id);
  return hl_shape_placed_body (symbol->kind, &symbol->place);
}

static gboolean holds (HlRect view, HlRect box) {
  return box.x >= view.x && box.y >= view.y && box.x + box.width <= view.x + view.width &&
         box.y + box.height <= view.y + view.height;
}

/* Copies that are pasted without a spot cover neither the original nor each other and come in sight, also when the
 * original is not. */
static void test_paste_beside (void) {
  g_autoptr (HlDocument) document = hl_script_load ("four-bar.hydrolink");
  HlScript script;

  hl_script_init (&script, document);
  hl_tool_select (script.tool, (const char *const[]){"throttle", NULL});
  g_autofree char *text = hl_command_copy (script.tool);
  HlRect body = body_of (&script, "throttle");
  HlRect near = hl_rect_grow (body, 60), far = {body.x + 500, body.y, 80, 60};
  HlPasteTarget beside = {NULL, &near}, elsewhere = {NULL, &far};

  g_assert_true (hl_command_paste (script.tool, text, &beside, NULL));
  g_assert_true (hl_command_paste (script.tool, text, &beside, NULL));
  const char *const ids[] = {"throttle", "throttle2", "throttle3"};
  g_assert_cmpfloat (body_of (&script, "throttle").x, ==, body.x);
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++) {
    g_assert_true (holds (near, body_of (&script, ids[i])));
    for (gsize k = 0; k < i; k++)
      g_assert_false (hl_rect_overlaps (body_of (&script, ids[i]), body_of (&script, ids[k])));
  }
  g_assert_true (hl_command_paste (script.tool, text, &elsewhere, NULL));
  g_assert_true (holds (far, body_of (&script, "throttle4")));
  hl_script_clear (&script);
}

/* Tests that Escape after every event of every gesture restores the document. */
static void test_escape (void) {
  static const struct {
    const char *tool, *argument;
    HlSpot events[6]; /* press, moves, release */
    int n;
  } gestures[] = {
      {"select", NULL, {{0.4, 0.2}, {3, 3}, {9, 9}, {9, 9}}, 4},   /* move */
      {"select", NULL, {{0, -2}, {3, -7}, {10, -2}, {10, -2}}, 4}, /* connect */
      {"select", NULL, {{-9, -9}, {3, 3}, {30, 9}, {30, 9}}, 4},   /* band */
      {"place", "tank", {{3, 20}, {5, 25}, {5, 25}}, 3},
      {"place", NULL, {{3, 20}, {5, 25}, {5, 25}}, 3},
      {"connect", NULL, {{0, 2}, {0, 2}, {6, 12}, {20, 2}}, 4},
  };
  HlScript script;

  three_throttles (&script);
  hl_script_drag (&script, 0, -2, 10, -2);
  g_autoptr (HlDocument) before = hl_document_ref (hl_script_document (&script));
  int commits = script.n_commits;
  for (gsize g = 0; g < G_N_ELEMENTS (gestures); g++)
    for (int until = 0; until < gestures[g].n - 1; until++) {
      hl_script_choose (&script, gestures[g].tool, gestures[g].argument);
      for (int i = 0; i <= until; i++) {
        if (i == 0)
          hl_script_press (&script, gestures[g].events[0].x, gestures[g].events[0].y);
        else
          hl_script_move (&script, gestures[g].events[i].x, gestures[g].events[i].y);
      }
      hl_script_key (&script, HL_TOOL_KEY_ESCAPE);
      hl_script_release (&script, gestures[g].events[until].x, gestures[g].events[until].y);
      g_assert_true (hl_script_document (&script) == before ||
                     hl_document_equal (hl_script_document (&script), before));
      g_assert_true (hl_document_equal (hl_tool_document (script.tool), before));
      g_assert_cmpstr (hl_tool_id (script.tool), ==, "select");
      g_assert_cmpint (script.n_commits, ==, commits);
    }
  hl_script_clear (&script);
}

/* Tests that a gesture is dropped when something else changes the document. */
static void test_interrupted (void) {
  HlScript script;

  three_throttles (&script);
  hl_script_press (&script, 0.4, 0.2);
  hl_script_move (&script, 6, 6);
  g_assert_false (hl_document_equal (hl_tool_document (script.tool), hl_script_document (&script)));
  hl_script_undo (&script);
  g_assert_true (hl_document_equal (hl_tool_document (script.tool), hl_script_document (&script)));
  int commits = script.n_commits;
  hl_script_move (&script, 9, 9);
  hl_script_release (&script, 9, 9);
  g_assert_cmpint (script.n_commits, ==, commits);
  hl_script_redo (&script);
  hl_script_assert_sound (&script);
  hl_script_clear (&script);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-circuit/place", test_place);
  g_test_add_func ("/tool-circuit/place-typed", test_place_typed);
  g_test_add_func ("/tool-circuit/connect-drag", test_connect_drag);
  g_test_add_func ("/tool-circuit/connect-clicks", test_connect_clicks);
  g_test_add_func ("/tool-circuit/merge-warning", test_merge_warning);
  g_test_add_func ("/tool-circuit/move", test_move);
  g_test_add_func ("/tool-circuit/guides", test_guides);
  g_test_add_func ("/tool-circuit/rotate-mirror", test_rotate_mirror);
  g_test_add_func ("/tool-circuit/align", test_align);
  g_test_add_func ("/tool-circuit/delete", test_delete);
  g_test_add_func ("/tool-circuit/segment", test_segment);
  g_test_add_func ("/tool-circuit/copy-paste", test_copy_paste);
  g_test_add_func ("/tool-circuit/paste-lands-beside-and-in-view", test_paste_beside);
  g_test_add_func ("/tool-circuit/escape", test_escape);
  g_test_add_func ("/tool-circuit/interrupted", test_interrupted);
  return g_test_run ();
}
