/* SPDX-License-Identifier: MIT */
/* Choice of the mode from accelerations (theory/hybrid.md (19)). Among the elements in contact with
 * zero speed, held ones must have an admissible reaction y >= 0 and free ones an admissible
 * acceleration u' >= 0; v' is unique.
 *
 * The smallest change is tried first: the present mode, with what has just come into contact and
 * without what was released. If a sign is wrong there, the complementarity problem decides.
 *
 * Ties. At the event the multiplier of a released element is zero, so holding and letting go give
 * the same accelerations, here and for every element that would have to follow (a check line behind
 * a piston that leaves its stop, two equal checks side by side). What decides is how the forces go
 * on. So the same choice is made a moment later, with positions, velocities and time carried on by
 * LOOK_AHEAD; its answer is taken when it is admissible now as well. A push on the released
 * elements, far above rounding and far below any pressure of interest, decides what even that
 * leaves open. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <math.h>
#include <string.h>

/* Signs are trusted down to this part of what the forces at work could do. */
#define SIGN_TOLERANCE 1e-9
/* Signs that are weaker than this are ties. */
#define TIE_TOLERANCE 1e-7
/* Push on a released element, in the same measure: now, and after looking ahead. */
#define RELEASE_PUSH 1e-6
#define RELEASE_PUSH_AHEAD 1e-8
#define LOOK_AHEAD 1e-6 /* [s] */
/* A contact counts as resting below this part of the present speed, or when the forces at work
 * could bring it back within REST_TIME. While events follow each other in haste the limit rises, up
 * to REST_TIME_HASTY and, for pistons, to what comes back within REST_DISTANCE_HASTY of the stop:
 * otherwise pistons that throw each other off their stops in ever shorter time would never rest. */
#define REST_TOLERANCE 1e-9
#define REST_TIME 1e-13           /* [s] */
#define REST_TIME_HASTY 1e-7      /* [s] */
#define REST_DISTANCE_HASTY 1e-10 /* [m] */
/* Hasty events that are let pass, and those over which the limits rise tenfold. */
#define HASTE_PATIENCE 20
#define HASTE_DECADE 5
/* Bringing several contacts to rest may cost this many times the speed of one. */
#define SETTLE_FACTOR 100.0

/* 0 for an ordinary event, growing to 1 in a long train of hasty ones. */
static double
haste (const HlHybridSolver *solver)
{
  if (solver->n_hasty <= HASTE_PATIENCE)
    return 0.0;
  return fmin (1.0, pow (10.0, (double)(solver->n_hasty - HASTE_PATIENCE) / HASTE_DECADE - 6.0));
}

/* What counts as no speed for an element whose normal has length 1 in the norm of M^-1. */
static double
rest_speed (const HlHybridSolver *solver, double speed, double force_norm)
{
  return REST_TOLERANCE * speed + (REST_TIME + haste (solver) * REST_TIME_HASTY) * force_norm;
}

/* The same for the gap speed of a contact: u^2 / 2 a is how far it gets. */
static double
rest_gap (const HlHybridSolver *solver, int c, double limit, double force_norm)
{
  const HlHybridContact *contact = &solver->contacts[c];
  double gap = limit * contact->size;

  if (contact->sign < 0.0)
    gap =
        fmax (gap, sqrt (2.0 * force_norm * contact->size * haste (solver) * REST_DISTANCE_HASTY));
  return gap;
}

/* Drops a contact; the one after it takes its place. */
static void
remove_contact (HlHybridSolver *solver, int c)
{
  int n = solver->net->n_states;
  int n_after = --solver->n_contacts - c;

  memmove (solver->contacts + c, solver->contacts + c + 1,
           (size_t)n_after * sizeof (HlHybridContact));
  memmove (solver->normal + n * c, solver->normal + n * (c + 1),
           (size_t)(n * n_after) * sizeof (double));
}

/* Keeps the contacts without speed, drops those that are separating. */
static void
keep_resting (HlHybridSolver *solver, const double v[], double limit, double force_norm)
{
  for (int c = solver->n_contacts - 1; c >= 0; c--)
    if (fabs (hl_hybrid_contact_speed (solver, c, v)) > rest_gap (solver, c, limit, force_norm))
      remove_contact (solver, c);
}

