/* SPDX-License-Identifier: MIT */
/* A pole that is dragged along its branch: the slider gets the value of the point of that branch
 * which lies nearest to the pointer, between two points that of the line through them. */
#include "ui/modes/hl-locus-view-private.h"

#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/paint/base/hl-label.h"

#include <math.h>

#define ON_BRANCH_PX 12.0 /* a pole lies on its branch, but for what a coarse line leaves */

/* The place of the line from a to b nearest to p, 0 at a ... 1 at b. */
static double
foot_on (HlSpot p, HlSpot a, HlSpot b)
{
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;

  return square > 0 ? CLAMP (((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0, 1) : 0;
}

double
hl_locus_view_value_near (HlLocusView *self,
                          const HlLocusPlot *plot,
                          const HlLocusLayout *layout,
                          int branch,
                          HlSpot p,
                          double *distance)
{
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  const HlLocusBranch *on = &g_array_index (self->data.branches, HlLocusBranch, branch);
  double value = NAN;

  *distance = INFINITY;
  for (int i = 1; locus != NULL && i < MIN (on->n, locus->n_values); i++) {
    HlSpot a = hl_locus_device (layout, on->re[i - 1], on->im[i - 1]);
    HlSpot b = hl_locus_device (layout, on->re[i], on->im[i]);
    double part = foot_on (p, a, b);
    double away = hypot (a.x + part * (b.x - a.x) - p.x, a.y + part * (b.y - a.y) - p.y);
    if (away >= *distance)
      continue;
    *distance = away;
    value = locus->values[i - 1] + part * (locus->values[i] - locus->values[i - 1]);
  }
  return value;
}

int
hl_locus_view_branch_of (HlLocusView *self,
                         const HlLocusPlot *plot,
                         const HlLocusLayout *layout,
                         int pole)
{
  HlSpot at = hl_locus_device (layout, plot->poles[pole].re, plot->poles[pole].im);
  double best = ON_BRANCH_PX, distance;
  int found = -1;

  for (guint branch = 0; branch < self->data.branches->len; branch++)
    if (isfinite (hl_locus_view_value_near (self, plot, layout, (int)branch, at, &distance)) &&
        distance < best) {
      best = distance;
      found = (int)branch;
    }
  return found;
}

HlChartPart
hl_locus_view_hit (HlChart *chart, HlSpot at, int *index)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;

  *index = -1;
  if (self->data.poles->len == 0)
    return HL_CHART_NOWHERE;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  int pole = hl_rect_contains (layout.frame, at)
                 ? hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX)
                 : -1;
  gboolean has_branches = self->data.branches->len > 0 &&
                          hl_locus_study_knob (hl_workbench_locus (self->workbench)) >= 0;
  if (pole >= 0 && has_branches && !plot->poles[pole].is_null)
    *index = hl_locus_view_branch_of (self, plot, &layout, pole);
  return *index >= 0 ? HL_CHART_ON_CURSOR : hl_chart_part_of (&layout.frame, at);
}

static const HlKnob *
knob_of (HlLocusView *self)
{
  int knob = hl_locus_study_knob (hl_workbench_locus (self->workbench));
  return knob >= 0 ? hl_locus_study_knobs (hl_workbench_locus (self->workbench))->pdata[knob]
                   : NULL;
}

static void
set_value (HlLocusView *self, double value)
{
  const HlKnob *what = knob_of (self);

  if (what == NULL || !isfinite (value))
    return;
  g_autofree char *key = g_strdup_printf ("pole %s", what->paths[0]);
  hl_editing_set_numbers (hl_workbench_editing (self->workbench), (const char *const *)what->paths,
                          value, key, NULL);
}

void
hl_locus_view_begin_drag (HlChart *chart)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  const HlKnob *what = knob_of (self);

  self->value_before =
      what != NULL
          ? hl_knob_value (what, hl_editing_document (hl_workbench_editing (self->workbench)))
          : NAN;
}

void
hl_locus_view_drag_pole (HlChart *chart, int branch, HlSpot to)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  double distance;

  if (branch < 0 || branch >= (int)self->data.branches->len)
    return;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  set_value (self, hl_locus_view_value_near (self, plot, &layout, branch, to, &distance));
}

void
hl_locus_view_drop_pole (HlChart *chart, HlSpot from, gboolean has_moved)
{
  if (!has_moved) /* a click looks at its mode */
    hl_locus_view_click (chart, from);
  hl_editing_end_gesture (hl_workbench_editing (HL_LOCUS_VIEW (chart)->workbench));
}

void
hl_locus_view_put_pole_back (HlChart *chart, int branch)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);

  set_value (self, self->value_before);
  hl_editing_end_gesture (hl_workbench_editing (self->workbench));
}
