/* SPDX-License-Identifier: MIT */
/* Asked of the process, not of the linker: which library computes behind LAPACKE is chosen where the
 * program is installed (on Debian by update-alternatives), and the reference one has no threads. */
#include "core/math/hl-linalg-threads.h"

#include <dlfcn.h>
#include <stddef.h>

/* POSIX has a function's address come as an object's. */
static bool
find (const char *name, void *function)
{
  void *process = dlopen (NULL, RTLD_LAZY);

  if (process == NULL)
    return false;
  *(void **)function = dlsym (process, name);
  dlclose (process);
  return *(void **)function != NULL;
}

bool
hl_linalg_use_one_thread (void)
{
  void (*set_threads) (int) = NULL;

  if (!find ("openblas_set_num_threads", &set_threads))
    return false;
  set_threads (1);
  return true;
}

bool
hl_linalg_is_thread_safe (void)
{
  int (*get_parallel) (void) = NULL;

  return !find ("openblas_get_parallel", &get_parallel) || get_parallel () != 0;
}
