/* SPDX-License-Identifier: MIT */
/* HlDriveDesk: what lies between the hand in the window and the drive in the worker: where the
 * levers are, how fast time goes, whether it stands. The window writes, the worker reads and waits
 * for the clock on the wall; every hand-over is an atomic. */
#pragma once

#include "core/run/hl-tape.h"
#include "core/system/hl-system.h"

#include <glib.h>

typedef struct _HlDriveDesk HlDriveDesk;

/* No lever is held yet: each goes as the file says. */
HlDriveDesk *hl_drive_desk_new (int n_levers, double speed);
HlDriveDesk *hl_drive_desk_ref (HlDriveDesk *desk);
void hl_drive_desk_unref (HlDriveDesk *desk);

/* --- for the window --- */

void hl_drive_desk_set_lever (HlDriveDesk *desk, int lever, double value);
double hl_drive_desk_lever (HlDriveDesk *desk, int lever);      /* NAN: not held yet */
void hl_drive_desk_set_speed (HlDriveDesk *desk, double speed); /* against real time */
void hl_drive_desk_set_paused (HlDriveDesk *desk, gboolean paused);
gboolean hl_drive_desk_is_paused (HlDriveDesk *desk);
/* A number of the model from now on. */
void hl_drive_desk_set_number (HlDriveDesk *desk, HlParameter parameter, const char *path, double value);
/* How fast time really went lately, against real time; NAN: not known yet. */
double hl_drive_desk_pace (HlDriveDesk *desk);

/* --- for the worker --- */

/* Whether the drive at t is ahead of the clock, so that hl_drive_desk_wait () will wait. */
gboolean hl_drive_desk_is_early (HlDriveDesk *desk, double t);
/* Waits until the clock has come to t. What cannot be computed in time is not made up for: time
 * goes more slowly. FALSE: cancelled. */
gboolean hl_drive_desk_wait (HlDriveDesk *desk, double t, bool (*is_cancelled) (void *data), void *data);
/* Numbers that were set since the last time, into the drive's own system, and onto its tape (may be
 * NULL) as of t; FALSE: none. */
gboolean hl_drive_desk_tune (HlDriveDesk *desk, HlSystem *own, HlTape *tape, double t);
/* Where the levers are; those never held are left as they are. */
void hl_drive_desk_read (HlDriveDesk *desk, double out[]);
