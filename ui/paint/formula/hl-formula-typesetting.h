/* SPDX-License-Identifier: MIT */
/* Typesetting of formulas: fractions, roots, powers, indices, cases and growing brackets, with glyphs by
 * Pango and strokes by cairo. The libraries of Debian that draw formulas on cairo need TeX or a browser, and
 * the help needs no more than this. */
#pragma once

#include "core/help/hl-formula-tree.h"
#include "ui/paint/base/hl-drawing-style.h"
#include "ui/paint/base/hl-view-transform.h"

typedef struct _HlFormulaBox HlFormulaBox;

/* Sets it in the style's size; `cr` measures. */
HlFormulaBox *hl_formula_box_new (cairo_t *cr, const HlTerm *term, const HlStyle *style);
void hl_formula_box_free (HlFormulaBox *box);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlFormulaBox, hl_formula_box_free)

/* Returns width, and height above and below its line [px]. */
void hl_formula_box_size (const HlFormulaBox *box, double *width, double *above, double *below);
/* Paints it with the left end of its line at a spot. */
void hl_formula_box_paint (cairo_t *cr, const HlFormulaBox *box, HlSpot at, HlColor color);
