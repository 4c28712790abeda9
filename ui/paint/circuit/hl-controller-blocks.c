/* SPDX-License-Identifier: MIT */
#include "ui/paint/circuit/hl-controller-blocks.h"

#include "core/base/hl-translation-macros.h"
#include "core/system/hl-signal-block.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/circuit/hl-paint-circuit.h"

#include <math.h>
#include <string.h>

#define MOST_SYMBOLS                                                                                         \
  1500             /* a larger drawing has no room for controls, and looking for some takes its square */
#define HEIGHT 2.0 /* of a block [M] */
#define LETTER 0.62
#define LEAST_WIDTH 3.0
#define GAP 2.0 /* between an element and its block */
#define MOST_GAPS 5
#define ARROW 0.6
#define LEAST_SCALE 5.0 /* [px/M] below which texts are left out */

/* --- what a signal is made of --- */

typedef struct {
  GString *label, *measures;
  GPtrArray *paths; /* measured paths, borrowed */
} Content;

static void append_text (GString *text, const char *what, const char *between) {
  if (text->len > 0)
    g_string_append (text, between);
  g_string_append (text, what);
}

/* Reads short words of the blocks, from the element back to the measured quantity. */
static void read_blocks (const HlValue *signal, Content *content) {
  const char *kind = hl_value_string (hl_value_member (signal, "kind"));
  const HlBlockClass *block = hl_block_class (kind);
  const HlValue *of = hl_value_member (signal, "of");

  if (block != NULL && strcmp (kind, "pid") == 0)
    append_text (content->label, "PID", " · ");
  else if (block != NULL && !block->measures)
    append_text (content->label, _ (block->kind.label), " · ");
  if (block != NULL && block->measures && hl_value_is_string (of)) {
    append_text (content->measures, hl_value_string (of), ", ");
    g_ptr_array_add (content->paths, (gpointer)hl_value_string (of));
  }
  if (block != NULL && block->input != NULL)
    read_blocks (hl_value_member (signal, block->input), content);
  for (gsize k = 0; g_strcmp0 (kind, "sum") == 0 && k < hl_value_length (of); k++)
    read_blocks (hl_value_item (of, k), content);
}

/* --- where things stand --- */

static HlRect box_of (const HlCircuitPicture *picture, int symbol) {
  return hl_shape_placed_box (picture->symbols[symbol].kind, &picture->symbols[symbol].place);
}

static gboolean overlap (HlRect a, HlRect b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

static HlRect segment_box (HlSpot a, HlSpot b) {
  return (HlRect){fmin (a.x, b.x) - 0.3, fmin (a.y, b.y) - 0.3, fabs (a.x - b.x) + 0.6,
                  fabs (a.y - b.y) + 0.6};
}

/* Returns how much stands in the way of a block: symbols and blocks weigh most, then wires. */
static int count_overlaps (const HlCircuitPicture *picture, const GArray *controls, HlRect box) {
  HlRect room = hl_rect_grow (box, 0.4);
  int weight = 0;

  for (int i = 0; i < picture->n_symbols; i++)
    weight += overlap (room, box_of (picture, i)) ? 100 : 0;
  for (guint i = 0; i < controls->len; i++)
    weight += overlap (room, g_array_index (controls, HlCircuitControl, i).box) ? 100 : 0;
  for (int n = 0; n < picture->n_nets; n++)
    for (int w = 0; w < picture->nets[n].n_wires; w++)
      for (int i = 1; i < picture->nets[n].wires[w].n; i++)
        weight += overlap (
            room, segment_box (picture->nets[n].wires[w].points[i - 1], picture->nets[n].wires[w].points[i]));
  return weight;
}

/* Finds room left, right, above or below of an element, near first; the first free place, otherwise the least
 * full. */
static HlRect find_room (const HlCircuitPicture *picture, const GArray *controls, int symbol, double width) {
  HlRect own = box_of (picture, symbol), best = {0};
  double cx = own.x + 0.5 * own.width, cy = own.y + 0.5 * own.height;
  int least = G_MAXINT;

  for (int k = 1; k <= MOST_GAPS && least > 0; k++) {
    const HlRect places[] = {
        {own.x - k * GAP - width, cy - 0.5 * HEIGHT, width, HEIGHT},
        {own.x + own.width + k * GAP, cy - 0.5 * HEIGHT, width, HEIGHT},
        {cx - 0.5 * width, own.y - k * GAP - HEIGHT, width, HEIGHT},
        {cx - 0.5 * width, own.y + own.height + k * GAP, width, HEIGHT},
    };
    for (gsize i = 0; i < G_N_ELEMENTS (places) && least > 0; i++) {
      int weight = count_overlaps (picture, controls, places[i]);
      if (weight >= least)
        continue;
      least = weight;
      best = places[i];
    }
  }
  return best;
}

static int symbol_of (const HlCircuitPicture *picture, const char *id) {
  for (int i = 0; i < picture->n_symbols; i++)
    if (g_strcmp0 (picture->symbols[i].id, id) == 0)
      return i;
  return -1;
}

/* Returns the actuator that moves a body: what a measured position is drawn at. */
static int actuator_of (const HlCircuitPicture *picture, const HlDocument *document, const char *body) {
  static const char *const ends[] = {"rod", "base", "b", "a"};

  for (gsize end = 0; end < G_N_ELEMENTS (ends); end++)
    for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
      const HlValue *element = hl_document_element (document, HL_SECTION_COMPONENTS, k);
      const char *text = hl_value_string (hl_value_member (element, ends[end]));
      g_autofree char *id = g_strndup (text != NULL ? text : "", strcspn (text != NULL ? text : "", "."));
      if (strcmp (id, body) == 0)
        return symbol_of (picture, hl_document_element_id (document, HL_SECTION_COMPONENTS, k));
    }
  return -1;
}

