/* SPDX-License-Identifier: MIT */
/* The window of frequency and step responses, on a workbench of its own. */
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/study/hl-linear-response-window.h"

#include <string.h>

static gboolean has_locus (gpointer workbench) {
  return hl_locus_study_sensitivity (hl_workbench_locus (workbench)) != NULL;
}

static HlWorkbench *open_example (const char *name) {
  HlWorkbench *workbench = fixture_workbench (name);

  fixture_until (has_locus, workbench);
  return workbench;
}

static gboolean has_response (gpointer window) {
  return strstr (fixture_said (window, "caption"), "feedback") != NULL;
}

static void test_response_window (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("four-bar.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_response_window_new (workbench, parent);

  gtk_window_present (GTK_WINDOW (window));
  fixture_until (has_response, window);
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

/* Whatever is chosen, the window stays as wide as it is. */
static void test_response_choices (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("position-servo.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_response_window_new (workbench, parent);
  int width = 0, natural;

  gtk_window_present (GTK_WINDOW (window));
  fixture_until (has_response, window);
  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &width, &natural, NULL, NULL);
  const char *const picks[] = {"pick_view", "pick_output", "pick_input"};
  for (gsize list = 0; list < G_N_ELEMENTS (picks); list++) {
    GtkDropDown *pick = GTK_DROP_DOWN (fixture_child (window, picks[list]));
    guint n = g_list_model_get_n_items (gtk_drop_down_get_model (pick));
    for (guint k = 0; k < n; k++) {
      int least;
      gtk_drop_down_set_selected (pick, k);
      gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
      g_assert_cmpint (least, ==, width);
    }
    gtk_drop_down_set_selected (pick, list == 0 ? 2 : 0);
  }
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

/* The controller of the servo integrates: a force leaves no error. */
static gboolean rests_at_zero (gpointer window) {
  return strcmp (fixture_said (window, "caption"), "Steady-state value: 0 mm") == 0;
}

static gboolean rests_at_a_metre (gpointer window) {
  return strcmp (fixture_said (window, "caption"), "Steady-state value: 1000 mm") == 0;
}

static void test_response_returns_to_zero (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("position-servo.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_response_window_new (workbench, parent);
  GtkDropDown *inputs = GTK_DROP_DOWN (fixture_child (window, "pick_input"));
  GtkDropDown *outputs = GTK_DROP_DOWN (fixture_child (window, "pick_output"));

  gtk_window_present (GTK_WINDOW (window));
  fixture_until (has_response, window);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (fixture_child (window, "pick_view")), 2);
  gtk_drop_down_set_selected (inputs, 0);
  gtk_drop_down_set_selected (outputs, 0);
  fixture_until (rests_at_zero, window);
  gtk_drop_down_set_selected (inputs, 1); /* the requested form */
  fixture_until (rests_at_a_metre, window);
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

static gboolean tells_of_the_loop (gpointer window) {
  const char *text = fixture_said (window, "caption");
  return strstr (text, "Open loop at this signal") != NULL && strstr (text, "11.5 dB") != NULL &&
         strstr (text, "75.38°") != NULL && strstr (text, "The closed loop is stable") != NULL;
}

static gboolean tells_of_half_the_margin (gpointer window) {
  return strstr (fixture_said (window, "caption"), "5.481 dB") != NULL;
}

/* The last entry of the inputs cuts the loop of the controller, and needs no output: 3.7592 = 11.50
 * dB and 1.3157 = 75.38 degrees are those of the transfer function by hand (core/feedback). */
static void test_response_of_loop (void) {
  g_autoptr (HlWorkbench) workbench = open_example ("position-servo.hydrolink");
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  GtkWidget *window = hl_response_window_new (workbench, parent);
  GtkDropDown *pick = GTK_DROP_DOWN (fixture_child (window, "pick_input"));

  gtk_window_present (GTK_WINDOW (window));
  fixture_until (has_response, window);
  guint n = g_list_model_get_n_items (gtk_drop_down_get_model (pick));
  gtk_drop_down_set_selected (pick, n - 1);
  fixture_until (tells_of_the_loop, window);
  g_assert_false (gtk_widget_get_sensitive (fixture_child (window, "pick_output")));
  /* the gain is read as every number is: twice as much takes 6.02 dB; what is none is marked */
  GtkWidget *gain = fixture_child (window, "gain");
  gtk_editable_set_text (GTK_EDITABLE (gain), "4/2");
  fixture_until (tells_of_half_the_margin, window);
  g_assert_false (gtk_widget_has_css_class (gain, "error"));
  gtk_editable_set_text (GTK_EDITABLE (gain), "much");
  fixture_until (tells_of_the_loop, window);
  g_assert_true (gtk_widget_has_css_class (gain, "error"));
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (parent);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/response-window/opens", test_response_window);
  g_test_add_func ("/response-window/keeps-its-width", test_response_choices);
  g_test_add_func ("/response-window/a-step-that-returns-to-zero-says-so", test_response_returns_to_zero);
  g_test_add_func ("/response-window/of-a-loop", test_response_of_loop);
  return g_test_run ();
}
