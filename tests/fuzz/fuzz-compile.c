/* SPDX-License-Identifier: MIT */
/* Any model that can be read into the compiler and on to its start point. Either may refuse, with a
 * finding or a fault; the start point of what they accept is finite. */
#include "core/compile/hl-compile.h"
#include "core/solve/hl-equilibrium.h"
#include "core/io/hl-json-text.h"

#include <math.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void start (const HlSystem *sys) {
  HlWork *work = hl_work_new (sys);
  HlPoint *point = hl_point_new (sys);
  HlEquilibriumInfo info = {0};
  HlFault fault = {0};

  if (hl_start_point (sys, work, HL_START_FROM_MODEL, NULL, point, &info, &fault) == HL_OK) {
    for (int i = 0; i < hl_system_n_coordinates (sys); i++)
      g_assert_true (isfinite (point->x[i]) && isfinite (point->v[i]));
    for (int i = 0; i < hl_system_n_pressures (sys); i++)
      g_assert_true (isfinite (point->p[i]));
  } else {
    g_autofree char *message = hl_fault_message (sys, &fault);
    g_assert_cmpstr (message, !=, "");
  }
  hl_point_free (point);
  hl_work_free (work);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (HlDocument) document = hl_document_parse ((const char *)data, size, "fuzz", NULL);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = NULL;

  if (document == NULL)
    return 0;
  sys = hl_compile (document, findings);
  if (sys == NULL) {
    g_assert_nonnull (hl_findings_first_error (findings));
    return 0;
  }
  start (sys);
  hl_system_unref (sys);
  return 0;
}
