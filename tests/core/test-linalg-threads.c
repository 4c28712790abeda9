/* SPDX-License-Identifier: MIT */
/* This program offers what OpenBLAS does, so that it is found in the process as that one's would be.
 * (It is exported: see meson.build.) */
#include "core/math/hl-linalg-threads.h"

#include <glib.h>

void openblas_set_num_threads (int n);

static int n_threads = -1;

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linalg-threads/open-blas-gets-one", test_one);
  return g_test_run ();
}
