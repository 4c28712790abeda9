/* SPDX-License-Identifier: MIT */
/* The contact problem: which one-sided elements hold, once the equality constraints (junctions,
 * links, valves shut by command) have been eliminated by their own null space (theory/hybrid.md
 * (19)). The gap speeds of the contacts answer to reactions y along their normals N by
 *
 *   u = q + A y,   A = N^T G N,   G = alpha Mr^-1 alpha^T of the equality constraints
 *
 * q are the gap speeds (or accelerations) of the motion without reactions. A is symmetric and
 * positive semidefinite; it is scaled to a unit diagonal, so that pressures and forces can be
 * compared. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-lcp.h"
#include "core/math/hl-linalg.h"

/* A contact whose mobility is below this part of its free mobility is decided by the equality
 * constraints alone. */
#define STUCK_TOLERANCE 1e-16
/* What the complementarity problem takes for rounding, as a part of what a solution may be wrong
 * by: the check of the signs that follows must not refuse what this passed. */
#define ROUNDING_PART 0.1

double
hl_hybrid_velocity_norm (const HlHybridSolver *solver, const double v[])
{
  return sqrt (2.0 * hl_hybrid_mass_energy (&solver->mass, v));
}

double
hl_hybrid_force_norm (const HlHybridSolver *solver, const double force[])
{
  double sum = 0.0;

  for (int i = 0; i < solver->net->n_states; i++)
    sum += force[i] * solver->scale[i] * force[i] * solver->scale[i];
  return sqrt (sum);
}

void
hl_hybrid_contacts_clear (HlHybridSolver *solver)
{
  solver->n_contacts = 0;
}

void
hl_hybrid_contacts_add (HlHybridSolver *solver, int column)
{
  int n = solver->net->n_states;
  int entity;
  double sum = 0.0;

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].column == column)
      return;
  HlHybridContact *contact = &solver->contacts[solver->n_contacts];
  double *normal = solver->normal + n * solver->n_contacts++;
  contact->column = column;
  contact->sign =
      hl_hybrid_column_kind (solver->net, column, &entity) == HL_HYBRID_LINE_DROP ? 1.0 : -1.0;
  contact->is_stuck = false;
  hl_hybrid_column_assemble (solver->net, solver->in, column, normal);
  for (int i = 0; i < n; i++) {
    normal[i] *= contact->sign;
    sum += normal[i] * solver->scale[i] * normal[i] * solver->scale[i];
  }
  contact->size = sqrt (sum);
}

double
hl_hybrid_contact_gap (const HlHybridSolver *solver, int contact, const double x[])
{
  const double *normal = solver->normal + solver->net->n_states * contact;
  double sum = 0.0;

  for (int i = 0; i < solver->net->n_states; i++)
    sum += normal[i] * x[i];
  return sum;
}

double
hl_hybrid_contact_speed (const HlHybridSolver *solver, int contact, const double v[])
{
  const HlHybridContact *of = &solver->contacts[contact];

  return hl_hybrid_contact_gap (solver, contact, v) +
         of->sign * hl_hybrid_column_inflow (solver->net, solver->in, of->column);
}

void
hl_hybrid_contacts_prepare (HlHybridSolver *solver)
{
  const HlHybridReduction *red = solver->base.red;
  int n_free = red->n_free;
  int k = solver->n_contacts;
  double *r = solver->response;
  double *x = solver->response + n_free * k;
  double *diagonal = solver->lcp_q + 2 * solver->net->n_slots;
  int n_member = 0;

  hl_mat_tmul (n_free, red->n_states, k, red->alpha, solver->normal, r);
  memcpy (x, r, (size_t)(n_free * k) * sizeof (double));
  if (n_free > 0 && k > 0)
    hl_cholesky_solve (n_free, red->reduced_mass_cholesky, k, x);
  for (int c = 0; c < k; c++) {
    HlHybridContact *contact = &solver->contacts[c];
    double mobility = 0.0;
    for (int j = 0; j < n_free; j++)
      mobility += r[j + n_free * c] * x[j + n_free * c];
    contact->is_stuck = !(mobility > STUCK_TOLERANCE * contact->size * contact->size);
    diagonal[c] = sqrt (mobility);
    if (!contact->is_stuck)
      solver->lcp_member[n_member++] = c;
  }
  for (int col = 0; col < n_member; col++)
    for (int row = 0; row < n_member; row++) {
      int a = solver->lcp_member[row];
      int b = solver->lcp_member[col];
      double sum = 0.0;
      for (int j = 0; j < n_free; j++)
        sum += r[j + n_free * a] * x[j + n_free * b];
      solver->lcp_a[row + n_member * col] = sum / (diagonal[a] * diagonal[b]);
    }
}

