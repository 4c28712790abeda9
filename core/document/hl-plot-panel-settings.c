/* SPDX-License-Identifier: MIT */
/* Members are written only where they differ from the default, so that a file of time plots stays a
 * list of traces. */
#include "core/document/hl-plot-panel-settings.h"

#include "core/document/hl-trace-name.h"

#include <string.h>

static const char *const kind_names[HL_N_PLOT_KINDS] = {"time", "phase", "spectrum", "difference", "energy"};
static const char *const place_names[HL_N_PLACES] = {"below", "beside", "tab"};
static const char *const against_names[HL_N_AGAINST] = {"pinned", "linear", "measured"};

static int find_name (const char *const *names, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (g_strcmp0 (names[i], name) == 0)
      return i;
  return 0;
}

const char *hl_plot_kind_name (HlPlotKind kind) {
  return kind_names[kind];
}

const char *hl_plot_against_name (HlPlotAgainst what) {
  return against_names[what];
}

/* --- one panel --- */

HlPlotPanel *hl_plot_panel_new (void) {
  HlPlotPanel *panel = g_new0 (HlPlotPanel, 1);
  panel->traces = g_new0 (char *, 1);
  return panel;
}

HlPlotPanel *hl_plot_panel_copy (const HlPlotPanel *panel) {
  HlPlotPanel *copy = g_new (HlPlotPanel, 1);
  *copy = *panel;
  copy->title = g_strdup (panel->title);
  copy->traces = g_strdupv (panel->traces);
  copy->tab = g_strdup (panel->tab);
  copy->window = g_strdup (panel->window);
  copy->run = g_strdup (panel->run);
  copy->entry = hl_value_ref (panel->entry);
  return copy;
}

void hl_plot_panel_free (HlPlotPanel *panel) {
  if (panel == NULL)
    return;
  g_free (panel->title);
  g_strfreev (panel->traces);
  g_free (panel->tab);
  g_free (panel->window);
  g_free (panel->run);
  hl_value_unref (panel->entry);
  g_free (panel);
}

gboolean hl_plot_panel_is_empty (const HlPlotPanel *panel) {
  return panel->kind != HL_PLOT_ENERGY && panel->traces[0] == NULL;
}

gboolean hl_plot_panel_equal (const HlPlotPanel *a, const HlPlotPanel *b) {
  return g_strcmp0 (a->title, b->title) == 0 && g_strcmp0 (a->tab, b->tab) == 0 &&
         g_strcmp0 (a->window, b->window) == 0 && g_strcmp0 (a->run, b->run) == 0 && a->kind == b->kind &&
         a->place == b->place && a->against == b->against && a->log == b->log &&
         g_strv_equal ((const char *const *)a->traces, (const char *const *)b->traces);
}

gboolean hl_plot_panel_has (const HlPlotPanel *panel, const char *trace) {
  return g_strv_contains ((const char *const *)panel->traces, trace);
}

gboolean hl_plot_panel_add (HlPlotPanel *panel, const char *trace) {
  guint n = g_strv_length (panel->traces);

  if (hl_plot_panel_has (panel, trace))
    return FALSE;
  panel->traces = g_renew (char *, panel->traces, n + 2);
  panel->traces[n] = g_strdup (trace);
  panel->traces[n + 1] = NULL;
  return TRUE;
}

gboolean hl_plot_panel_remove (HlPlotPanel *panel, const char *trace) {
  int kept = 0;
  gboolean found = FALSE;

  for (int i = 0; panel->traces[i] != NULL; i++) {
    if (strcmp (panel->traces[i], trace) != 0) {
      panel->traces[kept++] = panel->traces[i];
      continue;
    }
    g_free (panel->traces[i]);
    found = TRUE;
  }
  panel->traces[kept] = NULL;
  return found;
}

/* --- from and to the file --- */

static const char *text_member (const HlValue *entry, const char *key) {
  return hl_value_string (hl_value_member (entry, key));
}

static HlPlotPanel *parse (const HlValue *entry) {
  HlPlotPanel *panel = hl_plot_panel_new ();
  const HlValue *traces = hl_value_member (entry, "traces");

  panel->title = g_strdup (text_member (entry, "title"));
  panel->tab = g_strdup (text_member (entry, "tab"));
  panel->window = g_strdup (text_member (entry, "window"));
  panel->run = g_strdup (text_member (entry, "run"));
  panel->kind = find_name (kind_names, HL_N_PLOT_KINDS, text_member (entry, "kind"));
  panel->place = find_name (place_names, HL_N_PLACES, text_member (entry, "place"));
  panel->against = find_name (against_names, HL_N_AGAINST, text_member (entry, "against"));
  panel->log = g_strcmp0 (text_member (entry, "scale"), "log") == 0;
  panel->entry = hl_value_ref (entry);
  for (gsize i = 0; i < hl_value_length (traces); i++) {
    const char *trace = hl_value_string (hl_value_item (traces, i));
    if (trace != NULL)
      hl_plot_panel_add (panel, trace);
  }
  return panel;
}

/* Replaces a member; `value` NULL removes it. */
static void put_text (HlValue **entry, const char *key, const char *value) {
  HlValue *next = value != NULL ? hl_value_with_member (*entry, key, hl_value_new_string (value))
                                : hl_value_without_member (*entry, key);
  hl_value_unref (*entry);
  *entry = next;
}

