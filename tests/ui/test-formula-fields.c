/* SPDX-License-Identifier: MIT */
/* Arithmetic in the fields of the window and the list of named parameters, by pointer and keys. */
#include "app/window/hl-application.h"
#include "core/document/hl-named-parameters.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/inspector/hl-inspector.h"
#include "ui/widget/hl-number-field.h"

#include <string.h>

static HlApplication *application;
static HlWindow *window;

static HlEditing *editing (void) {
  return hl_workbench_editing (hl_window_workbench (window));
}

static GtkWidget *field (const char *element, const char *name) {
  hl_workbench_select (hl_window_workbench (window), element);
  fixture_rebuild ();
  return fixture_entry_of (fixture_inspector_row (window, name));
}

static void type_into (GtkWidget *entry, const char *text) {
  pointer_click_on (entry);
  pointer_key ("ctrl+a");
  pointer_enter (text);
}

/* The entry below the list; the list itself. */
static GtkWidget *list_of_parameters (GtkWidget **add) {
  hl_workbench_select (hl_window_workbench (window), NULL);
  fixture_rebuild ();
  GtkWidget *list = fixture_find (GTK_WIDGET (window_part (window, "inspector")), HL_TYPE_PARAMETER_LIST);
  g_assert_nonnull (list);
  *add = gtk_widget_get_next_sibling (gtk_widget_get_first_child (list));
  g_assert_true (GTK_IS_ENTRY (*add));
  return list;
}

static const char *text_in (GtkWidget *entry) {
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

static void test_fields (void) {
  GtkWidget *add;

  window = pointer_open (application, "four-bar.hydrolink");
  g_assert_cmpstr (hl_workbench_units (hl_window_workbench (window))[HL_QUANTITY_LENGTH]->name, ==, "mm");
  list_of_parameters (&add);
  type_into (add, "bore = 80 mm");
  g_assert_cmpfloat (fixture_number (window, "bore"), ==, 0.08);
  list_of_parameters (&add);
  type_into (add, "odd = boree*2"); /* says so, and adds nothing */
  g_assert_true (gtk_widget_has_css_class (add, "error"));
  g_assert_null (hl_document_parameter (fixture_document (window), "odd"));

  GtkWidget *entry = field ("cyl", "Rod diameter");
  type_into (entry, "2*17.5");
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.035, 1e-15, 0);
  type_into (entry, "bore*3/8");
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.03, 1e-15, 0);
  g_assert_cmpstr (text_in (entry), ==, "bore*3/8");
  type_into (entry, "bore+2 bar"); /* the last good one stays */
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  g_assert_cmpstr (text_in (entry), ==, "bore+2 bar");
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.03, 1e-15, 0);
  pointer_key ("Escape");
  g_assert_cmpstr (text_in (entry), ==, "bore*3/8");

  /* dependents follow, and undo takes it back */
  GtkWidget *list = list_of_parameters (&add);
  GtkWidget *grid = gtk_widget_get_first_child (list);
  type_into (gtk_grid_get_child_at (GTK_GRID (grid), 1, 0), "100 mm");
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.0375, 1e-15, 0);
  type_into (gtk_grid_get_child_at (GTK_GRID (grid), 0, 0), "D");
  g_assert_cmpstr (hl_document_typed (fixture_document (window), "cyl.rod_diameter"), ==, "D*3/8");
  list = list_of_parameters (&add);
  grid = gtk_widget_get_first_child (list);
  pointer_click_on (gtk_grid_get_child_at (GTK_GRID (grid), 3, 0)); /* remove: it is used */
  g_assert_nonnull (hl_document_parameter (fixture_document (window), "D"));
  GtkWidget *message = gtk_widget_get_last_child (list);
  g_assert_true (gtk_widget_get_visible (message));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (message)), "cyl.rod_diameter"));
  pointer_picture ("formula-fields.png");
  hl_editing_undo (editing ());
  hl_editing_undo (editing ());
  hl_assert_near (fixture_number (window, "cyl.rod_diameter"), 0.03, 1e-15, 0);
  g_assert_cmpfloat (fixture_number (window, "bore"), ==, 0.08);
  pointer_close (window);
}

/* The unit that a person types is that of the property from then on, and stands in the file. */
static void test_own_unit (void) {
  window = pointer_open (application, "four-bar.hydrolink");
  GtkWidget *entry = field ("pump", "Pressure");
  double before = fixture_number (window, "pump.pressure");
  g_assert_null (hl_document_typed (fixture_document (window), "pump.pressure"));
  type_into (entry, "75 bar");
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, 7.5e6);
  g_assert_cmpstr (hl_document_typed (fixture_document (window), "pump.pressure"), ==, "75 bar");
  g_assert_cmpstr (text_in (entry), ==, "75");
  type_into (entry, "80.5");
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, 8.05e6);
  g_assert_cmpstr (hl_document_typed (fixture_document (window), "pump.pressure"), ==, "80.5 bar");
  entry = field ("pump", "Pressure"); /* shown anew, it is the same */
  g_assert_cmpstr (text_in (entry), ==, "80.5");
  type_into (entry, "7.5 MPa"); /* that of the window: a number */
  g_assert_null (hl_document_typed (fixture_document (window), "pump.pressure"));
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, 7.5e6);
  g_assert_cmpstr (text_in (entry), ==, "7.5");

  /* by the menu of the unit; undo takes it back */
  GtkWidget *number = gtk_widget_get_ancestor (entry, HL_TYPE_NUMBER_FIELD);
  g_assert_true (gtk_widget_activate_action (number, "number.own-unit", "s", "psi"));
  const char *typed = hl_document_typed (fixture_document (window), "pump.pressure");
  g_assert_nonnull (typed);
  g_assert_true (g_str_has_suffix (typed, " psi"));
  hl_assert_near (fixture_number (window, "pump.pressure"), 7.5e6, 0, 1e-15);
  g_assert_true (gtk_widget_activate_action (number, "number.own-unit", "s", "MPa"));
  g_assert_null (hl_document_typed (fixture_document (window), "pump.pressure"));
  for (int step = 0; step < 5; step++)
    hl_editing_undo (editing ());
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, before);
  pointer_close (window);
}

static void test_german (void) {
  char *folder = NULL;

  if (!hl_language_begin (&folder)) {
    g_test_skip ("no German here");
    return;
  }
  window = pointer_open (application, "four-bar.hydrolink");
  GtkWidget *entry = field ("pump", "Druck");
  type_into (entry, "2,5*3 MPa");
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, 7.5e6);
  type_into (entry, "72,5 bar");
  g_assert_cmpstr (hl_document_typed (fixture_document (window), "pump.pressure"), ==, "72.5 bar");
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, 7.25e6);
  type_into (entry, "max(7,5 MPa; 60 bar)");
  g_assert_cmpfloat (fixture_number (window, "pump.pressure"), ==, 7.5e6);
  g_assert_cmpstr (hl_document_typed (fixture_document (window), "pump.pressure"), ==,
                   "max(7.5 MPa, 60 bar)");
  g_assert_cmpstr (text_in (entry), ==, "max(7.5 MPa; 60 bar)");
  pointer_close (window);
  hl_language_end (folder);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/formula-fields/typed-evaluated-refused", test_fields);
  g_test_add_func ("/formula-fields/unit-of-its-own", test_own_unit);
  g_test_add_func ("/formula-fields/decimal-comma", test_german);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
