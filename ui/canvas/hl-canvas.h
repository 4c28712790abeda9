/* SPDX-License-Identifier: MIT */
/* HlCanvas: a drawing that can be zoomed and panned. It owns the view (zoom, pan, fit), converts events into
 * canvas events in world coordinates and calls its subclass for painting, picking and actions. Circuit and
 * linkage are its two subclasses. */
#pragma once

#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

#include <gtk/gtk.h>

typedef enum {
  HL_CANVAS_PRESS,
  HL_CANVAS_MOVE, /* with or without a button */
  HL_CANVAS_RELEASE,
  HL_CANVAS_LEAVE,
  HL_CANVAS_KEY
} HlCanvasEventType;

/* One event of pointer or keyboard; `at` in world units, `device` in pixels of the widget. */
typedef struct {
  HlCanvasEventType type;
  HlSpot at, device;
  guint button; /* pressed or held, 0 = none */
  int n_press;
  guint keyval;
  GdkModifierType modifiers;
} HlCanvasEvent;

#define HL_CANVAS_TITLE_PX 28.0 /* the caption that lies over the upper edge */

#define HL_TYPE_CANVAS (hl_canvas_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlCanvas, hl_canvas, HL, CANVAS, GtkWidget)

struct _HlCanvasClass {
  GtkWidgetClass parent_class;

  /* Paints the drawing; paint_over: the marks of the tool over it, which move more often. */
  void (*paint) (HlCanvas *self, cairo_t *cr, HlRect area, const HlStyle *style);
  void (*paint_over) (HlCanvas *self, cairo_t *cr, HlRect area, const HlStyle *style);
  /* Numbers that change when what would be painted changes; view and size aside. */
  guint64 (*fingerprint) (HlCanvas *self);
  guint64 (*fingerprint_over) (HlCanvas *self);
  /* World rectangle to fit. */
  HlRect (*box) (HlCanvas *self);
  HlViewExtent extent; /* of all that is drawn, its symbols included; data: the canvas. NULL: box */
  int turn;            /* of its picture (hl-pixel-cache.h) */
  double foot_px;      /* kept free under the drawing when it is fitted */
  /* Id of the topmost element at a device point; NULL = none. Borrowed. */
  const char *(*hit) (HlCanvas *self, HlSpot device, const HlStyle *style);
  /* finds the place of an element, world; FALSE: not here. */
  gboolean (*where) (HlCanvas *self, const char *id, HlRect *box);
  /* FALSE: not used; the canvas then selects and hovers. NULL in a class that has no tools. */
  gboolean (*event) (HlCanvas *self, const HlCanvasEvent *event);
  /* The workbench announced changes (HlChange). */
  void (*changed) (HlCanvas *self, guint changes);
};

void hl_canvas_set_workbench (HlCanvas *self, HlWorkbench *workbench);
HlWorkbench *hl_canvas_workbench (HlCanvas *self);
const HlView *hl_canvas_view (HlCanvas *self);

void hl_canvas_zoom (HlCanvas *self, double factor); /* about the pointer, or the middle */
void hl_canvas_fit (HlCanvas *self);
/* Sets the height of the widgets over the lower edge: the next fit places the drawing above them. */
void hl_canvas_set_foot (HlCanvas *self, int foot_px);
/* Sets the width of the palette over the left edge, which a fitted drawing leaves free. Where it is seen, what is painted at
 * the edge is painted beside it. */
void hl_canvas_set_palette (HlCanvas *self, int width_px, gboolean is_seen);
/* Returns the width at the left edge that a palette covers now [px]. */
int hl_canvas_covered (HlCanvas *self);
/* Returns whether the visible picture is out of date. */
gboolean hl_canvas_is_painting (HlCanvas *self);
/* Brings an element to the middle, and the scale down where it would not fit. FALSE: it is not
 * drawn here. */
gboolean hl_canvas_reveal (HlCanvas *self, const char *id);
/* Fits the changed box again unless the user has moved the view. */
void hl_canvas_box_changed (HlCanvas *self);
/* Notes that painting takes longer than a frame; the canvas does so itself for a document with many elements. */
void hl_canvas_expect_slow (HlCanvas *self);
/* Sets whether a drawing tool is active on the canvas: the pointer is a cross, no tooltip is shown, and the
 * canvas keeps the keyboard focus. */
void hl_canvas_set_armed (HlCanvas *self, gboolean is_armed);
/* Takes the keyboard focus if no widget has it, or another canvas without an active tool while nothing is
 * selected. To be called when the user has moved the pointer over the canvas: GTK also reports a motion when
 * the widgets below a resting pointer change. */
void hl_canvas_take_idle_keys (HlCanvas *self);
/* Keeps the view, in which the user draws, until it is fitted again. */
void hl_canvas_keep_view (HlCanvas *self);
/* Sets the limits of the scale. fit_scale: fitting a small drawing enlarges it no further. */
void hl_canvas_set_scale_limits (HlCanvas *self, gboolean y_up, double min_scale, double max_scale,
                                 double fit_scale);
