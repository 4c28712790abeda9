/* SPDX-License-Identifier: MIT */
/* The two formulations of the lumped model: reduced (minimal order, exact Jacobian, no drift) and
 * the stabilized index-1 form in all coordinates (theory/stabilization.md (4)-(7)), which is there
 * to be compared with. */
#include <string.h>

#include "core/run/hl-sim-run.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-home.h"
#include "core/system/hl-softness.h"

double
hl_sim_component_scale (const HlSystem *sys, int state)
{
  const HlSignal *signal = hl_state_signal (sys, state);

  return signal != NULL ? HL_SCALE_SIGNAL * signal->size[sys->topology->part_of_state[state]]
                        : hl_state_word (sys, state)->tolerance;
}

static void
fill (double scale[], int from, int n, double value)
{
  for (int k = 0; k < n; k++)
    scale[from + k] = value;
}

static void
component_scales (const HlSystem *sys, double scale[])
{
  for (int k = 0; k < sys->topology->n_states_u; k++)
    scale[k] = hl_sim_component_scale (sys, k);
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
  const HlWork *work = run->work;

  fill (scale, 0, work->f, HL_SCALE_POSITION);
  fill (scale, hl_off_v (work), work->f, HL_SCALE_VELOCITY);
  fill (scale, hl_off_ad (work), work->l, HL_SCALE_POSITION);
  fill (scale, hl_off_p (work), work->r, HL_SCALE_PRESSURE);
  component_scales (run->sys, scale + hl_off_u (work));
}

static HlStatus
reduced_rhs (HlSimRun *run, double t, const double y[], double y_dot[], HlFault *fault)
{
  return hl_dynamics_eval (run->sys, t, y, y_dot, run->work, fault);
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

static bool
reduced_is_worn (const HlSimRun *run)
{
  return hl_partition_is_worn (run->sys, run->work);
}

/* A pressure in a pocket, where a little of it is much volume: atol min (1, C_liquid/C),
 * theory/fluid.md (11). Of lines, and of what components hold of their own. */
static void
tighten (const HlSimRun *run, const double p[], double weight[])
{
  const HlSystem *sys = run->sys;
  const HlTopology *top = sys->topology;
  int r = run->work->r; /* states of components stand behind the pressures of lines */

  for (int k = 0; k < top->n_laws; k++) {
    const HlComponent *c = &sys->components[top->laws[k]];
    HlLawInputs in;
    if (c->klass->softening == NULL || c->n_states == 0)
      continue;
    HlLaw law = hl_work_law (run->work, c, &in);
    law.state = p + r + c->first_state;
    for (int state = 0; state < c->n_states; state++)
      weight[r + c->first_state + state] *= c->klass->softening (c, &law, state);
  }

  for (int node = 0; node < sys->n_nodes; node++) {
    int state = sys->nodes[node].state;
    if (state >= 0)
      weight[state] *= hl_softness_ratio (sys, run->work, node, p[state]);
  }
}

static void
reduced_tighten (const HlSimRun *run, const double y[], double weight[])
{
  tighten (run, y + hl_off_p (run->work), weight + hl_off_p (run->work));
}

static HlStatus
reduced_watch (HlSimRun *run, double t, const double y[], bool jumped)
{
  return hl_sim_watch_ledger (run, t, y, hl_off_p (run->work), jumped);
}

const HlSimForm hl_sim_form_reduced = {
    .arrange = reduced_arrange,
    .n_states = reduced_n_states,
    .pack = reduced_pack,
    .unpack = reduced_unpack,
    .scales = reduced_scales,
    .tighten = reduced_tighten,
    .rhs = reduced_rhs,
    .jacobian = reduced_jacobian,
    .is_worn = reduced_is_worn,
    .pattern = reduced_pattern,
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
  component_scales (run->sys, scale + 2 * work->n + work->r);
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
  tighten (run, y + 2 * run->work->n, weight + 2 * run->work->n);
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
