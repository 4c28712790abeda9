/* SPDX-License-Identifier: MIT */
/* Work on several threads: every piece once, and the same bits for any number of them. */
#define _GNU_SOURCE /* sched_setaffinity () */
#include "core/linear/hl-parallel.h"
#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-stability-map.h"
#include "tests/support/hl-model.h"
#include "tests/support/hl-test.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

typedef struct
{
  atomic_int *count;
  atomic_int wrong_place;
  int n_threads;
} Tally;

static void
count_piece (int index, int place, void *data)
{
  Tally *tally = data;

  atomic_fetch_add (&tally->count[index], 1);
  if (place < 0 || place >= tally->n_threads)
    atomic_fetch_add (&tally->wrong_place, 1);
}

static void
test_once (void)
{
  for (int n = 0; n < 300; n += 99)
    for (int n_threads = 1; n_threads < 9; n_threads += 3) {
      g_autofree atomic_int *count = g_new0 (atomic_int, n + 1);
      HlParallel parallel = {.n = n, .n_threads = n_threads, .work = count_piece};
      Tally tally = {count, 0, hl_parallel_n_threads (&parallel)};
      parallel.data = &tally;
      hl_parallel_run (&parallel);
      g_assert_cmpint (atomic_load (&tally.wrong_place), ==, 0);
      for (int k = 0; k < n; k++)
        g_assert_cmpint (atomic_load (&count[k]), ==, 1);
    }
}

/* What taskset, a batch system or a container allows, not what the machine has. */
static void
test_processors (void)
{
  cpu_set_t all, some;

  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  g_assert_cmpint (hl_parallel_n_processors (), ==, CPU_COUNT (&all));
  CPU_ZERO (&some);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &all)) {
      CPU_SET (cpu, &some);
      g_assert_cmpint (sched_setaffinity (0, sizeof some, &some), ==, 0);
      g_assert_cmpint (hl_parallel_n_processors (), ==, CPU_COUNT (&some));
      g_assert_cmpint (hl_parallel_n_threads (&(HlParallel){.n = 100000}), ==, CPU_COUNT (&some));
    }
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
}

static HlParameter
parameter (const HlTestModel *model, const char *path)
{
  HlParameter found;

  g_assert_true (hl_system_find_parameter (model->sys, path, &found));
  return found;
}

static HlStabilityMap *
map_of (const HlTestModel *model, int n_threads, bool (*progress) (double, void *), void *data)
{
  HlParameter speeds[] = {parameter (model, "front.vx"), parameter (model, "rear.vx")};
  HlParameter stiffness = parameter (model, "rear_tyre.stiffness");
  double speed[11], stiff[7];

  hl_sweep_values (5.0, 9.0, 11, false, speed);
  hl_sweep_values (1.2e5, 1.8e5, 7, false, stiff);
  HlStabilityMapOptions options = {.x = {.parameters = speeds, .n = 2},
                                   .y = {.parameters = &stiffness, .n = 1},
                                   .x_values = speed,
                                   .y_values = stiff,
                                   .n_x = 11,
                                   .n_y = 7,
                                   .n_threads = n_threads,
                                   .start = HL_START_AS_GIVEN,
                                   .progress = progress,
                                   .progress_data = data};
  HlStabilityMap *map = hl_stability_map_new (model->sys, &options, NULL);
  g_assert_nonnull (map);
  return map;
}

static void
test_map (void)
{
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre.hydrolink");
  HlStabilityMap *one = map_of (&model, 1, NULL, NULL);

  g_assert_cmpint (one->n_boundary, >, 3);
  for (int n_threads = 2; n_threads < 8; n_threads++) {
    HlStabilityMap *many = map_of (&model, n_threads, NULL, NULL);
    g_assert_cmpmem (many->growth, 77 * sizeof (double), one->growth, 77 * sizeof (double));
    g_assert_cmpmem (many->damping, 77 * sizeof (double), one->damping, 77 * sizeof (double));
    g_assert_cmpint (many->n_boundary, ==, one->n_boundary);
    g_assert_cmpint (
        memcmp (many->boundary, one->boundary, 2 * sizeof (double) * (gsize)one->n_boundary), ==,
        0);
    hl_stability_map_free (many);
  }
  hl_stability_map_free (one);
  hl_test_model_clear (&model);
}

static bool
stop_half_way (double part, void *data)
{
  g_assert_true (g_thread_self () == data);
  return part < 0.4;
}

/* What was done stands without a gap, the rest is told as not done; only the caller's thread is asked. */
static void
test_stop (void)
{
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre.hydrolink");
  HlStabilityMap *whole = map_of (&model, 1, NULL, NULL);

  for (int n_threads = 1; n_threads < 5; n_threads++) {
    HlStabilityMap *map = map_of (&model, n_threads, stop_half_way, g_thread_self ());
    g_assert_cmpint (map->complete, ==, map->n_done == 77);
    g_assert_cmpint (memcmp (map->growth, whole->growth, sizeof (double) * (gsize)map->n_done), ==,
                     0);
    for (int k = map->n_done; k < 77; k++)
      g_assert_true (map->growth[k] != map->growth[k]);
    hl_stability_map_free (map);
  }
  hl_stability_map_free (whole);
  hl_test_model_clear (&model);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel/every-piece-is-done-once", test_once);
  g_test_add_func ("/parallel/counts-the-processors-that-it-may-use", test_processors);
  g_test_add_func ("/parallel/a-map-has-the-same-bits", test_map);
  g_test_add_func ("/parallel/a-map-that-is-stopped-has-no-gap", test_stop);
  return g_test_run ();
}
