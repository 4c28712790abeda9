/* SPDX-License-Identifier: MIT */
/* A scissor table on one cylinder, with a pump, a pilot-operated check valve and an accumulator, drawn by
 * pointer and keys in German in the smallest window. HL_PICTURES_DIR keeps pictures on the way. */
#include "core/edit/hl-edit.h"
#include "core/edit/hl-document-check.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/edit/circuit/hl-circuit-draft.h"

#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static void draw_arms (void) {
  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_enter ("0; 0");
  pointer_enter ("2; 0");
  pointer_enter ("0,3; -0,15");
  pointer_key ("Escape");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("1,6; 0,9");
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("1,6; 0");
  pointer_enter ("0; 0,9");
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_settle ();
  pointer_picture ("scissor-01-arms.png");
}

static void pair (const char *name, HlSpot a, HlSpot b) {
  pointer_take_up (window_part (window, "linkage_palette"), name);
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), a.x, a.y);
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), b.x, b.y);
  pointer_key ("Escape");
  pointer_settle ();
}

static void draw_table (void) {
  draw_arms ();
  pair ("Slot", (HlSpot){2, 0}, (HlSpot){1.6, 0});
  pair ("Revolute joint", (HlSpot){0.8, 0.45}, (HlSpot){0.8, 0.45});
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_click (HL_CANVAS (window_part (window, "linkage_view")), 0, 0.9);
  pointer_enter ("1,9; 0,9");
  pointer_key ("Escape");
  pair ("Slot", (HlSpot){1.9, 0.9}, (HlSpot){1.6, 0.9});
  pair ("Cylinder", (HlSpot){0.3, -0.15}, (HlSpot){1.2, 0.675});
  pointer_key ("f");
  pointer_settle ();
  pointer_picture ("scissor-04-table.png");
}

static void draw_circuit (void) {
  HlPlacement at;

  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "cyl1", &at));
  double x = at.x, y = at.y;
  pointer_move (HL_CANVAS (window_part (window, "circuit_view")), x, y);
  pointer_turn_wheel ("5", "9");
  pointer_place ("Pilot-operated check valve", x - 3, y + 8);
  pointer_place ("Accumulator", x + 12, y + 18);
  pointer_place ("Directional valve", x + 1, y + 16);
  pointer_place ("Flow source", x - 5, y + 26);
  pointer_place ("Relief valve", x + 9, y + 25);
  pointer_place ("Tank", x + 2, y + 32);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  pointer_key ("f");
  pointer_picture ("scissor-05-placed.png");
  pointer_wire ("pump1.P", "valve1.P");
  pointer_wire ("relief1.A", "pump1.P");
  pointer_wire ("accumulator1.A", "pump1.P");
  pointer_wire ("valve1.T", "tank1.T");
  pointer_wire ("relief1.T", "tank1.T");
  pointer_wire ("valve1.A", "lock1.A");
  pointer_wire ("lock1.B", "cyl1.A");
  pointer_wire ("valve1.B", "cyl1.B");
  pointer_wire ("lock1.X", "cyl1.B");
  pointer_settle ();
  pointer_picture ("scissor-06-wired.png");
}

static const char *of_joint (const char *id, const char *member) {
  return hl_value_string (
      hl_value_member (hl_document_find (fixture_document (window), id, NULL, NULL), member));
}

/* Bars that cross are pinned by two clicks on the crossing: the point lies on both axes, so that neither
 * mass changes, and a second pin at the same spot is refused. */
static void test_crossing (void) {
  double before[2], after[2];

  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  window = pointer_open (application, NULL);
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
  draw_arms ();
  before[0] = fixture_number (window, "link1.mass");
  before[1] = fixture_number (window, "link2.mass");
  int n = hl_document_n_elements (fixture_document (window), HL_SECTION_JOINTS);
  pointer_take_up (window_part (window, "linkage_palette"), "Revolute joint");
  pointer_click (canvas, 0.81, 0.46);
  pointer_picture ("scissor-03-pin.png");
  pointer_click (canvas, 0.81, 0.46);
  pointer_settle ();
  g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_JOINTS), ==, n + 1);
  g_assert_true (g_str_has_prefix (of_joint ("joint2", "a"), "link1."));
  g_assert_true (g_str_has_prefix (of_joint ("joint2", "b"), "link2."));
  after[0] = fixture_number (window, "link1.mass");
  after[1] = fixture_number (window, "link2.mass");
  for (int k = 0; k < 2; k++)
    hl_assert_near (after[k], before[k], 1e-12, 0);
  pointer_click (canvas, 0.8, 0.45);
  pointer_click (canvas, 0.8, 0.45);
  pointer_key ("Escape");
  g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_JOINTS), ==, n + 1);
  pointer_close (window);
}

static const char *first_error (void) {
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));

  return error != NULL ? error->id : NULL;
}

/* Takes the oil of the hoses out of all lines. */
static void empty_lines (void) {
  g_autoptr (HlDocument) document = hl_document_ref (fixture_document (window));

  for (int line = 0; line < hl_document_n_elements (document, HL_SECTION_LINES); line++) {
    HlDocument *next = hl_edit_set (document, hl_document_element_id (document, HL_SECTION_LINES, line),
                                    "volume", NULL, NULL);
    hl_document_unref (document);
    document = next;
  }
  hl_editing_commit (fixture_editing (window), hl_document_ref (document), "No volume", NULL);
  pointer_settle ();
}

/* Tests that the whole machine has one degree of freedom, and that one click corrects a line without oil
 * between two valves. */
static void test_table (void) {
  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  window = pointer_open (application, NULL);
  draw_table ();
  draw_circuit ();
  g_assert_cmpstr (first_error (), ==, NULL); /* a drawn line holds oil */
  empty_lines ();
  for (int n = 0; n < 2; n++) { /* between the valves, and before the pump */
    g_assert_nonnull (first_error ());
    hl_workbench_select (hl_window_workbench (window), first_error ());
    fixture_rebuild ();
    fixture_draw (window);
    /* the poses of the bodies are plotted by themselves: they are those of the linkage without its oil */
    g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (window_part (window, "plot_pane")), "earlier"));
    pointer_picture (n == 0 ? "scissor-07-no-oil.png" : "scissor-07-no-oil-2.png");
    pointer_click_on (fixture_child (window_part (window, "inspector"), "mend"));
    pointer_settle ();
  }
  g_assert_cmpstr (first_error (), ==, NULL);
  g_assert_nonnull (strstr (gtk_label_get_text (window_part (window, "linkage_caption")), "1 Freiheitsgrad"));
  pointer_picture ("scissor-07-mended.png");
  pointer_key ("F5");
  pointer_settle ();
  pointer_picture ("scissor-08-run.png");
  pointer_key ("ctrl+2");
  pointer_settle ();
  pointer_picture ("scissor-09-locus.png");
  pointer_close (window);
}

int main (int argc, char **argv) {
  char *folder = NULL;
  int status = FIXTURE_SKIPPED;

  if (hl_language_begin (&folder))
    application = fixture_begin (&argc, &argv);
  if (application != NULL && pointer_exists ()) {
    g_test_add_func ("/scissor/crossing", test_crossing);
    g_test_add_func ("/scissor/table", test_table);
    status = g_test_run ();
    g_object_unref (application);
  }
  hl_language_end (folder);
  return status;
}
