/* SPDX-License-Identifier: MIT */
/* HlFrameMeter: measures the duration of frames and the delay between a change and its trace on the screen. */
#pragma once

#include <gtk/gtk.h>

typedef struct _HlFrameMeter HlFrameMeter;

HlFrameMeter *hl_frame_meter_new (void);
void hl_frame_meter_free (HlFrameMeter *meter);

/* Listens to the frame clock of a realized widget; NULL stops. */
void hl_frame_meter_watch (HlFrameMeter *meter, GtkWidget *widget);

/* Notes that a number changed at this monotonic time; the next frame shows the result. */
void hl_frame_meter_result_due (HlFrameMeter *meter, gint64 changed_us);

/* Notes the end of the update of the present frame; layout and painting follow. */
void hl_frame_meter_updated (HlFrameMeter *meter);

/* Returns the time at which painting must begin so that the present frame ends within its interval (monotonic
 * time), estimated from the last frames. */
gint64 hl_frame_meter_paint_due (const HlFrameMeter *meter);

typedef struct {
  int n;
  double median_ms, p95_ms;
} HlFrameTimes;
HlFrameTimes hl_frame_meter_frames (const HlFrameMeter *meter);    /* before-paint to after-paint */
HlFrameTimes hl_frame_meter_latencies (const HlFrameMeter *meter); /* change to after-paint */
void hl_frame_meter_reset (HlFrameMeter *meter);
