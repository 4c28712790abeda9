/* SPDX-License-Identifier: MIT */
/* The page of studies: built by what is dropped on it, computed by threads while it is looked at, kept
 * in a file that the model names; a brush lights rows everywhere, a click takes numbers over. */
#include "core/document/hl-file-reference.h"
#include "core/io/hl-json-text.h"
#include "core/study/hl-study-row-computation.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/study/hl-studies-chart.h"
#include "ui/study/hl-studies-form.h"
#include "ui/study/hl-studies-window.h"
#include "ui/widget/hl-data-table.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static HlApplication *application;

static HlStudiesWindow *open_page (HlWindow *window) {
  g_action_group_activate_action (G_ACTION_GROUP (window), "study", g_variant_new_string ("studies"));
  g_autoptr (GList) all = gtk_window_list_toplevels ();
  for (GList *at = all; at != NULL; at = at->next)
    if (HL_IS_STUDIES_WINDOW (at->data) && gtk_widget_get_visible (at->data)) {
      fixture_draw (at->data);
      return at->data;
    }
  g_error ("no page of studies");
}

static HlStudiesForm *form_of (HlStudiesWindow *page) {
  return HL_STUDIES_FORM (fixture_find (GTK_WIDGET (page), HL_TYPE_STUDIES_FORM));
}

/* As a file that is opened; it is gone afterwards. */
static void load_text (HlStudiesWindow *page, const char *text) {
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "hl-page-XXXXXX", NULL);

  g_close (g_mkstemp (path), NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (hl_studies_window_load (page, path));
  fixture_rebuild ();
  g_unlink (path);
}

/* The four-bar for a moment of its run: friction and a mass, a pressure and an angle. */
static void set_small (HlStudiesWindow *page, const char *design, int n) {
  g_autofree char *text = g_strdup_printf (
      "{\"format\": \"hydrolink-study\", \"version\": 1, \"set\": {\"simulation.t_end\": 0.05},"
      "\"vary\": [{\"path\": \"cyl.friction.Fc\", \"distribution\": \"uniform\", \"from\": 100, "
      "\"to\": 300},"
      "{\"path\": \"link2.mass\", \"distribution\": \"log-uniform\", \"from\": 1, \"to\": 5}],"
      "\"design\": {\"kind\": \"%s\", \"n\": %d, \"seed\": 3},"
      "\"measures\": [\"max:p1\", \"last:phi2\"]}",
      design, n);
  load_text (page, text);
}

static gboolean is_idle (gpointer page) {
  return !hl_studies_window_is_busy (page);
}

static const char *measure_text (HlStudiesWindow *page, int index) {
  return hl_study_draft_measure (
      hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_MEASURES, index));
}

/* Returns the text that the first draggable widget provides. Owned by the caller. */
static char *dragged_text (GtkWidget *root) {
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  fixture_collect (root, GTK_TYPE_LABEL, labels);
  for (guint i = 0; i < labels->len; i++) {
    g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (labels->pdata[i]);
    for (guint c = 0; c < g_list_model_get_n_items (controllers); c++) {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, c);
      g_autoptr (GdkContentProvider) content = NULL;
      g_auto (GValue) value = G_VALUE_INIT;
      if (!GTK_IS_DRAG_SOURCE (controller))
        continue;
      g_signal_emit_by_name (controller, "prepare", 0.0, 0.0, &content);
      g_value_init (&value, G_TYPE_STRING);
      g_assert_true (gdk_content_provider_get_value (content, &value, NULL));
      return g_value_dup_string (&value);
    }
  }
  return NULL;
}

/* A number gets the range of its slider, a probe its largest value and then another; an element what one
 * looks at first; what means nothing is refused. */
