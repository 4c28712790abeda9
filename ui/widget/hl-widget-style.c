/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-widget-style.h"

#include <string.h>

#define DRAWING_FONT 0.95 /* drawings are a touch smaller than the controls around them */
#define PLAIN_DPI 96.0

static gboolean is_dark (GtkWidget *widget) {
  gboolean dark = FALSE;
  g_object_get (gtk_widget_get_settings (widget), "gtk-application-prefer-dark-theme", &dark, NULL);
  return dark;
}

gboolean hl_widget_style_is_contrast (GtkSettings *settings) {
  const char *forced = g_getenv ("GTK_THEME");
  g_autofree char *name = NULL;

  if (forced != NULL && *forced != '\0')
    return g_str_has_prefix (forced, HL_LOOK_CONTRAST_THEME) || strstr (forced, ":hc") != NULL;
  g_object_get (settings, "gtk-theme-name", &name, NULL);
  return name != NULL && g_str_has_prefix (name, HL_LOOK_CONTRAST_THEME);
}

HlStyle hl_widget_style (GtkWidget *widget) {
  HlStyle style = hl_style_make (is_dark (widget) ? HL_STYLE_DARK : HL_STYLE_LIGHT);
  if (hl_widget_style_is_contrast (gtk_widget_get_settings (widget)))
    style = hl_style_contrast (&style);
  const PangoFontDescription *font =
      pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  double dpi = pango_cairo_context_get_resolution (gtk_widget_get_pango_context (widget));

  if (font == NULL)
    return style;
  double size = (double)pango_font_description_get_size (font) / PANGO_SCALE;
  if (!pango_font_description_get_size_is_absolute (font))
    size *= (dpi > 0 ? dpi : PLAIN_DPI) / 72;
  if (size > 0) {
    double factor = size * DRAWING_FONT / style.font_size;
    style = hl_style_scaled (&style, factor);
  }
  if (pango_font_description_get_family (font) != NULL)
    style.font_family = g_intern_string (pango_font_description_get_family (font));
  return style;
}