/* What a choice starts from. */
typedef struct
{
  HlHybridKey base;    /* the equality constraints */
  HlHybridKey guess;   /* present mode with what has just come into contact */
  const int *released; /* n_released: columns */
  int n_released;
  double push;       /* on the released elements */
  double force_norm; /* measure of all accelerations */
} Choice;

static int
find_contact (const HlHybridSolver *solver, int column)
{
  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].column == column)
      return c;
  return -1;
}

/* Extra force on the released elements, in solver->push. */
static void
fill_push (HlHybridSolver *solver, const Choice *choice)
{
  int n = solver->net->n_states;

  memset (solver->push, 0, (size_t)n * sizeof (double));
  for (int r = 0; r < choice->n_released; r++) {
    int c = find_contact (solver, choice->released[r]);
    if (c < 0 || solver->contacts[c].size == 0.0)
      continue;
    double reaction = choice->push * choice->force_norm / solver->contacts[c].size;
    for (int i = 0; i < n; i++)
      solver->push[i] += reaction * solver->normal[i + n * c];
  }
}

/* u' of a contact for the accelerations in solver->v_dot */
static double
gap_acceleration (const HlHybridSolver *solver, int c)
{
  const HlHybridContact *contact = &solver->contacts[c];

  return hl_hybrid_contact_gap (solver, c, solver->v_dot) +
         contact->sign * hl_hybrid_column_rate (solver->net, solver->in, contact->column);
}

/* Reaction of a held contact, acceleration of a free one, for the frame's latest accelerations and
 * in units of what the forces at work could do. NAN for a redundant one. */
static double
contact_sign (const HlHybridSolver *solver, int c, double force_norm)
{
  const HlHybridContact *contact = &solver->contacts[c];
  int k = hl_hybrid_frame_find_column (&solver->frame, contact->column);
  double sign = k < 0 ? gap_acceleration (solver, c) : -contact->sign * solver->frame.lam[k];

  if (contact->size > 0.0)
    sign = k < 0 ? sign / contact->size : sign * contact->size;
  return force_norm > 0.0 ? sign / force_norm : sign;
}

/* Smallest sign of all contacts in a mode; -INFINITY for a mode that is redundant in a contact (a
 * smaller set covers it) or cannot be. */
static double
weakest_sign (HlHybridSolver *solver,
              const HlHybridKey *key,
              const double push[],
              double force_norm)
{
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  double weakest = INFINITY;

  if (hl_hybrid_frame_set (solver, &solver->frame, mode, true) != HL_OK)
    return -INFINITY;
  hl_hybrid_frame_accelerate (solver, &solver->frame, push);
  for (int c = 0; c < solver->n_contacts; c++) {
    double sign = contact_sign (solver, c, force_norm);
    if (isnan (sign))
      return -INFINITY;
    weakest = fmin (weakest, sign);
  }
  return weakest;
}

static HlHybridKey
key_of_held (const HlHybridSolver *solver, const HlHybridKey *base)
{
  HlHybridKey key = *base;

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->held[c])
      hl_hybrid_key_set_column (solver->net, &key, solver->contacts[c].column, true);
  return key;
}

/* The guess, restricted to elements that rest and were not released. */
static HlHybridKey
smallest_change (const HlHybridSolver *solver, const Choice *choice)
{
  HlHybridKey key = choice->base;

  for (int c = 0; c < solver->n_contacts; c++)
    if (hl_hybrid_key_has_column (solver->net, &choice->guess, solver->contacts[c].column))
      hl_hybrid_key_set_column (solver->net, &key, solver->contacts[c].column, true);
  for (int r = 0; r < choice->n_released; r++)
    hl_hybrid_key_set_column (solver->net, &key, choice->released[r], false);
  return key;
}

static bool
is_admissible (HlHybridSolver *solver, const Choice *choice, const HlHybridKey *key)
{
  return weakest_sign (solver, key, solver->push, choice->force_norm) >= -SIGN_TOLERANCE;
}

