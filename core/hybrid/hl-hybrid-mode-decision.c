/* SPDX-License-Identifier: MIT */
/* The decision at an event and at the start (theory/hybrid.md, "Events"): which valves, one-way lines and stops are open, shut
 * and held, and the velocities behind it.
 *
 * 1. Edges as the regularized step has them (26b).
 * 2. Velocities: v+ is the velocity nearest to v in the norm of M among those that the constraints allow (16), (17),
 *
 *      M (v+ - v) + W s = 0                         s impulses
 *      W_E^T v+ = -b                                equalities
 *      0 <= u = N^T v+  complementary to  y >= 0    one-sided elements
 *
 * 3. Accelerations: among the elements in contact with zero speed, held ones have an admissible reaction y >= 0 and free ones
 *    an admissible acceleration u' >= 0 (19).
 * 4. Pressures: where the lift of an edge does not agree with them, 1 to 3 are repeated from the velocities before the event
 *    (pilots, latches); then what the constraints hold still is held.
 *
 * Both 2 and 3 are the contact problem
 *
 *   u = q + A y,   A = N^T G N,   G = alpha Mr^-1 alpha^T of the equality constraints
 *
 * q are the gap speeds (or accelerations) of the motion without reactions. A is symmetric and positive semidefinite; it is
 * scaled to a unit diagonal, so that pressures and forces can be compared. Where it has no solution, its certificate names
 * the elements that leave the oil no way. */
#include "core/hybrid/hl-hybrid-solver-private.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/hybrid/hl-hybrid-lcp.h"
#include "core/math/hl-linalg.h"
#include "core/system/hl-state-rank-scale.h"

/* ---- contacts ---- */

/* A contact whose mobility is below this part of its free mobility is decided by the equality
 * constraints alone. */
#define STUCK_TOLERANCE 1e-16
/* Tolerance of the complementarity problem, relative to that of a solution: the following sign check must
 * not refuse what this accepted. */
#define ROUNDING_PART 0.1

double hl_hybrid_velocity_norm (const HlHybridSolver *solver, const double v[]) {
  return sqrt (2.0 * hl_hybrid_mass_energy (&solver->mass, v));
}

double hl_hybrid_dot (const HlHybridSolver *solver, const double a[], const double b[]) {
  double sum = 0.0;

  for (int i = 0; i < solver->net->n_states; i++)
    sum += a[i] * b[i];
  return sum;
}

double hl_hybrid_force_norm (const HlHybridSolver *solver, const double force[]) {
  double sum = 0.0;

  for (int i = 0; i < solver->net->n_states; i++)
    sum += force[i] * solver->scale[i] * force[i] * solver->scale[i];
  return sqrt (sum);
}

/* Adds an element that touches (once). */
static void add_contact (HlHybridSolver *solver, int column) {
  int n = solver->net->n_states;
  int entity;

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].column == column)
      return;
  HlHybridContact *contact = &solver->contacts[solver->n_contacts];
  double *normal = solver->normal + n * solver->n_contacts++;
  contact->column = column;
  contact->sign = hl_hybrid_column_kind (solver->net, column, &entity) == HL_HYBRID_LINE_DROP ? 1.0 : -1.0;
  contact->is_stuck = false;
  hl_hybrid_column_assemble (solver->net, solver->in, column, normal);
  for (int i = 0; i < n; i++)
    normal[i] *= contact->sign;
  contact->size = hl_hybrid_force_norm (solver, normal);
}

/* Returns n^T x; x[n_states]. */
static double contact_gap (const HlHybridSolver *solver, int contact, const double x[]) {
  return hl_hybrid_dot (solver, solver->normal + solver->net->n_states * contact, x);
}

/* Returns the gap speed at velocities v[n_states]: n^T v, and what driven joints add. */
static double contact_speed (const HlHybridSolver *solver, int contact, const double v[]) {
  const HlHybridContact *of = &solver->contacts[contact];

  return contact_gap (solver, contact, v) +
         of->sign * hl_hybrid_column_inflow (solver->net, solver->in, of->column);
}

/* Fills the matrix A of the contacts, scaled, on the base frame, which must have been set. */
static void fill_mobilities (HlHybridSolver *solver) {
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
static int scale_gaps (HlHybridSolver *solver, const double q[], const double q_tolerance[]) {
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

/* Finds which contacts hold, solver->held, for gap speeds or accelerations q[n_contacts] of the base motion. One below its
 * q_tolerance[n_contacts] counts as zero. HL_INFEASIBLE: nothing does, and the held ones contradict each other. */
static HlStatus solve_contacts (HlHybridSolver *solver, const double q[], const double q_tolerance[]) {
  int n_member = scale_gaps (solver, q, q_tolerance);

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].is_stuck && q[c] < -q_tolerance[c]) {
      solver->held[c] = true;
      return HL_INFEASIBLE;
    }
  HlStatus status =
      hl_hybrid_lcp_solve (n_member, solver->lcp_a, solver->lcp_q, solver->lcp_q + solver->net->n_slots,
                           solver->lcp_basic, solver->lcp_y, solver->lcp_scratch, solver->lcp_index);
  for (int row = 0; row < n_member; row++)
    solver->held[solver->lcp_member[row]] =
        status == HL_INFEASIBLE ? solver->lcp_y[row] > 0.0 : solver->lcp_basic[row];
  return status;
}

