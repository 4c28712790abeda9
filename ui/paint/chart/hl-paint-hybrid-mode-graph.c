/* SPDX-License-Identifier: MIT */
#include "ui/paint/chart/hl-paint-hybrid-mode-graph.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-text.h"

#include <math.h>

#define MATRIX_MARGIN_EM 0.7
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
      return _ ("Marked: the independent states of the reduced equations");
  return _ ("No state is independent: the constraints and the pumps determine every velocity");
}

static Columns measure_columns (cairo_t *cr, const HlModeMatrix *m, const HlStyle *style) {
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
  Columns c = measure_columns (cr, m, style);

  *width = 2.0 * MATRIX_MARGIN_EM * em + c.names;
  for (int k = 0; k < c.n; k++)
    *width += GAP_EM * em + c.width[k];
  *width = fmax (*width, 2.0 * MATRIX_MARGIN_EM * em + text_width (cr, style, HL_TEXT_SMALL, caption_of (m)));
  *height = (2.0 * MATRIX_MARGIN_EM + LINE_EM * (m->n_states + 3)) * em;
}

void hl_paint_mode_matrix (cairo_t *cr, const HlModeMatrix *m, const HlStyle *style) {
  double em = style->font_size, line = LINE_EM * em, left = MATRIX_MARGIN_EM * em,
         top = MATRIX_MARGIN_EM * em;
  double width, height;
  Columns c = measure_columns (cr, m, style);

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

#define RADIUS_EM 2.1 /* of a node, at most, in font sizes */
#define LEAST_RADIUS_EM 1.0
#define MARGIN_EM 1.0
#define RING_WIDTH_EM 0.35
#define BEND 0.16         /* of an arrow, as a part of its length */
#define HEAD_EM 0.7       /* of an arrow */
#define SOFT 0.55         /* transitions that touch neither the selected nor the present mode */
#define TIME_LEAST_EM 1.7 /* smaller nodes carry no time */

typedef struct {
  HlSpot centre;
  double circle; /* on which the nodes stand */
  double radius; /* of a node */
  int n;
} Layout;

static Layout layout_of (int n, double width, double height, const HlStyle *style) {
  double em = style->font_size;
  double room = 0.5 * fmin (width, height) - MARGIN_EM * em;
  Layout layout = {.centre = {0.5 * width, 0.5 * height}, .n = n};

  layout.radius = RADIUS_EM * em;
  if (n > 1) {
    /* neighbours keep a node's radius between them */
    double step = sin (G_PI / n);
    layout.radius = fmin (layout.radius, room * step / (1.5 + step));
  }
  layout.radius = fmax (fmin (layout.radius, 0.3 * room), LEAST_RADIUS_EM * em);
  layout.circle = n > 1 ? fmax (room - layout.radius, 0.0) : 0.0;
  return layout;
}

static HlSpot place_of (const Layout *layout, int node) {
  double angle = 2.0 * G_PI * node / MAX (layout->n, 1) - 0.5 * G_PI;

  return (HlSpot){layout->centre.x + layout->circle * cos (angle),
                  layout->centre.y + layout->circle * sin (angle)};
}

int hl_mode_graph_pick (int n_nodes, double width, double height, const HlStyle *style, double x, double y) {
  Layout layout = layout_of (n_nodes, width, height, style);

  for (int node = 0; node < n_nodes; node++) {
    HlSpot at = place_of (&layout, node);
    if (hypot (x - at.x, y - at.y) <= layout.radius + RING_WIDTH_EM * style->font_size)
      return node;
  }
  return -1;
}

/* Returns an arrow from rim to rim, bent to its left, so that the way back does not lie on it. The point in
 * its middle is returned. */
static HlSpot paint_arrow (cairo_t *cr, const Layout *layout, const HlModeEdge *edge, const HlStyle *style) {
  HlSpot a = place_of (layout, edge->from), b = place_of (layout, edge->to);
  double dx = b.x - a.x, dy = b.y - a.y, length = fmax (hypot (dx, dy), 1e-9);
  double head = HEAD_EM * style->font_size;
  HlSpot mid = {0.5 * (a.x + b.x) + BEND * dy, 0.5 * (a.y + b.y) - BEND * dx};
  double rim = layout->radius + RING_WIDTH_EM * style->font_size + 1.0;
  double to_a = atan2 (mid.y - a.y, mid.x - a.x), to_b = atan2 (mid.y - b.y, mid.x - b.x);

  if (length < 2.0 * rim)
    return mid;
  a = (HlSpot){a.x + rim * cos (to_a), a.y + rim * sin (to_a)};
  b = (HlSpot){b.x + rim * cos (to_b), b.y + rim * sin (to_b)};
  HlSpot end = {b.x + head * cos (to_b), b.y + head * sin (to_b)};
  cairo_move_to (cr, a.x, a.y);
  cairo_curve_to (cr, a.x + (mid.x - a.x) * 2.0 / 3.0, a.y + (mid.y - a.y) * 2.0 / 3.0,
                  end.x + (mid.x - end.x) * 2.0 / 3.0, end.y + (mid.y - end.y) * 2.0 / 3.0, end.x, end.y);
  cairo_stroke (cr);
  cairo_move_to (cr, b.x, b.y);
  for (int side = -1; side <= 1; side += 2)
    cairo_line_to (cr, b.x + head * cos (to_b + 0.4 * side), b.y + head * sin (to_b + 0.4 * side));
  cairo_close_path (cr);
  cairo_fill (cr);
  return (HlSpot){0.25 * a.x + 0.5 * mid.x + 0.25 * b.x, 0.25 * a.y + 0.5 * mid.y + 0.25 * b.y};
}

static gboolean is_marked (const HlModeGraph *graph, const HlModeEdge *edge) {
  return graph->nodes[edge->from].selected || graph->nodes[edge->to].selected;
}

static void paint_edges (cairo_t *cr, const HlModeGraph *graph, const Layout *layout, gboolean marked,
                         const HlStyle *style) {
  for (int k = 0; k < graph->n_edges; k++) {
    const HlModeEdge *edge = &graph->edges[k];
    char text[24];
    if (is_marked (graph, edge) != marked)
      continue;
    HlColor color = marked ? style->accent : hl_color_with_alpha (style->ink_soft, SOFT);
    hl_color_set (cr, color);
    cairo_set_line_width (cr, marked ? 1.5 * style->line_width : style->line_width);
    HlSpot mid = paint_arrow (cr, layout, edge, style);
    if (edge->count < 2)
      continue;
    g_snprintf (text, sizeof text, "%d×", edge->count);
    HlRect box = hl_text_box (cr, style, HL_TEXT_SMALL, text, mid, 0.5, 0.5);
    hl_path_rounded (cr, (HlRect){box.x - 2, box.y, box.width + 4, box.height}, 3);
    hl_color_set (cr, style->background);
    cairo_fill (cr);
    hl_text_paint (cr, style, HL_TEXT_SMALL, marked ? style->ink : style->ink_soft, text, mid, 0.5, 0.5);
  }
}

static void paint_node (cairo_t *cr, const HlModeNode *node, const Layout *layout, HlSpot at,
                        const HlStyle *style) {
  double em = style->font_size, ring = RING_WIDTH_EM * em, r = layout->radius;
  gboolean has_time = r >= TIME_LEAST_EM * em && node->time != NULL;

  cairo_arc (cr, at.x, at.y, r, 0.0, 2.0 * G_PI);
  hl_color_set (cr, node->selected ? hl_color_mix (style->panel, style->accent, 0.25) : style->panel);
  cairo_fill_preserve (cr);
  hl_color_set (cr, node->present ? style->ink : style->border);
  cairo_set_line_width (cr, node->present ? 2.0 * style->line_width : style->line_width);
  cairo_stroke (cr);
  if (node->share > 0.0) {
    cairo_arc (cr, at.x, at.y, r + 0.5 * ring, -0.5 * G_PI,
               -0.5 * G_PI + 2.0 * G_PI * fmin (node->share, 1.0));
    hl_color_set (cr, style->accent);
    cairo_set_line_width (cr, ring);
    cairo_stroke (cr);
  }
  hl_text_paint (cr, style, HL_TEXT_BOLD, style->ink, node->label, at, 0.5, has_time ? 0.95 : 0.5);
  if (has_time)
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, node->time, at, 0.5, 0.0);
}

void hl_paint_mode_graph (cairo_t *cr, const HlModeGraph *graph, double width, double height,
                          const HlStyle *style) {
  Layout layout = layout_of (graph->n_nodes, width, height, style);

  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  paint_edges (cr, graph, &layout, FALSE, style);
  paint_edges (cr, graph, &layout, TRUE, style);
  for (int node = 0; node < graph->n_nodes; node++)
    paint_node (cr, &graph->nodes[node], &layout, place_of (&layout, node), style);
  cairo_restore (cr);
}
