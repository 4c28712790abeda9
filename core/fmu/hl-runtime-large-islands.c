/* SPDX-License-Identifier: MIT */
/* Additional state of an instance of a large machine: the sparse matrices of its islands and of its
 * integrator. The saved state contains their pivots and the factors that the next step starts from. It omits
 * factors that each evaluation computes anew or that follow from pivots and numbers. */
#include "core/fmu/hl-runtime-instance.h"

#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-private.h"
#include "core/mech/hl-island-sparse-private.h"
#include "core/system/hl-unreduced-newton-matrix.h"

/* ---- one matrix ---- */

/* Sets the pattern of the factors for the pivots at these places, as a choice of pivots leaves it. */
static void follow_pivots (HlSparseFactors *self, const int own_place[]) {
  hl_sparse_factors_begin (self);
  for (int block = 0; block < self->n_blocks; block++) {
    int first = self->block[block], end = self->block[block + 1];

    for (int k = first; k < end; k++) {
      int top = hl_sparse_factors_reach (self, first, end, k);
      int column = self->column_order[k], to = self->U.start[k];
      for (int at = self->column_start[column]; at < self->column_start[column + 1]; at++) {
        int place = self->place[self->row_index[at]];
        if (place < first)
          self->U.row[to++] = self->pivot_of[place];
      }
      self->inner[k] = to;
      for (int s = top; s < self->n; s++)
        self->U.row[to++] = self->order[s];
      self->U.start[k + 1] = to;
      to = self->L.start[k];
      for (int i = 0; i < self->n_fresh; i++)
        if (self->fresh[i] != own_place[k])
          self->L.row[to++] = self->fresh[i];
      self->L.start[k + 1] = to;
      hl_sparse_factors_set_pivot (self, k, own_place[k]);
    }
    hl_sparse_factors_end_block (self, first, end);
  }
  hl_sparse_factors_end (self);
}

static void visit_pivots (HlSparseLu *lu, HlVisit *visit) {
  HlSparseFactors *factors = &lu->factors;
  bool had = lu->has_pivots, restores = visit->restores && visit->at != NULL;

  VISIT (lu->has_pivots);
  VISIT (lu->ratio_chosen);
  if (!restores) {
    VISIT_INTS (factors->own_place, factors->n);
    return;
  }
  const char *at = visit->at + visit->size;
  int *places = (int *)(void *)factors->y; /* scratch that is free until the last of them is set */
  VISIT_INTS (places, factors->n);
  if (!lu->has_pivots || (had && memcmp (at, factors->own_place, (size_t)factors->n * sizeof (int)) == 0))
    return;
  follow_pivots (factors, places);
  lu->order_sign = 0;
}

/* Saves or restores the numbers of the factors, whose pivots are saved already. */
static void visit_factors (HlSparseLu *lu, HlVisit *visit) {
  HlSparseFactors *factors = &lu->factors;
  int n = lu->has_pivots ? factors->n : 0;

  VISIT (factors->ratio);
  VISIT_DOUBLES (factors->L.value, n > 0 ? factors->L.start[n] : 0);
  VISIT_DOUBLES (factors->U.value, n > 0 ? factors->U.start[n] : 0);
  VISIT_DOUBLES (factors->inverse, n);
  VISIT_DOUBLES (factors->scale, n);
}

/* ---- islands ---- */

static size_t hl_model_room_of_sparse (const HlIslandWork *iw) {
  size_t n = (size_t)iw->n, rows = (size_t)iw->n_rows;

  if (iw->large == NULL)
    return 0;
  /* factors of C and V at full length, gradients; pairs and pivots of three matrices */
  return (2 * (rows * rows + rows + 1) + 6 * rows + 3) * sizeof (double) + (2 * n + 3 * rows) * sizeof (int) +
         4 * sizeof (bool);
}

/* Returns whether the patterns are those of the present partition. */
static bool is_arranged (const HlIslandWork *iw) {
  const HlIslandSparse *self = iw->large;
  size_t m = (size_t)iw->m, l = (size_t)iw->l;

  return self->K.lu != NULL && self->m == iw->m && self->l == iw->l &&
         memcmp (self->kept, iw->kept, (m + l) * sizeof (int)) == 0 &&
         memcmp (self->given, iw->dep, m * sizeof (int)) == 0 &&
         memcmp (self->given + m, iw->ad, l * sizeof (int)) == 0;
}

/* Saves or restores Newton's tangent at the last position: the factors of C, and with knife edges those of V.
 * Other functions must compute K first. */
