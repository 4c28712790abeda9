/* SPDX-License-Identifier: MIT */
#include "ui/workbench/hl-lever-input.h"

#include <math.h>
#include <stdatomic.h>

#define NAP_US 5000          /* longest sleep between two looks at the cancel mark */
#define MOST_LAG_US 50000    /* time that is made up for by going faster; more is let go */
#define PACE_EVERY_US 500000 /* over which the pace is taken */

/* Numbers on their way: a stack that the worker empties in one exchange. */
typedef struct _Number Number;
struct _Number {
  Number *next;
  HlParameter parameter;
  char *path;
  double value;
};

struct _HlDriveInput {
  atomic_int ref_count;
  int n_levers;
  _Atomic double *levers;
  _Atomic double speed, pace;
  atomic_bool paused;
  _Atomic (Number *) numbers;
  /* the worker's own: the clock read `anchor_us` when the drive was at `anchor_t` */
  gint64 anchor_us, pace_us;
  double anchor_t, pace_t, anchor_speed;
};

HlDriveInput *hl_drive_input_new (int n_levers, double speed) {
  HlDriveInput *desk = g_new0 (HlDriveInput, 1);

  atomic_init (&desk->ref_count, 1);
  desk->n_levers = n_levers;
  desk->levers = g_new0 (_Atomic double, n_levers + 1);
  for (int lever = 0; lever < n_levers; lever++)
    atomic_init (&desk->levers[lever], NAN);
  atomic_init (&desk->speed, speed);
  atomic_init (&desk->pace, NAN);
  atomic_init (&desk->paused, false);
  return desk;
}

static void free_numbers (Number *number) {
  while (number != NULL) {
    Number *next = number->next;
    g_free (number->path);
    g_free (number);
    number = next;
  }
}

HlDriveInput *hl_drive_input_ref (HlDriveInput *desk) {
  atomic_fetch_add (&desk->ref_count, 1);
  return desk;
}

void hl_drive_input_unref (HlDriveInput *desk) {
  if (desk == NULL || atomic_fetch_sub (&desk->ref_count, 1) > 1)
    return;
  free_numbers (atomic_load (&desk->numbers));
  g_free (desk->levers);
  g_free (desk);
}

void hl_drive_input_set_lever (HlDriveInput *desk, int lever, double value) {
  g_return_if_fail (lever >= 0 && lever < desk->n_levers);
  if (isfinite (value))
    atomic_store (&desk->levers[lever], value);
}

double hl_drive_input_lever (HlDriveInput *desk, int lever) {
  g_return_val_if_fail (lever >= 0 && lever < desk->n_levers, NAN);
  return atomic_load (&desk->levers[lever]);
}

void hl_drive_input_set_number (HlDriveInput *desk, HlParameter parameter, const char *path, double value) {
  Number *number = g_new (Number, 1), *head = atomic_load (&desk->numbers);

  *number = (Number){NULL, parameter, g_strdup (path), value};
  do
    number->next = head;
  while (!atomic_compare_exchange_weak (&desk->numbers, &head, number));
}

gboolean hl_drive_input_tune (HlDriveInput *desk, HlSystem *own, HlTape *tape, double t) {
  Number *taken = atomic_exchange (&desk->numbers, NULL), *oldest = NULL;

  while (taken != NULL) {
    Number *next = taken->next;
    taken->next = oldest;
    oldest = taken;
    taken = next;
  }
  for (const Number *number = oldest; number != NULL; number = number->next) {
    hl_system_set_parameter (own, number->parameter, number->value);
    if (tape != NULL)
      hl_tape_add (tape, t, number->path, TRUE, number->value);
  }
  gboolean any = oldest != NULL;
  free_numbers (oldest);
  return any;
}

void hl_drive_input_set_speed (HlDriveInput *desk, double speed) {
  g_return_if_fail (speed > 0.0);
  atomic_store (&desk->speed, speed);
}

void hl_drive_input_set_paused (HlDriveInput *desk, gboolean paused) {
  atomic_store (&desk->paused, paused != FALSE);
}

gboolean hl_drive_input_is_paused (HlDriveInput *desk) {
  return atomic_load (&desk->paused);
}

double hl_drive_input_pace (HlDriveInput *desk) {
  return atomic_load (&desk->pace);
}

/* Restarts the clock. */
static void anchor (HlDriveInput *desk, double t, gint64 now) {
  desk->anchor_t = t;
  desk->anchor_us = now;
  desk->anchor_speed = atomic_load (&desk->speed);
}

static gint64 due_time (const HlDriveInput *desk, double t) {
  return desk->anchor_us + (gint64)((double)G_USEC_PER_SEC * (t - desk->anchor_t) / desk->anchor_speed);
}

gboolean hl_drive_input_is_early (HlDriveInput *desk, double t) {
  return desk->anchor_us != 0 &&
         (atomic_load (&desk->paused) || due_time (desk, t) > g_get_monotonic_time ());
}

static void note_pace (HlDriveInput *desk, double t, gint64 now) {
  if (now - desk->pace_us < PACE_EVERY_US)
    return;
  if (desk->pace_us != 0)
    atomic_store (&desk->pace, (double)G_USEC_PER_SEC * (t - desk->pace_t) / (double)(now - desk->pace_us));
  desk->pace_us = now;
  desk->pace_t = t;
}

/* Waits while the run is paused; returns FALSE if it was cancelled. */
static gboolean stand_still (HlDriveInput *desk, double t, bool (*is_cancelled) (void *data), void *data) {
  if (!atomic_load (&desk->paused))
    return TRUE;
  while (atomic_load (&desk->paused)) {
    if (is_cancelled (data))
      return FALSE;
    g_usleep (NAP_US);
  }
  anchor (desk, t, g_get_monotonic_time ());
  desk->pace_us = 0;
  return TRUE;
}

gboolean hl_drive_input_wait (HlDriveInput *desk, double t, bool (*is_cancelled) (void *data), void *data) {
  gint64 now = g_get_monotonic_time ();

  if (desk->anchor_us == 0 || desk->anchor_speed != atomic_load (&desk->speed)) {
    anchor (desk, t, now);
    desk->pace_us = 0;
  }
  while (stand_still (desk, t, is_cancelled, data)) {
    gint64 left = due_time (desk, t) - (now = g_get_monotonic_time ());
    if (is_cancelled (data))
      return FALSE;
    if (left <= 0 || desk->anchor_speed != atomic_load (&desk->speed)) {
      if (left < -MOST_LAG_US)
        anchor (desk, t, now);
      note_pace (desk, t, now);
      return TRUE;
    }
    g_usleep ((gulong)MIN (left, NAP_US));
  }
  return FALSE;
}

void hl_drive_input_read (HlDriveInput *desk, double out[]) {
  for (int lever = 0; lever < desk->n_levers; lever++)
    out[lever] = atomic_load (&desk->levers[lever]);
}
