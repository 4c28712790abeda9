/* SPDX-License-Identifier: MIT */
/* The inspector and the list of problems in the real window. */
#include "app/window/hl-playback-bar.h"
#include "core/edit/hl-edit.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/edit/circuit/hl-circuit-draft.h"
#include "ui/edit/linkage/hl-linkage-edit.h"
#include "ui/inspector/hl-inspector-editors.h"
#include "ui/modes/hl-slider-panel.h"
#include "ui/widget/hl-element-description.h"
#include "ui/widget/hl-number-field.h"

#include <math.h>
#include <string.h>

static HlApplication *application;

/* --- widgets --- */

static const char *shown (HlWindow *window, const char *name) {
  return gtk_editable_get_text (GTK_EDITABLE (fixture_entry_of (fixture_inspector_row (window, name))));
}

static void select_ids (HlWindow *window, const char *const *ids) {
  hl_workbench_select_ids (hl_window_workbench (window), ids);
}

static void undo (HlWindow *window, const HlDocument *before) {
  hl_editing_undo (hl_workbench_editing (hl_window_workbench (window)));
  g_assert_true (hl_document_equal (fixture_document (window), before));
}

/* --- tests --- */

/* Every element of every example has its rows; reading them in every unit changes no bit. */
static void test_rows_of_everything (void) {
  static const char *const examples[] = {"four-bar.hydrolink", "regeneration-arm-ua0.hydrolink",
                                         "articulated-vehicle-tyre.hydrolink", "scissor-lift.hydrolink"};
  int n_fields = 0;

  for (guint k = 0; k < G_N_ELEMENTS (examples); k++) {
    HlWindow *window = fixture_open (application, examples[k]);
    HlWorkbench *workbench = hl_window_workbench (window);
    g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));
    for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
      for (int i = 0; i < hl_document_n_elements (before, section); i++) {
        hl_workbench_select (workbench, hl_document_element_id (before, section, i));
        g_assert_nonnull (gtk_grid_get_child_at (fixture_inspector_grid (window), 0, 0));
        g_autoptr (GPtrArray) fields = g_ptr_array_new ();
        fixture_collect (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_NUMBER_FIELD, fields);
        n_fields += (int)fields->len;
        for (HlQuantity quantity = 0; i == 0 && quantity < HL_N_QUANTITIES; quantity++) {
          int n_units;
          const HlUnit *units = hl_quantity_units (quantity, &n_units);
          for (int unit = n_units; unit-- > 0;) {
            hl_workbench_set_unit (workbench, &units[unit]);
            for (guint f = 0; f < fields->len; f++)
              g_assert_true (hl_number_field_flush (fields->pdata[f]));
          }
        }
      }
    g_assert_true (hl_document_equal (fixture_document (window), before));
    g_assert_null (hl_editing_undo_name (hl_workbench_editing (workbench)));
    fixture_close (window);
  }
  g_assert_cmpint (n_fields, >, 100);
}

static void test_typing (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);

  hl_workbench_select (workbench, "cyl");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Piston diameter", "3 3/8 in")));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "cyl.piston_diameter"), 0.085725, 1e-15);
  /* from now on the field is in inches, until the window's own unit is typed */
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Piston diameter", "85.725 mm")));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "cyl.piston_diameter"), 0.085725, 1e-15);
  /* a comma leads to a question */
  HlNumberField *field = fixture_type_into (window, "Piston diameter", "81,5");
  GtkWidget *entry = fixture_entry_of (GTK_WIDGET (field));
  g_assert_false (hl_number_field_flush (field));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "cyl.piston_diameter"), 0.085725, 1e-15);
  g_assert_nonnull (
      strstr (hl_number_popover_message (entry), "81.5 if the comma is the decimal mark, or 815"));
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  fixture_collect (entry, GTK_TYPE_BUTTON, buttons);
  g_assert_cmpuint (buttons->len, ==, 2);
  g_assert_cmpstr (gtk_button_get_label (buttons->pdata[1]), ==, "815");
  g_signal_emit_by_name (buttons->pdata[0], "clicked");
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "cyl.piston_diameter"), 0.0815, 1e-15);
  g_assert_null (hl_number_popover_message (entry));
  /* what is out of range is refused with the range */
  field = fixture_type_into (window, "Piston diameter", "-3");
  g_assert_false (hl_number_field_flush (field));
  g_assert_nonnull (strstr (hl_number_popover_message (entry), "greater than 0"));
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  hl_workbench_select (workbench, "throttle"); /* the question goes with its row */
  /* a text that is being typed counts when Run is pressed */
  hl_workbench_select (workbench, "cyl");
  GtkWidget *text = fixture_inspector_row (window, "Rod");
  gtk_widget_grab_focus (text);
  gtk_editable_set_text (GTK_EDITABLE (text), "link2.C");
  g_action_group_activate_action (G_ACTION_GROUP (window), "run", NULL);
  g_assert_cmpstr (hl_value_string (hl_value_member (
                       hl_document_find (fixture_document (window), "cyl", NULL, NULL), "rod")),
                   ==, "link2.C");
  fixture_close (window);
}

