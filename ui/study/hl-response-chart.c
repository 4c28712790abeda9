/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-response-chart.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-answer.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-look.h"

#include <math.h>

struct _HlResponseChart
{
  HlChart parent_instance;
  HlResponseStudy *study, *ghost;
  HlResponseView view;
  char *label;
  const HlUnit *unit;
  double pointed;
};

G_DEFINE_FINAL_TYPE (HlResponseChart, hl_response_chart, HL_TYPE_CHART)

static HlResponsePicture
picture_of (HlResponseChart *self)
{
  return (HlResponsePicture){.study = self->study,
                             .ghost = self->ghost,
                             .empty_text =
                                 _ ("Nothing to answer: it takes a signal or a pump, a probe and a "
                                    "start state."),
                             .view = self->view,
                             .output_label = self->label,
                             .output_unit = self->unit,
                             .f_hover = self->pointed};
}

static void
paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HlResponsePicture picture = picture_of (HL_RESPONSE_CHART (chart));

  hl_paint_background (cr, 0, 0, area.width, area.height, style);
  hl_paint_response (cr, &picture, area, style);
}

static void
figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style)
{
  HlResponsePicture picture = picture_of (HL_RESPONSE_CHART (chart));

  picture.f_hover = NAN;
  hl_paint_response (cr, &picture, area, style);
}

/* Of the view: the step over time, or the response over frequency. */
static char *
table (HlChart *chart)
{
  HlResponseChart *self = HL_RESPONSE_CHART (chart);
  const HlResponseStudy *study = self->study;

  if (study == NULL)
    return NULL;
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  if (self->view == HL_RESPONSE_STEP) {
    hl_answer_column (answer, NULL, "time", "s", study->t, study->n_times, 1);
    hl_answer_column (answer, NULL, "response", NULL, study->y, study->n_times, 1);
    return hl_answer_to_text (answer, HL_ANSWER_CSV);
  }
  hl_answer_column (answer, NULL, "frequency", "Hz", study->f, study->n, 1);
  hl_answer_column (answer, NULL, "re", NULL, study->re, study->n, 1);
  hl_answer_column (answer, NULL, "im", NULL, study->im, study->n, 1);
  hl_answer_column (answer, NULL, "magnitude", NULL, study->magnitude, study->n, 1);
  hl_answer_column (answer, NULL, "phase", "rad", study->phase, study->n, 1);
  return hl_answer_to_text (answer, HL_ANSWER_CSV);
}

static void
point (HlResponseChart *self, double x)
{
  self->pointed = x;
  hl_chart_say_pointed (HL_CHART (self));
}

static const char *
hover (HlChart *chart, HlSpot at)
{
  HlResponseChart *self = HL_RESPONSE_CHART (chart);
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  HlResponsePicture picture = picture_of (self);
  cairo_t *cr = hl_chart_measure ();
  double x = NAN;

  gboolean inside = hl_response_at (cr, &picture, hl_chart_area (chart), &style, at, &x);
  cairo_destroy (cr);
  point (self, inside ? x : NAN);
  return NULL;
}

static void
leave (HlChart *chart)
{
  point (HL_RESPONSE_CHART (chart), NAN);
}

/* --- life --- */

static void
hl_response_chart_finalize (GObject *object)
{
  HlResponseChart *self = HL_RESPONSE_CHART (object);

  g_clear_pointer (&self->study, hl_response_study_free);
  g_clear_pointer (&self->ghost, hl_response_study_free);
  g_free (self->label);
  G_OBJECT_CLASS (hl_response_chart_parent_class)->finalize (object);
}

static void
hl_response_chart_class_init (HlResponseChartClass *klass)
{
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_response_chart_finalize;
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->hover = hover;
  chart_class->leave = leave;
}

static void
hl_response_chart_init (HlResponseChart *self)
{
  self->pointed = NAN;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Response of the probe to the input"), -1);
}

void
hl_response_chart_set_study (HlResponseChart *self, HlResponseStudy *study)
{
  g_clear_pointer (&self->study, hl_response_study_free);
  self->study = study;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_response_chart_set_ghost (HlResponseChart *self, HlResponseStudy *ghost)
{
  g_clear_pointer (&self->ghost, hl_response_study_free);
  self->ghost = ghost;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_response_chart_set_view (HlResponseChart *self, HlResponseView view)
{
  self->view = view;
  self->pointed = NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
hl_response_chart_set_output (HlResponseChart *self, const char *label, const HlUnit *unit)
{
  g_free (self->label);
  self->label = g_strdup (label);
  self->unit = unit;
}

const HlResponseStudy *
hl_response_chart_study (HlResponseChart *self)
{
  return self->study;
}

double
hl_response_chart_pointed (HlResponseChart *self)
{
  return self->pointed;
}
