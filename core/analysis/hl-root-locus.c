/* SPDX-License-Identifier: MIT */
/* Root locus: the same exact J at every value, eigenvalues alone on the fast path, vectors only
 * where branches are ambiguous. */
#include "core/analysis/hl-root-locus.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hl-branches.h"
#include "core/analysis/hl-jacobian-error.h"
#include "core/math/hl-eigen.h"
#include "core/analysis/hl-state-scale.h"
#include "core/system/hl-dynamics.h"
#include "core/system/hl-system-private.h"

#define PRESSURE_SCALE 1.0e6
/* Rates of the last equilibrium below this part of its force and pressure scales: the parameter
 * does not move it. */
#define STILL 1.0e-9

typedef struct
{
  HlSystem *sys;
  HlWork *work;
  HlPoint *point;
  int n;
  double *y, *y_dot, *scale, *scratch;
  double *J[2]; /* of this point and the one before: vectors are asked for these two only */
  HlEigen *eigen;
  HlLinalgWork *lw;
  int current;
  int n_null; /* fewest found so far, -1 before */
} Sweep;

static HlStatus
branch_vectors (int point, double complex right[], double complex left[], void *data)
{
  Sweep *sweep = data;
  int n = sweep->n;
  size_t room = (size_t)(n * n) + 1;
  double *a = calloc (room, sizeof *a), *vr = calloc (room, sizeof *vr),
         *vl = calloc (room, sizeof *vl);
  double *re = calloc ((size_t)n + 1, sizeof *re), *im = calloc ((size_t)n + 1, sizeof *im);
  const double *J = sweep->J[point & 1];

  for (int col = 0; col < n; col++)
    for (int row = 0; row < n; row++)
      a[col * n + row] = J[col * n + row] * sweep->scale[col] / sweep->scale[row];
  HlStatus status = hl_eigenvectors (n, a, re, im, vr, vl, sweep->lw);
  for (int k = 0; status == HL_OK && k < n; k++)
    for (int row = 0; row < n; row++) {
      bool first = im[k] > 0.0, second = im[k] < 0.0;
      int base = second ? k - 1 : k;
      double sign = second ? -1.0 : 1.0;
      right[k * n + row] =
          vr[base * n + row] + (first || second ? I * sign * vr[(base + 1) * n + row] : 0.0);
      left[k * n + row] =
          vl[base * n + row] + (first || second ? I * sign * vl[(base + 1) * n + row] : 0.0);
    }
  free (a);
  free (vr);
  free (vl);
  free (re);
  free (im);
  return status;
}

/* Whether everything that equilibrium.hold names has its stated value. */
static bool
keeps_held (const HlSystem *sys, const HlPoint *point)
{
  const HlTopology *top = sys->topology;

  for (int k = 0; k < top->n_hold_coordinates; k++) {
    int column = top->hold_coordinates[k];
    if (point->x[column] != sys->mech.bodies[column / 3].pose[column % 3])
      return false;
  }
  for (int node = 0; node < sys->n_nodes; node++)
    for (int k = 0; k < top->n_hold_pressures; k++)
      if (sys->nodes[node].state == top->hold_pressures[k] &&
          point->p[top->hold_pressures[k]] != sys->lines[sys->nodes[node].line].pressure)
        return false;
  for (int k = 0; k < top->n_hold_states; k++) {
    int state = top->hold_states[k];
    if (point->u[state] != sys->flows[top->flow_of_state[state]].spool)
      return false;
  }
  return true;
}

/* Whether the point is still in equilibrium with the new parameters. */
static bool
is_still (Sweep *sweep)
{
  const HlWork *work = sweep->work;

  if (!keeps_held (sweep->sys, sweep->point))
    return false;

  if (hl_dynamics_eval (sweep->sys, 0.0, sweep->y, sweep->y_dot, sweep->work, NULL) != HL_OK)
    return false;
  for (int k = hl_off_v (work); k < sweep->n; k++) {
    double unit = k >= hl_off_p (work) && k < hl_off_u (work) ? PRESSURE_SCALE : 1.0;
    if (!(fabs (sweep->y_dot[k]) <= STILL * unit))
      return false;
  }
  return true;
}

static HlStatus
equilibrium_at (Sweep *sweep, HlStart start, bool first, HlFault *fault)
{
  bool balanced =
      start == HL_START_EQUILIBRIUM || (start == HL_START_FROM_MODEL && sweep->sys->start == 0);

  if (!first && balanced && is_still (sweep))
    return HL_OK;
  HlStatus status =
      hl_start_point (sweep->sys, sweep->work, start, first || !balanced ? NULL : sweep->point,
                      sweep->point, NULL, fault);
  if (status == HL_OK)
    hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  return status;
}

static bool
sweep_init (Sweep *sweep, const HlSystem *sys, const HlLocusOptions *options, HlFault *fault)
{
  *sweep = (Sweep){.sys = hl_system_copy (sys)};
  sweep->work = hl_work_new (sweep->sys);
  sweep->point = hl_point_new (sweep->sys);
  for (int k = 0; k < options->n_parameters && options->n_values > 0; k++)
    hl_system_set_parameter (sweep->sys, options->parameters[k],
                             options->values[0] *
                                 (options->factors != NULL ? options->factors[k] : 1.0));
  HlStatus status =
      hl_start_point (sweep->sys, sweep->work, options->start, NULL, sweep->point, NULL, fault);
  if (status != HL_OK)
    return false;
  size_t n = (size_t)(sweep->n = sweep->work->n_states);
  sweep->y = calloc (n + 1, sizeof (double));
  sweep->y_dot = calloc (n + 1, sizeof (double));
  sweep->scale = calloc (n + 1, sizeof (double));
  sweep->scratch = calloc (n * n + 1, sizeof (double));
  sweep->J[0] = calloc (n * n + 1, sizeof (double));
  sweep->J[1] = calloc (n * n + 1, sizeof (double));
  sweep->eigen = hl_eigen_new (sweep->n);
  sweep->lw = hl_linalg_work_new (sweep->n, sweep->n);
  hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  hl_state_scales (sweep->sys, sweep->work, sweep->scale);
  hl_jacobian_row_error (sweep->sys, sweep->work, 0.0, sweep->y, sweep->scale, sweep->y_dot);
  hl_eigen_set_row_error (sweep->eigen, sweep->n, sweep->y_dot);
  sweep->n_null = -1;
  return true;
}