/* Drops a contact; the one after it takes its place. */
static void remove_contact (HlHybridSolver *solver, int c) {
  int n = solver->net->n_states;
  int n_after = --solver->n_contacts - c;

  memmove (solver->contacts + c, solver->contacts + c + 1, (size_t)n_after * sizeof (HlHybridContact));
  memmove (solver->normal + n * c, solver->normal + n * (c + 1), (size_t)(n * n_after) * sizeof (double));
}

bool hl_hybrid_is_touching (const HlHybridSolver *solver, int cylinder, bool upper) {
  const HlHybridCylinder *limits = &solver->net->tables.cylinders[cylinder];
  double stroke = solver->in->stroke[cylinder];

  return upper ? limits->stroke_max - stroke <= HL_HYBRID_TOUCH
               : stroke - limits->stroke_min <= HL_HYBRID_TOUCH;
}

/* Collects all elements in contact at velocities v[n_states]: held in the key, pistons at their stops,
 * one-sided lines whose flow is at most rest_speed * M^-1/2 (rest_speed is a kinetic norm). */
static void collect_contacts (HlHybridSolver *solver, const HlHybridKey *key, const double v[],
                              double rest_speed) {
  const HlHybridNetwork *net = solver->net;

  solver->n_contacts = 0;
  for (int cylinder = 0; cylinder < net->tables.n_cylinders; cylinder++)
    for (int upper = 0; upper <= 1; upper++)
      if (hl_hybrid_key_has_stop (net, key, cylinder, upper != 0) ||
          hl_hybrid_is_touching (solver, cylinder, upper != 0))
        add_contact (solver, hl_hybrid_stop_column (net, cylinder, upper != 0));
  for (int line = 0; line < net->tables.n_lines; line++) {
    HlHybridLineState state = hl_hybrid_key_get_line (net, key, line);
    if (!hl_hybrid_line_is_one_sided (net, line) || state == HL_HYBRID_LINE_SHUT)
      continue;
    if (state == HL_HYBRID_LINE_CLOSED || v[line] <= rest_speed * solver->scale[line])
      add_contact (solver, hl_hybrid_line_column (net, line));
  }
}

/* Returns the key with the equality constraints of `key` and what the contacts hold. */
static HlHybridKey key_of_held (const HlHybridSolver *solver, const HlHybridKey *key) {
  HlHybridKey held = hl_hybrid_key_base (solver->net, key);

  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->held[c])
      hl_hybrid_key_set_column (solver->net, &held, solver->contacts[c].column, true);
  return held;
}

/* Records the row of the mode of the held contacts that b, or with `by_rates` the rates, contradict: no motion is admissible, so
 * these contacts cannot stand still either. Of rates that one contact alone contradicts it is the contact. */
static void name_contradiction (HlHybridSolver *solver, const HlHybridKey *key, bool by_rates) {
  HlHybridKey held = key_of_held (solver, key);
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &held);
  HlHybridFrame *frame = &solver->frame;

  solver->n_contradiction = 0;
  if (hl_hybrid_frame_set (solver, frame, mode, true) != HL_OK || !by_rates)
    return;
  hl_hybrid_frame_accelerate (solver, frame, NULL);
  hl_hybrid_record_contradiction (solver, frame, frame->rate);
  int n_held = 0, alone = 0;
  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->held[c]) {
      n_held++;
      alone = solver->contacts[c].column;
    }
  if (n_held == 1) { /* it stands in the way of all the oil */
    solver->contradiction[0] = alone;
    solver->n_contradiction = 1;
  }
}

/* ---- velocities ---- */

/* All one-way lines take part, open ones too: the jump may drive one backwards, which then closes in it. */

/* Violations below this part of the largest rate that the present speed could give are rounding. */
#define IMPACT_TOLERANCE 1e-9

static double speed_tolerance (const HlHybridSolver *solver, int contact, double speed) {
  return IMPACT_TOLERANCE * solver->contacts[contact].size * speed;
}

static bool is_needed (const HlHybridSolver *solver, const double v[], double speed) {
  for (int k = 0; k < solver->base.mode->n_active; k++)
    if (hl_hybrid_frame_violates (solver, &solver->base, k, v, IMPACT_TOLERANCE, speed))
      return true;
  for (int c = 0; c < solver->n_contacts; c++)
    if (contact_speed (solver, c, v) < -speed_tolerance (solver, c, speed))
      return true;
  return false;
}

/* Computes velocities and impulses for the held set; false when a sign is wrong. */
static HlStatus try_held (HlHybridSolver *solver, const HlHybridKey *key, const double v[], double v_plus[],
                          bool *is_right) {
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  HlHybridFrame *frame = &solver->frame;
  HlStatus status = hl_hybrid_frame_set (solver, frame, mode, true);

  *is_right = status == HL_OK;
  if (status != HL_OK)
    return status;
  hl_hybrid_reduce_project (frame->red, &solver->mass, frame->b, v, v_plus, frame->lam);
  double speed = fmax (hl_hybrid_velocity_norm (solver, v), hl_hybrid_velocity_norm (solver, v_plus));
  for (int c = 0; c < solver->n_contacts; c++) {
    int k = hl_hybrid_frame_find_column (frame, solver->contacts[c].column);
    double limit = speed_tolerance (solver, c, speed);
    if (k < 0 && contact_speed (solver, c, v_plus) < -limit)
      *is_right = false;
    /* y = -sign * multiplier; an undetermined one is not held by this element alone */
    if (k >= 0 &&
        !(-solver->contacts[c].sign * frame->lam[k] >= -IMPACT_TOLERANCE * speed / solver->contacts[c].size))
      *is_right = false;
  }
  return HL_OK;
}

