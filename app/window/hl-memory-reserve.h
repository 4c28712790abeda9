/* SPDX-License-Identifier: MIT */
/* Reserves memory in large pages before the window is built. */
#pragma once

/* Reserves memory. Call once, first of all, in a program that opens windows. Does nothing on systems without
 * this function. */
void hl_memory_prepare (void);
