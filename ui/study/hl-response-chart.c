/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-response-chart.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-answer.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>
#include <string.h>

struct _HlResponseChart
{
  HlChart parent_instance;
  HlResponseStudy *study, *ghost;
  HlResponseView view;
  char *label;
  const HlUnit *unit;
  double pointed;
  GArray *tips; /* HlResponseTip of the data tips, in the last picture */
};

G_DEFINE_FINAL_TYPE (HlResponseChart, hl_response_chart, HL_TYPE_CHART)

/* --- names of curves, for what is pinned to them --- */

static const char *const curves[HL_RESPONSE_N_CURVES] = {[HL_RESPONSE_MAGNITUDE] = "magnitude",
                                                         [HL_RESPONSE_PHASE] = "phase",
                                                         [HL_RESPONSE_ANSWER] = "answer"};

static HlResponseTip
tip_of (const HlChartTip *tip)
{
  for (int curve = 0; curve < HL_RESPONSE_N_CURVES; curve++)
    if (strcmp (curves[curve], tip->curve) == 0)
      return (HlResponseTip){(HlResponseCurve)curve, tip->at};
  return (HlResponseTip){HL_RESPONSE_N_CURVES, NAN};
}

static HlResponsePicture
picture_of (HlResponseChart *self)
{
  int n, selected;
  const HlChartTip *pinned = hl_chart_tips (HL_CHART (self), &n, &selected);

  g_array_set_size (self->tips, 0);
  for (int i = 0; i < n; i++) {
    HlResponseTip tip = tip_of (&pinned[i]);
    g_array_append_val (self->tips, tip);
  }
  return (HlResponsePicture){.tips = (gconstpointer)self->tips->data,
                             .n_tips = n,
                             .selected_tip = selected,
                             .study = self->study,
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
    /* in the unit of the picture */
    g_autofree double *y = g_new (double, study->n_times + 1);
    for (int k = 0; k < study->n_times; k++)
      y[k] = self->unit != NULL ? study->y[k] / self->unit->factor : study->y[k];
    hl_answer_column (answer, NULL, "response", self->unit != NULL ? self->unit->name : NULL, y,
                      study->n_times, 1);
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

/* --- data tips --- */

/* What the functions of the picture's layout are asked with. */
typedef struct
{
  HlStyle style;
  HlResponsePicture picture;
  cairo_t *cr;
  HlRect area;
} Question;

static Question
ask (HlChart *chart)
{
  return (Question){hl_look_style (GTK_WIDGET (chart)), picture_of (HL_RESPONSE_CHART (chart)),
                    hl_chart_measure (), hl_chart_area (chart)};
}

static gboolean
tip_near (HlChart *chart, HlSpot at, double reach_px, HlChartTip *tip)
{
  Question q = ask (chart);
  HlResponseTip found;

  gboolean any = hl_response_tip_near (q.cr, &q.picture, q.area, &q.style, at, reach_px, &found);
  cairo_destroy (q.cr);
  if (any)
    *tip = (HlChartTip){g_strdup (curves[found.curve]), found.at};
  return any;
}

static void
tip_spots (HlChart *chart, HlSpot spots[])
{
  Question q = ask (chart);

  hl_response_tip_spots (q.cr, &q.picture, q.area, &q.style, spots);
  cairo_destroy (q.cr);
}

static void
tip_along (HlChart *chart, HlChartTip *tip, HlSpot to)
{
  Question q = ask (chart);
  HlResponseTip moved = tip_of (tip);

  hl_response_tip_along (q.cr, &q.picture, q.area, &q.style, to, &moved);
  cairo_destroy (q.cr);
  tip->at = moved.at;
}

static void
tip_step (HlChart *chart, HlChartTip *tip, int steps)
{
  Question q = ask (chart);
  HlResponseTip moved = tip_of (tip);

  hl_response_tip_step (q.cr, &q.picture, q.area, &q.style, steps, &moved);
  cairo_destroy (q.cr);
  tip->at = moved.at;
}

/* In the middle of the picture; of a frequency response on the magnitude, then on the phase. */
static gboolean
tip_usual (HlChart *chart, HlChartTip *tip)
{
  HlResponseChart *self = HL_RESPONSE_CHART (chart);
  const HlResponseStudy *study = self->study;
  int n;

  hl_chart_tips (chart, &n, NULL);
  if (study == NULL || self->view == HL_RESPONSE_NYQUIST)
    return FALSE;
  if (self->view == HL_RESPONSE_STEP)
    *tip = (HlChartTip){g_strdup (curves[HL_RESPONSE_ANSWER]), study->t[study->n_times / 2]};
  else
    *tip = (HlChartTip){g_strdup (curves[n % 2 == 0 ? HL_RESPONSE_MAGNITUDE : HL_RESPONSE_PHASE]),
                        study->f[study->n / 2]};
  return TRUE;
}

/* --- life --- */

static void
hl_response_chart_finalize (GObject *object)
{
  HlResponseChart *self = HL_RESPONSE_CHART (object);

  g_clear_pointer (&self->study, hl_response_study_free);
  g_clear_pointer (&self->ghost, hl_response_study_free);
  g_free (self->label);
  g_array_unref (self->tips);
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
  chart_class->tip_near = tip_near;
  chart_class->tip_spots = tip_spots;
  chart_class->tip_along = tip_along;
  chart_class->tip_step = tip_step;
  chart_class->tip_usual = tip_usual;
}

static void
hl_response_chart_init (HlResponseChart *self)
{
  self->pointed = NAN;
  self->tips = g_array_new (FALSE, FALSE, sizeof (HlResponseTip));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  hl_chart_add_tip_menu (HL_CHART (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Response of the probe to the input"), -1);
}

void
hl_response_chart_set_study (HlResponseChart *self, HlResponseStudy *study)
{
  g_clear_pointer (&self->study, hl_response_study_free);
  self->study = study;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void
hl_response_chart_set_ghost (HlResponseChart *self, HlResponseStudy *ghost)
{
  g_clear_pointer (&self->ghost, hl_response_study_free);
  self->ghost = ghost;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void
hl_response_chart_set_view (HlResponseChart *self, HlResponseView view)
{
  self->view = view;
  self->pointed = NAN;
  hl_pixels_queue_draw (GTK_WIDGET (self));
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
