/* SPDX-License-Identifier: MIT */
/* Input of a scene besides the document: the displayed instant of a run, and the present marks. Scenes
 * convert these into the plain pictures for the painters; screen, report and exporter use the same scenes. */
#pragma once

#include "core/document/hl-document.h"
#include "core/document/hl-model-findings.h"
#include "core/run/hl-run-results.h"

typedef struct {
  const HlResults *results; /* NULL or without rows: what the document states */
  double t;                 /* [s] */
  HlColumnCursor *cursor;   /* of a scene, which looks up again in every frame; NULL: none */
  const double
      *start; /* x, y, angle of each body [SI] at the start of a run, within rounding of the drawn pose:
                               values of texts; NULL: as drawn */
} HlInstant;

typedef struct {
  const char *const *selected; /* NULL-terminated ids; NULL = none */
  const char *hovered;         /* id or NULL */
  const HlFindings *findings;  /* findings whose elements get a badge; NULL = none */
} HlMarks;

/* Returns the value of a path ("link2.angle", "V1.pressure") at the instant: from the run, else what the
 * document states, else NAN. */
double hl_instant_value (const HlInstant *instant, const HlDocument *document, const char *path);

/* Returns the same of "ID.NAME". */
double hl_instant_value_of (const HlInstant *instant, const HlDocument *document, const char *id,
                            const char *name);
/* Returns the recorded value of "ID.NAME"; NAN: none. */
double hl_instant_recorded (const HlInstant *instant, const char *id, const char *name);

gboolean hl_marks_is_selected (const HlMarks *marks, const char *id);
gboolean hl_marks_is_hovered (const HlMarks *marks, const char *id);
/* Returns whether the element has an error or a warning. */
gboolean hl_marks_is_problem (const HlMarks *marks, const char *id);

/* Units to show numbers in, one a quantity; NULL stands for the defaults. */
typedef const HlUnit *const *HlUnits;
const HlUnit *hl_units_get (HlUnits units, HlQuantity quantity);
/* Returns a value for people, "2.81 MPa", "−0.5"; the unit's symbol is left out for pure numbers. Owned by
 * the caller. */
char *hl_units_format (HlUnits units, HlQuantity quantity, double si, int digits);

/* Gets the vapour pressure of a line and the pressure limit of the file (INFINITY: none in this oil model)
 * [Pa]. Returns TRUE if the oil model has a vapour law; otherwise the liquid would be under tension below
 * the vapour pressure. */
gboolean hl_scene_pressure_marks (const HlDocument *document, double *vapour, double *limit);
