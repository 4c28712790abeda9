/* SPDX-License-Identifier: MIT */
/* The circuit canvas under pointer and keys in the real window: looking around, selecting, moving,
 * copying between windows, the menu, what a line says before it is let go, and Escape. */
#include "core/io/hl-json-text.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/edit/tool/hl-hit-test.h"

#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;
static HlCanvas *canvas;

static const HlDocument *document (void) {
  return hl_editing_document (hl_workbench_editing (hl_window_workbench (window)));
}

static void open_example (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  canvas = HL_CANVAS (window_part (window, "circuit_view"));
}

static HlPlacement place_of (const char *id) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document ());
  return hl_circuit_draft_symbol (draft, id)->place;
}

static HlSpot port_of (const char *name) {
  g_autoptr (HlCircuitDraft) draft = hl_circuit_draft_new (document ());
  HlShapePort placed;

  g_assert_true (hl_circuit_draft_port (draft, name, &placed));
  return (HlSpot){placed.x, placed.y};
}

static guint n_selected (void) {
  return g_strv_length ((char **)hl_workbench_selection (hl_window_workbench (window)));
}

static int n_components (void) {
  return hl_document_n_elements (document (), HL_SECTION_COMPONENTS);
}

static gboolean has_components (gconstpointer number) {
  return n_components () == GPOINTER_TO_INT (number);
}

/* --- looking around --- */

static void assert_view (const HlView *view, double scale, double offset_x, double offset_y) {
  hl_assert_near (view->scale, scale, 1e-9, 0);
  hl_assert_near (view->offset_x, offset_x, 0, 1e-2); /* of a pixel */
  hl_assert_near (view->offset_y, offset_y, 0, 1e-2);
}

static void test_look_around (void) {
  open_example ();
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  gtk_widget_grab_focus (GTK_WIDGET (canvas));
  pointer_key ("f");
  const HlView fitted = *hl_canvas_view (canvas);
  const HlView *view = hl_canvas_view (canvas);
  const HlSpot at = {250, 140};

  pointer_to (GTK_WIDGET (canvas), at);
  HlSpot under = hl_view_to_world (view, at);
  pointer_hold_key ("ctrl", TRUE);
  pointer_turn_wheel ("4", "3");
  pointer_hold_key ("ctrl", FALSE);
  hl_assert_near (view->scale, fitted.scale * pow (1.15, 3), 1e-9, 0);
  hl_assert_near (hl_view_to_world (view, at).x, under.x, 0, 0.51 / view->scale);
  hl_assert_near (hl_view_to_world (view, at).y, under.y, 0, 0.51 / view->scale);

  pointer_click (canvas, under.x, under.y); /* the keyboard is here */
  pointer_key ("Escape");
  pointer_key ("plus");
  hl_assert_near (view->scale, fitted.scale * pow (1.15, 3) * 1.25, 1e-9, 0);
  pointer_key ("minus");
  hl_assert_near (view->scale, fitted.scale * pow (1.15, 3), 1e-9, 0);
  pointer_key ("f");
  assert_view (view, fitted.scale, fitted.offset_x, fitted.offset_y);

  /* the middle button, and Space with the first one */
  for (int way = 0; way < 2; way++) {
    HlView start = *view;
    pointer_to (GTK_WIDGET (canvas), at);
    if (way == 1)
      pointer_hold_key ("space", TRUE);
    pointer_press (way == 0 ? "2" : "1");
    pointer_to (GTK_WIDGET (canvas), (HlSpot){at.x + 20, at.y + 12});
    pointer_to (GTK_WIDGET (canvas), (HlSpot){at.x + 40, at.y + 24});
    pointer_release (way == 0 ? "2" : "1");
    if (way == 1)
      pointer_hold_key ("space", FALSE);
    assert_view (view, start.scale, start.offset_x + 40, start.offset_y + 24);
    g_assert_cmpuint (n_selected (), ==, 0);
  }
  /* Space that is let go while the keyboard is elsewhere: no hand stays behind */
  pointer_hold_key ("space", TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "linkage_view")));
  pointer_hold_key ("space", FALSE);
  HlPlacement tank = place_of ("tank");
  pointer_click (canvas, tank.x, tank.y + 1.5); /* beside the reach of its port */
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "tank");
  pointer_key ("0");
  assert_view (view, fitted.scale, fitted.offset_x, fitted.offset_y);
  g_assert_true (hl_document_equal (document (), before));
  pointer_close (window);
}