static void hl_model_visit_sparse (const HlIsland *island, HlIslandWork *iw, HlVisit *visit) {
  HlIslandSparse *self = iw->large;
  bool restores = visit->restores && visit->at != NULL, is_sparse = iw->sparse != NULL;

  if (self == NULL)
    return;
  VISIT (is_sparse);
  bool has_others =
      restores &&
      (memcmp (visit->at + visit->size, self->pair, (size_t)iw->n * sizeof (int)) != 0 || !is_arranged (iw));
  VISIT_INTS (self->pair, iw->n);
  iw->sparse = self;
  if (has_others)
    hl_island_sparse_arrange_in_pairs (island, iw);
  visit_pivots (self->K.lu, visit);
  visit_pivots (self->C.lu, visit);
  visit_factors (self->C.lu, visit);
  if (iw->l > 0) {
    visit_pivots (self->V.lu, visit);
    visit_factors (self->V.lu, visit);
  }
  VISIT_DOUBLES (self->source, 6 * iw->n_rows);
  iw->sparse = is_sparse ? self : NULL;
  if (!restores)
    return;
  iw->is_at_last = false;
  self->has_tangent = is_sparse;
  memset (self->is_here, 0, (size_t)(iw->f + iw->l) * sizeof (bool));
  memset (self->is_there, 0, (size_t)iw->f * sizeof (bool));
}

/* Saves or restores the time of the last examination of the spread, which does not affect the start of an
 * evaluation. */
static void hl_model_visit_looks (HlModel *m, HlVisit *visit) {
  for (int k = 0; k < m->work->n_islands; k++) {
    HlIslandSparse *self = m->work->islands[k]->large;
    if (self == NULL)
      continue;
    VISIT (self->n_asked);
    VISIT (self->asked_at);
  }
}

static void hl_model_take_early_sparse (HlIslandWork *iw) {
  bool is_sparse = iw->sparse != NULL, has_lu = iw->has_lu;

  if (iw->large == NULL)
    return;
  hl_island_go_dense (iw);
  iw->sparse = is_sparse ? iw->large : NULL;
  iw->has_lu = has_lu;
  if (!is_sparse)
    return;
  hl_island_sparse_gradients (iw);
  if (iw->f + iw->l > 0)
    hl_island_sparse_column (iw, 0);
  if (iw->f > 0)
    hl_island_sparse_velocity_column (iw, 0);
}

/* ---- Newton's matrices ---- */

#define SITES_OF_ROW 78 /* of a row in force, at most */

enum {
  N_SHIFTS = 1 + 2 * HL_UNREDUCED_PAIRS /* the real one, the others' parts */
};

struct HlShifted {
  HlUnreduced *matrix;
  double by[N_SHIFTS]; /* that it was factored with last */
  int *partition;      /* n_islands + n_rows + n_coordinates: list_partition () when it was made */
  int *present;        /* n_islands + n_rows + n_coordinates: scratch */
  int most_sites;      /* of any partition */
};

static HlStatus shifted_eval (double t, const double y[], void *data) {
  HlModel *m = data;

  hl_model_touch (m);
  hl_model_go_back (m);
  return hl_unreduced_eval (m->shifted->matrix, t, y, &m->fault);
}

static HlStatus shifted_factor (double s, void *data) {
  HlShifted *self = ((HlModel *)data)->shifted;

  self->by[0] = s;
  return hl_unreduced_factor (self->matrix, s);
}

static HlStatus shifted_factor_complex (int pair, double re, double im, void *data) {
  HlShifted *self = ((HlModel *)data)->shifted;

  self->by[1 + 2 * pair] = re;
  self->by[2 + 2 * pair] = im;
  return hl_unreduced_factor_complex (self->matrix, pair, re, im);
}

static void shifted_solve (double x[], void *data) {
  const HlModel *m = data;

  hl_unreduced_solve (m->shifted->matrix, x);
}

static void shifted_solve_complex (int pair, double x[], void *data) {
  const HlModel *m = data;

  hl_unreduced_solve_complex (m->shifted->matrix, pair, x);
}

static void shifted_forget_pivots (void *data) {
  const HlModel *m = data;

  hl_unreduced_forget_pivots (m->shifted->matrix);
}

static const HlOdeShifted hl_runtime_by_unreduced = {shifted_eval,           shifted_factor,
                                                     shifted_factor_complex, shifted_solve,
                                                     shifted_solve_complex,  shifted_forget_pivots};

