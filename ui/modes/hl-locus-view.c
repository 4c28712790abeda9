/* SPDX-License-Identifier: MIT */
/* The root locus as a chart: poles and branches, the element under the pointer, poles that are dragged along
 * their branch, data tips. */
#include "ui/modes/hl-locus-view.h"

#include "core/base/hl-translation-macros.h"
#include "ui/workbench/hl-document-editing.h"
#include "ui/workbench/hl-locus-study.h"
#include "ui/modes/hl-eigen-table-text.h"
#include "ui/modes/hl-locus-data.h"
#include "ui/paint/base/hl-label-placement.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-text.h"
#include "ui/paint/chart/hl-paint-locus.h"
#include "ui/widget/hl-widget-style.h"
#include "ui/widget/hl-pixel-cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HL_LOCUS_REACH_PX 9.0
#define HL_LOCUS_GRID_LOOK 18 /* numbers that the grid depends on */

struct _HlLocusView {
  HlChart parent_instance;
  HlWorkbench *workbench;
  HlLocusPlot plot;
  HlLocusData data;
  char **readout_lines;
  GArray *tips; /* HlLocusTip of the data tips, in the last picture, and their texts */
  GPtrArray *tip_texts;
  gboolean log;
  double value_before;   /* of the slider, before a pole was dragged */
  cairo_surface_t *grid; /* the last painted picture, and its inputs */
  double grid_look[HL_LOCUS_GRID_LOOK];
  cairo_surface_t *ground; /* the last one painted on that grid; NULL: not yet */
  guint64 ground_print;    /* of what else it depended on */
};

static void locus_view_click (HlChart *chart, HlSpot at);

/* A pole that is dragged along its branch: the slider gets the value of the point of that branch
 * which lies nearest to the pointer, between two points that of the line through them. */

#define ON_BRANCH_PX 12.0 /* a pole lies on its branch, but for what a coarse line leaves */

/* Returns the place of the line from a to b nearest to p, 0 at a ... 1 at b. */
static double foot_on (HlSpot p, HlSpot a, HlSpot b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;

  return square > 0 ? CLAMP (((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0, 1) : 0;
}

/* Returns the value of the slider at the point of a branch nearest to a spot, and its
 * distance [px]; NAN: none. The branch that a pole lies on, -1 = none. */
static double value_near (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout, int branch,
                          HlSpot p, double *distance) {
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

static int branch_of (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout, int pole) {
  HlSpot at = hl_locus_device (layout, plot->poles[pole].re, plot->poles[pole].im);
  double best = ON_BRANCH_PX, distance;
  int found = -1;

  for (guint branch = 0; branch < self->data.branches->len; branch++)
    if (isfinite (value_near (self, plot, layout, (int)branch, at, &distance)) && distance < best) {
      best = distance;
      found = (int)branch;
    }
  return found;
}

/* Returns the part under the pointer; a pole with a branch is a cursor, whose index is that of its branch. */
static HlChartPart locus_view_hit (HlChart *chart, HlSpot at, int *index) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;

  *index = -1;
  if (self->data.poles->len == 0)
    return HL_CHART_NOWHERE;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  int pole =
      hl_rect_contains (layout.frame, at) ? hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX) : -1;
  gboolean has_branches =
      self->data.branches->len > 0 && hl_locus_study_model_slider (hl_workbench_locus (self->workbench)) >= 0;
  if (pole >= 0 && has_branches && !plot->poles[pole].is_null)
    *index = branch_of (self, plot, &layout, pole);
  return *index >= 0 ? HL_CHART_ON_CURSOR : hl_chart_part_of (&layout.frame, at);
}

static const HlModelSlider *model_slider_of (HlLocusView *self) {
  int model_slider = hl_locus_study_model_slider (hl_workbench_locus (self->workbench));
  return model_slider >= 0
             ? hl_locus_study_model_sliders (hl_workbench_locus (self->workbench))->pdata[model_slider]
             : NULL;
}

static void set_value (HlLocusView *self, double value) {
  const HlModelSlider *what = model_slider_of (self);

  if (what == NULL || !isfinite (value))
    return;
  g_autofree char *key = g_strdup_printf ("pole %s", what->paths[0]);
  hl_editing_set_numbers (hl_workbench_editing (self->workbench), (const char *const *)what->paths, value,
                          key, NULL);
}

static void locus_view_begin_drag (HlChart *chart) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  const HlModelSlider *what = model_slider_of (self);

  self->value_before =
      what != NULL
          ? hl_model_slider_value (what, hl_editing_document (hl_workbench_editing (self->workbench)))
          : NAN;
}

