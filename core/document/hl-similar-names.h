/* SPDX-License-Identifier: MIT */
/* Suggestions for a name that does not exist. Each is a text, "‘cyl.friction.Fc’ or ‘cyl.friction.Fs’", of up
 * to three names, owned by the caller; NULL: no similar name. */
#pragma once

#include "core/schema/hl-element-schema.h"

/* Returns those of the NULL-terminated names that differ by typing errors, or whose last part is meant ("Fc" for
 * "cyl.friction.Fc"). */
char *hl_near_names (const char *const *names, const char *name);
/* Returns names with the same meaning ("bore": piston_diameter), unless that is one of them with a typing
 * error. The first `head` letters of each name are not compared; what follows may be a field or an output of
 * the kind, which may be NULL. */
char *hl_near_names_by_meaning (const char *const *names, size_t head, const HlKind *kind, const char *asked);
/* Returns the fields of a kind, by meaning or by letters. */
char *hl_near_fields (const HlKind *kind, const char *name);
