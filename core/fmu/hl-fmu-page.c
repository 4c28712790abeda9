/* SPDX-License-Identifier: MIT */
#include "core/fmu/hl-fmu-page.h"

#include <math.h>

#include "core/base/hl-xml.h"
#include "core/base/hl-i18n.h"
#include "core/fmu/hl-fmu-unit.h"
#include "core/help/hl-help-page.h"

#define DIGITS 5

static void
put (GString *html, const char *before, const char *text, const char *behind)
{
  g_string_append (html, before);
  hl_xml_append (html, HL_XML_CONTENT, text);
  g_string_append (html, behind);
}

static const char style[] =
    "body{font:16px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}"
    "td,th{text-align:left;vertical-align:top;padding:.2em .8em .2em 0;"
    "border-bottom:1px solid #ddd}"
    "code{white-space:pre-wrap}";

static void
put_variables (const HlFmuDescription *d, GString *html, HlFmuRole role, const char *title)
{
  gboolean has_any = FALSE;

  for (gsize k = 0; k < d->table->n; k++) {
    const HlFmuVariable *v = &d->table->items[k];
    if (v->role != role)
      continue;
    if (!has_any) {
      put (html, "<h2>", title, "</h2>\n<table>\n<tr><th>");
      put (html, "", _ ("Name"), "</th><th>");
      put (html, "", _ ("Unit"), "</th><th>");
      put (html, "", _ ("Start"), "</th><th>");
      put (html, "", _ ("What it is"), "</th></tr>\n");
    }
    has_any = TRUE;
    put (html, "<tr><td><code>", v->name, "</code></td>");
    put (html, "<td>", v->unit != NULL ? v->unit : "–", "</td>");
    put (html, "<td>", isfinite (v->start) ? hl_fmu_number (v->start).text : "–", "</td>");
    put (html, "<td>", v->description, "</td></tr>\n");
  }
  if (has_any)
    g_string_append (html, "</table>\n");
}

static void
put_letters (const HlHelpPage *page, GString *html)
{
  if (page->letters->len == 0)
    return;
  g_string_append (html, "<table>\n");
  for (guint k = 0; k < page->letters->len; k++) {
    const HlHelpLetter *letter = &g_array_index (page->letters, HlHelpLetter, k);
    g_autofree char *words = hl_help_letter_words (page, letter);
    g_autofree char *value = isfinite (letter->value)
                                 ? hl_unit_format_full (hl_quantity_default_unit (letter->quantity),
                                                        letter->value, DIGITS)
                                 : g_strdup ("–");
    put (html, "<tr><td><i>", letter->letter->name, "</i></td>");
    put (html, "<td>", words, "</td>");
    put (html, "<td>", value, "</td></tr>\n");
  }
  g_string_append (html, "</table>\n");
}

/* One element with its equations and its own numbers. */
static void
put_part (const HlFmuDescription *d, GString *html, const HlKind *kind, const char *id)
{
  g_autoptr (HlHelpPage) page = hl_help_page_new (kind, d->document, id);
  g_autofree char *states = hl_help_page_states (page);

  put (html, "<h3>", id, ": ");
  put (html, "", _ (kind->label), "</h3>\n");
  put (html, "<p>", _ (kind->help), "</p>\n");
  for (guint k = 0; k < page->formulas->len; k++) {
    const HlHelpFormula *formula = &g_array_index (page->formulas, HlHelpFormula, k);
    put (html, "<p><code>", formula->text->text, "</code>");
    if (formula->text->when != NULL)
      put (html, " ", _ (formula->text->when), "");
    g_string_append (html, "</p>\n");
  }
  put_letters (page, html);
  if (states != NULL) {
    put (html, "<p>", _ ("States"), ": ");
    put (html, "", states, "</p>\n");
  }
}

static void
put_parts (const HlFmuDescription *d, GString *html)
{
  static const HlSection sections[] = {HL_SECTION_BODIES, HL_SECTION_JOINTS, HL_SECTION_LOADS,
                                       HL_SECTION_COMPONENTS, HL_SECTION_LINES};

  put (html, "<h2>", _ ("Parts"), "</h2>\n");
  for (gsize s = 0; s < G_N_ELEMENTS (sections); s++)
    for (int k = 0; k < hl_document_n_elements (d->document, sections[s]); k++) {
      const HlKind *kind = hl_document_element_kind (d->document, sections[s], k);
      if (kind != NULL)
        put_part (d, html, kind, hl_document_element_id (d->document, sections[s], k));
    }
}

char *
hl_fmu_page (const HlFmuDescription *d)
{
  GString *html = g_string_new ("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
  const char *name = hl_document_name (d->document);

  put (html, "", name[0] != '\0' ? name : d->identifier, "</title>\n<style>");
  g_string_append_printf (html, "%s</style></head><body>\n", style);
  put (html, "<h1>", name[0] != '\0' ? name : d->identifier, "</h1>\n");
  put (html, "<p>", hl_document_object_text (d->document, HL_SECTION_MODEL, "description"),
       "</p>\n");
  put (
      html, "<p>",
      _ ("All values are in SI units, pressures are absolute. The states start where the model was "
         "assembled, or balanced, when it was exported: a parameter that is changed does not move "
         "them. Fixed parameters, which are geometry, are set before the initialization; tunable "
         "ones "
         "at any event. A name with a hyphen stands in apostrophes."),
      "</p>\n");
  put (
      html, "<p>",
      _ ("To build it for another platform compile sources/all.c as C99, with the three headers of "
         "FMI 3.0 on the include path; nothing but the C library and its mathematics is needed."),
      "</p>\n");
  put_variables (d, html, HL_FMU_INPUT, _ ("Inputs"));
  put_variables (d, html, HL_FMU_OUTPUT, _ ("Outputs"));
  put_variables (d, html, HL_FMU_PARAMETER, _ ("Parameters"));
  put_variables (d, html, HL_FMU_STATE, _ ("States"));
  put_parts (d, html);
  g_string_append (html, "</body></html>\n");
  return g_string_free (html, FALSE);
}
