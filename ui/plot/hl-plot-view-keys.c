/* SPDX-License-Identifier: MIT */
/* The keys that only a plot has: its time cursor, measuring, traces and menu. */
#include "ui/plot/hl-plot-view-private.h"
#include "ui/bench/hl-runs.h"
#include "ui/widget/hl-pixels.h"

#include <math.h>

#define STEPS_IN_VIEW 200 /* of the time cursor, across what is in view ... */
#define BIG_STEP 10       /* ... with Shift so many at once */

/* One key press moves the time cursor by a step that can be seen. */
static void step_time (HlPlotView *self, int steps) {
  double from, to, length = hl_runs_t_end (hl_workbench_runs (self->workbench));

  hl_plot_view_get_x_range (self, &from, &to);
  if (hl_plot_scene_is_over_time (self->scene) && to - from < length)
    length = to - from;
  hl_runs_set_time (hl_workbench_runs (self->workbench),
                    hl_runs_time (hl_workbench_runs (self->workbench)) + steps * length / STEPS_IN_VIEW);
}

/* Measuring cursor A (0) or B (1) comes to the time cursor. */
static void bring_cursor (HlPlotView *self, int which) {
  double t = hl_runs_time (hl_workbench_runs (self->workbench)), ends[2];

  if (!hl_runs_span (hl_workbench_runs (self->workbench), &ends[0], &ends[1])) {
    hl_plot_view_toggle_span (self);
    hl_runs_span (hl_workbench_runs (self->workbench), &ends[0], &ends[1]);
  }
  ends[which] = t;
  hl_runs_set_span (hl_workbench_runs (self->workbench), ends[0], ends[1]);
}

/* Escape leaves the measuring. */
static gboolean leave (HlPlotView *self) {
  double a, b;

  if (!hl_runs_span (hl_workbench_runs (self->workbench), &a, &b))
    return FALSE;
  hl_runs_clear_span (hl_workbench_runs (self->workbench));
  return TRUE;
}

static gboolean toggle_trace (HlPlotView *self, guint number) {
  HlStyle style;
  HlPlotLayout layout;

  hl_plot_view_lay_out (self, &style, &layout);
  if (number >= (guint)layout.n_legend)
    return FALSE;
  hl_plot_scene_toggle (self->scene, layout.legend_series[number]);
  hl_pixels_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

gboolean hl_plot_view_key (HlChart *chart, guint keyval, gboolean shift) {
  HlPlotView *self = HL_PLOT_VIEW (chart);

  switch (keyval) {
  case GDK_KEY_m:
    hl_plot_view_toggle_span (self);
    return TRUE;
  case GDK_KEY_a:
  case GDK_KEY_b:
    bring_cursor (self, keyval == GDK_KEY_b);
    return TRUE;
  case GDK_KEY_Escape:
    return leave (self);
  case GDK_KEY_F10:
    if (!shift)
      return FALSE;
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
    return TRUE;
  case GDK_KEY_Menu:
    gtk_menu_button_popup (GTK_MENU_BUTTON (self->button));
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
    if (!hl_plot_view_wants_traces (self))
      return FALSE;
    hl_plot_view_open_picker (self);
    return TRUE;
  case GDK_KEY_Left:
    step_time (self, shift ? -BIG_STEP : -1);
    return TRUE;
  case GDK_KEY_Right:
    step_time (self, shift ? BIG_STEP : 1);
    return TRUE;
  case GDK_KEY_Home:
    hl_runs_set_time (hl_workbench_runs (self->workbench), 0);
    return TRUE;
  case GDK_KEY_End:
    hl_runs_set_time (hl_workbench_runs (self->workbench),
                      hl_runs_t_end (hl_workbench_runs (self->workbench)));
    return TRUE;
  default:
    return keyval >= GDK_KEY_1 && keyval <= GDK_KEY_9 && toggle_trace (self, keyval - GDK_KEY_1);
  }
}
