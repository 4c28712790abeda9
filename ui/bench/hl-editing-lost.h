/* SPDX-License-Identifier: MIT */
/* The formula that a drag or a slider replaced by a number, for a notice to the person. */
#pragma once

#include "ui/bench/hl-workbench.h"

/* Says which formula a drag or a slider replaced by a number last; NULL: none, or it is back. What a
 * person types over a formula is meant. Borrowed. */
const char *hl_editing_lost_formula (HlEditing *self);
