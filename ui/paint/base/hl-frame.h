/* SPDX-License-Identifier: MIT */
/* The data rectangle of a plot: grid, tick labels, edge. Shared by time plots and the eigenvalue
 * plane. */
#pragma once

#include "ui/paint/base/hl-axis.h"
#include "ui/paint/base/hl-style.h"
#include "ui/paint/base/hl-view.h"

/* Room that tick labels want along their axis, and the widest label across it. */
double hl_frame_label_pitch_x (const HlStyle *style);
double hl_frame_label_pitch_y (const HlStyle *style);
double hl_frame_widest_label (cairo_t *cr, const HlTicks *ticks, const HlStyle *style);

void hl_frame_paint_grid_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style);
void hl_frame_paint_grid_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlStyle *style);

/* Labels below the frame; those that would touch one of the boxes from left to right are left out,
 * for a title there. */
void hl_frame_paint_labels_x (cairo_t *cr, HlRect frame, const HlTicks *ticks, const HlRect free[],
                              int n_free, const HlStyle *style);
void hl_frame_paint_labels_y (cairo_t *cr, HlRect frame, const HlTicks *ticks, gboolean right,
                              const HlStyle *style);

/* Thin line round the frame. */
void hl_frame_paint_edge (cairo_t *cr, HlRect frame, const HlStyle *style);

/* A box-zoom rectangle; nothing when it is empty. */
void hl_frame_paint_rubber_band (cairo_t *cr, HlRect band, const HlStyle *style);

/* A read-out: several lines of text on a panel, the first one bold. Its size (x = y = 0), its place
 * beside a point inside bounds, and the panel itself. */
HlRect hl_frame_read_out_size (cairo_t *cr, const char *text, const HlStyle *style);
HlRect hl_frame_read_out_beside (HlRect bounds, HlSpot at, HlRect size, const HlStyle *style);
void hl_frame_paint_read_out (cairo_t *cr, HlRect box, const char *text, const HlStyle *style);
