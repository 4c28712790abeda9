/* SPDX-License-Identifier: MIT */
/* Hose ends for other programs: where oil comes from outside. */
#pragma once

#include "core/document/hl-document.h"
#include "core/fmu/hl-fmu-export.h"

/* The model with a flow source of no flow on each place (NULL-terminated, or NULL), a port, "cyl.B", or a
 * line: in an FMU its flow, "cyl_B_hose.flow", is an input, and with the pressure of the line a terminal.
 * A port that is on no line gets one; where the oil asks for a volume, that which `validate` offers. Each
 * is told as a note. Errors begin with the place: HL_ERROR_USAGE no such port or line; HL_ERROR_FAILED what
 * keeps the pressure of the line, so that no flow has an effect. */
HlDocument *hl_fmu_with_hoses (const HlDocument *document, const char *const *places, HlFmuNote note,
                               gpointer data, GError **error);

typedef struct {
  char *name;   /* a place that hl_fmu_with_hoses () takes: a line, or a port that is on none */
  char *ports;  /* what the line joins, "cyl.A, dcv.A"; NULL: it is a port */
  char *keeper; /* what keeps the pressure there, so that it takes no hose; NULL: nothing does */
} HlFmuHosePlace;

/* Why a line whose pressure `keeper` keeps takes no hose; owned by the caller. */
char *hl_fmu_hose_why_not (const char *keeper);

/* Every line, then every port that is on none, in the order of the document; owned by the caller. */
GPtrArray *hl_fmu_hose_places (const HlDocument *document);
