/* SPDX-License-Identifier: MIT */
/* Shows why the monkey makes no window smaller than its minimum size: GTK 4.8 alone, with a title bar over a
 * label with a margin, warns of negative sizes if the user does so anyway. No window manager does. If this
 * test fails, GTK has been corrected, and the limit in hl_xtest_input_resize may be removed. */
#include <X11/Xlib.h>
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>
#include <string.h>

#define SKIPPED 77
#define SETTLE_US (G_USEC_PER_SEC / 2)

static gboolean has_allocated, has_measured;

/* Counts the two warnings that the monkey had met; their number differs from window to window. */
static GLogWriterOutput write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields,
                                   gpointer data) {
  for (gsize i = 0; i < n_fields; i++) {
    if (strcmp (fields[i].key, "MESSAGE") != 0)
      continue;
    has_allocated = has_allocated || strstr (fields[i].value, "attempt to allocate") != NULL;
    has_measured = has_measured || strstr (fields[i].value, "for_size >= -1") != NULL;
  }
  return G_LOG_WRITER_HANDLED;
}

static GtkWindow *make_window (void) {
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *label = gtk_label_new ("some words that are wrapped where there is little room");

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_end (label, 12);
  gtk_box_append (GTK_BOX (box), label);
  gtk_window_set_titlebar (GTK_WINDOW (window), gtk_header_bar_new ());
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  return GTK_WINDOW (window);
}

static void settle (void) {
  gint64 began = g_get_monotonic_time ();

  while (g_get_monotonic_time () - began < SETTLE_US) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (1000);
  }
}

static void force (GtkWindow *window, guint width, guint height) {
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  Display *display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));

  XResizeWindow (display, gdk_x11_surface_get_xid (surface), width, height);
  XFlush (display);
  settle ();
}

int main (void) {
  g_log_set_writer_func (write_log, NULL, NULL);
  if (!gtk_init_check () || !GDK_IS_X11_DISPLAY (gdk_display_get_default ()))
    return SKIPPED;
  GtkWindow *window = make_window ();
  settle ();
  gboolean was_quiet = !has_allocated && !has_measured;
  force (window, 400, 1);
  force (window, 1, 400);
  gtk_window_destroy (window);
  g_print ("quiet before: %d, allocates: %d, measures: %d\n", was_quiet, has_allocated, has_measured);
  return was_quiet && has_allocated && has_measured ? 0 : 1;
}
