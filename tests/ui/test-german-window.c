/* SPDX-License-Identifier: MIT */
/* The window in another language with a decimal comma: words are translated, those of the schema as
 * well; every number that is shown has a decimal comma, and typed ones may have either sign; files and
 * the clipboard have points. */
#include "core/io/hl-json-text.h"
#include "app/window/hl-window-private.h"
#include "tests/support/hl-german-locale.h"
#include "tests/support/hl-test.h"
#include "tests/ui/window-fixture.h"
#include "ui/widget/hl-lever-panel.h"
#include "ui/widget/hl-number-field.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#define MOST_SIDE 320 /* px: largest width of the side pane */

static HlApplication *application;

/* --- texts on show --- */

/* Without the soft hyphens at which narrow labels break. */
static char *without_hyphens (const char *text) {
  g_auto (GStrv) parts = g_strsplit (text, "\u00ad", -1);
  return g_strjoinv ("", parts);
}

static void collect_texts (GtkWidget *widget, GPtrArray *texts) {
  if (GTK_IS_LABEL (widget))
    g_ptr_array_add (texts, without_hyphens (gtk_label_get_text (GTK_LABEL (widget))));
  if (GTK_IS_EDITABLE (widget))
    g_ptr_array_add (texts, g_strdup (gtk_editable_get_text (GTK_EDITABLE (widget))));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_texts (child, texts);
}

static gboolean shows (HlWindow *window, const char *wanted) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  collect_texts (GTK_WIDGET (window), texts);
  for (guint i = 0; i < texts->len; i++)
    if (strcmp (texts->pdata[i], wanted) == 0)
      return TRUE;
  return FALSE;
}

static void check_commas (HlWindow *window) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  int n_commas = 0;

  collect_texts (GTK_WIDGET (window), texts);
  for (guint i = 0; i < texts->len; i++) {
    if (g_regex_match_simple ("[0-9]\\.[0-9]", texts->pdata[i], 0, 0))
      g_error ("a decimal point in “%s”", (const char *)texts->pdata[i]);
    n_commas += g_regex_match_simple ("[0-9],[0-9]", texts->pdata[i], 0, 0);
  }
  g_assert_cmpint (n_commas, >, 8);
}

static void test_numbers (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  g_assert_cmpstr (localeconv ()->decimal_point, ==, ".");
  g_action_group_change_action_state (G_ACTION_GROUP (window), "outline", g_variant_new_boolean (TRUE));
  hl_runs_set_time (hl_workbench_runs (hl_window_workbench (window)), 1.25);
  fixture_draw (window);
  check_commas (window);
  hl_workbench_select (hl_window_workbench (window), "dcv");
  fixture_draw (window);
  check_commas (window);
  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  fixture_until_settled (window);
  fixture_draw (window);
  check_commas (window);
  fixture_close (window);
}

/* Both signs are read in a field, a formula keeps its meaning, and the file and the clipboard have points. */
static void test_typed (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  static const char *const typed[][2] = {
      {"82,5", "82,5"}, {"81.5", "81,5"}, {"min (82,5 mm; 90 mm)", "min (82,5 mm; 90 mm)"}};
  static const double read[] = {0.0825, 0.0815, 0.0825};

  g_autofree char *name = hl_syllables_break ("Kolbendurchmesser");

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_rebuild ();
  for (gsize k = 0; k < G_N_ELEMENTS (typed); k++) {
    HlNumberField *field = fixture_type_into (window, name, typed[k][0]);
    g_assert_true (hl_number_field_flush (field));
    hl_assert_near (fixture_number (window, "cyl.piston_diameter"), read[k], 1e-12, 0);
    g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (fixture_entry_of (GTK_WIDGET (field)))), ==,
                     typed[k][1]);
  }
  const HlDocument *document = hl_editing_document (hl_workbench_editing (hl_window_workbench (window)));
  g_autofree char *file = hl_document_to_text (document);
  g_assert_nonnull (strstr (file, "min (82.5 mm, 90 mm)"));
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (hl_window_workbench (window)));
  g_autofree char *table = hl_eigen_text_table (at->linearization);
  g_assert_false (g_regex_match_simple ("[0-9],[0-9]", table, 0, 0));
  g_assert_true (g_regex_match_simple ("[0-9]\\.[0-9]", table, 0, 0));
  fixture_close (window);
}

