/* SPDX-License-Identifier: MIT */
/* Interactive runs: runs without an end time, some of whose signals are moved by hand. Time is divided into
 * ticks. At each tick the input source gives the lever positions, and the signals reach them in straight
 * lines until the next tick. So the run depends on these positions only, and not on the clock: the input
 * source waits for the clock as needed. Levers at rest cause no restart. The movements of each lever form a
 * table signal, and a run of the file with these tables gives the same result. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-simulate.h"

/* Recorded lever movements of an interactive run: for each lever the corners of a polyline over time, in
 * which two equal times are a jump. A lever at rest needs no memory; a lever that moves all the time needs 16
 * bytes per tick; an unused lever has no corners. */

typedef struct HlLeverRecord HlLeverRecord;

/* Returns a record in which no lever is held. */
HlLeverRecord *hl_lever_record_new (int n_levers);
void hl_lever_record_free (HlLeverRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLeverRecord, hl_lever_record_free)

/* Adds a corner before the lever was moved, or at the start of its motion. */
void hl_lever_record_put (HlLeverRecord *record, int lever, double t, double y);
/* Adds a straight motion of a held lever from its position at `from` to y at `to`. Times must not decrease. */
void hl_lever_record_add (HlLeverRecord *record, int lever, double from, double to, double y);
/* Forgets what lies behind t: the drive ended there. */
void hl_lever_record_end (HlLeverRecord *record, double t);

/* Returns whether it ever was; levers are counted from 0, in the order of hands of the system. */
gboolean hl_lever_record_is_held (const HlLeverRecord *record, int lever);
/* Returns the value of a lever at t; NAN: not held. */
double hl_lever_record_value (const HlLeverRecord *record, int lever, double t);
/* Returns a signal of the file: a table of the corners, or a number for a lever that never moved; NULL: not held. Owned
 * by the caller. */
HlValue *hl_lever_record_signal (const HlLeverRecord *record, int lever);

struct _HlTape; /* core/run/hl-input-recording.h */

/* Returns the number of signals of the system that can be taken over: each input, but of a sum with levers
 * these. */
int hl_drive_n_inputs (const HlSystem *sys);
/* Returns the path of an input, "dcv.command", "dcv.command.of.1". Borrowed. */
const char *hl_drive_input_path (const HlSystem *sys, int input);
double hl_drive_input_start (const HlSystem *sys, int input); /* value at t = 0 */

typedef struct {
  HlSimOptions sim;  /* linear is off, ahead is filled in; t_end may be INFINITY */
  double tick;       /* [s] */
  const int *inputs; /* n_levers of the system's inputs; the others continue as the file says */
  int n_levers;
  /* At t: where each lever is to be one tick later; out[] holds where it is now. NAN: it is not
   * held; a signal that never was continues as the file says, one that was stays where it is. May
   * wait. False ends the drive. */
  bool (*hand) (double t, double out[], void *data);
  void *hand_data;
  /* Called after the input, or NULL: sets numbers of the run's own system from t on; returns true if it did.
   * Lumped model only, where all numbers are in the system; and no signals. */
  bool (*tune) (HlSystem *own, void *data);
  void *tune_data;
  /* Output, may be NULL: the system with the numbers at the end of the drive, for the text of its fault; owned by the
   * caller. */
  HlSystem **tuned;
  struct _HlTape *tape; /* receives the lever movements and the driven time; or NULL */
} HlDriveOptions;

/* Rows that a drive writes in a tick at most. */
#define HL_DRIVE_MOST_ROWS_A_TICK 100.0

/* Returns the options that the model file states (simulation.*), without an end, with every signal as a lever
 * left out. The lumped and the relaxed formulation are given a method without history and the accuracy of a
 * picture; a fixed step divides the tick. */
HlDriveOptions hl_drive_options_from_model (const HlSystem *sys);

/* Drives the machine. HL_CANCELLED when the input or sim.cancel ended it. `record` (may be NULL) receives the
 * lever motions until then, owned by the caller whatever the status. */
HlStatus hl_drive (const HlSystem *sys, const HlDriveOptions *options, HlLeverRecord **record,
                   HlSimStats *stats, HlFault *fault);
