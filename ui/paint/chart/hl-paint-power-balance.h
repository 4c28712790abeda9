/* SPDX-License-Identifier: MIT */
/* Paints the power balance: horizontal bars by name, in three groups: supplied, lost, delivered and stored.
 * The bars of the first group have the same total length as those of the others. */
#pragma once

#include "core/run/hl-power-balance-run.h"
#include "ui/paint/base/hl-scene-input.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct {
  const GArray *bars; /* HlPowerBar; NULL: none */
  gboolean energies;  /* else powers */
  HlUnits units;
  const char *empty_text; /* in the middle when there are no bars */
  int hovered;            /* bar; -1: none */
} HlPowerPicture;

/* Returns "pump", or words for a bar that is no element. Borrowed. */
const char *hl_power_bar_label (const HlPowerBar *bar);
/* Returns the bar under a point; -1: none. */
int hl_power_bar_at (const HlPowerPicture *picture, HlRect area, const HlStyle *style, HlSpot at);
void hl_paint_power (cairo_t *cr, const HlPowerPicture *picture, HlRect area, const HlStyle *style);
