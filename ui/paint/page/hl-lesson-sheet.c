/* SPDX-License-Identifier: MIT */
#include "ui/paint/page/hl-lesson-sheet.h"

#include "core/base/hl-xml.h"
#include "ui/paint/page/hl-figure.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define WIDTH_MM 210.0
#define LEAST_MM 297.0
#define MARGIN_MM 20.0
#define FONT_PT 10.0
#define POINTS_PER_MM (72.0 / 25.4)

static PangoLayout *layout_new (cairo_t *cr, const char *text, double width, double size,
                                const char *family) {
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_from_string (family);
  const char *end = strchr (text, '\n');
  g_autofree char *title = end != NULL ? g_strndup (text, (gsize)(end - text)) : g_strdup (text);
  g_autoptr (GString) markup = g_string_new ("<span size=\"160%\" weight=\"bold\">");

  hl_xml_append (markup, HL_XML_CONTENT, title);
  g_string_append (markup, "</span>");
  hl_xml_append (markup, HL_XML_CONTENT, end);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_width (layout, (int)(width * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_line_spacing (layout, 1.2f);
  pango_layout_set_markup (layout, markup->str, (int)markup->len);
  pango_font_description_free (font);
  return layout;
}

static void paint (cairo_t *cr, HlRect area, const HlStyle *style, gpointer text) {
  double margin = MARGIN_MM / WIDTH_MM * area.width;
  PangoLayout *layout =
      layout_new (cr, text, area.width - 2.0 * margin, style->font_size, style->font_family);

  cairo_set_source_rgba (cr, style->ink.r, style->ink.g, style->ink.b, style->ink.a);
  cairo_move_to (cr, area.x + margin, area.y + margin);
  pango_cairo_show_layout (cr, layout);
  g_object_unref (layout);
}

/* [mm] */
static double height_of (const char *text) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  HlStyle style = hl_style_make (HL_STYLE_PRINT);
  PangoLayout *layout =
      layout_new (cr, text, (WIDTH_MM - 2.0 * MARGIN_MM) * POINTS_PER_MM, FONT_PT, style.font_family);
  PangoRectangle rectangle;

  pango_layout_get_extents (layout, NULL, &rectangle);
  g_object_unref (layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return (double)rectangle.height / PANGO_SCALE / POINTS_PER_MM + 2.0 * MARGIN_MM;
}

gboolean hl_lesson_sheet_save (const char *text, const char *path, GError **error) {
  HlFigureOptions options = hl_figure_options_default ();

  options.width_mm = WIDTH_MM;
  options.height_mm = fmax (LEAST_MM, ceil (1.03 * height_of (text)));
  options.font_size_pt = FONT_PT;
  return hl_figure_save (paint, (gpointer)text, path, &options, error);
}
