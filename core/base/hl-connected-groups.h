/* SPDX-License-Identifier: MIT */
/* Groups of connected items 0 ... n - 1 (union-find). The lowest item of a group is its root; of[n] is one
 * int for each item. */
#pragma once

/* Makes each item a group of its own. */
static inline void hl_groups_start (int n, int of[]) {
  for (int k = 0; k < n; k++)
    of[k] = k;
}

/* Returns the root of the group that k belongs to. */
static inline int hl_groups_root (int of[], int k) {
  while (of[k] != k)
    k = of[k] = of[of[k]];
  return k;
}

/* Joins the groups of a and b; does nothing if either is below 0. */
static inline void hl_groups_join (int of[], int a, int b) {
  if (a < 0 || b < 0)
    return;
  int root_a = hl_groups_root (of, a), root_b = hl_groups_root (of, b);
  of[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
}
