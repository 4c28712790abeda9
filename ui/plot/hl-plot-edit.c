/* SPDX-License-Identifier: MIT */
#include "ui/plot/hl-plot-edit.h"

#include "core/base/hl-translation-macros.h"
#include "core/document/hl-trace-name.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-run-collection.h"

#include <string.h>

/* A copy of all panels to be changed, and the one that changes. */
typedef struct {
  HlWorkbench *workbench;
  GPtrArray *panels;
  HlPlotPanel *panel; /* NULL: there is no such panel */
} Edit;

GPtrArray *hl_plot_edit_panels (HlWorkbench *workbench) {
  GPtrArray *panels = hl_plot_panels_of_document (hl_editing_document (hl_workbench_editing (workbench)));

  if (panels->len == 0)
    g_ptr_array_add (panels, hl_plot_panel_new ());
  return panels;
}

gboolean hl_plot_edit_has_traces (HlWorkbench *workbench) {
  g_autoptr (GPtrArray) panels = hl_plot_edit_panels (workbench);
  gboolean has = FALSE;

  for (guint i = 0; i < panels->len; i++)
    has = has || !hl_plot_panel_is_empty (panels->pdata[i]);
  return has;
}

static Edit begin_edit (HlWorkbench *workbench, int panel) {
  Edit edit = {workbench, hl_plot_edit_panels (workbench), NULL};

  if (panel >= 0 && panel < (int)edit.panels->len)
    edit.panel = edit.panels->pdata[panel];
  return edit;
}

static void end_edit (Edit *edit, gboolean changed, const char *step) {
  if (changed)
    hl_runs_set_panels (hl_workbench_runs (edit->workbench), edit->panels, step);
  g_ptr_array_unref (edit->panels);
}

/* --- panels --- */

int hl_plot_edit_add_panel (HlWorkbench *workbench, int after, HlPlotPlace place) {
  Edit edit = begin_edit (workbench, -1);
  HlPlotPanel *panel = hl_plot_panel_new ();
  int at = after >= 0 && after < (int)edit.panels->len ? after + 1 : (int)edit.panels->len;

  panel->place = at == 0 ? HL_PLACE_BELOW : place;
  /* a new tab begins behind the tab of the request */
  while (place == HL_PLACE_TAB && at < (int)edit.panels->len &&
         ((const HlPlotPanel *)edit.panels->pdata[at])->place != HL_PLACE_TAB)
    at++;
  g_ptr_array_insert (edit.panels, at, panel);
  end_edit (&edit, TRUE, _ ("Add plot"));
  return at;
}

void hl_plot_edit_remove_panel (HlWorkbench *workbench, int panel) {
  Edit edit = begin_edit (workbench, panel);

  if (edit.panel != NULL && edit.panels->len == 1) {
    g_strfreev (edit.panel->traces);
    edit.panel->traces = g_new0 (char *, 1);
    edit.panel->kind = HL_PLOT_TIME;
    g_clear_pointer (&edit.panel->title, g_free);
  } else if (edit.panel != NULL) {
    hl_plot_panels_remove (edit.panels, (guint)panel);
  }
  end_edit (&edit, edit.panel != NULL, _ ("Remove plot"));
}

void hl_plot_edit_move_panel (HlWorkbench *workbench, int panel, int by) {
  Edit edit = begin_edit (workbench, panel);
  int other = panel + by;
  gboolean moves = edit.panel != NULL && other >= 0 && other < (int)edit.panels->len;

  if (moves) {
    /* the places stay, what stands in them is exchanged */
    HlPlotPanel *a = edit.panel, *b = edit.panels->pdata[other];
    HlPlotPlace place = a->place;
    char *tab = a->tab;
    a->place = b->place;
    a->tab = b->tab;
    b->place = place;
    b->tab = tab;
    edit.panels->pdata[panel] = b;
    edit.panels->pdata[other] = a;
  }
  end_edit (&edit, moves, _ ("Move plot"));
}

/* --- traces --- */

