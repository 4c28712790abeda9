/* SPDX-License-Identifier: MIT */
/* The order of series is the order of painting: the pinned run below, then the nonlinear traces,
 * their linear responses dashed on top. One legend entry stands for all linear responses, one for
 * all of the pinned run. */
#include "ui/paint/hl-scene-plot.h"

#include "core/document/hl-i18n.h"
#include "core/document/hl-path.h"

#include <math.h>
#include <string.h>

typedef enum
{
  FAMILY_PINNED,
  FAMILY_RUN,
  FAMILY_LINEAR
} Family;

/* What a series is, so that a click on its legend entry can be remembered. */
typedef struct
{
  Family family;
  int trace;
} Role;

struct _HlPlotScene
{
  HlPlotPanel panel;
  int n_traces;
  HlPlot plot;
  GArray *series; /* HlPlotSeries */
  GArray *roles;  /* Role, one a series */
  gboolean hide_pinned, hide_linear;
  gboolean *hidden; /* n_traces */
  GStringChunk *texts;
};

/* What the document says of a trace. */
typedef struct
{
  const char *label;
  gboolean relative;
  HlQuantity quantity;
} Trace;

static void
find_trace (const HlDocument *document, const char *id, Trace *trace)
{
  HlPathInfo info;
  const char *path = id;

  *trace = (Trace){.label = id};
  for (int index = 0; index < hl_document_n_probes (document); index++) {
    HlProbe probe;
    if (!hl_document_probe (document, index, &probe) || strcmp (probe.id, id) != 0)
      continue;
    trace->label = probe.label;
    trace->relative = probe.relative;
    path = probe.of;
  }
  if (hl_path_find (document, path, &info, NULL))
    trace->quantity = info.quantity;
}

static void
free_panel (gpointer data)
{
  HlPlotPanel *panel = data;
  g_free (panel->title);
  g_strfreev (panel->traces);
  g_free (panel);
}

static void
add_panel (GPtrArray *panels, const char *title, GPtrArray *ids)
{
  if (ids->len == 0)
    return;
  HlPlotPanel *panel = g_new0 (HlPlotPanel, 1);
  panel->title = g_strdup (title);
  panel->traces = g_new0 (char *, ids->len + 1);
  for (guint i = 0; i < ids->len; i++)
    panel->traces[i] = g_strdup (ids->pdata[i]);
  g_ptr_array_add (panels, panel);
}

static void
add_stated_panels (GPtrArray *panels, const HlDocument *document)
{
  for (int plot = 0; plot < hl_document_n_elements (document, HL_SECTION_PLOTS); plot++) {
    const HlValue *element = hl_document_element (document, HL_SECTION_PLOTS, plot);
    const HlValue *traces = hl_value_member (element, "traces");
    g_autoptr (GPtrArray) ids = g_ptr_array_new ();
    for (gsize trace = 0; trace < hl_value_length (traces); trace++) {
      const char *id = hl_value_string (hl_value_item (traces, trace));
      if (id != NULL)
        g_ptr_array_add (ids, (gpointer)id);
    }
    add_panel (panels, hl_value_string (hl_value_member (element, "title")), ids);
  }
}

GPtrArray *
hl_plot_panels_of_document (const HlDocument *document)
{
  GPtrArray *panels = g_ptr_array_new_with_free_func (free_panel);
  int n_probes = hl_document_n_probes (document);
  g_autofree gboolean *done = g_new0 (gboolean, n_probes + 1);

  add_stated_panels (panels, document);
  if (panels->len > 0)
    return panels;
  for (int first = 0; first < n_probes; first++) {
    HlProbe probe;
    Trace leader, other;
    if (done[first] || !hl_document_probe (document, first, &probe))
      continue;
    find_trace (document, probe.id, &leader);
    g_autoptr (GPtrArray) ids = g_ptr_array_new ();
    for (int next = first; next < n_probes; next++) {
      if (done[next] || !hl_document_probe (document, next, &probe))
        continue;
      find_trace (document, probe.id, &other);
      /* What starts at zero does not share an axis with what stands at 60 degrees. */
      if (other.quantity != leader.quantity || other.relative != leader.relative)
        continue;
      done[next] = TRUE;
      g_ptr_array_add (ids, (gpointer)probe.id);
    }
    add_panel (panels, NULL, ids);
  }
  return panels;
}

HlPlotScene *
hl_plot_scene_new (const HlPlotPanel *panel)
{
  HlPlotScene *scene = g_new0 (HlPlotScene, 1);
  scene->panel.title = g_strdup (panel->title);
  scene->panel.traces = g_strdupv (panel->traces);
  scene->n_traces = (int)g_strv_length (panel->traces);
  scene->series = g_array_new (FALSE, FALSE, sizeof (HlPlotSeries));
  scene->roles = g_array_new (FALSE, FALSE, sizeof (Role));
  scene->hidden = g_new0 (gboolean, scene->n_traces + 1);
  scene->texts = g_string_chunk_new (256);
  return scene;
}

void
hl_plot_scene_free (HlPlotScene *scene)
{
  if (scene == NULL)
    return;
  g_free (scene->panel.title);
  g_strfreev (scene->panel.traces);
  g_array_unref (scene->series);
  g_array_unref (scene->roles);
  g_free (scene->hidden);
  g_string_chunk_free (scene->texts);
  g_free (scene);
}

const HlPlotPanel *
hl_plot_scene_panel (const HlPlotScene *scene)
{
  return &scene->panel;
}

