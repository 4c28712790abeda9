/* SPDX-License-Identifier: MIT */
#include "tests/support/hl-test-spring-arms.h"

HlTestModel hl_test_arms (int n, const double inertia[], const double damping[], const double stiffness[]) {
  g_autoptr (GString) text = g_string_new ("{'format': 'hydrolink', 'version': 1, 'gravity': [0, "
                                           "0], 'ground': {'points': {'O': [0, 0]}},");
  const char *comma = "";

  g_string_append (text, " 'bodies': [");
  for (int k = 0; k < n; k++, comma = ",")
    g_string_append_printf (text,
                            "%s{'id': 'arm%d', 'points': {'O': [0, 0]}, 'mass': 1, 'inertia': "
                            "%.17g, 'pose': [0, 0, 0]}",
                            comma, k, inertia[k]);
  g_string_append (text, "], 'joints': [");
  comma = "";
  for (int k = 0; k < n; k++, comma = ",")
    g_string_append_printf (text, "%s{'id': 'pin%d', 'kind': 'revolute', 'a': 'ground.O', 'b': 'arm%d.O'}",
                            comma, k, k);
  g_string_append (text, "], 'loads': [");
  comma = "";
  for (int k = 0; k < n; k++, comma = ",")
    g_string_append_printf (text,
                            "%s{'id': 's%d', 'kind': 'torsion-spring', 'a': 'ground', 'b': "
                            "'arm%d', 'stiffness': %.17g, 'damping': %.17g, 'free_angle': 0}",
                            comma, k, k, stiffness[k], damping[k]);
  g_string_append (text, "], 'start': 'as-given'}");
  g_strdelimit (text->str, "'", '"');
  return hl_test_model_from_text (text->str);
}
