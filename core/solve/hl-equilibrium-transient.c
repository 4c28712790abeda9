/* SPDX-License-Identifier: MIT */
/* The balance as the end of the motion: steps of the implicit Euler rule, which damps whatever
 * swings, with lengths that grow as the machine comes to rest (theory/equilibrium.md (6), (7)).
 *
 *   z1 = z0 + h f (z1)          by Newton with M = I - h J in the scales of the states
 *
 * Newton's steps are shortened until they get shorter by themselves, measured with the same M
 * (Deuflhard's natural test): sqrt |dp| is left alone by it at any h. Where Newton does not get
 * through, h is. A line that its oil does not leave and a pump feeds, where J says nothing about
 * the way out, fills here until its relief valve opens. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/solve/hl-equilibrium-private.h"
#include "core/base/hl-arena.h"
#include "core/system/hl-state-scale.h"
#include "core/system/hl-dynamics.h"

#define MOST_STEPS 600
#define FIRST_STEP 1.0e-4 /* [s] */
#define LEAST_STEP 1.0e-12
#define LONGEST_TIME_STEP 1.0e5
#define MOST_NEWTON 12
#define QUICK_NEWTON 4         /* iterations of a step after which the next one may be longer */
#define NEWTON_ACCEPTED 1.0e-7 /* in scales */
#define LEAST_SHARE (1.0 / 64.0)
#define PRESSURE_SCALE 1.0e6 /* [Pa] */
/* The motion has nearly ended when a step no longer changes more than this, in scales: Newton's
 * method for the balance is asked, and again when the steps have grown by RETRY. */
#define NEARLY_STILL 1.0e-3
#define RETRY 10.0
/* Beyond this no line is going to rest. [Pa] */
#define ENDLESS_PRESSURE 1.0e11
#define ENDLESS_WAY 1.0e3 /* rad, or m over the island's length */

/* Steps so short that fail stand before a rate that jumps within such a part of a pressure to less
 * than such a part of itself: an accumulator begins to fill. */
#define SHORT_STEP 1.0e-7 /* [s] */
#define HOP 1.0e-6
#define JUMP 0.1

/* Trial steps beyond this belong to a step of time that is too long anyhow. */
#define FARTHEST_TRIAL (2.0 * HL_BALANCE_LONGEST_STEP)

typedef struct {
  HlArena arena; /* holds every array */
  const HlSystem *sys;
  HlWork *work;
  int n, n_moving; /* states; those that the rule advances */
  int *moving;     /* n_moving: states that the rule advances */
  double *scale;   /* n */
  /* n: state, start of the step, before a Newton step, rates; n x n: J, factored M; n_moving:
   * Newton steps */
  double *y, *z0, *kept, *y_dot, *J, *m, *step, *next;
  int *pivots; /* n_moving: of m */
} Motion;

static void motion_init (Motion *m, const HlSystem *sys, HlWork *work) {
  int n = work->n_states;
  HlArena *arena = &m->arena;
  double **vectors[] = {&m->scale, &m->y, &m->z0, &m->kept, &m->y_dot, &m->step, &m->next};

  *m = (Motion){.sys = sys, .work = work, .n = n};
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    *vectors[k] = hl_arena_take (arena, n, sizeof (double));
  m->J = hl_arena_take (arena, n * n, sizeof (double));
  m->m = hl_arena_take (arena, n * n, sizeof (double));
  m->pivots = hl_arena_take (arena, n, sizeof (int));
  m->moving = hl_arena_take (arena, n, sizeof (int));
  hl_state_scales (sys, work, m->scale);
  for (int k = 0; k < work->r; k++)
    m->scale[hl_off_p (work) + k] = PRESSURE_SCALE;
  for (int state = 0; state < n; state++) {
    bool is_speed = state >= hl_off_v (work) && state < hl_off_ad (work);
    if (is_speed || !hl_balance_is_held (sys, work, state))
      m->moving[m->n_moving++] = state;
  }
}

static void motion_clear (Motion *m) {
  hl_arena_clear (&m->arena);
}

/* Largest entry of a vector over the moving states. */
static double largest (const Motion *m, const double v[]) {
  double most = 0.0;

  for (int k = 0; k < m->n_moving; k++)
    most = fmax (most, fabs (v[k]));
  return most;
}

