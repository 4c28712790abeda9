/* SPDX-License-Identifier: MIT */
/* Catalogue values in the inspector. */
#include "ui/widget/hl-number-field.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <math.h>

static HlApplication *application;

/* An opening by the nominal flow of a catalogue; a cylinder of a size that can be bought. */
static void test_catalogue (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlWorkbench *workbench = hl_window_workbench (window);
  double Cd = fixture_number (window, "throttle.Cd"), density = fixture_number (window, "fluid.density");

  hl_workbench_select (workbench, "throttle");
  g_assert_true (hl_number_field_flush (fixture_type_into (window, "Flow at 1 MPa", "20 L/min at 35 bar")));
  /* Q = Cd pi d^2/4 sqrt (2 dp/rho) */
  double d = fixture_number (window, "throttle.diameter");
  g_assert_cmpfloat_with_epsilon (Cd * G_PI / 4.0 * d * d * sqrt (2.0 * 35e5 / density), 20.0 / 60e3, 1e-15);
  HlNumberField *field = fixture_type_into (window, "Flow at 1 MPa", "-4");
  g_assert_false (hl_number_field_flush (field));
  g_assert_cmpfloat (fixture_number (window, "throttle.diameter"), ==, d);
  hl_workbench_select (workbench, "cyl");
  GtkWidget *row = fixture_inspector_row (window, "Piston diameter");
  GtkGrid *grid = GTK_GRID (gtk_widget_get_parent (row));
  int line = 0;
  while (gtk_grid_get_child_at (grid, 1, line) != row)
    line++;
  GtkWidget *menu = gtk_grid_get_child_at (grid, 2, line);
  gtk_menu_button_popup (GTK_MENU_BUTTON (menu));
  gtk_widget_activate_action (menu, "row.size", "d", 0.063);
  g_assert_cmpfloat (fixture_number (window, "cyl.piston_diameter"), ==, 0.063);
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/inspector-catalogue/openings-and-bores", test_catalogue);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
