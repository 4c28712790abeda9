/* SPDX-License-Identifier: MIT */
/* Any model past its start point: linearized there, and run for a few steps with each of the three
 * models of the oil. Each may refuse with a message that names something; what it accepts is
 * finite. */
#include "core/compile/hl-compile.h"
#include "core/io/hl-json-text.h"
#include "core/linear/hl-linearize.h"
#include "core/run/hl-simulate.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-observable.h"

#include <math.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define MOST_BODIES 12 /* a larger machine says nothing new and costs much */
#define MOST_OUTPUTS 8
#define STEPS 25
#define T_END 0.05 /* [s] */

typedef struct {
  int polls, rows, n_outputs;
} Watch;

static bool cancel_cb (void *data) {
  Watch *watch = data;
  return ++watch->polls > STEPS;
}

static bool row_cb (double t, const double values[], void *data) {
  Watch *watch = data;

  g_assert_true (isfinite (t));
  for (int k = 0; k < watch->n_outputs; k++)
    g_assert_false (isinf (values[k]));
  return ++watch->rows < 4 * STEPS;
}

static void expect_message (const HlSystem *sys, const HlFault *fault) {
  g_autofree char *message = hl_fault_message (sys, fault);

  g_assert_cmpstr (message, !=, "");
  g_assert_true (g_utf8_validate (message, -1, NULL));
}

static void linearize (const HlSystem *sys) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlFault fault = {0};
  HlEquilibriumInfo info = {0};
  HlLinearizeOptions how = hl_linearize_options_default ();

  if (hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, point, &info, &fault) == HL_OK) {
    HlLinearization *lin = hl_linearize (sys, work, point, &how, &fault);
    for (int k = 0; lin != NULL && k < lin->n * lin->n; k++)
      g_assert_true (isfinite (lin->J[k]));
    if (lin == NULL)
      expect_message (sys, &fault);
    hl_linearization_free (lin);
  } else
    expect_message (sys, &fault);
  hl_point_free (point);
  hl_work_free (work);
}

/* Probes that a run has; returns how many. */
static int find_outputs (const HlDocument *document, const HlSystem *sys, HlObservable outputs[]) {
  int n = 0;

  for (int k = 0; k < hl_document_n_probes (document) && n < MOST_OUTPUTS; k++) {
    HlProbe probe;
    if (hl_document_probe (document, k, &probe) && probe.of != NULL &&
        hl_observable_find (sys, probe.of, &outputs[n]))
      n++;
  }
  return n;
}

static void run (const HlSystem *sys, const HlObservable outputs[], int n_outputs, HlModelKind model) {
  HlSimOptions options = hl_sim_options_from_model (sys);
  Watch watch = {.n_outputs = n_outputs};
  HlSimStats stats = {0};
  HlFault fault = {0};

  options.model = model;
  options.t_end = fmin (options.t_end, T_END);
  options.every = options.t_end / 10;
  options.outputs = outputs;
  options.n_outputs = n_outputs;
  options.cancel = cancel_cb;
  options.cancel_data = &watch;
  options.row = row_cb;
  options.row_data = &watch;
  HlStatus status = hl_simulate (sys, &options, &stats, &fault);
  if (status != HL_OK && watch.polls <= STEPS && watch.rows < 4 * STEPS)
    expect_message (sys, &fault);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (HlDocument) document = hl_document_parse ((const char *)data, size, "fuzz", NULL);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlObservable outputs[MOST_OUTPUTS];

  if (document == NULL || hl_document_n_elements (document, HL_SECTION_BODIES) > MOST_BODIES)
    return 0;
  HlSystem *sys = hl_compile (document, findings);
  if (sys == NULL) {
    g_assert_nonnull (hl_findings_first_error (findings));
    return 0;
  }
  int n_outputs = find_outputs (document, sys, outputs);
  linearize (sys);
  for (HlModelKind model = HL_MODEL_LUMPED; model <= HL_MODEL_QUASISTATIC; model++)
    run (sys, outputs, n_outputs, model);
  hl_system_unref (sys);
  return 0;
}