/* Texts are refreshed where they stand: rows are not made anew by typing, undo, or what changes
 * elsewhere, and what is being typed stays. */
static void test_texts_stay (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  const char *const paths[] = {"cyl.piston_diameter", NULL};

  hl_workbench_select (workbench, "cyl");
  fixture_rebuild ();
  GtkWidget *rod = fixture_inspector_row (window, "Rod");
  gpointer weak = rod;
  g_object_add_weak_pointer (G_OBJECT (rod), &weak);
  g_autofree char *before = g_strdup (gtk_editable_get_text (GTK_EDITABLE (rod)));
  for (int k = 0; k < 3; k++) {
    gtk_editable_set_text (GTK_EDITABLE (rod), k % 2 == 0 ? "link2.C" : "Kübel.φ");
    g_signal_emit_by_name (rod, "activate");
    fixture_draw (window);
    fixture_rebuild ();
  }
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rod)), ==, "link2.C");
  for (int k = 0; k < 3; k++)
    hl_editing_undo (editing);
  fixture_draw (window);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rod)), ==, before);
  gtk_editable_set_text (GTK_EDITABLE (rod), "typing");
  hl_editing_set_numbers (editing, paths, 0.09, NULL, NULL);
  fixture_draw (window);
  fixture_rebuild ();
  g_assert_true (weak == rod && fixture_inspector_row (window, "Rod") == rod);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rod)), ==, "typing");
  g_object_remove_weak_pointer (G_OBJECT (rod), &weak);
  fixture_close (window);
}

/* A cylinder as in a catalogue: the retracted length is one number, its parts are under Advanced. */
static void test_retracted_length (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  double c2 = fixture_number (window, "cyl.c2"), sum = fixture_number (window, "cyl.c1") + c2;

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  g_assert_nonnull (fixture_find_label (GTK_WIDGET (window_part (window, "inspector")), "Advanced"));
  HlNumberField *field = fixture_type_into (window, "Retracted length", "1.5 m");
  g_assert_cmpfloat (fabs (sum - 1.5), >, 1e-6);
  g_assert_true (hl_number_field_flush (field));
  g_assert_cmpfloat (fixture_number (window, "cyl.c2"), ==, c2);
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "cyl.c1") + c2, 1.5, 1e-12);
  fixture_activate (window, "undo");
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "cyl.c1") + c2, sum, 1e-12);
  fixture_until_settled (window);
  fixture_close (window);
}