/* What is left of the rule at y, times M^-1, in scales: out = M^-1 (z0 + h f (y) - y). */
static HlStatus defect (Motion *m, double h, double out[]) {
  HlStatus status = hl_dynamics_eval (m->sys, 0.0, m->y, m->y_dot, m->work, NULL);

  if (status != HL_OK)
    return status;
  for (int k = 0; k < m->n_moving; k++) {
    int state = m->moving[k];
    out[k] = (m->z0[state] + h * m->y_dot[state] - m->y[state]) / m->scale[state];
  }
  hl_lu_solve (m->n_moving, m->m, m->pivots, 1, out);
  return HL_OK;
}

static HlStatus factor (Motion *m, double h) {
  HlStatus status = hl_jacobian_eval (m->sys, 0.0, m->y, m->J, m->work, NULL);

  if (status != HL_OK)
    return status;
  for (int c = 0; c < m->n_moving; c++)
    for (int r = 0; r < m->n_moving; r++)
      m->m[(size_t)c * (size_t)m->n_moving + (size_t)r] =
          (r == c ? 1.0 : 0.0) - h * m->J[(size_t)m->moving[c] * (size_t)m->n + (size_t)m->moving[r]] *
                                     m->scale[m->moving[c]] / m->scale[m->moving[r]];
  return hl_lu_factor (m->n_moving, m->m, m->pivots);
}

/* Below the precharge of an accumulator its line is stiff, above it soft, and the rate of its pressure
 * jumps down. No step of the rule ends there: with the rates of below it is too long, with those of
 * above too short,
 *
 *   p0 + h f_below > precharge > p0 + h f_above
 *
 * though the motion goes right through. Takes such pressures over; false when there are none. */
static bool hop (Motion *m) {
  int first = hl_off_p (m->work);
  bool hopped = false;

  if (hl_dynamics_eval (m->sys, 0.0, m->y, m->kept, m->work, NULL) != HL_OK)
    return false;
  for (int k = 0; k < m->n_moving; k++) {
    int state = m->moving[k];
    double p = m->y[state];
    if (state < first || state >= first + m->work->r || !(m->kept[state] > 0.0))
      continue;
    m->y[state] = p * (1.0 + HOP);
    if (hl_dynamics_eval (m->sys, 0.0, m->y, m->y_dot, m->work, NULL) == HL_OK && m->y_dot[state] > 0.0 &&
        m->y_dot[state] < JUMP * m->kept[state])
      hopped = true;
    else
      m->y[state] = p;
  }
  return hopped;
}

/* How far the step went: positions alone, and everything, in scales. */
static void measure (const Motion *m, double *way, double *change) {
  *way = *change = 0.0;
  for (int k = 0; k < m->n_moving; k++) {
    int state = m->moving[k];
    double by = fabs (m->y[state] - m->z0[state]) / m->scale[state];
    bool is_place =
        state < hl_off_v (m->work) || (state >= hl_off_ad (m->work) && state < hl_off_p (m->work));
    *change = fmax (*change, by);
    if (is_place)
      *way = fmax (*way, by);
  }
}

/* One step of length h from z0, where y stands; *iterations of Newton's. Another status than HL_OK
 * asks for a shorter one. */
static HlStatus advance (Motion *m, double h, int *iterations) {
  HlStatus status = HL_OK;
  double way, change;

  for (*iterations = 1; status == HL_OK && *iterations <= MOST_NEWTON; (*iterations)++) {
    if (hl_balance_is_cancelled (m->work))
      return HL_CANCELLED;
    if ((status = factor (m, h)) != HL_OK || (status = defect (m, h, m->step)) != HL_OK)
      break;
    double size = largest (m, m->step), share = 1.0;
    if (!isfinite (size))
      return HL_NOT_FINITE;
    memcpy (m->kept, m->y, (size_t)m->n * sizeof (double));
    for (; share >= LEAST_SHARE; share *= 0.5) {
      memcpy (m->y, m->kept, (size_t)m->n * sizeof (double));
      for (int k = 0; k < m->n_moving; k++)
        m->y[m->moving[k]] += share * m->step[k] * m->scale[m->moving[k]];
      measure (m, &way, &change);
      status = way > FARTHEST_TRIAL ? HL_NO_CONVERGENCE : defect (m, h, m->next);
      if (status == HL_DEAD_POINT || status == HL_CANCELLED) /* the first takes long to find out */
        return status;
      if (status == HL_OK && (size <= NEWTON_ACCEPTED || largest (m, m->next) <= (1.0 - 0.25 * share) * size))
        break;
    }
    if (share < LEAST_SHARE)
      return status != HL_OK ? status : HL_NO_CONVERGENCE;
    if (size <= NEWTON_ACCEPTED || largest (m, m->next) <= NEWTON_ACCEPTED)
      return HL_OK;
  }
  return status != HL_OK ? status : HL_NO_CONVERGENCE;
}

