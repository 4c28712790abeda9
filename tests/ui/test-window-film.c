/* SPDX-License-Identifier: MIT */
/* The window as a film, by a stand-in for the encoder that keeps the raw frames it is given: a slider is swept in
 * the lecture hall, whose captions are in the film; the film keeps time, whatever was painted; an encoder that
 * gives up is reported; a window that is closed leaves a whole film. */
#include "app/window/hl-application.h"
#include "app/window/hl-window-private.h"
#include "app/export/hl-window-recorder.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define RATE_HZ HL_WINDOW_RECORDER_RATE_HZ

static HlApplication *application;
static char *folder;

static void put_encoder (const char *script) {
  g_autofree char *encoder = g_build_filename (folder, "ffmpeg", NULL);

  g_assert_true (g_file_set_contents (encoder, script, -1, NULL));
  g_chmod (encoder, 0755);
}

#define MIN_DRAWN 5 /* frames, however long each takes */

/* Changes a number for that long, as a slider that is dragged; returns how long it was [s]. */
static double sweep (HlWindow *window, double seconds) {
  gint64 began = g_get_monotonic_time ();
  double done = 0;

  for (int n_drawn = 0; done < seconds || n_drawn < MIN_DRAWN; n_drawn++) {
    hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)),
                            (const char *const[]){"cyl.friction.scale", NULL}, 0.1 + done, NULL, NULL);
    fixture_draw (window);
    done = (double)(g_get_monotonic_time () - began) / G_USEC_PER_SEC;
  }
  return done;
}

static gboolean is_recording (HlWindow *window) {
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "record");
  return g_variant_get_boolean (state);
}

static gboolean is_over (gpointer window) {
  return !is_recording (window);
}

/* Returns the number of frames; *n_changes is the number that differ from the frame before. */
static int read_film (const char *path, int width, int height, int *n_changes) {
  gsize size = 4 * (gsize)width * (gsize)height, length;
  g_autofree char *bytes = NULL;
  int n;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_cmpuint (length % size, ==, 0);
  n = (int)(length / size);
  *n_changes = 0;
  for (int k = 1; k < n; k++)
    *n_changes += memcmp (bytes + (gsize)k * size, bytes + (gsize)(k - 1) * size, size) != 0;
  return n;
}

/* The bar of the lecture hall. */
static GtkWidget *find_bar (HlWindow *window) {
  GtkWidget *banner = window_part (window, "banner");

  for (GtkWidget *child = gtk_widget_get_first_child (gtk_widget_get_parent (banner)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_REVEALER (child) && child != banner)
      return child;
  g_error ("the lecture hall has no bar");
}

static gboolean bar_is_away (gpointer bar) {
  return !gtk_revealer_get_reveal_child (bar) && !gtk_revealer_get_child_revealed (bar);
}

static void test_sweep (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (folder, "sweep.webm", NULL);
  g_autoptr (GError) error = NULL;
  int n_changes;

  put_encoder ("#!/bin/sh\nfor last; do :; done\nexec cat >\"$last\"\n");
  fixture_activate (window, "present");
  fixture_draw (window);
  int width = 2 * ((gtk_widget_get_width (GTK_WIDGET (window)) + 1) / 2);
  int height = 2 * ((gtk_widget_get_height (GTK_WIDGET (window)) + 1) / 2);
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  g_assert_no_error (error);
  g_assert_true (is_recording (window));
  fixture_until (bar_is_away, find_bar (window)); /* the film begins then */
  double seconds = sweep (window, 1.5);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS)); /* it is not whole */
  fixture_activate (window, "record");
  fixture_until (is_over, window);
  g_assert_false (is_recording (window));
  g_assert_nonnull (strstr (hl_window_banner (window), path));
  int n = read_film (path, width, height, &n_changes);
  g_assert_cmpfloat (fabs (n / (double)RATE_HZ - seconds), <=, 0.25);
  g_assert_cmpint (n_changes, >=, 2);
  g_unlink (path);
  fixture_activate (window, "present");

  /* closed meanwhile: what was taken is there */
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  sweep (window, 0.3);
  fixture_close (window);
  g_assert_cmpint (read_film (path, width, height, &n_changes), >=, 1);
  g_unlink (path);
}

static gboolean film_has_grown (gpointer path) {
  g_autofree char *part = g_strconcat (path, ".part", NULL);
  GStatBuf now;
  return g_stat (part, &now) == 0 && now.st_size > 0;
}

/* The bar of the lecture hall goes when a film begins, and no frame has it: none is taken before it is away. Text that was
 * selected before is not. */
