/* SPDX-License-Identifier: MIT */
/* Start point: assemble, then balance: by Newton's method, by Newton's method with a line search,
 * and by following the motion until it has settled, by steps of the implicit Euler rule. */
#include "core/solve/hl-equilibrium.h"

#include "core/base/hl-arena.h"
#include "core/mech/hl-linkage-assembly.h"
#include "core/solve/hl-equilibrium-private.h"
#include "core/system/hl-linkage-stages.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-feedback-signals.h"
#include "core/system/hl-hydraulic-model.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The balance as the end of the motion: steps of the implicit Euler rule, which damps whatever
 * swings, with lengths that grow as the machine comes to rest (theory/equilibrium.md (6), (7)).
 *
 *   z1 = z0 + h f (z1)          by Newton with M = I - h J in the scales of the states
 *
 * Newton's steps are shortened until they get shorter by themselves, measured with the same M
 * (Deuflhard's natural test): sqrt |dp| is left alone by it at any h. Where Newton does not get
 * through, h is. A line that its oil does not leave and a pump feeds, where J says nothing about
 * the way out, fills here until its relief valve opens. */

#define MOST_STEPS 600
#define FIRST_STEP 1.0e-4 /* [s] */
#define LEAST_STEP 1.0e-12
#define LONGEST_TIME_STEP 1.0e5
#define MOST_NEWTON 12
#define QUICK_NEWTON 4         /* iterations of a step after which the next one may be longer */
#define NEWTON_ACCEPTED 1.0e-7 /* in scales */
#define LEAST_SHARE (1.0 / 64.0)
#define PRESSURE_SCALE 1.0e6 /* [Pa] */
/* The motion has nearly ended when a step no longer changes more than this, in scales: Newton's method for the balance
 * is tried, and again when the steps have grown by RETRY. */
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

/* Returns the largest entry of a vector over the moving states. */
static double largest (const Motion *m, const double v[]) {
  double most = 0.0;

  for (int k = 0; k < m->n_moving; k++)
    most = fmax (most, fabs (v[k]));
  return most;
}

/* Computes the residual of the step rule at y, times M^-1, in scales: out = M^-1 (z0 + h f (y) - y). */
static HlStatus step_residual (Motion *m, double h, double out[]) {
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

/* Passes the precharge pressure of an accumulator: below it the line is stiff, above it compliant, and the
 * rate of its pressure jumps down. No step of the rule ends there: with the rates of below it is too long,
 * with those of above too short,
 *
 *   p0 + h f_below > precharge > p0 + h f_above
 *
 * though the motion goes right through. Takes such pressures over; false when there are none. */
static bool pass_precharge (Motion *m) {
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

/* Measures the length of the step: positions alone, and all states, in scales. */
static void measure_step (const Motion *m, double *way, double *change) {
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

/* Makes one step of length h from z0, with the start value y; *iterations of Newton's method. Another status
 * than HL_OK requires a shorter step. */
static HlStatus advance (Motion *m, double h, int *iterations) {
  HlStatus status = HL_OK;
  double way, change;

  for (*iterations = 1; status == HL_OK && *iterations <= MOST_NEWTON; (*iterations)++) {
    if (hl_balance_is_cancelled (m->work))
      return HL_CANCELLED;
    if ((status = factor (m, h)) != HL_OK || (status = step_residual (m, h, m->step)) != HL_OK)
      break;
    double size = largest (m, m->step), share = 1.0;
    if (!isfinite (size))
      return HL_NOT_FINITE;
    memcpy (m->kept, m->y, (size_t)m->n * sizeof (double));
    for (; share >= LEAST_SHARE; share *= 0.5) {
      memcpy (m->y, m->kept, (size_t)m->n * sizeof (double));
      for (int k = 0; k < m->n_moving; k++)
        m->y[m->moving[k]] += share * m->step[k] * m->scale[m->moving[k]];
      measure_step (m, &way, &change);
      status = way > FARTHEST_TRIAL ? HL_NO_CONVERGENCE : step_residual (m, h, m->next);
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

/* Reports a pressure or a position that leaves every bound and will not come to rest. */
static HlStatus runs_away (const Motion *m, HlFault *fault) {
  const HlWork *work = m->work;

  for (int k = 0; k < work->r; k++) {
    double p = m->y[hl_off_p (work) + k];
    bool is_empty = p < hl_balance_least_pressure (m->sys);
    if (p <= ENDLESS_PRESSURE && !is_empty)
      continue;
    hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_LINE, m->sys->topology->line_of_pressure[k], p);
    if (fault != NULL) {
      fault->why = is_empty ? HL_TEXT ("oil only flows out of the line, so its vapour cavity grows without "
                                       "bound and there is no equilibrium")
                            : HL_TEXT ("oil only flows into the line, so its pressure rises without bound "
                                       "and there is no equilibrium");
      fault->mend =
          is_empty ? HL_TEXT ("add a suction valve or a path from a tank")
                   : HL_TEXT ("add a relief valve or a path to a tank, or give the pump a relief pressure");
    }
    return HL_NO_CONVERGENCE;
  }
  return hl_balance_check_places (work, m->y, m->scale, fault);
}

/* Chooses the coordinates for the motion at a point. */
static HlStatus choose_coordinates (Motion *m, const HlSystem *sys, HlWork *work, const HlPoint *point) {
  HlStatus status = hl_balance_arrange (sys, work, point->x);

  if (status != HL_OK)
    return status;
  motion_clear (m);
  motion_init (m, sys, work);
  hl_state_pack (sys, work, point, m->y);
  return hl_dynamics_eval (sys, 0.0, m->y, m->y_dot, work, NULL);
}

/* Computes the damped motion itself: it ends where a long run would settle. Coordinates that equilibrium.hold
 * names keep their values; their speed continues pumping oil, so that the pressures come to carry the load. */
static HlStatus balance_settle (const HlSystem *sys, HlWork *work, HlPoint *point, HlEquilibriumInfo *info,
                                HlFault *fault) {
  HlPoint *at = hl_point_new (sys);
  Motion m = {0};
  double h = FIRST_STEP, asked = 0.0;
  bool rests = false;

  hl_point_copy (sys, at, point);
  HlStatus status = choose_coordinates (&m, sys, work, at);
  for (int k = 0;
       status == HL_OK && !rests && k < MOST_STEPS && h >= LEAST_STEP && !hl_balance_is_cancelled (work);
       k++) {
    int iterations;
    double way, change;

    memcpy (m.z0, m.y, (size_t)m.n * sizeof (double));
    HlStatus step = advance (&m, h, &iterations);
    measure_step (&m, &way, &change);
    if (step != HL_OK || way > HL_BALANCE_LONGEST_STEP) {
      memcpy (m.y, m.z0, (size_t)m.n * sizeof (double));
      h *= 0.25;
      if (step != HL_OK && h < SHORT_STEP && pass_precharge (&m))
        continue;
      if (step == HL_DEAD_POINT) /* the work stands at the end of a branch */
        status = choose_coordinates (&m, sys, work, at);
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
      status = choose_coordinates (&m, sys, work, at);
    h = fmin (h * (iterations <= QUICK_NEWTON ? 3.0 : iterations <= 8 ? 1.5 : 0.7), LONGEST_TIME_STEP);
  }
  if (rests)
    hl_point_copy (sys, point, at);
  motion_clear (&m);
  hl_point_free (at);
  return rests ? HL_OK : status != HL_OK ? status : HL_NO_CONVERGENCE;
}

/* Bodies that fall: those connected to nothing at rest, with gravity as their only load. The forces on such a
 * body balance at no position, so it is reported before the search for a position. */

static bool acts_on (const HlSystem *sys, int body_i, int body_j, int island) {
  return (body_i >= 0 && sys->mech.island_of_body[body_i] == island) ||
         (body_j >= 0 && sys->mech.island_of_body[body_j] == island);
}

static bool is_on_ground (const HlSystem *sys, const HlIsland *island) {
  for (int row = 0; row < island->n_rows; row++) {
    const HlRow *at = &sys->mech.rows[island->rows[row]];
    if (at->body_i < 0 || at->body_j < 0)
      return true;
  }
  return false;
}

/* Returns whether a spring, a force, a tyre or a cylinder acts on the island and might hold it up. */
static bool is_acted_on (const HlSystem *sys, int island) {
  for (int k = 0; k < sys->topology->n_names[HL_ENTITY_LOAD]; k++)
    if (acts_on (sys, sys->mech.loads[k].body_i, sys->mech.loads[k].body_j, island))
      return true;
  for (int k = 0; k < sys->n_cylinders; k++)
    if (acts_on (sys, sys->cylinders[k].body_i, sys->cylinders[k].body_j, island))
      return true;
  return false;
}

/* Reports HL_NO_CONVERGENCE at a body that is not joined to anything at rest and only has weight. */
static HlStatus check_floating (const HlSystem *sys, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;

  if (hypot (mech->gravity[0], mech->gravity[1]) == 0.0)
    return HL_OK;
  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    if (is_on_ground (sys, island) || is_acted_on (sys, k))
      continue;
    hl_fault_set (fault, HL_NO_CONVERGENCE, HL_ENTITY_BODY, island->bodies[0], NAN);
    if (fault != NULL) {
      fault->why = island->n_rows == 0 ? HL_TEXT ("the body has no joint, so it falls and has no equilibrium")
                                       : HL_TEXT ("no joint connects the body or its neighbours to the "
                                                  "ground, so they fall and have no equilibrium");
      fault->mend = HL_TEXT ("join the body to the ground or to a body at rest, or start the run from the "
                             "values of the file (simulation.start: as-given)");
    }
    return HL_NO_CONVERGENCE;
  }
  return HL_OK;
}

/* States of components that the file does not state begin at rest under the pressures and signals of the start: a
 * relief valve at its pressure starts with the corresponding opening. */

/* Fills in the states of components that begin where they rest, at the pressures of the point. */
static void rest_states (const HlSystem *sys, HlWork *work, HlPoint *point) {
  bool is_known = false;

  for (int k = 0; k < sys->topology->n_states_u; k++) {
    const HlComponent *c = hl_state_component (sys, k);
    HlLawInputs in;

    if (c == NULL || !hl_state_rests (sys, k))
      continue;
    if (!is_known) {
      hl_signal_eval (sys->signals, sys->n_signals, work->segments, 0.0, work->signal_values);
      for (int node = 0; node < sys->n_nodes; node++)
        work->node_p[node] =
            sys->nodes[node].state >= 0 ? point->p[sys->nodes[node].state] : sys->nodes[node].given;
    }
    is_known = true;
    HlLaw law = hl_work_law (work, c, &in);
    law.state = point->u + c->first_state;
    point->u[k] = c->klass->rest (c, &law, sys->topology->part_of_state[k]);
  }
}

#define HELD_STEP 0.05 /* of held coordinates on their way, likewise */
#define MOST_HELD_STEPS 4000

/* Returns the stated pressure of a node; a value at 0 or below, where there is no oil, is raised to the onset
 * of vapour. */
static double stated_pressure (const HlSystem *sys, int node) {
  double p = sys->lines[sys->nodes[node].line].pressure;

  return p > 0.0 ? p : hl_fluid_onset (&sys->fluid);
}

static void stated_point (const HlSystem *sys, const HlPoint *from, HlPoint *point) {
  point->t = 0.0;
  for (int body = 0; body < sys->mech.n_bodies; body++)
    for (int k = 0; k < 3; k++) {
      point->x[3 * body + k] = from != NULL ? from->x[3 * body + k] : sys->mech.bodies[body].pose[k];
      point->v[3 * body + k] = sys->mech.bodies[body].velocity[k];
    }
  for (int node = 0; node < sys->n_nodes; node++)
    if (sys->nodes[node].state >= 0)
      point->p[sys->nodes[node].state] =
          from != NULL ? from->p[sys->nodes[node].state] : stated_pressure (sys, node);
  for (int k = 0; k < sys->topology->n_states_u; k++)
    point->u[k] = from != NULL ? from->u[k] : hl_state_start (sys, k);
  if (from == NULL)
    return;
  /* held states keep their stated values, wherever the last point was; coordinates are brought there by
   * assemble_held_pose () */
  const HlTopology *top = sys->topology;
  for (int k = 0; k < top->n_hold_pressures; k++)
    for (int node = 0; node < sys->n_nodes; node++)
      if (sys->nodes[node].state == top->hold_pressures[k])
        point->p[top->hold_pressures[k]] = stated_pressure (sys, node);
  for (int k = 0; k < top->n_hold_states; k++)
    if (!hl_state_rests (sys, top->hold_states[k]))
      point->u[top->hold_states[k]] = hl_state_start (sys, top->hold_states[k]);
}

static double stated_coordinate (const HlSystem *sys, int column) {
  return sys->mech.bodies[column / 3].pose[column % 3];
}

/* Assembles once with the held coordinates at their values. */
static HlStatus assemble_once (const HlSystem *sys, HlWork *work, HlPoint *point, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;
  HlStatus status = HL_OK;

  for (int k = 0; k < mech->n_islands && status == HL_OK; k++) {
    const HlIsland *island = &mech->islands[k];
    bool *fixed = calloc ((size_t)(3 * island->n_bodies) + 1, sizeof *fixed);
    HlAssembly info;

    for (int h = 0; h < top->n_hold_coordinates; h++) {
      int column = top->hold_coordinates[h];
      if (mech->island_of_body[column / 3] == k)
        fixed[3 * mech->local_of_body[column / 3] + column % 3] = true;
    }
    status = hl_island_assemble (mech, island, fixed, point->x, work->frames, &info);
    if (status != HL_OK)
      hl_fault_set (fault, status, HL_ENTITY_JOINT,
                    info.worst_row >= 0 ? mech->rows[island->rows[info.worst_row]].joint : -1, info.residual);
    free (fixed);
  }
  return status;
}

/* Moves held coordinates from their values in the point to their stated values in steps, so that the linkage
 * follows on its branch, however far they have been moved. A point as drawn is at the stated values already. */
static HlStatus assemble_held_pose (const HlSystem *sys, HlWork *work, HlPoint *point, HlFault *fault) {
  const HlMechanism *mech = &sys->mech;
  const HlTopology *top = sys->topology;
  double *before = calloc ((size_t)top->n_hold_coordinates + 1, sizeof *before), longest = 0.0;
  HlStatus status = HL_OK;

  for (int k = 0; k < top->n_hold_coordinates; k++) {
    int column = top->hold_coordinates[k];
    double unit = column % 3 == 2 ? 1.0 : mech->islands[mech->island_of_body[column / 3]].length;
    before[k] = point->x[column];
    longest = fmax (longest, fabs (stated_coordinate (sys, column) - before[k]) / unit);
  }
  int n_steps = (int)fmax (1.0, fmin (ceil (longest / HELD_STEP), MOST_HELD_STEPS));
  for (int step = 1; step <= n_steps && status == HL_OK; step++) {
    for (int k = 0; k < top->n_hold_coordinates; k++) {
      int column = top->hold_coordinates[k];
      double stated = stated_coordinate (sys, column);
      point->x[column] = step < n_steps ? before[k] + (stated - before[k]) * step / n_steps : stated;
    }
    status = assemble_once (sys, work, point, fault);
  }
  free (before);
  return status;
}

/* Checks that a stated pose leaves both chambers of every cylinder; only a run may press into a stop. */
static HlStatus check_strokes (const HlSystem *sys, const HlWork *work, HlFault *fault) {
  for (int k = 0; k < sys->n_cylinders; k++) {
    const HlCylinder *cyl = &sys->cylinders[k];
    HlLength length;

    if (cyl->no_chambers)
      continue;
    hl_stage_line_of_action (cyl, work, &length);
    double shortest = fmin (hl_cylinder_length_a (cyl, length.s), hl_cylinder_length_b (cyl, length.s));
    if ((cyl->is_rotary || length.s > 0.0) && shortest < -1.0e-9 * cyl->stroke)
      return hl_fault_set (fault, HL_OUT_OF_STROKE, HL_ENTITY_COMPONENT, cyl->component, length.s);
  }
  return HL_OK;
}

/* Computes velocities consistent with the constraints and nearest to the stated ones in the norm of the mass
 * (theory/equilibrium.md (9)):
 *   v_ai = m0^-1 T^T M v */
static void consistent_velocities (const HlSystem *sys, HlWork *work, HlPoint *point) {
  const HlMechanism *mech = &sys->mech;

  hl_stage_drives (sys, work, 0.0);
  for (int k = 0; k < mech->n_islands; k++) {
    const HlIsland *island = &mech->islands[k];
    HlIslandWork *iw = work->islands[k];

    if (iw->is_driven)
      hl_island_carry (iw);
    for (int body = 0; body < island->n_bodies; body++)
      memcpy (work->local_z + 3 * body, point->v + 3 * island->bodies[body], 3 * sizeof (double));
    for (int row = 0; row < iw->n && iw->is_driven; row++)
      work->local_z[row] -= iw->carried[row];
    hl_island_mass_times (mech, island, work->frames, work->local_z, work->local_q);
    hl_island_accelerations (mech, island, work->frames, iw, work->local_q, NULL, work->v_ai);
    hl_island_velocities (iw, work->v_ai, point->v);
  }
}

/* Polishes the positions to rounding, and lets every element say whether it can be evaluated here.
 */
static HlStatus evaluate (const HlSystem *sys, HlWork *work, HlPoint *point, HlFault *fault) {
  double *y = calloc ((size_t)work->n_states + 1, sizeof *y);
  double *y_dot = calloc ((size_t)work->n_states + 1, sizeof *y_dot);

  hl_state_pack (sys, work, point, y);
  HlStatus status = hl_state_unpack (sys, work, 0.0, y, point, fault);
  if (status == HL_OK)
    status = hl_dynamics_eval (sys, 0.0, y, y_dot, work, fault);
  free (y);
  free (y_dot);
  return status;
}

/* Evaluates at an equilibrium as evaluate (), but leaves the point unchanged. Near a dead point of the
 * coordinates of the file a rounding of 1e-16 in them is worth as much as 1e-8 in the others, so that
 * polishing the positions in these would leave the equilibrium. */
static HlStatus look_at (const HlSystem *sys, HlWork *work, const HlPoint *point, HlFault *fault) {
  HlPoint *there = hl_point_new (sys);

  hl_point_copy (sys, there, point);
  HlStatus status = evaluate (sys, work, there, fault);
  hl_point_free (there);
  return status;
}

/* Returns whether the solution rests on vapour: Newton's steps brought a pressure to zero, and the motion
 * came to rest at an end stop with a vapour pocket behind the piston. That is not an equilibrium of the drawn
 * machine. Without an end stop, a chamber under no load is balanced by the rest of the machine. */
static bool rests_on_vapour (const HlSystem *sys, const HlWork *work, const HlPoint *point,
                             const HlFault *first) {
  bool has_vapour = false, is_stopped = false;

  for (int k = 0; k < sys->n_pressures; k++)
    has_vapour = has_vapour || point->p[k] < hl_fluid_onset (&sys->fluid);
  for (int k = 0; k < sys->n_cylinders; k++)
    is_stopped = is_stopped || !work->cylinders[k].open_a || !work->cylinders[k].open_b;
  return has_vapour && is_stopped && first->why == hl_balance_pulls;
}

/* Finds the equilibrium. When all searches fail, the message of the first one is reported, because it belongs
 * to the point as stated, unless the motion has shown which state diverges. The work is left at the point, in
 * the coordinates of the file. */
static HlStatus balance (const HlSystem *sys, HlWork *work, HlPoint *point, HlEquilibriumInfo *info,
                         HlFault *fault) {
  HlFault first = {.entity = -1, .time = NAN}, last = {.entity = -1, .time = NAN};

  memset (point->v, 0, (size_t)work->n * sizeof (double));
  HlStatus status = check_floating (sys, fault);
  if (status != HL_OK)
    return status;
  status = hl_balance_search (sys, work, false, point, info, &first);
  if (status == HL_CANCELLED)
    return status;
  if (status != HL_OK && hl_balance_search (sys, work, true, point, info, NULL) != HL_OK &&
      balance_settle (sys, work, point, info, &last) != HL_OK) {
    if (fault != NULL)
      *fault = last.why != NULL ? last : first;
    return last.why != NULL ? last.status : status;
  }
  if (status != HL_OK && rests_on_vapour (sys, work, point, &first)) {
    if (fault != NULL)
      *fault = first;
    return status;
  }
  status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, fault);
  return status == HL_OK ? look_at (sys, work, point, fault) : status;
}

/* Controllers start where they are at rest with what they measure; then what rests at their signals. */
static void start_feedback (const HlSystem *sys, HlWork *work, HlPoint *point) {
  size_t n = (size_t)work->n_states;
  double *y = calloc (2 * n + 1, sizeof *y);

  hl_state_pack (sys, work, point, y);
  hl_dynamics_eval (sys, 0.0, y, y + n, work, NULL); /* where it fails, so will evaluate () */
  hl_feedback_start (sys, work, point->u);
  rest_states (sys, work, point);
  free (y);
}

HlStatus hl_start_point (const HlSystem *sys, HlWork *work, HlStart start, const HlPoint *from,
                         HlPoint *point, HlEquilibriumInfo *info, HlFault *fault) {
  HlEquilibriumInfo unused;
  HlStatus status;

  info = info != NULL ? info : &unused;
  *info = (HlEquilibriumInfo){0};
  if (start == HL_START_FROM_MODEL)
    start = (HlStart)sys->start;
  stated_point (sys, from, point);
  point->rests = false;
  if (from == NULL)
    hl_work_forget_poses (work);
  hl_work_enter_segment (sys, work, 0.0);
  if (from == NULL)
    rest_states (sys, work, point);
  status = assemble_held_pose (sys, work, point, fault);
  if (status == HL_OK)
    status = hl_partition_choose (sys, work, point->x, HL_PARTITION_PREFERRED, NULL, 0, fault);
  if (status != HL_OK)
    return status;
  consistent_velocities (sys, work, point);
  if (from == NULL && work->along != NULL)
    start_feedback (sys, work, point);
  if (from == NULL && (status = check_strokes (sys, work, fault)) != HL_OK)
    return status;
  if (start == HL_START_EQUILIBRIUM) {
    work->drives_rest = true;
    status = balance (sys, work, point, info, fault);
    work->drives_rest = false;
    point->rests = status == HL_OK;
    /* a cancelled search has no result */
    if (status != HL_OK && hl_balance_is_cancelled (work)) {
      if (fault != NULL)
        *fault = (HlFault){.status = HL_CANCELLED, .entity = -1, .time = NAN};
      return HL_CANCELLED;
    }
    return status;
  }
  status = evaluate (sys, work, point, fault);
  if ((status == HL_NO_VOLUME || status == HL_NO_PRESSURE) && !hl_oil_models[sys->model]->fills_lines)
    status = HL_OK;
  return status;
}
