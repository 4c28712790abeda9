/* SPDX-License-Identifier: MIT */
/* What a click does to the root locus. */
#include "ui/modes/hl-locus-view-private.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"

/* A click on a pole looks at its mode, a second one no more. */
static gboolean
take_mode_at (HlLocusView *self, HlSpot at)
{
  HlLocusLayout layout;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);

  int pole = hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (pole < 0)
    return FALSE;
  /* a zero has no motion to show, nor is it a point of a branch below it */
  if (!plot->poles[pole].is_null)
    hl_locus_study_set_mode (hl_workbench_locus (self->workbench),
                             plot->poles[pole].selected ? -1 : pole);
  return TRUE;
}

/* A click on a branch or a crossing: the parameter takes that point's value, on all branches at
 * once. */
static void
take_value_at (HlLocusView *self, HlSpot at)
{
  HlLocusLayout layout;
  int branch, index, n_crossings, knob = hl_locus_study_knob (hl_workbench_locus (self->workbench));
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  const HlCrossing *found =
      hl_locus_study_crossings (hl_workbench_locus (self->workbench), &n_crossings);
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  double value;

  if (locus == NULL || knob < 0 || !hl_rect_contains (layout.frame, at))
    return;
  int crossing = hl_locus_crossing_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (crossing >= 0 && plot->crossings[crossing].index < n_crossings)
    value = found[plot->crossings[crossing].index].value;
  else if (hl_locus_branch_at (&layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index) &&
           index < locus->n_values)
    value = locus->values[index];
  else
    return;
  const HlKnob *what = hl_locus_study_knobs (hl_workbench_locus (self->workbench))->pdata[knob];
  hl_editing_set_numbers (hl_workbench_editing (self->workbench), (const char *const *)what->paths,
                          value, NULL, NULL);
}

void
hl_locus_view_click (HlChart *chart, HlSpot at)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);

  if (!take_mode_at (self, at))
    take_value_at (self, at);
}
