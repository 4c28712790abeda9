/* SPDX-License-Identifier: MIT */
/* The scenes are made at the first drawing, so that a long list of models opens at once. */
#include "ui/widget/hl-thumbnail.h"

#include "ui/widget/hl-look.h"
#include "ui/paint/page/hl-figure.h"
#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"

#define CIRCUIT_LINES 0.62 /* of a canvas' widths */
#define LINKAGE_LINES 0.42
#define MARGIN_PX 6.0

typedef struct
{
  HlDocument *document;
  HlLinkageScene *linkage; /* NULL until it is drawn */
  HlCircuitScene *circuit;
} HlThumbnail;

static void
thumbnail_free (gpointer data)
{
  HlThumbnail *self = data;

  hl_document_unref (self->document);
  g_clear_pointer (&self->linkage, hl_linkage_scene_free);
  g_clear_pointer (&self->circuit, hl_circuit_scene_free);
  g_free (self);
}

static void
paint_linkage (HlThumbnail *self, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HlInstant start = {NULL, 0};

  if (self->linkage == NULL)
    self->linkage = hl_linkage_scene_new ();
  HlMechanismPicture picture =
      *hl_linkage_scene_update (self->linkage, self->document, &start, NULL);
  HlStyle fine = hl_style_scaled (style, LINKAGE_LINES);
  picture.plain = TRUE;
  picture.show_grid = FALSE;
  hl_figure_paint_mechanism (cr, area, &fine, &picture);
}

static void
paint_circuit (HlThumbnail *self, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HlInstant start = {NULL, 0};

  if (self->circuit == NULL)
    self->circuit = hl_circuit_scene_new ();
  HlCircuitPicture picture =
      *hl_circuit_scene_update (self->circuit, self->document, &start, NULL, NULL);
  picture.plain = TRUE;
  HlStyle fine = hl_style_scaled (style, CIRCUIT_LINES);
  picture.show_grid = FALSE;
  hl_figure_paint_circuit (cr, area, &fine, &picture);
}

/* A sheet of dots: there is nothing on it yet. */
static void
paint_blank (cairo_t *cr, HlRect area, const HlStyle *style)
{
  const double pitch = 14.0;

  hl_color_set (cr, style->grid);
  for (double y = area.y + pitch / 2; y < area.y + area.height; y += pitch)
    for (double x = area.x + pitch / 2; x < area.x + area.width; x += pitch)
      cairo_rectangle (cr, x, y, 1.0, 1.0);
  cairo_fill (cr);
}

static void
draw_cb (GtkDrawingArea *widget, cairo_t *cr, int width, int height, gpointer data)
{
  HlThumbnail *self = data;
  HlStyle style = hl_look_style (GTK_WIDGET (widget));
  HlRect page = {MARGIN_PX, MARGIN_PX, width - 2 * MARGIN_PX, height - 2 * MARGIN_PX};
  gboolean has_linkage = hl_document_n_elements (self->document, HL_SECTION_BODIES) > 0;
  gboolean has_circuit = hl_document_n_elements (self->document, HL_SECTION_COMPONENTS) > 0;
  double half = 0.5 * page.width;

  hl_paint_background (cr, 0, 0, width, height, &style);
  if (!has_linkage && !has_circuit)
    paint_blank (cr, page, &style);
  else if (!has_circuit)
    paint_linkage (self, cr, page, &style);
  else if (!has_linkage)
    paint_circuit (self, cr, page, &style);
  else {
    paint_linkage (self, cr, (HlRect){page.x, page.y, half, page.height}, &style);
    paint_circuit (self, cr, (HlRect){page.x + half, page.y, half, page.height}, &style);
  }
}

GtkWidget *
hl_thumbnail_new (const HlDocument *document, int width, int height)
{
  GtkWidget *widget = gtk_drawing_area_new ();
  HlThumbnail *self = g_new0 (HlThumbnail, 1);

  self->document = hl_document_ref (document);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (widget), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (widget), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (widget), draw_cb, self, thumbnail_free);
  return widget;
}
