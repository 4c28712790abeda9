/* SPDX-License-Identifier: MIT */
/* hydrolink help --out DIR: writes the help of all elements as HTML, in the language of the user. */
#include "app/cli/hl-cli-private.h"
#include "core/base/hl-translation-macros.h"
#include "core/base/hl-text-escape.h"
#include "core/help/hl-help-page.h"
#include "core/io/hl-file-access.h"
#include "core/system/hl-hydraulic-model.h"
#include "ui/paint/circuit/hl-paint-circuit.h"
#include "ui/paint/formula/hl-formula-typesetting.h"
#include "ui/paint/formula/hl-paint-law-curve.h"
#include "ui/paint/page/hl-page-export.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <locale.h>
#include <math.h>

/* One page of the help as HTML, with symbol, formulas and curves as SVG by the painters of the
 * window. */

#define DIGITS 5
#define FONT_PT 10.0
#define MM_PER_POINT (25.4 / 72.0)
#define MARGIN_PT (1.4 * FONT_PT) /* of a page, both sides and some air */
#define LEAST_MM 5.5
#define CURVE_WIDTH_MM 130.0
#define CURVE_HEIGHT_MM 72.0
#define MODULE_MM 4.0 /* of a symbol */

typedef struct {
  const HlHelpPage *page;
  const char *folder, *key;
  GString *html;
  int n_pictures;
} Writer;

static void append_text (GString *html, const char *before, const char *text, const char *behind) {
  g_string_append (html, before);
  hl_xml_append (html, HL_XML_CONTENT, text);
  g_string_append (html, behind);
}

/* Saves a drawing and puts it on the page. */
static gboolean add_picture (Writer *writer, HlFigurePainter painter, gpointer data, double width_mm,
                             double height_mm, const char *alt, GError **error) {
  HlFigureOptions options = hl_figure_options_default ();
  g_autofree char *name = g_strdup_printf ("%s-%d.svg", writer->key, ++writer->n_pictures);
  g_autofree char *path = g_build_filename (writer->folder, name, NULL);

  options.width_mm = fmax (width_mm, LEAST_MM);
  options.height_mm = fmax (height_mm, LEAST_MM);
  options.font_size_pt = FONT_PT;
  options.transparent = TRUE;
  g_string_append_printf (writer->html, "<img src=\"%s\"", name);
  append_text (writer->html, " alt=\"", alt, "\">\n");
  return hl_figure_save (painter, data, path, &options, error);
}

static void paint_symbol (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data) {
  HlShapeKind kind = data;
  HlShapeState state = {0};
  HlPlacement place = {0};
  HlView view = {.scale = 1.0};

  hl_view_fit (&view, hl_shape_box (kind), area, 2.0, 100.0);
  hl_paint_symbol (cr, kind, &state, &place, &view, 1.0, style);
}

static gboolean add_symbol (Writer *writer, GError **error) {
  if (writer->page->kind->section != HL_SECTION_COMPONENTS)
    return TRUE;
  HlShapeKind kind = hl_shape_kind_from_name (writer->page->kind->name);
  HlRect box = hl_shape_box (kind);
  return add_picture (writer, paint_symbol, (gpointer)kind, (box.width + 2.0) * MODULE_MM,
                      (box.height + 2.0) * MODULE_MM, _ ("Symbol"), error);
}

static void paint_formula (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data) {
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, data, style);
  double width, above, below;

  hl_formula_box_size (box, &width, &above, &below);
  hl_formula_box_paint (cr, box, (HlSpot){area.x, area.y + above}, style->ink);
}

