/* SPDX-License-Identifier: MIT */
#include "core/system/hl-guards.h"

#include <math.h>
#include <string.h>

#include "core/math/hl-larger.h"

/* What counts as passed: of a stop and a cushion, whose forces begin with a slope of 0, this part of the stroke times the
 * root of the tolerance; of the others so many tolerances, which the pressures may be off by. */
#define LEAST_DEPTH 1.0e-3
#define LEAST_TOLERANCES 30.0

/* Rates of laws are differences over this part of the step: most of what they read goes by straight lines. */
#define RATE_STEP 1.0e-3

/* A law whose branches stay further from their kinks than so many times the way since the last look is far from them, and
 * is left out at the ends of some steps. */
#define FAR 4.0
#define LONGEST_WAIT 8

#define TURN 0.5 /* of a linkage within a piece [rad] */

static int n_of_cylinder (const HlCylinder *cyl) {
  if (cyl->no_chambers) /* a motor turns without end */
    return 0;
  return 2 + (cyl->cushion_state[0] >= 0) + (cyl->cushion_state[1] >= 0);
}

static int n_of_law (const HlComponent *c) {
  return c->klass->lift != NULL ? c->n_branches : 0;
}

/* Corners of a block that depends on the state. */
static int corners_of (const HlSignal *signal, double levels[HL_MOST_LEVELS]) {
  if (signal->kind != HL_SIGNAL_BLOCK || !signal->listens || signal->klass->corners == NULL)
    return 0;
  return signal->klass->corners (&signal->block, levels);
}

static int n_of_blocks (const HlSystem *sys) {
  double levels[HL_MOST_LEVELS];
  int n = 0;

  for (int k = 0; k < sys->n_signals; k++)
    n += corners_of (&sys->signals[k], levels);
  return n;
}

int hl_guards_count (const HlSystem *sys) {
  int n = n_of_blocks (sys);

  for (int k = 0; k < sys->n_cylinders; k++)
    n += n_of_cylinder (&sys->cylinders[k]);
  for (int k = 0; k < sys->n_components; k++)
    n += n_of_law (&sys->components[k]);
  return n;
}

static HlGuard guard_of (double value, double rate, double least) {
  return isfinite (value) && isfinite (rate) ? (HlGuard){value, rate, least} : (HlGuard){1.0, 0.0, least};
}

static int eval_cylinder (const HlCylinder *cyl, const HlCylinderState *state, double rtol, HlGuard out[]) {
  double least = LEAST_DEPTH * sqrt (rtol), s = state->length.s, rate = state->length.rate;
  double lengths[2] = {hl_cylinder_length_a (cyl, s), hl_cylinder_length_b (cyl, s)};
  int n = 0;

  if (cyl->no_chambers)
    return 0;
  for (int side = 0; side < 2; side++) {
    double by_time = side == 0 ? rate : -rate;
    out[n++] = guard_of (lengths[side] / cyl->stroke, by_time / cyl->stroke, least);
    if (cyl->cushion_state[side] < 0)
      continue;
    double reach = cyl->cushion[side].length;
    out[n++] = guard_of (lengths[side] / reach - 1.0, by_time / reach, least);
  }
  return n;
}

/* Lifts of the branches of a law. */
static int values_of_law (const HlComponent *c, const HlLaw *law, double values[]) {
  for (int branch = 0; branch < c->n_branches; branch++)
    values[branch] = c->klass->lift (c, law, branch);
  return c->n_branches;
}

/* How many steps from now on a law may be left out, by its values now and when it was looked at last. */
static int wait_of (int n, const double values[], const double last[]) {
  int wait = LONGEST_WAIT;

  for (int k = 0; k < n; k++) {
    double way = FAR * fabs (values[k] - last[k]);
    if (!isfinite (values[k]) && values[k] == last[k])
      continue;
    if (!(fabs (values[k]) > way))
      return 0;
    if (way * wait > fabs (values[k]))
      wait = (int)(fabs (values[k]) / way);
  }
  return wait;
}

static void eval_law (const HlSystem *sys, const HlWork *work, const HlComponent *c,
                      const HlGuardRates *rates, double last[], int *wait, HlGuard out[]) {
  double least = LEAST_TOLERANCES * rates->rtol, values[HL_MOST_BRANCHES], later[HL_MOST_BRANCHES];
  HlLawInputs in, ahead;
  HlLaw law = hl_work_law (work, c, &in);
  int n = values_of_law (c, &law, values);

  if (wait != NULL) {
    *wait = wait_of (n, values, last);
    memcpy (last, values, sizeof *last * (size_t)n);
    if (*wait > 0) {
      for (int k = 0; k < n; k++)
        out[k] = (HlGuard){isfinite (values[k]) ? values[k] : 1.0, NAN, least};
      return;
    }
  }
  double dt = RATE_STEP * rates->h, states[HL_MOST_STATES];
  const double *p_dot = rates->find (rates->data), *u_dot = p_dot + work->r;
  for (int port = 0; port < c->klass->kind.n_ports; port++) {
    int node = c->node[port], state = node >= 0 ? sys->nodes[node].state : -1;
    ahead.p[port] = node >= 0 ? work->node_p[node] : 0.0;
    if (state >= 0)
      ahead.p[port] += dt * p_dot[state];
  }
  HlLaw then = hl_work_law_at (work, c, &ahead);
  if (c->n_states > 0) {
    for (int k = 0; k < c->n_states; k++)
      states[k] = law.state[k] + dt * u_dot[c->first_state + k];
    then.state = states;
  }
  values_of_law (c, &then, later);
  for (int k = 0; k < n; k++)
    out[k] = guard_of (values[k], (later[k] - values[k]) / dt, least);
}

