/* SPDX-License-Identifier: MIT */
/* Mutations that keep the structure: a model stays JSON, a table stays a table, so that the input gets past the first
 * check. */
#pragma once

#include <glib.h>

/* Where numbers come from: the same seed, the same mutations. */
typedef GRand HlFuzz;

/* Makes one change of the text, in place. JSON: a member or an item is removed, doubled, exchanged with
 * another or replaced by its value; a number becomes one at which laws break; a word another word of the
 * file. Text that is not JSON is changed as bytes. */
void hl_fuzz_mutate (HlFuzz *fuzz, GByteArray *bytes);
/* Makes a change of bytes and tokens. */
void hl_fuzz_mutate_bytes (HlFuzz *fuzz, GByteArray *bytes);
