/* SPDX-License-Identifier: MIT */
/* The pressures of the network (theory/quasistatic.md (39)-(43)). Without pilots F = -grad Psi with
 * Psi convex, and a Newton step d = M^-1 F, M >= 0, leads downhill:
 *
 *   h(t) = dPsi/dt = -F (p + t d) . d      never falls in t,  h(0) < 0
 *
 * so a step is taken whole where h(1) <= 0, and else up to a t with h(t) <= 0, found between the two
 * signs. Psi falls in every step, and the run ends when rounding alone is left of F. Near the end a
 * whole step with h(1) > 0 is taken as well where it halves the smallest |F| so far, which can happen
 * only so often. Lines whose pressure would fall below p_c are held there while oil is missing.
 *
 * With pilots M is not symmetric. A step is then taken as far as |F| falls, and where it does not, the
 * oil is given a compliance, as in the lumped model, and followed to its rest (43). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/math/hl-linalg.h"
#include "core/quasistatic/hl-quasi-net-private.h"
#include "core/system/hl-dynamics.h"

#define NO_BOUND 1.0e10   /* a pressure above it has no bound [Pa] */
#define DOWNHILL 0.5      /* of h(0): what may be left of it */
#define LEAST_PART 1.0e-9 /* of a step */
#define ROUNDING 4.0      /* times epsilon */
/* Less than this flows through valves that fall shut by the exponential function for ever; pressures behind them
 * would be looked for among differences that no step resolves [m3/s]. */
#define NO_FLOW 1.0e-26
#define GOOD_ENOUGH 1.0e4 /* times that, where no step leads further down */
#define PATIENCE 500      /* steps with pilots in which the imbalance has to halve */
#define LONGER 0.7        /* than the step before, where the imbalance does not change */
#define FAR 1.0e6         /* a step from which on rounding counts [Pa] */
#define CORRECTION 1.0e-3 /* of that: what rounding can have made of it */
#define SHORTER 4.0       /* times the compliance, where a step leads the wrong way */
#define MOST_SHORTER 60
#define FUSE 5000 /* steps that no proof allows */

/* ---- progress ---- */

/* Largest imbalance in parts of what rounding of flows and pressures makes of it: below 1 there is
 * nothing left. */
static double imbalance (const HlQuasiNet *net) {
  double most = 0.0;

  for (int i = 0; i < net->n; i++) {
    double size = net->size[i];
    if (net->is_pocket[i] || net->excess[i] == 0.0)
      continue;
    for (int j = 0; j < net->n; j++)
      size += fabs (net->matrix[j * net->n + i]) * net->x[j];
    most = fmax (most, fabs (net->excess[i]) / fmax (ROUNDING * DBL_EPSILON * size, NO_FLOW));
  }
  return most;
}

/* Nothing more can be gained: rounding has the last word, or there is no solution. */
static HlStatus finish (const HlQuasiNet *net) {
  return imbalance (net) <= GOOD_ENOUGH ? HL_OK : HL_NO_CONVERGENCE;
}

static double norm (const HlQuasiNet *net) {
  double sum = 0.0;

  for (int i = 0; i < net->n; i++)
    sum += net->is_pocket[i] ? 0.0 : net->excess[i] * net->excess[i];
  return sqrt (sum);
}

/* h at the present pressures. */
static double slope (const HlQuasiNet *net) {
  double sum = 0.0;

  for (int i = 0; i < net->n; i++)
    sum -= net->is_pocket[i] ? 0.0 : net->excess[i] * net->d[i];
  return sum;
}

static void go (HlQuasiNet *net, double part) {
  for (int i = 0; i < net->n; i++)
    net->x[i] = fmax (net->start[i] + part * net->d[i], net->lowest);
  hl_quasi_net_eval (net);
}

/* ---- one step ---- */

/* Lines at p_c from which oil is missing. */
static void find_pockets (HlQuasiNet *net) {
  for (int i = 0; i < net->n; i++)
    net->is_pocket[i] = net->x[i] <= net->lowest && net->excess[i] < 0.0;
}

/* d, with further lines held at p_c that it would lead below. */
static HlStatus direct (HlQuasiNet *net, double more) {
  bool again = true;
  HlStatus status = HL_OK;

  while (again && status == HL_OK) {
    again = false;
    status = hl_quasi_net_factor (net, more);
    if (status != HL_OK)
      break;
    for (int i = 0; i < net->n; i++)
      net->d[i] = net->is_pocket[i] ? 0.0 : net->excess[i];
    hl_lu_solve (net->n, net->lu, net->pivots, 1, net->d);
    for (int i = 0; i < net->n; i++)
      if (!net->is_pocket[i] && net->x[i] <= net->lowest && net->d[i] < 0.0)
        net->is_pocket[i] = again = true;
  }
  return status;
}