static void measure_term (const HlTerm *term, double *width_mm, double *height_mm) {
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  HlStyle made = hl_style_make (HL_STYLE_PRINT);
  HlStyle style = hl_style_scaled (&made, FONT_PT / made.font_size);
  g_autoptr (HlFormulaBox) box = hl_formula_box_new (cr, term, &style);
  double width, above, below;

  hl_formula_box_size (box, &width, &above, &below);
  *width_mm = (width + MARGIN_PT) * MM_PER_POINT;
  *height_mm = (above + below + MARGIN_PT) * MM_PER_POINT;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static gboolean add_formulas (Writer *writer, GError **error) {
  const GArray *formulas = writer->page->formulas;

  if (formulas->len > 0)
    append_text (writer->html, "<h2>", _ ("Equations"), "</h2>\n");
  for (guint k = 0; k < formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (formulas, HlHelpFormula, k);
    double width, height;
    measure_term (formula->term, &width, &height);
    g_string_append (writer->html, "<p class=\"formula\">");
    if (!add_picture (writer, paint_formula, (gpointer)formula->term, width, height, formula->text->text,
                      error))
      return FALSE;
    if (formula->text->when != NULL)
      append_text (writer->html, "<span>", _ (formula->text->when), "</span>");
    g_string_append (writer->html, "</p>\n");
  }
  return TRUE;
}

/* Appends a letter as HTML: slanted, with its index below. */
static void append_letter (GString *html, const char *letter) {
  g_autofree char *index = NULL;
  g_autofree char *shown = hl_term_letter_shown (letter, &index, NULL);

  append_text (html, "<i>", shown, "</i>");
  if (index != NULL)
    append_text (html, "<sub>", index, "</sub>");
}

/* Returns "80 bar", or only the unit for a letter without a value; "–" for a pure number. Owned by the
 * caller. */
static char *letter_value (const HlHelpLetter *letter) {
  const HlUnit *unit = hl_quantity_default_unit (letter->quantity);

  if (isfinite (letter->value))
    return hl_unit_format_full (unit, letter->value, DIGITS);
  return letter->quantity == HL_QUANTITY_NONE ? g_strdup ("–") : g_strdup_printf ("[%s]", unit->symbol);
}

/* Adds the legend of the equations, beside them if there is room. */
static void add_letters (Writer *writer) {
  const GArray *letters = writer->page->letters;

  if (letters->len == 0)
    return;
  g_string_append (writer->html, "<table class=\"legend\">\n");
  for (guint k = 0; k < letters->len; k++) {
    const HlHelpLetter *letter = &g_array_index (letters, HlHelpLetter, k);
    g_autofree char *value = letter_value (letter);
    g_string_append (writer->html, "<tr><td>");
    append_letter (writer->html, letter->letter->name);
    g_autofree char *port = hl_help_letter_words (writer->page, letter);
    append_text (writer->html, "</td><td>", port, "</td>");
    append_text (writer->html, "<td class=\"number\">", value, "</td></tr>\n");
  }
  g_string_append (writer->html, "</table>\n");
}

static void paint_curve (cairo_t *cr, HlRect area, const HlStyle *style, gpointer data) {
  hl_paint_curve (cr, data, area, style);
}

static gboolean add_curves (Writer *writer, GError **error) {
  g_autoptr (GPtrArray) curves = hl_help_page_curves (writer->page);

  if (curves->len > 0)
    append_text (writer->html, "<h2>", _ ("Characteristic curves"), "</h2>\n");
  for (guint k = 0; k < curves->len; k++) {
    const HlCurve *curve = g_ptr_array_index (curves, k);
    HlCurvePicture picture = {.part = writer->page->part, .curve = curve};
    append_text (writer->html, "<figure><figcaption>", _ (curve->title), "</figcaption>\n");
    if (!add_picture (writer, paint_curve, &picture, CURVE_WIDTH_MM, CURVE_HEIGHT_MM, _ (curve->title),
                      error))
      return FALSE;
    g_string_append (writer->html, "</figure>\n");
  }
  return TRUE;
}

static void add_fields (Writer *writer) {
  const HlKind *kind = writer->page->kind;

  if (kind->n_fields == 0)
    return;
  append_text (writer->html, "<h2>", _ ("Properties"), "</h2>\n<table>\n");
  append_text (writer->html, "<tr><th>", _ ("Property"), "</th>");
  append_text (writer->html, "<th>", _ ("In the file"), "</th>");
  append_text (writer->html, "<th>", _ ("Unit in the file"), "</th>");
  append_text (writer->html, "<th>", _ ("Range"), "</th>");
  append_text (writer->html, "<th>", _ ("Meaning"), "</th></tr>\n");
  for (int k = 0; k < kind->n_fields; k++) {
    const HlField *field = &kind->fields[k];
    const char *si = hl_quantity_si (field->quantity);
    const HlUnit *unit = hl_unit_find (field->quantity, si);
    g_autofree char *range = hl_help_field_range (field, unit);
    append_text (writer->html, "<tr><td>", _ (field->label), "</td>");
    append_text (writer->html, "<td><code>", field->name, "</code></td>");
    append_text (writer->html, "<td>",
                 field->quantity == HL_QUANTITY_NONE ? "–"
                 : unit != NULL                      ? unit->symbol
                                                     : si,
                 "</td>");
    append_text (writer->html, "<td>", range, "</td>");
    append_text (writer->html, "<td>", field->help != NULL ? _ (field->help) : "", "</td></tr>\n");
  }
  g_string_append (writer->html, "</table>\n");
}

static void add_rest (Writer *writer) {
  g_autofree char *states = hl_help_page_states (writer->page);
  GString *html = writer->html;

  append_text (html, "<h2>", _ ("States"), "</h2>\n");
  append_text (html, "<p>", states != NULL ? states : _ ("None."), "</p>\n");
  if (writer->page->kind->section == HL_SECTION_COMPONENTS) {
    append_text (html, "<h2>", _ ("In the oil models"), "</h2>\n<dl>\n");
    for (int oil = 0; oil < HL_N_OIL_MODELS; oil++) {
      g_autofree char *taken = hl_help_page_oil (writer->page, oil);
      append_text (html, "<dt>", g_dpgettext2 (NULL, "choice", hl_oil_models[oil]->label), "</dt>");
      append_text (html, "<dd>", taken, "</dd>\n");
    }
    g_string_append (html, "</dl>\n");
  }
  append_text (html, "<h2>", _ ("Sources"), "</h2>\n");
  append_text (html, "<p>", hl_help_page_sources (writer->page), "</p>\n");
}

static void begin_page (GString *html, const char *title) {
  append_text (html, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>", title, "</title>\n");
  g_string_append (html, "<link rel=\"stylesheet\" href=\"style.css\"></head><body>\n");
  append_text (html, "<p><a href=\"index.html\">", _ ("All parts"), "</a></p>\n");
  append_text (html, "<h1>", title, "</h1>\n");
}

static gboolean fill_page (Writer *writer, GError **error) {
  const HlKind *kind = writer->page->kind;
  g_autofree char *ports = hl_help_page_ports (writer->page);

  begin_page (writer->html, _ (kind->label));
  if (!add_symbol (writer, error))
    return FALSE;
  append_text (writer->html, "<p>", _ (kind->help), "</p>\n");
  if (ports != NULL) {
    append_text (writer->html, "<p>", _ ("Ports:"), " ");
    append_text (writer->html, "", ports, "</p>\n");
  }
  g_string_append (writer->html, "<div class=\"law\"><div>\n");
  if (!add_formulas (writer, error))
    return FALSE;
  g_string_append (writer->html, "</div>\n");
  add_letters (writer);
  g_string_append (writer->html, "</div>\n");
  if (!add_curves (writer, error))
    return FALSE;
  add_fields (writer);
  add_rest (writer);
  g_string_append (writer->html, "</body></html>\n");
  return TRUE;
}

/* Writes the page of a kind, KEY.html, and its pictures into a folder that is there. Fails with
 * HL_ERROR_FAILED when something cannot be written. */
static gboolean write_page (const HlKind *kind, const char *folder, GError **error) {
  g_autoptr (HlHelpPage) page = hl_help_page_new (kind, NULL, NULL);
  g_autoptr (GString) html = g_string_new (NULL);
  g_autofree char *key = hl_help_kind_key (kind);
  Writer writer = {.page = page, .folder = folder, .key = key, .html = html};
  g_autofree char *name = g_strconcat (key, ".html", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return fill_page (&writer, error) && hl_file_save_text (path, html->str, (gssize)html->len, error);
}

/* Writes the page on a pane of the window, window-KEY.html. Fails likewise. */
static gboolean write_topic (const HlHelpTopic *topic, const char *folder, GError **error) {
  g_autoptr (GString) html = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("window-%s.html", topic->key);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  begin_page (html, _ (topic->label));
  for (int k = 0; k < HL_TOPIC_MOST_LINES && topic->lines[k] != NULL; k++)
    append_text (html, "<p>", _ (topic->lines[k]), "</p>\n");
  if (topic->sources != NULL) {
    append_text (html, "<h2>", _ ("Sources"), "</h2>\n");
    append_text (html, "<p>", topic->sources, "</p>\n");
  }
  g_string_append (html, "</body></html>\n");
  return hl_file_save_text (path, html->str, (gssize)html->len, error);
}

static const char style[] =
    "body { font: 16px/1.45 sans-serif; max-width: 56em; margin: 2em auto; padding: 0 1em;\n"
    "  color: #1c1c1c; background: #fff; }\n"
    "table { border-collapse: collapse; margin: 1em 0; }\n"
    "td, th { text-align: left; vertical-align: top; padding: 0.2em 0.8em 0.2em 0;\n"
    "  border-bottom: 1px solid #ddd; }\n"
    ".number { text-align: right; white-space: nowrap; }\n"
    ".formula { display: flex; align-items: center; gap: 2em; margin: 0.2em 0; }\n"
    ".law { display: flex; flex-wrap: wrap; gap: 0 3em; align-items: start; }\n"
    ".symbol { text-align: center; } .symbol img { max-width: 5em; max-height: 3em; }\n"
    ".formula span, figcaption { color: #555; }\n"
    "figure { margin: 1em 0; } img { max-width: 100%; }\n"
    "dt { font-weight: bold; } dd { margin: 0 0 0.6em 1em; }\n";

/* Writes index.html and style.css. Fails likewise. */
static gboolean write_index (const char *folder, GError **error) {
  static const char *const titles[] = {
      [HL_SECTION_COMPONENTS] = N_ ("Components"), [HL_SECTION_LINES] = N_ ("Lines"),
      [HL_SECTION_BODIES] = N_ ("Bodies"),         [HL_SECTION_SIGNAL] = N_ ("Signals"),
      [HL_SECTION_JOINTS] = N_ ("Joints"),         [HL_SECTION_LOADS] = N_ ("Loads")};
  g_autoptr (GString) html = g_string_new (NULL);
  g_autofree char *path = g_build_filename (folder, "index.html", NULL);
  g_autofree char *sheet = g_build_filename (folder, "style.css", NULL);
  HlSection section = HL_SECTION_NONE;

  append_text (html, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>",
               _ ("Help for every part"), "</title>\n");
  g_string_append (html, "<link rel=\"stylesheet\" href=\"style.css\"></head><body>\n");
  append_text (html, "<h1>", _ ("Help for every part"), "</h1>\n");
  for (int k = 0; hl_help_kind (k) != NULL; k++) {
    const HlKind *kind = hl_help_kind (k);
    g_autofree char *key = hl_help_kind_key (kind);
    if (kind->section != section) {
      g_string_append (html, section != HL_SECTION_NONE ? "</table>\n" : "");
      append_text (html, "<h2>", _ (titles[kind->section]), "</h2>\n<table>\n");
    }
    section = kind->section;
    g_string_append (html, "<tr><td class=\"symbol\">");
    if (kind->section == HL_SECTION_COMPONENTS) /* the first picture of its page */
      g_string_append_printf (html, "<img src=\"%s-1.svg\" alt=\"\">", key);
    g_string_append_printf (html, "</td><td><a href=\"%s.html\">", key);
    append_text (html, "", _ (kind->label), "</a></td>");
    append_text (html, "<td>", _ (kind->help), "</td></tr>\n");
  }
  append_text (html, "</table>\n<h2>", _ ("The window"), "</h2>\n<p>\n");
  for (int k = 0; hl_help_topic (k) != NULL; k++) {
    g_string_append_printf (html, "<a href=\"window-%s.html\">", hl_help_topic (k)->key);
    append_text (html, "", _ (hl_help_topic (k)->label), "</a><br>\n");
  }
  g_string_append (html, "</p>\n</body></html>\n");
  return hl_file_save_text (path, html->str, (gssize)html->len, error) &&
         hl_file_save_text (sheet, style, -1, error);
}

static gboolean write_answer (const HlCli *cli, const char *folder, int n, GError **error) {
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  g_autofree char *index = g_build_filename (folder, "index.html", NULL);

  g_string_append_printf (hl_answer_page (answer), "%s: %d pages, index.html\n", folder, n);
  hl_answer_string (answer, "index", index);
  hl_answer_integer (answer, "pages", n);
  g_autofree char *text =
      hl_answer_to_text (answer, hl_cli_has (cli, "json") ? HL_ANSWER_JSON : HL_ANSWER_TEXT);
  return hl_cli_write (stdout, text, error);
}

static gboolean run (HlCli *cli, GError **error) {
  const char *folder = hl_cli_text (cli, "out");
  HlCliWait wait;
  int n = 0, n_kinds = 0, n_topics = 0;

  if (!hl_cli_require (cli, "out", error))
    return FALSE;
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, HL_ERROR, HL_ERROR_FAILED, "%s: the folder cannot be created: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }
  while (hl_help_kind (n_kinds) != NULL)
    n_kinds++;
  while (hl_help_topic (n_topics) != NULL)
    n_topics++;
  hl_cli_wait_begin (&wait, n_kinds + n_topics);
  hl_cli_hold_signals ();
  for (; n < n_kinds + n_topics && hl_cli_wait_at (n, &wait); n++)
    if (n < n_kinds ? !write_page (hl_help_kind (n), folder, error)
                    : !write_topic (hl_help_topic (n - n_kinds), folder, error))
      return FALSE;
  if (!hl_cli_wait_end (&wait)) {
    hl_cli_set_stopped (error, n, n_kinds + n_topics, "pages");
    return FALSE;
  }
  if (!write_index (folder, error))
    return FALSE;
  return write_answer (cli, folder, n, error);
}

static const HlCliOption options[] = {
    {"out", "DIR", "output folder, created if it does not exist", FALSE},
    {"json", NULL, "list the written files as one JSON object", FALSE},
    {NULL},
};

const HlCliCommand hl_cli_help = {
    .name = "help",
    .usage = "--out DIR",
    .summary = "write the help on all elements as HTML",
    .text = "Writes a page for every component, line, body, joint, load and signal: symbol, ports,\n"
            "equations, curves, properties, states, and its form in each oil model; a page for every\n"
            "pane of the window; and index.html. The language is that of the environment (LANGUAGE).\n"
            "`hydrolink help COMMAND` explains a command instead.",
    .examples = {"hydrolink help --out pages", "LANGUAGE=de hydrolink help --out seiten"},
    .options = options,
    .no_file = TRUE,
    .run = run,
};
