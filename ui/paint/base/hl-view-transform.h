/* SPDX-License-Identifier: MIT */
/* HlView: conversion between world and device with one uniform scale (squares stay squares), zoom about a
 * point, pan, fit; and rectangles. */
#pragma once

#include <glib.h>

typedef struct {
  double x, y;
} HlSpot;

typedef struct {
  double x, y, width, height;
} HlRect;

/* device x = offset_x + scale x;  device y = offset_y + scale y (y_up: - scale y). */
typedef struct {
  double scale;    /* device pixels per world unit, > 0 */
  double offset_x; /* device position of the world's origin [px] */
  double offset_y;
  gboolean y_up; /* TRUE for the linkage (metres), FALSE for the circuit (grid modules) */
} HlView;

HlSpot hl_view_to_device (const HlView *view, HlSpot world);
HlSpot hl_view_to_world (const HlView *view, HlSpot device);
double hl_view_length (const HlView *view, double world_length); /* in px */

/* Multiplies the scale by factor, keeping the world point under the device point in its place. The
 * scale is kept within [min_scale, max_scale]. */
void hl_view_zoom_at (HlView *view, HlSpot device, double factor, double min_scale, double max_scale);
void hl_view_pan (HlView *view, double dx_px, double dy_px);

/* Puts the world rectangle in the middle of the device area with at least margin px free on each
 * side. An empty rectangle is centred at max_scale. */
void hl_view_fit (HlView *view, HlRect world, HlRect device, double margin_px, double max_scale);

/* Returns the world rectangle seen in a device area. */
HlRect hl_view_visible (const HlView *view, HlRect device);

gboolean hl_rect_contains (HlRect rect, HlSpot point);
gboolean hl_rect_overlaps (HlRect a, HlRect b); /* touching edges do not count */
HlRect hl_rect_union (HlRect a, HlRect b);
/* Returns the smallest rectangle that contains the spots, n >= 1. */
HlRect hl_rect_around (const HlSpot spots[], int n);
HlRect hl_rect_grow (HlRect rect, double margin);
gboolean hl_rect_meets_segment (HlRect rect, HlSpot a, HlSpot b);
double hl_point_segment_distance (HlSpot p, HlSpot a, HlSpot b);

/* A view that shows the whole drawing: symbols have a size in pixels, which a world rectangle does not include. */

/* The device rectangle of all that is drawn with a view, its symbols included. */
typedef HlRect (*HlViewExtent) (const HlView *view, gpointer data);

/* Fits as hl_view_fit (), and then with so much more room on each side that nothing of the extent is outside
 * the area, if possible. extent NULL: hl_view_fit () alone. */
void hl_view_fit_all (HlView *view, HlRect world, HlRect area, double margin_px, double max_scale,
                      HlViewExtent extent, gpointer data);