static void test_drop (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);
  HlStudiesForm *form = form_of (page);

  g_assert_true (hl_studies_form_drop (form, "cyl.friction.Fc"));
  g_assert_false (hl_studies_form_drop (form, "no such thing"));
  g_assert_true (hl_studies_form_drop (form, "phi2"));
  g_assert_true (hl_studies_form_drop (form, "phi2"));
  fixture_rebuild ();
  const HlValue *number = hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_VARY, 0);
  HlSlider slider = {0};
  for (int k = 0; k < hl_document_n_sliders (fixture_document (window)); k++)
    if (hl_document_slider (fixture_document (window), k, &slider) &&
        strcmp (slider.path, "cyl.friction.Fc") == 0)
      break;
  g_assert_cmpfloat (hl_value_number (hl_value_member (number, "from")), ==, slider.from);
  g_assert_cmpfloat (hl_value_number (hl_value_member (number, "to")), ==, slider.to);
  g_assert_cmpstr (measure_text (page, 0), ==, "max:phi2");
  g_assert_cmpstr (measure_text (page, 1), ==, "min:phi2");
  g_assert_true (hl_studies_form_drop (form, "cyl"));
  g_assert_cmpint (hl_study_draft_n (hl_studies_window_draft (page), HL_STUDY_MEASURES), >, 2);
  /* the name of a slider can be dragged there */
  g_autofree char *dragged = dragged_text (GTK_WIDGET (window_part (window, "slider_panel")));
  g_assert_cmpstr (dragged, ==, "cyl.friction.scale");
  g_assert_true (hl_studies_form_drop (form, dragged));
  g_assert_cmpint (hl_study_draft_n (hl_studies_window_draft (page), HL_STUDY_VARY), ==, 2);
  /* a line that is taken out goes from the study */
  fixture_rebuild ();
  HlStudiesLine *line = fixture_nth (page, HL_TYPE_STUDIES_LINE, 0);
  g_signal_emit_by_name (line, "removed");
  fixture_rebuild ();
  g_assert_cmpint (hl_study_draft_n (hl_studies_window_draft (page), HL_STUDY_VARY), ==, 1);
  g_signal_emit_by_name (fixture_nth (page, HL_TYPE_STUDIES_LINE, 0), "removed");
  fixture_rebuild ();
  g_assert_cmpint (hl_study_draft_n (hl_studies_window_draft (page), HL_STUDY_VARY), ==, 0);
  /* without a number there is no study, and the page says so */
  fixture_press (page, "Compute");
  g_assert_false (hl_studies_window_is_busy (page));
  g_assert_nonnull (strstr (fixture_said (page, "status"), "varies nothing"));
  fixture_close (window);
}

/* A typed number with a unit is stored in SI, other distributions have other parameters, and unreadable text
 * stays and is marked. */
static void test_lines (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);

  set_small (page, "lhs", 8);
  HlStudiesLine *line = fixture_nth (page, HL_TYPE_STUDIES_LINE, 0);
  GtkWidget *low = fixture_child (line, "low");
  gtk_editable_set_text (GTK_EDITABLE (low), "0.15 kN");
  g_signal_emit_by_name (low, "activate");
  const HlValue *number = hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_VARY, 0);
  g_assert_cmpfloat (hl_value_number (hl_value_member (number, "from")), ==, 150.0);
  gtk_editable_set_text (GTK_EDITABLE (low), "much");
  g_signal_emit_by_name (low, "activate");
  g_assert_true (gtk_widget_has_css_class (low, "error"));
  number = hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_VARY, 0);
  g_assert_cmpfloat (hl_value_number (hl_value_member (number, "from")), ==, 150.0);
  gtk_editable_set_text (GTK_EDITABLE (low), "150 N");
  g_signal_emit_by_name (low, "activate");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (fixture_child (line, "choice")), 2); /* normal */
  fixture_rebuild ();
  number = hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_VARY, 0);
  g_assert_cmpstr (hl_value_string (hl_value_member (number, "distribution")), ==, "normal");
  g_assert_cmpfloat (hl_value_number (hl_value_member (number, "mean")), ==, 225.0);
  g_assert_null (hl_value_member (number, "from"));
  /* a limit */
  line = fixture_nth (page, HL_TYPE_STUDIES_LINE, 2);
  gtk_editable_set_text (GTK_EDITABLE (fixture_child (line, "high")), "20 MPa");
  g_signal_emit_by_name (fixture_child (line, "high"), "activate");
  const HlValue *measure = hl_study_draft_item (hl_studies_window_draft (page), HL_STUDY_MEASURES, 0);
  g_assert_cmpfloat (hl_value_number (hl_value_member (measure, "max")), ==, 20e6);
  g_assert_cmpstr (hl_study_draft_measure (measure), ==, "max:p1");
  fixture_close (window);
}

