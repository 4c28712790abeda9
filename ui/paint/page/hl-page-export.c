/* SPDX-License-Identifier: MIT */
/* Pages: cairo's SVG, PDF and PNG writers into memory, then one atomic write. One user unit is a
 * point of 1/72 inch; a style is made so that its body text has the requested size in points. */
#include "ui/paint/page/hl-page-export.h"

#include "core/base/hl-error.h"
#include "core/base/hl-text-escape.h"
#include "core/base/hl-number-format.h"
#include "core/io/hl-json-text.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <pango/pangocairo.h>

#include <math.h>
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
  hl_text_show_layout (cr, layout);
  g_object_unref (layout);
}

/* Returns the height of a text [mm]. */
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

#define MAX_PIXELS 30000.0 /* cairo's image surfaces end at 32767 */

HlFigureOptions hl_figure_options_default (void) {
  return (HlFigureOptions){
      .width_mm = 160.0, .height_mm = 90.0, .dpi = 192.0, .font_size_pt = 8.0, .style = HL_STYLE_PRINT};
}

gboolean hl_figure_format_from_name (const char *file_name, HlFigureFormat *format) {
  static const struct {
    const char *ending;
    HlFigureFormat format;
  } endings[] = {{".svg", HL_FIGURE_SVG}, {".pdf", HL_FIGURE_PDF}, {".png", HL_FIGURE_PNG}};
  g_autofree char *lower = g_ascii_strdown (file_name, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending)) {
      *format = endings[i].format;
      return TRUE;
    }
  return FALSE;
}

static cairo_status_t append_bytes (void *closure, const unsigned char *data, unsigned int length) {
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

void hl_figure_paint_page (cairo_t *cr, HlFigurePainter painter, gpointer data,
                           const HlFigureOptions *options) {
  HlStyle made = hl_style_make (options->style);
  HlStyle style = hl_style_scaled (&made, options->font_size_pt / made.font_size);
  HlRect page = {0.0, 0.0, options->width_mm * POINTS_PER_MM, options->height_mm * POINTS_PER_MM};

  if (!options->transparent)
    hl_paint_background (cr, page.x, page.y, page.width, page.height, &style);
  painter (cr, hl_rect_grow (page, -0.6 * style.font_size), &style, data);
}

static cairo_surface_t *surface_new (HlFigureFormat format, const HlFigureOptions *options,
                                     GByteArray *bytes) {
  double width = options->width_mm * POINTS_PER_MM;
  double height = options->height_mm * POINTS_PER_MM;

  if (format == HL_FIGURE_SVG) {
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append_bytes, bytes, width, height);
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PT);
    return surface;
  }
  if (format == HL_FIGURE_PDF) {
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (append_bytes, bytes, width, height);
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Hydrolink");
    return surface;
  }
  double scale = options->dpi / 72.0;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)lround (width * scale),
                                                         (int)lround (height * scale));
  cairo_surface_set_device_scale (surface, scale, scale);
  return surface;
}

/* --- texts and title of an SVG file --- */

/* Replaces a mark by the text whose number is its color. */
static gboolean place_text_cb (const GMatchInfo *match, GString *svg, gpointer elements) {
  guint number = 0;

  for (int k = 1; k <= 3; k++) {
    g_autofree char *percent = g_match_info_fetch (match, k);
    number = number << 8 | (guint)lround (2.55 * g_ascii_strtod (percent, NULL));
  }
  if (number < ((GPtrArray *)elements)->len)
    g_string_append (svg, g_ptr_array_index ((GPtrArray *)elements, number));
  return FALSE;
}

