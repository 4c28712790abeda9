/* SPDX-License-Identifier: MIT */
/* A measure of a study: a number computed from a run or from the start state, with its argument and unit.
 * Measures of a run are computed here. */
#pragma once

#include "core/base/hl-json-value.h"
#include "core/run/hl-run-results.h"

typedef enum {
  /* of a probe over a run */
  HL_MEASURE_MIN,
  HL_MEASURE_MAX,
  HL_MEASURE_LAST,
  HL_MEASURE_MEAN,      /* over time */
  HL_MEASURE_RMS,       /* over time */
  HL_MEASURE_SETTLING,  /* from when on it stays within `band` of its largest distance from the last */
  HL_MEASURE_OVERSHOOT, /* overshoot of the last value, part of the change from the first to it */
  HL_MEASURE_RISE,      /* from 10 % to 90 % of the way from the first value to the last */
  HL_MEASURE_MAX_TIME,  /* when it is largest */
  HL_MEASURE_CROSSING,  /* when it passes `level` for the first time */
  /* energies of an element over a run; "*": of all */
  HL_MEASURE_LOST,
  HL_MEASURE_SUPPLIED,
  HL_MEASURE_STORED,
  /* of a run by itself */
  HL_MEASURE_REACHED, /* time to which it came */
  /* of the machine at its start, linearized */
  HL_MEASURE_GROWTH,       /* largest real part that is not null */
  HL_MEASURE_DAMPING,      /* least damping ratio */
  HL_MEASURE_FREQUENCY,    /* of the mode nearest to `level` [Hz] */
  HL_MEASURE_MODE_DAMPING, /* damping ratio of that mode */
  HL_MEASURE_GAIN_MARGIN,
  HL_MEASURE_PHASE_MARGIN,
  HL_MEASURE_WORST_GAIN,
  HL_N_MEASURES
} HlMeasureKind;

typedef struct {
  HlMeasureKind kind;
  char *name;       /* heading of its column */
  char *of;         /* probe, path or element; "" where there is none */
  double level;     /* of a crossing [unit of the probe], of a mode [Hz] */
  int direction;    /* of a crossing: +1 upwards, -1 downwards, 0 either */
  double band;      /* of settling; 0.02 */
  double low, high; /* limits: what the number must keep to; -INFINITY, INFINITY: none */
} HlMeasure;

typedef enum {
  HL_MEASURES_RUN,    /* needs a probe of a run */
  HL_MEASURES_ENERGY, /* needs the energies of a run */
  HL_MEASURES_END,    /* needs a run */
  HL_MEASURES_MODES,
  HL_MEASURES_LOOP
} HlMeasureSource;

/* Reads "KIND", "KIND:OF" or "KIND:OF:NUMBER", or an object of a study with such a text. FALSE:
 * HL_ERROR_SYNTAX. Clear it after success. */
gboolean hl_measure_read (HlMeasure *self, const HlValue *value, GError **error);
void hl_measure_clear (HlMeasure *self);

/* Returns the source of its number. */
HlMeasureSource hl_measure_source (const HlMeasure *self);
/* Returns the SI unit of the measure, from the unit of the measured quantity. */
const char *hl_measure_unit (const HlMeasure *self, const char *unit_of);
gboolean hl_measure_keeps_limits (const HlMeasure *self, double value);

/* Returns the number of a run, of source HL_MEASURES_RUN, of a column of its results; NAN: there is none. */
double hl_measure_eval (const HlMeasure *self, const HlResults *results, int column);