/* A pressure that nothing holds back takes a long way, and what rounding makes of the differences
 * along it would drive more oil through open valves than there is: (M + hold) d = part F once more. */
static void refine (HlQuasiNet *net, double part, double more) {
  for (int i = 0; i < net->n; i++) {
    double left = part * net->excess[i] - hl_quasi_net_hold (net, i, more) * net->d[i];
    for (int j = 0; j < net->n; j++)
      left -= net->is_pocket[j] ? 0.0 : net->matrix[j * net->n + i] * net->d[j];
    net->column[i] = net->is_pocket[i] ? 0.0 : left;
  }
  hl_lu_solve (net->n, net->lu, net->pivots, 1, net->column);
  for (int i = 0; i < net->n; i++)
    if (net->x[i] + net->d[i] + net->column[i] >= net->lowest && fabs (net->column[i]) <= CORRECTION * FAR)
      net->d[i] += net->column[i];
}

/* Not further than the widest step, nor through p_c. Returns the largest change. */
static double shorten (HlQuasiNet *net, double more) {
  double most = 0.0, part = 1.0, widest = hl_quasi_net_widest (net);

  for (int i = 0; i < net->n; i++)
    most = fmax (most, fabs (net->d[i]));
  if (most > widest)
    part = widest / most;
  for (int i = 0; i < net->n; i++)
    if (net->x[i] + part * net->d[i] < net->lowest)
      part = fmin (part, (net->lowest - net->x[i]) / net->d[i]);
  for (int i = 0; i < net->n; i++)
    net->d[i] *= part;
  if (most > FAR)
    refine (net, part, more);
  return part * most;
}

/* Downhill on Psi. False: rounding is all that is left. */
static bool descend (HlQuasiNet *net, double *best) {
  double low = 0.0, high = 1.0, h_low = slope (net), part = 1.0, first = h_low;

  if (!(first < 0.0))
    return false;
  for (;;) {
    go (net, part);
    double h = slope (net), left = norm (net);
    if (part == 1.0 && (h <= 0.0 || left <= 0.5 * *best)) {
      *best = fmin (*best, left);
      return true;
    }
    if (h <= 0.0 && h >= DOWNHILL * first) {
      *best = fmin (*best, left);
      return true;
    }
    if (h <= 0.0) {
      low = part;
      h_low = h;
      part = 0.5 * (low + high);
    } else {
      high = part;
      part = low + (high - low) * fmin (fmax (h_low / (h_low - h), 0.1), 0.9);
    }
    if (high - low <= LEAST_PART * high) {
      go (net, low);
      return low > 0.0;
    }
  }
}

/* As far as |F| falls. False: it does not. */
static bool reduce (HlQuasiNet *net) {
  double before = norm (net);

  for (double part = 1.0; part > 1.0e-3; part *= 0.5) {
    go (net, part);
    if (norm (net) <= (1.0 - 1.0e-3 * part) * before)
      return true;
  }
  go (net, 0.0);
  return false;
}

/* ---- the whole way ---- */

static HlStatus blame (const HlQuasiNet *net, HlStatus status, int i, HlFault *fault) {
  const HlNode *node = &net->sys->nodes[net->node_of[i]];

  hl_fault_set (fault, status, HL_ENTITY_LINE, node->line, net->x[i]);
  if (fault != NULL && status == HL_BAD_MODEL) {
    fault->why = HL_TEXT ("oil is pressed into this line and has no way out: its pressure would "
                          "grow without bound");
    fault->mend = HL_TEXT ("add a relief valve from the line to the tank");
    fault->change = HL_CHANGE_RELIEVE;
    hl_blame_late_relief (net->sys, node->line, fault);
  } else if (fault != NULL && status == HL_NO_CONVERGENCE) {
    fault->why = HL_TEXT ("no pressures were found at which the valves that pilots move stand still");
    fault->mend = HL_TEXT ("give those valves a wider opening range, or use the lumped model");
  }
  return status;
}

static int furthest (const HlQuasiNet *net) {
  int most = 0;

  for (int i = 0; i < net->n; i++)
    if (fabs (net->excess[i]) > fabs (net->excess[most]))
      most = i;
  return most;
}

static int unbounded (const HlQuasiNet *net) {
  for (int i = 0; i < net->n; i++)
    if (net->x[i] > NO_BOUND)
      return i;
  return -1;
}

/* Lines behind open valves rise together with the one that is furthest. */
static bool has_no_bound (const HlQuasiNet *net, int node) {
  int i = hl_quasi_net_at (net, node);

  return i >= 0 && net->x[i] > 0.1 * NO_BOUND;
}

/* (43): steps of the lumped oil, longer and longer while the imbalance falls. */
typedef struct {
  double softness; /* compliance over time step, [m3/s/Pa]; 0: plain Newton steps so far */
  double before;   /* |F| at the step before */
} Way;

