/* SPDX-License-Identifier: MIT */
/* Impact (theory/hybrid.md (16), (17)): v+ is the velocity nearest to v in the norm of M among
 * those that the new constraints allow,
 *
 *   M (v+ - v) + W s = 0                         s impulses
 *   W_E^T v+ = -b                                equalities
 *   0 <= u = N^T v+  complementary to  y >= 0    one-sided elements
 *
 * Only elements in contact take part at first. An open check line that the jump would drive
 * backwards closes in the same instant: it is added and the problem solved again. The minimum over
 * the larger set of velocities that lies in the smaller one is the minimum there too, so the end
 * result is the minimum under all one-sided conditions. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <math.h>
#include <string.h>

/* Violations below this part of the largest rate that the present speed could give are rounding. */
#define IMPACT_TOLERANCE 1e-9

static double
speed_tolerance (const HlHybridSolver *solver, int contact, double speed)
{
  return IMPACT_TOLERANCE * solver->contacts[contact].size * speed;
}

bool
hl_hybrid_is_touching (const HlHybridSolver *solver, int cylinder, bool upper)
{
  const HlHybridCylinder *limits = &solver->net->tables.cylinders[cylinder];
  double stroke = solver->in->stroke[cylinder];

  return upper ? limits->stroke_max - stroke <= HL_HYBRID_TOUCH
               : stroke - limits->stroke_min <= HL_HYBRID_TOUCH;
}

void
hl_hybrid_contacts_collect (HlHybridSolver *solver,
                            const HlHybridKey *key,
                            const double v[],
                            double rest_speed)
{
  const HlHybridNetwork *net = solver->net;

  hl_hybrid_contacts_clear (solver);
  for (int cylinder = 0; cylinder < net->tables.n_cylinders; cylinder++)
    for (int upper = 0; upper <= 1; upper++)
      if (hl_hybrid_key_has_stop (net, key, cylinder, upper != 0) ||
          hl_hybrid_is_touching (solver, cylinder, upper != 0))
        hl_hybrid_contacts_add (solver, hl_hybrid_stop_column (net, cylinder, upper != 0));
  for (int line = 0; line < net->tables.n_lines; line++) {
    HlHybridLineState state = hl_hybrid_key_get_line (net, key, line);
    if (!hl_hybrid_line_is_one_sided (net, line) || state == HL_HYBRID_LINE_SHUT)
      continue;
    if (state == HL_HYBRID_LINE_CLOSED || v[line] <= rest_speed * solver->scale[line])
      hl_hybrid_contacts_add (solver, hl_hybrid_line_column (net, line));
  }
}

static bool
is_needed (const HlHybridSolver *solver, const double v[], double speed)
{
  const HlHybridFrame *base = &solver->base;
  int n = solver->net->n_states;

  for (int k = 0; k < base->mode->n_active; k++) {
    double sum = base->b[k];
    double size = 0.0;
    for (int i = 0; i < n; i++) {
      double entry = base->w[i + n * k];
      sum += entry * v[i];
      size += entry * entry * solver->scale[i] * solver->scale[i];
    }
    if (fabs (sum) > IMPACT_TOLERANCE * (fabs (base->b[k]) + sqrt (size) * speed))
      return true;
  }
  for (int c = 0; c < solver->n_contacts; c++)
    if (hl_hybrid_contact_speed (solver, c, v) < -speed_tolerance (solver, c, speed))
      return true;
  return false;
}

static HlHybridKey
key_of_held (const HlHybridSolver *solver, const HlHybridKey *key)
{
  HlHybridKey held = hl_hybrid_key_base (solver->net, key);

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->held[c])
      hl_hybrid_key_set_column (solver->net, &held, solver->contacts[c].column, true);
  return held;
}

/* Velocities and impulses for the held set; false when a sign is wrong. */
static HlStatus
try_held (HlHybridSolver *solver,
          const HlHybridKey *key,
          const double v[],
          double v_plus[],
          bool *is_right)
{
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  HlHybridFrame *frame = &solver->frame;
  HlStatus status = hl_hybrid_frame_set (solver, frame, mode, true);

  *is_right = status == HL_OK;
  if (status != HL_OK)
    return status;
  hl_hybrid_reduce_project (frame->red, &solver->mass, frame->b, v, v_plus, frame->lam);
  double speed =
      fmax (hl_hybrid_velocity_norm (solver, v), hl_hybrid_velocity_norm (solver, v_plus));
  for (int c = 0; c < solver->n_contacts; c++) {
    int k = hl_hybrid_frame_find_column (frame, solver->contacts[c].column);
    double limit = speed_tolerance (solver, c, speed);
    if (k < 0 && hl_hybrid_contact_speed (solver, c, v_plus) < -limit)
      *is_right = false;
    /* y = -sign * multiplier; an undetermined one is not held by this element alone */
    if (k >= 0 && !(-solver->contacts[c].sign * frame->lam[k] >=
                    -IMPACT_TOLERANCE * speed / solver->contacts[c].size))
      *is_right = false;
  }
  return HL_OK;
}

