/* SPDX-License-Identifier: MIT */
/* HlDriveInput: lever positions, speed factor and pause, shared between the window and the interactive run in
 * the worker thread. The window writes, the worker reads and waits for the clock; every access is atomic. */
#pragma once

#include "core/run/hl-input-recording.h"
#include "core/system/hl-system.h"

#include <glib.h>

typedef struct _HlDriveInput HlDriveInput;

/* Returns an input in which no lever is held: each follows the file. */
HlDriveInput *hl_drive_input_new (int n_levers, double speed);
HlDriveInput *hl_drive_input_ref (HlDriveInput *desk);
void hl_drive_input_unref (HlDriveInput *desk);

/* --- for the window --- */

void hl_drive_input_set_lever (HlDriveInput *desk, int lever, double value);
double hl_drive_input_lever (HlDriveInput *desk, int lever);      /* NAN: not held yet */
void hl_drive_input_set_speed (HlDriveInput *desk, double speed); /* against real time */
void hl_drive_input_set_paused (HlDriveInput *desk, gboolean paused);
gboolean hl_drive_input_is_paused (HlDriveInput *desk);
/* Sets a number of the model from now on. */
void hl_drive_input_set_number (HlDriveInput *desk, HlParameter parameter, const char *path, double value);
/* Returns the recent speed of simulated time relative to real time; NAN: not known yet. */
double hl_drive_input_pace (HlDriveInput *desk);

/* --- for the worker --- */

/* Returns whether the drive at t is ahead of the clock, so that hl_drive_input_wait () will wait. */
gboolean hl_drive_input_is_early (HlDriveInput *desk, double t);
/* Waits until the clock has come to t. What cannot be computed in time is not made up for: time
 * goes more slowly. FALSE: cancelled. */
gboolean hl_drive_input_wait (HlDriveInput *desk, double t, bool (*is_cancelled) (void *data), void *data);
/* Writes the numbers that were set since the last call into the system of the run, and into its recording
 * (may be NULL) at time t. Returns FALSE if there are none. */
gboolean hl_drive_input_tune (HlDriveInput *desk, HlSystem *own, HlTape *tape, double t);
/* Reads the positions of the levers; those never held are left unchanged. */
void hl_drive_input_read (HlDriveInput *desk, double out[]);
