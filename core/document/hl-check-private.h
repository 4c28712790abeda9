/* SPDX-License-Identifier: MIT */
/* What hl-check*.c share. */
#pragma once

#include "core/document/hl-check.h"

/* One element and where it stands. */
typedef struct
{
  const HlDocument *document;
  HlFindings *findings;
  const HlKind *kind;
  const HlValue *element;
  const char *id; /* for the finding: "" when the element has none */
  char *place;    /* how paths begin: the id, or "bodies[2]" */
} HlCheckPlace;

/* Fields of an element or object against the schema: presence, type, range, references, groups. */
void hl_check_fields (const HlCheckPlace *place);
/* A signal value; `name` is the dotted name below the place. */
void hl_check_signal (const HlCheckPlace *place,
                      const HlField *field,
                      const HlValue *signal,
                      const char *name);
/* Ports, nets, sources and volumes. */
void hl_check_circuit (const HlDocument *document, HlFindings *findings);

/* Adds an error at PLACE.name. */
HlFinding *hl_check_add (const HlCheckPlace *place,
                         HlSeverity severity,
                         const char *name,
                         const char *advice,
                         const char *message,
                         ...) G_GNUC_PRINTF (5, 6);