static void drag_pole (HlChart *chart, int branch, HlSpot to) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  double distance;

  if (branch < 0 || branch >= (int)self->data.branches->len)
    return;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  set_value (self, value_near (self, plot, &layout, branch, to, &distance));
}

static void drop_pole (HlChart *chart, HlSpot from, gboolean has_moved) {
  if (!has_moved) /* a click looks at its mode */
    locus_view_click (chart, from);
  hl_editing_end_gesture (hl_workbench_editing (HL_LOCUS_VIEW (chart)->workbench));
}

static void put_pole_back (HlChart *chart, int branch) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);

  set_value (self, self->value_before);
  hl_editing_end_gesture (hl_workbench_editing (self->workbench));
}

/* The read-out under the pointer: a pole, a pole of another set or mode, a crossing of the axis, or
 * a point of a branch, whose value of the parameter is then marked on all branches. */

#define VALUE_DIGITS 5

static void set_lines (HlLocusView *self, const char *text) {
  g_strfreev (self->readout_lines);
  self->readout_lines = g_strsplit (text, "\n", -1);
}

/* Returns "F_c = 210 N" of the slider of the locus; NULL = there is none. Owned by the caller.
 */
static char *value_text (HlLocusView *self, double value) {
  int model_slider = hl_locus_study_model_slider (hl_workbench_locus (self->workbench));

  if (model_slider < 0)
    return NULL;
  const HlModelSlider *what =
      hl_locus_study_model_sliders (hl_workbench_locus (self->workbench))->pdata[model_slider];
  g_autofree char *number =
      hl_units_format (hl_workbench_units (self->workbench), what->quantity, value, VALUE_DIGITS);
  return g_strdup_printf ("%s = %s", what->label, number);
}

static void read_out (HlLocusView *self, double re, double im, double value) {
  g_autofree char *pole = hl_locus_describe (re, im);
  g_autofree char *at = value_text (self, value);
  const char *fate = hl_locus_study_fate (hl_workbench_locus (self->workbench), re, im);
  g_autofree char *text = g_strjoin ("\n", pole, fate != NULL ? fate : at, fate != NULL ? at : NULL, NULL);

  set_lines (self, text);
}

static double present_value (HlLocusView *self) {
  int model_slider = hl_locus_study_model_slider (hl_workbench_locus (self->workbench));
  return model_slider >= 0
             ? hl_model_slider_value (
                   hl_locus_study_model_sliders (hl_workbench_locus (self->workbench))->pdata[model_slider],
                   hl_editing_document (hl_workbench_editing (self->workbench)))
             : NAN;
}

/* Reads out a zero, which has no frequency nor damping, but a meaning. */
static void read_out_null (HlLocusView *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  g_autofree char *names = hl_null_text_lines (at->linearization);
  g_autofree char *text =
      g_strdup_printf ("λ = 0\n%s\n%s", names, _ ("counts neither as stable nor as unstable"));

  set_lines (self, text);
}

/* Returns the pole of another parameter set under the pointer, -1 = none. */
static int ghost_at (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout, HlSpot point) {
  for (guint i = 0; i < self->data.ghosts->len; i++) {
    const HlLocusPole *ghost = &g_array_index (self->data.ghosts, HlLocusPole, i);
    HlSpot at = hl_locus_device (layout, ghost->re, ghost->im);
    if (hypot (at.x - point.x, at.y - point.y) < HL_LOCUS_REACH_PX)
      return (int)i;
  }
  return -1;
}