/* Solves one contact problem for the contacts collected so far. */
static HlStatus find_impact (HlHybridSolver *solver, const HlHybridKey *key, const double v[],
                             double v_plus[], HlHybridKey *held) {
  double *q = solver->column_a;
  double *q_tolerance = solver->lcp_q + 3 * solver->net->n_slots;
  bool is_right = false;

  /* motion under the equalities alone */
  hl_hybrid_reduce_project (solver->base.red, &solver->mass, solver->base.b, v, v_plus, NULL);
  double speed = fmax (hl_hybrid_velocity_norm (solver, v), hl_hybrid_velocity_norm (solver, v_plus));
  fill_mobilities (solver);
  for (int c = 0; c < solver->n_contacts; c++) {
    q[c] = contact_speed (solver, c, v_plus);
    q_tolerance[c] = speed_tolerance (solver, c, speed);
  }
  HlStatus status = solve_contacts (solver, q, q_tolerance);
  if (status == HL_INFEASIBLE)
    name_contradiction (solver, key, false);
  if (status != HL_OK)
    return status;
  *held = key_of_held (solver, key);
  status = try_held (solver, held, v, v_plus, &is_right);
  return status == HL_OK && !is_right ? HL_NO_CONVERGENCE : status;
}

/* Clears the report of an impact; the memory of the impulses stays. */
static void clear_report (const HlHybridSolver *solver, HlHybridReport *report) {
  *report = (HlHybridReport){.impulse = report->impulse};
  for (int column = 0; column < solver->net->n_columns && report->impulse != NULL; column++)
    report->impulse[column] = NAN;
}

static void fill_report (HlHybridSolver *solver, const double v[], const double v_plus[],
                         HlHybridReport *report) {
  const HlHybridFrame *frame = &solver->frame;
  double speed = fmax (hl_hybrid_velocity_norm (solver, v), hl_hybrid_velocity_norm (solver, v_plus));

  report->had_impact = true;
  report->energy_after = hl_hybrid_mass_energy (&solver->mass, v_plus);
  report->n_negative = 0;
  for (int k = 0; k < frame->mode->n_active; k++) {
    int column = frame->mode->columns[k];
    double size = hl_hybrid_force_norm (solver, frame->w + solver->net->n_states * k);
    if (column < solver->net->tables.n_nodes && frame->lam[k] < -IMPACT_TOLERANCE * speed / size)
      report->n_negative++;
    if (report->impulse != NULL)
      report->impulse[column] = frame->lam[k];
  }
}

/* Computes the impact of an event. key: commanded valves already changed, elements that have just come into
 * contact set; elements that the impact holds are added to it. v[n_states] is replaced by the velocities
 * after the impact, if there is one. */
static HlStatus find_velocities (HlHybridSolver *solver, HlHybridKey *key, double v[],
                                 HlHybridReport *report) {
  HlHybridKey base_key = hl_hybrid_key_base (solver->net, key);
  HlHybridKey held;
  double *v_plus = solver->v_dot;

  solver->n_contradiction = 0;
  HlStatus status = hl_hybrid_frame_set (
      solver, &solver->base, hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &base_key), true);
  if (status != HL_OK)
    return status;
  double speed = hl_hybrid_velocity_norm (solver, v);
  report->energy_before = report->energy_after = 0.5 * speed * speed;
  collect_contacts (solver, key, v, INFINITY);
  if (!is_needed (solver, v, speed))
    return HL_OK;
  status = find_impact (solver, key, v, v_plus, &held);
  if (status != HL_OK)
    return status;
  fill_report (solver, v, v_plus, report);
  memcpy (v, v_plus, (size_t)solver->net->n_states * sizeof (double));
  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->held[c])
      hl_hybrid_key_set_column (solver->net, key, solver->contacts[c].column, true);
  return HL_OK;
}

/* ---- accelerations ---- */

/* Ties. At the event the multiplier of a released element is zero, so holding and letting go give the same accelerations,
 * here and for every element that would have to follow (a check line behind a piston that leaves its stop, two check
 * lines in series). A push on all that was released at this instant, far above rounding and far below any pressure of
 * interest, decides. */

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

/* Keeps the contacts without speed, drops those that are separating. */
static void keep_resting (HlHybridSolver *solver, const double v[], double limit) {
  for (int c = solver->n_contacts - 1; c >= 0; c--)
    if (fabs (contact_speed (solver, c, v)) > limit * solver->contacts[c].size)
      remove_contact (solver, c);
}

/* Start of the search for a mode. */
typedef struct {
  HlHybridKey base;  /* the equality constraints */
  double force_norm; /* measure of all accelerations */
} Choice;

static int find_contact (const HlHybridSolver *solver, int column) {
  for (int c = 0; c < solver->n_contacts; c++)
    if (solver->contacts[c].column == column)
      return c;
  return -1;
}

