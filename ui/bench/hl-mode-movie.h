/* SPDX-License-Identifier: MIT */
/* HlModeMovie: one mode as the drawings show it: the poses of one period, exaggerated, and what
 * share the pressures take. */
#pragma once

#include "core/document/hl-document.h"
#include "core/run/hl-results.h"
#include "ui/bench/hl-working-point.h"

typedef struct {
  HlResults *results; /* the columns of a run; t goes from 0 to 1 over the period */
  int mode;           /* eigenvalue of the working point */
  double amplitude;   /* as it is: smaller than asked for where the constraints want it */
} HlModeMovie;

/* `amplitude`: of the coordinate that moves most [m or rad]. NULL when no pose can be found. */
HlModeMovie *hl_mode_movie_new (const HlDocument *document, const HlWorkingPoint *at, int mode,
                                double amplitude);
void hl_mode_movie_free (HlModeMovie *movie);

/* Pressure of a line in a mode, relative to the line with the largest one: size 0 to 1 and phase
 * [rad] against the coordinate that moves most. FALSE: no pressure of its own. */
gboolean hl_mode_pressure (const HlWorkingPoint *at, int mode, const char *line_id, double *size,
                           double *phase);
