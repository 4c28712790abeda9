/* SPDX-License-Identifier: MIT */
/* This program offers what OpenBLAS does, so that it is found in the process as that one's would be.
 * (It is exported: see meson.build.) */
#include "core/math/hl-linalg-threads.h"

#include <glib.h>

void openblas_set_num_threads (int n);
int openblas_get_parallel (void);

static int n_threads = -1, built_for = 0;

int
openblas_get_parallel (void)
{
  return built_for;
}

void
openblas_set_num_threads (int n)
{
  n_threads = n;
}

static void
test_one (void)
{
  g_assert_true (hl_linalg_use_one_thread ());
  g_assert_cmpint (n_threads, ==, 1);
}

/* One that was built without threads has no locks. */
static void
test_safe (void)
{
  built_for = 0;
  g_assert_false (hl_linalg_is_thread_safe ());
  built_for = 1;
  g_assert_true (hl_linalg_is_thread_safe ());
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linalg-threads/open-blas-gets-one", test_one);
  g_test_add_func ("/linalg-threads/serial-open-blas-is-not-shared", test_safe);
  return g_test_run ();
}
