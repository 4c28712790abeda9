/* SPDX-License-Identifier: MIT */
#include "tests/ui/save-window-picture.h"

#define BELOW_HEADER 54 /* px: where a window that is opened may begin */
#define SIDE_PX 16      /* from the edge of the window below it */

static cairo_surface_t *picture_of (gpointer native) {
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (native);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, gdk_paintable_get_intrinsic_width (paintable),
                          gdk_paintable_get_intrinsic_height (paintable));
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (gtk_native_get_renderer (native), node, NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, gdk_texture_get_width (texture),
                                                         gdk_texture_get_height (texture));
  gdk_texture_download (texture, cairo_image_surface_get_data (surface),
                        (gsize)cairo_image_surface_get_stride (surface));
  cairo_surface_mark_dirty (surface);
  gsk_render_node_unref (node);
  return surface;
}

static void lay_over (cairo_t *cr, gpointer native, double x, double y, gboolean framed) {
  cairo_surface_t *picture = picture_of (native);

  if (framed) {
    cairo_rectangle (cr, x - 0.5, y - 0.5, cairo_image_surface_get_width (picture) + 1,
                     cairo_image_surface_get_height (picture) + 1);
    cairo_set_source_rgb (cr, 0.45, 0.45, 0.45);
    cairo_set_line_width (cr, 1);
    cairo_stroke (cr);
  }
  cairo_set_source_surface (cr, picture, x, y);
  cairo_paint (cr);
  cairo_surface_destroy (picture);
}

/* Windows over the window: at the right, where they hide least of what they explain. */
static void lay_windows_over (cairo_t *cr, HlWindow *window) {
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();

  for (GList *at = toplevels; at != NULL; at = at->next) {
    if (at->data == window || !gtk_widget_get_mapped (at->data))
      continue;
    double width = gtk_widget_get_width (at->data), height = gtk_widget_get_height (at->data);
    lay_over (cr, at->data, gtk_widget_get_width (GTK_WIDGET (window)) - width - SIDE_PX,
              MAX (gtk_widget_get_height (GTK_WIDGET (window)) - height - 3 * SIDE_PX, BELOW_HEADER), TRUE);
  }
}

static void lay_popovers_over (cairo_t *cr, GtkWidget *widget) {
  if (GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget)) {
    GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (widget));
    lay_over (cr, widget, gdk_popup_get_position_x (GDK_POPUP (surface)),
              gdk_popup_get_position_y (GDK_POPUP (surface)), FALSE);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    lay_popovers_over (cr, child);
}

void gallery_save (HlWindow *window, const char *name, gboolean dark) {
  g_autofree char *file = g_strdup_printf ("%s-%s.png", name, dark ? "dark" : "light");
  g_autofree char *path = g_build_filename (g_getenv ("HL_PICTURES_DIR"), file, NULL);
  cairo_surface_t *picture = picture_of (window);
  cairo_t *cr = cairo_create (picture);

  lay_windows_over (cr, window);
  lay_popovers_over (cr, GTK_WIDGET (window));
  cairo_destroy (cr);
  g_assert_cmpint (cairo_surface_write_to_png (picture, path), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_destroy (picture);
  g_print ("%s\n", file);
}