/* Puts the texts in the place of their marks, and the title at the head. */
static GBytes *finish_svg (GByteArray *bytes, const GPtrArray *elements, const HlFigureOptions *options) {
  g_autoptr (GRegex) mark = g_regex_new (
      "<path [^>]*rgb\\(([0-9.]+)%, ?([0-9.]+)%, ?([0-9.]+)%\\)[^>]*fill-opacity[:=]\"?" HL_TEXT_MARK_DIGITS
      "[^>]*/>",
      G_REGEX_OPTIMIZE, 0, NULL);
  g_autofree char *with_texts = g_regex_replace_eval (mark, (const char *)bytes->data, (gssize)bytes->len, 0,
                                                      0, place_text_cb, (gpointer)elements, NULL);
  g_autoptr (GString) svg = g_string_new (NULL);
  const char *head = with_texts != NULL ? strstr (with_texts, "<svg") : NULL;
  const char *inside = head != NULL ? strchr (head, '>') : NULL;

  if (inside == NULL)
    return g_byte_array_free_to_bytes (bytes);
  g_byte_array_unref (bytes);
  g_string_append_len (svg, with_texts, inside + 1 - with_texts);
  if (options->title != NULL) {
    g_string_append (svg, "\n<title>");
    hl_xml_append (svg, HL_XML_CONTENT, options->title);
    g_string_append (svg, "</title>");
  }
  if (options->revision != NULL) {
    g_string_append (svg, "\n<desc>Hydrolink " HL_VERSION ", revision ");
    hl_xml_append (svg, HL_XML_CONTENT, options->revision);
    g_string_append (svg, "</desc>");
  }
  g_string_append (svg, inside + 1);
  gsize length = svg->len;
  return g_bytes_new_take (g_string_free (g_steal_pointer (&svg), FALSE), length);
}

/* --- resolution and texts of a PNG file --- */

#define PNG_HEAD 33 /* bytes: the signature of 8, and the chunk IHDR, which is the first one */

static void append_big_endian (GByteArray *bytes, guint32 number) {
  guint32 big = GUINT32_TO_BE (number);
  g_byte_array_append (bytes, (const guint8 *)&big, sizeof big);
}

/* Returns the CRC of the PNG specification, ISO 3309. */
static guint32 crc_of (const guint8 *data, gsize n) {
  guint32 crc = 0xffffffffu;

  for (gsize k = 0; k < n; k++) {
    crc ^= data[k];
    for (int bit = 0; bit < 8; bit++)
      crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
  }
  return crc ^ 0xffffffffu;
}

static void append_chunk (GByteArray *png, const char *type, const guint8 *data, gsize n) {
  append_big_endian (png, (guint32)n);
  guint start = png->len;
  g_byte_array_append (png, (const guint8 *)type, 4);
  g_byte_array_append (png, data, (guint)n);
  append_big_endian (png, crc_of (png->data + start, n + 4));
}

/* Appends a text: tEXt where it is plain ASCII, which every reader knows, else iTXt in UTF-8. */
static void append_png_text (GByteArray *png, const char *keyword, const char *text) {
  g_autoptr (GByteArray) data = g_byte_array_new ();
  gboolean is_plain = text != NULL && g_str_is_ascii (text);

  if (text == NULL || *text == '\0')
    return;
  g_byte_array_append (data, (const guint8 *)keyword, (guint)strlen (keyword) + 1);
  if (!is_plain)
    g_byte_array_append (data, (const guint8 *)"\0\0\0\0",
                         4); /* not compressed, no language, no translated keyword */
  g_byte_array_append (data, (const guint8 *)text, (guint)strlen (text));
  append_chunk (png, is_plain ? "tEXt" : "iTXt", data->data, data->len);
}

static GBytes *finish_png (GByteArray *bytes, const HlFigureOptions *options) {
  GByteArray *png = g_byte_array_new ();
  g_autoptr (GByteArray) resolution = g_byte_array_new ();
  guint32 per_metre = (guint32)lround (options->dpi / 0.0254);

  g_byte_array_append (png, bytes->data, PNG_HEAD);
  append_big_endian (resolution, per_metre);
  append_big_endian (resolution, per_metre);
  g_byte_array_append (resolution, (const guint8 *)"\1", 1); /* per metre */
  append_chunk (png, "pHYs", resolution->data, resolution->len);
  append_png_text (png, "Title", options->title);
  append_png_text (png, "Revision", options->revision);
  append_png_text (png, "Software", "Hydrolink " HL_VERSION);
  g_byte_array_append (png, bytes->data + PNG_HEAD, bytes->len - PNG_HEAD);
  g_byte_array_unref (bytes);
  return g_byte_array_free_to_bytes (png);
}