/* Shown = SI * factor + offset. A difference has no offset, whatever zero its unit counts from. */
static void
set_unit (HlPlotSeries *series, const HlUnit *unit, gboolean relative)
{
  series->y_factor = 1 / unit->factor;
  series->y_offset = relative ? 0 : -unit->offset / unit->factor;
}

static void
add_series (HlPlotScene *scene,
            const HlResults *results,
            const char *column_id,
            Role role,
            const HlPlotSeries *like)
{
  int column = results != NULL ? hl_results_find_column (results, column_id) : -1;
  HlPlotSeries series = *like;

  if (column < 0)
    return;
  series.samples = (HlSamples){.results = results, .x_column = 0, .y_column = column};
  series.x_factor = 1;
  g_array_append_val (scene->series, series);
  g_array_append_val (scene->roles, role);
}

static gboolean
has_values (const HlResults *results, const char *id)
{
  double low, high;
  int column = hl_results_find_column (results, id);
  int rows = hl_results_n_rows (results);
  return column >= 0 && rows > 0 &&
         hl_results_range (results, column, MAX (rows - 1, 0), rows, &low, &high);
}

static void
add_family (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style, Family family)
{
  const HlResults *results = family == FAMILY_PINNED ? source->pinned : source->results;
  gboolean is_named = FALSE;
  HlQuantity left = HL_QUANTITY_NONE;

  for (int index = 0; index < scene->n_traces; index++) {
    const char *id = scene->panel.traces[index];
    Trace trace;
    find_trace (source->document, id, &trace);
    if (index == 0)
      left = trace.quantity;

    HlPlotSeries like = {0};
    set_unit (&like, hl_units_get (source->units, trace.quantity), trace.relative);
    like.right_axis = trace.quantity != left;
    like.color = hl_style_trace_color (style, index);
    g_autofree char *column =
        family == FAMILY_LINEAR ? g_strconcat (id, ".linear", NULL) : g_strdup (id);
    if (family == FAMILY_RUN) {
      like.label = trace.label;
      like.hidden = scene->hidden[index];
      like.dash = hl_style_trace_dash (style, index);
    } else if (family == FAMILY_LINEAR) {
      if (results == NULL || !has_values (results, column))
        continue;
      like.label = is_named ? NULL : _ ("linear");
      like.color = scene->n_traces == 1 ? style->ink : hl_color_mix (like.color, style->ink, 0.55);
      like.dash = HL_DASH_DASHED;
      like.hidden = scene->hide_linear || scene->hidden[index];
    } else {
      like.label = is_named ? NULL : source->pinned_label;
      like.color = hl_color_with_alpha (style->ink_soft, 0.7);
      like.hidden = scene->hide_pinned || scene->hidden[index];
    }
    like.quiet = family != FAMILY_RUN && scene->n_traces > 1;
    is_named = TRUE;
    add_series (scene, results, column, (Role){family, index}, &like);
  }
}

/* "p₁, p₂, p₃ [MPa]" for few traces, the quantity's name for many. */
static void
label_axes (HlPlotScene *scene, const HlPlotSource *source)
{
  HlPlot *plot = &scene->plot;
  g_autoptr (GString) names = g_string_new (NULL);
  Trace first = {0}, trace;

  for (int index = 0; index < scene->n_traces; index++) {
    find_trace (source->document, scene->panel.traces[index], &trace);
    if (index == 0)
      first = trace;
    if (trace.quantity != first.quantity) {
      plot->right.label = hl_quantity_name (trace.quantity);
      plot->right.unit = hl_units_get (source->units, trace.quantity)->symbol;
      continue;
    }
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", trace.label);
  }
  if (first.relative && scene->n_traces == 1)
    g_string_append_printf (names, " − %s(0)", first.label);
  plot->left.label = scene->n_traces > 3 ? hl_quantity_name (first.quantity)
                                         : g_string_chunk_insert (scene->texts, names->str);
  plot->left.unit = hl_units_get (source->units, first.quantity)->symbol;
  plot->title = scene->panel.title;
}

HlPlot *
hl_plot_scene_update (HlPlotScene *scene, const HlPlotSource *source, const HlStyle *style)
{
  HlPlot *plot = &scene->plot;

  g_string_chunk_clear (scene->texts);
  g_array_set_size (scene->series, 0);
  g_array_set_size (scene->roles, 0);
  *plot = hl_plot_make ();
  add_family (scene, source, style, FAMILY_PINNED);
  add_family (scene, source, style, FAMILY_RUN);
  if (source->show_linear)
    add_family (scene, source, style, FAMILY_LINEAR);

  plot->series = (gconstpointer)scene->series->data;
  plot->n_series = (int)scene->series->len;
  plot->x.label = "t";
  plot->x.unit = "s";
  plot->x.axis.min = 0;
  plot->x.axis.max = source->t_end;
  label_axes (scene, source);
  hl_plot_fit_y (plot);
  return plot;
}

void
hl_plot_scene_toggle (HlPlotScene *scene, int series)
{
  if (series < 0 || series >= (int)scene->roles->len)
    return;
  const Role *role = &g_array_index (scene->roles, Role, series);
  if (role->family == FAMILY_PINNED)
    scene->hide_pinned = !scene->hide_pinned;
  else if (role->family == FAMILY_LINEAR)
    scene->hide_linear = !scene->hide_linear;
  else
    scene->hidden[role->trace] = !scene->hidden[role->trace];
}
