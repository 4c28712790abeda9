/* SPDX-License-Identifier: MIT */
#include "ui/workbench/hl-gamepad.h"

#ifdef HL_HAS_MANETTE
#include <libmanette.h>
#endif
#include <math.h>

#define TICK_MS 20
#define LONGEST_STEP 0.1 /* [s] of a clock that stood still meanwhile */

struct _HlGamepad {
  HlManualRun *driving;
  double at[HL_PAD_N_AXES]; /* beyond the dead zone */
  guint clock;              /* runs while a lever is pushed; 0: none is */
  gint64 then;
};

double hl_gamepad_beyond_dead_zone (double value) {
  double way = CLAMP (fabs (value), 0.0, 1.0) - HL_PAD_DEAD_ZONE;

  return way <= 0.0 ? 0.0 : copysign (way / (1.0 - HL_PAD_DEAD_ZONE), value);
}

HlGamepad *hl_gamepad_new (HlManualRun *driving) {
  HlGamepad *pad = g_new0 (HlGamepad, 1);

  pad->driving = driving;
  return pad;
}

void hl_gamepad_free (HlGamepad *pad) {
  if (pad == NULL)
    return;
  g_clear_handle_id (&pad->clock, g_source_remove);
  g_free (pad);
}

/* Returns the lever of a stick; NULL: none. */
static const HlLever *lever_of (const HlGamepad *pad, int axis) {
  GPtrArray *levers = hl_manual_run_levers (pad->driving);
  return (guint)axis < levers->len ? levers->pdata[axis] : NULL;
}

/* Returns the lever position for a stick position: linear on both sides of the neutral position. */
static double place_of (const HlLever *lever, double at) {
  return lever->neutral +
         (at > 0.0 ? at * (lever->to - lever->neutral) : at * (lever->neutral - lever->from));
}

static gboolean is_pushed (const HlGamepad *pad, int axis) {
  const HlLever *lever = lever_of (pad, axis);
  return lever != NULL && !lever->springs && pad->at[axis] != 0.0;
}

void hl_gamepad_advance (HlGamepad *pad, double seconds) {
  for (int axis = 0; axis < HL_PAD_N_AXES; axis++) {
    const HlLever *lever = lever_of (pad, axis);
    if (is_pushed (pad, axis))
      hl_manual_run_move_lever (pad->driving, (guint)axis,
                                hl_manual_run_lever (pad->driving, (guint)axis) +
                                    pad->at[axis] * (lever->to - lever->from) * seconds / HL_PAD_WAY);
  }
}

static gboolean clock_cb (gpointer data) {
  HlGamepad *pad = data;
  gint64 now = g_get_monotonic_time ();

  hl_gamepad_advance (pad, fmin ((double)(now - pad->then) / (double)G_USEC_PER_SEC, LONGEST_STEP));
  pad->then = now;
  for (int axis = 0; axis < HL_PAD_N_AXES; axis++)
    if (is_pushed (pad, axis))
      return G_SOURCE_CONTINUE;
  pad->clock = 0;
  return G_SOURCE_REMOVE;
}

void hl_gamepad_move (HlGamepad *pad, HlPadAxis axis, double value) {
  const HlLever *lever = lever_of (pad, (int)axis);
  double at = isfinite (value) ? hl_gamepad_beyond_dead_zone (value) : pad->at[axis];

  if (at == pad->at[axis])
    return; /* a stick at rest trembles; a lever that it never moved stays the file's */
  pad->at[axis] = at;
  if (lever != NULL && lever->springs)
    hl_manual_run_move_lever (pad->driving, axis, place_of (lever, at));
  if (pad->clock == 0 && is_pushed (pad, (int)axis)) {
    pad->then = g_get_monotonic_time ();
    pad->clock = g_timeout_add (TICK_MS, clock_cb, pad);
  }
}

void hl_gamepad_let_go (HlGamepad *pad) {
  for (int axis = 0; axis < HL_PAD_N_AXES; axis++)
    hl_gamepad_move (pad, (HlPadAxis)axis, 0.0);
}

/* --- devices --- */

#ifdef HL_HAS_MANETTE

/* libmanette brings every device to one layout of sticks. */

/* Codes of linux/input-event-codes.h, which libmanette keeps. */
enum { ABS_LEFT_X = 0x00, ABS_LEFT_Y = 0x01, ABS_RIGHT_X = 0x03, ABS_RIGHT_Y = 0x04 };

struct _HlPadDevice {
  HlGamepad *pad;
  ManetteMonitor *monitor;
  GPtrArray *sticks; /* ManetteDevice */
};

/* Handles the axis of a stick. The kernel counts downwards: a stick that is pushed away is negative. */
static void axis_cb (ManetteDevice *stick, ManetteEvent *event, HlPadDevice *self) {
  guint16 code;
  double value;

  if (!manette_event_get_absolute (event, &code, &value))
    return;
  switch (code) {
  case ABS_LEFT_X:
    hl_gamepad_move (self->pad, HL_PAD_LEFT_X, value);
    break;
  case ABS_LEFT_Y:
    hl_gamepad_move (self->pad, HL_PAD_LEFT_Y, -value);
    break;
  case ABS_RIGHT_X:
    hl_gamepad_move (self->pad, HL_PAD_RIGHT_X, value);
    break;
  case ABS_RIGHT_Y:
    hl_gamepad_move (self->pad, HL_PAD_RIGHT_Y, -value);
    break;
  default:
    break;
  }
}

static void disconnected_cb (ManetteDevice *stick, HlPadDevice *self) {
  hl_gamepad_let_go (self->pad);
  g_signal_handlers_disconnect_by_data (stick, self);
  g_ptr_array_remove (self->sticks, stick);
}

static void connected_cb (ManetteMonitor *monitor, ManetteDevice *stick, HlPadDevice *self) {
  g_ptr_array_add (self->sticks, g_object_ref (stick));
  g_signal_connect (stick, "absolute-axis-event", G_CALLBACK (axis_cb), self);
  g_signal_connect (stick, "disconnected", G_CALLBACK (disconnected_cb), self);
}

HlPadDevice *hl_gamepad_device_new (HlGamepad *pad) {
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

void hl_gamepad_device_free (HlPadDevice *self) {
  if (self == NULL)
    return;
  for (guint i = 0; i < self->sticks->len; i++)
    g_signal_handlers_disconnect_by_data (self->sticks->pdata[i], self);
  g_signal_handlers_disconnect_by_data (self->monitor, self);
  g_object_unref (self->monitor);
  g_ptr_array_unref (self->sticks);
  g_free (self);
}

#else

HlPadDevice *hl_gamepad_device_new (HlGamepad *pad) {
  return NULL;
}

void hl_gamepad_device_free (HlPadDevice *device) {
}

#endif
