/* SPDX-License-Identifier: MIT */
/* Rest of the quasistatic model, and advice on its virtual elements.
 *
 * A cylinder held by closed valves is, in the discrete form, the linkage's mass m on a spring K and a
 * damper B, stepped by
 *
 *   w' = w - h (K l + B w)/m
 *   l' = l + h w'
 *
 * with the characteristic polynomial (theory/quasistatic.md (31))
 *
 *   z^2 - (2 - b - k) z + 1 - b,    b = h B/m,   k = h^2 K/m
 *
 * Its roots lie inside the unit circle for b > 0, k > 0, k + 2 b < 4. The advice keeps b well
 * inside, and is critically damped:
 *
 *   B = 2 sqrt (K m),    k = b^2/4 */
#include <math.h>
#include <string.h>

#include "core/base/hl-arena.h"
#include "core/math/hl-linalg.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/quasistatic/hl-quasi-model.h"

/* h B/m of the advice: an eighth of the limit. */
#define ADVISED_DAMPING_NUMBER 0.25
/* Steps in which a virtual element without a mass follows. */
#define STEPS_TO_FOLLOW 10.0

/* Maximum unbalanced acceleration that cylinders leave, as a part of the acceleration by the loads. */
#define BALANCE_TOLERANCE 1.0e-9

/* Computes motion, lengths and loads at the point, at rest if requested. */
static HlStatus set_point (const HlSystem *sys, HlWork *work, const HlPoint *point, bool at_rest,
                           HlFault *fault) {
  HlStatus status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);

  if (status != HL_OK)
    return status;
  HlArena scratch = hl_arena_beside (&work->arena);
  double *y = hl_arena_take (&scratch, work->n_states, sizeof *y);
  hl_state_pack (sys, work, point, y);
  if (at_rest)
    memset (y + hl_off_v (work), 0, (size_t)work->f * sizeof (double));
  hl_work_enter_segment (sys, work, point->t);
  hl_signal_eval (sys->signals, sys->n_signals, work->segments, point->t, work->signal_values);
  memcpy (work->component_u, point->u, (size_t)work->u * sizeof (double));
  hl_stage_drives (sys, work, point->t);
  status = hl_stage_positions (sys, y, work, fault);
  if (status == HL_OK) {
    hl_stage_velocities (sys, y, work);
    status = hl_stage_lengths (sys, work, fault);
  }
  if (status == HL_OK)
    status = hl_stage_loads (sys, work, fault);
  hl_arena_clear (&scratch);
  return status;
}

/* Computes work->a_state: the accelerations by a unit force of cylinder k alone, at rest. */
static void eval_unit_force (const HlSystem *sys, HlWork *work, int k) {
  const HlCylinder *cyl = &sys->cylinders[k];

  memset (work->force, 0, (size_t)work->n * sizeof (double));
  hl_scatter6 (work->cylinders[k].length.grad, cyl->body_i, cyl->body_j, work->force);
  hl_stage_accelerations (sys, work);
}

/* Computes the smallest cylinder forces (in norm) for which there is no acceleration. */
static HlStatus balance (const HlSystem *sys, HlWork *work, double forces[], HlFault *fault) {
  int f = work->f, n = sys->n_cylinders, rows = f > n ? f : n;
  HlArena scratch = hl_arena_beside (&work->arena);
  double *a = hl_arena_take (&scratch, f * n, sizeof *a);
  double *kept = hl_arena_take (&scratch, f * n, sizeof *kept);
  double *b = hl_arena_take (&scratch, rows, sizeof *b);
  double *loads = hl_arena_take (&scratch, f, sizeof *loads);
  HlLinalgWork *lw = hl_linalg_work_new_beside (&scratch, rows + 1, n + 1);
  double size = 0.0, left = 0.0, most = 0.0;
  int body = -1; /* that is off balance most */

  hl_stage_accelerations (sys, work);
  memcpy (loads, work->a_state, (size_t)f * sizeof (double));
  for (int k = 0; k < n; k++) {
    eval_unit_force (sys, work, k);
    memcpy (a + (size_t)k * (size_t)f, work->a_state, (size_t)f * sizeof (double));
  }
  memcpy (kept, a, (size_t)f * (size_t)n * sizeof (double));
  for (int row = 0; row < f; row++)
    b[row] = -loads[row];
  HlStatus status = n > 0 && f > 0 ? hl_least_squares (f, n, a, 1, b, 0.0, NULL, lw) : HL_OK;
  for (int row = 0; row < f; row++) {
    double rest = loads[row];
    for (int k = 0; k < n; k++)
      rest += kept[k * f + row] * b[k];
    size += loads[row] * loads[row];
    left += rest * rest;
    if (fabs (rest) > most) {
      most = fabs (rest);
      body = work->ai_column[row] / 3;
    }
  }
  if (status == HL_OK && left > BALANCE_TOLERANCE * BALANCE_TOLERANCE * size) {
    status = hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_BODY, body, sqrt (left / size));
    if (fault != NULL) {
      fault->why = HL_TEXT ("the cylinders alone cannot hold the linkage at rest in this pose");
      fault->mend = HL_TEXT ("start the run from the values of the file (simulation.start: as-given), or "
                             "from a pose in which the rest of the linkage is balanced");
    }
  }
  memcpy (forces, b, (size_t)n * sizeof (double));
  hl_linalg_work_free (lw);
  hl_arena_clear (&scratch);
  return status;
}

