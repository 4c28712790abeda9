/* SPDX-License-Identifier: MIT */
/* Paints a circuit: grid, lines with a casing at crossings, symbols, then the texts; and finds the element at
 * a point. */
#include "ui/paint/circuit/hl-paint-circuit.h"

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/circuit/hl-symbol.h"

#include <math.h>
#include <string.h>

/* Symbols from their path data: points go through placement and view, lines keep a width that suits
 * the scale. */

#define ICON_STROKE_PX 1.25

/* Returns the device rectangle of a world rectangle. */
static HlRect device_rect (const HlView *view, HlRect world) {
  HlSpot a = hl_view_to_device (view, (HlSpot){world.x, world.y});
  HlSpot b = hl_view_to_device (view, (HlSpot){world.x + world.width, world.y + world.height});

  return (HlRect){MIN (a.x, b.x), MIN (a.y, b.y), fabs (b.x - a.x), fabs (b.y - a.y)};
}

/* Returns the line width that suits the view's scale. */
static double line_width (const HlView *view, const HlStyle *style) {
  return style->line_width * CLAMP (view->scale / 11.0, 0.55, 1.25);
}

static void trace_stroke (cairo_t *cr, const HlShapePath *path, const HlPathStroke *stroke,
                          const HlPlacement *place, const HlView *view) {
  cairo_new_path (cr);
  for (int i = stroke->first; i < stroke->first + stroke->n; i++) {
    const HlPathSegment *segment = &path->segment[i];
    HlSpot p[3];
    for (int k = 0; k < 3; k++)
      p[k] = hl_view_to_device (view, hl_placement_apply (place, segment->p[k]));
    if (segment->op == HL_PATH_MOVE)
      cairo_move_to (cr, p[0].x, p[0].y);
    else if (segment->op == HL_PATH_LINE)
      cairo_line_to (cr, p[0].x, p[0].y);
    else if (segment->op == HL_PATH_CURVE)
      cairo_curve_to (cr, p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y);
    else
      cairo_close_path (cr);
  }
}

void hl_paint_symbol (cairo_t *cr, HlShapeKind kind, const HlShapeState *state, const HlPlacement *place,
                      const HlView *view, double alpha, const HlStyle *style) {
  HlShapePath path;
  double width = line_width (view, style);
  HlColor ink = hl_color_with_alpha (style->ink, alpha);

  hl_shape_build (kind, state, &path);
  cairo_save (cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (int s = 0; s < path.n_strokes; s++) {
    const HlPathStroke *stroke = &path.stroke[s];
    trace_stroke (cr, &path, stroke, place, view);
    cairo_set_line_width (cr,
                          stroke->pen == HL_PEN_THIN || stroke->pen == HL_PEN_DASHED ? 0.65 * width : width);
    hl_dash_set (cr, stroke->pen == HL_PEN_DASHED ? HL_DASH_DASHED : HL_DASH_SOLID, 0.65 * width);
    if (stroke->pen == HL_PEN_BODY || stroke->pen == HL_PEN_PISTON) {
      hl_color_set (cr,
                    hl_color_with_alpha (stroke->pen == HL_PEN_BODY ? style->symbol : style->piston, alpha));
      cairo_fill_preserve (cr);
    }
    if (stroke->pen == HL_PEN_ACTIVE) {
      hl_color_set (cr, hl_color_with_alpha (style->accent, 0.28 * alpha));
      cairo_fill (cr);
      continue;
    }
    hl_color_set (cr, ink);
    if (stroke->pen == HL_PEN_SOLID)
      cairo_fill (cr);
    else
      cairo_stroke (cr);
  }
  cairo_restore (cr);
}

void hl_paint_symbol_icon (cairo_t *cr, HlShapeKind kind, HlRect area, double margin_px,
                           const HlStyle *style) {
  HlView view = {.scale = 1.0};
  HlPlacement place = {0};
  HlShapeState state = {.stroke = 0.15, .opening = 0.5};
  HlRect box = hl_shape_box (kind);
  HlRect inside = {area.x + margin_px, area.y + margin_px, area.width - 2.0 * margin_px,
                   area.height - 2.0 * margin_px};

  if (kind != NULL && hl_paint_small_icon (cr, kind->kind, inside, style))
    return;
  if (kind != NULL && kind->icon.width > 0.0)
    box = kind->icon;
  hl_view_fit (&view, box, area, margin_px, 8.0);
  HlStyle fine = *style;
  fine.line_width *= ICON_STROKE_PX / line_width (&view, style);
  HlRect shown = device_rect (&view, box);
  cairo_save (cr);
  cairo_rectangle (cr, shown.x - 1.0, shown.y - 1.0, shown.width + 2.0, shown.height + 2.0);
  cairo_clip (cr);
  hl_paint_symbol (cr, kind, &state, &place, &view, 1.0, &fine);
  cairo_restore (cr);
}

/* Hit test of a circuit picture, and its size. */

/* Width of an average letter and height of a line of label text at the usual scale [M]. */
#define LETTER_M 0.58
#define LINE_M 1.5

static HlRect label_room (const HlCircuitSymbol *symbol) {
  HlShapeLabel anchor = hl_shape_placed_label (symbol->kind, &symbol->place);
  g_auto (GStrv) lines = g_strsplit (symbol->label, "\n", -1);
  double width = 0.0;
  double height = 0.0;

  for (int line = 0; lines[line] != NULL; line++) {
    width = fmax (width, LETTER_M * (double)g_utf8_strlen (lines[line], -1));
    height += LINE_M;
  }
  return (HlRect){anchor.x - anchor.align_x * width, anchor.y - anchor.align_y * height, width, height};
}

HlRect hl_circuit_box (const HlCircuitPicture *picture) {
  HlRect box = {0.0, 0.0, 0.0, 0.0};

  for (int i = 0; i < picture->n_symbols; i++) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    HlRect own = hl_shape_placed_box (symbol->kind, &symbol->place);
    box = i == 0 ? own : hl_rect_union (box, own);
    if (symbol->label != NULL)
      box = hl_rect_union (box, label_room (symbol));
  }
  for (int n = 0; n < picture->n_nets; n++)
    for (int w = 0; w < picture->nets[n].n_wires; w++)
      for (int i = 0; i < picture->nets[n].wires[w].n; i++) {
        HlSpot p = picture->nets[n].wires[w].points[i];
        box = hl_rect_union (box, (HlRect){p.x, p.y, 0.0, 0.0});
      }
  for (int i = 0; i < picture->n_controls; i++) /* with room for the text below it */
    box = hl_rect_union (box, hl_rect_grow (picture->controls[i].box, LINE_M));
  return box;
}