/* The numbers of the threads are those of one that computes row after row, to the bit. */
static void check_values (HlStudiesWindow *page, HlWindow *window) {
  HlStudyJob *job = hl_studies_window_job (page);
  g_autoptr (HlStudy) study = hl_study_new (
      hl_study_draft_with_model (hl_studies_window_draft (page), fixture_document (window)), NULL);
  g_assert_nonnull (study);
  g_autoptr (HlStudyWork) work = hl_study_work_new (study, NULL, NULL, NULL);
  double values[8];

  for (int row = 0; row < hl_study_job_n_rows (job); row++) {
    g_autofree char *wrong = hl_study_work_row (work, row, values);
    g_assert_null (wrong);
    for (int k = 0; k < hl_study_job_n_columns (job); k++)
      g_assert_true (memcmp (&values[k], &hl_study_job_values (job, k)[row], sizeof (double)) == 0);
  }
}

static void test_run (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);

  set_small (page, "sobol", 16);
  fixture_press (page, "Compute");
  g_assert_true (hl_studies_window_is_busy (page));
  fixture_until (is_idle, page);
  HlStudyJob *job = hl_studies_window_job (page);
  g_assert_cmpint (hl_study_job_n_done (job), ==, 16);
  g_assert_cmpint (hl_study_job_n_failed (job), ==, 0);
  g_assert_cmpint (hl_study_job_n_columns (job), ==, 4);
  check_values (page, window);
  g_assert_nonnull (strstr (fixture_said (page, "status"), "16 of 16"));

  /* Right goes to a row, Enter takes its numbers as one step */
  GtkWidget *matrix = fixture_child (page, "matrix");
  HlChartClass *klass = HL_CHART_GET_CLASS (matrix);
  int steps = hl_editing_n_steps (hl_workbench_editing (hl_window_workbench (window)));
  for (int k = 0; k < 4; k++)
    g_assert_true (klass->key (HL_CHART (matrix), GDK_KEY_Right, FALSE));
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "Row 4:"));
  g_assert_true (klass->key (HL_CHART (matrix), GDK_KEY_Return, FALSE));
  g_assert_cmpfloat (fixture_number (window, "cyl.friction.Fc"), ==, hl_study_job_values (job, 0)[3]);
  g_assert_cmpfloat (fixture_number (window, "link2.mass"), ==, hl_study_job_values (job, 1)[3]);
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  g_assert_cmpint (hl_editing_n_steps (editing), ==, steps + 1);
  hl_editing_undo (editing);
  g_assert_cmpfloat (fixture_number (window, "link2.mass"), !=, hl_study_job_values (job, 1)[3]);
  fixture_close (window);
}

/* A box over the left half of a cloud lights its rows in every picture and in the table; nothing in a
 * box, Escape and a click beside put the light out; a drag that is given up leaves what was lit. */
static void test_brush (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);

  set_small (page, "grid", 4);
  fixture_press (page, "Compute");
  fixture_until (is_idle, page);
  gtk_stack_set_visible_child_name (GTK_STACK (fixture_child (page, "stack")), "cloud");
  fixture_draw (page);
  HlStudiesChart *cloud = fixture_child (page, "cloud");
  HlChartClass *klass = HL_CHART_GET_CLASS (cloud);
  hl_studies_chart_set_axes (cloud, 0, 1);
  HlSpot first, last;
  int index;
  /* a grid of 4 x 4, the first number slowest: rows 0 to 7 are the lower half of it */
  g_assert_true (hl_studies_chart_place (cloud, 0, 0, &first));
  g_assert_true (hl_studies_chart_place (cloud, 0, 7, &last));
  HlSpot from = {first.x - 5, first.y + 5}, to = {last.x + 5, last.y - 5};
  klass->begin_drag (HL_CHART (cloud));
  g_assert_cmpint (klass->hit (HL_CHART (cloud), from, &index), ==, HL_CHART_ON_CURSOR);
  klass->drag_cursor (HL_CHART (cloud), index, to);
  klass->drop_cursor (HL_CHART (cloud), from, TRUE);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "8 rows of 16"));
  gtk_stack_set_visible_child_name (GTK_STACK (fixture_child (page, "stack")), "rows");
  fixture_draw (page);
  HlDataTable *table = HL_DATA_TABLE (fixture_find (GTK_WIDGET (page), HL_TYPE_DATA_TABLE));
  g_assert_cmpint (hl_data_table_n_rows (table), ==, 8);
  /* given up: the eight stay */
  klass->begin_drag (HL_CHART (cloud));
  klass->hit (HL_CHART (cloud), from, &index);
  klass->drag_cursor (HL_CHART (cloud), index, (HlSpot){from.x + 8, from.y - 8});
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "1 row of 16"));
  klass->put_cursor_back (HL_CHART (cloud), index);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "8 rows of 16"));
  /* Right goes along the lit ones only */
  for (int k = 0; k < 20; k++)
    klass->key (HL_CHART (cloud), GDK_KEY_Right, FALSE);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "Row 8:"));
  g_assert_true (klass->key (HL_CHART (cloud), GDK_KEY_Escape, FALSE));
  g_assert_false (klass->key (HL_CHART (cloud), GDK_KEY_Escape, FALSE)); /* closes the window */
  g_assert_cmpint (hl_data_table_n_rows (table), ==, 16);
  fixture_close (window);
}

