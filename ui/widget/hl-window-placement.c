/* SPDX-License-Identifier: MIT */
/* GTK 4 cannot move windows, but an X server can. Window managers centre a window over its parent, on just
 * the widget that it explains. */
#include "ui/widget/hl-window-placement.h"

#include "ui/paint/base/hl-view-transform.h"

#include <math.h>

#ifdef GDK_WINDOWING_X11
#include <gdk/x11/gdkx.h>

#define SETTLE_MS 60 /* the window manager has framed it by then */
#define N_PLACES 6

typedef struct {
  GtkWindow *window;    /* weak */
  GtkWidget *explained; /* weak */
} Placing;

static void free_placing (gpointer data) {
  Placing *placing = data;

  g_clear_weak_pointer (&placing->window);
  g_clear_weak_pointer (&placing->explained);
  g_free (placing);
}

/* Returns the origin of a window's contents on the screen. */
static HlSpot origin_of (GtkWindow *window) {
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  Display *display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));
  double dx, dy;
  int x = 0, y = 0;
  Window child;

  XTranslateCoordinates (display, gdk_x11_surface_get_xid (surface), DefaultRootWindow (display), 0, 0, &x,
                         &y, &child);
  int scale = gdk_surface_get_scale_factor (surface);
  gtk_native_get_surface_transform (GTK_NATIVE (window), &dx, &dy);
  return (HlSpot){(double)x / scale + dx, (double)y / scale + dy};
}

static double overlap (HlRect a, HlRect b) {
  double width = fmin (a.x + a.width, b.x + b.width) - fmax (a.x, b.x);
  double height = fmin (a.y + a.height, b.y + b.height) - fmax (a.y, b.y);

  return width > 0 && height > 0 ? width * height : 0;
}

static HlRect screen_of (GtkWindow *window) {
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GdkMonitor *monitor = gdk_display_get_monitor_at_surface (gdk_surface_get_display (surface), surface);
  GdkRectangle area = {0, 0, 0, 0};

  if (monitor != NULL)
    gdk_x11_monitor_get_workarea (monitor, &area);
  return (HlRect){area.x, area.y, area.width, area.height};
}

static void move_window (GtkWindow *window, HlSpot to) {
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  int scale = gdk_surface_get_scale_factor (surface);

  XMoveWindow (gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface)),
               gdk_x11_surface_get_xid (surface), (int)to.x * scale, (int)to.y * scale);
}

/* Places the window beside the other one, right and left, then in the corners of the screen: the first place
 * that hides least. */
static gboolean place_cb (gpointer data) {
  Placing *placing = data;
  GtkWindow *window = placing->window;
  GtkWindow *owner = window != NULL ? gtk_window_get_transient_for (window) : NULL;
  graphene_rect_t bounds;

  if (owner == NULL || placing->explained == NULL || !gtk_widget_get_mapped (GTK_WIDGET (window)) ||
      !gtk_widget_get_mapped (GTK_WIDGET (owner)) ||
      !gtk_widget_compute_bounds (placing->explained, GTK_WIDGET (owner), &bounds))
    return G_SOURCE_REMOVE;
  HlSpot at = origin_of (owner);
  HlRect screen = screen_of (owner);
  HlRect other = {at.x, at.y, gtk_widget_get_width (GTK_WIDGET (owner)),
                  gtk_widget_get_height (GTK_WIDGET (owner))};
  HlRect keep = {at.x + bounds.origin.x, at.y + bounds.origin.y, bounds.size.width, bounds.size.height};
  /* the surface may not have its size yet */
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  int requested_width, requested_height;
  gtk_window_get_default_size (window, &requested_width, &requested_height);
  double width = MAX (gdk_surface_get_width (surface), requested_width);
  double height = MAX (gdk_surface_get_height (surface), requested_height);
  double right = screen.x + screen.width - width, low = screen.y + screen.height - height;
  HlSpot places[N_PLACES] = {{other.x + other.width, other.y},
                             {other.x - width, other.y},
                             {screen.x, screen.y},
                             {right, screen.y},
                             {screen.x, low},
                             {right, low}};
  double least = INFINITY;
  HlSpot best = places[2];
  for (int k = 0; k < N_PLACES; k++) {
    gboolean is_on_screen = places[k].x >= screen.x && places[k].x <= right + 0.5 &&
                            places[k].y >= screen.y && places[k].y <= low + 0.5;
    double hidden = overlap ((HlRect){places[k].x, places[k].y, width, height}, keep);
    if (is_on_screen && hidden < least) {
      least = hidden;
      best = places[k];
    }
  }
  if (isfinite (least))
    move_window (window, best);
  return G_SOURCE_REMOVE;
}

static void mapped_cb (GtkWidget *window, Placing *placing) {
  g_signal_handlers_disconnect_by_func (window, mapped_cb, placing);
  g_timeout_add_full (G_PRIORITY_DEFAULT, SETTLE_MS, place_cb, placing, free_placing);
}
#endif

void hl_window_placement_present (GtkWindow *window, GtkWidget *explained) {
#ifdef GDK_WINDOWING_X11
  if (GDK_IS_X11_DISPLAY (gtk_widget_get_display (GTK_WIDGET (window)))) {
    Placing *placing = g_new0 (Placing, 1);
    g_set_weak_pointer (&placing->window, window);
    g_set_weak_pointer (&placing->explained, explained);
    g_signal_connect_after (window, "map", G_CALLBACK (mapped_cb), placing);
  }
#endif
  gtk_window_present (window);
}
