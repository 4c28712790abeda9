/* SPDX-License-Identifier: MIT */
/* Text by Pango. Metrics are not hinted, so a drawing has the same proportions at every scale and
 * on paper. */
#include "ui/paint/base/hl-drawing-text.h"

#include "core/base/hl-text-escape.h"

#include <pango/pangocairo.h>

#include <math.h>
#include <string.h>

/* The rule of German schools: of the consonants between two vowels the last one begins the next
 * syllable, with those that are spoken as one. That is right for simple words and mostly for
 * compounds; what lies wrong by a letter still reads better than a break at any letter. */

#define LEAST_WORD 10    /* letters: shorter words fit into a row */
#define LEAST_SYLLABLE 3 /* letters on either side */
#define MOST_WORD 64
#define SOFT_HYPHEN 0x00AD

/* Longest first. */
static const char *const openings[] = {
    "schl", "schm", "schn", "schr", "schw", "str", "spr", "sch", "ch", "ck", "ph", "th", "qu", "br",
    "dr",   "fr",   "gr",   "kr",   "pr",   "tr",  "bl",  "fl",  "gl", "kl", "pl", "sp", "zw", "kn"};

static gboolean is_vowel (gunichar letter) {
  return g_utf8_strchr ("aeiouyäöü", -1, letter) != NULL;
}

/* Returns the start of the syllable whose vowel is at `vowel`; `after` is the vowel of the one before. */
static int opening (const gunichar word[], int after, int vowel) {
  for (gsize k = 0; k < G_N_ELEMENTS (openings); k++) {
    int n = (int)strlen (openings[k]), at = vowel - n;
    gboolean same = at > after;
    for (int i = 0; same && i < n; i++)
      same = word[at + i] == (gunichar)openings[k][i];
    if (same)
      return at;
  }
  /* "Wand-steife", but "Kos-ten" */
  if (vowel - 3 > after && word[vowel - 2] == 's' && word[vowel - 1] == 't')
    return vowel - 2;
  return vowel - 1;
}

static void append_word (GString *out, const gunichar word[], const gunichar low[], int n) {
  gboolean breaks[MOST_WORD + 1] = {FALSE};
  int before = -1, last = 0;

  for (int k = 0; n >= LEAST_WORD && n <= MOST_WORD && k < n; k++) {
    if (!is_vowel (low[k]))
      continue;
    if (before >= 0 && k - before > 1) {
      int at = opening (low, before, k);
      if (at - last >= LEAST_SYLLABLE && n - at >= LEAST_SYLLABLE) {
        breaks[at] = TRUE;
        last = at;
      }
    }
    before = k;
  }
  for (int k = 0; k < n; k++) {
    if (n <= MOST_WORD && breaks[k])
      g_string_append_unichar (out, SOFT_HYPHEN);
    g_string_append_unichar (out, word[k]);
  }
}

char *hl_syllables_german (const char *text) {
  GString *out = g_string_new (NULL);
  glong length;
  g_autofree gunichar *letters = g_utf8_to_ucs4_fast (text, -1, &length);
  g_autofree gunichar *low = g_new (gunichar, (gsize)length + 1);

  for (glong k = 0; k < length; k++)
    low[k] = g_unichar_tolower (letters[k]);
  for (glong k = 0; k < length;) {
    glong end = k;
    while (end < length && g_unichar_isalpha (letters[end]))
      end++;
    append_word (out, &letters[k], &low[k], (int)(end - k));
    if (end < length)
      g_string_append_unichar (out, letters[end++]);
    k = end;
  }
  return g_string_free (out, FALSE);
}

char *hl_syllables_break (const char *text) {
  return g_str_has_prefix (g_get_language_names ()[0], "de") ? hl_syllables_german (text) : g_strdup (text);
}

/* Shortens in the middle, because names differ at their beginnings and ends. */

#define LONGEST_PART 0.5
#define SHORT_EM 14.0

static gboolean text_fits (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text,
                           double width) {
  double own, height;

  hl_text_size (cr, style, weight, text, &own, &height);
  return own <= width;
}

/* Returns that many letters of the text, one more at the beginning when the number is odd. */
static char *shortened (const char *text, long letters) {
  long length = g_utf8_strlen (text, -1), tail = letters / 2, lead = letters - tail;
  g_autofree char *head = g_strchomp (g_utf8_substring (text, 0, lead));
  const char *end = g_utf8_offset_to_pointer (text, length - tail);

  return g_strconcat (head, "…", *end == ' ' ? end + 1 : end, NULL);
}

