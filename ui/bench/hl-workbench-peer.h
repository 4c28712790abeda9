/* SPDX-License-Identifier: MIT */
/* What the hub does for the objects on the bench. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-runner.h"
#include "ui/bench/hl-workbench.h"

/* Three ways to tell that something changed (HlChange): at once; */
void hl_workbench_announce (HlWorkbench *self, guint changes);
/* in the next frame, and there will be one; */
void hl_workbench_wake (HlWorkbench *self, guint changes);
/* at the end of the frame under way. */
void hl_workbench_note (HlWorkbench *self, guint changes);
/* The workers; NULL when the workbench is on its way out. */
HlRunner *hl_workbench_runner (HlWorkbench *self);
/* The document is another one altogether: nothing of it is selected, and what was computed is of
 * no use. */
void hl_workbench_start_over (HlWorkbench *self);
/* As hl_workbench_set_unit, told at the end of the frame under way. */
void hl_workbench_prefer_unit (HlWorkbench *self, const HlUnit *unit);
