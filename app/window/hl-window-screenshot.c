/* SPDX-License-Identifier: MIT */
#include "app/window/hl-window-screenshot.h"

#include "app/window/hl-application.h"
#include "app/cli/hl-cli-private.h"
#include "core/base/hl-error.h"
#include "core/base/hl-translation-macros.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#define PATIENCE_S 120 /* a run that takes longer is pictured as far as it got */
#define SETTLED_FRAMES 3
#define SHOWN_AT 0.405 /* of the run: where the time cursor stands in the picture */

typedef struct {
  const char *file, *out;
  HlDocument *document; /* of the file, changed; NULL: it is not */
  int width, height;
  gboolean dark;
  HlWindow *window;
  int settled_frames;
  gint64 deadline_us;
  gboolean cursor_set;
  int code;
} Screenshot;

gboolean hl_screenshot_save (GtkWindow *window, const char *path, GError **error) {
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  int width = gdk_paintable_get_intrinsic_width (paintable);
  int height = gdk_paintable_get_intrinsic_height (paintable);
  float scale = (float)gtk_widget_get_scale_factor (GTK_WIDGET (window));

  gtk_snapshot_scale (snapshot, scale, scale); /* the pixels of the screen */
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, _ ("The window has not been painted yet"));
    return FALSE;
  }
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (renderer, node, NULL);
  gsk_render_node_unref (node);
  if (!gdk_texture_save_to_png (texture, path)) {
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be written"), path);
    return FALSE;
  }
  return TRUE;
}

static void finish_screenshot (Screenshot *shot) {
  g_autoptr (GError) error = NULL;

  if (!hl_screenshot_save (GTK_WINDOW (shot->window), shot->out, &error)) {
    hl_cli_say ("%s", error->message);
    shot->code = 1;
  }
  gtk_window_destroy (GTK_WINDOW (shot->window));
  shot->window = NULL;
}

/* Places the time cursor where the signals have just jumped, if they do, so that the picture shows motion. */
static void place_cursor (Screenshot *shot) {
  HlWorkbench *workbench = hl_window_workbench (shot->window);
  HlRuns *runs = hl_workbench_runs (workbench);
  HlSlider slider;

  hl_runs_set_time (runs, SHOWN_AT * hl_runs_t_end (runs));
  /* A reader wants to see the properties of the elements with sliders. */
  if (hl_document_slider (hl_editing_document (hl_workbench_editing (workbench)), 0, &slider)) {
    g_auto (GStrv) parts = g_strsplit (slider.path, ".", 2);
    hl_workbench_select (workbench, parts[0]);
  }
  shot->cursor_set = TRUE;
  shot->settled_frames = 0;
}

/* Counts frames, which are painted while the tick callback is installed; the last one is the picture. */
static gboolean tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  Screenshot *shot = data;
  gboolean settled = hl_window_is_settled (shot->window) || g_get_monotonic_time () > shot->deadline_us;

  shot->settled_frames = settled ? shot->settled_frames + 1 : 0;
  if (shot->settled_frames >= SETTLED_FRAMES && !shot->cursor_set)
    place_cursor (shot);
  return G_SOURCE_CONTINUE;
}

static void after_paint_cb (GdkFrameClock *clock, Screenshot *shot) {
  if (shot->window != NULL && shot->cursor_set && shot->settled_frames >= SETTLED_FRAMES)
    finish_screenshot (shot);
}

static void activate_cb (GApplication *application, Screenshot *shot) {
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (shot->file);

  /* Not the window that an activation opens. */
  g_signal_stop_emission_by_name (application, "activate");
  hl_application_set_dark (HL_APPLICATION (application), shot->dark);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  shot->window = hl_application_new_window (HL_APPLICATION (application));
  shot->deadline_us = g_get_monotonic_time () + (gint64)PATIENCE_S * G_USEC_PER_SEC;
  gtk_window_unmaximize (GTK_WINDOW (shot->window));
  gtk_window_set_default_size (GTK_WINDOW (shot->window), shot->width, shot->height);
  gtk_widget_add_css_class (GTK_WIDGET (shot->window), "screenshot");
  if (shot->document != NULL)
    hl_editing_open (hl_workbench_editing (hl_window_workbench (shot->window)),
                     hl_document_ref (shot->document), shot->file);
  else if (!hl_window_open_file (shot->window, file)) {
    hl_cli_say ("%s", hl_window_banner (shot->window));
    shot->code = 2;
    gtk_window_destroy (GTK_WINDOW (shot->window));
    return;
  }
  gtk_window_present (GTK_WINDOW (shot->window));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (shot->window));
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), shot);
  gtk_widget_add_tick_callback (GTK_WIDGET (shot->window), tick_cb, shot, NULL);
}

int hl_screenshot_run (const char *file, HlDocument *document, const char *out, int width, int height,
                       gboolean dark) {
  Screenshot shot = {
      .file = file, .document = document, .out = out, .width = width, .height = height, .dark = dark};
  char *no_arguments[] = {(char *)"hydrolink", NULL};

  if (!gtk_init_check ()) {
    g_printerr ("%s\n",
                _ ("hydrolink: screenshot needs a display; use a virtual display: xvfb-run hydrolink …"));
    return 1;
  }
  g_autoptr (HlApplication) application = hl_application_new (TRUE);
  g_signal_connect (application, "activate", G_CALLBACK (activate_cb), &shot);
  g_application_run (G_APPLICATION (application), 1, no_arguments);
  return shot.code;
}
