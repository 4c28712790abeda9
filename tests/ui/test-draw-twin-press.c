/* SPDX-License-Identifier: MIT */
/* A slider-crank press with two cylinders on one pump, one of them over a counterbalance valve, drawn by
 * pointer and keys in German in a small dark window. Wires keep clear of symbols and take no detours, hints are beside
 * the target, and a number has the same text everywhere. HL_PICTURES_DIR keeps pictures on the way. */
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-edit.h"
#include "core/io/hl-json-text.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "ui/workbench/hl-lever-driven-run.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/paint/circuit/hl-document-circuit-layout.h"
#include "ui/widget/hl-element-description.h"

#include <math.h>
#include <string.h>

#define CRANK 0.5 /* [m] */
#define COUPLER 1.6
#define CRANK_ANGLE (50 * G_PI / 180)

static HlApplication *application;
static HlWindow *window;

/* --- drawing --- */

static void draw_linkage (void) {
  HlCanvas *canvas = HL_CANVAS (window_part (window, "linkage_view"));
  HlSpot pin = {CRANK * cos (CRANK_ANGLE), CRANK * sin (CRANK_ANGLE)};
  double slider = pin.x + sqrt (COUPLER * COUPLER - pin.y * pin.y);

  pointer_take_up (window_part (window, "linkage_palette"), "Ground pivot");
  pointer_enter ("0; 0");
  pointer_enter ("3; 0");
  pointer_enter ("0,3; -1,1");
  pointer_key ("Escape");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_enter ("0; 0");
  pointer_enter ("0,5 m < 50");
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_picture ("twin-1-crank.png");
  pointer_take_up (window_part (window, "linkage_palette"), "Link");
  pointer_click (canvas, pin.x, pin.y);
  g_autofree char *at = g_strdup_printf ("%.12g; 0", slider);
  g_strdelimit (at, ".", ',');
  pointer_enter (at);
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_picture ("twin-2-coupler.png");
  pointer_take_up (window_part (window, "linkage_palette"), "Slot");
  pointer_click (canvas, 3, 0);
  pointer_picture ("twin-3-slot.png");
  pointer_click (canvas, slider, 0);
  pointer_key ("Escape");
  pointer_settle ();
  pointer_picture ("twin-4-slider.png");
  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  pointer_click (canvas, 3, 0);
  pointer_click (canvas, slider, 0);
  pointer_key ("Escape");
  pointer_take_up (window_part (window, "linkage_palette"), "Cylinder");
  pointer_click (canvas, 0.3, -1.1);
  pointer_click (canvas, pin.x, pin.y);
  pointer_key ("Escape");
  pointer_key ("f");
  pointer_settle ();
  pointer_picture ("twin-5-cylinders.png");
}

static void draw_circuit (void) {
  HlPlacement at;

  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "cyl1", &at));
  double x = at.x, y = at.y;
  pointer_move (HL_CANVAS (window_part (window, "circuit_view")), x + 10, y + 5);
  pointer_turn_wheel ("5", "5");
  pointer_place ("Counterbalance valve", x - 2, y + 9);
  pointer_place ("Directional valve", x + 2, y + 18);
  pointer_place ("Directional valve", x + 24, y + 14);
  pointer_place ("Flow source", x + 8, y + 30);
  pointer_place ("Relief valve", x + 20, y + 28);
  pointer_place ("Tank", x + 2, y + 38);
  gtk_widget_grab_focus (GTK_WIDGET (window_part (window, "circuit_view")));
  pointer_key ("f");
  pointer_picture ("twin-6-placed.png");
  pointer_wire ("pump1.P", "valve1.P");
  pointer_wire ("pump1.P", "valve2.P");
  pointer_wire ("relief1.A", "pump1.P");
  pointer_wire ("valve1.T", "tank1.T");
  pointer_wire ("valve2.T", "tank1.T");
  pointer_wire ("relief1.T", "tank1.T");
  pointer_wire ("valve1.A", "cbv1.B");
  pointer_wire ("cbv1.A", "cyl1.A");
  pointer_wire ("valve1.B", "cyl1.B");
  pointer_wire ("cbv1.X", "cyl1.B");
  pointer_wire ("valve2.A", "cyl2.A");
  pointer_wire ("valve2.B", "cyl2.B");
  pointer_settle ();
  pointer_picture ("twin-7-wired.png");
  if (g_getenv ("HL_PICTURES_DIR") != NULL) {
    g_autofree char *path = g_build_filename (g_getenv ("HL_PICTURES_DIR"), "twin.hydrolink", NULL);
    g_assert_true (hl_document_save (fixture_document (window), path, NULL));
  }
}

/* --- what is looked at --- */

#define WITHIN 0.5 /* [M] so far within its edge is within a symbol */

static void assert_wires_are_clear (void) {
  const HlDocument *document = fixture_document (window);
  g_autoptr (HlCircuitSheet) sheet = hl_circuit_sheet_new (document);

  for (int line = 0; line < sheet->n_lines; line++)
    for (int w = 0; w < sheet->layout->routes[line].n_wires; w++)
      for (int i = 1; i < sheet->layout->routes[line].wires[w].n; i++)
        for (int c = 0; c < sheet->n_components; c++) {
          const HlSpot *p = &sheet->layout->routes[line].wires[w].points[i];
          HlPlacement at = hl_circuit_sheet_place_of (sheet, c);
          HlRect body = hl_rect_grow (hl_shape_placed_body (sheet->kinds[c], &at), -WITHIN);
          if (hl_rect_meets_segment (body, p[-1], p[0]))
            g_error ("%s runs through %s", hl_document_element_id (document, HL_SECTION_LINES, line),
                     hl_document_element_id (document, HL_SECTION_COMPONENTS, c));
        }
}

