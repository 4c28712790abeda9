/* SPDX-License-Identifier: MIT */
/* Null eigenvalues are found by rank at the first point and wherever the caller requests it. In between the count is
 * known, and the smallest moduli are theirs as long as a gap sets them apart; without a gap (a defective cluster
 * scatters, a slow mode comes near) the rank decides again. */
#include "core/linear/hl-locus-sweep.h"

#include "core/compile/hl-compile.h"
#include "core/linear/hl-linearize.h"
#include "core/linear/hl-near-eigenvalues.h"
#include "core/math/hl-eigen-analysis.h"
#include "core/solve/hl-equilibrium.h"
#include "core/system/hl-lumped-dynamics.h"
#include "core/system/hl-state-rank-scale.h"
#include "core/system/hl-system-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two searches that end this near to each other have found one equilibrium: part, and least distance of
 * coordinates [m, rad], pressures [Pa] and other states. */
#define NEAR_PART 1.0e-6
#define NEAR_X 1.0e-9
#define NEAR_P 1.0
#define NEAR_U 1.0e-9

static bool are_near (int n, const double a[], const double b[], double least) {
  for (int k = 0; k < n; k++)
    if (!(fabs (a[k] - b[k]) <= fmax (least, NEAR_PART * fmax (fabs (a[k]), fabs (b[k])))))
      return false;
  return true;
}

/* Returns whether two searches have found one equilibrium: as far as a search finds it, or bit by bit. */
static bool point_is_same (const HlSystem *sys, const HlPoint *a, const HlPoint *b, bool exactly) {
  int n_x = hl_system_n_coordinates (sys), n_p = hl_system_n_pressures (sys),
      n_u = hl_system_n_component_states (sys);

  if (!exactly)
    return are_near (n_x, a->x, b->x, NEAR_X) && are_near (n_p, a->p, b->p, NEAR_P) &&
           are_near (n_u, a->u, b->u, NEAR_U);
  return memcmp (a->x, b->x, sizeof (double) * (size_t)n_x) == 0 &&
         memcmp (a->v, b->v, sizeof (double) * (size_t)n_x) == 0 &&
         memcmp (a->p, b->p, sizeof (double) * (size_t)n_p) == 0 &&
         memcmp (a->u, b->u, sizeof (double) * (size_t)n_u) == 0;
}

#define PRESSURE_SCALE 1.0e6
/* Rates of the last equilibrium below this part of its force and pressure scales: the parameter
 * does not move it. */
#define STILL 1.0e-9
/* Moduli of null eigenvalues and of the others are a gap apart when their ratio is below this. */
#define GAP 1.0e-4

struct HlLocusSweep {
  HlArena arena;  /* of itself and its arrays */
  HlSystem *sys;  /* a copy whose parameters are changed, or compiled anew at every value */
  HlWork *work;   /* of that system */
  HlPoint *point; /* the last equilibrium: the next search begins there */
  HlPoint *own;   /* the first one */
  HlLocusOptions options;
  bool has_point;           /* some equilibrium has been found */
  bool is_reshaped;         /* the system is new since then */
  bool is_elsewhere;        /* the point is another one than the last that was found */
  HlReshapeColumns columns; /* of the first point */
  int n;                    /* states */
  /* n: state, rates, natural sizes; n x n: scaled J; n: eigenvalues */
  double *y, *y_dot, *scale, *scratch, *re, *im;
  double *right, *left; /* n x n, of the vectors, as LAPACK packs them */
  bool *is_null;        /* n */
  HlEigen *eigen;       /* for vectors and null structure, when requested */
  HlLinalgWork *lw;
  int n_null;              /* fewest found so far, -1 before */
  int n_here;              /* of re and im: of the point that is sorted */
  int n_near;              /* of so many eigenvalues, 0: of all */
  double place;            /* that they are near to */
  HlNearEigenvalues *near; /* or NULL: not yet needed */
  double largest;          /* of the last point of all eigenvalues */
};

static HlStatus reshape (HlLocusSweep *sweep, double value, HlFault *fault) {
  const HlLocusOptions *options = &sweep->options;
  HlDocument *document = hl_reshape_document (options->document, options->paths, options->factors, value);
  HlSystem *sys = document != NULL ? hl_reshape_system (document, sweep->sys, fault) : NULL;

  if (document != NULL)
    hl_document_unref (document);
  if (sys == NULL)
    return hl_fault_set (fault, HL_BAD_MODEL, HL_ENTITY_NONE, -1, 0.0);
  hl_work_free (sweep->work);
  hl_system_unref (sweep->sys);
  sweep->sys = sys;
  sweep->work = hl_work_new (sys);
  sweep->is_reshaped = true;
  return HL_OK;
}