HlStatus hl_balance_check_places (const HlWork *work, const double y[], const double scale[],
                                  HlFault *fault) {
  for (int k = 0; k < work->f; k++)
    if (fabs (y[k]) > ENDLESS_WAY * scale[k])
      return hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_BODY, work->ai_column[k] / 3, y[k]);
  return HL_OK;
}

/* A pressure or a place that leaves every bound will not come to rest. */
static HlStatus runs_away (const Motion *m, HlFault *fault) {
  const HlWork *work = m->work;

  for (int k = 0; k < work->r; k++) {
    double p = m->y[hl_off_p (work) + k];
    bool is_empty = p < hl_balance_least_pressure (m->sys);
    if (p <= ENDLESS_PRESSURE && !is_empty)
      continue;
    hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_LINE, m->sys->topology->line_of_pressure[k], p);
    if (fault != NULL) {
      fault->why = is_empty ? HL_TEXT ("oil flows out of it and none comes after, so its pocket of "
                                       "vapour grows without end and there is no equilibrium")
                            : HL_TEXT ("oil flows into it and finds no way out, so its pressure "
                                       "rises without end and there is no equilibrium");
      fault->mend = is_empty ? HL_TEXT ("give it a suction valve or a way from a tank")
                             : HL_TEXT ("give it a relief valve or a way to a tank, or a "
                                        "relief_pressure to the pump");
    }
    return HL_NO_CONVERGENCE;
  }
  return hl_balance_check_places (work, m->y, m->scale, fault);
}

/* The coordinates that serve the motion at a point. */
static HlStatus arrange (Motion *m, const HlSystem *sys, HlWork *work, const HlPoint *point) {
  HlStatus status = hl_balance_arrange (sys, work, point->x);

  if (status != HL_OK)
    return status;
  motion_clear (m);
  motion_init (m, sys, work);
  hl_state_pack (sys, work, point, m->y);
  return hl_dynamics_eval (sys, 0.0, m->y, m->y_dot, work, NULL);
}

HlStatus hl_balance_settle (const HlSystem *sys, HlWork *work, HlPoint *point, HlEquilibriumInfo *info,
                            HlFault *fault) {
  HlPoint *at = hl_point_new (sys);
  Motion m = {0};
  double h = FIRST_STEP, asked = 0.0;
  bool rests = false;

  hl_point_copy (sys, at, point);
  HlStatus status = arrange (&m, sys, work, at);
  for (int k = 0;
       status == HL_OK && !rests && k < MOST_STEPS && h >= LEAST_STEP && !hl_balance_is_cancelled (work);
       k++) {
    int iterations;
    double way, change;

    memcpy (m.z0, m.y, (size_t)m.n * sizeof (double));
    HlStatus step = advance (&m, h, &iterations);
    measure (&m, &way, &change);
    if (step != HL_OK || way > HL_BALANCE_LONGEST_STEP) {
      memcpy (m.y, m.z0, (size_t)m.n * sizeof (double));
      h *= 0.25;
      if (step != HL_OK && h < SHORT_STEP && hop (&m))
        continue;
      if (step == HL_DEAD_POINT) /* the work stands at the end of a branch */
        status = arrange (&m, sys, work, at);
      continue;
    }
    info->iterations++;
    if ((status = runs_away (&m, fault)) != HL_OK)
      break;
    status = hl_state_unpack (sys, work, 0.0, m.y, at, NULL);
    bool asks = change <= NEARLY_STILL && (h >= RETRY * asked || h >= LONGEST_TIME_STEP);
    bool is_worn = hl_partition_is_worn (sys, work);
    if (asks && status == HL_OK) {
      asked = h;
      rests = hl_balance_search (sys, work, true, at, info, NULL) == HL_OK;
      if (!rests && h >= LONGEST_TIME_STEP)
        break;
    }
    if (!rests && status == HL_OK && (asks || is_worn))
      status = arrange (&m, sys, work, at);
    h = fmin (h * (iterations <= QUICK_NEWTON ? 3.0 : iterations <= 8 ? 1.5 : 0.7), LONGEST_TIME_STEP);
  }
  if (rests)
    hl_point_copy (sys, point, at);
  motion_clear (&m);
  hl_point_free (at);
  return rests ? HL_OK : status != HL_OK ? status : HL_NO_CONVERGENCE;
}