int hl_circuit_symbol_at (const HlCircuitPicture *picture, HlSpot world, double reach) {
  /* the last one painted lies on top */
  for (int i = picture->n_symbols - 1; i >= 0; i--) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    if (!symbol->ghost && hl_shape_contains (symbol->kind, &symbol->state, &symbol->place, world, reach))
      return i;
  }
  for (int i = 0; i < picture->n_controls; i++) {
    HlRect box = picture->controls[i].box;
    if (world.x >= box.x && world.x <= box.x + box.width && world.y >= box.y && world.y <= box.y + box.height)
      return picture->controls[i].symbol;
  }
  return -1;
}

int hl_circuit_net_at (const HlCircuitPicture *picture, HlSpot world, double reach) {
  int nearest = -1;
  double best = reach;

  for (int n = 0; n < picture->n_nets; n++)
    for (int w = 0; w < picture->nets[n].n_wires; w++)
      for (int i = 1; i < picture->nets[n].wires[w].n; i++) {
        const HlSpot *points = picture->nets[n].wires[w].points;
        double distance = hl_point_segment_distance (world, points[i - 1], points[i]);
        if (distance <= best) {
          best = distance;
          nearest = n;
        }
      }
  return nearest;
}

/* Finds the middle of a net's longest piece of wire, device px; FALSE: it has no wire. */
static gboolean middle_of_net (const HlCircuitNet *net, const HlView *view, HlSpot *at) {
  double longest = -1.0;

  for (int w = 0; w < net->n_wires; w++)
    for (int i = 1; i < net->wires[w].n; i++) {
      HlSpot a = hl_view_to_device (view, net->wires[w].points[i - 1]);
      HlSpot b = hl_view_to_device (view, net->wires[w].points[i]);
      double length = hypot (b.x - a.x, b.y - a.y);
      if (length <= longest)
        continue;
      longest = length;
      *at = (HlSpot){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    }
  return longest >= 0.0;
}

/* Paints a badge at every element that has a problem. */
static void badge_paint_circuit (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view,
                                 const HlStyle *style) {
  double off = 0.3 * HL_BADGE_RADIUS * style->font_size;
  HlSpot at;

  for (int n = 0; n < picture->n_nets; n++)
    if (picture->nets[n].is_problem && middle_of_net (&picture->nets[n], view, &at))
      hl_badge_paint (cr, at, style);
  for (int i = 0; i < picture->n_symbols; i++) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    if (!symbol->is_problem)
      continue;
    HlRect box = device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place));
    hl_badge_paint (cr, (HlSpot){box.x + box.width + off, box.y - off}, style);
  }
}

/* Each text stands on the first place that is free of symbols, lines and other texts. */

#define MIN_LABEL_SCALE 4.0 /* [px/M] below this only ids are written, and where there is room */
#define FREE 1e-3           /* [px^2] covered, which is rounding */
#define ROOMY_SCALE 10.0    /* from here on all is written, on a line if need be */
#define ON_ONE_WIRE 0.55    /* of its area is what a text costs that crosses a wire */
#define MIN_NAME_SCALE 2.2  /* [px/M] below this only selected and hovered parts are named */

/* Text over text or a symbol cannot be read, text over a line can: it counts as this many. */
#define OPAQUE_WEIGHT 3

static void reserve_rect (HlLabelSpace *space, HlRect rect) {
  for (int i = 0; i < OPAQUE_WEIGHT; i++)
    hl_label_space_take_rect (space, rect);
}

