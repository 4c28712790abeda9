/* SPDX-License-Identifier: MIT */
/* Threads of the library behind LAPACKE. */
#pragma once

#include <stdbool.h>

/* Has OpenBLAS compute in the calling thread only, where it is what LAPACK comes from: the program divides its work among
 * threads itself, on matrices that are too small to be divided (data/docs/simulation.md has figures). For a main ()
 * alone, before other threads begin: it holds for the whole process, of which a library knows nothing. Returns
 * whether there was something to set. */
bool hl_linalg_use_one_thread (void);

/* Whether several threads may ask the library at once. OpenBLAS that was built without threads may have been built without
 * locks as well, as Debian's libopenblas0-serial 0.3.21 is: of 96 000 least-squares solutions and sets of eigenvectors by
 * sixteen threads eleven came out wrong in the first digit; with libopenblas0-pthread none of 192 000. */
bool hl_linalg_is_thread_safe (void);
