/* SPDX-License-Identifier: MIT */
/* Asked of the process, not of the linker: which library computes behind LAPACKE is chosen where the
 * program is installed (on Debian by update-alternatives), and the reference one has no threads. */
#include "core/math/hl-linalg-threads.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <threads.h>

/* They are of the process, as the library is whose buffers they guard. */
static once_flag is_asked = ONCE_FLAG_INIT;
static bool has_locks = true;
static mtx_t turn;

/* POSIX has a function's address come as an object's. */
static bool find (const char *name, void *function) {
  void *process = dlopen (NULL, RTLD_LAZY);

  if (process == NULL)
    return false;
  *(void **)function = dlsym (process, name);
  dlclose (process);
  return *(void **)function != NULL;
}

bool hl_linalg_use_one_thread (void) {
  void (*set_threads) (int) = NULL;

  if (!find ("openblas_set_num_threads", &set_threads))
    return false;
  set_threads (1);
  return true;
}

static void ask (void) {
  int (*get_parallel) (void) = NULL;

  has_locks = !find ("openblas_get_parallel", &get_parallel) || get_parallel () != 0;
  if (!has_locks && mtx_init (&turn, mtx_plain) != thrd_success)
    abort (); /* plain ones are always to be had */
}

void hl_linalg_take_turn (void) {
  call_once (&is_asked, ask);
  if (!has_locks)
    mtx_lock (&turn);
}

int hl_linalg_end_turn (int info) {
  if (!has_locks)
    mtx_unlock (&turn);
  return info;
}