static void test_spin_buttons (void) {
  static const char *const typed[] = {"2,5", "2.5", " 2,50 "};
  GtkSpinButton *button =
      g_object_ref_sink (GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (-10, 10, 0.01)));
  GtkScale *scale =
      g_object_ref_sink (GTK_SCALE (gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.01)));

  for (gsize k = 0; k < G_N_ELEMENTS (typed); k++) {
    gtk_spin_button_set_value (button, -1.25);
    g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (button)), ==, "-1,25");
    gtk_editable_set_text (GTK_EDITABLE (button), typed[k]);
    gtk_spin_button_update (button);
    g_assert_cmpfloat (gtk_spin_button_get_value (button), ==, 2.5);
    g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (button)), ==, "2,50");
  }
  gtk_editable_set_text (GTK_EDITABLE (button), "2,5,1");
  gtk_spin_button_update (button);
  g_assert_cmpfloat (gtk_spin_button_get_value (button), ==, 2.5);
  g_autofree char *beside = hl_scale_number_text (scale, 0.25, NULL);
  g_assert_cmpstr (beside, ==, "0,25");
  g_object_unref (button);
  g_object_unref (scale);
}

static void test_words (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  hl_workbench_select (hl_window_workbench (window), "cyl");
  fixture_draw (window);
  g_assert_true (shows (window, "Kolbendurchmesser")); /* out of the schema */
  g_assert_false (shows (window, "Piston diameter"));
  g_assert_true (shows (window, "Wurzelortskurve")); /* out of a .ui file */
  fixture_close (window);
}

/* The problems list is German, and so are the correction, the canvas and the choices. */
static void test_problems (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  const HlDocument *document = hl_editing_document (hl_workbench_editing (hl_window_workbench (window)));
  int index;

  g_assert_nonnull (hl_document_find (document, "cyl", NULL, &index));
  g_autofree char *place = g_strdup_printf ("components.%d.stroke", index);
  HlValue *broken = hl_value_with_at (hl_document_root (document), place, hl_value_new_number (-1));
  hl_editing_commit (hl_workbench_editing (hl_window_workbench (window)), hl_document_new (broken),
                     "break it", NULL);
  fixture_activate (window, "problems");
  fixture_draw (window);
  g_assert_true (shows (window, "1 Problem"));
  g_assert_true (shows (window, "Hub ist -1."));
  g_assert_true (shows (window, "Zulässig ist größer als 0."));
  g_assert_true (shows (window, "Hub von cyl auf 500 mm setzen"));
  hl_workbench_select (hl_window_workbench (window), "simulation");
  fixture_draw (window);
  g_assert_true (shows (window, "kompressibel"));
  g_assert_true (shows (window, "reduziert"));
  g_assert_false (shows (window, "lumped"));
  fixture_close (window);
}

static int least_width (gpointer widget) {
  int least;

  gtk_widget_measure (GTK_WIDGET (widget), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* Long words widen neither the side pane, whatever it shows, nor the window. */
static void test_width (void) {
  static const char *const files[] = {"four-bar.hydrolink", "excavator-arm.hydrolink",
                                      "articulated-vehicle-tyre.hydrolink"};

  for (guint f = 0; f < G_N_ELEMENTS (files); f++) {
    HlWindow *window = fixture_open (application, files[f]);
    const HlDocument *document = hl_editing_document (hl_workbench_editing (hl_window_workbench (window)));
    for (HlSection section = 0; section < HL_N_ELEMENT_SECTIONS; section++)
      for (int index = 0; index < hl_document_n_elements (document, section); index++) {
        hl_workbench_select (hl_window_workbench (window), hl_document_element_id (document, section, index));
        fixture_rebuild ();
        g_test_message ("%s: %d", hl_document_element_id (document, section, index),
                        least_width (window_part (window, "inspector")));
        g_assert_cmpint (least_width (window_part (window, "inspector")), <=, MOST_SIDE);
      }
    hl_workbench_select (hl_window_workbench (window), NULL);
    fixture_rebuild ();
    g_assert_cmpint (least_width (window_part (window, "inspector")), <=, MOST_SIDE);
    g_assert_cmpint (least_width (window_part (window, "locus_box")), <=, MOST_SIDE);
    fixture_close (window);
  }

  HlWindow *window = hl_application_new_window (application);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  fixture_until_settled (window);
  g_test_message ("window: %d, header: %d, panes: %d", least_width (window),
                  least_width (gtk_window_get_titlebar (GTK_WINDOW (window))),
                  least_width (window_part (window, "main_paned")));
  g_assert_cmpint (least_width (window), <=, 900);
  fixture_close (window);
}

/* In the smallest window the line at the foot is whole: how fast the program is stands behind a button. */
static void test_status (void) {
  g_setenv ("HL_WINDOW_SIZE", "900x700", TRUE);
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_unsetenv ("HL_WINDOW_SIZE");
  g_autofree char *all = NULL;
  g_autofree char *shown = NULL;

  hl_runs_start (hl_workbench_runs (hl_window_workbench (window))); /* two runs, with their memory */
  fixture_until_settled (window);
  hl_side_pane_show_tab (window_part (window, "side"), "locus"); /* and how long a locus took */
  fixture_until_settled (window);
  fixture_draw (window);
  g_object_get (window_part (window, "status_line"), "text", &all, "shown", &shown, NULL);
  g_assert_cmpstr (shown, ==, all);
  gtk_menu_button_popup (window_part (window, "info_button"));
  fixture_draw (window);
  GtkLabel *figures = window_part (window, "info_label");
  const char *text = gtk_label_get_text (figures);
  g_test_message ("%s", text);
  g_assert_true (g_str_has_prefix (text, "Lauf über 4 s in "));
  g_assert_nonnull (strstr (text, "Wurzelortskurve in "));
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (figures)));
  gtk_menu_button_popdown (window_part (window, "info_button"));
  fixture_draw (window);
  fixture_close (window);
}

