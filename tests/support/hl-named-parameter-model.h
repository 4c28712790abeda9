/* SPDX-License-Identifier: MIT */
/* A model with named parameters and formulas, and helpers for their tests. */
#pragma once

#include "tests/support/hl-test-document.h"

/* Returns the number at a path [SI]; fails the test if there is none. */
double hl_test_number (const HlDocument *document, const char *path);
/* Returns the four-bar with the sizes of its cylinder as formulas. Owned by the caller. */
HlDocument *hl_test_named_four_bar (void);
/* Returns the same with all numbers written out, and no parameters. Owned by the caller. */
HlDocument *hl_test_written_out (const HlDocument *document);