/* Returns whether the panel has an axis for the trace. */
static gboolean has_axis_for (HlWorkbench *workbench, const HlPlotPanel *panel, const char *trace) {
  const HlDocument *document = hl_editing_document (hl_workbench_editing (workbench));
  HlQuantity quantity = hl_trace_info (document, trace).quantity, axes[2];
  int first = panel->kind == HL_PLOT_PHASE ? 1 : 0, n;

  hl_trace_axes (document, (const char *const *)panel->traces, first, axes, &n);
  return n < 2 || quantity == axes[0] || quantity == axes[1];
}

gboolean hl_plot_edit_add_traces (HlWorkbench *workbench, int panel, const char *const *traces) {
  Edit edit = begin_edit (workbench, panel);
  HlPlotPanel *below = NULL;
  gboolean changed = FALSE;
  int at = panel;

  for (; edit.panel != NULL && *traces != NULL; traces++) {
    HlPlotPanel *takes = edit.panel;
    if (!hl_plot_panel_has (takes, *traces) && !has_axis_for (workbench, takes, *traces)) {
      if (below == NULL || !has_axis_for (workbench, below, *traces)) {
        below = hl_plot_panel_new ();
        if (edit.panel->kind != HL_PLOT_PHASE)
          below->kind = edit.panel->kind;
        below->against = edit.panel->against;
        g_ptr_array_insert (edit.panels, ++at, below);
      }
      takes = below;
    }
    changed = hl_plot_panel_add (takes, *traces) || changed;
  }
  end_edit (&edit, changed, _ ("Add trace"));
  return changed;
}

void hl_plot_edit_remove_trace (HlWorkbench *workbench, int panel, const char *trace) {
  Edit edit = begin_edit (workbench, panel);
  end_edit (&edit, edit.panel != NULL && hl_plot_panel_remove (edit.panel, trace), _ ("Remove trace"));
}

void hl_plot_edit_clear_traces (HlWorkbench *workbench, int panel) {
  Edit edit = begin_edit (workbench, panel);
  gboolean changed = edit.panel != NULL && edit.panel->traces[0] != NULL;

  if (changed) {
    g_strfreev (edit.panel->traces);
    edit.panel->traces = g_new0 (char *, 1);
  }
  end_edit (&edit, changed, _ ("Remove all traces"));
}

void hl_plot_edit_lead_trace (HlWorkbench *workbench, int panel, const char *trace) {
  Edit edit = begin_edit (workbench, panel);
  char **traces = edit.panel != NULL ? edit.panel->traces : NULL;
  int at = 0;

  while (traces != NULL && traces[at] != NULL && strcmp (traces[at], trace) != 0)
    at++;
  gboolean changed = traces != NULL && at > 0 && traces[at] != NULL;
  if (changed) {
    char *leader = traces[at];
    memmove (traces + 1, traces, (gsize)at * sizeof *traces);
    traces[0] = leader;
  }
  end_edit (&edit, changed, _ ("Move trace"));
}

static gboolean is_offered (GPtrArray *entries, const char *trace) {
  for (guint i = 0; i < entries->len; i++)
    if (strcmp (((const HlTraceEntry *)entries->pdata[i])->trace, trace) == 0)
      return TRUE;
  return FALSE;
}

/* Returns a probe that records just that path, with its own name; the path itself where there is none. */
static const char *probe_of_path (const HlDocument *document, GPtrArray *entries, const char *path) {
  for (guint i = 0; i < entries->len; i++) {
    const HlTraceEntry *entry = entries->pdata[i];
    HlTraceInfo info = hl_trace_info (document, entry->trace);
    if (entry->element == NULL && !info.relative && g_strcmp0 (info.path, path) == 0)
      return entry->trace;
  }
  return path;
}