static bool is_line_drop (const HlHybridSolver *solver, int column) {
  int entity;
  return hl_hybrid_column_kind (solver->net, column, &entity) == HL_HYBRID_LINE_DROP;
}

/* Computes the extra force on the released elements, in solver->push. Lines have one pressure: of two
 * parallel ones, the one with the lower pressure would stay closed, and begin to open over and over. */
static void fill_push (HlHybridSolver *solver, const Choice *choice) {
  int n = solver->net->n_states;
  double size_of_lines = INFINITY;

  memset (solver->push, 0, (size_t)n * sizeof (double));
  for (int r = 0; r < solver->n_released; r++) {
    int c = find_contact (solver, solver->released[r]);
    if (c >= 0 && is_line_drop (solver, solver->released[r]))
      size_of_lines = fmin (size_of_lines, solver->contacts[c].size);
  }
  for (int r = 0; r < solver->n_released; r++) {
    int c = find_contact (solver, solver->released[r]);
    if (c < 0)
      continue;
    double size = is_line_drop (solver, solver->released[r]) ? size_of_lines : solver->contacts[c].size;
    double reaction = size > 0.0 ? RELEASE_PUSH * choice->force_norm / size : 0.0;
    for (int i = 0; i < n; i++)
      solver->push[i] += reaction * solver->normal[i + n * c];
  }
}

/* Returns u' of a contact for the accelerations in solver->v_dot. */
static double gap_acceleration (const HlHybridSolver *solver, int c) {
  const HlHybridContact *contact = &solver->contacts[c];

  return contact_gap (solver, c, solver->v_dot) +
         contact->sign * hl_hybrid_column_rate (solver->net, solver->in, contact->column);
}

/* Returns the reaction of a held contact or the acceleration of a free one, for the frame's latest
 * accelerations and in units of the possible effect of the acting forces. NAN for a redundant one. */
static double contact_sign (const HlHybridSolver *solver, int c, double force_norm) {
  const HlHybridContact *contact = &solver->contacts[c];
  int k = hl_hybrid_frame_find_column (&solver->frame, contact->column);
  double sign = k < 0 ? gap_acceleration (solver, c) : -contact->sign * solver->frame.lam[k];

  if (contact->size > 0.0)
    sign = k < 0 ? sign / contact->size : sign * contact->size;
  return force_norm > 0.0 ? sign / force_norm : sign;
}

/* Returns the smallest sign of all contacts in a mode; -INFINITY for a mode that is redundant in a contact (a
 * smaller set covers it) or cannot be. */
static double weakest_sign (HlHybridSolver *solver, const HlHybridKey *key, const double push[],
                            double force_norm) {
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

static bool is_admissible (HlHybridSolver *solver, const Choice *choice, const HlHybridKey *key) {
  return weakest_sign (solver, key, solver->push, choice->force_norm) >= -SIGN_TOLERANCE;
}

static HlStatus solve_complementarity (HlHybridSolver *solver, const Choice *choice, HlHybridKey *key) {
  double *q = solver->column_a;
  double *q_tolerance = solver->lcp_q + 3 * solver->net->n_slots;
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &choice->base);

  HlStatus status = hl_hybrid_frame_set (solver, &solver->base, mode, true);
  if (status != HL_OK)
    return status;
  fill_push (solver, choice);
  hl_hybrid_frame_accelerate (solver, &solver->base, solver->push);
  fill_mobilities (solver);
  for (int c = 0; c < solver->n_contacts; c++) {
    q[c] = gap_acceleration (solver, c);
    q_tolerance[c] = SIGN_TOLERANCE * choice->force_norm * solver->contacts[c].size;
  }
  status = solve_contacts (solver, q, q_tolerance);
  if (status == HL_INFEASIBLE)
    name_contradiction (solver, &choice->base, true);
  if (status != HL_OK)
    return status;
  *key = key_of_held (solver, &choice->base);
  return is_admissible (solver, choice, key) ? HL_OK : HL_NO_CONVERGENCE;
}

/* Takes the last trace of speed from the resting contacts, unless something else must flow through
 * them. */
static void stop_resting_contacts (HlHybridSolver *solver, const Choice *choice, double limit, double v[]) {
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

/* Chooses the new mode. key: the present mode with the new contacts in, the new mode out. v[n_states] loses
 * the small remaining speed of the resting contacts. */
static HlStatus choose_mode (HlHybridSolver *solver, double t, HlHybridKey *key, double v[]) {
  Choice choice = {.base = hl_hybrid_key_base (solver->net, key)};

  memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));
  HlStatus status = solver->plant.move (solver->plant.data, t, solver->v, solver->in);
  if (status != HL_OK)
    return status;
  hl_hybrid_force_eval (solver->net, solver->in, solver->v, solver->force);
  choice.force_norm = hl_hybrid_force_norm (solver, solver->force);
  double limit = REST_TOLERANCE * hl_hybrid_velocity_norm (solver, solver->v) + REST_TIME * choice.force_norm;
  collect_contacts (solver, key, solver->v, limit);
  keep_resting (solver, solver->v, limit);
  stop_resting_contacts (solver, &choice, limit, v);
  memcpy (solver->v, v, (size_t)solver->net->n_states * sizeof (double));

  solver->n_contradiction = 0;
  return solve_complementarity (solver, &choice, key);
}

