/* SPDX-License-Identifier: MIT */
#include "core/io/hl-power-table.h"

#include "core/io/hl-answer.h"

char *hl_power_table (const GArray *bars, gboolean energies) {
  static const char *const sides[] = {"in", "lost", "out"};
  int n = (int)bars->len;
  g_autofree const char **names = g_new0 (const char *, n);
  g_autofree const char **which = g_new0 (const char *, n);
  g_autofree double *values = g_new0 (double, n);

  for (int k = 0; k < n; k++) {
    const HlPowerBar *bar = &g_array_index (bars, HlPowerBar, k);
    names[k] = bar->name != NULL ? bar->name : bar->id;
    which[k] = sides[bar->side];
    values[k] = bar->value;
  }
  g_autoptr (HlAnswer) answer = hl_answer_new ();
  hl_answer_text_column (answer, "side", which, n);
  hl_answer_text_column (answer, "element", names, n);
  hl_answer_column (answer, NULL, energies ? "energy" : "power", energies ? "J" : "W", values, n, 1);
  return hl_answer_to_text (answer, HL_ANSWER_CSV);
}