GBytes *hl_figure_render (HlFigurePainter painter, gpointer data, HlFigureFormat format,
                          const HlFigureOptions *options, GError **error) {
  double scale = format == HL_FIGURE_PNG ? options->dpi / 25.4 : 1.0;

  if (!(options->width_mm >= 5.0 && options->height_mm >= 5.0 && options->width_mm * scale <= MAX_PIXELS &&
        options->height_mm * scale <= MAX_PIXELS && options->font_size_pt >= 1.0 &&
        (format != HL_FIGURE_PNG || options->dpi >= 1.0))) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE,
                 "A figure of %s × %s mm at %s dpi and %s pt cannot be drawn",
                 hl_shown (options->width_mm, 6).text, hl_shown (options->height_mm, 6).text,
                 hl_shown (options->dpi, 6).text, hl_shown (options->font_size_pt, 6).text);
    return NULL;
  }
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GPtrArray) elements = g_ptr_array_new_with_free_func (g_free);
  cairo_surface_t *surface = surface_new (format, options, bytes);
  if (format == HL_FIGURE_SVG)
    hl_text_collect (surface, elements);
  if (format == HL_FIGURE_PDF && options->title != NULL)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, options->title);
  cairo_t *cr = cairo_create (surface);
  hl_figure_paint_page (cr, painter, data, options);
  cairo_destroy (cr);
  cairo_status_t status = cairo_surface_status (surface);
  if (status == CAIRO_STATUS_SUCCESS && format == HL_FIGURE_PNG)
    status = cairo_surface_write_to_png_stream (surface, append_bytes, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS) {
    g_byte_array_unref (bytes);
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "The figure could not be drawn: %s",
                 cairo_status_to_string (status));
    return NULL;
  }
  return format == HL_FIGURE_SVG   ? finish_svg (bytes, elements, options)
         : format == HL_FIGURE_PNG ? finish_png (bytes, options)
                                   : g_byte_array_free_to_bytes (bytes);
}

gboolean hl_figure_save (HlFigurePainter painter, gpointer data, const char *file_name,
                         const HlFigureOptions *options, GError **error) {
  HlFigureFormat format;

  if (!hl_figure_format_from_name (file_name, &format)) {
    g_set_error (error, HL_ERROR, HL_ERROR_USAGE, "%s: the name of a figure must end in .svg, .pdf or .png",
                 file_name);
    return FALSE;
  }
  g_autoptr (GBytes) bytes = hl_figure_render (painter, data, format, options, error);
  if (bytes == NULL)
    return FALSE;
  gsize size = 0;
  const char *content = g_bytes_get_data (bytes, &size);
  return hl_file_save_text (file_name, content, (gssize)size, error);
}

void hl_figure_paint_plot (cairo_t *cr, HlRect area, const HlStyle *style, gpointer plot) {
  hl_paint_plot (cr, plot, area, style);
}

void hl_figure_paint_locus (cairo_t *cr, HlRect area, const HlStyle *style, gpointer locus) {
  hl_paint_locus (cr, locus, area, style);
}

void hl_figure_paint_circuit (cairo_t *cr, HlRect area, const HlStyle *style, gpointer circuit_picture) {
  HlView view = {.scale = 1.0};

  hl_view_fit (&view, hl_circuit_box (circuit_picture), area, style->font_size, 1.4 * style->font_size);
  hl_paint_circuit (cr, circuit_picture, &view, area, style);
}

void hl_figure_paint_mechanism (cairo_t *cr, HlRect area, const HlStyle *style, gpointer mechanism_picture) {
  HlView view = {.scale = 1.0, .y_up = TRUE};

  hl_view_fit (&view, hl_mechanism_box (mechanism_picture), area, 5.0 * style->font_size, 1e6);
  hl_paint_mechanism (cr, mechanism_picture, &view, area, style);
}

void hl_figure_paint_stack (cairo_t *cr, HlRect area, const HlStyle *style, gpointer stack) {
  const HlPlotStack *all = stack;
  double left = 0.0;
  double right = 0.0;
  double height = area.height / MAX (all->n_plots, 1);

  /* the widest labels decide for all, so that the frames line up */
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < all->n_plots; i++) {
      HlPlot plot = all->plots[i];
      HlRect row = {area.x, area.y + i * height, area.width, height};
      if (pass == 1) {
        plot.frame_left = left;
        plot.frame_right = right;
        hl_paint_plot (cr, &plot, row, style);
        continue;
      }
      HlPlotLayout layout;
      hl_plot_layout (cr, &plot, row, style, &layout);
      left = fmax (left, layout.frame.x - row.x);
      right = fmax (right, row.x + row.width - layout.frame.x - layout.frame.width);
    }
}
