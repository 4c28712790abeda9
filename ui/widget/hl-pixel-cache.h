/* SPDX-License-Identifier: MIT */
/* Image cache of a painter for a widget. The picture is painted when its input has changed, and shown in
 * every later frame. A picture that takes long to paint is painted in its own iteration of the main loop, one
 * picture per iteration, while the previous picture stays, so that pointer and keys are handled in between,
 * however large the model is.
 *
 * Each picture carries the revision of what it shows. The revision grows with every call of
 * hl_pixels_queue_draw (), which is the only way to have a widget drawn in this program
 * (tests/test-layering.py), so a picture that was painted ahead of a change is painted again. */
#pragma once

#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <glib.h>
#include <gtk/gtk.h>

typedef struct {
  /* Returns a hash of the picture's inputs, without size and style. NULL: whatever makes the widget be drawn may have
   * changed it. */
  guint64 (*print) (GtkWidget *widget);
  void (*paint) (GtkWidget *widget, cairo_t *cr, HlRect area, const HlStyle *style);
  /* The same of what lies over the picture and changes more often, such as the marks of a tool: while the picture
   * below stays the same, it is copied and not painted again. Both NULL: nothing lies over it. */
  guint64 (*print_over) (GtkWidget *widget);
  void (*paint_over) (GtkWidget *widget, cairo_t *cr, HlRect area, const HlStyle *style);
} HlPixelsClass;

typedef struct HlPixels HlPixels;

/* Returns the cache of that widget (borrowed), which frees it. Pictures of a lower turn come before those of
 * a higher one. */
HlPixels *hl_pixels_new (GtkWidget *widget, const HlPixelsClass *klass, int turn);
void hl_pixels_free (HlPixels *pixels);
/* Shows the picture in the widget's snapshot, as large as the widget. */
void hl_pixels_show (HlPixels *pixels, GtkSnapshot *snapshot);
/* Requests that a widget draws in the next frame because its content has changed. Replaces
 * gtk_widget_queue_draw () everywhere. */
void hl_pixels_queue_draw (GtkWidget *widget);
/* Paints what the next snapshot shows, if that is short and the picture is not the present one: for a frame that
 * would only wait. */
void hl_pixels_prepare (HlPixels *pixels);
/* Returns the processor time that the frame has spent before its pictures are drawn, since hl_pixels_clock ()
 * was read [s]: the pictures share the rest of the frame. */
double hl_pixels_clock (void);
void hl_pixels_count (GtkWidget *widget, double since);
/* Returns whether the picture on the screen is out of date. */
gboolean hl_pixels_is_due (const HlPixels *pixels);
/* Returns whether painting takes long. */
gboolean hl_pixels_is_slow (const HlPixels *pixels);
/* Marks the next picture as slow, although the last one may have been fast. */
void hl_pixels_expect_slow (HlPixels *pixels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPixels, hl_pixels_free)

/* Hash of a picture's inputs: with the same hash it is not painted again. */

/* Mixes in a text (may be NULL), or a number rounded to steps. */
guint64 hl_fingerprint_text (guint64 print, const char *text);
guint64 hl_fingerprint_number (guint64 print, double number, double step);