static HlStatus
solve_complementarity (HlHybridSolver *solver, const Choice *choice, HlHybridKey *key)
{
  double *q = solver->column_a;
  double *q_tolerance = solver->lcp_q + 3 * solver->net->n_slots;
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &choice->base);

  HlStatus status = hl_hybrid_frame_set (solver, &solver->base, mode, true);
  if (status != HL_OK)
    return status;
  hl_hybrid_frame_accelerate (solver, &solver->base, solver->push);
  hl_hybrid_contacts_prepare (solver);
  for (int c = 0; c < solver->n_contacts; c++) {
    q[c] = gap_acceleration (solver, c);
    q_tolerance[c] = SIGN_TOLERANCE * choice->force_norm * solver->contacts[c].size;
  }
  status = hl_hybrid_contacts_solve (solver, q, q_tolerance);
  if (status == HL_OK) {
    *key = key_of_held (solver, &choice->base);
    if (is_admissible (solver, choice, key))
      return HL_OK;
  } else if (status == HL_INFEASIBLE && solver->n_contradiction > 0)
    return status;
  if (hl_hybrid_contacts_enumerate (solver, q, q_tolerance) != HL_OK)
    return status == HL_OK ? HL_NO_CONVERGENCE : status;
  *key = key_of_held (solver, &choice->base);
  return is_admissible (solver, choice, key) ? HL_OK : HL_NO_CONVERGENCE;
}

/* No acceleration is admissible, so none is with all contacts held: the row of that mode whose rates
 * contradict each other names the pump and what stands in its way. */
static void
name_contradiction (HlHybridSolver *solver, const Choice *choice)
{
  for (int c = 0; c < solver->n_contacts; c++)
    solver->held[c] = true;
  HlHybridKey key = key_of_held (solver, &choice->base);
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &key);
  HlHybridFrame *frame = &solver->frame;

  solver->n_contradiction = 0;
  if (hl_hybrid_frame_set (solver, frame, mode, true) != HL_OK)
    return;
  hl_hybrid_frame_accelerate (solver, frame, NULL);
  hl_hybrid_record_contradiction (solver, frame, frame->rate);
}

static HlStatus
choose (HlHybridSolver *solver, const Choice *choice, HlHybridKey *key)
{
  fill_push (solver, choice);
  *key = smallest_change (solver, choice);
  if (is_admissible (solver, choice, key))
    return HL_OK;
  HlStatus status = solve_complementarity (solver, choice, key);
  if (status == HL_INFEASIBLE && solver->n_contradiction != 1)
    name_contradiction (solver, choice);
  return status;
}

/* ---- ties ---- */

/* Inputs at t + ahead for velocities solver->v, with positions carried on by v; the contacts follow
 * the geometry. */
static HlStatus
move_inputs (HlHybridSolver *solver, double t, double ahead, const double v[])
{
  HlStatus status = hl_hybrid_solver_place (solver, t, ahead, v);

  if (status == HL_OK)
    status = solver->plant.move (solver->plant.data, t + ahead, solver->v, solver->in);
  int n_contacts = solver->n_contacts;
  hl_hybrid_contacts_clear (solver);
  for (int c = 0; c < n_contacts; c++)
    hl_hybrid_contacts_add (solver, solver->contacts[c].column);
  return status;
}

/* Whether a mode holds everything that has just come into contact: to let go of it at once would
 * bring the same event back. */
static bool
holds_fresh (const HlHybridSolver *solver, const HlHybridKey *guess, const HlHybridKey *key)
{
  for (int c = 0; c < solver->n_contacts; c++) {
    int column = solver->contacts[c].column;
    if (hl_hybrid_key_has_column (solver->net, guess, column) &&
        !hl_hybrid_key_has_column (solver->net, &solver->mode->key, column) &&
        !hl_hybrid_key_has_column (solver->net, key, column))
      return false;
  }
  return true;
}

/* Leaves only the contacts that are tied in the latest accelerations; held ones that are not become
 * part of the base. */
