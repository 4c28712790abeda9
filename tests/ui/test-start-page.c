/* SPDX-License-Identifier: MIT */
/* The start page of a program without a file: cards that lead somewhere, lessons with their progress, and a machine that
 * moves until somebody does something, and costs nothing afterwards. */
#include "app/window/hl-lesson-side-pane.h"
#include "app/window/hl-start-page.h"
#include "tests/ui/window-fixture.h"
#include "ui/workbench/hl-document-editing.h"

#include <glib/gstdio.h>
#include <string.h>

#define IDLE_US (400 * 1000) /* that nothing of the page may ask for a frame in */
#define MOTION_S 20          /* the longest motion */

static HlApplication *application;

static void set_animations (gboolean on) {
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", on, NULL);
}

static HlWindow *window_left (void) {
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    if (HL_IS_WINDOW (at->data))
      return at->data;
  g_error ("no window of a model");
}

static gboolean has_window (gpointer none) {
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    if (HL_IS_WINDOW (at->data))
      return TRUE;
  return FALSE;
}

static HlStartPage *open_page (void) {
  HlStartPage *page = hl_start_page_present (application);

  fixture_draw (page);
  return page;
}

/* Each card leads to what it says, and the page goes. */
static void test_cards (void) {
  static const struct {
    const char *button, *arrangement;
    gboolean has_lesson;
    int n_bodies;
  } cards[] = {{"Drive", "drive", FALSE, 2},
               {"Begin", "draw", TRUE, 3},
               {"Empty model", "draw", FALSE, 0},
               {"Step by step", "draw", TRUE, 0}};

  for (gsize k = 0; k < G_N_ELEMENTS (cards); k++) {
    HlStartPage *page = open_page ();
    gpointer gone = page;
    g_object_add_weak_pointer (G_OBJECT (page), &gone);
    fixture_press (page, cards[k].button);
    fixture_until (has_window, NULL);
    fixture_until_gone (&gone);
    HlWindow *window = window_left ();
    fixture_until_settled (window);
    g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "arrangement");
    g_assert_cmpstr (g_variant_get_string (state, NULL), ==, cards[k].arrangement);
    g_assert_cmpint (hl_lesson_files_pane (window->lessons) != NULL, ==, cards[k].has_lesson);
    g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_BODIES), ==,
                     cards[k].n_bodies);
    fixture_close (window);
  }
}

/* --- the machine that moves --- */

static gboolean is_ticking (gpointer page) {
  return hl_start_page_is_moving (page) && GTK_IS_WIDGET (page);
}

static void count_cb (GdkFrameClock *clock, int *n) {
  (*n)++;
}

/* Frames that the page asks for within some time. */
static int frames_within (HlStartPage *page, gint64 microseconds) {
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (page));
  gint64 until = g_get_monotonic_time () + microseconds;
  int n = 0;
  gulong id = g_signal_connect (clock, "paint", G_CALLBACK (count_cb), &n);

  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_signal_handler_disconnect (clock, id);
  return n;
}

static void test_without_animations (void) {
  set_animations (FALSE);
  HlStartPage *page = open_page ();

  g_assert_false (hl_start_page_is_moving (page));
  frames_within (page, IDLE_US); /* what the first frames left */
  g_assert_cmpint (frames_within (page, IDLE_US), ==, 0);
  gtk_window_destroy (GTK_WINDOW (page));
}

static gboolean is_still (gpointer page) {
  return !hl_start_page_is_moving (page);
}

/* It moves by itself, ends by itself within the time that is given to it, and asks for no frame from then on. */
static void test_motion_ends (void) {
  set_animations (TRUE);
  HlStartPage *page = open_page ();
  gint64 began = g_get_monotonic_time ();

  g_assert_true (is_ticking (page));
  g_assert_cmpint (frames_within (page, 3 * IDLE_US), >, 3);
  fixture_until (is_still, page);
  g_assert_cmpint ((g_get_monotonic_time () - began) / G_USEC_PER_SEC, <=, MOTION_S + 2);
  set_animations (FALSE); /* of the theme, for the widgets */
  frames_within (page, IDLE_US);
  g_assert_cmpint (frames_within (page, IDLE_US), ==, 0);
  gtk_window_destroy (GTK_WINDOW (page));
}

/* --- lessons --- */

static void test_progress (void) {
  g_autoptr (GFile) lesson =
      g_file_new_for_uri ("resource://" HL_RESOURCE_BASE "/lessons/why-it-rings.hllesson");
  int at, n;

  HlWindow *window = fixture_open (application, NULL);
  hl_lesson_files_set_remembers (window->lessons, TRUE);
  hl_window_open_file (window, lesson);
  fixture_until_settled (window);
  hl_lesson_files_close (window->lessons); /* which keeps how far it went */
  fixture_close (window);
  g_assert_true (hl_lesson_files_progress (lesson, &at, &n));
  g_assert_cmpint (at, ==, 0);
  g_assert_cmpint (n, >, 3);

  HlStartPage *page = open_page ();
  g_autofree char *step = g_strdup_printf ("step 1 of %d", n);
  g_assert_cmpstr (fixture_said (page, "ring_note"), ==, step);
  g_assert_nonnull (fixture_find_label (fixture_child (page, "lessons"), step));
  gtk_window_destroy (GTK_WINDOW (page));
}

static int n_pages (void) {
  int n = 0;

  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    n += HL_IS_START_PAGE (at->data);
  return n;
}

/* The house in the header of a window shows the start page, one however often it is pressed; the model stays. */
static void test_house (void) {
  HlWindow *window = fixture_open (application, "four-bar.hydrolink");

  for (int press = 0; press < 2; press++) {
    g_signal_emit_by_name (window_part (window_part (window, "header"), "home_button"), "clicked");
    fixture_draw (window);
    g_assert_cmpint (n_pages (), ==, 1);
  }
  g_assert_cmpint (hl_document_n_elements (fixture_document (window), HL_SECTION_BODIES), ==, 3);
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    if (HL_IS_START_PAGE (at->data)) {
      gtk_window_destroy (at->data);
      break;
    }
  g_assert_cmpint (n_pages (), ==, 0);
  fixture_close (window);
}

int main (int argc, char **argv) {
  g_autofree char *folder = g_dir_make_tmp ("hl-start-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  application = fixture_begin (&argc, &argv);
  if (application == NULL)
    return FIXTURE_SKIPPED;
  g_test_add_func ("/start-page/cards", test_cards);
  g_test_add_func ("/start-page/house", test_house);
  g_test_add_func ("/start-page/without-animations-nothing-moves", test_without_animations);
  g_test_add_func ("/start-page/motion-ends", test_motion_ends);
  g_test_add_func ("/start-page/lessons-with-progress", test_progress);
  int status = g_test_run ();
  g_object_unref (application);
  return status;
}
