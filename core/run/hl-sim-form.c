/* SPDX-License-Identifier: MIT */
/* The two formulations of the lumped model: reduced (minimal order, exact Jacobian, no drift) and
 * the stabilized index-1 form in all coordinates (theory/stabilization.md (4)-(7)), which is there
 * to be compared with. */
#include <string.h>

#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-home.h"
#include "core/system/hl-softness.h"

static void
fill (double scale[], int from, int n, double value)
{
  for (int k = 0; k < n; k++)
    scale[from + k] = value;
}

/* ---- reduced ---- */

static HlStatus
reduced_arrange (HlSimRun *run, const HlPoint *point, HlFault *fault)
{
  hl_home_settle (run->sys, run->work, point->x);
  return hl_partition_choose (run->sys, run->work, point->x, HL_PARTITION_PIVOT, NULL, 0, fault);
}

static int
reduced_n_states (const HlSimRun *run)
{
  return run->work->n_states;
}

static void
reduced_pack (const HlSimRun *run, const HlPoint *point, double y[])
{
  hl_state_pack (run->sys, run->work, point, y);
}

static HlStatus
reduced_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault)
{
  return hl_state_unpack (run->sys, run->work, t, y, point, fault);
}

static void
reduced_scales (const HlSimRun *run, double scale[])
{
  hl_error_scales (run->sys, run->work, scale);
}

static HlStatus
reduced_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  return hl_dynamics_eval (run->sys, t, y, y_dot, run->work, fault);
}

static HlStatus
reduced_look (HlSimRun *run, double t, const double y[], HlLook look, HlFault *fault)
{
  if (look > HL_LOOK_AT_STATES)
    hl_work_look_aside (run->work);
  return hl_dynamics_look (run->sys, t, y, look, run->y_dot, run->work, fault);
}

static HlStatus
reduced_jacobian (HlSimRun *run, double t, const double y[], double J[], HlFault *fault)
{
  return run->pattern != NULL ? hl_jacobian_add (run->sys, t, y, J, run->work, fault)
                              : hl_jacobian_eval (run->sys, t, y, J, run->work, fault);
}

static HlPattern *
reduced_pattern (const HlSimRun *run)
{
  return hl_pattern_new (run->sys, run->work);
}

static HlUnreduced *
reduced_unreduced (const HlSimRun *run)
{
  return hl_unreduced_pays (run->sys, run->work) ? hl_unreduced_new (run->sys, run->work) : NULL;
}

static bool
reduced_is_worn (const HlSimRun *run)
{
  return hl_partition_is_worn (run->sys, run->work);
}

static void
reduced_tighten (const HlSimRun *run, const double y[], double weight[])
{
  int first = hl_off_p (run->work);

  hl_error_tighten (run->sys, run->work, y + first, weight + first);
}

static HlStatus
reduced_watch (HlSimRun *run, double t, const double y[], bool jumped)
{
  return hl_sim_watch_ledger (run, t, y, hl_off_p (run->work), jumped);
}

static int
reduced_n_places (const HlSimRun *run)
{
  return run->work->f;
}

const HlSimForm hl_sim_form_reduced = {
    .arrange = reduced_arrange,
    .n_states = reduced_n_states,
    .n_places = reduced_n_places,
    .pack = reduced_pack,
    .unpack = reduced_unpack,
    .scales = reduced_scales,
    .tighten = reduced_tighten,
    .rhs = reduced_rhs,
    .look = reduced_look,
    .jacobian = reduced_jacobian,
    .is_worn = reduced_is_worn,
    .pattern = reduced_pattern,
    .unreduced = reduced_unreduced,
    .watch = reduced_watch,
};

/* ---- stabilized index-1 form: y = (x, v, p, U) ---- */

static int
baumgarte_n_states (const HlSimRun *run)
{
  return 2 * run->work->n + run->work->r + run->work->u;
}

static void
baumgarte_pack (const HlSimRun *run, const HlPoint *point, double y[])
{
  size_t n = (size_t)run->work->n, r = (size_t)run->work->r, u = (size_t)run->work->u;

  for (size_t k = 0; k < n; k++) {
    y[k] = hl_home_position (run->work, point->x, (int)k);
    y[n + k] = hl_home_velocity (run->work, point->v, (int)k);
  }
  memcpy (y + 2 * n, point->p, r * sizeof (double));
  memcpy (y + 2 * n + r, point->u, u * sizeof (double));
}

static HlStatus
baumgarte_unpack (HlSimRun *run, double t, const double y[], HlPoint *point, HlFault *fault)
{
  size_t n = (size_t)run->work->n, r = (size_t)run->work->r, u = (size_t)run->work->u;

  (void)fault;
  point->t = t;
  for (size_t k = 0; k < n; k++) {
    point->x[k] = hl_home_drawn_position (run->work, y, (int)k);
    point->v[k] = hl_home_drawn_velocity (run->work, y + n, (int)k);
  }
  memcpy (point->p, y + 2 * n, r * sizeof (double));
  memcpy (point->u, y + 2 * n + r, u * sizeof (double));
  return HL_OK;
}

static void
baumgarte_scales (const HlSimRun *run, double scale[])
{
  const HlWork *work = run->work;

  fill (scale, 0, work->n, HL_SCALE_POSITION);
  fill (scale, work->n, work->n, HL_SCALE_VELOCITY);
  fill (scale, 2 * work->n, work->r, HL_SCALE_PRESSURE);
  for (int k = 0; k < work->u; k++)
    scale[2 * work->n + work->r + k] = hl_error_scale_of_component (run->sys, k);
}

static HlStatus
baumgarte_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  int n = run->work->n, r = run->work->r;
  HlFullState state = {.x = y,
                       .v = y + n,
                       .p = y + 2 * n,
                       .u = y + 2 * n + r,
                       .beta = run->options->beta,
                       .gamma = run->options->gamma};
  HlFullRate rate = {.a = y_dot + n, .p_dot = y_dot + 2 * n, .u_dot = y_dot + 2 * n + r};

  memcpy (y_dot, y + n, (size_t)n * sizeof (double));
  return hl_dynamics_eval_full (run->sys, t, &state, &rate, run->work, fault);
}

static void
baumgarte_tighten (const HlSimRun *run, const double y[], double weight[])
{
  int first = 2 * run->work->n;

  hl_error_tighten (run->sys, run->work, y + first, weight + first);
}

static HlStatus
baumgarte_watch (HlSimRun *run, double t, const double y[], bool jumped)
{
  return hl_sim_watch_ledger (run, t, y, 2 * run->work->n, jumped);
}

static void
baumgarte_owner (const HlSimRun *run, int state, HlEntityKind *kind, int *entity)
{
  int n = run->work->n;

  if (state >= 2 * n) {
    hl_state_owner (run->sys, run->work, hl_off_p (run->work) + state - 2 * n, kind, entity);
    return;
  }
  *kind = HL_ENTITY_BODY;
  *entity = state % n / 3;
}

const HlSimForm hl_sim_form_baumgarte = {
    .owner = baumgarte_owner,
    .arrange = reduced_arrange,
    .n_states = baumgarte_n_states,
    .pack = baumgarte_pack,
    .unpack = baumgarte_unpack,
    .scales = baumgarte_scales,
    .tighten = baumgarte_tighten,
    .rhs = baumgarte_rhs,
    .is_worn = reduced_is_worn,
    .watch = baumgarte_watch,
};
