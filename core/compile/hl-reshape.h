/* SPDX-License-Identifier: MIT */
/* Numbers that shape the model (points, axes, amplitudes of signals) cannot be changed in a
 * compiled system. Sweeps over them compile the document anew at every value, as long as the result
 * has the same bodies and states, and go on in the same coordinates. */
#pragma once

#include "core/document/hl-document.h"
#include "core/system/hl-system.h"

/* The document with every path set to value times its own of factors[paths] (NULL: 1 each); NULL
 * when one cannot take it. A new reference. */
HlDocument *hl_reshape_document (const HlDocument *document, const char *const *paths, const double *factors,
                                 double value);

/* Compiled, with as many bodies, pressures and spools as `like`; NULL and a fault otherwise. */
HlSystem *hl_reshape_system (const HlDocument *document, const HlSystem *like, HlFault *fault);

/* The independent coordinates of a partition, positions first. */
typedef struct {
  int *columns; /* n */
  int n;
} HlReshapeColumns;

/* The global columns that are independent, then those that are admissible, in the present
 * partition; they stay in the arena. */
HlReshapeColumns hl_reshape_note_columns (const HlWork *work, HlArena *arena);
/* Where the rule of the file format would now choose other coordinates at the point, those of
 * before stay. HL_SINGULAR when they cannot. */
HlStatus hl_reshape_keep_columns (const HlSystem *sys, HlWork *work, const HlPoint *point,
                                  const HlReshapeColumns *kept, HlFault *fault);