static void follow (HlQuasiNet *net, Way *way, double stiffness) {
  if (way->softness == 0.0) {
    way->softness = stiffness;
    way->before = norm (net);
    return;
  }
  go (net, 1.0);
  double now = norm (net);
  way->softness *= fmin (fmax (LONGER * now / way->before, 0.2), 2.0);
  way->before = now;
}

/* With pilots: oil that gives way goes where more comes in, and so does a step. One that leads against F is that
 * of a valve which a higher pressure shuts by its own pilot: its oil would flow back. A time short enough knows
 * the way. */
static HlStatus direct_forward (HlQuasiNet *net, Way *way, double stiffness) {
  HlStatus status = direct (net, way->softness);
  bool counts = !net->is_monotone && imbalance (net) > GOOD_ENOUGH;

  for (int k = 0; k < MOST_SHORTER && counts && status == HL_OK && slope (net) > 0.0; k++) {
    way->before = way->softness == 0.0 ? norm (net) : way->before;
    way->softness = fmax (stiffness, SHORTER * way->softness);
    status = direct (net, way->softness);
  }
  return status;
}

static HlStatus find_by (HlQuasiNet *net, bool is_forward, int *without_bound) {
  double best, halved = INFINITY;
  Way way = {0.0, 0.0};

  *without_bound = -1;
  for (int i = 0; i < net->n; i++) {
    net->x[i] = isfinite (net->x[i]) ? fmax (net->x[i], net->lowest) : net->lowest;
    net->d[i] = 0.0;
  }
  hl_quasi_net_eval (net);
  find_pockets (net);
  best = norm (net);
  for (long step = 0, since = 0; net->is_monotone ? step < FUSE : since < PATIENCE; step++) {
    find_pockets (net);
    if (imbalance (net) <= 1.0)
      return HL_OK;
    since = norm (net) <= 0.5 * halved ? 0 : since + 1;
    halved = since == 0 ? norm (net) : halved;
    double stiffness = hl_quasi_net_stiffness (net);
    HlStatus status = is_forward ? direct_forward (net, &way, stiffness) : direct (net, way.softness);
    if (status != HL_OK)
      return status;
    double change = shorten (net, way.softness);
    memcpy (net->start, net->x, (size_t)net->n * sizeof (double));
    if (net->is_monotone && !descend (net, &best))
      return finish (net);
    bool is_stuck = !net->is_monotone && way.softness == 0.0 && !reduce (net);
    if (is_stuck && imbalance (net) <= GOOD_ENOUGH)
      return HL_OK;
    if (is_stuck || way.softness > 0.0)
      follow (net, &way, stiffness);
    if (way.softness == 0.0 && change <= 0.0)
      return finish (net);
    *without_bound = unbounded (net);
    if (*without_bound >= 0)
      return HL_BAD_MODEL;
    if (!isfinite (norm (net)))
      return HL_NOT_FINITE;
  }
  return finish (net);
}

/* Where valves hunt there is no rest that oil comes to, but one that it hunts about. What is not found from the pressures of
 * the latest look may be from those of the drawing. */
static HlStatus find (HlQuasiNet *net, int *without_bound) {
  HlStatus status = HL_NO_CONVERGENCE;

  for (int begin = 0; begin < 2; begin++) {
    if (begin == 1)
      hl_quasi_net_begin (net);
    memcpy (net->origin, net->x, (size_t)net->n * sizeof (double));
    status = find_by (net, true, without_bound);
    if (status != HL_NO_CONVERGENCE || net->is_monotone)
      return status;
    memcpy (net->x, net->origin, (size_t)net->n * sizeof (double));
    status = find_by (net, false, without_bound);
    if (status != HL_NO_CONVERGENCE)
      return status;
  }
  return status;
}

/* dx/dfbar of every load line: F changes by +a_j/beta_j. */
static void find_answers (HlQuasiNet *net) {
  if (hl_quasi_net_factor (net, 0.0) != HL_OK)
    return;
  for (int k = 0; k < net->sys->n_cylinders; k++) {
    const HlQuasiPiston *piston = &net->pistons[k];
    double *column = net->answer + k * net->n;

    memset (column, 0, (size_t)net->n * sizeof (double));
    for (int side = 0; side < 2; side++) {
      int i = hl_quasi_net_at (net, piston->node[side]);
      if (i >= 0 && !net->is_pocket[i])
        column[i] += (side == 0 ? piston->area[0] : -piston->area[1]) / piston->beta;
    }
    hl_lu_solve (net->n, net->lu, net->pivots, 1, column);
  }
}

