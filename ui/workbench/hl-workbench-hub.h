/* SPDX-License-Identifier: MIT */
/* HlHub: connects the objects of one workbench with each other and with the worker threads. Included in ui/workbench only. Signals:
 *
 *   "announce" (guint)    send these HlChange flags now
 *   "wake"                the next frame has work to do
 *   "frame"               do the work of a frame now
 *   "start-over"          another document was opened: drop all results
 *   "prefer-unit" (unit)  use this unit, and announce it at the end of the frame
 *   "document"            the document or its path changed
 *   "system"              the compiled document changed or was dropped
 *   "numbers" (paths)     these numbers of the compiled document changed (NULL-terminated; NULL: any number)
 *   "point" (before, now) the working point changed; both HlLinearization, NULL if there is none
 *   "stale"               results that depend on the working point must be computed again
 *   "time"                the time cursor moved, or another run is shown
 */
#pragma once

#include "core/linear/hl-linearize.h"
#include "ui/workbench/hl-window-workers.h"
#include "ui/workbench/hl-workbench-state.h"

#define HL_TYPE_HUB (hl_hub_get_type ())
G_DECLARE_FINAL_TYPE (HlHub, hl_hub, HL, HUB, GObject)

HlHub *hl_hub_new (void);
/* Sets the objects of the workbench, all borrowed, and one unit for each quantity. */
void hl_hub_place (HlHub *self, HlEditing *editing, HlRuns *runs, HlManualRun *driving,
                   const HlUnit *const *units);
void hl_hub_set_runner (HlHub *self, HlRunner *runner);

HlEditing *hl_hub_editing (HlHub *self);
HlRuns *hl_hub_runs (HlHub *self);
HlManualRun *hl_hub_manual_run (HlHub *self);
const HlUnit *const *hl_hub_units (HlHub *self);
/* Returns the workers, NULL while the workbench is disposed. */
HlRunner *hl_hub_runner (HlHub *self);

/* Announces HlChange flags now. */
void hl_hub_announce (HlHub *self, guint changes);
/* Announces changes in the next frame, which is requested. */
void hl_hub_wake (HlHub *self, guint changes);
/* Announces changes at the end of the present frame. */
void hl_hub_note (HlHub *self, guint changes);
/* Returns the flags that were noted, and clears them if `take`. */
guint hl_hub_noted (HlHub *self, gboolean take);

void hl_hub_frame (HlHub *self);
void hl_hub_start_over (HlHub *self);
void hl_hub_prefer_unit (HlHub *self, const HlUnit *unit);
void hl_hub_notify_document (HlHub *self);
void hl_hub_notify_system (HlHub *self);
void hl_hub_notify_numbers (HlHub *self, const char *const *paths);
void hl_hub_notify_point (HlHub *self, const HlLinearization *before, const HlLinearization *now);
void hl_hub_notify_stale (HlHub *self);
void hl_hub_notify_time (HlHub *self);
