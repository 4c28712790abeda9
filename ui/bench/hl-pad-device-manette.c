/* SPDX-License-Identifier: MIT */
/* By libmanette, which brings every device to one layout of sticks. */
#include "ui/bench/hl-pad.h"

#include <libmanette.h>

/* Codes of linux/input-event-codes.h, which libmanette keeps. */
enum { ABS_LEFT_X = 0x00, ABS_LEFT_Y = 0x01, ABS_RIGHT_X = 0x03, ABS_RIGHT_Y = 0x04 };

struct _HlPadDevice {
  HlPad *pad;
  ManetteMonitor *monitor;
  GPtrArray *sticks; /* ManetteDevice */
};

/* The kernel counts downwards: a stick that is pushed away is negative. */
static void axis_cb (ManetteDevice *stick, ManetteEvent *event, HlPadDevice *self) {
  guint16 code;
  double value;

  if (!manette_event_get_absolute (event, &code, &value))
    return;
  switch (code) {
  case ABS_LEFT_X:
    hl_pad_move (self->pad, HL_PAD_LEFT_X, value);
    break;
  case ABS_LEFT_Y:
    hl_pad_move (self->pad, HL_PAD_LEFT_Y, -value);
    break;
  case ABS_RIGHT_X:
    hl_pad_move (self->pad, HL_PAD_RIGHT_X, value);
    break;
  case ABS_RIGHT_Y:
    hl_pad_move (self->pad, HL_PAD_RIGHT_Y, -value);
    break;
  default:
    break;
  }
}

static void disconnected_cb (ManetteDevice *stick, HlPadDevice *self) {
  hl_pad_let_go (self->pad);
  g_signal_handlers_disconnect_by_data (stick, self);
  g_ptr_array_remove (self->sticks, stick);
}

static void connected_cb (ManetteMonitor *monitor, ManetteDevice *stick, HlPadDevice *self) {
  g_ptr_array_add (self->sticks, g_object_ref (stick));
  g_signal_connect (stick, "absolute-axis-event", G_CALLBACK (axis_cb), self);
  g_signal_connect (stick, "disconnected", G_CALLBACK (disconnected_cb), self);
}

HlPadDevice *hl_pad_device_new (HlPad *pad) {
  HlPadDevice *self = g_new0 (HlPadDevice, 1);
  ManetteDevice *stick;

  self->pad = pad;
  self->sticks = g_ptr_array_new_with_free_func (g_object_unref);
  self->monitor = manette_monitor_new ();
  g_signal_connect (self->monitor, "device-connected", G_CALLBACK (connected_cb), self);
  g_autoptr (ManetteMonitorIter) present = manette_monitor_iterate (self->monitor);
  while (manette_monitor_iter_next (present, &stick))
    connected_cb (self->monitor, stick, self);
  return self;
}

void hl_pad_device_free (HlPadDevice *self) {
  if (self == NULL)
    return;
  for (guint i = 0; i < self->sticks->len; i++)
    g_signal_handlers_disconnect_by_data (self->sticks->pdata[i], self);
  g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_object_unref (self->monitor);
  g_ptr_array_unref (self->sticks);
  g_free (self);
}
