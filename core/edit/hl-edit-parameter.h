/* SPDX-License-Identifier: MIT */
/* The edit verbs of named parameters, and sliders whose numbers are no numbers any more. */
#pragma once

#include "core/document/hl-document.h"

/* Adds a parameter, or gives it another text: a number in SI units, one with its unit, a formula.
 * Fails when it would have no value or something that rests on it would lose its own. */
HlDocument *hl_edit_set_parameter (const HlDocument *document, const char *name, const char *text,
                                   GError **error);
/* Renames; formulas, sliders, sets and probes follow. */
HlDocument *hl_edit_rename_parameter (const HlDocument *document, const char *name, const char *new_name,
                                      GError **error);
/* Removes one that no formula uses, with its sliders and values in sets; the error names the users. */
HlDocument *hl_edit_remove_parameter (const HlDocument *document, const char *name, GError **error);

/* Whether a slider moves a number of the document, upwards from one end to the other. */
gboolean hl_edit_slider_acts (const HlDocument *document, const HlSlider *slider);
/* Returns the document without the sliders that act in `before` and not in it, because their number has become a
 * table, say; takes the document, and returns it as it is when there is no such slider. */
HlDocument *hl_edit_drop_sliders (const HlDocument *before, HlDocument *document);
