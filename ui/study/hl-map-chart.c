/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-map-chart.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-answer.h"
#include "ui/paint/chart/hl-paint-map.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-look.h"
#include "ui/bench/hl-editing.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 4

struct _HlMapChart
{
  HlChart parent_instance;
  HlWorkbench *workbench;
  HlStabilityMap *map;
  HlKnob *x, *y; /* copies: those of the map */
  gboolean by_damping;
  double at_x, at_y; /* values under the pointer */
};

G_DEFINE_FINAL_TYPE (HlMapChart, hl_map_chart, HL_TYPE_CHART)

static HlKnob *
copy_knob (const HlKnob *knob)
{
  HlKnob *copy = g_memdup2 (knob, sizeof *knob);
  copy->label = g_strdup (knob->label);
  copy->detail = g_strdup (knob->detail);
  copy->paths = g_strdupv (knob->paths);
  return copy;
}

static void
free_knob (HlKnob *knob)
{
  g_free (knob->label);
  g_free (knob->detail);
  g_strfreev (knob->paths);
  g_free (knob);
}

static HlMapPicture
picture_of (HlMapChart *self)
{
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  return (HlMapPicture){.map = self->map,
                        .x_unit = hl_workbench_units (self->workbench)[self->x->quantity],
                        .y_unit = hl_workbench_units (self->workbench)[self->y->quantity],
                        .x_label = self->x->label,
                        .y_label = self->y->label,
                        .x_log = self->x->log,
                        .y_log = self->y->log,
                        .by_damping = self->by_damping,
                        .x_from = self->x->from,
                        .x_to = self->x->to,
                        .y_from = self->y->from,
                        .y_to = self->y->to,
                        .x_now = hl_knob_value (self->x, document),
                        .y_now = hl_knob_value (self->y, document)};
}

static void
paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HlMapChart *self = HL_MAP_CHART (chart);

  if (self->x == NULL)
    return;
  HlMapPicture picture = picture_of (self);
  hl_paint_map (cr, &picture, area, style);
}

static char *
table (HlChart *chart)
{
  HlMapChart *self = HL_MAP_CHART (chart);
  int n;

  if (self->map == NULL)
    return NULL;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  double *columns = hl_stability_map_table (self->map, &n);
  hl_answer_column (answer, NULL, self->x->paths[0], hl_quantity_si (self->x->quantity), columns, n,
                    1);
  hl_answer_column (answer, NULL, self->y->paths[0], hl_quantity_si (self->y->quantity),
                    columns + n, n, 1);
  hl_answer_column (answer, NULL, "growth", "1/s", columns + 2 * (gsize)n, n, 1);
  hl_answer_column (answer, NULL, "damping_ratio", "1", columns + 3 * (gsize)n, n, 1);
  char *text = hl_answer_to_text (answer, HL_ANSWER_CSV);
  free (columns);
  return text;
}

static gboolean
value_at (HlMapChart *self, HlSpot at, double *x, double *y)
{
  HlStyle style = hl_look_style (GTK_WIDGET (self));

  if (self->x == NULL || self->map == NULL)
    return FALSE;
  HlMapPicture picture = picture_of (self);
  return hl_map_value (&picture, hl_chart_area (HL_CHART (self)), &style, at, x, y);
}

static const char *
hover (HlChart *chart, HlSpot at)
{
  HlMapChart *self = HL_MAP_CHART (chart);

  if (value_at (self, at, &self->at_x, &self->at_y))
    g_signal_emit_by_name (self, "pointed");
  return NULL;
}

static void
click (HlChart *chart, HlSpot at)
{
  HlMapChart *self = HL_MAP_CHART (chart);
  HlWorkbench *workbench = self->workbench;
  double x, y;

  if (!value_at (self, at, &x, &y))
    return;
  /* one key: both are one undo step */
  hl_editing_set_numbers (hl_workbench_editing (workbench), (const char *const *)self->x->paths, x,
                          "map", NULL);
  hl_editing_set_numbers (hl_workbench_editing (workbench), (const char *const *)self->y->paths, y,
                          "map", NULL);
  hl_editing_end_gesture (hl_workbench_editing (workbench));
}

char *
hl_map_chart_text (HlMapChart *self)
{
  if (self->map == NULL)
    return g_strdup ("");
  int i = hl_map_nearest (self->map->x, self->map->n_x, self->at_x);
  int j = hl_map_nearest (self->map->y, self->map->n_y, self->at_y);
  HlUnits units = hl_workbench_units (self->workbench);
  double growth = self->map->growth[j * self->map->n_x + i];
  g_autofree char *x_text = hl_units_format (units, self->x->quantity, self->at_x, DIGITS);
  g_autofree char *y_text = hl_units_format (units, self->y->quantity, self->at_y, DIGITS);
  g_autofree char *re = hl_units_format (NULL, HL_QUANTITY_NONE, growth, DIGITS);
  g_autofree char *zeta = hl_units_format (NULL, HL_QUANTITY_NONE,
                                           self->map->damping[j * self->map->n_x + i], DIGITS - 1);

  return isfinite (growth)
             ? g_strdup_printf (_ ("%s = %s, %s = %s: largest Re λ %s s⁻¹, least damping %s"),
                                self->x->label, x_text, self->y->label, y_text, re, zeta)
             : g_strdup_printf (_ ("%s = %s, %s = %s: no start state"), self->x->label, x_text,
                                self->y->label, y_text);
}

/* --- life --- */

static void
hl_map_chart_dispose (GObject *object)
{
  HlMapChart *self = HL_MAP_CHART (object);

  g_clear_pointer (&self->map, hl_stability_map_free);
  g_clear_pointer (&self->x, free_knob);
  g_clear_pointer (&self->y, free_knob);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (hl_map_chart_parent_class)->dispose (object);
}

static void
hl_map_chart_class_init (HlMapChartClass *klass)
{
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_map_chart_dispose;
  chart_class->paint = paint;
  chart_class->figure = paint; /* it shows nothing but the map */
  chart_class->table = table;
  chart_class->hover = hover;
  chart_class->click = click;
}

static void
hl_map_chart_init (HlMapChart *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Stability map"), -1);
}

void
hl_map_chart_set_workbench (HlMapChart *self, HlWorkbench *workbench)
{
  g_set_object (&self->workbench, workbench);
}

void
hl_map_chart_begin (HlMapChart *self, const HlKnob *x, const HlKnob *y)
{
  hl_map_chart_set_map (self, NULL);
  g_clear_pointer (&self->x, free_knob);
  g_clear_pointer (&self->y, free_knob);
  self->x = copy_knob (x);
  self->y = copy_knob (y);
}

void
hl_map_chart_set_map (HlMapChart *self, HlStabilityMap *map)
{
  g_clear_pointer (&self->map, hl_stability_map_free);
  self->map = map;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void
hl_map_chart_set_by_damping (HlMapChart *self, gboolean by_damping)
{
  self->by_damping = by_damping;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}