HlStatus hl_quasi_net_solve (HlQuasiNet *net, HlFault *fault) {
  int without_bound;

  for (int k = 0; k < net->sys->n_cylinders; k++)
    if (!isfinite (net->pistons[k].fbar))
      return hl_fault_set (fault, HL_NOT_FINITE, HL_ENTITY_COMPONENT, net->sys->cylinders[k].component,
                           net->pistons[k].fbar);
  HlStatus status = find (net, &without_bound);
  if (status != HL_OK)
    return net->n == 0 ? status
                       : blame (net, status, without_bound >= 0 ? without_bound : furthest (net), fault);
  find_answers (net);
  return HL_OK;
}

HlStatus hl_quasi_net_solve_given (HlQuasiNet *net, int asked, int *infinite, HlFault *fault) {
  const HlQuasiPiston *piston = &net->pistons[asked];
  int without_bound;

  memcpy (net->kept, net->x, (size_t)net->n * sizeof (double));
  HlStatus status = find (net, &without_bound);
  *infinite = 0;
  if (status == HL_BAD_MODEL) {
    bool in_head = has_no_bound (net, piston->node[0]);
    bool in_rod = has_no_bound (net, piston->node[1]);
    if (in_head != in_rod)
      *infinite = in_head ? 1 : -1;
    else /* what resists the motion */
      *infinite = piston->fbar > 0.0 ? -1 : piston->fbar < 0.0 ? 1 : 0;
    memcpy (net->x, net->kept, (size_t)net->n * sizeof (double));
    if (*infinite != 0)
      return HL_OK;
  }
  if (status != HL_OK)
    return blame (net, status, without_bound >= 0 ? without_bound : furthest (net), fault);
  hl_quasi_net_find_free (net);
  return HL_OK;
}

/* ---- slopes of the solution ---- */

static double speed_by (const HlQuasiNet *net, int piston_of, const double dx[]) {
  const HlQuasiPiston *piston = &net->pistons[piston_of];
  int a = hl_quasi_net_at (net, piston->node[0]), b = hl_quasi_net_at (net, piston->node[1]);

  return ((a >= 0 ? piston->area[0] * dx[a] : 0.0) - (b >= 0 ? piston->area[1] * dx[b] : 0.0)) / piston->beta;
}

double hl_quasi_net_dv_dfbar (const HlQuasiNet *net, int i, int j) {
  return speed_by (net, i, net->answer + j * net->n) - (i == j ? 1.0 / net->pistons[i].beta : 0.0);
}

/* Rates of states by changes of the pressures. */
static void add_rates (const HlQuasiNet *net, const double dx[], double dr[]) {
  for (int k = 0; k < net->n_laws; k++) {
    const HlComponent *c = &net->sys->components[net->laws[k]];
    int n_rows = hl_component_n_rows (c);

    for (int port = 0; port < c->klass->kind.n_ports && c->n_states > 0; port++) {
      int at = hl_quasi_net_at (net, c->node[port]);
      const double *d = net->law_d + c->first_d + port * n_rows + c->n_branches;
      for (int s = 0; s < c->n_states && at >= 0; s++)
        dr[c->first_state + s] += d[s] * dx[at];
    }
  }
}

void hl_quasi_net_rates_by_load (HlQuasiNet *net, int piston, double dr[]) {
  memset (dr, 0, (size_t)net->sys->topology->n_states_u * sizeof (double));
  add_rates (net, net->answer + piston * net->n, dr);
}

void hl_quasi_net_by_state (HlQuasiNet *net, int state, double dv[], double dr[]) {
  const HlTopology *top = net->sys->topology;
  int component = top->component_of_state[state], part = top->part_of_state[state];

  memset (dv, 0, (size_t)net->sys->n_cylinders * sizeof (double));
  memset (dr, 0, (size_t)top->n_states_u * sizeof (double));
  if (component < 0 || !net->counts[component])
    return;
  const HlComponent *c = &net->sys->components[component];
  const double *d = net->law_d + c->first_d + (c->klass->kind.n_ports + part) * hl_component_n_rows (c);
  double *dx = net->column;
  memset (dx, 0, (size_t)net->n * sizeof (double));
  for (int k = 0; k < c->n_branches; k++) {
    const HlBranch *ends = &top->branches[c->first_branch + k];
    int a = hl_quasi_net_at (net, ends->a), b = hl_quasi_net_at (net, ends->b);
    if (a >= 0 && !net->is_pocket[a])
      dx[a] -= d[k];
    if (b >= 0 && !net->is_pocket[b])
      dx[b] += d[k];
  }
  hl_lu_solve (net->n, net->lu, net->pivots, 1, dx);
  for (int k = 0; k < net->sys->n_cylinders; k++)
    dv[k] = speed_by (net, k, dx);
  for (int s = 0; s < c->n_states; s++)
    dr[c->first_state + s] += d[c->n_branches + s];
  add_rates (net, dx, dr);
}
