/* SPDX-License-Identifier: MIT */
/* HlDriving: a run without an end, from the working point, whose signals are moved by hand. It ends
 * when somebody stops it, when the model is changed, or when the machine comes to where its
 * equations end; what there is of it stays as a run. */
#pragma once

#include "core/document/hl-document.h"
#include "core/system/hl-system.h"
#include "ui/bench/hl-runs.h"

#include <glib.h>

/* HlLever: a signal of the model as a hand can take it over while the model is driven: where it
 * may go, where it rests, and whether it springs back there. Levers of the file come first; what
 * else the file says over time goes on as it says until the hand takes it. */

typedef struct {
  char *path;  /* "dcv.command", "dcv.command.of.1" */
  char *label; /* "dcv: Command" */
  char *more;  /* what it does at larger values, "raise"; NULL: the file has no word for it */
  char *less;
  int input; /* of the system */
  HlQuantity quantity;
  double from, to, neutral; /* SI */
  gboolean is_set;          /* the range, by a person */
  gboolean springs;         /* back to neutral when the mouse lets go */
  gboolean is_lever;        /* the file says that a hand moves it */
  double start;             /* at t = 0 */
} HlLever;

/* Another range and rest, brought in order. FALSE: a range of nothing; it stays as it was. */
gboolean hl_lever_set_range (HlLever *lever, double from, double to, double neutral);
double hl_lever_clamp (const HlLever *lever, double value);

typedef struct _HlDriving HlDriving;

/* A driven run keeps its last rows within this; a lever's way is kept whole. */
#define HL_DRIVE_MOST_BYTES ((gsize)64 * 1024 * 1024)

gboolean hl_driving_is_possible (HlDriving *self);
/* Nothing happens when it is not possible. */
void hl_driving_begin (HlDriving *self);
gboolean hl_driving_is_under_way (HlDriving *self);
void hl_driving_set_paused (HlDriving *self, gboolean paused);
gboolean hl_driving_is_paused (HlDriving *self);
/* Against real time, 1 at first; of drives to come as well. */
void hl_driving_set_speed (HlDriving *self, double speed);
/* "driving 12.3 s · 0.6 × real time · keeps the last 13 min"; NULL: not driving. Owned by the
 * caller. */
char *hl_driving_text (HlDriving *self);
/* The machine is too slow for the speed that is wished. */
gboolean hl_driving_is_late (HlDriving *self);
/* Why the last drive ended if nobody stopped it, told once; NULL: nothing to tell. Owned by the
 * caller. */
char *hl_driving_take_news (HlDriving *self);

GPtrArray *hl_driving_levers (HlDriving *self); /* HlLever, borrowed until the next change */
/* The hand puts a lever somewhere; only while driving. */
void hl_driving_move_lever (HlDriving *self, guint lever, double value);
/* Where it is: in the hand, or at the time cursor of the run that is shown, or at t = 0. */
double hl_driving_lever (HlDriving *self, guint lever);
/* Whether the hand has it, or had it in the run that is shown; else the file moves it. */
gboolean hl_driving_is_lever_held (HlDriving *self, guint lever);
/* The model as it was when `run` began to be driven, which is an undo step when it is another one now,
 * is driven by a tape, which is copied: as fast as it goes, to a run of its own. FALSE: something is
 * being driven by hand. */
gboolean hl_driving_replay (HlDriving *self, const HlRun *run, const HlTape *tape, GError **error);
/* One undo step: the ways of the levers that were held become signals of the file, which then runs
 * as long as the drive did. */
gboolean hl_driving_keep_levers (HlDriving *self, const HlRun *run, GError **error);