static HlStatus set_parameters (HlLocusSweep *sweep, double value, HlFault *fault) {
  const HlLocusOptions *options = &sweep->options;

  if (options->document != NULL)
    return reshape (sweep, value, fault);
  for (int k = 0; k < options->n_parameters; k++)
    hl_system_set_parameter (sweep->sys, options->parameters[k],
                             value * (options->factors != NULL ? options->factors[k] : 1.0));
  return hl_system_check_numbers (sweep->sys, fault);
}

/* Arrays and tools of a sweep whose system, work and size are known. */
static void allocate_sweep (HlLocusSweep *sweep) {
  HlArena *arena = &sweep->arena;
  int n = sweep->n;

  sweep->y = hl_arena_take (arena, n, sizeof (double));
  sweep->y_dot = hl_arena_take (arena, n, sizeof (double));
  sweep->scale = hl_arena_take (arena, n, sizeof (double));
  sweep->re = hl_arena_take (arena, n, sizeof (double));
  sweep->im = hl_arena_take (arena, n, sizeof (double));
  sweep->is_null = hl_arena_take (arena, n, sizeof (bool));
  sweep->scratch = hl_arena_take (arena, n, (size_t)n * sizeof (double));
  sweep->lw = hl_linalg_work_new (n, n);
  sweep->n_null = -1;
}

HlLocusSweep *hl_locus_sweep_new (const HlSystem *sys, const HlLocusOptions *options, HlFault *fault) {
  HlArena own = {0};
  HlLocusSweep *sweep = hl_arena_take (&own, 1, sizeof *sweep);
  HlArena *arena = &sweep->arena;
  HlStatus status = HL_BAD_MODEL;

  *arena = own;
  sweep->options = *options;
  sweep->sys = hl_system_copy (sys);
  sweep->work = hl_work_new (sweep->sys);
  sweep->point = hl_point_new (sweep->sys);
  /* an end of the range may be impossible: a mass of 0, say */
  for (int row = 0; row < options->n_values && status != HL_OK; row++) {
    if (row > 0 && !options->skips)
      break;
    HlFault *told = row == 0 ? fault : NULL;
    status = set_parameters (sweep, options->values[row], told);
    if (status == HL_OK)
      status = hl_start_point (sweep->sys, sweep->work, options->start, NULL, sweep->point, NULL, told);
  }
  if (status != HL_OK) {
    hl_locus_sweep_free (sweep);
    return NULL;
  }
  sweep->n = sweep->work->n_states;
  sweep->has_point = true;
  sweep->is_reshaped = false;
  sweep->columns = hl_reshape_note_columns (sweep->work, arena);
  sweep->own = hl_point_new (sweep->sys);
  hl_point_copy (sweep->sys, sweep->own, sweep->point);
  allocate_sweep (sweep);
  sweep->eigen = hl_eigen_new (sweep->n);
  hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  hl_state_scales (sweep->sys, sweep->work, sweep->scale);
  hl_jacobian_row_error (sweep->sys, sweep->work, 0.0, sweep->y, sweep->scale, sweep->y_dot);
  hl_eigen_set_row_error (sweep->eigen, sweep->n, sweep->y_dot);
  return sweep;
}

HlLocusSweep *hl_locus_sweep_copy (const HlLocusSweep *sweep) {
  HlArena own = {0};
  HlLocusSweep *copy = hl_arena_take (&own, 1, sizeof *copy);

  copy->arena = own;
  copy->options = sweep->options;
  copy->sys = hl_system_copy (sweep->sys);
  copy->work = hl_work_new (copy->sys);
  copy->point = hl_point_new (copy->sys);
  copy->own = hl_point_new (copy->sys);
  hl_point_copy (copy->sys, copy->own, sweep->own);
  copy->n = sweep->n;
  copy->n_near = sweep->n_near;
  copy->place = sweep->place;
  copy->columns.n = sweep->columns.n;
  copy->columns.columns =
      hl_arena_copy (&copy->arena, sweep->columns.columns, sweep->columns.n, sizeof (int));
  allocate_sweep (copy);
  copy->n_null = sweep->n_null;
  memcpy (copy->scale, sweep->scale, sizeof (double) * (size_t)sweep->n);
  hl_locus_sweep_rewind (copy);
  return copy;
}

