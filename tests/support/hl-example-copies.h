/* SPDX-License-Identifier: MIT */
/* Several copies of an example in one model, each with its own ids: for scaling and for islands. */
#pragma once

#include "core/document/hl-document.h"

/* Returns n copies of data/examples/NAME; ids of copy k end in "_k", ground points are shared. Owned by the
 * caller. */
HlDocument *hl_test_copies (const char *name, int n);
