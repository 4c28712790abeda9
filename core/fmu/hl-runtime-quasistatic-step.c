/* SPDX-License-Identifier: MIT */
/* The discrete formulation of the quasistatic model: its steps are at multiples of their length, for any
 * communication steps. Between two steps the FMU shows the result of a shorter step, which is then discarded,
 * as for the rows of a run. Inputs take effect at the start of the next step. */
#include "core/fmu/hl-runtime-instance.h"

#define ON_A_STEP 1.0e-9 /* of a step: a time counts as one where they meet */

static HlStatus begin_discrete (HlSimRun *run, HlPoint *point, HlFault *fault) {
  HlStatus status = hl_sim_quasi_begin (run, point, fault);

  if (status == HL_OK)
    ((HlSimQuasi *)run->own)->h = run->sys->step;
  run->step = 0;
  run->is_kept = run->is_between = false;
  return status;
}

static HlStatus begin_step (HlModel *m, double t) {
  HlSimRun *run = &m->run;

  hl_model_go_back (m);
  HlStatus status = hl_sim_discrete_rhs (run, t, run->y, run->y_dot, &run->fault);

  if (status != HL_OK)
    return status;
  hl_sim_discrete_keep (run);
  run->is_worn = hl_sim_quasi_is_worn (run);
  run->is_kept = true;
  hl_model_save (m);
  return HL_OK;
}

static HlStatus run_discrete_until (HlSimRun *run, double until, bool stops_at_event, bool *met_event,
                                    void *model) {
  HlModel *m = model;
  HlSimQuasi *quasi = run->own;
  double h = run->sys->step;
  HlStatus status = HL_OK;

  (void)stops_at_event;
  (void)met_event;
  run->is_between = false;
  m->t = until;
  while (status == HL_OK) {
    double t = run->start + hl_sim_discrete_time (h, run->step);
    double next = run->start + hl_sim_discrete_time (h, run->step + 1);
    if (until <= t + ON_A_STEP * h)
      return HL_OK;
    status = run->is_kept ? HL_OK : begin_step (m, t);
    if (status != HL_OK)
      break;
    run->is_between = until < next - ON_A_STEP * h;
    quasi->h = run->is_between ? until - t : next - t;
    if (run->is_between) {
      memcpy (run->y_row, run->y, (size_t)run->n * sizeof (double));
      hl_sim_discrete_advance (run, quasi->h, run->y_row);
      return HL_OK;
    }
    hl_sim_discrete_advance (run, quasi->h, run->y);
    run->step++;
    run->is_kept = false;
    if (run->is_worn) {
      status = hl_sim_discrete_rearrange (run, next);
      hl_model_save (m);
    }
  }
  m->fault = run->fault;
  return status;
}

static const HlSimForm hl_runtime_form_discrete = {
    .arrange = hl_sim_discrete_arrange,
    .n_states = hl_sim_quasi_n_states,
    .pack = hl_sim_quasi_pack,
    .unpack = hl_sim_quasi_unpack,
    .scales = hl_sim_quasi_scales,
    .rhs = hl_sim_discrete_rhs,
    .is_worn = hl_sim_quasi_is_worn,
    .begin = begin_discrete,
    .end = hl_sim_quasi_end,
    .observe = hl_sim_quasi_observe,
    .run_until = run_discrete_until,
};