/* Letters beside the ports of a valve, on the outer side of the pair of lines. */
static void paint_port_letters (cairo_t *cr, const HlCircuitSymbol *symbol, const HlView *view,
                                HlLabelSpace *space, const HlStyle *style) {
  if (symbol->kind == NULL || !symbol->kind->has_letters || view->scale < 6.0)
    return;
  HlSpot middle = hl_placement_apply (&symbol->place, (HlSpot){1.0, 0.0});
  for (int port = 0; port < hl_shape_n_ports (symbol->kind); port++) {
    HlShapePort placed = hl_shape_placed_port (symbol->kind, port, &symbol->place);
    if (placed.is_absent)
      continue;
    /* away from the other line of the pair, and outwards */
    double side_x = placed.dir_x == 0.0 ? (placed.x > middle.x ? 1.0 : -1.0) : placed.dir_x;
    double side_y = placed.dir_y == 0.0 ? (placed.y > middle.y ? 1.0 : -1.0) : placed.dir_y;
    HlSpot at = hl_view_to_device (view, (HlSpot){placed.x + 0.75 * side_x, placed.y + 1.35 * side_y});
    HlRect box = hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, placed.name, at, 0.5, 0.5);
    reserve_rect (space, hl_rect_grow (box, 3.0));
  }
}

static void reserve_drawing (const HlCircuitPicture *picture, const HlView *view, HlLabelSpace *space,
                             const HlStyle *style) {
  for (int i = 0; i < picture->n_symbols; i++) {
    const HlCircuitSymbol *symbol = &picture->symbols[i];
    reserve_rect (space, device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place)));
  }
  for (int i = 0; i < picture->n_controls; i++)
    hl_label_space_take_rect (space,
                              hl_rect_grow (device_rect (view, picture->controls[i].box), view->scale));
  for (int n = 0; n < picture->n_nets; n++)
    for (int w = 0; w < picture->nets[n].n_wires; w++)
      for (int i = 1; i < picture->nets[n].wires[w].n; i++)
        hl_label_space_take_segment (space, hl_view_to_device (view, picture->nets[n].wires[w].points[i - 1]),
                                     hl_view_to_device (view, picture->nets[n].wires[w].points[i]),
                                     0.5 * style->wire_width + 2.0);
}

/* Around a box: the four sides, each also at its two ends, then the corners. */
#define N_AROUND 16

static int candidates_around (HlRect box, double width, double height, double gap, HlRect out[]) {
  double cx = box.x + 0.5 * (box.width - width);
  double cy = box.y + 0.5 * (box.height - height);
  double left = box.x - gap - width;
  double right = box.x + box.width + gap;
  double above = box.y - gap - height;
  double below = box.y + box.height + gap;
  HlSpot corner[N_AROUND] = {{right, cy},
                             {left, cy},
                             {right, box.y},
                             {right, box.y + box.height - height},
                             {left, box.y},
                             {left, box.y + box.height - height},
                             {cx, above},
                             {cx, below},
                             {box.x, above},
                             {box.x, below},
                             {box.x + box.width - width, above},
                             {box.x + box.width - width, below},
                             {right, above},
                             {right, below},
                             {left, above},
                             {left, below}};

  for (int i = 0; i < N_AROUND; i++)
    out[i] = (HlRect){corner[i].x, corner[i].y, width, height};
  return N_AROUND;
}

/* All round a box at a distance, so many places a side. */
#define N_ALONG 7

static int candidates_ring (HlRect box, double width, double height, double gap, HlRect out[]) {
  int n = 0;

  for (int k = 0; k < N_ALONG; k++) {
    double part = (double)k / (N_ALONG - 1);
    double x = box.x - width + part * (box.width + width);
    double y = box.y - height + part * (box.height + height);
    out[n++] = (HlRect){x, box.y + box.height + gap, width, height};
    out[n++] = (HlRect){x, box.y - gap - height, width, height};
    out[n++] = (HlRect){box.x + box.width + gap, y, width, height};
    out[n++] = (HlRect){box.x - gap - width, y, width, height};
  }
  return n;
}

/* Possible places of a label: on the shape's own anchor, then around its box, then in rings at increasing
 * distance. */
#define MOST_RINGS 4
#define MOST_CANDIDATES (1 + N_AROUND + MOST_RINGS * 4 * N_ALONG)

static int label_candidates (const HlCircuitSymbol *symbol, const HlView *view, HlSpot size, double gap,
                             int n_rings, HlRect out[]) {
  HlShapeLabel anchor = hl_shape_placed_label (symbol->kind, &symbol->place);
  HlSpot at = hl_view_to_device (view, (HlSpot){anchor.x, anchor.y});
  HlRect box = device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place));
  int n = 1;

  out[0] = (HlRect){at.x - anchor.align_x * size.x, at.y - anchor.align_y * size.y, size.x, size.y};
  n += candidates_around (box, size.x, size.y, gap, out + n);
  for (int ring = 0; ring < n_rings; ring++)
    n += candidates_ring (box, size.x, size.y, gap * (1.0 + 1.6 * ring), out + n);
  return n;
}

typedef struct {
  HlRect box;
  gboolean is_brief; /* the id alone */
  gboolean is_anchored;
} LabelPlace;

