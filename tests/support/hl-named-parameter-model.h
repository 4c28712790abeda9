/* SPDX-License-Identifier: MIT */
/* A model with named parameters and formulas, and helpers for their tests. */
#pragma once

#include "tests/support/hl-test-document.h"

/* The number at a path [SI]; fails the test when there is none. */
double hl_test_number (const HlDocument *document, const char *path);
/* The four-bar with its cylinder's sizes as formulas. Owned. */
HlDocument *hl_test_named_four_bar (void);
/* The same with all numbers written out, and no parameters. Owned. */
HlDocument *hl_test_written_out (const HlDocument *document);
