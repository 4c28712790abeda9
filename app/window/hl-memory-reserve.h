/* SPDX-License-Identifier: MIT */
/* Memory at hand before the window is built. */
#pragma once

/* Call once, first of all, in a program that opens windows. Where the system has no such thing nothing
 * happens. */
void hl_memory_prepare (void);
