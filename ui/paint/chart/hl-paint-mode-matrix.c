/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-mode-matrix.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/base/hl-axis.h"
#include "ui/paint/base/hl-text.h"

#include <math.h>

#define MARGIN_EM 0.7
#define GAP_EM 1.1  /* between columns */
#define LINE_EM 1.7 /* height of a row */
#define DIGITS 4
#define MOST_COLUMNS 64

typedef struct {
  double names;               /* width of the column of names */
  double width[MOST_COLUMNS]; /* of each constraint */
  int n;                      /* columns that are shown */
} Columns;

static void entry_text (double value, char text[48]) {
  if (value == 0.0)
    g_snprintf (text, 48, "·");
  else
    hl_axis_format (value, DIGITS, text, 48);
}

static double text_width (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text) {
  double width, height;

  hl_text_size (cr, style, weight, text, &width, &height);
  return width;
}

static const char *caption_of (const HlModeMatrix *m) {
  for (int row = 0; row < m->n_states; row++)
    if (m->independent[row])
      return _ ("Marked: the independent states, which the reduced equations are about");
  return _ ("No state is independent: the constraints and the pumps decide every velocity");
}

static Columns measure (cairo_t *cr, const HlModeMatrix *m, const HlStyle *style) {
  Columns c = {.names = text_width (cr, style, HL_TEXT_SMALL, _ ("multiplier")),
               .n = MIN (m->n_constraints, MOST_COLUMNS)};

  for (int row = 0; row < m->n_states; row++)
    c.names = fmax (c.names, text_width (cr, style, HL_TEXT_BOLD, m->states[row]));
  for (int k = 0; k < c.n; k++) {
    c.width[k] = fmax (text_width (cr, style, HL_TEXT_SMALL, m->constraints[k]),
                       text_width (cr, style, HL_TEXT_SMALL, m->multipliers[k]));
    for (int row = 0; row < m->n_states; row++) {
      char text[48];
      entry_text (m->w[row + m->n_states * k], text);
      c.width[k] = fmax (c.width[k], text_width (cr, style, HL_TEXT_BODY, text));
    }
  }
  return c;
}

void hl_mode_matrix_size (cairo_t *cr, const HlModeMatrix *m, const HlStyle *style, double *width,
                          double *height) {
  double em = style->font_size;
  Columns c = measure (cr, m, style);

  *width = 2.0 * MARGIN_EM * em + c.names;
  for (int k = 0; k < c.n; k++)
    *width += GAP_EM * em + c.width[k];
  *width = fmax (*width, 2.0 * MARGIN_EM * em + text_width (cr, style, HL_TEXT_SMALL, caption_of (m)));
  *height = (2.0 * MARGIN_EM + LINE_EM * (m->n_states + 3)) * em;
}

void hl_paint_mode_matrix (cairo_t *cr, const HlModeMatrix *m, const HlStyle *style) {
  double em = style->font_size, line = LINE_EM * em, left = MARGIN_EM * em, top = MARGIN_EM * em;
  double width, height;
  Columns c = measure (cr, m, style);

  hl_mode_matrix_size (cr, m, style, &width, &height);
  for (int row = 0; row < m->n_states; row++) {
    double y = top + (row + 1.5) * line;
    if (m->independent[row]) {
      cairo_rectangle (cr, 0.5 * left, y - 0.5 * line, width - left, line);
      hl_color_set (cr, hl_color_with_alpha (style->accent, 0.18));
      cairo_fill (cr);
    }
    hl_text_paint (cr, style, m->independent[row] ? HL_TEXT_BOLD : HL_TEXT_BODY, style->ink, m->states[row],
                   (HlSpot){left, y}, 0.0, 0.5);
  }
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, _ ("multiplier"),
                 (HlSpot){left, top + (m->n_states + 1.5) * line}, 0.0, 0.5);
  double right = left + c.names;
  for (int k = 0; k < c.n; k++) {
    right += GAP_EM * em + c.width[k];
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, m->constraints[k],
                   (HlSpot){right, top + 0.5 * line}, 1.0, 0.5);
    for (int row = 0; row < m->n_states; row++) {
      double value = m->w[row + m->n_states * k];
      char text[48];
      entry_text (value, text);
      hl_text_paint (cr, style, HL_TEXT_BODY, value == 0.0 ? style->ink_soft : style->ink, text,
                     (HlSpot){right, top + (row + 1.5) * line}, 1.0, 0.5);
    }
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, m->multipliers[k],
                   (HlSpot){right, top + (m->n_states + 1.5) * line}, 1.0, 0.5);
  }
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, caption_of (m),
                 (HlSpot){left, top + (m->n_states + 2.6) * line}, 0.0, 0.5);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  for (int edge = 0; edge < 2; edge++) {
    double y = floor (top + line * (edge == 0 ? 1.0 : m->n_states + 1.0)) + 0.5;
    cairo_move_to (cr, 0.5 * left, y);
    cairo_line_to (cr, width - 0.5 * left, y);
  }
  cairo_stroke (cr);
}