void hl_locus_sweep_free (HlLocusSweep *sweep) {
  if (sweep == NULL)
    return;
  if (sweep->eigen != NULL)
    hl_eigen_free (sweep->eigen);
  if (sweep->lw != NULL)
    hl_linalg_work_free (sweep->lw);
  hl_near_eigenvalues_free (sweep->near);
  hl_point_free (sweep->point);
  hl_point_free (sweep->own);
  hl_work_free (sweep->work);
  hl_system_unref (sweep->sys);
  HlArena arena = sweep->arena;
  hl_arena_clear (&arena);
}

int hl_locus_sweep_n_states (const HlLocusSweep *sweep) {
  return sweep->n;
}

int hl_locus_sweep_n_null (const HlLocusSweep *sweep) {
  return sweep->n_null > 0 ? sweep->n_null : 0;
}

HlLocusPoint *hl_locus_point_new (const HlLocusSweep *sweep) {
  HlArena own = {0};
  HlLocusPoint *point = hl_arena_take (&own, 1, sizeof *point);
  HlArena *arena = &point->arena;
  int n = sweep->n;

  *arena = own;
  point->at = hl_point_new (sweep->sys);
  point->J = hl_arena_take (arena, n, (size_t)n * sizeof (double));
  point->all_re = hl_arena_take (arena, n, sizeof (double));
  point->all_im = hl_arena_take (arena, n, sizeof (double));
  point->re = hl_arena_take (arena, n, sizeof (double));
  point->im = hl_arena_take (arena, n, sizeof (double));
  return point;
}

void hl_locus_point_free (HlLocusPoint *point) {
  if (point == NULL)
    return;
  hl_point_free (point->at);
  HlArena arena = point->arena;
  hl_arena_clear (&arena);
}

/* ---- equilibrium ---- */

/* Returns whether everything that equilibrium.hold names has its stated value. */
static bool keeps_held (const HlSystem *sys, const HlPoint *point) {
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
    if (!hl_state_rests (sys, state) && point->u[state] != hl_state_start (sys, state))
      return false;
  }
  return true;
}

