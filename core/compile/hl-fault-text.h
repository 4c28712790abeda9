/* SPDX-License-Identifier: MIT */
/* Parts of the sentence that hl_fault_message () makes of a fault. */
#pragma once

#include "core/system/hl-system.h"

/* What is wrong, without the element's name; owned by the caller (g_free). */
char *hl_fault_what (const HlSystem *sys, const HlFault *fault);
/* What would mend it. */
const char *hl_fault_advice (const HlFault *fault);
