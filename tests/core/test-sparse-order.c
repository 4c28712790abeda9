/* SPDX-License-Identifier: MIT */
/* The order of sparse matrices that stands inside an FMU, beside that of the library. */
#include "core/math/hl-sparse-lu.h"
#include "tests/support/hl-test.h"

#include <string.h>

#define MOST 240
#define ROOM (12 * MOST)
#define N_FILLED 100 /* by numbers of which chance chooses the pivots */

/* hl_sparse_order_find () of an FMU, by another name. */
bool hl_fmu_order_find (int n, const int column_start[], const int row_index[], bool is_whole, HlArena *arena,
                        HlSparseOrder *order);

/* Compressed columns. */
typedef struct {
  int n, start[MOST + 1], row[ROOM];
  double value[ROOM];
} Pattern;

static void put (Pattern *p, int column, int row) {
  for (int at = p->start[column]; at < p->start[column + 1]; at++)
    if (p->row[at] == row)
      return;
  p->row[p->start[column + 1]] = row;
  p->value[p->start[column + 1]++] = g_test_rand_double_range (-1.0, 1.0);
}

/* Regular in almost all cases: a permutation and a few more; parts behind one another in some. */
static void make_any (Pattern *p) {
  int own[MOST];
  bool has_parts = g_test_rand_bit ();

  p->n = g_test_rand_int_range (1, 60);
  for (int k = 0; k < p->n; k++)
    own[k] = k;
  for (int k = p->n - 1; k > 0; k--) {
    int other = g_test_rand_int_range (0, k + 1), swap = own[k];
    own[k] = own[other];
    own[other] = swap;
  }
  for (int c = 0; c < p->n; c++) {
    p->start[c + 1] = p->start[c];
    put (p, c, own[c]);
    for (int k = g_test_rand_int_range (0, 6); k > 0; k--) {
      int other = g_test_rand_int_range (0, p->n);
      put (p, c, has_parts && other > c ? own[c] : own[other]);
    }
  }
}

/* Masses of rods and the constraints of their pins, each of two bodies: mass and constraint rows as in hl-island-sparse.h; every
 * third rod is borne by the one in the middle between it and the first. */
static void make_rods (Pattern *p, int n_rods) {
  p->n = 5 * n_rods;
  for (int c = 0; c < p->n; c++) {
    p->start[c + 1] = p->start[c];
    for (int k = 0; k < n_rods; k++) {
      int bears = k == 0 ? -1 : k % 3 == 0 ? k / 2 : k - 1;
      for (int end = 0; end < 2; end++)
        for (int part = 0; part < 6; part++) {
          int body = part < 3 ? k : bears, local = 3 * body + part % 3, row = 3 * n_rods + 2 * k + end;
          bool is_filled = body >= 0 && (part % 3 == 2 || part % 3 == end);
          if (is_filled && c == local)
            put (p, c, row);
          if (is_filled && c == row)
            put (p, c, local);
        }
    }
    if (c < 3 * n_rods)
      put (p, c, c);
  }
}

/* Entries of both factors by pivots that the tolerance lets be chosen; -1: it is singular. Those of an order with a
 * given limit are no more than that. */
static int fill_of (const Pattern *p, const HlSparseOrder *order, double tolerance) {
  HlSparseFactors factors;
  int filled = -1;

  hl_sparse_factors_init (&factors, NULL, order, false);
  if (hl_sparse_real.choose (&factors, p->value, tolerance)) {
    filled = factors.L.start[p->n] + factors.U.start[p->n];
    if (order->is_bounded) {
      g_assert_cmpint (factors.L.start[p->n], <=, order->most_L);
      g_assert_cmpint (factors.U.start[p->n], <=, order->most_U);
    }
  }
  hl_sparse_factors_clear (&factors);
  return filled;
}

static void check_is_permutation (int n, const int order[]) {
  bool seen[MOST] = {false};

  for (int k = 0; k < n; k++) {
    g_assert_false (seen[order[k]]);
    seen[order[k]] = true;
  }
}

