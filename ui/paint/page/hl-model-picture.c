/* SPDX-License-Identifier: MIT */
#include "ui/paint/page/hl-model-picture.h"

#include "ui/paint/circuit/hl-scene-circuit.h"
#include "ui/paint/linkage/hl-scene-linkage.h"
#include "ui/paint/page/hl-page-export.h"

#define CIRCUIT_LINES 0.62 /* of a canvas' widths */
#define LINKAGE_LINES 0.42
#define WIDE 1.3 /* a page that is wider, by its height, has them beside each other */

struct _HlModelPicture {
  HlDocument *document;
  HlLinkageScene *linkage; /* NULL until it is drawn */
  HlCircuitScene *circuit;
};

HlModelPicture *hl_model_picture_new (const HlDocument *document) {
  HlModelPicture *self = g_new0 (HlModelPicture, 1);

  self->document = hl_document_ref (document);
  return self;
}

void hl_model_picture_free (HlModelPicture *self) {
  if (self == NULL)
    return;
  hl_document_unref (self->document);
  g_clear_pointer (&self->linkage, hl_linkage_scene_free);
  g_clear_pointer (&self->circuit, hl_circuit_scene_free);
  g_free (self);
}

static void paint_linkage (HlModelPicture *self, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlInstant start = {NULL, 0};

  if (self->linkage == NULL)
    self->linkage = hl_linkage_scene_new ();
  HlMechanismPicture picture = *hl_linkage_scene_update (self->linkage, self->document, &start, NULL);
  HlStyle fine = hl_style_scaled (style, LINKAGE_LINES);
  picture.plain = TRUE;
  picture.show_grid = FALSE;
  hl_figure_paint_mechanism (cr, area, &fine, &picture);
}

static void paint_circuit (HlModelPicture *self, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlInstant start = {NULL, 0};

  if (self->circuit == NULL)
    self->circuit = hl_circuit_scene_new ();
  HlCircuitPicture picture = *hl_circuit_scene_update (self->circuit, self->document, &start, NULL, NULL);
  picture.plain = TRUE;
  HlStyle fine = hl_style_scaled (style, CIRCUIT_LINES);
  picture.show_grid = FALSE;
  hl_figure_paint_circuit (cr, area, &fine, &picture);
}

/* Paints a sheet of dots, for an empty model. */
static void paint_blank (cairo_t *cr, HlRect area, const HlStyle *style) {
  const double pitch = 14.0;

  hl_color_set (cr, style->grid);
  for (double y = area.y + pitch / 2; y < area.y + area.height; y += pitch)
    for (double x = area.x + pitch / 2; x < area.x + area.width; x += pitch)
      cairo_rectangle (cr, x, y, 1.0, 1.0);
  cairo_fill (cr);
}

void hl_model_picture_paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer picture) {
  HlModelPicture *self = picture;
  gboolean has_linkage = hl_document_n_elements (self->document, HL_SECTION_BODIES) > 0;
  gboolean has_circuit = hl_document_n_elements (self->document, HL_SECTION_COMPONENTS) > 0;
  HlRect first = area, second = area;

  if (area.width > WIDE * area.height) {
    first.width = second.width = 0.5 * area.width;
    second.x += first.width;
  } else {
    first.height = second.height = 0.5 * area.height;
    second.y += first.height;
  }
  if (!has_linkage && !has_circuit)
    paint_blank (cr, area, style);
  if (has_linkage)
    paint_linkage (self, cr, has_circuit ? first : area, style);
  if (has_circuit)
    paint_circuit (self, cr, has_linkage ? second : area, style);
}
