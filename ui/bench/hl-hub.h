/* SPDX-License-Identifier: MIT */
/* HlHub: what the objects on one bench share: the way to each other and to the workers, and the signals by which one tells the
 * others what it did. Its signals, for the objects and the workbench that they stand on:
 *
 *   "announce" (guint)    HlChange flags, to be sent out at once
 *   "wake"                there is something to do in the next frame
 *   "frame"               what is due is done now
 *   "start-over"          the document is another one altogether: what was computed is of no use
 *   "prefer-unit" (unit)  told at the end of the frame under way
 *   "document"            the document is another one, or lies elsewhere
 *   "system"              the compiled document is another one, or gone
 *   "numbers" (paths)     these numbers of the compiled document are others (NULL-terminated; NULL: any of them)
 *   "point" (before, now) the working point is another one; HlLinearization, NULL: there is none
 *   "stale"               what is computed from the working point is due
 *   "time"                the time cursor, or the run that it stands in, is another one
 *
 * Nobody outside ui/bench includes this. */
#pragma once

#include "core/linear/hl-linearize.h"
#include "ui/bench/hl-runner.h"
#include "ui/bench/hl-workbench.h"

#define HL_TYPE_HUB (hl_hub_get_type ())
G_DECLARE_FINAL_TYPE (HlHub, hl_hub, HL, HUB, GObject)

HlHub *hl_hub_new (void);
/* What stands on the bench, all borrowed. `units`: one a quantity. */
void hl_hub_place (HlHub *self, HlEditing *editing, HlRuns *runs, HlDriving *driving,
                   const HlUnit *const *units);
void hl_hub_set_runner (HlHub *self, HlRunner *runner);

HlEditing *hl_hub_editing (HlHub *self);
HlRuns *hl_hub_runs (HlHub *self);
HlDriving *hl_hub_driving (HlHub *self);
const HlUnit *const *hl_hub_units (HlHub *self);
/* The workers; NULL when the workbench is on its way out. */
HlRunner *hl_hub_runner (HlHub *self);

/* Three ways to tell that something changed (HlChange): at once; */
void hl_hub_announce (HlHub *self, guint changes);
/* in the next frame, and there will be one; */
void hl_hub_wake (HlHub *self, guint changes);
/* at the end of the frame under way. */
void hl_hub_note (HlHub *self, guint changes);
/* Returns what is noted; with `take`, it is noted no longer. */
guint hl_hub_noted (HlHub *self, gboolean take);

void hl_hub_frame (HlHub *self);
void hl_hub_start_over (HlHub *self);
void hl_hub_prefer_unit (HlHub *self, const HlUnit *unit);
void hl_hub_tell_document (HlHub *self);
void hl_hub_tell_system (HlHub *self);
void hl_hub_tell_numbers (HlHub *self, const char *const *paths);
void hl_hub_tell_point (HlHub *self, const HlLinearization *before, const HlLinearization *now);
void hl_hub_tell_stale (HlHub *self);
void hl_hub_tell_time (HlHub *self);