/* Lists the rows in force and the independent columns, one list after the other. */
static void list_partition (const HlModel *m, int list[]) {
  const HlWork *work = m->work;
  int n = 0;

  for (int k = 0; k < work->n_islands; k++) {
    list[n++] = work->islands[k]->m;
    for (int r = 0; r < work->islands[k]->m; r++)
      list[n++] = work->islands[k]->kept[r];
  }
  for (int k = 0; k < work->f; k++)
    list[n++] = work->ai_column[k];
}

/* Allocates the factors for the present partition by factoring the matrix at x; its pivots are discarded.
 * Returns false if the matrix cannot be evaluated at x. */
static bool make_matrix (HlModel *m) {
  HlShifted *self = m->shifted;

  list_partition (m, self->partition);
  hl_unreduced_free (self->matrix);
  self->matrix = hl_unreduced_new (m->sys, m->work);
  bool is_made = hl_unreduced_eval (self->matrix, m->t, m->x, &m->fault) == HL_OK;
  if (is_made) {
    hl_unreduced_factor (self->matrix, 1.0);
    for (int pair = 0; pair < HL_UNREDUCED_PAIRS; pair++)
      hl_unreduced_factor_complex (self->matrix, pair, 1.0, 1.0);
    hl_unreduced_forget_pivots (self->matrix);
  }
  hl_model_go_back (m);
  hl_model_touch (m);
  return is_made;
}

static int length_of_partition (const HlModel *m) {
  return m->work->n_islands + m->sys->mech.n_rows + m->work->n;
}

static const HlOdeShifted *hl_model_make_shifted (HlModel *m) {
  HlArena *arena = &m->work->arena;
  int length = length_of_partition (m), n_rows = 0;

  /* oil alone has no other sparse matrix here */
  bool is_much_oil = m->work->n_islands == 0 && hl_unreduced_can (m->sys, m->work);
  if (m->form != NULL || !(is_much_oil || hl_unreduced_pays (m->sys, m->work)))
    return NULL;
  m->shifted = hl_arena_take (arena, 1, sizeof *m->shifted);
  m->shifted->partition = hl_arena_take (arena, length, sizeof (int));
  m->shifted->present = hl_arena_take (arena, length, sizeof (int));
  if (!make_matrix (m)) {
    hl_model_free_shifted (m);
    return NULL;
  }
  for (int k = 0; k < m->work->n_islands; k++)
    n_rows += m->work->islands[k]->m;
  m->shifted->most_sites = m->shifted->matrix->sites.n_sites + SITES_OF_ROW * n_rows;
  return &hl_runtime_by_unreduced;
}

static void hl_model_free_shifted (HlModel *m) {
  if (m->shifted != NULL)
    hl_unreduced_free (m->shifted->matrix);
  m->shifted = NULL;
}

static void hl_model_fit_shifted (HlModel *m) {
  HlShifted *self = m->shifted;

  if (self == NULL)
    return;
  list_partition (m, self->present);
  if (memcmp (self->present, self->partition, (size_t)length_of_partition (m) * sizeof (int)) != 0)
    make_matrix (m);
}

/* Factors follow from the numbers, the pivots and what they were shifted by. */
static void visit_matrix (HlShifted *self, HlVisit *visit) {
  HlUnreduced *matrix = self->matrix;
  HlSparseLu *lu[1 + HL_UNREDUCED_PAIRS] = {matrix->lu, matrix->lu_z[0], matrix->lu_z[1]};
  bool restores = visit->restores;

  VISIT_DOUBLES (self->by, N_SHIFTS);
  VISIT_DOUBLES (matrix->sites.value, matrix->sites.n_entries);
  for (int k = 0; k <= HL_UNREDUCED_PAIRS; k++) {
    if (lu[k] == NULL)
      continue;
    visit_pivots (lu[k], visit);
    if (!restores || !lu[k]->has_pivots)
      continue;
    if (k == 0)
      hl_unreduced_factor (matrix, self->by[0]);
    else
      hl_unreduced_factor_complex (matrix, k - 1, self->by[2 * k - 1], self->by[2 * k]);
  }
}

static void hl_model_visit_shifted (HlModel *m, HlVisit *visit) {
  HlShifted *self = m->shifted;
  size_t begin = visit->size;

  if (self == NULL)
    return;
  if (visit->at != NULL && visit->restores)
    hl_model_fit_shifted (m);
  if (visit->at != NULL)
    visit_matrix (self, visit);
  hl_visit_room (visit, begin,
                 (size_t)(N_SHIFTS + self->most_sites + 1 + HL_UNREDUCED_PAIRS) * sizeof (double) +
                     (1 + HL_UNREDUCED_PAIRS) *
                         (sizeof (bool) + (size_t)self->matrix->n_unknowns * sizeof (int)));
}