/* --- selecting --- */

static void test_select (void) {
  open_example ();
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlPlacement tank = place_of ("tank"), cylinder = place_of ("cyl");
  HlRect box = HL_CANVAS_GET_CLASS (canvas)->box (canvas);
  guint everything = (guint)(n_components () + hl_document_n_elements (document (), HL_SECTION_LINES));

  pointer_click (canvas, cylinder.x, cylinder.y);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "cyl");
  pointer_hold_key ("shift", TRUE);
  pointer_click (canvas, tank.x, tank.y + 1.5); /* beside the reach of its port */
  pointer_hold_key ("shift", FALSE);
  g_assert_cmpuint (n_selected (), ==, 2);
  pointer_key ("ctrl+a");
  g_assert_cmpuint (n_selected (), ==, everything);
  pointer_key ("Escape");
  g_assert_cmpuint (n_selected (), ==, 0);
  pointer_drag (canvas, (HlSpot){box.x - 0.5, box.y - 0.5},
                (HlSpot){box.x + box.width + 0.5, box.y + box.height + 0.5});
  g_assert_cmpuint (n_selected (), ==, everything);
  g_assert_true (hl_document_equal (document (), before));
  g_assert_null (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))));
  pointer_close (window);
}

/* --- out of the palette --- */

static GtkWidget *palette_button (const char *name) {
  return pointer_tool (window_part (window, "circuit_palette"), name);
}

/* Places one component by dragging it from the palette, one by two clicks, turned and mirrored in between;
 * Escape before the second click places nothing. */
static void test_place (void) {
  open_example ();
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlRect box = HL_CANVAS_GET_CLASS (canvas)->box (canvas);
  HlSpot free = {2 * round (0.5 * box.x), 2 * round (0.5 * box.y) + 4};
  int n = n_components ();

  pointer_to (palette_button ("Accumulator"), (HlSpot){12, 12});
  pointer_press ("1");
  pointer_to (palette_button ("Accumulator"), (HlSpot){30, 20});
  pointer_move (canvas, free.x - 4, free.y);
  pointer_move (canvas, free.x, free.y);
  pointer_release ("1");
  pointer_until (has_components, GINT_TO_POINTER (n + 1));
  HlPlacement dropped = place_of (hl_workbench_selected (hl_window_workbench (window)));
  /* without a window manager a drop is reported some pixels off */
  hl_assert_near (dropped.x, free.x, 0, 2);
  hl_assert_near (dropped.y, free.y, 0, 2);
  pointer_key ("ctrl+z");
  g_assert_true (hl_document_equal (document (), before));

  for (int round = 0; round < 2; round++) {
    pointer_to (palette_button ("Check valve"), (HlSpot){12, 12});
    pointer_press ("1");
    pointer_release ("1");
    pointer_move (canvas, free.x, free.y);
    pointer_key ("r");
    pointer_key ("m");
    if (round == 0) {
      pointer_key ("Escape");
      g_assert_true (hl_document_equal (document (), before));
      continue;
    }
    pointer_click (canvas, free.x, free.y);
    pointer_until (has_components, GINT_TO_POINTER (n + 1));
    HlPlacement placed = place_of (hl_workbench_selected (hl_window_workbench (window)));
    g_assert_cmpint (placed.rotation, ==, 90);
    g_assert_true (placed.mirror);
    pointer_key ("Escape");
  }
  pointer_close (window);
}

/* --- moving --- */

static void assert_moved (const char *id, HlPlacement from, double dx, double dy) {
  HlPlacement to = place_of (id);
  g_assert_cmpfloat (to.x - from.x, ==, dx);
  g_assert_cmpfloat (to.y - from.y, ==, dy);
}

