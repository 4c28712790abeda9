/* SPDX-License-Identifier: MIT */
/* What two models differ by. */
#pragma once

#include "core/document/hl-document.h"

typedef struct {
  char *path;          /* "cyl.friction.Fc", "link2.points.C.x", "simulation.model" */
  HlQuantity quantity; /* of the numbers */
  gboolean is_number;
  double before, after;           /* SI; NAN where one of them has no such number */
  char *before_text, *after_text; /* otherwise; NULL: not there */
} HlDifference;

/* Array of HlDifference in file order, owned by the caller: every number, choice, text, reference,
 * and elements that only one of the two has. A number that is stated in one and left to its default
 * in the other is compared with the default. What only concerns the picture (layout, plots,
 * sliders, parameter sets, names) is left out. */
GPtrArray *hl_document_differences (const HlDocument *before, const HlDocument *after);

/* Whether a formula stands at that path in `before`, and no longer in `after`. */
gboolean hl_document_lost_formula_at (const HlDocument *before, const HlDocument *after, const char *path);
/* The place of a formula that is a plain number in `after`, as a drag in a drawing leaves it: its path,
 * owned by the caller; NULL: none was lost. Parameters themselves are not looked at. */
char *hl_document_lost_formula (const HlDocument *before, const HlDocument *after);

/* Whether both give the same run. */
gboolean hl_document_same_model (const HlDocument *a, const HlDocument *b);
