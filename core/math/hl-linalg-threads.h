/* SPDX-License-Identifier: MIT */
/* Threads of the library behind LAPACKE. */
#pragma once

#include <stdbool.h>

/* Has OpenBLAS compute in the calling thread only, where it is what LAPACK comes from: the program divides its work among
 * threads itself, on matrices that are too small to be divided (data/docs/simulation.md has figures). For a main ()
 * alone, before other threads begin: it holds for the whole process, of which a library knows nothing. Returns
 * whether there was something to set. */
bool hl_linalg_use_one_thread (void);

/* OpenBLAS that was built without threads may have been built without locks as well, as Debian's libopenblas0-serial 0.3.21
 * is: of 96 000 least-squares solutions and sets of eigenvectors by sixteen threads eleven came out wrong in the first
 * digit; with libopenblas0-pthread none of 192 000. Such a library is asked by one thread at a time: every call of LAPACKE
 * and ARPACK stands between these two, which do nothing where the library has locks. end returns `info`, so that
 *
 *   HL_IN_TURN (LAPACKE_dgetrf_work (...)) */
void hl_linalg_take_turn (void);
int hl_linalg_end_turn (int info);

#define HL_IN_TURN(call) (hl_linalg_take_turn (), hl_linalg_end_turn (call))