/* Reads out a ghost: the name of its set or mode, then as any pole. */
static void read_out_ghost (HlLocusView *self, int ghost) {
  const HlLocusPole *at = &g_array_index (self->data.ghosts, HlLocusPole, ghost);
  int which = g_array_index (self->data.ghost_sets, int, ghost);
  const char *set = which < 0
                        ? hl_locus_study_other_pole_mode (hl_workbench_locus (self->workbench), -1 - which)
                        : hl_document_shown_text (hl_document_set_name (
                              hl_editing_document (hl_workbench_editing (self->workbench)), which));
  g_autofree char *pole = hl_locus_describe (at->re, at->im);
  g_autofree char *text = g_strdup_printf ("%s\n%s", set != NULL ? set : "", pole);

  set_lines (self, text);
}

static void read_out_crossing (HlLocusView *self, const HlCrossing *crossing) {
  double omega = 2 * G_PI * crossing->frequency_hz;
  g_autofree char *at = value_text (self, crossing->value);
  g_autofree char *pole = hl_locus_describe (0, omega);
  const char *what = crossing->touches      ? _ ("touches the stability axis")
                     : crossing->at_end     ? _ ("on the stability axis at the end of the range")
                     : omega == 0           ? crossing->into_right ? _ ("divergence above this value")
                                                                   : _ ("divergence below this value")
                               : crossing->into_right ? _ ("oscillation grows above this value")
                                            : _ ("oscillation grows below this value");
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%s", at != NULL ? at : "", what, pole);

  set_lines (self, text);
}

/* Adds a hovered object without a pole of its own: the painter reads out poles. */
static void add_hovered (HlLocusView *self, HlLocusPlot *plot, HlLocusPole shown) {
  shown.is_point = TRUE;
  g_array_append_val (self->data.poles, shown);
  plot->poles = (gconstpointer)self->data.poles->data;
  plot->n_poles = (int)self->data.poles->len;
  plot->hovered = plot->n_poles - 1;
}

/* Marks the object under the pointer in the picture; a point that is no pole is added to data.poles and must
 * be removed after painting. */
static void mark_hovered (HlLocusView *self, HlLocusPlot *plot, const HlLocusLayout *layout) {
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  HlSpot at;
  int branch, index, n_crossings;

  if (!hl_chart_pointer (HL_CHART (self), &at) || !hl_rect_contains (layout->frame, at) ||
      hl_chart_is_on_tip (HL_CHART (self)))
    return;
  int pole = hl_locus_pole_at (layout, plot, at, HL_LOCUS_REACH_PX);
  int ghost = ghost_at (self, plot, layout, at);
  int crossing = hl_locus_crossing_at (layout, plot, at, HL_LOCUS_REACH_PX);
  const HlCrossing *found = hl_locus_study_crossings (hl_workbench_locus (self->workbench), &n_crossings);
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
  } else if (locus != NULL && hl_locus_branch_at (layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index) &&
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

/* Handles the pointer and returns the cursor to show. */
static const char *locus_view_hover (HlChart *chart, HlSpot at) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  int branch, index;

  hl_pixels_queue_draw (GTK_WIDGET (self));
  if (self->data.poles->len == 0)
    return NULL;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  int pole = hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  gboolean takes_click = pole >= 0
                             ? !plot->poles[pole].is_null
                             : hl_locus_branch_at (&layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index);
  int on;
  gboolean drags = pole >= 0 && locus_view_hit (chart, at, &on) == HL_CHART_ON_CURSOR;
  return !hl_rect_contains (layout.frame, at) ? NULL : drags ? "grab" : takes_click ? "pointer" : "crosshair";
}

/* Data tips of the root locus. One on a branch holds the value of the slider there, whatever the
 * slider does; one on a pole without a branch goes with the pole. */

#define DIGITS 4
#define STEPS_ON_BRANCH 100

/* --- names --- */

/* Returns the name of a branch: its color, which it keeps from one locus to the next, and its parameter. */
static char *branch_name (HlLocusView *self, int branch) {
  return g_strdup_printf ("branch %d %s", g_array_index (self->data.branches, HlLocusBranch, branch).branch,
                          model_slider_of (self)->paths[0]);
}

/* Finds a branch; -1: there is none now. */
static int find_branch (HlLocusView *self, const char *name) {
  for (guint i = 0; model_slider_of (self) != NULL && i < self->data.branches->len; i++) {
    g_autofree char *own = branch_name (self, (int)i);
    if (strcmp (own, name) == 0)
      return (int)i;
  }
  return -1;
}

