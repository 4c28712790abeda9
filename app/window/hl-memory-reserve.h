/* SPDX-License-Identifier: MIT */
/* Memory at hand before the window is built. */
#pragma once

/* Reserves memory. Call once, first of all, in a program that opens windows. Does nothing on systems without
 * this function. */
void hl_memory_prepare (void);
