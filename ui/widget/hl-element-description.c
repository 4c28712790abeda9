/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-element-description.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"
#include "core/document/hl-trace-name.h"
#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <math.h>
#include <string.h>

#define MAX_LINES 4 /* below the name and the time; a tooltip has six */
#define DIGITS 4

char *hl_element_name (const HlDocument *document, const char *id) {
  HlSection section;
  int index;

  if (strcmp (id, "ground") == 0)
    return g_strdup (_ ("Ground"));
  if (hl_document_find (document, id, &section, &index) == NULL)
    return g_strdup (id);
  const HlKind *kind = hl_document_element_kind (document, section, index);
  const char *unknown = hl_document_element_kind_name (document, section, index);
  return g_strdup_printf ("%s  %s", kind != NULL ? _ (kind->label) : unknown != NULL ? unknown : "?", id);
}

/* Finds the probe of a path, whose label is the user's name for it; FALSE: none. */
static gboolean find_probe (const HlDocument *document, const char *of, HlProbe *probe) {
  for (int k = 0; k < hl_document_n_probes (document); k++)
    if (hl_document_probe (document, k, probe) && strcmp (probe->of, of) == 0)
      return TRUE;
  return FALSE;
}

char *hl_element_number_words (const HlDocument *document, const char *path) {
  HlPathInfo info;

  if (!hl_path_find (document, path, &info, NULL))
    return g_strdup (strchr (path, '.') + 1);
  if (info.port != NULL)
    return g_strdup_printf (_ ("Pressure at %s"), info.port);
  if (info.output != NULL)
    return g_strdup (_ (info.output->label));
  if (info.field != NULL && (info.field->type == HL_FIELD_POSE || info.field->type == HL_FIELD_VELOCITY))
    return g_strdup_printf ("%s %s", _ (info.field->label),
                            strcmp (info.name, "omega") == 0   ? "ω"
                            : strcmp (info.name, "angle") == 0 ? _ ("angle")
                                                               : info.name);
  gboolean is_named =
      info.field != NULL && (info.field->type == HL_FIELD_NUMBER || info.field->type == HL_FIELD_SIGNAL);
  return g_strdup (is_named ? _ (info.field->label) : info.name);
}

/* Appends the value with the full label of its probe, which the drawing may have shortened. */
static void append_value (GString *text, HlWorkbench *workbench, const HlColumnInfo *info, double value) {
  HlQuantity quantity = hl_quantity_of_si (info->unit);
  g_autofree char *number = hl_units_format (hl_workbench_units (workbench), quantity, value, DIGITS);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  HlProbe probe;
  g_autofree char *words = hl_element_number_words (document, info->id);

  if (find_probe (document, info->id, &probe) && strcmp (probe.label, words) != 0)
    g_string_append_printf (text, "\n%s (%s)  %s", words, probe.label, number);
  else
    g_string_append_printf (text, "\n%s  %s", words, number);
}

/* Appends its problems and their corrections. */
static void append_findings (GString *text, HlWorkbench *workbench, const char *id) {
  const HlFindings *findings = hl_editing_findings (hl_workbench_editing (workbench));

  for (int index = 0; index < hl_findings_n (findings); index++) {
    const HlFinding *finding = hl_findings_get (findings, index);
    if (finding->severity == HL_SEVERITY_INFO || strcmp (finding->id, id) != 0)
      continue;
    g_autofree char *what = hl_finding_sentence (finding->message);
    g_autofree char *how = hl_finding_sentence (finding->advice);
    g_string_append_printf (text, "\n%s %s", what, how);
    g_strchomp (text->str);
    text->len = strlen (text->str);
  }
}

char *hl_element_text (HlWorkbench *workbench, const char *id) {
  HlRuns *runs = hl_workbench_runs (workbench);
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  HlRun *run = hl_runs_shown (runs);
  g_autofree char *name = hl_element_name (document, id);
  g_autoptr (GString) text = g_string_new (name);
  gsize length = strlen (id);
  int n_lines = 0;

  g_autofree char *ends = hl_line_ends (document, id);
  if (ends != NULL)
    g_string_append_printf (text, "\n%s", ends);
  append_findings (text, workbench, id);
  for (int column = 1; run != NULL && column < hl_results_n_columns (run->results) && n_lines < MAX_LINES;
       column++) {
    const HlColumnInfo *info = hl_results_column (run->results, column);
    if (strncmp (info->id, id, length) != 0 || info->id[length] != '.' ||
        g_str_has_suffix (info->id, ".linear"))
      continue;
    double value = hl_results_value_at (run->results, column, hl_runs_time (runs));
    if (!isfinite (value))
      continue;
    /* the inspector shows how it is drawn: these are of the run, at the time cursor */
    if (n_lines == 0) {
      char time[40];
      hl_axis_format (hl_runs_time (runs), DIGITS, time, sizeof time);
      g_string_append_c (text, '\n');
      g_string_append_printf (text, _ ("In the run at t = %s s:"), time);
    }
    append_value (text, workbench, info, value);
    n_lines++;
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
