/* SPDX-License-Identifier: MIT */
/* Choice of the mode from accelerations (hybrid.md, section 3, step 3). Among the elements in
 * contact with zero speed, held ones must have an admissible reaction y >= 0 and free ones an
 * admissible acceleration u' >= 0; v' is unique.
 *
 * The smallest change is tried first: the present mode, with what has just come into contact and
 * without what was released. If a sign is wrong there, the complementarity problem decides.
 *
 * Ties. At the event the multiplier of a released element is zero, so holding and letting go give
 * the same accelerations, here and for every element that would have to follow. An instant later
 * the multiplier is negative. A small push along the normal of the released element puts the
 * problem into that instant: letting go becomes the only answer, and an element that must take over
 * (a check line behind a piston that leaves its stop) shows it. The push is far above rounding and
 * far below any pressure of interest. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <math.h>
#include <string.h>

/* Signs are trusted down to this part of what the forces at work could do. */
#define SIGN_TOLERANCE 1e-9
/* Push on a released element, in the same measure. */
#define RELEASE_PUSH 1e-6
/* A contact counts as resting below this part of the present speed, or what the forces reach within
 * REST_TIME. */
#define REST_TOLERANCE 1e-9
#define REST_TIME 1e-13 /* [s] */

/* Keeps the contacts without speed, drops those that are separating. */
static void
keep_resting (HlHybridSolver *solver, const double v[], double speed, double force_norm)
{
  int n = solver->net->n_states;
  int n_kept = 0;

  for (int c = 0; c < solver->n_contacts; c++) {
    double limit = solver->contacts[c].size * (REST_TOLERANCE * speed + REST_TIME * force_norm);
    if (fabs (hl_hybrid_contact_gap (solver, c, v)) > limit)
      continue;
    if (c != n_kept) {
      solver->contacts[n_kept] = solver->contacts[c];
      memcpy (solver->normal + n * n_kept, solver->normal + n * c, (size_t)n * sizeof (double));
    }
    n_kept++;
  }
  solver->n_contacts = n_kept;
}

static int
find_contact (const HlHybridSolver *solver, int column)
{
  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].column == column)
      return c;
  return -1;
}

static void
fill_push (
    HlHybridSolver *solver, const int released[], int n_released, double force_norm, double push[])
{
  int n = solver->net->n_states;

  memset (push, 0, (size_t)n * sizeof (double));
  for (int r = 0; r < n_released; r++) {
    int c = find_contact (solver, released[r]);
    if (c < 0 || solver->contacts[c].size == 0.0)
      continue;
    double reaction = RELEASE_PUSH * force_norm / solver->contacts[c].size;
    for (int i = 0; i < n; i++)
      push[i] += reaction * solver->normal[i + n * c];
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

static bool
is_admissible (HlHybridSolver *solver,
               const HlHybridKey *key,
               const double push[],
               double force_norm)
{
  HlHybridFrame *frame = &solver->frame;
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);

  if (hl_hybrid_frame_set (solver, frame, mode, true) != HL_OK)
    return false;
  hl_hybrid_frame_accelerate (solver, frame, push);
  for (int c = 0; c < solver->n_contacts; c++) {
    const HlHybridContact *contact = &solver->contacts[c];
    int k = hl_hybrid_frame_find_column (frame, contact->column);
    if (k < 0 && gap_acceleration (solver, c) < -SIGN_TOLERANCE * force_norm * contact->size)
      return false;
    /* a redundant set has no multiplier (NAN) and fails here: a smaller set covers it */
    if (k >= 0 && !(-contact->sign * frame->lam[k] >= -SIGN_TOLERANCE * force_norm / contact->size))
      return false;
  }
  return true;
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
smallest_change (const HlHybridSolver *solver,
                 const HlHybridKey *guess,
                 const int released[],
                 int n_released)
{
  HlHybridKey key = hl_hybrid_key_base (solver->net, guess);

  for (int c = 0; c < solver->n_contacts; c++)
    if (hl_hybrid_key_has_column (solver->net, guess, solver->contacts[c].column))
      hl_hybrid_key_set_column (solver->net, &key, solver->contacts[c].column, true);
  for (int r = 0; r < n_released; r++)
    hl_hybrid_key_set_column (solver->net, &key, released[r], false);
  return key;
}

static HlStatus
solve_complementarity (HlHybridSolver *solver,
                       const HlHybridKey *base,
                       const double push[],
                       double force_norm,
                       HlHybridKey *key)
{
  double *q = solver->column_a;
  double *q_tolerance = solver->lcp_q + 3 * solver->net->n_slots;

  HlStatus status = hl_hybrid_frame_set (
      solver, &solver->base, hl_hybrid_mode_cache_lookup (solver->cache, solver->net, base), true);
  if (status != HL_OK)
    return status;
  hl_hybrid_frame_accelerate (solver, &solver->base, push);
  hl_hybrid_contacts_prepare (solver);
  for (int c = 0; c < solver->n_contacts; c++) {
    q[c] = gap_acceleration (solver, c);
    q_tolerance[c] = SIGN_TOLERANCE * force_norm * solver->contacts[c].size;
  }
  status = hl_hybrid_contacts_solve (solver, q, q_tolerance);
  if (status == HL_OK) {
    *key = key_of_held (solver, base);
    if (is_admissible (solver, key, push, force_norm))
      return HL_OK;
  } else if (status == HL_INFEASIBLE && solver->n_contradiction > 0)
    return status;
  if (hl_hybrid_contacts_enumerate (solver, q) != HL_OK)
    return status == HL_OK ? HL_NO_CONVERGENCE : status;
  *key = key_of_held (solver, base);
  return is_admissible (solver, key, push, force_norm) ? HL_OK : HL_NO_CONVERGENCE;
}

HlStatus
hl_hybrid_choose_mode (HlHybridSolver *solver,
                       double t,
                       HlHybridKey *key,
                       const int released[],
                       int n_released,
                       const double v[])
{
  HlHybridKey base = hl_hybrid_key_base (solver->net, key);
  double *push = solver->push;

  if (v != solver->v)
    memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
  HlStatus status = solver->plant.move (solver->plant.data, t, solver->v, solver->in);
  if (status != HL_OK)
    return status;
  hl_hybrid_force_eval (solver->net, solver->in, solver->v, solver->force);
  double force_norm = hl_hybrid_force_norm (solver, solver->force);
  double speed = hl_hybrid_velocity_norm (solver, solver->v);

  hl_hybrid_contacts_collect (solver, key, solver->v, speed);
  keep_resting (solver, solver->v, speed, force_norm);
  fill_push (solver, released, n_released, force_norm, push);
  solver->n_contradiction = 0;
  *key = smallest_change (solver, key, released, n_released);
  if (is_admissible (solver, key, push, force_norm))
    return HL_OK;
  return solve_complementarity (solver, &base, push, force_norm, key);
}