/* --- the levers, in the smallest window --- */

static gboolean is_driven (gpointer window) {
  const HlRun *run = hl_runs_shown (hl_workbench_runs (hl_window_workbench (HL_WINDOW (window))));
  return run != NULL && run->is_driven && run->t_end > 0.2;
}

/* No label of the widget but a name that a file gives ends in dots, and each stands inside the pane. */
static void check_whole_labels (GtkWidget *widget, GtkWidget *pane) {
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && !gtk_widget_has_css_class (widget, "name")) {
    const char *text = gtk_label_get_text (GTK_LABEL (widget));
    graphene_rect_t box;
    g_assert_true (gtk_widget_compute_bounds (widget, pane, &box));
    if (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))) || box.origin.x < 0 ||
        box.origin.x + box.size.width > gtk_widget_get_width (pane))
      g_error ("“%s” is cut", text);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_whole_labels (child, pane);
}

/* The state of the drive, words and units of three levers and the buttons above the plots are read whole while
 * driving is paused; the panel is as high when it is over. */
static void test_levers (void) {
  g_setenv ("HL_WINDOW_SIZE", "1024x700", TRUE);
  HlWindow *window = fixture_open (application, "excavator-arm.hydrolink");
  g_unsetenv ("HL_WINDOW_SIZE");

  GtkWidget *panel = GTK_WIDGET (window_part (window, "lever_panel"));
  fixture_activate (window, "drive");
  fixture_until (is_driven, window);
  fixture_activate (window, "drive-pause");
  fixture_draw (window);
  g_assert_true (shows (window, "angehalten"));
  g_assert_true (shows (window, "1/min")); /* not °/s: a pump */
  check_whole_labels (panel, panel);
  check_whole_labels (fixture_child (window_part (window, "plot_pane"), "bar"),
                      GTK_WIDGET (window_part (window, "plot_pane")));
  GtkWidget *row = hl_lever_panel_row (HL_LEVER_PANEL (window_part (window, "lever_panel")), 0);
  graphene_rect_t before, after;
  g_assert_true (gtk_widget_compute_bounds (row, panel, &before));
  fixture_activate (window, "stop");
  fixture_until_settled (window);
  fixture_draw (window);
  g_assert_true (gtk_widget_compute_bounds (row, panel, &after));
  g_assert_cmpfloat (fabsf (after.origin.y - before.origin.y), <=, 1.0f);
  check_whole_labels (panel, panel);
  fixture_close (window);
}

static gboolean is_placed (gpointer window) {
  return HL_WINDOW (window)->frames_to_place == 0 && HL_WINDOW (window)->fit_id == 0;
}

/* Counts the labels of a window that are shortened, or stand beyond its right edge. */
static int count_cut (GtkWidget *widget, GtkWidget *window, const char *where) {
  int n = 0;

  if (!gtk_widget_get_mapped (widget))
    return 0;
  if (GTK_IS_LABEL (widget) && gtk_widget_get_child_visible (widget) &&
      !gtk_widget_has_css_class (widget, "name")) { /* of a lever: by the file */
    graphene_rect_t box;
    g_assert_true (gtk_widget_compute_bounds (widget, window, &box));
    if (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget))) ||
        box.origin.x + box.size.width > gtk_widget_get_width (window)) {
      g_test_message ("%s: “%s” is cut", where, gtk_label_get_text (GTK_LABEL (widget)));
      n++;
    }
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      n += count_cut (child, window, where);
  return n;
}