static void test_menu (void) {
  static const char *const opening[] = {"throttle.Cd", NULL}, *const angle[] = {"link2.angle", NULL},
                           *const force[] = {"cyl.force", NULL}, *const mass[] = {"link3.mass", NULL};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));
  g_autoptr (GError) error = NULL;

  /* range and default, in the unit shown */
  const HlKind *kind = hl_schema_find_kind (HL_SECTION_COMPONENTS, "tank");
  hl_workbench_set_unit (workbench, hl_unit_find (HL_QUANTITY_PRESSURE, "bar"));
  g_autofree char *range =
      hl_inspector_range_text (workbench, hl_kind_find_field (kind, "pressure"), HL_QUANTITY_PRESSURE);
  g_assert_cmpstr (range, ==, "0 bar or more; default: 1 bar");

  g_assert_true (hl_inspector_reset (editing, opening, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (fixture_number (window, "throttle.Cd"), ==, 0.6);
  g_assert_cmpstr (hl_editing_undo_name (editing), ==, "Reset discharge coefficient of throttle");
  undo (window, before);
  g_assert_true (hl_slider_add (workbench, "throttle.Cd", &error));
  g_assert_cmpint (hl_document_n_sliders (fixture_document (window)), ==, 5);
  undo (window, before);
  g_assert_true (hl_inspector_put_in_set (editing, opening, "Overdamped", &error));
  g_assert_true (hl_inspector_put_in_set (editing, opening, "Other", &error));
  g_assert_cmpint (hl_document_n_sets (fixture_document (window)), ==, 4);
  const HlValue *values = hl_value_member (
      hl_document_element (fixture_document (window), HL_SECTION_PARAMETER_SETS, 0), "values");
  g_assert_cmpfloat (hl_value_number (hl_value_member (values, "throttle.Cd")), ==, 0.8);
  hl_editing_undo (editing);
  undo (window, before);
  /* an output of a run and a number of the file */
  g_assert_true (hl_inspector_plot (editing, force, &error));
  g_assert_cmpstr (hl_document_element_id (fixture_document (window), HL_SECTION_PROBES, 4), ==, "cyl_force");
  fixture_until_settled (window);
  undo (window, before);
  g_assert_true (hl_inspector_plot (editing, angle, &error));
  g_assert_cmpint (hl_document_n_probes (fixture_document (window)), ==, 5);
  undo (window, before);
  /* the mass of a drawn body follows its length again */
  g_assert_true (hl_linkage_follows_density (fixture_document (window), "link3"));
  g_assert_true (hl_editing_set_numbers (editing, mass, 20, NULL, &error));
  g_assert_false (hl_linkage_follows_density (fixture_document (window), "link3"));
  g_assert_true (hl_inspector_reset (editing, mass, &error));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "link3.mass"), 8, 1e-12);
  fixture_close (window);
}

/* With stated plots a new trace goes beside its like, or into a plot of its own. */
static void test_plot_in_stated_plots (void) {
  static const char *const force[] = {"cyl.force", NULL}, *const pressure[] = {"V1.pressure", NULL};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  static const char *const keys[] = {"traces"};
  HlValue *id = hl_value_new_string ("p2");
  HlValue *traces = hl_value_new_array_take (&id, 1);

  hl_editing_commit (editing,
                     hl_edit_insert_entry (fixture_document (window), HL_SECTION_PLOTS, 0,
                                           hl_value_new_object_take (keys, &traces, 1), NULL),
                     "Plot", NULL);
  g_assert_true (hl_inspector_plot (editing, pressure, NULL));
  g_assert_true (hl_inspector_plot (editing, force, NULL));
  g_assert_true (hl_inspector_plot (editing, pressure, NULL)); /* once is enough */
  const HlValue *plots = hl_value_member (hl_document_root (fixture_document (window)), "plots");
  g_assert_cmpuint (hl_value_length (plots), ==, 2);
  g_assert_cmpstr (hl_value_string (hl_value_at (plots, "0.traces.1")), ==, "p1");
  g_assert_cmpstr (hl_value_string (hl_value_at (plots, "1.traces.0")), ==, "cyl_force");
  g_assert_cmpuint (hl_value_length (hl_value_at (plots, "0.traces")), ==, 2);
  fixture_close (window);
}

