/* SPDX-License-Identifier: MIT */
/* The first hour with the window, by pointer and keys: what a new user does and what must not
 * mislead. HL_PICTURES_DIR keeps pictures on the way. */
#include "tests/support/hl-test.h"
#include "tests/ui/pointer-fixture.h"
#include "tests/ui/window-fixture.h"
#include "ui/bench/hl-editing.h"

#include <math.h>
#include <string.h>

static HlApplication *application;
static HlWindow *window;

static HlWorkbench *
workbench (void)
{
  return hl_window_workbench (window);
}

static HlEditing *
editing (void)
{
  return hl_workbench_editing (workbench ());
}

static const HlDocument *
document (void)
{
  return hl_editing_document (editing ());
}

static double
number (const char *path)
{
  double value = NAN;
  g_autoptr (GError) error = NULL;

  hl_document_get_number (document (), path, &value, NULL, &error);
  g_assert_no_error (error);
  return value;
}

static void
open_example (const char *name)
{
  window = fixture_open (application, name);
  pointer_use (window);
  pointer_to (GTK_WIDGET (window->circuit_view), (HlSpot){5, 60}); /* panes have come to rest */
}

static void
close_example (void)
{
  pointer_use (NULL);
  hl_workbench_select (workbench (), NULL);
  while (hl_editing_undo_name (editing ()) != NULL)
    hl_editing_undo (editing ());
  fixture_close (window);
}

static void
click_on (GtkWidget *widget)
{
  gtk_widget_grab_focus (widget); /* scrolls it into sight */
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  pointer_to (widget,
              (HlSpot){0.5 * gtk_widget_get_width (widget), 0.5 * gtk_widget_get_height (widget)});
  pointer_press ("1");
  pointer_release ("1");
}

/* --- undo in a field --- */

static const char *
text_in (GtkWidget *entry)
{
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

/* Keys undo the typing of a field while it is not applied, and the model otherwise. */
static void
test_undo_in_field (void)
{
  open_example ("four-bar.hydrolink");
  hl_workbench_select (workbench (), "cyl");
  fixture_rebuild ();
  GtkWidget *entry = fixture_entry_of (fixture_inspector_row (window, "Piston diameter"));
  g_autoptr (HlDocument) first = hl_document_ref (document ());

  /* one step of the model, so that the window's own Undo has something to do */
  click_on (entry);
  g_autofree char *shown = g_strdup (text_in (entry));
  pointer_key ("ctrl+a");
  pointer_enter ("90 mm");
  hl_assert_near (number ("cyl.piston_diameter"), 0.09, 1e-12, 0);
  g_autoptr (HlDocument) second = hl_document_ref (document ());
  g_autofree char *ninety = g_strdup (text_in (entry));

  pointer_key ("End");
  pointer_type ("7");
  g_autofree char *typed = g_strdup (text_in (entry));
  g_assert_cmpstr (typed, !=, ninety);
  pointer_key ("ctrl+z");
  g_assert_cmpstr (text_in (entry), ==, ninety);
  g_assert_true (document () == second);
  pointer_key ("ctrl+shift+z");
  g_assert_cmpstr (text_in (entry), ==, typed);
  g_assert_true (document () == second);
  pointer_key ("ctrl+z");
  g_assert_cmpstr (text_in (entry), ==, ninety);
  pointer_key ("ctrl+z"); /* nothing typed is left: the model */
  g_assert_true (hl_document_equal (document (), first));
  fixture_draw (window);
  entry = fixture_entry_of (fixture_inspector_row (window, "Piston diameter"));
  g_assert_cmpstr (text_in (entry), ==, shown);
  pointer_key ("ctrl+shift+z");
  g_assert_true (hl_document_equal (document (), second));
  g_assert_cmpstr (text_in (entry), ==, ninety);

  /* a field of prose */
  hl_workbench_select (workbench (), NULL);
  fixture_rebuild ();
  GtkWidget *prose = fixture_find (GTK_WIDGET (window->inspector), GTK_TYPE_TEXT_VIEW);
  g_assert_nonnull (prose);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (prose));
  int n = gtk_text_buffer_get_char_count (buffer);
  click_on (prose);
  pointer_type ("more");
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, n + 4);
  pointer_key ("ctrl+z");
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, n);
  g_assert_true (hl_document_equal (document (), second));
  close_example ();
}

int
main (int argc, char **argv)
{
  application = fixture_begin (&argc, &argv);
  if (application == NULL || !pointer_exists ())
    return FIXTURE_SKIPPED;
  g_test_add_func ("/first-hour/undo-in-field", test_undo_in_field);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
