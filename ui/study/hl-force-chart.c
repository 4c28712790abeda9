/* SPDX-License-Identifier: MIT */
#include "ui/study/hl-force-chart.h"

#include "core/base/hl-i18n.h"
#include "core/io/hl-answer.h"
#include "ui/paint/base/hl-frame.h"
#include "ui/widget/hl-look.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

struct _HlForceChart {
  HlChart parent_instance;
  HlForceFamily *family; /* NULL: does not fit, message says why */
  char *message, *family_label;
  HlForcePicture picture;
};

G_DEFINE_FINAL_TYPE (HlForceChart, hl_force_chart, HL_TYPE_CHART)

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  hl_paint_background (cr, 0, 0, area.width, area.height, style);
  hl_paint_force (cr, &HL_FORCE_CHART (chart)->picture, area, style);
  hl_frame_paint_rubber_band (cr, hl_chart_band (chart), style);
}

static void figure (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlForcePicture picture = HL_FORCE_CHART (chart)->picture;

  picture.v_hover = NAN;
  hl_paint_force (cr, &picture, area, style);
}

static void add_curve (GArray *columns[4], const HlForceCurve *curve) {
  for (int k = 0; k < curve->n; k++) {
    double row[] = {curve->value, curve->v[k], curve->f[k], curve->P[k]};
    for (int column = 0; column < 4; column++)
      g_array_append_val (columns[column], row[column]);
  }
}

/* One map behind the other, the present one first: what the family is over tells them apart. */
static char *table (HlChart *chart) {
  const HlForceFamily *family = HL_FORCE_CHART (chart)->family;
  GArray *columns[4];

  if (family == NULL)
    return NULL;
  const HlCylinderTerms *terms = family->terms[0];
  const char *titles[4][2] = {{"family", NULL},
                              {terms->speed_title, terms->speed_unit},
                              {terms->force_output, terms->force_unit},
                              {"pump_pressure", "Pa"}};
  for (int column = 0; column < 4; column++)
    columns[column] = g_array_new (FALSE, FALSE, sizeof (double));
  add_curve (columns, &family->now);
  for (int member = 0; member < family->n_family; member++)
    add_curve (columns, &family->family[member]);
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  for (int column = 0; column < 4; column++)
    hl_answer_column (answer, NULL, titles[column][0], titles[column][1],
                      (const double *)(gpointer)columns[column]->data, (int)columns[column]->len, 1);
  char *text = hl_answer_to_text (answer, HL_ANSWER_CSV);
  for (int column = 0; column < 4; column++)
    g_array_unref (columns[column]);
  return text;
}

/* In SI, whatever unit is shown: one that is changed moves nothing. */
static gboolean lay_out (HlChart *chart, HlChartAxes *axes) {
  HlForceChart *self = HL_FORCE_CHART (chart);
  const HlChartRange *range = hl_chart_range (chart, HL_CHART_X);
  HlStyle style = hl_look_style (GTK_WIDGET (self));

  if (self->family == NULL)
    return FALSE;
  cairo_t *cr = hl_chart_measure ();
  axes->frame = hl_force_frame (cr, &self->picture, hl_chart_area (chart), &style);
  cairo_destroy (cr);
  axes->axes[HL_CHART_X] =
      range->is_free
          ? range->axis
          : (HlAxis){.scale = HL_SCALE_LINEAR, .min = self->family->v_from, .max = self->family->v_to};
  return TRUE;
}

static void ranges_changed (HlChart *chart) {
  g_signal_emit_by_name (chart, "range-changed");
}

static void point (HlForceChart *self, double v) {
  self->picture.v_hover = v;
  hl_chart_say_pointed (HL_CHART (self));
}

static const char *hover (HlChart *chart, HlSpot at) {
  HlForceChart *self = HL_FORCE_CHART (chart);
  HlStyle style = hl_look_style (GTK_WIDGET (self));
  cairo_t *cr = hl_chart_measure ();
  double v;

  gboolean inside = hl_force_velocity_at (cr, &self->picture, hl_chart_area (chart), &style, at, &v);
  cairo_destroy (cr);
  point (self, inside ? v : NAN);
  return NULL;
}

static void leave (HlChart *chart) {
  point (HL_FORCE_CHART (chart), NAN);
}

/* --- life --- */

static void hl_force_chart_finalize (GObject *object) {
  HlForceChart *self = HL_FORCE_CHART (object);

  g_clear_pointer (&self->family, hl_force_family_free);
  g_free (self->message);
  g_free (self->family_label);
  G_OBJECT_CLASS (hl_force_chart_parent_class)->finalize (object);
}

static void hl_force_chart_class_init (HlForceChartClass *klass) {
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_force_chart_finalize;
  chart_class->zooms = HL_CHART_ALONG_X; /* forces are fitted to what is in view */
  chart_class->paint = paint;
  chart_class->figure = figure;
  chart_class->table = table;
  chart_class->lay_out = lay_out;
  chart_class->hover = hover;
  chart_class->leave = leave;
  chart_class->ranges_changed = ranges_changed;
  g_signal_new ("range-changed", HL_TYPE_FORCE_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void hl_force_chart_init (HlForceChart *self) {
  self->picture = (HlForcePicture){.v_now = NAN, .f_now = NAN, .v_hover = NAN};
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Force over velocity"), -1);
}

void hl_force_chart_set_family (HlForceChart *self, HlForceFamily *family, char *message) {
  g_clear_pointer (&self->family, hl_force_family_free);
  g_free (self->message);
  self->family = family;
  self->message = message;
  self->picture.family = family;
  self->picture.empty_text = message;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_force_chart_show (HlForceChart *self, const HlForcePicture *picture) {
  double v_hover = self->picture.v_hover;

  g_free (self->family_label);
  self->family_label = g_strdup (picture->family_label);
  self->picture = *picture;
  self->picture.family = self->family;
  self->picture.empty_text = self->message;
  self->picture.family_label = self->family_label;
  self->picture.v_hover = v_hover;
  hl_pixels_queue_draw (GTK_WIDGET (self));
}

const HlForceFamily *hl_force_chart_family (HlForceChart *self) {
  return self->family;
}

double hl_force_chart_pointed (HlForceChart *self) {
  return self->picture.v_hover;
}