static void test_several (void) {
  static const char *const lines[] = {"V1", "V2", "V3", NULL};
  static const char *const mixed[] = {"throttle", "dcv", NULL};
  static const char *const bodies[] = {"link2", "link4", NULL};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));

  select_ids (window, lines);
  g_assert_nonnull (fixture_inspector_row (window, "Hose volume"));
  g_assert_null (fixture_inspector_row (window, "Ports")); /* what ties one line is not common */
  g_assert_cmpstr (shown (window, "Hose volume"), ==, "");
  g_assert_cmpstr (gtk_entry_get_placeholder_text (
                       GTK_ENTRY (fixture_entry_of (fixture_inspector_row (window, "Hose volume")))),
                   ==, "several");
  g_assert_cmpstr (shown (window, "Wall modulus"), ==, "150");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Hose volume", "0.06 L")));
  for (int i = 0; lines[i] != NULL; i++) {
    g_autofree char *path = g_strconcat (lines[i], ".volume", NULL);
    g_assert_cmpfloat_with_epsilon (fixture_number (window, path), 60e-6, 1e-18);
  }
  g_assert_cmpstr (shown (window, "Hose volume"), ==, "0.06"); /* in the litres of its own */
  undo (window, before);
  /* leaving the field untouched writes nothing */
  select_ids (window, lines);
  g_assert_true (hl_number_field_flush (HL_NUMBER_FIELD (fixture_inspector_row (window, "Hose volume"))));
  g_assert_true (hl_document_equal (fixture_document (window), before));
  /* different kinds: what they share */
  select_ids (window, mixed);
  g_assert_nonnull (fixture_inspector_row (window, "Laminar limit"));
  g_assert_null (fixture_inspector_row (window, "Diameter"));
  g_assert_null (fixture_inspector_row (window, "Time constant"));
  /* bodies: lengths, with the linkage closed */
  select_ids (window, bodies);
  g_assert_nonnull (fixture_inspector_row (window, "Mass"));
  g_assert_null (fixture_inspector_row (window, "Point C x"));
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Mass per length", "2 kg/m")));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "link2.mass"), 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "link4.mass"), 10, 1e-12);
  undo (window, before);
  /* of several kinds one can be kept */
  select_ids (window, (const char *const[]){"V1", "cyl", "V2", NULL});
  GtkWidget *only = fixture_inspector_row (window, "Line × 2");
  g_assert_nonnull (only);
  g_assert_nonnull (fixture_inspector_row (window, "Cylinder × 1"));
  g_signal_emit_by_name (only, "clicked");
  g_assert_cmpstr (hl_workbench_selection (workbench)[0], ==, "V1");
  g_assert_cmpstr (hl_workbench_selection (workbench)[1], ==, "V2");
  g_assert_null (hl_workbench_selection (workbench)[2]);
  g_assert_null (fixture_inspector_row (window, "Line × 2"));
  /* a flag or a choice of several */
  select_ids (window, (const char *const[]){"V1", "cyl", NULL});
  g_assert_nonnull (fixture_inspector_row (window, "Wall modulus"));
  hl_workbench_select (workbench, NULL);
  fixture_close (window);
}

static void test_body (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));

  hl_workbench_select (workbench, "link3");
  g_assert_cmpstr (shown (window, "Length"), ==, "8000");
  g_assert_cmpstr (shown (window, "Mass per length"), ==, "1");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Length", "8.2 m")));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "link3.mass"), 8.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "link3.inertia"), 8.2 * 8.2 * 8.2 / 12, 1e-10);
  undo (window, before);
  /* a length that cannot be is refused; nothing changes */
  hl_workbench_select (workbench, "link3");
  HlNumberField *field = fixture_type_into (window, "Length", "80 m");
  g_assert_false (hl_number_field_flush (field));
  g_assert_nonnull (strstr (hl_number_popover_message (fixture_entry_of (GTK_WIDGET (field))), "assembled"));
  g_assert_true (hl_document_equal (fixture_document (window), before));
  hl_workbench_select (workbench, NULL);
  /* a number is refused in the unit that it was typed in: that of the field, or its own */
  static const char *const typed[][2] = {{"-500", "cannot be -500 MPa; allowed: at least 0 MPa"},
                                         {"-3 bar", "cannot be -3 bar; allowed: at least 0 bar"}};
  for (gsize k = 0; k < G_N_ELEMENTS (typed); k++) {
    hl_workbench_select (workbench, "V1");
    field = fixture_type_into (window, "Pressure", typed[k][0]);
    g_assert_false (hl_number_field_flush (field));
    g_assert_nonnull (
        strstr (hl_number_popover_message (fixture_entry_of (GTK_WIDGET (field))), typed[k][1]));
    hl_workbench_select (workbench, NULL);
  }
  /* a coordinate: the mass follows; a typed mass does not */
  hl_workbench_select (workbench, "link3");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Point D x", "4.1 m")));
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "link3.mass"), 8.1, 1e-12);
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Mass", "9")));
  fixture_until_settled (window);
  g_assert_cmpstr (shown (window, "Mass per length"), ==, "");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Point D x", "4 m")));
  g_assert_cmpfloat (fixture_number (window, "link3.mass"), ==, 9);
  /* a point goes with what hangs on it */
  static const char *const point[] = {"link2.points.C.x", NULL};
  g_autoptr (HlDocument) whole = hl_document_ref (fixture_document (window));
  g_assert_true (hl_inspector_remove_point (hl_workbench_editing (workbench), point, NULL));
  g_assert_null (hl_document_find (fixture_document (window), "jC", NULL, NULL));
  g_assert_nonnull (hl_document_find (fixture_document (window), "link2", NULL, NULL));
  undo (window, whole);
  fixture_close (window);
}

