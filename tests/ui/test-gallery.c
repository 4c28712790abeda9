/* SPDX-License-Identifier: MIT */
/* New documents: the table of templates against the files that are there, and the gallery in the
 * real application. */
#include "app/window/hl-template-gallery.h"
#include "core/edit/hl-edit.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <string.h>

static HlApplication *application;

/* Returns the number of the template that is made from this file; -1: there is none. */
static int template_of (const char *file) {
  for (int i = 0; i < hl_template_count (); i++)
    if (g_strcmp0 (hl_template_get (i).file, file) == 0)
      return i;
  return -1;
}

static GtkWidget *card_of (HlGallery *gallery, int template) {
  g_autoptr (GPtrArray) cards = g_ptr_array_new ();

  fixture_collect (GTK_WIDGET (gallery), GTK_TYPE_FLOW_BOX_CHILD, cards);
  return cards->pdata[template];
}

/* Tests that every shipped example can be a start, and that every template exists. */
static void test_table (void) {
  g_autoptr (GDir) folder = g_dir_open (g_getenv ("HL_EXAMPLES_DIR"), 0, NULL);
  const char *name;
  int n = 0;

  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".hydrolink")) {
      if (template_of (name) < 0)
        g_error ("%s is not among the templates", name);
      n++;
    }
  g_autoptr (GDir) lessons = g_dir_open (g_getenv ("HL_LESSONS_DIR"), 0, NULL);
  while ((name = g_dir_read_name (lessons)) != NULL)
    if (g_str_has_suffix (name, ".hllesson") && !g_str_has_suffix (name, ".de.hllesson")) {
      if (template_of (name) < 0)
        g_error ("%s is not among the templates", name);
      n++;
    }
  g_assert_cmpint (hl_template_count (), ==, n + 1);
  for (int i = 0; i < n + 1; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (HlDocument) document = hl_template_document (i, &error);
    g_assert_no_error (error);
    g_assert_nonnull (document);
    g_assert_cmpuint (strlen (hl_template_get (i).line), >, 0);
    g_assert_cmpuint (g_utf8_strlen (hl_template_get (i).line, -1), <=, 70);
  }
}

static HlWindow *active_window (void) {
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  return HL_WINDOW (window);
}

/* Tests Ctrl+N and Enter on a card: the blank window takes the model, which is untitled and unmodified; so
 * does one whose model was only viewed. After a change the next model gets a window of its own. */
static void test_gallery (void) {
  HlWindow *first = fixture_open (application, NULL);

  g_assert_true (gtk_widget_get_visible (window_part (first, "start_box")));
  g_action_group_activate_action (G_ACTION_GROUP (application), "new", NULL);
  HlGallery *gallery = HL_GALLERY (fixture_find_window ("New model"));
  fixture_draw (gallery);
  int four_bar = template_of ("four-bar.hydrolink");
  gtk_widget_activate (card_of (gallery, four_bar));
  g_assert_null (fixture_find_window ("New model"));
  fixture_until_settled (first);

  HlWorkbench *workbench = hl_window_workbench (first);
  g_assert_false (gtk_widget_get_visible (window_part (first, "start_box")));
  g_assert_null (hl_editing_path (hl_workbench_editing (workbench)));
  g_assert_false (hl_editing_is_modified (hl_workbench_editing (workbench)));
  g_assert_cmpint (
      hl_document_n_elements (hl_editing_document (hl_workbench_editing (workbench)), HL_SECTION_BODIES), ==,
      3);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (first), "undo"));

  gallery = hl_gallery_present (application, GTK_WINDOW (first));
  g_assert_true (hl_gallery_present (application, GTK_WINDOW (first)) == gallery);
  int crane = template_of ("metering-arm.hydrolink");
  gtk_widget_activate (card_of (gallery, crane));
  g_assert_true (active_window () == first);
  fixture_until_settled (first);
  HlEditing *editing = hl_workbench_editing (workbench);
  hl_editing_commit (
      editing,
      hl_edit_set (hl_editing_document (editing), "simulation", "t_end", hl_value_new_number (0.5), NULL),
      "shorten", NULL);
  hl_editing_undo (editing); /* what could be done again is not thrown away either */
  gallery = hl_gallery_present (application, GTK_WINDOW (first));
  gtk_widget_activate (card_of (gallery, crane));
  HlWindow *second = active_window ();
  g_assert_true (second != first);
  fixture_close (second);
  fixture_close (first);
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/gallery/table", test_table);
  g_test_add_func ("/gallery/new", test_gallery);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
