/* SPDX-License-Identifier: MIT */
/* Power balance of a run with lumped oil: supplied, dissipated and stored power of every element, at every
 * row and integrated since the start. */
#pragma once

#include "core/run/hl-simulate.h"

#include <glib.h>

typedef enum {
  HL_POWER_BAR_IN,   /* comes from outside, or out of a store */
  HL_POWER_BAR_LOST, /* becomes heat */
  HL_POWER_BAR_OUT   /* goes outside, or into a store */
} HlPowerSide;

typedef struct {
  /* Id of the element; "" for a part without one, which `name` identifies. Borrowed of the system. */
  const char *id;
  const char *name; /* HL_TEXT: "oil in the lines", "kinetic energy" ...; NULL: an element */
  HlPowerSide side;
  double value; /* > 0 [W] or [J] */
} HlPowerBar;

typedef struct _HlPowerStudy HlPowerStudy;

/* Runs the system with the options, whose rows and outputs are not examined, with its own rows.
 * NULL and a fault when there is no start, with another oil than the lumped one, or when it was
 * cancelled; a run that stops early leaves what it had. Owned by the caller. */
HlPowerStudy *hl_power_study_new (HlSystem *system, const HlSimOptions *options, HlFault *fault);
void hl_power_study_free (HlPowerStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPowerStudy, hl_power_study_free)

double hl_power_study_t_end (const HlPowerStudy *study); /* of the last row [s] */
/* Bars at the row nearest to t: powers there, or with `energies` what was summed up from the start to t.
 * Inputs first, then losses, then the rest, each group by size; HlPowerBar, owned by the caller. *open
 * (may be NULL) is the balance error, which is due to rounding and the tolerance of the run. */
GArray *hl_power_study_bars (const HlPowerStudy *study, double t, gboolean energies, double *open);
/* Returns the sum of one side. */
double hl_power_bars_sum (const GArray *bars, HlPowerSide side);
