/* SPDX-License-Identifier: MIT */
/* A tree of boxes, each with its place in the one above. All lengths are in px of the style; the
 * rules of thumb are those of TeX, in parts of the size of the letters: the axis of fractions lies a
 * quarter above the line, indices are 0.7 as large. */
#include "ui/paint/formula/hl-formula-typesetting.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "core/base/hl-translation-macros.h"
#include "ui/paint/base/hl-drawing-text.h"

#define FAMILY "DejaVu Serif"
#define SIZE 1.25    /* of letters, over the body text */
#define SMALLER 0.72 /* of an index or exponent */
#define LEAST 0.6    /* no index is smaller */
#define AXIS 0.28    /* of fractions and brackets above the line */
#define GAP 0.14     /* above and below the stroke of a fraction */
#define THIN 0.16    /* between factors */
#define WIDE 0.28    /* around signs */

typedef enum {
  GLYPHS,
  STROKE,  /* of a fraction or over a root: as wide as the box, at y */
  ROOT,    /* the sign of a root, as high as the box */
  BRACKET, /* ( ) | or {: as high as the box */
  GROUP    /* parts only */
} Mark;

struct _HlFormulaBox {
  Mark mark;
  double width, above, below;
  double x, y; /* of its line's left end in the box around it */
  double size; /* of its letters */
  char *text;
  gboolean is_slanted;
  GPtrArray *parts;
};

typedef struct {
  cairo_t *cr;
  double body; /* size of the letters on the line */
} Setter;

static HlFormulaBox *set_term (Setter *setter, const HlTerm *term, double size);

static HlFormulaBox *box_new (Mark mark, double size) {
  HlFormulaBox *box = g_new0 (HlFormulaBox, 1);

  box->mark = mark;
  box->size = size;
  box->parts = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_formula_box_free);
  return box;
}

void hl_formula_box_free (HlFormulaBox *box) {
  if (box == NULL)
    return;
  g_free (box->text);
  g_ptr_array_unref (box->parts);
  g_free (box);
}

/* Puts a part at a place; the box grows around it. */
static HlFormulaBox *add_part (HlFormulaBox *box, HlFormulaBox *part, double x, double y) {
  part->x = x;
  part->y = y;
  box->width = fmax (box->width, x + part->width);
  box->above = fmax (box->above, part->above - y);
  box->below = fmax (box->below, part->below + y);
  g_ptr_array_add (box->parts, part);
  return box;
}

/* Puts a part behind what is there. */
static HlFormulaBox *append_box (HlFormulaBox *box, HlFormulaBox *part, double gap) {
  return add_part (box, part, box->width + gap, 0.0);
}