static void test_problems (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  g_autoptr (HlDocument) broken = hl_document_new (hl_value_with_at (
      hl_document_root (fixture_document (window)), "lines.2.volume", hl_value_new_number (0)));

  hl_editing_commit (editing, hl_document_ref (broken), "Break", NULL);
  fixture_until_settled (window);
  g_assert_cmpint (hl_problems_count (window_part (window, "problems")), ==, 1);
  hl_problems_open (window_part (window, "problems"));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_autoptr (GPtrArray) lists = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window_part (window, "problems")), GTK_TYPE_LIST_BOX, lists);
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (lists->pdata[0], 0);
  g_signal_emit_by_name (lists->pdata[0], "row-activated", first);
  g_assert_cmpstr (hl_workbench_selected (workbench), ==, "V1");
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (first), GTK_TYPE_BUTTON, buttons);
  g_assert_cmpuint (buttons->len, ==, 1);
  g_assert_cmpstr (gtk_button_get_label (buttons->pdata[0]), ==, "Give the line a volume of 50 cm³");
  /* the element has the same message with the same correction */
  g_autofree char *tip = hl_element_text (workbench, "V1");
  g_assert_nonnull (strstr (tip, "has no volume"));
  g_autofree char *probed = hl_element_text (workbench, "V2"); /* what the person calls it */
  g_assert_nonnull (strstr (probed, "(p₂)"));
  g_autoptr (GPtrArray) mends = g_ptr_array_new ();
  fixture_collect (GTK_WIDGET (window_part (window, "inspector")), GTK_TYPE_BUTTON, mends);
  GtkWidget *mend = NULL;
  for (guint i = 0; i < mends->len; i++)
    if (gtk_widget_has_css_class (mends->pdata[i], "mend"))
      mend = mends->pdata[i];
  g_assert_true (mend != NULL && gtk_widget_get_visible (mend));
  g_signal_emit_by_name (mend, "clicked");
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "V1.volume"), 50e-6, 1e-18);
  fixture_until_settled (window);
  g_assert_false (gtk_widget_get_visible (mend));
  undo (window, broken);
  fixture_until_settled (window);
  first = gtk_list_box_get_row_at_index (lists->pdata[0], 0);
  g_ptr_array_set_size (buttons, 0);
  fixture_collect (GTK_WIDGET (first), GTK_TYPE_BUTTON, buttons);
  g_signal_emit_by_name (buttons->pdata[0], "clicked");
  g_assert_cmpfloat_with_epsilon (fixture_number (window, "V1.volume"), 50e-6, 1e-18);
  g_assert_cmpstr (hl_editing_undo_name (editing), ==, "Give the line a volume of 50 cm³");
  fixture_until_settled (window);
  g_assert_cmpint (hl_problems_count (window_part (window, "problems")), ==, 0);
  undo (window, broken);
  fixture_close (window);
}

