/* SPDX-License-Identifier: MIT */
/* List of the differences of two models. */
#pragma once

#include "core/document/hl-document.h"

typedef struct {
  char *path;          /* "cyl.friction.Fc", "link2.points.C.x", "simulation.model" */
  HlQuantity quantity; /* of the numbers */
  gboolean is_number;
  double before, after;           /* SI; NAN where one of them has no such number */
  char *before_text, *after_text; /* otherwise; NULL: not there */
} HlDifference;

/* Returns an array of HlDifference in file order, owned by the caller: differing numbers, choices, texts and
 * references, and elements that only one document has. A number that only one document states is compared
 * with its default. Differences of presentation (layout, plots, sliders, parameter sets, names) are left
 * out. */
GPtrArray *hl_document_differences (const HlDocument *before, const HlDocument *after);

/* Returns whether a formula stands at that path in `before`, and no longer in `after`. */
gboolean hl_document_lost_formula_at (const HlDocument *before, const HlDocument *after, const char *path);
/* Returns the place of a formula that is a plain number in `after`, as a drag in a drawing leaves it: its
 * path, owned by the caller; NULL: none was lost. Parameters themselves are not examined. */
char *hl_document_lost_formula (const HlDocument *before, const HlDocument *after);

/* Returns whether both give the same run. */
gboolean hl_document_same_model (const HlDocument *a, const HlDocument *b);
