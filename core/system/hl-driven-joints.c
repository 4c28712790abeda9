/* SPDX-License-Identifier: MIT */
/* Joints that a signal s(t) drives: one row C = c(x) - s(t) each, theory/linearization.md (39),
 *
 *   C_x v = s'        C_x a = s'' - d(x, v)        M a + C_x^T Lam = Q
 *
 * -Lam pushes along c, and gives -Lam s' to the motion. The rows hold s(0) as their constant; what
 * has been added to it since stands in the islands' work. */
#include <string.h>

#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-signal.h"

void hl_stage_drives (const HlSystem *sys, HlWork *work, double t) {
  const HlMechanism *mech = &sys->mech;

  for (int k = 0; k < mech->n_islands && sys->topology->n_driven > 0; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];

    for (int local = 0; local < island->n_rows; local++) {
      const HlRow *row = &mech->rows[island->rows[local]];
      double *drive = iw->drive + 3 * local;
      if (!row->is_driven)
        continue;
      iw->is_driven = true;
      hl_signal_jet (sys->signals, work->drives_rest ? NULL : work->segments, row->signal,
                     work->drives_rest ? 0.0 : t, drive);
      drive[0] -= row->constant;
      if (work->drives_rest)
        drive[1] = drive[2] = 0.0;
    }
  }
}

/* Returns d signal / d leaf: signals that may drive a joint are linear. */
static double share_of (const HlSignal signals[], int signal, int leaf) {
  const HlSignal *of = &signals[signal];
  double sum = signal == leaf ? 1.0 : 0.0;

  for (int term = 0; term < of->n_of; term++)
    sum += (of->kind == HL_SIGNAL_BLOCK ? of->block.gain : hl_signal_weight (of, term)) *
           share_of (signals, of->of[term], leaf);
  return sum;
}

bool hl_drive_of_input (const HlSystem *sys, int k, double drive[]) {
  const HlTopology *top = sys->topology;
  bool any = false;

  memset (drive, 0, 3 * (size_t)sys->mech.n_rows * sizeof (double));
  for (int row = 0; row < sys->mech.n_rows && top->n_driven > 0; row++) {
    if (!sys->mech.rows[row].is_driven)
      continue;
    double share = share_of (sys->signals, sys->mech.rows[row].signal, top->input_signal[k]);
    drive[3 * row + top->input_order[k]] = share;
    any = any || share != 0.0;
  }
  return any;
}

void hl_system_read_inputs (const HlSystem *sys, const HlWork *work, double t, double u[]) {
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_inputs; k++) {
    double jet[3] = {work->signal_values[top->input_signal[k]], 0.0, 0.0};
    if (top->input_order[k] > 0 && !work->drives_rest)
      hl_signal_jet (sys->signals, work->segments, top->input_signal[k], t, jet);
    u[k] = jet[top->input_order[k]];
  }
}

void hl_work_enter_segment (const HlSystem *sys, HlWork *work, double t) {
  work->drives_rest = false;
  hl_signal_enter (sys->signals, sys->n_signals, t, work->segments);
  hl_stage_drives (sys, work, t);
}

void hl_work_enter_point (const HlSystem *sys, HlWork *work, const HlPoint *point) {
  hl_work_forget_poses (work);
  hl_work_enter_segment (sys, work, point->t);
  work->drives_rest = sys->topology->n_driven > 0 && point->rests;
  hl_stage_drives (sys, work, point->t);
}

double hl_drive_rate (const HlSystem *sys, const HlWork *work, int row) {
  const HlRow *of = &sys->mech.rows[row];
  int body = of->body_i >= 0 ? of->body_i : of->body_j;
  int k = body >= 0 ? sys->mech.island_of_body[body] : -1;

  for (int local = 0; k >= 0 && local < sys->mech.islands[k].n_rows; local++)
    if (sys->mech.islands[k].rows[local] == row)
      return work->islands[k]->drive[3 * local + 1];
  return 0.0;
}
