/* SPDX-License-Identifier: MIT */
#include "ui/bench/hl-pad.h"

#include <math.h>

#define TICK_MS 20
#define LONGEST_STEP 0.1 /* [s] of a clock that stood still meanwhile */

struct _HlPad {
  HlDriving *driving;
  double at[HL_PAD_N_AXES]; /* beyond the dead zone */
  guint clock;              /* runs while a lever is pushed; 0: none is */
  gint64 then;
};

double hl_pad_beyond_dead_zone (double value) {
  double way = CLAMP (fabs (value), 0.0, 1.0) - HL_PAD_DEAD_ZONE;

  return way <= 0.0 ? 0.0 : copysign (way / (1.0 - HL_PAD_DEAD_ZONE), value);
}

HlPad *hl_pad_new (HlDriving *driving) {
  HlPad *pad = g_new0 (HlPad, 1);

  pad->driving = driving;
  return pad;
}

void hl_pad_free (HlPad *pad) {
  if (pad == NULL)
    return;
  g_clear_handle_id (&pad->clock, g_source_remove);
  g_free (pad);
}

/* NULL: the stick has no lever. */
static const HlLever *lever_of (const HlPad *pad, int axis) {
  GPtrArray *levers = hl_driving_levers (pad->driving);
  return (guint)axis < levers->len ? levers->pdata[axis] : NULL;
}

/* The lever stands where the stick stands: linear to both sides of its neutral place. */
static double place_of (const HlLever *lever, double at) {
  return lever->neutral +
         (at > 0.0 ? at * (lever->to - lever->neutral) : at * (lever->neutral - lever->from));
}

static gboolean pushes (const HlPad *pad, int axis) {
  const HlLever *lever = lever_of (pad, axis);
  return lever != NULL && !lever->springs && pad->at[axis] != 0.0;
}

void hl_pad_advance (HlPad *pad, double seconds) {
  for (int axis = 0; axis < HL_PAD_N_AXES; axis++) {
    const HlLever *lever = lever_of (pad, axis);
    if (pushes (pad, axis))
      hl_driving_move_lever (pad->driving, (guint)axis,
                             hl_driving_lever (pad->driving, (guint)axis) +
                                 pad->at[axis] * (lever->to - lever->from) * seconds / HL_PAD_WAY);
  }
}

static gboolean clock_cb (gpointer data) {
  HlPad *pad = data;
  gint64 now = g_get_monotonic_time ();

  hl_pad_advance (pad, fmin ((double)(now - pad->then) / (double)G_USEC_PER_SEC, LONGEST_STEP));
  pad->then = now;
  for (int axis = 0; axis < HL_PAD_N_AXES; axis++)
    if (pushes (pad, axis))
      return G_SOURCE_CONTINUE;
  pad->clock = 0;
  return G_SOURCE_REMOVE;
}

void hl_pad_move (HlPad *pad, HlPadAxis axis, double value) {
  const HlLever *lever = lever_of (pad, (int)axis);
  double at = isfinite (value) ? hl_pad_beyond_dead_zone (value) : pad->at[axis];

  if (at == pad->at[axis])
    return; /* a stick at rest trembles; a lever that it never moved stays the file's */
  pad->at[axis] = at;
  if (lever != NULL && lever->springs)
    hl_driving_move_lever (pad->driving, axis, place_of (lever, at));
  if (pad->clock == 0 && pushes (pad, (int)axis)) {
    pad->then = g_get_monotonic_time ();
    pad->clock = g_timeout_add (TICK_MS, clock_cb, pad);
  }
}

void hl_pad_let_go (HlPad *pad) {
  for (int axis = 0; axis < HL_PAD_N_AXES; axis++)
    hl_pad_move (pad, (HlPadAxis)axis, 0.0);
}