static HlValue *format (const HlPlotPanel *panel) {
  HlValue *entry = panel->entry != NULL ? hl_value_ref (panel->entry) : hl_value_new_object ();
  guint n = g_strv_length (panel->traces);
  g_autofree HlValue **items = g_new (HlValue *, n + 1);

  for (guint i = 0; i < n; i++)
    items[i] = hl_value_new_string (panel->traces[i]);
  put_text (&entry, "title", panel->title);
  HlValue *next = hl_value_with_member (entry, "traces", hl_value_new_array_take (items, n));
  hl_value_unref (entry);
  entry = next;
  put_text (&entry, "kind", panel->kind != HL_PLOT_TIME ? kind_names[panel->kind] : NULL);
  put_text (&entry, "place", panel->place != HL_PLACE_BELOW ? place_names[panel->place] : NULL);
  put_text (&entry, "tab", panel->tab);
  put_text (&entry, "against", panel->against != HL_AGAINST_PINNED ? against_names[panel->against] : NULL);
  put_text (&entry, "run", panel->run);
  put_text (&entry, "window", panel->window);
  put_text (&entry, "scale", panel->log ? "log" : NULL);
  return entry;
}

HlDocument *hl_edit_set_plots (const HlDocument *document, GPtrArray *panels) {
  g_autofree HlValue **items = g_new (HlValue *, panels->len + 1);

  for (guint i = 0; i < panels->len; i++)
    items[i] = format (panels->pdata[i]);
  return hl_document_new (hl_value_with_member (hl_document_root (document),
                                                hl_section_key (HL_SECTION_PLOTS),
                                                hl_value_new_array_take (items, panels->len)));
}

/* --- all panels --- */

/* Adds the default panels. A trace that starts at zero does not share an axis with one near 60 degrees. */
static void add_usual_panels (GPtrArray *panels, const HlDocument *document) {
  int n_probes = hl_document_n_recorded (document);
  g_autofree gboolean *done = g_new0 (gboolean, n_probes + 1);

  for (int first = 0; first < n_probes; first++) {
    HlProbe probe;
    if (done[first] || !hl_document_recorded (document, first, &probe))
      continue;
    HlTraceInfo leader = hl_trace_info (document, probe.id);
    HlPlotPanel *panel = hl_plot_panel_new ();
    for (int next = first; next < n_probes; next++) {
      if (done[next] || !hl_document_recorded (document, next, &probe))
        continue;
      HlTraceInfo other = hl_trace_info (document, probe.id);
      if (other.quantity != leader.quantity || other.relative != leader.relative)
        continue;
      done[next] = TRUE;
      hl_plot_panel_add (panel, probe.id);
    }
    g_ptr_array_add (panels, panel);
  }
}

GPtrArray *hl_plot_panels_of_document (const HlDocument *document) {
  GPtrArray *panels = g_ptr_array_new_with_free_func ((GDestroyNotify)hl_plot_panel_free);
  int n = hl_document_n_elements (document, HL_SECTION_PLOTS);

  for (int plot = 0; plot < n; plot++)
    g_ptr_array_add (panels, parse (hl_document_element (document, HL_SECTION_PLOTS, plot)));
  if (n == 0)
    add_usual_panels (panels, document);
  return panels;
}

gboolean hl_plot_panels_equal (GPtrArray *a, GPtrArray *b) {
  if (a == NULL || b == NULL || a->len != b->len)
    return a == b;
  for (guint i = 0; i < a->len; i++)
    if (!hl_plot_panel_equal (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

void hl_plot_panels_remove (GPtrArray *panels, guint index) {
  const HlPlotPanel *goes = panels->pdata[index];
  HlPlotPanel *follows = index + 1 < panels->len ? panels->pdata[index + 1] : NULL;

  /* the leader of a tab hands the tab on, the leader of a row the row */
  if (follows != NULL && goes->place == HL_PLACE_TAB && follows->place != HL_PLACE_TAB) {
    g_free (follows->tab);
    follows->tab = g_strdup (goes->tab);
  }
  if (follows != NULL && goes->place != HL_PLACE_BESIDE &&
      (follows->place == HL_PLACE_BESIDE || goes->place == HL_PLACE_TAB))
    follows->place = goes->place;
  g_ptr_array_remove_index (panels, index);
}

char **hl_plot_panels_paths (GPtrArray *panels, const HlDocument *document) {
  static const char *const energies[] = {"energy.kinetic", "energy.potential", "energy.oil",
                                         "energy.dissipated", "energy.supplied"};
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *paths = g_ptr_array_new ();

  for (guint i = 0; i < panels->len; i++) {
    const HlPlotPanel *panel = panels->pdata[i];
    for (gsize k = 0; panel->kind == HL_PLOT_ENERGY && k < G_N_ELEMENTS (energies); k++)
      if (g_hash_table_add (seen, (gpointer)energies[k]))
        g_ptr_array_add (paths, g_strdup (energies[k]));
    for (char **trace = panel->traces; *trace != NULL; trace++)
      if (strcmp (hl_trace_info (document, *trace).path, *trace) == 0 && g_hash_table_add (seen, *trace))
        g_ptr_array_add (paths, g_strdup (*trace));
  }
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (paths, FALSE);
}