gboolean hl_plot_edit_drop (HlWorkbench *workbench, int panel, const char *text) {
  g_autoptr (GPtrArray) entries = hl_runs_trace_entries (hl_workbench_runs (workbench));
  g_autofree char *name = g_strstrip (g_strdup (text));
  const char *one[] = {name, NULL};

  if (*name == '\0' || strlen (name) > 200)
    return FALSE;
  if (is_offered (entries, name)) {
    one[0] = probe_of_path (hl_editing_document (hl_workbench_editing (workbench)), entries, name);
    hl_plot_edit_add_traces (workbench, panel, one);
    return TRUE;
  }
  /* a number of the file that no run records (a diameter) stands for its element */
  g_autofree char *element = g_strndup (name, strcspn (name, "."));
  g_auto (GStrv) usual = hl_trace_usual_of_element (entries, element);
  if (usual[0] == NULL)
    return FALSE;
  g_autofree const char **traces = g_new0 (const char *, g_strv_length (usual) + 1);
  for (int i = 0; usual[i] != NULL; i++)
    traces[i] = probe_of_path (hl_editing_document (hl_workbench_editing (workbench)), entries, usual[i]);
  hl_plot_edit_add_traces (workbench, panel, traces);
  return TRUE;
}

/* --- properties --- */

void hl_plot_edit_set_kind (HlWorkbench *workbench, int panel, HlPlotKind kind) {
  Edit edit = begin_edit (workbench, panel);
  gboolean changed = edit.panel != NULL && edit.panel->kind != kind;

  if (changed)
    edit.panel->kind = kind;
  end_edit (&edit, changed, _ ("Change kind of plot"));
}

void hl_plot_edit_set_place (HlWorkbench *workbench, int panel, HlPlotPlace place) {
  Edit edit = begin_edit (workbench, panel);
  gboolean changed = edit.panel != NULL && panel > 0 && edit.panel->place != place;

  if (changed)
    edit.panel->place = place;
  end_edit (&edit, changed, _ ("Move plot"));
}

static gboolean replace_text (char **text, const char *with) {
  const char *wanted = with != NULL && *with != '\0' ? with : NULL;

  if (g_strcmp0 (*text, wanted) == 0)
    return FALSE;
  g_free (*text);
  *text = g_strdup (wanted);
  return TRUE;
}

void hl_plot_edit_set_title (HlWorkbench *workbench, int panel, const char *title) {
  Edit edit = begin_edit (workbench, panel);
  end_edit (&edit, edit.panel != NULL && replace_text (&edit.panel->title, title), _ ("Name plot"));
}

void hl_plot_edit_set_tab (HlWorkbench *workbench, int panel, const char *tab) {
  Edit edit = begin_edit (workbench, panel);
  end_edit (&edit, edit.panel != NULL && replace_text (&edit.panel->tab, tab), _ ("Name tab"));
}

void hl_plot_edit_set_against (HlWorkbench *workbench, int panel, HlPlotAgainst against) {
  Edit edit = begin_edit (workbench, panel);
  gboolean changed = edit.panel != NULL && (edit.panel->against != against || edit.panel->run != NULL);

  if (changed) {
    edit.panel->against = against;
    g_clear_pointer (&edit.panel->run, g_free);
  }
  end_edit (&edit, changed, _ ("Compare with another run"));
}

void hl_plot_edit_set_run (HlWorkbench *workbench, int panel, const char *run) {
  Edit edit = begin_edit (workbench, panel);
  gboolean changed = edit.panel != NULL &&
                     (edit.panel->against != HL_AGAINST_PINNED || g_strcmp0 (edit.panel->run, run) != 0);

  if (changed) {
    edit.panel->against = HL_AGAINST_PINNED;
    g_free (edit.panel->run);
    edit.panel->run = g_strdup (run);
  }
  end_edit (&edit, changed, _ ("Compare with another run"));
}

void hl_plot_edit_set_window (HlWorkbench *workbench, int panel, const char *window) {
  Edit edit = begin_edit (workbench, panel);
  end_edit (&edit, edit.panel != NULL && replace_text (&edit.panel->window, window),
            _ ("Change window of spectrum"));
}

void hl_plot_edit_set_log (HlWorkbench *workbench, int panel, gboolean log) {
  Edit edit = begin_edit (workbench, panel);
  gboolean changed = edit.panel != NULL && edit.panel->log != log;

  if (changed)
    edit.panel->log = log;
  end_edit (&edit, changed, _ ("Change scale of plot"));
}
