/* SPDX-License-Identifier: MIT */
/* fmu-rhs-reference EXAMPLE N: the program's own right-hand side N times, at the states at which the importer's `speed` evaluates
 * the FMU of the same machine. */
#include <stdlib.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-system-private.h"
#include "tests/support/hl-example-model.h"

int main (int argc, char **argv) {
  if (argc < 3)
    return 2;
  HlTestModel model = hl_test_model_load (argv[1]);
  hl_test_model_start (&model, (HlStart)model.sys->start);
  int n = model.work->n_states;
  double *y = calloc ((size_t)n, sizeof *y), *y_dot = calloc ((size_t)n, sizeof *y_dot);
  hl_state_pack (model.sys, model.work, model.point, y);
  for (long k = 0, times = strtol (argv[2], NULL, 10); k < times; k++) {
    y[0] += k & 1 ? 1e-9 : -1e-9;
    if (hl_dynamics_eval (model.sys, 0.0, y, y_dot, model.work, NULL) != HL_OK)
      return 1;
  }
  free (y);
  free (y_dot);
  hl_test_model_clear (&model);
  return 0;
}