/* Members of the scaled problem, their q and the rounding of q; returns their number. */
static int
scale_gaps (HlHybridSolver *solver, const double q[], const double q_tolerance[])
{
  const double *diagonal = solver->lcp_q + 2 * solver->net->n_slots;
  double *tolerance = solver->lcp_q + solver->net->n_slots;
  int n_member = 0;

  for (int c = 0; c < solver->n_contacts; c++) {
    solver->held[c] = false;
    if (solver->contacts[c].is_stuck)
      continue;
    tolerance[n_member] = ROUNDING_PART * q_tolerance[c] / diagonal[c];
    solver->lcp_q[n_member++] = q[c] / diagonal[c];
  }
  return n_member;
}

static void
collect_held (HlHybridSolver *solver, int n_member)
{
  for (int row = 0; row < n_member; row++)
    solver->held[solver->lcp_member[row]] = solver->lcp_basic[row];
}

HlStatus
hl_hybrid_contacts_solve (HlHybridSolver *solver, const double q[], const double q_tolerance[])
{
  int n_member = scale_gaps (solver, q, q_tolerance);

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].is_stuck && q[c] < -q_tolerance[c]) {
      solver->contradiction[0] = solver->contacts[c].column;
      solver->n_contradiction = 1;
      return HL_INFEASIBLE;
    }
  HlStatus status = hl_hybrid_lcp_solve (n_member, solver->lcp_a, solver->lcp_q,
                                         solver->lcp_q + solver->net->n_slots, solver->lcp_basic,
                                         solver->lcp_y, solver->lcp_scratch, solver->lcp_index);
  if (status == HL_OK)
    collect_held (solver, n_member);
  return status;
}

HlStatus
hl_hybrid_contacts_enumerate (HlHybridSolver *solver, const double q[], const double q_tolerance[])
{
  int n_member = scale_gaps (solver, q, q_tolerance);

  if (n_member > HL_HYBRID_LCP_ENUMERATION)
    return HL_NO_CONVERGENCE;
  HlStatus status = hl_hybrid_lcp_enumerate (
      n_member, solver->lcp_a, solver->lcp_q, solver->lcp_q + solver->net->n_slots,
      solver->lcp_basic, solver->lcp_y, solver->lcp_scratch, solver->lcp_index);
  if (status == HL_OK)
    collect_held (solver, n_member);
  return status;
}

void
hl_hybrid_key_set_column (const HlHybridNetwork *net, HlHybridKey *key, int column, bool held)
{
  int entity;

  switch (hl_hybrid_column_kind (net, column, &entity)) {
  case HL_HYBRID_LINE_DROP:
    if (hl_hybrid_key_get_line (net, key, entity) != HL_HYBRID_LINE_SHUT)
      hl_hybrid_key_set_line (net, key, entity, held ? HL_HYBRID_LINE_CLOSED : HL_HYBRID_LINE_OPEN);
    break;
  case HL_HYBRID_STOP_LOWER:
    hl_hybrid_key_set_stop (net, key, entity, false, held);
    break;
  case HL_HYBRID_STOP_UPPER:
    hl_hybrid_key_set_stop (net, key, entity, true, held);
    break;
  default:
    break;
  }
}