HlStatus hl_hybrid_enter_mode (HlHybridSolver *solver, const HlHybridKey *key, double v[]) {
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  HlStatus status = hl_hybrid_frame_set (solver, &solver->frame, mode, true);

  if (status != HL_OK)
    return status;
  solver->mode = mode;
  hl_hybrid_reduce_project (solver->frame.red, &solver->mass, solver->frame.b, v, v, NULL);
  for (int line = 0; line < solver->net->tables.n_lines; line++)
    if (hl_hybrid_key_get_line (solver->net, key, line) != HL_HYBRID_LINE_OPEN)
      v[line] = 0.0;
  return HL_OK;
}

/* ---- edges ---- */

/* An edge that is open joins two nodes; one that is closed parts them. Unlike a line it has no flow of its own that could be wrong,
 * so that it opens and closes where its law says, and only the velocities that its group keeps may then have to jump. */

/* Lifts are of the order of 1; below this they are rounding, and an event is just there. */
#define LIFT_ROUNDING 1e-10
/* From here on an edge is on the wrong side. An open one closes only there: many laws are flat where they shut, so that the
 * tolerance of the integrator alone, 1e-12 m/s, moved the lift by 4e-10, and a valve that had just opened shut again
 * at each step. */
#define LIFT_TOLERANCE 1e-7

void hl_hybrid_edges_look (HlHybridSolver *solver) {
  solver->plant.lift (solver->plant.data, solver->in, solver->lift);
}

double hl_hybrid_edges_value (const HlHybridSolver *solver, int edge) {
  double lift = solver->lift[edge];

  if (!isfinite (lift))
    return NAN;
  if (hl_hybrid_key_is_open (solver->net, &solver->mode->key, edge))
    return lift + LIFT_TOLERANCE;
  return fabs (lift) <= LIFT_ROUNDING ? 0.0 : -lift;
}

/* Sets the edges of the first mode, from the pressures and openings of the start. */
static void begin_edges (HlHybridSolver *solver, HlHybridKey *key) {
  int n = solver->net->tables.n_edges;

  if (n == 0)
    return;
  hl_hybrid_edges_look (solver);
  for (int edge = 0; edge < n; edge++)
    hl_hybrid_key_set_open (solver->net, key, edge, solver->lift[edge] > 0.0);
}

/* Sets the edges of a key as the lifts of the regularized step at v have them; one that stands where it just
 * opens stays as the key has it. False: the step has no solution, and the key stays. */
static bool decide_edges (HlHybridSolver *solver, double t, HlHybridKey *key, const double v[]) {
  if (solver->net->tables.n_edges == 0 || solver->plant.regularized_step == NULL ||
      solver->plant.regularized_step (solver->plant.data, t, key, v, solver->in) != HL_OK)
    return false;
  hl_hybrid_edges_look (solver);
  for (int edge = 0; edge < solver->net->tables.n_edges; edge++)
    if (fabs (solver->lift[edge]) > LIFT_ROUNDING)
      hl_hybrid_key_set_open (solver->net, key, edge, solver->lift[edge] > 0.0);
  return true;
}

/* Turns the edges on the wrong side; false: there are none. */
static bool turn_edges (const HlHybridSolver *solver, HlHybridKey *key) {
  bool any = false;

  for (int edge = 0; edge < solver->net->tables.n_edges; edge++) {
    bool is_open = hl_hybrid_key_is_open (solver->net, key, edge);
    double wrong = is_open ? -solver->lift[edge] : solver->lift[edge];
    if (!(wrong > LIFT_TOLERANCE))
      continue;
    hl_hybrid_key_set_open (solver->net, key, edge, !is_open);
    any = true;
  }
  return any;
}

/* Decides the mode. Pilots and latches depend on the pressures of the mode: while an edge is on the wrong
 * side of its lift, all is decided again from the velocities before, with the held stops and lines and from
 * the pressures found. Each round turns an edge, so there are as many rounds at most. v[n_states] of a start
 * satisfy its constraints already, unless edges change. */
static HlStatus decide_mode (HlHybridSolver *solver, double t, bool is_start, HlHybridKey *key, double v[],
                             HlHybridReport *report) {
  int n_edges = solver->net->tables.n_edges;
  size_t size = (size_t)solver->net->n_states * sizeof (double);

  memcpy (solver->v_before, v, size);
  bool jumps = decide_edges (solver, t, key, v) || !is_start;
  for (int round = 0; round <= n_edges; round++, jumps = true) {
    memcpy (v, solver->v_before, size);
    clear_report (solver, report);
    HlStatus status = jumps ? find_velocities (solver, key, v, report) : HL_OK;
    if (status == HL_OK)
      status = choose_mode (solver, t, key, v);
    if (status == HL_OK)
      status = hl_hybrid_enter_mode (solver, key, v);
    if (status != HL_OK || n_edges == 0)
      return status;
    HlHybridKey before = *key = solver->mode->key;
    status = hl_hybrid_solver_evaluate (solver, t, v);
    if (status != HL_OK && status != HL_NO_CONVERGENCE)
      return status;
    if (status == HL_OK) {
      hl_hybrid_solver_find_preload (solver);
      hl_hybrid_edges_look (solver);
      if (!turn_edges (solver, key))
        return HL_OK;
    }
    HlHybridKey turned = *key;
    if (!decide_edges (solver, t, key, v) && status != HL_OK)
      return status;
    if (memcmp (&before, key, sizeof before) == 0)
      *key = turned;
  }
  return HL_NO_CONVERGENCE;
}