static int find_pole (HlLocusView *self, const char *name) {
  int pole;
  return sscanf (name, "pole %d", &pole) == 1 && pole < (int)self->data.poles->len ? pole : -1;
}

/* --- places --- */

/* Interpolates between two points of the branch; FALSE: the branch does not include the value. */
static gboolean place_on_branch (HlLocusView *self, int branch, double value, HlLocusTip *tip) {
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

/* Returns "λ = −3.2 + 45 i s⁻¹", then frequency and damping, then the value of the parameter. */
static char *text_of (HlLocusView *self, const HlLocusTip *tip, double value) {
  g_autofree char *all = hl_locus_describe (tip->re, tip->im);
  g_autofree char *parameter = isfinite (value) ? value_text (self, value) : NULL;
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

/* Adds the data tips of the chart to a picture, with their texts. */
static void add_tips (HlLocusView *self, HlLocusPlot *plot) {
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

static gboolean point_at_pole (HlLocusView *self, int pole, HlChartTip *tip) {
  tip->curve = g_strdup_printf ("pole %d", pole);
  tip->at = 0;
  return TRUE;
}

static gboolean point_at_branch (HlLocusView *self, int branch, double value, HlChartTip *tip) {
  tip->curve = branch_name (self, branch);
  tip->at = value;
  return TRUE;
}

/* Sets a tip near a spot; a pole on a branch counts as the present point of the branch. */
static gboolean tip_near (HlChart *chart, HlSpot at, double reach_px, HlChartTip *tip) {
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
  if (pole >= 0 && (model_slider_of (self) == NULL || (found = branch_of (self, plot, &layout, pole)) < 0))
    return point_at_pole (self, pole, tip);
  if (pole >= 0) {
    HlSpot on = hl_locus_device (&layout, plot->poles[pole].re, plot->poles[pole].im);
    return point_at_branch (self, found, value_near (self, plot, &layout, found, on, &distance), tip);
  }
  for (guint branch = 0; model_slider_of (self) != NULL && branch < self->data.branches->len; branch++) {
    double here = value_near (self, plot, &layout, (int)branch, at, &distance);
    if (isfinite (here) && distance < best) {
      best = distance;
      found = (int)branch;
      value = here;
    }
  }
  return found >= 0 && point_at_branch (self, found, value, tip);
}

static void tip_spots (HlChart *chart, HlSpot spots[]) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);

  for (int i = 0; i < plot->n_tips; i++)
    spots[i] = hl_locus_device (&layout, plot->tips[i].re, plot->tips[i].im);
}

static void tip_along (HlChart *chart, HlChartTip *tip, HlSpot to) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;
  double distance;
  int branch = find_branch (self, tip->curve);

  if (branch < 0) /* a pole stays where it is */
    return;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  double value = value_near (self, plot, &layout, branch, to, &distance);
  if (isfinite (value))
    tip->at = value;
}

/* Moves a tip by a hundredth of the branch from point to point; from pole to pole. */
static void tip_step (HlChart *chart, HlChartTip *tip, int steps) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  int pole = find_pole (self, tip->curve), n_poles = (int)self->data.poles->len;

  if (pole >= 0) {
    g_free (tip->curve);
    point_at_pole (self, ((pole + steps) % n_poles + n_poles) % n_poles, tip);
    return;
  }
  if (find_branch (self, tip->curve) < 0 || locus == NULL || locus->n_values < 2)
    return;
  /* by points, which lie closer where the branch runs faster */
  int last = locus->n_values - 1, i = 0;
  while (i < last - 1 && fabs (locus->values[i + 1] - locus->values[0]) <= fabs (tip->at - locus->values[0]))
    i++;
  double step = fabs (locus->values[i + 1] - locus->values[i]);
  double part = step > 0 ? fabs (tip->at - locus->values[i]) / step : 0;
  double place = CLAMP (i + part + steps * fmax (1, (double)last / STEPS_ON_BRANCH), 0, last);
  int at = MIN ((int)place, last - 1);
  tip->at = locus->values[at] + (place - at) * (locus->values[at + 1] - locus->values[at]);
}