/* The whole label beside its symbol, else the id alone, else either of them a little farther away;
 * where nothing is free, what covers least: in a dense drawing one line at most. FALSE: it is left
 * out. */
static gboolean find_label_place (const HlCircuitSymbol *symbol, const HlView *view,
                                  const HlLabelSpace *space,
                                  const HlSpot sizes[2], /* of the whole label, of the id */
                                  gboolean is_brief,     /* the id, and only where there is room */
                                  gboolean is_asked,     /* not left out */
                                  double gap, LabelPlace *place) {
  static const struct {
    gboolean is_brief;
    int n_rings;
    double most;
  } tries[] = {
      {FALSE, 0, FREE},
      {TRUE, 0, FREE},
      {FALSE, MOST_RINGS, FREE},
      {TRUE, MOST_RINGS, FREE},
      {TRUE, MOST_RINGS, ON_ONE_WIRE},
  };
  HlRect candidates[MOST_CANDIDATES];

  for (gsize k = is_brief ? 1 : 0; k < (is_brief ? 2 : G_N_ELEMENTS (tries)); k++) {
    int n = label_candidates (symbol, view, sizes[tries[k].is_brief], gap, tries[k].n_rings, candidates);
    double most = tries[k].most == FREE                    ? FREE
                  : is_asked || view->scale >= ROOMY_SCALE ? INFINITY
                                                           : tries[k].most * sizes[1].x * sizes[1].y;
    int chosen = hl_label_space_choose_within (space, candidates, n, most);
    if (chosen < 0)
      continue;
    *place = (LabelPlace){candidates[chosen], tries[k].is_brief, chosen == 0};
    return TRUE;
  }
  return FALSE;
}

#define LEADER_EM 1.3 /* from its symbol: a name farther away has a line to it */

static void paint_leader (cairo_t *cr, HlSpot from, HlSpot to, const HlStyle *style) {
  hl_color_set (cr, style->ink_soft);
  cairo_set_line_width (cr, style->hair_width);
  cairo_move_to (cr, from.x, from.y);
  cairo_line_to (cr, to.x, to.y);
  cairo_stroke (cr);
}

static HlSpot nearest_in (HlRect rect, HlSpot p) {
  return (HlSpot){CLAMP (p.x, rect.x, rect.x + rect.width), CLAMP (p.y, rect.y, rect.y + rect.height)};
}

static void paint_symbol_label (cairo_t *cr, const HlCircuitSymbol *symbol, const HlView *view,
                                HlLabelSpace *space, const HlStyle *style) {
  HlSpot sizes[2];
  LabelPlace place;

  if (symbol->label == NULL || *symbol->label == '\0')
    return;
  gboolean is_asked = symbol->selected || symbol->hovered;
  gboolean is_brief = view->scale < MIN_LABEL_SCALE && !is_asked;
  if (view->scale < MIN_NAME_SCALE && !is_asked)
    return;
  double most = hl_text_most (style, space->bounds.width);
  const char *break_at = strchr (symbol->label, '\n');
  g_autofree char *id = g_strndup (symbol->label, strcspn (symbol->label, "\n"));
  g_autofree char *cut = NULL;
  const char *first = hl_text_fit (cr, style, HL_TEXT_SMALL, id, most, &cut, &sizes[1].x, &sizes[1].y);
  g_autofree char *whole = cut != NULL ? g_strconcat (cut, break_at, NULL) : NULL;
  hl_text_size (cr, style, HL_TEXT_SMALL, whole != NULL ? whole : symbol->label, &sizes[0].x, &sizes[0].y);
  double gap = (is_brief ? 0.25 : 0.5) * style->font_size;
  if (!find_label_place (symbol, view, space, sizes, is_brief, is_asked, gap, &place))
    return;
  const char *rest = place.is_brief ? NULL : break_at;
  HlRect at = place.box;
  HlShapeLabel anchor = hl_shape_placed_label (symbol->kind, &symbol->place);
  HlRect box = device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place));
  /* text on the left of a symbol ends at it */
  double align_x = place.is_anchored ? anchor.align_x : at.x + at.width <= box.x ? 1.0 : 0.0;

  HlSpot p = {at.x + align_x * at.width, at.y};
  HlRect line = hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, first, p, align_x, 0.0);
  if (rest != NULL)
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink_soft, rest + 1, (HlSpot){p.x, p.y + line.height},
                   align_x, 0.0);
  reserve_rect (space, hl_rect_grow (at, 2.0));
  HlSpot on_symbol = nearest_in (box, (HlSpot){at.x + 0.5 * at.width, at.y + 0.5 * at.height});
  HlSpot on_label = nearest_in (hl_rect_grow (at, 1.0), on_symbol);
  if (!place.is_anchored &&
      hypot (on_label.x - on_symbol.x, on_label.y - on_symbol.y) > LEADER_EM * style->font_size)
    paint_leader (cr, on_label, on_symbol, style);
}

/* Places of a pill along one piece of a line: on both sides of it, at several parts of its length, and
 * on the line itself. */
static const double along[] = {0.5, 0.3, 0.7, 0.15, 0.85};

