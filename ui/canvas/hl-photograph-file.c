/* SPDX-License-Identifier: MIT */
/* GTK's textures read the three formats. Their loaders believe any size that a file states: it is
 * looked at before they are let loose, and again at what they made. */
#include "ui/canvas/hl-photograph-file.h"

#include "core/base/hl-error.h"
#include "core/base/hl-i18n.h"
#include "core/io/hl-file-read.h"
#include "core/io/hl-picture-header.h"

#include <gdk/gdk.h>

static gboolean stop_cb (gpointer cancellable) {
  return g_cancellable_is_cancelled (cancellable);
}

static cairo_surface_t *surface_of (GdkTexture *texture) {
  int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy (surface);
    return NULL;
  }
  gdk_texture_download (texture, cairo_image_surface_get_data (surface),
                        (gsize)cairo_image_surface_get_stride (surface));
  cairo_surface_mark_dirty (surface);
  return surface;
}

cairo_surface_t *hl_photograph_read (const char *path, GCancellable *cancellable, GError **error) {
  HlPictureHeader header;
  gsize length;

  /* a few bytes first: most of what is refused is refused by them */
  if (!hl_picture_header_load (path, &header, error))
    return NULL;
  char *text = hl_file_read (path, HL_FILE_MOST_BYTES, stop_cb, cancellable, &length, error);
  if (text == NULL)
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, length);
  if (!hl_picture_header_parse ((const guint8 *)text, length, path, &header, error))
    return NULL;
  g_autoptr (GError) why = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_bytes (bytes, &why);
  cairo_surface_t *surface = texture != NULL ? surface_of (texture) : NULL;
  if (surface == NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_FILE, _ ("%s: cannot be read: %s"), path,
                 why != NULL ? why->message : _ ("there is not enough memory"));
  return surface;
}