static void
keep_tied (HlHybridSolver *solver, Choice *choice)
{
  for (int c = solver->n_contacts - 1; c >= 0; c--) {
    if (fabs (contact_sign (solver, c, choice->force_norm)) <= TIE_TOLERANCE)
      continue;
    int column = solver->contacts[c].column;
    if (hl_hybrid_frame_find_column (&solver->frame, column) >= 0)
      hl_hybrid_key_set_column (solver->net, &choice->base, column, true);
    remove_contact (solver, c);
  }
}

/* Makes the choice again a moment later, from the accelerations of the mode found so far. */
static HlStatus
look_ahead (
    HlHybridSolver *solver, double t, const double v[], const Choice *choice, HlHybridKey *key)
{
  int n = solver->net->n_states;
  HlHybridKey later;
  Choice ahead = *choice;

  ahead.push = RELEASE_PUSH_AHEAD;
  keep_tied (solver, &ahead);
  for (int i = 0; i < n; i++)
    solver->v[i] = v[i] + LOOK_AHEAD * solver->v_dot[i];
  HlStatus status = move_inputs (solver, t, LOOK_AHEAD, v);
  if (status == HL_OK)
    status = choose (solver, &ahead, &later);
  memcpy (solver->v, v, (size_t)n * sizeof (double));
  HlStatus restored = move_inputs (solver, t, 0.0, v);
  if (restored != HL_OK)
    return restored;
  if (status == HL_OK && holds_fresh (solver, &choice->guess, &later) &&
      weakest_sign (solver, &later, NULL, choice->force_norm) >= -TIE_TOLERANCE)
    *key = later;
  return HL_OK;
}

/* Takes the last trace of speed from the resting contacts, unless something else must flow through
 * them. */
static void
settle (HlHybridSolver *solver, const Choice *choice, double limit, double v[])
{
  HlHybridFrame *frame = &solver->frame;
  double largest = 0.0;
  double *still = solver->v_dot;
  double *difference = solver->state_b;
  int n = solver->net->n_states;

  for (int c = 0; c < solver->n_contacts; c++) {
    const HlHybridContact *contact = &solver->contacts[c];
    solver->held[c] = true;
    if (contact->size > 0.0)
      largest = fmax (largest, rest_gap (solver, c, limit, choice->force_norm) / contact->size);
  }
  HlHybridKey key = key_of_held (solver, &choice->base);
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &key);
  if (solver->n_contacts == 0 || hl_hybrid_frame_set (solver, frame, mode, true) != HL_OK)
    return;
  hl_hybrid_reduce_project (frame->red, &solver->mass, frame->b, v, still, NULL);
  for (int i = 0; i < n; i++)
    difference[i] = still[i] - v[i];
  if (hl_hybrid_velocity_norm (solver, difference) <= SETTLE_FACTOR * largest)
    memcpy (v, still, (size_t)n * sizeof (double));
}

HlStatus
hl_hybrid_choose_mode (HlHybridSolver *solver,
                       double t,
                       HlHybridKey *key,
                       const int released[],
                       int n_released,
                       double v[])
{
  Choice choice = {.base = hl_hybrid_key_base (solver->net, key),
                   .guess = *key,
                   .released = released,
                   .n_released = n_released,
                   .push = RELEASE_PUSH};

  memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
  HlStatus status = solver->plant.move (solver->plant.data, t, solver->v, solver->in);
  if (status != HL_OK)
    return status;
  hl_hybrid_force_eval (solver->net, solver->in, solver->v, solver->force);
  choice.force_norm = hl_hybrid_force_norm (solver, solver->force);
  double limit =
      rest_speed (solver, hl_hybrid_velocity_norm (solver, solver->v), choice.force_norm);
  hl_hybrid_contacts_collect (solver, key, solver->v, limit);
  keep_resting (solver, solver->v, limit, choice.force_norm);
  settle (solver, &choice, limit, v);
  memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));

  solver->n_contradiction = 0;
  status = choose (solver, &choice, key);
  if (status != HL_OK || n_released == 0 ||
      weakest_sign (solver, key, NULL, choice.force_norm) > TIE_TOLERANCE)
    return status;
  return look_ahead (solver, t, v, &choice, key);
}