static void
sweep_clear (Sweep *sweep)
{
  void *parts[] = {sweep->y, sweep->y_dot, sweep->scale, sweep->scratch, sweep->J[0], sweep->J[1]};

  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    free (parts[k]);
  hl_eigen_free (sweep->eigen);
  hl_linalg_work_free (sweep->lw);
  hl_point_free (sweep->point);
  hl_work_free (sweep->work);
  hl_system_unref (sweep->sys);
}

/* The null eigenvalues of J by rank, at five places of the sweep; the fewest of them are null all
 * along it. Elsewhere a branch may touch zero without being null. */
static void
count_null (Sweep *sweep, const double J[], int row, int n_rows)
{
  bool is_last = row == n_rows - 1;

  if (!is_last && row % (n_rows / 4 > 0 ? n_rows / 4 : 1) != 0)
    return;
  if (hl_eigen_eval (sweep->eigen, sweep->n, J, sweep->scale, 0.0, HL_EIGEN_NULL) != HL_OK)
    return;
  if (sweep->n_null < 0 || sweep->eigen->n_null < sweep->n_null)
    sweep->n_null = sweep->eigen->n_null;
}

/* Marks the branches that are null all along: those that stay nearest to zero. */
static void
mark_null (Sweep *sweep, HlLocus *locus)
{
  for (int count = 0; count < sweep->n_null; count++) {
    int best = -1;
    double smallest = INFINITY;
    for (int k = 0; k < locus->n_states; k++) {
      double largest = 0.0;
      if (locus->null[k])
        continue;
      for (int row = 0; row < locus->n_values; row++)
        largest = fmax (largest, hypot (locus->re[row * locus->n_states + k],
                                        locus->im[row * locus->n_states + k]));
      if (largest < smallest) {
        smallest = largest;
        best = k;
      }
    }
    if (best >= 0)
      locus->null[best] = true;
  }
  for (int k = 0; k < locus->n_states; k++)
    for (int row = 0; locus->null[k] && row < locus->n_values; row++)
      locus->re[row * locus->n_states + k] = locus->im[row * locus->n_states + k] = 0.0;
}

HlLocus *
hl_root_locus (const HlSystem *sys, const HlLocusOptions *options, HlFault *fault)
{
  Sweep sweep;

  if (!sweep_init (&sweep, sys, options, fault)) {
    sweep_clear (&sweep);
    return NULL;
  }
  int n = sweep.n;
  size_t cells = (size_t)options->n_values * (size_t)n + 1;
  HlLocus *locus = calloc (1, sizeof *locus);
  locus->n_states = n;
  locus->values = calloc ((size_t)options->n_values + 1, sizeof (double));
  locus->re = calloc (cells, sizeof (double));
  locus->im = calloc (cells, sizeof (double));
  locus->null = calloc ((size_t)n + 1, sizeof (bool));
  double *re = calloc ((size_t)n + 1, sizeof *re), *im = calloc ((size_t)n + 1, sizeof *im);
  HlBranches *branches = hl_branches_new (n, branch_vectors, &sweep);

  for (int row = 0; row < options->n_values; row++) {
    if (options->cancel != NULL && options->cancel (options->cancel_data))
      break;
    for (int k = 0; k < options->n_parameters; k++)
      hl_system_set_parameter (sweep.sys, options->parameters[k],
                               options->values[row] *
                                   (options->factors != NULL ? options->factors[k] : 1.0));
    double *J = sweep.J[row & 1];
    if (equilibrium_at (&sweep, options->start, row == 0, fault) != HL_OK ||
        hl_jacobian_eval (sweep.sys, 0.0, sweep.y, J, sweep.work, fault) != HL_OK ||
        hl_eigen_values_only (n, J, sweep.scale, sweep.scratch, re, im, sweep.lw) != HL_OK)
      break;
    hl_branches_add (branches, options->values[row], re, im, locus->re + row * n,
                     locus->im + row * n, NULL);
    locus->values[row] = options->values[row];
    locus->n_values = row + 1;
    count_null (&sweep, J, row, options->n_values);
  }
  mark_null (&sweep, locus);
  hl_branches_free (branches);
  free (re);
  free (im);
  sweep_clear (&sweep);
  return locus;
}

void
hl_locus_free (HlLocus *locus)
{
  if (locus == NULL)
    return;
  free (locus->values);
  free (locus->re);
  free (locus->im);
  free (locus->null);
  free (locus);
}

void
hl_sweep_values (double a, double b, int n, bool logarithmic, double out[])
{
  for (int k = 0; k < n; k++) {
    double share = n > 1 ? (double)k / (n - 1) : 0.0;
    out[k] = k == n - 1 && n > 1 ? b : logarithmic ? a * pow (b / a, share) : a + (b - a) * share;
  }
}
