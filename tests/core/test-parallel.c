/* SPDX-License-Identifier: MIT */
/* Work on several threads: every piece once, and the same bits for any number of them. */
#define _GNU_SOURCE /* sched_setaffinity () */
#include "core/linear/hl-parallel-loop.h"
#include "core/linear/hl-root-locus.h"
#include "core/linear/hl-stability-map.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

typedef struct {
  atomic_int *count;
  atomic_int wrong_place;
  int n_threads;
} Tally;

static void count_piece (int index, int place, void *data) {
  Tally *tally = data;

  atomic_fetch_add (&tally->count[index], 1);
  if (place < 0 || place >= tally->n_threads)
    atomic_fetch_add (&tally->wrong_place, 1);
}

static void test_once (void) {
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

/* The number of processors respects the limits by taskset, a batch system or a container. */
static void test_processors (void) {
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

static HlParameter parameter (const HlTestModel *model, const char *path) {
  HlParameter found;

  g_assert_true (hl_system_find_parameter (model->sys, path, &found));
  return found;
}

static HlStabilityMap *map_of (const HlTestModel *model, int n_threads, bool (*progress) (double, void *),
                               void *data) {
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

static void test_map (void) {
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre.hydrolink");
  HlStabilityMap *one = map_of (&model, 1, NULL, NULL);

  g_assert_cmpint (one->n_boundary, >, 3);
  for (int n_threads = 2; n_threads < 8; n_threads++) {
    HlStabilityMap *many = map_of (&model, n_threads, NULL, NULL);
    g_assert_cmpmem (many->growth, 77 * sizeof (double), one->growth, 77 * sizeof (double));
    g_assert_cmpmem (many->damping, 77 * sizeof (double), one->damping, 77 * sizeof (double));
    g_assert_cmpint (many->n_boundary, ==, one->n_boundary);
    g_assert_cmpint (memcmp (many->boundary, one->boundary, 2 * sizeof (double) * (gsize)one->n_boundary), ==,
                     0);
    hl_stability_map_free (many);
  }
  hl_stability_map_free (one);
  hl_test_model_clear (&model);
}

static bool stop_half_way (double part, void *data) {
  g_assert_true (g_thread_self () == data);
  return part < 0.4;
}

/* Finished items have no gap, the rest is reported as not done; only the caller's thread is queried. */
static void test_stop (void) {
  HlTestModel model = hl_test_model_load ("articulated-vehicle-tyre.hydrolink");
  HlStabilityMap *whole = map_of (&model, 1, NULL, NULL);

  for (int n_threads = 1; n_threads < 5; n_threads++) {
    HlStabilityMap *map = map_of (&model, n_threads, stop_half_way, g_thread_self ());
    g_assert_cmpint (map->complete, ==, map->n_done == 77);
    g_assert_cmpint (memcmp (map->growth, whole->growth, sizeof (double) * (gsize)map->n_done), ==, 0);
    for (int k = map->n_done; k < 77; k++)
      g_assert_true (map->growth[k] != map->growth[k]);
    hl_stability_map_free (map);
  }
  hl_stability_map_free (whole);
  hl_test_model_clear (&model);
}

/* ---- loci ---- */

static void assert_same_bits (const HlSystem *sys, HlLocusOptions options) {
  options.n_threads = 1;
  HlLocus *one = hl_root_locus (sys, &options, NULL);
  g_assert_nonnull (one);
  gsize rows = sizeof (double) * (gsize)one->n_values, all = rows * (gsize)one->n_states;

  g_assert_cmpint (one->n_values, >=, options.n_values);
  for (options.n_threads = 2; options.n_threads < 5; options.n_threads++) {
    HlLocus *many = hl_root_locus (sys, &options, NULL);
    g_assert_cmpint (many->n_values, ==, one->n_values);
    g_assert_cmpmem (many->values, rows, one->values, rows);
    g_assert_cmpmem (many->re, all, one->re, all);
    g_assert_cmpmem (many->im, all, one->im, all);
    hl_locus_free (many);
  }
  hl_locus_free (one);
}

/* A number that leaves the rest as it is, one that moves it, and one that shapes the model. */
static void test_locus (void) {
  static const char *const files[] = {"four-bar.hydrolink", "excavator-arm.hydrolink"},
                           *const paths[] = {"cyl.friction.scale", "boom.mass"},
                           *const shapes[] = {"link2.points.G.x", NULL};
  static const double range[][2] = {{0.01, 1.0}, {300.0, 900.0}, {0.0, 0.1}};

  for (int k = 0; k < 3; k++) {
    HlTestModel model = hl_test_model_load (files[k % 2]);
    HlParameter one;
    double values[40];
    HlLocusOptions options = {
        .values = values, .n_values = 40, .start = HL_START_FROM_MODEL, .refine = k == 0};

    hl_sweep_values (range[k][0], range[k][1], 40, k == 0, values);
    if (k < 2) {
      one = parameter (&model, paths[k]);
      options.parameters = &one;
      options.n_parameters = 1;
    } else {
      options.document = model.doc;
      options.paths = shapes;
      options.n_values = 17;
    }
    assert_same_bits (model.sys, options);
    hl_test_model_clear (&model);
  }
}

#define TRUSS                                                                                                \
  1000.0 /* spring from the side: its stiffness, length unstrained, and mass and stiffness below */
#define TRUSS_LENGTH 1.2
#define TRUSS_MASS 3.0
#define BELOW 20.0
#define DAMPING 11.0
#define N_TRUSS 80

static double truss_force (double y, double length) {
  double L = hypot (1.0, y);

  return -TRUSS * (1.0 - TRUSS_LENGTH / L) * y - BELOW * (y + 3.0 - length);
}

/* A mass that snaps through: above and below the anchor of a spring from the side it may rest. One from below pulls it over and
 * lets go again: its rest then depends on the path, and pieces of the path that begin above must agree. Against the
 * path of steepest descent, and m lambda^2 + c lambda + K = 0. */
static void test_way (void) {
  HlTestModel model =
      hl_test_model_filled ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, 0], 'ground': "
                            "{'points': {'g': [0, 0], 'side': [-1, 0], "
                            "'below': [0, -3]}}, 'bodies': [{'id': 'm', 'points': {'p': [0, 0]}, "
                            "'mass': 3, 'inertia': 1, "
                            "'pose': [0, 0.6, 0]}], 'joints': [{'id': 'j', 'kind': 'prismatic', "
                            "'a': 'ground.g', 'b': 'm.p', "
                            "'axis': 1.5707963267948966}], 'loads': [{'id': 'k', 'kind': 'spring', "
                            "'a': 'ground.side', 'b': 'm.p', "
                            "'stiffness': 1000, 'free_length': 1.2, 'damping': 0}, {'id': 'w', "
                            "'kind': 'spring', 'a': 'ground.below', "
                            "'b': 'm.p', 'stiffness': 20, 'free_length': 3, 'damping': 11}]}",
                            NULL);
  HlParameter length = parameter (&model, "w.free_length");
  double values[N_TRUSS], y = 0.6;
  HlLocusOptions options = {.parameters = &length,
                            .n_parameters = 1,
                            .values = values,
                            .n_values = N_TRUSS,
                            .start = HL_START_EQUILIBRIUM};
  int below = 0;

  for (int k = 0; k < N_TRUSS; k++)
    values[k] = 0.5 + 2.5 * fabs (1.0 - 2.0 * k / (N_TRUSS - 1.0));
  HlLocus *locus = hl_root_locus (model.sys, &options, NULL);
  g_assert_nonnull (locus);
  g_assert_cmpint (locus->n_values, ==, N_TRUSS);
  for (int k = 0; k < N_TRUSS; k++) {
    for (int step = 0; step < 20000; step++)
      y += 5e-4 * truss_force (y, values[k]);
    double L = hypot (1.0, y),
           K = TRUSS * (1.0 - TRUSS_LENGTH / L + TRUSS_LENGTH * y * y / (L * L * L)) + BELOW;
    const double *re = locus->re + 2 * k, *im = locus->im + 2 * k;
    hl_assert_near (re[0] + re[1], -DAMPING / TRUSS_MASS, 1e-9, 0.0);
    hl_assert_near (re[0] * re[1] - im[0] * im[1], K / TRUSS_MASS, 1e-6, 0.0);
    below += y < 0.0;
  }
  g_assert_cmpint (below, >, N_TRUSS / 2);
  g_assert_cmpint (below, <, N_TRUSS - 8);
  hl_locus_free (locus);
  assert_same_bits (model.sys, options);
  hl_test_model_clear (&model);
}

static bool after_ten (void *data) {
  int *asked = data;

  return ++*asked > 10;
}

/* A locus that is stopped ends where it was. */
static void test_locus_stop (void) {
  HlTestModel model = hl_test_model_load ("four-bar.hydrolink");
  HlParameter one = parameter (&model, "cyl.friction.scale");
  double values[400];

  hl_sweep_values (0.01, 1.0, 400, true, values);
  for (int n_threads = 1; n_threads < 4; n_threads++) {
    int asked = 0;
    HlLocusOptions options = {.parameters = &one,
                              .n_parameters = 1,
                              .values = values,
                              .n_values = 400,
                              .n_threads = n_threads,
                              .start = HL_START_FROM_MODEL,
                              .cancel = after_ten,
                              .cancel_data = &asked};
    HlLocus *locus = hl_root_locus (model.sys, &options, NULL);
    g_assert_true (locus == NULL || locus->n_values < 400);
    hl_locus_free (locus);
  }
  hl_test_model_clear (&model);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel/every-piece-is-done-once", test_once);
  g_test_add_func ("/parallel/counts-the-processors-that-it-may-use", test_processors);
  g_test_add_func ("/parallel/a-map-has-the-same-bits", test_map);
  g_test_add_func ("/parallel/a-map-that-is-stopped-has-no-gap", test_stop);
  g_test_add_func ("/parallel/a-locus-has-the-same-bits", test_locus);
  g_test_add_func ("/parallel/a-locus-keeps-to-its-way", test_way);
  g_test_add_func ("/parallel/a-locus-that-is-stopped", test_locus_stop);
  return g_test_run ();
}
