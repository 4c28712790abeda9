/* SPDX-License-Identifier: MIT */
/* What a canvas shows (hl-canvas.c) and hears (hl-canvas-input.c). */
#pragma once

#include "ui/canvas/hl-canvas.h"
#include "ui/widget/hl-pixels.h"

typedef struct
{
  HlWorkbench *workbench;
  HlView view;
  double min_scale, max_scale, fit_scale;
  gboolean is_free; /* zoomed or panned by hand */
  gboolean fit_due;
  int foot_px;    /* at the lower edge, which a fitted drawing leaves free */
  HlSpot pointer; /* device */
  gboolean pointer_inside;
  gboolean space_held;
  gboolean is_armed; /* a drawing tool is active */
  guint button;      /* held by the click gesture */
  char *pressed;     /* element that the first button went down on */
  char *worked;      /* element where a button was let go last, while the pointer rests on it */
  HlView pan_start;
  double pinch_last;
  HlPixels *pixels;
} HlCanvasPrivate;

HlCanvasPrivate *hl_canvas_private (HlCanvas *self);
/* Adds the controllers of pointer, wheel, fingers and keys, and the tooltip. */
void hl_canvas_listen (HlCanvas *self);
