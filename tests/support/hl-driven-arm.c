/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-driven-arm.h"

#include <string.h>

#include "tests/support/hl-named-parameter-model.h"

static char *text_of (const char *joint, const char *bodies, const char *simulation) {
  return g_strdelimit (
      g_strdup_printf ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, -9.81],"
                       " 'ground': {'points': {'O': [0, 0], 'F': [0.3, -0.8]}},"
                       " 'bodies': [{'id': 'arm', 'points': {'O': [0, 0], 'E': [1, 0]}, 'mass': 6,"
                       "   'inertia': 0.4, 'com': [0.5, 0], 'pose': [0, 0, 0.4]}%s],"
                       " 'joints': [{'id': 'pin', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm.O'}, %s],"
                       " 'simulation': {'start': 'as-given', 'every': 0.05, 'rtol': 1e-10, %s}}",
                       bodies, joint, simulation),
      "'", '"');
}

HlTestModel hl_test_driven_arm (const char *joint, const char *bodies, const char *simulation) {
  g_autofree char *text = text_of (joint, bodies, simulation);
  return hl_test_model_from_text (text);
}

gboolean hl_test_driven_arm_is_told (const char *joint, const char *simulation, const char *says,
                                     const char *advice) {
  g_autofree char *text = text_of (joint, "", simulation);
  g_autoptr (HlDocument) document = hl_test_parsed (text);
  g_autoptr (HlFindings) findings = hl_findings_new ();
  HlSystem *sys = hl_compile (document, findings);
  gboolean is_compiled = sys != NULL, found = FALSE;

  hl_system_unref (sys);
  for (int k = 0; k < hl_findings_n (findings); k++) {
    const HlFinding *finding = hl_findings_get (findings, k);
    found = found || (g_strcmp0 (finding->id, "drive") == 0 && strstr (finding->message, says) != NULL &&
                      (advice == NULL || strstr (finding->advice, advice) != NULL));
  }
  if (!found)
    g_error ("nothing says “%s” of the drive", says);
  return is_compiled;
}
