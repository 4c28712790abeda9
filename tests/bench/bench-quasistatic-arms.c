/* SPDX-License-Identifier: MIT */
/* A whole machine of arms on one pump, from the drawing: ten seconds in the quasistatic model at h
 * = 1 ms (discrete form) and in the lumped model, side by side. Output rows, mechanics, signals and
 * all. */
#include "core/run/hl-simulate.h"
#include "core/edit/hl-edit.h"
#include "tests/bench/hl-bench.h"
#include "tests/support/hl-example-copies.h"
#include "tests/support/hl-example-model.h"

#include <math.h>
#include <stdio.h>

#define ARM_FLOW (0.5 / 60.0) /* [m3/s], of an arm's own pump */
#define ARM_BLEED_AREA 1e-4   /* [m2], of an arm's own bleed valve */
#define T_END 10.0
#define STEP 1e-3

/* Takes the document; the next one. */
static HlDocument *next (HlDocument *before, HlDocument *after, GError *error) {
  g_assert_no_error (error);
  hl_document_unref (before);
  return after;
}

static HlDocument *set_number (HlDocument *doc, const char *path, double value) {
  GError *error = NULL;
  HlDocument *after = hl_document_with_number (doc, path, value, &error);
  return next (doc, after, error);
}

/* Returns n arms, each with its own valves, behind one pump n times as large. */
static HlDocument *arms_on_one_pump (int n) {
  HlDocument *doc = hl_test_copies ("metering-arm.hydrolink", n);
  GError *error = NULL;

  for (int k = 1; k < n; k++) {
    g_autofree char *pump = g_strdup_printf ("pump_%d", k);
    g_autofree char *relief = g_strdup_printf ("pump_relief_%d", k);
    g_autofree char *bleed = g_strdup_printf ("bleed_%d", k);
    g_autofree char *check = g_strdup_printf ("check_%d.A", k);
    const char *const ids[] = {pump, relief, bleed, NULL};
    HlDocument *after = hl_edit_remove (doc, ids, &error);
    doc = next (doc, after, error);
    after = hl_edit_connect (doc, "Pnode_0", check, &error);
    doc = next (doc, after, error);
  }
  doc = set_number (doc, "pump_0.flow", n * ARM_FLOW);
  return set_number (doc, "bleed_0.area", n * ARM_BLEED_AREA);
}

static HlSimStats run (const HlTestModel *model, HlModelKind kind, HlFormulation formulation, double t_end) {
  HlSimOptions options = hl_sim_options_from_model (model->sys);
  HlSimStats stats = {.seconds = NAN};
  HlFault fault = {.entity = -1};

  options.model = kind;
  options.formulation = formulation;
  options.step = STEP;
  options.t_end = t_end;
  options.start = HL_START_AS_GIVEN;
  HlStatus status = hl_simulate (model->sys, &options, &stats, &fault);
  if (status != HL_OK) {
    g_autofree char *why = hl_fault_message (model->sys, &fault);
    printf ("  failed: %s\n", why);
    stats.seconds = NAN;
  }
  return stats;
}

int main (void) {
  static const int counts[] = {1, 10, 50};

  printf ("arms on one pump, whole machine from the drawing, %g s\n", T_END);
  for (int k = 0; k < (int)(sizeof counts / sizeof counts[0]); k++) {
    HlTestModel model = hl_test_model_from_document (arms_on_one_pump (counts[k]));
    HlSimStats discrete = run (&model, HL_MODEL_QUASISTATIC, HL_FORMULATION_DISCRETE, T_END);
    HlSimStats relaxed = run (&model, HL_MODEL_QUASISTATIC, HL_FORMULATION_RELAXED, T_END);
    HlSimStats lumped = run (&model, HL_MODEL_LUMPED, HL_FORMULATION_REDUCED, T_END);
    printf ("%3d arms: discrete, h = 1 ms: %.1f times real time (%.1f us a step); "
            "relaxed: %.1f times, %ld steps; lumped: %.1f times, %ld steps; discrete is %.1f times "
            "as fast as lumped\n",
            counts[k], T_END / discrete.seconds, 1e6 * discrete.seconds / (double)discrete.steps,
            T_END / relaxed.seconds, relaxed.steps, T_END / lumped.seconds, lumped.steps,
            lumped.seconds / discrete.seconds);
    hl_test_model_clear (&model);
  }
  return 0;
}