/* Sets the tip to the pole whose mode is examined, otherwise to the first one. */
static gboolean tip_usual (HlChart *chart, HlChartTip *tip) {
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
      chart, hl_locus_device (&layout, plot->poles[MAX (chosen, 0)].re, plot->poles[MAX (chosen, 0)].im),
      HL_LOCUS_REACH_PX, tip);
}

static void class_init_tips (HlChartClass *klass) {
  klass->tip_near = tip_near;
  klass->tip_spots = tip_spots;
  klass->tip_along = tip_along;
  klass->tip_step = tip_step;
  klass->tip_usual = tip_usual;
}

/* Clicks on the root locus. */

/* Examines the mode of a clicked pole, a second time no longer. */
static gboolean select_mode_at (HlLocusView *self, HlSpot at) {
  HlLocusLayout layout;
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);

  int pole = hl_locus_pole_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (pole < 0)
    return FALSE;
  /* a zero has no motion to show, nor is it a point of a branch below it */
  if (!plot->poles[pole].is_null)
    hl_locus_study_set_mode (hl_workbench_locus (self->workbench), plot->poles[pole].selected ? -1 : pole);
  return TRUE;
}

/* Sets the parameter to the value of a clicked point of a branch or a crossing, on all branches at once. */
static void set_value_at (HlLocusView *self, HlSpot at) {
  HlLocusLayout layout;
  int branch, index, n_crossings,
      model_slider = hl_locus_study_model_slider (hl_workbench_locus (self->workbench));
  const HlLocus *locus = hl_locus_study_locus (hl_workbench_locus (self->workbench));
  const HlCrossing *found = hl_locus_study_crossings (hl_workbench_locus (self->workbench), &n_crossings);
  HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  double value;

  if (locus == NULL || model_slider < 0 || !hl_rect_contains (layout.frame, at))
    return;
  int crossing = hl_locus_crossing_at (&layout, plot, at, HL_LOCUS_REACH_PX);
  if (crossing >= 0 && plot->crossings[crossing].index < n_crossings)
    value = found[plot->crossings[crossing].index].value;
  else if (hl_locus_branch_at (&layout, plot, at, HL_LOCUS_REACH_PX, &branch, &index) &&
           index < locus->n_values)
    value = locus->values[index];
  else
    return;
  const HlModelSlider *what =
      hl_locus_study_model_sliders (hl_workbench_locus (self->workbench))->pdata[model_slider];
  hl_editing_set_numbers (hl_workbench_editing (self->workbench), (const char *const *)what->paths, value,
                          NULL, NULL);
}

static void locus_view_click (HlChart *chart, HlSpot at) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);

  if (!select_mode_at (self, at))
    set_value_at (self, at);
}

#define MESSAGE_WIDTH 0.86 /* of the view */
#define MANY_POLES 150     /* take longer than a frame has */
#define MESSAGE_GAP 6.0    /* px above the lower edge of the frame */

G_DEFINE_FINAL_TYPE (HlLocusView, hl_locus_view, HL_TYPE_CHART)

/* --- the picture --- */

HlLocusPlot *hl_locus_view_picture (HlLocusView *self) {
  HlLocusPlot *plot = &self->plot;
  HlChart *chart = HL_CHART (self);

  *plot = hl_locus_make ();
  hl_locus_data_fill (&self->data, plot);
  plot->hovered = -1;
  hl_locus_fit (plot, self->log);
  if (hl_chart_has_range (chart)) {
    plot->x = hl_chart_range (chart, HL_CHART_X)->axis;
    plot->y = hl_chart_range (chart, HL_CHART_LEFT)->axis;
  }
  plot->rubber_band = hl_chart_band (chart);
  add_tips (self, plot);
  return plot;
}

HlLocusPlot *hl_locus_view_lay_out (HlLocusView *self, HlLocusLayout *layout) {
  HlStyle style = hl_widget_style (GTK_WIDGET (self));
  HlLocusPlot *plot = hl_locus_view_picture (self);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);

  hl_locus_layout (cr, plot, hl_chart_area (HL_CHART (self)), &style, layout);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return plot;
}

static gboolean lay_out (HlChart *chart, HlChartAxes *axes) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;

  if (self->data.poles->len == 0)
    return FALSE;
  const HlLocusPlot *plot = hl_locus_view_lay_out (self, &layout);
  axes->frame = layout.frame;
  axes->axes[HL_CHART_X] = plot->x;
  axes->axes[HL_CHART_LEFT] = plot->y;
  return TRUE;
}

