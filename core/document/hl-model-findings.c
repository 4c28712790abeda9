/* SPDX-License-Identifier: MIT */
/* A growing list of findings that owns all its strings. */
#include "core/document/hl-model-findings.h"

#include "core/base/hl-translation-macros.h"

#include <string.h>

struct _HlFindings {
  GPtrArray *list; /* HlFinding */
};

static void finding_free (gpointer data) {
  HlFinding *finding = data;

  g_free (finding->id);
  g_free (finding->path);
  g_free (finding->message);
  g_free (finding->advice);
  g_free (finding->fix.label);
  g_free (finding->fix.path);
  g_free (finding->fix.target);
  hl_value_unref (finding->fix.json);
  g_free (finding);
}

HlFindings *hl_findings_new (void) {
  HlFindings *findings = g_new0 (HlFindings, 1);
  findings->list = g_ptr_array_new_with_free_func (finding_free);
  return findings;
}

void hl_findings_free (HlFindings *findings) {
  if (findings == NULL)
    return;
  g_ptr_array_unref (findings->list);
  g_free (findings);
}

int hl_findings_n (const HlFindings *findings) {
  return (int)findings->list->len;
}

const HlFinding *hl_findings_get (const HlFindings *findings, int index) {
  g_return_val_if_fail (index >= 0 && index < (int)findings->list->len, NULL);
  return g_ptr_array_index (findings->list, index);
}

int hl_findings_count (const HlFindings *findings, HlSeverity severity) {
  int n = 0;

  for (int i = 0; i < hl_findings_n (findings); i++)
    n += hl_findings_get (findings, i)->severity == severity;
  return n;
}

void hl_findings_remove (HlFindings *findings, HlFinding *finding) {
  g_ptr_array_remove (findings->list, finding);
}

HlFinding *hl_findings_last (HlFindings *findings) {
  int n = hl_findings_n (findings);
  return n > 0 ? g_ptr_array_index (findings->list, n - 1) : NULL;
}

const HlFinding *hl_findings_first_error (const HlFindings *findings) {
  for (int i = 0; i < hl_findings_n (findings); i++)
    if (hl_findings_get (findings, i)->severity == HL_SEVERITY_ERROR)
      return hl_findings_get (findings, i);
  return NULL;
}

const HlFinding *hl_findings_first_barrier (const HlFindings *findings, HlBars bars) {
  for (int i = 0; i < hl_findings_n (findings); i++) {
    const HlFinding *finding = hl_findings_get (findings, i);
    if (finding->severity == HL_SEVERITY_ERROR && finding->bars <= bars)
      return finding;
  }
  return NULL;
}

void hl_findings_limit_bars (HlFindings *findings, int first, HlBars bars) {
  for (int i = first; i < hl_findings_n (findings); i++) {
    HlFinding *finding = g_ptr_array_index (findings->list, i);
    finding->bars = MAX (finding->bars, bars);
  }
}

HlFinding *hl_findings_add (HlFindings *findings, HlSeverity severity, const char *id, const char *path,
                            const char *advice, const char *message, ...) {
  HlFinding *finding = g_new0 (HlFinding, 1);
  va_list arguments;

  finding->severity = severity;
  finding->id = g_strdup (id != NULL ? id : "");
  finding->path = g_strdup (path != NULL ? path : finding->id);
  finding->advice = g_strdup (advice != NULL ? advice : "");
  va_start (arguments, message);
  finding->message = g_strdup_vprintf (message, arguments);
  va_end (arguments);
  g_ptr_array_add (findings->list, finding);
  return finding;
}

void hl_finding_set_fix (HlFinding *finding, HlFixType type, const char *label, const char *path,
                         const char *target, double value) {
  g_free (finding->fix.label);
  g_free (finding->fix.path);
  g_free (finding->fix.target);
  finding->fix.type = type;
  finding->fix.label = g_strdup (label);
  finding->fix.path = g_strdup (path);
  finding->fix.target = g_strdup (target);
  finding->fix.value = value;
}

void hl_finding_set_place_fix (HlFinding *finding, const char *label, const char *where, HlValue *json) {
  hl_finding_set_fix (finding, json != NULL ? HL_FIX_SET_AT : HL_FIX_DROP_AT, label, where, NULL, 0);
  hl_value_unref (finding->fix.json);
  finding->fix.json = json;
}

/* Returns whether a text begins with a word like "the" and "mass"; "t_end", "link2" and "C2" are names. */
static gboolean begins_with_word (const char *text) {
  const char *end = text;

  while (g_unichar_islower (g_utf8_get_char (end)))
    end = g_utf8_next_char (end);
  return end > text && (*end == ' ' || *end == ',' || *end == '\0');
}

char *hl_finding_sentence (const char *text) {
  g_autoptr (GString) sentence = g_string_new (NULL);

  if (begins_with_word (text)) {
    g_string_append_unichar (sentence, g_unichar_toupper (g_utf8_get_char (text)));
    g_string_append (sentence, g_utf8_next_char (text));
  } else
    g_string_append (sentence, text);
  if (sentence->len > 0 && strchr (".!?:", sentence->str[sentence->len - 1]) == NULL)
    g_string_append_c (sentence, '.');
  return g_strdup (sentence->str);
}

char *hl_finding_format (const HlFinding *finding) {
  const char *path = *finding->path != '\0' ? finding->path : _ ("file");

  if (*finding->advice == '\0')
    return g_strdup_printf ("%s: %s", path, finding->message);
  return g_strdup_printf ("%s: %s; %s", path, finding->message, finding->advice);
}