static void test_move (void) {
  open_example ();
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlPlacement start = place_of ("cyl");

  pointer_drag (canvas, (HlSpot){start.x, start.y}, (HlSpot){start.x + 6.3, start.y - 3.8});
  assert_moved ("cyl", start, 6, -4);
  g_assert_cmpstr (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))), ==,
                   "Move cyl");
  pointer_key ("Left");
  assert_moved ("cyl", start, 4, -4);
  pointer_key ("shift+Down");
  assert_moved ("cyl", start, 4, 6);
  pointer_key ("alt+Right");
  assert_moved ("cyl", start, 5, 6);
  for (int step = 0; step < 4; step++)
    pointer_key ("ctrl+z");
  g_assert_true (hl_document_equal (document (), before));

  /* Escape in the middle of a drag: nothing has happened */
  pointer_move (canvas, start.x, start.y);
  pointer_press ("1");
  pointer_move (canvas, start.x + 4, start.y);
  pointer_move (canvas, start.x + 8, start.y - 6);
  g_assert_true (
      hl_tool_is_busy (hl_tool_bridge_tool (hl_circuit_view_bridge (window_part (window, "circuit_view")))));
  pointer_key ("Escape");
  pointer_release ("1");
  g_assert_true (hl_document_equal (document (), before));
  g_assert_null (hl_editing_undo_name (hl_workbench_editing (hl_window_workbench (window))));
  pointer_close (window);
}

/* --- the clipboard --- */

static void test_between_windows (void) {
  open_example ();
  HlWindow *first = window;
  HlPlacement throttle = place_of ("throttle");

  pointer_click (canvas, throttle.x, throttle.y);
  pointer_key ("ctrl+c");
  window = fixture_open (application, NULL);
  canvas = HL_CANVAS (window_part (window, "circuit_view"));
  pointer_use (window);
  pointer_click (canvas, 2, 2);
  pointer_key ("ctrl+v");
  pointer_until (has_components, GINT_TO_POINTER (1));
  g_assert_nonnull (hl_document_find (document (), "throttle", NULL, NULL));
  pointer_key ("ctrl+d");
  pointer_until (has_components, GINT_TO_POINTER (2));
  pointer_key ("ctrl+x");
  pointer_until (has_components, GINT_TO_POINTER (1));
  pointer_key ("ctrl+v");
  pointer_until (has_components, GINT_TO_POINTER (2));
  pointer_key ("Delete");
  pointer_until (has_components, GINT_TO_POINTER (1));
  pointer_close (window);
  window = first;
  pointer_close (window);
}

/* --- the menu --- */

static gboolean has_open_menu (gconstpointer widget) {
  GtkWidget *menu = fixture_find ((GtkWidget *)widget, GTK_TYPE_POPOVER_MENU);
  return menu != NULL && gtk_widget_get_mapped (menu);
}

static gboolean has_no_menu (gconstpointer widget) {
  return !has_open_menu (widget);
}

static void test_menu (void) {
  open_example ();
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlPlacement throttle = place_of ("throttle");

  pointer_move (canvas, throttle.x, throttle.y);
  pointer_press ("3");
  pointer_release ("3");
  pointer_until (has_open_menu, canvas);
  g_assert_cmpstr (hl_workbench_selected (hl_window_workbench (window)), ==, "throttle");
  pointer_key ("Escape");
  pointer_until (has_no_menu, canvas);
  g_assert_true (hl_document_equal (document (), before));
  pointer_close (window);
}

/* --- lines --- */

/* Returns the text of the first mark of a kind. */
static const char *mark_text (HlToolMarkKind kind) {
  int n;
  const HlToolMark *marks =
      hl_tool_marks (hl_tool_bridge_tool (hl_circuit_view_bridge (window_part (window, "circuit_view"))), &n);

  for (int i = 0; i < n; i++)
    if (marks[i].kind == kind)
      return marks[i].text;
  return "";
}

static const char *warning (void) {
  return mark_text (HL_MARK_WARNING);
}

/* Tests that ports show their names from 12 px on, also while a line is drawn; a line with a free end is
 * shown as loose, and a component that is moved onto the end is connected. */