/* Returns the reason for an empty picture, and the next step. */
static const char *why_empty (HlLocusView *self) {
  const HlWorkingPoint *at = hl_editing_point (hl_workbench_editing (self->workbench));
  const HlDocument *document = hl_editing_document (hl_workbench_editing (self->workbench));

  if (at == NULL || hl_document_n_elements (document, HL_SECTION_BODIES) +
                            hl_document_n_elements (document, HL_SECTION_COMPONENTS) ==
                        0)
    return _ ("Eigenvalues appear here once the model has a moving part or trapped oil.");
  if (at->linearization == NULL)
    return at->message != NULL ? at->message : _ ("No eigenvalues yet");
  return _ ("The model has no moving part and no line with oil, so it has no state and no eigenvalue. Free a "
            "joint, or give a line a volume.");
}

char *hl_locus_view_message (HlLocusView *self) {
  return self->data.poles->len == 0 ? g_strdup (why_empty (self)) : NULL;
}

static void paint_message (cairo_t *cr, const HlStyle *style, HlRect area, const char *text) {
  hl_text_paint_wrapped (cr, style, style->ink_soft, text, (HlSpot){area.width / 2, area.height / 2},
                         MESSAGE_WIDTH * area.width);
}

static guint64 print_of (guint64 print, gconstpointer data, gsize n_words) {
  const guint64 *words = data;

  for (gsize i = 0; i < n_words; i++) /* FNV-1a, a word at a time */
    print = ((print ^ words[i]) * G_GUINT64_CONSTANT (1099511628211)) ^ (print >> 41);
  return print;
}

/* Returns a hash of the inputs of the ground image except the style. */
static guint64 print_of_ground (const HlLocusView *self, const HlLocusPlot *plot, guint64 hidden) {
  guint64 print = print_of (hidden, self->data.values->data, self->data.values->len);

  for (int i = 0; i < plot->n_branches; i++) {
    const guint64 branch[] = {(guint64)plot->branches[i].n, (guint64)plot->branches[i].branch};
    print = print_of (print, branch, G_N_ELEMENTS (branch));
  }
  for (int i = 0; i < plot->n_crossings; i++)
    print = print_of (print, &plot->crossings[i].im, 1);
  return print;
}

/* Returns its dotted lines cost more than all the rest, and they stay while poles and branches move. */
static cairo_surface_t *find_grid (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout,
                                   const HlStyle *style) {
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const HlAxis *x = &plot->x, *y = &plot->y;
  const HlRect *frame = &layout->frame;
  const double look[HL_LOCUS_GRID_LOOK] = {x->scale, x->min, x->max, x->linear_within, y->scale, y->min,
                                           y->max, frame->x, frame->y, frame->width, y->linear_within,
                                           frame->height, style->kind + (style->is_contrast ? 0.5 : 0),
                                           style->font_size, scale, plot->is_frozen,
                                           /* nothing compares with NAN */
                                           isnan (plot->target.zeta) ? -2.0 : plot->target.zeta,
                                           isnan (plot->target.omega) ? -1.0 : plot->target.omega};

  if (self->grid != NULL && memcmp (look, self->grid_look, sizeof look) == 0)
    return self->grid;
  g_clear_pointer (&self->grid, cairo_surface_destroy);
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  self->grid = hl_locus_grid_image (plot, layout, style, scale);
  memcpy (self->grid_look, look, sizeof look);
  return self->grid;
}

/* Returns the background with the branches, which stay while poles move along them. */
static cairo_surface_t *find_ground (HlLocusView *self, const HlLocusPlot *plot, const HlLocusLayout *layout,
                                     const HlStyle *style) {
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  guint64 print = print_of_ground (self, plot, hl_locus_ground_hidden (plot, layout, style));

  if (self->ground != NULL && print == self->ground_print)
    return self->ground;
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  self->ground = hl_locus_ground_image (plot, layout, style, scale);
  self->ground_print = print;
  return self->ground;
}

