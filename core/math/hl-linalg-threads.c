/* SPDX-License-Identifier: MIT */
/* Asked of the process, not of the linker: which library computes behind LAPACKE is chosen where the
 * program is installed (on Debian by update-alternatives), and the reference one has no threads. */
#include "core/math/hl-linalg-threads.h"

#include <dlfcn.h>
#include <stddef.h>

bool
hl_linalg_use_one_thread (void)
{
  void *process = dlopen (NULL, RTLD_LAZY);
  void (*set_threads) (int) = NULL;

  if (process == NULL)
    return false;
  /* POSIX has a function's address come as an object's. */
  *(void **)&set_threads = dlsym (process, "openblas_set_num_threads");
  if (set_threads != NULL)
    set_threads (1);
  dlclose (process);
  return set_threads != NULL;
}
