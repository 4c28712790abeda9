/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-model-thumbnail.h"

#include "ui/paint/page/hl-page-export.h"
#include "ui/paint/page/hl-model-picture.h"
#include "ui/widget/hl-widget-style.h"

#define MARGIN_PX 6.0

static void draw_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer picture) {
  HlStyle style = hl_widget_style (GTK_WIDGET (widget));
  HlRect page = {MARGIN_PX, MARGIN_PX, width - 2 * MARGIN_PX, height - 2 * MARGIN_PX};

  hl_paint_background (cr, 0, 0, width, height, &style);
  hl_model_picture_paint (cr, page, &style, picture);
}

GtkWidget *hl_thumbnail_new (const HlDocument *document, int width, int height) {
  GtkWidget *widget = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (widget), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, hl_model_picture_new (document),
                                  (GDestroyNotify)hl_model_picture_free);
  return widget;
}