char *hl_text_elide (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double width) {
  long low = 0, high = g_utf8_strlen (text, -1);

  if (text_fits (cr, style, weight, text, width))
    return g_strdup (text);
  while (high - low > 1) {
    long middle = (low + high) / 2;
    g_autofree char *shorter = shortened (text, middle);
    if (text_fits (cr, style, weight, shorter, width))
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

void hl_badge_paint (cairo_t *cr, HlSpot at, const HlStyle *style) {
  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, HL_BADGE_RADIUS * style->font_size, 0.0, 2.0 * G_PI);
  hl_color_set (cr, style->problem);
  cairo_fill (cr);
  hl_text_paint (cr, style, HL_TEXT_BOLD, style->background, "!", at, 0.5, 0.5);
}

static PangoLayout *layout_new (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text) {
  PangoLayout *layout = pango_cairo_create_layout (cr);
  PangoFontDescription *font = pango_font_description_new ();
  cairo_font_options_t *options = cairo_font_options_create ();
  double size = weight == HL_TEXT_SMALL ? 0.86 * style->font_size : style->font_size;

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_SLIGHT);
  pango_cairo_context_set_font_options (pango_layout_get_context (layout), options);
  cairo_font_options_destroy (options);
  /* whole pixels would make uneven gaps on paper, where a unit is a point */
  pango_context_set_round_glyph_positions (pango_layout_get_context (layout), FALSE);
  pango_font_description_set_family (font, style->font_family);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  if (weight == HL_TEXT_BOLD)
    pango_font_description_set_weight (font, PANGO_WEIGHT_SEMIBOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_text (layout, text != NULL ? text : "", -1);
  return layout;
}

static void layout_size (PangoLayout *layout, double *width, double *height) {
  int w = 0;
  int h = 0;

  pango_layout_get_size (layout, &w, &h);
  *width = (double)w / PANGO_SCALE;
  *height = (double)h / PANGO_SCALE;
}

/* --- layouts that were made before --- */

/* Most texts of a frame stood in the frame before as well, and shaping them is what text costs.
 * Like Pango's font map, on which layouts hang, this belongs to a thread: painters of films work in
 * their own. */
#define MOST_KEPT 1024

typedef struct {
  const char *text, *family;
  double size;
  cairo_matrix_t matrix; /* without its shift */
  HlTextWeight weight;
  cairo_surface_type_t surface; /* decides on antialiasing */
  int align;                    /* of several lines, a PangoAlignment; -1: only measured, or one line */
} Key;

static guint key_hash (gconstpointer data) {
  const Key *key = data;
  return g_str_hash (key->text) + 31 * (guint)key->weight + 131 * g_double_hash (&key->size) +
         1031 * g_double_hash (&key->matrix.xx);
}

static gboolean key_equal (gconstpointer a, gconstpointer b) {
  const Key *x = a, *y = b;
  return x->size == y->size && x->weight == y->weight && x->surface == y->surface && x->align == y->align &&
         memcmp (&x->matrix, &y->matrix, sizeof x->matrix) == 0 && strcmp (x->text, y->text) == 0 &&
         strcmp (x->family, y->family) == 0;
}

static void key_free (gpointer data) {
  Key *key = data;
  g_free ((char *)key->text);
  g_free ((char *)key->family);
  g_free (key);
}

static GPrivate kept_layouts = G_PRIVATE_INIT ((GDestroyNotify)g_hash_table_unref);

static GHashTable *text_cache (void) {
  GHashTable *layouts = g_private_get (&kept_layouts);

  if (layouts == NULL) {
    layouts = g_hash_table_new_full (key_hash, key_equal, key_free, g_object_unref);
    g_private_set (&kept_layouts, layouts);
  }
  if (g_hash_table_size (layouts) > MOST_KEPT)
    g_hash_table_remove_all (layouts);
  return layouts;
}

/* Returns a layout of the text, `align` as in Key. Owned. */
static PangoLayout *layout_find (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text,
                                 int align) {
  if (text == NULL)
    return layout_new (cr, style, weight, text);
  Key key = {.text = text,
             .family = style->font_family,
             .size = style->font_size,
             .weight = weight,
             .surface = cairo_surface_get_type (cairo_get_target (cr)),
             .align = align};
  cairo_get_matrix (cr, &key.matrix);
  key.matrix.x0 = key.matrix.y0 = 0.0;
  GHashTable *layouts = text_cache ();
  PangoLayout *layout = g_hash_table_lookup (layouts, &key);
  if (layout != NULL) /* as it is: to update it for a cairo_t that is no other would shape it anew */
    return g_object_ref (layout);
  layout = layout_new (cr, style, weight, text);
  if (align >= 0) {
    /* right and centred alignment need a width to align in */
    double width, height;
    layout_size (layout, &width, &height);
    pango_layout_set_alignment (layout, (PangoAlignment)align);
    pango_layout_set_width (layout, (int)ceil (width * PANGO_SCALE));
  }
  key.text = g_strdup (text);
  key.family = g_strdup (key.family);
  g_hash_table_insert (layouts, g_memdup2 (&key, sizeof key), g_object_ref (layout));
  return layout;
}

/* --- texts of SVG files --- */

static const cairo_user_data_key_t elements_key;

void hl_text_collect (cairo_surface_t *surface, GPtrArray *elements) {
  cairo_surface_set_user_data (surface, &elements_key, elements, NULL);
}

static void append_number (GString *element, const char *name, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.4f", value);
  g_string_append_printf (element, " %s=\"%s\"", name, text);
}

static void append_font (GString *element, const PangoFontDescription *font) {
  g_string_append (element, " font-family=\"");
  hl_xml_append (element, HL_XML_ATTRIBUTE, pango_font_description_get_family (font));
  g_string_append_printf (
      element, ", sans-serif\" font-weight=\"%d\"%s", pango_font_description_get_weight (font),
      pango_font_description_get_style (font) != PANGO_STYLE_NORMAL ? " font-style=\"italic\"" : "");
  append_number (element, "font-size", (double)pango_font_description_get_size (font) / PANGO_SCALE);
}

/* Appends the placement: a matrix, because texts may be turned and scaled. */
static void append_place (GString *element, cairo_t *cr, double x, double y) {
  cairo_matrix_t matrix;
  double entries[6];

  cairo_get_matrix (cr, &matrix);
  cairo_user_to_device (cr, &x, &y);
  memcpy (entries, (double[]){matrix.xx, matrix.yx, matrix.xy, matrix.yy, x, y}, sizeof entries);
  g_string_append (element, " transform=\"matrix(");
  for (int k = 0; k < 6; k++) {
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (text, sizeof text, "%.6f", entries[k]);
    g_string_append_printf (element, "%s%s", k > 0 ? "," : "", text);
  }
  g_string_append (element, ")\"");
}

static void append_color (GString *element, cairo_t *cr) {
  double r = 0, g = 0, b = 0, a = 1;

  cairo_pattern_get_rgba (cairo_get_source (cr), &r, &g, &b, &a);
  g_string_append_printf (element, " fill=\"#%02x%02x%02x\"", (guint)(255 * r + 0.5), (guint)(255 * g + 0.5),
                          (guint)(255 * b + 0.5));
  append_number (element, "fill-opacity", a);
}

/* Leaves a mark in the drawing whose color is the number of an element. */
static void paint_mark (cairo_t *cr, guint number, double x, double y) {
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, x, y - 0.5, 0.5, 0.5);
  cairo_set_source_rgba (cr, (number >> 16 & 0xff) / 255.0, (number >> 8 & 0xff) / 255.0,
                         (number & 0xff) / 255.0, HL_TEXT_MARK_ALPHA);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void collect_run (GPtrArray *elements, cairo_t *cr, const char *text, const PangoItem *item, double x,
                         double y, double width) {
  g_autoptr (GString) element = g_string_new ("<text xml:space=\"preserve\"");
  g_autofree char *run = g_strndup (text + item->offset, (gsize)item->length);
  PangoFontDescription *font = pango_font_describe_with_absolute_size (item->analysis.font);

  append_place (element, cr, x, y);
  append_font (element, font);
  append_color (element, cr);
  if (g_utf8_strlen (run, -1) > 1) /* in another font it takes the same place */
    append_number (element, "textLength", width);
  g_string_append_c (element, '>');
  hl_xml_append (element, HL_XML_CONTENT, run);
  g_string_append (element, "</text>");
  pango_font_description_free (font);
  if (run[strspn (run, " ")] == '\0')
    return;
  paint_mark (cr, elements->len, x, y);
  g_ptr_array_add (elements, g_string_free (g_steal_pointer (&element), FALSE));
}

void hl_text_show_layout (cairo_t *cr, PangoLayout *layout) {
  GPtrArray *elements = cairo_surface_get_user_data (cairo_get_target (cr), &elements_key);
  double x, y;

  if (elements == NULL) {
    pango_cairo_show_layout (cr, layout);
    return;
  }
  cairo_get_current_point (cr, &x, &y);
  PangoLayoutIter *at = pango_layout_get_iter (layout);
  do {
    PangoLayoutRun *run = pango_layout_iter_get_run_readonly (at);
    PangoRectangle box;
    if (run == NULL) /* the end of a line */
      continue;
    pango_layout_iter_get_run_extents (at, NULL, &box);
    double baseline = (double)pango_layout_iter_get_run_baseline (at) / PANGO_SCALE;
    collect_run (elements, cr, pango_layout_get_text (layout), run->item, x + (double)box.x / PANGO_SCALE,
                 y + baseline, (double)box.width / PANGO_SCALE);
  } while (pango_layout_iter_next_run (at));
  pango_layout_iter_free (at);
}

void hl_text_size (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, double *width,
                   double *height) {
  PangoLayout *layout = layout_find (cr, style, weight, text, -1);

  layout_size (layout, width, height);
  g_object_unref (layout);
}

HlRect hl_text_box (cairo_t *cr, const HlStyle *style, HlTextWeight weight, const char *text, HlSpot at,
                    double align_x, double align_y) {
  HlRect box;

  hl_text_size (cr, style, weight, text, &box.width, &box.height);
  box.x = at.x - align_x * box.width;
  box.y = at.y - align_y * box.height;
  return box;
}

HlRect hl_text_paint (cairo_t *cr, const HlStyle *style, HlTextWeight weight, HlColor color, const char *text,
                      HlSpot at, double align_x, double align_y) {
  HlRect box = {at.x, at.y, 0.0, 0.0};

  if (text == NULL || *text == '\0')
    return box;
  hl_text_size (cr, style, weight, text, &box.width, &box.height);
  box.x = at.x - align_x * box.width;
  box.y = at.y - align_y * box.height;
  int align = strchr (text, '\n') == NULL ? -1
              : align_x >= 0.9            ? PANGO_ALIGN_RIGHT
              : align_x <= 0.1            ? PANGO_ALIGN_LEFT
                                          : PANGO_ALIGN_CENTER;
  PangoLayout *layout = layout_find (cr, style, weight, text, align);
  cairo_move_to (cr, box.x, box.y);
  hl_color_set (cr, color);
  hl_text_show_layout (cr, layout);
  cairo_new_path (cr);
  g_object_unref (layout);
  return box;
}

void hl_text_paint_wrapped (cairo_t *cr, const HlStyle *style, HlColor color, const char *text, HlSpot middle,
                            double width) {
  PangoLayout *layout = layout_new (cr, style, HL_TEXT_BODY, text);
  double taken, height;

  pango_layout_set_width (layout, (int)(width * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  layout_size (layout, &taken, &height);
  cairo_move_to (cr, middle.x - 0.5 * width, middle.y - 0.5 * height);
  hl_color_set (cr, color);
  hl_text_show_layout (cr, layout);
  cairo_new_path (cr);
  g_object_unref (layout);
}

HlRect hl_text_pill_box (cairo_t *cr, const HlStyle *style, const char *text, HlSpot at, double align_x,
                         double align_y) {
  double pad_x = 0.55 * style->font_size;
  double pad_y = 0.2 * style->font_size;
  HlRect box;

  hl_text_size (cr, style, HL_TEXT_SMALL, text, &box.width, &box.height);
  box.width += 2.0 * pad_x;
  box.height += 2.0 * pad_y;
  box.x = at.x - align_x * box.width;
  box.y = at.y - align_y * box.height;
  return box;
}

HlRect hl_text_pill (cairo_t *cr, const HlStyle *style, const char *text, HlSpot at, double align_x,
                     double align_y) {
  HlRect box = hl_text_pill_box (cr, style, text, at, align_x, align_y);
  double corner = 0.35 * style->font_size;

  hl_path_rounded (cr, box, corner);
  hl_color_set (cr, style->panel);
  cairo_fill_preserve (cr);
  hl_color_set (cr, style->border);
  cairo_set_line_width (cr, style->hair_width);
  cairo_stroke (cr);
  hl_text_paint (cr, style, HL_TEXT_SMALL, style->ink, text,
                 (HlSpot){box.x + 0.5 * box.width, box.y + 0.5 * box.height}, 0.5, 0.5);
  return box;
}

void hl_path_rounded (cairo_t *cr, HlRect rect, double radius) {
  double r = MIN (radius, 0.5 * MIN (rect.width, rect.height));

  cairo_new_sub_path (cr);
  cairo_arc (cr, rect.x + rect.width - r, rect.y + r, r, -0.5 * G_PI, 0.0);
  cairo_arc (cr, rect.x + rect.width - r, rect.y + rect.height - r, r, 0.0, 0.5 * G_PI);
  cairo_arc (cr, rect.x + r, rect.y + rect.height - r, r, 0.5 * G_PI, G_PI);
  cairo_arc (cr, rect.x + r, rect.y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

void hl_path_spiral (cairo_t *cr, double x, double y, double radius, double angle) {
  enum {
    TURNS = 2,
    PIECES = 24 /* a turn */
  };

  cairo_new_path (cr);
  for (int k = 0; k <= TURNS * PIECES; k++) {
    double part = (double)k / (TURNS * PIECES), r = radius * (0.25 + 0.75 * part);
    double turn = angle + 2.0 * G_PI * TURNS * part;
    cairo_line_to (cr, x + r * cos (turn), y + r * sin (turn));
  }
}