/* Returns whether the point is still in equilibrium with the new parameters. */
static bool is_still (HlLocusSweep *sweep) {
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

bool hl_locus_sweep_continues (const HlLocusSweep *sweep) {
  HlStart start = sweep->options.start;

  return start == HL_START_EQUILIBRIUM || (start == HL_START_FROM_MODEL && sweep->sys->start == 0);
}

/* Finds the equilibrium of the present value into sweep->point, from there, or as the model states it when
 * NULL. */
static HlStatus search_from (HlLocusSweep *sweep, const HlPoint *from, HlFault *fault) {
  HlStatus status =
      hl_start_point (sweep->sys, sweep->work, sweep->options.start, from, sweep->point, NULL, fault);

  if (status == HL_OK && sweep->is_reshaped)
    status = hl_reshape_keep_columns (sweep->sys, sweep->work, sweep->point, &sweep->columns, fault);
  if (status == HL_OK && sweep->work->n_states != sweep->n)
    status = hl_fault_set (fault, HL_SINGULAR, HL_ENTITY_NONE, -1, 0.0);
  if (status == HL_OK)
    hl_state_pack (sweep->sys, sweep->work, sweep->point, sweep->y);
  return status;
}

/* Returns whether nothing determines some state at the point (trapped oil, a vehicle's place): there are null
 * eigenvalues. */
static bool is_undetermined (HlLocusSweep *sweep) {
  int n = sweep->n;
  HlEigen *eigen = hl_eigen_new (n);
  double *J = calloc ((size_t)n * (size_t)n + 1, sizeof *J);

  hl_jacobian_row_error (sweep->sys, sweep->work, 0.0, sweep->y, sweep->scale, sweep->y_dot);
  hl_eigen_set_row_error (eigen, n, sweep->y_dot);
  bool is = hl_jacobian_eval (sweep->sys, 0.0, sweep->y, J, sweep->work, NULL) == HL_OK &&
            hl_eigen_eval (eigen, n, J, sweep->scale, 0.0, HL_EIGEN_NULL) == HL_OK && eigen->n_null > 0;
  free (J);
  hl_eigen_free (eigen);
  return is;
}

/* Finds the equilibrium of a model with this value, unless the one before leads to another: if there are
 * several determined ones, the sweep continues on its branch. An undetermined equilibrium is as the model
 * states it, not as the value before left it. */
static HlStatus continue_or_begin (HlLocusSweep *sweep, HlFault *fault) {
  HlPoint *before = hl_point_new (sweep->sys), *next = hl_point_new (sweep->sys);

  hl_point_copy (sweep->sys, before, sweep->point);
  bool continues = search_from (sweep, before, NULL) == HL_OK;
  hl_point_copy (sweep->sys, next, sweep->point);
  HlStatus status = search_from (sweep, NULL, continues ? NULL : fault);
  if (continues && (status != HL_OK ||
                    (!point_is_same (sweep->sys, next, sweep->point, false) && !is_undetermined (sweep))))
    status = search_from (sweep, before, fault);
  hl_point_free (before);
  hl_point_free (next);
  return status;
}

static HlStatus find_equilibrium (HlLocusSweep *sweep, HlFault *fault) {
  bool continues = sweep->has_point && hl_locus_sweep_continues (sweep);

  if (continues && !sweep->is_reshaped && !sweep->is_elsewhere && is_still (sweep))
    return HL_OK;
  HlStatus status = continues ? continue_or_begin (sweep, fault) : search_from (sweep, NULL, fault);
  sweep->has_point = status == HL_OK;
  sweep->is_reshaped = status != HL_OK && sweep->is_reshaped;
  sweep->is_elsewhere = false;
  return status;
}

void hl_locus_sweep_rewind (HlLocusSweep *sweep) {
  hl_point_copy (sweep->sys, sweep->point, sweep->own);
  sweep->has_point = true;
  /* where Newton's method begins for the dependent coordinates, and which they are, stands in the work */
  hl_work_free (sweep->work);
  sweep->work = hl_work_new (sweep->sys);
  hl_work_enter_segment (sweep->sys, sweep->work, 0.0);
  sweep->is_elsewhere = hl_partition_choose (sweep->sys, sweep->work, sweep->own->x, HL_PARTITION_PREFERRED,
                                             NULL, 0, NULL) != HL_OK ||
                        sweep->work->n_states != sweep->n;
  if (!sweep->is_elsewhere)
    hl_state_pack (sweep->sys, sweep->work, sweep->own, sweep->y);
}

bool hl_locus_sweep_agree (const HlLocusSweep *sweep, const HlLocusPoint *a, const HlLocusPoint *b) {
  return point_is_same (sweep->sys, a->at, b->at, false);
}

void hl_locus_sweep_continue (HlLocusSweep *sweep, const HlLocusPoint *point) {
  bool had_point = sweep->has_point;

  sweep->has_point = point != NULL;
  if (point == NULL || (had_point && point_is_same (sweep->sys, sweep->point, point->at, true)))
    return;
  hl_point_copy (sweep->sys, sweep->point, point->at);
  sweep->is_elsewhere = true;
}

/* ---- null eigenvalues ---- */

/* Marks the n_null smallest moduli; whether a gap sets them apart. */
static bool mark_smallest (HlLocusSweep *sweep, int n_null) {
  double last = 0.0, next = INFINITY;

  memset (sweep->is_null, 0, sizeof (bool) * (size_t)sweep->n);
  for (int count = 0; count <= n_null; count++) {
    double smallest = INFINITY;
    int best = -1;
    for (int k = 0; k < sweep->n_here; k++)
      if (!sweep->is_null[k] && hypot (sweep->re[k], sweep->im[k]) < smallest) {
        smallest = hypot (sweep->re[k], sweep->im[k]);
        best = k;
      }
    if (count == n_null)
      next = smallest;
    else if (best >= 0) {
      sweep->is_null[best] = true;
      last = smallest;
    }
  }
  return last <= GAP * next;
}

/* Counts eigenvalues and null ones by rank. */
static HlStatus count_by_rank (HlLocusSweep *sweep, const double J[], bool *fewer) {
  const HlEigen *eigen = sweep->eigen;
  HlStatus status = hl_eigen_eval (sweep->eigen, sweep->n, J, sweep->scale, 0.0, HL_EIGEN_NULL);

  if (status != HL_OK)
    return status;
  if (sweep->n_null < 0)
    sweep->n_null = eigen->n_null;
  else if (eigen->n_null < sweep->n_null) {
    sweep->n_null = eigen->n_null;
    *fewer = true;
  }
  for (int k = 0; k < sweep->n; k++) {
    sweep->re[k] = creal (eigen->value[k]);
    sweep->im[k] = cimag (eigen->value[k]);
  }
  mark_smallest (sweep, sweep->n_null);
  return HL_OK;
}

/* Hands over what is not null, conjugates side by side. */
static void gather_eigenvalues (HlLocusSweep *sweep, HlLocusPoint *point) {
  bool *used = sweep->is_null;
  int count = 0;

  point->largest = 0.0;
  for (int k = 0; k < sweep->n_here; k++)
    point->largest = fmax (point->largest, hypot (sweep->re[k], sweep->im[k]));
  if (sweep->n_here == sweep->n)
    sweep->largest = point->largest;
  point->largest = fmax (point->largest, sweep->largest);
  for (int k = 0; k < sweep->n_here; k++) {
    if (used[k])
      continue;
    int mate = -1;
    double nearest = INFINITY;
    used[k] = true;
    for (int other = 0; other < sweep->n_here && sweep->im[k] != 0.0; other++) {
      double apart = hypot (sweep->re[other] - sweep->re[k], sweep->im[other] + sweep->im[k]);
      if (!used[other] && sweep->im[other] * sweep->im[k] < 0.0 && apart < nearest) {
        nearest = apart;
        mate = other;
      }
    }
    point->re[count] = sweep->re[k];
    /* one whose conjugate was counted among the null ones is real but for rounding */
    point->im[count++] = mate >= 0 ? fabs (sweep->im[k]) : 0.0;
    if (mate >= 0) {
      used[mate] = true;
      point->re[count] = sweep->re[k];
      point->im[count] = -point->im[count - 1];
      count++;
    }
  }
  point->n_others = count;
}

HlStatus hl_locus_sweep_balance (HlLocusSweep *sweep, double value, HlLocusPoint *point, HlFault *fault) {
  HlStatus status = set_parameters (sweep, value, fault);

  point->value = value;
  if (status == HL_OK)
    status = find_equilibrium (sweep, fault);
  if (status == HL_OK)
    hl_point_copy (sweep->sys, point->at, sweep->point);
  return status;
}

void hl_locus_sweep_set_near (HlLocusSweep *sweep, int count, double place) {
  sweep->n_near = count;
  sweep->place = place;
}

HlStatus hl_locus_sweep_complete (HlLocusSweep *sweep, HlLocusPoint *point) {
  point->n_found = sweep->n;
  point->reach = INFINITY;
  return hl_eigen_values_only (sweep->n, point->J, sweep->scale, sweep->scratch, point->all_re, point->all_im,
                               sweep->lw);
}

/* Finds the eigenvalues near the place, into re and im; all that are nearer than *reach are among them. */
static HlStatus find_near (HlLocusSweep *sweep, const double J[], double re[], double im[], int *n,
                           double *reach) {
  if (sweep->near == NULL)
    sweep->near = hl_near_eigenvalues_new (sweep->n, sweep->scale);
  HlStatus status = hl_near_eigenvalues_eval (sweep->near, J, sweep->place, sweep->n_near, re, im, n);
  *reach = 0.0;
  for (int k = 0; k < *n; k++)
    *reach = fmax (*reach, hypot (re[k] - sweep->place, im[k]));
  return status;
}

/* Compares the eigenvalues near the place found by both methods. */
static void compare_ways (HlLocusSweep *sweep, HlLocusPoint *point) {
  double reach;
  int n;

  if (find_near (sweep, point->J, sweep->re, sweep->im, &n, &reach) == HL_OK)
    point->disagrees =
        !hl_near_eigenvalues_agree (sweep->place, reach, sweep->n_null > 0 ? sweep->n_null : 0, n, sweep->re,
                                    sweep->im, sweep->n, point->all_re, point->all_im);
}

HlStatus hl_locus_sweep_find (HlLocusSweep *sweep, double value, bool all, HlLocusPoint *point,
                              HlFault *fault) {
  HlStatus status = hl_locus_sweep_balance (sweep, value, point, fault);

  if (status == HL_OK)
    status = hl_jacobian_eval (sweep->sys, 0.0, sweep->y, point->J, sweep->work, fault);
  for (int k = 0; k < sweep->n * sweep->n && status == HL_OK; k++)
    if (!isfinite (point->J[k]))
      status = hl_fault_set (fault, HL_NOT_FINITE, HL_ENTITY_NONE, -1, 0.0);
  point->disagrees = false;
  if (status == HL_OK && sweep->n_near > 0 && !all &&
      find_near (sweep, point->J, point->all_re, point->all_im, &point->n_found, &point->reach) == HL_OK)
    return HL_OK;
  if (status == HL_OK)
    status = hl_locus_sweep_complete (sweep, point);
  if (status == HL_OK && sweep->n_near > 0 && all)
    compare_ways (sweep, point);
  return status;
}

static void load_point (HlLocusSweep *sweep, const HlLocusPoint *point) {
  sweep->n_here = point->n_found;
  memcpy (sweep->re, point->all_re, sizeof (double) * (size_t)point->n_found);
  memcpy (sweep->im, point->all_im, sizeof (double) * (size_t)point->n_found);
}

HlStatus hl_locus_sweep_sort (HlLocusSweep *sweep, bool by_rank, HlLocusPoint *point, bool *fewer) {
  HlStatus status = HL_OK;

  load_point (sweep, point);
  if (point->n_found < sweep->n && sweep->n_null > 0 && !mark_smallest (sweep, sweep->n_null)) {
    status = hl_locus_sweep_complete (sweep, point);
    if (status != HL_OK)
      return status;
    load_point (sweep, point);
  }
  if (point->n_found < sweep->n)
    mark_smallest (sweep, sweep->n_null);
  else if ((by_rank || sweep->n_null < 0 || !mark_smallest (sweep, sweep->n_null)))
    status = count_by_rank (sweep, point->J, fewer);
  if (status == HL_OK)
    gather_eigenvalues (sweep, point);
  return status;
}

HlStatus hl_locus_sweep_eval (HlLocusSweep *sweep, double value, bool by_rank, HlLocusPoint *point,
                              bool *fewer, HlFault *fault) {
  HlStatus status = hl_locus_sweep_find (sweep, value, by_rank, point, fault);

  return status == HL_OK ? hl_locus_sweep_sort (sweep, by_rank, point, fewer) : status;
}

/* ---- vectors ---- */

/* Unpacks the column of LAPACK's packed vectors of eigenvalue k. */
static void unpack (const HlLocusSweep *sweep, const double packed[], int k, double complex out[]) {
  int n = sweep->n, base = sweep->im[k] < 0.0 ? k - 1 : k;
  double sign = sweep->im[k] < 0.0 ? -1.0 : sweep->im[k] > 0.0 ? 1.0 : 0.0;

  for (int row = 0; row < n; row++)
    out[row] = packed[base * n + row] + (sign != 0.0 ? I * sign * packed[(base + 1) * n + row] : 0.0);
}

HlStatus hl_locus_sweep_vectors (HlLocusSweep *sweep, const HlLocusPoint *point, int n_followed,
                                 double complex right[], double complex left[]) {
  int n = sweep->n;

  if (sweep->right == NULL) {
    sweep->right = hl_arena_take (&sweep->arena, n, (size_t)n * sizeof (double));
    sweep->left = hl_arena_take (&sweep->arena, n, (size_t)n * sizeof (double));
  }
  for (int col = 0; col < n; col++)
    for (int row = 0; row < n; row++)
      sweep->scratch[col * n + row] = point->J[col * n + row] * sweep->scale[col] / sweep->scale[row];
  HlStatus status =
      hl_eigenvectors (n, sweep->scratch, sweep->re, sweep->im, sweep->right, sweep->left, sweep->lw);
  memset (sweep->is_null, 0, sizeof (bool) * (size_t)n);
  for (int k = 0; k < n_followed && status == HL_OK; k++) {
    double nearest = INFINITY;
    int best = 0;
    for (int other = 0; other < n; other++) {
      double apart = hypot (sweep->re[other] - point->re[k], sweep->im[other] - point->im[k]);
      if (!sweep->is_null[other] && apart < nearest) {
        nearest = apart;
        best = other;
      }
    }
    sweep->is_null[best] = true; /* taken */
    unpack (sweep, sweep->right, best, right + k * n);
    unpack (sweep, sweep->left, best, left + k * n);
  }
  return status;
}