/* ---- events ---- */

/* Clean-up may move the velocities by this part of the present speed, or of the sizes that the integrator weighs errors by
 * (error of integrator and event location); a larger difference is a jump of the inputs and belongs to the impact. */
#define CLEAN_TOLERANCE 1e-6
/* Events at one time beyond this many per slot mean that the choice of modes runs in a circle. */
#define REPEATS_PER_SLOT 4
/* Events nearer to each other are of one instant [s]. */
#define SAME_INSTANT 1e-12

/* Appends an element that is released, once. */
static void append_released (HlHybridSolver *solver, int column) {
  for (int r = 0; r < solver->n_released; r++)
    if (solver->released[r] == column)
      return;
  solver->released[solver->n_released++] = column;
}

/* Applies one event to a key and appends elements that are released. */
static void key_apply (HlHybridSolver *solver, const HlHybridEvent *event, HlHybridKey *key) {
  const HlHybridNetwork *net = solver->net;

  switch (event->kind) {
  case HL_HYBRID_CLOSE_LINE:
    hl_hybrid_key_set_column (net, key, hl_hybrid_line_column (net, event->entity), true);
    break;
  case HL_HYBRID_OPEN_LINE:
    append_released (solver, hl_hybrid_line_column (net, event->entity));
    break;
  case HL_HYBRID_HIT_STOP:
    hl_hybrid_key_set_stop (net, key, event->entity, event->upper, true);
    break;
  case HL_HYBRID_LEAVE_STOP:
    append_released (solver, hl_hybrid_stop_column (net, event->entity, event->upper));
    break;
  case HL_HYBRID_SHUT_VALVE:
    hl_hybrid_key_set_line (net, key, event->entity, HL_HYBRID_LINE_SHUT);
    break;
  case HL_HYBRID_OPEN_VALVE:
    if (hl_hybrid_key_get_line (net, key, event->entity) == HL_HYBRID_LINE_SHUT)
      hl_hybrid_key_set_line (net, key, event->entity,
                              hl_hybrid_line_is_one_sided (net, event->entity) ? HL_HYBRID_LINE_CLOSED
                                                                               : HL_HYBRID_LINE_OPEN);
    break;
  case HL_HYBRID_SHUT_EDGE:
  case HL_HYBRID_OPEN_EDGE:
    hl_hybrid_key_set_open (net, key, event->entity, event->kind == HL_HYBRID_OPEN_EDGE);
    break;
  case HL_HYBRID_CUT_FLOW: /* cut_flows () */
  case HL_HYBRID_REFRESH:
    break;
  }
}

/* Returns whether no velocity changes by more than the integrator may leave: a machine at rest has no
 * speed to compare with. */
static bool is_within_weights (const HlHybridSolver *solver, const double change[]) {
  for (int i = 0; i < solver->net->n_states; i++)
    if (!(fabs (change[i]) <=
          CLEAN_TOLERANCE * (i < solver->net->tables.n_lines ? HL_SCALE_FLOW : HL_SCALE_VELOCITY)))
      return false;
  return true;
}

/* Finds the velocities nearest to v that fit the present mode with the lines and edges shut that the events shut; false: there
 * are none. */
static bool find_clean (HlHybridSolver *solver, const HlHybridEvent events[], int n_events, const double v[],
                        double clean[]) {
  HlHybridKey key = solver->mode->key;

  for (int e = 0; e < n_events; e++)
    if (events[e].kind == HL_HYBRID_CLOSE_LINE || events[e].kind == HL_HYBRID_SHUT_EDGE)
      key_apply (solver, &events[e], &key);
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, &key);
  if (hl_hybrid_frame_set (solver, &solver->frame, mode, true) != HL_OK)
    return false;
  hl_hybrid_reduce_project (solver->frame.red, &solver->mass, solver->frame.b, v, clean, NULL);
  return true;
}

/* Performs step 1: removes the constraint errors by integration and event location in the present mode, and
 * the rest of the flow of lines and edges that have just closed: with that rest, an edge may be on the wrong
 * side of its lift open and closed alike. Keeps v if the change is larger than such an error. */
static void clean_up (HlHybridSolver *solver, const double clean[], double v[]) {
  double *difference = solver->push;

  for (int i = 0; i < solver->net->n_states; i++)
    difference[i] = clean[i] - v[i];
  if (hl_hybrid_velocity_norm (solver, difference) <= CLEAN_TOLERANCE * hl_hybrid_velocity_norm (solver, v) ||
      is_within_weights (solver, difference))
    memcpy (v, clean, (size_t)solver->net->n_states * sizeof (double));
}

/* Pressure step that tests whether a lift depends on pressures [Pa]. */
#define TRIAL_PRESSURE 1.0e5

