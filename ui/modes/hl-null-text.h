/* SPDX-License-Identifier: MIT */
/* The null eigenvalues in words, in the language of the desktop: "trapped oil", "heading". */
#pragma once

#include "core/linear/hl-linearize.h"

#include <glib.h>

/* A line for every different block with how many eigenvalues are of it: "2× trapped oil". */
char *hl_null_text_lines (const HlLinearization *lin);

/* Only what may be shifted freely, a line for every different block: "lateral position". */
char *hl_null_text_short (const HlLinearization *lin);
