/* SPDX-License-Identifier: MIT */
/* hl-sparse-lu.c, hl-island-sparse.c and hl-jacobian-large-islands.c inside an FMU none of whose islands is a large one. */
#include "core/math/hl-sparse-lu.h"
#include "core/mech/hl-island-sparse.h"
#include "core/system/hl-jacobian-private.h"

HlSparseLu *hl_sparse_lu_new_beside (const HlArena *arena, int n, const int column_start[],
                                     const int row_index[], bool is_complex) {
  (void)arena;
  (void)n;
  (void)column_start;
  (void)row_index;
  (void)is_complex;
  return NULL;
}

void hl_sparse_lu_free (HlSparseLu *lu) {
  (void)lu;
}

HlStatus hl_sparse_lu_factor (HlSparseLu *lu, const double values[]) {
  (void)lu;
  (void)values;
  return HL_SINGULAR;
}

void hl_sparse_lu_solve (HlSparseLu *lu, double b[]) {
  (void)lu;
  (void)b;
}

HlIslandSparse *hl_island_sparse_new (const HlArena *arena, const HlIsland *island) {
  (void)arena;
  (void)island;
  return NULL;
}

void hl_island_sparse_free (HlIslandSparse *self) {
  (void)self;
}

void hl_island_sparse_arrange (const HlMechanism *mech, const HlIsland *island, HlIslandWork *iw) {
  (void)mech;
  (void)island;
  (void)iw;
}

int hl_island_sparse_pick (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                           HlIslandWork *iw) {
  (void)mech;
  (void)island;
  (void)frames;
  (void)iw;
  return -1;
}

HlStatus hl_island_sparse_factor (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                  HlIslandWork *iw) {
  (void)mech;
  (void)island;
  (void)frames;
  (void)iw;
  return HL_SINGULAR;
}

HlStatus hl_island_sparse_kinematics (const HlMechanism *mech, const HlIsland *island, const HlFrame frames[],
                                      HlIslandWork *iw) {
  return hl_island_sparse_factor (mech, island, frames, iw);
}

bool hl_island_sparse_has_tangent (const HlIslandWork *iw) {
  (void)iw;
  return false;
}

void hl_island_sparse_solve (const HlIslandWork *iw, double b[]) {
  (void)iw;
  (void)b;
}

void hl_island_sparse_solve_transposed (const HlIslandWork *iw, double b[]) {
  (void)iw;
  (void)b;
}

void hl_island_sparse_solve_velocities (const HlIslandWork *iw, double b[]) {
  (void)iw;
  (void)b;
}

void hl_island_sparse_solve_forces (const HlIslandWork *iw, double b[]) {
  (void)iw;
  (void)b;
}

void hl_island_sparse_follow (const HlIslandWork *iw, double out[]) {
  (void)iw;
  (void)out;
}

double hl_island_sparse_row_times (const HlIslandWork *iw, int row, const double v[]) {
  (void)iw;
  (void)row;
  (void)v;
  return 0.0;
}

void hl_island_sparse_admit (const HlIslandWork *iw, const double v[], double out[]) {
  (void)iw;
  (void)v;
  (void)out;
}

double hl_island_sparse_farthest (const HlIsland *island, const HlIslandWork *iw) {
  (void)island;
  (void)iw;
  return 0.0;
}

const double *hl_island_sparse_column (const HlIslandWork *iw, int j) {
  (void)iw;
  (void)j;
  return NULL;
}

const double *hl_island_sparse_velocity_column (const HlIslandWork *iw, int j) {
  return hl_island_sparse_column (iw, j);
}

const double *hl_island_sparse_momentum (const HlIslandWork *iw, int j) {
  return hl_island_sparse_column (iw, j);
}

void hl_island_sparse_accelerations (const HlIslandWork *iw, const double q[], const double gamma[],
                                     double a_ai[]) {
  (void)iw;
  (void)q;
  (void)gamma;
  (void)a_ai;
}

void hl_island_sparse_answer (const HlIslandWork *iw, const double q[], const double rhs[], double a_ai[]) {
  (void)iw;
  (void)q;
  (void)rhs;
  (void)a_ai;
}

const double *hl_island_sparse_gradients (const HlIslandWork *iw) {
  (void)iw;
  return NULL;
}

double hl_island_sparse_gradient (const HlIslandWork *iw, int row, int column) {
  (void)iw;
  (void)row;
  (void)column;
  return 0.0;
}

double hl_island_sparse_row_size (const HlIsland *island, const HlIslandWork *iw, int row) {
  (void)island;
  (void)iw;
  (void)row;
  return 0.0;
}

bool hl_island_sparse_is_due (const HlIslandWork *iw) {
  (void)iw;
  return true;
}

double hl_island_sparse_pivot_ratio (const HlIslandWork *iw) {
  (void)iw;
  return 1.0;
}

bool hl_jacobian_motion_wide (const HlSystem *sys, HlWork *work, const HlOilReaction *oil, int k, double J[],
                              int ld) {
  (void)sys;
  (void)work;
  (void)oil;
  (void)k;
  (void)J;
  (void)ld;
  return false;
}