/* Returns whether its spool or its command alone closes an edge. */
static bool is_shut_by_position (HlHybridSolver *solver, int edge) {
  HlHybridPreload *of = &solver->preload;

  for (int node = 0; node < solver->net->tables.n_nodes; node++)
    of->trial[node] = of->before[node] + TRIAL_PRESSURE * (node + 1);
  solver->plant.lift_at (solver->plant.data, of->before, solver->lift);
  solver->plant.lift_at (solver->plant.data, of->trial, of->trial_lift);
  return of->trial_lift[edge] == solver->lift[edge];
}

/* Returns whether edges that closed part the group of a node in the present mode, or part it from given pressures. */
static bool is_parted (const HlHybridSolver *solver, const HlHybridMode *shut, int node) {
  const int *before = solver->mode->group, *behind = shut->group;

  if (before[node] < 0)
    return behind[node] >= 0;
  for (int other = 0; other < solver->net->tables.n_nodes; other++)
    if (before[other] == before[node] && behind[other] != behind[node])
      return true;
  return false;
}

/* Finds the pressures of the oil that spools trap as they shut; `shut` is the mode with their edges shut. False: there are none, and
 * those of the step before stand. */
static bool find_trapped (HlHybridSolver *solver, double t, const HlHybridMode *shut,
                          const HlHybridEvent events[], int n_events, const double v[]) {
  HlHybridPreload *of = &solver->preload;
  int e = 0;

  if (solver->plant.step_back == NULL || !of->is_at_work)
    return true;
  while (e < n_events &&
         (events[e].kind != HL_HYBRID_SHUT_EDGE || !is_shut_by_position (solver, events[e].entity)))
    e++;
  if (e == n_events)
    return true;
  if (solver->plant.step_back (solver->plant.data, t, &solver->mode->key, v, events[e].entity, solver->in,
                               of->trial) != HL_OK)
    return false;
  for (int node = 0; node < solver->net->tables.n_nodes; node++)
    if (is_parted (solver, shut, node))
      of->before[node] = of->trial[node];
  solver->plant.preload (solver->plant.data, of->before);
  return true;
}

static bool is_circling (HlHybridSolver *solver, double t) {
  if (t != solver->last_time)
    solver->n_at_last_time = 0;
  /* two check valves in series begin to open one after the other, at one instant */
  if (!(fabs (t - solver->last_time) < SAME_INSTANT))
    solver->n_released = 0;
  solver->last_time = t;
  return ++solver->n_at_last_time > REPEATS_PER_SLOT * (solver->net->n_slots + 1);
}

/* Shuts the edges whose flow is cut, in a key; false: there are none. */
static bool shut_cut_edges (const HlHybridSolver *solver, const HlHybridEvent events[], int n_events,
                            HlHybridKey *key) {
  bool any = false;

  for (int e = 0; e < n_events; e++)
    if (events[e].kind == HL_HYBRID_CUT_FLOW) {
      hl_hybrid_key_set_open (solver->net, key, events[e].entity, false);
      any = true;
    }
  return any;
}

/* Replaces v[n_states] by the velocities behind the impact that shuts the edges whose flow is cut; other edges take the oil that
 * comes then. */
static HlStatus cut_flows (HlHybridSolver *solver, double t, const HlHybridEvent events[], int n_events,
                           double v[], HlHybridReport *report) {
  HlHybridKey key = solver->mode->key;

  clear_report (solver, report);
  if (!shut_cut_edges (solver, events, n_events, &key))
    return HL_OK;
  decide_edges (solver, t, &key, v);
  shut_cut_edges (solver, events, n_events, &key);
  solver->plant.preload (solver->plant.data, solver->preload.before);
  return find_velocities (solver, &key, v, report);
}

static HlStatus apply_events (HlHybridSolver *solver, double t, const HlHybridEvent events[], int n_events,
                              double v[], HlHybridReport *report) {
  HlHybridKey key = solver->mode->key;

  /* one more: to look at everything afresh is an event too */
  assert (n_events <= solver->net->n_slots + solver->net->tables.n_lines + 1);
  HlStatus status = hl_hybrid_solver_place (solver, t);
  if (status != HL_OK)
    return status;
  double *clean = solver->v_before;
  bool is_rough = false;
  if (find_clean (solver, events, n_events, v, clean)) {
    clean_up (solver, clean, v);
    is_rough = !find_trapped (solver, t, solver->frame.mode, events, n_events, clean);
  }
  for (int e = 0; e < n_events; e++)
    key_apply (solver, &events[e], &key);
  status = cut_flows (solver, t, events, n_events, v, report);
  if (status != HL_OK)
    return status;
  HlHybridReport cut = *report;
  status = decide_mode (solver, t, false, &key, v, report);
  if (cut.had_impact) {
    report->energy_before = cut.energy_before;
    report->energy_after = report->had_impact ? report->energy_after : cut.energy_after;
    report->had_impact = true;
  }
  report->is_trap_rough = is_rough;
  return status == HL_OK ? hl_hybrid_hold_still (solver, t, v) : status;
}

HlStatus hl_hybrid_solver_apply (HlHybridSolver *solver, double t, const HlHybridEvent events[], int n_events,
                                 double v[], HlHybridReport *report, HlFault *fault) {
  HlHybridReport own = {0};
  const HlHybridMode *before = solver->mode;

  if (report != NULL)
    own.impulse = report->impulse;
  solver->n_contradiction = 0;
  HlStatus status =
      is_circling (solver, t) ? HL_NO_CONVERGENCE : apply_events (solver, t, events, n_events, v, &own);
  own.has_changed = solver->mode != before;
  if (report != NULL)
    *report = own;
  if (status != HL_OK && fault != NULL) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
    fault->time = t;
  }
  return status;
}

