/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-fit-chart.h"

#include "core/base/hl-i18n.h"
#include "ui/paint/base/hl-text.h"
#include "ui/paint/chart/hl-paint-fit.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

struct _HlFitChart {
  HlChart parent_instance;
  const HlFitJob *job;
  GPtrArray *titles;
  HlFitPanel panels[HL_FIT_MOST_PANELS];
  int n;
};

G_DEFINE_FINAL_TYPE (HlFitChart, hl_fit_chart, HL_TYPE_CHART)

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlFitChart *self = HL_FIT_CHART (chart);

  hl_paint_fit (cr, self->panels, self->n, area, style);
}

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  if (HL_FIT_CHART (chart)->n == 0)
    hl_text_paint_wrapped (cr, style, style->ink_soft,
                           _ ("What was measured and the model that comes nearest to it stand here. "
                              "Choose which numbers may vary and add a table of measured data, "
                              "then press Compute."),
                           (HlSpot){area.x + 0.5 * area.width, area.y + 0.5 * area.height},
                           fmin (0.8 * area.width, 26.0 * style->font_size));
  else
    figure (chart, cr, area, style);
}

static char *table (HlChart *chart) {
  HlFitChart *self = HL_FIT_CHART (chart);

  return self->n > 0 ? hl_fit_job_table (self->job) : NULL;
}

static void hl_fit_chart_finalize (GObject *object) {
  g_ptr_array_unref (HL_FIT_CHART (object)->titles);
  G_OBJECT_CLASS (hl_fit_chart_parent_class)->finalize (object);
}

static void hl_fit_chart_class_init (HlFitChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_fit_chart_finalize;
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
}

static void hl_fit_chart_init (HlFitChart *self) {
  self->titles = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Measured data and the model fitted to them"), -1);
}

void hl_fit_chart_set_job (HlFitChart *self, const HlFitJob *job) {
  const HlFit *fit = job != NULL ? hl_fit_job_fit (job) : NULL;
  const HlFitAnswer *answer = fit != NULL ? hl_fit_job_answer (job) : NULL;
  const double *before = fit != NULL ? hl_fit_job_before (job) : NULL;

  self->job = job;
  self->n = fit != NULL ? MIN (hl_fit_n_traces (fit), HL_FIT_MOST_PANELS) : 0;
  g_ptr_array_set_size (self->titles, 0);
  for (int k = 0; k < self->n; k++) {
    HlFitTrace trace = hl_fit_trace (fit, k);
    g_ptr_array_add (self->titles, hl_fit_trace_title (fit, k));
    self->panels[k] = (HlFitPanel){.title = self->titles->pdata[k],
                                   .unit = trace.unit,
                                   .n = trace.n,
                                   .t = trace.t,
                                   .measured = trace.measured,
                                   .model = answer->model + trace.first,
                                   .residual = answer->residual + trace.first,
                                   .before = before != NULL ? before + trace.first : NULL};
  }
  hl_pixels_queue_draw (GTK_WIDGET (self));
}
