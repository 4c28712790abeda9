/* SPDX-License-Identifier: MIT */
/* HlManualRun: a run without a fixed end time, from the working point, whose signals follow levers. It ends
 * when the user stops it, when the model is changed, or when the machine reaches the limit of its equations;
 * its rows are kept as a run. */
#pragma once

#include "core/document/hl-document.h"
#include "core/system/hl-system.h"
#include "ui/workbench/hl-run-collection.h"

#include <glib.h>

/* HlLever: a signal of the model that can be moved by hand while the model is driven, with its range, its
 * neutral position and whether it springs back. Levers of the file come first; other signals follow the
 * file until they are moved. */

typedef struct {
  char *path;  /* "dcv.command", "dcv.command.of.1" */
  char *label; /* "dcv: Command" */
  char *more;  /* effect of larger values, "raise"; NULL: the file has no word for it */
  char *less;
  int input; /* of the system */
  HlQuantity quantity;
  double from, to, neutral; /* SI */
  gboolean is_set;          /* the range, by a person */
  gboolean springs;         /* back to neutral when the mouse lets go */
  gboolean is_lever;        /* the file says that a hand moves it */
  double start;             /* at t = 0 */
} HlLever;

/* Sets another range and rest position, sorted. FALSE: the range is empty; it is unchanged. */
gboolean hl_lever_set_range (HlLever *lever, double from, double to, double neutral);
double hl_lever_clamp (const HlLever *lever, double value);

typedef struct _HlManualRun HlManualRun;

/* A driven run keeps its last rows within this; a lever's way is kept whole. */
#define HL_DRIVE_MOST_BYTES ((gsize)64 * 1024 * 1024)

gboolean hl_manual_run_is_possible (HlManualRun *self);
/* Begins an interactive run; does nothing if that is impossible. */
void hl_manual_run_begin (HlManualRun *self);
gboolean hl_manual_run_is_under_way (HlManualRun *self);
void hl_manual_run_set_paused (HlManualRun *self, gboolean paused);
gboolean hl_manual_run_is_paused (HlManualRun *self);
/* Sets the speed relative to real time, 1 at first; also for later runs. */
void hl_manual_run_set_speed (HlManualRun *self, double speed);
/* Returns "driving 12.3 s · 0.6 × real time · keeps the last 13 min"; NULL: not driving. Owned by the caller. */
char *hl_manual_run_text (HlManualRun *self);
/* Returns whether the run is too slow for the requested speed. */
gboolean hl_manual_run_is_late (HlManualRun *self);
/* Returns once the reason why the last interactive run ended without a command of the user; NULL: no message.
 * Owned by the caller. */
char *hl_manual_run_take_news (HlManualRun *self);

GPtrArray *hl_manual_run_levers (HlManualRun *self); /* HlLever, borrowed until the next change */
/* Moves a lever; only during an interactive run. */
void hl_manual_run_move_lever (HlManualRun *self, guint lever, double value);
/* Returns the present position of a lever: of the run, or at the time cursor of the displayed run, or at t =
 * 0. */
double hl_manual_run_lever (HlManualRun *self, guint lever);
/* Returns whether the lever is moved by hand, or was in the shown run; otherwise the file moves it. */
gboolean hl_manual_run_is_lever_held (HlManualRun *self, guint lever);
/* Drives the model of the start of `run` by a tape, which is copied: as fast as possible, to a run of its own. It is an
 * undo step if the model has changed since. FALSE: something is being driven by hand. */
gboolean hl_manual_run_replay (HlManualRun *self, const HlRun *run, const HlTape *tape, GError **error);
/* Makes the motions of the held levers signals of the file, in one undo step; the simulation time becomes
 * that of the interactive run. */
gboolean hl_manual_run_keep_levers (HlManualRun *self, const HlRun *run, GError **error);
