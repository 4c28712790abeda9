/* SPDX-License-Identifier: MIT */
/* This program offers what OpenBLAS does, so that it is found in the process as that one's would be.
 * (It is exported: see meson.build.) */

#include <glib.h>
#include <lapacke.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/math/hl-linalg.h"

#define N 60 /* beyond what plain loops do */
#define N_CALLS 40

void openblas_set_num_threads (int n);
int openblas_get_parallel (void);

static int n_threads = -1, built_for = 0;

int openblas_get_parallel (void) {
  return built_for;
}

void openblas_set_num_threads (int n) {
  n_threads = n;
}

static void test_one (void) {
  g_assert_true (hl_linalg_use_one_thread ());
  g_assert_cmpint (n_threads, ==, 1);
}

static atomic_int n_within, n_most, n_done;

/* Replaces the library's: counts the threads inside. */
lapack_int LAPACKE_dgetrf_work (int layout, lapack_int m, lapack_int n, double *a, lapack_int lda,
                                lapack_int *pivots) {
  int now = atomic_fetch_add (&n_within, 1) + 1, most = atomic_load (&n_most);

  g_assert_true (layout == LAPACK_COL_MAJOR && m == n && lda == n && a != NULL);
  while (now > most && !atomic_compare_exchange_weak (&n_most, &most, now))
    ;
  g_usleep (500);
  for (int k = 0; k < n; k++)
    pivots[k] = k + 1;
  atomic_fetch_sub (&n_within, 1);
  return 0;
}

static gpointer call (gpointer data) {
  g_autofree double *a = g_new0 (double, N *N);
  int pivots[N];

  for (int k = 0; k < N; k++)
    a[k + N * k] = 1.0;
  for (int k = 0; k < N_CALLS; k++)
    g_assert_cmpint (hl_lu_factor (N, a, pivots), ==, HL_OK);
  atomic_fetch_add (&n_done, N_CALLS);
  return data;
}

static int most_within (void) {
  GThread *threads[4];

  for (gsize k = 0; k < G_N_ELEMENTS (threads); k++)
    threads[k] = g_thread_new ("asks", call, NULL);
  for (gsize k = 0; k < G_N_ELEMENTS (threads); k++)
    g_thread_join (threads[k]);
  g_assert_cmpint (n_done, ==, N_CALLS * (int)G_N_ELEMENTS (threads));
  return n_most;
}

/* One that was built without threads has no locks. */
static void test_serial (void) {
  built_for = 0;
  g_assert_cmpint (most_within (), ==, 1);
}

/* A process queries the kind of library once: this test needs another process. */
static void test_locked (void) {
  if (g_test_subprocess ()) {
    built_for = 1;
    g_assert_cmpint (most_within (), >, 1);
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linalg-threads/open-blas-gets-one", test_one);
  g_test_add_func ("/linalg-threads/serial-open-blas-is-asked-by-one-at-a-time", test_serial);
  g_test_add_func ("/linalg-threads/other-open-blas-is-asked-by-all-at-once", test_locked);
  return g_test_run ();
}
