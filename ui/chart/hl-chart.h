/* SPDX-License-Identifier: MIT */
/* HlChart: a picture with axes, and all that pointer and keys do to any such picture. Wheel zooms at the
 * pointer (over an axis that axis only, with Ctrl the x axis, with Shift the others), a drag zooms to its
 * box, the middle button or Space with a drag pans, as a drag along an axis does; double click or F fits,
 * Backspace, Alt+Left or a thumb button goes back, Alt+Right forward; Escape gives a drag up. A click with
 * Ctrl, or T, pins a data tip to the curve there, which is dragged along it, moved by Left and Right while
 * it is selected (Shift+T selects the next one), and removed by Delete; what is pinned stays for the
 * session. A subclass for each kind of picture defines its content, the elements under the pointer and the
 * actions of a click: `paint` is required, the other methods are optional.
 *
 * Ranges set by the user stay until the user fits the axes again; other ranges are fitted by the subclass
 * with every picture. */
#pragma once

#include "ui/paint/base/hl-plot-axis.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <gtk/gtk.h>

#define HL_TYPE_CHART (hl_chart_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlChart, hl_chart, HL, CHART, GtkWidget)

typedef enum { HL_CHART_X, HL_CHART_LEFT, HL_CHART_RIGHT, HL_CHART_N_AXES } HlChartAxis;

/* Axes of a zoom or pan. */
typedef enum {
  HL_CHART_ALONG_X = 1 << HL_CHART_X,
  HL_CHART_ALONG_LEFT = 1 << HL_CHART_LEFT,
  HL_CHART_ALONG_RIGHT = 1 << HL_CHART_RIGHT,
  HL_CHART_ALONG_Y = HL_CHART_ALONG_LEFT | HL_CHART_ALONG_RIGHT,
  HL_CHART_ALONG_ALL = HL_CHART_ALONG_X | HL_CHART_ALONG_Y
} HlChartAlong;

/* Part of a chart under a point. */
typedef enum {
  HL_CHART_NOWHERE,
  HL_CHART_IN_FRAME,
  HL_CHART_ON_X,
  HL_CHART_ON_LEFT,
  HL_CHART_ON_RIGHT,
  HL_CHART_ON_CURSOR, /* a line that can be dragged */
  HL_CHART_ON_ENTRY,  /* of a legend: takes presses */
  HL_CHART_ON_TIP     /* a data tip, which can be dragged along its curve */
} HlChartPart;

typedef struct {
  HlRect frame; /* device */
  HlAxis axes[HL_CHART_N_AXES];
  gboolean no_box; /* a drag with the first button does not zoom */
} HlChartAxes;

/* One axis; not free = fitted to what is shown. */
typedef struct {
  gboolean is_free;
  HlAxis axis;
} HlChartRange;

/* A place on a curve that a person pinned: it is found again on whatever is shown there next. */
typedef struct {
  char *curve; /* the subclass's own name of it */
  double at;   /* on the curve: a time, a frequency, the value of a parameter */
} HlChartTip;

struct _HlChartClass {
  GtkWidgetClass parent_class;

  HlChartAlong zooms;    /* axes that can be zoomed; all by default */
  gboolean zooms_as_one; /* an axis that is zoomed keeps the others where they are */

  /* paints everything except the focus ring. */
  void (*paint) (HlChart *self, cairo_t *cr, HlRect area, const HlStyle *style);
  /* The picture alone, on a page: no background, nothing that follows the pointer. NULL: it cannot
   * be taken away. */
  void (*figure) (HlChart *self, cairo_t *cr, HlRect area, const HlStyle *style);
  /* Returns the data of the picture as a CSV table in SI units, owned by the caller; NULL: there is nothing yet, or
   * never. */
  char *(*table) (HlChart *self);
  /* Frame and axes of the present picture; FALSE: there is nothing to zoom. NULL: never. */
  gboolean (*lay_out) (HlChart *self, HlChartAxes *axes);
  /* Returns the part under a point, with the index of a cursor or an entry; NULL: by the frame. */
  HlChartPart (*hit) (HlChart *self, HlSpot at, int *index);
  /* The wheel alone zooms x, which is the time, and both with Ctrl; NULL: both, and x with Ctrl. */
  gboolean (*is_over_time) (HlChart *self);
  /* The pointer stands there and nothing is dragged; returns the name of the pointer to show, NULL:
   * the usual one. */
  const char *(*hover) (HlChart *self, HlSpot at);
  void (*leave) (HlChart *self); /* nothing is hovered any more */
  void (*press_entry) (HlChart *self, int entry);
  void (*click) (HlChart *self, HlSpot at); /* a press of the first button that stayed in place */
  /* Called on a double click: fits the chart along the axis there; the effect of the first click can be
   * undone. */
  void (*double_click) (HlChart *self, HlChartPart part);
  void (*first_press) (HlChart *self); /* of what may become a double click */
  void (*begin_drag) (HlChart *self);  /* keeps what giving up puts back */
  void (*drag_cursor) (HlChart *self, int cursor, HlSpot to);
  /* The button is up again; from where it was dragged, and whether it was. NULL: nothing to do. */
  void (*drop_cursor) (HlChart *self, HlSpot from, gboolean has_moved);
  void (*put_cursor_back) (HlChart *self, int cursor);
  /* Keys of its own, in lower case, without Ctrl and Alt; Escape when nothing was dragged. */
  gboolean (*key) (HlChart *self, guint keyval, gboolean shift);
  void (*ranges_changed) (HlChart *self); /* by a person */

