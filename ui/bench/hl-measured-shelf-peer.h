/* SPDX-License-Identifier: MIT */
/* What the workbench does with its shelf of measured data. Nobody else includes this. */
#pragma once

#include "ui/bench/hl-measured-shelf.h"
#include "ui/bench/hl-hub.h"

HlMeasuredShelf *hl_measured_shelf_new (HlHub *hub);
void hl_measured_shelf_free (HlMeasuredShelf *self);
void hl_measured_shelf_forget (HlMeasuredShelf *self);
