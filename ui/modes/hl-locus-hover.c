/* SPDX-License-Identifier: MIT */
/* The read-out under the pointer: a pole, a pole of another set or mode, a crossing of the axis, or
 * a point of a branch, whose value of the parameter is then marked on all branches. */
#include "ui/modes/hl-locus-view-private.h"

#include "core/base/hl-i18n.h"
#include "ui/modes/hl-null-text.h"
#include "ui/paint/base/hl-scene.h"
#include "ui/bench/hl-editing.h"
#include "ui/bench/hl-locus-study.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

#define VALUE_DIGITS 5

static void
set_lines (HlLocusView *self, const char *text)
{
  g_strfreev (self->readout_lines);
  self->readout_lines = g_strsplit (text, "\n", -1);
}

char *
hl_locus_view_value_text (HlLocusView *self, double value)
{
  int knob = hl_locus_study_knob (hl_workbench_locus (self->workbench));

  if (knob < 0)
    return NULL;
  const HlKnob *what = hl_locus_study_knobs (hl_workbench_locus (self->workbench))->pdata[knob];
  g_autofree char *number =
      hl_units_format (hl_workbench_units (self->workbench), what->quantity, value, VALUE_DIGITS);
  return g_strdup_printf ("%s = %s", what->label, number);
}

static void
read_out (HlLocusView *self, double re, double im, double value)
{
  g_autofree char *pole = hl_locus_describe (re, im);
  g_autofree char *at = hl_locus_view_value_text (self, value);
  const char *fate = hl_locus_study_fate (hl_workbench_locus (self->workbench), re, im);
  g_autofree char *text =
      g_strjoin ("\n", pole, fate != NULL ? fate : at, fate != NULL ? at : NULL, NULL);

  set_lines (self, text);
}

static double
present_value (HlLocusView *self)
{
  int knob = hl_locus_study_knob (hl_workbench_locus (self->workbench));
  return knob >= 0 ? hl_knob_value (
                         hl_locus_study_knobs (hl_workbench_locus (self->workbench))->pdata[knob],
                         hl_editing_document (hl_workbench_editing (self->workbench)))
                   : NAN;
}

/* A zero has no frequency nor damping, but a meaning. */
static void
read_out_null (HlLocusView *self)
{
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  g_autofree char *names = hl_null_text_lines (at->linearization);
  g_autofree char *text =
      g_strdup_printf ("λ = 0\n%s\n%s", names, _ ("counts neither as stable nor as unstable"));

  set_lines (self, text);
}

/* The pole of another parameter set under the pointer, -1 = none. */
static int
ghost_at (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout, HlSpot point)
{
  for (guint i = 0; i < self->data.ghosts->len; i++) {
    const HlLocusPole *ghost = &g_array_index (self->data.ghosts, HlLocusPole, i);
    HlSpot at = hl_locus_device (layout, ghost->re, ghost->im);
    if (hypot (at.x - point.x, at.y - point.y) < HL_LOCUS_REACH_PX)
      return (int)i;
  }
  return -1;
}

/* The name of its set or mode, then as any pole. */
static void
read_out_ghost (HlLocusView *self, int ghost)
{
  const HlLocusPole *at = &g_array_index (self->data.ghosts, HlLocusPole, ghost);
  int which = g_array_index (self->data.ghost_sets, int, ghost);
  const char *set =
      which < 0 ? hl_locus_study_other_pole_mode (hl_workbench_locus (self->workbench), -1 - which)
                : hl_document_set_name (
                      hl_editing_document (hl_workbench_editing (self->workbench)), which);
  g_autofree char *pole = hl_locus_describe (at->re, at->im);
  g_autofree char *text = g_strdup_printf ("%s\n%s", set != NULL ? set : "", pole);

  set_lines (self, text);
}

