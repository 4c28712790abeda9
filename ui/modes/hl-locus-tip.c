/* SPDX-License-Identifier: MIT */
/* Data tips of the root locus. One on a branch holds the value of the slider there, whatever the
 * slider does; one on a pole without a branch goes with the pole. */
#include "ui/modes/hl-locus-view-private.h"

#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 4
#define STEPS_ON_BRANCH 100

static const HlKnob *
knob_of (HlLocusView *self)
{
  int knob = hl_locus_study_knob (hl_workbench_locus (self->workbench));
  return knob >= 0 ? hl_locus_study_knobs (hl_workbench_locus (self->workbench))->pdata[knob]
                   : NULL;
}

/* --- names --- */

/* By its colour, which stays with it from one locus to the next, and its parameter. */
static char *
branch_name (HlLocusView *self, int branch)
{
  return g_strdup_printf ("branch %d %s",
                          g_array_index (self->data.branches, HlLocusBranch, branch).branch,
                          knob_of (self)->paths[0]);
}

/* -1: there is none now. */
static int
find_branch (HlLocusView *self, const char *name)
{
  for (guint i = 0; knob_of (self) != NULL && i < self->data.branches->len; i++) {
    g_autofree char *own = branch_name (self, (int)i);
    if (strcmp (own, name) == 0)
      return (int)i;
  }
  return -1;
}

static int
find_pole (HlLocusView *self, const char *name)
{
  int pole;
  return sscanf (name, "pole %d", &pole) == 1 && pole < (int)self->data.poles->len ? pole : -1;
}

/* --- places --- */

/* Between two points of the branch on the line through them; FALSE: the branch does not reach so
 * far. */
static gboolean
place_on_branch (HlLocusView *self, int branch, double value, HlLocusTip *tip)
{
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  const HlLocusBranch *on = &g_array_index (self->data.branches, HlLocusBranch, branch);

  for (int i = 1; locus != NULL && i < MIN (on->n, locus->n_values); i++) {
    double a = locus->values[i - 1], b = locus->values[i];
    if (!((value >= a && value <= b) || (value <= a && value >= b)) || a == b)
      continue;
    double part = (value - a) / (b - a);
    tip->re = on->re[i - 1] + part * (on->re[i] - on->re[i - 1]);
    tip->im = on->im[i - 1] + part * (on->im[i] - on->im[i - 1]);
    tip->branch = on->branch;
    return TRUE;
  }
  return FALSE;
}

/* "λ = −3.2 + 45 i s⁻¹", then what it swings like, then the value of the parameter. */
static char *
text_of (HlLocusView *self, const HlLocusTip *tip, double value)
{
  g_autofree char *all = hl_locus_describe (tip->re, tip->im);
  g_autofree char *parameter = isfinite (value) ? hl_locus_view_value_text (self, value) : NULL;
  GString *text = g_string_new_len (all, (gssize)strcspn (all, "\n"));
  double omega = hypot (tip->re, tip->im);
  char hertz[40], zeta[40];

  if (hl_locus_part (tip->im, omega) != 0) {
    hl_axis_format (fabs (tip->im) / (2 * G_PI), DIGITS, hertz, sizeof hertz);
    hl_axis_format (-tip->re / omega, DIGITS - 1, zeta, sizeof zeta);
    g_string_append_printf (text, "\n%s Hz, ζ = %s", hertz, zeta);
  }
  if (parameter != NULL)
    g_string_append_printf (text, "\n%s", parameter);
  return g_string_free (text, FALSE);
}

void
hl_locus_view_add_tips (HlLocusView *self, HlLocusPlot *plot)
{
  int n, selected;
  const HlChartTip *tips = hl_chart_tips (HL_CHART (self), &n, &selected);

  g_array_set_size (self->tips, 0);
  g_ptr_array_set_size (self->tip_texts, 0);
  for (int i = 0; i < n; i++) {
    int branch = find_branch (self, tips[i].curve), pole = find_pole (self, tips[i].curve);
    HlLocusTip tip = {.re = NAN, .im = NAN};
    if (branch >= 0) {
      place_on_branch (self, branch, tips[i].at, &tip);
    } else if (pole >= 0) {
      const HlLocusPole *at = &g_array_index (self->data.poles, HlLocusPole, pole);
      tip = (HlLocusTip){.re = at->re, .im = at->im, .branch = at->branch};
    }
    g_ptr_array_add (self->tip_texts, text_of (self, &tip, branch >= 0 ? tips[i].at : NAN));
    tip.text = self->tip_texts->pdata[i];
    g_array_append_val (self->tips, tip);
  }
  plot->tips = (gconstpointer)self->tips->data;
  plot->n_tips = n;
  plot->selected_tip = selected;
}

