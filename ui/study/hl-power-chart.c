/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-power-chart.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-power-table.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

struct _HlPowerChart {
  HlChart parent_instance;
  GArray *bars; /* HlPowerBar, or NULL */
  char *empty_text;
  HlPowerPicture picture;
};

G_DEFINE_FINAL_TYPE (HlPowerChart, hl_power_chart, HL_TYPE_CHART)

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  hl_paint_background (cr, 0, 0, area.width, area.height, style);
  hl_paint_power (cr, &HL_POWER_CHART (chart)->picture, area, style);
}

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlPowerPicture picture = HL_POWER_CHART (chart)->picture;

  picture.hovered = -1;
  hl_paint_power (cr, &picture, area, style);
}

static char *table (HlChart *chart) {
  HlPowerChart *self = HL_POWER_CHART (chart);

  return self->bars != NULL && self->bars->len > 0 ? hl_power_table (self->bars, self->picture.energies)
                                                   : NULL;
}

static void point (HlPowerChart *self, int bar) {
  if (self->picture.hovered == bar)
    return;
  self->picture.hovered = bar;
  hl_chart_say_pointed (HL_CHART (self));
}

static int bar_at (HlPowerChart *self, HlSpot at) {
  HlStyle style = hl_look_style (GTK_WIDGET (self));

  return hl_power_bar_at (&self->picture, hl_chart_area (HL_CHART (self)), &style, at);
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlPowerChart *self = HL_POWER_CHART (chart);

  point (self, bar_at (self, at));
  return self->picture.hovered >= 0 ? "pointer" : NULL;
}

static void leave (HlChart *chart) {
  point (HL_POWER_CHART (chart), -1);
}

static void click (HlChart *chart, HlSpot at) {
  int bar = bar_at (HL_POWER_CHART (chart), at);

  if (bar >= 0)
    g_signal_emit_by_name (chart, "picked", bar);
}

/* --- life --- */

static void hl_power_chart_finalize (GObject *object) {
  HlPowerChart *self = HL_POWER_CHART (object);

  g_clear_pointer (&self->bars, g_array_unref);
  g_free (self->empty_text);
  G_OBJECT_CLASS (hl_power_chart_parent_class)->finalize (object);
}

static void hl_power_chart_class_init (HlPowerChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_power_chart_finalize;
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->hover = hover;
  chart_class->leave = leave;
  chart_class->click = click;
  g_signal_new ("picked", HL_TYPE_POWER_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_INT);
}

static void hl_power_chart_init (HlPowerChart *self) {
  self->picture.hovered = -1;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Where the power goes"), -1);
}

void hl_power_chart_show (HlPowerChart *self, GArray *bars, gboolean energies, HlUnits units,
                          const char *empty_text) {
  char *text = g_strdup (empty_text);

  g_clear_pointer (&self->bars, g_array_unref);
  g_free (self->empty_text);
  self->bars = bars;
  self->empty_text = text;
  self->picture =
      (HlPowerPicture){.bars = bars, .energies = energies, .units = units, .empty_text = text, .hovered = -1};
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

const HlPowerBar *hl_power_chart_pointed (HlPowerChart *self) {
  int bar = self->picture.hovered;

  return self->bars != NULL && bar >= 0 && bar < (int)self->bars->len
             ? &g_array_index (self->bars, HlPowerBar, bar)
             : NULL;
}
