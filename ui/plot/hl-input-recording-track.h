/* SPDX-License-Identifier: MIT */
/* HlTapeTrack: the recorded input of the visible interactive run, as a track under the plots. A mark can be
 * dragged to another time or removed by Delete; the changed recording is replayed as a new run, or saved to a
 * file that `hydrolink simulate --tape` replays. Hidden for runs without recorded input. */
#pragma once

#include "core/run/hl-input-recording.h"
#include "ui/workbench/hl-workbench-state.h"
#include "ui/paint/chart/hl-paint-input-recording.h"

#include <gtk/gtk.h>

#define HL_TYPE_TAPE_TRACK (hl_tape_track_get_type ())
G_DECLARE_FINAL_TYPE (HlTapeTrack, hl_tape_track, HL, TAPE_TRACK, GtkBox)

/* Tells where the time axis of the plots above lies, and what is in view; FALSE: nothing is above. The
 * range is NAN when all of a run is in view. */
typedef gboolean (*HlTapeTrackAxis) (gpointer data, double *left, double *right, double *from, double *to);

/* Returns a track. The signal "notice" (text) reports the result of a recording. */
GtkWidget *hl_tape_track_new (HlWorkbench *workbench, HlTapeTrackAxis axis, gpointer data);
/* Takes the last change of the tape back, and again; a drag is one. FALSE: there is none. */
gboolean hl_tape_track_undo (HlTapeTrack *self);
gboolean hl_tape_track_redo (HlTapeTrack *self);
/* Updates the track when the plots above show another time or have moved. */
void hl_tape_track_axis_changed (HlTapeTrack *self);
/* Returns the edited tape; borrowed, NULL: none. */
const HlTape *hl_tape_track_tape (HlTapeTrack *self);
/* Returns the area that is drawn on, and its picture. */
GtkWidget *hl_tape_track_area (HlTapeTrack *self);
HlSpot hl_tape_track_spot (HlTapeTrack *self, int move);
gboolean hl_tape_track_save (HlTapeTrack *self, const char *path, GError **error);
