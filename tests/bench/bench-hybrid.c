/* SPDX-License-Identifier: MIT */
/* The hybrid model beside the lumped one: the same drawings at the stiffness of real oil (1.5 GPa)
 * and the same tolerance. The lumped run keeps the inertia of the pipes, as the hybrid one does;
 * pipes get the resistance that damps a real line a little. Prints steps, evaluations and the best
 * time of several rounds, and how far the end positions lie apart. */
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"
#include "tests/support/hl-test.h"

#include "core/run/hl-simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_ROUNDS = 5 };

#define REAL_BULK 1.5e9
#define RTOL 1e-7

typedef struct {
  double last[4]; /* probes at the end */
  int n;
} End;

static bool take_row (double t, const double values[], void *data) {
  End *end = data;

  (void)t;
  memcpy (end->last, values, (size_t)end->n * sizeof (double));
  return true;
}

static HlSimStats best_run (const HlTestModel *model, HlModelKind kind, const char *const paths[], End *end) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlObservable outputs[4];
  HlSimStats best = {.seconds = INFINITY};

  for (end->n = 0; paths[end->n] != NULL; end->n++)
    hl_observable_find (model->sys, paths[end->n], &outputs[end->n]);
  options.model = kind;
  options.formulation = HL_FORMULATION_REDUCED;
  options.rtol = RTOL;
  options.outputs = outputs;
  options.n_outputs = end->n;
  options.row = take_row;
  options.row_data = end;
  for (int round = 0; round < N_ROUNDS; round++) {
    HlSimStats stats;
    HlFault fault = {.entity = -1};
    HlStatus status = hl_simulate (model->sys, &options, &stats, &fault);
    if (status != HL_OK) {
      g_autofree char *why = hl_fault_message (model->sys, &fault);
      printf ("  (%s: %s)\n", kind == HL_MODEL_HYBRID ? "hybrid" : "lumped", why);
      return stats;
    }
    if (stats.seconds < best.seconds)
      best = stats;
  }
  return best;
}

/* Loads the document with `inertia` and a resistance in every pipe, and real oil. */
static HlTestModel load (const char *file) {
  g_autofree char *path = hl_test_example_path (file);
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  g_auto (GStrv) parts = g_strsplit (text, "\"resistance\": 0", -1);
  g_autofree char *damped = g_strjoinv ("\"inertia\": true, \"resistance\": 2e8", parts);
  HlTestModel model = hl_test_model_from_text (damped);

  model.sys->fluid.bulk_modulus = REAL_BULK;
  hl_system_derive (model.sys);
  return model;
}

static void compare (const char *file, const char *const paths[]) {
  HlTestModel model = load (file);
  End ends[2];
  HlSimStats lumped = best_run (&model, HL_MODEL_LUMPED, paths, &ends[0]);
  HlSimStats hybrid = best_run (&model, HL_MODEL_HYBRID, paths, &ends[1]);

  printf ("%s, %g s, 1.5 GPa, rtol %g\n", file, model.sys->t_end, RTOL);
  printf ("  lumped %8ld steps %8ld rhs %6ld restarts %9.3f ms\n", lumped.steps, lumped.rhs, lumped.restarts,
          1e3 * lumped.seconds);
  printf ("  hybrid %8ld steps %8ld rhs %6ld restarts %9.3f ms\n", hybrid.steps, hybrid.rhs, hybrid.restarts,
          1e3 * hybrid.seconds);
  printf ("  ratio  %8.1f       %8.1f                 %9.1f\n", (double)lumped.steps / (double)hybrid.steps,
          (double)lumped.rhs / (double)hybrid.rhs, lumped.seconds / hybrid.seconds);
  for (int k = 0; k < ends[0].n; k++)
    printf ("  %s at the end: lumped %.6f, hybrid %.6f\n", paths[k], ends[0].last[k], ends[1].last[k]);
  hl_test_model_clear (&model);
}

int main (void) {
  static const char *const two[] = {"mass1.x", "mass2.x", NULL};
  static const char *const one[] = {"mass.x", NULL};

  compare ("hybrid-two-cylinders.hydrolink", two);
  compare ("hybrid-regeneration.hydrolink", one);
  return 0;
}