/* ---- start ---- */

/* Start with everything closed and held; where a pump then has no path, its pressure rises until something
 * opens, and on until it has one. Stops are released only when nothing else opens, by an impact from the
 * velocities of the file. The impact rule for all would send most of the pump flow through the relief lines
 * instead. */

/* Opens what the oil of pumps opens first where it is trapped. */
static bool open_first (HlHybridSolver *solver, HlHybridKey *key) {
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);

  return hl_hybrid_frame_set (solver, &solver->frame, mode, true) == HL_INFEASIBLE &&
         hl_hybrid_preload_open_first (solver, key);
}

/* Computes velocities v[n_states] of a key whose open lines must not flow in the wrong direction. */
static HlStatus try_key (HlHybridSolver *solver, const HlHybridKey *key, double v[]) {
  HlHybridMode *mode = hl_hybrid_mode_cache_lookup (solver->cache, solver->net, key);
  HlStatus status = hl_hybrid_frame_set (solver, &solver->frame, mode, true);

  if (status != HL_OK)
    return status;
  hl_hybrid_reduce_project (solver->frame.red, &solver->mass, solver->frame.b, solver->v_file, v, NULL);
  double speed = hl_hybrid_velocity_norm (solver, v);
  for (int line = 0; line < solver->net->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (solver->net, line) &&
        v[line] < -SIGN_TOLERANCE * solver->scale[line] * speed)
      return HL_INFEASIBLE;
  return HL_OK;
}

static HlStatus find_start (HlHybridSolver *solver, HlHybridKey *key, double v[]) {
  HlHybridKey shut = *key;
  HlHybridReport report = {0};
  HlStatus status = try_key (solver, key, v);

  if (status != HL_INFEASIBLE)
    return status;
  /* the row that is inconsistent with everything shut names the pump that has no path: keep it for
   * the message */
  int n_first = solver->n_contradiction;
  memcpy (solver->first_contradiction, solver->contradiction, (size_t)n_first * sizeof (int));

  while (status == HL_INFEASIBLE && open_first (solver, key))
    status = try_key (solver, key, v);
  if (status == HL_INFEASIBLE) {
    *key = shut;
    memcpy (v, solver->v_file, (size_t)solver->net->n_states * sizeof (double));
    status = find_velocities (solver, key, v, &report);
    if (status == HL_OK && report.had_impact)
      *key = solver->frame.mode->key;
  }
  if (status == HL_INFEASIBLE) {
    solver->n_contradiction = n_first;
    memcpy (solver->contradiction, solver->first_contradiction, (size_t)n_first * sizeof (int));
  }
  return status;
}

/* Closes all one-way lines and holds the touched stops, unless the file's velocity leads away from them. */
static void shut_all (HlHybridSolver *solver, HlHybridKey *key) {
  HlHybridKey none = {{0}};
  double speed = hl_hybrid_velocity_norm (solver, solver->v_file);

  for (int line = 0; line < solver->net->tables.n_lines; line++)
    if (hl_hybrid_line_is_one_sided (solver->net, line) &&
        hl_hybrid_key_get_line (solver->net, key, line) == HL_HYBRID_LINE_OPEN)
      hl_hybrid_key_set_line (solver->net, key, line, HL_HYBRID_LINE_CLOSED);
  collect_contacts (solver, &none, solver->v_file, SIGN_TOLERANCE * speed);
  for (int c = 0; c < solver->n_contacts; c++)
    if (!is_line_drop (solver, solver->contacts[c].column) &&
        contact_speed (solver, c, solver->v_file) <= SIGN_TOLERANCE * solver->contacts[c].size * speed)
      hl_hybrid_key_set_column (solver->net, key, solver->contacts[c].column, true);
}

HlStatus hl_hybrid_solver_start (HlHybridSolver *solver, double t, const bool shut[], double v[],
                                 HlFault *fault) {
  HlHybridKey key = {{0}};
  HlHybridReport report = {0};

  solver->last_time = NAN;
  solver->n_contradiction = 0;
  for (int line = 0; line < solver->net->tables.n_lines; line++) {
    v[line] = 0.0;
    if (shut[line])
      hl_hybrid_key_set_line (solver->net, &key, line, HL_HYBRID_LINE_SHUT);
  }
  memcpy (solver->v_file, v, (size_t)solver->net->n_states * sizeof (double));

  HlStatus status = hl_hybrid_solver_place (solver, t);
  if (status == HL_OK) {
    shut_all (solver, &key);
    begin_edges (solver, &key);
    status = find_start (solver, &key, v);
  }
  solver->n_released = 0;
  if (status == HL_OK)
    status = decide_mode (solver, t, true, &key, v, &report);
  if (status == HL_OK)
    status = hl_hybrid_hold_still (solver, t, v);
  if (status != HL_OK)
    memcpy (v, solver->v_file, (size_t)solver->net->n_states * sizeof (double));
  if (status != HL_OK && fault != NULL) {
    hl_fault_set (fault, status, HL_ENTITY_NONE, -1, NAN);
    fault->time = t;
  }
  return status;
}
