/* SPDX-License-Identifier: MIT */
/* Threads of the library behind LAPACKE. */
#pragma once

#include <stdbool.h>

/* Has OpenBLAS compute in the calling thread only, where it is what LAPACK comes from: the program divides its work among
 * threads itself, on matrices that are too small to be divided (data/docs/simulation.md has figures). For a main ()
 * alone, before other threads begin: it holds for the whole process, of which a library knows nothing. Returns
 * whether there was something to set. */
bool hl_linalg_use_one_thread (void);