static void test_without_bar (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (folder, "bar.webm", NULL);
  g_autoptr (GError) error = NULL;

  put_encoder ("#!/bin/sh\nfor last; do :; done\nexec cat >\"$last\"\n");
  fixture_activate (window, "present");
  fixture_draw (window);
  GtkWidget *bar = find_bar (window);
  g_assert_true (gtk_revealer_get_reveal_child (GTK_REVEALER (bar)));
  GtkWidget *entry = fixture_find (window_part (window, "slider_panel"), GTK_TYPE_TEXT);
  gtk_widget_grab_focus (entry);
  gtk_editable_select_region (GTK_EDITABLE (entry), 0, -1);
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  g_assert_no_error (error);
  g_assert_false (gtk_editable_get_selection_bounds (GTK_EDITABLE (entry), NULL, NULL));
  g_assert_false (gtk_revealer_get_reveal_child (GTK_REVEALER (bar)));
  g_assert_false (film_has_grown (path));
  fixture_until (bar_is_away, bar);
  hl_editing_set_numbers (hl_workbench_editing (hl_window_workbench (window)),
                          (const char *const[]){"cyl.friction.scale", NULL}, 0.2, NULL, NULL);
  fixture_until (film_has_grown, path);
  fixture_activate (window, "record");
  fixture_until (is_over, window);
  g_unlink (path);
  fixture_close (window);
}

static gboolean has_counted (gpointer sign) {
  return strstr (gtk_button_get_label (sign), "0:01") != NULL;
}

/* Wherever the window is, it says that it is filmed, since when, and a press ends the film. */
static void test_sign (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (folder, "sign.webm", NULL);
  GtkButton *sign = GTK_BUTTON (window_part (window, "recording_button"));
  g_autoptr (GError) error = NULL;

  put_encoder ("#!/bin/sh\nfor last; do :; done\nexec cat >\"$last\"\n");
  g_assert_false (gtk_widget_get_mapped (window_part (window, "recording_button")));
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  fixture_draw (window);
  g_assert_true (gtk_widget_get_mapped (window_part (window, "recording_button")));
  g_assert_nonnull (strstr (gtk_button_get_label (sign), "0:00"));
  fixture_activate (window, "present");
  fixture_draw (window);
  g_assert_true (gtk_widget_get_mapped (window_part (window, "recording_button")));
  fixture_activate (window, "present");
  fixture_until (has_counted, sign);
  g_signal_emit_by_name (sign, "clicked");
  fixture_until (is_over, window);
  fixture_draw (window);
  g_assert_false (gtk_widget_get_mapped (window_part (window, "recording_button")));
  g_unlink (path);
  fixture_close (window);
}

static void test_gives_up (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (folder, "none.webm", NULL);
  g_autofree char *old = g_strdup (g_getenv ("PATH"));
  g_autoptr (GError) error = NULL;

  put_encoder ("#!/bin/sh\nexit 1\n");
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  sweep (window, 0.5);
  if (is_recording (window))
    fixture_activate (window, "record");
  fixture_until (is_over, window);
  g_assert_nonnull (strstr (hl_window_banner (window), "ffmpeg"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  g_autofree char *encoder = g_build_filename (folder, "ffmpeg", NULL);
  g_unlink (encoder);
  g_setenv ("PATH", folder, TRUE);
  g_assert_false (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  g_assert_nonnull (strstr (error->message, "ffmpeg"));
  fixture_activate (window, "record");
  g_assert_false (is_recording (window));
  g_assert_nonnull (strstr (hl_window_banner (window), "ffmpeg"));
  g_setenv ("PATH", old, TRUE);
  fixture_close (window);
}

/* An encoder that reads nothing: the recording ends with a word of it, and a window that is closed meanwhile does not
 * wait for long. */
static void test_does_not_read (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");
  g_autofree char *path = g_build_filename (folder, "none.webm", NULL);
  g_autoptr (GError) error = NULL;

  put_encoder ("#!/bin/sh\nexec sleep 600\n");
  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  for (int k = 0; k < 14 && is_recording (window); k++)
    sweep (window, 1.0);
  fixture_until (is_over, window);
  g_assert_nonnull (strstr (hl_window_banner (window), "ffmpeg"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  g_assert_true (hl_transport_bar_record (window_part (window, "transport"), path, &error));
  sweep (window, 0.5);
  gint64 began_us = g_get_monotonic_time ();
  fixture_close (window);
  g_assert_cmpint (g_get_monotonic_time () - began_us, <, 8 * G_USEC_PER_SEC);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int main (int argc, char **argv) {
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  folder = g_dir_make_tmp ("hl-record-XXXXXX", NULL);
  g_autofree char *path = g_strconcat (folder, ":", g_getenv ("PATH"), NULL);
  g_setenv ("PATH", path, TRUE);
  g_test_add_func ("/window-film/a-sign-tells-of-it-and-ends-it", test_sign);
  g_test_add_func ("/window-film/without-the-bar", test_without_bar);
  g_test_add_func ("/window-film/sweep-in-the-lecture-hall-keeps-time", test_sweep);
  g_test_add_func ("/window-film/an-encoder-that-gives-up-is-told-of", test_gives_up);
  g_test_add_func ("/window-film/an-encoder-that-does-not-read-holds-nothing-up", test_does_not_read);
  int status = g_test_run ();
  g_rmdir (folder);
  g_free (folder);
  g_object_unref (application);
  return status;
}
