/* SPDX-License-Identifier: MIT */
#include "ui/inspector/hl-signal-sketch.h"

#include "core/compile/hl-signal-curve.h"
#include "core/base/hl-i18n.h"
#include "ui/widget/hl-look.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-pixels.h"
#include "ui/widget/hl-tooltip.h"

#include <math.h>

#define HEIGHT_PX 48
#define MARGIN_PX 5.0
#define DIGITS 4

typedef struct
{
  HlWorkbench *workbench; /* borrowed: the inspector that shows the picture keeps it */
  char *id, *where;
  HlQuantity quantity;
} Sketch;

static void
sketch_free (gpointer data)
{
  Sketch *self = data;

  g_free (self->id);
  g_free (self->where);
  g_free (self);
}

static int
points_of (const Sketch *self, double **t, double **y)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));
  const HlValue *element = hl_document_find (document, self->id, NULL, NULL);

  return hl_signal_curve (hl_value_at (element, self->where),
                          hl_document_object_number (document, HL_SECTION_SIMULATION, "t_end"), t,
                          y);
}

/* Zero is in sight where the signal comes near it; a constant lies in the middle. */
static void
find_range (const double y[], int n, double *low, double *high)
{
  *low = *high = y[0];
  for (int k = 1; k < n; k++) {
    *low = fmin (*low, y[k]);
    *high = fmax (*high, y[k]);
  }
  double span = *high - *low;
  if (*low > 0.0 && *low < span)
    *low = 0.0;
  if (*high < 0.0 && -*high < span)
    *high = 0.0;
  if (!(*high > *low)) {
    *low -= 1.0;
    *high += 1.0;
  }
}

static void
draw_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data)
{
  HlStyle style = hl_look_style (GTK_WIDGET (widget));
  g_autofree double *t = NULL;
  g_autofree double *y = NULL;
  int n = points_of (data, &t, &y);
  double w = width - 2 * MARGIN_PX, h = height - 2 * MARGIN_PX, low, high;

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (n == 0 || w <= 0.0 || h <= 0.0)
    return;
  find_range (y, n, &low, &high);
  if (low <= 0.0 && high >= 0.0) {
    double zero = floor (MARGIN_PX + h * high / (high - low)) + 0.5;
    hl_color_set (cr, style.grid);
    cairo_set_line_width (cr, style.hair_width);
    cairo_move_to (cr, 0, zero);
    cairo_line_to (cr, width, zero);
    cairo_stroke (cr);
  }
  for (int k = 0; k < n; k++)
    cairo_line_to (cr, MARGIN_PX + w * t[k] / t[n - 1],
                   MARGIN_PX + h * (high - y[k]) / (high - low));
  hl_color_set (cr, style.trace[0]);
  cairo_set_line_width (cr, style.trace_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
}

/* "0 N·m to 250 N·m in 4 s": the picture in words. */
static void
describe (GtkWidget *widget, const Sketch *self)
{
  HlUnits units = hl_workbench_units (self->workbench);
  g_autofree double *t = NULL;
  g_autofree double *y = NULL;
  int n = points_of (self, &t, &y);
  double low = NAN, high = NAN;

  for (int k = 0; k < n; k++) {
    low = fmin (low, y[k]);
    high = fmax (high, y[k]);
  }
  g_autofree char *least = hl_units_format (units, self->quantity, low, DIGITS);
  g_autofree char *most = hl_units_format (units, self->quantity, high, DIGITS);
  g_autofree char *end = hl_units_format (units, HL_QUANTITY_TIME, n > 0 ? t[n - 1] : 0, DIGITS);
  g_autofree char *text = n == 0        ? g_strdup (_ ("This signal cannot be drawn yet"))
                          : low == high ? g_strdup_printf (_ ("%s for %s"), least, end)
                                        : g_strdup_printf (_ ("%s to %s in %s"), least, most, end);

  hl_tooltip_set (widget, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Signal over time"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
  hl_pixels_queue_draw (widget);
}

static void
changed_cb (HlWorkbench *workbench, guint changes, GtkWidget *widget)
{
  if (changes & (HL_CHANGED_DOCUMENT | HL_CHANGED_NUMBERS | HL_CHANGED_UNITS))
    describe (widget, g_object_get_data (G_OBJECT (widget), "hl-sketch"));
}

GtkWidget *
hl_signal_sketch_new (HlWorkbench *workbench,
                      const char *id,
                      const char *where,
                      HlQuantity quantity)
{
  GtkWidget *widget = gtk_drawing_area_new ();
  Sketch *self = g_new0 (Sketch, 1);

  self->workbench = workbench;
  self->id = g_strdup (id);
  self->where = g_strdup (where);
  self->quantity = quantity;
  g_object_set_data_full (G_OBJECT (widget), "hl-sketch", self, sketch_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, self, NULL);
  gtk_widget_add_css_class (widget, "sketch");
  gtk_widget_set_hexpand (widget, TRUE);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), widget, 0);
  describe (widget, self);
  return widget;
}