/* Finds a point of the measured element; FALSE when the circuit does not show it. */
static gboolean find_target (const HlCircuitPicture *picture, const HlDocument *document, const char *path,
                             HlSpot from, HlSpot *at) {
  g_autofree char *id = g_strndup (path, strcspn (path, "."));
  HlSection section;
  int index, symbol = -1;

  if (hl_document_find (document, id, &section, &index) == NULL)
    return FALSE;
  if (section == HL_SECTION_LINES && index < picture->n_nets) {
    const HlCircuitNet *net = &picture->nets[index];
    double nearest = INFINITY;
    for (int w = 0; w < net->n_wires; w++)
      for (int i = 1; i < net->wires[w].n; i++) {
        HlSpot a = net->wires[w].points[i - 1], b = net->wires[w].points[i];
        HlSpot middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
        double far = hypot (middle.x - from.x, middle.y - from.y);
        if (far < nearest) {
          nearest = far;
          *at = middle;
        }
      }
    return isfinite (nearest);
  }
  if (section == HL_SECTION_COMPONENTS)
    symbol = symbol_of (picture, id);
  else if (section == HL_SECTION_BODIES)
    symbol = actuator_of (picture, document, id);
  if (symbol < 0)
    return FALSE;
  HlRect box = box_of (picture, symbol);
  *at = (HlSpot){CLAMP (from.x, box.x, box.x + box.width), CLAMP (from.y, box.y, box.y + box.height)};
  return TRUE;
}

/* Returns the point of a box's edge that looks at another point, and a way there with one bend. */
static HlControlWay way_between (HlRect box, HlSpot to) {
  HlSpot middle = {box.x + 0.5 * box.width, box.y + 0.5 * box.height};
  gboolean beside = to.x < box.x || to.x > box.x + box.width;
  gboolean in_height = to.y >= box.y && to.y <= box.y + box.height;
  HlControlWay way = {.n = 3};

  if (beside && !in_height) { /* out of the upper or lower edge, then across */
    way.points[0] = (HlSpot){middle.x, to.y < middle.y ? box.y : box.y + box.height};
    way.points[1] = (HlSpot){middle.x, to.y};
    way.points[2] = to;
    return way;
  }
  way.n = 2;
  way.points[0] = beside ? (HlSpot){to.x < box.x ? box.x : box.x + box.width, to.y}
                         : (HlSpot){to.x, to.y < middle.y ? box.y : box.y + box.height};
  way.points[1] = to;
  return way;
}

static HlControlWay opposite_way (HlControlWay way) {
  HlControlWay back = {.n = way.n};

  for (int k = 0; k < way.n; k++)
    back.points[k] = way.points[way.n - 1 - k];
  return back;
}

static void add_control (GArray *controls, const HlDocument *document, const HlCircuitPicture *picture,
                         const HlValue *signal, int symbol, GStringChunk *texts) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  Content content = {g_string_new (NULL), g_string_new (NULL), paths};
  HlCircuitControl control = {.symbol = symbol};

  read_blocks (signal, &content);
  if (content.label->len == 0 && paths->len > 0)
    append_text (content.label, _ ("Sensor"), "");
  if (content.label->len > 0) {
    double letters = (double)g_utf8_strlen (content.label->str, -1);
    control.label = g_string_chunk_insert (texts, content.label->str);
    control.measures = g_string_chunk_insert (texts, content.measures->str);
    control.box = find_room (picture, controls, symbol, fmax (LEAST_WIDTH, LETTER * letters + 1.0));
    HlSpot middle = {control.box.x + 0.5 * control.box.width, control.box.y + 0.5 * control.box.height};
    for (guint k = 0; k < paths->len && control.n_ways < HL_CONTROL_MOST_WAYS - 1; k++) {
      HlSpot at;
      if (find_target (picture, document, paths->pdata[k], middle, &at))
        control.ways[control.n_ways++] = opposite_way (way_between (control.box, at));
    }
    HlRect own = box_of (picture, symbol);
    HlSpot end = {CLAMP (middle.x, own.x, own.x + own.width), CLAMP (middle.y, own.y, own.y + own.height)};
    control.ways[control.n_ways++] = way_between (control.box, end);
    g_array_append_val (controls, control);
  }
  g_string_free (content.label, TRUE);
  g_string_free (content.measures, TRUE);
}

