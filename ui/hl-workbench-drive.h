/* SPDX-License-Identifier: MIT */
/* Driving, as the window's hub knows it: a run without an end, from the working point, whose
 * signals are moved by hand. It ends when somebody stops it, when the model is changed, or when the
 * machine comes to where its equations end; what there is of it stays as a run. */
#pragma once

#include "ui/hl-lever.h"
#include "ui/hl-workbench.h"

/* A driven run keeps its last rows within this; a lever's way is kept whole. */
#define HL_DRIVE_MOST_BYTES ((gsize)64 * 1024 * 1024)

gboolean hl_workbench_can_drive (HlWorkbench *self);
/* Begins; nothing happens when it cannot. */
void hl_workbench_drive (HlWorkbench *self);
gboolean hl_workbench_is_driving (HlWorkbench *self);
void hl_workbench_set_drive_paused (HlWorkbench *self, gboolean paused);
gboolean hl_workbench_is_drive_paused (HlWorkbench *self);
/* Against real time, 1 at first; of drives to come as well. */
void hl_workbench_set_drive_speed (HlWorkbench *self, double speed);
/* "driving 12.3 s · 0.6 × real time · keeps the last 13 min"; NULL: not driving. Owned by the
 * caller. */
char *hl_workbench_drive_text (HlWorkbench *self);
/* The machine is too slow for the speed that is wished. */
gboolean hl_workbench_is_drive_late (HlWorkbench *self);
/* Why the last drive ended if nobody stopped it, told once; NULL: nothing to tell. Owned by the
 * caller. */
char *hl_workbench_take_drive_news (HlWorkbench *self);

GPtrArray *hl_workbench_levers (HlWorkbench *self); /* HlLever, borrowed until the next change */
/* The hand puts a lever somewhere; only while driving. */
void hl_workbench_move_lever (HlWorkbench *self, guint lever, double value);
/* Where it is: in the hand, or at the time cursor of the run that is shown, or at t = 0. */
double hl_workbench_lever (HlWorkbench *self, guint lever);
/* Whether the hand has it, or had it in the run that is shown; else the file moves it. */
gboolean hl_workbench_is_lever_held (HlWorkbench *self, guint lever);
/* One undo step: the ways of the levers that were held become signals of the file, which then runs
 * as long as the drive did. */
gboolean hl_workbench_keep_levers (HlWorkbench *self, const HlRun *run, GError **error);