static void paint (HlChart *chart, cairo_t *cr, HlRect area, const HlStyle *style) {
  HlLocusView *self = HL_LOCUS_VIEW (chart);
  HlLocusLayout layout;

  if (self->workbench == NULL)
    return;
  guint n_poles = self->data.poles->len;
  if (n_poles == 0) {
    paint_message (cr, style, area, why_empty (self));
    return;
  }
  HlLocusPlot *plot = hl_locus_view_picture (self);
  hl_locus_layout (cr, plot, area, style, &layout);
  mark_hovered (self, plot, &layout);
  plot->grid = find_grid (self, plot, &layout, style);
  plot->ground = find_ground (self, plot, &layout, style);
  hl_paint_locus (cr, plot, area, style);
  const char *message = hl_locus_study_message (hl_workbench_locus (self->workbench));
  if (message != NULL)
    hl_text_pill (
        cr, style, message,
        (HlSpot){layout.frame.x + layout.frame.width / 2, layout.frame.y + layout.frame.height - MESSAGE_GAP},
        0.5, 1.0);
  g_array_set_size (self->data.poles, n_poles);
}

static void hl_locus_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                                   int *natural, int *minimum_baseline, int *natural_baseline) {
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 130;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 320 : 220;
}

/* Ranges of the other scale mean nothing on this one. */
void hl_locus_view_set_log (HlLocusView *self, gboolean log) {
  self->log = log;
  hl_chart_forget_ranges (HL_CHART (self));
}

/* --- life --- */

static void hl_locus_view_dispose (GObject *object) {
  g_clear_object (&HL_LOCUS_VIEW (object)->workbench);
  G_OBJECT_CLASS (hl_locus_view_parent_class)->dispose (object);
}

static void hl_locus_view_finalize (GObject *object) {
  HlLocusView *self = HL_LOCUS_VIEW (object);

  hl_locus_data_clear (&self->data);
  g_clear_pointer (&self->grid, cairo_surface_destroy);
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  g_strfreev (self->readout_lines);
  g_array_unref (self->tips);
  g_ptr_array_unref (self->tip_texts);
  G_OBJECT_CLASS (hl_locus_view_parent_class)->finalize (object);
}

static void hl_locus_view_class_init (HlLocusViewClass *klass) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  HlChartClass *chart_class = HL_CHART_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_locus_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = hl_locus_view_finalize;
  widget_class->measure = hl_locus_view_measure;
  gtk_widget_class_set_css_name (widget_class, "locus");
  chart_class->paint = paint;
  chart_class->lay_out = lay_out;
  chart_class->hover = locus_view_hover;
  chart_class->click = locus_view_click;
  chart_class->hit = locus_view_hit;
  chart_class->begin_drag = locus_view_begin_drag;
  chart_class->drag_cursor = drag_pole;
  chart_class->drop_cursor = drop_pole;
  chart_class->put_cursor_back = put_pole_back;
  class_init_tips (chart_class);
  /* fitted, one axis would creep away from under the other with every pole that moves */
  chart_class->zooms_as_one = TRUE;
}

static void hl_locus_view_init (HlLocusView *self) {
  self->log = TRUE;
  self->tips = g_array_new (FALSE, FALSE, sizeof (HlLocusTip));
  self->tip_texts = g_ptr_array_new_with_free_func (g_free);
  hl_locus_data_init (&self->data);
  hl_chart_add_tip_menu (HL_CHART (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
}

static void changed_cb (HlWorkbench *workbench, guint changes, HlLocusView *self) {
  hl_locus_data_gather (&self->data, workbench, changes);
  if (self->data.poles->len > MANY_POLES)
    hl_chart_expect_slow (HL_CHART (self));
  if (changes & (HL_CHANGED_POINT | HL_CHANGED_LOCUS | HL_CHANGED_UNITS | HL_CHANGED_MODE))
    hl_pixels_queue_draw (GTK_WIDGET (self));
}

void hl_locus_view_prepare (HlLocusView *self) {
  hl_chart_prepare (HL_CHART (self));
}

void hl_locus_view_set_workbench (HlLocusView *self, HlWorkbench *workbench) {
  g_set_object (&self->workbench, workbench);
  g_signal_connect_object (workbench, "changed", G_CALLBACK (changed_cb), self, 0);
  changed_cb (workbench, HL_CHANGED_EVERYTHING, self);
}
