/* SPDX-License-Identifier: MIT */
/* What HlRuns does with its shelf of measured data. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-measured-shelf.h"
#include "ui/bench/hl-workbench.h"

HlMeasuredShelf *hl_measured_shelf_new (HlWorkbench *hub);
void hl_measured_shelf_free (HlMeasuredShelf *self);
/* Reads what the document names when that is another than before. */
void hl_measured_shelf_follow (HlMeasuredShelf *self);
void hl_measured_shelf_forget (HlMeasuredShelf *self);