/* A signal over time: made another kind, typed as a table, its numbers as rows. */
static void test_signal (void) {
  static const char *const command[] = {"dcv.command", NULL};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));

  hl_workbench_select (workbench, "M2");
  g_assert_cmpstr (shown (window, "Times [s], values [N·m]"), ==, "0 0; 1 250; 1.5 250; 1.5 0");
  GtkWidget *entry = fixture_inspector_row (window, "Times [s], values [N·m]");
  gtk_widget_grab_focus (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "0 0; 2 0.3 kN·m; 1 5");
  hl_inspector_flush (GTK_ROOT (window));
  g_assert_true (gtk_widget_has_css_class (entry, "error")); /* the times fall */
  g_assert_true (hl_document_equal (fixture_document (window), before));
  gtk_editable_set_text (GTK_EDITABLE (entry), "0 0; 2 0.3 kN·m; 3 5");
  g_action_group_activate_action (G_ACTION_GROUP (window), "run", NULL);
  const HlValue *signal =
      hl_value_member (hl_document_find (fixture_document (window), "M2", NULL, NULL), "signal");
  g_assert_cmpfloat (hl_value_number (hl_value_at (signal, "y.1")), ==, 300);
  g_assert_cmpstr (hl_value_string (hl_value_member (signal, "between")), ==, "line");
  fixture_until_settled (window);
  undo (window, before);
  hl_workbench_select (workbench, "dcv");
  g_assert_true (hl_inspector_signal_kind (editing, command, "sine", NULL));
  fixture_until_settled (window);
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Amplitude", "0.4")));
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Frequency", "120 1/min")));
  g_assert_cmpfloat (fixture_number (window, "dcv.command.amplitude"), ==, 0.4);
  g_assert_cmpfloat (fixture_number (window, "dcv.command.frequency_hz"), ==, 2);
  g_assert_true (hl_inspector_signal_kind (editing, command, "table", NULL));
  g_assert_true (hl_inspector_signal_kind (editing, command, "lever", NULL));
  g_assert_true (hl_inspector_signal_kind (editing, command, "constant", NULL));
  g_assert_cmpfloat (fixture_number (window, "dcv.command"), ==, 0);
  fixture_until_settled (window);
  g_assert_null (hl_findings_first_error (hl_editing_findings (editing)));
  fixture_close (window);
}

/* The place of a symbol on paper: typed, turned, mirrored; the same for several at once. */
static void test_symbol (void) {
  static const char *const both[] = {"pump", "tank", NULL};
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  g_autoptr (HlDocument) before = hl_document_ref (fixture_document (window));
  HlPlacement place;

  hl_workbench_select (workbench, "dcv");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Position x", "60")));
  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "dcv", &place));
  g_assert_cmpfloat (place.x, ==, 60);
  g_assert_cmpstr (hl_editing_undo_name (editing), ==, "Set dcv.x");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (fixture_inspector_row (window, "Rotated")), 1);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (fixture_inspector_row (window, "Mirrored")), TRUE);
  g_assert_true (hl_circuit_symbol_place (fixture_document (window), "dcv", &place));
  g_assert_cmpint (place.rotation, ==, 90);
  g_assert_true (place.mirror);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (fixture_inspector_row (window, "Rotated"))),
                    ==, 1);
  for (int step = 0; step < 2; step++)
    hl_editing_undo (editing);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (fixture_inspector_row (window, "Rotated"))),
                    ==, 0);
  undo (window, before);
  select_ids (window, both);
  g_assert_null (fixture_inspector_row (window, "Rotated"));
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Position y", "80")));
  for (int k = 0; k < 2; k++) {
    g_assert_true (hl_circuit_symbol_place (fixture_document (window), both[k], &place));
    g_assert_cmpfloat (place.y, ==, 80);
  }
  undo (window, before);
  hl_workbench_select (workbench, "link2");
  g_assert_null (fixture_inspector_row (window, "Position x"));
  fixture_close (window);
}