static void test_loose_end (void) {
  open_example ();
  HlSpot port = port_of ("pump.P");
  HlToolBridge *bridge = hl_circuit_view_bridge (HL_CIRCUIT_VIEW (canvas));
  HlRect box = HL_CANVAS_GET_CLASS (canvas)->box (canvas);
  HlSpot free = {2 * round (0.5 * box.x), 2 * round (0.5 * box.y) + 4};
  HlSpot device = hl_view_to_device (hl_canvas_view (canvas), port);
  const HlPick near = hl_pick_circuit (document (), hl_tool_sheet (hl_tool_bridge_tool (bridge)), port, 0.1);

  g_assert_cmpint (near.kind, ==, HL_PICK_PORT);
  HlShapePort placed =
      hl_circuit_sheet_port (hl_tool_sheet (hl_tool_bridge_tool (bridge)), near.index, near.part);
  HlSpot across = {placed.dir_y, placed.dir_x}; /* beside the port and its line */
  pointer_to (GTK_WIDGET (canvas), (HlSpot){device.x + 11 * across.x, device.y + 11 * across.y});
  g_assert_cmpstr (mark_text (HL_MARK_TEXT), ==, "pump.P");
  pointer_picture ("circuit-port-name.png");
  pointer_to (GTK_WIDGET (canvas), (HlSpot){device.x + 14 * across.x, device.y + 14 * across.y});
  g_assert_cmpstr (mark_text (HL_MARK_TEXT), ==, "");

  g_assert_true (hl_tool_choose (hl_tool_bridge_tool (bridge), "place", "throttle"));
  pointer_click (canvas, free.x, free.y);
  pointer_key ("Escape");
  pointer_settle ();
  const char *id = "throttle1";
  HlSpot from = port_of ("throttle1.B");
  pointer_drag (canvas, from, (HlSpot){from.x - 6, from.y - 4});
  pointer_settle ();
  g_assert_cmpint (hl_document_line_of_port (document (), "throttle1.B"), >=, 0);
  pointer_picture ("circuit-loose-end.png");
  HlPlacement at = place_of (id);
  pointer_drag (canvas, (HlSpot){at.x, at.y}, (HlSpot){at.x + 4, at.y});
  g_assert_cmpint (hl_document_line_of_port (document (), "throttle1.B"), >=, 0);
  pointer_close (window);
}

static void test_merge_is_said (void) {
  open_example ();
  g_autoptr (HlDocument) before = hl_document_ref (document ());
  HlSpot from = port_of ("pump.P"), to = port_of ("tank.T");
  int n_lines = hl_document_n_elements (document (), HL_SECTION_LINES);

  for (int round = 0; round < 2; round++) {
    pointer_move (canvas, from.x, from.y);
    pointer_press ("1");
    pointer_move (canvas, 0.5 * (from.x + to.x), 0.5 * (from.y + to.y));
    g_assert_cmpstr (warning (), ==, "");
    pointer_move (canvas, to.x, to.y);
    g_assert_nonnull (strstr (warning (), "merged into one line"));
    g_assert_nonnull (strstr (warning (), "Pline"));
    g_assert_nonnull (strstr (warning (), "Tline"));
    if (round == 0) {
      pointer_picture ("circuit-merge.png");
      pointer_key ("Escape");
    }
    pointer_release ("1");
    if (round == 0)
      g_assert_true (hl_document_equal (document (), before));
  }
  g_assert_cmpint (hl_document_n_elements (document (), HL_SECTION_LINES), ==, n_lines - 1);
  pointer_key ("ctrl+z");
  g_assert_true (hl_document_equal (document (), before));
  pointer_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/circuit-canvas-pointer/look-around", test_look_around);
  g_test_add_func ("/circuit-canvas-pointer/select", test_select);
  g_test_add_func ("/circuit-canvas-pointer/place", test_place);
  g_test_add_func ("/circuit-canvas-pointer/move", test_move);
  g_test_add_func ("/circuit-canvas-pointer/between-windows", test_between_windows);
  g_test_add_func ("/circuit-canvas-pointer/menu", test_menu);
  g_test_add_func ("/circuit-canvas-pointer/loose-end", test_loose_end);
  g_test_add_func ("/circuit-canvas-pointer/merge-is-said", test_merge_is_said);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
