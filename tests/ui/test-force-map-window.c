/* SPDX-License-Identifier: MIT */
/* The window of force and velocity maps on a workbench of its own: it follows the run and the drawing,
 * and has maps of what turns. */
#include "core/edit/hl-edit.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/workbench/hl-model-worker.h"
#include "ui/study/hl-force-map-window.h"

#include <string.h>

#define SKIPPED 77

static gboolean has_caption (gpointer window) {
  return strstr (fixture_said (window, "caption"), "any force from") != NULL;
}

static gboolean has_other_caption (gpointer window) {
  return strstr (fixture_said (window, "caption"), "segment") != NULL;
}

/* The map follows the time cursor of the run: shut valves hold, open ones move. */
static void test_force_window (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("metering-arm.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_force_window_new (workbench, parent);

  gtk_window_present (GTK_WINDOW (window));
  hl_runs_start (hl_workbench_runs (workbench));
  fixture_until (has_caption, window);
  hl_runs_set_time (hl_workbench_runs (workbench), 4.5);
  fixture_until (has_other_caption, window);
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

static gboolean is_turning (gpointer window) {
  const char *text = gtk_label_get_text (GTK_LABEL (fixture_child (window, "caption")));
  return g_str_has_prefix (text, "ω = ") && strstr (text, ", M = ") != NULL;
}

/* A motor has a map as well, of torque over speed. */
static void test_force_window_of_motor (void) {
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("hydrostatic-wheel.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_force_window_new (workbench, parent);

  gtk_window_present (GTK_WINDOW (window));
  hl_runs_start (hl_workbench_runs (workbench));
  fixture_until (is_turning, window);
  g_autofree char *table = hl_chart_table (HL_CHART (fixture_child (window, "chart")));
  g_auto (GStrv) lines = g_strsplit (table, "\n", 2);
  g_assert_cmpstr (lines[0], ==, "family,speed [rad/s],torque [N m],pump_pressure [Pa]");
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

/* The map is one of the cylinder, by the rows of the system that it was computed with. */
static gboolean is_of_cylinder (gpointer window) {
  HlWorkbench *workbench = g_object_get_data (window, "bench");
  const HlForceFamily *family = hl_force_chart_family (fixture_child (window, "chart"));
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (workbench));

  return family != NULL && family->n_members > 0 &&
         family->components[0] == hl_working_point_component (at, "cyl");
}

static gboolean is_computed (gpointer window) {
  HlEditing *editing = hl_workbench_editing (g_object_get_data (window, "bench"));
  const HlWorkingPoint *at = hl_editing_point (editing);
  int n = hl_document_n_elements (hl_editing_document (editing), HL_SECTION_COMPONENTS);

  return hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, n - 1) != NULL &&
         hl_system_entity_id (at->system, HL_ENTITY_COMPONENT, n) == NULL;
}

/* An edit moves the rows of the drawing; the system is still the one before for a while. */
static void test_force_window_between (void) {
  static const char *const gone[] = {"rod_suction", NULL};
  g_autoptr (HlWorkbench) workbench = fixture_workbench ("metering-arm.hydrolink");
  HlEditing *editing = hl_workbench_editing (workbench);
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_force_window_new (workbench, parent);

  g_object_set_data (G_OBJECT (window), "bench", workbench);
  gtk_window_present (GTK_WINDOW (window));
  fixture_until (is_of_cylinder, window);
  hl_editing_commit (editing, hl_edit_remove (hl_editing_document (editing), gone, NULL), "Remove", NULL);
  g_assert_false (is_computed (window));
  g_assert_true (is_of_cylinder (window));
  fixture_until (is_computed, window);
  g_assert_true (is_of_cylinder (window));
  hl_editing_undo (editing);
  g_assert_false (is_computed (window));
  g_assert_true (is_of_cylinder (window));
  fixture_until (is_computed, window);
  g_assert_true (is_of_cylinder (window));
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return SKIPPED;
  g_test_add_func ("/force-map-window/follows-the-run", test_force_window);
  g_test_add_func ("/force-map-window/has-a-map-of-a-motor", test_force_window_of_motor);
  g_test_add_func ("/force-map-window/between-an-edit-and-its-system", test_force_window_between);
  return g_test_run ();
}