static GtkWidget *find_class (GtkWidget *root, const char *css) {
  if (gtk_widget_has_css_class (root, css) && gtk_widget_get_mapped (root))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_class (child, css);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* Corrects a line without the volume of a hose by one click; the offered text is completely visible. */
static void mend (const char *id) {
  hl_editing_commit (fixture_editing (window),
                     hl_edit_set (fixture_document (window), id, "volume", NULL, NULL), "No volume", NULL);
  pointer_settle ();
  g_assert_nonnull (hl_findings_first_error (hl_editing_findings (fixture_editing (window))));
  hl_workbench_select (hl_window_workbench (window), id);
  fixture_rebuild ();
  fixture_draw (window);
  GtkWidget *button = find_class (GTK_WIDGET (window_part (window, "inspector")), "mend");
  g_assert_nonnull (button);
  GtkLabel *label = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button)));
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (label)));
  pointer_picture ("twin-mend.png");
  pointer_click_on (button);
  pointer_settle ();
}

static char *without_hyphens (const char *text) {
  g_auto (GStrv) parts = g_strsplit (text, "\u00AD", -1);
  return g_strjoinv ("", parts);
}

/* Checks that every number of a tooltip is in the inspector too, by the same name, with the same digits. */
static void compare_numbers (const char *id) {
  g_autofree char *text = hl_element_text (hl_window_workbench (window), id);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  int n = 0;

  hl_workbench_select (hl_window_workbench (window), id);
  fixture_rebuild ();
  fixture_draw (window);
  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_LABEL, labels);
  for (int line = 0; lines[line] != NULL; line++) {
    const char *gap = strstr (lines[line], "  ");
    gboolean found = FALSE;
    if (line == 0 || gap == NULL)
      continue; /* its name; the time; what is wrong */
    g_autofree char *words = g_strndup (lines[line], (gsize)(gap - lines[line]));
    for (guint k = 0; k + 1 < labels->len && !found; k++) {
      g_autofree char *name = without_hyphens (gtk_label_get_text (labels->pdata[k]));
      found = strcmp (name, words) == 0 && strcmp (gtk_label_get_text (labels->pdata[k + 1]), gap + 2) == 0;
    }
    if (!found)
      g_error ("the tooltip of %s says “%s”, the inspector does not", id, lines[line]);
    n++;
  }
  g_assert_cmpint (n, >, 0);
}

static gboolean has_driven (gconstpointer data) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (window)));
  return run != NULL && run->is_driven && run->t_end > 0.5;
}

static gboolean has_stopped (gconstpointer data) {
  return !hl_manual_run_is_under_way (hl_workbench_manual_run (hl_window_workbench (window)));
}

static void assert_not_cut (GtkWidget *root) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_LABEL, labels);
  for (guint k = 0; k < labels->len; k++)
    if (gtk_widget_get_mapped (labels->pdata[k]) &&
        pango_layout_is_ellipsized (gtk_label_get_layout (labels->pdata[k])))
      g_error ("“%s” is cut", gtk_label_get_text (labels->pdata[k]));
}

/* Tests an interactive run: no hints over the machine, for any selection; the offer to save is beside
 * complete words. */
static void drive (void) {
  hl_workbench_select (hl_window_workbench (window), "cyl2");
  pointer_key ("F6");
  pointer_until (has_driven, NULL);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "linkage_status"))));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window_part (window, "circuit_status"))));
  pointer_picture ("twin-8-driving.png");
  pointer_key ("F6");
  pointer_until (has_stopped, NULL);
  pointer_settle ();
  fixture_draw (window);
  pointer_picture ("twin-9-driven.png");
  assert_not_cut (fixture_child (window_part (window, "lever_panel"), "state"));
  assert_not_cut (fixture_child (window_part (window, "lever_panel"), "keep"));
}

static void test_press (void) {
  static const char *const ids[] = {"link1", "cyl1", "cyl2", "cbv1", "valve1", "line4", NULL};

  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  window = pointer_open (application, NULL);
  draw_linkage ();
  draw_circuit ();
  assert_wires_are_clear ();
  mend ("line1");
  const HlFinding *error = hl_findings_first_error (hl_editing_findings (fixture_editing (window)));
  g_assert_null (error);
  pointer_key ("F5");
  pointer_settle ();
  for (int k = 0; k < 3; k++) {
    hl_runs_set_time (hl_workbench_runs (hl_window_workbench (window)), 0.3 * k);
    for (int i = 0; ids[i] != NULL; i++)
      compare_numbers (ids[i]);
  }
  pointer_picture ("twin-7-run.png");
  drive ();
  pointer_close (window);
}

int main (int argc, char **argv) {
  char *folder = NULL;
  int status = FIXTURE_SKIPPED;

  g_setenv ("HL_WINDOW_DARK", "1", TRUE);
  if (hl_language_begin (&folder))
    application = fixture_begin (&argc, &argv);
  if (application != NULL && pointer_exists ()) {
    g_test_add_func ("/draw-twin-press/drawn-run-and-driven", test_press);
    status = g_test_run ();
    g_object_unref (application);
  }
  hl_language_end (folder);
  return status;
}
