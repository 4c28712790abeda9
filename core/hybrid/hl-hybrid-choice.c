/* SPDX-License-Identifier: MIT */
/* Choice of the mode from accelerations (theory/hybrid.md (19)). Among the elements in contact with
 * zero speed, held ones must have an admissible reaction y >= 0 and free ones an admissible
 * acceleration u' >= 0; v' is unique.
 *
 * The smallest change is tried first: the present mode, with what has just come into contact and
 * without what was released. If a sign is wrong there, the complementarity problem decides.
 *
 * Ties. At the event the multiplier of a released element is zero, so holding and letting go give the same accelerations,
 * here and for every element that would have to follow (a check line behind a piston that leaves its stop, two check
 * lines in series). A push on all that was released at this instant, far above rounding and far below any pressure of
 * interest, decides. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <math.h>
#include <string.h>

/* Signs are trusted down to this part of what the forces at work could do. */
#define SIGN_TOLERANCE 1e-9
/* Push on a released element, in the same measure. */
#define RELEASE_PUSH 1e-6
/* A contact counts as resting below this part of the present speed, or when the forces at work could bring it back within
 * REST_TIME: else pistons that throw each other off their stops in ever shorter time would never rest. */
#define REST_TOLERANCE 1e-9
#define REST_TIME 1e-9 /* [s] */
/* Bringing several contacts to rest may cost this many times the speed of one. */
#define SETTLE_FACTOR 100.0

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
keep_resting (HlHybridSolver *solver, const double v[], double limit)
{
  for (int c = solver->n_contacts - 1; c >= 0; c--)
    if (fabs (hl_hybrid_contact_speed (solver, c, v)) > limit * solver->contacts[c].size)
      remove_contact (solver, c);
}

/* What a choice starts from. */
typedef struct
{
  HlHybridKey base;  /* the equality constraints */
  HlHybridKey guess; /* present mode with what has just come into contact */
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
  for (int r = 0; r < solver->n_released; r++) {
    int c = find_contact (solver, solver->released[r]);
    if (c < 0 || solver->contacts[c].size == 0.0)
      continue;
    double reaction = RELEASE_PUSH * choice->force_norm / solver->contacts[c].size;
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
  for (int r = 0; r < solver->n_released; r++)
    hl_hybrid_key_set_column (solver->net, &key, solver->released[r], false);
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

/* Takes the last trace of speed from the resting contacts, unless something else must flow through
 * them. */
static void
settle (HlHybridSolver *solver, const Choice *choice, double limit, double v[])
{
  HlHybridFrame *frame = &solver->frame;
  double *still = solver->v_dot;
  double *difference = solver->state_b;
  int n = solver->net->n_states;

  for (int c = 0; c < solver->n_contacts; c++)
    solver->held[c] = true;
  HlHybridKey key = key_of_held (solver, &choice->base);
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &key);
  if (solver->n_contacts == 0 || hl_hybrid_frame_set (solver, frame, mode, true) != HL_OK)
    return;
  hl_hybrid_reduce_project (frame->red, &solver->mass, frame->b, v, still, NULL);
  for (int i = 0; i < n; i++)
    difference[i] = still[i] - v[i];
  if (hl_hybrid_velocity_norm (solver, difference) <= SETTLE_FACTOR * limit)
    memcpy (v, still, (size_t)n * sizeof (double));
}

HlStatus
hl_hybrid_choose_mode (HlHybridSolver *solver, double t, HlHybridKey *key, double v[])
{
  Choice choice = {.base = hl_hybrid_key_base (solver->net, key), .guess = *key};

  memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
  HlStatus status = solver->plant.move (solver->plant.data, t, solver->v, solver->in);
  if (status != HL_OK)
    return status;
  hl_hybrid_force_eval (solver->net, solver->in, solver->v, solver->force);
  choice.force_norm = hl_hybrid_force_norm (solver, solver->force);
  double limit =
      REST_TOLERANCE * hl_hybrid_velocity_norm (solver, solver->v) + REST_TIME * choice.force_norm;
  hl_hybrid_contacts_collect (solver, key, solver->v, limit);
  keep_resting (solver, solver->v, limit);
  settle (solver, &choice, limit, v);
  memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));

  solver->n_contradiction = 0;
  return choose (solver, &choice, key);
}
