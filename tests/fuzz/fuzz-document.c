/* SPDX-License-Identifier: MIT */
/* Any bytes at all into the reader of model files. It may refuse them; what it accepts can be
 * checked, searched for every number, and written in a form that reads back to the same document and the same bytes. */
#include "core/document/hl-document.h"
#include "core/document/hl-plot-panel-settings.h"
#include "core/edit/hl-document-check.h"
#include "core/edit/hl-document-difference.h"
#include "core/io/hl-json-text.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void ask_every_number (const HlDocument *document) {
  g_auto (GStrv) paths = hl_document_list_paths (document, FALSE);

  for (int i = 0; paths[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    const char *unit = NULL;
    double value = 0;

    if (!hl_document_get_number (document, paths[i], &value, &unit, &error))
      g_assert_nonnull (error);
  }
}

static void write_and_read_back (const HlDocument *document) {
  g_autofree char *text = hl_document_to_text (document);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) again = hl_document_parse (text, strlen (text), "written", &error);
  g_autofree char *text_again = NULL;

  g_assert_no_error (error);
  g_assert_true (hl_document_equal (document, again));
  text_again = hl_document_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
}

/* Panels are read from anything, and stay what they are when they are written. */
static void read_plots (const HlDocument *document) {
  g_autoptr (GPtrArray) panels = hl_plot_panels_of_document (document);
  g_autoptr (HlDocument) written = hl_edit_set_plots (document, panels);
  g_autoptr (GPtrArray) again = hl_plot_panels_of_document (written);
  G_GNUC_UNUSED g_auto (GStrv) paths = hl_plot_panels_paths (panels, document);
  g_autoptr (GPtrArray) differences = hl_document_differences (document, written);

  if (panels->len > 0)
    g_assert_true (hl_plot_panels_equal (panels, again));
  g_assert_cmpuint (differences->len, ==, 0);
  while (panels->len > 0)
    hl_plot_panels_remove (panels, panels->len / 2);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_parse ((const char *)data, size, "fuzz", &error);
  g_autoptr (HlFindings) findings = hl_findings_new ();

  if (document == NULL) {
    g_assert_nonnull (error);
    return 0;
  }
  hl_check_document (document, findings);
  for (int i = 0; i < hl_findings_n (findings); i++) {
    g_autofree char *line = hl_finding_format (hl_findings_get (findings, i));
    g_assert_cmpstr (line, !=, "");
  }
  ask_every_number (document);
  read_plots (document);
  write_and_read_back (document);
  return 0;
}
