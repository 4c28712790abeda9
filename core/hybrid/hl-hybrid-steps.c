/* SPDX-License-Identifier: MIT */
#include "core/hybrid/hl-hybrid-steps.h"

#include <math.h>

#include "core/system/hl-system-private.h"

#define LOAD_STEP 1e3     /* [N or N m] */
#define OPENING_STEP 1e-3 /* of 0 ... 1 */
#define COMMAND_STEP 1e-3 /* of the value of a command, or of 1 */
#define AT_BOUND 1e-12

static double
step_of_passages (const HlSystem *sys, const HlWork *work, const double share[], double step)
{
  for (int k = 0; k < sys->n_passages; k++) {
    const HlPassage *at = &sys->passages[k];
    double by = at->signal >= 0 ? fabs (share[at->signal]) : 0.0;
    if (at->is_spool || by == 0.0)
      continue;
    if (at->kind == HL_PASSAGE_PUMP) {
      step = fmin (step, HL_HYBRID_FLOW_STEP / (at->per_signal * by));
      continue;
    }
    double value = hl_work_signal (work, at->signal);
    step = fmin (step, OPENING_STEP / by);
    for (int end = 0; end < 2; end++) {
      double room = end == 0 ? value - at->min_opening : 1.0 - value;
      if (room > 0.0)
        step = fmin (step, (end == 0 ? 0.1 * room : room) / by);
    }
  }
  return step;
}

/* The field of command `at` of a component. */
static const HlField *
field_of (const HlComponent *c, int at)
{
  for (int k = 0; k < c->klass->kind.n_fields; k++)
    if (c->klass->kind.fields[k].type == HL_FIELD_SIGNAL && at-- == 0)
      return &c->klass->kind.fields[k];
  return NULL;
}

/* Of one command, which the input moves by `share` of its change; *side: +1 or -1 where it is held at the
 * lower or the upper bound. */
static double
step_of_command (const HlField *field, double value, double share, double step, double *side)
{
  double natural = field->quantity == HL_QUANTITY_FLOW ? HL_HYBRID_FLOW_STEP
                                                       : COMMAND_STEP * fmax (1.0, fabs (value));
  double towards = share < 0.0 ? -1.0 : 1.0;

  if (field->min_bound == HL_BOUND_CLOSED && field->max_bound == HL_BOUND_CLOSED) {
    if (fabs (value - field->min) <= AT_BOUND)
      *side = towards;
    else if (fabs (value - field->max) <= AT_BOUND)
      *side = -towards;
  }
  return fmin (step, natural / fabs (share));
}

double
hl_hybrid_step_of_input (const HlSystem *sys, const HlWork *work, int input, bool *is_inward)
{
  HlArena scratch = hl_arena_beside (&work->arena);
  double *share = hl_arena_take (&scratch, sys->n_signals, sizeof *share), side = 0.0;

  hl_system_spread_input (sys, work, input, share);
  double step = step_of_passages (sys, work, share, LOAD_STEP);
  for (int k = 0; k < sys->n_components; k++)
    for (int at = 0; at < HL_MOST_COMMANDS; at++) {
      const HlComponent *c = &sys->components[k];
      const HlField *field = c->signal[at] >= 0 ? field_of (c, at) : NULL;
      if (field != NULL && share[c->signal[at]] != 0.0)
        step = step_of_command (field, hl_work_signal (work, c->signal[at]), share[c->signal[at]],
                                step, &side);
    }
  hl_arena_clear (&scratch);
  *is_inward = side != 0.0;
  return side != 0.0 ? side * step : step;
}