/* More rows than a table lists: it says how many are left out. */
static void test_many (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);

  load_text (page, "{\"format\": \"hydrolink-study\", \"version\": 1,"
                   "\"set\": {\"simulation.t_end\": 1e-5, \"simulation.every\": 1e-5},"
                   "\"vary\": [{\"path\": \"cyl.friction.Fc\", \"from\": 100, \"to\": 300}],"
                   "\"design\": {\"kind\": \"grid\", \"n\": 2005}, \"measures\": [\"last:p1\"]}");
  fixture_press (page, "Compute");
  fixture_until (is_idle, page);
  g_assert_cmpint (hl_study_job_n_done (hl_studies_window_job (page)), ==, 2005);
  gtk_stack_set_visible_child_name (GTK_STACK (fixture_child (page, "stack")), "rows");
  fixture_draw (page);
  HlDataTable *table = HL_DATA_TABLE (fixture_find (GTK_WIDGET (page), HL_TYPE_DATA_TABLE));
  g_assert_cmpint (hl_data_table_n_rows (table), ==, 2000);
  g_assert_true (gtk_widget_get_visible (fixture_child (page, "rows_note")));
  g_assert_nonnull (strstr (fixture_said (page, "rows_note"), "2000 of 2005 rows"));
  set_small (page, "grid", 2);
  g_assert_false (gtk_widget_get_visible (fixture_child (page, "rows_note")));
  fixture_close (window);
}

/* A row that fails says why in its line, and the others are there. */
static void test_failures (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);
  const char *text =
      "{\"format\": \"hydrolink-study\", \"version\": 1, \"set\": {\"simulation.t_end\": 0.05},"
      "\"vary\": [{\"path\": \"cyl.stroke\", \"distribution\": \"table\", "
      "\"values\": [0.2, 0.9]}], \"design\": {\"kind\": \"grid\", \"n\": 2},"
      "\"measures\": [\"max:p1\"]}";

  load_text (page, text);
  fixture_press (page, "Compute");
  g_test_message ("%s", fixture_said (page, "status"));
  fixture_until (is_idle, page);
  HlStudyJob *job = hl_studies_window_job (page);
  g_test_message ("%s", fixture_said (page, "status"));
  g_assert_cmpint (hl_study_job_n_done (job), ==, 2);
  g_assert_cmpint (hl_study_job_n_failed (job), ==, 1);
  g_assert_nonnull (hl_study_job_error (job, 0));
  g_assert_true (isnan (hl_study_job_values (job, 1)[0]));
  g_autofree char *table = hl_study_job_table (job);
  g_assert_nonnull (strstr (table, hl_study_job_error (job, 0)));
  fixture_close (window);
}

/* Saved beside the model, which names it relative to itself, as one step; other members of the list
 * stay; the next window has the study again. */