/* A bar that falls has no equilibrium: the mends let it fall, or pin it. */
static void test_free_body (void) {
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, NULL));
  HlWorkbench *workbench = hl_window_workbench (window);
  HlEditing *editing = hl_workbench_editing (workbench);
  HlLinkageEnd a = {.at = {0, 0}}, b = {.at = {2, 1}};
  g_autoptr (HlDocument) empty = hl_document_new_empty ();
  HlDocument *bar = hl_linkage_add_link (empty, &a, &b, NULL, NULL);

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  hl_editing_set_document (editing, hl_document_ref (bar));
  fixture_until_settled (window);
  const HlFindings *findings = hl_editing_findings (editing);
  const HlFinding *error = hl_findings_first_error (findings);
  g_assert_nonnull (error);
  g_assert_cmpstr (error->fix.label, ==, "Start the run from the values of the file");
  hl_editing_commit (editing, hl_edit_apply_fix (fixture_document (window), &error->fix, NULL), "Mend", NULL);
  fixture_until_settled (window);
  g_assert_null (hl_findings_first_error (hl_editing_findings (editing)));
  hl_editing_undo (editing);
  fixture_until_settled (window);
  const HlFinding *loose = NULL;
  findings = hl_editing_findings (editing);
  for (int i = 0; i < hl_findings_n (findings); i++)
    if (hl_findings_get (findings, i)->fix.type == HL_FIX_PIN)
      loose = hl_findings_get (findings, i);
  g_assert_nonnull (loose);
  hl_editing_commit (editing, hl_edit_apply_fix (fixture_document (window), &loose->fix, NULL), "Pin", NULL);
  fixture_until_settled (window);
  g_assert_null (hl_findings_first_error (hl_editing_findings (editing)));
  hl_document_unref (bar);
  fixture_close (window);
}

/* The text below a row: what the oil at hand has to say of it; NULL: nothing. */
static const char *note_below (HlWindow *window, const char *name) {
  GtkGrid *grid = fixture_inspector_grid (window);

  for (int line = 0; gtk_grid_get_child_at (grid, 0, line) != NULL; line++) {
    GtkWidget *label = gtk_grid_get_child_at (grid, 0, line);
    if (!GTK_IS_LABEL (label) || strcmp (gtk_label_get_text (GTK_LABEL (label)), name) != 0)
      continue;
    GtkWidget *below = gtk_grid_get_child_at (grid, 0, line + 1);
    return below != NULL && gtk_widget_has_css_class (below, "caption")
               ? gtk_label_get_text (GTK_LABEL (below))
               : NULL;
  }
  return NULL;
}

/* A number that the oil does not read says so, and no longer does when the oil is another one. */
static void test_idle (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  const char *cylinder[] = {"cyl", NULL};

  select_ids (window, cylinder);
  g_assert_cmpstr (note_below (window, "Virtual stiffness"), ==, "Not used by the lumped model");
  g_assert_cmpstr (note_below (window, "Wall modulus"), ==, NULL);
  HlDocument *hybrid =
      hl_edit_set (fixture_document (window), "simulation", "model", hl_value_new_string ("hybrid"), NULL);
  g_assert_nonnull (hybrid);
  hl_editing_commit (hl_workbench_editing (hl_window_workbench (window)), hybrid, "Hybrid", NULL);
  g_assert_cmpstr (note_below (window, "Virtual stiffness"), ==, "Not used by the hybrid model");
  g_assert_cmpstr (note_below (window, "Wall modulus"), ==, "Not used by the hybrid model");
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/inspector/retracted-length", test_retracted_length);
  g_test_add_func ("/inspector/rows-of-everything", test_rows_of_everything);
  g_test_add_func ("/inspector/typing", test_typing);
  g_test_add_func ("/inspector/texts-stay", test_texts_stay);
  g_test_add_func ("/inspector/says-what-the-oil-does-not-read", test_idle);
  g_test_add_func ("/inspector/menu", test_menu);
  g_test_add_func ("/inspector/stated-plots", test_plot_in_stated_plots);
  g_test_add_func ("/inspector/several", test_several);
  g_test_add_func ("/inspector/body", test_body);
  g_test_add_func ("/inspector/problems", test_problems);
  g_test_add_func ("/inspector/signal", test_signal);
  g_test_add_func ("/inspector/symbol", test_symbol);
  g_test_add_func ("/inspector/free-body", test_free_body);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