  /* Data tips: none of these, or all. The nearest place of a curve within reach, with the name of
   * the curve for the tip to own; FALSE: none. */
  gboolean (*tip_near) (HlChart *self, HlSpot at, double reach_px, HlChartTip *tip);
  /* computes the screen position of each of hl_chart_tips (); NAN: not visible now. */
  void (*tip_spots) (HlChart *self, HlSpot spots[]);
  /* Moves along its curve: to the place that a drag there means, or by steps that can be seen. */
  void (*tip_along) (HlChart *self, HlChartTip *tip, HlSpot to);
  void (*tip_step) (HlChart *self, HlChartTip *tip, int steps);
  /* sets the place of a tip pinned by the keyboard; FALSE: none. */
  gboolean (*tip_usual) (HlChart *self, HlChartTip *tip);
};

/* Sets the order in which the pictures of the window are painted when they take long (hl-pixel-cache.h). */
void hl_chart_set_turn (HlChart *self, int turn);
/* Notes that its picture takes long, though the last one may not have. */
void hl_chart_expect_slow (HlChart *self);
/* Paints in a frame that waits what it will show at its end. */
void hl_chart_prepare (HlChart *self);

/* --- taking it away --- */

/* Paints its figure on a page (hl-page-export.h). */
void hl_chart_paint_figure (cairo_t *cr, HlRect area, const HlStyle *style, gpointer chart);
/* Returns its data as CSV, owned by the caller; NULL: there is none. */
char *hl_chart_table (HlChart *self);

/* --- ranges --- */

/* Returns the range chosen by the user. */
const HlChartRange *hl_chart_range (HlChart *self, HlChartAxis axis);
gboolean hl_chart_has_range (HlChart *self); /* on any axis */
/* Sets a range; no step of the history. Not finite: fitted. */
void hl_chart_set_range (HlChart *self, HlChartAxis axis, double min, double max);
/* Fits all axes and clears the history, for another kind of picture. */
void hl_chart_forget_ranges (HlChart *self);

void hl_chart_remember (HlChart *self); /* ranges, before they change */
void hl_chart_step (HlChart *self, gboolean back);
gboolean hl_chart_can_step (HlChart *self, gboolean back);
void hl_chart_zoom_at (HlChart *self, HlSpot at, double factor, HlChartAlong along);
void hl_chart_fit (HlChart *self);

/* --- data tips --- */

/* Returns the pinned tips, n of them, borrowed until the next change; the selected one, -1 = none (may be
 * NULL).
 */
const HlChartTip *hl_chart_tips (HlChart *self, int *n, int *selected);
void hl_chart_forget_tips (HlChart *self);
/* Returns whether the pointer is on a tip with its own text: no read-out. */
gboolean hl_chart_is_on_tip (HlChart *self);
/* Sets the place at which a menu was opened with the pointer, for pinning; NULL: elsewhere. */
void hl_chart_set_menu_spot (HlChart *self, const HlSpot *at);
/* Appends a section of a menu: pin, remove, remove all. */
void hl_chart_append_tip_items (GMenu *menu);
/* Opens that section by the right mouse button, for a subclass without a menu of its own. */
void hl_chart_add_tip_menu (HlChart *self);

/* --- for subclasses --- */

HlRect hl_chart_area (HlChart *self);
HlRect hl_chart_band (HlChart *self); /* of the box that is dragged; empty: none */
/* Returns whether the pointer is in the chart and nothing is dragged, and its position. */
gboolean hl_chart_pointer (HlChart *self, HlSpot *at);
/* Redraws the element under the pointer and emits the signal "pointed"; call when the element has changed. */
void hl_chart_say_pointed (HlChart *self);
/* Returns the part of the chart at a spot: the frame, or an axis beside it. */
HlChartPart hl_chart_part_of (const HlRect *frame, HlSpot at);
/* Returns a context for measuring text, without a surface to see. cairo_destroy () frees all. */
cairo_t *hl_chart_measure (void);
