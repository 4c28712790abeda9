/* SPDX-License-Identifier: MIT */
/* Guards (hl-guards.h) of a run of the lumped oil for its integrator. At the end of a step the work mostly stands
 * where the last evaluation of the equations has left it, which is near enough. */
#include <math.h>

#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics-stages.h"
#include "core/system/hl-feedback.h"
#include "core/system/hl-guards.h"

#define DIFFERENCE 1.0e-4 /* of a step, for the rates of blocks */

/* Brings the work to the state y at t, with cylinders and, where blocks are guarded, measured signals. */
static HlStatus
stand (HlSimRun *run, double t, const double y[])
{
  HlStatus status = run->form->look != NULL
                        ? run->form->look (run, t, y, HL_LOOK_AT_MOTION, &run->fault)
                        : run->form->rhs (run, t, y, run->y_dot, &run->fault);

  if (status == HL_OK)
    status = hl_stage_lengths (run->sys, run->work, &run->fault);
  if (status == HL_OK && run->n_guarded_blocks > 0)
    hl_feedback_eval (run->sys, run->work, NULL);
  return status;
}

/* An instant of the last step. */
typedef struct
{
  HlSimRun *run;
  double t;
  bool has_slope; /* of the states, in run->y_dot */
} Instant;

static const double *
find_rates (void *data)
{
  Instant *at = data;
  HlSimRun *run = at->run;

  if (!at->has_slope)
    hl_integrator_find_slope (run->integrator, at->t, run->y_dot);
  at->has_slope = true;
  return run->y_dot + run->form->off_p (run);
}

HlStatus
hl_sim_guards_eval (HlSimRun *run, double t, double h, bool at_end, HlGuard out[])
{
  Instant at = {run, t, false};
  HlGuardRates rates = {.h = h, .rtol = run->options->rtol, .find = find_rates, .data = &at};
  int n_blocks = run->n_guarded_blocks;
  double dt = DIFFERENCE * h;
  HlStatus status = HL_OK;

  if (n_blocks > 0) {
    hl_integrator_interpolate (run->integrator, t, run->y_row);
    hl_integrator_find_slope (run->integrator, t, run->y_dot);
    for (int k = 0; k < run->n; k++)
      run->y_row[k] -= dt * run->y_dot[k];
    status = stand (run, t - dt, run->y_row);
    if (status == HL_OK)
      hl_guards_blocks (run->sys, run->work, rates.rtol, run->block_raw, NULL);
    hl_work_look_back (run->work);
  }
  if (status == HL_OK && (n_blocks > 0 || t != run->evaluated_at)) {
    hl_integrator_interpolate (run->integrator, t, run->y_row);
    status = stand (run, t, run->y_row);
  }
  if (status == HL_OK) {
    HlGuard *blocks = out + run->n_guards - n_blocks;
    hl_guards_eval (run->sys, run->work, &rates, at_end ? &run->guards : NULL, out);
    if (n_blocks > 0)
      hl_guards_blocks (run->sys, run->work, rates.rtol, run->block_raw, blocks);
    for (int k = 0; k < n_blocks; k++)
      blocks[k].rate /= dt;
  }
  hl_work_look_back (run->work);
  return status;
}
