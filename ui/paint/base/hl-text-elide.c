/* SPDX-License-Identifier: MIT */
/* In the middle: what tells names apart stands at their beginnings and ends. */
#include "ui/paint/base/hl-text-elide.h"

#include <math.h>

#define LONGEST_PART 0.5
#define SHORT_EM 14.0

static gboolean fits (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text,
                      double width) {
  double own, height;

  hl_text_size (cr, style, weight, text, &own, &height);
  return own <= width;
}

/* So many letters of it, one more at the beginning when they are odd. */
static char *shortened (const char *text, long letters) {
  long length = g_utf8_strlen (text, -1), tail = letters / 2, lead = letters - tail;
  g_autofree char *head = g_strchomp (g_utf8_substring (text, 0, lead));
  const char *end = g_utf8_offset_to_pointer (text, length - tail);

  return g_strconcat (head, "…", *end == ' ' ? end + 1 : end, NULL);
}

char *hl_text_elide (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double width) {
  long low = 0, high = g_utf8_strlen (text, -1);

  if (fits (cr, style, weight, text, width))
    return g_strdup (text);
  while (high - low > 1) {
    long middle = (low + high) / 2;
    g_autofree char *shorter = shortened (text, middle);
    if (fits (cr, style, weight, shorter, width))
      low = middle;
    else
      high = middle;
  }
  return shortened (text, low);
}

double hl_text_most (const HlStyle *style, double drawing_width) {
  return fmin (fmax (LONGEST_PART * drawing_width, SHORT_EM * style->font_size), drawing_width);
}

const char *hl_text_fit (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text,
                         double most, char **cut, double *width, double *height) {
  *cut = NULL;
  hl_text_size (cr, style, weight, text, width, height);
  if (*width <= most)
    return text;
  *cut = hl_text_elide (cr, style, weight, text, most);
  hl_text_size (cr, style, weight, *cut, width, height);
  return *cut;
}
