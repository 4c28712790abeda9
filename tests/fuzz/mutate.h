/* SPDX-License-Identifier: MIT */
/* Mutations that keep the structure: a model stays JSON, a table stays a table, so that the input gets past the first
 * check. */
#pragma once

#include <glib.h>

/* Where numbers come from: the same seed, the same mutations. */
typedef GRand HlFuzz;

/* One change of the text, in place. JSON: a member or an item goes, is doubled, changes places with
 * another or takes its value; a number becomes one at which laws break; a word another word of the
 * file. What is no JSON is changed as bytes. */
void hl_fuzz_mutate (HlFuzz *fuzz, GByteArray *bytes);
/* The plain way: bytes and tokens. */
void hl_fuzz_mutate_bytes (HlFuzz *fuzz, GByteArray *bytes);
