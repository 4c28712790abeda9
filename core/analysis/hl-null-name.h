/* SPDX-License-Identifier: MIT */
/* What a null eigenvalue is: trapped oil, a heading, a position nobody holds. */
#pragma once

#include "core/analysis/hl-linearize.h"

/* Fills lin->null_names, one text a block, from the structure of the states that a null motion
 * moves. */
void hl_linearization_name_nulls (HlLinearization *lin);
