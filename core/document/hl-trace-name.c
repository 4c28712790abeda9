/* SPDX-License-Identifier: MIT */
#include "core/document/hl-trace-name.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-quantity-path.h"

#include <string.h>

HlTraceInfo hl_trace_info (const HlDocument *document, const char *trace) {
  HlTraceInfo info = {.label = trace, .path = trace};
  HlPathInfo path;

  /* the probe of that name; all of them only where it shares the name with something else */
  HlSection section = HL_SECTION_PROBES;
  int first = 0;
  gboolean is_any = hl_document_find (document, trace, &section, &first) != NULL;
  int n = is_any ? hl_document_n_probes (document) : 0;
  for (int index = section == HL_SECTION_PROBES ? first : 0; index < n; index++) {
    HlProbe probe;
    if (g_strcmp0 (hl_document_element_id (document, HL_SECTION_PROBES, index), trace) != 0 ||
        !hl_document_probe (document, index, &probe))
      continue;
    info.label = probe.label;
    info.relative = probe.relative;
    info.path = probe.of;
    break;
  }
  info.known = hl_path_find (document, info.path, &path, NULL);
  if (info.known)
    info.quantity = path.quantity;
  return info;
}

void hl_trace_axes (const HlDocument *document, const char *const *traces, int first, HlQuantity axes[2],
                    int *n) {
  gboolean seen[HL_N_QUANTITIES] = {FALSE};

  axes[0] = axes[1] = HL_QUANTITY_NONE;
  *n = 0;
  for (int i = 0; traces[i] != NULL; i++) {
    HlQuantity quantity = hl_trace_info (document, traces[i]).quantity;
    if (i < first || seen[quantity])
      continue;
    seen[quantity] = TRUE;
    if (*n < 2)
      axes[*n] = quantity;
    *n += 1;
  }
}

/* Frees the strings too; NULL is fine. */
static void entry_free (HlTraceEntry *entry) {
  if (entry == NULL)
    return;
  g_free (entry->trace);
  g_free (entry->title);
  g_free (entry->element);
  g_free (entry->words);
  g_free (entry);
}

static const char *group_of (HlSection section) {
  switch (section) {
  case HL_SECTION_BODIES:
    return _ ("Bodies");
  case HL_SECTION_JOINTS:
    return _ ("Joints");
  case HL_SECTION_LOADS:
    return _ ("Loads");
  case HL_SECTION_COMPONENTS:
    return _ ("Components");
  case HL_SECTION_LINES:
    return _ ("Lines");
  case HL_SECTION_PROBES:
    return _ ("Probes");
  case HL_SECTION_ENERGY:
    return _ ("Energy");
  default:
    return _ ("Others");
  }
}

char *hl_line_ends (const HlDocument *document, const char *id) {
  HlSection section;
  const HlValue *line = hl_document_find (document, id, &section, NULL);
  const HlValue *ports = line != NULL && section == HL_SECTION_LINES ? hl_value_member (line, "ports") : NULL;
  const char *names[2] = {NULL};
  int n = 0;

  for (gsize k = 0; hl_value_is_array (ports) && k < hl_value_length (ports); k++) {
    const char *port = hl_value_string (hl_value_item (ports, k));
    if (port != NULL && n < 2)
      names[n] = port;
    n += port != NULL;
  }
  if (n == 0)
    return NULL;
  if (n == 1)
    return g_strdup (names[0]);
  if (n == 2)
    return g_strdup_printf ("%s – %s", names[0], names[1]);
  return g_strdup_printf ("%s – %s + %d", names[0], names[1], n - 2);
}

/* Returns the title that the schema gives a path; entries of a pose keep their own names. */
static char *title_of (const HlPathInfo *info) {
  gboolean is_entry =
      info->field != NULL && (info->field->type == HL_FIELD_POSE || info->field->type == HL_FIELD_VELOCITY ||
                              info->field->type == HL_FIELD_POINTS);

  if (info->port != NULL)
    return g_strdup_printf (_ ("Pressure at %s"), info->port);
  if (info->output != NULL)
    return g_strdup (_ (info->output->label));
  if (info->field != NULL && !is_entry && info->field->label != NULL)
    return g_strdup (_ (info->field->label));
  return g_strdup (info->name);
}

static void note_words (HlTraceEntry *entry, const char *kind) {
  g_autofree char *all =
      g_strjoin (" ", entry->trace, entry->title, entry->group,
                 entry->quantity != HL_QUANTITY_NONE ? hl_quantity_name (entry->quantity) : "",
                 kind != NULL ? kind : "", NULL);
  entry->words = g_utf8_casefold (all, -1);
}

HlTraceEntry *hl_trace_entry_new (const HlDocument *document, const char *path) {
  HlTraceEntry *entry = g_new0 (HlTraceEntry, 1);
  HlPathInfo info;

  entry->trace = g_strdup (path);
  if (hl_path_find (document, path, &info, NULL)) {
    entry->title = title_of (&info);
    entry->element = g_strdup (info.id);
    entry->group = group_of (info.section);
    entry->quantity = info.quantity;
    note_words (entry, info.kind != NULL ? _ (info.kind->label) : NULL);
  } else {
    entry->title = g_strdup (path);
    entry->group = group_of (HL_SECTION_NONE);
    note_words (entry, NULL);
  }
  return entry;
}

GPtrArray *hl_trace_entries_of_probes (const HlDocument *document) {
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify)entry_free);

  for (int index = 0; index < hl_document_n_probes (document); index++) {
    HlProbe probe;
    if (!hl_document_probe (document, index, &probe))
      continue;
    HlTraceEntry *entry = g_new0 (HlTraceEntry, 1);
    entry->trace = g_strdup (probe.id);
    entry->title = g_strdup (probe.label);
    entry->group = group_of (HL_SECTION_PROBES);
    entry->quantity = hl_trace_info (document, probe.id).quantity;
    note_words (entry, probe.of);
    g_ptr_array_add (entries, entry);
  }
  return entries;
}

gboolean hl_trace_entry_matches (const HlTraceEntry *entry, const char *query) {
  g_autofree char *folded = g_utf8_casefold (query, -1);
  g_auto (GStrv) words = g_strsplit_set (folded, " \t", -1);

  for (int i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && strstr (entry->words, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

char **hl_trace_usual_of_element (GPtrArray *entries, const char *element) {
  /* in the order in which the first one found decides */
  static const char *const usual[] = {"angle", "pressure", "s",     "force", "torque", "flow_A",
                                      "flow",  "slip",     "spool", "fx",    "signal", NULL};
  static const char *const with[][2] = {{"flow_A", "flow_B"}, {"fx", "fy"}};
  GPtrArray *traces = g_ptr_array_new ();

  for (int i = 0; usual[i] != NULL && traces->len == 0; i++) {
    const char *second = NULL;
    for (gsize k = 0; k < G_N_ELEMENTS (with); k++)
      if (strcmp (with[k][0], usual[i]) == 0)
        second = with[k][1];
    for (guint k = 0; k < entries->len; k++) {
      const HlTraceEntry *entry = entries->pdata[k];
      const char *name = entry->element != NULL && strcmp (entry->element, element) == 0
                             ? entry->trace + strlen (element) + 1
                             : NULL;
      if (g_strcmp0 (name, usual[i]) == 0 || (name != NULL && second != NULL && strcmp (name, second) == 0))
        g_ptr_array_add (traces, g_strdup (entry->trace));
    }
  }
  g_ptr_array_add (traces, NULL);
  return (char **)g_ptr_array_free (traces, FALSE);
}
