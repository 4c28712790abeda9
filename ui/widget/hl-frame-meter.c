/* SPDX-License-Identifier: MIT */
#include "ui/widget/hl-frame-meter.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW 240        /* the last this many */
#define INTERVAL_US 16667 /* where the display does not report it */
#define MARGIN_US 700     /* for what comes after painting */

typedef struct {
  double ms[WINDOW];
  guint n; /* ever added */
} Samples;

struct _HlFrameMeter {
  GdkFrameClock *clock;
  gulong before_handler, after_handler;
  gint64 began_us;
  gint64 updated_us; /* 0: nothing was updated in this frame */
  gint64 paint_us;   /* recent time of layout and painting */
  gint64 due_us;     /* 0: nothing due */
  Samples frames, latencies;
};

static void add_sample (Samples *samples, double ms) {
  samples->ms[samples->n++ % WINDOW] = ms;
}

static int compare_times (const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static HlFrameTimes summarise (const Samples *samples) {
  HlFrameTimes times = {.n = (int)MIN (samples->n, WINDOW)};
  double sorted[WINDOW];

  if (times.n == 0)
    return times;
  memcpy (sorted, samples->ms, sizeof (double) * (size_t)times.n);
  qsort (sorted, (size_t)times.n, sizeof (double), compare_times);
  times.median_ms = sorted[times.n / 2];
  times.p95_ms = sorted[times.n * 95 / 100];
  return times;
}

static void before_paint_cb (GdkFrameClock *clock, HlFrameMeter *meter) {
  meter->began_us = g_get_monotonic_time ();
  meter->updated_us = 0;
}

static void after_paint_cb (GdkFrameClock *clock, HlFrameMeter *meter) {
  gint64 now = g_get_monotonic_time ();

  if (meter->began_us != 0)
    add_sample (&meter->frames, 1e-3 * (double)(now - meter->began_us));
  if (meter->due_us != 0)
    add_sample (&meter->latencies, 1e-3 * (double)(now - meter->due_us));
  if (meter->updated_us != 0) {
    /* One slow frame does not predict the next one: the processor was busy. If each did, no run would be waited for as
     * long as that is remembered. */
    gint64 paint_us = now - meter->updated_us, more = paint_us - meter->paint_us;
    meter->paint_us += meter->paint_us == 0 ? more : more > 0 ? more / 4 : more / 8;
  }
  meter->began_us = meter->due_us = 0;
}

HlFrameMeter *hl_frame_meter_new (void) {
  return g_new0 (HlFrameMeter, 1);
}

void hl_frame_meter_watch (HlFrameMeter *meter, GtkWidget *widget) {
  if (meter->clock != NULL) {
    g_clear_signal_handler (&meter->before_handler, meter->clock);
    g_clear_signal_handler (&meter->after_handler, meter->clock);
    g_clear_object (&meter->clock);
  }
  if (widget == NULL)
    return;
  meter->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  meter->before_handler =
      g_signal_connect (meter->clock, "before-paint", G_CALLBACK (before_paint_cb), meter);
  meter->after_handler = g_signal_connect (meter->clock, "after-paint", G_CALLBACK (after_paint_cb), meter);
}

void hl_frame_meter_free (HlFrameMeter *meter) {
  if (meter == NULL)
    return;
  hl_frame_meter_watch (meter, NULL);
  g_free (meter);
}

void hl_frame_meter_result_due (HlFrameMeter *meter, gint64 changed_us) {
  meter->due_us = changed_us;
}

void hl_frame_meter_updated (HlFrameMeter *meter) {
  meter->updated_us = g_get_monotonic_time ();
}

gint64 hl_frame_meter_paint_due (const HlFrameMeter *meter) {
  gint64 interval_us = INTERVAL_US, began_us = meter->began_us;

  if (meter->clock != NULL)
    gdk_frame_clock_get_refresh_info (meter->clock, 0, &interval_us, NULL);
  if (began_us == 0)
    began_us = g_get_monotonic_time ();
  return began_us + interval_us - MARGIN_US - meter->paint_us;
}

HlFrameTimes hl_frame_meter_frames (const HlFrameMeter *meter) {
  return summarise (&meter->frames);
}

HlFrameTimes hl_frame_meter_latencies (const HlFrameMeter *meter) {
  return summarise (&meter->latencies);
}

void hl_frame_meter_reset (HlFrameMeter *meter) {
  meter->frames.n = meter->latencies.n = 0;
}