/* All rows and columns once, diagonals filled, nothing below the blocks. */
static void check_order (const Pattern *p, const HlSparseOrder *order) {
  int place_of[MOST], block_of[MOST];

  check_is_permutation (p->n, order->rows);
  check_is_permutation (p->n, order->columns);
  for (int k = 0; k < p->n; k++)
    place_of[order->rows[k]] = k;
  g_assert_cmpint (order->block[0], ==, 0);
  g_assert_cmpint (order->block[order->n_blocks], ==, p->n);
  for (int block = 0; block < order->n_blocks; block++)
    for (int k = order->block[block]; k < order->block[block + 1]; k++)
      block_of[k] = block;
  for (int k = 0; k < p->n; k++) {
    bool has_diagonal = false;
    for (int at = p->start[order->columns[k]]; at < p->start[order->columns[k] + 1]; at++) {
      has_diagonal = has_diagonal || place_of[p->row[at]] == k;
      g_assert_cmpint (block_of[place_of[p->row[at]]], <=, block_of[k]);
    }
    g_assert_true (has_diagonal);
  }
}

static void test_orders (gconstpointer data) {
  bool is_whole = data != NULL;

  for (int count = 0; count < 3000; count++) {
    Pattern p = {0};
    HlArena arena = {0};
    HlSparseOrder own, theirs;
    make_any (&p);
    g_assert_true (hl_fmu_order_find (p.n, p.start, p.row, is_whole, &arena, &own));
    g_assert_true (hl_sparse_order_find (p.n, p.start, p.row, is_whole, &arena, &theirs));
    check_order (&p, &own);
    if (!is_whole)
      g_assert_cmpint (own.n_blocks, ==, theirs.n_blocks);
    for (int k = 0; k < 3; k++)
      fill_of (&p, &own, (const double[]){1.0, 0.5, 1e-3}[k]);
    hl_arena_clear (&arena);
  }
}

static void test_fill (gconstpointer data) {
  bool is_whole = data != NULL;
  int n_rods[] = {1, 5, 20, 48};

  for (size_t k = 0; k < G_N_ELEMENTS (n_rods); k++) {
    Pattern p = {0};
    HlArena arena = {0};
    HlSparseOrder own, theirs;
    make_rods (&p, n_rods[k]);
    g_assert_true (hl_fmu_order_find (p.n, p.start, p.row, is_whole, &arena, &own));
    g_assert_true (hl_sparse_order_find (p.n, p.start, p.row, is_whole, &arena, &theirs));
    long ours = 0, other = 0;
    for (int count = 0; count < N_FILLED; count++) {
      for (int at = 0; at < p.start[p.n]; at++)
        p.value[at] = g_test_rand_double_range (-1.0, 1.0);
      ours += fill_of (&p, &own, 1.0);
      other += fill_of (&p, &theirs, 1.0);
    }
    g_test_message ("%d rods: %.1f entries, by the library %.1f; at most %d", n_rods[k],
                    (double)ours / N_FILLED, (double)other / N_FILLED, own.most_L + own.most_U);
    g_assert_cmpint (5 * ours, <=, 6 * other);
    hl_arena_clear (&arena);
  }
}

static void test_unpaired (void) {
  Pattern p = {.n = 3, .start = {0, 1, 2, 4}, .row = {1, 1, 0, 2}};
  HlArena arena = {0};
  HlSparseOrder order;

  g_assert_false (hl_fmu_order_find (p.n, p.start, p.row, false, &arena, &order));
  g_assert_false (hl_fmu_order_find (p.n, p.start, p.row, true, &arena, &order));
  hl_arena_clear (&arena);
}

int main (int argc, char **argv) {
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sparse-order/of-an-fmu-leaves-nothing-below-its-blocks/blocks", NULL, test_orders);
  g_test_add_data_func ("/sparse-order/of-an-fmu-leaves-nothing-below-its-blocks/whole", GINT_TO_POINTER (1),
                        test_orders);
  g_test_add_data_func ("/sparse-order/of-an-fmu-fills-as-little-as-the-library/blocks", NULL, test_fill);
  g_test_add_data_func ("/sparse-order/of-an-fmu-fills-as-little-as-the-library/whole", GINT_TO_POINTER (1),
                        test_fill);
  g_test_add_func ("/sparse-order/of-an-fmu-refuses-what-has-no-full-diagonal", test_unpaired);
  return g_test_run ();
}
