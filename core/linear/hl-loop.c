/* SPDX-License-Identifier: MIT */
#include "core/linear/hl-loop.h"

#include <string.h>

#include "core/system/hl-feedback.h"

int hl_loop_n (const HlSystem *sys) {
  return sys->topology->n_heard;
}

const char *hl_loop_name (const HlSystem *sys, int loop) {
  return sys->topology->signal_paths[sys->topology->heard[loop]];
}

int hl_loop_find (const HlSystem *sys, const char *path) {
  for (int k = 0; k < hl_loop_n (sys); k++)
    if (strcmp (hl_loop_name (sys, k), path) == 0)
      return k;
  return -1;
}

/* With e = df/ds the effect of the signal, and c = ds/dy, which the model has as its only output:
 *
 *   A = J - e c,   B = e,   C = -c,   D = 0 */
HlLinearModel *hl_loop_model_new (const HlSystem *sys, HlWork *work, const HlPoint *point, int loop,
                                  HlFault *fault) {
  HlObservable signal;

  if (!hl_observable_find (sys, hl_loop_name (sys, loop), &signal))
    return NULL;
  HlLinearModel *model = hl_linear_model_new (sys, work, point, &signal, 1, fault);
  if (model == NULL)
    return NULL;
  size_t n = (size_t)model->n;
  double *effect = hl_arena_take (&model->arena, model->n, sizeof *effect);
  hl_jacobian_signal_column (sys, work, sys->topology->heard[loop], effect);
  for (size_t column = 0; column < n; column++)
    for (size_t row = 0; row < n; row++)
      model->A[row + n * column] -= effect[row] * model->C[column];
  for (size_t column = 0; column < n; column++)
    model->C[column] = -model->C[column];
  /* the machine itself may have no input: room for the one of the loop */
  model->B = effect;
  model->n_inputs = model->n_signals = 1;
  model->rates = hl_arena_take (&model->arena, 1, sizeof *model->rates);
  model->u0 = hl_arena_take (&model->arena, 1, sizeof *model->u0);
  model->u0[0] = model->y0[0];
  model->D = hl_arena_take (&model->arena, 1, sizeof *model->D);
  return model;
}