/* Adds the open one-sided lines that flow backwards; false when there was none. */
static bool
add_backward_lines (HlHybridSolver *solver, const HlHybridKey *key, const double v_plus[])
{
  double speed = hl_hybrid_velocity_norm (solver, v_plus);
  int n_before = solver->n_contacts;

  for (int line = 0; line < solver->net->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (solver->net, line) &&
        hl_hybrid_key_get_line (solver->net, key, line) != HL_HYBRID_LINE_SHUT &&
        v_plus[line] < -IMPACT_TOLERANCE * solver->scale[line] * speed)
      hl_hybrid_contacts_add (solver, hl_hybrid_line_column (solver->net, line));
  return solver->n_contacts > n_before;
}

/* One contact problem for the contacts collected so far. */
static HlStatus
solve_contacts (HlHybridSolver *solver,
                const HlHybridKey *key,
                const double v[],
                double v_plus[],
                HlHybridKey *held)
{
  double *q = solver->column_a;
  double *q_tolerance = solver->lcp_q + 3 * solver->net->n_slots;
  bool is_right = false;

  /* motion under the equalities alone */
  hl_hybrid_reduce_project (solver->base.red, &solver->mass, solver->base.b, v, v_plus, NULL);
  double speed =
      fmax (hl_hybrid_velocity_norm (solver, v), hl_hybrid_velocity_norm (solver, v_plus));
  hl_hybrid_contacts_prepare (solver);
  for (int c = 0; c < solver->n_contacts; c++) {
    q[c] = hl_hybrid_contact_speed (solver, c, v_plus);
    q_tolerance[c] = speed_tolerance (solver, c, speed);
  }
  HlStatus status = hl_hybrid_contacts_solve (solver, q, q_tolerance);
  if (status == HL_OK) {
    *held = key_of_held (solver, key);
    status = try_held (solver, held, v, v_plus, &is_right);
  }
  if (is_right || (status == HL_INFEASIBLE && solver->n_contradiction > 0))
    return status;
  /* rounding won: look at every set, if there are few */
  HlStatus second = hl_hybrid_contacts_enumerate (solver, q, q_tolerance);
  if (second != HL_OK)
    return status == HL_OK ? HL_NO_CONVERGENCE : status;
  *held = key_of_held (solver, key);
  second = try_held (solver, held, v, v_plus, &is_right);
  return second == HL_OK && !is_right ? HL_NO_CONVERGENCE : second;
}

/* No motion is admissible, so standing still in all contacts is not either: that mode's
 * inconsistent row names the pump and what stands in its way. */
static void
name_contradiction (HlHybridSolver *solver, const HlHybridKey *key)
{
  for (int c = 0; c < solver->n_contacts; c++)
    solver->held[c] = true;
  HlHybridKey held = key_of_held (solver, key);
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &held);
  hl_hybrid_frame_set (solver, &solver->frame, mode, true);
}

static void
fill_report (HlHybridSolver *solver,
             const double v[],
             const double v_plus[],
             HlHybridReport *report)
{
  const HlHybridFrame *frame = &solver->frame;
  double speed =
      fmax (hl_hybrid_velocity_norm (solver, v), hl_hybrid_velocity_norm (solver, v_plus));

  report->had_impact = true;
  report->energy_after = hl_hybrid_mass_energy (&solver->mass, v_plus);
  report->n_negative = 0;
  for (int k = 0; k < frame->mode->n_active; k++) {
    int column = frame->mode->columns[k];
    double size = 0.0;
    for (int i = 0; i < solver->net->n_states; i++) {
      double entry = frame->w[i + solver->net->n_states * k] * solver->scale[i];
      size += entry * entry;
    }
    if (column < solver->net->tables.n_nodes &&
        frame->lam[k] < -IMPACT_TOLERANCE * speed / sqrt (size))
      report->n_negative++;
    if (report->impulse != NULL)
      report->impulse[column] = frame->lam[k];
  }
}

HlStatus
hl_hybrid_impact (HlHybridSolver *solver, HlHybridKey *key, double v[], HlHybridReport *report)
{
  HlHybridKey base_key = hl_hybrid_key_base (solver->net, key);
  HlHybridKey held;
  double *v_plus = solver->v_dot;

  solver->n_contradiction = 0;
  HlStatus status = hl_hybrid_frame_set (
      solver, &solver->base, hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &base_key),
      true);
  if (status != HL_OK)
    return status;
  double speed = hl_hybrid_velocity_norm (solver, v);
  report->energy_before = report->energy_after = 0.5 * speed * speed;
  hl_hybrid_contacts_collect (solver, key, v, IMPACT_TOLERANCE * speed);
  if (!is_needed (solver, v, speed))
    return HL_OK;
  do {
    status = solve_contacts (solver, key, v, v_plus, &held);
    if (status == HL_INFEASIBLE)
      name_contradiction (solver, key);
    if (status != HL_OK)
      return status;
  } while (add_backward_lines (solver, key, v_plus));

  fill_report (solver, v, v_plus, report);
  memcpy (v, v_plus, (size_t)solver->net->n_states * sizeof (double));
  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->held[c])
      hl_hybrid_key_set_column (solver->net, key, solver->contacts[c].column, true);
  return HL_OK;
}