HlGuardMemory hl_guards_remember (const HlSystem *sys, HlArena *arena) {
  int n = hl_guards_count (sys);
  HlGuardMemory memory = {.n_guards = hl_arena_take (arena, sys->n_components, sizeof (int)),
                          .component = hl_arena_take (arena, sys->n_components, sizeof (int)),
                          .wait = hl_arena_take (arena, sys->n_components, sizeof (int)),
                          .last = hl_arena_take (arena, n, sizeof (double))};

  for (int k = 0; k < sys->n_components; k++)
    if (n_of_law (&sys->components[k]) > 0) {
      memory.n_guards[memory.n] = n_of_law (&sys->components[k]);
      memory.component[memory.n++] = k;
    }
  for (int k = 0; k < n; k++)
    memory.last[k] = NAN;
  return memory;
}

/* At the end of a step: laws that wait are not looked at. Returns how many guards they have. */
static int eval_laws_of_memory (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates,
                                const HlGuardMemory *memory, HlGuard out[]) {
  int n = 0;

  for (int k = 0; k < memory->n; k++) {
    int n_here = memory->n_guards[k];
    if (memory->wait[k] > 0) {
      memory->wait[k]--;
      for (int kink = 0; kink < n_here; kink++)
        out[n + kink].rate = NAN;
    } else
      eval_law (sys, work, &sys->components[memory->component[k]], rates, memory->last + n, &memory->wait[k],
                out + n);
    n += n_here;
  }
  return n;
}

static int eval_all_laws (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates, HlGuard out[]) {
  int n = 0;

  for (int k = 0; k < sys->n_components; k++) {
    int n_here = n_of_law (&sys->components[k]);
    if (n_here > 0)
      eval_law (sys, work, &sys->components[k], rates, NULL, NULL, out + n);
    n += n_here;
  }
  return n;
}

void hl_guards_eval (const HlSystem *sys, const HlWork *work, const HlGuardRates *rates,
                     const HlGuardMemory *memory, HlGuard out[]) {
  for (int k = 0; k < sys->n_cylinders; k++)
    out += eval_cylinder (&sys->cylinders[k], &work->cylinders[k], rates->rtol, out);
  if (memory != NULL)
    eval_laws_of_memory (sys, work, rates, memory, out);
  else
    eval_all_laws (sys, work, rates, out);
}

int hl_guards_blocks (const HlSystem *sys, const HlWork *work, double rtol, double raw[], HlGuard out[]) {
  double levels[HL_MOST_LEVELS];
  int n = 0;

  for (int k = 0; k < sys->n_signals; k++) {
    const HlSignal *signal = &sys->signals[k];
    int n_corners = corners_of (signal, levels);
    if (n_corners == 0 || work == NULL) {
      n += n_corners;
      continue;
    }
    HlBlockPoint at = {.u = signal->n_of > 0 ? work->signal_values[signal->of[0]] : 0.0,
                       .m = signal->measure >= 0 ? work->measured[signal->measure] : 0.0,
                       .x = work->component_u + signal->first_state};
    signal->klass->eval (&signal->block, &at);
    double size = 0.0;
    for (int corner = 0; corner < n_corners; corner++)
      size = hl_larger (size, isfinite (levels[corner]) ? fabs (levels[corner]) : 0.0);
    for (int corner = 0; corner < n_corners; corner++) {
      double value = isfinite (levels[corner]) ? at.raw - levels[corner] : 1.0;
      if (out != NULL)
        out[n] = (HlGuard){value, value - raw[n], LEAST_TOLERANCES * rtol * (size > 0.0 ? size : 1.0)};
      raw[n++] = value;
    }
  }
  return n;
}

int hl_guards_pieces (const HlSystem *sys, const HlWork *work, double h) {
  double fastest = 0.0;
  bool any = false;

  for (int k = 0; k < sys->n_cylinders && !any; k++)
    any = !sys->cylinders[k].no_chambers;
  for (int body = 0; any && body < sys->mech.n_bodies; body++)
    fastest = hl_larger (fastest, fabs (work->v[3 * body + 2]));
  double pieces = ceil (fmin (h * fastest / TURN, 1.0e6));
  return pieces > 1.0 ? (int)pieces : 1;
}