static void test_file (void) {
  g_autofree char *folder = g_dir_make_tmp ("hl-studies-XXXXXX", NULL);
  g_autofree char *model = g_build_filename (folder, "arm.hydrolink", NULL);
  g_autofree char *file = g_build_filename (folder, "friction.hlstudy", NULL);
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlEditing *editing = hl_workbench_editing (hl_window_workbench (window));
  const char *list = "[{\"file\": \"other.hlstudy\", \"mine\": 7}, 3]";
  g_autoptr (GError) error = NULL;

  HlDocument *with =
      hl_document_new (hl_value_with_member (hl_document_root (fixture_document (window)), "studies",
                                             hl_json_parse (list, strlen (list), NULL, NULL)));
  hl_editing_commit (editing, with, "Test", NULL);
  g_assert_true (hl_editing_save (editing, model, &error));
  HlStudiesWindow *page = open_page (window);
  g_assert_nonnull (strstr (fixture_said (page, "caption"), "other.hlstudy")); /* is not there */
  set_small (page, "lhs", 12);
  int steps = hl_editing_n_steps (editing);
  g_assert_true (hl_studies_window_save (page, file));
  g_assert_cmpint (hl_editing_n_steps (editing), ==, steps + 1);
  g_auto (GStrv) names = hl_studies_of_document (fixture_document (window));
  g_assert_true (g_str_has_suffix (names[0], "/examples/other.hlstudy")); /* it was moved away */
  g_assert_cmpstr (names[1], ==, "friction.hlstudy");
  const HlValue *kept = hl_value_member (hl_document_root (fixture_document (window)), "studies");
  g_assert_cmpfloat (hl_value_number (hl_value_member (hl_value_item (kept, 0), "mine")), ==, 7);
  g_assert_cmpfloat (hl_value_number (hl_value_item (kept, 1)), ==, 3);
  g_assert_true (hl_studies_window_save (page, file)); /* named already */
  g_assert_cmpint (hl_editing_n_steps (editing), ==, steps + 1);

  /* what the command line reads is the same study, with the model of the file */
  g_autoptr (HlValue) root = hl_study_load_root (file, &error);
  g_assert_no_error (error);
  g_autoptr (HlStudy) study = hl_study_new (hl_value_ref (root), &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_study_n_rows (study), ==, 12);

  g_autoptr (HlValue) before = hl_value_ref (hl_studies_window_draft (page));
  gtk_window_destroy (GTK_WINDOW (page));
  HlStudiesWindow *again = open_page (window);
  g_assert_true (hl_value_equal (before, hl_studies_window_draft (again)));
  g_assert_true (hl_studies_window_load (again, file));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (again)), ==, "Studies: friction.hlstudy");
  g_signal_emit_by_name (fixture_child (again, "forget"), "clicked");
  g_auto (GStrv) left = hl_studies_of_document (fixture_document (window));
  g_assert_cmpint (g_strv_length (left), ==, 1);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_assert_false (hl_studies_window_load (again, model));
  g_assert_nonnull (strstr (fixture_said (again, "caption"), "not a study"));
  fixture_close (window);
  g_unlink (model);
  g_unlink (file);
  g_rmdir (folder);
}

/* Cancelled in the middle, what is done stays; closed in the middle, nothing comes back. */
static void test_stop (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  HlStudiesWindow *page = open_page (window);

  set_small (page, "random", 100000);
  fixture_press (page, "Compute");
  HlStudyJob *job = hl_studies_window_job (page);
  while (hl_study_job_n_done (job) < 3)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (fixture_child (page, "start"))), ==, "Cancel");
  fixture_press (page, "Cancel");
  fixture_until (is_idle, page);
  g_assert_cmpint (hl_study_job_n_done (job), >=, 3);
  g_assert_cmpint (hl_study_job_n_done (job), <, 100000);
  g_assert_cmpint (hl_study_job_n_failed (job), ==, 0);
  fixture_press (page, "Compute");
  gpointer weak = page;
  g_object_add_weak_pointer (G_OBJECT (page), &weak);
  gtk_window_destroy (GTK_WINDOW (page));
  fixture_until_gone (&weak);
  /* more than a window keeps */
  page = open_page (window);
  set_small (page, "random", 300000);
  fixture_press (page, "Compute");
  g_assert_false (hl_studies_window_is_busy (page));
  g_assert_nonnull (strstr (fixture_said (page, "status"), "study run"));
  fixture_close (window);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/studies-page/what-is-dropped-becomes-part-of-it", test_drop);
  g_test_add_func ("/studies-page/lines-say-what-is-in-the-study", test_lines);
  g_test_add_func ("/studies-page/threads-give-the-bits-of-one", test_run);
  g_test_add_func ("/studies-page/a-brush-lights-rows-everywhere", test_brush);
  g_test_add_func ("/studies-page/a-long-table-says-what-it-leaves-out", test_many);
  g_test_add_func ("/studies-page/rows-that-fail-say-why", test_failures);
  g_test_add_func ("/studies-page/kept-in-a-file-that-the-model-names", test_file);
  g_test_add_func ("/studies-page/may-be-stopped-at-any-moment", test_stop);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