void hl_controls_place (GArray *controls, const HlDocument *document, const HlCircuitPicture *picture,
                        GStringChunk *texts) {
  if (picture->n_symbols > MOST_SYMBOLS)
    return;
  for (int k = 0; k < hl_document_n_elements (document, HL_SECTION_COMPONENTS); k++) {
    const HlKind *kind = hl_document_element_kind (document, HL_SECTION_COMPONENTS, k);
    int symbol = symbol_of (picture, hl_document_element_id (document, HL_SECTION_COMPONENTS, k));
    for (int f = 0; symbol >= 0 && kind != NULL && f < kind->n_fields; f++)
      if (kind->fields[f].type == HL_FIELD_SIGNAL)
        add_control (
            controls, document, picture,
            hl_value_at (hl_document_element (document, HL_SECTION_COMPONENTS, k), kind->fields[f].name),
            symbol, texts);
  }
}

/* --- the picture --- */

static void paint_head (cairo_t *cr, HlSpot from, HlSpot to, double size) {
  double length = hypot (to.x - from.x, to.y - from.y);
  HlSpot way =
      length > 0.0 ? (HlSpot){(to.x - from.x) / length, (to.y - from.y) / length} : (HlSpot){1.0, 0.0};

  cairo_move_to (cr, to.x, to.y);
  cairo_line_to (cr, to.x - size * way.x - 0.4 * size * way.y, to.y - size * way.y + 0.4 * size * way.x);
  cairo_line_to (cr, to.x - size * way.x + 0.4 * size * way.y, to.y - size * way.y - 0.4 * size * way.x);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void paint_way (cairo_t *cr, const HlControlWay *way, const HlView *view, const HlStyle *style) {
  double width = 0.65 * style->wire_width;
  HlSpot p = hl_view_to_device (view, way->points[0]), before = p;

  cairo_set_line_width (cr, width);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  hl_dash_set (cr, HL_DASH_DASHED, width);
  cairo_move_to (cr, p.x, p.y);
  for (int k = 1; k < way->n; k++) {
    before = p;
    p = hl_view_to_device (view, way->points[k]);
    cairo_line_to (cr, p.x, p.y);
  }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  paint_head (cr, before, p, ARROW * view->scale);
}

void hl_controls_paint (cairo_t *cr, const HlCircuitPicture *picture, const HlView *view,
                        const HlStyle *style) {
  HlStyle text_style = *style;

  text_style.font_size *= CLAMP (view->scale / 10.0, 1.0, 1.15); /* never under 11 px */
  for (int i = 0; i < picture->n_controls; i++) {
    const HlCircuitControl *control = &picture->controls[i];
    const HlCircuitSymbol *symbol = &picture->symbols[control->symbol];
    HlSpot at = hl_view_to_device (view, (HlSpot){control->box.x, control->box.y});
    double width = control->box.width * view->scale, height = control->box.height * view->scale;
    HlColor ink = symbol->selected ? style->accent : symbol->hovered ? style->hover : style->ink;

    hl_color_set (cr, ink);
    for (int k = 0; k < control->n_ways; k++)
      paint_way (cr, &control->ways[k], view, style);
    cairo_rectangle (cr, at.x, at.y, width, height);
    hl_color_set (cr, style->symbol);
    cairo_fill_preserve (cr);
    hl_color_set (cr, ink);
    cairo_set_line_width (cr, 0.8 * style->wire_width);
    cairo_stroke (cr);
    if (picture->plain || view->scale < LEAST_SCALE)
      continue;
    double text_width, text_height;
    hl_text_size (cr, &text_style, HL_TEXT_SMALL, control->label, &text_width, &text_height);
    if (text_width > width || text_height > height)
      continue;
    hl_text_paint (cr, &text_style, HL_TEXT_SMALL, ink, control->label,
                   (HlSpot){at.x + 0.5 * width, at.y + 0.5 * height}, 0.5, 0.5);
    hl_text_paint (cr, &text_style, HL_TEXT_SMALL, style->ink_soft, control->measures,
                   (HlSpot){at.x + 0.5 * width, at.y + height + 0.15 * view->scale}, 0.5, 0.0);
  }
}