/* In a small window, the file's name in the header included. */
static void test_cut (void) {
  static const char *const arrangements[] = {"draw", "analyse", "drive"};
  static const char *const files[] = {"four-bar.hydrolink", "excavator-arm.hydrolink",
                                      "articulated-vehicle-rigid.hydrolink"};
  static const char *const sizes[] = {"1024x700", "1280x800"};
  int n = 0;

  for (gsize k = 0; k < G_N_ELEMENTS (files) * G_N_ELEMENTS (sizes); k++) {
    g_setenv ("HL_WINDOW_SIZE", sizes[k % 2], TRUE);
    HlWindow *window = fixture_open (application, files[k / 2]);
    g_unsetenv ("HL_WINDOW_SIZE");
    if (k / 2 == 0) /* the longest name of a set */
      g_assert_true (hl_editing_apply_set (hl_workbench_editing (hl_window_workbench (window)),
                                           "Underdamped, high friction", NULL));
    for (gsize a = 0; a < G_N_ELEMENTS (arrangements); a++) {
      g_autofree char *where = g_strdup_printf ("%s, %s, %s", files[k / 2], sizes[k % 2], arrangements[a]);
      g_action_group_activate_action (G_ACTION_GROUP (window), "arrangement",
                                      g_variant_new_string (arrangements[a]));
      fixture_until (is_placed, window);
      fixture_until_settled (window);
      fixture_draw (window);
      n += count_cut (GTK_WIDGET (window), GTK_WIDGET (window), where);
      n += count_cut (GTK_WIDGET (window_part (window, "header")), GTK_WIDGET (window), where);
      g_test_message (
          "%s: at least header %d px, plots %d px, locus %d px, beside it %d px", where,
          least_width (window_part (window, "header")), least_width (window_part (window, "plot_pane")),
          least_width (window_part (window, "locus_box")), least_width (window_part (window, "detail_box")));
      g_test_message ("%s: %d px", where, gtk_widget_get_width (GTK_WIDGET (window)));
      g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <=, k % 2 == 0 ? 1024 : 1280);
    }
    fixture_close (window);
  }
  g_assert_cmpint (n, ==, 0);
}

/* Returns whether the window with that title has something in its tables. */
static gboolean has_table (gpointer title) {
  GtkWindow *found = fixture_find_window (title);
  GtkWidget *view = found != NULL ? fixture_find (GTK_WIDGET (found), GTK_TYPE_COLUMN_VIEW) : NULL;

  return view != NULL && gtk_widget_get_mapped (view) &&
         g_list_model_get_n_items (G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (view)))) > 0;
}

/* No column of the table of switching states is beyond the edge: long headings have two lines. */
static void test_columns (void) {
  static char title[] = "Schaltzustände und Ereignisse";
  HlWindow *window = fixture_open (application, "hybrid-two-cylinders.hydrolink");

  fixture_until_settled (window);
  fixture_activate (window, "mode-graph");
  fixture_until (has_table, title);
  GtkWindow *graph = fixture_find_window (title);
  fixture_draw (graph);
  GtkWidget *view = fixture_find (GTK_WIDGET (graph), GTK_TYPE_COLUMN_VIEW);
  GtkAdjustment *across = gtk_scrollable_get_hadjustment (GTK_SCROLLABLE (view));
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), <=, gtk_adjustment_get_page_size (across) + 0.5);
  gtk_window_destroy (graph);
  fixture_close (window);
}

int main (int argc, char **argv) {
  char *folder = NULL;
  int status = FIXTURE_SKIPPED;

  if (hl_language_begin (&folder))
    application = fixture_begin (&argc, &argv);
  if (application != NULL) {
    g_test_add_func ("/german-window/numbers", test_numbers);
    g_test_add_func ("/german-window/typed", test_typed);
    g_test_add_func ("/german-window/spin-buttons", test_spin_buttons);
    g_test_add_func ("/german-window/words", test_words);
    g_test_add_func ("/german-window/width", test_width);
    g_test_add_func ("/german-window/problems", test_problems);
    g_test_add_func ("/german-window/status", test_status);
    g_test_add_func ("/german-window/levers", test_levers);
    g_test_add_func ("/german-window/nothing-cut", test_cut);
    g_test_add_func ("/german-window/columns", test_columns);

    status = g_test_run ();
    g_object_unref (application);
  }
  hl_language_end (folder);
  return status;
}
