/* SPDX-License-Identifier: MIT */
/* What a scene needs beside the document: the instant of a run that it shows, and the marks of the
 * moment. Scenes turn these into the plain pictures that the painters take; they belong to screen,
 * report and exporter alike. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-finding.h"
#include "core/run/hl-results.h"

typedef struct {
  const HlResults *results; /* NULL or without rows: what the document states */
  double t;                 /* [s] */
  HlColumnCursor *cursor;   /* of a scene, which asks anew with every frame; NULL: none */
  const double *start;      /* x, y, angle of each body [SI] where a run starts, a hair from where
                               it is drawn: what texts tell; NULL: as drawn */
} HlInstant;

typedef struct {
  const char *const *selected; /* NULL-terminated ids; NULL = none */
  const char *hovered;         /* id or NULL */
  const HlFindings *findings;  /* whose elements get a badge; NULL = none */
} HlMarks;

/* Value of a path ("link2.angle", "V1.pressure") at the instant: from the run, else what the
 * document states, else NAN. */
double hl_instant_value (const HlInstant *instant, const HlDocument *document, const char *path);

/* The same of "ID.NAME". */
double hl_instant_value_of (const HlInstant *instant, const HlDocument *document, const char *id,
                            const char *name);
/* What the run has of "ID.NAME"; NAN: nothing. */
double hl_instant_recorded (const HlInstant *instant, const char *id, const char *name);

gboolean hl_marks_is_selected (const HlMarks *marks, const char *id);
gboolean hl_marks_is_hovered (const HlMarks *marks, const char *id);
/* Has an error or a warning. */
gboolean hl_marks_is_problem (const HlMarks *marks, const char *id);

/* Units to show numbers in, one a quantity; NULL stands for the defaults. */
typedef const HlUnit *const *HlUnits;
const HlUnit *hl_units_get (HlUnits units, HlQuantity quantity);
/* A value for people, "2.81 MPa", "−0.5"; the unit's symbol is left out for pure numbers. Owned by
 * the caller. */
char *hl_units_format (HlUnits units, HlQuantity quantity, double si, int digits);

/* Below what pressure a line stands beside vapour, and above what other it is over the file's limit
 * (INFINITY: in this oil none is) [Pa]. TRUE: the oil model has a law for vapour; else its liquid
 * would have to pull there. */
gboolean hl_scene_pressure_marks (const HlDocument *document, double *vapour, double *limit);
