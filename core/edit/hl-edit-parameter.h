/* SPDX-License-Identifier: MIT */
/* The edit verbs of named parameters. */
#pragma once

#include "core/document/hl-document.h"

/* Adds a parameter, or gives it another text: a number in SI units, one with its unit, a formula.
 * Fails when it would have no value or something that rests on it would lose its own. */
HlDocument *hl_edit_set_parameter (const HlDocument *document,
                                   const char *name,
                                   const char *text,
                                   GError **error);
/* Renames; formulas, sliders, sets and probes follow. */
HlDocument *hl_edit_rename_parameter (const HlDocument *document,
                                      const char *name,
                                      const char *new_name,
                                      GError **error);
/* Removes one that no formula uses, with its sliders and values in sets; the error names the users. */
HlDocument *hl_edit_remove_parameter (const HlDocument *document, const char *name, GError **error);
