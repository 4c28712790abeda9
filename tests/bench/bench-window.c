/* SPDX-License-Identifier: MIT */
/* The frame-rate promise in the real window: the friction slider is dragged over its range, one
 * step a frame, and it is measured how long frames take and how long a step waits until the trace
 * that answers it is on the screen. Before it a file is opened in a program that has just begun (its
 * types, fonts and icons are not there yet), and behind it once more. */
#include "app/window/hl-application.h"
#include "app/window/hl-memory-reserve.h"
#include "app/window/hl-window-private.h"
#include "tests/ui/window-widgets.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define STEPS 240
#define FROM 0.75 /* friction x 1 */
#define TO 0.50   /* friction x 0.1 */
#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define SKIPPED 77

typedef struct {
  HlWindow *window;
  GtkRange *slider;
  int step;
} Drag;

static void settle (HlWindow *window) {
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  while (!hl_window_is_settled (window) && g_get_monotonic_time () < deadline)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
}

/* Passes a pointer event to the widget at the beginning of a frame, before anything is updated. */
static void before_paint_cb (GdkFrameClock *clock, Drag *drag) {
  if (drag->step > STEPS)
    return;
  double way = fabs (2.0 * drag->step / STEPS - 1); /* there and back */
  gtk_range_set_value (drag->slider, TO + (FROM - TO) * way);
  drag->step++;
}

static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  return G_SOURCE_CONTINUE;
}

/* Returns the processor time of this thread: the cost of a frame, whatever else the machine does. */
static double thread_seconds (void) {
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Opens a file and waits for the first frame of its window. */
static HlWindow *open_file (HlApplication *application, GFile *file, const char *when) {
  gint64 began = g_get_monotonic_time ();
  double cpu = thread_seconds ();
  HlWindow *window = HL_WINDOW (hl_application_open_window (application, file));

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  printf ("window: file to first frame %.0f ms, processor time %.0f ms (%s)\n",
          1e-3 * (double)(g_get_monotonic_time () - began), 1e3 * (thread_seconds () - cpu), when);
  return window;
}

static GtkRange *first_scale (GtkWidget *root) {
  GtkRange *found = GTK_IS_SCALE (root) ? GTK_RANGE (root) : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = first_scale (child);
  return found;
}

int main (void) {
  hl_memory_prepare ();        /* as the program does */
  g_set_prgname ("hydrolink"); /* the list of recent files needs one */
  if (!gtk_init_check ())
    return SKIPPED;
  g_autoptr (HlApplication) application = hl_application_new (TRUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  g_autofree char *path = g_build_filename (g_getenv ("HL_EXAMPLES_DIR"), "four-bar.hydrolink", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  HlWindow *window = open_file (application, file, "cold");
  settle (window);

  hl_side_pane_show_tab (window_part (window, "side"), "locus");
  settle (window);
  Drag drag = {window, first_scale (GTK_WIDGET (window_part (window, "slider_panel"))), 0};
  HlFrameMeter *meter = window->meter;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  gulong handler = g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), &drag);
  guint tick = gtk_widget_add_tick_callback (GTK_WIDGET (window), tick_cb, NULL, NULL);
  hl_frame_meter_reset (meter);
  double cpu = thread_seconds ();
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  while (drag.step <= STEPS && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  cpu = thread_seconds () - cpu;
  HlFrameTimes frames = hl_frame_meter_frames (meter);
  HlFrameTimes latencies = hl_frame_meter_latencies (meter);
  g_signal_handler_disconnect (clock, handler);
  gtk_widget_remove_tick_callback (GTK_WIDGET (window), tick);

  printf ("window: a frame while the friction slider is dragged: median %.1f ms, 95 %% %.1f ms (%d)\n",
          frames.median_ms, frames.p95_ms, frames.n);
  printf ("window: processor time of the window's thread a frame: %.1f ms\n", 1e3 * cpu / STEPS);
  printf ("window: slider event to the frame with its trace: median %.1f ms, 95 %% %.1f ms (%d)\n",
          latencies.median_ms, latencies.p95_ms, latencies.n);
  gtk_window_destroy (GTK_WINDOW (open_file (application, file, "warm")));
  gtk_window_destroy (GTK_WINDOW (window));
  return 0;
}