static void add_beside (GArray *candidates, HlSpot a, HlSpot b, double part, HlRect size, double gap) {
  HlSpot p = {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
  HlRect box = size;

  for (int side = 0; side < 2; side++) {
    if (fabs (a.x - b.x) < 0.5) {
      box.x = side == 0 ? p.x - gap - size.width : p.x + gap;
      box.y = p.y - 0.5 * size.height;
    } else {
      box.x = p.x - 0.5 * size.width;
      box.y = side == 0 ? p.y - gap - size.height : p.y + gap;
    }
    g_array_append_val (candidates, box);
  }
}

static void add_upon (GArray *candidates, HlSpot a, HlSpot b, double part, HlRect size) {
  HlSpot p = {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
  HlRect box = {p.x - 0.5 * size.width, p.y - 0.5 * size.height, size.width, size.height};

  g_array_append_val (candidates, box);
}

/* Places at a distance from the line, where beside it all is taken: the text has a leader then. */
#define N_AWAY 3
#define AWAY_EM 1.1

typedef struct {
  HlRect box;
  HlSpot leader[2];
  gboolean has_leader;
} PillPlace;

/* Returns whether the line from a text to its wire runs over nothing else. The last piece, as long as the gap beside a
 * wire, is at the wire itself. */
static gboolean is_leader_free (const HlLabelSpace *space, const HlSpot leader[2], double gap) {
  double length = hypot (leader[1].x - leader[0].x, leader[1].y - leader[0].y);
  double part = fmax (1.0 - gap / fmax (length, gap), 0.0);
  HlSpot to = {leader[0].x + part * (leader[1].x - leader[0].x),
               leader[0].y + part * (leader[1].y - leader[0].y)};
  HlRect box = {fmin (leader[0].x, to.x), fmin (leader[0].y, to.y), fabs (to.x - leader[0].x),
                fabs (to.y - leader[0].y)};

  return hl_label_space_cost (space, hl_rect_grow (box, 0.5)) <= FREE;
}

static gboolean find_away (const HlCircuitNet *net, const HlView *view, const HlLabelSpace *space,
                           HlRect size, const HlStyle *style, double gap, PillPlace *place) {
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (HlRect));
  for (int ring = 1; ring <= N_AWAY; ring++)
    for (int w = 0; w < net->n_wires; w++)
      for (int i = 1; i < net->wires[w].n; i++) {
        HlSpot a = hl_view_to_device (view, net->wires[w].points[i - 1]);
        HlSpot b = hl_view_to_device (view, net->wires[w].points[i]);
        g_array_set_size (rects, 0);
        for (gsize k = 0; k < G_N_ELEMENTS (along); k++)
          add_beside (rects, a, b, along[k], size, gap + ring * AWAY_EM * style->font_size);
        for (guint k = 0; k < rects->len; k++) {
          *place = (PillPlace){.box = g_array_index (rects, HlRect, k), .has_leader = TRUE};
          hl_label_leader (place->box, a, b, place->leader);
          if (hl_label_space_cost (space, place->box) <= FREE && is_leader_free (space, place->leader, gap))
            return TRUE;
        }
      }
  return FALSE;
}

/* Beside the line where that is free, else on it where it covers no other line and no text, else at a distance with a
 * leader. most: [px^2] what it may cover at last, in its own size. */
static gboolean find_pill_place (const HlCircuitNet *net, const HlView *view, const HlLabelSpace *space,
                                 HlRect size, const HlStyle *style, double most, PillPlace *place) {
  g_autoptr (GArray) beside = g_array_new (FALSE, FALSE, sizeof (HlRect));
  g_autoptr (GArray) upon = g_array_new (FALSE, FALSE, sizeof (HlRect));
  double gap = 0.5 * style->wire_width + 0.45 * style->font_size;

  for (gsize k = 0; k < G_N_ELEMENTS (along); k++)
    for (int w = 0; w < net->n_wires; w++)
      for (int i = 1; i < net->wires[w].n; i++) {
        HlSpot a = hl_view_to_device (view, net->wires[w].points[i - 1]);
        HlSpot b = hl_view_to_device (view, net->wires[w].points[i]);
        add_beside (beside, a, b, along[k], size, gap);
        add_upon (upon, a, b, along[k], size);
      }
  if (beside->len == 0)
    return FALSE;
  double own = ON_ONE_WIRE * size.width * size.height;
  GArray *rects = beside;
  int chosen =
      hl_label_space_choose_within (space, (const HlRect *)(gpointer)rects->data, (int)rects->len, FREE);
  if (chosen < 0) {
    rects = upon;
    chosen =
        hl_label_space_choose_within (space, (const HlRect *)(gpointer)rects->data, (int)rects->len, own);
  }
  if (chosen < 0 && find_away (net, view, space, size, style, gap, place))
    return TRUE;
  if (chosen < 0 && most > 0.0) {
    rects = beside;
    g_array_append_vals (rects, upon->data, upon->len);
    chosen = hl_label_space_choose_within (space, (const HlRect *)(gpointer)rects->data, (int)rects->len,
                                           most * own);
  }
  if (chosen < 0)
    return FALSE;
  *place = (PillPlace){.box = g_array_index (rects, HlRect, chosen)};
  return TRUE;
}

/* Returns the text with its number on a line of its own, owned; NULL when it has none. */
static char *in_two_lines (const char *label) {
  for (const char *at = strchr (label, ' '); at != NULL; at = strchr (at + 1, ' '))
    if (g_ascii_isdigit (at[1]) || g_str_has_prefix (at + 1, "−"))
      return g_strdup_printf ("%.*s\n%s", (int)(at - label), label, at + 1);
  return NULL;
}

static void paint_net_pill (cairo_t *cr, const HlCircuitNet *net, const HlView *view, HlLabelSpace *space,
                            const HlStyle *style) {
  HlRect sizes[2];
  PillPlace place;

  if (net->label == NULL || *net->label == '\0' ||
      (view->scale < MIN_LABEL_SCALE && !net->selected && !net->hovered))
    return;
  g_autofree char *cut = NULL, *two = in_two_lines (net->label);
  const char *texts[2] = {net->label, two};
  double most = hl_text_most (style, space->bounds.width);
  for (int k = 0; k < 2 && texts[k] != NULL; k++)
    sizes[k] = hl_text_pill_box (cr, style, texts[k], (HlSpot){0.0, 0.0}, 0.0, 0.0);
  if (sizes[0].width > most) {
    texts[0] = cut = hl_text_elide (cr, style, HL_TEXT_SMALL, net->label, most);
    sizes[0] = hl_text_pill_box (cr, style, texts[0], (HlSpot){0.0, 0.0}, 0.0, 0.0);
  }
  gboolean is_asked = net->selected || net->hovered || view->scale >= ROOMY_SCALE;
  int chosen = find_pill_place (net, view, space, sizes[0], style, 0.0, &place)                         ? 0
               : two != NULL && find_pill_place (net, view, space, sizes[1], style, 0.0, &place)        ? 1
               : find_pill_place (net, view, space, sizes[0], style, is_asked ? INFINITY : 2.0, &place) ? 0
                                                                                                        : -1;
  if (chosen < 0)
    return;
  if (place.has_leader)
    paint_leader (cr, place.leader[0], place.leader[1], style);
  hl_text_pill (cr, style, texts[chosen], (HlSpot){place.box.x, place.box.y}, 0.0, 0.0);
  reserve_rect (space, hl_rect_grow (place.box, 3.0));
}

/* Paints "not connected" beside each ring of a loose end, in the color of the ring. */
static void paint_loose_texts (cairo_t *cr, const HlCircuitNet *net, const HlView *view, HlLabelSpace *space,
                               const HlStyle *style) {
  const char *text = _ ("not connected");
  double gap = 0.75 * style->font_size, width, height;

  hl_text_size (cr, style, HL_TEXT_SMALL, text, &width, &height);
  for (int i = 0; i < net->n_loose; i++) {
    HlSpot p = hl_view_to_device (view, net->loose[i]);
    HlRect candidates[] = {{p.x + gap, p.y - 0.5 * height, width, height},
                           {p.x - gap - width, p.y - 0.5 * height, width, height},
                           {p.x - 0.5 * width, p.y + gap, width, height},
                           {p.x - 0.5 * width, p.y - gap - height, width, height}};
    int chosen = hl_label_space_choose_within (space, candidates, G_N_ELEMENTS (candidates), INFINITY);
    if (chosen < 0)
      continue;
    hl_text_paint (cr, style, HL_TEXT_SMALL, style->problem, text,
                   (HlSpot){candidates[chosen].x, candidates[chosen].y}, 0.0, 0.0);
    reserve_rect (space, hl_rect_grow (candidates[chosen], 2.0));
  }
}

#define LEAST_WITH_BAR 300.0 /* px, width of a pane; a narrower one leaves the bar of the colors out */

/* Paints the texts into the area, over a drawing that is painted already; texts without room in a dense
 * drawing are left out. */
static void circuit_texts_paint (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view,
                                 HlRect area, const HlStyle *style) {
  HlStyle text_style = *style;
  HlLabelSpace space;
  double em = style->font_size;

  text_style.font_size *= CLAMP (view->scale / 10.0, 1.0, 1.15); /* never under 11 px */
  hl_label_space_init (&space, hl_rect_grow (area, -2.0));
  reserve_drawing (picture, view, &space, &text_style);
  gboolean is_narrow = picture->show_ports && area.width < LEAST_WITH_BAR;
  if (picture->pressure_low_label != NULL && picture->pressure_high_label != NULL && style->fill_pressure &&
      !is_narrow) {
    HlRect bar = {area.x + 1.2 * em, area.y + area.height - 1.4 * em, fmin (9.0 * em, area.width - 2.4 * em),
                  0.5 * em};
    hl_paint_pressure_legend (cr, style, bar.x, bar.y, bar.width, bar.height, picture->pressure_low_label,
                              picture->pressure_high_label);
    hl_label_space_take_rect (&space, (HlRect){bar.x, bar.y - 1.4 * em, bar.width, 2.2 * em});
  }
  for (int n = 0; n < picture->n_nets; n++)
    paint_loose_texts (cr, &picture->nets[n], view, &space, &text_style);
  for (int i = 0; i < picture->n_symbols; i++)
    paint_port_letters (cr, &picture->symbols[i], view, &space, &text_style);
  for (int priority = 0; priority < HL_N_LABEL_PRIORITIES; priority++) {
    for (int i = 0; i < picture->n_symbols; i++) {
      const HlCircuitSymbol *symbol = &picture->symbols[i];
      if ((int)hl_label_priority (symbol->is_problem, symbol->selected, HL_LABEL_NAME) == priority)
        paint_symbol_label (cr, symbol, view, &space, &text_style);
    }
    for (int n = 0; n < picture->n_nets; n++) {
      const HlCircuitNet *net = &picture->nets[n];
      if ((int)hl_label_priority (net->is_problem, net->selected, HL_LABEL_VALUE) == priority)
        paint_net_pill (cr, net, view, &space, &text_style);
    }
  }
  hl_label_space_clear (&space);
}

#define EMPTY_MIDDLE 0.42 /* of the height: below stand the buttons of an empty model */
#define GRID_PITCH 2.0    /* [M] */

HlCircuitPicture hl_circuit_picture_make (void) {
  return (HlCircuitPicture){.pressure_high = 1.0};
}

static void paint_grid (cairo_t *cr, const HlView *view, HlRect area, const HlStyle *style) {
  HlRect seen = hl_view_visible (view, area);
  double pitch = GRID_PITCH;

  while (pitch * view->scale < 9.0)
    pitch *= 2.0;
  hl_color_set (cr, style->grid);
  for (double x = ceil (seen.x / pitch) * pitch; x <= seen.x + seen.width; x += pitch)
    for (double y = ceil (seen.y / pitch) * pitch; y <= seen.y + seen.height; y += pitch) {
      HlSpot p = hl_view_to_device (view, (HlSpot){x, y});
      cairo_rectangle (cr, round (p.x) - 0.5, round (p.y) - 0.5, 1.0, 1.0);
    }
  cairo_fill (cr);
}

static void trace_wires (cairo_t *cr, const HlCircuitNet *net, const HlView *view) {
  for (int w = 0; w < net->n_wires; w++)
    for (int i = 0; i < net->wires[w].n; i++) {
      HlSpot p = hl_view_to_device (view, net->wires[w].points[i]);
      if (i == 0)
        cairo_move_to (cr, p.x, p.y);
      else
        cairo_line_to (cr, p.x, p.y);
    }
}

static HlColor net_color (const HlCircuitPicture *picture, const HlCircuitNet *net, const HlStyle *style) {
  double range = picture->pressure_high - picture->pressure_low;

  if (net->is_problem)
    return style->problem;
  return hl_style_pressure_color (style, range > 0.0 ? (net->pressure - picture->pressure_low) / range : NAN);
}

/* Paints a triangle in the middle of each piece of wire that is long enough, a smaller one for less flow; in
 * the color of the line, with a casing. */
static void paint_flow (cairo_t *cr, const HlCircuitNet *net, const HlView *view, double width, HlColor color,
                        const HlStyle *style) {
  for (int i = 0; i < net->n_arrows; i++) {
    const HlCircuitArrow *arrow = &net->arrows[i];
    double size = width * (1.4 + 1.0 * sqrt (MIN (arrow->size, 1.0)));
    if (arrow->length * view->scale < 3.0 * size)
      continue;
    HlSpot c = hl_view_to_device (view, arrow->at);
    double ux = arrow->way.x, uy = view->y_up ? -arrow->way.y : arrow->way.y;
    cairo_move_to (cr, c.x + size * ux, c.y + size * uy);
    cairo_line_to (cr, c.x - size * ux - size * uy, c.y - size * uy + size * ux);
    cairo_line_to (cr, c.x - size * ux + size * uy, c.y - size * uy - size * ux);
    cairo_close_path (cr);
    hl_color_set (cr, style->background);
    cairo_set_line_width (cr, 2.0 * style->hair_width);
    cairo_stroke_preserve (cr);
    hl_color_set (cr, color);
    cairo_fill (cr);
  }
}

static void paint_net (cairo_t *cr, const HlCircuitPicture *picture, const HlCircuitNet *net,
                       const HlView *view, const HlStyle *style) {
  double width = style->wire_width * CLAMP (view->scale / 11.0, 0.6, 1.2);

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  /* the casing shows that a crossing without a dot is no junction */
  trace_wires (cr, net, view);
  if (net->selected || net->hovered)
    hl_color_set (cr, hl_color_with_alpha (net->selected ? style->accent : style->hover, 0.45));
  else
    hl_color_set (cr, style->background);
  cairo_set_line_width (cr, width + 2.0 * (net->selected || net->hovered ? 3.0 : 2.0) * style->hair_width);
  cairo_stroke (cr);

  trace_wires (cr, net, view);
  hl_color_set (cr, net_color (picture, net, style));
  cairo_set_line_width (cr, width);
  cairo_set_line_cap (cr, net->dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_SQUARE);
  hl_dash_set (cr, net->dashed ? HL_DASH_DASHED : HL_DASH_SOLID, width);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  for (int i = 0; i < net->n_dots; i++) {
    HlSpot p = hl_view_to_device (view, net->dots[i]);
    cairo_arc (cr, p.x, p.y, 1.35 * width, 0.0, 2.0 * G_PI);
    cairo_fill (cr);
  }
  paint_flow (cr, net, view, width, net_color (picture, net, style), style);
}

static void paint_one_symbol (cairo_t *cr, const HlCircuitSymbol *symbol, const HlView *view,
                              const HlStyle *style) {
  HlRect box = device_rect (view, hl_shape_placed_box (symbol->kind, &symbol->place));

  if (symbol->selected || symbol->hovered || symbol->is_problem) {
    HlColor color = symbol->is_problem ? style->problem : symbol->selected ? style->accent : style->hover;
    hl_path_rounded (cr, hl_rect_grow (box, 0.45 * view->scale), 0.5 * view->scale);
    hl_color_set (cr, hl_color_with_alpha (color, 0.13));
    cairo_fill_preserve (cr);
    hl_color_set (cr, hl_color_with_alpha (color, symbol->selected || symbol->is_problem ? 1.0 : 0.5));
    cairo_set_line_width (cr, 1.3 * style->hair_width);
    cairo_stroke (cr);
  }
  hl_paint_symbol (cr, symbol->kind, &symbol->state, &symbol->place, view, symbol->ghost ? 0.4 : 1.0, style);
}

/* Rings are never larger than a share of the pitch of the ports, so that those of a small drawing stay apart. */
#define PORT_RING_PX 3.5
#define LINKED_RING_PX 2.5
#define RING_SHARE 0.4 /* [M] */
#define LOOSE_RING_PX 5.0

/* Paints ports; those on a line have smaller rings in the color of the symbols, so that unconnected ones
 * stand out. */
static void paint_ports (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view,
                         const HlStyle *style) {
  double most = RING_SHARE * view->scale;

  for (int i = 0; i < picture->n_symbols && picture->show_ports; i++)
    for (int port = 0; port < hl_shape_n_ports (picture->symbols[i].kind); port++) {
      gboolean is_linked = (picture->symbols[i].linked & 1u << port) != 0;
      HlShapePort placed = hl_shape_placed_port (picture->symbols[i].kind, port, &picture->symbols[i].place);
      HlSpot p = hl_view_to_device (view, (HlSpot){placed.x, placed.y});
      if (placed.is_absent)
        continue;
      cairo_new_path (cr);
      cairo_arc (cr, p.x, p.y, fmin (is_linked ? LINKED_RING_PX : PORT_RING_PX, most), 0.0, 2.0 * G_PI);
      hl_color_set (cr, style->background);
      cairo_fill_preserve (cr);
      hl_color_set (cr, is_linked && !picture->is_connecting ? style->ink : style->accent);
      cairo_set_line_width (cr, (is_linked ? 1.0 : 1.5) * style->hair_width);
      cairo_stroke (cr);
    }
}

static void paint_loose_ends (cairo_t *cr, const HlCircuitNet *net, const HlView *view,
                              const HlStyle *style) {
  for (int i = 0; i < net->n_loose; i++) {
    HlSpot p = hl_view_to_device (view, net->loose[i]);
    cairo_new_path (cr);
    cairo_arc (cr, p.x, p.y, LOOSE_RING_PX, 0.0, 2.0 * G_PI);
    hl_color_set (cr, style->background);
    cairo_fill_preserve (cr);
    hl_color_set (cr, style->problem);
    cairo_set_line_width (cr, style->line_width);
    cairo_stroke (cr);
  }
}

void hl_paint_circuit (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view, HlRect area,
                       const HlStyle *style) {
  HlRect beside = {area.x + picture->left_px, area.y, area.width - picture->left_px, area.height};

  cairo_save (cr);
  cairo_rectangle (cr, area.x, area.y, area.width, area.height);
  cairo_clip (cr);
  if (picture->show_grid)
    paint_grid (cr, view, area, style);
  for (int n = 0; n < picture->n_nets; n++)
    paint_net (cr, picture, &picture->nets[n], view, style);
  hl_controls_paint (cr, picture, view, style);
  for (int i = 0; i < picture->n_symbols; i++)
    paint_one_symbol (cr, &picture->symbols[i], view, style);
  paint_ports (cr, picture, view, style);
  for (int n = 0; n < picture->n_nets && !picture->plain; n++)
    paint_loose_ends (cr, &picture->nets[n], view, style);
  if (!picture->plain)
    circuit_texts_paint (cr, picture, view, beside, style);
  badge_paint_circuit (cr, picture, view, style);
  hl_frame_paint_rubber_band (cr, picture->rubber_band, style);
  if (picture->n_symbols == 0 && picture->empty_text != NULL)
    hl_text_paint_wrapped (cr, style, style->ink_soft, picture->empty_text,
                           (HlSpot){beside.x + 0.5 * beside.width, area.y + EMPTY_MIDDLE * area.height},
                           0.85 * beside.width);
  cairo_restore (cr);
}
