/* SPDX-License-Identifier: MIT */
/* Shortest augmenting paths with potentials: row by row, the cheapest alternating path to a free
 * column is found by Dijkstra's method on the reduced costs, which the potentials keep nonnegative.
 * Source: Kuhn 1955, Jonker and Volgenant 1987. */
#include "core/math/hl-optimal-assignment.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

size_t hl_assignment_scratch (int n) {
  size_t m = (size_t)n + 1;

  return m * (3 * sizeof (double) + 2 * sizeof (int) + sizeof (bool));
}

double hl_assignment_solve (int n, const double cost[], int column_of[], void *scratch) {
  int m = n + 1;
  double *row_potential = scratch, *column_potential = row_potential + m, *slack = column_potential + m;
  int *row_of = (int *)(slack + m), *from = row_of + m;
  bool *visited = (bool *)(from + m);
  double total = 0.0;

  /* column n is the root of every search; row_of[n] is the row being placed */
  for (int j = 0; j < m; j++) {
    row_potential[j] = column_potential[j] = 0.0;
    row_of[j] = -1;
  }
  for (int row = 0; row < n; row++) {
    int column = n;

    row_of[n] = row;
    for (int j = 0; j < m; j++) {
      slack[j] = INFINITY;
      visited[j] = false;
      from[j] = n;
    }
    do {
      int i = row_of[column], next = n;
      double delta = INFINITY;

      visited[column] = true;
      for (int j = 0; j < n; j++) {
        if (visited[j])
          continue;
        double reduced = cost[i * n + j] - row_potential[i] - column_potential[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          from[j] = column;
        }
        if (slack[j] < delta) {
          delta = slack[j];
          next = j;
        }
      }
      for (int j = 0; j < m; j++)
        if (visited[j]) {
          row_potential[row_of[j]] += delta;
          column_potential[j] -= delta;
        } else
          slack[j] -= delta;
      column = next;
    } while (row_of[column] >= 0);
    while (column != n) {
      row_of[column] = row_of[from[column]];
      column = from[column];
    }
  }
  for (int j = 0; j < n; j++) {
    column_of[row_of[j]] = j;
    total += cost[row_of[j] * n + j];
  }
  return total;
}
