/* SPDX-License-Identifier: MIT */
#include "core/base/hl-parts.h"

int hl_parts_find (int n, const double a[], int part_of[], int stack[]) {
  int n_parts = 0;

  for (int i = 0; i < n; i++)
    part_of[i] = -1;
  for (int first = 0; first < n; first++) {
    int depth = 0;

    if (part_of[first] >= 0)
      continue;
    part_of[first] = n_parts;
    stack[depth++] = first;
    while (depth > 0) {
      int k = stack[--depth];

      for (int i = 0; i < n; i++)
        if (part_of[i] < 0 && (a[i + n * k] != 0.0 || a[k + n * i] != 0.0)) {
          part_of[i] = n_parts;
          stack[depth++] = i;
        }
    }
    n_parts++;
  }
  return n_parts;
}

int hl_parts_rows (int n, const int part_of[], int part, int rows[]) {
  int count = 0;

  for (int i = 0; i < n; i++)
    if (part_of[i] == part)
      rows[count++] = i;
  return count;
}

void hl_parts_gather (int n, const double a[], int n_rows, const int rows[], double out[]) {
  for (int j = 0; j < n_rows; j++)
    for (int i = 0; i < n_rows; i++)
      out[i + n_rows * j] = a[rows[i] + n * rows[j]];
}