static void
read_out_crossing (HlLocusView *self, const HlCrossing *crossing)
{
  double omega = 2 * G_PI * crossing->frequency_hz;
  g_autofree char *at = hl_locus_view_value_text (self, crossing->value);
  g_autofree char *pole = hl_locus_describe (0, omega);
  const char *what = crossing->touches  ? _ ("touches the stability axis")
                     : crossing->at_end ? _ ("on the stability axis at the end of the range")
                     : omega == 0       ? crossing->into_right ? _ ("divergence above this value")
                                                               : _ ("divergence below this value")
                     : crossing->into_right ? _ ("oscillation grows above this value")
                                            : _ ("oscillation grows below this value");
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%s", at != NULL ? at : "", what, pole);

  set_lines (self, text);
}

/* Something without a square of its own: the painter reads out poles. */
static void
add_hovered (HlLocusView *self, HlLocusPlot *plot, HlLocusPole shown)
{
  shown.is_point = TRUE;
  g_array_append_val (self->data.poles, shown);
  plot->poles = (gconstpointer)self->data.poles->data;
  plot->n_poles = (int)self->data.poles->len;
  plot->hovered = plot->n_poles - 1;
}

void
hl_locus_view_mark_hovered (HlLocusView *self, HlLocusPlot *plot, const HlLocusLayout *layout)
{
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  HlSpot at;
  int branch, index, n_crossings;

  if (!hl_chart_pointer (HL_CHART (self), &at) || !hl_rect_contains (layout->frame, at) ||
      hl_chart_is_on_tip (HL_CHART (self)))
    return;
  int pole = hl_locus_pole_at (layout, plot, at, HL_LOCUS_REACH_PX);
  int ghost = ghost_at (self, plot, layout, at);
  int crossing = hl_locus_crossing_at (layout, plot, at, HL_LOCUS_REACH_PX);
  const HlCrossing *found =
      hl_locus_study_crossings (hl_workbench_locus (self->workbench), &n_crossings);
  if (pole >= 0) {
    const HlLocusPole *over = &plot->poles[pole];
    if (over->is_null)
      read_out_null (self);
    else
      read_out (self, over->re, over->im, present_value (self));
    plot->hovered = pole;
  } else if (crossing >= 0 && plot->crossings[crossing].index < n_crossings) {
    const HlLocusCrossing *mark = &plot->crossings[crossing];
    read_out_crossing (self, &found[mark->index]);
    add_hovered (self, plot, (HlLocusPole){.im = mark->im, .branch = -1});
  } else if (ghost >= 0) {
    HlLocusPole shown = g_array_index (self->data.ghosts, HlLocusPole, ghost);
    read_out_ghost (self, ghost);
    add_hovered (self, plot, shown);
  } else if (locus != NULL &&
             hl_locus_branch_at (layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index) &&
             index < locus->n_values) {
    const HlLocusBranch *on = &g_array_index (self->data.branches, HlLocusBranch, branch);
    HlLocusPole point = {.re = on->re[index], .im = on->im[index], .branch = on->branch};
    read_out (self, point.re, point.im, locus->values[index]);
    add_hovered (self, plot, point);
    plot->marked_index = index;
  } else {
    return;
  }
  plot->hover_lines = (const char *const *)self->readout_lines;
}

const char *
hl_locus_view_hover (HlChart *chart, HlSpot at)
{
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  int branch, index;

  hl_pixels_queue_draw (GTK_WIDGET (self));
  if (self->data.poles->len == 0)
    return NULL;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  int pole = hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  gboolean takes_click =
      pole >= 0 ? !plot->poles[pole].is_null
                : hl_locus_branch_at (&layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index);
  int on;
  gboolean drags = pole >= 0 && hl_locus_view_hit (chart, at, &on) == HL_CHART_ON_CURSOR;
  return !hl_rect_contains (layout.frame, at) ? NULL
         : drags                              ? "grab"
         : takes_click                        ? "pointer"
                                              : "crosshair";
}
