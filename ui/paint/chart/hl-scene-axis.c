/* SPDX-License-Identifier: MIT */
/* Titles, units and ranges of the axes of a plot scene. */
#include "ui/paint/chart/hl-scene-plot-private.h"

#include "core/base/hl-i18n.h"
#include "core/document/hl-trace.h"

#include <math.h>

#define MOST_DECADES 6     /* of a logarithmic axis when it is fitted */
#define SPECTRUM_TAIL 1e-3 /* of the highest line: no such line, nothing shown behind it ... */
#define SPECTRUM_AIR 1.3   /* ... but this times its frequency */
#define MOST_NAMES 3       /* of traces in the title of an axis ... */
#define MOST_LETTERS 36    /* ... if they are not longer */

int
hl_scene_first_trace (const HlPlotScene *scene)
{
  return scene->panel->kind == HL_PLOT_PHASE ? 1 : 0;
}

static const char *
unit_symbol (HlUnits units, HlQuantity quantity)
{
  return hl_units_get (units, quantity)->symbol;
}

/* What rounding leaves of a zero, with machines of some metres, megapascals and meganewtons: a
 * hundred to a thousand units of the last place [SI]. A trace that never leaves it rests. */
static double
rounded_zero (HlQuantity quantity)
{
  switch (quantity) {
  case HL_QUANTITY_LENGTH:
  case HL_QUANTITY_ANGLE:
    return 1e-13;
  case HL_QUANTITY_SPEED:
  case HL_QUANTITY_ANGULAR_SPEED:
  case HL_QUANTITY_SHAFT_SPEED:
    return 1e-12;
  case HL_QUANTITY_ACCELERATION:
  case HL_QUANTITY_POWER:
  case HL_QUANTITY_ENERGY:
    return 1e-10;
  case HL_QUANTITY_FORCE:
  case HL_QUANTITY_TORQUE:
  case HL_QUANTITY_PRESSURE:
  case HL_QUANTITY_PRESSURE_DIFFERENCE:
    return 1e-7;
  case HL_QUANTITY_FLOW:
    return 1e-17;
  default:
    return 0;
  }
}

/* The unit of an axis, and what is nothing in it. */
static void
set_unit (HlPlotAxis *axis, const HlPlotSource *source, HlQuantity quantity)
{
  const HlUnit *unit = hl_units_get (source->units, quantity);

  axis->unit = unit->symbol;
  axis->quiet = rounded_zero (quantity) / unit->factor;
}

/* "p₁, p₂, p₃" for few traces of a quantity, its name for many. */
static const char *
label_of_axis (HlPlotScene *scene,
               const HlPlotSource *source,
               HlQuantity quantity,
               const HlTraceInfo *leader)
{
  gboolean difference = scene->panel->kind == HL_PLOT_DIFFERENCE;
  gboolean spectrum = scene->panel->kind == HL_PLOT_SPECTRUM;
  g_autoptr (GString) names = g_string_new (NULL);
  int n = 0;

  for (int index = hl_scene_first_trace (scene); index < scene->n_traces; index++) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[index]);
    if (info.quantity != quantity)
      continue;
    n++;
    g_string_append_printf (names, "%s%s%s", names->len > 0 ? ", " : "", difference ? "Δ" : "",
                            info.label);
  }
  if (n == 1 && leader->relative && !difference && !spectrum)
    g_string_append_printf (names, " − %s(0)", leader->label);
  const char *text = n > MOST_NAMES || g_utf8_strlen (names->str, -1) > MOST_LETTERS
                         ? hl_quantity_name (quantity)
                         : names->str;
  if (!spectrum)
    return g_string_chunk_insert (scene->texts, text);
  g_autofree char *amplitude = g_strdup_printf (_ ("Amplitude of %s"), text);
  return g_string_chunk_insert (scene->texts, amplitude);
}

void
hl_scene_label_values (HlPlotScene *scene, const HlPlotSource *source)
{
  HlPlot *plot = &scene->plot;
  int first = hl_scene_first_trace (scene);

  if (first >= scene->n_traces)
    return;
  HlTraceInfo leader = hl_trace_info (source->document, scene->panel->traces[first]);
  plot->left.label = label_of_axis (scene, source, leader.quantity, &leader);
  set_unit (&plot->left, source, leader.quantity);
  for (int index = first; index < scene->n_traces; index++) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[index]);
    if (info.quantity == leader.quantity)
      continue;
    plot->right.label = label_of_axis (scene, source, info.quantity, &info);
    set_unit (&plot->right, source, info.quantity);
    return;
  }
}

void
hl_scene_label_x (HlPlotScene *scene, const HlPlotSource *source)
{
  HlPlotAxis *x = &scene->plot.x;

  if (scene->panel->kind == HL_PLOT_PHASE && scene->n_traces > 0) {
    HlTraceInfo info = hl_trace_info (source->document, scene->panel->traces[0]);
    x->label = g_string_chunk_insert (scene->texts, info.label);
    x->unit = unit_symbol (source->units, info.quantity);
  } else if (scene->panel->kind == HL_PLOT_SPECTRUM) {
    x->label = "f";
    x->unit = "Hz";
    if (source->to != source->from) {
      char from[40], to[40];
      hl_axis_format (fmin (source->from, source->to), 4, from, sizeof from);
      hl_axis_format (fmax (source->from, source->to), 4, to, sizeof to);
      g_autofree char *note = g_strdup_printf (_ ("of t = %s … %s s"), from, to);
      x->note = g_string_chunk_insert (scene->texts, note);
    }
  } else {
    x->label = "t";
    x->unit = "s";
    x->axis.min = 0;
    x->axis.max = source->t_end;
  }
}

/* Up to where something vibrates; half the sampling rate is far beyond. */
static void
fit_frequency (HlPlot *plot)
{
  double last = 0, end = 0;

  for (int i = 0; i < plot->n_series; i++) {
    const HlSamples *samples = &plot->series[i].samples;
    double most = 0;
    if (plot->series[i].hidden)
      continue;
    for (int row = 0; row < samples->n; row++)
      most = fmax (most, samples->y[row]);
    for (int row = 0; row < samples->n; row++)
      if (samples->y[row] > SPECTRUM_TAIL * most)
        last = fmax (last, samples->x[row]);
    end = fmax (end, samples->n > 0 ? samples->x[samples->n - 1] : 0);
  }
  plot->x.axis.min = 0;
  plot->x.axis.max = end > 0 ? fmin (SPECTRUM_AIR * last, end) : 1;
  if (plot->x.axis.max <= 0)
    plot->x.axis.max = end;
}

void
hl_scene_fit (HlPlotScene *scene)
{
  HlPlot *plot = &scene->plot;

  if (scene->panel->log)
    plot->left.axis.scale = plot->right.axis.scale = HL_SCALE_LOG;
  if (scene->panel->kind == HL_PLOT_PHASE)
    hl_plot_fit_x (plot);
  if (scene->panel->kind == HL_PLOT_SPECTRUM)
    fit_frequency (plot);
  if (scene->panel->log)
    plot->left.axis.min = plot->right.axis.min = 0.1; /* of axes without traces */
  hl_plot_fit_y (plot);
  HlAxis *axes[] = {&plot->left.axis, &plot->right.axis};
  for (gsize i = 0; scene->panel->log && i < G_N_ELEMENTS (axes); i++)
    axes[i]->min = fmax (axes[i]->min, axes[i]->max * pow (10, -MOST_DECADES));
}
