/* SPDX-License-Identifier: MIT */
/* The quasistatic model with a fixed step (theory/quasistatic.md (29), (30)),
 *
 *   omega += h a (theta, f)
 *   theta += h omega
 *
 * in the reduced coordinates; a row shows the state before the update. Rows between two steps show a
 * shorter step, which is then discarded. */
#include <string.h>

#include "core/quasistatic/hl-sim-quasistatic.h"
#include "core/base/hl-translation-macros.h"
#include "core/system/hl-lumped-dynamics.h"

/* Writes rows strictly between two steps, each with a step of its own length, which is then discarded. */
static HlStatus rows_between (HlSimRun *run, double t, double t_next) {
  HlSimQuasi *quasi = run->own;
  double last = t_next - HL_ROW_SNAP * run->options->every;
  HlStatus status = HL_OK;

  if (!(run->next_row < last))
    return HL_OK;
  hl_sim_save_stand (run);
  while (status == HL_OK && !run->stopped && run->next_row < last) {
    memcpy (run->y_row, run->y, (size_t)run->n * sizeof (double));
    quasi->h = run->next_row - t;
    hl_sim_discrete_advance (run, quasi->h, run->y_row);
    status = hl_sim_emit_row (run, run->next_row, run->y_row);
  }
  hl_sim_restore_stand (run);
  return status;
}

/* Advances the state from t to t_next. Rods in run->y are those of the step before. */
static HlStatus advance_state (HlSimRun *run, double t, double t_next) {
  HlSimQuasi *quasi = run->own;
  bool has_row = run->next_row <= t + HL_ROW_SNAP * run->options->every;
  HlStatus status = has_row ? hl_sim_emit_row (run, t, run->y)
                            : hl_sim_discrete_rhs (run, t, run->y, run->y_dot, &run->fault);

  if (status == HL_OK && run->options->cavitations != NULL) {
    hl_sim_quasi_observe (run, t, run->y);
    hl_sim_watch_lines (run, t, t == 0.0);
  }
  if (status != HL_OK || run->stopped || t >= run->options->t_end)
    return status;
  if (run->needs_energy) {
    double powers[3];
    hl_sim_quasi_powers (run, t, run->y, powers);
    for (int e = 0; e < 3; e++)
      run->energies[e] += (t_next - t) * powers[e];
  }
  hl_sim_discrete_keep (run);
  bool is_worn = hl_sim_quasi_is_worn (run);
  status = rows_between (run, t, t_next);
  quasi->h = t_next - t;
  hl_sim_discrete_advance (run, quasi->h, run->y);
  if (status != HL_OK || !is_worn)
    return status;
  run->restarts++;
  return hl_sim_discrete_rearrange (run, t_next);
}

static HlStatus discrete_run (HlSimRun *run, HlSimStats *stats) {
  const HlSimOptions *options = run->options;
  HlSimQuasi *quasi = run->own;
  double h = options->step, t = 0.0;
  HlStatus status = HL_OK;
  long k = 0;

  if (!(h > 0.0)) {
    run->fault = (HlFault){.status = HL_BAD_MODEL, .entity = -1, .time = NAN};
    run->fault.why = N_ ("the discrete formulation needs a step size");
    run->fault.mend = N_ ("set the fixed step (simulation.step) to a positive value");
    return HL_BAD_MODEL;
  }
  quasi->machine.by_segment = false;
  quasi->h = h;
  while (status == HL_OK && !run->stopped && run->next_row <= options->t_end) {
    t = hl_sim_discrete_time (h, k);
    if (options->t_end - t < HL_ROW_SNAP * options->every)
      t = options->t_end;
    if (t >= run->known_until - HL_ROW_SNAP * h)
      hl_sim_extend_signals (run, t);
    if (options->cancel != NULL && options->cancel (options->cancel_data))
      status = HL_CANCELLED;
    else if (hl_sim_count_step (run) != HL_OK)
      status = HL_OUT_OF_STEPS;
    else if (!run->stopped)
      status = advance_state (run, t, hl_sim_discrete_time (h, k + 1));
    k++;
  }
  if (stats != NULL) {
    stats->steps = k;
    stats->rhs = run->work->n_rhs;
    stats->restarts = run->restarts;
    stats->t_reached = status == HL_OK && !run->stopped ? options->t_end : t;
  }
  return status;
}

const HlSimForm hl_sim_form_discrete = {
    .rests_in_place = true,
    .arrange = hl_sim_discrete_arrange,
    .n_states = hl_sim_quasi_n_states,
    .pack = hl_sim_quasi_pack,
    .unpack = hl_sim_quasi_unpack,
    .scales = hl_sim_quasi_scales,
    .rhs = hl_sim_discrete_rhs,
    .is_worn = hl_sim_quasi_is_worn,
    .begin = hl_sim_quasi_begin,
    .end = hl_sim_quasi_end,
    .save_stand = hl_sim_quasi_save_stand,
    .restore_stand = hl_sim_quasi_restore_stand,
    .rows_are_steps = true,
    .observe = hl_sim_quasi_observe,
    .powers = hl_sim_quasi_powers,
    .run_all = discrete_run,
};
