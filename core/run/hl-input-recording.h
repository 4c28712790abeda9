/* SPDX-License-Identifier: MIT */
/* HlTape: the recorded input of an interactive run: at which tick a lever was moved to which position, or a
 * number of the model changed. A run depends on nothing else, so replaying the recording with the same model
 * gives the same run bit by bit; moves may be shifted or removed before a replay. Moves are in the order of
 * their times. */
#pragma once

#include "core/run/hl-interactive-run.h"

#include <glib.h>

typedef struct {
  double t;   /* [s] counts from the tick at or behind it */
  char *path; /* of a lever ("dcv.command") or of a number ("cyl.friction.Fc") */
  gboolean is_number;
  double value; /* SI */
} HlTapeMove;

typedef struct _HlTape HlTape;

/* Returns an empty recording with ticks of that length [s]. */
HlTape *hl_tape_new (double tick);
HlTape *hl_tape_copy (const HlTape *tape);
void hl_tape_free (HlTape *tape);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTape, hl_tape_free)

double hl_tape_tick (const HlTape *tape);
/* Returns the end of the recording [s]. */
double hl_tape_end (const HlTape *tape);
void hl_tape_set_end (HlTape *tape, double t);
int hl_tape_n_moves (const HlTape *tape);
const HlTapeMove *hl_tape_move (const HlTape *tape, int move); /* borrowed until the next change */

/* Adds a move, behind all of the same time. */
void hl_tape_add (HlTape *tape, double t, const char *path, gboolean is_number, double value);
/* Shifts a move to another time, not before 0 nor behind the end; returns its new index. */
int hl_tape_shift (HlTape *tape, int move, double t);
void hl_tape_remove (HlTape *tape, int move);
/* Returns the paths that moves name, each once, in the order of their first; free with g_strfreev (). */
char **hl_tape_paths (const HlTape *tape);
/* Returns the same of levers alone: the levers of a player of the tape, in their order. */
char **hl_tape_lever_paths (const HlTape *tape);

/* Input source that replays a tape and ends the drive at the end of the tape. */
typedef struct _HlTapePlayer HlTapePlayer;

/* Returns a player; NULL with the path that this system has neither as an input nor as a number that can
 * change while it runs (HL_ERROR_MODEL). The recording is copied. */
HlTapePlayer *hl_tape_player_new (const HlTape *tape, const HlSystem *sys, GError **error);
void hl_tape_player_free (HlTapePlayer *player);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTapePlayer, hl_tape_player_free)
/* Sets the options of hl_drive () with inputs, hand, tick and tune of the player, which is borrowed. */
void hl_tape_player_attach (HlTapePlayer *player, HlDriveOptions *options);