static gboolean
take_pole (HlLocusView *self, int pole, HlChartTip *tip)
{
  tip->curve = g_strdup_printf ("pole %d", pole);
  tip->at = 0;
  return TRUE;
}

static gboolean
take_branch (HlLocusView *self, int branch, double value, HlChartTip *tip)
{
  tip->curve = branch_name (self, branch);
  tip->at = value;
  return TRUE;
}

/* A pole on a branch as the point of the branch that it is now. */
static gboolean
tip_near (HlChart *chart, HlSpot at, double reach_px, HlChartTip *tip)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  int found = -1;
  double best = reach_px, distance, value = NAN;

  if (self->workbench == NULL || self->data.poles->len == 0)
    return FALSE;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  if (!hl_rect_contains (layout.frame, at))
    return FALSE;
  int pole = hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (pole < 0)
    pole = self->data.branches->len == 0 ? hl_locus_pole_at (&layout, plot, at, reach_px) : -1;
  if (pole >= 0 &&
      (knob_of (self) == NULL || (found = hl_locus_view_branch_of (self, plot, &layout, pole)) < 0))
    return take_pole (self, pole, tip);
  if (pole >= 0) {
    HlSpot on = hl_locus_device (&layout, plot->poles[pole].re, plot->poles[pole].im);
    return take_branch (self, found,
                        hl_locus_view_value_near (self, plot, &layout, found, on, &distance), tip);
  }
  for (guint branch = 0; knob_of (self) != NULL && branch < self->data.branches->len; branch++) {
    double here = hl_locus_view_value_near (self, plot, &layout, (int)branch, at, &distance);
    if (isfinite (here) && distance < best) {
      best = distance;
      found = (int)branch;
      value = here;
    }
  }
  return found >= 0 && take_branch (self, found, value, tip);
}

static void
tip_spots (HlChart *chart, HlSpot spots[])
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);

  for (int i = 0; i < plot->n_tips; i++)
    spots[i] = hl_locus_device (&layout, plot->tips[i].re, plot->tips[i].im);
}

static void
tip_along (HlChart *chart, HlChartTip *tip, HlSpot to)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  double distance;
  int branch = find_branch (self, tip->curve);

  if (branch < 0) /* a pole stays where it is */
    return;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  double value = hl_locus_view_value_near (self, plot, &layout, branch, to, &distance);
  if (isfinite (value))
    tip->at = value;
}

/* A hundredth of the branch from point to point; of a pole to the next pole. */
static void
tip_step (HlChart *chart, HlChartTip *tip, int steps)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  int pole = find_pole (self, tip->curve), n_poles = (int)self->data.poles->len;

  if (pole >= 0) {
    g_free (tip->curve);
    take_pole (self, ((pole + steps) % n_poles + n_poles) % n_poles, tip);
    return;
  }
  if (find_branch (self, tip->curve) < 0 || locus == NULL || locus->n_values < 2)
    return;
  /* by points, which lie closer where the branch runs faster */
  int last = locus->n_values - 1, i = 0;
  while (i < last - 1 &&
         fabs (locus->values[i + 1] - locus->values[0]) <= fabs (tip->at - locus->values[0]))
    i++;
  double step = fabs (locus->values[i + 1] - locus->values[i]);
  double part = step > 0 ? fabs (tip->at - locus->values[i]) / step : 0;
  double place = CLAMP (i + part + steps * fmax (1, (double)last / STEPS_ON_BRANCH), 0, last);
  int at = MIN ((int)place, last - 1);
  tip->at = locus->values[at] + (place - at) * (locus->values[at + 1] - locus->values[at]);
}

/* On the pole whose mode is looked at, else the first one. */
static gboolean
tip_usual (HlChart *chart, HlChartTip *tip)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  int chosen = -1;

  if (self->workbench == NULL || self->data.poles->len == 0)
    return FALSE;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  for (int i = 0; i < plot->n_poles; i++)
    if (plot->poles[i].selected || (chosen < 0 && !plot->poles[i].is_null))
      chosen = i;
  return tip_near (
      chart,
      hl_locus_device (&layout, plot->poles[MAX (chosen, 0)].re, plot->poles[MAX (chosen, 0)].im),
      HL_LOCUS_REACH_PX, tip);
}

void
hl_locus_view_class_init_tips (HlChartClass *klass)
{
  klass->tip_near = tip_near;
  klass->tip_spots = tip_spots;
  klass->tip_along = tip_along;
  klass->tip_step = tip_step;
  klass->tip_usual = tip_usual;
}
