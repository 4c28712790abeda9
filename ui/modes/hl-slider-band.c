/* SPDX-License-Identifier: MIT */
#include "ui/modes/hl-slider-band.h"

#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>
#include <string.h>

#define THICK_PX 4.0
#define LEAST_PX 3.0 /* of a range that is a point */

typedef struct {
  double from, to;
} Ends;

struct _HlSliderBand {
  GtkDrawingArea parent_instance;
  GtkRange *range; /* below, as long as this */
  GArray *ends;    /* Ends */
};

G_DEFINE_FINAL_TYPE (HlSliderBand, hl_slider_band, GTK_TYPE_DRAWING_AREA)

static GtkWidget *find_node (GtkWidget *widget, const char *css_name) {
  GtkWidget *found = NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = strcmp (gtk_widget_get_css_name (child), css_name) == 0 ? child : find_node (child, css_name);
  return found;
}

/* Of trough and slider here; gtk_range_get_slider_range () of GTK 4.8 begins at the y of a horizontal
 * one. */
static gboolean find_parts (HlSliderBand *self, graphene_rect_t *trough, graphene_rect_t *slider) {
  GtkWidget *below = find_node (GTK_WIDGET (self->range), "trough");
  GtkWidget *knob = below != NULL ? find_node (below, "slider") : NULL;

  return knob != NULL && gtk_widget_compute_bounds (below, GTK_WIDGET (self), trough) &&
         gtk_widget_compute_bounds (knob, GTK_WIDGET (self), slider);
}

double hl_slider_band_x (HlSliderBand *self, double fraction) {
  graphene_rect_t trough, slider;

  if (!find_parts (self, &trough, &slider))
    return NAN;
  double at = gtk_range_get_value (self->range), middle = slider.origin.x + 0.5 * slider.size.width;
  /* margins of the slider let it stand over the ends of the trough */
  double reach =
      at > 0.5 ? (middle - trough.origin.x) / at : (trough.origin.x + trough.size.width - middle) / (1 - at);
  return at > 0.5 ? trough.origin.x + fraction * reach
                  : trough.origin.x + trough.size.width - (1 - fraction) * reach;
}

static void draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data) {
  HlSliderBand *self = HL_SLIDER_BAND (area);
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  graphene_rect_t trough, slider;

  if (self->ends->len == 0 || !find_parts (self, &trough, &slider))
    return;
  double start = slider.origin.x, end = start + slider.size.width;
  double y = trough.origin.y + 0.5 * (trough.size.height - THICK_PX);
  /* the slider itself stays on top */
  cairo_rectangle (cr, 0, 0, start, height);
  cairo_rectangle (cr, end, 0, width - end, height);
  cairo_clip (cr);
  hl_color_set (cr, style.good);
  for (guint i = 0; i < self->ends->len; i++) {
    const Ends *one = &g_array_index (self->ends, Ends, i);
    double x0 = hl_slider_band_x (self, one->from), x1 = hl_slider_band_x (self, one->to);
    double more = fmax (0.5 * (LEAST_PX - (x1 - x0)), 0.0);
    cairo_rectangle (cr, x0 - more, y, x1 - x0 + 2 * more, THICK_PX);
    cairo_fill (cr);
  }
}

static void hl_slider_band_finalize (GObject *object) {
  g_array_unref (HL_SLIDER_BAND (object)->ends);
  G_OBJECT_CLASS (hl_slider_band_parent_class)->finalize (object);
}

static void hl_slider_band_class_init (HlSliderBandClass *klass) {
  G_OBJECT_CLASS (klass)->finalize = hl_slider_band_finalize;
}

static void hl_slider_band_init (HlSliderBand *self) {
  self->ends = g_array_new (FALSE, FALSE, sizeof (Ends));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw_cb, NULL, NULL);
}

GtkWidget *hl_slider_band_new (GtkRange *range) {
  HlSliderBand *self = g_object_new (HL_TYPE_SLIDER_BAND, NULL);

  self->range = range;
  g_signal_connect_object (range, "value-changed", G_CALLBACK (hl_pixels_queue_draw), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void hl_slider_band_set (HlSliderBand *self, const double ends[][2], int n) {
  g_array_set_size (self->ends, 0);
  for (int i = 0; i < n; i++) {
    Ends one = {CLAMP (ends[i][0], 0, 1), CLAMP (ends[i][1], 0, 1)};
    g_array_append_val (self->ends, one);
  }
  hl_pixels_queue_draw (GTK_WIDGET (self));
}