static PangoLayout *layout_of (cairo_t *cr, const char *text, double size, gboolean is_slanted) {
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_from_string (FAMILY);

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_font_description_set_style (font, is_slanted ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  pango_context_set_round_glyph_positions (pango_layout_get_context (layout), FALSE);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

static HlFormulaBox *set_glyphs (Setter *setter, const char *text, double size, gboolean is_slanted) {
  HlFormulaBox *box = box_new (GLYPHS, size);
  g_autoptr (PangoLayout) layout = layout_of (setter->cr, text, size, is_slanted);
  PangoRectangle ink, logical;
  double line = (double)pango_layout_get_baseline (layout) / PANGO_SCALE;

  pango_layout_get_extents (layout, &ink, &logical);
  box->text = g_strdup (text);
  box->is_slanted = is_slanted;
  box->width = (double)logical.width / PANGO_SCALE;
  box->above = fmax (0.0, line - (double)ink.y / PANGO_SCALE);
  box->below = fmax (0.0, (double)(ink.y + ink.height) / PANGO_SCALE - line);
  return box;
}

static double smaller_size (const Setter *setter, double size) {
  return fmax (SMALLER * size, LEAST * setter->body);
}

#define DOT_ABOVE "\u0307"
#define TWO_DOTS_ABOVE "\u0308"

/* Returns a letter with its index, and for each prime a dot above: a rate. Single letters slanted, words upright. */
static HlFormulaBox *set_letter (Setter *setter, const char *letter, double size) {
  g_autofree char *index = NULL;
  int primes;
  g_autofree char *shown = hl_term_letter_shown (letter, &index, &primes);
  glong n = g_utf8_strlen (shown, -1);
  gboolean is_word = n > 2 || (n == 2 && !g_str_has_prefix (shown, "Δ"));
  HlFormulaBox *box = box_new (GROUP, size);

  g_autofree char *dotted = g_strconcat (shown,
                                         primes == 0   ? ""
                                         : primes == 1 ? DOT_ABOVE
                                                       : TWO_DOTS_ABOVE,
                                         NULL);

  append_box (box, set_glyphs (setter, dotted, size, !is_word), 0.0);
  double end = box->width;
  if (index != NULL)
    add_part (box, set_glyphs (setter, index, smaller_size (setter, size), FALSE), end + 0.04 * size,
              0.22 * size);
  return box;
}

/* Returns a part between brackets that are as high. */
static HlFormulaBox *set_between (Setter *setter, HlFormulaBox *inside, const char *left, const char *right,
                                  double size) {
  HlFormulaBox *box = box_new (GROUP, size);
  double axis = AXIS * size;
  double reach = fmax (fmax (inside->above - axis, inside->below + axis), 0.45 * size);
  const char *const sides[] = {left, right};

  for (int side = 0; side < 2; side++) {
    if (sides[side] != NULL) {
      HlFormulaBox *bracket = box_new (BRACKET, size);
      bracket->text = g_strdup (sides[side]);
      bracket->width = (*sides[side] == '|' ? 0.22 : *sides[side] == '{' ? 0.5 : 0.32) * size;
      bracket->above = reach + axis;
      bracket->below = reach - axis;
      append_box (box, bracket, side == 0 ? 0.0 : 0.03 * size);
    }
    if (side == 0)
      append_box (box, inside, left != NULL ? 0.03 * size : 0.0);
  }
  return box;
}

/* Brackets that the layout makes needless are left away. */
static const HlTerm *without_brackets (const HlTerm *term) {
  return term->kind == HL_TERM_GROUP ? hl_term_part (term, 0) : term;
}

static HlFormulaBox *set_fraction (Setter *setter, const HlTerm *term, double size) {
  double inner = size < setter->body ? size : 0.92 * size, axis = AXIS * size, gap = GAP * size;
  HlFormulaBox *top = set_term (setter, without_brackets (hl_term_part (term, 0)), inner);
  HlFormulaBox *bottom = set_term (setter, without_brackets (hl_term_part (term, 1)), inner);
  HlFormulaBox *box = box_new (GROUP, size), *stroke = box_new (STROKE, size);
  double width = fmax (top->width, bottom->width) + 0.2 * size;

  stroke->width = width;
  add_part (box, stroke, 0.0, -axis);
  add_part (box, top, 0.5 * (width - top->width), -axis - gap - top->below);
  add_part (box, bottom, 0.5 * (width - bottom->width), -axis + gap + bottom->above);
  return box;
}

static HlFormulaBox *set_power (Setter *setter, const HlTerm *term, double size) {
  HlFormulaBox *box = box_new (GROUP, size);
  HlFormulaBox *base = set_term (setter, hl_term_part (term, 0), size);
  HlFormulaBox *exponent =
      set_term (setter, without_brackets (hl_term_part (term, 1)), smaller_size (setter, size));
  double rise = fmax (0.38 * size, base->above - 0.45 * size) + exponent->below;

  append_box (box, base, 0.0);
  return add_part (box, exponent, box->width + 0.04 * size, -rise);
}

static HlFormulaBox *set_root (Setter *setter, const HlTerm *inside, double size) {
  HlFormulaBox *box = box_new (GROUP, size), *sign = box_new (ROOT, size);
  HlFormulaBox *part = set_term (setter, without_brackets (inside), size), *stroke = box_new (STROKE, size);

  sign->width = 0.55 * size;
  sign->above = part->above + 0.16 * size;
  sign->below = part->below + 0.04 * size;
  append_box (box, sign, 0.0);
  stroke->width = part->width + 0.12 * size;
  add_part (box, stroke, sign->width, -sign->above);
  return add_part (box, part, sign->width + 0.06 * size, 0.0);
}

/* Returns the rows of value and condition behind one brace. */
static HlFormulaBox *set_cases (Setter *setter, const HlTerm *term, double size) {
  guint n = (term->parts->len + 1) / 2;
  double inner = 0.92 * size, column = 0.0, height = 0.0, gap = 0.3 * size;
  HlFormulaBox *rows = box_new (GROUP, size);
  g_autoptr (GPtrArray) values = g_ptr_array_new (), conditions = g_ptr_array_new ();

  for (guint k = 0; k < n; k++) {
    gboolean has_condition = 2 * k + 1 < term->parts->len;
    HlFormulaBox *value = set_term (setter, hl_term_part (term, 2 * k), inner);
    HlFormulaBox *condition = box_new (GROUP, inner);
    append_box (condition,
                set_glyphs (setter, has_condition ? C_ ("formula", "for") : C_ ("formula", "else"),
                            0.85 * inner, FALSE),
                0.0);
    if (has_condition)
      append_box (condition, set_term (setter, hl_term_part (term, 2 * k + 1), inner), WIDE * size);
    g_ptr_array_add (values, value);
    g_ptr_array_add (conditions, condition);
    column = fmax (column, value->width);
    height +=
        fmax (value->above, condition->above) + fmax (value->below, condition->below) + (k > 0 ? gap : 0.0);
  }
  double y = -AXIS * size - 0.5 * height;
  for (guint k = 0; k < n; k++) {
    HlFormulaBox *value = values->pdata[k], *condition = conditions->pdata[k];
    y += fmax (value->above, condition->above);
    add_part (rows, value, 0.0, y);
    add_part (rows, condition, column + 1.2 * size, y);
    y += fmax (value->below, condition->below) + gap;
  }
  return set_between (setter, rows, "{", NULL, size);
}

/* Sets f (a, b). */
static HlFormulaBox *set_call (Setter *setter, const HlTerm *term, double size) {
  HlFormulaBox *box = box_new (GROUP, size), *inside = box_new (GROUP, size);

  if (strcmp (term->text, "cases") == 0 || strcmp (term->text, "sqrt") == 0) {
    hl_formula_box_free (box);
    hl_formula_box_free (inside);
    return *term->text == 'c' ? set_cases (setter, term, size)
                              : set_root (setter, hl_term_part (term, 0), size);
  }
  for (guint k = 0; k < term->parts->len; k++) {
    if (k > 0)
      append_box (inside, set_glyphs (setter, ",", size, FALSE), 0.0);
    append_box (inside, set_term (setter, hl_term_part (term, k), size), k > 0 ? WIDE * size : 0.0);
  }
  if (strcmp (term->text, "abs") == 0) {
    append_box (box, set_between (setter, inside, "|", "|", size), 0.0);
    return box;
  }
  if (strcmp (term->text, "pos") == 0) { /* (x)+ */
    HlFormulaBox *between = set_between (setter, inside, "(", ")", size);
    append_box (box, between, 0.0);
    return add_part (box, set_glyphs (setter, "+", smaller_size (setter, size), FALSE), box->width,
                     -fmax (0.4 * size, between->above - 0.4 * size));
  }
  append_box (box, set_letter (setter, term->text, size), 0.0);
  return append_box (box, set_between (setter, inside, "(", ")", size), 0.06 * size);
}

static HlFormulaBox *set_sum (Setter *setter, const HlTerm *term, double size) {
  HlFormulaBox *box = box_new (GROUP, size);

  for (guint k = 0; k < term->parts->len; k++) {
    const HlTerm *part = hl_term_part (term, k);
    gboolean is_minus = part->kind == HL_TERM_MINUS;
    if (k > 0 || is_minus)
      append_box (box, set_glyphs (setter, is_minus ? "−" : "+", size, FALSE), k > 0 ? WIDE * size : 0.0);
    append_box (box, set_term (setter, is_minus ? hl_term_part (part, 0) : part, size),
                k > 0 ? WIDE * size : 0.08 * size * is_minus);
  }
  return box;
}

/* Sets "=" or "<" between two sides. */
static HlFormulaBox *set_relation (Setter *setter, const HlTerm *term, const char *sign, double size) {
  HlFormulaBox *box = set_term (setter, hl_term_part (term, 0), size);
  HlFormulaBox *whole = box_new (GROUP, size);

  append_box (whole, box, 0.0);
  append_box (whole, set_glyphs (setter, sign, size, FALSE), WIDE * size);
  return append_box (whole, set_term (setter, hl_term_part (term, 1), size), WIDE * size);
}

static HlFormulaBox *set_product (Setter *setter, const HlTerm *term, double size) {
  HlFormulaBox *box = box_new (GROUP, size);

  for (guint k = 0; k < term->parts->len; k++) {
    gboolean is_number = hl_term_part (term, k)->kind == HL_TERM_NUMBER;
    if (k > 0 && is_number) /* else two numbers would be one */
      append_box (box, set_glyphs (setter, "·", size, FALSE), THIN * size);
    /* a fraction needs no brackets to be a factor */
    const HlTerm *inside = without_brackets (hl_term_part (term, k));
    append_box (box,
                set_term (setter, inside->kind == HL_TERM_FRACTION ? inside : hl_term_part (term, k), size),
                k > 0 ? THIN * size : 0.0);
  }
  return box;
}

static HlFormulaBox *set_term (Setter *setter, const HlTerm *term, double size) {
  switch (term->kind) {
  case HL_TERM_NUMBER:
    return set_glyphs (setter, term->text, size, FALSE);
  case HL_TERM_LETTER:
    return set_letter (setter, term->text, size);
  case HL_TERM_GROUP:
    return set_between (setter, set_term (setter, hl_term_part (term, 0), size), "(", ")", size);
  case HL_TERM_MINUS: {
    HlFormulaBox *box = set_glyphs (setter, "−", size, FALSE), *whole = box_new (GROUP, size);
    append_box (whole, box, 0.0);
    return append_box (whole, set_term (setter, hl_term_part (term, 0), size), 0.08 * size);
  }
  case HL_TERM_SUM:
    return set_sum (setter, term, size);
  case HL_TERM_PRODUCT:
    return set_product (setter, term, size);
  case HL_TERM_FRACTION:
    return set_fraction (setter, term, size);
  case HL_TERM_POWER:
    return set_power (setter, term, size);
  case HL_TERM_CALL:
    return set_call (setter, term, size);
  case HL_TERM_COMPARE:
    return set_relation (setter, term,
                         strcmp (term->text, "<=") == 0   ? "≤"
                         : strcmp (term->text, ">=") == 0 ? "≥"
                                                          : term->text,
                         size);
  default:
    return set_relation (setter, term, "=", size);
  }
}

HlFormulaBox *hl_formula_box_new (cairo_t *cr, const HlTerm *term, const HlStyle *style) {
  Setter setter = {.cr = cr, .body = SIZE * style->font_size};

  return set_term (&setter, term, setter.body);
}

void hl_formula_box_size (const HlFormulaBox *box, double *width, double *above, double *below) {
  *width = box->width;
  *above = box->above;
  *below = box->below;
}

/* --- painting --- */

static void paint_bracket (cairo_t *cr, const HlFormulaBox *box, double x, double y) {
  double top = y - box->above, bottom = y + box->below, middle = 0.5 * (top + bottom);
  double w = box->width, bend = fmin (0.35 * (bottom - top), 0.9 * box->size);

  switch (*box->text) {
  case '|':
    cairo_move_to (cr, x + 0.5 * w, top);
    cairo_line_to (cr, x + 0.5 * w, bottom);
    break;
  case '{':
    cairo_move_to (cr, x + 0.85 * w, top);
    cairo_curve_to (cr, x + 0.35 * w, top, x + 0.75 * w, middle, x + 0.15 * w, middle);
    cairo_curve_to (cr, x + 0.75 * w, middle, x + 0.35 * w, bottom, x + 0.85 * w, bottom);
    break;
  default: {
    double outer = *box->text == '(' ? x + 0.25 * w : x + 0.75 * w;
    double inner = *box->text == '(' ? x + 0.85 * w : x + 0.15 * w;
    cairo_move_to (cr, inner, top);
    cairo_curve_to (cr, outer, top + 0.4 * bend, outer, bottom - 0.4 * bend, inner, bottom);
  }
  }
  cairo_stroke (cr);
}

static void paint (cairo_t *cr, const HlFormulaBox *box, double x, double y) {
  double w = box->width, high = box->above + box->below;

  cairo_set_line_width (cr, fmax (0.06 * box->size, 0.5));
  if (box->mark == GLYPHS) {
    g_autoptr (PangoLayout) layout = layout_of (cr, box->text, box->size, box->is_slanted);
    cairo_move_to (cr, x, y - (double)pango_layout_get_baseline (layout) / PANGO_SCALE);
    hl_text_show_layout (cr, layout);
    cairo_new_path (cr);
  } else if (box->mark == STROKE) {
    cairo_move_to (cr, x, y);
    cairo_line_to (cr, x + w, y);
    cairo_stroke (cr);
  } else if (box->mark == ROOT) {
    cairo_move_to (cr, x + 0.08 * w, y + box->below - 0.42 * high);
    cairo_line_to (cr, x + 0.28 * w, y + box->below - 0.5 * high);
    cairo_line_to (cr, x + 0.6 * w, y + box->below);
    cairo_line_to (cr, x + w, y - box->above);
    cairo_stroke (cr);
  } else if (box->mark == BRACKET)
    paint_bracket (cr, box, x, y);
  for (guint k = 0; k < box->parts->len; k++) {
    const HlFormulaBox *part = g_ptr_array_index (box->parts, k);
    paint (cr, part, x + part->x, y + part->y);
  }
}

void hl_formula_box_paint (cairo_t *cr, const HlFormulaBox *box, HlSpot at, HlColor color) {
  cairo_save (cr);
  hl_color_set (cr, color);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  paint (cr, box, at.x, at.y);
  cairo_restore (cr);
}