HlStatus hl_quasi_start (const HlQuasiMachine *machine, const HlSystem *sys, HlWork *work,
                         const HlPoint *point, bool is_balanced, double rods[], HlFault *fault) {
  HlStatus status = set_point (sys, work, point, is_balanced, fault);

  for (int k = 0; k < sys->n_cylinders; k++)
    rods[k] = 0.0;
  if (status == HL_OK && is_balanced)
    status = balance (sys, work, rods, fault);
  for (int k = 0; k < sys->n_cylinders && status == HL_OK; k++)
    rods[k] = work->cylinders[k].length.s + rods[k] / machine->couplings[machine->slot_of_cylinder[k]].K;
  return status;
}

/* ---- advice ---- */

/* Returns the acceleration of the length of cylinder k that its own unit force causes: 1/mass. */
static double mobility (const HlSystem *sys, HlWork *work, int k) {
  const HlCylinder *cyl = &sys->cylinders[k];
  double a6[6], sum = 0.0;

  eval_unit_force (sys, work, k);
  for (int i = 0; i < sys->mech.n_islands; i++) {
    HlIslandWork *iw = work->islands[i];
    for (int j = 0; j < iw->f; j++)
      work->a_ai[j] = work->a_state[work->ai_state[i][j]];
    hl_island_velocities (iw, work->a_ai, work->a);
  }
  hl_gather6 (work->a, cyl->body_i, cyl->body_j, a6);
  for (int c = 0; c < 6; c++)
    sum += work->cylinders[k].length.grad[c] * a6[c];
  return sum;
}

/* Stiffness of the oil in both chambers and their hoses when all valves are closed. */
static double oil_stiffness (const HlSystem *sys, const HlWork *work, int k) {
  const HlCylinder *cyl = &sys->cylinders[k];
  const HlCylinderState *state = &work->cylinders[k];
  double softness = hl_chamber_oil_compliance (sys, cyl), stiffness = 0.0;

  for (int side = 0; side < 2; side++) {
    int node = side == 0 ? cyl->node_a : cyl->node_b;
    double area = side == 0 ? cyl->area_a : cyl->area_b;
    double length = side == 0 ? state->length_a : state->length_b;
    double compliance = area * length * softness + (node >= 0 ? sys->nodes[node].hose : 0.0);
    if (node >= 0 && compliance > 0.0)
      stiffness += area * area / compliance;
  }
  return stiffness;
}

HlStatus hl_quasi_advise (const HlSystem *sys, HlWork *work, const HlPoint *point, double h,
                          HlQuasiAdvice advice[], HlFault *fault) {
  HlStatus status = set_point (sys, work, point, true, fault);

  for (int k = 0; k < sys->n_cylinders && status == HL_OK; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlQuasiAdvice *a = &advice[k];
    double K = cyl->virtual_stiffness, B = cyl->virtual_damping;

    double moves = mobility (sys, work, k);
    *a = (HlQuasiAdvice){.mass = 1.0 / moves, .longest_step = NAN, .slowness = NAN};
    a->stiff_B = ADVISED_DAMPING_NUMBER * a->mass / h;
    a->stiff_K = 0.25 * a->stiff_B * a->stiff_B / a->mass;
    a->oil_K = oil_stiffness (sys, work, k);
    if (!(a->oil_K > 0.0)) /* between given pressures: no oil is enclosed */
      a->oil_K = a->stiff_K;
    a->oil_B = 2.0 * sqrt (a->oil_K * a->mass);
    if (!(moves > 0.0)) { /* at a dead point, or driven: no mass swings on it, it only has to follow */
      a->stiff_K = a->oil_K;
      a->stiff_B = a->oil_B = STEPS_TO_FOLLOW * h * a->oil_K;
    }
    if (K > 0.0 && B > 0.0) {
      /* positive root of h^2 K + 2 h B = 4 m */
      a->longest_step = 4.0 * a->mass / (B + sqrt (B * B + 4.0 * K * a->mass));
      a->slowness = sqrt (a->oil_K / K);
    }
  }
  return status;
}
